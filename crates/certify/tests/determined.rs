//! A leaf of a cover may be one point in the problem's variables alone, and its multipliers whatever
//! they are; nothing less will do.
#![allow(clippy::unwrap_used)]

use etalon_certify::{CertificateError, Truth, check_cover};
use etalon_lcp::{Certificate, Cover, CoverNode, Number, Problem, Reduction, Unique, record};

fn problem(json: &str) -> Problem {
    record::read_problem(json).unwrap().record
}

fn numbers(values: &[i64]) -> Vec<Number> {
    values.iter().map(|&value| Number::from(value)).collect()
}

/// A cover of one leaf, which is one point.
fn point(y: &[i64], z: &[i64]) -> Cover {
    let (y, z) = (numbers(y), numbers(z));
    Cover {
        nodes: vec![CoverNode::Point { y, z }],
    }
}

fn claimed(problem: &Problem, cover: Cover) -> Result<Truth, CertificateError> {
    let mut truth = Truth::default();
    truth.add_certificate(problem, &Certificate::Enumeration(cover))?;
    Ok(truth)
}

#[test]
fn a_fixed_row_may_have_any_multiplier() {
    // z = 2, w = 1 + s, s free to grow. y = (0, 1): the row of the bounds reads 0 - a.
    let problem = problem(r#"{"name": "fixed", "M": [[0]], "q": [1], "lower": [2], "upper": [2]}"#);
    let truth = claimed(&problem, point(&[0, 1], &[0, 0])).unwrap();
    assert_eq!(truth.status().unique, Some(Unique::Z));
    assert!(truth.has_all_solutions());
    assert_eq!(truth.solutions(), [[2]]);
    // In the mixed form there are others.
    let mixed = Reduction::new(&problem);
    assert!(check_cover(mixed.mixed(), &point(&[0, 1], &[0, 0])).is_err());
}

#[test]
fn z_that_can_move_is_not_one_point() {
    // 0 <= z <= 1 and w = 0: all of it are solutions.
    let idle = r#"{"name": "idle", "M": [[0]], "q": [0], "lower": [0], "upper": [1]}"#;
    // Nothing is known of z without multipliers; with (0, 1), the form is not 0 at q.
    for y in [[0, 0], [0, 1], [1, 0]] {
        assert!(claimed(&problem(idle), point(&y, &[0, 0])).is_err());
    }
}

#[test]
fn z_that_moves_with_its_multiplier_is_not_one_point() {
    // w = -z + s = 0 on the row chosen: z = s, as far as equations go.
    let json = r#"{"name": "sum", "M": [[-1]], "q": [0], "lower": [0], "upper": [1]}"#;
    let nodes = |own: CoverNode| Cover {
        nodes: vec![
            CoverNode::Branch {
                row: 0,
                z_zero: 1,
                w_zero: 2,
            },
            CoverNode::Point {
                y: numbers(&[0, 0]),
                z: numbers(&[0, 0]),
            },
            own,
        ],
    };
    let own = CoverNode::Point {
        y: numbers(&[0, 0]),
        z: numbers(&[0, 0]),
    };
    // The first leaf is z = 0 with any multiplier; the second is not one point.
    let error = claimed(&problem(json), nodes(own)).unwrap_err();
    assert!(error.to_string().contains("node 2"), "{error}");
}
