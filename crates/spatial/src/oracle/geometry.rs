//! A contact against the shapes: what was proposed is not believed.
//!
//! Let p be the point, n the normal and g the gap. The points p + n g/2 and p - n g/2 must be in the first and in the
//! second body, and n must be a normal of one of them there: no point of the second body is further along n than
//! p - n g/2, or none of the first further against it. For the nearest points of two convex bodies both hold; a point of
//! a manifold is one where a face of one body meets a vertex or edge of the other, and then one does. A half-space has one normal,
//! and the point of it is on its plane: so the gap is that of the other body's point.

use etalon_rigid::{Rotation3, Vector3};
use etalon_time_stepping::Term;
use rug::Rational;

use super::{Examination, norm};
use crate::attitude::into_body;
use crate::contact::Contact;
use crate::grid::{BITS, exactly, root};
use crate::separation::Solid;
use crate::shape::Shape;

/// What binary64 geometry may be off, beside the size of the smaller body. Closed forms are off by some 1e-15, but
/// parry's iteration for polyhedra and cylinders ends at a relative 1e-7 or so; chosen a factor of ten above.
const ALLOWED: f64 = 1e-6;

impl Examination<'_> {
    pub(super) fn geometry(&mut self, contact: &Contact) {
        let half = contact.normal.times(&Rational::from(&contact.gap / 2u32));
        let sides = [
            (contact.first, &contact.point + &half, -&contact.normal),
            (
                contact.second,
                &contact.point - &half,
                contact.normal.clone(),
            ),
        ];
        let shapes = sides
            .each_ref()
            .map(|(body, ..)| self.world.bodies[*body].shape.as_ref());
        let [Some(first), Some(second)] = shapes else {
            self.report(
                Term::Geometry,
                Some(&contact.name),
                "a body without shape".to_owned(),
            );
            return;
        };
        let radii = [first, second].into_iter().filter_map(Shape::radius);
        let size = radii.fold(f64::INFINITY, f64::min);
        let allowed =
            Rational::from_f64(size * ALLOWED).unwrap_or_default() + self.of_places(contact);
        // Beside the length of a normal: 2^-30, or what rounding of a recorded one does.
        let one = Rational::from(1);
        let sine = (Rational::from(1) >> 30) + self.noise.of_few(&one, &Rational::new());
        let (mut normal_of_one, mut off_plane) = (false, None);
        for ((body, point, outward), shape) in sides.iter().zip([first, second]) {
            let own = &self.step.at.bodies[*body];
            let rotation = own.attitude.rotation();
            let arm = point - &own.position;
            let local = into_body(&rotation, &arm);
            let solid = self.world.shape_of(*body);
            let off = beyond(shape, solid, &local).filter(|off| *off > allowed);
            if let Some(off) = off {
                let why = format!("a point is outside by {:.1e} m", off.to_f64());
                self.report(Term::Geometry, Some(&contact.name), why);
            }
            let is_own = is_normal(shape, &rotation, (&arm, outward), (&allowed, &sine));
            normal_of_one |= is_own;
            if let Shape::HalfSpace { normal } = shape {
                // Arms on the grid are off by a part of their length.
                let allowed = (norm(&arm) >> BITS) + &allowed;
                let depth = -normal.dot(&local) / root(&normal.norm_squared());
                off_plane = match is_own {
                    false => Some("its normal is not that of the half-space".to_owned()),
                    true => (depth > allowed)
                        .then(|| format!("a point is inside by {:.1e} m", depth.to_f64())),
                };
            }
        }
        if let Some(why) = off_plane {
            self.report(Term::Geometry, Some(&contact.name), why);
        } else if !normal_of_one {
            let why = "its normal is that of neither body".to_owned();
            self.report(Term::Geometry, Some(&contact.name), why);
        }
    }
}

impl Examination<'_> {
    /// What rounding does to the places of a recorded contact and its bodies.
    pub(super) fn of_places(&self, contact: &Contact) -> Rational {
        let own = [contact.first, contact.second].map(|body| &self.step.at.bodies[body].position);
        let size = own.into_iter().chain([&contact.point]);
        let size = size.fold(Rational::new(), |sum, own| sum + norm(own));
        self.noise.of_few(&size, &Rational::from(3))
    }
}

/// Whether no point of a shape is further along a direction than one of it.
fn is_normal(
    shape: &Shape,
    rotation: &Rotation3<Rational>,
    (arm, outward): (&Vector3<Rational>, &Vector3<Rational>),
    (allowed, sine): (&Rational, &Rational),
) -> bool {
    if let Shape::HalfSpace { normal } = shape {
        // Of the same direction, to rounding: the sine of the angle is |n x N|/|N|.
        let turned = rotation.apply(normal);
        let across = outward.cross(&turned).norm_squared();
        let limit = sine.clone().square() * turned.norm_squared();
        return across <= limit && outward.dot(&turned) > 0;
    }
    if let Shape::Sphere { .. } = shape {
        // The point is r n from the centre. How far the sphere reaches along n says little of it: it changes by the square of
        // the angle.
        return outward.cross(arm).norm_squared() <= allowed.clone().square()
            && outward.dot(arm) > 0;
    }
    shape
        .reach(rotation, outward)
        .is_some_and(|reach| reach.value() - outward.dot(arm) <= *allowed)
}

/// By how much a point in body coordinates is outside of a shape; below 0 it is inside, and no further from the surface than that. Of a
/// polyhedron directions are asked, the normals of a hull in binary64; what they say is exact.
pub(super) fn beyond(
    shape: &Shape,
    solid: Option<&Solid>,
    point: &Vector3<Rational>,
) -> Option<Rational> {
    let size = |x: &Rational| Rational::from(x.abs_ref());
    let square = |x: &Rational| x.clone().square();
    match shape {
        Shape::Sphere { radius } => Some(root(&point.norm_squared()) - radius),
        Shape::Box { half_sizes } => half_sizes
            .iter()
            .zip(point.coordinates())
            .map(|(h, x)| size(x) - h)
            .max(),
        Shape::Capsule {
            radius,
            half_length,
        } => {
            let along = (size(&point[2]) - half_length).max(Rational::new());
            let squared = square(&point[0]) + square(&point[1]) + square(&along);
            Some(root(&squared) - radius)
        }
        Shape::Cylinder {
            radius,
            half_length,
        } => {
            let across = root(&(square(&point[0]) + square(&point[1]))) - radius;
            Some(across.max(size(&point[2]) - half_length))
        }
        Shape::Polyhedron { vertices } => {
            let off = solid?.normals().filter_map(exactly).filter_map(|normal| {
                let most = vertices.iter().map(|own| own.dot(&normal)).max()?;
                Some((normal.dot(point) - most) / root(&normal.norm_squared()))
            });
            off.max()
        }
        Shape::HalfSpace { normal } => Some(normal.dot(point) / root(&normal.norm_squared())),
    }
}
