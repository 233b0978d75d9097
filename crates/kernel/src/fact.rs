//! What is proved of a problem. Nothing outside this file can write it.

use rug::Rational;

use crate::{Checked, budget::*, classes::*, cover::*, ensure, form::*, rows::*, solution::*};

/// A class of matrices to which M belongs. Those of P-matrices prove that there is exactly one z.
#[derive(Debug, Clone)]
pub enum Class {
    /// M = M' and x'Mx >= 0: all solutions have one w.
    SymmetricPsd,
    /// x'Mx > 0 for x != 0, so M is a P-matrix.
    PositiveDefinite,
    /// M is diagonally dominant with these n weights, so it is a P-matrix.
    DiagonallyDominant(Vec<Rational>),
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

/// What is proved of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proved {
    /// Whether there is a solution, where it is proved.
    pub solvable: Option<bool>,
    /// What all solutions share, where it is proved.
    pub unique: Option<Unique>,
    /// Exact solutions, each of n entries, none twice.
    pub solutions: Vec<Vec<Rational>>,
    /// Whether it is proved that there are no others.
    pub has_all_solutions: bool,
    /// Boxes, each with a solution that fractions need not state: the middle and how far it reaches, n
    /// entries each.
    pub boxes: Vec<[Vec<Rational>; 2]>,
}

/// Facts about one problem, each checked by this crate: nothing else can write them. All that is
/// added must be about one and the same problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Truth(Proved);

impl Truth {
    /// The facts.
    pub fn proved(&self) -> &Proved {
        &self.0
    }

    /// Adds a solution z of n entries.
    ///
    /// # Errors
    /// z does not solve the problem, or contradicts what was added before: nothing is added.
    pub fn add_solution(
        &mut self, problem: &impl Problem, z: Vec<Rational>, budget: &Budget,
    ) -> Checked {
        check_solution(problem, &z, budget)?;
        self.join(Proved { solvable: Some(true), solutions: vec![z], ..Proved::default() })
    }

    /// Adds what a cover proves: all solutions, or none. A Farkas vector is one empty leaf.
    ///
    /// # Errors
    /// The cover does not hold, or contradicts what was added before: nothing is added.
    pub fn add_cover(
        &mut self, problem: &impl Problem, nodes: &[Node<impl Vector>], budget: &Budget,
    ) -> Checked {
        ensure(problem.cones().next().is_none(), "such a cover knows no friction cones")?;
        let [points, vertices] = check_cover(problem, nodes, budget)?;
        let (has_all_solutions, solutions) = (vertices.is_empty(), [points, vertices].concat());
        let solvable = Some(!solutions.is_empty());
        self.join(Proved { solvable, solutions, has_all_solutions, ..Proved::default() })
    }

    /// Adds what the class of M proves.
    ///
    /// # Errors
    /// M is not proved to be of the class, or what it says contradicts what was added before:
    /// nothing is added.
    pub fn add_class(&mut self, problem: &impl Problem, class: &Class, budget: &Budget) -> Checked {
        // Of a P-matrix there is one z.
        let one = !matches!(class, Class::SymmetricPsd);
        match class {
            Class::SymmetricPsd | Class::PositiveDefinite => check_quadratic(problem, one, budget)?,
            Class::DiagonallyDominant(weights) => check_dominant(problem, weights, budget)?,
            Class::PrincipalMinors => check_minors(problem, budget)?,
        }
        let unique = Some(if one { Unique::Z } else { Unique::W });
        self.join(Proved { solvable: one.then_some(true), unique, ..Proved::default() })
    }

    /// Both what this says and what the other does. They contradict each other only where they
    /// are not about one problem.
    pub(crate) fn join(&mut self, other: Proved) -> Checked {
        let (old, mut all) = (&self.0, self.0.clone());
        all.solvable = old.solvable.or(other.solvable);
        let agree = other.solvable.is_none() || other.solvable == all.solvable;
        ensure(agree, "one proof says solvable, another unsolvable")?;
        for z in &other.solutions {
            let new = (!all.solutions.contains(z)).then(|| z.clone());
            all.solutions.extend(new);
        }
        all.boxes.extend(other.boxes.iter().filter(|own| !old.boxes.contains(own)).cloned());
        all.has_all_solutions |= other.has_all_solutions;
        let only = all.has_all_solutions && all.solutions.len() == 1;
        all.unique = old.unique.max(other.unique).max(only.then_some(Unique::Z));
        let is_one = all.unique == Some(Unique::Z);
        let why = "z is proved unique, but there are two solutions";
        ensure(!is_one || all.solutions.len() <= 1, why)?;
        let has = |one: &Proved| all.solutions.iter().all(|z| one.solutions.contains(z));
        let open = |one: &Proved| !one.has_all_solutions || has(one);
        ensure(open(old) && open(&other), "all solutions are known, but there is another")?;
        all.has_all_solutions |= is_one && !all.solutions.is_empty();
        self.0 = all;
        Ok(())
    }
}
