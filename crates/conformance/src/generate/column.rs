//! Round grains in a column between two walls, in the plane.
//!
//! Grains have radius 1 and lie in rows that are shifted against each other, each on two of the row below. The directions between
//! their centres are (3, 4) / 5 and (-3, 4) / 5. Rows of M are in units of 1/5, so that [M and q](super::bodies) are exact.

use super::bodies::{Dynamics, Row, frictionless, row, with_friction};
use super::draft::Draft;
use super::draw::Draw;
use super::mixed::{self, most_contacts};

/// A contact of a grain with another, or with a wall or the ground.
struct Touch {
    upper: usize,
    lower: Option<usize>,
    /// Five times the direction from the other grain, the wall or the ground to this one.
    normal: [i64; 2],
}

impl Touch {
    fn normal(&self) -> Row<3> {
        let [x, y] = self.normal;
        row((self.upper, [x, y, 0]), (self.lower, [-x, -y, 0]))
    }

    /// The slip along the other direction: both grains turn against it with the radius 1, which is five units.
    fn tangent(&self) -> Row<3> {
        let [x, y] = self.normal;
        row((self.upper, [y, -x, 5]), (self.lower, [-y, x, 5]))
    }
}

struct Column {
    grains: usize,
    touches: Vec<Touch>,
}

impl Column {
    /// A column of `count` contacts, some sixteen times as high as wide in grains.
    fn new(count: usize) -> Self {
        // Two contacts a grain.
        let width = (count / 32).isqrt().max(2);
        let mut column = Self {
            grains: 0,
            touches: Vec::with_capacity(count + 2 * width),
        };
        for course in 0.. {
            if column.touches.len() >= count {
                break;
            }
            column.add_course(width, course);
        }
        column.touches.truncate(count);
        column
    }

    /// Odd rows lie half a grain to the right. The walls touch the first grain of even rows, and the last one of odd rows.
    fn add_course(&mut self, width: usize, course: usize) {
        let is_odd = course % 2 == 1;
        let first = self.grains;
        for at in 0..width {
            let upper = self.grains;
            self.grains += 1;
            let mut touch = |lower, normal| {
                self.touches.push(Touch {
                    upper,
                    lower,
                    normal,
                });
            };
            if course == 0 {
                touch(None, [0, 5]);
            } else {
                // The grains below lie half a grain to the left and to the right.
                let right = at + usize::from(is_odd);
                if let Some(left) = right.checked_sub(1) {
                    touch(Some(first - width + left), [3, 4]);
                }
                if right < width {
                    touch(Some(first - width + right), [-3, 4]);
                }
            }
            if !is_odd && at == 0 {
                touch(None, [5, 0]);
            }
            if is_odd && at + 1 == width {
                touch(None, [-5, 0]);
            }
        }
    }

    fn normals(&self) -> Vec<Row<3>> {
        self.touches.iter().map(Touch::normal).collect()
    }

    fn tangents(&self) -> Vec<[Row<3>; 1]> {
        self.touches.iter().map(|touch| [touch.tangent()]).collect()
    }

    /// For a disc of radius 1 the moment of inertia is half of the mass. Gravity comes with small pushes.
    fn dynamics(&self, draw: &mut Draw, turn: i64) -> Dynamics<3> {
        let weights = draw.vector(self.grains, |draw| {
            let inverse = 1 << draw.index(4);
            [inverse, inverse, 2 * inverse]
        });
        let pushes = draw.vector(self.grains, |draw| {
            let x = draw.between(-32, 32);
            let y = -160 + draw.between(-8, 8);
            [x, y, draw.between(-turn, turn)]
        });
        Dynamics {
            weights,
            bits: 3,
            pushes,
        }
    }
}

/// A column of grains without friction.
pub(super) fn column(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let column = Column::new(n);
    frictionless(&column.normals(), &column.dynamics(draw, 0))
}

/// The time step of a column of grains with friction.
pub(super) fn friction_column(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let column = Column::new(n / 4);
    let dynamics = column.dynamics(draw, 32);
    with_friction(draw, column.normals(), column.tangents(), &dynamics)
}

/// A column in mixed form. A grain has two contacts with what is below or beside.
pub(super) fn mixed_column(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let column = Column::new(most_contacts(n, 1, 3, 2));
    mixed::frictionless(n, column.normals(), &column.dynamics(draw, 0))
}

/// A column with friction in mixed form.
pub(super) fn mixed_friction_column(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let column = Column::new(most_contacts(n, 4, 3, 2));
    let dynamics = column.dynamics(draw, 32);
    mixed::with_friction(draw, n, column.normals(), column.tangents(), &dynamics)
}

/// A column under Coulomb's law.
pub(super) fn cone_column(draw: &mut Draw, n: usize, _: u64) -> Draft {
    let column = Column::new(most_contacts(n, 2, 3, 2));
    let dynamics = column.dynamics(draw, 32);
    mixed::with_discs(draw, n, column.normals(), column.tangents(), &dynamics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grains_touch_two_radii_apart_and_walls_at_one() {
        for count in [2, 8, 40, 300, 700] {
            let column = Column::new(count);
            // Five times the centres.
            let mut centres: Vec<Option<[i64; 2]>> = vec![None; column.grains];
            let width = column
                .touches
                .iter()
                .filter(|touch| touch.normal == [0, 5])
                .count();
            let (left, right) = (-5, 12 * (width as i64 - 1) + 6 + 5);
            for touch in &column.touches {
                let [x, y] = touch.normal;
                assert_eq!(x * x + y * y, 25);
                match (touch.lower, y) {
                    (Some(lower), _) => {
                        let [below_x, below_y] = centres[lower].unwrap();
                        let centre = [below_x + 2 * x, below_y + 2 * y];
                        assert_eq!(*centres[touch.upper].get_or_insert(centre), centre);
                    }
                    (None, 5) => centres[touch.upper] = Some([12 * touch.upper as i64, 5]),
                    (None, _) => {
                        let wall = if x > 0 { left } else { right };
                        assert_eq!(centres[touch.upper].unwrap()[0] - x, wall);
                    }
                }
            }
            let centres: Vec<_> = centres.into_iter().flatten().collect();
            for (k, one) in centres.iter().enumerate() {
                let apart =
                    |two: &[i64; 2]| (one[0] - two[0]).pow(2) + (one[1] - two[1]).pow(2) >= 100;
                assert!(centres[..k].iter().all(apart), "{count}: {k}");
            }
        }
    }

    #[test]
    fn grains_that_roll_on_each_other_do_not_slip() {
        let touch = Touch {
            upper: 1,
            lower: Some(0),
            normal: [3, 4],
        };
        let slip = touch.tangent();
        let by = |turns: [i64; 2]| -> i64 {
            slip.iter().map(|(grain, own)| own[2] * turns[*grain]).sum()
        };
        assert_eq!(by([1, -1]), 0);
        assert_ne!(by([1, 1]), 0);
    }
}
