//! Matrix classes, checked on the exact values of the entries.

use super::*;

/// Eliminates a symmetric matrix exactly, M = LDL': the rank when all pivots are positive and
/// what is left at zero pivots is zero, so M is positive semidefinite; `None` otherwise.
pub(super) fn semidefinite_rank(mut m: Vec<Vec<Rational>>) -> Option<usize> {
    let n = m.len();
    let mut rank = 0;
    for k in 0..n {
        assert!((0..k).all(|j| m[k][j] == 0));
        match m[k][k].cmp0() {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal if m[k][k..].iter().any(|entry| *entry != 0) => return None,
            std::cmp::Ordering::Equal => continue,
            std::cmp::Ordering::Greater => rank += 1,
        }
        for i in k + 1..n {
            eliminate(&mut m, i, k);
        }
    }
    Some(rank)
}

/// Takes the multiple of row k from row i that makes entry k zero.
fn eliminate(m: &mut [Vec<Rational>], i: usize, k: usize) {
    let factor = Rational::from(&m[i][k] / &m[k][k]);
    let pivot = m[k].clone();
    for (entry, pivot) in m[i].iter_mut().zip(&pivot) {
        *entry -= Rational::from(&factor * pivot);
    }
}

fn symmetric_part(m: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let entry = |i: usize, j: usize| Rational::from(&m[i][j] + &m[j][i]);
    (0..m.len())
        .map(|i| (0..m.len()).map(|j| entry(i, j)).collect())
        .collect()
}

fn is_symmetric(m: &[Vec<Rational>]) -> bool {
    (0..m.len()).all(|i| (0..i).all(|j| m[i][j] == m[j][i]))
}

fn determinant(mut m: Vec<Vec<Rational>>) -> Rational {
    let n = m.len();
    let mut product = Rational::from(1);
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| m[i][k] != 0) else {
            return Rational::new();
        };
        if pivot != k {
            m.swap(pivot, k);
            product *= -1;
        }
        product *= &m[k][k];
        for i in k + 1..n {
            eliminate(&mut m, i, k);
        }
    }
    product
}

fn is_p_matrix(m: &[Vec<Rational>]) -> bool {
    (1_u32..1 << m.len()).all(|set| {
        let rows: Vec<_> = (0..m.len()).filter(|i| set >> i & 1 == 1).collect();
        let minor = rows
            .iter()
            .map(|&i| rows.iter().map(|&j| m[i][j].clone()).collect());
        determinant(minor.collect()) > 0
    })
}

fn tagged(problem: &Problem, tag: &str) -> bool {
    problem.remarks.tags.iter().any(|known| known == tag)
}

#[test]
fn what_is_tagged_symmetric_definite_or_p_is() {
    for family in families() {
        for n in sizes(family, 7) {
            for problem in problems(family.name, n, 6) {
                let (m, name) = (exact(&problem), problem.name());
                let rank = || semidefinite_rank(symmetric_part(&m));
                assert!(!tagged(&problem, "symmetric") || is_symmetric(&m), "{name}");
                if tagged(&problem, "positive-definite") {
                    assert_eq!(rank(), Some(n), "{name}");
                }
                if tagged(&problem, "positive-semidefinite") {
                    assert!(rank().is_some(), "{name}");
                }
                if tagged(&problem, "indefinite") {
                    assert!(rank().is_none(), "{name}");
                }
                if tagged(&problem, "p-matrix") {
                    assert!(is_p_matrix(&m), "{name}");
                }
            }
        }
    }
}

#[test]
fn large_definite_matrices_stay_definite_in_spite_of_rounding() {
    for (family, n) in [("pd", 40), ("badly-scaled", 24), ("p", 30), ("box", 24)] {
        for problem in problems(family, n, 2) {
            let rank = semidefinite_rank(symmetric_part(&exact(&problem)));
            assert_eq!(rank, Some(n), "{}", problem.name());
        }
    }
}

#[test]
fn semidefinite_families_are_singular_with_q_in_the_range() {
    for (family, n) in [("psd", 9), ("psd", 30), ("bilateral", 9), ("bilateral", 24)] {
        for problem in problems(family, n, 4) {
            let m = exact(&problem);
            let rank = semidefinite_rank(m.clone()).unwrap();
            assert!(rank < n, "{}", problem.name());
            // [[M, q], [q', t]] is semidefinite for large t if and only if q is in the range of M,
            // and then for t = q'M+q the rank does not grow: here it grows by one at most.
            let mut bordered = m;
            let q = problem.q_exact();
            for (row, value) in bordered.iter_mut().zip(&q) {
                row.push(value.clone());
            }
            let mut last = q;
            last.push(Rational::from(1_u64 << 60));
            bordered.push(last);
            assert!(semidefinite_rank(bordered).is_some(), "{}", problem.name());
        }
    }
}

#[test]
fn the_block_of_the_free_rows_is_definite() {
    for n in 1..12 {
        for problem in problems("bilateral", n, 4) {
            let lower = problem.lower().unwrap();
            let free: Vec<_> = (0..n)
                .filter(|&i| lower[i] == etalon_lcp::Bound::NegativeInfinity)
                .collect();
            assert_eq!(free.len(), n.div_ceil(3));
            let m = exact(&problem);
            let block: Vec<Vec<_>> = free
                .iter()
                .map(|&i| free.iter().map(|&j| m[i][j].clone()).collect())
                .collect();
            assert_eq!(semidefinite_rank(block), Some(free.len()));
        }
    }
}

#[test]
fn hidden_p_matrices_are_dominant_in_other_units_of_the_columns() {
    for n in 2..20 {
        for problem in problems("p-hidden", n, 3) {
            let m = exact(&problem);
            // Some units of the columns make every row dominant if and only if the comparison
            // matrix is an M-matrix, that is, its leading minors are positive.
            let comparison: Vec<Vec<_>> = (0..n)
                .map(|i| {
                    (0..n)
                        .map(|j| {
                            let size = Rational::from(m[i][j].abs_ref());
                            if i == j { size } else { -size }
                        })
                        .collect()
                })
                .collect();
            for size in 1..=n {
                let minor = comparison[..size].iter().map(|row| row[..size].to_vec());
                assert!(determinant(minor.collect()) > 0);
            }
            assert!((0..n).all(|i| m[i][i] > 0));
        }
    }
}

#[test]
fn badly_scaled_data_span_many_magnitudes() {
    let problem = &problems("badly-scaled", 12, 2)[1];
    let sizes: Vec<_> = (0..12)
        .map(|i| problem.m().get(i, i).unwrap().to_f64())
        .collect();
    let least = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = sizes.iter().copied().fold(0.0, f64::max);
    assert!(greatest / least > 1e20);
}

#[test]
fn tiny_entries_of_q_stand_among_ordinary_ones() {
    let all = problems("tiny-q", 10, 8);
    let tiny = |value: &etalon_lcp::Number| value.to_f64().abs() < 1e-16;
    assert!(all.iter().all(|problem| problem.q().iter().any(tiny)));
    assert!(all.iter().all(|problem| !problem.q().iter().all(tiny)));
    let nonzero = |value: &etalon_lcp::Number| !value.is_zero();
    assert!(all.iter().flat_map(|problem| problem.q()).all(nonzero));
}

#[test]
fn degenerate_problems_tie() {
    for problem in problems("degenerate", 12, 9) {
        let q = problem.q_exact();
        let ties = (0..12).filter(|&i| q[..i].contains(&q[i])).count();
        assert!(ties > 3, "{}", problem.name());
    }
}

#[test]
fn a_time_step_has_the_layout_of_stewart_and_trinkle() {
    for problem in problems("copositive-friction", 12, 6) {
        let (m, q) = (exact(&problem), problem.q_exact());
        for contact in 0..3 {
            let (beta, normal, lambda) = (2 * contact, 6 + contact, 9 + contact);
            for row in [beta, beta + 1] {
                assert_eq!(m[row][lambda], 1);
                assert_eq!(m[lambda][row], -1);
            }
            // The two directions are opposite, and so are their velocities.
            assert_eq!(q[beta], -q[beta + 1].clone());
            assert!((0..9).all(|j| m[beta][j] == -m[beta + 1][j].clone()));
            assert!(m[lambda][normal] >= 0);
            assert_eq!(q[lambda], 0);
        }
        let dynamics = m[..9].iter().map(|row| row[..9].to_vec()).collect();
        assert!(semidefinite_rank(dynamics).is_some());
    }
}

#[test]
fn walls_and_stacks_have_redundant_contacts() {
    for (family, n) in [("wall", 40), ("stack", 40), ("pile-3d", 40)] {
        for problem in problems(family, n, 3) {
            let rank = semidefinite_rank(exact(&problem)).unwrap();
            assert!(rank < n, "{}: {rank}", problem.name());
            assert!(problem.m().is_sparse());
        }
    }
    // Twenty boxes, which move up or down and turn.
    let wall = &problems("wall", 64, 1)[0];
    assert_eq!(semidefinite_rank(exact(wall)), Some(2 * 20));
    // Fourteen cubes, which move up or down and turn about two axes: 36 contacts on the ground, and 40 between cubes.
    let pile = &problems("pile-3d", 76, 1)[0];
    assert_eq!(semidefinite_rank(exact(pile)), Some(3 * 14));
}

#[test]
fn contacts_of_a_column_are_independent() {
    // Grains bear on two others each; every second one at a wall bears on that in place of one.
    for n in [8, 40] {
        let column = &problems("column", n, 1)[0];
        assert_eq!(semidefinite_rank(exact(column)), Some(n));
    }
}

#[test]
fn pyramids_have_opposite_directions_and_one_multiplier_a_contact() {
    let families = [
        ("friction-four", 4),
        ("friction-eight", 8),
        ("friction-pile-3d", 4),
        ("friction-pile-eight", 8),
        ("friction-column", 2),
    ];
    for (family, directions) in families {
        let count = 3;
        let n = (directions + 2) * count;
        for problem in problems(family, n, 4) {
            check_pyramids(&exact(&problem), &problem.q_exact(), count, directions);
        }
    }
}

/// The layout of a time step with friction pyramids.
pub(super) fn check_pyramids(m: &[Vec<Rational>], q: &[Rational], count: usize, directions: usize) {
    let n = (directions + 2) * count;
    assert_eq!((m.len(), q.len()), (n, n));
    for beta in 0..directions * count {
        let (contact, k) = (beta / directions, beta % directions);
        let opposite = contact * directions + (k + directions / 2) % directions;
        assert_eq!(q[beta], -q[opposite].clone());
        let lambda = n - count + contact;
        assert!((0..n - count).all(|j| m[beta][j] == -m[opposite][j].clone()));
        assert_eq!(m[beta][lambda], 1);
        assert_eq!(m[lambda][beta], -1);
    }
    let dynamic = (directions + 1) * count;
    let block = m[..dynamic].iter().map(|row| row[..dynamic].to_vec());
    assert!(semidefinite_rank(block.collect()).is_some());
}
