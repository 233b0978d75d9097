//! The input of a run: a scenario with its settings, or a scene of the user's own.

use std::io::Read;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use etalon_contact_forces::{FrictionModel, StaticLaw};
use etalon_lcp::record::stream::is_cbor;
use etalon_lcp::{Problem, Remarks};
use etalon_rigid::System;
use etalon_scenarios::view::Sketch;
use etalon_scenarios::{
    Instance, MAX_SCENE_BYTES, Question, ScenarioError, SceneFile, Setup, Stopped, Strike, find,
    read_scene, scenarios,
};
use etalon_spatial::ImpactLaw;
use rug::Rational;
use serde_json::{Map, Value, json};

use super::show::{count, list, number};
use super::{no_instance, usage};
use crate::similar::did_you_mean;
use crate::{Fatal, Result};

/// A scene with what is said of it.
pub struct SceneInput {
    /// Name and description with parameters, for people.
    pub opening: String,
    /// The same as fields, for programs.
    pub fields: Map<String, Value>,
    /// The scene and the question.
    pub setup: Setup,
    /// The exact complementarity problem: of the box pyramid where static friction in space is asked for
    /// in the circular cone.
    pub problem: Problem,
    /// The scene as a file.
    pub file: SceneFile,
    /// The scene as it is drawn.
    pub sketch: Sketch,
}

/// The text of the file of that name (`-` for standard input); none for a scenario.
fn text_of(name: &str) -> Result<Option<String>> {
    let named = scenarios().iter().any(|scenario| scenario.name == name);
    let is_file = name == "-" || name.ends_with(".json") || Path::new(name).is_file();
    if named || !is_file {
        return Ok(None);
    }
    let text = read(name).map_err(|error| Fatal::Usage(format!("{name}: {error}")));
    text.map(Some)
}

/// The stack of a thread that states a problem: that of a main thread, which states it without a limit.
const STACK: usize = 8 << 20;

impl SceneInput {
    /// Finds a scene, and states its problem within the limit of time: none where it takes longer.
    ///
    /// A tree of links whose quaternions are generic has a mass matrix of fractions that grow with the depth of the tree, and
    /// the problem has its inverse in it. That has no places to ask a clock at. So another thread states it; it ends
    /// with the program.
    pub fn find_within(
        name: &str,
        settings: &[(String, String)],
        limit: Option<Duration>,
    ) -> Result<Option<Self>> {
        let Some(limit) = limit else {
            return Self::find(name, settings).map(Some);
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        // The limit is not one of waiting for a pipe.
        let text = text_of(name)?;
        let (own, settings) = (name.to_owned(), settings.to_vec());
        let thread = thread::Builder::new().stack_size(STACK);
        let started = thread.spawn(move || {
            // Nobody hears it where the limit has passed.
            let _ = sender.send(Self::stated(&own, &settings, text));
        });
        started.map_err(|error| Fatal::Usage(format!("{name}: no thread: {error}")))?;
        match receiver.recv_timeout(limit) {
            Ok(found) => found.map(Some),
            Err(mpsc::RecvTimeoutError::Timeout) => Ok(None),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let why = "its problem could not be stated; this is an error of etalon";
                Err(Fatal::Usage(format!("{name}: {why}")))
            }
        }
    }

    /// Finds the scenario of that name, or reads the scene in that file (`-` for standard input).
    fn find(name: &str, settings: &[(String, String)]) -> Result<Self> {
        Self::stated(name, settings, text_of(name)?)
    }

    /// The scenario of that name, or the scene of the text of a file.
    fn stated(name: &str, settings: &[(String, String)], text: Option<String>) -> Result<Self> {
        let Some(text) = text else {
            let settings = settings.iter().map(|(key, value)| (&**key, &**value));
            let scenario = find(name).map_err(|error| unknown(name, &error))?;
            return Self::of_instance(&scenario.instance(settings).map_err(no_instance)?);
        };
        if let Some((key, _)) = settings.first() {
            return Err(Fatal::Usage(format!(
                "{name} is a scene of its own: it has no parameter {key:?} to set"
            )));
        }
        let wrong = |why: String| Fatal::Usage(format!("{name}: {why}"));
        let file = read_scene(&text).map_err(|error| wrong(error.to_string()))?;
        Self::of_file(file).map_err(|error| wrong(error.to_string()))
    }

    /// The same with a pyramid of that many sides in place of the circular cone.
    pub fn with_pyramid(mut self, sides: usize) -> Result<Self> {
        let Question::Forces(_) = self.setup.question else {
            let system = self.setup.system().map_err(usage)?;
            if system.contacts.iter().all(|own| own.mu == 0) {
                return Err(usage(
                    "--friction-pyramid is of friction: the scene asks for impulses, and no contact has any; give one a \"mu\"",
                ));
            }
            return self.struck(|strike| strike.directions = Some(sides));
        };
        self.restate(&Question::Forces(FrictionModel::Polyhedral(sides)));
        // That there is no such pyramid is said first.
        self.setup.formulation().map_err(usage)?;
        if self.law() == StaticLaw::Coulomb {
            return Err(usage(
                "--friction-pyramid is of static friction in space, but no contact of the scene has any",
            ));
        }
        self.pose()?;
        Ok(self)
    }

    /// The same with another law of restitution, of a scene that asks for the impulses of an impact.
    pub fn with_impact(self, law: ImpactLaw) -> Result<Self> {
        if let Question::Forces(_) = self.setup.question {
            return Err(usage(
                "--impact is the law of restitution of an impact, but the scene asks for contact forces: say \"question\": {\"impact\": e}",
            ));
        }
        self.struck(|strike| strike.law = law)
    }

    /// An impact with something else said of it.
    fn struck(mut self, change: impl FnOnce(&mut Strike)) -> Result<Self> {
        let mut strike = match &self.setup.question {
            Question::Strike(own) => own.clone(),
            Question::Impact(restitution) => Strike {
                restitution: restitution.clone(),
                law: ImpactLaw::Newton,
                directions: None,
            },
            _ => return Err(usage("the scene asks for no impulses of an impact")),
        };
        change(&mut strike);
        self.restate(&Question::Strike(strike));
        self.pose()?;
        Ok(self)
    }

    fn restate(&mut self, question: &Question) {
        for setup in [&mut self.setup, &mut self.file.setup] {
            setup.question = question.clone();
        }
    }

    /// The problem of the question as it is now.
    fn pose(&mut self) -> Result<()> {
        let remarks = self.problem.remarks.clone();
        self.problem = self.setup.problem(self.problem.name()).map_err(usage)?;
        self.problem.remarks = remarks;
        Ok(())
    }

    /// The statement of the question about static friction.
    pub fn law(&self) -> StaticLaw {
        let formulation = self.setup.formulation().ok().flatten();
        formulation.map_or(StaticLaw::Coulomb, |formulation| formulation.law())
    }

    /// The law as a field, for programs: where there is static friction in space.
    pub fn law_field(&self, law: StaticLaw) -> Option<(String, Value)> {
        let circular = self.setup.formulation().ok().flatten();
        let circular = circular.is_some_and(|formulation| formulation.is_circular());
        let stated = law != StaticLaw::Coulomb || circular;
        stated.then(|| ("law".to_owned(), law.to_string().into()))
    }

    fn of_instance(instance: &Instance) -> Result<Self> {
        let (scenario, about) = (instance.scenario, &instance.part);
        let values = about.parameters.iter().map(|parameter| {
            let value = number(&instance.values.get(parameter.name));
            let text = format!("{} = {value} {}", parameter.name, parameter.unit);
            text.trim_end().to_owned()
        });
        let parameters = instance.values.iter();
        let parameters: Map<_, _> = parameters
            .map(|(name, value)| (name.to_owned(), value.to_string().into()))
            .collect();
        let fields = [
            ("scenario", scenario.into()),
            ("parameters", parameters.into()),
        ];
        Ok(Self {
            opening: format!(
                "{}: {}.\n{}",
                scenario,
                about.description,
                list(&values.collect::<Vec<_>>())
            ),
            fields: fields
                .into_iter()
                .map(|(name, value): (&str, serde_json::Value)| (name.to_owned(), value))
                .collect(),
            problem: instance.problem().map_err(usage)?,
            setup: instance.setup.clone(),
            sketch: instance.sketch(),
            file: SceneFile {
                name: instance.name(),
                notes: Some(about.description.to_owned()),
                setup: instance.setup.clone(),
            },
        })
    }

    fn of_file(file: SceneFile) -> std::result::Result<Self, etalon_contact_forces::ForceError> {
        let stopped = file.setup.stopped()?;
        let setup = stopped.as_ref().map_or(&file.setup, |first| &first.setup);
        let setup = setup.clone();
        let mut problem = setup.problem(&file.name)?;
        let mut tags = vec!["scene".to_owned()];
        if setup
            .formulation()?
            .is_some_and(|formulation| formulation.is_circular())
        {
            // The scene asks for the circular cone, the problem states the box about it.
            tags.push("box-pyramid".to_owned());
        }
        problem.remarks = Remarks {
            tags,
            notes: file.notes.clone(),
            ..Remarks::default()
        };
        let opening = match &file.notes {
            Some(notes) => format!("{}: {}.", file.name, notes.trim_end_matches('.')),
            None => format!("{}.", file.name),
        };
        let mut fields = Map::new();
        fields.insert("scene".to_owned(), json!(file.name));
        let mut first = String::new();
        if let Some(stopped) = &stopped {
            fields.insert("first_impulse".to_owned(), impulse_json(stopped));
            first = impulse_prose(&file.setup.system()?, stopped);
        }
        Ok(Self {
            opening: opening + &first,
            fields,
            sketch: Sketch::new(&setup.mechanics),
            setup,
            problem,
            file,
        })
    }
}

/// The impulse that stops approaching bodies before forces are asked for.
fn impulse_prose(system: &System<Rational>, stopped: &Stopped) -> String {
    let contacts = || system.contacts.iter().enumerate();
    let approaching = contacts().filter(|(i, _)| stopped.before[*i] < 0);
    let approaching: Vec<_> = approaching
        .map(|(i, contact)| format!("{} at {} m/s", contact.name, number(&stopped.before[i])))
        .collect();
    let acting = contacts().filter(|(i, _)| stopped.impulse.contacts[*i][0] != 0);
    let acting: Vec<_> = acting
        .map(|(i, contact)| {
            let p = number(&stopped.impulse.contacts[i][0]);
            format!("{p} N s at {}", contact.name)
        })
        .collect();
    format!(
        "\nBodies approach, which no force can stop: {}. An impulse comes first, frictionless and without restitution: {} (Darwin2K; found after {}). What follows is after it.",
        list(&approaching),
        list(&acting),
        count(stopped.impulse.rounds, "linear system", "linear systems")
    )
}

fn impulse_json(stopped: &Stopped) -> Value {
    let numbers =
        |values: &[Rational]| -> Value { values.iter().map(ToString::to_string).collect() };
    let impulse = &stopped.impulse;
    let contacts: Vec<_> = impulse.contacts.iter().map(|p| numbers(p)).collect();
    json!({
        "normal_velocities": numbers(&stopped.before),
        "impulses": contacts,
        "joints": numbers(&impulse.joints),
        "velocity": numbers(&impulse.velocity),
        "rounds": impulse.rounds,
    })
}

/// The error, and the scenario that may have been meant.
pub fn unknown(name: &str, error: &ScenarioError) -> Fatal {
    let meant = did_you_mean(name, scenarios().iter().map(|scenario| scenario.name));
    Fatal::Usage(format!(
        "{error}; a scene of your own is a .json file{meant}"
    ))
}

/// The text of a scene file (`-` for standard input), one byte over the limit at most: enough to be refused.
pub fn read(name: &str) -> std::io::Result<String> {
    let limit = MAX_SCENE_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().take(limit).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(name)?
            .take(limit)
            .read_to_end(&mut bytes)?;
    }
    let is_cbor = is_cbor(&bytes);
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        std::io::Error::other(match is_cbor {
            true => "it is CBOR; a scene is JSON text (`etalon schema scene`)".to_owned(),
            false => format!("not UTF-8 text: byte {place} is no character"),
        })
    })
}
