//! Motion between events: accelerations with contact forces, and the integrators.

use crate::accounts::Accounts;
use crate::body::{Body, Rate};
use crate::contact::Contact;
use crate::error::StepError;
use crate::model::Model;
use crate::piece::Given;
use crate::settings::Integrator;
use crate::state::{State, Values};
use crate::tolerances::{ADAPTED, HALVINGS};

use super::Tools;
use super::press::press;

/// Why an integrator stopped.
pub(super) enum Halt {
    /// Bodies overlap in a state that it tried.
    Collisions(Vec<Contact>),
    Error(StepError),
}

impl From<StepError> for Halt {
    fn from(error: StepError) -> Self {
        Self::Error(error)
    }
}

/// The values at the end, and the work of forces without a potential on the way: more values that are integrated.
type Moved = Result<(Values, Gone), Halt>;

/// Work, and what changed the velocities.
#[derive(Debug, Clone, Default)]
struct Gone {
    accounts: Accounts,
    given: Given,
}

impl Gone {
    /// This plus `factor` times another.
    fn plus(self, factor: f64, other: &Self) -> Self {
        Self {
            accounts: self.accounts.plus(factor, other.accounts),
            given: self.given.plus(factor, &other.given),
        }
    }
}

/// Moves the bodies by h seconds. They stay where they are where that is not possible.
pub(super) fn integrate(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    h: f64,
) -> Result<(), Halt> {
    let (start, time) = (state.values(), state.time);
    let moved = match model.settings().integrator {
        Integrator::RungeKutta => runge_kutta(model, state, tools, &start, h),
        Integrator::ModifiedEuler => modified_euler(model, state, tools, &start, h),
        Integrator::Euler => euler(model, state, tools, &start, h),
        Integrator::Adaptive => adaptive(model, state, tools, &start, (time, h), HALVINGS),
    };
    match moved {
        Ok((end, gone)) if end.iter().flatten().all(|value| value.is_finite()) => {
            state.set_values(&end);
            state.time = time + h;
            state.accounts = state.accounts.plus(1.0, gone.accounts);
            state.given = gone.given;
            Ok(())
        }
        Ok(_) => {
            state.set_values(&start);
            Err(StepError::NotFinite { time }.into())
        }
        Err(halt) => {
            state.time = time;
            state.set_values(&start);
            Err(halt)
        }
    }
}

/// The classical method of order 4.
fn runge_kutta(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    start: &Values,
    h: f64,
) -> Moved {
    let time = state.time;
    let (k1, p1) = rates(model, state, tools, start, time)?;
    let middle = moved(start, &k1, h / 2.0);
    let (k2, p2) = rates(model, state, tools, &middle, time + h / 2.0)?;
    let middle = moved(start, &k2, h / 2.0);
    let (k3, p3) = rates(model, state, tools, &middle, time + h / 2.0)?;
    let (k4, p4) = rates(model, state, tools, &moved(start, &k3, h), time + h)?;
    let powers = p1.plus(2.0, &p2).plus(2.0, &p3).plus(1.0, &p4);
    let work = Gone::default().plus(h / 6.0, &powers);
    let sum = |b: usize, k: usize| k1[b][k] + 2.0 * k2[b][k] + 2.0 * k3[b][k] + k4[b][k];
    let value = |b: usize, k: usize| start[b][k] + sum(b, k) * h / 6.0;
    let end = (0..start.len()).map(|b| std::array::from_fn(|k| value(b, k)));
    Ok((end.collect(), work))
}

/// Heun's method of order 2.
fn modified_euler(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    start: &Values,
    h: f64,
) -> Moved {
    let time = state.time;
    let (k1, p1) = rates(model, state, tools, start, time)?;
    let (k2, p2) = rates(model, state, tools, &moved(start, &k1, h), time + h)?;
    let work = Gone::default().plus(h / 2.0, &p1.plus(1.0, &p2));
    let value = |b: usize, k: usize| start[b][k] + (k1[b][k] + k2[b][k]) * h / 2.0;
    let end = (0..start.len()).map(|b| std::array::from_fn(|k| value(b, k)));
    Ok((end.collect(), work))
}

/// Runge-Kutta over the whole of h and over its halves: where they differ by more than the tolerance, each half is taken
/// so in turn. The halves are the result. Of a method of order 4 their error is some 1/15 of the difference.
fn adaptive(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    start: &Values,
    (time, h): (f64, f64),
    halvings: u32,
) -> Moved {
    let half = h / 2.0;
    let at = |state: &mut State, tools: &mut Tools<'_>, values: &Values, time: f64, h: f64| {
        state.time = time;
        runge_kutta(model, state, tools, values, h)
    };
    let (whole, _) = at(state, tools, start, time, h)?;
    let (middle, first) = at(state, tools, start, time, half)?;
    let (end, second) = at(state, tools, &middle, time + half, half)?;
    let pairs = whole.iter().flatten().zip(end.iter().flatten());
    let off = |(a, b): (&f64, &f64)| (a - b).abs() / b.abs().max(1.0);
    let near = pairs.map(off).fold(0.0, f64::max) <= 15.0 * ADAPTED;
    state.time = time;
    // What is not finite is no nearer in smaller steps; the caller finds it.
    if near || halvings == 0 || !end.iter().flatten().all(|value| value.is_finite()) {
        return Ok((end, first.plus(1.0, &second)));
    }
    let (middle, first) = adaptive(model, state, tools, start, (time, half), halvings - 1)?;
    let (end, second) = adaptive(
        model,
        state,
        tools,
        &middle,
        (time + half, half),
        halvings - 1,
    )?;
    state.time = time;
    Ok((end, first.plus(1.0, &second)))
}

/// Euler's method of order 1: the rates at the start, for the whole step.
fn euler(model: &Model, state: &mut State, tools: &mut Tools<'_>, start: &Values, h: f64) -> Moved {
    let time = state.time;
    let (k1, p1) = rates(model, state, tools, start, time)?;
    Ok((moved(start, &k1, h), Gone::default().plus(h, &p1)))
}

/// The rates of change of values at a time, contact forces included, and the powers of forces without a potential, W.
fn rates(
    model: &Model,
    state: &mut State,
    tools: &mut Tools<'_>,
    values: &Values,
    time: f64,
) -> Moved {
    state.set_values(values);
    state.pressing = [0.0; 2];
    let mut rates = model.forces.rates(model.bodies(state), time);
    let outer = state.pressed.as_ref().map(|_| rates.clone());
    if let Some(pressed) = &mut state.pressed {
        pressed.clear();
    }
    if model.settings().contact_forces {
        let mut contacts = Vec::new();
        model.find(state, &mut contacts, time);
        // Forces keep gaps open and cannot open overlaps: the step goes back to before the
        // collision.
        if contacts.iter().any(Contact::penetrates) {
            return Err(Halt::Collisions(contacts));
        }
        press(model, state, tools, contacts, &mut rates, time)?;
    }
    let bodies = model.bodies(state);
    let of = |(body, (linear, angular)): (Body<'_>, &Rate)| {
        if body.is_fixed() {
            return [0.0; 6];
        }
        let motion = body.motion;
        [
            motion.velocity.x,
            linear.x,
            motion.velocity.y,
            linear.y,
            motion.spin,
            *angular,
        ]
    };
    let of_all = bodies.iter().zip(&rates).map(of).collect();
    let [along, across] = state.pressing;
    let powers = Accounts {
        pushes: model.forces.power(bodies, time),
        damping: model.forces.damped(bodies),
        friction: -across,
        contacts: -along,
    };
    let given = outer.map(|outer| Given::of(&outer, state.pressed.clone().unwrap_or_default()));
    let gone = Gone {
        accounts: powers,
        given: given.unwrap_or_default(),
    };
    Ok((of_all, gone))
}

/// Values after h seconds at constant rates.
fn moved(start: &Values, rates: &Values, h: f64) -> Values {
    let pairs = start.iter().zip(rates);
    pairs
        .map(|(value, rate)| std::array::from_fn(|k| value[k] + rate[k] * h))
        .collect()
}
