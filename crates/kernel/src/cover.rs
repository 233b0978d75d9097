//! Covers: binary trees of facts that account for every solution. Each branch is one of the
//! disjunctions in the definition of a solution, so every solution reaches a leaf. A leaf that is
//! proved empty holds none; one that is a point holds that solution alone; on a face all that has
//! the facts is a solution. (`docs/certificates.md`, "Covers".)

use rug::Rational;

use crate::{Refusal, budget::*, classes::*, ensure, form::*, rank::*, rows::*};

/// The nodes where a contact is open and where it sticks, if these are named.
pub type Others = Option<[usize; 2]>;

/// A direction of r in the plane of a disc: r_k / mu_k of its rows with mu_k > 0, in their order, and
/// 0 for rows that are not there.
pub type Direction = [Rational; 2];

/// A node of a cover.
#[derive(Debug, Clone)]
pub enum Node<V> {
    /// An index and two nodes with larger numbers, in one of which every solution is. Index i < n
    /// says that z_i = L_i, or w_i <= 0; with an upper bound only that z_i = U_i, or w_i >= 0.
    /// Index n + i says that w_i >= 0, or z_i = U_i.
    Branch(usize, [usize; 2]),
    /// A contact, by its number among the cones, and nodes with larger numbers, in one of which every
    /// solution is: where it is open and where it sticks, or neither in a sector; and where it slides in
    /// a sector that begins with a direction.
    Contact(usize, Others, Vec<(Direction, usize)>),
    /// Multipliers: nobody is here, because their form is negative and no term of it is.
    Empty(V),
    /// Multipliers and z: only z is here. The form is 0, so all its terms are 0, and these
    /// equations with those of the facts have rank n.
    Point(V, V),
    /// Points, at least one, and directions other than 0 in which one may go on for ever, of a node
    /// in which both disjunctions of every row are decided.
    Face(Vec<V>, Vec<V>),
}

/// Visits each node of a tree once, from node 0 on: `visit` is given what is known there, and says what
/// is known of which children.
pub(crate) fn walk<V, K>(
    nodes: &[Node<V>], known: K,
    mut visit: impl FnMut(&Node<V>, K) -> Result<Vec<(usize, K)>, Refusal>,
) -> Result<(), Refusal> {
    let (mut stack, mut reached) = (vec![(0, known)], vec![false; nodes.len()]);
    while let Some((index, known)) = stack.pop() {
        let step = || {
            let node = nodes.get(index).ok_or(Refusal::new("there is no such node"))?;
            ensure(!reached[index], "two branches share a node")?;
            reached[index] = true;
            let children = visit(node, known)?;
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
) -> Result<[Vec<Vec<Rational>>; 2], Refusal> {
    let mut held = budget.hold(0, 0)?;
    let rows = Row::all(problem, &mut held)?;
    let [mut points, mut vertices] = [vec![], vec![]];
    let visit = |node: &Node<_>, known: Vec<Facts>| {
        let mut own = budget.hold(0, 0)?;
        match node {
            Node::Branch(choice, children) => {
                return branch(&rows, *choice, *children, &known, &mut held);
            }
            Node::Contact(..) => return Err(Refusal::new("there is no such contact")),
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
    walk(nodes, rows.iter().map(Row::start).collect(), visit)?;
    Ok([points, vertices])
}

/// The children of a branch, with the facts of their rows. A choice is of a row that is open, and of
/// the two facts of it each solution has one.
pub(crate) fn branch(
    rows: &[Row], choice: usize, children: [usize; 2], known: &[Facts], held: &mut Held<'_>,
) -> Result<Vec<(usize, Vec<Facts>)>, Refusal> {
    let (row, facts) = match (choice.checked_sub(rows.len()), rows.get(choice)) {
        (Some(row), _) => (row, [GE, UP]),
        (_, Some(Row { terms: [_, None, Some(_)] })) => (choice, [UP, GE]),
        _ => (choice, [LO, LE]),
    };
    let open = known.get(row).is_some_and(|known| known & (facts[0] | facts[1]) == 0);
    ensure(open, "its row is not open for a choice here")?;
    held.budget.multiply(known.len() as u64, 1, 1)?;
    held.more(2, 16 * known.len() as u64)?;
    let child = |(child, fact)| {
        let mut known = known.to_vec();
        known[row] |= fact;
        (child, known)
    };
    Ok(children.into_iter().zip(facts).map(child).collect())
}

/// The point, which solves the problem and has the facts; or the direction, of which the `last`
/// entry is 0.
fn member(
    rows: &[Row], vector: &impl Vector, last: u32, known: &[Facts], held: &mut Held<'_>,
) -> Result<Vec<Rational>, Refusal> {
    let z = vector.point(rows, last, held)?;
    ensure(z.len() == rows.len(), "z has not n entries")?;
    for (i, (row, known)) in rows.iter().zip(known).enumerate() {
        let entries = row.terms.iter().flatten().map(|term| term.entries.len() as u64 + 1);
        held.budget.multiply(4 * SHORT * entries.sum::<u64>(), 1, 1)?;
        row.check(&z, last, *known, held.budget).map_err(|no| no.at_row(i))?;
    }
    Ok(z)
}

/// Checks that at most one z has these facts. All terms of the form are at least 0 and their
/// sum is 0, so each is: w_i = 0 where v_i != 0, z_i = L_i where a_i != 0, z_i = U_i where
/// b_i != 0. The difference of two such z solves these equations without their constants,
/// and of full rank they leave only 0.
fn check_alone(
    rows: &[Row], y: &impl Vector, known: &[Facts], held: &mut Held<'_>,
) -> Result<(), Refusal> {
    let (multipliers, constant) = form(rows, y, known, held)?;
    ensure(constant == 0, "the constant of the form is not 0")?;
    let n = check_size(rows.len())?;
    held.more(3 * n as u64, 3 * 64 * (n * n) as u64)?;
    let mut equations = Vec::new();
    // First those of bounds: a number leaves one unknown in them.
    for (k, facts) in [(1, LO), (2, UP), (0, LE | GE)] {
        for (i, row) in rows.iter().enumerate() {
            let holds = known[i] & facts == facts || multipliers[i][k] != 0;
            let Some(term) = row.terms[k].as_ref().filter(|_| holds) else { continue };
            let mut equation = vec![0; n];
            for (j, value) in term.entries.iter().filter(|(j, _)| *j < n) {
                held.budget.multiply(1, bits(value), 64)?;
                equation[*j] = residue(value);
            }
            equations.push(equation);
        }
    }
    held.budget.multiply((equations.len() * n * n) as u64, 64, 64)?;
    ensure(is_full(equations, n), "the equations leave more than one point")
}
