//! The law as equations: the natural map of each group of rows, with its derivative.
//!
//! In scaled variables x and y (every mu is 1, [`super::scaled`]) a group obeys its law where Phi(x, y) = 0:
//!
//! * bounds l, u: Phi = x - mid(l, x - rho y, u);
//! * Coulomb's law (Alart and Curnier 1991): Phi_N = x_N - b with b = (x_N - rho_N y_N)^+, and for each disc Phi_d = x_d less
//!   the projection of x_d - rho_d y_d onto the ball of radius b;
//! * the convex law: Phi = x - P_K(x - y).
//!
//! Both maps are semismooth, so that Newton's method with any element of the derivative ends quadratically (Qi and Sun
//! 1993).

/// The law of a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// y = 0.
    Free,
    /// x = 0.
    Zero,
    /// x between two numbers.
    Bounded(f64, f64),
    /// |x| <= mu x_N for x_N of another row, the second column of the group.
    Friction(f64),
    /// Discs of so many rows after the normal.
    Coulomb(Vec<usize>),
    /// The same under the convex law.
    Convex(Vec<usize>),
}

/// The equations of Coulomb's law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Map {
    /// Alart and Curnier's.
    AlartCurnier,
    /// Those of the convex law at y + g e_N, g the sum of the |y_d| (de Saxce and Feng 1998).
    DeSaxce,
}

/// Rows with one law.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub kind: Kind,
    /// The rows; of a cone the normal first.
    pub rows: Vec<usize>,
    /// The row whose x bounds a friction row.
    pub other: Option<usize>,
}

/// Phi of a group with its derivatives by x (k rows, `width` columns) and by y (k by k).
#[derive(Debug, Default)]
pub(super) struct Local {
    pub width: usize,
    pub phi: Vec<f64>,
    pub by_x: Vec<f64>,
    pub by_y: Vec<f64>,
    /// The projected point P(x - rho y): within the bounds and cones.
    pub inside: Vec<f64>,
}

impl Group {
    /// The columns that the group's equations name by x: its rows, and the row that bounds it.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().copied().chain(self.other)
    }

    /// Evaluates the group at the vectors x and y, with a step rho for each of the rows.
    pub fn evaluate(&self, x: &[f64], y: &[f64], rho: &[f64], map: Map, local: &mut Local) {
        let k = self.rows.len();
        local.reset(k, k + usize::from(self.other.is_some()));
        match &self.kind {
            Kind::Free => {
                let i = self.rows[0];
                local.phi[0] = rho[i] * y[i];
                local.by_y[0] = rho[i];
                local.inside[0] = x[i];
            }
            Kind::Zero => {
                local.phi[0] = x[self.rows[0]];
                local.by_x[0] = 1.0;
            }
            Kind::Bounded(lower, upper) => {
                self.bounded(x, y, rho, (*lower, *upper), 0.0, local);
            }
            Kind::Friction(mu) => {
                let limit = mu * self.other.map_or(0.0, |other| x[other]).max(0.0);
                self.bounded(x, y, rho, (-limit, limit), *mu, local);
            }
            Kind::Coulomb(discs) if map == Map::AlartCurnier => {
                self.coulomb(x, y, rho, discs, local);
            }
            Kind::Coulomb(discs) => {
                let mut lifted: Vec<f64> = self.rows.iter().map(|&i| y[i]).collect();
                let lift = lift(&mut lifted, discs);
                self.convex(x, &lifted, discs, local);
                local.lift(&lift);
            }
            Kind::Convex(discs) => {
                let y: Vec<f64> = self.rows.iter().map(|&i| y[i]).collect();
                self.convex(x, &y, discs, local);
            }
        }
    }

    fn bounded(
        &self,
        x: &[f64],
        y: &[f64],
        rho: &[f64],
        (lower, upper): (f64, f64),
        mu: f64,
        local: &mut Local,
    ) {
        let i = self.rows[0];
        let target = x[i] - rho[i] * y[i];
        let bound = target.max(lower).min(upper);
        local.inside[0] = bound;
        local.phi[0] = x[i] - bound;
        if lower < target && target < upper {
            local.by_y[0] = rho[i];
            return;
        }
        local.by_x[0] = 1.0;
        if local.width > 1 {
            let sign = if target >= upper { 1.0 } else { -1.0 };
            local.by_x[1] = -sign * mu;
        }
    }

    fn coulomb(&self, x: &[f64], y: &[f64], rho: &[f64], discs: &[usize], local: &mut Local) {
        let (k, n) = (self.rows.len(), self.rows[0]);
        let radius = (x[n] - rho[n] * y[n]).max(0.0);
        local.phi[0] = x[n] - radius;
        local.inside[0] = radius;
        if radius > 0.0 {
            local.by_y[0] = rho[n];
        } else {
            local.by_x[0] = 1.0;
        }
        let mut begin = 1;
        for &size in discs {
            let rows = begin..begin + size;
            let target = |a: usize| {
                let i = self.rows[a];
                x[i] - rho[i] * y[i]
            };
            let norm = rows.clone().map(|a| target(a).powi(2)).sum::<f64>().sqrt();
            let turn = if norm > radius { radius / norm } else { 1.0 };
            for a in rows.clone() {
                let i = self.rows[a];
                local.inside[a] = turn * target(a);
                local.phi[a] = x[i] - local.inside[a];
                if norm <= radius && radius > 0.0 {
                    local.by_y[a * k + a] = rho[i];
                    continue;
                }
                local.by_x[a * k + a] = 1.0;
                if radius == 0.0 {
                    continue;
                }
                for c in rows.clone() {
                    let same = f64::from(a == c);
                    let change = turn * (same - target(a) * target(c) / (norm * norm));
                    local.by_x[a * k + c] -= change;
                    local.by_y[a * k + c] += change * rho[self.rows[c]];
                }
                let along = target(a) / norm;
                local.by_x[a * k] -= along;
                local.by_y[a * k] += along * rho[n];
            }
            begin += size;
        }
    }

    /// P_K onto {|x_d| <= x_N for all d}: t = x_N of the projection satisfies t = p_N + sum of (|p_d| - t)^+, where t > 0.
    fn convex(&self, x: &[f64], y: &[f64], discs: &[usize], local: &mut Local) {
        let k = self.rows.len();
        let rows = self.rows.iter().zip(y);
        let target: Vec<f64> = rows.map(|(&i, y)| x[i] - y).collect();
        let mut norms = Vec::with_capacity(discs.len());
        let mut begin = 1;
        for &size in discs {
            let own = target[begin..begin + size].iter().map(|p| p * p);
            norms.push((begin, size, own.sum::<f64>().sqrt()));
            begin += size;
        }
        let (height, cut) = height(target[0], &norms);
        // The derivative of the projection, k by k.
        let mut change = vec![0.0; k * k];
        if height > 0.0 {
            change[0] = 1.0 / (1.0 + cut.len() as f64);
            for &(begin, size, norm) in &cut {
                for (a, p) in target.iter().enumerate().skip(begin).take(size) {
                    change[a] = change[0] * p / norm;
                }
            }
            local.inside[0] = height;
            for &(begin, size, norm) in &norms {
                let is_cut = norm > height;
                let turn = if is_cut { height / norm } else { 1.0 };
                for a in begin..begin + size {
                    local.inside[a] = turn * target[a];
                    change[a * k + a] = turn;
                    if !is_cut {
                        continue;
                    }
                    let along = target[a] / norm;
                    for c in begin..begin + size {
                        change[a * k + c] -= turn * along * target[c] / norm;
                    }
                    for c in 0..k {
                        change[a * k + c] += along * change[c];
                    }
                }
            }
        }
        for a in 0..k {
            local.phi[a] = x[self.rows[a]] - local.inside[a];
            for c in 0..k {
                let own = change[a * k + c];
                local.by_x[a * k + c] = f64::from(a == c) - own;
                local.by_y[a * k + c] = own;
            }
        }
    }
}

/// A disc: where its rows begin, how many there are, and the norm of its target.
type Norm = (usize, usize, f64);

/// The height t of the projection, and the discs that it cuts.
fn height(normal: f64, norms: &[Norm]) -> (f64, Vec<Norm>) {
    let mut sorted = norms.to_vec();
    sorted.sort_by(|a, b| b.2.total_cmp(&a.2));
    let (mut sum, mut cut) = (normal, Vec::new());
    for own in sorted {
        if own.2 <= sum / (1.0 + cut.len() as f64) {
            break;
        }
        sum += own.2;
        cut.push(own);
    }
    ((sum / (1.0 + cut.len() as f64)).max(0.0), cut)
}

/// Adds the sum of the |y_d| to y_N; its derivative by y.
fn lift(y: &mut [f64], discs: &[usize]) -> Vec<f64> {
    let mut slope = vec![0.0; y.len()];
    let mut begin = 1;
    for &size in discs {
        let rows = begin..begin + size;
        let norm = y[rows.clone()].iter().map(|y| y * y).sum::<f64>().sqrt();
        for a in rows.filter(|_| norm > 0.0) {
            slope[a] = y[a] / norm;
        }
        y[0] += norm;
        begin += size;
    }
    slope
}

impl Local {
    /// The derivative by y where y_N was lifted with this slope.
    fn lift(&mut self, slope: &[f64]) {
        for row in self.by_y.chunks_exact_mut(slope.len()) {
            let normal = row[0];
            for (value, slope) in row.iter_mut().zip(slope) {
                *value += normal * slope;
            }
        }
    }

    fn reset(&mut self, rows: usize, width: usize) {
        self.width = width;
        for (vector, length) in [
            (&mut self.phi, rows),
            (&mut self.by_x, rows * width),
            (&mut self.by_y, rows * rows),
            (&mut self.inside, rows),
        ] {
            vector.clear();
            vector.resize(length, 0.0);
        }
    }
}
