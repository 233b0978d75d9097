//! The equations of index sets in the circular cone, with what is driven.

use etalon_rigid::Dense;

use crate::formulation::{Formulation, RowKind};

/// The state of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Not considered yet.
    Idle,
    /// No force: it opens.
    Open,
    /// Closed; friction is not considered yet.
    Bare,
    /// Closed, and held by friction.
    Stick,
    /// Closed, and friction is at its limit, against the acceleration.
    Slip,
}

/// The driven quantity, as the parameter s of the path grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// Nothing.
    None,
    /// The normal force of a contact is s.
    Normal(usize),
    /// The tangential acceleration of a contact is (1 - s) times what it was.
    Stop(usize, [f64; 2]),
    /// Friction at its limit turns against the acceleration: f_F x a_F is (1 - s) times what it was.
    Turn(usize, f64),
}

impl Drive {
    pub fn contact(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Normal(k) | Self::Stop(k, _) | Self::Turn(k, _) => Some(k),
        }
    }
}

/// The rows of one contact.
pub struct Cone {
    pub normal: usize,
    /// The two tangents; none where there is no static friction.
    pub tangents: Option<[usize; 2]>,
    pub mu: f64,
}

/// Forces and sets along a path.
pub struct Path<'a> {
    a: &'a Dense<f64>,
    b: &'a [f64],
    pub cones: Vec<Cone>,
    joints: Vec<usize>,
    pub state: Vec<State>,
    pub f: Vec<f64>,
    /// The size of accelerations: the largest entry of b.
    pub scale: f64,
    /// Directions of friction that are held as they are, in place of what slip asks for.
    pub held: Vec<Option<[f64; 2]>>,
}

/// An equation: its value, its gradient, and its derivative in s.
struct Line {
    value: f64,
    gradient: Vec<f64>,
    rate: f64,
}

/// The size, relative to those of a scene, below which a quantity counts as zero along the path. Chosen: it only
/// decides when a set changes, and the end of the path is proved.
pub const TINY: f64 = 1e-11;

/// Steps of Newton's method.
const STEPS: usize = 12;

impl<'a> Path<'a> {
    /// All forces zero.
    pub fn new(formulation: &'a Formulation<f64>, state: State) -> Self {
        let rows = || formulation.rows().iter().enumerate();
        let cone = |(row, kind): (usize, &RowKind)| {
            let RowKind::Normal(contact) = *kind else {
                return None;
            };
            let tangent = |axis| formulation.row(RowKind::Tangent { contact, axis });
            Some(Cone {
                normal: row,
                tangents: tangent(0).zip(tangent(1)).map(|(x, y)| [x, y]),
                mu: formulation.system().contacts[contact].mu,
            })
        };
        let joint = |(_, kind): &(usize, &RowKind)| matches!(kind, RowKind::Joint(_));
        let cones: Vec<Cone> = rows().filter_map(cone).collect();
        let size = |sum: f64, b: &f64| sum.max(b.abs());
        Self {
            a: formulation.a(),
            b: formulation.b(),
            joints: rows().filter(joint).map(|(i, _)| i).collect(),
            state: vec![state; cones.len()],
            held: vec![None; cones.len()],
            f: vec![0.0; formulation.n()],
            scale: formulation.b().iter().fold(f64::MIN_POSITIVE, size),
            cones,
        }
    }

    /// A f + b.
    pub fn accelerations(&self, f: &[f64]) -> Vec<f64> {
        let gained = self.a.times(f);
        gained.iter().zip(self.b).map(|(a, b)| a + b).collect()
    }

    /// A x, what accelerations gain.
    pub fn gain(&self, change: &[f64]) -> Vec<f64> {
        self.a.times(change)
    }

    /// A size of forces: the largest.
    pub fn force(&self) -> f64 {
        self.f.iter().fold(f64::MIN_POSITIVE, |m, f| m.max(f.abs()))
    }

    pub fn is_closed(&self, k: usize) -> bool {
        matches!(self.state[k], State::Bare | State::Stick | State::Slip)
    }

    /// Friction of cone k in f.
    pub fn friction(&self, k: usize, f: &[f64]) -> [f64; 2] {
        self.cones[k]
            .tangents
            .map_or([0.0; 2], |[x, y]| [f[x], f[y]])
    }

    /// Whether the equations are linear: nothing slips or turns.
    pub fn is_linear(&self, drive: Drive) -> bool {
        !self.state.contains(&State::Slip) && !matches!(drive, Drive::Turn(..))
    }

    fn variables(&self, drive: Drive) -> Vec<usize> {
        let mut variables = self.joints.clone();
        for (k, cone) in self.cones.iter().enumerate() {
            if self.is_closed(k) || drive == Drive::Normal(k) {
                variables.push(cone.normal);
            }
            let rubs = matches!(self.state[k], State::Stick | State::Slip);
            let driven = matches!(drive, Drive::Stop(d, _) | Drive::Turn(d, _) if d == k);
            if rubs || driven {
                variables.extend(cone.tangents.into_iter().flatten());
            }
        }
        variables
    }

    fn lines(&self, drive: Drive, f: &[f64], s: f64) -> Vec<Line> {
        let a = self.accelerations(f);
        let still = |row: usize| Line {
            value: a[row],
            gradient: self.a.row(row).to_vec(),
            rate: 0.0,
        };
        let mut lines: Vec<Line> = self.joints.iter().map(|&row| still(row)).collect();
        for (k, cone) in self.cones.iter().enumerate() {
            if drive == Drive::Normal(k) {
                lines.push(Line {
                    value: f[cone.normal] - s,
                    gradient: unit(f.len(), cone.normal),
                    rate: -1.0,
                });
                continue;
            }
            if self.is_closed(k) {
                lines.push(still(cone.normal));
            }
            let Some(tangents) = cone.tangents else {
                continue;
            };
            match (drive, self.state[k]) {
                (Drive::Stop(d, from), _) if d == k => {
                    for (&t, from) in tangents.iter().zip(from) {
                        let mut line = still(t);
                        line.value -= (1.0 - s) * from;
                        line.rate = from;
                        lines.push(line);
                    }
                }
                (Drive::Turn(d, from), _) if d == k => {
                    lines.push(self.limit(k, f));
                    let mut line = self.against(k, f, &a);
                    let size = length(self.friction(k, f));
                    line.value -= (1.0 - s) * from / size;
                    line.rate = from / size;
                    lines.push(line);
                }
                (_, State::Stick) => lines.extend(tangents.iter().map(|&t| still(t))),
                (_, State::Slip) => lines.extend(self.slip(k, f, &a)),
                _ => {}
            }
        }
        lines
    }

    /// (|f_F|^2 - mu^2 f_N^2) / 2 |f_F|.
    fn limit(&self, k: usize, f: &[f64]) -> Line {
        let cone = &self.cones[k];
        let friction = self.friction(k, f);
        // The divisor is taken as a constant: its derivative drops out where the value is 0.
        let (size, limit) = (length(friction), cone.mu * f[cone.normal]);
        let mut gradient = vec![0.0; f.len()];
        for (t, v) in cone.tangents.into_iter().flatten().zip(friction) {
            gradient[t] = v / size;
        }
        gradient[cone.normal] = -cone.mu * limit / size;
        Line {
            value: (size * size - limit * limit) / (2.0 * size),
            gradient,
            rate: 0.0,
        }
    }

    /// f_F x a_F / |f_F|, the divisor taken as a constant.
    fn against(&self, k: usize, f: &[f64], a: &[f64]) -> Line {
        let friction = self.friction(k, f);
        let size = length(friction);
        let mut gradient = vec![0.0; f.len()];
        let [fx, fy] = friction.map(|v| v / size);
        let mut value = 0.0;
        if let Some([x, y]) = self.cones[k].tangents {
            value = fx * a[y] - fy * a[x];
            for (j, entry) in gradient.iter_mut().enumerate() {
                *entry = fx * self.a[(y, j)] - fy * self.a[(x, j)];
            }
            gradient[x] += a[y] / size;
            gradient[y] -= a[x] / size;
        }
        Line {
            value,
            gradient,
            rate: 0.0,
        }
    }

    /// The equations of slip: f_F + mu f_N a_F/|a_F| = 0 where there is hardly a force yet, otherwise at
    /// the limit and against the acceleration, which holds where that is zero, too.
    fn slip(&self, k: usize, f: &[f64], a: &[f64]) -> Vec<Line> {
        let cone = &self.cones[k];
        let Some([x, y]) = cone.tangents else {
            return Vec::new();
        };
        if let Some(held) = self.held[k] {
            let along = |(t, u): (usize, f64)| {
                let mut gradient = unit(f.len(), t);
                gradient[cone.normal] = -cone.mu * u;
                Line {
                    value: f[t] - cone.mu * f[cone.normal] * u,
                    gradient,
                    rate: 0.0,
                }
            };
            return [x, y].into_iter().zip(held).map(along).collect();
        }
        // The equations at the limit divide by |f_F|, which is 0 where a force begins; the others
        // by |a_F|, which may come to 0 later.
        let speed = length([a[x], a[y]]);
        if f[cone.normal] > TINY * self.force() || speed == 0.0 {
            return vec![self.limit(k, f), self.against(k, f, a)];
        }
        let u = [a[x] / speed, a[y] / speed];
        let limit = cone.mu * f[cone.normal];
        let line = |t: usize, own: f64, across: f64| {
            // d u = (1 - u u') da / |a|: across (across . da) / |a|, across = u turned.
            let turn = |j: usize| (-u[1] * self.a[(x, j)] + u[0] * self.a[(y, j)]) / speed;
            let mut gradient: Vec<f64> = (0..f.len()).map(|j| limit * across * turn(j)).collect();
            gradient[t] += 1.0;
            gradient[cone.normal] += cone.mu * own;
            Line {
                value: f[t] + limit * own,
                gradient,
                rate: 0.0,
            }
        };
        vec![line(x, u[0], -u[1]), line(y, u[1], u[0])]
    }

    /// The change of forces as s grows by 1; `None` where there is none.
    pub fn direction(&self, drive: Drive, s: f64) -> Option<Vec<f64>> {
        let lines = self.lines(drive, &self.f, s);
        let right: Vec<f64> = lines.iter().map(|line| -line.rate).collect();
        self.respond(drive, &lines, &right)
    }

    /// Newton's method on the equations at s, from those forces. That friction vanishes solves the
    /// equations of slip, too, but is not what is looked for.
    pub fn correct(&self, drive: Drive, s: f64, f: &mut [f64]) -> bool {
        let slips = |k: &usize| self.state[*k] == State::Slip && length(self.friction(*k, f)) > 0.0;
        let slipping: Vec<usize> = (0..self.cones.len()).filter(slips).collect();
        let sizes: Vec<f64> = slipping
            .iter()
            .map(|&k| length(self.friction(k, f)))
            .collect();
        let vanishes = |f: &[f64]| {
            let pairs = slipping.iter().zip(&sizes);
            pairs
                .into_iter()
                .any(|(&k, size)| length(self.friction(k, f)) < 1e-2 * size)
        };
        self.newton(drive, s, f) && !vanishes(f)
    }

    /// The same without that check.
    pub fn newton(&self, drive: Drive, s: f64, f: &mut [f64]) -> bool {
        let mut before = f64::INFINITY;
        for _ in 0..STEPS {
            let lines = self.lines(drive, f, s);
            let off = lines
                .iter()
                .fold(0.0, |m: f64, line| m.max(line.value.abs()));
            if !off.is_finite() {
                return false;
            }
            // Down to rounding, or to where it no longer falls: the least change of redundant
            // contacts leaves more. Both are chosen; what the path ends at is proved.
            if off <= 1e-14 * self.scale || (off >= before && off <= 1e-10 * self.scale) {
                return true;
            }
            before = off;
            let right: Vec<f64> = lines.iter().map(|line| -line.value).collect();
            let Some(step) = self.respond(drive, &lines, &right) else {
                return false;
            };
            f.iter_mut().zip(step).for_each(|(f, step)| *f += step);
        }
        before <= 1e-10 * self.scale
    }

    fn respond(&self, drive: Drive, lines: &[Line], right: &[f64]) -> Option<Vec<f64>> {
        let variables = self.variables(drive);
        let matrix = Dense::from_fn(lines.len(), variables.len(), |i, j| {
            lines[i].gradient[variables[j]]
        });
        let finite = |i: usize| matrix.row(i).iter().all(|v| v.is_finite());
        if !(0..lines.len()).all(finite) {
            return None;
        }
        // Where contacts are redundant, the least change: M'y with M M'y = r, rows scaled to 1.
        let size = |i: usize| matrix.row(i).iter().fold(0.0, |sum: f64, v| sum.hypot(*v));
        let sizes: Vec<f64> = (0..lines.len())
            .map(size)
            .map(|s| if s > 0.0 { s } else { 1.0 })
            .collect();
        // Rows of one size, so that accelerations (m/s^2) and forces (N) weigh alike in the least change.
        let scaled = Dense::from_fn(lines.len(), variables.len(), |i, j| {
            matrix[(i, j)] / sizes[i]
        });
        let right: Vec<f64> = right.iter().zip(&sizes).map(|(r, s)| r / s).collect();
        let transposed = scaled.transposed();
        let least = scaled.product(&transposed).solve(&right).solution();
        let least = least.map(|y| transposed.times(&y));
        // M M' squares the condition of M, so its answer counts only where it satisfies the
        // equations.
        let x = match least {
            Some(x) if close(&scaled, &x, &right) => x,
            _ => scaled.solve(&right).solution()?,
        };
        let mut change = vec![0.0; self.f.len()];
        for (&j, x) in variables.iter().zip(x) {
            change[j] = x;
        }
        change.iter().all(|v| v.is_finite()).then_some(change)
    }
}

pub fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

pub fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    let mut unit = vec![0.0; n];
    unit[i] = 1.0;
    unit
}

/// Whether M x = r up to rounding.
fn close(matrix: &Dense<f64>, x: &[f64], right: &[f64]) -> bool {
    let size = right
        .iter()
        .fold(f64::MIN_POSITIVE, |m: f64, r| m.max(r.abs()));
    let pairs = matrix.times(x).into_iter().zip(right);
    pairs
        .into_iter()
        .all(|(own, r)| (own - r).abs() <= 1e-9 * size)
}
