//! Scenes in motion: names and parameters that others rely on, records, and closed forms.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, line_text};
use etalon_lcp::{Solver, parse_rational};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::{ScenarioPart, find, scenarios};
use etalon_time_stepping::FirstOf;
use rug::Rational;
use serde_json::Value;

fn exact() -> Box<dyn Solver + Send + Sync> {
    ExactMethod::Lemke.solver(&Budget::default())
}

fn fast() -> Box<dyn Solver + Send + Sync> {
    let fast = etalon_fast::FastMethod::Auto.solver();
    Box::new(FirstOf::new("fast", vec![fast, exact()]))
}

/// The header and all lines of a run.
fn run(name: &str, settings: &[(&str, &str)], arithmetics: Arithmetics) -> Vec<Value> {
    let solver = match arithmetics {
        Arithmetics::Exact => exact(),
        Arithmetics::Binary64 => fast(),
    };
    let instance = find(name)
        .unwrap()
        .motion_instance(settings.iter().copied());
    let mut trajectory = instance
        .unwrap()
        .trajectory(arithmetics, &*solver, None)
        .unwrap();
    let mut lines = vec![serde_json::to_value(trajectory.header()).unwrap()];
    while trajectory.k() < trajectory.steps() {
        lines.push(serde_json::to_value(trajectory.advance().unwrap()).unwrap());
    }
    lines
}

fn exactly(name: &str, settings: &[(&str, &str)]) -> Vec<Value> {
    run(name, settings, Arithmetics::Exact)
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => parse_rational(text).unwrap().to_f64(),
        other => other.as_f64().unwrap(),
    }
}

fn fractions(value: &Value) -> Vec<Rational> {
    let texts = value.as_array().unwrap().iter();
    texts
        .map(|text| parse_rational(text.as_str().unwrap()).unwrap())
        .collect()
}

fn energy(line: &Value) -> f64 {
    number(&line["energy"]["kinetic"]) + number(&line["energy"]["potential"])
}

#[test]
fn names_and_parameters_are_those_that_others_rely_on() {
    for (name, parameters) in [
        ("rod", "h y0 theta0 omega0 g mu duration scheme"),
        ("four-balls", "h g mu duration directions"),
        ("two-balls", "speed h g mu duration directions"),
        ("incline", "slope mu v0 h steps"),
        ("stack-drop", "h steps"),
        ("particle-3d", "directions v0x v0y mu h"),
        ("wedge", "h steps"),
        ("ellipse", "A v0x v0y h steps scheme"),
        ("polygon", "sides h v0 mu duration"),
        ("disc", "h steps"),
        ("corner", "formulation start"),
        ("painleve-inconsistent", "mu h steps"),
        ("painleve-indeterminate", "mu h steps"),
    ] {
        let scenario = find(name).unwrap().about(ScenarioPart::Motion).unwrap();
        for parameter in parameters.split(' ') {
            let known = scenario.parameters.iter().any(|p| p.name == parameter);
            assert!(known, "{name} {parameter}");
        }
    }
    for words in [
        ["scheme", "fixed-point"],
        ["scheme", "predicted"],
        ["scheme", "linear"],
        ["scheme", "midpoint"],
    ] {
        find("rod")
            .unwrap()
            .motion_instance([(words[0], words[1])])
            .unwrap();
    }
    let wrong = find("rod").unwrap().motion_instance([("scheme", "newton")]);
    let error = wrong.unwrap_err().to_string();
    assert_eq!(
        error,
        "scheme is newton, but must be fixed-point or predicted or linear or midpoint"
    );
}

/// The rule for contacts is settable. Headers have it where it is not the default, so that stored motions stay as they are.
#[test]
fn contacts_take_part_all_or_when_violated() {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let taken = |settings: &[(&str, &str)]| {
        let instance = find("two-balls").unwrap();
        let instance = instance.motion_instance(settings.iter().copied()).unwrap();
        let run = instance.trajectory(Arithmetics::Exact, &solver, Some(1));
        let mut run = run.unwrap();
        let said = run.header().parameters.get("activation").cloned();
        (said, run.advance().unwrap().lcp.n)
    };
    // A ball 1 m above the table touches nothing; the other one rests on it.
    assert_eq!(taken(&[]), (None, 10));
    assert_eq!(taken(&[("activation", "when-violated")]), (None, 10));
    assert_eq!(
        taken(&[("activation", "all")]),
        (Some("all".to_owned()), 30)
    );
}

#[test]
fn every_scene_takes_steps_in_both_arithmetics() {
    let moving = || scenarios().iter().filter(|own| own.in_motion.is_some());
    assert_eq!(moving().count(), 44);
    for scenario in moving() {
        for (arithmetics, solver) in [
            (Arithmetics::Exact, exact()),
            (Arithmetics::Binary64, fast()),
        ] {
            let instance = scenario.motion_instance([]).unwrap();
            let mut run = instance.trajectory(arithmetics, &*solver, Some(5)).unwrap();
            let header = serde_json::to_value(run.header()).unwrap();
            let dofs = header["coordinates"].as_array().unwrap().len();
            assert_eq!(header["scenario"], scenario.name);
            assert_eq!(header["start"]["q"].as_array().unwrap().len(), dofs);
            assert!(
                header["start"]["energy"]["kinetic"].is_string()
                    || header["start"]["energy"]["kinetic"].is_number()
            );
            for k in 1..=run.steps() {
                let line = serde_json::to_value(run.advance().unwrap()).unwrap();
                assert_eq!(line["k"], k);
                assert_eq!(
                    line["q"].as_array().unwrap().len(),
                    dofs,
                    "{}",
                    scenario.name
                );
                assert_eq!(line["lcp"]["sha256"].as_str().unwrap().len(), 64);
                let n = line["lcp"]["n"].as_u64().unwrap() as usize;
                assert_eq!(line["lcp"]["basis"].as_str().unwrap().len(), n);
                assert!(line_text(&line).starts_with(&format!("{{\"k\":{k},\"t\":")));
                assert_eq!(
                    serde_json::from_str::<Value>(&line_text(&line)).unwrap(),
                    line
                );
            }
        }
    }
}

#[test]
fn the_energy_of_every_line_is_that_before_less_what_was_dissipated() {
    for name in [
        "incline",
        "stack-drop",
        "particle-3d",
        "wedge",
        "disc",
        "joint-slide",
        "settling-chain",
        "corner",
    ] {
        let lines = exactly(name, &[]);
        let total = |energy: &Value| {
            ["kinetic", "potential"].map(|e| parse_rational(energy[e].as_str().unwrap()).unwrap())
        };
        let mut before: Rational = total(&lines[0]["start"]["energy"]).into_iter().sum();
        for line in &lines[1..] {
            let after: Rational = total(&line["energy"]).into_iter().sum();
            let lost = parse_rational(line["dissipated"].as_str().unwrap()).unwrap();
            assert!(lost >= 0, "{name} {line}");
            assert_eq!(
                Rational::from(&before - &lost),
                after,
                "{name} {}",
                line["k"]
            );
            before = after;
        }
    }
}

#[test]
fn a_run_that_is_resumed_is_the_run_that_was_not_interrupted() {
    for (name, arithmetics) in [
        ("rod", Arithmetics::Exact),
        ("rod", Arithmetics::Binary64),
        ("wedge", Arithmetics::Exact),
        ("corner", Arithmetics::Exact),
        ("four-balls", Arithmetics::Binary64),
    ] {
        let settings: &[_] = if name == "corner" || name == "wedge" {
            &[]
        } else {
            &[("h", "0.01")]
        };
        let whole = run(name, settings, arithmetics);
        let solver = if arithmetics == Arithmetics::Exact {
            exact()
        } else {
            fast()
        };
        let instance = find(name)
            .unwrap()
            .motion_instance(settings.iter().copied())
            .unwrap();
        for cut in [1, whole.len() / 2, whole.len() - 2] {
            let mut again = instance.trajectory(arithmetics, &*solver, None).unwrap();
            let read: Line = serde_json::from_str(&line_text(&whole[cut])).unwrap();
            again.resume(&read).unwrap();
            assert_eq!(
                serde_json::to_value(again.advance().unwrap()).unwrap(),
                whole[cut + 1],
                "{name} from {cut}"
            );
        }
        let mut wrong = instance.trajectory(arithmetics, &*solver, None).unwrap();
        assert!(
            wrong
                .resume(&Line {
                    k: 1,
                    ..Line::default()
                })
                .is_err()
        );
    }
}

#[test]
fn the_rod_and_the_balls_end_where_they_should() {
    let rod = exactly("rod", &[("h", "0.01")]);
    assert_eq!(rod.len(), 101);
    assert!((number(&rod[100]["q"][0]) + 0.242142).abs() < 1e-6);
    assert!(
        rod.windows(2)
            .skip(1)
            .all(|pair| energy(&pair[1]) <= energy(&pair[0]) + 1e-9)
    );
    let balls = run("four-balls", &[("h", "0.02")], Arithmetics::Binary64);
    let sizes: Vec<_> = balls[1..]
        .iter()
        .map(|line| line["lcp"]["n"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes.iter().max(), Some(&70));
}

#[test]
fn the_ellipse_blows_up_linearised_and_not_implicitly() {
    let linear = exactly("ellipse", &[]);
    let start = energy(&linear[0]["start"]);
    assert!((energy(&linear[14]) / start - 15.093530582).abs() < 1e-8);
    let implicit = exactly("ellipse", &[("scheme", "implicit")]);
    assert!(
        implicit
            .windows(2)
            .skip(1)
            .all(|pair| energy(&pair[1]) <= energy(&pair[0]))
    );
    assert!(implicit[1..].iter().all(|line| line["converged"] == true));
    assert!((energy(&implicit[6]) / 1.353214859697294 - 1.0).abs() < 1e-9);
}

/// Stewart and Trinkle's nonlinear step by Newton's method, and Chakraborty and Berard's with the
/// closest point unknown, are one step: n is that of the end of it.
#[test]
fn newtons_method_on_the_nonlinear_step_and_implicit_surfaces_agree_in_the_ellipse() {
    for settings in [
        &[][..],
        &[("A", "12"), ("v0x", "3"), ("v0y", "2"), ("h", "1/2")],
        &[("A", "5"), ("v0x", "1"), ("v0y", "1/3"), ("h", "3/4")],
    ] {
        let with = |scheme| exactly("ellipse", &[settings, &[("scheme", scheme)]].concat());
        let (newton, implicit) = (with("newton"), with("implicit"));
        assert_eq!(newton[0]["formulation"], "stewart-trinkle");
        assert_eq!(newton[0]["scheme"], "newton");
        assert_eq!(implicit[0]["formulation"], "chakraborty-berard");
        for (a, b) in newton[1..].iter().zip(&implicit[1..]) {
            assert_eq!(a["converged"], true, "{a}");
            for name in ["q", "v"] {
                for i in 0..2 {
                    let difference = number(&a[name][i]) - number(&b[name][i]);
                    assert!(difference.abs() < 1e-6, "{name} {a} {b}");
                }
            }
        }
    }
    // The plain fixed point does not converge at this step size, and says so.
    let plain = exactly("ellipse", &[("scheme", "fixed-point"), ("steps", "8")]);
    assert!(plain[1..].iter().any(|line| line["converged"] == false));
}

#[test]
fn a_drop_takes_two_steps_to_stop() {
    // y0, h, and (y, v, c_n) of each step, with g = 10 and m = 1.
    for (y0, h, steps) in [
        (
            "21/20",
            "1/10",
            vec![
                "19/20 -1 0",
                "3/4 -2 0",
                "9/20 -3 0",
                "1/20 -4 0",
                "0 -1/2 9/2",
                "0 0 3/2",
                "0 0 1",
                "0 0 1",
            ],
        ),
        (
            "1",
            "1/10",
            vec![
                "9/10 -1 0",
                "7/10 -2 0",
                "2/5 -3 0",
                "0 -4 0",
                "0 0 5",
                "0 0 1",
                "0 0 1",
            ],
        ),
        (
            "1/2",
            "1/20",
            vec![
                "19/40 -1/2 0",
                "17/40 -1 0",
                "7/20 -3/2 0",
                "1/4 -2 0",
                "1/8 -5/2 0",
                "0 -5/2 1/2",
                "0 0 3",
                "0 0 1/2",
            ],
        ),
    ] {
        // The lowest of three blocks that are too far apart to meet.
        let settings = [
            ("drop", y0),
            ("h", h),
            ("first_gap", "1000"),
            ("second_gap", "1000"),
        ];
        let lines = exactly("stack-drop", &settings);
        for (line, expected) in lines[1..].iter().zip(steps) {
            let found = [&line["q"][0], &line["v"][0], &line["contacts"][0]["normal"]];
            let found: Vec<_> = found.iter().map(|v| v.as_str().unwrap()).collect();
            assert_eq!(found.join(" "), expected);
        }
    }
}

#[test]
fn a_plate_sticks_slides_or_tips_as_closed_forms_say() {
    let plate = |settings: &[(&str, &str)]| exactly("plate-on-slope", settings);
    // Slope 3/4, g = 10: 10 (3/5 - 1/2 4/5) = 2 m/s^2 downhill for a second.
    let sliding = plate(&[("mu", "1/2")]);
    assert!((number(&sliding[50]["v"][0]) - 2.0).abs() < 1e-9);
    let sticking = plate(&[("mu", "4/5")]);
    assert!(number(&sticking[50]["v"][0]).abs() < 1e-9);
    assert!(number(&sticking[50]["q"][2]).abs() < 1e-9);
    // Tips where the slope 3/4 is above width over height.
    for (width, height, tips) in [("1", "2", true), ("3", "2", false), ("2", "1", false)] {
        let lines = plate(&[("mu", "10"), ("width", width), ("height", height)]);
        assert_eq!(
            number(&lines[30]["q"][2]).abs() > 0.01,
            tips,
            "{width} {height}"
        );
    }
}

#[test]
fn an_inelastic_row_of_balls_moves_on_together() {
    let lines = exactly("cradle-row", &[]);
    let v = fractions(&lines[20]["v"]);
    for ball in 0..5 {
        assert_eq!(v[3 * ball], Rational::from((1, 5)));
    }
}

#[test]
fn a_ladder_stands_on_rough_ground_and_slides_on_smooth_ground() {
    let foot = |mu: &str| {
        let lines = exactly("ladder-slide", &[("mu_ground", mu), ("mu_wall", mu)]);
        (number(&lines[60]["q"][0]) - number(&lines[0]["start"]["q"][0])).abs()
    };
    assert!(foot("1") < 1e-9);
    assert!(foot("1/5") > 0.05);
}

#[test]
fn the_polygon_stops_and_the_disc_does_not() {
    let polygon = exactly("polygon", &[("sides", "10")]);
    assert!((number(&polygon[1200]["q"][0]) - 2.1630).abs() < 5e-4);
    let disc = exactly("disc", &[("steps", "100")]);
    assert_eq!(fractions(&disc[100]["v"]), [1, 0, -1]);
}

#[test]
fn the_painleve_rods_stick_in_a_step() {
    let step = &exactly("painleve-inconsistent", &[])[1];
    assert!((number(&step["contacts"][0]["normal"]) - 1.45).abs() < 1e-9);
    for (v, expected) in step["v"].as_array().unwrap().iter().zip([0.6, 0.45, -0.75]) {
        assert!((number(v) - expected).abs() < 1e-9);
    }
    let step = &exactly("painleve-indeterminate", &[])[1];
    for (v, expected) in step["v"]
        .as_array()
        .unwrap()
        .iter()
        .zip([-2.6, -1.95, 3.25])
    {
        assert!((number(v) - expected).abs() < 1e-9);
    }
}

#[test]
fn a_step_that_binary64_does_not_hold_is_refused() {
    for h in ["1e400", "1e-4000"] {
        let settings = [("h", h), ("duration", h)];
        let instance = find("rod").unwrap().motion_instance(settings).unwrap();
        let solver = exact();
        let trajectory = instance.trajectory(Arithmetics::Exact, &*solver, None);
        let found = trajectory.and_then(|mut own| own.advance());
        let message = found.unwrap_err().to_string();
        assert!(
            message.contains("lines hold times in binary64"),
            "{message}"
        );
    }
}
