//! The world: bodies in motion, and what may be done to them.

use std::collections::HashSet;

use crate::body::Body;
use crate::build;
use crate::contact::{Connection, Contact, Place, Tolerances, overlap, overstretched};
use crate::error::{CommandError, SceneError, StepError};
use crate::forces::{Anchor, Law};
use crate::geometry::Vec2;
use crate::observe::{Nobody, Observer};
use crate::random::Random;
use crate::scene::{Frame, Scene, Settings};
use crate::snapshot::{BodyState, ContactForce, Energy, Snapshot};
use crate::solve::LcpSolver;

/// Counts of what has happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Totals {
    /// Collisions that were handled.
    pub collisions: u64,
    /// Impulse problems that were solved.
    pub impulses: u64,
    /// Steps of the integrator.
    pub steps: u64,
    /// How often the world went back in time.
    pub backups: u64,
    /// Jams: problems that had no moderate answer as they stood, and were put with less asked for.
    #[serde(default)]
    pub jams: u64,
    /// Collisions whose time had to be searched for by bisection.
    pub searches: u64,
}

/// A world of rigid bodies in the plane that can be stepped.
#[derive(Debug)]
pub struct World {
    pub(crate) scene: Scene,
    pub(crate) bodies: Vec<Body>,
    pub(crate) connections: Vec<Connection>,
    pub(crate) laws: Vec<Law>,
    /// Pairs of bodies that do not collide, the lower index first.
    pub(crate) passes: HashSet<(usize, usize)>,
    pub(crate) time: f64,
    pub(crate) random: Random,
    pub(crate) solver: LcpSolver,
    pub(crate) totals: Totals,
    /// Kinetic energy that collisions have taken, J.
    pub(crate) lost: f64,
    /// What pushes have done, J.
    pub(crate) work: f64,
    hand: Option<Law>,
    thrusts: Vec<Law>,
    pub(crate) contact_forces: Vec<ContactForce>,
}

/// One force of a thruster set, on a body.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Thrust {
    /// The body's index.
    pub body: usize,
    /// Where it acts, in body coordinates, m.
    pub at: [f64; 2],
    /// The force, in body coordinates, N.
    pub force: [f64; 2],
}

impl World {
    /// The world of a scene.
    ///
    /// # Errors
    /// [`SceneError`], with the name of the body and what is wrong with it.
    pub fn new(scene: Scene) -> Result<Self, SceneError> {
        let built = build::build(&scene)?;
        let world = Self {
            bodies: built.bodies,
            connections: built.connections,
            laws: built.laws,
            passes: built.passes,
            time: scene.time,
            random: Random::new(scene.settings.seed),
            solver: LcpSolver::default(),
            totals: Totals::default(),
            lost: 0.0,
            work: 0.0,
            hand: None,
            thrusts: Vec::new(),
            contact_forces: Vec::new(),
            scene,
        };
        world.starts_apart()?;
        Ok(world)
    }

    fn starts_apart(&self) -> Result<(), SceneError> {
        let name = |body: usize| self.scene.bodies[body].name.clone();
        let place = self.place();
        let passes = |i, j| self.passes.contains(&(i, j));
        if let Some((first, second, depth)) = overlap(&self.bodies, &place, passes) {
            return Err(SceneError::Overlap {
                first: name(first),
                second: name(second),
                depth,
            });
        }
        match overstretched(&self.bodies, &place) {
            Some((first, second, beyond)) => Err(SceneError::Overstretched {
                first: name(first),
                second: name(second),
                beyond,
            }),
            None => Ok(()),
        }
    }

    /// The scene as it is now; a world made from it goes on as this one would, without what a hand
    /// or thrusters do.
    pub fn scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        for (spec, body) in scene.bodies.iter_mut().zip(&self.bodies) {
            spec.position = body.position.into();
            spec.velocity = body.velocity.into();
            spec.angle = body.angle;
            spec.angular_velocity = body.spin;
        }
        scene.time = self.time;
        scene.settings.seed = self.random.seed();
        scene
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How the world is stepped.
    pub fn settings(&self) -> &Settings {
        &self.scene.settings
    }

    /// What has happened so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Goes one time step ahead.
    ///
    /// # Errors
    /// [`StepError`]; the world then stands where the failing event began, within the step.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&mut Nobody)
    }

    /// Goes one time step ahead while somebody watches.
    ///
    /// # Errors
    /// As [`World::step`].
    pub fn step_with(&mut self, observer: &mut dyn Observer) -> Result<(), StepError> {
        self.solver.forget();
        self.advance(self.scene.settings.time_step, observer)
    }

    /// Changes how the world is stepped from now on. The seed starts anew.
    ///
    /// # Errors
    /// [`SceneError::Range`] for a number outside of its range.
    pub fn set(&mut self, settings: Settings) -> Result<(), SceneError> {
        build::check_settings(&settings)?;
        if settings.seed != self.scene.settings.seed {
            self.random = Random::new(settings.seed);
        }
        self.scene.settings = settings;
        Ok(())
    }

    /// Changes the forces that are always on.
    ///
    /// # Errors
    /// [`SceneError`] for bodies that are not there and numbers outside of their range.
    pub fn set_forces(&mut self, forces: Vec<crate::ForceLaw>) -> Result<(), SceneError> {
        self.laws = build::laws(&self.scene.bodies, &forces)?;
        self.scene.forces = forces;
        Ok(())
    }

    /// Sets the elasticity of all bodies.
    ///
    /// # Errors
    /// [`CommandError::Range`] outside of 0..1.
    pub fn set_elasticity(&mut self, elasticity: f64) -> Result<(), CommandError> {
        if !(0.0..=1.0).contains(&elasticity) {
            let (what, range) = ("the elasticity", "from 0 to 1");
            return Err(CommandError::Range {
                what,
                value: elasticity,
                range,
            });
        }
        for (spec, body) in self.scene.bodies.iter_mut().zip(&mut self.bodies) {
            spec.elasticity = elasticity;
            body.elasticity = elasticity;
        }
        Ok(())
    }

    /// Sets the coefficient of friction of all bodies.
    ///
    /// # Errors
    /// [`CommandError::Range`] outside of 0..10^6.
    pub fn set_friction(&mut self, friction: f64) -> Result<(), CommandError> {
        if !(0.0..=build::MOST_FRICTION).contains(&friction) {
            let (what, range) = ("the friction", "from 0 to 1000000");
            return Err(CommandError::Range {
                what,
                value: friction,
                range,
            });
        }
        for (spec, body) in self.scene.bodies.iter_mut().zip(&mut self.bodies) {
            spec.friction = friction;
            body.friction = friction;
        }
        Ok(())
    }

    /// Takes hold of a body at a point (body coordinates, m) and pulls it by a spring of no length
    /// towards a point of the world, until [`World::release`].
    ///
    /// # Errors
    /// [`CommandError`] for a body that cannot be moved, and numbers that are not finite.
    pub fn pull(
        &mut self,
        body: usize,
        at: [f64; 2],
        to: [f64; 2],
        stiffness: f64,
    ) -> Result<(), CommandError> {
        let at = self.anchor(body, at)?;
        finite("the point", &to)?;
        nonnegative("the stiffness", stiffness)?;
        self.hand = Some(Law::Hand {
            at,
            to: to.into(),
            stiffness,
        });
        Ok(())
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.hand = None;
    }

    /// The moving body with a point nearest to a point of the world: its index, and the point in
    /// its body coordinates; its centre of mass if that is nearest.
    pub fn nearest(&self, point: [f64; 2]) -> Option<(usize, [f64; 2])> {
        let point = Vec2::from(point);
        let moving = self
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| !body.is_fixed());
        let far = |body: &Body| (body.center() - point).norm() - body.shape.radius;
        let (index, body) = moving.min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
        let (own, shape) = (body.pose.to_body(point), &body.shape);
        // A point outside of the body is moved into its box.
        let held = own.sup(&shape.low).inf(&shape.high);
        Some((index, held.into()))
    }

    /// Sets all thrusters that are firing; none puts them out.
    ///
    /// # Errors
    /// [`CommandError`] for a body that cannot be moved, and numbers that are not finite.
    pub fn thrust(&mut self, thrusts: &[Thrust]) -> Result<(), CommandError> {
        let law = |thrust: &Thrust| {
            finite("the force", &thrust.force)?;
            let at = self.anchor(thrust.body, thrust.at)?;
            Ok(Law::Push {
                at,
                force: thrust.force.into(),
                frame: Frame::Body,
            })
        };
        self.thrusts = thrusts.iter().map(law).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn anchor(&self, body: usize, at: [f64; 2]) -> Result<Anchor, CommandError> {
        finite("the point", &at)?;
        let moving = self.bodies.get(body).is_some_and(|body| !body.is_fixed());
        if !moving {
            return Err(CommandError::NoBody { body });
        }
        Ok(Anchor {
            body,
            at: at.into(),
        })
    }

    /// What there is to see now.
    pub fn snapshot(&self) -> Snapshot {
        let named = self.scene.bodies.iter().zip(&self.bodies);
        Snapshot {
            time: self.time,
            bodies: named
                .map(|(spec, body)| BodyState::of(&spec.name, body))
                .collect(),
            contacts: self.contact_forces.clone(),
            energy: self.energy(),
            totals: self.totals,
        }
    }

    /// Energies, J.
    pub fn energy(&self) -> Energy {
        let potential = self.all_laws().map(|law| law.energy(&self.bodies)).sum();
        Energy {
            kinetic: self.kinetic_energy(),
            potential,
            lost_in_collisions: self.lost,
        }
    }

    /// What pushes have done so far, J: the integral of their power, by the integrator of the motion.
    pub fn work(&self) -> f64 {
        self.work
    }

    /// Whether there are pushes.
    pub fn has_pushes(&self) -> bool {
        self.all_laws().any(|law| matches!(law, Law::Push { .. }))
    }

    /// J.
    pub(crate) fn kinetic_energy(&self) -> f64 {
        self.bodies.iter().map(Body::kinetic_energy).sum()
    }

    pub(crate) fn all_laws(&self) -> impl Iterator<Item = &Law> {
        self.laws.iter().chain(&self.hand).chain(&self.thrusts)
    }

    pub(crate) fn place(&self) -> Place<'_> {
        let settings = &self.scene.settings;
        Place {
            connections: &self.connections,
            tolerances: Tolerances {
                distance: settings.distance_tolerance,
                velocity: settings.velocity_tolerance,
                accuracy: settings.accuracy,
            },
        }
    }

    /// Adds the contacts of the present positions to those that are known.
    pub(crate) fn find(&self, contacts: &mut Vec<Contact>, time: f64) {
        let passes = |i, j| self.passes.contains(&(i, j));
        crate::contact::find(contacts, &self.bodies, &self.place(), passes, time);
    }

    /// The gaps of the contacts and connectors there are now, each with what it touches.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut contacts = Vec::new();
        self.find(&mut contacts, self.time);
        let gap = |contact: &Contact| Gap {
            first: contact.first,
            second: contact.second,
            joint: contact.joint,
            distance: contact.distance,
            velocity: contact.velocity,
            beyond_half_gap: contact.beyond_target(),
        };
        contacts.iter().map(gap).collect()
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

fn finite(what: &'static str, values: &[f64]) -> Result<(), CommandError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(CommandError::Range {
            what,
            value,
            range: "finite",
        }),
        None => Ok(()),
    }
}

fn nonnegative(what: &'static str, value: f64) -> Result<(), CommandError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(CommandError::Range {
        what,
        value,
        range: "finite and at least 0",
    })
}
