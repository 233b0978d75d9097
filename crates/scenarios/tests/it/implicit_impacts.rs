//! Restitution by Newton's law between implicit surfaces: closed forms, energies that are kept and gained, and what is refused.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, Quantity, to_f64s};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::read_moving;
use etalon_spatial::{BounceGain, ImpactLaw};
use serde_json::{Value, json};

use crate::implicit_files::{comes_again, file, floor, lines};

fn ball(z: &str, velocity: [&str; 3]) -> Value {
    json!({"name": "ball", "mass": 1, "position": [0, 0, z], "velocity": velocity, "shape": {"sphere": "1/2"}})
}

fn steps(count: u32, e: &str) -> Value {
    json!({"h": "1/100", "steps": count, "restitution": e})
}

fn bounced(line: &Line) -> Vec<String> {
    line.bounces.clone().unwrap_or_default()
}

/// What stopping and the step itself took.
fn taken(line: &Line) -> f64 {
    let parts = line.dissipation.as_ref().unwrap();
    parts["numerical"].to_f64() + parts["position"].to_f64()
}

/// Without weight it parts at e times its speed, and with e = 1 all of its energy. It never touches the floor: the step ends where the
/// bounce has led it.
#[test]
fn a_ball_parts_at_e_times_its_speed() {
    for (e, part) in [("0", 0.0), ("1/2", 0.5), ("1", 1.0)] {
        let bodies = json!([ball("51/100", ["0", "0", "-2"]), floor()]);
        let text = file(&bodies, &steps(2, e), "0");
        let lines = lines(&text);
        let v = to_f64s(&lines[0].v)[2];
        if e == "0" {
            // It stops at the floor.
            assert!(
                (v + 1.0).abs() < 1e-9 && bounced(&lines[0]).is_empty(),
                "{v}"
            );
        } else {
            assert!((v - 2.0 * part).abs() < 1e-11, "{e}: {v}");
            assert_eq!(bounced(&lines[0]), ["ball/floor"]);
            assert!((lines[0].contacts[0].gap.to_f64() - 0.01 - 0.02 * part).abs() < 1e-10);
            assert!((lines[0].energy.kinetic.to_f64() - 2.0 * part * part).abs() < 1e-11);
            assert_eq!(lines[0].gains, Some(Vec::new()));
        }
        assert!(bounced(&lines[1]).is_empty());
        comes_again(&text, &lines);
    }
}

/// Two equal balls on a line exchange (1 + e)/2 of their difference.
#[test]
fn equal_balls_exchange_their_speeds() {
    let mut other = ball("0", ["0", "0", "0"]);
    other["name"] = json!("other");
    other["position"] = json!([0, 0, "-1"]);
    for (e, part) in [("1/4", 0.25), ("1", 1.0)] {
        let bodies = json!([other, ball("1/100", ["0", "0", "-2"])]);
        let lines = lines(&file(&bodies, &steps(1, e), "0"));
        let v = to_f64s(&lines[0].v);
        assert!((v[2] + 1.0 + part).abs() < 1e-11, "{v:?}");
        assert!((v[8] + 1.0 - part).abs() < 1e-11, "{v:?}");
        assert!((taken(&lines[0]) - (1.0 - part * part)).abs() < 1e-11);
    }
}

/// Two balls that meet off their centres, with friction: both are pushed at one point, so that neither momentum nor angular momentum comes from
/// nowhere, though a gap is left between them.
#[test]
fn force_and_counterforce_act_at_one_point() {
    let mut other = ball("0", ["0", "0", "0"]);
    other["name"] = json!("other");
    other["angular_velocity"] = json!([3, -2, 1]);
    let mut own = ball("101/100", ["1", "0", "-3"]);
    own["position"] = json!(["1/10", "1/20", "101/100"]);
    let mut motion = steps(1, "3/4");
    motion["mu"] = json!("1/2");
    let lines = lines(&file(&json!([other, own]), &motion, "0"));
    let (q, v) = (to_f64s(&lines[0].q), to_f64s(&lines[0].v));
    assert!(lines[0].contacts[0].gap.to_f64() > 1e-3);
    let before = [0.0, 0.0, 0.0, 3.0, -2.0, 1.0, 1.0, 0.0, -3.0, 0.0, 0.0, 0.0];
    let mut turned = [0.0; 3];
    for body in 0..2 {
        let x = &q[7 * body..];
        let change: Vec<f64> = (0..6)
            .map(|k| v[6 * body + k] - before[6 * body + k])
            .collect();
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            // Of even density a ball of 1 kg and 1/2 m has 1/10 kg m^2.
            turned[k] += x[i] * change[j] - x[j] * change[i] + change[3 + k] / 10.0;
        }
    }
    assert!(turned.iter().all(|own| own.abs() < 1e-10), "{turned:?}");
}

/// What lies does not bounce, and what has bounced comes to rest.
#[test]
fn a_ball_at_rest_stays_at_rest() {
    let bodies = json!([ball("1/2", ["0", "0", "0"]), floor()]);
    for line in lines(&file(&bodies, &steps(3, "1"), "-10")) {
        assert!(bounced(&line).is_empty() && to_f64s(&line.v)[2].abs() < 1e-11);
        assert!((line.contacts[0].normal.to_f64() - 0.1).abs() < 1e-11);
    }
    let bodies = json!([ball("1/2", ["0", "0", "-1/10"]), floor()]);
    let falling = lines(&file(&bodies, &steps(36, "1/4"), "-10"));
    let last = falling.last().unwrap();
    assert!(!bounced(&falling[0]).is_empty());
    assert!(
        to_f64s(&last.v)[2].abs() < 1e-9 && (last.contacts[0].normal.to_f64() - 0.1).abs() < 1e-9
    );
}

/// Against a floor that rises by 1 m/s it comes with 2 m/s, and parts with e times that.
#[test]
fn an_obstacle_that_moves_gives_its_own_speed() {
    let mut rising = floor();
    rising["velocity"] = json!([0, 0, 1]);
    let bodies = json!([ball("51/100", ["0", "0", "-1"]), rising]);
    let text = file(&bodies, &steps(1, "1/2"), "0");
    let lines = lines(&text);
    let v = to_f64s(&lines[0].v)[2];
    assert!((v - 2.0).abs() < 1e-11, "{v}");
    // The floor pushes with 3 N s at 1 m/s.
    assert!((lines[0].work.as_ref().map_or(0.0, Quantity::to_f64) - 3.0).abs() < 1e-11);
}

/// The flat end of a superquadric has no curvature, and parts at e times its speed without turning.
#[test]
fn a_flat_end_bounces_without_turning() {
    let shape = json!({"superquadric": {"half_axes": [1, "3/4", "1/2"], "exponents": [2, 4]}});
    let block = json!({"name": "block", "mass": 1, "position": [0, 0, "51/100"], "velocity": [0, 0, -2], "shape": shape});
    let text = file(&json!([block, floor()]), &steps(2, "1/2"), "0");
    let lines = lines(&text);
    let v = to_f64s(&lines[0].v);
    assert!(
        (v[2] - 1.0).abs() < 1e-10 && v[3..].iter().all(|w| w.abs() < 1e-10),
        "{v:?}"
    );
    comes_again(&text, &lines);
}

/// A long ellipsoid that leans by 45 degrees and lands on one end.
fn leaning(motion: &Value, sideways: &str) -> String {
    let mut rod = json!({"name": "rod", "mass": 1, "velocity": [sideways, 0, -1], "shape": {"ellipsoid": ["1/20", "1/20", "1/2"]}});
    rod["orientation"] = json!([12, 0, 5, 0]);
    // It reaches down by 0.358.
    rod["position"] = json!([0, 0, "9/25"]);
    file(&json!([rod, floor()]), motion, "0")
}

/// With e = 1 and without friction an impact off the centre takes no energy: what parts does so at the speed of its approach, at the same
/// place and along the same normal. With e it takes (1 - e^2)/2 of p n'w^l/(1 + e).
#[test]
fn an_impact_off_the_centre_keeps_its_energy() {
    let line = |e: &str| lines(&leaning(&steps(1, e), "0")).swap_remove(0);
    let whole = line("1");
    assert!(whole.contacts[0].normal.to_f64() > 0.3 && to_f64s(&whole.v)[4].abs() > 1.0);
    assert!(taken(&whole).abs() < 1e-12, "{}", taken(&whole));
    assert!(taken(&line("1/2")) > 0.05);
}

/// Where slip stops, Newton's law asks for a speed whatever friction does (Kane and Levinson 1985).
#[test]
fn energy_that_a_bounce_gains_is_named() {
    let gain = |mu: &str| -> (Option<BounceGain>, Line) {
        let mut motion = steps(1, "1");
        motion["mu"] = json!(mu);
        let text = leaning(&motion, "3/5");
        let scene = read_moving(&text, None).unwrap();
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let mut run = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
        let (line, broken) = run.advance_examined().unwrap();
        assert!(
            broken.is_empty() && line.verified.as_ref().unwrap().proved,
            "{broken:?}"
        );
        (run.bounce_gain().cloned(), line)
    };
    let (gained, line) = gain("1/2");
    let gained = gained.unwrap();
    assert_eq!(gained.contacts, ["rod/floor"]);
    assert!(gained.energy > 0.01 && (gained.energy.to_f64() + taken(&line)).abs() < 1e-12);
    assert_eq!(line.gains, Some(Vec::new()));
    assert!(gain("0").0.is_none());
}

#[test]
fn what_has_no_theory_is_refused() {
    let bodies = json!([ball("1", ["0", "0", "0"]), floor()]);
    let told = |motion: &Value| {
        let read = read_moving(&file(&bodies, motion, "-10"), None);
        read.unwrap_err().to_string()
    };
    let poisson = json!({"steps": 1, "restitution": "1/2", "impact": "poisson"});
    let expected = "motion.impact: the law of impacts is poisson, whose compression is at the start of the step, and the method chakraborty-berard takes all quantities at its end: say newton";
    assert!(told(&poisson).contains(expected), "{}", told(&poisson));
    assert!(told(&steps(1, "2")).contains("motion: restitution is 2, but must be from 0 to 1"));
    assert!(told(&steps(1, "-1/2")).contains("must be from 0 to 1"));
    let newton = json!({"steps": 1, "restitution": "1/2", "impact": "newton"});
    let scene = read_moving(&file(&bodies, &newton, "-10"), None).unwrap();
    let scene = scene
        .with(None, None, Some(ImpactLaw::Newton), None)
        .unwrap();
    let poisson = scene.with(None, None, Some(ImpactLaw::Poisson), None);
    assert!(
        poisson
            .unwrap_err()
            .contains("takes all quantities at its end")
    );
}
