//! The committed problems: whatever a fast method calls solved, the exact checker accepts.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::FastMethod;
use etalon_lcp::{ClaimedAnswer, VerdictKind, record};

/// The text of every golden record below a folder.
fn records(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            records(&path, found);
            continue;
        }
        // How the generated ones came about; no problem.
        if path.ends_with("recipe.json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => found.push(text),
            Some("jsonl") => found.extend(text.lines().map(str::to_owned)),
            _ => {}
        }
    }
}

#[test]
fn no_golden_is_called_solved_wrongly() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems");
    let mut found = Vec::new();
    records(folder.as_ref(), &mut found);
    assert!(found.len() > 200);
    let mut solved = [0; 4];
    for text in &found {
        let problem = record::read_problem(text).unwrap().record;
        for (method, solved) in FastMethod::ALL.iter().zip(&mut solved) {
            let claim = method.solver().solve(&problem);
            if claim.answer == ClaimedAnswer::Failed {
                if *method == FastMethod::Auto {
                    println!("{}: {:?}", problem.name(), claim.message);
                }
                continue;
            }
            let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
            let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
            assert!(fine, "{} by {method}: {verdict:?}", problem.name());
            *solved += 1;
        }
    }
    println!("of {}: {solved:?}", found.len());
}

#[test]
fn known_stumbling_blocks_are_solved() {
    for (suite, name) in [
        ("reports", "dart_dantzig_rounded_tie"),
        ("reports", "drake_moby_circulant"),
        ("siconos", "lcp_tobenna"),
        ("stewart-trinkle", "cycling-first_row_rule"),
    ] {
        let folder = env!("CARGO_MANIFEST_DIR");
        let path = format!("{folder}/../../golden/problems/{suite}/{name}.json");
        let problem = record::read_problem(&std::fs::read_to_string(path).unwrap()).unwrap();
        let claim = FastMethod::Auto.solver().solve(&problem.record);
        assert_ne!(claim.answer, ClaimedAnswer::Failed, "{name}: {claim:?}");
    }
}
