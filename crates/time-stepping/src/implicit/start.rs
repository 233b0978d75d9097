//! Where the closest points are about, in binary64: a start for Newton's method.

use rug::{Float, Rational};

use super::linear::largest;
use super::number::{dot, minus, times};
use super::pose::Pose;
use super::problem::StepProblem;
use super::shape::Shape;

/// Steps of the search for the direction between two bodies.
const SEARCH: usize = 200;

/// A body as the search sees it.
struct Side<'a> {
    pose: &'a Pose<f64>,
    shape: &'a Shape,
}

impl Side<'_> {
    /// The point of an ellipsoid or superquadric that is farthest in a direction.
    fn farthest(&self, direction: &[f64]) -> Vec<f64> {
        let half_axes = match self.shape {
            Shape::Ellipsoid { half_axes } => half_axes,
            Shape::Superquadric {
                half_axes,
                exponent,
            } => return self.farthest_of_power(direction, half_axes, *exponent),
            _ => return self.pose.centre.clone(),
        };
        // Of an ellipsoid with half axes A in its own frame the point A^2 d/|A d|. `inwards` takes
        // points, not directions.
        let at = self.pose.inwards(&plus(&self.pose.centre, direction));
        let reach: Vec<f64> = at
            .iter()
            .zip(half_axes)
            .map(|(x, a)| x * a.to_f64())
            .collect();
        let length = dot(&0.0, &reach, &reach).sqrt();
        let body = reach
            .iter()
            .zip(half_axes)
            .map(|(x, a)| x * a.to_f64() / length);
        plus(
            &self.pose.centre,
            &self.pose.outwards(&body.collect::<Vec<_>>()),
        )
    }

    /// The gradient of f is along d where x_i = a_i t_i with t_i^(p-1) in the ratios of a_i d_i, and f is 0 for one length.
    fn farthest_of_power(&self, direction: &[f64], half_axes: &[Rational], p: u32) -> Vec<f64> {
        let local = self.pose.into_body(direction);
        let reach = local.iter().zip(half_axes).map(|(x, a)| x * a.to_f64());
        let reach: Vec<f64> = reach.collect();
        let size = largest(&reach);
        if size == 0.0 {
            return self.pose.centre.clone();
        }
        // Ratios of at most 1, so that no power overflows.
        let shares: Vec<f64> = reach
            .iter()
            .map(|r| root((r / size).abs(), p - 1).copysign(*r))
            .collect();
        let sum = shares.iter().map(|t| (1..p).fold(*t, |own, _| own * t));
        let length = root(sum.sum(), p);
        let body = shares.iter().zip(half_axes);
        let body: Vec<f64> = body.map(|(t, a)| t * a.to_f64() / length).collect();
        plus(&self.pose.centre, &self.pose.outwards(&body))
    }
}

/// Correctly rounded, so that it does not depend on the machine.
fn root(x: f64, degree: u32) -> f64 {
    Float::with_val(53, x).root(degree).to_f64()
}

fn plus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn unit(a: &[f64]) -> Vec<f64> {
    let length = dot(&0.0, a, a).sqrt();
    if length == 0.0 {
        let first = |i: usize| if i == 0 { 1.0 } else { 0.0 };
        return (0..a.len()).map(first).collect();
    }
    times(&(1.0 / length), a)
}

/// Unknowns a_1, a_2, s, l of a pair at the end of a step with velocity v, about; empty for a point.
pub fn closest_points(problem: &StepProblem<'_>, pair: usize, v: &[f64]) -> Vec<f64> {
    if problem.geometry_len(pair) == 0 {
        return Vec::new();
    }
    let poses = problem.system.poses(problem.q, v, problem.h);
    let pair = &problem.system.pairs()[pair];
    let side = |i: usize| Side {
        pose: &poses[i],
        shape: &problem.system.bodies()[i].shape,
    };
    let (first, second) = (side(pair.first), side(pair.second));
    let (a, b) = match second.shape {
        Shape::HalfSpace { .. } => against_half_space(&first, &second),
        _ => between(&first, &second),
    };
    let gradients = [
        first.pose.gradient(first.shape, &a),
        second.pose.gradient(second.shape, &b),
    ];
    let squares = gradients.each_ref().map(|g| dot(&0.0, g, g));
    // a_2 - a_1 = s g_1 and g_1 + l g_2 = 0: s in the least squares, l from the lengths alone, so that it is
    // positive, as it has to be, also before the gradients are opposed.
    let s = dot(&0.0, &minus(&b, &a), &gradients[0]) / squares[0];
    let l = (squares[0] / squares[1]).sqrt();
    a.into_iter().chain(b).chain([s, l]).collect()
}

fn against_half_space(first: &Side<'_>, second: &Side<'_>) -> (Vec<f64>, Vec<f64>) {
    let normal = second.pose.gradient(second.shape, &first.pose.centre);
    let square = dot(&0.0, &normal, &normal);
    let a = first.farthest(&times(&-1.0, &normal));
    // f of a half-space is linear, so one Newton step along the normal, of any length, ends on its
    // surface.
    let height = second.pose.value(second.shape, &a);
    let b = minus(&a, &times(&(height / square), &normal));
    (a, b)
}

/// The distance along n is largest over all unit n where both farthest points are on one line
/// along n: steps up its slope, halved where they lead down.
fn between(first: &Side<'_>, second: &Side<'_>) -> (Vec<f64>, Vec<f64>) {
    let at = |n: &[f64]| {
        let a = first.farthest(&times(&-1.0, n));
        let b = second.farthest(n);
        let apart = minus(&a, &b);
        let distance = dot(&0.0, n, &apart);
        (a, b, apart, distance)
    };
    // n'(a - b) is minus the sum of two support functions and so concave in n: while the bodies are
    // apart, there is no other maximum on the sphere to end in.
    let mut n = unit(&minus(&first.pose.centre, &second.pose.centre));
    let mut here = at(&n);
    let mut share = 1.0 / (1.0 + largest(&here.2));
    for _ in 0..SEARCH {
        // The slope in n is a - b itself, as a and b are extreme themselves (envelope theorem). Its
        // part along n changes the length of n only.
        let slope = minus(&here.2, &times(&here.3, &n));
        let next = unit(&plus(&n, &times(&share, &slope)));
        let there = at(&next);
        if there.3 >= here.3 {
            (n, here) = (next, there);
            // A step that led up may have been too short, one that led down was too long. The search ends
            // by its count: it only gives Newton's method a start.
            share *= 1.5;
        } else {
            share *= 0.5;
        }
    }
    (here.0, here.1)
}
