//! What is proved of a problem. Nothing outside this file can write it.

use rug::Rational;

use crate::{Refusal, budget::*, classes::*, cover::*, ensure, rows::*, solution::*};

/// A proof that something holds of a problem, with vectors of type V. Those of P-matrices prove
/// that there is exactly one z.
#[derive(Debug, Clone)]
pub enum Certificate<V> {
    /// All solutions, or none: a cover. A Farkas vector is one empty leaf.
    Cover(Vec<Node<V>>),
    /// M = M' and x'Mx >= 0: all solutions have one w.
    SymmetricPsd,
    /// x'Mx > 0 for x != 0, so M is a P-matrix.
    PositiveDefinite,
    /// M is diagonally dominant with these n weights, so it is a P-matrix.
    DiagonallyDominant(V),
    /// All principal minors of M are positive: it is a P-matrix.
    PrincipalMinors,
}

/// What all solutions share, if there are any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unique {
    /// w.
    W,
    /// z, and so w too.
    Z,
}

/// Facts about one problem, each checked by this crate: nothing else can write them. All that is
/// added must be about one and the same problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Truth {
    solvable: Option<bool>,
    unique: Option<Unique>,
    solutions: Vec<Vec<Rational>>,
    has_all_solutions: bool,
}

impl Truth {
    /// Whether there is a solution, where it is proved.
    pub fn solvable(&self) -> Option<bool> {
        self.solvable
    }

    /// What all solutions share, where it is proved.
    pub fn unique(&self) -> Option<Unique> {
        self.unique
    }

    /// Exact solutions, each of n entries, none twice.
    pub fn solutions(&self) -> &[Vec<Rational>] {
        &self.solutions
    }

    /// Whether it is proved that there are no others.
    pub fn has_all_solutions(&self) -> bool {
        self.has_all_solutions
    }

    /// Adds a solution z of n entries.
    ///
    /// # Errors
    /// z does not solve the problem, or contradicts what was added before: nothing is added.
    pub fn add_solution(
        &mut self, problem: &impl Problem, z: Vec<Rational>, budget: &Budget,
    ) -> Result<(), Refusal> {
        check_solution(problem, &z, budget)?;
        self.join(Self { solvable: Some(true), solutions: vec![z], ..Self::default() })
    }

    /// Adds what a certificate proves.
    ///
    /// # Errors
    /// The certificate does not hold, or contradicts what was added before: nothing is added.
    pub fn add_certificate<V: Vector>(
        &mut self, problem: &impl Problem, certificate: &Certificate<V>, budget: &Budget,
    ) -> Result<(), Refusal> {
        let of_class =
            |solvable, unique| Self { solvable, unique: Some(unique), ..Self::default() };
        let found = match certificate {
            Certificate::Cover(nodes) => {
                let [mut solutions, vertices] = check_cover(problem, nodes, budget)?;
                let has_all_solutions = vertices.is_empty();
                let equal = solutions.windows(2).all(|pair| pair[0] == pair[1]);
                let is_one = has_all_solutions && equal && !solutions.is_empty();
                solutions.extend(vertices);
                let (solvable, unique) = (Some(!solutions.is_empty()), is_one.then_some(Unique::Z));
                Self { solvable, unique, solutions, has_all_solutions }
            }
            Certificate::SymmetricPsd => {
                check_quadratic(problem, false, budget)?;
                of_class(None, Unique::W)
            }
            of_p_matrix => {
                match of_p_matrix {
                    Certificate::DiagonallyDominant(d) => {
                        check_dominant(problem, d.clone(), budget)?
                    }
                    Certificate::PrincipalMinors => check_minors(problem, budget)?,
                    _ => check_quadratic(problem, true, budget)?,
                }
                of_class(Some(true), Unique::Z)
            }
        };
        self.join(found)
    }

    /// Both what this says and what the other does. They contradict each other only where they
    /// are not about one problem.
    fn join(&mut self, other: Self) -> Result<(), Refusal> {
        let both = self.solvable.zip(other.solvable);
        let agree = both.is_none_or(|(one, another)| one == another);
        ensure(agree, "one proof says solvable, another unsolvable")?;
        let mut solutions = self.solutions.clone();
        for z in &other.solutions {
            if !solutions.contains(z) {
                solutions.push(z.clone());
            }
        }
        let unique = self.unique.max(other.unique);
        let is_one = unique == Some(Unique::Z);
        let why = "z is proved unique, but there are two solutions";
        ensure(!is_one || solutions.len() <= 1, why)?;
        let lacks = |one: &Self| solutions.iter().any(|z| !one.solutions.contains(z));
        let closed =
            self.has_all_solutions && lacks(self) || other.has_all_solutions && lacks(&other);
        ensure(!closed, "all solutions are known, but there is another")?;
        let is_known = is_one && !solutions.is_empty();
        *self = Self {
            solvable: self.solvable.or(other.solvable),
            unique,
            solutions,
            has_all_solutions: self.has_all_solutions || other.has_all_solutions || is_known,
        };
        Ok(())
    }
}
