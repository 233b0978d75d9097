//! Block principal pivoting (Kostreva 1978; Judice and Pires 1994), with proximal steps for
//! semidefinite matrices.
//!
//! F is the set of rows whose z stands between its bounds. A round solves w_F = 0 and exchanges
//! *all* rows that come out wrong. For a P-matrix the places without a wrong row are the solution.
//! The exchange of all rows may cycle: the [`Guard`] gives it a few rounds to lower the number of
//! wrong rows, and then another way is taken.
//!
//! **Redundant contacts.** A semidefinite M may have a singular M_FF. Then M + E is solved instead
//! of M, E a small diagonal ([`shift`]), followed by proximal steps (Rockafellar 1976): with the
//! last z as the centre c, solve LCP(q - E c, M + E). Each of these problems has one solution, the
//! places hardly move, the factor serves again, and the limit of the steps solves LCP(q, M). With
//! E = 0 the same step is iterative refinement.
//!
//! **Sweeps.** Cold problems without bounds start from a few sweeps of [`crate::sweep`]. Where the
//! exchange does not settle, the run returns once to more of them.
//!
//! # The states of a run
//!
//! A run is in one of the states of [`walk::State`]. Each does one thing and names the next state:
//!
//! | state | what is done | condition | next state |
//! |---|---|---|---|
//! | `Sweep` | first sweeps propose the places | always | `Factor` |
//! | `Settle` | w_F = 0 solved with the kept factor | converged | `Exchange` |
//! | | | otherwise | `Factor` |
//! | `Factor` | (M + E)_FF factored, w_F = 0 solved from the centre | factored | `Exchange` |
//! | | | singular, E = 0, and `keep` not set | `Shift` to the first E |
//! | | | singular otherwise | `End`: `Singular` |
//! | `Exchange` | every wrong row moved | no row was wrong | `Check` |
//! | | | the guard allows another round | `Factor` |
//! | | | the guard refuses, sweeps are left | `Return` |
//! | | | the guard refuses, none are left | `End`: `Pivots` |
//! | `Return` | more sweeps propose the places | z and w finite | `Shift` to a larger E |
//! | | | otherwise | `End`: `Pivots` |
//! | `Shift` | E and its centre c taken, a new guard | always | `Factor` |
//! | `Check` | backward error computed | within the limit | `End`: solved |
//! | | | E is not the smallest | `Shift` to the next smaller E |
//! | | | no longer falls, and the snapped point passes | `End`: solved |
//! | | | no step is left, but within `accept` | `End`: solved |
//! | | | no step is left | `End`: `Inaccurate` |
//! | | | otherwise | `Refine` |
//! | `Refine` | one proximal step, or one of refinement | always | `Exchange` |
//!
//! The first state follows from [`Opening`]: `Sweep` for `Sweeps`, `Settle` for `Kept`, and
//! `Factor` for the others. On entry to `Exchange` and `Check`, w and s are those of z.
//!
//! Every run ends. `Exchange` goes to `Factor` only while the guard allows it, and a guard allows
//! at most `patience` rounds for each of the n values that the least number of wrong rows can take.
//! New guards come with `Shift` only: once from `Factor`, once from `Return`, and from `Check` at
//! most twice for each of those. `Refine` is entered at most [`crate::tolerances::MAX_STEPS`] times.

mod exchange;
mod guard;
mod rules;
mod shift;
mod system;
#[cfg(test)]
mod tests;
mod walk;

use crate::dense::{Kind, System};
use crate::failure::Failure;
use crate::kept::Kept;
use crate::meter::Meter;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::proof;
pub(crate) use rules::{Opening, Rules};
pub(crate) use shift::shifts;
use walk::Walk;

/// Working memory.
#[derive(Debug, Default)]
pub(crate) struct Block {
    system: System,
    /// F, in ascending order.
    set: Vec<usize>,
    /// The right-hand side of the system, then its solution.
    step: Vec<f64>,
    /// The diagonal E; empty: none.
    shift: Vec<f64>,
    /// The centre c of the proximal step.
    centre: Vec<f64>,
    /// Which of [`shift::SHIFTS`] E is.
    level: usize,
    /// What sweeps left: z, which becomes the centre where E is not 0, and w there.
    swept: Vec<f64>,
    swept_w: Vec<f64>,
    /// z before it is snapped.
    saved: Vec<f64>,
    /// The part of its diagonal that the factored block lacks, for a proof; 0: none.
    lowered: f64,
    /// A term of the series that makes up for it.
    term: Vec<f64>,
    kept: Kept,
}

impl Block {
    /// Room for n rows; E = 0.
    pub(crate) fn reserve(&mut self, n: usize, kind: Kind) {
        self.system.reserve(n, kind);
        for vector in [
            &mut self.step,
            &mut self.shift,
            &mut self.centre,
            &mut self.swept,
            &mut self.swept_w,
            &mut self.saved,
            &mut self.term,
        ] {
            vector.clear();
            vector.reserve(n);
        }
        self.set.clear();
        self.set.reserve(n);
        self.kept.reserve(n);
    }

    /// Pivots from `places` to a solution in `point`, and returns its backward error. The number of
    /// exchanged rows is added to `meter`. [`Self::reserve`] comes first.
    pub(crate) fn solve(
        &mut self,
        lcp: LcpRef<'_>,
        rules: Rules,
        places: &mut [Place],
        point: &mut Point,
        meter: &mut Meter,
    ) -> Result<f64, Failure> {
        Walk::new(self, lcp, rules, places, point, meter).run()
    }

    /// Whether the signs of the solution at which [`Self::solve`] has just ended are proved, by
    /// the factor that found it.
    pub(crate) fn proves(&mut self, lcp: LcpRef<'_>, largest: f64, point: &Point) -> bool {
        self.lowered > 0.0 && proof::holds(lcp, &self.set, self.lowered, largest, point)
    }

    /// The same for a solution that another method has found.
    pub(crate) fn proves_places(
        &mut self,
        lcp: LcpRef<'_>,
        largest: f64,
        places: &[Place],
        point: &Point,
    ) -> bool {
        self.gather(places);
        self.kept.clear();
        self.factor_lowered(lcp) && self.proves(lcp, largest, point)
    }

    /// F from the places.
    fn gather(&mut self, places: &[Place]) {
        self.set.clear();
        let between = |&i: &usize| places[i] == Place::Between;
        self.set.extend((0..places.len()).filter(between));
    }
}
