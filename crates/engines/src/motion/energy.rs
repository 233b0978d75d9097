//! Recorded energies against those of the states.

use rug::Rational;

use super::MotionLaw;
use super::finding::figures;
use super::laws::{Exam, FEW, size};
use super::step::{MotionContact, OwnEnergy, RecordedEnergy};
use crate::exact::{dot, sparse_dot, sum};

impl Exam<'_> {
    pub(super) fn energies(&mut self) {
        let step = self.step;
        let Some(own) = &step.own_energy else { return };
        let Some(recorded) = &step.energy else { return };
        let kinetic = self.kinetic_error();
        let potential = self.rounding.allows(FEW, &own.size, &own.slope);
        let of_kinetic = (recorded.kinetic.as_ref(), &own.kinetic[1]);
        self.compare("kinetic energy", of_kinetic, &kinetic);
        let of_potential = (recorded.potential.as_ref(), &own.potential[1]);
        self.compare("potential energy", of_potential, &potential);
        let [first, other] = &recorded.at_start;
        let of_kinetic = (first.as_ref(), &own.kinetic[0]);
        self.compare("kinetic energy at the start", of_kinetic, &kinetic);
        let of_potential = (other.as_ref(), &own.potential[0]);
        self.compare("potential energy at the start", of_potential, &potential);
        let (mut work, of_work) = self.work();
        work += &own.work;
        let lost = Rational::from(&own.kinetic[0] - &own.kinetic[1])
            + Rational::from(&own.potential[0] - &own.potential[1])
            + &work;
        // Two energies of either kind, each computed with as many roundings, or the parts that make up for their difference.
        let parts = sum(self.losses().into_iter().map(|(.., error)| error));
        let tolerance = (kinetic + potential) * 4u32 + parts + &of_work;
        self.compare("work", (recorded.work.as_ref(), &work), &of_work);
        self.compare(
            "dissipated",
            (recorded.dissipated.as_ref(), &lost),
            &tolerance,
        );
        self.parts(own, recorded, &tolerance);
    }

    /// What contacts take from coordinates that are driven, and so give to the others, with the error that rounding explains.
    fn work(&self) -> (Rational, Rational) {
        let step = self.step;
        let (mut work, mut known) = (Rational::new(), Rational::new());
        for (row, impulse) in step.contacts.iter().flat_map(MotionContact::pushes) {
            for (j, entry) in row.iter().filter(|(j, _)| step.is_driven(*j)) {
                let part = Rational::from(entry * impulse) * &step.v[1][*j];
                known += part.clone().abs();
                work -= part;
            }
        }
        let (mut factors, mut off) = (Rational::new(), Rational::new());
        for own in &step.contacts {
            let pushed = sum(own.sizes().map(|(_, own)| own));
            for (j, entry) in own.uncertain.iter().filter(|(j, _)| step.is_driven(*j)) {
                // Rows are known as far as the places that they are made of.
                off += size(&step.v[1][*j]) * entry * &pushed;
            }
            factors += pushed;
        }
        (
            work,
            self.rounding.allows(self.count, &known, &factors) + off,
        )
    }

    /// The error of a kinetic energy of either state.
    fn kinetic_error(&self) -> Rational {
        let [before, after] = &self.step.v;
        let pairs = before.iter().zip(after);
        let speeds: Vec<_> = pairs.map(|(a, b)| size(a) + size(b)).collect();
        let ones = vec![Rational::from(1); speeds.len()];
        let s = self.mass_size(&speeds, &speeds);
        let c = self.mass_size(&ones, &speeds);
        self.rounding.allows(self.count, &s, &c)
    }

    fn compare(
        &mut self,
        name: &str,
        (recorded, own): (Option<&Rational>, &Rational),
        tolerance: &Rational,
    ) {
        let Some(recorded) = recorded else { return };
        let off = Rational::from(recorded - own);
        if size(&off) > *tolerance {
            let [recorded, own] = figures(recorded, own);
            let words = format!("{recorded} J are recorded, and the states make it {own} J");
            let at = (MotionLaw::EnergyIdentity, name.to_owned());
            self.found.report(at, off, ("J", tolerance.clone()), words);
        }
    }

    /// The parts add up, and each is what impulses and velocities make it.
    fn parts(&mut self, own: &OwnEnergy, recorded: &RecordedEnergy, tolerance: &Rational) {
        let Some(dissipated) = &recorded.dissipated else {
            return;
        };
        if recorded.parts.is_empty() {
            return;
        }
        let total = sum(recorded.parts.iter().map(|(_, part)| part.clone()));
        let sizes = sum(recorded.parts.iter().map(|(_, part)| size(part))) + size(dissipated);
        let known = self.rounding.allows(FEW, &sizes, &Rational::new()) + tolerance;
        let off = Rational::from(&total - dissipated);
        if size(&off) > known {
            let [total, recorded] = figures(&total, dissipated);
            let words = format!("the parts add up to {total} J, and {recorded} J are recorded");
            let at = (MotionLaw::EnergyIdentity, "dissipation".to_owned());
            self.found.report(at, off, ("J", known), words);
        }
        if !own.by_parts {
            return;
        }
        for (name, value, error) in self.losses() {
            let part = recorded.parts.iter().find(|(own, _)| own == name);
            let place = format!("dissipation.{name}");
            self.compare(
                &place,
                (part.map(|(_, part)| part), &value),
                &(error + tolerance),
            );
        }
    }

    /// What friction, the step itself and stopping at gaps took, by impulses and velocities, each with the error that
    /// rounding explains.
    fn losses(&self) -> Vec<(&'static str, Rational, Rational)> {
        let [before, after] = &self.step.v;
        let pairs = before.iter().zip(after);
        let change: Vec<_> = pairs.map(|(a, b)| Rational::from(b - a)).collect();
        let numerical = self.mass_product(&change, &change) / 2u32;
        let unit = |j: usize| vec![(j, Rational::from(1))];
        let errors: Vec<_> = (0..after.len())
            .map(|j| self.speed_error(&unit(j)))
            .collect();
        let unsure = self.mass_size(&change, &errors) + self.mass_size(&errors, &errors);
        let mut found = vec![("numerical", numerical, unsure)];
        let (mut position, mut error) = (Rational::new(), Rational::new());
        let (mut friction, mut rough) = (Rational::new(), Rational::new());
        for own in &self.step.contacts {
            let slip = own.tangents.iter().map(|row| sparse_dot(row, after));
            friction -= dot(&own.rubbed, &slip.collect::<Vec<_>>());
            for (row, impulse) in own.tangents.iter().zip(&own.rubbed) {
                rough += self.slip_error(row, own) * size(impulse);
            }
            for turning in &own.turning {
                let slip = turning.rows.iter().map(|row| sparse_dot(row, after));
                friction -= dot(&turning.impulses, &slip.collect::<Vec<_>>());
                for (row, impulse) in turning.rows.iter().zip(&turning.impulses) {
                    rough += self.slip_error(row, own) * size(impulse);
                }
            }
            position -= sparse_dot(&own.normal, after) * &own.pressed;
            let known = self.target_error(own) + self.slip_error(&own.normal, own);
            error += known * size(&own.pressed);
        }
        found.push(("position", position, error));
        // Friction that is not recorded takes some, too.
        if self.step.bounded.is_empty() {
            found.push(("friction", friction, rough));
        }
        found
    }
}
