//! What rows of bodies bring into each other by their masses (`docs/cones.md`, "Carried sizes").

use std::collections::BTreeMap;

use etalon_lcp::Number;
use rug::Rational;

use super::blocks::data_size;
use super::joints::Kinds;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, fraction_bits};

impl Contacts<'_> {
    /// Whether nothing but velocities enters the row of a body: no force and no data. `of_bodies` are the rows of bodies.
    pub(super) fn is_idle(&self, i: usize, of_bodies: &[bool], x: &Overlay<'_>) -> bool {
        let enters =
            |(j, value): (usize, &Number)| !of_bodies[j] && !value.is_zero() && !x.at(j).is_zero();
        data_size(self.problem, i).is_zero() && !self.problem.m().row(i).any(enters)
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
        let mut sets = Kinds::new(of_bodies.len());
        for i in bodies() {
            for (j, _) in self.problem.m().row(i).filter(|(j, _)| of_bodies[*j]) {
                sets.meet(i, j, 1);
            }
        }
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
