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

/// The words of the longest sentence that a reader can take in at once.
const LONGEST: usize = 30;

/// The paragraphs of a help text that are sentences: the description, and what is said of each option and value.
fn paragraphs(help: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in help.lines().map(str::trim) {
        let option = line.starts_with("--") || line.starts_with(['[', '<']);
        if line.is_empty() || option || line.starts_with("- ") {
            paragraphs.push(String::new());
        }
        if let Some(last) = paragraphs.last_mut().filter(|_| !option) {
            *last += &format!(" {line}");
        }
    }
    let is_text = |text: &String| {
        let lists = ["Usage:", "Commands:", "Methods:", "Example:"];
        !lists.iter().any(|list| text.trim_start().starts_with(list))
    };
    paragraphs.into_iter().filter(is_text).collect()
}

/// All commands, and the commands within commands.
fn all_commands(bench: &Workbench) -> Vec<String> {
    let mut all = Vec::new();
    for name in names(&bench.run("--help").stdout) {
        let help = bench.run(&format!("{name} --help")).stdout;
        let own = help.contains("\nCommands:\n").then(|| names(&help));
        let own = own.into_iter().flatten();
        all.extend(own.map(|inner| format!("{name} {inner}")));
        all.push(name);
    }
    all.retain(|words| words.split(' ').next_back() != Some("help"));
    all
}

#[test]
fn no_sentence_of_help_is_too_long() {
    let bench = Workbench::new();
    let mut long = Vec::new();
    for words in all_commands(&bench) {
        let ran = bench.run(&format!("{words} --help"));
        for paragraph in paragraphs(&ran.stdout) {
            for sentence in paragraph.split(". ").flat_map(|part| part.split("? ")) {
                if sentence.split_whitespace().count() > LONGEST {
                    long.push(format!("{words}: {sentence}"));
                }
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
