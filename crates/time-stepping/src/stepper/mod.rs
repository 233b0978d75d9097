//! Taking steps.

mod newton;
mod record;

use std::borrow::Cow;

use etalon_lcp::Solver;
use etalon_rigid::Scalar;

use crate::arithmetic::Arithmetic;
use crate::bilateral::Bilateral;
use crate::error::StepError;
use crate::formulation::{Formulation, Layout, StepContact, StepLcp};
use crate::model::Model;
use crate::settings::{Activation, Scheme, Settings};
use crate::solve::{StepAnswer, solve};
use crate::step::{Convergence, Energy, State, Step};

pub use record::dissipated;

/// A model with everything that it takes to step it.
pub struct Stepper<'a, S> {
    model: &'a dyn Model<S>,
    arithmetic: &'a dyn Arithmetic<S>,
    solver: &'a dyn Solver,
    settings: Settings<S>,
}

/// One linear problem with its answer.
struct Trial<S> {
    point: Vec<S>,
    formulation: Formulation<S>,
    lcp: StepLcp<S>,
    answer: StepAnswer<S>,
    velocity: Vec<S>,
    /// q^l + h v^(l+1).
    position: Vec<S>,
}

/// Trials to the end of an iteration.
struct Attempt<S> {
    trial: Trial<S>,
    iterations: usize,
    change: S,
    converged: bool,
}

impl<'a, S: Scalar> Stepper<'a, S> {
    /// A stepper; settings are checked.
    ///
    /// # Errors
    /// [`StepError::Setting`].
    pub fn new(
        model: &'a dyn Model<S>,
        arithmetic: &'a dyn Arithmetic<S>,
        solver: &'a dyn Solver,
        settings: Settings<S>,
    ) -> Result<Self, StepError> {
        settings.check()?;
        Ok(Self {
            model,
            arithmetic,
            solver,
            settings,
        })
    }

    /// The model.
    pub fn model(&self) -> &dyn Model<S> {
        self.model
    }

    /// The settings.
    pub fn settings(&self) -> &Settings<S> {
        &self.settings
    }

    /// The energy of a state.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn energy(&self, q: &[S], v: &[S]) -> Result<Energy<S>, StepError> {
        Ok(Energy {
            kinetic: self.model.mass(q, self.arithmetic)?.kinetic_energy(v),
            potential: self.model.potential(q, self.arithmetic)?,
        })
    }

    /// One step of size h.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&self, state: &State<S>) -> Result<Step<S>, StepError> {
        self.check_length("q", &state.q)?;
        self.check_length("v", &state.v)?;
        let mut active = self.active_at_first(state)?;
        let mut problems = 0;
        loop {
            let (attempt, dampings) = self.attempt(state, &active, &mut problems)?;
            let after = self.rounded(state, &attempt.trial);
            let added = self.violated(&after.q, &active)?;
            if added.is_empty() {
                let convergence = Convergence {
                    problems,
                    iterations: attempt.iterations,
                    dampings,
                    change: attempt.change,
                    converged: attempt.converged,
                };
                return self.record(state, attempt.trial, after, convergence);
            }
            // None is taken out again: so it ends after at most as many rounds as there are
            // contacts.
            active.extend(added);
            active.sort_unstable();
        }
    }

    fn check_length(&self, what: &'static str, values: &[S]) -> Result<(), StepError> {
        let (length, expected) = (values.len(), self.model.dofs());
        if length == expected {
            return Ok(());
        }
        Err(StepError::Length {
            what,
            length,
            expected,
        })
    }

    fn active_at_first(&self, state: &State<S>) -> Result<Vec<usize>, StepError> {
        let all = 0..self.model.contacts().len();
        if self.settings.activation == Activation::All {
            return Ok(all.collect());
        }
        let predicted = self.ahead(&state.q, &state.v);
        let mut active = state.pressing.clone();
        active.retain(|i| all.contains(i));
        let violated = self.violated(&predicted, &active)?;
        active.extend(violated);
        active.sort_unstable();
        active.dedup();
        Ok(active)
    }

    /// The contacts, other than the active ones, whose gap is negative.
    fn violated(&self, q: &[S], active: &[usize]) -> Result<Vec<usize>, StepError> {
        let mut found = Vec::new();
        // A gap that only the rounding of states has closed is no overlap. Counted as one, it would add
        // contacts in each round.
        let slack = -self.arithmetic.slack();
        for i in 0..self.model.contacts().len() {
            if !active.contains(&i) && self.model.gap(i, q, self.arithmetic)? < slack {
                found.push(i);
            }
        }
        Ok(found)
    }

    /// q + h v.
    fn ahead(&self, q: &[S], v: &[S]) -> Vec<S> {
        let step = |(q, v): (&S, &S)| q.clone() + self.settings.h.clone() * v;
        q.iter().zip(v).map(step).collect()
    }

    /// q + h v / 2.
    fn halfway(&self, state: &State<S>) -> Vec<S> {
        let half = self.settings.h.clone() / &S::integer(2);
        let step = |(q, v): (&S, &S)| q.clone() + half.clone() * v;
        state.q.iter().zip(&state.v).map(step).collect()
    }

    fn rounded_point(&self, point: Vec<S>) -> Vec<S> {
        let round = |value| self.arithmetic.round(value);
        point.into_iter().map(round).collect()
    }

    /// The attempt that converges, or the last, and how often it was damped.
    fn attempt(
        &self,
        state: &State<S>,
        active: &[usize],
        problems: &mut usize,
    ) -> Result<(Attempt<S>, usize), StepError> {
        let known = self.settings.scheme.halves_ahead();
        let start = match known {
            Some(0) => state.q.clone(),
            Some(1) => self.rounded_point(self.halfway(state)),
            _ => self.rounded_point(self.ahead(&state.q, &state.v)),
        };
        if known.is_some() || active.is_empty() {
            let trial = self.trial(state, active, start, None)?;
            *problems += 1;
            let attempt = Attempt {
                trial,
                iterations: 1,
                change: S::zero(),
                converged: true,
            };
            return Ok((attempt, 0));
        }
        let mut share = S::one();
        let mut dampings = 0;
        loop {
            let attempt = self.iterate(state, active, start.clone(), &share, problems)?;
            // A share of the way turns a fixed point that the whole way circles into one that it
            // nears; the point itself stays the same.
            if attempt.converged || dampings == self.settings.dampings {
                return Ok((attempt, dampings));
            }
            dampings += 1;
            share = share / &S::integer(2);
        }
    }

    /// The fixed point iteration of section 3.6, each time a share of the way.
    fn iterate(
        &self,
        state: &State<S>,
        active: &[usize],
        start: Vec<S>,
        share: &S,
        problems: &mut usize,
    ) -> Result<Attempt<S>, StepError> {
        let mut point = start;
        let mut normals: Option<Vec<S>> = None;
        let mut iterations = 0;
        loop {
            let trial = self.trial(state, active, point, normals.as_deref())?;
            *problems += 1;
            iterations += 1;
            let change = distance(&trial.position, &trial.point);
            let converged = change <= self.settings.tolerance;
            if converged && self.settings.scheme == Scheme::Newton && normals.is_some() {
                // The step itself is one of the plain problem, where Newton's method has led to.
                let point = self.rounded_point(trial.position);
                let trial = self.trial(state, active, point, None)?;
                *problems += 1;
                return Ok(Attempt {
                    change: distance(&trial.position, &trial.point),
                    trial,
                    iterations,
                    converged,
                });
            }
            if converged || iterations == self.settings.iterations {
                return Ok(Attempt {
                    trial,
                    iterations,
                    change,
                    converged,
                });
            }
            let way = |(from, to): (&S, &S)| from.clone() + (to.clone() - from) * share;
            let next = trial.point.iter().zip(&trial.position).map(way).collect();
            point = self.rounded_point(next);
            normals = Some(normal_impulses(
                &trial.formulation.layout(),
                &trial.answer.z,
            ));
        }
    }

    /// One linear problem, with n and D at a point. `normals` are the impulses of the last
    /// iteration, by which the implicit scheme weighs curvatures.
    fn trial(
        &self,
        state: &State<S>,
        active: &[usize],
        point: Vec<S>,
        normals: Option<&[S]>,
    ) -> Result<Trial<S>, StepError> {
        let formulation = self.formulate(state, active, &point)?;
        let newton = match (self.settings.scheme, normals) {
            (Scheme::Newton, Some(normals)) => self.newton(&formulation, state, &point, normals)?,
            _ => None,
        };
        let problem = newton.as_ref().unwrap_or(&formulation);
        let lcp = problem.schur();
        let answer = solve(&lcp, "step", self.solver)?;
        let velocity = problem.velocity_after(&answer.z);
        let position = self.ahead(&state.q, &velocity);
        Ok(Trial {
            point,
            formulation,
            lcp,
            answer,
            velocity,
            position,
        })
    }

    fn formulate(
        &self,
        state: &State<S>,
        active: &[usize],
        point: &[S],
    ) -> Result<Formulation<S>, StepError> {
        let h = &self.settings.h;
        let middle = self.halfway(state);
        let force = self.model.force(&middle, &state.v, self.arithmetic)?;
        let mass = self.model.mass(point, self.arithmetic)?;
        let contacts = active.iter().map(|&i| self.contact(state, i, point));
        let mut formulation = Formulation {
            mass: Cow::into_owned(mass),
            h: h.clone(),
            velocity: state.v.clone(),
            impulse: force.into_iter().map(|k| k * h).collect(),
            contacts: contacts.collect::<Result<_, _>>()?,
            bounded: self.model.bounded_friction().to_vec(),
            bilateral: Bilateral::none(),
        };
        self.restitute(&mut formulation);
        Ok(formulation)
    }

    /// Finds the contacts that bounce: those with restitution that approach before the step, and that
    /// the motion without impulses would close in it. A contact that only the impulses of others
    /// close stops at its gap, and bounces nowhere.
    fn restitute(&self, formulation: &mut Formulation<S>) {
        let restitution = |contact: &StepContact<S>| self.model.restitution(contact.index);
        if formulation
            .contacts
            .iter()
            .all(|contact| restitution(contact).is_zero())
        {
            return;
        }
        let free = formulation.free_velocity();
        let (h, velocity) = (formulation.h.clone(), &formulation.velocity);
        for contact in &mut formulation.contacts {
            let normal = &contact.frame.normal;
            let approach = normal.times(velocity);
            let reached = contact.old_gap.clone() + normal.times(&free) * &h;
            let e = restitution(contact);
            // Strict signs: a contact that rests, with n'v^l = 0, does not bounce.
            let bounces = e.signum() > 0 && approach.signum() < 0 && reached.signum() < 0;
            contact.rebound = bounces.then(|| e * &approach);
        }
    }

    fn contact(
        &self,
        state: &State<S>,
        index: usize,
        point: &[S],
    ) -> Result<StepContact<S>, StepError> {
        let frame = self.model.frame(index, point, self.arithmetic)?;
        let back: Vec<S> = state
            .q
            .iter()
            .zip(point)
            .map(|(q, p)| q.clone() - p)
            .collect();
        let info = self.model.contacts().get(index);
        let mu = info.map_or_else(S::zero, |info| info.mu.clone());
        Ok(StepContact {
            index,
            mu,
            // The gap at the point, carried back to q^l along n: with n'v h added it is that at the
            // end of the step to first order about the point.
            old_gap: frame.gap.clone() + frame.normal.times(&back),
            rebound: None,
            frame,
        })
    }

    fn rounded(&self, state: &State<S>, trial: &Trial<S>) -> State<S> {
        let v = self.rounded_point(trial.velocity.clone());
        // From the v that is recorded, not from the one before rounding: so the record's own
        // numbers obey q^(l+1) = q^l + h v^(l+1).
        let q = self.rounded_point(self.ahead(&state.q, &v));
        let layout = trial.formulation.layout();
        let pressing = trial.formulation.contacts.iter().enumerate();
        let pressing = pressing
            .filter(|(i, _)| trial.answer.z[layout.normal(*i)].signum() > 0)
            .map(|(_, contact)| contact.index);
        State {
            q,
            v,
            pressing: pressing.collect(),
        }
    }
}

fn normal_impulses<S: Scalar>(layout: &Layout, z: &[S]) -> Vec<S> {
    let normals = (0..layout.contacts).map(|i| z[layout.normal(i)].clone());
    normals.collect()
}

/// The largest difference in any coordinate.
fn distance<S: Scalar>(a: &[S], b: &[S]) -> S {
    let differences = a.iter().zip(b).map(|(a, b)| (a.clone() - b).abs());
    differences.fold(S::zero(), |max, d| if d > max { d } else { max })
}
