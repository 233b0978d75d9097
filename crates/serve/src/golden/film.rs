//! A trajectory, made ready to be drawn.

use std::collections::BTreeMap;

use etalon_lcp::Number;
use etalon_scenarios::motion::FORMAT;
use etalon_scenarios::{Scenario, find};
use serde::{Deserialize, Serialize};

use super::library::GoldenError;
use super::pieces::{Arrow, Pose, View};
use super::stage::{Values, views};

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
    views: Vec<View>,
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

    /// What the scenario shows.
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
        let start = numbers(&header.start.q);
        let mut views = views(&header.scenario, &Values::new(&header.parameters, &start));
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
        for (k, view) in views.iter_mut().enumerate() {
            let poses = frames.iter().flat_map(|frame| &frame.poses[k]);
            frame(view, poses);
        }
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
        let arrows = views.iter().zip(&poses);
        let arrows = arrows
            .map(|(view, poses)| view.arrows(poses, &forces))
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

/// Frames a view around all that moves, with some of what stays.
fn frame<'a>(view: &mut View, poses: impl Iterator<Item = &'a Pose>) {
    let reaches: Vec<f64> = view
        .bodies
        .iter()
        .map(|body| {
            body.outline
                .iter()
                .map(|p| p[0].hypot(p[1]))
                .fold(0.0, f64::max)
        })
        .collect();
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut take = |at: [f64; 2], reach: f64| {
        for k in 0..2 {
            low[k] = low[k].min(at[k] - reach);
            high[k] = high[k].max(at[k] + reach);
        }
    };
    for (pose, reach) in poses.zip(reaches.iter().cycle()) {
        take([pose[0], pose[1]], reach * pose[3].max(pose[4]));
    }
    view.lines
        .iter()
        .flatten()
        .for_each(|&point| take(point, 0.0));
    if low[0] > high[0] {
        (low, high) = ([-1.0; 2], [1.0; 2]);
    }
    let size = (high[0] - low[0]).max(high[1] - low[1]).max(1e-6);
    view.low = low.map(|value| value - 0.08 * size);
    view.high = high.map(|value| value + 0.08 * size);
}
