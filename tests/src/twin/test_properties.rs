//! Facts that must hold of every problem, on exhaustive and random small ones.

use super::test_cases::{vector, vectors};
use super::{Problem, Rational, Tree, check_cover, check_farkas, decide, is_p_matrix};
use malachite::base::num::arithmetic::traits::Abs;

/// A small random number generator (splitmix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// From `-size` to `size`.
    pub(super) fn within(&mut self, size: i64) -> i64 {
        let sides = 2 * size.unsigned_abs() + 1;
        (self.roll() % sides).cast_signed() - size
    }

    pub(super) fn number(&mut self, size: i64) -> Rational {
        Rational::from_signeds(self.within(size), 1 + self.within(1).abs())
    }

    pub(super) fn problem(&mut self, n: usize, boxed: bool) -> Problem {
        let mut row = || (0..n).map(|_| self.number(2)).collect::<Vec<_>>();
        let m = (0..n).map(|_| row()).collect();
        let q = row();
        let mut problem = Problem::pure(m, q).expect("sizes fit");
        for i in 0..n {
            if boxed {
                let low = self.number(2);
                let high = &low + self.number(1).abs();
                problem.lower[i] = (self.within(2) != 0).then_some(low);
                problem.upper[i] = (self.within(2) != 0).then_some(high);
            }
        }
        problem
    }
}

/// The pure problem of size two with the rows of `M` and then `q`.
pub(super) fn pair(numbers: [i64; 6]) -> Problem {
    let exact = numbers.map(Rational::from);
    let part = |from: usize| exact[from..from + 2].to_vec();
    Problem::pure(vec![part(0), part(2)], part(4)).expect("sizes fit")
}

/// Calls `visit` for all `M`, `q` of size two with entries up to `size`.
fn all_pairs(size: i64, mut visit: impl FnMut([i64; 6])) {
    let sides = 2 * size + 1;
    for number in 0..sides.pow(6) {
        let mut rest = number;
        visit([(); 6].map(|()| {
            let entry = rest % sides - size;
            rest /= sides;
            entry
        }));
    }
}

/// Whether `target` is a non-negative combination of `a` and `b`, in plane integer geometry.
fn in_cone(a: [i64; 2], b: [i64; 2], target: [i64; 2]) -> bool {
    let cross = |u: [i64; 2], v: [i64; 2]| u[0] * v[1] - u[1] * v[0];
    let along = |u: [i64; 2]| {
        u != [0, 0] && cross(u, target) == 0 && u[0] * target[0] + u[1] * target[1] >= 0
    };
    let turn = cross(a, b).signum();
    let inside = turn * cross(target, b) >= 0 && turn * cross(a, target) >= 0;
    target == [0, 0] || along(a) || along(b) || (turn != 0 && inside)
}

#[test]
fn size_two_is_solvable_exactly_if_q_is_in_a_complementary_cone() {
    let mut unsolvable = 0;
    all_pairs(2, |numbers| {
        let (m, q) = (&numbers[..4], [numbers[4], numbers[5]]);
        let (first, second) = ([[1, 0], [-m[0], -m[2]]], [[0, 1], [-m[1], -m[3]]]);
        let expected = first
            .iter()
            .any(|u| second.iter().any(|v| in_cone(*u, *v, q)));
        let problem = pair(numbers);
        let decision = decide(&problem);
        assert_eq!(decision.solvable, expected, "{numbers:?}");
        assert!(
            decision.points.iter().all(|z| problem.solves(z)),
            "{numbers:?}"
        );
        assert!(decision.unique_w || !decision.unique_z, "{numbers:?}");
        assert!(decision.unique_z || !is_p_matrix(&problem.m), "{numbers:?}");
        unsolvable += usize::from(!expected);
    });
    assert!(unsolvable > 1000, "{unsolvable}");
}

#[test]
fn solutions_met_by_chance_fit_the_decision() {
    let mut met = 0;
    let halves: Vec<Rational> = (0..5).map(|k| Rational::from_signeds(k, 2)).collect();
    all_pairs(1, |numbers| {
        let problem = pair(numbers);
        let decision = decide(&problem);
        let w = decision.points.first().map(|z| problem.w(z));
        for x in &halves {
            for y in &halves {
                let z = vec![x.clone(), y.clone()];
                if problem.solves(&z) {
                    met += 1;
                    assert!(decision.solvable, "{numbers:?}");
                    assert!(
                        !decision.unique_z || decision.points == [z.clone()],
                        "{numbers:?}"
                    );
                    assert!(
                        !decision.unique_w || Some(problem.w(&z)) == w,
                        "{numbers:?}"
                    );
                }
            }
        }
    });
    assert!(met > 1000, "{met}");
}

#[test]
fn boxes_and_equations() {
    let bounds = |text: &str| vector(text).into_iter().map(Some).collect::<Vec<_>>();
    // w = -z on [-1, 1]: both ends and the middle.
    let three =
        Problem::boxed(vectors("-1"), vector("0"), bounds("-1"), bounds("1")).expect("fits");
    assert_eq!(decide(&three).points, vectors("-1; 0; 1"));
    // Fixed rows allow any w.
    let fixed = Problem::boxed(vectors("5"), vector("-7"), bounds("3"), bounds("3")).expect("fits");
    assert!(decide(&fixed).unique_z && decide(&fixed).unique_w);
    // w = z1 + z2 - 1 twice, without bounds: a line on which w does not change.
    let free = Problem::boxed(
        vectors("1 1; 1 1"),
        vector("-1 -1"),
        vec![None; 2],
        vec![None; 2],
    )
    .expect("fits");
    let decision = decide(&free);
    assert_eq!(
        (decision.unique_z, decision.unique_w, decision.points.len()),
        (false, true, 1)
    );
    assert_eq!(decision.lines, vectors("1 -1"));
    assert!(Problem::boxed(vectors("1"), vector("0"), bounds("1"), bounds("0")).is_err());
    assert!(Problem::pure(vectors("1 2"), vector("0")).is_err());
    assert!(Problem::pure(vectors("1 2; 3"), vector("0 0")).is_err());
}

#[test]
fn finite_boxes_always_have_a_solution() {
    let mut dice = Dice(4);
    let mut several = 0;
    for round in 0..200 {
        let mut problem = dice.problem(1 + round % 4, true);
        for (low, high) in problem.lower.iter_mut().zip(&mut problem.upper) {
            let start = low.clone().unwrap_or_else(|| Rational::from(-9));
            *high = Some(high.clone().unwrap_or_else(|| &start + Rational::from(1)));
            *low = Some(start);
        }
        let decision = decide(&problem);
        assert!(decision.solvable && decision.rays.is_empty() && decision.lines.is_empty());
        assert!(decision.points.iter().all(|z| problem.solves(z)));
        several += usize::from(decision.points.len() > 1);
    }
    assert!(several > 20, "{several}");
}

/// The tree that splits every row, each leaf closed by some vector of small integers, or `None`.
fn full_cover(m: &[Vec<Rational>], q: &[Rational], choices: &mut Vec<bool>) -> Option<Tree> {
    if choices.len() < q.len() {
        let row = choices.len();
        choices.push(true);
        let z_zero = full_cover(m, q, choices);
        choices[row] = false;
        let w_zero = full_cover(m, q, choices);
        choices.pop();
        return Some(Tree::Branch {
            row,
            z_zero: Box::new(z_zero?),
            w_zero: Box::new(w_zero?),
        });
    }
    let transposed =
        |y: &[Rational], j: usize| -> Rational { (0..y.len()).map(|i| &m[i][j] * &y[i]).sum() };
    let closes = |y: &[Rational]| {
        let rows = 0..y.len();
        rows.clone().map(|i| &q[i] * &y[i]).sum::<Rational>() < 0
            && rows.clone().all(|i| {
                if choices[i] {
                    y[i] >= 0
                } else {
                    transposed(y, i) <= 0
                }
            })
    };
    let grid =
        (-4..=4).flat_map(|a| (-4..=4).map(move |b| vec![Rational::from(a), Rational::from(b)]));
    grid.into_iter()
        .find(|y| closes(y))
        .map(|y| Tree::Empty { y })
}

#[test]
fn covers_exist_exactly_where_there_is_no_solution() {
    let mut covers = 0;
    all_pairs(1, |numbers| {
        let problem = pair(numbers);
        let (m, q) = (&problem.m, &problem.q);
        let cover = full_cover(m, q, &mut Vec::new());
        assert_eq!(cover.is_none(), decide(&problem).solvable, "{numbers:?}");
        if let Some(tree) = cover {
            covers += 1;
            assert!(check_cover(m, q, &tree), "{numbers:?}");
            let flipped: Vec<Rational> = q.iter().map(|v| -v).collect();
            assert!(!check_cover(m, &flipped, &tree), "{numbers:?}");
        }
    });
    assert!(covers > 50, "{covers}");
}

#[test]
fn false_certificates_are_refused() {
    let (m, q) = (vectors("-1 0; 0 1"), vector("-1 1"));
    assert!(check_farkas(&m, &q, &vector("1 0")));
    for y in ["0 0", "-1 0", "0 1", "1 2", "1", "1 0 0", "1 1/2"] {
        assert!(!check_farkas(&m, &q, &vector(y)), "{y}");
    }
    assert!(!check_farkas(&m, &vector("-1"), &vector("1")), "sizes");
    // A cover with one split; each leaf can be broken in its own way.
    let leaf = |y: &str| Box::new(Tree::Empty { y: vector(y) });
    let split = |row, z, w| Tree::Branch {
        row,
        z_zero: leaf(z),
        w_zero: leaf(w),
    };
    let (m, q) = (vectors("-2 1; -1 -1"), vector("-1 0"));
    assert!(!decide(&Problem::pure(m.clone(), q.clone()).expect("fits")).solvable);
    assert!(check_cover(&m, &q, &split(0, "1 1", "1 1")));
    assert!(
        !check_cover(&m, &q, &split(0, "1 1", "1 0")),
        "its second leaf proves nothing"
    );
    assert!(!check_cover(&m, &q, &split(2, "1 1", "1 1")), "no such row");
    assert!(!check_cover(&m, &q, &split(0, "1 1", "1")), "short leaf");
    // A choice ends with its branch: w2 = 0 would close the last leaf, but was chosen elsewhere.
    let (m, q) = (vectors("1 0; 0 1"), vector("-1 1"));
    let z_zero = Box::new(split(1, "1 0", "1 0"));
    assert!(!check_cover(
        &m,
        &q,
        &Tree::Branch {
            row: 0,
            z_zero,
            w_zero: leaf("0 -1")
        }
    ));
    // What a choice sets free: y = 1 proves the case z = 0 of w = z - 1, and y = -1 the case w = 0
    // of w = z + 1.
    let m = vectors("1");
    assert!(
        !check_cover(&m, &vector("-1"), &split(0, "1", "1"))
            && !check_cover(&m, &vector("1"), &split(0, "-1", "-1"))
    );
    let both = split(0, "1", "-1");
    assert!(
        !check_cover(&m, &vector("1"), &both) && !check_cover(&m, &vector("-1"), &both),
        "solvable"
    );
}
