//! Whether contact forces exist and whether they are determined, with proof.

use etalon_certify::Truth;
use etalon_exact::{Budget, Method};
use etalon_lcp::{Certificate, ClaimedAnswer, Enumeration};
use etalon_rigid::Scalar;
use rug::Rational;

use crate::error::ForceError;
use crate::forces::Forces;
use crate::formulation::Formulation;

/// What is known of a configuration (Baraff 1994, section 6).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Consistency<S> {
    /// No contact forces satisfy the conditions, and this proves it.
    Inconsistent(Certificate),
    /// There is one solution.
    Unique(Forces<S>),
    /// There are several.
    Indeterminate(Indeterminate<S>),
    /// The budget ran out.
    Undecided(String),
}

/// Several solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct Indeterminate<S> {
    /// Isolated solutions and the vertices of faces of solutions.
    pub solutions: Vec<Forces<S>>,
    /// How many of them are isolated; the others span faces.
    pub isolated: usize,
    /// Whether a face goes on for ever.
    pub unbounded: bool,
    /// How many different motions they make (generalised accelerations).
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
        let claim = Method::Enumerate.solver(budget).solve(&problem);
        let Some(proof) = claim.certificate else {
            return Ok(Consistency::Undecided(claim.message.unwrap_or_default()));
        };
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
        self.solutions(&found, proof)
    }

    fn solutions(
        &self,
        found: &Enumeration,
        proof: Certificate,
    ) -> Result<Consistency<S>, ForceError> {
        let vertices = found.faces.iter().flat_map(|face| &face.vertices);
        let mut points: Vec<Vec<Rational>> = Vec::new();
        for z in found.isolated.iter().chain(vertices) {
            let z: Vec<_> = z.iter().map(etalon_lcp::Number::to_rational).collect();
            if !points.contains(&z) {
                points.push(z);
            }
        }
        let unbounded = found.faces.iter().any(|face| !face.rays.is_empty());
        let forces = points.iter().map(|z| {
            let z: Vec<_> = z.iter().map(S::from_rational).collect();
            self.forces(&z)
        });
        let mut solutions = forces.collect::<Result<Vec<_>, _>>()?;
        if solutions.len() == 1 && !unbounded {
            return Ok(solutions.pop().map_or_else(
                || Consistency::Undecided(String::new()),
                Consistency::Unique,
            ));
        }
        Ok(Consistency::Indeterminate(Indeterminate {
            motions: self.motions_of(found, &points),
            isolated: found.isolated.len(),
            unbounded,
            solutions,
            proof,
        }))
    }

    /// Different generalised accelerations among the points (directions of faces count, too).
    fn motions_of(&self, found: &Enumeration, points: &[Vec<Rational>]) -> usize {
        let exact = |z: &[Rational]| {
            let z: Vec<_> = z.iter().map(S::from_rational).collect();
            self.system().acceleration(self.columns().iter().zip(&z))
        };
        let mut motions = Vec::new();
        for z in points {
            let motion = exact(z);
            if !motions.contains(&motion) {
                motions.push(motion);
            }
        }
        let still = |ray: &Vec<etalon_lcp::Number>| {
            let ray: Vec<_> = ray.iter().map(S::from_number).collect();
            let force = Forces::generalised(self.columns(), &ray, self.system().dofs());
            force.iter().all(S::is_zero)
        };
        let rays = found.faces.iter().flat_map(|face| &face.rays);
        motions.len() + rays.filter(|ray| !still(ray)).count()
    }
}
