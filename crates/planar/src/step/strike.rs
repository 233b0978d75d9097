//! One blow of impulses at some contacts: the normal impulses that part the bodies, then those of friction.

use crate::error::StepError;
use crate::model::Model;
use crate::observe::{LcpKind, RowBound};
use crate::settings::FrictionModel;
use crate::state::State;

use super::Tools;
use super::blow::Blow;
use super::lcp::{boxed, coulomb, normal_bound, solve_lcp};

/// The impulses that turn the velocities v of some contacts into v - bounce v, or more where only a pull could do it.
/// Then those of friction.
pub(super) fn strike(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    blow: &mut Blow<'_>,
    members: &[usize],
    bounce: impl Fn(usize) -> f64,
) -> Result<(), StepError> {
    // Newton's law: b = (1 + e) v asks for A p + (1 + e) v = v(after) + e v >= 0.
    let b: Vec<f64> = members
        .iter()
        .map(|&i| blow.velocities[i] * bounce(i))
        .collect();
    let bound = |&i: &usize| normal_bound(&blow.contacts[i]);
    let bounds = members.iter().map(bound).collect();
    let smooth = blow.rows.lcp(LcpKind::Impulses, members, b, bounds);
    let found = solve_lcp(state, tools, smooth, state.time)?.f;
    tools.stepper.totals.impulses += 1;
    blow.add(members, &found);
    rub(model, state, tools, blow, members)
}

/// The impulses p of friction at some contacts, all found once more:
///
/// > v = A p + v(before), p_n >= what parted the bodies, |p_t| <= mu p_n.
///
/// Then no gap closes, and friction opposes the sliding that is left. The energy does not grow, since (p - p(so
/// far)).v <= 0 row by row.
fn rub(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    blow: &mut Blow<'_>,
    members: &[usize],
) -> Result<(), StepError> {
    let Blow { contacts, rows, .. } = &*blow;
    let normals: Vec<RowBound> = members.iter().map(|&i| blow.bound_so_far(i)).collect();
    // For each row of friction: the row, its contact, and the position of the contact's normal in the problem.
    let rubbing = rows.rubbing.iter().enumerate().filter_map(|(k, &i)| {
        // Only what the normal impulses have pressed can rub: a tangent whose normal has none would
        // be a row that is bounded by 0.
        let pressed = blow.impulses[i] > 0.0;
        let normal = members.iter().position(|&member| member == i && pressed)?;
        Some((rows.tangent(k), i, normal))
    });
    let rubbing: Vec<(usize, usize, usize)> = rubbing.collect();
    if rubbing.is_empty() {
        return Ok(());
    }
    let tangents = rubbing.iter().map(|(row, ..)| *row);
    let all: Vec<usize> = members.iter().copied().chain(tangents).collect();
    let b: Vec<f64> = all.iter().map(|&i| blow.before(i, &all)).collect();
    let rough = |friction: &dyn Fn(usize, usize) -> RowBound| {
        let tangents = rubbing.iter().map(|&(_, i, normal)| friction(i, normal));
        let bounds = normals.iter().copied().chain(tangents).collect();
        rows.lcp(LcpKind::Impulses, &all, b.clone(), bounds)
    };
    let mut found = None;
    if model.settings().friction == FrictionModel::Coulomb {
        let lcp = rough(&|i, normal| coulomb(&contacts[i], normal));
        let answer = solve_lcp(state, tools, lcp, state.time);
        found = answer.ok().filter(|answer| answer.moderate);
        tools.stepper.totals.jams += u64::from(found.is_none());
    }
    let found = match found {
        Some(answer) => answer.f,
        None => {
            // With boxes A is symmetric and semidefinite, and b is a velocity of the bodies: the
            // problem is convex and has a solution. By Coulomb's law there may be none within
            // reach.
            let in_box = rough(&|i, _| boxed(&contacts[i], blow.impulses[i]));
            solve_lcp(state, tools, in_box, state.time)?.f
        }
    };
    tools.stepper.totals.impulses += 1;
    let more: Vec<f64> = all
        .iter()
        .zip(&found)
        .map(|(&i, found)| found - blow.impulses[i])
        .collect();
    blow.add(&all, &more);
    Ok(())
}
