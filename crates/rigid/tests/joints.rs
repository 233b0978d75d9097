//! Joints with axes: their rows measure what they say, and its second derivative.

#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use etalon_rigid::{
    Body3, Freedom, Joint, JointKind, Model, Scene3, SceneError, System, Vector, Vector3,
};
use rug::Rational;

type Q = Rational;

fn joint(kind: Freedom<Q, 3>) -> Joint<Q, 3> {
    Joint {
        name: "joint".to_owned(),
        first: "one".to_owned(),
        second: "other".to_owned(),
        point: Vector::ratios([(1, 2), (1, 3), (0, 1)]),
        kind: JointKind::Free(kind),
        limits: None,
        drive: None,
    }
}

const SPINS: [[i64; 3]; 2] = [[1, -2, 3], [2, 1, -1]];

fn system(kind: Freedom<Q, 3>, is_fixed: bool) -> Result<System<Q>, SceneError> {
    let body = |name: &str, k: usize| {
        let moments = [1, 2, 2].map(Q::from);
        let own = Body3::new(name, 2.into(), moments, Vector::integers([k as i64, 0, 1]));
        own.moving(Vector::integers([0, 1, 2]), Vector::integers(SPINS[k]))
    };
    let mut other = body("other", 1);
    other.fixed = is_fixed;
    Scene3::new(Vector::zero())
        .body(body("one", 0))
        .body(other)
        .joint(joint(kind))
        .system()
}

fn z() -> Vector3<Q> {
    Vector::axis(2)
}

/// Rodrigues' rotation about w by |w| t.
fn turned(own: [f64; 3], w: [i64; 3], t: f64) -> [f64; 3] {
    let w = w.map(|own| own as f64);
    let length = w.iter().map(|own| own * own).sum::<f64>().sqrt();
    let k = w.map(|own| own / length);
    let (sin, cos) = (length * t).sin_cos();
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let along: f64 = (0..3).map(|i| k[i] * own[i]).sum();
    let across = cross(k, own);
    std::array::from_fn(|i| own[i] * cos + across[i] * sin + k[i] * along * (1.0 - cos))
}

#[test]
fn rows_of_axes_measure_how_their_product_changes_and_its_second_derivative() {
    // The hinge about z has the products of z of the first body with x and y of the second.
    for is_fixed in [false, true] {
        let system = system(Freedom::Hinge { axis: z() }, is_fixed).unwrap();
        let names: Vec<_> = system.joints.iter().map(|own| own.name.as_str()).collect();
        let expected = [
            "joint axis 0",
            "joint axis 1",
            "joint axis 2",
            "joint turn 3",
            "joint turn 4",
        ];
        assert_eq!(names, expected);
        for (row, axis) in system.joints[3..].iter().zip(0..2) {
            let b: [f64; 3] = std::array::from_fn(|i| f64::from(u8::from(i == axis)));
            let product = |t: f64| {
                let e = turned([0.0, 0.0, 1.0], SPINS[0], t);
                let b = turned(b, SPINS[1], t);
                (0..3).map(|i| e[i] * b[i]).sum::<f64>()
            };
            let h = 1e-4;
            let rate = (product(h) - product(-h)) / (2.0 * h);
            let second = (product(h) - 2.0 * product(0.0) + product(-h)) / (h * h);
            let own = row.constraint.velocity(&system.velocity).to_f64();
            assert!((own - rate).abs() < 1e-6, "{axis}: {own} for {rate}");
            let drift = row.constraint.drift.to_f64();
            assert!(
                (drift - second).abs() < 1e-5,
                "{axis}: {drift} for {second}"
            );
        }
    }
}

#[test]
fn each_kind_has_its_rows() {
    let axis = || Vector::ratios([(2, 3), (-1, 3), (2, 3)]);
    let second_axis = Vector::integers([1, 2, 0]);
    for (kind, rows) in [
        (Freedom::Ball, 3),
        (Freedom::Hinge { axis: axis() }, 5),
        (
            Freedom::Universal {
                axis: axis(),
                second_axis,
            },
            4,
        ),
        (Freedom::Slider { axis: axis() }, 5),
        (Freedom::Fixed, 6),
    ] {
        let word = kind.word();
        let system = system(kind, false).unwrap();
        let all: Vec<_> = system
            .joints
            .iter()
            .map(|own| own.constraint.row.clone())
            .collect();
        // The rows are independent.
        let coupling = system.coupling(&all, &all);
        assert_eq!(
            (all.len(), coupling.has_positive_pivots()),
            (rows, true),
            "{word}"
        );
    }
}

#[test]
fn an_axis_of_irrational_length_allows_the_same() {
    // (1, 1, 0) has no unit vector of fractions; that along it by a half-turn has.
    let rows = |axis: [i64; 3]| {
        let system = system(
            Freedom::Hinge {
                axis: Vector::integers(axis),
            },
            false,
        )
        .unwrap();
        let own = system.joints.iter().map(|own| own.constraint.row.clone());
        (own.collect::<Vec<_>>(), system)
    };
    let (own, system) = rows([1, 1, 0]);
    // No row resists turning about the axis: the first body against the second.
    let mut turning = vec![Q::new(); system.dofs()];
    (turning[3], turning[4]) = (1.into(), 1.into());
    assert!(own[3..].iter().all(|row| row.times(&turning) == 0));
    (turning[3], turning[4]) = (1.into(), (-1).into());
    assert!(own[3..].iter().any(|row| row.times(&turning) != 0));
    // Nor is there one across it that no row resists.
    (turning[3], turning[4], turning[5]) = (0.into(), 0.into(), 1.into());
    assert!(own[3..].iter().any(|row| row.times(&turning) != 0));
}

#[test]
fn axes_that_are_none_are_errors_with_the_joint() {
    let says = |kind: Freedom<Q, 3>, words: &str| {
        let why = system(kind, false).unwrap_err().to_string();
        assert!(why.contains("\"joint\"") && why.contains(words), "{why}");
    };
    says(
        Freedom::Hinge {
            axis: Vector::zero(),
        },
        "an axis that is zero",
    );
    let second_axis = Vector::integers([0, 1, 1]);
    says(
        Freedom::Universal {
            axis: z(),
            second_axis,
        },
        "not at a right angle",
    );
}
