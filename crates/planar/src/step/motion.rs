//! Motion between events: accelerations with contact forces, and the integrators.

use crate::contact::{Contact, connected};
use crate::error::StepError;
use crate::forces::apply;
use crate::geometry::Vec2;
use crate::observe::{LcpKind, Observer, RowBound};
use crate::scene::{FrictionModel, Integrator};
use crate::snapshot::ContactForce;
use crate::world::World;
use crate::{rows, slip};

use super::lcp::{Rows, boxed, coulomb, normal_bound};

/// x, vx, y, vy, angle, angular velocity of each body.
pub(super) type State = Vec<[f64; 6]>;

/// What is asked of contacts beyond that they do not close.
#[derive(Clone, Copy)]
enum Asked {
    /// All that the settings say.
    All,
    /// What can always be done.
    Possible,
}

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
        let rows = Rows::of(contacts, self);
        let f = self.forces(contacts, &rows, rates, time, observer)?;
        self.act(contacts, &rows, &f, rates);
        Ok(())
    }

    /// The forces of all rows. What is asked of bodies that are held from all sides may be more
    /// than they can do, and takes forces without measure: then less is asked. And friction that is
    /// strong enough can jam bodies so that rounding leaves no moderate forces by Coulomb's law:
    /// they get those of the box.
    fn forces(
        &mut self,
        contacts: &[Contact],
        rows: &Rows,
        rates: &[(Vec2, f64)],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<f64>, StepError> {
        use FrictionModel::{Box, Coulomb, None as Smooth};
        let model = if rows.rubbing.is_empty() {
            Smooth
        } else {
            self.scene.settings.friction
        };
        let mut attempts = vec![(model, Asked::All), (model, Asked::Possible)];
        if model == Coulomb {
            attempts.push((Box, Asked::Possible));
        }
        let mut best: Result<Vec<f64>, _> = Err(StepError::Unsolved {
            time,
            what: "contact forces",
            rows: rows.len(),
            why: "no way was tried".to_owned(),
        });
        for (attempt, (law, asked)) in attempts.into_iter().enumerate() {
            self.totals.jams += u64::from(attempt == 1);
            let b = match asked {
                Asked::All => self.asked(contacts, rows, rates),
                Asked::Possible => self.possible(contacts, rows, rates),
            };
            let normals = contacts.iter().map(normal_bound);
            let pose = |normals_only: bool, friction: &dyn Fn(usize) -> RowBound| {
                let tangents = rows.rubbing.iter().map(|&i| friction(i));
                let bounds: Vec<RowBound> = normals.clone().chain(tangents).collect();
                let n = if normals_only {
                    contacts.len()
                } else {
                    rows.len()
                };
                let members: Vec<usize> = (0..n).collect();
                rows.lcp(
                    LcpKind::Forces,
                    &members,
                    b[..n].to_vec(),
                    bounds[..n].to_vec(),
                )
            };
            let result = match law {
                Coulomb => {
                    let lcp = pose(false, &|i| coulomb(&contacts[i], i));
                    self.solve_lcp(lcp, time, observer)
                }
                Smooth | Box => {
                    let smooth =
                        self.solve_lcp(pose(true, &|i| boxed(&contacts[i], 0.0)), time, observer);
                    match smooth {
                        Ok(smooth) if law == Box => {
                            let lcp = pose(false, &|i| boxed(&contacts[i], smooth.f[i]));
                            self.solve_lcp(lcp, time, observer)
                        }
                        other => other,
                    }
                }
            };
            let largest = |f: &Vec<f64>| f.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
            best = match (best, result) {
                (_, Ok(answer)) if answer.moderate => return Ok(answer.f),
                (Ok(best), Ok(answer)) if largest(&best) <= largest(&answer.f) => Ok(best),
                (_, Ok(answer)) => Ok(answer.f),
                (best @ Ok(_), Err(_)) => best,
                (Err(_), Err(error)) => Err(error),
            };
        }
        best
    }

    /// b: the accelerations of gaps, and of sliding, without contact forces, and what they should be
    /// beyond 0. Friction stops sliding within about a step, if it may.
    fn asked(&self, contacts: &[Contact], rows: &Rows, rates: &[(Vec2, f64)]) -> Vec<f64> {
        let settings = &self.scene.settings;
        let (h, term) = (settings.time_step, settings.curve_term);
        let kind = settings.extra_acceleration;
        let normal = |contact: &Contact| {
            contact.extra_acceleration(kind, h)
                + rows::gap_acceleration(contact, &self.bodies, rates, term)
        };
        let tangent = |&i: &usize| {
            let contact = &contacts[i];
            slip::acceleration(contact, &self.bodies, rates)
                + slip::velocity(contact, &self.bodies) / h
        };
        let normals = contacts.iter().map(normal);
        normals.chain(rows.rubbing.iter().map(tangent)).collect()
    }

    /// The same without distances and curvature: J (dV/dt + V/h), which bodies that are held from
    /// all sides can do, since to stand still is to do it.
    fn possible(&self, contacts: &[Contact], rows: &Rows, rates: &[(Vec2, f64)]) -> Vec<f64> {
        let settings = &self.scene.settings;
        let kind = settings.extra_acceleration.without_distance();
        let h = settings.time_step;
        let normals = contacts
            .iter()
            .map(|contact| contact.extra_acceleration(kind, h));
        let slips = rows.rubbing.iter();
        let slips = slips.map(|&i| slip::velocity(&contacts[i], &self.bodies) / h);
        let extra = normals.chain(slips);
        extra
            .zip(rows.rates(rates))
            .map(|(extra, rate)| extra + rate)
            .collect()
    }

    /// Adds what contact forces do, and keeps them to be seen.
    fn act(&mut self, contacts: &[Contact], rows: &Rows, f: &[f64], rates: &mut [(Vec2, f64)]) {
        let mut friction = vec![0.0; contacts.len()];
        for (k, &i) in rows.rubbing.iter().enumerate() {
            friction[i] = f[rows.tangent(k)];
        }
        for ((contact, &f), friction) in contacts.iter().zip(f).zip(friction) {
            let mut push = |body: usize, force: Vec2, at: Vec2| {
                apply(rates, &self.bodies, body, force, at);
            };
            let force = contact.normal * f;
            push(contact.first, force, contact.point);
            push(contact.second, -force, contact.second_point());
            if friction != 0.0 {
                let force = slip::tangent(contact) * friction;
                push(contact.first, force, contact.point);
                push(contact.second, -force, contact.point);
            }
            self.contact_forces.push(ContactForce {
                first: contact.first,
                second: contact.second,
                point: contact.point.into(),
                normal: contact.normal.into(),
                force: f,
                friction,
                distance: contact.distance,
                joint: contact.joint,
            });
        }
    }
}

fn moved(start: &State, rates: &State, h: f64) -> State {
    let pairs = start.iter().zip(rates);
    pairs
        .map(|(state, rate)| std::array::from_fn(|k| state[k] + rate[k] * h))
        .collect()
}
