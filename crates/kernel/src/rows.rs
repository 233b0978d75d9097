//! The problem, as the kernel asks for it: rows of M and q, and bounds on z. Find z with
//! w = Mz + q such that on every row
//!
//! > L_i <= z_i <= U_i,  (z_i = L_i or w_i <= 0),  (z_i = U_i or w_i >= 0),
//!
//! where a condition with an absent bound is false. (Cottle, Pang, Stone: The Linear
//! Complementarity Problem, section 1.1; `docs/certificates.md`, "The problem".)

use rug::{Integer, Rational};

use crate::{Refusal, budget::*, ensure, exact::*};

/// A problem of n rows, borrowed. It must say the same each time it is asked.
pub trait Problem {
    /// The number n of rows and of unknowns.
    fn n(&self) -> usize;
    /// The nonzeros of row i of [M | q] as (column, value), columns ascending: q_i is in column n.
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)>;
    /// L_i and U_i, where these are.
    fn bounds(&self, i: usize) -> Bounds;
}

/// The lower and the upper bound of an unknown, each of which may be absent.
pub type Bounds = [Option<Bound>; 2];

/// A bound, constant + slope z_j: a number, or of friction -mu z_j and mu z_j.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The constant.
    pub constant: Rational,
    /// The slope; 0 of a number.
    pub slope: Rational,
    /// The row j, another one; any below n of a number.
    pub of: usize,
}

/// What is known of a row: a sum of [`LO`], [`LE`], [`UP`] and [`GE`].
pub(crate) type Facts = u8;
/// z_i = L_i.
pub(crate) const LO: Facts = 1;
/// w_i <= 0.
pub(crate) const LE: Facts = 2;
/// z_i = U_i.
pub(crate) const UP: Facts = 4;
/// w_i >= 0.
pub(crate) const GE: Facts = 8;

/// Whether these facts are enough for a row within its bounds to be solved.
pub(crate) fn decides(facts: Facts) -> bool {
    facts & (LO | LE) != 0 && facts & (UP | GE) != 0
}

/// A linear expression in z in integers: times a positive denominator, its constant in column n.
pub(crate) struct Row<'b> {
    pub entries: Vec<(usize, Integer)>,
    pub denominator: Integer,
    _held: Held<'b>,
}

impl<'b> Row<'b> {
    /// Of nonzeros in ascending columns up to n.
    pub fn new(
        entries: impl Iterator<Item = (usize, Rational)>, n: usize, budget: &'b Budget,
    ) -> Result<Self, Refusal> {
        let (mut columns, mut fits) = (Vec::new(), true);
        let values = entries.map(|(column, value)| {
            fits &= column <= n && columns.last().is_none_or(|last| *last < column);
            columns.push(column);
            value
        });
        let (values, _values) = read(values, budget)?;
        ensure(fits, "a row names no column, or one twice")?;
        let Exact { numerators, denominator, mut held } = Exact::new(&values, 1, budget)?;
        held.more(1, bits(&denominator))?;
        let entries = columns.into_iter().zip(numerators).collect();
        Ok(Self { entries, denominator, _held: held })
    }

    /// The most bits of an entry and the denominator together.
    pub fn longest(&self) -> u64 {
        let longest = self.entries.iter().map(|(_, value)| bits(value)).max();
        longest.unwrap_or(0) + bits(&self.denominator)
    }
}

/// The expressions of row i.
pub(crate) struct Terms<'b> {
    /// w_i, z_i - L_i and U_i - z_i, where there are these bounds.
    pub rows: [Option<Row<'b>>; 3],
    /// Whether a bound contains another z_j.
    pub moves: bool,
}

impl<'b> Terms<'b> {
    pub fn of(problem: &impl Problem, i: usize, budget: &'b Budget) -> Result<Self, Refusal> {
        let n = problem.n();
        let gap = |(sign, bound): (i32, &Option<Bound>)| {
            let Some(Bound { constant, slope, of }) = bound else { return Ok(None) };
            ensure(*of < n, "its bound is that of no row")?;
            let numbers = [Rational::from(1), -slope.clone(), -constant.clone()];
            let mut entries: Vec<_> =
                [i, *of, n].into_iter().zip(numbers.map(|a| a * sign)).collect();
            entries.retain(|(_, value)| *value != 0);
            entries.sort_by_key(|(column, _)| *column);
            Row::new(entries.into_iter(), n, budget).map(Some)
        };
        let [lower, upper] = &problem.bounds(i);
        let terms = || {
            let w = Row::new(problem.row(i), n, budget)?;
            let rows = [Some(w), gap((1, lower))?, gap((-1, upper))?];
            let moves = [lower, upper].into_iter().flatten().any(|bound| bound.slope != 0);
            Ok(Self { rows, moves })
        };
        terms().map_err(|no: Refusal| no.at_row(i))
    }

    /// Which expression cancels z_i, and it: that of the lower bound, or of an upper one that is alone.
    pub fn own(&self) -> Option<(usize, &Row<'b>)> {
        (1..3).find_map(|k| Some((k, self.rows[k].as_ref()?)))
    }

    /// What is known of the row in every solution: w_i <= 0 where there is no L_i to be at,
    /// w_i >= 0 where there is no U_i.
    pub fn start(&self) -> Facts {
        let [_, lower, upper] = &self.rows;
        lower.as_ref().map_or(LE, |_| 0) | upper.as_ref().map_or(GE, |_| 0)
    }
}

/// A whole problem.
pub(crate) struct System<'b> {
    pub terms: Vec<Terms<'b>>,
    /// The rows with two bounds, which own the entries n, n + 1, ... of certificates.
    pub doubles: Vec<usize>,
    /// D, the least common denominator of the z_i - L_i, or U_i - z_i where only U_i is.
    pub scale: Integer,
    /// The most bits that D and such an expression multiply by.
    pub reach: u64,
    /// How many entries the expressions have, and one more for each.
    pub entries: u64,
    pub budget: &'b Budget,
}

impl<'b> System<'b> {
    pub fn of(problem: &impl Problem, budget: &'b Budget) -> Result<Self, Refusal> {
        let (mut terms, mut doubles, mut entries) = (Vec::new(), Vec::new(), 0);
        let (mut scale, mut reach) = (Integer::from(1), 0);
        for i in 0..problem.n() {
            let of_row = Terms::of(problem, i, budget)?;
            let lengths = of_row.rows.iter().flatten().map(|row| row.entries.len() as u64 + 1);
            entries += lengths.sum::<u64>();
            if let Some((_, own)) = of_row.own() {
                budget.reduce(1, bits(&scale), bits(&own.denominator))?;
                scale.lcm_mut(&own.denominator);
                reach = own.longest().max(reach);
            }
            if of_row.rows.iter().all(Option::is_some) {
                doubles.push(i);
            }
            terms.push(of_row);
        }
        reach += bits(&scale);
        Ok(Self { terms, doubles, scale, reach, entries, budget })
    }
}
