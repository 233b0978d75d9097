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

mod near;
mod proof;
mod search;

use std::collections::BTreeMap;

use etalon_lcp::Problem;
use rug::Rational;

use crate::budget::fraction_bits;
use proof::Pairing;
use search::Search;

/// Each entry of up to 64 bits may be looked at this many times in the search for sizes, a longer one
/// less often, and small problems may do more. Beyond that no unknown has a carried size, and rows keep their plain ones.
const MAX_LOOKS: u64 = 32;
const FREE_LOOKS: u64 = 1 << 22;

/// Bits of a size that is carried on, at most; with a longer one the work of its part counts as used up.
/// A hundred steps over binary64 entries stay below. All sizes together take no more than [`ALL_BITS`].
const MAX_BITS: u64 = 1 << 14;
const ALL_BITS: u64 = 1 << 27;

/// The work left for the search for sizes, and the bits that one may have.
pub(crate) struct Work {
    looks: u64,
    bits: u64,
}

impl Work {
    pub fn new(problem: &Problem) -> Self {
        Self {
            looks: FREE_LOOKS + MAX_LOOKS * problem.m().stored() as u64,
            bits: MAX_BITS.min(ALL_BITS / problem.n().max(1) as u64),
        }
    }

    /// Bits that a size may have.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Pays for a product with a number of so many bits: sizes stay below [`MAX_BITS`].
    pub fn look(&mut self, bits: u64) -> Option<()> {
        self.looks = self.looks.checked_sub(1 + bits / 64)?;
        Some(())
    }

    /// |entry| size; `None` where the work is used up.
    pub fn product(&mut self, entry: Rational, size: &Rational) -> Option<Rational> {
        self.look(fraction_bits(&entry))?;
        let product = entry.abs() * size;
        (fraction_bits(&product) <= self.bits).then_some(product)
    }
}

/// A square block of a problem, with the friction that slides there: x_f = mu x_n or -mu x_n goes along
/// with x_n, so the column of f, times mu or -mu, counts to that of n.
pub(crate) struct Block<'a> {
    problem: &'a Problem,
    /// Whether the row and its unknown are in the block.
    members: Vec<bool>,
    /// The unknown of the block that a sliding friction row goes along with.
    normal: BTreeMap<usize, usize>,
    /// The friction rows that go along with an unknown of the block, with mu or -mu.
    slides: BTreeMap<usize, Vec<(usize, Rational)>>,
}

impl<'a> Block<'a> {
    /// Of the rows and unknowns that are members.
    pub fn new(problem: &'a Problem, members: Vec<bool>) -> Self {
        Self {
            problem,
            members,
            normal: BTreeMap::new(),
            slides: BTreeMap::new(),
        }
    }

    /// Lets friction row f, which is no member, slide: x_f = mu x_n, n its normal row, mu with its sign.
    pub fn slide(&mut self, f: usize, n: usize, mu: Rational) {
        if self.members[n] && !mu.is_zero() {
            self.normal.insert(f, n);
            self.slides.entry(n).or_default().push((f, mu));
        }
    }

    /// The unknowns of the block in row i, each at least once.
    fn row(&self, i: usize) -> impl Iterator<Item = usize> {
        let columns = self.problem.m().row(i);
        columns.filter_map(|(j, _)| match self.members[j] {
            true => Some(j),
            false => self.normal.get(&j).copied(),
        })
    }

    /// The entry in row i and the column of unknown j; `None` where the work is used up.
    fn entry(&self, i: usize, j: usize, work: &mut Work) -> Option<Rational> {
        let stored = |j| {
            let value = self.problem.m().get(i, j);
            value.map_or_else(Rational::new, |value| value.to_rational())
        };
        let mut entry = stored(j);
        for (f, mu) in self.slides.get(&j).into_iter().flatten() {
            let share = stored(*f);
            work.look(fraction_bits(&share) + fraction_bits(mu) + fraction_bits(&entry))?;
            entry += share * mu;
            if fraction_bits(&entry) > work.bits {
                return None;
            }
        }
        Some(entry)
    }

    /// The carried sizes zeta, by unknown, with the plain sizes s of the rows; none outside of the
    /// block, outside of the square part of parts that have no transversal, and where the work is used up.
    /// Parts come in the order of their size, so that a large one takes nothing from small ones.
    pub fn carried(&self, s: &[Rational], work: &mut Work) -> Vec<Option<Rational>> {
        let mut carried = vec![None; s.len()];
        let Some(mut pairing) = Pairing::new(self, work) else {
            return carried;
        };
        let mut search = Search::new(s.len(), work.looks);
        for part in search::parts(&pairing, &self.members) {
            if let Some(proved) = search.sizes(&mut pairing, part, s, work) {
                for (j, size) in proved.0 {
                    carried[j] = Some(size);
                }
            }
        }
        carried
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

    /// The number of entries of the largest transversal.
    fn largest(m: &[Vec<i64>], rows: &[usize], unknowns: &[usize]) -> usize {
        let Some((first, others)) = rows.split_first() else {
            return 0;
        };
        let with = unknowns.iter().enumerate().map(|(at, &j)| {
            let mut left = unknowns.to_vec();
            left.remove(at);
            if m[*first][j] == 0 {
                0
            } else {
                1 + largest(m, others, &left)
            }
        });
        with.max().unwrap_or(0).max(largest(m, others, unknowns))
    }

    /// The rows and the unknowns that no largest transversal leaves out, and that have nothing to do with
    /// unknowns and rows which one does.
    fn square(m: &[Vec<i64>], part: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let most = largest(m, part, part);
        let keep = |out: usize| {
            part.iter()
                .copied()
                .filter(|&k| k != out)
                .collect::<Vec<_>>()
        };
        let spare = |is_row: bool| -> Vec<usize> {
            let covers = |&k: &usize| match is_row {
                true => largest(m, &keep(k), part) == most,
                false => largest(m, part, &keep(k)) == most,
            };
            part.iter().copied().filter(covers).collect()
        };
        let (rows, unknowns) = (spare(true), spare(false));
        let own_rows = part
            .iter()
            .copied()
            .filter(|i| !rows.contains(i) && unknowns.iter().all(|&j| m[*i][j] == 0));
        let own = part
            .iter()
            .copied()
            .filter(|j| !unknowns.contains(j) && rows.iter().all(|&i| m[i][*j] == 0));
        (own_rows.collect(), own.collect())
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
            let found = Block::new(&problem, block[..n].to_vec()).carried(&s, &mut work);
            for j in 0..n {
                let expected = block[j].then(|| {
                    let (rows, unknowns) = square(&m, &part(&m, &block[..n], j));
                    let whole = heaviest(&m, &rows, &unknowns);
                    let without = |i: usize| {
                        let keep = |list: &[usize], out: usize| list.iter().copied().filter(|&k| k != out).collect::<Vec<_>>();
                        heaviest(&m, &keep(&rows, i), &keep(&unknowns, j)) * &s[i]
                    };
                    unknowns.contains(&j).then(|| rows.iter().map(|&i| without(i)).max().unwrap() / whole)
                }).flatten();
                prop_assert_eq!(&found[j], &expected, "unknown {} of {:?}", j, m);
            }
        }
    }

    fn work(looks: u64) -> Work {
        let bits = MAX_BITS;
        Work { looks, bits }
    }

    #[test]
    fn without_work_left_nothing_is_carried() {
        let rows = vec![vec![Number::from(1); 2]; 2];
        let q = vec![Number::from(1); 2];
        let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q).unwrap();
        let s = vec![Rational::from(1); 2];
        let found = Block::new(&problem, vec![true, true]).carried(&s, &mut work(1));
        assert_eq!(found, [None, None]);
    }

    /// Two rows of ones beside a row alone: its part comes first, and has what it needs.
    #[test]
    fn a_large_part_takes_nothing_from_a_small_one() {
        let one = |i, j| (i, j, Number::from(1));
        let entries = vec![one(0, 0), one(0, 1), one(1, 0), one(1, 1), one(2, 2)];
        let m = Matrix::from_entries((3, 3), entries).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(1); 3]).unwrap();
        let s = vec![Rational::from(1); 3];
        let found = Block::new(&problem, vec![true; 3]).carried(&s, &mut work(3));
        assert_eq!(found, [None, None, Some(Rational::from(1))]);
    }

    #[test]
    fn each_look_is_paid_for_by_the_word() {
        let mut work = work(10);
        assert_eq!(work.look(63), Some(()));
        assert_eq!(work.look(64), Some(()));
        assert_eq!(work.look(320), Some(()));
        assert_eq!((work.looks, work.look(64)), (1, None));
        let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(1)]).unwrap();
        assert_eq!(Work::new(&problem).looks, (1 << 22) + 32);
        assert_eq!(Work::new(&problem).bits, MAX_BITS);
    }

    #[test]
    fn sizes_of_many_rows_may_be_less_long() {
        let n = 100_000;
        let m = Matrix::from_entries((n, n), vec![]).unwrap();
        let q = vec![Number::from(1); n as usize];
        let problem = Problem::new("p", m, q).unwrap();
        assert_eq!(Work::new(&problem).bits, 1342);
    }

    #[test]
    fn a_size_that_grows_too_long_is_not_carried_on() {
        // A product of 2 and 2^k, an integer of k + 2 bits over the denominator 1.
        let product = |k: u64| {
            let size = Rational::from(1) << u32::try_from(k).unwrap();
            work(1 << 20).product(Rational::from(2), &size)
        };
        assert!(product(MAX_BITS - 3).is_some());
        assert!(product(MAX_BITS - 2).is_none() && product(MAX_BITS).is_none());
    }
}
