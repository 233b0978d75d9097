//! Scenes of free bodies, and the mechanical systems that they make.

use std::collections::{HashMap, HashSet};

use crate::body::Body;
use crate::contact::{Contact, Geometry, Joint, JointKind, Side};
use crate::covector::Covector;
use crate::error::SceneError;
use crate::mass::MassMatrix;
use crate::scalar::Scalar;
use crate::system::{Constraint, ContactRows, JointRow, Model, System};
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
    fn starts(&self) -> Vec<Option<usize>> {
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

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), SceneError> {
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
        let names = self.bodies.iter().map(B::name).zip(0..).collect();
        let assembly = Assembly {
            scene: self,
            names,
            starts: self.starts(),
        };
        let contacts = self
            .contacts
            .iter()
            .map(|contact| assembly.contact(contact));
        let contacts = contacts.collect::<Result<_, _>>()?;
        let joints = self.joints.iter().map(|joint| assembly.joint(joint));
        let joints: Vec<_> = joints.collect::<Result<_, _>>()?;
        Ok(System {
            mass,
            applied,
            bias,
            velocity,
            contacts,
            joints: joints.into_iter().flatten().collect(),
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

/// A scene whose rows are being written down.
struct Assembly<'a, S, B, const D: usize> {
    scene: &'a Scene<S, B, D>,
    names: HashMap<&'a str, usize>,
    starts: Vec<Option<usize>>,
}

/// Two bodies at a place.
struct Pair<'a, B> {
    bodies: [&'a B; 2],
    starts: [Option<usize>; 2],
}

impl<'a, S: Scalar, B: Body<S, D>, const D: usize> Assembly<'a, S, B, D> {
    fn pair(&self, owner: &str, names: [&String; 2]) -> Result<Pair<'a, B>, SceneError> {
        let find = |name: &String| {
            let found = self.names.get(name.as_str()).copied();
            found.ok_or_else(|| SceneError::MissingBody {
                owner: owner.to_owned(),
                body: name.clone(),
            })
        };
        let indices = [find(names[0])?, find(names[1])?];
        let owner = owner.to_owned();
        if indices[0] == indices[1] {
            let body = names[0].clone();
            return Err(SceneError::SameBody { owner, body });
        }
        let starts = indices.map(|index| self.starts[index]);
        if starts == [None, None] {
            return Err(SceneError::NothingMoves { owner });
        }
        Ok(Pair {
            bodies: indices.map(|index| &self.scene.bodies[index]),
            starts,
        })
    }

    fn contact(&self, contact: &Contact<S, D>) -> Result<ContactRows<S>, SceneError> {
        let owner = format!("contact {:?}", contact.name);
        let pair = self.pair(&owner, [&contact.first, &contact.second])?;
        let tangent = |tangent| pair.tangent(contact, tangent);
        let coordinates = |slip: &Vector<S, D>| {
            let along = |tangent: &Vector<S, D>| tangent.dot(slip);
            contact.tangents.iter().map(along).collect()
        };
        Ok(ContactRows {
            name: contact.name.clone(),
            normal: pair.normal(contact),
            tangents: contact.tangents.iter().map(tangent).collect(),
            mu: contact.mu.clone(),
            slip: contact.slip.as_ref().map(coordinates),
        })
    }

    fn joint(&self, joint: &Joint<S, D>) -> Result<Vec<JointRow<S>>, SceneError> {
        let owner = format!("joint {:?}", joint.name);
        let pair = self.pair(&owner, [&joint.first, &joint.second])?;
        let JointKind::Slider(normal) = &joint.kind else {
            let row = |k: usize| JointRow {
                name: format!("{} axis {k}", joint.name),
                constraint: pair.material(&Vector::axis(k), &joint.point),
            };
            return Ok((0..D).map(row).collect());
        };
        let corner = Contact::new("", "", "", joint.point.clone(), normal.clone());
        Ok(vec![JointRow {
            name: joint.name.clone(),
            constraint: pair.normal(&corner),
        }])
    }
}

impl<B> Pair<'_, B> {
    /// The constraint on the material points at a place along a direction fixed in space.
    fn material<S: Scalar, const D: usize>(
        &self,
        direction: &Vector<S, D>,
        place: &Vector<S, D>,
    ) -> Constraint<S>
    where
        B: Body<S, D>,
    {
        let [first, second] = self.bodies;
        let drift = &first.centripetal_at(place) - &second.centripetal_at(place);
        Constraint {
            row: self.row(direction, place),
            drift: drift.dot(direction),
            rate: self.rate(direction, place),
        }
    }

    fn row<S: Scalar, const D: usize>(
        &self,
        direction: &Vector<S, D>,
        place: &Vector<S, D>,
    ) -> Covector<S>
    where
        B: Body<S, D>,
    {
        let signs = [direction.clone(), -direction];
        let mut entries = Vec::new();
        for ((body, start), direction) in self.bodies.iter().zip(self.starts).zip(signs) {
            if let Some(start) = start {
                entries.extend((start..).zip(body.wrench(&direction, place)));
            }
        }
        Covector::new(entries)
    }

    /// The share of fixed bodies in the relative velocity.
    fn rate<S: Scalar, const D: usize>(&self, direction: &Vector<S, D>, place: &Vector<S, D>) -> S
    where
        B: Body<S, D>,
    {
        let fixed = |side: usize| match self.starts[side] {
            None => self.bodies[side].velocity_at(place).dot(direction),
            Some(_) => S::zero(),
        };
        fixed(0) - fixed(1)
    }

    /// The second derivative of the gap n'(p1 - p2) - radii between the anchors of the surfaces
    /// (corner, or centre of curvature, and foot), which at constant velocity is
    ///
    /// > n'(c1 - c2) + 2 n_t'(v1 - v2) + n_tt'(p1 - p2)
    ///
    /// with the centripetal accelerations c, n_t = omega x n and n_tt = omega x (omega x n) of
    /// the body of the face; for two round surfaces n turns with the line of centres, and it is
    /// n'(c1 - c2) + (|v|^2 - (n'v)^2)/(r1 + r2).
    fn normal<S: Scalar, const D: usize>(&self, contact: &Contact<S, D>) -> Constraint<S>
    where
        B: Body<S, D>,
    {
        let (n, point) = (&contact.normal, &contact.point);
        let radii = contact.geometry.radii();
        let anchors = [point + &n.times(&radii[0]), point - &n.times(&radii[1])];
        let [first, second] = self.bodies;
        let v = &first.velocity_at(&anchors[0]) - &second.velocity_at(&anchors[1]);
        let c = &first.centripetal_at(&anchors[0]) - &second.centripetal_at(&anchors[1]);
        let between = &anchors[0] - &anchors[1];
        let turning = match &contact.geometry {
            Geometry::Face { of, .. } => {
                let owner = self.side(*of);
                let rate = owner.spin(n);
                rate.dot(&v) * &S::integer(2) + owner.spin(&rate).dot(&between)
            }
            Geometry::Round { .. } => {
                let along = n.dot(&v);
                (v.norm_squared() - along.squared()) / &n.dot(&between)
            }
        };
        Constraint {
            row: self.row(n, point),
            drift: n.dot(&c) + turning,
            rate: self.rate(n, point),
        }
    }

    /// Along a tangent, the material points at the contact: t'(c1 - c2) + t_t'(v1 - v2).
    fn tangent<S: Scalar, const D: usize>(
        &self,
        contact: &Contact<S, D>,
        tangent: &Vector<S, D>,
    ) -> Constraint<S>
    where
        B: Body<S, D>,
    {
        let mut constraint = self.material(tangent, &contact.point);
        if let Geometry::Face { of, .. } = &contact.geometry {
            let [first, second] = self.bodies;
            let v = &first.velocity_at(&contact.point) - &second.velocity_at(&contact.point);
            constraint.drift += &self.side(*of).spin(tangent).dot(&v);
        }
        constraint
    }

    fn side(&self, side: Side) -> &B {
        match side {
            Side::First => self.bodies[0],
            Side::Second => self.bodies[1],
        }
    }
}

impl<S: Scalar> Geometry<S> {
    /// The radii of curvature of the first and the second body at the contact, 0 for corners and
    /// faces.
    pub fn radii(&self) -> [S; 2] {
        match self {
            Self::Face {
                of: Side::Second,
                radius,
            } => [radius.clone(), S::zero()],
            Self::Face {
                of: Side::First,
                radius,
            } => [S::zero(), radius.clone()],
            Self::Round { first, second } => [first.clone(), second.clone()],
        }
    }
}
