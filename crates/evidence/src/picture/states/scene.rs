//! Bodies and contacts of a step as they are drawn.

use etalon_engines::Admissible;
use etalon_engines::step::{Bodies, Contact};
use etalon_lcp::Number;
use etalon_planar::Outline;
use etalon_scenarios::view::{Touch, hull};
use rug::Rational;

use super::super::rest::piece;
use super::super::sight::{Sight, Vector};

/// The length of normals and cones beside the largest extent of what is seen.
const CONE: f64 = 0.16;

/// Bodies and contacts in binary64.
pub struct Scene<'a> {
    pub bodies: &'a Bodies,
    admissible: &'a [Admissible],
    pub centres: Vec<Vector>,
}

impl<'a> Scene<'a> {
    pub fn new(bodies: &'a Bodies, admissible: &'a [Admissible]) -> Self {
        Self {
            bodies,
            admissible,
            centres: bodies.bodies.iter().map(|own| numbers(&own.com)).collect(),
        }
    }

    /// Contacts with what may act there, and the sign by which the impulse acts on a body that moves.
    pub fn contacts(&self) -> impl Iterator<Item = (&Contact, &Admissible, f64)> {
        let pairs = self.bodies.contacts.iter().zip(self.admissible);
        pairs.map(|(own, admissible)| {
            let sign = if own.bodies[0].is_some() { 1.0 } else { -1.0 };
            (own, admissible, sign)
        })
    }

    /// The vector of a contact with these parts along its normal and its tangents, as it acts on a body that moves.
    pub fn in_world(admissible: &Admissible, sign: f64, parts: &[Rational]) -> Vector {
        let mut sum = [0.0; 3];
        for (direction, part) in admissible.directions.iter().zip(parts) {
            for (sum, entry) in sum.iter_mut().zip(direction) {
                *sum += sign * entry.to_f64() * part.to_f64();
            }
        }
        sum
    }

    /// The linear part of each body's entries.
    pub fn of_bodies(&self, all: &[Rational]) -> Vec<Vector> {
        let d = self.bodies.dimension;
        let linear = |own: &[Rational]| rounded(&own[..d.min(own.len())]);
        all.chunks(self.bodies.velocities()).map(linear).collect()
    }

    /// The plane that shows most of some arrows, or else of what is observed.
    pub fn sight(&self, arrows: &[Vector], observed: &[Vector]) -> Sight {
        if self.bodies.dimension == 2 {
            return Sight::PLANE;
        }
        let normal = |(_, admissible, sign): (&Contact, &Admissible, f64)| {
            let normal = Rational::from(1);
            Self::in_world(admissible, sign, std::slice::from_ref(&normal))
        };
        let normals: Vec<_> = self.contacts().map(normal).collect();
        let is_seen = |own: &Vector| own.iter().any(|x| *x != 0.0);
        let seen = if arrows.iter().any(is_seen) {
            arrows
        } else {
            observed
        };
        Sight::of(seen, &normals)
    }

    /// The points of a body: its centre, and those of its contacts.
    fn points(&self, b: usize) -> Vec<Vector> {
        let contacts = self.bodies.contacts.iter();
        let own = contacts.filter(|own| own.bodies.contains(&Some(b)));
        let points = own.flat_map(|own| [Some(&own.point), own.point_a.as_ref()]);
        let points = points.flatten().map(|own| numbers(own));
        points.chain([self.centres[b]]).collect()
    }

    /// The length of normals and cones.
    pub fn size(&self, sight: &Sight) -> f64 {
        let points = (0..self.centres.len()).flat_map(|b| self.points(b));
        let points: Vec<_> = points.map(|own| sight.point(&own)).collect();
        let extent = |k: usize| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            let ends = points.iter().fold(start, |(low, high), own| {
                (low.min(own[k]), high.max(own[k]))
            });
            (ends.1 - ends.0).max(0.0)
        };
        let largest = extent(0).max(extent(1));
        if largest > 0.0 { CONE * largest } else { 0.1 }
    }

    /// Hulls of centres and points of contact.
    pub fn outlines(&self, sight: &Sight) -> Vec<Outline> {
        let outline = |b: usize| Outline {
            name: format!("body {b}"),
            fixed: false,
            loops: vec![hull(
                self.points(b).iter().map(|own| sight.point(own)).collect(),
            )],
            wires: Vec::new(),
        };
        (0..self.centres.len()).map(outline).collect()
    }

    /// The corners of what may act at a contact, with the normal part of this size.
    fn corners(admissible: &Admissible, sign: f64, size: f64) -> Vec<Vector> {
        let corner = |friction: &Vec<Rational>| {
            let parts = [&[Rational::from(1)], &friction[..]].concat();
            Self::in_world(admissible, sign * size, &parts)
        };
        admissible.friction.iter().map(corner).collect()
    }

    /// The hull of a contact's point and of what may act there: a line where that has no area.
    fn hull_of(
        sight: &Sight,
        size: f64,
        (contact, admissible, sign): (&Contact, &Admissible, f64),
    ) -> Vec<[f64; 2]> {
        let at = sight.point(&numbers(&contact.point));
        let ends = Self::corners(admissible, sign, size);
        let ends = ends.iter().map(|own| moved(at, sight.point(own)));
        hull(ends.chain([at]).collect())
    }

    /// What may act at each contact, as far as it has an area.
    pub fn cones(&self, sight: &Sight, size: f64) -> Vec<Vec<[f64; 2]>> {
        let cones = self.contacts().map(|own| Self::hull_of(sight, size, own));
        cones.filter(|own| own.len() > 2).collect()
    }

    /// Normals, what may act where it has no area, and the ground.
    pub fn lines(&self, sight: &Sight, size: f64) -> Vec<Vec<[f64; 2]>> {
        let mut lines = Vec::new();
        for own in self.contacts() {
            let (contact, admissible, sign) = own;
            let at = sight.point(&numbers(&contact.point));
            let one = Rational::from(1);
            let normal = Self::in_world(admissible, sign, std::slice::from_ref(&one));
            let normal = sight.point(&normal);
            lines.push(vec![at, moved(at, normal.map(|x| x * size))]);
            let acting = Self::hull_of(sight, size, own);
            if acting.len() == 2 {
                lines.push(acting);
            }
            if contact.bodies.contains(&None) {
                lines.extend(piece(&Touch { at, normal }, 0.5 * size));
            }
        }
        lines
    }
}

fn moved(at: [f64; 2], by: [f64; 2]) -> [f64; 2] {
    [at[0] + by[0], at[1] + by[1]]
}

pub fn numbers(own: &[Number]) -> Vector {
    std::array::from_fn(|k| own.get(k).map_or(0.0, Number::to_f64))
}

fn rounded(own: &[Rational]) -> Vector {
    std::array::from_fn(|k| own.get(k).map_or(0.0, Rational::to_f64))
}
