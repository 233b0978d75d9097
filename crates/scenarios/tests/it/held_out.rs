//! Parameters that no golden has, against derivations of their own: contact modes by hand for the
//! wedge, a recursion for the ellipse, free flight for the rod.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::parse_rational;
use etalon_scenarios::find;
use etalon_scenarios::motion::Arithmetics;
use rug::Rational;
use serde_json::Value;

fn r(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn exactly(name: &str, settings: &[(&str, &str)]) -> Vec<Value> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let instance = find(name)
        .unwrap()
        .motion_instance(settings.iter().copied());
    let mut run = instance
        .unwrap()
        .trajectory(Arithmetics::Exact, &*solver, None)
        .unwrap();
    let mut lines = vec![serde_json::to_value(run.header().start).unwrap()];
    while run.k() < run.steps() {
        lines.push(serde_json::to_value(run.advance().unwrap()).unwrap());
    }
    lines
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => r(text).to_f64(),
        other => other.as_f64().unwrap(),
    }
}

type V = [Rational; 2];

fn vector(value: &Value) -> V {
    [0, 1].map(|i| r(value[i].as_str().unwrap()))
}

fn dot(a: &V, b: &V) -> Rational {
    Rational::from(&a[0] * &b[0]) + Rational::from(&a[1] * &b[1])
}

fn plus(a: &V, factor: &Rational, b: &V) -> V {
    [0, 1].map(|i| Rational::from(&b[i] * factor) + &a[i])
}

/// x with x_0 a + x_1 b = c, where a and b are independent.
fn cramer(a: &V, b: &V, c: &V) -> Option<V> {
    let cross = |a: &V, b: &V| Rational::from(&a[0] * &b[1]) - Rational::from(&a[1] * &b[0]);
    let determinant = cross(a, b);
    (determinant != 0).then(|| [cross(c, b) / &determinant, cross(a, c) / &determinant])
}

/// A side of the wedge before a step: unit normal, unit tangent, gap/h.
struct Side {
    normal: V,
    tangent: V,
    rate: Rational,
}

impl Side {
    /// n'v' >= -gap/h.
    fn admits(&self, v: &V) -> bool {
        dot(&self.normal, v) + &self.rate >= 0
    }

    /// n'v' = -gap/h.
    fn is_closed_by(&self, v: &V) -> bool {
        dot(&self.normal, v) + &self.rate == 0
    }

    /// The impulses per unit of normal impulse that friction allows for this velocity: both edges
    /// of the cone where it sticks, the one against the slip where it slides.
    fn generators(&self, v: &V, mu: &Rational) -> Vec<V> {
        if !self.is_closed_by(v) {
            return Vec::new();
        }
        let slip = dot(&self.tangent, v);
        let edge = |sign: i32| plus(&self.normal, &Rational::from(mu * sign), &self.tangent);
        match slip.cmp0() {
            std::cmp::Ordering::Equal => vec![edge(1), edge(-1)],
            std::cmp::Ordering::Greater => vec![edge(-1)],
            std::cmp::Ordering::Less => vec![edge(1)],
        }
    }
}

/// Whether an impulse is a nonnegative combination of at most two generators (Caratheodory).
fn is_spanned(impulse: &V, generators: &[V]) -> bool {
    if *impulse == [0, 0] {
        return true;
    }
    let along = |g: &V| {
        let share = dot(impulse, g) / dot(g, g);
        share >= 0 && plus(&[r("0"), r("0")], &share, g) == *impulse
    };
    let pair = |a: &V, b: &V| cramer(a, b, impulse).is_some_and(|x| x.iter().all(|x| *x >= 0));
    generators.iter().any(along)
        || generators
            .iter()
            .any(|a| generators.iter().any(|b| pair(a, b)))
}

/// All velocities that a step from the free one may end with: those that some contact mode leads
/// to, tried mode by mode, without any complementarity problem.
fn velocities(free: &V, sides: &[Side; 2], mu: &Rational) -> Vec<V> {
    let mut tried = vec![free.clone()];
    for side in sides {
        // Sticking: at rest along the side, at the speed along the normal that closes it.
        let zero = [r("0"), r("0")];
        tried.push(plus(&zero, &-side.rate.clone(), &side.normal));
        for sign in [-1, 1] {
            // Sliding: c (n + sign mu t) with n'v' = -gap/h.
            let c = -(dot(&side.normal, free) + &side.rate);
            let edge = plus(&side.normal, &Rational::from(mu * sign), &side.tangent);
            tried.push(plus(free, &c, &edge));
        }
    }
    // Both closed.
    let [a, b] = sides;
    let across = [
        [a.normal[0].clone(), b.normal[0].clone()],
        [a.normal[1].clone(), b.normal[1].clone()],
    ];
    let target = [-a.rate.clone(), -b.rate.clone()];
    tried.extend(cramer(&across[0], &across[1], &target));
    tried.retain(|v| {
        let generators: Vec<V> = sides.iter().flat_map(|s| s.generators(v, mu)).collect();
        sides.iter().all(|side| side.admits(v)) && is_spanned(&plus(v, &r("-1"), free), &generators)
    });
    tried.sort();
    tried.dedup();
    tried
}

/// The unit normal and tangent of a line that rises by a slope of a Pythagorean triple.
fn side(slope: &Rational) -> (V, V) {
    let length = (slope.clone().square() + 1u32).numer().clone().sqrt();
    let length = Rational::from((length, slope.denom().clone()));
    assert_eq!(length.clone().square(), slope.clone().square() + 1u32);
    let cos = length.recip();
    let sin = Rational::from(slope * &cos);
    ([-sin.clone(), cos.clone()], [cos, sin])
}

#[test]
fn wedges_of_all_kinds_take_the_steps_of_their_contact_modes() {
    let (mut touching, mut both) = (0, 0);
    for (left, right, mu, h, start) in [
        ("3/4", "4/3", "3/10", "1/50", ["1/10", "1/2", "-1/2", "0"]),
        ("5/12", "8/15", "0", "1/30", ["-1/5", "3/4", "1", "-1"]),
        ("5/12", "12/5", "1/10", "1/100", ["0", "1/4", "2", "0"]),
        ("20/21", "20/21", "1/2", "1/25", ["0", "1", "0", "0"]),
        ("12/5", "3/4", "1", "1/16", ["1/8", "2/3", "-3", "1"]),
        ("15/8", "7/24", "2", "1/40", ["-1/20", "1/2", "1/3", "-2"]),
        ("0", "4/3", "1/5", "1/20", ["-1/2", "1/5", "3", "0"]),
        ("7/24", "7/24", "1/4", "1/10", ["1/3", "1/2", "0", "0"]),
    ] {
        let [x0, y0, v0x, v0y] = start;
        let settings = [
            ("left", left),
            ("right", right),
            ("mu", mu),
            ("h", h),
            ("x0", x0),
            ("y0", y0),
            ("v0x", v0x),
            ("v0y", v0y),
            ("steps", "60"),
        ];
        let lines = exactly("wedge", &settings);
        let (h, mu) = (r(h), r(mu));
        let frames = [side(&-r(left)), side(&r(right))];
        for (k, pair) in lines.windows(2).enumerate() {
            let (q, v) = (vector(&pair[0]["q"]), vector(&pair[0]["v"]));
            let sides = frames.each_ref().map(|(normal, tangent)| Side {
                rate: dot(normal, &q) / &h,
                normal: normal.clone(),
                tangent: tangent.clone(),
            });
            let weight = [r("0"), &h * r("-9.8")];
            let free = plus(&v, &r("1"), &weight);
            let possible = velocities(&free, &sides, &mu);
            let after = vector(&pair[1]["v"]);
            assert_eq!(
                possible,
                std::slice::from_ref(&after),
                "{settings:?}, step {}",
                k + 1
            );
            assert_eq!(vector(&pair[1]["q"]), plus(&q, &h, &after));
            let closed = sides
                .iter()
                .filter(|side| side.is_closed_by(&after))
                .count();
            touching += usize::from(closed == 1);
            both += usize::from(closed == 2);
        }
    }
    // The cases are no free flights.
    assert!(touching > 50 && both > 20, "{touching} {both}");
}

#[test]
fn the_linearised_step_in_any_ellipse_is_a_recursion_and_gains_what_theory_says() {
    let mut gained = 0;
    for (a, v0, h, steps) in [
        ("30", ["57/10", "57/40"], "1", 12),
        ("7", ["2", "1/2"], "1/2", 12),
        ("1", ["1", "1/3"], "1/4", 12),
        ("100", ["11", "2"], "1", 10),
    ] {
        let [x, y] = v0;
        let settings = [
            ("A", a),
            ("v0x", x),
            ("v0y", y),
            ("h", h),
            ("scheme", "linear"),
        ];
        let lines = exactly("ellipse", &settings);
        let square = r(a).square();
        let h = r(h);
        let (mut q, mut v) = ([r("0"), r("-1")], [r(x), r(y)]);
        for line in &lines[1..=steps] {
            let gap = r("1") - q[0].clone().square() / &square - q[1].clone().square();
            let normal = [q[0].clone() * -2 / &square, q[1].clone() * -2];
            let rate = dot(&normal, &v);
            let wanted = -(Rational::from(&gap / &h) + &rate);
            let energy = |v: &V| dot(v, v) / 2u32;
            let before = energy(&v);
            if wanted > 0 {
                let norm = dot(&normal, &normal);
                v = plus(&v, &(wanted / &norm), &normal);
                let change = (Rational::from(&gap / &h).square() - rate.square()) / (norm * 2u32);
                assert_eq!(energy(&v) - &before, change);
                gained += usize::from(change > 0);
            }
            q = plus(&q, &h, &v);
            // The run is on a grid of 2^-256, and errors grow.
            for i in 0..2 {
                assert!(
                    (number(&line["q"][i]) - q[i].to_f64()).abs() < 1e-9,
                    "{a} {line}"
                );
                assert!(
                    (number(&line["v"][i]) - v[i].to_f64()).abs() < 1e-9,
                    "{a} {line}"
                );
            }
            // Fractions triple their bits in steps that touch: go on from the grid.
            if q[0].denom().significant_bits() > 4000 {
                q = [0, 1].map(|i| read(&line["q"][i]));
                v = [0, 1].map(|i| read(&line["v"][i]));
            }
        }
    }
    assert!(gained > 0);
}

fn read(value: &Value) -> Rational {
    match value {
        Value::String(text) => r(text),
        other => Rational::from_f64(other.as_f64().unwrap()).unwrap(),
    }
}

#[test]
fn rods_of_other_heights_angles_and_steps_meet_the_table_when_free_flight_says() {
    for (y0, theta0, omega0, h) in [
        ("0.6", "30", "4", "0.01"),
        ("0.8", "75", "-3", "0.005"),
        ("1.3", "10", "0", "0.01"),
        ("0.4", "50", "7", "0.0025"),
        ("2", "90", "2", "0.02"),
    ] {
        let settings = [
            ("y0", y0),
            ("theta0", theta0),
            ("omega0", omega0),
            ("h", h),
            ("duration", "0.7"),
        ];
        let lines = exactly("rod", &settings);
        let [y0, theta0, omega0, h] = [y0, theta0, omega0, h].map(|text| r(text).to_f64());
        // After k steps of v' = v - h g the centre has fallen by g h^2 k (k + 1)/2.
        let gap = |k: usize| {
            let k = k as f64;
            let y = y0 - 9.81 * h * h * k * (k + 1.0) / 2.0;
            let theta = theta0.to_radians() + omega0 * h * k;
            y - 0.25 * theta.sin().abs() - 0.05
        };
        let expected = (1..).find(|&k| gap(k) < 0.0).unwrap();
        let pressed = |line: &Value| {
            let contacts = line["contacts"].as_array().unwrap();
            contacts.iter().any(|c| number(&c["normal"]) > 1e-9)
        };
        let found = (1..lines.len()).find(|&k| pressed(&lines[k])).unwrap();
        // A step that passes the table closely may touch it as well (docs/stewart-trinkle.md).
        assert!(
            found == expected || found + 1 == expected,
            "{settings:?}: {found} {expected}"
        );
        for (k, line) in lines.iter().enumerate().take(found).skip(1) {
            assert!(
                (number(&line["q"][1])
                    - (gap(k) + 0.05 + 0.25 * number(&line["q"][2]).sin().abs()))
                .abs()
                    < 1e-9
            );
        }
        // Neither end is ever in the table by more than the tolerance of the fixed point.
        for line in &lines[1..] {
            for contact in line["contacts"].as_array().unwrap() {
                assert!(number(&contact["gap"]) > -1e-9, "{settings:?} {line}");
            }
        }
    }
}
