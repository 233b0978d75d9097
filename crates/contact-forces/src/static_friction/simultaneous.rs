//! All contacts at once: clamp everything, solve, and let what breaks its condition change sets.

use etalon_rigid::Scalar;

use super::exchange::Exchange;
use super::sets::{Kind, Set, Sets};
use super::{StaticFailure, Work, limit};
use crate::formulation::Formulation;

pub(super) fn run<S: Scalar>(
    formulation: &Formulation<S>,
) -> (Result<Vec<S>, StaticFailure>, Work) {
    let mut sets = Sets::new(formulation);
    sets.set.fill(Set::Clamped);
    let mut work = Work::default();
    let outcome = settle(&mut sets, formulation.b(), &mut work);
    (outcome.map(|()| sets.f), work)
}

fn settle<S: Scalar>(
    sets: &mut Sets<'_, S>,
    b: &[S],
    work: &mut Work,
) -> Result<(), StaticFailure> {
    let limit = limit(sets.n());
    let mut exchange = Exchange::new();
    loop {
        work.steps += 1;
        sets.f = sets.solve_all(b).ok_or(StaticFailure::Singular)?;
        let gained = sets.a.times(&sets.f);
        sets.acceleration = gained.into_iter().zip(b).map(|(a, b)| a + b).collect();
        let broken: Vec<_> = (0..sets.n())
            .filter_map(|i| changed(sets, i).map(|to| (i, to)))
            .collect();
        if broken.is_empty() {
            return Ok(());
        }
        if work.steps >= limit {
            return Err(StaticFailure::Limit { steps: limit });
        }
        let count = exchange.count(broken.len(), &sets.set);
        let count = count.ok_or(StaticFailure::Cycle { steps: work.steps })?;
        for (row, to) in broken.into_iter().take(count) {
            change(sets, row, to);
        }
    }
}

/// The set that a row with a broken condition belongs to.
fn changed<S: Scalar>(sets: &Sets<'_, S>, i: usize) -> Option<Set> {
    let sign = |value: &S| {
        if value.is_negligible(&S::one()) {
            0
        } else {
            value.signum()
        }
    };
    let (f, a) = (&sets.f[i], &sets.acceleration[i]);
    match (&sets.kind[i], sets.set[i]) {
        (Kind::Normal { .. }, Set::Clamped) => (sign(f) < 0).then_some(Set::Open),
        (Kind::Normal { .. }, Set::Open) => (sign(a) < 0).then_some(Set::Clamped),
        (Kind::Tangent { normal, .. }, Set::Clamped) => {
            // With a pulling normal force there is no limit to compare with.
            if sign(&sets.f[*normal]) < 0 {
                return None;
            }
            let bound = sets.bound(i);
            // Strict beyond rounding: friction that is just at its limit may still hold.
            if sign(&(f.clone() - &bound)) > 0 {
                Some(Set::Plus)
            } else {
                (sign(&(f.clone() + &bound)) < 0).then_some(Set::Minus)
            }
        }
        (Kind::Tangent { .. }, Set::Plus) => (sign(a) > 0).then_some(Set::Clamped),
        (Kind::Tangent { .. }, Set::Minus) => (sign(a) < 0).then_some(Set::Clamped),
        _ => None,
    }
}

fn change<S: Scalar>(sets: &mut Sets<'_, S>, row: usize, to: Set) {
    // A contact that opened in this round takes its friction along.
    if let Kind::Tangent { normal, .. } = sets.kind[row]
        && sets.set[normal] != Set::Clamped
    {
        return;
    }
    sets.set[row] = to;
    match to {
        Set::Open => sets.silence(row),
        Set::Clamped if matches!(sets.kind[row], Kind::Normal { .. }) => {
            let Kind::Normal { tangents } = sets.kind[row].clone() else {
                return;
            };
            for tangent in tangents {
                sets.set[tangent] = Set::Clamped;
            }
        }
        _ => {}
    }
}
