//! Right certificates made wrong in one place: the checker must reject what no longer proves
//! anything. Where a change may leave a valid proof, the twin says whether it did.

use etalon_certify::{Truth, check_cover, check_farkas, check_p_matrix, check_symmetric_psd};
use etalon_exact::{Budget, decide, enumerate, find_one};
use etalon_lcp::{
    Certificate, Cover, CoverNode, Matrix, MixedLcp, Number, PMatrixProof, Problem, Reduction,
    record,
};
use etalon_tests::{goldens, twin};
use rug::Rational;

fn problem(json: &str) -> Problem {
    record::read_problem(json).unwrap().record
}

/// Pure problems without a solution: small goldens, and all 2 x 2 ones of a grid.
fn unsolvable() -> Vec<Problem> {
    let grid = (0..3u32.pow(6)).map(|code| {
        let v = |k: u32| i64::from(code / 3u32.pow(k) % 3) - 1;
        let (m, q) = ([v(0), v(1), v(2), v(3)], [v(4), v(5)]);
        problem(&format!(
            r#"{{"name": "g", "M": [[{}, {}], [{}, {}]], "q": [{}, {}]}}"#,
            m[0], m[1], m[2], m[3], q[0], q[1]
        ))
    });
    let goldens = goldens::up_to(8).into_iter().filter(Problem::is_pure);
    grid.chain(goldens)
        .filter(|p| decide(p, &Budget::default()).truth.is_unsolvable())
        .collect()
}

fn twin_numbers(values: &[Number]) -> Vec<twin::Rational> {
    let text = |v: &Number| twin::parse(&v.to_rational().to_string()).unwrap();
    values.iter().map(text).collect()
}

fn twin_matrix(problem: &Problem) -> Vec<Vec<twin::Rational>> {
    let zero = Number::from(0);
    let entry = |i, j| problem.m().get(i, j).unwrap_or(&zero).clone();
    let row = |i| (0..problem.n()).map(|j| entry(i, j)).collect::<Vec<_>>();
    (0..problem.n()).map(|i| twin_numbers(&row(i))).collect()
}

fn mixed(problem: &Problem) -> MixedLcp {
    Reduction::new(problem).mixed().clone()
}

/// All vectors that differ from y in one small way.
fn mutants(y: &[Number]) -> Vec<Vec<Number>> {
    let mut mutants = Vec::new();
    let exact: Vec<Rational> = y.iter().map(Number::to_rational).collect();
    let mut push = |vector: &[Rational]| {
        mutants.push(vector.iter().cloned().map(Number::from).collect());
    };
    for i in 0..y.len() {
        for change in [
            |v: &Rational| Rational::from(-v),
            |v: &Rational| Rational::from(v + 1),
            |v: &Rational| Rational::from(v - 1),
            |_: &Rational| Rational::new(),
            |v: &Rational| Rational::from(v * 2),
        ] {
            let mut mutant = exact.clone();
            mutant[i] = change(&exact[i]);
            push(&mutant);
        }
        let mut swapped = exact.clone();
        swapped.swap(i, (i + 1) % y.len());
        push(&swapped);
    }
    push(&vec![Rational::new(); y.len()]);
    push(&exact[1..]);
    mutants
}

#[test]
fn a_changed_farkas_vector_is_accepted_only_where_it_still_proves() {
    let mut rejected = 0;
    for problem in unsolvable() {
        let proof = decide(&problem, &Budget::default()).certificate;
        let Some(Certificate::Farkas { y }) = proof else {
            continue;
        };
        let (lcp, m) = (mixed(&problem), twin_matrix(&problem));
        let q = twin_numbers(problem.q());
        assert!(check_farkas(&lcp, &y).is_ok());
        for mutant in mutants(&y) {
            let accepted = check_farkas(&lcp, &mutant).is_ok();
            let proves = twin::check_farkas(&m, &q, &twin_numbers(&mutant));
            assert_eq!(accepted, proves, "{}: {mutant:?}", problem.name());
            rejected += usize::from(!accepted);
        }
    }
    assert!(rejected > 100, "only {rejected} mutants were wrong");
}

fn tree(nodes: &[CoverNode], index: usize) -> twin::Tree {
    match &nodes[index] {
        CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } => twin::Tree::Branch {
            row: *row,
            z_zero: Box::new(tree(nodes, *z_zero)),
            w_zero: Box::new(tree(nodes, *w_zero)),
        },
        CoverNode::Empty { y } => twin::Tree::Empty { y: twin_numbers(y) },
        other => panic!("{other:?} in a cover without solutions"),
    }
}

/// Proper covers, of more than a root.
fn covers() -> Vec<(Problem, Cover)> {
    let covers = unsolvable().into_iter().filter_map(|problem| {
        match decide(&problem, &Budget::default()).certificate {
            Some(Certificate::Cover(cover)) => Some((problem, cover)),
            _ => None,
        }
    });
    covers.collect()
}

fn proves_none(lcp: &MixedLcp, cover: &Cover) -> bool {
    check_cover(lcp, cover).is_ok_and(|covered| covered.is_empty())
}

#[test]
fn a_changed_leaf_is_accepted_only_where_it_still_proves() {
    let covers = covers();
    assert!(covers.len() > 5, "only {} covers", covers.len());
    let mut rejected = 0;
    for (problem, cover) in covers {
        let (lcp, m) = (mixed(&problem), twin_matrix(&problem));
        let q = twin_numbers(problem.q());
        assert!(proves_none(&lcp, &cover));
        for (k, node) in cover.nodes.iter().enumerate() {
            let CoverNode::Empty { y } = node else {
                continue;
            };
            for y in mutants(y) {
                let short = y.len() != problem.n();
                let mut mutant = cover.clone();
                mutant.nodes[k] = CoverNode::Empty { y };
                let accepted = proves_none(&lcp, &mutant);
                let proves = !short && twin::check_cover(&m, &q, &tree(&mutant.nodes, 0));
                assert_eq!(accepted, proves, "{}: node {k}", problem.name());
                rejected += usize::from(!accepted);
            }
        }
    }
    assert!(rejected > 50, "only {rejected} mutants were wrong");
}

#[test]
fn a_tree_that_forgets_something_is_rejected() {
    for (problem, cover) in covers() {
        let lcp = mixed(&problem);
        let n = problem.n();
        for (k, node) in cover.nodes.iter().enumerate() {
            let CoverNode::Branch {
                row,
                z_zero,
                w_zero,
            } = *node
            else {
                continue;
            };
            let with = |node: CoverNode| {
                let mut mutant = cover.clone();
                mutant.nodes[k] = node;
                mutant
            };
            let branch = |row, z_zero, w_zero| {
                with(CoverNode::Branch {
                    row,
                    z_zero,
                    w_zero,
                })
            };
            for (what, mutant) in [
                ("both children the same", branch(row, z_zero, z_zero)),
                ("a loop", branch(row, k, w_zero)),
                ("a loop to the root", branch(row, z_zero, 0)),
                ("a child outside", branch(row, z_zero, cover.nodes.len())),
                ("a row outside", branch(n, z_zero, w_zero)),
                ("only one half", with(cover.nodes[z_zero].clone())),
                ("only the other half", with(cover.nodes[w_zero].clone())),
            ] {
                assert!(!proves_none(&lcp, &mutant), "{what} in {}", problem.name());
            }
        }
        let mut more = cover.clone();
        more.nodes.push(more.nodes[0].clone());
        assert!(!proves_none(&lcp, &more), "a node that nothing leads to");
        let mut fewer = cover.clone();
        fewer.nodes.pop();
        assert!(!proves_none(&lcp, &fewer), "a node missing");
        assert!(!proves_none(&lcp, &Cover::default()), "no node at all");
    }
}

#[test]
fn a_cover_that_branches_twice_on_a_row_is_rejected() {
    let lcp = mixed(&problem(r#"{"name": "p", "M": [[-1]], "q": [-1]}"#));
    let Ok(etalon_exact::Found::None(cover)) = find_one(&lcp, &Budget::default()) else {
        panic!("-z - 1 >= 0 has no solution z >= 0");
    };
    let empty = cover.nodes[0].clone();
    let branch = |z_zero, w_zero| CoverNode::Branch {
        row: 0,
        z_zero,
        w_zero,
    };
    let once = Cover {
        nodes: vec![branch(1, 2), empty.clone(), empty.clone()],
    };
    assert!(proves_none(&lcp, &once));
    let twice = vec![
        branch(1, 4),
        branch(2, 3),
        empty.clone(),
        empty.clone(),
        empty,
    ];
    assert!(!proves_none(&lcp, &Cover { nodes: twice }));
}

#[test]
fn an_enumeration_that_hides_a_solution_is_rejected() {
    // Four solutions, (0 or 1, 0 or 1).
    let p = problem(r#"{"name": "four", "M": [[-1, 0], [0, -1]], "q": [1, 1]}"#);
    let lcp = mixed(&p);
    let cover = enumerate(&lcp, &Budget::default()).unwrap().cover;
    assert_eq!(check_cover(&lcp, &cover).unwrap().points.len(), 4);
    let points: Vec<usize> = (0..cover.nodes.len())
        .filter(|&k| matches!(cover.nodes[k], CoverNode::Point { .. }))
        .collect();
    for &k in &points {
        let CoverNode::Point { y, z } = &cover.nodes[k] else {
            continue;
        };
        let hidden = CoverNode::Empty { y: y.clone() };
        let nothing = CoverNode::Empty {
            y: vec![Number::from(0); 2],
        };
        let elsewhere = CoverNode::Point {
            y: y.clone(),
            z: vec![Number::from(7); 2],
        };
        let outside = CoverNode::Face {
            vertices: vec![vec![Number::from(7); 2]],
            rays: vec![],
        };
        let no_ray = CoverNode::Face {
            vertices: vec![z.clone()],
            rays: vec![vec![Number::from(1); 2]],
        };
        for node in [hidden, nothing, elsewhere, outside, no_ray] {
            let mut mutant = cover.clone();
            mutant.nodes[k] = node;
            assert!(check_cover(&lcp, &mutant).is_err(), "{:?}", mutant.nodes[k]);
        }
    }
}

#[test]
fn a_point_that_is_not_alone_is_rejected() {
    // Every z >= 0 solves M = 0, q = 0.
    let p = problem(r#"{"name": "ray", "M": [[0]], "q": [0]}"#);
    let zero = || vec![Number::from(0)];
    for y in [zero(), vec![Number::from(1)], vec![Number::from(-1)]] {
        let nodes = vec![CoverNode::Point { y, z: zero() }];
        assert!(check_cover(&mixed(&p), &Cover { nodes }).is_err());
    }
}

#[test]
fn classes_are_not_believed() {
    let matrix = |rows: &[&[i64]]| {
        let number = |row: &&[i64]| row.iter().map(|&v| Number::from(v)).collect();
        Matrix::from_rows(rows.iter().map(number).collect()).unwrap()
    };
    // One unit off: the determinant is -1 instead of 0.
    assert!(check_symmetric_psd(&matrix(&[&[1, 2], &[2, 4]])).is_ok());
    assert!(check_symmetric_psd(&matrix(&[&[1, 2], &[2, 3]])).is_err());
    assert!(check_symmetric_psd(&matrix(&[&[0, 1], &[1, 5]])).is_err());
    assert!(
        check_symmetric_psd(&matrix(&[&[1, 2], &[1, 4]])).is_err(),
        "not symmetric"
    );
    let definite = PMatrixProof::PositiveDefinite;
    assert!(check_p_matrix(&matrix(&[&[1, 5], &[-5, 1]]), &definite).is_ok());
    assert!(
        check_p_matrix(&matrix(&[&[1, 2], &[2, 4]]), &definite).is_err(),
        "singular"
    );
    let minors = PMatrixProof::PrincipalMinors;
    assert!(check_p_matrix(&matrix(&[&[1, 3], &[0, 1]]), &minors).is_ok());
    assert!(check_p_matrix(&matrix(&[&[1, 3], &[1, 3]]), &minors).is_err());
    assert!(check_p_matrix(&matrix(&[&[0, 1], &[-1, 1]]), &minors).is_err());
    let weights = |d: [i64; 2]| PMatrixProof::DiagonallyDominant {
        weights: d.iter().map(|&v| Number::from(v)).collect(),
    };
    let triangular = matrix(&[&[1, 3], &[0, 1]]);
    assert!(check_p_matrix(&triangular, &weights([4, 1])).is_ok());
    assert!(
        check_p_matrix(&triangular, &weights([3, 1])).is_err(),
        "not strict"
    );
    assert!(check_p_matrix(&triangular, &weights([4, -1])).is_err());
    let reflected = matrix(&[&[-4, 1], &[1, 4]]);
    assert!(
        check_p_matrix(&reflected, &weights([1, 1])).is_err(),
        "a negative diagonal"
    );
}

#[test]
fn a_property_of_m_says_nothing_where_bounds_move() {
    let p = problem(
        r#"{"name": "f", "M": [[1, 0], [0, 1]], "q": [1, 0],
            "friction": [{"row": 1, "normal": 0, "mu": 1}]}"#,
    );
    let mut truth = Truth::default();
    assert!(
        truth
            .add_certificate(&p, &Certificate::SymmetricPsd)
            .is_err()
    );
    let proof = Certificate::PMatrix(PMatrixProof::PositiveDefinite);
    assert!(truth.add_certificate(&p, &proof).is_err());
    assert_eq!(
        truth,
        Truth::default(),
        "a refused certificate leaves no trace"
    );
}
