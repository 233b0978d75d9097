//! Boxes that rest on each other in space: pyramids of cubes, with more contacts than the cubes have freedoms to part.

use super::bodies::{Dynamics, Row, frictionless, row, with_friction};
use super::draft::Draft;
use super::draw::Draw;
use super::mixed::{self, most_contacts};

/// Contacts of pyramids of eight directions are written in quarters, normals as well as tangents: M grows by 16, forces shrink by as much, and
/// friction keeps its share of the normal force.
const QUARTERS: i64 = 4;

/// Four of the eight corners of an octagon in quarters, nearly regular: the others are opposite. Corners of integers keep M = H W H' exact.
const OCTAGON: [[i64; 2]; 4] = [[4, 0], [3, 3], [0, 4], [-3, 3]];

/// A contact of the lower face of a cube with another cube or the ground. Cubes are 2 wide.
struct Touch {
    upper: usize,
    lower: Option<usize>,
    /// Where it lies from the centre of either cube, in x and y.
    arms: [[i64; 2]; 2],
}

impl Touch {
    /// A velocity of the upper cube at the contact along an axis (x, y or z), less that of the lower one.
    fn along(&self, axis: usize) -> Row<6> {
        // The contact is 1 below the centre of the upper cube, and 1 above that of the lower one.
        let [upper, lower] = [(1, self.arms[0], -1), (-1, self.arms[1], 1)]
            .map(|(sign, [x, y], z)| derivative(sign, axis, [x, y, z]));
        row((self.upper, upper), (self.lower, lower))
    }
}

/// The derivative, by (x, y, z, and the turns about them), of the velocity of a body along an axis at an arm, times a sign.
fn derivative(sign: i64, axis: usize, arm: [i64; 3]) -> [i64; 6] {
    let mut own = [0; 6];
    own[axis] = sign;
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    // The moment of the unit vector e of the axis is arm x e.
    own[3 + next] = sign * arm[last];
    own[3 + last] = -sign * arm[next];
    own
}

/// The sum of two rows of one contact, each so many times.
fn combined([one, two]: [&Row<6>; 2], [x, y]: [i64; 2]) -> Row<6> {
    let pairs = one.iter().zip(two);
    pairs
        .map(|((body, a), (_, b))| (*body, std::array::from_fn(|k| x * a[k] + y * b[k])))
        .collect()
}

/// A pyramid whose lowest course has `side` cubes each way, with its first `count` contacts. Each cube of a higher course stands on
/// four, and shares a quarter of a face with each: they touch at two opposite corners of it.
struct Pile {
    cubes: usize,
    touches: Vec<Touch>,
}

impl Pile {
    fn new(draw: &mut Draw, count: usize) -> Self {
        let side = (1..).find(|&side| contacts(side) >= count).unwrap_or(1);
        let mut pile = Self {
            cubes: 0,
            touches: Vec::with_capacity(count + 16),
        };
        for width in (1..=side).rev() {
            if pile.touches.len() >= count {
                break;
            }
            pile.add_course(draw, width, width < side);
        }
        pile.touches.truncate(count);
        pile
    }

    /// A course of so many cubes each way, on one that is wider by a cube.
    fn add_course(&mut self, draw: &mut Draw, width: usize, rests: bool) {
        let below = self.cubes - if rests { (width + 1) * (width + 1) } else { 0 };
        for at in 0..width * width {
            let upper = self.cubes;
            self.cubes += 1;
            if !rests {
                self.touches.extend(CORNERS.map(|arm| Touch {
                    upper,
                    lower: None,
                    arms: [arm, [0; 2]],
                }));
                continue;
            }
            let (x, y) = (at % width, at / width);
            for side in CORNERS {
                // The centre of the cube below lies one aside of that of the upper one, each way.
                let [dx, dy] = side.map(|side| (side + 1) as usize / 2);
                let lower = Some(below + (y + dy) * (width + 1) + x + dx);
                let corner = CORNERS[draw.index(2)];
                let corners = [corner, corner.map(|own| -own)];
                self.touches.extend(corners.map(|corner| {
                    // Of the quarter that both share, whose corners are 0 or 1 aside.
                    let arm = [0, 1].map(|k| (side[k] + corner[k]) / 2);
                    Touch {
                        upper,
                        lower,
                        arms: [arm, [arm[0] - side[0], arm[1] - side[1]]],
                    }
                }));
            }
        }
    }

    fn rows(&self, axis: usize) -> impl Iterator<Item = Row<6>> {
        self.touches.iter().map(move |touch| touch.along(axis))
    }

    fn normals(&self) -> Vec<Row<6>> {
        self.rows(2).collect()
    }

    fn tangents(&self) -> Vec<[Row<6>; 2]> {
        let tangents = self.rows(0).zip(self.rows(1)).map(|(x, y)| [x, y]);
        tangents.collect()
    }

    /// The normals and the directions of an octagon, all in quarters.
    fn octagons(&self) -> (Vec<Row<6>>, Vec<[Row<6>; 4]>) {
        let normals = self
            .rows(2)
            .map(|own| combined([&own, &own], [QUARTERS, 0]));
        let tangents = self.tangents().into_iter();
        let directions = tangents.map(|[x, y]| OCTAGON.map(|part| combined([&x, &y], part)));
        (normals.collect(), directions.collect())
    }

    /// For a cube of half width 1 the moment of inertia is 2 / 3 of the mass. Gravity comes with small pushes.
    fn dynamics(&self, draw: &mut Draw, aside: i64) -> Dynamics<6> {
        let weights = draw.vector(self.cubes, |draw| {
            let inverse = 1 << draw.index(4);
            [2, 2, 2, 3, 3, 3].map(|own| own * inverse)
        });
        let pushes = draw.vector(self.cubes, |draw| {
            let x = draw.between(-aside, aside);
            let y = draw.between(-aside, aside);
            let z = -160 + draw.between(-8, 8);
            let turns = [0; 3].map(|_| draw.between(-8, 8));
            [x, y, z, turns[0], turns[1], turns[2]]
        });
        Dynamics {
            weights,
            bits: 4,
            pushes,
        }
    }
}

/// The corners of a square of width 2 about its centre.
const CORNERS: [[i64; 2]; 4] = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

/// The contacts of a pyramid: four on the ground for each cube there, and two with each of four cubes for the others.
fn contacts(side: usize) -> usize {
    let higher: usize = (1..side).map(|width| width * width).sum();
    4 * side * side + 8 * higher
}

/// A pile of cubes without friction.
pub(super) fn pile(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, n);
    frictionless(&pile.normals(), &pile.dynamics(draw, 0))
}

/// The time step of a pile of cubes with pyramids of four directions.
pub(super) fn friction_pile(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, n / 6);
    let dynamics = pile.dynamics(draw, 64);
    with_friction(draw, pile.normals(), pile.tangents(), &dynamics)
}

/// The same with pyramids of eight directions.
pub(super) fn friction_pile_eight(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, n / 10);
    let dynamics = pile.dynamics(draw, 64);
    let (normals, tangents) = pile.octagons();
    with_friction(draw, normals, tangents, &dynamics)
}

/// A pile in mixed form. A cube has up to eight contacts with what is below.
pub(super) fn mixed_pile(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, most_contacts(n, 1, 6, 8));
    mixed::frictionless(n, pile.normals(), &pile.dynamics(draw, 0))
}

/// A pile with pyramids of four directions in mixed form.
pub(super) fn mixed_friction_pile(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, most_contacts(n, 6, 6, 8));
    let dynamics = pile.dynamics(draw, 64);
    mixed::with_friction(draw, n, pile.normals(), pile.tangents(), &dynamics)
}

/// A pile with pyramids of eight directions in mixed form.
pub(super) fn mixed_friction_pile_eight(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, most_contacts(n, 10, 6, 8));
    let dynamics = pile.dynamics(draw, 64);
    let (normals, tangents) = pile.octagons();
    mixed::with_friction(draw, n, normals, tangents, &dynamics)
}

/// A pile under Coulomb's law.
pub(super) fn cone_pile(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let pile = Pile::new(draw, most_contacts(n, 3, 6, 8));
    let dynamics = pile.dynamics(draw, 64);
    mixed::with_discs(draw, n, pile.normals(), pile.tangents(), &dynamics)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the centres of cubes, from their contacts: those on the ground are at their place already.
    #[test]
    fn cubes_touch_where_both_have_their_contact_and_are_two_apart() {
        for side in 1..6 {
            let mut draw = Draw::new("test", side, 1, 0);
            let pile = Pile::new(&mut draw, contacts(side));
            assert_eq!(pile.touches.len(), contacts(side));
            let cubes: usize = (1..=side).map(|width| width * width).sum();
            assert_eq!(pile.cubes, cubes);
            let on_ground = |k: usize| [2 * (k % side) as i64, 2 * (k / side) as i64, 1];
            let mut centres: Vec<Option<[i64; 3]>> = (0..pile.cubes)
                .map(|k| (k < side * side).then(|| on_ground(k)))
                .collect();
            for touch in &pile.touches {
                let [upper, lower] = touch.arms;
                assert!(upper.iter().chain(&lower).all(|arm| arm.abs() <= 1));
                let Some(below) = touch.lower else { continue };
                let [x, y, z] = centres[below].unwrap();
                let centre = [x + lower[0] - upper[0], y + lower[1] - upper[1], z + 2];
                // All contacts of a cube put it at one place.
                assert_eq!(*centres[touch.upper].get_or_insert(centre), centre);
            }
            let centres: Vec<_> = centres.into_iter().map(Option::unwrap).collect();
            for (k, one) in centres.iter().enumerate() {
                let apart = |two: &[i64; 3]| (0..3).any(|axis| (one[axis] - two[axis]).abs() >= 2);
                assert!(centres[..k].iter().all(apart), "{side}: {k}");
            }
        }
    }

    #[test]
    fn a_turn_moves_the_contact_as_the_cross_product_says() {
        // About z, an arm along x moves along y; about x, an arm along y moves along z; about y, one along z along x.
        assert_eq!(derivative(1, 1, [3, 0, 0]), [0, 1, 0, 0, 0, 3]);
        assert_eq!(derivative(1, 2, [0, 3, 0]), [0, 0, 1, 3, 0, 0]);
        assert_eq!(derivative(-1, 0, [0, 0, 3]), [-1, 0, 0, 0, -3, 0]);
        assert_eq!(derivative(1, 0, [0, 3, 0]), [1, 0, 0, 0, 0, -3]);
    }
}
