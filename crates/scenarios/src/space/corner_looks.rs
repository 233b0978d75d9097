//! How scenes of corners in the plane look.

use etalon_time_stepping::corner::unit_vector;
use rug::Rational;

use super::corners::{CornerBody, CornerScene, CornerShape};
use crate::view::{Placement, View, at, float, hull, still};

impl CornerScene {
    /// The view of a scene of the plane, with a title. Forces are not drawn, as which contacts there are is another in each step.
    pub(crate) fn view(&self, title: &str) -> View {
        let mut view = View::new(title, "x, m", "y, m");
        let mut start = 0;
        for own in &self.bodies {
            if !own.has_state() {
                view = fixed(view, own);
                continue;
            }
            let points = own.shape.iter().flat_map(CornerShape::points);
            let points: Vec<_> = points.map(|point| pair(&point)).collect();
            let outline = match &own.shape {
                Some(CornerShape::Polygon(_)) => points,
                _ => hull(points),
            };
            let place = Placement::Plane([at(start), at(start + 1), at(start + 2)]);
            view = view.body(own.name.clone(), outline, place);
            start += 3;
        }
        view
    }
}

fn pair(point: &[Rational]) -> [f64; 2] {
    [0, 1].map(|k| point.get(k).map_or(0.0, float))
}

/// Adds what stays: a convex body, or its points.
fn fixed(mut view: View, own: &CornerBody) -> View {
    let [x, y] = pair(&own.position);
    let [cos, sin] = unit_vector(&own.orientation).map_or([1.0, 0.0], |own| pair(&own));
    let turned = |[a, b]: [f64; 2]| [cos * a - sin * b, sin * a + cos * b];
    let Some(shape) = &own.shape else {
        return view;
    };
    let faces = shape.faces().unwrap_or_default();
    let planes = faces.iter().map(|face| {
        let normal = turned(pair(&face.normal));
        (normal, float(&face.offset) + normal[0] * x + normal[1] * y)
    });
    let planes: Vec<_> = planes.collect();
    if !planes.is_empty() {
        return view.solid(&planes);
    }
    for (k, point) in (1..).zip(shape.points()) {
        let [dx, dy] = turned(pair(&point));
        let place = Placement::Plane([still(x + dx), still(y + dy), still(0.0)]);
        view = view.body(format!("{} point {k}", own.name), Vec::new(), place);
    }
    view
}
