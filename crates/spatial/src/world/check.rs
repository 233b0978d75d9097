//! What no world can be made of, by name.

use std::collections::{HashMap, HashSet};

use etalon_rigid::{Dense, SceneError};
use rug::Rational;

use super::{Body, SpaceWorld};
use crate::error::SpatialError;
use crate::shape::Shape;
use crate::surface::Surfaces;

pub(super) fn check_names<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), SpatialError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            let name = name.clone();
            return Err(SceneError::DuplicateName { name }.into());
        }
    }
    Ok(())
}

impl SpaceWorld {
    /// Contacts are found by their names, "later/earlier" with a blank and a number where a pair has several: no two pairs may have the same.
    pub(super) fn check_pairs(&self) -> Result<(), SpatialError> {
        let name = |(i, j): (usize, usize)| {
            let [later, earlier] = [j, i].map(|body| &self.bodies[body].name);
            format!("{later}/{earlier}")
        };
        let mut known: HashMap<String, (usize, usize)> = HashMap::new();
        let refused = |contact: String, one: (usize, usize), other: (usize, usize)| {
            let body = |body: usize| self.bodies[body].name.clone();
            SpatialError::PairNames {
                contact,
                first: body(one.1),
                second: body(one.0),
                third: body(other.1),
                fourth: body(other.0),
            }
        };
        for pair in self.pairs() {
            if let Some(other) = known.insert(name(pair), pair) {
                return Err(refused(name(pair), pair, other));
            }
        }
        for pair in self.pairs() {
            let own = name(pair);
            let counted = own
                .rsplit_once(' ')
                .filter(|(_, number)| number.parse::<u32>().is_ok());
            if let Some(other) = counted.and_then(|(rest, _)| known.get(rest)) {
                return Err(refused(own, pair, *other));
            }
        }
        Ok(())
    }
}

/// The inverse of a body's inertia.
pub(super) fn check_body(body: &Body) -> Result<Dense<Rational>, SpatialError> {
    let name = || body.name.clone();
    if let Some(why) = body.shape.as_ref().and_then(Shape::fault) {
        return Err(SpatialError::Shape { body: name(), why });
    }
    if body.attitude.norm_squared() == 0 {
        return Err(SceneError::Orientation { body: name() }.into());
    }
    if body.fixed {
        if !body.velocity.is_zero() || !body.angular_velocity.is_zero() {
            return Err(SpatialError::Kinematic { body: name() });
        }
        return Ok(Dense::zeros(3, 3));
    }
    if matches!(body.shape, Some(Shape::HalfSpace { .. })) {
        return Err(SpatialError::MovingHalfSpace { body: name() });
    }
    if body.mass <= 0 {
        let mass = body.mass.to_string();
        return Err(SceneError::Mass { body: name(), mass }.into());
    }
    let inertia = &body.inertia;
    let square = inertia.rows() == 3 && inertia.columns() == 3;
    if !square || !inertia.is_symmetric() || !inertia.has_positive_pivots() {
        return Err(SceneError::Inertia { body: name() }.into());
    }
    let inverse = inertia.inverse();
    let inverse = inverse.ok_or_else(|| SceneError::Inertia { body: name() })?;
    match inertia_fault(inertia, &inverse) {
        Some(why) => Err(SpatialError::Inertia { body: name(), why }),
        None => Ok(inverse),
    }
}

/// The least moment of inertia may be this power of two smaller than the largest.
const THINNEST: i32 = 43;

/// Why no body has that inertia, or why it cannot be stepped; the matrix is symmetric positive definite.
///
/// J = tr(S) 1 - S with S the sum of m x x' over the points of the body, so that S = tr(J)/2 - J. As a sum of squares S is
/// positive semidefinite: of the principal moments no one is larger than the others together. A flat body has
/// equality. All principal minors of S decide it, exactly.
///
/// The step has W, the inverse in the world, on a grid whose step is at most 2^-47 of its largest entry w ([`INERTIA_BITS`]).
/// An entry is off by half of that, and an eigenvalue by at most 3 w/2^48; the least of them is 1/J3. As J3 <= 3 max|J|,
/// and w is at most the largest eigenvalue, which is at most 3 max|J^-1|, max|J| max|J^-1| <= 2^43 makes
/// 3 w J3/2^48 <= 27/2^5 < 1: W stays positive definite.
///
/// [`INERTIA_BITS`]: crate::grid::INERTIA_BITS
fn inertia_fault(inertia: &Dense<Rational>, inverse: &Dense<Rational>) -> Option<String> {
    let largest = crate::grid::largest;
    let sizes = [largest(inertia), largest(inverse)];
    let shown = |value: &Rational| format!("{:.3e}", value.to_f64());
    let tame = |value: &Rational| value.to_f64().is_finite() && value.to_f64() > 0.0;
    if !sizes.iter().all(tame) {
        return Some(
            "its moments, or what they are divided by, are beyond the range of binary64; take units in which the body is of the order of 1"
                .to_owned(),
        );
    }
    let half = (0..3).fold(Rational::new(), |sum, k| sum + &inertia[(k, k)]) / 2u32;
    let second = Dense::from_fn(3, 3, |i, j| match i == j {
        true => Rational::from(&half - &inertia[(i, j)]),
        false => -inertia[(i, j)].clone(),
    });
    let minors = [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    let negative = |rows: &&[usize]| second.block(rows, rows).determinant() < 0;
    if minors.iter().any(negative) {
        return Some(format!(
            "no body has it, since one of its moments is larger than the other two together: J1 + J2 - J3 is twice the sum of m z^2 over the body, along each axis; lower the largest (its entries on the diagonal are {}), and if it is rounded, round it down",
            [0, 1, 2].map(|k| shown(&inertia[(k, k)])).join(", ")
        ));
    }
    let [moment, inverse] = sizes;
    (moment * inverse > Rational::from(1) << THINNEST).then(|| {
        "its largest moment is more than 2^43 times the least, so that turning about one axis is lost in the rounding of the others; raise the least one".to_owned()
    })
}

pub(super) fn check_surfaces(surfaces: &Surfaces, bodies: &[Body]) -> Result<(), SpatialError> {
    let all = surfaces.pairs.iter().map(|(first, second, surface)| {
        (format!("the surface of {first:?} and {second:?}"), surface)
    });
    let default = [("the surfaces".to_owned(), &surfaces.default)];
    for (owner, surface) in all.chain(default) {
        let bad = |quantity, value: &Rational, range| {
            Err(SpatialError::Surface {
                owner: owner.clone(),
                quantity,
                value: value.to_string(),
                range,
            })
        };
        for (quantity, value) in [
            ("mu", &surface.mu),
            ("torsion", &surface.torsion),
            ("rolling", &surface.rolling),
        ] {
            if *value < 0 {
                return bad(quantity, value, "at least 0");
            }
        }
        if let Some(grain) = &surface.grain {
            if (grain.across > 0) != (surface.mu > 0) || grain.across < 0 {
                return bad(
                    "across",
                    &grain.across,
                    "above 0 where mu is, and 0 where mu is",
                );
            }
            if grain.along.is_zero() {
                return bad("along", &Rational::new(), "a direction");
            }
        }
        if surface.restitution < 0 || surface.restitution > 1 {
            return bad("restitution", &surface.restitution, "from 0 to 1");
        }
    }
    check_pairs(surfaces, bodies)
}

/// Pairs name two bodies, each pair once, and the grain belongs to one of them.
fn check_pairs(surfaces: &Surfaces, bodies: &[Body]) -> Result<(), SpatialError> {
    if surfaces.default.grain.is_some() {
        return Err(SpatialError::Surface {
            owner: "the surfaces".to_owned(),
            quantity: "along",
            value: "given for all pairs".to_owned(),
            range: "of a named pair, in the coordinates of its first body",
        });
    }
    let mut named = HashSet::new();
    for (first, second, _) in &surfaces.pairs {
        let fault = |why| {
            Err(SpatialError::Pair {
                first: first.clone(),
                second: second.clone(),
                why,
            })
        };
        if first == second {
            return fault("a body does not touch itself");
        }
        if !named.insert([first.min(second), first.max(second)]) {
            return fault("it is given twice, in either order; leave one out");
        }
        for name in [first, second] {
            if !bodies.iter().any(|body| body.name == *name) {
                let known: Vec<&str> = bodies.iter().map(|body| &*body.name).collect();
                return Err(SpatialError::UnknownBody {
                    owner: format!("the surface of {first:?} and {second:?}"),
                    body: name.clone(),
                    known: known.join(", "),
                });
            }
        }
    }
    Ok(())
}
