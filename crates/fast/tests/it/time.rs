//! An end in time: every method gives up at once where there is none left, and says so.

use std::time::{Duration, Instant};

use etalon_fast::{ConeSolver, Failure, FastMethod, Lcp, Start, Workspace};
use etalon_lcp::record::read_problem;
use etalon_lcp::{ClaimedAnswer, Problem};

/// A chain of springs, tridiagonal, that needs more rows than a dictionary of fixed size has.
fn chain(n: usize, sparse: bool, off: (f64, f64)) -> Problem {
    let entry = |i: usize, j: usize| match j as i64 - i as i64 {
        0 => 4.0,
        1 => off.0,
        -1 => off.1,
        _ => 0.0,
    };
    let q: Vec<f64> = (0..n)
        .map(|i| if i % 3 == 0 { 1.0 } else { -1.0 })
        .collect();
    let m = if sparse {
        let near = |i: usize| i.saturating_sub(1)..(i + 2).min(n);
        let entries = (0..n).flat_map(|i| near(i).map(move |j| (i, j)));
        let entries: Vec<_> = entries
            .map(|(i, j)| format!("[{i},{j},{}]", entry(i, j)))
            .collect();
        format!(
            "{{\"shape\":[{n},{n}],\"entries\":[{}]}}",
            entries.join(",")
        )
    } else {
        let row = |i: usize| (0..n).map(|j| entry(i, j)).collect::<Vec<_>>();
        format!("{:?}", (0..n).map(row).collect::<Vec<_>>())
    };
    read_problem(&format!(
        "{{\"name\": \"chain\", \"M\": {m}, \"q\": {q:?}}}"
    ))
    .unwrap()
    .record
}

#[test]
fn without_time_no_method_has_an_answer() {
    use FastMethod::{Auto, Block, Dantzig, Lemke};
    for (problem, methods) in [
        (
            chain(60, false, (-1.0, -1.0)),
            &[Auto, Block, Dantzig, Lemke][..],
        ),
        (chain(60, false, (-1.0, 0.5)), &[Auto, Lemke]),
        (chain(400, true, (-1.0, -1.0)), &[Auto, Block]),
        (chain(400, true, (-1.0, 0.5)), &[Auto]),
        // Dense, with so many zeros that the sparse method takes it.
        (chain(400, false, (-1.0, -1.0)), &[Auto]),
    ] {
        for method in methods {
            let claim = method.solver_within(Some(Duration::ZERO)).solve(&problem);
            assert_eq!(claim.answer, ClaimedAnswer::Failed, "{method:?}");
            assert_eq!(
                claim.message.as_deref(),
                Some("the time ran out"),
                "{method:?}"
            );
            for time in [None, Some(Duration::MAX)] {
                let claim = method.solver_within(time).solve(&problem);
                assert!(
                    matches!(claim.answer, ClaimedAnswer::Solved { .. }),
                    "{method:?}"
                );
            }
        }
    }
}

#[test]
fn a_workspace_gives_up_until_it_may_go_on() {
    let lcp = Lcp::from_problem(&chain(60, false, (-1.0, -1.0))).unwrap();
    let mut workspace = Workspace::new();
    workspace.until(Some(Instant::now()));
    for method in [FastMethod::Auto, FastMethod::Lemke] {
        let found = workspace.solve(lcp.view(), method, Start::Cold);
        assert_eq!(found.map(|_| ()), Err(Failure::Time));
    }
    workspace.until(None);
    assert!(
        workspace
            .solve(lcp.view(), FastMethod::Auto, Start::Cold)
            .is_ok()
    );
}

#[test]
fn contacts_in_cones_have_an_end_too() {
    let problem = r#"{"name": "slide", "M": [[2, 0.5, 0], [0.5, 1, 0], [0, 0, 1]], "q": [-1, 2, 1], "cones": [{"rows": [0, 1, 2], "mu": 0.5}]}"#;
    let problem = read_problem(problem).unwrap().record;
    let solve = |time| ConeSolver::within(time).solve(&problem);
    assert!(matches!(solve(None).answer, ClaimedAnswer::Solved { .. }));
    assert_eq!(
        solve(Some(Duration::ZERO)).message.as_deref(),
        Some("the time ran out")
    );
}
