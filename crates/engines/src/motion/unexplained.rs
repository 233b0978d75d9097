//! Momentum that nothing accounts for: whose it is, what it does, and which contact's impulse would account for it.

use etalon_rigid::Dense;
use rug::Rational;

use super::MotionLaw;
use super::finding::figure;
use super::laws::Exam;
use super::step::MotionContact;
use crate::assembly::Row;
use crate::exact::{dot, largest, sparse_dot, sum};

impl Exam<'_> {
    /// Reports the residual p, whose rows `broken` are over their tolerances: one breach for each owner, and one for the energy
    /// that it brings.
    pub(super) fn unexplained(
        &mut self,
        p: &[Rational],
        tolerances: &[Rational],
        broken: &[usize],
    ) {
        let step = self.step;
        let missing = self.accounted_for(p);
        let mut owners: Vec<(&str, bool)> = Vec::new();
        for i in broken {
            let own = &step.coordinates[*i];
            let key = (&*own.owner, own.turns);
            if owners.contains(&key) {
                continue;
            }
            owners.push(key);
            let same = broken.iter().filter(|j| {
                let other = &step.coordinates[**j];
                (&*other.owner, other.turns) == key
            });
            let worst = same.max_by(|a, b| p[**a].clone().abs().cmp(&p[**b].clone().abs()));
            let Some(worst) = worst else { continue };
            let unit = if own.turns { "N m s" } else { "N s" };
            let amount = &p[*worst];
            let mut words = format!(
                "it changes by {} {unit} that no force and no impulse accounts for",
                figure(amount)
            );
            words += missing.as_deref().unwrap_or_default();
            let at = (MotionLaw::Momentum, own.owner.clone());
            self.found.report(
                at,
                amount.clone(),
                (unit, tolerances[*worst].clone()),
                words,
            );
        }
        let [before, after] = &step.v;
        let mean = |i: usize| Rational::from(&before[i] + &after[i]) / 2u32;
        let work = sum((0..p.len()).map(|i| mean(i) * &p[i]));
        let tolerance = sum((0..p.len()).map(|i| mean(i).abs() * &tolerances[i]));
        if work > tolerance {
            let first = broken.first().map(|i| step.coordinates[*i].owner.clone());
            let words = format!(
                "gained {} J for which no force and no impulse accounts",
                figure(&work)
            );
            let at = (MotionLaw::EnergyGain, first.unwrap_or_default());
            self.found.report(at, work, ("J", tolerance), words);
        }
    }

    /// The contact whose impulse alone would make momentum balance, in words. This decides nothing.
    fn accounted_for(&self, p: &[Rational]) -> Option<String> {
        let inverse = self.inverse.as_ref()?;
        let size = dot(p, &inverse.times(p));
        for own in &self.step.contacts {
            let rows: Vec<&Row> = std::iter::once(&own.normal).chain(&own.tangents).collect();
            let answers: Vec<_> = rows.iter().map(|row| inverse.times_row(row)).collect();
            let n = rows.len();
            let matrix = Dense::from_fn(n, n, |i, j| sparse_dot(rows[i], &answers[j]));
            let Some(inverted) = matrix.inverse() else {
                continue;
            };
            let right: Vec<_> = answers.iter().map(|answer| dot(answer, p)).collect();
            let impulse = inverted.times(&right);
            let mut left = p.to_vec();
            for (row, own) in rows.iter().zip(&impulse) {
                for (j, entry) in *row {
                    left[*j] -= Rational::from(entry * own);
                }
            }
            // All but a millionth of the residual, in the metric of M^-1.
            if dot(&left, &inverse.times(&left)) * 1_000_000_000_000u64 <= size {
                return Some(remedy(own, &impulse));
            }
        }
        None
    }
}

/// What of a contact's impulses would account for a residual. What is a millionth of the largest counts as none.
fn remedy(own: &MotionContact, impulse: &[Rational]) -> String {
    let most = largest(impulse);
    let is_none = |part: &Rational| part.clone().abs() * 1_000_000u32 <= most;
    let place = own.place();
    let turned = own.rubbed.iter().zip(&impulse[1..]);
    let mut turned = turned.map(|(rubbed, part)| is_none(&(Rational::from(rubbed * 2u32) + part)));
    if impulse.len() > 1 && is_none(&impulse[0]) && turned.all(|own| own) {
        return format!("; friction of the other sign at {place} would account for it");
    }
    let parts: Vec<String> = impulse
        .iter()
        .enumerate()
        .filter(|(_, part)| !is_none(part))
        .map(|(k, part)| match k {
            0 => format!("{} N s more along the normal", figure(part)),
            k => format!("{} N s more along tangent {k}", figure(part)),
        })
        .collect();
    format!("; {} of {place} would account for it", parts.join(" and "))
}
