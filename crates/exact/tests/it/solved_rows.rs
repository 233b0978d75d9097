//! `solved_rows` on candidates whose rows hold nothing where their sizes are taken.

use etalon_exact::{Budget, SolvedFor, solved_rows};
use etalon_lcp::record::read_problem;
use rug::Rational;

/// z = 0 is the solution, with w = (0, 0, 3). Rows 0 and 1 hold nothing there, but something at the
/// solved point. The bounds of rows 0 and 2 leave no room, so that row 1 is solved once more alone.
#[test]
fn rows_without_size_next_to_a_bound_are_no_division_by_zero() {
    let text = r#"{"name": "no size", "M": [[1.5, 1, 0], [1, 2, 1], [0, 1, 1.5]], "q": [0, 0, 3],
        "lower": [0, "-inf", 0], "upper": ["inf", "inf", "inf"]}"#;
    let problem = read_problem(text).unwrap().record;
    let zero = vec![Rational::new(); 3];
    let tol = Rational::from((1, 1_000_000_000));
    let solved = solved_rows(&problem, &[true; 3], &zero, &zero, &tol, &Budget::default());
    // M z = -q has this solution. Only row 2 has a size, 3 = |q_2|, so each |z_j - v_j| = |b_j2| 3 is
    // as large as sum_i |b_ji| s_i: an error of 1 for all, and the first counts.
    assert_eq!(solved.point, [-2, 3, -4].map(Rational::from));
    let worst = SolvedFor {
        unknown: 0,
        value: Rational::from(-2),
        error: Rational::from(1),
    };
    assert_eq!(solved.worst, Some(worst));
}
