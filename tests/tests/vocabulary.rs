//! The words of the code: a public name has one meaning, and the glossary says whose it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use etalon_tests::sources::expand;

/// Public names that several crates declare, by the reason why none of them has a second meaning.
const SHARED: &[(&str, &[&str])] = &[
    (
        "the kernel depends on no record, so it has its own form of what `etalon-lcp` reads",
        &[
            "Bound",
            "Cone",
            "Disc",
            "Enclosure",
            "Law",
            "Mode",
            "Problem",
            "Row",
            "Unique",
        ],
    ),
    (
        "`etalon-certify` wraps the kernel's with what it knows of records",
        &["Budget", "Held", "Truth"],
    ),
    (
        "a field of a record is named like the thing that it records",
        &[
            "Bodies", "Body", "Contact", "Energy", "Joint", "Lcp", "Piece", "Quantity", "Start",
            "Trace", "Verified",
        ],
    ),
    (
        "one idea in two mechanics, at the level of forces and of impulses, or of half-spaces and of smooth surfaces",
        &[
            "ContactForce",
            "Formulation",
            "FrictionModel",
            "Model",
            "Settings",
            "StepError",
            "System",
            "Unproved",
            "Violation",
        ],
    ),
    (
        "a term of geometry or of arithmetic, which its module explains",
        &[
            "Arithmetic",
            "Face",
            "Frame",
            "Interval",
            "Line",
            "Number",
            "Placed",
            "Pose",
            "Shape",
            "Touch",
            "Values",
            "Vector",
        ],
    ),
    (
        "a term of sets and matrices, or of what a program may take",
        &["Entry", "Limits"],
    ),
];

/// Adds the types and traits that a file publishes by its own declarations, its public modules and its `pub use` lines.
fn add_published(file: &Path, names: &mut BTreeSet<String>) {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let stem = file.file_stem().unwrap().to_str().unwrap();
    let folder = match stem {
        "lib" | "mod" => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    };
    let module = |name: &str| -> Option<PathBuf> {
        let files = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let files = files.iter().map(|own| folder.join(own));
        files.into_iter().find(|file| file.is_file())
    };
    for line in code.lines() {
        let Some(rest) = line.strip_prefix("pub ") else {
            continue;
        };
        let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
        match (words.next(), words.next()) {
            (Some("struct" | "enum" | "trait" | "type"), Some(name)) => {
                names.insert(name.to_owned());
            }
            (Some("mod"), Some(name)) => {
                if let Some(file) = module(name) {
                    add_published(&file, names);
                }
            }
            _ => {}
        }
    }
    let mut uses = Vec::new();
    for tree in code.split("\npub use ").skip(1) {
        let tree = tree.split(';').next().unwrap_or_default();
        expand(tree, "", &mut uses);
    }
    for path in uses {
        let (first, rest) = path.split_once("::").unwrap_or((&path, ""));
        let last = rest.rsplit("::").next().unwrap_or_default();
        // What comes from another crate is declared there.
        match module(first) {
            Some(file) if last == "*" => add_published(&file, names),
            None if !["crate", "self", "super"].contains(&first) => {}
            _ if last.contains(char::is_lowercase) && last.starts_with(char::is_uppercase) => {
                names.insert(last.to_owned());
            }
            _ => {}
        }
    }
}

/// The crates that declare each public name.
fn published() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates"));
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let library = folder.join("src/lib.rs");
        if library.is_file() {
            let own = folder
                .file_name()
                .unwrap()
                .to_string_lossy()
                .replace('-', "_");
            let mut names = BTreeSet::new();
            add_published(&library, &mut names);
            for name in names {
                crates.entry(name).or_default().insert(own.clone());
            }
        }
    }
    assert!(crates.len() > 400, "{}", crates.len());
    crates
}

#[test]
fn a_public_name_has_one_meaning() {
    let reasons = SHARED.iter().flat_map(|(_, names)| names.iter().copied());
    let known: BTreeSet<&str> = reasons.clone().collect();
    assert_eq!(known.len(), reasons.count(), "a name has two reasons");
    let published = published();
    let shared = published.iter().filter(|(_, crates)| crates.len() > 1);
    let found: BTreeMap<&str, _> = shared.map(|(name, own)| (name.as_str(), own)).collect();
    let new = found.iter().filter(|(name, _)| !known.contains(*name));
    let new: Vec<_> = new
        .map(|(name, crates)| format!("{name}: {crates:?}"))
        .collect();
    assert!(
        new.is_empty(),
        "give one of each another name:\n{}",
        new.join("\n")
    );
    let stale: Vec<_> = known
        .iter()
        .filter(|name| !found.contains_key(*name))
        .collect();
    assert!(
        stale.is_empty(),
        "no two crates declare {stale:?} any longer"
    );
}

#[test]
fn the_glossary_names_the_types_of_its_words() {
    let published = published();
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/glossary.md"));
    let text = std::fs::read_to_string(file).unwrap();
    let (words, table) = text.split_once("## The words in the code").unwrap();
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, word, own, beside, _] = cells[..] else {
            panic!("not three cells: {line}");
        };
        assert!(
            words.contains(&format!("| {word} |")),
            "{word} is not explained above"
        );
        count += 1;
        let types = |cell: &str| -> Vec<(String, String)> {
            let quoted = cell.split('`').skip(1).step_by(2);
            let paths = quoted.map(|path| path.split("::").collect::<Vec<_>>());
            let types = paths.filter(|path| path.last().unwrap().starts_with(char::is_uppercase));
            types
                .map(|path| (path[0].to_owned(), (*path.last().unwrap()).to_owned()))
                .collect()
        };
        let (own, beside) = (types(own), types(beside));
        assert!(!own.is_empty(), "{word} has no type");
        for (package, name) in own.iter().chain(&beside) {
            let crates = published.get(name);
            assert!(
                crates.is_some_and(|own| own.contains(package)),
                "{word}: {package}::{name}: {crates:?}"
            );
        }
        let crates: BTreeSet<String> = own.iter().map(|(package, _)| package.clone()).collect();
        for (_, name) in &own {
            assert_eq!(published[name], crates, "{word}: {name}");
        }
        // The bare word is no type's name, or that of its own.
        let bare = word[..1].to_uppercase() + &word[1..];
        let is_own = own.iter().any(|(_, name)| *name == bare);
        assert!(
            is_own || !published.contains_key(&bare),
            "{bare}: {:?}",
            published[&bare]
        );
    }
    assert!(count >= 15, "{count} words");
}
