//! Problems of the vocabulary, as the kernel asks for them.

use etalon_kernel::{Bound, Bounds, Budget, Class, Cone, Disc, Law, Node, Truth};
use etalon_lcp::{
    Certificate, Cover, CoverNode, Matrix, MixedLcp, Mu, Number, PMatrixProof, Problem, Row,
};
use rug::Rational;

use crate::CertificateError;
use crate::hints::{self, Entries};

/// The rows of a problem: numbers become fractions one by one, as the kernel pays for them.
pub(crate) struct Own<'a> {
    problem: &'a Problem,
    rows: Vec<Row<'a>>,
}

impl<'a> Own<'a> {
    pub fn new(problem: &'a Problem) -> Self {
        let rows = problem.rows();
        Self { problem, rows }
    }
}

impl etalon_kernel::Problem for Own<'_> {
    fn n(&self) -> usize {
        self.problem.n()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        with_q(self.problem.m().row(i), self.n(), &self.problem.q()[i])
    }

    fn bounds(&self, i: usize) -> Bounds {
        let number = |number: &Number| fixed(number.to_rational());
        match self.rows[i] {
            Row::Nonnegative => [fixed(Rational::new()), None],
            Row::AtLeast(lower) => [number(lower), None],
            Row::AtMost(upper) => [None, number(upper)],
            Row::Between(lower, upper) => [number(lower), number(upper)],
            Row::Free | Row::Cone => [None, None],
            Row::Friction { normal, mu } => {
                let mu = mu.to_rational();
                [-mu.clone(), mu].map(|slope| {
                    Some(Bound {
                        constant: Rational::new(),
                        slope,
                        of: normal,
                    })
                })
            }
        }
    }

    fn cones(&self) -> impl Iterator<Item = Cone> {
        self.problem.cones().iter().map(own_cone)
    }
}

/// A friction cone as the kernel knows it. Those of a million contacts take more room than their problem, so each is
/// made where it is asked for.
pub(crate) fn own_cone(cone: &etalon_lcp::Cone) -> Cone {
    let discs = cone.discs.iter().map(|disc| Disc {
        rows: disc.rows.clone(),
        mu: (0..disc.rows.len())
            .map(|k| disc.mu.of(k).to_rational())
            .collect(),
        is_one: matches!(disc.mu, Mu::One(_)),
    });
    Cone {
        normal: cone.normal,
        discs: discs.collect(),
        law: match cone.law {
            etalon_lcp::Law::Coulomb => Law::Coulomb,
            etalon_lcp::Law::Convex => Law::Convex,
        },
    }
}

/// A mixed LCP: its complementary rows are bounded by 0 from below, its bilateral ones are free.
struct Mixed<'a>(&'a MixedLcp);

impl etalon_kernel::Problem for Mixed<'_> {
    fn n(&self) -> usize {
        self.0.n()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        with_q(self.0.m().row(i), self.n(), &self.0.q()[i])
    }

    fn bounds(&self, i: usize) -> Bounds {
        let lower = (!self.0.bilateral()[i]).then(Rational::new);
        [lower.and_then(fixed), None]
    }
}

/// A matrix alone, of a problem whose unknowns are free.
struct Bare<'a>(&'a Matrix);

impl etalon_kernel::Problem for Bare<'_> {
    fn n(&self) -> usize {
        self.0.n()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        let row = self.0.row(i);
        row.map(|(j, value)| (j, value.to_rational()))
    }

    fn bounds(&self, _: usize) -> Bounds {
        [None, None]
    }
}

fn fixed(constant: Rational) -> Option<Bound> {
    let (slope, of) = (Rational::new(), 0);
    Some(Bound {
        constant,
        slope,
        of,
    })
}

fn with_q<'a>(
    row: impl Iterator<Item = (usize, &'a Number)>,
    n: usize,
    q: &'a Number,
) -> impl Iterator<Item = (usize, Rational)> {
    let entries = row.chain([(n, q)].into_iter().filter(|(_, q)| !q.is_zero()));
    entries.map(|(j, value)| (j, value.to_rational()))
}

/// Checks that y proves a mixed LCP to have no solution.
///
/// # Errors
/// The condition that fails.
pub fn check_farkas(lcp: &MixedLcp, y: &[Number]) -> Result<(), CertificateError> {
    let leaf = [Node::Empty(Entries(y))];
    let proved = Truth::default().add_cover(&Mixed(lcp), &leaf, &Budget::default());
    proved.map_err(|refusal| CertificateError::from(refusal).without_node())
}

/// All that a checked cover leaves room for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Covered {
    /// Points that are alone in their leaf, as often as leaves hold them.
    pub points: Vec<Vec<Rational>>,
    /// Faces: the solutions given on each, at least one.
    pub faces: Vec<Vec<Vec<Rational>>>,
}

impl Covered {
    /// Whether there is no solution.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.faces.is_empty()
    }
}

/// Checks a cover of a mixed LCP and returns what it leaves room for.
///
/// # Errors
/// The node and the condition that fails there.
pub fn check_cover(lcp: &MixedLcp, cover: &Cover) -> Result<Covered, CertificateError> {
    let cover_of_all = Certificate::Enumeration(cover.clone());
    let budget = Budget::default();
    hints::add(&mut Truth::default(), &Mixed(lcp), &cover_of_all, &budget)?;
    // All nodes are reached, and the distances from 0 are the points themselves.
    let mut covered = Covered::default();
    let exact = |vector: &Vec<Number>| vector.iter().map(Number::to_rational).collect::<Vec<_>>();
    for node in &cover.nodes {
        match node {
            CoverNode::Point { z, .. } => covered.points.push(exact(z)),
            CoverNode::Face { vertices, .. } => {
                covered.faces.push(vertices.iter().map(exact).collect());
            }
            _ => {}
        }
    }
    Ok(covered)
}

/// Checks that M is symmetric positive semidefinite, by a fraction-free LDL'.
///
/// # Errors
/// The row or the pivot that shows the contrary.
pub fn check_symmetric_psd(m: &Matrix) -> Result<(), CertificateError> {
    let (class, budget) = (Class::SymmetricPsd, Budget::default());
    Ok(Truth::default().add_class(&Bare(m), &class, &budget)?)
}

/// Checks a proof that M is a P-matrix, so that every LCP with it has exactly one solution (CPS
/// theorem 3.3.7; for boxes: Facchinei and Pang, Finite-Dimensional Variational Inequalities,
/// section 3.5).
///
/// # Errors
/// What does not hold.
pub fn check_p_matrix(m: &Matrix, proof: &PMatrixProof) -> Result<(), CertificateError> {
    hints::add_class(&mut Truth::default(), &Bare(m), proof, &Budget::default())
}
