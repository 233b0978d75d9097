//! The checker as it was before the kernel: certificates about the problem's mixed form. It is the
//! other side of the tests of the kernel, and no verdict rests on it.

mod cover;
mod farkas;
mod integers;
mod matrix_class;
mod mixed;

mod budget {
    pub(crate) use etalon_kernel::{Budget, Held, Refusal as OverBudget, bits, fraction_bits};
}

use etalon_kernel::{Budget, Refusal};
use etalon_lcp::{Certificate, Problem};
use rug::Rational;

/// Why a certificate does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateError(String);

impl CertificateError {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    fn at(self, place: String) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl From<Refusal> for CertificateError {
    fn from(over: Refusal) -> Self {
        Self::new(over.to_string())
    }
}

impl std::fmt::Display for CertificateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn ensure(holds: bool, why: impl std::fmt::Display) -> Result<(), CertificateError> {
    if holds {
        return Ok(());
    }
    Err(CertificateError::new(why.to_string()))
}

/// What a certificate proves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proved {
    /// Whether there is a solution.
    pub solvable: Option<bool>,
    /// Whether all solutions share w, or even z.
    pub unique: Option<etalon_lcp::Unique>,
    /// The solutions that it shows.
    pub solutions: Vec<Vec<Rational>>,
}

/// What a certificate other than a second solution proves, by way of the mixed form.
///
/// # Errors
/// Why it does not hold.
pub fn prove(problem: &Problem, certificate: &Certificate) -> Result<Proved, CertificateError> {
    use etalon_lcp::Unique;
    let budget = Budget::default();
    let class = |solvable, unique| Proved {
        solvable,
        unique: Some(unique),
        solutions: Vec::new(),
    };
    let none = Proved {
        solvable: Some(false),
        ..Proved::default()
    };
    let why = "a property of M proves nothing about a problem with friction rows";
    let fixed = || ensure(problem.friction().is_empty(), why);
    match certificate {
        Certificate::Farkas { y } => {
            let (reduction, _held) = mixed::reduction(problem, &budget)?;
            farkas::check_farkas_within(reduction.mixed(), y, &budget)?;
            Ok(none)
        }
        Certificate::Cover(cover) | Certificate::Enumeration(cover) => {
            let (reduction, _held) = mixed::reduction(problem, &budget)?;
            let covered =
                cover::check_cover_within(reduction.mixed(), problem.n(), cover, &budget)?;
            if covered.is_empty() {
                return Ok(none);
            }
            let is_cover = matches!(certificate, Certificate::Cover(_));
            ensure(!is_cover, "the cover has leaves that are not empty")?;
            let points = covered.points.iter().map(|point| reduction.lift(point));
            let vertices = covered.faces.iter().flatten();
            let mut solutions: Vec<Vec<Rational>> = Vec::new();
            for z in points.chain(vertices.map(|vertex| reduction.lift(vertex))) {
                if !solutions.contains(&z) {
                    solutions.push(z);
                }
            }
            let alone = covered.faces.is_empty() && solutions.len() == 1;
            Ok(Proved {
                solvable: Some(true),
                unique: alone.then_some(Unique::Z),
                solutions,
            })
        }
        Certificate::SymmetricPsd => {
            fixed()?;
            matrix_class::check_symmetric_psd(problem.m(), &budget)?;
            Ok(class(None, Unique::W))
        }
        Certificate::PMatrix(proof) => {
            fixed()?;
            matrix_class::check_p_matrix(problem.m(), proof, &budget)?;
            Ok(class(Some(true), Unique::Z))
        }
        _ => Err(CertificateError::new("a solution, or a kind not known")),
    }
}
