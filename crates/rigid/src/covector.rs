//! Rows of Jacobians: sparse covectors on generalised velocities.

use std::cmp::Ordering;

use crate::scalar::Scalar;

/// A sparse row vector on generalised coordinates: what a velocity is at one place (row times
/// generalised velocity), and as a column the generalised force of a unit force there.
#[derive(Debug, Clone, PartialEq)]
pub struct Covector<S>(Vec<(usize, S)>);

impl<S: Scalar> Covector<S> {
    /// The zero row.
    pub fn zero() -> Self {
        Self(Vec::new())
    }

    /// From entries (coordinate, value) in any order; entries of one coordinate add up.
    pub fn new(entries: impl IntoIterator<Item = (usize, S)>) -> Self {
        let mut sorted: Vec<_> = entries.into_iter().collect();
        sorted.sort_by_key(|(k, _)| *k);
        let mut merged: Vec<(usize, S)> = Vec::with_capacity(sorted.len());
        for (k, value) in sorted {
            match merged.last_mut() {
                Some((last, sum)) if *last == k => *sum += &value,
                _ => merged.push((k, value)),
            }
        }
        merged.retain(|(_, value)| !value.is_zero());
        Self(merged)
    }

    /// A dense row.
    pub fn of_dense(values: &[S]) -> Self {
        Self::new(values.iter().cloned().enumerate())
    }

    /// The nonzeros, coordinates ascending.
    pub fn entries(&self) -> &[(usize, S)] {
        &self.0
    }

    /// The last coordinate that occurs, plus one.
    pub fn width(&self) -> usize {
        self.0.last().map_or(0, |(k, _)| k + 1)
    }

    /// The row times a dense vector; missing entries count as zero.
    pub fn times(&self, vector: &[S]) -> S {
        let entries = self.0.iter();
        S::sum_of_products(entries.filter_map(|(k, value)| Some((value, vector.get(*k)?))))
    }

    /// The scalar product of two rows.
    pub fn dot(&self, other: &Self) -> S {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        S::sum_of_products(std::iter::from_fn(move || {
            loop {
                let ((i, x), (j, y)) = (a.peek()?, b.peek()?);
                match i.cmp(j) {
                    Ordering::Less => drop(a.next()),
                    Ordering::Greater => drop(b.next()),
                    Ordering::Equal => {
                        let pair = (x, y);
                        a.next();
                        b.next();
                        return Some(pair);
                    }
                }
            }
        }))
    }

    /// This row plus `factor` times another.
    pub fn plus(&self, factor: &S, other: &Self) -> Self {
        let scaled = other.0.iter().map(|(k, v)| (*k, v.clone() * factor));
        Self::new(self.0.iter().cloned().chain(scaled))
    }

    /// Adds `factor` times this row to a dense vector that has all its coordinates.
    pub fn add_to(&self, factor: &S, vector: &mut [S]) {
        for (k, value) in &self.0 {
            if let Some(entry) = vector.get_mut(*k) {
                *entry += &(value.clone() * factor);
            }
        }
    }
}
