//! Every public crate is ready for crates.io: described, licensed, and without what it does not need.
//!
//! The packages themselves are made by the command in CONTRIBUTING.md, which also builds them.

use std::path::Path;
use std::process::Command;

use cargo_metadata::{MetadataCommand, Package};

/// Larger files are data that belong into the repository only.
const LARGEST: u64 = 400_000;

/// A library of others in one file, with no more than what the page takes of it (`crates/serve/vendor/README.md`); and its limit.
const BUNDLE: (&str, u64) = ("assets/js/three.js", 600_000);

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn public_crates() -> Vec<Package> {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let packages = metadata.workspace_packages().into_iter();
    // `publish = false` is an empty list of registries.
    let public = packages.filter(|package| package.publish.as_deref() != Some(&[]));
    public.cloned().collect()
}

/// The files of a package, as `cargo package` would take them.
fn files(package: &Package) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--offline",
            "--allow-dirty",
            "--manifest-path",
        ])
        .arg(&package.manifest_path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {complaint}", package.name);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_public_crate_says_what_a_registry_asks() {
    let packages = public_crates();
    assert!(packages.len() >= 14);
    for package in packages {
        let name = &package.name;
        let description = package.description.as_deref().unwrap_or_default();
        assert!(description.len() > 20, "{name}: description");
        assert!(
            (1..=5).contains(&package.keywords.len()),
            "{name}: keywords"
        );
        assert!(
            package.keywords.iter().all(|word| word.len() <= 20),
            "{name}: keywords"
        );
        assert!(
            (1..=5).contains(&package.categories.len()),
            "{name}: categories"
        );
        assert!(package.license.is_some(), "{name}: license");
        assert!(package.repository.is_some(), "{name}: repository");
        assert!(package.rust_version.is_some(), "{name}: rust-version");
        let documentation = format!("https://docs.rs/{name}");
        assert_eq!(
            package.documentation,
            Some(documentation),
            "{name}: documentation"
        );
        let readme = package.readme().unwrap_or_else(|| panic!("{name}: readme"));
        assert!(readme.is_file(), "{name}: {readme}");
        assert!(
            package.metadata["docs"]["rs"].is_object(),
            "{name}: docs.rs settings"
        );
    }
}

#[test]
fn versions_of_the_workspace_are_named_beside_their_paths() {
    for package in public_crates() {
        for dependency in package.dependencies.iter().filter(|own| own.path.is_some()) {
            let version = dependency.req.to_string();
            assert_ne!(version, "*", "{}: {}", package.name, dependency.name);
        }
    }
}

/// The paths that a Rust file includes as texts, from the folder of its crate; not those for documentation tests, which
/// only run in the repository.
fn included(crate_root: &Path, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crate_root.join(file)).unwrap();
    let folder = Path::new(file).parent().unwrap();
    let parts = text.split("include_str!(\"").skip(1);
    let paths = parts.filter_map(|part| part.split('"').next());
    paths
        .filter(|path| !path.starts_with("../../../"))
        .map(|path| {
            let mut whole: Vec<&str> = folder.iter().filter_map(|part| part.to_str()).collect();
            for part in path.split('/') {
                match part {
                    ".." => drop(whole.pop()),
                    part => whole.push(part),
                }
            }
            whole.join("/")
        })
        .collect()
}

/// A package is built from its own files: what its code includes is among them, and is no link, which a checkout may
/// turn into a text that holds its target.
#[test]
fn packages_hold_what_their_code_includes() {
    let mut found = 0;
    for package in public_crates() {
        let crate_root = package.manifest_path.parent().unwrap().as_std_path();
        let listed = files(&package);
        let code = listed.iter();
        let code = code.filter(|file| file.starts_with("src/") && file.ends_with(".rs"));
        for path in code.flat_map(|file| included(crate_root, file)) {
            found += 1;
            assert!(listed.contains(&path), "{}: {path}", package.name);
            let whole = crate_root.join(&path);
            assert!(!whole.is_symlink(), "{}: {path} is a link", package.name);
        }
    }
    // The templates of `etalon init`, the schemas, the page.
    assert!(found > 20, "{found}");
}

#[test]
fn packages_hold_code_and_licences_and_one_of_them_the_goldens() {
    for package in public_crates() {
        let name = &package.name;
        let listed = files(&package);
        let crate_root = package.manifest_path.parent().unwrap();
        for needed in ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(listed.iter().any(|file| file == needed), "{name}: {needed}");
        }
        let is_root = |file: &String| file == "src/lib.rs" || file == "src/main.rs";
        assert!(listed.iter().any(is_root), "{name}");
        // Copies, as a link may come out of a checkout as a text that holds its target.
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = std::fs::read_to_string(crate_root.as_std_path().join(licence)).unwrap();
            let whole = std::fs::read_to_string(Path::new(ROOT).join(licence)).unwrap();
            assert!(
                own == whole,
                "{name}: {licence} is not that of the workspace"
            );
        }
        if package.name.as_str() == "etalon-golden-data" {
            // Whatever the manifest lists is there, and nothing of it anywhere else.
            let manifest = std::fs::read_to_string(crate_root.join("MANIFEST")).unwrap();
            let goldens: Vec<_> = (manifest.lines())
                .filter_map(|line| line.split_once('\t').map(|(path, _)| path))
                .collect();
            assert!(goldens.len() > 1000);
            for golden in goldens {
                assert!(listed.iter().any(|file| file == golden), "{golden}");
            }
            continue;
        }
        for file in listed {
            assert!(
                !file.contains(".snap.new") && !file.starts_with("golden"),
                "{name}: {file}"
            );
            let size = Path::new(crate_root.as_str()).join(&file).metadata();
            let size = size.map_or(0, |metadata| metadata.len());
            let largest = if file == BUNDLE.0 { BUNDLE.1 } else { LARGEST };
            assert!(size <= largest, "{name}: {file} has {size} bytes");
        }
    }
}
