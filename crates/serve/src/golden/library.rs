//! The trajectories that the page may play: read once, when the server starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use etalon_golden::trajectory::{TrajectoryError, read_header};
use serde::Serialize;

use super::film::{Film, description};
use super::space::is_space;

/// Larger files are left out.
const LARGEST: u64 = 64 * 1024 * 1024;
/// A folder has at most so many trajectories.
const MOST: usize = 1000;

/// Why a trajectory cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// The folder cannot be read.
    #[error("{path}: {source}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file cannot be read.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file, or the folder, is larger than the server takes.
    #[error("{path}: too large: files up to {LARGEST} bytes and {MOST} of them are played")]
    TooLarge {
        /// Which.
        path: PathBuf,
    },
    /// It is no trajectory, or has a line that is none of one.
    #[error(transparent)]
    Trajectory(#[from] TrajectoryError),
}

/// Trajectories by name.
#[derive(Debug, Default)]
pub struct Library {
    shelves: BTreeMap<String, Shelf>,
    list: String,
}

#[derive(Debug)]
struct Shelf {
    text: String,
    scenario: String,
    space: bool,
    film: OnceLock<Arc<str>>,
}

/// A trajectory as the list shows it.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    name: &'a str,
    scenario: &'a str,
    description: &'a str,
    steps: usize,
    /// Whether bodies move in space: then it is asked for as a motion, and its film has plots alone.
    space: bool,
    /// The trajectory to show beside it.
    beside: Option<String>,
}

impl Library {
    /// Reads the trajectories of a folder, or of its folder `trajectories`: all files `*.jsonl`.
    /// Those that cannot be played are left out, and handed over with the reason.
    ///
    /// # Errors
    /// [`GoldenError::Folder`] when there is no such folder.
    pub fn read(folder: &Path) -> Result<(Self, Vec<GoldenError>), GoldenError> {
        let inner = folder.join("trajectories");
        let folder = if inner.is_dir() { &inner } else { folder };
        let failed = |source| GoldenError::Folder {
            path: folder.to_owned(),
            source,
        };
        let mut library = Self::default();
        let mut left_out = Vec::new();
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                paths.push(path);
            }
        }
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let text = library.text_of(path);
            if let Err(error) = text.and_then(|text| library.add(name, text)) {
                left_out.push(error);
            }
        }
        library.list = library.listed();
        Ok((library, left_out))
    }

    /// Trajectories that are at hand, each its name and its text. Those that cannot be played are
    /// left out, and handed over with the reason.
    pub fn of(texts: impl IntoIterator<Item = (String, String)>) -> (Self, Vec<GoldenError>) {
        let mut library = Self::default();
        let mut left_out = Vec::new();
        for (name, text) in texts {
            if let Err(error) = library.add(name, text) {
                left_out.push(error);
            }
        }
        library.list = library.listed();
        (library, left_out)
    }

    fn text_of(&self, path: PathBuf) -> Result<String, GoldenError> {
        let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if size > LARGEST || self.shelves.len() >= MOST {
            return Err(GoldenError::TooLarge { path });
        }
        let text = std::fs::read_to_string(&path);
        text.map_err(|source| GoldenError::File { path, source })
    }

    fn add(&mut self, name: String, text: String) -> Result<(), GoldenError> {
        let first = text.lines().next().unwrap_or_default();
        let header = read_header(&name, first)?;
        let shelf = Shelf {
            space: is_space(&header),
            scenario: header.scenario,
            text,
            film: OnceLock::new(),
        };
        self.shelves.insert(name, shelf);
        Ok(())
    }

    /// The text of the trajectory of that name.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.shelves.get(name).map(|shelf| &*shelf.text)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.shelves.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.shelves.is_empty()
    }

    /// The list as JSON.
    pub(crate) fn list(&self) -> &str {
        if self.list.is_empty() {
            "[]"
        } else {
            &self.list
        }
    }

    fn listed(&self) -> String {
        let listed = self.shelves.iter().map(|(name, shelf)| Listed {
            name,
            scenario: &shelf.scenario,
            description: description(&shelf.scenario),
            space: shelf.space,
            steps: shelf.text.lines().count().saturating_sub(1),
            beside: self.beside(name),
        });
        serde_json::to_string(&listed.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// The corner with one gap beside the corner of two half-spaces.
    fn beside(&self, name: &str) -> Option<String> {
        let other = match name.strip_prefix("corner-st-") {
            Some(start) => format!("corner-et-{start}"),
            None => format!("corner-st-{}", name.strip_prefix("corner-et-")?),
        };
        self.shelves.contains_key(&other).then_some(other)
    }

    /// The film of that name as JSON, made when it is first asked for; none where there is none.
    ///
    /// # Errors
    /// [`GoldenError`] for a line that is none of a trajectory.
    pub(crate) fn film(&self, name: &str) -> Option<Result<Arc<str>, GoldenError>> {
        let shelf = self.shelves.get(name)?;
        if let Some(film) = shelf.film.get() {
            return Some(Ok(film.clone()));
        }
        let film = Film::of(name, &shelf.text).map(|film| {
            let text: Arc<str> = serde_json::to_string(&film).unwrap_or_default().into();
            shelf.film.get_or_init(|| text).clone()
        });
        Some(film.map_err(GoldenError::from))
    }
}
