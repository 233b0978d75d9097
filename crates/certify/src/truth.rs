//! What is proved of a problem: the facts that hold because their proofs were checked.

use etalon_lcp::{
    Certificate, CoverNode, Expect, Number, Problem, SourceAnswer, Status, TruthStatus, Unique,
    round_up_f64,
};
use rug::Rational;

use crate::budget::{Budget, OverBudget, fraction_bits};
use crate::candidate::evaluate;
use crate::evaluate::backward_error;
use crate::hints;
use crate::integers::exact;
use crate::own::Own;
use crate::tolerance::Tolerance;
use crate::{CertificateError, ensure};

/// Facts about one problem, each of them checked by the kernel: nothing else can write them. All
/// that is added must be about one and the same problem.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth(etalon_kernel::Truth);

impl Truth {
    /// Whether there is a solution, and what all solutions share.
    pub fn status(&self) -> TruthStatus {
        let unique = self.0.proved().unique.map(|unique| match unique {
            etalon_kernel::Unique::Z => Unique::Z,
            etalon_kernel::Unique::W => Unique::W,
        });
        TruthStatus {
            solvable: self.0.proved().solvable,
            unique,
        }
    }

    /// Exact solutions, each of n values.
    pub fn solutions(&self) -> &[Vec<Rational>] {
        &self.0.proved().solutions
    }

    /// Whether it is proved that there are no others.
    pub fn has_all_solutions(&self) -> bool {
        self.0.proved().has_all_solutions
    }

    /// Boxes that hold a solution each, where friction cones make solutions that fractions need not state: the
    /// middle and how far the box reaches, n values each.
    pub fn boxes(&self) -> &[[Vec<Rational>; 2]] {
        &self.0.proved().boxes
    }

    /// Whether it is proved that there is no solution.
    pub fn is_unsolvable(&self) -> bool {
        self.0.proved().solvable == Some(false)
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
        let added = self.0.add_solution(&Own::new(problem), z, budget);
        added.map_err(|refusal| match refusal.row {
            Some(row) if !refusal.is_over_budget() => {
                CertificateError::new("z is no exact solution").at(format!("row {row}"))
            }
            _ => refusal.into(),
        })
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
        self.extend(problem, certificate, &Budget::default())
    }

    fn extend(
        &mut self,
        problem: &Problem,
        certificate: &Certificate,
        budget: &Budget,
    ) -> Result<(), CertificateError> {
        if let Certificate::SecondSolution { z } = certificate {
            let (z, _held) = exact(z, budget)?;
            return self.add_solution_within(problem, z, budget);
        }
        if let Certificate::Cover(cover) = certificate {
            let leaf = |node: &CoverNode| {
                use CoverNode::{Branch, Contact, Empty};
                matches!(node, Branch { .. } | Contact { .. } | Empty { .. })
            };
            let why = "the cover has leaves that are not empty";
            ensure(cover.nodes.iter().all(leaf), why)?;
        }
        let rows = Own::new(problem);
        let added = hints::add(&mut self.0, &rows, certificate, budget);
        added.map_err(|error| match certificate {
            Certificate::Farkas { .. } => error.without_node(),
            _ => error,
        })
    }
}

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
    check_not_refuted(problem, expect, truth)?;
    check_status(expect, truth)?;
    let is_open = expect.status == Status::Perturbed && truth.status().solvable.is_none();
    let why = "expect.status is perturbed, but with friction cones that takes a proof that there is no solution";
    ensure(!is_open || problem.is_lcp(), why)?;
    // Where z is unique, so is w.
    let proved = truth.status().unique;
    let is_proved = |stated| proved == Some(Unique::Z) || proved == Some(stated);
    ensure(
        expect.unique.is_none_or(is_proved),
        "expect.unique has no proof",
    )?;
    match &expect.answer {
        Some(answer) => check_answer(problem, expect.status, answer)
            .map_err(|e| e.at("expect.answer".to_owned())),
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
    let mut all = Vec::new();
    for (k, z) in expect.solutions.iter().enumerate() {
        let (z, held) = exact(z, &budget)?;
        all.push(held);
        let added = truth.add_solution_within(problem, z, &budget);
        added.map_err(|error| error.at(format!("expect.solutions[{k}]")))?;
    }
    let why = "expect.solutions gives one solution twice";
    ensure(truth.solutions().len() == expect.solutions.len(), why)?;
    if let Some(certificate) = &expect.certificate {
        let added = truth.extend(problem, certificate, &budget);
        added.map_err(|error| error.at("expect.certificate".to_owned()))?;
    }
    check_not_refuted(problem, expect, &truth)?;
    Ok(truth)
}

/// Whether what is proved leaves room for the stated status and uniqueness: false only where the contrary is proved.
///
/// # Errors
/// A problem called solvable that has no solution, called unsolvable that has one, or called perturbed that has
/// one of a size like the answer's; a uniqueness beside two solutions that differ in it.
pub fn check_not_refuted(
    problem: &Problem,
    expect: &Expect,
    truth: &Truth,
) -> Result<(), CertificateError> {
    let refuted = expect.status == Status::Solvable && truth.is_unsolvable();
    let why = "expect.status is solvable, but the contrary is proved";
    ensure(!refuted, why)?;
    let is_solvable = truth.status().solvable == Some(true);
    let refuted = expect.status == Status::Unsolvable && is_solvable;
    let why = "expect.status is unsolvable, but there is a solution";
    ensure(!refuted, why)?;
    let limit = sensible_limit(expect.answer.iter().flat_map(|answer| &answer.z));
    let is_sensible = |z: &Vec<Rational>| z.iter().all(|value| *value.as_abs() <= limit);
    let refuted = expect.status == Status::Perturbed && truth.solutions().iter().any(is_sensible);
    let why = "expect.status is perturbed, but there is a solution like the answer";
    ensure(!refuted, why)?;
    let Some((first, others)) = truth.solutions().split_first() else {
        return Ok(());
    };
    match expect.unique {
        None => Ok(()),
        Some(Unique::Z) => {
            let why = "expect.unique is z, but there are two solutions";
            ensure(others.is_empty(), why)
        }
        Some(Unique::W) => {
            let budget = Budget::default();
            let refuted = others
                .iter()
                .any(|other| differ_in_w(problem, first, other, &budget) == Ok(true));
            let why = "expect.unique is w, but there are solutions with another w";
            ensure(!refuted, why)
        }
    }
}

/// Whether M y is not M z.
fn differ_in_w(
    problem: &Problem,
    y: &[Rational],
    z: &[Rational],
    budget: &Budget,
) -> Result<bool, OverBudget> {
    for i in 0..problem.n() {
        let mut sum = Rational::new();
        for (j, value) in problem.m().row(i) {
            let (value, gap) = (value.to_rational(), Rational::from(&y[j] - &z[j]));
            budget.reduce(1, fraction_bits(&value), fraction_bits(&gap))?;
            let term = value * gap;
            budget.reduce(1, fraction_bits(&sum), fraction_bits(&term))?;
            sum += term;
        }
        if !sum.is_zero() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Nothing stated is false; is it proved?
fn check_status(expect: &Expect, truth: &Truth) -> Result<(), CertificateError> {
    match (expect.status, &expect.answer) {
        (Status::Solvable, _) => ensure(
            truth.status().solvable == Some(true),
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
        // Of the record's own proofs only: who proves more contradicts nothing.
        (Status::Unknown, _) => {
            let why = "expect.status is unknown, but it is proved whether there is a solution";
            ensure(truth.status().solvable.is_none(), why)
        }
        (Status::Perturbed, Some(_)) => {
            let is_unseen = truth.status().solvable == Some(true) && truth.solutions().is_empty();
            let why = "expect.status is perturbed, but there is a solution like the answer";
            ensure(!is_unseen, why)
        }
    }
}

/// Whether max|z| <= 1000 max(1, max|answer|): a larger solution is absurd beside logged data.
pub fn is_sensible(z: &[Rational], answer: &SourceAnswer) -> bool {
    let limit = sensible_limit(answer.z.iter());
    z.iter().all(|value| *value.as_abs() <= limit)
}

/// 1000 max(1, max|answer|).
fn sensible_limit<'a>(answer: impl Iterator<Item = &'a Number>) -> Rational {
    let sizes = answer.map(|value| value.to_rational().abs());
    sizes.max().unwrap_or_default().max(Rational::from(1)) * 1000
}

/// The errors of the answer are no more than the stated numbers: those of the answer as it
/// stands where the status is perturbed, else those of what it is read as. (They are rounded up, and the
/// stated numbers are ones that they are rounded to: then the comparison is that of the exact values.)
fn check_answer(
    problem: &Problem,
    status: Status,
    answer: &SourceAnswer,
) -> Result<(), CertificateError> {
    let z: Vec<_> = answer.z.iter().map(Number::to_rational).collect();
    let within = |what: &str, found: &Rational, stated| {
        let found = round_up_f64(found);
        let why = format!("the {what} is {found:e}, not {stated:e}");
        ensure(found <= stated, why)
    };
    if status == Status::Perturbed && problem.is_lcp() {
        let found = backward_error(problem, &z)?;
        return within("backward error", &found, answer.backward_error);
    }
    let found = evaluate(problem, &z, &Tolerance::default())?.measures;
    let (backward, block) = (found.backward_error, found.block_error);
    within("backward error", &backward, answer.backward_error)?;
    let block = block.as_ref().zip(answer.block_error);
    block.map_or(Ok(()), |(found, stated)| {
        within("block error", found, stated)
    })
}
