//! Moves that only natural sizes excuse, and not those of the block error.

use rug::Rational;

use super::means::Means;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::fraction_bits;

impl Contacts<'_> {
    /// Whether a reading has an unknown elsewhere than the candidate by more than `tol` of what some row whose block holds
    /// anything notices of it as a whole, s_i / |M_ij| with the sizes of blocks at the reading; or where no such row notices it. The
    /// sizes of all rows, if so.
    pub fn moves_far(
        &self,
        z: &[Rational],
        x: &Overlay<'_>,
        means: &Means,
    ) -> Found<Option<Vec<Rational>>> {
        let moved: Vec<usize> = x.changed().filter(|&j| *x.at(j) != z[j]).collect();
        if moved.is_empty() {
            return Ok(None);
        }
        let norms = self.blocks.norms(z, means)?;
        let sizes = self.blocks.sizes(self.problem, &norms, means)?;
        let base = (&norms[..], &sizes[..]);
        let sizes = self.blocks.sizes_beside(self.problem, base, x, means)?;
        let size = |i: usize| sizes.at(self.blocks.of(i));
        // Whether a row that holds anything has noticed it; none where it is not moved.
        let mut seen: Vec<Option<bool>> = vec![None; z.len()];
        moved.into_iter().for_each(|j| seen[j] = Some(false));
        let budget = means.of_all();
        let mut is_far = false;
        for i in (0..z.len()).filter(|&i| !size(i).is_zero()) {
            for (j, value) in self
                .problem
                .m()
                .row(i)
                .filter(|(_, value)| !value.is_zero())
            {
                if seen[j].is_none() {
                    continue;
                }
                seen[j] = Some(true);
                let (value, gap) = (value.to_rational().abs(), Rational::from(x.at(j) - &z[j]));
                budget.multiply(1, fraction_bits(&gap), fraction_bits(&value))?;
                budget.multiply(1, fraction_bits(size(i)), fraction_bits(self.tol))?;
                is_far |= value * gap.abs() > Rational::from(size(i) * self.tol);
            }
        }
        if !is_far && !seen.contains(&Some(false)) {
            return Ok(None);
        }
        let held = (0..z.len()).map(|i| fraction_bits(size(i))).sum();
        let _held = budget.hold(z.len() as u64, held)?;
        Ok(Some((0..z.len()).map(|i| size(i).clone()).collect()))
    }
}
