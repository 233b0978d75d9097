//! The files that a command writes: all are looked at before anything is computed, and none is touched by looking.

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use crate::{Fatal, Result};

/// A file to write, with its option as it is written.
pub type Output<'a> = (&'a str, Option<&'a Path>);

/// Refuses files that cannot be written, that are inputs, and that two options name. What stands in them stays: a
/// command that is refused has created and cut none.
pub fn check_outputs(outputs: &[Output<'_>], inputs: &[&Path]) -> Result<()> {
    let named = outputs
        .iter()
        .filter_map(|(option, path)| Some((*option, (*path)?)));
    let named: Vec<_> = named.collect();
    for (k, (option, path)) in named.iter().enumerate() {
        check_writable(path).map_err(Fatal::unwritten(path))?;
        let name = path.display();
        if inputs.iter().any(|input| is_same_file(path, input)) {
            return Err(Fatal::Usage(format!(
                "{name} is an input; name another with {option}"
            )));
        }
        let mut earlier = named[..k].iter();
        if let Some((other, _)) = earlier.find(|(_, other)| is_one_output(path, other)) {
            return Err(Fatal::Usage(format!(
                "{name} is the file of {other}; name another with {option}"
            )));
        }
    }
    Ok(())
}

/// Whether a file could be opened to be written, as far as can be told without creating or cutting it.
fn check_writable(path: &Path) -> std::result::Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(Error::new(
            ErrorKind::IsADirectory,
            "it is a folder; name a file",
        )),
        Ok(there) if there.is_file() => OpenOptions::new().write(true).open(path).map(drop),
        // Opened, a pipe would wait for its reader.
        Ok(_) => Ok(()),
        Err(_) => match folder(path).metadata()? {
            there if there.is_dir() => Ok(()),
            _ => Err(Error::from(ErrorKind::NotADirectory)),
        },
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|own| !own.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether two options name one file; pipes and devices take what both write.
fn is_one_output(one: &Path, other: &Path) -> bool {
    if let Ok(there) = std::fs::metadata(one) {
        return there.is_file() && is_same_file(one, other);
    }
    // Neither is there yet.
    let place = |path: &Path| -> Option<PathBuf> {
        Some(folder(path).canonicalize().ok()?.join(path.file_name()?))
    };
    place(one).is_some_and(|own| place(other) == Some(own))
}

/// Whether two paths lead to one file, hard links included.
#[cfg(unix)]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((number(one), number(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether two paths lead to one file.
#[cfg(not(unix))]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let files = (one.canonicalize(), other.canonicalize());
    matches!(files, (Ok(one), Ok(other)) if one == other)
}
