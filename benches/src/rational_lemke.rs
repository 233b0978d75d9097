//! A textbook tableau of fractions, which the fraction-free one is measured against.

use etalon_lcp::MixedLcp;
use rug::Rational;

/// Lexicographic Lemke on a tableau of fractions, covering vector of ones: the baseline that the
/// fraction-free tableau is measured against. Pure problems only; `None` for a ray.
///
/// The tableau is (w, z, z0 | q) in the form I w - M z - e z0 = q, reduced at each pivot.
pub fn rational_lemke(lcp: &MixedLcp) -> Option<(Vec<Rational>, u64)> {
    let mut tableau = Tableau::new(lcp);
    let n = tableau.n;
    if tableau.rows.iter().all(|row| row[2 * n + 1] >= 0) {
        return Some((vec![Rational::new(); n], 0));
    }
    let mut leaving_row = tableau.first_row();
    let mut entering = 2 * n;
    let mut pivots = 0;
    loop {
        let leaving = tableau.pivot(leaving_row, entering);
        pivots += 1;
        if leaving == 2 * n {
            return Some((tableau.solution(), pivots));
        }
        entering = (leaving + n) % (2 * n);
        leaving_row = tableau.ratio_test(entering)?;
    }
}

struct Tableau {
    n: usize,
    /// Columns: w, z, z0, q.
    rows: Vec<Vec<Rational>>,
    basic: Vec<usize>,
}

impl Tableau {
    fn new(lcp: &MixedLcp) -> Self {
        let n = lcp.n();
        let rows = (0..n).map(|i| {
            let mut row = vec![Rational::new(); 2 * n + 2];
            row[i] = Rational::from(1);
            for (j, value) in lcp.m().row(i) {
                row[n + j] = -value.to_rational();
            }
            row[2 * n] = Rational::from(-1);
            row[2 * n + 1] = lcp.q()[i].to_rational();
            row
        });
        Self {
            n,
            rows: rows.collect(),
            basic: (0..n).collect(),
        }
    }

    fn first_row(&self) -> usize {
        let q = |i: &usize| &self.rows[*i][2 * self.n + 1];
        // Of tied rows the last: lexicographic maximum of -(q, I).
        let row = (0..self.n).min_by(|a, b| q(a).cmp(q(b)).then(b.cmp(a)));
        row.unwrap_or(0)
    }

    fn ratio_test(&self, entering: usize) -> Option<usize> {
        let key = 2 * self.n + 1;
        let columns = || std::iter::once(key).chain(0..self.n);
        let ratio = |i: usize, c: usize| Rational::from(&self.rows[i][c] / &self.rows[i][entering]);
        let candidates = (0..self.n).filter(|&i| self.rows[i][entering] > 0);
        let best = candidates.min_by(|&a, &b| {
            columns()
                .map(|c| ratio(a, c).cmp(&ratio(b, c)))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        })?;
        // z0 leaves as soon as its row ties.
        let z0 = self.basic.iter().position(|&b| b == 2 * self.n);
        let tied = z0.filter(|&r| self.rows[r][entering] > 0 && ratio(r, key) == ratio(best, key));
        Some(tied.unwrap_or(best))
    }

    /// Returns the variable that leaves.
    fn pivot(&mut self, r: usize, entering: usize) -> usize {
        let inverse = Rational::from(self.rows[r][entering].recip_ref());
        self.rows[r].iter_mut().for_each(|value| *value *= &inverse);
        let pivot_row = self.rows[r].clone();
        for (i, row) in self.rows.iter_mut().enumerate() {
            if i == r || row[entering].is_zero() {
                continue;
            }
            let factor = row[entering].clone();
            for (value, pivot) in row.iter_mut().zip(&pivot_row) {
                if !pivot.is_zero() {
                    *value -= Rational::from(&factor * pivot);
                }
            }
        }
        std::mem::replace(&mut self.basic[r], entering)
    }

    fn solution(&self) -> Vec<Rational> {
        let mut z = vec![Rational::new(); self.n];
        for (row, &basic) in self.rows.iter().zip(&self.basic) {
            if (self.n..2 * self.n).contains(&basic) {
                z[basic - self.n].clone_from(&row[2 * self.n + 1]);
            }
        }
        z
    }
}

#[cfg(test)]
mod tests {
    use etalon_exact::{Lemke, LemkeOutcome};
    use etalon_lcp::Reduction;

    use super::*;

    #[test]
    fn the_baseline_takes_the_same_pivots_to_the_same_solution() {
        for family in ["pd", "murty", "degenerate", "copositive-friction"] {
            for problem in etalon_conformance::generate(family, 8, 5, 1).unwrap() {
                let lcp = Reduction::new(&problem).mixed().clone();
                let run = Lemke::default().solve(&lcp).unwrap();
                let LemkeOutcome::Solved { z, .. } = run.outcome else {
                    continue;
                };
                assert_eq!(
                    rational_lemke(&lcp),
                    Some((z, run.pivots)),
                    "{}",
                    problem.name()
                );
            }
        }
    }
}
