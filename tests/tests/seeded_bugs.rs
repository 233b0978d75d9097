//! Faults in a copy of our own fast solver, each caught by name: by the golden problems, or by so many problems
//! of the fuzzer. The sound copy is at fault nowhere.

#![allow(
    dead_code,
    missing_docs,
    unused_braces,
    unused_imports,
    clippy::all,
    reason = "a copy, of which this uses a part, with switches in the midst of expressions"
)]

// The copy that build.rs made.
include!(concat!(env!("OUT_DIR"), "/fast/lib.rs"));

mod seeded {
    include!("../seeded/bugs.rs");
}

include!("../seeded/frame.rs");

use std::path::PathBuf;

use etalon_conformance::{Capabilities, Examiner, Fault, Fuzz, InProcess};
use etalon_lcp::{Claim, Problem, Solver};
use etalon_tests::cores::on_all_cores;
use seeded::BUGS;

/// Problems of the fuzzer: some seconds, on any machine the same ones.
const FUZZED: u64 = 1_300;

/// Goldens of at most so many rows.
const ROWS: usize = 40;

/// A method of the copy.
struct Copy(Box<dyn Solver + Send + Sync>);

impl Solver for Copy {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        self.0.solve(problem)
    }
}

fn methods() -> Vec<InProcess<Copy>> {
    let methods = FastMethod::ALL.into_iter();
    methods
        .map(|method| InProcess(Copy(method.solver())))
        .collect()
}

fn problems() -> Vec<Problem> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/problems"));
    let goldens = etalon_golden::read(&[folder]).unwrap();
    let mut problems: Vec<_> = goldens.map(|golden| golden.unwrap().problem).collect();
    problems.retain(|problem| problem.n() <= ROWS);
    let methods = methods();
    let mut fuzz = Fuzz::new(&methods[0], 1);
    fuzz.goldens = problems
        .iter()
        .filter(|p| p.is_binary64())
        .cloned()
        .collect();
    problems.extend((0..FUZZED).map(|k| fuzz.problem(k).0));
    let can = capabilities();
    problems.retain(|problem| can.lacks(problem).is_none());
    problems
}

fn capabilities() -> Capabilities {
    Capabilities {
        unsolvable: true,
        friction: true,
        ..Capabilities::default()
    }
}

/// Giving up counts where the sound copy does not.
fn examiner() -> Examiner {
    Examiner {
        can: capabilities(),
        giving_up_counts: true,
        ..Examiner::default()
    }
}

#[test]
fn every_seeded_bug_is_caught() {
    let problems = problems();
    let examiner = examiner();
    let methods = methods();
    // Whether a method of the sound copy answers a problem. Where it gives up, nobody is blamed for giving up, but
    // for a wrong answer still.
    let all: Vec<_> = problems
        .iter()
        .flat_map(|problem| methods.iter().map(move |method| (method, problem)))
        .collect();
    let answered = on_all_cores(&all, |(method, problem)| {
        match examiner.examine(*method, problem).fault {
            None => true,
            Some(Fault::GaveUp) => false,
            Some(fault) => panic!("{fault} by the sound copy on {}", problem.name()),
        }
    });
    let count = answered.iter().filter(|answered| **answered).count();
    assert!(count > 2_000, "only {count} answered");
    // The first question that catches a bug, whichever core asks.
    let bugs: Vec<usize> = (0..BUGS.len()).collect();
    let caught = on_all_cores(&bugs, |k| {
        let mut questions = all.iter().zip(&answered);
        with_bug(*k, || {
            questions.find_map(|((method, problem), answered)| {
                let fault = examiner.examine(*method, problem).fault?;
                (*answered || fault != Fault::GaveUp)
                    .then(|| (method.0.name(), problem.name(), fault))
            })
        })
    });
    let mut missed = Vec::new();
    for (bug, caught) in BUGS.iter().zip(caught) {
        match caught {
            Some((method, problem, fault)) => {
                println!("{}: {method}: {fault} on {problem}", bug.name)
            }
            None => missed.push(bug.name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

#[test]
fn names_are_for_one_bug_each() {
    assert_names_differ(BUGS, 20);
}
