//! Joints: their equations, limits and drives.

use std::collections::BTreeMap;

use etalon_time_stepping::{Dependence, Term};
use rug::Rational;

use super::allowance::{Allowance, Pull};
use super::phase::Part;
use super::{DerivedGap, Examination, Twist, norm};
use crate::joint::{JointGradient, Placed, StopRow};
use crate::settings::SpaceMethod;
use crate::step::{most_apart, nearness};

impl Examination<'_> {
    /// Equations of joints at the end of the step, and what their impulses do.
    pub(super) fn joints(&mut self) {
        let mut impulses = self.phase.joint_impulses.iter();
        // No time passes in a compression, so that nothing closes.
        let closes = self.phase.part != Part::Compression;
        let anew = self.world.placed(&self.step.at);
        let implied = self.implied(&anew);
        let mut at = 0;
        for (k, joint) in self.world.joints.iter().enumerate() {
            if anew[k] != self.phase.posed.joints[k] {
                self.report(Term::Data, Some(&joint.name), "another pose".to_owned());
            }
            for row in anew[k].iter().map(Placed::row) {
                let impulse = impulses.next().cloned().unwrap_or_default();
                let pull = self.pull(k, &row);
                let mut rate = self.rate(&pull);
                if closes {
                    rate += self.opened(&pull, &row) / &self.settings.h;
                }
                let law = (Term::Joint, unit_of(&row));
                let mut allowed = self.room(k, &row, closes);
                if implied.contains(&at) {
                    allowed += most_apart() / &self.settings.h;
                }
                at += 1;
                self.vanishes_in(law, Some(&joint.name), &rate, &allowed);
                self.push_row((k, &row), &impulse);
            }
        }
        let contacts = self.phase.contacts().len();
        self.stops(contacts);
        if closes {
            self.drives(contacts + self.phase.posed.stops.len());
        }
    }

    /// The rows of joints that are combinations of others, by the shares that the step states: what they close follows from what the
    /// others do, up to the square of what has opened.
    fn implied(&mut self, anew: &[Vec<Placed>]) -> Vec<usize> {
        let rows = anew.iter().enumerate().flat_map(|(k, rows)| {
            let rows = rows.iter().map(Placed::row);
            rows.map(move |row| (k, row))
        });
        // What acts on a fixed body moves nothing.
        let moves = |body: usize| !self.world.bodies[body].fixed;
        let pulls = rows.map(|(k, row)| {
            let pull = self.pull(k, &row).into_iter();
            pull.filter(|(body, _)| moves(*body)).collect()
        });
        let pulls: Vec<Pull> = pulls.collect();
        let stated = self.phase.posed.formulation.bilateral.dependent().to_vec();
        let (right, wrong): (Vec<_>, Vec<_>) = stated
            .into_iter()
            .partition(|own| is_combination(&pulls, own, &nearness(anew)));
        if !wrong.is_empty() {
            self.report(
                Term::Data,
                None,
                "rows of joints that do not depend on others".to_owned(),
            );
        }
        right.into_iter().map(|own| own.row).collect()
    }

    /// The gap of a row at the start of the step.
    pub(super) fn opened(&self, pull: &Pull, row: &JointGradient) -> Rational {
        let before = self.rate_of(pull, |own, body| own.before(body));
        self.at_start(&row.gap, &before)
    }

    /// The rate of a row at the end of the step.
    pub(super) fn rate(&self, row: &Pull) -> Rational {
        self.rate_of(row, |own, body| own.after(body))
    }

    /// The same for other velocities.
    fn rate_of(&self, row: &Pull, twist: impl Fn(&Self, usize) -> Twist) -> Rational {
        row.iter()
            .fold(Rational::new(), |sum, (body, [force, torque])| {
                let [v, w] = twist(self, *body);
                sum + force.dot(&v) + torque.dot(&w)
            })
    }

    /// The impulse of a row; of its torque are added up the arms' parts.
    fn push_row(&mut self, (joint, row): (usize, &JointGradient), impulse: &Rational) {
        let reach = self.reach(joint, row);
        let size = Rational::from(impulse.abs_ref());
        let off = self.noise.of_vector() * &size;
        let arms = Rational::from(&reach * 2u32);
        for (body, [force, torque]) in self.pull(joint, row) {
            let own = [&force.times(impulse), &torque.times(impulse)];
            let loose = [off.clone(), (Rational::from(&arms + 4u32)) * &off];
            self.push(body, own, &Rational::from(&arms * &size), loose);
        }
    }

    /// The sum of the sizes of what the gap and the arms of a row are made of: places, or axes of length 1.
    fn reach(&self, joint: usize, row: &JointGradient) -> Rational {
        if turns(row) {
            return Rational::from(3);
        }
        let joint = &self.world.joints()[joint];
        let [a, b] = [joint.first, joint.second].map(|body| {
            let own = &self.step.at.bodies[body].position;
            // The arm as it was at the start; turned it has entries of at most 3^(1/2) of that.
            norm(own) + norm(&(&joint.point - &self.world.bodies[body].position)) * 2u32
        });
        a + b
    }

    /// A gap of a row, and what it may be off in recorded numbers.
    fn known(&self, joint: usize, row: &JointGradient, value: Rational) -> DerivedGap {
        let reach = self.reach(joint, row);
        let of_states = self.noise.of_few(&reach, &Rational::from(2));
        let of_vectors = (reach + 4u32) * self.noise.of_vector();
        DerivedGap {
            value,
            room: of_states + of_vectors,
        }
    }

    /// The gaps of all limits that take part.
    pub(super) fn limits_known(&self) -> Vec<DerivedGap> {
        let stops = self.step.posed.stops.iter();
        let own = stops.map(|own| self.known(own.joint, &own.row, own.row.gap.clone()));
        own.collect()
    }

    /// What all joints have opened by after the step.
    pub(super) fn drifts_known(&self) -> Vec<DerivedGap> {
        let after = self.world.placed(&self.step.after);
        let one = |(k, rows): (usize, &Vec<Placed>)| {
            let rows = rows.iter().map(Placed::row);
            let own = rows.map(|row| self.known(k, &row, row.gap.clone().abs()));
            let own = own.reduce(|a, b| DerivedGap {
                value: a.value.max(b.value),
                room: a.room.max(b.room),
            });
            own.unwrap_or_default()
        };
        after.iter().enumerate().map(one).collect()
    }

    /// What the rate of a row may be off in recorded numbers, with its gap by the step where that is in it.
    pub(super) fn room(&self, joint: usize, row: &JointGradient, with_gap: bool) -> Rational {
        if self.noise.is_none() {
            return Rational::new();
        }
        let h = &self.settings.h;
        let reach = self.reach(joint, row);
        let arms = Rational::from(&reach * 2u32);
        let (mut size, mut factors, mut vague) = Default::default();
        if with_gap {
            size = Rational::from(&reach / h);
            factors = Rational::from(h.recip_ref()) * 2u32;
            vague = (Rational::from(&reach + 4u32)) / h;
        }
        let mut turned = Rational::new();
        // A gap that is taken ahead of the start has a share of the rate before the step in it.
        let share = match with_gap {
            true => self.share_ahead(),
            false => Rational::new(),
        };
        for (body, [force, torque]) in self.pull(joint, row) {
            for (twist, share) in [
                (self.after(body), Rational::from(1)),
                (self.before(body), share.clone()),
            ] {
                let [v, w] = twist.map(|own| norm(&own) * &share);
                size += norm(&force) * &v + Rational::from(&w * &arms);
                factors += norm(&force) * &share;
                vague += v + w * (Rational::from(&arms + 4u32));
                turned += norm(&torque) * &self.spins[body] * share;
            }
        }
        self.noise.of_sum(&size, &factors) + vague * self.noise.of_vector() + turned
    }

    /// 0 <= impulse, perpendicular to what is left of the travel at the end: of every limit, whether it takes part or not.
    fn stops(&mut self, allowances: usize) {
        let step = self.phase;
        let before = &self.step.at;
        let mut known: Vec<bool> = vec![false; step.posed.stops.len()];
        for own in self.world.stops(before) {
            let name = self.world.joints()[own.joint].name.clone();
            let name = Some(&*name);
            let pull = self.pull(own.joint, &own.row);
            let rate = self.rate(&pull);
            let left = self.opened(&pull, &own.row) / &self.settings.h + &rate;
            let by_rate = self.settings.method == SpaceMethod::MoreauJean || step.is_struck(&own);
            let Some(k) = step.posed.stops.iter().position(|stop| *stop == own) else {
                if self.misses(&own, [&rate, &left]) {
                    let amount = format!("{:.3e}", own.row.gap.to_f64());
                    self.report(Term::Missing, name, amount);
                }
                continue;
            };
            known[k] = true;
            let impulse = &step.stop_impulses[k];
            let allowed = self.allowances[allowances + k].clone();
            if by_rate {
                self.closes_limit(&own, impulse, &allowed);
            }
            let left = if by_rate { rate } else { left };
            let law = (Term::Limit, unit_of(&own.row));
            self.nonnegative_in(law, name, &left, &allowed.rate);
            self.nonnegative(Term::Complementarity, name, impulse, &allowed.impulse);
            let slack = Rational::from(impulse.abs_ref()) * &allowed.rate
                + Rational::from(left.abs_ref()) * &allowed.impulse;
            let product = left * impulse;
            self.vanishes(Term::Complementarity, name, &product, &slack);
            self.push_row((own.joint, &own.row), impulse);
        }
        for (k, _) in known.iter().enumerate().filter(|(_, known)| !**known) {
            let own = &step.posed.stops[k];
            let name = self.world.joints()[own.joint].name.clone();
            let is_far = self.world.stops_within(before, true).contains(own);
            let (term, why) = match is_far {
                true => (Term::Limit, "pushes more than a quarter turn before it"),
                false => (Term::Data, "another limit"),
            };
            self.report(term, Some(&name), why.to_owned());
            self.push_row((own.joint, &own.row), &step.stop_impulses[k]);
        }
    }

    /// Whether a limit that takes no part should. By Moreau and Jean's rule an open limit waits until it closes, and in a compression
    /// what closes by the velocity without contacts takes part. A record may leave out a closed one that opens.
    fn misses(&self, own: &StopRow, [rate, left]: [&Rational; 2]) -> bool {
        let room = -self.room(own.joint, &own.row, true);
        let opens = || !self.noise.is_none() && *rate >= room;
        let is_closed = match (self.phase.part, self.settings.method) {
            (Part::Compression, _) => {
                let row = self.pull(own.joint, &own.row);
                let free = self.rate_of(&row, |own, body| own.without_contacts(body));
                own.row.gap <= 0 || free + Rational::from(&own.row.gap / &self.settings.h) < room
            }
            (_, SpaceMethod::MoreauJean) => {
                self.opened(&self.pull(own.joint, &own.row), &own.row) <= 0
            }
            (_, SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder) => return *left < room,
        };
        is_closed && !opens()
    }

    /// A limit that pushes under a law without its gap is closed, or closes in the step.
    fn closes_limit(&mut self, own: &StopRow, impulse: &Rational, allowed: &Allowance) {
        let h = &self.settings.h;
        let row = self.pull(own.joint, &own.row);
        let free = self.rate_of(&row, |own, body| own.without_contacts(body));
        let before = self.rate_of(&row, |own, body| own.before(body));
        let closing = free.min(before).min(Rational::new());
        let left = closing * h + self.opened(&row, &own.row);
        let room = self.room(own.joint, &own.row, true) * h;
        if *impulse > allowed.impulse && left > room {
            let gap = own.row.gap.to_f64();
            let name = self.world.joints()[own.joint].name.clone();
            let why = format!("its limit pushes over a gap of {gap:.3e} that does not close");
            self.report(Term::Complementarity, Some(&name), why);
        }
    }

    /// An impulse within h times the bound, which drives as hard as it can while the speed is not reached.
    fn drives(&mut self, allowances: usize) {
        let step = self.phase;
        let anew = self.world.driven(&self.step.at);
        if anew != step.posed.driven {
            self.report(Term::Data, None, "another drive".to_owned());
            return;
        }
        for (k, (own, impulse)) in anew.iter().zip(step.drive_impulses).enumerate() {
            let name = self.world.joints()[own.joint].name.clone();
            let slip = self.rate(&self.pull(own.joint, &own.row)) - &own.drive.speed;
            let most = Rational::from(&own.drive.bound * &self.settings.h);
            let allowed = self.allowances[allowances + k].clone();
            let size = |value: &Rational| Rational::from(value.abs_ref());
            let left = Rational::from(&most - &size(impulse));
            self.nonnegative(Term::Drive, Some(&name), &left, &allowed.impulse);
            let slack = (size(impulse) + &most) * &allowed.rate + size(&slip) * &allowed.impulse;
            let missing = Rational::from(impulse * &slip) + most * size(&slip);
            self.vanishes(Term::Drive, Some(&name), &missing, &slack);
            self.push_row((own.joint, &own.row), impulse);
        }
    }
}

/// How much larger a sine may be than by the inverse masses, of which moments may be 2^20 times smaller than others.
const BY_MASSES: u32 = 1 << 10;

/// Whether a row is the sum of shares of others, to some parts of its size: the step measures by the masses.
fn is_combination(pulls: &[Pull], own: &Dependence<Rational>, near: &Rational) -> bool {
    let mut left: BTreeMap<(usize, usize), Rational> = BTreeMap::new();
    let mut add = |pull: &Pull, share: &Rational| {
        for (body, parts) in pull {
            let entries = parts.iter().flat_map(|part| part.coordinates());
            for (i, entry) in entries.enumerate() {
                *left.entry((*body, i)).or_default() += Rational::from(entry * share);
            }
        }
    };
    let Some(pull) = pulls.get(own.row) else {
        return false;
    };
    add(pull, &Rational::from(-1));
    for (i, share) in &own.shares {
        match pulls.get(*i).filter(|_| *i != own.row) {
            Some(pull) => add(pull, share),
            None => return false,
        }
    }
    let entries = pull
        .iter()
        .flat_map(|(_, parts)| parts.iter().flat_map(|part| part.coordinates()));
    let size = entries.fold(Rational::new(), |sum, entry| sum + entry.clone().square());
    let off = left
        .values()
        .fold(Rational::new(), |sum, entry| sum + entry.clone().square());
    off <= size * (near.clone() * BY_MASSES).square()
}

/// Whether a row has torques alone.
fn turns(row: &JointGradient) -> bool {
    row.first[0].coordinates().iter().all(|own| *own == 0)
}

/// The unit of a row's rate.
fn unit_of(row: &JointGradient) -> &'static str {
    if turns(row) { "1/s" } else { "m/s" }
}
