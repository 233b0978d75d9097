//! `docs/commands.md` says what `--help` says. Written anew by
//! `UPDATE_EXPECT=1 cargo test -p etalon-cli --test it commands_page`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use crate::common::Workbench;

const HEAD: &str = "\
# Commands

This page is the text of `etalon COMMAND --help` for every command, and a test holds it to that. `etalon man` has the same as manual pages.

";

/// The names of the commands below `etalon help`.
fn names(help: &str) -> Vec<String> {
    let (_, commands) = help.split_once("\nCommands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    // A name begins two blanks in; what continues a description begins further in.
    let lines = commands.lines().filter(|line| !line.starts_with("   "));
    lines
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_page_says_what_help_says() {
    let bench = Workbench::new();
    let help = bench.run("--help");
    assert_eq!(help.status, 0);
    let mut page = HEAD.to_owned() + &section("etalon", &help.stdout);
    for name in names(&help.stdout).iter().filter(|name| *name != "help") {
        let ran = bench.run(&format!("{name} --help"));
        assert_eq!(ran.status, 0, "{name}");
        page += &section(&format!("etalon {name}"), &ran.stdout);
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = written
        .lines()
        .zip(page.lines())
        .find(|(old, new)| old != new);
    assert_eq!(differs, None, "UPDATE_EXPECT=1 writes the page anew");
    assert_eq!(written, page);
}

fn section(name: &str, help: &str) -> String {
    let lines: Vec<_> = help.trim_end().lines().map(str::trim_end).collect();
    format!("## {name}\n\n```text\n{}\n```\n\n", lines.join("\n"))
}
