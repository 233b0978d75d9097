//! Another solution beside one that is known: proof that contact forces are not the only ones.

use etalon_certify::solves;
use etalon_exact::{Budget, Lemke, LemkeOutcome};
use etalon_lcp::Reduction;
use rug::Rational;

use crate::error::ForceError;
use crate::forces::Forces;
use crate::formulation::{Formulation, FrictionModel};
use crate::static_friction::Order;

/// Other solutions are looked for along paths from so many other covering vectors.
const COVERS: u32 = 8;

/// The values of the problem's variables, and the forces that they mean.
pub type FoundForces = (Vec<Rational>, Forces<Rational>);

impl Formulation<Rational> {
    /// Looks for contact forces that differ from those known, where listing all solutions would take
    /// too long: by index sets in both orders, and along Lemke's paths from other covering vectors.
    /// What is found solves the problem exactly; finding nothing means nothing.
    ///
    /// # Errors
    /// [`ForceError::Problem`], [`ForceError::Length`].
    pub fn another(
        &self,
        known: &Forces<Rational>,
        budget: &Budget,
    ) -> Result<Option<FoundForces>, ForceError> {
        let problem = self.problem("contact forces")?;
        let is_new = |z: Vec<Rational>| -> Result<_, ForceError> {
            let forces = self.forces(&z)?;
            // Index sets in space solve the problem of the box; the exact check says whether z solves this
            // one.
            let solves = solves(&problem, &z).unwrap_or(false);
            Ok((solves && forces != *known).then_some((z, forces)))
        };
        if !matches!(self.model(), FrictionModel::Polyhedral(_)) && !self.holds() {
            for order in [Order::OneAtATime, Order::Simultaneous] {
                let Ok((z, _)) = self.static_friction(order)?.outcome else {
                    continue;
                };
                if let Some(found) = is_new(z)? {
                    return Ok(Some(found));
                }
            }
        }
        let reduction = Reduction::new(&problem);
        let rows = reduction.mixed().n() as u32;
        for k in 1..=COVERS {
            // Weights that favour now these rows, now those. The seventh ones are all 1: the path that Lemke's method takes by
            // itself, another one wherever the known forces come from elsewhere.
            let weight = |row: u32| Rational::from(1 + (row * k * k + k) % 7 * k);
            let lemke = Lemke {
                cover: Some((0..rows).map(weight).collect()),
                budget: budget.clone(),
                ..Lemke::default()
            };
            let Ok(run) = lemke.solve(reduction.mixed()) else {
                continue;
            };
            if let LemkeOutcome::Solved { z, .. } = run.outcome
                && let Some(found) = is_new(reduction.lift(&z))?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
