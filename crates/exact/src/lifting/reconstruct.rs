//! Rational reconstruction: the small fraction that a residue stands for.
//!
//! Euclid's algorithm on (P, s) passes through all pairs (r, t) with r = t s modulo P. If s is
//! num / den with num * den well below P, then (num, den) is among them, and it shows: the
//! next quotient is about P / (num * den), hence large (Monagan 2004). Lehmer's variant takes
//! the quotients from the leading words, so that the long numbers are touched once for some 60
//! bits.

use rug::{Assign, Integer};

/// A quotient of so many bits does not come up by chance.
pub(crate) const SLACK_BITS: u32 = 64;

/// Bits of the leading parts that quotients are taken from.
const LEADING: u32 = 62;

/// Bits of the leading parts that these are taken from in turn.
const LONG_LEADING: u32 = 126;

/// Larger cofactors cannot be sure on so many leading bits.
const MAX_COFACTOR: i64 = 1 << (LEADING / 2 - 1);

/// A fraction num / den with num = den * s modulo P and 2^63 |num| den < P; `None` where there is
/// none. The denominator is positive. Those of more than `den_bits` bits are not looked for.
///
/// Costs O(b^2) for a modulus P of b bits.
pub(crate) fn reconstruct(
    s: &Integer,
    modulus: &Integer,
    den_bits: u32,
) -> Option<(Integer, Integer)> {
    // |num| den has to stay some SLACK_BITS bits below P, or the large quotient may be one of
    // chance.
    let longest = modulus.significant_bits().saturating_sub(SLACK_BITS);
    let longest = longest.min(den_bits);
    let mut state = Euclid::new(s, modulus);
    loop {
        // |t_1| r_0 + |t_0| r_1 = P in every step. So r_0 > 2^64 r_1 means |num| den = r_1 |t_1| < P /
        // 2^64.
        if state.r[1] == 0 || state.gap() > SLACK_BITS {
            return state.fraction(modulus);
        }
        match state.leading_cofactors() {
            Some(cofactors) => state.apply(cofactors),
            None => state.divide(),
        }
        if state.t[1].significant_bits() > longest {
            return None;
        }
    }
}

/// Two consecutive remainders r_0 > r_1 >= 0 with their cofactors: r_i = t_i s modulo P.
struct Euclid {
    r: [Integer; 2],
    t: [Integer; 2],
    scratch: [Integer; 2],
}

/// (r_0, r_1) becomes (a r_0 + b r_1, c r_0 + d r_1), and so do the cofactors.
struct Cofactors {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
}

impl Euclid {
    fn new(s: &Integer, modulus: &Integer) -> Self {
        Self {
            r: [modulus.clone(), s.clone()],
            t: [Integer::new(), Integer::from(1)],
            scratch: [Integer::new(), Integer::new()],
        }
    }

    /// By how many bits the next quotient is larger than 1, at least.
    fn gap(&self) -> u32 {
        let [r0, r1] = &self.r;
        r0.significant_bits() - r1.significant_bits()
    }

    fn fraction(mut self, modulus: &Integer) -> Option<(Integer, Integer)> {
        let [_, num] = self.r;
        let [_, ref mut den] = self.t;
        let small = num.significant_bits() + den.significant_bits() + SLACK_BITS;
        if *den == 0 || small > modulus.significant_bits() + 2 {
            return None;
        }
        let den = std::mem::take(den);
        Some(if den < 0 { (-num, -den) } else { (num, den) })
    }

    /// One step of Euclid's algorithm on the long numbers.
    fn divide(&mut self) {
        let [r0, r1] = &mut self.r;
        let (quotient, remainder) = std::mem::take(r0).div_rem(r1.clone());
        self.r = [std::mem::take(r1), remainder];
        let [t0, t1] = &mut self.t;
        let next = std::mem::take(t0) - quotient * &*t1;
        self.t = [std::mem::take(t1), next];
    }

    /// The product of the steps that the leading 126 bits are sure of, if any.
    fn leading_cofactors(&self) -> Option<Cofactors> {
        let [r0, r1] = &self.r;
        let bits = r0.significant_bits();
        if bits <= LEADING {
            return None;
        }
        let long = bits.min(LONG_LEADING);
        let lead = |value: &Integer| Integer::from(value >> (bits - long)).to_i128_wrapping();
        let (x, y) = (lead(r0), lead(r1));
        let first = leading_steps(x, y)?;
        let (x1, y1) = first.of(x, y);
        let Some(second) = leading_steps(x1, y1) else {
            return Some(first);
        };
        let both = second.after(&first);
        // Steps of the leading parts are those of the numbers where the last of them is: those before it have larger remainders and smaller
        // cofactors. The same condition as below.
        let (x2, y2) = both.of(x, y);
        let Cofactors { a, b, c, d } = both;
        let size = |one: i64, two: i64| i128::from(one.abs().max(two.abs()));
        let is_sure = y2 > size(c, d) && x2 - y2 > size(a - c, b - d);
        Some(if is_sure { both } else { first })
    }

    fn apply(&mut self, Cofactors { a, b, c, d }: Cofactors) {
        for pair in [&mut self.r, &mut self.t] {
            let [x, y] = pair;
            self.scratch[0].assign(&*x * a);
            self.scratch[0] += &*y * b;
            self.scratch[1].assign(&*x * c);
            self.scratch[1] += &*y * d;
            std::mem::swap(pair, &mut self.scratch);
        }
    }
}

impl Cofactors {
    /// What x and y become. Both are below 2^127 before and after; what is between wraps around.
    fn of(&self, x: i128, y: i128) -> (i128, i128) {
        let sum = |by: i64, and: i64| {
            let (by, and) = (i128::from(by), i128::from(and));
            by.wrapping_mul(x).wrapping_add(and.wrapping_mul(y))
        };
        (sum(self.a, self.b), sum(self.c, self.d))
    }

    /// First these, then those: twice the square of [`MAX_COFACTOR`] at most.
    fn after(&self, first: &Self) -> Self {
        let (own, by) = (self, first);
        Self {
            a: own.a * by.a + own.b * by.c,
            b: own.a * by.b + own.b * by.d,
            c: own.c * by.a + own.d * by.c,
            d: own.c * by.b + own.d * by.d,
        }
    }
}

/// The product of the steps from x > y that their leading 62 bits are sure of (Collins's condition, as
/// Jebelean 1993 has it), if any.
fn leading_steps(x: i128, y: i128) -> Option<Cofactors> {
    let shift = (128 - x.leading_zeros()).saturating_sub(LEADING);
    let (mut x, mut y) = ((x >> shift) as i64, (y >> shift) as i64);
    let (mut u0, mut v0, mut u1, mut v1) = (1_i64, 0_i64, 0_i64, 1_i64);
    let mut found = false;
    while y != 0 {
        let q = x / y;
        let z = x - q * y;
        if q > MAX_COFACTOR {
            break;
        }
        let (u2, v2) = (u0 - q * u1, v0 - q * v1);
        // The remainders are right as long as they are larger than what they may be off by.
        let sure = z > v2.abs().max(u2.abs()) && y - z > (v1 - v2).abs().max((u1 - u2).abs());
        if !sure || u2.abs().max(v2.abs()) > MAX_COFACTOR {
            break;
        }
        (x, y, u0, v0, u1, v1) = (y, z, u1, v1, u2, v2);
        found = true;
    }
    found.then_some(Cofactors {
        a: u0,
        b: v0,
        c: u1,
        d: v1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integer(words: &[u64], negative: bool) -> Integer {
        let value = Integer::from_digits(words, rug::integer::Order::Lsf);
        if negative { -value } else { value }
    }

    proptest! {
        #[test]
        fn a_fraction_comes_back_from_its_residue(
            num in prop::collection::vec(any::<u64>(), 0..12),
            den in prop::collection::vec(any::<u64>(), 1..12),
            negative: bool,
            surplus in 0_u32..200,
        ) {
            let num = integer(&num, negative);
            let den = integer(&den, false) | 1;
            let gcd = Integer::from(num.gcd_ref(&den));
            let (num, den) = (num / &gcd, den / &gcd);
            let bits = num.significant_bits() + den.significant_bits() + SLACK_BITS + 3 + surplus;
            // A power of two is coprime to an odd denominator.
            let modulus = Integer::from(1) << bits;
            let inverse = den.clone().invert(&modulus).unwrap();
            let s = (inverse * &num).modulo(&modulus);
            // Whether or not its denominator has as many bits as are looked for.
            let bits = den.significant_bits();
            if den > 1 {
                prop_assert_eq!(reconstruct(&s, &modulus, bits - 1), None);
            }
            let found = Some((num, den));
            prop_assert_eq!(&reconstruct(&s, &modulus, bits), &found);
            prop_assert_eq!(&reconstruct(&s, &modulus, u32::MAX), &found);
        }

        #[test]
        fn what_is_found_is_congruent_and_small(
            s in prop::collection::vec(any::<u64>(), 1..8),
            modulus in prop::collection::vec(any::<u64>(), 8..9),
        ) {
            let modulus = integer(&modulus, false) + 1;
            let s = integer(&s, false) % &modulus;
            if let Some((num, den)) = reconstruct(&s, &modulus, u32::MAX) {
                prop_assert!(den > 0);
                prop_assert!(((s * &den) - &num).is_divisible(&modulus));
                let bits = num.significant_bits() + den.significant_bits();
                prop_assert!(bits + SLACK_BITS <= modulus.significant_bits() + 2);
            }
        }
    }

    #[test]
    fn a_random_residue_is_no_fraction() {
        let modulus = Integer::from(Integer::u_pow_u(3, 900));
        let s = Integer::from(Integer::u_pow_u(7, 5000)) % &modulus;
        assert_eq!(reconstruct(&s, &modulus, u32::MAX), None);
    }

    /// The steps of two remainders that begin with these 62 bits.
    fn leading(x: i64, y: i64) -> Option<Cofactors> {
        leading_steps(i128::from(x) << 40, i128::from(y) << 40)
    }

    #[test]
    fn leading_cofactors_are_steps_of_euclid() {
        let modulus = Integer::from(Integer::u_pow_u(3, 900));
        let s = Integer::from(Integer::u_pow_u(7, 5000)) % &modulus;
        let (mut quick, mut slow) = (Euclid::new(&s, &modulus), Euclid::new(&s, &modulus));
        let mut steps = 0;
        for _ in 0..12 {
            // Some 60 bits at a time, of 1427.
            quick.apply(quick.leading_cofactors().unwrap());
            while slow.r[1] > quick.r[1] {
                slow.divide();
                steps += 1;
            }
            assert_eq!((&quick.r, &quick.t), (&slow.r, &slow.t));
        }
        assert!(steps > 200, "{steps}");
    }

    #[test]
    fn cofactors_go_as_far_as_they_are_sure() {
        // The first quotient is the largest cofactor there may be: sure, with remainders this large.
        let y = (1 << 32) - 5;
        let z = 1 << 31;
        let Cofactors { a, b, c, d } = leading(MAX_COFACTOR * y + z, y).unwrap();
        assert_eq!((a, b, c, d), (0, 1, 1, -MAX_COFACTOR));
        // One that is larger is not.
        let y = (1 << 31) + (1 << 30);
        let larger = MAX_COFACTOR + 1;
        assert!(leading(larger * y + (1 << 30) + 9, y).is_none());
        // y - z has to be larger than q + 1, by which the two may be off.
        let (q, y) = (1 << 20, (1 << 41) + 12_345);
        assert!(leading(q * y + (y - q - 2), y).is_some());
        assert!(leading(q * y + (y - q - 1), y).is_none());
        // And z larger than q.
        assert!(leading(q * y + q + 1, y).is_some());
        assert!(leading(q * y + q, y).is_none());
    }
}
