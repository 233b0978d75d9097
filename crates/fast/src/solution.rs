//! What a method returns.

use crate::method::FastMethod;
use crate::place::Place;

/// A solution that passed the self-check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution<'a> {
    /// z, n values.
    pub z: &'a [f64],
    /// w = Mz + q, rounded, n values; infinite, or 0, where it leaves the range of binary64. That says nothing against z.
    pub w: &'a [f64],
    /// Where each z_i stands.
    pub places: &'a [Place],
    /// Pivots, or rows exchanged.
    pub pivots: u64,
    /// A bound on the componentwise backward error, rounding included: at most (4 n + 16) 2^-53, or
    /// what [`Workspace::accept`](crate::Workspace::accept) was told.
    pub backward_error: f64,
    /// The method that found it.
    pub method: FastMethod,
    /// Whether the places were proved to be those of an exact solution; `false` unless
    /// [`Workspace::solve_proving`](crate::Workspace::solve_proving) was asked.
    pub proved: bool,
}
