//! Motion between events: accelerations with contact forces, and the integrators.

use crate::contact::{Contact, connected};
use crate::error::StepError;
use crate::forces::apply;
use crate::geometry::Vec2;
use crate::observe::{LcpEvent, LcpKind, Observer, RowPlace};
use crate::rows;
use crate::scene::Integrator;
use crate::snapshot::ContactForce;
use crate::world::World;

/// What is this much smaller than the largest entry of b is nothing: no state could show it.
const FADED: f64 = 1e-30;
/// As is what is smaller than this in itself.
const NOTHING: f64 = 1e-200;

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
            Ok(end) if end.iter().flatten().all(|value| value.is_finite()) => {
                self.set_state(&end);
                self.time = time + h;
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

    fn runge_kutta(
        &mut self,
        start: &State,
        time: f64,
        h: f64,
        observer: &mut dyn Observer,
    ) -> Result<State, Halt> {
        let k1 = self.rates(start, time, observer)?;
        let k2 = self.rates(&moved(start, &k1, h / 2.0), time + h / 2.0, observer)?;
        let k3 = self.rates(&moved(start, &k2, h / 2.0), time + h / 2.0, observer)?;
        let k4 = self.rates(&moved(start, &k3, h), time + h, observer)?;
        let sum = |b: usize, k: usize| k1[b][k] + 2.0 * k2[b][k] + 2.0 * k3[b][k] + k4[b][k];
        let value = |b: usize, k: usize| start[b][k] + sum(b, k) * h / 6.0;
        Ok((0..start.len())
            .map(|b| std::array::from_fn(|k| value(b, k)))
            .collect())
    }

    fn modified_euler(
        &mut self,
        start: &State,
        time: f64,
        h: f64,
        observer: &mut dyn Observer,
    ) -> Result<State, Halt> {
        let k1 = self.rates(start, time, observer)?;
        let k2 = self.rates(&moved(start, &k1, h), time + h, observer)?;
        let value = |b: usize, k: usize| start[b][k] + (k1[b][k] + k2[b][k]) * h / 2.0;
        Ok((0..start.len())
            .map(|b| std::array::from_fn(|k| value(b, k)))
            .collect())
    }

    /// The rates of change of a state, contact forces included.
    fn rates(
        &mut self,
        state: &State,
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<State, Halt> {
        self.set_state(state);
        let mut rates = vec![(Vec2::zeros(), 0.0); self.bodies.len()];
        for law in self.all_laws() {
            law.accelerate(&self.bodies, &mut rates);
        }
        if self.scene.settings.contact_forces {
            let mut contacts = Vec::new();
            self.find(&mut contacts, time);
            if contacts.iter().any(Contact::penetrates) {
                return Err(Halt::Collisions(contacts));
            }
            contacts.retain(Contact::rests);
            self.contact_forces.clear();
            while !contacts.is_empty() {
                let group = connected(&contacts, &self.bodies);
                let mut taken = vec![false; contacts.len()];
                group.iter().for_each(|&i| taken[i] = true);
                let subset: Vec<Contact> = group.iter().map(|&i| contacts[i].clone()).collect();
                self.press(&subset, &mut rates, time, observer)?;
                let mut position = 0..;
                contacts.retain(|_| position.next().is_some_and(|i| !taken[i]));
            }
        }
        let rate = |(body, (linear, angular)): (&crate::body::Body, &(Vec2, f64))| {
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

    /// Finds the forces of contacts that hang together, and adds what they do.
    fn press(
        &mut self,
        contacts: &[Contact],
        rates: &mut [(Vec2, f64)],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let settings = &self.scene.settings;
        let (kind, h) = (settings.extra_acceleration, settings.time_step);
        let term = settings.curve_term;
        let a = rows::matrix(contacts, &self.bodies);
        let b = contacts.iter().map(|contact| {
            contact.extra_acceleration(kind, h)
                + rows::gap_acceleration(contact, &self.bodies, rates, term)
        });
        let b: Vec<f64> = b.collect();
        let f = self.solve_lcp(LcpKind::Forces, contacts, &a, b, time, observer)?;
        for (contact, &f) in contacts.iter().zip(&f) {
            let force = contact.normal * f;
            apply(rates, &self.bodies, contact.first, force, contact.point);
            apply(
                rates,
                &self.bodies,
                contact.second,
                -force,
                contact.second_point(),
            );
            self.contact_forces.push(ContactForce {
                first: contact.first,
                second: contact.second,
                point: contact.point.into(),
                normal: contact.normal.into(),
                force: f,
                distance: contact.distance,
                joint: contact.joint,
            });
        }
        Ok(())
    }

    /// Solves an LCP of the run and shows it to whoever watches.
    pub(super) fn solve_lcp(
        &mut self,
        kind: LcpKind,
        contacts: &[Contact],
        a: &[f64],
        mut b: Vec<f64>,
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<f64>, StepError> {
        let n = contacts.len();
        drop_faded(&mut b);
        let joints: Vec<bool> = contacts.iter().map(|contact| contact.joint).collect();
        if n > 1 {
            // The engine whose tests this one is held against draws the order of its joints from
            // the same generator, n numbers n + 1 times.
            let n = n as u64;
            self.random.skip(n * (n + 1));
        }
        let answer = self
            .solver
            .solve(a, &b, &joints)
            .map_err(|error| StepError::Unsolved {
                time,
                what: match kind {
                    LcpKind::Forces => "contact forces",
                    LcpKind::Impulses => "impulses",
                },
                rows: n,
                why: error.to_string(),
            })?;
        let place = |contact: &Contact| RowPlace {
            first: contact.first,
            second: contact.second,
            point: contact.point.into(),
            normal: contact.normal.into(),
            distance: contact.distance,
        };
        observer.lcp(&LcpEvent {
            kind,
            time,
            a,
            b: &b,
            joints: &joints,
            f: &answer.f,
            clamped: &answer.clamped,
            pivots: answer.pivots,
            ridge: answer.ridge,
            places: &contacts.iter().map(place).collect::<Vec<_>>(),
        });
        Ok(answer.f)
    }
}

/// The velocity that is left at a resting contact shrinks by a factor in each step, for ever: after some minutes, beside
/// the weight, b would span more powers of ten than an answer in binary64 can.
fn drop_faded(b: &mut [f64]) {
    let largest = b.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let least = (FADED * largest).max(NOTHING);
    for value in b.iter_mut().filter(|value| value.abs() < least) {
        *value = 0.0;
    }
}

fn moved(start: &State, rates: &State, h: f64) -> State {
    let pairs = start.iter().zip(rates);
    pairs
        .map(|(state, rate)| std::array::from_fn(|k| state[k] + rate[k] * h))
        .collect()
}
