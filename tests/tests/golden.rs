//! The judge and the checker as tests: one for each golden problem and property, by name.
//!
//! `NAME::proof` re-proves what the record says from nothing; `NAME::METHOD` holds a solver to
//! it. `cargo test -p etalon-tests --test golden -- siconos/ exact-lemke` runs those whose name
//! contains one of the words.

use std::process::ExitCode;
use std::sync::Arc;

use etalon::exact::Budget;
use etalon::golden::forces::read_record;
use etalon::methods::{Assigned, all_methods};
use etalon::replay::forces::recheck;
use etalon_golden::{Assignment, Golden};
use etalon_judge::Judge;
use etalon_tests::goldens;
use libtest_mimic::{Arguments, Failed, Trial};

/// What a solver may spend on one problem; no time limit, which would depend on the machine.
const PIVOTS: u64 = 20_000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let goldens: Vec<Arc<Golden>> = goldens::all().into_iter().map(Arc::new).collect();
    let budget = Budget {
        pivots: PIVOTS,
        ..Budget::default()
    };
    let methods: Vec<Arc<Assigned>> = all_methods(&budget).into_iter().map(Arc::new).collect();
    let mut trials = vec![Trial::test("the_suite_holds_a_thousand_problems", {
        let count = goldens.len();
        move || {
            if count < 1000 {
                return Err(Failed::from(format!("only {count} problems")));
            }
            Ok(())
        }
    })];
    for golden in &goldens {
        let name = golden.problem.name();
        let proof = Arc::clone(golden);
        trials.push(Trial::test(format!("{name}::proof"), move || {
            holds(&proof, &[])
        }));
        for method in &methods {
            let (golden, method) = (Arc::clone(golden), Arc::clone(method));
            trials.push(Trial::test(
                format!("{name}::{}", method.name()),
                move || holds(&golden, &[method.as_assignment()]),
            ));
        }
    }
    trials.extend(scenes());
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Each golden scene, re-checked from itself.
fn scenes() -> Vec<Trial> {
    let folder = goldens::folder().with_file_name("scenes");
    let files = etalon_golden::scene_files(&[folder]).unwrap_or_else(|error| panic!("{error}"));
    let texts = files.iter().map(|file| {
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    });
    let texts: Vec<String> = texts.collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    lines
        .map(|line| {
            let record = read_record(line).unwrap_or_else(|error| panic!("{error}: {line:.80}"));
            Trial::test(format!("scene {}::recheck", record.name), move || {
                let findings = recheck(&record, &Budget::default());
                if findings.is_empty() {
                    return Ok(());
                }
                Err(Failed::from(findings.join("; ")))
            })
        })
        .collect()
}

fn holds(golden: &Golden, assignments: &[Assignment<'_>]) -> Result<(), Failed> {
    let report = golden.reprove(assignments, &Judge::default());
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    if findings.is_empty() {
        return Ok(());
    }
    Err(Failed::from(format!(
        "{}: {}",
        golden.origin,
        findings.join("; ")
    )))
}
