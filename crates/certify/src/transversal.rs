//! The heaviest transversal of the loose block, and what elimination carries from row to row.
//!
//! A transversal gives each unknown of a block a row of its own. The heaviest is the one with the
//! largest product of entries; scaling rows and columns changes all products alike. With it,
//! the *carried size* of unknown j is
//!
//! zeta_j = max over rows i of s_i W(i, j) / W, W the product of the heaviest transversal and
//! W(i, j) that of the block without row i and column j: Cramer's rule, with the largest
//! product for the determinant.
//!
//! It is found as a longest path: through its row p(j) an unknown has the size s_p(j) / |M_p(j)j|,
//! and takes |M_p(j)k| zeta_k / |M_p(j)j| from each other unknown k in that row. A path that comes
//! back to itself with more than it began is a heavier transversal: its members exchange rows.

use etalon_lcp::Problem;
use rug::Rational;

use crate::budget::fraction_bits;

/// Each entry of up to 64 bits may be looked at this many times in the search for sizes, a longer one
/// less often, and small problems may do more. Beyond that no unknown has a carried size, and rows keep their plain ones.
const MAX_LOOKS: u64 = 32;
const FREE_LOOKS: u64 = 1 << 22;

/// Bits of a size that is carried on, at most; with a longer one the work counts as used up. A
/// hundred steps over binary64 entries stay below.
const MAX_BITS: u64 = 1 << 14;

/// The work left for the search for sizes.
pub(crate) struct Work(u64);

impl Work {
    pub fn new(problem: &Problem) -> Self {
        Self(FREE_LOOKS + MAX_LOOKS * problem.m().stored() as u64)
    }

    /// Pays for a product with a number of so many bits: sizes stay below [`MAX_BITS`].
    fn look(&mut self, bits: u64) -> Option<()> {
        self.0 = self.0.checked_sub(1 + bits / 64)?;
        Some(())
    }

    /// The largest |M_ik| sizes_k above `least` over the unknowns k that take part, with its k;
    /// outer `None` where the work is used up.
    #[allow(clippy::option_option)]
    pub fn largest(
        &mut self,
        problem: &Problem,
        i: usize,
        least: &Rational,
        sizes: &[Rational],
        takes_part: impl Fn(usize) -> bool,
    ) -> Option<Option<(usize, Rational)>> {
        let mut best: Option<(usize, Rational)> = None;
        for (k, value) in problem.m().row(i).filter(|&(k, _)| takes_part(k)) {
            let value = value.to_rational();
            self.look(fraction_bits(&value))?;
            let size = value.abs() * &sizes[k];
            if size > *best.as_ref().map_or(least, |(_, best)| best) {
                if fraction_bits(&size) > MAX_BITS {
                    return None;
                }
                best = Some((k, size));
            }
        }
        Some(best)
    }
}

/// The heaviest transversal of a block, by connected parts.
pub(crate) struct Transversal {
    /// zeta, by unknown; none outside of the block, in parts of it that have no transversal, and
    /// where the work is used up.
    pub sizes: Vec<Option<Rational>>,
}

impl Transversal {
    /// Of the block of these rows and unknowns, with the plain sizes s of the rows.
    pub fn new(problem: &Problem, block: &[bool], s: &[Rational], work: &mut Work) -> Self {
        let n = block.len();
        let sizes = Search::new(problem, block)
            .and_then(|mut search| search.sizes(s, work))
            .unwrap_or_else(|| vec![None; n]);
        Self { sizes }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    /// Whether the unknown is in a part of the block that has a transversal.
    alive: Vec<bool>,
    /// The row of each unknown of the block, and back.
    row_of: Vec<Option<usize>>,
    unknown_of: Vec<Option<usize>>,
}

impl<'a> Search<'a> {
    /// Some transversal, from the diagonal as far as that goes; `None` where the block is empty.
    fn new(problem: &'a Problem, block: &[bool]) -> Option<Self> {
        let n = block.len();
        let mut search = Self {
            problem,
            alive: block.to_vec(),
            row_of: vec![None; n],
            unknown_of: vec![None; n],
        };
        let mut rows_with: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut part = Parts::new(n);
        for i in (0..n).filter(|&i| block[i]) {
            for (j, _) in problem.m().row(i).filter(|&(j, _)| block[j]) {
                part.join(i, j);
                // Its own row too: an unknown may have to take it back.
                rows_with[j].push(i);
                if i == j {
                    search.pair(i, j);
                }
            }
        }
        for j in (0..n).filter(|&j| block[j]) {
            if search.row_of[j].is_none() && search.alive[j] && !search.augment(j, &rows_with) {
                let dead = part.root(j);
                for k in (0..n).filter(|&k| block[k] && part.root(k) == dead) {
                    search.alive[k] = false;
                }
            }
        }
        search.alive.contains(&true).then_some(search)
    }

    fn pair(&mut self, row: usize, unknown: usize) {
        self.row_of[unknown] = Some(row);
        self.unknown_of[row] = Some(unknown);
    }

    /// Gives unknown j a row, others moving on to rows of their own; false where that is impossible.
    fn augment(&mut self, j: usize, rows_with: &[Vec<usize>]) -> bool {
        let n = self.row_of.len();
        let mut from: Vec<Option<usize>> = vec![None; n];
        let mut queue = std::collections::VecDeque::from([j]);
        while let Some(unknown) = queue.pop_front() {
            for &row in &rows_with[unknown] {
                if from[row].is_some() {
                    continue;
                }
                from[row] = Some(unknown);
                match self.unknown_of[row] {
                    Some(next) => queue.push_back(next),
                    None => {
                        self.move_along(row, &from);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Each unknown on the way back, to the one that had no row, takes the row that it reached.
    fn move_along(&mut self, mut row: usize, from: &[Option<usize>]) {
        while let Some(unknown) = from[row] {
            let left = self.row_of[unknown];
            self.pair(row, unknown);
            let Some(left) = left else { return };
            row = left;
        }
    }

    /// The carried sizes; exchanges rows until no exchange makes the transversal heavier.
    fn sizes(&mut self, s: &[Rational], work: &mut Work) -> Option<Vec<Option<Rational>>> {
        let n = s.len();
        'exchanged: loop {
            let pivots: Vec<Rational> = (0..n).map(|j| self.pivot(j)).collect();
            let start = |j: usize| match self.row_of[j] {
                Some(row) if self.alive[j] => Rational::from(&s[row] / &pivots[j]),
                _ => Rational::new(),
            };
            let mut sizes: Vec<Rational> = (0..n).map(start).collect();
            let mut changed = self.alive.clone();
            let mut source: Vec<Option<usize>> = vec![None; n];
            loop {
                let mut larger = Vec::new();
                for j in (0..n).filter(|&j| self.alive[j]) {
                    let Some(row) = self.row_of[j] else { continue };
                    let least = Rational::from(&sizes[j] * &pivots[j]);
                    let takes_part = |k| k != j && changed[k];
                    let best = work.largest(self.problem, row, &least, &sizes, takes_part)?;
                    larger.extend(best.map(|(k, size)| (j, k, size / &pivots[j])));
                }
                if larger.is_empty() {
                    let alive = self.alive.iter().zip(sizes);
                    return Some(alive.map(|(alive, size)| alive.then_some(size)).collect());
                }
                changed.fill(false);
                for (j, k, size) in larger {
                    changed[j] = true;
                    source[j] = Some(k);
                    sizes[j] = size;
                }
                // Sizes grow along a cycle of sources, so its product is above 1.
                let cycles = cycles(&source);
                if !cycles.is_empty() {
                    for cycle in cycles {
                        self.exchange(&cycle, &source);
                    }
                    continue 'exchanged;
                }
            }
        }
    }

    /// |M_p(j)j|; 0 where j has no row.
    fn pivot(&self, j: usize) -> Rational {
        let entry = self.row_of[j].and_then(|row| self.problem.m().get(row, j));
        entry.map_or_else(Rational::new, |value| value.to_rational().abs())
    }

    /// Each source takes the row through which it is carried on.
    fn exchange(&mut self, cycle: &[usize], source: &[Option<usize>]) {
        let rows: Vec<_> = cycle.iter().map(|&j| self.row_of[j]).collect();
        for (&j, row) in cycle.iter().zip(rows) {
            if let (Some(row), Some(source)) = (row, source[j]) {
                self.pair(row, source);
            }
        }
    }
}

/// The cycles of a graph in which each node has at most one successor.
fn cycles(next: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut seen_from = vec![usize::MAX; next.len()];
    let mut found = Vec::new();
    for start in 0..next.len() {
        let mut at = Some(start);
        while let Some(node) = at {
            if seen_from[node] == usize::MAX {
                seen_from[node] = start;
                at = next[node];
                continue;
            }
            if seen_from[node] == start {
                let mut cycle = vec![node];
                let mut other = next[node];
                while let Some(member) = other.filter(|&member| member != node) {
                    cycle.push(member);
                    other = next[member];
                }
                found.push(cycle);
            }
            break;
        }
    }
    found
}

/// Which nodes hang together.
struct Parts(Vec<usize>);

impl Parts {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number};
    use proptest::prelude::*;

    /// The largest product over all ways of giving each unknown of the list a row of its own.
    fn heaviest(m: &[Vec<i64>], rows: &[usize], unknowns: &[usize]) -> Rational {
        let Some((first, others)) = unknowns.split_first() else {
            return Rational::from(1);
        };
        let products = rows.iter().enumerate().map(|(at, &row)| {
            let mut left = rows.to_vec();
            left.remove(at);
            heaviest(m, &left, others) * m[row][*first].abs()
        });
        products.max().unwrap_or_default()
    }

    /// Which nodes of the block hang together with j.
    fn part(m: &[Vec<i64>], block: &[bool], j: usize) -> Vec<usize> {
        let mut found = vec![j];
        let mut next = 0;
        while next < found.len() {
            let i = found[next];
            for k in (0..m.len()).filter(|&k| block[k]) {
                if (m[i][k] != 0 || m[k][i] != 0) && !found.contains(&k) {
                    found.push(k);
                }
            }
            next += 1;
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn carried_sizes_are_those_of_cramers_rule(
            n in 1usize..=5,
            entries in proptest::collection::vec(prop_oneof![Just(0), -3i64..=3, Just(100)], 25),
            block in proptest::collection::vec(prop_oneof![3 => Just(true), 1 => Just(false)], 5),
            s in proptest::collection::vec(0i64..=9, 5),
        ) {
            let m: Vec<Vec<i64>> = (0..n).map(|i| entries[i * 5..i * 5 + n].to_vec()).collect();
            let rows = m.iter().map(|row| row.iter().map(|v| Number::from(*v)).collect()).collect();
            let q = vec![Number::from(0); n];
            let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q).unwrap();
            let s: Vec<Rational> = s[..n].iter().map(|v| Rational::from(*v)).collect();
            let mut work = Work::new(&problem);
            let found = Transversal::new(&problem, &block[..n], &s, &mut work);
            for j in 0..n {
                let expected = block[j].then(|| {
                    let part = part(&m, &block[..n], j);
                    let whole = heaviest(&m, &part, &part);
                    let without = |i: usize| {
                        let keep = |out: usize| part.iter().copied().filter(|&k| k != out).collect::<Vec<_>>();
                        heaviest(&m, &keep(i), &keep(j)) * &s[i]
                    };
                    (!whole.is_zero()).then(|| part.iter().map(|&i| without(i)).max().unwrap() / whole)
                }).flatten();
                prop_assert_eq!(&found.sizes[j], &expected, "unknown {} of {:?}", j, m);
            }
        }
    }

    #[test]
    fn without_work_left_nothing_is_carried() {
        let rows = vec![vec![Number::from(1); 2]; 2];
        let q = vec![Number::from(1); 2];
        let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q).unwrap();
        let s = vec![Rational::from(1); 2];
        let found = Transversal::new(&problem, &[true, true], &s, &mut Work(1));
        assert_eq!(found.sizes, [None, None]);
    }

    #[test]
    fn each_look_is_paid_for_by_the_word() {
        let mut work = Work(10);
        assert_eq!(work.look(63), Some(()));
        assert_eq!(work.look(64), Some(()));
        assert_eq!(work.look(320), Some(()));
        assert_eq!((work.0, work.look(64)), (1, None));
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(1)]).unwrap();
        assert_eq!(Work::new(&problem).0, (1 << 22) + 32);
    }

    #[test]
    fn a_size_that_grows_too_long_is_not_carried_on() {
        // A product of 2 and 2^k, an integer of k + 2 bits over the denominator 1.
        let m = Matrix::from_rows(vec![vec![Number::from(2)]]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(0)]).unwrap();
        let product = |k: u64| {
            let size = Rational::from(1) << u32::try_from(k).unwrap();
            let mut work = Work::new(&problem);
            let zero = Rational::new();
            work.largest(&problem, 0, &zero, &[size], |_| true)
        };
        assert!(product(MAX_BITS - 3).is_some());
        assert!(product(MAX_BITS - 2).is_none() && product(MAX_BITS).is_none());
    }
}
