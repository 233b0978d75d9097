//! A trajectory, made ready to be drawn.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{
    self as golden, Header, Line, Quantity, Trajectory, TrajectoryError, to_f64s,
};
use etalon_scenarios::view::{Pose, View};
use etalon_scenarios::{Scenario, find};
use serde::Serialize;

use super::shown::{Arrow, Shown, arrows};

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
    views: Vec<Shown>,
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

/// The description of a scenario.
pub fn description(scenario: &str) -> &'static str {
    let about = find(scenario).ok().and_then(Scenario::about_trajectory);
    about.map_or("", |about| about.description)
}

/// The views of the scenario with these parameters; none of one that is not known, whose film has
/// plots only.
fn views(header: &Header) -> Vec<View> {
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    etalon_scenarios::views(&header.scenario, settings)
}

/// The first line, the header being 0, without what is drawn of it, and the field.
fn undrawable(stored: &Trajectory) -> Option<(u64, &'static str)> {
    let Header { h, start, .. } = &stored.header;
    let energy = start.energy.clone().unwrap_or_default();
    let dofs = [start.q.len(), start.v.len()];
    let lacks = |q: &[Quantity], v: &[Quantity], energy: &golden::Energy| {
        let numbers = |values: &[Quantity]| values.iter().all(|value| value.finite().is_some());
        if q.len() != dofs[0] || !numbers(q) {
            Some("q")
        } else if v.len() != dofs[1] || !numbers(v) {
            Some("v")
        } else {
            let known = energy.kinetic.finite().and(energy.potential.finite());
            known.is_none().then_some("energy")
        }
    };
    if h.finite().is_none() {
        return Some((0, "h"));
    }
    if let Some(field) = lacks(&start.q, &start.v, &energy) {
        return Some((0, field));
    }
    (1..).zip(&stored.steps).find_map(|(k, step)| {
        let timeless = step.t.finite().is_none().then_some("t");
        let field = timeless.or_else(|| lacks(&step.q, &step.v, &step.energy));
        field.map(|field| (k, field))
    })
}

impl Film {
    /// Makes a film from a trajectory.
    pub fn of(name: &str, text: &str) -> Result<Self, TrajectoryError> {
        let lines = text.lines().map(str::to_owned).collect();
        let stored = Trajectory::of(name, lines)?;
        if let Some((k, field)) = undrawable(&stored) {
            return Err(stored.missing(k, field));
        }
        let Trajectory { header, steps, .. } = stored;
        let (start, h) = (&header.start, header.h.to_f64());
        let views = views(&header);
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
        let views = views.into_iter().enumerate().map(|(k, view)| {
            let poses = frames.iter().flat_map(|frame| &frame.poses[k]);
            Shown::of(view, poses)
        });
        let views = views.collect();
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
        let pairs = views.iter().zip(&poses);
        let arrows = pairs
            .map(|(view, poses)| arrows(view, poses, &forces))
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
