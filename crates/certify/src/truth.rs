//! What is proved of a problem: the facts that hold because their proofs were checked.

use etalon_lcp::{
    Answer, Certificate, Expect, Number, Problem, Reduction, Status, TruthStatus, Unique,
    round_up_f64,
};
use rug::Rational;

use crate::budget::Budget;
use crate::cover::{Covered, check_cover_within};
use crate::evaluate::{evaluate, solves_within};
use crate::farkas::check_farkas_within;
use crate::integers::exact;
use crate::judge::Tolerance;
use crate::matrix_class::{check_p_matrix_within, check_symmetric_psd_within};
use crate::mixed::reduction;
use crate::{CertificateError, ensure};

/// Facts about one problem, each of them checked by this crate: nothing else can write them. All that
/// is added must be about one and the same problem.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    status: TruthStatus,
    solutions: Vec<Vec<Rational>>,
    has_all_solutions: bool,
}

impl Truth {
    /// Whether there is a solution, and what all solutions share.
    pub fn status(&self) -> TruthStatus {
        self.status
    }

    /// Exact solutions, each of n values.
    pub fn solutions(&self) -> &[Vec<Rational>] {
        &self.solutions
    }

    /// Whether it is proved that there are no others.
    pub fn has_all_solutions(&self) -> bool {
        self.has_all_solutions
    }

    /// Whether it is proved that there is no solution.
    pub fn is_unsolvable(&self) -> bool {
        self.status.solvable == Some(false)
    }

    /// Adds an exact solution.
    ///
    /// # Errors
    /// When z does not solve the problem exactly; then nothing is added.
    pub fn add_solution(
        &mut self,
        problem: &Problem,
        z: Vec<Rational>,
    ) -> Result<(), CertificateError> {
        self.add_solution_within(problem, z, &Budget::default())
    }

    fn add_solution_within(
        &mut self,
        problem: &Problem,
        z: Vec<Rational>,
        budget: &Budget,
    ) -> Result<(), CertificateError> {
        let holds = solves_within(problem, &z, budget)?;
        ensure(holds, "z is no exact solution")?;
        let is_new = !self.solutions.contains(&z);
        let is_only = self.solutions.is_empty() || self.status.unique != Some(Unique::Z);
        ensure(is_only || !is_new, TWO_SOLUTIONS)?;
        self.settle(true)?;
        if is_new {
            self.solutions.push(z);
        }
        self.has_all_solutions |= self.status.unique == Some(Unique::Z);
        Ok(())
    }

    /// Adds what a certificate proves.
    ///
    /// # Errors
    /// When the certificate does not hold; then nothing is added.
    pub fn add_certificate(
        &mut self,
        problem: &Problem,
        certificate: &Certificate,
    ) -> Result<(), CertificateError> {
        let mut extended = self.clone();
        extended.extend(problem, certificate, &Budget::default())?;
        *self = extended;
        Ok(())
    }

    /// As [`add_certificate`](Self::add_certificate), but after an error it says nothing sensible.
    fn extend(
        &mut self,
        problem: &Problem,
        certificate: &Certificate,
        budget: &Budget,
    ) -> Result<(), CertificateError> {
        match certificate {
            Certificate::Farkas { y } => {
                let (reduction, _held) = reduction(problem, budget)?;
                check_farkas_within(reduction.mixed(), y, budget)?;
                self.settle(false)
            }
            Certificate::Cover(cover) => {
                let (reduction, _held) = reduction(problem, budget)?;
                let is_empty =
                    check_cover_within(reduction.mixed(), problem.n(), cover, budget)?.is_empty();
                ensure(is_empty, "the cover has leaves that are not empty")?;
                self.settle(false)
            }
            Certificate::Enumeration(cover) => {
                let (reduction, _held) = reduction(problem, budget)?;
                let covered = check_cover_within(reduction.mixed(), problem.n(), cover, budget)?;
                self.add_covered(problem, &reduction, &covered, budget)
            }
            Certificate::SymmetricPsd => {
                no_friction(problem)?;
                check_symmetric_psd_within(problem.m(), budget)?;
                self.status.unique = self.status.unique.or(Some(Unique::W));
                Ok(())
            }
            Certificate::PMatrix(proof) => {
                no_friction(problem)?;
                check_p_matrix_within(problem.m(), proof, budget)?;
                self.settle(true)?;
                self.settle_unique()
            }
            Certificate::SecondSolution { z } => {
                let (z, _held) = exact(z, budget)?;
                self.add_solution_within(problem, z, budget)
            }
            _ => Err(CertificateError::new(
                "a kind of certificate that this checker does not know",
            )),
        }
    }

    fn add_covered(
        &mut self,
        problem: &Problem,
        reduction: &Reduction,
        covered: &Covered,
        budget: &Budget,
    ) -> Result<(), CertificateError> {
        self.settle(!covered.is_empty())?;
        let lift = |point: &Vec<Rational>| reduction.lift(point);
        let points: Vec<_> = covered.points.iter().map(lift).collect();
        let alone = points.windows(2).all(|pair| pair[0] == pair[1]);
        let is_unique = covered.faces.is_empty() && !points.is_empty() && alone;
        let vertices = covered.faces.iter().flatten().map(lift);
        for z in points.into_iter().chain(vertices) {
            self.add_solution_within(problem, z, budget)?;
        }
        self.has_all_solutions |= covered.faces.is_empty();
        if is_unique {
            self.settle_unique()
        } else {
            Ok(())
        }
    }

    fn settle(&mut self, solvable: bool) -> Result<(), CertificateError> {
        let why = "one proof says solvable, another unsolvable";
        ensure(self.status.solvable != Some(!solvable), why)?;
        self.status.solvable = Some(solvable);
        Ok(())
    }

    fn settle_unique(&mut self) -> Result<(), CertificateError> {
        ensure(self.solutions.len() <= 1, TWO_SOLUTIONS)?;
        self.status.unique = Some(Unique::Z);
        self.has_all_solutions = !self.solutions.is_empty();
        Ok(())
    }
}

const TWO_SOLUTIONS: &str = "z is proved unique, but there are two solutions";

/// Re-proves what a problem's `expect` says, from nothing but its certificates: what a golden
/// must stand.
///
/// # Errors
/// The first statement that does not hold or has no proof.
pub fn prove(problem: &Problem, expect: &Expect) -> Result<Truth, CertificateError> {
    let truth = known(problem, expect)?;
    check_stated(problem, expect, &truth)?;
    Ok(truth)
}

/// Whether all that `expect` says follows from what is proved, which may be more than its own
/// certificates prove: a solution that was found since refutes that a problem is perturbed.
///
/// # Errors
/// The first statement that does not hold or has no proof.
pub fn check_stated(
    problem: &Problem,
    expect: &Expect,
    truth: &Truth,
) -> Result<(), CertificateError> {
    check_status(expect, truth)?;
    // Where z is unique, so is w.
    let proved = truth.status.unique;
    let is_proved = |stated| proved == Some(Unique::Z) || proved == Some(stated);
    ensure(
        expect.unique.is_none_or(is_proved),
        "expect.unique has no proof",
    )?;
    match &expect.answer {
        Some(answer) => check_answer(problem, answer).map_err(|e| e.at("expect.answer".to_owned())),
        None => Ok(()),
    }
}

/// What follows from the solutions and the certificate of a problem's `expect`. Statements
/// without a proof are not believed, and no error either.
///
/// # Errors
/// The first statement that is false.
pub fn known(problem: &Problem, expect: &Expect) -> Result<Truth, CertificateError> {
    let budget = Budget::default();
    let mut truth = Truth::default();
    let mut all = budget.hold(0, 0)?;
    for (k, z) in expect.solutions.iter().enumerate() {
        let (z, held) = exact(z, &budget)?;
        all.join(held);
        let added = truth.add_solution_within(problem, z, &budget);
        added.map_err(|error| error.at(format!("expect.solutions[{k}]")))?;
    }
    let why = "expect.solutions gives one solution twice";
    ensure(truth.solutions.len() == expect.solutions.len(), why)?;
    if let Some(certificate) = &expect.certificate {
        let added = truth.extend(problem, certificate, &budget);
        added.map_err(|error| error.at("expect.certificate".to_owned()))?;
    }
    check_stated_status(expect, &truth)?;
    Ok(truth)
}

/// Whether what is proved leaves room for the stated status: false only where the contrary is proved.
///
/// # Errors
/// A problem called solvable that has no solution, or called unsolvable that has one.
pub fn check_stated_status(expect: &Expect, truth: &Truth) -> Result<(), CertificateError> {
    let refuted = expect.status == Status::Solvable && truth.is_unsolvable();
    let why = "expect.status is solvable, but the contrary is proved";
    ensure(!refuted, why)?;
    let refuted = expect.status == Status::Unsolvable && truth.status.solvable == Some(true);
    ensure(
        !refuted,
        "expect.status is unsolvable, but there is a solution",
    )
}

/// [`known`] has seen that nothing stated is false; is it proved?
fn check_status(expect: &Expect, truth: &Truth) -> Result<(), CertificateError> {
    match (expect.status, &expect.answer) {
        (Status::Solvable, _) => ensure(
            truth.status.solvable == Some(true),
            "expect.status is solvable, but there is no solution to show it",
        ),
        (Status::Unsolvable, _) => ensure(
            truth.is_unsolvable(),
            "expect.status is unsolvable, but there is no proof of it",
        ),
        (Status::Perturbed, None) => ensure(
            false,
            "expect.status is perturbed, but there is no expect.answer",
        ),
        (Status::Perturbed, Some(answer)) => {
            let is_sensible = truth.solutions.iter().any(|z| is_sensible(z, answer));
            let is_unseen = truth.status.solvable == Some(true) && truth.solutions.is_empty();
            let why = "expect.status is perturbed, but there is a solution like the answer";
            ensure(!is_sensible && !is_unseen, why)
        }
    }
}

/// Whether max|z| <= 1000 max(1, max|answer|): a larger solution is absurd beside logged data.
pub fn is_sensible(z: &[Rational], answer: &Answer) -> bool {
    let sizes = answer.z.iter().map(|value| value.to_rational().abs());
    let limit = sizes.max().unwrap_or_default().max(Rational::from(1)) * 1000;
    z.iter().all(|value| *value.as_abs() <= limit)
}

/// The backward error of the answer is no more than the stated number. (It is rounded up, and the
/// stated number is one that it is rounded to: then the comparison is that of the exact values.)
fn check_answer(problem: &Problem, answer: &Answer) -> Result<(), CertificateError> {
    let z: Vec<_> = answer.z.iter().map(Number::to_rational).collect();
    let evaluation = evaluate(problem, &z, &Tolerance::default())?;
    let found = round_up_f64(&evaluation.measures.backward_error);
    let stated = answer.backward_error;
    let why = format!("the backward error is {found:e}, not {stated:e}");
    ensure(found <= stated, why)
}

/// With friction rows the bounds depend on z, and the theorems on M do not apply.
fn no_friction(problem: &Problem) -> Result<(), CertificateError> {
    let why = "a property of M proves nothing about a problem with friction rows";
    ensure(problem.friction().is_empty(), why)
}
