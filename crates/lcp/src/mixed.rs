//! Exact reductions between forms of the LCP, and the way back.
//!
//! A [`MixedLcp`] has complementary rows (z_i, w_i >= 0, z_i w_i = 0) and bilateral rows (z_i
//! free, w_i = 0). Every [`Problem`] reduces to one. A finite lower bound is shifted to 0, and an
//! upper bound alone is reflected. A row bounded on both sides, by numbers or by friction,
//! gets a multiplier of its own:
//!
//! | row | substitution | row of the mixed form | extra row, with multiplier s >= 0 |
//! |---|---|---|---|
//! | z >= l | z = l + a | w | |
//! | z <= u | z = u - a | -w | |
//! | l <= z <= u | z = l + a | w + s | u - l - a |
//! | \|z\| <= mu z_j | z = a - mu z_j | w + s | 2 mu z_j - a |
//! | free | z = a | w = 0 | |
//!
//! With w + s >= 0 complementary to a >= 0 and the extra row complementary to s: at z = l the
//! multiplier is 0 and w >= 0; at z = u (a > 0) w = -s <= 0; between, s = 0 and w = 0. Where
//! l = u, w may have any sign and s = max(0, -w) completes the solution. So the solutions of the
//! mixed form map *onto* those of the problem.
//!
//! A row i of the problem is row i of the mixed form; the extra rows follow in order of i.

use std::collections::BTreeMap;

use rug::Rational;

use crate::matrix::Matrix;
use crate::number::Number;
use crate::problem::{Problem, Row};

/// The mixed LCP: w = Mz + q; z_i free and w_i = 0 on bilateral rows, z_i, w_i >= 0 and
/// z_i w_i = 0 on all others (CPS section 1.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixedLcp {
    m: Matrix,
    q: Vec<Number>,
    bilateral: Vec<bool>,
}

impl MixedLcp {
    /// A mixed LCP; `None` when q or `bilateral` are not as long as M has rows.
    pub fn new(m: Matrix, q: Vec<Number>, bilateral: Vec<bool>) -> Option<Self> {
        let fits = q.len() == m.n() && bilateral.len() == m.n();
        fits.then_some(Self { m, q, bilateral })
    }

    pub(crate) fn from_parts(m: Matrix, q: Vec<Number>, bilateral: Vec<bool>) -> Self {
        Self { m, q, bilateral }
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.m.n()
    }

    /// The matrix M.
    pub fn m(&self) -> &Matrix {
        &self.m
    }

    /// The vector q.
    pub fn q(&self) -> &[Number] {
        &self.q
    }

    /// Which rows are bilateral.
    pub fn bilateral(&self) -> &[bool] {
        &self.bilateral
    }

    /// Whether no row is bilateral.
    pub fn is_pure(&self) -> bool {
        !self.bilateral.contains(&true)
    }
}

/// A problem's mixed form with the way back.
#[derive(Debug, Clone)]
pub struct Reduction {
    mixed: MixedLcp,
    way: Way,
}

#[derive(Debug, Clone)]
enum Way {
    /// The mixed form is the problem itself.
    Identity,
    Substitution(Substitution),
}

/// z = T a + t, and one multiplier for each row bounded on both sides.
#[derive(Debug, Clone)]
struct Substitution {
    z: Vec<Affine>,
    doubles: Vec<Double>,
}

/// A row bounded on both sides: its multiplier is variable n + its position in the list.
#[derive(Debug, Clone)]
struct Double {
    row: usize,
    /// The distance from the lower to the upper bound, in terms of a.
    width: Affine,
}

/// constant + sum of coefficient * a_j.
#[derive(Debug, Clone, Default)]
struct Affine {
    constant: Rational,
    terms: Vec<(usize, Rational)>,
}

impl Affine {
    fn variable(sign: i32, j: usize, constant: Rational) -> Self {
        let terms = vec![(j, Rational::from(sign))];
        Self { constant, terms }
    }

    fn times(&self, factor: &Rational) -> Self {
        Self {
            constant: Rational::from(&self.constant * factor),
            terms: self
                .terms
                .iter()
                .map(|(j, c)| (*j, Rational::from(c * factor)))
                .collect(),
        }
    }

    fn at(&self, a: &[Rational]) -> Rational {
        let terms = self.terms.iter().map(|(j, c)| Rational::from(c * &a[*j]));
        terms.fold(self.constant.clone(), |sum, term| sum + term)
    }
}

impl Reduction {
    /// Reduces a problem to its mixed form. Friction cones have none and are passed over, so who solves asks
    /// [`Problem::is_lcp`] first.
    pub fn new(problem: &Problem) -> Self {
        let rows = problem.rows();
        let plain = |row: &Row<'_>| matches!(row, Row::Nonnegative | Row::Free);
        if rows.iter().all(plain) {
            let mixed = MixedLcp {
                m: problem.m().clone(),
                q: problem.q().to_vec(),
                bilateral: rows.iter().map(|row| *row == Row::Free).collect(),
            };
            return Self {
                mixed,
                way: Way::Identity,
            };
        }
        let substitution = Substitution::new(&rows);
        let mixed = substitution.apply(problem, &rows);
        Self {
            mixed,
            way: Way::Substitution(substitution),
        }
    }

    /// The mixed form.
    pub fn mixed(&self) -> &MixedLcp {
        &self.mixed
    }

    /// Whether the mixed form is the problem itself.
    pub fn is_identity(&self) -> bool {
        matches!(self.way, Way::Identity)
    }

    /// The problem's z for a solution of the mixed form.
    ///
    /// # Panics
    /// When the solution has fewer entries than the mixed form has rows.
    pub fn lift(&self, solution: &[Rational]) -> Vec<Rational> {
        match &self.way {
            Way::Identity => solution.to_vec(),
            Way::Substitution(s) => s.z.iter().map(|z| z.at(solution)).collect(),
        }
    }

    /// The problem's direction for a direction of the mixed form's solution set.
    ///
    /// # Panics
    /// As [`lift`](Self::lift).
    pub fn lift_direction(&self, direction: &[Rational]) -> Vec<Rational> {
        let Way::Substitution(s) = &self.way else {
            return direction.to_vec();
        };
        let linear = |z: &Affine| z.at(direction) - &z.constant;
        s.z.iter().map(linear).collect()
    }
}

impl Substitution {
    fn new(rows: &[Row<'_>]) -> Self {
        // Normal rows are no friction rows, so they are settled in the first pass.
        let mut z: Vec<Affine> = rows.iter().enumerate().map(plain_substitution).collect();
        let mut doubles = Vec::new();
        for (row, bounds) in rows.iter().enumerate() {
            let a = || Affine::variable(1, row, Rational::new());
            match bounds {
                Row::Between(lower, upper) => {
                    let constant = upper.to_rational() - lower.to_rational();
                    let width = Affine {
                        constant,
                        terms: Vec::new(),
                    };
                    doubles.push(Double { row, width });
                }
                Row::Friction { normal, mu } => {
                    let limit = z[*normal].times(&mu.to_rational());
                    let mut own = limit.times(&Rational::from(-1));
                    own.terms.extend(a().terms);
                    let width = limit.times(&Rational::from(2));
                    z[row] = own;
                    doubles.push(Double { row, width });
                }
                _ => {}
            }
        }
        Self { z, doubles }
    }

    fn apply(&self, problem: &Problem, rows: &[Row<'_>]) -> MixedLcp {
        let n = rows.len();
        let size = n + self.doubles.len();
        let mut m = Vec::with_capacity(size);
        let mut q = Vec::with_capacity(size);
        for (i, bounds) in rows.iter().enumerate() {
            let sign = if matches!(bounds, Row::AtMost(_)) {
                -1
            } else {
                1
            };
            let mut row = Collected {
                constant: problem.q()[i].to_rational(),
                ..Collected::default()
            };
            for (j, value) in problem.m().row(i) {
                row.add(&self.z[j].times(&value.to_rational()));
            }
            m.push(row.coefficients);
            q.push(row.constant);
            if sign < 0 {
                m[i].values_mut().for_each(|value| *value *= -1);
                q[i] *= -1;
            }
        }
        for (k, Double { row, width }) in self.doubles.iter().enumerate() {
            m[*row].insert(n + k, Rational::from(1));
            let mut extra = Collected::default();
            extra.add(width);
            extra.add(&Affine::variable(-1, *row, Rational::new()));
            m.push(extra.coefficients);
            q.push(extra.constant);
        }
        let mut bilateral: Vec<bool> = rows.iter().map(|row| *row == Row::Free).collect();
        bilateral.resize(size, false);
        MixedLcp {
            m: assemble(m, problem.m().is_sparse()),
            q: q.into_iter().map(Number::from).collect(),
            bilateral,
        }
    }
}

fn plain_substitution((i, row): (usize, &Row<'_>)) -> Affine {
    match row {
        Row::AtMost(upper) => Affine::variable(-1, i, upper.to_rational()),
        Row::AtLeast(lower) | Row::Between(lower, _) => Affine::variable(1, i, lower.to_rational()),
        Row::Nonnegative | Row::Free | Row::Friction { .. } | Row::Cone => {
            Affine::variable(1, i, Rational::new())
        }
    }
}

/// An affine form under construction, like terms merged.
#[derive(Default)]
struct Collected {
    constant: Rational,
    coefficients: BTreeMap<usize, Rational>,
}

impl Collected {
    fn add(&mut self, form: &Affine) {
        self.constant += &form.constant;
        for (j, value) in &form.terms {
            *self.coefficients.entry(*j).or_default() += value;
        }
    }
}

fn assemble(rows: Vec<BTreeMap<usize, Rational>>, sparse: bool) -> Matrix {
    let n = rows.len();
    if sparse {
        let nonzeros = |row: BTreeMap<usize, Rational>| {
            let row = row.into_iter().filter(|(_, value)| !value.is_zero());
            row.map(|(j, value)| (j, Number::from(value))).collect()
        };
        return Matrix::from_sparse_rows(rows.into_iter().map(nonzeros));
    }
    // A zero of binary64 takes 16 bytes, a fraction 80.
    let zero = Number::from_f64(0.0).unwrap_or_else(|| Number::from(0));
    let mut values = vec![zero; n * n];
    for (i, row) in rows.into_iter().enumerate() {
        for (j, value) in row {
            values[i * n + j] = Number::from(value);
        }
    }
    Matrix::from_row_major(n, values)
}
