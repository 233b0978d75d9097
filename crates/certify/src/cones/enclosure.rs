//! Numbers enclosed between two fractions, for what has roots in it.

use rug::{Integer, Rational};

/// Bits that an end has at most, and those of a root.
const BITS: u32 = 200;

/// A number that is at least `low` and at most `high`.
#[derive(Debug, Clone, Default)]
pub(super) struct Enclosure {
    pub low: Rational,
    pub high: Rational,
}

impl From<Rational> for Enclosure {
    fn from(value: Rational) -> Self {
        let (low, high) = (value.clone(), value);
        Self { low, high }.short()
    }
}

impl Enclosure {
    fn between(low: Rational, high: Rational) -> Self {
        Self { low, high }.short()
    }

    pub fn plus(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self::between(
            Rational::from(&a.low + &b.low),
            Rational::from(&a.high + &b.high),
        )
    }

    pub fn minus(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self::between(
            Rational::from(&a.low - &b.high),
            Rational::from(&a.high - &b.low),
        )
    }

    /// The product. Where one factor has a sign, each end is that of two known ends.
    pub fn times(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        let of = |a: &Rational, b: &Rational| Rational::from(a * b);
        if a.low < 0 {
            if b.low >= 0 {
                return b.times(a);
            }
            if a.high <= 0 {
                let high = of(&a.low, &b.low);
                let other = if b.high <= 0 { &a.high } else { &a.low };
                return Self::between(of(other, &b.high), high);
            }
            if b.high <= 0 {
                return b.times(a);
            }
            // Both may be 0.
            let low = of(&a.low, &b.high).min(of(&a.high, &b.low));
            let high = of(&a.low, &b.low).max(of(&a.high, &b.high));
            return Self::between(low, high);
        }
        let low = if b.low < 0 { &a.high } else { &a.low };
        let high = if b.high < 0 { &a.low } else { &a.high };
        Self::between(of(low, &b.low), of(high, &b.high))
    }

    /// The quotient by a number above 0; none where that may be 0.
    pub fn over(&self, other: &Self) -> Option<Self> {
        let (a, b) = (self, other);
        if b.low <= 0 {
            return None;
        }
        let low = if a.low < 0 { &b.low } else { &b.high };
        let high = if a.high < 0 { &b.high } else { &b.low };
        Some(Self::between(
            Rational::from(&a.low / low),
            Rational::from(&a.high / high),
        ))
    }

    pub fn square(&self) -> Self {
        let [low, high] = [&self.low, &self.high].map(|end| end.clone().square());
        match (self.low >= 0, self.high <= 0) {
            (true, _) => Self::between(low, high),
            (_, true) => Self::between(high, low),
            _ => Self::between(Rational::new(), low.max(high)),
        }
    }

    /// The root of a number that is not below 0.
    pub fn root(&self) -> Self {
        let above = root_below(&self.high, BITS);
        let is_exact = above.clone().square() == self.high;
        // A unit in the last of so many bits is at most 2^(1 - BITS) of it.
        let more = Rational::from(&above >> (BITS - 1));
        let high = if is_exact { above } else { above + more };
        Self {
            low: root_below(&self.low, BITS),
            high,
        }
    }

    /// All numbers of both.
    pub fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The same, its ends rounded outwards where they are longer than they need to be.
    fn short(self) -> Self {
        Self {
            low: rounded(self.low, false),
            high: rounded(self.high, true),
        }
    }
}

/// The number on a grid of [`BITS`] + 64 bits below it or above it, unless it is short.
fn rounded(value: Rational, up: bool) -> Rational {
    let (above, below) = (value.numer(), value.denom());
    if above.significant_bits() + below.significant_bits() <= 2 * BITS {
        return value;
    }
    let digits = i64::from(BITS) + 64;
    let shift = digits - i64::from(above.significant_bits()) + i64::from(below.significant_bits());
    let on_grid = scaled(&value, shift);
    let whole = if up { on_grid.ceil() } else { on_grid.floor() };
    scaled(&whole, -shift)
}

/// The number times a power of two.
fn scaled(value: &Rational, shift: i64) -> Rational {
    let by = u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX);
    if shift < 0 {
        Rational::from(value >> by)
    } else {
        Rational::from(value << by)
    }
}

/// The root of a number >= 0, rounded down to so many bits.
pub fn root_below(value: &Rational, bits: u32) -> Rational {
    if value.is_zero() {
        return Rational::new();
    }
    let exponent =
        i64::from(value.numer().significant_bits()) - i64::from(value.denom().significant_bits());
    // The number is at least 2^(exponent - 1), and so is its root at least the root of that.
    let shift = i64::from(bits) - (exponent - 1).div_euclid(2);
    let whole: Integer = scaled(value, 2 * shift).floor().into_numer_denom().0;
    let root = whole.sqrt();
    let more = root.significant_bits().saturating_sub(bits);
    scaled(&Rational::from(root >> more), i64::from(more) - shift)
}

/// The root of a number >= 0, rounded up; exact where the root has no more than so many bits, which are at least 2.
pub fn root_above(value: &Rational, bits: u32) -> Rational {
    let root = root_below(value, bits);
    if Rational::from(root.square_ref()) == *value {
        return root;
    }
    // The root below has at least bits - 1 bits that are right.
    root * (Rational::from(1) + (Rational::from(1) >> bits.saturating_sub(2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn enclosure() -> impl Strategy<Value = Enclosure> {
        let end = || (-6..7_i64, 1..4_i64).prop_map(Rational::from);
        (end(), end()).prop_map(|(a, b)| {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            Enclosure { low, high }
        })
    }

    /// The least and the greatest of what the ends give.
    fn hull(
        a: &Enclosure,
        b: &Enclosure,
        of: impl Fn(&Rational, &Rational) -> Rational,
    ) -> [Rational; 2] {
        let ends = [
            (&a.low, &b.low),
            (&a.low, &b.high),
            (&a.high, &b.low),
            (&a.high, &b.high),
        ];
        let ends = ends.map(|(a, b)| of(a, b));
        [
            ends.iter().min().unwrap().clone(),
            ends.iter().max().unwrap().clone(),
        ]
    }

    proptest! {
        #[test]
        fn the_ends_are_the_least_and_the_greatest_that_ends_give(a in enclosure(), b in enclosure()) {
            let ends = |found: Enclosure| [found.low, found.high];
            prop_assert_eq!(ends(a.plus(&b)), hull(&a, &b, |a, b| Rational::from(a + b)));
            prop_assert_eq!(ends(a.minus(&b)), hull(&a, &b, |a, b| Rational::from(a - b)));
            prop_assert_eq!(ends(a.times(&b)), hull(&a, &b, |a, b| Rational::from(a * b)));
            prop_assert_eq!(a.over(&b).is_some(), b.low > 0);
            if let Some(quotient) = a.over(&b) {
                prop_assert_eq!(ends(quotient), hull(&a, &b, |a, b| Rational::from(a / b)));
            }
            let [low, high] = hull(&a, &a, |a, b| Rational::from(a * b));
            prop_assert_eq!(ends(a.square()), [low.max(Rational::new()), high]);
        }
    }

    fn fraction(text: &str) -> Rational {
        etalon_lcp::parse_rational(text).unwrap()
    }

    #[test]
    fn roots_are_enclosed_to_the_last_bit() {
        let near_one = (1..20_i64).map(|k| Rational::from((7 * k + 1, 7 * k)));
        let others = [
            "1/3",
            "123456789",
            "1e-31",
            "7e300",
            "2e-51",
            "9/4",
            "1",
            "16e40",
        ];
        for value in others.into_iter().map(fraction).chain(near_one) {
            for bits in [2, 8, 53, 100] {
                let [low, high] = [root_below(&value, bits), root_above(&value, bits)];
                let digits = low.numer().significant_bits() - low.numer().find_one(0).unwrap();
                assert!(digits <= bits, "{value} {bits}");
                let one_more = &low + Rational::from(&low >> (bits - 1));
                assert!(low.clone().square() <= value && value < one_more.square());
                let two_more = &low + Rational::from(&low >> (bits - 2));
                assert!(value <= high.clone().square() && high <= two_more);
            }
            let Enclosure { low, high } = Enclosure::from(value.clone()).root();
            assert!(
                low.clone().square() <= value && value <= high.clone().square(),
                "{value}"
            );
            let width = Rational::from(&high - &low);
            assert!(width <= Rational::from(&low >> (BITS - 1)), "{value}");
        }
        let root = Enclosure::from(fraction("9/4")).root();
        assert_eq!([root.low, root.high], ["3/2", "3/2"].map(fraction));
        assert_eq!(root_below(&Rational::new(), 100), 0);
    }

    #[test]
    fn ends_are_rounded_outwards_where_they_are_long() {
        let seven = Rational::from(rug::Integer::from(rug::Integer::u_pow_u(7, 150)));
        for by in ["1", "1e200", "1e-200", "-1", "-1e200", "-1e-200"] {
            let value = fraction(by) / &seven + Rational::from((1, 3)) * fraction(by);
            let Enclosure { low, high } = Enclosure::from(value.clone());
            assert!(low < value && value < high, "{by}");
            let width = Rational::from(&high - &low);
            assert!(width <= value.abs() >> BITS, "{by}");
            let digits =
                |end: &Rational| end.numer().significant_bits() - end.numer().find_one(0).unwrap();
            assert!(
                digits(&low) <= BITS + 65 && digits(&high) <= BITS + 65,
                "{by}"
            );
        }
        // What is short stays: 150 bits over 150.
        let short = Rational::from((
            rug::Integer::from(rug::Integer::u_pow_u(3, 95)),
            rug::Integer::from(rug::Integer::u_pow_u(5, 64)),
        ));
        let Enclosure { low, high } = Enclosure::from(short.clone());
        assert_eq!([&low, &high], [&short, &short]);
        let both = Enclosure::from(fraction("-1")).or(Enclosure::from(fraction("1/3")));
        assert_eq!([both.low, both.high], ["-1", "1/3"].map(fraction));
    }
}
