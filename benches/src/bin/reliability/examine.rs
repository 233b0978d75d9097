//! Solving and judging.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use etalon_certify::{Measure, Tolerance, Truth, check_claim};
use etalon_conformance::{Family, GenerateError, generate};
use etalon_exact::{Budget, Certified};
use etalon_fast::FastMethod;
use etalon_lcp::record::{write_claim, write_problem};
use etalon_lcp::{Claim, ClaimedAnswer, Problem, Solver, Verdict, VerdictKind};
use rug::Rational;

use super::plan::Job;

/// Above this the certified route is not asked: on the exponential families and on those without a
/// solution it would fall back on exact methods that take a power of n.
const MAX_CERTIFIED: usize = 40;

/// Pivots of the exact methods behind the certified route, where the proposal is of no use.
const BUDGET: u64 = 3_000;

/// What became of the problems of one job.
pub struct Tally {
    /// Their family.
    pub family: &'static Family,
    /// What they are said to be.
    pub tags: Vec<String>,
    /// How many.
    pub problems: u64,
    /// By method, as [`FastMethod::ALL`].
    pub fast: [Count; 4],
    /// Of the certified route.
    pub certified: Count,
    /// Answers that are wrong.
    pub wrong: Vec<Finding>,
    /// What else is worth a look: answers of a neighbour, and failures of the first method where
    /// there is a solution.
    pub remarks: Vec<String>,
}

/// Answers counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    /// Problems asked.
    pub asked: u64,
    /// Solved, and the answer stands.
    pub solved: u64,
    /// Of those, on problems that provably have no solution: the answer is that of a neighbour.
    pub perturbed: u64,
    /// Proved to have no solution.
    pub proved: u64,
    /// Gave up.
    pub failed: u64,
    /// Wrong.
    pub wrong: u64,
    /// The largest backward error of a solved one, in parts of what is promised.
    pub worst: f64,
}

impl Count {
    /// Both.
    pub fn and(self, other: Self) -> Self {
        Self {
            asked: self.asked + other.asked,
            solved: self.solved + other.solved,
            perturbed: self.perturbed + other.perturbed,
            proved: self.proved + other.proved,
            failed: self.failed + other.failed,
            wrong: self.wrong + other.wrong,
            worst: self.worst.max(other.worst),
        }
    }
}

/// A wrong answer.
pub struct Finding {
    problem: Problem,
    claim: Claim,
    verdict: Verdict,
}

impl Finding {
    /// Writes the problem, and the claim beside it.
    pub fn save(&self, folder: &Path) -> io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        let method = self.claim.method.as_deref().unwrap_or("unknown");
        let name = format!("{}-{method}", self.problem.name()).replace('/', "-");
        let path = folder.join(format!("{name}.json"));
        std::fs::write(&path, write_problem(&self.problem) + "\n")?;
        let claim = folder.join(format!("{name}-claim.json"));
        std::fs::write(claim, write_claim(&self.claim) + "\n")?;
        Ok(path)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = self.claim.method.as_deref().unwrap_or("unknown");
        let reason = self.verdict.reason.as_deref().unwrap_or("no reason given");
        let (name, kind) = (self.problem.name(), self.verdict.kind.word());
        write!(f, "{name} by {method}: {kind}, {reason}")
    }
}

/// Solves the problems of a job, every `certified`-th by the certified route too.
pub fn examine(
    job: &Job,
    seed: u64,
    certified: u64,
    done: impl Fn(),
) -> Result<Tally, GenerateError> {
    let mut tally = Tally {
        family: job.family,
        tags: Vec::new(),
        problems: job.count,
        fast: [Count::default(); 4],
        certified: Count::default(),
        wrong: Vec::new(),
        remarks: Vec::new(),
    };
    let budget = Budget {
        pivots: BUDGET,
        ..Budget::default()
    };
    let reference = Certified::new(FastMethod::Auto.solver(), budget);
    let solvers = FastMethod::ALL.map(FastMethod::solver);
    let problems = generate(job.family.name, job.n, job.count, seed)?;
    for (k, problem) in problems.enumerate() {
        let tolerance = promised(&problem);
        for (solver, count) in solvers.iter().zip(&mut tally.fast) {
            let ask = Ask {
                problem: &problem,
                family: job.family,
                tolerance: &tolerance,
            };
            let before = *count;
            tally.wrong.extend(ask.count(solver.as_ref(), count));
            if let Some(remark) = remark(job.family, before, *count, solver.name()) {
                tally.remarks.push(format!("{} {remark}", problem.name()));
            }
        }
        if certified > 0 && (k as u64).is_multiple_of(certified) && job.n <= MAX_CERTIFIED {
            let tolerance = Tolerance {
                tol: Rational::new(),
                snap: Rational::new(),
                measure: Measure::Componentwise,
            };
            let ask = Ask {
                problem: &problem,
                family: job.family,
                tolerance: &tolerance,
            };
            tally
                .wrong
                .extend(ask.count(&reference, &mut tally.certified));
        }
        if k == 0 {
            tally.tags.clone_from(&problem.remarks.tags);
        }
        done();
    }
    Ok(tally)
}

fn remark(family: &Family, before: Count, after: Count, solver: &str) -> Option<String> {
    if after.perturbed > before.perturbed {
        return Some(format!("has no solution; {solver} solved a neighbour"));
    }
    let fails = after.failed > before.failed && solver == FastMethod::Auto.name();
    let solvable = family.theory.solvable() == Some(true);
    (fails && solvable).then(|| format!("has a solution; {solver} failed"))
}

/// What the fast solvers promise: a backward error of (4 n + 16) 2^-53, for sparse problems with
/// 64 in place of a smaller n. A friction row's bound mu z_j is no binary64 number as a rule: next
/// to it is on it.
fn promised(problem: &Problem) -> Tolerance {
    let promise = Rational::from((4 * problem.n().max(64) as u64 + 16, 1u64 << 53));
    let snap = match problem.friction() {
        [] => Rational::new(),
        _ => Tolerance::default().snap,
    };
    Tolerance {
        tol: promise,
        snap,
        measure: Measure::Componentwise,
    }
}

struct Ask<'a> {
    problem: &'a Problem,
    family: &'a Family,
    tolerance: &'a Tolerance,
}

impl Ask<'_> {
    fn count(&self, solver: &dyn Solver, count: &mut Count) -> Option<Finding> {
        let claim = solver.solve(self.problem);
        count.asked += 1;
        if claim.answer == ClaimedAnswer::Failed {
            count.failed += 1;
            return None;
        }
        let verdict = check_claim(self.problem, &claim, &Truth::default(), self.tolerance);
        match verdict.kind {
            VerdictKind::Exact | VerdictKind::Accepted => {
                count.solved += 1;
                count.perturbed += u64::from(self.family.theory.solvable() == Some(false));
                let measures = verdict.measures.as_ref();
                let error = measures.map_or(0.0, |m| m.backward_error.to_f64());
                if self.tolerance.tol > 0 {
                    count.worst = count.worst.max(error / self.tolerance.tol.to_f64());
                }
                None
            }
            VerdictKind::Proved => {
                count.proved += 1;
                None
            }
            _ => {
                count.wrong += 1;
                Some(Finding {
                    problem: self.problem.clone(),
                    claim,
                    verdict,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::Number;

    use super::*;

    fn job(name: &str, n: usize, count: u64) -> Job {
        let families = etalon_conformance::families();
        let family = families.iter().find(|family| family.name == name).unwrap();
        Job { family, n, count }
    }

    #[test]
    fn every_answer_is_counted_once() {
        for name in ["pd", "wall", "friction-four", "psd-infeasible"] {
            let tally = examine(&job(name, 12, 6), 1, 3, || ()).unwrap();
            for count in tally.fast {
                assert_eq!(count.asked, 6);
                assert_eq!(count.solved + count.failed, 6);
            }
            assert_eq!(tally.certified.asked, 2);
            assert_eq!(tally.certified.solved + tally.certified.proved, 2);
            assert!(tally.wrong.is_empty());
        }
    }

    #[test]
    fn failures_are_remarked_where_there_is_a_solution() {
        // Lemke's path from a covering vector of ones does not lead to equilibria of games.
        let games = examine(&job("bimatrix", 12, 6), 1, 0, || ()).unwrap();
        assert_eq!(games.remarks.len() as u64, games.fast[0].failed);
        assert!(games.remarks.iter().all(|remark| remark.contains("failed")));
        let none = examine(&job("psd-infeasible", 12, 6), 1, 0, || ()).unwrap();
        assert_eq!((none.fast[0].failed, none.remarks.len()), (6, 0));
    }

    /// Says that nothing pushes.
    struct Liar;

    impl Solver for Liar {
        fn name(&self) -> &str {
            "liar"
        }

        fn solve(&self, problem: &Problem) -> Claim {
            let z = vec![Number::from(0); problem.n()];
            Claim::new(problem.name(), ClaimedAnswer::Solved { z })
        }
    }

    #[test]
    fn a_wrong_answer_is_found_and_saved_with_its_problem() {
        let problem = generate("wall", 8, 1, 1).unwrap().next().unwrap();
        let tolerance = promised(&problem);
        let ask = Ask {
            problem: &problem,
            family: job("wall", 8, 1).family,
            tolerance: &tolerance,
        };
        let mut count = Count::default();
        let finding = ask.count(&Liar, &mut count).unwrap();
        assert_eq!((count.asked, count.solved, count.wrong), (1, 0, 1));
        let folder = std::env::temp_dir().join(format!("etalon-finding-{}", std::process::id()));
        let path = finding.save(&folder).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = etalon_lcp::record::read_problem(&text).unwrap().record;
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read, problem);
    }
}
