//! Where thrusters sit, and how strong they are.

use etalon_planar::{Thrust, World, WorldSpec};

use super::controls::gravity;
use crate::limits::THRUSTERS;
use crate::protocol::{Complaint, ComplaintCode, Firing, ThrustDirection, ThrusterPlace};

/// Part of the way from the centre of mass to the top of a body.
const HEIGHT: f64 = 0.6;
/// The acceleration of a thruster beyond that which lifts its body, m/s^2.
const SURPLUS: f64 = 3.0;

/// The thrusters of all bodies that move: over the centre of mass, so that a push to the side also
/// turns the body, and strong enough to lift it.
pub fn places(world: &World, scene: &WorldSpec) -> Vec<ThrusterPlace> {
    let acceleration = gravity(scene).abs() + SURPLUS;
    let shapes = world.shapes();
    let bodies = scene.bodies.iter().zip(&shapes).enumerate();
    bodies
        .filter_map(|(body, (spec, shape))| {
            let points = shape.loops.iter().flatten();
            let top = points.map(|point| point[1]).fold(0.0, f64::max);
            let mass = spec.mass?;
            Some(ThrusterPlace {
                body,
                at: [0.0, HEIGHT * top],
                force: mass * acceleration,
            })
        })
        .collect()
}

/// The forces of thrusters that fire.
pub fn thrusts(world: &World, firing: &[Firing]) -> Result<Vec<Thrust>, Complaint> {
    if firing.len() > THRUSTERS {
        let message = format!("{} thrusters fire", firing.len());
        let remedy = format!("fire at most {THRUSTERS} at once");
        return Err(Complaint::new(
            ComplaintCode::TooLarge,
            Some("firing"),
            message,
            remedy,
        ));
    }
    let scene = world.scene();
    let places = places(world, &scene);
    let thrust = |(k, fires): (usize, &Firing)| {
        let place = places.iter().find(|place| place.body == fires.body);
        let Some(place) = place else {
            let field = format!("firing[{k}].body");
            let message = format!("body {} has no thruster", fires.body);
            let remedy = "take a body that moves; scene.thrusters lists them";
            return Err(Complaint::new(
                ComplaintCode::OutOfRange,
                Some(&field),
                message,
                remedy,
            ));
        };
        let cm = scene.bodies[place.body].center_of_mass;
        let along = match fires.direction {
            ThrustDirection::Left => [-1.0, 0.0],
            ThrustDirection::Right => [1.0, 0.0],
            ThrustDirection::Up => [0.0, 1.0],
            ThrustDirection::Down => [0.0, -1.0],
        };
        Ok(Thrust {
            body: place.body,
            at: [cm[0] + place.at[0], cm[1] + place.at[1]],
            force: along.map(|part| part * place.force),
        })
    };
    firing.iter().enumerate().map(thrust).collect()
}
