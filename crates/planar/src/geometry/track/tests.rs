//! Tracks against the curves that they are, and what is refused.

use std::f64::consts::TAU;

use proptest::prelude::*;

use super::*;

fn piece(points: &[[f64; 2]], weights: &[f64]) -> CurvePiece {
    CurvePiece {
        points: points.to_vec(),
        weights: weights.to_vec(),
    }
}

fn track(pieces: Vec<CurvePiece>) -> Result<Track, CurveError> {
    Track::new(&Curve { pieces }, 0.04)
}

/// A circle about the origin, of four quarters that are exact.
fn circle(radius: f64) -> Vec<CurvePiece> {
    let corners = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let quarter = |k: i32| {
        // A turn by k right angles.
        let turned = |[x, y]: [f64; 2]| match k {
            0 => [x, y],
            1 => [-y, x],
            2 => [-x, -y],
            _ => [y, -x],
        };
        let points = corners.map(turned).map(|[x, y]| [radius * x, radius * y]);
        piece(&points, &[1.0, 1.0, 2.0])
    };
    (0..4).map(quarter).collect()
}

proptest! {
    #[test]
    fn the_foot_on_a_circle_lies_below_the_point(
        radius in 0.1..10.0f64,
        angle in 0.0..TAU,
        off in -0.3..0.3f64,
    ) {
        let own = track(circle(radius)).unwrap();
        let way = Vec2::new(angle.cos(), angle.sin());
        let foot = own.nearest(way * (radius * (1.0 + off)));
        prop_assert!((foot.at - way * radius).norm() < 1e-14 * radius * 10.0);
        prop_assert!((foot.along - turn(1.0, way)).norm() < 1e-13);
        prop_assert!((foot.curvature * radius - 1.0).abs() < 1e-12);
        prop_assert_eq!(foot.beyond, None);
        // The left of a circle that runs counter-clockwise is its inside.
        prop_assert!((foot.distance(way * (radius * (1.0 + off))) + radius * off).abs() < 1e-13 * radius);
    }

    /// y = x^2 from -2 to 2, and the normal through its point at x.
    #[test]
    fn the_foot_on_a_parabola_lies_on_its_normal(x in -1.9..1.9f64, off in -0.3..0.3f64) {
        let own = track(vec![piece(&[[-2.0, 4.0], [0.0, -4.0], [2.0, 4.0]], &[])]).unwrap();
        let on = Vec2::new(x, x * x);
        let along = Vec2::new(1.0, 2.0 * x).normalize();
        let foot = own.nearest(on + turn(1.0, along) * off);
        prop_assert!((foot.at - on).norm() < 1e-13, "{:?}", foot);
        let curvature = 2.0 / (1.0 + 4.0 * x * x).powf(1.5);
        prop_assert!((foot.curvature - curvature).abs() < 1e-12);
    }
}

#[test]
fn beyond_its_ends_a_track_goes_on_straight() {
    let own = track(vec![piece(&[[-1.0, 1.0], [0.0, -1.0], [1.0, 1.0]], &[])]).unwrap();
    let last = own.nearest(Vec2::new(1.1, 1.3));
    assert_eq!(last.beyond, Some(End::Last));
    assert_eq!((last.at, last.curvature), (Vec2::new(1.0, 1.0), 0.0));
    let first = own.nearest(Vec2::new(-1.1, 1.3));
    assert_eq!(first.beyond, Some(End::First));
    assert_eq!(own.end(End::First), Some(first));
    assert_eq!(track(circle(1.0)).unwrap().end(End::Last), None);
}

#[test]
fn curves_that_cannot_be_followed_are_refused() {
    let line = |from, to| piece(&[from, to], &[]);
    let refused = |pieces| track(pieces).unwrap_err();
    assert_eq!(refused(vec![]), CurveError::Empty);
    assert!(matches!(
        refused(vec![piece(&[[0.0, 0.0]], &[])]),
        CurveError::Points { points: 1, .. }
    ));
    assert!(matches!(
        refused(vec![piece(&[[0.0, 0.0], [1.0, 0.0]], &[1.0])]),
        CurveError::Weights { weights: 1, .. }
    ));
    assert!(matches!(
        refused(vec![piece(&[[0.0, 0.0], [1.0, 0.0]], &[1.0, 0.0])]),
        CurveError::Number {
            what: "the weight",
            ..
        }
    ));
    assert!(matches!(
        refused(vec![line([0.0, f64::NAN], [1.0, 0.0])]),
        CurveError::Number {
            what: "the coordinate",
            ..
        }
    ));
    let apart = vec![line([0.0, 0.0], [1.0, 0.0]), line([1.5, 0.0], [2.0, 0.0])];
    assert!(matches!(refused(apart), CurveError::Apart { piece: 1, .. }));
    let corner = vec![line([0.0, 0.0], [1.0, 0.0]), line([1.0, 0.0], [1.0, 1.0])];
    assert!(matches!(
        refused(corner),
        CurveError::Corner { piece: 1, .. }
    ));
    // The cusp of y^3 = x^2.
    let cusp = vec![piece(
        &[[-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [1.0, 1.0]],
        &[],
    )];
    assert!(matches!(refused(cusp), CurveError::Sharp { piece: 0, .. }));
    let crossed = vec![piece(
        &[[-1.0, 0.0], [2.0, 2.0], [-2.0, 2.0], [1.0, 0.0]],
        &[],
    )];
    assert!(matches!(refused(crossed), CurveError::Crosses { .. }));
    assert!(matches!(
        refused(vec![line([0.0, 0.0], [0.0, 0.0])]),
        CurveError::Sharp { .. }
    ));
}
