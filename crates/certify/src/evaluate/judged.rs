//! Readings in natural sizes.

use etalon_lcp::{Number, Snapped};
use rug::Rational;

use super::reading::{Reader, Reading, Worst, grow};
use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::sizes::Sizes;
use crate::transversal::Near;

/// What the squares may take that tell a gross error from one that is wrong by its own size, bits and
/// products of words: beyond that it is not called gross.
const SQUARES: (u64, u64) = (1 << 28, 1 << 30);

/// What a reading comes to in natural sizes.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) rows: Worst,
    /// The largest move from the candidate, in natural sizes, and whose it is.
    pub(super) furthest: Rational,
    pub(super) furthest_row: Option<usize>,
    pub(super) moves: Snapped,
    pub(super) share_of_largest: Rational,
}

impl Judged {
    pub(super) fn error(&self) -> &Rational {
        (&self.furthest).max(&self.rows.error)
    }

    pub(super) fn row(&self) -> Option<usize> {
        if self.furthest > self.rows.error {
            return self.furthest_row;
        }
        self.rows.row()
    }
}

impl<'a> Reader<'a> {
    pub(super) fn sizes(self, reading: &Reading<'_>) -> Result<Sizes<'a>, OverBudget> {
        let Reading { x, rows, .. } = reading;
        Sizes::new(self.problem, self.bounds, x, rows, self.tol, self.budget)
    }

    /// What it costs to go from x_j to another value, in natural sizes; 1 where there is a way to
    /// go and nothing measures it.
    pub(super) fn cost(
        self,
        sizes: &Sizes<'_>,
        j: usize,
        from: &Rational,
        to: &Rational,
    ) -> Result<Rational, OverBudget> {
        if from == to {
            return Ok(Rational::new());
        }
        let size = sizes.of(self.bounds, j);
        if size.is_zero() {
            return Ok(Rational::from(1));
        }
        let long = fraction_bits(from).max(fraction_bits(to));
        self.budget.reduce(2, long, fraction_bits(&size))?;
        Ok(Rational::from(from - to).abs() / size)
    }

    /// A reading in natural sizes; `z` is what the solver answered.
    pub(super) fn judge(
        self,
        reading: &Reading<'_>,
        sizes: &Sizes<'_>,
        z: &[Rational],
    ) -> Result<Judged, OverBudget> {
        let x = &reading.x;
        let mut judged = Judged::default();
        // Squares over the diagonal, because a square root of it need not be rational.
        let (mut largest, mut violation) = (Rational::new(), Rational::new());
        // Nothing compares a row without a positive diagonal entry with others: its own error is its share.
        let mut alone = Worst::default();
        // They are for a grade alone, which is not worth the verdict.
        let squares = Budget::new(SQUARES.0, SQUARES.1);
        let mut affordable = true;
        for (i, sigma) in sizes.rows.iter().enumerate() {
            let w = &reading.rows.w[i];
            let wrong = self.take(&mut judged.rows, i, (w, sigma), x, &sizes.carried)?;
            let cost = self.cost(sizes, i, &z[i], &x[i])?;
            if z[i] != x[i] {
                judged.moves.entries += 1;
            }
            if cost > judged.furthest {
                judged.furthest.clone_from(&cost);
                judged.furthest_row = Some(i);
            }
            let diagonal = self.problem.m().get(i, i).map(Number::to_rational);
            let diagonal = diagonal.unwrap_or_default();
            if diagonal <= 0 {
                self.take(&mut alone, i, (w, sigma), x, &sizes.carried)?;
                grow(&mut alone.error, cost);
                continue;
            }
            let long = [w, sigma, &z[i], &x[i]].map(fraction_bits);
            let long = 2 * long.into_iter().fold(0, u64::max);
            let other = long.max(fraction_bits(&diagonal));
            affordable = affordable && squares.reduce(6, long, other).is_ok();
            if !affordable {
                continue;
            }
            grow(&mut largest, sigma.clone().square() / &diagonal);
            if wrong {
                grow(&mut violation, w.clone().square() / &diagonal);
            }
            let gap = Rational::from(&z[i] - &x[i]);
            grow(&mut violation, gap.square() * &diagonal);
        }
        judged.moves.furthest.clone_from(&judged.furthest);
        judged.share_of_largest = match (affordable, largest.is_zero()) {
            (false, _) => Rational::new(),
            (true, true) => judged.error().clone().square(),
            (true, false) => (violation / largest).max(alone.error.square()),
        };
        Ok(judged)
    }

    /// The point with every entry moved onto its bound whose row is wrong where it stands, would be
    /// right there, and is nearer to that than to being right here; with `limit`, only
    /// those whose move costs no more. `None` where nothing moves.
    pub(super) fn moved(
        self,
        reading: &Reading<'_>,
        sizes: &Sizes<'_>,
        limit: Option<&Rational>,
    ) -> Result<Option<Vec<Rational>>, OverBudget> {
        let mut x = reading.x.clone();
        for i in self.bounds.order() {
            let (w, s) = (&reading.rows.w[i], &reading.rows.s[i]);
            let (lower, upper) = self.bounds.of(i, &x);
            let bound = if *w > 0 { lower } else { upper };
            let wrong = Rational::from(w.abs_ref()) > Rational::from(self.tol * s);
            let bound = bound.filter(|bound| wrong && **bound != x[i]);
            // Where the move surely costs more than the row's error, no long fraction needs to be brought to lowest terms.
            let is_far = |to: &Rational| {
                let (gap, size) = (Rational::from(&x[i] - to), sizes.of(self.bounds, i));
                let [gap, size, w, s] = [&gap, &size, w, s].map(Near::of);
                gap.times(s).surely_exceeds(w.times(size))
            };
            if let Some(bound) = bound.filter(|bound| !is_far(bound)) {
                let cost = self.cost(sizes, i, &x[i], &bound)?;
                self.budget
                    .reduce(1, fraction_bits(&cost), fraction_bits(s))?;
                let cheap = Rational::from(&cost * s) < Rational::from(w.abs_ref());
                if cheap && limit.is_none_or(|limit| cost <= *limit) {
                    x[i] = bound.into_owned();
                }
            }
            // A friction row whose normal row moved may be outside. What it costs to move it along
            // counts in the error of the reading.
            self.bounds.project_row(i, &mut x);
        }
        Ok((x != reading.x).then_some(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::budget::of_size;
    use etalon_lcp::{Matrix, Problem};

    /// Half of what z says is missing, in numbers of so many bits.
    fn judged_half_wrong(bits: u32) -> (Judged, u64) {
        let long = Rational::from(1) << bits;
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let q = vec![Number::from(Rational::from(-2 * &long))];
        let problem = Problem::new("p", m, q).unwrap();
        let (bounds, budget, tol) = (Bounds::new(&problem), of_size(1, 0, 0), Rational::new());
        let at = Reader::new(&problem, &bounds, &tol, &budget);
        let z = [long];
        let reading = at.reading(z.to_vec()).unwrap();
        let before = budget.left().1;
        let sizes = at.sizes(&reading).unwrap();
        (
            at.judge(&reading, &sizes, &z).unwrap(),
            before - budget.left().1,
        )
    }

    #[test]
    fn squares_for_a_grade_take_nothing_from_the_check() {
        // Six operations on fractions of 2,000 words each would be 6 * 8 * 2,000 * 2,000.
        let (judged, spent) = judged_half_wrong(63_999);
        assert!(judged.share_of_largest > 0 && spent < 1 << 26, "{spent}");
        // Of 2^15 words they would take 2^32 and more.
        let (judged, _) = judged_half_wrong(1 << 20);
        assert_eq!(judged.share_of_largest, 0);
        assert_eq!(*judged.error(), Rational::from((1, 5)));
    }
}
