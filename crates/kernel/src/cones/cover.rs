//! Covers where there are friction cones: nodes branch on modes of contacts, too, and all leaves are
//! empty. In a form the force of a contact stands as an expression of its own, z_i less 0.

use rug::{Integer, Rational};

use super::{known::*, read::*};
use crate::{Checked, Refusal, budget::*, cone::*, cover::*, ensure, exact::*, form::*, rows::*};

/// The nodes where a contact is open and where it sticks, if these are named.
pub type Others = Option<[usize; 2]>;

/// A node of a cover where there are friction cones.
#[derive(Debug, Clone)]
pub enum ConeNode<V> {
    /// As [`Node::Branch`], of a row in no cone.
    Branch(usize, [usize; 2]),
    /// A contact, by its number among the cones, and nodes with larger numbers, in one of which every
    /// solution is: where it is open and where it sticks, or neither in a sector; and where it slides in
    /// a sector that begins with a direction.
    Contact(usize, Others, Vec<(Direction, usize)>),
    /// As [`Node::Empty`].
    Empty(V),
}

/// What is known of a row of a cone: nothing by which a sign could be wrong. Its contact's mode decides.
const ANY: Facts = LO | LE | UP | GE;

/// Checks a cover with empty leaves only, which proves that there is no solution.
///
/// # Errors
/// The node and what does not hold there; the budget.
pub(crate) fn check_cone_cover(
    problem: &impl Problem, nodes: &[ConeNode<impl Vector>], budget: &Budget,
) -> Checked {
    let mut held = budget.hold(0, 0)?;
    let (mut rows, (cones, is_plain)) =
        (Row::all(problem, &mut held)?, cones_of(problem, &mut held)?);
    let mut known: Vec<_> = rows.iter().map(Row::start).collect();
    // The law of a contact takes the place of bounds of its rows.
    for i in (0..rows.len()).filter(|&i| !is_plain[i]) {
        let force = Exact::new([(i, Rational::from(1))].into_iter(), &mut held)?;
        (rows[i].terms[1], rows[i].terms[2], known[i]) = (Some(force), None, ANY);
    }
    walk(nodes.len(), (known, vec![]), |index, (known, modes)| match &nodes[index] {
        ConeNode::Branch(choice, children) => {
            let children = branch(&rows, *choice, *children, known, &mut held)?.into_iter();
            let children = children.map(|(child, known)| (child, (known, modes.clone())));
            paid_for(children.collect(), &mut held)
        }
        ConeNode::Contact(k, others, sectors) => {
            let cone = cones.get(*k).ok_or(Refusal::new("there is no such contact"))?;
            let starts: Vec<_> = sectors.iter().map(|(start, _)| start).collect();
            let paid = Paid::of(budget);
            let found = split(cone, mode(&modes, *k), others.is_some(), &starts, &paid)?;
            let nodes = others.iter().flatten().chain(sectors.iter().map(|(_, node)| node));
            let child = |(node, own): (&usize, Known)| {
                (*node, (known.clone(), [&modes[..], &[(*k, own)]].concat()))
            };
            paid_for(nodes.zip(found).map(child).collect(), &mut held)
        }
        ConeNode::Empty(y) => {
            let (multipliers, constant) = form(&rows, y, &known, &mut budget.hold(0, 0)?)?;
            ensure(constant < 0, "the constant of the form is not negative")?;
            budget.multiply((cones.len() * (modes.len() + 1)) as u64, 1, 1)?;
            for (k, cone) in cones.iter().enumerate() {
                let paid = Paid::of(budget);
                // A row is an integer times w_i.
                let own = |i: usize| {
                    let scale = rows[i].terms[0].as_ref().map(|own| &own.denominator);
                    let [v, c, _] = &multipliers[i];
                    let scale = Rational::from(scale.unwrap_or(&Integer::ZERO));
                    [paid.product(&Rational::from(v), &scale), Rational::from(c)]
                };
                let own: Vec<_> = cone.rows().map(own).collect();
                check_term(cone, mode(&modes, k), &own, &paid)?;
            }
            Ok(vec![])
        }
    })
}

/// What is known at a node: facts of rows, and modes of contacts, of which the last is a contact's own.
type Here = (Vec<Facts>, Vec<(usize, Known)>);

/// Children with what is known of them, held.
fn paid_for(children: Vec<(usize, Here)>, held: &mut Held<'_>) -> Checked<Vec<(usize, Here)>> {
    for (_, (known, modes)) in &children {
        held.more(1, 8 * known.len() as u64)?;
        held.more(4 * modes.len() as u64, modes.iter().map(|(_, mode)| mode.bits()).sum())?;
    }
    Ok(children)
}

/// What is known of a contact.
fn mode(modes: &[(usize, Known)], k: usize) -> &Known {
    modes.iter().rev().find(|(own, _)| *own == k).map_or(&Known::Any, |(_, mode)| mode)
}
