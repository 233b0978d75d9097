//! The solved values of unknowns, and the effects of moves, from a dictionary.

use rug::{Integer, Rational};

use super::cell::Cell;
use super::dictionary::Dictionary;
use super::{SolvedFor, SolvedRows};
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
    /// sum_i |b_ji| s_i.
    pub(super) fn take(
        &self,
        dictionary: &Dictionary,
        own: &[Rational],
        solved: &mut SolvedRows,
    ) -> Vec<(usize, Rational)> {
        self.enter_values(dictionary, own, &mut solved.point);
        // Rows of zeros hold the candidate's rounding at `at`, and nothing at the solved point.
        let holds = |i: &usize| !self.row(*i, &solved.point).2.is_zero();
        let holding: Vec<usize> = dictionary.sizes.keys().copied().filter(holds).collect();
        let tableau = &dictionary.tableau;
        let mut reaches = Vec::new();
        for (r, variable) in tableau.basic().iter().enumerate() {
            let Some(reach) = dictionary.reach(r, &holding) else {
                continue;
            };
            if let Variable::Z(j) = *variable {
                reaches.push((j, Rational::from(&reach / tableau.denominator())));
                let value = solved.point[j].clone();
                let gap = Rational::from(&own[j] - &value).abs();
                let found = SolvedFor {
                    unknown: j,
                    value,
                    error: gap * tableau.denominator() / &reach,
                };
                keep_worst(&mut solved.worst, found);
            }
            self.measure_moves(dictionary, (r, &reach), own, &mut solved.worst);
        }
        reaches
    }

    /// The values v_j of the unknowns that a dictionary is solved for.
    fn enter_values(&self, dictionary: &Dictionary, own: &[Rational], point: &mut [Rational]) {
        let tableau = &dictionary.tableau;
        for (r, variable) in tableau.basic().iter().enumerate() {
            let Variable::Z(j) = *variable else { continue };
            let mut value = Rational::from(tableau.constant(r));
            for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
                match *variable {
                    Variable::Z(k) if self.loose[k] => value += Rational::from(&own[k] * entry),
                    _ => {}
                }
            }
            point[j] = value / tableau.denominator();
        }
    }

    /// The moved unknowns, measured by row r of a dictionary, which reaches so far.
    fn measure_moves(
        &self,
        dictionary: &Dictionary,
        (r, reach): (usize, &Rational),
        own: &[Rational],
        worst: &mut Option<SolvedFor>,
    ) {
        let tableau = &dictionary.tableau;
        for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
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

impl Dictionary {
    /// sum_i |b_ri| s_i of row r, times the denominator. None where it is 0, or where none of its
    /// rows is among those that hold anything (ascending).
    fn reach(&self, r: usize, holding: &[usize]) -> Option<Rational> {
        let Self { tableau, sizes } = self;
        let holds = |i: &usize| holding.binary_search(i).is_ok();
        let mut reach = Rational::new();
        let mut is_reached = false;
        if let Variable::W(i) = &tableau.basic()[r] {
            reach += Rational::from(&sizes[i] * tableau.denominator());
            is_reached = holds(i);
        }
        for (variable, entry) in tableau.nonbasic().iter().zip(tableau.row(r)) {
            if let Variable::W(i) = variable
                && *entry != 0
            {
                reach += Rational::from(&sizes[i] * entry).abs();
                is_reached |= holds(i);
            }
        }
        (is_reached && !reach.is_zero()).then_some(reach)
    }
}
