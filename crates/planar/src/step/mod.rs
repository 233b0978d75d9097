//! Stepping: motion between events, and the events.

mod advance;
mod asked;
mod blow;
mod events;
mod hold;
mod impulse;
mod lcp;
mod motion;
mod piece;
mod press;
mod progress;
mod resting;
mod strike;

use crate::error::StepError;
use crate::model::Model;
use crate::observe::Observer;
use crate::snapshot::Totals;
use crate::solve::LcpSolver;
use crate::state::State;

/// What a step works with: the solver of LCPs with its memory, and counts. A step reads nothing that an earlier step
/// has left in it, so a new stepper would do the same.
#[derive(Debug, Default)]
pub(crate) struct Stepper {
    solver: LcpSolver,
    pub totals: Totals,
}

/// The stepper with the observer of the present step.
struct Tools<'a> {
    stepper: &'a mut Stepper,
    observer: &'a mut dyn Observer,
}

impl Stepper {
    /// Takes a state one time step ahead.
    ///
    /// # Errors
    /// [`StepError`]; the state is then that where the failing event began, within the step.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        self.solver.forget();
        state.pressed = observer.wants_pieces().then(Vec::new);
        let mut tools = Tools {
            stepper: self,
            observer,
        };
        advance::advance(model, state, &mut tools, model.settings().time_step)?;
        model.stays_on_paths(state)
    }
}
