//! What rounding may do to the laws of a step: the one place that tolerances come from.
//!
//! A stored number x~ is a number x of the maker's with |x~ - x| <= u |x~| + a. binary64 has u = 2^-53 and a = 0,
//! binary32 u = 2^-24, a grid of multiples of 2^-k has a = 2^-(k+1) for states, and exact numbers have none of
//! both. Each law is a sum of products of stored numbers. Let S be the sum of the sizes of its terms, and C the sum of the
//! sizes of the factors of stored states. Whoever computes a sum of at most m terms in precision u is within (m + 2) u S of
//! it (each term has a rounding of each factor and of the product, each partial sum one). A solver's answer counts as right
//! within (4 n + 16) u of a row's own terms: that is the acceptance of the fast solvers (`crates/fast/src/tolerances.rs`). So
//!
//! > |law| <= N (u S + a C) + d S,   N = 16 + 4 n + m,
//!
//! with n the rows of the step's problem, and d what the user declares a solver to be off by (0 if nothing is said). Division
//! by the step comes in where the law has it: a gap is (sum of rounded numbers)/h in a row of velocities.

use rug::Rational;

use crate::exact::power;

/// The rounding of the numbers of a motion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rounding {
    /// u: relative to each number.
    pub relative: Rational,
    /// a: of the numbers of states, in their units.
    pub absolute: Rational,
    /// d: the relative error that the maker's solver is declared to have.
    pub declared: Rational,
}

impl Rounding {
    /// None: numbers are exact.
    pub fn exact() -> Self {
        Self::default()
    }

    /// binary64.
    pub fn binary64() -> Self {
        Self {
            relative: power(-53),
            ..Self::default()
        }
    }

    /// binary32.
    pub fn binary32() -> Self {
        Self {
            relative: power(-24),
            ..Self::default()
        }
    }

    /// States are multiples of 2^-bits; what derives from them is in binary64.
    pub fn grid(bits: u32) -> Self {
        Self {
            absolute: power(-(bits as i32) - 1),
            ..Self::binary64()
        }
    }

    /// Whether there is none.
    pub fn is_exact(&self) -> bool {
        self.relative.is_zero() && self.absolute.is_zero() && self.declared.is_zero()
    }

    /// The largest size of a law that rounding explains, for sums of sizes S and C, and N.
    pub(crate) fn allows(&self, count: u32, s: &Rational, c: &Rational) -> Rational {
        let rounded = Rational::from(&self.relative * s) + Rational::from(&self.absolute * c);
        rounded * count + Rational::from(&self.declared * s)
    }

    /// How far a stored state may be from the maker's.
    pub fn of_state(&self, value: &Rational) -> Rational {
        Rational::from(&self.relative * &*value.as_abs()) + &self.absolute
    }
}
