//! What a candidate may be read as, and how far it is outside of its cones.

use super::roots::Between;
use super::{Contact, Contacts, Disc, Rational, Reading};
use malachite::base::num::arithmetic::traits::{
    Abs, Floor, FloorSqrt, PowerOf2, Square, UnsignedAbs,
};
use malachite::base::num::basic::traits::{One, Zero};

/// Digits of the factor that moves a force onto the boundary of its cone.
const DIGITS: u64 = 100;

impl Contacts {
    /// The candidate as it is, moved and snapped.
    #[must_use]
    pub fn readings(&self, z: &[Rational], snap: &Rational) -> [Reading; 3] {
        let limit = snap * self.largest_force(z);
        let mut as_it_is = z.to_vec();
        for i in self.plain() {
            as_it_is[i] = self.within_bounds(i, &z[i]);
        }
        for contact in &self.contacts {
            drop_what_cannot_be(contact, &mut as_it_is);
        }
        let mut moved = as_it_is.clone();
        let mut snapped = as_it_is.clone();
        self.snap_plain_rows(&mut snapped, z, snap);
        for contact in &self.contacts {
            for disc in &contact.discs {
                shorten(contact, disc, &mut moved, None);
            }
            if contact.rows().all(|row| (&snapped[row]).abs() <= limit) {
                for row in contact.rows() {
                    snapped[row] = Rational::ZERO;
                }
            }
            for disc in &contact.discs {
                shorten(contact, disc, &mut snapped, Some(&limit));
            }
        }
        [as_it_is, moved, snapped].map(|z| self.reading(z))
    }

    /// The largest force of the problem.
    fn largest_force(&self, z: &[Rational]) -> Rational {
        let rows = self.contacts.iter().flat_map(Contact::rows);
        rows.map(|row| (&z[row]).abs())
            .max()
            .unwrap_or(Rational::ZERO)
    }

    fn within_bounds(&self, i: usize, z: &Rational) -> Rational {
        let raised = self.lower[i]
            .as_ref()
            .map_or(z.clone(), |low| z.clone().max(low.clone()));
        match &self.upper[i] {
            Some(high) => raised.min(high.clone()),
            None => raised,
        }
    }

    /// The largest bounded unknown or bound of plain rows.
    fn largest_plain(&self, z: &[Rational]) -> Rational {
        let mut largest = Rational::ZERO;
        for i in self.plain() {
            let bounds = [&self.lower[i], &self.upper[i]];
            if bounds.iter().any(|bound| bound.is_some()) {
                let sizes = bounds.into_iter().flatten().chain([&z[i]]);
                largest = sizes.map(Abs::abs).fold(largest, Ord::max);
            }
        }
        largest
    }

    /// Entries of plain rows that near to a bound go onto the nearer one.
    fn snap_plain_rows(&self, x: &mut [Rational], z: &[Rational], snap: &Rational) {
        let limit = snap * self.largest_plain(z);
        for i in self.plain() {
            let bounds = [&self.lower[i], &self.upper[i]].into_iter().flatten();
            let nearest = bounds.min_by_key(|bound| (&x[i] - *bound).abs());
            if let Some(bound) = nearest.filter(|bound| (&x[i] - *bound).abs() <= limit) {
                x[i].clone_from(bound);
            }
        }
    }

    /// The largest distance outside of cones, relative to the largest force, and of bounds.
    #[must_use]
    pub fn negativity(&self, z: &[Rational]) -> Between {
        let mut worst = Between::exactly(Rational::ZERO);
        let mut count = |size: Between, unit: &Rational| {
            if size.high > 0 {
                let share = size.over(&Between::exactly(unit.clone()));
                worst = Between {
                    low: worst.low.clone().max(share.low),
                    high: worst.high.clone().max(share.high),
                };
            }
        };
        let force = self.largest_force(z);
        for contact in &self.contacts {
            count(outside(contact, z), &force);
        }
        let plain = self.largest_plain(z);
        for i in self.plain() {
            let distance = (&z[i] - self.within_bounds(i, &z[i])).abs();
            count(Between::exactly(distance), &plain);
        }
        worst
    }
}

/// No force where the normal force is not positive, and none along rows without friction.
fn drop_what_cannot_be(contact: &Contact, x: &mut [Rational]) {
    if x[contact.normal] <= 0 {
        for row in contact.rows() {
            x[row] = Rational::ZERO;
        }
    }
    for disc in &contact.discs {
        for (row, mu) in disc.rows.iter().zip(&disc.mu) {
            if *mu == 0 {
                x[*row] = Rational::ZERO;
            }
        }
    }
}

/// The square of the factor that puts a disc's force onto the boundary, and its largest entry; `None` where
/// there is no force.
fn factor(contact: &Contact, disc: &Disc, z: &[Rational]) -> Option<(Rational, Rational)> {
    let rows = || disc.rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu > 0);
    let length: Rational = rows().map(|(row, mu)| (&z[*row] / mu).square()).sum();
    let largest = rows().map(|(row, _)| (&z[*row]).abs()).max()?;
    (largest > 0).then(|| ((&z[contact.normal]).square() / length, largest))
}

/// A force beyond the boundary of its cone goes onto it; where there is a limit also one that near to it.
fn shorten(contact: &Contact, disc: &Disc, x: &mut [Rational], limit: Option<&Rational>) {
    let Some((square, largest)) = factor(contact, disc, x) else {
        return;
    };
    let near = limit.is_some_and(|limit| {
        let share = limit / largest;
        square <= (Rational::ONE + &share).square()
            && (share >= 1 || square >= (Rational::ONE - share).square())
    });
    if square >= 1 && !near || square == 1 {
        return;
    }
    let digits = (square * Rational::power_of_2(2 * DIGITS)).floor();
    let root = Rational::from(digits.unsigned_abs().floor_sqrt());
    let theta = root / Rational::power_of_2(DIGITS);
    for (row, mu) in disc.rows.iter().zip(&disc.mu) {
        if *mu > 0 {
            x[*row] *= &theta;
        }
    }
}

/// How far the forces of a contact are outside of its cone.
fn outside(contact: &Contact, z: &[Rational]) -> Between {
    let mut worst = Between::exactly(Rational::ZERO);
    let mut count = |size: Between| {
        worst = Between {
            low: worst.low.clone().max(size.low),
            high: worst.high.clone().max(size.high),
        };
    };
    if z[contact.normal] <= 0 {
        for row in contact.rows() {
            count(Between::exactly((&z[row]).abs()));
        }
        return worst;
    }
    for disc in &contact.discs {
        for (row, mu) in disc.rows.iter().zip(&disc.mu) {
            if *mu == 0 {
                count(Between::exactly((&z[*row]).abs()));
            }
        }
        if let Some((square, largest)) = factor(contact, disc, z).filter(|(square, _)| *square < 1)
        {
            let short = Between::exactly(Rational::ONE).minus(&Between::root(&square, 300));
            count(short.times(&Between::exactly(largest)));
        }
    }
    worst
}
