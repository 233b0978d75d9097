//! Deliberately wrong solvers, run over the golden problems: the judge must accept nothing of
//! theirs that is wrong, and catch every one of them.

use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_exact::{Budget, decide};
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Matrix, Number, Problem, Reduction, VerdictKind,
};
use etalon_tests::{goldens, twin};
use rug::Rational;

/// A right answer and the problem it belongs to, from which a fault makes a wrong claim.
struct Right<'a> {
    problem: &'a Problem,
    /// An exact solution, where there is one.
    z: Option<Vec<Rational>>,
}

type Fault = fn(&Right<'_>) -> Option<ClaimedAnswer>;

/// Each fault by name. `None` where the fault has nothing to work on.
const FAULTS: &[(&str, Fault)] = &[
    ("zero", |right| {
        solved(vec![Rational::new(); right.problem.n()])
    }),
    ("sign flipped", |right| {
        solved(right.z.clone()?.into_iter().map(|v| -v).collect())
    }),
    ("one entry too large by a millionth", |right| {
        let mut z = right.z.clone()?;
        *z.iter_mut().find(|v| !v.is_zero())? *= Rational::from((1_000_001, 1_000_000));
        solved(z)
    }),
    ("rounded division", |right| {
        let rounded = |v: Rational| (v * 100u32).round() / 100u32;
        solved(right.z.clone()?.into_iter().map(rounded).collect())
    }),
    ("last row dropped", |right| {
        let n = right.problem.n();
        let smaller = principal(right.problem, n.checked_sub(1)?)?;
        let mut z = solution(&smaller)?;
        z.push(Rational::new());
        solved(z)
    }),
    ("matrix transposed", |right| {
        let n = right.problem.n();
        solved(solution(&rebuilt(
            right.problem,
            |m, i, j| entry(m, j, i),
            n,
        )?)?)
    }),
    ("matrix plus identity", |right| {
        let plus = |m: &Matrix, i: usize, j: usize| entry(m, i, j) + u32::from(i == j);
        solved(solution(&rebuilt(right.problem, plus, right.problem.n())?)?)
    }),
    ("row-major read as rows one down", |right| {
        let n = right.problem.n();
        let shifted = |m: &Matrix, i: usize, j: usize| entry(m, (i + 1) % m.n(), j);
        solved(solution(&rebuilt(right.problem, shifted, n)?)?)
    }),
    ("entries in reverse order", |right| {
        solved(right.z.clone()?.into_iter().rev().collect())
    }),
    ("complementarity forgotten", |right| {
        // Feasible, z, w >= 0, but not complementary: where there is a z, go on along e.
        let z = right.z.clone()?;
        solved(z.into_iter().map(|v| v + 1u32).collect())
    }),
    ("stale basis", |right| {
        // The answer to the same matrix with another q.
        let n = right.problem.n();
        let mut q = right.problem.q().to_vec();
        q.rotate_right(1.min(n));
        let other = Problem::new("stale", right.problem.m().clone(), q).ok()?;
        solved(solution(&other)?)
    }),
    ("half of the largest entry", |right| {
        let mut z = right.z.clone()?;
        *z.iter_mut().max()? /= 2u32;
        solved(z)
    }),
    ("unsolvable whatever is asked", |_| {
        Some(ClaimedAnswer::Unsolvable)
    }),
    ("solvable whatever is asked", |right| {
        let n = right.problem.n();
        right
            .z
            .is_none()
            .then(|| solved(vec![Rational::from(1); n]))?
    }),
    ("a regularised answer to an unsolvable problem", |right| {
        if right.z.is_some() {
            return None;
        }
        let tiny = Rational::from((1, 10_000_000_000u64));
        let plus = |m: &Matrix, i: usize, j: usize| {
            let more = if i == j {
                tiny.clone()
            } else {
                Rational::new()
            };
            entry(m, i, j) + more
        };
        solved(solution(&rebuilt(right.problem, plus, right.problem.n())?)?)
    }),
];

fn solved(z: Vec<Rational>) -> Option<ClaimedAnswer> {
    let z = z.into_iter().map(Number::from).collect();
    Some(ClaimedAnswer::Solved { z })
}

fn entry(m: &Matrix, i: usize, j: usize) -> Rational {
    m.get(i, j).map(Number::to_rational).unwrap_or_default()
}

fn rebuilt(
    problem: &Problem,
    entry: impl Fn(&Matrix, usize, usize) -> Rational,
    n: usize,
) -> Option<Problem> {
    let row = |i| {
        (0..n)
            .map(|j| Number::from(entry(problem.m(), i, j)))
            .collect()
    };
    let m = Matrix::from_rows((0..n).map(row).collect()).ok()?;
    Problem::new("faulty", m, problem.q()[..n].to_vec()).ok()
}

fn principal(problem: &Problem, n: usize) -> Option<Problem> {
    rebuilt(problem, entry, n)
}

fn solution(problem: &Problem) -> Option<Vec<Rational>> {
    let budget = Budget {
        pivots: 5_000,
        ..Budget::default()
    };
    decide(problem, &budget).truth.solutions().first().cloned()
}

/// Whether a claim is right, by the twin's definitions: within the tolerance by its error or its
/// distance from one of the `solutions`.
fn is_right(
    problem: &Problem,
    answer: &ClaimedAnswer,
    solvable: bool,
    solutions: &[Vec<Rational>],
) -> bool {
    let ClaimedAnswer::Solved { z } = answer else {
        return *answer == ClaimedAnswer::Unsolvable && !solvable;
    };
    let exact = |v: &Rational| twin::parse(&v.to_string()).unwrap();
    let text = |v: &Number| exact(&v.to_rational());
    let z: Vec<_> = z.iter().map(text).collect();
    let m = (0..problem.n()).map(|i| {
        let zero = twin::parse("0").unwrap();
        (0..problem.n())
            .map(|j| problem.m().get(i, j).map_or(zero.clone(), text))
            .collect()
    });
    let twins = twin::Problem::pure(m.collect(), problem.q().iter().map(text).collect()).unwrap();
    let tolerance = twin::Tolerance {
        tol: twin::parse("1e-9").unwrap(),
        snap: twin::parse("1e-12").unwrap(),
    };
    let near = |solution: &Vec<Rational>| {
        let solution: Vec<_> = solution.iter().map(exact).collect();
        let distance = twin::distance(&twins, &z, &solution, &tolerance.tol).unwrap();
        twins.solves(&solution) && distance <= tolerance.tol
    };
    let evaluation = twin::evaluate(&twins, &z, &tolerance).unwrap();
    evaluation.error <= tolerance.tol || solutions.iter().any(near)
}

#[test]
fn every_faulty_solver_is_caught_and_nothing_wrong_is_accepted() {
    let problems: Vec<Problem> = goldens::up_to(12)
        .into_iter()
        .filter(|problem| problem.is_pure() && !problem.name().contains("/s"))
        .collect();
    assert!(problems.len() > 100, "only {} problems", problems.len());
    let mut caught = vec![0; FAULTS.len()];
    for problem in &problems {
        let decision = decide(problem, &Budget::default());
        let solvable = decision
            .truth
            .status()
            .solvable
            .expect("small problems are decided");
        let z = decision.truth.solutions().first().cloned();
        let right = Right { problem, z };
        for ((name, fault), caught) in FAULTS.iter().zip(&mut caught) {
            let Some(answer) = fault(&right) else {
                continue;
            };
            let right = is_right(problem, &answer, solvable, decision.truth.solutions());
            let claim = Claim::new(problem.name(), answer);
            for truth in [&decision.truth, &Truth::default()] {
                let verdict = check_claim(problem, &claim, truth, &Tolerance::default());
                let accepted = verdict.kind.is_accepted(false);
                assert!(
                    right || !accepted,
                    "{name} on {}: {verdict:?}",
                    problem.name()
                );
                if !accepted && truth.status().solvable.is_some() {
                    *caught += 1;
                }
            }
        }
    }
    for ((name, _), caught) in FAULTS.iter().zip(caught) {
        assert!(caught > 0, "{name} is never caught");
    }
}

#[test]
fn a_solution_of_a_neighbour_of_an_unsolvable_problem_is_called_perturbed() {
    // w = z - 1 and w = -z + 1 + 1e-13 cannot both be nonnegative with z > 0 and the second row
    // forced: M = [[1, 1], [-1, -1]], q = (-1, 1 - 1e-13).
    let problem = etalon_lcp::record::read_problem(
        r#"{"name": "near", "M": [[1, -1], [-1, 1]], "q": [-1, "0.9999999999999"]}"#,
    );
    let problem = problem.unwrap().record;
    let decision = decide(&problem, &Budget::default());
    assert_eq!(decision.truth.status().solvable, Some(false));
    let z = vec![Number::from(1), Number::from(0)];
    let claim = Claim::new("near", ClaimedAnswer::Solved { z });
    let verdict = check_claim(&problem, &claim, &decision.truth, &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Perturbed);
    assert!(!verdict.kind.is_accepted(false) && verdict.kind.is_accepted(true));
}

#[test]
fn a_false_proof_proves_nothing() {
    // Solvable, with a vector that only looks like a Farkas vector.
    let problem =
        etalon_lcp::record::read_problem(r#"{"name": "p", "M": [[2, 1], [1, 2]], "q": [-1, -1]}"#);
    let problem = problem.unwrap().record;
    let mut claim = Claim::new("p", ClaimedAnswer::Unsolvable);
    let one = || Number::from(1);
    claim.certificate = Some(Certificate::Farkas {
        y: vec![one(), one()],
    });
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Unproved);
    let truth = decide(&problem, &Budget::default()).truth;
    let verdict = check_claim(&problem, &claim, &truth, &Tolerance::default());
    assert_eq!(verdict.kind, VerdictKind::Refuted);
    assert!(Reduction::new(&problem).is_identity());
}
