//! How the integers of exact pivoting grow.

use etalon_exact::{Budget, Lemke};
use etalon_lcp::{Problem, Reduction};

/// A run of lexicographic Lemke on one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitRun {
    /// The family of the problem.
    pub suite: String,
    /// Its rows.
    pub n: u64,
    /// The bits of the tableau's common denominator after each pivot.
    pub bits: Vec<u32>,
}

impl BitRun {
    /// Runs the method; `None` where it makes no pivot or its budget ends.
    pub fn of(suite: &str, problem: &Problem, budget: &Budget) -> Option<Self> {
        let reduction = Reduction::new(problem);
        let lemke = Lemke {
            budget: budget.clone(),
            ..Lemke::default()
        };
        let run = lemke.solve(reduction.mixed()).ok()?;
        let ended = !matches!(run.outcome, etalon_exact::LemkeOutcome::Exhausted(_));
        (ended && !run.bits.is_empty()).then(|| Self {
            suite: suite.to_owned(),
            n: problem.n() as u64,
            bits: run.bits,
        })
    }

    /// The most bits of a number on the way.
    pub fn most(&self) -> u32 {
        self.bits.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_with_the_rows_by_about_the_bits_of_the_data() {
        let run = |n| {
            let problem = etalon_conformance::generate("pd", n, 1, 1).unwrap().next();
            BitRun::of("pd", &problem.unwrap(), &Budget::default()).unwrap()
        };
        let (small, large) = (run(4), run(16));
        assert_eq!(small.bits.len(), small.bits.len().max(2));
        // The denominator is a minor of some rows of integers of 53 bits and more.
        assert!(small.most() >= 53 && large.most() > 2 * small.most());
    }
}
