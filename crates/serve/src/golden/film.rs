//! A trajectory, made ready to be drawn.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{Line, Quantity, Trajectory, to_f64s};
use etalon_scenarios::motion::find_motion;
use serde::Serialize;

use super::library::GoldenError;
use super::pieces::{Arrow, Pose, View};
use super::stage::{Values, views};

/// J.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Energy {
    kinetic: f64,
    potential: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Contact {
    pair: String,
    gap: f64,
    /// N s.
    normal: f64,
}

#[derive(Debug, Clone, Default, Serialize)]
struct Lcp {
    n: u64,
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
    q: Vec<f64>,
    v: Vec<f64>,
    energy: Energy,
    dissipated: f64,
    contacts: Vec<Contact>,
    lcp: Lcp,
    /// For each view, the pose of each body.
    poses: Vec<Vec<Pose>>,
    /// For each view, the normal forces.
    arrows: Vec<Vec<Arrow>>,
}

/// What a scenario shows.
pub fn description(scenario: &str) -> &'static str {
    find_motion(scenario).map_or("", |scenario| scenario.description)
}

impl Film {
    /// Makes a film from a trajectory.
    pub fn of(name: &str, text: &str) -> Result<Self, GoldenError> {
        let lines = text.lines().map(str::to_owned).collect();
        let Trajectory { header, steps, .. } = Trajectory::of(name, lines)?;
        let (start, h) = (&header.start, header.h.to_f64());
        let q = to_f64s(&start.q);
        let mut views = views(&header.scenario, &Values::new(&header.parameters, &q));
        let first = Line {
            t: Quantity::binary64(0.0),
            q: start.q.clone(),
            v: start.v.clone(),
            energy: start.energy.clone().unwrap_or_default(),
            dissipated: Quantity::binary64(0.0),
            ..Line::default()
        };
        let lines = std::iter::once(first).chain(steps);
        let frames: Vec<Still> = lines.map(|line| Still::of(line, &views, h)).collect();
        for (k, view) in views.iter_mut().enumerate() {
            let poses = frames.iter().flat_map(|frame| &frame.poses[k]);
            frame(view, poses);
        }
        Ok(Self {
            name: name.to_owned(),
            description: description(&header.scenario).to_owned(),
            scenario: header.scenario,
            parameters: header.parameters,
            formulation: header.formulation,
            scheme: header.scheme,
            arithmetic: header.arithmetic,
            h,
            coordinates: header.coordinates,
            views,
            frames,
        })
    }
}

impl Still {
    fn of(line: Line, views: &[View], h: f64) -> Self {
        let (q, v) = (to_f64s(&line.q), to_f64s(&line.v));
        let contacts = line.contacts.into_iter().map(|contact| Contact {
            pair: contact.pair,
            gap: contact.gap.to_f64(),
            normal: contact.normal.to_f64(),
        });
        let contacts: Vec<Contact> = contacts.collect();
        let force = |contact: &Contact| if h > 0.0 { contact.normal / h } else { 0.0 };
        let forces: Vec<f64> = contacts.iter().map(force).collect();
        let poses: Vec<Vec<Pose>> = views.iter().map(|view| view.poses(&q)).collect();
        let arrows = views.iter().zip(&poses);
        let arrows = arrows
            .map(|(view, poses)| view.arrows(poses, &forces))
            .collect();
        Self {
            t: line.t.to_f64(),
            q,
            v,
            energy: Energy {
                kinetic: line.energy.kinetic.to_f64(),
                potential: line.energy.potential.to_f64(),
            },
            dissipated: line.dissipated.to_f64(),
            contacts,
            lcp: Lcp {
                n: line.lcp.n,
                pivots: line.lcp.pivots,
                basis: line.lcp.basis,
            },
            poses,
            arrows,
        }
    }
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
