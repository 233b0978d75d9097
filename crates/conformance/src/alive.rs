//! Whether a solver answers at all: one that fails on everything in the same way is not asked everything.

use etalon_lcp::Problem;
use etalon_lcp::record::read_problem;

use crate::failure::{FailureKind, SubjectFailure};
use crate::subject::Subject;

/// So many questions are asked first. One failure may be the problem's own, and two may be chance; a solver that has a
/// third one of the same kind in a row, and no answer, would be asked thousands in vain.
pub const FIRST: usize = 3;

/// The failure of all [`FIRST`] questions, where it is of one kind; `None` stands for an answer.
pub fn always_the_same<'a>(
    failures: impl IntoIterator<Item = Option<&'a SubjectFailure>>,
) -> Option<&'a SubjectFailure> {
    let failures = failures
        .into_iter()
        .collect::<Option<Vec<&SubjectFailure>>>()?;
    let first = *failures.first().filter(|_| failures.len() == FIRST)?;
    // These are answers, of which the next one may be right.
    let answered = matches!(
        first.kind,
        FailureKind::NotSent | FailureKind::WrongLength | FailureKind::NotFinite
    );
    let same = failures.iter().all(|failure| failure.kind == first.kind);
    (same && !answered).then_some(first)
}

/// Why there is nobody to ask: the solver cannot start, or it failed on its first [`FIRST`] problems in the same way: those of
/// which it is known, and then these. Asking ends at the first answer.
pub fn nobody_answers(
    subject: &dyn Subject,
    known: Option<SubjectFailure>,
    problems: impl IntoIterator<Item = Problem>,
) -> Option<SubjectFailure> {
    let asked = problems
        .into_iter()
        .map(|problem| subject.ask(&problem).err());
    let mut failures = Vec::new();
    for failure in known.map(Some).into_iter().chain(asked).take(FIRST) {
        let failure = failure?;
        if failure.kind == FailureKind::NotStarted {
            return Some(failure);
        }
        failures.push(failure);
    }
    always_the_same(failures.iter().map(Some)).cloned()
}

/// Two problems of the same kind that every solver can do: of one row, or of one contact under the same law where there are
/// friction cones. A solver that fails on this problem and on them in the same way fails on everything.
pub fn easy_ones(problem: &Problem) -> Vec<Problem> {
    // With and without a force; the solutions are (1, 0, 0) and 0.
    let easy = [-1, 1].map(|q| {
        let name = format!("etalon-easy{q}");
        match problem.cones().first() {
            None => format!(r#"{{"name":"{name}","M":[[1]],"q":[{q}]}}"#),
            Some(cone) => format!(
                r#"{{"name":"{name}","M":[[1,0,0],[0,1,0],[0,0,1]],"q":[{q},0,0],"cones":[{{"rows":[0,1,2],"mu":0.5,"law":"{}"}}]}}"#,
                cone.law.word()
            ),
        }
    });
    let read = easy.iter().filter_map(|record| read_problem(record).ok());
    read.map(|read| read.record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easy_problems_are_read_and_of_the_same_kind() {
        for record in [
            r#"{"name":"p","M":[[1,0],[0,1]],"q":[1,1]}"#,
            r#"{"name":"p","M":[[1,0],[0,1]],"q":[1,1],"cones":[{"rows":[0,1],"mu":1}]}"#,
            r#"{"name":"p","M":[[1,0],[0,1]],"q":[1,1],"cones":[{"rows":[0,1],"mu":1,"law":"convex"}]}"#,
        ] {
            let problem = read_problem(record).unwrap().record;
            let problems = easy_ones(&problem);
            assert_eq!(problems.len() + 1, FIRST);
            let law = |problem: &Problem| problem.cones().first().map(|cone| cone.law);
            for easy in &problems {
                assert!(easy.is_binary64());
                assert_eq!(law(easy), law(&problem), "{}", easy.name());
            }
        }
    }

    #[test]
    fn only_failures_of_one_kind_and_no_answers_end_the_asking() {
        let failure = |kind| SubjectFailure::new(kind, "so");
        let (dead, other) = (failure(FailureKind::Exited), failure(FailureKind::Crashed));
        let short = failure(FailureKind::WrongLength);
        let same = |failures: [Option<&SubjectFailure>; 3]| always_the_same(failures).is_some();
        assert!(same([Some(&dead); 3]));
        assert!(!same([Some(&dead), Some(&dead), Some(&other)]));
        assert!(!same([Some(&dead), None, Some(&dead)]));
        assert!(!same([Some(&short); 3]));
        assert!(always_the_same([Some(&dead); 2]).is_none());
    }
}
