//! All contacts at once with the circular cone: clamp everything, solve, and let what breaks its
//! condition change sets. Contacts that slip turn their friction against the acceleration.

use super::path::{Drive, Path, State, TINY, dot, length};
use crate::formulation::Formulation;
use crate::static_friction::exchange::Exchange;
use crate::static_friction::{StaticFailure, Work};

pub fn run(
    formulation: &Formulation<f64>,
    limit: u64,
    work: &mut Work,
) -> Result<Vec<f64>, StaticFailure> {
    let mut path = Path::new(formulation, State::Stick);
    let mut exchange = Exchange::new();
    loop {
        work.steps += 1;
        let mut f = path.f.clone();
        for (k, cone) in path.cones.iter().enumerate() {
            if path.state[k] == State::Open {
                f[cone.normal] = 0.0;
                cone.tangents.into_iter().flatten().for_each(|t| f[t] = 0.0);
            }
        }
        path.f = f;
        solve(&mut path)?;
        let broken = broken(&path);
        if broken.is_empty() {
            return Ok(path.f);
        }
        if work.steps >= limit {
            return Err(StaticFailure::Limit { steps: limit });
        }
        let count = exchange.count(broken.len(), &path.state);
        let count = count.ok_or(StaticFailure::Cycle { steps: work.steps })?;
        for (k, to) in broken.into_iter().take(count) {
            change(&mut path, k, to);
        }
    }
}

/// How often directions of slip are held in turn where Newton's method does not get on.
const TURNS: u32 = 12;

/// The forces of the sets: by Newton's method, and where that does not get on with directions of slip
/// that are held, and then turned against the acceleration.
fn solve(path: &mut Path<'_>) -> Result<(), StaticFailure> {
    let mut f = path.f.clone();
    if path.correct(Drive::None, 0.0, &mut f) {
        path.f = f;
        return Ok(());
    }
    let unit = |v: [f64; 2]| v.map(|x| x / length(v));
    let mut solved = false;
    for turn in 0..TURNS {
        let a = path.accelerations(&path.f);
        for k in 0..path.cones.len() {
            let (friction, slide) = (path.friction(k, &path.f), path.friction(k, &a));
            let moves = length(slide) > TINY * path.scale;
            path.held[k] = match (path.state[k], turn, moves) {
                (State::Slip, 1.., true) => Some(unit(slide).map(|u| -u)),
                (State::Slip, ..) if length(friction) > 0.0 => Some(unit(friction)),
                _ => None,
            };
        }
        let mut f = path.f.clone();
        let fits = path.newton(Drive::None, 0.0, &mut f);
        path.held.fill(None);
        if !fits {
            break;
        }
        solved = true;
        path.f = f;
        let mut f = path.f.clone();
        if path.correct(Drive::None, 0.0, &mut f) {
            path.f = f;
            return Ok(());
        }
    }
    if solved {
        Ok(())
    } else {
        Err(StaticFailure::Singular)
    }
}

/// The contacts whose conditions are broken, and what they do instead.
fn broken(path: &Path<'_>) -> Vec<(usize, State)> {
    let a = path.accelerations(&path.f);
    let (force, acceleration) = (TINY * 100.0 * path.force(), TINY * 100.0 * path.scale);
    let changed = |k: usize| {
        let cone = &path.cones[k];
        let (f, slide) = (path.friction(k, &path.f), path.friction(k, &a));
        let normal = path.f[cone.normal];
        let to = match path.state[k] {
            State::Open => (a[cone.normal] < -acceleration).then_some(State::Stick),
            _ if normal < -force => Some(State::Open),
            State::Stick if cone.tangents.is_some() => {
                (length(f) > cone.mu * normal + force).then_some(State::Slip)
            }
            State::Slip => (dot(f, slide) > force * acceleration).then_some(State::Stick),
            _ => None,
        };
        to.map(|to| (k, to))
    };
    (0..path.cones.len()).filter_map(changed).collect()
}

fn change(path: &mut Path<'_>, k: usize, to: State) {
    path.state[k] = to;
    let cone = &path.cones[k];
    if to != State::Slip {
        return;
    }
    // Newton's method starts from friction cut off at its limit.
    let Some(tangents) = cone.tangents else {
        return;
    };
    let factor = cone.mu * path.f[cone.normal].max(0.0) / length(path.friction(k, &path.f));
    for t in tangents {
        path.f[t] *= factor;
    }
}
