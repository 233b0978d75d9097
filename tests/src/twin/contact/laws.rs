//! The laws of a contact, within eps.

use super::roots::sum_of_roots_at_most;
use super::{Contact, Disc, Rational};
use malachite::base::num::arithmetic::traits::{Abs, Square};
use malachite::base::num::basic::traits::{One, Zero};

/// A point with what it leaves in the rows, and the sizes of the rows.
pub struct Point<'a> {
    pub z: &'a [Rational],
    pub w: &'a [Rational],
    pub sizes: &'a [Rational],
}

impl Point<'_> {
    /// How far w of a row may move.
    fn reach(&self, row: usize, eps: &Rational) -> Rational {
        eps * &self.sizes[row]
    }

    fn can_rest(&self, row: usize, eps: &Rational) -> bool {
        (&self.w[row]).abs() <= self.reach(row, eps)
    }
}

/// A row of a disc that has friction.
struct Tangent {
    row: usize,
    mu: Rational,
}

/// Numbers from `low` to `high`, which is infinite where it is `None`.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    low: Rational,
    high: Option<Rational>,
}

/// Whether the contact obeys its law for some data within eps.
pub fn obeys(contact: &Contact, point: &Point, eps: &Rational) -> bool {
    let normal = &point.z[contact.normal];
    if *normal < 0 {
        return false;
    }
    let mut discs = Vec::new();
    for disc in &contact.discs {
        let Some(tangents) = with_friction(disc, point) else {
            return false;
        };
        discs.push((tangents, disc.one));
    }
    if *normal == 0 {
        let all = discs.iter().flat_map(|(tangents, _)| tangents);
        let mut forces = all.map(|tangent| &point.z[tangent.row]);
        return forces.all(|force| *force == 0) && is_open(contact, &discs, point, eps);
    }
    let most = (Rational::ONE + eps).square() * normal.square();
    if discs
        .iter()
        .any(|(tangents, _)| length(tangents, point) > most)
    {
        return false;
    }
    if *eps >= 1 {
        return true;
    }
    if contact.convex {
        lifts_by_its_slip(contact, &discs, point, eps)
    } else {
        let rests_or_slides = |(tangents, one): &(Vec<Tangent>, bool)| {
            tangents
                .iter()
                .all(|tangent| point.can_rest(tangent.row, eps))
                || slides(tangents, *one, normal, point, eps).is_some()
        };
        point.can_rest(contact.normal, eps) && discs.iter().all(rests_or_slides)
    }
}

/// The rows with friction; `None` if there is a force where there is none.
fn with_friction(disc: &Disc, point: &Point) -> Option<Vec<Tangent>> {
    let mut tangents = Vec::new();
    for (row, mu) in disc.rows.iter().zip(&disc.mu) {
        if *mu > 0 {
            tangents.push(Tangent {
                row: *row,
                mu: mu.clone(),
            });
        } else if point.z[*row] != 0 {
            return None;
        }
    }
    Some(tangents)
}

/// P, the square of the length of a disc's force.
fn length(tangents: &[Tangent], point: &Point) -> Rational {
    let part = |tangent: &Tangent| (&point.z[tangent.row] / &tangent.mu).square();
    tangents.iter().map(part).sum()
}

/// No force: what the law asks of the velocity.
fn is_open(
    contact: &Contact,
    discs: &[(Vec<Tangent>, bool)],
    point: &Point,
    eps: &Rational,
) -> bool {
    let lift = &point.w[contact.normal] + point.reach(contact.normal, eps);
    if !contact.convex {
        return lift >= 0;
    }
    let less = (Rational::ONE - eps).max(Rational::ZERO);
    let slip = |tangent: &Tangent| {
        let least = (&point.w[tangent.row]).abs() - point.reach(tangent.row, eps);
        (&tangent.mu * &less * least.max(Rational::ZERO)).square()
    };
    let squares = discs
        .iter()
        .map(|(tangents, _)| tangents.iter().map(slip).sum());
    lift >= 0 && sum_of_roots_at_most(&squares.collect::<Vec<Rational>>(), &lift)
}

/// The convex law of a contact that presses: u_N is the sum of the multipliers times r_N.
fn lifts_by_its_slip(
    contact: &Contact,
    discs: &[(Vec<Tangent>, bool)],
    point: &Point,
    eps: &Rational,
) -> bool {
    let normal = &point.z[contact.normal];
    let mut sum = Range {
        low: Rational::ZERO,
        high: Some(Rational::ZERO),
    };
    for (tangents, one) in discs {
        let rests = tangents
            .iter()
            .all(|tangent| point.can_rest(tangent.row, eps));
        let own = match (slides(tangents, *one, normal, point, eps), rests) {
            (None, false) => return false,
            (None, true) => Range {
                low: Rational::ZERO,
                high: Some(Rational::ZERO),
            },
            (Some(own), false) => own,
            (Some(own), true) => Range {
                low: Rational::ZERO,
                ..own
            },
        };
        sum.low += own.low;
        sum.high = sum.high.zip(own.high).map(|(a, b)| a + b);
    }
    let reach = point.reach(contact.normal, eps);
    let w = &point.w[contact.normal];
    let low = (w - &reach).max(Rational::ZERO) / normal;
    let high = (w + reach) / normal;
    low <= high && sum.low <= high && sum.high.is_none_or(|sum| sum >= low)
}

/// The multipliers L for which the disc slides, for some mu within eps < 1; `None` where there are none.
fn slides(
    tangents: &[Tangent],
    one: bool,
    normal: &Rational,
    point: &Point,
    eps: &Rational,
) -> Option<Range> {
    let square = normal.square();
    let length = length(tangents, point);
    if (Rational::ONE - eps).square() * &square > length {
        return None;
    }
    let mut moving = Vec::new();
    for tangent in tangents {
        if point.z[tangent.row] != 0 {
            moving.push((tangent, back_to_rest(tangent.row, point, eps)?));
        } else if !point.can_rest(tangent.row, eps) {
            return None;
        }
    }
    if !one && moving.len() > 1 {
        return each_mu(&moving, &square, point, eps);
    }
    // mu' is forced: y_k = L r_N^2 / (mu_k^2 P).
    let mut all: Option<Range> = None;
    for (tangent, y) in moving {
        let factor = (&tangent.mu).square() * &length / &square;
        let own = Range {
            low: y.low * &factor,
            high: y.high.map(|high| high * factor),
        };
        all = Some(match all {
            None => own,
            Some(all) => meet(all, own)?,
        });
    }
    all
}

/// The y >= 0 for which w + y r is within the reach of a row with r not 0.
fn back_to_rest(row: usize, point: &Point, eps: &Rational) -> Option<Range> {
    let (w, r, reach) = (&point.w[row], &point.z[row], point.reach(row, eps));
    let ends = [(&reach - w) / r, (-&reach - w) / r];
    let [a, b] = ends;
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (high >= 0).then(|| Range {
        low: low.max(Rational::ZERO),
        high: Some(high),
    })
}

fn meet(a: Range, b: Range) -> Option<Range> {
    let low = a.low.max(b.low);
    let high = match (a.high, b.high) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    high.as_ref()
        .is_none_or(|high| low <= *high)
        .then_some(Range { low, high })
}

/// The multipliers where each row has its own mu, by tau = 1/L.
fn each_mu(
    moving: &[(&Tangent, Range)],
    square: &Rational,
    point: &Point,
    eps: &Rational,
) -> Option<Range> {
    let mut parts = Vec::new();
    for (tangent, y) in moving {
        let least = (&tangent.mu * (Rational::ONE + eps)).square();
        let most = (&tangent.mu * (Rational::ONE - eps)).square();
        parts.push(Part {
            weight: (&point.z[tangent.row]).square(),
            a: [Rational::ONE / least, Rational::ONE / most],
            b: [y.low.clone(), y.high.clone()?],
        });
    }
    // L = 0 alone, where a row with force has no other multiplier.
    let zero = Range {
        low: Rational::ZERO,
        high: Some(Rational::ZERO),
    };
    let rests = parts.iter().all(|part| part.b[0] == 0);
    if parts.iter().any(|part| part.b[1] == 0) {
        return rests.then_some(zero);
    }
    let taus = tau_from_above(&parts, square)
        .and_then(|low| Some((low, tau_from_below(&parts, square)?)))
        .filter(|(low, high)| high.as_ref().is_none_or(|high| low <= high));
    let Some((low, high)) = taus else {
        return rests.then_some(zero);
    };
    Some(Range {
        low: match high {
            Some(high) if !rests => Rational::ONE / high,
            _ => Rational::ZERO,
        },
        high: Some(Rational::ONE / low),
    })
}

/// A row with force: r_k^2, the ends of 1/mu'^2 and those of y.
struct Part {
    weight: Rational,
    a: [Rational; 2],
    b: [Rational; 2],
}

/// The least tau with tau b+ >= a- in every row and up(tau) >= r_N^2.
///
/// up rises from 0 and bends at a+/b+; from the last bend on it is constant.
fn tau_from_above(parts: &[Part], square: &Rational) -> Option<Rational> {
    let up = |tau: &Rational| -> Rational {
        let part = |part: &Part| &part.weight * (tau * &part.b[1]).min(part.a[1].clone());
        parts.iter().map(part).sum()
    };
    let mut bends: Vec<Rational> = parts.iter().map(|part| &part.a[1] / &part.b[1]).collect();
    bends.sort();
    let (mut before, mut value) = (Rational::ZERO, Rational::ZERO);
    let mut found = None;
    for bend in bends {
        let here = up(&bend);
        if here >= *square {
            let share = (square - &value) / (&here - &value);
            found = Some(&before + share * (&bend - &before));
            break;
        }
        (before, value) = (bend, here);
    }
    let rows = parts.iter().map(|part| &part.a[0] / &part.b[1]);
    rows.fold(found, |most, row| most.map(|most| most.max(row)))
}

/// The largest tau with tau b- <= a+ in every row and lo(tau) <= r_N^2, `Some(None)` where there is no
/// largest; `None` where no tau has it.
///
/// lo begins at the sum of r_k^2 a-, bends at a-/b- and rises for ever if some b- is not 0.
#[expect(clippy::option_option, reason = "no number, and no largest number")]
fn tau_from_below(parts: &[Part], square: &Rational) -> Option<Option<Rational>> {
    let lo = |tau: &Rational| -> Rational {
        let part = |part: &Part| &part.weight * (tau * &part.b[0]).max(part.a[0].clone());
        parts.iter().map(part).sum()
    };
    let (mut before, mut value) = (Rational::ZERO, lo(&Rational::ZERO));
    if value > *square {
        return None;
    }
    let rising = || parts.iter().filter(|part| part.b[0] > 0);
    let mut bends: Vec<Rational> = rising().map(|part| &part.a[0] / &part.b[0]).collect();
    bends.sort();
    let mut found = None;
    for bend in bends {
        let here = lo(&bend);
        if here > *square {
            let share = (square - &value) / (&here - &value);
            found = Some(&before + share * (&bend - &before));
            break;
        }
        (before, value) = (bend, here);
    }
    let slope: Rational = rising().map(|part| &part.weight * &part.b[0]).sum();
    if found.is_none() && slope > 0 {
        found = Some(&before + (square - value) / slope);
    }
    let rows = rising().map(|part| &part.a[1] / &part.b[0]);
    Some(rows.fold(found, |least, row| {
        Some(least.map_or(row.clone(), |least| least.min(row)))
    }))
}
