//! What each certificate must and must not prove, on problems that one can solve in one's head.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{
    Covered, Truth, check_cover, check_farkas, check_p_matrix, check_symmetric_psd,
};
use etalon_lcp::{Certificate, Cover, CoverNode, Matrix, MixedLcp, Number, PMatrixProof};
use rug::Rational;

fn number(text: &str) -> Number {
    Number::parse_exact(text).unwrap()
}

fn vector(text: &str) -> Vec<Number> {
    text.split_whitespace().map(number).collect()
}

/// Rows are divided by semicolons.
fn matrix(text: &str) -> Matrix {
    Matrix::from_rows(text.split(';').map(vector).collect()).unwrap()
}

/// Complementary rows `c` and bilateral rows `f`.
fn lcp(m: &str, q: &str, rows: &str) -> MixedLcp {
    let bilateral = rows.chars().map(|row| row == 'f').collect();
    MixedLcp::new(matrix(m), vector(q), bilateral).unwrap()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, etalon_certify::CertificateError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn farkas_vectors_have_the_right_signs() {
    let check =
        |m: &str, q: &str, rows: &str, y: &str| match check_farkas(&lcp(m, q, rows), &vector(y)) {
            Ok(()) => "holds".to_owned(),
            Err(error) => error.to_string(),
        };
    assert_eq!(check("-1", "-1", "c", "1"), "holds");
    assert_eq!(check("0", "-1", "c", "1"), "holds");
    assert_eq!(
        check("1", "-1", "c", "1"),
        "row 0: the term of a bound of z may be negative"
    );
    assert_eq!(
        check("0", "1", "c", "-1"),
        "row 0: the term of w may be negative"
    );
    assert_eq!(
        check("0", "0", "c", "1"),
        "the constant of the form is not negative"
    );
    assert_eq!(
        check("0", "1", "c", "1"),
        "the constant of the form is not negative"
    );
    // On a bilateral row y may have any sign, but the column must vanish.
    assert_eq!(check("0", "1", "f", "-1"), "holds");
    assert_eq!(check("0", "-1", "f", "1"), "holds");
    assert_eq!(
        check("1", "-1", "f", "1"),
        "row 0: z has no bound, and a coefficient that is not 0"
    );
    assert_eq!(
        check("-1", "-1", "f", "1"),
        "row 0: z has no bound, and a coefficient that is not 0"
    );
    let length = check("1", "-1", "c", "1 1");
    assert_eq!(length, "y has another length than rows and double bounds");
}

#[test]
fn rows_of_other_denominators_are_combined_exactly() {
    let m = "1/2 -1/3; -1/3 2/9";
    let check = |q: &str, y: &str| check_farkas(&lcp(m, q, "cc"), &vector(y)).is_ok();
    // M'y = 0, and q'y = -1/14, 0, 1/14.
    assert!(check("-1/4 1/7", "2 3"));
    assert!(check("-1/4 1/7", "2/5 3/5"));
    assert!(!check("-1/4 1/6", "2 3"));
    assert!(!check("-1/4 4/21", "2 3"));
    // One thousandth more of either row makes a column positive.
    assert!(!check("-1/4 1/7", "2001/1000 3"));
    assert!(!check("-1/4 1/7", "2 3001/1000"));
    // A row that is not used may say anything.
    let unused = lcp("-1 0; 1e40 1/7", "-1/3 1e40", "cc");
    assert!(check_farkas(&unused, &vector("1 0")).is_ok());
}

fn branch(row: usize, z_zero: usize, w_zero: usize) -> CoverNode {
    CoverNode::Branch {
        row,
        z_zero,
        w_zero,
    }
}

fn empty(y: &str) -> CoverNode {
    CoverNode::Empty { y: vector(y) }
}

fn point(y: &str, z: &str) -> CoverNode {
    CoverNode::Point {
        y: vector(y),
        z: vector(z),
    }
}

fn face(vertices: &[&str], rays: &[&str]) -> CoverNode {
    let vectors = |texts: &[&str]| texts.iter().map(|text| vector(text)).collect();
    CoverNode::Face {
        vertices: vectors(vertices),
        rays: vectors(rays),
    }
}

fn covered(
    lcp: &MixedLcp,
    nodes: &[CoverNode],
) -> Result<Covered, etalon_certify::CertificateError> {
    check_cover(
        lcp,
        &Cover {
            nodes: nodes.to_vec(),
        },
    )
}

/// Two rows without a solution, of which the first is enough: any leaf is empty by y.
fn hopeless() -> (MixedLcp, CoverNode) {
    (lcp("-1 0; 0 -1", "-1 -1", "cc"), empty("1 0"))
}

#[test]
fn a_cover_is_a_tree_that_reaches_each_node_once() {
    let (lcp, leaf) = hopeless();
    let leaves = |n: usize| vec![leaf.clone(); n];
    let check = |branches: &[CoverNode], n: usize| covered(&lcp, &[branches, &leaves(n)].concat());
    assert!(check(&[], 1).unwrap().is_empty());
    assert!(check(&[branch(0, 1, 2)], 2).unwrap().is_empty());
    assert!(check(&[branch(1, 2, 1)], 2).unwrap().is_empty());
    let full = [branch(0, 1, 2), branch(1, 3, 4), branch(1, 5, 6)];
    assert!(check(&full, 4).unwrap().is_empty());

    // A node that is shared and another that is never reached: as many visits as nodes.
    let shared = [branch(0, 1, 2), branch(1, 3, 4), branch(1, 3, 5)];
    assert_eq!(
        refusal(check(&shared, 4)),
        "node 3: two branches share a node"
    );
    assert_eq!(
        refusal(check(&[branch(0, 1, 1)], 2)),
        "node 1: two branches share a node"
    );
    assert_eq!(
        refusal(check(&[branch(0, 1, 2)], 3)),
        "some nodes are not reached from node 0"
    );
    assert_eq!(refusal(check(&[], 0)), "node 0: there is no such node");
    assert_eq!(
        refusal(check(&[branch(0, 1, 2)], 1)),
        "node 2: there is no such node"
    );
    // Children come after their parents, also where nothing is shared.
    for bad in [branch(1, 1, 4), branch(1, 4, 1)] {
        let nodes = [
            branch(0, 2, 3),
            leaf.clone(),
            bad,
            leaf.clone(),
            leaf.clone(),
        ];
        assert_eq!(
            refusal(covered(&lcp, &nodes)),
            "node 2: a child must come after its parent"
        );
    }
    for loops in [branch(0, 0, 1), branch(0, 1, 0)] {
        assert_eq!(
            refusal(check(&[loops], 1)),
            "node 0: a child must come after its parent"
        );
    }
    // A row is branched on once on a path, but on both sides of another.
    for (row, n) in [(0, 4), (2, 4)] {
        let twice = [branch(0, 1, 2), branch(row, 3, 4), branch(1, 5, 6)];
        let refused = refusal(check(&twice, n));
        assert_eq!(refused, "node 1: its row is not open for a choice here");
    }
    let bilateral = self::lcp("0", "-1", "f");
    let nodes = [branch(0, 1, 2), empty("1"), empty("1")];
    assert_eq!(
        refusal(covered(&bilateral, &nodes)),
        "node 0: its row is not open for a choice here"
    );
}

#[test]
fn a_leaf_is_empty_only_by_what_was_chosen_on_its_way() {
    // z = 1 is the solution: where z = 0 there is none.
    let p = lcp("1", "-1", "c");
    let (no_z, no_w) = (empty("1"), empty("-1"));
    let check =
        |a: &CoverNode, b: &CoverNode| covered(&p, &[branch(0, 1, 2), a.clone(), b.clone()]);
    let one = point("0", "1");
    assert_eq!(check(&no_z, &one).unwrap().points, [[Rational::from(1)]]);
    assert_eq!(
        refusal(check(&no_w, &one)),
        "node 1: row 0: the term of w may be negative"
    );
    assert_eq!(
        refusal(check(&no_z, &no_z)),
        "node 2: row 0: the term of a bound of z may be negative"
    );
    assert_eq!(
        refusal(check(&no_z, &no_w)),
        "node 2: the constant of the form is not negative"
    );
    // The choices are taken back: node 2 is not below node 1.
    assert_eq!(
        refusal(check(&one, &no_z)),
        "node 2: row 0: the term of a bound of z may be negative"
    );
}

#[test]
fn vertices_and_points_keep_every_condition() {
    let check = |q: &str, at_z: &CoverNode, at_w: &CoverNode| {
        let nodes = [branch(0, 1, 2), at_z.clone(), at_w.clone()];
        match covered(&lcp("1/3", q, "c"), &nodes) {
            Ok(_) => "holds".to_owned(),
            Err(error) => error
                .to_string()
                .split(": ")
                .take(2)
                .collect::<Vec<_>>()
                .join(": "),
        }
    };
    let (at_z, at_w) = ("node 1: row 0", "node 2: row 0");
    let vertex = |z: &str| face(&[z], &[]);
    // w = z/3 - 1/7: the solution is z = 3/7, and there is none with z = 0.
    let (none, one) = (empty("1"), vertex("3/7"));
    assert_eq!(check("-1/7", &none, &one), "holds");
    assert_eq!(check("-1/7", &none, &vertex("1/2")), at_w, "w > 0");
    assert_eq!(check("-1/7", &none, &vertex("3/8")), at_w, "w < 0");
    assert_eq!(check("-1/7", &vertex("0"), &one), at_z, "w < 0");
    assert_eq!(check("-1/7", &one, &one), at_z, "z > 0");
    // w = z/3 + 1/7: the solution is z = 0, and there is none with w = 0.
    let (zero, none) = (vertex("0"), empty("-1"));
    assert_eq!(check("1/7", &zero, &none), "holds");
    assert_eq!(check("1/7", &vertex("-3/7"), &none), at_z, "z < 0, w = 0");
    assert_eq!(check("1/7", &vertex("-1/7"), &none), at_z, "z < 0, w > 0");
    assert_eq!(check("1/7", &zero, &vertex("-3/7")), at_w, "z < 0, w = 0");
    assert_eq!(check("1/7", &zero, &zero), at_w, "w > 0");
    // Bilateral rows: any z, but w = 0.
    let free = |z: &str| covered(&lcp("2", "1", "f"), &[vertex(z)]).is_ok();
    assert!(free("-1/2") && !free("0") && !free("-1"));
    // Without a choice a point must be a solution all the same: 0 where w = 2 - z, or 2.
    let open = |m: &str, q: &str, y: &str, z: &str| covered(&lcp(m, q, "c"), &[point(y, z)]);
    assert_eq!(
        open("-1", "0", "1", "0").unwrap().points,
        [[Rational::new()]]
    );
    let refused = "node 0: row 0: w has the wrong sign, or z is off the bound that allows it";
    assert_eq!(refusal(open("-1", "0", "1", "1")), refused, "w < 0");
    assert_eq!(refusal(open("-1", "2", "1", "1")), refused, "both positive");
    let outside = "node 0: row 0: z is outside its bounds";
    assert_eq!(refusal(open("1", "1", "1", "-1")), outside, "z < 0, w = 0");
    let length = refusal(open("-1", "0", "1", "0 0"));
    assert_eq!(
        length,
        "node 0: z has another length than rows and double bounds"
    );
    let length = refusal(open("-1", "0", "1 1", "0"));
    assert_eq!(
        length,
        "node 0: y has another length than rows and double bounds"
    );
    // 0 is one of two solutions of w = 2 - z, both without a choice: neither is alone.
    assert_eq!(
        refusal(open("-1", "2", "0", "0")),
        "node 0: the equations leave more than one point"
    );
    assert_eq!(
        refusal(open("-1", "2", "1", "2")),
        "node 0: the constant of the form is not 0"
    );
    assert_eq!(
        refusal(open("1", "0", "-1", "0")),
        "node 0: row 0: the term of w may be negative"
    );
}

/// z = 3 alone, whatever acts on it: the multiplier of its upper bound may grow for ever.
#[test]
fn a_ray_moves_more_than_multipliers() {
    let text = r#"{"name": "held", "M": [[0]], "q": [1], "lower": [3], "upper": [3]}"#;
    let problem = etalon_lcp::record::read_problem(text).unwrap().record;
    let check = |rays: &[&str]| {
        let nodes = vec![
            branch(0, 1, 2),
            branch(1, 3, 4),
            empty("-1 0"),
            face(&["0 7"], rays),
            face(&["0 0"], rays),
        ];
        let certificate = Certificate::Enumeration(Cover { nodes });
        let added = Truth::default().add_certificate(&problem, &certificate);
        added.map_err(|error| error.to_string())
    };
    assert_eq!(check(&[]), Ok(()));
    for ray in ["0 1", "0 -1", "0 0"] {
        assert_eq!(check(&[ray]), Err("node 4: a ray is zero".to_owned()));
    }
    // With M = 0 and bounds that are one number nothing else moves.
    let outside = "node 4: row 0: z is outside its bounds";
    assert_eq!(check(&["1 0"]), Err(outside.to_owned()));
}

#[test]
fn rays_go_on_for_ever() {
    // w = (z_0 - z_1 + 1/2, (z_1 - z_0 - 1/2) / 3): the solutions with w = 0 are (0, 1/2) + t (1, 1).
    let p = lcp("1 -1; -1/3 1/3", "1/2 -1/6", "cc");
    let check = |vertices: &[&str], rays: &[&str]| {
        let leaf = face(vertices, rays);
        // z_0 = 0 and z_1 = 0 leave w_1 < 0; the other two are points of the same line.
        let nodes = [
            branch(0, 1, 2),
            branch(1, 3, 4),
            branch(1, 5, 6),
            empty("0 6"),
            point("0 0", "0 1/2"),
            empty("-2 0"),
            leaf,
        ];
        covered(&p, &nodes)
    };
    let line = check(&["0 1/2", "1 3/2"], &["2 2"]).unwrap();
    assert_eq!((line.points.len(), line.faces[0].len()), (1, 2));
    assert!(!line.is_empty());
    assert!(check(&["0 1/2"], &[]).is_ok());
    assert_eq!(
        refusal(check(&["0 1/2"], &["0 0"])),
        "node 6: a ray is zero"
    );
    for ray in ["1 0", "-1 -1", "0 1/2", "2 3"] {
        let refused = refusal(check(&["0 1/2"], &[ray]));
        assert!(refused.starts_with("node 6: row "), "{ray}: {refused}");
    }
    assert_eq!(
        refusal(check(&[], &["1 1"])),
        "node 6: a face needs at least one solution"
    );
    assert_eq!(
        refusal(covered(&p, &[face(&["0 1/2"], &[])])),
        "node 0: a face needs a choice for every row"
    );
    assert!(Covered::default().is_empty());
    let faces = Covered {
        faces: line.faces,
        ..Covered::default()
    };
    assert!(!faces.is_empty());
}

/// Whether z = 0 is believed to be alone where w = Mz = 0 on all rows.
fn is_alone(m: &str) -> bool {
    let m = matrix(m);
    let n = m.n();
    let lcp = MixedLcp::new(m, vec![Number::from(0); n], vec![true; n]).unwrap();
    let zeros = vec![Number::from(0); n];
    let node = CoverNode::Point {
        y: zeros.clone(),
        z: zeros,
    };
    match covered(&lcp, &[node]) {
        Ok(covered) => covered.points.len() == 1,
        Err(error) => {
            assert_eq!(
                error.to_string(),
                "node 0: the equations leave more than one point"
            );
            false
        }
    }
}

#[test]
fn a_point_is_alone_where_the_equations_have_full_rank() {
    assert!(is_alone("2") && is_alone("-1/3") && !is_alone("0"));
    assert!(is_alone("0 1; 1 0") && is_alone("1 2; 3 4") && !is_alone("1 2; 2 4"));
    assert!(is_alone("2 3 5; 7 11 13; 9 14 19") && !is_alone("2 3 5; 7 11 13; 9 14 18"));
    assert!(is_alone("0 2 1; 3 0 1; 1 1 1") && !is_alone("0 2 1; 3 0 1; 3 -2 0"));
    assert!(!is_alone("-2 3 5; 7 -11 13; 5 -8 18") && !is_alone("1/2 1/3; -1/4 -1/6"));
    // Larger than the modulus, and multiples of it.
    let large = |d: i64| {
        format!("98765432109876543210987 -12345678901234567890123; 12345678901234567890123 98765432109876543210987; {d} 1")
            .split(';').take(2).collect::<Vec<_>>().join(";")
    };
    assert!(is_alone(&large(0)));
    assert!(!is_alone(
        "98765432109876543210987 -12345678901234567890123; -197530864219753086421974 24691357802469135780246"
    ));
    // A multiple of 2^61 - 1 is taken for 0: refused, though it is not.
    assert!(!is_alone("2305843009213693951"));
    // Four rows, dense: the fourth is the first plus twice the second minus the third.
    let rows = ["3 1 -4 1", "5 -9 2 6", "5 3 5 -8"];
    let (dependent, not) = ("8 -20 -5 21", "8 -20 -5 22");
    assert!(!is_alone(&[&rows[..], &[dependent]].concat().join(";")));
    assert!(is_alone(&[&rows[..], &[not]].concat().join(";")));
}

#[test]
fn y_names_the_equations_of_a_point() {
    // w = -z: z = 0 is alone, because w >= 0 and z >= 0 both hold as equations by y = 1.
    let two = lcp("-1 0; 0 -1", "0 0", "cc");
    assert!(covered(&two, &[point("1 1", "0 0")]).is_ok());
    for y in ["1 0", "0 1", "0 0"] {
        assert_eq!(
            refusal(covered(&two, &[point(y, "0 0")])),
            "node 0: the equations leave more than one point"
        );
    }
    // Chosen: z_0 = 0 or w_0 = 0 are equations without y.
    let nodes = [branch(0, 1, 2), point("0 1", "0 0"), point("0 1", "0 0")];
    assert!(covered(&two, &nodes).is_ok());
    // w_0 = z_1 - z_0 / 2 - 1 and y = 1 on it alone do not make z_0 an equation; only M'y != 0 does.
    let coupled = lcp("0 -1; 0 0", "0 0", "cc");
    assert!(refusal(covered(&coupled, &[point("1 0", "0 0")])).contains("more than one"));
}

#[test]
fn classes_are_computed_exactly() {
    let psd = |m: &str| check_symmetric_psd(&matrix(m)).map_err(|error| error.to_string());
    let pd = |m: &str| check_p_matrix(&matrix(m), &PMatrixProof::PositiveDefinite).is_ok();
    let minors = |m: &str| check_p_matrix(&matrix(m), &PMatrixProof::PrincipalMinors).is_ok();
    for m in [
        "0",
        "1/3",
        "1 2; 2 4",
        "0 0; 0 1",
        "2 -1 0; -1 2 -1; 0 -1 2",
        "0 0 0; 0 1 1; 0 1 1",
        "1/2 1/3; 1/3 2/9",
        "4 2 6; 2 1 3; 6 3 9",
    ] {
        assert_eq!(psd(m), Ok(()), "{m}");
    }
    let negative = Err("not positive semidefinite: a pivot is negative".to_owned());
    let zero = Err("not positive semidefinite: a zero on the diagonal meets a nonzero".to_owned());
    for m in [
        "-1",
        "1 2; 2 3",
        "1/2 1/3; 1/3 1/5",
        "2 -1 -2; -1 2 -1; -2 -1 2",
        "0 0; 0 -1",
        "1 1 1; 1 1 1; 1 1 0",
    ] {
        assert!(psd(m) == zero || psd(m) == negative, "{m}: {:?}", psd(m));
    }
    for m in ["0 1; 1 5", "1 0 1; 0 0 1; 1 1 9", "1 1 1; 1 1 2; 1 2 9"] {
        assert!(psd(m) == zero || psd(m) == negative, "{m}: {:?}", psd(m));
    }
    assert_eq!(psd("0 1; 1 0"), zero);
    assert_eq!(
        psd("1 0 1; 0 2 0; 0 0 1"),
        Err("row 2: M is not symmetric here".to_owned())
    );
    assert!(pd("1 5; -5 1") && pd("2 -1 0; -1 2 -1; 0 -1 2") && pd("1/2 1/3; 1/3 1/4"));
    assert!(!pd("1 2; 2 4") && !pd("1 3; 0 1") && !pd("0") && !pd("1/2 1/3; 1/3 2/9"));
    assert!(minors("1 3; 0 1") && minors("1 2 0; 0 1 2; 2 0 1") && minors("1/2 -1/3; 1/5 1/7"));
    assert!(minors("1 -1/2 0; 0 1 -1/2; -1/2 0 1"));
    assert!(
        !minors("1 -2 0; 0 1 -2; -2 0 1"),
        "only the whole is negative"
    );
    assert!(
        !minors("1 0 2; 0 1 0; 2 0 1"),
        "only rows 0 and 2 are negative"
    );
    assert!(
        !minors("1 0 0; 0 1 2; 0 2 1")
            && !minors("1 1; 1 1")
            && !minors("0")
            && !minors("1 0; 0 -1")
    );
    assert!(minors("4 3 2 1; -1 4 3 2; 1 -1 4 3; 2 1 -1 4"));
    assert!(!minors("4 3 2 9; -1 4 3 9; 1 -1 4 9; 9 9 -9 1"));
}

#[test]
fn dominance_is_strict_and_weighted() {
    let check = |m: &str, weights: &str| {
        let weights = vector(weights);
        check_p_matrix(&matrix(m), &PMatrixProof::DiagonallyDominant { weights })
            .map_err(|e| e.to_string())
    };
    let row = |i: usize| Err(format!("row {i}: it is not dominated by its diagonal"));
    assert_eq!(check("2 -1; 1 3/2", "1 1"), Ok(()));
    assert_eq!(check("1 -1; 0 1", "1 1"), row(0), "not strict");
    assert_eq!(check("1 -3; 0 1", "4 1"), Ok(()));
    assert_eq!(check("1 3; 0 1", "3 1"), row(0), "not strict");
    assert_eq!(check("1 3; 0 1", "1/4 1/12"), row(0), "not strict");
    assert_eq!(check("1 3; 0 1", "1/4 1/13"), Ok(()));
    assert_eq!(check("1 0; 1 -4", "1 1"), row(1), "a negative diagonal");
    assert_eq!(check("1 0; 0 0", "1 1"), row(1));
    assert_eq!(
        check("1 0; 0 1", "1 0"),
        Err("the weights must be positive".to_owned())
    );
    assert_eq!(
        check("1 0; 0 1", "-1 1"),
        Err("the weights must be positive".to_owned())
    );
    assert!(check("1 0; 0 1", "1").is_err() && check("1 0; 0 1", "1 1 1").is_err());
}

#[test]
fn what_is_dense_is_limited() {
    let identity = |n: u64| {
        Matrix::from_entries((n, n), (0..n).map(|i| (i, i, Number::from(1))).collect()).unwrap()
    };
    let minors = |n| check_p_matrix(&identity(n), &PMatrixProof::PrincipalMinors);
    assert_eq!(minors(16), Ok(()));
    assert!(refusal(minors(17)).starts_with("too many rows for all principal minors"));
    assert_eq!(check_symmetric_psd(&identity(200)), Ok(()));
    assert!(refusal(check_symmetric_psd(&identity(501))).starts_with("too many rows"));
    let over = check_symmetric_psd(&identity(500)).unwrap_err();
    assert!(over.is_over_budget(), "{over}");
    // Counted modulo a prime, 500 rows are no matter.
    let point = |n: u64| {
        let zeros = vec![Number::from(0); n as usize];
        let lcp = MixedLcp::new(identity(n), zeros.clone(), vec![true; n as usize]).unwrap();
        covered(
            &lcp,
            &[CoverNode::Point {
                y: zeros.clone(),
                z: zeros,
            }],
        )
    };
    assert!(point(500).is_ok());
    assert!(refusal(point(501)).starts_with("node 0: too many rows"));
}
