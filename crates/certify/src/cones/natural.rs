//! The natural size of each unknown where there are friction cones: that of `docs/measure.md`, with sizes of rows by block.

use std::collections::BTreeMap;

use etalon_lcp::{Number, Row};
use rug::Rational;

use super::blocks::add;
use super::means::Means;
use super::overlay::Overlay;
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::integers::{ExactVector, IntegerRow};
use crate::sizes::{Rows, Sizes};

/// Natural sizes; 0 where nothing measures an unknown.
pub(super) struct Natural {
    unknowns: Vec<Rational>,
    /// Of each block the size of forces that act where its own do, or its own; the block of each row.
    forces: Vec<Rational>,
    blocks: Vec<usize>,
}

impl Contacts<'_> {
    /// The natural sizes at a point within bounds. Rows of contacts that are open for certain are tight.
    pub fn natural(&self, z: &[Rational], x: &Overlay<'_>, means: &Means) -> Found<Natural> {
        let norms = self.blocks.norms(z, means)?;
        let sizes = self.blocks.sizes(self.problem, &norms, means)?;
        let base = (&norms[..], &sizes[..]);
        let sizes = self.blocks.sizes_beside(self.problem, base, x, means)?;
        let n = z.len();
        let point: Vec<_> = (0..n).map(|i| x.at(i).clone()).collect();
        let budget = means.of_all();
        let mut held = budget.hold(2 * n as u64, 0)?;
        let vector = ExactVector::over(&point[..], None);
        let mut rows = Rows::default();
        for i in 0..n {
            let row = IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], &budget)?;
            let (w, _) = vector.sums(&row, &budget)?.reduced(&budget)?;
            let s = sizes.at(self.blocks.of(i)).clone();
            held.more(0, fraction_bits(&w) + fraction_bits(&s))?;
            rows.w.push(w);
            rows.s.push(s);
        }
        let sizes = Sizes::new(self.problem, self.bounds, &point, &rows, self.tol, &budget)?;
        Ok(Natural {
            unknowns: (0..n).map(|j| sizes.of(self.bounds, j)).collect(),
            forces: self.forces(&point, &budget)?,
            blocks: (0..n).map(|i| self.blocks.of(i)).collect(),
        })
    }

    /// Of each block d the least over blocks c of t_c / max |M_cd|, with t_c the sum over blocks d of max |M_cd| times the
    /// forces of contacts in d, where t_c is not 0; at least its own forces.
    fn forces(&self, x: &[Rational], budget: &Budget) -> Result<Vec<Rational>, OverBudget> {
        let rows = self.problem.rows();
        let places = (0..x.len()).map(|i| self.blocks.of(i));
        let count = places.max().map_or(0, |last| last + 1);
        let mut own = vec![Rational::new(); count];
        for (j, x) in x.iter().enumerate().filter(|(j, _)| rows[*j] == Row::Cone) {
            add(&mut own[self.blocks.of(j)], &x.clone().abs(), budget)?;
        }
        let mut held = budget.hold(count as u64, 0)?;
        let mut largest: BTreeMap<(usize, usize), &Number> = BTreeMap::new();
        for i in 0..x.len() {
            let row = self.problem.m().row(i);
            for (j, value) in row.filter(|(j, _)| rows[*j] == Row::Cone) {
                held.more(1, 0)?;
                let place = (self.blocks.of(i), self.blocks.of(j));
                let most = largest.entry(place).or_insert(value);
                if value.to_rational().cmp_abs(&most.to_rational()).is_gt() {
                    *most = value;
                }
            }
        }
        let mut sums = vec![Rational::new(); count];
        for ((c, d), value) in &largest {
            let value = value.to_rational().abs();
            budget.reduce(1, fraction_bits(&value), fraction_bits(&own[*d]))?;
            add(&mut sums[*c], &(value * &own[*d]), budget)?;
        }
        let mut least: Vec<Option<Rational>> = vec![None; count];
        let holding = largest
            .into_iter()
            .filter(|((c, _), _)| !sums[*c].is_zero());
        for ((c, d), value) in holding {
            let value = value.to_rational().abs();
            budget.reduce(2, fraction_bits(&value), fraction_bits(&sums[c]))?;
            let share = &sums[c] / value;
            if least[d].as_ref().is_none_or(|least| share < *least) {
                least[d] = Some(share);
            }
        }
        let pairs = own.into_iter().zip(least);
        let most = pairs.map(|(own, least)| own.max(least.unwrap_or_default()));
        Ok(most.collect())
    }
}

impl Natural {
    /// A distance in the size of unknown i; 1 where there is a way to go and nothing measures it.
    pub fn cost(&self, i: usize, away: &Rational, budget: &Budget) -> Result<Rational, OverBudget> {
        relative(away, &self.unknowns[i], budget)
    }

    /// A distance of a force of row i in the size of forces that act where it does.
    pub fn by_forces(
        &self,
        i: usize,
        away: &Rational,
        budget: &Budget,
    ) -> Result<Rational, OverBudget> {
        relative(away, &self.forces[self.blocks[i]], budget)
    }
}

fn relative(away: &Rational, size: &Rational, budget: &Budget) -> Result<Rational, OverBudget> {
    match (away.is_zero(), size.is_zero()) {
        (true, _) => Ok(Rational::new()),
        (_, true) => Ok(Rational::from(1)),
        _ => {
            budget.reduce(2, fraction_bits(away), fraction_bits(size))?;
            Ok(Rational::from(away / size))
        }
    }
}
