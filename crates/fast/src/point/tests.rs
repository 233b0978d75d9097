//! The self-check against exact fractions, and its refusals one by one.

use rug::Rational;

use super::Point;
use crate::place::Place;
use crate::place::Place::{Between, Lower, Upper};
use crate::problem::{FrictionRow, LcpRef};
use crate::tolerances::{SECOND_ORDER, UNIT};

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        let factor = 6_364_136_223_846_793_005;
        self.0 = self.0.wrapping_mul(factor).wrapping_add(1);
        (self.0 >> 33) % bound
    }

    /// From -1 to 1, times a power of two.
    fn value(&mut self) -> f64 {
        let unit = self.below(1 << 30) as f64 / f64::from(1 << 29) - 1.0;
        unit * (self.below(30) as f64 - 15.0).exp2()
    }

    /// The same, often 0.
    fn sparse(&mut self) -> f64 {
        if self.below(3) == 0 {
            0.0
        } else {
            self.value()
        }
    }
}

fn exact(value: f64) -> Rational {
    Rational::from_f64(value).unwrap()
}

/// M, q, z and the places of a problem without bounds but 0.
struct Case {
    m: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    places: Vec<Place>,
}

impl Case {
    /// z at its places, and w near 0 in some of the rows.
    fn draw(draw: &mut Draw, n: usize, symmetric: bool) -> Self {
        let mut m: Vec<f64> = (0..n * n).map(|_| draw.sparse()).collect();
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            if symmetric && i < j {
                m[i * n + j] = m[j * n + i];
            }
        }
        let between: Vec<bool> = (0..n).map(|_| draw.below(3) > 0).collect();
        let z = between
            .iter()
            .map(|b| if *b { draw.sparse().abs() } else { 0.0 });
        let z: Vec<f64> = z.collect();
        let row = |i: usize| m[i * n..].iter().zip(&z).map(|(m, z)| m * z).sum::<f64>();
        let q = (0..n).map(|i| {
            let off = if draw.below(2) == 0 {
                0.0
            } else {
                draw.value()
            };
            if draw.below(8) == 0 {
                0.0
            } else {
                off - row(i)
            }
        });
        let q = q.collect();
        let places = between.iter().map(|b| if *b { Between } else { Lower });
        let places = places.collect();
        Self { m, q, z, places }
    }

    fn lcp(&self) -> LcpRef<'_> {
        LcpRef::new(&self.m, &self.q).unwrap()
    }

    fn point(&self, symmetric: bool) -> Point {
        let mut point = Point::default();
        point.reset(self.lcp());
        point.z.copy_from_slice(&self.z);
        point.evaluate(self.lcp(), symmetric);
        point
    }

    /// w_i and s_i, exactly.
    fn row(&self, i: usize) -> (Rational, Rational) {
        let n = self.q.len();
        let q = exact(self.q[i]);
        let terms = self.m[i * n..].iter().zip(&self.z);
        terms.fold((q.clone(), q.abs()), |(w, s), (m, z)| {
            let term = exact(*m) * exact(*z);
            (w + &term, s + term.abs())
        })
    }

    /// The largest part of s_i by which a row is wrong, exactly.
    fn error(&self) -> Rational {
        let rows = (0..self.q.len()).map(|i| {
            let (w, s) = self.row(i);
            let wrong = match self.places[i] {
                Between => w.abs(),
                _ => (-w).max(Rational::new()),
            };
            if wrong == 0 { wrong } else { wrong / s }
        });
        rows.max().unwrap()
    }
}

/// (c + 4) u bounds what w and s lose, by the columns of a symmetric M as by the rows of any.
#[test]
fn w_and_s_are_within_the_margin() {
    let mut draw = Draw(1);
    for n in (1..=24).cycle().take(600) {
        let symmetric = draw.below(2) == 0;
        let case = Case::draw(&mut draw, n, symmetric);
        let point = case.point(symmetric);
        let nonzero = case.z.iter().filter(|z| **z != 0.0).count();
        assert_eq!(point.margin(), (nonzero + 4) as f64 * UNIT);
        for i in 0..n {
            let (w, s) = case.row(i);
            let room = &s * exact(point.margin());
            assert!((exact(point.w[i]) - w).abs() <= room, "{i} of {n}");
            assert!((exact(point.s[i]) - s).abs() <= room, "{i} of {n}");
        }
    }
}

#[test]
fn the_bound_is_above_the_error_by_the_margin_at_most_twice() {
    let mut draw = Draw(2);
    let (mut small, mut large) = (0, 0);
    for n in (1..=12).cycle().take(2000) {
        let symmetric = draw.below(2) == 0;
        let case = Case::draw(&mut draw, n, symmetric);
        let point = case.point(symmetric);
        let found = point.backward_error(case.lcp(), &case.places);
        if found.is_infinite() {
            // Only where q is lost, or all of s: see below.
            assert!(case.error() >= Rational::from((1, 2)) || point.has_lost_q(case.lcp()));
            continue;
        }
        let (found, error) = (exact(found), case.error());
        assert!(found >= error, "{found} {error}");
        let room = 2 * exact(point.margin());
        assert!(found <= (error + room) * exact(SECOND_ORDER) * Rational::from((1001, 1000)));
        if found < Rational::from((1, 1_000_000)) {
            small += 1;
        } else {
            large += 1;
        }
    }
    assert!(small > 100 && large > 100, "{small} {large}");
}

/// A problem with bounds, [[2, 1], [1, 2]] z + q.
const M: [f64; 4] = [2.0, 1.0, 1.0, 2.0];

fn at(lcp: LcpRef<'_>, z: &[f64]) -> Point {
    let mut point = Point::default();
    point.reset(lcp);
    point.z.copy_from_slice(z);
    point.evaluate(lcp, false);
    point
}

/// What is wrong with w = (w_0, w_1), of s = (s_0, s_1), at such places.
fn error(lcp: LcpRef<'_>, z: &[f64], places: &[Place]) -> f64 {
    let point = at(lcp, z);
    let found = point.backward_error(lcp, places);
    found / SECOND_ORDER - point.margin()
}

#[test]
fn each_place_has_its_sign_of_w() {
    let q = [-4.0, -1.0];
    let (lower, upper) = ([0.0, -1.0], [1.0, 2.0]);
    let lcp = LcpRef::new(&M, &q).unwrap();
    let lcp = lcp.with_bounds(&lower, &upper).unwrap();
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    // w = (-2, 0), s = (6, 2): right at the upper bound.
    assert!(near(error(lcp, &[1.0, 0.0], &[Upper, Between]), 0.0));
    assert!(near(
        error(lcp, &[1.0, 0.0], &[Between, Between]),
        2.0 / 6.0
    ));
    // w = (-5, -3), s = (5, 3): wrong by all of it at the lower bound.
    assert_eq!(error(lcp, &[0.0, -1.0], &[Lower, Lower]), f64::INFINITY);
    // w = (0, 4), s = (8, 6): row 1 is wrong at the upper bound.
    assert!(near(error(lcp, &[1.0, 2.0], &[Between, Upper]), 4.0 / 6.0));
    // w = (-3, 1.5), s = (7, 5.5): each row is right at a bound, and wrong between.
    let q = [-4.0, 2.5];
    let lcp = LcpRef::new(&M, &q).unwrap();
    let lcp = lcp.with_bounds(&lower, &upper).unwrap();
    assert!(near(error(lcp, &[1.0, -1.0], &[Between, Lower]), 3.0 / 7.0));
    assert!(near(error(lcp, &[1.0, -1.0], &[Upper, Between]), 1.5 / 5.5));
}

#[test]
fn a_point_stands_where_its_places_say() {
    let q = [-1.0, -1.0];
    let pure = LcpRef::new(&M, &q).unwrap();
    let (lower, upper) = ([0.5, f64::NEG_INFINITY], [1.0, 2.0]);
    let boxed = pure.with_bounds(&lower, &upper).unwrap();
    let stands =
        |lcp: LcpRef<'_>, z: [f64; 2], places: [Place; 2]| at(lcp, &z).stands(lcp, &places);
    for (z, places, is_there) in [
        ([0.0, 1.0], [Lower, Between], true),
        ([0.0, 0.0], [Between, Between], true),
        ([1.0, 1.0], [Lower, Between], false),
        ([0.0, 1.0], [Upper, Between], false),
        ([-1.0, 1.0], [Between, Between], false),
        ([f64::NAN, 1.0], [Between, Between], false),
    ] {
        assert_eq!(stands(pure, z, places), is_there, "{z:?} {places:?}");
    }
    for (z, places, is_there) in [
        ([0.5, 2.0], [Lower, Upper], true),
        ([1.0, 2.0], [Upper, Between], true),
        ([0.5, -9.0], [Between, Between], true),
        ([0.75, 0.0], [Lower, Between], false),
        ([0.75, 0.0], [Upper, Between], false),
        ([0.25, 0.0], [Between, Between], false),
        ([1.25, 0.0], [Between, Between], false),
    ] {
        assert_eq!(stands(boxed, z, places), is_there, "{z:?} {places:?}");
        let finite = at(boxed, &z).backward_error(boxed, &places).is_finite();
        assert!(is_there || !finite);
    }
}

#[test]
fn nothing_that_is_no_number_passes() {
    let q = [-3.0, -3.0];
    let lcp = LcpRef::new(&M, &q).unwrap();
    let mut point = at(lcp, &[1.0, 1.0]);
    assert!(point.backward_error(lcp, &[Between; 2]) < 1e-15);
    point.w[1] = f64::NAN;
    assert_eq!(point.backward_error(lcp, &[Between; 2]), f64::INFINITY);
    // A force so small that products with it may underflow.
    let (m, q) = ([1.0, 0.0, 0.0, 1.0], [-1.0, -1e-200]);
    let lcp = LcpRef::new(&m, &q).unwrap();
    let tiny = at(lcp, &[1.0, 1e-200]);
    assert_eq!(tiny.backward_error(lcp, &[Between; 2]), f64::INFINITY);
}

/// [[1, -1], [-1, 1]] z = (t, t) has no solution, but a large z hides that.
#[test]
fn a_point_in_which_q_is_lost_is_no_answer() {
    let (m, q) = ([1.0, -1.0, -1.0, 1.0], [-1.0, -1.0]);
    let lcp = LcpRef::new(&m, &q).unwrap();
    // 6 u s = 1, with s = 2 z + 1: q counts as long as it is above that.
    let limit = 1.0 / (12.0 * UNIT);
    for (z, lost) in [(0.9 * limit, false), (1.1 * limit, true)] {
        let point = at(lcp, &[z, z]);
        assert_eq!(point.has_lost_q(lcp), lost, "{z}");
        assert_eq!(point.backward_error(lcp, &[Between; 2]).is_infinite(), lost);
    }
    // Where there is no q there is none to lose, and one row that keeps its q is enough.
    for (q, lost) in [
        ([0.0, 0.0], false),
        ([-1.0, 0.0], true),
        ([-1.0, -1e3], false),
    ] {
        let lcp = LcpRef::new(&m, &q).unwrap();
        let point = at(lcp, &[2.0 * limit, 2.0 * limit]);
        assert_eq!(point.has_lost_q(lcp), lost, "{q:?}");
    }
}

/// A row whose bounds are one number may have any w, but not between them.
#[test]
fn a_fixed_row_has_any_w() {
    let (q, bounds) = ([-9.0, -1.0], [1.0, 0.0]);
    let upper = [1.0, 5.0];
    let lcp = LcpRef::new(&M, &q).unwrap();
    let fixed = lcp.with_bounds(&bounds, &upper).unwrap();
    let point = at(fixed, &[1.0, 0.0]);
    assert!(point.is_fixed(fixed, 0) && !point.is_fixed(fixed, 1));
    assert!(!point.is_fixed(lcp, 0));
    for place in [Lower, Upper] {
        assert!(point.backward_error(fixed, &[place, Between]) < 1e-14);
    }
    assert!(point.backward_error(fixed, &[Between, Between]) > 0.1);
}

/// Row 1 rubs on row 0: -0.5 z_0 <= z_1 <= 0.5 z_0.
#[test]
fn a_friction_row_is_bounded_by_its_normal_row() {
    let q = [-4.0, 1.0];
    let friction = [FrictionRow {
        row: 1,
        normal: 0,
        mu: 0.5,
    }];
    let lcp = LcpRef::new(&M, &q).unwrap();
    let lcp = lcp.with_friction(&friction).unwrap();
    let mut point = at(lcp, &[2.0, 7.0]);
    assert_eq!(point.bounds(lcp, 0), (0.0, f64::INFINITY));
    assert_eq!(point.bounds(lcp, 1), (-1.0, 1.0));
    // Two roundings more, of mu z_0.
    assert_eq!(point.margin(), 8.0 * UNIT);
    assert!(!point.is_fixed(lcp, 1) && at(lcp, &[0.0, 0.0]).is_fixed(lcp, 1));
    for (places, z) in [
        ([Between, Upper], [2.0, 1.0]),
        ([Between, Lower], [2.0, -1.0]),
        ([Between, Between], [2.0, 7.0]),
        // The normal row goes first.
        ([Lower, Upper], [0.0, 0.0]),
    ] {
        point.z.copy_from_slice(&[2.0, 7.0]);
        point.put(lcp, &places);
        assert_eq!(point.z, z, "{places:?}");
    }
    // Without ties all that is between stays.
    let pure = LcpRef::new(&M, &q).unwrap();
    let mut point = at(pure, &[2.0, 7.0]);
    point.put(pure, &[Between, Lower]);
    assert_eq!(point.z, [2.0, 0.0]);
    // w = (0, 1), which is right at the lower bound of row 1, and not at another number that is rounded from it.
    let right = at(lcp, &[4.0 / 1.5, -4.0 / 3.0]);
    assert!(right.backward_error(lcp, &[Between, Lower]) < 1e-14);
    let off = at(lcp, &[4.0 / 1.5, -1.0]);
    assert_eq!(off.backward_error(lcp, &[Between, Lower]), f64::INFINITY);
}

#[test]
fn values_within_rounding_of_a_bound_are_moved_onto_it() {
    let q = [-1.0, -1.0];
    let (lower, upper) = ([0.0, -4.0], [3.0, 5.0]);
    let lcp = LcpRef::new(&M, &q).unwrap();
    let boxed = lcp.with_bounds(&lower, &upper).unwrap();
    // 1e-12 of the largest |z|, 4.
    for (off, moves) in [(3.9e-12, true), (4.1e-12, false)] {
        for (z, to) in [
            ([off, -4.0], [0.0, -4.0]),
            ([3.0 - off, -4.0], [3.0, -4.0]),
            ([-off, -4.0], [0.0, -4.0]),
        ] {
            let mut point = at(boxed, &z);
            assert_eq!(point.snap(boxed, &[Between, Lower]), moves);
            assert_eq!(point.z, if moves { to } else { z });
            // What is at a bound is not moved.
            let mut point = at(boxed, &z);
            assert!(!point.snap(boxed, &[Lower, Between]));
            assert_eq!(point.z, z);
        }
    }
    // 0 is on its bound already, which is no move.
    assert!(!at(lcp, &[0.0, 4.0]).snap(lcp, &[Between, Between]));
    assert_eq!(at(lcp, &[0.0, -4.0]).reach(), 4e-12);
}

/// The noise of unknown j at z, where it counts as noise just below `limit` and not just above.
fn noise_ends_at(limit: f64, lcp: LcpRef<'_>, j: usize, z: &[f64]) {
    let places = vec![Between; z.len()];
    for (factor, moves) in [(0.999, true), (1.001, false), (-0.999, true)] {
        let mut z = z.to_vec();
        z[j] = factor * limit;
        let mut point = at(lcp, &z);
        assert_eq!(point.snap_to_zero(lcp, &places), moves, "{factor} {limit}");
        z[j] = if moves { 0.0 } else { z[j] };
        assert_eq!(point.z, z);
        // At a bound it stays.
        let mut places = places.clone();
        places[j] = Lower;
        z[j] = factor * limit;
        assert!(!at(lcp, &z).snap_to_zero(lcp, &places));
    }
}

#[test]
fn noise_is_measured_by_what_rows_hold() {
    // s = (4, 2), so z may be displaced by (2, 1); then the rows hold 2 + 2 * 2 + 1 = 7 and 1 + 2 + 2 = 5.
    let q = [-2.0, -1.0];
    let lcp = LcpRef::new(&M, &q).unwrap();
    noise_ends_at(2.5e-12, lcp, 1, &[1.0, 0.0]);
    // z_0 has no entry in its row, and 4 and 1 in the others. s = (5, 6, 2): displaced by 2, the least that
    // it matters, and z_1 and z_2 by 6 and 2. Then row 1 holds 5 + 8 + 6 = 19 and row 2 1 + 2 + 2 = 5.
    let m = [0.0, 2.0, 0.0, 4.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    let q = [-3.0, -5.0, -1.0];
    let lcp = LcpRef::new(&m, &q).unwrap();
    noise_ends_at(5e-12, lcp, 0, &[0.0, 1.0, 1.0]);
}

#[test]
fn noise_is_moved_onto_0_only_where_0_is_allowed() {
    let q = [-2.0, -1.0];
    let lcp = LcpRef::new(&M, &q).unwrap();
    let infinite = [f64::INFINITY; 2];
    for (lower, moves) in [(0.0, true), (-1.0, true), (1e-20, false)] {
        let lower = [0.0, lower];
        let lcp = lcp.with_bounds(&lower, &infinite).unwrap();
        let mut point = at(lcp, &[1.0, 1e-15]);
        assert_eq!(point.snap_to_zero(lcp, &[Between; 2]), moves, "{lower:?}");
    }
    for (upper, moves) in [(0.0, true), (1.0, true), (-1e-20, false)] {
        let (lower, upper) = ([0.0, -1.0], [f64::INFINITY, upper]);
        let lcp = lcp.with_bounds(&lower, &upper).unwrap();
        let mut point = at(lcp, &[1.0, -1e-15]);
        assert_eq!(point.snap_to_zero(lcp, &[Between; 2]), moves, "{upper:?}");
    }
    // A friction row that stands at its bound follows its normal row onto 0.
    let friction = [FrictionRow {
        row: 1,
        normal: 0,
        mu: 0.5,
    }];
    let q = [-2.0, -1.0, -2.0];
    let m = [2.0, 1.0, 1.0, 1.0, 2.0, 0.0, 1.0, 0.0, 2.0];
    let lcp = LcpRef::new(&m, &q).unwrap();
    let lcp = lcp.with_friction(&friction).unwrap();
    for snap in [Point::snap, Point::snap_to_zero] {
        let mut point = at(lcp, &[1e-15, 5e-16, 1.0]);
        assert!(snap(&mut point, lcp, &[Between, Upper, Between]));
        assert_eq!(point.z, [0.0, 0.0, 1.0]);
    }
}
