//! Scenes of files by Chakraborty and Berard's method: what is read and refused, and closed forms.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, line_text, to_f64s};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{find, read_moving, write_moving};
use serde_json::{Value, json};

/// A scene in a file with these bodies, and what its motion says beside the method.
pub(crate) fn file(bodies: &Value, motion: &Value, gravity: &str) -> String {
    let mut motion = motion.clone();
    motion["method"] = json!("chakraborty-berard");
    let gravity = json!([0, 0, gravity]);
    json!({"name": "n", "gravity": gravity, "bodies": bodies, "motion": motion}).to_string()
}

pub(crate) fn floor() -> Value {
    json!({"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}})
}

/// Lines of a file, each proved and held against theory; the file's own text comes again from what is read of it.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let scene = read_moving(text, None).unwrap();
    let written = write_moving(&scene);
    assert_eq!(read_moving(&written, None).unwrap(), scene);
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
    assert_eq!(
        run.header().formulation.as_deref(),
        Some("chakraborty-berard")
    );
    let mut lines = Vec::new();
    while run.k() < run.steps() {
        let (line, broken) = run.advance_examined().unwrap();
        let gains = line.gains.as_ref().is_some_and(|gains| !gains.is_empty());
        assert!(broken.is_empty() || gains, "{broken:?}");
        let verified = line.verified.as_ref().unwrap();
        assert!(verified.proved, "{}", line_text(&line));
        lines.push(line);
    }
    lines
}

/// Each line comes again from the one before it.
pub(crate) fn comes_again(text: &str, lines: &[Line]) {
    let scene = read_moving(text, None).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    for pair in lines.windows(2) {
        let mut run = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
        run.resume(&pair[0]).unwrap();
        assert_eq!(run.advance().unwrap(), pair[1]);
    }
}

/// Two equal spheres on a line, the one at rest: an impact without restitution leaves both at half the speed, and each
/// impulse is momentum that the other has.
#[test]
fn equal_spheres_that_meet_in_free_space_share_their_momentum() {
    let bodies = json!([
        {"name": "a", "mass": 2, "shape": {"sphere": "1/2"}, "velocity": [1, 0, 0]},
        {"name": "b", "mass": 2, "position": ["13/10", 0, 0], "shape": {"sphere": "1/2"}},
    ]);
    let text = file(&bodies, &json!({"h": "1/8", "steps": 4, "mu": "1/4"}), "0");
    let lines = lines(&text);
    for line in &lines {
        let v = to_f64s(&line.v);
        assert!((2.0 * v[0] + 2.0 * v[6] - 2.0).abs() < 1e-11, "{v:?}");
    }
    // They touch after 0.3 s; the step that closes the gap ends with both at one speed.
    let v = to_f64s(&lines[3].v);
    assert!(
        (v[0] - 0.5).abs() < 1e-11 && (v[6] - 0.5).abs() < 1e-11,
        "{v:?}"
    );
    let pushed: f64 = lines
        .iter()
        .map(|own| own.contacts[0].normal.to_f64())
        .sum();
    assert!((pushed - 1.0).abs() < 1e-11, "{pushed}");
    comes_again(&text, &lines);
}

fn superquadric(height: &str, exponent: u32) -> Value {
    let shape = json!({"superquadric": {"half_axes": [1, "3/4", "1/2"], "exponent": exponent}});
    json!({"name": "block", "mass": 1, "position": [0, 0, height], "shape": shape})
}

/// Its end has no curvature. Where it presses, its place is found from the torque all the same: each step is proved.
#[test]
fn a_superquadric_on_its_flat_end_stays_at_rest() {
    for exponent in [4, 8] {
        let bodies = json!([superquadric("1/2", exponent), floor()]);
        let text = file(&bodies, &json!({"steps": 5, "mu": "1/2"}), "-10");
        let lines = lines(&text);
        for line in &lines {
            assert_eq!(to_f64s(&line.v), [0.0; 6]);
            assert_eq!(line.contacts[0].normal.to_f64(), 0.1);
        }
        comes_again(&text, &lines);
    }
}

/// The gap that is proved is the height less what the body reaches down, also where the end that is nearest is flat.
#[test]
fn the_gap_of_a_superquadric_in_the_air_is_that_of_its_support_function() {
    // Twice the arc tangent of 1/10 about y, and none.
    let (sin, cos) = (20.0 / 101.0, 99.0 / 101.0 / 2.0);
    let tilted = (f64::powf(sin, 4.0 / 3.0) + f64::powf(cos, 4.0 / 3.0)).powf(0.75);
    for (turn, reach) in [([10, 0, 1, 0], tilted), ([1, 0, 0, 0], 0.5)] {
        let mut block = superquadric("1", 4);
        block["orientation"] = json!(turn);
        let text = file(&json!([block, floor()]), &json!({"steps": 1}), "0");
        let gap = lines(&text)[0].contacts[0].gap.to_f64();
        assert!((gap - (1.0 - reach)).abs() < 1e-11, "{gap} {reach}");
    }
}

/// The mean of x^2 over |x|^p + |y|^p + |z|^p <= 1, whose section at x has an area in proportion to (1 - x^p)^(2/p), by the midpoint rule.
#[test]
fn a_superquadric_of_even_density_has_the_moments_of_its_sections() {
    for p in [2_u32, 4, 10] {
        let bodies = json!([superquadric("1/2", p), floor()]);
        let scene = read_moving(&file(&bodies, &json!({}), "0"), None);
        let MovingScene::Implicit(scene) = scene.unwrap() else {
            panic!("another method")
        };
        let points = (0..4000).map(|k| (f64::from(k) + 0.5) / 4000.0);
        let area = |x: f64| (1.0 - x.powf(p.into())).powf(2.0 / f64::from(p));
        let add = |(mean, all): (f64, f64), x: f64| (mean + x * x * area(x), all + area(x));
        let (mean, all) = points.fold((0.0, 0.0), add);
        let inertia = &scene.bodies[0].body.inertia;
        let squares = [1.0, 9.0 / 16.0, 0.25];
        for k in 0..3 {
            let expected = mean / all * (squares.iter().sum::<f64>() - squares[k]);
            let found = inertia[(k, k)].to_f64();
            assert!(
                (found - expected).abs() < 1e-5,
                "{p} {k}: {found} {expected}"
            );
        }
    }
}

/// Let go, it is upright after the integral of sqrt((J + m r^2)/(2 m g (H(t_0) - H(t)))) over its tilt t, where H is its support function
/// and r^2 = H^2 + H'^2 that of the point of contact: 0.259383 s. The method is of the first order in the step.
#[test]
fn a_superquadric_rocks_as_its_support_function_says() {
    const UPRIGHT: f64 = 0.259_382_5;
    let time = |h: &str, rate: f64| {
        let scenario = find("superquadric-rocking").unwrap();
        let instance = scenario.motion_instance([("mu", "2"), ("h", h)]).unwrap();
        let scene = instance.moving().unwrap();
        let text = write_moving(&scene);
        let mut scene = read_moving(&text, None).unwrap();
        scene = scene
            .with(None, None, None, Some((0.3 * rate) as u64))
            .unwrap();
        let lines = lines(&write_moving(&scene));
        let tilt = |line: &Line| {
            let q = to_f64s(&line.q);
            2.0 * q[5].atan2(q[3])
        };
        let k = lines.iter().position(|line| tilt(line) < 0.0).unwrap();
        let (before, after) = (tilt(&lines[k - 1]), tilt(&lines[k]));
        (k as f64 + before / (before - after)) / rate
    };
    let coarse = time("1/100", 100.0) / UPRIGHT - 1.0;
    let fine = time("1/200", 200.0) / UPRIGHT - 1.0;
    assert!((-0.013..-0.011).contains(&coarse), "{coarse}");
    assert!((0.5..0.6).contains(&(fine / coarse)), "{fine} {coarse}");
}

/// A sphere of 1 kg and radius 1/2 m on the floor.
fn sphere(more: &Value) -> Value {
    let mut own =
        json!({"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "shape": {"sphere": "1/2"}});
    for (field, value) in more.as_object().unwrap() {
        own[field] = value.clone();
    }
    own
}

/// Friction takes torsion m g from the spin, and no more than there is: with J = m r^2 2/5 = 1/10 it loses 1/32 rad/s a step.
#[test]
fn a_sphere_that_spins_slows_down_linearly_and_stops() {
    let bodies = json!([
        floor(),
        sphere(&json!({"angular_velocity": [0, 0, "27/100"]}))
    ]);
    for mu in ["0", "1/2"] {
        let text = file(
            &bodies,
            &json!({"steps": 11, "mu": mu, "torsion": "1/32"}),
            "-10",
        );
        let lines = lines(&text);
        for line in &lines {
            let spin = f64::max(0.27 - line.k as f64 / 32.0, 0.0);
            assert!(
                (to_f64s(&line.v)[5] - spin).abs() < 1e-10,
                "{}",
                line_text(line)
            );
            let contact = &line.contacts[0];
            let torque = contact.torsion.as_ref().unwrap().to_f64();
            let (mode, expected) = match line.k {
                ..=8 => ("slide", -0.1 / 32.0),
                9 => ("stick", -0.02 / 10.0),
                _ => ("stick", 0.0),
            };
            assert_eq!(contact.mode.as_deref(), Some(mode));
            assert!((torque - expected).abs() < 1e-11, "{torque} {expected}");
            assert_eq!(contact.friction.len(), if mu == "0" { 0 } else { 2 });
        }
        comes_again(&text, &lines);
    }
}

/// Sliding and spinning at once: impulses are on the ellipsoid with half axes mu c, mu c and torsion c, and no others on it take more energy
/// than c ((mu v)^2 + (torsion w)^2)^(1/2).
#[test]
fn friction_of_sliding_and_spinning_takes_all_that_its_ellipsoid_lets_it() {
    let moves = json!({"velocity": ["3/10", "1/10", 0], "angular_velocity": [0, 0, 4]});
    let mut flat = superquadric("1/2", 4);
    flat["velocity"] = moves["velocity"].clone();
    flat["angular_velocity"] = moves["angular_velocity"].clone();
    for (body, is_round) in [(sphere(&moves), true), (flat, false)] {
        let motion = json!({"steps": 4, "mu": "1/4", "torsion": "1/20"});
        for line in lines(&file(&json!([floor(), body]), &motion, "-10")) {
            let own = &line.contacts[0];
            let (c, torque) = (own.normal.to_f64(), own.torsion.as_ref().unwrap().to_f64());
            let along = to_f64s(&own.friction);
            let share = along[0].hypot(along[1]) / 0.25;
            assert!(
                (share.hypot(torque / 0.05) - c).abs() < 1e-11,
                "{}",
                line_text(&line)
            );
            if is_round {
                let v = to_f64s(&line.v);
                // The point of contact is below the centre; that of a flat end is where its torque holds the friction's.
                let slip = (v[0] - v[4] / 2.0).hypot(v[1] + v[3] / 2.0);
                let most = c * (0.25 * slip).hypot(0.05 * v[5]);
                let taken = line.dissipation.unwrap()["friction"].to_f64();
                assert!((taken - most).abs() < 1e-10, "{taken} {most}");
            }
        }
    }
}

/// A floor that rises takes a ball up at its speed. What the ball gains is the floor's work.
#[test]
fn a_floor_that_rises_lifts_a_ball_by_its_work() {
    let mut rising = floor();
    rising["velocity"] = json!([0, 0, 2]);
    let text = file(
        &json!([rising, sphere(&json!({}))]),
        &json!({"steps": 3, "mu": "1/2"}),
        "-10",
    );
    let lines = lines(&text);
    for line in &lines {
        let (q, v) = (to_f64s(&line.q), to_f64s(&line.v));
        assert!((q[2] - 0.02 * line.k as f64).abs() < 1e-11 && (q[9] - q[2] - 0.5).abs() < 1e-11);
        assert_eq!([v[2], v[8]], [2.0, 2.0]);
        // The first step brings it to 2 m/s: impulses of m v + m g h, then of m g h.
        let push = if line.k == 1 { 2.1 } else { 0.1 };
        assert!((line.work.as_ref().unwrap().to_f64() - 2.0 * push).abs() < 1e-10);
        let energy = line.energy.kinetic.to_f64() + line.energy.potential.to_f64();
        assert!(
            (energy - (7.0 + 0.2 * line.k as f64)).abs() < 1e-9,
            "{energy}"
        );
    }
    comes_again(&text, &lines);
}

/// Its velocity is known, and not only enclosed by the proof: in binary64 the middle of an interval about 0 need not be 0.
#[test]
fn an_obstacle_keeps_its_velocity_to_the_digit_in_binary64() {
    let mut belt = floor();
    belt["velocity"] = json!(["1/2", 0, 0]);
    let mut egg = sphere(&json!({"mass": 2, "angular_velocity": [0, 0, 5]}));
    egg["shape"] = json!({"ellipsoid": ["3/4", "1/2", "1/2"]});
    let shape = json!({"superquadric": {"half_axes": ["1/2", "1/2", "1/2"], "exponent": 8}});
    let block = json!({"name": "block", "mass": 1, "position": [2, 0, "1/2"], "shape": shape});
    let motion = json!({"steps": 2, "mu": "1/4", "torsion": "1/50"});
    let scene = read_moving(&file(&json!([belt, egg, block]), &motion, "-9.81"), None).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Binary64, &*solver, None).unwrap();
    for _ in 0..2 {
        let line = run.advance().unwrap();
        assert_eq!(to_f64s(&line.v)[..6], [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(line.verified.unwrap().proved);
    }
}

/// On a belt a ball slides at mu g until it rolls, at 2/7 of the belt's speed.
#[test]
fn a_ball_on_a_belt_ends_at_two_sevenths_of_its_speed() {
    let mut belt = floor();
    belt["velocity"] = json!([1, 0, 0]);
    let text = file(
        &json!([belt, sphere(&json!({}))]),
        // Named from the other side than its contact.
        &json!({"steps": 13, "surfaces": [{"first": "floor", "second": "ball", "mu": "1/4"}]}),
        "-10",
    );
    let lines = lines(&text);
    for line in &lines {
        let speed = f64::min(0.025 * line.k as f64, 2.0 / 7.0);
        assert!(
            (to_f64s(&line.v)[6] - speed).abs() < 1e-10,
            "{}",
            line_text(line)
        );
    }
    assert_eq!(lines[12].contacts[0].mode.as_deref(), Some("stick"));
}

/// A bat that turns and moves pushes a ball over the floor, with friction at both. With all of it at once Newton's method ends at no
/// solution from these states, the first time at friction along the sliding.
#[test]
fn friction_that_is_too_much_at_once_grows_by_parts() {
    let states = [
        (
            "-0.72000",
            ["0.94924", "0.31456"],
            ["0.02136", "0.25984"],
            ["1.62913", "0.90108"],
            ["0.15325", "0.11335", "1.38888"],
        ),
        (
            "-0.44000",
            ["0.92491", "0.38019"],
            ["0.23633", "0.38261"],
            ["1.45460", "0.85033"],
            ["-1.22841", "2.34728", "1.42466"],
        ),
    ];
    for (x, turn, [ball_x, ball_y], [v_x, v_y], spin) in states {
        let bat = json!({"name": "bat", "fixed": true, "position": [x, 0, "1/2"], "velocity": [2, 0, 0],
            "orientation": [turn[0], 0, 0, turn[1]], "angular_velocity": [0, 0, 1],
            "shape": {"superquadric": {"half_axes": ["1/4", 1, "1/4"], "exponent": 4}}});
        let moves = json!({"position": [ball_x, ball_y, "1/2"], "velocity": [v_x, v_y, 0], "angular_velocity": spin});
        let motion = json!({"steps": 1, "mu": "1/2"});
        let lines = lines(&file(
            &json!([floor(), bat, sphere(&moves)]),
            &motion,
            "-10",
        ));
        let modes = lines[0].contacts.iter().map(|own| own.mode.as_deref());
        assert!(
            modes.into_iter().all(|mode| mode == Some("slide")),
            "{}",
            line_text(&lines[0])
        );
    }
}

/// The shadow of a tilted superquadric touches the line of the floor, and that of an obstacle that stays is a line.
#[test]
fn implicit_surfaces_are_drawn_by_their_shadows() {
    let instance = find("superquadric-rocking")
        .unwrap()
        .motion_instance([])
        .unwrap();
    let [side, above] = &instance.views().unwrap()[..] else {
        panic!("two views");
    };
    let scene = instance.moving().unwrap();
    let q: Vec<f64> = scene.bodies().unwrap()[0]
        .position
        .coordinates()
        .iter()
        .map(rug::Rational::to_f64)
        .collect();
    let tilt = [1.0, 0.0, 0.1, 0.0].map(|own: f64| own / 1.01_f64.sqrt());
    let q = [q, tilt.to_vec()].concat();
    let lowest = |outline: &[[f64; 2]]| outline.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let outline = &side.outlines(&q)[0];
    // Points on a grid: the corner of the shadow is a little inside.
    assert!((0.0..3e-3).contains(&lowest(outline)), "{outline:?}");
    // A turn about y leads z to x, and x down.
    let corner = outline.iter().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
    assert!(corner[0] > 0.3, "{corner:?}");
    assert_eq!(side.solids, [[[0.0, 1.0, 0.0]]]);
    assert!(above.solids.is_empty() && (lowest(&above.outlines(&q)[0]) + 0.75).abs() < 1e-9);
    let block = json!({"name": "block", "fixed": true, "position": [3, 0, 1], "shape": {"ellipsoid": [1, "1/2", "1/2"]}});
    let ball =
        json!({"name": "ball", "mass": 1, "position": [0, 0, 1], "shape": {"sphere": "1/2"}});
    let text = file(&json!([floor(), block, ball]), &json!({}), "-10");
    let MovingScene::Implicit(scene) = read_moving(&text, None).unwrap() else {
        panic!("implicit surfaces");
    };
    let side = &scene.views()[0];
    assert!((lowest(&side.lines[0]) - 0.5).abs() < 1e-9);
    let mut pose = vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    assert!((lowest(&side.outlines(&pose)[0]) - 0.5).abs() < 1e-9);
    pose[2] = 2.0;
    assert!((lowest(&side.outlines(&pose)[0]) - 1.5).abs() < 1e-9);
}

/// A ball of 1 kg and 1/2 m that rolls: I + m r^2 is 7/20 kg m^2, so that a force F makes F/(7/5) m/s^2, and a torque T about y
/// T r/(7/20). The lines' energies, losses and work add up.
#[test]
fn constant_forces_and_torques_push_and_turn() {
    for (field, load, acceleration) in [
        ("force", [3, 0, 0], 15.0 / 7.0),
        ("torque", [0, 1, 0], 10.0 / 7.0),
    ] {
        let mut ball = json!({"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "shape": {"sphere": "1/2"}});
        ball[field] = json!(load);
        let motion = json!({"h": "1/100", "steps": 5, "mu": "1/2"});
        let text = file(&json!([floor(), ball]), &motion, "-10");
        let lines = lines(&text);
        let mut energy = 5.0;
        for (k, line) in (1..).zip(&lines) {
            let v = to_f64s(&line.v);
            assert!(
                (v[0] - acceleration * f64::from(k) / 100.0).abs() < 1e-10,
                "{field}: {v:?}"
            );
            assert!((v[4] - 2.0 * v[0]).abs() < 1e-10, "{field}: {v:?}");
            // A torque does work, h T omega; a force has a potential.
            let work = if field == "torque" { v[4] / 100.0 } else { 0.0 };
            let told = line
                .work
                .as_ref()
                .map(etalon_golden::trajectory::Quantity::to_f64);
            assert_eq!(told.is_some(), field == "torque");
            assert!(
                (told.unwrap_or_default() - work).abs() < 1e-10,
                "{told:?} {work}"
            );
            let after = line.energy.kinetic.to_f64() + line.energy.potential.to_f64();
            assert!(
                (energy + work - line.dissipated.to_f64() - after).abs() < 1e-10,
                "{line:?}"
            );
            energy = after;
        }
    }
}
