//! Covers: binary trees of facts that account for every solution. Each branch is one of the
//! disjunctions in the definition of a solution, so every solution reaches a leaf. A leaf that is
//! proved empty holds none; one that is a point holds that solution alone; on a face all that has
//! the facts is a solution. (`docs/certificates.md`, "Covers".)

use rug::Rational;

use crate::{Checked, Refusal, budget::*, classes::*, ensure, form::*, rank::*, rows::*};

/// A node of a cover.
#[derive(Debug, Clone)]
pub enum Node<V> {
    /// An index and two nodes with larger numbers, in one of which every solution is. Index i < n
    /// says that z_i = L_i, or w_i <= 0; with an upper bound only that z_i = U_i, or w_i >= 0.
    /// Index n + i says that w_i >= 0, or z_i = U_i.
    Branch(usize, [usize; 2]),
    /// Multipliers: there is no solution here, because their form is negative and no term of it is.
    Empty(V),
    /// Multipliers and z: only z is here. The form is 0, so all its terms are 0, and these
    /// equations with those of the facts have rank n.
    Point(V, V),
    /// Points, at least one, and directions other than 0 in which one may go on for ever, of a node
    /// in which both disjunctions of every row are decided.
    Face(Vec<V>, Vec<V>),
}

/// Visits each of so many nodes of a tree once, from node 0 on: `visit` is given what is known there, and
/// says what is known of which children.
pub(crate) fn walk<K>(
    count: usize, known: K, mut visit: impl FnMut(usize, K) -> Checked<Vec<(usize, K)>>,
) -> Checked {
    let (mut stack, mut reached) = (vec![(0, known)], vec![false; count]);
    while let Some((index, known)) = stack.pop() {
        let step = || {
            ensure(index < count, "there is no such node")?;
            ensure(!std::mem::replace(&mut reached[index], true), "two branches share a node")?;
            let children = visit(index, known)?;
            let after = children.iter().all(|(child, _)| *child > index);
            stack.extend(children);
            ensure(after, "a child must come after its parent")
        };
        step().map_err(|no| Refusal { node: Some(index), ..no })?;
    }
    ensure(reached.into_iter().all(|reached| reached), "some nodes are not reached from node 0")
}

/// Checks a cover. Returns points that are alone in their leaves, and vertices of faces.
pub(crate) fn check_cover(
    problem: &impl Problem, nodes: &[Node<impl Vector>], budget: &Budget,
) -> Checked<[Vec<Vec<Rational>>; 2]> {
    let mut held = budget.hold(0, 0)?;
    let rows = Row::all(problem, &mut held)?;
    let [mut points, mut vertices] = [vec![], vec![]];
    let visit = |index: usize, known: Vec<Facts>| {
        let mut own = budget.hold(0, 0)?;
        match &nodes[index] {
            Node::Branch(row, next) => return branch(&rows, *row, *next, known, &mut held),
            Node::Empty(y) => {
                let (_, constant) = form(&rows, y, &known, &mut own)?;
                ensure(constant < 0, "the constant of the form is not negative")?;
            }
            Node::Point(y, z) => {
                points.push(member(&rows, z, 1, &known, &mut held)?);
                check_alone(&rows, y, &known, &mut own)?;
            }
            Node::Face(all, rays) => {
                ensure(known.iter().all(decides), "a face needs a choice for every row")?;
                ensure(!all.is_empty(), "a face needs at least one solution")?;
                for ray in rays {
                    let ray = member(&rows, ray, 0, &known, &mut own)?;
                    ensure(ray.iter().any(|z| *z != 0), "a ray is zero")?;
                }
                for vertex in all {
                    vertices.push(member(&rows, vertex, 1, &known, &mut held)?);
                }
            }
        }
        Ok(vec![])
    };
    walk(nodes.len(), rows.iter().map(Row::start).collect(), visit)?;
    Ok([points, vertices])
}

/// The children of a branch, with the facts of their rows. A choice is of a row that is open, and of
/// the two facts of it each solution has one.
pub(crate) fn branch(
    rows: &[Row], choice: usize, children: [usize; 2], known: Vec<Facts>, held: &mut Held<'_>,
) -> Checked<Vec<(usize, Vec<Facts>)>> {
    let (row, facts) = match rows.get(choice) {
        None => (choice - rows.len(), [GE, UP]),
        Some(Row { terms: [_, None, Some(_)] }) => (choice, [UP, GE]),
        Some(_) => (choice, [LO, LE]),
    };
    let open = known.get(row).is_some_and(|known| known & (facts[0] | facts[1]) == 0);
    ensure(open, "its row is not open for a choice here")?;
    held.budget.multiply(known.len() as u64, 1, 1)?;
    held.more(2, 16 * known.len() as u64)?;
    let mut both = [known.clone(), known];
    both.iter_mut().zip(facts).for_each(|(known, fact)| known[row] |= fact);
    Ok(children.into_iter().zip(both).collect())
}

/// The point, which solves the problem and has the facts; or the direction, of which the `last`
/// entry is 0.
fn member(
    rows: &[Row], vector: &impl Vector, last: u8, known: &[Facts], held: &mut Held<'_>,
) -> Checked<Vec<Rational>> {
    let z = vector.point(rows, last, held)?;
    ensure(z.len() == rows.len(), "z has not n entries")?;
    for (i, (row, known)) in rows.iter().zip(known).enumerate() {
        let entries = row.terms.iter().flatten().map(|term| term.entries.len() as u64 + 1);
        held.budget.multiply(4 * SHORT * entries.sum::<u64>(), 1, 1)?;
        row.check((&z, &last.into()), *known, held.budget).map_err(|no| no.at_row(i))?;
    }
    Ok(z)
}

/// Checks that at most one z has these facts. All terms of the form are at least 0 and their
/// sum is 0, so each is: w_i = 0 where v_i != 0, z_i = L_i where a_i != 0, z_i = U_i where
/// b_i != 0. The difference of two such z solves these equations without their constants,
/// and of full rank they leave only 0.
fn check_alone(rows: &[Row], y: &impl Vector, known: &[Facts], held: &mut Held<'_>) -> Checked {
    let (multipliers, constant) = form(rows, y, known, held)?;
    ensure(constant == 0, "the constant of the form is not 0")?;
    let n = rows.len();
    ensure(n <= MAX_ELIMINATION, "too many rows to eliminate exactly (limit 500)")?;
    held.more(3 * n as u64, 3 * 64 * (n * n + n) as u64)?;
    let mut equations = Vec::new();
    // First those of bounds: a number leaves one unknown in them.
    for (k, facts) in [(1, LO), (2, UP), (0, LE | GE)] {
        for (i, row) in rows.iter().enumerate() {
            let holds = known[i] & facts == facts || multipliers[i][k] != 0;
            let Some(term) = row.terms[k].as_ref().filter(|_| holds) else { continue };
            // The constant stands last, and is not looked at.
            let mut equation = vec![0; n + 1];
            held.budget.multiply(term.entries.len() as u64, term.longest, 64)?;
            term.entries.iter().for_each(|(j, value)| equation[*j] = residue(value));
            equations.push(equation);
        }
    }
    held.budget.multiply((equations.len() * n * n) as u64, 64, 64)?;
    ensure(is_full(equations, n), "the equations leave more than one point")
}
