//! Boxes that rest on each other in the plane: towers and walls, with more contacts than the
//! boxes have freedoms to part.
//!
//! Every box is a square, its contacts lie on a grid of half its width, masses are powers of two:
//! M = J W J' and q = J a are exact, so M is positive semidefinite, and q, the accelerations
//! without contact forces, is in its range. As for [`super::semidefinite`] there is a solution.

use std::collections::BTreeMap;

use super::draft::{Draft, dyadic};
use super::draw::{Draw, power_of_two};
use super::family::MAX;

/// a in units of 1/16.
const A_BITS: i32 = 4;

/// A contact of the lower face of a box with another box or the ground.
struct Touch {
    upper: usize,
    lower: Option<usize>,
    /// How far right of the centre of either box it lies.
    arms: [i64; 2],
}

/// The derivative of a distance or a slip by (x, y, angle) of each box.
type Row = Vec<(usize, [i64; 3])>;

impl Touch {
    /// The distance: the upper box moves up, or the lower one down.
    fn normal(&self) -> Row {
        self.row([0, 1, self.arms[0]], [0, -1, -self.arms[1]])
    }

    /// The slip along the faces, which lie `half` below and above the centres.
    fn tangent(&self, half: i64) -> Row {
        self.row([1, 0, half], [-1, 0, half])
    }

    fn row(&self, upper: [i64; 3], lower: [i64; 3]) -> Row {
        let lower = self.lower.map(|below| (below, lower));
        std::iter::once((self.upper, upper)).chain(lower).collect()
    }
}

/// Contacts of boxes of width 2 `half`.
struct Masonry {
    boxes: usize,
    half: i64,
    touches: Vec<Touch>,
}

impl Masonry {
    /// A wall of `count` contacts about as high as wide: each box rests on two, half a box to the
    /// left and to the right, with two contacts on each.
    fn wall(count: usize) -> Self {
        // Four contacts a box.
        let width = (count / 4).isqrt().max(1);
        let mut wall = Self {
            boxes: 0,
            half: 1,
            touches: Vec::with_capacity(count + 4),
        };
        while wall.touches.len() < count {
            wall.add_course(width);
        }
        wall.touches.truncate(count);
        wall
    }

    fn add_course(&mut self, width: usize) {
        let course = self.boxes / width;
        for column in 0..width {
            let upper = self.boxes;
            self.boxes += 1;
            if course == 0 {
                self.touches.extend([-1, 1].map(|arm| Touch {
                    upper,
                    lower: None,
                    arms: [arm, 0],
                }));
                continue;
            }
            // Odd courses stand half a box to the right.
            let left = (column + course % 2).checked_sub(1);
            let right = (column + course % 2 < width).then_some(column + course % 2);
            let below = (course - 1) * width;
            for (column, arms) in [(left, [[-1, 0], [0, 1]]), (right, [[0, -1], [1, 0]])] {
                let Some(column) = column else { continue };
                self.touches.extend(arms.map(|arms| Touch {
                    upper,
                    lower: Some(below + column),
                    arms,
                }));
            }
        }
    }

    /// Towers of up to twenty boxes side by side, two or three contacts a face, until there are
    /// `count` contacts. Every box stands a little beside the one below.
    fn towers(draw: &mut Draw, count: usize) -> Self {
        let mut towers = Self {
            boxes: 0,
            half: 2,
            touches: Vec::with_capacity(count + 3),
        };
        let mut left = 0;
        while towers.touches.len() < count {
            let lower = (left > 0).then(|| towers.boxes - 1);
            if left == 0 {
                left = 1 + draw.index(20);
            }
            towers.add_box(draw, lower);
            left -= 1;
        }
        towers.touches.truncate(count);
        towers
    }

    fn add_box(&mut self, draw: &mut Draw, lower: Option<usize>) {
        let upper = self.boxes;
        self.boxes += 1;
        let shift = draw.between(-1, 1);
        let (from, to) = ((-2).max(-2 - shift), 2.min(2 - shift));
        let middle = draw.one_in(2).then_some(0);
        let arms = [from, to].into_iter().chain(middle);
        self.touches.extend(arms.map(|arm| Touch {
            upper,
            lower,
            arms: [arm, arm + shift],
        }));
    }

    /// Inverse masses and moments of inertia of (x, y, angle) of each box in units of 2^-bits, and
    /// bits: for a square of half width h the moment is 2 h^2 / 3 times the mass.
    fn weights(&self, draw: &mut Draw) -> (Vec<[i64; 3]>, i32) {
        let (mass, bits) = (2 * self.half * self.half, 4 + 2 * (self.half == 2) as i32);
        let weights = draw.vector(self.boxes, |draw| {
            let inverse = 1 << draw.index(4);
            [mass * inverse, mass * inverse, 3 * inverse]
        });
        (weights, bits)
    }

    /// Gravity and small pushes, in units of 2^-[`A_BITS`].
    fn pushes(&self, draw: &mut Draw, aside: i64) -> Vec<[i64; 3]> {
        draw.vector(self.boxes, |draw| {
            let x = draw.between(-aside, aside);
            [x, -160 + draw.between(-8, 8), draw.between(-8, 8)]
        })
    }
}

/// Towers of boxes.
pub(super) fn stack(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let towers = Masonry::towers(draw, n);
    frictionless(draw, &towers)
}

/// A wall of boxes.
pub(super) fn wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    frictionless(draw, &Masonry::wall(n))
}

fn frictionless(draw: &mut Draw, masonry: &Masonry) -> Draft {
    let (weights, bits) = masonry.weights(draw);
    let rows: Vec<_> = masonry.touches.iter().map(Touch::normal).collect();
    let q = times(&rows, &masonry.pushes(draw, 0));
    let unit = power_of_two(-bits);
    let entries = gram(&rows, &weights).into_iter();
    Draft {
        sparse: entries.map(|(i, j, v)| (i, j, v as f64 * unit)).collect(),
        ..Draft::new(Vec::new(), dyadic(&q, A_BITS))
    }
}

/// The time step of Stewart and Trinkle for a wall with friction, laid out as
/// [`super::friction::time_step`], which also says why there is a solution.
pub(super) fn friction_wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(n / 4);
    let (weights, bits) = wall.weights(draw);
    let opposite = |row: &Row| -> Row {
        row.iter()
            .map(|(body, v)| (*body, v.map(|entry| -entry)))
            .collect()
    };
    let mut rows: Vec<Row> = Vec::with_capacity(3 * wall.touches.len());
    for touch in &wall.touches {
        let tangent = touch.tangent(wall.half);
        rows.push(opposite(&tangent));
        rows.push(tangent);
    }
    rows.extend(wall.touches.iter().map(Touch::normal));
    let q = times(&rows, &wall.pushes(draw, 64));
    let unit = power_of_two(-bits);
    let entries = gram(&rows, &weights).into_iter();
    let mut draft = Draft {
        sparse: entries.map(|(i, j, v)| (i, j, v as f64 * unit)).collect(),
        ..Draft::new(Vec::new(), dyadic(&q, A_BITS))
    };
    super::friction::add_cones(&mut draft, wall.touches.len(), 2, |_| {
        draw.between(1, 4) as f64 * 0.25
    });
    // Records of up to this size were written dense before larger ones were made, and stay what they are.
    if n > MAX { draft } else { draft.dense() }
}

/// J a.
fn times(rows: &[Row], a: &[[i64; 3]]) -> Vec<i64> {
    rows.iter().map(|row| dot(row, a)).collect()
}

fn dot(row: &Row, a: &[[i64; 3]]) -> i64 {
    let product = |(body, v): &(usize, [i64; 3])| -> i64 {
        v.iter().zip(&a[*body]).map(|(x, y)| x * y).sum()
    };
    row.iter().map(product).sum()
}

/// The nonzeros of J W J', both triangles, by rows.
fn gram(rows: &[Row], weights: &[[i64; 3]]) -> Vec<(usize, usize, i64)> {
    let mut of_box = vec![Vec::new(); weights.len()];
    for (k, row) in rows.iter().enumerate() {
        for (body, v) in row {
            of_box[*body].push((k, *v));
        }
    }
    let mut entries = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut sums = BTreeMap::new();
        for (body, v) in row {
            for (k, u) in &of_box[*body] {
                let terms = v.iter().zip(u).zip(&weights[*body]);
                *sums.entry(*k).or_insert(0) += terms.map(|((x, y), w)| x * y * w).sum::<i64>();
            }
        }
        let nonzero = sums.into_iter().filter(|(_, value)| *value != 0);
        entries.extend(nonzero.map(|(k, value)| (i, k, value)));
    }
    entries
}
