//! The laws of a step.

use rug::Rational;

use super::finding::figure;
use super::inertia::Inverse;
use super::step::{MotionContact, MotionJoint, MotionStep};
use super::{Breach, Breaches, MotionLaw, Rounding};
use crate::assembly::Row;
use crate::exact::{dot, largest, sparse_dot, sum};

/// Terms of a law that no problem stands behind: a gap, a potential, a product of three numbers.
pub(super) const FEW: u32 = 24;

/// What a step breaks: every law whose violation rounding does not explain.
pub fn examine(step: &MotionStep, rounding: &Rounding) -> Vec<Breach> {
    let mut exam = Exam::new(step, rounding);
    exam.momentum();
    exam.clock();
    exam.state();
    exam.turning();
    exam.contacts();
    exam.friction();
    exam.joints();
    exam.energies();
    exam.found.into_list()
}

/// The examination of one step.
pub(super) struct Exam<'a> {
    pub step: &'a MotionStep,
    pub rounding: &'a Rounding,
    pub inverse: Option<Inverse>,
    /// N of [`super::rounding`].
    pub count: u32,
    /// Each velocity with all that is added up to make it, in size.
    pub pace: Vec<Rational>,
    pub found: Breaches,
}

impl<'a> Exam<'a> {
    pub fn new(step: &'a MotionStep, rounding: &'a Rounding) -> Self {
        let part = step.contacts.iter().filter(|own| own.takes_part());
        let rows: usize = part.map(|own| own.rows()).sum();
        // A drive has an impulse of either sign, and a bound.
        let of_joints = step.joints.iter();
        let of_joints = of_joints.map(|own| own.held.len() + 3 * usize::from(own.drive.is_some()));
        let rows = rows + of_joints.sum::<usize>();
        // Friction of no contact has two weights and a bound.
        let rows = rows + 3 * step.bounded.len();
        let terms = step.v[0].len() + rows;
        let mut exam = Self {
            count: u32::try_from(16 + 4 * rows + terms).unwrap_or(u32::MAX),
            pace: Vec::new(),
            found: Breaches::of(step.k),
            inverse: Inverse::of(&step.mass),
            step,
            rounding,
        };
        exam.pace = exam.pace();
        exam
    }

    fn pace(&self) -> Vec<Rational> {
        let [before, after] = &self.step.v;
        let pairs = before.iter().zip(after);
        let mut pace: Vec<_> = pairs.map(|(a, b)| size(a) + size(b)).collect();
        let Some(inverse) = &self.inverse else {
            return pace;
        };
        let mut add = |given: Vec<Rational>| {
            for (sum, own) in pace.iter_mut().zip(given) {
                *sum += own.abs();
            }
        };
        add(inverse.times(&self.step.impulse));
        let contacts = self.step.contacts.iter().flat_map(MotionContact::sizes);
        // Friction that is not recorded is up to its bound, and is added up like any other.
        let bounded = self.step.bounded.iter();
        let bounded = bounded.map(|own| (&own.row, self.step.h.clone()));
        let joints = self.step.joints.iter().flat_map(MotionJoint::all_pushes);
        let joints = joints.map(|own| (&own.row, size(&own.impulse)));
        for (row, impulse) in contacts.chain(bounded).chain(joints) {
            if !impulse.is_zero() {
                let free = row.iter().filter(|(j, _)| !self.step.is_driven(*j));
                let mut share = inverse.times_row(&free.cloned().collect());
                share.iter_mut().for_each(|own| *own *= &impulse);
                add(share);
            }
        }
        pace
    }

    /// The largest error of the velocity of a contact's row after the step.
    pub fn slip_error(&self, row: &Row, own: &MotionContact) -> Rational {
        let after = &self.step.v[1];
        let turned = own.uncertain.iter().map(|(j, own)| size(&after[*j]) * own);
        self.speed_error(row) + sum(turned) + &own.still
    }

    /// The same of a row whose entries may be off by themselves.
    pub fn row_error(&self, row: &Row, uncertain: &Row) -> Rational {
        let after = &self.step.v[1];
        let turned = uncertain.iter().map(|(j, own)| size(&after[*j]) * own);
        self.speed_error(row) + sum(turned)
    }

    /// The largest error of the velocity of a row after the step, from rounding alone.
    pub fn speed_error(&self, row: &Row) -> Rational {
        let s = sum(row.iter().map(|(j, own)| size(own) * &self.pace[*j]));
        self.rounding.allows(self.count, &s, &entries(row))
    }

    /// M (v' - v) - h k - the sum of all impulses, row by row.
    fn momentum(&mut self) {
        let Residual { mut p, s, c, off } = self.residual();
        let blocks = self.step.coordinates.iter().map(|own| own.block);
        let blocks: Vec<usize> = blocks.collect();
        let most = |of: &[Rational], block: usize| {
            let own = of.iter().zip(&blocks).filter(|(_, own)| **own == block);
            largest(own.map(|(own, _)| own))
        };
        let tolerance = |i: usize| {
            let (s, c) = (most(&s, blocks[i]), most(&c, blocks[i]));
            self.rounding.allows(self.count, &s, &c) + &off[i]
        };
        let mut tolerances: Vec<_> = (0..p.len()).map(tolerance).collect();
        self.bounded_friction(&mut p, &mut tolerances);
        let over = |i: &usize| size(&p[*i]) > tolerances[*i];
        let broken: Vec<usize> = (0..p.len()).filter(over).collect();
        if !broken.is_empty() {
            self.unexplained(&p, &tolerances, &broken);
        }
    }

    fn residual(&self) -> Residual {
        let step = self.step;
        let n = step.v[0].len();
        let mut own = Residual {
            p: step
                .impulse
                .iter()
                .map(|own| Rational::from(-own))
                .collect(),
            s: step.impulse.iter().map(size).collect(),
            c: vec![Rational::new(); n],
            off: vec![Rational::new(); n],
        };
        for (i, row) in step.mass.iter().enumerate() {
            for (j, mass) in row {
                let [before, after] = [&step.v[0][*j], &step.v[1][*j]];
                own.p[i] += Rational::from(after - before) * mass;
                own.s[i] += (size(before) + size(after)) * size(mass);
                own.c[i] += size(mass) * 2u32;
            }
        }
        for (off, impulse) in own.off.iter_mut().zip(&step.impulse) {
            *off += size(impulse) * &step.h_error / &step.h;
        }
        for contact in &step.contacts {
            for (row, impulse) in contact.pushes() {
                for (j, entry) in row.iter().filter(|(j, _)| !step.is_driven(*j)) {
                    own.p[*j] -= Rational::from(entry * impulse);
                }
            }
            for (row, impulse) in contact.sizes() {
                for (j, entry) in row.iter().filter(|(j, _)| !step.is_driven(*j)) {
                    own.s[*j] += size(entry) * &impulse;
                }
            }
            let pushed = sum(contact.sizes().map(|(_, own)| own));
            let uncertain = contact.uncertain.iter();
            for (j, entry) in uncertain.filter(|(j, _)| !step.is_driven(*j)) {
                own.off[*j] += Rational::from(entry * &pushed);
            }
        }
        for push in step.joints.iter().flat_map(MotionJoint::all_pushes) {
            for (j, entry) in &push.row {
                let part = Rational::from(entry * &push.impulse);
                own.s[*j] += size(&part);
                own.p[*j] -= part;
            }
            for (j, entry) in &push.uncertain {
                own.off[*j] += Rational::from(entry * &push.impulse).abs();
            }
        }
        own
    }

    fn contacts(&mut self) {
        let step = self.step;
        let pull = self.pull();
        let in_corner: Vec<usize> = step.corners.iter().flatten().copied().collect();
        for (c, own) in step.contacts.iter().enumerate() {
            if own.pressed < -pull.clone() {
                let unit = own.units()[0];
                let words = format!("it pulls with {} {unit}", figure(&size(&own.pressed)));
                let at = (MotionLaw::Complementarity, own.place());
                self.found
                    .report(at, own.pressed.clone(), (unit, pull.clone()), words);
            }
            self.gap(own);
            if !in_corner.contains(&c) {
                self.signorini(&[c]);
            }
        }
        for corner in &step.corners {
            self.signorini(corner);
        }
        self.pushes();
    }

    /// The largest size of a normal impulse that rounding explains: none, as far as is known.
    pub fn pull(&self) -> Rational {
        let impulses = self.step.contacts.iter().flat_map(MotionContact::pushes);
        let most = largest(impulses.map(|(_, own)| own));
        self.rounding.allows(self.count, &most, &Rational::new())
    }

    /// At an obstacle: the largest of (n'v' - target) is at least 0, and 0 where any of its faces pushes.
    fn signorini(&mut self, faces: &[usize]) {
        let step = self.step;
        let mut most: Option<(Rational, &MotionContact)> = None;
        for own in faces.iter().map(|c| &step.contacts[*c]) {
            let Some(target) = &own.target else { return };
            let over = sparse_dot(&own.normal, &step.v[1]) - target;
            if most.as_ref().is_none_or(|(most, _)| over > *most) {
                most = Some((over, own));
            }
        }
        let Some((over, own)) = most else { return };
        let tolerance = self.slip_error(&own.normal, own) + self.target_error(own);
        if over < -tolerance.clone() {
            self.closes(own, over, tolerance);
            return;
        }
        let pushing = faces.iter().map(|c| &step.contacts[*c].pressed);
        let pushed = sum(pushing.filter(|own| **own > 0).cloned());
        if pushed > 0 && over > tolerance {
            let [of_push, of_rate, _] = own.units();
            let words = format!(
                "it pushes with {} {of_push}, and its bodies part by {} {of_rate} more than its law asks for",
                figure(&pushed),
                figure(&over)
            );
            let gained = Rational::from(&over * &pushed);
            let known = Rational::from(&tolerance * &pushed);
            let at = (MotionLaw::Complementarity, own.place());
            self.found.report(at, over, (of_rate, tolerance), words);
            let words = format!("gained {} J by a push that is too strong", figure(&gained));
            self.found.report(
                (MotionLaw::EnergyGain, own.place()),
                gained,
                ("J", known),
                words,
            );
        }
    }

    /// A contact whose bodies part less than its law asks for.
    fn closes(&mut self, own: &MotionContact, over: Rational, tolerance: Rational) {
        if own.stops_at_gap {
            let depth = Rational::from(&over * &self.step.h);
            let unit = own.units()[2];
            let words = format!("the step ends {} {unit} inside", figure(&size(&depth)));
            let tolerance = tolerance * &self.step.h;
            self.found.report(
                (MotionLaw::Penetration, own.place()),
                depth,
                (unit, tolerance),
                words,
            );
            return;
        }
        let speed = figure(&size(&over));
        let unit = own.units()[1];
        let words = format!("its bodies part by {speed} {unit} less than its law asks for");
        let at = (MotionLaw::Complementarity, own.place());
        self.found.report(at, over, (unit, tolerance), words);
    }

    /// What rounding may do to a target: a gap over h has the rounding of positions over h.
    pub fn target_error(&self, own: &MotionContact) -> Rational {
        let per_step = entries(&own.normal) * 2u32 / &self.step.h;
        let of_h = Rational::from(&own.target_size * &self.step.h_error) / &self.step.h;
        self.rounding.allows(FEW, &own.target_size, &per_step) + of_h
    }

    /// The sum of |x| |M| |y|.
    pub fn mass_size(&self, x: &[Rational], y: &[Rational]) -> Rational {
        let rows = self.step.mass.iter().zip(x);
        sum(rows.map(|(row, x)| {
            let parts = row.iter().map(|(j, own)| size(own) * size(&y[*j]));
            sum(parts) * size(x)
        }))
    }

    /// x'M y.
    pub fn mass_product(&self, x: &[Rational], y: &[Rational]) -> Rational {
        let rows: Vec<_> = self
            .step
            .mass
            .iter()
            .map(|row| sparse_dot(row, y))
            .collect();
        dot(x, &rows)
    }
}

/// |x|.
pub(super) fn size(own: &Rational) -> Rational {
    own.clone().abs()
}

/// The sum of the sizes of a row's entries.
pub(super) fn entries(row: &Row) -> Rational {
    sum(row.iter().map(|(_, own)| size(own)))
}

/// Momentum that nothing accounts for, row by row: what it is, the sizes S and C, and what uncertain rows may add.
struct Residual {
    p: Vec<Rational>,
    s: Vec<Rational>,
    c: Vec<Rational>,
    off: Vec<Rational>,
}

impl MotionStep {
    /// Whether no impulse changes the velocity of a coordinate.
    pub(super) fn is_driven(&self, j: usize) -> bool {
        self.coordinates.get(j).is_some_and(|own| own.driven)
    }
}

impl MotionContact {
    /// Its rows with their impulses.
    pub(super) fn pushes(&self) -> impl Iterator<Item = (&Row, &Rational)> {
        let rubbed = self.tangents.iter().zip(&self.rubbed);
        let turned = self.turning.iter();
        let turned = turned.flat_map(|own| own.rows.iter().zip(&own.impulses));
        std::iter::once((&self.normal, &self.pressed))
            .chain(rubbed)
            .chain(turned)
    }

    /// Rows that its problem has: the normal and the bound of friction, weights of its directions, and the same of turning.
    fn rows(&self) -> usize {
        let weights = |polygon: usize, rows: usize| polygon.max(2 * rows);
        let turning = self.turning.iter();
        let turning = turning.map(|own| 1 + weights(own.polygon.len(), own.rows.len()));
        2 + weights(self.polygon.len(), self.tangents.len()) + turning.sum::<usize>()
    }

    /// Its rows with the sizes of the numbers that their impulses are sums of. Friction may be a sum of weights of opposite
    /// directions, which the record does not tell: together they are at most mu times the normal impulse.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (&Row, Rational)> {
        let bound = size(&self.pressed) * &self.mu;
        let rubbed = self.tangents.iter().zip(&self.rubbed);
        let rubbed = rubbed.map(move |(row, own)| (row, size(own).max(bound.clone())));
        let turned = self.turning.iter().flat_map(|turning| {
            let bound = size(&self.pressed) * &turning.mu;
            let rows = turning.rows.iter().zip(&turning.impulses);
            rows.map(move |(row, own)| (row, size(own).max(bound.clone())))
        });
        std::iter::once((&self.normal, size(&self.pressed)))
            .chain(rubbed)
            .chain(turned)
    }

    pub(super) fn takes_part(&self) -> bool {
        self.target.is_some() || self.pushes().any(|(_, own)| !own.is_zero())
    }

    pub(super) fn place(&self) -> String {
        match self.limit {
            None => format!("contact {}", self.name),
            Some(_) => format!("joint {}", self.name),
        }
    }

    /// The units of its normal impulse, of its rate, and of its gap.
    pub(super) fn units(&self) -> [&'static str; 3] {
        match self.limit {
            Some(true) => ["N m s", "rad/s", "rad"],
            _ => ["N s", "m/s", "m"],
        }
    }
}
