//! A plane between two bodies, in place of their closest points.

use rug::Rational;

use super::number::{Number, dot, minus, times};
use super::pose::Pose;
use super::problem::StepProblem;
use super::shape::Shape;
use super::start::closest_points;

/// A lower bound on the distance of two bodies at the end of a step with that velocity: that between two planes, which is the
/// distance where their normal is along it. `None` where a body has no end that way.
///
/// With the normal n from the second to the first, c_1 and c_2 the centres, and r(d) how far a body reaches from its centre along d,
/// (n'(c_1 - c_2) - r_1(-n) - r_2(n))/|n|.
pub fn separation<N: Number>(problem: &StepProblem<'_>, pair: usize, v: &[N]) -> Option<N> {
    let system = problem.system;
    let about: Vec<f64> = v.iter().map(Number::about).collect();
    let points = closest_points(problem, pair, &about);
    let places = system.poses(problem.q, &about, problem.h);
    let poses = system.poses(problem.q, v, problem.h);
    let own = &system.pairs()[pair];
    let sides = [own.first, own.second];
    let shapes = sides.map(|side| &system.bodies()[side].shape);
    let (first, second) = (&poses[own.first], &poses[own.second]);
    let d = system.dimension();
    let at = [(sides[0], &points[..d]), (sides[1], &points[d..2 * d])];
    let at = at.map(|(side, point)| places[side].inwards(point));
    let normal = match shapes[1] {
        // No other plane is beside a half-space.
        Shape::HalfSpace { .. } => second.gradient(shapes[1], &second.centre),
        _ => constants(&v[0], &problem.direction(pair, &points, &about))?,
    };
    let back: Vec<N> = normal.iter().map(|n| -n.clone()).collect();
    let apart = dot(&v[0], &normal, &minus(&first.centre, &second.centre));
    let reach =
        reach(shapes[0], first, &back, &at[0])? + reach(shapes[1], second, &normal, &at[1])?;
    Some((apart - reach) / dot(&v[0], &normal, &normal).sqrt())
}

/// An upper bound on how far a body reaches along a direction d, from a point a near the farthest one, in its frame.
///
/// f is convex: with g its gradient at a, all points x of the body have g'x <= g'a - f(a). For any c >= 0 so
/// d'x <= c (g'a - f(a)) + (d - c g)'x, and |x_i| is at most the half axis.
fn reach<N: Number>(shape: &Shape, pose: &Pose<N>, direction: &[N], a: &[f64]) -> Option<N> {
    let zero = &direction[0];
    let half_axes = match shape {
        Shape::Point => return Some(zero.integer(0)),
        Shape::HalfSpace { offset, .. } => return Some(zero.lift(offset)),
        Shape::Cavity { .. } => return None,
        Shape::Ellipsoid { half_axes } | Shape::Superquadric { half_axes, .. } => half_axes,
    };
    let local = pose.into_body(direction);
    let a = constants(zero, a)?;
    let gradient = shape.gradient(zero, &a);
    let length = |values: &[N]| {
        let squares = values.iter().map(|x| x.about() * x.about());
        squares.sum::<f64>().sqrt()
    };
    let share = constants(zero, &[length(&local) / length(&gradient)])?.pop()?;
    let plane = dot(zero, &gradient, &a) - shape.value(zero, &a);
    let rest = minus(&local, &times(&share, &gradient));
    let rest = rest.iter().zip(half_axes);
    let rest = rest.map(|(x, axis)| x.magnitude() * zero.lift(axis));
    Some(rest.fold(share * plane, |sum, own| sum + own))
}

/// Binary64 numbers as they are; `None` where one is not finite.
fn constants<N: Number>(zero: &N, values: &[f64]) -> Option<Vec<N>> {
    let own = values
        .iter()
        .map(|x| Some(zero.lift(&Rational::from_f64(*x)?)));
    own.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the point is from which the bound is made, no point of the body is beyond it.
        #[test]
        fn the_reach_of_a_body_is_bounded_from_any_point(
            d in prop::array::uniform3(-10i32..10), a in prop::array::uniform3(1i32..10), x in prop::array::uniform3(-10i32..10),
            half in 1u32..=4, times in 1u32..=2,
        ) {
            let [m, n] = [2 * half, 2 * half * times];
            let shape = Shape::Superquadric {
                half_axes: vec![Rational::from(1), Rational::from((1, 2)), Rational::from(2)],
                exponents: [m, n],
            };
            let place: Vec<Rational> = (0..7).map(|i| Rational::from(i32::from(i == 3))).collect();
            let pose = Pose::of(&0.0, 3, &place);
            let [d, a, x] = [d, a, x].map(|own| own.map(|own| f64::from(own) / 8.0));
            prop_assume!(d != [0.0; 3] && x != [0.0; 3]);
            let bound = reach(&shape, &pose, &d, &a).unwrap();
            // x moved onto the surface.
            let size = (shape.value(&0.0, &x) + 1.0).powf(1.0 / f64::from(n));
            let beyond = dot(&0.0, &d, &x) / size;
            prop_assert!(beyond <= bound + 1e-9, "{beyond} {bound}");
        }
    }
}
