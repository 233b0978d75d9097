//! Several systems with one sparse matrix.

use etalon_modular::{Backend, Prime};
use rug::Integer;

use crate::budget::{Exhausted, Meter};
use crate::lifting::expansion::Expansion;
use crate::lifting::lift::Lifting;
use crate::lifting::predict::Prediction;
use crate::lifting::sparse::{MAX_SPARSE_ROWS, SparseMatrix};
use crate::lifting::{CHECK, Failure, Fractions, Sizes, System};

/// Digits of all unknowns together: 256 MiB.
const MOST_DIGITS: usize = 1 << 25;

/// A sparse matrix with its factors modulo a prime.
#[derive(Debug)]
pub(crate) struct Factored {
    matrix: SparseMatrix,
    expansion: Expansion,
    prediction: Prediction,
    /// A common denominator of the solutions so far: with determinants for denominators, of the next ones, too.
    denominator: Integer,
}

impl Factored {
    /// The primes that a matrix may be factored by, in turn: where it is singular modulo one of them, it may be regular.
    pub fn primes() -> impl Iterator<Item = Prime> {
        let own = (0..Prime::COUNT).filter(|k| *k != CHECK);
        own.filter_map(Prime::nth)
    }

    /// Factors the matrix; none where it is singular modulo p.
    pub fn new(
        matrix: SparseMatrix,
        prime: Prime,
        meter: &Meter,
    ) -> Result<Option<Self>, Exhausted> {
        if matrix.n() > MAX_SPARSE_ROWS {
            return Err(Exhausted::Rows(MAX_SPARSE_ROWS));
        }
        let lifting = Lifting::sparse(&matrix, prime, Backend::detect(), meter)?;
        let prediction = Prediction::guess(matrix.determinant_bits(), 0.0);
        Ok(lifting.map(|lifting| Self {
            matrix,
            expansion: Expansion::of(lifting),
            prediction,
            denominator: Integer::from(1),
        }))
    }

    /// Solves A x = b, b with as many entries as A has rows.
    pub fn solve(&mut self, b: &[Integer], meter: &Meter) -> Result<Fractions, Failure> {
        let n = self.matrix.n();
        if n == 0 {
            return Ok(Fractions {
                numerators: Vec::new(),
                denominator: Integer::from(1),
            });
        }
        let system = System {
            sizes: Sizes::new(self.matrix.bits(), b),
            most_digits: MOST_DIGITS,
            meter,
        };
        self.expansion.restart(b);
        let known = Some(&self.denominator).filter(|known| **known != 1);
        let found = system.lift(&mut self.expansion, &self.prediction, known)?;
        let prime = Prime::nth(CHECK).ok_or(Failure::Singular)?;
        let rows = self.matrix.residues(prime).into_iter();
        if !found.solve_rows_modulo(rows.map(Vec::into_iter), b, prime) {
            return Err(Failure::Singular);
        }
        if !self.denominator.is_divisible(&found.denominator) {
            // All denominators divide det A. Their least common multiple comes nearer to it with each
            // solution, and may spare the next one its reconstruction.
            self.denominator.lcm_mut(&found.denominator);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use proptest::prelude::*;
    use rug::Rational;

    fn sparse(n: usize, a: &[Integer]) -> SparseMatrix {
        let row = |row: &[Integer]| {
            let entries = row.iter().cloned().enumerate();
            entries.filter(|(_, value)| *value != 0).collect()
        };
        SparseMatrix {
            rows: a.chunks_exact(n).map(row).collect(),
        }
    }

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn factored(matrix: SparseMatrix) -> Option<Factored> {
        let prime = Prime::nth(0).unwrap();
        Factored::new(matrix, prime, &meter()).unwrap()
    }

    fn values(found: Fractions) -> Vec<Rational> {
        let over = |num: Integer| Rational::from((num, &found.denominator));
        found.numerators.into_iter().map(over).collect()
    }

    /// Entries of a share of the places, so many in 16, of so many bits.
    fn matrices() -> impl Strategy<Value = (usize, Vec<Integer>, Vec<Integer>)> {
        let shape = (
            1_usize..40,
            1_u32..17,
            prop_oneof![Just(3_u32), Just(60), Just(55), Just(300)],
        );
        shape.prop_flat_map(|(n, share, bits)| {
            let entry = (any::<[u64; 5]>(), 0_u32..16, any::<bool>());
            let entry = entry.prop_map(move |(words, kind, negative)| {
                let value = Integer::from_digits(&words, rug::integer::Order::Lsf);
                let value = if kind < share {
                    value.keep_bits(bits)
                } else {
                    Integer::new()
                };
                if negative { -value } else { value }
            });
            let entries = prop::collection::vec(entry.clone(), n * n);
            (Just(n), entries, prop::collection::vec(entry, 3 * n))
        })
    }

    /// The solutions of A x = b for all right sides b, which stand one after another, or `None` where det A = 0. One
    /// elimination in integers (Bareiss) serves all of them; in fractions, 40 rows of long numbers take seconds. Row i
    /// becomes (p row i - row i[k] row k) / q, with p the pivot of this step and q that of the step before. Each entry is then
    /// a minor, so the division leaves no rest, and in the end all pivots are det A or -det A.
    fn by_elimination(n: usize, a: &[Integer], rights: &[Integer]) -> Option<Vec<Vec<Rational>>> {
        let row = |i: usize| {
            let right = rights.chunks_exact(n).map(move |b| &b[i]);
            a[i * n..(i + 1) * n].iter().chain(right).cloned().collect()
        };
        let mut rows: Vec<Vec<Integer>> = (0..n).map(row).collect();
        let mut before = Integer::from(1);
        for k in 0..n {
            let pivot = (k..n).find(|&i| rows[i][k] != 0)?;
            rows.swap(k, pivot);
            let pivot = rows[k].clone();
            for i in (0..n).filter(|i| *i != k) {
                let factor = rows[i][k].clone();
                for (value, across) in rows[i].iter_mut().zip(&pivot) {
                    let minor =
                        Integer::from(&*value * &pivot[k]) - Integer::from(&factor * across);
                    let (quotient, rest) = <(Integer, Integer)>::from(minor.div_rem_ref(&before));
                    assert_eq!(rest, 0);
                    *value = quotient;
                }
            }
            before.clone_from(&pivot[k]);
        }
        let solution = |right: usize| {
            let over =
                |row: &Vec<Integer>| Rational::from((row[n + right].clone(), before.clone()));
            rows.iter().map(over).collect()
        };
        Some((0..rights.len() / n).map(solution).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn several_systems_of_a_sparse_matrix_are_solved(
            (n, a, b) in matrices(),
            diagonal: bool,
        ) {
            let mut a = a;
            if diagonal {
                (0..n).for_each(|i| a[i * n + i] += 1);
            }
            let (mut own, transposed) = (factored(sparse(n, &a)), sparse(n, &a).transposed());
            let turned: Vec<Integer> = (0..n * n).map(|k| a[k % n * n + k / n].clone()).collect();
            let mut across = factored(transposed);
            for (factored, a) in [(&mut own, &a), (&mut across, &turned)] {
                let expected = by_elimination(n, a, &b);
                for (k, b) in b.chunks_exact(n).enumerate() {
                    let found = factored.as_mut().map(|own| values(own.solve(b, &meter()).unwrap()));
                    prop_assert_eq!(found.as_ref(), expected.as_ref().map(|all| &all[k]));
                }
            }
        }
    }

    /// A chain and a ring of more rows than a dense matrix may have.
    #[test]
    fn thousands_of_sparse_rows_are_solved() {
        let n = 5000;
        let row = |i: usize| {
            let mut row = vec![(i, Integer::from(2)), ((i + 1) % n, Integer::from(-1))];
            row.sort_by_key(|(j, _)| *j);
            row
        };
        let matrix = SparseMatrix {
            rows: (0..n).map(row).collect(),
        };
        let mut own = factored(matrix).unwrap();
        // 2 x_i - x_(i+1) = 1 has the solution 1; each x_i hangs on all of b.
        let found = own.solve(&vec![Integer::from(1); n], &meter()).unwrap();
        assert_eq!(values(found), vec![Rational::from(1); n]);
    }

    #[test]
    fn what_is_singular_modulo_one_prime_may_be_regular() {
        let prime = |k: usize| Integer::from(Prime::nth(k).unwrap().p());
        let matrix = sparse(2, &[prime(0), 0.into(), 0.into(), 1.into()]);
        let with = |k: usize| {
            let prime = Prime::nth(k).unwrap();
            Factored::new(matrix.clone(), prime, &meter()).unwrap()
        };
        assert!(with(0).is_none());
        let found = with(1).unwrap().solve(&[3.into(), 4.into()], &meter());
        let expected = vec![Rational::from((3, prime(0))), Rational::from(4)];
        assert_eq!(values(found.unwrap()), expected);
    }

    #[test]
    fn the_digits_of_all_unknowns_have_a_limit() {
        let matrix = sparse(2, &[3.into(), 0.into(), 0.into(), 1.into()]);
        let b = [Integer::from(1) << 1000, Integer::from(1)];
        let lifted = |most_digits: usize| {
            let mut own = factored(matrix.clone()).unwrap();
            own.expansion.restart(&b);
            let system = System {
                sizes: Sizes {
                    n: 2,
                    sum_bits: 4,
                    b_bits: 1001,
                },
                most_digits,
                meter: &meter(),
            };
            system.lift(&mut own.expansion, &own.prediction, None)
        };
        let memory = Failure::Exhausted(Exhausted::Memory(8 * 20));
        assert_eq!(lifted(20), Err(memory));
        assert!(lifted(200).is_ok());
    }
}
