//! The classes of problems: families of the generator, and two that it does not have.

use etalon_benches::splitmix::Splitmix;
use etalon_conformance::generate;
use etalon_lcp::{Bound, Matrix, Number, Problem, ProblemError};

/// A class with its families, by name.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// What people call the class.
    pub class: &'static str,
    /// The family.
    pub name: &'static str,
}

const fn family(class: &'static str, name: &'static str) -> Family {
    Family { class, name }
}

/// Multipliers of inequalities: M = [[H, -A'], [A, 0]].
const KKT: &str = "kkt";

/// Small integers, few entries, zeros in the solution, rows that cancel.
const CANCELLED: &str = "cancelled";

/// All of them, by class.
pub const FAMILIES: [Family; 23] = [
    family("symmetric definite", "pd"),
    family("symmetric definite", "pd-int"),
    family("symmetric definite", "tiny-q"),
    family("symmetric definite", "badly-scaled"),
    family("unsymmetric P", "p"),
    family("unsymmetric P", "p-hidden"),
    family("unsymmetric P", "kostreva"),
    family("exponential", "murty"),
    family("exponential", "birge-gana"),
    family("exponential", "fathi"),
    family("semidefinite", "psd"),
    family("semidefinite", "stack"),
    family("semidefinite", "wall"),
    family("boxes", "box"),
    family("free rows", "bilateral"),
    family("friction rows", "friction-box"),
    family("friction, zero diagonal", "copositive-friction"),
    family("friction, zero diagonal", "friction-wall"),
    family("friction, zero diagonal", "friction-four"),
    family("zero diagonal", KKT),
    family("zero diagonal", "bimatrix"),
    family("cancelled rows", CANCELLED),
    family("degenerate", "degenerate"),
];

/// The sizes, small ones more often: exact arithmetic takes n^3 and more.
pub const SIZES: [usize; 12] = [2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 20, 40];

impl Family {
    /// Problem k at the family's next size from n on; `None` where it has none up to 40.
    pub fn problem(self, n: usize, seed: u64, k: u64) -> Option<Problem> {
        let name = format!("{}/n{n}/s{seed}/{k}", self.name);
        let mut draw = Splitmix(seed.wrapping_mul(1 << 40) + 1000 * k + n as u64);
        match self.name {
            KKT => kkt(&mut draw, n).and_then(|data| data.problem(name)).ok(),
            CANCELLED => cancelled(&mut draw, n).problem(name).ok(),
            _ => {
                let known = etalon_conformance::families();
                let sizes = known.iter().find(|known| known.name == self.name)?.sizes;
                let n = (n..=40).find(|&n| sizes.contains(n))?;
                generate(self.name, n, k + 1, seed).ok()?.nth(k as usize)
            }
        }
    }
}

/// Data in integers; `free` rows have no bounds.
struct Data {
    m: Vec<Vec<i64>>,
    q: Vec<i64>,
    free: Vec<bool>,
}

impl Data {
    fn problem(self, name: String) -> Result<Problem, ProblemError> {
        let number = |value: i64| Number::from_f64(value as f64).ok_or(ProblemError::NotFinite);
        let rows = self
            .m
            .into_iter()
            .map(|row| row.into_iter().map(number).collect());
        let rows: Vec<Vec<Number>> = rows.collect::<Result<_, _>>()?;
        let m = Matrix::from_rows(rows).map_err(|_| ProblemError::NotFinite)?;
        let q = self.q.into_iter().map(number).collect::<Result<_, _>>()?;
        let lower = self.free.iter().map(|free| match free {
            true => Bound::NegativeInfinity,
            false => Bound::Finite(Number::from_f64(0.0).unwrap_or_else(|| Number::from(0))),
        });
        Problem::new(name, m, q)?.with_bounds(Some(lower.collect()), None)
    }
}

fn between(draw: &mut Splitmix, low: i64, high: i64) -> i64 {
    low + draw.below((high - low + 1) as u64) as i64
}

/// min x'Hx/2 + c'x with Ax >= b: H diagonally dominant, x free or x >= 0, b met with a margin by a
/// point, so that there is a solution, and x is unique.
fn kkt(draw: &mut Splitmix, n: usize) -> Result<Data, ProblemError> {
    let multipliers = n / 3 + usize::from(n > 1 && n < 3);
    let unknowns = n - multipliers;
    let mut m = dominant(draw, unknowns, n, true);
    let mut q: Vec<i64> = (0..n).map(|_| between(draw, -9, 9)).collect();
    let inside: Vec<i64> = (0..unknowns).map(|_| between(draw, 0, 3)).collect();
    for k in unknowns..n {
        let mut reached = 0;
        for j in 0..unknowns {
            let value = if draw.below(2) == 0 {
                between(draw, -4, 4)
            } else {
                0
            };
            m[k][j] = value;
            m[j][k] = -value;
            reached += value * inside[j];
        }
        // Ax - b >= 0 at the point inside.
        q[k] = between(draw, 0, 3) - reached;
    }
    let is_free = draw.below(2) == 0;
    let free = (0..n).map(|i| is_free && i < unknowns).collect();
    Ok(Data { m, q, free })
}

/// q = -M z + w for a small z with many zeros and w = 0 on most rows: rows cancel, some of them
/// whole.
fn cancelled(draw: &mut Splitmix, n: usize) -> Data {
    let symmetric = draw.below(2) == 0;
    let m = dominant(draw, n, n, symmetric);
    let free: Vec<bool> = (0..n).map(|_| draw.below(2) == 0).collect();
    let values = [0, 0, 1, 2];
    let z: Vec<i64> = (0..n).map(|_| values[draw.below(4) as usize]).collect();
    let slack = |i: usize, draw: &mut Splitmix| match !free[i] && z[i] == 0 {
        true => between(draw, 0, 2),
        false => 0,
    };
    let q = (0..n).map(|i| {
        let product: i64 = m[i].iter().zip(&z).map(|(m, z)| m * z).sum();
        slack(i, draw) - product
    });
    Data {
        q: q.collect(),
        m,
        free,
    }
}

/// A block of small integers with dominant diagonal in a matrix of `size` rows of zeros.
#[allow(
    clippy::needless_range_loop,
    reason = "entries that face each other are drawn together"
)]
fn dominant(draw: &mut Splitmix, n: usize, size: usize, symmetric: bool) -> Vec<Vec<i64>> {
    let mut m = vec![vec![0; size]; size];
    for i in 0..n {
        for j in 0..i {
            let mut value = || match draw.below(3) {
                0 => between(draw, -3, 3),
                _ => 0,
            };
            m[i][j] = value();
            m[j][i] = if symmetric { m[i][j] } else { value() };
        }
    }
    for i in 0..n {
        let others: i64 = (0..n).map(|j| m[i][j].abs().max(m[j][i].abs())).sum();
        m[i][i] = others + between(draw, 1, 4);
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_problems_at_every_size() {
        for family in FAMILIES {
            // Some have sizes in steps that miss 40.
            for n in SIZES.into_iter().filter(|n| *n < 40) {
                let problem = family.problem(n, 1, 0).unwrap();
                assert!(
                    problem.n() >= n && problem.n() <= n + 9,
                    "{}",
                    problem.name()
                );
            }
        }
    }

    #[test]
    fn multipliers_have_zeros_on_the_diagonal() {
        let problem = FAMILIES
            .iter()
            .find(|f| f.name == KKT)
            .unwrap()
            .problem(9, 1, 0)
            .unwrap();
        let zeros = (0..9).filter(|&i| problem.m().get(i, i).is_some_and(Number::is_zero));
        assert_eq!(zeros.count(), 3);
    }
}
