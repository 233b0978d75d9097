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
    /// It got that wrong, or did not answer.
    FailedOnABox,
}

/// What a solver is asked where nobody says what it can do: what it offers itself, else any M, problems
/// without a solution, and bounds if it solves the box M = (1), q = (-2), 0 <= z <= 1, whose only solution
/// is z = 1.
///
/// # Errors
/// [`FailureKind::NotStarted`], with which there is nobody to ask.
pub fn probe(subject: &dyn Subject) -> Result<Probed, SubjectFailure> {
    let boxes = solves_the_box(subject)?;
    if let Some(can) = subject.offers() {
        let how = Known::Offered;
        return Ok(Probed { can, how });
    }
    let can = Capabilities {
        boxes,
        ..Capabilities::default()
    };
    let how = if boxes {
        Known::SolvedABox
    } else {
        Known::FailedOnABox
    };
    Ok(Probed { can, how })
}

/// Whether its answer to the box is accepted.
fn solves_the_box(subject: &dyn Subject) -> Result<bool, SubjectFailure> {
    let Ok(problem) = read_problem(BOX).map(|read| read.record) else {
        return Ok(false);
    };
    match subject.ask(&problem) {
        Err(failure) if failure.kind == FailureKind::NotStarted => Err(failure),
        Err(_) => Ok(false),
        Ok(claim) => Ok(Judge::default().verdict(&problem, &claim).accepted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Function;

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
