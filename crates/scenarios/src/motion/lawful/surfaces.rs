//! A recorded step of bodies with implicit surfaces beside its laws.
//!
//! All of a pair is taken at the end of the step: its gap s is at least 0, and 0 where it pushes. In rates that is a target of n'v - s/h. A pair
//! that bounces has the target -e n'v before the step, at the point halfway between the closest ones. Friction along the tangents, and
//! about the normal over e = torsion/mu, is within a ball of mu times the normal impulse.

use etalon_time_stepping::implicit::{PairFrame, System};
use rug::Rational;

use super::{ExactRow, LawfulContact, LawfulStep, RecordedContact, RecordedState};

/// Whether a pair of that name has restitution.
pub fn can_bounce(system: &System, name: &str) -> bool {
    let mut pairs = system.pairs().iter().enumerate();
    pairs.any(|(k, own)| system.pair_name(own) == name && system.restitution(k) > 0)
}

/// What is known of a run.
pub struct OfRun<'a> {
    /// The length of a step, s.
    pub h: &'a Rational,
    /// The same in the run's own numbers: axes of tangents that tie are chosen by rounding.
    pub own_h: &'a Rational,
    /// How far a gap that it calls closed may be from 0, m.
    pub slack: &'a Rational,
    /// The speed below which it takes a free velocity for 0, m/s.
    pub still: &'a Rational,
}

/// What the laws make of two states of a run.
pub fn step(
    system: &System,
    run: &OfRun<'_>,
    [before, after]: [RecordedState<'_>; 2],
    recorded: &[RecordedContact],
    error: &dyn Fn(&Rational) -> Rational,
) -> LawfulStep {
    let OfRun {
        h, slack, still, ..
    } = *run;
    let (mass, impulse) = system.recorded_dynamics((before.q, before.v), h);
    let [potential_size, force_size] = system.potential_sizes([before.q, after.q]);
    let axes = system.recorded_axes((before.q, before.v), run.own_h);
    let contact = |pair: usize, axis: usize| {
        let own = &recorded[pair];
        let at = At {
            system,
            pair,
            how: (axis, own.bounces),
        };
        let mut contact = LawfulContact {
            name: own.name.clone(),
            slack: slack.clone(),
            still: still.clone(),
            ..LawfulContact::default()
        };
        at.fill(&mut contact, [before, after], h, error);
        contact
    };
    let pairs = 0..recorded.len().min(axes.len());
    let mut step = LawfulStep {
        contacts: pairs.map(|pair| contact(pair, axes[pair][0])).collect(),
        potential: [before.q, after.q].map(|q| system.potential(q)),
        potential_size,
        force_size,
        work: system.work_of_torques(h, after.v),
        driven: system.recorded_driven(),
        kinetic: Some([before, after].map(|own| system.kinetic(own.q, own.v))),
        mass,
        impulse,
        ..LawfulStep::default()
    };
    // Rounding of the record may have turned the choice between axes that tie. They only name the tangents, so those count that momentum
    // goes with.
    for (pair, axes) in axes.iter().enumerate().take(recorded.len()) {
        let rubs = recorded[pair].friction.iter().any(|own| *own != 0);
        for axis in axes.iter().skip(1).filter(|_| rubs) {
            let other = contact(pair, *axis);
            let left = left_over(&step, [before, after], recorded);
            let old = std::mem::replace(&mut step.contacts[pair], other);
            if left_over(&step, [before, after], recorded) >= left {
                step.contacts[pair] = old;
            }
        }
    }
    step
}

/// The sum of the squares of M (v' - v) - h k less all impulses.
fn left_over(
    step: &LawfulStep,
    [before, after]: [RecordedState<'_>; 2],
    recorded: &[RecordedContact],
) -> Rational {
    let mut left: Vec<Rational> = step
        .impulse
        .iter()
        .map(|own| Rational::from(-own))
        .collect();
    for (left, row) in left.iter_mut().zip(&step.mass) {
        for (j, mass) in row {
            *left += Rational::from(&after.v[*j] - &before.v[*j]) * mass;
        }
    }
    for (own, told) in step.contacts.iter().zip(recorded) {
        let torque = own
            .torsion
            .as_ref()
            .map(|e| Rational::from(&told.torsion / e));
        let along = told.friction.iter().chain(&torque);
        let rubbed = own.tangents.iter().zip(along);
        for (row, impulse) in std::iter::once((&own.normal, &told.normal)).chain(rubbed) {
            for (j, entry) in row {
                left[*j] -= Rational::from(entry * impulse);
            }
        }
    }
    let free = left
        .iter()
        .zip(&step.driven)
        .filter(|(_, driven)| !**driven);
    free.fold(Rational::new(), |sum, (own, _)| sum + own.clone().square())
}

/// A pair with the axis of its tangents, and whether it bounces.
struct At<'a> {
    system: &'a System,
    pair: usize,
    how: (usize, bool),
}

impl At<'_> {
    fn frame(&self, q: &[Rational]) -> Option<PairFrame> {
        self.system.recorded_frame(self.pair, q, self.how)
    }

    fn fill(
        &self,
        contact: &mut LawfulContact,
        [before, after]: [RecordedState<'_>; 2],
        h: &Rational,
        error: &dyn Fn(&Rational) -> Rational,
    ) {
        let Some(frame) = self.frame(after.q) else {
            contact.unknown = true;
            return;
        };
        let own = &self.system.pairs()[self.pair];
        let (rows, torsion) = rows_of(&frame, own);
        contact.mu = match own.mu == 0 {
            true => own.torsion.clone(),
            false => own.mu.clone(),
        };
        contact.normal.clone_from(&frame.normal);
        contact.tangents = rows;
        contact.torsion = torsion;
        contact.gap.clone_from(&frame.gap);
        contact.told_gap = (frame.told != frame.gap).then(|| frame.told.clone());
        // The maker's pose is that of its velocity before it was rounded.
        let of_speed = after.v.iter().map(error).max().unwrap_or_default() * h;
        let known = |q: &Rational| error(q) + &of_speed;
        let (uncertain, gap_off) = self.uncertain(&frame, after.q, &known);
        contact.uncertain = uncertain;
        let along = |v: &[Rational]| -> Rational {
            let terms = frame
                .normal
                .iter()
                .map(|(j, own)| Rational::from(own * &v[*j]));
            terms.fold(Rational::new(), |sum, own| sum + own)
        };
        // A gap is known as far as the state that it is of.
        contact.gap_size = frame.size.clone();
        match self.how.1 {
            true => {
                let e = self.system.restitution(self.pair);
                contact.target_size = sizes(&frame.normal, before.v) * &e;
                contact.target = Some(-along(before.v) * e);
            }
            false => {
                contact.target = Some(along(after.v) - Rational::from(&frame.gap / h));
                contact.stops_at_gap = true;
                contact.target_size =
                    sizes(&frame.normal, after.v) + Rational::from(&frame.size / h);
                contact.still += gap_off / h;
            }
        }
    }

    /// How far entries of the rows may be off, and the gap, for a state whose numbers are known to `error`: the sum of the changes that
    /// moving each coordinate by so much makes, twice as far for the second order. A superquadric has no curvature at the ends of its
    /// axes: there a point that touches moves by a root of what a coordinate does, so that both ways are taken, and powers of half of it.
    fn uncertain(
        &self,
        own: &PairFrame,
        q: &[Rational],
        error: &dyn Fn(&Rational) -> Rational,
    ) -> (ExactRow, Rational) {
        let n = self.system.velocities();
        let mut total = vec![Rational::new(); n];
        let mut gap = Rational::new();
        for k in self.system.pair_coordinates(self.pair) {
            let reach = error(&q[k]) * 2u32;
            if reach.is_zero() {
                continue;
            }
            let mut largest = vec![Rational::new(); n];
            let mut of_gap = Rational::new();
            for sign in [1, -1] {
                let mut moved = q.to_vec();
                moved[k] += Rational::from(&reach * sign);
                let Some(other) = self.frame(&moved) else {
                    continue;
                };
                changes(own, &other, &mut largest);
                of_gap = of_gap.max(Rational::from(&own.gap - &other.gap).abs());
            }
            for (sum, own) in total.iter_mut().zip(largest) {
                *sum += own;
            }
            gap += of_gap;
        }
        let entries = total.into_iter().enumerate();
        (entries.filter(|(_, own)| !own.is_zero()).collect(), gap)
    }
}

/// The rows of friction, the torque's over e, and e.
fn rows_of(
    frame: &PairFrame,
    own: &etalon_time_stepping::implicit::Pair,
) -> (Vec<ExactRow>, Option<Rational>) {
    let mut rows = frame.tangents.clone();
    let torsion = frame.spin.as_ref().map(|row| {
        let e = match own.mu == 0 {
            true => Rational::from(1),
            false => Rational::from(&own.torsion / &own.mu),
        };
        let scaled = row.iter().map(|(j, own)| (*j, Rational::from(own * &e)));
        rows.push(scaled.collect());
        e
    });
    (rows, torsion)
}

/// The largest changes of entries from one frame to another, in any of its rows.
fn changes(own: &PairFrame, other: &PairFrame, largest: &mut [Rational]) {
    let rows = |frame: &PairFrame| -> Vec<ExactRow> {
        let mut all = vec![frame.normal.clone()];
        all.extend(frame.tangents.iter().cloned());
        all.extend(frame.spin.clone());
        all
    };
    for (one, other) in rows(own).iter().zip(&rows(other)) {
        let mut change = vec![Rational::new(); largest.len()];
        for (j, own) in one {
            change[*j] += own;
        }
        for (j, own) in other {
            change[*j] -= own;
        }
        for (most, own) in largest.iter_mut().zip(change) {
            let own = own.abs();
            if own > *most {
                *most = own;
            }
        }
    }
}

/// The sum of the sizes of a row's products with a vector.
fn sizes(row: &ExactRow, of: &[Rational]) -> Rational {
    let parts = row
        .iter()
        .map(|(j, own)| Rational::from(own * &of[*j]).abs());
    parts.fold(Rational::new(), |sum, own| sum + own)
}
