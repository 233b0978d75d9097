//! Groups whose unknowns a Newton step eliminates before the sparse factorisation.
//!
//! A contact in mixed form meets only free rows: the velocities of two bodies. Its own equations L x_c + B H x = b_c
//! (L = dPhi/dx + dPhi/dy (M_cc + E), B = dPhi/dy, H its rows of M on free unknowns x) give x_c = L^-1 (b_c - B H x),
//! which leaves J - G L^-1 B H on the free rows, G the columns of M that the contact acts by. This system is that of the
//! bodies alone. Under the convex law it is symmetric and positive definite where M is monotone and symmetric but for
//! the signs of H.

use super::groups::{Group, Kind, Local};
use super::scaled::Scaled;
use crate::dense::Lu;

/// A group that meets more free rows is not eliminated: each makes a block of so many rows and columns.
const MOST: usize = 32;

/// What has no place.
pub(super) const NONE: usize = usize::MAX;

/// A group that is eliminated; all matrices by rows, in scaled variables.
#[derive(Debug)]
pub(super) struct Part {
    pub rows: Vec<usize>,
    /// The free rows that it meets, m of them, in ascending order.
    pub meets: Vec<usize>,
    /// H, k by m.
    by: Vec<f64>,
    /// G, m by k.
    onto: Vec<f64>,
    /// M_cc, k by k.
    own: Vec<f64>,
    /// L^-1, k by k.
    inverse: Vec<f64>,
    /// L^-1 B H, k by m.
    follows: Vec<f64>,
    /// Where the m by m entries of G L^-1 B H are in the system.
    pub places: Vec<usize>,
}

/// The eliminated groups of a problem, with memory.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub all: Vec<Part>,
    /// Of each group its place in `all`, or [`NONE`].
    pub of: Vec<usize>,
    small: Lu,
    product: Vec<f64>,
}

impl Parts {
    /// No group is eliminated.
    pub fn none(groups: usize) -> Self {
        let of = vec![NONE; groups];
        Self {
            of,
            ..Self::default()
        }
    }

    /// All groups that meet a few free rows and nothing else.
    pub fn new(scaled: &Scaled<'_>) -> Self {
        let n = scaled.problem.n();
        let mut group_of = vec![NONE; n];
        for (g, group) in scaled.groups.iter().enumerate() {
            for &i in &group.rows {
                group_of[i] = g;
            }
        }
        // The free rows that each group meets, by its rows or by its columns.
        let mut meets: Vec<Option<Vec<usize>>> = vec![Some(Vec::new()); scaled.groups.len()];
        let mut meet = |g: usize, other: usize| {
            if scaled.bound[other] {
                meets[g] = None;
            } else if let Some(own) = &mut meets[g]
                && own.last() != Some(&other)
            {
                own.push(other);
            }
        };
        for i in 0..n {
            let entries = scaled.problem.row(i).map(|(j, _)| j);
            for j in entries.filter(|&j| group_of[i] != group_of[j]) {
                meet(group_of[i], j);
                meet(group_of[j], i);
            }
        }
        for (g, group) in scaled.groups.iter().enumerate() {
            if let Some(other) = group.other {
                meet(g, other);
                meet(group_of[other], group.rows[0]);
            }
        }
        let mut parts = Self::none(scaled.groups.len());
        let mut most = 0;
        for (g, (group, meets)) in scaled.groups.iter().zip(meets).enumerate() {
            let Some(mut meets) = meets.filter(|_| group.kind != Kind::Free) else {
                continue;
            };
            meets.sort_unstable();
            meets.dedup();
            if meets.len() <= MOST {
                parts.of[g] = parts.all.len();
                parts.all.push(Part::new(scaled, group, meets));
                most = most.max(group.rows.len());
            }
        }
        parts.small.reserve(most);
        parts
    }

    /// Whether the system that is left is symmetric at every point.
    pub fn are_symmetric(&self, scaled: &Scaled<'_>) -> bool {
        let groups = scaled.groups.iter().zip(&self.of);
        let mut kinds = groups.map(|(group, part)| match group.kind {
            Kind::Free => true,
            Kind::Zero | Kind::Bounded(..) | Kind::Convex(_) => *part != NONE,
            Kind::Friction(_) | Kind::Coulomb(_) => false,
        });
        kinds.all(|kind| kind) && self.all.iter().all(Part::is_symmetric)
    }

    /// Eliminates a group at a point; `false` where its own equations are singular.
    pub fn eliminate(&mut self, part: usize, local: &Local, shift: &[f64]) -> bool {
        let part = &mut self.all[part];
        let (k, m) = (part.rows.len(), part.meets.len());
        let matrix = &mut self.small.rows[..k * k];
        for a in 0..k {
            for c in 0..k {
                let mut value = local.by_x[a * local.width + c];
                for b in 0..k {
                    value += local.by_y[a * k + b] * part.own[b * k + c];
                }
                matrix[a * k + c] = value + local.by_y[a * k + c] * shift[part.rows[c]];
            }
        }
        // The whole Newton matrix is not lost with it, but this elimination is: the caller gives the step
        // up.
        if !self.small.factor(k) {
            return false;
        }
        // The inverse, column by column, and L^-1 B.
        self.product.resize(k * k + k, 0.0);
        let (answer, column) = self.product.split_at_mut(k * k);
        for c in 0..k {
            column.fill(0.0);
            column[c] = 1.0;
            self.small.solve(column);
            for (a, value) in column.iter().enumerate() {
                part.inverse[a * k + c] = *value;
            }
        }
        multiply(&part.inverse, &local.by_y, (k, k, k), answer);
        multiply(answer, &part.by, (k, k, m), &mut part.follows);
        true
    }
}

impl Part {
    fn new(scaled: &Scaled<'_>, group: &Group, meets: Vec<usize>) -> Self {
        let rows = group.rows.clone();
        let (k, m) = (rows.len(), meets.len());
        let (mut by, mut own) = (vec![0.0; k * m], vec![0.0; k * k]);
        let mut onto = vec![0.0; m * k];
        // One product for both triangles, so that what is symmetric stays so to the last bit.
        let entry = |i: usize, j: usize, value: f64| value * (scaled.d[i] * scaled.d[j]);
        for (a, &i) in rows.iter().enumerate() {
            for (j, value) in scaled.problem.row(i) {
                if let Ok(place) = meets.binary_search(&j) {
                    by[a * m + place] = entry(i, j, value);
                } else if let Some(place) = rows.iter().position(|&row| row == j) {
                    own[a * k + place] = entry(i, j, value);
                }
            }
        }
        for (a, &i) in meets.iter().enumerate() {
            for (c, &j) in rows.iter().enumerate() {
                // The equation of a free row is rho_i y_i = 0.
                onto[a * k + c] = scaled.rho[i] * entry(i, j, scaled.problem.entry(i, j));
            }
        }
        Self {
            inverse: vec![0.0; k * k],
            follows: vec![0.0; k * m],
            places: Vec::new(),
            rows,
            meets,
            by,
            onto,
            own,
        }
    }

    fn is_symmetric(&self) -> bool {
        let (k, m) = (self.rows.len(), self.meets.len());
        let pairs = |size: usize| (0..size).flat_map(move |b| (0..k).map(move |a| (a, b)));
        pairs(m).all(|(a, b)| self.by[a * m + b] == -self.onto[b * k + a])
            && pairs(k).all(|(a, b)| self.own[a * k + b] == self.own[b * k + a])
    }

    /// Takes what the group does to the free rows out of the system's values.
    pub fn take_out(&self, values: &mut [f64]) {
        let (k, m) = (self.rows.len(), self.meets.len());
        for (row, places) in self
            .onto
            .chunks_exact(k)
            .zip(self.places.chunks_exact(m.max(1)))
        {
            for (a, factor) in row.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
                let follows = &self.follows[a * m..(a + 1) * m];
                for (place, value) in places.iter().zip(follows) {
                    values[*place] -= factor * value;
                }
            }
        }
    }

    /// Replaces the group's own right side b_c by L^-1 b_c and subtracts what it does to the free rows.
    pub fn forward(&self, b: &mut [f64]) {
        let k = self.rows.len();
        let own: Vec<f64> = self.rows.iter().map(|&i| b[i]).collect();
        for (row, &i) in self.inverse.chunks_exact(k).zip(&self.rows) {
            b[i] = row.iter().zip(&own).map(|(a, b)| a * b).sum();
        }
        for (row, &i) in self.onto.chunks_exact(k).zip(&self.meets) {
            let terms = row.iter().zip(&self.rows).map(|(g, &c)| g * b[c]);
            b[i] -= terms.sum::<f64>();
        }
    }

    /// The group's unknowns once the free ones are known.
    pub fn back(&self, x: &mut [f64]) {
        let m = self.meets.len();
        for (a, &i) in self.rows.iter().enumerate() {
            let row = self.follows[a * m..(a + 1) * m].iter().zip(&self.meets);
            x[i] -= row.map(|(value, &j)| value * x[j]).sum::<f64>();
        }
    }
}

/// The product of a (r by s) and b (s by t) matrix by rows.
fn multiply(a: &[f64], b: &[f64], (r, s, t): (usize, usize, usize), product: &mut [f64]) {
    for i in 0..r {
        let own = &mut product[i * t..(i + 1) * t];
        own.fill(0.0);
        for j in 0..s {
            let factor = a[i * s + j];
            for (value, b) in own.iter_mut().zip(&b[j * t..(j + 1) * t]) {
                *value += factor * b;
            }
        }
    }
}
