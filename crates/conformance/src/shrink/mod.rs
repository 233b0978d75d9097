//! The smallest, simplest problem that a solver still gets wrong in the same way.
//!
//! Rows are taken away (principal subproblems; a normal row takes its friction rows along, and the rows of its
//! cone), bounds and friction made plain, cones and discs dropped, numbers replaced by simpler ones: zeros, small
//! integers, powers of two, fewer bits. Every candidate is put to the solver and judged exactly; it is taken if the fault is the same
//! and no milder by its grade, and with a wrong answer also if whether there is a solution at all is the same. A symmetric M stays symmetric. The
//! order of the candidates is fixed, so a solver that answers alike gets the same problem every time.

mod cost;
mod moves;

use std::fmt;
use std::time::Instant;

use etalon_certify::{check_p_matrix, check_symmetric_psd};
use etalon_lcp::{PMatrixProof, Problem, Unique};

use crate::examine::{Examination, Examiner, Fault};
use crate::generate::draft::Draft;
use crate::severity::Severity;
use crate::subject::{MAX_DENSE, Subject, is_too_large};

/// Up to this many rows, the truth of candidates is looked into.
const MAX_DECIDED: usize = 16;

/// The properties of the problem that every candidate must keep, beyond the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeptProperties {
    /// M is symmetric positive semidefinite.
    pub psd: bool,
    /// M is a P-matrix (looked into by all principal minors).
    pub p_matrix: bool,
    /// There is a solution.
    pub solvable: bool,
    /// There is exactly one.
    pub unique: bool,
}

/// How much a shrinking may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShrinkLimits {
    /// Questions to the solver.
    pub questions: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl ShrinkLimits {
    /// Whether the time is over.
    fn is_late(&self) -> bool {
        (self.deadline).is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Shrinks problems for one solver.
pub struct Shrinker<'a> {
    /// The solver.
    pub subject: &'a dyn Subject,
    /// How its answers are examined; candidates that it cannot do are none.
    pub examiner: &'a Examiner,
    /// The properties to keep.
    pub keep: KeptProperties,
    /// How long to go on.
    pub limits: ShrinkLimits,
}

/// A problem with the fault that it shows.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The problem.
    pub problem: Problem,
    /// The fault in the solver's answer to it.
    pub fault: Fault,
    /// The question that showed it. Asked again, a solver may answer otherwise.
    pub examination: Examination,
    /// How many questions it took.
    pub questions: u64,
    /// Whether nothing simpler was left to try; otherwise a limit ended it.
    pub finished: bool,
}

/// Why a problem cannot be shrunk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShrinkError {
    /// The solver gets it right.
    #[error("the solver gets the problem right, or gives up honestly: there is nothing to shrink")]
    NoFault,
    /// The data cannot be sent.
    #[error("the problem's data are not binary64 numbers")]
    ExactData,
    /// M is sparse, and too large to be made dense.
    #[error(
        "a sparse problem of more than {MAX_DENSE} rows is not made dense, as shrinking needs it"
    )]
    TooLarge,
    /// It is not what is to be kept.
    #[error("the problem itself is not {0}, so that cannot be kept")]
    NotKept(&'static str),
}

impl Shrunk {
    pub(crate) fn whole(problem: &Problem, fault: Fault, examination: Examination) -> Self {
        Self {
            problem: problem.clone(),
            fault,
            examination,
            questions: 0,
            finished: false,
        }
    }
}

impl KeptProperties {
    /// The words of a list.
    pub const WORDS: [&str; 5] = ["symmetric", "psd", "p", "solvable", "unique"];
}

impl std::str::FromStr for KeptProperties {
    type Err = String;

    /// A list of `symmetric`, `psd`, `p`, `solvable`, `unique`.
    fn from_str(list: &str) -> Result<Self, String> {
        let mut keep = Self::default();
        for word in list.split([',', ' ']).filter(|word| !word.is_empty()) {
            match word {
                // A symmetric M always stays so.
                "symmetric" => {}
                "psd" => keep.psd = true,
                "p" => keep.p_matrix = true,
                "solvable" => keep.solvable = true,
                "unique" => keep.unique = true,
                _ => {
                    return Err(format!(
                        "{word:?} cannot be kept; write symmetric, psd, p, solvable or unique"
                    ));
                }
            }
        }
        Ok(keep)
    }
}

impl fmt::Display for KeptProperties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (self.psd, "psd"),
            (self.p_matrix, "p"),
            (self.solvable, "solvable"),
            (self.unique, "unique"),
        ];
        let words: Vec<_> = words.iter().filter(|(kept, _)| *kept).collect();
        if words.is_empty() {
            return f.write_str("symmetric");
        }
        let words: Vec<_> = words.into_iter().map(|(_, word)| *word).collect();
        f.write_str(&words.join(","))
    }
}

/// The search for one problem.
struct Search<'a> {
    shrinker: &'a Shrinker<'a>,
    name: String,
    fault: Fault,
    /// That of the fault that it begins with.
    severity: Severity,
    /// For a wrong answer: whether there is a solution.
    solvable: Option<bool>,
    best: Draft,
    /// The examination that showed the fault of the best.
    shown: Examination,
    questions: u64,
}

impl Shrinker<'_> {
    /// Shrinks a problem.
    ///
    /// # Errors
    /// [`ShrinkError`].
    pub fn shrink(&self, problem: &Problem) -> Result<Shrunk, ShrinkError> {
        self.shrink_from(problem, self.examine(problem))
    }

    /// Shrinks a problem that was examined.
    ///
    /// # Errors
    /// [`ShrinkError`].
    pub fn shrink_from(
        &self,
        problem: &Problem,
        shown: Examination,
    ) -> Result<Shrunk, ShrinkError> {
        if is_too_large(problem) {
            return Err(ShrinkError::TooLarge);
        }
        let draft = Draft::of(problem).ok_or(ShrinkError::ExactData)?;
        let fault = shown.fault.ok_or(ShrinkError::NoFault)?;
        self.check_kept(problem)?;
        if self.limits.questions == 0 {
            return Ok(Shrunk::whole(problem, fault, shown));
        }
        let decides = fault == Fault::Wrong && problem.n() <= MAX_DECIDED;
        let mut search = Search {
            shrinker: self,
            name: format!("{} (shrunk)", problem.name()),
            fault,
            severity: Severity::of_examination(&shown),
            solvable: decides
                .then(|| self.examiner.is_solvable(problem))
                .flatten(),
            best: draft,
            shown,
            questions: 1,
        };
        search.run();
        // Remarks and bounds that say nothing fall away even where no candidate was better.
        let small = search.best.clone().into_problem(search.name.clone());
        let small = small.map_err(|_| ShrinkError::ExactData)?;
        Ok(Shrunk {
            problem: small,
            fault,
            questions: search.questions,
            finished: !search.is_over(),
            examination: search.shown,
        })
    }

    fn examine(&self, problem: &Problem) -> Examination {
        self.examiner.examine(self.subject, problem)
    }

    fn check_kept(&self, problem: &Problem) -> Result<(), ShrinkError> {
        self.missing(problem)
            .map_or(Ok(()), |what| Err(ShrinkError::NotKept(what)))
    }

    /// What of that which is to be kept the problem is not.
    fn missing(&self, problem: &Problem) -> Option<&'static str> {
        let keep = self.keep;
        let m = problem.m();
        if keep.psd && check_symmetric_psd(m).is_err() {
            return Some("symmetric positive semidefinite");
        }
        let minors = PMatrixProof::PrincipalMinors;
        if keep.p_matrix
            && check_p_matrix(m, &PMatrixProof::PositiveDefinite).is_err()
            && check_p_matrix(m, &minors).is_err()
        {
            return Some("proved to be a P-matrix");
        }
        if keep.solvable || keep.unique {
            let status = self.examiner.truth(problem).status();
            if status.solvable != Some(true) {
                return Some("solvable");
            }
            if keep.unique && status.unique != Some(Unique::Z) {
                return Some("uniquely solvable");
            }
        }
        None
    }
}

impl Search<'_> {
    fn run(&mut self) {
        loop {
            let before = cost::of(&self.best);
            self.drop_rows();
            for candidate in moves::whole(&self.best) {
                self.offer(candidate);
            }
            self.simplify_numbers();
            if self.is_over() || cost::of(&self.best) >= before {
                return;
            }
        }
    }

    /// Rows in blocks of half of them, a quarter, ..., one.
    fn drop_rows(&mut self) {
        // Half of the rows first, as in delta debugging (Zeller and Hildebrandt 2002): most rows of
        // a large problem have nothing to do with the fault.
        let mut block = self.best.q.len() / 2;
        while block > 0 {
            let mut from = 0;
            while from < self.best.q.len() && self.best.q.len() > 1 {
                let candidate = moves::without_rows(&self.best, from, block);
                if !candidate.is_some_and(|candidate| self.offer(candidate)) {
                    from += block;
                }
                if self.is_over() {
                    return;
                }
            }
            block /= 2;
        }
    }

    fn simplify_numbers(&mut self) {
        for entry in moves::entries(&self.best) {
            let value = entry.get(&self.best);
            for simpler in cost::simpler(value) {
                let mut candidate = self.best.clone();
                entry.set(&mut candidate, simpler);
                // The simplest come first.
                if self.offer(candidate) || self.is_over() {
                    break;
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        let limits = &self.shrinker.limits;
        self.questions >= limits.questions || limits.is_late()
    }

    /// Takes the candidate if it is simpler and just as wrong.
    fn offer(&mut self, candidate: Draft) -> bool {
        // The cost falls with each candidate taken, and it is a natural number: the search ends,
        // and it never goes in a circle.
        if self.is_over() || cost::of(&candidate) >= cost::of(&self.best) {
            return false;
        }
        // A contact problem stays one: of others a solver made for it need not know anything.
        if candidate.cones.is_empty() && !self.best.cones.is_empty() {
            return false;
        }
        let Ok(problem) = candidate.clone().into_problem(self.name.clone()) else {
            return false;
        };
        if self.shrinker.examiner.can.lacks(&problem).is_some() {
            return false;
        }
        self.questions += 1;
        let Some(shown) = self.as_wrong(&problem) else {
            return false;
        };
        // What the deadline overtook may be cut short by it, and shows nothing.
        if self.shrinker.limits.is_late() {
            return false;
        }
        self.best = candidate;
        self.shown = shown;
        true
    }

    /// What shows the same fault, where the problem is as it must be.
    fn as_wrong(&self, problem: &Problem) -> Option<Examination> {
        let shrinker = self.shrinker;
        let shown = shrinker.examine(problem);
        // Another fault may be another mistake of the solver, and the smallest problem would show
        // that one.
        if shown.fault != Some(self.fault) {
            return None;
        }
        // Beside a gross error one in the last digits is another mistake, too, and often simpler to come by. A worse one will do.
        if Severity::of_examination(&shown) > self.severity {
            return None;
        }
        // A wrong answer to a problem with solutions and one to a problem without are two mistakes,
        // too.
        if let Some(solvable) = self.solvable
            && shrinker.examiner.is_solvable(problem) != Some(solvable)
        {
            return None;
        }
        shrinker.missing(problem).is_none().then_some(shown)
    }
}

#[cfg(test)]
mod tests;
