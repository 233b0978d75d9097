//! The direction of the arrows between the crates is not negotiable.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};
use etalon_tests::sources::{expand, sources};

/// Each crate with the workspace crates that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("etalon-kernel", &[]),
    ("etalon-lcp", &[]),
    ("etalon-certify", &["etalon-kernel", "etalon-lcp"]),
    ("etalon-modular", &[]),
    (
        "etalon-exact",
        &["etalon-lcp", "etalon-certify", "etalon-modular"],
    ),
    ("etalon-fast", &["etalon-lcp"]),
    // Builds the book; no other crate depends on it.
    ("etalon-book", &[]),
    (
        "etalon-golden",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-judge",
            "etalon-golden-data",
        ],
    ),
    ("etalon-golden-data", &[]),
    (
        "etalon-judge",
        &["etalon-lcp", "etalon-certify", "etalon-exact"],
    ),
    ("etalon-rigid", &["etalon-lcp"]),
    (
        "etalon-engines",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-fast",
            "etalon-rigid",
        ],
    ),
    (
        "etalon-contact-forces",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-rigid",
        ],
    ),
    (
        "etalon-time-stepping",
        &["etalon-lcp", "etalon-exact", "etalon-rigid"],
    ),
    (
        "etalon-spatial",
        &[
            "etalon-lcp",
            "etalon-rigid",
            "etalon-time-stepping",
            // The verdict on each step's problem.
            "etalon-judge",
        ],
    ),
    (
        "etalon-planar",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-judge",
            "etalon-fast",
            "etalon-contact-forces",
        ],
    ),
    (
        "etalon-conformance",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-judge",
            "etalon-golden",
        ],
    ),
    (
        "etalon-scenarios",
        &[
            "etalon-lcp",
            "etalon-exact",
            "etalon-rigid",
            "etalon-contact-forces",
            "etalon-time-stepping",
            "etalon-spatial",
            "etalon-planar",
            // The lines of trajectories.
            "etalon-golden",
        ],
    ),
    ("etalon-import", &["etalon-lcp"]),
    (
        "etalon-methods",
        &["etalon-lcp", "etalon-exact", "etalon-fast", "etalon-golden"],
    ),
    (
        "etalon-replay",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-fast",
            // The oracle of motions in space.
            "etalon-spatial",
            "etalon-rigid",
            "etalon-contact-forces",
            "etalon-planar",
            "etalon-time-stepping",
            "etalon-engines",
            "etalon-scenarios",
            "etalon-judge",
            "etalon-golden",
            "etalon-conformance",
            "etalon-methods",
        ],
    ),
    (
        "etalon-evidence",
        &[
            "etalon-lcp",
            "etalon-certify",
            "etalon-exact",
            "etalon-fast",
            "etalon-time-stepping",
            "etalon-planar",
            // The proofs of level C, drawn.
            "etalon-engines",
            "etalon-scenarios",
            "etalon-judge",
            "etalon-golden",
            "etalon-conformance",
            "etalon-methods",
            "etalon-replay",
        ],
    ),
    (
        "etalon-serve",
        &[
            "etalon-lcp",
            // The proof that a motion is unique.
            "etalon-certify",
            "etalon-exact",
            // Solvers that move a world, and the least forces.
            "etalon-methods",
            "etalon-fast",
            // Verdicts on one contact in space.
            "etalon-judge",
            "etalon-planar",
            "etalon-golden",
            "etalon-scenarios",
            // Bodies in space, with implicit surfaces, too, as they are drawn, and recorded motions of them taken again.
            "etalon-rigid",
            "etalon-spatial",
            "etalon-time-stepping",
            "etalon-replay",
        ],
    ),
];

/// The facade, what stands on it, and the members that only test and measure.
const MAY_KNOW_ALL: &[&str] = &[
    "etalon",
    "etalon-cli",
    "etalon-capi",
    "etalon-python",
    "etalon-tests",
    "etalon-benches",
    "projected-gauss-seidel",
];

fn arrows() -> BTreeMap<String, Vec<String>> {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let arrows = metadata.workspace_packages().into_iter().map(|package| {
        let normal = package.dependencies.iter().filter(|dependency| {
            dependency.kind != DependencyKind::Development && dependency.path.is_some()
        });
        let names = normal.map(|dependency| dependency.name.clone()).collect();
        (package.name.to_string(), names)
    });
    arrows.collect()
}

#[test]
fn crates_depend_only_on_those_before_them() {
    for (package, dependencies) in arrows() {
        if MAY_KNOW_ALL.contains(&package.as_str()) {
            continue;
        }
        let allowed = ALLOWED.iter().find(|(name, _)| *name == package);
        let (_, allowed) =
            allowed.unwrap_or_else(|| panic!("{package} has no place in the design"));
        for dependency in dependencies {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{package} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn the_checker_knows_no_solver_even_indirectly() {
    let tree = arrows();
    let mut reached = vec!["etalon-certify".to_owned()];
    let mut next = 0;
    while let Some(package) = reached.get(next).cloned() {
        reached.extend(tree[&package].iter().cloned());
        next += 1;
    }
    assert!(reached.contains(&"etalon-lcp".to_owned()));
    assert!(!reached.contains(&"etalon-exact".to_owned()));
}

/// The files that judge a claim by what is known of its problem, without asking for more: the checker,
/// the judge, and benches of what that takes.
const ASK_THE_CHECKER: &[&str] = &[
    "crates/certify",
    "crates/judge/src/judge.rs",
    "crates/python/src/timing.rs",
    "benches",
];

/// Every door calls the judge, and no other file decides what is accepted.
#[test]
fn verdicts_are_decided_in_one_place() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut folders = vec![root.join("crates"), root.join("benches")];
    let mut decided = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default();
            if path.is_dir() {
                if name != "tests" && name != "target" {
                    folders.push(path);
                }
                continue;
            }
            let own = path.strip_prefix(root).unwrap();
            let may = ASK_THE_CHECKER.iter().any(|known| own.starts_with(known));
            if may || name == "tests.rs" || path.extension().is_none_or(|kind| kind != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (number, line) in code.lines().enumerate() {
                let asks = line.contains("etalon_certify") || line.contains("certify::");
                let imports = asks
                    && line
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .any(|word| word == "check_claim");
                if imports || line.contains(".is_accepted(") {
                    decided.push(format!("{}:{}: {line}", own.display(), number + 1));
                }
            }
        }
    }
    assert!(decided.is_empty(), "{}", decided.join("\n"));
}

/// Deriving a golden scene and re-checking it share the laws of contact, and how a record writes a result:
/// a wrong decision of the one must not be believed by the other.
#[test]
fn rechecking_a_scene_shares_no_decision_with_deriving_it() {
    let forces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/replay/src/forces");
    for (own, other) in [("derive", "recheck"), ("recheck", "derive")] {
        let files = std::fs::read_dir(forces.join(own)).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        assert!(files.len() > 4, "{own}: {files:?}");
        for path in files {
            // What is compiled for tests alone decides nothing.
            if path.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
                let imports =
                    code.contains("::") && words.any(|word| word == other || word == "again");
                assert!(!imports, "{}:{}: {line}", path.display(), number + 1);
            }
        }
    }
}

/// A format has one type, one reader and one writer: its name stands in code once, beside them.
#[test]
fn the_names_of_formats_stand_in_code_once() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for (format, home) in [
        ("etalon-trajectory/1", "crates/golden/src/trajectory/mod.rs"),
        ("etalon-forces/1", "crates/golden/src/forces/record.rs"),
    ] {
        let mut places = Vec::new();
        let crates = std::fs::read_dir(root.join("crates")).unwrap();
        let mut folders: Vec<_> = crates.map(|own| own.unwrap().path().join("src")).collect();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.file_name().unwrap_or_default();
                if name == "tests.rs" || path.extension().is_none_or(|kind| kind != "rs") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text
                    .split("#[cfg(test)]\nmod tests {")
                    .next()
                    .unwrap_or_default();
                let lines = code.lines();
                // Slashes are in the names: what begins with two is a comment.
                let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
                let own = path.strip_prefix(root).unwrap().display().to_string();
                places.extend(
                    lines
                        .filter(|line| line.contains(format))
                        .map(|_| own.clone()),
                );
            }
        }
        assert_eq!(places, [home], "{format}");
    }
}

/// What depending on Etalon costs: packages that are compiled, its own among them.
#[test]
fn the_facade_and_the_kit_pull_in_few_packages() {
    for (package, features, most) in [
        ("etalon", "", 70),
        ("etalon", "kit", 80),
        ("etalon-conformance", "", 80),
    ] {
        let packages = packages(&[package, "-F", features]);
        assert!(
            packages.len() <= most,
            "{package} with features {features:?}: {} packages: {packages:?}",
            packages.len()
        );
        // The kit prints as `cargo test` does, which takes clap.
        let clap = if most == 70 { "clap" } else { "axum" };
        for heavy in ["axum", "tokio", "plotters", "hdf5-reader", clap] {
            let found = packages
                .iter()
                .find(|own| own.split(' ').next() == Some(heavy));
            assert_eq!(found, None, "{package}");
        }
    }
}

/// The packages that are compiled into what is trusted: `docs/trusted-base.md` names them.
#[test]
fn little_is_compiled_into_the_checker() {
    let packages = packages(&["etalon-certify"]);
    assert!(packages.len() <= 31, "{}: {packages:?}", packages.len());
    let nalgebra = |own: &String| own.starts_with("nalgebra ");
    assert!(!packages.iter().any(nalgebra), "{packages:?}");
}

/// README's first command waits for these packages: no web server, and no reader of other formats.
#[test]
fn the_first_command_builds_what_judging_needs() {
    let packages = packages(&["etalon-cli", "--no-default-features"]);
    assert!(packages.len() <= 180, "{}: {packages:?}", packages.len());
    let readme = include_str!("../../README.md");
    assert!(readme.contains("--profile verify -p etalon-cli --no-default-features -- verify\n"));
}

/// The names and versions of all packages that the normal dependencies of one reach.
fn packages(package: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = std::process::Command::new(cargo)
        .args([
            "tree", "--locked", "-e", "normal", "--prefix", "none", "-f", "{p}",
        ])
        .arg("-p")
        .args(package)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().map(|line| line.trim_end_matches(" (*)"));
    names
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The library that people depend on re-exports; what it says, it says in under 400 lines.
#[test]
fn the_facade_stays_a_facade() {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/etalon/src");
    let files = std::fs::read_dir(sources).unwrap();
    let lines: usize = files
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .map(|text| text.lines().count())
        .sum();
    assert!((50..400).contains(&lines), "{lines} lines");
}

#[test]
fn the_checker_decides_nothing_in_floats() {
    for sources in [
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/kernel/src"),
        concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/certify/src"),
    ] {
        let mut paths = vec![PathBuf::from(sources)];
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                let inner = std::fs::read_dir(path).unwrap();
                paths.extend(inner.map(|entry| entry.unwrap().path()));
                continue;
            }
            // What is compiled for tests alone decides nothing.
            if path.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let float = code.contains("f64") || code.contains("f32");
                // Rounding for people to read is all that floats are for here.
                let shown = code.contains("round_up_f64") && !sources.ends_with("kernel/src");
                assert!(!float || shown, "{}:{}: {line}", path.display(), number + 1);
            }
        }
    }
}

/// Most lines of code that a function may have, blank lines and comments not counted.
const LONGEST: usize = 60;

#[test]
fn functions_are_read_at_a_glance() {
    let mut long = Vec::new();
    for (package, file, code) in sources() {
        let lines: Vec<&str> = code.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some(at) = words.iter().position(|word| *word == "fn") else {
                continue;
            };
            let known = ["pub", "const", "async", "unsafe", "extern", "\"C\""];
            let is_head = |word: &&str| known.contains(word) || word.starts_with("pub(");
            if !words[..at].iter().all(is_head) {
                continue;
            }
            // The sources are formatted: a function ends with a brace below its first word.
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = format!("{indent}}}");
            let body = lines[start..].iter().take_while(|own| **own != end);
            let code = body.filter(|own| {
                let own = own.trim_start();
                !own.is_empty() && !own.starts_with("//")
            });
            let (count, name) = (code.count() + 1, words.get(at + 1).unwrap_or(&""));
            if count > LONGEST && !line.trim_end().ends_with(';') {
                long.push(format!("{package}::{file}: {name} has {count} lines"));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// No file imports one that imports it, directly or by others; a module and its own folder are one.
#[test]
fn files_import_each_other_in_one_direction() {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (package, file, code) in sources() {
        let module = match file.strip_suffix("::mod").unwrap_or(&file) {
            "lib" | "main" | "mod" => String::new(),
            module => module.to_owned(),
        };
        crates.entry(package).or_default().insert(module, code);
    }
    let mut circles = Vec::new();
    for (package, modules) in &crates {
        let reached: BTreeMap<&str, BTreeSet<String>> = modules
            .iter()
            .map(|(module, code)| (module.as_str(), imported(module, code, modules)))
            .collect();
        for start in reached.keys() {
            let mut seen: BTreeSet<String> = BTreeSet::new();
            let mut next: Vec<String> = reached[start].iter().cloned().collect();
            while let Some(module) = next.pop() {
                if seen.insert(module.clone()) {
                    next.extend(reached.get(module.as_str()).into_iter().flatten().cloned());
                }
            }
            if seen.contains(*start) {
                circles.push(format!("{package}: {start} -> {:?}", reached[start]));
            }
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// The modules of the crate that a file's paths lead to, but for those that hold it or that it holds.
fn imported(module: &str, code: &str, modules: &BTreeMap<String, String>) -> BTreeSet<String> {
    let code: Vec<&str> = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    let mut paths = Vec::new();
    let mut rest = code.as_str();
    // `use` trees are expanded; elsewhere paths are taken as they stand.
    while let Some(at) = rest.find("use ") {
        let tree = rest[at + 4..].split(';').next().unwrap_or_default();
        expand(tree, "", &mut paths);
        rest = &rest[at + 4..];
    }
    for word in code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':') {
        paths.push(word.to_owned());
    }
    let own: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    let mut found = BTreeSet::new();
    for path in paths {
        let parts: Vec<&str> = path.split("::").map(str::trim).collect();
        let mut base = own.clone();
        let mut at = 0;
        match parts[0] {
            "crate" => (base, at) = (Vec::new(), 1),
            "self" => at = 1,
            "super" => {
                while parts.get(at) == Some(&"super") {
                    base.pop();
                    at += 1;
                }
            }
            _ => continue,
        }
        base.extend(&parts[at..]);
        while !base.is_empty() && !modules.contains_key(&base.join("::")) {
            base.pop();
        }
        let target = base.join("::");
        let holds = |a: &str, b: &str| a == b || b.starts_with(&format!("{a}::"));
        if !target.is_empty() && !holds(&target, module) && !holds(module, &target) {
            found.insert(target);
        }
    }
    found
}
