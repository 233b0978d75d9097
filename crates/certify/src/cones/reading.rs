//! Readings: a candidate with forces moved into their cones and onto their boundaries.

use etalon_kernel::{Cone, Disc};
use etalon_lcp::Snapped;
use rug::Rational;

use super::Contacts;
use super::enclosure::root_below;
use super::means::Means;
use super::overlay::Overlay;
use super::parts::in_parts;
use crate::bounds::Vector;
use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::own::own_cone;

/// Bits of the factor by which a force is moved onto the boundary, which is rounded down: the boundary is met
/// up to 2^-99, far below any error that is told.
const FACTOR_BITS: u32 = 100;

/// A candidate moved in some way.
pub(super) struct Reading<'a> {
    pub x: Overlay<'a>,
    /// Entries moved beyond what has no other reading, relative to the largest force.
    pub moves: Snapped,
}

/// The readings of a candidate, and how far it is outside of its cones and bounds.
pub(super) struct Readings<'a> {
    /// As it is, moved, and snapped, as far as they differ.
    pub all: Vec<Reading<'a>>,
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
        self.join(Self {
            negativity: Rational::from(distance / size),
            row: Some(row),
        });
    }

    /// What is outside further on.
    fn join(&mut self, other: Self) {
        if other.negativity > self.negativity {
            *self = other;
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

/// What is found of some contacts.
#[derive(Default)]
struct Moved {
    outside: Outside,
    /// Forces that no change of data explains, to 0.
    inside: Moves,
    moved: Moves,
    snapped: Moves,
}

/// The largest force, and what is near it.
struct Forces {
    largest: Rational,
    near: Rational,
}

impl Contacts<'_> {
    /// The readings of a candidate (`docs/cones.md`, "Candidates outside their cones").
    pub fn readings<'z>(
        &self,
        z: &'z [Rational],
        snap: &Rational,
        means: &Means,
    ) -> Result<Readings<'z>, OverBudget> {
        let n = z.len() as u64;
        let bits = z.iter().map(fraction_bits).sum::<u64>();
        // Multiplications by a factor, sums and comparisons of each entry.
        let length = bits / n.max(1) + u64::from(FACTOR_BITS);
        means.of_all().reduce(16 * n, length, 512)?;
        let forces = self.cones.iter().flat_map(etalon_lcp::Cone::rows);
        let largest = forces.map(|i| &z[i]).max_by(|a, b| a.cmp_abs(b));
        let largest = largest.cloned().unwrap_or_default().abs();
        let near = Rational::from(snap * &largest);
        let forces = Forces { largest, near };
        let mut inside = Overlay::new(z);
        for i in self.bounds.order() {
            if let Some(bound) = self.bounds.nearest(i, &inside) {
                inside.set(i, bound);
            }
        }
        let mut outside = Outside::default();
        let mut snapped = self.plain(z, &inside, snap, &mut outside);
        let mut moved = Moves::new();
        let parts = in_parts(self.cones.len(), means.part(), |cones| {
            let budget = means.of_part(cones.len());
            let mut part = Moved::default();
            for cone in &self.cones[cones] {
                self.move_contact(&own_cone(cone), z, &forces, &mut part, &budget)?;
            }
            Ok::<_, OverBudget>(part)
        });
        for part in parts {
            let mut part = part?;
            outside.join(part.outside);
            for (i, value) in part.inside {
                inside.set(i, value);
            }
            moved.append(&mut part.moved);
            snapped.append(&mut part.snapped);
        }
        Ok(Readings {
            all: distinct(inside, moved, snapped, &forces.largest),
            negativity: outside.negativity,
            negative_row: outside.row,
        })
    }

    /// Where the forces of a contact go.
    fn move_contact(
        &self,
        cone: &Cone,
        z: &[Rational],
        Forces { largest, near }: &Forces,
        found: &mut Moved,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        if z[cone.normal] <= 0 {
            for i in cone.rows().filter(|&i| z[i] != 0) {
                found.outside.take(i, &z[i].clone().abs(), largest);
                found.inside.push((i, Rational::new()));
            }
            return Ok(());
        }
        let vanishes = cone.rows().all(|i| *z[i].as_abs() <= *near);
        for disc in &cone.discs {
            let without_mu = disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu == 0);
            for (&i, _) in without_mu.filter(|(i, _)| z[**i] != 0) {
                found.outside.take(i, &z[i].clone().abs(), largest);
                found.inside.push((i, Rational::new()));
            }
            let Some(factor) = factor(disc, &z[cone.normal], z, budget)? else {
                continue;
            };
            let with_mu = disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu != 0);
            let scaled = with_mu.map(|(&i, _)| (i, Rational::from(&z[i] * &factor.value)));
            if factor.is_outside {
                found.outside.take(disc.rows[0], &factor.away, largest);
                found.moved.extend(scaled);
            } else if !vanishes && factor.away <= *near {
                found.snapped.extend(scaled);
            }
        }
        if vanishes {
            let zero = |i| (i, Rational::new());
            found.snapped.extend(cone.rows().map(zero));
        }
        Ok(())
    }

    /// What is outside on plain rows, and the entries there that are near a bound.
    fn plain(
        &self,
        z: &[Rational],
        inside: &Overlay<'_>,
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
            outside.take(i, &Rational::from(&z[i] - inside.at(i)).abs(), &size);
            let mut nearest =
                bounds(i).filter(|bound| *Rational::from(bound - inside.at(i)).as_abs() <= near);
            moves.extend(nearest.next().map(|bound| (i, bound)));
        }
        moves
    }
}

/// The factor of a disc whose forces are not 0.
fn factor(
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

/// The candidate as it is, moved, and snapped too, as far as these differ.
fn distinct<'z>(
    inside: Overlay<'z>,
    moved: Moves,
    snapped: Moves,
    largest: &Rational,
) -> Vec<Reading<'z>> {
    let as_it_is = Reading {
        x: inside,
        moves: Snapped::default(),
    };
    let mut all = vec![as_it_is];
    let mut last = 0;
    for moves in [moved, snapped]
        .into_iter()
        .filter(|moves| !moves.is_empty())
    {
        let other = all[last].with(moves, largest);
        if other.moves.entries > 0 && all.iter().all(|reading| !reading.x.equals(&other.x)) {
            last = all.len();
            all.push(other);
        }
    }
    all
}

impl Reading<'_> {
    /// The same, moved further.
    fn with(&self, moves: Moves, largest: &Rational) -> Self {
        let mut other = Self {
            x: self.x.copy(),
            moves: self.moves.clone(),
        };
        for (i, to) in moves {
            let away = Rational::from(other.x.at(i) - &to).abs();
            if away.is_zero() {
                continue;
            }
            other.moves.entries += 1;
            if !largest.is_zero() {
                let furthest = std::mem::take(&mut other.moves.furthest);
                other.moves.furthest = furthest.max(away / largest);
            }
            other.x.set(i, to);
        }
        other
    }
}
