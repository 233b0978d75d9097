//! How the files that are there differ from those that are listed.

use std::collections::BTreeSet;
use std::fmt;

use super::{Entry, Manifest};

/// So many names are given of the records of a file that is gone.
const NAMED: usize = 5;

/// One way in which what is there is not what is listed. Paths are below the manifest's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A listed file is not there.
    FileMissing {
        /// Its path.
        file: String,
        /// The names of its records.
        records: Vec<String>,
    },
    /// A file is there that is not listed.
    FileAdded {
        /// Its path.
        file: String,
    },
    /// A file has the records of a listed one that is gone.
    FileRenamed {
        /// The path that is listed.
        from: String,
        /// The path that is there.
        to: String,
    },
    /// A listed record is not in its file.
    RecordMissing {
        /// The file's path.
        file: String,
        /// The record's name.
        name: String,
    },
    /// A record is in a listed file, but not listed.
    RecordAdded {
        /// The file's path.
        file: String,
        /// The record's name.
        name: String,
    },
    /// A record has another text.
    RecordChanged {
        /// The file's path.
        file: String,
        /// The record's name.
        name: String,
    },
}

impl Difference {
    /// The file that it is about: where there is one, the one that is there.
    pub fn file(&self) -> &str {
        match self {
            Self::FileMissing { file, .. }
            | Self::FileAdded { file }
            | Self::FileRenamed { to: file, .. }
            | Self::RecordMissing { file, .. }
            | Self::RecordAdded { file, .. }
            | Self::RecordChanged { file, .. } => file,
        }
    }

    /// The record that it is about, where it is about one.
    pub fn record(&self) -> Option<&str> {
        match self {
            Self::RecordMissing { name, .. }
            | Self::RecordAdded { name, .. }
            | Self::RecordChanged { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileMissing { records, .. } => {
                let names: Vec<_> = records.iter().take(NAMED).collect();
                let more = if records.len() > NAMED { ", ..." } else { "" };
                let count = records.len();
                write!(
                    f,
                    "the file is missing; the manifest lists it with {count} records: {names:?}{more}"
                )
            }
            Self::FileAdded { .. } => f.write_str("the manifest does not list the file"),
            Self::FileRenamed { from, .. } => {
                write!(f, "the manifest lists the file as {from}")
            }
            Self::RecordMissing { name, .. } => {
                write!(
                    f,
                    "record {name:?} is missing; the manifest lists it in this file"
                )
            }
            Self::RecordAdded { name, .. } => {
                write!(
                    f,
                    "record {name:?} is not listed by the manifest in this file"
                )
            }
            Self::RecordChanged { name, .. } => {
                write!(
                    f,
                    "record {name:?} is not the one that the manifest lists: its text has changed"
                )
            }
        }
    }
}

impl Manifest {
    /// How the files `found` differ from those that are listed here, file by file; empty where they
    /// do not.
    pub fn differences(&self, found: &Self) -> Vec<Difference> {
        let mut differences = Vec::new();
        let paths: BTreeSet<_> = self.files.keys().chain(found.files.keys()).collect();
        for file in paths {
            match (self.files.get(file), found.files.get(file)) {
                (Some(listed), Some(there)) => compare(file, listed, there, &mut differences),
                (Some(listed), None) => {
                    // A file that has come with the same records is this one by another name.
                    let renamed = found.files.iter().any(|(other, entries)| {
                        !self.files.contains_key(other) && entries == listed
                    });
                    if !renamed {
                        differences.push(Difference::FileMissing {
                            file: file.clone(),
                            records: listed.iter().map(|entry| entry.name.clone()).collect(),
                        });
                    }
                }
                (None, Some(there)) => {
                    let before = self.files.iter().find(|(other, entries)| {
                        !found.files.contains_key(*other) && *entries == there
                    });
                    let file = file.clone();
                    differences.push(match before {
                        Some((from, _)) => Difference::FileRenamed {
                            from: from.clone(),
                            to: file,
                        },
                        None => Difference::FileAdded { file },
                    });
                }
                (None, None) => {}
            }
        }
        differences
    }
}

/// Both lists are sorted by name; a name may come more than once.
fn compare(file: &str, listed: &[Entry], there: &[Entry], found: &mut Vec<Difference>) {
    let names: BTreeSet<&String> = listed
        .iter()
        .chain(there)
        .map(|entry| &entry.name)
        .collect();
    for name in names {
        let own = |entries: &[Entry]| -> Vec<String> {
            let own = entries.iter().filter(|entry| entry.name == *name);
            own.map(|entry| entry.digest.clone()).collect()
        };
        let (listed, there) = (own(listed), own(there));
        if listed == there {
            continue;
        }
        let (file, name) = (file.to_owned(), name.clone());
        found.push(match listed.len().cmp(&there.len()) {
            std::cmp::Ordering::Greater => Difference::RecordMissing { file, name },
            std::cmp::Ordering::Less => Difference::RecordAdded { file, name },
            std::cmp::Ordering::Equal => Difference::RecordChanged { file, name },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(files: &[(&str, &str)]) -> Manifest {
        let mut manifest = Manifest::default();
        for (path, names) in files {
            let record = |name: &str| format!("{{\"name\":\"{name}\"}}\n");
            let text: String = names.split_whitespace().map(record).collect();
            manifest.insert(path, &text);
        }
        manifest
    }

    fn words(listed: &Manifest, found: &Manifest) -> Vec<String> {
        let differences = listed.differences(found);
        let words = differences.iter().map(|d| format!("{}: {d}", d.file()));
        words.collect()
    }

    #[test]
    fn what_was_dropped_added_or_renamed_is_named() {
        let listed = manifest(&[("a.jsonl", "p q r"), ("b.jsonl", "s")]);
        assert!(words(&listed, &listed).is_empty());
        let found = manifest(&[("a.jsonl", "p r"), ("b.jsonl", "s")]);
        assert_eq!(
            words(&listed, &found),
            ["a.jsonl: record \"q\" is missing; the manifest lists it in this file"]
        );
        let found = manifest(&[("a.jsonl", "p q2 r"), ("b.jsonl", "s")]);
        assert_eq!(
            words(&listed, &found),
            [
                "a.jsonl: record \"q\" is missing; the manifest lists it in this file",
                "a.jsonl: record \"q2\" is not listed by the manifest in this file"
            ]
        );
        let found = manifest(&[("a.jsonl", "p q q r"), ("b.jsonl", "s")]);
        assert_eq!(
            words(&listed, &found),
            ["a.jsonl: record \"q\" is not listed by the manifest in this file"]
        );
        let found = manifest(&[("a.jsonl", "p q r"), ("c.jsonl", "s")]);
        assert_eq!(
            words(&listed, &found),
            ["c.jsonl: the manifest lists the file as b.jsonl"]
        );
        let found = manifest(&[("a.jsonl", "p q r")]);
        assert_eq!(
            words(&listed, &found),
            ["b.jsonl: the file is missing; the manifest lists it with 1 records: [\"s\"]"]
        );
        assert_eq!(
            words(&found, &listed),
            ["b.jsonl: the manifest does not list the file"]
        );
    }

    #[test]
    fn a_record_with_another_text_is_named() {
        let mut listed = manifest(&[("a.jsonl", "p q")]);
        let found = listed.clone();
        listed.insert("a.jsonl", "{\"name\":\"p\"}\n{\"name\":\"q\",\"notes\":1}");
        assert_eq!(
            words(&listed, &found),
            ["a.jsonl: record \"q\" is not the one that the manifest lists: its text has changed"]
        );
    }
}
