//! What rows of bodies bring into each other by their masses (`docs/cones.md`, "Carried sizes").

use std::collections::BTreeMap;

use etalon_lcp::Number;
use rug::Rational;

use super::blocks::data_size;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, fraction_bits};

/// So many bits below another number is rounding: of the 53 of binary64 that leaves 13 for sums, products and the condition of
/// the masses.
const ROUNDING_BITS: u32 = 40;

impl Contacts<'_> {
    /// Whether the row of a body is idle: no force and no data enter it, or it holds nothing but rounding beside what a row at rest
    /// brings into it. `of_bodies` are the rows of bodies, `t` the sizes of all rows, entry by entry.
    pub(super) fn is_idle(
        &self,
        i: usize,
        (of_bodies, t): (&[bool], &[Rational]),
        x: &Overlay<'_>,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let enters =
            |(j, value): (usize, &Number)| !of_bodies[j] && !value.is_zero() && !x.at(j).is_zero();
        if data_size(self.problem, i).is_zero() && !self.problem.m().row(i).any(enters) {
            return Ok(true);
        }
        for (j, value) in (self.problem.m().row(i)).filter(|(j, _)| *j != i && of_bodies[*j]) {
            let Some(own) = self.problem.m().get(j, j) else {
                continue;
            };
            let share = value.to_rational() / own.to_rational();
            budget.multiply(1, fraction_bits(&share), fraction_bits(&t[j]))?;
            let carried = share.abs() * &t[j];
            if t[i] <= carried >> ROUNDING_BITS
                && self.is_at_rest(j, (of_bodies, &t[j]), x, budget)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether velocities are but the rounding of what else the row of a body holds. `t` is its size.
    fn is_at_rest(
        &self,
        i: usize,
        (of_bodies, t): (&[bool], &Rational),
        x: &Overlay<'_>,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let mut moves = Rational::new();
        for (j, value) in self.problem.m().row(i).filter(|(j, _)| of_bodies[*j]) {
            let value = value.to_rational();
            budget.multiply(1, fraction_bits(&value), fraction_bits(x.at(j)))?;
            moves += (value * x.at(j)).abs();
        }
        Ok(moves <= Rational::from(t >> ROUNDING_BITS))
    }

    /// The least sizes T >= t with T_i >= |M_ij| T_j / |M_jj| between rows of bodies that M couples with one of `asked`, which are
    /// rows of bodies; none where they grow in a circle. `t` are the sizes of all rows, entry by entry.
    pub(super) fn carried(
        &self,
        of_bodies: &[bool],
        asked: &[usize],
        t: &[Rational],
        budget: &Budget,
    ) -> Found<Option<BTreeMap<usize, Rational>>> {
        let mut sizes = self.coupled(of_bodies, asked, t, budget)?;
        let rows: Vec<usize> = sizes.keys().copied().collect();
        // The largest product along a path is that of one without a circle, of fewer steps than there are rows, unless one around a
        // circle is above 1. A pass finds all paths that are one step longer.
        for _ in 0..=rows.len() {
            let mut grows = false;
            for &i in &rows {
                for (j, value) in self.problem.m().row(i).filter(|(j, _)| *j != i) {
                    let (Some(size), Some(own)) = (sizes.get(&j), self.problem.m().get(j, j))
                    else {
                        continue;
                    };
                    let share = value.to_rational() / own.to_rational();
                    budget.multiply(1, fraction_bits(&share), fraction_bits(size))?;
                    let size = share.abs() * size;
                    if sizes.get(&i).is_some_and(|before| size > *before) {
                        sizes.insert(i, size);
                        grows = true;
                    }
                }
            }
            if !grows {
                return Ok(Some(sizes));
            }
        }
        Ok(None)
    }

    /// The rows of bodies that hang together with one of `asked` by nonzeros of M, with their t.
    fn coupled(
        &self,
        of_bodies: &[bool],
        asked: &[usize],
        t: &[Rational],
        budget: &Budget,
    ) -> Result<BTreeMap<usize, Rational>, OverBudget> {
        let bodies = || (0..of_bodies.len()).filter(|&i| of_bodies[i]);
        let mut sets = self.sets(of_bodies);
        let mut is_asked = vec![false; of_bodies.len()];
        for &i in asked {
            is_asked[sets.top(i).0] = true;
        }
        let mut sizes = BTreeMap::new();
        for i in bodies() {
            if is_asked[sets.top(i).0] {
                budget.multiply(1, fraction_bits(&t[i]), 1)?;
                sizes.insert(i, t[i].clone());
            }
        }
        Ok(sizes)
    }
}
