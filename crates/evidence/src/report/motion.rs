//! Trajectories as what a report shows of them.

use std::path::Path;

use etalon_golden::{TrajectoryError, read_trajectory};
use etalon_scenarios::{Scenario, find};
use serde_json::Value;

use etalon_replay::trajectories::{number, numbers};

/// A trajectory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// The stem of its file.
    pub name: String,
    /// The scene.
    pub scenario: String,
    /// The description of the scene.
    pub about: String,
    /// The formulation, the scheme and the arithmetic.
    pub how: String,
    /// The step, s.
    pub h: f64,
    /// The names of the coordinates.
    pub coordinates: Vec<String>,
    /// Each moment, the start first.
    pub moments: Vec<Moment>,
    /// Energy lost so far in all steps, J, as the steps say.
    pub dissipated: f64,
}

/// A moment of a trajectory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moment {
    /// s.
    pub t: f64,
    /// As many as there are coordinates.
    pub q: Vec<f64>,
    /// Kinetic and potential energy, J.
    pub energy: [f64; 2],
    /// Whether a contact presses.
    pub pressed: bool,
}

/// Why a file shows no motion.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MotionFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] TrajectoryError),
    /// A line without what a trajectory has there.
    #[error(
        "{file}:{line}: the field {field:?} is missing or of another length; a trajectory is what `etalon scenario run NAME --out FILE` writes"
    )]
    Field {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// The field.
        field: &'static str,
    },
}

impl Motion {
    /// Reads a trajectory of a file.
    ///
    /// # Errors
    /// [`MotionFileError`] with the file, the line and the field.
    pub fn read(path: &Path) -> Result<Self, MotionFileError> {
        let stored = read_trajectory(path)?;
        let file = &stored.file;
        let missing = |line: usize, field: &'static str| MotionFileError::Field {
            file: file.clone(),
            line,
            field,
        };
        let header = &stored.header;
        let text = |field: &str| header[field].as_str().unwrap_or_default().to_owned();
        let names = header["coordinates"].as_array();
        let names = names.ok_or_else(|| missing(1, "coordinates"))?;
        let names = names.iter().map(|name| name.as_str().map(str::to_owned));
        let coordinates: Option<Vec<String>> = names.collect();
        let coordinates = coordinates.ok_or_else(|| missing(1, "coordinates"))?;
        let start = moment(&header["start"], 0.0, coordinates.len());
        let mut moments = vec![start.map_err(|field| missing(1, field))?];
        for (k, step) in stored.steps.iter().enumerate() {
            let line = k + 2;
            let t = finite(&step["t"]).ok_or_else(|| missing(line, "t"))?;
            let next = moment(step, t, coordinates.len());
            moments.push(next.map_err(|field| missing(line, field))?);
        }
        let lost = stored.steps.iter().filter_map(|s| finite(&s["dissipated"]));
        let scenario = text("scenario");
        let about = find(&scenario).ok().and_then(Scenario::about_trajectory);
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let how = ["formulation", "scheme", "arithmetic"].map(text);
        let how: Vec<_> = how.into_iter().filter(|word| !word.is_empty()).collect();
        Ok(Self {
            name: stem.to_string_lossy().into_owned(),
            about: about.map_or_else(String::new, |about| about.description.into()),
            scenario,
            how: how.join(", "),
            h: finite(&header["h"]).ok_or_else(|| missing(1, "h"))?,
            coordinates,
            moments,
            dissipated: lost.sum(),
        })
    }

    /// The energy in all at a moment, J.
    pub fn total(&self, moment: &Moment) -> f64 {
        moment.energy[0] + moment.energy[1]
    }

    /// The largest gain of energy in one step, J; 0 where no step gains more than rounding does.
    pub fn largest_gain(&self) -> f64 {
        let pairs = self.moments.windows(2);
        let gains = pairs.map(|pair| self.total(&pair[1]) - self.total(&pair[0]));
        let most = gains.fold(0.0, f64::max);
        if most < 1e-12 { 0.0 } else { most }
    }

    /// The bodies that move in a plane or in space: a name, and the two coordinates that are shown,
    /// along and up. Of space that is x and z.
    pub fn paths(&self) -> Vec<(String, [usize; 2])> {
        let find = |name: &str| self.coordinates.iter().position(|c| c == name);
        let bodies = self.coordinates.iter().enumerate().filter_map(|(x, name)| {
            let body = match name.as_str() {
                "x" => "",
                _ => name.strip_suffix(" x")?,
            };
            let own = |axis: &str| find(format!("{body} {axis}").trim_start());
            let up = own("z").or_else(|| own("y"))?;
            let name = if body.is_empty() { "path" } else { body };
            Some((name.to_owned(), [x, up]))
        });
        bodies.collect()
    }
}

fn finite(value: &Value) -> Option<f64> {
    Some(number(value)).filter(|value| value.is_finite())
}

/// A moment of so many coordinates, or the field that it lacks.
fn moment(line: &Value, t: f64, coordinates: usize) -> Result<Moment, &'static str> {
    let q = numbers(&line["q"]);
    if q.len() != coordinates || q.iter().any(|value| !value.is_finite()) {
        return Err("q");
    }
    let energy = |kind: &str| finite(&line["energy"][kind]).ok_or("energy");
    let contacts = line["contacts"].as_array().map_or(&[][..], |all| all);
    Ok(Moment {
        t,
        q,
        energy: [energy("kinetic")?, energy("potential")?],
        pressed: contacts.iter().any(|c| number(&c["normal"]) > 0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(name: &str) -> Motion {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
        Motion::read(&Path::new(folder).join(name)).unwrap()
    }

    #[test]
    fn bodies_have_paths_in_the_plane_or_seen_from_the_side() {
        let rod = golden("rod-0.02.jsonl");
        assert_eq!((rod.moments.len(), rod.h), (51, 0.02));
        assert_eq!(rod.paths(), [("path".to_owned(), [0, 1])]);
        assert!(!rod.moments[1].pressed && rod.moments[29].pressed);
        let balls = golden("four-balls-0.02.jsonl");
        assert_eq!(balls.paths()[0], ("thrown".to_owned(), [0, 2]));
        assert_eq!(balls.paths().len(), 4);
        assert!(golden("stack-drop.jsonl").paths().is_empty());
    }

    #[test]
    fn a_line_that_lacks_something_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        let header = r#"{"format":"etalon-trajectory/1","coordinates":["y"],"h":0.1,"start":{"q":[1],"energy":{"kinetic":0,"potential":1}}}"#;
        for (step, expected) in [
            (r#"{"t": 1, "q": [1, 2]}"#, ":2: the field \"q\""),
            (r#"{"t": 1, "q": [1]}"#, ":2: the field \"energy\""),
            ("{\"t\"", ":2"),
        ] {
            std::fs::write(&file, format!("{header}\n{step}\n")).unwrap();
            let error = Motion::read(&file).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
