//! Rest without contact forces: impulses at the start of each step.

use crate::body::Rate;
use crate::contact::Contact;
use crate::error::StepError;
use crate::geometry::Vec2;
use crate::model::Model;
use crate::rows;
use crate::state::State;
use crate::tolerances::MOST_PARTS;

use super::Tools;
use super::press::balance;
use super::resting::By;

/// Holds contacts that rest, where there are no contact forces, over a step of h seconds by impulses p = h f at its
/// start: with a for the accelerations of the gaps by all that else moves the bodies, and e for what opens those that
/// are too small,
///
/// > v = h A f + v(before) + a h/2 + e >= 0, f >= 0, f'v = 0,
///
/// where v is the mean velocity over the step, so that f is the mean force. Collisions alone would follow each other
/// ever faster, at ever smaller gaps. Rest as a train of small ones: B. Mirtich, Impulse-based Dynamic Simulation of
/// Rigid Body Systems (1996), microcollisions.
pub(super) fn hold(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    h: f64,
) -> Result<(), StepError> {
    let rates = model.forces.rates(model.bodies(state));
    // What is fast on its way apart must not be driven together again; what is fast on its way together collides.
    let meets = |(contact, own): (Contact, f64)| {
        let takes_part = contact.velocity > 0.0 || contact.rests_over(h, own);
        takes_part.then_some(contact)
    };
    let contacts = closing(model, state, &rates).filter_map(meets).collect();
    let before = model.bodies(state).kinetic_energy();
    let by = By::Impulses { h };
    let mut pushed = vec![(Vec2::zeros(), 0.0); model.solids.len()];
    let time = state.time;
    balance(
        model,
        state,
        tools,
        contacts,
        by,
        (&rates, &mut pushed),
        time,
    )?;
    for (motion, (linear, angular)) in state.motions.iter_mut().zip(pushed) {
        motion.velocity += linear * h;
        motion.spin += angular * h;
    }
    state.lost += before - model.bodies(state).kinetic_energy();
    Ok(())
}

/// The part of h seconds that impulses can hold for, so that the velocities of gaps swing by little beside the velocity
/// tolerance: bodies that whirl on short ropes need several.
pub(super) fn part(model: &Model, state: &State, h: f64) -> f64 {
    let rates = model.forces.rates(model.bodies(state));
    let rests = |(contact, own): &(Contact, f64)| contact.rests_over(h, *own);
    let own = closing(model, state, &rates)
        .filter(rests)
        .map(|(_, own)| own.abs());
    let swing = own.fold(0.0, f64::max) * h / 2.0;
    let parts = (swing / model.tolerances().swing()).ceil();
    // What is not finite is found by the step itself.
    if parts > 1.0 {
        h / parts.min(MOST_PARTS)
    } else {
        h
    }
}

/// What touches, with the acceleration of its gap by all but contact forces.
fn closing(model: &Model, state: &State, rates: &[Rate]) -> impl Iterator<Item = (Contact, f64)> {
    let mut contacts = Vec::new();
    model.find(state, &mut contacts, state.time);
    let term = model.settings().curve_term;
    contacts
        .into_iter()
        .filter(Contact::touches)
        .map(move |contact| {
            let own = rows::gap_acceleration(&contact, model.bodies(state), rates, term);
            (contact, own)
        })
}
