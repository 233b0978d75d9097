//! What the solvers under test get right, and what they get wrong.

use etalon_planar::{Keep, LcpKind, Observer, Watch};

use super::*;

/// A problem of contacts without friction, with an answer of the engine that is not looked at.
fn judged(chosen: ChosenSubject, a: &[f64], b: &[f64]) -> (Vec<f64>, String, Option<String>) {
    let n = b.len();
    let event = LcpEvent {
        kind: LcpKind::Forces,
        time: 0.0,
        a,
        b,
        bounds: &vec![RowBound::AtLeast(0.0); n],
        f: &vec![1.0; n],
        clamped: &vec![false; n],
        pivots: 0,
        ridge: 0.0,
        places: &[],
    };
    let f = chosen.forces(&event).unwrap();
    let mut watch = Watch::new(Keep::Nothing);
    watch.lcp(&LcpEvent { f: &f, ..event });
    let (_, verdict) = watch.last().unwrap();
    (f, verdict.kind.word().to_owned(), verdict.reason.clone())
}

fn of(name: SolverName, sweeps: u32) -> ChosenSubject {
    ChosenSubject { name, sweeps }
}

/// Two blocks on each other, the lower one on the floor: row 0 between them, row 1 on the floor.
const TOWER: ([f64; 4], [f64; 2]) = ([2.0, -1.0, -1.0, 1.0], [0.0, -10.0]);

#[test]
fn one_sweep_is_rejected_with_a_reason_and_a_hundred_are_right() {
    let (a, b) = TOWER;
    let (f, verdict, reason) = judged(of(SolverName::GaussSeidel, 1), &a, &b);
    // The upper block was asked when the lower one did not fall on anything yet.
    assert_eq!((f, &*verdict), (vec![0.0, 10.0], "rejected"));
    assert!(reason.is_some());
    let (_, verdict, _) = judged(of(SolverName::GaussSeidel, 100), &a, &b);
    assert_eq!(verdict, "exact");
}

#[test]
fn the_naive_dantzig_is_right_where_nothing_is_redundant() {
    let (a, b) = TOWER;
    let (f, verdict, _) = judged(of(SolverName::NaiveDantzig, 1), &a, &b);
    assert_eq!((f, &*verdict), (vec![10.0, 20.0], "exact"));
}

#[test]
fn exact_forces_are_exact() {
    let (a, b) = TOWER;
    let (f, verdict, _) = judged(of(SolverName::Exact, 1), &a, &b);
    assert_eq!((f, &*verdict), (vec![10.0, 20.0], "exact"));
}
