//! The file of a report.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Fatal, Result};

/// A file that is written at the end, all at once, and checked to be writable at the start. Its former contents
/// stay until then.
pub struct Target {
    file: PathBuf,
    part: PathBuf,
}

impl Target {
    pub fn new(file: &Path) -> Result<Self> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let target = Self {
            file: file.to_owned(),
            part: file.with_file_name(name),
        };
        if file.is_dir() {
            let why = "is a folder; name a file, such as report.html";
            return Err(Fatal::Usage(format!("{}: {why}", file.display())));
        }
        fs::write(&target.part, "").map_err(|error| target.unwritable(&error))?;
        Ok(target)
    }

    pub fn write(self, text: &str) -> Result<()> {
        let written = fs::write(&self.part, text).and_then(|()| fs::rename(&self.part, &self.file));
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Fatal {
        let file = self.file.display();
        Fatal::Usage(format!(
            "{file}: cannot be written: {error}; name another file or make its folder"
        ))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Gone already where it was written.
        let _ = fs::remove_file(&self.part);
    }
}
