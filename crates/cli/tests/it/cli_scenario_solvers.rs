//! `etalon scenario run --solver`: solvers in binary64 and others' solvers beside the exact one.

use crate::common::Workbench;

#[test]
fn fast_stands_beside_exact() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run chain --set bars=2 --solver fast");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    insta::assert_snapshot!(ran.shown());
    let ran = bench.run("scenario run ladder --solver fast --json");
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["verdict"]["verdict"], "accepted");
    assert_eq!(json["exact"]["status"], "indeterminate");
    assert!(json["acceleration_difference"].as_f64().unwrap() < 1e-12);
    assert!(json["backward_error_in_exact_problem"].as_f64().unwrap() < 1e-15);
}

#[test]
fn fast_does_not_solve_what_has_no_solution() {
    let ran = Workbench::new().run("scenario run painleve-inconsistent --solver fast");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("Verdict: failed"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Exactly, there is no solution"));
}

#[cfg(unix)]
#[test]
fn somebodys_solver_is_asked_and_judged() {
    let bench = Workbench::new();
    let run = |solver: &str| {
        let arguments = [
            "scenario",
            "run",
            "stack",
            "--timeout",
            "1s",
            "--solver",
            solver,
        ];
        bench.run_words(&arguments)
    };
    let own = format!(
        "'{}' solve --method fast-lemke -",
        env!("CARGO_BIN_EXE_etalon")
    );
    let ran = run(&own);
    assert_eq!(ran.status, 0, "{}", ran.shown());
    assert!(
        ran.stdout.contains("says solved. Verdict: "),
        "{}",
        ran.stdout
    );
    // Half the forces are no forces.
    let claim = r#"{\"name\": \"stack\", \"status\": \"solved\", \"z\": [30, 25, 15]}"#;
    let ran = run(&format!("sh -c 'read -r line; echo \"{claim}\"'"));
    assert_eq!(ran.status, 1, "{}", ran.shown());
    assert!(ran.stdout.contains("Verdict: rejected"), "{}", ran.stdout);
    let failures = [
        ("sh -c 'read -r line; echo boo'", r#"it reads "boo""#),
        ("sh -c 'echo out of luck >&2; exit 3'", "exit status: 3"),
        ("sleep 60", "no answer within 1 s"),
        ("/no/such/solver", "cannot start"),
    ];
    for (solver, why) in failures {
        let ran = run(solver);
        assert_eq!(ran.status, 1, "{solver}: {}", ran.shown());
        assert!(ran.stdout.contains("Verdict: failed"), "{}", ran.stdout);
        assert!(ran.stdout.contains(why), "{solver}: {}", ran.stdout);
    }
}

#[cfg(unix)]
#[test]
fn somebodys_lies_about_a_scene_are_refused() {
    let bench = Workbench::new();
    let lie = |scene: &str, claim: &str| {
        let claim = claim.replace('"', "\\\"");
        let solver = format!("sh -c 'read -r line; echo \"{claim}\"'");
        let mut words = vec!["scenario", "run"];
        words.extend(scene.split(' '));
        bench.run_words(&[&words[..], &["--solver", &solver]].concat())
    };
    for (scene, claim, verdict) in [
        // There are forces.
        (
            "stack",
            r#"{"name": "stack", "status": "unsolvable"}"#,
            "refuted",
        ),
        (
            "stack",
            r#"{"name": "stack", "status": "unsolvable", "certificate": {"kind": "farkas", "y": [1, 1, 1]}}"#,
            "refuted",
        ),
        // There are none.
        (
            "painleve-inconsistent",
            r#"{"name": "painleve-inconsistent", "status": "solved", "z": [12.5]}"#,
            "rejected",
        ),
        // Pulls instead of pushing; friction beyond its cone; friction that pushes along.
        (
            "stack --set blocks=1",
            r#"{"name": "stack/blocks=1", "status": "solved", "z": [-10]}"#,
            "rejected",
        ),
        (
            "ladder",
            r#"{"name": "ladder", "status": "solved", "z": [10, 0, 8, 0]}"#,
            "rejected",
        ),
        // One of two answers is right, what is between them is not.
        (
            "painleve-indeterminate",
            r#"{"name": "painleve-indeterminate", "status": "solved", "z": [1.75]}"#,
            "rejected",
        ),
        // Another scene's answer.
        (
            "stack",
            r#"{"name": "ladder", "status": "solved", "z": [60, 50, 30]}"#,
            "failed",
        ),
    ] {
        let ran = lie(scene, claim);
        assert_eq!(ran.status, 1, "{scene} {claim}: {}", ran.shown());
        assert!(
            ran.stdout.contains(&format!("Verdict: {verdict}")),
            "{scene} {claim}: {}",
            ran.stdout
        );
    }
    let truth = lie(
        "painleve-indeterminate",
        r#"{"name": "painleve-indeterminate", "status": "solved", "z": [3.5]}"#,
    );
    assert_eq!(truth.status, 0, "{}", truth.shown());
}
