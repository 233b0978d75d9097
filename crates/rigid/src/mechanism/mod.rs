//! A mechanism in joint space: a tree of links in the plane or in space.
//!
//! Each link hangs on its parent, or on the ground, by one joint. The generalised velocities u are the rates of the joints,
//! in the order of the links. They give the velocities of all links,
//!
//! > v = G u,  dv/dt = G du/dt + g,
//!
//! where a column of G is the motion of all links that a joint carries, and g holds the Coriolis and centripetal
//! accelerations. With the equations M acc + V = T + J'f of the links by themselves, virtual work (Jourdain) gives
//!
//! > G'MG du/dt + G'(V + M g) = G'T + tau + (J G)'f
//!
//! with the torques and forces tau of motors. The rows J of contacts and of loops become J G, with the drift dJ/dt v + J g.
//! So every contact of a [`Scene`](crate::Scene) is one of a mechanism, too.
//!
//! A limit that a joint stands at is a row of its own, without friction: a contact whose force is a torque, or a force along
//! the axis of the joint.

mod check;
mod coordinates;
mod frame;
mod joint;
mod motion;
mod place;

pub(crate) use coordinates::{Coordinates, Parts};
pub use frame::{Frame, Segment};
pub use joint::{LinkFreedom, LinkJoint};

use crate::assembly::Assembly;
use crate::contact::{Contact, JointKind};
use crate::covector::Covector;
use crate::error::SceneError;
use crate::planar::Body2;
use crate::scalar::Scalar;
use crate::spatial::Body3;
use crate::system::{Constraint, ContactRows, JointRow, Model, System};
use crate::vector::Vector;
use motion::Motion;

/// The name of the world, on which the first links hang.
pub const GROUND: &str = "ground";

/// A link of a mechanism with the joint that it hangs by.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeLink<S, B: Segment<S, D>, const D: usize>
where
    S: Scalar,
{
    /// Name, mass, inertia, and the force and torque on it in the world frame. Position (of the centre of mass) and
    /// orientation (of the axes of inertia) are in coordinates of the link, whose origin the joint places. Its velocity
    /// follows from the joints, and is not read.
    pub body: B,
    /// The link that it hangs on, or [`GROUND`].
    pub parent: String,
    /// The joint between them.
    pub joint: LinkJoint<S, B::Frame, D>,
}

/// A bilateral constraint that closes a loop of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop<S, const D: usize> {
    /// The name, unique among contacts and loops.
    pub name: String,
    /// One link, or [`GROUND`].
    pub first: String,
    /// The other.
    pub second: String,
    /// The point of each link that is joined, in its coordinates. They are one place, or for a slider at one height.
    pub points: [Vector<S, D>; 2],
    /// The kind. The normal of a slider is in coordinates of the second link.
    pub kind: JointKind<S, D>,
}

/// A tree of links with contacts, and with constraints that close loops.
///
/// With u, the rates of the joints, the links have the velocities v = G u and the accelerations G du/dt + g. The equations
/// of motion are `G'MG du/dt + G'(V + M g) = G'T + tau + (J G)'f`, with the torques and forces tau of motors.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanism<S: Scalar, B: Segment<S, D>, const D: usize> {
    /// The links, in any order.
    pub links: Vec<TreeLink<S, B, D>>,
    /// The contacts between links, or with [`GROUND`]. The point of a contact is in coordinates of its first link; all of its
    /// directions are in the world frame.
    pub contacts: Vec<Contact<S, D>>,
    /// What closes loops.
    pub loops: Vec<Loop<S, D>>,
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector<S, D>,
}

/// A mechanism of the plane.
pub type Mechanism2<S> = Mechanism<S, Body2<S>, 2>;

/// A mechanism of space.
pub type Mechanism3<S> = Mechanism<S, Body3<S>, 3>;

/// A limit that a joint stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtLimit {
    /// The link whose joint it is.
    pub link: usize,
    /// Whether it is the upper limit.
    pub upper: bool,
}

impl<S: Scalar, B: Segment<S, D>, const D: usize> Mechanism<S, B, D> {
    /// The number of generalised velocities.
    pub fn dofs(&self) -> usize {
        self.links
            .iter()
            .map(|link| link.joint.freedom.dofs())
            .sum()
    }

    /// The generalised velocities: the link whose joint has each, with a number where it has several, and whether it turns.
    pub fn rates(&self) -> Vec<(String, bool)> {
        let named = |link: &TreeLink<S, B, D>| {
            let (name, turning) = (link.body.name().to_owned(), link.joint.freedom.turning());
            let several = turning.len() > 1;
            let one = move |(k, turns): (usize, bool)| match several {
                true => (format!("{name} {}", k + 1), turns),
                false => (name.clone(), turns),
            };
            turning.into_iter().enumerate().map(one).collect::<Vec<_>>()
        };
        self.links.iter().flat_map(named).collect()
    }

    /// Where the rates of each link's joint start among the generalised velocities.
    fn starts(&self) -> Vec<usize> {
        let mut next = 0;
        let start = |link: &TreeLink<S, B, D>| {
            let own = next;
            next += link.joint.freedom.dofs();
            own
        };
        self.links.iter().map(start).collect()
    }

    /// The limits that joints stand at, in the order of their rows, which follow those of the contacts.
    pub fn limits(&self) -> Vec<AtLimit> {
        let sides = |(link, own): (usize, &TreeLink<S, B, D>)| {
            let [lower, upper] = own.joint.freedom.at_limits();
            let sides = [(lower, false), (upper, true)].into_iter();
            sides.filter_map(move |(at, upper)| at.then_some(AtLimit { link, upper }))
        };
        self.links.iter().enumerate().flat_map(sides).collect()
    }

    /// The row of a limit: the rate of the joint away from it.
    fn limit_rows(&self, limit: &AtLimit) -> ContactRows<S> {
        let sign = S::integer(if limit.upper { -1 } else { 1 });
        let row = Covector::new([(self.starts()[limit.link], sign)]);
        let zero = || Constraint::new(Covector::zero(), S::zero());
        ContactRows {
            name: self.limit_name(limit),
            normal: Constraint::new(row, S::zero()),
            tangents: (1..D).map(|_| zero()).collect(),
            mu: S::zero(),
            slip: None,
        }
    }

    /// Its name. The force of a limit to an angle is a torque, which the name says: other rows have forces in N.
    fn limit_name(&self, limit: &AtLimit) -> String {
        let link = &self.links[limit.link];
        let side = if limit.upper { "upper" } else { "lower" };
        let unit = match link.joint.freedom {
            LinkFreedom::Revolute { .. } => " (N m)",
            _ => "",
        };
        format!("{side} limit of {}{unit}", link.body.name())
    }

    pub(crate) fn parts(&self) -> Result<Parts<S>, SceneError> {
        self.check()?;
        let motions = self.motions()?;
        let (contacts, loops) = (self.contacts_at(&motions)?, self.loops_at(&motions)?);
        let bodies = self.placed(&motions);
        let starts = (0..bodies.len()).map(|k| Some(k * B::DOFS));
        let starts = starts.chain([None]).collect();
        let all: Vec<B> = bodies.iter().cloned().chain([B::ground(GROUND)]).collect();
        let assembly = Assembly::new(&all, starts);
        let rows = contacts.iter().map(|contact| assembly.contact(contact));
        let joints = loops.iter().map(|joint| assembly.joint(joint));
        let joints: Vec<Vec<JointRow<S>>> = joints.collect::<Result<_, _>>()?;
        let free = Parts {
            mass: bodies.iter().map(B::mass_matrix).collect(),
            applied: bodies
                .iter()
                .flat_map(|own| own.applied(&self.gravity))
                .collect(),
            bias: bodies.iter().flat_map(B::gyroscopic).collect(),
            contacts: rows.collect::<Result<_, _>>()?,
            joints: joints.into_iter().flatten().collect(),
        };
        let mut parts = free.in_coordinates(&self.coordinates(&motions, &bodies));
        let motors = self.links.iter().flat_map(|link| &link.joint.efforts);
        for (applied, motor) in parts.applied.iter_mut().zip(motors) {
            *applied += motor;
        }
        let limits = self.limits();
        parts
            .contacts
            .extend(limits.iter().map(|own| self.limit_rows(own)));
        Ok(parts)
    }

    /// Why a generalised velocity moves no mass.
    fn without_mass(&self, dof: usize) -> SceneError {
        let starts = self.starts();
        let link = (0..self.links.len()).rev().find(|k| starts[*k] <= dof);
        let Some((link, start)) = link.map(|k| (&self.links[k], starts[k])) else {
            let link = "mechanism".to_owned();
            return SceneError::MovesNoMass { link };
        };
        let name = link.body.name().to_owned();
        let turning = link.joint.freedom.turning();
        let turns = turning.len() > 1 && turning.get(dof - start) == Some(&true);
        // A mass that is a point moves in all turns but one: that about the line through it.
        match turns && !link.body.mass_matrix()[(0, 0)].is_zero() {
            true => SceneError::TurnsNoMass { link: name },
            false => SceneError::MovesNoMass { link: name },
        }
    }

    /// G, row by row, and g.
    fn coordinates(&self, motions: &[Motion<S, B::Frame, D>], bodies: &[B]) -> Coordinates<S> {
        let (mut rows, mut drift) = (Vec::new(), Vec::new());
        for (motion, body) in motions.iter().zip(bodies) {
            rows.extend(motion.rows_at(body.centre(), B::DOFS));
            drift.extend(motion.acceleration_at(body.centre()));
        }
        let dofs = self.dofs();
        Coordinates { rows, drift, dofs }
    }
}

impl<S: Scalar, B: Segment<S, D>, const D: usize> Model<S> for Mechanism<S, B, D> {
    fn system(&self) -> Result<System<S>, SceneError> {
        let rates = self.links.iter().flat_map(|link| &link.joint.rates);
        let velocity = rates.cloned().collect();
        let parts = self.parts()?;
        if let Some(dof) = parts.first_without_mass() {
            return Err(self.without_mass(dof));
        }
        parts.system("mechanism", velocity)
    }

    fn with_velocity(&self, velocity: &[S]) -> Result<Self, SceneError> {
        let dofs = self.dofs();
        if velocity.len() != dofs {
            return Err(SceneError::Length {
                what: "the velocity",
                length: velocity.len(),
                dofs,
            });
        }
        let mut mechanism = self.clone();
        let mut rest = velocity.iter().cloned();
        for link in &mut mechanism.links {
            let own = link.joint.freedom.dofs();
            link.joint.rates = rest.by_ref().take(own).collect();
        }
        Ok(mechanism)
    }
}
