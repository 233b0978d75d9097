//! `etalon init`: what it writes is built by its own command, runs, and is judged by its own command.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

use crate::common::{Ran, Workbench};

/// Runs a command of the printed ones by a shell in the folder; `etalon` is the one under test.
fn shell(bench: &Workbench, command: &str) -> Ran {
    let path = std::env::var("PATH").unwrap_or_default();
    let own = std::path::Path::new(crate::common::ETALON)
        .parent()
        .unwrap();
    Command::new("sh")
        .args(["-c", command])
        .current_dir(bench.path())
        .env("PATH", format!("{}:{path}", own.display()))
        // The compiler takes the time, not the solver.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        // A folder of the user's own has no other target.
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .unwrap()
        .into()
}

/// Problems with bounds and without, all of which the solver solves: a solver that does not say
/// what it can do, or says it wrongly, is not sent half of them.
fn is_judged(lang: &str, folder: &str) {
    let bench = Workbench::new();
    let ran = bench.run_words(&["init", folder, "--lang", lang]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let readme = bench.read(&format!("{folder}/README.md"));
    assert!(readme.contains(ran.stdout.trim()), "{readme}");
    let commands: Vec<&str> = ran.stdout.lines().collect();
    let (judge, build) = commands.split_last().unwrap();
    for build in build {
        // Nothing is downloaded by a test: what the glue needs is in the lock file of the workspace.
        let built = shell(
            &bench,
            &build.replace("cargo build", "cargo build --offline"),
        );
        assert_eq!(built.status, 0, "{build}: {}", built.stderr);
    }
    let suites = "golden/problems/generated/pd.jsonl golden/problems/generated/box.jsonl";
    let ran = shell(&bench, &format!("{judge} {suites}"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("90 of 90 accepted"), "{said}");
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn a_solver_in_rust_is_judged() {
    is_judged("rust", "mine");
}

#[test]
fn a_solver_in_cpp_is_judged() {
    if has("c++") {
        is_judged("cpp", "mine");
    }
}

#[test]
fn a_solver_in_python_is_judged_in_a_folder_with_a_blank() {
    if has("python3") {
        is_judged("python", "my solver's");
    }
}

#[test]
fn a_solver_in_julia_is_written() {
    let bench = Workbench::new();
    let ran = bench.run("init j --lang julia");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(bench.read("j/protocol.jl").contains("etalon-claim/1"));
    assert!(bench.read("j/solver.jl").contains("serve("));
    if has("julia") && shell(&bench, "julia -e 'using JSON'").status == 0 {
        let judged = "etalon diff --solver 'julia j/solver.jl' golden/problems/generated/pd.jsonl";
        assert_eq!(shell(&bench, judged).status, 0);
    }
}

#[test]
fn what_is_there_is_not_overwritten() {
    let bench = Workbench::new();
    bench.write("protocol.py", "mine");
    let ran = bench.run("init --lang python");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("protocol.py is there already"),
        "{}",
        ran.stderr
    );
    assert_eq!(bench.read("protocol.py"), "mine");
    assert!(
        !bench.path().join("solver.py").exists(),
        "nothing is written by half"
    );
    bench.write("file", "");
    let ran = bench.run("init file/below --lang cpp");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("file/below"), "{}", ran.stderr);
}
