//! Golden problems by their names: the manifest says in which file each stands, so that not all have to be read.

use std::path::{Path, PathBuf};

use crate::error::ReadError;
use crate::files;
use crate::manifest::{MANIFEST, Manifest};
use crate::read::{Golden, read};

/// The folder of problems in a folder of goldens.
const PROBLEMS: &str = "problems";

/// The names of all problems of a folder of goldens, as its manifest lists them; without one, as the records have them.
///
/// # Errors
/// As [`read`], where there is no manifest.
pub fn problem_names(folder: &Path) -> Result<Vec<String>, ReadError> {
    if let Some(listed) = listed(folder) {
        return Ok(listed.names().map(ToOwned::to_owned).collect());
    }
    let names = read(&[folder.join(PROBLEMS)])?.map(|golden| Ok(golden?.problem.name().to_owned()));
    names.collect()
}

/// The problem of that name in a folder of goldens. Where the manifest does not list it, or no longer rightly, all files are
/// read.
///
/// # Errors
/// As [`read`], the first record that cannot be read, and another record of that name.
pub fn find_problem(folder: &Path, name: &str) -> Result<Option<Golden>, ReadError> {
    let listed = listed(folder).and_then(|listed| Some(folder.join(listed.file_of(name)?)));
    let listed = listed.filter(|file| files::exists(file));
    let found = match listed {
        Some(file) => only_named(file, name)?,
        None => None,
    };
    match found {
        Some(golden) => Ok(Some(golden)),
        None => only_named(folder.join(PROBLEMS), name),
    }
}

/// What the manifest says of problems, if it can be read.
fn listed(folder: &Path) -> Option<Manifest> {
    let text = files::text(&folder.join(MANIFEST)).ok()?;
    Some(Manifest::read(&text).ok()?.part(PROBLEMS))
}

fn only_named(path: PathBuf, name: &str) -> Result<Option<Golden>, ReadError> {
    let mut found = None;
    for golden in read(&[path])? {
        match golden {
            Ok(golden) if golden.problem.name() == name => found = Some(golden),
            Ok(_) => {}
            Err(ReadError::DuplicateName(twice)) if twice.name != name => {}
            // What is broken elsewhere is no reason against one that was found.
            Err(error) if found.is_some() && !matches!(error, ReadError::DuplicateName(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn record(name: &str) -> String {
        format!(r#"{{"name": "{name}", "M": [[1]], "q": [-1]}}"#)
    }

    /// A folder with problems a and b in files of their own, and a manifest of them.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("problems")).unwrap();
        let mut manifest = Manifest::default();
        for name in ["a", "b"] {
            let file = format!("problems/{name}.json");
            fs::write(at(&file), record(name)).unwrap();
            manifest.insert(&file, &record(name));
        }
        fs::write(at(MANIFEST), manifest.write()).unwrap();
        folder
    }

    fn found(folder: &Path, name: &str) -> Option<String> {
        let found = find_problem(folder, name).unwrap();
        found.map(|golden| golden.origin.to_string())
    }

    #[test]
    fn only_the_file_that_is_listed_is_read() {
        let folder = folder();
        fs::write(folder.path().join("problems/b.json"), "no record").unwrap();
        assert!(found(folder.path(), "a").unwrap().contains("a.json"));
        assert!(find_problem(folder.path(), "b").is_err());
        assert_eq!(problem_names(folder.path()).unwrap(), ["a", "b"]);
    }

    #[test]
    fn a_name_that_no_manifest_places_stands_in_one_file() {
        let folder = folder();
        let at = |path: &str| folder.path().join(path);
        fs::remove_file(at(MANIFEST)).unwrap();
        fs::write(at("problems/c.json"), record("b")).unwrap();
        let error = find_problem(folder.path(), "b").unwrap_err().to_string();
        assert!(
            error.contains("the name is taken by the record at"),
            "{error}"
        );
        assert!(
            error.contains("c.json:1") && error.contains("b.json:1"),
            "{error}"
        );
        // The name of another is no matter, nor is what is broken behind it.
        fs::write(at("problems/d.json"), "no record").unwrap();
        assert!(found(folder.path(), "a").unwrap().contains("a.json"));
    }

    #[test]
    fn what_the_manifest_does_not_know_is_found_all_the_same() {
        let folder = folder();
        let at = |path: &str| folder.path().join(path);
        // A new file, one that has changed its name, one whose record has.
        fs::write(at("problems/c.json"), record("c")).unwrap();
        fs::rename(at("problems/a.json"), at("problems/d.json")).unwrap();
        fs::write(at("problems/b.json"), record("e")).unwrap();
        for (name, file) in [("c", "c.json"), ("a", "d.json"), ("e", "b.json")] {
            assert!(found(folder.path(), name).unwrap().contains(file), "{name}");
        }
        assert_eq!(found(folder.path(), "b"), None);
        fs::remove_file(at(MANIFEST)).unwrap();
        assert_eq!(problem_names(folder.path()).unwrap(), ["e", "c", "a"]);
    }
}
