//! Files by their paths: on disk, or among the goldens that are built in.
//!
//! A path `built-in:golden/...` is one of the goldens inside of the program. A path `golden/...` is one of
//! them, too, where there is no folder `golden` on disk: commands that name goldens then work in any
//! folder. What is on disk comes first, so that in a checkout it is the checkout's files that are read.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use etalon_lcp::record::stream::{InputError, Texts};

use crate::manifest::{MANIFEST, Manifest};

/// The prefix of a path of a built-in golden, whatever is on disk.
pub const BUILT_IN: &str = "built-in:golden";

/// What files of records end with.
const RECORDS: [&str; 2] = ["json", "jsonl"];

/// What files end with that a manifest lists.
const LISTED: [&str; 3] = ["json", "jsonl", "xml"];

/// The folder that they stand for.
const GOLDEN: &str = "golden";

/// The record files under the given paths: a file stands for itself, a folder for all `.json` and `.jsonl` files in it and below, in the order of
/// their names. Built-in ones are found, too.
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn all_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    files_with(paths, &RECORDS)
}

/// The files under the given paths that a manifest lists: those of records, and the scenes of engines (`.xml`).
///
/// # Errors
/// [`InputError::Io`] for a folder that cannot be read.
pub fn listed_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    files_with(paths, &LISTED)
}

fn files_with(paths: &[PathBuf], extensions: &[&str]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = Vec::new();
    for path in paths {
        match built_in(path) {
            None if path.as_os_str() == "-" || !path.is_dir() => files.push(path.clone()),
            None => collect(path, extensions, &mut files).map_err(|source| {
                let file = path.display().to_string();
                InputError::Io { file, source }
            })?,
            Some(inner) => files.extend(below(&inner, extensions).map(|found| {
                let rest = found.strip_prefix(&*inner).unwrap_or_default();
                let rest = rest.trim_start_matches('/');
                match rest {
                    "" => path.clone(),
                    rest => path.join(rest),
                }
            })),
        }
    }
    Ok(files)
}

fn collect(folder: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, extensions, files)?;
        } else if path
            .extension()
            .is_some_and(|own| extensions.iter().any(|other| own == *other))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Opens a file or, for `-`, standard input, as texts of records.
///
/// # Errors
/// [`InputError::Io`] when it cannot be opened.
pub(crate) fn open_texts(path: &Path) -> Result<Texts, InputError> {
    let Some(inner) = built_in(path) else {
        return Texts::open(path);
    };
    let file = path.display().to_string();
    let text = text_of(&inner).map_err(|source| InputError::Io {
        file: file.clone(),
        source,
    })?;
    Ok(Texts::new(&file, Box::new(Cursor::new(text.into_bytes()))))
}

/// Opens a file.
///
/// # Errors
/// As [`File::open`]; a built-in file whose text has not the digest that the manifest lists.
pub(crate) fn open_file(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(match built_in(path) {
        Some(inner) => Box::new(Cursor::new(text_of(&inner)?.into_bytes())),
        None => Box::new(File::open(path)?),
    })
}

/// The first bytes of a built-in file, at most so many, and not held against the manifest: to unpack all of it and to compare takes as long as to
/// read it.
pub(crate) fn built_in_start(path: &Path, most: usize) -> Option<Vec<u8>> {
    etalon_golden_data::start(&built_in(path)?, most)
}

/// The text of a regular file; what is no character in it is replaced.
///
/// # Errors
/// As [`File::open`]; a pipe or a device, which would be waited for; a built-in file whose text has not the digest that the manifest lists.
pub fn text(path: &Path) -> io::Result<String> {
    match built_in(path) {
        Some(inner) => text_of(&inner),
        None if std::fs::metadata(path)?.is_file() => {
            Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
        }
        None => Err(io::Error::other("it is no regular file")),
    }
}

/// Whether there is a file or a folder of that name, on disk or built in.
pub fn exists(path: &Path) -> bool {
    path.exists() || built_in(path).is_some()
}

/// Whether a path means a regular file: what a pipe has given cannot be had again.
pub(crate) fn is_regular(path: &Path) -> bool {
    let on_disk = || std::fs::metadata(path).is_ok_and(|data| data.is_file());
    built_in(path).map_or_else(on_disk, |inner| is_packed(&inner))
}

/// The path below the folder `golden` of what is built in, if the path means that.
pub fn built_in(path: &Path) -> Option<String> {
    let written = path.to_str()?;
    let inner = match written.strip_prefix(BUILT_IN) {
        Some(inner) => inner.strip_prefix('/').unwrap_or(inner),
        // In a checkout a golden that is gone is gone, and its copy is not to stand in for it.
        None if path.exists() || Path::new(GOLDEN).exists() => return None,
        None => {
            let path = path.strip_prefix(".").unwrap_or(path);
            path.strip_prefix(GOLDEN).ok()?.to_str()?
        }
    };
    let inner = inner.trim_end_matches('/').replace('\\', "/");
    below(&inner, &LISTED).next()?;
    Some(inner)
}

/// A path as it would be in a checkout: `golden/...` for what is built in.
pub(crate) fn as_on_disk(path: &Path) -> PathBuf {
    match built_in(path) {
        Some(inner) if inner.is_empty() => PathBuf::from(GOLDEN),
        Some(inner) => Path::new(GOLDEN).join(inner),
        None => path.to_owned(),
    }
}

fn is_packed(inner: &str) -> bool {
    etalon_golden_data::paths().any(|path| path == inner)
}

/// The packed files at a path, and those with one of these extensions below it.
fn below(inner: &str, extensions: &[&str]) -> impl Iterator<Item = &'static str> {
    let inner = inner.to_owned();
    let endings: Vec<_> = extensions.iter().map(|own| format!(".{own}")).collect();
    etalon_golden_data::paths().filter(move |path| {
        let rest = path.strip_prefix(&*inner);
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        match endings.iter().any(|own| path.ends_with(own)) {
            true => inner.is_empty() || rest.is_some_and(is_below),
            false => *path == inner,
        }
    })
}

/// The text of a packed file, held against the packed manifest.
fn text_of(inner: &str) -> io::Result<String> {
    static MANIFEST_OF_ALL: LazyLock<Option<Manifest>> = LazyLock::new(|| {
        let text = etalon_golden_data::text(MANIFEST)?.ok()?;
        Manifest::read(&text).ok()
    });
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the built-in text is damaged");
    let text = etalon_golden_data::text(inner).ok_or(io::ErrorKind::NotFound)?;
    let text = text.map_err(|_| damaged())?;
    if inner == MANIFEST {
        return Ok(text);
    }
    let listed = MANIFEST_OF_ALL.as_ref().ok_or_else(damaged)?.part(inner);
    let mut own = Manifest::default();
    own.insert(inner, &text);
    if own != listed {
        return Err(damaged());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(path: &str) -> Vec<String> {
        let files = all_files(&[PathBuf::from(path)]).unwrap();
        files
            .iter()
            .map(|file| file.display().to_string())
            .collect()
    }

    #[test]
    fn every_built_in_file_has_its_digest() {
        let files = listed_files(&[PathBuf::from(BUILT_IN)]).unwrap();
        assert!(files.len() > paths(BUILT_IN).len() && files.len() > 300);
        let manifest = Manifest::read(&text(Path::new("built-in:golden/MANIFEST")).unwrap());
        assert_eq!(manifest.unwrap().files(), files.len());
        for file in files {
            text(&file).unwrap();
        }
    }

    #[test]
    fn what_is_on_disk_comes_first() {
        // Tests run in the folder of the crate, where there is no folder `golden`.
        assert!(!Path::new("golden").exists());
        let found = paths("golden/problems/generated");
        assert!(found.contains(&"golden/problems/generated/murty.jsonl".to_owned()));
        assert_eq!(paths(&found[0]), found[..1]);
        let disk = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../golden/problems/generated"
        );
        assert_eq!(paths(disk).len(), found.len());
        assert!(paths(disk).iter().all(|path| path.starts_with(disk)));
        for nothing in [
            "golden/nothing",
            "golden/prob",
            "golden/src",
            "built-in:nothing",
            "-",
        ] {
            assert_eq!(built_in(Path::new(nothing)), None, "{nothing}");
        }
        assert!(open_texts(Path::new("golden/nothing")).is_err());
    }

    #[test]
    fn built_in_paths_mean_suites_of_goldens() {
        let path = Path::new("built-in:golden/problems/generated/murty.jsonl");
        let golden = Path::new("golden/problems/generated/murty.jsonl");
        assert_eq!(as_on_disk(path), golden);
        assert_eq!(as_on_disk(Path::new(BUILT_IN)), Path::new("golden"));
        assert_eq!(as_on_disk(Path::new("mine.json")), Path::new("mine.json"));
    }
}
