//! The statements of the book about the repository: the trusted base file by file, and the command of each figure.

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

/// Lines of code: neither blank, nor comments, nor tests, which stand last or in a file of their own.
fn lines_of_code(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let mut code = 0;
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            let attributes = |line: &&str| line.starts_with('#') || line.starts_with("//");
            let item = lines.by_ref().find(|line| !attributes(line));
            // Of a module elsewhere this is all; one that begins here is the rest of the file.
            if item.is_some_and(|item| item.ends_with(';')) {
                continue;
            }
            break;
        }
        code += usize::from(!line.is_empty() && !line.starts_with("//"));
    }
    code
}

#[test]
fn lines_of_code_are_those_that_run() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = "//! A file.\n\nmod a;\n#[cfg(test)]\n// Why.\n#[allow(lint)]\nmod tests;\nuse a::b;\n\n    // Why.\n    b();\n#[cfg(test)]\nmod more {\n    c();\n}\n";
    std::fs::write(file.path(), text).unwrap();
    assert_eq!(lines_of_code(file.path()), 3);
}

#[test]
fn the_trusted_base_is_what_the_book_lists() {
    let page = page("trusted-base.md");
    let vocabulary = listed(&page, "The vocabulary");
    let cbor = listed(&page, "Records in CBOR").into_iter();
    let cbor: Vec<_> = cbor.map(|file| format!("record/{file}")).collect();
    // What proposes is in `certify`, too: what it says is checked.
    let (proposing, untrusted): (Vec<_>, Vec<_>) = listed(&page, "Not trusted")
        .into_iter()
        .partition(|file| file.starts_with("crates/certify/src/"));
    let proposing = proposing
        .iter()
        .filter_map(|file| file.strip_prefix("crates/certify/src/"));
    let both = [vocabulary.clone(), cbor.clone(), untrusted].concat();
    let source = |name: &str| root().join("crates").join(name).join("src");
    let lines = |name: &str, files: &[String]| -> usize {
        let lines = files
            .iter()
            .map(|file| lines_of_code(&source(name).join(file)));
        lines.sum()
    };
    let (kernel, measure) = (listed(&page, "The kernel"), listed(&page, "The measure"));
    let figures = listed(&page, "Figures beside a verdict");
    let decision = listed(&page, "The decision on friction cones");
    let proofs = listed(&page, "The proofs about friction cones").into_iter();
    let proofs: Vec<_> = proofs.map(|file| format!("cones/{file}")).collect();
    let all = [kernel.clone(), decision.clone(), proofs.clone()].concat();
    let certify = (measure.iter().chain(&figures).cloned())
        .chain(proposing.map(str::to_owned))
        .collect();
    for (name, listed) in [("kernel", &all), ("certify", &certify), ("lcp", &both)] {
        // What is compiled for tests alone decides nothing.
        let of_tests = |file: &PathBuf| file.file_name().is_some_and(|name| name == "tests.rs");
        let found = files(&source(name), "rs").into_iter();
        let found = found.filter(|file| !of_tests(file)).collect();
        assert_eq!(set(listed), found, "{name}");
    }
    for file in &all {
        let own = lines("kernel", std::slice::from_ref(file));
        assert!(own <= 200, "{file}: {own} lines");
    }
    let own = lines("certify", &["own.rs".to_owned()]);
    for (what, limit, found) in [
        ("the kernel, `crates/kernel`", 600, lines("kernel", &kernel)),
        (
            "its decision on friction cones",
            200,
            lines("kernel", &decision),
        ),
        (
            "its proofs about friction cones, `crates/kernel/src/cones`",
            725,
            lines("kernel", &proofs),
        ),
        (
            "`own.rs` of `crates/certify`, which hands problems to it",
            150,
            own,
        ),
        (
            "the measure, the rest of `crates/certify`",
            4_300,
            lines("certify", &measure) - own,
        ),
        (
            "figures beside a verdict, in `crates/certify` too",
            490,
            lines("certify", &figures),
        ),
        (
            "the vocabulary, `crates/lcp`: numbers, problems, records",
            3_200,
            lines("lcp", &vocabulary),
        ),
        (
            "records in CBOR, in `crates/lcp` too",
            900,
            lines("lcp", &cbor),
        ),
    ] {
        let stated = match limit {
            1_000.. => format!(
                "| {what} | at most {},{:03} |",
                limit / 1_000,
                limit % 1_000
            ),
            _ => format!("| {what} | at most {limit} |"),
        };
        assert!(page.contains(&stated), "{stated}");
        assert!(found <= limit, "{what}: {found} lines");
    }
}

/// Who has no friction cones trusts no proof about them.
#[test]
fn the_kernel_uses_no_proof_about_friction_cones() {
    let source = root().join("crates/kernel/src");
    for file in files(&source, "rs") {
        let text = std::fs::read_to_string(source.join(&file)).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let uses = code
            .filter(|line| line.contains("cones::"))
            .collect::<Vec<_>>();
        let expected = match file.to_str().unwrap() {
            "lib.rs" => vec!["pub use cones::{ConeNode, Direction, Enclosure, Mode, Others};"],
            _ => Vec::new(),
        };
        assert_eq!(uses, expected, "{}", file.display());
    }
}

#[test]
fn the_kernel_depends_on_gmp_and_the_measure_on_kernel_and_vocabulary_alone() {
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
    // Of the kernel those of its tests and of its build, too.
    let kernel = (metadata.packages.iter()).find(|package| *package.name == "etalon-kernel");
    let kernel = kernel.unwrap().dependencies.iter();
    assert_eq!(kernel.map(|own| &own.name).collect::<Vec<_>>(), ["rug"]);
    let expected = ["etalon-kernel", "etalon-lcp", "rug"].map(str::to_owned);
    assert_eq!(normal("etalon-certify"), expected.into());
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
    let plots = [files(&docs, "svg"), files(&docs, "png")].concat();
    assert!(plots.len() >= 12);
    plots.iter().for_each(|plot| one(plot));
    for pattern in generators.keys() {
        let made = |extension| {
            files(&docs, extension)
                .iter()
                .any(|file| matches(pattern, file))
        };
        let made = ["svg", "png", "md"].into_iter().any(made);
        assert!(made, "nothing is {pattern}");
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
            ["etalon", name, ..] => format!("crates/cli/src/{name}"),
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
            ["python3", script] => script.trim_end_matches(".py").to_owned(),
            _ => String::new(),
        };
        let file = root().join(format!("{source}.rs"));
        let script = root().join(format!("{source}.py"));
        let is_there = file.is_file() || script.is_file() || root().join(&source).is_dir();
        assert!(!source.is_empty() && is_there, "{command}");
    }
}
