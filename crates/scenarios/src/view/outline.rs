//! Outlines of bodies as polygons.

use std::f64::consts::TAU;

/// A circle around the origin as a polygon.
pub fn circle(radius: f64) -> Vec<[f64; 2]> {
    ellipse(radius, radius)
}

/// An ellipse around the origin as a polygon.
pub fn ellipse(a: f64, b: f64) -> Vec<[f64; 2]> {
    let point = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / 64.0).sin_cos();
        [a * cos, b * sin]
    };
    (0..64).map(point).collect()
}

/// A rectangle around the origin.
pub fn rectangle(width: f64, height: f64) -> Vec<[f64; 2]> {
    let (x, y) = (width / 2.0, height / 2.0);
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}

/// A rod along x with round ends: end centres at +-half.
pub fn capsule(half: f64, radius: f64) -> Vec<[f64; 2]> {
    let end = |middle: f64, from: f64| {
        (0..=16).map(move |k: u32| {
            let (sin, cos) = (from + std::f64::consts::PI * f64::from(k) / 16.0).sin_cos();
            [middle + radius * cos, radius * sin]
        })
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    end(half, -quarter).chain(end(-half, quarter)).collect()
}
