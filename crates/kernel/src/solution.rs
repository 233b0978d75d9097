//! Points: whether one solves the problem, and how far it is from doing so.

use rug::{Integer, Rational};

use crate::{Refusal, budget::*, ensure, exact::*, rows::*};

/// A point of n entries, and 1 in column n; or a direction, with 0 there.
pub(crate) struct Point<'a> {
    z: &'a [Rational],
    last: u32,
    /// All entries over one denominator, where that stays short: the solutions of a linear system
    /// share theirs, those of many islands do not.
    common: Option<(Vec<Integer>, Held<'a>)>,
    budget: &'a Budget,
}

impl<'a> Point<'a> {
    pub fn new(z: &'a [Rational], last: u32, budget: &'a Budget) -> Result<Self, Refusal> {
        let common = match Exact::new(z, 4, budget) {
            Err(Refusal::MEMORY) => None,
            exact => {
                let Exact { mut numerators, denominator, held } = exact?;
                numerators.push(denominator * last);
                Some((numerators, held))
            }
        };
        Ok(Self { z, last, common, budget })
    }

    /// The expression at the point, and the same with absolute values throughout (of w_i: s_i),
    /// both times one positive factor.
    pub fn sums(&self, row: &Row<'_>) -> Result<(Integer, Integer), Refusal> {
        let own;
        let entry = |j: usize| self.z.get(j).cloned().unwrap_or(Rational::from(self.last));
        let factors: Vec<&Integer> = match &self.common {
            Some((all, _)) => row.entries.iter().map(|(j, _)| &all[*j]).collect(),
            None => {
                let met: Vec<_> = row.entries.iter().map(|(j, _)| entry(*j)).collect();
                own = Exact::new(&met, 1, self.budget)?;
                own.numerators.iter().collect()
            }
        };
        let (mut sum, mut size) = (Integer::new(), Integer::new());
        for ((_, value), factor) in row.entries.iter().zip(factors) {
            self.budget.multiply(1, bits(value), bits(factor))?;
            let term = Integer::from(value * factor);
            sum += &term;
            size += term.abs();
        }
        Ok((sum, size))
    }

    /// What holds of a row here.
    ///
    /// # Errors
    /// z_i is outside its bounds.
    pub fn facts(&self, terms: &Terms<'_>) -> Result<Facts, Refusal> {
        let mut facts = 0;
        for (row, [below, at, above]) in
            terms.rows.iter().zip([[LE, LE | GE, GE], [0, LO, 0], [0, UP, 0]])
        {
            let Some(row) = row else { continue };
            let sign = self.sums(row)?.0.cmp0();
            ensure(sign.is_ge() || below != 0, "z is outside its bounds")?;
            facts |= if sign.is_lt() {
                below
            } else if sign.is_eq() {
                at
            } else {
                above
            };
        }
        Ok(facts)
    }

    /// Checks that the row is solved, and that these facts hold of it.
    pub fn check(&self, terms: &Terms<'_>, known: Facts) -> Result<(), Refusal> {
        let facts = self.facts(terms)?;
        ensure(decides(facts), "w has the wrong sign, or z is off the bound that allows it")?;
        ensure(known & !facts == 0, "z is not in this node")
    }
}

/// Checks that z, of n entries, solves the problem exactly: the definition, row by row.
///
/// # Errors
/// The first row that z breaks, another length, or the budget.
pub fn check_solution(
    problem: &impl Problem, z: &[Rational], budget: &Budget,
) -> Result<(), Refusal> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let point = Point::new(z, 1, budget)?;
    for i in 0..z.len() {
        point.check(&Terms::of(problem, i, budget)?, 0).map_err(|no| no.at_row(i))?;
    }
    Ok(())
}

/// The componentwise backward error eta of z, of n entries and within its bounds: the least eps
/// for which z solves the problem with entries of M and q changed by no more than eps times their
/// size, and slopes of bounds by eps times theirs. It is at most 1. (`docs/backward-error.md`,
/// after Oettli and Prager 1964.)
///
/// # Errors
/// The first row on which z is outside its bounds, another length, or the budget.
pub fn backward_error(
    problem: &impl Problem, z: &[Rational], budget: &Budget,
) -> Result<Rational, Refusal> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let (point, mut largest) = (Point::new(z, 1, budget)?, Rational::new());
    for i in 0..z.len() {
        let terms = Terms::of(problem, i, budget)?;
        let facts = point.facts(&terms).map_err(|no| no.at_row(i))?;
        let Some(row) = terms.rows[0].as_ref().filter(|_| !decides(facts)) else { continue };
        let (w, s) = point.sums(row)?;
        budget.reduce(1, bits(&s), bits(&s))?;
        let bound = &problem.bounds(i)[usize::from(w < 0)];
        // w is not 0, so neither is s >= |w|: eps = |w| / s brings w to 0.
        let mut error = Rational::from((w.abs(), s));
        // Or another slope brings the bound to z at which the sign of w is right.
        if let Some(Bound { constant, slope, of }) = bound {
            let long = [constant, slope, &z[i], &z[*of]].map(fraction_bits).iter().sum();
            budget.reduce(4, long, long)?;
            let moved = Rational::from(slope * &z[*of]);
            let gap = Rational::from(constant + &moved) - &z[i];
            if moved != 0 {
                error = error.min((gap / moved).abs());
            }
        }
        budget.multiply(2, fraction_bits(&error), fraction_bits(&largest))?;
        largest = largest.max(error);
    }
    Ok(largest)
}
