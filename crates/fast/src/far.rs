//! Bounds so far away that they may stand for infinity, as 1e20, 1e30 or 1e100 do in many programs.
//!
//! They spoil the arithmetic of problems that never reach them. Beyond 2^300 products may overflow, and
//! Lemke's method has the distance between two bounds among its data, where it drowns all else.

use crate::problem::LcpRef;

/// From here on a bound may be left out: in the distance to it, a z of order 1 keeps three bits, as
/// 1e15 is 2^50. This guesses which bounds are meant, and only after a failure. An answer has to keep
/// them all.
const FAR: f64 = 1e15;

/// The bounds that are nearer; working memory.
#[derive(Debug, Default)]
pub(crate) struct Near {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Near {
    /// Leaves out the bounds that are far; whether there are any.
    pub(crate) fn build(&mut self, lcp: LcpRef<'_>) -> bool {
        let mut any = false;
        self.lower.clear();
        self.upper.clear();
        for i in 0..lcp.n() {
            let (lower, upper) = lcp.bounds(i);
            // A bound is left out where it keeps z from going far, not where it sends z there.
            let falls = lower <= -FAR && lower.is_finite();
            let rises = upper >= FAR && upper.is_finite();
            any |= falls || rises;
            self.lower
                .push(if falls { f64::NEG_INFINITY } else { lower });
            self.upper.push(if rises { f64::INFINITY } else { upper });
        }
        any
    }

    /// The problem with these bounds only; a pure one where they are those.
    pub(crate) fn view<'a>(&'a self, lcp: LcpRef<'a>) -> LcpRef<'a> {
        let pure = lcp.friction.is_empty()
            && self.lower.iter().all(|lower| *lower == 0.0)
            && self.upper.iter().all(|upper| upper.is_infinite());
        if pure {
            return LcpRef {
                lower: &[],
                upper: &[],
                ..lcp
            };
        }
        LcpRef {
            lower: &self.lower,
            upper: &self.upper,
            ..lcp
        }
    }
}
