//! Joints: their equations, limits and drives.

use etalon_time_stepping::Term;
use rug::Rational;

use super::Examination;
use super::allowance::Pull;
use crate::joint::{JointGradient, Placed};
use crate::settings::SpaceMethod;

impl Examination<'_> {
    /// Equations of joints at the end of the step, and what their impulses do.
    pub(super) fn joints(&mut self) {
        let mut impulses = self.step.joint_impulses.iter();
        let anew = self.world.placed(&self.step.before);
        for (k, joint) in self.world.joints.iter().enumerate() {
            if anew[k] != self.step.posed.joints[k] {
                self.report(Term::Data, Some(&joint.name), "another pose".to_owned());
            }
            for row in anew[k].iter().map(Placed::row) {
                let JointGradient { first, second, gap } = row;
                let impulse = impulses.next().cloned().unwrap_or_default();
                let mut rate = gap / &self.settings.h;
                for (body, [force, torque]) in [(joint.first, first), (joint.second, second)] {
                    let [v, w] = self.after(body);
                    rate += force.dot(&v) + torque.dot(&w);
                    self.push(body, &force.times(&impulse), &torque.times(&impulse));
                }
                self.vanishes(Term::Joint, Some(&joint.name), &rate, &Rational::new());
            }
        }
        let contacts = self.step.contacts().len();
        self.stops(contacts);
        self.drives(contacts + self.step.posed.stops.len());
    }

    /// The rate of a row at the end of the step.
    pub(super) fn rate(&self, row: &Pull) -> Rational {
        row.iter()
            .fold(Rational::new(), |sum, (body, [force, torque])| {
                let [v, w] = self.after(*body);
                sum + force.dot(&v) + torque.dot(&w)
            })
    }

    fn push_row(&mut self, row: &Pull, impulse: &Rational) {
        for (body, [force, torque]) in row {
            self.push(*body, &force.times(impulse), &torque.times(impulse));
        }
    }

    /// 0 <= impulse, perpendicular to what is left of the travel at the end: of every limit, whether it takes part or not.
    fn stops(&mut self, allowances: usize) {
        let step = self.step;
        let mut known = step.posed.stops.iter().zip(&step.stop_impulses).enumerate();
        let mut next = known.next();
        for own in self.world.stops(&step.before) {
            let name = self.world.joints()[own.joint].name.clone();
            let name = Some(&*name);
            let row = self.pull(own.joint, &own.row);
            let rate = self.rate(&row);
            let is_here = next.is_some_and(|(_, (stop, _))| *stop == own);
            let moreau = self.settings.method == SpaceMethod::MoreauJean;
            let Some((k, (_, impulse))) = next.filter(|_| is_here) else {
                let left = Rational::from(&own.row.gap / &self.settings.h) + rate;
                // By Moreau and Jean's rule an open limit waits until it closes.
                if own.row.gap <= 0 || (!moreau && left < 0) {
                    let amount = format!("{:.3e}", own.row.gap.to_f64());
                    self.report(Term::Missing, name, amount);
                }
                continue;
            };
            next = known.next();
            let left = match moreau {
                true => rate,
                false => Rational::from(&own.row.gap / &self.settings.h) + rate,
            };
            let allowed = self.allowances[allowances + k].clone();
            self.nonnegative(Term::Limit, name, &left, &allowed.rate);
            self.nonnegative(Term::Complementarity, name, impulse, &allowed.impulse);
            let slack = Rational::from(impulse.abs_ref()) * &allowed.rate
                + Rational::from(left.abs_ref()) * &allowed.impulse;
            let product = left * impulse;
            self.vanishes(Term::Complementarity, name, &product, &slack);
            self.push_row(&row, impulse);
        }
        if next.is_some() {
            self.report(Term::Data, None, "another limit".to_owned());
        }
    }

    /// An impulse within h times the bound, which drives as hard as it can while the speed is not reached.
    fn drives(&mut self, allowances: usize) {
        let step = self.step;
        let anew = self.world.driven(&step.before);
        if anew != step.posed.driven {
            self.report(Term::Data, None, "another drive".to_owned());
            return;
        }
        for (k, (own, impulse)) in anew.iter().zip(&step.drive_impulses).enumerate() {
            let name = self.world.joints()[own.joint].name.clone();
            let row = self.pull(own.joint, &own.row);
            let slip = self.rate(&row) - &own.drive.speed;
            let most = Rational::from(&own.drive.bound * &self.settings.h);
            let allowed = self.allowances[allowances + k].clone();
            let size = |value: &Rational| Rational::from(value.abs_ref());
            let left = Rational::from(&most - &size(impulse));
            self.nonnegative(Term::Drive, Some(&name), &left, &allowed.impulse);
            let slack = (size(impulse) + &most) * &allowed.rate + size(&slip) * &allowed.impulse;
            let missing = Rational::from(impulse * &slip) + most * size(&slip);
            self.vanishes(Term::Drive, Some(&name), &missing, &slack);
            self.push_row(&row, impulse);
        }
    }
}
