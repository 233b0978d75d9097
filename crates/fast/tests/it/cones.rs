//! What `fast-cone` promises, held by the exact checker.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::walls::{Random, wall};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_fast::{ConeProblem, ConeSolver, solve_cones};
use etalon_lcp::{
    ClaimedAnswer, Cone, Disc, Law, Matrix, Mu, Number, Problem, Solver, VerdictKind,
};
use rug::Rational;

/// Whether it was solved; panics where the checker finds a block error above 1e-12.
pub fn solves(problem: &Problem) -> bool {
    let claim = ConeSolver.solve(problem);
    if claim.answer == ClaimedAnswer::Failed {
        return false;
    }
    let tolerance = Tolerance {
        tol: Rational::from((1, 1_000_000_000_000u64)),
        snap: Rational::new(),
        ..Tolerance::default()
    };
    let verdict = check_claim(problem, &claim, &Truth::default(), &tolerance);
    let fine = matches!(verdict.kind, VerdictKind::Exact | VerdictKind::Accepted);
    assert!(fine, "{}: {verdict:?}", problem.name());
    true
}

pub fn number(value: f64) -> Number {
    Number::from_f64(value).unwrap()
}

/// A contact with discs of so many rows and a mu a row, some of them 0.
fn contact(random: &mut Random, first: usize, sizes: &[usize], law: Law) -> Cone {
    let mut row = first + 1;
    let discs = sizes.iter().map(|&size| {
        let rows = (row..row + size).collect();
        row += size;
        let mut mu = || {
            number(if random.next() < 0.1 {
                0.0
            } else {
                random.next()
            })
        };
        let mu = if size % 2 == 0 {
            Mu::One(mu())
        } else {
            Mu::Each((0..size).map(|_| mu()).collect())
        };
        Disc { rows, mu }
    });
    let discs = discs.collect();
    Cone {
        normal: first,
        discs,
        law,
    }
}

/// M = B B' of low or full rank, plain rows after the contacts.
fn local(seed: u64, law: Law) -> Problem {
    let mut random = Random(seed * 1_000_003 + 1);
    let shapes: [&[usize]; 6] = [&[2], &[1], &[3], &[5], &[2, 2], &[2, 1, 2, 1]];
    let (mut cones, mut n) = (Vec::new(), 0);
    for _ in 0..1 + seed % 4 {
        let sizes = shapes[(random.next() * 6.0) as usize];
        cones.push(contact(&mut random, n, sizes, law));
        n += 1 + sizes.iter().sum::<usize>();
    }
    n += seed as usize % 3;
    let rank = if random.next() < 0.5 {
        n
    } else {
        n.div_ceil(2)
    };
    let b: Vec<Vec<f64>> = (0..n)
        .map(|_| (0..rank).map(|_| random.next() - 0.5).collect())
        .collect();
    let dot = |i: usize, j: usize| b[i].iter().zip(&b[j]).map(|(a, b)| a * b).sum::<f64>();
    let rows = (0..n).map(|i| (0..n).map(|j| number(dot(i, j))).collect());
    // In the range of M, but for a lift of the normals: solvable.
    let push: Vec<f64> = (0..rank).map(|_| random.next() - 0.5).collect();
    let q = b
        .iter()
        .map(|row| number(row.iter().zip(&push).map(|(a, b)| a * b).sum()));
    let m = Matrix::from_rows(rows.collect()).unwrap();
    let problem = Problem::new(format!("local/{}/{seed}", law.word()), m, q.collect()).unwrap();
    problem.with_cones(cones).unwrap()
}

#[test]
fn no_answer_called_solved_is_wrong() {
    for law in Law::ALL {
        let solved = (0..150).filter(|&seed| solves(&local(seed, law))).count();
        // Some have no solution, or none is found.
        assert!(solved >= 120, "{}: {solved} of 150", law.word());
    }
}

#[test]
fn walls_in_mixed_form_are_solved() {
    for (width, height) in [(1, 1), (2, 2), (3, 3), (5, 3)] {
        for law in Law::ALL {
            assert!(solves(&wall(width, height, 7, law)), "{width} x {height}");
        }
    }
}

#[test]
fn a_solution_nearby_saves_factorisations() {
    let problem = ConeProblem::from_problem(&wall(3, 3, 5, Law::Coulomb)).unwrap();
    let cold = solve_cones(&problem, None).unwrap();
    let warm = solve_cones(&problem, Some(&cold.z)).unwrap();
    assert!(
        warm.factors <= 1 && cold.factors > 5,
        "{} {}",
        warm.factors,
        cold.factors
    );
    // A start that is none does no harm.
    let far = vec![f64::NAN; problem.n()];
    assert!(solve_cones(&problem, Some(&far)).is_ok());
}

#[test]
fn what_has_no_solution_is_failed() {
    // `docs/cones.md`: semidefinite, and no mode is possible.
    let m = [[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 0.0]];
    let m = m.map(|row| row.map(number).to_vec()).to_vec();
    let q = [-1.0, -1.0, 0.0].map(number).to_vec();
    let problem = Problem::new("none", Matrix::from_rows(m).unwrap(), q).unwrap();
    let disc = Disc {
        rows: vec![1, 2],
        mu: Mu::One(number(1.0)),
    };
    let cone = Cone {
        normal: 0,
        discs: vec![disc],
        law: Law::Coulomb,
    };
    let problem = problem.with_cones(vec![cone]).unwrap();
    assert!(!solves(&problem));
}

/// Plain rows of each kind beside a contact that slides: all of them have a solution, by hand, and it is found.
#[test]
fn plain_rows_beside_contacts_are_solved() {
    for name in ["bounded", "free", "friction"] {
        let root = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../golden/problems/cone/edge"
        );
        let text = std::fs::read_to_string(format!("{root}/beside_a_{name}_row.json")).unwrap();
        let problem = etalon_lcp::record::read_problem(&text).unwrap().record;
        assert!(solves(&problem), "{name}");
    }
}

/// No velocity along the contact and no force: the projection onto a disc of radius 0 is its centre, not 0 / 0.
#[test]
fn contacts_without_slip_are_solved() {
    for law in Law::ALL {
        for (q, z) in [(1.0, 0.0), (-1.0, 1.0), (0.0, 0.0)] {
            let unit = |i: usize| {
                (0..3)
                    .map(|j| number(f64::from(u8::from(i == j))))
                    .collect()
            };
            let m = Matrix::from_rows((0..3).map(unit).collect()).unwrap();
            let q = [q, 0.0, 0.0].map(number).to_vec();
            let disc = Disc {
                rows: vec![1, 2],
                mu: Mu::One(number(0.5)),
            };
            let cone = Cone {
                normal: 0,
                discs: vec![disc],
                law,
            };
            let problem = Problem::new("still", m, q).unwrap();
            let problem = problem.with_cones(vec![cone]).unwrap();
            assert!(solves(&problem), "{}, {z}", law.word());
            let problem = ConeProblem::from_problem(&problem).unwrap();
            assert_eq!(solve_cones(&problem, None).unwrap().z, [z, 0.0, 0.0]);
        }
    }
}

/// A drive that cannot reach its speed is at its bound, to the digit: just beside it w would have to be 0.
#[test]
fn unknowns_at_bounds_are_at_them_to_the_digit() {
    for k in 1..200u32 {
        let m = Matrix::from_rows(vec![vec![number(f64::from(k) / 7.0)]]).unwrap();
        let problem = Problem::new("drive", m, vec![number(-100.0)]).unwrap();
        let bound = |value: f64| Some(vec![etalon_lcp::Bound::Finite(number(value))]);
        let problem = problem.with_bounds(bound(-0.03), bound(0.03)).unwrap();
        assert!(solves(&problem), "{k}");
    }
}
