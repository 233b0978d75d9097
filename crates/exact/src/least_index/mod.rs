//! Murty's least-index principal pivoting (Bard type; CPS algorithm 4.2.6), exact.
//!
//! In a complementary dictionary, take the first row whose basic variable is negative, and
//! exchange it with its complement; stop when there is none. For a P-matrix no basis comes twice,
//! whatever q is, and no perturbation is needed (Murty 1974). The proof is by induction. With row n fixed,
//! the method solves a smaller P-problem. Its solution either solves the whole problem or shows that
//! the other side of row n is the right one. So row n changes sides at most once.
//!
//! The method is simple, and exponential on Murty's own examples: it serves as a second opinion.

use std::collections::HashSet;

use etalon_lcp::{Basis, MixedLcp};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter, check_rows};
use crate::dantzig::boxes::{Boxes, pair};
use crate::trace::{PivotStep, Progress, Trace};

/// Least-index principal pivoting and its settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeastIndex {
    /// The budget.
    pub budget: Budget,
    /// Whether to record every step.
    pub trace: bool,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeastIndexRun {
    /// The outcome.
    pub outcome: LeastIndexOutcome,
    /// Pivots; eliminations of bilateral rows do not count.
    pub pivots: u64,
    /// The steps, where asked for. Their length is that of the entering variable, of any sign.
    pub trace: Option<Trace>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeastIndexOutcome {
    /// z solves the problem.
    Solved {
        /// The n values.
        z: Vec<Rational>,
        /// A complementary basis that z belongs to.
        basis: Basis,
    },
    /// M is no P-matrix.
    OutOfClass {
        /// Rows S, ascending, with det M_SS <= 0. With bilateral rows, all of which are in S:
        /// det M_SS is zero or has another sign than the determinant of their block.
        minor: Vec<usize>,
    },
    /// A basis came up again, so M (or the Schur complement of its bilateral block) is no
    /// P-matrix.
    Cycle,
    /// The budget ran out, which says nothing about the problem.
    Exhausted(Exhausted),
}

impl LeastIndex {
    /// Runs the method on the mixed LCP, after solving for the bilateral rows.
    pub fn solve(&self, lcp: &MixedLcp) -> LeastIndexRun {
        let meter = Meter::new(&self.budget);
        let boxes = check_rows(lcp.n()).and_then(|()| Boxes::unbounded(lcp, &meter));
        let boxes = match boxes {
            Ok(boxes) => boxes,
            Err(too_large) => {
                return LeastIndexRun {
                    outcome: LeastIndexOutcome::Exhausted(too_large),
                    pivots: 0,
                    trace: None,
                };
            }
        };
        let mut run = Run {
            boxes,
            meter,
            visited: HashSet::new(),
            trace: self.trace.then(Trace::default),
        };
        let outcome = run.pivot_all().unwrap_or_else(|outcome| outcome);
        LeastIndexRun {
            outcome,
            pivots: run.meter.pivots(),
            trace: run.trace,
        }
    }
}

struct Run {
    boxes: Boxes,
    meter: Meter,
    visited: HashSet<Basis>,
    trace: Option<Trace>,
}

impl From<Exhausted> for LeastIndexOutcome {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Run {
    fn pivot_all(&mut self) -> Result<LeastIndexOutcome, LeastIndexOutcome> {
        self.settle_bilateral()?;
        while let Some(r) = self.least_negative_row() {
            // For a P-matrix no basis comes twice (Murty 1974). For others the rule may circle, and
            // bases are remembered for them.
            if !self.visited.insert(self.boxes.basis()) {
                return Err(LeastIndexOutcome::Cycle);
            }
            self.exchange(r)?;
        }
        Ok(LeastIndexOutcome::Solved {
            z: self.boxes.point(None).0,
            basis: self.boxes.basis(),
        })
    }

    fn settle_bilateral(&mut self) -> Result<(), LeastIndexOutcome> {
        let left_over = self.boxes.dictionary.bring_in_free(&self.meter)?;
        if !left_over.is_empty() {
            let minor = self.boxes.bilateral_rows();
            return Err(LeastIndexOutcome::OutOfClass { minor });
        }
        Ok(())
    }

    fn least_negative_row(&self) -> Option<usize> {
        let tableau = &self.boxes.dictionary.tableau;
        let index = |r: &usize| pair(tableau.basic()[*r]);
        let complementary = |r: &usize| !self.boxes.dictionary.units.bilateral[index(r)];
        let rows = (0..tableau.rows()).filter(complementary);
        // The least index of the pair, whichever of its variables is basic: the order that Murty's proof by
        // induction uses.
        rows.filter(|&r| *tableau.constant(r) < 0).min_by_key(index)
    }

    fn exchange(&mut self, r: usize) -> Result<(), LeastIndexOutcome> {
        let leaving = self.boxes.dictionary.tableau.basic()[r];
        let complement = leaving.complement();
        let column = complement.and_then(|v| self.boxes.dictionary.column(v));
        let tableau = &self.boxes.dictionary.tableau;
        // The entry is the quotient of two principal minors: positive in every dictionary of a
        // P-matrix.
        let Some(c) = column.filter(|&c| *tableau.entry(r, c) > 0) else {
            return Err(self.out_of_class(pair(leaving)));
        };
        tableau.room_for_pivot(r, c)?;
        self.meter.pivot(
            u64::from(tableau.entry(r, c).significant_bits()),
            tableau.size(),
        )?;
        let entering = tableau.nonbasic()[c];
        self.boxes.dictionary.exchange(r, c);
        let tableau = &self.boxes.dictionary.tableau;
        if let Some(trace) = &mut self.trace {
            let mut basic = tableau.basic().to_vec();
            basic.sort_unstable();
            let length = self
                .boxes
                .dictionary
                .units
                .value(entering, tableau.value(r));
            let (z, w) = self.boxes.point(None);
            trace.steps.push(PivotStep {
                entering,
                leaving,
                length,
                basic,
                z,
                w,
                progress: Progress::Basis,
            });
        }
        Ok(())
    }

    fn out_of_class(&self, i: usize) -> LeastIndexOutcome {
        LeastIndexOutcome::OutOfClass {
            minor: self.boxes.minor(i),
        }
    }
}

#[cfg(test)]
mod tests;
