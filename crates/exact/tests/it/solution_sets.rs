//! What `enumerate` calls the whole solution set, held against a search of its own that visits every
//! cell: each row at its lower bound, at its upper bound, between, or held.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_certify::{Truth, solves};
use etalon_exact::{Budget, ExactMethod, decide, farkas};
use etalon_lcp::{
    ClaimedAnswer, Enumeration, Matrix, MixedLcp, Number, Problem, Row, SolutionFace, Unique,
    record,
};
use proptest::prelude::*;
use rug::Rational;

type Vector = Vec<Rational>;

fn enumerated(problem: &Problem) -> Enumeration {
    let claim = ExactMethod::Enumerate
        .solver(&Budget::default())
        .solve(problem);
    if let Some(certificate) = &claim.certificate {
        Truth::default()
            .add_certificate(problem, certificate)
            .unwrap();
    }
    match claim.answer {
        ClaimedAnswer::Unsolvable => Enumeration {
            complete: true,
            ..Enumeration::default()
        },
        _ => claim.enumeration.expect("a list of all solutions"),
    }
}

fn exact(values: &[Number]) -> Vector {
    values.iter().map(Number::to_rational).collect()
}

/// Whether z is a convex combination of the vertices plus nonnegative multiples of the rays: the
/// equations of the combination on bilateral rows, its coefficients on complementary ones.
fn is_on(face: &SolutionFace, z: &[Rational]) -> bool {
    let vectors: Vec<Vector> = face
        .vertices
        .iter()
        .chain(&face.rays)
        .map(|v| exact(v))
        .collect();
    let equations = z.len() + 1;
    let size = equations + vectors.len();
    let zero = || vec![Number::from(0); size];
    let mut rows = vec![zero(); size];
    for (k, vector) in vectors.iter().enumerate() {
        for (i, value) in vector.iter().enumerate() {
            rows[i][equations + k] = Number::from(value.clone());
        }
        rows[z.len()][equations + k] = Number::from(i64::from(k < face.vertices.len()));
    }
    let constant = z.iter().map(|value| Rational::from(-value));
    let mut q: Vec<Number> = constant.map(Number::from).collect();
    q.push(Number::from(-1));
    q.resize(size, Number::from(1));
    let bilateral = (0..size).map(|i| i < equations).collect();
    let lcp = MixedLcp::new(Matrix::from_rows(rows).unwrap(), q, bilateral).unwrap();
    farkas(&lcp, &Budget::default()).unwrap().is_none()
}

fn is_listed(set: &Enumeration, z: &[Rational]) -> bool {
    set.isolated.iter().any(|point| exact(point) == z)
        || set.faces.iter().any(|face| is_on(face, z))
}

/// What a cell asks of z: expressions that are 0, and expressions that are not negative, as the
/// coefficients of z and a constant.
#[derive(Debug, Clone, Default)]
struct Polyhedron {
    zero: Vec<Vector>,
    nonnegative: Vec<Vector>,
}

fn minus(a: &[Rational], b: &[Rational]) -> Vector {
    a.iter()
        .zip(b)
        .map(|(a, b)| Rational::from(a - b))
        .collect()
}

/// All cells of a problem.
fn cells(problem: &Problem) -> Vec<Polyhedron> {
    let with = |cell: &Polyhedron, state: &Polyhedron| Polyhedron {
        zero: [cell.zero.clone(), state.zero.clone()].concat(),
        nonnegative: [cell.nonnegative.clone(), state.nonnegative.clone()].concat(),
    };
    let mut cells = vec![Polyhedron::default()];
    for (i, row) in problem.rows().iter().enumerate() {
        let states = states(problem, i, row);
        cells = cells
            .iter()
            .flat_map(|cell| states.iter().map(move |state| with(cell, state)))
            .collect();
    }
    cells
}

/// factor z_j, or the constant factor for j = n.
fn unit(n: usize, j: usize, factor: Rational) -> Vector {
    let mut unit = vec![Rational::new(); n + 1];
    unit[j] = factor;
    unit
}

/// The bounds of row i.
fn limits(n: usize, row: &Row<'_>) -> (Option<Vector>, Option<Vector>) {
    let zero = || unit(n, n, Rational::new());
    let at = |bound: &Number| unit(n, n, bound.to_rational());
    match row {
        Row::Nonnegative => (Some(zero()), None),
        Row::AtLeast(lower) => (Some(at(lower)), None),
        Row::AtMost(upper) => (None, Some(at(upper))),
        Row::Between(lower, upper) => (Some(at(lower)), Some(at(upper))),
        Row::Free | Row::Cone => (None, None),
        Row::Friction { normal, mu } => {
            let limit = unit(n, *normal, mu.to_rational());
            (Some(minus(&zero(), &limit)), Some(limit))
        }
    }
}

/// Where row i may stand: between its bounds, at one of them, or at both.
fn states(problem: &Problem, i: usize, row: &Row<'_>) -> Vec<Polyhedron> {
    let n = problem.n();
    let mut w = vec![Rational::new(); n + 1];
    for (j, value) in problem.m().row(i) {
        w[j] = value.to_rational();
    }
    w[n] = problem.q()[i].to_rational();
    let z = unit(n, i, Rational::from(1));
    let (lower, upper) = limits(n, row);
    let above = lower.map(|lower| minus(&z, &lower));
    let below = upper.map(|upper| minus(&upper, &z));
    let mut states = vec![Polyhedron {
        zero: vec![w.clone()],
        nonnegative: above.iter().chain(&below).cloned().collect(),
    }];
    if let Some(above) = &above {
        states.push(Polyhedron {
            zero: vec![above.clone()],
            nonnegative: below.iter().chain([&w]).cloned().collect(),
        });
    }
    if let Some(below) = &below {
        let negative = minus(&unit(n, n, Rational::new()), &w);
        states.push(Polyhedron {
            zero: vec![below.clone()],
            nonnegative: above.iter().cloned().chain([negative]).collect(),
        });
    }
    if let (Some(above), Some(below)) = (above, below) {
        // Held: w is whatever it is.
        states.push(Polyhedron {
            zero: vec![above, below],
            nonnegative: Vec::new(),
        });
    }
    states
}

fn value(expression: &[Rational], z: &[Rational]) -> Rational {
    let n = z.len();
    let terms = expression.iter().zip(z).map(|(a, z)| Rational::from(a * z));
    terms.fold(expression[n].clone(), |sum, term| sum + term)
}

/// A solution of the equations, the unknowns that they leave free taken from `free`.
fn particular(equations: &[Vector], n: usize, free: &[i32]) -> Option<Vector> {
    let mut rows = equations.to_vec();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..n {
        let done = pivots.len();
        let Some(r) = (done..rows.len()).find(|&r| rows[r][column] != 0) else {
            continue;
        };
        rows.swap(done, r);
        let pivot = rows[done].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != done && row[column] != 0 {
                let factor = Rational::from(&row[column] / &pivot[column]);
                for (value, above) in row.iter_mut().zip(&pivot) {
                    *value -= Rational::from(&factor * above);
                }
            }
        }
        pivots.push((done, column));
    }
    if rows[pivots.len()..].iter().any(|row| row[n] != 0) {
        return None;
    }
    let mut z: Vector = (0..n).map(|j| Rational::from(free[j])).collect();
    for (_, column) in &pivots {
        z[*column] = Rational::new();
    }
    for (r, column) in pivots {
        z[column] = -(value(&rows[r], &z) / &rows[r][column]);
    }
    Some(z)
}

/// Points of a cell: those where some of its inequalities hold with equality, and mixtures of these.
fn points(cell: &Polyhedron, n: usize, random: &mut Random) -> Vec<Vector> {
    let mut found: Vec<Vector> = Vec::new();
    for _ in 0..12 {
        let mut equations = cell.zero.clone();
        let tight = cell.nonnegative.iter().filter(|_| random.below(2) == 0);
        equations.extend(tight.cloned().collect::<Vec<_>>());
        let free: Vec<i32> = (0..n).map(|_| random.below(9) as i32 - 3).collect();
        let inside = |z: &Vector| cell.nonnegative.iter().all(|e| value(e, z) >= 0);
        if let Some(z) = particular(&equations, n, &free).filter(inside)
            && !found.contains(&z)
        {
            found.push(z);
        }
    }
    if found.len() > 1 {
        let mixture = random.mixture(&found);
        found.push(mixture);
    }
    found
}

/// Small numbers that look random and are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn mixture(&mut self, points: &[Vector]) -> Vector {
        let weights: Vec<u64> = points.iter().map(|_| 1 + self.below(5)).collect();
        let total: u64 = weights.iter().sum();
        let entry = |j: usize| {
            let terms = points.iter().zip(&weights);
            let sum: Rational = terms.map(|(z, w)| Rational::from(&z[j] * *w)).sum();
            sum / total
        };
        (0..points[0].len()).map(entry).collect()
    }
}

/// Holds a list against all cells, and against itself.
fn check(problem: &Problem, seed: u64) {
    let set = enumerated(problem);
    assert!(set.complete, "{problem:?}");
    let mut random = Random(seed);
    for cell in cells(problem) {
        for z in points(&cell, problem.n(), &mut random) {
            assert!(solves(problem, &z).unwrap(), "the test itself: {z:?}");
            assert!(
                is_listed(&set, &z),
                "{z:?} is missing from {set:?} of {problem:?}"
            );
        }
    }
    for face in &set.faces {
        let vertices: Vec<Vector> = face.vertices.iter().map(|z| exact(z)).collect();
        let mut z = random.mixture(&vertices);
        for ray in &face.rays {
            let length = random.below(4);
            for (value, ray) in z.iter_mut().zip(exact(ray)) {
                *value += ray * length;
            }
        }
        assert!(
            solves(problem, &z).unwrap(),
            "{z:?} of {face:?} of {problem:?}"
        );
        assert!(is_listed(&set, &z));
    }
    for (k, point) in set.isolated.iter().enumerate() {
        let z = exact(point);
        assert!(solves(problem, &z).unwrap());
        let on_face = set.faces.iter().any(|face| is_on(face, &z));
        assert!(!on_face, "{z:?} is not isolated in {set:?} of {problem:?}");
        assert!(!set.isolated[..k].contains(point));
    }
}

fn problem(json: &str) -> Problem {
    record::read_problem(json).unwrap().record
}

/// A triangle of solutions with the corners (1, 1), (1, 2) and (3/2, 3/2) of the first two unknowns. The
/// other unknowns are 0; k lines through the first corner touch the triangle there.
fn triangle(k: usize, reversed: bool) -> Problem {
    let mut rows: Vec<[i64; 3]> = (1..=k as i64).map(|t| [-t, 1, t - 1]).collect();
    if reversed {
        rows.reverse();
    }
    rows.extend([[1, 0, -1], [-1, -1, 3]]);
    let n = 2 + rows.len();
    let mut m = vec![vec![0; n]; n];
    let mut q = vec![0; n];
    for (i, [x, y, constant]) in rows.into_iter().enumerate().map(|(r, row)| (r + 2, row)) {
        (m[i][0], m[i][1], q[i]) = (x, y, constant);
        (m[0][i], m[1][i]) = (1, 1);
    }
    problem(&format!(
        r#"{{"name": "triangle", "M": {m:?}, "q": {q:?}}}"#
    ))
}

#[test]
fn every_point_of_a_triangle_with_a_degenerate_corner_is_listed() {
    let mut random = Random(1);
    for k in [1, 2, 3, 7, 23, 24, 25, 40] {
        for reversed in [false, true] {
            let problem = triangle(k, reversed);
            let n = problem.n();
            let set = enumerated(&problem);
            assert!(set.complete);
            let corner = |x: (i32, i32), y: (i32, i32)| {
                let mut z = vec![Rational::new(); n];
                (z[0], z[1]) = (Rational::from(x), Rational::from(y));
                z
            };
            // Above the steepest line, x >= 1, x + y <= 3.
            let k = k as i32;
            let touch = ((k + 2, k + 1), (2 * k + 1, k + 1));
            let corners = [
                corner((1, 1), (1, 1)),
                corner((1, 1), (2, 1)),
                corner(touch.0, touch.1),
            ];
            for _ in 0..4 {
                let z = random.mixture(&corners);
                assert!(solves(&problem, &z).unwrap());
                assert!(is_listed(&set, &z), "k = {k}: {z:?} is missing");
            }
            let mut faces = set.faces.iter();
            assert!(faces.any(|face| corners.iter().all(|z| is_on(face, z))));
        }
    }
}

#[test]
fn the_end_of_a_face_is_not_isolated() {
    // Friction at 1 presses with 0 to 1 and holds; where it does not press at all it is held in
    // other ways of the mixed form, which are one and the same z.
    let json = r#"{"name": "held", "M": [[0, 0], [0, 0]], "q": [-1, 0],
        "friction": [{"row": 0, "normal": 1, "mu": 1}], "lower": ["-inf", 0], "upper": ["inf", 1]}"#;
    let set = enumerated(&problem(json));
    assert!(set.complete);
    assert!(set.isolated.is_empty(), "{set:?}");
    assert_eq!(set.faces.len(), 1);
    check(&problem(json), 1);
}

#[test]
fn faces_of_many_vertices_are_whole() {
    // A cube, every point of which is a solution.
    let n = 6;
    let zeros = vec![vec![0; n]; n];
    let json = format!(
        r#"{{"name": "cube", "M": {zeros:?}, "q": {:?}, "upper": {:?}}}"#,
        vec![0; n],
        vec![1; n]
    );
    let set = enumerated(&problem(&json));
    assert!(set.complete && set.isolated.is_empty());
    assert_eq!(set.faces.len(), 1);
    assert_eq!(set.faces[0].vertices.len(), 1 << n);
}

/// A small problem whose rows are of all kinds, with many ties.
fn small() -> impl Strategy<Value = Problem> {
    (1usize..=4).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-2i64..=2, n * n + n);
        let sparse = proptest::collection::vec(proptest::bool::weighted(0.6), n * n + n);
        let kinds = proptest::collection::vec(0u8..=6, n);
        (entries, sparse, kinds).prop_map(move |(entries, kept, kinds)| {
            let value = |k: usize| entries[k] * i64::from(kept[k]);
            let m: Vec<Vec<i64>> = (0..n)
                .map(|i| (0..n).map(|j| value(i * n + j)).collect())
                .collect();
            let q: Vec<i64> = (0..n).map(|i| value(n * n + i)).collect();
            let mut lower = Vec::new();
            let mut upper = Vec::new();
            let mut friction = Vec::new();
            for (i, kind) in kinds.iter().enumerate() {
                let (l, u) = match kind {
                    1 => (r#""-inf""#, r#""inf""#),
                    2 => ("0", "1"),
                    3 => ("1", "1"),
                    4 => (r#""-inf""#, "1"),
                    5 if i > 0 && kinds[0] != 1 && kinds[0] != 4 && kinds[0] != 5 => {
                        friction.push(format!(r#"{{"row": {i}, "normal": 0, "mu": 1}}"#));
                        (r#""-inf""#, r#""inf""#)
                    }
                    _ => ("0", r#""inf""#),
                };
                lower.push(l);
                upper.push(u);
            }
            problem(&format!(
                r#"{{"name": "p", "M": {m:?}, "q": {q:?}, "lower": [{}], "upper": [{}], "friction": [{}]}}"#,
                lower.join(","),
                upper.join(","),
                friction.join(",")
            ))
        })
    })
}

/// A pure problem of up to six rows with few entries.
fn pure() -> impl Strategy<Value = Problem> {
    (2usize..=6).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-1i64..=1, n * n + n);
        entries.prop_map(move |entries| {
            let (m, q) = entries.split_at(n * n);
            let m: Vec<&[i64]> = m.chunks(n).collect();
            problem(&format!(r#"{{"name": "p", "M": {m:?}, "q": {q:?}}}"#))
        })
    })
}

/// What `decide` says of uniqueness, against the list of all solutions. With so few rows it must say
/// what there is, also where multipliers of fixed and of friction rows are not unique.
fn check_unique(problem: &Problem) {
    let set = enumerated(problem);
    let decision = decide(problem, &Budget::default());
    let alone = set.faces.is_empty() && set.isolated.len() == 1;
    let unique = decision.truth.status().unique == Some(Unique::Z);
    assert_eq!(unique, alone, "{set:?} of {problem:?}");
    if unique {
        // The proof stands by itself.
        let mut truth = Truth::default();
        let proof = decision.certificate.expect("a proof");
        truth.add_certificate(problem, &proof).unwrap();
        assert_eq!(truth.status().unique, Some(Unique::Z));
    }
}

#[test]
fn z_is_unique_where_multipliers_are_not() {
    // Nothing presses, so nothing rubs; and a row that is fixed, whatever acts on it.
    for json in [
        r#"{"name": "lifted", "M": [[2, 0], [0, 1]], "q": [1, 3],
            "friction": [{"row": 1, "normal": 0, "mu": 1}], "lower": [0, "-inf"]}"#,
        r#"{"name": "fixed", "M": [[0, 1], [0, 0]], "q": [0, 1], "lower": [2, 0], "upper": [2, "inf"]}"#,
    ] {
        let problem = problem(json);
        check_unique(&problem);
        let truth = decide(&problem, &Budget::default()).truth;
        assert_eq!(truth.status().unique, Some(Unique::Z));
        assert!(truth.has_all_solutions());
        assert_eq!(truth.solutions().len(), 1);
    }
}

#[test]
fn z_is_proved_unique_beyond_the_rows_that_are_enumerated() {
    // Ten blocks of two contacts each, of which the second never presses and rubs.
    let n = 20;
    let mut m = vec![vec![0; n]; n];
    let mut friction = Vec::new();
    for k in 0..n / 2 {
        (m[2 * k][2 * k], m[2 * k + 1][2 * k + 1]) = (2, 1);
        friction.push(format!(
            r#"{{"row": {}, "normal": {}, "mu": 1}}"#,
            2 * k + 1,
            2 * k
        ));
    }
    let q: Vec<i32> = (0..n as i32).collect();
    let lower: Vec<&str> = (0..n)
        .map(|i| if i % 2 == 0 { "0" } else { r#""-inf""# })
        .collect();
    let problem = problem(&format!(
        r#"{{"name": "blocks", "M": {m:?}, "q": {q:?}, "lower": [{}], "friction": [{}]}}"#,
        lower.join(","),
        friction.join(",")
    ));
    let decision = decide(&problem, &Budget::default());
    assert_eq!(decision.truth.status().unique, Some(Unique::Z));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn uniqueness_is_decided(problem in small()) {
        check_unique(&problem);
    }

    #[test]
    fn all_solutions_of_all_cells_are_listed(problem in small(), seed in 0u64..1 << 40) {
        check(&problem, seed);
    }

    #[test]
    fn all_solutions_of_pure_problems_are_listed(problem in pure(), seed in 0u64..1 << 40) {
        check(&problem, seed);
    }
}
