//! What the kernel says of a record, in the words of `etalon-verified`, the checker that is extracted from proofs in
//! Coq (`docs/machine-checked.md`).

use etalon_certify::prove;
use etalon_lcp::{Expect, Problem, Status, Unique};

/// The line that `etalon-verified` prints of a record: `holds solvable|unsolvable|unknown z|w|-`, or `refused` and why.
/// Beside the solutions and the certificate it holds the error of an answer against the stated one where the
/// record is perturbed. An answer of another status may be moved onto its bounds before it is measured, which
/// no proof is about, and friction cones are beyond that checker.
///
/// ```
/// let line = r#"{"name": "p", "M": [[2]], "q": [-3], "expect": {"status": "solvable", "solutions": [["3/2"]]}}"#;
/// let problem = etalon_lcp::record::read_problem(line)?.record;
/// assert_eq!(etalon_golden::kernel_line(&problem), "holds solvable -");
/// # Ok::<(), etalon_lcp::record::RecordError>(())
/// ```
pub fn kernel_line(problem: &Problem) -> String {
    if !problem.cones().is_empty() {
        return "refused friction cones are not covered".to_owned();
    }
    let Some(expect) = &problem.expect else {
        return "refused there is no expect, so nothing to prove".to_owned();
    };
    let is_perturbed = expect.status == Status::Perturbed;
    let answer = expect.answer.clone().filter(|_| is_perturbed);
    let proved = prove(
        problem,
        &Expect {
            answer,
            ..expect.clone()
        },
    );
    let status = match proved {
        Ok(truth) => truth.status(),
        Err(why) => return format!("refused {why}"),
    };
    let solvable = match status.solvable {
        Some(true) => "solvable",
        Some(false) => "unsolvable",
        None => "unknown",
    };
    let unique = match status.unique {
        Some(Unique::Z) => "z",
        Some(Unique::W) => "w",
        None => "-",
    };
    format!("holds {solvable} {unique}")
}
