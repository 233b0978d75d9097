//! A scene in binary64: the same formulation on the rounded mechanical system.

use etalon_contact_forces::{
    ForceError, Forces, Formulation, impact_problem, impact_rows, normal_velocities,
};
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem};
use etalon_rigid::{Scalar, System};
use etalon_spatial::ImpactLaw;

use crate::instance::{Question, Setup};
use crate::strike::{Strike, Struck, together};

/// A scene whose every number is rounded to binary64, with its problem.
#[derive(Debug, Clone)]
pub struct Rounded {
    /// The problem, of binary64 numbers; of an impact by Poisson's law that of the compression.
    pub problem: Problem,
    system: System<f64>,
    formulation: Option<Formulation<f64>>,
    /// Of an impact with friction.
    strike: Option<Strike>,
}

/// The meaning of a claim about a rounded scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RoundedAnswer {
    /// Contact forces.
    Forces(Forces<f64>),
    /// Impulses, N s, with the normal velocities after them, m/s.
    Impulses {
        /// Impulse at each contact.
        impulses: Vec<f64>,
        /// Normal velocity of each contact afterwards.
        after: Vec<f64>,
        /// By Poisson's law the impulse of the compression at each contact.
        compression: Option<Vec<f64>>,
    },
    /// The claim names no solution.
    None,
}

impl Setup {
    /// The scene in binary64, as its [`complementary`](Self::complementary) setup.
    ///
    /// # Errors
    /// [`ForceError`] for data that make no scene, or none after rounding.
    pub fn rounded(&self, name: &str) -> Result<Rounded, ForceError> {
        let system = self.system()?.rounded()?;
        let mut strike = None;
        let (formulation, problem) = match &self.complementary().question {
            Question::Forces(model) => {
                let formulation = Formulation::new(system.clone(), *model)?;
                let problem = formulation.problem(name)?;
                (Some(formulation), problem)
            }
            Question::Impact(restitution) => {
                let problem = impact_problem(&system, &Scalar::to_f64(restitution), name)?;
                (None, problem)
            }
            Question::Strike(own) => {
                strike = Some(own.clone());
                (None, own.first(&system)?.problem(name)?)
            }
        };
        Ok(Rounded {
            problem,
            system,
            formulation,
            strike,
        })
    }
}

impl Rounded {
    fn impulses(&self, struck: Struck<f64>) -> RoundedAnswer {
        RoundedAnswer::Impulses {
            after: normal_velocities(&self.system, &struck.velocity),
            impulses: struck.impulses,
            compression: struck.rubbed.compression.map(|own| own.normal),
        }
    }

    /// Of an impact by Poisson's law the compression that a claim about the problem answers, and its strike.
    fn compression(&self, claim: &Claim) -> Result<Option<(&Strike, Struck<f64>)>, ForceError> {
        let strike = self.strike.as_ref();
        let strike = strike.filter(|own| own.law == ImpactLaw::Poisson);
        let (Some(strike), ClaimedAnswer::Solved { z }) = (strike, &claim.answer) else {
            return Ok(None);
        };
        let (length, n) = (z.len(), self.problem.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
        let own = strike.first(&self.system)?.read(&z);
        Ok(Some((strike, own)))
    }

    /// Of an impact by Poisson's law the problem of the decompression, which depends on the answer to that of the compression; none of
    /// other questions, and where the claim names no solution.
    ///
    /// # Errors
    /// [`ForceError`].
    pub fn decompression(&self, claim: &Claim) -> Result<Option<Problem>, ForceError> {
        let Some((strike, own)) = self.compression(claim)? else {
            return Ok(None);
        };
        let name = format!("{}/decompression", self.problem.name());
        strike.last(&self.system, &own)?.problem(&name).map(Some)
    }

    /// Reads claims about both problems of an impact by Poisson's law.
    ///
    /// # Errors
    /// [`ForceError::Length`] for an answer of another length.
    pub fn read_both(&self, first: &Claim, last: &Claim) -> Result<RoundedAnswer, ForceError> {
        let ClaimedAnswer::Solved { z } = &last.answer else {
            return Ok(RoundedAnswer::None);
        };
        let Some((strike, own)) = self.compression(first)? else {
            return self.read(first);
        };
        let posed = strike.last(&self.system, &own)?;
        let (length, n) = (z.len(), posed.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
        let whole = posed.read(&z);
        Ok(self.impulses(together(&self.system, own, whole)))
    }

    /// The formulation, where contact forces are asked for.
    pub fn formulation(&self) -> Option<&Formulation<f64>> {
        self.formulation.as_ref()
    }

    /// Reads a claim about the problem.
    ///
    /// # Errors
    /// [`ForceError::Length`] for an answer of another length.
    pub fn read(&self, claim: &Claim) -> Result<RoundedAnswer, ForceError> {
        let ClaimedAnswer::Solved { z } = &claim.answer else {
            return Ok(RoundedAnswer::None);
        };
        let z: Vec<f64> = z.iter().map(Number::to_f64).collect();
        if let Some(formulation) = &self.formulation {
            return Ok(RoundedAnswer::Forces(formulation.forces(&z)?));
        }
        let (length, n) = (z.len(), self.problem.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        if let Some(strike) = &self.strike {
            return Ok(self.impulses(strike.first(&self.system)?.read(&z)));
        }
        let rows = impact_rows(&self.system);
        let velocity = self.system.velocity_after(rows.iter().zip(&z));
        let mut impulses = z;
        impulses.truncate(self.system.contacts.len());
        Ok(RoundedAnswer::Impulses {
            after: normal_velocities(&self.system, &velocity),
            impulses,
            compression: None,
        })
    }
}
