//! From a scene to what runs.

use std::collections::{HashMap, HashSet};

use crate::body::Body;
use crate::contact::{Connection, ConnectionLaw};
use crate::error::SceneError;
use crate::forces::{Anchor, Law};
use crate::geometry::{Pose, Shape, Vec2};
use crate::scene::{BodySpec, Connector, ForceLaw, Scene, Settings};

/// No coefficient of friction is more.
pub(crate) const MOST_FRICTION: f64 = 1e6;

/// A world takes at most so many bodies, connectors and forces each.
const LIMIT: usize = 1000;

pub(crate) struct Built {
    pub bodies: Vec<Body>,
    pub connections: Vec<Connection>,
    pub laws: Vec<Law>,
    pub passes: HashSet<(usize, usize)>,
}

pub(crate) fn build(scene: &Scene) -> Result<Built, SceneError> {
    check_settings(&scene.settings)?;
    finite("the time", &[scene.time])?;
    limit("bodies", scene.bodies.len())?;
    limit("connectors", scene.connectors.len())?;
    let names = names(&scene.bodies)?;
    let bodies = scene
        .bodies
        .iter()
        .map(body)
        .collect::<Result<Vec<_>, _>>()?;
    let laws = laws(&scene.bodies, &scene.forces)?;
    let connections = scene
        .connectors
        .iter()
        .map(|connector| connection(connector, &names, &bodies));
    let connections = connections.collect::<Result<Vec<_>, _>>()?;
    let mut passes = HashSet::new();
    for (i, spec) in scene.bodies.iter().enumerate() {
        for name in &spec.passes {
            let j = find(&names, name)?;
            passes.insert((i.min(j), i.max(j)));
        }
    }
    for connection in &connections {
        if let ConnectionLaw::Joint { .. } = connection.law {
            let (i, j) = (connection.first, connection.second);
            passes.insert((i.min(j), i.max(j)));
        }
    }
    Ok(Built {
        bodies,
        connections,
        laws,
        passes,
    })
}

pub(crate) fn check_settings(settings: &Settings) -> Result<(), SceneError> {
    positive("the time step", settings.time_step)?;
    positive("the distance tolerance", settings.distance_tolerance)?;
    positive("the velocity tolerance", settings.velocity_tolerance)?;
    if !(settings.accuracy > 0.0 && settings.accuracy <= 1.0) {
        return range("the accuracy", settings.accuracy, "over 0 and up to 1");
    }
    Ok(())
}

type Names<'a> = HashMap<&'a str, usize>;

fn names(bodies: &[BodySpec]) -> Result<Names<'_>, SceneError> {
    let mut names = HashMap::new();
    for (i, body) in bodies.iter().enumerate() {
        if names.insert(&*body.name, i).is_some() {
            return Err(SceneError::Twice {
                name: body.name.clone(),
            });
        }
    }
    Ok(names)
}

fn find(names: &Names<'_>, name: &str) -> Result<usize, SceneError> {
    let found = names.get(name).copied();
    found.ok_or_else(|| SceneError::Unknown {
        name: name.to_owned(),
    })
}

fn body(spec: &BodySpec) -> Result<Body, SceneError> {
    let name = &spec.name;
    let shape = Shape::new(&spec.path);
    let shape = shape.map_err(|error| SceneError::Path {
        body: name.clone(),
        error,
    })?;
    let inverse = |what: &str, value: Option<f64>| match value {
        None => Ok(0.0),
        Some(value) => positive(&format!("the {what} of {name}"), value).map(|()| 1.0 / value),
    };
    let inverse_mass = inverse("mass", spec.mass)?;
    let inverse_inertia = inverse("inertia", spec.inertia)?;
    let state = [
        spec.position[0],
        spec.velocity[0],
        spec.position[1],
        spec.velocity[1],
        spec.angle,
        spec.angular_velocity,
    ];
    finite(&format!("the state of {name}"), &state)?;
    finite(
        &format!("the centre of mass of {name}"),
        &spec.center_of_mass,
    )?;
    if !(0.0..=1.0).contains(&spec.elasticity) {
        return range(
            &format!("the elasticity of {name}"),
            spec.elasticity,
            "from 0 to 1",
        );
    }
    if !(0.0..=MOST_FRICTION).contains(&spec.friction) {
        let what = format!("the friction of {name}");
        return range(&what, spec.friction, "from 0 to 1000000");
    }
    if inverse_mass == 0.0 {
        if inverse_inertia != 0.0 {
            let inertia = spec.inertia.unwrap_or_default();
            return range(
                &format!("the inertia of {name}"),
                inertia,
                "none for a fixed body",
            );
        }
        let moving = [state[1], state[3], state[5]]
            .into_iter()
            .find(|v| *v != 0.0);
        if let Some(moving) = moving {
            return range(
                &format!("a velocity of {name}"),
                moving,
                "0 for a fixed body",
            );
        }
    }
    let cm = Vec2::from(spec.center_of_mass);
    let mut body = Body {
        shape,
        inverse_mass,
        inverse_inertia,
        elasticity: spec.elasticity,
        friction: spec.friction,
        cm,
        position: Vec2::zeros(),
        velocity: Vec2::zeros(),
        angle: 0.0,
        spin: 0.0,
        pose: Pose::new(cm, Vec2::zeros(), 0.0),
        old: None,
    };
    body.set(&state);
    Ok(body)
}

fn connection(
    connector: &Connector,
    names: &Names<'_>,
    bodies: &[Body],
) -> Result<Connection, SceneError> {
    let (body, at, other, other_at) = match connector {
        Connector::Joint {
            body,
            at,
            other,
            other_at,
            ..
        }
        | Connector::Rope {
            body,
            at,
            other,
            other_at,
            ..
        } => (body, at, other, other_at),
    };
    finite(
        "a point of a connector",
        &[at[0], at[1], other_at[0], other_at[1]],
    )?;
    let law = match connector {
        Connector::Joint { normal, frame, .. } => {
            let length = Vec2::from(*normal).norm();
            if (length - 1.0).abs().is_nan() || (length - 1.0).abs() > 1e-9 {
                return range("the length of a joint's normal", length, "1");
            }
            ConnectionLaw::Joint {
                normal: (*normal).into(),
                turns: *frame == crate::Frame::Body,
            }
        }
        Connector::Rope { length, rod, .. } => {
            positive("the length of a rope", *length)?;
            ConnectionLaw::Rope {
                length: *length,
                rod: *rod,
            }
        }
    };
    let (first, second) = (find(names, body)?, find(names, other)?);
    if first == second || bodies[first].is_fixed() && bodies[second].is_fixed() {
        return Err(SceneError::Unknown {
            name: format!("{body} to be held by {other}"),
        });
    }
    Ok(Connection {
        first,
        at: (*at).into(),
        second,
        other_at: (*other_at).into(),
        law,
    })
}

/// The laws of forces on bodies.
pub(crate) fn laws(bodies: &[BodySpec], forces: &[ForceLaw]) -> Result<Vec<Law>, SceneError> {
    limit("forces", forces.len())?;
    let names = names(bodies)?;
    forces.iter().map(|force| law(force, &names)).collect()
}

fn law(force: &ForceLaw, names: &Names<'_>) -> Result<Law, SceneError> {
    let anchor = |body: &str, at: [f64; 2]| {
        finite("a point of a force", &at)?;
        Ok(Anchor {
            body: find(names, body)?,
            at: at.into(),
        })
    };
    let law = match force {
        ForceLaw::Gravity { g } => {
            finite("gravity", &[*g])?;
            Law::Gravity { g: *g }
        }
        ForceLaw::InverseSquare { g } => {
            finite("gravity", &[*g])?;
            Law::InverseSquare { g: *g }
        }
        ForceLaw::Damping {
            damping,
            rotate_ratio,
        } => {
            nonnegative("the damping", *damping)?;
            nonnegative("the rotate ratio", *rotate_ratio)?;
            Law::Damping {
                damping: *damping,
                rotate_ratio: *rotate_ratio,
            }
        }
        ForceLaw::Spring {
            body,
            at,
            other,
            other_at,
            length,
            stiffness,
        } => {
            nonnegative("the length of a spring", *length)?;
            nonnegative("the stiffness of a spring", *stiffness)?;
            let (one, other) = (anchor(body, *at)?, anchor(other, *other_at)?);
            Law::Spring {
                one,
                other,
                length: *length,
                stiffness: *stiffness,
            }
        }
        ForceLaw::Push {
            body,
            at,
            force,
            frame,
        } => {
            finite("a force", force)?;
            Law::Push {
                at: anchor(body, *at)?,
                force: (*force).into(),
                frame: *frame,
            }
        }
    };
    Ok(law)
}

fn limit(what: &'static str, count: usize) -> Result<(), SceneError> {
    if count > LIMIT {
        return Err(SceneError::TooMany {
            what,
            count,
            limit: LIMIT,
        });
    }
    Ok(())
}

fn range<T>(what: &str, value: f64, range: &'static str) -> Result<T, SceneError> {
    Err(SceneError::Range {
        what: what.to_owned(),
        value,
        range,
    })
}

fn finite(what: &str, values: &[f64]) -> Result<(), SceneError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => range(what, value, "finite"),
        None => Ok(()),
    }
}

fn positive(what: &str, value: f64) -> Result<(), SceneError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        range(what, value, "finite and over 0")
    }
}

fn nonnegative(what: &str, value: f64) -> Result<(), SceneError> {
    if value >= 0.0 && value.is_finite() {
        Ok(())
    } else {
        range(what, value, "finite and at least 0")
    }
}
