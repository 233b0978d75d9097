//! Whatever is proved holds, of right places and of wrong ones.
#![allow(clippy::unwrap_used, clippy::panic)]

use etalon_exact::{BasisSolution, Budget, Signs, basis_solution};
use etalon_lcp::{Basis, Matrix, MixedLcp, Number};

use crate::block::Block;
use crate::dense::Kind;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;
use crate::range::look;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.bits() >> 33) % bound
    }

    fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// From -bound to bound.
    fn integer(&mut self, bound: u64) -> f64 {
        self.below(2 * bound + 1) as f64 - bound as f64
    }
}

/// Symmetric rows: sums of squares of `rank` vectors, whole or rounded, some of them scaled apart.
fn matrix(random: &mut Random, n: usize, rank: usize) -> Vec<f64> {
    let whole = random.below(2) == 0;
    let apart = random.below(3) == 0;
    let factor: Vec<f64> = (0..n * rank)
        .map(|_| {
            if whole {
                random.integer(3)
            } else {
                random.signed()
            }
        })
        .collect();
    let scale: Vec<f64> = (0..n)
        .map(|_| {
            if apart {
                (5.0 * random.integer(4)).exp2()
            } else {
                1.0
            }
        })
        .collect();
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let products = (0..rank).map(|k| factor[i * rank + k] * factor[j * rank + k]);
            let value = products.sum::<f64>() * scale[i] * scale[j];
            (m[i * n + j], m[j * n + i]) = (value, value);
        }
    }
    m
}

fn exact(m: &[f64], q: &[f64], bits: &[bool]) -> Option<BasisSolution> {
    let n = q.len();
    let number = |value: &f64| Number::from_f64(*value).unwrap();
    let rows = m
        .chunks_exact(n)
        .map(|row| row.iter().map(number).collect());
    let matrix = Matrix::from_rows(rows.collect()).unwrap();
    let q = q.iter().map(number).collect();
    let lcp = MixedLcp::new(matrix, q, vec![false; n]).unwrap();
    basis_solution(&lcp, &Basis::new(bits.to_vec()), &Budget::default()).ok()
}

/// Whether something was proved of these places, from the rounded exact point.
fn check(m: &[f64], q: &[f64], bits: &[bool], random: &mut Random) -> bool {
    let n = q.len();
    let exact = exact(m, q, bits);
    let lcp = LcpRef::new(m, q).unwrap();
    let Ok(seen) = look(lcp) else { return false };
    if !(seen.tame && seen.symmetric) {
        return false;
    }
    let place = |basic: &bool| {
        if *basic { Place::Between } else { Place::Lower }
    };
    let places: Vec<Place> = bits.iter().map(place).collect();
    let mut point = Point::default();
    let mut proved = false;
    for noise in [0.0, 1e-15, 1e-9] {
        point.reset(lcp);
        for i in (0..n).filter(|&i| bits[i]) {
            let z = exact.as_ref().map_or(1.0, |e| e.z()[i].to_f64());
            let moved = z * (1.0 + noise * random.signed());
            point.z[i] = if crate::range::is_tame(moved) {
                moved
            } else {
                0.0
            };
        }
        point.evaluate(lcp, true);
        let mut block = Block::default();
        block.reserve(n, Kind::Symmetric);
        if block.proves_places(lcp, seen.largest, &places, &point) {
            proved = true;
            let signs = exact.as_ref().map(|e| &e.signs);
            assert_eq!(signs, Some(&Signs::Feasible), "{m:?} {q:?} {bits:?}");
        }
    }
    proved
}

#[test]
fn nothing_false_is_proved() {
    let (mut proved, mut refused) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(9) as usize;
        let rank = n + 1 - random.below(3).min(n as u64) as usize;
        let m = matrix(&mut random, n, rank);
        let bits: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
        // q = w - M z for some z and w >= 0, many of them 0, and then off by next to nothing: where
        // the basis is regular, its point is that one.
        let value = |random: &mut Random| {
            let whole = random.integer(2).max(0.0);
            whole + random.integer(1) * (-(random.below(60) as f64)).exp2()
        };
        let point: Vec<f64> = (0..n).map(|_| value(&mut random)).collect();
        let q: Vec<f64> = (0..n)
            .map(|i| {
                let products = (0..n).filter(|&j| bits[j]).map(|j| m[i * n + j] * point[j]);
                let w = if bits[i] { 0.0 } else { point[i] };
                w - products.sum::<f64>()
            })
            .collect();
        if check(&m, &q, &bits, &mut random) {
            proved += 1;
        } else {
            refused += 1;
        }
    }
    // It says yes to some and no to others.
    assert!(proved > 100 && refused > 100, "{proved} {refused}");
}

#[test]
fn a_sign_within_rounding_is_not_proved() {
    // z = 2^-60 or -2^-60: too near 0 to tell.
    let m = [2.0, 1.0, 1.0, 2.0];
    let tiny = (-60.0f64).exp2();
    let mut random = Random::new(1);
    for z in [tiny, -tiny] {
        let q = [-2.0 - z, -1.0 - 2.0 * z];
        assert!(!check(&m, &q, &[true, true], &mut random));
    }
    assert!(check(&m, &[-2.0, -1.5], &[true, true], &mut random));
    // Singular, although its rounded factor need not be.
    let singular = [1.0, 1.0, 1.0, 1.0];
    assert!(!check(&singular, &[-2.0, -2.0], &[true, true], &mut random));
}

/// Symmetric rows that depend on each other but for a little on the diagonal.
fn nearly_singular(random: &mut Random, n: usize) -> Vec<f64> {
    let factor: Vec<f64> = (0..n * (n - 1)).map(|_| random.signed()).collect();
    let little = (-(3.0 + random.below(25) as f64)).exp2();
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let products = (0..n - 1).map(|k| factor[i * (n - 1) + k] * factor[j * (n - 1) + k]);
            let value = products.sum::<f64>() + if i == j { little } else { 0.0 };
            (m[i * n + j], m[j * n + i]) = (value, value);
        }
    }
    m
}

/// A point whose signs are right and whose residual is lost in rounding, of a block so near singular that the
/// exact point has other signs: only residual, its rounding and the least eigenvalue together tell.
#[test]
fn a_small_residual_alone_proves_nothing() {
    let (mut proved, mut infeasible) = (0, 0);
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let n = 2 + random.below(4) as usize;
        let m = nearly_singular(&mut random, n);
        let mut z: Vec<f64> = (0..n).map(|_| 1.0 + random.signed().abs()).collect();
        z[n - 1] *= (-(20.0 + random.below(30) as f64)).exp2();
        let row = |i: usize| (0..n).rev().map(|j| m[i * n + j] * z[j]).sum::<f64>();
        let q: Vec<f64> = (0..n).map(|i| -row(i)).collect();
        let bits = vec![true; n];
        let feasible = exact(&m, &q, &bits).unwrap().signs == Signs::Feasible;
        infeasible += u32::from(!feasible);
        let lcp = LcpRef::new(&m, &q).unwrap();
        let mut point = Point::default();
        point.reset(lcp);
        point.z.copy_from_slice(&z);
        point.evaluate(lcp, true);
        let largest = m.iter().fold(0.0f64, |most, m| most.max(m.abs()));
        let mut block = Block::default();
        block.reserve(n, Kind::Symmetric);
        if block.proves_places(lcp, largest, &vec![Place::Between; n], &point) {
            proved += 1;
            assert!(feasible, "{m:?} {z:?}");
        }
    }
    assert!(proved > 100 && infeasible > 100, "{proved} {infeasible}");
}

#[test]
fn rounding_in_the_factor_takes_from_the_eigenvalue() {
    for part in super::PARTS {
        let small = super::eigenvalue(2, part).unwrap();
        assert!(small < part && small > 0.99 * part);
    }
    // 2^-28 is no more than what the rounding of 6000 rows may hide.
    assert!(super::eigenvalue(4_000, super::PARTS[1]).is_some());
    assert_eq!(super::eigenvalue(6_000, super::PARTS[1]), None);
    assert_eq!(super::eigenvalue(1 << 21, super::PARTS[0]), None);
}

#[test]
fn a_computed_residual_of_zero_may_hide_rounding() {
    // w = 0 as computed, which is known to some 1e-15 only: times 2^16, more than 1e-12 and less than 1e-9.
    for (tiny, proved) in [(1e-9, true), (1e-12, false)] {
        let (m, q) = ([1.0, 0.0, 0.0, 1.0], [-1.0, -tiny]);
        let lcp = LcpRef::new(&m, &q).unwrap();
        let mut point = Point::default();
        point.reset(lcp);
        point.z.copy_from_slice(&[1.0, tiny]);
        point.evaluate(lcp, true);
        assert_eq!(point.w, [0.0, 0.0]);
        let holds = super::holds(lcp, &[0, 1], super::PARTS[0], 1.0, &point);
        assert_eq!(holds, proved);
    }
}

/// In other units of the unknowns M is D M D, q is D q and z is D^-1 z. With powers of two all of that is exact, and
/// so are the roots of the diagonal: whatever is proved in one of them is proved in all.
#[test]
fn units_make_no_difference_to_what_is_proved() {
    // z_0 is off by 2^-40, and the eigenvalue at least 2^-16: the point is off by no more than 2^-23. The sign of
    // z_1 or w_2 is known where it is larger than that.
    let cases = [(-20, -18, true), (-28, -18, false), (-20, -28, false)];
    for (z, w, proved) in
        cases.map(|(z, w, proved)| (f64::exp2(z as f64), f64::exp2(w as f64), proved))
    {
        for powers in [
            [0, 0, 0],
            [8, 8, 8],
            [-8, -8, -8],
            [8, 0, -8],
            [-8, 8, 0],
            [0, -8, 8],
        ] {
            let d = powers.map(|power| f64::exp2(power as f64));
            let entry = |k: usize| if k / 3 == k % 3 { 1.0 } else { 0.5 } * d[k / 3] * d[k % 3];
            let m: [f64; 9] = std::array::from_fn(entry);
            let q = [
                (-1.0 - 0.5 * z) * d[0],
                (-0.5 - z) * d[1],
                (-0.5 - 0.5 * z + w) * d[2],
            ];
            let lcp = LcpRef::new(&m, &q).unwrap();
            let mut point = Point::default();
            point.reset(lcp);
            point
                .z
                .copy_from_slice(&[(1.0 + f64::exp2(-40.0)) / d[0], z / d[1], 0.0]);
            point.evaluate(lcp, true);
            let largest = m.iter().fold(0.0f64, |most, m| most.max(*m));
            let holds = super::holds(lcp, &[0, 1], super::PARTS[0], largest, &point);
            assert_eq!(holds, proved, "{powers:?}, z_1 = {z:e}, w_2 = {w:e}");
        }
    }
}
