//! Simpler problems made from one.

use super::cost::rounded_to;
use crate::generate::draft::Draft;

/// The principal subproblem without `block` rows from row `from` on; with a normal row go its friction
/// rows. `None` where nothing would be left.
pub fn without_rows(draft: &Draft, from: usize, block: usize) -> Option<Draft> {
    let n = draft.q.len();
    let mut gone: Vec<bool> = (0..n).map(|i| (from..from + block).contains(&i)).collect();
    for &(row, normal, _) in &draft.friction {
        gone[row] |= gone[normal];
    }
    let order: Vec<_> = (0..n).filter(|&i| !gone[i]).collect();
    if order.is_empty() || order.len() == n {
        return None;
    }
    let at = |row: usize| order.iter().position(|&i| i == row);
    let friction = draft
        .friction
        .iter()
        .filter_map(|&(row, normal, mu)| Some((at(row)?, at(normal)?, mu)));
    let pick = |values: &[f64]| order.iter().map(|&i| values[i]).collect();
    let mut smaller = Draft::new(
        order.iter().map(|&i| pick(&draft.m[i])).collect(),
        pick(&draft.q),
    );
    smaller.friction = friction.collect();
    smaller.bounds = draft.bounds.as_ref().map(|(l, u)| (pick(l), pick(u)));
    Some(smaller)
}

/// Changes of a whole problem: no bounds, no friction, all numbers shorter at once, better units.
pub fn whole(draft: &Draft) -> Vec<Draft> {
    let mut list = Vec::new();
    let mut with = |change: &dyn Fn(&mut Draft)| {
        let mut candidate = draft.clone();
        change(&mut candidate);
        if candidate != *draft && candidate.largest().is_finite() {
            list.push(candidate);
        }
    };
    with(&|d| d.bounds = None);
    with(&|d| d.friction.clear());
    with(&|d| every(d, |value| if value == 0.0 { 0.0 } else { value.signum() }));
    // Small integers, M and q each in units of its own.
    for most in [3.0, 9.0, 99.0] {
        with(&|d| {
            let largest = |values: &mut dyn Iterator<Item = &f64>| {
                values.fold(0.0, |most, value| value.abs().max(most))
            };
            let m_unit = power_of_two_at_least(largest(&mut d.m.iter().flatten()) / most);
            let q_unit = power_of_two_at_least(largest(&mut d.q.iter()) / most);
            d.m.iter_mut()
                .flatten()
                .for_each(|v| *v = (*v / m_unit).round());
            d.q.iter_mut().for_each(|v| *v = (*v / q_unit).round());
        });
    }
    // Each row and column in units in which its diagonal entry is between 1 and 4.
    with(&|d| {
        let unit = |i: usize| {
            let diagonal = d.m[i][i].abs();
            if diagonal > 0.0 {
                1.0 / power_of_two_at_least(diagonal.sqrt() / 2.0)
            } else {
                1.0
            }
        };
        let units: Vec<f64> = (0..d.q.len()).map(unit).collect();
        if d.bounds.is_none() && d.friction.is_empty() {
            *d = std::mem::take(d).scaled(&units, &units);
        }
    });
    with(&|d| every(d, f64::round));
    for bits in [1, 2, 4, 8, 16, 26] {
        with(&|d| every(d, |value| rounded_to(value, bits)));
    }
    for i in 0..draft.friction.len() {
        with(&|d| {
            d.friction.remove(i);
        });
    }
    for i in 0..draft.q.len() {
        with(&|d| {
            if let Some((lower, upper)) = &mut d.bounds {
                (lower[i], upper[i]) = (0.0, f64::INFINITY);
            }
        });
    }
    list
}

/// Of the powers of two between 2^-1000 and 2^1000 the least that is no less; 1 for 0.
fn power_of_two_at_least(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    f64::exp2(value.log2().ceil().clamp(-1000.0, 1000.0))
}

fn every(draft: &mut Draft, simpler: impl Fn(f64) -> f64) {
    let numbers = draft.m.iter_mut().flatten().chain(&mut draft.q);
    numbers.for_each(|value| *value = simpler(*value));
}

/// A number of a problem.
#[derive(Debug, Clone, Copy)]
pub enum Entry {
    Q(usize),
    /// One entry of M.
    M(usize, usize),
    /// An entry of a symmetric M and its mirror image.
    Pair(usize, usize),
    Lower(usize),
    Upper(usize),
    Mu(usize),
}

/// All entries, q before M.
pub fn entries(draft: &Draft) -> Vec<Entry> {
    let n = draft.q.len();
    let mut entries: Vec<_> = (0..n).map(Entry::Q).collect();
    let symmetric = draft.is_symmetric();
    for i in 0..n {
        for j in 0..n {
            match (symmetric && i != j, j < i) {
                (false, _) => entries.push(Entry::M(i, j)),
                (true, true) => entries.push(Entry::Pair(i, j)),
                (true, false) => {}
            }
        }
    }
    if draft.bounds.is_some() {
        entries.extend((0..n).flat_map(|i| [Entry::Lower(i), Entry::Upper(i)]));
    }
    entries.extend((0..draft.friction.len()).map(Entry::Mu));
    entries
}

impl Entry {
    pub fn get(self, draft: &Draft) -> f64 {
        match (self, &draft.bounds) {
            (Self::Q(i), _) => draft.q[i],
            (Self::M(i, j) | Self::Pair(i, j), _) => draft.m[i][j],
            (Self::Mu(k), _) => draft.friction[k].2,
            (Self::Lower(i), Some((lower, _))) => lower[i],
            (Self::Upper(i), Some((_, upper))) => upper[i],
            // Bounds may fall away on the way.
            _ => 0.0,
        }
    }

    pub fn set(self, draft: &mut Draft, value: f64) {
        match (self, &mut draft.bounds) {
            (Self::Q(i), _) => draft.q[i] = value,
            (Self::M(i, j), _) => draft.m[i][j] = value,
            (Self::Pair(i, j), _) => {
                draft.m[i][j] = value;
                draft.m[j][i] = value;
            }
            (Self::Mu(k), _) => draft.friction[k].2 = value,
            (Self::Lower(i), Some((lower, _))) => lower[i] = value,
            (Self::Upper(i), Some((_, upper))) => upper[i] = value,
            _ => {}
        }
    }
}
