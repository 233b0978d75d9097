//! Gaps: those that are recorded, that bodies stay apart, and that nothing pushes from afar.

use rug::Rational;

use super::MotionLaw;
use super::finding::{figure, figures};
use super::laws::{Exam, FEW, entries, size};
use super::step::MotionContact;
use crate::exact::sparse_dot;

impl Exam<'_> {
    /// The recorded gap, and that bodies stay apart.
    pub(super) fn gap(&mut self, own: &MotionContact) {
        let tolerance = self
            .rounding
            .allows(FEW, &own.gap_size, &entries(&own.normal));
        let now = own.gap.as_ref().zip(own.own_gap.as_ref());
        let before = own.first_gap.as_ref().map(|[gap, state]| (gap, state));
        for (gap, state) in before.into_iter().chain(now) {
            let off = Rational::from(gap - state);
            if size(&off) > tolerance {
                let [gap, state] = figures(gap, state);
                let unit = own.units()[2];
                let words = format!(
                    "a gap of {gap} {unit} is recorded, and the state has one of {state} {unit}"
                );
                let at = (MotionLaw::Data, own.place());
                self.found.report(at, off, (unit, tolerance.clone()), words);
            }
        }
        let gap = own.own_gap.as_ref().or(own.gap.as_ref());
        let Some(gap) = gap.filter(|_| own.keeps_apart) else {
            return;
        };
        let depth = Rational::from(-gap) - &own.slop;
        if depth > tolerance {
            let unit = own.units()[2];
            let words = format!("bodies overlap by {} {unit}", figure(&size(gap)));
            let at = (MotionLaw::Penetration, own.place());
            self.found.report(at, -depth, (unit, tolerance), words);
        }
    }

    /// What pushes is near.
    pub(super) fn pushes(&mut self) {
        let step = self.step;
        let none = self.pull();
        for own in step.contacts.iter().filter(|own| own.pressed > none) {
            self.normal(own);
            self.reaches(own);
        }
    }

    /// The normal of a push is that of the shapes.
    fn normal(&mut self, own: &MotionContact) {
        let Some((off, size)) = &own.normal_off else {
            return;
        };
        let tolerance = self.rounding.allows(FEW, size, &Rational::from(2));
        if *off > tolerance {
            let words = format!(
                "its normal is not that of its bodies: entries differ by up to {}",
                figure(off)
            );
            let at = (MotionLaw::Data, own.place());
            self.found.report(at, off.clone(), ("1", tolerance), words);
        }
    }

    /// A contact that pushes is closed, or would close within the step: with the velocity before the step, or with that
    /// after it if the contact did not push. Up to `slop` a gap counts as closed.
    fn reaches(&mut self, own: &MotionContact) {
        let Some(reach) = &own.reach else { return };
        let [before, after] = &self.step.v;
        let mut slowest = sparse_dot(&own.normal, before);
        if let Some(inverse) = &self.inverse {
            let mut without = after.clone();
            for (row, impulse) in own.pushes() {
                let share = inverse.times_row(row);
                for (v, share) in without.iter_mut().zip(share) {
                    *v -= share * impulse;
                }
            }
            slowest = slowest.min(sparse_dot(&own.normal, &without));
        }
        let closing = slowest.min(Rational::new());
        let left = Rational::from(&closing * &self.step.h) + &reach.gap - &own.slop;
        let mut tolerance = self
            .rounding
            .allows(FEW, &reach.size, &entries(&own.normal));
        tolerance += self.slip_error(&own.normal, own) * &self.step.h;
        tolerance += size(&closing) * &self.step.h_error;
        if left > tolerance {
            let [of_push, _, unit] = own.units();
            let words = format!(
                "it pushes with {} {of_push} over a gap of {} {unit}, of which {} {unit} would be left without the push",
                figure(&own.pressed),
                figure(&reach.gap),
                figure(&left)
            );
            let at = (MotionLaw::Complementarity, own.place());
            self.found.report(at, left, (unit, tolerance), words);
        }
    }
}
