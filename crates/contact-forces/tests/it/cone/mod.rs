//! Coulomb's law in space solved in another way, in binary64: Gauss-Seidel over the contacts on the
//! bipotential of de Saxcé, with joints eliminated. It shares no code with what it is held against.

use etalon_rigid::Dense;

/// The problem of the contacts alone: a = W r + q on rows (normal, tangents) of each contact.
pub struct Cones {
    w: Vec<Vec<f64>>,
    q: Vec<f64>,
    /// Rows of each contact in w: the normal and its two tangents, or the normal alone; and mu.
    contacts: Vec<(Vec<usize>, f64)>,
    /// Rows of the whole problem by row of w.
    kept: Vec<usize>,
    joints: Vec<usize>,
    /// r_joints = shift - pull r.
    pull: Vec<Vec<f64>>,
    shift: Vec<f64>,
}

/// Gauss-Seidel sweeps at most.
const SWEEPS: usize = 40_000;

/// Iterations on one contact within a sweep.
const LOCAL: usize = 4;

impl Cones {
    /// `contacts`: normal row, tangential rows and mu of each; `joints`: the bilateral rows. `None` where
    /// the joints are redundant.
    pub fn new(
        a: &Dense<f64>,
        b: &[f64],
        contacts: &[(usize, Vec<usize>, f64)],
        joints: &[usize],
    ) -> Option<Self> {
        let kept: Vec<usize> = contacts
            .iter()
            .flat_map(|(n, t, _)| [*n].into_iter().chain(t.iter().copied()))
            .collect();
        let mut place = 0;
        let own = contacts.iter().map(|(_, t, mu)| {
            let rows: Vec<usize> = (place..=place + t.len()).collect();
            place += 1 + t.len();
            (rows, *mu)
        });
        let own = own.collect();
        // [A_jj | A_jc b_j] by Gauss and Jordan.
        let mut rows: Vec<Vec<f64>> = joints
            .iter()
            .map(|&i| {
                let row = joints.iter().chain(&kept).map(|&j| a[(i, j)]);
                row.chain([b[i]]).collect()
            })
            .collect();
        let k = joints.len();
        for c in 0..k {
            let p = (c..k).max_by(|&x, &y| rows[x][c].abs().total_cmp(&rows[y][c].abs()))?;
            rows.swap(c, p);
            let pivot = rows[c][c];
            if pivot.abs() < 1e-10 {
                return None;
            }
            rows[c].iter_mut().for_each(|v| *v /= pivot);
            let line = rows[c].clone();
            for (i, row) in rows.iter_mut().enumerate() {
                let factor = row[c];
                if i != c && factor != 0.0 {
                    row.iter_mut()
                        .zip(&line)
                        .for_each(|(v, l)| *v -= factor * l);
                }
            }
        }
        let pull: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| row[k..k + kept.len()].to_vec())
            .collect();
        let shift: Vec<f64> = rows.iter().map(|row| -row[k + kept.len()]).collect();
        let w = kept.iter().map(|&i| {
            let entry = |(c, &j): (usize, &usize)| {
                let back: f64 = joints
                    .iter()
                    .zip(&pull)
                    .map(|(&l, pull)| a[(i, l)] * pull[c])
                    .sum();
                a[(i, j)] - back
            };
            kept.iter().enumerate().map(entry).collect()
        });
        let w = w.collect();
        let q = kept.iter().map(|&i| {
            let back: f64 = joints.iter().zip(&shift).map(|(&l, s)| a[(i, l)] * s).sum();
            b[i] + back
        });
        Some(Self {
            w,
            q: q.collect(),
            contacts: own,
            kept,
            joints: joints.to_vec(),
            pull,
            shift,
        })
    }

    /// Forces, and how far they are from a fixed point; `None` where the sweeps do not get there.
    pub fn solve(&self) -> Option<Vec<f64>> {
        let n = self.q.len();
        let mut r = vec![0.0; n];
        let scale = self.q.iter().fold(1e-300, |m: f64, q| m.max(q.abs()));
        for sweep in 0..SWEEPS {
            for (rows, mu) in &self.contacts {
                let step = 1.0
                    / rows
                        .iter()
                        .map(|&i| rows.iter().map(|&j| self.w[i][j].abs()).sum::<f64>())
                        .fold(1e-300, f64::max);
                for _ in 0..LOCAL {
                    let u: Vec<f64> = rows.iter().map(|&i| self.velocity(i, &r)).collect();
                    let next = fixed_point(
                        &rows.iter().map(|&i| r[i]).collect::<Vec<_>>(),
                        &u,
                        *mu,
                        step,
                    );
                    rows.iter().zip(next).for_each(|(&i, v)| r[i] = v);
                }
            }
            if sweep % 16 == 0 && self.residual(&r) <= 1e-13 * scale {
                break;
            }
        }
        (self.residual(&r) <= 1e-9 * scale).then(|| self.whole(&r))
    }

    fn velocity(&self, i: usize, r: &[f64]) -> f64 {
        self.w[i].iter().zip(r).map(|(w, r)| w * r).sum::<f64>() + self.q[i]
    }

    /// The largest move of the fixed-point map, as an acceleration.
    fn residual(&self, r: &[f64]) -> f64 {
        let of = |(rows, mu): &(Vec<usize>, f64)| {
            let step = 1.0 / rows.iter().map(|&i| self.w[i][i]).fold(1e-300, f64::max);
            let own: Vec<f64> = rows.iter().map(|&i| r[i]).collect();
            let u: Vec<f64> = rows.iter().map(|&i| self.velocity(i, r)).collect();
            let next = fixed_point(&own, &u, *mu, step);
            own.iter()
                .zip(next)
                .map(|(a, b)| (a - b).abs() / step)
                .fold(0.0, f64::max)
        };
        self.contacts.iter().map(of).fold(0.0, f64::max)
    }

    /// The residual of forces of the whole problem, relative to the largest of q, joints left aside.
    pub fn residual_of(&self, f: &[f64]) -> f64 {
        let scale = self.q.iter().fold(1e-300, |m: f64, q| m.max(q.abs()));
        let r: Vec<f64> = self.kept.iter().map(|&i| f[i]).collect();
        self.residual(&r) / scale
    }

    fn whole(&self, r: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; self.kept.len() + self.joints.len()];
        for (&i, v) in self.kept.iter().zip(r) {
            f[i] = *v;
        }
        for ((&j, pull), shift) in self.joints.iter().zip(&self.pull).zip(&self.shift) {
            f[j] = shift - pull.iter().zip(r).map(|(p, r)| p * r).sum::<f64>();
        }
        f
    }
}

/// The projection of r - step (u + mu |u_T| e_N) onto the cone mu r_N >= |r_T|.
fn fixed_point(r: &[f64], u: &[f64], mu: f64, step: f64) -> Vec<f64> {
    let slide = u[1..].iter().fold(0.0, |s: f64, v| s.hypot(*v));
    let n = r[0] - step * (u[0] + mu * slide);
    let t: Vec<f64> = r[1..]
        .iter()
        .zip(&u[1..])
        .map(|(r, u)| r - step * u)
        .collect();
    let length = t.iter().fold(0.0, |s: f64, v| s.hypot(*v));
    if t.is_empty() {
        return vec![n.max(0.0)];
    }
    if length <= mu * n {
        return [n].into_iter().chain(t).collect();
    }
    if mu * length <= -n {
        return vec![0.0; r.len()];
    }
    let top = (n + mu * length) / (1.0 + mu * mu);
    let scaled = t.iter().map(|t| t * mu * top / length);
    [top].into_iter().chain(scaled).collect()
}
