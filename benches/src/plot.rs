//! Plots as SVG.

use plotters::prelude::*;

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

/// What a plot is of.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Below the horizontal axis, which is logarithmic.
    pub x: &'a str,
    /// Beside the vertical axis.
    pub y: &'a str,
    /// Whether the vertical axis is logarithmic; else it goes from 0 to 1.
    pub logarithmic: bool,
}

const SIZE: (u32, u32) = (900, 560);

/// The plot as the text of an SVG file.
pub fn svg(frame: &Frame<'_>, lines: &[Line]) -> Result<String, PlotError> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
    let drawn = draw(&area, frame, lines);
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

fn draw(area: &Area<'_>, frame: &Frame<'_>, lines: &[Line]) -> Outcome {
    area.fill(&WHITE)?;
    let points = || lines.iter().flat_map(|line| &line.points);
    let (left, right) = range(points().map(|p| p.0));
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(frame.title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(45)
        .y_label_area_size(70);
    let x = (left..right).log_scale();
    if frame.logarithmic {
        let (low, high) = range(points().map(|p| p.1));
        let mut chart = builder.build_cartesian_2d(x, (low / 1.5..high * 1.5).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(frame.x)
            .y_desc(frame.y)
            .y_label_formatter(&|value| format!("{value:.0e}"))
            .light_line_style(WHITE)
            .draw()?;
        add_lines(&mut chart, lines)
    } else {
        let mut chart = builder.build_cartesian_2d(x, 0.0..1.0)?;
        chart
            .configure_mesh()
            .x_desc(frame.x)
            .y_desc(frame.y)
            .light_line_style(WHITE)
            .draw()?;
        add_lines(&mut chart, lines)
    }
}

fn add_lines<'a, Y>(
    chart: &mut ChartContext<'a, SVGBackend<'a>, Cartesian2d<LogCoord<f64>, Y>>,
    lines: &[Line],
) -> Outcome
where
    Y: Ranged<ValueType = f64>,
{
    for (k, line) in lines.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let style = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        if line.marked {
            let mark = |&point: &(f64, f64)| Circle::new(point, 3, color.filled());
            chart.draw_series(line.points.iter().map(mark))?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The least and the greatest of the positive values; something to draw where there are none.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let positive = values.filter(|v| *v > 0.0 && v.is_finite());
    let (low, high) = positive.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low < high { (low, high) } else { (1.0, 10.0) }
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
        for logarithmic in [false, true] {
            let frame = Frame {
                title: "growth",
                x: "n",
                y: "seconds",
                logarithmic,
            };
            let text = svg(&frame, std::slice::from_ref(&line)).unwrap();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            for word in ["growth", "walls", "seconds", "polyline", "circle"] {
                assert!(text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn a_plot_of_nothing_is_empty_and_no_panic() {
        let frame = Frame {
            title: "none",
            x: "n",
            y: "s",
            logarithmic: true,
        };
        assert!(svg(&frame, &[]).is_ok());
    }
}
