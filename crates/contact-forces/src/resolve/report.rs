//! The conditions of the papers on the impulse, checked.

use etalon_rigid::{Scalar, System, dot};

use super::{ForceRay, StoppingImpulse};
use crate::formulation::{ContactMotion, Formulation, RowKind};
use crate::impulse::{Impulse, normal_velocities};

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
    /// Kinetic energy before, after the stopping impulse, and at the end, J.
    pub kinetic_energy: [S; 3],
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

/// The impulses of both steps together, contact by contact.
pub(super) fn total<S: Scalar>(
    formulation: &Formulation<S>,
    ray: Option<&ForceRay<S>>,
    impulse: &StoppingImpulse<S>,
    stop: &Impulse<S>,
) -> Vec<Vec<S>> {
    let mut total = stop.contacts.clone();
    match (impulse, ray) {
        (StoppingImpulse::Ray { k, .. }, Some(ray)) => {
            for (row, z) in formulation.rows().iter().zip(&ray.z) {
                let p = z.clone() * k;
                match *row {
                    RowKind::Normal(i) => {
                        if let ContactMotion::Sliding(slip) = &formulation.motions()[i] {
                            for (total, slip) in total[i][1..].iter_mut().zip(slip) {
                                *total -= &(p.clone() * slip);
                            }
                        }
                        total[i][0] += &p;
                    }
                    RowKind::Tangent { contact, axis } => total[contact][1 + axis] += &p,
                    RowKind::Direction { contact, index } => {
                        let direction = &formulation.directions().vectors()[index];
                        for (total, d) in total[contact][1..].iter_mut().zip(direction) {
                            *total += &(p.clone() * d);
                        }
                    }
                    _ => {}
                }
            }
        }
        (
            StoppingImpulse::Consistency {
                contact, impulse, ..
            },
            _,
        ) => {
            for (total, p) in total[*contact].iter_mut().zip(impulse) {
                *total += p;
            }
        }
        _ => {}
    }
    total
}

pub(super) fn report<S: Scalar>(
    before: &System<S>,
    moved: &System<S>,
    stop: &Impulse<S>,
    stopped: Vec<usize>,
    total: Vec<Vec<S>>,
) -> ImpulseReport<S> {
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
    }
}
