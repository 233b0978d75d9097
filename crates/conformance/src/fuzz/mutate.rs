//! One or two things of a problem changed.

use crate::generate::draft::Draft;
use crate::generate::draw::{Draw, power_of_two};

/// The problem with one to three changes. A symmetric M stays symmetric.
pub fn mutated(draw: &mut Draw, mut draft: Draft) -> Draft {
    if draft.q.is_empty() {
        return draft;
    }
    draft.solution = None;
    let symmetric = draft.is_symmetric();
    for _ in 0..=draw.index(3) {
        change(draw, &mut draft, symmetric);
    }
    draft
}

fn change(draw: &mut Draw, draft: &mut Draft, symmetric: bool) {
    let n = draft.q.len();
    let (i, j) = (draw.index(n), draw.index(n));
    match draw.below(6) {
        0 => draft.q[i] = number(draw, draft.q[i]),
        1 => draft.q[i] = draft.q[j],
        2 => draft.q.iter_mut().for_each(|value| *value = -*value),
        3 => {
            let value = number(draw, draft.m[i][j]);
            draft.m[i][j] = value;
            if symmetric {
                draft.m[j][i] = value;
            }
        }
        // Row and column i made the same as j: one contact twice.
        4 => {
            let row = draft.m[j].clone();
            draft.m[i] = row;
            for row in &mut draft.m {
                row[i] = row[j];
            }
            draft.q[i] = draft.q[j];
        }
        _ => {
            let unit = power_of_two(draw.between(-20, 20) as i32);
            let mut units = vec![1.0; n];
            units[i] = unit;
            let friction_or_box =
                draft.bounds.is_some() || !draft.friction.is_empty() || !draft.cones.is_empty();
            // Three changes of units of up to 2^20, twice on the diagonal, leave entries below
            // 2^620: finite as data, whatever a solver makes of them.
            if !friction_or_box && draft.largest() < power_of_two(500) {
                *draft = std::mem::take(draft).scaled(&units, &units);
            }
        }
    }
}

/// Another number in place of one.
fn number(draw: &mut Draw, value: f64) -> f64 {
    match draw.below(6) {
        0 => 0.0,
        1 => -value,
        2 => value.next_up(),
        3 => value.next_down(),
        4 => draw.between(-2, 2) as f64,
        _ => value * power_of_two(-50),
    }
}
