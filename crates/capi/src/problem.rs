//! Problems from arrays of doubles, and from records.

use std::ffi::c_int;

use etalon::lcp::limits::MAX_ROWS;
use etalon::lcp::record::read_problem;
use etalon::lcp::{Bound, Friction, Matrix, Number, Problem};

use crate::status::Error;

/// Largest number of rows of a dense matrix: 8 GiB of doubles.
pub(crate) const MAX_DENSE_ROWS: usize = 1 << 15;

/// A problem, opaque to C.
pub struct EtalonProblem(pub(crate) Problem);

/// A row bounded by another one: `-mu z[normal] <= z[row] <= mu z[normal]`, in place of the row's own bounds.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct EtalonFriction {
    /// The tangential row.
    pub row: usize,
    /// The normal row, whose own lower bound is at least 0.
    pub normal: usize,
    /// The coefficient of friction, at least 0.
    pub mu: f64,
}

/// Where the n rows of a dense matrix stand: `stride` doubles from one row's begin to the next one's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub n: usize,
    pub stride: usize,
}

impl Layout {
    /// A stride of 0 means that the rows touch.
    pub fn new(n: usize, stride: usize) -> Result<Self, Error> {
        check_size("n", n, MAX_DENSE_ROWS)?;
        let stride = if stride == 0 { n } else { stride };
        if stride < n {
            let what = "a row (stride)";
            return Err(Error::Length {
                what,
                length: stride,
                n,
            });
        }
        check_size("stride", stride, isize::MAX as usize / MAX_DENSE_ROWS / 8)?;
        Ok(Self { n, stride })
    }

    /// How many doubles there are from the first to the last.
    pub fn length(self) -> usize {
        self.n.saturating_sub(1) * self.stride + self.n
    }
}

/// Refuses sizes over the limit.
pub(crate) fn check_size(what: &'static str, size: usize, limit: usize) -> Result<(), Error> {
    if size > limit {
        return Err(Error::TooLarge { what, size, limit });
    }
    Ok(())
}

/// A pure problem with a dense matrix.
pub(crate) fn dense(layout: Layout, m: &[f64], q: &[f64]) -> Result<Problem, Error> {
    let Layout { n, stride } = layout;
    let mut rows = Vec::new();
    reserve(&mut rows, n)?;
    for i in 0..n {
        let row = m.get(i * stride..i * stride + n).unwrap_or_default();
        rows.push(finite(row, |j| format!("m[{i}][{j}]"))?);
    }
    pure(Matrix::from_rows(rows)?, q)
}

/// A pure problem with a sparse matrix of so many entries.
pub(crate) fn sparse(
    n: usize,
    (rows, columns): (&[usize], &[usize]),
    values: &[f64],
    q: &[f64],
) -> Result<Problem, Error> {
    check_size("n", n, MAX_ROWS)?;
    let values = finite(values, |k| format!("values[{k}]"))?;
    let mut entries = Vec::new();
    reserve(&mut entries, values.len())?;
    let places = rows.iter().zip(columns);
    entries.extend(
        places
            .zip(values)
            .map(|((i, j), value)| (*i as u64, *j as u64, value)),
    );
    pure(Matrix::from_entries((n as u64, n as u64), entries)?, q)
}

fn pure(m: Matrix, q: &[f64]) -> Result<Problem, Error> {
    Ok(Problem::new(
        "problem",
        m,
        finite(q, |i| format!("q[{i}]"))?,
    )?)
}

/// A problem record.
pub(crate) fn from_record(record: &str) -> Result<Problem, Error> {
    Ok(read_problem(record)?.record)
}

impl EtalonProblem {
    /// Replaces all bounds; `None` for the default (0 below, infinity above).
    pub(crate) fn set_bounds(
        &mut self,
        lower: Option<&[f64]>,
        upper: Option<&[f64]>,
    ) -> Result<(), Error> {
        let friction = self.0.friction().to_vec();
        self.bound(lower, upper, friction)
    }

    /// Replaces all friction rows.
    pub(crate) fn set_friction(&mut self, rows: &[EtalonFriction]) -> Result<(), Error> {
        let friction = rows.iter().enumerate().map(|(k, friction)| {
            let EtalonFriction { row, normal, mu } = *friction;
            let mu = number(mu, || format!("friction[{k}].mu"))?;
            Ok(Friction { row, normal, mu })
        });
        let friction = friction.collect::<Result<_, Error>>()?;
        self.0 = self.0.clone().with_friction(friction)?;
        // What a record states of its problem is not about another one.
        self.0.expect = None;
        Ok(())
    }

    /// Bounds and friction rows as ODE, Bullet and DART state them.
    pub(crate) fn set_findex(
        &mut self,
        lower: &[f64],
        upper: &[f64],
        findex: &[c_int],
    ) -> Result<(), Error> {
        let (mut own_lower, mut own_upper) = (lower.to_vec(), upper.to_vec());
        let mut friction = Vec::new();
        let rows = own_lower.iter_mut().zip(&mut own_upper).zip(findex);
        for (row, ((lower, upper), index)) in rows.enumerate() {
            let Ok(normal) = usize::try_from(*index) else {
                continue;
            };
            let mu = number(*upper, || {
                format!("upper[{row}], a coefficient of friction,")
            })?;
            friction.push(Friction { row, normal, mu });
            // Those of the other row stand in their place.
            (*lower, *upper) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        self.bound(Some(&own_lower), Some(&own_upper), friction)
    }

    fn bound(
        &mut self,
        lower: Option<&[f64]>,
        upper: Option<&[f64]>,
        friction: Vec<Friction>,
    ) -> Result<(), Error> {
        let lower = lower.map(|values| bounds("lower", values)).transpose()?;
        let upper = upper.map(|values| bounds("upper", values)).transpose()?;
        // Friction that stood before must not be in the way of the new bounds.
        let bare = self.0.clone().with_friction(Vec::new())?;
        self.0 = bare.with_bounds(lower, upper)?.with_friction(friction)?;
        self.0.expect = None;
        Ok(())
    }

    pub(crate) fn rename(&mut self, name: &str) {
        self.0 = self.0.clone().renamed(name);
    }
}

fn bounds(field: &'static str, values: &[f64]) -> Result<Vec<Bound>, Error> {
    let bound = |(i, value): (usize, &f64)| match *value {
        f64::INFINITY => Ok(Bound::Infinity),
        f64::NEG_INFINITY => Ok(Bound::NegativeInfinity),
        value => Number::from_f64(value).map(Bound::Finite).ok_or_else(|| {
            let place = format!("{field}[{i}]");
            Error::NoBound { place, value }
        }),
    };
    values.iter().enumerate().map(bound).collect()
}

/// The exact values of doubles, all of them finite.
pub(crate) fn finite(
    values: &[f64],
    place: impl Fn(usize) -> String,
) -> Result<Vec<Number>, Error> {
    let mut numbers = Vec::new();
    reserve(&mut numbers, values.len())?;
    for (i, value) in values.iter().enumerate() {
        numbers.push(number(*value, || place(i))?);
    }
    Ok(numbers)
}

fn number(value: f64, place: impl Fn() -> String) -> Result<Number, Error> {
    Number::from_f64(value).ok_or_else(|| Error::NotFinite {
        place: place(),
        value,
    })
}

fn reserve<T>(values: &mut Vec<T>, length: usize) -> Result<(), Error> {
    let bytes = length.saturating_mul(size_of::<T>());
    let reserved = values.try_reserve_exact(length);
    reserved.map_err(|_| Error::Memory(bytes))
}
