//! A trajectory, made ready to be drawn.

use std::collections::BTreeMap;

use etalon_lcp::Number;
use etalon_scenarios::motion::FORMAT;
use etalon_scenarios::view::{Pose, View};
use etalon_scenarios::{Scenario, find};
use serde::{Deserialize, Serialize};

use super::library::GoldenError;
use super::shown::{Arrow, Shown, arrows};

/// A number of a trajectory: exact or in binary64, here the nearest binary64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Rounded(pub f64);

impl<'de> Deserialize<'de> for Rounded {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(f64),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Number(value) => Ok(Self(value)),
            Either::Text(text) => {
                let number = Number::parse_exact(&text).map_err(serde::de::Error::custom)?;
                Ok(Self(number.to_f64()))
            }
        }
    }
}

/// The first line, as far as a film needs it.
#[derive(Debug, Clone, Deserialize)]
pub struct Header {
    format: String,
    pub scenario: String,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    h: Rounded,
    #[serde(default)]
    formulation: Option<String>,
    #[serde(default)]
    scheme: Option<String>,
    #[serde(default)]
    arithmetic: Option<String>,
    #[serde(default)]
    coordinates: Vec<String>,
    start: Start,
}

#[derive(Debug, Clone, Deserialize)]
struct Start {
    q: Vec<Rounded>,
    v: Vec<Rounded>,
    energy: Energy,
}

/// J.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Energy {
    kinetic: Rounded,
    potential: Rounded,
}

/// A line of a step.
#[derive(Debug, Deserialize)]
struct Line {
    t: Rounded,
    q: Vec<Rounded>,
    v: Vec<Rounded>,
    #[serde(default)]
    contacts: Vec<Contact>,
    #[serde(default)]
    lcp: Lcp,
    energy: Energy,
    #[serde(default)]
    dissipated: Rounded,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Contact {
    pair: String,
    gap: Rounded,
    /// N s.
    normal: Rounded,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Lcp {
    n: usize,
    pivots: Option<u64>,
    basis: String,
}

/// A trajectory, ready to be drawn.
#[derive(Debug, Serialize)]
pub struct Film {
    name: String,
    scenario: String,
    description: String,
    parameters: BTreeMap<String, String>,
    formulation: Option<String>,
    scheme: Option<String>,
    arithmetic: Option<String>,
    h: f64,
    coordinates: Vec<String>,
    views: Vec<Shown>,
    frames: Vec<Still>,
}

/// A frame of a film.
#[derive(Debug, Serialize)]
struct Still {
    t: f64,
    q: Vec<Rounded>,
    v: Vec<Rounded>,
    energy: Energy,
    dissipated: Rounded,
    contacts: Vec<Contact>,
    lcp: Lcp,
    /// For each view, the pose of each body.
    poses: Vec<Vec<Pose>>,
    /// For each view, the normal forces.
    arrows: Vec<Vec<Arrow>>,
}

impl Header {
    /// Reads the first line of a trajectory.
    pub fn read(name: &str, text: &str) -> Result<Self, GoldenError> {
        let line = text.lines().next().unwrap_or_default();
        let header: Self = serde_json::from_str(line).map_err(|source| GoldenError::Line {
            name: name.to_owned(),
            line: 1,
            source,
        })?;
        if header.format == FORMAT {
            Ok(header)
        } else {
            Err(GoldenError::Format {
                name: name.to_owned(),
                format: header.format,
            })
        }
    }

    /// The views of the scenario with these parameters; none of one that is not known, whose film has
    /// plots only.
    fn views(&self) -> Vec<View> {
        let settings = self.parameters.iter();
        let settings = settings.map(|(name, value)| (&**name, &**value));
        let instance = find(&self.scenario).and_then(|own| own.motion_instance(settings));
        let views = instance.ok().and_then(|instance| instance.views().ok());
        views.unwrap_or_default()
    }

    /// The description of the scenario.
    pub fn description(&self) -> &'static str {
        let scenario = find(&self.scenario).ok();
        let about = scenario.and_then(Scenario::about_trajectory);
        about.map_or("", |about| about.description)
    }
}

impl Film {
    /// Makes a film from a trajectory.
    pub fn of(name: &str, text: &str) -> Result<Self, GoldenError> {
        let header = Header::read(name, text)?;
        let views = header.views();
        let first = Line {
            t: Rounded(0.0),
            q: header.start.q.clone(),
            v: header.start.v.clone(),
            contacts: Vec::new(),
            lcp: Lcp::default(),
            energy: header.start.energy,
            dissipated: Rounded(0.0),
        };
        let mut frames = vec![Still::of(first, &views, header.h.0)];
        for (k, line) in text.lines().enumerate().skip(1) {
            let line = serde_json::from_str(line).map_err(|source| GoldenError::Line {
                name: name.to_owned(),
                line: k + 1,
                source,
            })?;
            frames.push(Still::of(line, &views, header.h.0));
        }
        let views = views.into_iter().enumerate().map(|(k, view)| {
            let poses = frames.iter().flat_map(|frame| &frame.poses[k]);
            Shown::of(view, poses)
        });
        let views = views.collect();
        Ok(Self {
            name: name.to_owned(),
            description: header.description().to_owned(),
            scenario: header.scenario,
            parameters: header.parameters,
            formulation: header.formulation,
            scheme: header.scheme,
            arithmetic: header.arithmetic,
            h: header.h.0,
            coordinates: header.coordinates,
            views,
            frames,
        })
    }
}

impl Still {
    fn of(line: Line, views: &[View], h: f64) -> Self {
        let q = numbers(&line.q);
        let force = |contact: &Contact| if h > 0.0 { contact.normal.0 / h } else { 0.0 };
        let forces: Vec<f64> = line.contacts.iter().map(force).collect();
        let poses: Vec<Vec<Pose>> = views.iter().map(|view| view.poses(&q)).collect();
        let pairs = views.iter().zip(&poses);
        let arrows = pairs
            .map(|(view, poses)| arrows(view, poses, &forces))
            .collect();
        Self {
            t: line.t.0,
            q: line.q,
            v: line.v,
            energy: line.energy,
            dissipated: line.dissipated,
            contacts: line.contacts,
            lcp: line.lcp,
            poses,
            arrows,
        }
    }
}

fn numbers(values: &[Rounded]) -> Vec<f64> {
    values.iter().map(|value| value.0).collect()
}
