//! The answers to one contact, u = M r + q, rows normal, tangent, tangent, found mode by mode in binary64.
//!
//! Open and stick are linear. Where the contact slides, the force is r_N (1, mu d) for a direction d = (cos a, sin a), and the
//! slip is against d. The normal row gives r_N, so that the part of the slip across d is a function of the angle alone, a
//! trigonometric polynomial of degree 2 (3 under the convex law) with at most 4 (6) zeros. Its changes of sign are looked for
//! and bisected. Nothing is promised here: the judge decides on what is found.

use std::f64::consts::TAU;

use etalon_lcp::Law;
use nalgebra::{Matrix3, Vector3};

/// Directions between which a change of sign is looked for: far more than there are zeros.
const DIRECTIONS: u32 = 720;
/// Halvings until the angle is as good as binary64 has it.
const HALVINGS: u32 = 60;
/// Rounding of few operations, relative to their terms.
const ROUNDING: f64 = 1e-12;
/// Forces are no larger: beyond it nothing can be drawn, and velocities may overflow.
const LARGEST: f64 = 1e12;
/// Answers nearer to each other, relative to their size, are one.
const SAME: f64 = 1e-9;

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// No force.
    Open,
    /// Force, and no slip.
    Stick,
    /// A force on the boundary of its cone.
    Slide,
}

impl Mode {
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slide => "slide",
        }
    }
}

/// A force that obeys the law, up to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub mode: Mode,
    pub r: [f64; 3],
}

/// One contact.
pub struct Contact {
    pub m: [[f64; 3]; 3],
    pub q: [f64; 3],
    pub mu: f64,
    pub law: Law,
}

impl Contact {
    /// u = M r + q.
    pub fn velocity(&self, r: [f64; 3]) -> [f64; 3] {
        (self.m() * Vector3::from(r) + Vector3::from(self.q)).into()
    }

    fn m(&self) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| self.m[i][j])
    }

    /// The size of the terms of a velocity: differences that are smaller than rounding of it are 0.
    fn size(&self, r: [f64; 3]) -> f64 {
        let row = |i: usize| {
            let terms = (0..3).map(|j| (self.m[i][j] * r[j]).abs());
            terms.sum::<f64>() + self.q[i].abs()
        };
        (0..3).map(row).fold(0.0, f64::max)
    }

    /// All answers that were found: open, stick, slide.
    pub fn answers(&self) -> Vec<Found> {
        let open = Found {
            mode: Mode::Open,
            r: [0.0; 3],
        };
        let mut found: Vec<Found> = Vec::new();
        found.extend(self.takes_off().then_some(open));
        found.extend(self.stick());
        for slide in self.slides() {
            let near = |other: &Found| {
                let (a, b) = (Vector3::from(other.r), Vector3::from(slide.r));
                (a - b).norm() <= SAME * a.norm().max(b.norm())
            };
            if !found.iter().any(near) {
                found.push(slide);
            }
        }
        let is_sized = |found: &Found| found.r.iter().all(|r| r.abs() <= LARGEST);
        found.retain(is_sized);
        found
    }

    fn takes_off(&self) -> bool {
        let [n, s, t] = self.q;
        match self.law {
            Law::Coulomb => n >= 0.0,
            Law::Convex => n >= self.mu * s.hypot(t),
        }
    }

    fn stick(&self) -> Option<Found> {
        let r = self.m().lu().solve(&-Vector3::from(self.q))?;
        let [n, s, t] = r.into();
        let inside = n > 0.0 && s.hypot(t) <= self.mu * n * (1.0 + ROUNDING);
        (inside && n.is_finite()).then_some(Found {
            mode: Mode::Stick,
            r: [n, s, t],
        })
    }

    fn slides(&self) -> Vec<Found> {
        if self.mu == 0.0 {
            let r = [-self.q[0] / self.m[0][0], 0.0, 0.0];
            let pressed = r[0] > 0.0 && r[0].is_finite();
            let mode = Mode::Slide;
            return pressed.then_some(Found { mode, r }).into_iter().collect();
        }
        let angle = |k: u32| TAU * f64::from(k) / f64::from(DIRECTIONS);
        let mut found = Vec::new();
        for k in 0..DIRECTIONS {
            let (from, to) = (angle(k), angle(k + 1));
            let (a, b) = (self.across(from), self.across(to));
            if a == 0.0 {
                found.extend(self.slide(from));
            } else if (a < 0.0) != (b < 0.0) && b != 0.0 {
                found.extend(self.slide(self.bisected(from, to)));
            }
        }
        found
    }

    /// The force at the boundary of the cone in a direction, for a normal force of 1.
    fn edge(&self, angle: f64) -> Vector3<f64> {
        let (sin, cos) = angle.sin_cos();
        Vector3::new(1.0, self.mu * cos, self.mu * sin)
    }

    /// The normal force as numerator and denominator: u_N = 0, or r'u = 0 under the convex law.
    fn pressed(&self, edge: &Vector3<f64>) -> (f64, f64) {
        let (q, moved) = (Vector3::from(self.q), self.m() * edge);
        match self.law {
            Law::Coulomb => (-q[0], moved[0]),
            Law::Convex => (-q.dot(edge), edge.dot(&moved)),
        }
    }

    /// The slip across the direction, times the denominator of the normal force.
    fn across(&self, angle: f64) -> f64 {
        let edge = self.edge(angle);
        let (above, below) = self.pressed(&edge);
        let slip = Vector3::from(self.q) * below + self.m() * edge * above;
        let (sin, cos) = angle.sin_cos();
        cos * slip[2] - sin * slip[1]
    }

    fn bisected(&self, mut from: f64, mut to: f64) -> f64 {
        let low = self.across(from) < 0.0;
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(from, to);
            if (self.across(middle) < 0.0) == low {
                from = middle;
            } else {
                to = middle;
            }
        }
        f64::midpoint(from, to)
    }

    /// The force in that direction, if it presses, and the slip is against it.
    fn slide(&self, angle: f64) -> Option<Found> {
        let edge = self.edge(angle);
        let (above, below) = self.pressed(&edge);
        let r: [f64; 3] = (edge * (above / below)).into();
        let u = self.velocity(r);
        let (sin, cos) = angle.sin_cos();
        let near = 1e3 * ROUNDING * self.size(r);
        let holds = r[0] > 0.0
            && r[0].is_finite()
            && cos * u[1] + sin * u[2] <= near
            && (cos * u[2] - sin * u[1]).abs() <= near;
        (holds && u[0] >= -near).then_some(Found {
            mode: Mode::Slide,
            r,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn contact(m: [[f64; 3]; 3], q: [f64; 3], mu: f64, law: Law) -> Contact {
        Contact { m, q, mu, law }
    }

    #[test]
    fn a_point_takes_off_sticks_or_slides_as_it_is_thrown() {
        for (q, mode, r) in [
            ([1.0, 2.0, 0.0], Mode::Open, [0.0; 3]),
            ([-1.0, 0.3, 0.4], Mode::Stick, [1.0, -0.3, -0.4]),
            ([-1.0, 3.0, 4.0], Mode::Slide, [1.0, -0.6, -0.8]),
            ([-2.0, 0.0, -5.0], Mode::Slide, [2.0, 0.0, 2.0]),
        ] {
            let found = contact(UNIT, q, 1.0, Law::Coulomb).answers();
            assert_eq!(found.len(), 1, "{q:?}: {found:?}");
            assert_eq!(found[0].mode, mode);
            for (a, b) in found[0].r.iter().zip(r) {
                assert!((a - b).abs() < 1e-12, "{found:?}");
            }
        }
    }

    #[test]
    fn the_convex_law_has_one_answer_and_lifts_what_slides() {
        for k in 0..60 {
            let (sin, cos) = (f64::from(k) * 0.7).sin_cos();
            let q = [f64::from(k % 7) - 4.0, 3.0 * cos, 3.0 * sin];
            let m = [[2.0, 0.8, 0.3], [0.8, 1.5, -0.2], [0.3, -0.2, 1.2]];
            let contact = contact(m, q, 0.5, Law::Convex);
            let found = contact.answers();
            assert_eq!(found.len(), 1, "{q:?}: {found:?}");
            if found[0].mode == Mode::Slide {
                let u = contact.velocity(found[0].r);
                assert!((u[0] - 0.5 * u[1].hypot(u[2])).abs() < 1e-9, "{u:?}");
            }
        }
    }

    #[test]
    fn without_friction_the_tangent_is_free() {
        let found = contact(UNIT, [-2.0, 5.0, 1.0], 0.0, Law::Coulomb).answers();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].r, [2.0, 0.0, 0.0]);
    }

    #[test]
    fn matrices_without_sense_have_no_answer_and_no_panic() {
        for m in [[[0.0; 3]; 3], [[-1.0, 0.0, 0.0]; 3], [[1e6; 3]; 3]] {
            for law in Law::ALL {
                let found = contact(m, [-1.0, 1.0, 1.0], 1.0, law).answers();
                assert!(found.iter().all(|f| f.r.iter().all(|x| x.is_finite())));
            }
        }
    }
}
