use super::*;
use crate::shape::Shape;
use crate::{Quaternion, separation::nearest::nearest};
use rug::Rational;

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn solid(shape: &Shape) -> Solid {
    Solid::new(shape, Default::default()).unwrap()
}

fn block(half_sizes: [(i64, i64); 3]) -> Solid {
    solid(&Shape::Box {
        half_sizes: half_sizes.map(|(n, d)| q(n, d)),
    })
}

/// A sequence that looks random, from -1 to 1.
fn sequence(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
}

fn attitude(seed: &mut u64) -> Quaternion {
    let mut entry = || Rational::from_f64(sequence(seed)).unwrap() + q(1, 1000);
    Quaternion([entry(), entry(), entry(), entry()])
}

/// Of two boxes that overlap the direction is a normal of a face or a product of two edges (Gottschalk 1996).
#[test]
fn boxes_that_overlap_part_along_one_of_fifteen_axes() {
    let (a, b) = (
        block([(1, 1), (1, 2), (1, 3)]),
        block([(1, 2), (2, 3), (1, 5)]),
    );
    let mut seed = 7;
    let mut overlaps = 0;
    for _ in 0..200 {
        let place: Triple = std::array::from_fn(|_| sequence(&mut seed));
        let a = Placed::new(&a, &attitude(&mut seed), [0.0; 3]);
        let b = Placed::new(&b, &attitude(&mut seed), place);
        let mut axes: Vec<Triple> = a.faces().chain(b.faces()).collect();
        for one in a.edges() {
            axes.extend(b.edges().filter_map(|other| unit(cross(&one, &other))));
        }
        let both = axes.iter().flat_map(|own| [*own, times(own, -1.0)]);
        let best = both
            .map(|own| gap_along(&a, &b, &own))
            .fold(f64::NEG_INFINITY, f64::max);
        if best >= 0.0 {
            continue;
        }
        overlaps += 1;
        for starts in [8, 32] {
            let found = widest(&a, &b, starts);
            assert!((found.gap - best).abs() < 1e-12, "{} {best}", found.gap);
            let across = difference(&found.points[1], &found.points[0]);
            assert!((dot(&across, &found.normal) - best).abs() < 1e-9);
        }
    }
    assert!(overlaps > 50, "{overlaps}");
}

/// Where bodies are apart the points prove the direction: no direction separates by more than they are apart.
#[test]
fn bodies_that_are_apart_have_points_as_far_apart_as_their_gap() {
    let shapes = [
        block([(1, 1), (1, 2), (1, 3)]),
        solid(&Shape::Cylinder {
            radius: q(1, 2),
            half_length: q(1, 3),
        }),
        solid(&Shape::Capsule {
            radius: q(1, 4),
            half_length: q(1, 2),
        }),
        solid(&Shape::Sphere { radius: q(1, 2) }),
    ];
    let mut seed = 3;
    for (first, second) in (0..16).map(|k| (&shapes[k / 4], &shapes[k % 4])) {
        for _ in 0..20 {
            let line = unit(std::array::from_fn(|_| sequence(&mut seed))).unwrap();
            let far = 2.6 + sequence(&mut seed) * 0.2;
            let a = Placed::new(first, &attitude(&mut seed), [0.0; 3]);
            let b = Placed::new(second, &attitude(&mut seed), times(&line, far));
            let found = widest(&a, &b, 8);
            let apart = crate::binary::length(&difference(&found.points[1], &found.points[0]));
            assert!(
                found.gap > 0.0 && (apart - found.gap).abs() < 1e-9,
                "{found:?} {apart}"
            );
            for (own, point) in [(&a, &found.points[0]), (&b, &found.points[1])] {
                assert!(own.outside(point) < 1e-9, "{found:?}");
            }
        }
    }
}

#[test]
fn cylinders_on_one_axis_part_along_it_whatever_they_are_turned_by() {
    let shape = |radius: Rational| {
        solid(&Shape::Cylinder {
            radius,
            half_length: q(1, 1),
        })
    };
    let (a, b) = (shape(q(1, 1)), shape(q(1, 2)));
    for turn in 0..20 {
        let spin = Quaternion([q(20, 1), q(0, 1), q(0, 1), q(turn, 1)]);
        let lower = Placed::new(&a, &Quaternion::identity(), [0.0; 3]);
        for depth in [1e-9, 1e-4, 0.1] {
            let upper = Placed::new(&b, &spin, [0.0, 0.0, 2.0 - depth]);
            let found = widest(&lower, &upper, 8);
            assert!(
                (found.gap + depth).abs() < 1e-12,
                "{turn} {depth}: {found:?}"
            );
            assert!(found.normal[2] > 1.0 - 1e-15);
        }
    }
}

/// Cores that overlap have no nearest points, and none are made up.
#[test]
fn bodies_that_overlap_have_no_nearest_points() {
    let own = block([(1, 1), (1, 1), (1, 1)]);
    let a = Placed::new(&own, &Quaternion::identity(), [0.0; 3]);
    for place in [
        [0.0, 0.0, 0.0],
        [1.0, 0.5, 0.25],
        [1.9, 0.0, 0.0],
        [2.0, 0.0, 0.0],
    ] {
        let b = Placed::new(&own, &Quaternion::identity(), place);
        assert!(
            nearest(&a, &b, &[0.0; 3], &[1.0, 0.0, 0.0]).is_none(),
            "{place:?}"
        );
    }
}
