//! The rule by which positions follow velocities, and the clock.

use rug::float::Constant;
use rug::{Float, Rational};

use super::MotionLaw;
use super::finding::{figure, figures};
use super::laws::{Exam, FEW, size};
use super::step::Update;

/// A turn has so many bits: far below the 53 of any angle.
const TURN_BITS: u32 = 256;

impl Exam<'_> {
    /// Recorded times go on by h, where h is given by itself.
    pub(super) fn clock(&mut self) {
        let Some([start, end]) = &self.step.times else {
            return;
        };
        let h = &self.step.h;
        let way = Rational::from(end - start);
        let off = Rational::from(&way - h);
        let sizes = size(start) + size(end) + h;
        let tolerance = self.rounding.allows(FEW, &sizes, &Rational::from(2));
        if size(&off) > tolerance {
            let thousand = Rational::from(h * 1000u32);
            let unit = match is_about(&way, &thousand) {
                true => "; is the time in ms?",
                false => "",
            };
            let [own, other] = figures(&way, h);
            let words =
                format!("the time goes on by {own} s, and the step is {other} s long{unit}");
            let at = (MotionLaw::Data, "time".to_owned());
            self.found.report(at, off, ("s", tolerance), words);
        }
    }

    pub(super) fn state(&mut self) {
        let step = self.step;
        for (i, (old, new)) in step.q[0].iter().zip(&step.q[1]).enumerate() {
            if step.coordinates[i].unfollowed {
                continue;
            }
            let [before, after] = [&step.v[0][i], &step.v[1][i]];
            let (rate, rule) = match step.update {
                Update::SemiImplicit => (after.clone(), "h times the velocity after the step"),
                Update::Explicit => (before.clone(), "h times the velocity before the step"),
                Update::Midpoint => (
                    Rational::from(before + after) / 2u32,
                    "h times the mean velocity",
                ),
                Update::NotAsked => return,
            };
            let moved = Rational::from(&rate * &step.h);
            let mut off = Rational::from(new - old) - &moved;
            let mut sizes = size(old) + size(new) + (size(before) + size(after)) * &step.h;
            let whole = whole_turns(&off);
            if step.coordinates[i].wraps {
                self.within_a_turn(i, [old, new]);
                off -= &whole;
                sizes += size(&whole);
            }
            let factors = Rational::from(2) + &step.h;
            // Three terms, no rows: N = 19.
            let tolerance =
                self.rounding.allows(19, &sizes, &factors) + size(&rate) * &step.h_error;
            if size(&off) > tolerance {
                let owner = &step.coordinates[i];
                let unit = if owner.turns { "rad" } else { "m" };
                let way = Rational::from(new - old);
                let [own, other] = figures(&way, &moved);
                let mut words = format!("it moves by {own} {unit}, and {rule} is {other}");
                words += if owner.turns && !owner.wraps && is_about(&off, &whole) {
                    "; is the angle kept within one turn? Then say \"angle_wraps\": true of the body"
                } else {
                    unit_hint(&way, &moved, owner.turns)
                };
                let place = owner.owner.clone();
                self.found
                    .report((MotionLaw::State, place), off, (unit, tolerance), words);
            }
        }
    }

    /// Two angles that are kept within one turn are at most a turn apart, wherever the turn begins.
    fn within_a_turn(&mut self, i: usize, [old, new]: [&Rational; 2]) {
        let turn = one_turn();
        let way = Rational::from(new - old);
        let over = size(&way) - &turn;
        let tolerance = (self.rounding).allows(FEW, &(size(old) + size(new)), &Rational::from(2));
        if over > tolerance {
            let words = format!(
                "its angle goes on by {} rad, and \"angle_wraps\" says that it is kept within one turn",
                figure(&way)
            );
            let at = (MotionLaw::Data, self.step.coordinates[i].owner.clone());
            self.found.report(at, over, ("rad", tolerance), words);
        }
    }
}

/// 2 pi.
fn one_turn() -> Rational {
    let turn = Float::with_val(TURN_BITS, Constant::Pi) * 2u32;
    // The constant is finite.
    turn.to_rational().unwrap_or_default()
}

/// The whole turns nearest to an angle, in radians.
fn whole_turns(angle: &Rational) -> Rational {
    let turn = one_turn();
    let count = Rational::from(angle / &turn).round();
    turn * count
}

/// Whether a number is another to a millionth, which is not 0. This decides nothing.
fn is_about(own: &Rational, other: &Rational) -> bool {
    let rest = size(&Rational::from(own - other));
    !other.is_zero() && rest * 1_000_000u32 <= size(other)
}

/// What a wrong unit would make of a way. This decides nothing.
fn unit_hint(way: &Rational, moved: &Rational, turns: bool) -> &'static str {
    if moved.is_zero() {
        return "";
    }
    let times = Rational::from(way / moved).abs();
    // Within a thousandth of a factor between units.
    let near = |factor: Rational| {
        let off = Rational::from(&times - &factor).abs();
        off * 1000u32 < factor
    };
    let ratio = |n: u32, d: u32| Rational::from((n, d));
    let degrees = || ratio(5_729_578, 100_000);
    let hints = [
        (
            true,
            degrees(),
            "; is the angle in degrees, and the velocity in rad/s?",
        ),
        (
            true,
            degrees().recip(),
            "; is the velocity in degrees/s, and the angle in rad?",
        ),
        (
            false,
            ratio(1000, 1),
            "; is the position in mm, and the velocity in m/s?",
        ),
        (
            false,
            ratio(1, 1000),
            "; is the velocity in mm/s, and the position in m?",
        ),
        (
            false,
            ratio(100, 1),
            "; is the position in cm, and the velocity in m/s?",
        ),
        (
            false,
            ratio(1, 100),
            "; is the velocity in cm/s, and the position in m?",
        ),
    ];
    let mut fitting = hints.into_iter().filter(|(angle, ..)| *angle == turns);
    fitting
        .find(|(_, factor, _)| near(factor.clone()))
        .map_or("", |(.., words)| words)
}
