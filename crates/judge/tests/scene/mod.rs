//! Bodies with contacts and hinges, drawn about a solution that is known, and their problem in mixed and in local form.

use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem};
use rug::Rational;

/// The generator of Steele, Lea and Flood 2014 (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// A power of ten.
    fn power(&mut self, most: i64) -> Rational {
        let by = self.between(-most, most);
        let size = rug::Integer::from(rug::Integer::u_pow_u(10, by.unsigned_abs() as u32));
        let size = Rational::from(size);
        if by < 0 { size.recip() } else { size }
    }
}

type Rows = Vec<Vec<Rational>>;

/// w = Mz + q; `free` velocities with their rows, then `hinges` free rows, then contacts of three rows.
pub struct Scene {
    pub m: Rows,
    pub q: Vec<Rational>,
    /// The solution.
    pub z: Vec<Rational>,
    pub free: usize,
    hinges: usize,
    mu: Vec<Rational>,
}

/// Three rows of the velocity at a place of a body, less that of another there.
fn velocity(dice: &mut Dice, (own, other): (usize, Option<usize>), free: usize) -> Rows {
    let third = |rows: [[i64; 3]; 3], by: i64| rows.map(|row| row.map(|a| Rational::from((a, by))));
    let frame = match dice.between(0, 3) {
        0 => third([[0, 0, 1], [1, 0, 0], [0, 1, 0]], 1),
        1 => third([[2, -1, 2], [2, 2, -1], [-1, 2, 2]], 3),
        2 => third([[4, 3, 0], [-3, 4, 0], [0, 0, 5]], 5),
        _ => third([[0, -1, 0], [0, 0, 1], [-1, 0, 0]], 1),
    };
    let mut rows = vec![vec![Rational::new(); free]; 3];
    for (body, sign) in [(Some(own), 1), (other, -1)] {
        let Some(body) = body else { continue };
        let at = [0; 3].map(|_: i32| dice.between(-2, 2));
        for (row, along) in rows.iter_mut().zip(&frame) {
            for k in 0..3 {
                let (a, b) = ((k + 1) % 3, (k + 2) % 3);
                let turn = Rational::from(&along[b] * at[a]) - Rational::from(&along[a] * at[b]);
                row[6 * body + k] = Rational::from(&along[k] * sign);
                row[6 * body + 3 + k] = turn * sign;
            }
        }
    }
    rows
}

/// Three zeros.
fn nothing() -> [Rational; 3] {
    [0; 3].map(|_: i32| Rational::new())
}

/// A force and a velocity that obey the law; the force in units of `size`.
fn lawful(dice: &mut Dice, mu: &Rational, size: &Rational, rests: bool) -> [[Rational; 3]; 2] {
    let mut u = nothing();
    let mode = dice.between(0, 3);
    if mode == 0 {
        if !rests {
            u = [0, -4, -4].map(|low| Rational::from(dice.between(low, 8)));
        }
        return [nothing(), u];
    }
    let normal = Rational::from((dice.between(1, 40), 3)) * size;
    let share = if mode == 1 { 5 } else { dice.between(0, 4) };
    let along = |part: i64| Rational::from(mu * &normal) * Rational::from((part * share, 25));
    let r = [normal.clone(), along(3), along(-4)];
    if mode == 1 && !rests {
        let slip = Rational::from((dice.between(0, 5), 2)) / size;
        u[1] = -Rational::from(&r[1] * &slip);
        u[2] = -Rational::from(&r[2] * &slip);
    }
    [r, u]
}

impl Scene {
    /// One or two bodies, with up to two hinges, redundant ones too, and up to four contacts; at rest or in motion.
    pub fn drawn(dice: &mut Dice) -> Self {
        let count = dice.between(1, 2) as usize;
        let (free, rests) = (6 * count, dice.between(0, 1) == 0);
        let masses: Vec<_> = (0..count).map(|_| dice.power(6)).collect();
        let hinges = 3 * dice.between(0, 2) as usize;
        let contacts = dice.between(1, 4) as usize;
        let n = free + hinges + 3 * contacts;
        let mut m = vec![vec![Rational::new(); n]; n];
        for (body, mass) in masses.iter().enumerate() {
            let shape = [0; 3].map(|_: i32| [0; 3].map(|_: i32| dice.between(-2, 2)));
            for a in 0..3 {
                m[6 * body + a][6 * body + a].clone_from(mass);
                for b in 0..3 {
                    let own: i64 = (0..3).map(|k| shape[a][k] * shape[b][k]).sum();
                    let own = Rational::from(own + i64::from(a == b)) * mass;
                    m[6 * body + 3 + a][6 * body + 3 + b] = own;
                }
            }
        }
        let velocities = |_| match rests {
            true => Rational::new(),
            false => Rational::from((dice.between(-12, 12), 4)),
        };
        let mut z: Vec<_> = (0..free).map(velocities).collect();
        let (mut w, mut mu) = (vec![Rational::new(); free], Vec::new());
        for k in 0..contacts + hinges / 3 {
            let own = dice.between(0, count as i64 - 1) as usize;
            let other = (count > 1 && dice.between(0, 1) == 0).then_some(1 - own);
            let lighter = other.map_or(&masses[own], |other| (&masses[own]).min(&masses[other]));
            let (first, rows) = (z.len(), velocity(dice, (own, other), free));
            for (a, row) in rows.into_iter().enumerate() {
                for (j, value) in row.into_iter().enumerate() {
                    m[j][first + a] = Rational::from(-&value);
                    m[first + a][j] = value;
                }
            }
            let [r, u] = if 3 * k < hinges {
                let force = |_: i32| Rational::from((dice.between(-20, 20), 3)) * lighter;
                [[0; 3].map(force), nothing()]
            } else {
                mu.push(Rational::from((dice.between(1, 6), 4)));
                lawful(dice, &mu[mu.len() - 1], lighter, rests)
            };
            z.extend(r);
            w.extend(u);
        }
        let q = vec![Rational::new(); n];
        let mut scene = Self {
            m,
            q,
            z,
            free,
            hinges,
            mu,
        };
        scene.q = (0..n).map(|i| &w[i] - scene.w(i, &scene.z)).collect();
        scene
    }

    /// w of a row.
    fn w(&self, i: usize, z: &[Rational]) -> Rational {
        let terms = self.m[i].iter().zip(z).map(|(a, z)| Rational::from(a * z));
        terms.fold(self.q[i].clone(), |sum, term| sum + term)
    }

    /// The natural sizes of the velocities at a point: what changes of their rows, as large as these, come to.
    pub fn natural(&self, z: &[Rational]) -> Vec<Rational> {
        let mut rows: Rows = self.m[..self.free]
            .iter()
            .map(|row| row[..self.free].to_vec())
            .collect();
        for (i, row) in rows.iter_mut().enumerate() {
            row.extend((0..self.free).map(|j| Rational::from(i32::from(i == j))));
        }
        eliminate(&mut rows);
        let sizes: Vec<_> = (0..self.free).map(|i| self.size(i, z)).collect();
        let natural = |row: &Vec<Rational>| {
            let terms = row[self.free..].iter().zip(&sizes);
            terms.fold(Rational::new(), |sum, (b, s)| sum + b.clone().abs() * s)
        };
        rows.iter().map(natural).collect()
    }

    /// |q| + |M||z| of a row, with the largest entry of each contact for all three.
    fn size(&self, i: usize, z: &[Rational]) -> Rational {
        let first = self.free + self.hinges;
        let mut size = self.q[i].clone().abs();
        for (j, z) in z.iter().enumerate() {
            let own = if j < first {
                j..j + 1
            } else {
                j - (j - first) % 3..j - (j - first) % 3 + 3
            };
            let most = self.m[i][own].iter().map(|a| a.clone().abs()).max();
            size += most.unwrap_or_default() * z.clone().abs();
        }
        size
    }

    /// With Coulomb's law.
    pub fn problem(&self) -> Problem {
        let numbers =
            |values: &[Rational]| values.iter().cloned().map(Number::from).collect::<Vec<_>>();
        let m = self.m.iter().map(|row| numbers(row));
        let first = self.free + self.hinges;
        let lower = |i| match i < first {
            true => Bound::NegativeInfinity,
            false => Bound::Finite(0.into()),
        };
        let cones = self.mu.iter().zip(0..).map(|(mu, k)| {
            let normal = first + 3 * k;
            let (rows, mu) = (vec![normal + 1, normal + 2], Mu::One(mu.clone().into()));
            Cone {
                normal,
                discs: vec![Disc { rows, mu }],
                law: Law::Coulomb,
            }
        });
        let m = Matrix::from_rows(m.collect()).unwrap();
        let lower = (0..self.q.len()).map(lower).collect();
        let problem = Problem::new("p", m, numbers(&self.q)).unwrap();
        let problem = problem.with_bounds(Some(lower), None).unwrap();
        problem.with_cones(cones.collect()).unwrap()
    }

    /// Forces of binary64, and the velocities that they give, of binary64 too.
    pub fn rounded(&self) -> Vec<Rational> {
        let mut z = self.z.clone();
        z[self.free..].iter_mut().for_each(round);
        self.fit_velocities(&mut z);
        z
    }

    /// The velocities that the forces give, rounded.
    pub fn fit_velocities(&self, z: &mut [Rational]) {
        z[..self.free].fill(Rational::new());
        let own = self.m[..self.free]
            .iter()
            .map(|row| row[..self.free].to_vec());
        let mut rows: Rows = own.collect();
        for (i, row) in rows.iter_mut().enumerate() {
            row.push(-self.w(i, z));
        }
        eliminate(&mut rows);
        for (v, row) in z.iter_mut().zip(rows) {
            v.clone_from(&row[self.free]);
            round(v);
        }
    }

    /// The normal row of the largest force on a contact.
    pub fn largest_pressed(&self) -> Option<usize> {
        let normals = (0..self.mu.len()).map(|k| self.free + self.hinges + 3 * k);
        let largest = normals.max_by_key(|i| self.z[*i].clone())?;
        (self.z[largest] > 0).then_some(largest)
    }

    /// The same without the velocities.
    pub fn local(&self) -> Self {
        let (n, free) = (self.q.len(), self.free);
        let mut rows: Rows = self.m[..free].to_vec();
        rows.iter_mut()
            .zip(&self.q)
            .for_each(|(row, q)| row.push(q.clone()));
        eliminate(&mut rows);
        let own = |i: usize, j: usize| {
            let start = if j < n { &self.m[i][j] } else { &self.q[i] };
            let terms = (0..free).map(|k| Rational::from(&self.m[i][k] * &rows[k][j]));
            terms.fold(start.clone(), |sum, term| sum - term)
        };
        Self {
            m: (free..n)
                .map(|i| (free..n).map(|j| own(i, j)).collect())
                .collect(),
            q: (free..n).map(|i| own(i, n)).collect(),
            z: self.z[free..].to_vec(),
            free: 0,
            hinges: self.hinges,
            mu: self.mu.clone(),
        }
    }

    /// Each free row and unknown in a unit of its own, and each contact in one for velocities and one for forces.
    pub fn in_other_units(&self, z: &[Rational], dice: &mut Dice) -> (Self, Vec<Rational>) {
        let first = self.free + self.hinges;
        let mut units = || {
            let mut units: Vec<_> = (0..first).map(|_| dice.power(9)).collect();
            for _ in &self.mu {
                let own = dice.power(9);
                units.extend([own.clone(), own.clone(), own]);
            }
            units
        };
        let (of_rows, of_unknowns) = (units(), units());
        let times = |row: &[Rational], e: &Rational| -> Vec<_> {
            let row = row.iter().zip(&of_unknowns);
            row.map(|(a, d)| Rational::from(a * d) * e).collect()
        };
        let moved = |z: &[Rational]| -> Vec<_> {
            z.iter()
                .zip(&of_unknowns)
                .map(|(z, d)| Rational::from(z / d))
                .collect()
        };
        let other = Self {
            m: self
                .m
                .iter()
                .zip(&of_rows)
                .map(|(row, e)| times(row, e))
                .collect(),
            q: self
                .q
                .iter()
                .zip(&of_rows)
                .map(|(q, e)| Rational::from(q * e))
                .collect(),
            z: moved(&self.z),
            mu: self.mu.clone(),
            ..*self
        };
        (other, moved(z))
    }
}

/// To binary64, towards 0.
fn round(value: &mut Rational) {
    *value = Rational::from_f64(value.to_f64()).unwrap();
}

/// Gauss and Jordan: the first columns become the identity.
fn eliminate(rows: &mut Rows) {
    for p in 0..rows.len() {
        let at = (p..rows.len()).find(|&i| rows[i][p] != 0).unwrap();
        rows.swap(p, at);
        let by = rows[p][p].clone();
        rows[p].iter_mut().for_each(|own| *own /= &by);
        let pivot = rows[p].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != p) {
            let factor = row[p].clone();
            let pairs = row.iter_mut().zip(&pivot);
            pairs.for_each(|(own, other)| *own -= Rational::from(&factor * other));
        }
    }
}
