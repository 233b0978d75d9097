//! The orientations of bodies in space: that they are unit quaternions, and that they follow the spin.

use rug::{Float, Integer, Rational};

use super::MotionLaw;
use super::finding::figure;
use super::laws::{Exam, FEW, size};
use super::step::{BodyTurn, TurnRule, Update};
use crate::exact::{dot, largest, length_above, sum};

type Quaternion = [Rational; 4];

/// A turn has so many bits behind the point: far below the 53 of any orientation.
const TURN_BITS: u32 = 256;

impl Exam<'_> {
    pub(super) fn turning(&mut self) {
        let step = self.step;
        for own in &step.turns {
            let first = usize::from(step.k != 1);
            for q in &own.orientation[first..] {
                self.length(own, q);
            }
            self.follows(own);
        }
    }

    /// |q| = 1: the square of the length is a sum of four squares, whose sizes add up to it.
    fn length(&mut self, own: &BodyTurn, q: &Quaternion) {
        let square = dot(q, q);
        let entries = sum(q.iter().map(size)) * 2u32;
        let tolerance = self.rounding.allows(FEW, &square, &entries);
        let off = square - 1u32;
        if size(&off) > tolerance {
            let length = length_above(q);
            let words = format!(
                "its orientation has the length {}; a unit quaternion w, x, y, z has 1",
                figure(&length)
            );
            let at = (MotionLaw::Data, own.owner.clone());
            self.found.report(at, off, ("1", tolerance), words);
        }
    }

    /// The orientation after the step is that before it, turned by the spin.
    fn follows(&mut self, own: &BodyTurn) {
        let step = self.step;
        let [before, after] = &own.spin;
        let (spin, which) = match step.update {
            Update::SemiImplicit => (after.clone(), "the spin after the step"),
            Update::Explicit => (before.clone(), "the spin before the step"),
            Update::Midpoint => {
                let mean = |k: usize| Rational::from(&before[k] + &after[k]) / 2u32;
                (std::array::from_fn(mean), "the mean spin")
            }
            Update::NotAsked => return,
        };
        let rules = match own.rule {
            TurnRule::Either => &[TurnRule::Exponential, TurnRule::Linear][..],
            TurnRule::Exponential => &[TurnRule::Exponential],
            TurnRule::Linear => &[TurnRule::Linear],
            TurnRule::NotAsked => return,
        };
        let nearest = rules.iter().map(|rule| {
            let turn = turn_of(*rule, &spin, &step.h);
            (off(&own.orientation, &turn, Side::World), turn)
        });
        let Some((off, turn)) = nearest.min_by(|a, b| a.0.cmp(&b.0)) else {
            return;
        };
        let tolerance = self.turn_error(own, &spin, &turn);
        if off > tolerance {
            let mut words = format!(
                "it is turned {} rad away from where {which} turns it",
                figure(&Rational::from(&off * 2u32))
            );
            words += remedy(own, (&spin, &step.h), &tolerance);
            let at = (MotionLaw::State, own.owner.clone());
            // Half of the angle is what quaternions differ by.
            self.found
                .report(at, off * 2u32, ("rad", tolerance * 2u32), words);
        }
    }

    /// What rounding may do to an entry of the turned quaternion: a sum of four products of an entry of the turn and one of the
    /// old quaternion, less one of the new. What h w/2 is off by counts once more: the turn's entries have derivatives of at
    /// most 1 in it. Each entry is divided by its length, which has the roundings of all.
    fn turn_error(&self, own: &BodyTurn, spin: &[Rational; 3], turn: &Quaternion) -> Rational {
        let step = self.step;
        let [before, after] = &own.orientation;
        let half = sum(spin.iter().map(size)) / 2u32;
        let angle = Rational::from(&half * &step.h);
        let [old, entries] = [before, turn].map(|own| sum(own.iter().map(size)));
        let s = Rational::from(&old * &(entries + &angle)) + largest(after);
        let c = Rational::from(&old * &step.h) + 5u32;
        self.rounding.allows(FEW, &s, &c) + half * &step.h_error * old
    }
}

/// What would make an orientation right. This decides nothing.
fn remedy(
    own: &BodyTurn,
    (spin, h): (&[Rational; 3], &Rational),
    tolerance: &Rational,
) -> &'static str {
    let back = spin.clone().map(|own| -own);
    let fits = |spin: &[Rational; 3], side: Side| {
        let mut all = [TurnRule::Exponential, TurnRule::Linear].into_iter();
        all.any(|rule| off(&own.orientation, &turn_of(rule, spin, h), side) <= *tolerance)
    };
    if fits(spin, Side::World) {
        "; the other rule fits: see \"rotation\" of the map"
    } else if fits(spin, Side::Body) {
        "; the spin fits in axes of the body, and must be in those of the world"
    } else if fits(&back, Side::World) {
        "; the spin of the other sign fits"
    } else {
        ""
    }
}

/// Whose axes a spin is in.
#[derive(Clone, Copy)]
enum Side {
    World,
    Body,
}

/// How far the largest entry of a quaternion is from that of a turned one. A quaternion and its opposite are one orientation.
fn off([before, after]: &[Quaternion; 2], turn: &Quaternion, side: Side) -> Rational {
    let expected = match side {
        Side::World => product(turn, before),
        Side::Body => product(before, turn),
    };
    let (expected, own) = (unit(&expected), unit(after));
    let differ = |sign: i32| {
        let pairs = expected.iter().zip(&own);
        let each = pairs.map(|(a, b)| (Rational::from(b * sign) - a).abs());
        each.max().unwrap_or_default()
    };
    differ(1).min(differ(-1))
}

/// The direction of a quaternion, to 200 bits; of zero, which tables do not have, it is zero.
fn unit(own: &Quaternion) -> Quaternion {
    let length = length_above(own);
    if length.is_zero() {
        return own.clone();
    }
    own.clone().map(|entry| entry / &length)
}

/// First b, then a.
fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    let [p, q, r, s] = a;
    let [w, x, y, z] = b;
    let term = |terms: [(i32, &Rational, &Rational); 4]| {
        sum(terms
            .into_iter()
            .map(|(sign, a, b)| Rational::from(a * b) * sign))
    };
    [
        term([(1, p, w), (-1, q, x), (-1, r, y), (-1, s, z)]),
        term([(1, p, x), (1, q, w), (1, r, z), (-1, s, y)]),
        term([(1, p, y), (-1, q, z), (1, r, w), (1, s, x)]),
        term([(1, p, z), (1, q, y), (-1, r, x), (1, s, w)]),
    ]
}

/// The quaternion of a turn by the spin within a step; of any length.
fn turn_of(rule: TurnRule, spin: &[Rational; 3], h: &Rational) -> Quaternion {
    let half = spin.each_ref().map(|own| Rational::from(own * h) / 2u32);
    let (cosine, sine) = match rule {
        TurnRule::Exponential => cos_and_sinc(&dot(&half, &half)),
        _ => (Rational::from(1), Rational::from(1)),
    };
    let [x, y, z] = half.map(|own| own * &sine);
    [cosine, x, y, z]
}

/// cos(a) and sin(a)/a for the square of a (MPFR rounds both correctly).
fn cos_and_sinc(square: &Rational) -> (Rational, Rational) {
    if square.is_zero() {
        return (Rational::from(1), Rational::from(1));
    }
    // The bits of whole turns are lost to both, so a has them beside the others.
    let whole = Integer::from(square.ceil_ref()).significant_bits() / 2;
    let angle = Float::with_val(TURN_BITS + whole + 1, square).sqrt();
    let (sine, cosine) = angle.clone().sin_cos(Float::new(angle.prec()));
    // Both are finite, as the angle is.
    let [cosine, sinc] = [cosine, sine / angle].map(|own| own.to_rational().unwrap_or_default());
    (cosine, sinc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_any_size_have_their_cosine_and_sine() {
        for a in [0.0_f64, 1e-200, 0.25, 1.0, 3.0, 31.0, 5e3, 1e22, 1e300] {
            let square = Rational::from_f64(a).unwrap().square();
            let (cosine, sine) = cos_and_sinc(&square);
            let near = |own: Rational, truth: f64| (own.to_f64() - truth).abs() < 1e-15;
            let sinc = if a == 0.0 { 1.0 } else { a.sin() / a };
            assert!(near(cosine, a.cos()) && near(sine, sinc), "{a}");
        }
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let none = [1, 0, 0, 0].map(Rational::from);
        let spin = [
            Rational::new(),
            Rational::new(),
            Rational::from_f64(std::f64::consts::PI).unwrap(),
        ];
        let turn = turn_of(TurnRule::Exponential, &spin, &Rational::from((1, 2)));
        let root = Rational::from_f64(std::f64::consts::FRAC_1_SQRT_2).unwrap();
        let quarter = [root.clone(), Rational::new(), Rational::new(), root];
        assert!(
            off(&[none.clone(), quarter.clone()], &turn, Side::World)
                < Rational::from((1, 1u64 << 50))
        );
        let opposite = quarter.map(|own| -own);
        assert!(off(&[none, opposite], &turn, Side::World) < Rational::from((1, 1u64 << 50)));
    }
}
