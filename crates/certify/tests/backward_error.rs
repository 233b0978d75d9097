//! The closed form of the backward error against its definition: the perturbed problem that the
//! proof in `docs/backward-error.md` names is built and solved exactly, and nothing smaller does.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_certify::{Tolerance, Truth, check_stated, evaluate, solves};
use etalon_lcp::{Bound, Expect, Friction, Matrix, Number, Problem, SourceAnswer, Status};
use proptest::prelude::*;
use rug::Rational;

fn snapping(snap: Rational) -> Tolerance {
    Tolerance {
        snap,
        ..Tolerance::default()
    }
}

/// M, q and bounds as fractions.
#[derive(Debug, Clone)]
struct Data {
    m: Vec<Vec<Rational>>,
    q: Vec<Rational>,
    bounds: Vec<(Option<Rational>, Option<Rational>)>,
}

impl Data {
    fn problem(&self) -> Problem {
        let number = |value: &Rational| Number::from(value.clone());
        let rows = self.m.iter().map(|row| row.iter().map(number).collect());
        let m = Matrix::from_rows(rows.collect()).unwrap();
        let bound = |value: &Option<Rational>, none: Bound| {
            value
                .as_ref()
                .map_or(none, |value| Bound::Finite(number(value)))
        };
        let lower = self
            .bounds
            .iter()
            .map(|(l, _)| bound(l, Bound::NegativeInfinity))
            .collect();
        let upper = self
            .bounds
            .iter()
            .map(|(_, u)| bound(u, Bound::Infinity))
            .collect();
        Problem::new("p", m, self.q.iter().map(number).collect())
            .and_then(|problem| problem.with_bounds(Some(lower), Some(upper)))
            .unwrap()
    }

    /// w_i and s_i at z.
    fn sums(&self, i: usize, z: &[Rational]) -> (Rational, Rational) {
        let mut w = self.q[i].clone();
        let mut s = Rational::from(w.abs_ref());
        for (m, z) in self.m[i].iter().zip(z) {
            let term = Rational::from(m * z);
            w += &term;
            s += term.abs();
        }
        (w, s)
    }

    /// The problem within eps that brings each w_i as near as it can be to what is allowed: the
    /// perturbation of the proof with theta = -+eps, or less where less will do.
    fn nearest(&self, z: &[Rational], eps: &Rational) -> Self {
        let mut near = self.clone();
        for i in 0..self.q.len() {
            let (w, s) = self.sums(i, z);
            let (lower, upper) = &self.bounds[i];
            let at_lower = lower.as_ref() == Some(&z[i]);
            let at_upper = upper.as_ref() == Some(&z[i]);
            let allowed = (at_lower && w >= 0) || (at_upper && w <= 0);
            if allowed || w == 0 {
                continue;
            }
            let full = Rational::from(-&w) / s;
            let theta = if Rational::from(full.abs_ref()) > *eps {
                if full < 0 {
                    Rational::from(-eps)
                } else {
                    eps.clone()
                }
            } else {
                full
            };
            for (m, z) in near.m[i].iter_mut().zip(z) {
                let sign = Rational::from(z.cmp0() as i32);
                *m += Rational::from(m.abs_ref()) * sign * &theta;
            }
            let change = Rational::from(near.q[i].abs_ref()) * &theta;
            near.q[i] += change;
        }
        near
    }

    fn within(&self, other: &Self, eps: &Rational) -> bool {
        let entries = self.m.iter().flatten().chain(&self.q);
        let others = other.m.iter().flatten().chain(&other.q);
        entries
            .zip(others)
            .all(|(a, b)| Rational::from(a - b).abs() <= Rational::from(a.abs_ref()) * eps)
    }
}

fn fraction() -> impl Strategy<Value = Rational> {
    (-6i64..=6, 1i64..=4).prop_map(Rational::from)
}

/// Data with a candidate inside its bounds.
fn case() -> impl Strategy<Value = (Data, Vec<Rational>)> {
    (1usize..=5).prop_flat_map(|n| {
        let row = (fraction(), 0i64..=2, 0u8..5);
        let m = proptest::collection::vec(proptest::collection::vec(fraction(), n), n);
        let q = proptest::collection::vec(fraction(), n);
        (m, q, proptest::collection::vec(row, n)).prop_map(|(m, q, rows)| {
            let mut z = Vec::new();
            let mut bounds = Vec::new();
            for (low, width, kind) in rows {
                let high = Rational::from(&low + width);
                z.push(if kind % 2 == 0 {
                    low.clone()
                } else {
                    high.clone()
                });
                bounds.push(match kind {
                    0 => (Some(low), None),
                    1 => (None, Some(high)),
                    2 => (None, None),
                    3 => (Some(low), Some(high + 1)),
                    _ => (Some(low), Some(high)),
                });
            }
            (Data { m, q, bounds }, z)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_named_perturbation_is_solved_exactly((data, z) in case()) {
        let evaluation = evaluate(&data.problem(), &z, &snapping(Rational::new())).unwrap();
        let eps = evaluation.measures.backward_error;
        let near = data.nearest(&z, &eps);
        prop_assert!(data.within(&near, &eps));
        prop_assert!(solves(&near.problem(), &z).unwrap());
    }

    /// With a smaller eps even the best perturbation of the worst row fails: the values that a
    /// row can reach form an interval, and `nearest` goes to its end.
    #[test]
    fn no_smaller_perturbation_is_solved((data, z) in case()) {
        let evaluation = evaluate(&data.problem(), &z, &snapping(Rational::new())).unwrap();
        let eps = evaluation.measures.backward_error;
        prop_assume!(eps > 0);
        let smaller = eps * Rational::from((999_999, 1_000_000));
        let near = data.nearest(&z, &smaller);
        prop_assert!(data.within(&near, &smaller));
        prop_assert!(!solves(&near.problem(), &z).unwrap());
    }

    /// Scaling rows and columns by powers of two changes nothing: w = R w', z = C^-1 z'.
    #[test]
    fn scaling_hides_no_error((data, z) in case(), scales in proptest::collection::vec((-9i32..9, -9i32..9), 5)) {
        let before = evaluate(&data.problem(), &z, &snapping(Rational::new())).unwrap();
        let mut scaled = data.clone();
        let mut moved = z.clone();
        for i in 0..data.q.len() {
            for j in 0..data.q.len() {
                scaled.m[i][j] <<= scales[i].0 + scales[j].1;
            }
            scaled.q[i] <<= scales[i].0;
            moved[i] >>= scales[i].1;
            let (lower, upper) = &mut scaled.bounds[i];
            for bound in [lower, upper].into_iter().flatten() {
                *bound >>= scales[i].1;
            }
        }
        let after = evaluate(&scaled.problem(), &moved, &snapping(Rational::new())).unwrap();
        prop_assert_eq!(before.measures.backward_error, after.measures.backward_error);
        prop_assert_eq!(before.exact, after.exact);
    }

    /// Dense and sparse storage are one problem, and the many-denominators path is the common one.
    #[test]
    fn storage_does_not_matter((data, z) in case()) {
        let dense = data.problem();
        let n = dense.n() as u64;
        let entries = (0..dense.n()).flat_map(|i| {
            dense.m().row(i).map(move |(j, v)| (i as u64, j as u64, v.clone()))
        });
        let m = Matrix::from_entries((n, n), entries.collect()).unwrap();
        let sparse = Problem::new("p", m, dense.q().to_vec())
            .and_then(|p| p.with_bounds(dense.lower().map(<[_]>::to_vec), dense.upper().map(<[_]>::to_vec)))
            .unwrap();
        let snap = Rational::from((1, 100));
        prop_assert_eq!(evaluate(&dense, &z, &snapping(snap.clone())), evaluate(&sparse, &z, &snapping(snap)));
    }
}

#[test]
fn unrelated_denominators_are_evaluated_one_by_one() {
    // The common denominator of n fractions with different prime denominators would have some
    // n times their bits; the row sums must come out the same without it.
    let n = 400;
    let primes: Vec<u32> = (10_000..)
        .filter(|p: &u32| {
            (2..=*p)
                .take_while(|d| d * d <= *p)
                .all(|d| !p.is_multiple_of(d))
        })
        .take(n)
        .collect();
    let z: Vec<Rational> = primes.iter().map(|p| Rational::from((1, *p))).collect();
    let one = || Number::from(1);
    let entries = (0..n as u64)
        .map(|i| (i, (i + 1) % n as u64, one()))
        .collect();
    let m = Matrix::from_entries((n as u64, n as u64), entries).unwrap();
    let q = (0..n)
        .map(|i| Number::from(Rational::from(-&z[(i + 1) % n])))
        .collect();
    let problem = Problem::new("primes", m, q).unwrap();
    assert!(solves(&problem, &z).unwrap());
}

#[test]
fn near_zeros_may_count_as_zero() {
    // An interior-point answer: z = (1e-17, 1), where w = (1, 0) at (0, 1).
    let data = Data {
        m: vec![
            vec![Rational::from(2), Rational::from(1)],
            vec![Rational::from(1), Rational::from(1)],
        ],
        q: vec![Rational::from(0), Rational::from(-1)],
        bounds: vec![(Some(Rational::new()), None); 2],
    };
    let z = [Rational::from_f64(1e-17).unwrap(), Rational::from(1)];
    let strict = evaluate(&data.problem(), &z, &snapping(Rational::new()))
        .unwrap()
        .measures;
    assert_eq!(strict.backward_error, 1);
    let snap = Rational::from((1, 1_000_000_000_000u64));
    let evaluation = evaluate(&data.problem(), &z, &snapping(snap.clone())).unwrap();
    assert_eq!(evaluation.measures.backward_error, 0);
    assert_eq!(evaluation.measures.snapped.entries, 1);
    assert!(!evaluation.exact, "a moved candidate is not exact");
}

/// Moving z_0 by 1e-13 onto 0 takes the room from row 1, which moves along: its bound has mu times the natural size
/// of z_0, so neither move costs more than 1e-13.
#[test]
fn a_friction_row_moves_along_with_its_normal_row() {
    let number = |v: i64| Number::from(v);
    let rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|row| row.map(number).to_vec());
    let matrix = Matrix::from_rows(rows.to_vec()).unwrap();
    let q = [1, 0, -1].map(number).to_vec();
    let friction = |mu: &str| {
        let mu = Number::parse_exact(mu).unwrap();
        let (row, normal) = (1, 0);
        let problem = Problem::new("p", matrix.clone(), q.clone()).unwrap();
        problem
            .with_friction(vec![Friction { row, normal, mu }])
            .unwrap()
    };
    let z = |texts: [&str; 3]| texts.map(|t| etalon_lcp::parse_rational(t).unwrap());
    for (mu, rubs) in [("1", "1e-13"), ("1/2", "0.5e-13")] {
        let measured = |snap| evaluate(&friction(mu), &z(["1e-13", rubs, "1"]), &snapping(snap));
        let moved = measured(Rational::from((1, 1_000_000_000_000_u64)))
            .unwrap()
            .measures;
        assert_eq!(
            (moved.snapped.entries, moved.backward_error),
            (2, Rational::new())
        );
        assert_eq!(moved.snapped.furthest, z(["1e-13", "0", "0"])[0]);
        let strict = measured(Rational::new()).unwrap().measures;
        assert_eq!(
            (strict.snapped.entries, strict.backward_error),
            (0, Rational::from(1))
        );
    }
}

#[test]
fn a_certificate_cannot_keep_the_checker_busy_for_ever() {
    use etalon_certify::check_p_matrix;
    use etalon_lcp::PMatrixProof;
    // A hundred characters of entries whose principal minors would take hours.
    let entry = |i: usize, j: usize| if i == j { "1e40" } else { "1e-4096" };
    let row = |i| (0..16).map(move |j| Number::parse_exact(entry(i, j)).unwrap());
    let m = Matrix::from_rows((0..16).map(|i| row(i).collect()).collect()).unwrap();
    let refused = check_p_matrix(&m, &PMatrixProof::PrincipalMinors).unwrap_err();
    assert!(refused.is_over_budget(), "{refused}");
}

/// A contact of normal force z_0 = 1, a = 0 there, and a friction row of z_1 = part mu with
/// w_1 = slip, as `part` of the bound.
fn rubbing(mu: &Rational, part: &Rational, slip: i64) -> (Problem, [Rational; 2]) {
    let z = [Rational::from(1), Rational::from(part * mu)];
    let number = |v: Rational| Number::from(v);
    let rows = [[2, 1], [1, 3]].map(|row| row.map(Rational::from));
    let sum =
        |row: &[Rational; 2]| Rational::from(&row[0] * &z[0]) + Rational::from(&row[1] * &z[1]);
    let q = [-sum(&rows[0]), slip - sum(&rows[1])];
    let m = Matrix::from_rows(rows.map(|row| row.map(number).to_vec()).to_vec()).unwrap();
    let problem = Problem::new("p", m, q.map(number).to_vec()).unwrap();
    (with_mu(&problem, mu), z)
}

fn with_mu(problem: &Problem, mu: &Rational) -> Problem {
    let (row, normal, mu) = (1, 0, Number::from(mu.clone()));
    let friction = vec![Friction { row, normal, mu }];
    problem.clone().with_friction(friction).unwrap()
}

proptest! {
    /// mu is data, too: what slides at a bound that is off by eps mu is wrong by no more than eps,
    /// and by less only where w can be brought to 0 by less.
    #[test]
    fn a_row_that_slides_may_have_its_mu_perturbed(
        mu in (1i64..=9, 1i64..=9).prop_map(Rational::from),
        part in (-100i64..=100).prop_map(|k| Rational::from((k, 100))),
        slip in -3i64..=3,
    ) {
        let (problem, z) = rubbing(&mu, &part, slip);
        let evaluation = evaluate(&problem, &z, &snapping(Rational::new())).unwrap();
        let eps = evaluation.measures.backward_error;
        let other = Rational::from(part.abs_ref()) * &mu;
        let change = Rational::from(&mu - &other) / &mu;
        let slides = solves(&with_mu(&problem, &other), &z).unwrap();
        prop_assert!(eps <= change || !slides);
        if eps > 0 && eps != change {
            // Then it is w that is brought to 0: by another q_1, M_10 and M_11.
            let w = Rational::from(slip);
            let s = Rational::from(1) + Rational::from(&z[1] * 3u32).abs() + problem.q()[1].to_rational().abs();
            prop_assert_eq!(&eps, &(w.abs() / s));
        }
        prop_assert_eq!(evaluation.exact, solves(&problem, &z).unwrap());
        prop_assert_eq!(evaluation.exact, eps == 0);
    }
}

/// Sliding forces of a size far below the largest: fl(mu z) is not mu z, and moving all that is within 1e-12 of the
/// largest onto its bound would move the small contact's normal force, too.
#[test]
fn a_right_answer_that_slides_is_right_beside_one_that_is_far_larger() {
    // Some products are rounded up, and others down.
    for k in 1..=8 {
        let [one, small] = [1.0, f64::from(k) * 1e-14];
        let mu = 0.3;
        let z = [one, small, mu * small].map(|z| Rational::from_f64(z).unwrap());
        let number = |v: f64| Number::from_f64(v).unwrap();
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let m = Matrix::from_rows(rows.map(|row| row.map(number).to_vec()).to_vec()).unwrap();
        let q = [-one, -small, -1e-13].map(number).to_vec();
        let (row, normal) = (2, 1);
        let mu = number(mu);
        let problem = Problem::new("p", m, q).unwrap();
        let problem = problem
            .with_friction(vec![Friction { row, normal, mu }])
            .unwrap();
        let snap = Rational::from((1, 1_000_000_000_000_u64));
        let found = evaluate(&problem, &z, &snapping(snap.clone())).unwrap();
        assert!(
            found.measures.backward_error < Rational::from((1, 1u64 << 52)),
            "{found:?}"
        );
    }
}

/// Row 1 of two rubs on row 0, or both have bounds of their own; w_i and the bounds of z_i at z.
struct Listed {
    problem: Problem,
    rows: [[i64; 3]; 2],
    bounds: [(Option<i64>, Option<i64>); 2],
    /// Twice mu.
    mu: Option<i64>,
}

impl Listed {
    fn new(draw: &mut impl FnMut(u64) -> i64) -> Self {
        let rows = [(); 2].map(|()| [(); 3].map(|()| draw(5) - 2));
        let number = |v: i64| Number::from(v);
        let m = rows.map(|row| vec![number(row[0]), number(row[1])]);
        let m = Matrix::from_rows(m.to_vec()).unwrap();
        let problem = Problem::new("p", m, rows.map(|row| number(row[2])).to_vec()).unwrap();
        if draw(3) == 0 {
            let mu = draw(3);
            let bounds = [(Some(0), None), (None, None)];
            let problem = with_mu(&problem, &Rational::from((mu, 2)));
            let mu = Some(mu);
            return Self {
                problem,
                rows,
                bounds,
                mu,
            };
        }
        let bounds = [(); 2].map(|()| {
            let (lower, width) = (draw(3) - 1, draw(3));
            match draw(4) {
                0 => (None, None),
                1 => (None, Some(lower)),
                2 => (Some(lower), None),
                _ => (Some(lower), Some(lower + width)),
            }
        });
        let lower =
            bounds.map(|(l, _)| l.map_or(Bound::NegativeInfinity, |l| Bound::Finite(l.into())));
        let upper = bounds.map(|(_, u)| u.map_or(Bound::Infinity, |u| Bound::Finite(u.into())));
        let problem = problem.with_bounds(Some(lower.to_vec()), Some(upper.to_vec()));
        Self {
            problem: problem.unwrap(),
            rows,
            bounds,
            mu: None,
        }
    }

    /// L_i and U_i at z, and by how much each changes when mu changes by its own size.
    fn limits(&self, i: usize, z: &[Rational]) -> [Option<(Rational, Rational)>; 2] {
        if let (1, Some(mu)) = (i, self.mu) {
            let limit = Rational::from((mu, 2)) * &z[0];
            return [
                Some((-limit.clone(), limit.clone())),
                Some((limit.clone(), limit)),
            ];
        }
        let (lower, upper) = self.bounds[i];
        [lower, upper].map(|bound| bound.map(|bound| (bound.into(), Rational::new())))
    }

    fn is_inside(&self, z: &[Rational]) -> bool {
        (0..2).all(|i| {
            let [lower, upper] = self.limits(i, z);
            lower.is_none_or(|(l, _)| l <= z[i]) && upper.is_none_or(|(u, _)| z[i] <= u)
        })
    }

    /// Whether z solves a problem within eps, row by row: w may move by eps s, or mu by eps times itself so
    /// that z is at the bound at which the sign of w is right.
    fn is_near(&self, z: &[Rational], eps: &Rational) -> bool {
        (0..2).all(|i| {
            let [a, b, q] = self.rows[i].map(Rational::from);
            let terms = [a * &z[0], b * &z[1], q];
            let w: Rational = terms.iter().sum();
            let s: Rational = terms.map(Rational::abs).iter().sum();
            let at = |side: usize| {
                let limit = &self.limits(i, z)[side];
                let reach = |(bound, by): &(Rational, Rational)| {
                    Rational::from(&z[i] - bound).abs() <= Rational::from(by * eps).abs()
                };
                limit.as_ref().is_some_and(reach)
            };
            w.clone().abs() <= s * eps || w > 0 && at(0) || w < 0 && at(1)
        })
    }
}

/// On all points of a grid; a record called perturbed is held against the same figure.
#[test]
fn the_backward_error_is_the_least_that_serves() {
    let mut state = 5u64;
    let mut draw = |limit: u64| {
        state =
            (state.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % limit) as i64
    };
    let grid: Vec<_> = (0..169i64)
        .map(|k| [k % 13 - 6, k / 13 - 6].map(|z| Rational::from((z, 2))))
        .collect();
    let (mut between, mut outside) = (0, 0);
    for _ in 0..400 {
        let listed = Listed::new(&mut draw);
        for z in grid.iter().step_by(3) {
            let stated = |error: f64| {
                let answer = Some(SourceAnswer {
                    z: z.iter().cloned().map(Number::from).collect(),
                    backward_error: error,
                    block_error: None,
                });
                let expect = Expect {
                    status: Status::Perturbed,
                    solutions: Vec::new(),
                    unique: None,
                    certificate: None,
                    answer,
                };
                check_stated(&listed.problem, &expect, &Truth::default())
            };
            if !listed.is_inside(z) {
                let refused = stated(1.0).unwrap_err().to_string();
                assert!(refused.ends_with("z is outside its bounds"), "{refused}");
                outside += 1;
                continue;
            }
            let found = evaluate(&listed.problem, z, &snapping(Rational::new())).unwrap();
            let eta = found.measures.backward_error;
            assert!((0..=1).contains(&eta));
            assert_eq!(eta == 0, solves(&listed.problem, z).unwrap());
            let rounded = etalon_lcp::round_up_f64(&eta);
            assert!(stated(rounded).is_ok());
            if eta == 0 {
                continue;
            }
            assert!(stated(rounded / 2.0).is_err());
            assert!(listed.is_near(z, &eta), "{z:?} {eta}");
            let less = eta.clone() * Rational::from((999, 1000));
            assert!(!listed.is_near(z, &less), "{z:?} {eta}");
            between += usize::from(eta < 1);
        }
    }
    assert!(between > 200 && outside > 200, "{between} {outside}");
}
