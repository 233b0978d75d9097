//! Contacts of bodies in mixed form, at rest and in motion: answers that are right up to rounding are accepted, wrong ones
//! rejected, in any units and as in local form (`docs/cones.md`, "Bodies at rest").

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use etalon_certify::{Measure, Tolerance};
use etalon_judge::{Judge, Judgement};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, VerdictKind, record};
use proptest::prelude::*;
use rug::Rational;

use scene::{Dice, Scene};

fn judged(problem: &Problem, z: &[Rational]) -> Judgement {
    let z = z.iter().cloned().map(Number::from).collect();
    Judge::default().verdict(problem, &Claim::new("p", ClaimedAnswer::Solved { z }))
}

/// Whether an answer is accepted, in mixed form, in other units, and in local form.
fn accepted(scene: &Scene, z: &[Rational], dice: &mut Dice) -> [bool; 3] {
    let (other, moved) = scene.in_other_units(z, dice);
    let local = scene.local();
    let forces = &z[scene.free..];
    [
        judged(&scene.problem(), z),
        judged(&other.problem(), &moved),
        judged(&local.problem(), forces),
    ]
    .map(|judgement| judgement.accepted)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn answers_right_up_to_rounding_are_accepted_and_wrong_ones_rejected(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let scene = Scene::drawn(&mut dice);
        let verdict = judged(&scene.problem(), &scene.z).verdict;
        prop_assert_eq!(verdict.kind, VerdictKind::Exact, "{:?}", verdict.reason);
        let right = scene.rounded();
        prop_assert_eq!(accepted(&scene, &right, &mut dice), [true; 3]);
        // The largest force of a pair of bodies is wrong by a thousandth, and the velocities fit it, or not.
        let Some(normal) = scene.largest_pressed() else { return Ok(()) };
        for by in [Rational::from((1001, 1000)), Rational::from((999, 1000)), Rational::from(2), Rational::new()] {
            let mut wrong = right.clone();
            wrong[normal] *= by;
            prop_assert!(!judged(&scene.problem(), &wrong).accepted);
            scene.fit_velocities(&mut wrong);
            prop_assert_eq!(accepted(&scene, &wrong, &mut dice), [false; 3]);
        }
        // A velocity is wrong by a thousandth of what the forces on its body give in a unit of time.
        for (row, size) in scene.natural(&scene.z).into_iter().enumerate() {
            let mut wrong = right.clone();
            wrong[row] += size / 1000u32;
            prop_assert!(wrong[row] == right[row] || !judged(&scene.problem(), &wrong).accepted);
        }
    }
}

/// A body of mass 2 under 9.81 on one contact below its center; six velocities, then forces.
fn weight(v_z: &str, r_n: &str) -> (Problem, Claim) {
    let mut m = vec![[0_i32; 9]; 9];
    (0..6).for_each(|i| m[i][i] = 2);
    for (contact, velocity) in [(6, 2), (7, 0), (8, 1)] {
        m[contact][velocity] = 1;
        m[velocity][contact] = -1;
    }
    let free = ["\"-inf\""; 6].join(",");
    let text = format!(
        r#"{{"name":"p","M":{m:?},"q":[0,0,9.81,0,0,0,0,0,0],"lower":[{free},0,0,0],"cones":[{{"rows":[6,7,8],"mu":0.5}}]}}"#
    );
    let z = format!(r#"{{"name":"p","status":"solved","z":[0,0,{v_z},0,0,0,{r_n},0,0]}}"#);
    let problem = record::read_problem(&text).unwrap().record;
    (problem, record::read_claim(&z).unwrap().record)
}

#[test]
fn a_body_that_rests_up_to_rounding_is_accepted() {
    for prove in [false, true] {
        let judge = Judge {
            prove,
            ..Judge::default()
        };
        let (problem, claim) = weight("1e-17", "9.81");
        let judgement = judge.verdict(&problem, &claim);
        assert!(judgement.accepted, "{:?}", judgement.verdict);
        let measures = judgement.verdict.measures.unwrap();
        // The weight's row is wrong by 2e-17 of 19.62, and that is all.
        assert!(
            measures.error > 0 && measures.error < 2e-18,
            "{}",
            measures.error
        );
        assert_eq!(measures.block_error, Some(measures.error));
        assert_eq!(
            (measures.backward_error, measures.moved.entries),
            (Rational::from(1), 0)
        );
        for (v_z, r_n) in [
            ("1e-3", "9.81"),
            ("-1e-3", "9.81"),
            ("1e-7", "9.81"),
            ("0", "19.62"),
            ("4.905", "19.62"),
            ("1e-3", "9.812"),
            ("-4.905", "0"),
            ("0", "0"),
            ("1e-17", "-9.81"),
        ] {
            let (problem, claim) = weight(v_z, r_n);
            let judgement = judge.verdict(&problem, &claim);
            assert_eq!(judgement.verdict.kind, VerdictKind::Rejected, "{v_z} {r_n}");
        }
    }
    // A row of a body that no force enters holds nothing but its velocity, unless the record says what it is the difference of.
    let (problem, mut claim) = weight("1e-17", "9.81");
    let ClaimedAnswer::Solved { z } = &mut claim.answer else {
        panic!("it is an answer");
    };
    z[5] = z[2].clone();
    assert!(!Judge::default().verdict(&problem, &claim).accepted);
    let scale = (0..9).map(|i| Number::from(i64::from(i == 5))).collect();
    let problem = problem.with_scale(scale).unwrap();
    assert!(Judge::default().verdict(&problem, &claim).accepted);
    // Row by row the contact holds nothing but rounding.
    let (problem, claim) = weight("1e-17", "9.81");
    let measure = Measure::Componentwise;
    let tolerance = Tolerance {
        measure,
        ..Tolerance::default()
    };
    let judge = Judge {
        tolerance,
        ..Judge::default()
    };
    assert_eq!(
        judge.verdict(&problem, &claim).verdict.kind,
        VerdictKind::Rejected
    );
}

/// The free rows of `rows`, with their constants last, and contacts without friction that see the first unknowns less `speeds`.
fn pushed(rows: &[&str], speeds: &[&str], z: &str) -> Judgement {
    let (free, n) = (rows.len(), rows.len() + speeds.len());
    let mut m: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
    let mut q: Vec<&str> = m.iter_mut().filter_map(Vec::pop).collect();
    q.extend(speeds);
    for contact in 0..speeds.len() {
        m.push(
            (0..n)
                .map(|j| if j == contact { "1" } else { "0" })
                .collect(),
        );
    }
    let cones: Vec<_> = (free..n)
        .map(|row| format!(r#"{{"normal":{row},"discs":[]}}"#))
        .collect();
    let lower = [vec!["\"-inf\""; free], vec!["0"; speeds.len()]].concat();
    let list = |row: &Vec<&str>| format!("[{}]", row.join(","));
    let m: Vec<_> = m.iter().map(list).collect();
    let text = format!(
        r#"{{"name":"p","M":[{}],"q":[{}],"lower":[{}],"cones":[{}]}}"#,
        m.join(","),
        q.join(","),
        lower.join(","),
        cones.join(",")
    );
    let problem = record::read_problem(&text).unwrap().record;
    let z = format!(r#"{{"name":"p","status":"solved","z":{z}}}"#);
    Judge::default().verdict(&problem, &record::read_claim(&z).unwrap().record)
}

#[test]
fn large_numbers_of_other_rows_acquit_no_row_of_a_body() {
    // Of each scene a right answer, and one with forces that do not balance.
    let dense = ["2 1 -2 0 10", "1 1 -1 -1 1000000000005"];
    let one = ["1 -1 -1 9", "1 1e-9 0 -1"];
    let joined = ["1 0 -1 -1 0 9", "0 1 1 0 -1 9", "1 -1 1e-12 0 0 0"];
    for (rows, speeds, right, wrong) in [
        (
            &dense[..],
            &["0", "0"][..],
            "[0,0,5,1000000000000]",
            "[0,0,500,1000000000000]",
        ),
        (&one, &["-1"], "[1,0,10]", "[1,0,11]"),
        (&joined, &["-1", "-1"], "[1,1,0,10,10]", "[1,1,0,1000,500]"),
    ] {
        let judgement = pushed(rows, speeds, right);
        assert!(judgement.accepted, "{:?}", judgement.verdict);
        let judgement = pushed(rows, speeds, wrong);
        assert_eq!(judgement.verdict.kind, VerdictKind::Rejected, "{wrong}");
    }
}

/// `count` free rows, all coupled, most of them in motion, under a weight that one contact bears.
fn coupled(count: usize) -> (Problem, Claim) {
    let n = count + 3;
    let is_free = |i: usize| i < count;
    // Odd numbers of 53 bits, and a dominant diagonal.
    let long = |k: usize| (4_503_599_627_370_497 + 2 * k as u64) as f64 * 2_f64.powi(-52);
    let entry = |i: usize, j: usize| match (is_free(i), is_free(j)) {
        (true, true) if i == j => 1024.0,
        (true, true) => long(i * j + i + j),
        (true, false) if i == j - count => -1.0,
        (false, true) if j == i - count => 1.0,
        _ => 0.0,
    };
    let mut z = vec![0.0; n];
    (z[0], z[count]) = (1e-17, 9.81);
    z[3..count].fill(1.0);
    let q = |i: usize| match is_free(i) {
        true => z[count] * f64::from(i == 0) - (3..count).map(|j| entry(i, j)).sum::<f64>(),
        false => 0.0,
    };
    let rows: Vec<_> = (0..n).map(|i| json((0..n).map(|j| entry(i, j)))).collect();
    let lower: Vec<_> = (0..n)
        .map(|i| if is_free(i) { "\"-inf\"" } else { "0" })
        .collect();
    let text = format!(
        r#"{{"name":"p","M":[{}],"q":{},"lower":[{}],"cones":[{{"rows":[{count},{},{}],"mu":0.5}}]}}"#,
        rows.join(","),
        json((0..n).map(q)),
        lower.join(","),
        count + 1,
        count + 2
    );
    let problem = record::read_problem(&text).unwrap().record;
    let z = z
        .into_iter()
        .map(|v| Number::from_f64(v).unwrap())
        .collect();
    (problem, Claim::new("p", ClaimedAnswer::Solved { z }))
}

/// Numbers as a list of JSON.
fn json(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<_> = values.map(|value| format!("{value:e}")).collect();
    format!("[{}]", values.join(","))
}

#[test]
fn coupled_rows_are_solved_within_the_budget_and_what_is_beyond_is_said() {
    let said = |count: usize| {
        let (problem, claim) = coupled(count);
        let judgement = Judge::default().verdict(&problem, &claim);
        (
            judgement.accepted,
            judgement.verdict.reason.unwrap_or_default(),
        )
    };
    let unsolved = "the free rows were not solved for their unknowns: over the budget of work";
    assert_eq!(said(100), (true, String::new()));
    let (accepted, reason) = said(140);
    assert!(!accepted && reason.ends_with(unsolved), "{reason}");
}

fn verdict(problem: &str, z: &str) -> VerdictKind {
    let problem = record::read_problem(problem).unwrap().record;
    let claim = format!(r#"{{"name":"p","status":"solved","z":[{z}]}}"#);
    let claim = record::read_claim(&claim).unwrap().record;
    Judge::default().verdict(&problem, &claim).verdict.kind
}

/// Three wagons in relative coordinates: the first is pressed against a wall by Q, the other two together by 10. The row of the second
/// is idle, and large sizes are carried into it; they excuse no force of the buffer between the other two.
#[test]
fn noise_in_an_idle_row_excuses_no_force() {
    for q in [1_000_000_u64, 1_000_000_000, 100_000_000_000] {
        let wagons = format!(
            r#"{{"name":"p","M":[[3,2,1,-1,0],[2,2,1,0,0],[1,1,1,0,-1],[1,0,0,0,0],[0,0,1,0,0]],"q":[{q},0,10,0,0],
            "lower":["-inf","-inf","-inf",0,0],"cones":[{{"normal":3,"discs":[]}},{{"normal":4,"discs":[]}}]}}"#
        )
        .replace('\n', "");
        let right = format!("0,0,0,{q},10");
        assert_eq!(verdict(&wagons, &right), VerdictKind::Exact, "{q}");
        let rounded = format!(r#""1e-22","-1e-22","1e-23",{q},10"#);
        assert_eq!(verdict(&wagons, &rounded), VerdictKind::Accepted, "{q}");
        let mut wrong = vec![
            // The buffer open, and the wagons run into each other; with noise in the idle row, or without.
            format!("0,10,-20,{q},0"),
            format!(r#""-1/1000000","5000001/500000","-20000001/1000000",{q},0"#),
            format!(r#""-1/1000000000","-49999/500000000","199999/1000000000",{q},"100001/10000""#),
        ];
        if q > 1_000_000_000 {
            // Nothing moves at the buffer, and the idle row holds what is missing.
            wrong.extend([format!("0,-10,0,{q},0"), format!("0,-1,0,{q},9")]);
        }
        for z in wrong {
            assert_eq!(verdict(&wagons, &z), VerdictKind::Rejected, "{q}: {z}");
        }
    }
    let nearly_singular = r#"{"name":"p","M":[[1.0,0.5,"4999/10000",-1],[0.5,1.0,"99999999/100000000",0],["4999/10000","99999999/100000000",1.0,0],[1,0,0,0]],"q":[8,0,0,0],"lower":["-inf","-inf","-inf",0],"cones":[{"normal":3,"discs":[]}]}"#;
    let off =
        r#""399989999/5000999900000","-100002499/250049995","199985001/500099990","400001/50000""#;
    assert_eq!(verdict(nearly_singular, off), VerdictKind::Rejected);
    assert_eq!(verdict(nearly_singular, "0,0,0,8"), VerdictKind::Exact);
}
