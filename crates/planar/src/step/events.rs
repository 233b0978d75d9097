//! The events of a step: a try ahead, the way back from a collision, and its handling.

use crate::accounts::Accounts;
use crate::contact::Contact;
use crate::error::StepError;
use crate::model::Model;
use crate::state::{State, Values};

use super::Tools;
use super::impulse::handle;
use super::motion::{Halt, integrate};
use super::progress::{Progress, Summary};

/// Moves the bodies ahead, and looks for collisions: in the states that the integrator tries, and at the end.
pub(super) fn attempt(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    progress: &mut Progress,
) -> Result<(), StepError> {
    for motion in &mut state.motions {
        motion.old = Some(motion.pose);
    }
    tools.stepper.totals.steps += 1;
    progress.contacts.clear();
    match integrate(model, state, tools, progress.next) {
        Ok(()) => model.find(state, &mut progress.contacts, state.time),
        Err(Halt::Collisions(contacts)) => progress.contacts = contacts,
        Err(Halt::Error(error)) => return Err(error),
    }
    // The order of handling depends on this order. Estimates within one moment are equal, so that rounding does not decide.
    let moment = model.tolerances().moment();
    let key = |contact: &Contact| {
        contact
            .estimate
            .map_or(f64::INFINITY, |t| (t / moment + 0.5).floor())
    };
    progress.contacts.sort_by(|a, b| key(a).total_cmp(&key(b)));
    for contact in &mut progress.contacts {
        contact.must_handle = contact.collides();
    }
    progress.summary = Summary::of(&progress.contacts);
    Ok(())
}

/// Goes back to the start of the try: its values, time and accounts of work. Contacts that collide stay known, with the place
/// and velocity that they have there.
pub(super) fn go_back(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    progress: &mut Progress,
    (values, time, accounts): (Values, f64, Accounts),
) {
    state.set_values(&values);
    state.time = time;
    state.accounts = accounts;
    for motion in &mut state.motions {
        motion.old = None;
    }
    tools.stepper.totals.backups += 1;
    progress.contacts.retain(Contact::collides);
    update(model, state, &mut progress.contacts);
    model.find(state, &mut progress.contacts, time);
    progress.summary = Summary::of(&progress.contacts);
}

/// Handles `close` collisions, together with everything that touches.
pub(super) fn collide(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    progress: &mut Progress,
    close: usize,
) -> Result<(), StepError> {
    let contacts = std::mem::take(&mut progress.contacts);
    let (contacts, distant): (Vec<_>, Vec<_>) = contacts.into_iter().partition(Contact::touches);
    progress.contacts = contacts;
    if handle(model, state, tools, &progress.contacts)? {
        update(model, state, &mut progress.contacts);
        let totals = &mut tools.stepper.totals;
        totals.searches += u64::from(progress.bisecting);
        totals.collisions += close as u64;
        // A collision that comes back however often it is handled is not at the estimated time. Corners that slip past each
        // other do this.
        progress.bisecting &= progress.comes_back();
        progress.tries_of_length = 0;
        progress.handled = true;
    } else {
        // No contact approaches yet; nearer to the collision one will.
        progress.bisecting = true;
    }
    progress.estimate = None;
    progress.summary = Summary::of(&distant);
    Ok(())
}

/// Moves contacts to where the bodies are now.
fn update(model: &Model, state: &State, contacts: &mut [Contact]) {
    let (bodies, locator) = (model.bodies(state), model.locator());
    for contact in contacts {
        contact.update(bodies, &locator, state.time);
    }
}
