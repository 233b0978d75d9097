//! `etalon show`: a problem in words.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

#[test]
fn a_golden_is_shown_with_its_proof_and_its_solvers() {
    let bench = Workbench::new();
    let ran = bench.run("show reports/dart_dantzig_rounded_tie");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for line in [
        "  M = | 1.5859375         1 |  q = | -0.75 |",
        "exactly one solution",
        "  z = (0, 3/4)",
        "proof: M is a P-matrix",
        "\nsource:\n  report: DART 6, Dantzig solver, measured here\n",
        "notes: Positive definite",
        "  exact-lemke          exact",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    let ran = bench.run("show --json reports/dart_dantzig_rounded_tie");
    let shown: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(shown["problem"]["expect"]["unique"], "z");
    assert_eq!(shown["findings"], serde_json::json!([]));
    assert_eq!(shown["solvers"][0]["verdict"], "exact");
}

/// Every kind of proof in the goldens is told.
#[test]
fn proofs_about_cones_and_bounds_are_told_in_words() {
    let bench = Workbench::new();
    let told = [
        ("cone/siconos/FrictionContact3D_1c", "contacts that slide: "),
        (
            "cone/edge/ellipse_3_4_5_coupled",
            "friction is weak beside its coupling",
        ),
        ("cone/edge/no_solution", "choices of what contacts do"),
        ("baraff/darwin_ray", "q'y < 0 (Farkas)"),
        (
            "mpl_log/DoNothingTest.do_nothing_grinder_test1/contact/n14/last",
            "contradict the bounds on z and w (Farkas)",
        ),
    ];
    let names = told.map(|(name, _)| name);
    let ran = bench.run_words(&[&["show"][..], &names].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let shown: Vec<_> = ran.stdout.split("\n\n").collect();
    assert_eq!(shown.len(), told.len(), "{}", ran.stdout);
    for ((name, told), shown) in told.into_iter().zip(shown) {
        assert!(shown.starts_with(name) && shown.contains(told), "{shown}");
    }
}

#[test]
fn a_field_that_is_not_read_is_warned_about() {
    let bench = Workbench::new();
    bench.write(
        "p.json",
        r#"{"name": "p", "M": [[1]], "q": [-1], "Lower": [0]}"#,
    );
    let ran = bench.run("show p.json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = "p.json:1: record \"p\": the field \"Lower\" is not known and not read; did you mean \"lower\"?";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

#[test]
fn a_problem_of_ones_own_is_shown_and_a_false_statement_is_named() {
    let bench = Workbench::new();
    bench.write(
        "p.jsonl",
        r#"{"name":"boxed","M":[[2,0,1],[0,2,0],[0,1,2]],"q":[-1,-9,1],"lower":[0,"-inf",0],"upper":["inf",1,"inf"]}
{"name":"friction","M":[[1,0],[0,1]],"q":[-1,-1],"friction":[{"row":1,"normal":0,"mu":"1/2"}],"expect":{"status":"solvable","solutions":[[1,1]]}}
"#,
    );
    let ran = bench.run("show p.jsonl");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let (boxed, friction) = ran.stdout.split_once("\n\n").unwrap();
    assert!(boxed.contains("3 rows, with bounds"), "{boxed}");
    assert!(boxed.contains("lower = (0, -inf, 0)"), "{boxed}");
    assert!(boxed.contains("the record says nothing"), "{boxed}");
    assert!(friction.contains("|z_1| <= 1/2 z_0"), "{friction}");
    assert!(friction.contains("DOES NOT HOLD: expect"), "{friction}");
}

#[test]
fn a_large_problem_fits_the_lines_of_a_terminal() {
    let bench = Workbench::new();
    let gen_ = bench.run("gen pd --n 60 --count 1 --seed 3");
    bench.write("large.json", gen_.stdout);
    let ran = bench.run("show large.json");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // Notes are prose, which a terminal breaks.
    let matrix = ran
        .stdout
        .lines()
        .filter(|line| line.contains('|') || line.contains("z = "));
    let wide = matrix.clone().find(|line| line.chars().count() > 80);
    assert!(matrix.count() > 3, "{}", ran.stdout);
    assert_eq!(wide, None);
    assert!(ran.stdout.contains(" ... "), "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 40, "{}", ran.stdout);
    // Three rows of long numbers are too wide, and the middle one is left out.
    let row = "[-1.234567890123e-200,-1.234567890123e-200,-1.234567890123e-200]";
    let long = "1.234567890123e-200,1.234567890123e-200,1.234567890123e-200";
    bench.write(
        "l.json",
        format!(r#"{{"name":"l","M":[{row},{row},{row}],"q":[{long}]}}"#),
    );
    let ran = bench.run("show l.json");
    assert!(
        ran.stdout.contains("-1.23457e-200"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

/// A golden's source is read by people, who are not shown the record's JSON.
#[test]
fn sources_are_told_in_words() {
    let bench = Workbench::new();
    let ran = bench.run("show dart/Lemke_4D drake/testCycling");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for line in [
        "\nsource:\n  repo: dartsim/dart\n  path: tests/.deprecated/testLemke.cpp\n  commit: 5017d2c1",
        "\n  licence: BSD-2-Clause\n",
        "\n    lemke lexicographic d ones: pivots ",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains(['{', '}']), "{}", ran.stdout);
}

#[test]
fn what_is_neither_a_file_nor_a_golden_is_told_what_is_near() {
    let bench = Workbench::new();
    let ran = bench.run("show dart_dantzig_rounded_tie");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("did you mean reports/dart_dantzig_rounded_tie"),
        "{}",
        ran.stderr
    );
    let ran = bench.run("show dart_tie");
    let near = "did you mean reports/dart_dantzig_rounded_tie";
    assert!(ran.stderr.contains(near), "{}", ran.stderr);
    let ran = bench.run("show zzzz");
    assert_eq!(ran.status, 2);
    assert!(!ran.stderr.contains("did you mean"), "{}", ran.stderr);
}

/// Names and fields that nothing has are told what is near.
#[test]
fn slips_are_told_what_was_meant() {
    let bench = Workbench::new();
    bench.write("q.json", r#"{"name":"x","M":[[1]],"Q":[-1]}"#);
    bench.write("a.json", r#"{"name":"x","A":[[1]],"b":[-1]}"#);
    bench.write("hi.json", r#"{"name":"x","M":[[1]],"q":[-1],"hi":[3]}"#);
    for (command, meant) in [
        ("gen degenerat --n 2", "'degenerate'"),
        ("solve --method fast-atuo q.json", "'fast-auto'"),
        ("schema problm", "'problem'"),
        ("scenario run lader", "did you mean ladder"),
        ("scenario list lader", "did you mean ladder"),
        ("scenario run stack --set block=3", "did you mean blocks"),
        (
            "scenario run rod --as motion --set omega=3",
            "did you mean omega0",
        ),
        (
            "scenario run rod --solver fast-lemk",
            "did you mean fast-lemke",
        ),
        ("replay --solver certifed", "did you mean certified"),
        (
            "diff --solver cat --can friction,cone-convex",
            "did you mean cones-convex",
        ),
        ("fuzz --method fast-auto --can boxs", "did you mean boxes"),
        ("study energi", "did you mean energy"),
        (
            "diff --solver cat --only dart_dantzig_rounded_ty",
            "did you mean reports/dart_dantzig_rounded_tie",
        ),
        (
            "shrink --solver cat --only rounded_tie",
            "did you mean reports/dart_dantzig_rounded_tie",
        ),
        ("solve q.json", r#"q: the field is missing; "Q" is there"#),
        ("solve a.json", r#"M: the field is missing; "A" is there"#),
        ("solve hi.json", r#"did you mean "upper"?"#),
    ] {
        let ran = bench.run(command);
        assert!(ran.stderr.contains(meant), "{command}: {}", ran.stderr);
    }
}

/// A few kilobytes can state 2,000 rows, which the exact methods take dense.
#[test]
fn solvers_are_not_asked_about_many_rows() {
    let bench = Workbench::new();
    let q = vec!["-1"; 301].join(",");
    let record = format!(r#"{{"name":"a","M":{{"shape":[301,301],"entries":[]}},"q":[{q}]}}"#);
    bench.write("a.json", record);
    let ran = bench.run("show a.json");
    let said = "solvers: not asked about more than 300 rows";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
}

#[test]
fn a_problem_from_standard_input_is_shown() {
    let bench = Workbench::new();
    let two =
        "{\"name\":\"one\",\"M\":[[1]],\"q\":[-1]}\n{\"name\":\"two\",\"M\":[[2]],\"q\":[1]}\n";
    let ran = bench.run_with("show -", two);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for name in ["one  (standard input:1)", "two  (standard input:2)"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    let empty = bench.run_with("show -", "");
    assert_eq!(empty.status, 2);
    assert!(
        empty
            .stderr
            .contains("standard input: there is no record in it"),
        "{}",
        empty.stderr
    );
}
