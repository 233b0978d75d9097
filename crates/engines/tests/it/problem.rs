//! Level A: intervals contain the distances of an independent prototype, faults are found, and the bound is never below
//! the true distance.

use crate::common::{changed, facts, step, steps, verdict};
use etalon_engines::step::{Form, Precision, Set};
use etalon_engines::{
    By, Distance, EngineStep, Flag, Level, LevelFinding, RowSet, StepJudge, StepVerdict, StepView,
    Word, filter_bound, filter_bound_of_pair,
};
use etalon_lcp::Number;
use proptest::prelude::*;
use serde_json::{Value, json};

fn full() -> StepJudge {
    StepJudge {
        full: true,
        ..StepJudge::default()
    }
}

fn distance(verdict: &StepVerdict) -> &Distance {
    match &verdict.finding {
        LevelFinding::Distance(own) => own,
        other => panic!("{}: {other:?}", verdict.name),
    }
}

#[test]
fn intervals_contain_the_distances_of_the_facts() {
    for (step, fact) in steps("mujoco").iter().zip(facts("mujoco")) {
        assert_eq!(fact["name"], step.name.as_str());
        let own = verdict(step, Level::A, full());
        let found = distance(&own);
        let ends = fact["distance_interval"].as_array().unwrap();
        let (lower, upper) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
        // Both are proved to hold the distance, up to the prototype's own rounding.
        assert!(
            found.relative.lower <= upper * (1.0 + 1e-9) + 1e-15,
            "{}: {found:?}",
            step.name
        );
        assert!(
            found.relative.upper >= lower * (1.0 - 1e-9) - 1e-15,
            "{}: {found:?}",
            step.name
        );
        assert!(found.relative.upper - found.relative.lower <= 1e-8 * (1.0 + upper));
    }
}

#[test]
fn words_are_those_of_the_distances() {
    for (step, fact) in steps("mujoco").iter().zip(facts("mujoco")) {
        let is_off = fact["distance"].as_f64().unwrap() > 1e-5;
        let own = verdict(step, Level::A, StepJudge::default());
        assert_eq!(own.word.is_wrong(), is_off, "{}", own.line());
        assert_eq!(own.word.is_right(), !is_off, "{}", own.line());
        if step.name.contains("newton") {
            assert!(own.word.is_right());
        }
    }
}

fn edited(name: &str, change: impl Fn(&mut serde_json::Value)) -> EngineStep {
    changed(&step("mujoco", name), change)
}

#[test]
fn pgs_at_the_apex_of_a_cone_has_converged_and_is_wrong() {
    let told = edited("apex/pgs-elliptic/0", |step| {
        step["answer"]["iterations"] = json!(1);
        step["answer"]["iteration_limit"] = json!(100);
    });
    let own = verdict(&told, Level::A, StepJudge::default());
    assert_eq!(
        (own.word, &own.flags[..]),
        (Word::Off, &[Flag::ConvergedAndWrong][..])
    );
    let found = distance(&own);
    // (|x_t| - x_n) / (2 + 2R) = 30.90975 N in closed form.
    assert!(found.relative.lower > 4.4559 && found.relative.upper < 4.4560);
    assert!(
        (found.joule.lower - 0.00382165058025).abs() < 1e-14,
        "{found:?}"
    );
    let limit = edited("apex/pgs-elliptic/0", |step| {
        step["answer"]["iterations"] = json!(100);
        step["answer"]["iteration_limit"] = json!(100);
    });
    assert_eq!(
        verdict(&limit, Level::A, StepJudge::default()).flags,
        [Flag::IterationLimit]
    );
}

#[test]
fn what_must_not_be_judged_says_why() {
    let rk4 = edited("apex/newton-elliptic/0", |step| {
        step["not_judged"] = json!("RK4: the data are of the fourth stage")
    });
    let own = verdict(&rk4, Level::A, StepJudge::default());
    assert_eq!(own.word, Word::NotJudged);
    assert_eq!(
        own.reason.as_deref(),
        Some("RK4: the data are of the fourth stage")
    );
    let floor = edited("apex/pgs-elliptic/0", |step| {
        step["R"] = json!([1e-15, 1e-15, 1e-15])
    });
    let own = verdict(&floor, Level::A, StepJudge::default());
    assert_eq!(own.word, Word::NotJudged, "{}", own.line());
    assert!(own.flags.contains(&Flag::Degenerate));
    assert!(
        own.reason
            .unwrap()
            .starts_with("degenerate: an R is at the floor")
    );
    let indefinite = edited("apex/newton-elliptic/0", |step| {
        step["M"]["entries"][0] = json!([0, 0, -1])
    });
    let own = verdict(&indefinite, Level::A, StepJudge::default());
    assert_eq!(own.word, Word::NotJudged);
    assert!(own.reason.unwrap().contains("not positive definite"));
}

#[test]
fn rows_that_nothing_feels_are_left_out() {
    let lost = edited("humanoid/newton-pyramidal/119", |step| {
        let entries = step["J"]["entries"].as_array_mut().unwrap();
        entries.retain(|entry| entry[0] != json!(1));
        step["answer"]["force"][1] = json!(5e17);
    });
    // Row 1 has no force in the answer, so the motion stays right.
    let own = verdict(&lost, Level::A, full());
    assert!(own.word.is_right(), "{}", own.line());
    assert_eq!(distance(&own).unfelt, [1]);
    assert!(own.flags.contains(&Flag::Unfelt));
}

#[test]
fn forces_that_do_not_give_the_motion_are_off() {
    let zero = edited("humanoid/newton-elliptic/119", |step| {
        step["answer"]["force"]
            .as_array_mut()
            .unwrap()
            .fill(json!(0));
    });
    let own = verdict(&zero, Level::A, StepJudge::default());
    assert_eq!(own.word, Word::Off);
    assert_eq!(own.flags, [Flag::ForcesOff]);
    // The motion alone is still right.
    assert!(distance(&own).relative.upper < 1e-9);
    assert!(distance(&own).pair.unwrap().lower > 1e-3);
    let motion = edited("humanoid/newton-elliptic/119", |step| {
        step["answer"].as_object_mut().unwrap().remove("force");
    });
    assert!(
        verdict(&motion, Level::A, StepJudge::default())
            .word
            .is_right()
    );
}

#[test]
fn forces_outside_of_their_sets_are_not_moved_there_and_accepted() {
    // What pulls where it may only push: with 0 in its place all would be right.
    let own = edited("humanoid/newton-pyramidal/119", |step| {
        let force = step["answer"]["force"].as_array_mut().unwrap();
        let rests = force.iter().position(|own| own.as_f64() == Some(0.0));
        force[rests.unwrap()] = json!(-1);
    });
    let own = verdict(&own, Level::A, StepJudge::default());
    assert_eq!(
        (own.word, &own.flags[..]),
        (Word::Off, &[Flag::ForcesOff][..]),
        "{}",
        own.line()
    );
}

#[test]
fn friction_loss_beyond_its_bound_is_off() {
    // a = 3 + f and |f| <= 1: f = -1, a = 2, w = 2 - 1/2 > 0. A thousandth more is 1/3000 of |a0| = 3.
    let judged = |f: f64| {
        let own = json!({"name": "loss", "h": 1, "M": [[1]], "force": [3], "J": [[1]], "R": [0.5], "target": [0],
            "sets": [{"kind": "box", "row": 0, "bound": 1}], "answer": {"acceleration": [2], "force": [f]}});
        let step = etalon_engines::read_step(&own.to_string()).unwrap().record;
        verdict(&step, Level::A, StepJudge::default())
    };
    assert!(judged(-1.0).word.is_right());
    let off = judged(-1.001);
    assert_eq!(
        (off.word, &off.flags[..]),
        (Word::Off, &[Flag::ForcesOff][..]),
        "{}",
        off.line()
    );
}

#[test]
fn forces_must_give_the_motion_within_the_tolerance_but_for_those_of_the_law() {
    // A part in a thousand of the largest force.
    let own = edited("humanoid/newton-elliptic/119", |step| {
        let force = step["answer"]["force"].as_array_mut().unwrap();
        let size = |own: &Value| own.as_f64().unwrap().abs();
        let largest = (0..force.len()).max_by(|a, b| size(&force[*a]).total_cmp(&size(&force[*b])));
        let largest = &mut force[largest.unwrap()];
        *largest = json!(largest.as_f64().unwrap() * 1.001);
    });
    let own = verdict(&own, Level::A, StepJudge::default());
    assert_eq!(
        (own.word, &own.flags[..]),
        (Word::Off, &[Flag::ForcesOff][..]),
        "{}",
        own.line()
    );
    assert!(distance(&own).pair.unwrap().lower < 1e-3);
}

#[test]
fn the_bound_of_a_pair_counts_what_rounding_puts_outside_of_the_sets() {
    // Two boxes pull a mass of 1 kg apart with F = 2^31 each, so that a = q = 1 is right to the bit: w = a + R F - r = 0 in
    // both. The first force is 31 units in its last place outside of its box: M a - J'f - q = 31 * 2^-52 F = 1.48e-5.
    let large = 2f64.powi(31);
    let outside = large * (1.0 + 31.0 * f64::EPSILON);
    let r = 2f64.powi(-40);
    let view = StepView {
        h: 0.01,
        m: &[1.0],
        force: &[1.0],
        j: &[1.0, -1.0],
        r: &[r, r],
        target: &[1.0 + r * large, -1.0 + r * large],
        rows: &[RowSet::Box(large), RowSet::Box(large)],
        motion: &[1.0],
        constraint_force: Some(&[outside, large]),
    };
    view.check().unwrap();
    let off = 31.0 * f64::EPSILON * large;
    let bound = filter_bound_of_pair(&view).unwrap();
    assert!(bound.relative >= off, "{bound:?}");
    assert!(bound.acceleration >= off, "{bound:?}");
    // More than the tolerance of 1e-5: it is for exact arithmetic to say so.
    let step = view.to_step("pulled", Precision::F64).unwrap();
    let own = verdict(&step, Level::A, StepJudge::default());
    assert_eq!(
        (own.word, &own.flags[..]),
        (Word::Off, &[Flag::ForcesOff][..]),
        "{}",
        own.line()
    );
    let pair = distance(&own).pair.unwrap();
    assert!(pair.lower <= off && off <= pair.upper, "{pair:?}");
}

#[test]
fn exact_arithmetic_takes_over_where_binary64_proves_nothing() {
    // Exact strings have no filter; the solution of a closed form is exact.
    let text = r#"{"name": "exact", "h": "1/100", "M": [["1/3"]], "force": ["-1/3"], "J": [[1]], "R": ["1/7"],
        "target": [0], "sets": [{"kind": "nonnegative", "rows": [0]}],
        "answer": {"acceleration": ["-1/22"], "force": ["7/22"]}}"#;
    let step = |text: &str| etalon_engines::read_step(text).unwrap().record;
    // a = (f - 1/3) 3 and a + f/7 = 0: f = 21/66 = 7/22.
    let own = verdict(&step(text), Level::A, StepJudge::default());
    assert_eq!(own.word, Word::Exact, "{}", own.line());
    assert_eq!(distance(&own).by, By::Certificate);
    let off = verdict(
        &step(&text.replace("-1/22", "-1/21")),
        Level::A,
        StepJudge::default(),
    );
    assert_eq!(off.word, Word::Off);
    assert_eq!(distance(&off).by, By::ExactSolution);
    // |1/21 - 1/22| relative to |a0| = 1, all in the norm of M.
    let lower = distance(&off).relative.lower;
    assert!((lower * 462.0 - 1.0).abs() < 1e-15, "{lower}");
}

#[test]
fn what_meets_the_criterion_of_the_engine_is_loose() {
    // As above: P(a) = (a + 1)^2/6 + 7a^2/2 for a < 0, so P(-1/21) - P(-1/22) = (1/3 + 7)/2 (1/462)^2 = 11/640332.
    let text = |gap: &str| {
        format!(
            r#"{{"name": "stop", "h": 1, "M": [["1/3"]], "force": ["-1/3"], "J": [[1]], "R": ["1/7"], "target": [0],
            "sets": [{{"kind": "nonnegative", "rows": [0]}}],
            "answer": {{"acceleration": ["-1/21"], "iterations": 1, "iteration_limit": 9, "stop_gap": {gap}}}}}"#
        )
    };
    let judged = |gap: &str| {
        let step = etalon_engines::read_step(&text(gap)).unwrap().record;
        verdict(&step, Level::A, StepJudge::default())
    };
    let loose = judged(r#""11/640331""#);
    assert_eq!((loose.word, &loose.flags[..]), (Word::Loose, &[][..]));
    assert!(!loose.word.is_wrong() && !loose.word.is_right());
    let found = distance(&loose).objective.unwrap();
    assert!(
        (11.0 / 640_332.0..11.0 / 640_331.999).contains(&found),
        "{found}"
    );
    assert!(loose.reason.unwrap().contains("own tolerance lets it stop"));
    let off = judged(r#""11/640333""#);
    assert_eq!(
        (off.word, &off.flags[..]),
        (Word::Off, &[Flag::ConvergedAndWrong][..])
    );
    let fault = etalon_engines::read_step(&text("-1")).err().unwrap();
    assert!(
        fault
            .to_string()
            .ends_with("answer.stop_gap: -1 is negative")
    );
}

#[test]
fn a_step_of_newton_in_sliding_contact_is_loose() {
    // An independent solver finds a distance of 1.1788e-5, and the objective 4.719e-6 above its minimum.
    let own = &steps("loose")[0];
    let found = verdict(own, Level::A, StepJudge::default());
    assert_eq!((found.word, &found.flags[..]), (Word::Loose, &[][..]));
    let objective = distance(&found).objective.unwrap();
    assert!((4.718e-6..4.76e-6).contains(&objective), "{objective}");
}

/// A step with boxes, an equality and plain rows, whatever the numbers.
fn random() -> impl Strategy<Value = (EngineStep, Vec<f64>, Vec<f64>)> {
    let number = || (-32..=32_i32).prop_map(|own| f64::from(own) / 8.0);
    let vector = move |n| proptest::collection::vec(number(), n);
    let mu = (1..=12_i32).prop_map(|own| f64::from(own) / 8.0);
    (vector(9), vector(18), vector(6), vector(3), vector(3), vector(6), vector(2), mu, any::<bool>()).prop_map(
        |(root, j, target, force, motion, f, shift, mu, cone)| {
            // M = GG' + 1, exact in binary64.
            let entry = |i: usize, k: usize| {
                let product: f64 = (0..3).map(|l| root[3 * i + l] * root[3 * k + l]).sum();
                product + f64::from(u8::from(i == k))
            };
            let m: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|k| entry(i, k)).collect()).collect();
            let rows: Vec<&[f64]> = j.chunks(3).collect();
            let sets = if cone {
                json!([{"kind": "cone", "first": 0, "mu": [mu, mu / 2.0]}, {"kind": "box", "row": 3, "bound": 1.5},
                    {"kind": "nonnegative", "rows": [4]}, {"kind": "equality", "rows": [5, 6]}])
            } else {
                json!([{"kind": "nonnegative", "rows": [0, 1, 2, 4]}, {"kind": "box", "rows": [3], "bound": [1.5]},
                    {"kind": "equality", "rows": [5, 6]}])
            };
            let r = 0.25 + shift[0].abs();
            let own = json!({"name": "random", "h": 0.01, "M": m, "force": force, "J": rows,
                "R": [r, 0.5, 0.5, 0.125, 1, r], "target": target, "sets": sets,
                "answer": {"acceleration": motion, "force": f}});
            let step = etalon_engines::read_step(&own.to_string()).unwrap().record;
            (step, motion, f)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The theorem: whatever the answer, filter and certificate are not below the distance of a reference solution.
    #[test]
    fn bounds_are_never_below_the_true_distance((step, _, _) in random()) {
        let judged = verdict(&step, Level::A, full());
        let truth = distance(&judged).relative;
        prop_assert!(truth.upper - truth.lower <= 1e-6 * truth.upper.max(1e-3) || truth.upper.is_infinite(), "{} {}", judged.line(), etalon_engines::write_step(&step));
        let Form::Generalised(own) = &step.form else { unreachable!() };
        let answer = own.answer.as_ref().unwrap();
        let floats = |own: &[Number]| own.iter().map(Number::to_f64).collect::<Vec<_>>();
        let (m, j) = (own.m.to_dense().unwrap(), own.j.to_dense().unwrap());
        let (force, r, target) = (floats(&own.force), floats(own.r.as_ref().unwrap()), floats(own.target.as_ref().unwrap()));
        let (motion, f) = (floats(answer.motion.as_ref().unwrap()), floats(answer.force.as_ref().unwrap()));
        let rows: Vec<RowSet> = own.sets.iter().flat_map(|set| match set {
            Set::Equality(_) => vec![RowSet::Equality],
            Set::Box(_, bound) => vec![RowSet::Box(bound.to_f64())],
            Set::Nonnegative(_) => vec![RowSet::Nonnegative],
            Set::Cone(_, mu) => {
                let tangential = mu.iter().map(|mu| RowSet::Tangential(mu.to_f64()));
                std::iter::once(RowSet::Normal).chain(tangential).collect()
            }
            Set::Disc(..) | Set::Turning(..) | Set::Pyramid(..) => unreachable!("there is none"),
        }).collect();
        let view = StepView { h: 0.01, m: &m, force: &force, j: &j, r: &r, target: &target, rows: &rows,
            motion: &motion, constraint_force: Some(&f) };
        view.check().unwrap();
        let bound = filter_bound(&view).unwrap();
        prop_assert!(bound.relative >= truth.lower, "{bound:?} {truth:?}");
        // The same arrays as a record are the same step.
        let again = view.to_step("random", Precision::F64).unwrap();
        let again = verdict(&again, Level::A, full());
        prop_assert_eq!(distance(&again).relative, truth);
    }
}
