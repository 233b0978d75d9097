//! Inconsistent configurations, resolved by an impulse.
//!
//! Where dynamic friction leaves no contact forces (Baraff 1994, section 6), Lemke's method ends
//! in a ray z_h >= 0 with (A z_h)_i <= 0 wherever z_h is positive: pressing harder makes the
//! bodies approach faster. As an impulse, k z_h slows the sliding down. Baraff requires of
//! it that
//!
//! 1. at least one contact goes from sliding to not sliding;
//! 2. at one contact at least the bodies do not part afterwards.
//!
//! In the plane the smallest k that stops a contact does so. In space the friction of the ray is
//! opposed to the sliding velocity, but the change of velocity is not, because A is not diagonal. Then
//! there may be no k that stops the contact, as the author of Darwin2K found. The consistency impulse
//! takes its place: -A_cc^-1 v_c for the rows c of normal and tangents of a contact, where that is
//! within the friction cone. It brings the contact to rest.
//!
//! Along the way kinetic energy falls, of the motion relative to obstacles. The ray's power p'v has two parts: normal impulses against
//! bodies that do not part, and friction, which is against sliding until a contact stops. In space
//! a contact that does not stop may be driven backwards for so long that energy rises; then the
//! multiple is not taken. -A^-1 v is the impulse of least kinetic energy at its contact.

mod report;
mod stopping;

use etalon_exact::{Budget, Lemke, LemkeOutcome};
use etalon_lcp::{Certificate, Reduction};
use etalon_rigid::{Model, Scalar};
use rug::Rational;

use crate::consistency::Consistency;
use crate::error::ForceError;
use crate::formulation::{Formulation, FrictionModel};
use crate::impulse::{Impulse, StopSettings, stop_approach};
use report::{first, report, stopped};
use stopping::stopping_impulse;

pub use report::ImpulseReport;

/// Lemke's ray on the rows of a contact force problem.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceRay<S> {
    /// z_h, n values, the largest 1.
    pub z: Vec<S>,
    /// A z_h, n values: the change of accelerations, or of velocities.
    pub response: Vec<S>,
    /// The growth of the artificial variable along the ray.
    pub z0: Rational,
}

/// The resolution of an inconsistency.
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
    pub report: ImpulseReport<S>,
}

/// The impulse that stopped the sliding.
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
    /// No multiple of the ray stops any contact, or the first that does raises kinetic energy; this
    /// impulse brings one to rest (Darwin2K).
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

/// The outcome for a configuration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Resolved<S> {
    /// There are contact forces, so no impulse is needed.
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
    along(model, &formulation, proof, ray)
}

/// The same along forces that somebody else found to grow for ever, on the rows of the formulation: those of an unbounded
/// [drive](crate::Formulation::drive).
///
/// # Errors
/// [`ForceError`] where the scene has no contact force problem.
pub fn resolve_along<S: Scalar, M: Model<S>>(
    model: &M,
    formulation: &Formulation<S>,
    ray: ForceRay<S>,
    budget: &Budget,
) -> Result<Resolved<S>, ForceError> {
    match formulation.consistency(budget)? {
        Consistency::Inconsistent(proof) => along(model, formulation, proof, Some(ray)),
        other => Ok(Resolved::NotNeeded(other)),
    }
}

fn along<S: Scalar, M: Model<S>>(
    model: &M,
    formulation: &Formulation<S>,
    proof: Certificate,
    ray: Option<ForceRay<S>>,
) -> Result<Resolved<S>, ForceError> {
    let Some(impulse) = stopping_impulse(formulation, ray.as_ref()) else {
        return Ok(Resolved::Stuck(proof));
    };
    let moved = model.with_velocity(impulse.velocity())?.system()?;
    let before = formulation.system();
    let stopped = stopped(formulation, impulse.velocity());
    let stop = stop_approach(
        &moved,
        &StopSettings {
            restitution: S::zero(),
            sticking: stopped.clone(),
        },
    )?;
    let report = report(
        before,
        &moved,
        &stop,
        stopped,
        first(formulation, ray.as_ref(), &impulse),
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
        // A ray has no length of its own: its largest entry becomes 1.
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
