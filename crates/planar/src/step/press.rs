//! The forces of resting contacts, and the impulses that stand for them.

use crate::body::Rate;
use crate::contact::{Contact, groups};
use crate::error::StepError;
use crate::forces::apply;
use crate::geometry::Vec2;
use crate::observe::{LcpKind, Observer, RowBound};
use crate::scene::{ExtraAcceleration, FrictionModel, Settings};
use crate::snapshot::ContactForce;
use crate::solve::Answer;
use crate::world::World;
use crate::{rows, slip};

use super::lcp::{Lcp, Rows, boxed, coulomb, normal_bound};

/// Contacts that hang together.
struct Resting<'a> {
    contacts: &'a [Contact],
    rows: Rows,
    by: By,
}

/// What holds contacts that rest.
#[derive(Clone, Copy)]
enum By {
    /// Forces, which act all the time.
    Forces,
    /// Impulses at the start of a step of h seconds.
    Impulses { h: f64 },
}

/// What is asked of contacts beyond that they do not close.
#[derive(Clone, Copy)]
enum Asked {
    /// All that the settings say.
    All,
    /// What can always be done.
    Possible,
}

impl World {
    /// Finds the forces of contacts that rest, and adds to the bodies' rates what they do.
    pub(super) fn press(
        &mut self,
        mut contacts: Vec<Contact>,
        rates: &mut [Rate],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        contacts.retain(Contact::rests);
        let outer = rates.to_vec();
        self.balance(contacts, By::Forces, (&outer, rates), time, observer)
    }

    /// Holds contacts that rest, where there are no contact forces, over a step of h seconds by impulses p = h f at its
    /// start: with a for the accelerations of the gaps by all that else moves the bodies, and e for what opens those that
    /// are too small,
    ///
    /// > v = h A f + v(before) + a h/2 + e >= 0, f >= 0, f'v = 0,
    ///
    /// where v is the mean velocity over the step, so that f is the mean force. Collisions alone would follow each other
    /// ever faster, at ever smaller gaps. Rest as a train of small ones: B. Mirtich, Impulse-based Dynamic Simulation of
    /// Rigid Body Systems (1996), microcollisions.
    pub(super) fn hold(&mut self, h: f64, observer: &mut dyn Observer) -> Result<(), StepError> {
        let rates = self.outer_rates();
        let mut contacts = Vec::new();
        self.find(&mut contacts, self.time);
        // At rest the velocity swings about 0, by a h/2 to either side.
        let term = self.scene.settings.curve_term;
        contacts.retain(|contact| {
            let own = rows::gap_acceleration(contact, &self.bodies, &rates, term);
            contact.rests_at(contact.velocity - own * h / 2.0)
        });
        let before = self.kinetic_energy();
        let by = By::Impulses { h };
        let mut pushed = vec![(Vec2::zeros(), 0.0); self.bodies.len()];
        self.balance(contacts, by, (&rates, &mut pushed), self.time, observer)?;
        for (body, (linear, angular)) in self.bodies.iter_mut().zip(pushed) {
            body.velocity += linear * h;
            body.spin += angular * h;
        }
        self.lost += before - self.kinetic_energy();
        Ok(())
    }

    /// The forces of contacts that rest, kept to be seen, for outer rates of the bodies; adds what they do.
    fn balance(
        &mut self,
        contacts: Vec<Contact>,
        by: By,
        (outer, pushed): (&[Rate], &mut [Rate]),
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        self.contact_forces.clear();
        for group in groups(contacts, &self.bodies) {
            let resting = Resting {
                rows: Rows::of(&group, self),
                contacts: &group,
                by,
            };
            let f = self.forces(&resting, outer, time, observer)?;
            self.act(&resting, &f, pushed);
        }
        Ok(())
    }

    /// The forces of all rows. What is asked of bodies that are held from all sides may be more
    /// than they can do, and takes forces without measure: then less is asked. And friction that is
    /// strong enough can jam bodies so that rounding leaves no moderate forces by Coulomb's law:
    /// they get those of the box. Where nothing helps, the smallest forces are taken.
    fn forces(
        &mut self,
        resting: &Resting<'_>,
        rates: &[Rate],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<f64>, StepError> {
        let law = if resting.rows.rubbing.is_empty() {
            FrictionModel::None
        } else {
            self.scene.settings.friction
        };
        let all = resting.asked(Asked::All, self, rates);
        let mut best = self.by_law(law, resting, &all, time, observer);
        if matches!(&best, Ok(answer) if answer.moderate) {
            return best.map(|answer| answer.f);
        }
        self.totals.jams += 1;
        let possible = resting.asked(Asked::Possible, self, rates);
        let in_box = (law == FrictionModel::Coulomb).then_some(FrictionModel::Box);
        for law in [Some(law), in_box].into_iter().flatten() {
            let other = self.by_law(law, resting, &possible, time, observer);
            best = match (best, other) {
                (_, Ok(other)) if other.moderate => return Ok(other.f),
                (Ok(best), Ok(other)) if best.largest() <= other.largest() => Ok(best),
                (_, Ok(other)) => Ok(other),
                (best, Err(_)) => best,
            };
        }
        best.map(|answer| answer.f)
    }

    /// The forces of all rows by one law, for one b.
    fn by_law(
        &mut self,
        law: FrictionModel,
        resting: &Resting<'_>,
        b: &[f64],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Answer, StepError> {
        let contacts = resting.contacts;
        if law == FrictionModel::Coulomb {
            let lcp = resting.lcp(b, contacts.iter().enumerate().map(|(i, c)| coulomb(c, i)));
            return self.solve_lcp(lcp, time, observer);
        }
        let smooth = &b[..contacts.len()];
        let smooth = resting.lcp(smooth, std::iter::empty());
        let smooth = self.solve_lcp(smooth, time, observer)?;
        if law == FrictionModel::None {
            return Ok(smooth);
        }
        let lcp = resting.lcp(b, contacts.iter().zip(&smooth.f).map(|(c, f)| boxed(c, *f)));
        self.solve_lcp(lcp, time, observer)
    }

    /// Adds what contact forces do, and keeps them to be seen.
    fn act(&mut self, resting: &Resting<'_>, f: &[f64], rates: &mut [Rate]) {
        let Resting { contacts, rows, .. } = resting;
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

impl Resting<'_> {
    /// The problem of the first rows, one for each value of b: the normals, and those of friction
    /// with what bounds it at each contact.
    fn lcp(&self, b: &[f64], friction: impl Iterator<Item = RowBound>) -> Lcp {
        let friction: Vec<RowBound> = friction.collect();
        let normals = self.contacts.iter().map(normal_bound);
        let tangents = self.rows.rubbing.iter().filter_map(|&i| friction.get(i));
        let bounds = normals.chain(tangents.copied()).collect();
        let members: Vec<usize> = (0..b.len()).collect();
        self.rows.lcp(LcpKind::Forces, &members, b.to_vec(), bounds)
    }

    /// b: the accelerations of gaps, and of sliding, without contact forces, and what they should be
    /// beyond 0. Friction stops sliding within about a step, if it may.
    ///
    /// What is possible is without distances and curvature: J (dV/dt + V/h), which bodies that are
    /// held from all sides can do, since to stand still is to do it.
    fn asked(&self, asked: Asked, world: &World, rates: &[Rate]) -> Vec<f64> {
        let (bodies, settings) = (&world.bodies, &world.scene.settings);
        let material: Vec<f64> = self.rows.rates(rates).collect();
        let normal = |(i, contact): (usize, &Contact)| {
            let own = match asked {
                Asked::All => rows::gap_acceleration(contact, bodies, rates, settings.curve_term),
                Asked::Possible => material[i],
            };
            match self.by {
                By::Forces => {
                    own + contact.extra_acceleration(asked.beyond(settings), settings.time_step)
                }
                By::Impulses { h } => {
                    let opening = asked.opening(contact, h);
                    own / 2.0 + (contact.velocity - opening) / h
                }
            }
        };
        let tangent = |(k, &i): (usize, &usize)| {
            let contact = &self.contacts[i];
            let own = match asked {
                Asked::All => slip::acceleration(contact, bodies, rates),
                Asked::Possible => material[self.rows.tangent(k)],
            };
            let slip = slip::velocity(contact, bodies);
            match self.by {
                By::Forces => own + slip / settings.time_step,
                By::Impulses { h } => own / 2.0 + slip / h,
            }
        };
        let normals = self.contacts.iter().enumerate().map(normal);
        let tangents = self.rows.rubbing.iter().enumerate().map(tangent);
        normals.chain(tangents).collect()
    }
}

impl Asked {
    /// What forces take out beside acceleration.
    fn beyond(self, settings: &Settings) -> ExtraAcceleration {
        match self {
            Self::All => settings.extra_acceleration,
            Self::Possible => settings.extra_acceleration.without_distance(),
        }
    }

    /// The mean velocity over a step of h seconds that brings a gap half the way to where it should be, m/s.
    fn opening(self, contact: &Contact, h: f64) -> f64 {
        match self {
            Self::All => -contact.excess(h) / (2.0 * h),
            Self::Possible => 0.0,
        }
    }
}
