//! The problem, as the kernel asks for it: rows of M and q, and bounds on z. Find z with
//! w = Mz + q such that on every row
//!
//! > L_i <= z_i <= U_i,  (z_i = L_i or w_i <= 0),  (z_i = U_i or w_i >= 0),
//!
//! where a condition with an absent bound is false. (Cottle, Pang, Stone: The Linear
//! Complementarity Problem, section 1.1; `docs/certificates.md`, "The problem".)

use rug::Rational;

use crate::{Checked, budget::*, cone::*, ensure, exact::*};

/// A problem of n rows, borrowed. It must say the same each time it is asked.
pub trait Problem {
    /// The number n of rows and of unknowns.
    fn n(&self) -> usize;
    /// The nonzeros of row i of [M | q] as (column, value), columns ascending: q_i is in column n.
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)>;
    /// L_i and U_i, where these are.
    fn bounds(&self, i: usize) -> Bounds;
    /// The friction cones, whose laws take the place of the bounds of their rows.
    fn cones(&self) -> impl Iterator<Item = Cone> {
        std::iter::empty()
    }
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
pub(crate) fn decides(facts: &Facts) -> bool {
    facts & (LO | LE) != 0 && facts & (UP | GE) != 0
}

/// A row of a problem, in integers.
#[derive(Debug)]
pub struct Row {
    /// The expressions w_i, z_i - L_i and U_i - z_i, where there are these bounds.
    pub terms: [Option<Exact>; 3],
}

impl Row {
    pub(crate) fn of(problem: &impl Problem, i: usize, held: &mut Held<'_>) -> Checked<Self> {
        let (n, [lower, upper]) = (problem.n(), problem.bounds(i));
        let w = Exact::new(problem.row(i), held)?;
        ensure(w.entries.last().is_none_or(|e| e.0 <= n), "a row names no column, or one twice")?;
        let mut gap = |sign: i32, bound: Option<Bound>| {
            let Some(Bound { constant, slope, of }) = bound else { return Ok(None) };
            ensure(of < n, "its bound is that of no row")?;
            let mut entries = [(i, Rational::from(1)), (of, -slope), (n, -constant)];
            entries.sort_by_key(|(column, _)| *column);
            let nonzeros = entries.into_iter().filter(|(_, value)| *value != 0);
            Exact::new(nonzeros.map(|(j, value)| (j, value * sign)), held).map(Some)
        };
        Ok(Self { terms: [Some(w), gap(1, lower)?, gap(-1, upper)?] })
    }

    /// The rows of a problem.
    pub(crate) fn all(problem: &impl Problem, held: &mut Held<'_>) -> Checked<Vec<Self>> {
        let row = |i| Self::of(problem, i, held).map_err(|no| no.at_row(i));
        (0..problem.n()).map(row).collect()
    }

    /// What is known of the row in every solution: w_i <= 0 where there is no L_i to be at,
    /// w_i >= 0 where there is no U_i.
    pub(crate) fn start(&self) -> Facts {
        let [_, lower, upper] = &self.terms;
        lower.as_ref().map_or(LE, |_| 0) | upper.as_ref().map_or(GE, |_| 0)
    }

    /// Checks that the row is solved at z, and that these facts hold there; or along a direction.
    ///
    /// # Errors
    /// z_i is outside its bounds, w_i has the wrong sign, another fact.
    pub(crate) fn check(&self, z: Point<'_>, known: Facts, budget: &Budget) -> Checked {
        // Of each expression what a sign below 0, the sign 0 and a sign above 0 say.
        let (mut facts, signs) = (0, [[LE, LE | GE, GE], [0, LO, 0], [0, UP, 0]]);
        for (term, [below, at, above]) in self.terms.iter().zip(signs) {
            let Some(term) = term else { continue };
            let sign = term.at(z, budget)?[0].cmp0();
            ensure(sign.is_ge() || below != 0, "z is outside its bounds")?;
            facts |= if sign.is_eq() { at } else { [below, above][usize::from(sign.is_gt())] };
        }
        ensure(decides(&facts), "w has the wrong sign, or z is off the bound that allows it")?;
        ensure(known & !facts == 0, "z is not in this node")
    }
}
