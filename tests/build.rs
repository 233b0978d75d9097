//! Makes the faulty copy of `crates/fast`: its text, with each fault of `seeded/bugs.rs` behind a switch.

use std::path::{Path, PathBuf};
use std::{env, fs};

include!("seeded/bugs.rs");

/// Where the sound text stands.
const SOUND: &str = "../crates/fast/src";

fn main() {
    println!("cargo::rerun-if-changed={SOUND}");
    println!("cargo::rerun-if-changed=seeded");
    let copy = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("fast");
    let _ = fs::remove_dir_all(&copy);
    for file in sources(Path::new(SOUND)) {
        let name = file.strip_prefix(SOUND).expect("a file in the folder");
        let text = fs::read_to_string(&file).expect("readable sources");
        let faulty = copy.join(name);
        fs::create_dir_all(faulty.parent().expect("a file in a folder")).expect("a folder");
        fs::write(faulty, with_bugs(&name.to_string_lossy(), text)).expect("a written file");
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources of crates/fast");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn with_bugs(file: &str, mut text: String) -> String {
    if file == "lib.rs" {
        // Included, it is no file of its own: no documentation of the whole.
        let modules = text.lines().filter(|line| !line.starts_with("//!"));
        text = modules.collect::<Vec<_>>().join("\n");
    }
    for (k, bug) in BUGS.iter().enumerate().filter(|(_, bug)| bug.file == file) {
        let (before, rest) = bug.place.split_once('«').expect("a place marked by «»");
        let (right, after) = rest.split_once('»').expect("a place marked by «»");
        let sound = format!("{before}{right}{after}");
        assert_eq!(
            text.matches(&sound).count(),
            1,
            "{}: {sound:?} must stand once in {file}; does the fault still make sense?",
            bug.name
        );
        let switch = format!(
            "{{ if crate::bug_is_on({k}) {{ {} }} else {{ {right} }} }}",
            bug.wrong
        );
        text = text.replace(&sound, &format!("{before}{switch}{after}"));
    }
    text
}
