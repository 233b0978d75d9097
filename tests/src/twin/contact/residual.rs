//! The residual of Siconos and FCLIB, between fractions.

use super::roots::Between;
use super::{Contact, Contacts, Disc, Rational};
use malachite::base::num::arithmetic::traits::Square;
use malachite::base::num::basic::traits::{One, Zero};

/// Bits of a square root.
const BITS: u64 = 300;

impl Contacts {
    /// The Euclidean norm of z - mid(l, z - w, u) and r - P_K(r - u - g e_N); `None` with several discs under
    /// the convex law.
    #[must_use]
    pub fn residual(&self, z: &[Rational]) -> Option<Between> {
        let w = self.w(z);
        let mut sum = Between::exactly(Rational::ZERO);
        for i in self.plain() {
            let step = &z[i] - &w[i];
            let below = match &self.upper[i] {
                Some(high) => step.min(high.clone()),
                None => step,
            };
            let middle = match &self.lower[i] {
                Some(low) => below.max(low.clone()),
                None => below,
            };
            sum = sum.plus(&Between::exactly((&z[i] - middle).square()));
        }
        for contact in &self.contacts {
            let own = match (contact.discs.as_slice(), contact.convex) {
                ([], _) => {
                    let (r, u) = (&z[contact.normal], &w[contact.normal]);
                    let step = (r - u).max(Rational::ZERO);
                    Between::exactly((r - step).square())
                }
                ([disc], _) => one_disc(contact, disc, z, &w),
                (_, false) => alart_and_curnier(contact, z, &w),
                (_, true) => return None,
            };
            sum = sum.plus(&own);
        }
        Some(sum.square_root(BITS))
    }
}

/// A row with friction: its force and velocity, in variables in which mu is one number.
struct Tangent {
    force: Rational,
    velocity: Rational,
    /// By what the force was divided.
    factor: Rational,
}

/// The rows with friction, scaled so that every mu is 1 or not at all, and the squares of the forces along
/// rows without it.
fn tangents(disc: &Disc, scaled: bool, z: &[Rational], w: &[Rational]) -> (Vec<Tangent>, Rational) {
    let mut rest = Rational::ZERO;
    let mut found = Vec::new();
    for (row, mu) in disc.rows.iter().zip(&disc.mu) {
        if *mu == 0 {
            rest += (&z[*row]).square();
            continue;
        }
        let factor = if scaled { mu.clone() } else { Rational::ONE };
        found.push(Tangent {
            force: &z[*row] / &factor,
            velocity: &w[*row] * &factor,
            factor,
        });
    }
    (found, rest)
}

fn norm(values: impl Iterator<Item = Rational>) -> Between {
    let sum: Rational = values.map(|value| value.square()).sum();
    Between::root(&sum, BITS)
}

/// The square of r - P_K(r - u - g e_N) for one disc.
fn one_disc(contact: &Contact, disc: &Disc, z: &[Rational], w: &[Rational]) -> Between {
    let (rows, rest) = tangents(disc, !disc.one, z, w);
    let mu = match disc.mu.first() {
        Some(mu) if disc.one => mu.clone(),
        _ => Rational::ONE,
    };
    let (r, u) = (&z[contact.normal], &w[contact.normal]);
    let exact = Between::exactly;
    let slip = if contact.convex {
        exact(Rational::ZERO)
    } else {
        norm(rows.iter().map(|row| row.velocity.clone())).times(&exact(mu.clone()))
    };
    // x = r - u - g e_N, and the length of its tangential part.
    let normal = exact(r - u).minus(&slip);
    let length = norm(rows.iter().map(|row| &row.force - &row.velocity));
    let mu = exact(mu);
    let mut found: Option<Between> = None;
    let mut add = |part: Between| {
        found = Some(match found.take() {
            None => part,
            Some(found) => found.or(&part),
        });
    };
    let squares = |normal: Between, rows: Vec<Between>| {
        let parts = rows.iter().map(Between::squared);
        parts.fold(normal.squared(), |sum, part| sum.plus(&part))
    };
    let inside = mu.times(&normal).minus(&length);
    let beyond = normal.plus(&mu.times(&length));
    if inside.high >= 0 {
        let rows = rows.iter().map(|row| exact(row.velocity.clone()));
        add(squares(exact(r.clone()).minus(&normal), rows.collect()));
    }
    if beyond.low <= 0 {
        let rows = rows.iter().map(|row| exact(row.force.clone()));
        add(squares(exact(r.clone()), rows.collect()));
    }
    if inside.low < 0 && beyond.high > 0 && length.high > 0 {
        let share = beyond.over(&exact(Rational::ONE).plus(&mu.squared()));
        let rows = rows.iter().map(|row| {
            // No entry is larger than the length.
            let direction = if length.low > 0 {
                exact(&row.force - &row.velocity).over(&length)
            } else {
                Between {
                    low: -Rational::ONE,
                    high: Rational::ONE,
                }
            };
            exact(row.force.clone()).minus(&mu.times(&share).times(&direction))
        });
        add(squares(exact(r.clone()).minus(&share), rows.collect()));
    }
    let found = found.unwrap_or_else(|| exact(Rational::ZERO));
    found.plus(&exact(rest))
}

/// The square of the function of Alart and Curnier, for any number of discs.
fn alart_and_curnier(contact: &Contact, z: &[Rational], w: &[Rational]) -> Between {
    let exact = Between::exactly;
    let (r, u) = (&z[contact.normal], &w[contact.normal]);
    let radius = (r - u).max(Rational::ZERO);
    let mut sum = exact((r - &radius).square());
    for disc in &contact.discs {
        let (rows, rest) = tangents(disc, true, z, w);
        sum = sum.plus(&exact(rest));
        let square: Rational = rows
            .iter()
            .map(|row| (&row.force - &row.velocity).square())
            .sum();
        let is_inside = square <= (&radius).square();
        let length = Between::root(&square, BITS);
        for row in rows {
            let step = exact(&row.force - &row.velocity);
            let projected = if is_inside {
                step
            } else {
                step.times(&exact(radius.clone())).over(&length)
            };
            let part = exact(row.force).minus(&projected).times(&exact(row.factor));
            sum = sum.plus(&part.squared());
        }
    }
    sum
}
