//! Rest without contact forces: impulses at the start of each step.

use crate::body::Rate;
use crate::contact::Contact;
use crate::error::StepError;
use crate::geometry::Vec2;
use crate::model::Model;
use crate::piece::Given;
use crate::rows;
use crate::state::State;
use crate::tolerances::MOST_PARTS;

use super::Tools;
use super::piece::show;
use super::press::balance;
use super::resting::By;

/// Holds contacts that rest, without contact forces, over a step of h seconds, by impulses p = h f at its start:
///
/// > v = h A f + v(before) + a h/2 + e >= 0, f >= 0, f'v = 0.
///
/// Here a are the accelerations of the gaps by all other forces, and e opens gaps that are too small. So v is the mean
/// velocity over the step, and f the mean force. Collisions alone would follow each other ever faster, at ever smaller
/// gaps. Rest as a train of small collisions is B. Mirtich's (Impulse-based Dynamic Simulation of Rigid Body Systems,
/// 1996: microcollisions).
pub(super) fn hold(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    h: f64,
) -> Result<(), StepError> {
    let rates = model.forces.rates(model.bodies(state), state.time);
    // Bodies that part fast take part, so that no impulse drives them together again. Bodies that approach fast
    // collide, and do not.
    let meets = |(contact, own): (Contact, f64)| {
        let takes_part = contact.velocity > 0.0 || contact.rests_over(h, own);
        takes_part.then_some(contact)
    };
    let contacts = closing(model, state, &rates).filter_map(meets).collect();
    let before = model.bodies(state).kinetic_energy();
    let start = state.values();
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
    let pressed = Given::of(&[], state.pressed.clone().unwrap_or_default());
    let given = Given::default().plus(h, &pressed);
    show(model, state, tools, &start, (0.0, given));
    Ok(())
}

/// The part of h seconds that impulses can hold for, s: in it the velocities of gaps swing by no more than
/// [`Tolerances::swing`](crate::tolerances::Tolerances::swing). Bodies that whirl on short ropes need several parts a step.
pub(super) fn part(model: &Model, state: &State, h: f64) -> f64 {
    let rates = model.forces.rates(model.bodies(state), state.time);
    let rests = |(contact, own): &(Contact, f64)| contact.rests_over(h, *own);
    let own = closing(model, state, &rates)
        .filter(rests)
        .map(|(_, own)| own.abs());
    // A gap whose mean velocity is 0 goes from -a h/2 to a h/2.
    let swing = own.fold(0.0, f64::max) * h / 2.0;
    let parts = (swing / model.tolerances().swing()).ceil();
    // Velocities that are not finite are an error of the step itself, which finds them.
    if parts > 1.0 {
        h / parts.min(MOST_PARTS)
    } else {
        h
    }
}

/// The contacts that touch, each with the acceleration of its gap by all but contact forces, m/s^2.
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
