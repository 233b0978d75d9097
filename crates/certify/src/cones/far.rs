//! Moves that only natural sizes excuse, and not those of the block error.

use std::collections::BTreeMap;

use rug::Rational;

use super::means::Means;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::fraction_bits;

/// Moves of a reading that no row excuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarMoves {
    /// The unknowns that are moved so far, at least one.
    pub unknowns: Vec<usize>,
    /// The size of each row, that of its block at the reading.
    pub sizes: Vec<Rational>,
}

impl Contacts<'_> {
    /// The unknowns that a reading has elsewhere than the candidate by more than `tol` of what some row whose block holds
    /// anything notices of it as a whole, s_i / |M_ij| with the sizes of blocks at the reading, and those that no such row
    /// notices. None where there are none.
    pub fn moves_far(
        &self,
        z: &[Rational],
        x: &Overlay<'_>,
        means: &Means,
    ) -> Found<Option<FarMoves>> {
        // Whether it is far for a row that holds anything; none where no such row has noticed it.
        let moved = x.changed().filter(|&j| *x.at(j) != z[j]);
        let mut moved: BTreeMap<usize, Option<bool>> = moved.map(|j| (j, None)).collect();
        if moved.is_empty() {
            return Ok(None);
        }
        let norms = self.blocks.norms(z, means)?;
        let sizes = self.blocks.sizes(self.problem, &norms, means)?;
        let base = (&norms[..], &sizes[..]);
        let sizes = self.blocks.sizes_beside(self.problem, base, x, means)?;
        let size = |i: usize| sizes.at(self.blocks.of(i));
        let budget = means.of_all();
        for i in (0..z.len()).filter(|&i| !size(i).is_zero()) {
            let row = self.problem.m().row(i);
            for (j, value) in row.filter(|(_, value)| !value.is_zero()) {
                let Some(is_far) = moved.get_mut(&j) else {
                    continue;
                };
                let (value, gap) = (value.to_rational().abs(), Rational::from(x.at(j) - &z[j]));
                budget.multiply(1, fraction_bits(&gap), fraction_bits(&value))?;
                budget.multiply(1, fraction_bits(size(i)), fraction_bits(self.tol))?;
                let excused = value * gap.abs() <= Rational::from(size(i) * self.tol);
                *is_far = Some(*is_far == Some(true) || !excused);
            }
        }
        let far = moved.into_iter();
        let far = far.filter(|(_, is_far)| is_far.unwrap_or(true));
        let unknowns: Vec<usize> = far.map(|(j, _)| j).collect();
        if unknowns.is_empty() {
            return Ok(None);
        }
        let held = (0..z.len()).map(|i| fraction_bits(size(i))).sum();
        let _held = budget.hold(z.len() as u64, held)?;
        let sizes = (0..z.len()).map(|i| size(i).clone()).collect();
        Ok(Some(FarMoves { unknowns, sizes }))
    }
}
