//! `etalon scoreboard --cones`: this program's own methods beside adapters, and who stands on which page.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

use crate::common::{ETALON, Ran};
use serde_json::Value;

/// The workspace: adapters, and goldens.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const EDGE: &str = "golden/problems/cone/edge";

fn scoreboard(words: &str) -> Ran {
    let bin = tempfile::tempdir().unwrap();
    let mut command = Command::new(ETALON);
    command.current_dir(ROOT).arg("scoreboard").arg("--bin");
    command.arg(bin.path()).args(words.split(' '));
    command.output().unwrap().into()
}

#[test]
fn own_methods_stand_on_the_page_of_cones_by_law() {
    let ran = scoreboard(&format!(
        "--cones --only fast-cone,pyramid-4 --show 0 --json {EDGE}"
    ));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page: Value = serde_json::from_str(&ran.stdout).unwrap();
    let [cone, pyramid] = [0, 1].map(|k| &page["solvers"][k]);
    assert_eq!(
        (&cone["name"], &pyramid["name"]),
        (&"fast-cone".into(), &"pyramid-4".into())
    );
    for law in ["coulomb", "convex"] {
        let count = |of: &Value, column: &str| of["laws"][law]["counts"][column].as_u64().unwrap();
        assert_eq!(count(cone, "wrong, called solved"), 0);
        assert!(count(cone, "solved") > 5, "{cone}");
        assert!(count(pyramid, "wrong, called solved") > 0, "{pyramid}");
        let sent = |of: &Value| of["laws"][law]["sent"].as_u64().unwrap();
        assert_eq!(sent(cone), sent(pyramid));
    }
}

#[test]
fn the_page_of_cones_has_a_table_for_each_law() {
    let ran = scoreboard(&format!("--cones --only pyramid-box --show 1 {EDGE}"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for words in [
        "# Scoreboard of friction cones",
        "## Coulomb's law",
        "## The convex law",
        "## pyramid-box",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    // A wrong answer is made small, and is one of a problem with a cone.
    assert!(
        ran.stdout.contains("wrong, gross: called solved"),
        "{}",
        ran.stdout
    );
}

#[test]
fn problems_without_cones_are_not_on_that_page() {
    let ran = scoreboard(
        "--cones --only fast-cone --json golden/problems/statics golden/problems/cone/contactbench",
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(page["solvers"][0]["total"]["sent"], 2);
}

#[test]
fn adapters_stand_on_one_page_only() {
    for (words, told) in [
        (
            "--only siconos-nsgs",
            "etalon scoreboard --cones --only siconos-nsgs",
        ),
        ("--cones --only quantecon-lemke", "leave --cones out"),
        (
            "--cones --only fast-cone,nobody",
            "\"nobody\" is no adapter",
        ),
        ("--only fast-cone", "\"fast-cone\" is no adapter"),
    ] {
        let ran = scoreboard(words);
        assert_eq!(ran.status, 2, "{words}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{words}: {}", ran.stderr);
    }
}
