//! Bodies, joints and surfaces: what does not change in a motion.

mod ahead;
mod check;
mod first_order;
mod joints;
mod near;
mod pieces;

use std::collections::HashSet;

use etalon_rigid::{Dense, Vector, Vector3};
use rug::Rational;

use crate::attitude::{Quaternion, into_body};
use crate::contact::{Contact, ContactProposal};
use crate::error::SpatialError;
use crate::geometry::{Geometry, Place, Unfound};
use crate::grid::{BITS, MOMENTUM_BITS, exponent, kept, largest, rounded};
use crate::joint::{Fixture, Joint, Placed};
use crate::separation::{Placed as Found, Solid};
use crate::shape::Shape;
use crate::state::{Motion, SpaceState};
use crate::surface::{Surface, Surfaces};
use check::{check_body, check_names, check_surfaces};
use near::Nearness;
use pieces::{Carried, carried};

pub(crate) use ahead::onwards;
pub use pieces::BodyPiece;

/// A rigid body as a scene states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The name, unique.
    pub name: String,
    /// kg.
    pub mass: Rational,
    /// About the centre of mass in body coordinates, kg m^2: symmetric positive definite.
    pub inertia: Dense<Rational>,
    /// The centre of mass, m.
    pub position: Vector3<Rational>,
    /// Of any length but zero.
    pub attitude: Quaternion,
    /// m/s.
    pub velocity: Vector3<Rational>,
    /// In the world, 1/s.
    pub angular_velocity: Vector3<Rational>,
    /// Beside the weight, constant, N.
    pub force: Vector3<Rational>,
    /// Constant in the world, N m.
    pub torque: Vector3<Rational>,
    /// Whether nothing moves it.
    pub fixed: bool,
    /// None: it touches nothing, but by its pieces.
    pub shape: Option<Shape>,
    /// Of a body that is no convex shape, in place of one.
    pub pieces: Vec<BodyPiece>,
}

/// What moves, and what it is made of.
#[derive(Debug, Clone)]
pub struct SpaceWorld {
    /// Those of the scene, then the pieces of all.
    pub(crate) bodies: Vec<Body>,
    /// How the pieces are carried.
    carried: Vec<Carried>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) fixtures: Vec<Fixture>,
    pub(crate) gravity: Vector3<Rational>,
    surfaces: Surfaces,
    /// In body coordinates.
    inverse: Vec<Dense<Rational>>,
    /// The first generalised coordinate of each body that is not fixed.
    dofs: Vec<Option<usize>>,
    geometry: Geometry,
    joined: HashSet<(usize, usize)>,
    /// Of f = m v: the length of a step, s, by which masses are multiplied.
    first_order: Option<Rational>,
}

impl SpaceWorld {
    /// Checks bodies, joints and surfaces, and fixes joints in their bodies.
    ///
    /// # Errors
    /// [`SpatialError`] with the names of those at fault.
    pub fn new(
        gravity: Vector3<Rational>,
        mut bodies: Vec<Body>,
        joints: Vec<Joint>,
        surfaces: Surfaces,
    ) -> Result<Self, SpatialError> {
        check_names(joints.iter().map(|joint| &joint.name))?;
        let mut inverse = Vec::with_capacity(bodies.len());
        for body in &bodies {
            inverse.push(check_body(body)?);
        }
        check_surfaces(&surfaces, &bodies)?;
        let whole = bodies.len();
        let (pieces, carried): (Vec<Body>, Vec<Carried>) = carried(&bodies)?.into_iter().unzip();
        inverse.extend(pieces.iter().map(|_| Dense::zeros(3, 3)));
        bodies.extend(pieces);
        check_names(bodies.iter().map(|body| &body.name))?;
        let shapes: Vec<_> = bodies.iter().map(|body| body.shape.clone()).collect();
        let geometry = Geometry::new(&shapes).map_err(|i| SpatialError::Shape {
            body: bodies[i].name.clone(),
            why: "binary64 geometry finds no hull of its vertices; take vertices further apart"
                .to_owned(),
        })?;
        let mut next = 0;
        let dofs = bodies.iter().enumerate().map(|(i, body)| {
            (!body.fixed && i < whole).then(|| {
                next += 6;
                next - 6
            })
        });
        let dofs = dofs.collect();
        let mut world = Self {
            joined: joints.iter().map(|j| ordered(j.first, j.second)).collect(),
            fixtures: Vec::new(),
            bodies,
            carried,
            joints,
            gravity,
            surfaces,
            inverse,
            dofs,
            geometry,
            first_order: None,
        };
        world.check_pairs()?;
        world.fix_joints()?;
        world.check_start()?;
        Ok(world)
    }

    /// The bodies, in order.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The joints, in order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The state before the first step, on the grid.
    pub fn start(&self) -> SpaceState {
        let one = |i: usize, body: &Body| {
            let attitude = body.attitude.unit().unwrap_or_else(Quaternion::identity);
            let turned = attitude.rotation();
            let local = into_body(&turned, &body.angular_velocity);
            let momentum = body.inertia.times(local.coordinates());
            let momentum = Vector::new(std::array::from_fn(|k| momentum[k].clone()));
            Motion {
                position: kept(&body.position),
                velocity: kept(&body.velocity),
                momentum: self.kept_momentum(i, &turned.apply(&momentum)),
                attitude,
            }
        };
        let bodies = self.bodies.iter().enumerate();
        let mut start = SpaceState {
            bodies: bodies.map(|(i, body)| one(i, body)).collect(),
        };
        self.carry(&mut start);
        start
    }

    /// The numbers of the bodies that are not fixed.
    pub fn moving(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|&i| self.dofs[i].is_some())
    }

    /// The first generalised coordinate of a body that is not fixed; of a piece that of its body.
    pub(crate) fn dof(&self, body: usize) -> Option<usize> {
        self.dofs[self.carrier(body)]
    }

    /// J^-1 in body coordinates.
    pub(crate) fn inverse_inertia(&self, body: usize) -> &Dense<Rational> {
        &self.inverse[body]
    }

    /// R J^-1 R', exactly.
    pub(crate) fn inverse_in_world(&self, body: usize, attitude: &Quaternion) -> Dense<Rational> {
        let rotation = attitude.rotation();
        let turned = rotation.matrix();
        turned
            .product(&self.inverse[body])
            .product(&turned.transposed())
    }

    /// The angular velocity in the world, exactly.
    pub fn angular_velocity(&self, body: usize, own: &Motion) -> Vector3<Rational> {
        let rate = self
            .inverse_in_world(body, &own.attitude)
            .times(own.momentum.coordinates());
        Vector::new(std::array::from_fn(|k| rate[k].clone()))
    }

    /// The step of the grid of a body's angular momentum is 2 to this.
    pub(crate) fn momentum_exponent(&self, body: usize) -> i32 {
        exponent(&largest(&self.bodies[body].inertia)) - MOMENTUM_BITS
    }

    pub(crate) fn kept_momentum(&self, body: usize, own: &Vector3<Rational>) -> Vector3<Rational> {
        let exponent = self.momentum_exponent(body);
        own.map(|value| rounded(value, exponent))
    }

    /// Weight and constant force, N.
    pub(crate) fn force(&self, body: usize) -> Vector3<Rational> {
        let own = &self.bodies[body];
        &own.force + &self.gravity.times(&own.mass)
    }

    /// The contacts within reach in a step of length h, proposed by geometry, in exact numbers.
    ///
    /// # Errors
    /// [`SpatialError::Range`], [`SpatialError::Speed`], [`SpatialError::Unfound`].
    pub fn contacts(&self, state: &SpaceState, h: &Rational) -> Result<Vec<Contact>, SpatialError> {
        let nearness = Nearness::of(self, state, h.to_f64());
        self.check_range(&nearness, state)?;
        let mut contacts = Vec::new();
        for pair in self.pairs() {
            if let Some(within) = nearness.margin(pair) {
                contacts.extend(self.contacts_of(state, pair, within)?);
            }
        }
        Ok(contacts)
    }

    /// Those of one pair of bodies, none where geometry finds none that hold.
    pub(crate) fn contacts_near(
        &self,
        state: &SpaceState,
        h: &Rational,
        pair: (usize, usize),
    ) -> Vec<Contact> {
        let within = Nearness::of(self, state, h.to_f64()).margin(pair);
        let found = within.and_then(|within| self.contacts_of(state, pair, within).ok());
        found.unwrap_or_default()
    }

    fn check_range(&self, nearness: &Nearness, state: &SpaceState) -> Result<(), SpatialError> {
        for body in 0..self.bodies.len() {
            if !nearness.is_in_range(body) {
                return Err(self.out_of_range(body, state));
            }
            if let Some(speed) = nearness.too_fast(body) {
                return Err(SpatialError::Speed {
                    body: self.bodies[body].name.clone(),
                    speed: match speed.is_nan() {
                        true => "faster than binary64 holds".to_owned(),
                        false => format!("at {speed:.1e} m/s"),
                    },
                });
            }
        }
        Ok(())
    }

    fn out_of_range(&self, body: usize, state: &SpaceState) -> SpatialError {
        SpatialError::Range {
            body: self.bodies[body].name.clone(),
            value: format!("{:?}", crate::grid::to_f64s(&state.bodies[body].position)),
        }
    }

    fn places(state: &SpaceState, (i, j): (usize, usize)) -> [Place<'_>; 2] {
        [i, j].map(|i| Place {
            position: &state.bodies[i].position,
            attitude: &state.bodies[i].attitude,
        })
    }

    /// Two bodies as a search of directions has them, the second's place being that from the first; `None` of
    /// half-spaces.
    pub(crate) fn solids(
        &self,
        state: &SpaceState,
        pair: (usize, usize),
    ) -> Option<[Found<'_>; 2]> {
        self.geometry.placed(pair, Self::places(state, pair))
    }

    /// A body's shape as a search has it.
    pub(crate) fn shape_of(&self, body: usize) -> Option<&Solid> {
        self.geometry.solid(body)
    }

    /// A body as a search has it, at the origin.
    pub(crate) fn solid(&self, state: &SpaceState, body: usize) -> Option<Found<'_>> {
        let solid = self.geometry.solid(body)?;
        Some(Found::new(solid, &state.bodies[body].attitude, [0.0; 3]))
    }

    fn contacts_of(
        &self,
        state: &SpaceState,
        pair: (usize, usize),
        within: f64,
    ) -> Result<Vec<Contact>, SpatialError> {
        let own = self
            .geometry
            .contacts(pair, Self::places(state, pair), within);
        let own = own.map_err(|Unfound| SpatialError::Unfound {
            first: self.bodies[pair.1].name.clone(),
            second: self.bodies[pair.0].name.clone(),
        })?;
        let count = own.len();
        let contact = |(k, proposal): (usize, &ContactProposal)| {
            let number = (count > 1).then_some(k + 1);
            self.contact_of(state, proposal, number)
        };
        own.iter().enumerate().map(contact).collect()
    }

    /// A proposal as a step takes it, with its number where a pair has several.
    pub(crate) fn contact_of(
        &self,
        state: &SpaceState,
        proposal: &ContactProposal,
        number: Option<usize>,
    ) -> Result<Contact, SpatialError> {
        let pair = (proposal.second, proposal.first);
        let [upper, lower] = [pair.1, pair.0].map(|i| &self.bodies[i].name);
        let name = match number {
            None => format!("{upper}/{lower}"),
            Some(number) => format!("{upper}/{lower} {number}"),
        };
        let contact = Contact::of(proposal, name, self.surface(pair));
        let contact = contact.ok_or_else(|| self.out_of_range(pair.1, state))?;
        let Some(grain) = self.grain(state, pair) else {
            return Ok(contact);
        };
        let name = contact.name.clone();
        let turned = contact.along(&grain);
        turned.ok_or(SpatialError::Grain { contact: name })
    }

    /// All pairs of bodies and pieces that may touch: those with shapes of which one moves, and which are not of one body, nor of two that a joint
    /// holds together.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.bodies.len();
        let all = (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|&(i, j)| {
            let (a, b) = (&self.bodies[i], &self.bodies[j]);
            let (one, other) = (self.carrier(i), self.carrier(j));
            a.shape.is_some()
                && b.shape.is_some()
                && !(a.fixed && b.fixed)
                && one != other
                && !self.joined.contains(&ordered(one, other))
        })
    }

    /// Friction and restitution of a pair.
    pub(crate) fn surface(&self, (i, j): (usize, usize)) -> &Surface {
        let [a, b] = [i, j].map(|own| &self.bodies[self.carrier(own)].name);
        let named = |(first, second, _): &&(String, String, Surface)| {
            (first == a && second == b) || (first == b && second == a)
        };
        let found = self.surfaces.pairs.iter().find(named);
        found.map_or(&self.surfaces.default, |(.., surface)| surface)
    }

    /// The direction of the grain of a pair, in the world.
    pub(crate) fn grain(
        &self,
        state: &SpaceState,
        (i, j): (usize, usize),
    ) -> Option<Vector3<Rational>> {
        let (i, j) = (self.carrier(i), self.carrier(j));
        let grain = self.surface((i, j)).grain.as_ref()?;
        let of = |body: usize| &self.bodies[body].name;
        let first = self.surfaces.pairs.iter().find_map(|(first, second, _)| {
            let own = [(i, j), (j, i)];
            let own = own
                .into_iter()
                .find(|(a, b)| of(*a) == first && of(*b) == second)?;
            Some(own.0)
        })?;
        Some(state.bodies[first].attitude.rotation().apply(&grain.along))
    }

    /// Friction and restitution of the pair of a contact.
    pub(crate) fn surface_of(&self, contact: &Contact) -> &Surface {
        self.surface((contact.first, contact.second))
    }

    /// Refuses bodies that overlap and joints whose bodies part.
    fn check_start(&self) -> Result<(), SpatialError> {
        let start = self.start();
        // Of no length: where everything is, without motion.
        let nearness = Nearness::of(self, &start, 0.0);
        self.check_range(&nearness, &start)?;
        for pair in self.pairs() {
            let radii =
                [pair.0, pair.1].map(|k| self.bodies[k].shape.as_ref().and_then(Shape::radius));
            let size = radii.into_iter().flatten().fold(f64::INFINITY, f64::min);
            // A millionth of the smaller body is what coordinates of 6 digits leave.
            let allowed = Rational::from_f64(size * 1e-6).unwrap_or_default();
            let contacts = self.contacts_of(&start, pair, 0.0)?;
            let deepest = contacts.iter().min_by(|a, b| a.gap.cmp(&b.gap));
            if let Some(deepest) = deepest.filter(|own| Rational::from(&own.gap + &allowed) < 0) {
                return Err(SpatialError::Overlap {
                    first: self.bodies[deepest.first].name.clone(),
                    second: self.bodies[deepest.second].name.clone(),
                    depth: format!("{:.3e}", -deepest.gap.to_f64()),
                    normal: format!("{:.3?}", crate::grid::to_f64s(&deepest.normal)),
                });
            }
        }
        // 64 steps of the grid a unit of speed: arms and velocities are rounded by half a step each.
        let slack = Rational::from(64) >> BITS;
        for (joint, rows) in self.joints.iter().zip(self.placed(&start)) {
            for row in rows.iter().map(Placed::row) {
                let (mut rate, mut size) = (Rational::new(), Rational::from(1));
                for (body, [force, torque]) in
                    [(joint.first, &row.first), (joint.second, &row.second)]
                {
                    let own = &start.bodies[body];
                    let turning = self.angular_velocity(body, own);
                    rate += force.dot(&own.velocity) + torque.dot(&turning);
                    for vector in [&own.velocity, &turning] {
                        size += vector
                            .coordinates()
                            .iter()
                            .map(|x| x.clone().abs())
                            .sum::<Rational>();
                    }
                }
                if Rational::from(rate.abs_ref()) > Rational::from(&slack * &size) {
                    return Err(SpatialError::JointVelocity {
                        joint: joint.name.clone(),
                        rate: format!("{:.3e}", rate.to_f64()),
                    });
                }
            }
        }
        Ok(())
    }
}

fn ordered(i: usize, j: usize) -> (usize, usize) {
    (i.min(j), i.max(j))
}
