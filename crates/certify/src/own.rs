//! Problems and certificates of the vocabulary, as the kernel asks for them.

use etalon_kernel::{Bound, Bounds, Budget};
use etalon_lcp::{
    Certificate, Cover, CoverNode, Matrix, MixedLcp, Number, PMatrixProof, Problem, Row,
};
use rug::Rational;

use crate::CertificateError;

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
            Row::Free => [None, None],
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

/// The entries of a vector, one by one.
pub(crate) type Entries<'a> = std::iter::Map<std::slice::Iter<'a, Number>, fn(&Number) -> Rational>;

fn entries(vector: &[Number]) -> Entries<'_> {
    vector
        .iter()
        .map(Number::to_rational as fn(&Number) -> Rational)
}

/// The nodes of a cover.
fn nodes(cover: &Cover) -> Result<Vec<etalon_kernel::Node<Entries<'_>>>, CertificateError> {
    let node = |node| match node {
        &CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } => Ok(etalon_kernel::Node::Branch(row, [z_zero, w_zero])),
        CoverNode::Empty { y } => Ok(etalon_kernel::Node::Empty(entries(y))),
        CoverNode::Point { y, z } => Ok(etalon_kernel::Node::Point(entries(y), entries(z))),
        CoverNode::Face { vertices, rays } => {
            let vertices = vertices.iter().map(|vertex| entries(vertex)).collect();
            let rays = rays.iter().map(|ray| entries(ray)).collect();
            Ok(etalon_kernel::Node::Face(vertices, rays))
        }
        _ => Err(CertificateError::new(
            "a kind of node that this checker does not know",
        )),
    };
    cover.nodes.iter().map(node).collect()
}

/// A certificate for the kernel; a second solution is none, and adds a solution.
pub(crate) fn certificate(
    certificate: &Certificate,
) -> Result<etalon_kernel::Certificate<Entries<'_>>, CertificateError> {
    use etalon_kernel::Certificate as Kernel;
    Ok(match certificate {
        Certificate::Farkas { y } => Kernel::Cover(vec![etalon_kernel::Node::Empty(entries(y))]),
        Certificate::Cover(cover) | Certificate::Enumeration(cover) => Kernel::Cover(nodes(cover)?),
        Certificate::SymmetricPsd => Kernel::SymmetricPsd,
        Certificate::PMatrix(proof) => class(proof)?,
        _ => {
            return Err(CertificateError::new(
                "a kind of certificate that this checker does not know",
            ));
        }
    })
}

fn class(
    proof: &PMatrixProof,
) -> Result<etalon_kernel::Certificate<Entries<'_>>, CertificateError> {
    use etalon_kernel::Certificate as Kernel;
    match proof {
        PMatrixProof::PositiveDefinite => Ok(Kernel::PositiveDefinite),
        PMatrixProof::DiagonallyDominant { weights } => {
            Ok(Kernel::DiagonallyDominant(entries(weights)))
        }
        PMatrixProof::PrincipalMinors => Ok(Kernel::PrincipalMinors),
        _ => Err(CertificateError::new(
            "a kind of proof that this checker does not know",
        )),
    }
}

fn prove<'a>(
    rows: &impl etalon_kernel::Problem,
    certificate: &etalon_kernel::Certificate<Entries<'a>>,
) -> Result<etalon_kernel::Truth, CertificateError> {
    let mut truth = etalon_kernel::Truth::default();
    truth.add_certificate(rows, certificate, &Budget::default())?;
    Ok(truth)
}

/// Checks that y proves a mixed LCP to have no solution.
///
/// # Errors
/// The condition that fails.
pub fn check_farkas(lcp: &MixedLcp, y: &[Number]) -> Result<(), CertificateError> {
    let leaf = vec![etalon_kernel::Node::Empty(entries(y))];
    let proved = prove(&Mixed(lcp), &etalon_kernel::Certificate::Cover(leaf));
    proved.map(|_| ()).map_err(CertificateError::without_node)
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
    prove(
        &Mixed(lcp),
        &etalon_kernel::Certificate::Cover(nodes(cover)?),
    )?;
    // All nodes are reached, and the distances from 0 are the points themselves.
    let mut covered = Covered::default();
    let exact = |vector: &Vec<Number>| entries(vector).collect::<Vec<_>>();
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
    prove(&Bare(m), &etalon_kernel::Certificate::SymmetricPsd).map(|_| ())
}

/// Checks a proof that M is a P-matrix, so that every LCP with it has exactly one solution (CPS
/// theorem 3.3.7; for boxes: Facchinei and Pang, Finite-Dimensional Variational Inequalities,
/// section 3.5).
///
/// # Errors
/// What does not hold.
pub fn check_p_matrix(m: &Matrix, proof: &PMatrixProof) -> Result<(), CertificateError> {
    prove(&Bare(m), &class(proof)?).map(|_| ())
}
