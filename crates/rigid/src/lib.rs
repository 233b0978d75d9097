//! Rigid bodies in contact: masses, wrenches, Jacobians and friction cones.
//!
//! A scene of bodies, contacts and joints makes a mechanical [`System`] in generalised
//! coordinates,
//!
//! > M acc + V = T + J'f,  a = J acc + (dJ/dt) v,
//!
//! from which formulations read their complementarity problems. The constraint accelerations are
//! a = A f + b with A = J M^-1 J' and b = J M^-1 (T - V) + (dJ/dt) v (Baraff 1994,
//! equation 1). Everything is generic over the [`Scalar`]: one source runs in exact fractions and
//! in binary64.
//!
//! ```
//! use etalon_rigid::{Body2, Contact, Model, Scalar, Scene2, Vector};
//! use rug::Rational;
//!
//! // A block of 1 kg and 2 m width on the ground.
//! let up = || Vector::<Rational, 2>::integers([0, 1]);
//! let block = Body2::new("block", 1.into(), Rational::ratio(2, 3), up());
//! let mut scene = Scene2::new(Vector::integers([0, -10])).body(block).body(Body2::fixed("ground"));
//! for x in [-1, 1] {
//!     let point = Vector::integers([x, 0]);
//!     scene = scene.contact(Contact::new(format!("at {x}"), "block", "ground", point, up()));
//! }
//! let system = scene.system()?;
//! let rows: Vec<_> = system.contacts.iter().map(|c| c.normal.row.clone()).collect();
//! let a = system.coupling(&rows, &rows);
//! assert_eq!(a[(0, 0)], Rational::ratio(5, 2));
//! assert_eq!(a[(0, 1)], Rational::ratio(-1, 2));
//! # Ok::<(), etalon_rigid::SceneError>(())
//! ```
//!
//! # Units, frames, signs
//!
//! SI units: kg, m, s, N; impulses in N s. All vectors are in one inertial world frame, x to the
//! right and y up in the plane, right-handed in space; angular velocity and torque are positive
//! counterclockwise. Only a body's inertia is in body coordinates; its orientation R takes body
//! to world coordinates. Reference point of a body is its centre of mass.
//!
//! Generalised velocities are (v, omega) of each body that is not fixed, in the order of the
//! scene: 3 numbers a body in the plane, 6 in space. Those of a [`Mechanism`] are the rates of the joints of a tree of links;
//! a planar serial [`Linkage`] is one of angles against the x axis.
//!
//! A contact's normal n points from its second body to its first; a force f n with f >= 0 acts on
//! the first, -f n on the second. Velocity n'(v1 - v2) and acceleration are positive when the
//! bodies part. Friction f_F t acts on the first body, and t'(v1 - v2) is the sliding velocity.
//!
//! | in | cost |
//! |---|---|
//! | [`Model::system`] | linear in bodies, contacts and joints; of a mechanism also the cube of its rates |
//! | [`System::coupling`] | products of pairs of rows that share a body |
//!
//! No function panics on data of scenes: an impossible scene is a [`SceneError`] with the names
//! of the bodies or contacts at fault. The caller must give the linear algebra slices of the lengths
//! that the functions state.

mod assembly;
mod body;
mod contact;
mod covector;
mod dense;
mod error;
mod freedom;
mod friction;
mod linkage;
mod mass;
mod mechanism;
mod planar;
mod rotation;
mod row;
mod scalar;
mod scene;
mod spatial;
mod system;
mod vector;

pub use body::Body;
pub use contact::{Contact, Geometry, Joint, JointDrive, JointKind, Side};
pub use covector::Covector;
pub use dense::{Dense, LinearSolution};
pub use error::SceneError;
pub use freedom::{Freedom, JointEquation};
pub use friction::{Directions, in_circular_cone, in_polyhedral_cone};
pub use linkage::{EndContact, Link, Linkage};
pub use mass::MassMatrix;
pub use mechanism::{
    AtLimit, Frame, GROUND, LinkFreedom, LinkJoint, Loop, Mechanism, Mechanism2, Mechanism3,
    Segment, TreeLink,
};
pub use planar::{Body2, Scene2};
pub use rotation::{Rotation2, Rotation3};
pub use row::{IntegerRow, Row};
pub use scalar::{Scalar, dot};
pub use scene::Scene;
pub use spatial::{Body3, Scene3};
pub use system::{Constraint, ContactRows, JointDriveRow, JointRow, Model, System};
pub use vector::{Vector, Vector2, Vector3};
