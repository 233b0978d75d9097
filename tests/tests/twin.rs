//! The checker against its independent twin: a slow, separately written brute-force solver and
//! checker on another exact arithmetic, which shares no code with the workspace.

use etalon_certify::{check_cover, check_farkas, check_p_matrix, check_symmetric_psd};
use etalon_exact::{Budget, Decision, ExactMethod, decide, enumerate};
use etalon_lcp::{
    Bound, Certificate, ClaimedAnswer, CoverNode, Friction, Matrix, Number, PMatrixProof, Problem,
    Reduction, Unique,
};
use etalon_tests::twin;
use proptest::prelude::*;

#[path = "twin/contacts/mod.rs"]
mod contacts;
#[path = "twin/measures.rs"]
mod measures;

/// A problem in a form that both sides read: texts of exact numbers.
#[derive(Debug, Clone)]
struct Texts {
    m: Vec<Vec<String>>,
    q: Vec<String>,
    /// Lower and upper bounds, `None` where there are none.
    bounds: Vec<(Option<String>, Option<String>)>,
    /// Friction rows: row, normal row and coefficient.
    friction: Vec<(usize, usize, String)>,
}

impl Texts {
    fn pure(m: Vec<Vec<String>>, q: Vec<String>) -> Self {
        let bounds = vec![(Some("0".to_owned()), None); q.len()];
        Self {
            m,
            q,
            bounds,
            friction: Vec::new(),
        }
    }

    fn integers(n: usize, entries: &[i64]) -> Self {
        let text = |v: &i64| v.to_string();
        let (m, q) = entries.split_at(n * n);
        let rows = m.chunks(n).map(|row| row.iter().map(text).collect());
        Self::pure(rows.collect(), q.iter().map(text).collect())
    }

    fn ours(&self) -> Problem {
        let number = |text: &String| Number::parse_exact(text).unwrap();
        let row = |row: &Vec<String>| row.iter().map(number).collect();
        let m = Matrix::from_rows(self.m.iter().map(row).collect()).unwrap();
        let problem = Problem::new("twin", m, self.q.iter().map(number).collect()).unwrap();
        let bound = |text: &Option<String>, none: Bound| {
            text.as_ref()
                .map_or(none, |text| Bound::Finite(number(text)))
        };
        let lower = self
            .bounds
            .iter()
            .map(|(lower, _)| bound(lower, Bound::NegativeInfinity));
        let upper = self
            .bounds
            .iter()
            .map(|(_, upper)| bound(upper, Bound::Infinity));
        let friction = |(row, normal, mu): &(usize, usize, String)| Friction {
            row: *row,
            normal: *normal,
            mu: number(mu),
        };
        problem
            .with_bounds(Some(lower.collect()), Some(upper.collect()))
            .and_then(|problem| problem.with_friction(self.friction.iter().map(friction).collect()))
            .unwrap()
    }

    fn theirs(&self) -> twin::Problem {
        let number = |text: &String| twin::parse(text).unwrap();
        let row = |row: &Vec<String>| row.iter().map(number).collect();
        let bounds = |(lower, upper): &(Option<String>, Option<String>)| {
            (lower.as_ref().map(number), upper.as_ref().map(number))
        };
        let (lower, upper) = self.bounds.iter().map(bounds).unzip();
        let m = self.m.iter().map(row).collect();
        let friction: Vec<_> = self
            .friction
            .iter()
            .map(|(i, n, mu)| (*i, *n, number(mu)))
            .collect();
        twin::Problem::boxed(m, self.q.iter().map(number).collect(), lower, upper)
            .and_then(|problem| problem.with_friction(&friction))
            .unwrap()
    }
}

fn twins_number(value: &rug::Rational) -> twin::Rational {
    twin::parse(&value.to_string()).unwrap()
}

fn twins_vector(values: &[rug::Rational]) -> Vec<twin::Rational> {
    values.iter().map(twins_number).collect()
}

/// Everything that both sides say of one problem; the first difference as an error.
fn compare(texts: &Texts) -> Result<(), String> {
    let (ours, theirs) = (texts.ours(), texts.theirs());
    let truth = twin::decide(&theirs);
    let decision = decide(&ours, &Budget::default());
    compare_decision(&decision, &truth, Reduction::new(&ours).is_identity())?;
    compare_enumeration(&ours, &truth)?;
    compare_classes(&ours, &theirs)?;
    for method in ExactMethod::ALL {
        let claim = method.solver(&Budget::default()).solve(&ours);
        match claim.answer {
            ClaimedAnswer::Solved { z } => {
                let z: Vec<_> = z
                    .iter()
                    .map(|v| twin::parse(&v.to_string()).unwrap())
                    .collect();
                if !theirs.solves(&z) {
                    return Err(format!("{method}: {z:?} is no solution"));
                }
            }
            ClaimedAnswer::Unsolvable if truth.solvable => {
                return Err(format!(
                    "{method} says unsolvable, but {:?} solves",
                    truth.points
                ));
            }
            ClaimedAnswer::Failed
                if matches!(method, ExactMethod::Certified | ExactMethod::Enumerate) =>
            {
                return Err(format!("{method} failed: {:?}", claim.message));
            }
            _ => {}
        }
        if let Some(certificate) = &claim.certificate {
            compare_certificate(&ours, &theirs, certificate)?;
        }
    }
    Ok(())
}

/// A problem that is its own mixed form (`identity`) is decided completely; where a multiplier is
/// not unique, z may be without our proving it.
fn compare_decision(ours: &Decision, truth: &twin::Decision, identity: bool) -> Result<(), String> {
    let status = ours.truth.status();
    if status.solvable != Some(truth.solvable) {
        return Err(format!(
            "solvable: {:?} here, {} there",
            status.solvable, truth.solvable
        ));
    }
    let unique_z = status.unique == Some(Unique::Z);
    if unique_z && !truth.unique_z || identity && unique_z != truth.unique_z {
        return Err(format!(
            "unique z: {unique_z} here, {} there",
            truth.unique_z
        ));
    }
    // Here w is called unique where a theorem says so, there where it happens to be.
    if status.unique.is_some() && !truth.unique_w {
        return Err("w is called unique here and not there".to_owned());
    }
    Ok(())
}

fn compare_enumeration(ours: &Problem, truth: &twin::Decision) -> Result<(), String> {
    let reduction = Reduction::new(ours);
    let set = enumerate(reduction.mixed(), &Budget::default()).map_err(|e| e.to_string())?;
    let vertices = set.faces.iter().flat_map(|face| &face.vertices);
    let found = set.isolated.iter().chain(vertices);
    let found: Vec<_> = found.map(|z| twins_vector(&reduction.lift(z))).collect();
    let lines = !truth.lines.is_empty();
    for point in truth.points.iter().filter(|_| !lines) {
        if !found.contains(point) {
            return Err(format!("the solution {point:?} is missing in {found:?}"));
        }
    }
    // On a boxed problem the vertices in a and s may have images that are no vertices in z.
    let stray = found.iter().find(|z| !truth.points.contains(z));
    match stray {
        Some(z) if !lines && reduction.is_identity() => Err(format!(
            "{z:?} is not among the solutions {:?}",
            truth.points
        )),
        _ => Ok(()),
    }
}

fn compare_classes(ours: &Problem, theirs: &twin::Problem) -> Result<(), String> {
    let psd = check_symmetric_psd(ours.m()).is_ok();
    if psd != twin::is_positive_semidefinite(&theirs.m) {
        return Err(format!("symmetric PSD: {psd} here"));
    }
    let p = check_p_matrix(ours.m(), &PMatrixProof::PrincipalMinors).is_ok();
    if p != twin::is_p_matrix(&theirs.m) {
        return Err(format!("P-matrix: {p} here"));
    }
    let definite = check_p_matrix(ours.m(), &PMatrixProof::PositiveDefinite).is_ok();
    if definite && !p {
        return Err("positive definite, but no P-matrix".to_owned());
    }
    Ok(())
}

/// The twin checks the certificates of pure problems too.
fn compare_certificate(
    ours: &Problem,
    theirs: &twin::Problem,
    certificate: &Certificate,
) -> Result<(), String> {
    let mixed = Reduction::new(ours).mixed().clone();
    let (accepted, pure) = match certificate {
        Certificate::Farkas { y } => {
            let accepted = check_farkas(&mixed, y).is_ok();
            let exact: Vec<_> = y.iter().map(Number::to_rational).collect();
            let pure = twin::check_farkas(&theirs.m, &theirs.q, &twins_vector(&exact));
            (accepted, pure)
        }
        Certificate::Cover(cover) => {
            let accepted = check_cover(&mixed, cover).is_ok_and(|covered| covered.is_empty());
            let tree = tree(&cover.nodes, 0);
            (accepted, twin::check_cover(&theirs.m, &theirs.q, &tree))
        }
        _ => return Ok(()),
    };
    if !accepted || (ours.is_pure() && !pure) {
        return Err(format!(
            "a certificate: accepted {accepted} here, {pure} there"
        ));
    }
    Ok(())
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
        CoverNode::Empty { y } => {
            let exact: Vec<_> = y.iter().map(Number::to_rational).collect();
            twin::Tree::Empty {
                y: twins_vector(&exact),
            }
        }
        other => panic!("an empty cover has no {other:?}"),
    }
}

fn exhaust(n: usize) {
    let count = n * n + n;
    let total = 5u64.pow(count as u32);
    for code in 0..total {
        let digits = (0..count as u32).map(|k| (code / 5u64.pow(k) % 5) as i64 - 2);
        let entries: Vec<i64> = digits.collect();
        if let Err(difference) = compare(&Texts::integers(n, &entries)) {
            panic!("n = {n}, entries {entries:?}: {difference}");
        }
    }
}

#[test]
fn twin_agrees_on_every_problem_with_one_row() {
    exhaust(1);
}

#[test]
fn twin_agrees_on_every_problem_with_two_rows() {
    exhaust(2);
}

/// Entries of several kinds: small integers with many ties, fractions, doubles.
fn entry() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-2i64..=2).prop_map(|v| v.to_string()),
        2 => (-9i64..=9, 1i64..=7).prop_map(|(a, b)| format!("{a}/{b}")),
        1 => (-1.0f64..1.0).prop_map(|v| rug::Rational::from_f64(v).unwrap().to_string()),
    ]
}

fn pure(largest: usize) -> impl Strategy<Value = Texts> {
    (1..=largest).prop_flat_map(|n| {
        let row = || proptest::collection::vec(entry(), n);
        (proptest::collection::vec(row(), n), row()).prop_map(|(m, q)| Texts::pure(m, q))
    })
}

/// M = B'B or a P-matrix, where methods for classes have something to do.
fn structured(largest: usize) -> impl Strategy<Value = Texts> {
    (1..=largest).prop_flat_map(|n| {
        let b = proptest::collection::vec(-2i64..=2, n * n);
        let q = proptest::collection::vec(-3i64..=3, n);
        (b, q, 0..=n, 0i64..=2, 0i64..=2).prop_map(move |(b, q, rank, shift, skew)| {
            let entry = |i: usize, j: usize| {
                let dot: i64 = (0..rank).map(|k| b[k * n + i] * b[k * n + j]).sum();
                let diagonal = if i == j { shift } else { 0 };
                let turn = match i.cmp(&j) {
                    std::cmp::Ordering::Less => skew,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => -skew,
                };
                (dot + diagonal + turn).to_string()
            };
            let m = (0..n)
                .map(|i| (0..n).map(|j| entry(i, j)).collect())
                .collect();
            Texts::pure(m, q.iter().map(ToString::to_string).collect())
        })
    })
}

fn boxed(base: impl Strategy<Value = Texts>) -> impl Strategy<Value = Texts> {
    (
        base,
        proptest::collection::vec((0u8..6, -2i64..=2, 0i64..=2), 8),
    )
        .prop_map(|(mut texts, kinds)| {
            for (bounds, (kind, low, width)) in texts.bounds.iter_mut().zip(kinds) {
                let (low, high) = (low.to_string(), (low + width).to_string());
                *bounds = match kind {
                    0 => (None, None),
                    1 => (None, Some(high)),
                    2 => (Some(low), None),
                    3 => (Some(low), Some(high)),
                    _ => (Some("0".to_owned()), None),
                };
            }
            texts
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn twin_agrees_on_random_pure_problems(texts in pure(4)) {
        prop_assert_eq!(compare(&texts), Ok(()));
    }

    #[test]
    fn twin_agrees_on_random_psd_and_p_problems(texts in structured(5)) {
        prop_assert_eq!(compare(&texts), Ok(()));
    }

    #[test]
    fn twin_agrees_on_random_boxed_problems(texts in boxed(pure(3))) {
        prop_assert_eq!(compare(&texts), Ok(()));
    }

    #[test]
    fn twin_agrees_on_random_boxed_psd_problems(texts in boxed(structured(4))) {
        prop_assert_eq!(compare(&texts), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn twin_agrees_on_larger_random_problems(texts in prop_oneof![pure(6), structured(6)]) {
        prop_assert_eq!(compare(&texts), Ok(()));
    }
}
