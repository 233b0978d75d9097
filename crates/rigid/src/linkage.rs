//! A planar serial linkage in joint space: a mechanism with a dense mass matrix.
//!
//! Links k = 0, 1, ... hang end to end from a fixed pivot. The generalised coordinates are the
//! angles of the links against the x axis. The end of link k is the sum of l_i u_i over
//! i <= k, with u_i = (cos, sin). Then
//!
//! > M_ij = k_ij (u_i . u_j) (+ I_i on the diagonal),  V_i = -sum_j k_ij (u_i x u_j) omega_j^2,
//!
//! where k_ij is the sum over links p of m_p r_pi r_pj. r_pi is l_i for i < p, the distance
//! of p's own centre of mass for i = p, and 0 beyond.

use crate::covector::Covector;
use crate::dense::Dense;
use crate::error::SceneError;
use crate::mass::MassMatrix;
use crate::rotation::Rotation2;
use crate::scalar::Scalar;
use crate::scene::unique;
use crate::system::{Constraint, ContactRows, Model, System};
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

    fn as_scene_contact(&self, contact: &EndContact<S>) -> crate::contact::Contact<S, 2> {
        let normal = contact.normal.clone();
        crate::contact::Contact::new(&contact.name, "", "", Vector::zero(), normal)
            .with_friction(contact.mu.clone())
    }

    fn direction(&self, i: usize) -> Vector2<S> {
        let angle = &self.links[i].angle;
        Vector::new([angle.cos().clone(), angle.sin().clone()])
    }

    /// r_pi: how far link i carries the centre of mass of link p.
    fn lever(&self, p: usize, i: usize) -> S {
        match i.cmp(&p) {
            std::cmp::Ordering::Less => self.links[i].length.clone(),
            std::cmp::Ordering::Equal => self.links[i].centre.clone(),
            std::cmp::Ordering::Greater => S::zero(),
        }
    }

    /// k_ij.
    fn weight(&self, i: usize, j: usize) -> S {
        let mut sum = S::zero();
        for (p, link) in self.links.iter().enumerate() {
            sum += &(self.lever(p, i) * &self.lever(p, j) * &link.mass);
        }
        sum
    }

    /// The end of link k moves with sum of l_i omega_i (quarter turn of u_i); constant rates
    /// leave -sum of l_i omega_i^2 u_i of its acceleration.
    fn end_constraint(&self, link: usize, direction: &Vector2<S>) -> Constraint<S> {
        let mut drift = S::zero();
        let mut entries = Vec::new();
        for i in 0..=link {
            let (u, length) = (self.direction(i), &self.links[i].length);
            entries.push((i, u.quarter_turn().dot(direction) * length));
            drift -= &(self.links[i].rate.squared() * length * &u.dot(direction));
        }
        Constraint::new(Covector::new(entries), drift)
    }

    fn generalised_weight(&self, i: usize) -> S {
        let turned = self.direction(i).quarter_turn();
        let mut sum = self.links[i].torque.clone();
        for (p, link) in self.links.iter().enumerate() {
            sum += &(self.lever(p, i) * &link.mass * &turned.dot(&self.gravity));
        }
        sum
    }
}

impl<S: Scalar> Model<S> for Linkage<S> {
    fn system(&self) -> Result<System<S>, SceneError> {
        self.check()?;
        let n = self.links.len();
        let weights = Dense::from_fn(n, n, |i, j| self.weight(i, j));
        let entry = |i: usize, j: usize| {
            let product = self.direction(i).dot(&self.direction(j)) * &weights[(i, j)];
            if i == j {
                product + &self.links[i].inertia
            } else {
                product
            }
        };
        let bias = |i: usize| {
            let mut sum = S::zero();
            for j in 0..n {
                let cross = self.direction(i).cross(&self.direction(j));
                sum -= &(cross * &weights[(i, j)] * &self.links[j].rate.squared());
            }
            sum
        };
        let mut mass = MassMatrix::empty();
        mass.push("linkage", Dense::from_fn(n, n, entry))?;
        let contacts = self.contacts.iter().map(|contact| {
            let tangents = self.as_scene_contact(contact).tangents;
            ContactRows {
                name: contact.name.clone(),
                normal: self.end_constraint(contact.link, &contact.normal),
                tangents: tangents
                    .iter()
                    .map(|t| self.end_constraint(contact.link, t))
                    .collect(),
                mu: contact.mu.clone(),
                slip: None,
            }
        });
        Ok(System {
            mass,
            applied: (0..n).map(|i| self.generalised_weight(i)).collect(),
            bias: (0..n).map(bias).collect(),
            velocity: self.links.iter().map(|link| link.rate.clone()).collect(),
            contacts: contacts.collect(),
            joints: Vec::new(),
        })
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
