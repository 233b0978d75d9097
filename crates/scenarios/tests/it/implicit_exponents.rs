//! Superquadrics of files with two exponents: closed forms, pictures, and what is refused.

use etalon_golden::trajectory::to_f64s;
use etalon_scenarios::read_moving;
use etalon_scenarios::space::{ImplicitScene, MovingScene};
use serde_json::{Value, json};

use crate::implicit_files::{comes_again, file, floor, lines};

fn shape(half_axes: [&str; 3], exponents: [u32; 2]) -> Value {
    json!({"superquadric": {"half_axes": half_axes, "exponents": exponents}})
}

fn block(height: &str, exponents: [u32; 2]) -> Value {
    let shape = shape(["1", "3/4", "1/2"], exponents);
    json!({"name": "block", "mass": 1, "position": [0, 0, height], "shape": shape})
}

fn scene(bodies: &Value) -> ImplicitScene {
    match read_moving(&file(bodies, &json!({}), "0"), None).unwrap() {
        MovingScene::Implicit(scene) => scene,
        _ => unreachable!("another method"),
    }
}

/// On its end, at the height c, and on its side, at the height a.
#[test]
fn it_rests_on_its_end_and_on_its_side() {
    for exponents in [[2, 8], [4, 8]] {
        let mut side = block("1", exponents);
        // A quarter turn about y leads x to -z.
        side["orientation"] = json!([1, 0, 1, 0]);
        for own in [block("1/2", exponents), side] {
            let text = file(
                &json!([own, floor()]),
                &json!({"steps": 3, "mu": "1/2"}),
                "-10",
            );
            let lines = lines(&text);
            for line in &lines {
                assert!(to_f64s(&line.v).iter().all(|v| v.abs() < 1e-10), "{line:?}");
                assert!((line.contacts[0].normal.to_f64() - 0.1).abs() < 1e-10);
            }
            comes_again(&text, &lines);
        }
    }
}

/// The gap that is proved is the height less what the body reaches down. Turned about z by 4/5, 3/5 and then tilted, it reaches
/// U = |(a d_x, b d_y)| in the dual norm of its sections, and (U^r + |c d_z|^r)^(1/r) with r = n/(n - 1).
#[test]
fn the_gap_in_the_air_is_that_of_the_support_function() {
    let (sin, cos) = (20.0 / 101.0, 99.0 / 101.0 / 2.0);
    for [m, n] in [[2, 8], [4, 8], [2, 4]] {
        let dual = |p: u32| f64::from(p) / f64::from(p - 1);
        let norm = |p: u32, own: [f64; 2]| {
            let sum: f64 = own.iter().map(|x| x.powf(dual(p))).sum();
            sum.powf(1.0 / dual(p))
        };
        let across = norm(m, [sin * 0.8, 0.75 * sin * 0.6]);
        let reach = norm(n, [across, cos]);
        let mut own = block("1", [m, n]);
        own["orientation"] = json!([30, 1, 3, 10]);
        let text = file(&json!([own, floor()]), &json!({"steps": 1}), "0");
        let gap = lines(&text)[0].contacts[0].gap.to_f64();
        assert!(
            (gap - (1.0 - reach)).abs() < 1e-11,
            "{m} {n}: {gap} {reach}"
        );
    }
}

/// A round one rolls on its side down a slope of 3/4: with J about z, by g sin/(1 + J/(m a^2)).
#[test]
fn a_round_one_rolls_on_its_side() {
    let mut own = block("1/2", [2, 8]);
    own["shape"] = shape(["1/2", "1/2", "1/2"], [2, 8]);
    // A quarter turn about x leads z to -y; off the slope, whose normal is (3, 0, 4)/5.
    own["orientation"] = json!([1, 1, 0, 0]);
    own["position"] = json!(["3/10", 0, "2/5"]);
    let slope = json!({"name": "slope", "fixed": true, "shape": {"half_space": [3, 0, 4]}});
    let bodies = json!([own, slope]);
    let inertia = scene(&bodies).bodies[0].body.inertia[(2, 2)].to_f64();
    let text = file(
        &bodies,
        &json!({"h": "1/64", "steps": 4, "mu": "1/2"}),
        "-10",
    );
    let lines = lines(&text);
    for (k, line) in (1..).zip(&lines) {
        let v = to_f64s(&line.v);
        let speed = 10.0 * 0.6 / (1.0 + 4.0 * inertia) * f64::from(k) / 64.0;
        assert!(
            (v[0] - 0.8 * speed).abs() < 1e-9 && (v[2] + 0.6 * speed).abs() < 1e-9,
            "{v:?}"
        );
        assert!((v[4] - 2.0 * speed).abs() < 1e-9, "{v:?}");
    }
    comes_again(&text, &lines);
}

/// The means of x^2 and z^2, by the midpoint rule: sections at z are as wide as (1 - z^n)^(1/n), and chords of a section at x as
/// (1 - x^m)^(1/m).
#[test]
fn of_even_density_it_has_the_moments_of_its_sections() {
    for [m, n] in [[2_u32, 4], [2, 16], [4, 8]] {
        let points = || (0..4000).map(|k| (f64::from(k) + 0.5) / 4000.0);
        let width = |x: f64, p: u32| (1.0 - x.powf(p.into())).powf(1.0 / f64::from(p));
        let mean = |p: u32, square: &dyn Fn(f64) -> f64, power: i32| {
            let add = |(mean, all): (f64, f64), x: f64| {
                let weight = width(x, p).powi(power);
                (mean + square(x) * weight, all + weight)
            };
            let (mean, all) = points().fold((0.0, 0.0), add);
            mean / all
        };
        let of_section = mean(m, &|x| x * x, 1);
        let across = of_section * mean(n, &|z| width(z, n).powi(2), 2);
        let along = mean(n, &|z| z * z, 2);
        let bodies = json!([block("1/2", [m, n]), floor()]);
        let inertia = scene(&bodies).bodies[0].body.inertia.clone();
        let squares = [across, 9.0 / 16.0 * across, along / 4.0];
        for k in 0..3 {
            let expected = squares.iter().sum::<f64>() - squares[k];
            let found = inertia[(k, k)].to_f64();
            assert!(
                (found - expected).abs() < 1e-5,
                "{m} {n} {k}: {found} {expected}"
            );
        }
    }
}

/// From above a round one is a circle, and one of 8 across z almost a square.
#[test]
fn it_is_drawn_by_its_sections() {
    for (m, corner) in [(2, 0.5_f64.sqrt()), (8, 0.5_f64.powf(0.125))] {
        let mut own = block("1", [m, 8]);
        own["shape"] = shape(["1", "1", "1/2"], [m, 8]);
        let views = scene(&json!([own, floor()])).views();
        let outlines = views[1].outlines(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        let along = |p: &[f64; 2]| (p[0] + p[1]) / 2.0;
        let most = outlines[0].iter().map(along).fold(0.0, f64::max);
        assert!((most - corner).abs() < 2e-3, "{m}: {most} {corner}");
    }
}

#[test]
fn exponents_that_do_not_fit_are_refused() {
    let cases = [
        (
            r#""exponents":[4,6]"#,
            "bodies[0].shape.superquadric.exponents: the second, 6, must be a multiple of the first, 4, so that the surface is that of a polynomial; 6 goes with 2, 6",
        ),
        (
            r#""exponents":[8,4]"#,
            "the second, 4, must be a multiple of the first, 8",
        ),
        (
            r#""exponents":[2,3]"#,
            "bodies[0].shape.superquadric.exponents[1]: must be an even number from 2 to 16",
        ),
        (
            r#""exponents":[2]"#,
            "must have two numbers: the exponent across z, and that along z",
        ),
        (
            r#""exponent":4,"exponents":[2,4]"#,
            "must have one of the fields exponent, a number, and exponents",
        ),
        (r#""x":4"#, "bodies[0].shape.superquadric"),
    ];
    let text = file(&json!([block("1", [2, 4]), floor()]), &json!({}), "-10");
    for (own, expected) in cases {
        let forged = text.replace(r#""exponents":[2,4]"#, own);
        assert_ne!(forged, text);
        let error = read_moving(&forged, None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
