//! Points held on curves: closed forms of beads on wires, what a wire that moves feels, and stops at ends.

#![allow(clippy::unwrap_used)]

use etalon_planar::{
    BodySpec, Connector, Curve, CurvePiece, ExtraAcceleration, ForceLaw, Keep, Path, Settings,
    StepError, Watch, World, WorldError, WorldSpec,
};

fn piece(points: &[[f64; 2]], weights: &[f64]) -> CurvePiece {
    CurvePiece {
        points: points.to_vec(),
        weights: weights.to_vec(),
    }
}

/// A circle about the origin, of four quarters that are exact.
fn circle(radius: f64) -> Curve {
    let ends = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
    let quarter = |pair: &[[f64; 2]]| {
        let [[a, b], [c, d]] = [pair[0], pair[1]];
        let points = [[a, b], [a + c, b + d], [c, d]].map(|[x, y]| [radius * x, radius * y]);
        piece(&points, &[1.0, 1.0, 2.0])
    };
    Curve {
        pieces: ends.windows(2).map(quarter).collect(),
    }
}

fn line(from: [f64; 2], to: [f64; 2]) -> Curve {
    Curve {
        pieces: vec![piece(&[from, to], &[])],
    }
}

/// y = x^2 from -2 to 2.
fn parabola() -> Curve {
    Curve {
        pieces: vec![piece(&[[-2.0, 4.0], [0.0, -4.0], [2.0, 4.0]], &[])],
    }
}

/// No correction of gaps, whose error is of the first order in the step: what is left is the integrator's, of the fourth.
fn uncorrected(mut scene: WorldSpec, time_step: f64) -> WorldSpec {
    scene.settings.extra_acceleration = ExtraAcceleration::None;
    scene.settings.time_step = time_step;
    scene
}

/// A bead of 2 kg, held at its centre.
fn bead(at: [f64; 2]) -> BodySpec {
    BodySpec::moving("bead", Path::ball(0.1), 2.0, 0.01).at(at[0], at[1], 0.0)
}

fn threaded(bead: BodySpec, wire: BodySpec, curve: Curve, g: f64) -> WorldSpec {
    let held = Connector::Path {
        body: bead.name.clone(),
        at: [0.0; 2],
        other: wire.name.clone(),
        curve,
    };
    WorldSpec {
        bodies: vec![bead, wire],
        connectors: vec![held],
        forces: vec![ForceLaw::Gravity { g }],
        ..WorldSpec::default()
    }
}

fn frame() -> BodySpec {
    BodySpec::fixed("wire", Path::default())
}

/// From rest at the height of the centre of a circle of 1 m a bead swings as a pendulum does: at the bottom after
/// K(sin 45 degrees)/sqrt(g/r).
#[test]
fn a_bead_on_a_circle_is_a_pendulum() {
    // The complete elliptic integral K of the modulus 1/sqrt(2).
    let quarter = 1.854_074_677_301_371_9 / 10_f64.sqrt();
    let off = |parts: f64| {
        let scene = threaded(bead([1.0, 0.0]), frame(), circle(1.0), 10.0);
        let mut world = World::new(uncorrected(scene, quarter / parts)).unwrap();
        let start = world.energy().total();
        let mut watch = Watch::new(Keep::Wrong);
        for _ in 0..parts as usize {
            world.step_with(&mut watch).unwrap();
        }
        let bead = world.snapshot().bodies[0].clone();
        let gap = world.gaps()[0];
        assert!(
            gap.joint && gap.distance.abs() < 2.0 / parts.powi(4),
            "{gap:?}"
        );
        assert!((world.energy().total() - start).abs() < 50.0 / parts.powi(4));
        assert_eq!(watch.verdicts().wrong, 0);
        (bead.velocity[0] + 20_f64.sqrt())
            .abs()
            .max(bead.position[0].abs())
    };
    let (coarse, fine) = (off(20.0), off(40.0));
    assert!(coarse < 5e-5 && fine < coarse / 12.0, "{coarse} {fine}");
}

/// Steps that are too long for a narrow circle lose the bead; that is an error, and no bead beside its wire.
#[test]
fn a_bead_that_leaves_its_wire_ends_the_run() {
    let scene = threaded(bead([0.05, 0.0]), frame(), circle(0.05), 10.0);
    let mut world = World::new(uncorrected(scene, 0.025)).unwrap();
    let error = (0..200).find_map(|_| world.step().err()).unwrap();
    let StepError::Beside { beside, limit, .. } = &error else {
        panic!("{error}");
    };
    assert!(beside > limit && *limit == 0.01, "{error}");
    assert!(
        error.to_string().contains("the point of \"bead\" is"),
        "{error}"
    );
}

/// On y = x^2 the speed follows from the height, and the force of the wire from both: N = m (g cos + v^2 kappa).
#[test]
fn a_bead_on_a_parabola_presses_as_its_curvature_says() {
    let (g, start) = (10.0, [1.5, 2.25]);
    let scene = threaded(bead(start), frame(), parabola(), g);
    let mut world = World::new(uncorrected(scene, 4e-3)).unwrap();
    let mut left = false;
    for _ in 0..400 {
        world.step().unwrap();
        let now = world.snapshot();
        let ([x, y], [vx, vy]) = (now.bodies[0].position, now.bodies[0].velocity);
        left |= x < -1.4;
        assert!((y - x * x).abs() < 1e-5, "off the wire: {x} {y}");
        let speed = vx * vx + vy * vy;
        assert!(
            (speed - 2.0 * g * (start[1] - y)).abs() < 1e-4,
            "{speed} at {y}"
        );
        let slope = 1.0 + 4.0 * x * x;
        let truth = 2.0 * (g / slope.sqrt() + speed * 2.0 / slope.powf(1.5));
        // The force is that of the last evaluation, at the end of the step but for its error.
        let force = now.contacts[0].force;
        assert!(
            (force - truth).abs() < 1e-3 * truth,
            "{force} {truth} at {x}"
        );
    }
    assert!(left, "it never reached the other side");
}

/// A bead on a ring that floats: both turn about their common centre of mass, at a fixed distance, and the ring does not
/// spin, for the force passes through its centre.
#[test]
fn a_ring_that_floats_turns_about_the_common_centre_with_its_bead() {
    let ring = BodySpec::moving("ring", Path::default(), 3.0, 4.0);
    let bead = bead([1.0, 0.0]).with_velocity(0.0, 2.0, 0.0);
    let scene = threaded(bead, ring, circle(1.0), 0.0);
    let mut world = World::new(uncorrected(scene, 5e-3)).unwrap();
    let start = world.energy().total();
    for _ in 0..200 {
        world.step().unwrap();
    }
    let now = world.snapshot();
    let [bead, ring] = [0, 1].map(|k| now.bodies[k].clone());
    // The centre of mass starts at (2/5, 0) with (0, 4/5) m/s; the bead turns about it at 2 rad/s, 3/5 m away.
    let (sin, cos) = 2_f64.sin_cos();
    let truth = [0.4 + 0.6 * cos, 0.8 + 0.6 * sin];
    for k in [0, 1] {
        assert!(
            (bead.position[k] - truth[k]).abs() < 1e-8,
            "{bead:?} {truth:?}"
        );
        let momentum = 2.0 * bead.velocity[k] + 3.0 * ring.velocity[k];
        assert!((momentum - [0.0, 4.0][k]).abs() < 1e-12, "{momentum}");
    }
    assert!(ring.angular_velocity.abs() < 1e-12, "{ring:?}");
    assert!((world.energy().total() - start).abs() < 1e-7);
}

/// A wire that turns with its body: a bead on a straight one, held at a distance from both centres, keeps the energy and
/// the angular momentum.
#[test]
fn a_wire_that_turns_keeps_energy_and_angular_momentum() {
    let bar =
        BodySpec::moving("bar", Path::rectangle(6.0, 0.2), 3.0, 9.0).with_velocity(0.2, 0.0, 1.0);
    let bead = bead([0.8, 0.5]).with_velocity(-0.3, 0.8, 0.4);
    let scene = threaded(bead, bar, line([-2.0, 0.5], [2.0, 0.5]), 0.0);
    let mut scene = uncorrected(scene, 5e-3);
    scene.settings.joint_impulses = true;
    let mut world = World::new(scene).unwrap();
    let momentum = |world: &World| {
        let bodies = world.snapshot().bodies;
        let of = |k: usize, m: f64, inertia: f64| {
            let own = &bodies[k];
            let turning = own.position[0] * own.velocity[1] - own.position[1] * own.velocity[0];
            m * turning + inertia * own.angular_velocity
        };
        of(0, 2.0, 0.01) + of(1, 3.0, 9.0)
    };
    // The first step takes out what the bead moves across the wire.
    world.step().unwrap();
    let (start, turning) = (world.energy().total(), momentum(&world));
    for _ in 0..160 {
        world.step().unwrap();
    }
    assert!((momentum(&world) - turning).abs() < 1e-10);
    assert!((world.energy().total() - start).abs() < 1e-8 * start);
    assert!(world.gaps()[0].distance.abs() < 1e-3);
    assert_eq!(world.totals().collisions, 0);
}

/// An open wire stops the bead at its end, with the elasticity of both: gravity holds it there at half the distance
/// tolerance, as a contact at rest.
#[test]
fn the_end_of_a_wire_stops_the_bead() {
    let slope = line([0.0, 0.0], [4.0, 3.0]);
    for contact_forces in [true, false] {
        let bead = bead([2.0, 1.5]).with_elasticity(0.5);
        let mut scene = threaded(bead, frame(), slope.clone(), 10.0);
        scene.settings = Settings {
            contact_forces,
            ..scene.settings
        };
        let mut world = World::new(scene).unwrap();
        let mut fastest = 0_f64;
        for k in 0..240 {
            world.step().unwrap();
            let now = world.snapshot();
            let way = now.bodies[0].position;
            assert!(way[0] > -0.01 && way[1] > -0.01, "past the end: {way:?}");
            if k < 45 && now.totals.collisions > 0 {
                fastest = fastest.max(now.bodies[0].velocity[0]);
            }
        }
        // 2.5 m along the wire at 6 m/s^2 make sqrt(30) m/s, and half of it back; 4/5 of that is along x.
        let back = 0.4 * 30_f64.sqrt();
        assert!((fastest - back).abs() < 0.15, "{fastest} {back}");
        let end = world.snapshot().bodies[0].position;
        assert!(
            end[0].hypot(end[1]) < 0.02,
            "it does not rest at the end: {end:?}"
        );
        assert!(world.totals().collisions >= 2);
        if contact_forces {
            let force = world
                .snapshot()
                .contacts
                .iter()
                .map(|own| own.force)
                .fold(0.0, f64::max);
            // The wire carries m g 4/5, its end m g 3/5.
            assert!((force - 16.0).abs() < 1e-6, "{force}");
            let gap = world.gaps().iter().find(|own| !own.joint).copied().unwrap();
            assert!(gap.beyond_half_gap.abs() < 1e-3, "{gap:?}");
        }
    }
}

/// Without contact forces, impulses hold the bead on its wire.
#[test]
fn impulses_alone_hold_a_bead_on_its_wire() {
    let mut scene = threaded(bead([1.0, 0.0]), frame(), circle(1.0), 10.0);
    scene.settings.contact_forces = false;
    scene.settings.time_step = 5e-3;
    let mut world = World::new(scene).unwrap();
    for _ in 0..400 {
        world.step().unwrap();
        assert!(world.gaps()[0].distance.abs() < 2e-3);
    }
    assert!(world.energy().total().abs() < 0.5, "{:?}", world.energy());
}

#[test]
fn a_scene_with_a_curve_comes_back_from_its_text() {
    let text = r#"{
        "bodies": [
            {"name": "bead", "mass": 1, "inertia": 1, "position": [1, 1]},
            {"name": "wire", "position": [0, 0]}
        ],
        "connectors": [{"kind": "path", "body": "bead", "at": [0, 0], "other": "wire",
            "curve": [{"points": [[-2, 4], [0, -4], [2, 4]]}]}]
    }"#;
    let scene: WorldSpec = serde_json::from_str(text).unwrap();
    let world = World::new(scene).unwrap();
    let again = serde_json::to_string(&world.scene()).unwrap();
    let again: WorldSpec = serde_json::from_str(&again).unwrap();
    assert_eq!(again, world.scene());
    let wires = &world.outlines()[1].wires;
    assert!(
        wires[0].len() > 8 && wires[0][0] == [-2.0, 4.0],
        "{wires:?}"
    );
}

#[test]
fn points_beside_their_curves_and_curves_that_cannot_hold_them_are_refused() {
    let off = threaded(bead([1.0, 0.5]), frame(), circle(1.0), 10.0);
    let error = World::new(off).unwrap_err();
    assert!(matches!(error, WorldError::Beside { .. }), "{error}");
    let said = error.to_string();
    for word in ["\"bead\"", "\"wire\"", "1.180e-1 m", "to 0.01 m"] {
        assert!(said.contains(word), "{said}");
    }
    let crossed = piece(&[[-1.0, 0.0], [2.0, 2.0], [-2.0, 2.0], [1.0, 0.0]], &[]);
    let curve = Curve {
        pieces: vec![crossed],
    };
    let error = World::new(threaded(bead([1.0, 0.0]), frame(), curve, 10.0)).unwrap_err();
    assert!(matches!(error, WorldError::Curve { .. }), "{error}");
}
