//! Writing down the rows of a scene's contacts and joints.

use std::collections::HashMap;
use std::marker::PhantomData;

use crate::body::Body;
use crate::contact::{Contact, Geometry, Joint, JointDrive, JointKind, Side, Travel};
use crate::covector::Covector;
use crate::error::SceneError;
use crate::freedom::JointEquation;
use crate::scalar::Scalar;
use crate::system::{Constraint, ContactRows, JointDriveRow, JointRow};
use crate::vector::Vector;

/// A scene whose rows are being written down.
pub(crate) struct Assembly<'a, S, B, const D: usize> {
    bodies: &'a [B],
    numbers: PhantomData<S>,
    names: HashMap<&'a str, usize>,
    starts: Vec<Option<usize>>,
}

/// Two bodies at a place.
struct Pair<'a, B> {
    bodies: [&'a B; 2],
    starts: [Option<usize>; 2],
}

impl<'a, S: Scalar, B: Body<S, D>, const D: usize> Assembly<'a, S, B, D> {
    /// `starts` are the first coordinates of the bodies, `None` for those that stay.
    pub fn new(bodies: &'a [B], starts: Vec<Option<usize>>) -> Self {
        Self {
            bodies,
            numbers: PhantomData,
            names: bodies.iter().map(B::name).zip(0..).collect(),
            starts,
        }
    }

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
            bodies: indices.map(|index| &self.bodies[index]),
            starts,
        })
    }

    pub fn contact(&self, contact: &Contact<S, D>) -> Result<ContactRows<S>, SceneError> {
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

    pub fn joint(&self, joint: &Joint<S, D>) -> Result<Vec<JointRow<S>>, SceneError> {
        let owner = format!("joint {:?}", joint.name);
        let pair = self.pair(&owner, [&joint.first, &joint.second])?;
        let pin = |k: usize| JointRow {
            name: format!("{} axis {k}", joint.name),
            constraint: pair.material(&Vector::axis(k), &joint.point),
        };
        let slider = |name: String, normal: &Vector<S, D>| {
            let corner = Contact::new("", "", "", joint.point.clone(), normal.clone());
            let constraint = pair.normal(&corner);
            JointRow { name, constraint }
        };
        match &joint.kind {
            JointKind::Pin => Ok((0..D).map(pin).collect()),
            JointKind::Slider(normal) => Ok(vec![slider(joint.name.clone(), normal)]),
            JointKind::Free(freedom) => {
                let equations = joint.equations(freedom)?;
                let row = |(k, equation): (usize, &JointEquation<S, D>)| match equation {
                    JointEquation::Together { axis } => pin(*axis),
                    JointEquation::Along { second } => {
                        slider(format!("{} across {k}", joint.name), second)
                    }
                    JointEquation::Square { first, second } => JointRow {
                        name: format!("{} turn {k}", joint.name),
                        constraint: pair.square(first, second),
                    },
                };
                Ok(equations.iter().enumerate().map(row).collect())
            }
        }
    }
}

/// The rows of the travel of joints.
#[derive(Debug)]
pub(crate) struct TravelRows<S> {
    /// A limit that a joint stands at is a contact without friction.
    pub limits: Vec<ContactRows<S>>,
    /// A drive away from its speed is a force along a row.
    pub forces: Vec<(Covector<S>, S)>,
    /// A drive at its speed holds it.
    pub drives: Vec<JointDriveRow<S>>,
}

impl<S: Scalar, B: Body<S, D>, const D: usize> Assembly<'_, S, B, D> {
    /// The rows of the limits that joints stand at, and of their drives, for these generalised velocities.
    pub fn travels(
        &self,
        joints: &[Joint<S, D>],
        velocity: &[S],
    ) -> Result<TravelRows<S>, SceneError> {
        let mut rows = TravelRows {
            limits: Vec::new(),
            forces: Vec::new(),
            drives: Vec::new(),
        };
        for joint in joints {
            let Some(travel) = joint.travel()? else {
                continue;
            };
            let owner = format!("joint {:?}", joint.name);
            let pair = self.pair(&owner, [&joint.first, &joint.second])?;
            let (constraint, unit) = match &travel {
                Travel::Turn { across: [e, b] } => (pair.square(e, b), " (N m)"),
                Travel::Shift { axis } => {
                    let along = Contact::new("", "", "", joint.point.clone(), axis.clone());
                    (pair.normal(&along), "")
                }
            };
            let sides = [
                ("lower", constraint.clone()),
                ("upper", constraint.negated()),
            ];
            let ends = sides.into_iter().zip(joint.at_limits());
            for ((side, normal), _) in ends.filter(|(_, at)| *at) {
                let none = || Constraint::new(Covector::zero(), S::zero());
                rows.limits.push(ContactRows {
                    name: format!("{side} limit of {}{unit}", joint.name),
                    normal,
                    tangents: (1..D).map(|_| none()).collect(),
                    mu: S::zero(),
                    slip: None,
                });
            }
            if let Some(drive) = joint.drive.as_ref().filter(|own| !own.bound.is_zero()) {
                let name = format!("drive of {}{unit}", joint.name);
                rows.drive(name, drive, constraint, velocity);
            }
        }
        Ok(rows)
    }
}

impl<S: Scalar> TravelRows<S> {
    /// A drive below its speed pushes forwards with all that it has, above it backwards. At its speed it gives what holds it there, if
    /// its bound is enough for that.
    fn drive(
        &mut self,
        name: String,
        drive: &JointDrive<S>,
        mut constraint: Constraint<S>,
        velocity: &[S],
    ) {
        let missing = drive.speed.clone() - &constraint.velocity(velocity);
        let scale = constraint.speeds(velocity) + drive.speed.abs();
        if missing.is_negligible(&scale) {
            constraint.rate -= &drive.speed;
            self.drives.push(JointDriveRow {
                name,
                constraint,
                bound: drive.bound.clone(),
            });
            return;
        }
        let force = match missing.signum() {
            1 => drive.bound.clone(),
            _ => -drive.bound.clone(),
        };
        self.forces.push((constraint.row, force));
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

    /// The constraint e'b = const for e of the first body and b of the second. Its rate is (w1 - w2)'(e x b), and at constant
    /// angular velocities, with e_t = w1 x e and b_t = w2 x b, the derivative of that is
    ///
    /// > e_tt'b + 2 e_t'b_t + e'b_tt.
    ///
    /// A torque e x b is a force b at the end of e with its opposite at the foot, and no body's centre matters to it.
    fn square<S: Scalar, const D: usize>(&self, e: &Vector<S, D>, b: &Vector<S, D>) -> Constraint<S>
    where
        B: Body<S, D>,
    {
        let foot = Vector::zero();
        let (there, back) = (self.row(b, e), self.row(b, &foot));
        let [first, second] = self.bodies;
        let (e_t, b_t) = (first.spin(e), second.spin(b));
        let drift =
            first.spin(&e_t).dot(b) + e_t.dot(&b_t) * &S::integer(2) + e.dot(&second.spin(&b_t));
        Constraint {
            row: there.plus(&S::integer(-1), &back),
            drift,
            rate: self.rate(b, e) - self.rate(b, &foot),
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

    /// Along a tangent, the rate of the slip t'u, u = v1(p) - v2(p), at the contact p: at constant
    /// velocity
    ///
    /// > t'(c1 - c2 + omega1 x (p_t - v1(p)) - omega2 x (p_t - v2(p))) + t_t'u
    ///
    /// because the contact p moves over both bodies, at the velocity p_t.
    fn tangent<S: Scalar, const D: usize>(
        &self,
        contact: &Contact<S, D>,
        tangent: &Vector<S, D>,
    ) -> Constraint<S>
    where
        B: Body<S, D>,
    {
        let mut constraint = self.material(tangent, &contact.point);
        let [first, second] = self.bodies;
        let [over_first, over_second] = self.wandering(contact);
        let drift = &first.spin(&over_first) - &second.spin(&over_second);
        constraint.drift += &drift.dot(tangent);
        if let Geometry::Face { of, .. } = &contact.geometry {
            let v = &first.velocity_at(&contact.point) - &second.velocity_at(&contact.point);
            constraint.drift += &self.side(*of).spin(tangent).dot(&v);
        }
        constraint
    }

    /// The velocity of the contact relative to the material points of both bodies there. On the
    /// round body of a face, it is that of the centre with n turning as the face does; on two
    /// round ones n turns with the line of centres.
    fn wandering<S: Scalar, const D: usize>(&self, contact: &Contact<S, D>) -> [Vector<S, D>; 2]
    where
        B: Body<S, D>,
    {
        let (n, point) = (&contact.normal, &contact.point);
        let [first, second] = self.bodies;
        let u = &first.velocity_at(point) - &second.velocity_at(point);
        let (spin_first, spin_second) = (first.spin(n), second.spin(n));
        match &contact.geometry {
            Geometry::Face { of, radius } => {
                let rolled = (&spin_first - &spin_second).times(radius);
                match of {
                    Side::Second => [rolled.clone(), &u + &rolled],
                    Side::First => [&rolled - &u, rolled],
                }
            }
            Geometry::Round {
                first: r1,
                second: r2,
            } => {
                let centres = &(&u + &spin_first.times(r1)) + &spin_second.times(r2);
                let across = &centres - &n.times(&n.dot(&centres));
                let sum = r1.clone() + r2;
                let turning = across.map(|value| value.clone() / &sum);
                [
                    (&spin_first - &turning).times(r1),
                    (&turning - &spin_second).times(r2),
                ]
            }
        }
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
