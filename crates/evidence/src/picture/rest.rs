//! A scene at rest with the forces that act in it.

use etalon_planar::Outline;
use etalon_scenarios::view::{Sketch, Touch};

use super::PictureError;
use super::drawing::Drawing;

/// The forces of a scene at rest.
#[derive(Debug, Clone, Default)]
pub struct Acting {
    /// Normal force and friction in tangent coordinates of each contact, in the order of the scene; none where there
    /// are no forces.
    pub forces: Vec<(f64, Vec<f64>)>,
    /// What they are: "contact forces". Where there are none, why.
    pub what: String,
    /// N or N s.
    pub unit: &'static str,
}

/// The letters of a heading that the narrowest picture has place for.
const LETTERS: usize = 58;

/// The picture of a scene at rest: bodies with their centres of mass, what they rest on, and arrows of forces.
///
/// # Errors
/// [`PictureError`].
pub fn at_rest(name: &str, sketch: &Sketch, acting: &Acting) -> Result<String, PictureError> {
    let outline = |body: &etalon_scenarios::view::Drawn| Outline {
        name: body.name.clone(),
        fixed: false,
        loops: vec![body.outline.clone()],
        wires: Vec::new(),
    };
    let bodies: Vec<_> = sketch.bodies.iter().map(outline).collect();
    let drawing = Drawing {
        heading: vec![
            short(name),
            match sketch.outlined {
                true => "bodies with their centres of mass (dots)".to_owned(),
                false => "bodies: discs, or hulls of contacts, joints and centre (dot)".to_owned(),
            },
        ],
        arrows: acting.what.clone(),
        none: match acting.forces.is_empty() {
            true => acting.what.clone(),
            false => "no contact presses".to_owned(),
        },
        unit: acting.unit,
        axes: Some([sketch.across.clone(), sketch.up.clone()]),
        lines: ground(sketch),
        last: bodies,
        marks: sketch.centres.clone(),
        forces: sketch.acting(&acting.forces),
        ..Drawing::default()
    };
    drawing.svg()
}

/// A name that has place, without characters that XML does not know.
pub(super) fn short(name: &str) -> String {
    let is_unknown = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let shown = name.chars().map(|c| if is_unknown(c) { '?' } else { c });
    match name.chars().count() {
        0..=LETTERS => shown.collect(),
        _ => shown.take(LETTERS - 3).chain("...".chars()).collect(),
    }
}

/// At each touch of something that stays, a piece of its surface with hatches on its side.
fn ground(sketch: &Sketch) -> Vec<Vec<[f64; 2]>> {
    let points = sketch.bodies.iter().flat_map(|body| &body.outline);
    let ends = |k: usize| {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = points
            .clone()
            .fold(start, |(low, high), p| (low.min(p[k]), high.max(p[k])));
        (high - low).max(0.0)
    };
    let size = ends(0).max(ends(1));
    let half = if size > 0.0 { 0.09 * size } else { 0.1 };
    sketch
        .grounds
        .iter()
        .flat_map(|touch| piece(touch, half))
        .collect()
}

pub(super) fn piece(touch: &Touch, half: f64) -> Vec<Vec<[f64; 2]>> {
    let [nx, ny] = touch.normal;
    let length = nx.hypot(ny);
    // Seen along its normal, a surface has no line.
    if length < 0.05 {
        return Vec::new();
    }
    let (nx, ny) = (nx / length, ny / length);
    let along = |t: f64, below: f64| {
        let [x, y] = touch.at;
        [x - t * ny - below * nx, y + t * nx - below * ny]
    };
    let mut lines = vec![vec![along(-half, 0.0), along(half, 0.0)]];
    let hatch = |k: i32| {
        let t = half * f64::from(k) / 4.0;
        vec![along(t, 0.0), along(t - half / 4.0, half / 4.0)]
    };
    lines.extend((-3..=4).map(hatch));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_scenarios::find;

    #[test]
    fn a_ladder_stands_with_forces_that_have_values() {
        let instance = find("ladder").unwrap().instance([]).unwrap();
        let sketch = Sketch::new(&instance.setup.mechanics);
        let acting = Acting {
            forces: vec![(9.81, vec![3.5]), (3.5, vec![0.0])],
            what: "contact forces".to_owned(),
            unit: "N",
        };
        let text = at_rest("ladder", &sketch, &acting).unwrap();
        for word in [
            "ladder",
            "contact forces, the longest 10.4 N",
            "3.5 N",
            "x, m",
        ] {
            assert!(text.contains(word), "{word}: {text}");
        }
        let none = Acting {
            what: "no contact forces satisfy the laws".to_owned(),
            ..Acting::default()
        };
        let text = at_rest(&"long".repeat(40), &sketch, &none).unwrap();
        assert!(text.contains("no contact forces satisfy the laws") && text.contains("..."));
    }
}
