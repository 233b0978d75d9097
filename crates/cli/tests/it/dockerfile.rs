//! The Dockerfile installs as README.md says. No test builds it: that takes Docker.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// The operands of every line that begins with this word.
fn lines(dockerfile: &str, word: &str) -> Vec<String> {
    let lines = dockerfile.lines();
    let lines = lines.filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    lines.map(str::to_owned).collect()
}

#[test]
fn it_runs_the_commands_of_the_readme() {
    // Within an image the user is root, and the program goes where all users find it.
    let readme = text("README.md").replace("${SUDO:-} ", "");
    let run = lines(&text("Dockerfile"), "RUN");
    assert_eq!(run.len(), 2, "{run:?}");
    for command in run {
        let command = command.trim_end_matches(" --root /usr/local");
        assert!(readme.contains(command), "README.md does not say {command}");
    }
}

#[test]
fn its_rust_is_the_oldest_that_the_workspace_allows() {
    let manifest = text("Cargo.toml");
    let wanted = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "))
        .unwrap()
        .trim_matches('"');
    let from = lines(&text("Dockerfile"), "FROM");
    assert!(from[0].starts_with(&format!("rust:{wanted}-")), "{from:?}");
}

#[test]
fn what_it_copies_is_there() {
    let dockerfile = text("Dockerfile");
    let copied = lines(&dockerfile, "COPY --from=build");
    let files: Vec<&str> = copied
        .iter()
        .flat_map(|line| line.split(' '))
        .filter_map(|word| word.strip_prefix("/etalon/"))
        .collect();
    assert!(!files.is_empty());
    for file in files {
        assert!(root().join(file).is_file(), "{file}");
        let left_out = text(".dockerignore");
        assert!(!left_out.lines().any(|line| line == file), "{file}");
    }
}
