//! From a mixed LCP to a pure one: bilateral rows split or eliminated, and the way back.

use rug::Rational;

use crate::matrix::Matrix;
use crate::mixed::MixedLcp;
use crate::number::Number;

/// A pure LCP made of a mixed one, with the way back.
#[derive(Debug, Clone)]
pub struct PureForm {
    lcp: MixedLcp,
    way: Way,
}

#[derive(Debug, Clone)]
enum Way {
    /// Variable k of the pure form is z_(columns[k].0), times columns[k].1 = 1 or -1.
    Split {
        n: usize,
        columns: Vec<(usize, i32)>,
    },
    /// z_B = constant + matrix z_N.
    Elimination {
        bilateral: Vec<usize>,
        others: Vec<usize>,
        constant: Vec<Rational>,
        matrix: Vec<Vec<Rational>>,
    },
}

/// The block M_BB of the bilateral rows is singular, so z_B is not determined by the rest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the block of the {rows} bilateral rows is singular (rank {rank}), so they cannot be eliminated; split them instead"
)]
pub struct SingularBlock {
    /// The number of bilateral rows.
    pub rows: usize,
    /// The rank of their block.
    pub rank: usize,
}

impl PureForm {
    /// Writes each free variable as a difference of two nonnegative ones: w_i >= 0 against the
    /// first and -w_i >= 0 against the second leave w_i = 0. Always possible; the solutions
    /// map onto those of the mixed form, many to one.
    pub fn split(mixed: &MixedLcp) -> Self {
        let n = mixed.n();
        let bilateral = (0..n).filter(|&i| mixed.bilateral()[i]);
        let columns: Vec<(usize, i32)> = (0..n)
            .map(|i| (i, 1))
            .chain(bilateral.map(|i| (i, -1)))
            .collect();
        let mut second = vec![None; n];
        for (k, &(i, sign)) in columns.iter().enumerate() {
            if sign < 0 {
                second[i] = Some(k);
            }
        }
        let rows = columns.iter().map(|&(i, sign)| {
            let mut row = Vec::new();
            for (j, value) in mixed.m().row(i) {
                row.push((j, signed(value, sign)));
                row.extend(second[j].map(|k| (k, signed(value, -sign))));
            }
            row.sort_by_key(|(j, _)| *j);
            row
        });
        let m = Matrix::from_sparse_rows(rows);
        let q = columns
            .iter()
            .map(|&(i, sign)| signed(&mixed.q()[i], sign))
            .collect();
        Self {
            lcp: pure(m, q),
            way: Way::Split { n, columns },
        }
    }

    /// Eliminates the bilateral rows: z_B = -M_BB^-1 (q_B + M_BN z_N) leaves the LCP of the
    /// Schur complement M_NN - M_NB M_BB^-1 M_BN on the other rows (Baraff 1994, section 4.5).
    ///
    /// # Errors
    /// [`SingularBlock`] when M_BB is singular.
    pub fn eliminate(mixed: &MixedLcp) -> Result<Self, SingularBlock> {
        let n = mixed.n();
        let (bilateral, others): (Vec<usize>, Vec<usize>) =
            (0..n).partition(|&i| mixed.bilateral()[i]);
        let dense = dense_rows(mixed);
        // [-M_BB | M_BN q_B] reduced to [I | matrix constant].
        let mut block: Vec<Vec<Rational>> = bilateral
            .iter()
            .map(|&i| {
                let left = bilateral.iter().map(|&j| Rational::from(-&dense[i][j]));
                let right = others.iter().map(|&j| dense[i][j].clone());
                left.chain(right).chain([dense[i][n].clone()]).collect()
            })
            .collect();
        reduce(&mut block).map_err(|rank| SingularBlock {
            rows: bilateral.len(),
            rank,
        })?;
        let solved = |row: &Vec<Rational>| row[bilateral.len()..].to_vec();
        let mut matrix: Vec<Vec<Rational>> = block.iter().map(solved).collect();
        let mut m = Vec::with_capacity(others.len() * others.len());
        let mut q = Vec::with_capacity(others.len());
        for &i in &others {
            let schur = |k: usize, own: &Rational| {
                let products = bilateral.iter().zip(&matrix);
                products.fold(own.clone(), |sum, (&b, row)| {
                    sum + Rational::from(&dense[i][b] * &row[k])
                })
            };
            let columns = others.iter().enumerate();
            m.extend(columns.map(|(k, &j)| Number::from(schur(k, &dense[i][j]))));
            q.push(Number::from(schur(others.len(), &dense[i][n])));
        }
        let constant = matrix.iter_mut().filter_map(Vec::pop).collect();
        Ok(Self {
            lcp: pure(Matrix::from_row_major(others.len(), m), q),
            way: Way::Elimination {
                bilateral,
                others,
                constant,
                matrix,
            },
        })
    }

    /// The pure LCP (a mixed one without bilateral rows).
    pub fn lcp(&self) -> &MixedLcp {
        &self.lcp
    }

    /// The mixed form's z for a solution of the pure form.
    ///
    /// # Panics
    /// When the solution has fewer entries than the pure form has rows.
    pub fn lift(&self, solution: &[Rational]) -> Vec<Rational> {
        match &self.way {
            Way::Split { n, columns } => {
                let mut z = vec![Rational::new(); *n];
                for (&(i, sign), value) in columns.iter().zip(solution) {
                    if sign < 0 {
                        z[i] -= value;
                    } else {
                        z[i] += value;
                    }
                }
                z
            }
            Way::Elimination {
                bilateral,
                others,
                constant,
                matrix,
            } => {
                let mut z = vec![Rational::new(); bilateral.len() + others.len()];
                for (&i, value) in others.iter().zip(solution) {
                    z[i].clone_from(value);
                }
                for ((&i, constant), row) in bilateral.iter().zip(constant).zip(matrix) {
                    let terms = row.iter().zip(solution).map(|(c, v)| Rational::from(c * v));
                    z[i] = terms.fold(constant.clone(), |sum, term| sum + term);
                }
                z
            }
        }
    }
}

fn pure(m: Matrix, q: Vec<Number>) -> MixedLcp {
    let bilateral = vec![false; m.n()];
    MixedLcp::from_parts(m, q, bilateral)
}

fn signed(value: &Number, sign: i32) -> Number {
    match value.as_binary64() {
        // Changing the sign of a finite double is exact.
        Some(double) => Number::from_f64(double * f64::from(sign)).unwrap_or_else(|| value.clone()),
        None => Number::from(value.to_rational() * sign),
    }
}

/// The rows of [M | q] in full.
fn dense_rows(mixed: &MixedLcp) -> Vec<Vec<Rational>> {
    let n = mixed.n();
    (0..n)
        .map(|i| {
            let mut row = vec![Rational::new(); n + 1];
            for (j, value) in mixed.m().row(i) {
                row[j] = value.to_rational();
            }
            row[n] = mixed.q()[i].to_rational();
            row
        })
        .collect()
}

/// Gauss-Jordan elimination of the leading square block to the identity; the rank where that
/// fails.
fn reduce(rows: &mut [Vec<Rational>]) -> Result<(), usize> {
    let size = rows.len();
    let mut rank = 0;
    for column in 0..size {
        let Some(pivot) = (rank..size).find(|&i| !rows[i][column].is_zero()) else {
            continue;
        };
        rows.swap(rank, pivot);
        let inverse = Rational::from(rows[rank][column].recip_ref());
        rows[rank].iter_mut().for_each(|value| *value *= &inverse);
        let pivot_row = rows[rank].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == rank || row[column].is_zero() {
                continue;
            }
            let factor = row[column].clone();
            for (value, pivot) in row.iter_mut().zip(&pivot_row) {
                *value -= Rational::from(&factor * pivot);
            }
        }
        rank += 1;
    }
    if rank == size { Ok(()) } else { Err(rank) }
}
