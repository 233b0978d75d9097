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
//! * An unknown is *sound* where M_jj > 0 and no cycle of entries outweighs the diagonal
//!   (below). Its own row measures it: s_j / M_jj is the displacement that row j notices whole.
//! * Elimination carries the rounding of one loose row into others. So zeta_j, the size of a loose
//!   sound unknown, is the larger of s_j / M_jj and |M_jk| zeta_k / ([`STEP`] M_jj) over the other
//!   ones. A row of zeros and cancelled terms has its size from there.
//! * sigma_i = |q_i| + sum_j |M_ij| zeta_j, zeta_j = |x_j| for all other unknowns, is the natural
//!   size of row i.
//! * The natural size of an unknown that is not sound is max(|x_j|, min_i sigma_i / |M_ij|): the
//!   displacement that some row notices whole.

use etalon_lcp::Problem;
use rug::Rational;

use crate::bounds::Bounds;
use crate::evaluate::Rows;

/// A size becomes smaller by this factor with each row that it is carried into, and a cycle of
/// entries counts as heavier than the diagonal where it is so after that. Products over a cycle of
/// a semidefinite matrix never exceed those of the diagonal, but rounded data do by a rounding:
/// contacts of one face have nearly equal rows.
pub(crate) const STEP: u32 = 2;

/// Each entry may be looked at this many times in the search for sizes, and small problems may do
/// more. Beyond that no unknown counts as sound and rows keep their plain sizes: stricter, never
/// laxer.
const MAX_LOOKS: u64 = 32;
const FREE_LOOKS: u64 = 1 << 22;

/// Bits of a size that is carried on, at most; a longer one makes its unknown unsound. A hundred
/// steps over binary64 entries stay below.
const MAX_BITS: u32 = 1 << 14;

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
        let own = |j: usize| Rational::from(&rows.s[j] / &diagonal[j]);
        let plain = || x.iter().map(|x| Rational::from(x.abs_ref())).collect();

        let stored = problem.m().stored() as u64;
        let mut work = FREE_LOOKS + MAX_LOOKS * stored;
        let mut sound: Vec<bool> = diagonal.iter().map(|d| *d > 0).collect();
        // Whoever is on a cycle that outweighs the diagonal, or behind one, grows without end.
        loop {
            let start = |j: usize| if sound[j] { own(j) } else { Rational::new() };
            let mut sizes: Vec<Rational> = (0..n).map(start).collect();
            let growing = carry(problem, &diagonal, &sound, &mut sizes, &mut work);
            if growing.is_empty() {
                break;
            }
            for j in growing {
                sound[j] = false;
            }
        }

        let mut carried: Vec<Rational> = plain();
        let mut loose_and_sound = vec![false; n];
        for j in (0..n).filter(|&j| sound[j]) {
            loose_and_sound[j] = !is_tight(bounds.at(j, x), &rows.w[j], &rows.s[j], tol);
            if loose_and_sound[j] {
                carried[j] = own(j);
            }
        }
        let growing = carry(
            problem,
            &diagonal,
            &loose_and_sound,
            &mut carried,
            &mut work,
        );
        if !growing.is_empty() {
            // Only the budget of work ends here: a part of a graph without such cycles has none.
            carried = plain();
            sound = vec![false; n];
        }

        let mut sigma = Vec::with_capacity(n);
        let mut noticed: Vec<Option<Rational>> = vec![None; n];
        let all_sound = sound.iter().all(|sound| *sound);
        for i in 0..n {
            let mut size = problem.q()[i].to_rational().abs();
            for (j, value) in problem.m().row(i) {
                size += value.to_rational().abs() * &carried[j];
            }
            let row = problem.m().row(i).filter(|_| !all_sound);
            for (j, value) in row.filter(|&(j, _)| !sound[j]) {
                let share = Rational::from(&size / value.to_rational().abs());
                if noticed[j].as_ref().is_none_or(|least| share < *least) {
                    noticed[j] = Some(share);
                }
            }
            sigma.push(size);
        }
        let unknowns: Vec<Rational> = (0..n)
            .map(|j| {
                let size = match (sound[j], &mut noticed[j]) {
                    (true, _) => Rational::from(&rows.s[j] / &diagonal[j]),
                    (false, Some(noticed)) => std::mem::take(noticed),
                    (false, None) => Rational::new(),
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

/// Carries sizes between the unknowns that take part: sizes_j becomes |M_jk| sizes_k / (STEP M_jj)
/// where that is larger, in rounds until nothing changes (Bellman and Ford's shortest paths, with
/// products for sums). Returns those that grow without end, and all that take part where the work
/// runs out.
///
/// Without a cycle whose product of |M_jk| / M_jj exceeds STEP to the power of its length, the
/// largest size comes over a path without repetition, so nothing changes after as many rounds as
/// unknowns take part. With one, its members and those behind it change again and again.
fn carry(
    problem: &Problem,
    diagonal: &[Rational],
    takes_part: &[bool],
    sizes: &mut [Rational],
    work: &mut u64,
) -> Vec<usize> {
    let members: Vec<usize> = (0..takes_part.len()).filter(|&j| takes_part[j]).collect();
    let mut changed = takes_part.to_vec();
    let mut late = vec![false; takes_part.len()];
    for round in 0..2 * (members.len() + 1) {
        let mut larger = Vec::new();
        for &j in &members {
            let mut largest = Rational::from(&sizes[j] * &diagonal[j]) * STEP;
            let mut best = None;
            for (k, value) in problem.m().row(j) {
                if k == j || !changed[k] {
                    continue;
                }
                let Some(left) = work.checked_sub(1) else {
                    return members;
                };
                *work = left;
                let size = value.to_rational().abs() * &sizes[k];
                if size > largest {
                    largest.clone_from(&size);
                    best = Some(size);
                }
            }
            if let Some(size) = best {
                larger.push((j, size / &diagonal[j] / STEP));
            }
        }
        changed.fill(false);
        if larger.is_empty() {
            return Vec::new();
        }
        for (j, size) in larger {
            if bits_of(&size) > MAX_BITS {
                return vec![j];
            }
            changed[j] = true;
            late[j] |= round > members.len();
            sizes[j] = size;
        }
    }
    members.into_iter().filter(|&j| late[j]).collect()
}

fn bits_of(value: &Rational) -> u32 {
    value.numer().significant_bits() + value.denom().significant_bits()
}

fn entry(problem: &Problem, i: usize) -> Rational {
    let own = problem.m().get(i, i);
    own.map_or_else(Rational::new, |value| value.to_rational())
}
