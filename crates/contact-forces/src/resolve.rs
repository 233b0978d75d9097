//! Inconsistent configurations, resolved by an impulse.
//!
//! Where dynamic friction leaves no contact forces (Baraff 1994, section 6), Lemke's method ends
//! in a ray z_h >= 0 with (A z_h)_i <= 0 wherever z_h is positive: pressing harder makes the
//! bodies approach faster. Taken as an impulse, k z_h, it slows the sliding down. Baraff asks of
//! it that
//!
//! 1. at least one contact goes from sliding to not sliding;
//! 2. at one contact at least the bodies do not part afterwards.
//!
//! In the plane the smallest k that stops a contact does so. In space the friction of the ray is
//! opposed to the sliding velocity, but the change of velocity is not, A not being diagonal; then
//! no k may stop the contact, as the author of Darwin2K found. The consistency impulse in its
//! place is the one that brings a contact to rest, -A_cc^-1 v_c for the rows c of normal and
//! tangents, where that is within the friction cone.
//!
//! Along the way kinetic energy falls: the ray's power p'v is that of friction against sliding
//! and of normal impulses against bodies that do not part; and -A^-1 v is the impulse of least
//! kinetic energy at its contact.

use etalon_exact::{Budget, Lemke, LemkeOutcome};
use etalon_lcp::{Certificate, Reduction};
use etalon_rigid::{Covector, Model, Scalar, System, dot, in_circular_cone};
use rug::Rational;

use crate::consistency::Consistency;
use crate::error::ForceError;
use crate::formulation::{Formulation, FrictionModel, Motion, RowKind};
use crate::impulse::{Impulse, Stop, normal_velocities, stop_approach};

/// Lemke's ray on the rows of a contact force problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceRay<S> {
    /// z_h, n values, the largest 1.
    pub z: Vec<S>,
    /// A z_h, n values: how accelerations, or velocities, answer.
    pub response: Vec<S>,
    /// By how much the artificial variable grows along the ray.
    pub z0: Rational,
}

/// How an inconsistency was resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution<S> {
    /// The proof that there were no contact forces.
    pub proof: Certificate,
    /// Lemke's ray, where it ended in one.
    pub ray: Option<ForceRay<S>>,
    /// The impulse that stops sliding.
    pub impulse: StoppingImpulse<S>,
    /// The impulse that stops approaching bodies after that.
    pub stop: Impulse<S>,
    /// The conditions of the seeds, checked.
    pub report: Report<S>,
}

/// What stopped the sliding.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StoppingImpulse<S> {
    /// k z_h for Lemke's ray z_h (Baraff).
    Ray {
        /// k.
        k: S,
        /// The generalised velocity afterwards.
        velocity: Vec<S>,
    },
    /// No multiple of the ray stops any contact; this impulse brings one to rest (Darwin2K).
    Consistency {
        /// The contact.
        contact: usize,
        /// Its impulse: normal first, then along the tangents; N s.
        impulse: Vec<S>,
        /// For each sliding contact that the ray presses on, the multiples that would cancel its
        /// tangential velocity coordinate by coordinate (`None` where none does).
        cancelling: Vec<(usize, Vec<Option<S>>)>,
        /// The generalised velocity afterwards.
        velocity: Vec<S>,
    },
}

/// The conditions, exactly as they came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<S> {
    /// (1) Contacts that slid before the stopping impulse and do not afterwards.
    pub stopped: Vec<usize>,
    /// (2) Contacts that approach after the stopping impulse, with their normal velocities.
    pub approaching: Vec<(usize, S)>,
    /// Contacts that approach at the very end; none.
    pub still_approaching: Vec<usize>,
    /// Contacts whose total impulse is outside the circular friction cone.
    pub outside_cone: Vec<usize>,
    /// Kinetic energy before, after the stopping impulse, and at the end, J.
    pub kinetic_energy: [S; 3],
}

/// What came of a configuration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Resolved<S> {
    /// There are contact forces: no impulse is called for.
    NotNeeded(Consistency<S>),
    /// It was inconsistent; now there are new velocities.
    Impulse(Box<Resolution<S>>),
    /// It is inconsistent, and neither a ray nor bringing one contact to rest helps.
    Stuck(Certificate),
}

/// Looks for contact forces, and for an impulse where there are none.
///
/// # Errors
/// [`ForceError`] where the scene has no contact force problem.
pub fn resolve<S: Scalar, M: Model<S>>(
    model: &M,
    friction: FrictionModel,
    budget: &Budget,
) -> Result<Resolved<S>, ForceError> {
    let formulation = Formulation::new(model.system()?, friction)?;
    let proof = match formulation.consistency(budget)? {
        Consistency::Inconsistent(proof) => proof,
        other => return Ok(Resolved::NotNeeded(other)),
    };
    let formulation = formulation.cone_form()?;
    let ray = formulation.lemke_ray(budget)?;
    let Some(impulse) = stopping_impulse(&formulation, ray.as_ref()) else {
        return Ok(Resolved::Stuck(proof));
    };
    let moved = model.with_velocity(impulse.velocity())?.system()?;
    let before = formulation.system();
    let stopped = stopped(&formulation, impulse.velocity());
    let stop = stop_approach(
        &moved,
        &Stop {
            restitution: S::zero(),
            sticking: stopped.clone(),
        },
    )?;
    let report = report(
        before,
        &moved,
        &stop,
        stopped,
        &total(&formulation, ray.as_ref(), &impulse, &stop),
    );
    Ok(Resolved::Impulse(Box::new(Resolution {
        proof,
        ray,
        impulse,
        stop,
        report,
    })))
}

impl<S: Scalar> Formulation<S> {
    /// In the plane, the cone of two directions states the same conditions as friction rows, and
    /// its matrix is copositive where nothing slides: rays are then due to sliding or to b.
    fn cone_form(self) -> Result<Self, ForceError> {
        let planar = self.system().contacts.iter().all(|c| c.tangents.len() == 1);
        if self.model() == FrictionModel::Rows && planar {
            return Self::new(self.system().clone(), FrictionModel::Polyhedral(2));
        }
        Ok(self)
    }

    /// Lemke's ray, if lexicographic Lemke ends in one: a sign of trouble, not a proof.
    ///
    /// # Errors
    /// [`ForceError::Problem`].
    pub fn lemke_ray(&self, budget: &Budget) -> Result<Option<ForceRay<S>>, ForceError> {
        let problem = self.problem("contact forces")?;
        let reduction = Reduction::new(&problem);
        let lemke = Lemke {
            budget: budget.clone(),
            ..Lemke::default()
        };
        let run = lemke.solve(reduction.mixed());
        let run = run.map_err(|error| ForceError::Problem(error.to_string()))?;
        let LemkeOutcome::Ray(ray) = run.outcome else {
            return Ok(None);
        };
        let z = reduction.lift_direction(&ray.direction.z);
        let largest = z.iter().map(|value| value.clone().abs()).max();
        let largest = largest.filter(|value| *value > 0);
        let unit = largest.unwrap_or_else(|| Rational::from(1));
        let z: Vec<S> = z
            .into_iter()
            .map(|value| S::from_rational(&(value / &unit)))
            .collect();
        Ok(Some(ForceRay {
            response: self.a().times(&z),
            z,
            z0: ray.direction.z0 / unit,
        }))
    }
}

impl<S> StoppingImpulse<S> {
    /// The generalised velocity afterwards.
    pub fn velocity(&self) -> &[S] {
        match self {
            Self::Ray { velocity, .. } | Self::Consistency { velocity, .. } => velocity,
        }
    }
}

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
    let sliding = contacts.filter(|&i| matches!(formulation.motions()[i], Motion::Sliding(_)));
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

fn stopping_impulse<S: Scalar>(
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
        let cancels = |(v, r): (&S, &S)| (k.clone() * r + v).is_negligible(&v.abs());
        velocity.iter().zip(rate).all(cancels).then_some(k)
    };
    let system = formulation.system();
    if let Some(k) = pressed.iter().filter_map(stops).min_by(compare) {
        let impulses: Vec<S> = z.iter().map(|z| z.clone() * &k).collect();
        let velocity = system.velocity_after(formulation.columns().iter().zip(&impulses));
        return Some(StoppingImpulse::Ray { k, velocity });
    }
    let sliding = (0..system.contacts.len())
        .filter(|&i| matches!(formulation.motions()[i], Motion::Sliding(_)));
    let mut candidates: Vec<usize> = pressed.iter().map(|(i, ..)| *i).collect();
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

fn compare<S: Scalar>(a: &S, b: &S) -> std::cmp::Ordering {
    a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)
}

fn rows_of<S: Scalar>(system: &System<S>, contact: usize) -> Vec<Covector<S>> {
    let contact = &system.contacts[contact];
    let constraints = [&contact.normal].into_iter().chain(&contact.tangents);
    constraints.map(|c| c.row.clone()).collect()
}

/// -A_cc^-1 v_c, where it is within the friction cone, and the velocity that it leads to.
fn bring_to_rest<S: Scalar>(system: &System<S>, contact: usize) -> Option<(Vec<S>, Vec<S>)> {
    let rows = rows_of(system, contact);
    let own = &system.contacts[contact];
    let mut missing = vec![-own.normal.velocity(&system.velocity)];
    missing.extend(
        own.tangential_velocity(&system.velocity)
            .into_iter()
            .map(|v| -v),
    );
    let p = system.coupling(&rows, &rows).solve(&missing).solution()?;
    let fits = in_circular_cone(&p[0], &p[1..], &own.mu_squared());
    fits.then(|| {
        let velocity = system.velocity_after(rows.iter().zip(&p));
        (p, velocity)
    })
}

fn stopped<S: Scalar>(formulation: &Formulation<S>, velocity: &[S]) -> Vec<usize> {
    let contacts = &formulation.system().contacts;
    let stopped = |i: &usize| {
        let slid = matches!(formulation.motions()[*i], Motion::Sliding(_));
        let now = contacts[*i].tangential_velocity(velocity);
        slid && now.iter().all(|v| v.is_negligible(&S::one()))
    };
    (0..contacts.len()).filter(stopped).collect()
}

/// The impulses of both steps together, contact by contact.
fn total<S: Scalar>(
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
                        if let Motion::Sliding(slip) = &formulation.motions()[i] {
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

fn report<S: Scalar>(
    before: &System<S>,
    moved: &System<S>,
    stop: &Impulse<S>,
    stopped: Vec<usize>,
    total: &[Vec<S>],
) -> Report<S> {
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
    Report {
        stopped,
        approaching: middle.filter(|(_, v)| below(v)).collect(),
        still_approaching: end.filter(|(_, v)| below(v)).map(|(i, _)| i).collect(),
        outside_cone: outside.map(|(i, _)| i).collect(),
        kinetic_energy: [
            before.kinetic_energy(),
            moved.kinetic_energy(),
            moved.mass.kinetic_energy(&stop.velocity),
        ],
    }
}
