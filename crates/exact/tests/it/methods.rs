//! Which method answers, what it is called, and what it makes of what it is given.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_exact::{
    Budget, Dantzig, DantzigOutcome, ExactMethod, Lemke, LemkeOutcome, Progress, decide, unique_w,
};
use etalon_lcp::{Basis, Certificate, Problem, Reduction, record};
use rug::Rational;

fn problem(json: &str) -> Problem {
    record::read_problem(json).unwrap().record
}

/// Pivots of a method.
fn pivots(method: ExactMethod, problem: &Problem) -> Option<u64> {
    method.solver(&Budget::default()).solve(problem).pivots
}

#[test]
fn every_method_goes_by_its_name() {
    for method in ExactMethod::ALL {
        assert_eq!(method.name().parse(), Ok(method));
        assert_eq!(method.to_string(), method.name());
        assert_eq!(method.solver(&Budget::default()).name(), method.name());
    }
    let error = "lemke".parse::<ExactMethod>().unwrap_err().to_string();
    for method in ExactMethod::ALL {
        assert!(error.contains(method.name()), "{error}");
    }
}

#[test]
fn certified_takes_the_method_that_fits_the_matrix() {
    let symmetric = problem(r#"{"name": "s", "M": [[4,1,0],[1,3,1],[0,1,5]], "q": [-4,-9,-1]}"#);
    let other = problem(r#"{"name": "p", "M": [[4,1,0],[2,3,1],[0,1,5]], "q": [-4,-9,-1]}"#);
    let by = |method| [&symmetric, &other].map(|problem| pivots(method, problem).unwrap());
    let (dantzig, lemke) = (by(ExactMethod::Dantzig), by(ExactMethod::Lemke));
    assert!(
        dantzig[0] != lemke[0] && dantzig[1] != lemke[1],
        "{dantzig:?} {lemke:?}"
    );
    assert_eq!(by(ExactMethod::Certified), [dantzig[0], lemke[1]]);
}

#[test]
fn a_class_of_m_says_nothing_of_friction() {
    let json = |friction: &str| {
        format!(
            r#"{{"name": "f", "M": [[1,1],[1,1]], "q": [-1,-1], "lower": [0, "-inf"]{friction}}}"#
        )
    };
    let rubs = r#", "friction": [{"row": 1, "normal": 0, "mu": 1}]"#;
    assert_eq!(
        unique_w(&problem(&json(""))),
        Some(Certificate::SymmetricPsd)
    );
    assert_eq!(unique_w(&problem(&json(rubs))), None);
}

#[test]
fn a_long_proof_that_z_is_not_unique_is_not_carried() {
    // 2^n solutions, of which each has a leaf.
    for (n, carried) in [(2, true), (4, true), (6, false)] {
        let entry = |i: usize, j: usize| if i == j { "-1" } else { "0" };
        let row = |i: usize| (0..n).map(|j| entry(i, j)).collect::<Vec<_>>().join(",");
        let m: Vec<String> = (0..n).map(|i| format!("[{}]", row(i))).collect();
        let json = format!(
            r#"{{"name": "p", "M": [{}], "q": {:?}}}"#,
            m.join(","),
            vec![1; n]
        );
        let decision = decide(&problem(&json), &Budget::default());
        assert_eq!(decision.truth.status().unique, None);
        assert_eq!(decision.truth.solutions().len(), 1 << n);
        assert_eq!(decision.certificate.is_some(), carried, "{n}");
    }
}

#[test]
fn a_basis_that_is_right_is_followed_without_a_pivot() {
    let lcp = problem(r#"{"name": "p", "M": [[2,1,0],[1,2,1],[0,1,2]], "q": [-3,-4,-3]}"#);
    let lcp = Reduction::new(&lcp).mixed().clone();
    let cold = Lemke::default().solve(&lcp).unwrap();
    let LemkeOutcome::Solved { z, basis } = cold.outcome else {
        panic!("definite");
    };
    assert!(cold.pivots > 1);
    let warm = Lemke::default().solve_from(&lcp, &basis).unwrap();
    assert_eq!(warm.pivots, 0);
    assert_eq!(
        warm.outcome,
        LemkeOutcome::Solved {
            z: z.clone(),
            basis
        }
    );
    // Of a pair with zeros on the diagonal, too.
    let pair = problem(r#"{"name": "p", "M": [[0,1],[-1,0]], "q": [-2,3]}"#);
    let pair = Reduction::new(&pair).mixed().clone();
    let warm = Lemke::default()
        .solve_from(&pair, &"11".parse().unwrap())
        .unwrap();
    assert_eq!(warm.pivots, 0);
    assert!(matches!(warm.outcome, LemkeOutcome::Solved { z, .. } if z == [3, 2]));
    assert!(
        Lemke::default()
            .solve_from(&pair, &Basis::new(vec![true]))
            .is_none()
    );
}

#[test]
fn a_fixed_row_is_never_driven() {
    // Pulled at with 5 and held at 1; the other row feels that.
    let problem = problem(
        r#"{"name": "fixed", "M": [[2,1],[1,2]], "q": [-7,-3], "lower": [1, 0], "upper": [1, "inf"]}"#,
    );
    let run = Dantzig::default().solve(&problem).unwrap();
    let DantzigOutcome::Solved { z, .. } = run.outcome else {
        panic!("{:?}", run.outcome);
    };
    assert_eq!(z, [1, 1]);
    // One row is driven, in one step.
    assert_eq!(run.steps, 1);
}

/// The coefficient of a trace is what z_0 changes by for a unit of q_k, whatever units the rows have.
#[test]
fn the_perturbation_of_a_trace_is_in_original_units() {
    for scale in [1, 3, 35] {
        // z_0 = -q_0 - z / scale where w_0 = 0.
        let json = format!(r#"{{"name": "p", "M": [["1/{scale}"]], "q": [-1]}}"#);
        let lemke = Lemke {
            trace: true,
            ..Lemke::default()
        };
        let problem = problem(&json);
        let run = lemke.solve(Reduction::new(&problem).mixed()).unwrap();
        let first = run.trace.unwrap().steps[0].progress.clone();
        let expected = [1, -1].map(Rational::from).to_vec();
        assert_eq!(first, Progress::Artificial(expected), "{scale}");
    }
}
