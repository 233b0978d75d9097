//! Records of runs, and the theorems about them as functions that find the first violation.
//!
//! A checker returns the position of the first step that breaks its law, or `None`. It reads the
//! recorded points, not the solver's mind: lengths, values of w and products are compared as
//! they stand in original units, exactly.

use std::collections::HashSet;

use etalon_lcp::{Matrix, Row};
use rug::{Integer, Rational};

use crate::tableau::Variable;

/// The steps of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// In order.
    pub steps: Vec<PivotStep>,
}

/// One step: along an edge up to where a variable blocks, and the exchange there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PivotStep {
    /// The variable that becomes basic.
    pub entering: Variable,
    /// The variable that becomes nonbasic; the entering one itself when it goes from one bound
    /// to the other.
    pub leaving: Variable,
    /// By how much the driving variable changes, in original units.
    pub length: Rational,
    /// The basic variables after the step, ascending.
    pub basic: Vec<Variable>,
    /// z after the step, n values.
    pub z: Vec<Rational>,
    /// w after the step, n values (for Lemke Mz + q + d z_0).
    pub w: Vec<Rational>,
    /// The effect of the step.
    pub progress: Progress,
}

/// The effect of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Lemke: the value of z_0 after the step, then its coefficients of epsilon, epsilon^2, ...
    /// under the lexicographic perturbation of q.
    Artificial(Vec<Rational>),
    /// Dantzig: the row d that is being driven to zero.
    Driven(usize),
    /// Nothing but the new basis.
    Basis,
}

impl PivotStep {
    /// The rows whose z is basic: Baraff's clamped set C.
    pub fn clamped(&self) -> Vec<usize> {
        let z = |variable: &Variable| match variable {
            Variable::Z(j) => Some(*j),
            _ => None,
        };
        self.basic.iter().filter_map(z).collect()
    }

    /// A step from bound to bound changes the point, not the basis.
    fn is_exchange(&self) -> bool {
        self.entering != self.leaving
    }

    fn driven(&self) -> Option<usize> {
        match self.progress {
            Progress::Driven(d) => Some(d),
            _ => None,
        }
    }
}

impl Trace {
    /// The first step that leads to a basis seen before. With one rule for all choices that
    /// depends on the basis alone, this is a cycle.
    pub fn first_repeated_basis(&self) -> Option<usize> {
        let mut seen = HashSet::new();
        self.steps
            .iter()
            .position(|step| step.is_exchange() && !seen.insert(&step.basic))
    }

    /// The first step after which the perturbed z_0 is not lexicographically below what it was.
    /// For a P-matrix there is none, since the LCP of q + d z_0 has one solution for each z_0; for
    /// a positive semidefinite matrix it does not rise, but may stand still.
    pub fn first_artificial_not_falling(&self) -> Option<usize> {
        self.first_artificial(|before, after| after >= before)
    }

    /// The first step after which the perturbed z_0 is lexicographically above what it was.
    pub fn first_artificial_rising(&self) -> Option<usize> {
        self.first_artificial(|before, after| after > before)
    }

    fn first_artificial(&self, broken: impl Fn(&[Rational], &[Rational]) -> bool) -> Option<usize> {
        let pairs = self.steps.windows(2);
        let found = pairs.map(|pair| (&pair[0].progress, &pair[1].progress));
        found
            .map(|pair| match pair {
                (Progress::Artificial(before), Progress::Artificial(after)) => {
                    broken(before, after)
                }
                _ => false,
            })
            .position(|broken| broken)
            .map(|position| position + 1)
    }

    /// The first step of negative length. There is none in any method with a ratio test.
    pub fn first_negative_length(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.length < 0)
    }

    /// The first step of length zero: a degenerate tie, which only the perturbation tells apart.
    pub fn first_degenerate_step(&self) -> Option<usize> {
        self.steps.iter().position(|step| step.length == 0)
    }

    /// The first step of a drive that has a positive length although w_d does not rise (Baraff
    /// 1994, equation (13): w_d rises by s times a diagonal entry of a Schur complement).
    ///
    /// `start` is q, or Mz + q for the point at which the run starts; `rows` tells drives up
    /// from drives down.
    pub fn first_stall(&self, start: &[Rational], rows: &[Row<'_>]) -> Option<usize> {
        let mut w = start;
        self.steps.iter().position(|step| {
            let before = std::mem::replace(&mut w, &step.w);
            let Some(d) = step.driven() else {
                return false;
            };
            let down = matches!(rows.get(d), Some(Row::AtMost(_)));
            let rises = if down {
                step.w[d] < before[d]
            } else {
                step.w[d] > before[d]
            };
            step.length > 0 && !rises
        })
    }

    /// The first step that leads to a clamped set which the same drive had before, with the same
    /// rows at their upper bounds (Baraff 1994, appendix A, theorem 3).
    pub fn first_repeated_clamped_set(&self) -> Option<usize> {
        let mut seen = HashSet::new();
        self.steps.iter().position(|step| {
            // Off the clamped set, z is at a bound, and its value says at which.
            let clamped = step.clamped();
            let bounds: Vec<_> = (0..step.z.len())
                .filter(|i| !clamped.contains(i) && Some(*i) != step.driven())
                .map(|i| &step.z[i])
                .collect();
            step.is_exchange() && !seen.insert((step.driven(), clamped, bounds))
        })
    }

    /// The first step after which the block M_CC of the clamped set is singular. Exact
    /// elimination for each step: about |C|^3 operations.
    pub fn first_singular_block(&self, m: &Matrix) -> Option<usize> {
        let nonsingular = |step: &PivotStep| principal_minor(m, &step.clamped()) != 0;
        self.steps.iter().position(|step| !nonsingular(step))
    }

    /// The first step after which some row, the driven one excepted, has neither w_i = 0 nor
    /// z_i on a bound: Baraff's invariant f_i a_i = 0, and Lemke's almost complementarity.
    pub fn first_uncomplementary(&self, rows: &[Row<'_>]) -> Option<usize> {
        self.steps.iter().position(|step| {
            let holds = |i: usize| {
                let bounds = bounds(rows.get(i));
                Some(i) == step.driven()
                    || step.w[i] == 0
                    || bounds.iter().flatten().any(|b| step.z[i] == *b)
            };
            !(0..step.z.len()).all(holds)
        })
    }

    /// The first step after which a z is outside its bounds, or a w has the wrong sign for its
    /// bound. In a Dantzig run w counts from the drive on in which its row comes to rest.
    pub fn first_infeasible(&self, rows: &[Row<'_>]) -> Option<usize> {
        let mut waiting: Vec<bool> = rows
            .iter()
            .map(|row| *row != Row::Free && self.steps.iter().any(|s| s.driven().is_some()))
            .collect();
        let mut last = None;
        self.steps.iter().position(|step| {
            if let Some(settled) = last.filter(|&d| Some(d) != step.driven()) {
                waiting[settled] = false;
            }
            last = step.driven();
            let feasible = |i: usize| {
                let [lower, upper] = bounds(rows.get(i));
                let (z, w) = (&step.z[i], &step.w[i]);
                let on = |bound: &Option<Rational>| bound.as_ref() == Some(z);
                lower.as_ref().is_none_or(|l| z >= l)
                    && upper.as_ref().is_none_or(|u| z <= u)
                    && (waiting[i] || *w == 0 || *w > 0 && on(&lower) || *w < 0 && on(&upper))
            };
            !(0..step.z.len()).all(feasible)
        })
    }
}

fn bounds(row: Option<&Row<'_>>) -> [Option<Rational>; 2] {
    match row {
        Some(Row::Nonnegative) => [Some(Rational::new()), None],
        Some(Row::AtLeast(l)) => [Some(l.to_rational()), None],
        Some(Row::AtMost(u)) => [None, Some(u.to_rational())],
        Some(Row::Between(l, u)) => [Some(l.to_rational()), Some(u.to_rational())],
        _ => [None, None],
    }
}

/// det M_CC, by Gauss elimination in fractions: slow, plain, and no relative of the tableau.
pub(crate) fn principal_minor(m: &Matrix, set: &[usize]) -> Rational {
    let entry = |i, j| m.get(i, j).map_or_else(Rational::new, |v| v.to_rational());
    let mut rows: Vec<Vec<Rational>> = set
        .iter()
        .map(|&i| set.iter().map(|&j| entry(i, j)).collect())
        .collect();
    let mut determinant = Rational::from(Integer::from(1));
    for k in 0..rows.len() {
        // In fractions no pivot but 0 does harm, so the first will do.
        let Some(p) = (k..rows.len()).find(|&i| rows[i][k] != 0) else {
            return Rational::new();
        };
        if p != k {
            rows.swap(p, k);
            determinant = -determinant;
        }
        let (head, tail) = rows.split_at_mut(k + 1);
        let pivot = &head[k];
        determinant *= &pivot[k];
        for row in tail {
            let factor = Rational::from(&row[k] / &pivot[k]);
            for (value, above) in row.iter_mut().zip(pivot).skip(k) {
                *value -= Rational::from(&factor * above);
            }
        }
    }
    determinant
}
