//! Contact forces at the acceleration level, after Baraff (SIGGRAPH 1994) and Darwin2K.
//!
//! The accelerations at the contacts of a mechanical system depend on the contact forces as
//!
//! > a = A f + b,  A = J M^-1 J',  b = J M^-1 (T - V) + (dJ/dt) v,
//!
//! and forces and accelerations are complementary: see [`Formulation`] for the conditions of
//! each kind of contact. Every system is generic over its scalar, so that the same source runs
//! exactly and in binary64; solvers come in through [`etalon_lcp::Solver`].
//!
//! ```
//! use etalon_contact_forces::{ForceAnswer, Formulation, FrictionModel};
//! use etalon_exact::{Budget, ExactMethod};
//! use etalon_rigid::{Body2, Contact, Model, Scalar, Scene2, Vector};
//! use rug::Rational;
//!
//! // Two blocks of 1 and 2 kg in a stack, one contact each.
//! let at = |y| Vector::<Rational, 2>::integers([0, y]);
//! let block = |name: &str, mass: i64, y| Body2::new(name, mass.into(), 1.into(), at(y));
//! let stack = Scene2::new(at(-10))
//!     .body(Body2::fixed("ground"))
//!     .body(block("lower", 1, 1))
//!     .body(block("upper", 2, 3))
//!     .contact(Contact::new("below", "lower", "ground", at(0), at(1)))
//!     .contact(Contact::new("above", "upper", "lower", at(2), at(1)));
//! let formulation = Formulation::new(stack.system()?, FrictionModel::None)?;
//! let solver = ExactMethod::Dantzig.solver(&Budget::default());
//! let ForceAnswer::Forces(forces) = formulation.solve(&*solver)? else {
//!     return Err("b is in the range of A".into());
//! };
//! assert_eq!(forces.normal(), [Rational::integer(30), Rational::integer(20)]);
//! assert!(forces.violations().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | the forces | [`Formulation::solve`] with any solver |
//! | the forces by Baraff's drive to zero, in a given order | [`drive_to_zero`] |
//! | the same with friction of sliding, and what it says where it goes on for ever | [`Formulation::drive`] |
//! | the path of an exact method | [`reference_path`], [`drive_path`], [`lemke_path`] |
//! | is b in the range of A? | [`Formulation::range`] |
//! | static friction by index sets | [`Formulation::static_friction`], one at a time or all at once; in the circular cone [`Formulation::static_friction_in_circle`] |
//! | Coulomb's law in space, the circular cone, with proof | [`Formulation::coulomb`] |
//! | static friction in the circular cone, in binary64 | [`Formulation::circular_cone`] |
//! | all forces there are, or the proof that there are none | [`Formulation::consistency`] |
//! | other forces beside those known | [`Formulation::another`] |
//! | how far rounded accelerations can be from exact | [`Formulation::agreement`] |
//! | the impulse that resolves an inconsistency | [`resolve`] |
//! | the impulse that stops approaching bodies | [`stop_approach`], [`impact_problem`] |
//!
//! **Promised.** With fractions, `etalon-certify` has checked all that is returned as proved, and
//! nothing is rounded. Forces by Coulomb's law in space satisfy it exactly, or
//! come with the box that is proved to hold such forces. Static friction by index sets may fail;
//! the outcome then says so. No function panics on any scene. **Not promised:** that forces exist, or
//! that forces or motion are unique where there is friction.

mod agreement;
mod another;
mod circular;
mod consistency;
mod coulomb;
mod error;
mod forces;
mod formulation;
mod frictionless;
mod held;
mod impulse;
mod ordered;
mod path;
mod resolve;
mod static_friction;

pub use agreement::Agreement;
pub use another::FoundForces;
pub use circular::{Circular, CircularWork, ConeError, NotConverged};
pub use consistency::{Consistency, Indeterminate};
pub use coulomb::{Coulomb, EnclosureRadii, OtherForces, Unproved};
pub use error::ForceError;
pub use forces::{ContactForce, DriveForce, ForceAnswer, Forces, Violation, check_proof};
pub use formulation::{ContactMotion, Formulation, FrictionModel, RowKind, StaticLaw};
pub use frictionless::{DriveOutcome, Driven, Range, drive_to_zero};
pub use impulse::{
    Impulse, StopSettings, impact_problem, impact_rows, normal_velocities, stop_approach,
    velocity_after_impact,
};
pub use ordered::{Drives, DrivesEnd};
pub use path::{
    DriveEnd, DriveEvent, DriveStep, ForcePath, drive_path, lemke_path, reference_path,
};
pub use resolve::{
    ForceRay, ImpulseReport, Resolution, Resolved, StoppingImpulse, resolve, resolve_along,
};
pub use static_friction::{CircleRun, Order, StaticFailure, StaticOutcome, StaticRun, Work};
