//! Bodies that keep their points out of convex bodies, of a scene as a system with its start.

use etalon_rigid::{Dense, Directions, Rotation3, Scalar};
use etalon_time_stepping::corner::{Solid, SolidPair, Solids, unit_vector};
use etalon_time_stepping::{Arithmetic, Settings, State, StepError};
use rug::{Float, Rational};

use super::scene::{Scene, System};
use super::starts::{OVERLAP, check_steps, kept, overlap};
use crate::space::{CornerBody, CornerScene};

/// Bits behind the point of an angle at the start: far below the 40 of a state.
const ANGLE_BITS: u32 = 100;

/// The system with its start; what cannot be stepped is told before a line is written.
pub fn build<S: Scalar>(
    scene: &CornerScene,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    check_steps(scene.steps)?;
    let bodies = scene.bodies.iter().map(solid);
    let bodies: Vec<Solid> = bodies.collect::<Result<_, _>>()?;
    let system = match scene.first_order {
        false => Solids::new(&scene.gravity, &bodies, &pairs(scene, &bodies)?)?,
        true => in_first_order(scene, bodies)?,
    };
    let system = system.with_scheme(scene.scheme)?;
    let settings = Settings::new(S::from_rational(&scene.h)).with_scheme(scene.scheme);
    settings.check()?;
    let (q, v) = start(scene)?;
    let (q, v) = (kept(&q, arithmetic), kept(&v, arithmetic));
    if let Some((first, second, depth)) = system.deepest_overlap(&q, arithmetic, OVERLAP)? {
        return Err(overlap(first, second, depth));
    }
    Ok(Scene {
        system: System::Solids(Box::new(system)),
        start: State::new(q, v),
        settings,
        steps: scene.steps,
    })
}

/// With both sides times h, M v = F + forces of contacts is a step from rest of the masses h M, whose weights are m g all the same.
fn in_first_order<S: Scalar>(
    scene: &CornerScene,
    mut bodies: Vec<Solid>,
) -> Result<Solids<S>, StepError> {
    let h = &scene.h;
    if *h <= 0 {
        return Err(StepError::of_step_length(h));
    }
    for own in &mut bodies {
        own.mass *= h;
        let n = own.inertia.rows();
        own.inertia = Dense::from_fn(n, n, |i, j| Rational::from(&own.inertia[(i, j)] * h));
    }
    let gravity = scene.gravity.iter().map(|own| Rational::from(own / h));
    let gravity: Vec<Rational> = gravity.collect();
    Solids::new(&gravity, &bodies, &pairs(scene, &bodies)?)?.in_first_order()
}

fn wrong(own: &CornerBody, why: impl std::fmt::Display) -> StepError {
    StepError::Problem(format!("body {:?}: {why}", own.name))
}

fn unturned(own: &CornerBody) -> StepError {
    wrong(own, "the orientation has no length")
}

fn solid(own: &CornerBody) -> Result<Solid, StepError> {
    let faces = own.shape.as_ref().map(|shape| shape.faces()).transpose();
    let fixed = match own.has_state() {
        true => None,
        false => Some((own.position.clone(), rotation(own)?)),
    };
    Ok(Solid {
        name: own.name.clone(),
        mass: own.mass.clone(),
        inertia: own.inertia.clone(),
        force: own.force.clone(),
        driven: own.is_driven(),
        fixed,
        points: own
            .shape
            .as_ref()
            .map_or(Vec::new(), |shape| shape.points()),
        faces: faces.map_err(|why| wrong(own, why))?.unwrap_or_default(),
    })
}

/// The rows of the rotation of a body that stays where it is.
fn rotation(own: &CornerBody) -> Result<Vec<Vec<Rational>>, StepError> {
    if let [_, _] = &own.orientation[..] {
        let unit = unit_vector(&own.orientation).ok_or_else(|| unturned(own))?;
        let (cos, sin) = (unit[0].clone(), unit[1].clone());
        return Ok(vec![vec![cos.clone(), -sin.clone()], vec![sin, cos]]);
    }
    let quaternion = <&[Rational; 4]>::try_from(&own.orientation[..]).ok();
    let rotation = quaternion.and_then(Rotation3::from_quaternion);
    let rotation = rotation.ok_or_else(|| unturned(own))?;
    let matrix = rotation.matrix();
    Ok((0..3).map(|i| matrix.row(i).to_vec()).collect())
}

/// Coordinates and velocities of the bodies that move, obstacles among them.
fn start(scene: &CornerScene) -> Result<(Vec<Rational>, Vec<Rational>), StepError> {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for own in scene.bodies.iter().filter(|own| own.has_state()) {
        q.extend(own.position.iter().cloned());
        match &own.orientation[..] {
            [cos, sin] => q.push(angle(cos, sin)),
            quaternion => q.extend(unit_vector(quaternion).ok_or_else(|| unturned(own))?),
        }
        v.extend(own.velocity.iter().cloned());
        v.extend(own.angular_velocity.iter().cloned());
    }
    Ok((q, v))
}

/// The angle of a direction, rad, to 2^-100.
fn angle(cos: &Rational, sin: &Rational) -> Rational {
    let [cos, sin] = [cos, sin].map(|own| Float::with_val(2 * ANGLE_BITS, own));
    let scaled = sin.atan2(&cos) << ANGLE_BITS;
    Rational::from(scaled.to_integer().unwrap_or_default()) >> ANGLE_BITS
}

/// Points against sides, of all bodies of which one is not fixed: the points of the later one first.
fn pairs(scene: &CornerScene, bodies: &[Solid]) -> Result<Vec<SolidPair>, StepError> {
    let directions: Vec<Vec<Rational>> = match scene.dimension() {
        2 => vec![vec![Rational::from(1)], vec![Rational::from(-1)]],
        _ => Directions::pythagorean(scene.sides)?.vectors().to_vec(),
    };
    let mut found = Vec::new();
    for later in 0..bodies.len() {
        for earlier in 0..later {
            if scene.bodies[later].fixed && scene.bodies[earlier].fixed {
                continue;
            }
            for (points_of, faces_of) in [(later, earlier), (earlier, later)] {
                if bodies[points_of].points.is_empty() || bodies[faces_of].faces.is_empty() {
                    continue;
                }
                let names = [points_of, faces_of].map(|k| &bodies[k].name);
                found.push(SolidPair {
                    points_of,
                    faces_of,
                    mu: scene.surface(names).mu.clone(),
                    directions: directions.clone(),
                });
            }
        }
    }
    Ok(found)
}
