//! Rounding to nearest in binary64, bounded. Every function returns an upper bound, or none.

/// The unit roundoff: a rounded result is within this times itself (or the exact one) of exact.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The least positive number. A product that underflows loses at most half of it.
const LEAST: f64 = f64::from_bits(1);

/// gamma_k = k u / (1 - k u), which bounds what k roundings in a row do, rounded up; `None` where
/// k is too large for it to mean much.
pub(super) fn gamma(k: usize) -> Option<f64> {
    // Exact: k is below 2^32 and u is a power of two.
    (k < 1 << 32).then(|| up(k as f64 * UNIT / (1.0 - k as f64 * UNIT), 4))
}

/// A bound for the exact value of an expression without subtractions, from its value computed in
/// so many operations, the longest chain counting.
pub(super) fn up(value: f64, operations: usize) -> f64 {
    // (1 + u)^k <= 1 + 2 k u for k u <= 1; the products here add three roundings of their own.
    let factor = 1.0 + 2.0 * (operations as f64 + 4.0) * UNIT;
    (value * factor).next_up()
}

/// The largest loss of so many products together by underflow.
pub(super) fn underflow(products: usize) -> f64 {
    up(products as f64 * LEAST, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Rational;

    #[test]
    fn gamma_is_an_upper_bound() {
        for k in [1, 2, 3, 10, 1000, 123_457, (1 << 32) - 1] {
            let product: Rational = Rational::from(k) >> 53;
            let exact = product.clone() / (Rational::from(1) - product);
            let bound = gamma(k).unwrap();
            assert!(Rational::from_f64(bound).unwrap() >= exact, "{k}");
            assert!(bound <= 1.001 * k as f64 * UNIT + 1e-30, "{k}");
        }
        assert_eq!(gamma(1 << 32), None);
    }

    #[test]
    fn up_covers_the_roundings_of_a_sum() {
        // A sum that rounds down at every step.
        let terms = vec![UNIT * 0.99; 1000];
        let sum = terms.iter().fold(1.0, |sum, term| sum + term);
        let exact = terms.iter().fold(Rational::from(1), |sum, term| {
            sum + Rational::from_f64(*term).unwrap()
        });
        assert_eq!(sum, 1.0);
        assert!(Rational::from_f64(up(sum, terms.len())).unwrap() >= exact);
    }

    #[test]
    fn underflow_covers_what_products_lose() {
        for k in [1, 2, 3, 100] {
            // Each is just below half of the least number, and rounds to 0.
            let product = (0.5 - f64::EPSILON) * LEAST;
            assert_eq!(product, 0.0);
            let lost = (Rational::from(k) >> 1075_u32)
                * Rational::from_f64(1.0 - 2.0 * f64::EPSILON).unwrap();
            assert!(Rational::from_f64(underflow(k)).unwrap() >= lost, "{k}");
        }
    }
}
