//! One entrance for all methods: looks at the data, starts, solves, checks.

use crate::core::Core;
use crate::failure::Failure;
use crate::method::Method;
use crate::place::{Place, Start};
use crate::problem::LcpRef;
use crate::range::{Look, look};
use crate::scale::Scaled;

/// Memory that solvers reuse: once it has the size of the problem, pivoting takes none from the
/// allocator. What does: bounds and friction rows on Lemke's way to a pure problem, data beyond
/// 2^+-300, and the sparse method, which takes dense matrices of at least 200 rows with fewer than
/// one nonzero among 60 entries.
#[derive(Debug, Default)]
pub struct Workspace {
    core: Core,
    scaled: Scaled,
    scaled_z: Vec<f64>,
    scaled_w: Vec<f64>,
}

/// A solution that passed the self-check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution<'a> {
    /// z, n values.
    pub z: &'a [f64],
    /// w = Mz + q, rounded, n values.
    pub w: &'a [f64],
    /// Where each z_i stands.
    pub places: &'a [Place],
    /// Pivots, or rows exchanged.
    pub pivots: u64,
    /// A bound on the componentwise backward error, rounding included: at most (4 n + 16) 2^-53.
    pub backward_error: f64,
    /// The method that found it.
    pub method: Method,
}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves a problem, from nothing or from what a nearby problem left.
    ///
    /// # Errors
    /// [`Failure`]. None of its cases says that there is no solution.
    pub fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        method: Method,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        let seen = look(lcp)?;
        if seen.tame {
            let found = self.core.solve(lcp, seen, method, start);
            // Results out of range need the scaled problem after all.
            if !matches!(found, Err(Failure::Overflow)) {
                return found.map(|found| self.core.solution(found));
            }
        }
        self.solve_scaled(lcp, seen, method, start)
    }

    fn solve_scaled(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: Method,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        if !self.scaled.build(lcp, seen.symmetric) {
            return Err(Failure::Overflow);
        }
        let scaled = self.scaled.lcp.view();
        let looked = look(scaled).map_err(|_| Failure::Overflow)?;
        if !looked.tame {
            return Err(Failure::Overflow);
        }
        let moved;
        let start = match start {
            Start::Point(z) => {
                moved = self.scaled.scale_point(z);
                Start::Point(&moved)
            }
            other => other,
        };
        let found = self.core.solve(scaled, looked, method, start)?;
        let core = &self.core;
        self.scaled
            .unscale(&core.point.z, &mut self.scaled_z)
            .ok_or(Failure::Overflow)?;
        self.scaled.unscale_w(&core.point.w, &mut self.scaled_w);
        Ok(Solution {
            z: &self.scaled_z,
            w: &self.scaled_w,
            ..core.solution(found)
        })
    }
}
