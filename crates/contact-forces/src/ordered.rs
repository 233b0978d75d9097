//! Baraff's drive to zero with its contacts in a chosen order, without friction, with that of sliding and with static friction in rows.
//!
//! Where a contact slides, its friction -mu f_N v/|v| moves along with the normal force that is driven (Baraff 1994, section 6): the
//! column of A has both. A is not symmetric then, and a drive may go on for ever: no step is the first that something stops. Let z be
//! the change of forces along it. Nothing stops it, so z >= 0, (A z)_i = 0 at contacts whose acceleration is kept at zero, and
//! (A z)_d <= 0 at the driven one: pressing harder makes the bodies approach no slower. Forces of no size will do, and an impulse along
//! z is called for (section 6); [`resolve_along`](crate::resolve_along) finds how much of it.

use etalon_certify::solves;
use etalon_exact::{Budget, PivotStep, Progress, Variable};
use rug::Rational;

use crate::error::ForceError;
use crate::forces::Forces;
use crate::formulation::{Formulation, FrictionModel, RowKind};
use crate::frictionless::{DriveOutcome, drive_to_zero};
use crate::path::{DriveEnd, DriveEvent};
use crate::resolve::ForceRay;
use crate::static_friction::{StaticFailure, in_order};

/// The end of a drive in an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Drives {
    /// All steps of all drives.
    pub trace: Vec<DriveEvent<Rational>>,
    /// How they end.
    pub end: DrivesEnd,
}

/// How the drives of all contacts end.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum DrivesEnd {
    /// Forces, checked in the problem.
    Forces(Box<Forces<Rational>>),
    /// Without friction: no forces, by a checked Farkas vector.
    NoForces(Vec<Rational>),
    /// With friction: the drive of a row goes on for ever along these forces, so that an impulse is called for.
    Unbounded {
        /// The row.
        row: usize,
        /// The forces, the largest 1, and what they do.
        ray: ForceRay<Rational>,
    },
    /// The drive cannot go on, for this reason.
    Failed(String),
}

impl Formulation<Rational> {
    /// Drives contact by contact to zero in an order, a permutation of the contacts; joints come before all, and what separates has no
    /// force. Without friction this is [`drive_to_zero`], which is proved to end.
    ///
    /// # Errors
    /// [`ForceError::Length`] when `order` is no permutation of the contacts, [`ForceError::NotRows`] for a polyhedral formulation, and
    /// [`ForceError::Circular`] for static friction in the circular cone, [`ForceError::Holds`] where a drive holds its speed.
    pub fn drive(&self, order: &[usize], budget: &Budget) -> Result<Drives, ForceError> {
        self.without_drives()?;
        if self.is_circular() {
            return Err(ForceError::Circular);
        }
        if matches!(self.model(), FrictionModel::Polyhedral(_)) {
            return Err(ForceError::NotRows);
        }
        let rows = self.in_order(order)?;
        if self.rubs() {
            return self.drive_rubbing(&rows);
        }
        let problem = self.problem("contact forces")?;
        let run = drive_to_zero(&problem, &rows, budget)?;
        let steps = run.trace.into_iter().flat_map(|own| own.steps);
        let trace = steps.filter_map(|step| event(step, &rows)).collect();
        let end = match run.outcome {
            DriveOutcome::Solved(f) if solves(&problem, &f).unwrap_or(false) => {
                DrivesEnd::Forces(Box::new(self.forces(&f)?))
            }
            DriveOutcome::Solved(_) => {
                DrivesEnd::Failed("it ends in forces that do not solve the problem".to_owned())
            }
            DriveOutcome::NoForces(y) => DrivesEnd::NoForces(y),
            DriveOutcome::Failed(why) => DrivesEnd::Failed(why),
        };
        Ok(Drives { trace, end })
    }

    fn drive_rubbing(&self, rows: &[usize]) -> Result<Drives, ForceError> {
        let problem = self.problem("contact forces")?;
        let (run, trace, direction) = in_order(self, rows)?;
        let end = match (run.outcome, direction) {
            (Ok((f, forces)), _) if solves(&problem, &f).unwrap_or(false) => {
                DrivesEnd::Forces(Box::new(forces))
            }
            (Ok(_), _) => {
                DrivesEnd::Failed("it ends in forces that do not solve the problem".to_owned())
            }
            (Err(StaticFailure::Unbounded { row }), Some(z)) => match self.ray(&z) {
                Some(ray) => DrivesEnd::Unbounded { row, ray },
                None => DrivesEnd::Failed(StaticFailure::Unbounded { row }.to_string()),
            },
            (Err(failure), _) => DrivesEnd::Failed(failure.to_string()),
        };
        Ok(Drives { trace, end })
    }

    /// The direction of an unbounded drive as a ray, if it is one: normal forces push, and none of the bodies that they press part.
    fn ray(&self, z: &[Rational]) -> Option<ForceRay<Rational>> {
        let response = self.a().times(z);
        let normals = self.rows().iter().enumerate();
        let mut normals = normals.filter(|(_, row)| matches!(row, RowKind::Normal(_)));
        if !normals.all(|(i, _)| z[i] >= 0 && (z[i] == 0 || response[i] <= 0)) {
            return None;
        }
        let largest = z.iter().map(|own| own.clone().abs()).max()?;
        if largest == 0 {
            return None;
        }
        let unit = |own: &Rational| Rational::from(own / &largest);
        Some(ForceRay {
            z: z.iter().map(unit).collect(),
            response: response.iter().map(unit).collect(),
            z0: Rational::new(),
        })
    }

    /// The rows of the contacts in an order, each with its friction, then those of joints.
    fn in_order(&self, order: &[usize]) -> Result<Vec<usize>, ForceError> {
        let n = self.system().contacts.len();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..n) {
            let length = order.len();
            return Err(ForceError::Length { length, n });
        }
        let place = |row: &RowKind| match *row {
            RowKind::Normal(contact) | RowKind::Tangent { contact, .. } => {
                order.iter().position(|own| *own == contact)
            }
            _ => None,
        };
        let mut rows: Vec<usize> = (0..self.n()).collect();
        rows.sort_by_key(|i| place(&self.rows()[*i]).unwrap_or(n));
        Ok(rows)
    }
}

/// A step of the drive without friction, of rows that are permuted.
fn event(step: PivotStep, rows: &[usize]) -> Option<DriveEvent<Rational>> {
    let Progress::Driven(driven) = step.progress else {
        return None;
    };
    let (blocking, end) = match step.leaving {
        Variable::W(own) if own == driven => (own, DriveEnd::Goal),
        Variable::W(own) => (own, DriveEnd::Acceleration),
        Variable::Z(own) => (own, DriveEnd::Force),
        _ => return None,
    };
    Some(DriveEvent {
        driven: *rows.get(driven)?,
        blocking: *rows.get(blocking)?,
        end,
        length: step.length,
    })
}
