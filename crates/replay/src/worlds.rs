//! Golden trajectories of the planar engine: each step taken again from the line before it.
//!
//! The engine computes in binary64. Its additions and products are the same everywhere, but sines and cosines are those of
//! the platform, and sums of the fast solvers are ordered as the processor's vectors are long. So no digit is compared. A line
//! holds all that the next step needs, the generator of random orders included, and a step taken from it on any machine
//! comes out within [`AGREE`] of the line that follows: errors do not add up from step to step, as they would along a motion. What a line says
//! of energy must hold for its own numbers, in exact arithmetic.

use std::sync::OnceLock;

use etalon_golden::trajectory::{Header, Line, Quantity, Start, differences, line_text};
use etalon_golden::{Trajectory as Stored, first_difference};
use etalon_planar::Inside;
use etalon_scenarios::{WORLD_FORMULATION, WorldInstance, WorldRun, find, read_world};
use etalon_spatial::BounceGain;
use rug::Rational;

pub use crate::apart::AGREE;
use crate::apart::apart;
use crate::trajectories::{NotRepeatable, Replay};
use crate::world_contacts;
use crate::world_laws::LastMoment;

/// A stored trajectory of the planar engine with its world.
pub struct WorldReplay<'a> {
    stored: &'a Stored,
    instance: WorldInstance,
    /// Who is inside whom at each line, once a step is asked for: how bodies came where they are takes all lines before.
    inside: OnceLock<Vec<Inside>>,
}

/// A stored trajectory whose steps can be taken again.
pub enum Again<'a> {
    /// To the digit.
    Exact(Box<Replay<'a>>),
    /// Up to the rounding of the platform.
    World(Box<WorldReplay<'a>>),
}

impl<'a> Again<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`NotRepeatable`].
    pub fn new(stored: &'a Stored) -> Result<Self, NotRepeatable> {
        if is_world(stored) {
            return Ok(Self::World(Box::new(WorldReplay::new(stored)?)));
        }
        Ok(Self::Exact(Box::new(Replay::new(stored)?)))
    }

    /// What bounces by Newton's law gained in step k of bodies in space; none elsewhere.
    pub fn bounce_gain(&self, k: u64) -> Option<BounceGain> {
        match self {
            Self::Exact(replay) => replay.bounce_gain(k),
            Self::World(_) => None,
        }
    }

    /// What does not hold of the header.
    pub fn header(&self) -> Vec<String> {
        match self {
            Self::Exact(own) => own.header(),
            Self::World(own) => own.header(),
        }
    }

    /// What does not hold of step k, counted from 1.
    pub fn step(&self, k: u64) -> Vec<String> {
        match self {
            Self::Exact(own) => own.step(k),
            Self::World(own) => own.step(k),
        }
    }
}

/// Whether a trajectory is one of the planar engine.
pub fn is_world(stored: &Stored) -> bool {
    stored.header.formulation.as_deref() == Some(WORLD_FORMULATION)
}

impl<'a> WorldReplay<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`NotRepeatable`].
    pub fn new(stored: &'a Stored) -> Result<Self, NotRepeatable> {
        let instance = instance(&stored.header);
        let instance = instance.map_err(|why| NotRepeatable::of_header(&why))?;
        Ok(Self {
            stored,
            instance,
            inside: OnceLock::new(),
        })
    }

    fn run(&self) -> Result<WorldRun, String> {
        let run = WorldRun::new(self.instance.clone(), self.stored.header.steps);
        run.map_err(|error| error.to_string())
    }

    /// What does not hold of the header.
    pub fn header(&self) -> Vec<String> {
        let own = match self.run() {
            Ok(run) => run.header(),
            Err(why) => return vec![why],
        };
        let stored = &self.stored.header;
        // Starts have sines of angles in them.
        let scale = Scale::of(&[(&stored.start.q, &stored.start.v)], 0.0);
        let mut found = apart("start.q", &stored.start.q, &own.start.q, scale.q);
        found.extend(apart("start.v", &stored.start.v, &own.start.v, scale.v));
        let bare = |header: &Header| Header {
            start: Start::default(),
            ..header.clone()
        };
        found.extend(differences(&bare(stored), &bare(&own)));
        let lines = self.stored.steps.len() as u64;
        if stored.steps != Some(lines) {
            let steps = stored.steps.map_or("no".to_owned(), |own| own.to_string());
            found.push(format!("the header has {steps} steps, but {lines} follow"));
        }
        found.extend(self.not_as_written(0));
        found
    }

    /// What does not hold of step k.
    pub fn step(&self, k: u64) -> Vec<String> {
        let index = usize::try_from(k).unwrap_or(usize::MAX);
        let line = |back: usize| self.stored.steps.get(index.checked_sub(back)?);
        let Some(own) = line(1) else {
            return vec!["there is no such step".to_owned()];
        };
        let mut found = match self.again(index) {
            Ok((again, moment)) => {
                let mut found = self.compare(line(2), own, &again);
                // Without the same contacts there is nothing to hold a contact against, and that is said.
                if found.is_empty() {
                    found = self.laws(own, &again, &moment);
                }
                found
            }
            Err(why) => vec![why],
        };
        found.extend(energy_of(own));
        found.extend(self.not_as_written(index));
        found
    }

    /// What single contacts of a line break.
    fn laws(&self, line: &Line, own: &Line, moment: &LastMoment) -> Vec<String> {
        let scene = &self.instance.scene;
        let names: Vec<&str> = scene.bodies.iter().map(|own| &*own.name).collect();
        moment.broken(line, own, &names, scene.settings.time_step)
    }

    /// The step of that index, counted from 1, taken again from the line before it, with the problems of its last moment.
    fn again(&self, index: usize) -> Result<(Line, LastMoment), String> {
        let mut run = self.run()?;
        let steps = &self.stored.steps;
        let before = index.checked_sub(2);
        if let Some((at, before)) = before.and_then(|at| Some((at, steps.get(at)?))) {
            let inside = self.inside.get_or_init(|| run.inside_at(steps)).get(at);
            run.resume(before, &inside.cloned().unwrap_or_default())?;
        }
        let mut moment = LastMoment::default();
        let line = run.advance(&mut moment);
        Ok((line.map_err(|error| error.to_string())?, moment))
    }

    fn compare(&self, before: Option<&Line>, line: &Line, own: &Line) -> Vec<String> {
        let start = &self.stored.header.start;
        let (q, v) = before.map_or((&start.q, &start.v), |before| (&before.q, &before.v));
        let settings = &self.instance.scene.settings;
        // At rest all velocities are noise: the settings say from which speed, and from which way, bodies move.
        let mut scale = Scale::of(&[(q, v), (&line.q, &line.v)], settings.velocity_tolerance);
        scale.q += settings.distance_tolerance;
        let mut found = Vec::new();
        if line.k != own.k {
            found.push(format!("k is {}, but comes out as {}", line.k, own.k));
        }
        let one = std::slice::from_ref::<Quantity>;
        found.extend(apart("t", one(&line.t), one(&own.t), line.t.to_f64()));
        found.extend(apart("q", &line.q, &own.q, scale.q));
        found.extend(apart("v", &line.v, &own.v, scale.v));
        let energies = |line: &Line| {
            let energy = line.energy.clone();
            [energy.kinetic, energy.potential, line.dissipated.clone()]
        };
        // Bodies at the speed that counts as rest have an energy, too.
        let sizes = energies(line).map(|own| own.to_f64().abs());
        let size = sizes.iter().sum::<f64>() + scale.v * scale.v * self.mass();
        found.extend(apart("energy", &energies(line), &energies(own), size));
        let parts = |line: &Line| -> Vec<Quantity> {
            let parts = line.dissipation.iter().flatten();
            parts.map(|(_, own)| own.clone()).collect()
        };
        found.extend(apart("dissipation", &parts(line), &parts(own), size));
        let counts = |line: &Line| [("collisions", line.collisions), ("jams", line.jams)];
        let none = [("collisions", Some(0)), ("jams", Some(0))];
        let before = before.map_or(none, counts);
        for (((name, one), (_, old)), (_, came)) in counts(line).iter().zip(before).zip(counts(own))
        {
            if let (Some(one), Some(old), Some(came)) = (one, old, came)
                && one.checked_sub(old) != Some(came)
            {
                found.push(format!(
                    "{name} go from {old} to {one}, but the step comes out with {came}"
                ));
            }
        }
        if line.lcp.n != own.lcp.n {
            let [one, other] = [line.lcp.n, own.lcp.n];
            found.push(format!("lcp.n is {one}, but comes out as {other}"));
        }
        let bodies = self.instance.scene.bodies.iter();
        let movers = bodies.filter(|own| own.mass.is_some());
        let movers: Vec<&str> = movers.map(|own| &*own.name).collect();
        found.extend(world_contacts::contacts(
            [line, own],
            &movers,
            scale.q,
            settings.time_step,
        ));
        if line.seed != own.seed {
            let [one, other] = [line.seed, own.seed].map(|own| own.unwrap_or_default());
            found.push(format!("seed is {one}, but comes out as {other}"));
        }
        found
    }

    /// The mass of all bodies that move, kg.
    fn mass(&self) -> f64 {
        self.instance
            .scene
            .bodies
            .iter()
            .filter_map(|own| own.mass)
            .sum()
    }

    /// That a line has another text than its values are written with.
    fn not_as_written(&self, index: usize) -> Option<String> {
        let written = match index.checked_sub(1) {
            None => line_text(&self.stored.header),
            Some(at) => line_text(self.stored.steps.get(at)?),
        };
        let text = self.stored.texts.get(index)?.trim_end();
        let byte = first_difference(&written, text)?;
        Some(format!(
            "byte {byte} of the line is not what `etalon golden` would write, although all values may be the same"
        ))
    }
}

/// The world that a header holds or names.
pub(crate) fn instance(header: &Header) -> Result<WorldInstance, String> {
    if let Some(scene) = &header.scene {
        let world = read_world(&header.scenario, &scene.to_string());
        let world = world.ok_or("scene: it is no world in the format etalon-world/1")?;
        return world.map_err(|error| format!("scene: {error}"));
    }
    let scenario = find(&header.scenario).map_err(|error| {
        format!("{error}; the header of a world of a file has the world as `scene`: make the trajectory once more from that file (`etalon scenario run FILE --out TRAJECTORY`)")
    })?;
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    let instance = scenario.world_instance(settings);
    instance.map_err(|error| error.to_string())
}

/// The largest sizes of a step.
struct Scale {
    q: f64,
    v: f64,
}

impl Scale {
    fn of(states: &[(&Vec<Quantity>, &Vec<Quantity>)], least_speed: f64) -> Self {
        let sizes = |own: &[Quantity]| own.iter().map(|own| own.to_f64().abs()).fold(0.0, f64::max);
        let q = states.iter().map(|(q, _)| sizes(q));
        let v = states.iter().map(|(_, v)| sizes(v));
        Self {
            q: q.fold(0.0, f64::max),
            v: v.fold(least_speed, f64::max),
        }
    }
}

/// That the parts of what a line dissipated do not add up: exactly, but for the roundings of their sums.
fn energy_of(line: &Line) -> Option<String> {
    let dissipated = line.dissipated.exact()?;
    let work = line
        .work
        .as_ref()
        .map_or(Some(Rational::new()), Quantity::exact)?;
    let parts = line.dissipation.as_ref()?.values().map(Quantity::exact);
    let parts: Vec<Rational> = parts.collect::<Option<_>>()?;
    let total = parts.iter().fold(Rational::new(), |sum, part| sum + part);
    let off = Rational::from(&total - &dissipated) - &work;
    let sizes = parts.iter().chain([&dissipated, &work]);
    let size = sizes.fold(Rational::new(), |sum, part| sum + part.clone().abs());
    // The last part is what six sums leave: each has at most one rounding of 2^-53 of what it holds.
    let known = (size * 8u32) >> 53u32;
    (off.abs() > known).then(|| {
        format!(
            "the parts of dissipation add up to {} J, and dissipated and work to {} J",
            etalon_lcp::short_text(&total),
            etalon_lcp::short_text(&(dissipated + work))
        )
    })
}
