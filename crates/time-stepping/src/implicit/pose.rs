//! Where a body is: its centre, and the rotation from its frame to the world's.

use std::ops::{Add, Div, Mul, Sub};

use rug::Rational;

use super::number::{Number, dot, minus};
use super::shape::Shape;

/// x_world = centre + rotation x_body.
#[derive(Debug, Clone)]
pub struct Pose<N> {
    /// The centre.
    pub centre: Vec<N>,
    /// The rotation, row by row.
    pub rotation: Vec<Vec<N>>,
}

impl<N: Number> Pose<N> {
    /// Of coordinates: the centre alone, with an angle, or with a quaternion.
    pub fn of(zero: &N, dimension: usize, q: &[Rational]) -> Self {
        let velocities = match (q.len() == dimension, dimension) {
            (true, _) => dimension,
            (false, 2) => 3,
            (false, _) => 6,
        };
        let still = vec![zero.integer(0); velocities];
        Self::moved(q, &still, &Rational::new(), dimension)
    }

    /// After a time h with velocities v: centre + h v, theta + h omega, and in space the
    /// quaternion (2, h omega) e, of any length. That is Cayley's map, which makes the rotation a rational
    /// function of omega.
    pub fn moved(q: &[Rational], v: &[N], h: &Rational, dimension: usize) -> Self {
        let zero = &v[0];
        let step = zero.lift(h);
        let moved = |i: usize| zero.lift(&q[i]) + step.clone() * v[i].clone();
        let centre = (0..dimension).map(moved).collect();
        let rotation = match v.len() - dimension {
            0 => identity(zero, dimension),
            1 => {
                let (sin, cos) = moved(2).sin_cos();
                vec![vec![cos.clone(), -sin.clone()], vec![sin, cos]]
            }
            _ => {
                let mut turn = vec![zero.integer(2)];
                turn.extend((3..6).map(|i| step.clone() * v[i].clone()));
                let old: Vec<N> = q[3..7].iter().map(|e| zero.lift(e)).collect();
                rotation(zero.integer(1), &quaternion_product(&turn, &old))
            }
        };
        Self { centre, rotation }
    }

    /// A point of the world in the body's frame.
    pub fn inwards(&self, at: &[N]) -> Vec<N> {
        self.into_body(&minus(at, &self.centre))
    }

    /// A direction of the world in the body's frame.
    pub fn into_body(&self, arm: &[N]) -> Vec<N> {
        let column = |j: usize| {
            let terms = self.rotation.iter().zip(arm);
            let mut terms = terms.map(|(row, x)| row[j].clone() * x.clone());
            let first = terms.next();
            terms.fold(first, |sum, term| sum.map(|sum| sum + term))
        };
        (0..arm.len()).filter_map(column).collect()
    }

    /// A direction of the body's frame in the world.
    pub fn outwards(&self, direction: &[N]) -> Vec<N> {
        let row = |row: &Vec<N>| dot(&direction[0], row, direction);
        self.rotation.iter().map(row).collect()
    }

    /// f of a shape at a point of the world.
    pub fn value(&self, shape: &Shape, at: &[N]) -> N {
        shape.value(&at[0], &self.inwards(at))
    }

    /// The gradient of f at a point of the world.
    pub fn gradient(&self, shape: &Shape, at: &[N]) -> Vec<N> {
        self.outwards(&shape.gradient(&at[0], &self.inwards(at)))
    }
}

fn identity<N: Number>(zero: &N, n: usize) -> Vec<Vec<N>> {
    let row = |i| (0..n).map(|j| zero.integer(i32::from(i == j))).collect();
    (0..n).map(row).collect()
}

/// a b.
pub fn quaternion_product<T>(a: &[T], b: &[T]) -> Vec<T>
where
    T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    let term = |i: usize, j: usize| a[i].clone() * b[j].clone();
    vec![
        term(0, 0) - term(1, 1) - term(2, 2) - term(3, 3),
        term(0, 1) + term(1, 0) + term(2, 3) - term(3, 2),
        term(0, 2) - term(1, 3) + term(2, 0) + term(3, 1),
        term(0, 3) + term(1, 2) - term(2, 1) + term(3, 0),
    ]
}

/// The rotation of a quaternion of any length but zero.
pub fn rotation<T>(one: T, e: &[T]) -> Vec<Vec<T>>
where
    T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let p = |i: usize, j: usize| e[i].clone() * e[j].clone();
    // Divided by the squared length, so that the quaternion need not be of length 1: Cayley's is not, and
    // rounding takes any off it.
    let factor = (one.clone() + one.clone()) / (p(0, 0) + p(1, 1) + p(2, 2) + p(3, 3));
    let scaled = |value: T| factor.clone() * value;
    let diagonal = |j, k| one.clone() - scaled(p(j, j) + p(k, k));
    let sum = |a: usize, b, c, d| scaled(p(a, b) + p(c, d));
    let difference = |a: usize, b, c, d| scaled(p(a, b) - p(c, d));
    vec![
        vec![diagonal(2, 3), difference(1, 2, 0, 3), sum(1, 3, 0, 2)],
        vec![sum(1, 2, 0, 3), diagonal(1, 3), difference(2, 3, 0, 1)],
        vec![difference(1, 3, 0, 2), sum(2, 3, 0, 1), diagonal(1, 2)],
    ]
}
