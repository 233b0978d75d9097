//! A peg and a hole: several corners in one step, against closed forms and every solution.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_certify::solves;
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{Number, Solver, parse_rational};
use etalon_scenarios::find;
use etalon_scenarios::motion::{Arithmetics, MotionError};
use etalon_time_stepping::Term;
use rug::Rational;
use serde_json::Value;

fn r(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn exact() -> Box<dyn Solver + Send + Sync> {
    ExactMethod::Lemke.solver(&Budget::default())
}

/// The lines of a run, every step of which keeps the laws. Half-spaces may be violated at the start,
/// which gains energy.
fn run(settings: &[(&str, &str)]) -> Result<Vec<Value>, MotionError> {
    let solver = exact();
    let hole = find("hole").unwrap();
    let instance = hole.motion_instance(settings.iter().copied()).unwrap();
    let mut run = instance.trajectory(Arithmetics::Exact, &*solver, None)?;
    let mut lines = Vec::new();
    while run.k() < run.steps() {
        let (line, mut violations) = run.advance_examined()?;
        if settings.contains(&("formulation", "st")) {
            violations.retain(|found| found.term != Term::PositionLoss);
        }
        assert!(violations.is_empty(), "{violations:?}");
        lines.push(serde_json::to_value(line).unwrap());
    }
    Ok(lines)
}

fn fractions(value: &Value) -> Vec<Rational> {
    let texts = value.as_array().unwrap().iter();
    texts.map(|text| r(text.as_str().unwrap())).collect()
}

fn all(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| r(text)).collect()
}

fn impulses(line: &Value) -> Vec<Rational> {
    let contacts = line["contacts"].as_array().unwrap().iter();
    contacts.map(|c| r(c["normal"].as_str().unwrap())).collect()
}

#[test]
fn half_spaces_keep_the_peg_above_the_hole_and_corners_let_it_in() {
    // Both slopes of 3/4 meet at (1/2, -3/32) for the middle of a peg of 3/4 in a hole of 1.
    let above = run(&[("formulation", "st"), ("steps", "200")]).unwrap();
    let last = &above[199];
    assert_eq!(fractions(&last["v"]), [0, 0]);
    assert_eq!(fractions(&last["q"]), all(&["1/2", "-3/32"]));
    let inside = run(&[]).unwrap();
    let last = inside.last().unwrap();
    assert_eq!(fractions(&last["q"])[1], -1);
    // It has not lost its way along x: it fits between the walls.
    let x = &fractions(&last["q"])[0];
    assert!(*x >= r("3/8") && *x <= r("5/8"), "{x}");
}

#[test]
fn over_level_ground_the_peg_falls_and_stands_where_the_ground_is() {
    // v = -1 - 10 k/16, y = 1/2 - k/16 - 10 k (k + 1)/512, so that the fourth step ends in the ground:
    // above the ground (x < 3/8) the impulse 2 ((y_3/h) - v) stops it at y = 0; beside, in the hole,
    // it goes on. Level ground, so that x keeps.
    for (x0, stands) in [
        ("1/4", true),
        ("3/8", false),
        ("1/2", false),
        ("5/8", false),
        ("3/4", true),
    ] {
        let lines = run(&[("half_angle", "0"), ("x0", x0), ("steps", "12")]).unwrap();
        for (k, line) in (1_i64..).zip(&lines[..3]) {
            let y = r("1/2") - Rational::from((k, 16)) - Rational::from((10 * k * (k + 1), 512));
            assert_eq!(fractions(&line["q"]), [r(x0), y], "{x0}");
        }
        let line = &lines[3];
        let y3 = &fractions(&lines[2]["q"])[1];
        let free = Rational::from((-1 - 4 * 10, 16)) - r("15/16");
        if stands {
            let impulse = (-(y3.clone() * 16u32) - &free) * 2u32;
            assert_eq!(impulses(line).iter().sum::<Rational>(), impulse);
            assert_eq!(fractions(&line["q"]), [r(x0), r("0")]);
            assert_eq!(fractions(&lines[11]["q"]), [r(x0), r("0")]);
        } else {
            assert!(impulses(line).iter().all(|p| *p == 0));
            assert_eq!(fractions(&lines[11]["q"]), [r(x0), r("-1")]);
        }
    }
}

#[test]
fn a_peg_that_is_too_wide_is_carried_by_both_rims() {
    // The slopes of 3/4 meet at y = 3/32; there 2 p 4/5 = m g h = 5/4.
    let jam = [("peg", "5/4"), ("steps", "200")];
    let lines = run(&jam).unwrap();
    let last = &lines[199];
    assert_eq!(fractions(&last["q"]), all(&["1/2", "3/32"]));
    assert_eq!(fractions(&last["v"]), [0, 0]);
    assert_eq!(impulses(last), all(&["25/32", "0", "25/32", "0", "0"]));
    assert_eq!(
        last["entry"],
        serde_json::json!(["peg/left rim", "peg/right rim"])
    );
    // Four half-spaces that have no point in common.
    let error = run(&[jam[0], ("formulation", "st")]).unwrap_err();
    assert!(matches!(error, MotionError::Step { .. }), "{error}");
}

#[test]
fn a_peg_that_just_fits_slides_between_walls_that_may_squeeze_it_at_will() {
    let lines = run(&[("peg", "1"), ("x0", "1/2"), ("steps", "6")]).unwrap();
    let line = &lines[5];
    assert_eq!(fractions(&line["q"])[0], r("1/2"));
    assert!(fractions(&line["q"])[1] < 0);
    assert!(impulses(line).iter().all(|p| *p == 0));
    // All solutions: nothing, and both walls with as much as one likes.
    let pieces = line["pieces"].as_array().unwrap();
    let rays = pieces.iter().flat_map(|p| p["rays"].as_array().unwrap());
    let rays: Vec<_> = rays.map(fractions).collect();
    assert!(
        rays.iter().any(|ray| ray[1] > 0
            && ray[1] == ray[3]
            && [0, 2, 4].map(|i| ray[i] == 0) == [true; 3]),
        "{rays:?}"
    );
}

#[test]
fn every_solution_that_is_listed_solves_the_problem_and_so_does_the_one_taken() {
    let solver = exact();
    for settings in [
        &[][..],
        &[("peg", "5/4")],
        &[("half_angle", "0")],
        &[("v0x", "3"), ("peg", "1/2"), ("half_angle", "1/2")],
        &[("v0x", "-4"), ("x0", "3/8"), ("half_angle", "1/5")],
    ] {
        let instance = find("hole")
            .unwrap()
            .motion_instance(settings.iter().copied());
        let instance = instance.unwrap();
        let mut run = instance
            .trajectory(Arithmetics::Exact, &*solver, None)
            .unwrap();
        let mut families = 0;
        while run.k() < run.steps() {
            let (line, record) = run.advance_recorded().unwrap();
            let line = serde_json::to_value(line).unwrap();
            let problem = &record.problem;
            let q = problem.q_exact();
            let b = |row: usize, p: &[Rational]| -> Rational {
                let places = [1, 2, 4, 5, 6];
                let terms = places.iter().zip(p);
                let terms = terms.map(|(&j, p)| problem.m().get(row, j).unwrap().to_rational() * p);
                terms.fold(q[row].clone(), |sum, term| sum + term)
            };
            let family = line["family"].as_array().unwrap();
            for vertex in family {
                let p = fractions(vertex);
                // psi_2 is the row of p_1 without c, psi_1 what the row of c lacks of it.
                let last = [b(1, &p), b(4, &p)];
                let first = [last[0].clone() - b(0, &p), last[1].clone() - b(3, &p)];
                let mut gaps: Vec<Rational> = (0..2)
                    .map(|i| first[i].clone().max(last[i].clone()))
                    .collect();
                gaps.push(b(6, &p));
                assert!(gaps.iter().all(|gap| *gap >= 0), "{line}");
                for (gap, own) in gaps.iter().zip([&p[..2], &p[2..4], &p[4..]]) {
                    assert!(own.iter().all(|p| *p >= 0));
                    assert!(*gap == 0 || own.iter().all(|p| *p == 0), "{line}");
                }
            }
            families += usize::from(!family.is_empty());
            let z: Vec<Rational> = record.z.iter().map(Number::to_rational).collect();
            assert!(solves(problem, &z).unwrap(), "{line}");
        }
        assert!(families > 0, "{settings:?}");
    }
}

/// The energy of a line, in all.
fn energy(line: &Value) -> Rational {
    let energy = line["energy"].as_object().unwrap().values();
    energy.map(|part| r(part.as_str().unwrap())).sum()
}

#[test]
fn what_a_step_dissipates_is_the_energy_that_it_loses_also_where_it_stops_at_an_edge() {
    // Down onto the sloping rim of the right side, pushed over its edge: the gap of the rim stays
    // closed.
    let edge = [
        ("hole", "3/2"),
        ("peg", "1"),
        ("half_angle", "4/5"),
        ("x0", "2"),
        ("y0", "1/4"),
        ("v0y", "-1"),
        ("h", "1/4"),
        ("steps", "6"),
    ];
    let other = [
        ("hole", "3/2"),
        ("half_angle", "3/5"),
        ("x0", "3/8"),
        ("y0", "1/4"),
        ("v0x", "-6"),
        ("v0y", "-6"),
        ("h", "1/8"),
        ("mu", "1/4"),
    ];
    for settings in [&edge[..], &other] {
        let lines = run(settings).unwrap();
        let over = |line: &Value| {
            let contacts = line["contacts"].as_array().unwrap().iter();
            contacts
                .clone()
                .any(|c| r(c["normal"].as_str().unwrap()) > 0 && r(c["gap"].as_str().unwrap()) < 0)
        };
        assert!(lines.iter().any(over), "{settings:?}");
        for pair in lines.windows(2) {
            let lost = energy(&pair[0]) - energy(&pair[1]);
            assert_eq!(lost, r(pair[1]["dissipated"].as_str().unwrap()));
            let parts = pair[1]["dissipation"].as_object().unwrap().values();
            assert_eq!(
                lost,
                parts
                    .map(|part| r(part.as_str().unwrap()))
                    .sum::<Rational>()
            );
        }
    }
}

#[test]
fn friction_holds_the_peg_on_the_rim_or_lets_it_slide_as_on_a_slope() {
    // A rim of slope 3/4: below mu = 3/4 the peg gains g h (3/5 - 4/5 mu) a step along it, from then
    // on it comes to rest.
    let start = [("x0", "-2"), ("y0", "57/32"), ("v0y", "0"), ("steps", "14")];
    let along = |line: &Value| {
        let v = fractions(&line["v"]);
        assert_eq!(v[0].clone() * 3u32, -v[1].clone() * 4u32, "{line}");
        v[0].clone() * r("4/5") - v[1].clone() * r("3/5")
    };
    for (mu, gain) in [("0", "3/5"), ("1/4", "2/5"), ("1/2", "1/5")] {
        let lines = run(&[&start[..], &[("mu", mu)]].concat()).unwrap();
        let speeds: Vec<_> = lines.iter().map(along).collect();
        for pair in speeds.windows(2) {
            let faster = pair[1].clone() - &pair[0];
            assert_eq!(faster, r(gain) * 10u32 / 16u32, "{mu}");
        }
        let friction = fractions(&lines[13]["contacts"][0]["friction"]);
        if mu == "0" {
            assert!(friction.is_empty());
        } else {
            // m g h cos = 1 N s, against the way down, along (4/5, -3/5).
            assert_eq!(friction, [-r(mu)]);
        }
    }
    for mu in ["3/4", "2"] {
        let lines = run(&[&start[..], &[("mu", mu)]].concat()).unwrap();
        let last = &lines[13];
        assert_eq!(fractions(&last["v"]), [0, 0], "{mu}");
        // All solutions are listed, also at rest.
        assert!(lines.iter().all(|line| line["unlisted"].is_null()), "{mu}");
        // Friction and normal impulse carry the weight, m g h = 5/4.
        let [p, f] = [
            &last["contacts"][0]["normal"],
            &last["contacts"][0]["friction"][0],
        ];
        assert_eq!(
            (r(p.as_str().unwrap()), r(f.as_str().unwrap())),
            (r("1"), r("-3/4"))
        );
    }
    // Half-spaces have friction as well.
    let above = run(&[("formulation", "st"), ("mu", "1/2"), ("steps", "60")]).unwrap();
    assert!(above.iter().any(|line| {
        let contacts = line["contacts"].as_array().unwrap().iter();
        contacts
            .clone()
            .any(|c| fractions(&c["friction"]).iter().any(|f| *f != 0))
    }));
}
