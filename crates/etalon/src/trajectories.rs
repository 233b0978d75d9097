//! Golden trajectories: each step taken again from the line before it, and held against theory.

use etalon_exact::{Budget, Method};
use etalon_golden::{Trajectory as Stored, differences};
use etalon_lcp::Solver;
use etalon_scenarios::motion::{Arithmetics, MotionInstance, find_motion};
use serde_json::Value;

/// Why a stored trajectory cannot be taken again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotRepeatable(String);

/// A stored trajectory with the scene that its header names.
pub struct Replay<'a> {
    stored: &'a Stored,
    instance: MotionInstance,
    solver: Box<dyn Solver + Send + Sync>,
}

impl<'a> Replay<'a> {
    /// Reads the header. Only exact trajectories can be taken again to the digit.
    ///
    /// # Errors
    /// [`NotRepeatable`].
    pub fn new(stored: &'a Stored) -> Result<Self, NotRepeatable> {
        let bad = |why: String| NotRepeatable(format!("the header: {why}"));
        let text = |name: &str| stored.header[name].as_str().unwrap_or_default().to_owned();
        if text("arithmetic") == "binary64" {
            return Err(bad("binary64 differs from machine to machine".to_owned()));
        }
        let scenario = find_motion(&text("scenario")).map_err(|error| bad(error.to_string()))?;
        let parameters = stored.header["parameters"].as_object();
        let parameters = parameters.ok_or_else(|| bad("there are no parameters".to_owned()))?;
        let settings = parameters.iter();
        let settings = settings.map(|(name, value)| (&**name, value.as_str().unwrap_or_default()));
        let instance = scenario.instance(settings);
        Ok(Self {
            stored,
            instance: instance.map_err(|error| bad(error.to_string()))?,
            solver: Method::Lemke.solver(&Budget::default()),
        })
    }

    /// What does not hold of the header: empty where it comes out as it stands, with as many steps
    /// as follow it.
    pub fn header(&self) -> Vec<String> {
        let stored = &self.stored.header;
        let steps = stored["steps"].as_u64();
        let run = self
            .instance
            .trajectory(Arithmetics::Exact, &*self.solver, steps);
        let mut found = match run {
            Ok(run) => differences(stored, &run.header()),
            Err(error) => vec![error.to_string()],
        };
        let lines = self.stored.steps.len() as u64;
        if steps != Some(lines) {
            found.push(format!(
                "the header has {} steps, but {lines} follow",
                stored["steps"]
            ));
        }
        found
    }

    /// What does not hold of step k, counted from 1: taken again from the line before, it must come
    /// out as it stands, and satisfy the theory. The one term that theory leaves open, energy that
    /// a gap which is not concave gains, must be told by the line.
    pub fn step(&self, k: u64) -> Vec<String> {
        let lines = &self.stored.steps;
        let index = usize::try_from(k - 1).unwrap_or(usize::MAX);
        let Some(stored) = lines.get(index) else {
            return vec!["there is no such step".to_owned()];
        };
        match self.again(k, index.checked_sub(1).and_then(|before| lines.get(before))) {
            Err(why) => vec![why],
            Ok((own, mut found)) => {
                found.splice(0..0, differences(stored, &own));
                found
            }
        }
    }

    fn again(&self, k: u64, before: Option<&Value>) -> Result<(Value, Vec<String>), String> {
        use etalon_time_stepping::Term;
        let run = self
            .instance
            .trajectory(Arithmetics::Exact, &*self.solver, Some(k));
        let mut run = run.map_err(|error| error.to_string())?;
        if let Some(before) = before {
            run.resume(before).map_err(|error| error.to_string())?;
        }
        let (line, violations) = run.advance_examined().map_err(|error| error.to_string())?;
        let gains = line["gains"].as_array().map_or(&[][..], |gains| gains);
        let told = |contact: &Option<String>| {
            let contact = contact.as_deref();
            gains.iter().any(|gain| gain.as_str() == contact)
        };
        let broken = violations.iter();
        let broken = broken.filter(|v| v.term != Term::PositionLoss || !told(&v.contact));
        let broken = broken.map(ToString::to_string).collect();
        Ok((line, broken))
    }
}
