//! The numerical thresholds that more than one method uses, each with where it comes from.
//!
//! u = 2^-53 = 1.1e-16 is the unit roundoff, n the number of rows. None of these decides whether an
//! answer is right: that is [`limit`] alone, with the margin of [`crate::point`]. The others decide
//! what is tried, so a wrong one costs an answer or time, and makes no answer wrong.
//!
//! "Measured" means: the value was exchanged, and the answers and pivots of all methods counted on 1009
//! problems, those of 16 families of `etalon-conformance` with 12 to 190 rows and random ones of low
//! rank, indefinite or ill-conditioned. `fast-auto` solves 798 of them; many have no solution.

/// The unit roundoff u = 2^-53.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// The largest backward error of an answer returned as solved: (4 n + 16) u.
///
/// The check itself loses up to (n + 6) u in the sums of n products. The residual of a solution by a
/// factor with one step of refinement is of the same size, (n + 1) u (Higham, Accuracy and Stability
/// of Numerical Algorithms, section 12.1). Both together fit twice.
pub(crate) fn limit(n: usize) -> f64 {
    (4 * n + 16) as f64 * UNIT
}

/// What a computed bound on the backward error is enlarged by. It covers the quotients and sums that make it, 4 u, and the terms
/// of second order that (c + 4) u leaves out: k u / (1 - k u) is below 1.001 k u for k < 9e12.
pub(crate) const SECOND_ORDER: f64 = 1.0 + 1e-3;

/// A pivot of a new factor below this part of its diagonal entry is lost in rounding errors.
///
/// The pivot is the diagonal entry less k squares whose sum it bounds, for k rows before it, so its
/// error is at most some k u of the entry: 1e-13 for k = 1000.
pub(crate) const NEARLY_SINGULAR: f64 = 1e-13;

/// Entries of a dictionary below this part of the largest of their column, or row, are noise, and no
/// pivots.
///
/// After k exchanges an entry has lost up to some k n u of the largest one, times the growth of the
/// entries on the way: for n = k = 100, 1e-12 times the growth, for which a factor of ten is left.
/// Measured: with 1e-9 the answers are the same; with 1e-13 three more problems are solved, and one
/// pivot in ten is added.
pub(crate) const PIVOT_NOISE: f64 = 1e-11;

/// Ratios this close, relative to the least, are a tie.
///
/// Ratios that are equal in exact arithmetic come out with errors of some n u, 1e-13 for n = 1000.
/// Two that are not equal but this close make the other basic variable negative by 1e-12 of itself,
/// which refinement mends.
pub(crate) const TIE: f64 = 1e-12;

/// z0 at this part of its first value is 0.
///
/// Where M is of low rank up to rounding, z0 reaches some u of its first value and not 0, and the
/// path would go on into a false ray. Each of k pivots adds some u to that: 1e-12 leaves room for
/// thousands.
pub(crate) const DONE: f64 = 1e-12;

/// A q_i up to this part of max|q| means 0.
///
/// Such a value is what remains of larger ones that cancel, in a sum of up to n of them: n u is 1e-13
/// for n = 1000.
pub(crate) const Q_NOISE: f64 = 1e-13;

/// A right-hand side that an exchange leaves at this part of what it was means 0.
///
/// All but 11 bits have cancelled, 2^-42 = 2^11 u. The two numbers that cancel carry the errors of
/// earlier exchanges, a few u each, so that after some hundred exchanges nothing of 11 bits is true.
pub(crate) const CANCELLED: f64 = 1.0 / (1u64 << 42) as f64;

/// The smallest E of proximal steps, relative to the diagonal of M.
///
/// It is bounded from both sides. A pivot that is 0 in exact arithmetic must count as positive, so E
/// has to be far above [`NEARLY_SINGULAR`]. And a proximal step leaves the part E / (lambda + E) of
/// the error along an eigenvector of eigenvalue lambda, so E has to be far below the eigenvalues that
/// are not 0. Measured: with 1e-8 the answers of `fast-auto` are the same. With 1e-12 64 more points
/// pass: where there is no solution, z grows by 1 / E in each of the [`MAX_STEPS`] steps, and a z of
/// 3e13 makes the backward error as small as the limit. With 1e-10 it stays a hundred times above.
pub(crate) const SMALLEST_SHIFT: f64 = 1e-10;

/// Proximal or refining steps in a run. For eigenvalues above 1e-5 of the diagonal a step with the
/// smallest E leaves 1e-5 of the error, so that four do; the others are for matrices nearly singular.
pub(crate) const MAX_STEPS: u32 = 30;
