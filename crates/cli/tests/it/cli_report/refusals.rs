//! Input that makes no report, and solvers and files that do harm.

use super::*;

/// One table of answers that were judged by two measures, or of two problems of one name, would be wrong.
#[test]
fn lines_that_do_not_agree_make_no_report() {
    let bench = Workbench::new();
    bench.write("p.json", r#"{"name": "p", "M": [[2]], "q": [-1]}"#);
    bench.write("other/p.json", r#"{"name": "p", "M": [[2]], "q": [-3]}"#);
    let solver = format!("{ETALON} solve -");
    let diff = |arguments: &str| {
        let ran = report(&bench, &format!("diff {arguments} --solver"), &[&solver]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    };
    diff("p.json --lines a.jsonl");
    diff("p.json --lines loose.jsonl --tol 1e-2");
    diff("other/p.json --lines other.jsonl");
    bench.write("c.jsonl", bench.run("solve p.json").stdout);
    bench.run("check p.json c.jsonl --out v.jsonl");
    bench.run("check p.json c.jsonl --out lenient.jsonl --accept-perturbed");
    let own = "--own --families none p.json --budget 120s";
    for (arguments, expected) in [
        (
            "--from a.jsonl --from loose.jsonl",
            "a.jsonl and loose.jsonl were judged differently: tol was 1/1000000000 and is 1/100;",
        ),
        (
            "--from v.jsonl --from lenient.jsonl",
            "judged differently: accept_perturbed was false and is true;",
        ),
        (
            "--from a.jsonl --from other.jsonl",
            "the problem \"p\" of a.jsonl is not that of other.jsonl, and both have that name;",
        ),
        (
            &format!("--from loose.jsonl {own}"),
            "loose.jsonl and this run were judged differently: tol was 1/100 and is 1/1000000000;",
        ),
        (
            &format!("--from other.jsonl {own}"),
            "the problem \"p\" of other.jsonl is not that of this run,",
        ),
    ] {
        let ran = report(&bench, &format!("report {arguments}"), &[]);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{arguments}: {}", ran.stderr);
        assert!(!bench.path().join("report.html").exists());
    }
    // What agrees does, and the page says by which tolerance.
    bench.write("bare.jsonl", "{\"name\": \"q\", \"verdict\": \"exact\"}\n");
    let ran = report(&bench, "report --from loose.jsonl --from bare.jsonl", &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = bench.read("report.html");
    assert!(page.contains("1e-2, natural"), "{page:.2000}");
    assert!(page.contains("1 of the answers read from files do not say"));
    let ran = report(
        &bench,
        &format!("report --from a.jsonl --from v.jsonl {own}"),
        &[],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn what_files_say_stays_text() {
    let bench = Workbench::new();
    let evil = r#"<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;</title></svg>"#;
    let line = |n: u32| {
        format!(
            r#"{{"solver": "{evil}", "suite": "{evil}", "name": "{evil}{n}", "verdict": "rejected", "reason": "{evil}", "n": {n}, "seconds": 1, "small": {{"name": "{evil}", "text": "{evil}", "problem": {{"{evil}": "{evil}"}}, "command": "{evil}"}}}}
{{"solver": "{evil}", "suite": "{evil}", "name": "{evil}{n}r", "verdict": "exact", "passed": true, "n": {n}, "seconds": {n}}}
{{"solver": "b{evil}", "suite": "{evil}", "name": "{evil}{n}r", "verdict": "exact", "passed": true, "n": {n}, "seconds": 1, "backward_error": 1e-17}}
"#
        )
    };
    bench.write("o.jsonl", [2, 8, 32].map(line).concat());
    let header = format!(
        r#"{{"format": "etalon-trajectory/1", "scenario": "{evil}", "formulation": "{evil}", "coordinates": ["{evil} x", "{evil} y"], "h": 1, "start": {{"q": [0, 0], "energy": {{"kinetic": 0, "potential": 0}}}}}}"#
    );
    bench.write(
        "t.jsonl",
        format!(
            "{header}\n{}\n",
            r#"{"t": 1, "q": [1, 2], "energy": {"kinetic": 1, "potential": 2}}"#
        ),
    );
    let ran = report(
        &bench,
        "report --from o.jsonl --trajectories t.jsonl --python",
        &[&evil.replace('\\', "")],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = page(&bench, "report.html");
    assert_eq!(all(&page, "script").len(), 1);
    assert!(all(&page, "img, [onerror]").is_empty());
    assert_eq!(all(&page, "title").len(), 1 + all(&page, "svg.plot").len());
    assert_eq!(failures(&page)[0].reason, evil.replace('\\', ""));
}

#[test]
fn bad_input_is_named_before_anything_is_run() {
    let bench = Workbench::new();
    bench.write(
        "cut.jsonl",
        "{\"name\": \"p\", \"verdict\": \"exact\"}\n{\"name\": \"q",
    );
    bench.write("csv.jsonl", "name,verdict\np,exact\n");
    bench.write(
        "problem.jsonl",
        "{\"name\": \"p\", \"M\": [[1]], \"q\": [1]}\n",
    );
    bench.write("t.jsonl", "{\"format\": \"etalon-trajectory/1\"}\n");
    bench.write("folder/x", "");
    for (arguments, expected) in [
        (
            "--from cut.jsonl",
            "cut.jsonl:2: the last line is cut short",
        ),
        ("--from csv.jsonl", "csv.jsonl:1: no JSON object"),
        (
            "--from problem.jsonl",
            "problem.jsonl:1: no outcome: the field \"verdict\" is missing",
        ),
        ("--from nowhere.jsonl", "nowhere.jsonl: cannot be read"),
        ("--out nowhere/r.html", "nowhere/r.html: cannot be written"),
        ("--out folder", "folder: is a folder"),
        (
            "--lines nowhere/o.jsonl",
            "nowhere/o.jsonl: cannot be written",
        ),
        (
            "--trajectories t.jsonl",
            "t.jsonl:1: the field \"coordinates\" is missing",
        ),
        ("--trajectories problem.jsonl", "there is no trajectory"),
        ("--families pq", "\"pq\" is no family"),
        ("--families none", "there is nothing to ask"),
        (
            "--solver certified=cat",
            "two solvers are called \"certified\"",
        ),
        (
            "--families pd --sizes 2 --own --from cut.jsonl --solver /nowhere/solver",
            "cut short",
        ),
        (
            "--families pd --sizes 2 --budget 120s --solver /nowhere/solver",
            "cannot start",
        ),
        ("--adapters nowhere", "nowhere/adapters.json"),
    ] {
        let ran = report(&bench, &format!("report {arguments}"), &[]);
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{arguments}: {}", ran.stderr);
        assert!(!bench.path().join("report.html").exists());
        assert!(!bench.path().join("report.html.part").exists());
    }
}

#[test]
fn a_dying_solver_is_reported_and_the_page_is_made() {
    let bench = Workbench::new();
    bench.write("dies.sh", "read -r line\nkill -9 $$\n");
    bench.write("hangs.sh", "read -r line\nsleep 60\n");
    let words = [
        "--solver",
        "dies=sh dies.sh",
        "--solver",
        "hangs=sh hangs.sh",
    ];
    let ran = report(
        &bench,
        "report --families pd --sizes 2 --count 1 --budget 120s --timeout 3s --shrink 3s --can boxes",
        &words,
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = page(&bench, "report.html");
    let shown = failures(&page);
    let kinds: Vec<_> = shown
        .iter()
        .map(|row| (&*row.facts[0], &*row.facts[2]))
        .collect();
    assert_eq!(kinds, [("no answer", "crashed"), ("no answer", "hung")]);
    assert!(shown[1].anchor.starts_with("failure-hangs-pd-n2-"));
    assert!(
        shown[1].command.contains("--can boxes --timeout 3s"),
        "{}",
        shown[1].command
    );
}

#[test]
fn a_report_that_cannot_be_made_leaves_the_last_one() {
    let bench = Workbench::new();
    bench.write("report.html", "the last one");
    let ran = report(
        &bench,
        "report --families pd --sizes 2 --budget 120s --solver /nowhere/solver",
        &[],
    );
    assert_eq!(ran.status, 2);
    assert_eq!(bench.read("report.html"), "the last one");
}
