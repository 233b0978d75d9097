//! The solved values of unknowns, and the effects of moves, from a dictionary.

use std::collections::BTreeSet;

use etalon_lcp::Row;
use rug::{Integer, Rational};

use super::cell::Cell;
use super::dictionary::{Dictionary, DictionaryRow};
use super::{SolvedFor, SolvedRows};
use crate::lifting::Failure;
use crate::tableau::Variable;

/// Keeps the unknown with the largest error, the first of several; 0 is none.
pub(super) fn keep_worst(worst: &mut Option<SolvedFor>, found: SolvedFor) {
    let least = worst.as_ref().map(|worst| &worst.error);
    if !found.error.is_zero() && least.is_none_or(|least| found.error > *least) {
        *worst = Some(found);
    }
}

impl Cell<'_> {
    /// Enters what a dictionary says of its unknowns, and of moves. Returns the unknowns with their
    /// sum_i |b_ji| s_i, where bounds may leave one of them less room.
    pub(super) fn take(
        &self,
        dictionary: &mut Dictionary<'_>,
        own: &[Rational],
        tol: &Rational,
        solved: &mut SolvedRows,
    ) -> Result<Vec<(usize, Rational)>, Failure> {
        let values = dictionary.values(self, own)?;
        dictionary.check_dependent(self)?;
        for (j, value) in dictionary.unknowns.iter().zip(values) {
            solved.point[*j] = value;
        }
        // Rows of zeros hold the candidate's rounding at `at`, and nothing at the solved point.
        let holding = self.holding(dictionary, &solved.point);
        let holds = |i: usize| holding.contains(&i);
        let moves = !dictionary.moved.is_empty();
        let needs_all = moves || self.have_bounds(&dictionary.unknowns);
        let mut reaches = Vec::new();
        // Those first that may have an error over the tolerance: the budget may run out.
        let unknowns = dictionary.unknowns.iter().map(|j| {
            let gap = Rational::from(&own[*j] - &solved.point[*j]).abs();
            (self.is_within(*j, &gap, tol), *j, gap)
        });
        let mut unknowns: Vec<_> = unknowns.filter(|own| needs_all || !own.0).collect();
        unknowns.sort_by_key(|(is_within, j, _)| (*is_within, *j));
        for (_, j, gap) in unknowns {
            let row = dictionary.row_for(j)?;
            let Some(reach) = row.reach(None, dictionary, holds) else {
                continue;
            };
            reaches.push((j, Rational::from(&reach / &row.denominator)));
            let found = SolvedFor {
                unknown: j,
                value: solved.point[j].clone(),
                error: gap * &row.denominator / &reach,
            };
            if self.only_moves.is_none() {
                keep_worst(&mut solved.worst, found);
            }
            self.measure_moves(&row, &reach, own, &mut solved.worst);
        }
        for i in dictionary.staying().into_iter().filter(|_| moves) {
            let row = dictionary.row_of(i)?;
            if let Some(reach) = row.reach(Some(i), dictionary, holds) {
                self.measure_moves(&row, &reach, own, &mut solved.worst);
            }
        }
        Ok(reaches)
    }

    /// The rows of a dictionary that hold anything at a point.
    pub(super) fn holding(
        &self,
        dictionary: &Dictionary<'_>,
        point: &[Rational],
    ) -> BTreeSet<usize> {
        let holds = |i: &usize| self.holds(*i, point);
        dictionary.members().filter(holds).collect()
    }

    /// Whether any of these unknowns has a bound.
    fn have_bounds(&self, unknowns: &[usize]) -> bool {
        let rows = self.problem.rows();
        let is_bounded = |j: &usize| !matches!(rows[*j], Row::Free | Row::Cone);
        unknowns.iter().any(is_bounded)
    }

    /// Whether a gap is at most tol |x_j|, which is at most tol sum_i |b_ji| s_i: s_i >= |M_ij| |x_j|, and
    /// sum_i b_ji M_ij = 1. That does not hold where friction slides with z_j.
    pub(super) fn is_within(&self, j: usize, gap: &Rational, tol: &Rational) -> bool {
        let slides = self.ties.iter().flatten().any(|(normal, _)| *normal == j);
        !slides && *gap <= Rational::from(tol * &self.at[j]).abs()
    }

    /// The moved unknowns, measured by a row of a dictionary, which reaches so far.
    fn measure_moves(
        &self,
        row: &DictionaryRow,
        reach: &Rational,
        own: &[Rational],
        worst: &mut Option<SolvedFor>,
    ) {
        for (variable, entry) in &row.entries {
            if let Variable::Z(j) = *variable
                && !self.loose[j]
            {
                let gap = Rational::from(&own[j] - &self.at[j]).abs();
                let found = SolvedFor {
                    unknown: j,
                    value: self.at[j].clone(),
                    error: gap * Integer::from(entry.abs_ref()) / reach,
                };
                keep_worst(worst, found);
            }
        }
    }
}
