//! What is run: a scenario with its settings, or a scene of the user's own.

use std::io::Read;
use std::path::Path;

use etalon_lcp::{Problem, Remarks};
use etalon_scenarios::{
    Instance, MAX_SCENE_BYTES, ScenarioError, SceneFile, Setup, find, read_scene, scenarios,
};
use serde_json::{Map, Value, json};

use super::show::{list, number};
use super::usage;
use crate::cli::{Fatal, Result};

/// A scene with what is said of it.
pub struct Subject {
    /// Name and description with parameters, for people.
    pub opening: String,
    /// The same as fields, for programs.
    pub fields: Map<String, Value>,
    /// The scene and the question.
    pub setup: Setup,
    /// The exact complementarity problem.
    pub problem: Problem,
    /// The scene as a file.
    pub file: SceneFile,
}

impl Subject {
    /// Finds the scenario of that name, or reads the scene in that file (`-` for standard input).
    pub fn find(name: &str, settings: &[(String, String)]) -> Result<Self> {
        let named = scenarios().iter().any(|scenario| scenario.name == name);
        let is_file = name == "-" || name.ends_with(".json") || Path::new(name).is_file();
        if named || !is_file {
            let settings = settings.iter().map(|(key, value)| (&**key, &**value));
            let scenario = find(name).map_err(unknown)?;
            return Self::of_instance(&scenario.instance(settings).map_err(usage)?);
        }
        if let Some((key, _)) = settings.first() {
            return Err(Fatal::Usage(format!(
                "{name} is a scene of its own: it has no parameter {key:?} to set"
            )));
        }
        let wrong = |why: String| Fatal::Usage(format!("{name}: {why}"));
        let text = read(name).map_err(|error| wrong(error.to_string()))?;
        let file = read_scene(&text).map_err(|error| wrong(error.to_string()))?;
        Self::of_file(file).map_err(|error| wrong(error.to_string()))
    }

    fn of_instance(instance: &Instance) -> Result<Self> {
        let scenario = &instance.scenario;
        let values = scenario.parameters.iter().map(|parameter| {
            let value = number(&instance.values.get(parameter.name));
            let text = format!("{} = {value} {}", parameter.name, parameter.unit);
            text.trim_end().to_owned()
        });
        let parameters: Map<_, _> = instance
            .values
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_string().into()))
            .collect();
        let fields = [
            ("scenario", scenario.name.into()),
            ("parameters", parameters.into()),
        ];
        Ok(Self {
            opening: format!(
                "{}: {}.\n{}",
                scenario.name,
                scenario.description,
                list(&values.collect::<Vec<_>>())
            ),
            fields: fields
                .into_iter()
                .map(|(name, value): (&str, serde_json::Value)| (name.to_owned(), value))
                .collect(),
            problem: instance.problem().map_err(usage)?,
            setup: instance.setup.clone(),
            file: SceneFile {
                name: instance.name(),
                notes: Some(scenario.description.to_owned()),
                setup: instance.setup.clone(),
            },
        })
    }

    fn of_file(file: SceneFile) -> std::result::Result<Self, etalon_contact_forces::ForceError> {
        let mut problem = file.setup.problem(&file.name)?;
        problem.remarks = Remarks {
            tags: vec!["scene".to_owned()],
            notes: file.notes.clone(),
            ..Remarks::default()
        };
        let opening = match &file.notes {
            Some(notes) => format!("{}: {}.", file.name, notes.trim_end_matches('.')),
            None => format!("{}.", file.name),
        };
        let fields = [("scene".to_owned(), json!(file.name))];
        Ok(Self {
            opening,
            fields: fields.into_iter().collect(),
            setup: file.setup.clone(),
            problem,
            file,
        })
    }
}

fn unknown(error: ScenarioError) -> Fatal {
    Fatal::Usage(format!("{error}; a scene of your own is a .json file"))
}

fn read(name: &str) -> std::io::Result<String> {
    // One byte over the limit is enough to be refused.
    let limit = MAX_SCENE_BYTES as u64 + 1;
    let mut text = String::new();
    if name == "-" {
        std::io::stdin().take(limit).read_to_string(&mut text)?;
    } else {
        std::fs::File::open(name)?
            .take(limit)
            .read_to_string(&mut text)?;
    }
    Ok(text)
}
