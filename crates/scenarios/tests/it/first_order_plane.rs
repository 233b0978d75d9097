//! First-order worlds in the plane: closed forms, files, and what they do not have.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, Quantity, to_f64s};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{find, read_moving, write_moving};
use serde_json::{Value, json};

fn lines(scene: &MovingScene, arithmetics: Arithmetics) -> Vec<Line> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let run = || scene.run(arithmetics, &*solver, None).unwrap();
    let mut own = run();
    assert_eq!(own.header().formulation.as_deref(), Some("first-order"));
    let mut lines: Vec<Line> = Vec::new();
    while own.k() < own.steps() {
        let (line, broken) = own.advance_examined().unwrap();
        assert_eq!(broken, [], "step {}", line.k);
        // A step knows no velocity of the one before.
        if let Some(mut before) = lines.last().cloned() {
            before.v[0] = Quantity::binary64(7.0);
            let mut again = run();
            again.resume(&before).unwrap();
            assert_eq!(again.advance().unwrap(), line);
        }
        lines.push(line);
    }
    lines
}

/// (16 - 5)/2 m/s alone, and (16 - 5 - 5/2)/3 m/s with the other box; no speed when nothing pushes.
#[test]
fn a_box_goes_as_it_is_pushed_and_stands_when_it_is_not() {
    let scene = |settings: &[(&str, &str)]| {
        let own = find("shoved-box").unwrap();
        let own = own.motion_instance(settings.iter().copied()).unwrap();
        own.moving().unwrap()
    };
    for arithmetics in [Arithmetics::Exact, Arithmetics::Binary64] {
        let own = lines(&scene(&[]), arithmetics);
        let speeds: Vec<Vec<f64>> = own.iter().map(|own| to_f64s(&own.v)).collect();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(
            near(speeds[0][0], 5.5) && near(speeds[0][3], 0.0),
            "{speeds:?}"
        );
        for own in &speeds[2..] {
            assert!(
                near(own[0], 8.5 / 3.0) && near(own[3], 8.5 / 3.0),
                "{own:?}"
            );
        }
        let first = own[0].dissipation.as_ref().unwrap();
        assert!(near(first["drag"].to_f64(), 2.0 * 5.5 * 5.5 / 64.0));
        assert!(near(first["friction"].to_f64(), 5.0 * 5.5 / 64.0));
        assert!(own.iter().all(|own| own.energy.kinetic.to_f64() == 0.0));
    }
    let still = lines(&scene(&[("push", "5"), ("steps", "2")]), Arithmetics::Exact);
    let speeds = to_f64s(&still[1].v);
    assert!(speeds.iter().all(|own| own.abs() < 1e-10), "{speeds:?}");
}

fn file(bodies: &Value, motion: &Value) -> String {
    let mut motion = motion.clone();
    motion["method"] = json!("first-order");
    json!({"name": "n", "gravity": [0, -10], "bodies": bodies, "motion": motion}).to_string()
}

fn bodies() -> Value {
    json!([
        {"name": "slope", "fixed": true, "shape": {"half_plane": [-3, 4]}},
        {"name": "brick", "mass": 2, "inertia": 1, "orientation": [4, 3], "position": ["-3/10", "4/10"],
            "shape": {"polygon": [[-1, "-1/2"], [1, "-1/2"], [1, "1/2"], [-1, "1/2"]]}},
    ])
}

/// On a slope of 3/4 a weight of 20 N pulls by 12 N, against friction of mu 16 N: (12 - 4)/2 = 4 m/s.
#[test]
fn a_brick_of_a_file_slides_down_a_slope_at_one_speed() {
    let text = file(&bodies(), &json!({"h": "1/32", "steps": 4, "mu": "1/4"}));
    let scene = read_moving(&text, None).unwrap();
    assert_eq!(read_moving(&write_moving(&scene), None).unwrap(), scene);
    for line in lines(&scene, Arithmetics::Exact) {
        let v = to_f64s(&line.v);
        let off = [v[0] + 3.2, v[1] + 2.4, v[2]].map(f64::abs);
        assert!(off.iter().all(|own| *own < 1e-9), "{v:?}");
    }
}

#[test]
fn what_a_first_order_world_of_the_plane_does_not_have_is_refused() {
    let motion = json!({"h": "1/32", "steps": 4});
    let says = |field: &str, value: Value, words: &str| {
        let (mut own, mut motion) = (bodies(), motion.clone());
        match field {
            "impact" | "restitution" | "cone" | "scheme" | "activation" => motion[field] = value,
            _ => own[1][field] = value,
        }
        let why = read_moving(&file(&own, &motion), None)
            .unwrap_err()
            .to_string();
        assert!(why.contains(words), "{why}");
    };
    says(
        "velocity",
        json!([1, 0]),
        "follows from forces: leave \"velocity\"",
    );
    says("angular_velocity", json!(1), "follows from forces");
    says("impact", json!("newton"), "first-order has no restitution");
    says("restitution", json!(1), "leave it out");
    says("cone", json!("circular"), "leave the cone out");
    says("scheme", json!("midpoint"), "must be linear");
    says("activation", json!("all"), "leave the activation out");
    let mut own: Value = serde_json::from_str(&file(&bodies(), &motion)).unwrap();
    own["joints"] = json!([{"name": "j", "first": "brick", "second": "slope", "point": [0, 0]}]);
    let why = read_moving(&own.to_string(), None).unwrap_err().to_string();
    assert!(
        why.contains("first-order worlds of the plane have no joints"),
        "{why}"
    );
    // An obstacle that moves.
    let mut own = bodies();
    own[0] =
        json!({"name": "slope", "fixed": true, "velocity": [1, 0], "shape": {"points": [[0, 0]]}});
    let why = read_moving(&file(&own, &motion), None)
        .unwrap_err()
        .to_string();
    assert!(why.contains("\"slope\" follows from forces"), "{why}");
}
