//! The forces of contacts that rest.

use crate::body::Rate;
use crate::contact::{Contact, groups};
use crate::error::StepError;
use crate::forces::apply;
use crate::geometry::Vec2;
use crate::model::Model;
use crate::piece::PieceContact;
use crate::settings::FrictionModel;
use crate::slip;
use crate::snapshot::ContactForce;
use crate::solve::Answer;
use crate::state::State;

use super::Tools;
use super::asked::Asked;
use super::lcp::{Rows, boxed, coulomb, solve_lcp};
use super::resting::{By, Resting};

/// Finds the forces of contacts that rest, and adds the accelerations that they make to the rates of the bodies.
pub(super) fn press(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    mut contacts: Vec<Contact>,
    rates: &mut [Rate],
    time: f64,
) -> Result<(), StepError> {
    contacts.retain(Contact::rests);
    let outer = rates.to_vec();
    balance(
        model,
        state,
        tools,
        contacts,
        By::Forces,
        (&outer, rates),
        time,
    )
}

/// Finds the forces at `contacts`, one problem for each group, for rates `outer` of the bodies by all other forces.
/// Keeps them to be seen, and adds the accelerations that they make to `pushed`.
pub(super) fn balance(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    contacts: Vec<Contact>,
    by: By,
    (outer, pushed): (&[Rate], &mut [Rate]),
    time: f64,
) -> Result<(), StepError> {
    state.contact_forces.clear();
    if let Some(pressed) = &mut state.pressed {
        pressed.clear();
    }
    for group in groups(contacts, model.bodies(state)) {
        let resting = Resting {
            rows: Rows::of(&group, model, state),
            contacts: &group,
            by,
        };
        let f = forces(model, state, tools, &resting, outer, time)?;
        act(model, state, &resting, &f, pushed);
    }
    Ok(())
}

/// The forces of all rows. Bodies that are held from all sides may be unable to do what is asked of them, and then the
/// forces are huge. In that case less is asked. Strong friction can also jam bodies, so that rounding leaves no
/// moderate forces by Coulomb's law. Then the law of the box is taken. Where nothing helps, the smallest forces are taken.
fn forces(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    resting: &Resting<'_>,
    rates: &[Rate],
    time: f64,
) -> Result<Vec<f64>, StepError> {
    let law = if resting.rows.rubbing.is_empty() {
        FrictionModel::None
    } else {
        model.settings().friction
    };
    let all = resting.asked(Asked::All, model, state, rates);
    let stop = resting.asked(Asked::Stop, model, state, rates);
    // `moderate` looks at the sizes of forces, `throws` at the energy that they add to the mean motion.
    let fits = |answer: &Answer| answer.moderate && !resting.throws(&answer.f, &stop, model);
    let mut best = by_law(state, tools, law, resting, &all, time);
    if best.as_ref().is_ok_and(fits) {
        return best.map(Answer::acting);
    }
    tools.stepper.totals.jams += 1;
    let possible = resting.asked(Asked::Possible, model, state, rates);
    let in_box = (law == FrictionModel::Coulomb).then_some(FrictionModel::Box);
    for law in [Some(law), in_box].into_iter().flatten() {
        let other = by_law(state, tools, law, resting, &possible, time);
        best = match (best, other) {
            (_, Ok(other)) if fits(&other) => return Ok(other.acting()),
            // None fits: the smallest forces do the least harm.
            (Ok(best), Ok(other)) if best.largest() <= other.largest() => Ok(best),
            (_, Ok(other)) => Ok(other),
            (best, Err(_)) => best,
        };
    }
    best.map(Answer::acting)
}

/// The forces of all rows by one law of friction, for one b.
fn by_law(
    state: &mut State,
    tools: &mut Tools<'_>,
    law: FrictionModel,
    resting: &Resting<'_>,
    b: &[f64],
    time: f64,
) -> Result<Answer, StepError> {
    let contacts = resting.contacts;
    if law == FrictionModel::Coulomb {
        let lcp = resting.lcp(b, contacts.iter().enumerate().map(|(i, c)| coulomb(c, i)));
        return solve_lcp(state, tools, lcp, time);
    }
    // The box is mu times the normal forces without friction. So no row bounds another, and A stays
    // symmetric.
    let smooth = &b[..contacts.len()];
    let smooth = resting.lcp(smooth, std::iter::empty());
    let smooth = solve_lcp(state, tools, smooth, time)?;
    if law == FrictionModel::None {
        return Ok(smooth);
    }
    let lcp = resting.lcp(b, contacts.iter().zip(&smooth.f).map(|(c, f)| boxed(c, *f)));
    solve_lcp(state, tools, lcp, time)
}

/// Adds the accelerations that forces f make to the rates, and keeps the forces to be seen.
fn act(model: &Model, state: &mut State, resting: &Resting<'_>, f: &[f64], rates: &mut [Rate]) {
    let Resting { contacts, rows, .. } = resting;
    let mut friction = vec![0.0; contacts.len()];
    for (k, &i) in rows.rubbing.iter().enumerate() {
        friction[i] = f[rows.tangent(k)];
    }
    let mut seen = std::mem::take(&mut state.contact_forces);
    let mut pressed = state.pressed.take();
    let [mut along, mut across] = state.pressing;
    let bodies = model.bodies(state);
    let power = |body: usize, force: Vec2, at: Vec2| {
        let own = bodies.at(body);
        force.dot(&own.velocity_at(at - own.motion.position))
    };
    for ((contact, &f), friction) in contacts.iter().zip(f).zip(friction) {
        let mut push = |body: usize, force: Vec2, at: Vec2| apply(rates, bodies, body, force, at);
        let force = contact.normal * f;
        push(contact.first, force, contact.point);
        push(contact.second, -force, contact.second_point());
        along += power(contact.first, force, contact.point)
            + power(contact.second, -force, contact.second_point());
        if friction != 0.0 {
            let force = slip::tangent(contact) * friction;
            across += power(contact.first, force, contact.point)
                + power(contact.second, -force, contact.point);
            push(contact.first, force, contact.point);
            push(contact.second, -force, contact.point);
        }
        if let Some(pressed) = &mut pressed {
            pressed.push(PieceContact::of(contact, bodies, f, friction));
        }
        seen.push(ContactForce {
            first: contact.first,
            second: contact.second,
            point: contact.point.into(),
            normal: contact.normal.into(),
            force: f,
            friction,
            distance: contact.distance,
            joint: contact.joint,
        });
    }
    state.contact_forces = seen;
    state.pressed = pressed;
    state.pressing = [along, across];
}
