//! Answers to one contact, against the cone solver and what is known.

use serde_json::{Value, json};

use super::*;

fn ask(q: [f64; 3], mu: f64) -> AskContact {
    AskContact {
        m: [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]],
        q,
        mu,
        law: ContactLaw::Coulomb,
        r: None,
    }
}

#[test]
fn three_answers_of_one_contact_are_all_exact() {
    let shown = answer(&ask([1.0, 5.0, 0.0], 2.0)).unwrap();
    let modes: Vec<_> = shown
        .answers
        .iter()
        .filter_map(|a| a.mode.as_deref())
        .collect();
    assert_eq!(modes, ["open", "stick", "slide"]);
    for (own, right) in shown
        .answers
        .iter()
        .zip([[0.0; 3], [3.0, -4.0, 0.0], [1.0, -2.0, 0.0]])
    {
        assert!(own.accepted && own.proved, "{own:?}");
        for (a, b) in own.r.iter().zip(right) {
            assert!((a - b).abs() < 1e-12, "{own:?}");
        }
    }
}

#[test]
fn the_judge_decides_on_the_force_of_the_page() {
    let own = |r| {
        let ask = AskContact {
            r: Some(r),
            ..ask([1.0, 5.0, 0.0], 2.0)
        };
        answer(&ask).unwrap().own.unwrap()
    };
    assert_eq!(own([1.0, -2.0, 0.0]).verdict, "exact");
    let wrong = own([2.0, 0.0, 0.0]);
    assert!(!wrong.accepted && wrong.reason.is_some() && wrong.mode.is_none());
    let outside = own([1.0, 0.0, 4.0]);
    assert!(!outside.accepted && outside.negativity > Some(0.1));
}

#[test]
fn numbers_out_of_range_are_named() {
    for (ask, field) in [
        (ask([f64::NAN, 0.0, 0.0], 1.0), "q"),
        (ask([1e9, 0.0, 0.0], 1.0), "q"),
        (ask([0.0; 3], -1.0), "mu"),
        (ask([0.0; 3], f64::INFINITY), "mu"),
    ] {
        let complaint = answer(&ask).unwrap_err();
        assert_eq!(complaint.code, ComplaintCode::OutOfRange);
        assert_eq!(complaint.field.as_deref(), Some(field));
    }
}

/// Fractions with few bits between -3 and 3, the same on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from((self.0 >> 40) as u32) / f64::from(1 << 24) * 6.0 - 3.0
    }

    /// M = B B' + 1/8 is positive definite, and as random as its root.
    fn contact(&mut self, law: ContactLaw) -> AskContact {
        let b: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| self.next()));
        let entry = |i: usize, j: usize| {
            let sum: f64 = (0..3).map(|k| b[i][k] * b[j][k]).sum();
            sum + if i == j { 0.125 } else { 0.0 }
        };
        AskContact {
            m: std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))),
            q: std::array::from_fn(|_| self.next()),
            mu: 2.0 * self.next().abs(),
            law,
            r: None,
        }
    }
}

#[test]
fn what_the_cone_solver_finds_is_found_and_every_answer_is_accepted() {
    let mut draw = Draw(1);
    let (mut solved, mut proved, mut several) = (0, 0, 0);
    for k in 0..400 {
        let law = [ContactLaw::Coulomb, ContactLaw::Convex][k % 2];
        let ask = draw.contact(law);
        let found = answer(&ask).unwrap().answers;
        assert!(found.iter().all(|own| own.accepted), "{ask:?}: {found:?}");
        proved += usize::from(found.iter().all(|own| own.proved));
        several += usize::from(found.len() > 1);
        // Under the convex law a positive definite M leaves one.
        assert!(
            law == ContactLaw::Coulomb || found.len() == 1,
            "{ask:?}: {found:?}"
        );
        let claim = etalon_lcp::Solver::solve(&etalon_fast::ConeSolver, &problem(&ask).unwrap());
        let ClaimedAnswer::Solved { z } = claim.answer else {
            continue;
        };
        solved += 1;
        let near = |own: &AnswerShown| {
            let size = own.r.iter().fold(1e-9_f64, |size, r| size.max(r.abs()));
            z.iter()
                .zip(own.r)
                .all(|(z, r)| (z.to_f64() - r).abs() <= 1e-6 * size)
        };
        assert!(found.iter().any(near), "{ask:?}: {found:?} without {z:?}");
    }
    assert!(
        solved > 390 && proved > 390 && several > 2,
        "{solved} {proved} {several}"
    );
}

#[test]
fn a_mode_that_is_about_to_change_is_not_proved() {
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (q, mode, proved) in [
        ([-1.0, 0.5, 0.0], "stick", true),
        // On the cone, and not yet slipping.
        ([-1.0, 1.0, 0.0], "stick", false),
        ([-1.0, 1.5, 0.0], "slide", true),
        // It grazes: r = 0 is an exact solution, and open by its definition.
        ([0.0, 1.0, 0.0], "open", true),
    ] {
        let shown = answer(&AskContact {
            m: unit,
            ..ask(q, 1.0)
        })
        .unwrap();
        let own = &shown.answers[0];
        assert_eq!(
            (own.mode.as_deref(), own.proved),
            (Some(mode), proved),
            "{shown:?}"
        );
        assert!(own.accepted && shown.answers.len() == 1, "{shown:?}");
    }
    let smooth = answer(&AskContact {
        m: unit,
        ..ask([-1.0, 1.0, 0.0], 0.0)
    })
    .unwrap();
    assert_eq!(smooth.answers[0].mode.as_deref(), Some("slide"));
    assert!(smooth.answers[0].proved && smooth.answers[0].verdict == "exact");
}

#[test]
fn numbers_at_the_ends_of_binary64_are_judged_or_have_no_answer() {
    // A force of 1e306 and a velocity beyond binary64: it is left out.
    let m = [[1e-300, 0.0, 0.0], [1e6, 1e6, 0.0], [0.0, 0.0, 1e6]];
    let far = AskContact {
        m,
        ..ask([-1e6, 0.0, 0.0], 0.0)
    };
    assert!(answer(&far).unwrap().answers.is_empty());
    for small in [5e-324, 1e-160, 1e-9] {
        for law in [ContactLaw::Coulomb, ContactLaw::Convex] {
            let m = [[small, 1e6, small], [-1e6, small, 0.0], [0.0, small, small]];
            for r in [[small; 3], [1e6; 3], [-small, 1e6, 0.0]] {
                let own = AskContact {
                    m,
                    q: [-small, 1e6, small],
                    mu: small,
                    law,
                    r: Some(r),
                };
                let shown = answer(&own).unwrap();
                for one in shown.answers.iter().chain(&shown.own) {
                    assert!(
                        one.r.iter().chain(&one.u).all(|x| x.is_finite()),
                        "{shown:?}"
                    );
                }
            }
        }
    }
}

/// The page asks about a contact and a force alone: of the claims that all doors are asked, those that say no more.
#[test]
fn the_page_is_told_what_every_door_is() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/judgements.jsonl");
    let mut verdicts = std::collections::BTreeSet::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let shared: Value = serde_json::from_str(line).unwrap();
        let read = |field: &str| serde_json::from_str(shared[field].as_str().unwrap()).unwrap();
        let (problem, claim): (Value, Value) = (read("problem"), read("claim"));
        let cone = &problem["cones"][0];
        if problem.get("expect").is_some() || cone["rows"] != json!([0, 1, 2]) {
            continue;
        }
        let (m, q) = (&problem["M"], &problem["q"]);
        let law = cone.get("law").cloned().unwrap_or(json!("coulomb"));
        let ask = json!({"m": m, "q": q, "mu": cone["mu"], "law": law, "r": claim["z"]});
        // Not a solution, one of fractions, or one of another length.
        let Ok(ask @ AskContact { r: Some(_), .. }) = serde_json::from_value(ask) else {
            continue;
        };
        let Ok(shown) = answer(&ask) else {
            let huge = ask.r.unwrap().iter().any(|r| r.abs() > ENTRY);
            assert!(huge, "{line}");
            continue;
        };
        let (own, verdict) = (shown.own.unwrap(), &shared["verdict"]);
        let word = verdict["verdict"].as_str().unwrap();
        assert_eq!(own.verdict, word, "{line}");
        assert_eq!(own.accepted, shared["accepted"], "{line}");
        assert_eq!(own.error, verdict["error"].as_f64(), "{line}");
        assert_eq!(own.negativity, verdict["negativity"].as_f64(), "{line}");
        verdicts.insert(word.to_owned());
    }
    assert_eq!(Vec::from_iter(verdicts), ["accepted", "exact", "rejected"]);
}
