//! Moves that only natural sizes excuse.

use rug::Rational;

use super::means::Means;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::fraction_bits;
use crate::integers::{ExactVector, IntegerRow};

impl Contacts<'_> {
    /// Whether a reading has an unknown elsewhere than the candidate by more than `tol` of what some row that holds anything
    /// notices of it as a whole, s_i / |M_ij| with plain sizes at the reading; or where no such row notices it.
    pub fn moves_far(&self, z: &[Rational], x: &Overlay<'_>, means: &Means) -> Found<bool> {
        let moved: Vec<usize> = x.changed().filter(|&j| *x.at(j) != z[j]).collect();
        if moved.is_empty() {
            return Ok(false);
        }
        // Whether a row that holds anything has noticed it; none where it is not moved.
        let mut seen: Vec<Option<bool>> = vec![None; z.len()];
        moved.into_iter().for_each(|j| seen[j] = Some(false));
        let budget = means.of_all();
        let vector = ExactVector::over(x, None);
        for i in 0..z.len() {
            let row = || {
                self.problem
                    .m()
                    .row(i)
                    .filter(|(j, value)| seen[*j].is_some() && !value.is_zero())
            };
            let noticed: Vec<_> = row()
                .map(|(j, value)| (j, value.to_rational().abs()))
                .collect();
            if noticed.is_empty() {
                continue;
            }
            let row = IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], &budget)?;
            let (_, size) = vector.sums(&row, &budget)?.reduced(&budget)?;
            if size.is_zero() {
                continue;
            }
            for (j, value) in noticed {
                seen[j] = Some(true);
                let gap = Rational::from(x.at(j) - &z[j]).abs();
                budget.multiply(1, fraction_bits(&gap), fraction_bits(&value))?;
                budget.multiply(1, fraction_bits(&size), fraction_bits(self.tol))?;
                if value * gap > Rational::from(&size * self.tol) {
                    return Ok(true);
                }
            }
        }
        Ok(seen.contains(&Some(false)))
    }
}
