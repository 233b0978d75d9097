//! Scenes of files by Egan and Trinkle's method: what is read and refused, and motions with known ends.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, to_f64s};
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{find, read_moving, write_moving};
use serde_json::{Value, json};

fn file(gravity: &Value, bodies: &Value, motion: &Value) -> String {
    let mut motion = motion.clone();
    motion["method"] = json!("egan-trinkle");
    json!({"name": "n", "gravity": gravity, "bodies": bodies, "motion": motion}).to_string()
}

/// Lines of a run, each held against theory and taken again from the one before it.
pub fn lines(scene: &MovingScene) -> Vec<Line> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = || scene.run(Arithmetics::Exact, &*solver, None).unwrap();
    let mut own: Box<dyn MotionRun> = run();
    assert_eq!(own.header().formulation.as_deref(), Some("egan-trinkle"));
    let mut lines: Vec<Line> = Vec::new();
    while own.k() < own.steps() {
        let (line, broken) = own.advance_examined().unwrap();
        assert_eq!(broken, [], "step {}", line.k);
        if let Some(before) = lines.last() {
            let mut again = run();
            again.resume(before).unwrap();
            assert_eq!(again.advance().unwrap(), line);
        }
        lines.push(line);
    }
    lines
}

fn of_text(text: &str) -> Vec<Line> {
    let scene = read_moving(text, None).unwrap();
    assert_eq!(read_moving(&write_moving(&scene), None).unwrap(), scene);
    lines(&scene)
}

fn energy(line: &Line) -> f64 {
    line.energy.kinetic.to_f64() + line.energy.potential.to_f64()
}

/// A brick that leans on one corner, let go beside a step: it falls over to lie flat, half on the step's edge, and rests there.
#[test]
fn a_brick_comes_to_rest_on_the_edge_of_a_step() {
    let brick = json!([
        ["-1/2", "-1/8"],
        ["1/2", "-1/8"],
        ["1/2", "1/8"],
        ["-1/2", "1/8"]
    ]);
    let step = json!([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
    let bodies = json!([
        {"name": "step", "fixed": true, "position": [-1, -1], "shape": {"polygon": step}},
        {"name": "brick", "mass": 2, "inertia": "17/96", "position": ["-1/4", "3/10"], "orientation": [24, 7], "shape": {"polygon": brick}},
    ]);
    let own = of_text(&file(
        &json!([0, -10]),
        &bodies,
        &json!({"h": "1/64", "steps": 30, "mu": 1}),
    ));
    let [x, y, angle] = to_f64s(&own[29].q)[..] else {
        panic!("three coordinates");
    };
    // Its middle is over the step: it rests with its lower side on y = 0.
    assert!(
        (y - 0.125).abs() < 1e-3 && angle.abs() < 4e-3 && x < 0.0,
        "{x} {y} {angle}"
    );
    let pushed: f64 = own[29].contacts.iter().map(|own| own.normal.to_f64()).sum();
    assert!((pushed - 20.0 / 64.0).abs() < 2e-2, "{pushed}");
    for pair in own.windows(2) {
        assert!(
            energy(&pair[1]) <= energy(&pair[0]) + 1e-9,
            "step {}",
            pair[1].k
        );
    }
}

/// A tetrahedron in space that does not turn falls by v - g h a step, and stops with the impulse m v on a half-space.
#[test]
fn a_tetrahedron_lands_flat_on_three_corners() {
    let corners = json!([
        [1, 0, "-1/4"],
        ["-1/2", "3/4", "-1/4"],
        ["-1/2", "-3/4", "-1/4"],
        [0, 0, "3/4"]
    ]);
    let bodies = json!([
        {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 2]}},
        {"name": "tetrahedron", "mass": 2, "inertia": ["1/4", "1/4", "1/4"], "position": [0, 0, "3/10"], "shape": {"polyhedron": corners}},
    ]);
    let own = of_text(&file(
        &json!([0, 0, -10]),
        &bodies,
        &json!({"h": "1/50", "steps": 8}),
    ));
    let last = &own[7];
    assert!(
        to_f64s(&last.v).iter().all(|v| v.abs() < 1e-9),
        "{:?}",
        to_f64s(&last.v)
    );
    assert!((to_f64s(&last.q)[2] - 0.25).abs() < 1e-9);
    let names: Vec<_> = last.contacts.iter().map(|own| &*own.pair).collect();
    assert_eq!(
        names,
        [1, 2, 3].map(|k| format!("tetrahedron corner {k}/floor"))
    );
    let pushed: f64 = last.contacts.iter().map(|own| own.normal.to_f64()).sum();
    assert!((pushed - 0.4).abs() < 1e-9, "{pushed}");
}

/// A point that slides on a half-space loses mu g h a step along an axis of the cone, and stops.
#[test]
fn friction_in_space_slows_a_point_down() {
    let bodies = json!([
        {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
        {"name": "puck", "mass": 2, "inertia": [1, 1, 1], "velocity": [0, "1/2", 0], "shape": {"points": [[0, 0, 0]]}},
    ]);
    let motion = json!({"h": "1/64", "steps": 9, "mu": "2/5", "cone": "pyramid:4"});
    let own = of_text(&file(&json!([0, 0, -10]), &bodies, &motion));
    for (k, line) in (1..).zip(&own) {
        let v = to_f64s(&line.v);
        let expected = (0.5 - f64::from(k) / 16.0).max(0.0);
        assert!((v[1] - expected).abs() < 1e-10 && v[0] == 0.0, "{v:?}");
        let friction = to_f64s(&line.contacts[0].friction);
        assert_eq!((friction.len(), line.contacts.len()), (2, 1));
    }
}

/// A belt takes a box along: friction mu m g h a step, until it has the belt's speed, and the belt's work is that times its speed.
#[test]
fn a_belt_that_moves_takes_a_box_along_and_its_work_is_accounted_for() {
    let belt = json!([[-4, -1], [4, -1], [4, 1], [-4, 1]]);
    let box_ = json!([
        ["-1/2", "-1/4"],
        ["1/2", "-1/4"],
        ["1/2", "1/4"],
        ["-1/2", "1/4"]
    ]);
    let bodies = json!([
        {"name": "belt", "fixed": true, "position": [0, -1], "velocity": ["1/4", 0], "shape": {"polygon": belt}},
        {"name": "box", "mass": 2, "inertia": "5/24", "position": [0, "1/4"], "shape": {"polygon": box_}},
    ]);
    let own = of_text(&file(
        &json!([0, -10]),
        &bodies,
        &json!({"h": "1/64", "steps": 10, "mu": "1/4"}),
    ));
    for (k, line) in (1..).zip(&own) {
        let v = to_f64s(&line.v);
        let expected = (f64::from(k) * 2.5 / 64.0).min(0.25);
        assert!((v[3] - expected).abs() < 1e-9 && v[0] == 0.25, "{v:?}");
        // The belt goes on, and what it gives is what the box gains and friction takes.
        assert!((to_f64s(&line.q)[0] - f64::from(k) / 256.0).abs() < 1e-12);
        let before = (f64::from(k - 1) * 2.5 / 64.0).min(0.25);
        let work = line.work.as_ref().unwrap().to_f64();
        assert!(
            (work - 2.0 * (expected - before) * 0.25).abs() < 1e-9,
            "{work}"
        );
        let gained = expected * expected - before * before;
        let lost = line.dissipated.to_f64();
        assert!(
            (gained - (work - lost)).abs() < 1e-9,
            "{gained} {work} {lost}"
        );
    }
}

/// A lift in space carries a box up at its speed, and its work is the weight's.
#[test]
fn a_lift_in_space_carries_a_box_up() {
    let bodies = json!([
        {"name": "lift", "fixed": true, "position": [0, 0, -1], "velocity": [0, 0, "1/2"], "shape": {"box": [1, 1, 1]}},
        {"name": "box", "mass": 2, "position": [0, 0, "1/4"], "velocity": [0, 0, "1/2"], "shape": {"box": ["1/2", "1/4", "1/4"]}},
    ]);
    let own = of_text(&file(
        &json!([0, 0, -10]),
        &bodies,
        &json!({"h": "1/64", "steps": 3}),
    ));
    for line in &own {
        assert!((to_f64s(&line.v)[8] - 0.5).abs() < 1e-9);
        let work = line.work.as_ref().unwrap().to_f64();
        assert!((work - 2.0 * 10.0 * 0.5 / 64.0).abs() < 1e-9, "{work}");
    }
}

/// Bodies that turn, with impulses of corners of two and of three faces: each step is held against theory.
#[test]
fn named_scenes_keep_all_laws_and_come_to_their_ends() {
    let of = |name: &str, settings: &[(&str, &str)]| {
        let instance = find(name)
            .unwrap()
            .motion_instance(settings.iter().copied());
        lines(&instance.unwrap().moving().unwrap())
    };
    let hole = of("hole-turning", &[]);
    let [x, y, angle] = to_f64s(&hole.last().unwrap().q)[..] else {
        panic!("three coordinates");
    };
    // At rest in the corner of the hole, upright.
    assert!(
        (x - 0.75).abs() < 1e-6 && (y + 1.0).abs() < 1e-6 && angle.abs() < 1e-6,
        "{x} {y} {angle}"
    );
    let entered = |lines: &[Line]| lines.iter().filter(|own| own.pieces.is_some()).count();
    assert!(entered(&hole) >= 4);
    let triangle = of("triangle", &[("steps", "34")]);
    let faces = triangle.iter().flat_map(|own| &own.contacts);
    let pushed: Vec<_> = faces
        .filter(|own| own.normal.to_f64() > 0.0)
        .map(|own| &*own.pair)
        .collect();
    assert!(pushed.contains(&"lower corner 3/upper face 1"));
    assert!(pushed.contains(&"upper corner 2/lower face 2"));
    let tripod = of("block-corner", &[("steps", "13")]);
    // A corner of three faces has two more unknowns.
    let three = tripod.iter().find(|own| own.contacts.len() == 3).unwrap();
    assert_eq!((three.lcp.n, three.pieces.is_some()), (5, true));
}

#[test]
fn what_the_method_does_not_take_is_named_with_its_place() {
    let plane = file(
        &json!([0, -10]),
        &json!([
            {"name": "floor", "fixed": true, "shape": {"half_plane": [0, 1]}},
            {"name": "tile", "mass": 1, "inertia": 1, "position": [0, 2], "shape": {"polygon": [[0, 0], [1, 0], [0, 1]]}},
        ]),
        &json!({"mu": "1/2"}),
    );
    let cases: [(&str, &str, &str); 21] = [
        (
            "[0,0],[1,0],[0,1]",
            "[0,0],[1,0]",
            "the field \"shape\": the corners are those of no convex polygon",
        ),
        ("[0,1]]", "[0,1],[1,3]]", "no convex polygon"),
        (
            "\"half_plane\":[0,1]",
            "\"half_plane\":[0,0]",
            "the normal is zero; give it a direction",
        ),
        (
            "{\"half_plane\":[0,1]}",
            "{\"sphere\":1}",
            "bodies[0].shape: there is no field \"sphere\"; the fields are polygon, points, half_plane",
        ),
        (
            "\"mass\":1",
            "\"mass\":0",
            "the field \"mass\" is 0, but must be above 0",
        ),
        (
            "\"inertia\":1",
            "\"inertia\":-1",
            "the field \"inertia\" is no positive number",
        ),
        ("\"inertia\":1,", "", "the field \"inertia\" is missing"),
        (
            "\"mass\":1",
            "\"torque\":1,\"mass\":1",
            "bodies[1].torque: the method egan-trinkle has no torque; leave it out",
        ),
        (
            "\"mass\":1",
            "\"orientation\":[0,0],\"mass\":1",
            "the field \"orientation\" has no length",
        ),
        (
            "\"mass\":1",
            "\"fixed\":true",
            "all of them are fixed; one has to move",
        ),
        (
            "\"name\":\"tile\"",
            "\"name\":\"floor\"",
            "is that of another body; rename one",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"mu\":-1",
            "motion: mu is -1, but must be at least 0",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"restitution\":\"1/2\"",
            "motion: restitution is 1/2, and the method egan-trinkle has none; leave it out",
        ),
        ("\"mu\":\"1/2\"", "\"torsion\":1", "torsion is 1"),
        (
            "\"mu\":\"1/2\"",
            "\"cone\":\"pyramid:8\"",
            "motion.cone: the cone is pyramid:8, and friction in the plane",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"impact\":\"poisson\"",
            "motion.impact: the method egan-trinkle has no restitution",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"surfaces\":[{\"first\":\"tile\",\"second\":\"no\"}]",
            "motion.surfaces[0]: there is no body \"no\"; give the name of one",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"surfaces\":[{\"first\":\"tile\",\"second\":\"floor\"},{\"first\":\"tile\",\"second\":\"floor\"}]",
            "motion.surfaces[1]: surfaces[0] is that of \"tile\" and \"floor\" already; leave one out",
        ),
        (
            "\"mu\":\"1/2\"",
            "\"surfaces\":[{\"first\":\"tile\",\"second\":\"tile\"}]",
            "motion.surfaces[0]: \"tile\" does not touch itself; name another body",
        ),
        (
            "\"egan-trinkle\"",
            "\"moreau-jean\"",
            "gravity: a scene in motion in the plane is stepped by the methods egan-trinkle and first-order alone",
        ),
        (
            "\"name\":\"n\"",
            "\"joints\":[{\"name\":\"j\",\"first\":\"tile\",\"second\":\"floor\",\"point\":[0,0]}],\"name\":\"n\"",
            "joints[0]: the method egan-trinkle has no joints; leave it out",
        ),
    ];
    refused(&plane, &cases);
}

#[test]
fn what_the_method_does_not_take_in_space_is_named_with_its_place() {
    let space = file(
        &json!([0, 0, -10]),
        &json!([
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "die", "mass": 1, "position": [0, 0, 2], "shape": {"box": [1, 1, 1]}},
        ]),
        &json!({"mu": "1/2"}),
    );
    refused(
        &space,
        &[
            (
                "{\"box\":[1,1,1]}",
                "{\"sphere\":1}",
                "body \"die\": the field \"shape\": sphere is a round shape",
            ),
            (
                "{\"box\":[1,1,1]}",
                "{\"box\":[1,0,1]}",
                "a half size is not above 0",
            ),
            (
                "\"shape\":{\"box\":[1,1,1]}",
                "\"inertia\":[1,1,1],\"shape\":{\"polyhedron\":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}",
                "the corners are in one plane",
            ),
            (
                "\"mass\":1",
                "\"mass\":1,\"torque\":[1,0,0]",
                "the field \"torque\": the method egan-trinkle has none; leave it out, or take",
            ),
            ("\"mu\":\"1/2\"", "\"rolling\":1", "rolling is 1"),
            (
                "\"mu\":\"1/2\"",
                "\"cone\":\"circular\"",
                "motion.cone: the cone is circular",
            ),
            (
                "\"shape\":{\"box\":[1,1,1]}",
                "\"inertia\":[1,1,1],\"pieces\":[{\"name\":\"a\",\"shape\":{\"box\":[1,1,1]}}]",
                "the field \"pieces\"",
            ),
            (
                "[0,0,-10]",
                "[0,0,-10,0]",
                "gravity: must have three numbers in space, or two in the plane",
            ),
        ],
    );
}

fn refused(plain: &str, cases: &[(&str, &str, &str)]) {
    assert!(read_moving(plain, None).is_ok());
    for (old, new, says) in cases {
        let text = plain.replacen(old, new, 1);
        assert_ne!(text, plain, "{old}");
        let error = read_moving(&text, None).unwrap_err().to_string();
        assert!(error.contains(says), "{new}: {error}");
    }
}

#[test]
fn bodies_that_overlap_and_steps_that_are_none_are_told_before_the_first_line() {
    let bodies = |y: &str| {
        json!([
            {"name": "post", "fixed": true, "shape": {"polygon": [["-1/8", -1], ["1/8", -1], ["1/8", 1], ["-1/8", 1]]}},
            {"name": "bar", "mass": 1, "inertia": 1, "position": [0, y], "shape": {"polygon": [[-1, "-1/8"], [1, "-1/8"], [1, "1/8"], [-1, "1/8"]]}},
        ])
    };
    let refused = |bodies: &Value, motion: &Value| {
        let scene = read_moving(&file(&json!([0, -10]), bodies, motion), None).unwrap();
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let run = scene.run(Arithmetics::Exact, &*solver, None);
        run.err().map(|error| error.to_string()).unwrap_or_default()
    };
    // Crossed, with no corner of one inside of the other.
    let crossed = refused(&bodies("1/2"), &json!({}));
    assert!(
        crossed.contains("bodies \"bar\" and \"post\" overlap by 6.250e-1 m"),
        "{crossed}"
    );
    for field in ["\"position\"", "\"shape\""] {
        assert!(crossed.contains(field), "{crossed}");
    }
    assert_eq!(refused(&bodies("9/8"), &json!({})), "");
    let h = refused(&bodies("2"), &json!({"h": 0}));
    assert!(h.contains("h is 0, but must be above 0"), "{h}");
    let many = refused(&bodies("2"), &json!({"steps": 2_000_000}));
    assert!(many.contains("at most 1000000"), "{many}");
}

/// Bodies without a shape have a place in the state, too, and fixed bodies are turned.
#[test]
fn bodies_of_the_plane_are_drawn_where_they_are() {
    let bodies = json!([
        {"name": "block", "fixed": true, "position": [2, 1], "orientation": [0, 2], "shape": {"polygon": [[0, 0], [3, 0], [3, 1], [0, 1]]}},
        {"name": "nail", "fixed": true, "position": [5, 5], "orientation": [-1, 0], "shape": {"points": [[1, 2]]}},
        {"name": "ghost", "mass": 1, "inertia": 1, "position": [7, 8]},
        {"name": "tile", "mass": 1, "inertia": 1, "position": [0, 4], "orientation": [0, 1], "shape": {"polygon": [[0, 0], [1, 0], [0, 2]]}},
        {"name": "feet", "mass": 1, "inertia": 1, "position": [9, 9], "shape": {"points": [[1, 0], [0, 1], [-1, 0]]}},
    ]);
    let scene = read_moving(&file(&json!([0, -10]), &bodies, &json!({})), None).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let start = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
    let q = to_f64s(&start.header().start.q);
    let view = scene.views().remove(0);
    let names: Vec<_> = view.bodies.iter().map(|own| &*own.name).collect();
    assert_eq!(names, ["nail point 1", "ghost", "tile", "feet"]);
    let outlines = view.outlines(&q);
    let corners = [
        vec![[4.0, 3.0]],
        vec![[7.0, 8.0]],
        vec![[0.0, 4.0], [0.0, 5.0], [-2.0, 4.0]],
        vec![[8.0, 9.0], [10.0, 9.0], [9.0, 10.0]],
    ];
    for (drawn, corners) in outlines.iter().zip(&corners) {
        assert_eq!(drawn.len(), corners.len(), "{drawn:?}");
        let apart = drawn
            .iter()
            .zip(corners)
            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        assert!(apart.fold(0.0, f64::max) < 1e-9, "{drawn:?}");
    }
    // The block turned by a quarter: from x = 1 to 2, from y = 1 to 4.
    let inside = |x: f64, y: f64| view.solids[0].iter().all(|[a, b, c]| a * x + b * y < *c);
    assert!(inside(1.01, 1.01) && inside(1.99, 3.99) && inside(1.5, 2.0));
    assert!(!inside(0.99, 2.0) && !inside(2.01, 2.0) && !inside(1.5, 0.99) && !inside(1.5, 4.01));
}
