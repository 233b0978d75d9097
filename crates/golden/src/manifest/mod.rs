//! The manifest of a folder of goldens: its files, and the records in each.
//!
//! A golden proves itself, but a lost golden leaves no trace in the other files. So the
//! folder has a file [`MANIFEST`], text that a person can read:
//!
//! ```text
//! etalon-manifest/1
//! problems/statics/box.json<TAB>1
//! problems/statics/box.json<TAB>"statics/box"<TAB>9a24...
//! ```
//!
//! For each file, in the order of their paths, it has the number of its records, and then each
//! record's name (as JSON text) and the SHA-256 of its text. A trajectory, a recipe and the scene of an engine
//! (`.xml`) are one record each. [`Manifest::differences`] names whatever was dropped, added, changed, renamed or moved.

mod compare;
mod place;

pub use compare::Difference;
pub use place::{ManifestPlace, manifest_place};

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::digest::hex;
use crate::recipes::{is_recipe, is_trajectory_recipe};
use crate::trajectory;

/// The name of the file.
pub const MANIFEST: &str = "MANIFEST";

/// Its first line.
const FORMAT: &str = "etalon-manifest/1";

/// A record of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    name: String,
    /// SHA-256 of the record's text, in hexadecimal digits.
    digest: String,
}

/// The files of a folder of goldens, and their records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// By the path below the folder, with `/` between its parts.
    files: BTreeMap<String, Vec<Entry>>,
}

/// Why a manifest cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ManifestError {
    /// The line, counted from 1.
    pub line: usize,
    /// The fault in it.
    pub reason: String,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] for another format, and for a count that is not that of the records listed.
    pub fn read(text: &str) -> Result<Self, ManifestError> {
        let wrong = |line: usize, reason: &str| ManifestError {
            line,
            reason: reason.to_owned(),
        };
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, first)| first != FORMAT) {
            return Err(wrong(1, "it is not \"etalon-manifest/1\""));
        }
        let mut files: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (number, line) in lines {
            let parts: Vec<&str> = line.split('\t').collect();
            match parts[..] {
                [path, count] => {
                    let count = count
                        .parse()
                        .map_err(|_| wrong(number, "the number of records is no number"))?;
                    if counts.insert(path.to_owned(), (number, count)).is_some() {
                        return Err(wrong(number, "the file is listed twice"));
                    }
                    files.entry(path.to_owned()).or_default();
                }
                [path, name, digest] => {
                    let name = serde_json::from_str(name);
                    let name = name.map_err(|_| wrong(number, "the name is no JSON string"))?;
                    let digest = digest.to_owned();
                    let entries = files.get_mut(path);
                    let entries = entries.ok_or_else(|| wrong(number, "its file has no count"))?;
                    entries.push(Entry { name, digest });
                }
                _ => return Err(wrong(number, "it has neither two parts nor three")),
            }
        }
        for (path, (line, count)) in counts {
            let entries = files.get_mut(&path).map(|entries| {
                entries.sort();
                entries.len()
            });
            if entries != Some(count) {
                return Err(wrong(line, "its number is not that of the records listed"));
            }
        }
        Ok(Self { files })
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        let mut text = format!("{FORMAT}\n");
        for (path, entries) in &self.files {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{path}\t{}", entries.len());
            for Entry { name, digest } in entries {
                let name = serde_json::Value::from(name.as_str());
                let _ = writeln!(text, "{path}\t{name}\t{digest}");
            }
        }
        text
    }

    /// Adds a file with its text, in place of what there was of it.
    pub fn insert(&mut self, path: &str, text: &str) {
        let mut entries = entries(path, text);
        entries.sort();
        self.files.insert(path.to_owned(), entries);
    }

    /// Takes out all files at and below a path; all files for the empty one.
    pub fn remove(&mut self, path: &str) {
        self.files.retain(|file, _| !is_below(file, path));
    }

    /// The files at and below a path; all files for the empty one.
    #[must_use]
    pub fn part(&self, path: &str) -> Self {
        let files = self.files.iter().filter(|(file, _)| is_below(file, path));
        let files = files.map(|(file, entries)| (file.clone(), entries.clone()));
        Self {
            files: files.collect(),
        }
    }

    /// Adds the files of another manifest.
    pub fn extend(&mut self, other: Self) {
        self.files.extend(other.files);
    }

    /// The file that a record of that name is listed under.
    pub fn file_of(&self, name: &str) -> Option<&str> {
        let mut files = self.files.iter();
        let found = files.find(|(_, entries)| entries.iter().any(|entry| entry.name == name));
        found.map(|(path, _)| path.as_str())
    }

    /// The names of all records, file by file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let entries = self.files.values().flatten();
        entries.map(|entry| entry.name.as_str())
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// The number of records.
    pub fn records(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }
}

/// Whether a file is at a path or below it.
fn is_below(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path);
    path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The records in the text of a file.
fn entries(path: &str, text: &str) -> Vec<Entry> {
    let file = Path::new(path);
    let is_list = is_recipe(file) || is_trajectory_recipe(file);
    let is_scene = file.extension().is_some_and(|e| e == "xml");
    let is_stream = file.extension().is_some_and(|e| e == "jsonl");
    let first = text.lines().next().unwrap_or_default();
    if is_list
        || is_scene
        || (is_stream && head(first).format.as_deref() == Some(trajectory::FORMAT))
    {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let digest = hex(text);
        return vec![Entry { name, digest }];
    }
    let entry = |text: &str| Entry {
        name: head(text).name.unwrap_or_default(),
        digest: hex(text),
    };
    if !is_stream {
        return vec![entry(text.trim_end())];
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| entry(line.trim_end())).collect()
}

/// The name of a record, as far as it can be read.
#[derive(Default, Deserialize)]
struct Head {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    format: Option<String>,
}

fn head(text: &str) -> Head {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let mut manifest = Manifest::default();
        manifest.insert("problems/a/p.json", "{\n  \"name\": \"a/p\"\n}\n");
        manifest.insert(
            "problems/b.jsonl",
            "{\"name\":\"b\\t2\"}\n{\"name\":\"b1\"}\n\n",
        );
        let steps = "{\"format\":\"etalon-trajectory/1\"}\n{\"k\":1}\n";
        manifest.insert("trajectories/t.jsonl", steps);
        manifest.insert("trajectories/trajectories.json", "[]");
        manifest.insert("engines/ball.xml", "<mujoco>\n</mujoco>\n");
        manifest
    }

    #[test]
    fn a_manifest_survives_its_text() {
        let manifest = manifest();
        assert_eq!((manifest.files(), manifest.records()), (5, 6));
        let text = manifest.write();
        assert_eq!(Manifest::read(&text), Ok(manifest));
        let names: Vec<_> = text
            .lines()
            .filter_map(|line| line.split('\t').nth(2).and(line.split('\t').nth(1)))
            .collect();
        let expected = [
            r#""ball.xml""#,
            r#""a/p""#,
            r#""b\t2""#,
            r#""b1""#,
            r#""t.jsonl""#,
            r#""trajectories.json""#,
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn the_end_of_the_last_line_does_not_count_and_everything_else_does() {
        let digests = |text: &str| {
            let mut manifest = Manifest::default();
            manifest.insert("p.jsonl", text);
            manifest.write()
        };
        assert_eq!(digests("{\"name\":\"p\"}\n"), digests("{\"name\":\"p\"}"));
        assert_ne!(digests("{\"name\":\"p\"}"), digests("{\"name\": \"p\"}"));
    }

    #[test]
    fn a_part_has_the_files_at_and_below_a_path() {
        let manifest = manifest();
        let files = |path: &str| manifest.part(path).files();
        assert_eq!(files(""), 5);
        assert_eq!(files("problems"), 2);
        assert_eq!(files("problems/a/p.json"), 1);
        assert_eq!(files("problems/a/p"), 0);
        let mut rest = manifest.clone();
        rest.remove("problems");
        assert_eq!(rest.files(), 3);
        rest.extend(manifest.part("problems"));
        assert_eq!(rest, manifest);
    }

    #[test]
    fn a_manifest_that_was_cut_off_is_no_manifest() {
        let text = manifest().write();
        let cut = &text[..text.trim_end().rfind('\n').unwrap() + 1];
        let error = Manifest::read(cut).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 11: its number is not that of the records listed"
        );
        for (text, error) in [
            ("", "line 1: "),
            ("etalon-manifest/2\n", "line 1: "),
            ("etalon-manifest/1\na\tb\tc\td\n", "line 2: it has neither"),
            ("etalon-manifest/1\na\tx\n", "line 2: the number"),
            ("etalon-manifest/1\na\t0\na\t0\n", "line 3: the file"),
            ("etalon-manifest/1\na\t\"p\"\tc\n", "line 2: its file"),
        ] {
            let found = Manifest::read(text).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
