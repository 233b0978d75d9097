//! Scenes of free bodies, and the mechanical systems that they make.

use std::collections::HashSet;

use crate::assembly::Assembly;
use crate::body::Body;
use crate::contact::{Contact, Joint};
use crate::error::SceneError;
use crate::mass::MassMatrix;
use crate::scalar::Scalar;
use crate::system::{Model, System};
use crate::vector::Vector;

/// Bodies with contacts and joints between them. See the [crate](crate) for conventions.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene<S, B, const D: usize> {
    /// The bodies.
    pub bodies: Vec<B>,
    /// The contacts.
    pub contacts: Vec<Contact<S, D>>,
    /// The joints.
    pub joints: Vec<Joint<S, D>>,
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector<S, D>,
}

impl<S: Scalar, B: Body<S, D>, const D: usize> Scene<S, B, D> {
    /// An empty scene.
    pub fn new(gravity: Vector<S, D>) -> Self {
        Self {
            bodies: Vec::new(),
            contacts: Vec::new(),
            joints: Vec::new(),
            gravity,
        }
    }

    /// Adds a body.
    pub fn body(mut self, body: B) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a contact.
    pub fn contact(mut self, contact: Contact<S, D>) -> Self {
        self.contacts.push(contact);
        self
    }

    /// Adds a joint.
    pub fn joint(mut self, joint: Joint<S, D>) -> Self {
        self.joints.push(joint);
        self
    }

    /// Where each body's generalised coordinates start; fixed bodies have none.
    pub(crate) fn starts(&self) -> Vec<Option<usize>> {
        let mut next = 0;
        let start = |body: &B| {
            (!body.is_fixed()).then(|| {
                let own = next;
                next += B::DOFS;
                own
            })
        };
        self.bodies.iter().map(start).collect()
    }

    fn check(&self) -> Result<(), SceneError> {
        if !self.gravity.is_finite() {
            return Err(SceneError::NotFinite {
                owner: "the scene".to_owned(),
                quantity: "gravity",
            });
        }
        self.bodies.iter().try_for_each(B::check)?;
        self.contacts.iter().try_for_each(Contact::check)?;
        self.joints.iter().try_for_each(Joint::check)?;
        unique(self.bodies.iter().map(B::name))?;
        let contacts = self.contacts.iter().map(|contact| contact.name.as_str());
        unique(contacts.chain(self.joints.iter().map(|joint| joint.name.as_str())))
    }
}

/// Refuses names that come twice.
pub(crate) fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), SceneError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            let name = name.to_owned();
            return Err(SceneError::DuplicateName { name });
        }
    }
    Ok(())
}

impl<S: Scalar, B: Body<S, D>, const D: usize> Model<S> for Scene<S, B, D> {
    fn system(&self) -> Result<System<S>, SceneError> {
        self.check()?;
        let mut mass = MassMatrix::empty();
        let (mut applied, mut bias, mut velocity) = (Vec::new(), Vec::new(), Vec::new());
        for body in self.bodies.iter().filter(|body| !body.is_fixed()) {
            mass.push(body.name(), body.mass_matrix())?;
            applied.extend(body.applied(&self.gravity));
            bias.extend(body.gyroscopic());
            velocity.extend(body.velocity());
        }
        let assembly = Assembly::new(&self.bodies, self.starts());
        let contacts = self
            .contacts
            .iter()
            .map(|contact| assembly.contact(contact));
        let mut contacts: Vec<_> = contacts.collect::<Result<_, _>>()?;
        let travels = assembly.travels(&self.joints, &velocity)?;
        for (row, force) in &travels.forces {
            row.add_to(force, &mut applied);
        }
        contacts.extend(travels.limits);
        let joints = self.joints.iter().map(|joint| assembly.joint(joint));
        let joints: Vec<_> = joints.collect::<Result<_, _>>()?;
        Ok(System {
            mass,
            applied,
            bias,
            velocity,
            contacts,
            joints: joints.into_iter().flatten().collect(),
            drives: travels.drives,
        })
    }

    fn with_velocity(&self, velocity: &[S]) -> Result<Self, SceneError> {
        let starts = self.starts();
        let dofs = starts.iter().flatten().count() * B::DOFS;
        if velocity.len() != dofs {
            return Err(SceneError::Length {
                what: "the velocity",
                length: velocity.len(),
                dofs,
            });
        }
        let mut scene = self.clone();
        for (body, start) in scene.bodies.iter_mut().zip(starts) {
            if let Some(start) = start {
                body.set_velocity(&velocity[start..start + B::DOFS]);
            }
        }
        Ok(scene)
    }
}
