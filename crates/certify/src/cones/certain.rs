//! Contacts that obey Coulomb's law for certain: the multiplier of a disc that slides is guessed and then checked, in
//! integers and without a common divisor. Of most contacts the kernel need not be asked then.
//!
//! With one mu a disc, a contact with r_N > 0 obeys the law within eps if |w_N| <= eps s_N, and each disc sticks,
//! |w_k| <= eps s_k and |r|_d <= (1 + eps) r_N, or slides, |w_k + L r_k| <= eps s_k for some L >= 0 and
//! (1 - eps) r_N <= |r|_d <= (1 + eps) r_N: the corollary of theorem 2 in `docs/cones.md`. Any L >= 0 will do that
//! holds the inequalities, so how it was found does not matter.

use etalon_kernel::{Cone, Disc, Law};
use rug::{Integer, Rational};

use crate::integers::{Numerators, Sums};

/// Bits of a multiplier, after the point.
const BITS: u32 = 128;

/// A contact in integers.
pub(super) struct Certain {
    normal: Normal,
    discs: Vec<Sliding>,
}

/// w_N and s_N, over a positive denominator.
struct Normal {
    /// Whether r_N > 0; it is 0 otherwise, and all other forces are.
    pressed: bool,
    w: Integer,
    s: Integer,
    denominator: Integer,
}

/// A disc with its guessed multiplier.
struct Sliding {
    /// |r|_d^2 over r_N^2, numerator and denominator.
    share: [Integer; 2],
    rows: Vec<SlidingRow>,
    /// The denominator of all w_k.
    of_w: Integer,
    /// What that of w_k + L r_k has more.
    more: Integer,
}

struct SlidingRow {
    /// Where the row stands in the contact.
    place: usize,
    w: Integer,
    s: Integer,
    /// w_k + L r_k.
    left: Integer,
}

/// In which sizes rows are measured.
pub(super) enum By<'a> {
    /// In those that stand with the rows.
    Rows,
    /// In these, a size for each row of the contact.
    Blocks(&'a [&'a Rational]),
}

impl Certain {
    /// A contact under Coulomb's law, with one mu a disc, r_N >= 0, and no force that no change of data explains; the
    /// forces over one denominator.
    pub fn new(cone: &Cone, forces: &Numerators, rows: &[Sums]) -> Option<Self> {
        let is_one = |disc: &Disc| disc.is_one;
        if cone.law != Law::Coulomb || !cone.discs.iter().all(is_one) {
            return None;
        }
        let (r_n, first) = (forces.values.first()?, rows.first()?);
        let pressed = r_n.cmp0().is_gt();
        if r_n.cmp0().is_lt() || !pressed && forces.values.iter().any(|r| !r.is_zero()) {
            return None;
        }
        let normal = Normal {
            pressed,
            w: first.w.clone(),
            s: first.s.clone(),
            denominator: first.denominator.clone(),
        };
        let mut discs = Vec::new();
        let mut place = 1;
        for disc in cone.discs.iter().filter(|_| pressed) {
            let mu = disc.mu.first()?;
            let own = place..place + disc.rows.len();
            place = own.end;
            if mu.is_zero() {
                if forces.values[own].iter().any(|r| !r.is_zero()) {
                    return None;
                }
                continue;
            }
            discs.push(Sliding::new(mu, r_n, forces, own, rows));
        }
        Some(Self { normal, discs })
    }

    /// Whether it obeys its law within eps for certain; false says nothing.
    pub fn obeys(&self, eps: &Rational, by: &By<'_>) -> bool {
        let Normal {
            pressed,
            w,
            s,
            denominator,
        } = &self.normal;
        let one = Integer::from(1);
        let holds = |w: &Integer, s: &Integer, place: usize, [of_w, more]: [&Integer; 2]| match by {
            By::Rows => is_within(w, eps, &Integer::from(s * more)),
            By::Blocks(sizes) => {
                let size = sizes[place];
                let w = Integer::from(w * size.denom());
                is_within(&w, eps, &(Integer::from(size.numer() * of_w) * more))
            }
        };
        let is_up = !pressed && w.cmp0().is_ge();
        if !is_up && !holds(w, s, 0, [denominator, &one]) {
            return false;
        }
        self.discs.iter().all(|disc| {
            let [far, near] = disc.reaches(eps);
            let sticks = |row: &SlidingRow| holds(&row.w, &row.s, row.place, [&disc.of_w, &one]);
            let slides =
                |row: &SlidingRow| holds(&row.left, &row.s, row.place, [&disc.of_w, &disc.more]);
            near && (far && disc.rows.iter().all(slides) || disc.rows.iter().all(sticks))
        })
    }
}

/// |w| <= eps s.
fn is_within(w: &Integer, eps: &Rational, s: &Integer) -> bool {
    let left = Integer::from(w * eps.denom());
    left.cmp_abs(&Integer::from(s * eps.numer())).is_le()
}

impl Sliding {
    /// L is the one of least squares, rounded down.
    fn new(
        mu: &Rational,
        r_n: &Integer,
        forces: &Numerators,
        own: std::ops::Range<usize>,
        rows: &[Sums],
    ) -> Self {
        let r = &forces.values[own.clone()];
        let squares = r.iter().map(|r| Integer::from(r.square_ref()));
        let squares = squares.fold(Integer::new(), |sum, own| sum + own);
        let normal = Integer::from(r_n * mu.numer());
        let length = &squares * Integer::from(mu.denom().square_ref());
        let mut of_w = Integer::from(1);
        for row in &rows[own.clone()] {
            // Those of one block are often equal.
            if row.denominator != of_w {
                of_w.lcm_mut(&row.denominator);
            }
        }
        let lifted = |value: &Integer, row: &Sums| {
            value * Integer::from(of_w.div_exact_ref(&row.denominator))
        };
        let w: Vec<_> = rows[own.clone()]
            .iter()
            .map(|row| lifted(&row.w, row))
            .collect();
        let against = w.iter().zip(r).map(|(w, r)| Integer::from(w * r));
        let against = -against.fold(Integer::new(), |sum, own| sum + own);
        // L = l Z / (2^BITS D) of forces over Z and velocities over D.
        let l = match against.cmp0().is_gt() && !squares.is_zero() {
            true => (against << BITS) / &squares,
            false => Integer::new(),
        };
        let left = |(w, r): (&Integer, &Integer)| Integer::from(w << BITS) + &l * r;
        let left: Vec<_> = w.iter().zip(r).map(left).collect();
        let s = rows[own.clone()].iter().map(|row| lifted(&row.s, row));
        let all = own.zip(w.iter().cloned().zip(s).zip(left));
        let all = all.map(|(place, ((w, s), left))| SlidingRow { place, w, s, left });
        Self {
            share: [length, normal.square()],
            rows: all.collect(),
            of_w,
            more: Integer::from(1) << BITS,
        }
    }

    /// Whether (1 - eps)^2 r_N^2 <= |r|_d^2, and |r|_d^2 <= (1 + eps)^2 r_N^2.
    fn reaches(&self, eps: &Rational) -> [bool; 2] {
        let [length, normal] = &self.share;
        let below = Integer::from(eps.denom() - eps.numer());
        let below = below.max(Integer::new());
        let above = Integer::from(eps.denom() + eps.numer());
        let length = length * Integer::from(eps.denom().square_ref());
        let low = normal * below.square();
        let high = normal * above.square();
        [low <= length && !length.is_zero(), length <= high]
    }
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use etalon_kernel::{At, Budget, obeys};
    use proptest::prelude::*;

    /// r over one denominator; w and s of each row over 1, 2 and 3; a size of each row over 1.
    fn both(
        mu: (i32, i32),
        (r, of_r): ([i64; 3], i64),
        w: [i64; 3],
        s: [i64; 3],
        eps: &Rational,
    ) -> (bool, bool) {
        let (law, mu) = (Law::Coulomb, vec![Rational::from(mu); 2]);
        let disc = Disc {
            rows: vec![1, 2],
            mu,
            is_one: true,
        };
        let cone = Cone {
            normal: 0,
            discs: vec![disc],
            law,
        };
        let forces = Numerators {
            values: r.map(Integer::from).to_vec(),
            denominator: of_r.into(),
        };
        let sums = |k: usize| Sums {
            w: w[k].into(),
            s: s[k].into(),
            denominator: Integer::from(k + 1),
        };
        let sums: Vec<_> = (0..3).map(sums).collect();
        let row = |k: usize| At {
            r: Rational::from((r[k], of_r)),
            w: Rational::from((w[k], k as i64 + 1)),
            s: Rational::from((s[k], k as i64 + 1)),
        };
        let rows: Vec<_> = (0..3).map(row).collect();
        let found = Certain::new(&cone, &forces, &sums);
        let is_certain = |by: &By<'_>| found.as_ref().is_some_and(|own| own.obeys(eps, by));
        let sizes: Vec<_> = rows.iter().map(|row| &row.s).collect();
        let certain = is_certain(&By::Rows);
        assert_eq!(certain, is_certain(&By::Blocks(&sizes)));
        (
            certain,
            obeys(&cone, &rows, eps, &Budget::default()).unwrap(),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_certain_is_so(
            mu in (0..4, 1..4), r in (0..5_i64, -4..5_i64, -4..5_i64), of_r in 1..4_i64,
            w in prop::array::uniform3(-4..5_i64), more in prop::array::uniform3(0..9_i64),
            slides in any::<bool>(), eps in (0..4, 1..9),
        ) {
            let (r, mut w) = (<[i64; 3]>::from(r), w);
            if slides {
                // Against friction, the rows over 2 and 3.
                w = [0, -2 * r[1], -3 * r[2]];
            }
            let s = [0, 1, 2].map(|k| w[k].abs() + more[k]);
            let (certain, truly) = both(mu, (r, of_r), w, s, &Rational::from(eps));
            prop_assert!(truly || !certain);
        }
    }

    #[test]
    fn most_that_is_so_is_certain() {
        let at = |r, w, s, eps| both((1, 1), (r, 1), w, s, &Rational::from(eps));
        let (yes, no) = ((true, true), (false, false));
        // It sticks, slides and is open exactly.
        assert_eq!(at([5, 3, 4], [0; 3], [1; 3], (0, 1)), yes);
        assert_eq!(at([5, 3, 4], [0, -6, -12], [0, 6, 12], (0, 1)), yes);
        assert_eq!(at([5, 3, 4], [0, 6, 12], [0, 6, 12], (0, 1)), no);
        assert_eq!(at([0; 3], [3, 4, 5], [3, 4, 5], (0, 1)), yes);
        assert_eq!(at([0; 3], [-1, 4, 5], [9, 9, 9], (1, 9)), yes);
        assert_eq!(at([0; 3], [-1, 4, 5], [8, 9, 9], (1, 9)), no);
        // Within a tenth: of w, of the boundary from inside and from outside.
        assert_eq!(at([5, 3, 4], [1, 0, 0], [10; 3], (1, 10)), yes);
        assert_eq!(at([5, 3, 4], [1, 0, 0], [9; 3], (1, 10)), no);
        assert_eq!(at([10, 0, 9], [0, 0, -9], [9; 3], (1, 10)), yes);
        assert_eq!(at([10, 0, 8], [0, 0, -9], [9; 3], (1, 10)), no);
        assert_eq!(at([10, 0, 11], [0; 3], [9; 3], (1, 10)), yes);
        assert_eq!(at([10, 0, 12], [0; 3], [9; 3], (1, 10)), no);
        // Both rows count: the second moves across.
        assert_eq!(at([5, 5, 0], [0, -2, 3], [9; 3], (1, 10)), no);
        // A multiplier that takes no end in binary.
        let slide = both(
            (1, 1),
            ([5, 3, 4], 7),
            [0, -6, -12],
            [0, 6, 12],
            &Rational::from((1, 9)),
        );
        assert_eq!(slide, yes);
        // One of integers of 1, which is outside by a root of two.
        assert_eq!(at([1, 1, 1], [0; 3], [1; 3], (0, 1)), no);
    }
}
