//! The linear system that is left of a problem when it is known which rows hold as equations.

use etalon_benches::elimination::nalgebra_solve;
use etalon_lcp::{Number, Problem, Row};
use nalgebra::{DMatrix, DVector};
use rug::Rational;

/// Where an unknown stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// Off its bounds: unknown k of the system.
    Off(usize),
    /// At a bound.
    At(f64),
    /// Sliding: this many times unknown k of the system, the normal force.
    Slides(usize, f64),
}

/// Which rows count as equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Those of unknowns off their bounds.
    Off,
    /// Those with w = 0, unknowns at their bounds included.
    Loose,
    /// Those off their bounds, but for one that is put the other way: missed where it is off its
    /// bounds, one too many where it is not.
    AllBut(usize),
}

/// A x + b = 0 in binary64, and how z follows from x.
#[derive(Debug, Clone)]
pub struct System {
    /// The matrix.
    pub a: DMatrix<f64>,
    /// The vector.
    pub b: DVector<f64>,
    /// The plain sizes |q_i| + sum_j |M_ij| |z_j| of the rows, at the exact solution.
    sizes: DVector<f64>,
    places: Vec<Place>,
}

impl System {
    /// Of the rows that hold as equations at the exact solution z. `None` where the row to be
    /// changed has no bound.
    pub fn new(problem: &Problem, z: &[Rational], which: Which) -> Option<Self> {
        let off = off_bounds(problem, z, which)?;
        let rows: Vec<usize> = (0..z.len()).filter(|&i| off[i]).collect();
        let mut places = vec![Place::At(0.0); z.len()];
        for (k, &i) in rows.iter().enumerate() {
            places[i] = Place::Off(k);
        }
        let kinds = problem.rows();
        let friction = |i: &usize| matches!(kinds[*i], Row::Friction { .. });
        // Friction rows slide on what became of their normal rows.
        let (last, first): (Vec<_>, Vec<_>) = (0..z.len()).partition(friction);
        for i in first.into_iter().chain(last).filter(|&i| !off[i]) {
            places[i] = match kinds[i] {
                Row::Friction { normal, mu } => {
                    let mu = if z[i] < 0 { -mu.to_f64() } else { mu.to_f64() };
                    match places[normal] {
                        Place::Off(k) if z[normal] != 0 => Place::Slides(k, mu),
                        Place::At(value) => Place::At(mu * value),
                        _ => Place::At(0.0),
                    }
                }
                row => Place::At(nearest_bound(row, &z[i])?.to_f64()),
            };
        }
        let mut a = DMatrix::zeros(rows.len(), rows.len());
        let mut b = DVector::zeros(rows.len());
        let mut sizes = DVector::zeros(rows.len());
        for (r, &i) in rows.iter().enumerate() {
            b[r] = problem.q()[i].to_f64();
            sizes[r] = b[r].abs();
            for (j, value) in problem.m().row(i) {
                let value = value.to_f64();
                sizes[r] += value.abs() * z[j].to_f64().abs();
                match places[j] {
                    Place::Off(k) => a[(r, k)] += value,
                    Place::At(z) => b[r] += value * z,
                    Place::Slides(k, mu) => a[(r, k)] += value * mu,
                }
            }
        }
        Some(Self {
            a,
            b,
            sizes,
            places,
        })
    }

    /// z by LU with partial pivoting, nalgebra's; `None` where A is singular.
    pub fn solve(&self) -> Option<Vec<f64>> {
        // nalgebra has no LU of nothing.
        if self.b.is_empty() {
            return self.point(&[]);
        }
        let x = nalgebra_solve(&self.a, &-&self.b)?;
        self.point(x.as_slice())
    }

    /// The same in binary32.
    pub fn solve_single(&self) -> Option<Vec<f64>> {
        if self.b.is_empty() {
            return self.point(&[]);
        }
        let a = self.a.map(|value| value as f32);
        let x = a.lu().solve(&self.b.map(|value| -value as f32))?;
        let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        self.point(&x)
    }

    /// z for a solution x of the system; `None` where it is not finite.
    pub fn point(&self, x: &[f64]) -> Option<Vec<f64>> {
        let z = self.places.iter().map(|place| match *place {
            Place::Off(k) => x[k],
            Place::At(value) => value,
            Place::Slides(k, mu) => mu * x[k],
        });
        let z: Vec<f64> = z.collect();
        z.iter().all(|z| z.is_finite()).then_some(z)
    }

    /// ||A|| ||A^-1|| in the largest row sum, after rows and columns of A were scaled in turn until
    /// the largest entry of each is nearly 1 (Ruiz 2001). Infinite where A is singular.
    pub fn condition(&self) -> f64 {
        let norm = |m: &DMatrix<f64>| {
            let sums = m.row_iter().map(|row| row.iter().map(|v| v.abs()).sum());
            sums.fold(1.0, f64::max)
        };
        let scaled = Scaled::new(&self.a);
        let inverse = scaled.inverse();
        let condition = inverse.map_or(f64::INFINITY, |inverse| norm(&scaled.a) * norm(&inverse));
        if condition.is_nan() {
            f64::INFINITY
        } else {
            condition
        }
    }

    /// How far changes of the data reach: |A^-1| s. Where each number of the rows changes by a small
    /// part eps of itself, x_k changes by at most eps times this, and nearly as much for some change.
    /// By unknown of the problem; `None` for those at a bound.
    pub fn reach(&self) -> Option<Vec<Option<f64>>> {
        let scaled = Scaled::new(&self.a);
        let inverse = scaled.inverse()?.abs();
        let sizes = self.sizes.component_div(&scaled.rows);
        let reach = (inverse * sizes).component_div(&scaled.columns);
        let of = |place: &Place| match *place {
            Place::Off(k) => Some(reach[k]),
            _ => None,
        };
        Some(self.places.iter().map(of).collect())
    }
}

/// A matrix R A C with A scaled in rows and columns until the largest entry of each is nearly 1.
struct Scaled {
    a: DMatrix<f64>,
    rows: DVector<f64>,
    columns: DVector<f64>,
}

impl Scaled {
    fn new(a: &DMatrix<f64>) -> Self {
        const SWEEPS: usize = 20;
        let mut a = a.clone();
        let mut rows = DVector::repeat(a.nrows(), 1.0);
        let mut columns = rows.clone();
        let part = |largest: f64| if largest > 0.0 { largest.sqrt() } else { 1.0 };
        // nalgebra has no largest entry of nothing.
        for _ in 0..if a.is_empty() { 0 } else { SWEEPS } {
            for (mut row, factor) in a.row_iter_mut().zip(rows.iter_mut()) {
                let part = part(row.amax());
                row /= part;
                *factor *= part;
            }
            for (mut column, factor) in a.column_iter_mut().zip(columns.iter_mut()) {
                let part = part(column.amax());
                column /= part;
                *factor *= part;
            }
        }
        Self { a, rows, columns }
    }

    fn inverse(&self) -> Option<DMatrix<f64>> {
        let n = self.a.nrows();
        if n == 0 {
            return Some(self.a.clone());
        }
        self.a.clone().lu().solve(&DMatrix::identity(n, n))
    }
}

/// Which rows are equations.
fn off_bounds(problem: &Problem, z: &[Rational], which: Which) -> Option<Vec<bool>> {
    let rows = problem.rows();
    let mut off: Vec<bool> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| !at_bound(*row, i, z))
        .collect();
    match which {
        Which::Off => {}
        Which::Loose => {
            for i in (0..z.len()).filter(|&i| !is_fixed(rows[i], z)) {
                let terms = problem
                    .m()
                    .row(i)
                    .map(|(j, value)| value.to_rational() * &z[j]);
                let w = terms.fold(problem.q()[i].to_rational(), |sum, term| sum + term);
                off[i] |= w == 0;
            }
        }
        Which::AllBut(i) => {
            let has_bound = !matches!(rows[i], Row::Free) && !is_fixed(rows[i], z);
            if !has_bound {
                return None;
            }
            off[i] = !off[i];
        }
    }
    Some(off)
}

/// Whether its bounds leave the unknown one value.
fn is_fixed(row: Row<'_>, z: &[Rational]) -> bool {
    match row {
        Row::Between(lower, upper) => lower.to_rational() == upper.to_rational(),
        Row::Friction { normal, mu } => mu.is_zero() || z[normal] == 0,
        _ => false,
    }
}

fn at_bound(row: Row<'_>, i: usize, z: &[Rational]) -> bool {
    match row {
        Row::Free | Row::Cone => false,
        Row::Nonnegative => z[i] == 0,
        Row::AtLeast(bound) | Row::AtMost(bound) => z[i] == bound.to_rational(),
        Row::Between(lower, upper) => z[i] == lower.to_rational() || z[i] == upper.to_rational(),
        Row::Friction { normal, mu } => {
            Rational::from(z[i].abs_ref()) == mu.to_rational() * &z[normal]
        }
    }
}

/// The bound of an unknown that is nearest to a value.
fn nearest_bound(row: Row<'_>, z: &Rational) -> Option<Number> {
    match row {
        Row::Nonnegative => Some(Number::from(0)),
        Row::AtLeast(bound) | Row::AtMost(bound) => Some(bound.clone()),
        Row::Between(lower, upper) => {
            let gap = |bound: &Number| (bound.to_rational() - z).abs();
            Some(
                if gap(lower) <= gap(upper) {
                    lower
                } else {
                    upper
                }
                .clone(),
            )
        }
        Row::Free | Row::Friction { .. } | Row::Cone => None,
    }
}

#[cfg(test)]
mod tests {
    use etalon_exact::{Budget, Certified};
    use etalon_fast::FastMethod;
    use etalon_lcp::{ClaimedAnswer, Solver};

    use super::*;

    fn solved(family: &str, n: usize) -> (Problem, Vec<Rational>) {
        let problem = etalon_conformance::generate(family, n, 1, 1)
            .unwrap()
            .next()
            .unwrap();
        let solver = Certified::new(FastMethod::Auto.solver(), Budget::default());
        let ClaimedAnswer::Solved { z } = solver.solve(&problem).answer else {
            panic!("{family}");
        };
        let z = z.iter().map(Number::to_rational).collect();
        (problem, z)
    }

    #[test]
    fn the_system_of_the_right_rows_has_the_solution() {
        for (family, n) in [("pd", 8), ("box", 9), ("bilateral", 9), ("friction-box", 8)] {
            let (problem, z) = solved(family, n);
            let system = System::new(&problem, &z, Which::Off).unwrap();
            let point = system.solve().unwrap();
            for (own, exact) in point.iter().zip(&z) {
                assert!((own - exact.to_f64()).abs() < 1e-9, "{family}: {own}");
            }
        }
    }

    #[test]
    fn data_changes_reach_as_far_as_said() {
        let (problem, z) = solved("pd", 8);
        let system = System::new(&problem, &z, Which::Off).unwrap();
        let reach = system.reach().unwrap();
        // b changed by a millionth of itself, with the signs of row 0 of the inverse.
        let inverse = system.a.clone().try_inverse().unwrap();
        let mut changed = system.clone();
        for (k, value) in changed.b.iter_mut().enumerate() {
            *value += 1e-6 * value.abs() * inverse[(0, k)].signum();
        }
        let (before, after) = (system.solve().unwrap(), changed.solve().unwrap());
        let own = (0..z.len()).find(|&i| reach[i].is_some()).unwrap();
        let moved = (before[own] - after[own]).abs() / 1e-6 / reach[own].unwrap();
        // b is a part of the data.
        assert!((0.1..1.0001).contains(&moved), "{moved}");
    }

    #[test]
    fn the_condition_knows_no_units() {
        let (problem, z) = solved("pd", 8);
        let mut system = System::new(&problem, &z, Which::Off).unwrap();
        let before = system.condition();
        let n = system.b.len();
        system.a.row_mut(0).scale_mut(2f64.powi(40));
        system.a.column_mut(n - 1).scale_mut(2f64.powi(-40));
        let after = system.condition();
        // Largest entries of 1 do not fix the scaling; unscaled the condition is over 1e20.
        assert!(
            before > 1.0 && (0.1..10.0).contains(&(after / before)),
            "{before} {after}"
        );
    }
}
