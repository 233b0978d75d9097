//! Covers: binary trees of facts that account for every solution. Each branch is one of the
//! disjunctions in the definition of a solution, so every solution reaches a leaf. A leaf that is
//! proved empty holds none; one that is a point holds that solution alone; on a face all that has
//! the facts is a solution. (`docs/certificates.md`, "Covers".)

use rug::{Integer, Rational};

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

/// Checks a cover: a tree from node 0 that reaches each node once. Returns points that are alone in
/// their leaves, and vertices of faces.
pub(crate) fn check_cover(
    problem: &impl Problem, nodes: &[Node<impl Vector>], budget: &Budget,
) -> Result<[Vec<Vec<Rational>>; 2], Refusal> {
    let system = System::of(problem, budget)?;
    let (mut points, mut vertices, mut reached) = (vec![], vec![], vec![false; nodes.len()]);
    let root: Vec<_> = system.terms.iter().map(Terms::start).collect();
    let mut stack = vec![(0, root, budget.hold(0, 0)?)];
    while let Some((index, known, _held)) = stack.pop() {
        let mut visit = || {
            let node = nodes.get(index).ok_or(Refusal::new("there is no such node"))?;
            ensure(!reached[index], "two branches share a node")?;
            reached[index] = true;
            match node {
                Node::Branch(choice, children) => {
                    budget.multiply(known.len() as u64, 1, 1)?;
                    let (row, facts) = system.disjunction(*choice)?;
                    let open = known[row] & (facts[0] | facts[1]) == 0;
                    ensure(open, "its row is not open for a choice here")?;
                    let after = children.iter().all(|child| *child > index);
                    ensure(after, "a child must come after its parent")?;
                    for (child, fact) in children.iter().zip(facts) {
                        let mut known = known.clone();
                        known[row] |= fact;
                        stack.push((*child, known, budget.hold(1, 8 * system.terms.len() as u64)?));
                    }
                }
                Node::Empty(y) => {
                    let negative = system.form(y, &known)?.constant < 0;
                    ensure(negative, "the constant of the form is not negative")?;
                }
                Node::Point(y, z) => {
                    points.push(system.member(z, &known, 1)?);
                    system.check_alone(&system.form(y, &known)?, &known)?;
                }
                Node::Face(all, rays) => {
                    let decided = known.iter().all(|known| decides(*known));
                    ensure(decided, "a face needs a choice for every row")?;
                    ensure(!all.is_empty(), "a face needs at least one solution")?;
                    rays.iter().try_for_each(|ray| system.member(ray, &known, 0).map(|_| ()))?;
                    for vertex in all {
                        vertices.push(system.member(vertex, &known, 1)?);
                    }
                }
            }
            Ok(())
        };
        visit().map_err(|no: Refusal| no.at_node(index))?;
    }
    ensure(reached.into_iter().all(|reached| reached), "some nodes are not reached from node 0")?;
    Ok([points, vertices].map(|all| all.into_iter().map(|(z, _)| z).collect()))
}

impl<'b> System<'b> {
    /// The row of a choice, and the two facts of which each solution has one.
    fn disjunction(&self, index: usize) -> Result<(usize, [Facts; 2]), Refusal> {
        match self.terms.get(index) {
            Some(Terms { rows: [_, None, Some(_)], .. }) => Ok((index, [UP, GE])),
            Some(_) => Ok((index, [LO, LE])),
            None => {
                let row = self.doubles.get(index - self.terms.len());
                let why = "its row is not open for a choice here";
                row.map(|row| (*row, [GE, UP])).ok_or(Refusal::new(why))
            }
        }
    }

    /// The form of y, none of whose terms is negative where these facts hold.
    fn form(&self, y: &impl Vector, known: &[Facts]) -> Result<Form<'b>, Refusal> {
        self.budget.repeat(self.entries)?;
        let form = Form::new(self, y.clone())?;
        form.check_signs(known).map(|()| form)
    }

    /// The point at these distances from its bounds, which solves the problem and has the facts; or
    /// the direction, of which the `last` entry is 0.
    fn member(
        &self, distances: &impl Vector, known: &[Facts], last: u32,
    ) -> Result<(Vec<Rational>, Held<'b>), Refusal> {
        let (n, budget) = (self.terms.len(), self.budget);
        let (mut z, mut held) = read(distances.clone(), budget)?;
        let fits = z.len() == n + self.doubles.len();
        ensure(fits, "z has another length than rows and double bounds")?;
        ensure(last == 1 || z.iter().any(|z| *z != 0), "a ray is zero")?;
        z.truncate(n);
        // First the bounds that are numbers: others contain these z.
        for moving in [false, true] {
            for (i, terms) in self.terms.iter().enumerate() {
                let Some((_, row)) = terms.own().filter(|_| terms.moves == moving) else {
                    continue;
                };
                // z_i, for which the expression is the distance.
                let (mut rest, mut own) = (z[i].clone() * &row.denominator, Integer::from(1));
                for (j, value) in &row.entries {
                    let entry = z.get(*j).cloned().unwrap_or(Rational::from(last));
                    let long = fraction_bits(&entry) + bits(value);
                    held.more(0, long + bits(&row.denominator))?;
                    budget.reduce(3, fraction_bits(&rest), long)?;
                    if *j == i { own.clone_from(value) } else { rest -= entry * value }
                }
                z[i] = rest / own;
            }
        }
        budget.repeat(4 * self.entries)?;
        let point = Point::new(&z, last, budget)?;
        for (i, (terms, known)) in self.terms.iter().zip(known).enumerate() {
            point.check(terms, *known).map_err(|no| no.at_row(i))?;
        }
        drop(point);
        Ok((z, held))
    }

    /// Checks that at most one z has these facts. All terms of the form are at least 0 and their
    /// sum is 0, so each is: w_i = 0 where v_i != 0, z_i = L_i where a_i != 0, z_i = U_i where
    /// b_i != 0. The difference of two such z solves these equations without their constants,
    /// and of full rank they leave only 0.
    fn check_alone(&self, form: &Form<'_>, known: &[Facts]) -> Result<(), Refusal> {
        let System { terms, budget, .. } = self;
        ensure(form.constant == 0, "the constant of the form is not 0")?;
        let n = check_size(terms.len())?;
        let _held = budget.hold(3 * n as u64, 3 * 64 * (n * n) as u64)?;
        let mut equations = Vec::new();
        // First those of bounds: a number leaves one unknown in them.
        for (k, facts) in [(1, LO), (2, UP), (0, LE | GE)] {
            for (i, terms) in terms.iter().enumerate() {
                let holds = known[i] & facts == facts || form.multipliers[i][k] != 0;
                let Some(row) = terms.rows[k].as_ref().filter(|_| holds) else { continue };
                let mut equation = vec![0; n];
                for (j, value) in row.entries.iter().filter(|(j, _)| *j < n) {
                    budget.multiply(1, bits(value), 64)?;
                    equation[*j] = residue(value);
                }
                equations.push(equation);
            }
        }
        budget.multiply((equations.len() * n * n) as u64, 64, 64)?;
        ensure(is_full(equations, n), "the equations leave more than one point")
    }
}
