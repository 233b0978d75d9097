//! `.ci/wheel` builds the wheel and is no part of `.ci/run`. What it asks of the command is asked here of the command as built.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use crate::common::ETALON;

/// The lines from this one to the other.
fn part<'a>(script: &'a str, from: &str, to: &str) -> &'a str {
    let begin = script.find(from).unwrap();
    let end = script[begin..].find(to).unwrap();
    &script[begin..begin + end]
}

#[test]
fn what_the_wheel_is_asked_is_what_the_command_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = std::fs::read_to_string(root.join(".ci/wheel")).unwrap();
    // No test may depend on time.
    assert!(script.contains("--budget 5s"));
    let asked = part(&script, "etalon --version\n", "etalon serve --port 0")
        .replace("--budget 5s", "--budget 1000s");
    assert!(asked.matches("grep -q").count() >= 2, "{asked}");
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    let work = folder.path().join("work");
    std::fs::create_dir(&programs).unwrap();
    std::fs::create_dir(&work).unwrap();
    std::os::unix::fs::symlink(ETALON, programs.join("etalon")).unwrap();
    let path = std::env::var("PATH").unwrap();
    let run = format!(
        "set -euo pipefail\ntrap 'echo \"line $LINENO: failed: $BASH_COMMAND\" >&2' ERR\n{asked}"
    );
    let ran = Command::new("bash")
        .args(["-c", &run])
        .current_dir(&work)
        .env("PATH", format!("{}:{path}", programs.display()))
        .output()
        .unwrap();
    let [out, err] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ran.status.success(), "{out}{err}");
    let page = root.join("crates/serve/assets/index.html");
    let page = std::fs::read_to_string(page).unwrap();
    let title = part(&script, "assert \"", "\" in page").replace("assert \"", "");
    assert!(page.contains(&title), "{title}");
}
