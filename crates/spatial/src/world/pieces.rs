//! Bodies of several convex pieces.
//!
//! What touches is convex. So each piece is a body of its own here, which another one carries: it has a shape, a place and an attitude that
//! follow from those of its carrier, and no mass. Pieces stand after all bodies of the scene, and are named "body.piece". Contacts, separation and
//! all that is asked of shapes are between pieces; masses, impulses and momenta are those of the carriers.

use etalon_rigid::{Dense, Vector, Vector3};
use rug::Rational;

use super::{Body, SpaceWorld};
use crate::attitude::Quaternion;
use crate::error::SpatialError;
use crate::grid::kept;
use crate::separation::Twist;
use crate::shape::Shape;
use crate::state::{Motion, SpaceState};

/// A convex piece of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyPiece {
    /// The name, unique in its body.
    pub name: String,
    /// Convex, and with an end: no half-space.
    pub shape: Shape,
    /// Its origin, from the centre of mass of the body in body coordinates, m.
    pub at: Vector3<Rational>,
    /// How it is turned against the body; of any length but zero.
    pub attitude: Quaternion,
}

/// How a piece is carried.
#[derive(Debug, Clone)]
pub(crate) struct Carried {
    body: usize,
    at: Vector3<Rational>,
    attitude: Quaternion,
}

/// The pieces of all bodies as bodies that are carried, with what carries them.
pub(super) fn carried(bodies: &[Body]) -> Result<Vec<(Body, Carried)>, SpatialError> {
    let mut all = Vec::new();
    for (body, own) in bodies.iter().enumerate() {
        let wrong = |why: String| SpatialError::Pieces {
            body: own.name.clone(),
            why,
        };
        if own.shape.is_some() && !own.pieces.is_empty() {
            let why = "it has a shape, too; leave one of both out, or make the shape a piece";
            return Err(wrong(why.to_owned()));
        }
        for (k, piece) in own.pieces.iter().enumerate() {
            let name = &piece.name;
            if own.pieces[..k].iter().any(|other| other.name == *name) {
                return Err(wrong(format!(
                    "two pieces have the name {name:?}; rename one"
                )));
            }
            if let Shape::HalfSpace { .. } = piece.shape {
                let why = "is a half-space, which has no end; make it a fixed body of its own";
                return Err(wrong(format!("the piece {name:?} {why}")));
            }
            if let Some(why) = piece.shape.fault() {
                return Err(wrong(format!(
                    "the shape of the piece {name:?} is degenerate: {why}"
                )));
            }
            let attitude = piece.attitude.unit().ok_or_else(|| {
                wrong(format!(
                    "the orientation of the piece {name:?} is zero; leave it out"
                ))
            })?;
            let stands_for = Body {
                name: format!("{}.{name}", own.name),
                inertia: Dense::identity(3),
                velocity: Vector::zero(),
                angular_velocity: Vector::zero(),
                force: Vector::zero(),
                torque: Vector::zero(),
                shape: Some(piece.shape.clone()),
                pieces: Vec::new(),
                ..own.clone()
            };
            let at = piece.at.clone();
            all.push((stands_for, Carried { body, at, attitude }));
        }
    }
    Ok(all)
}

impl SpaceWorld {
    /// The body that carries a piece; of any other body itself.
    pub(crate) fn carrier(&self, body: usize) -> usize {
        let piece = body.checked_sub(self.whole());
        let own = piece.and_then(|piece| self.carried.get(piece));
        own.map_or(body, |own| own.body)
    }

    /// The number of bodies of the scene; pieces follow them.
    pub(crate) fn whole(&self) -> usize {
        self.bodies.len() - self.carried.len()
    }

    /// How far a point of a body or piece is from the centre of mass at most, m; 0 where it has no end.
    pub(crate) fn reach_of(&self, state: &SpaceState, body: usize) -> Rational {
        let shape = self.bodies[body].shape.as_ref();
        let radius = shape.and_then(Shape::radius).and_then(Rational::from_f64);
        let centre = &state.bodies[self.carrier(body)].position;
        let arm = &state.bodies[body].position - centre;
        let sizes = arm
            .coordinates()
            .iter()
            .map(|x| Rational::from(x.abs_ref()));
        sizes.fold(radius.unwrap_or_default(), |sum, size| sum + size)
    }

    /// Puts pieces where their bodies are.
    pub fn carry(&self, state: &mut SpaceState) {
        let whole = self.whole();
        for (k, own) in self.carried.iter().enumerate() {
            let body = &state.bodies[own.body];
            let arm = body.attitude.rotation().apply(&own.at);
            let turned = body.attitude.after(&own.attitude).unit();
            state.bodies[whole + k] = Motion {
                position: kept(&(&body.position + &arm)),
                attitude: turned.unwrap_or_else(Quaternion::identity),
                velocity: Vector::zero(),
                momentum: Vector::zero(),
            };
        }
    }

    /// The velocity of a body, or of a piece as its body has it there.
    pub(crate) fn twist_at(
        &self,
        state: &SpaceState,
        body: usize,
        of_carrier: impl FnOnce(usize) -> Twist,
    ) -> Twist {
        let carrier = self.carrier(body);
        let [v, w] = of_carrier(carrier);
        if carrier == body {
            return [v, w];
        }
        let arm = &state.bodies[body].position - &state.bodies[carrier].position;
        [&v + &w.cross(&arm), w]
    }
}
