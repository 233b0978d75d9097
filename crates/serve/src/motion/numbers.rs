//! Fractions as they are drawn.

use etalon_lcp::Number;
use rug::Rational;

/// Rounded to nearest: 1/5 is 0.2.
pub fn nearest(value: &Rational) -> f64 {
    Number::from(value.clone()).to_f64()
}

/// The direction of a vector; of none it is as it was.
pub fn unit<const N: usize>(values: [f64; N]) -> [f64; N] {
    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    match length > 0.0 {
        true => values.map(|x| x / length),
        false => values,
    }
}
