//! What is proved of a problem: the facts that hold because their proofs were checked.

use etalon_lcp::{Certificate, Expect, Number, Problem, Reduction, Status, TruthStatus, Unique};
use rug::Rational;

use crate::CertificateError;
use crate::cover::{Covered, check_cover, check_cover_of};
use crate::evaluate::solves;
use crate::farkas::check_farkas;
use crate::matrix_class::{check_p_matrix, check_symmetric_psd};

/// Facts about one problem, each of them checked by this crate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    /// Whether there is a solution, and what all solutions share.
    pub status: TruthStatus,
    /// Exact solutions, each of n values.
    pub solutions: Vec<Vec<Rational>>,
    /// Whether it is proved that there are no others.
    pub has_all_solutions: bool,
}

impl Truth {
    /// Adds an exact solution.
    ///
    /// # Errors
    /// When z does not solve the problem exactly.
    pub fn add_solution(
        &mut self,
        problem: &Problem,
        z: Vec<Rational>,
    ) -> Result<(), CertificateError> {
        match solves(problem, &z) {
            Ok(true) => {}
            Ok(false) => return Err(CertificateError::new("z is no exact solution")),
            Err(length) => return Err(CertificateError::new(length.to_string())),
        }
        self.settle(true)?;
        if !self.solutions.contains(&z) {
            self.solutions.push(z);
        }
        self.has_all_solutions |= self.status.unique == Some(Unique::Z);
        Ok(())
    }

    /// Adds what a certificate proves.
    ///
    /// # Errors
    /// When the certificate does not hold.
    pub fn add_certificate(
        &mut self,
        problem: &Problem,
        certificate: &Certificate,
    ) -> Result<(), CertificateError> {
        let mixed = || Reduction::new(problem).mixed().clone();
        match certificate {
            Certificate::Farkas { y } => {
                check_farkas(&mixed(), y)?;
                self.settle(false)
            }
            Certificate::Cover(cover) => {
                if !check_cover(&mixed(), cover)?.is_empty() {
                    return Err(CertificateError::new(
                        "the cover has leaves that are not empty",
                    ));
                }
                self.settle(false)
            }
            Certificate::Enumeration(cover) => {
                let covered = check_cover_of(&mixed(), problem.n(), cover)?;
                self.add_covered(problem, &covered)
            }
            Certificate::SymmetricPsd => {
                no_friction(problem)?;
                check_symmetric_psd(problem.m())?;
                self.status.unique = self.status.unique.or(Some(Unique::W));
                Ok(())
            }
            Certificate::PMatrix(proof) => {
                no_friction(problem)?;
                check_p_matrix(problem.m(), proof)?;
                self.status.unique = Some(Unique::Z);
                self.has_all_solutions = !self.solutions.is_empty();
                self.settle(true)
            }
            Certificate::SecondSolution { z } => self.add_solution(problem, exact(z)),
            _ => Err(CertificateError::new(
                "a kind of certificate that this checker does not know",
            )),
        }
    }

    fn add_covered(
        &mut self,
        problem: &Problem,
        covered: &Covered,
    ) -> Result<(), CertificateError> {
        self.settle(!covered.is_empty())?;
        let reduction = Reduction::new(problem);
        let points: Vec<_> = covered
            .points
            .iter()
            .map(|point| reduction.lift(point))
            .collect();
        let alone = points.windows(2).all(|pair| pair[0] == pair[1]);
        if covered.faces.is_empty() && !points.is_empty() && alone {
            self.status.unique = Some(Unique::Z);
        }
        let vertices = covered
            .faces
            .iter()
            .flatten()
            .map(|vertex| reduction.lift(vertex));
        for z in points.into_iter().chain(vertices) {
            self.add_solution(problem, z)?;
        }
        self.has_all_solutions |= covered.faces.is_empty();
        Ok(())
    }

    fn settle(&mut self, solvable: bool) -> Result<(), CertificateError> {
        match self.status.solvable.replace(solvable) {
            Some(before) if before != solvable => Err(CertificateError::new(
                "one proof says solvable, another unsolvable",
            )),
            _ => Ok(()),
        }
    }

    /// Whether it is proved that there is no solution.
    pub fn is_unsolvable(&self) -> bool {
        self.status.solvable == Some(false)
    }
}

/// Re-proves what a problem's `expect` says, from nothing but its certificates: what a golden
/// must stand.
///
/// # Errors
/// The first statement that does not hold or has no proof.
pub fn prove(problem: &Problem, expect: &Expect) -> Result<Truth, CertificateError> {
    let truth = known(problem, expect)?;
    check_status(expect, &truth)?;
    check_unique(expect, &truth)?;
    Ok(truth)
}

/// What follows from the solutions and the certificate of a problem's `expect`. Statements
/// without a proof are not believed, and no error either.
///
/// # Errors
/// The first statement that is false.
pub fn known(problem: &Problem, expect: &Expect) -> Result<Truth, CertificateError> {
    let mut truth = Truth::default();
    for (k, z) in expect.solutions.iter().enumerate() {
        let added = truth.add_solution(problem, exact(z));
        added.map_err(|error| error.at(format!("expect.solutions[{k}]")))?;
    }
    if truth.solutions.len() < expect.solutions.len() {
        return Err(CertificateError::new(
            "expect.solutions gives one solution twice",
        ));
    }
    if let Some(certificate) = &expect.certificate {
        let added = truth.add_certificate(problem, certificate);
        added.map_err(|error| error.at("expect.certificate".to_owned()))?;
    }
    match (expect.status, truth.status.solvable) {
        (Status::Solvable, Some(false)) => Err(CertificateError::new(
            "expect.status is solvable, but the certificate proves the contrary",
        )),
        (Status::Unsolvable, Some(true)) => Err(CertificateError::new(
            "expect.status is unsolvable, but there is a solution",
        )),
        _ if truth.status.unique == Some(Unique::Z) && truth.solutions.len() > 1 => Err(
            CertificateError::new("z is proved unique, but there are two solutions"),
        ),
        _ => Ok(truth),
    }
}

/// [`known`] has seen that nothing stated is false; is it proved?
fn check_status(expect: &Expect, truth: &Truth) -> Result<(), CertificateError> {
    let problem = match (expect.status, truth.status.solvable) {
        (Status::Solvable | Status::Unsolvable, Some(_)) => return Ok(()),
        (Status::Perturbed, _) if expect.answer.is_some() => return Ok(()),
        (Status::Perturbed, _) => "expect.status is perturbed, but there is no expect.answer",
        (Status::Solvable, None) => {
            "expect.status is solvable, but there is no solution to show it"
        }
        (Status::Unsolvable, None) => "expect.status is unsolvable, but there is no proof of it",
    };
    Err(CertificateError::new(problem))
}

fn check_unique(expect: &Expect, truth: &Truth) -> Result<(), CertificateError> {
    let proved = truth.status.unique;
    let holds = match expect.unique {
        None => true,
        Some(Unique::W) => proved.is_some(),
        Some(Unique::Z) => proved == Some(Unique::Z),
    };
    if !holds {
        return Err(CertificateError::new("expect.unique has no proof"));
    }
    Ok(())
}

/// With friction rows the bounds depend on z, and the theorems on M do not apply.
fn no_friction(problem: &Problem) -> Result<(), CertificateError> {
    if problem.friction().is_empty() {
        return Ok(());
    }
    Err(CertificateError::new(
        "a property of M proves nothing about a problem with friction rows",
    ))
}

fn exact(values: &[Number]) -> Vec<Rational> {
    values.iter().map(Number::to_rational).collect()
}
