use etalon_exact::Budget;
use etalon_golden::forces::{
    FastAnswer, SMALL, SceneAnswer, SceneRecord, UniqueData, read_record, write_record,
};
use etalon_scenarios::{SceneFile, find};

use super::*;

fn record(name: &str, settings: &[(&str, &str)]) -> SceneRecord {
    let instance = find(name)
        .unwrap()
        .instance(settings.iter().copied())
        .unwrap();
    let scene = SceneFile {
        name: instance.name(),
        notes: None,
        setup: instance.setup,
    };
    derive(&scene, None, &Budget::default()).unwrap()
}

fn findings(record: &SceneRecord) -> Vec<String> {
    recheck(record, &Budget::default())
}

#[test]
fn records_of_all_kinds_hold_and_survive_their_text() {
    for (name, settings) in [
        ("stack", &[] as &[_]),
        ("grid", &[]),
        ("chain", &[]),
        ("ladder", &[]),
        ("arch", &[("stones", "2")]),
        ("painleve-inconsistent", &[]),
        ("painleve-indeterminate", &[]),
        ("darwin-ray", &[]),
        ("b-outside-range", &[]),
        ("cradle", &[]),
        ("arm", &[]),
        ("braked-arm", &[]),
        ("braked-arm", &[("brake", "24")]),
        ("braked-arm", &[("speed", "1")]),
    ] {
        let record = record(name, settings);
        assert_eq!(findings(&record), [""; 0], "{name}");
        let text = write_record(&record);
        let again = read_record(&text).unwrap();
        assert_eq!(again, record);
        assert_eq!(write_record(&again), text);
    }
}

/// Each digit of the exact and of the binary64 numbers counts, also for whoever forges the checksum.
#[test]
fn a_corrupted_digit_is_found() {
    for (name, settings) in [
        ("stack", &[] as &[_]),
        ("ladder", &[("mu_wall", "0"), ("mu_ground", "1")]),
        ("painleve-inconsistent", &[]),
        ("cradle", &[]),
    ] {
        let right = record(name, settings);
        let text = write_record(&right);
        let mut tried = 0;
        let end = text.rfind(r#""digest":"sha256"#).unwrap();
        for (at, old) in text
            .char_indices()
            .filter(|(at, c)| *at < end && c.is_ascii_digit())
        {
            let new = if old == '7' { '8' } else { '7' };
            let wrong = format!("{}{new}{}", &text[..at], &text[at + 1..]);
            let Ok(mut forged) = read_record(&wrong) else {
                continue;
            };
            if forged == right {
                // Another way to write the same binary64.
                continue;
            }
            if at % 7 == 0 {
                assert!(!findings(&forged).is_empty(), "{name}: byte {at}");
            }
            // The digits of names say nothing.
            let names = forged.scene != right.scene;
            if names {
                continue;
            }
            forged.digest = forged.checksum();
            assert!(!findings(&forged).is_empty(), "{name}: byte {at}: {wrong}");
            tried += 1;
        }
        assert!(tried > 20, "{name}: {tried}");
    }
}

#[test]
fn a_binary64_answer_that_holds_is_kept() {
    let instance = find("stack").unwrap().instance([]).unwrap();
    let scene = SceneFile {
        name: instance.name(),
        notes: None,
        setup: instance.setup,
    };
    let budget = Budget::default();
    let mut first = derive(&scene, None, &budget).unwrap();
    let own = first.fast.clone();
    // The last bits of another machine.
    let z: Vec<f64> = own.z.iter().flatten().map(|z| z.next_up()).collect();
    let problem = scene.setup.problem(&scene.name).unwrap();
    let measured = super::derive::measure(&scene.setup, &problem, &first.answer, &z).unwrap();
    first.fast.z = Some(z);
    (first.fast.backward_error, first.fast.difference) = (Some(measured.0), measured.1);
    assert_ne!(first.fast, own);
    let again = derive(&scene, Some(&first), &budget).unwrap();
    assert_eq!(again.fast, first.fast);
    first.fast.z = Some(vec![0.0; 3]);
    let again = derive(&scene, Some(&first), &budget).unwrap();
    assert_eq!(again.fast, own);
}

/// The method is the one that scenes are answered by, and gives an answer where it can.
#[test]
fn a_binary64_answer_of_nobody_and_one_that_was_dropped_are_found() {
    let right = record("stack", &[]);
    let forge = |change: &dyn Fn(&mut FastAnswer)| {
        let mut forged = right.clone();
        change(&mut forged.fast);
        forged.digest = forged.checksum();
        findings(&forged)
    };
    assert_eq!(
        forge(&|fast| fast.method = "by magic".to_owned()),
        ["fast: the method is fast-auto"]
    );
    let none = |fast: &mut FastAnswer| {
        (fast.z, fast.backward_error, fast.difference) = (None, None, None);
    };
    assert_eq!(
        forge(&none),
        ["fast: there is no answer, but the method gives one"]
    );
}

/// What is said of other answers counts as much as the answer, also with a forged checksum.
#[test]
fn a_wrong_statement_on_other_answers_is_found() {
    let forge = |right: &SceneRecord, change: &dyn Fn(&mut UniqueData)| {
        let mut forged = right.clone();
        forged.unique.as_mut().map(change).unwrap();
        assert_ne!(&forged, right);
        forged.digest = forged.checksum();
        findings(&forged).join("; ")
    };
    let one = record("stack", &[]);
    let several = record("arch", &[("stones", "2")]);
    assert_eq!(one.unique.as_ref().unwrap().of.as_deref(), Some("z"));
    let found = forge(&one, &|unique| unique.of = None);
    assert!(
        found.contains("unique: another solution is not shown"),
        "{found}"
    );
    let found = forge(&one, &|unique| unique.of = Some("w".to_owned()));
    assert!(
        found.contains("unique: what is known of other answers"),
        "{found}"
    );
    let found = forge(&one, &|unique| unique.certificate = None);
    assert!(found.contains("unique: there is no proof"), "{found}");
    let borrowed = one.unique.clone().unwrap().certificate;
    if let Some(unique) = &several.unique {
        assert_eq!(unique.of, None);
        let found = forge(&several, &|unique| unique.of = Some("z".to_owned()));
        assert!(
            found.contains("unique: the certificate proves something else"),
            "{found}"
        );
        let found = forge(&several, &|unique| {
            (unique.of, unique.certificate) = (Some("z".to_owned()), borrowed.clone());
        });
        assert!(found.contains("unique: "), "{found}");
        // The answer itself is no other one.
        let SceneAnswer::Solved { z, .. } = &several.answer else {
            panic!();
        };
        let same: Vec<String> = z.iter().map(|z| z.0.to_string()).collect();
        let found = forge(&several, &|unique| {
            let proof = serde_json::json!({"kind": "second-solution", "z": same});
            unique.certificate = Some(proof);
        });
        assert!(
            found.contains("unique: the certificate proves something else"),
            "{found}"
        );
    } else {
        panic!("an arch has several answers, and one of them is shown");
    }
    let mut silent = several;
    silent.unique = None;
    silent.digest = silent.checksum();
    assert!(!findings(&silent).is_empty());
}

/// Beyond the size up to which records are derived anew, they hold nothing that only this checks.
#[test]
fn large_records_hold_nothing_that_is_not_checked() {
    let settings = &[("blocks", "41")];
    let right = record("stack", settings);
    assert!(right.lcp.n > SMALL && right.runs.is_empty());
    assert_eq!(findings(&right), [""; 0]);
    let small = record("arch", &[("stones", "2")]);
    assert!(!small.runs.is_empty());
    let mut forged = right.clone();
    forged.runs = small.runs;
    forged.digest = forged.checksum();
    assert!(
        findings(&forged)
            .join("; ")
            .contains("runs: it is not checked")
    );
    let two = record("painleve-indeterminate", &[]);
    let mut forged = right;
    forged.answer = two.answer;
    forged.digest = forged.checksum();
    assert!(
        findings(&forged)
            .join("; ")
            .contains("answer: it is not checked")
    );
}
