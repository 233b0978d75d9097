//! Which manifest a path is under.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use super::{FORMAT, MANIFEST};
use crate::files;

/// The folder of a manifest, seen from a path in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestPlace {
    /// The folder, as it follows from the path as it was given.
    pub folder: PathBuf,
    /// The path below the folder, with `/` between its parts; empty for the folder itself.
    pub path: String,
}

impl ManifestPlace {
    /// The manifest's file.
    pub fn file(&self) -> PathBuf {
        self.folder.join(MANIFEST)
    }

    /// The path of a file below the path from which this was found, as the manifest has it.
    pub fn path_of(&self, given: &Path, file: &Path) -> String {
        let rest = file.strip_prefix(given).unwrap_or(Path::new(""));
        let rest = words(rest);
        match (&*self.path, &*rest) {
            ("", _) => rest,
            (own, "") => own.to_owned(),
            (own, _) => format!("{own}/{rest}"),
        }
    }
}

/// The nearest folder with a manifest, at a path or above it; a folder called `golden` counts also
/// where it has none yet, and where what it has cannot be read as one. `None` where there is no such
/// folder, and for standard input.
pub fn manifest_place(given: &Path) -> Option<ManifestPlace> {
    if let Some(path) = files::built_in(given) {
        let outer = given.ancestors().find(|own| {
            let inner = files::built_in(own);
            inner.is_some_and(|inner| inner.is_empty())
        });
        let folder = outer?.to_owned();
        return Some(ManifestPlace { folder, path });
    }
    let absolute = given.canonicalize().ok()?;
    for (depth, folder) in absolute.ancestors().enumerate() {
        if !(has_manifest(folder) || is_golden(folder)) {
            continue;
        }
        let path = words(absolute.strip_prefix(folder).ok()?);
        // Messages say the folder as the caller would.
        let own = given.ancestors().nth(depth).filter(|own| {
            let same = own.canonicalize().is_ok_and(|own| own == folder);
            same && !own.as_os_str().is_empty()
        });
        let folder = own.unwrap_or(folder).to_owned();
        return Some(ManifestPlace { folder, path });
    }
    None
}

/// Whether it is called so and has goldens: a checkout may be called so, too.
fn is_golden(folder: &Path) -> bool {
    let suites = ["problems", "scenes", "trajectories"];
    folder.file_name().is_some_and(|name| name == "golden")
        && suites.iter().any(|suite| folder.join(suite).is_dir())
}

/// Other programs have files of that name, too.
fn has_manifest(folder: &Path) -> bool {
    let Ok(file) = File::open(folder.join(MANIFEST)) else {
        return false;
    };
    let mut first = String::new();
    let length = FORMAT.len() as u64 + 2;
    let read = BufReader::new(file.take(length)).read_line(&mut first);
    read.is_ok() && first.trim_end() == FORMAT
}

fn words(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_nearest_folder_with_a_manifest_counts() {
        let bench = tempfile::tempdir().unwrap();
        let at = |path: &str| bench.path().join(path);
        fs::create_dir_all(at("mine/suite")).unwrap();
        fs::create_dir_all(at("golden/problems")).unwrap();
        fs::write(at("mine/suite/p.json"), "").unwrap();
        // A folder of another project, and a manifest of something else.
        assert_eq!(manifest_place(&at("mine/suite")), None);
        fs::write(at("mine/MANIFEST"), "Manifest-Version: 1.0\n").unwrap();
        assert_eq!(manifest_place(&at("mine/suite")), None);
        fs::write(at("mine/MANIFEST"), "etalon-manifest/1\n").unwrap();
        let place = manifest_place(&at("mine/suite")).unwrap();
        assert_eq!((place.folder.clone(), &*place.path), (at("mine"), "suite"));
        assert_eq!(
            place.path_of(&at("mine/suite"), &at("mine/suite/p.json")),
            "suite/p.json"
        );
        let place = manifest_place(&at("mine/suite/p.json")).unwrap();
        assert_eq!(
            place.path_of(&at("mine/suite/p.json"), &at("mine/suite/p.json")),
            "suite/p.json"
        );
        let place = manifest_place(&at("golden")).unwrap();
        assert_eq!((place.folder.clone(), &*place.path), (at("golden"), ""));
        assert_eq!(
            place.path_of(&at("golden"), &at("golden/problems/a.json")),
            "problems/a.json"
        );
        assert_eq!(manifest_place(Path::new("-")), None);
    }
}
