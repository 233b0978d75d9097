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
    /// All numbers between the least and the greatest of these.
    fn hull(ends: [Rational; 4]) -> Self {
        let low = ends.iter().min().cloned().unwrap_or_default();
        let high = ends.into_iter().max().unwrap_or_default();
        Self { low, high }.short()
    }

    fn ends_with(&self, other: &Self, op: impl Fn(&Rational, &Rational) -> Rational) -> Self {
        let (a, b) = (self, other);
        Self::hull([
            op(&a.low, &b.low),
            op(&a.low, &b.high),
            op(&a.high, &b.low),
            op(&a.high, &b.high),
        ])
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.ends_with(other, |a, b| Rational::from(a + b))
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.ends_with(other, |a, b| Rational::from(a - b))
    }

    pub fn times(&self, other: &Self) -> Self {
        self.ends_with(other, |a, b| Rational::from(a * b))
    }

    /// The quotient by a number above 0; none where that may be 0.
    pub fn over(&self, other: &Self) -> Option<Self> {
        (other.low > 0).then(|| self.ends_with(other, |a, b| Rational::from(a / b)))
    }

    pub fn square(&self) -> Self {
        let mut square = self.times(self);
        if square.low < 0 {
            square.low = Rational::new();
        }
        square
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
pub(super) fn root_below(value: &Rational, bits: u32) -> Rational {
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
