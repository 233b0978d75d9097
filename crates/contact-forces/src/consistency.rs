//! Whether contact forces exist and whether they are determined, with proof.

use etalon_certify::Truth;
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{Certificate, ClaimedAnswer, Enumeration, Number};
use etalon_rigid::Scalar;

use crate::error::ForceError;
use crate::forces::{ContactForce, Forces};
use crate::formulation::Formulation;

/// The known facts about a configuration (Baraff 1994, section 6).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Consistency<S> {
    /// No contact forces satisfy the conditions, and this proves it.
    Inconsistent(Certificate),
    /// There is one solution.
    Unique(Forces<S>),
    /// There are several.
    Indeterminate(Indeterminate<S>),
    /// The budget ran out, or a family has more corners than can be listed.
    Undecided(String),
}

/// Several solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct Indeterminate<S> {
    /// Isolated solutions and the corners of families of solutions, all different as forces.
    pub solutions: Vec<Forces<S>>,
    /// How many families there are: faces along which forces vary. None means that the solutions
    /// listed are all there are.
    pub families: usize,
    /// Whether a family goes on for ever.
    pub unbounded: bool,
    /// How many different motions the solutions listed make (generalised accelerations). One
    /// means that the motion is determined, unless a family is unbounded.
    pub motions: usize,
    /// The proof that there are no others.
    pub proof: Certificate,
}

impl<S: Scalar> Formulation<S> {
    /// Finds all contact forces, or proves that there are none. Exponential in the number of
    /// contacts in the worst case; the answer is exact for the data as they stand, also in
    /// binary64.
    ///
    /// # Errors
    /// [`ForceError::Problem`], [`ForceError::Length`].
    pub fn consistency(&self, budget: &Budget) -> Result<Consistency<S>, ForceError> {
        let problem = self.problem("contact forces")?;
        let claim = ExactMethod::Enumerate.solver(budget).solve(&problem);
        let Some(proof) = claim.certificate else {
            return Ok(Consistency::Undecided(claim.message.unwrap_or_default()));
        };
        // The proof comes from a solver. Checked, an error of the solver costs an answer instead of
        // making it wrong.
        if let Err(error) = Truth::default().add_certificate(&problem, &proof) {
            return Ok(Consistency::Undecided(format!(
                "the proof does not hold: {error}"
            )));
        }
        if claim.answer == ClaimedAnswer::Unsolvable {
            return Ok(Consistency::Inconsistent(proof));
        }
        let Some(found) = claim.enumeration else {
            return Ok(Consistency::Undecided("no enumeration".to_owned()));
        };
        if !found.complete {
            // Neither corners nor motions can be counted.
            return Ok(Consistency::Undecided(claim.message.unwrap_or_default()));
        }
        self.solutions(&found, proof)
    }

    fn solutions(
        &self,
        found: &Enumeration,
        proof: Certificate,
    ) -> Result<Consistency<S>, ForceError> {
        let mut several = Indeterminate {
            solutions: Vec::new(),
            families: 0,
            unbounded: false,
            motions: 0,
            proof,
        };
        for z in &found.isolated {
            several.add(self.forces(&values(z))?);
        }
        for face in &found.faces {
            let mut corners: Vec<Forces<S>> = Vec::new();
            for z in &face.vertices {
                let forces = self.forces(&values(z))?;
                // Along a face of z the weights of a cone or its multiplier may be all that
                // changes: no family of forces.
                if !corners.contains(&forces) {
                    corners.push(forces);
                }
            }
            let pressing = face.rays.iter().any(|ray| self.presses(&values(ray)));
            // A ray on which only weights or multipliers grow leaves all forces as they are.
            several.unbounded |= pressing;
            several.families += usize::from(pressing || corners.len() > 1);
            corners.into_iter().for_each(|forces| several.add(forces));
        }
        several.motions = several.count_motions();
        Ok(match several.solutions.pop() {
            None => Consistency::Undecided("a face of solutions without a vertex".to_owned()),
            Some(only) if several.solutions.is_empty() && several.families == 0 => {
                Consistency::Unique(only)
            }
            Some(last) => {
                several.solutions.push(last);
                Consistency::Indeterminate(several)
            }
        })
    }

    /// Whether the direction changes a force: weights and multipliers of a cone alone do not.
    fn presses(&self, ray: &[S]) -> bool {
        let forces = self.forces(ray);
        let zero = |force: &ContactForce<S>| {
            force.normal.is_zero() && force.friction.iter().all(S::is_zero)
        };
        forces.is_ok_and(|forces| {
            !forces.contacts.iter().all(zero) || !forces.joints.iter().all(S::is_zero)
        })
    }
}

fn values<S: Scalar>(z: &[Number]) -> Vec<S> {
    z.iter().map(S::from_number).collect()
}

impl<S: Scalar> Indeterminate<S> {
    /// Adds a solution whose forces are new.
    fn add(&mut self, forces: Forces<S>) {
        if !self.solutions.contains(&forces) {
            self.solutions.push(forces);
        }
    }

    fn count_motions(&self) -> usize {
        let mut motions: Vec<&Vec<S>> = Vec::new();
        for forces in &self.solutions {
            if !motions.contains(&&forces.acceleration) {
                motions.push(&forces.acceleration);
            }
        }
        motions.len()
    }
}
