//! A step's problem with the answer that was taken, and what other answers would do.

use std::fmt;

use etalon_lcp::{Basis, Number, Problem};
use etalon_rigid::Scalar;
use etalon_spatial::SpaceStep;
use etalon_time_stepping::Step;
use etalon_time_stepping::corner::CornerStep;
use etalon_time_stepping::implicit::ImplicitStep;

use rug::Rational;

use super::mechanics::StepMechanics;

/// The velocity that a solution makes, rounded, and as it is where it is finite.
type Motion = Box<dyn Fn(&[Number]) -> (Vec<f64>, Option<Vec<Number>>) + Send + Sync>;

/// The (last) complementarity problem of a step, with the answer that the step took.
pub struct StepRecord {
    /// The problem, in the numbers of the run.
    pub problem: Problem,
    /// Its solution, as the solver gave it.
    pub z: Vec<Number>,
    /// The complementary basis of the solution.
    pub basis: Basis,
    /// Masses, velocities and impulses of the step: one, and two of an impact by Poisson's law. None where they cannot be told in
    /// generalised coordinates.
    pub mechanics: Vec<StepMechanics>,
    motion: Option<Motion>,
}

impl fmt::Debug for StepRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepRecord")
            .field("problem", &self.problem)
            .field("z", &self.z)
            .field("basis", &self.basis)
            .finish_non_exhaustive()
    }
}

fn numbers<S: Scalar>(z: &[S]) -> Vec<Number> {
    // What is not finite has been refused with the problem.
    z.iter().filter_map(Scalar::to_number).collect()
}

impl StepRecord {
    pub(super) fn of_step<S: Scalar>(problem: Problem, step: &Step<S>) -> Self {
        let formulation = step.formulation.clone();
        let motion = move |z: &[Number]| {
            let z: Vec<S> = z.iter().map(S::from_number).collect();
            let velocity = formulation.velocity_after(&z);
            let rounded = velocity.iter().map(Scalar::to_f64).collect();
            (rounded, velocity.iter().map(Scalar::to_number).collect())
        };
        Self {
            problem,
            z: numbers(&step.z),
            basis: step.basis.clone(),
            mechanics: StepMechanics::of_step(step).into_iter().collect(),
            motion: Some(Box::new(motion)),
        }
    }

    pub(crate) fn of_space(problem: Problem, step: &SpaceStep) -> Self {
        let posed = step.posed.clone();
        let motion = move |z: &[Number]| {
            let z: Vec<Rational> = z.iter().map(Number::to_rational).collect();
            let velocity = posed.formulation.velocity_after(&posed.whole(&z));
            let rounded = velocity.iter().map(Rational::to_f64).collect();
            (
                rounded,
                Some(velocity.into_iter().map(Number::from).collect()),
            )
        };
        Self {
            problem,
            z: numbers(&step.z),
            basis: step.basis.clone(),
            mechanics: StepMechanics::of_space(step).unwrap_or_default(),
            motion: Some(Box::new(motion)),
        }
    }

    /// `mechanics`: those of the step, which does not hold its masses.
    pub(super) fn of_corner<S: Scalar>(
        problem: Problem,
        step: &CornerStep<S>,
        mechanics: Option<StepMechanics>,
    ) -> Self {
        Self {
            problem,
            z: numbers(&step.z),
            basis: Basis::new(step.z.iter().map(|z| z.signum() > 0).collect()),
            mechanics: mechanics.into_iter().collect(),
            motion: None,
        }
    }

    pub(super) fn of_implicit<S: Scalar>(problem: Problem, step: &ImplicitStep<S>) -> Self {
        let answer = step.last.as_ref().map(|(_, answer)| answer);
        let z = answer.map_or(Vec::new(), |answer| numbers(&answer.z));
        let basis = answer.map_or(Basis::new(Vec::new()), |answer| answer.basis.clone());
        Self {
            problem,
            z,
            basis,
            mechanics: Vec::new(),
            motion: None,
        }
    }

    /// The velocity at the end of the step that a solution of the problem makes, in generalised
    /// coordinates, rounded to binary64; `None` for another length, and for a corner, whose rule
    /// chooses among solutions, and for implicit surfaces, where it is one problem of an iteration.
    pub fn velocity_after(&self, z: &[Number]) -> Option<Vec<f64>> {
        let motion = self.motion.as_ref()?;
        (z.len() == self.problem.n()).then(|| motion(z).0)
    }

    /// The same in the numbers of the run, not rounded.
    pub fn exact_velocity(&self, z: &[Number]) -> Option<Vec<Number>> {
        let motion = self.motion.as_ref()?;
        (z.len() == self.problem.n()).then(|| motion(z).1)?
    }
}
