//! Impulses that handle collisions: all at once, or one after the other.

use crate::contact::{Contact, by_joints};
use crate::error::StepError;
use crate::model::Model;
use crate::random::Random;
use crate::settings::CollisionHandling;
use crate::state::State;
use crate::tolerances::{ROUNDS, SERIAL_PATIENCE};

use super::Tools;
use super::blow::Blow;
use super::piece::show;
use super::strike::strike;

/// How serial handling proceeds.
#[derive(Clone, Copy)]
struct Manner {
    /// All collisions that approach at the bodies of the focus take part.
    hybrid: bool,
    /// The joints that are linked to the bodies of the focus take part, and do not bounce.
    grouped: bool,
    /// At the end all collisions are handled once more without bounce.
    last_pass: bool,
}

/// Applies impulses that separate the collisions. Returns whether any changed the velocity of its gap.
pub(super) fn handle(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    contacts: &[Contact],
) -> Result<bool, StepError> {
    use CollisionHandling::{
        Hybrid, SerialGrouped, SerialGroupedLastpass, SerialSeparate, SerialSeparateLastpass,
        Simultaneous,
    };
    let manner = match model.settings().collision_handling {
        Simultaneous => return simultaneous(model, state, tools, contacts),
        Hybrid => Manner {
            hybrid: true,
            grouped: true,
            last_pass: true,
        },
        SerialSeparate => Manner {
            hybrid: false,
            grouped: false,
            last_pass: false,
        },
        SerialGrouped => Manner {
            hybrid: false,
            grouped: true,
            last_pass: false,
        },
        SerialSeparateLastpass => Manner {
            hybrid: false,
            grouped: false,
            last_pass: true,
        },
        SerialGroupedLastpass => Manner {
            hybrid: false,
            grouped: true,
            last_pass: true,
        },
    };
    serial(model, state, tools, contacts, manner)
}

/// All collisions in one problem: velocities v become -e v at collisions, 0 at contacts and joints, or more where only a
/// pull could do it.
fn simultaneous(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    contacts: &[Contact],
) -> Result<bool, StepError> {
    let mut blow = Blow::new(contacts, model, state);
    let members: Vec<usize> = (0..contacts.len()).collect();
    let bounce = |i: usize| {
        // The velocity of what rests is what the last step left, and no approach to bounce from.
        if contacts[i].rests() {
            1.0
        } else {
            1.0 + contacts[i].elasticity
        }
    };
    strike(model, state, tools, &mut blow, &members, bounce)?;
    Ok(land(&blow, model, state, tools))
}

/// Applies the impulses of a blow, and shows it. Returns whether any changed the velocity of its gap.
fn land(blow: &Blow<'_>, model: &Model, state: &mut State, tools: &mut Tools<'_>) -> bool {
    if state.pressed.is_none() {
        return blow.apply(model, state);
    }
    let (start, given) = (state.values(), blow.given(model, state));
    let changed = blow.apply(model, state);
    show(model, state, tools, &start, (0.0, given));
    changed
}

/// One collision after the other in random order, as if they happened a little apart, until none approaches any more.
fn serial(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    contacts: &[Contact],
    manner: Manner,
) -> Result<bool, StepError> {
    let n = contacts.len();
    let mut blow = Blow::new(contacts, model, state);
    let (mut slow, mut patience) = (model.tolerances().separated(), SERIAL_PATIENCE * n);
    for round in 1..=ROUNDS {
        if round as usize > patience {
            slow *= 2.0;
            patience += SERIAL_PATIENCE * n;
        }
        let focus = focus(&mut state.random, contacts, &blow.velocities, slow);
        let (members, bounces) = match focus {
            None if !manner.last_pass => return Ok(land(&blow, model, state, tools)),
            // Nothing approaches any more: the last pass removes what is left below the limit, with e = 0.
            None => (vec![true; n], false),
            Some(focus) if manner.grouped => {
                let approaching = manner.hybrid.then_some((&*blow.velocities, -slow));
                (
                    by_joints(contacts, model.bodies(state), focus, approaching),
                    true,
                )
            }
            Some(focus) => ((0..n).map(|i| i == focus).collect(), true),
        };
        let members: Vec<usize> = (0..n).filter(|&i| members[i]).collect();
        let bounce = |i: usize| {
            let stiff = !bounces || manner.grouped && contacts[i].joint;
            if stiff {
                1.0
            } else {
                1.0 + contacts[i].elasticity
            }
        };
        strike(model, state, tools, &mut blow, &members, bounce)?;
        if focus.is_none() {
            return Ok(land(&blow, model, state, tools));
        }
    }
    Err(StepError::Endless {
        time: state.time,
        rounds: ROUNDS,
    })
}

/// The first collision, in random order, that still approaches, or joint that still moves.
fn focus(
    random: &mut Random,
    contacts: &[Contact],
    velocities: &[f64],
    slow: f64,
) -> Option<usize> {
    let order = random.shuffled(contacts.len());
    order
        .into_iter()
        .find(|&i| velocities[i] < -slow || contacts[i].joint && velocities[i] > slow)
}
