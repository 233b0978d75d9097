//! Pictures of a run as SVG: where bodies were, one image over the other, and energies over time.

use etalon_planar::{Outline, Snapshot, World};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::ink;
use crate::plot::{self, Axes, Frame, Line};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {0}")]
pub struct PictureError(String);

type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Plane<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A picture shows at most so many moments.
const IMAGES: u64 = 16;
/// An energy plot has at most so many points a line.
const POINTS: usize = 2000;
/// The longest force is drawn so long, in pixels.
const LONGEST: f64 = 110.0;
/// At most so many arrows have their value beside them: the largest. More could not be read.
const VALUES: usize = 12;
/// The longer side of what is to be seen, and the least width, which the heading needs, in pixels.
const SIDE: f64 = 760.0;
const LEAST: f64 = 520.0;
/// Around the picture: above, beside and below the axes.
const ABOVE: u32 = 54;
const BESIDE: u32 = 62;
const BELOW: u32 = 44;
const MARGIN: u32 = 14;

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
    /// The times of the first and the last moment, s.
    times: [f64; 2],
    /// Point and force (N) of each contact at the last moment.
    forces: Vec<Pressing>,
}

/// Where a contact presses, and how.
type Pressing = ([f64; 2], [f64; 2]);

/// What is to be seen: from where to where, m, and how large, in pixels.
struct Seen {
    x: (f64, f64),
    y: (f64, f64),
    size: [u32; 2],
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
            times: [world.time(); 2],
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
        self.times[1] = world.time();
        let force = |contact: &etalon_planar::ContactForce| (contact.point, contact.vector());
        self.forces = world.snapshot().contacts.iter().map(force).collect();
    }

    /// All that moves and where it is pressed, with a margin, as wide as the heading at least.
    fn seen(&self) -> Seen {
        let points = || {
            let outlines = self.images.iter().flatten().chain(&self.last);
            let corners = outlines.flat_map(|outline| outline.loops.iter().flatten());
            corners.chain(self.forces.iter().map(|(at, _)| at))
        };
        let range = |k: usize| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) =
                points().fold(start, |(low, high), p| (low.min(p[k]), high.max(p[k])));
            if low < high { (low, high) } else { (-1.0, 1.0) }
        };
        let (x, y) = (range(0), range(1));
        // The longest arrow, LONGEST of SIDE pixels, stays inside with its value.
        let part = if self.longest() > 0.0 { 0.18 } else { 0.08 };
        let margin = part * (x.1 - x.0).max(y.1 - y.0) + 0.1;
        let (mut x, y) = ((x.0 - margin, x.1 + margin), (y.0 - margin, y.1 + margin));
        let scale = SIDE / (x.1 - x.0).max(y.1 - y.0);
        let wider = (LEAST / scale - (x.1 - x.0)).max(0.0) / 2.0;
        x = (x.0 - wider, x.1 + wider);
        let size = [x, y].map(|(low, high)| (((high - low) * scale).ceil() as u32).max(80));
        Seen { x, y, size }
    }

    /// The heading: when the images are, and how long the arrows are.
    fn words(&self) -> [String; 2] {
        let [from, to] = self.times.map(digits);
        let images = self.images.len();
        let longest = self.longest();
        let forces = if longest > 0.0 {
            let (longest, pixels) = (digits(longest), LONGEST);
            format!(
                "arrows: contact forces at t = {to} s, the longest {longest} N ({pixels} pixels)"
            )
        } else {
            format!("no contact presses at t = {to} s")
        };
        [
            format!("{images} moments from t = {from} s to {to} s, the last one dark"),
            forces,
        ]
    }

    fn longest(&self) -> f64 {
        let sizes = self.forces.iter().map(|(_, f)| f[0].hypot(f[1]));
        sizes.fold(0.0, f64::max)
    }

    /// The picture: bodies above a scale in metres, forces as arrows with their values in N.
    pub fn svg(&self) -> Result<String, PictureError> {
        let Seen { x, y, size } = self.seen();
        let [width, height] = size;
        let whole = (
            width + BESIDE + 2 * MARGIN,
            height + ABOVE + BELOW + 2 * MARGIN,
        );
        svg(whole, |area| {
            for (line, text) in self.words().into_iter().enumerate() {
                let at = ((MARGIN + BESIDE) as i32, MARGIN as i32 + 24 * line as i32);
                let font = ("sans-serif", if line == 0 { 17 } else { 15 }).into_font();
                area.draw(&Text::new(text, at, font))?;
            }
            let mut builder = ChartBuilder::on(area);
            let mut chart = builder
                .margin(MARGIN)
                .margin_top(MARGIN + ABOVE)
                .x_label_area_size(BELOW)
                .y_label_area_size(BESIDE)
                .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
            let label = |value: &f64| digits(if value.abs() < 1e-9 { 0.0 } else { *value });
            chart
                .configure_mesh()
                .x_desc("x, m")
                .y_desc("y, m")
                .x_labels((width / 90).max(3) as usize)
                .y_labels((height / 70).max(3) as usize)
                .x_label_formatter(&label)
                .y_label_formatter(&label)
                .light_line_style(WHITE)
                .bold_line_style(BLACK.mix(0.08))
                .label_style(("sans-serif", 13))
                .draw()?;
            self.bodies(&mut chart)?;
            let pixels: Vec<_> = self
                .forces
                .iter()
                .map(|(at, force)| (chart.backend_coord(&(at[0], at[1])), *force))
                .collect();
            self.arrows(area, pixels)
        })
    }

    fn bodies(&self, chart: &mut Plane<'_>) -> Outcome {
        let closed = |polygon: &Vec<[f64; 2]>| -> Vec<(f64, f64)> {
            let points = polygon.iter().chain(polygon.first());
            points.map(|p| (p[0], p[1])).collect()
        };
        for outline in self.fixed.iter().flat_map(|outline| &outline.loops) {
            chart.draw_series([Polygon::new(closed(outline), RGBColor(225, 225, 225))])?;
            chart.draw_series([PathElement::new(closed(outline), BLACK.mix(0.5))])?;
        }
        let count = self.images.len().max(1) as f64;
        let moments = self.images.iter().enumerate();
        let moments = moments.map(|(k, image)| (0.15 + 0.5 * k as f64 / count, image));
        for (shade, image) in moments.chain([(1.0, &self.last)]) {
            let is_last = shade == 1.0;
            for (k, outline) in image.iter().enumerate() {
                // The colour of forces is left to them.
                let number = if k < ink::FORCE {
                    k
                } else {
                    k + 1 + k / (ink::COLORS.len() - 1)
                };
                let style = ink::color(number).mix(shade);
                for polygon in &outline.loops {
                    if is_last {
                        chart.draw_series([Polygon::new(closed(polygon), style.mix(0.15))])?;
                    }
                    let line = style.stroke_width(if is_last { 2 } else { 1 });
                    chart.draw_series([PathElement::new(closed(polygon), line)])?;
                }
            }
        }
        Ok(())
    }

    /// The forces from their points in pixels, the largest with their values where these do not cover each other.
    fn arrows(&self, area: &Area<'_>, mut forces: Vec<((i32, i32), [f64; 2])>) -> Outcome {
        let size = |force: &[f64; 2]| force[0].hypot(force[1]);
        let longest = self.longest();
        forces.retain(|(_, force)| size(force) > 0.0);
        forces.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)));
        let color = ink::color(ink::FORCE);
        let mut labels: Vec<(i32, i32)> = Vec::new();
        for (from, force) in forces {
            let [dx, dy] = force.map(|entry| (entry * LONGEST / longest).round() as i32);
            // Upwards is less in pixels.
            let to = (from.0 + dx, from.1 - dy);
            // What is shorter than its own line is wide is no arrow: beside the longest it is nothing.
            if dx.abs().max(dy.abs()) < 3 {
                continue;
            }
            ink::arrow(area, from, to, color)?;
            let at = (to.0 + 7, to.1 - 7);
            let covers =
                |other: &(i32, i32)| (other.0 - at.0).abs() < 68 && (other.1 - at.1).abs() < 15;
            if labels.len() < VALUES && !labels.iter().any(covers) {
                let font = ("sans-serif", 13).into_font().color(&BLACK);
                area.draw(&Text::new(format!("{} N", digits(size(&force))), at, font))?;
                labels.push(at);
            }
        }
        Ok(())
    }
}

/// Three digits, without zeros at the end.
fn digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let whole = if value == 0.0 {
        0.0
    } else {
        value.abs().log10().floor()
    };
    let places = (2.0 - whole).clamp(0.0, 5.0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
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
        let frame = Frame {
            title: "Energy over time",
            x: "time, s",
            y: "energy, J",
            axes: Axes::Linear,
        };
        plot::svg(&frame, &lines).map_err(|error| PictureError(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let all = [0.0, 9.81, 0.25, 12.345, 1234.5, -0.00123, 1e-9, 2.0].map(digits);
        let expected = [
            "0", "9.81", "0.25", "12.3", "1234", "-0.00123", "1.0e-9", "2",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_picture_has_a_scale_the_time_and_values_at_its_arrows() {
        let square = |name: &str, x: f64| Outline {
            name: name.to_owned(),
            fixed: false,
            loops: vec![vec![[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]]],
        };
        let bodies = vec![square("a", 0.0), square("b", 2.0)];
        let strobe = Strobe {
            every: 1,
            fixed: Vec::new(),
            images: vec![bodies.clone()],
            last: bodies,
            times: [0.0, 1.25],
            forces: vec![
                ([0.0, 0.0], [0.0, 9.81]),
                ([2.0, 0.0], [3.0, 4.0]),
                ([3.0, 0.0], [0.0, 0.0]),
            ],
        };
        let text = strobe.svg().unwrap();
        for word in [
            "x, m",
            "y, m",
            "t = 0 s to 1.25 s",
            "the longest 9.81 N",
            "9.81 N",
            "5 N",
        ] {
            assert!(text.contains(word), "{word}");
        }
        // Two arrows press, each with a line and a head in the colour that no body has.
        let force = ink::hex(ink::FORCE);
        let filled = text
            .matches(&format!("<polygon opacity=\"1\" fill=\"{force}\""))
            .count();
        let lines = text.matches(&format!("stroke=\"{force}\"")).count();
        assert_eq!((filled, lines), (2, 2), "{text}");
        let none = Strobe {
            forces: Vec::new(),
            ..strobe
        };
        assert!(
            none.svg()
                .unwrap()
                .contains("no contact presses at t = 1.25 s")
        );
    }
}
