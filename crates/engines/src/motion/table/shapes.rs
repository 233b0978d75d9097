//! Gaps by the shapes that a map names, from the states alone.

use rug::Float;
use rug::Rational;

use super::build::Builder;
use super::cell::Cell;
use super::map::{ContactMap, Shape};
use super::pose::Pose;
use super::row::{Result, Row, fault};
use crate::exact::{dot, length_above, sum};

/// Sines and cosines have so many bits: far below the 53 of any number that they are compared with.
pub(super) const TURN_BITS: u32 = 256;

impl Builder {
    /// The gap at a line, and the sum of the sizes of its terms.
    ///
    /// A ball of radius r about the centre of mass x, or a corner at c in axes of the body, over the plane n'p = a has the gap
    /// n'x - a - r, or n'(x + R c) - a. Two balls have |x - y| - r - s.
    pub fn gap_of(
        &self,
        own: &ContactMap,
        shapes: &[Shape; 2],
        row: &Row<'_>,
        poses: &[Pose],
    ) -> Result<(Rational, Rational)> {
        let [first, second] = own.bodies.map(|body| body.map(|body| &poses[body]));
        if let ([Shape::Ball(r), Shape::Ball(s)], Some(a), Some(b)) = (shapes, first, second) {
            let radii = radius_of(own, r, row)? + radius_of(own, s, row)?;
            let gap = length_above(&apart(a, b)) - &radii;
            let sizes = a.position.iter().chain(&b.position);
            let size = sum(sizes.map(|x| x.clone().abs())) + radii.abs();
            return Ok((gap, size));
        }
        let normal = row.numbers(&own.normal)?;
        let (mut gap, mut size) = (Rational::new(), Rational::new());
        for (shape, sign) in shapes.iter().zip([1, -1]) {
            match shape {
                Shape::Ball(radius) => {
                    let radius = radius_of(own, radius, row)?;
                    size += radius.clone().abs();
                    gap -= radius;
                }
                Shape::Plane(offset) => {
                    let offset = row.number(offset)?;
                    size += offset.clone().abs();
                    gap += offset * sign;
                }
                Shape::Corner(corner) => {
                    let corner = row.numbers(corner)?;
                    let most = sum(corner.iter().map(|x| x.clone().abs()));
                    size += most * sum(normal.iter().map(|n| n.clone().abs()));
                    if let Some(body) = first {
                        gap += dot(&normal, &turned_corner(body, &corner));
                    }
                }
            }
        }
        if let Some(body) = first {
            for (n, x) in normal.iter().zip(&body.position) {
                let part = Rational::from(n * x);
                size += part.clone().abs();
                gap += part;
            }
        }
        Ok((gap, size))
    }

    /// How far the normal is, in its largest entry, from the direction between two balls, with the sum of the sizes of what
    /// that entry is made of.
    pub fn normal_off(
        &self,
        own: &ContactMap,
        normal: &[Rational],
        poses: &[Pose],
    ) -> Result<Option<(Rational, Rational)>> {
        let (Some([Shape::Ball(_), Shape::Ball(_)]), [Some(a), Some(b)]) =
            (&own.shapes, own.bodies)
        else {
            return Ok(None);
        };
        let between = apart(&poses[a], &poses[b]);
        let length = length_above(&between);
        if length.is_zero() {
            return Ok(Some((Rational::from(1), Rational::new())));
        }
        let off = between
            .iter()
            .zip(normal)
            .map(|(d, n)| Rational::from(d / &length) - n);
        let off = off.map(Rational::abs).max().unwrap_or_default();
        let places = poses[a].position.iter().chain(&poses[b].position);
        let size = sum(places.map(|x| x.clone().abs())) / &length + 1u32;
        Ok(Some((off, size)))
    }
}

/// The radius of a ball at a line.
fn radius_of(own: &ContactMap, radius: &Cell, row: &Row<'_>) -> Result<Rational> {
    let radius = row.number(radius)?;
    if radius < 0 {
        let (name, radius) = (&own.name, etalon_lcp::short_text(&radius));
        let why =
            format!("a ball of the contact {name:?} has the radius {radius}; see its \"shapes\"");
        return Err(fault(row.line, why));
    }
    Ok(radius)
}

/// From the second centre to the first.
fn apart(a: &Pose, b: &Pose) -> Vec<Rational> {
    let pairs = a.position.iter().zip(&b.position);
    pairs.map(|(a, b)| Rational::from(a - b)).collect()
}

/// A corner from the centre of mass, in axes of the world: turned by the angle, or the orientation. A particle does not turn.
pub(super) fn turned_corner(body: &Pose, corner: &[Rational]) -> Vec<Rational> {
    match (corner, &body.angle, &body.turn) {
        ([x, y], Some(angle), _) => {
            let (sin, cos) = Float::with_val(TURN_BITS, angle).sin_cos(Float::new(TURN_BITS));
            // Both are finite, as the angle is.
            let [sin, cos] = [sin, cos].map(|own| own.to_rational().unwrap_or_default());
            vec![
                Rational::from(&cos * x) - Rational::from(&sin * y),
                Rational::from(&sin * x) + Rational::from(&cos * y),
            ]
        }
        ([_, _, _], _, Some((_, turn))) => turn.iter().map(|row| dot(row, corner)).collect(),
        _ => corner.to_vec(),
    }
}
