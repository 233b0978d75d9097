//! Where the closest points are about, in binary64: a start for Newton's method.

use rug::{Float, Rational};

use super::jet::Jet;
use super::linear::{inverse, largest, product};
use super::number::{Number, dot, minus, times};
use super::pose::Pose;
use super::problem::{PairUnknowns, StepProblem};
use super::shape::Shape;

/// Steps of the search for the direction between two bodies.
const SEARCH: usize = 200;

/// Steps of Newton's method that follow it where curvature changes by powers.
const NEWTON: usize = 40;

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
                exponents,
            } => return self.farthest_of_power(direction, half_axes, *exponents),
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

    /// The gradient of f is along d where x_i = a_i t_i with t_i^(p-1) in the ratios of a_i d_i, and f is 0 for one length. With
    /// two exponents that is so in the section across z, which reaches U along d, and of it and z.
    fn farthest_of_power(
        &self,
        direction: &[f64],
        half_axes: &[Rational],
        [m, n]: [u32; 2],
    ) -> Vec<f64> {
        let local = self.pose.into_body(direction);
        let reach = local.iter().zip(half_axes).map(|(x, a)| x * a.to_f64());
        let reach: Vec<f64> = reach.collect();
        if largest(&reach) == 0.0 {
            return self.pose.centre.clone();
        }
        let (shares, length) = match &reach[..] {
            [x, y, z] if m != n => {
                let (across, width) = farthest_share(&[*x, *y], m);
                let farthest = dot(&0.0, &across, &[*x, *y]) / width;
                let (outer, length) = farthest_share(&[farthest, *z], n);
                let section = across.iter().map(|t| t * outer[0] / width);
                (section.chain([outer[1]]).collect(), length)
            }
            _ => farthest_share(&reach, n),
        };
        let body = shares.iter().zip(half_axes);
        let body: Vec<f64> = body.map(|(t, a)| t * a.to_f64() / length).collect();
        plus(&self.pose.centre, &self.pose.outwards(&body))
    }
}

/// The point t of sum |t_i|^p = 1 that is farthest along r, as numbers with what they have to be divided by: t_i^(p-1) are in the
/// ratios of r_i. 0 where r is.
fn farthest_share(reach: &[f64], p: u32) -> (Vec<f64>, f64) {
    let size = largest(reach);
    if size == 0.0 {
        return (vec![0.0; reach.len()], 1.0);
    }
    // Ratios of at most 1, so that no power overflows.
    let shares: Vec<f64> = reach
        .iter()
        .map(|r| root((r / size).abs(), p - 1).copysign(*r))
        .collect();
    let sum = shares.iter().map(|t| (1..p).fold(*t, |own, _| own * t));
    let length = root(sum.sum(), p);
    (shares, length)
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
pub fn closest_points(problem: &StepProblem<'_>, number: usize, v: &[f64]) -> Vec<f64> {
    if problem.geometry_len(number) == 0 {
        return Vec::new();
    }
    let poses = problem.system.poses(problem.q, v, problem.h);
    let pair = &problem.system.pairs()[number];
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
    let about: Vec<f64> = a.into_iter().chain(b).chain([s, l]).collect();
    match second.shape {
        Shape::HalfSpace { .. } => about,
        _ if problem.has_smooth_points(number) => about,
        // Where curvature changes by powers along the surface, the search is slow.
        _ => refined(problem, number, v, about),
    }
}

/// Newton's method on the equations of closest points, with steps that are halved while they lead up.
pub fn refined(problem: &StepProblem<'_>, pair: usize, v: &[f64], about: Vec<f64>) -> Vec<f64> {
    if about.is_empty() {
        return about;
    }
    let error = |geometry: &[f64]| {
        let values = closeness(problem, pair, v, geometry.to_vec());
        dot(&0.0, &values, &values)
    };
    let mut here = about;
    let mut residual = error(&here);
    for _ in 0..NEWTON {
        let unknowns = Jet::unknowns(&here);
        let constants: Vec<Jet<f64>> = v
            .iter()
            .map(|v| unknowns[0].lift(&Rational::from_f64(*v).unwrap_or_default()))
            .collect();
        let equations = closeness(problem, pair, &constants, unknowns);
        let rows: Vec<Vec<f64>> = equations.iter().map(|e| e.row(here.len())).collect();
        let Some(inverse) = inverse(&rows) else {
            break;
        };
        let values: Vec<f64> = equations.iter().map(|e| *e.value()).collect();
        let step = product(&inverse, &values);
        let shorter = (0..20).map(|halvings| {
            let share = 0.5_f64.powi(halvings);
            let to: Vec<f64> = here.iter().zip(&step).map(|(x, d)| x - share * d).collect();
            let error = error(&to);
            (to, error)
        });
        // The multiplier stays positive: with another sign the points are the farthest ones.
        let better = shorter
            .into_iter()
            .find(|(to, new)| *new < residual && to.last().is_some_and(|l| *l > 0.0));
        let Some((to, new)) = better else {
            break;
        };
        (here, residual) = (to, new);
    }
    here
}

/// The left sides of the equations of closest points.
pub(super) fn closeness<N: Number>(
    problem: &StepProblem<'_>,
    pair: usize,
    v: &[N],
    geometry: Vec<N>,
) -> Vec<N> {
    let own = PairUnknowns {
        pair,
        geometry,
        impulse: None,
    };
    let values = problem.values(v, &[own]).pairs.pop();
    values.map_or(Vec::new(), |values| values.geometry)
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
