//! In which order contacts are taken.

/// All contacts in an order that has nothing to do with their errors, so that few are larger than all before:
/// those at multiples of a number without a common divisor with theirs.
pub(super) struct Order {
    count: usize,
    step: usize,
}

impl Order {
    /// That of so many.
    pub fn new(count: usize) -> Self {
        // Near the golden section of them, where multiples are spread evenly.
        let near = (count as u128 * 618 / 1000) as usize;
        let prime_to = |step: &usize| gcd(*step, count) == 1;
        let step = (near.max(1)..).find(prime_to).unwrap_or(1);
        Self { count, step }
    }

    /// The contact at a position.
    pub fn at(&self, position: usize) -> usize {
        (position as u128 * self.step as u128 % self.count as u128) as usize
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_contact_is_taken_once_and_no_two_neighbours_in_turn() {
        for count in (1..300).chain([1 << 20, 1_000_000]) {
            let order = Order::new(count);
            let mut taken = vec![false; count];
            for position in 0..count {
                assert!(!std::mem::replace(&mut taken[order.at(position)], true));
            }
            assert!(count < 5 || order.at(1) > 1, "{count}");
        }
    }
}
