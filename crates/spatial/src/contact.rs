//! A contact as a step uses it: exact numbers on the grid, whoever proposed them.

use etalon_rigid::Vector3;
use rug::Rational;

use crate::binary::{cross, difference, dot, length, times, unit};
use crate::grid::{BITS, exactly, kept, rounded, to_f64s};
use crate::surface::Surface;

/// What geometry proposes, in binary64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactProposal {
    /// The body that the normal points to.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Halfway between the nearest points, in the world, m.
    pub point: [f64; 3],
    /// From the second body to the first.
    pub normal: [f64; 3],
    /// Their distance along the normal, negative where they overlap, m.
    pub gap: f64,
}

/// A contact of a step. Force and counterforce act at one point, so that momentum is kept in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// `first/second`, with a number where a pair has several.
    pub name: String,
    /// The body that the normal points to.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Where force and counterforce act, m.
    pub point: Vector3<Rational>,
    /// A unit vector to rounding.
    pub normal: Vector3<Rational>,
    /// Two more, at right angles to it and to each other to rounding.
    pub tangents: [Vector3<Rational>; 2],
    /// m.
    pub gap: Rational,
    /// The coefficient of friction along the first tangent.
    pub mu: Rational,
    /// Along the second.
    pub across: Rational,
    /// That of restitution.
    pub restitution: Rational,
    /// The largest torque about the normal of a unit normal force, m.
    pub torsion: Rational,
    /// The largest torque across the normal of a unit normal force, m.
    pub rolling: Rational,
}

impl Contact {
    /// The proposal on the grid; `None` where it is not finite or has no normal.
    pub fn of(proposal: &ContactProposal, name: String, surface: &Surface) -> Option<Self> {
        let [normal, one, other] = frame(proposal.normal)?.map(|vector| kept(&vector));
        Some(Self {
            name,
            first: proposal.first,
            second: proposal.second,
            point: kept(&exactly(proposal.point)?),
            normal,
            tangents: [one, other],
            gap: rounded(&Rational::from_f64(proposal.gap)?, -BITS),
            mu: surface.mu.clone(),
            across: surface.across().clone(),
            restitution: surface.restitution.clone(),
            torsion: surface.torsion.clone(),
            rolling: surface.rolling.clone(),
        })
    }

    /// The same with the first tangent along a direction; `None` where that is along the normal.
    pub fn along(mut self, direction: &Vector3<Rational>) -> Option<Self> {
        let [_, one, other] = frame_along(&self.normal, direction)?;
        self.tangents = [kept(&one), kept(&other)];
        Some(self)
    }

    /// Whether it acts at a point of one of its bodies, up to a distance.
    pub(crate) fn is_at(&self, body: usize, point: &Vector3<Rational>, allowed: &Rational) -> bool {
        let half = self.normal.times(&Rational::from(&self.gap / 2u32));
        let own = match self.first == body {
            true => &self.point + &half,
            false => &self.point - &half,
        };
        (&own - point).norm_squared() <= allowed.clone().square()
    }

    /// Whether friction depends on the direction.
    pub fn has_grain(&self) -> bool {
        self.across != self.mu
    }

    /// Normal and tangents.
    pub fn axes(&self) -> [&Vector3<Rational>; 3] {
        [&self.normal, &self.tangents[0], &self.tangents[1]]
    }
}

/// A normal and two tangents, the first along a direction, to rounding in binary64; `None` where that is along the normal.
pub(crate) fn frame_along(
    normal: &Vector3<Rational>,
    direction: &Vector3<Rational>,
) -> Option<[Vector3<Rational>; 3]> {
    let normal = to_f64s(normal);
    let direction = unit(to_f64s(direction))?;
    let upright = times(&normal, dot(&normal, &direction));
    let flat = difference(&direction, &upright);
    // A millionth of a right angle: less is rounding of the normal, and no direction.
    let near = unit(flat).filter(|_| length(&flat) > 1e-6)?;
    // n'n is 1 to 2^-39 alone, as n is on the grid, and n'`flat` = n'd (1 - n'n): beside a length s of `flat` that is
    // up to 2^-39/s of a unit vector. What is along n is taken away once more, divided by n'n: rounding of binary64 is left.
    let leaning = dot(&normal, &near) / dot(&normal, &normal);
    let one = unit(difference(&near, &times(&normal, leaning)))?;
    let other = cross(&normal, &one);
    Some([exactly(normal)?, exactly(one)?, exactly(other)?])
}

/// The direction of a vector and two unit vectors at right angles, right-handed, to rounding in binary64; `None` of
/// zero. The first tangent is the axis of the world that is furthest from the normal, without its part along it:
/// for the upward normal the tangents are x and y.
pub(crate) fn frame(vector: [f64; 3]) -> Option<[Vector3<Rational>; 3]> {
    let normal = unit(vector)?;
    // The first axis of those furthest from the normal.
    let axis = (0..3).fold(0, |best, k| {
        if normal[k].abs() < normal[best].abs() {
            k
        } else {
            best
        }
    });
    let along = normal[axis];
    let one = unit(std::array::from_fn(|k| {
        f64::from(u8::from(k == axis)) - along * normal[k]
    }))?;
    let other = [
        normal[1] * one[2] - normal[2] * one[1],
        normal[2] * one[0] - normal[0] * one[2],
        normal[0] * one[1] - normal[1] * one[0],
    ];
    Some([exactly(normal)?, exactly(one)?, exactly(other)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_rigid::Vector;

    #[test]
    fn frames_are_right_handed_and_square_to_rounding() {
        for normal in [
            [0.0, 0.0, 1.0],
            [0.3, -0.2, 0.9],
            [1.0, 0.0, 0.0],
            [-5.0, 4.0, 3.0],
        ] {
            let [n, a, b] = frame(normal).unwrap().map(|v| kept(&v));
            let tiny = Rational::from(1) >> 37;
            for (x, y) in [(&n, &a), (&n, &b), (&a, &b)] {
                assert!(x.dot(y).abs() < tiny, "{normal:?}");
            }
            for x in [&n, &a, &b] {
                assert!((x.norm_squared() - 1u32).abs() < tiny, "{normal:?}");
            }
            assert!((&n.cross(&a) - &b).norm_squared() < tiny, "{normal:?}");
        }
        assert_eq!(frame([0.0, 0.0, 2.0]).unwrap()[1], Vector::axis(0));
        assert_eq!(frame([0.0; 3]), None);
        assert_eq!(frame([f64::NAN, 1.0, 0.0]), None);
    }

    /// As square as the oracle asks, however near the direction is to the normal.
    #[test]
    fn frames_along_a_direction_near_the_normal_are_square_to_rounding() {
        let allowed = Rational::from(5) >> BITS;
        for (slant, seed) in (1..6).flat_map(|k| (1..20).map(move |seed| (k, seed))) {
            let vector = [0.3, 0.2 + 0.01 * f64::from(seed), 0.9];
            let [normal, aside, _] = frame(vector).unwrap().map(|v| kept(&v));
            let direction = &normal + &aside.times(&Rational::from((1, 10i64.pow(slant))));
            let tangents = frame_along(&normal, &direction).unwrap();
            let [_, one, other] = tangents.map(|v| kept(&v));
            for (x, y) in [(&normal, &one), (&normal, &other), (&one, &other)] {
                assert!(x.dot(y).abs() <= allowed, "{slant}, {seed}");
            }
            for x in [&one, &other] {
                assert!((x.norm_squared() - 1u32).abs() <= allowed);
            }
            // Rounding of a step in each entry.
            assert!(other.dot(&direction).abs() <= allowed, "{slant}, {seed}");
            assert!(one.dot(&direction) > 0);
        }
    }
}
