//! The colours, dashes and arrows of all plots and pictures.
//!
//! The palette is that of Okabe and Ito (*Color Universal Design*, 2008), which readers with any colour vision tell apart.
//! Its orange, sky blue and yellow are darkened until they stand out from white paper by 3 to 1, and its black is a dark
//! grey, because axes are black. In print without colour the dashes tell lines apart.

use std::fmt::Write;

use plotters::coord::Shift;
use plotters::prelude::*;

/// The colours of lines: blue, vermilion, bluish green, reddish purple, orange, grey, sky blue, yellow. A page for dark
/// screens styles what has them by the attributes `stroke` and `fill`.
pub const COLORS: [(u8, u8, u8); 8] = [
    (0x00, 0x72, 0xb2),
    (0xd5, 0x5e, 0x00),
    (0x00, 0x9e, 0x73),
    (0xcc, 0x79, 0xa7),
    (0xb8, 0x7f, 0x00),
    (0x44, 0x44, 0x44),
    (0x2e, 0x8b, 0xc0),
    (0x8c, 0x80, 0x00),
];

/// The dashes of lines, in the order of [`COLORS`], in quarters of a pixel of a file of its own.
pub const DASHES: [&str; COLORS.len()] = [
    "none",
    "28 14",
    "6 12",
    "40 12 6 12",
    "16 8",
    "56 16",
    "28 8 6 8 6 8",
    "4 6",
];

/// The colour of arrows of forces: vermilion. No body has it.
pub const FORCE: usize = 1;

/// The number of a body's colour: in turn, but for that of forces, which is left to them.
pub fn of_body(k: usize) -> usize {
    if k < FORCE {
        k
    } else {
        k + 1 + (k - FORCE) / (COLORS.len() - 1)
    }
}

/// A colour of [`COLORS`], in turn.
pub fn color(k: usize) -> RGBColor {
    let (r, g, b) = COLORS[k % COLORS.len()];
    RGBColor(r, g, b)
}

/// A colour as SVG has it.
pub fn hex(k: usize) -> String {
    let (r, g, b) = COLORS[k % COLORS.len()];
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// The dashes of a line, a quarter as long.
pub fn quarter(dash: &str) -> String {
    let parts = dash.split(' ').map(|part| match part.parse::<f64>() {
        Ok(length) => (length / 4.0).to_string(),
        Err(_) => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// An SVG file whose lines have the dashes of their colours. The drawing library knows none.
pub fn dashed(svg: &str) -> String {
    let mut style = String::from("<style>");
    for (k, dash) in DASHES.iter().enumerate() {
        let (color, dash) = (hex(k), quarter(dash));
        let _ = write!(
            style,
            "polyline[stroke=\"{color}\"]{{stroke-dasharray:{dash}}}"
        );
    }
    style += "</style>";
    match svg.split_once('>') {
        Some((head, rest)) => format!("{head}>\n{style}{rest}"),
        None => svg.to_owned(),
    }
}

/// The length of an arrow's head and half its width, in pixels. Chosen to be seen at the size of a column of print.
const HEAD: (f64, f64) = (11.0, 4.5);

/// An arrow between two points in pixels. A short one is all head.
///
/// # Errors
/// Those of the drawing library.
pub fn arrow(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    from: (i32, i32),
    to: (i32, i32),
    color: RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    if length < 1.0 {
        return Ok(());
    }
    let (ex, ey) = (dx / length, dy / length);
    let head = HEAD.0.min(length);
    let back = |along: f64, aside: f64| {
        let x = f64::from(to.0) - along * ex - aside * ey;
        let y = f64::from(to.1) - along * ey + aside * ex;
        (x.round() as i32, y.round() as i32)
    };
    area.draw(&PathElement::new(
        vec![from, back(head * 0.8, 0.0)],
        color.stroke_width(2),
    ))?;
    let half = HEAD.1 * head / HEAD.0;
    let points = vec![to, back(head, half), back(head, -half)];
    area.draw(&Polygon::new(points, color.filled()))?;
    Ok(())
}

/// A bar across an arrow behind its head: it is shorter than what it stands for.
///
/// # Errors
/// Those of the drawing library.
pub fn bar(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    from: (i32, i32),
    to: (i32, i32),
    color: RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy).max(1.0);
    let (ex, ey) = (dx / length, dy / length);
    let end = |side: f64| {
        let x = f64::from(to.0) - 1.6 * HEAD.0 * ex - side * 1.5 * HEAD.1 * ey;
        let y = f64::from(to.1) - 1.6 * HEAD.0 * ey + side * 1.5 * HEAD.1 * ex;
        (x.round() as i32, y.round() as i32)
    };
    let ends = vec![end(1.0), end(-1.0)];
    area.draw(&PathElement::new(ends, color.stroke_width(2)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_body_has_the_colour_of_forces_and_all_others_come_in_turn() {
        let numbers: Vec<_> = (0..9).map(|k| of_body(k) % COLORS.len()).collect();
        assert_eq!(numbers, [0, 2, 3, 4, 5, 6, 7, 0, 2]);
    }

    #[test]
    fn every_colour_has_dashes_of_its_own_in_a_file() {
        let file = dashed("<svg width=\"9\">\n<polyline/></svg>");
        assert!(
            file.starts_with("<svg width=\"9\">\n<style>") && file.ends_with("<polyline/></svg>")
        );
        let mut dashes = DASHES.to_vec();
        dashes.sort_unstable();
        dashes.dedup();
        assert_eq!(dashes.len(), COLORS.len());
        for (k, dash) in DASHES.iter().enumerate() {
            let rule = format!(
                "[stroke=\"{}\"]{{stroke-dasharray:{}}}",
                hex(k),
                quarter(dash)
            );
            assert!(file.contains(&rule), "{rule}");
        }
    }
}
