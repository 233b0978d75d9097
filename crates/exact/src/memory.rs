//! What a method holds in memory: a search the dictionaries still to be visited and all that it has found, a tableau
//! its rows.

use etalon_lcp::Number;
use rug::{Integer, Rational};

use crate::budget::Exhausted;

/// The largest search: a problem of one kilobyte can have more solutions than any memory holds.
const MAX_BYTES: u64 = 512 << 20;

/// A number's own size, and what the allocator adds.
const OVERHEAD: u64 = 48;

/// The bytes in use, as estimated.
pub(crate) struct Memory {
    used: u64,
    limit: u64,
    /// The most that was in use or asked for.
    peak: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self::up_to(MAX_BYTES)
    }
}

impl Memory {
    pub fn up_to(limit: u64) -> Self {
        Self {
            used: 0,
            limit,
            peak: 0,
        }
    }

    /// Accounts for what is about to be kept; what there is no room for is not kept.
    pub fn take(&mut self, bytes: u64) -> Result<(), Exhausted> {
        let used = self.used.saturating_add(bytes);
        self.peak = self.peak.max(used);
        if used > self.limit {
            return Err(Exhausted::Memory(self.limit));
        }
        self.used = used;
        Ok(())
    }

    /// Of an account that goes on from another one: so much of what is in use there is to be given back here.
    pub fn begin_with(&mut self, bytes: u64) {
        self.used = bytes;
        self.peak = self.peak.max(bytes);
    }

    pub fn used(&self) -> u64 {
        self.used
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether an account that began with so many bytes of this one would have kept to the limit here.
    pub fn fits(&self, begun: u64, other: &Self) -> bool {
        let before = self.used.saturating_sub(begun);
        before.saturating_add(other.peak) <= self.limit
    }

    /// Goes on where an account ends that began with so many bytes of this one.
    pub fn append(&mut self, begun: u64, other: &Self) {
        let before = self.used.saturating_sub(begun);
        self.peak = self.peak.max(before.saturating_add(other.peak));
        self.used = before.saturating_add(other.used);
    }

    /// Accounts for what is no longer kept.
    pub fn free(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }
}

/// The size of integers of so many bits each.
pub(crate) fn integers(count: usize, bits: u64) -> u64 {
    count as u64 * (OVERHEAD + bits / 8)
}

/// The size of a set of variables.
pub(crate) fn variables(count: usize) -> u64 {
    count as u64 * OVERHEAD
}

/// The size of fractions.
pub(crate) fn fractions(values: &[Rational]) -> u64 {
    let bits = |part: &Integer| u64::from(part.significant_bits());
    let one = |value: &Rational| 2 * OVERHEAD + (bits(value.numer()) + bits(value.denom())) / 8;
    values.iter().map(one).sum()
}

/// The size of exact numbers.
pub(crate) fn numbers(values: &[Number]) -> u64 {
    let one = |value: &Number| fractions(&[value.to_rational()]);
    values.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tableau::Variable;

    /// Two parts take as much as both together, and none less than its values themselves.
    #[test]
    fn sizes_add_up() {
        for (a, b) in [(0, 1), (1, 1), (3, 40)] {
            assert_eq!(variables(a) + variables(b), variables(a + b));
            assert_eq!(integers(a, 64) + integers(b, 64), integers(a + b, 64));
            assert!(variables(b) >= (b * size_of::<Variable>()) as u64);
            assert!(integers(b, 64) >= (b * size_of::<Integer>() + 8 * b) as u64);
        }
        let long = Rational::from((Integer::from(1) << 800u32, Integer::from(3)));
        let values = [long.clone(), Rational::from(2)];
        assert_eq!(
            fractions(&values),
            fractions(&values[..1]) + fractions(&values[1..])
        );
        assert!(fractions(&values[..1]) >= size_of::<Rational>() as u64 + 100);
    }
}
