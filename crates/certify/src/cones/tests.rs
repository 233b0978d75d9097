//! The evaluation against a naive one: each reading by itself, each row as fractions, each contact asked of the kernel.

use etalon_kernel::{At, obeys};
use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Number, Problem, Row};
use proptest::prelude::*;
use rug::Rational;

use super::blocks::Blocks;
use super::contacts::Errors;
use super::means::Means;
use super::overlay::Overlay;
use super::reading::Reading;
use super::worst::{Known, Worst};
use super::{Bounds, Contacts};
use crate::bounds::Vector;
use crate::budget::Budget;
use crate::evaluate::{Reader, Worst as PlainWorst};
use crate::own::own_cone;

/// Rows: three contacts of three rows, and a free one.
const N: usize = 10;

fn fractions(n: usize) -> impl Strategy<Value = Vec<Rational>> {
    // Binary64 or not, and often 0.
    let one = (
        -9..=9_i64,
        prop_oneof![Just(1_i64), Just(4), Just(3)],
        0..3_u8,
    )
        .prop_map(|(a, b, zero)| {
            if zero == 0 {
                Rational::new()
            } else {
                Rational::from((a, b))
            }
        });
    proptest::collection::vec(one, n)
}

fn number(value: &Rational) -> Number {
    if value.denom().is_power_of_two() {
        let token = value.to_f64().to_string();
        return Number::parse_json_number(&token).unwrap();
    }
    value.clone().into()
}

fn numbers(values: &[Rational]) -> Vec<Number> {
    values.iter().map(number).collect()
}

/// Which laws, whether each row has its own mu, whether there are a scale and blocks of the record.
#[derive(Debug, Clone)]
struct Kind {
    convex: [bool; 3],
    each: [bool; 3],
    scale: bool,
    blocks: bool,
}

fn kind() -> impl Strategy<Value = Kind> {
    let three = any::<[bool; 3]>;
    (three(), three(), any::<bool>(), any::<bool>()).prop_map(|(convex, each, scale, blocks)| {
        Kind {
            convex,
            each,
            scale,
            blocks,
        }
    })
}

fn problem(m: &[Rational], q: &[Rational], mu: &[Rational], kind: &Kind) -> Problem {
    let mu = |k: usize| number(&mu[k].clone().abs());
    let cones = (0..3).map(|k| Cone {
        normal: 3 * k,
        discs: vec![Disc {
            rows: vec![3 * k + 1, 3 * k + 2],
            mu: match kind.each[k] {
                true => Mu::Each(vec![mu(k), mu(k + 1)]),
                false => Mu::One(mu(k)),
            },
        }],
        law: if kind.convex[k] {
            Law::Convex
        } else {
            Law::Coulomb
        },
    });
    let bound = |i| match i {
        9 => Bound::NegativeInfinity,
        _ => Bound::Finite(0.into()),
    };
    let m = Matrix::from_rows(m.chunks(N).map(numbers).collect()).unwrap();
    let problem = Problem::new("p", m, numbers(q)).unwrap();
    let problem = problem
        .with_bounds(Some((0..N).map(bound).collect()), None)
        .unwrap();
    let mut problem = problem.with_cones(cones.collect()).unwrap();
    if kind.scale {
        let scale: Vec<_> = q.iter().rev().map(|q| q.clone().abs()).collect();
        problem = problem.with_scale(numbers(&scale)).unwrap();
    }
    if kind.blocks {
        problem = problem
            .with_blocks(vec![vec![0, 4, 9], vec![1, 2]])
            .unwrap();
    }
    problem
}

fn f(problem: &Problem, i: usize) -> Rational {
    let q = problem.q()[i].to_rational().abs();
    problem
        .scale()
        .map_or(q.clone(), |scale| scale[i].to_rational().max(q))
}

/// The errors at a point, by their definition.
fn naive(problem: &Problem, blocks: &Blocks, x: &[Rational], tol: &Rational) -> Errors {
    let (bounds, budget) = (Bounds::new(problem), Budget::default());
    let entry = |i, j| {
        problem
            .m()
            .get(i, j)
            .map(Number::to_rational)
            .unwrap_or_default()
    };
    let w =
        |i| (0..N).map(|j| entry(i, j) * &x[j]).sum::<Rational>() + problem.q()[i].to_rational();
    let s = |i| {
        (0..N)
            .map(|j| (entry(i, j) * &x[j]).abs())
            .sum::<Rational>()
            + f(problem, i)
    };
    let of = |block: usize| (0..N).filter(move |i| blocks.of(*i) == block);
    let by_block = |i: usize| {
        let own = blocks.of(i);
        let mut size = of(own).map(|i| f(problem, i)).max().unwrap();
        for other in 0..N {
            let entries = of(own).flat_map(|i| of(other).map(move |j| entry(i, j).abs()));
            let norm: Rational = of(other).map(|j| x[j].clone().abs()).sum();
            size += entries.max().unwrap_or_default() * norm;
        }
        size
    };
    let place = Reader::new(problem, &bounds, tol, &budget);
    let sizes: [&dyn Fn(usize) -> Rational; 2] = [&s, &by_block];
    sizes.map(|size| {
        let mut plain = PlainWorst::default();
        for i in (0..N).filter(|&i| problem.rows()[i] != Row::Cone) {
            place.take(&mut plain, i, (&w(i), &size(i)), x, x).unwrap();
        }
        let mut worst = Worst::of_plain(plain);
        // The order of three: multiples of 1.
        for cone in problem.cones().iter().map(own_cone) {
            let at = |i: usize| At {
                r: x[i].clone(),
                w: w(i),
                s: size(i),
            };
            let rows: Vec<_> = cone.rows().map(at).collect();
            let known = &mut Known::default();
            let asked = (&|_: &Rational| false, &|| Ok(rows.clone()));
            worst
                .take_cone(&cone, (asked.0, asked.1), (tol, known), &budget)
                .unwrap();
            assert!(obeys(&cone, &rows, &worst.high, &budget).unwrap());
        }
        worst
    })
}

fn assert_same(found: &[Errors], expected: &[Errors]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert_eq!((&found.high, found.row), (&expected.high, expected.row));
    }
}

/// A point with other entries, without forces that no change of data explains.
fn readings<'z>(
    problem: &Problem,
    z: &'z [Rational],
    moves: &[Vec<(usize, Rational)>],
) -> Vec<Reading<'z>> {
    let reading = |moves: &Vec<(usize, Rational)>| {
        let mut x = Overlay::new(z);
        moves.iter().for_each(|(i, value)| x.set(*i, value.clone()));
        for cone in problem.cones().iter().map(own_cone) {
            let open = *x.at(cone.normal) <= 0;
            let mus = [Rational::from(1)]
                .into_iter()
                .chain(cone.discs[0].mu.clone());
            for (i, _) in cone.rows().zip(mus).filter(|(_, mu)| open || *mu == 0) {
                x.set(i, Rational::new());
            }
        }
        Reading {
            x,
            moves: Default::default(),
        }
    };
    moves.iter().map(reading).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn readings_measure_what_each_measures_by_itself(
        m in fractions(N * N), q in fractions(N), z in fractions(N), mu in fractions(4), kind in kind(),
        moves in proptest::collection::vec(proptest::collection::vec((0..N, -4..5_i32), 0..3), 1..4),
        tol in prop_oneof![Just(Rational::new()), Just(Rational::from((1, 3)))],
    ) {
        let problem = problem(&m, &q, &mu, &kind);
        // Sparse, so that some contacts are the same at all readings.
        let move_to = |(i, value): (usize, i32)| (i, Rational::from((value, 2)));
        let moves: Vec<Vec<_>> = moves.into_iter().map(|one| one.into_iter().map(move_to).collect()).collect();
        let (bounds, blocks) = (Bounds::new(&problem), Blocks::new(&problem));
        let contacts = Contacts {
            problem: &problem,
            bounds: &bounds,
            blocks: &blocks,
            cones: problem.cones(),
            tol: &tol,
        };
        let readings = readings(&problem, &z, &moves);
        let naive = |reading: &Reading<'_>| {
            let x: Vec<_> = (0..N).map(|i| reading.x.at(i).clone()).collect();
            naive(&problem, &blocks, &x, &tol)
        };
        let expected: Vec<_> = readings.iter().map(naive).collect();
        let whole = Means::new(&problem);
        let (residual, errors) = contacts.measured(&z, &readings, &whole).unwrap();
        assert_same(&errors, &expected);
        for part in [1, 2, 4] {
            let (other, errors) = contacts.measured(&z, &readings, &whole.in_parts_of(part)).unwrap();
            assert_same(&errors, &expected);
            let up = |value: &Option<Rational>| value.as_ref().map(etalon_lcp::round_up_f64);
            prop_assert_eq!(up(&other), up(&residual));
        }
    }
}

/// A contact that other forces and its own change at one reading is measured anew at the next.
#[test]
fn what_is_known_at_a_reading_is_not_taken_to_the_next() {
    let entries = |text: &str| -> Vec<Rational> {
        text.split(' ')
            .map(|word| etalon_lcp::parse_rational(word).unwrap())
            .collect()
    };
    let kind = Kind {
        convex: [false; 3],
        each: [false; 3],
        scale: false,
        blocks: false,
    };
    let tol = Rational::new();
    let measured = |rows_of_first: [(usize, i32); 2], q: &str, z: &str, moved: (usize, &str)| {
        let mut m: Vec<_> = (0..N * N)
            .map(|k| Rational::from(i32::from(k / N == k % N && k / N > 2 && k / N != 5)))
            .collect();
        rows_of_first
            .into_iter()
            .for_each(|(j, value)| m[j] = value.into());
        let problem = problem(&m, &entries(q), &entries("1 10 1 1"), &kind);
        let (bounds, blocks, z) = (Bounds::new(&problem), Blocks::new(&problem), entries(z));
        let cones = problem.cones();
        let contacts = Contacts {
            problem: &problem,
            bounds: &bounds,
            blocks: &blocks,
            cones,
            tol: &tol,
        };
        let moves = [vec![(moved.0, entries(moved.1).remove(0))], vec![], vec![]];
        let readings = readings(&problem, &z, &moves);
        let (_, errors) = contacts
            .measured(&z, &readings, &Means::new(&problem))
            .unwrap();
        let x = |reading: &Reading<'_>| (0..N).map(|i| reading.x.at(i).clone()).collect::<Vec<_>>();
        let expected: Vec<_> = readings
            .iter()
            .map(|one| naive(&problem, &blocks, &x(one), &tol))
            .collect();
        assert_same(&errors, &expected);
        [0, 1].map(|k| errors[k][1].high.clone())
    };
    // w_N = -1 in a block of size 2 + 1 + |z| of the second contact: 6 with 5 for 1/2, which no row of the first sees.
    let q = "-2 0 0 -1 0 0 -1 0 0 0";
    let [changed, own] = measured([(0, 1), (4, 1)], q, "1 0 0 1 0 1/2 1 0 0 0", (5, "5"));
    assert!(changed < Rational::from((1, 8)) && own > Rational::from((2, 9)));
    // Friction of 3/2 for 1/2, which no row sees.
    let q = "0 0 0 -1 0 0 -1 0 0 0";
    let [changed, own] = measured([(0, 0), (4, 0)], q, "1 1/2 0 1 0 0 1 0 0 0", (1, "3/2"));
    assert_eq!((changed, own), (Rational::from((1, 2)), Rational::new()));
}

#[test]
fn each_row_has_means_of_its_own() {
    let kind = Kind {
        convex: [false; 3],
        each: [false; 3],
        scale: false,
        blocks: false,
    };
    let zero = vec![Rational::new(); N * N];
    let problem = problem(&zero, &zero[..N], &zero[..4], &kind);
    let means = Means::new(&problem);
    let (bits, work) = ((1 << 30) + (10 << 13), (1 << 32) + (10 << 18));
    assert_eq!(means.of_all().left(), (bits, work));
    assert_eq!(means.of_readings(2).of_all().left(), (bits, 3 * work));
    assert_eq!(means.of_part(0).left(), (bits, 1 << 32));
    // A contact has 21 rows at most, and the problem 10.
    assert_eq!(means.of_part(1).left(), (bits, work));
    assert_eq!(means.of_readings(1).of_part(1).left(), (bits, 2 * work));
    assert_eq!(means.part, 1 << 15);
    assert_eq!(super::budget(&problem).left(), (bits, work));
}
