//! Pictures of a run as SVG: where bodies were, one image over the other, and energies over time.

use etalon_planar::{Outline, Snapshot, World};
use plotters::prelude::*;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PictureError(String);

type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A picture shows at most so many moments.
const IMAGES: u64 = 16;
/// An energy plot has at most so many points a line.
const POINTS: usize = 2000;
/// The longest force is drawn so long, as part of the picture's width.
const LONGEST: f64 = 0.12;

fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Outcome) -> Result<String, PictureError> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = area
        .fill(&WHITE)
        .map_err(Into::into)
        .and_then(|()| draw(&area));
    let drawn = drawn.and_then(|()| Ok(area.present()?));
    drop(area);
    drawn.map_err(|error: Box<dyn std::error::Error>| PictureError(error.to_string()))?;
    Ok(text)
}

/// The moments of a run, one over the other, later ones darker; contact forces at the last.
pub struct Strobe {
    every: u64,
    fixed: Vec<Outline>,
    images: Vec<Vec<Outline>>,
    last: Vec<Outline>,
    /// Point and force (N) of each contact at the last moment.
    forces: Vec<([f64; 2], [f64; 2])>,
}

impl Strobe {
    /// A picture that starts with the world as it is and goes on for some steps.
    pub fn new(world: &World, steps: u64) -> Self {
        let (fixed, moving): (Vec<_>, Vec<_>) = world.outlines().into_iter().partition(|o| o.fixed);
        Self {
            every: steps.div_ceil(IMAGES).max(1),
            fixed,
            images: vec![moving.clone()],
            last: moving,
            forces: Vec::new(),
        }
    }

    /// Takes the world after step k.
    pub fn add(&mut self, k: u64, world: &World) {
        let moving: Vec<_> = world.outlines().into_iter().filter(|o| !o.fixed).collect();
        if k.is_multiple_of(self.every) {
            self.images.push(moving.clone());
        }
        self.last = moving;
        let force = |contact: &etalon_planar::ContactForce| (contact.point, contact.vector());
        self.forces = world.snapshot().contacts.iter().map(force).collect();
    }

    /// The picture.
    pub fn svg(&self) -> Result<String, PictureError> {
        let points = || {
            let outlines = self.images.iter().flatten().chain(&self.last);
            outlines.flat_map(|outline| outline.loops.iter().flatten())
        };
        let range = |k: usize| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) =
                points().fold(start, |(low, high), p| (low.min(p[k]), high.max(p[k])));
            if low < high { (low, high) } else { (-1.0, 1.0) }
        };
        let (x, y) = (range(0), range(1));
        let margin = 0.08 * (x.1 - x.0).max(y.1 - y.0) + 0.1;
        let (x, y) = ((x.0 - margin, x.1 + margin), (y.0 - margin, y.1 + margin));
        let scale = 800.0 / (x.1 - x.0).max(y.1 - y.0);
        let size = [x, y].map(|(low, high)| (((high - low) * scale).ceil() as u32).max(80));
        svg((size[0], size[1]), |area| {
            let mut builder = ChartBuilder::on(area);
            let mut chart = builder.build_cartesian_2d(x.0..x.1, y.0..y.1)?;
            let closed = |polygon: &Vec<[f64; 2]>| -> Vec<(f64, f64)> {
                let points = polygon.iter().chain(polygon.first());
                points.map(|p| (p[0], p[1])).collect()
            };
            for outline in self.fixed.iter().flat_map(|outline| &outline.loops) {
                chart.draw_series([Polygon::new(closed(outline), RGBColor(225, 225, 225))])?;
            }
            let count = self.images.len().max(1) as f64;
            let moments = self.images.iter().enumerate();
            let moments = moments.map(|(k, image)| (0.15 + 0.5 * k as f64 / count, image));
            for (shade, image) in moments.chain([(1.0, &self.last)]) {
                for (k, outline) in image.iter().enumerate() {
                    let color = Palette99::pick(k).mix(shade).stroke_width(if shade == 1.0 {
                        2
                    } else {
                        1
                    });
                    for polygon in &outline.loops {
                        chart.draw_series([PathElement::new(closed(polygon), color)])?;
                    }
                }
            }
            let longest = self
                .forces
                .iter()
                .map(|(_, f)| f[0].hypot(f[1]))
                .fold(0.0, f64::max);
            for (at, force) in self.forces.iter().filter(|_| longest > 0.0) {
                let length = LONGEST * (x.1 - x.0) / longest;
                let tip = (at[0] + force[0] * length, at[1] + force[1] * length);
                chart
                    .draw_series([PathElement::new([(at[0], at[1]), tip], RED.stroke_width(2))])?;
            }
            Ok(())
        })
    }
}

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
        let lines = [
            ("kinetic", RED, line(|m| m[1])),
            ("potential", BLUE, line(|m| m[2])),
            ("total", BLACK, line(|m| m[1] + m[2])),
        ];
        let values = lines
            .iter()
            .flat_map(|(.., points)| points.iter().map(|p| p.1));
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.fold(start, |(low, high), v| (low.min(v), high.max(v)));
        let pad = (0.05 * (high - low)).max(1e-12 + 1e-9 * high.abs());
        let times = self.moments.first().zip(self.moments.last());
        let (from, to) = times.map_or((0.0, 1.0), |(first, last)| (first[0], last[0]));
        let to = if to > from { to } else { from + 1.0 };
        svg((900, 500), |area| {
            let mut chart = ChartBuilder::on(area)
                .margin(12)
                .x_label_area_size(45)
                .y_label_area_size(80)
                .build_cartesian_2d(from..to, low - pad..high + pad)?;
            chart
                .configure_mesh()
                .x_desc("time, s")
                .y_desc("energy, J")
                .light_line_style(WHITE)
                .draw()?;
            for (name, color, points) in &lines {
                let style = color.stroke_width(2);
                chart
                    .draw_series(LineSeries::new(points.iter().copied(), style))?
                    .label(*name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            }
            chart
                .configure_series_labels()
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK.mix(0.3))
                .draw()?;
            Ok(())
        })
    }
}
