//! What of a body is nearest to a plane, whichever way the body turns: the points that a step must keep out of a half-space.
//!
//! A convex body is on one side of a plane where its extreme parts are: the corners of a box or a polyhedron, the balls at the ends of a
//! capsule, the rims of a cylinder. The height of a corner c, or of a ball of radius r, over the plane through s with the unit normal n is
//!
//! > n'(x + R c - s) - r.
//!
//! A step with the velocities v and w moves it by h n'(v + w x R c) = h n'v + h (n x w)'R c to first order: the height is that of the same
//! arm along n + h n x w. Stewart and Trinkle's law asks that of a contact. The ball adds nothing to it, since n'(w x n) = 0.
//!
//! A rim is a circle. A program takes some of its points as contacts, and three are enough for a face. So of a rim that is within 30
//! degrees of flat on the plane the circle of half the radius is asked, which is inside of any three points that are spread evenly. Of one that leans
//! more the lowest point is asked, as if it were a corner: there the rim touches in a point. Both limits are chosen.

use etalon_rigid::{Rotation3, Vector, Vector3};
use rug::Rational;

use super::{Twist, half_space};
use crate::attitude::into_body;
use crate::grid::root;
use crate::shape::Shape;
use crate::state::{Motion, SpaceState};
use crate::world::SpaceWorld;

/// A body before a half-space.
pub struct Facing {
    /// The body.
    pub body: usize,
    /// The outward normal of the half-space, of length 1 within 2^-60.
    pub normal: Vector3<Rational>,
    /// A point of its plane.
    at: Vector3<Rational>,
    /// The parts of the body that may touch it.
    pub extremes: Vec<Extreme>,
}

/// A part of a body: a point, a ball, or a circle across its z axis.
#[derive(Debug, Clone)]
pub struct Extreme {
    /// In the body.
    centre: Vector3<Rational>,
    /// The radius of the ball; 0 for a point.
    ball: Rational,
    /// The radius of the circle; 0 for a point.
    circle: Rational,
}

/// Where a body is: its place and its rotation.
pub struct Pose<'a> {
    position: &'a Vector3<Rational>,
    rotation: Rotation3<Rational>,
}

impl<'a> Pose<'a> {
    /// That of a state.
    pub fn of(own: &'a Motion) -> Self {
        Self {
            position: &own.position,
            rotation: own.attitude.rotation(),
        }
    }
}

impl Facing {
    /// `None` of pairs without a half-space, and of spheres: the nearest point of a sphere is the only one.
    pub fn of(world: &SpaceWorld, state: &SpaceState, pair: (usize, usize)) -> Option<Self> {
        let (direction, other) = half_space(world, state, pair)?;
        let body = if other == pair.0 { pair.1 } else { pair.0 };
        // The direction is from the first body to the second.
        let outward = match other == pair.0 {
            true => direction,
            false => -&direction,
        };
        let length = root(&outward.norm_squared());
        if length == 0 {
            return None;
        }
        let normal = outward.map(|x| Rational::from(x / &length));
        let local = into_body(&state.bodies[body].attitude.rotation(), &normal);
        Some(Self {
            extremes: extremes(world.bodies()[body].shape.as_ref()?, &local)?,
            at: state.bodies[other].position.clone(),
            body,
            normal,
        })
    }

    /// The height of a part over the plane, m.
    pub fn height(&self, own: &Extreme, pose: &Pose<'_>) -> Rational {
        let height = self.normal.dot(&(pose.position - &self.at)) - &own.ball;
        height + own.least(pose, &self.normal)
    }

    /// The height at the end of a step of length h, to first order in the velocities.
    pub fn reached(&self, own: &Extreme, pose: &Pose<'_>, twist: &Twist, h: &Rational) -> Rational {
        let turned = &self.normal + &self.normal.cross(&twist[1]).times(h);
        let height = self.normal.dot(&(pose.position - &self.at)) - &own.ball;
        height + self.normal.dot(&twist[0]) * h + own.least(pose, &turned)
    }

    /// The height that those points of a rim are below that a circle in it stands for, at the end of a step with the velocities `twist`. With the
    /// velocities `end` the speed of a point of the disc changes along one direction u. Of three points about a circle of half the radius
    /// one is at least as far along u as the circle, and so within 60 degrees of u; it is as fast as the circle, or faster. So these are asked.
    pub fn stood_for(
        &self,
        own: &Extreme,
        pose: &Pose<'_>,
        [end, twist]: [&Twist; 2],
        h: &Rational,
    ) -> Rational {
        let turned = &self.normal + &self.normal.cross(&twist[1]).times(h);
        let height = self.normal.dot(&(pose.position - &self.at)) - &own.ball;
        let arm = pose.rotation.apply(&own.centre);
        let centre = height + self.normal.dot(&twist[0]) * h + turned.dot(&arm);
        let gradient = own.across(pose, &turned);
        let slope = own.across(pose, &self.normal.cross(&end[1]));
        let size = root(&slope.norm_squared());
        let radius = Rational::from(&own.circle * 2u32);
        let most = match size == 0 {
            true => root(&gradient.norm_squared()),
            false => {
                let along = -gradient.dot(&slope) / &size;
                let beside = gradient.norm_squared() - along.clone().square();
                // The sine of 60 degrees is below 7/8.
                let beside = root(&beside.max(Rational::new())) * Rational::from((7, 8));
                along.clone().max(along / 2u32) + beside
            }
        };
        centre + most * radius
    }

    /// By how much a part goes into the half-space against the law of a contact: -(g + h u), g being the gap, or max(g, 0) where the
    /// law has no gap, and u the speed at which it parts at the end; no more than what it is inside by after the step. A circle stands for points of
    /// the rim, and where the law has no gap the largest of theirs is taken.
    pub fn depth(
        &self,
        own: &Extreme,
        [before, after]: [&Pose<'_>; 2],
        (twist, h): (&Twist, &Rational),
        keeps_gap: bool,
    ) -> Rational {
        let inside = -self
            .height(own, after)
            .max(self.reached(own, before, twist, h));
        if keeps_gap {
            return inside;
        }
        let turned = self.normal.cross(&twist[1]).times(h);
        let way = self.normal.dot(&twist[0]) * h + own.least(before, &turned);
        let none = [Vector::zero(), Vector::zero()];
        let gap = self.stood_for(own, before, [twist, &none], h);
        let gap = gap.max(Rational::new());
        inside.min(-(way + gap))
    }

    /// The point of a part that is nearest to the plane; of a circle its centre.
    pub fn point(&self, own: &Extreme, pose: &Pose<'_>) -> Vector3<Rational> {
        let arm = pose.rotation.apply(&own.centre);
        &(pose.position + &arm) - &self.normal.times(&own.ball)
    }
}

impl Extreme {
    /// Whether it has one point that is nearest, whichever way the body turns.
    pub fn is_point(&self) -> bool {
        self.circle == 0
    }

    /// The least of the arm of a point of it along a vector.
    fn least(&self, pose: &Pose<'_>, along: &Vector3<Rational>) -> Rational {
        let arm = pose.rotation.apply(&self.centre);
        let across = self.across(pose, along).norm_squared();
        along.dot(&arm) - root(&across) * &self.circle
    }

    /// What a vector has across the axis; not needed of a point.
    fn across(&self, pose: &Pose<'_>, along: &Vector3<Rational>) -> Vector3<Rational> {
        if self.circle == 0 {
            return Vector::zero();
        }
        let axis = pose.rotation.apply(&Vector::axis(2));
        along - &axis.times(&along.dot(&axis))
    }
}

/// The parts of a shape that may touch a plane with that normal in the body's coordinates.
fn extremes(shape: &Shape, normal: &Vector3<Rational>) -> Option<Vec<Extreme>> {
    let none = Rational::new;
    let corner = |centre: Vector3<Rational>| Extreme {
        centre,
        ball: none(),
        circle: none(),
    };
    let ends = |half: &Rational| {
        let end = Vector::axis(2).times(half);
        [-&end, end]
    };
    let own = match shape {
        Shape::Box { half_sizes } => {
            let sign = |c: usize, k: usize| match c >> k & 1 {
                0 => half_sizes[k].clone(),
                _ => -half_sizes[k].clone(),
            };
            let corners = (0..8).map(|c| Vector::new(std::array::from_fn(|k| sign(c, k))));
            corners.map(corner).collect()
        }
        Shape::Polyhedron { vertices } => vertices.iter().cloned().map(corner).collect(),
        Shape::Capsule {
            radius,
            half_length,
        } => {
            let ball = |end: Vector3<Rational>| Extreme {
                ball: radius.clone(),
                ..corner(end)
            };
            ends(half_length).map(ball).to_vec()
        }
        Shape::Cylinder {
            radius,
            half_length,
        } => {
            let across = Vector::new([normal[0].clone(), normal[1].clone(), none()]);
            let leaning = across.norm_squared();
            let rim = |end: Vector3<Rational>| match leaning >= Rational::from((1, 4)) {
                true => {
                    let part = Rational::from(radius / &root(&leaning));
                    corner(&end - &across.times(&part))
                }
                false => Extreme {
                    circle: Rational::from(radius / 2u32),
                    ..corner(end)
                },
            };
            ends(half_length).map(rim).to_vec()
        }
        Shape::Sphere { .. } | Shape::HalfSpace { .. } => return None,
    };
    Some(own)
}
