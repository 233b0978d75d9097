//! Bodies with implicit surfaces of a scene in space, as a system with its start.

use etalon_rigid::{Scalar, Vector3};
use etalon_time_stepping::implicit::{Body, ConstantLoad, Mobility, Pair, Shape, System as Bodies};
use etalon_time_stepping::{Arithmetic, Settings, State, StepError};
use rug::Rational;

use super::scene::{Scene, System};
use super::starts::{OVERLAP, check_steps, kept, overlap};
use crate::space::{ImplicitBody, ImplicitScene};

/// The system with its start; what cannot be stepped is told before a line is written.
pub fn build<S: Scalar>(
    scene: &ImplicitScene,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    check_steps(scene.steps)?;
    let system = system(scene)?;
    let settings = Settings::new(S::from_rational(&scene.h));
    settings.check()?;
    let (q, v) = start(scene);
    let (q, v) = (kept(&q, arithmetic), kept(&v, arithmetic));
    check_overlaps(&system, &q)?;
    Ok(Scene {
        system: System::ChakrabortyBerard(Box::new(system)),
        start: State::new(q, v),
        settings,
        steps: scene.steps,
    })
}

fn three(vector: &Vector3<Rational>) -> Vec<Rational> {
    vector.coordinates().to_vec()
}

/// Coordinates and velocities of the bodies that move.
fn start(scene: &ImplicitScene) -> (Vec<Rational>, Vec<Rational>) {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for own in scene.bodies.iter().filter(|own| own.has_state()) {
        let body = &own.body;
        q.extend(three(&body.position));
        q.extend(unit_quaternion(&body.attitude.0));
        v.extend(three(&body.velocity));
        v.extend(three(&body.angular_velocity));
    }
    (q, v)
}

/// The quaternion with length 1, to 2^-100.
fn unit_quaternion(own: &[Rational; 4]) -> Vec<Rational> {
    let square = own
        .iter()
        .fold(Rational::new(), |sum, e| sum + e.clone().square());
    let length = rug::Float::with_val(128, &square).sqrt().to_rational();
    match length.filter(|length| *length > 0) {
        Some(length) => own.iter().map(|e| Rational::from(e / &length)).collect(),
        None => own.to_vec(),
    }
}

pub(super) fn system(scene: &ImplicitScene) -> Result<Bodies, StepError> {
    let bodies: Vec<Body> = scene.bodies.iter().map(formed).collect();
    let mut system = Bodies::new(three(&scene.gravity), bodies, pairs(scene))?;
    for pair in 0..system.pairs().len() {
        let own = &system.pairs()[pair];
        let names = [own.first, own.second].map(|k| &scene.bodies[k].body.name);
        let coefficient = scene.surface(names).restitution.clone();
        system = system.with_restitution(pair, coefficient)?;
    }
    for (body, own) in scene.bodies.iter().enumerate() {
        let [force, torque] = [&own.body.force, &own.body.torque];
        if !force.is_zero() || !torque.is_zero() {
            system = system.with_load(ConstantLoad {
                body,
                force: three(force),
                torque: three(torque),
            })?;
        }
    }
    Ok(system)
}

fn formed(own: &ImplicitBody) -> Body {
    let body = &own.body;
    let place = || [three(&body.position), body.attitude.0.to_vec()].concat();
    Body {
        name: body.name.clone(),
        mass: body.mass.clone(),
        // Without a surface it is in no pair.
        shape: own.shape.clone().unwrap_or(Shape::Point),
        mobility: match (body.fixed, own.has_state()) {
            (true, false) => Mobility::Fixed(place()),
            (true, true) => Mobility::Driven,
            (false, _) => Mobility::Rigid {
                inertia: (0..3).map(|k| body.inertia[(k, k)].clone()).collect(),
            },
        },
    }
}

/// All bodies with surfaces, of which one moves: the later one first, and a half-space second.
fn pairs(scene: &ImplicitScene) -> Vec<Pair> {
    let bodies = &scene.bodies;
    let is_plane = |k: usize| matches!(bodies[k].shape, Some(Shape::HalfSpace { .. }));
    let mut found = Vec::new();
    for later in 0..bodies.len() {
        for earlier in 0..later {
            let both = [later, earlier];
            let touch = both.iter().all(|k| bodies[*k].shape.is_some());
            if !touch || both.iter().all(|k| bodies[*k].body.fixed) {
                continue;
            }
            let (first, second) = match is_plane(later) {
                true => (earlier, later),
                false => (later, earlier),
            };
            let names = [first, second].map(|k| &bodies[k].body.name);
            let surface = scene.surface(names);
            found.push(Pair {
                first,
                second,
                mu: surface.mu.clone(),
                torsion: surface.torsion.clone(),
            });
        }
    }
    found
}

fn check_overlaps<S: Scalar>(system: &Bodies, q: &[S]) -> Result<(), StepError> {
    let q: Option<Vec<Rational>> = q
        .iter()
        .map(|q| Some(q.to_number()?.to_rational()))
        .collect();
    let distances = system.distances(&q.unwrap_or_default());
    for (pair, distance) in system.pairs().iter().zip(distances) {
        let bodies = [pair.first, pair.second].map(|k| &system.bodies()[k]);
        let sizes = bodies
            .iter()
            .flat_map(|own| own.shape.half_axes())
            .map(Rational::to_f64);
        if distance < -OVERLAP * sizes.fold(f64::INFINITY, f64::min) {
            let [first, second] = bodies.map(|own| own.name.clone());
            return Err(overlap(first, second, -distance));
        }
    }
    Ok(())
}
