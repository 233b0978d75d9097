//! Scenes in space: each named one passes its oracle and shows what it must; files lead to the same lines.

use etalon_exact::{Budget, ExactMethod};
use etalon_fast::ConeSolver;
use etalon_golden::trajectory::{Line, to_f64s};
use etalon_scenarios::motion::{Arithmetics, MotionRun};
use etalon_scenarios::space::SpaceRun;
use etalon_scenarios::{find, is_in_space, read_scene, read_space, write_space};

const SCENES: [&str; 11] = [
    "box-slide",
    "box-stack",
    "box-corner",
    "dominoes",
    "dzhanibekov",
    "four-bar",
    "ladder-space",
    "wheel-spin",
    "rod-strike",
    "ball-row",
    "table-drop",
];

/// The lines of a run, against each of which the oracle has nothing to say.
fn lines(name: &str, settings: &[(&str, &str)], steps: u64) -> Vec<Line> {
    let scenario = find(name).unwrap();
    let instance = scenario.motion_instance(settings.iter().copied()).unwrap();
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let circular = settings.contains(&("cone", "circular"));
    let solver: &dyn etalon_lcp::Solver = if circular { &ConeSolver } else { &*lemke };
    let run = instance.trajectory(Arithmetics::Exact, solver, Some(steps));
    examined(&mut *run.unwrap(), name)
}

fn examined(run: &mut dyn MotionRun, name: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    while run.k() < run.steps() {
        let (line, violations) = run.advance_examined().unwrap();
        assert_eq!(violations, [], "{name}");
        let right = |verdict: &str| verdict == "exact" || verdict == "accepted";
        assert!(
            line.verdict.as_deref().is_none_or(right),
            "{name}: {:?}",
            line.verdict
        );
        lines.push(line);
    }
    lines
}

#[test]
fn every_named_scene_passes_its_oracle_by_each_method_and_cone() {
    for name in SCENES {
        for method in ["stewart-trinkle", "moreau-jean"] {
            for cone in ["pyramid:4", "circular"] {
                lines(name, &[("method", method), ("cone", cone)], 3);
            }
        }
    }
}

/// v^2/(2 mu g) = 0.4077 m, short by v h/2: the position moves with the velocity at the end of the step.
#[test]
fn the_box_stops_where_the_closed_form_says() {
    let lines = lines("box-slide", &[("h", "1/64")], 30);
    let q = to_f64s(&lines.last().unwrap().q);
    let (way, h) = (q[0].hypot(q[1]), 1.0 / 64.0);
    assert!((way - (4.0 / 9.81 - h)).abs() < 5.0 * h * h, "{way}");
    assert!((q[1] / q[0] - 1.05).abs() < 1e-7);
    let v = to_f64s(&lines.last().unwrap().v);
    assert!(v.iter().all(|v| v.abs() < 1e-9), "{v:?}");
}

#[test]
fn the_stack_weighs_what_is_above() {
    let lines = lines("box-stack", &[("boxes", "2"), ("ratio", "3")], 2);
    for line in &lines {
        for (pair, mass) in [("box 1/floor", 4.0), ("box 2/box 1", 3.0)] {
            let own = line
                .contacts
                .iter()
                .filter(|own| own.pair.starts_with(pair));
            let sum: f64 = own.map(|own| own.normal.to_f64()).sum();
            assert!((sum * 240.0 - mass * 9.81).abs() < 1e-12, "{pair}: {sum}");
        }
    }
}

/// Stated on the page: the drift of the loop is of the second order in the step.
#[test]
fn the_loop_of_four_bars_drifts_by_the_square_of_the_step() {
    let drift = |h: &str, steps: u64| {
        let lines = lines("four-bar", &[("h", h)], steps);
        let each = lines.iter().flat_map(|line| line.joints.iter().flatten());
        each.map(|own| own.drift.to_f64()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (drift("1/100", 30), drift("1/200", 60));
    assert!(coarse < 1e-3 && fine < 0.3 * coarse, "{coarse} {fine}");
}

#[test]
fn the_first_domino_knocks_over_the_next() {
    let lines = lines("dominoes", &[("dominoes", "2"), ("h", "1/50")], 25);
    let met = |line: &Line| {
        let own = line.contacts.iter();
        own.filter(|own| own.pair.starts_with("domino 2/domino 1"))
            .any(|own| own.normal.to_f64() > 0.0)
    };
    assert!(lines.iter().any(met));
    let v = to_f64s(&lines.last().unwrap().v);
    assert!(v[6 + 4] > 0.1, "the second does not turn: {v:?}");
}

/// With r/l = 1/20 and sin = 8/17 it stands from mu = 0.2424 on: 8 (1 - mu^2) <= mu (30 + 0.85 (1 + mu)).
#[test]
fn the_ladder_stands_where_friction_suffices() {
    let fallen = |mu: &str| {
        let lines = lines("ladder-space", &[("mu", mu)], 40);
        let height = |line: &Line| to_f64s(&line.q)[2];
        height(&lines[0]) - height(lines.last().unwrap())
    };
    let (held, slid) = (fallen("0.25"), fallen("0.235"));
    assert!(held.abs() < 1e-8 && slid > 1e-3, "{held} {slid}");
}

/// The file that a scene writes leads to the same lines.
#[test]
fn a_scene_written_as_a_file_moves_in_the_same_way() {
    for name in SCENES {
        let instance = find(name)
            .unwrap()
            .motion_instance([("h", "1/100")])
            .unwrap();
        let scene = instance.space().unwrap();
        let text = write_space(&scene);
        assert!(is_in_space(&text), "{name}");
        let mut read = read_space(&text).unwrap();
        assert_eq!(read, scene, "{name}");
        read.steps = 2;
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let own = examined(&mut SpaceRun::new(read, None, &*solver).unwrap(), name);
        assert_eq!(own, lines(name, &[("h", "1/100")], 2), "{name}");
    }
}

/// A run goes on from any of its lines.
#[test]
fn a_run_goes_on_from_a_line() {
    let all = lines("box-corner", &[], 6);
    let instance = find("box-corner").unwrap().motion_instance([]).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = instance
        .trajectory(Arithmetics::Exact, &*solver, Some(6))
        .unwrap();
    run.resume(&all[3]).unwrap();
    assert_eq!(run.advance().unwrap(), all[4]);
    let mut without = all[3].clone();
    without.momentum = None;
    assert!(
        run.resume(&without)
            .unwrap_err()
            .to_string()
            .contains("momentum")
    );
}

#[test]
fn faults_in_a_file_are_told_with_their_place() {
    let plain = r#"{"name": "a", "gravity": [0, 0, -10], "motion": {"mu": 0}, "bodies": [{"name": "b", "mass": 1, "shape": {"sphere": 1}}]}"#;
    assert!(read_space(plain).is_ok());
    // The reader of scenes at rest says that there is such a field elsewhere.
    assert!(read_scene(plain).is_err());
    let cases = [
        (
            r#""sphere": 1"#,
            r#""ball": 1"#,
            "bodies[0].shape: there is no field \"ball\"",
        ),
        (
            r#""sphere": 1"#,
            r#""polyhedron": [[0, 0, 0]]"#,
            "\"inertia\" is missing",
        ),
        (
            r#""mu": 0"#,
            r#""cone": "pyramid:5""#,
            "motion.cone: \"pyramid:5\" is no friction cone",
        ),
        (
            r#""mu": 0"#,
            r#""method": "euler""#,
            "motion.method: \"euler\"",
        ),
        (r#""mu": 0"#, r#""speed": 1"#, "there is no field \"speed\""),
        (
            r#"[0, 0, -10]"#,
            r#"[0, -10]"#,
            "gravity: a scene in motion in the plane is stepped by the methods egan-trinkle and first-order alone",
        ),
        (
            r#""motion""#,
            r#""contacts": [], "motion""#,
            "\"contacts\": its contacts come from the shapes",
        ),
        (r#""mass": 1"#, r#""mass": "NaN""#, "bodies[0].mass"),
    ];
    for (old, new, says) in cases {
        let text = plain.replace(old, new);
        let error = read_space(&text).unwrap_err().to_string();
        assert!(error.contains(says), "{new}: {error}");
    }
}

/// A hinge with limits and a drive, a slider with limits, and a wheel whose point of contact resists spinning and rolling.
const MOVING_PARTS: &str = r#"{
  "name": "moving parts", "gravity": [0, 0, "-9.81"],
  "bodies": [
    {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
    {"name": "frame", "fixed": true},
    {"name": "door", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 5]},
    {"name": "block", "mass": 1, "inertia": [1, 1, 1], "position": [0, 3, 3]},
    {"name": "wheel", "mass": 1, "position": [5, 0, "1/4"], "shape": {"sphere": "1/4"}, "velocity": [1, 0, 0], "angular_velocity": [0, 4, 3]}
  ],
  "joints": [
    {"name": "hinge", "first": "door", "second": "frame", "point": [0, 0, 5], "kind": "hinge", "axis": [0, 0, 1],
     "limits": ["-1/2", "1/50"], "drive": {"speed": 2, "bound": 30}},
    {"name": "rail", "first": "block", "second": "frame", "point": [0, 3, 3], "kind": "slider", "axis": [0, 0, 1], "limits": ["-1/500", 1]}
  ],
  "motion": {"h": "1/100", "steps": 12, "mu": 1, "torsion": "1/100",
             "surfaces": [{"first": "floor", "second": "wheel", "rolling": "1/50", "across": "1/2", "along": [1, 0, 0]}]}
}"#;

/// Answers what a line has.
struct Told(Vec<etalon_lcp::Number>);

impl etalon_lcp::Solver for Told {
    fn name(&self) -> &str {
        "told"
    }

    fn solve(&self, problem: &etalon_lcp::Problem) -> etalon_lcp::Claim {
        let z = self.0.clone();
        etalon_lcp::Claim::new(problem.name(), etalon_lcp::ClaimedAnswer::Solved { z })
    }
}

#[test]
fn moving_parts_of_a_file_pass_the_oracle_and_their_lines_say_the_answer() {
    let scene = read_space(MOVING_PARTS).unwrap();
    assert_eq!(read_space(&write_space(&scene)).unwrap(), scene);
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    for cone in ["pyramid:8", "circular"] {
        let mut scene = scene.clone();
        scene.settings.cone = cone.parse().unwrap();
        let solver: &dyn etalon_lcp::Solver = match cone {
            "circular" => &ConeSolver,
            _ => &*lemke,
        };
        let lines = examined(
            &mut SpaceRun::new(scene.clone(), None, solver).unwrap(),
            cone,
        );
        let joints = lines.last().unwrap().joints.as_deref().unwrap();
        assert!(joints[0].drive.is_some());
        let stopped = |k: usize| {
            let limits = joints[k].limits.iter().flatten();
            limits.map(|own| own.impulse.to_f64()).sum::<f64>()
        };
        // 30 N m for 1/100 s at the hinge, less what it resists; the weight of the block.
        assert!(
            stopped(0) > 0.2 && (stopped(1) - 0.0981).abs() < 1e-6,
            "{cone}"
        );
        let wheel = &lines.last().unwrap().contacts[0];
        assert!(wheel.torsion.is_some() && wheel.rolling.is_some());
        if cone == "circular" {
            let z = etalon_scenarios::space::stated(&lines[0]).unwrap();
            let told = Told(z);
            let again = SpaceRun::new(scene, None, &told)
                .unwrap()
                .advance()
                .unwrap();
            assert_eq!(again, lines[0]);
        }
    }
}

/// A wheel that spins at 10 rad/s is stopped by torsion after r^2 w/(4 torsion g) = 1.593 s.
#[test]
fn the_wheel_spins_down_in_the_time_of_its_closed_form() {
    let lines = lines("wheel-spin", &[("h", "1/50")], 81);
    let spins = lines.iter().map(|line| to_f64s(&line.v)[5]);
    let spins: Vec<f64> = spins.collect();
    // 4 torsion g/r^2 = 6.2784 rad/s^2.
    for (k, spin) in spins.iter().enumerate() {
        let exact = (10.0 - 6.2784 * (k + 1) as f64 / 50.0).max(0.0);
        assert!((spin - exact).abs() < 1e-7, "{k}: {spin} {exact}");
    }
    assert!(spins[78] > 0.0 && spins[79].abs() < 1e-9);
}

/// Pieces of a state that is read stand where their body does.
#[test]
fn a_body_of_pieces_goes_on_from_its_line() {
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find("table-drop").unwrap().motion_instance([]).unwrap();
    let run = || {
        instance
            .trajectory(Arithmetics::Exact, &*lemke, Some(12))
            .unwrap()
    };
    let mut whole = run();
    let lines: Vec<Line> = (0..12).map(|_| whole.advance().unwrap()).collect();
    assert!(!lines[11].contacts.is_empty());
    let mut rest = run();
    rest.resume(&lines[10]).unwrap();
    let (again, violations) = rest.advance_examined().unwrap();
    assert_eq!(violations, []);
    assert_eq!(again, lines[11]);
}
