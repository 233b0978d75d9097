//! The search for an impulse that stops a contact.

use etalon_rigid::{Covector, Scalar, System, in_circular_cone};

use super::report::ray_impulses;
use super::{ForceRay, StoppingImpulse};
use crate::formulation::{ContactMotion, Formulation, RowKind};
use crate::impulse::contact_work;

/// Sliding contacts on which the ray presses, with their tangential velocities and how the ray
/// changes them.
fn pressed<S: Scalar>(formulation: &Formulation<S>, z: &[S]) -> Vec<(usize, Vec<S>, Vec<S>)> {
    let system = formulation.system();
    let zero = vec![S::zero(); system.dofs()];
    let start = System {
        velocity: zero.clone(),
        ..system.clone()
    };
    let change = start.velocity_after(formulation.columns().iter().zip(z));
    let pressed = |row: (&RowKind, &S)| match *row.0 {
        RowKind::Normal(i) if row.1.signum() > 0 => Some(i),
        _ => None,
    };
    let contacts = formulation.rows().iter().zip(z).filter_map(pressed);
    let sliding =
        contacts.filter(|&i| matches!(formulation.motions()[i], ContactMotion::Sliding(_)));
    sliding
        .map(|i| {
            let contact = &system.contacts[i];
            let velocity = contact.tangential_velocity(&system.velocity);
            let rates = contact.tangents.iter().map(|t| t.row.times(&change));
            (i, velocity, rates.collect())
        })
        .collect()
}

/// k > 0 with velocity + k rate = 0, coordinate by coordinate.
fn cancelling<S: Scalar>(velocity: &[S], rate: &[S]) -> Vec<Option<S>> {
    let pairs = velocity.iter().zip(rate);
    let one = |(v, r): (&S, &S)| match (v.is_zero(), r.is_zero()) {
        (_, true) => None,
        (true, false) => Some(S::zero()),
        _ => {
            let k = -(v.clone() / r);
            (k.signum() > 0).then_some(k)
        }
    };
    pairs.map(one).collect()
}

pub(super) fn stopping_impulse<S: Scalar>(
    formulation: &Formulation<S>,
    ray: Option<&ForceRay<S>>,
) -> Option<StoppingImpulse<S>> {
    let z = ray.map_or(&[][..], |ray| &ray.z);
    let pressed = pressed(formulation, z);
    let stops = |(_, velocity, rate): &(usize, Vec<S>, Vec<S>)| {
        let k = cancelling(velocity, rate)
            .into_iter()
            .flatten()
            .max_by(compare)?;
        // In space one k has to stop both coordinates: a k that stops one alone leaves the contact
        // sliding.
        let cancels = |(v, r): (&S, &S)| (k.clone() * r + v).is_negligible(&v.abs());
        velocity.iter().zip(rate).all(cancels).then_some(k)
    };
    let system = formulation.system();
    // The least k: a longer way along the ray would set a contact in motion that has stopped.
    if let Some(k) = pressed.iter().filter_map(stops).min_by(compare) {
        let impulses: Vec<S> = z.iter().map(|z| z.clone() * &k).collect();
        let velocity = system.velocity_after(formulation.columns().iter().zip(&impulses));
        if !gains(system, &ray_impulses(formulation, &impulses), &velocity) {
            return Some(StoppingImpulse::Ray { k, velocity });
        }
    }
    let sliding = (0..system.contacts.len())
        .filter(|&i| matches!(formulation.motions()[i], ContactMotion::Sliding(_)));
    let mut candidates: Vec<usize> = pressed.iter().map(|(i, ..)| *i).collect();
    // Contacts on which the ray presses come first: they are those that the inconsistency is about.
    candidates.extend(
        sliding
            .filter(|i| !candidates.contains(i))
            .collect::<Vec<_>>(),
    );
    let cancelling = pressed.iter().map(|(i, v, r)| (*i, cancelling(v, r)));
    let cancelling: Vec<_> = cancelling.collect();
    candidates.into_iter().find_map(|contact| {
        let (impulse, velocity) = bring_to_rest(system, contact)?;
        Some(StoppingImpulse::Consistency {
            contact,
            impulse,
            cancelling: cancelling.clone(),
            velocity,
        })
    })
}

/// Whether the kinetic energy of the motion relative to obstacles rises: whether impulses at contacts do work on it. In space
/// the multiple of a ray that stops one contact may drive another, which none would stop, faster than it slid before; in the
/// plane that one stops first. The kinetic energy in the world would depend on its frame: obstacles that move do work, too.
fn gains<S: Scalar>(system: &System<S>, impulses: &[Vec<S>], velocity: &[S]) -> bool {
    let (work, size) = contact_work(system, impulses, velocity);
    work.signum() > 0 && !work.is_negligible(&size)
}

fn compare<S: Scalar>(a: &S, b: &S) -> std::cmp::Ordering {
    a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)
}

/// The rows of a contact, then those of the joints, which hold under any impulse.
fn rows_of<S: Scalar>(system: &System<S>, contact: usize) -> Vec<Covector<S>> {
    let contact = &system.contacts[contact];
    let constraints = [&contact.normal].into_iter().chain(&contact.tangents);
    let joints = system.joints.iter().map(|joint| &joint.constraint);
    constraints.chain(joints).map(|c| c.row.clone()).collect()
}

/// -A_cc^-1 v_c, where it is within the friction cone, and the velocity that it leads to. The joints
/// answer with impulses of their own, so that A is that of the mechanism.
fn bring_to_rest<S: Scalar>(system: &System<S>, contact: usize) -> Option<(Vec<S>, Vec<S>)> {
    let rows = rows_of(system, contact);
    let own = &system.contacts[contact];
    let mut missing = vec![-own.normal.velocity(&system.velocity)];
    missing.extend(
        own.tangential_velocity(&system.velocity)
            .into_iter()
            .map(|v| -v),
    );
    missing.resize(rows.len(), S::zero());
    let mut p = system.coupling(&rows, &rows).solve(&missing).solution()?;
    let velocity = system.velocity_after(rows.iter().zip(&p));
    p.truncate(1 + own.tangents.len());
    let fits = in_circular_cone(&p[0], &p[1..], &own.mu_squared());
    fits.then_some((p, velocity))
}
