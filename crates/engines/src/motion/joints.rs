//! The laws of joints: what they hold, that they push along nothing else, and their drives.
//!
//! A joint holds rates of its bodies against each other: each is 0 after the step, or closes within it what is open. Its impulse acts along
//! what it holds alone. A limit is a contact without friction. A drive pushes with at most h times its bound, and with all of that until its
//! speed is reached: with the slip s = rate - speed and the impulse r,
//!
//! > |r| <= h bound,  r s + h bound |s| = 0.

use rug::Rational;

use super::MotionLaw;
use super::finding::{figure, figures};
use super::laws::{Exam, FEW, entries, size};
use super::step::{FreeImpulse, HeldRow, MotionDrive, MotionJoint, MotionPush, RecordedCoordinate};
use crate::exact::sparse_dot;

impl Exam<'_> {
    pub(super) fn joints(&mut self) {
        for joint in &self.step.joints {
            for held in &joint.held {
                self.holds(joint, held);
            }
            for own in &joint.beside {
                self.pushes_beside(joint, own);
            }
            if let Some(own) = &joint.coordinate {
                self.coordinate(joint, own);
            }
            if let Some(drive) = &joint.drive {
                self.drives(joint, drive);
            }
        }
    }

    /// The rate after the step is its target, and what is open after it is no more than the maker's own rule leaves.
    fn holds(&mut self, joint: &MotionJoint, own: &HeldRow) {
        let [of_rate, of_gap] = match own.turns {
            true => ["rad/s", "rad"],
            false => ["m/s", "m"],
        };
        if let Some(target) = &own.target {
            let off = sparse_dot(&own.row, &self.step.v[1]) - target;
            // A gap over h has the rounding of positions over h.
            let per_step = entries(&own.row) * 2u32 / &self.step.h;
            let of_h = Rational::from(&own.target_size * &self.step.h_error) / &self.step.h;
            let tolerance = self.rounding.allows(FEW, &own.target_size, &per_step)
                + of_h
                + self.row_error(&own.row, &own.uncertain);
            if size(&off) > tolerance {
                let words = format!(
                    "what it holds moves by {} {of_rate} against its law",
                    figure(&off)
                );
                let at = (MotionLaw::Joint, joint.place());
                self.found.report(at, off, (of_rate, tolerance), words);
            }
        }
        let Some([gap, terms, slop]) = &own.opening else {
            return;
        };
        let over = size(gap) - slop;
        let tolerance = self.rounding.allows(FEW, terms, &entries(&own.row));
        if over > tolerance {
            let words = format!(
                "it is open by {} {of_gap} after the step",
                figure(&size(gap))
            );
            let at = (MotionLaw::Joint, joint.place());
            self.found.report(at, over, (of_gap, tolerance), words);
        }
    }

    /// A joint does not push along what it leaves free.
    fn pushes_beside(&mut self, joint: &MotionJoint, own: &FreeImpulse) {
        let tolerance = self
            .rounding
            .allows(self.count, &own.size, &Rational::new());
        if size(&own.amount) > tolerance {
            let [unit, way] = match own.turns {
                true => ["N m s", "about an axis"],
                false => ["N s", "along a direction"],
            };
            let words = format!(
                "it pushes with {} {unit} {way} that it leaves free",
                figure(&own.amount)
            );
            let at = (MotionLaw::Joint, joint.place());
            self.found
                .report(at, own.amount.clone(), (unit, tolerance), words);
        }
    }

    fn coordinate(&mut self, joint: &MotionJoint, own: &RecordedCoordinate) {
        let tolerance = self.rounding.allows(FEW, &own.size, &Rational::from(2)) + &own.vague;
        if size(&own.off) > tolerance {
            let unit = if own.turns { "rad" } else { "m" };
            let words = format!(
                "its coordinate is recorded {} {unit} away from that of the states",
                figure(&own.off)
            );
            let at = (MotionLaw::Data, joint.place());
            self.found
                .report(at, own.off.clone(), (unit, tolerance), words);
        }
    }

    fn drives(&mut self, joint: &MotionJoint, own: &MotionDrive) {
        let step = self.step;
        let unit = if own.turns { "N m s" } else { "N s" };
        let most = Rational::from(&own.bound * &step.h);
        let impulse = &own.push.impulse;
        let sizes = size(impulse) + &most;
        let mut known = self.rounding.allows(self.count, &sizes, &Rational::new());
        known += Rational::from(&own.bound * &step.h_error);
        let over = size(impulse) - &most;
        if over > known {
            let [impulse, bound] = figures(&size(impulse), &most);
            let words =
                format!("its drive pushes with {impulse} {unit}, and h times its bound is {bound}");
            let at = (MotionLaw::Joint, joint.place());
            self.found.report(at, over, (unit, known.clone()), words);
        }
        let slip = sparse_dot(&own.push.row, &step.v[1]) - &own.speed;
        let of_speed = self
            .rounding
            .allows(FEW, &size(&own.speed), &Rational::new());
        let of_rate = self.row_error(&own.push.row, &own.push.uncertain);
        let tolerance = sizes * (of_rate + of_speed) + known * size(&slip);
        let missing = Rational::from(impulse * &slip) + most * size(&slip);
        if size(&missing) > tolerance {
            let words = format!(
                "its drive misses its speed, and takes {} J less than its bound allows against that",
                figure(&missing)
            );
            let at = (MotionLaw::Joint, joint.place());
            self.found.report(at, missing, ("J", tolerance), words);
        }
    }
}

impl MotionJoint {
    fn place(&self) -> String {
        format!("joint {}", self.name)
    }

    /// All impulses, that of the drive among them.
    pub(super) fn all_pushes(&self) -> impl Iterator<Item = &MotionPush> {
        self.pushes
            .iter()
            .chain(self.drive.iter().map(|own| &own.push))
    }
}
