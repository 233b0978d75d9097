//! Trajectories as what a report shows of them.

use std::path::Path;

use etalon_golden::read_trajectory;
use etalon_golden::trajectory::{Energy, Header, Quantity, TrajectoryError};
use etalon_scenarios::{Scenario, find, views};

/// A trajectory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportedTrajectory {
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
    /// The bodies as the scenario draws them, where it is known.
    pub bodies: Option<Bodies>,
}

/// The bodies of a trajectory, from the scenario's first view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// The axes to the right and upwards: "x, m".
    pub axes: [String; 2],
    /// Their names.
    pub names: Vec<String>,
    /// What stays, as intersections of half-planes n.p <= offset, each `[n_x, n_y, offset]`.
    pub solids: Vec<Vec<[f64; 3]>>,
    /// What stays, as lines.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// At each moment, of each body, its place and its outline in the world, m.
    pub placed: Vec<Vec<Placed>>,
}

/// A body's place, m, and its outline in the world; that of a point is the place alone.
pub type Placed = ([f64; 2], Vec<[f64; 2]>);

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

impl ReportedTrajectory {
    /// Reads a trajectory of a file.
    ///
    /// # Errors
    /// [`TrajectoryError`] with the file, the line and the field.
    pub fn read(path: &Path) -> Result<Self, TrajectoryError> {
        let stored = read_trajectory(path)?;
        let (header, start) = (&stored.header, &stored.header.start);
        let dofs = header.coordinates.len();
        if dofs == 0 {
            return Err(stored.missing(0, "coordinates"));
        }
        let energy = start.energy.clone().unwrap_or_default();
        let first = moment(0.0, &start.q, &energy, dofs);
        let mut moments = vec![first.map_err(|field| stored.missing(0, field))?];
        for (k, step) in (1..).zip(&stored.steps) {
            let missing = |field| stored.missing(k, field);
            let t = step.t.finite().ok_or_else(|| missing("t"))?;
            let mut next = moment(t, &step.q, &step.energy, dofs).map_err(missing)?;
            next.pressed = step.contacts.iter().any(|c| c.normal.to_f64() > 0.0);
            moments.push(next);
        }
        let h = header.h.finite().ok_or_else(|| stored.missing(0, "h"))?;
        let bodies = bodies(header, &moments);
        let lost = stored.steps.iter().filter_map(|s| s.dissipated.finite());
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let header = stored.header;
        let how = [header.formulation, header.scheme, header.arithmetic];
        let how = how.into_iter().flatten().filter(|word| !word.is_empty());
        let scenario = find(&header.scenario).ok();
        let about = scenario.and_then(Scenario::about_trajectory);
        Ok(Self {
            name: stem.to_string_lossy().into_owned(),
            about: about.map_or_else(String::new, |about| about.description.into()),
            scenario: header.scenario,
            how: how.collect::<Vec<_>>().join(", "),
            h,
            coordinates: header.coordinates,
            moments,
            dissipated: lost.sum(),
            bodies,
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

/// The bodies from the scenario's first view, which is that from the side; none of a scenario that is not known.
fn bodies(header: &Header, moments: &[Moment]) -> Option<Bodies> {
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    let view = views(&header.scenario, settings).into_iter().next()?;
    let placed = |moment: &Moment| -> Vec<Placed> {
        let places = view.poses(&moment.q).into_iter();
        let places = places.map(|[x, y, ..]| [x, y]);
        places.zip(view.outlines(&moment.q)).collect()
    };
    Some(Bodies {
        placed: moments.iter().map(placed).collect(),
        names: view.bodies.iter().map(|body| body.name.clone()).collect(),
        axes: [view.across, view.up],
        solids: view.solids,
        lines: view.lines,
    })
}

/// A moment of so many coordinates at which no contact presses, or the field that is missing.
fn moment(
    t: f64,
    q: &[Quantity],
    energy: &Energy,
    coordinates: usize,
) -> Result<Moment, &'static str> {
    let q: Option<Vec<f64>> = q.iter().map(Quantity::finite).collect();
    let q = q.filter(|q| q.len() == coordinates).ok_or("q")?;
    let finite = |quantity: &Quantity| quantity.finite().ok_or("energy");
    Ok(Moment {
        t,
        q,
        energy: [finite(&energy.kinetic)?, finite(&energy.potential)?],
        pressed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(name: &str) -> ReportedTrajectory {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
        ReportedTrajectory::read(&Path::new(folder).join(name)).unwrap()
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
    fn bodies_have_the_shapes_of_the_scenario() {
        let rod = golden("rod-0.02.jsonl");
        let bodies = rod.bodies.as_ref().unwrap();
        assert_eq!(bodies.placed.len(), rod.moments.len());
        let (place, outline) = &bodies.placed[0][0];
        assert_eq!(place[..], rod.moments[0].q[..2]);
        assert!(outline.len() > 20 && !bodies.solids.is_empty());
        // The rod is turned as the state says: its farthest point lies along its angle.
        let far = outline.iter().map(|p| [p[0] - place[0], p[1] - place[1]]);
        let far = far.max_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
        let [x, y] = far.unwrap();
        assert!((y.atan2(x) - rod.moments[0].q[2]).sin().abs() < 0.05);
        let stack = golden("stack-drop.jsonl");
        assert!(stack.bodies.is_some_and(|bodies| bodies.names.len() > 1));
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
            let error = ReportedTrajectory::read(&file).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
