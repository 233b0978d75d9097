//! Limits and drives of joints, judged from the scene and the stated forces alone.
//!
//! Nothing of the formulation is asked. For each joint with a travel, its rate and its acceleration are computed from the motions of
//! both bodies: of a hinge the angle about its axis a, of a slider the distance along its axis n, a vector of the second body:
//!
//! > rate (w1 - w2)'a,        acceleration (a1 - a2)'a + (w1 - w2)'(w2 x a),
//! > rate n'(v1 - v2),        acceleration n'(A1 - A2) + 2 (w2 x n)'(v1 - v2),
//!
//! with angular accelerations a1, a2, and velocities v and accelerations A of the material points. A limit that the joint stands at
//! pushes away from it, and not where it opens; a drive pushes towards its speed with all that it has, or holds it by no more. No
//! joint is torn apart. That these forces are those of the motion is d'Alembert's principle: what is left of
//!
//! > M acc + w x I w - T - forces of contacts, limits and drives
//!
//! does no work in any motion that the joints allow, so that it is a sum of rows of joints. Which rows span them does not matter:
//! here they are across coordinate axes, not across those of the formulation.

#[cfg(test)]
mod tests;
mod vectors;
mod world;

use etalon_golden::forces::ForcesData;
use etalon_rigid::{
    Body2, Body3, Contact, Freedom, Joint, JointKind, Scene, Scene2, Scene3, Vector,
};
use etalon_scenarios::{Mechanics, Setup};

use self::vectors::{Q, V, cross, dot, plus, unit, zero};
use self::world::{Joined, Moved, Push, World};

/// Checks the limits and drives of a scene against the stated forces and accelerations.
pub fn check(setup: &Setup, stated: &ForcesData) -> Result<(), String> {
    match &setup.mechanics {
        Mechanics::Planar(scene) => planar(scene, stated),
        Mechanics::Spatial(scene) => spatial(scene, stated),
        _ => Ok(()),
    }
}

fn planar(scene: &Scene2<Q>, stated: &ForcesData) -> Result<(), String> {
    if scene.joints.iter().all(is_plain) {
        return Ok(());
    }
    let flat = |own: &Vector<Q, 2>| [own[0].clone(), own[1].clone(), Q::new()];
    let about = |own: &Q| [Q::new(), Q::new(), own.clone()];
    let mut next = 0;
    let body = |own: &Body2<Q>| {
        let start = start(own.fixed, 3, &mut next);
        let gain = |k: usize| start.map_or_else(Q::new, |s| entry(stated, s + k));
        Moved {
            name: own.name.clone(),
            start,
            mass: own.mass.clone(),
            inertia: [zero(), zero(), about(&own.inertia)],
            at: flat(&own.position),
            velocity: flat(&own.velocity),
            spin: about(&own.angular_velocity),
            load: [
                plus(&flat(&own.force), &own.mass, &flat(&scene.gravity)),
                about(&own.torque),
            ],
            gain: [[gain(0), gain(1), Q::new()], about(&gain(2))],
        }
    };
    let bodies = scene.bodies.iter().map(body).collect();
    let joint = |own: &Joint<Q, 2>, [_, spin]: [&V; 2]| {
        let stays = |k: usize| (unit(k), zero());
        match &own.kind {
            JointKind::Slider(normal) => {
                let normal = flat(normal);
                let rate = cross(spin, &normal);
                ([vec![(normal, rate)], Vec::new()], None)
            }
            _ => {
                let together = vec![stays(0), stays(1)];
                ([together, Vec::new()], Some((unit(2), true)))
            }
        }
    };
    judge(scene, bodies, (&[0, 1, 5], stated), joint, flat)
}

fn spatial(scene: &Scene3<Q>, stated: &ForcesData) -> Result<(), String> {
    if scene.joints.iter().all(is_plain) {
        return Ok(());
    }
    let own = |own: &Vector<Q, 3>| own.coordinates().clone();
    let mut next = 0;
    let body = |body: &Body3<Q>| {
        let start = start(body.fixed, 6, &mut next);
        let gain = |k: usize| start.map_or_else(Q::new, |s| entry(stated, s + k));
        let inertia = body.world_inertia();
        Moved {
            name: body.name.clone(),
            start,
            mass: body.mass.clone(),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| inertia[(i, j)].clone())),
            at: own(&body.position),
            velocity: own(&body.velocity),
            spin: own(&body.angular_velocity),
            load: [
                plus(&own(&body.force), &body.mass, &own(&scene.gravity)),
                own(&body.torque),
            ],
            gain: [0, 3].map(|s| std::array::from_fn(|k| gain(s + k))),
        }
    };
    let bodies = scene.bodies.iter().map(body).collect();
    let joint = |joint: &Joint<Q, 3>, spins: [&V; 2]| held(&joint.kind, own, spins);
    judge(scene, bodies, (&[0, 1, 2, 3, 4, 5], stated), joint, own)
}

/// Directions with their rates: in which points stay together, and about which bodies stay. The axis of the travel, and whether it turns.
type Held = ([Vec<(V, V)>; 2], Option<(V, bool)>);

/// What a joint of space holds, and its travel.
fn held(
    kind: &JointKind<Q, 3>,
    own: impl Fn(&Vector<Q, 3>) -> V,
    [first, second]: [&V; 2],
) -> Held {
    let all = || (0..3).map(|k| (unit(k), zero())).collect::<Vec<_>>();
    // Two of the three products with coordinate axes span what is across an axis of the second body.
    let across = |axis: &V| {
        let longest = (0..3).max_by(|i, j| axis[*i].cmp_abs(&axis[*j]));
        let others = (0..3).filter(|k| Some(*k) != longest);
        let turned = cross(second, axis);
        let one = |k: usize| (cross(axis, &unit(k)), cross(&turned, &unit(k)));
        others.map(one).collect::<Vec<_>>()
    };
    match kind {
        JointKind::Slider(normal) => {
            let normal = own(normal);
            let rate = cross(second, &normal);
            ([vec![(normal, rate)], Vec::new()], None)
        }
        JointKind::Pin | JointKind::Free(Freedom::Ball) => ([all(), Vec::new()], None),
        JointKind::Free(Freedom::Hinge { axis }) => {
            let axis = own(axis);
            ([all(), across(&axis)], Some((axis, true)))
        }
        JointKind::Free(Freedom::Slider { axis }) => {
            let axis = own(axis);
            ([across(&axis), all()], Some((axis, false)))
        }
        JointKind::Free(Freedom::Universal { axis, second_axis }) => {
            let (one, other) = (own(axis), own(second_axis));
            let rate = plus(
                &cross(&cross(first, &one), &other),
                &Q::from(1),
                &cross(&one, &cross(second, &other)),
            );
            ([all(), vec![(cross(&one, &other), rate)]], None)
        }
        JointKind::Free(Freedom::Fixed) => ([all(), all()], None),
    }
}

fn judge<'a, B, const D: usize>(
    scene: &'a Scene<Q, B, D>,
    bodies: Vec<Moved>,
    (coordinates, stated): (&'static [usize], &'a ForcesData),
    kind: impl Fn(&Joint<Q, D>, [&V; 2]) -> Held,
    flat: impl Fn(&Vector<Q, D>) -> V,
) -> Result<(), String> {
    let find = |name: &str| {
        let found = bodies.iter().position(|own| own.name == name);
        found.ok_or_else(|| format!("there is no body {name:?}"))
    };
    let joint = |own: &'a Joint<Q, D>| {
        let pair = [find(&own.first)?, find(&own.second)?];
        let (held, travel) = kind(own, pair.map(|k| &bodies[k].spin));
        let moves = own.limits.is_some() || own.drive.is_some();
        let travel = travel
            .filter(|_| moves)
            .map(|(axis, turns)| unit_axis(axis, turns));
        Ok::<_, String>(Joined {
            name: &own.name,
            pair,
            at: flat(&own.point),
            held,
            travel: travel.transpose()?,
            limits: own.limits.clone(),
            drive: own
                .drive
                .as_ref()
                .map(|own| [own.speed.clone(), own.bound.clone()]),
        })
    };
    let mut pushes = Vec::new();
    for (i, own) in scene.contacts.iter().enumerate() {
        let pair = [find(&own.first)?, find(&own.second)?];
        pushes.extend(touched(own, pair, stated, i, &flat)?);
    }
    let world = World {
        joints: scene.joints.iter().map(joint).collect::<Result<_, _>>()?,
        bodies,
        coordinates,
        stated,
        pushes,
    };
    world.judge(scene.contacts.len())
}

/// The forces of a contact.
fn touched<const D: usize>(
    contact: &Contact<Q, D>,
    pair: [usize; 2],
    stated: &ForcesData,
    i: usize,
    flat: impl Fn(&Vector<Q, D>) -> V,
) -> Result<Vec<Push>, String> {
    let push = |direction: V, size: &Q| Push {
        pair,
        at: flat(&contact.point),
        direction,
        turns: false,
        size: size.clone(),
    };
    let normal = stated.normal.get(i).ok_or("a contact has no force")?;
    let rubs = stated.friction.get(i).into_iter().flatten();
    let rubs = contact.tangents.iter().zip(rubs);
    let rubs = rubs.map(|(tangent, size)| push(flat(tangent), &size.0));
    Ok([push(flat(&contact.normal), &normal.0)]
        .into_iter()
        .chain(rubs)
        .collect())
}

fn is_plain<const D: usize>(joint: &Joint<Q, D>) -> bool {
    joint.limits.is_none() && joint.drive.is_none()
}

fn start(fixed: bool, dofs: usize, next: &mut usize) -> Option<usize> {
    (!fixed).then(|| {
        *next += dofs;
        *next - dofs
    })
}

fn entry(stated: &ForcesData, k: usize) -> Q {
    stated
        .acceleration
        .get(k)
        .map_or_else(Q::new, |own| own.0.clone())
}

/// The axis divided by its length, which is a fraction.
fn unit_axis(axis: V, turns: bool) -> Result<(V, bool), String> {
    let squared = dot(&axis, &axis);
    let root = Q::from((
        squared.numer().clone().sqrt(),
        squared.denom().clone().sqrt(),
    ));
    if root == 0 || Q::from(root.square_ref()) != squared {
        return Err("the axis of a travel has no length that is a fraction".to_owned());
    }
    Ok((axis.map(|own| own / &root), turns))
}
