//! The self-check: a bound on the block error of a point, rounding of the check included (`docs/cones.md`).
//!
//! Every condition of the law is asked of the point as it stands, with the changes of data that the block error
//! allows, and of these only some: all mu of a disc change by one factor, and one multiplier a disc is looked at. So
//! the value found is at least the block error. What rounding adds, u = 2^-53:
//!
//! * data, rounded to binary64 once: u;
//! * w, summed with twice the digits ([`super::sums`]): u |w| <= u s, and terms of u^2;
//! * the norm of a disc and its quotient by r_N, at most 5 rows: (r/mu)^2 3 roundings and one of mu, 4 sums, root:
//!   10 u; the quotient and the difference from 1: 2 u;
//! * L r_k / mu'^2 from L: at most 24 u of its size, which is at most |w_k| + eps s <= 2 s;
//! * the sum of L r_N over 4 discs the same, and 4 u.
//!
//! Each row adds up to fewer than 64 u, which is [`MARGIN`]. Quotients and the sizes s themselves lose a part of
//! their value below 1e-3 for fewer than 1e12 entries: [`SECOND_ORDER`].

use etalon_lcp::Law;

use super::blocks::Blocks;
use super::data::{Cone, ConeProblem, Disc};
use super::sums::velocities;
use crate::range::is_tame;
use crate::tolerances::{SECOND_ORDER, UNIT};

/// What rounding adds to an error.
const MARGIN: f64 = 64.0 * UNIT;

/// The check of a problem, with its memory.
pub(super) struct Check<'a> {
    problem: &'a ConeProblem,
    blocks: Blocks,
    /// Rows of no cone.
    plain: Vec<usize>,
    /// Per row the friction row's normal and mu.
    ties: Vec<Option<(usize, f64)>>,
    data_is_tame: bool,
    pub w: Vec<f64>,
    s: Vec<f64>,
}

impl<'a> Check<'a> {
    pub fn new(problem: &'a ConeProblem) -> Self {
        let n = problem.n();
        let mut in_cone = vec![false; n];
        for row in problem.cones.iter().flat_map(Cone::rows) {
            in_cone[row] = true;
        }
        let mut ties = vec![None; n];
        for f in &problem.friction {
            ties[f.row] = Some((f.normal, f.mu));
        }
        let mus = problem.cones.iter().flat_map(|cone| &cone.discs);
        let mut data = problem
            .values
            .iter()
            .chain(&problem.q)
            .chain(mus.flat_map(|disc| &disc.mu));
        Self {
            problem,
            blocks: Blocks::new(problem),
            plain: (0..n).filter(|&i| !in_cone[i]).collect(),
            ties,
            data_is_tame: data.all(|value| is_tame(*value)),
            w: vec![0.0; n],
            s: vec![0.0; n],
        }
    }

    /// A bound on the block error of z; infinite where z breaks what no change of data explains.
    pub fn block_error(&mut self, z: &[f64]) -> f64 {
        if !self.data_is_tame || !z.iter().all(|z| is_tame(*z)) {
            return f64::INFINITY;
        }
        velocities(self.problem, z, &mut self.w);
        self.blocks.sizes(self.problem, z, &mut self.s);
        let mut worst = 0.0f64;
        for &i in &self.plain {
            worst = larger(worst, self.plain_error(i, z));
        }
        for cone in &self.problem.cones {
            worst = larger(worst, self.cone_error(cone, z));
        }
        if worst.is_nan() {
            return f64::INFINITY;
        }
        (worst + MARGIN) * SECOND_ORDER
    }

    fn plain_error(&self, i: usize, z: &[f64]) -> f64 {
        let (lower, upper) = match self.ties[i] {
            None => (self.problem.lower[i], self.problem.upper[i]),
            Some((normal, mu)) => (-mu * z[normal], mu * z[normal]),
        };
        if !(lower <= z[i] && z[i] <= upper) {
            return f64::INFINITY;
        }
        let wrong = match (z[i] == lower, z[i] == upper) {
            (true, true) => 0.0,
            (true, false) => (-self.w[i]).max(0.0),
            (false, true) => self.w[i].max(0.0),
            (false, false) => self.w[i].abs(),
        };
        part(wrong, self.s[i])
    }

    fn cone_error(&self, cone: &Cone, z: &[f64]) -> f64 {
        let (n, normal) = (cone.normal, z[cone.normal]);
        let forces = |disc: &Disc| disc.rows.iter().any(|&k| z[k] != 0.0);
        let (w_n, s_n) = (self.w[n], self.s[n]);
        if normal == 0.0 {
            // |r_T| <= mu r_N leaves no room for friction at r_N = 0, whatever mu becomes.
            if cone.discs.iter().any(forces) {
                return f64::INFINITY;
            }
            let slip = match cone.law {
                Law::Coulomb => 0.0,
                Law::Convex => cone.discs.iter().map(|disc| self.slip(disc)).sum(),
            };
            // eps s_N makes up for all of it; the sum of roots loses less than 32 u of itself, which is below s_N + w_N.
            let more = slip * 32.0 * UNIT;
            return part(larger(slip + more - w_n, 0.0), s_n);
        }
        if normal < 0.0 || normal.is_nan() {
            return f64::INFINITY;
        }
        let (mut worst, mut multipliers) = (0.0f64, 0.0);
        for disc in &cone.discs {
            let (error, multiplier) = self.disc_error(disc, z, normal);
            worst = larger(worst, error);
            multipliers += multiplier;
        }
        let own = match cone.law {
            Law::Coulomb => part(w_n.abs(), s_n),
            Law::Convex => part((w_n - multipliers * normal).abs(), s_n),
        };
        larger(worst, own)
    }

    /// The norm of mu u.
    fn slip(&self, disc: &Disc) -> f64 {
        let rows = disc.rows.iter().zip(&disc.mu);
        rows.map(|(&k, mu)| (mu * self.w[k]).powi(2))
            .sum::<f64>()
            .sqrt()
    }

    /// The error of a disc where r_N > 0 for one of the multipliers L that serve, and L.
    fn disc_error(&self, disc: &Disc, z: &[f64], normal: f64) -> (f64, f64) {
        let rows = || disc.rows.iter().copied().zip(disc.mu.iter().copied());
        // Changes of mu are relative: a mu of 0 stays 0.
        if rows().any(|(k, mu)| mu == 0.0 && z[k] != 0.0) {
            return (f64::INFINITY, 0.0);
        }
        let rows = || rows().filter(|(_, mu)| *mu > 0.0);
        let square: f64 = rows().map(|(k, mu)| (z[k] / mu).powi(2)).sum();
        let ratio = square.sqrt() / normal;
        let excess = ratio - 1.0;
        let of = |multiplier: f64| {
            let wrong = rows().map(|(k, mu)| {
                // With mu' = mu ratio the force stands on the boundary, where it may slide: u_k =
                // -L r_k / mu'^2.
                let own = mu * ratio;
                let asked = if z[k] == 0.0 {
                    0.0
                } else {
                    multiplier * z[k] / (own * own)
                };
                part((self.w[k] + asked).abs(), self.s[k])
            });
            wrong.fold(0.0, larger)
        };
        // A force inside its disc sticks with mu as it is. To slide, mu has to shrink until the
        // force is on the boundary, or to grow.
        let sticks = larger(of(0.0), larger(excess, 0.0));
        // The least squares multiplier: within a small factor of the best.
        let (mut above, mut below) = (0.0, 0.0);
        for (k, mu) in rows() {
            let direction = z[k] / (mu * ratio).powi(2);
            above -= self.w[k] * direction;
            below += direction * direction;
        }
        let multiplier = if above > 0.0 && below > 0.0 {
            above / below
        } else {
            0.0
        };
        let slides = larger(of(multiplier), excess.abs());
        // Where it rests, any smaller multiplier would serve; none is the one that needs no boundary.
        if sticks <= slides || slides.is_nan() {
            (sticks, 0.0)
        } else {
            (slides, multiplier)
        }
    }
}

/// a / s, and 0 for 0 / 0.
fn part(a: f64, s: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / s }
}

/// The larger of two numbers; NaN where one is NaN, which [`f64::max`] would drop.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}
