//! `etalon import`: problems in the files of other projects, as records.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use etalon_import::{Contacts, from_contactbench, from_fclib, from_matrix_market, from_siconos};
use etalon_lcp::{Law, Problem};

use super::console::Console;
use super::written::RecordArgs;
use super::{Ending, Fatal, Result};

/// Read problems in other projects' formats, and write each as a record.
///
/// Matrix Market: M and q in a file each (`.mtx`), named one after the other. Siconos: complementarity problems
/// and contact problems with friction, local, global and rolling (`.dat`), with dense matrices by columns, sparse blocks or
/// CSparse's columns and triplets. FCLIB: the same kinds of contact problems (`.hdf5`). ContactBench: contact problems in
/// space (`.npz`). Contacts in space become friction cones, normal row first. Contacts in the plane become rows of
/// `friction`, which are linear problems, or with --cones discs of one row. Answers that a file holds are not read.
#[derive(Args)]
#[command(after_help = "\
Example: etalon import M.mtx q.mtx | etalon solve -
         etalon import lcp_exp_murty.dat > problem.jsonl
         etalon import contacts.hdf5 | etalon solve --method certified -
         etalon import --law convex sliding_cube.npz")]
pub struct Import {
    /// The files: pairs of .mtx, .dat, .hdf5, and .npz
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The law of friction cones
    #[arg(long, value_name = "LAW", default_value = "coulomb", value_parser = law())]
    law: Law,

    /// State contacts in the plane as friction cones, too (the convex law always does)
    #[arg(long)]
    cones: bool,

    #[command(flatten)]
    records: RecordArgs,
}

/// A word of a law.
fn law() -> impl TypedValueParser<Value = Law> {
    let words = PossibleValuesParser::new(Law::ALL.map(Law::word));
    words.map(|word| {
        Law::ALL
            .into_iter()
            .find(|law| law.word() == word)
            .unwrap_or_default()
    })
}

impl Import {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        self.records.check()?;
        let contacts = Contacts {
            law: self.law,
            cones_in_plane: self.cones,
        };
        let mut files = self.files.iter();
        while let Some(file) = files.next() {
            let problem = match kind(file)? {
                Kind::MatrixMarket => {
                    let q = files.next();
                    let q = q.ok_or_else(|| wrong(file, "its q.mtx is missing after it"))?;
                    matrix_market(file, q)?
                }
                Kind::Siconos => {
                    let read = from_siconos(&stem(file), &text(file)?, contacts);
                    read.map_err(|error| wrong(file, error))?
                }
                Kind::Fclib => {
                    let bytes = std::fs::read(file).map_err(|error| wrong(file, error))?;
                    let read = from_fclib(&stem(file), bytes, contacts);
                    read.map_err(|error| wrong(file, error))?
                }
                Kind::ContactBench => {
                    let bytes = std::fs::read(file).map_err(|error| wrong(file, error))?;
                    let read = from_contactbench(&stem(file), &bytes, contacts);
                    read.map_err(|error| wrong(file, error))?
                }
            };
            self.records.problem(&problem, console)?;
        }
        Ok(Ending::Accepted)
    }
}

enum Kind {
    MatrixMarket,
    Siconos,
    Fclib,
    ContactBench,
}

fn kind(file: &Path) -> Result<Kind> {
    let extension = file
        .extension()
        .map(|extension| extension.to_string_lossy());
    match extension.as_deref() {
        Some("mtx") => Ok(Kind::MatrixMarket),
        Some("dat") => Ok(Kind::Siconos),
        Some("hdf5" | "h5") => Ok(Kind::Fclib),
        Some("npz") => Ok(Kind::ContactBench),
        _ => Err(wrong(file, "only .mtx, .dat, .hdf5 and .npz are read")),
    }
}

fn matrix_market(m: &Path, q: &Path) -> Result<Problem> {
    let read = from_matrix_market(&stem(m), &text(m)?, &text(q)?);
    read.map_err(|error| wrong(m, format!("with {}: {error}", q.display())))
}

fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    stem.to_string_lossy().into_owned()
}

fn text(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).map_err(|error| wrong(file, error))
}

fn wrong(file: &Path, why: impl std::fmt::Display) -> Fatal {
    Fatal::Usage(format!("{}: {why}", file.display()))
}
