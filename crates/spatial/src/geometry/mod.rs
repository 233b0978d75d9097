//! Contacts between shapes, proposed in binary64: by parry, and anew where what parry says does not hold.
//!
//! What is proposed decides nothing: a step takes point, normal and gap as exact numbers, and the oracle holds them
//! against the shapes in exact arithmetic ([`Shape::reach`](crate::shape::Shape::reach)).
//!
//! Parry follows overlaps by expanding a polytope from whatever simplex its search for the distance ended with. Where faces meet
//! exactly, that simplex is flat; then it may return one of its first faces, whose normal is that of
//! nothing, or nothing at all (`epa3.rs`, "Something went very wrong"). Of round bodies the two points of a contact may be beside
//! each other, and a contact halfway between them outside of a body. So each proposal is asked what the oracle will ask
//! ([`Pair::refutes`]). If it does not hold, the normal is searched for ([`widest`]), and parry clips its faces.

mod parry;

use parry3d_f64::math::Vector;

use crate::attitude::Quaternion;
use crate::binary::{Triple, difference, dot, sum, times};
use crate::contact::ContactProposal;
use crate::grid::{exactly, to_f64s};
use crate::separation::{Placed, Solid, gap_along, widest};
use crate::shape::Shape;
use etalon_rigid::Vector3;
use parry::{Piece, Posed};
use rug::Rational;

/// The shapes of a world as parry has them, and as searches of directions do.
#[derive(Clone)]
pub struct Geometry {
    pieces: Vec<Option<Piece>>,
}

impl std::fmt::Debug for Geometry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Geometry of {} bodies", self.pieces.len())
    }
}

/// A pose.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub position: &'a Vector3<Rational>,
    pub attitude: &'a Quaternion,
}

/// Two bodies between which no contact is found that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unfound;

/// What a proposal may be off, beside the size of the smaller body: a quarter of what the oracle allows. Where an edge is
/// nearest, parry adds points of faces and edges next to it whose normal is another: they are short of the furthest
/// point by more, are no nearest points, and are left out.
const SHORT: f64 = 2.5e-7;

/// How many directions climb to the normal of a contact that parry does not find.
const STARTS: usize = 8;

/// A contact, its normal from the lower body to the upper. Positions are those from the lower body's centre.
#[derive(Debug, Clone, Copy)]
struct Touch {
    normal: Triple,
    /// What the contact says to be points of the lower body and of the upper: half the gap against the normal from where
    /// it acts, and half along it. Parry's own points may be beside each other, and then these are neither.
    points: [Triple; 2],
    gap: f64,
    proposal: ContactProposal,
}

/// Two bodies.
struct Pair<'a> {
    indices: (usize, usize),
    /// Of the lower body.
    centre: &'a Vector3<Rational>,
    posed: (Posed<'a>, Posed<'a>),
    /// From the lower body's centre.
    upper: Triple,
    within: f64,
    allowed: f64,
}

impl Geometry {
    /// The shapes of all bodies; `Err` with the body that has none that parry can take.
    pub(crate) fn new(shapes: &[Option<Shape>]) -> Result<Self, usize> {
        let piece = |(i, shape): (usize, &Option<Shape>)| match shape {
            None => Ok(None),
            Some(shape) => Piece::new(shape).map(Some).ok_or(i),
        };
        let pieces = shapes.iter().enumerate().map(piece);
        Ok(Self {
            pieces: pieces.collect::<Result<_, _>>()?,
        })
    }

    /// A shape as a search of directions has it; `None` of half-spaces, and of bodies without shape.
    pub(crate) fn solid(&self, body: usize) -> Option<&Solid> {
        self.pieces.get(body)?.as_ref()?.solid.as_ref()
    }

    /// Two bodies as a search of directions has them, the second's place being that from the first; `None` of
    /// half-spaces, and of bodies without shape.
    pub(crate) fn placed(
        &self,
        (i, j): (usize, usize),
        places: [Place<'_>; 2],
    ) -> Option<[Placed<'_>; 2]> {
        let (a, b) = (self.solid(i)?, self.solid(j)?);
        let between = to_f64s(&(places[1].position - places[0].position));
        Some([
            Placed::new(a, places[0].attitude, [0.0; 3]),
            Placed::new(b, places[1].attitude, between),
        ])
    }

    /// The contacts of two bodies within a distance, the normal pointing to the second of them.
    pub(crate) fn contacts(
        &self,
        indices: (usize, usize),
        places: [Place<'_>; 2],
        within: f64,
    ) -> Result<Vec<ContactProposal>, Unfound> {
        let piece = |i: usize| self.pieces.get(i).and_then(Option::as_ref);
        let (Some(a), Some(b)) = (piece(indices.0), piece(indices.1)) else {
            return Ok(Vec::new());
        };
        let sizes = [a, b].map(|own| own.solid.as_ref().map(|solid| solid.size));
        let size = sizes.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let pair = Pair {
            indices,
            centre: places[0].position,
            posed: (Posed::new(a, &places[0]), Posed::new(b, &places[1])),
            upper: to_f64s(&(places[1].position - places[0].position)),
            within,
            allowed: SHORT * size,
        };
        let placed = self.placed(indices, places);
        let mut touches = pair.proposed();
        if pair.refutes(&touches, placed.as_ref()) {
            touches = pair.anew(placed.as_ref());
            if pair.refutes(&touches, placed.as_ref()) {
                return Err(Unfound);
            }
        }
        Ok(touches.into_iter().map(|own| own.proposal).collect())
    }
}

impl Pair<'_> {
    /// Those of parry.
    fn proposed(&self) -> Vec<Touch> {
        let (a, b) = &self.posed;
        let mut touches = Vec::new();
        for manifold in parry::manifolds(a, b, self.within) {
            let normals = [manifold.local_n1, manifold.local_n2];
            let points = manifold.points.iter();
            for contact in points.filter(|own| own.dist <= self.within) {
                let points = [contact.local_p1, contact.local_p2];
                touches.extend(self.touch(normals, points, contact.dist));
            }
        }
        touches
    }

    /// Points in the coordinates of their bodies, with the normals there; `None` where the normal is that of neither.
    fn touch(&self, normals: [Vector; 2], points: [Vector; 2], gap: f64) -> Option<Touch> {
        let (a, b) = &self.posed;
        let [p, r] = points;
        if !a.piece.faces(normals[0], p, SHORT) && !b.piece.faces(normals[1], r, SHORT) {
            return None;
        }
        let normal = (a.at.rotation * normals[0]).to_array();
        let point = ((a.at * p + b.at * r) * 0.5).to_array();
        self.at(normal, point, gap)
    }

    /// A contact that acts at a point of the world; `None` where that is not finite.
    fn at(&self, normal: Triple, point: Triple, gap: f64) -> Option<Touch> {
        let arm = to_f64s(&(&exactly(point)? - self.centre));
        let half = times(&normal, gap / 2.0);
        Some(Touch {
            normal,
            points: [difference(&arm, &half), sum(&arm, &half)],
            gap,
            proposal: ContactProposal {
                first: self.indices.1,
                second: self.indices.0,
                point,
                normal,
                gap,
            },
        })
    }

    /// Whether contacts do not hold: a point that is outside of its body, a nearest point without a contact, a direction
    /// that parts the bodies at less cost, or bodies within reach without a contact.
    fn refutes(&self, touches: &[Touch], placed: Option<&[Placed<'_>; 2]>) -> bool {
        let Some([a, b]) = placed else {
            return self.refutes_of_half_space(touches);
        };
        let Some(first) = touches.first() else {
            return widest(a, b, STARTS).gap < self.within - self.allowed;
        };
        let least = least(touches);
        let gap = gap_along(a, b, &first.normal);
        let hold = touches.iter().all(|own| self.holds(own, [a, b]));
        if !hold || (least - gap).abs() > self.allowed {
            return true;
        }
        gap < -self.allowed && widest(a, b, STARTS).gap > gap + self.allowed
    }

    /// Whether the points of a contact are in their bodies, and its normal is that of one of them there.
    fn holds(&self, own: &Touch, [a, b]: [&Placed<'_>; 2]) -> bool {
        let [p, r] = &own.points;
        let back = times(&own.normal, -1.0);
        let short = a.short(p, &own.normal).min(b.short(r, &back));
        a.outside(p).max(b.outside(r)).max(short) <= self.allowed
    }

    /// The same where one body is a half-space: there is one direction.
    fn refutes_of_half_space(&self, touches: &[Touch]) -> bool {
        let Some((normal, point)) = self.lowest() else {
            return false;
        };
        let gap = dot(&normal, &point);
        match touches.is_empty() {
            true => gap < self.within - self.allowed,
            false => (least(touches) - gap).abs() > self.allowed,
        }
    }

    /// The normal of the half-space, and the point of the other body that is furthest against it, from its position.
    fn lowest(&self) -> Option<(Triple, Triple)> {
        let (a, b) = &self.posed;
        let (half, other, away) = match (a.piece.half_space(), b.piece.half_space()) {
            (Some(normal), None) => ((a, normal), b, self.upper),
            (None, Some(normal)) => ((b, normal), a, times(&self.upper, -1.0)),
            _ => return None,
        };
        let (own, normal) = half;
        let normal = own.at.rotation * normal;
        let furthest = other.furthest(-normal)?;
        Some((normal.to_array(), sum(&furthest, &away)))
    }

    /// The contacts along the direction that separates most, if the bodies are within reach along it.
    fn anew(&self, placed: Option<&[Placed<'_>; 2]>) -> Vec<Touch> {
        let Some([a, b]) = placed else {
            return self
                .lowest()
                .and_then(|own| self.on_plane(own))
                .into_iter()
                .collect();
        };
        let split = widest(a, b, STARTS);
        if split.gap > self.within {
            return Vec::new();
        }
        let (lower, upper) = &self.posed;
        let (normals, clipped) = parry::clipped(lower, upper, split.normal, &split.points[0]);
        let within = clipped.into_iter().filter(|own| own.2 <= self.within);
        let mut touches: Vec<Touch> = within
            .filter_map(|(p, r, gap)| self.touch(normals, [p, r], gap))
            .filter(|own| self.holds(own, [a, b]))
            .collect();
        if touches.is_empty() || least(&touches) > split.gap + self.allowed {
            touches.extend(self.between(split.normal, split.points));
        }
        touches
    }

    /// The nearest points, as they are.
    fn between(&self, normal: Triple, points: [Triple; 2]) -> Option<Touch> {
        let gap = dot(&difference(&points[1], &points[0]), &normal);
        let middle = times(&sum(&points[0], &points[1]), 0.5);
        let centre = self.posed.0.at.translation.to_array();
        self.at(normal, sum(&middle, &centre), gap)
    }

    fn on_plane(&self, (normal, point): (Triple, Triple)) -> Option<Touch> {
        let gap = dot(&normal, &point);
        let foot = difference(&point, &times(&normal, gap));
        match self.posed.0.piece.half_space() {
            Some(_) => self.between(normal, [foot, point]),
            // From the upper body's centre.
            None => {
                let [foot, point] = [foot, point].map(|own| sum(&own, &self.upper));
                self.between(times(&normal, -1.0), [point, foot])
            }
        }
    }
}

fn least(touches: &[Touch]) -> f64 {
    touches
        .iter()
        .map(|own| own.gap)
        .fold(f64::INFINITY, f64::min)
}
