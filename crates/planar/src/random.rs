//! The seeded generator that orders serial collisions.

/// The linear congruential generator x -> 1664525 x + 1013904223 mod 2^32, with the constants of Numerical Recipes.
/// The engine of myPhysicsLab uses the same one, so that its recorded tests meet the same order of collisions here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Random {
    state: u32,
}

const MULTIPLIER: u32 = 1_664_525;
const INCREMENT: u32 = 1_013_904_223;

impl Random {
    pub fn new(seed: u32) -> Self {
        Self { state: seed }
    }

    pub fn seed(self) -> u32 {
        self.state
    }

    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        self.state
    }

    /// A number below n, from the upper bits: the lower bits of such a generator have short periods.
    fn below(&mut self, n: usize) -> usize {
        (f64::from(self.next()) / 4_294_967_296.0 * n as f64) as usize
    }

    /// The numbers 0..n in random order.
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..n).collect();
        (0..n)
            .rev()
            .map(|last| left.remove(self.below(last + 1)))
            .collect()
    }

    /// Goes on by `draws` numbers, in time logarithmic in them: the map is composed with itself.
    pub fn skip(&mut self, mut draws: u64) {
        let (mut multiplier, mut increment) = (MULTIPLIER, INCREMENT);
        while draws > 0 {
            if draws & 1 == 1 {
                self.state = self.state.wrapping_mul(multiplier).wrapping_add(increment);
            }
            increment = increment.wrapping_mul(multiplier).wrapping_add(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            draws >>= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipping_is_drawing() {
        for draws in [0u64, 1, 2, 7, 420] {
            let (mut a, mut b) = (Random::new(99_999), Random::new(99_999));
            a.skip(draws);
            for _ in 0..draws {
                b.next();
            }
            assert_eq!(a, b);
        }
    }

    #[test]
    fn a_shuffle_holds_every_number_once() {
        let mut shuffled = Random::new(7).shuffled(40);
        assert_ne!(shuffled, (0..40).collect::<Vec<_>>());
        shuffled.sort_unstable();
        assert_eq!(shuffled, (0..40).collect::<Vec<_>>());
    }
}
