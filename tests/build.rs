//! Makes faulty copies of crates: their text, with each fault of `seeded` behind a switch.

use std::path::{Path, PathBuf};
use std::{env, fs};

include!("seeded/bugs.rs");
include!("seeded/steppers.rs");
include!("seeded/forces.rs");
include!("seeded/planar.rs");

/// A crate whose sound text stands in `crates/NAME/src`, with its faults.
const CRATES: [(&str, &[Bug]); 4] = [
    ("fast", BUGS),
    ("time-stepping", STEPPER_BUGS),
    ("contact-forces", FORCE_BUGS),
    ("planar", PLANAR_BUGS),
];

fn main() {
    println!("cargo::rerun-if-changed=seeded");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (name, bugs) in CRATES {
        let sound = Path::new("../crates").join(name).join("src");
        println!("cargo::rerun-if-changed={}", sound.display());
        let copy = out.join(name);
        let _ = fs::remove_dir_all(&copy);
        for file in sources(&sound) {
            let own = file.strip_prefix(&sound).expect("a file in the folder");
            let text = fs::read_to_string(&file).expect("readable sources");
            let faulty = copy.join(own);
            fs::create_dir_all(faulty.parent().expect("a file in a folder")).expect("a folder");
            let text = with_bugs(bugs, &own.to_string_lossy(), text);
            fs::write(faulty, text).expect("a written file");
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources of a crate");
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

fn with_bugs(bugs: &[Bug], file: &str, mut text: String) -> String {
    if file == "lib.rs" {
        // Included, it is no file of its own: no documentation of the whole.
        let inner = |line: &&str| !line.starts_with("//!") && !line.starts_with("#![");
        let modules = text.lines().filter(inner);
        text = modules.collect::<Vec<_>>().join("\n");
    }
    // The crate runs its own tests.
    text = text.replace("#[cfg(test)]", "#[cfg(any())]");
    for (k, bug) in bugs.iter().enumerate().filter(|(_, bug)| bug.file == file) {
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
