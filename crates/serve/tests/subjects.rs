//! Solvers under test that move a world: what the judge says of them, and what their motion does.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Page, start};
use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem};
use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};

/// A page with a world that waits, moved by a solver.
fn paused(server: &etalon_serve::Server, world: &str, bodies: usize, solver: &Value) -> Page {
    let mut page = Page::connect(server);
    page.tell(json!({"type": "open", "world": world, "bodies": bodies, "running": false}));
    page.next("frame");
    let mut set = solver.clone();
    set["type"] = json!("set");
    page.tell(set);
    page.next("scene");
    page.next("frame");
    page
}

/// The frame after one more step.
fn step(page: &mut Page) -> Value {
    page.tell(json!({"type": "step"}));
    page.next("frame")
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_f64().unwrap()).collect()
}

/// The record that the command line would read, with the verdict that it gives.
fn judged_again(lcp: &Value, f: &[f64]) -> (String, bool, Option<String>) {
    let (a, b) = (numbers(&lcp["a"]), numbers(&lcp["b"]));
    let n = b.len();
    let m = DMatrix::from_row_slice(n, n, &a);
    let problem = Problem::from_binary64("page", &m, &DVector::from_vec(b)).unwrap();
    let z = f.iter().map(|f| Number::from_f64(*f).unwrap()).collect();
    let claim = Claim::new("page", ClaimedAnswer::Solved { z });
    let judgement = Judge::default().verdict(&problem, &claim);
    let verdict = judgement.verdict;
    (
        verdict.kind.word().to_owned(),
        judgement.accepted,
        verdict.reason,
    )
}

#[test]
fn one_sweep_is_rejected_with_the_reason_that_the_judge_gives_elsewhere() {
    let server = start();
    let sweep = json!({"solver": "gauss_seidel", "sweeps": 1});
    let mut page = paused(&server, "pile", 6, &sweep);
    let frame = step(&mut page);
    let (lcp, subject) = (&frame["forces"], &frame["subject"]);
    assert_eq!(
        (&subject["accepted"], &subject["wrong"]),
        (&json!(false), &json!(1))
    );
    let (word, accepted, reason) = judged_again(lcp, &numbers(&lcp["f"]));
    assert!(!accepted);
    assert_eq!(subject["verdict"], json!(word));
    assert_eq!(subject["reason"], json!(reason.unwrap()));
    assert_eq!(lcp["reason"], subject["reason"]);
    // The right forces stand beside, and are right; the engine's own answers are judged as ever.
    let (_, accepted, _) = judged_again(lcp, &numbers(&lcp["right"]));
    assert!(accepted);
    let contacts = frame["contacts"].as_array().unwrap();
    assert_eq!(frame["right"].as_array().unwrap().len(), contacts.len());
    assert_eq!(frame["verdicts"]["wrong"], 0);
}

#[test]
fn the_motion_by_wrong_forces_parts_and_that_by_right_ones_does_not() {
    let server = start();
    let apart = |solver: &Value| {
        let mut page = paused(&server, "pile", 6, solver);
        let frames: Vec<Value> = (0..60).map(|_| step(&mut page)).collect();
        let last = &frames[59]["subject"];
        assert_eq!(last["beside"].as_array().unwrap().len(), 10);
        (
            last["apart"].as_f64().unwrap(),
            last["wrong"].as_u64().unwrap(),
        )
    };
    let (wrong, count) = apart(&json!({"solver": "gauss_seidel", "sweeps": 1}));
    assert!(wrong > 0.1 && count > 30, "{wrong} m, {count} wrong");
    for solver in [
        json!({"solver": "gauss_seidel", "sweeps": 300}),
        json!({"solver": "exact"}),
    ] {
        let (right, count) = apart(&solver);
        assert!(
            right < 1e-9 && count == 0,
            "{solver}: {right} m, {count} wrong"
        );
    }
}

#[test]
fn a_dantzig_without_a_rule_for_ties_is_right_on_a_tower_and_wrong_on_a_pile() {
    let server = start();
    let wrong = |world: &str| {
        let mut page = paused(&server, world, 6, &json!({"solver": "naive_dantzig"}));
        let frames: Vec<Value> = (0..30).map(|_| step(&mut page)).collect();
        let subject = &frames[29]["subject"];
        (
            subject["wrong"].as_u64().unwrap(),
            subject["judged"].as_u64().unwrap(),
        )
    };
    // Each contact of the tower is needed; those of the pile depend on each other.
    assert_eq!(wrong("tower"), (0, 30));
    assert!(wrong("pile").0 > 0);
}

#[test]
fn least_forces_of_redundant_contacts_do_not_flicker() {
    let server = start();
    let mut page = Page::connect(&server);
    page.tell(json!({"type": "open", "world": "pile", "bodies": 6, "running": false}));
    page.next("frame");
    let frames: Vec<Value> = (0..30).map(|_| step(&mut page)).collect();
    let forces = |frame: &Value| -> Vec<f64> {
        let contacts = frame["contacts"].as_array().unwrap().iter();
        contacts
            .map(|contact| contact["force"].as_f64().unwrap())
            .collect()
    };
    for pair in frames[5..].windows(2) {
        let change = forces(&pair[0]).into_iter().zip(forces(&pair[1]));
        let most = change.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(most < 1e-2, "{most} N from frame to frame");
    }
    let last = &frames[29];
    let lcp = &last["forces"];
    assert!(lcp["uniqueness"]["forces_differ"].as_f64().unwrap() > 0.1);
    assert!(lcp["uniqueness"]["accelerations_agree"].as_f64().unwrap() < 1e-3);
    let f = numbers(&lcp["f"]);
    assert!(judged_again(lcp, &f).1);
    // They are symmetric as the pile is: no other vector of least norm could be.
    let mut sorted = f.clone();
    sorted.sort_by(f64::total_cmp);
    for pair in sorted.chunks(2) {
        assert!((pair[0] - pair[1]).abs() < 0.05, "{sorted:?}");
    }
    // The contacts of the tower are all needed: nothing is said there.
    page.tell(json!({"type": "open", "world": "tower", "bodies": 3, "running": false}));
    page.next("scene");
    page.next("frame");
    assert_eq!(step(&mut page)["forces"]["uniqueness"], Value::Null);
}

#[test]
fn a_solver_stays_until_another_is_chosen_and_its_setting_has_limits() {
    let server = start();
    let mut page = paused(&server, "tower", 2, &json!({"solver": "exact"}));
    assert_eq!(step(&mut page)["subject"]["solver"], "exact");
    page.tell(json!({"type": "open", "world": "pile", "bodies": 3, "running": false}));
    assert_eq!(page.next("scene")["controls"]["solver"], "exact");
    for sweeps in [json!(0), json!(501), json!(4_000_000_000_u32)] {
        page.tell(json!({"type": "set", "sweeps": sweeps}));
        assert_eq!(page.next("error")["code"], "out_of_range", "{sweeps}");
    }
    for sweeps in [
        json!(-1),
        json!(1.5),
        json!("many"),
        json!(5_000_000_000_u64),
    ] {
        page.tell(json!({"type": "set", "sweeps": sweeps}));
        assert_eq!(page.next("error")["code"], "bad_field", "{sweeps}");
    }
    page.tell(json!({"type": "set", "solver": "fast"}));
    assert_eq!(page.next("scene")["controls"]["solver"], "fast");
    page.next("frame");
    assert_eq!(step(&mut page)["subject"], Value::Null);
}
