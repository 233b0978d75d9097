//! Etalon's own motions as logs of an engine, for `etalon step check`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use etalon_engines::step::{
    Engine, EngineAnswer, EngineStep, Form, Generalised, Precision, Quantity, Set, Sparse,
};
use etalon_engines::write_step;
use etalon_lcp::Number;
use etalon_planar::Piece;
use etalon_scenarios::motion::{
    ContactMechanics, ForceRow, FrictionMechanics, SparseRow, StepMechanics, StepRecord,
};

use super::piece_log::PieceScene;
use super::usage;
use crate::{Fatal, Result};

/// The phases of an impact by Poisson's law, as the names of their records end.
const PHASES: [&str; 2] = [" compression", " decompression"];

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
        let phases = match record.mechanics.len() {
            0 => {
                return Err(usage(format!(
                    "step {} of {}: a step log takes steps that are linear in the motion; those with implicit surfaces are not, those at obstacles that move have no masses, and a log has no friction of a joint in several directions",
                    self.count, self.scene
                )));
            }
            1 => [""].iter(),
            _ => PHASES.iter(),
        };
        for (mechanics, phase) in record.mechanics.iter().zip(phases) {
            let mut step = self.step(mechanics);
            step.name += phase;
            writeln!(self.file, "{}", write_step(&step)).map_err(Fatal::Output)?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(Fatal::Output)
    }

    fn step(&self, own: &StepMechanics) -> EngineStep {
        let rows = Rows::of(own);
        let h = own.h.to_rational();
        let per_time = |impulse: &Number| Number::from(impulse.to_rational() / &h);
        let nv = own.before.len();
        let form = Generalised {
            m: Sparse {
                columns: nv,
                rows: own.mass.clone(),
            },
            force: own.impulse.iter().map(per_time).collect(),
            j: Sparse {
                columns: nv,
                rows: rows.rows,
            },
            r: None,
            target: rows.targets.into_iter().collect(),
            sets: rows.sets,
            quantity: Quantity::Acceleration,
            answer: Some(EngineAnswer {
                motion: None,
                force: Some(rows.impulses.iter().map(per_time).collect()),
                iterations: None,
                iteration_limit: None,
                stop_gap: None,
            }),
            v0: Some(own.before.clone()),
            v1: Some(own.after.clone()),
        };
        EngineStep {
            h: own.h.clone(),
            form: Form::Generalised(Box::new(form)),
            ..self.blank("etalon-time-stepping")
        }
    }

    /// Adds a piece of a step of the planar engine, if it moves anything.
    pub fn add_piece(&mut self, scene: &PieceScene, piece: &Piece) -> std::io::Result<()> {
        self.count += 1;
        match scene.step(self.blank("etalon-planar"), piece) {
            Some(step) => writeln!(self.file, "{}", write_step(&step)),
            None => Ok(()),
        }
    }

    /// The next step without its data.
    fn blank(&self, engine: &str) -> EngineStep {
        EngineStep {
            name: format!("{}/{}", self.scene, self.count),
            follows: None,
            source: Some("etalon scenario run".to_owned()),
            engine: Engine {
                name: Some(engine.to_owned()),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
                settings: None,
            },
            precision: self.precision,
            declared_error: None,
            h: Number::from(1),
            substeps: 1,
            when: None,
            law: None,
            model: None,
            not_judged: None,
            replay: None,
            form: Form::Bodies(Box::default()),
        }
    }
}

/// The rows of a record, with their impulses, targets and sets. One target that is not known leaves all of them out.
#[derive(Default)]
struct Rows {
    rows: Vec<SparseRow>,
    impulses: Vec<Number>,
    targets: Vec<Option<Number>>,
    sets: Vec<Set>,
}

impl Rows {
    fn of(own: &StepMechanics) -> Self {
        let mut all = Self::default();
        for joint in &own.joints {
            let row = all.add_force(joint);
            all.sets.push(Set::Equality(row));
        }
        for bounded in &own.bounded {
            let row = all.add_force(&bounded.force);
            all.sets.push(Set::Box(row, bounded.bound.clone()));
        }
        for contact in &own.contacts {
            all.add_contact(contact);
        }
        all
    }

    fn add(&mut self, row: &SparseRow, impulse: &Number, target: Option<Number>) -> usize {
        self.rows.push(row.clone());
        self.impulses.push(impulse.clone());
        self.targets.push(target);
        self.rows.len() - 1
    }

    fn add_force(&mut self, own: &ForceRow) -> usize {
        self.add(&own.row, &own.impulse, own.target.clone())
    }

    /// Of friction the target is rest.
    fn add_friction<'a>(
        &mut self,
        rows: impl IntoIterator<Item = (&'a SparseRow, &'a Number)>,
    ) -> std::ops::Range<usize> {
        let first = self.rows.len();
        for (row, impulse) in rows {
            self.add(row, impulse, Some(Number::from(0)));
        }
        first..self.rows.len()
    }

    /// The rows of sliding friction in a circle follow their normal row, all others stand for themselves.
    fn add_contact(&mut self, contact: &ContactMechanics) {
        let normal = self.add_force(&contact.normal);
        let mut set = Set::Nonnegative(normal);
        for friction in &contact.friction {
            let round = match friction {
                FrictionMechanics::Pyramid { weights, mu } => {
                    let rows = self.add_friction(weights.iter().map(|(row, own)| (row, own)));
                    self.sets.push(Set::Pyramid(rows, mu.clone(), normal));
                    continue;
                }
                FrictionMechanics::Line(row, mu, impulse) => vec![(row, mu, impulse)],
                FrictionMechanics::Round(rows) => {
                    rows.iter().map(|(row, mu, own)| (row, mu, own)).collect()
                }
            };
            // A row without friction has no impulse, and the sets have coefficients above 0.
            let rough = round.into_iter().filter(|(_, mu, _)| mu.signum() > 0);
            let rough: Vec<_> = rough.collect();
            let mu: Vec<Number> = rough.iter().map(|(_, mu, _)| (*mu).clone()).collect();
            let rows = self.add_friction(rough.into_iter().map(|(row, _, own)| (row, own)));
            if rows.is_empty() {
                continue;
            }
            if rows.start == normal + 1 {
                set = Set::Cone(normal, mu);
            } else {
                self.sets.push(Set::Turning(rows.start, mu, normal));
            }
        }
        self.sets.push(set);
    }
}
