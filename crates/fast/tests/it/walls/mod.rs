//! Brick walls in space in mixed form: rows of bodies, then contacts.

use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem};

/// Numbers that depend on a seed alone, in [0, 1).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        // Xorshift (Marsaglia 2003).
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn number(value: f64) -> Number {
    Number::from_f64(value).unwrap()
}

/// A contact point at which an upper brick rests on a lower one (or on the ground).
struct Contact {
    upper: usize,
    lower: Option<usize>,
    point: [f64; 3],
}

fn centre(width: usize, body: usize) -> [f64; 3] {
    let (level, column) = (body / width, body % width);
    let shift = if level % 2 == 1 { 0.5 } else { 0.0 };
    [column as f64 + shift, 0.0, level as f64 + 0.5]
}

/// Four contacts a brick: each brick rests with its ends on two bricks below, or on the ground.
fn contacts(width: usize, height: usize) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for upper in 0..width * height {
        let (level, column) = (upper / width, upper % width);
        let at = centre(width, upper);
        for (side, x) in [(0, -0.4), (1, 0.4)] {
            let lower = (level > 0).then(|| {
                let left = if level % 2 == 1 {
                    column
                } else {
                    column.saturating_sub(1)
                };
                let own = (left + side).min(width - 1);
                (level - 1) * width + own
            });
            for y in [-0.5, 0.5] {
                let point = [at[0] + x, y, level as f64];
                contacts.push(Contact {
                    upper,
                    lower,
                    point,
                });
            }
        }
    }
    contacts
}

/// The velocity of a body's point along each axis, as coefficients of its six velocities.
fn arm(centre: [f64; 3], point: [f64; 3]) -> [[f64; 6]; 3] {
    let [x, y, z] = [0, 1, 2].map(|k| point[k] - centre[k]);
    // v + omega x arm, normal (vertical) first.
    [
        [0.0, 0.0, 1.0, y, -x, 0.0],
        [1.0, 0.0, 0.0, 0.0, z, -y],
        [0.0, 1.0, 0.0, -z, 0.0, x],
    ]
}

/// A wall of `width` by `height` bricks on the ground, 4 contacts each, pushed at random: n = 18 width height.
pub fn wall(width: usize, height: usize, seed: u64, law: Law) -> Problem {
    let mut random = Random(seed);
    let (bodies, contacts) = (width * height, contacts(width, height));
    let n = 6 * bodies + 3 * contacts.len();
    let (mut entries, mut q, mut scale) = (Vec::new(), vec![0.0; n], vec![0.0; n]);
    let mut add = |row: usize, column: usize, value: f64| {
        if value != 0.0 {
            entries.push((row as u64, column as u64, number(value)));
        }
    };
    let mut free = vec![0.0; 6 * bodies];
    for body in 0..bodies {
        let mass = 1.0 + random.next();
        for k in 0..6 {
            let own = if k < 3 { mass } else { mass / 6.0 };
            let push = 0.02 * (random.next() - 0.5);
            free[6 * body + k] = push - if k == 2 { 0.0981 } else { 0.0 };
            add(6 * body + k, 6 * body + k, own);
            q[6 * body + k] = -own * free[6 * body + k];
        }
    }
    let mut cones = Vec::new();
    for (c, contact) in contacts.iter().enumerate() {
        let first = 6 * bodies + 3 * c;
        let both = [(Some(contact.upper), 1.0), (contact.lower, -1.0)];
        for (body, sign) in both.into_iter().filter_map(|(b, s)| Some((b?, s))) {
            let arms = arm(centre(width, body), contact.point);
            for (a, row) in arms.iter().enumerate() {
                for (k, value) in row.iter().enumerate() {
                    let (i, j, h) = (first + a, 6 * body + k, sign * value);
                    add(i, j, h);
                    add(j, i, -h);
                    scale[i] += (h * free[j]).abs();
                }
            }
        }
        let mu = Mu::One(number(0.2 + 0.6 * random.next()));
        let rows = vec![first + 1, first + 2];
        let discs = vec![Disc { rows, mu }];
        cones.push(Cone {
            normal: first,
            discs,
            law,
        });
    }
    let bound = |i: usize| {
        if i < 6 * bodies {
            Bound::NegativeInfinity
        } else {
            Bound::Finite(number(0.0))
        }
    };
    let m = Matrix::from_entries((n as u64, n as u64), entries).unwrap();
    let q = q.into_iter().map(number).collect();
    let blocks = (0..2 * bodies)
        .map(|b| (3 * b..3 * b + 3).collect())
        .collect();
    Problem::new(format!("wall/{width}x{height}/s{seed}"), m, q)
        .and_then(|p| p.with_bounds(Some((0..n).map(bound).collect()), None))
        .and_then(|p| p.with_cones(cones))
        .and_then(|p| p.with_blocks(blocks))
        .and_then(|p| p.with_scale(scale.into_iter().map(number).collect()))
        .unwrap()
}
