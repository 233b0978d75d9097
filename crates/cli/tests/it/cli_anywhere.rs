//! Goldens inside of the program: commands that name them work in a folder that has nothing.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

#[test]
fn goldens_are_verified_in_an_empty_folder() {
    let bench = Workbench::new();
    let ran = bench.run("verify golden/problems/statics");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("17 problems, 0 failures"),
        "{}",
        ran.stdout
    );
    // The manifest is held against, so that what is built in is complete.
    assert!(
        ran.stdout.contains("golden/MANIFEST: 17 files"),
        "{}",
        ran.stdout
    );
    let ran = bench.run("verify built-in:golden/scenes/arch.jsonl golden/trajectories/wedge.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("1 trajectories, 40 steps"),
        "{}",
        ran.stdout
    );
    let ran = bench.run("verify golden/problems/nothing");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("golden/problems/nothing: No such file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn solvers_are_held_against_goldens_in_an_empty_folder() {
    let bench = Workbench::new();
    let ran = bench.run("replay --solver fast golden/trajectories/wedge.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let one = "diff --solver false --only reports/dart_dantzig_rounded_tie";
    let ran = bench.run(one);
    assert_eq!(ran.status, 1);
    assert!(!ran.stderr.contains("no goldens"), "{}", ran.stderr);
    // The line that shows the failure again is to work here, too: the name is enough.
    let again = "etalon diff --solver false --only reports/dart_dantzig_rounded_tie\n";
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
    let file = "golden/problems/reports/dart_dantzig_rounded_tie.json";
    let ran = bench.run(&format!("diff --solver false {file}"));
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
}

/// What `diff` sends can be made small by its name, steps of trajectories too.
#[test]
fn goldens_are_made_small_by_their_names() {
    let bench = Workbench::new();
    // A solver that fails on everything would not be asked so much.
    bench.write(
        "dies.sh",
        r#"read -r line
case $line in *etalon-easy*) echo '{"name":"etalon-easy-1","status":"failed"}' ;; *) exit 1 ;; esac
"#,
    );
    for name in ["reports/dart_dantzig_rounded_tie", "wedge/step 1"] {
        let ran = bench.run_words(&["shrink", "--solver", "sh dies.sh", "--only", name]);
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stdout.contains("exited: "), "{name}: {}", ran.stdout);
    }
}

#[test]
fn what_is_on_disk_comes_first() {
    let bench = Workbench::new();
    bench.write(
        "golden/problems/mine/a.json",
        r#"{"name": "mine/a", "M": [[1]], "q": [-1]}"#,
    );
    let ran = bench.run("verify");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("1 problems"), "{}", ran.stdout);
    let built_in = bench.run("verify --golden built-in:golden/problems/statics");
    assert_eq!(built_in.status, 0, "{}", built_in.stderr);
    // A golden that is gone from the folder is gone.
    let ran = bench.run("verify golden/problems/statics");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("No such file"), "{}", ran.stderr);
    // A folder of that name which is somebody else's.
    let bench = Workbench::new();
    bench.write("golden/picture.json", "{}");
    let ran = bench.run("diff --solver false --only statics/no_such_name");
    assert!(
        ran.stderr.contains("those inside of etalon are taken"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_inside_of_the_program_is_not_rewritten() {
    let bench = Workbench::new();
    for path in ["", "golden/problems/statics", "built-in:golden"] {
        let ran = bench.run(&format!("golden {path}"));
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("cannot be rewritten"), "{}", ran.stderr);
        assert!(!bench.path().join("golden").exists());
    }
    let ran = bench.run("verify --golden nowhere");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("--golden nowhere: there is no such folder"),
        "{}",
        ran.stderr
    );
}
