//! Motion between events: accelerations with contact forces, and the integrators.

use crate::body::Rate;
use crate::contact::Contact;
use crate::error::StepError;
use crate::geometry::Vec2;
use crate::observe::Observer;
use crate::scene::Integrator;
use crate::world::World;

/// x, vx, y, vy, angle, angular velocity of each body.
pub(super) type State = Vec<[f64; 6]>;

/// Why an integrator gave up.
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

impl World {
    pub(super) fn state(&self) -> State {
        self.bodies.iter().map(crate::body::Body::state).collect()
    }

    pub(super) fn set_state(&mut self, state: &State) {
        for (body, state) in self.bodies.iter_mut().zip(state) {
            body.set(state);
        }
    }

    /// Moves the world by h seconds, or not at all.
    pub(super) fn integrate(&mut self, h: f64, observer: &mut dyn Observer) -> Result<(), Halt> {
        let start = self.state();
        let time = self.time;
        let moved = match self.scene.settings.integrator {
            Integrator::RungeKutta => self.runge_kutta(&start, time, h, observer),
            Integrator::ModifiedEuler => self.modified_euler(&start, time, h, observer),
        };
        match moved {
            Ok((end, work)) if end.iter().flatten().all(|value| value.is_finite()) => {
                self.set_state(&end);
                self.time = time + h;
                self.work += work;
                Ok(())
            }
            Ok(_) => {
                self.set_state(&start);
                Err(StepError::NotFinite { time }.into())
            }
            Err(halt) => {
                self.set_state(&start);
                Err(halt)
            }
        }
    }

    /// Accelerations of the bodies by all but contact forces.
    pub(super) fn outer_rates(&self) -> Vec<Rate> {
        let mut rates = vec![(Vec2::zeros(), 0.0); self.bodies.len()];
        for law in self.all_laws() {
            law.accelerate(&self.bodies, &mut rates);
        }
        rates
    }

    /// The state at the end, and what pushes do on the way, as one more value that is integrated.
    fn runge_kutta(
        &mut self,
        start: &State,
        time: f64,
        h: f64,
        observer: &mut dyn Observer,
    ) -> Result<(State, f64), Halt> {
        let k1 = self.rates(start, time, observer)?;
        let p1 = self.power();
        let k2 = self.rates(&moved(start, &k1, h / 2.0), time + h / 2.0, observer)?;
        let p2 = self.power();
        let k3 = self.rates(&moved(start, &k2, h / 2.0), time + h / 2.0, observer)?;
        let p3 = self.power();
        let k4 = self.rates(&moved(start, &k3, h), time + h, observer)?;
        let work = (p1 + 2.0 * p2 + 2.0 * p3 + self.power()) * h / 6.0;
        let sum = |b: usize, k: usize| k1[b][k] + 2.0 * k2[b][k] + 2.0 * k3[b][k] + k4[b][k];
        let value = |b: usize, k: usize| start[b][k] + sum(b, k) * h / 6.0;
        let end = (0..start.len()).map(|b| std::array::from_fn(|k| value(b, k)));
        Ok((end.collect(), work))
    }

    fn modified_euler(
        &mut self,
        start: &State,
        time: f64,
        h: f64,
        observer: &mut dyn Observer,
    ) -> Result<(State, f64), Halt> {
        let k1 = self.rates(start, time, observer)?;
        let p1 = self.power();
        let k2 = self.rates(&moved(start, &k1, h), time + h, observer)?;
        let work = (p1 + self.power()) * h / 2.0;
        let value = |b: usize, k: usize| start[b][k] + (k1[b][k] + k2[b][k]) * h / 2.0;
        let end = (0..start.len()).map(|b| std::array::from_fn(|k| value(b, k)));
        Ok((end.collect(), work))
    }

    /// What pushes do to the bodies as they are, W.
    fn power(&self) -> f64 {
        self.all_laws().map(|law| law.power(&self.bodies)).sum()
    }

    /// The rates of change of a state, contact forces included.
    fn rates(
        &mut self,
        state: &State,
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<State, Halt> {
        self.set_state(state);
        let mut rates = self.outer_rates();
        if self.scene.settings.contact_forces {
            let mut contacts = Vec::new();
            self.find(&mut contacts, time);
            if contacts.iter().any(Contact::penetrates) {
                return Err(Halt::Collisions(contacts));
            }
            self.press(contacts, &mut rates, time, observer)?;
        }
        let rate = |(body, (linear, angular)): (&crate::body::Body, &Rate)| {
            if body.is_fixed() {
                return [0.0; 6];
            }
            [
                body.velocity.x,
                linear.x,
                body.velocity.y,
                linear.y,
                body.spin,
                *angular,
            ]
        };
        Ok(self.bodies.iter().zip(&rates).map(rate).collect())
    }
}

fn moved(start: &State, rates: &State, h: f64) -> State {
    let pairs = start.iter().zip(rates);
    pairs
        .map(|(state, rate)| std::array::from_fn(|k| state[k] + rate[k] * h))
        .collect()
}
