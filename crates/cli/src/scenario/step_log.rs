//! Etalon's own motions as logs of an engine, for `etalon step check`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use etalon_engines::step::{
    Engine, EngineAnswer, EngineStep, Form, Generalised, Precision, Quantity, Set, Sparse,
};
use etalon_engines::write_step;
use etalon_lcp::Number;
use etalon_scenarios::motion::{StepMechanics, StepRecord};

use super::usage;
use crate::{Fatal, Result};

/// A log that grows step by step.
pub struct StepLog {
    file: BufWriter<File>,
    scene: String,
    precision: Precision,
    count: u64,
}

impl StepLog {
    pub fn create(path: &Path, scene: &str) -> Result<Self> {
        let file =
            File::create(path).map_err(|error| usage(format!("{}: {error}", path.display())))?;
        Ok(Self {
            file: BufWriter::new(file),
            scene: scene.to_owned(),
            precision: Precision::F64,
            count: 0,
        })
    }

    /// Adds a step.
    pub fn add(&mut self, record: &StepRecord) -> Result<()> {
        self.count += 1;
        let mechanics = record.mechanics.as_ref().ok_or_else(|| {
            usage(format!(
                "step {} of {}: a step log takes contacts of the plane, with one direction of friction or none, and no friction of joints",
                self.count, self.scene
            ))
        })?;
        let step = self.step(mechanics);
        writeln!(self.file, "{}", write_step(&step)).map_err(Fatal::Output)
    }

    pub fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(Fatal::Output)
    }

    fn step(&self, own: &StepMechanics) -> EngineStep {
        let h = own.h.to_rational();
        let per_time = |impulse: &Number| Number::from(impulse.to_rational() / &h);
        let nv = own.before.len();
        let (mut rows, mut force, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        for contact in &own.contacts {
            let first = rows.len();
            rows.push(contact.normal.clone());
            force.push(per_time(&contact.normal_impulse));
            let slides = contact.tangent.as_ref().filter(|_| contact.mu.signum() > 0);
            match slides {
                None => sets.push(Set::Nonnegative(first)),
                Some(tangent) => {
                    rows.push(tangent.clone());
                    force.push(per_time(&contact.friction));
                    sets.push(Set::Cone(first, vec![contact.mu.clone()]));
                }
            }
        }
        let form = Generalised {
            m: Sparse {
                columns: nv,
                rows: own.mass.clone(),
            },
            force: own.impulse.iter().map(per_time).collect(),
            j: Sparse { columns: nv, rows },
            r: None,
            target: None,
            sets,
            quantity: Quantity::Acceleration,
            answer: Some(EngineAnswer {
                motion: None,
                force: Some(force),
                iterations: None,
                iteration_limit: None,
                stop_gap: None,
            }),
            v0: Some(own.before.clone()),
            v1: Some(own.after.clone()),
        };
        EngineStep {
            name: format!("{}/{}", self.scene, self.count),
            follows: None,
            source: Some("etalon scenario run".to_owned()),
            engine: engine(),
            precision: self.precision,
            declared_error: None,
            h: own.h.clone(),
            substeps: 1,
            when: None,
            law: None,
            model: None,
            not_judged: None,
            replay: None,
            form: Form::Generalised(Box::new(form)),
        }
    }
}

fn engine() -> Engine {
    Engine {
        name: Some("etalon-time-stepping".to_owned()),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        settings: None,
    }
}
