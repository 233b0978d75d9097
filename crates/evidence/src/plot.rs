//! Plots as SVG.

use plotters::coord::combinators::BindKeyPoints;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

use crate::ink;
pub use crate::ink::COLORS;

/// Why there is no plot.
#[derive(Debug, thiserror::Error)]
#[error("the plot {title:?} cannot be drawn: {why}")]
pub struct PlotError {
    title: String,
    why: String,
}

/// A line with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are measurements, which are marked.
    pub marked: bool,
}

/// A shape behind the lines of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// A polygon, or with two points a segment.
    pub points: Vec<(f64, f64)>,
    /// Its number in [`COLORS`]; without one it is grey.
    pub color: Option<usize>,
    /// From 0, not to be seen, to 1.
    pub shade: f64,
}

/// The quantity of a plot.
#[derive(Debug, Clone, Copy)]
pub struct PlotFrame<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub x: &'a str,
    /// Beside the vertical axis.
    pub y: &'a str,
    /// How both run.
    pub axes: Axes,
}

/// How the axes of a plot run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// Both from the least to the greatest value.
    Linear,
    /// Both logarithmic; what is not positive is left out.
    Logarithmic,
    /// The horizontal one logarithmic, the vertical one from 0 to 1.
    Share,
    /// Both in the same unit of length, of which a metre is as long to the right as upwards.
    Plan,
}

/// How values stand beside an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// As numbers.
    Plain,
    /// As times, in a unit that suits them.
    Seconds,
}

/// The appearance of a plot.
#[derive(Debug, Clone, Copy)]
struct Look<'a> {
    size: (u32, u32),
    /// By how much lines and letters are larger than in a file of its own.
    scale: u32,
    /// A file of its own has paper, a title and a legend; a part of a page has them from the page.
    whole: bool,
    /// The unit of the vertical axis.
    unit: Unit,
    /// Which of [`COLORS`] each line has; without any, the lines have them in turn.
    colors: &'a [usize],
    /// What is behind the lines of a plan.
    shapes: &'a [Shape],
}

/// A file of its own.
const WHOLE: Look<'_> = Look {
    size: (900, 560),
    scale: 1,
    whole: true,
    unit: Unit::Plain,
    colors: &[],
    shapes: &[],
};

/// The width and height of a part of a page in its own units. Coordinates in SVG are whole numbers
/// here, so that the units are a quarter of what a narrow screen shows.
pub const PART: (u32, u32) = (1680, 1080);

/// The plot as the text of an SVG file.
///
/// # Errors
/// [`PlotError`].
pub fn svg(frame: &PlotFrame<'_>, lines: &[Line]) -> Result<String, PlotError> {
    Ok(ink::dashed(&render(frame, lines, &WHOLE)?))
}

/// The plot as the elements inside `<svg viewBox="0 0 W H">`, with W and H, for a page that has its
/// title and legend elsewhere: no paper, letters for a narrow screen, of [`COLORS`] for each line the
/// one of that number, and shapes behind the lines of a plan.
///
/// # Errors
/// [`PlotError`].
pub fn part(
    frame: &PlotFrame<'_>,
    lines: &[Line],
    colors: &[usize],
    unit: Unit,
    shapes: &[Shape],
) -> Result<(String, (u32, u32)), PlotError> {
    let size = match frame.axes {
        Axes::Plan => plan_size(lines, shapes),
        _ => PART,
    };
    let look = Look {
        size,
        scale: 4,
        whole: false,
        unit,
        colors,
        shapes,
    };
    let text = render(frame, lines, &look)?;
    let inside = text.split_once('>').map_or("", |(_, rest)| rest);
    let inside = inside.trim_end().trim_end_matches("</svg>");
    Ok((inside.to_owned(), size))
}

fn render(frame: &PlotFrame<'_>, lines: &[Line], look: &Look<'_>) -> Result<String, PlotError> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, look.size).into_drawing_area();
    let drawn = draw(&area, frame, lines, look);
    let drawn = drawn.and_then(|()| Ok(area.present()?));
    drop(area);
    drawn.map_err(|why| PlotError {
        title: frame.title.to_owned(),
        why: why.to_string(),
    })?;
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

fn draw(area: &Area<'_>, frame: &PlotFrame<'_>, lines: &[Line], look: &Look<'_>) -> Outcome {
    let mut builder = ChartBuilder::on(area);
    if look.whole {
        area.fill(&WHITE)?;
        builder.caption(frame.title, ("sans-serif", 20));
    }
    let [margin, below, beside] = look.margins();
    builder
        .margin(margin)
        .margin_right(look.right())
        .x_label_area_size(below)
        .y_label_area_size(beside);
    let points = || lines.iter().flat_map(|line| &line.points);
    let (left, right) = positive_range(points().map(|p| p.0));
    let (low, high) = positive_range(points().map(|p| p.1));
    let ticked = |low: f64, high: f64| (low..high).log_scale().with_key_points(ticks(low, high));
    match frame.axes {
        Axes::Logarithmic if !look.whole => {
            let x = ticked(left / 1.08, right * 1.08);
            let y = ticked(low / 1.5, high * 1.5);
            let mut chart = builder.build_cartesian_2d(x, y)?;
            add_mesh(&mut chart, frame, look)?;
            add_lines(&mut chart, lines, look)
        }
        Axes::Share if !look.whole => {
            let mut chart = builder.build_cartesian_2d(ticked(left, right), 0.0..1.0)?;
            add_mesh(&mut chart, frame, look)?;
            add_lines(&mut chart, lines, look)
        }
        Axes::Logarithmic => {
            let (x, y) = (left..right, low / 1.5..high * 1.5);
            let mut chart = builder.build_cartesian_2d(x.log_scale(), y.log_scale())?;
            add_mesh(&mut chart, frame, look)?;
            add_lines(&mut chart, lines, look)
        }
        Axes::Share => {
            let mut chart = builder.build_cartesian_2d((left..right).log_scale(), 0.0..1.0)?;
            add_mesh(&mut chart, frame, look)?;
            add_lines(&mut chart, lines, look)
        }
        Axes::Linear | Axes::Plan => {
            let all = || seen(lines, look.shapes);
            let (x, y) = (range(all().map(|p| p.0)), range(all().map(|p| p.1)));
            let (x, y) = match frame.axes {
                Axes::Plan => alike(x, y, look.inside()),
                _ => (x, y),
            };
            let mut chart = builder.build_cartesian_2d(x, y)?;
            add_mesh(&mut chart, frame, look)?;
            add_shapes(&mut chart, look)?;
            add_lines(&mut chart, lines, look)
        }
    }
}

impl Look<'_> {
    /// Around the chart, below it, beside it.
    fn margins(&self) -> [u32; 3] {
        if self.whole {
            [12, 45, 70]
        } else {
            [28, 150, 265]
        }
    }

    /// To the right of the chart: half of the last label stands there.
    fn right(&self) -> u32 {
        if self.whole { 12 } else { 84 }
    }

    /// The width and height of what the axes enclose.
    fn inside(&self) -> (f64, f64) {
        let [margin, below, beside] = self.margins();
        let (width, height) = self.size;
        let left = |all: u32, taken: u32| f64::from(all.saturating_sub(taken).max(1));
        (
            left(width, margin + self.right() + beside),
            left(height, 2 * margin + below),
        )
    }

    fn color(&self, k: usize) -> RGBAColor {
        let number = match self.colors.len() {
            0 => k,
            count => self.colors[k % count],
        };
        ink::color(number).to_rgba()
    }
}

type Chart<'a, X, Y> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>;

/// The grid behind the lines, with what the axes are.
fn add_mesh<'a, X, Y>(
    chart: &mut Chart<'a, X, Y>,
    frame: &PlotFrame<'_>,
    look: &Look<'_>,
) -> Outcome
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let scientific = |value: &f64| format!("{value:.0e}");
    // On an axis that is not logarithmic, what is left of a difference is 0.
    let linear = matches!(frame.axes, Axes::Linear | Axes::Plan);
    let clean = |value: f64| {
        if linear && value.abs() < 1e-9 {
            0.0
        } else {
            value
        }
    };
    let in_unit = |value: &f64| label(clean(*value), look.unit);
    let plain = |value: &f64| label(clean(*value), Unit::Plain);
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(frame.x).y_desc(frame.y);
    if look.whole {
        mesh.light_line_style(WHITE);
        if frame.axes == Axes::Logarithmic {
            mesh.y_label_formatter(&scientific);
        }
        mesh.draw()?;
    } else {
        let font = ("sans-serif", 11 * look.scale);
        let thin = BLACK.mix(0.15).stroke_width(look.scale / 2);
        mesh.x_labels(6)
            .y_labels(6)
            .max_light_lines(0)
            .bold_line_style(thin)
            .axis_style(BLACK.stroke_width(look.scale))
            .label_style(font)
            .axis_desc_style(font)
            .x_label_formatter(&plain)
            .y_label_formatter(&in_unit)
            .draw()?;
    }
    Ok(())
}

/// A value beside an axis.
fn label(value: f64, unit: Unit) -> String {
    let short = |value: f64| {
        let text = format!("{value:.3}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    };
    match unit {
        Unit::Plain if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) => {
            format!("{value:.0e}")
        }
        Unit::Plain => short(value),
        Unit::Seconds if value < 1e-6 => format!("{} ns", short(value * 1e9)),
        Unit::Seconds if value < 1e-3 => format!("{} \u{b5}s", short(value * 1e6)),
        Unit::Seconds if value < 1.0 => format!("{} ms", short(value * 1e3)),
        Unit::Seconds => format!("{} s", short(value)),
    }
}

/// The shapes: pale where they are filled, with thin grey edges, which have no dashes.
fn add_shapes<'a, X, Y>(chart: &mut Chart<'a, X, Y>, look: &Look<'_>) -> Outcome
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    for shape in look.shapes {
        let color = shape.color.map_or(BLACK, ink::color);
        let edge = BLACK.mix(0.7 * shape.shade);
        let edge = edge.stroke_width(look.scale / 2);
        if shape.points.len() > 2 {
            let filled = color.mix(0.35 * shape.shade);
            chart.draw_series([Polygon::new(shape.points.clone(), filled)])?;
        }
        let around = shape.points.iter().chain(shape.points.first()).copied();
        chart.draw_series([PathElement::new(around.collect::<Vec<_>>(), edge)])?;
    }
    Ok(())
}

fn add_lines<'a, X, Y>(chart: &mut Chart<'a, X, Y>, lines: &[Line], look: &Look<'_>) -> Outcome
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    for (k, line) in lines.iter().enumerate() {
        let color = look.color(k);
        let style = color.stroke_width(2 * look.scale);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        if line.marked {
            let radius = 3 * look.scale as i32;
            let mark = |&point: &(f64, f64)| Circle::new(point, radius, color.filled());
            chart.draw_series(line.points.iter().map(mark))?;
        }
    }
    if look.whole {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
    }
    Ok(())
}

/// Where a logarithmic axis has ticks: at 1, 2 and 5 times powers of ten where it is short, at some
/// powers of ten where it is long.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let every = (decades / 6.0).ceil().max(1.0) as i32;
    let digits: &[f64] = if decades < 2.5 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let powers = (first..=last).filter(|power| power % every == 0);
    let all = powers.flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
    all.filter(|tick| (low..=high).contains(tick)).collect()
}

/// Ranges that make a unit as long to the right as upwards, wider than they were where need be.
fn alike(
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    (width, height): (f64, f64),
) -> (std::ops::Range<f64>, std::ops::Range<f64>) {
    let unit = ((x.end - x.start) / width).max((y.end - y.start) / height);
    let wider = |range: std::ops::Range<f64>, length: f64| {
        let more = (unit * length - (range.end - range.start)) / 2.0;
        range.start - more..range.end + more
    };
    (wider(x, width), wider(y, height))
}

/// All points of lines and shapes.
fn seen<'a>(lines: &'a [Line], shapes: &'a [Shape]) -> impl Iterator<Item = &'a (f64, f64)> {
    let corners = shapes.iter().flat_map(|shape| &shape.points);
    lines.iter().flat_map(|line| &line.points).chain(corners)
}

/// A picture as wide as others, and as high as what it shows asks for, within reason.
fn plan_size(lines: &[Line], shapes: &[Shape]) -> (u32, u32) {
    let points = || seen(lines, shapes);
    let (x, y) = (range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    let ratio = (y.end - y.start) / (x.end - x.start);
    let width = f64::from(PART.0);
    let height = (width * ratio).clamp(0.35 * width, 0.66 * width);
    (PART.0, height as u32)
}

/// The least and the greatest of the positive values; something to draw where there are none.
fn positive_range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let positive = values.filter(|v| *v > 0.0 && v.is_finite());
    let (low, high) = positive.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low < high { (low, high) } else { (1.0, 10.0) }
}

/// A little more than from the least to the greatest value.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let finite = values.filter(|v| v.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low < high {
        // Differences of some units of rounding are no more to be seen than none.
        let margin = ((high - low) / 20.0).max(1e-9 * low.abs().max(high.abs()));
        low - margin..high + margin
    } else if low.is_finite() {
        low - 1.0..low + 1.0
    } else {
        0.0..1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_hold_their_lines_and_words() {
        let line = Line {
            name: "walls".to_owned(),
            points: vec![(10.0, 1e-6), (1000.0, 1e-3)],
            marked: true,
        };
        for axes in [Axes::Linear, Axes::Logarithmic, Axes::Share] {
            let frame = PlotFrame {
                title: "growth",
                x: "n",
                y: "seconds",
                axes,
            };
            let text = svg(&frame, std::slice::from_ref(&line)).unwrap();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            for word in ["growth", "walls", "seconds", "polyline", "circle"] {
                assert!(text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn parts_have_no_paper_and_the_colours_that_are_asked_for() {
        let line = Line {
            name: "<b>".to_owned(),
            points: vec![(5.0, 1e-6), (80.0, 1e-3)],
            marked: true,
        };
        for axes in [Axes::Linear, Axes::Logarithmic, Axes::Share, Axes::Plan] {
            let (title, x, y) = ("t", "n", "time");
            let frame = PlotFrame { title, x, y, axes };
            let lines = std::slice::from_ref(&line);
            let (text, (width, _)) = part(&frame, lines, &[2], Unit::Seconds, &[]).unwrap();
            assert_eq!(width, PART.0);
            assert!(!text.contains("<svg") && !text.contains("</svg>") && !text.contains("<b>"));
            assert!(
                text.contains("#009E73") && !text.contains("#FFFFFF"),
                "{text}"
            );
        }
    }

    #[test]
    fn short_logarithmic_axes_have_ticks_within_decades() {
        assert_eq!(ticks(4.0, 90.0), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(ticks(0.5, 2e4), [1.0, 10.0, 100.0, 1000.0, 10000.0]);
        let long = ticks(1e-18, 1e-3);
        assert!((4..8).contains(&long.len()), "{long:?}");
        assert_eq!(label(2e-5, Unit::Seconds), "20 \u{b5}s");
        assert_eq!(label(0.25, Unit::Plain), "0.25");
        assert_eq!(label(1e-9, Unit::Plain), "1e-9");
    }

    #[test]
    fn plans_are_not_stretched() {
        let (x, y) = alike(0.0..1.0, 0.0..4.0, (100.0, 200.0));
        assert_eq!((x.end - x.start, y.end - y.start), (2.0, 4.0));
        assert_eq!((x.start, y.start), (-0.5, 0.0));
    }

    #[test]
    fn a_plot_of_nothing_is_empty_and_no_panic() {
        for axes in [Axes::Linear, Axes::Logarithmic, Axes::Share] {
            let frame = PlotFrame {
                title: "none",
                x: "n",
                y: "s",
                axes,
            };
            assert!(svg(&frame, &[]).is_ok());
        }
    }
}
