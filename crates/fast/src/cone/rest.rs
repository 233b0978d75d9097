//! Bodies at rest: unknowns that are rounding are proposed to be exactly 0.
//!
//! In mixed form, with A v - H'r + q = 0 on the rows of bodies and u = Hv on those of contacts, the velocities of a body
//! at rest are 0, and they are all that its contacts are measured by. What is computed of them is rounding, like 1e-17,
//! and u is wrong by all of itself. So are forces that are 0, in rows without a load. A candidate has 0 in their places.
//!
//! What is rounding follows from the balances. A row with k entries holds terms of size S = |q| + sum of |M_j| |z_j|; of
//! friction mu r_N counts, as so much of it may have cancelled. A sum of so many terms loses up to (k + 1) u S, and what
//! it is stored in u S: the balance is left with d <= (k + 2) u S. By Gauss's principle contacts let through
//! of the velocities A^-1 d only their A-orthogonal projection on what they allow, whose energy v'Av is no
//! larger: at most E^2 = the sum of d_i^2 / A_ii over the bodies that touch each other, with the diagonal in place of A.
//! So an unknown is rounding where its term in each balance i is at most sqrt(A_ii) E, the momentum of so much energy.
//!
//! This decides what is tried. Whether a candidate is an answer, [`super::check`] decides.

use super::data::ConeProblem;
use crate::tolerances::UNIT;
use crate::unions::Unions;

/// The first candidate, in units of E: a balance and the contacts are left with rounding each, and Newton's last step
/// adds as much again.
const FIRST: f64 = 4.0;

/// Each further candidate has 0 for unknowns so many times as large. They are answers where a body is so slow that the
/// check does not see it; before that, their errors say how far from rest it is, which that of the point does
/// not. Without them more of the random bodies and of the scenes of `tests/it/rest` are left unsolved.
const FACTOR: f64 = 100.0;
const COUNT: u32 = 5;

/// What may be at rest in a problem, with memory.
pub(super) struct Rest {
    /// The balances: free rows with a diagonal entry, and that.
    balances: Vec<(usize, f64)>,
    /// Rows whose unknown may be 0 whatever the others are: not the normals of contacts.
    may_vanish: Vec<bool>,
    /// Of each row the bodies that touch each other, by one of their rows.
    part: Vec<usize>,
    /// E^2 of each part.
    energy: Vec<f64>,
    /// |z|, of friction at least mu r_N.
    reach: Vec<f64>,
    /// Of each unknown its largest term in units of sqrt(A_ii) E; infinite where it is in no balance.
    share: Vec<f64>,
    /// z with zeros.
    pub candidate: Vec<f64>,
}

impl Rest {
    pub fn new(problem: &ConeProblem) -> Self {
        let n = problem.n();
        let (lower, upper) = (&problem.lower, &problem.upper);
        let mut is_free: Vec<bool> = (0..n)
            .map(|i| lower[i] == f64::NEG_INFINITY && upper[i] == f64::INFINITY)
            .collect();
        let mut may_vanish: Vec<bool> =
            (0..n).map(|i| lower[i] <= 0.0 && 0.0 <= upper[i]).collect();
        for f in &problem.friction {
            is_free[f.row] = false;
            may_vanish[f.row] = true;
        }
        for cone in &problem.cones {
            may_vanish[cone.normal] = false;
        }
        let diagonal = (0..n).map(|i| (i, problem.entry(i, i).abs()));
        let balances = diagonal.filter(|(i, own)| is_free[*i] && *own > 0.0);
        Self {
            balances: balances.collect(),
            may_vanish,
            part: parts(problem),
            energy: vec![0.0; n],
            reach: vec![0.0; n],
            share: vec![0.0; n],
            candidate: vec![0.0; n],
        }
    }

    /// Weighs the unknowns of a point. Whether there is a candidate at all.
    pub fn weigh(&mut self, problem: &ConeProblem, z: &[f64]) -> bool {
        if self.balances.is_empty() {
            return false;
        }
        for (reach, z) in self.reach.iter_mut().zip(z) {
            *reach = z.abs();
        }
        for cone in &problem.cones {
            for (&k, &mu) in cone
                .discs
                .iter()
                .flat_map(|disc| disc.rows.iter().zip(&disc.mu))
            {
                self.reach[k] = self.reach[k].max(mu * z[cone.normal]);
            }
        }
        self.energy.fill(0.0);
        for &(i, diagonal) in &self.balances {
            let terms = problem.row(i).map(|(j, value)| value.abs() * self.reach[j]);
            let size = problem.q[i].abs() + terms.sum::<f64>();
            let count = (problem.row(i).count() + 2) as f64;
            self.energy[self.part[i]] += (count * UNIT * size).powi(2) / diagonal;
        }
        self.share.fill(f64::INFINITY);
        for &(i, diagonal) in &self.balances {
            let most = (diagonal * self.energy[self.part[i]]).sqrt();
            for (j, value) in problem.row(i).filter(|(j, _)| z[*j] != 0.0) {
                let own = (value * z[j]).abs() / most;
                let share = &mut self.share[j];
                *share = if share.is_finite() {
                    share.max(own)
                } else {
                    own
                };
            }
        }
        true
    }

    /// The limits of the candidates, in units of E, as long as they are below an error.
    pub fn limits(error: f64) -> impl Iterator<Item = f64> {
        let limits = (0..COUNT).map(|k| FIRST * FACTOR.powi(k as i32));
        limits.take_while(move |limit| limit * UNIT < error)
    }

    /// Makes the candidate of a limit, and says how many zeros it has that z has not. A contact opens where all of its
    /// forces are within the limit.
    pub fn propose(&mut self, problem: &ConeProblem, z: &[f64], limit: f64) -> usize {
        self.candidate.copy_from_slice(z);
        let is_small = |j: usize| z[j] == 0.0 || self.share[j] <= limit;
        let mut count = 0;
        let mut vanish = |j: usize| {
            count += usize::from(z[j] != 0.0);
            self.candidate[j] = 0.0;
        };
        let rows = (0..z.len()).filter(|&j| self.may_vanish[j] && is_small(j));
        rows.for_each(&mut vanish);
        let normals = problem
            .cones
            .iter()
            .filter(|cone| cone.rows().all(is_small));
        normals.for_each(|cone| vanish(cone.normal));
        count
    }
}

/// The parts of a problem that no entry of M and no cone connects, each by its first row.
fn parts(problem: &ConeProblem) -> Vec<usize> {
    let mut unions = Unions::new(problem.n());
    for i in 0..problem.n() {
        problem.row(i).for_each(|(j, _)| unions.join(i, j));
    }
    for cone in &problem.cones {
        cone.rows().for_each(|k| unions.join(cone.normal, k));
    }
    for f in &problem.friction {
        unions.join(f.row, f.normal);
    }
    unions.all()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use etalon_lcp::record::read_problem;

    use super::*;

    /// Two bodies that only move along z, of mass 1 and `mass`, each on a contact of its own, with loads of 8 m.
    fn bodies(mass: f64) -> ConeProblem {
        let (load, none) = (8.0 * mass, r#""-inf""#);
        let text = format!(
            r#"{{"name": "p", "M": [[1,0,-1,0],[0,{mass},0,-1],[1,0,0,0],[0,1,0,0]], "q": [8,{load},0,0],
                "lower": [{none},{none},0,0], "cones": [{{"normal": 2, "discs": []}}, {{"normal": 3, "discs": []}}]}}"#
        );
        ConeProblem::from_problem(&read_problem(&text.replace('\n', "")).unwrap().record).unwrap()
    }

    /// The candidates beside z, each with the number of its zeros.
    fn candidates(problem: &ConeProblem, z: &[f64]) -> Vec<(usize, Vec<f64>)> {
        let mut rest = Rest::new(problem);
        assert!(rest.weigh(problem, z));
        let one = |limit| (rest.propose(problem, z, limit), rest.candidate.clone());
        Rest::limits(1.0).map(one).collect()
    }

    #[test]
    fn velocities_of_the_size_of_rounding_vanish_first() {
        // E = 4 u 16 for each, and 4 E is 2.84e-14.
        let problem = bodies(1.0);
        let found = candidates(&problem, &[2.8e-14, -2.9e-14, 8.0, 8.0]);
        assert_eq!(found[0], (1, vec![0.0, -2.9e-14, 8.0, 8.0]));
        assert_eq!(found[1], (2, vec![0.0, 0.0, 8.0, 8.0]));
        // The last ends at 2.84e-6.
        let found = candidates(&problem, &[2.8e-6, 2.9e-6, 8.0, 8.0]);
        assert_eq!(found.last().unwrap(), &(1, vec![0.0, 2.9e-6, 8.0, 8.0]));
        // Nothing is rounding of nothing.
        assert_eq!(candidates(&problem, &[0.0, 1.0, 0.0, 0.0])[4].0, 0);
    }

    #[test]
    fn bodies_that_do_not_touch_have_rounding_of_their_own() {
        let found = candidates(&bodies(1e12), &[1e-12, 1e-14, 8.0, 8e12]);
        assert_eq!(found[0], (1, vec![1e-12, 0.0, 8.0, 8e12]));
    }

    #[test]
    fn a_contact_opens_with_all_of_its_forces() {
        let found = candidates(&bodies(1.0), &[0.0, 0.0, 8.0, 1e-15]);
        assert_eq!(found[0], (1, vec![0.0, 0.0, 8.0, 0.0]));
    }

    #[test]
    fn candidates_are_below_the_error() {
        let below = |error: f64| Rest::limits(error).count();
        assert_eq!(
            [below(1e-16), below(1e-15), below(1e-13), below(1.0)],
            [0, 1, 2, 5]
        );
    }

    #[test]
    fn without_balances_there_is_no_candidate() {
        let text = r#"{"name": "p", "M": [[1]], "q": [-1], "cones": [{"normal": 0, "discs": []}]}"#;
        let problem = ConeProblem::from_problem(&read_problem(text).unwrap().record).unwrap();
        assert!(!Rest::new(&problem).weigh(&problem, &[1e-30]));
    }
}
