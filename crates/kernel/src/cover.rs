//! Covers: binary trees of facts that account for every solution. Each branch is one of the
//! disjunctions in the definition of a solution, so every solution reaches a leaf. A leaf that is
//! proved empty holds none; one that is a point holds that solution alone; on a face all that has
//! the facts is a solution. (`docs/certificates.md`, "Covers".)

use rug::Rational;

use crate::{
    Refusal, budget::*, classes::*, ensure, exact::*, form::*, rank::*, rows::*, solution::*,
};

/// A vector of a certificate, read entry by entry.
pub trait Vector: Iterator<Item = Rational> + Clone {}
impl<V: Iterator<Item = Rational> + Clone> Vector for V {}

/// A node of a cover. Its vectors have an entry for each of the n rows, and one for each row with
/// two bounds. Points and directions are given by distances: from the lower bound, from an upper
/// bound that is alone, or from 0 on a free row; their entries from n on are not read.
#[derive(Debug, Clone)]
pub enum Node<V> {
    /// An index and two nodes with larger numbers, in one of which every solution is. Index i < n
    /// says that z_i = L_i, or w_i <= 0; with an upper bound only that z_i = U_i, or w_i >= 0.
    /// Index n + m says of the m-th row with two bounds that w_i >= 0, or z_i = U_i.
    Branch(usize, [usize; 2]),
    /// y: nobody is here, because its form is negative and no term of it is.
    Empty(V),
    /// y and z: only z is here. The form of y is 0, so all its terms are 0, and these equations
    /// with those of the facts have rank n.
    Point(V, V),
    /// Points, at least one, and directions in which one may go on for ever, of a node in which
    /// both disjunctions of every row are decided.
    Face(Vec<V>, Vec<V>),
}

/// What the leaves of a cover leave room for.
pub(crate) struct Covered<'b> {
    system: &'b System<'b>,
    /// Points, each alone in its leaf.
    pub points: Vec<Vec<Rational>>,
    /// Solutions on faces, at least one of each.
    pub vertices: Vec<Vec<Rational>>,
    held: Held<'b>,
}

/// Checks a cover: a tree from node 0 that reaches each node once.
pub(crate) fn check_cover<'b>(
    system: &'b System<'b>, nodes: &[Node<impl Vector>],
) -> Result<Covered<'b>, Refusal> {
    let held = system.budget.hold(0, 0)?;
    let mut covered = Covered { system, points: Vec::new(), vertices: Vec::new(), held };
    let mut reached = vec![false; nodes.len()];
    let root: Vec<_> = system.terms.iter().map(Terms::start).collect();
    let mut stack = vec![(0, root, system.budget.hold(0, 0)?)];
    while let Some((index, known, _held)) = stack.pop() {
        let mut visit = || {
            let node = nodes.get(index).ok_or(Refusal::new("there is no such node"))?;
            ensure(!reached[index], "two branches share a node")?;
            reached[index] = true;
            let Node::Branch(choice, children) = node else {
                return covered.leaf(node, &known);
            };
            system.budget.multiply(known.len() as u64, 1, 1)?;
            let (row, facts) = system.disjunction(*choice)?;
            let open = known[row] & (facts[0] | facts[1]) == 0;
            ensure(open, "its row is not open for a choice here")?;
            let after = children.iter().all(|child| *child > index);
            ensure(after, "a child must come after its parent")?;
            for (child, fact) in children.iter().zip(facts) {
                let held = system.budget.hold(1, 8 * known.len() as u64)?;
                let mut known = known.clone();
                known[row] |= fact;
                stack.push((*child, known, held));
            }
            Ok(())
        };
        visit().map_err(|no: Refusal| no.at_node(index))?;
    }
    ensure(reached.into_iter().all(|reached| reached), "some nodes are not reached from node 0")?;
    Ok(covered)
}

impl System<'_> {
    /// The row of a choice, and the two facts of which each solution has one.
    fn disjunction(&self, index: usize) -> Result<(usize, [Facts; 2]), Refusal> {
        match self.bounds.get(index) {
            Some([None, Some(_)]) => Ok((index, [UP, GE])),
            Some(_) => Ok((index, [LO, LE])),
            None => {
                let row = self.doubles.get(index - self.terms.len());
                row.map(|row| (*row, [GE, UP])).ok_or(Refusal::new("there is no such row"))
            }
        }
    }
}

impl<'b> Covered<'b> {
    fn leaf(&mut self, leaf: &Node<impl Vector>, known: &[Facts]) -> Result<(), Refusal> {
        match leaf {
            Node::Branch(..) => Ok(()),
            Node::Empty(y) => {
                let constant = self.form(y, known)?.constant;
                ensure(constant < 0, "the constant of the form is not negative")
            }
            Node::Point(y, z) => {
                let point = self.member(z, known, 1)?;
                self.points.push(point);
                self.check_alone(&self.form(y, known)?, known)
            }
            Node::Face(vertices, rays) => {
                let decided = known.iter().all(|known| decides(*known));
                ensure(decided, "a face needs a choice for every row")?;
                ensure(!vertices.is_empty(), "a face needs at least one solution")?;
                for ray in rays {
                    let zero = self.member(ray, known, 0)?.iter().all(Rational::is_zero);
                    ensure(!zero, "a ray is zero")?;
                }
                for vertex in vertices {
                    let vertex = self.member(vertex, known, 1)?;
                    self.vertices.push(vertex);
                }
                Ok(())
            }
        }
    }

    fn form(&self, y: &impl Vector, known: &[Facts]) -> Result<Form<'b>, Refusal> {
        self.system.budget.repeat(self.system.entries)?;
        let form = Form::new(self.system, y.clone())?;
        form.check_signs(known).map(|()| form)
    }

    /// The point at these distances from its bounds, which solves the problem and has the facts; or
    /// the direction, of which the `last` entry is 0.
    fn member(
        &mut self, distances: &impl Vector, known: &[Facts], last: u32,
    ) -> Result<Vec<Rational>, Refusal> {
        let System { terms, bounds, doubles, budget, .. } = self.system;
        let (mut z, mut held) = read(distances.clone(), budget)?;
        let fits = z.len() == terms.len() + doubles.len();
        ensure(fits, "z has another length than rows and double bounds")?;
        z.truncate(terms.len());
        // First the bounds that are numbers: others contain these z.
        for moving in [false, true] {
            for (i, [lower, upper]) in bounds.iter().enumerate() {
                let own = lower.as_ref().or(upper.as_ref());
                let own = own.filter(|bound| (bound.slope != 0) == moving);
                let Some(Bound { constant, slope, of }) = own else { continue };
                let long = [constant, slope, &z[*of]].map(fraction_bits).iter().sum();
                held.more(0, long)?;
                budget.reduce(3, long, long.max(fraction_bits(&z[i])))?;
                let bound = Rational::from(slope * &z[*of]) + Rational::from(constant * last);
                z[i] = if lower.is_some() { bound + &z[i] } else { bound - &z[i] };
            }
        }
        budget.repeat(4 * self.system.entries)?;
        let point = Point::new(&z, last, budget)?;
        for (i, (terms, known)) in terms.iter().zip(known).enumerate() {
            point.check(terms, *known).map_err(|no| no.at_row(i))?;
        }
        drop(point);
        self.held.join(held);
        Ok(z)
    }

    /// Checks that at most one z has these facts. All terms of the form are at least 0 and their
    /// sum is 0, so each is: w_i = 0 where v_i != 0, z_i = L_i where a_i != 0, z_i = U_i where
    /// b_i != 0. The difference of two such z solves these equations without their constants,
    /// and of full rank they leave only 0.
    fn check_alone(&self, form: &Form<'_>, known: &[Facts]) -> Result<(), Refusal> {
        let System { terms, budget, .. } = self.system;
        ensure(form.constant == 0, "the constant of the form is not 0")?;
        let n = check_size(terms.len())?;
        // Up to three equations a row, and the elimination of them.
        let _held = budget.hold(3 * n as u64, 3 * 64 * (n * n) as u64)?;
        budget.multiply((n * n * n) as u64, 64, 64)?;
        let mut equations = Vec::new();
        for (i, Terms(terms)) in terms.iter().enumerate() {
            for (k, facts) in [LE | GE, LO, UP].into_iter().enumerate() {
                let holds = known[i] & facts == facts || form.multipliers[i][k] != 0;
                let Some(row) = terms[k].as_ref().filter(|_| holds) else { continue };
                let mut equation = vec![0; n];
                for (j, value) in row.entries.iter().filter(|(j, _)| *j < n) {
                    budget.multiply(1, bits(value), 64)?;
                    equation[*j] = residue(value);
                }
                equations.push(equation);
            }
        }
        ensure(is_full(equations, n), "the equations leave more than one point")
    }
}
