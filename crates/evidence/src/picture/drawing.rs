//! Bodies, what stays, and arrows of forces above a scale: what all pictures are drawn with.

use etalon_planar::Outline;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::PictureError;
use super::arrows::{Area, Outcome, Pressing, Scale};
use super::digits::digits;
use crate::ink;

type Plane<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The longer side of what is to be seen, and the least width, which the heading needs, in pixels.
const SIDE: f64 = 760.0;
const LEAST: f64 = 520.0;
/// Above the axes for each line of the heading, beside and below them.
const LINE: u32 = 24;
const BESIDE: u32 = 62;
const BELOW: u32 = 44;
const MARGIN: u32 = 14;

/// What a picture shows.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    /// The lines of the heading before that of the arrows.
    pub heading: Vec<String>,
    /// What the arrows are: "contact forces at t = 1 s".
    pub arrows: String,
    /// What is said where there are none.
    pub none: String,
    /// The unit of the arrows.
    pub unit: &'static str,
    /// The names of the axes; without any, those of the plane.
    pub axes: Option<[String; 2]>,
    /// What stays: polygons.
    pub fixed: Vec<Vec<[f64; 2]>>,
    /// What stays: intersections of half-planes n.p <= offset.
    pub solids: Vec<Vec<[f64; 3]>>,
    /// What stays: lines.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// The bodies at earlier moments, paler the earlier.
    pub images: Vec<Vec<Outline>>,
    /// The bodies at the last moment.
    pub last: Vec<Outline>,
    /// Points that are marked: centres of mass.
    pub marks: Vec<[f64; 2]>,
    /// The arrows.
    pub forces: Vec<Pressing>,
    /// Arrows of something else.
    pub further: Option<Further>,
}

/// Arrows with a scale and a colour of their own.
#[derive(Debug, Clone, Default)]
pub struct Further {
    /// What they are, and in which colour.
    pub what: String,
    /// Their unit.
    pub unit: &'static str,
    /// The number of their colour.
    pub color: usize,
    /// The arrows.
    pub arrows: Vec<Pressing>,
}

impl Further {
    fn scale(&self) -> Scale {
        Scale::new(self.arrows.iter().map(|(_, own)| own))
    }
}

/// What is to be seen: from where to where, m, and how large, in pixels.
struct Seen {
    x: (f64, f64),
    y: (f64, f64),
    size: [u32; 2],
}

impl Seen {
    /// Whether the ends and their distances are numbers, so that axes have ticks.
    fn is_finite(&self) -> bool {
        let spans = [self.x, self.y].map(|(low, high)| high - low);
        spans.iter().all(|span| span.is_finite())
    }
}

impl Drawing {
    /// The picture as the text of an SVG file.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn svg(&self) -> Result<String, PictureError> {
        let seen = self.seen();
        if !seen.is_finite() {
            return Err(PictureError(
                "its points span more than binary64 holds; take units in which it is smaller"
                    .to_owned(),
            ));
        }
        let words = self.words();
        let above = LINE * words.len() as u32 + 6;
        let [width, height] = seen.size;
        let whole = (
            width + BESIDE + 2 * MARGIN,
            height + above + BELOW + 2 * MARGIN,
        );
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, whole).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Into::into);
        let drawn = drawn.and_then(|()| heading(&area, &words));
        let drawn = drawn.and_then(|()| self.draw(&area, &seen, above));
        let drawn = drawn.and_then(|()| Ok(area.present()?));
        drop(area);
        drawn.map_err(|error: Box<dyn std::error::Error>| PictureError(error.to_string()))?;
        Ok(text)
    }

    /// All that moves and where it is pressed, with a margin, as wide as the heading at least.
    fn seen(&self) -> Seen {
        let points = || {
            let outlines = self.images.iter().flatten().chain(&self.last);
            let corners = outlines.flat_map(|outline| outline.loops.iter().flatten());
            let further = self.further.iter().flat_map(|own| &own.arrows);
            let arrows = self.forces.iter().chain(further);
            corners
                .chain(arrows.map(|(at, _)| at))
                .chain(&self.marks)
                .filter(|p| p[0].is_finite() && p[1].is_finite())
        };
        let range = |k: usize| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) =
                points().fold(start, |(low, high), p| (low.min(p[k]), high.max(p[k])));
            if low < high {
                (low, high)
            } else if low == high {
                (low - 0.1, high + 0.1)
            } else {
                (-1.0, 1.0)
            }
        };
        let (x, y) = (range(0), range(1));
        // The longest arrow, LONGEST of SIDE pixels, stays inside with its value.
        let further = self.further.as_ref();
        let part = if further.is_some_and(|own| own.scale().has_arrows()) {
            // Of two kinds of arrows at one point one may point aside.
            0.4
        } else if self.scale().has_arrows() {
            0.24
        } else {
            0.12
        };
        let margin = part * (x.1 - x.0).max(y.1 - y.0);
        let (mut x, y) = ((x.0 - margin, x.1 + margin), (y.0 - margin, y.1 + margin));
        let scale = SIDE / (x.1 - x.0).max(y.1 - y.0);
        let wider = (LEAST / scale - (x.1 - x.0)).max(0.0) / 2.0;
        x = (x.0 - wider, x.1 + wider);
        let size = [x, y].map(|(low, high)| (((high - low) * scale).ceil() as u32).max(80));
        Seen { x, y, size }
    }

    /// The heading, with how long the arrows are.
    fn words(&self) -> Vec<String> {
        let arrows = self.scale().words(&self.arrows, self.unit);
        let lines = self.heading.iter().cloned();
        let further = self.further.as_ref();
        let further = further.and_then(|own| own.scale().words(&own.what, own.unit));
        let lines = lines.chain([arrows.unwrap_or(self.none.clone())]);
        lines.chain(further).collect()
    }

    fn scale(&self) -> Scale {
        Scale::new(self.forces.iter().map(|(_, force)| force))
    }

    fn draw(&self, area: &Area<'_>, seen: &Seen, above: u32) -> Outcome {
        let Seen { x, y, size } = seen;
        let mut builder = ChartBuilder::on(area);
        let mut chart = builder
            .margin(MARGIN)
            .margin_top(MARGIN + above)
            .x_label_area_size(BELOW)
            .y_label_area_size(BESIDE)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        let small = 1e-9 * (x.1 - x.0);
        let label = |value: &f64| digits(if value.abs() < small { 0.0 } else { *value });
        let plane = || ["x, m", "y, m"].map(str::to_owned);
        let [across, up] = self.axes.clone().unwrap_or_else(plane);
        chart
            .configure_mesh()
            .x_desc(across)
            .y_desc(up)
            .x_labels((size[0] / 90).max(3) as usize)
            .y_labels((size[1] / 70).max(3) as usize)
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .light_line_style(WHITE)
            .bold_line_style(BLACK.mix(0.08))
            .label_style(("sans-serif", 13))
            .draw()?;
        self.stays(&mut chart, seen)?;
        self.bodies(&mut chart)?;
        let pixels = |arrows: &[Pressing]| -> Vec<_> {
            let pixel = |at: &[f64; 2]| chart.backend_coord(&(at[0], at[1]));
            arrows
                .iter()
                .map(|(at, force)| (pixel(at), *force))
                .collect()
        };
        if let Some(own) = &self.further {
            let color = ink::color(own.color);
            own.scale()
                .draw(area, pixels(&own.arrows), own.unit, color)?;
        }
        let color = ink::color(ink::FORCE);
        self.scale()
            .draw(area, pixels(&self.forces), self.unit, color)
    }

    /// What stays where it is, in grey.
    fn stays(&self, chart: &mut Plane<'_>, seen: &Seen) -> Outcome {
        let corners = [
            [seen.x.0, seen.y.0],
            [seen.x.1, seen.y.0],
            [seen.x.1, seen.y.1],
            [seen.x.0, seen.y.1],
        ];
        let solids = self.solids.iter().map(|planes| clipped(&corners, planes));
        for outline in self.fixed.iter().cloned().chain(solids) {
            if outline.len() < 3 {
                continue;
            }
            chart.draw_series([Polygon::new(closed(&outline), RGBColor(225, 225, 225))])?;
            chart.draw_series([PathElement::new(closed(&outline), BLACK.mix(0.5))])?;
        }
        for line in &self.lines {
            let points: Vec<_> = line.iter().map(|p| (p[0], p[1])).collect();
            chart.draw_series([PathElement::new(points, BLACK.mix(0.6).stroke_width(2))])?;
        }
        Ok(())
    }

    fn bodies(&self, chart: &mut Plane<'_>) -> Outcome {
        let count = self.images.len().max(1) as f64;
        let moments = self.images.iter().enumerate();
        let moments = moments.map(|(k, image)| (0.15 + 0.5 * k as f64 / count, image));
        for (shade, image) in moments.chain([(1.0, &self.last)]) {
            let is_last = shade == 1.0;
            for (k, outline) in image.iter().enumerate() {
                let style = ink::color(ink::of_body(k)).mix(shade);
                for polygon in &outline.loops {
                    if let [point] = polygon[..] {
                        let dot = Circle::new((point[0], point[1]), 4, style.filled());
                        chart.draw_series([dot])?;
                        continue;
                    }
                    if is_last {
                        chart.draw_series([Polygon::new(closed(polygon), style.mix(0.15))])?;
                    }
                    let line = style.stroke_width(if is_last { 2 } else { 1 });
                    chart.draw_series([PathElement::new(closed(polygon), line)])?;
                }
                for wire in &outline.wires {
                    let points: Vec<_> = wire.iter().map(|p| (p[0], p[1])).collect();
                    chart.draw_series([PathElement::new(points, style.stroke_width(1))])?;
                }
            }
        }
        let mark = |p: &[f64; 2]| Circle::new((p[0], p[1]), 3, BLACK.filled());
        chart.draw_series(self.marks.iter().map(mark))?;
        Ok(())
    }
}

fn heading(area: &Area<'_>, words: &[String]) -> Outcome {
    for (line, text) in words.iter().enumerate() {
        let at = (
            (MARGIN + BESIDE) as i32,
            (MARGIN + LINE * line as u32) as i32,
        );
        let font = ("sans-serif", if line == 0 { 17 } else { 15 }).into_font();
        area.draw(&Text::new(text.as_str(), at, font))?;
    }
    Ok(())
}

fn closed(polygon: &[[f64; 2]]) -> Vec<(f64, f64)> {
    let points = polygon.iter().chain(polygon.first());
    points.map(|p| (p[0], p[1])).collect()
}

/// The part of a convex polygon within half-planes n.p <= offset (Sutherland and Hodgman 1974).
pub fn clipped(polygon: &[[f64; 2]], planes: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut polygon = polygon.to_vec();
    for plane in planes {
        let beyond = |p: &[f64; 2]| plane[0] * p[0] + plane[1] * p[1] - plane[2];
        let ends = polygon.iter().cycle().skip(1);
        let mut inside = Vec::new();
        for (from, to) in polygon.iter().zip(ends) {
            let (a, b) = (beyond(from), beyond(to));
            if a <= 0.0 {
                inside.push(*from);
            }
            if (a <= 0.0) != (b <= 0.0) {
                let t = a / (a - b);
                inside.push([0, 1].map(|k| from[k] + t * (to[k] - from[k])));
            }
        }
        polygon = inside;
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_planes_cut_what_is_seen() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let below = clipped(&square, &[[0.0, 1.0, 0.5]]);
        assert_eq!(below, [[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.0, 0.5]]);
        assert!(clipped(&square, &[[0.0, 1.0, -1.0]]).is_empty());
        assert!(clipped(&square, &[[1.0, 0.0, 1.0], [-1.0, 0.0, -1.5]]).is_empty());
        assert!(clipped(&[], &[[1.0, 0.0, 1.0]]).is_empty());
    }

    #[test]
    fn a_picture_has_a_scale_and_values_at_its_arrows() {
        let square = |name: &str, x: f64| Outline {
            name: name.to_owned(),
            fixed: false,
            loops: vec![vec![[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]]],
            wires: Vec::new(),
        };
        let bodies = vec![square("a", 0.0), square("b", 2.0)];
        let drawing = Drawing {
            heading: vec!["two squares".to_owned()],
            arrows: "forces".to_owned(),
            none: "nothing presses".to_owned(),
            unit: "N",
            images: vec![bodies.clone()],
            last: bodies,
            forces: vec![
                ([0.0, 0.0], [0.0, 9.81]),
                ([2.0, 0.0], [3.0, 4.0]),
                ([3.0, 0.0], [0.0, 0.0]),
            ],
            ..Drawing::default()
        };
        let text = drawing.svg().unwrap();
        for word in [
            "x, m",
            "y, m",
            "two squares",
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
        let none = Drawing {
            forces: Vec::new(),
            ..drawing
        };
        assert!(none.svg().unwrap().contains("nothing presses"));
    }

    #[test]
    fn a_huge_force_leaves_the_others_to_be_seen() {
        let at = |x: f64, size: f64| ([x, 0.0], [0.0, size]);
        let drawing = |forces: Vec<Pressing>| Drawing {
            arrows: "forces".to_owned(),
            unit: "N",
            forces,
            ..Drawing::default()
        };
        let count = |text: &str| {
            let line = format!("stroke=\"{}\"", ink::hex(ink::FORCE));
            text.matches(&line).count()
        };
        let calm = vec![at(0.0, 9.0), at(1.0, 10.0), at(2.0, 11.0)];
        let text = drawing(calm.clone()).svg().unwrap();
        assert!(text.contains("the longest 11 N") && count(&text) == 3);
        let blow: Vec<_> = calm.into_iter().chain([at(3.0, 1e9)]).collect();
        let text = drawing(blow).svg().unwrap();
        // One line more: the bar of the arrow that is cut.
        assert!(
            text.contains("110 pixels are 80 N; those with a bar are cut"),
            "{text}"
        );
        assert!(text.contains("1.0e9 N") && count(&text) == 5, "{text}");
        let two = drawing(vec![at(0.0, 1.0), at(1.0, 300.0)]).svg().unwrap();
        assert!(two.contains("110 pixels are 8 N") && count(&two) == 3);
    }

    #[test]
    fn numbers_that_are_none_are_left_out() {
        let drawing = Drawing {
            forces: vec![([0.0, 0.0], [f64::NAN, 1.0]), ([1.0, f64::NAN], [0.0, 1.0])],
            ..Drawing::default()
        };
        assert!(drawing.svg().is_ok());
    }
}
