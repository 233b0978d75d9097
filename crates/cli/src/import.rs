//! `etalon import`: problems in the files of other projects, as records.

use std::path::{Path, PathBuf};

use clap::Args;
use etalon_import::{from_fclib, from_matrix_market, from_siconos};
use etalon_lcp::Problem;
use etalon_lcp::record::write_problem;

use super::console::Console;
use super::{Ending, Fatal, Result};

/// Read problems in other projects' formats, and write each as a record.
///
/// Matrix Market: M and q in a file each (`.mtx`), named one after the other. Siconos: complementarity problems
/// and friction problems in the plane (`.dat`), with dense matrices by columns. FCLIB:
/// local and global contact problems in the plane (`.hdf5`). A problem that is not linear, such as one with circular cones in
/// space, is an error.
#[derive(Args)]
#[command(after_help = "\
Example: etalon import M.mtx q.mtx | etalon solve -
         etalon import lcp_exp_murty.dat > problem.jsonl
         etalon import contacts.hdf5 | etalon solve --method certified -")]
pub struct Import {
    /// The files: pairs of .mtx, .dat, and .hdf5
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Import {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let mut files = self.files.iter();
        while let Some(file) = files.next() {
            let problem = match kind(file)? {
                Kind::MatrixMarket => {
                    let q = files.next();
                    let q = q.ok_or_else(|| wrong(file, "its q.mtx is missing after it"))?;
                    matrix_market(file, q)?
                }
                Kind::Siconos => {
                    let read = from_siconos(&stem(file), &text(file)?);
                    read.map_err(|error| wrong(file, error))?
                }
                Kind::Fclib => {
                    let bytes = std::fs::read(file).map_err(|error| wrong(file, error))?;
                    let read = from_fclib(&stem(file), bytes);
                    read.map_err(|error| wrong(file, error))?
                }
            };
            console.line(write_problem(&problem))?;
        }
        Ok(Ending::Accepted)
    }
}

enum Kind {
    MatrixMarket,
    Siconos,
    Fclib,
}

fn kind(file: &Path) -> Result<Kind> {
    let extension = file
        .extension()
        .map(|extension| extension.to_string_lossy());
    match extension.as_deref() {
        Some("mtx") => Ok(Kind::MatrixMarket),
        Some("dat") => Ok(Kind::Siconos),
        Some("hdf5" | "h5") => Ok(Kind::Fclib),
        _ => Err(wrong(file, "only .mtx, .dat and .hdf5 are read")),
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
