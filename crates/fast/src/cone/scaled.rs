//! The problem in variables in which every mu is 1 and a contact resists with about 1.
//!
//! z = D x, y = D w with a diagonal D > 0, so that symmetric and monotone M stay so: x_k = r_k / (sigma mu_k) on tangential
//! rows with mu_k > 0, x_N = r_N / sigma. One sigma a contact keeps its law; it is chosen so that the largest
//! diagonal entry of the contact in W = M_cc - M_cf M_ff^-1 M_fc is about 1, f the rows of velocities, with the diagonal in
//! place of M_ff. Joints are scaled alike.

use etalon_lcp::Law;

use super::data::{Cone, ConeProblem};
use super::groups::{Group, Kind};
use super::joints::joints;

/// Below this part of the largest diagonal entry of a contact, a disc is stepped as if it had so much.
const LEAST_PART: f64 = 1e-10;

/// The scaled problem.
pub(super) struct Scaled<'a> {
    pub problem: &'a ConeProblem,
    /// D.
    pub d: Vec<f64>,
    pub groups: Vec<Group>,
    /// Steps of the natural maps, the reciprocals of W's diagonal.
    pub rho: Vec<f64>,
    /// Rows whose law binds x: not free.
    pub bound: Vec<bool>,
    /// Those and the forces of joints.
    pub force: Vec<bool>,
    /// The size of the scaled q.
    pub size: f64,
}

impl<'a> Scaled<'a> {
    pub fn new(problem: &'a ConeProblem) -> Self {
        let n = problem.n();
        let free = free(problem);
        let joint = joints(problem, &free);
        let force: Vec<bool> = free
            .iter()
            .zip(joint)
            .map(|(free, joint)| !free || joint)
            .collect();
        let resistance = resistance(problem, &force);
        let (mut d, mut rho) = (vec![0.0; n], vec![1.0; n]);
        let mut groups = Vec::new();
        for cone in &problem.cones {
            take_cone(cone, &resistance, &mut d, &mut rho, &mut groups);
        }
        for (d, own) in d.iter_mut().zip(&resistance).filter(|(d, _)| **d == 0.0) {
            // A row of its own resists with 1, and so does a contact.
            *d = if *own > 0.0 { own.sqrt().recip() } else { 1.0 };
        }
        let in_cone: Vec<bool> = {
            let mut in_cone = vec![false; n];
            for row in problem.cones.iter().flat_map(Cone::rows) {
                in_cone[row] = true;
            }
            in_cone
        };
        let mut ties = vec![None; n];
        for f in &problem.friction {
            ties[f.row] = Some((f.normal, f.mu));
        }
        for i in (0..n).filter(|&i| !in_cone[i]) {
            let (lower, upper) = (problem.lower[i], problem.upper[i]);
            let (kind, other) = match ties[i] {
                Some((normal, mu)) => (Kind::Friction(mu * d[normal] / d[i]), Some(normal)),
                None if lower == f64::NEG_INFINITY && upper == f64::INFINITY => (Kind::Free, None),
                None => (Kind::Bounded(lower / d[i], upper / d[i]), None),
            };
            let rows = vec![i];
            groups.push(Group { kind, rows, other });
        }
        let mut bound = vec![false; n];
        for group in groups.iter().filter(|group| group.kind != Kind::Free) {
            for &i in &group.rows {
                bound[i] = true;
            }
        }
        let sizes = problem.q.iter().zip(&d).map(|(q, d)| (q * d).abs());
        let size = sizes.fold(0.0, f64::max);
        Self {
            problem,
            d,
            groups,
            rho,
            bound,
            force,
            size,
        }
    }

    /// y = D w.
    pub fn scale(&self, w: &[f64], y: &mut [f64]) {
        for ((y, w), d) in y.iter_mut().zip(w).zip(&self.d) {
            *y = w * d;
        }
    }
}

/// Rows without bounds and without a law. Rows of cones are none: their bounds are those of plain rows.
fn free(problem: &ConeProblem) -> Vec<bool> {
    let n = problem.n();
    let mut free: Vec<bool> = (0..n)
        .map(|i| problem.lower[i] == f64::NEG_INFINITY && problem.upper[i] == f64::INFINITY)
        .collect();
    for tie in &problem.friction {
        free[tie.row] = false;
    }
    free
}

/// The diagonal of W, with that of M_ff in place of M_ff; of velocities that of M.
fn resistance(problem: &ConeProblem, force: &[bool]) -> Vec<f64> {
    let n = problem.n();
    let mut diagonal = vec![0.0; n];
    for (i, own) in diagonal.iter_mut().enumerate() {
        *own = problem
            .row(i)
            .filter(|(j, _)| *j == i)
            .map(|(_, v)| v)
            .sum();
    }
    // M_fi of velocities f by their columns i: the products need both.
    let mut products = diagonal.clone();
    let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for f in (0..n).filter(|&f| !force[f] && diagonal[f] != 0.0) {
        for (i, value) in problem.row(f).filter(|(i, _)| force[*i]) {
            columns[i].push((f, value));
        }
    }
    for i in (0..n).filter(|&i| force[i]) {
        for (f, value) in problem.row(i).filter(|(f, _)| !force[*f]) {
            let back = columns[i].binary_search_by_key(&f, |entry| entry.0);
            if let Ok(place) = back {
                products[i] -= value * columns[i][place].1 / diagonal[f];
            }
        }
    }
    // The diagonal of W is not negative for a monotone M. Of any other its size still is a unit.
    products.iter().map(|value| value.abs()).collect()
}

fn take_cone(
    cone: &Cone,
    resistance: &[f64],
    d: &mut [f64],
    rho: &mut [f64],
    groups: &mut Vec<Group>,
) {
    let (mut rows, mut sizes) = (vec![cone.normal], Vec::new());
    let mut mus = vec![1.0];
    for disc in &cone.discs {
        let before = rows.len();
        for (&k, &mu) in disc.rows.iter().zip(&disc.mu) {
            if mu > 0.0 {
                rows.push(k);
                mus.push(mu);
                continue;
            }
            d[k] = 1.0;
            let (kind, other) = (Kind::Zero, None);
            groups.push(Group {
                kind,
                rows: vec![k],
                other,
            });
        }
        if rows.len() > before {
            sizes.push(rows.len() - before);
        }
    }
    let own = |a: usize| mus[a] * mus[a] * resistance[rows[a]];
    let largest = (0..rows.len()).map(own).fold(0.0, f64::max);
    let sigma = if largest > 0.0 {
        largest.sqrt().recip()
    } else {
        1.0
    };
    // The diagonal of D W D is sigma^2 mu^2 W_kk = own / largest, and rho its reciprocal.
    let largest = if largest > 0.0 { largest } else { 1.0 };
    let step = |own: f64| (own / largest).max(LEAST_PART).recip();
    // A step of its own for each disc. Under the convex law all rows share one projection, so their
    // steps stay 1, which sigma has made the right size.
    if cone.law == Law::Coulomb {
        rho[cone.normal] = step(own(0));
        let mut begin = 1;
        for &size in &sizes {
            let disc = begin..begin + size;
            let most = disc.clone().map(own).fold(0.0, f64::max);
            for a in disc {
                rho[rows[a]] = step(most);
            }
            begin += size;
        }
    }
    for (&i, mu) in rows.iter().zip(&mus) {
        d[i] = sigma * mu;
    }
    let kind = match cone.law {
        Law::Coulomb => Kind::Coulomb(sizes),
        Law::Convex => Kind::Convex(sizes),
    };
    let other = None;
    groups.push(Group { kind, rows, other });
}
