//! Writing down what a step did.

use etalon_rigid::{Scalar, dot};

use super::{Stepper, Trial};
use crate::error::StepError;
use crate::step::{ContactImpulse, Convergence, Dissipation, State, Step, sum};

impl<S: Scalar> Stepper<'_, S> {
    pub(super) fn record(
        &self,
        state: &State<S>,
        trial: Trial<S>,
        after: State<S>,
        convergence: Convergence<S>,
    ) -> Result<Step<S>, StepError> {
        let contacts = self.contacts(&trial, &after)?;
        let dissipation = self.dissipation(state, &trial, &after);
        let energy = self.energy(&after.q, &after.v)?;
        Ok(Step {
            before: state.clone(),
            after,
            velocity: trial.velocity,
            point: trial.point,
            formulation: trial.formulation,
            lcp: trial.lcp,
            z: trial.answer.z,
            basis: trial.answer.basis,
            pivots: trial.answer.pivots,
            contacts,
            convergence,
            dissipation,
            energy,
        })
    }

    fn contacts(
        &self,
        trial: &Trial<S>,
        after: &State<S>,
    ) -> Result<Vec<ContactImpulse<S>>, StepError> {
        let layout = trial.formulation.layout();
        let z = &trial.answer.z;
        let part = &trial.formulation.contacts;
        let one = |index: usize| {
            let gap = self.model.gap(index, &after.q, self.arithmetic)?;
            let Some(i) = part.iter().position(|contact| contact.index == index) else {
                return Ok(ContactImpulse {
                    index,
                    took_part: false,
                    gap,
                    normal: S::zero(),
                    friction: Vec::new(),
                    lambda: S::zero(),
                });
            };
            let directions = &part[i].frame.directions;
            let size = directions.first().map_or(0, |d| d.tangent.len());
            let mut friction = vec![S::zero(); size];
            for (direction, beta) in directions.iter().zip(&z[layout.weights(i)]) {
                for (sum, t) in friction.iter_mut().zip(&direction.tangent) {
                    *sum += &(t.clone() * beta);
                }
            }
            Ok(ContactImpulse {
                index,
                took_part: true,
                gap,
                normal: z[layout.normal(i)].clone(),
                friction,
                lambda: z[layout.lambda(i)].clone(),
            })
        };
        (0..self.model.contacts().len()).map(one).collect()
    }

    fn dissipation(&self, state: &State<S>, trial: &Trial<S>, after: &State<S>) -> Dissipation<S> {
        let formulation = &trial.formulation;
        let (layout, z) = (formulation.layout(), &trial.answer.z);
        let change = trial.velocity.iter().zip(&state.v);
        let change: Vec<S> = change.map(|(new, old)| new.clone() - old).collect();
        let contacts = formulation.contacts.iter().enumerate();
        let friction = contacts
            .clone()
            .map(|(i, contact)| z[layout.lambda(i)].clone() * &contact.mu * &z[layout.normal(i)]);
        // By the energy identity of Stewart and Trinkle's step: with n'v^(l+1) = -gap/h where c_n > 0, the
        // normal impulse takes c_n gap/h, or c_n e n'v^l where the contact bounces.
        let position =
            contacts.map(|(i, c)| z[layout.normal(i)].clone() * &c.offset(&formulation.h));
        let bounded = (layout.contacts..layout.owners())
            .map(|i| formulation.h.clone() * &z[layout.lambda(i)]);
        // U = T - k'q, with k of this step.
        let potential = |q: &[S]| dot(&formulation.impulse, q) / &formulation.h;
        let u = |q: &[S], v: &[S]| formulation.mass.kinetic_energy(v) - &potential(q);
        let rounding = u(&trial.position, &trial.velocity) - u(&after.q, &after.v);
        Dissipation {
            friction: friction.collect(),
            bounded: bounded.collect(),
            numerical: formulation.mass.kinetic_energy(&change),
            position: position.collect(),
            rounding,
        }
    }
}

/// All that a step dissipated, with what rounding took.
pub fn dissipated<S: Scalar>(dissipation: &Dissipation<S>) -> S {
    sum([&dissipation.total(), &dissipation.rounding])
}
