//! Scenes in motion against closed forms, and against recursions derived by hand.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::parse_rational;
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use etalon_time_stepping::{Term, Violation};
use rug::Rational;
use serde_json::Value;

fn r(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// The lines of an exact run after the header, none of which breaks a law.
fn run(name: &str, settings: &[(&str, &str)]) -> Vec<Value> {
    let (lines, violations) = examined(name, settings);
    assert_eq!(violations, [], "{name} {settings:?}");
    lines
}

/// The lines of an exact run after the header, and the laws that it breaks.
fn examined(name: &str, settings: &[(&str, &str)]) -> (Vec<Value>, Vec<Violation>) {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find(name).unwrap();
    let instance = instance.motion_instance(settings.iter().copied()).unwrap();
    let mut run = instance
        .trajectory(Arithmetics::Exact, &*solver, None)
        .unwrap();
    let (mut lines, mut violations) = (Vec::new(), Vec::new());
    while run.k() < run.steps() {
        let (line, found) = run.advance_examined().unwrap();
        violations.extend(found);
        lines.push(serde_json::to_value(line).unwrap());
    }
    (lines, violations)
}

fn fractions(value: &Value) -> Vec<Rational> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| r(value.as_str().unwrap())).collect()
}

/// Height, restitution, and the first impacts: t1 = sqrt(2 y/g), then every 2 e^k t1.
const BOUNCES: [(&str, &str, [&str; 5]); 6] = [
    ("5", "1/2", ["1", "2", "5/2", "11/4", "23/8"]),
    (
        "5",
        "9/10",
        ["1", "14/5", "221/50", "2939/500", "35951/5000"],
    ),
    ("20", "4/5", ["2", "26/5", "194/25", "1226/125", "7154/625"]),
    ("5", "0", ["1", "1", "1", "1", "1"]),
    ("5", "1", ["1", "3", "5", "7", "9"]),
    ("45", "3/4", ["3", "15/2", "87/8", "429/32", "1959/128"]),
];

#[test]
fn impacts_of_a_bouncing_ball_are_those_of_the_closed_form_to_the_first_order() {
    for (height, e, impacts) in BOUNCES {
        let worst = |per_second: u32| {
            let steps = (per_second * 16).to_string();
            let h = format!("1/{per_second}");
            let settings = [
                ("height", height),
                ("restitution", e),
                ("h", &h),
                ("steps", &steps),
            ];
            let lines = run("bouncing-ball", &settings);
            let touching = |line: &&Value| match e {
                "0" => line["contacts"][0]["normal"] != "0",
                _ => !line["bounces"].is_null(),
            };
            let found = lines.iter().filter(touching);
            let found = found.map(|line| r(line["t"].as_str().unwrap()).to_f64());
            let count = if e == "0" { 1 } else { 5 };
            let errors = found.zip(impacts).take(count);
            let errors: Vec<f64> = errors
                .map(|(t, exact)| (t - r(exact).to_f64()).abs())
                .collect();
            assert_eq!(errors.len(), count, "{height} {e}");
            errors.into_iter().fold(0.0, f64::max)
        };
        let (coarse, fine) = (worst(50), worst(400));
        assert!(coarse < 10.0 / 50.0, "{height} {e}: {coarse}");
        assert!(fine < 10.0 / 400.0, "{height} {e}: {fine}");
    }
}

#[test]
fn a_bouncing_ball_is_the_recursion_of_newtons_law_digit_for_digit() {
    // Other heights, restitutions, step sizes and gravities than those of the closed forms.
    for (height, e, h, g) in [
        ("5", "1/2", "1/50", "10"),
        ("7/3", "2/3", "1/30", "49/5"),
        ("1", "1", "1/64", "10"),
        ("13/10", "0", "1/25", "3"),
    ] {
        let settings = [
            ("height", height),
            ("restitution", e),
            ("h", h),
            ("g", g),
            ("steps", "150"),
        ];
        let lines = run("bouncing-ball", &settings);
        let (e, h, g) = (r(e), r(h), r(g));
        let (mut y, mut v) = (r(height), Rational::new());
        for line in lines {
            let free = &v - Rational::from(&g * &h);
            let reaches = (&y + Rational::from(&h * &free)) < 0;
            let least = if e > 0 && v < 0 && reaches {
                -Rational::from(&e * &v)
            } else {
                -Rational::from(&y / &h)
            };
            v = free.max(least);
            y += Rational::from(&h * &v);
            assert_eq!(fractions(&line["q"]), [y.clone()], "{}", line["k"]);
            assert_eq!(fractions(&line["v"]), [v.clone()], "{}", line["k"]);
            assert!(y >= 0);
        }
    }
}

#[test]
fn a_ball_is_at_rest_after_its_last_impact_and_one_that_loses_nothing_never_is() {
    // At rest after t1 (1 + e)/(1 - e) = 3 s; each step size is late in proportion to it.
    let late = |per_second: u32| {
        let steps = (per_second * 4).to_string();
        let h = format!("1/{per_second}");
        let lines = run("bouncing-ball", &[("h", &h), ("steps", &steps)]);
        // Bounces that are halved are never 0: those below a picometre a second count as rest.
        let small = |value: &Value| fractions(value)[0].to_f64().abs() < 1e-12;
        let moves = |line: &Value| !small(&line["v"]);
        let last = lines.iter().rposition(moves).unwrap();
        assert!(last + 50 < lines.len());
        assert!(small(&lines[lines.len() - 1]["q"]));
        (last + 1) as f64 / f64::from(per_second) - 3.0
    };
    let (coarse, fine) = (late(200), late(800));
    assert!(fine > 0.0 && fine < 0.12, "{fine}");
    assert!((coarse / fine - 4.0).abs() < 0.2, "{coarse} {fine}");
    // E - h g v/2 is kept in flight and by a bounce without loss.
    let lines = run("bouncing-ball", &[("restitution", "1"), ("steps", "600")]);
    for line in &lines {
        let energy = ["kinetic", "potential"].map(|e| r(line["energy"][e].as_str().unwrap()));
        let [kinetic, potential] = energy;
        let shadow = kinetic + potential - fractions(&line["v"])[0].clone() / 10u32;
        assert_eq!(shadow, 50, "{}", line["k"]);
    }
}

#[test]
fn an_elastic_row_hit_at_once_shares_the_momentum() {
    for balls in [2, 3, 5, 8] {
        let lines = run("elastic-cradle", &[("balls", &balls.to_string())]);
        // All relative velocities are Newton's: the first ball has 2/n - 1, all others 2/n.
        let share = Rational::from((2, balls));
        let mut expected = vec![share.clone(); balls];
        expected[0] = share - 1u32;
        for line in &lines {
            assert_eq!(fractions(&line["v"]), expected, "{balls}");
            assert_eq!(line["energy"]["kinetic"], "1/2");
        }
    }
    let half = run("elastic-cradle", &[("balls", "2"), ("restitution", "1/2")]);
    assert_eq!(fractions(&half[9]["v"]), [r("1/4"), r("3/4")]);
}

#[test]
fn two_bodies_part_by_newtons_law() {
    for (m1, m2, v1, v2, e) in [
        ("1", "3", "4", "0", "1"),
        ("2", "1", "3", "-3", "1"),
        ("1", "1", "5", "0", "1/2"),
        ("7/2", "1/3", "1", "-2/5", "2/3"),
    ] {
        let settings = [
            ("m1", m1),
            ("m2", m2),
            ("v1", v1),
            ("v2", v2),
            ("restitution", e),
        ];
        let lines = run("central-impact", &settings);
        let [m1, m2, v1, v2, e] = [m1, m2, v1, v2, e].map(r);
        let inverse = m1.clone().recip() + m2.clone().recip();
        let impulse = (e + 1u32) * Rational::from(&v1 - &v2) / inverse;
        assert_eq!(
            r(lines[0]["contacts"][0]["normal"].as_str().unwrap()),
            impulse
        );
        let after = [v1 - impulse.clone() / m1, v2 + impulse / m2];
        assert_eq!(fractions(&lines[9]["v"]), after);
    }
    // Published: (-2, 2), (-1, 5), (5/4, 15/4).
    assert_eq!(fractions(&run("central-impact", &[])[0]["v"]), [-2, 2]);
}

#[test]
fn a_push_is_passed_on_by_the_share_of_the_mass() {
    for (push, m1, m2, force, acceleration) in [
        ("6", "1", "2", "4", "2"),
        ("10", "3", "2", "4", "2"),
        ("1", "2", "5", "5/7", "1/7"),
    ] {
        let settings = [
            ("push", push),
            ("m1", m1),
            ("m2", m2),
            ("v1", "0"),
            ("restitution", "0"),
        ];
        let lines = run("central-impact", &settings);
        for (line, k) in lines.iter().zip(1u32..) {
            let normal = r(line["contacts"][0]["normal"].as_str().unwrap());
            assert_eq!(normal * 50u32, r(force));
            let v = r(acceleration) * k / 50u32;
            assert_eq!(fractions(&line["v"]), [v.clone(), v]);
        }
    }
}

#[test]
fn a_sphere_rolls_or_slides_on_a_slope_as_closed_forms_say() {
    // tan of half the angle, mu, radius; rolls above mu = (2/7) tan.
    for (half, mu, radius, directions) in [
        ("1/3", "1/2", "1", "4"),
        ("1/3", "3/14", "1/10", "4"),
        ("1/3", "1/7", "1", "4"),
        ("1/4", "1/10", "3/7", "4"),
        ("1/5", "1/3", "2", "4"),
        ("1/3", "1/2", "1", "8"),
    ] {
        let settings = [
            ("half_angle", half),
            ("mu", mu),
            ("radius", radius),
            ("directions", directions),
        ];
        let lines = run("sphere-on-slope", &settings);
        let (t, mu, radius) = (r(half), r(mu), r(radius));
        let square = Rational::from(&t * &t);
        let below = Rational::from(&square + 1u32);
        let (sin, cos) = (Rational::from(&t * 2u32) / &below, (1u32 - square) / &below);
        let rolls = Rational::from(&mu * &cos) * 7u32 >= Rational::from(&sin * 2u32);
        let slip = Rational::from(&mu * &cos);
        let (along, turning) = if rolls {
            let a = sin * 50u32 / 7u32;
            (a.clone(), a / &radius)
        } else {
            let a = (sin - &slip) * 10u32;
            (a, slip * 25u32 / &radius)
        };
        for (line, k) in lines.iter().zip(1u32..) {
            let number = |value: &Value| match value.as_str() {
                Some(text) => r(text),
                None => Rational::from_f64(value.as_f64().unwrap()).unwrap(),
            };
            let v: Vec<Rational> = line["v"].as_array().unwrap().iter().map(number).collect();
            for (i, value) in v.iter().enumerate() {
                let expected = match i {
                    0 => Rational::from(&along * k) / 50u32,
                    4 => Rational::from(&turning * k) / 50u32,
                    _ => Rational::new(),
                };
                let error = Rational::from(value - &expected).abs();
                // On the grid each step rounds once.
                let allowed = if directions == "4" { 0.0 } else { 1e-9 };
                assert!(
                    error.to_f64() <= allowed,
                    "{settings:?} step {k}, {i}: {value} {expected}"
                );
            }
        }
    }
}

#[test]
fn the_end_of_a_ramp_throws_with_both_half_spaces_and_is_run_over_with_one() {
    let h = r("1/8");
    let one = run("corner", &[("start", "ramp")]);
    let mut left = None;
    for (i, line) in one.iter().enumerate() {
        let q = fractions(&line["q"]);
        let above = &q[1] - Rational::from(&q[0] * &r("3/4"));
        if q[0] < 1 {
            assert!(left.is_none() && above == 0, "{line}");
            assert_eq!(line["entry"], "particle/face 1");
        } else if left.is_none() {
            left = Some(i);
        }
    }
    // Beyond its end the particle flies: v changes by h g only, even below the ramp.
    let left = left.unwrap();
    assert!(left + 2 < one.len());
    for pair in one[left..].windows(2) {
        let (a, b) = (fractions(&pair[0]["v"]), fractions(&pair[1]["v"]));
        assert_eq!(a[0], b[0]);
        assert_eq!(Rational::from(&a[1] - &b[1]), Rational::from(&h * 10u32));
    }
    // Stewart and Trinkle's step knows no end of the ramp but a wall that the particle is behind.
    let settings = [("start", "ramp"), ("formulation", "st")];
    let (both, violations) = examined("corner", &settings);
    let q = fractions(&both[0]["q"]);
    assert!(q[0] >= 1, "{q:?}");
    let wall = r(both[0]["contacts"][1]["normal"].as_str().unwrap());
    assert!(wall > 0);
    // The oracle names the face that threw it, and by how much.
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert_eq!(
        (violations[0].step, violations[0].term),
        (1, Term::PositionLoss)
    );
    assert_eq!(violations[0].amount, "-195/4");
}
