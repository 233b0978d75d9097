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

/// Whether bounds are those of z >= 0 in all rows.
fn are_default(lower: &[f64], upper: &[f64]) -> bool {
    lower.iter().all(|own| *own == 0.0) && upper.iter().all(|own| *own == f64::INFINITY)
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
        // Written out, z >= 0 is the same problem as without bounds, and takes the same way.
        let (lower, upper) = match are_default(lower, upper) {
            true => (&[][..], &[][..]),
            false => (lower, upper),
        };
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
            // Every comparison fails with NaN. A normal that may be negative would turn the bounds -mu z
            // and mu z around, and a friction row as a normal would bound bounds by bounds.
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

    pub(crate) fn checked(mut self) -> Result<Self, DataError> {
        let mut view = LcpRef::new(&self.m, &self.q)?;
        if !(self.lower.is_empty() && self.upper.is_empty()) {
            view = view.with_bounds(&self.lower, &self.upper)?;
        }
        view.with_friction(&self.friction)?;
        if are_default(&self.lower, &self.upper) {
            self.lower.clear();
            self.upper.clear();
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const M: [f64; 9] = [1.0; 9];
    const Q: [f64; 3] = [0.0; 3];
    const INFINITE: [f64; 3] = [f64::INFINITY; 3];

    fn lcp() -> LcpRef<'static> {
        LcpRef::new(&M, &Q).unwrap()
    }

    fn rubs(row: usize, normal: usize, mu: f64) -> FrictionRow {
        FrictionRow { row, normal, mu }
    }

    #[test]
    fn each_friction_row_that_cannot_be_is_named() {
        let fine = rubs(1, 0, 0.5);
        for (second, is_good) in [
            (rubs(2, 0, 0.0), true),
            (rubs(2, 0, 3.0), true),
            (rubs(3, 0, 0.5), false),
            (rubs(2, 3, 0.5), false),
            (rubs(2, 0, -0.5), false),
            (rubs(2, 0, f64::NAN), false),
            (rubs(2, 0, f64::INFINITY), false),
            (rubs(2, 1, 0.5), false),
            (rubs(2, 2, 0.5), false),
            (rubs(1, 2, 0.5), false),
        ] {
            let friction = [fine, second];
            let error = lcp().with_friction(&friction).err();
            let expected = (!is_good).then_some(DataError::Friction { entry: 1 });
            assert_eq!(error, expected, "{second:?}");
        }
        // The normal row may not be negative, whichever is given first.
        for (least, is_good) in [(0.0, true), (1.0, true), (-1e-300, false)] {
            let lower = [least, -1.0, -1.0];
            let friction = [fine];
            let rubbing = lcp().with_friction(&friction).unwrap();
            let bounded = lcp().with_bounds(&lower, &INFINITE).unwrap();
            assert_eq!(bounded.with_friction(&friction).is_ok(), is_good);
            assert_eq!(rubbing.with_bounds(&lower, &INFINITE).is_ok(), is_good);
        }
    }

    #[test]
    fn bounds_leave_each_z_a_value() {
        let none = f64::INFINITY;
        for (lower, upper, is_good) in [
            (0.0, none, true),
            (-none, none, true),
            (-none, -1.0, true),
            (2.0, 2.0, true),
            (2.0, 1.0, false),
            (none, none, false),
            (-none, -none, false),
            (f64::NAN, 1.0, false),
            (0.0, f64::NAN, false),
        ] {
            let (lower, upper) = ([0.0, lower, 0.0], [1.0, upper, 1.0]);
            let error = lcp().with_bounds(&lower, &upper).err();
            let expected = (!is_good).then_some(DataError::Bounds { row: 1 });
            assert_eq!(error, expected, "{lower:?} {upper:?}");
        }
        let short = lcp().with_bounds(&[0.0], &INFINITE).err();
        let length = |field| DataError::Length {
            field,
            length: 1,
            expected: 3,
        };
        assert_eq!(short, Some(length("lower")));
        let short = lcp().with_bounds(&[0.0; 3], &[1.0]).err();
        assert_eq!(short, Some(length("upper")));
    }

    #[test]
    fn only_z_of_at_least_0_is_pure() {
        assert!(lcp().is_pure());
        let (zero, friction) = ([0.0; 3], [rubs(1, 0, 0.5)]);
        let (one, finite) = ([0.0, 1.0, 0.0], [f64::INFINITY, 9.0, f64::INFINITY]);
        assert!(lcp().with_bounds(&zero, &INFINITE).unwrap().is_pure());
        assert!(!lcp().with_bounds(&one, &INFINITE).unwrap().is_pure());
        assert!(!lcp().with_bounds(&zero, &finite).unwrap().is_pure());
        assert!(!lcp().with_friction(&friction).unwrap().is_pure());
        let only = |lower, upper| LcpRef {
            lower,
            upper,
            ..lcp()
        };
        assert!(!only(&zero, &[]).is_pure() && !only(&[], &INFINITE).is_pure());
    }

    #[test]
    fn a_point_holds_within_the_fixed_bounds() {
        let (lower, upper) = ([0.0, 1.0, -1.0], [2.0, 1.0, 1.0]);
        let friction = [rubs(2, 0, 0.5)];
        let boxed = lcp().with_bounds(&lower, &upper).unwrap();
        let rubbing = boxed.with_friction(&friction).unwrap();
        for (z, holds, rubs) in [
            ([0.0, 1.0, 1.0], true, true),
            ([2.0, 1.0, -1.0], true, true),
            ([2.5, 1.0, 0.0], false, false),
            ([1.0, 0.5, 0.0], false, false),
            ([1.0, 1.0, 9.0], false, true),
            ([f64::NAN, 1.0, 0.0], false, false),
        ] {
            assert_eq!(boxed.holds(&z), holds, "{z:?}");
            assert_eq!(rubbing.holds(&z), rubs, "{z:?}");
        }
    }
}
