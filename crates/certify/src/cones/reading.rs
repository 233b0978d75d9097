//! Readings: a candidate with forces moved into their cones and onto their boundaries.

use etalon_kernel::{Cone, Disc};
use etalon_lcp::Snapped;
use rug::Rational;

use super::Contacts;
use super::enclosure::root_below;
use crate::budget::{Budget, OverBudget, fraction_bits};

/// Bits of the factor by which a force is moved onto the boundary, which is rounded down: the boundary is met
/// up to 2^-99, far below any error that is told.
const FACTOR_BITS: u32 = 100;

/// A candidate moved in some way.
pub(super) struct Reading {
    pub x: Vec<Rational>,
    /// Entries moved beyond what has no other reading, relative to the largest force.
    pub moves: Snapped,
}

/// The readings of a candidate, and how far it is outside of its cones and bounds.
pub(super) struct Readings {
    /// As it is, moved, and snapped, as far as they differ.
    pub all: Vec<Reading>,
    /// The largest distance, relative to the largest force; of plain rows, to the largest bounded
    /// unknown or its bound.
    pub negativity: Rational,
    pub negative_row: Option<usize>,
}

/// The largest distance outside so far.
#[derive(Default)]
struct Outside {
    negativity: Rational,
    row: Option<usize>,
}

impl Outside {
    fn take(&mut self, row: usize, distance: &Rational, size: &Rational) {
        // Where the size is 0, nothing is outside.
        if distance.is_zero() || size.is_zero() {
            return;
        }
        let share = Rational::from(distance / size);
        if share > self.negativity {
            (self.negativity, self.row) = (share, Some(row));
        }
    }
}

/// What the forces of a disc are multiplied by to be on its boundary.
struct Factor {
    /// r_N / |r|_d, rounded down.
    value: Rational,
    is_outside: bool,
    /// How far the largest force moves.
    away: Rational,
}

type Moves = Vec<(usize, Rational)>;

impl Contacts<'_> {
    /// The readings of a candidate (`docs/cones.md`, "Candidates outside their cones").
    pub fn readings(
        &self,
        z: &[Rational],
        snap: &Rational,
        budget: &Budget,
    ) -> Result<Readings, OverBudget> {
        let n = z.len() as u64;
        let bits = z.iter().map(fraction_bits).sum::<u64>();
        // Multiplications by a factor, sums and comparisons of each entry.
        budget.reduce(16 * n, bits / n.max(1) + u64::from(FACTOR_BITS), 512)?;
        let forces = self
            .cones
            .iter()
            .flat_map(Cone::rows)
            .map(|i| z[i].clone().abs());
        let largest = forces.max().unwrap_or_default();
        let near = Rational::from(snap * &largest);
        let mut outside = Outside::default();
        let mut inside = self.bounds.project(z);
        let mut snapped = self.plain(z, &inside, snap, &mut outside);
        let mut moved = Moves::new();
        for cone in self.cones {
            if z[cone.normal] <= 0 {
                for i in cone.rows() {
                    outside.take(i, &z[i].clone().abs(), &largest);
                    inside[i] = Rational::new();
                }
                continue;
            }
            let vanishes = cone.rows().all(|i| *z[i].as_abs() <= near);
            for disc in &cone.discs {
                for (&i, _) in disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu == 0) {
                    outside.take(i, &z[i].clone().abs(), &largest);
                    inside[i] = Rational::new();
                }
                let Some(factor) = self.factor(disc, &z[cone.normal], &inside, budget)? else {
                    continue;
                };
                let scale = |&i: &usize| (i, Rational::from(&inside[i] * &factor.value));
                if factor.is_outside {
                    outside.take(disc.rows[0], &factor.away, &largest);
                    moved.extend(disc.rows.iter().map(scale));
                } else if !vanishes && factor.away <= near {
                    snapped.extend(disc.rows.iter().map(scale));
                }
            }
            if vanishes {
                snapped.extend(cone.rows().map(|i| (i, Rational::new())));
            }
        }
        Ok(Readings {
            all: distinct(inside, moved, snapped, &largest),
            negativity: outside.negativity,
            negative_row: outside.row,
        })
    }

    /// What is outside on plain rows, and the entries there that are near a bound.
    fn plain(
        &self,
        z: &[Rational],
        inside: &[Rational],
        snap: &Rational,
        outside: &mut Outside,
    ) -> Moves {
        let bounds = |i: usize| {
            let (lower, upper) = self.bounds.of(i, inside);
            [lower, upper].into_iter().flatten()
        };
        let bounded = (0..z.len()).filter(|&i| bounds(i).next().is_some());
        let sizes = bounded.clone().flat_map(|i| {
            let of_bounds = bounds(i).map(Rational::abs);
            of_bounds.chain([z[i].clone().abs()])
        });
        let size = sizes.max().unwrap_or_default();
        let near = Rational::from(snap * &size);
        let mut moves = Moves::new();
        for i in bounded {
            outside.take(i, &Rational::from(&z[i] - &inside[i]).abs(), &size);
            let mut nearest =
                bounds(i).filter(|bound| *Rational::from(bound - &inside[i]).as_abs() <= near);
            moves.extend(nearest.next().map(|bound| (i, bound)));
        }
        moves
    }

    /// The factor of a disc whose forces are not 0.
    fn factor(
        &self,
        disc: &Disc,
        r_n: &Rational,
        x: &[Rational],
        budget: &Budget,
    ) -> Result<Option<Factor>, OverBudget> {
        let mut share = Rational::new();
        let mut largest = Rational::new();
        for (&i, mu) in disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu != 0) {
            let own = fraction_bits(&x[i]) + fraction_bits(mu);
            budget.reduce(4, own, own + fraction_bits(&share))?;
            share += Rational::from(&x[i] / mu).square();
            largest = largest.max(x[i].clone().abs());
        }
        if share == 0 {
            return Ok(None);
        }
        budget.reduce(4, fraction_bits(&share), 2 * fraction_bits(r_n))?;
        let ratio = r_n.clone().square() / share;
        let value = root_below(&ratio, FACTOR_BITS);
        let away = Rational::from(1 - &value).abs() * largest;
        Ok(Some(Factor {
            value,
            is_outside: ratio < 1,
            away,
        }))
    }
}

/// The candidate as it is, moved, and snapped too, as far as these differ.
fn distinct(
    inside: Vec<Rational>,
    moved: Moves,
    snapped: Moves,
    largest: &Rational,
) -> Vec<Reading> {
    let mut all = vec![reading(inside, &[], largest)];
    let mut more = |moves: &[(usize, Rational)]| {
        let other = reading(all[0].x.clone(), moves, largest);
        if other.moves.entries > 0 && all.iter().all(|reading| reading.x != other.x) {
            all.push(other);
        }
    };
    more(&moved);
    more(&[moved, snapped].concat());
    all
}

/// The candidate with these entries in place of its own.
fn reading(mut x: Vec<Rational>, moves: &[(usize, Rational)], largest: &Rational) -> Reading {
    let mut moved = Snapped::default();
    for (i, to) in moves {
        let away = Rational::from(&x[*i] - to).abs();
        if away.is_zero() {
            continue;
        }
        moved.entries += 1;
        if !largest.is_zero() {
            moved.furthest = moved.furthest.max(away / largest);
        }
        x[*i].clone_from(to);
    }
    Reading { x, moves: moved }
}
