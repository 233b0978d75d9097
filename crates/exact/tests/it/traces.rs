//! Each law of a run on steps that keep it, and on steps that break it.

use etalon_exact::{PivotStep, Progress, Trace, Variable};
use etalon_lcp::{Matrix, Number, Row};
use rug::Rational;

use Variable::{W, Z};

fn values(of: &[i64]) -> Vec<Rational> {
    of.iter().copied().map(Rational::from).collect()
}

/// A step of length 1 that brings z_0 in for w_0.
fn step(z: &[i64], w: &[i64], progress: Progress) -> PivotStep {
    PivotStep {
        entering: Z(0),
        leaving: W(0),
        length: Rational::from(1),
        basic: vec![Z(0)],
        z: values(z),
        w: values(w),
        progress,
    }
}

fn of_length(length: i64) -> PivotStep {
    PivotStep {
        length: Rational::from(length),
        ..step(&[], &[], Progress::Basis)
    }
}

fn trace(steps: impl IntoIterator<Item = PivotStep>) -> Trace {
    Trace {
        steps: steps.into_iter().collect(),
    }
}

#[test]
fn only_an_exchange_repeats_a_basis() {
    let exchange = |basic: &[Variable]| PivotStep {
        basic: basic.to_vec(),
        ..step(&[], &[], Progress::Basis)
    };
    let to_the_other_bound = |basic: &[Variable]| PivotStep {
        leaving: Z(0),
        ..exchange(basic)
    };
    let (first, second) = ([Z(0), W(1)], [W(0), Z(1)]);
    let run = [exchange(&first), exchange(&second)];
    assert_eq!(trace(run.clone()).first_repeated_basis(), None);
    let stays = run.clone().into_iter().chain([to_the_other_bound(&second)]);
    assert_eq!(trace(stays).first_repeated_basis(), None);
    let returns = run.into_iter().chain([exchange(&first)]);
    assert_eq!(trace(returns).first_repeated_basis(), Some(2));
}

#[test]
fn the_perturbed_artificial_variable_falls_lexicographically() {
    let at = |of: &[i64]| step(&[], &[], Progress::Artificial(values(of)));
    let both = |steps: &[PivotStep]| {
        let trace = trace(steps.to_vec());
        let falls = trace.first_artificial_not_falling();
        (falls, trace.first_artificial_rising())
    };
    assert_eq!(both(&[at(&[3, 0]), at(&[2, 9]), at(&[2, 8])]), (None, None));
    // It stands still, then it rises in the perturbation alone.
    let run = [at(&[3, 0]), at(&[3, 0]), at(&[3, 1])];
    assert_eq!(both(&run), (Some(1), Some(2)));
    // Steps of another kind between have no such value.
    let between = [at(&[3]), of_length(1), at(&[4])];
    assert_eq!(both(&between), (None, None));
}

#[test]
fn lengths_are_positive_or_degenerate_or_wrong() {
    let run = |lengths: &[i64]| {
        let trace = trace(lengths.iter().map(|length| of_length(*length)));
        (trace.first_negative_length(), trace.first_degenerate_step())
    };
    assert_eq!(run(&[1, 2]), (None, None));
    assert_eq!(run(&[1, 0, 0]), (None, Some(1)));
    assert_eq!(run(&[1, 2, -1]), (Some(2), None));
}

/// Steps of drives of row 1: each has w_1 afterwards and a length.
fn drives(steps: &[(i64, i64)]) -> Trace {
    trace(steps.iter().map(|(w, length)| PivotStep {
        length: Rational::from(*length),
        ..step(&[0, 0], &[0, *w], Progress::Driven(1))
    }))
}

#[test]
fn a_drive_moves_the_row_that_is_driven() {
    let zero = Number::from(0);
    let up = [Row::Nonnegative, Row::Nonnegative];
    let down = [Row::Nonnegative, Row::AtMost(&zero)];
    let start = values(&[0, -5]);
    // A degenerate step may stand still; a step that has a length may not.
    let rising = drives(&[(-4, 1), (-4, 0), (0, 2)]);
    assert_eq!(rising.first_stall(&start, &up), None);
    assert_eq!(rising.first_stall(&start, &down), Some(0));
    let falling = drives(&[(-6, 1), (-6, 0), (-7, 2)]);
    assert_eq!(falling.first_stall(&start, &up), Some(0));
    assert_eq!(falling.first_stall(&start, &down), None);
    for rows in [&up, &down] {
        assert_eq!(drives(&[(-5, 1)]).first_stall(&start, rows), Some(0));
        assert_eq!(drives(&[(-5, 0)]).first_stall(&start, rows), None);
    }
    // Steps that drive no row have no such law, and count for the next one's start.
    let other = [step(&[0, 0], &[0, 3], Progress::Basis)];
    let later = other.into_iter().chain(drives(&[(2, 1)]).steps);
    assert_eq!(trace(later).first_stall(&start, &up), Some(1));
}

#[test]
fn a_drive_has_no_clamped_set_twice() {
    let with = |d: usize, basic: &[Variable], z: &[i64]| PivotStep {
        basic: basic.to_vec(),
        ..step(z, &[0, 0, 0], Progress::Driven(d))
    };
    let first = with(2, &[Z(0), W(1)], &[1, 0, 5]);
    // Another set, another drive, and another bound of the row off the set are no repetition.
    let others = [
        with(2, &[W(0), Z(1)], &[0, 1, 5]),
        with(1, &[Z(0), W(1)], &[1, 0, 5]),
        with(2, &[Z(0), W(1)], &[1, 7, 5]),
    ];
    let run = [first.clone()].into_iter().chain(others);
    assert_eq!(trace(run.clone()).first_repeated_clamped_set(), None);
    // The driven z and those in the set have moved on, which makes no difference.
    let again = with(2, &[Z(0), W(1)], &[3, 0, 6]);
    let repeated = run.clone().chain([again.clone()]);
    assert_eq!(trace(repeated).first_repeated_clamped_set(), Some(4));
    let stays = PivotStep {
        leaving: Z(0),
        ..again
    };
    let run = run.chain([stays]);
    assert_eq!(trace(run).first_repeated_clamped_set(), None);
}

#[test]
fn a_clamped_set_has_a_regular_block() {
    let row = |of: [i64; 3]| of.map(Number::from).to_vec();
    let m = Matrix::from_rows(vec![row([0, 2, 1]), row([3, 0, 0]), row([1, 0, 0])]).unwrap();
    let with = |basic: &[Variable]| PivotStep {
        basic: basic.to_vec(),
        ..step(&[], &[], Progress::Basis)
    };
    // The pair needs an exchange of rows; of the third row with the second one none helps.
    let regular = [with(&[Z(0), Z(1), W(2)]), with(&[Z(0), W(1), Z(2)])];
    assert_eq!(trace(regular.clone()).first_singular_block(&m), None);
    let all = regular.into_iter().chain([with(&[Z(0), Z(1), Z(2)])]);
    assert_eq!(trace(all).first_singular_block(&m), Some(2));
    // [[2, 4], [1, 2]] is singular after one step of elimination, [[2, 4], [1, 3]] is not.
    for (last, singular) in [(2, Some(0)), (3, None)] {
        let row = |of: [i64; 2]| of.map(Number::from).to_vec();
        let m = Matrix::from_rows(vec![row([2, 4]), row([1, last])]).unwrap();
        let step = with(&[Z(0), Z(1)]);
        assert_eq!(trace([step]).first_singular_block(&m), singular);
    }
}

/// The law on one step of one row, with row 1 driven or not.
fn both_laws(row: &Row<'_>, z: i64, w: i64) -> (bool, bool) {
    let run = trace([step(&[z], &[w], Progress::Basis)]);
    let rows = std::slice::from_ref(row);
    let complementary = run.first_uncomplementary(rows).is_none();
    (complementary, run.first_infeasible(rows).is_none())
}

#[test]
fn a_point_has_its_place_in_each_row() {
    let (one, three) = (Number::from(1), Number::from(3));
    let (yes, no) = (true, false);
    let cases = [
        (
            Row::Free,
            vec![(-2, 0, yes, yes), (2, 1, no, no), (0, -1, no, no)],
        ),
        (
            Row::Nonnegative,
            vec![
                (0, 2, yes, yes),
                (2, 0, yes, yes),
                (0, 0, yes, yes),
                (1, 1, no, no),
                (0, -1, yes, no),
                (-1, 0, yes, no),
            ],
        ),
        (
            Row::AtLeast(&one),
            vec![
                (1, 2, yes, yes),
                (1, -2, yes, no),
                (0, 0, yes, no),
                (0, 1, no, no),
                (2, 0, yes, yes),
            ],
        ),
        (
            Row::AtMost(&three),
            vec![
                (3, -2, yes, yes),
                (3, 2, yes, no),
                (4, 0, yes, no),
                (0, 1, no, no),
                (2, 0, yes, yes),
            ],
        ),
        (
            Row::Between(&one, &three),
            vec![
                (1, 2, yes, yes),
                (3, -2, yes, yes),
                (1, -2, yes, no),
                (3, 2, yes, no),
                (2, 0, yes, yes),
                (2, 1, no, no),
                (2, -1, no, no),
                (4, 0, yes, no),
                (0, 0, yes, no),
            ],
        ),
    ];
    for (row, points) in cases {
        for (z, w, complementary, feasible) in points {
            assert_eq!(
                both_laws(&row, z, w),
                (complementary, feasible),
                "{row:?} {z} {w}"
            );
        }
    }
}

#[test]
fn the_driven_row_may_be_off_and_a_row_waits_for_its_drive() {
    let rows = [Row::Nonnegative, Row::Nonnegative];
    let at = |d: usize, z: &[i64], w: &[i64]| step(z, w, Progress::Driven(d));
    // Row 1 is off while it is driven, and not while row 0 is.
    let laws = |steps: Vec<PivotStep>| {
        let run = trace(steps);
        (
            run.first_uncomplementary(&rows),
            run.first_infeasible(&rows),
        )
    };
    let off = |d: usize| at(d, &[0, 1], &[0, -3]);
    assert_eq!(laws(vec![off(1)]), (None, None));
    assert_eq!(laws(vec![off(0)]), (Some(0), None));
    // Before its drive w may have any sign; z may not.
    let waits = at(0, &[1, 0], &[-1, -3]);
    assert_eq!(laws(vec![waits.clone()]), (None, None));
    assert_eq!(laws(vec![at(0, &[1, -1], &[-1, 0])]).1, Some(0));
    // In the drive of row 1, row 0 has come to rest: w_0 = 0, or positive at z_0 = 0.
    let rests = at(1, &[1, 1], &[0, -2]);
    assert_eq!(laws(vec![waits.clone(), rests]), (None, None));
    let wrong = at(1, &[0, 1], &[-1, -2]);
    assert_eq!(laws(vec![waits.clone(), wrong]), (None, Some(1)));
    // Row 1 rests from the drive after its own on, whichever that is.
    let again = at(0, &[1, 0], &[0, -1]);
    assert_eq!(laws(vec![waits, off(1), again]), (None, Some(2)));
}

/// A free row has no w but 0, from the first step on, where other rows wait for their drives.
#[test]
fn a_free_row_does_not_wait() {
    let rows = [Row::Nonnegative, Row::Free];
    let run = |w: i64| trace([step(&[0, 0], &[-1, w], Progress::Driven(0))]);
    assert_eq!(run(0).first_infeasible(&rows), None);
    assert_eq!(run(1).first_infeasible(&rows), Some(0));
    // Without a drive no row waits.
    let plain = |w: i64| trace([step(&[0, 0], &[w, 0], Progress::Basis)]);
    assert_eq!(plain(1).first_infeasible(&rows), None);
    assert_eq!(plain(-1).first_infeasible(&rows), Some(0));
}
