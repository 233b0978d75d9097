//! A rigid-body engine of the plane, every LCP of which can be judged exactly.
//!
//! Bodies are closed paths of straight edges and circular arcs, convex or hollow, moving or fixed.
//! Between events they move by the equations of rigid bodies under gravity, springs, damping,
//! thrusters and a hand. Where they rest on each other, or are joined, contact forces keep them
//! from accelerating into each other (Baraff, SIGGRAPH 1994):
//!
//! > a = A f + b,  a >= 0, f >= 0, a'f = 0  (a = 0 and f free on joints),
//!
//! with A = J M^-1 J' and b the second derivative of the gaps without those forces. Where bodies
//! collide, time goes back to just before, and impulses with an elasticity from 0 to 1 separate
//! them. Bodies with a coefficient of friction rub, by Coulomb's law ([`FrictionModel`]). Without
//! friction the engine does what that of myPhysicsLab does (E. Neumann, myphysicslab.com: rigid
//! bodies, collisions, contacts), down to the order of serial collisions. The tests recorded from
//! that engine are run against this one.
//!
//! ```
//! use etalon_planar::{Keep, Watch, World, named};
//!
//! let mut world = World::new(named::stack(3))?;
//! let mut watch = Watch::new(Keep::Wrong);
//! for _ in 0..40 {
//!     world.step_with(&mut watch)?;
//! }
//! let snapshot = world.snapshot();
//! let weight = 3.0 * 9.81;
//! let on_the_floor = snapshot.contacts.iter().filter(|contact| contact.second == 0);
//! assert!((on_the_floor.map(|contact| contact.force).sum::<f64>() - weight).abs() < 1e-6);
//! assert_eq!(watch.verdicts().wrong, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | describe a world, save and load it | [`WorldSpec`], [`World::scene`] |
//! | step it | [`World::step`], [`World::step_with`] |
//! | act on it | [`World::pull`], [`World::thrust`], [`World::set`], [`World::set_forces`], [`World::set_elasticity`], [`World::set_friction`] |
//! | see it | [`World::snapshot`], [`World::outlines`], [`World::gaps`] |
//! | see its LCPs, have them judged | [`Observer`], [`Watch`], [`index_sets`] |
//!
//! **Promised.** A run is determined by its scene, the commands and the machine's arithmetic: the
//! same seed gives the same run. Any scene of finite numbers is either refused with a
//! [`WorldError`] or stepped. A step ends, or says why it cannot ([`StepError`]), without panic.
//!
//! **Not promised.** Two machines can differ in the last bit (fused multiply-add), and after some
//! collisions that is a different motion. Thin bodies that are fast can pass corner to corner.
//!
//! **Cost.** A step takes four evaluations. Each takes O(v e) for every pair of bodies that are near
//! (v vertices, e edges), and the solution of one LCP for each group of linked contacts.
//!
//! **Inside.** A [`World`] is a model (what a step does not change), a state (what it changes) and a
//! stepper (what it works with). All thresholds stand in one file, `tolerances.rs`, each with its
//! derivation.

mod accounts;
mod body;
mod contact;
mod error;
mod forces;
mod geometry;
mod model;
pub mod named;
mod observe;
mod outline;
mod piece;
mod random;
mod range;
mod rows;
mod scene;
mod settings;
mod slip;
mod snapshot;
mod solve;
mod state;
mod step;
mod tolerances;
mod watch;
mod world;

pub use accounts::Accounts;
pub use error::{CommandError, StepError, WorldError};
pub use geometry::{Curve, CurveError, CurvePiece, Path, PathEdge, PathError};
pub use model::Inside;
pub use observe::{LcpEvent, LcpKind, Nobody, Observer, RowBound, RowPlace};
pub use outline::Outline;
pub use piece::{Piece, PieceBody, PieceContact};
pub use scene::{BodySpec, Connector, Course, ForceLaw, Frame, PassedEdges, WorldSpec};
pub use settings::{
    CollisionHandling, CurveTerm, ExtraAcceleration, FrictionModel, Integrator, Settings,
};
pub use snapshot::{BodyState, ContactForce, Energy, Snapshot, Totals};
pub use watch::{IndexSets, Keep, Record, Verdicts, Watch, claim, index_sets, problem};
pub use world::{Gap, Thrust, World};
