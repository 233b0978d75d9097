//! Named scenes of bodies that keep apart as a whole, against closed forms.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{Line, to_f64s};
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::{find, read_moving};
use rug::Rational;

use crate::corner_files::lines;

fn of(name: &str, settings: &[(&str, &str)]) -> Vec<Line> {
    let instance = find(name)
        .unwrap()
        .motion_instance(settings.iter().copied());
    lines(&instance.unwrap().moving().unwrap())
}

/// The normal impulse of all contacts whose name has this in it.
fn pushed(line: &Line, part: &str) -> f64 {
    let named = line.contacts.iter().filter(|own| own.pair.contains(part));
    named.map(|own| own.normal.to_f64()).sum()
}

fn near(own: f64, truth: f64) -> bool {
    (own - truth).abs() < 1e-9
}

/// Bricks of 2 kg fall by g h a step until their gaps of 1/32 m and 1/16 m are closed, and lie there: no corner is inside of another brick at any
/// time. The lower one bears 4 kg and the middle one 2 kg, with moments about its middle in balance.
#[test]
fn bricks_fall_on_each_other_and_rest() {
    let own = of("bricks", &[]);
    let [g, h] = [10.0, 1.0 / 64.0];
    // k g h^2 a step adds up to k (k + 1)/2 g h^2: the gaps are closed in steps 5 and 7.
    for (k, line) in (1..).zip(&own) {
        let (q, v) = (to_f64s(&line.q), to_f64s(&line.v));
        let fallen = f64::from(k * (k + 1)) / 2.0 * g * h * h;
        for (y, v, rest, gap, lands) in [
            (q[1], v[1], 0.5, 1.0 / 32.0, 5),
            (q[4], v[4], 1.0, 1.0 / 16.0, 7),
        ] {
            let before = gap - f64::from(lands * (lands - 1)) / 2.0 * g * h * h;
            let speed = match k {
                k if k < lands => f64::from(k) * g * h,
                k if k == lands => before / h,
                _ => 0.0,
            };
            assert!(near(y, rest + (gap - fallen).max(0.0)), "step {k}: {y}");
            assert!(near(v, -speed), "step {k}: {v}");
        }
        for at in [q[0], q[2], q[3] - 0.25, q[5], v[0], v[2], v[3], v[5]] {
            assert!(near(at, 0.0), "step {k}: {q:?} {v:?}");
        }
    }
    // The first landing is by pairs as a whole, and so is the rest.
    let wholes = own.iter().filter(|line| pushed(line, ", whole ") > 0.0);
    assert!(wholes.count() >= 8);
    for line in &own[8..] {
        let weight = 2.0 * g * h;
        assert!(near(pushed(line, "/lower face 3"), 2.0 * weight));
        let above = pushed(line, "/middle face 3") + pushed(line, "/upper face 1");
        assert!(near(above, weight));
        // About the middle: m g h shift = (p_2 - p_1) w/2.
        let corner = |k: u32| pushed(line, &format!("middle corner {k}/lower face 3"));
        assert!(near((corner(2) - corner(1)) / 2.0, weight / 4.0));
    }
}

/// A brick whose middle is not above the others turns about their upper corner. Without friction nothing holds the two along x, and their
/// middles move to both sides alike.
#[test]
fn a_brick_falls_off_where_its_middle_is_not_above_others() {
    let own = of(
        "bricks",
        &[("shift", "3/4"), ("steps", "14"), ("drop", "0")],
    );
    for line in &own {
        let (q, v) = (to_f64s(&line.q), to_f64s(&line.v));
        assert!(near(q[0] + q[3], 0.75) && near(v[0] + v[3], 0.0), "{q:?}");
        assert!((q[1] - 0.5).abs() < 1e-6 && near(q[2], 0.0), "{q:?}");
    }
    // Clockwise: a vertical force a quarter of the width off its middle starts it with m g/4 = (J + m/16) a, and bears less as it turns.
    let last = own.last().unwrap();
    let spin = to_f64s(&last.v)[5];
    let most = 2.0 * 10.0 / 4.0 / (5.0 / 24.0 + 2.0 / 16.0) * 14.0 / 64.0;
    assert!(-spin < most && -spin > 0.94 * most, "{spin} {most}");
}

/// The lower edge of one bar meets the upper edge of another one at an arm of x0/cos(turn) along the bar: with the gap psi before the step
/// p (1/m + arm^2/I) = v + g h - psi/h, and all that pushes is edge on edge.
#[test]
fn crossed_bars_push_edge_on_edge() {
    let (half, m, g, h) = (0.125_f64, 2.0, 10.0, 1.0 / 64.0);
    let across = m * (1.0 / 3.0 + half * half / 6.0);
    // Four steps of free fall, and the gap that is left.
    let (v, gap) = (4.0 * g * h, 1.0 / 32.0 - 10.0 * g * h * h);
    for (x0, turn, cos) in [
        ("1/8", "1/4", 15.0 / 17.0),
        ("1/16", "0", 1.0),
        ("0", "1/3", 0.8),
    ] {
        let own = of(
            "crossed-bars",
            &[("x0", x0), ("turn", turn), ("steps", "5")],
        );
        let arm = x0.parse::<Rational>().unwrap().to_f64() / cos;
        let landed = &own[4];
        let [contact] = &landed.contacts[..] else {
            panic!("{:?}", landed.contacts);
        };
        assert!(contact.pair.starts_with("upper edge ") && contact.pair.contains("/lower edge "));
        let p = contact.normal.to_f64();
        let expected = (v + g * h - gap / h) / (1.0 / m + arm * arm / across);
        assert!((p - expected).abs() < 1e-9, "{p} {expected}");
        let rates = to_f64s(&landed.v);
        let spin = rates[3].hypot(rates[4]);
        assert!((spin - p * arm / across).abs() < 1e-9, "{rates:?}");
        assert!((rates[2] + 5.0 * g * h - p / m).abs() < 1e-9, "{rates:?}");
    }
    // With its middle on the edge it lies in balance, and the edge bears its weight.
    let balanced = of(
        "crossed-bars",
        &[("x0", "0"), ("turn", "0"), ("steps", "7")],
    );
    for line in &balanced[6..] {
        assert!(near(pushed(line, "/lower edge "), m * g * h));
        assert!(to_f64s(&line.v).iter().all(|v| near(*v, 0.0)));
    }
}

/// Runs the scene of a file, each step held against theory.
fn runs(text: &str) -> u64 {
    let scene = read_moving(text, None).unwrap();
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
    while run.k() < run.steps() {
        let (line, broken) = run.advance_examined().unwrap();
        assert_eq!(broken, [], "step {}", line.k);
    }
    run.k()
}

/// Seven corners are entered in one step, with friction. Lemke's method ends in rays for four choices of edges before one that works; to
/// search the first of them took more work than a step has.
#[test]
fn choices_that_are_left_open_wait_for_others() {
    assert_eq!(runs(include_str!("../data/heap.json")), 1);
}

/// In step 53 no choice of edges opens a way out, and a solution of the whole problem does. Run by
/// `cargo test -p etalon-scenarios --test it -- --ignored a_heap_of_six_bodies_falls_on`.
#[test]
#[ignore = "takes half a minute of a debug build"]
fn a_heap_of_six_bodies_falls_on() {
    assert_eq!(runs(include_str!("../data/heap_of_six.json")), 54);
}
