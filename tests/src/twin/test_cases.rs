//! Published problems whose solution sets are known, and what the twin says of them.

use super::{
    Decision, Problem, Rational, Tolerance, decide, evaluate, is_p_matrix,
    is_positive_semidefinite, parse,
};

/// A problem with its truth; vectors are texts, rows are separated by semicolons.
struct Case {
    name: &'static str,
    m: &'static str,
    q: &'static str,
    /// The rows without bounds.
    free: &'static [usize],
    unique: (bool, bool),
    /// All vertices of the solution set, sorted.
    points: &'static str,
    /// All extreme directions.
    rays: &'static str,
}

const CASES: &[Case] = &[
    // Three contacts in a row under a rigid body: forces not unique, accelerations unique.
    Case {
        name: "statics/three_collinear",
        m: "5/2 1 -1/2; 1 1 1; -1/2 1 5/2",
        q: "-10 -10 -10",
        free: &[],
        unique: (false, true),
        points: "0 10 0; 5 0 5",
        rays: "",
    },
    // The sliding rod of Painleve: no solution, then a critical friction with a ray, then a time
    // step with two.
    Case {
        name: "painleve/accel_inconsistent",
        m: "-4/5",
        q: "-10",
        free: &[],
        unique: (false, false),
        points: "",
        rays: "",
    },
    Case {
        name: "painleve/accel_critical_p_zero_b_zero",
        m: "0",
        q: "0",
        free: &[],
        unique: (false, true),
        points: "0",
        rays: "1",
    },
    Case {
        name: "painleve/st_spinning_mu2",
        m: "73/25 -73/25 36/25 1; -73/25 73/25 -36/25 1; 36/25 -36/25 52/25 0; -1 -1 2 0",
        q: "21/5 -21/5 -1/10 0",
        free: &[],
        unique: (false, false),
        points: "0 111/50 317/200 0; 19/40 539/200 317/200 0",
        rays: "",
    },
    Case {
        name: "rod with three velocities",
        m: "73/25 -73/25 36/25 1; -73/25 73/25 -36/25 1; 36/25 -36/25 52/25 0; -1 -1 2 0",
        q: "2 -2 1/10 0",
        free: &[],
        unique: (false, false),
        points: "0 0 0 2; 0 1/4 1/8 29/20; 0 251/250 647/1000 0; 29/200 1149/1000 647/1000 0",
        // In free flight the last multiplier can be any number from 2: w = (2 + l, l - 2, 1/10, 0).
        rays: "0 0 0 1",
    },
    Case {
        name: "stewart_trinkle/particle_frictionless",
        m: "1 -1 0 1; -1 1 0 1; 0 0 1 0; -1 -1 0 0",
        q: "2 -2 -2 0",
        free: &[],
        unique: (false, false),
        points: "0 0 2 2",
        rays: "0 0 0 1",
    },
    // Its cells with w = 0 in all rows but one have two degrees of freedom.
    Case {
        name: "stewart_trinkle/particle3d_4dir_stick",
        m: "1 0 -1 0 0 1; 0 1 0 -1 0 1; -1 0 1 0 0 1; 0 -1 0 1 0 1; 0 0 0 0 1 0; -1 -1 -1 -1 1/2 0",
        q: "1/10 1/10 -1/10 -1/10 -1 0",
        free: &[],
        unique: (false, false),
        points: "0 0 1/10 1/10 1 0; 0 3/20 1/10 1/4 1 0; 3/20 0 1/4 1/10 1 0",
        rays: "",
    },
    // Mixed problems with equations.
    Case {
        name: "siconos_mlcp/RCD",
        m: "0.1 -0.1 -1; -1.505 0.5 0; 0 -1 0",
        q: "0 0.495 0",
        free: &[0, 1],
        unique: (true, true),
        points: "99/301 0 99/3010",
        rays: "",
    },
    Case {
        name: "siconos_mlcp/relay2",
        m: "0 0 1 0 0 0; 0 -0.01 0 1 0 0; 1 0 0 0 0 0; 0 1 0 0 0 1; 0 0 0 0 0 -1; -1 0 0 0 1 0",
        q: "0 0 -10 -1.6 3 0.001",
        free: &[0, 1, 2, 3],
        unique: (true, true),
        points: "10 -7/5 0 -7/500 9999/1000 3",
        rays: "",
    },
    // A bimatrix game with three equilibria.
    Case {
        name: "drake/testProblem4",
        m: "0 0 10 20; 0 0 30 15; 10 20 0 0; 30 15 0 0",
        q: "-1 -1 -1 -1",
        free: &[],
        unique: (false, false),
        points: "0 1/15 0 1/15; 1/90 2/45 1/90 2/45; 1/10 0 1/10 0",
        rays: "",
    },
    Case {
        name: "quantecon/test_Murty_Ex_2_9",
        m: "-1 0 -3; 1 -2 -5; -2 -1 -2",
        q: "-3 -2 -1",
        free: &[],
        unique: (false, false),
        points: "",
        rays: "",
    },
    Case {
        name: "siconos/lcp_Pang_isolated_sol_perturbed",
        m: "0 -1 -1; 1 0 0; -1 0 0",
        q: "-0.0001 -1 1",
        free: &[],
        unique: (false, false),
        points: "",
        rays: "",
    },
    Case {
        name: "impulse/cradle5_two_in",
        m: "2 -1 0 0; -1 2 -1 0; 0 -1 2 -1; 0 0 -1 2",
        q: "0 -2 0 0",
        free: &[],
        unique: (true, true),
        points: "6/5 12/5 8/5 4/5",
        rays: "",
    },
    Case {
        name: "fathi/n3",
        m: "1 2 2; 2 5 6; 2 6 9",
        q: "-1 -1 -1",
        free: &[],
        unique: (true, true),
        points: "1 0 0",
        rays: "",
    },
];

pub(super) fn vector(text: &str) -> Vec<Rational> {
    let exact = |word: &str| parse(word).expect("a number");
    text.split_whitespace().map(exact).collect()
}

pub(super) fn vectors(text: &str) -> Vec<Vec<Rational>> {
    let rows = text.split(';').map(vector);
    rows.filter(|row| !row.is_empty()).collect()
}

fn problem(case: &Case) -> Problem {
    let mut problem = Problem::pure(vectors(case.m), vector(case.q)).expect(case.name);
    for &row in case.free {
        problem.lower[row] = None;
    }
    problem
}

#[test]
fn published_solution_sets_are_found() {
    for case in CASES {
        let points = vectors(case.points);
        let expected = Decision {
            solvable: !points.is_empty(),
            unique_z: case.unique.0,
            unique_w: case.unique.1,
            points,
            rays: vectors(case.rays),
            lines: Vec::new(),
        };
        assert_eq!(decide(&problem(case)), expected, "{}", case.name);
    }
}

#[test]
fn published_solutions_are_exact_and_their_neighbours_are_not() {
    let step = Rational::from_signeds(1, 1_000_000);
    let tolerance = Tolerance {
        tol: vector("1e-9")[0].clone(),
        snap: vector("1e-12")[0].clone(),
    };
    for case in CASES {
        let problem = problem(case);
        for z in vectors(case.points) {
            let verdict = evaluate(&problem, &z, &tolerance).expect(case.name);
            assert!(verdict.exact, "{}", case.name);
            for zero in [
                &verdict.error,
                &verdict.backward_error,
                &verdict.negativity,
                &verdict.residual,
            ] {
                assert_eq!(*zero, 0, "{}", case.name);
            }
            if case.unique.0 {
                for i in 0..z.len() {
                    let mut near = z.clone();
                    near[i] += &step;
                    let verdict = evaluate(&problem, &near, &tolerance).expect(case.name);
                    assert!(!verdict.exact && verdict.residual > 0, "{} {i}", case.name);
                    assert!(verdict.backward_error > 0, "{} {i}", case.name);
                    // All sizes in these problems are below 100.
                    assert!(verdict.error > tolerance.tol, "{} {i}", case.name);
                }
            }
        }
    }
}

#[test]
fn another_problem_has_other_solutions() {
    // The comparison with the truth can fail: with another q the set is another, with a positive q
    // zero is a solution.
    for case in CASES {
        let mut problem = problem(case);
        let before = decide(&problem);
        for value in &mut problem.q {
            *value += Rational::from_signeds(1, 7);
        }
        assert!(
            !before.solvable || decide(&problem) != before,
            "{}",
            case.name
        );
        if case.free.is_empty() {
            for value in &mut problem.q {
                *value += Rational::from(1000);
            }
            let origin = vec![Rational::from(0); problem.size()];
            assert!(decide(&problem).points.contains(&origin), "{}", case.name);
        }
    }
}

#[test]
fn published_matrix_classes() {
    let class = |text: &str| {
        let m = vectors(text);
        (is_positive_semidefinite(&m), is_p_matrix(&m))
    };
    assert_eq!(class("5/2 1 -1/2; 1 1 1; -1/2 1 5/2"), (true, false));
    assert_eq!(class("1 2 2; 2 5 6; 2 6 9"), (true, true));
    assert_eq!(class("1 0 0; 2 1 0; 2 2 1"), (false, true), "not symmetric");
    assert_eq!(class("1 2; 2 1"), (false, false));
    // Every leading minor of this one is zero or positive; a smaller one is negative.
    assert_eq!(class("0 0; 0 -1"), (false, false));
    assert_eq!(class("1 2"), (false, false), "not square");
}
