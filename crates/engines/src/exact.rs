//! Small exact arithmetic.

use etalon_lcp::Number;
use rug::Rational;

/// Roots have so many bits.
pub(crate) const ROOT_BITS: u32 = 200;

pub(crate) fn fractions(own: &[Number]) -> Vec<Rational> {
    own.iter().map(Number::to_rational).collect()
}

pub(crate) fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    sum(a.iter().zip(b).map(|(a, b)| Rational::from(a * b)))
}

pub(crate) fn sum(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(Rational::new(), |sum, term| sum + term)
}

/// A sparse row times a vector.
pub(crate) fn sparse_dot(row: &[(usize, Rational)], vector: &[Rational]) -> Rational {
    sum(row.iter().map(|(j, own)| Rational::from(own * &vector[*j])))
}

/// The length of a vector, rounded up; exact where it is a fraction.
pub(crate) fn length_above(own: &[Rational]) -> Rational {
    let square = dot(own, own);
    let (above, below) = (square.numer(), square.denom());
    // In lowest terms a fraction has a rational root only if both of its parts are squares.
    if above.is_perfect_square() && below.is_perfect_square() {
        return Rational::from((above.clone().sqrt(), below.clone().sqrt()));
    }
    etalon_certify::root_above(&square, ROOT_BITS)
}

/// The largest absolute value; 0 where there is none.
pub(crate) fn largest<'a>(own: impl IntoIterator<Item = &'a Rational>) -> Rational {
    let sizes = own.into_iter().map(|own| own.clone().abs());
    sizes.max().unwrap_or_default()
}

/// a / b; 0 for 0 / 0, and `None` for a / 0.
pub(crate) fn ratio(a: &Rational, b: &Rational) -> Option<Rational> {
    if a.is_zero() {
        return Some(Rational::new());
    }
    (!b.is_zero()).then(|| Rational::from(a / b))
}

/// A power of two.
pub(crate) fn power(exponent: i32) -> Rational {
    let one = Rational::from(1);
    let by = exponent.unsigned_abs();
    if exponent < 0 { one >> by } else { one << by }
}
