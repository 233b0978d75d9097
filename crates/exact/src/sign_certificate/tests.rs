use etalon_lcp::{Matrix, Number};
use proptest::prelude::*;

use super::*;
use crate::basis::{Signs, basis_solution};
use crate::budget::Budget;
use crate::testing::{any_matrix, gram, mixed, p_matrix, problem, psd_matrix, vector};

fn lcp(rows: &[Vec<f64>], q: &[f64], bilateral: &[bool]) -> MixedLcp {
    let number = |&v: &f64| Number::from_f64(v).unwrap();
    let rows = rows.iter().map(|row| row.iter().map(number).collect());
    let m = Matrix::from_rows(rows.collect()).unwrap();
    MixedLcp::new(m, q.iter().map(number).collect(), bilateral.to_vec()).unwrap()
}

/// Whatever is proved holds, from nothing, from the rounded point, and from nonsense.
fn check(lcp: &MixedLcp, basis: &Basis) -> SignProof {
    let exact = basis_solution(lcp, basis, &Budget::default());
    let holds = |proof: SignProof| match proof {
        SignProof::Solved => assert_eq!(exact.as_ref().unwrap().signs, Signs::Feasible),
        SignProof::Wrong { row } => match &exact.as_ref().unwrap().signs {
            Signs::Infeasible { rows } => assert!(rows.contains(&row)),
            Signs::Feasible => panic!("row {row} is not negative"),
        },
        SignProof::Undecided => {}
    };
    let near = |z: &[f64]| sign_certificate_near(lcp, basis, z);
    if let Ok(exact) = &exact {
        let z: Vec<f64> = exact.z().iter().map(rug::Rational::to_f64).collect();
        holds(near(&z));
        let moved: Vec<f64> = z.iter().map(|z| z + 1e-9 * (1.0 + z.abs())).collect();
        holds(near(&moved));
    }
    for nonsense in [0.0, 1.0, -1e300, f64::INFINITY, f64::NAN] {
        holds(near(&vec![nonsense; lcp.n()]));
    }
    let proof = sign_certificate(lcp, basis);
    holds(proof);
    // Of another length, a z is no z.
    assert_eq!(near(&vec![f64::NAN; lcp.n() + 1]), proof);
    assert_eq!(near(&[]), proof);
    proof
}

/// Entries in steps of 2^-60 around small integers, so that many signs hang by a thread, and
/// wild ones.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-3..4_i32, -3..4_i32).prop_map(|(a, b)| f64::from(a) + f64::from(b) * 2_f64.powi(-50)),
        2 => -1.0..1.0_f64,
        1 => any::<f64>().prop_filter("finite", |v| v.is_finite()),
        1 => (-1.0..1.0_f64, -320..300_i32).prop_map(|(m, e)| m * 10_f64.powi(e)),
    ]
}

type Data = (Vec<Vec<f64>>, Vec<f64>, Vec<bool>, Vec<bool>);

fn data() -> impl Strategy<Value = Data> {
    (1_usize..7).prop_flat_map(|n| {
        (
            prop::collection::vec(prop::collection::vec(value(), n), n),
            prop::collection::vec(value(), n),
            prop::collection::vec(prop::bool::weighted(0.2), n),
            prop::collection::vec(any::<bool>(), n),
        )
    })
}

fn integral((m, q): &(Vec<Vec<i64>>, Vec<i64>)) -> MixedLcp {
    let problem = problem(m, q);
    let rows: Vec<Vec<f64>> = m
        .iter()
        .map(|r| r.iter().map(|&v| v as f64).collect())
        .collect();
    let q: Vec<f64> = q.iter().map(|&v| v as f64).collect();
    let own = lcp(&rows, &q, &vec![false; q.len()]);
    assert_eq!(own.n(), mixed(&problem).n());
    own
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn nothing_false_is_proved((rows, q, bilateral, bits) in data()) {
        check(&lcp(&rows, &q, &bilateral), &Basis::new(bits));
    }

    #[test]
    fn nothing_false_is_proved_of_symmetric_matrices((mut rows, q, bilateral, bits) in data()) {
        let upper = rows.clone();
        for (i, row) in rows.iter_mut().enumerate() {
            for (value, above) in row[..i].iter_mut().zip(&upper) {
                *value = above[i];
            }
            row[i] = row[i].abs();
        }
        check(&lcp(&rows, &q, &bilateral), &Basis::new(bits));
    }

    #[test]
    fn nothing_false_is_proved_of_degenerate_problems(
        data in (1_usize..7).prop_flat_map(|n| prop_oneof![
            (psd_matrix(n, n).boxed(), vector(n)),
            (psd_matrix(n, 2).boxed(), vector(n)),
            (p_matrix(n).boxed(), vector(n)),
            (any_matrix(n).boxed(), vector(n)),
        ]),
        seed: u64,
    ) {
        let lcp = integral(&data);
        let bits = (0..lcp.n()).map(|i| seed >> i & 1 == 1).collect();
        check(&lcp, &Basis::new(bits));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn nothing_false_is_proved_of_matrices_of_several_blocks(
        (n, rank) in (9_usize..28, 0_usize..4),
        seed: u64,
        scale in prop_oneof![Just(1.0), Just(2_f64.powi(-30))],
    ) {
        let mut state = seed;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / 2_f64.powi(52) - 1.0
        };
        // Rounded products: positive definite, nearly singular, or a little indefinite.
        let columns = n - rank;
        let factor: Vec<Vec<f64>> = (0..n).map(|_| (0..columns).map(|_| random()).collect()).collect();
        let mut rows = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                rows[i][j] = scale * factor[i].iter().zip(&factor[j]).map(|(a, b)| a * b).sum::<f64>();
                rows[j][i] = rows[i][j];
            }
        }
        let q: Vec<f64> = (0..n).map(|_| random()).collect();
        let lcp = lcp(&rows, &q, &vec![false; n]);
        let bits = (0..n).map(|_| random() > -0.5).collect();
        check(&lcp, &Basis::new(bits));
        if let Ok(crate::LemkeOutcome::Solved { basis, .. }) =
            crate::Lemke::default().solve(&lcp).map(|run| run.outcome)
        {
            check(&lcp, &basis);
        }
    }
}

#[test]
fn far_from_zero_everything_is_decided() {
    let n = 40;
    let mut state = 12345_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as i64 % 9 - 4
    };
    let a: Vec<Vec<i64>> = (0..n).map(|_| (0..n).map(|_| random()).collect()).collect();
    let mut m = gram(&a, n);
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 10;
    }
    let q: Vec<i64> = (0..n).map(|_| 20 * random() + 7).collect();
    let lcp = integral(&(m, q));
    let run = crate::Lemke::default().solve(&lcp).unwrap();
    let crate::LemkeOutcome::Solved { basis, .. } = run.outcome else {
        panic!("positive definite");
    };
    assert_eq!(check(&lcp, &basis), SignProof::Solved);
    let none = Basis::new(vec![false; n]);
    assert!(matches!(check(&lcp, &none), SignProof::Wrong { .. }));
}

#[test]
fn zeros_and_unfit_data_are_undecided() {
    let basis = |text: &str| text.parse::<Basis>().unwrap();
    // z_0 = 0 in the basis: 3 * (1/3 rounded) is not 1.
    let third = 1.0 / 3.0;
    let thread = lcp(
        &[vec![3.0, 1.0], vec![1.0, third]],
        &[-1.0, -third],
        &[false; 2],
    );
    assert_eq!(check(&thread, &basis("11")), SignProof::Undecided);
    // A row off the basis without anything in it is exact.
    let zero = lcp(&[vec![1.0, 0.0], vec![0.0, 1.0]], &[-1.0, 0.0], &[false; 2]);
    assert_eq!(check(&zero, &basis("10")), SignProof::Solved);
    let singular = lcp(
        &[vec![1.0, 1.0], vec![1.0, 1.0]],
        &[-1.0, -1.0],
        &[false; 2],
    );
    assert_eq!(check(&singular, &basis("11")), SignProof::Undecided);
    assert_eq!(
        sign_certificate(&singular, &basis("1")),
        SignProof::Undecided
    );
    let fraction = mixed(&problem(&[vec![1]], &[1]));
    assert_eq!(
        sign_certificate(&fraction, &basis("1")),
        SignProof::Undecided
    );
}

#[test]
fn more_rows_than_there_is_room_for_are_undecided() {
    let n = 4097;
    let one = || Number::from_f64(1.0).unwrap();
    let diagonal = (0..n as u64).map(|i| (i, i, one()));
    let m = Matrix::from_entries((n as u64, n as u64), diagonal.collect()).unwrap();
    let lcp = MixedLcp::new(m, vec![one(); n], vec![false; n]).unwrap();
    let all = Basis::new(vec![true; n]);
    assert_eq!(sign_certificate(&lcp, &all), SignProof::Undecided);
    // Off the basis there may be as many as one likes.
    let none = Basis::new(vec![false; n]);
    assert_eq!(sign_certificate(&lcp, &none), SignProof::Solved);
}
