//! The problem as the solvers see it: slices of doubles.

use nalgebra::{DMatrix, DVector};

/// A row bounded by another: -mu z_normal <= z_row <= mu z_normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionRow {
    /// The tangential row.
    pub row: usize,
    /// The normal row, whose own lower bound is at least 0.
    pub normal: usize,
    /// The friction coefficient, at least 0.
    pub mu: f64,
}

/// Why data make no problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A vector of another length.
    #[error("{field} has {length} entries where {expected} are needed")]
    Length {
        /// `M` (row by row), `q`, `lower` or `upper`.
        field: &'static str,
        /// Its length.
        length: usize,
        /// What it should be.
        expected: usize,
    },
    /// Bounds that leave z_i no value, or are no numbers.
    #[error("the bounds of row {row} leave z no value")]
    Bounds {
        /// The row.
        row: usize,
    },
    /// A friction row that cannot be: an index outside, a row bounded twice or by a friction row,
    /// a mu that is negative or not finite, or a normal that may be negative.
    #[error("friction row {entry} of the list cannot be")]
    Friction {
        /// Position in the list.
        entry: usize,
    },
    /// The problem has friction cones, which make it no linear complementarity problem.
    #[error("it has friction cones, and the fast methods solve linear complementarity problems")]
    Cones,
    /// An exact number so large, or so near 0, that the nearest binary64 is far from it: rounded,
    /// the problem would be another one, whose answer says nothing of this.
    #[error("an entry of {field} is beyond the range in which binary64 rounds well")]
    Range {
        /// `M`, `q`, `lower`, `upper` or `mu`.
        field: &'static str,
    },
}

/// A linear complementarity problem in borrowed slices: w = Mz + q with w_i >= 0 where z_i is at
/// its lower bound, w_i <= 0 where it is at its upper bound, w_i = 0 between. Without bounds:
/// z, w >= 0, z'w = 0.
#[derive(Debug, Clone, Copy)]
pub struct LcpRef<'a> {
    pub(crate) m: &'a [f64],
    pub(crate) q: &'a [f64],
    /// Empty: all 0.
    pub(crate) lower: &'a [f64],
    /// Empty: all infinite.
    pub(crate) upper: &'a [f64],
    pub(crate) friction: &'a [FrictionRow],
}

impl<'a> LcpRef<'a> {
    /// The pure LCP of M, n * n values row by row, and q, n values.
    ///
    /// # Errors
    /// [`DataError::Length`].
    pub fn new(m: &'a [f64], q: &'a [f64]) -> Result<Self, DataError> {
        let expected = q.len() * q.len();
        check_length("M", m.len(), expected)?;
        Ok(Self {
            m,
            q,
            lower: &[],
            upper: &[],
            friction: &[],
        })
    }

    /// The same with bounds, n of each, infinite where there is none.
    ///
    /// # Errors
    /// [`DataError::Length`], [`DataError::Bounds`].
    pub fn with_bounds(self, lower: &'a [f64], upper: &'a [f64]) -> Result<Self, DataError> {
        check_length("lower", lower.len(), self.n())?;
        check_length("upper", upper.len(), self.n())?;
        let mut bounds = lower.iter().zip(upper);
        // Written so that NaN is refused too.
        let possible =
            |(l, u): (&f64, &f64)| l <= u && *l < f64::INFINITY && *u > f64::NEG_INFINITY;
        if let Some(row) = bounds.position(|pair| !possible(pair)) {
            return Err(DataError::Bounds { row });
        }
        let bounded = Self {
            lower,
            upper,
            ..self
        };
        bounded.with_friction(self.friction)
    }

    /// The same with friction rows, whose own bounds do not count.
    ///
    /// # Errors
    /// [`DataError::Friction`].
    pub fn with_friction(self, friction: &'a [FrictionRow]) -> Result<Self, DataError> {
        let n = self.n();
        let tangential = |row: usize| friction.iter().any(|other| other.row == row);
        for (entry, f) in friction.iter().enumerate() {
            let good = f.row < n
                && f.normal < n
                && f.mu >= 0.0
                && f.mu.is_finite()
                && self.lower.get(f.normal).is_none_or(|&lower| lower >= 0.0)
                && !tangential(f.normal)
                && !friction[..entry].iter().any(|other| other.row == f.row);
            if !good {
                return Err(DataError::Friction { entry });
            }
        }
        Ok(Self { friction, ..self })
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// Whether z >= 0 is all that bounds z.
    pub fn is_pure(&self) -> bool {
        self.lower.is_empty() && self.upper.is_empty() && self.friction.is_empty()
    }

    /// Whether z is within the fixed bounds.
    pub(crate) fn holds(&self, z: &[f64]) -> bool {
        z.iter().enumerate().all(|(i, z)| {
            let (lower, upper) = self.bounds(i);
            let rubs = self.friction.iter().any(|f| f.row == i);
            rubs || (lower..=upper).contains(z)
        })
    }

    #[inline]
    pub(crate) fn row(&self, i: usize) -> &'a [f64] {
        let n = self.q.len();
        &self.m[i * n..(i + 1) * n]
    }

    /// The fixed bounds of row i; a friction row has none.
    #[inline]
    pub(crate) fn bounds(&self, i: usize) -> (f64, f64) {
        let lower = self.lower.get(i).copied().unwrap_or(0.0);
        let upper = self.upper.get(i).copied().unwrap_or(f64::INFINITY);
        (lower, upper)
    }
}

fn check_length(field: &'static str, length: usize, expected: usize) -> Result<(), DataError> {
    if length == expected {
        return Ok(());
    }
    Err(DataError::Length {
        field,
        length,
        expected,
    })
}

/// A problem that owns its data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lcp {
    pub(crate) m: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) friction: Vec<FrictionRow>,
}

impl Lcp {
    /// The pure LCP of M, n by n, and q of length n.
    ///
    /// # Errors
    /// [`DataError::Length`].
    pub fn new(m: &DMatrix<f64>, q: &DVector<f64>) -> Result<Self, DataError> {
        check_length("M", m.nrows(), q.len())?;
        check_length("M", m.ncols(), q.len())?;
        Ok(Self {
            // nalgebra stores by column: the transpose's storage is M row by row.
            m: m.transpose().as_slice().to_vec(),
            q: q.as_slice().to_vec(),
            ..Self::default()
        })
    }

    /// The same with bounds of length n, infinite where there is none.
    ///
    /// # Errors
    /// [`DataError::Length`], [`DataError::Bounds`].
    pub fn with_bounds(
        mut self,
        lower: &DVector<f64>,
        upper: &DVector<f64>,
    ) -> Result<Self, DataError> {
        self.lower = lower.as_slice().to_vec();
        self.upper = upper.as_slice().to_vec();
        self.checked()
    }

    /// The same with friction rows.
    ///
    /// # Errors
    /// [`DataError::Friction`].
    pub fn with_friction(mut self, friction: Vec<FrictionRow>) -> Result<Self, DataError> {
        self.friction = friction;
        self.checked()
    }

    pub(crate) fn checked(self) -> Result<Self, DataError> {
        let mut view = LcpRef::new(&self.m, &self.q)?;
        if !(self.lower.is_empty() && self.upper.is_empty()) {
            view = view.with_bounds(&self.lower, &self.upper)?;
        }
        view.with_friction(&self.friction)?;
        Ok(self)
    }

    /// The problem as the solvers take it.
    pub fn view(&self) -> LcpRef<'_> {
        LcpRef {
            m: &self.m,
            q: &self.q,
            lower: &self.lower,
            upper: &self.upper,
            friction: &self.friction,
        }
    }
}
