//! The world: a model, a state and a stepper together.

mod commands;

pub use commands::Thrust;

use crate::accounts::Accounts;
use crate::body::Motion;
use crate::contact::Contact;
use crate::error::{StepError, WorldError};
use crate::model::{Inside, Model};
use crate::observe::{Nobody, Observer};
use crate::outline::{Outline, outlines, shapes};
use crate::scene::WorldSpec;
use crate::settings::Settings;
use crate::snapshot::{BodyState, Energy, Snapshot, Totals};
use crate::state::State;
use crate::step::Stepper;

/// A world of rigid bodies in the plane that can be stepped.
#[derive(Debug)]
pub struct World {
    pub(crate) model: Model,
    pub(crate) state: State,
    stepper: Stepper,
    inside: Inside,
}

impl World {
    /// The world of a scene.
    ///
    /// # Errors
    /// [`WorldError`], with the name of the body and what is wrong with it.
    pub fn new(scene: WorldSpec) -> Result<Self, WorldError> {
        let (model, state, inside) = Model::of(scene)?;
        Ok(Self {
            model,
            state,
            stepper: Stepper::default(),
            inside,
        })
    }

    /// The world of a scene that a motion led to. Bodies that are inside others by then may be over any of their edges,
    /// whatever the scene says of that.
    ///
    /// # Errors
    /// As [`World::new`].
    pub fn resumed(mut scene: WorldSpec, inside: &Inside) -> Result<Self, WorldError> {
        let names: Vec<String> = scene.bodies.iter().map(|own| own.name.clone()).collect();
        for (k, own) in scene.bodies.iter_mut().enumerate() {
            let of_body = inside.pairs.iter().filter(|pair| pair.0 == k);
            let others = of_body.filter_map(|pair| names.get(pair.1).cloned());
            own.inside = others.collect();
        }
        Self::new(scene)
    }

    /// The scene as it is now. A world made from it goes on as this one would, without what a hand
    /// or thrusters do.
    pub fn scene(&self) -> WorldSpec {
        let mut scene = self.model.scene.clone();
        for (spec, motion) in scene.bodies.iter_mut().zip(&self.state.motions) {
            spec.position = motion.position.into();
            spec.velocity = motion.velocity.into();
            spec.angle = motion.angle;
            spec.angular_velocity = motion.spin;
            spec.inside.clear();
        }
        for [own, other] in self.across() {
            let name = scene.bodies[other].name.clone();
            scene.bodies[own].inside.push(name);
        }
        scene.time = self.state.time;
        scene.settings.seed = self.state.random.seed();
        scene
    }

    /// Who is inside whom now, through edges that bodies pass.
    pub fn inside(&self) -> Inside {
        self.inside.clone()
    }

    /// The bodies that are over an edge that stops them, having come in through another one, each with the body that it is inside
    /// of: what a scene has to say besides places.
    pub fn across(&self) -> Vec<[usize; 2]> {
        self.model.across(&self.inside, &self.state.motions)
    }

    /// Who is inside whom after the bodies moved to those places (x, y, angle; one for each body) from an earlier moment.
    pub fn inside_after(&self, before: &Inside, places: &[[f64; 3]]) -> Inside {
        let moved = self.state.motions.iter().zip(places);
        let moved = moved.map(|(motion, &[x, y, angle])| {
            Motion::new(motion.pose.cm, &[x, 0.0, y, 0.0, angle, 0.0])
        });
        self.model.inside_after(before, &moved.collect::<Vec<_>>())
    }

    /// The time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// How the world is stepped.
    pub fn settings(&self) -> &Settings {
        self.model.settings()
    }

    /// Counts of what has happened so far.
    pub fn totals(&self) -> Totals {
        self.stepper.totals
    }

    /// Goes one time step ahead.
    ///
    /// # Errors
    /// [`StepError`]; the world then stands where the failing event began, within the step.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&mut Nobody)
    }

    /// Goes one time step ahead, and shows each LCP of it to an observer.
    ///
    /// # Errors
    /// As [`World::step`].
    pub fn step_with(&mut self, observer: &mut dyn Observer) -> Result<(), StepError> {
        let stepped = self.stepper.step(&self.model, &mut self.state, observer);
        let motions = &self.state.motions;
        self.inside = self.model.inside_after(&self.inside, motions);
        stepped
    }

    /// What can be seen of the world now.
    pub fn snapshot(&self) -> Snapshot {
        let named = self.model.scene.bodies.iter().zip(&self.state.motions);
        Snapshot {
            time: self.state.time,
            bodies: named
                .map(|(spec, motion)| BodyState::of(&spec.name, motion))
                .collect(),
            contacts: self.state.contact_forces.clone(),
            energy: self.energy(),
            totals: self.totals(),
        }
    }

    /// The energies of all bodies together, J.
    pub fn energy(&self) -> Energy {
        let bodies = self.model.bodies(&self.state);
        Energy {
            kinetic: bodies.kinetic_energy(),
            potential: self.model.forces.energy(bodies),
            lost_in_collisions: self.state.lost,
        }
    }

    /// The work of pushes so far, J: the integral of their power, by the integrator of the motion.
    pub fn work(&self) -> f64 {
        self.state.accounts.pushes
    }

    /// The work of all forces that have no potential so far, J.
    pub fn accounts(&self) -> Accounts {
        self.state.accounts
    }

    /// The generator that orders serial collisions, as the setting `seed` has it.
    pub fn seed(&self) -> u32 {
        self.state.random.seed()
    }

    /// Whether any force is a push; then [`World::work`] can be other than 0.
    pub fn has_pushes(&self) -> bool {
        self.model.forces.all().any(|law| law.is_push())
    }

    /// The outlines of all bodies where they are now, in the order of the scene.
    pub fn outlines(&self) -> Vec<Outline> {
        outlines(&self.model, &self.state)
    }

    /// The outlines of all bodies about their centres of mass, not turned, in the order of the
    /// scene: a point p of one is at position + R(angle) p in the world.
    pub fn shapes(&self) -> Vec<Outline> {
        shapes(&self.model)
    }

    /// The gaps of the contacts and connectors there are now, each with what it touches.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut contacts = Vec::new();
        let time = self.state.time;
        self.model.find(&self.state, &mut contacts, time);
        contacts.iter().map(Gap::of).collect()
    }
}

/// The gap of a contact or connector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// The first body's index.
    pub first: usize,
    /// The second body's index.
    pub second: usize,
    /// Whether it is bilateral.
    pub joint: bool,
    /// m, negative in penetration.
    pub distance: f64,
    /// m/s, negative in approach.
    pub velocity: f64,
    /// How far it is from the gap at rest (half the distance tolerance; 0 for a joint), m.
    pub beyond_half_gap: f64,
}

impl Gap {
    fn of(contact: &Contact) -> Self {
        Self {
            first: contact.first,
            second: contact.second,
            joint: contact.joint,
            distance: contact.distance,
            velocity: contact.velocity,
            beyond_half_gap: contact.beyond_target(),
        }
    }
}
