//! A planar serial linkage in joint space: a mechanism with a dense mass matrix.
//!
//! Links k = 0, 1, ... hang end to end from a fixed pivot. It is the [`Mechanism`] of a tree without branches whose joints
//! turn, in other coordinates: the generalised coordinates are the angles of the links against the x axis. Those of the
//! mechanism are angles between links, so that its rates are differences of these.

use crate::contact::Contact;
use crate::covector::Covector;
use crate::error::SceneError;
use crate::mechanism::{
    Coordinates, GROUND, LinkFreedom, LinkJoint, Mechanism, Mechanism2, TreeLink,
};
use crate::planar::Body2;
use crate::rotation::Rotation2;
use crate::scalar::Scalar;
use crate::scene::unique;
use crate::system::{Model, System};
use crate::vector::{Vector, Vector2};

/// One link of a serial linkage.
#[derive(Debug, Clone, PartialEq)]
pub struct Link<S> {
    /// Mass, kg.
    pub mass: S,
    /// Inertia about its centre of mass, kg m^2.
    pub inertia: S,
    /// Length from joint to joint, m.
    pub length: S,
    /// Distance of the centre of mass from the first joint, m.
    pub centre: S,
    /// The angle against the x axis.
    pub angle: Rotation2<S>,
    /// The rate of that angle, 1/s.
    pub rate: S,
    /// Torque on this angle (motor torque of this joint less that of the next), N m.
    pub torque: S,
}

/// A contact of the end of a link with a fixed straight wall.
#[derive(Debug, Clone, PartialEq)]
pub struct EndContact<S> {
    /// The name.
    pub name: String,
    /// The link of the end.
    pub link: usize,
    /// The unit normal of the wall, towards the free side.
    pub normal: Vector2<S>,
    /// The coefficient of friction.
    pub mu: S,
}

/// A serial linkage with contacts at ends of links.
#[derive(Debug, Clone, PartialEq)]
pub struct Linkage<S> {
    /// The links, from the fixed pivot on.
    pub links: Vec<Link<S>>,
    /// The contacts.
    pub contacts: Vec<EndContact<S>>,
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector2<S>,
}

impl<S: Scalar> Linkage<S> {
    fn check(&self) -> Result<(), SceneError> {
        if !self.gravity.is_finite() {
            return Err(crate::body::not_finite("linkage", "gravity"));
        }
        for (k, link) in self.links.iter().enumerate() {
            let body = || format!("link {k}");
            let numbers = [
                &link.mass,
                &link.inertia,
                &link.length,
                &link.centre,
                &link.rate,
                &link.torque,
            ];
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(crate::body::not_finite(&body(), "data"));
            }
            crate::body::check_mass(&body(), &link.mass)?;
            if link.inertia.signum() <= 0 {
                return Err(SceneError::Inertia { body: body() });
            }
            if link.length.signum() <= 0 {
                let length = link.length.to_string();
                return Err(SceneError::LinkLength { link: k, length });
            }
            if !link.angle.is_valid() {
                return Err(SceneError::Orientation { body: body() });
            }
        }
        unique(self.contacts.iter().map(|contact| contact.name.as_str()))?;
        self.contacts.iter().try_for_each(|contact| {
            if contact.link >= self.links.len() {
                return Err(SceneError::MissingBody {
                    owner: format!("contact {:?}", contact.name),
                    body: format!("link {}", contact.link),
                });
            }
            self.as_scene_contact(contact).check()
        })
    }

    fn as_scene_contact(&self, contact: &EndContact<S>) -> Contact<S, 2> {
        let normal = contact.normal.clone();
        Contact::new(&contact.name, "", "", Vector::zero(), normal)
            .with_friction(contact.mu.clone())
    }

    /// The linkage as a mechanism. The angles of its joints are those between links, and so are their rates. A joint turns all links
    /// from its own on, so the torque of its motor is the sum of their torques.
    pub fn mechanism(&self) -> Mechanism2<S> {
        let mut motor = S::zero();
        let mut motors: Vec<S> = Vec::new();
        for link in self.links.iter().rev() {
            motor += &link.torque;
            motors.push(motor.clone());
        }
        let mut before = Rotation2::<S>::identity();
        let mut rate = S::zero();
        let mut end = Vector::zero();
        let mut links = Vec::new();
        for (k, (link, motor)) in self.links.iter().zip(motors.into_iter().rev()).enumerate() {
            let back = Rotation2::from_cos_sin(before.cos().clone(), -before.sin().clone());
            let freedom = LinkFreedom::Revolute {
                axis: vec![S::one()],
                position: back.after(&link.angle),
                limits: None,
            };
            let centre = Vector::axis(0).times(&link.centre);
            let (mass, inertia) = (link.mass.clone(), link.inertia.clone());
            let joint = LinkJoint::new(end, freedom).moving(vec![link.rate.clone() - &rate]);
            links.push(TreeLink {
                body: Body2::new(name(k), mass, inertia, centre),
                parent: k.checked_sub(1).map_or_else(|| GROUND.to_owned(), name),
                joint: joint.driven(vec![motor]),
            });
            before = link.angle.clone();
            rate = link.rate.clone();
            end = Vector::axis(0).times(&link.length);
        }
        let contacts = self.contacts.iter().map(|contact| Contact {
            first: name(contact.link),
            second: GROUND.to_owned(),
            point: Vector::axis(0).times(&self.links[contact.link].length),
            ..self.as_scene_contact(contact)
        });
        Mechanism {
            links,
            contacts: contacts.collect(),
            loops: Vec::new(),
            gravity: self.gravity.clone(),
        }
    }

    /// The rates of the joints from those of the angles against the x axis: each less the one before.
    fn coordinates(&self) -> Coordinates<S> {
        let n = self.links.len();
        let row = |k: usize| {
            let before = k.checked_sub(1).map(|before| (before, -S::one()));
            Covector::new(before.into_iter().chain([(k, S::one())]))
        };
        Coordinates {
            rows: (0..n).map(row).collect(),
            drift: vec![S::zero(); n],
            dofs: n,
        }
    }
}

fn name(link: usize) -> String {
    format!("link {link}")
}

impl<S: Scalar> Model<S> for Linkage<S> {
    fn system(&self) -> Result<System<S>, SceneError> {
        self.check()?;
        let parts = self.mechanism().parts()?;
        let parts = parts.in_coordinates(&self.coordinates());
        let rates = self.links.iter().map(|link| link.rate.clone());
        parts.system("linkage", rates.collect())
    }

    fn with_velocity(&self, velocity: &[S]) -> Result<Self, SceneError> {
        if velocity.len() != self.links.len() {
            return Err(SceneError::Length {
                what: "the velocity",
                length: velocity.len(),
                dofs: self.links.len(),
            });
        }
        let mut linkage = self.clone();
        for (link, rate) in linkage.links.iter_mut().zip(velocity) {
            link.rate = rate.clone();
        }
        Ok(linkage)
    }
}
