//! The kernel beside the checker of the mixed form that was before it, and what it is made of.

use std::collections::BTreeMap;

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Cover, CoverNode, Number, PMatrixProof, Problem, Reduction};
use etalon_tests::goldens;
use etalon_tests::mixed_form::{self, Proved};
use rug::Rational;

/// A fact by the kernel.
fn by_kernel(problem: &Problem, certificate: &Certificate) -> Result<Proved, String> {
    let mut truth = Truth::default();
    let added = truth.add_certificate(problem, certificate);
    added.map_err(|error| error.to_string())?;
    let status = truth.status();
    Ok(Proved {
        solvable: status.solvable,
        unique: status.unique,
        solutions: truth.solutions().to_vec(),
    })
}

/// The problems with certificates that prove more than one solution.
fn certified() -> Vec<(Problem, Certificate)> {
    let all = goldens::all().into_iter().filter_map(|golden| {
        let certificate = golden.problem.expect.as_ref()?.certificate.clone()?;
        let is_solution = matches!(certificate, Certificate::SecondSolution { .. });
        // The mixed form is that of linear problems; `tests/cones` looks at proofs about friction cones.
        let is_known = golden.problem.is_lcp() && !is_solution;
        is_known.then_some((golden.problem, certificate))
    });
    all.collect()
}

#[test]
fn both_checkers_prove_the_same_of_every_golden() {
    let certified = certified();
    for (problem, certificate) in &certified {
        let other = mixed_form::prove(problem, certificate).unwrap();
        let own = by_kernel(problem, certificate).unwrap();
        assert_eq!(own, other, "{}", problem.name());
    }
    assert!(certified.len() > 1_000, "only {}", certified.len());
}

/// Knuth's MMIX generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    /// One entry of a vector changed.
    fn change(&mut self, vector: &mut Vec<Number>) {
        if vector.is_empty() {
            return;
        }
        let i = self.below(vector.len());
        let value = vector[i].to_rational();
        let other = match self.below(9) {
            0 => -value,
            1 => value + 1,
            2 => value - 1,
            3 => Rational::new(),
            4 => value * 2,
            5 => {
                let j = self.below(vector.len());
                return vector.swap(i, j);
            }
            6 => {
                vector.remove(i);
                return;
            }
            7 => value + Rational::from((1, 1_000_000_000)),
            _ => value / 2,
        };
        vector[i] = Number::from(other);
    }

    fn change_tree(&mut self, nodes: &mut Vec<CoverNode>) {
        let (i, n) = (self.below(nodes.len()), nodes.len());
        let kind = self.below(8);
        match (kind, &mut nodes[i]) {
            (0, _) => {
                let j = self.below(n);
                nodes.swap(i, j);
            }
            (1, _) => {
                nodes.remove(i);
            }
            (
                2..=4,
                CoverNode::Branch {
                    row,
                    z_zero,
                    w_zero,
                },
            ) => match self.below(4) {
                0 => *row = self.below(8),
                1 => *z_zero = self.below(n),
                2 => *w_zero = self.below(n),
                _ => std::mem::swap(z_zero, w_zero),
            },
            (_, CoverNode::Empty { y }) => self.change(y),
            (_, CoverNode::Point { y, z }) => {
                let which = if self.below(2) == 0 { y } else { z };
                self.change(which);
            }
            (_, CoverNode::Face { vertices, rays }) => {
                let k = self.below(vertices.len() + rays.len());
                if let Some(vector) = vertices.iter_mut().chain(rays).nth(k) {
                    self.change(vector);
                }
            }
            _ => {}
        }
    }

    fn mutant(&mut self, certificate: &Certificate) -> Certificate {
        let mut mutant = certificate.clone();
        match &mut mutant {
            Certificate::Farkas { y } => self.change(y),
            Certificate::Cover(Cover { nodes }) | Certificate::Enumeration(Cover { nodes }) => {
                self.change_tree(nodes);
            }
            Certificate::PMatrix(PMatrixProof::DiagonallyDominant { weights }) => {
                self.change(weights);
            }
            _ => {
                mutant = match self.below(3) {
                    0 => Certificate::SymmetricPsd,
                    1 => Certificate::PMatrix(PMatrixProof::PositiveDefinite),
                    _ => Certificate::PMatrix(PMatrixProof::PrincipalMinors),
                }
            }
        }
        mutant
    }
}

/// The two part in two ways only, both about multipliers of bounds that a point, a vertex or a ray gives.
/// The kernel does not read them, and the mixed form is refused for a wrong one; and a ray along which
/// nothing but such a multiplier moves is none for the kernel.
#[test]
fn changed_certificates_are_refused_by_both_or_prove_the_same() {
    let small: Vec<_> = certified()
        .into_iter()
        .filter(|(p, _)| p.n() <= 20)
        .collect();
    let is_tree =
        |c: &Certificate| matches!(c, Certificate::Cover(_) | Certificate::Enumeration(_));
    let trees: Vec<_> = small.iter().filter(|(_, c)| is_tree(c)).collect();
    let count: usize = std::env::var("MUTANTS").map_or(20_000, |text| text.parse().unwrap());
    let (mut draw, mut counts) = (Draw(7), BTreeMap::new());
    for k in 0..count {
        let (problem, certificate) = match k % 2 {
            0 => &small[draw.below(small.len())],
            _ => trees[draw.below(trees.len())],
        };
        let mutant = draw.mutant(certificate);
        let own = by_kernel(problem, &mutant);
        let name = problem.name();
        let kind = match (own, mixed_form::prove(problem, &mutant)) {
            (Ok(own), Ok(other)) => {
                assert_eq!(own, other, "{name}: {mutant:?}");
                "both"
            }
            (Err(_), Err(_)) => "neither",
            (Err(error), Ok(_)) => {
                assert!(
                    error.ends_with("a ray is zero") && !Reduction::new(problem).is_identity(),
                    "{name}: the kernel alone refuses {mutant:?}: {error}"
                );
                "ray of multipliers"
            }
            (Ok(_), Err(error)) => {
                assert!(
                    !Reduction::new(problem).is_identity(),
                    "{name}: {error}: {mutant:?}"
                );
                assert!(
                    holds_with_other_multipliers(problem, &mutant),
                    "{name}: {mutant:?}"
                );
                "kernel alone"
            }
        };
        *counts.entry(kind).or_insert(0usize) += 1;
    }
    println!("{counts:?}");
    assert!(
        counts["both"] > count / 4 && counts["neither"] > count / 4,
        "{counts:?}"
    );
    let alone = counts.get("kernel alone").copied().unwrap_or(0);
    let rays = counts.get("ray of multipliers").copied().unwrap_or(0);
    assert!(alone < count / 1_000 && rays < count / 1_000, "{counts:?}");
}

/// Whether the mixed form agrees once the multipliers of each point and vertex are those that its z
/// asks for: s = max(0, -w) where z is at its upper bound.
fn holds_with_other_multipliers(problem: &Problem, certificate: &Certificate) -> bool {
    let Certificate::Enumeration(cover) = certificate else {
        return false;
    };
    let (n, reduction) = (problem.n(), Reduction::new(problem));
    let complete = |z: &mut Vec<Number>| {
        let exact: Vec<_> = z.iter().map(Number::to_rational).collect();
        let own = reduction.lift(&exact);
        let doubles = (0..n).filter(|&i| {
            let row = &problem.rows()[i];
            matches!(
                row,
                etalon_lcp::Row::Between(..) | etalon_lcp::Row::Friction { .. }
            )
        });
        for (k, i) in doubles.enumerate() {
            let w = (problem.m().row(i)).fold(problem.q()[i].to_rational(), |w, (j, value)| {
                w + value.to_rational() * &own[j]
            });
            z[n + k] = Number::from((-w).max(Rational::new()));
        }
    };
    let mut nodes = cover.nodes.clone();
    for node in &mut nodes {
        match node {
            CoverNode::Point { z, .. } => complete(z),
            CoverNode::Face { vertices, .. } => vertices.iter_mut().for_each(complete),
            _ => {}
        }
    }
    mixed_form::prove(problem, &Certificate::Enumeration(Cover { nodes })).is_ok()
}
