//! Natural sizes: in what unit a row, and an unknown, is measured.
//!
//! An LCP has no units of its own: w -> E w, z -> z / D with positive diagonal D, E makes another
//! LCP of it, and a right answer a right answer. So each row and each unknown is measured by a
//! size that comes from the problem and the candidate and scales as they do. The definitions,
//! the theorems and the reasons are in `docs/measure.md`; in short, at a point x within bounds:
//!
//! * s_i = |q_i| + sum_j |M_ij| |x_j| is the plain size of row i.
//! * Row i is *tight* where x_i is at a bound and w_i has the right sign by more than tol s_i: then
//!   changes of the data by tol leave x_i there. All other rows are *loose*: they hold as equations,
//!   or are wrong.
//! * Elimination on the loose rows leaves in one the rounding of the others. zeta_j, the carried
//!   size of a loose unknown, is the most that it can leave there: Cramer's rule for the loose
//!   block with the largest product of a transversal for the determinant ([`Transversal`]).
//! * sigma_i = |q_i| + sum_j |M_ij| zeta_j, zeta_j = |x_j| for all other unknowns, is the natural
//!   size of row i.
//! * The natural size of a loose unknown is zeta_j. A tight one is measured by its own row, s_j /
//!   M_jj, where the diagonal is fit for it ([`sound`]), and otherwise by the first row that
//!   notices it, min_i sigma_i / |M_ij|.

use etalon_lcp::Problem;
use rug::Rational;

use crate::bounds::Bounds;
use crate::evaluate::Rows;
use crate::transversal::{Transversal, Work};

/// A cycle of entries outweighs the diagonal where its product exceeds that of the diagonal
/// entries by more than this to the power of its length. Products over a cycle of a semidefinite
/// matrix never exceed those of the diagonal, but rounded data do by a rounding: contacts of one
/// face have nearly equal rows.
const STEP: u32 = 2;

/// The natural sizes of all rows and unknowns at one point.
pub(crate) struct Sizes {
    /// sigma, by row.
    pub rows: Vec<Rational>,
    /// The natural size of each unknown; 0 where nothing measures it.
    pub unknowns: Vec<Rational>,
    /// zeta, by unknown.
    pub carried: Vec<Rational>,
    diagonal: Vec<Rational>,
}

impl Sizes {
    /// The sizes at `x`, which lies within its bounds and has these rows.
    pub fn new(
        problem: &Problem,
        bounds: &Bounds,
        x: &[Rational],
        rows: &Rows,
        tol: &Rational,
    ) -> Self {
        let n = problem.n();
        let diagonal: Vec<Rational> = (0..n).map(|i| entry(problem, i)).collect();
        let mut work = Work::new(problem);
        let sound = sound(problem, &diagonal, &rows.s, &mut work);
        let own = |j: usize| Rational::from(&rows.s[j] / &diagonal[j]);

        let tight = (0..n).map(|i| is_tight(bounds.at(i, x), &rows.w[i], &rows.s[i], tol));
        let loose: Vec<bool> = tight.map(|tight| !tight).collect();
        let found = Transversal::new(problem, &loose, &rows.s, &mut work);
        let measured: Vec<bool> = (0..n)
            .map(|j| found.sizes[j].is_some() || (!loose[j] && sound[j]))
            .collect();
        let carried: Vec<Rational> = found
            .sizes
            .into_iter()
            .zip(x)
            .map(|(size, x)| size.unwrap_or_else(|| Rational::from(x.abs_ref())))
            .collect();

        let mut sigma = Vec::with_capacity(n);
        let mut noticed: Vec<Option<Rational>> = vec![None; n];
        let all_measured = measured.iter().all(|measured| *measured);
        for i in 0..n {
            let mut size = problem.q()[i].to_rational().abs();
            for (j, value) in problem.m().row(i) {
                size += value.to_rational().abs() * &carried[j];
            }
            let row = problem.m().row(i).filter(|_| !all_measured);
            for (j, value) in row.filter(|&(j, _)| !measured[j]) {
                let share = &size / value.to_rational().abs();
                if noticed[j].as_ref().is_none_or(|least| share < *least) {
                    noticed[j] = Some(share);
                }
            }
            sigma.push(size);
        }
        let unknowns: Vec<Rational> = (0..n)
            .map(|j| {
                let size = match &mut noticed[j] {
                    _ if measured[j] && loose[j] => Rational::new(),
                    _ if measured[j] => own(j),
                    Some(noticed) => std::mem::take(noticed),
                    None => Rational::new(),
                };
                size.max(carried[j].clone())
            })
            .collect();
        Self {
            unknowns,
            rows: sigma,
            carried,
            diagonal,
        }
    }

    /// M_ii.
    pub fn diagonal(&self, i: usize) -> &Rational {
        &self.diagonal[i]
    }

    /// The natural size of unknown j, which is at least that of its bound: a friction row's bound
    /// mu z_n has mu times the size of z_n.
    pub fn of(&self, bounds: &Bounds, j: usize) -> Rational {
        let own = self.unknowns[j].clone();
        match bounds.cone(j) {
            Some(cone) => own.max(Rational::from(&cone.mu * &self.unknowns[cone.normal])),
            None => own,
        }
    }
}

/// Whether a row holds at its bound whatever changes of the data by tol do to w.
fn is_tight(at: (bool, bool), w: &Rational, s: &Rational, tol: &Rational) -> bool {
    let clear = || Rational::from(w.abs_ref()) > Rational::from(tol * s);
    match at {
        (true, true) => true,
        (true, false) => *w > 0 && clear(),
        (false, true) => *w < 0 && clear(),
        (false, false) => false,
    }
}

/// Which unknowns their own rows measure: M_jj > 0, and no cycle of entries that outweighs the
/// diagonal goes through j or leads to it. On such a cycle a displacement that row j does not notice
/// may be all that another row sees.
///
/// Sizes s_j / M_jj are carried on, |M_jk| / (STEP M_jj) times that of k to j, in rounds (Bellman and
/// Ford's shortest paths, with products for sums). Without such a cycle the largest size comes
/// over a path without repetition, so nothing changes after as many rounds as there are unknowns.
/// With one, its members change again and again; what is reached from it may have a size that takes
/// longer to outgrow, so it is looked for by its entries.
fn sound(problem: &Problem, diagonal: &[Rational], s: &[Rational], work: &mut Work) -> Vec<bool> {
    let n = diagonal.len();
    let mut sound: Vec<bool> = diagonal.iter().map(|d| *d > 0).collect();
    let start = |j: usize| match sound[j] {
        true => Rational::from(&s[j] / &diagonal[j]),
        false => Rational::new(),
    };
    let mut sizes: Vec<Rational> = (0..n).map(start).collect();
    let mut changed = sound.clone();
    let mut late = vec![false; n];
    let members = sound.iter().filter(|sound| **sound).count();
    // In as many further rounds as a cycle has members each of them changes.
    for round in 0..2 * (members + 1) {
        let mut larger = Vec::new();
        for j in (0..n).filter(|&j| sound[j]) {
            let least = Rational::from(&sizes[j] * &diagonal[j]) * STEP;
            let best = work.largest(problem, j, &least, &sizes, |k| k != j && changed[k]);
            let Some(best) = best else {
                return vec![false; n];
            };
            larger.extend(best.map(|(_, size)| (j, size / &diagonal[j] / STEP)));
        }
        changed.fill(false);
        if larger.is_empty() {
            return sound;
        }
        for (j, size) in larger {
            changed[j] = true;
            late[j] |= round > members;
            sizes[j] = size;
        }
    }
    let (ones, zero) = (vec![Rational::from(1); n], Rational::new());
    let mut reached = true;
    while std::mem::take(&mut reached) {
        for j in (0..n).filter(|&j| sound[j]) {
            if late[j] {
                continue;
            }
            let Some(from) = work.largest(problem, j, &zero, &ones, |k| late[k]) else {
                return vec![false; n];
            };
            late[j] = from.is_some();
            reached |= late[j];
        }
    }
    for (sound, late) in sound.iter_mut().zip(late) {
        *sound &= !late;
    }
    sound
}

fn entry(problem: &Problem, i: usize) -> Rational {
    let own = problem.m().get(i, i);
    own.map_or_else(Rational::new, |value| value.to_rational())
}
