//! Boxes that rest on each other in the plane: towers and walls, with more contacts than the
//! boxes have freedoms to part.
//!
//! Every box is a square, its contacts lie on a grid of half its width, masses are powers of two:
//! [M and q](super::bodies) are exact.

use super::bodies::{Dynamics, Row, frictionless, row, with_friction};
use super::draft::Draft;
use super::draw::Draw;
use super::family::MAX;
use super::mixed::{self, most_contacts};

/// A contact of the lower face of a box with another box or the ground.
struct Touch {
    upper: usize,
    lower: Option<usize>,
    /// How far right of the centre of either box it lies.
    arms: [i64; 2],
}

impl Touch {
    /// The distance: the upper box moves up, or the lower one down.
    fn normal(&self) -> Row<3> {
        self.row([0, 1, self.arms[0]], [0, -1, -self.arms[1]])
    }

    /// The slip along the faces, which lie `half` below and above the centres.
    fn tangent(&self, half: i64) -> Row<3> {
        self.row([1, 0, half], [-1, 0, half])
    }

    fn row(&self, upper: [i64; 3], lower: [i64; 3]) -> Row<3> {
        row((self.upper, upper), (self.lower, lower))
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

    /// Coordinates are (x, y, angle) of each box: for a square of half width h the moment of inertia is 2 h^2 / 3 times the mass.
    /// Gravity comes with small pushes.
    fn dynamics(&self, draw: &mut Draw, aside: i64) -> Dynamics<3> {
        let (mass, bits) = (2 * self.half * self.half, 4 + 2 * (self.half == 2) as i32);
        let weights = draw.vector(self.boxes, |draw| {
            let inverse = 1 << draw.index(4);
            [mass * inverse, mass * inverse, 3 * inverse]
        });
        let pushes = draw.vector(self.boxes, |draw| {
            let x = draw.between(-aside, aside);
            [x, -160 + draw.between(-8, 8), draw.between(-8, 8)]
        });
        Dynamics {
            weights,
            bits,
            pushes,
        }
    }

    fn normals(&self) -> Vec<Row<3>> {
        self.touches.iter().map(Touch::normal).collect()
    }

    fn tangents(&self) -> Vec<[Row<3>; 1]> {
        let tangents = self.touches.iter().map(|touch| [touch.tangent(self.half)]);
        tangents.collect()
    }
}

/// Towers of boxes.
pub(super) fn stack(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let towers = Masonry::towers(draw, n);
    frictionless(&towers.normals(), &towers.dynamics(draw, 0))
}

/// A wall of boxes.
pub(super) fn wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(n);
    frictionless(&wall.normals(), &wall.dynamics(draw, 0))
}

/// The time step of a wall with friction.
pub(super) fn friction_wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(n / 4);
    let dynamics = wall.dynamics(draw, 64);
    let draft = with_friction(draw, wall.normals(), wall.tangents(), &dynamics);
    // Records of up to this size were written dense before larger ones were made, and stay what they are.
    if n > MAX { draft } else { draft.dense() }
}

/// Towers in mixed form. A box has up to three contacts with what is below.
pub(super) fn mixed_stack(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let towers = Masonry::towers(draw, most_contacts(n, 1, 3, 3));
    mixed::frictionless(n, towers.normals(), &towers.dynamics(draw, 0))
}

/// A wall in mixed form. A box has up to four contacts with what is below.
pub(super) fn mixed_wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(most_contacts(n, 1, 3, 4));
    mixed::frictionless(n, wall.normals(), &wall.dynamics(draw, 0))
}

/// A wall with friction in mixed form.
pub(super) fn mixed_friction_wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(most_contacts(n, 4, 3, 4));
    let dynamics = wall.dynamics(draw, 64);
    mixed::with_friction(draw, n, wall.normals(), wall.tangents(), &dynamics)
}

/// A wall under Coulomb's law.
pub(super) fn cone_wall(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let wall = Masonry::wall(most_contacts(n, 2, 3, 4));
    let dynamics = wall.dynamics(draw, 64);
    mixed::with_discs(draw, n, wall.normals(), wall.tangents(), &dynamics)
}
