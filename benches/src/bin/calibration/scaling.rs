//! A problem in other units: w -> E w, z -> z / D with positive diagonal D, E.

use etalon_benches::splitmix::Splitmix;
use etalon_lcp::{Bound, Friction, Matrix, Number, Problem, ProblemError};
use rug::Rational;
use rug::ops::Pow;

/// How units are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scaling {
    /// As generated.
    None,
    /// Rows and unknowns by powers of two from 2^-40 to 2^40, each on its own: nothing is rounded.
    Binary,
    /// By powers of ten from 10^-6 to 10^6, the data as exact fractions.
    Decimal,
    /// The same, the data rounded to binary64: another problem, with another solution.
    Rounded,
}

impl Scaling {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Binary, Self::Decimal, Self::Rounded];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Binary => "2^-40 to 2^40",
            Self::Decimal => "10^-6 to 10^6, fractions",
            Self::Rounded => "10^-6 to 10^6, rounded",
        }
    }

    /// Units for a problem of n rows.
    pub fn units(self, n: usize, draw: &mut Splitmix) -> Units {
        let (base, largest) = match self {
            Self::None => (2, 0),
            Self::Binary => (2, 40),
            Self::Decimal | Self::Rounded => (10, 6),
        };
        let mut factors = || (0..n).map(|_| power(base, largest, draw)).collect();
        Units {
            rows: factors(),
            unknowns: factors(),
            rounded: self == Self::Rounded,
        }
    }
}

/// base^k with k from -largest to largest.
fn power(base: u32, largest: u64, draw: &mut Splitmix) -> Rational {
    let k = draw.below(2 * largest + 1) as i32 - largest as i32;
    Rational::from(base).pow(k)
}

/// The factors E of rows and D of unknowns.
#[derive(Debug, Clone)]
pub struct Units {
    rows: Vec<Rational>,
    unknowns: Vec<Rational>,
    rounded: bool,
}

impl Units {
    /// E M D, E q, bounds D^-1 l and D^-1 u, mu_i d_n / d_i.
    ///
    /// # Errors
    /// Where rounding crosses bounds, which it does not, for it is monotone.
    pub fn problem(&self, problem: &Problem) -> Result<Problem, ProblemError> {
        let n = problem.n();
        let entry = |i: usize, j: usize, value: &Number| {
            self.number(value.to_rational() * &self.rows[i] * &self.unknowns[j])
        };
        let row = |i: usize| {
            let row = problem.m().stored_row(i);
            row.map(move |(j, value)| (i as u64, j as u64, entry(i, j, value)))
        };
        let m = if problem.m().is_sparse() {
            Matrix::from_entries((n as u64, n as u64), (0..n).flat_map(row).collect())
        } else {
            Matrix::from_rows(
                (0..n)
                    .map(|i| row(i).map(|(_, _, v)| v).collect())
                    .collect(),
            )
        };
        let q = problem.q().iter().zip(&self.rows);
        let q = q.map(|(q, unit)| self.number(q.to_rational() * unit));
        let bounds = |bounds: Option<&[Bound]>| {
            let pairs = bounds.map(|bounds| bounds.iter().zip(&self.unknowns));
            pairs.map(|pairs| pairs.map(|(bound, unit)| self.bound(bound, unit)).collect())
        };
        let friction = problem.friction().iter().map(|f| Friction {
            mu: self.number(f.mu.to_rational() * &self.unknowns[f.normal] / &self.unknowns[f.row]),
            ..*f
        });
        let m = m.map_err(|_| ProblemError::NotFinite)?;
        Problem::new(problem.name(), m, q.collect())?
            .with_bounds(bounds(problem.lower()), bounds(problem.upper()))?
            .with_friction(friction.collect())
    }

    /// D^-1 z.
    pub fn point(&self, z: &[Rational]) -> Vec<Rational> {
        let pairs = z.iter().zip(&self.unknowns);
        pairs.map(|(z, unit)| Rational::from(z / unit)).collect()
    }

    /// Whether solutions of the problem are those of the scaled one.
    pub fn keeps_solutions(&self) -> bool {
        !self.rounded
    }

    fn bound(&self, bound: &Bound, unit: &Rational) -> Bound {
        match bound {
            Bound::Finite(value) => Bound::Finite(self.number(value.to_rational() / unit)),
            infinite => infinite.clone(),
        }
    }

    /// As binary64 where it is such a number or is to be one.
    fn number(&self, value: Rational) -> Number {
        let exact = Number::from(value);
        let nearest = Number::from_f64(exact.to_f64());
        match nearest {
            Some(nearest) if self.rounded || nearest.to_rational() == exact.to_rational() => {
                nearest
            }
            _ => exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use etalon_certify::solves;
    use etalon_exact::{Budget, Certified};
    use etalon_fast::FastMethod;
    use etalon_lcp::{ClaimedAnswer, Solver};

    use super::*;

    #[test]
    fn units_change_no_solution() {
        let solver = Certified::new(FastMethod::Auto.solver(), Budget::default());
        for family in ["pd-int", "box", "bilateral", "friction-box", "wall"] {
            let problem = etalon_conformance::generate(family, 6, 1, 1)
                .unwrap()
                .next()
                .unwrap();
            let ClaimedAnswer::Solved { z } = solver.solve(&problem).answer else {
                panic!("{family}");
            };
            let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
            for scaling in [Scaling::None, Scaling::Binary, Scaling::Decimal] {
                let units = scaling.units(6, &mut Splitmix(3));
                let scaled = units.problem(&problem).unwrap();
                assert_eq!(solves(&scaled, &units.point(&z)), Ok(true), "{family}");
                assert_eq!(
                    scaled.is_binary64(),
                    scaling != Scaling::Decimal,
                    "{family}"
                );
                assert_eq!(scaled.m() == problem.m(), scaling == Scaling::None);
            }
        }
    }

    #[test]
    fn rounded_data_are_binary64_and_near() {
        let problem = etalon_conformance::generate("pd", 6, 1, 1)
            .unwrap()
            .next()
            .unwrap();
        let rounded = Scaling::Rounded.units(6, &mut Splitmix(3));
        let exact = Scaling::Decimal.units(6, &mut Splitmix(3));
        let (rounded, exact) = (
            rounded.problem(&problem).unwrap(),
            exact.problem(&problem).unwrap(),
        );
        assert!(rounded.is_binary64() && !exact.is_binary64());
        for (i, (near, value)) in rounded.q().iter().zip(exact.q()).enumerate() {
            assert_eq!(near.to_f64(), value.to_f64(), "{i}");
        }
    }
}
