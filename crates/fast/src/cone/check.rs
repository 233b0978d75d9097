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
        // Where the bounds leave z_i one value, any w_i is right.
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
        // A multiplier below 0 would let friction push along the slip.
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

#[cfg(test)]
mod tests {
    use etalon_lcp::record::read_problem;

    use super::*;

    const INFINITE: f64 = f64::INFINITY;

    /// The error of z where w is so, without what rounding adds. M is the unit matrix; `more` are further fields.
    fn error(z: &[f64], w: &[f64], more: &str) -> f64 {
        let n = z.len();
        let entry = |k: usize| u8::from(k / n == k % n);
        let rows = (0..n).map(|i| (i * n..(i + 1) * n).map(entry).collect::<Vec<_>>());
        let rows: Vec<_> = rows.collect();
        let q: Vec<f64> = w.iter().zip(z).map(|(w, z)| w - z).collect();
        let text = format!(r#"{{"name": "p", "M": {rows:?}, "q": {q:?}{more}}}"#);
        let problem = read_problem(&text).unwrap().record;
        let problem = ConeProblem::from_problem(&problem).unwrap();
        Check::new(&problem).block_error(z) / SECOND_ORDER - MARGIN
    }

    /// A contact of rows 0, 1, 2 with mu = 1/2.
    fn contact(law: Law, z: [f64; 3], w: [f64; 3]) -> f64 {
        let law = law.word();
        let cone = r#", "cones": [{"rows": [0, 1, 2], "mu": "1/2", "law": "#;
        error(&z, &w, &format!(r#"{cone}"{law}"}}]"#))
    }

    fn near(found: f64, expected: f64) {
        let same = found == expected || (found - expected).abs() < 1e-13;
        assert!(same, "{found} {expected}");
    }

    #[test]
    fn an_open_contact_parts() {
        for (w, coulomb, convex) in [
            ([1.0, 5.0, 0.0], 0.0, 1.5 / 5.0),
            ([1.0, 3.0, 4.0], 0.0, 1.5 / 4.0),
            ([2.5, -3.0, 4.0], 0.0, 0.0),
            ([-1.0, 0.0, 0.0], 1.0, 1.0),
            ([-1.0, 3.0, -4.0], 1.0 / 4.0, 3.5 / 4.0),
        ] {
            near(contact(Law::Coulomb, [0.0; 3], w), coulomb);
            near(contact(Law::Convex, [0.0; 3], w), convex);
        }
        for z in [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]] {
            for law in Law::ALL {
                assert_eq!(contact(law, z, [0.0; 3]), INFINITE, "{z:?}");
            }
        }
    }

    #[test]
    fn a_contact_sticks_inside_of_its_cone() {
        // s is the sum of forces and the largest q, here 2.5 + 1.875.
        let z = [2.0, 0.5, 0.0];
        for (w, wrong) in [
            ([0.125, 0.0, 0.0], 0.125),
            ([0.125, 0.25, 0.0], 0.25),
            ([0.125, 0.25, -0.375], 0.375),
            ([0.125, -0.25, 0.0], 0.25),
        ] {
            for law in Law::ALL {
                near(contact(law, z, w), wrong / 4.375);
            }
        }
        // Beyond the cone by a half, whatever w is.
        near(contact(Law::Coulomb, [2.0, 1.5, 0.0], [0.0; 3]), 0.5);
        near(contact(Law::Coulomb, [2.0, 0.9, -1.2], [0.0; 3]), 0.5);
    }

    #[test]
    fn a_contact_slides_against_its_friction() {
        // |r| = mu r_N: L = 3/4 of the convex law, with w_N = L r_N.
        let z = [2.0, 1.0, 0.0];
        for (w, coulomb, convex) in [
            ([0.0, -3.0, 0.0], 0.0, 1.5 / 7.0),
            ([1.5, -3.0, 0.0], 1.5 / 7.0, 0.0),
            ([0.0, -3.0, 1.0], 1.0 / 7.0, 1.5 / 7.0),
            ([0.0, 3.0, 0.0], 3.0 / 5.0, 3.0 / 5.0),
            ([0.0, 0.0, 3.0], 3.0 / 6.0, 3.0 / 6.0),
        ] {
            near(contact(Law::Coulomb, z, w), coulomb);
            near(contact(Law::Convex, z, w), convex);
        }
        // The direction counts in both rows.
        let z = [2.0, 0.6, 0.8];
        near(contact(Law::Coulomb, z, [0.0, -3.0, -4.0]), 0.0);
        let turned = contact(Law::Coulomb, z, [0.0, -4.0, 3.0]);
        near(turned, 4.0 / (3.4 + 4.6));
        // A force a tenth short of its boundary: another mu explains that, before it sticks with such a w.
        near(
            contact(Law::Coulomb, [2.0, 0.9, 0.0], [0.0, -3.0, 0.0]),
            0.1,
        );
        near(
            contact(Law::Coulomb, [2.0, 1.1, 0.0], [0.0, -3.0, 0.0]),
            0.1,
        );
        // With mu' = 1.1 mu, L = 3 mu'^2 / 1.1 and w_N = L r_N.
        let own = 2.0 * 3.0 * (0.55f64 * 0.55) / 1.1;
        near(contact(Law::Convex, [2.0, 1.1, 0.0], [own, -3.0, 0.0]), 0.1);
        near(
            contact(Law::Convex, [2.0, 1.1, 0.0], [0.0, -3.0, 0.0]),
            own / 7.2,
        );
    }

    #[test]
    fn each_row_has_its_own_mu_and_each_disc_its_multiplier() {
        let each = r#", "cones": [{"normal": 0, "discs": [{"rows": [1, 2], "mu": ["1/2", 0]}]}]"#;
        // What has no friction slides freely.
        near(error(&[2.0, 0.5, 0.0], &[0.0, 0.0, 7.0], each), 0.0);
        near(error(&[2.0, 1.0, 0.0], &[0.0, -3.0, 7.0], each), 0.0);
        assert_eq!(error(&[2.0, 0.5, 0.1], &[0.0; 3], each), INFINITE);
        // r_1 / mu_1 = 2 and r_2 / mu_2 = 0: w_1 = -L r_1 / mu_1^2.
        let each = each.replace("0]}", "2]}");
        near(error(&[2.0, 0.0, 4.0], &[0.0, 0.0, -1.0], &each), 0.0);
        // L = 1 by row 1 and by row 2.
        let z = [10.0, 3.0, 16.0];
        near(error(&z, &[0.0, -12.0, -4.0], &each), 0.0);
        // Of two discs each has its L, 3/4 and 1/2, and w_N is their sum times r_N.
        let two = |law: &str| {
            let discs = r#"[{"rows": [1], "mu": "1/2"}, {"rows": [2], "mu": 1}]"#;
            format!(r#", "cones": [{{"normal": 0, "law": "{law}", "discs": {discs}}}]"#)
        };
        let z = [2.0, 1.0, -2.0];
        near(error(&z, &[2.5, -3.0, 1.0], &two("convex")), 0.0);
        near(error(&z, &[1.5, -3.0, 1.0], &two("convex")), 1.0 / 7.0);
        near(error(&z, &[0.0, -3.0, 1.0], &two("coulomb")), 0.0);
        // The second disc is a block of its own, of size 2 + 1.
        near(error(&z, &[0.0, -3.0, -1.0], &two("coulomb")), 1.0 / 3.0);
        // Open, both discs part: 1.5 and 4.
        near(
            error(&[0.0; 3], &[4.5, -3.0, 4.0], &two("convex")),
            1.0 / 4.5,
        );
    }

    #[test]
    fn plain_rows_and_friction_rows_stand_at_their_bounds() {
        let bounds = r#", "lower": [0, -1, 1], "upper": [2, "inf", 1]"#;
        for (z, w, expected) in [
            ([0.0, -1.0, 1.0], [3.0, 2.0, -9.0], 0.0),
            ([0.0, -1.0, 1.0], [-3.0, 2.0, 9.0], 1.0),
            ([2.0, 0.0, 1.0], [-3.0, 0.0, 0.0], 0.0),
            ([2.0, 0.0, 1.0], [1.0, 0.0, 0.0], 1.0 / 3.0),
            ([1.0, 0.0, 1.0], [1.0, 0.0, 0.0], 1.0),
            ([1.0, 0.0, 1.0], [-1.0, 0.0, 0.0], 1.0 / 3.0),
            ([1.0, -1.5, 1.0], [0.0; 3], INFINITE),
            ([2.5, 0.0, 1.0], [0.0; 3], INFINITE),
        ] {
            near(error(&z, &w, bounds), expected);
        }
        let rubs = r#", "friction": [{"row": 1, "normal": 0, "mu": "1/2"}]"#;
        for (z, w, expected) in [
            ([2.0, 1.0], [0.0, -3.0], 0.0),
            ([2.0, -1.0], [0.0, 3.0], 0.0),
            ([2.0, 1.0], [0.0, 3.0], 1.0),
            ([2.0, 0.5], [0.0, 0.5], 1.0),
            ([2.0, 1.25], [0.0, 0.0], INFINITE),
            ([0.0, 0.0], [1.0, 3.0], 0.0),
        ] {
            near(error(&z, &w, rubs), expected);
        }
    }

    #[test]
    fn data_and_points_beyond_the_range_are_refused() {
        let cone = r#", "cones": [{"rows": [0, 1, 2], "mu": "1/2"}]"#;
        near(error(&[2.0, 0.5, 0.0], &[0.0; 3], cone), 0.0);
        assert_eq!(error(&[2.0, 0.5, 1e-100], &[0.0; 3], cone), INFINITE);
        assert_eq!(error(&[2.0, 0.5, 0.0], &[0.0, 0.0, 1e-100], cone), INFINITE);
        let little = cone.replace("1/2", "1e-100");
        assert_eq!(error(&[2.0, 0.0, 0.0], &[0.0; 3], &little), INFINITE);
        let problem = read_problem(r#"{"name": "p", "M": [[1]], "q": [-1]}"#);
        let problem = ConeProblem::from_problem(&problem.unwrap().record).unwrap();
        let mut check = Check::new(&problem);
        assert_eq!(check.block_error(&[f64::NAN]), INFINITE);
        assert_eq!(check.block_error(&[1.0]), MARGIN * SECOND_ORDER);
    }
}
