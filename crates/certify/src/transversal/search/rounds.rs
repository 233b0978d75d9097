//! Longest paths, round by round (Bellman and Ford, with products for sums).

use rug::Rational;

use super::Steps;
use super::paths::Paths;
use crate::transversal::Work;
use crate::transversal::near::Near;
use crate::transversal::proof::{Pairing, Square};

/// What is proposed is larger by more than a part in 2^40: along paths of a million steps the roundings of
/// [`Near`] add up to less.
const PROPOSED: u32 = 40;

/// A path of sources is followed this far after each step of it; longer cycles are found by looking
/// at all paths once in as many steps as there are unknowns.
const NEAR: usize = 64;

/// By unknown.
pub(super) struct Rounds {
    /// Whom its size comes from.
    pub source: Vec<Option<usize>>,
    /// Whether it is noted already among those whose sizes grew.
    is_noted: Vec<bool>,
    /// Its size, the entry in its own row, and their product.
    sizes: Vec<Near>,
    pivots: Vec<Near>,
    reach: Vec<Near>,
    paths: Paths,
}

impl Rounds {
    pub fn new(n: usize) -> Self {
        Self {
            source: vec![None; n],
            is_noted: vec![false; n],
            sizes: vec![Near::ZERO; n],
            pivots: vec![Near::ZERO; n],
            reach: vec![Near::ZERO; n],
            paths: Paths::new(n),
        }
    }

    /// Nearly longest paths, as far as the steps go; cycles along which sizes grow, where there are any.
    pub fn propose(
        &mut self,
        pairing: &mut Pairing<'_>,
        square: &Square,
        s: &[Rational],
        steps: &mut Steps,
    ) -> Vec<Vec<usize>> {
        for &j in &square.0 {
            let (Some(row), Some(pivot)) = (pairing.row_of[j], pivot(pairing, j)) else {
                return Vec::new();
            };
            self.pivots[j] = pivot;
            self.reach[j] = Near::of(&s[row]);
            self.sizes[j] = self.reach[j].over(pivot);
            self.source[j] = None;
        }
        let (sizes, pivots, reach) = (&mut self.sizes, &self.pivots, &mut self.reach);
        let paths = (&mut self.source, &mut self.is_noted, &mut self.paths);
        let found = rounds(paths, pairing, &square.0, |_, (k, j), entry| {
            steps.pay(1)?;
            let size = entry.times(sizes[k]);
            let grows = size.exceeds(reach[j], PROPOSED) == Some(true);
            if grows {
                (reach[j], sizes[j]) = (size, size.over(pivots[j]));
            }
            Some(grows)
        });
        found.unwrap_or_default()
    }

    /// The same exactly, from the sizes that could not be proved; `None` where the work is used up.
    pub fn mend(
        &mut self,
        pairing: &mut Pairing<'_>,
        square: &Square,
        work: &mut Work,
    ) -> Option<Vec<Vec<usize>>> {
        let paths = (&mut self.source, &mut self.is_noted, &mut self.paths);
        rounds(paths, pairing, &square.0, |pairing, edge, entry| {
            pairing.grows(edge, entry, work)
        })
    }

    /// Each source takes the row through which it is carried on.
    pub fn exchange(&self, pairing: &mut Pairing<'_>, cycle: &[usize]) {
        let rows: Vec<_> = cycle.iter().map(|&j| pairing.row_of[j]).collect();
        for (&j, row) in cycle.iter().zip(rows) {
            if let (Some(row), Some(source)) = (row, self.source[j]) {
                pairing.pair(row, source);
            }
        }
    }
}

/// The entry of unknown j in its own row.
fn pivot(pairing: &Pairing<'_>, j: usize) -> Option<Near> {
    let rows = &pairing.rows_with[j];
    let at = rows.binary_search_by_key(&pairing.row_of[j]?, |(row, _)| *row);
    Some(rows[at.ok()?].1)
}

type Tracks<'t> = (&'t mut Vec<Option<usize>>, &'t mut Vec<bool>, &'t mut Paths);

/// Carries sizes on by `grow` until none grows; stops at cycles along which they do, and returns these.
fn rounds<'a>(
    (source, is_noted, paths): Tracks<'_>,
    pairing: &mut Pairing<'a>,
    square: &[usize],
    mut grow: impl FnMut(&mut Pairing<'a>, (usize, usize), Near) -> Option<bool>,
) -> Option<Vec<Vec<usize>>> {
    square.iter().for_each(|&j| is_noted[j] = false);
    let mut changed = square.to_vec();
    let mut steps = 0;
    while !changed.is_empty() {
        let mut larger = Vec::new();
        for &k in &changed {
            for at in 0..pairing.rows_with[k].len() {
                let (row, entry) = pairing.rows_with[k][at];
                let Some(j) = pairing.unknown_of[row].filter(|&j| j != k) else {
                    continue;
                };
                if grow(pairing, (k, j), entry)? {
                    source[j] = Some(k);
                    if !std::mem::replace(&mut is_noted[j], true) {
                        larger.push(j);
                    }
                }
            }
        }
        for &j in &larger {
            is_noted[j] = false;
        }
        changed = larger;
        // Sizes grow along a cycle of sources, so its product is above 1.
        steps += changed.len();
        let (starts, far) = if steps >= square.len() {
            steps = 0;
            (square, square.len())
        } else {
            (&*changed, NEAR)
        };
        let cycles = paths.cycles(source, starts, far);
        if !cycles.is_empty() {
            return Some(cycles);
        }
    }
    Some(Vec::new())
}
