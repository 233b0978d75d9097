//! The subject, the solver under test: a process, a solver of this program, or a function.

use std::panic::{AssertUnwindSafe, catch_unwind};

use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Solver};

use crate::capability::Capabilities;
use crate::failure::{FailureKind, SubjectFailure};

/// The largest sparse problem that is made dense, for solvers that take M as rows: at 5000
/// rows M is 200 MB of doubles, and at least some 60 MB of text.
pub const MAX_DENSE: usize = 5_000;

/// Whether M is sparse, and too large to be written out with its zeros.
pub fn is_too_large(problem: &Problem) -> bool {
    problem.m().is_sparse() && problem.n() > MAX_DENSE
}

/// A solver under judgement. What makes it differ from a [`Solver`] is that no answer is an error with
/// a name.
pub trait Subject: Sync {
    /// The solver's name or command.
    fn name(&self) -> &str;

    /// Asks one problem. Giving up is an answer: a claim of `failed`.
    ///
    /// # Errors
    /// [`SubjectFailure`] where there is no claim.
    fn ask(&self, problem: &Problem) -> Result<Claim, SubjectFailure>;

    /// What the solver says of itself that it can do, where it has said so by now.
    fn offers(&self) -> Option<Capabilities> {
        None
    }
}

/// Asks one problem, and again where no answer came in time: a busy machine is to make no solver
/// guilty.
///
/// # Errors
/// As [`Subject::ask`].
pub fn ask_again_if_hung(
    subject: &dyn Subject,
    problem: &Problem,
) -> Result<Claim, SubjectFailure> {
    match subject.ask(problem) {
        Err(failure) if failure.kind.is_silence() => subject.ask(problem),
        answer => answer,
    }
}

/// A solver of this program as a [`Subject`]: a panic is a failure. One that hangs cannot be stopped;
/// a process can.
#[derive(Debug, Clone, Copy)]
pub struct InProcess<S>(pub S);

impl<S: Solver + Sync> Subject for InProcess<S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn ask(&self, problem: &Problem) -> Result<Claim, SubjectFailure> {
        guarded(|| self.0.solve(problem)).and_then(|claim| of_right_length(problem, claim))
    }
}

/// A function of M (n rows of n numbers) and q as a [`Subject`] for pure problems: it returns z, or
/// `None` where it gives up.
#[derive(Debug, Clone)]
pub struct Function<F> {
    name: String,
    solve: F,
}

impl<F: Fn(&[Vec<f64>], &[f64]) -> Option<Vec<f64>> + Sync> Function<F> {
    /// The function under a name.
    pub fn new(name: impl Into<String>, solve: F) -> Self {
        Self {
            name: name.into(),
            solve,
        }
    }
}

impl<F: Fn(&[Vec<f64>], &[f64]) -> Option<Vec<f64>> + Sync> Subject for Function<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, problem: &Problem) -> Result<Claim, SubjectFailure> {
        if !problem.is_pure() {
            let why = "the function takes M and q only";
            return Ok(Claim::failed(problem.name(), why));
        }
        if is_too_large(problem) {
            let why = format!("a sparse M of more than {MAX_DENSE} rows is not made dense");
            return Ok(Claim::failed(problem.name(), why));
        }
        let (m, q) = dense(problem);
        let Some(z) = guarded(|| (self.solve)(&m, &q))? else {
            return Ok(Claim::failed(problem.name(), "the solver gave up"));
        };
        let z = z.into_iter().enumerate().map(|(i, value)| {
            Number::from_f64(value).ok_or_else(|| {
                let message = format!("z[{i}] is {value}, no finite number");
                SubjectFailure::new(FailureKind::NotFinite, message)
            })
        });
        let z = z.collect::<Result<_, _>>()?;
        let claim = Claim::new(problem.name(), ClaimedAnswer::Solved { z });
        of_right_length(problem, claim)
    }
}

/// M as rows and q, in binary64.
fn dense(problem: &Problem) -> (Vec<Vec<f64>>, Vec<f64>) {
    let n = problem.n();
    let mut m = vec![vec![0.0; n]; n];
    for (i, row) in m.iter_mut().enumerate() {
        for (j, value) in problem.m().stored_row(i) {
            row[j] = value.to_f64();
        }
    }
    (m, problem.q().iter().map(Number::to_f64).collect())
}

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, SubjectFailure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let message = format!("the solver panicked: {}", text.unwrap_or("without a word"));
        SubjectFailure::new(FailureKind::Panicked, message)
    })
}

/// The claim, unless its z has another length than the problem has rows.
pub(crate) fn of_right_length(problem: &Problem, claim: Claim) -> Result<Claim, SubjectFailure> {
    if let ClaimedAnswer::Solved { z } = &claim.answer
        && z.len() != problem.n()
    {
        let (length, n) = (z.len(), problem.n());
        let message = format!("z has {length} entries, but the problem has {n} rows");
        return Err(SubjectFailure::new(FailureKind::WrongLength, message));
    }
    Ok(claim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{CommandLine, Limits, Process};
    use crate::{Examiner, KeptProperties, ShrinkError, ShrinkLimits, Shrinker};
    use etalon_lcp::record::read_problem;

    fn problem() -> Problem {
        let record = r#"{"name": "p", "M": [[2]], "q": [-1]}"#;
        read_problem(record).unwrap().record
    }

    fn kind(solve: impl Fn(&[Vec<f64>], &[f64]) -> Option<Vec<f64>> + Sync) -> FailureKind {
        let subject = Function::new("f", solve);
        subject.ask(&problem()).unwrap_err().kind
    }

    #[test]
    fn what_is_no_answer_has_its_name() {
        assert_eq!(kind(|_, _| Some(vec![f64::NAN])), FailureKind::NotFinite);
        assert_eq!(kind(|_, _| Some(vec![])), FailureKind::WrongLength);
        assert_eq!(kind(|_, _| panic!("no")), FailureKind::Panicked);
        let halves = Function::new("f", |m, q| Some(vec![-q[0] / m[0][0]]));
        let claim = halves.ask(&problem()).unwrap();
        let half = Number::from_f64(0.5).unwrap();
        assert_eq!(claim.answer, ClaimedAnswer::Solved { z: vec![half] });
        let silent = Function::new("f", |_, _| None).ask(&problem()).unwrap();
        assert_eq!(silent.answer, ClaimedAnswer::Failed);
    }

    #[test]
    fn a_large_sparse_matrix_is_not_made_dense() {
        // In doubles it would take 800 GB.
        let n = 316_000;
        let q = vec!["1"; n].join(",");
        let record =
            format!(r#"{{"name":"large","M":{{"shape":[{n},{n}],"entries":[]}},"q":[{q}]}}"#);
        let large = read_problem(&record).unwrap().record;
        let claim = Function::new("f", |_, q| Some(vec![0.0; q.len()])).ask(&large);
        assert_eq!(claim.unwrap().answer, ClaimedAnswer::Failed);
        let process = Process::new(CommandLine::parse("cat").unwrap(), Limits::default());
        assert_eq!(process.ask(&large).unwrap_err().kind, FailureKind::NotSent);
        let examiner = Examiner::default();
        let shrinker = Shrinker {
            subject: &process,
            examiner: &examiner,
            keep: KeptProperties::default(),
            limits: ShrinkLimits {
                questions: 1,
                deadline: None,
            },
        };
        assert_eq!(shrinker.shrink(&large).unwrap_err(), ShrinkError::TooLarge);
    }

    #[test]
    fn no_two_failures_share_a_word() {
        let mut words: Vec<_> = FailureKind::ALL.iter().map(|kind| kind.word()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), FailureKind::ALL.len());
    }
}
