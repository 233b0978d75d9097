//! The law as equations: the natural map of each group of rows, with its derivative.
//!
//! In scaled variables x and y (every mu is 1, [`super::scaled`]) a group obeys its law where Phi(x, y) = 0:
//!
//! * bounds l, u: Phi = x - mid(l, x - rho y, u);
//! * Coulomb's law (Alart and Curnier 1991): Phi_N = x_N - b with b = (x_N - rho_N y_N)^+, and for each disc Phi_d = x_d less
//!   the projection of x_d - rho_d y_d onto the ball of radius b;
//! * the convex law: Phi = x - P_K(x - rho y), one rho for all rows of a contact.
//!
//! Both maps are semismooth, so that Newton's method with any element of the derivative ends quadratically (Qi and Sun
//! 1993).

/// Slips that rho turns into less than this part of the force are stepped by a longer rho: x - rho y keeps the direction of y to
/// u |x| / |rho y| only, u = 2^-53, which with 1e-3 is below 1e-12.
const SLOW: f64 = 1e-3;

/// The longest such rho, in parts of a contact's own. Slips below 1e-12 of the force are taken for rounding.
const LONGEST: f64 = 1e12;

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

/// Where a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// Between its bounds; of a contact pressed, of a disc sticking.
    #[default]
    Inside,
    /// At its lower bound; of a contact open.
    Lower,
    /// At its upper bound; of a disc sliding.
    Upper,
}

/// Where groups are evaluated.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub x: &'a [f64],
    pub y: &'a [f64],
    /// A step for each row.
    pub rho: &'a [f64],
    pub map: Map,
    /// Modes that are kept whatever the point; without them each group has those of the point.
    pub modes: Option<&'a [Mode]>,
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

    /// Evaluates the group at a point.
    pub fn evaluate(&self, at: At<'_>, local: &mut Local) {
        let k = self.rows.len();
        local.reset(k, k + usize::from(self.other.is_some()));
        match &self.kind {
            Kind::Free => {
                let i = self.rows[0];
                local.phi[0] = at.rho[i] * at.y[i];
                local.by_y[0] = at.rho[i];
                local.inside[0] = at.x[i];
            }
            Kind::Zero => {
                local.phi[0] = at.x[self.rows[0]];
                local.by_x[0] = 1.0;
            }
            Kind::Bounded(..) | Kind::Friction(_) => self.bounded(at, local),
            Kind::Coulomb(discs) if at.map == Map::AlartCurnier => self.coulomb(at, discs, local),
            Kind::Coulomb(discs) => {
                let mut lifted: Vec<f64> = self.rows.iter().map(|&i| at.y[i]).collect();
                let slope = lift(&mut lifted, discs);
                self.convex(at, &lifted, discs, local);
                local.lift(&slope);
            }
            Kind::Convex(discs) => {
                let rho = at.rho[self.rows[0]];
                let y: Vec<f64> = self.rows.iter().map(|&i| rho * at.y[i]).collect();
                self.convex(at, &y, discs, local);
                local.by_y.iter_mut().for_each(|by_y| *by_y *= rho);
            }
        }
    }

    /// Lengthens rho where a contact slides slowly, in the maps that have a rho.
    pub fn lengthen(&self, at: At<'_>, rho: &mut [f64]) {
        let target = |i: usize| at.x[i] - at.rho[i] * at.y[i];
        let mut take = |rows: &[usize]| {
            let square =
                |of: &dyn Fn(usize) -> f64| rows.iter().map(|&i| of(i) * of(i)).sum::<f64>();
            let (force, slip) = (square(&|i| at.x[i]), square(&|i| at.rho[i] * at.y[i]));
            if slip < SLOW * SLOW * force {
                let longer = (force / slip).sqrt().min(LONGEST);
                rows.iter().for_each(|&i| rho[i] = at.rho[i] * longer);
            }
        };
        let targets: Vec<f64> = self.rows.iter().map(|&i| target(i)).collect();
        match &self.kind {
            Kind::Coulomb(discs) if at.map == Map::AlartCurnier => {
                for (begin, size, norm) in norms(&targets, discs) {
                    if targets[0] > 0.0 && norm > targets[0] {
                        take(&self.rows[begin..begin + size]);
                    }
                }
            }
            Kind::Convex(discs) => {
                let (height, cut) = height(targets[0], &norms(&targets, discs));
                if height > 0.0 && !cut.is_empty() {
                    take(&self.rows);
                }
            }
            _ => {}
        }
    }

    /// The fixed modes at a point: within `near` of a bound counts as at it, within `near` of the boundary of a
    /// disc as sticking, or as sliding where `near_slides`.
    pub fn modes(&self, at: At<'_>, near: f64, near_slides: bool, modes: &mut [Mode]) {
        let n = self.rows[0];
        let step = |i: usize| at.x[i] - at.rho[i] * at.y[i];
        let discs = match &self.kind {
            Kind::Free | Kind::Zero => return,
            Kind::Bounded(..) | Kind::Friction(_) => {
                let (lower, upper, _) = self.bounds(at);
                modes[n] = if step(n) <= lower + near {
                    Mode::Lower
                } else if step(n) >= upper - near {
                    Mode::Upper
                } else {
                    Mode::Inside
                };
                return;
            }
            Kind::Coulomb(discs) | Kind::Convex(discs) => discs,
        };
        // De Saxce's map steps by y and not by rho y, in `evaluate`. Measured with that map alone on 6,000 random problems and
        // 44 walls: modes read by y solve the same ones, by 16 factorisations more of 52,863.
        let mut y: Vec<f64> = self.rows.iter().map(|&i| at.rho[i] * at.y[i]).collect();
        let is_coulomb = matches!(self.kind, Kind::Coulomb(_));
        if is_coulomb && at.map == Map::DeSaxce {
            lift(&mut y, discs);
        }
        let rows = self.rows.iter().zip(&y);
        let target: Vec<f64> = rows.map(|(&i, y)| at.x[i] - y).collect();
        let norms = norms(&target, discs);
        let radius = if is_coulomb && at.map == Map::AlartCurnier {
            target[0]
        } else {
            height(target[0], &norms).0
        };
        modes[n] = if radius <= near {
            Mode::Lower
        } else {
            Mode::Inside
        };
        let margin = if near_slides { -near } else { near };
        for (begin, size, norm) in norms {
            let slides = norm > radius + margin;
            for &i in &self.rows[begin..begin + size] {
                modes[i] = if slides { Mode::Upper } else { Mode::Inside };
            }
        }
    }

    /// The bounds of x_i at a point, and mu of a friction row.
    fn bounds(&self, at: At<'_>) -> (f64, f64, f64) {
        match self.kind {
            Kind::Bounded(lower, upper) => (lower, upper, 0.0),
            Kind::Friction(mu) => {
                let limit = mu * self.other.map_or(0.0, |other| at.x[other]).max(0.0);
                (-limit, limit, mu)
            }
            _ => (f64::NEG_INFINITY, f64::INFINITY, 0.0),
        }
    }

    fn bounded(&self, at: At<'_>, local: &mut Local) {
        let (lower, upper, mu) = self.bounds(at);
        let i = self.rows[0];
        let target = at.x[i] - at.rho[i] * at.y[i];
        local.inside[0] = target.max(lower).min(upper);
        let mode = at.modes.map_or_else(
            || {
                if target <= lower {
                    Mode::Lower
                } else if target >= upper {
                    Mode::Upper
                } else {
                    Mode::Inside
                }
            },
            |modes| modes[i],
        );
        let (bound, sign) = match mode {
            Mode::Inside => {
                local.phi[0] = at.rho[i] * at.y[i];
                local.by_y[0] = at.rho[i];
                return;
            }
            Mode::Lower => (lower, -1.0),
            Mode::Upper => (upper, 1.0),
        };
        local.phi[0] = at.x[i] - bound;
        local.by_x[0] = 1.0;
        if local.width > 1 {
            local.by_x[1] = -sign * mu;
        }
    }

    fn coulomb(&self, at: At<'_>, discs: &[usize], local: &mut Local) {
        let (k, n) = (self.rows.len(), self.rows[0]);
        let target = |a: usize| {
            let i = self.rows[a];
            at.x[i] - at.rho[i] * at.y[i]
        };
        let target: Vec<f64> = (0..k).map(target).collect();
        let opens = |modes: &[Mode]| modes[n] == Mode::Lower;
        let is_open = at.modes.map_or(target[0] <= 0.0, opens);
        let radius = if is_open { 0.0 } else { target[0] };
        // The projection of the point, whatever modes are fixed: an answer has to be inside its
        // cone.
        local.inside[0] = target[0].max(0.0);
        // Where the contact is pressed, x_N - (x_N - rho y_N) is written as rho y_N: the difference would lose what of y_N is
        // below the rounding of x_N, and velocities of nearly rigid joints are that small.
        if is_open {
            local.phi[0] = at.x[n];
            local.by_x[0] = 1.0;
        } else {
            local.phi[0] = at.rho[n] * at.y[n];
            local.by_y[0] = at.rho[n];
        }
        for (begin, size, norm) in norms(&target, discs) {
            let rows = begin..begin + size;
            let turn = if norm > local.inside[0] {
                local.inside[0] / norm
            } else {
                1.0
            };
            let glides = |modes: &[Mode]| modes[self.rows[begin]] == Mode::Upper;
            // On the boundary, |p| = b, both pieces of Phi have one value, and either derivative will do
            // for a semismooth map.
            let slides = at.modes.map_or(norm > radius, glides) && norm > 0.0;
            for a in rows.clone() {
                let i = self.rows[a];
                local.inside[a] = turn * target[a];
                if is_open {
                    local.phi[a] = at.x[i];
                    local.by_x[a * k + a] = 1.0;
                    continue;
                }
                if !slides {
                    local.phi[a] = at.rho[i] * at.y[i];
                    local.by_y[a * k + a] = at.rho[i];
                    continue;
                }
                // The derivative of b p / |p| by p is b / |p| (I - p p' / |p|^2).
                let (turn, along) = (radius / norm, target[a] / norm);
                local.phi[a] = at.x[i] - turn * target[a];
                local.by_x[a * k + a] = 1.0;
                for c in rows.clone() {
                    let change = turn * (f64::from(a == c) - along * target[c] / norm);
                    local.by_x[a * k + c] -= change;
                    local.by_y[a * k + c] += change * at.rho[self.rows[c]];
                }
                // The radius of the ball is the normal force. This column makes the system of
                // Coulomb's law unsymmetric.
                local.by_x[a * k] -= along;
                local.by_y[a * k] += along * at.rho[n];
            }
        }
    }

    /// P_K onto {|x_d| <= x_N for all d}: t = x_N of the projection satisfies t = p_N + sum of (|p_d| - t)^+, where t > 0.
    fn convex(&self, at: At<'_>, y: &[f64], discs: &[usize], local: &mut Local) {
        let k = self.rows.len();
        let rows = self.rows.iter().zip(y);
        let target: Vec<f64> = rows.map(|(&i, y)| at.x[i] - y).collect();
        let norms = norms(&target, discs);
        let own = height(target[0], &norms);
        local.inside[0] = own.0;
        for &(begin, size, norm) in &norms {
            let turn = if norm > own.0 { own.0 / norm } else { 1.0 };
            for (inside, target) in local.inside.iter_mut().zip(&target).skip(begin).take(size) {
                *inside = turn * target;
            }
        }
        let (height, cut) = match at.modes {
            None => own,
            Some(modes) if modes[self.rows[0]] == Mode::Lower => (0.0, Vec::new()),
            Some(modes) => {
                let slides = |disc: &&Norm| modes[self.rows[disc.0]] == Mode::Upper && disc.2 > 0.0;
                // With the cut discs fixed, t = p_N + sum of (|p_d| - t) over them is linear in t.
                let cut: Vec<Norm> = norms.iter().filter(slides).copied().collect();
                let sum = cut.iter().map(|disc| disc.2).sum::<f64>();
                ((target[0] + sum) / (1.0 + cut.len() as f64), cut)
            }
        };
        let is_open = at
            .modes
            .map_or(height <= 0.0, |modes| modes[self.rows[0]] == Mode::Lower);
        // The projection and its derivative, k by k.
        let (mut point, mut change) = (vec![0.0; k], vec![0.0; k * k]);
        if !is_open {
            point.clone_from(&target);
            point[0] = height;
            change[0] = 1.0 / (1.0 + cut.len() as f64);
            for a in 1..k {
                change[a * k + a] = 1.0;
            }
            project(&target, height, &cut, &mut point, &mut change);
        }
        for a in 0..k {
            // A row that is not projected has Phi = x - (x - y) = y, written so for the same reason as in `coulomb`.
            let is_moved = is_open
                || cut
                    .iter()
                    .any(|disc| a == 0 || (disc.0..disc.0 + disc.1).contains(&a));
            local.phi[a] = if is_moved {
                at.x[self.rows[a]] - point[a]
            } else {
                y[a]
            };
            for c in 0..k {
                let own = change[a * k + c];
                local.by_x[a * k + c] = f64::from(a == c) - own;
                local.by_y[a * k + c] = own;
            }
        }
    }
}

/// Brings the discs that are cut to their height, with the derivative.
fn project(target: &[f64], height: f64, cut: &[Norm], point: &mut [f64], change: &mut [f64]) {
    // The height has the derivative 1 / (1 + cuts) by p_N, and by p_d that times p_d / |p_d|. The first
    // loop completes it: the rows of every disc need it whole.
    let k = target.len();
    for &(begin, size, norm) in cut {
        for a in begin..begin + size {
            change[a] = change[0] * target[a] / norm;
        }
    }
    for &(begin, size, norm) in cut {
        let turn = height / norm;
        for a in begin..begin + size {
            let along = target[a] / norm;
            point[a] = turn * target[a];
            change[a * k + a] = turn;
            for c in begin..begin + size {
                change[a * k + c] -= turn * along * target[c] / norm;
            }
            for c in 0..k {
                change[a * k + c] += along * change[c];
            }
        }
    }
}

/// The discs of a contact with the norms of their targets.
fn norms(target: &[f64], discs: &[usize]) -> Vec<Norm> {
    let mut begin = 1;
    let norm = |&size: &usize| {
        let own = target[begin..begin + size].iter().map(|p| p * p);
        let disc = (begin, size, own.sum::<f64>().sqrt());
        begin += size;
        disc
    };
    discs.iter().map(norm).collect()
}

/// A disc: where its rows begin, how many there are, and the norm of its target.
type Norm = (usize, usize, f64);

/// The height t of the projection, and the discs that it cuts.
fn height(normal: f64, norms: &[Norm]) -> (f64, Vec<Norm>) {
    let mut sorted = norms.to_vec();
    sorted.sort_by(|a, b| b.2.total_cmp(&a.2));
    let (mut sum, mut cut) = (normal, Vec::new());
    for own in sorted {
        // Cutting a disc with |p| > t raises t, but not to |p|. So the largest are cut first, and
        // after the first that is not cut none is.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is proposed by a contact is inside of its cone, mu = 1, also where the projection is onto a
    /// disc of radius 0.
    #[test]
    fn projected_points_are_inside_of_their_cones() {
        for kind in [Kind::Coulomb(vec![2]), Kind::Convex(vec![2])] {
            let group = Group {
                kind,
                rows: vec![0, 1, 2],
                other: None,
            };
            let values = [-2.0, 0.0, 1.0];
            for k in 0..729 {
                let digit = |place: u32| values[k / 3_usize.pow(place) % 3];
                let (x, y) = ([0, 1, 2].map(digit), [3, 4, 5].map(digit));
                let at = At {
                    x: &x,
                    y: &y,
                    rho: &[0.5; 3],
                    map: Map::AlartCurnier,
                    modes: None,
                };
                let mut local = Local::default();
                group.evaluate(at, &mut local);
                let inside = &local.inside;
                let length = inside[1].hypot(inside[2]);
                assert!(length <= inside[0] + 1e-14, "{x:?} {y:?} {inside:?}");
                assert!(local.phi.iter().all(|phi| phi.is_finite()));
                // What obeys the law stays where it is.
                if local.phi.iter().all(|phi| *phi == 0.0) {
                    let near = inside.iter().zip(&x).all(|(a, b)| (a - b).abs() <= 1e-14);
                    assert!(near, "{x:?} {y:?} {inside:?}");
                }
            }
        }
    }

    /// The derivatives are those of Phi: differences of it tell, at points that are on no border of two pieces.
    #[test]
    fn derivatives_are_those_of_the_map() {
        let (x, rho) = ([2.0, 0.7, -1.1, 0.4], [0.5, 0.75, 1.25, 2.0]);
        let groups = [
            (Kind::Coulomb(vec![2]), vec![0, 1, 2], None),
            (Kind::Convex(vec![2]), vec![0, 1, 2], None),
            (Kind::Bounded(-1.0, 1.0), vec![3], None),
            (Kind::Friction(0.25), vec![3], Some(0)),
        ];
        for (kind, rows, other) in groups {
            let group = Group { kind, rows, other };
            for y in [
                [0.3, 0.2, -0.4, 0.1],
                [0.3, 2.9, 1.7, 2.1],
                [0.3, -4.1, 0.6, -1.9],
                [5.3, 0.2, 0.3, 0.1],
            ] {
                let evaluate = |x: &[f64], y: &[f64]| {
                    let at = At {
                        x,
                        y,
                        rho: &rho,
                        map: Map::AlartCurnier,
                        modes: None,
                    };
                    let mut local = Local::default();
                    group.evaluate(at, &mut local);
                    local
                };
                let own = evaluate(&x, &y);
                let step = 1e-6;
                for (c, column) in group.columns().enumerate() {
                    let (mut by_x, mut by_y) = (x, y);
                    by_x[column] += step;
                    by_y[column] += step;
                    let (by_x, by_y) = (evaluate(&by_x, &y), evaluate(&x, &by_y));
                    for a in 0..group.rows.len() {
                        let change = |other: &Local| (other.phi[a] - own.phi[a]) / step;
                        let near = |change: f64, slope: f64| (change - slope).abs() <= 1e-4;
                        let place = a * own.width + c;
                        assert!(
                            near(change(&by_x), own.by_x[place]),
                            "{group:?} {y:?} {a} {c}"
                        );
                        if c < group.rows.len() {
                            let place = a * group.rows.len() + c;
                            assert!(
                                near(change(&by_y), own.by_y[place]),
                                "{group:?} {y:?} {a} {c}"
                            );
                        }
                    }
                }
            }
        }
    }
}
