//! Views of scenarios, as they are sent to the page.

use etalon_scenarios::view::{Pose, Touch, View};
use serde::Serialize;

/// A view, and what of it is to be seen.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    title: String,
    across: String,
    up: String,
    solids: Vec<Vec<[f64; 3]>>,
    lines: Vec<Vec<[f64; 2]>>,
    bodies: Vec<Body>,
    /// The corners of what is to be seen, m.
    low: [f64; 2],
    high: [f64; 2],
}

#[derive(Debug, Clone, Serialize)]
struct Body {
    name: String,
    outline: Vec<[f64; 2]>,
    round: bool,
}

/// A normal force as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Arrow {
    /// Where it acts, m.
    at: [f64; 2],
    /// N, as a vector.
    force: [f64; 2],
}

impl Shown {
    /// A view, framed around all that moves, with some of what stays.
    pub fn of<'a>(view: View, poses: impl Iterator<Item = &'a Pose>) -> Self {
        let (low, high) = frame(&view, poses);
        let bodies = view.bodies.into_iter().map(|body| Body {
            name: body.name,
            outline: body.outline,
            round: body.round,
        });
        Self {
            title: view.title,
            across: view.across,
            up: view.up,
            solids: view.solids,
            lines: view.lines,
            bodies: bodies.collect(),
            low,
            high,
        }
    }
}

/// The normal forces of contacts in N, drawn at bodies with these poses.
pub fn arrows(view: &View, poses: &[Pose], forces: &[f64]) -> Vec<Arrow> {
    let touches = view.touches(poses).into_iter().zip(forces);
    let pressing = touches.filter(|(_, force)| **force > 0.0);
    let arrow = |(touch, force): (Option<Touch>, &f64)| {
        let Touch { at, normal } = touch?;
        let force = normal.map(|entry| force * entry);
        Some(Arrow { at, force })
    };
    pressing.filter_map(arrow).collect()
}

fn frame<'a>(view: &View, poses: impl Iterator<Item = &'a Pose>) -> ([f64; 2], [f64; 2]) {
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
    let margin = 0.08 * size;
    (
        low.map(|value| value - margin),
        high.map(|value| value + margin),
    )
}
