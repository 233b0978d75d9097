//! Unknowns that stand elsewhere than the rows can excuse.

use std::collections::BTreeMap;

use etalon_certify::rows_at;
use etalon_lcp::Problem;
use rug::Rational;

/// What the first row that holds anything notices of each of these unknowns as a whole, in plain sizes:
/// min s_i / |M_ij| over the rows with s_i > 0; none where there is no such row.
pub(super) fn first_notice(
    problem: &Problem,
    sizes: &[Rational],
    unknowns: impl Iterator<Item = usize>,
) -> BTreeMap<usize, Option<Rational>> {
    let mut found: BTreeMap<usize, Option<Rational>> = unknowns.map(|j| (j, None)).collect();
    if found.is_empty() {
        return found;
    }
    for (i, size) in sizes.iter().enumerate().filter(|(_, size)| **size != 0) {
        for (j, value) in problem.m().row(i) {
            if let Some(first) = found.get_mut(&j) {
                let share = size / value.to_rational().abs();
                if first.as_ref().is_none_or(|first| share < *first) {
                    *first = Some(share);
                }
            }
        }
    }
    found
}

/// The unknowns that `own` has elsewhere than `at` by more than `tol` of what the first row that holds
/// anything notices as a whole: min s_i / |M_ij|, plain sizes at `at`. All that moved, where these are over the budget of a check.
pub fn far_moves(
    problem: &Problem,
    at: &[Rational],
    own: &[Rational],
    tol: &Rational,
) -> Vec<usize> {
    let moved = own.iter().zip(at).enumerate();
    let moved = moved.filter(|(_, (own, at))| own != at).map(|(j, _)| j);
    let moved: Vec<usize> = moved.collect();
    if moved.is_empty() {
        return moved;
    }
    let Ok(sums) = rows_at(problem, at) else {
        return moved;
    };
    let moved = first_notice(problem, &sums.s, moved.into_iter());
    let far = |j: usize, first: &Option<Rational>| {
        let room = first.as_ref().map(|first| Rational::from(tol * first));
        room.is_none_or(|room| Rational::from(&own[j] - &at[j]).abs() > room)
    };
    let moved = moved.into_iter();
    moved
        .filter(|(j, first)| far(*j, first))
        .map(|(j, _)| j)
        .collect()
}
