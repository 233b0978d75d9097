//! One step of time: ahead, back to just before a collision, its impulses, and on.
//!
//! A try moves the bodies by the whole rest of the step. If any overlap then, the world goes back to
//! where it was. The time of the collision is when the gap is half the distance tolerance. It is
//! estimated from both states, under constant acceleration, or searched for by bisection where
//! estimates fail. Near that gap impulses handle the collision, together with everything that
//! touches. Without contact forces a step begins with the impulses that hold what rests.

use crate::contact::Contact;
use crate::error::StepError;
use crate::model::Model;
use crate::state::State;
use crate::tolerances::{ESTIMATES, MOST_TRIES, TRIES};

use super::Tools;
use super::events::{attempt, collide, go_back};
use super::hold::{hold, part};
use super::impulse::handle;
use super::piece::show;
use super::progress::Progress;

/// Goes ahead by `duration` seconds.
pub(super) fn advance(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    duration: f64,
) -> Result<(), StepError> {
    let (mut left, mut tries) = (duration, 0);
    let nothing = model.tolerances().no_time();
    while left > nothing {
        left -= advance_part(model, state, tools, left, &mut tries)?;
    }
    Ok(())
}

/// Goes ahead by `duration` seconds, or by the part of it that impulses can hold for. Returns that part, s.
fn advance_part(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    duration: f64,
    tries: &mut u32,
) -> Result<f64, StepError> {
    let nothing = model.tolerances().no_time();
    let mut progress = Progress::new(duration);
    if !model.settings().contact_forces {
        hold_on(model, state, tools, &mut progress)?;
        progress.next = progress.total;
    }
    while progress.left() > nothing {
        *tries += 1;
        if *tries > MOST_TRIES {
            return Err(StepError::Stuck {
                time: state.time,
                tries: MOST_TRIES,
            });
        }
        go_on(model, state, tools, &mut progress)?;
    }
    let straighten = model.settings().joint_impulses && !progress.handled;
    if straighten && progress.summary.joints > 0 {
        progress.contacts.retain(Contact::touches);
        if !progress.contacts.is_empty() {
            handle(model, state, tools, &progress.contacts)?;
        }
    }
    Ok(progress.total)
}

/// Holds what touches by impulses for the rest of the step, or for the part of it that they can hold for: the step
/// then ends there.
fn hold_on(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    progress: &mut Progress,
) -> Result<(), StepError> {
    let part = part(model, state, progress.left());
    progress.total = progress.done + part;
    hold(model, state, tools, part)
}

/// One try: ahead, back where bodies collide, impulses where they are near enough, and the length of the next try.
fn go_on(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    progress: &mut Progress,
) -> Result<(), StepError> {
    let start = (state.values(), state.time, state.accounts);
    attempt(model, state, tools, progress)?;
    let went_back = progress.summary.needs_handling > 0;
    if went_back {
        go_back(model, state, tools, progress, start.clone());
        progress.stuck += 1;
        if progress.stuck >= ESTIMATES {
            // An estimate takes the acceleration to be constant. Halving takes nothing for granted.
            progress.bisecting = true;
        }
        if progress.stuck >= TRIES {
            return Err(StepError::Stuck {
                time: state.time,
                tries: TRIES,
            });
        }
    }
    let is_close = |contact: &&Contact| contact.is_imminent() && contact.close_enough(went_back);
    let close = progress.contacts.iter().filter(is_close).count();
    if !went_back {
        let given = std::mem::take(&mut state.given);
        show(model, state, tools, &start.0, (state.time - start.1, given));
    }
    if close > 0 {
        collide(model, state, tools, progress, close)?;
    }
    if !went_back {
        progress.arrived(model.tolerances().moment());
    }
    // Impulses hold what touches for the rest of the step where no forces keep gaps open, or where collisions come back.
    let held = close > 0 && !model.settings().contact_forces;
    let comes_back = went_back && progress.comes_back();
    if (held || comes_back) && progress.left() > model.tolerances().no_time() {
        hold_on(model, state, tools, progress)?;
    }
    progress.choose_next(state.time, went_back);
    Ok(())
}
