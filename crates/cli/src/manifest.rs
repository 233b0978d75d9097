//! The manifest of golden folders on the command line: held against what is there, and written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_golden::{Difference, MANIFEST, Manifest, ManifestPlace, files, manifest_place};
use serde_json::{Value, json};

use super::colours::{bad, failures};
use super::console::Console;
use super::{Fatal, Result};

/// The result of comparing manifests with the files.
#[derive(Default)]
pub struct Held {
    manifests: Vec<PathBuf>,
    files: usize,
    records: usize,
    /// Each with the folder of its manifest.
    failures: Vec<(PathBuf, Difference)>,
}

impl Held {
    /// Whether everything listed is there, and nothing else.
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty()
    }

    /// Whether there is no manifest.
    pub fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    /// For people: the failures, and one sentence.
    pub fn to_text(&self) -> String {
        let failure = bad("failure:");
        let mut text = String::new();
        for (folder, difference) in &self.failures {
            let file = folder.join(difference.file());
            text += &format!("{failure} {}: {difference}\n", file.display());
        }
        let manifests = self.manifests.iter().map(|file| file.display().to_string());
        let manifests: Vec<_> = manifests.collect();
        let (files, records, failures) = (self.files, self.records, failures(self.failures.len()));
        text + &format!(
            "{}: {files} files with {records} records, {failures}",
            manifests.join(", ")
        )
    }

    /// For programs: counts, and the failures as those of records are.
    pub fn to_json(&self) -> (Value, Vec<Value>) {
        let failures = self.failures.iter().map(|(folder, difference)| {
            json!({
                "file": folder.join(difference.file()),
                "line": null,
                "name": difference.record(),
                "place": "manifest",
                "reason": difference.to_string(),
            })
        });
        let counts = json!({
            "manifests": self.manifests,
            "files": self.files,
            "records": self.records,
        });
        (counts, failures.collect())
    }
}

/// A folder with a manifest, and the paths that are under it, each with its place below that.
struct Folder<'a> {
    folder: PathBuf,
    places: Vec<(&'a Path, ManifestPlace)>,
}

impl Folder<'_> {
    fn file(&self) -> PathBuf {
        self.folder.join(MANIFEST)
    }
}

/// The folders that the paths are under. One may be written in several ways, and comes once.
fn folders(paths: &[PathBuf]) -> Vec<Folder<'_>> {
    let mut folders: BTreeMap<PathBuf, Folder<'_>> = BTreeMap::new();
    for path in paths {
        let Some(place) = manifest_place(path) else {
            continue;
        };
        // What is built in is nowhere on disk.
        let absolute = place.folder.canonicalize();
        let absolute = absolute.unwrap_or_else(|_| place.folder.clone());
        let folder = folders.entry(absolute).or_insert_with(|| Folder {
            folder: place.folder.clone(),
            places: Vec::new(),
        });
        folder.places.push((path, place));
    }
    folders.into_values().collect()
}

/// Holds what is at the paths against the manifests that they are under: of each only the part at
/// and below the path. Says in a line that some paths are under none.
pub fn check(paths: &[PathBuf], console: &Console) -> Result<Held> {
    let mut held = Held::default();
    let mut covered = 0;
    for folder in folders(paths) {
        let file = folder.file();
        if !files::exists(&file) {
            continue;
        }
        covered += folder.places.len();
        let manifest = read(&file)?;
        let (mut listed, mut found) = (Manifest::default(), Manifest::default());
        for (path, place) in &folder.places {
            listed.extend(manifest.part(&place.path));
            found.extend(there(path, place)?);
        }
        let differences = listed.differences(&found).into_iter();
        let located = differences.map(|difference| (folder.folder.clone(), difference));
        held.failures.extend(located);
        held.files += found.files();
        held.records += found.records();
        held.manifests.push(file);
    }
    if covered < paths.len() {
        console.note(
            "there is no MANIFEST of goldens above what is verified: records that were dropped are not missed",
        );
    }
    Ok(held)
}

/// The manifests that the paths are under, as they are with these contents of files: each file with
/// its text. A golden folder that has none gets one if it is given as a whole. What is listed of files that
/// are left as they are, because something in them is wrong, stays as it is, too.
pub fn regenerate(
    paths: &[PathBuf],
    contents: &BTreeMap<PathBuf, String>,
    left: &[&PathBuf],
) -> Result<Vec<(PathBuf, String)>> {
    let mut manifests = Vec::new();
    for folder in folders(paths) {
        let file = folder.file();
        let places = &folder.places;
        let whole = places.iter().any(|(_, place)| place.path.is_empty());
        let before = match (whole, file.exists()) {
            (true, true) => read(&file).unwrap_or_default(),
            (true, false) => Manifest::default(),
            (false, true) => read(&file)?,
            (false, false) => continue,
        };
        let mut manifest = before.clone();
        for (_, place) in places {
            manifest.remove(&place.path);
        }
        for (path, place) in places {
            manifest.extend(there(path, place)?);
        }
        for (content, text) in contents {
            // A recipe that is given alone makes files beside it.
            if let Some(path) = path_in(&folder.folder, content) {
                manifest.insert(&path, text);
            }
        }
        for path in left.iter().filter_map(|file| path_in(&folder.folder, file)) {
            manifest.remove(&path);
            manifest.extend(before.part(&path));
        }
        manifests.push((file, manifest.write()));
    }
    Ok(manifests)
}

/// The path of a file in the manifest of a folder; `None` where it is in another one.
fn path_in(folder: &Path, file: &Path) -> Option<String> {
    let beside = file
        .parent()
        .filter(|beside| !beside.as_os_str().is_empty());
    let place = manifest_place(beside.unwrap_or(Path::new(".")))?;
    let same = place.folder.canonicalize().ok()? == folder.canonicalize().ok()?;
    let name = Path::new(file.file_name()?);
    same.then(|| place.path_of(Path::new(""), name))
}

/// The files at a path.
fn there(path: &Path, place: &ManifestPlace) -> Result<Manifest> {
    let mut found = Manifest::default();
    let is_listed = |file: &Path| {
        let extension = file.extension();
        extension.is_some_and(|e| e == "json" || e == "jsonl" || e == "xml")
    };
    for file in files::listed_files(&[path.to_owned()])? {
        if is_listed(&file) {
            let text = files::text(&file).map_err(|error| unreadable(&file, &error))?;
            found.insert(&place.path_of(path, &file), &text);
        }
    }
    Ok(found)
}

fn read(file: &Path) -> Result<Manifest> {
    let text = files::text(file).map_err(|error| unreadable(file, &error))?;
    Manifest::read(&text).map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &Path, error: &dyn std::fmt::Display) -> Fatal {
    Fatal::Usage(format!("{}: {error}", file.display()))
}
