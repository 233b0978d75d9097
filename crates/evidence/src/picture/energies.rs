//! Plots of energies over time.

use etalon_planar::Snapshot;

use super::PictureError;
use crate::plot::{self, Axes, Line, PlotFrame};

/// An energy plot has at most so many points a line.
const POINTS: usize = 2000;

/// Energies over time.
pub struct Energies {
    /// Time, kinetic and potential energy.
    moments: Vec<[f64; 3]>,
}

impl Energies {
    /// A plot that starts with a moment of a world.
    pub fn new(start: &Snapshot) -> Self {
        Self::from([start.time, start.energy.kinetic, start.energy.potential])
    }

    /// A plot that starts with a time, kinetic and potential energy.
    pub fn from(start: [f64; 3]) -> Self {
        Self {
            moments: vec![start],
        }
    }

    /// One more moment.
    pub fn add(&mut self, now: &Snapshot) {
        self.push([now.time, now.energy.kinetic, now.energy.potential]);
    }

    /// One more moment: time, kinetic and potential energy.
    pub fn push(&mut self, moment: [f64; 3]) {
        self.moments.push(moment);
    }

    /// The plot.
    pub fn svg(&self) -> Result<String, PictureError> {
        let line = |of: fn(&[f64; 3]) -> f64| -> Vec<(f64, f64)> {
            let every = self.moments.len().div_ceil(POINTS).max(1);
            self.moments
                .iter()
                .step_by(every)
                .map(|m| (m[0], of(m)))
                .collect()
        };
        let line = |name: &str, of| Line {
            name: name.to_owned(),
            points: line(of),
            marked: false,
        };
        let lines = [
            line("kinetic", |m| m[1]),
            line("potential", |m| m[2]),
            line("total", |m| m[1] + m[2]),
        ];
        let frame = PlotFrame {
            title: "Energy over time",
            x: "time, s",
            y: "energy, J",
            axes: Axes::Linear,
        };
        plot::svg(&frame, &lines).map_err(|error| PictureError(error.to_string()))
    }
}
