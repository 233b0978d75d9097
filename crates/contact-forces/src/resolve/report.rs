//! The conditions of the papers on the impulse, checked.

use etalon_rigid::{Scalar, System, dot};

use super::{ForceRay, StoppingImpulse};
use crate::formulation::{ContactMotion, Formulation, RowKind};
use crate::impulse::{Impulse, contact_work, normal_velocities};

/// The conditions, exactly as they came out.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpulseReport<S> {
    /// (1) Contacts that slid before the stopping impulse and do not afterwards.
    pub stopped: Vec<usize>,
    /// (2) Contacts that approach after the stopping impulse, with their normal velocities.
    pub approaching: Vec<(usize, S)>,
    /// Contacts that approach at the very end; none.
    pub still_approaching: Vec<usize>,
    /// The impulses of both steps together at each contact: normal first, then along the tangents;
    /// N s.
    pub total: Vec<Vec<S>>,
    /// Contacts whose total impulse is outside the circular friction cone.
    pub outside_cone: Vec<usize>,
    /// Kinetic energy in the world before, after the stopping impulse, and at the end, J. Obstacles that move may raise it.
    pub kinetic_energy: [S; 3],
    /// The work of each of the two impulses against the motion relative to obstacles, J; never positive. Where no obstacle moves
    /// it is the change of kinetic energy, otherwise the rest of that change is the work of obstacles.
    pub relative_work: [S; 2],
}

/// Sliding contacts that do not slide with the new velocity.
pub(super) fn stopped<S: Scalar>(formulation: &Formulation<S>, velocity: &[S]) -> Vec<usize> {
    let contacts = &formulation.system().contacts;
    let stopped = |i: &usize| {
        let slid = matches!(formulation.motions()[*i], ContactMotion::Sliding(_));
        let now = contacts[*i].tangential_velocity(velocity);
        slid && now.iter().all(|v| v.is_negligible(&S::one()))
    };
    (0..contacts.len()).filter(stopped).collect()
}

/// The impulses on the rows of a formulation, contact by contact: normal first, then along the tangents. Contacts alone, for
/// joints hold before and after, so that their impulses do no work.
pub(super) fn ray_impulses<S: Scalar>(formulation: &Formulation<S>, z: &[S]) -> Vec<Vec<S>> {
    let contacts = formulation.system().contacts.iter();
    let empty = contacts.map(|own| vec![S::zero(); 1 + own.tangents.len()]);
    let mut all: Vec<Vec<S>> = empty.collect();
    for (row, p) in formulation.rows().iter().zip(z) {
        match *row {
            RowKind::Normal(i) => {
                if let ContactMotion::Sliding(slip) = &formulation.motions()[i] {
                    for (sum, slip) in all[i][1..].iter_mut().zip(slip) {
                        *sum -= &(p.clone() * slip);
                    }
                }
                all[i][0] += p;
            }
            RowKind::Tangent { contact, axis } => all[contact][1 + axis] += p,
            RowKind::Direction { contact, index } => {
                let direction = &formulation.directions().vectors()[index];
                for (sum, d) in all[contact][1..].iter_mut().zip(direction) {
                    *sum += &(p.clone() * d);
                }
            }
            _ => {}
        }
    }
    all
}

/// The stopping impulse, contact by contact.
pub(super) fn first<S: Scalar>(
    formulation: &Formulation<S>,
    ray: Option<&ForceRay<S>>,
    impulse: &StoppingImpulse<S>,
) -> Vec<Vec<S>> {
    let z = match (impulse, ray) {
        (StoppingImpulse::Ray { k, .. }, Some(ray)) => {
            ray.z.iter().map(|z| z.clone() * k).collect()
        }
        _ => Vec::new(),
    };
    let mut first = ray_impulses(formulation, &z);
    if let StoppingImpulse::Consistency {
        contact, impulse, ..
    } = impulse
    {
        first[*contact].clone_from(impulse);
    }
    first
}

pub(super) fn report<S: Scalar>(
    before: &System<S>,
    moved: &System<S>,
    stop: &Impulse<S>,
    stopped: Vec<usize>,
    first: Vec<Vec<S>>,
) -> ImpulseReport<S> {
    let relative = [
        contact_work(before, &first, &moved.velocity).0,
        contact_work(moved, &stop.contacts, &stop.velocity).0,
    ];
    let mut total = first;
    for (sums, second) in total.iter_mut().zip(&stop.contacts) {
        for (sum, p) in sums.iter_mut().zip(second) {
            *sum += p;
        }
    }
    let below = |velocity: &S| velocity.signum() < 0 && !velocity.is_negligible(&S::one());
    let middle = normal_velocities(moved, &moved.velocity)
        .into_iter()
        .enumerate();
    let end = normal_velocities(moved, &stop.velocity)
        .into_iter()
        .enumerate();
    let outside = total.iter().zip(&before.contacts).enumerate();
    let outside = outside.filter(|(_, (p, contact))| {
        let limit = p[0].squared() * &contact.mu_squared();
        let slack = limit - dot(&p[1..], &p[1..]);
        p[0].signum() < 0 || below(&slack)
    });
    ImpulseReport {
        stopped,
        approaching: middle.filter(|(_, v)| below(v)).collect(),
        still_approaching: end.filter(|(_, v)| below(v)).map(|(i, _)| i).collect(),
        outside_cone: outside.map(|(i, _)| i).collect(),
        total,
        kinetic_energy: [
            before.kinetic_energy(),
            moved.kinetic_energy(),
            moved.mass.kinetic_energy(&stop.velocity),
        ],
        relative_work: relative,
    }
}
