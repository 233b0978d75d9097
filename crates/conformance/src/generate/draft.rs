//! A problem under construction, in binary64.

use etalon_lcp::{
    Bound, Cone, Entry, Expect, Friction, Matrix, Number, Problem, ProblemError, Status,
};

use super::draw::{Draw, power_of_two};
use crate::subject::is_too_large;

/// Rows of a matrix.
pub(crate) type Rows<T> = Vec<Vec<T>>;

/// What a family draws: M (n rows of n), q (n values), and where the family has them bounds
/// (n values, infinities allowed) and friction rows (row, normal, mu).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Draft {
    pub m: Rows<f64>,
    /// The entries (row, column, value) of an M that is kept sparse; then `m` is empty.
    pub sparse: Vec<(usize, usize, f64)>,
    pub q: Vec<f64>,
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    pub friction: Vec<(usize, usize, f64)>,
    /// Friction cones.
    pub cones: Vec<Cone>,
    /// Rows that are components of one vector.
    pub blocks: Vec<Vec<usize>>,
    /// Sizes of what each w_i is the difference of.
    pub scale: Option<Vec<f64>>,
    /// A solution, where one is known by construction.
    pub solution: Option<Vec<f64>>,
    /// Words beside those of the family.
    pub tags: Vec<&'static str>,
}

impl Draft {
    /// A pure LCP.
    pub fn new(m: Rows<f64>, q: Vec<f64>) -> Self {
        Self {
            m,
            q,
            ..Self::default()
        }
    }

    /// A pure LCP of integers, M in units of 2^-m_bits and q in units of 2^-q_bits. Exact, for
    /// the families keep their integers below 2^53.
    pub fn from_integers(m: &[Vec<i64>], m_bits: i32, q: &[i64], q_bits: i32) -> Self {
        let rows = m.iter().map(|row| dyadic(row, m_bits));
        Self::new(rows.collect(), dyadic(q, q_bits))
    }

    /// The same problem with one more tag.
    pub fn tagged(mut self, tag: &'static str) -> Self {
        self.tags.push(tag);
        self
    }

    /// The same problem with the first rows free and z >= 0 in all others.
    pub fn with_free(self, free: usize) -> Self {
        let n = self.q.len();
        let lower = (0..n).map(|i| if i < free { f64::NEG_INFINITY } else { 0.0 });
        Self {
            bounds: Some((lower.collect(), vec![f64::INFINITY; n])),
            ..self
        }
    }

    /// The same problem in another order: row and column i become those that stood at `order[i]`.
    pub fn permuted(self, order: &[usize]) -> Self {
        let m = order.iter().map(|&i| {
            let row = &self.m[i];
            order.iter().map(|&j| row[j]).collect()
        });
        Self {
            m: m.collect(),
            q: order.iter().map(|&i| self.q[i]).collect(),
            ..self
        }
    }

    /// The same problem in other units: row i times `rows[i]`, column j times `columns[j]`, all
    /// of them positive powers of two. Solutions stay solutions, in the new units.
    pub fn scaled(mut self, rows: &[f64], columns: &[f64]) -> Self {
        for ((row, value), unit) in self.m.iter_mut().zip(&mut self.q).zip(rows) {
            row.iter_mut()
                .zip(columns)
                .for_each(|(entry, column)| *entry = *entry * unit * column);
            *value *= unit;
        }
        self
    }

    /// The data of a problem in binary64, dense; `None` where they are no such numbers, or
    /// too many.
    pub fn of(problem: &Problem) -> Option<Self> {
        let n = problem.n();
        if is_too_large(problem) {
            return None;
        }
        let mut m = vec![vec![0.0; n]; n];
        for (i, row) in m.iter_mut().enumerate() {
            for (j, value) in problem.m().stored_row(i) {
                row[j] = value.as_binary64()?;
            }
        }
        let all = |values: &[Number]| {
            values
                .iter()
                .map(Number::as_binary64)
                .collect::<Option<_>>()
        };
        let bounds = |bounds: Option<&[Bound]>, default| match bounds {
            None => Some(vec![default; n]),
            Some(bounds) => bounds.iter().map(float).collect::<Option<Vec<_>>>(),
        };
        let mut draft = Self::new(m, all(problem.q())?);
        let mut mus = problem.cones().iter().flat_map(|cone| &cone.discs);
        mus.try_for_each(|disc| all(disc.mu.data()).map(drop))?;
        draft.cones = problem.cones().to_vec();
        draft.blocks = problem.blocks().to_vec();
        draft.scale = match problem.scale() {
            Some(scale) => Some(all(scale)?),
            None => None,
        };
        if problem.lower().is_some() || problem.upper().is_some() {
            let lower = bounds(problem.lower(), 0.0)?;
            draft.bounds = Some((lower, bounds(problem.upper(), f64::INFINITY)?));
        }
        for friction in problem.friction() {
            let mu = friction.mu.as_binary64()?;
            draft.friction.push((friction.row, friction.normal, mu));
        }
        Some(draft)
    }

    /// The same problem with M dense.
    pub fn dense(mut self) -> Self {
        if self.m.is_empty() {
            let n = self.q.len();
            self.m = vec![vec![0.0; n]; n];
            for (i, j, value) in std::mem::take(&mut self.sparse) {
                self.m[i][j] = value;
            }
        }
        self
    }

    /// Whether a dense M is symmetric.
    pub fn is_symmetric(&self) -> bool {
        let n = self.q.len();
        (0..n).all(|i| (0..i).all(|j| self.m[i][j] == self.m[j][i]))
    }

    /// The largest absolute value in a dense M and in q.
    pub fn largest(&self) -> f64 {
        let values = self.m.iter().flatten().chain(&self.q);
        values.fold(0.0, |most, value| value.abs().max(most))
    }

    /// The problem under a name, without remarks.
    ///
    /// # Errors
    /// Where the data are no problem.
    pub fn into_problem(self, name: String) -> Result<Problem, ProblemError> {
        let m = matrix(self.m, self.sparse, self.q.len())?;
        let problem = Problem::new(name, m, numbers(self.q)?)?;
        let (lower, upper) = self.bounds.unzip();
        let friction = self.friction.into_iter().map(|(row, normal, mu)| {
            let mu = number(mu)?;
            Ok(Friction { row, normal, mu })
        });
        let mut problem = problem
            .with_bounds(
                lower.map(bounds).transpose()?,
                upper.map(bounds).transpose()?,
            )?
            .with_friction(friction.collect::<Result<_, ProblemError>>()?)?
            .with_cones(self.cones)?
            .with_blocks(self.blocks)?;
        if let Some(scale) = self.scale {
            problem = problem.with_scale(numbers(scale)?)?;
        }
        if let Some(solution) = self.solution {
            problem.expect = Some(Expect {
                status: Status::Solvable,
                solutions: vec![numbers(solution)?],
                unique: None,
                certificate: None,
                answer: None,
            });
        }
        Ok(problem)
    }
}

fn matrix(
    rows: Rows<f64>,
    sparse: Vec<(usize, usize, f64)>,
    n: usize,
) -> Result<Matrix, ProblemError> {
    let matrix = if sparse.is_empty() {
        Matrix::from_rows(rows.into_iter().map(numbers).collect::<Result<_, _>>()?)
    } else {
        let entry = |(i, j, value)| Ok((i as u64, j as u64, number(value)?));
        let entries = sparse.into_iter().map(entry);
        let entries: Vec<Entry> = entries.collect::<Result<_, ProblemError>>()?;
        Matrix::from_entries((n as u64, n as u64), entries)
    };
    matrix.map_err(|_| ProblemError::NotFinite)
}

fn float(bound: &Bound) -> Option<f64> {
    match bound {
        Bound::NegativeInfinity => Some(f64::NEG_INFINITY),
        Bound::Finite(value) => value.as_binary64(),
        Bound::Infinity => Some(f64::INFINITY),
    }
}

fn number(value: f64) -> Result<Number, ProblemError> {
    Number::from_f64(value).ok_or(ProblemError::NotFinite)
}

fn numbers(values: Vec<f64>) -> Result<Vec<Number>, ProblemError> {
    values.into_iter().map(number).collect()
}

fn bounds(values: Vec<f64>) -> Result<Vec<Bound>, ProblemError> {
    let bound = |value| {
        Ok(match value {
            f64::INFINITY => Bound::Infinity,
            f64::NEG_INFINITY => Bound::NegativeInfinity,
            value => Bound::Finite(number(value)?),
        })
    };
    values.into_iter().map(bound).collect()
}

/// Integers in units of 2^-bits.
pub(super) fn dyadic(values: &[i64], bits: i32) -> Vec<f64> {
    let unit = power_of_two(-bits);
    values.iter().map(|&value| value as f64 * unit).collect()
}

/// `length` powers of two from 2^-largest to 2^largest.
pub(super) fn powers_of_two(draw: &mut Draw, length: usize, largest: i64) -> Vec<f64> {
    draw.vector(length, |draw| {
        power_of_two(draw.between(-largest, largest) as i32)
    })
}
