//! Readings: a candidate with forces moved into their cones and onto their boundaries.

use etalon_kernel::{Cone, Disc};
use etalon_lcp::Snapped;
use rug::Rational;

use super::Contacts;
use super::enclosure::root_below;
use super::means::Means;
use super::natural::Natural;
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
    /// Entries moved beyond what has no other reading, in natural sizes.
    pub moves: Snapped,
}

/// The readings of a candidate, and how far it is outside of its cones and bounds.
pub(super) struct Readings<'a> {
    /// As it is, moved, and with discs on their boundaries that are next to these, as far as they differ.
    pub all: Vec<Reading<'a>>,
    /// The largest distance, in natural sizes.
    pub outside: Rational,
    pub negative_row: Option<usize>,
    /// The position of the moved one.
    pub moved: usize,
}

/// The largest distance outside so far.
#[derive(Default)]
struct Outside {
    cost: Rational,
    row: Option<usize>,
}

impl Outside {
    /// What is outside further on.
    fn take(&mut self, row: usize, cost: Rational) {
        if cost > self.cost {
            (self.cost, self.row) = (cost, Some(row));
        }
    }
}

/// What the forces of a disc are multiplied by to be on its boundary.
struct Factor {
    /// r_N / |r|_d, rounded down.
    value: Rational,
    is_outside: bool,
    /// How far each force moves, relative to itself.
    away: Rational,
}

/// An entry, where it goes, and what that costs.
struct Move {
    row: usize,
    to: Rational,
    cost: Rational,
}

/// What is found of some contacts.
#[derive(Default)]
struct Moved {
    outside: Outside,
    /// Forces that no change of data explains, to 0.
    inside: Vec<usize>,
    moved: Vec<Move>,
    /// Forces next to the boundary, relative to themselves, onto it.
    snapped: Vec<Move>,
}

/// How far an entry that is outside is from where it goes: in natural sizes; without them relative to what it is
/// there, which is no less, and 1 from 0.
fn cost(
    natural: Option<&Natural>,
    (row, away, size): (usize, &Rational, &Rational),
    budget: &Budget,
) -> Result<Rational, OverBudget> {
    match natural {
        Some(natural) => natural.cost(row, away, budget),
        None if size.is_zero() => Ok(Rational::from(1)),
        None => {
            budget.reduce(2, fraction_bits(away), fraction_bits(size))?;
            Ok(Rational::from(away / size).abs())
        }
    }
}

impl Contacts<'_> {
    /// The readings of a candidate that has moved no further than to where it is allowed
    /// (`docs/cones.md`, "Candidates outside their cones").
    pub fn readings<'z>(
        &self,
        z: &'z [Rational],
        (natural, snap): (Option<&Natural>, &Rational),
        means: &Means,
    ) -> Result<Readings<'z>, OverBudget> {
        let n = z.len() as u64;
        let bits = z.iter().map(fraction_bits).sum::<u64>();
        // Multiplications by a factor, sums and comparisons of each entry.
        let length = bits / n.max(1) + u64::from(FACTOR_BITS);
        let budget = means.of_all();
        budget.reduce(16 * n, length, 512)?;
        let mut inside = Overlay::new(z);
        let mut outside = Outside::default();
        for i in self.bounds.order() {
            if let Some(bound) = self.bounds.nearest(i, &inside) {
                let away = Rational::from(&z[i] - &bound).abs();
                outside.take(i, cost(natural, (i, &away, &bound), &budget)?);
                inside.set(i, bound);
            }
        }
        let (mut moved, mut snapped) = (Vec::new(), Vec::new());
        let parts = in_parts(self.cones.len(), means.part, |cones| {
            let budget = means.of_part(cones.len());
            let mut part = Moved::default();
            for cone in &self.cones[cones] {
                move_contact(&own_cone(cone), z, (natural, snap), &mut part, &budget)?;
            }
            Ok::<_, OverBudget>(part)
        });
        for part in parts {
            let mut part = part?;
            if let Some(row) = part.outside.row {
                outside.take(row, part.outside.cost);
            }
            let zero = part.inside.into_iter();
            zero.for_each(|i| inside.set(i, Rational::new()));
            moved.append(&mut part.moved);
            snapped.append(&mut part.snapped);
        }
        let as_it_is = Reading {
            x: inside,
            moves: Snapped::default(),
        };
        let (mut all, has_moved) = (vec![as_it_is], !moved.is_empty());
        for moves in [moved, snapped] {
            let other = all.last().map(|last| last.with(moves));
            all.extend(other.filter(|other| all.iter().all(|own| !own.x.equals(&other.x))));
        }
        Ok(Readings {
            all,
            outside: outside.cost,
            negative_row: outside.row,
            moved: usize::from(has_moved),
        })
    }

    /// A reading with all entries on their bounds, all contacts open and all forces on the boundaries of their cones that
    /// are so near; none where that is the same.
    pub fn near<'z>(
        &self,
        reading: &Reading<'z>,
        limit: &Rational,
        natural: &Natural,
        budget: &Budget,
    ) -> Result<Option<Reading<'z>>, OverBudget> {
        let (x, mut moves) = (&reading.x, Vec::new());
        let length = self.cones.len() as u64 + self.bounds.cones().len() as u64;
        budget.reduce(length, 512, 512)?;
        for cone in self.cones.iter().map(own_cone) {
            near_contact(&cone, x, limit, natural, &mut moves, budget)?;
        }
        let mut point = reading.with(moves);
        for i in self.bounds.order() {
            let (lower, upper) = self.bounds.of(i, &point.x);
            for bound in [lower, upper].into_iter().flatten() {
                let away = Rational::from(&*bound - point.x.at(i)).abs();
                let cost = natural.cost(i, &away, budget)?;
                if cost <= *limit {
                    point.set(i, bound.into_owned(), cost);
                    break;
                }
            }
            // A friction row goes along with its normal row.
            if let Some(bound) = self.bounds.nearest(i, &point.x) {
                let away = Rational::from(&bound - x.at(i)).abs();
                let cost = natural.cost(i, &away, budget)?;
                point.set(i, bound, cost);
            }
        }
        Ok((!point.x.equals(x)).then_some(point))
    }
}

/// Where the forces of a contact go that are outside of its cone.
fn move_contact(
    cone: &Cone,
    z: &[Rational],
    (natural, snap): (Option<&Natural>, &Rational),
    found: &mut Moved,
    budget: &Budget,
) -> Result<(), OverBudget> {
    let pressed = z[cone.normal] > 0;
    let without_mu = cone.discs.iter().flat_map(|disc| {
        let rows = disc.rows.iter().zip(&disc.mu);
        rows.filter(|(_, mu)| **mu == 0).map(|(i, _)| *i)
    });
    let all = cone.rows().filter(|_| !pressed);
    for i in all.chain(without_mu.filter(|_| pressed)) {
        if !z[i].is_zero() {
            let away = z[i].clone().abs();
            let cost = cost(natural, (i, &away, &Rational::new()), budget)?;
            found.outside.take(i, cost);
            found.inside.push(i);
        }
    }
    // What it costs to open the contact instead.
    let mut opening = Rational::from(1);
    if let Some(natural) = natural {
        let costs = cone
            .rows()
            .map(|i| natural.cost(i, &z[i].clone().abs(), budget));
        opening = costs
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .max()
            .unwrap_or(opening);
    }
    for disc in cone.discs.iter().filter(|_| pressed) {
        let Some(factor) = factor(disc, &z[cone.normal], |i| &z[i], budget)? else {
            continue;
        };
        for row in with_mu(disc) {
            let away = Rational::from(&factor.away * &z[row]).abs();
            let cost = match natural {
                Some(natural) => natural.by_forces(row, &away, budget)?.min(opening.clone()),
                None => factor.away.clone(),
            };
            let to = Rational::from(&z[row] * &factor.value);
            if factor.is_outside {
                found.outside.take(row, cost.clone());
                found.moved.push(Move { row, to, cost });
            } else if factor.away <= *snap {
                found.snapped.push(Move { row, to, cost });
            }
        }
    }
    Ok(())
}

/// Where the forces of a contact go that are so near to the boundary of its cone, or to 0.
fn near_contact(
    cone: &Cone,
    x: &Overlay<'_>,
    limit: &Rational,
    natural: &Natural,
    moves: &mut Vec<Move>,
    budget: &Budget,
) -> Result<(), OverBudget> {
    if x.at(cone.normal).is_zero() {
        return Ok(());
    }
    let mut own = Vec::new();
    for row in cone.rows() {
        let cost = natural.cost(row, &x.at(row).clone().abs(), budget)?;
        let to = Rational::new();
        own.push(Move { row, to, cost });
    }
    if own.iter().all(|one| one.cost <= *limit) {
        moves.append(&mut own);
        return Ok(());
    }
    for disc in &cone.discs {
        let Some(factor) = factor(disc, x.at(cone.normal), |i| x.at(i), budget)? else {
            continue;
        };
        let mut own = Vec::new();
        for row in with_mu(disc) {
            let away = Rational::from(&factor.away * x.at(row)).abs();
            let cost = natural.by_forces(row, &away, budget)?;
            let to = Rational::from(x.at(row) * &factor.value);
            own.push(Move { row, to, cost });
        }
        if own.iter().all(|one| one.cost <= *limit) {
            moves.append(&mut own);
        }
    }
    Ok(())
}

/// The rows of a disc with mu > 0.
fn with_mu(disc: &Disc) -> impl Iterator<Item = usize> {
    let rows = disc.rows.iter().zip(&disc.mu);
    rows.filter(|(_, mu)| **mu != 0).map(|(i, _)| *i)
}

/// The factor of a disc whose forces are not 0.
fn factor<'x>(
    disc: &Disc,
    r_n: &Rational,
    x: impl Fn(usize) -> &'x Rational,
    budget: &Budget,
) -> Result<Option<Factor>, OverBudget> {
    let mut share = Rational::new();
    for (&i, mu) in disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu != 0) {
        let own = fraction_bits(x(i)) + fraction_bits(mu);
        budget.reduce(4, own, own + fraction_bits(&share))?;
        share += Rational::from(x(i) / mu).square();
    }
    if share == 0 {
        return Ok(None);
    }
    budget.reduce(4, fraction_bits(&share), 2 * fraction_bits(r_n))?;
    let ratio = r_n.clone().square() / share;
    let value = root_below(&ratio, FACTOR_BITS);
    let away = Rational::from(1 - &value).abs();
    Ok(Some(Factor {
        value,
        is_outside: ratio < 1,
        away,
    }))
}

impl Reading<'_> {
    /// The same, moved further.
    fn with(&self, moves: Vec<Move>) -> Self {
        let mut other = Self {
            x: self.x.copy(),
            moves: self.moves.clone(),
        };
        for Move { row, to, cost } in moves {
            other.set(row, to, cost);
        }
        other
    }

    fn set(&mut self, row: usize, to: Rational, cost: Rational) {
        if *self.x.at(row) != to {
            self.moves.entries += 1;
            let furthest = std::mem::take(&mut self.moves.furthest);
            self.moves.furthest = furthest.max(cost);
            self.x.set(row, to);
        }
    }
}
