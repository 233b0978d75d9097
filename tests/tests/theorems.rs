//! Theorems about linear complementarity, held against the checker on random problems.

use etalon_certify::{Truth, solves};
use etalon_exact::{Budget, ExactMethod, Lemke, LemkeOutcome, decide, enumerate};
use etalon_lcp::{
    Bound, Certificate, ClaimedAnswer, Friction, Matrix, MixedLcp, Number, Problem, PureForm,
    Reduction, Unique,
};
use proptest::prelude::*;
use rug::Rational;

fn number(value: i64) -> Number {
    Number::from(value)
}

fn matrix(n: usize, entry: impl Fn(usize, usize) -> i64) -> Matrix {
    let row = |i| (0..n).map(|j| number(entry(i, j))).collect();
    Matrix::from_rows((0..n).map(row).collect()).unwrap()
}

fn problem(m: Matrix, q: &[i64]) -> Problem {
    Problem::new("theorem", m, q.iter().copied().map(number).collect()).unwrap()
}

/// Mz + q.
fn w(m: &Matrix, q: &[Number], z: &[Rational]) -> Vec<Rational> {
    let row = |i: usize| {
        let terms = m.row(i).map(|(j, v)| v.to_rational() * &z[j]);
        terms.fold(q[i].to_rational(), |sum, term| sum + term)
    };
    (0..m.n()).map(row).collect()
}

/// B'B with B of `rank` rows: symmetric positive semidefinite.
fn gram(n: usize, rank: usize, b: &[i64]) -> Matrix {
    matrix(n, |i, j| {
        (0..rank).map(|k| b[k * n + i] * b[k * n + j]).sum()
    })
}

fn psd() -> impl Strategy<Value = Problem> {
    (1usize..=6).prop_flat_map(|n| {
        let b = proptest::collection::vec(-3i64..=3, n * n);
        let q = proptest::collection::vec(-5i64..=5, n);
        (b, q, 0..=n).prop_map(move |(b, q, rank)| problem(gram(n, rank, &b), &q))
    })
}

/// Strictly diagonally dominant by rows, positive diagonal: a P-matrix, rarely symmetric.
fn p_matrix() -> impl Strategy<Value = Problem> {
    (1usize..=7).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-3i64..=3, n * n);
        let q = proptest::collection::vec(-9i64..=9, n);
        (entries, q).prop_map(move |(e, q)| {
            let size = |i: usize| -> i64 { (0..n).map(|j| e[i * n + j].abs()).sum() };
            let m = matrix(n, |i, j| if i == j { size(i) + 1 } else { e[i * n + j] });
            problem(m, &q)
        })
    })
}

fn arbitrary_problem(largest: usize) -> impl Strategy<Value = Problem> {
    (1..=largest).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-3i64..=3, n * n);
        let q = proptest::collection::vec(-3i64..=3, n);
        (entries, q).prop_map(move |(e, q)| problem(matrix(n, |i, j| e[i * n + j]), &q))
    })
}

fn mixed(problem: &Problem) -> MixedLcp {
    Reduction::new(problem).mixed().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// CPS theorem 3.1.2: a feasible LCP with a positive semidefinite matrix is solvable; so an
    /// unsolvable one has a Farkas vector.
    #[test]
    fn psd_problems_are_solvable_or_infeasible(problem in psd()) {
        let decision = decide(&problem, &Budget::default());
        match decision.truth.status().solvable {
            Some(true) => {}
            Some(false) => {
                let farkas = matches!(decision.certificate, Some(Certificate::Farkas { .. }));
                prop_assert!(farkas, "{:?}", decision.certificate);
            }
            None => prop_assert!(false, "undecided: {:?}", decision.gave_up),
        }
    }

    /// CPS theorem 3.1.7: all solutions share w.
    #[test]
    fn symmetric_psd_problems_have_one_w(problem in psd()) {
        let set = enumerate(&mixed(&problem), &Budget::default()).unwrap();
        let solutions = set.isolated.iter().chain(set.faces.iter().flat_map(|f| &f.vertices));
        let mut all = solutions.map(|z| w(problem.m(), problem.q(), z));
        if let Some(first) = all.next() {
            prop_assert!(all.all(|other| other == first));
        }
        let zero = vec![number(0); problem.n()];
        for ray in set.faces.iter().flat_map(|face| &face.rays) {
            prop_assert!(w(problem.m(), &zero, ray).iter().all(Rational::is_zero));
        }
    }

    /// CPS theorem 3.3.7: just one solution for every q, found by every solver.
    #[test]
    fn p_matrices_have_one_solution_by_every_method(problem in p_matrix()) {
        let decision = decide(&problem, &Budget::default());
        prop_assert_eq!(decision.truth.status().unique, Some(Unique::Z));
        let solution = &decision.truth.solutions()[0];
        for method in ExactMethod::ALL {
            let claim = method.solver(&Budget::default()).solve(&problem);
            let ClaimedAnswer::Solved { z } = &claim.answer else {
                return Err(TestCaseError::fail(format!("{method}: {claim:?}")));
            };
            let z: Vec<_> = z.iter().map(Number::to_rational).collect();
            prop_assert_eq!(&z, solution, "{}", method);
        }
        let set = enumerate(&mixed(&problem), &Budget::default()).unwrap();
        prop_assert_eq!((set.isolated.len(), set.faces.len()), (1, 0));
    }

    /// Whatever the enumeration lists solves the problem, and its proof says the same.
    #[test]
    fn enumerated_solutions_are_solutions(problem in arbitrary_problem(5)) {
        let set = enumerate(&mixed(&problem), &Budget::default()).unwrap();
        let vertices = set.faces.iter().flat_map(|face| &face.vertices);
        for z in set.isolated.iter().chain(vertices) {
            prop_assert!(solves(&problem, z).unwrap());
        }
        for face in &set.faces {
            for (vertex, ray) in face.vertices.iter().flat_map(|v| face.rays.iter().map(move |r| (v, r))) {
                let far: Vec<_> = vertex.iter().zip(ray).map(|(v, r)| Rational::from(v + r) + r).collect();
                prop_assert!(solves(&problem, &far).unwrap());
            }
        }
        let mut truth = Truth::default();
        truth.add_certificate(&problem, &Certificate::Enumeration(set.cover.clone())).unwrap();
        prop_assert_eq!(truth.status().solvable, Some(!set.is_empty()));
    }

    /// Renaming rows renames the solutions.
    #[test]
    fn permuting_rows_permutes_the_solution_set(problem in arbitrary_problem(4), seed in any::<u64>()) {
        let n = problem.n();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&i| seed.rotate_left(7 * i as u32).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let entry = |i: usize, j: usize| problem.m().get(order[i], order[j]).unwrap().clone();
        let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
        let q = order.iter().map(|&i| problem.q()[i].clone()).collect();
        let permuted = Problem::new("p", Matrix::from_rows(rows.collect()).unwrap(), q).unwrap();
        let points = |problem: &Problem| {
            let set = enumerate(&mixed(problem), &Budget::default()).unwrap();
            let vertices = set.faces.into_iter().flat_map(|face| face.vertices);
            set.isolated.into_iter().chain(vertices).collect::<Vec<_>>()
        };
        let permute = |z: &Vec<Rational>| order.iter().map(|&i| z[i].clone()).collect::<Vec<_>>();
        let mut expected: Vec<_> = points(&problem).iter().map(permute).collect();
        let mut found = points(&permuted);
        for list in [&mut expected, &mut found] {
            list.sort();
            list.dedup();
        }
        prop_assert_eq!(found, expected);
    }

    /// Other units change neither the path nor, but for the units, its end.
    #[test]
    fn scaling_changes_no_pivot(problem in arbitrary_problem(5), powers in proptest::collection::vec((1u32..90, 1u32..90), 5)) {
        let n = problem.n();
        // The covering vector is scaled with the rows, so that it stays the same vector.
        let factor = |p: u32| Rational::from((i64::from(p), 10));
        let entry = |i: usize, j: usize| {
            let value = problem.m().get(i, j).unwrap().to_rational();
            Number::from(value * factor(powers[i].0) * factor(powers[j].1))
        };
        let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
        let q = (0..n).map(|i| Number::from(problem.q()[i].to_rational() * factor(powers[i].0)));
        let scaled = Problem::new("s", Matrix::from_rows(rows.collect()).unwrap(), q.collect()).unwrap();
        let cover = (0..n).map(|i| factor(powers[i].0)).collect();
        let plain = Lemke::default().solve(&mixed(&problem)).unwrap();
        let other = Lemke { cover: Some(cover), ..Lemke::default() }.solve(&mixed(&scaled)).unwrap();
        prop_assert_eq!(plain.pivots, other.pivots);
        match (plain.outcome, other.outcome) {
            (LemkeOutcome::Solved { z, basis }, LemkeOutcome::Solved { z: y, basis: other }) => {
                prop_assert_eq!(basis, other);
                let back: Vec<_> = y.iter().zip(&powers).map(|(y, p)| y * factor(p.1)).collect();
                prop_assert_eq!(z, back);
            }
            (LemkeOutcome::Ray(_), LemkeOutcome::Ray(_)) => {}
            (one, other) => prop_assert!(false, "{one:?} and {other:?}"),
        }
    }
}

/// A row of a problem with a planted solution: how it is bounded, and where z and w stand.
#[derive(Debug, Clone, Copy)]
struct Planted {
    kind: u8,
    position: u8,
    a: i64,
    b: i64,
}

fn planted_row() -> impl Strategy<Value = Planted> {
    (0u8..5, 0u8..3, 0i64..=3, 1i64..=3).prop_map(|(kind, position, a, b)| Planted {
        kind,
        position,
        a,
        b,
    })
}

/// A problem that has the solution it is built around: z and w are chosen first, q = w - Mz.
fn planted() -> impl Strategy<Value = (Problem, Vec<Rational>)> {
    (2usize..=5).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-3i64..=3, n * n);
        let rows = proptest::collection::vec(planted_row(), n);
        (entries, rows, any::<bool>(), 0i64..=2)
            .prop_map(move |(e, rows, friction, mu)| build(n, &e, &rows, friction, mu))
    })
}

fn build(
    n: usize,
    e: &[i64],
    rows: &[Planted],
    friction: bool,
    mu: i64,
) -> (Problem, Vec<Rational>) {
    let mut lower = Vec::new();
    let mut upper = Vec::new();
    let mut z = Vec::new();
    let mut w = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        // Row 0 is the normal row where there is friction.
        let kind = if friction && i == 0 { 0 } else { row.kind };
        let (low, high) = (row.a - 1, row.a - 1 + row.b);
        let (l, u, zi, wi) = match (kind, row.position) {
            (0, 0) => (Some(0), None, 0, row.a),
            (0, _) => (Some(0), None, row.b, 0),
            (1, 0) => (Some(low), None, low, row.a),
            (1, _) => (Some(low), None, high, 0),
            (2, 0) => (None, Some(high), high, -row.a),
            (2, _) => (None, Some(high), low, 0),
            (3, 0) => (Some(low), Some(high), low, row.a),
            (3, 1) => (Some(low), Some(high), high, -row.a),
            (3, _) => (Some(low), Some(high), low, 0),
            _ => (None, None, row.a - 2, 0),
        };
        lower.push(l.map_or(Bound::NegativeInfinity, |v| Bound::Finite(number(v))));
        upper.push(u.map_or(Bound::Infinity, |v| Bound::Finite(number(v))));
        z.push(zi);
        w.push(wi);
    }
    let mut rows_with_friction = Vec::new();
    if friction {
        let row = rows[1];
        let limit = mu * z[0];
        (z[1], w[1]) = match row.position {
            0 => (-limit, row.a),
            1 => (limit, -row.a),
            _ => (limit.min(row.a - 1).max(-limit), 0),
        };
        rows_with_friction.push(Friction {
            row: 1,
            normal: 0,
            mu: number(mu),
        });
    }
    let dot = |i: usize| -> i64 { (0..n).map(|j| e[i * n + j] * z[j]).sum() };
    let q: Vec<i64> = (0..n).map(|i| w[i] - dot(i)).collect();
    let problem = problem(matrix(n, |i, j| e[i * n + j]), &q)
        .with_bounds(Some(lower), Some(upper))
        .and_then(|problem| problem.with_friction(rows_with_friction))
        .unwrap();
    (problem, z.into_iter().map(Rational::from).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// The reduction to the mixed form loses no solution, and the way back finds one.
    #[test]
    fn a_planted_solution_is_never_denied((problem, z) in planted()) {
        prop_assert!(solves(&problem, &z).unwrap());
        let decision = decide(&problem, &Budget::default());
        prop_assert_eq!(decision.truth.status().solvable, Some(true), "{:?}", decision);
        for method in ExactMethod::ALL {
            let claim = method.solver(&Budget::default()).solve(&problem);
            match claim.answer {
                ClaimedAnswer::Solved { z } => {
                    let z: Vec<_> = z.iter().map(Number::to_rational).collect();
                    prop_assert!(solves(&problem, &z).unwrap(), "{}", method);
                }
                ClaimedAnswer::Unsolvable => prop_assert!(false, "{method} denies {z:?}"),
                ClaimedAnswer::Failed => {}
            }
        }
    }

    /// Bilateral rows eliminated or split, the solutions are the same.
    #[test]
    fn elimination_and_splitting_agree(problem in arbitrary_problem(4), free in proptest::collection::vec(any::<bool>(), 4)) {
        let n = problem.n();
        let lcp = MixedLcp::new(problem.m().clone(), problem.q().to_vec(), free[..n].to_vec()).unwrap();
        let direct = enumerate(&lcp, &Budget::default()).unwrap();
        let split = PureForm::split(&lcp);
        let by_split = enumerate(split.lcp(), &Budget::default()).unwrap();
        prop_assert_eq!(direct.is_empty(), by_split.is_empty());
        match PureForm::eliminate(&lcp) {
            Err(singular) => prop_assert!(singular.rank < singular.rows),
            Ok(eliminated) => {
                let set = enumerate(eliminated.lcp(), &Budget::default()).unwrap();
                let mut lifted: Vec<_> = set.isolated.iter().map(|z| eliminated.lift(z)).collect();
                let mut isolated = direct.isolated.clone();
                lifted.sort();
                isolated.sort();
                prop_assert_eq!(lifted, isolated);
                prop_assert_eq!(set.faces.len(), direct.faces.len());
            }
        }
    }
}
