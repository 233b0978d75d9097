//! Simple fractions near a number.

use rug::{Integer, Rational};

/// The first convergent of the continued fraction that is no further away than that.
pub(super) fn simple(value: &Rational, within: &Rational) -> Rational {
    let (mut p, mut q) = (
        [Integer::from(1), Integer::new()],
        [Integer::new(), Integer::from(1)],
    );
    let mut rest = value.clone();
    loop {
        let whole = rest.clone().floor();
        let digit = whole.numer().clone();
        let next = |pair: &mut [Integer; 2]| {
            let sum = Integer::from(&digit * &pair[0]) + &pair[1];
            pair.swap(0, 1);
            pair[0] = sum;
        };
        next(&mut p);
        next(&mut q);
        let fraction = Rational::from((p[0].clone(), q[0].clone()));
        let gap = Rational::from(&fraction - value).abs();
        rest -= whole;
        if gap <= *within || rest == 0 {
            return fraction;
        }
        rest.recip_mut();
    }
}

/// A rational point of the unit circle in that direction, if one with small numbers is as near as
/// binary64 can tell: by the tangent of half its angle.
pub(super) fn direction([x, y]: [f64; 2]) -> Option<[Rational; 2]> {
    let length = x.hypot(y);
    let (x, y) = (x / length, y / length);
    // With |x| the tangent of the half angle is at most 1, and 1 + |x| does not cancel.
    let half = Rational::from_f64(y / (1.0 + x.abs()))?;
    // Errors of the direction are some 1e-14; a fraction p/q is this near by chance only if q is
    // above 1e5.
    let tangent = simple(&half, &Rational::from((1, 100_000_000_000_u64)));
    if *tangent.denom() > 100_000 {
        return None;
    }
    let square = Rational::from(tangent.square_ref());
    let scale = Rational::from(&square + 1u32);
    let mut along = (Rational::from(1) - square) / &scale;
    if x < 0.0 {
        along = -along;
    }
    Some([along, tangent * 2u32 / scale])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_fractions_are_found() {
        let third = Rational::from_f64(1.0 / 3.0).unwrap();
        let within = Rational::from((1, 1_000_000));
        assert_eq!(simple(&third, &within), Rational::from((1, 3)));
        assert_eq!(
            simple(&Rational::from((-22, 7)), &Rational::new()),
            Rational::from((-22, 7))
        );
        assert_eq!(simple(&Rational::new(), &Rational::new()), 0);
    }

    #[test]
    fn rational_directions_are_told_from_others() {
        for (x, y) in [(3, 4), (-3, 4), (-4, -3), (5, -12), (0, 1), (-1, 0)] {
            let length = Rational::from(
                if x * y % 5 == 0 && x != 0 && y != 0 && (x as i64).abs() == 5 {
                    13
                } else if x == 0 || y == 0 {
                    1
                } else {
                    5
                },
            );
            let found = direction([f64::from(x), f64::from(y)]).unwrap();
            assert_eq!(
                found,
                [Rational::from(x) / &length, Rational::from(y) / &length]
            );
        }
        assert_eq!(direction([1.0, 1.0]), None);
        assert_eq!(direction([f64::NAN, 1.0]), None);
    }
}
