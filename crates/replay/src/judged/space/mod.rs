//! A motion of bodies in space, whoever made it, before the oracle of `etalon_spatial`: it decides, with the tolerances of recorded
//! numbers. Here lines become its steps, and recorded energies and times are held against the states.

mod contacts;
mod told;

use etalon_engines::motion::{Breaches, MotionLaw, Rounding};
use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{CompressionLine, Header, Line, Quantity, Start};
use etalon_lcp::short_text;
use etalon_rigid::{Vector, Vector3};
use etalon_scenarios::motion::MotionRun;
use etalon_scenarios::space::{MovingScene, SpaceRun, SpaceScene, lost_in_steps};
use etalon_scenarios::{find, read_moving};
use etalon_spatial::{
    DerivedGap, Energy, Examined, SpaceCompressionRecord, SpaceLimitRecord, SpaceOracle,
    SpacePrecision, SpaceState, SpaceStep, SpaceStepRecord, SpaceWorld,
};
use etalon_time_stepping::Activation;
use rug::Rational;
use serde_json::Value;

use super::claims::basis;
use super::line::{no_kinetic, number, numbers, time};
use super::start::SceneStart;
use super::{JudgedStep, check_labels};

/// Roundings of a number that is a sum of a few products.
const FEW: u32 = 24;

/// The scene of a motion in space, and the precision of its numbers.
pub struct RecordedSpace {
    scene: SpaceScene,
    world: SpaceWorld,
    rounding: Rounding,
}

/// The scene of a file that a header holds, or one in space that it names; none where it is another one.
pub fn moving_scene_of(header: &Header) -> Result<Option<MovingScene>, String> {
    if let Some(scene) = &header.scene {
        check_beside(header, scene)?;
        let scene = read_moving(&scene.to_string(), None);
        return scene.map(Some).map_err(|error| error.to_string());
    }
    let scenario = find(&header.scenario).map_err(|error| error.to_string())?;
    let settings = header.parameters.iter();
    let settings = settings.map(|(name, value)| (&**name, &**value));
    let instance = scenario.motion_instance(settings);
    let space = instance.map_err(|error| error.to_string())?.space();
    Ok(space.map(MovingScene::Space))
}

/// Beside a scene there is nothing that names another one.
fn check_beside(header: &Header, scene: &Value) -> Result<(), String> {
    let own = &header.scenario;
    if let Some(name) = scene.get("name").and_then(Value::as_str)
        && name != own
    {
        return Err(format!(
            "the field \"scenario\" is {own:?}, and the field \"scene\" holds {name:?}: a header with a scene has its name, and one without has that of a named one"
        ));
    }
    let names: Vec<&str> = header.parameters.keys().map(|own| &**own).collect();
    match &names[..] {
        [] => Ok(()),
        names => Err(format!(
            "the field \"parameters\" has {}, and the field \"scene\" has no parameters: write them into the scene, or leave one of the fields out",
            names.join(", ")
        )),
    }
}

impl RecordedSpace {
    /// The laws of a scene, and the rounding of the numbers.
    pub fn new(
        header: &Header,
        scene: SpaceScene,
        rounding: Rounding,
    ) -> Result<(Self, SceneStart), String> {
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let run = SpaceRun::new(scene.clone(), None, &solver);
        let own = run.map_err(|error| error.to_string())?.header();
        check_labels(header, &own)?;
        let world = scene.world().map_err(|error| error.to_string())?;
        let space = Self {
            scene,
            world,
            rounding,
        };
        space.state(&State::of_start(&header.start))?;
        let bodies = || 0..space.world.moving().count();
        let quaternions = bodies().map(|k| 7 * k + 3..7 * k + 7);
        let velocities = space.world.moving().flat_map(|body| {
            let name = space.world.bodies()[body].name.clone();
            ["x", "y", "z", "rx", "ry", "rz"].map(|axis| format!("{name} {axis}"))
        });
        let start = SceneStart::new(own, velocities.collect(), quaternions.collect());
        Ok((space, start))
    }

    /// h.
    pub fn h(&self) -> &Rational {
        &self.scene.settings.h
    }

    /// What the step of a line breaks.
    pub fn step(
        &self,
        header: &Header,
        before: Option<&Line>,
        line: &Line,
    ) -> Result<JudgedStep, String> {
        let old = match before {
            Some(before) => self.state(&State::of_line(before))?,
            None => self.state(&State::of_start(&header.start))?,
        };
        let new = self.state(&State::of_line(line))?;
        let mut found = Breaches::of(line.k);
        time(self.h(), &self.rounding, line, &mut found);
        problems(line, self.scene.settings.activation, &mut found)?;
        self.spins(&new, line, &mut found)?;
        self.sums(line, &mut found)?;
        redundant(line, &mut found)?;
        let compression = self.compression(&old, line)?;
        let own = SpaceStepRecord {
            before: old.clone(),
            after: new,
            contacts: contacts::of_line(line)?,
            joint_impulses: self.joint_impulses(line, Phase::Last)?,
            limits: self.limits(line)?,
            drive_impulses: self.drive_impulses(line)?,
            compression,
        };
        let settings = &self.scene.settings;
        let step = SpaceStep::of_record(&self.world, settings, own);
        let step = step.map_err(|error| error.to_string())?;
        let precision = SpacePrecision {
            relative: self.rounding.relative.clone(),
            absolute: self.rounding.absolute.clone(),
            declared: self.rounding.declared.clone(),
        };
        let oracle = SpaceOracle::new(&self.world, settings).with_precision(precision);
        let examined = oracle.examine_measured(line.k, &step);
        for (violation, measure) in &examined.found {
            self.report(&mut found, violation, measure.as_ref());
        }
        if before.is_none() {
            self.lengths(&old, &mut found);
            if let Some(energy) = &header.start.energy {
                let own = Energy::of(&self.world, &old);
                self.energies(&mut found, (energy, &own), &examined, " at the start");
            }
        }
        self.energies(&mut found, (&line.energy, &step.energy), &examined, "");
        self.losses(&mut found, (&old, &step), line, &examined);
        self.gaps(&mut found, &step, line, &examined);
        Ok(JudgedStep {
            breaches: found.into_list(),
            bounce_gain: step.bounce_gain(),
        })
    }

    fn state(&self, own: &State<'_>) -> Result<SpaceState, String> {
        let mut state = self.world.start();
        let moving: Vec<usize> = self.world.moving().collect();
        let q = own.exact("q", own.q, 7 * moving.len())?;
        let v = own.exact("v", own.v, 6 * moving.len())?;
        let momentum = match own.momentum {
            Some(momentum) => Some(own.exact("momentum", momentum, 3 * moving.len())?),
            None => None,
        };
        for (k, body) in moving.into_iter().enumerate() {
            let motion = &mut state.bodies[body];
            motion.position = three(&q[7 * k..]);
            motion.attitude.0 = std::array::from_fn(|j| q[7 * k + 3 + j].clone());
            if motion.attitude.norm_squared() == 0 {
                let name = &self.world.bodies()[body].name;
                return Err(format!(
                    "the quaternion of the body {name:?} in q is 0; it has length 1"
                ));
            }
            motion.velocity = three(&v[6 * k..]);
            motion.momentum = match &momentum {
                Some(all) => three(&all[3 * k..]),
                None => self.momentum(body, &motion.attitude.rotation(), &three(&v[6 * k + 3..])),
            };
        }
        self.world.carry(&mut state);
        Ok(state)
    }

    /// The first phase of an impact, where the line has one.
    fn compression(
        &self,
        old: &SpaceState,
        line: &Line,
    ) -> Result<Option<SpaceCompressionRecord>, String> {
        let Some(own) = &line.compression else {
            return Ok(None);
        };
        Ok(Some(SpaceCompressionRecord {
            state: self.between(old, own)?,
            joint_impulses: self.joint_impulses(line, Phase::Compression)?,
        }))
    }

    /// The state between the phases of an impact.
    fn between(&self, old: &SpaceState, own: &CompressionLine) -> Result<SpaceState, String> {
        let mut state = old.clone();
        let moving: Vec<usize> = self.world.moving().collect();
        let of_line = State {
            q: &[],
            v: &own.v,
            momentum: own.momentum.as_deref(),
            place: "compression.",
        };
        let v = of_line.exact("v", &own.v, 6 * moving.len())?;
        let momentum = match of_line.momentum {
            Some(momentum) => Some(of_line.exact("momentum", momentum, 3 * moving.len())?),
            None => None,
        };
        for (k, body) in moving.into_iter().enumerate() {
            let motion = &mut state.bodies[body];
            motion.velocity = three(&v[6 * k..]);
            motion.momentum = match &momentum {
                Some(all) => three(&all[3 * k..]),
                None => self.momentum(body, &motion.attitude.rotation(), &three(&v[6 * k + 3..])),
            };
        }
        Ok(state)
    }

    /// R J R' w.
    fn momentum(
        &self,
        body: usize,
        rotation: &etalon_rigid::Rotation3<Rational>,
        spin: &Vector3<Rational>,
    ) -> Vector3<Rational> {
        let turned = rotation.matrix();
        let inertia = turned
            .product(&self.world.bodies()[body].inertia)
            .product(&turned.transposed());
        three(&inertia.times(spin.coordinates()))
    }

    /// Angular velocities that stand beside angular momenta follow from them.
    fn spins(&self, state: &SpaceState, line: &Line, found: &mut Breaches) -> Result<(), String> {
        if line.momentum.is_none() {
            return Ok(());
        }
        for (k, body) in self.world.moving().enumerate() {
            let motion = &state.bodies[body];
            let own = self.world.angular_velocity(body, motion);
            // Of a body whose moments are far from each other a spin is a small difference of what momenta make.
            let inverse = self.world.bodies()[body].inertia.inverse();
            let entries = inverse
                .iter()
                .flat_map(|own| (0..3).flat_map(|i| own.row(i)));
            let most = entries
                .map(|own| own.clone().abs())
                .max()
                .unwrap_or_default();
            let size = most * sizes(&motion.momentum) * 3u32;
            let tolerance = self.few(&size);
            for j in 0..3 {
                let recorded = number(&format!("v[{}]", 6 * k + 3 + j), &line.v[6 * k + 3 + j])?;
                let off = Rational::from(&recorded - &own[j]);
                if Rational::from(off.abs_ref()) > tolerance {
                    let words = format!(
                        "a spin of {} rad/s is recorded, and the angular momentum makes it {} rad/s",
                        figure(&recorded),
                        figure(&own[j])
                    );
                    let place = format!("body {}", self.world.bodies()[body].name);
                    found.report(
                        (MotionLaw::Data, place),
                        off,
                        ("rad/s", tolerance.clone()),
                        words,
                    );
                }
            }
        }
        Ok(())
    }

    /// The impulses of all rows of all joints in a phase.
    fn joint_impulses(&self, line: &Line, phase: Phase) -> Result<Vec<Rational>, String> {
        let joints = self.world.joints();
        let recorded = line.joints.as_deref().unwrap_or_default();
        if recorded.len() != joints.len() {
            let (own, all) = (recorded.len(), joints.len());
            return Err(format!(
                "the field \"joints\" has {own} entries, and the scene {all} joints"
            ));
        }
        let rows = self.world.placed(&self.world.start());
        let mut impulses = Vec::new();
        for (i, (own, joint)) in recorded.iter().zip(joints).enumerate() {
            if own.joint != joint.name {
                let (own, name) = (&own.joint, &joint.name);
                return Err(format!(
                    "the field \"joints[{i}].joint\" is {own:?}, and the scene's joint there is {name:?}"
                ));
            }
            let field = phase.field(&format!("joints[{i}]"), "impulses", line);
            let own = match (line.compression.is_some(), &own.phases) {
                (false, None) => &own.impulses,
                (true, Some(phases)) => &phases[phase.index()],
                (both, _) => return Err(phases_of(&format!("joints[{i}]"), both)),
            };
            if own.len() != rows[i].len() {
                let (own, all) = (own.len(), rows[i].len());
                return Err(format!(
                    "the field {field:?} has {own} numbers, and the joint {all} equations"
                ));
            }
            impulses.extend(numbers(&field, own)?);
        }
        Ok(impulses)
    }

    /// The limits of joints that are recorded.
    fn limits(&self, line: &Line) -> Result<Vec<SpaceLimitRecord>, String> {
        let mut limits = Vec::new();
        let joints = line.joints.iter().flatten().enumerate();
        for (joint, own) in joints {
            for (k, own) in own.limits.iter().flatten().enumerate() {
                let field = format!("joints[{joint}].limits[{k}]");
                let has_limits = self.world.joints()[joint].limits.is_some();
                let upper = match &*own.limit {
                    "lower" if has_limits => false,
                    "upper" if has_limits => true,
                    other => {
                        let why = match has_limits {
                            true => "neither \"lower\" nor \"upper\"",
                            false => "there, and the scene's joint has no limits",
                        };
                        return Err(format!("the field \"{field}.limit\" is {other:?}, {why}"));
                    }
                };
                let (last, compression) = match &own.phases {
                    None => (number(&format!("{field}.impulse"), &own.impulse)?, None),
                    Some(_) if line.compression.is_none() => return Err(phases_of(&field, false)),
                    Some([first, last]) => (
                        number(&format!("{field}.phases[1]"), last)?,
                        Some(number(&format!("{field}.phases[0]"), first)?),
                    ),
                };
                limits.push(SpaceLimitRecord {
                    joint,
                    upper,
                    impulse: last,
                    compression,
                });
            }
        }
        Ok(limits)
    }

    /// The impulses of all drives.
    fn drive_impulses(&self, line: &Line) -> Result<Vec<Rational>, String> {
        let joints = line.joints.as_deref().unwrap_or_default();
        let mut impulses = Vec::new();
        for (i, (own, joint)) in joints.iter().zip(self.world.joints()).enumerate() {
            let field = format!("joints[{i}].drive");
            match (&own.drive, &joint.drive) {
                (Some(own), Some(_)) => impulses.push(number(&field, own)?),
                (None, None) => {}
                (None, Some(_)) => {
                    return Err(format!(
                        "the field {field:?} is missing, and the scene's joint has a drive"
                    ));
                }
                (Some(_), None) => {
                    return Err(format!(
                        "the field {field:?} is there, and the scene's joint has no drive"
                    ));
                }
            }
        }
        Ok(impulses)
    }

    /// Recorded gaps of limits, and what joints have opened by, are those of the states. A drift that is left out is not asked.
    fn gaps(&self, found: &mut Breaches, step: &SpaceStep, line: &Line, examined: &Examined) {
        let mut compare = |place: String, recorded: &Quantity, own: &DerivedGap| {
            let Some(recorded) = recorded.exact() else {
                return;
            };
            let off = Rational::from(&recorded - &own.value);
            let tolerance = own.room.clone() + self.few(&own.value);
            if Rational::from(off.abs_ref()) > tolerance {
                let (told, own) = (figure(&recorded), figure(&own.value));
                let words = format!("{told} is recorded, and the states make it {own}");
                found.report((MotionLaw::Data, place), off, ("m or 1", tolerance), words);
            }
        };
        let joints = || line.joints.iter().flatten();
        for (own, drift) in joints().zip(&examined.drifts) {
            compare(format!("drift of joint {}", own.joint), &own.drift, drift);
        }
        for (stop, known) in step.posed.stops.iter().zip(&examined.limits) {
            let word = if stop.upper { "upper" } else { "lower" };
            let told = joints().nth(stop.joint);
            let told = told.and_then(|own| own.limits.as_ref());
            let own = told.and_then(|all| all.iter().find(|own| own.limit == word));
            if let Some(own) = own {
                let name = &self.world.joints()[stop.joint].name;
                compare(format!("{word} limit of joint {name}"), &own.gap, known);
            }
        }
    }

    /// Quaternions of the start are of length 1; the oracle asks those after a step.
    fn lengths(&self, start: &SpaceState, found: &mut Breaches) {
        for body in self.world.moving() {
            let off = start.bodies[body].attitude.norm_squared() - 1u32;
            let tolerance = self.few(&Rational::from(2));
            if Rational::from(off.abs_ref()) > tolerance {
                let words = "the quaternion of the start is not of length 1".to_owned();
                let place = format!("body {}", self.world.bodies()[body].name);
                let at = (MotionLaw::Data, place);
                found.report(at, off, ("1", tolerance), words);
            }
        }
    }

    /// What a few roundings do to a sum of that size.
    fn few(&self, size: &Rational) -> Rational {
        Rational::from(&self.rounding.relative * FEW) * size
            + Rational::from(&self.rounding.declared * size)
    }

    fn compare(
        &self,
        found: &mut Breaches,
        place: &str,
        (recorded, own): (&Quantity, &Rational),
        room: &Rational,
    ) {
        let Some(recorded) = recorded.exact() else {
            return;
        };
        let off = Rational::from(&recorded - own);
        let tolerance = room.clone() + self.few(&Rational::from(own.abs_ref()));
        if Rational::from(off.abs_ref()) > tolerance {
            let words = format!(
                "{} J are recorded, and the states and impulses make it {} J",
                figure(&recorded),
                figure(own)
            );
            let at = (MotionLaw::EnergyIdentity, place.to_owned());
            found.report(at, off, ("J", tolerance), words);
        }
    }

    fn energies(
        &self,
        found: &mut Breaches,
        (recorded, own): (&etalon_golden::trajectory::Energy, &Energy),
        examined: &Examined,
        when: &str,
    ) {
        let room = &examined.energy_room;
        let kinetic = format!("kinetic energy{when}");
        if self.world.is_first_order() {
            no_kinetic(&recorded.kinetic, &kinetic, found);
        } else {
            self.compare(found, &kinetic, (&recorded.kinetic, &own.kinetic), room);
        }
        let potential = (&recorded.potential, &own.potential);
        self.compare(found, &format!("potential energy{when}"), potential, room);
    }

    fn losses(
        &self,
        found: &mut Breaches,
        (old, step): (&SpaceState, &SpaceStep),
        line: &Line,
        examined: &Examined,
    ) {
        let (room, ledger) = (&examined.energy_room, &step.ledger);
        let lost = Energy::of(&self.world, old).total() - step.energy.total();
        let lost = lost + &ledger.work;
        self.compare(found, "dissipated", (&line.dissipated, &lost), room);
        let own = [
            ("friction", ledger.friction_total()),
            (lost_in_steps(&self.world), ledger.numerical.clone()),
            ("position", ledger.position_total()),
            ("joints", ledger.joints.clone()),
            ("limits", ledger.joint_totals()[0].clone()),
            ("drives", ledger.joint_totals()[1].clone()),
            ("inertial", ledger.inertial.clone()),
            ("rounding", ledger.rounding.clone()),
        ];
        if let Some(work) = &line.work {
            self.compare(found, "work", (work, &ledger.work), room);
        }
        if let Some(gain) = &line.flight_gain {
            let own = (gain, &ledger.flight_gain);
            self.compare(found, "flight_gain", own, room);
        }
        let parts = line.dissipation.iter().flatten();
        for (name, part) in parts {
            if let Some((_, own)) = own.iter().find(|(own, _)| own == name) {
                self.compare(found, &format!("dissipation.{name}"), (part, own), room);
            }
        }
    }
}

/// An impact of two phases has two problems, another step one, with a basis each. Where contacts take part when they are violated, each further
/// problem has one more of them at least.
fn problems(line: &Line, activation: Activation, found: &mut Breaches) -> Result<(), String> {
    basis("lcp", &line.lcp)?;
    if let Some(own) = &line.compression {
        basis("compression.lcp", &own.lcp)?;
    }
    let count = 1 + u64::from(line.compression.is_some());
    let (most, why) = match activation {
        Activation::All => (count, "one, or two with a compression"),
        Activation::WhenViolated => (
            count + line.contacts.len() as u64,
            "one, and one more at most for each of its contacts",
        ),
    };
    let is_wrong = |own: &u64| *own < count || *own > most;
    if let Some(own) = line.problems.filter(is_wrong) {
        let words = format!("there are {own}, and a step has {why}");
        let off = Rational::from(own) - Rational::from(own.clamp(count, most));
        let at = (MotionLaw::Data, "problems".to_owned());
        found.report(at, off, ("problems", Rational::new()), words);
    }
    Ok(())
}

/// Rows of joints that others imply bear nothing: where they are said to be redundant, the others bear all.
fn redundant(line: &Line, found: &mut Breaches) -> Result<(), String> {
    for (i, joint) in line.joints.iter().flatten().enumerate() {
        let rows = joint.redundant.as_deref().unwrap_or_default();
        for (j, row) in rows.iter().enumerate() {
            let at = usize::try_from(*row).unwrap_or(usize::MAX);
            let all = joint.impulses.len();
            if at >= all || rows[..j].contains(row) {
                return Err(format!(
                    "the field \"joints[{i}].redundant[{j}]\" is {row}, which is there twice, or none of the {all} equations of the joint, counted from 0"
                ));
            }
            let phases = joint.phases.iter().flatten();
            let each = phases
                .chain([&joint.impulses])
                .filter_map(|own| own.get(at));
            let borne = each.filter_map(Quantity::exact).find(|own| *own != 0);
            if let Some(impulse) = borne {
                let words = format!(
                    "its equation {row} is said to be redundant, and bears an impulse of {}",
                    figure(&impulse)
                );
                let place = (MotionLaw::Data, format!("joint {}", joint.joint));
                let unit = ("N s or N m s", Rational::new());
                found.report(place, impulse, unit, words);
            }
        }
    }
    Ok(())
}

/// A state as it is written.
struct State<'a> {
    q: &'a [Quantity],
    v: &'a [Quantity],
    momentum: Option<&'a [Quantity]>,
    place: &'static str,
}

impl<'a> State<'a> {
    fn of_line(line: &'a Line) -> Self {
        Self {
            q: &line.q,
            v: &line.v,
            momentum: line.momentum.as_deref(),
            place: "",
        }
    }

    fn of_start(start: &'a Start) -> Self {
        Self {
            q: &start.q,
            v: &start.v,
            momentum: start.momentum.as_deref(),
            place: "start.",
        }
    }

    fn exact(&self, field: &str, own: &[Quantity], length: usize) -> Result<Vec<Rational>, String> {
        let field = format!("{}{field}", self.place);
        if own.len() != length {
            let own = own.len();
            return Err(format!(
                "the field {field:?} has {own} numbers, and the bodies that move have {length}"
            ));
        }
        numbers(&field, own)
    }
}

fn three(values: &[Rational]) -> Vector3<Rational> {
    Vector::new(std::array::from_fn(|k| {
        values.get(k).cloned().unwrap_or_default()
    }))
}

/// The sum of the sizes of the entries.
fn sizes(own: &Vector3<Rational>) -> Rational {
    let each = own.coordinates().iter().map(|own| own.clone().abs());
    each.fold(Rational::new(), |sum, own| sum + own)
}

/// A part of a step whose impulses are read: of an impact of two phases the first, or the last that there is.
#[derive(Clone, Copy)]
enum Phase {
    Compression,
    Last,
}

impl Phase {
    fn index(self) -> usize {
        match self {
            Self::Compression => 0,
            Self::Last => 1,
        }
    }

    /// The field of its impulses.
    fn field(self, place: &str, name: &str, line: &Line) -> String {
        match line.compression {
            Some(_) => format!("{place}.phases[{}]", self.index()),
            None => format!("{place}.{name}"),
        }
    }
}

/// Why phases cannot be read: they are missing, or there are none.
fn phases_of(place: &str, has_two: bool) -> String {
    let why = match has_two {
        true => "is missing, and the line has a compression",
        false => "is there, and the line has no compression",
    };
    format!("the field \"{place}.phases\" {why}")
}

/// A number for people.
fn figure(own: &Rational) -> String {
    short_text(own)
}
