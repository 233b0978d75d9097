//! What the book says of the repository: the trusted base file by file, and who makes each figure.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use common::{code_spans, files, root, table_rows};

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// The files that the tables of one section name in their first column.
fn listed(page: &str, heading: &str) -> Vec<String> {
    let (_, rest) = page.split_once(&format!("\n## {heading}")).unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let names = table_rows(section).into_iter().skip(1);
    let names = names.flat_map(|row| {
        code_spans(&row[0])
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    names.collect()
}

fn set(names: &[String]) -> BTreeSet<PathBuf> {
    let set: BTreeSet<_> = names.iter().map(PathBuf::from).collect();
    assert_eq!(set.len(), names.len(), "a file is named twice: {names:?}");
    set
}

/// Lines of code: neither blank, nor comments, nor tests, which stand last.
fn lines_of_code(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().map(str::trim);
    let counted = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    counted.count()
}

#[test]
fn the_trusted_base_is_what_the_book_lists() {
    let page = page("trusted-base.md");
    let checker = set(&listed(&page, "The checker"));
    let vocabulary = listed(&page, "The vocabulary");
    let untrusted = listed(&page, "Not trusted");
    let both = [vocabulary.clone(), untrusted].concat();
    let (certify, lcp) = (
        root().join("crates/certify/src"),
        root().join("crates/lcp/src"),
    );
    assert_eq!(checker, files(&certify, "rs").into_iter().collect());
    assert_eq!(set(&both), files(&lcp, "rs").into_iter().collect());

    let of_checker: usize = checker
        .iter()
        .map(|file| lines_of_code(&certify.join(file)))
        .sum();
    let of_vocabulary: usize = vocabulary
        .iter()
        .map(|file| lines_of_code(&lcp.join(file)))
        .sum();
    assert!(page.contains("under 2,250 lines for the checker and 4,800 for all that is trusted"));
    assert!(of_checker < 2_250, "{of_checker} lines");
    assert!(
        of_checker + of_vocabulary < 4_800,
        "{} lines",
        of_checker + of_vocabulary
    );
}

#[test]
fn the_checker_depends_on_the_vocabulary_gmp_and_error_texts_alone() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .no_deps()
        .exec()
        .unwrap();
    let normal = |name: &str| -> BTreeSet<String> {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name.as_str() == name);
        let dependencies = package.unwrap().dependencies.iter();
        let normal = dependencies.filter(|own| own.kind == cargo_metadata::DependencyKind::Normal);
        normal.map(|own| own.name.clone()).collect()
    };
    let expected: BTreeSet<_> = ["etalon-lcp", "rug", "thiserror"].map(str::to_owned).into();
    assert_eq!(normal("etalon-certify"), expected);
}

/// The commands of about.md by the pattern of the files that they make.
fn generators() -> BTreeMap<String, String> {
    let page = page("about.md");
    let (_, rest) = page
        .split_once("## Which command makes which figure")
        .unwrap();
    let rows = table_rows(rest).into_iter().skip(1);
    let of = |row: Vec<String>| {
        let command = code_spans(&row[1])[0].to_owned();
        let patterns = code_spans(&row[0])
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        patterns
            .into_iter()
            .map(move |pattern| (pattern, command.clone()))
            .collect::<Vec<_>>()
    };
    rows.flat_map(of).collect()
}

fn matches(pattern: &str, file: &Path) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            let file = file.to_str().unwrap();
            file.starts_with(start) && file.ends_with(end)
        }
        None => Path::new(pattern) == file,
    }
}

#[test]
fn every_plot_and_every_measured_page_has_its_command() {
    let generators = generators();
    let docs = root().join("docs");
    let one = |file: &Path| {
        let makers = generators.keys().filter(|pattern| matches(pattern, file));
        assert_eq!(makers.count(), 1, "{}", file.display());
    };
    let plots = files(&docs, "svg");
    assert!(plots.len() >= 10);
    plots.iter().for_each(|plot| one(plot));
    for pattern in generators.keys() {
        let made = |extension| {
            files(&docs, extension)
                .iter()
                .any(|file| matches(pattern, file))
        };
        assert!(made("svg") || made("md"), "nothing is {pattern}");
    }
    // What the contents call measured is made by a command of that table, or names its own.
    let summary = page("SUMMARY.md");
    let (_, measured) = summary.split_once("\n# Measured").unwrap();
    let measured = measured.split("\n# ").next().unwrap();
    for link in measured.split("](").skip(1) {
        let file = link.split(')').next().unwrap();
        let text = page(file);
        let named = ["cargo run ", "cargo test ", "etalon study"]
            .iter()
            .any(|own| text.contains(own));
        assert!(named || generators.contains_key(file), "{file}");
    }
}

#[test]
fn the_commands_that_make_figures_exist() {
    let commands: BTreeSet<_> = generators().into_values().collect();
    assert!(commands.len() >= 6);
    for command in commands {
        let words: Vec<_> = command.split(' ').collect();
        let source = match words[..] {
            ["etalon", name, ..] => format!("crates/etalon/src/cli/{name}"),
            [
                "cargo",
                "run",
                "--release",
                "-p",
                "etalon-benches",
                "--bin",
                name,
                ..,
            ] => format!("benches/src/bin/{name}"),
            _ => String::new(),
        };
        let file = root().join(format!("{source}.rs"));
        assert!(
            !source.is_empty() && (file.is_file() || root().join(&source).is_dir()),
            "{command}"
        );
    }
}
