//! Covers: binary trees of facts that account for every solution. Each branch is one of the
//! disjunctions in the definition of a solution, so every solution reaches a leaf. A leaf that is
//! proved empty holds none; one that is a point holds that solution alone; on a face all that has
//! the facts is a solution. (`docs/certificates.md`, "Covers".)

use rug::Rational;

use crate::{Refusal, budget::*, classes::*, cone::*, ensure, form::*, mode::*, rank::*, rows::*};

/// The nodes where a contact is open and where it sticks, if these are named.
pub type Others = Option<[usize; 2]>;

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

/// A node to be looked at, the facts of the rows, and modes of contacts.
type Open = (usize, Vec<Facts>, Vec<(usize, Mode)>);

/// A child of a node, which is paid for.
fn kept(child: Open, parent: usize, held: &mut Held<'_>) -> Result<Open, Refusal> {
    ensure(child.0 > parent, "a child must come after its parent")?;
    held.more(1, 8 * child.1.len() as u64)?;
    held.more(4 * child.2.len() as u64, child.2.iter().map(|(_, mode)| mode.bits()).sum())?;
    Ok(child)
}

/// Checks a cover: a tree from node 0 that reaches each node once. Returns points that are alone in
/// their leaves, and vertices of faces.
pub(crate) fn check_cover(
    problem: &impl Problem, nodes: &[Node<impl Vector>], budget: &Budget,
) -> Result<[Vec<Vec<Rational>>; 2], Refusal> {
    let mut held = budget.hold(0, 0)?;
    let row = |i| Row::of(problem, i, &mut held).map_err(|no| no.at_row(i));
    let mut rows = (0..problem.n()).map(row).collect::<Result<Vec<_>, _>>()?;
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    // The law of a contact takes the place of bounds of its rows.
    let of_cones = rows.iter_mut().zip(&is_plain).filter(|(_, is_plain)| !**is_plain);
    of_cones.for_each(|(row, _)| row.terms[1..].fill_with(|| None));
    let (mut points, mut vertices, mut reached) = (vec![], vec![], vec![false; nodes.len()]);
    let start = |(row, is_plain): (&Row, &bool)| if *is_plain { row.start() } else { CONE };
    let start: Vec<_> = rows.iter().zip(&is_plain).map(start).collect();
    // The last mode that is named for a contact is its own.
    let mut stack: Vec<Open> = vec![(0, start, vec![])];
    while let Some((index, known, of_cones)) = stack.pop() {
        let visit = || {
            let node = nodes.get(index).ok_or(Refusal::new("there is no such node"))?;
            ensure(!reached[index], "two branches share a node")?;
            reached[index] = true;
            let mut own = budget.hold(0, 0)?;
            match node {
                Node::Branch(choice, children) => {
                    budget.multiply(known.len() as u64, 1, 1)?;
                    let (row, facts) = choose(&rows, *choice, &known)?;
                    for (child, fact) in children.iter().zip(facts) {
                        let mut known = known.clone();
                        known[row] |= fact;
                        stack.push(kept((*child, known, of_cones.clone()), index, &mut held)?);
                    }
                }
                Node::Contact(k, others, sectors) => {
                    let own = (index, known, of_cones);
                    stack.extend(contact(&cones, (*k, others, sectors), own, &mut held)?);
                }
                Node::Empty(y) => check_empty(&rows, &cones, y, (&known, &of_cones), &mut own)?,
                _ if !cones.is_empty() => {
                    ensure(false, "where there are friction cones, a cover has empty leaves only")?;
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
            Ok(())
        };
        visit().map_err(|no| Refusal { node: Some(index), ..no })?;
    }
    ensure(reached.into_iter().all(|reached| reached), "some nodes are not reached from node 0")?;
    Ok([points, vertices])
}

/// The children of a node that branches on a contact.
fn contact(
    cones: &[Cone], (k, others, sectors): (usize, &Others, &[(Direction, usize)]),
    (index, known, of_cones): Open, held: &mut Held<'_>,
) -> Result<Vec<Open>, Refusal> {
    let cone = cones.get(k).ok_or(Refusal::new("there is no such contact"))?;
    let (starts, nodes): (Vec<_>, Vec<_>) =
        sectors.iter().map(|(start, node)| (start, node)).unzip();
    let paid = Paid::of(held.budget);
    let modes = modes(cone, mode(&of_cones, k), others.is_some(), &starts, &paid)?;
    let nodes = others.iter().flatten().chain(nodes);
    let child = |(node, mode): (&usize, Mode)| {
        let of_cones = of_cones.iter().cloned().chain([(k, mode)]).collect();
        kept((*node, known.clone(), of_cones), index, held)
    };
    nodes.zip(modes).map(child).collect()
}

/// Checks that nobody is in a leaf.
fn check_empty(
    rows: &[Row], cones: &[Cone], y: &impl Vector, (known, of_cones): (&[Facts], &[(usize, Mode)]),
    held: &mut Held<'_>,
) -> Result<(), Refusal> {
    let form = form(rows, y, known, held)?;
    held.budget.multiply((cones.len() * (of_cones.len() + 1)) as u64, 1, 1)?;
    for (k, cone) in cones.iter().enumerate() {
        let paid = Paid::of(held.budget);
        let terms = own_terms(cone, &form, rows, &paid);
        check_term(cone, mode(of_cones, k), &terms, &paid)?;
    }
    ensure(form.constant < 0, "the constant of the form is not negative")
}

/// What is known of a contact.
fn mode(of_cones: &[(usize, Mode)], k: usize) -> &Mode {
    of_cones.iter().rev().find(|(own, _)| *own == k).map_or(&Mode::Any, |(_, mode)| mode)
}

/// The row of a choice that is open, and the two facts of which each solution has one.
fn choose(rows: &[Row], choice: usize, known: &[Facts]) -> Result<(usize, [Facts; 2]), Refusal> {
    let (row, facts) = match (choice.checked_sub(rows.len()), rows.get(choice)) {
        (Some(row), _) => (row, [GE, UP]),
        (_, Some(Row { terms: [_, None, Some(_)] })) => (choice, [UP, GE]),
        _ => (choice, [LO, LE]),
    };
    let open = known.get(row).is_some_and(|known| known & (facts[0] | facts[1] | CONE) == 0);
    ensure(open, "its row is not open for a choice here").map(|()| (row, facts))
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
    let Form { multipliers, constant, .. } = form(rows, y, known, held)?;
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
