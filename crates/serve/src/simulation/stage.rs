//! A world with what a page does to it.

use etalon_planar::{CommandError, StepError, World, WorldSpec};
use etalon_scenarios::{find, scenarios};

use super::beside::{Beside, apart};
use super::watching::{FrameWatch, Watched};
use super::{complaints, controls, limits, refused, thrusters};
use crate::protocol::{
    Complaint, ComplaintCode, Controls, Firing, Frame, Hand, Open, Placed, Pull, SceneShown,
    SolverName, SubjectShown,
};
use crate::subjects::ChosenSubject;

/// Named worlds are stepped as often as frames are shown, s.
const TIME_STEP: f64 = 1.0 / 60.0;
/// The stiffness of the hand: a body a metre behind is pulled by three times its weight and more.
const PULL: f64 = 10.0;

/// A world with what a page does to it.
#[derive(Debug)]
pub struct Stage {
    world: World,
    start: WorldSpec,
    watch: FrameWatch,
    hand: Option<Held>,
    speed: f64,
    /// The motion by the engine's own forces, while a solver under test moves the world.
    beside: Beside,
    firing: Vec<Firing>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    body: usize,
    /// In body coordinates.
    at: [f64; 2],
    to: [f64; 2],
}

impl Stage {
    /// The world of that name.
    pub fn open(open: &Open) -> Result<Self, Complaint> {
        let world = find(&open.world).ok().and_then(|scenario| scenario.world);
        let Some(world) = world else {
            let worlds = scenarios()
                .iter()
                .filter(|scenario| scenario.world.is_some());
            let names: Vec<&str> = worlds.map(|scenario| scenario.name).collect();
            let message = "there is no world of that name";
            let remedy = format!("take one of {}", names.join(", "));
            return Err(Complaint::new(
                ComplaintCode::OutOfRange,
                Some("world"),
                message,
                remedy,
            ));
        };
        let (least, most) = crate::limits::bodies(&world);
        if !(least..=most).contains(&open.bodies) {
            let message = format!("{} bodies", open.bodies);
            let remedy = format!("take {least} to {most}");
            return Err(Complaint::new(
                ComplaintCode::OutOfRange,
                Some("bodies"),
                message,
                remedy,
            ));
        }
        let mut scene = world.scene(open.bodies);
        scene.settings.time_step = TIME_STEP;
        Self::load(scene, None)
    }

    /// The world of a scene, and what it goes back to.
    pub fn load(scene: WorldSpec, start: Option<WorldSpec>) -> Result<Self, Complaint> {
        limits::check(&scene)?;
        let start = match start {
            Some(start) => {
                limits::check(&start)?;
                World::new(start.clone()).map_err(|error| complaints::complaint(&error))?;
                start
            }
            None => scene.clone(),
        };
        let world = World::new(scene).map_err(|error| complaints::complaint(&error))?;
        Ok(Self {
            world,
            start,
            watch: FrameWatch::new(ChosenSubject::default()),
            hand: None,
            speed: 1.0,
            beside: Beside::default(),
            firing: Vec::new(),
        })
    }

    /// Everything back to the start; what is set stays.
    pub fn reset(&mut self) -> Result<(), Complaint> {
        let now = self.world.scene();
        let mut scene = self.start.clone();
        scene.forces = now.forces;
        let seed = scene.settings.seed;
        scene.settings = now.settings;
        scene.settings.seed = seed;
        for (body, now) in scene.bodies.iter_mut().zip(now.bodies) {
            body.elasticity = now.elasticity;
            body.friction = now.friction;
        }
        self.world = World::new(scene).map_err(|error| complaints::complaint(&error))?;
        self.watch = FrameWatch::new(self.chosen());
        self.hand = None;
        self.firing = Vec::new();
        self.part_from_here()
    }

    /// Sets controls.
    pub fn set(&mut self, controls: &Controls) -> Result<(), Complaint> {
        let chosen = controls::choose(self.chosen(), controls)?;
        controls::set(&mut self.world, &mut self.speed, controls)?;
        self.beside
            .also(|world| controls::set(world, &mut 1.0, controls));
        self.choose(chosen)
    }

    /// The solver whose forces act.
    pub fn chosen(&self) -> ChosenSubject {
        self.watch.chosen()
    }

    /// Lets a solver move the world from now on.
    pub fn choose(&mut self, chosen: ChosenSubject) -> Result<(), Complaint> {
        if chosen == self.chosen() {
            return Ok(());
        }
        self.watch.choose(chosen);
        self.part_from_here()
    }

    /// Lets the motion by the engine's own forces begin where the world is, if a solver under test moves the world.
    fn part_from_here(&mut self) -> Result<(), Complaint> {
        self.beside = Beside::default();
        if self.chosen().name == SolverName::Fast {
            return Ok(());
        }
        self.beside = Beside::of(&self.world);
        if let Some(hand) = self.hand {
            self.hold(hand)?;
        }
        let firing = std::mem::take(&mut self.firing);
        self.thrust(&firing)
    }

    /// Takes hold of the nearest body.
    pub fn pull(&mut self, pull: &Pull) -> Result<(), Complaint> {
        complaints::within("reach", pull.reach, 0.0..=crate::limits::METRES)?;
        let nearest = self.world.nearest(pull.at);
        let scene = self.world.scene();
        let near = nearest.filter(|&(body, at)| {
            let body = &scene.bodies[body];
            let (sin, cos) = body.angle.sin_cos();
            let r = [
                at[0] - body.center_of_mass[0],
                at[1] - body.center_of_mass[1],
            ];
            let x = body.position[0] + cos * r[0] - sin * r[1];
            let y = body.position[1] + sin * r[0] + cos * r[1];
            (x - pull.at[0]).hypot(y - pull.at[1]) <= pull.reach
        });
        let Some((body, at)) = near else {
            let message = "no body is so near";
            let remedy = "press nearer to a body, or allow a larger reach";
            return Err(Complaint::new(
                ComplaintCode::NothingNear,
                Some("at"),
                message,
                remedy,
            ));
        };
        self.hold(Held {
            body,
            at,
            to: pull.at,
        })
    }

    /// Moves the hand; nothing happens where it holds nothing.
    pub fn drag(&mut self, to: [f64; 2]) -> Result<(), Complaint> {
        self.hand
            .map_or(Ok(()), |hand| self.hold(Held { to, ..hand }))
    }

    fn hold(&mut self, hand: Held) -> Result<(), Complaint> {
        let far = crate::limits::METRES;
        hand.to
            .iter()
            .try_for_each(|&to| complaints::within("to", to, -far..=far))?;
        let scene = self.world.scene();
        let mass = scene.bodies[hand.body].mass.unwrap_or(1.0);
        let stiffness = mass * (PULL + 2.0 * controls::gravity(&scene).abs());
        let pulled = self.world.pull(hand.body, hand.at, hand.to, stiffness);
        pulled.map_err(|error| refused(&error))?;
        self.beside
            .also(|world| world.pull(hand.body, hand.at, hand.to, stiffness));
        self.hand = Some(hand);
        Ok(())
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.world.release();
        self.beside.also(|world| -> Result<(), CommandError> {
            world.release();
            Ok(())
        });
        self.hand = None;
    }

    /// Fires thrusters.
    pub fn thrust(&mut self, firing: &[Firing]) -> Result<(), Complaint> {
        let thrusts = thrusters::thrusts(&self.world, firing)?;
        self.world
            .thrust(&thrusts)
            .map_err(|error| refused(&error))?;
        self.beside.also(|world| world.thrust(&thrusts));
        self.firing = firing.to_vec();
        Ok(())
    }

    /// Goes one time step ahead under the watch.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.watch.step_begins();
        self.world.step_with(&mut self.watch)?;
        self.beside.step();
        Ok(())
    }

    /// s.
    pub fn time_step(&self) -> f64 {
        self.world.settings().time_step
    }

    /// s.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// Seconds of the world in a second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// The scene, and how to draw it.
    pub fn scene(&self, fresh: bool) -> SceneShown {
        let scene = self.world.scene();
        SceneShown {
            fresh,
            shapes: self.world.shapes(),
            masses: scene.bodies.iter().map(|body| body.mass).collect(),
            controls: controls::read(&scene, self.speed, self.chosen()),
            thrusters: thrusters::places(&self.world, &scene),
            scene,
        }
    }

    /// The world as it is now, with what was judged since the last frame.
    pub fn frame(&mut self, running: bool, pace: Option<f64>) -> Frame {
        let snapshot = self.world.snapshot();
        let mut contacts = snapshot.contacts;
        let mut watched = self.watch.take(&mut contacts);
        let scene = self.world.scene();
        let hand = self.hand.map(|hand| {
            let cm = scene.bodies[hand.body].center_of_mass;
            Hand {
                body: hand.body,
                at: [hand.at[0] - cm[0], hand.at[1] - cm[1]],
                to: hand.to,
            }
        });
        let bodies: Vec<Placed> = snapshot.bodies.iter().map(Placed::of).collect();
        let subject = self.subject(&mut watched, &bodies);
        Frame {
            time: snapshot.time,
            running,
            pace,
            bodies,
            inside: self.world.across(),
            contacts,
            energy: snapshot.energy,
            totals: snapshot.totals,
            hand,
            seed: scene.settings.seed,
            forces: watched.forces,
            impulses: watched.impulses,
            judged: watched.judged,
            verdicts: watched.verdicts,
            right: watched.right,
            subject,
        }
    }

    /// The solver under test in this frame, if one moves the world.
    fn subject(&self, watched: &mut Watched, bodies: &[Placed]) -> Option<SubjectShown> {
        let solver = self.chosen().name;
        if solver == SolverName::Fast {
            return None;
        }
        let ruling = watched.ruling.take();
        let beside = self.beside.bodies();
        Some(SubjectShown {
            solver,
            verdict: ruling.as_ref().map(|ruling| ruling.verdict.to_owned()),
            accepted: ruling.as_ref().is_none_or(|ruling| ruling.accepted),
            reason: ruling.and_then(|ruling| ruling.reason),
            judged: watched.of_subject.judged,
            wrong: watched.of_subject.wrong,
            engine_acts: watched.engine_acts,
            apart: beside.as_ref().map(|beside| apart(bodies, beside)),
            beside: beside.unwrap_or_default(),
        })
    }
}
