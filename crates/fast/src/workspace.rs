//! One entrance for all methods: looks at the data, starts, solves, checks.

use std::time::Instant;

use crate::core::{Core, Found};
use crate::failure::Failure;
use crate::far::Near;
use crate::meter::Until;
use crate::method::FastMethod;
use crate::place::Start;
use crate::problem::LcpRef;
use crate::range::{Look, look};
use crate::scale::Scaled;
use crate::solution::Solution;
use crate::tiny::WithoutTiny;

/// Memory that solvers reuse: once it has the size of the problem, pivoting takes none from the
/// allocator. Four things do:
///
/// - bounds and friction rows on Lemke's way to a pure problem,
/// - data beyond 2^+-300,
/// - bounds of 1e15 or more that are left out after a failure,
/// - the sparse method, which takes dense matrices of at least 200 rows with fewer than one nonzero
///   among 60 entries.
#[derive(Debug, Default)]
pub struct Workspace {
    core: Core,
    scaled: Scaled,
    scaled_z: Vec<f64>,
    scaled_w: Vec<f64>,
    near: Near,
    without_tiny: WithoutTiny,
}

impl Workspace {
    /// An empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// From here on answers with a backward error of at most this are returned in place of
    /// [`Failure::Inaccurate`], where none is found within (4 n + 16) 2^-53. At first it is 0. This is
    /// for programs that have to go on, such as a simulation with redundant contacts;
    /// [`Solution::backward_error`] says how large the error is.
    ///
    /// ```
    /// let mut workspace = etalon_fast::Workspace::new();
    /// workspace.accept(1e-11);
    /// ```
    pub fn accept(&mut self, backward_error: f64) {
        self.core.accept = backward_error;
    }

    /// From here on a solve that is not done at `end` is given up with [`Failure::Time`], before the next pivot or factor. Whether it is
    /// done in time depends on the machine; by default there is no end.
    pub fn until(&mut self, end: Option<Instant>) {
        self.core.until = Until(end);
    }

    /// Solves a problem, from nothing or from what a nearby problem left.
    ///
    /// # Errors
    /// [`Failure`]. None of its cases says that there is no solution.
    pub fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        method: FastMethod,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        let found = self.run(lcp, method, start, false)?;
        Ok(self.solution(found))
    }

    /// The same, and tries to prove that the places are those of an exact solution: that the block
    /// of M in the rows that stand between is regular, and the exact point with those places has
    /// z >= 0 and w >= 0. Costs little, as the factor that solves proves too, and says nothing of
    /// the last digits of z. Only pure problems with symmetric M are ever proved, by block pivoting
    /// or on a small dictionary, and none with an exact zero among z or w.
    ///
    /// ```
    /// use etalon_fast::{LcpRef, FastMethod, Start, Workspace};
    ///
    /// let m = [2.0, 1.0, 1.0, 2.0];
    /// let mut workspace = Workspace::new();
    /// let lcp = LcpRef::new(&m, &[-5.0, -6.0])?;
    /// assert!(workspace.solve_proving(lcp, FastMethod::Auto, Start::Cold)?.proved);
    /// // z = (0, 3), and w_0 = 0 exactly.
    /// let lcp = LcpRef::new(&m, &[-3.0, -6.0])?;
    /// assert!(!workspace.solve_proving(lcp, FastMethod::Auto, Start::Cold)?.proved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`].
    pub fn solve_proving(
        &mut self,
        lcp: LcpRef<'_>,
        method: FastMethod,
        start: Start<'_>,
    ) -> Result<Solution<'_>, Failure> {
        // A solution without a proof is a solution too.
        let proving = self.run(lcp, method, start, true);
        let found = proving.or_else(|_| self.run(lcp, method, start, false))?;
        Ok(self.solution(found))
    }

    /// Solves the problem as it stands. Where that fails and bounds are so far away that they may stand
    /// for none, solves it without these. A solution that keeps the bounds left out solves the problem
    /// with them too: where z is off a bound, the bound asks for nothing.
    fn run(
        &mut self,
        lcp: LcpRef<'_>,
        method: FastMethod,
        start: Start<'_>,
        prove: bool,
    ) -> Result<Answer, Failure> {
        let found = self.run_within(lcp, method, start, prove);
        let Err(failure) = found else {
            return found;
        };
        let mut near = std::mem::take(&mut self.near);
        let second = near.build(lcp).then(|| {
            // Without a proof: that would be one for the problem without the bounds.
            let answer = self.run_within(near.view(lcp), method, start, false)?;
            let z = match &answer {
                Answer::Own(_) => &self.core.point.z,
                Answer::Scaled(_) => &self.scaled_z,
            };
            lcp.holds(z).then_some(answer).ok_or(failure)
        });
        self.near = near;
        second.and_then(Result::ok).ok_or(failure)
    }

    fn run_within(
        &mut self,
        lcp: LcpRef<'_>,
        method: FastMethod,
        start: Start<'_>,
        prove: bool,
    ) -> Result<Answer, Failure> {
        let seen = look(lcp)?;
        if seen.tame {
            let found = self.core.solve(lcp, seen, method, start, prove);
            // Results out of range need the scaled problem after all.
            if !matches!(found, Err(Failure::Overflow)) {
                return found.map(Answer::Own);
            }
        }
        let found = self.run_scaled(lcp, seen, method, start, prove, Scaled::build);
        if !matches!(found, Err(Failure::Overflow)) {
            return found;
        }
        let by_means: Scale = |scaled, lcp, _| scaled.build_by_means(lcp);
        match self.run_scaled(lcp, seen, method, start, prove, by_means) {
            found @ (Ok(_) | Err(Failure::Time)) => found,
            Err(_) => self.run_without_tiny(lcp, seen, method, start),
        }
    }

    /// Solves the problem with 0 in place of what is below the range of safe products, and checks the answer on the problem itself.
    fn run_without_tiny(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: FastMethod,
        start: Start<'_>,
    ) -> Result<Answer, Failure> {
        if !self.without_tiny.build(lcp) {
            return Err(Failure::Overflow);
        }
        let other = self.without_tiny.view(lcp);
        let looked = look(other)?;
        if !looked.tame {
            return Err(Failure::Overflow);
        }
        // Without a proof: that would be one for the other problem.
        let found = self.core.solve(other, looked, method, start, false)?;
        let found = self.core.checked_on(lcp, seen.symmetric, found)?;
        Ok(Answer::Own(found))
    }

    fn run_scaled(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        method: FastMethod,
        start: Start<'_>,
        prove: bool,
        scale: Scale,
    ) -> Result<Answer, Failure> {
        if !scale(&mut self.scaled, lcp, seen.symmetric) {
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
            Start::Solution { places, z } => {
                moved = self.scaled.scale_point(z);
                Start::Solution { places, z: &moved }
            }
            other => other,
        };
        let found = self.core.solve(scaled, looked, method, start, prove)?;
        let core = &self.core;
        self.scaled
            .unscale(&core.point.z, &mut self.scaled_z)
            .ok_or(Failure::Overflow)?;
        self.scaled.unscale_w(&core.point.w, &mut self.scaled_w);
        Ok(Answer::Scaled(found))
    }

    fn solution(&self, answer: Answer) -> Solution<'_> {
        match answer {
            Answer::Own(found) => self.core.solution(found),
            Answer::Scaled(found) => Solution {
                z: &self.scaled_z,
                w: &self.scaled_w,
                ..self.core.solution(found)
            },
        }
    }
}

/// A way to other units for a problem, of which M is symmetric or not.
type Scale = fn(&mut Scaled, LcpRef<'_>, bool) -> bool;

/// An answer to the problem in its own units, or in others.
enum Answer {
    Own(Found),
    Scaled(Found),
}
