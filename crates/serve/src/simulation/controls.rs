//! The settings, read from a scene and changed in a world.

use std::ops::RangeInclusive;

use etalon_planar::{BodySpec, ForceLaw, World, WorldSpec};

use super::complaints::{complaint, within};
use crate::limits;
use crate::protocol::{Complaint, Controls};
use crate::subjects::ChosenSubject;

/// Turning is damped by so much of the damping, m^2.
const ROTATE_RATIO: f64 = 0.1;

/// Gravity downwards, m/s^2.
pub fn gravity(scene: &WorldSpec) -> f64 {
    let laws = scene.forces.iter();
    laws.map(|law| match law {
        ForceLaw::Gravity { g } => *g,
        _ => 0.0,
    })
    .sum()
}

/// The damping of every motion, kg/s.
pub fn damping(scene: &WorldSpec) -> f64 {
    let laws = scene.forces.iter();
    laws.map(|law| match law {
        ForceLaw::Damping { damping, .. } => *damping,
        _ => 0.0,
    })
    .sum()
}

/// A number of the moving bodies, if it is the same for all.
fn common(scene: &WorldSpec, of: impl Fn(&BodySpec) -> f64) -> Option<f64> {
    let mut moving = scene.bodies.iter().filter(|body| body.mass.is_some());
    let first = of(moving.next()?);
    moving.all(|body| of(body) == first).then_some(first)
}

/// The settings in a scene.
pub fn read(scene: &WorldSpec, speed: f64, chosen: ChosenSubject) -> Controls {
    let settings = &scene.settings;
    Controls {
        gravity: Some(gravity(scene)),
        elasticity: common(scene, |body| body.elasticity),
        friction: common(scene, |body| body.friction),
        friction_model: Some(settings.friction),
        damping: Some(damping(scene)),
        contact_forces: Some(settings.contact_forces),
        collision_handling: Some(settings.collision_handling),
        extra_acceleration: Some(settings.extra_acceleration),
        integrator: Some(settings.integrator),
        speed: Some(speed),
        solver: Some(chosen.name),
        sweeps: Some(chosen.sweeps),
    }
}

/// The solver that acts from now on.
pub fn choose(chosen: ChosenSubject, controls: &Controls) -> Result<ChosenSubject, Complaint> {
    let sweeps = controls.sweeps.unwrap_or(chosen.sweeps);
    let [least, most] =
        [limits::SWEEPS.start(), limits::SWEEPS.end()].map(|sweeps| f64::from(*sweeps));
    within("sweeps", f64::from(sweeps), least..=most)?;
    Ok(ChosenSubject {
        name: controls.solver.unwrap_or(chosen.name),
        sweeps,
    })
}

/// Sets what is given, all or nothing.
pub fn set(world: &mut World, speed: &mut f64, controls: &Controls) -> Result<(), Complaint> {
    let given = |field: &str, value: Option<f64>, range: RangeInclusive<f64>| {
        value.map_or(Ok(()), |value| within(field, value, range))
    };
    given("gravity", controls.gravity, limits::GRAVITY)?;
    given("elasticity", controls.elasticity, 0.0..=1.0)?;
    given("friction", controls.friction, limits::FRICTION)?;
    given("damping", controls.damping, limits::DAMPING)?;
    given("speed", controls.speed, 0.01..=4.0)?;
    let scene = world.scene();
    let mut forces = scene.forces;
    if let Some(g) = controls.gravity {
        forces.retain(|law| !matches!(law, ForceLaw::Gravity { .. }));
        forces.insert(0, ForceLaw::Gravity { g });
    }
    if let Some(damping) = controls.damping {
        forces.retain(|law| !matches!(law, ForceLaw::Damping { .. }));
        if damping > 0.0 {
            forces.push(ForceLaw::Damping {
                damping,
                rotate_ratio: ROTATE_RATIO,
            });
        }
    }
    let mut settings = *world.settings();
    settings.contact_forces = controls.contact_forces.unwrap_or(settings.contact_forces);
    let handling = controls.collision_handling;
    settings.collision_handling = handling.unwrap_or(settings.collision_handling);
    let extra = controls.extra_acceleration;
    settings.extra_acceleration = extra.unwrap_or(settings.extra_acceleration);
    settings.friction = controls.friction_model.unwrap_or(settings.friction);
    settings.integrator = controls.integrator.unwrap_or(settings.integrator);
    world.set(settings).map_err(|error| complaint(&error))?;
    world
        .set_forces(forces)
        .map_err(|error| complaint(&error))?;
    if let Some(elasticity) = controls.elasticity {
        // Its range was looked at before.
        world
            .set_elasticity(elasticity)
            .map_err(|error| super::refused(&error))?;
    }
    if let Some(friction) = controls.friction {
        world
            .set_friction(friction)
            .map_err(|error| super::refused(&error))?;
    }
    *speed = controls.speed.unwrap_or(*speed);
    Ok(())
}
