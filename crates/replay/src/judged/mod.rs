//! A recorded motion of a scene held against the scene's laws, whoever made it: other solvers, other numbers, other programs.
//!
//! [`Replay`](crate::trajectories::Replay) takes each step again and compares digits, which only exact runs allow. Here
//! each step is judged from its own numbers: the states before and after it, and the impulses. The laws are those of
//! [`etalon_engines::motion`]; their data come from the scene that the header names.

mod claims;
mod line;
mod space;
mod start;
mod unasked;
mod world;

use etalon_engines::motion::{Breach, Breaches, Rounding, examine};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::Trajectory as Stored;
use etalon_golden::trajectory::{Energy, Header, Line, Quantity, Start};
use etalon_scenarios::motion::{Arithmetics, LENGTH, MotionLaws};
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{Scenario, WORLD_FORMULATION, find};
use etalon_spatial::{BounceGain, ImpactLaw};
use etalon_time_stepping::Kind;
use rug::Rational;

use crate::trajectories::check_k;
use crate::worlds::{self, is_world};
use claims::claims;
use line::{Before, no_kinetic, step_of, time};
use space::{RecordedSpace, moving_scene_of};
use start::{SceneStart, on_grid};

/// The precision of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionPrecision {
    /// They are exact.
    Exact,
    /// Each is the nearest binary64 of the maker's.
    F64,
    /// Each is the nearest binary32 of the maker's.
    F32,
}

impl MotionPrecision {
    /// The rounding of such numbers.
    pub fn rounding(self) -> Rounding {
        match self {
            Self::Exact => Rounding::exact(),
            Self::F64 => Rounding::binary64(),
            Self::F32 => Rounding::binary32(),
        }
    }
}

/// Why a motion cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotJudged {
    /// The file is at fault.
    #[error("{0}")]
    Unreadable(String),
}

/// The laws of a recorded motion, and the rounding of its numbers.
pub struct RecordedMotion {
    laws: Laws,
    rounding: Rounding,
    start: SceneStart,
    /// The bits of the grid that all numbers of states are on, where the file has them as they were.
    grid: Option<u32>,
}

/// What was found of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JudgedStep {
    /// What it breaks.
    pub breaches: Vec<Breach>,
    /// In space: what bounces by Newton's law gained in it. Their law asks for that, so it is no breach.
    pub bounce_gain: Option<BounceGain>,
}

/// Of a scene with coordinates of its own, or of bodies in space.
enum Laws {
    Coordinates(Box<MotionLaws>),
    Space(Box<RecordedSpace>),
}

impl Laws {
    fn h(&self) -> &Rational {
        match self {
            Self::Coordinates(own) => own.h(),
            Self::Space(own) => own.h(),
        }
    }
}

impl RecordedMotion {
    /// The laws of the scene that a header names. `precision` is that of the numbers in the file; where none is given, that of
    /// the run. `declared` is the relative error that the solver of the run is declared to have.
    ///
    /// # Errors
    /// [`NotJudged`].
    pub fn new(
        header: &Header,
        precision: Option<MotionPrecision>,
        declared: &Rational,
    ) -> Result<Self, NotJudged> {
        let bad = |why: String| NotJudged::Unreadable(format!("the header: {why}"));
        let kind = kind(header).map_err(bad)?;
        let mut rounding = match (precision, kind) {
            (None | Some(MotionPrecision::Exact), Kind::Rational) => Rounding::exact(),
            (None | Some(MotionPrecision::Exact), Kind::Grid(bits)) => Rounding::grid(bits),
            (None, Kind::Binary64) => Rounding::binary64(),
            (Some(MotionPrecision::Exact), Kind::Binary64) => {
                let why = "the field \"arithmetic\" is \"binary64\", so that numbers are rounded, and the precision asked for is exact; take f64, or leave it out";
                return Err(bad(why.to_owned()));
            }
            (Some(precision), _) => precision.rounding(),
        };
        if let Kind::Grid(bits) = kind {
            rounding.absolute = Rounding::grid(bits).absolute;
        }
        rounding.declared.clone_from(declared);
        let laws = match moving_scene_of(header).map_err(bad)? {
            Some(MovingScene::Space(scene)) => {
                let space = RecordedSpace::new(header, scene, rounding.clone());
                space.map(|(space, start)| (Laws::Space(Box::new(space)), start))
            }
            Some(scene) => laws_of_scene(header, &scene, kind),
            None => laws_of(header, kind),
        };
        let (laws, start) = laws.map_err(bad)?;
        let as_they_were = matches!(precision, None | Some(MotionPrecision::Exact));
        let motion = Self {
            laws,
            rounding,
            start,
            grid: kind.grid_bits().filter(|_| as_they_were),
        };
        motion.check_h(header).map_err(bad)?;
        motion
            .on_grid("start.", &header.start.q, &header.start.v)
            .map_err(bad)?;
        Ok(motion)
    }

    /// What of the start of a header is another one than the scene's.
    pub fn start(&self, start: &Start) -> Vec<Breach> {
        self.start.off(start, &self.rounding)
    }

    /// Fields that are held against nothing.
    pub fn not_asked(&self) -> &'static [&'static str] {
        match &self.laws {
            Laws::Space(_) => unasked::SPACE,
            Laws::Coordinates(laws) if laws.has_corners() => unasked::CORNERS,
            Laws::Coordinates(laws) if laws.has_surfaces() => unasked::SURFACES,
            Laws::Coordinates(_) => unasked::COORDINATES,
        }
    }

    /// States of runs on a grid are on it.
    fn on_grid(&self, place: &str, q: &[Quantity], v: &[Quantity]) -> Result<(), String> {
        let Some(bits) = self.grid else {
            return Ok(());
        };
        // In space quaternions are on a finer grid, and spins derive from momenta.
        let kept = |i: usize, size: usize| match &self.laws {
            Laws::Space(_) => i % size < 3,
            Laws::Coordinates(_) => true,
        };
        for (name, own, size) in [("q", q, 7), ("v", v, 6)] {
            let own = own.iter().enumerate().filter(|(i, _)| kept(*i, size));
            let named = own.map(|(i, own)| (format!("{place}{name}[{i}]"), own));
            on_grid(bits, named)?;
        }
        Ok(())
    }

    /// The header's h is the scene's, which may have been rounded to binary64 or further.
    fn check_h(&self, header: &Header) -> Result<(), String> {
        let h = header.h.exact().ok_or("the field \"h\" is no number")?;
        let own = self.laws.h();
        let known = self
            .rounding
            .of_state(own)
            .max(Rounding::binary64().of_state(own));
        if Rational::from(own - &h).abs() <= known {
            return Ok(());
        }
        let stored = &header.h;
        Err(format!(
            "the field \"h\" is {stored}, and the parameters say {own}"
        ))
    }

    /// Whether the numbers are exact, so that nothing is tolerated.
    pub fn is_exact(&self) -> bool {
        self.rounding.is_exact()
    }

    /// What the step of a line breaks, from the line before it (none: from the start in the header). `None` where the line
    /// says that the iteration for its evaluation point did not converge: then nobody knows where its normals are to be taken.
    ///
    /// # Errors
    /// The field that cannot be used, and why.
    pub fn step(
        &self,
        header: &Header,
        before: Option<&Line>,
        line: &Line,
    ) -> Result<Option<JudgedStep>, String> {
        check_bounces(line)?;
        self.on_grid("", &line.q, &line.v)?;
        let laws = match &self.laws {
            Laws::Coordinates(laws) => laws,
            Laws::Space(space) => {
                check_converged(line, false)?;
                return space.step(header, before, line).map(Some);
            }
        };
        check_converged(line, laws.iterates())?;
        if line.converged == Some(false) {
            return Ok(None);
        }
        if let Some(name) = line
            .bounces
            .iter()
            .flatten()
            .find(|own| !laws.can_bounce(own))
        {
            return Err(format!(
                "the field \"bounces\" names {name:?}, which has no restitution in the scene"
            ));
        }
        let start = match before {
            Some(before) => Before::of_line(before),
            None => Before::of_header(header),
        }?;
        let Some(mut step) = step_of(laws, &self.rounding, &start, line)? else {
            return Ok(None);
        };
        if let (None, Some(energy), Some(recorded)) =
            (before, &header.start.energy, &mut step.energy)
        {
            recorded.at_start = [energy.kinetic.exact(), energy.potential.exact()];
        }
        let mut found = Breaches::of(line.k);
        time(laws.h(), &self.rounding, line, &mut found);
        if laws.is_first_order() {
            let start = header.start.energy.as_ref();
            resting(line, start.filter(|_| before.is_none()), &mut found);
        }
        claims(
            (line, &step),
            laws.has_surfaces(),
            &self.rounding,
            &mut found,
        )?;
        let mut breaches = found.into_list();
        breaches.extend(examine(&step, &self.rounding));
        Ok(Some(JudgedStep {
            breaches,
            bounce_gain: None,
        }))
    }
}

/// No kinetic energy after a step of a first-order world, nor at the start.
fn resting(line: &Line, start: Option<&Energy>, found: &mut Breaches) {
    no_kinetic(&line.energy.kinetic, "kinetic energy", found);
    if let Some(start) = start {
        no_kinetic(&start.kinetic, "kinetic energy at the start", found);
    }
}

/// An iteration that did not converge is one that there was: else the word would keep a step from being asked.
fn check_converged(line: &Line, iterates: bool) -> Result<(), String> {
    if iterates || line.converged != Some(false) {
        return Ok(());
    }
    let why = "the field \"converged\" is false, and no step of the scene iterates: leave it out";
    Err(why.to_owned())
}

/// What bounces is a contact of the line: a name that is none would be read as a contact that does not bounce.
fn check_bounces(line: &Line) -> Result<(), String> {
    let known = |name: &String| line.contacts.iter().any(|own| own.pair == *name);
    let mut named = line.bounces.iter().flatten().enumerate();
    match named.find(|(_, name)| !known(name)) {
        None => Ok(()),
        Some((i, name)) => Err(format!(
            "the field \"bounces[{i}]\" is {name:?}, and no entry of \"contacts\" has that \"pair\""
        )),
    }
}

/// The laws of a scene of a file whose bodies keep their points out of convex bodies, or have implicit surfaces.
fn laws_of_scene(
    header: &Header,
    scene: &MovingScene,
    kind: Kind,
) -> Result<(Laws, SceneStart), String> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let header_in = |arithmetics| {
        let run = scene.run(arithmetics, &solver, None);
        run.map_or_else(|error| Err(error.to_string()), |run| Ok(run.header()))
    };
    let mut own = header_in(Arithmetics::Exact)?;
    check_labels(header, &own)?;
    let laws = match scene {
        MovingScene::Corners(scene) => scene.laws(kind),
        MovingScene::Implicit(scene) => scene.laws(kind),
        MovingScene::Space(_) => return Err("the scene is one of bodies in space".to_owned()),
    };
    let laws = laws.map_err(|error| error.to_string())?;
    if laws.has_surfaces() {
        own = header_in(arithmetics_of(kind))?;
    }
    Ok(with_start(laws, own))
}

/// That of a run of the same kind: a start on a grid is known as far as several roundings to it, those of its roots and sines.
fn arithmetics_of(kind: Kind) -> Arithmetics {
    match kind {
        Kind::Binary64 => Arithmetics::Binary64,
        _ => Arithmetics::Exact,
    }
}

/// The laws of a scene with its start, which the header of its run has.
fn with_start(laws: MotionLaws, own: Header) -> (Laws, SceneStart) {
    let quaternions = laws.turns().into_iter().map(|own| own.quaternion);
    let start = SceneStart::new(own, laws.velocities(), quaternions.collect());
    (Laws::Coordinates(Box::new(laws)), start)
}

/// The laws of a scene with coordinates of its own.
fn laws_of(header: &Header, kind: Kind) -> Result<(Laws, SceneStart), String> {
    let scenario = find(&header.scenario).map_err(|error| error.to_string())?;
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    let instance = scenario.motion_instance(settings);
    let instance = instance.map_err(|error| error.to_string())?;
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let header_in = |arithmetics| {
        let run = instance.trajectory(arithmetics, &solver, None);
        run.map_or_else(|error| Err(error.to_string()), |run| Ok(run.header()))
    };
    let mut own = header_in(Arithmetics::Exact)?;
    check_labels(header, &own)?;
    let laws = instance.laws(kind).map_err(|error| error.to_string())?;
    if laws.has_surfaces() {
        own = header_in(arithmetics_of(kind))?;
    }
    Ok(with_start(laws, own))
}

/// What was found of a motion.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JudgedMotion {
    /// Steps that were judged.
    pub steps: u64,
    /// Steps that are there, and how many the header says that the run has, where these differ.
    pub cut: Option<(u64, u64)>,
    /// Steps that say themselves that their iteration did not converge: not judged.
    pub unconverged: u64,
    /// Steps whose bodies push where nobody knows the closest points: not judged.
    pub unknown: u64,
    /// What they break, and what of the header's start is not the scene's: step 0.
    pub breaches: Vec<Breach>,
    /// In space: what bounces by Newton's law gained, by the number of the step.
    pub bounce_gains: Vec<(u64, BounceGain)>,
    /// Fields that nothing was held against; `etalon verify` compares them, of exact runs and of worlds.
    pub not_asked: &'static [&'static str],
    /// Whether nothing was tolerated.
    pub exact: bool,
}

/// Judges all steps of a stored trajectory.
///
/// # Errors
/// [`NotJudged`], with the line at fault.
pub fn judge_motion(
    stored: &Stored,
    precision: Option<MotionPrecision>,
    declared: &Rational,
) -> Result<JudgedMotion, NotJudged> {
    // Lines of the planar engine are asked less. A scene of the registry that is none of its worlds has other laws.
    let is_other = |own: &&Scenario| own.world.is_none();
    if is_world(stored)
        && stored.header.scene.is_none()
        && let Some(own) = find(&stored.header.scenario).ok().filter(is_other)
    {
        let why = format!(
            "{}: the header: the field \"formulation\" is {WORLD_FORMULATION:?}, and {} is no world of the planar engine",
            stored.origin(0),
            own.name
        );
        return Err(NotJudged::Unreadable(why));
    }
    if is_world(stored) && stored.header.scene.is_some() {
        let world = worlds::instance(&stored.header);
        world.map_err(|why| {
            let origin = stored.origin(0);
            NotJudged::Unreadable(format!(
                "{origin}: the header: the field \"formulation\" is {WORLD_FORMULATION:?}, of the planar engine, and {why}"
            ))
        })?;
    }
    let mut judged = if is_world(stored) {
        world::judge_world(stored, precision, declared)?
    } else {
        judge_steps(stored, precision, declared)?
    };
    let (there, asked_for) = (stored.steps.len() as u64, stored.header.steps);
    judged.cut = asked_for
        .filter(|own| *own != there)
        .map(|own| (there, own));
    Ok(judged)
}

fn judge_steps(
    stored: &Stored,
    precision: Option<MotionPrecision>,
    declared: &Rational,
) -> Result<JudgedMotion, NotJudged> {
    let at = |k: u64, why: String| NotJudged::Unreadable(format!("{}: {why}", stored.origin(k)));
    let motion = RecordedMotion::new(&stored.header, precision, declared);
    let motion = motion.map_err(|error| at(0, error.to_string()))?;
    let mut found = JudgedMotion {
        exact: motion.is_exact(),
        breaches: motion.start(&stored.header.start),
        not_asked: motion.not_asked(),
        ..JudgedMotion::default()
    };
    let mut before = None;
    for (k, line) in (1..).zip(&stored.steps) {
        check_k(k, line).map_err(|why| at(k, why))?;
        let judged = motion.step(&stored.header, before, line);
        match judged.map_err(|why| at(k, why))? {
            Some(judged) => {
                found.breaches.extend(judged.breaches);
                found
                    .bounce_gains
                    .extend(judged.bounce_gain.map(|own| (k, own)));
                found.steps += 1;
            }
            None if line.converged == Some(false) => found.unconverged += 1,
            None => found.unknown += 1,
        }
        before = Some(line);
    }
    Ok(found)
}

/// A header whose parameters name the length of the run has as many steps.
fn check_steps(header: &Header, own: &Header) -> Result<(), String> {
    let named = LENGTH
        .iter()
        .find(|name| header.parameters.contains_key(**name));
    match (named, header.steps, own.steps) {
        (Some(name), Some(told), Some(own)) if told != own => Err(format!(
            "the field \"steps\" is {told}, and the field \"parameters.{name}\" makes it {own}"
        )),
        _ => Ok(()),
    }
}

/// A header that says how its steps were taken says what its scene says. Which laws are asked depends on these fields, so another word
/// there would switch laws off.
fn check_labels(header: &Header, own: &Header) -> Result<(), String> {
    check_steps(header, own)?;
    let list = |names: &[String]| Some(names.join(", ")).filter(|own| !own.is_empty());
    // A header in space that names no law of restitution has Newton's.
    let newton = || own.cone.is_some().then(|| ImpactLaw::Newton.to_string());
    let impact = own.impact.clone().or_else(newton);
    for (field, told, own) in [
        (
            "formulation",
            header.formulation.clone(),
            own.formulation.clone(),
        ),
        ("scheme", header.scheme.clone(), own.scheme.clone()),
        ("cone", header.cone.clone(), own.cone.clone()),
        ("impact", header.impact.clone(), impact),
        (
            "coordinates",
            list(&header.coordinates),
            list(&own.coordinates),
        ),
    ] {
        if told.is_some() && told != own {
            let [told, own] = [told, own].map(Option::unwrap_or_default);
            return Err(format!(
                "the field {field:?} is {told:?}, and the scene {} has {own:?}",
                header.scenario
            ));
        }
    }
    Ok(())
}

fn kind(header: &Header) -> Result<Kind, String> {
    match (header.arithmetic.as_deref(), header.grid_bits) {
        (Some(own @ ("rational" | "binary64")), Some(bits)) => Err(format!(
            "the field \"grid_bits\" is {bits}, and the field \"arithmetic\" is {own:?}, which has no grid; leave it out, or say \"grid\""
        )),
        (Some("rational"), None) => Ok(Kind::Rational),
        (Some("binary64"), None) => Ok(Kind::Binary64),
        (Some("grid"), Some(bits @ 8..=4096)) => Ok(Kind::Grid(bits as u32)),
        (Some("grid"), _) => {
            Err("the field \"grid_bits\" is missing, or not from 8 to 4096".to_owned())
        }
        (Some(other), _) => Err(format!(
            "the field \"arithmetic\" is {other:?}, and none of \"rational\", \"grid\", \"binary64\""
        )),
        (None, _) => {
            let why = "the field \"arithmetic\" is missing; it says how numbers were rounded: \"rational\", \"grid\" or \"binary64\"";
            Err(why.to_owned())
        }
    }
}
