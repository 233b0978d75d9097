//! Static friction with the circular cone, in binary64.
//!
//! At every contact that does not slide yet, with f_N, a_N >= 0 and f_N a_N = 0 as ever,
//!
//! > |f_F| <= mu f_N, and where a_F is not zero f_F = -mu f_N a_F/|a_F|:
//!
//! friction opposes the acceleration that it cannot prevent. This implies Baraff's conditions (15)
//! and (16), a_F . f_F <= 0 and a_F (mu f_N - |f_F|) = 0, and says more: in space his leave the
//! direction of friction open (Darwin2K's plate). The cone is quadratic, so that there is no
//! complementarity problem to pivot on; and forces are irrational in general, so that there is
//! nothing to find exactly.
//!
//! The conditions are zeros of the projections
//!
//! > f_N - max(0, p_N),  f_F - P(p_F),  p = f - rho a,
//!
//! where P projects onto the disc of radius mu max(0, p_N) (Alart and Curnier 1991). A semismooth
//! Newton method looks for one from the forces of a polyhedral cone; where it does not get on,
//! sweeps of projections over the contacts do. What is returned is inside the cone, exactly, and
//! its residuals are computed exactly: see [`ConeError`]. What is not good enough is a
//! [`NotConverged`], never an answer.

mod measure;
mod newton;
mod residual;
mod sweep;

use etalon_lcp::Solver;
use etalon_rigid::in_circular_cone;
use rug::Rational;

use crate::error::ForceError;
use crate::forces::{ForceAnswer, Forces};
use crate::formulation::{Formulation, FrictionModel, RowKind};

pub use measure::ConeError;
use residual::Residual;

/// Forces in the circular cone.
#[derive(Debug, Clone, PartialEq)]
pub struct Circular {
    /// The values of the problem's variables.
    pub f: Vec<f64>,
    /// The same as forces and accelerations, contact by contact.
    pub forces: Forces<f64>,
    /// How far they are from exact.
    pub error: ConeError,
    /// The work done.
    pub work: CircularWork,
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CircularWork {
    /// Newton steps.
    pub newton: u32,
    /// Sweeps over all contacts.
    pub sweeps: u32,
}

/// No forces were found that are right up to rounding. It does not say that there are none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "no forces in the circular cone after {} Newton steps and {} sweeps: the best have a backward error of {:.1e}",
    .work.newton, .work.sweeps, .error.rounded_up()
)]
pub struct NotConverged {
    /// How far the last forces were from exact.
    pub error: ConeError,
    /// The work done.
    pub work: CircularWork,
}

/// The largest backward error of an answer: 2^-40, which is 2^13 units of rounding (2^-53). Chosen, not derived.
const ACCEPTED: f64 = 1.0 / (1u64 << 40) as f64;

/// Rounds of Newton steps, with sweeps between them.
const ROUNDS: u32 = 12;

/// Sweeps of the first round; each round takes twice as many as the one before, up to a limit.
const SWEEPS: u32 = 50;
const MOST_SWEEPS: u32 = 2_000;

/// Directions of the polyhedral cone that the search starts from.
const SEED_DIRECTIONS: usize = 8;

/// The rows of one contact.
struct Cone {
    normal: usize,
    /// None where there is no static friction.
    tangents: Vec<usize>,
    mu: f64,
    contact: usize,
}

/// The rows by what they stand for.
struct Layout {
    cones: Vec<Cone>,
    joints: Vec<usize>,
}

impl Layout {
    fn new(formulation: &Formulation<f64>) -> Self {
        let rows = || formulation.rows().iter().enumerate();
        let cone = |(row, kind): (usize, &RowKind)| {
            let RowKind::Normal(contact) = *kind else {
                return None;
            };
            let own = |kind: &RowKind| matches!(kind, RowKind::Tangent { contact: other, .. } if *other == contact);
            Some(Cone {
                normal: row,
                tangents: rows()
                    .filter(|(_, kind)| own(kind))
                    .map(|(i, _)| i)
                    .collect(),
                mu: formulation.system().contacts[contact].mu,
                contact,
            })
        };
        let joint = |(_, kind): &(usize, &RowKind)| matches!(kind, RowKind::Joint(_));
        Self {
            cones: rows().filter_map(cone).collect(),
            joints: rows().filter(joint).map(|(i, _)| i).collect(),
        }
    }
}

impl Formulation<f64> {
    /// Looks for contact forces with static friction in the circular cone. The solver is asked for
    /// those of a polyhedral cone to start from; where it has none, the search starts from zero.
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation.
    pub fn circular_cone(
        &self,
        solver: &dyn Solver,
    ) -> Result<Result<Circular, NotConverged>, ForceError> {
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        if self.holds() {
            return self.circular_cone_held(solver);
        }
        let start = self.seed(solver).unwrap_or_else(|| vec![0.0; self.n()]);
        self.circular_cone_from(start)
    }

    /// The same where drives hold their speeds.
    fn circular_cone_held(
        &self,
        solver: &dyn Solver,
    ) -> Result<Result<Circular, NotConverged>, ForceError> {
        let mut failure = NotConverged {
            error: ConeError::default(),
            work: CircularWork::default(),
        };
        let found = self.search(|states| {
            let own = match self.with_states(states)?.circular_cone(solver)? {
                Ok(own) => own,
                Err(own) => {
                    failure = own;
                    return Ok(Err(None));
                }
            };
            let f = self.with_drives(&own.f, states);
            Ok(match self.changed(&f, states, [&0.0, &0.0])? {
                None => Ok((f, own)),
                change => Err(change),
            })
        })?;
        match found {
            Some(((f, own), _)) => Ok(Ok(Circular {
                forces: self.forces(&f)?,
                f,
                ..own
            })),
            None => Ok(Err(failure)),
        }
    }

    /// The same from given forces, the values of the variables.
    ///
    /// # Errors
    /// [`ForceError::NotRows`] for a polyhedral formulation, [`ForceError::Holds`] where a drive holds its speed,
    /// [`ForceError::Length`].
    pub fn circular_cone_from(
        &self,
        start: Vec<f64>,
    ) -> Result<Result<Circular, NotConverged>, ForceError> {
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        self.without_drives()?;
        let (length, n) = (start.len(), self.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        let layout = Layout::new(self);
        let residual = Residual::new(self.a(), self.b(), &layout);
        let mut work = CircularWork::default();
        let mut f = start;
        let mut best: Option<(ConeError, Vec<f64>)> = None;
        let mut sweeps = SWEEPS;
        for _ in 0..ROUNDS {
            newton::run(&residual, &mut f, &mut work);
            let candidate = into_cone(&residual, &f);
            // Measured is what would be returned; the iterate itself may be outside the cone.
            let error = measure::measure(self.a(), self.b(), &layout, &candidate);
            if best
                .as_ref()
                .is_none_or(|(best, _)| error.value < best.value)
            {
                best = Some((error, candidate.clone()));
            }
            if best
                .as_ref()
                .is_some_and(|(best, _)| best.value <= ACCEPTED)
            {
                break;
            }
            f = candidate;
            sweep::run(&residual, &mut f, sweeps, &mut work);
            sweeps = (2 * sweeps).min(MOST_SWEEPS);
        }
        let Some((error, f)) = best else {
            let error = ConeError::default();
            return Ok(Err(NotConverged { error, work }));
        };
        if error.value > ACCEPTED {
            return Ok(Err(NotConverged { error, work }));
        }
        Ok(Ok(Circular {
            forces: self.forces(&f)?,
            f,
            error,
            work,
        }))
    }

    /// The forces of a polyhedral cone, in the rows of this formulation.
    fn seed(&self, solver: &dyn Solver) -> Option<Vec<f64>> {
        let model = FrictionModel::Polyhedral(SEED_DIRECTIONS);
        let polyhedral = Self::new(self.system().clone(), model).ok()?;
        let ForceAnswer::Forces(forces) = polyhedral.solve(solver).ok()? else {
            return None;
        };
        let value = |row: &RowKind| match *row {
            RowKind::Normal(i) => forces.contacts.get(i).map(|c| c.normal),
            RowKind::Tangent { contact, axis } => {
                forces.contacts.get(contact)?.friction.get(axis).copied()
            }
            RowKind::Joint(i) => forces.joints.get(i).copied(),
            _ => None,
        };
        let seed: Option<Vec<f64>> = self.rows().iter().map(value).collect();
        seed.filter(|seed| seed.iter().all(|f| f.is_finite()))
    }
}

/// The forces moved into the cone: membership holds exactly, by squares of fractions.
fn into_cone(residual: &Residual<'_>, f: &[f64]) -> Vec<f64> {
    let acceleration = residual.acceleration(f);
    let mut inside = f.to_vec();
    for (k, cone) in residual.layout.cones.iter().enumerate() {
        let pressed = residual.pressed(k, f, &acceleration);
        if pressed <= 0.0 || f[cone.normal] <= 0.0 {
            inside[cone.normal] = 0.0;
            cone.tangents.iter().for_each(|&t| inside[t] = 0.0);
            continue;
        }
        let [normal, mu] = [f[cone.normal], cone.mu].map(exact);
        let mu_squared = Rational::from(mu.square_ref());
        let tangential = |f: &[f64]| cone.tangents.iter().map(|&t| f[t]).collect::<Vec<_>>();
        // Rounding of the first factor may leave the forces outside by a unit or two.
        for _ in 0..8 {
            let now = tangential(&inside);
            let now_exact: Vec<_> = now.iter().copied().map(exact).collect();
            if in_circular_cone(&normal, &now_exact, &mu_squared) {
                break;
            }
            let length = now.iter().map(|t| t * t).sum::<f64>().sqrt();
            // One unit less than the limit, so that each turn brings the friction further inside.
            let factor = (cone.mu * f[cone.normal] / length).min(1.0) * (1.0 - f64::EPSILON);
            cone.tangents.iter().for_each(|&t| inside[t] *= factor);
        }
    }
    inside
}

/// A finite number as a fraction (anything else as zero, which the measure finds out).
fn exact(value: f64) -> Rational {
    Rational::from_f64(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
