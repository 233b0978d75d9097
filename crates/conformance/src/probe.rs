//! What a solver can do, found out by asking it, so that none is accused of what it never claimed to do.

use etalon_judge::Judge;
use etalon_lcp::record::read_problem;

use crate::capability::Capabilities;
use crate::failure::{FailureKind, SubjectFailure};
use crate::subject::Subject;

/// The box that a solver is asked; its only solution is z = 1.
const BOX: &str = r#"{"name":"etalon-probe","M":[[1.0]],"q":[-2.0],"lower":[0.0],"upper":[1.0]}"#;

/// What a solver can do, as far as that was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// What it is to be asked.
    pub can: Capabilities,
    /// How that is known.
    pub how: Known,
}

/// How it is known what a solver can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It says so itself ([`Subject::offers`]).
    Offered,
    /// It got a box right: M = (1), q = (-2), 0 <= z <= 1.
    SolvedABox,
    /// It got that wrong, or its answer is no claim.
    FailedOnABox,
    /// It did not answer that in time, its start included: what it can do is not known.
    SilentOnABox,
}

/// What a solver is asked where nobody says what it can do: what it offers itself, else any M, problems
/// without a solution, and bounds if it solves the box M = (1), q = (-2), 0 <= z <= 1, whose only solution
/// is z = 1.
///
/// # Errors
/// [`FailureKind::NotStarted`], with which there is nobody to ask.
pub fn probe(subject: &dyn Subject) -> Result<Probed, SubjectFailure> {
    let how = answer_to_the_box(subject)?;
    if let Some(can) = subject.offers() {
        let how = Known::Offered;
        return Ok(Probed { can, how });
    }
    let can = Capabilities {
        boxes: how == Known::SolvedABox,
        ..Capabilities::default()
    };
    Ok(Probed { can, how })
}

/// What came of the box.
fn answer_to_the_box(subject: &dyn Subject) -> Result<Known, SubjectFailure> {
    let Ok(problem) = read_problem(BOX).map(|read| read.record) else {
        return Ok(Known::FailedOnABox);
    };
    match subject.ask(&problem) {
        Err(failure) if failure.kind == FailureKind::NotStarted => Err(failure),
        Err(failure) if failure.kind.is_silence() => Ok(Known::SilentOnABox),
        Ok(claim) if Judge::default().verdict(&problem, &claim).accepted => Ok(Known::SolvedABox),
        Ok(_) | Err(_) => Ok(Known::FailedOnABox),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Function;
    use etalon_lcp::{Claim, Problem};

    /// Who never answers in time.
    struct Silent;

    impl Subject for Silent {
        fn name(&self) -> &'static str {
            "silent"
        }

        fn ask(&self, _: &Problem) -> Result<Claim, SubjectFailure> {
            Err(SubjectFailure::new(FailureKind::Hung, "no answer"))
        }
    }

    #[test]
    fn who_is_silent_is_not_said_to_be_wrong() {
        let found = probe(&Silent).unwrap();
        assert_eq!(found.how, Known::SilentOnABox);
        assert!(!found.can.boxes && found.can.unsolvable);
    }

    #[test]
    fn a_solver_that_ignores_bounds_is_sent_none() {
        let ignores = |_: &[Vec<f64>], q: &[f64]| Some(vec![-q[0]]);
        let found = probe(&Function::new("ignores", ignores)).unwrap();
        assert_eq!(found.how, Known::FailedOnABox);
        assert!(!found.can.boxes && found.can.unsolvable);
        let right = crate::InProcess(
            etalon_exact::ExactMethod::Lemke.solver(&etalon_exact::Budget::default()),
        );
        let found = probe(&right).unwrap();
        assert_eq!(found.how, Known::SolvedABox);
        assert_eq!(found.can, Capabilities::default());
    }
}
