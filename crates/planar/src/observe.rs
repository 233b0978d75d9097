//! Observers: how each LCP of a run is seen from outside.

use crate::piece::Piece;

/// What an LCP of the run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LcpKind {
    /// f are forces (N), a are accelerations (m/s^2): of gaps, and in rows of friction of sliding, with what stops the
    /// sliding within a step.
    Forces,
    /// f are impulses (N s), a are velocities of gaps, or of sliding, after them (m/s).
    Impulses,
}

/// What bounds f in a row, and with it a: a >= 0 where f is at its lower bound, a <= 0 where it is
/// at its upper bound, a = 0 between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowBound {
    /// f >= this number, which is 0 or more: a contact. It is more than 0 only for impulses with friction, which may not be
    /// less than those that part the bodies without friction.
    AtLeast(f64),
    /// Any f: a joint.
    Free,
    /// -mu f_normal <= f <= mu f_normal: friction by Coulomb's law.
    Coulomb {
        /// The row of the contact's normal.
        normal: usize,
        /// The coefficient of friction.
        mu: f64,
    },
    /// |f| <= this number: friction by [`FrictionModel::Box`](crate::FrictionModel::Box).
    Within(f64),
}

impl RowBound {
    /// Whether the row is a joint's.
    pub fn is_joint(self) -> bool {
        self == Self::Free
    }

    /// Whether the row is one of friction by Coulomb's law.
    pub(crate) fn is_coulomb(self) -> bool {
        matches!(self, Self::Coulomb { .. })
    }

    /// Whether the row is one of friction, along a tangent.
    pub fn is_friction(self) -> bool {
        matches!(self, Self::Coulomb { .. } | Self::Within(_))
    }
}

/// A contact that is a row of an LCP, or the friction at one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowPlace {
    /// The index of the first body, which +f n acts on.
    pub first: usize,
    /// The index of the second body, which -f n acts on.
    pub second: usize,
    /// The point where f acts, in the world, m.
    pub point: [f64; 2],
    /// The unit vector along which f acts: n, out of the second body; in rows of friction t, which is n turned to the
    /// left by a right angle.
    pub direction: [f64; 2],
    /// The gap, m.
    pub distance: f64,
}

/// One LCP of a run: a = A f + b with a >= 0, f >= 0, a'f = 0 at contacts. On joints a = 0 and f is free. Rows of
/// friction have what [`RowBound`] says.
#[derive(Debug, Clone, Copy)]
pub struct LcpEvent<'a> {
    /// Whether f are forces or impulses.
    pub kind: LcpKind,
    /// The time of the state, s; for impulses that just before the collision.
    pub time: f64,
    /// A, row by row, n^2 values (1/kg).
    pub a: &'a [f64],
    /// b, n values.
    pub b: &'a [f64],
    /// What bounds f, n values.
    pub bounds: &'a [RowBound],
    /// The answer of the engine's solver, n values.
    pub f: &'a [f64],
    /// Which rows are clamped in it (Baraff's set C): a = 0, with f between its bounds. The others
    /// separate (NC), or slide.
    pub clamped: &'a [bool],
    /// The number of pivots of the solver.
    pub pivots: u64,
    /// The most that was added to an entry of the diagonal of A to solve it, 1/kg; 0 where nothing was.
    pub ridge: f64,
    /// Where the rows are.
    pub places: &'a [RowPlace],
}

/// Whoever is shown every LCP of a run as it is solved. Integrators try states that are given up again, so some LCPs
/// belong to moments that the run never comes to.
pub trait Observer {
    /// One LCP, with its answer.
    fn lcp(&mut self, event: &LcpEvent<'_>);

    /// Whether [`Observer::piece`] is to be called: what it says is not kept otherwise.
    fn wants_pieces(&self) -> bool {
        false
    }

    /// One piece of a step that the run has come through: motion between events, or the blow of impulses that ends it.
    fn piece(&mut self, _piece: &Piece) {}

    /// The forces that act in place of `event.f`, as many as there are rows: the answer of a solver under test to the
    /// LCP that was shown last, which is one of [`LcpKind::Forces`]. By default the engine's own answer acts.
    ///
    /// The engine goes on deciding by its own answer whether less is to be asked of contacts, and impulses stay its own.
    /// So the motion differs by the forces, and by nothing else.
    fn instead(&mut self, _event: &LcpEvent<'_>) -> Option<Vec<f64>> {
        None
    }
}

/// An observer that looks at nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    fn lcp(&mut self, _: &LcpEvent<'_>) {}
}
