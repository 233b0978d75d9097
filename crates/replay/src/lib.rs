//! Stored runs derived anew, and solvers put on them.
//!
//! [`forces`] holds scenes with their contact forces (`etalon-forces/1`), [`trajectories`] holds motions
//! (`etalon-trajectory/1`); both are derived from their scene and re-checked from the record.
//!
//! A solver is judged on the problem of each recorded step ([`replay_step`]), where errors cannot hide
//! behind chaos, and in closed loop ([`closed_loop()`]), where its own answers make its own motion.

mod apart;
mod closed_loop;
pub mod forces;
pub mod judged;
mod open;
pub mod steps;
mod termination;
pub mod trajectories;
mod world_contacts;
mod world_laws;
pub mod worlds;

pub use closed_loop::{Cause, ClosedLoop, Divergence, Parting, closed_loop};
pub use open::{Replayed, ReplayedStep, replay_step};

use etalon_judge::{Judge, Judgement};
use etalon_lcp::{
    Basis, Claim, ClaimedAnswer, Cone, Matrix, Mu, Number, Problem, ProblemError, Solver,
};

/// A solver on trial.
pub struct Trial<'a> {
    /// It.
    pub solver: &'a dyn Solver,
    /// Whether it takes fractions; otherwise problems are rounded to binary64, and it is judged on
    /// what it was sent.
    pub exact: bool,
    /// What decides about its answers.
    pub judge: Judge,
}

impl Trial<'_> {
    /// The problem as the solver is sent it.
    ///
    /// # Errors
    /// Which number is beyond binary64.
    pub fn sent(&self, problem: &Problem) -> Result<Problem, String> {
        if self.exact || problem.is_binary64() {
            return Ok(problem.clone());
        }
        rounded(problem)
    }

    /// Asks it, and judges the answer exactly.
    pub fn ask(&self, problem: &Problem) -> (Claim, Judgement) {
        let claim = self.solver.solve(problem);
        let judgement = self.judge.verdict(problem, &claim);
        (claim, judgement)
    }
}

/// The problem with every number rounded to the nearest binary64.
fn rounded(problem: &Problem) -> Result<Problem, String> {
    let name = problem.name();
    let number = |number: &Number| {
        Number::from_f64(number.to_f64()).ok_or_else(|| format!("{name}: {number} is no binary64"))
    };
    let row = |i: usize| -> Result<Vec<Number>, String> {
        let zero = Number::from_f64(0.0).ok_or("zero is a binary64")?;
        let mut row = vec![zero; problem.n()];
        for (j, value) in problem.m().row(i) {
            row[j] = number(value)?;
        }
        Ok(row)
    };
    let rows = (0..problem.n()).map(row).collect::<Result<_, _>>()?;
    let matrix = Matrix::from_rows(rows).map_err(|error| error.to_string())?;
    let q = problem.q().iter().map(number).collect::<Result<_, _>>()?;
    let made: Result<Problem, ProblemError> = Problem::new(name, matrix, q);
    let made = made.map_err(|error| error.to_string())?;
    if problem.is_lcp() {
        return Ok(made);
    }
    let made = made.with_cones(rounded_cones(problem)?);
    made.map_err(|error| error.to_string())
}

/// The friction cones of a problem, mu rounded to the nearest binary64.
fn rounded_cones(problem: &Problem) -> Result<Vec<Cone>, String> {
    let mut cones = problem.cones().to_vec();
    let number = |mu: &Number| {
        Number::from_f64(mu.to_f64()).ok_or_else(|| format!("mu = {mu} is no binary64"))
    };
    for disc in cones.iter_mut().flat_map(|cone| &mut cone.discs) {
        disc.mu = match &disc.mu {
            Mu::One(mu) => Mu::One(number(mu)?),
            Mu::Each(each) => Mu::Each(each.iter().map(number).collect::<Result<_, _>>()?),
        };
    }
    Ok(cones)
}

/// Whether two answers are of different bases: of their supports where one names no basis, since a
/// basic variable at zero is then not to be seen.
fn differs(own: (&[Number], Option<&Basis>), reference: (&[Number], &Basis)) -> bool {
    match own.1.filter(|basis| basis.n() == reference.1.n()) {
        Some(basis) => basis != reference.1,
        None => support(own.0) != support(reference.0),
    }
}

fn support(z: &[Number]) -> Vec<bool> {
    z.iter().map(|z| z.signum() > 0).collect()
}

/// The claimed solution.
fn solution(claim: &Claim) -> Option<&[Number]> {
    match &claim.answer {
        ClaimedAnswer::Solved { z } => Some(z),
        _ => None,
    }
}

/// The largest difference of an entry.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
