//! Bodies with implicit surfaces, and which pairs of them may touch.

use rug::Rational;

use super::number::{Number, dot, minus};
use super::pose::{Pose, rotation};
use super::shape::Shape;
use crate::error::StepError;

/// How a body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Mobility {
    /// Not at all; coordinates as of a rigid body say where it is.
    Fixed(Vec<Rational>),
    /// With the velocity of its state, whatever pushes it: an obstacle that moves. Coordinates are those of a rigid body.
    Driven,
    /// Without turning: x, y or x, y, z.
    Particle,
    /// As a rigid body: x, y, theta, or x, y, z and the unit quaternion e0 to e3, with the angular
    /// velocity in the world. Its inertia is one number (kg m^2) in the plane, the three about its
    /// own axes in space.
    Rigid {
        /// The inertia.
        inertia: Vec<Rational>,
    },
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The name.
    pub name: String,
    /// kg; of no account where the body is fixed.
    pub mass: Rational,
    /// Its surface, about its centre of mass.
    pub shape: Shape,
    /// How it moves.
    pub mobility: Mobility,
}

/// Two bodies that may touch: a point, an ellipsoid or a superquadric, and anything but a point. A cavity takes
/// points only.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The first body, which the normal points to.
    pub first: usize,
    /// The second one.
    pub second: usize,
    /// The coefficient of friction.
    pub mu: Rational,
    /// The largest torque about the normal of a unit normal force, m; 0 in the plane.
    pub torsion: Rational,
}

/// A constant force on the centre of mass of a body, and a constant torque, in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstantLoad {
    /// The body.
    pub body: usize,
    /// N. It has a potential.
    pub force: Vec<Rational>,
    /// N m: one number in the plane, three in space; none for a body that does not turn. It has no potential, and does work.
    pub torque: Vec<Rational>,
}

/// A system of bodies in the plane or in space, under gravity.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    dimension: usize,
    gravity: Vec<Rational>,
    loads: Vec<ConstantLoad>,
    bodies: Vec<Body>,
    pairs: Vec<Pair>,
    /// Of each pair.
    restitutions: Vec<Rational>,
}

/// Where coordinates and velocities of a body begin, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots {
    pub q: usize,
    pub q_len: usize,
    pub v: usize,
    pub v_len: usize,
}

impl System {
    /// A system in 2 or 3 dimensions; data are checked.
    ///
    /// # Errors
    /// [`StepError::Setting`], [`StepError::Length`], [`StepError::Missing`].
    pub fn new(
        gravity: Vec<Rational>,
        bodies: Vec<Body>,
        pairs: Vec<Pair>,
    ) -> Result<Self, StepError> {
        let system = Self {
            dimension: gravity.len(),
            gravity,
            loads: Vec::new(),
            bodies,
            restitutions: vec![Rational::new(); pairs.len()],
            pairs,
        };
        system.check()?;
        Ok(system)
    }

    /// The same with a constant force and torque on a body.
    ///
    /// # Errors
    /// [`StepError::Missing`] for a body that no force moves, [`StepError::Length`].
    pub fn with_load(mut self, load: ConstantLoad) -> Result<Self, StepError> {
        let moved = self.bodies.get(load.body).filter(|own| own.has_mass());
        let moved = moved.ok_or(StepError::Missing {
            what: "body that forces move",
            index: load.body,
        })?;
        let turns = moved.slots(self.dimension).1 - self.dimension;
        let lengths = [
            ("a force", load.force.len(), self.dimension),
            ("a torque", load.torque.len(), turns),
        ];
        for (what, length, expected) in lengths {
            if length != expected {
                return Err(StepError::Length {
                    what,
                    length,
                    expected,
                });
            }
        }
        self.loads.push(load);
        Ok(self)
    }

    /// The same with a coefficient of restitution of a pair, by Newton's law.
    ///
    /// # Errors
    /// [`StepError::Missing`], [`StepError::Setting`] for a coefficient that is not from 0 to 1.
    pub fn with_restitution(
        mut self,
        pair: usize,
        coefficient: Rational,
    ) -> Result<Self, StepError> {
        if !(0..=1).contains(&coefficient) {
            return Err(StepError::Setting {
                setting: "the coefficient of restitution",
                value: coefficient.to_string(),
                range: "from 0 to 1",
            });
        }
        let own = self.restitutions.get_mut(pair);
        *own.ok_or(StepError::Missing {
            what: "pair",
            index: pair,
        })? = coefficient;
        Ok(self)
    }

    /// The coefficient of restitution of a pair.
    pub fn restitution(&self, pair: usize) -> Rational {
        self.restitutions.get(pair).cloned().unwrap_or_default()
    }

    fn check(&self) -> Result<(), StepError> {
        if !(2..=3).contains(&self.dimension) {
            return bad("the dimension", self.dimension.to_string(), "2 or 3");
        }
        for body in &self.bodies {
            body.check(self.dimension)?;
        }
        if !self.bodies.iter().any(Body::has_mass) {
            return bad("the number of moving bodies", "0".to_owned(), "at least 1");
        }
        self.pairs.iter().try_for_each(|pair| self.check_pair(pair))
    }

    fn check_pair(&self, pair: &Pair) -> Result<(), StepError> {
        let shape = |index| {
            let body = self.bodies.get(index);
            let missing = StepError::Missing {
                what: "body",
                index,
            };
            body.map(|body| &body.shape).ok_or(missing)
        };
        // The closest points have to be a smooth function of the poses. A strictly convex body
        // and a convex one that are apart have one pair of them; an ellipsoid in a cavity may
        // touch at several places at once.
        let fits = matches!(
            (shape(pair.first)?, shape(pair.second)?),
            (
                Shape::Point,
                Shape::HalfSpace { .. }
                    | Shape::Ellipsoid { .. }
                    | Shape::Superquadric { .. }
                    | Shape::Cavity { .. }
            ) | (
                Shape::Ellipsoid { .. } | Shape::Superquadric { .. },
                Shape::HalfSpace { .. } | Shape::Ellipsoid { .. } | Shape::Superquadric { .. }
            )
        );
        if !fits || pair.first == pair.second {
            let range = "a point, ellipsoid or superquadric, and another body that is no point; a cavity takes points";
            return bad("a pair", self.pair_name(pair), range);
        }
        let sides = [pair.first, pair.second];
        if !sides.iter().any(|side| self.bodies[*side].has_mass()) {
            let range = "of a body that forces move";
            return bad("a pair", self.pair_name(pair), range);
        }
        if pair.mu < 0 {
            return bad("mu", pair.mu.to_string(), "at least 0");
        }
        if pair.torsion < 0 {
            return bad("torsion", pair.torsion.to_string(), "at least 0");
        }
        let turns = |side: &usize| matches!(self.bodies[*side].mobility, Mobility::Rigid { .. });
        if pair.torsion != 0 && (self.dimension == 2 || !sides.iter().any(turns)) {
            let range = "0 in the plane, and between bodies that do not turn";
            return bad("torsion", pair.torsion.to_string(), range);
        }
        Ok(())
    }

    /// The same with that share of all friction.
    pub(super) fn with_friction(&self, share: &Rational) -> Self {
        let mut own = self.clone();
        for pair in &mut own.pairs {
            pair.mu *= share;
            pair.torsion *= share;
        }
        own
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The acceleration of gravity, m/s^2.
    pub fn gravity(&self) -> &[Rational] {
        &self.gravity
    }

    /// The bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The pairs.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The name of a pair: `first/second`.
    pub fn pair_name(&self, pair: &Pair) -> String {
        let name = |i: usize| self.bodies.get(i).map_or("", |body| &*body.name);
        format!("{}/{}", name(pair.first), name(pair.second))
    }

    /// The names of the coordinates.
    pub fn coordinates(&self) -> Vec<String> {
        let names: &[&str] = match self.dimension {
            2 => &["x", "y", "theta"],
            _ => &["x", "y", "z", "e0", "e1", "e2", "e3"],
        };
        let moving: Vec<&Body> = self.bodies.iter().filter(|b| b.moves()).collect();
        let own = |body: &&Body| {
            let prefix = match moving.len() {
                1 => String::new(),
                _ => format!("{} ", body.name),
            };
            let count = body.slots(self.dimension).0;
            let names = names.iter().take(count);
            names
                .map(|name| format!("{prefix}{name}"))
                .collect::<Vec<_>>()
        };
        moving.iter().flat_map(own).collect()
    }

    /// The number of velocities.
    pub fn velocities(&self) -> usize {
        let counts = self.bodies.iter().map(|body| body.slots(self.dimension).1);
        counts.sum()
    }

    pub(super) fn slots(&self) -> Vec<Slots> {
        let (mut q, mut v) = (0, 0);
        let slots = self.bodies.iter().map(|body| {
            let (q_len, v_len) = body.slots(self.dimension);
            let own = Slots { q, q_len, v, v_len };
            q += q_len;
            v += v_len;
            own
        });
        slots.collect()
    }

    /// The potential energy of gravity and of constant forces, J.
    pub fn potential(&self, q: &[Rational]) -> Rational {
        let mut sum = Rational::new();
        for (body, slots) in self.bodies.iter().zip(self.slots()) {
            if !body.has_mass() {
                continue;
            }
            // Gravity has as many entries as the centre has coordinates: the zip ends before the
            // angles.
            for (x, g) in q.iter().skip(slots.q).zip(&self.gravity) {
                sum -= Rational::from(x * g) * &body.mass;
            }
        }
        let slots = self.slots();
        for load in &self.loads {
            for (x, force) in q.iter().skip(slots[load.body].q).zip(&load.force) {
                sum -= Rational::from(x * force);
            }
        }
        sum
    }

    /// The impulses of constant torques in h seconds, by the entries of the velocity; none of a system without any.
    pub(super) fn twists(&self, h: &Rational) -> Option<Vec<Rational>> {
        let acts = |load: &&ConstantLoad| load.torque.iter().any(|own| *own != 0);
        let mut twisted = self.loads.iter().filter(acts).peekable();
        twisted.peek()?;
        let mut impulse = vec![Rational::new(); self.velocities()];
        let slots = self.slots();
        for load in twisted {
            let at = slots[load.body].v + self.dimension;
            for (own, torque) in impulse.iter_mut().skip(at).zip(&load.torque) {
                *own += Rational::from(torque * h);
            }
        }
        Some(impulse)
    }

    /// M(q), row by row; 0 in those of bodies that are driven.
    pub(super) fn mass(&self, q: &[Rational]) -> Vec<Vec<Rational>> {
        let n = self.velocities();
        let mut mass = vec![vec![Rational::new(); n]; n];
        for (body, slots) in self.bodies.iter().zip(self.slots()) {
            if !body.has_mass() {
                continue;
            }
            for row in mass
                .iter_mut()
                .enumerate()
                .skip(slots.v)
                .take(slots.v_len.min(self.dimension))
            {
                row.1[row.0] = body.mass.clone();
            }
            let Mobility::Rigid { inertia } = &body.mobility else {
                continue;
            };
            let own = &q[slots.q..slots.q + slots.q_len];
            let block = match self.dimension {
                2 => vec![vec![inertia[0].clone()]],
                _ => world_inertia(inertia, own),
            };
            let at = slots.v + self.dimension;
            for (i, row) in block.into_iter().enumerate() {
                for (j, value) in row.into_iter().enumerate() {
                    mass[at + i][at + j] = value;
                }
            }
        }
        mass
    }

    /// v'M(q) v/2, J.
    pub fn kinetic(&self, q: &[Rational], v: &[Rational]) -> Rational {
        let momentum = product(&self.mass(q), v);
        let terms = momentum.iter().zip(v).map(|(p, v)| Rational::from(p * v));
        terms.fold(Rational::new(), |sum, term| sum + term) / 2u32
    }

    /// Momentum M v with the impulses of a step of size h by gravity, constant forces and torques, and by inertia
    /// (-h omega x I omega), both at the start of the step.
    pub(super) fn impulse(&self, q: &[Rational], v: &[Rational], h: &Rational) -> Vec<Rational> {
        let mass = self.mass(q);
        let mut impulse = product(&mass, v);
        for (body, slots) in self.bodies.iter().zip(self.slots()) {
            if !body.has_mass() {
                continue;
            }
            // Only the centre has weight: the zip ends with the entries of gravity.
            let linear = impulse.iter_mut().skip(slots.v);
            for (p, g) in linear.zip(&self.gravity) {
                *p += Rational::from(g * h) * &body.mass;
            }
        }
        let slots = self.slots();
        for load in &self.loads {
            let linear = impulse.iter_mut().skip(slots[load.body].v);
            for (own, force) in linear.zip(&load.force) {
                *own += Rational::from(force * h);
            }
        }
        let twists = self.twists(h).into_iter().flatten();
        for (own, twist) in impulse.iter_mut().zip(twists) {
            *own += twist;
        }
        for (own, inertial) in impulse.iter_mut().zip(self.inertial(q, v, h)) {
            *own += inertial;
        }
        impulse
    }

    /// The impulse of inertia, -h omega x I omega of each body in space.
    pub(super) fn inertial(&self, q: &[Rational], v: &[Rational], h: &Rational) -> Vec<Rational> {
        let mut impulse = vec![Rational::new(); v.len()];
        // In the plane omega and I omega are both normal to it: their product is 0.
        if self.dimension == 2 {
            return impulse;
        }
        let momentum = product(&self.mass(q), v);
        for slots in self.slots().into_iter().filter(|s| s.v_len == 6) {
            let at = slots.v + 3;
            for i in 0..3 {
                let (j, k) = (at + (i + 1) % 3, at + (i + 2) % 3);
                let torque =
                    Rational::from(&v[j] * &momentum[k]) - Rational::from(&v[k] * &momentum[j]);
                impulse[at + i] = -(torque * h);
            }
        }
        impulse
    }

    /// Whether any body is driven.
    pub fn drives(&self) -> bool {
        (0..self.bodies.len()).any(|body| self.is_driven(body))
    }

    /// Whether a body is driven.
    pub fn is_driven(&self, body: usize) -> bool {
        let own = self.bodies.get(body);
        own.is_some_and(|own| own.mobility == Mobility::Driven)
    }

    /// Whether a body turns in space whose inertia is not the same about all axes: then M turns with it, and
    /// there is an impulse of inertia.
    pub fn is_gyroscopic(&self) -> bool {
        let differs = |inertia: &[Rational]| inertia.windows(2).any(|pair| pair[0] != pair[1]);
        self.bodies.iter().any(|body| match &body.mobility {
            Mobility::Rigid { inertia } => self.dimension == 3 && differs(inertia),
            _ => false,
        })
    }

    /// What the impulse of inertia s = -h omega x I omega adds to the energy by itself, s'M^-1 s/2: it is at right
    /// angles to omega, so that nothing of first order takes it back. J, with M and omega at the start of
    /// the step; `None` where M has no inverse, which positive inertias exclude.
    pub(super) fn inertial_gain(
        &self,
        q: &[Rational],
        v: &[Rational],
        h: &Rational,
    ) -> Option<Rational> {
        let impulse = self.inertial(q, v, h);
        let mut gain = Rational::new();
        for (body, slots) in self.bodies.iter().zip(self.slots()) {
            let Mobility::Rigid { inertia } = &body.mobility else {
                continue;
            };
            if slots.v_len < 6 {
                continue;
            }
            // I = R J R', so that I^-1 = R J^-1 R'.
            let own = &impulse[slots.v + 3..slots.v + 6];
            let inverse: Option<Vec<Rational>> = inertia
                .iter()
                .map(|j| (*j != 0).then(|| j.clone().recip()))
                .collect();
            let block = world_inertia(&inverse?, &q[slots.q..slots.q + slots.q_len]);
            let change = product(&block, own);
            let terms = change.iter().zip(own).map(|(a, b)| Rational::from(a * b));
            gain += terms.fold(Rational::new(), |sum, term| sum + term) / 2u32;
        }
        Some(gain)
    }

    /// Where the bodies are after a step from q with the velocity v, all of it in any numbers.
    pub(super) fn poses<N: Number>(&self, q: &[Rational], v: &[N], h: &Rational) -> Vec<Pose<N>> {
        let zero = &v[0];
        let pose = |(body, slots): (&Body, Slots)| match &body.mobility {
            Mobility::Fixed(own) => Pose::of(zero, self.dimension, own),
            _ => {
                let own = &q[slots.q..slots.q + slots.q_len];
                Pose::moved(own, &v[slots.v..slots.v + slots.v_len], h, self.dimension)
            }
        };
        self.bodies.iter().zip(self.slots()).map(pose).collect()
    }

    /// The velocity of a body's point at an arm from its centre.
    pub(super) fn point_velocity<N: Number>(&self, slots: Slots, v: &[N], arm: &[N]) -> Vec<N> {
        let d = self.dimension;
        if slots.v_len == 0 {
            return vec![v[0].integer(0); d];
        }
        let own = &v[slots.v..slots.v + slots.v_len];
        let turning = match slots.v_len - d {
            0 => return own.to_vec(),
            1 => vec![
                -own[2].clone() * arm[1].clone(),
                own[2].clone() * arm[0].clone(),
            ],
            _ => super::number::cross(&own[3..], arm),
        };
        let linear = own[..d].iter().cloned();
        linear.zip(turning).map(|(a, b)| a + b).collect()
    }

    /// How fast a body turns about a direction; 0 where it does not.
    pub(super) fn spin<N: Number>(&self, slots: Slots, v: &[N], about: &[N]) -> N {
        match slots.v_len {
            6 => dot(&v[0], &v[slots.v + 3..slots.v + 6], about),
            _ => v[0].integer(0),
        }
    }

    /// What a torque on a body in space takes from or gives to the momentum.
    pub(super) fn twist<N: Number>(&self, slots: Slots, torque: &[N], momentum: &mut [N]) {
        if slots.v_len < 6 {
            return;
        }
        for (own, part) in momentum[slots.v + 3..].iter_mut().zip(torque) {
            *own = own.clone() + part.clone();
        }
    }

    /// What a force on a body at an arm takes from (sign -1) or gives to the momentum.
    pub(super) fn push<N: Number>(&self, slots: Slots, force: &[N], arm: &[N], momentum: &mut [N]) {
        let d = self.dimension;
        if slots.v_len == 0 {
            return;
        }
        let mut wrench = force.to_vec();
        match slots.v_len - d {
            0 => {}
            1 => wrench.push(arm[0].clone() * force[1].clone() - arm[1].clone() * force[0].clone()),
            _ => wrench.extend(super::number::cross(arm, force)),
        }
        for (own, part) in momentum[slots.v..].iter_mut().zip(wrench) {
            *own = own.clone() + part;
        }
    }
}

fn bad(setting: &'static str, value: String, range: &'static str) -> Result<(), StepError> {
    Err(StepError::Setting {
        setting,
        value,
        range,
    })
}

impl Body {
    fn moves(&self) -> bool {
        !matches!(self.mobility, Mobility::Fixed(_))
    }

    /// Whether forces move it.
    fn has_mass(&self) -> bool {
        matches!(self.mobility, Mobility::Particle | Mobility::Rigid { .. })
    }

    /// Numbers of coordinates and velocities.
    fn slots(&self, dimension: usize) -> (usize, usize) {
        match (&self.mobility, dimension) {
            (Mobility::Fixed(_), _) => (0, 0),
            (Mobility::Particle, d) => (d, d),
            (Mobility::Rigid { .. } | Mobility::Driven, 2) => (3, 3),
            (Mobility::Rigid { .. } | Mobility::Driven, _) => (7, 6),
        }
    }

    fn check(&self, dimension: usize) -> Result<(), StepError> {
        self.shape.check(dimension)?;
        let above_zero = |setting, value: &Rational| match *value > 0 {
            true => Ok(()),
            false => Err(StepError::Setting {
                setting,
                value: value.to_string(),
                range: "above 0",
            }),
        };
        let length = |what, values: &[Rational], expected| match values.len() == expected {
            true => Ok(()),
            false => Err(StepError::Length {
                what,
                length: values.len(),
                expected,
            }),
        };
        let pose = if dimension == 2 { 3 } else { 7 };
        match &self.mobility {
            Mobility::Fixed(at) => {
                length("the place of a fixed body", at, pose)?;
                unit(at.get(3..))
            }
            Mobility::Driven => Ok(()),
            Mobility::Particle => above_zero("the mass", &self.mass),
            Mobility::Rigid { inertia } => {
                above_zero("the mass", &self.mass)?;
                length("the inertia", inertia, if dimension == 2 { 1 } else { 3 })?;
                inertia
                    .iter()
                    .try_for_each(|j| above_zero("the inertia", j))
            }
        }
    }
}

/// That a quaternion, where there is one, is not zero.
pub(super) fn unit(quaternion: Option<&[Rational]>) -> Result<(), StepError> {
    match quaternion {
        Some(e) if !e.is_empty() && e.iter().all(|e| *e == 0) => Err(StepError::Domain {
            what: "the rotation",
            argument: "the quaternion 0".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// R J R' of a body with coordinates q.
fn world_inertia(inertia: &[Rational], q: &[Rational]) -> Vec<Vec<Rational>> {
    let rotation = rotation(Rational::from(1), &q[3..]);
    let entry = |i: usize, j: usize| {
        let terms = (0..3).map(|k| Rational::from(&rotation[i][k] * &rotation[j][k]) * &inertia[k]);
        terms.fold(Rational::new(), |sum, term| sum + term)
    };
    let row = |i| (0..3).map(|j| entry(i, j)).collect();
    (0..3).map(row).collect()
}

/// M v.
pub(super) fn product(matrix: &[Vec<Rational>], v: &[Rational]) -> Vec<Rational> {
    let row = |row: &Vec<Rational>| {
        let terms = row.iter().zip(v).map(|(m, v)| Rational::from(m * v));
        terms.fold(Rational::new(), |sum, term| sum + term)
    };
    matrix.iter().map(row).collect()
}

/// A body's pose and the arm from its centre to a point.
pub(super) fn arm<N: Number>(pose: &Pose<N>, at: &[N]) -> Vec<N> {
    minus(at, &pose.centre)
}
