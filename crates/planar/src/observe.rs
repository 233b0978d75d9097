//! Watching a run from outside.

/// What an LCP of the run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LcpKind {
    /// f are forces (N), a are accelerations of gaps (m/s^2).
    Forces,
    /// f are impulses (N s), a are velocities of gaps after them (m/s).
    Impulses,
}

/// A contact that is a row of an LCP.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowPlace {
    /// The index of the first body, which +f n acts on.
    pub first: usize,
    /// The index of the second body, which -f n acts on.
    pub second: usize,
    /// Where, in the world (m).
    pub point: [f64; 2],
    /// n, a unit vector out of the second body.
    pub normal: [f64; 2],
    /// The gap, m.
    pub distance: f64,
}

/// One LCP of a run: a = A f + b, a >= 0, f >= 0, a'f = 0, and on joints a = 0, f free.
#[derive(Debug, Clone, Copy)]
pub struct LcpEvent<'a> {
    /// What it is for.
    pub kind: LcpKind,
    /// The time, s; a collision's is just before it.
    pub time: f64,
    /// A, row by row, n^2 values (1/kg).
    pub a: &'a [f64],
    /// b, n values.
    pub b: &'a [f64],
    /// Which rows are bilateral.
    pub joints: &'a [bool],
    /// The answer of the engine's solver, n values.
    pub f: &'a [f64],
    /// Which rows are clamped in it (Baraff's set C); the others separate (NC).
    pub clamped: &'a [bool],
    /// How many pivots it took.
    pub pivots: u64,
    /// What was added to the diagonal of A to solve it, 0 where nothing was.
    pub ridge: f64,
    /// Where the rows are.
    pub places: &'a [RowPlace],
}

/// Sees every LCP of a run as it is solved. Integrators try states that are given up again, so
/// some belong to moments that never come.
pub trait Observer {
    /// One LCP, with its answer.
    fn lcp(&mut self, event: &LcpEvent<'_>);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    fn lcp(&mut self, _: &LcpEvent<'_>) {}
}
