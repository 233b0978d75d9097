//! The files that a run writes.

use std::path::{Path, PathBuf};

use crate::{Fatal, Result};

/// The files of --lcps PREFIX: problems and claims.
pub fn lcp_files(prefix: &Path) -> [PathBuf; 2] {
    [".problems.jsonl", ".claims.jsonl"].map(|ending| {
        let mut name = prefix.to_owned().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    })
}

/// Writes pictures to the files that are named.
pub fn write_pictures(pictures: [(&Option<PathBuf>, Option<String>); 2]) -> Result<()> {
    for (path, picture) in pictures {
        if let (Some(path), Some(picture)) = (path, picture) {
            std::fs::write(path, picture).map_err(Fatal::unwritten(path))?;
        }
    }
    Ok(())
}
