//! Files of problems and of answers.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use etalon_benches::splitmix::Splitmix;
use etalon_conformance::generate;
use etalon_fast::FastMethod;
use etalon_lcp::record::{write_claim, write_claim_cbor, write_problem, write_problem_cbor};

/// Rows of a small problem: two contacts in space with friction pyramids of four directions.
pub const ROWS: usize = 12;

/// Entries in a row of the large problem.
const ENTRIES: usize = 10;

/// Problems and the answers to them.
pub struct Pair {
    /// The question.
    pub problems: PathBuf,
    /// What is answered.
    pub claims: PathBuf,
}

impl Pair {
    /// Of that name in that folder.
    pub fn new(folder: &Path, name: &str) -> Self {
        Self::with(folder, name, "jsonl")
    }

    /// The same in CBOR.
    pub fn in_cbor(folder: &Path, name: &str) -> Self {
        Self::with(folder, name, "cbor")
    }

    fn with(folder: &Path, name: &str, extension: &str) -> Self {
        Self {
            problems: folder.join(format!("{name}-problems.{extension}")),
            claims: folder.join(format!("{name}-claims.{extension}")),
        }
    }

    /// Both files, empty.
    pub fn create(&self) -> io::Result<(BufWriter<File>, BufWriter<File>)> {
        let create = |path| File::create(path).map(BufWriter::new);
        Ok((create(&self.problems)?, create(&self.claims)?))
    }
}

/// Friction problems, as the fast solver answers them, in JSON and in CBOR.
pub fn friction(json: &Pair, cbor: &Pair, records: u64) -> Result<(), Box<dyn Error>> {
    let (mut problems, mut claims) = json.create()?;
    let (mut problems_in_cbor, mut claims_in_cbor) = cbor.create()?;
    let solver = FastMethod::Auto.solver();
    for problem in generate("friction-four", ROWS, records, 1)? {
        let claim = solver.solve(&problem);
        writeln!(problems, "{}", write_problem(&problem))?;
        writeln!(claims, "{}", write_claim(&claim))?;
        problems_in_cbor.write_all(&write_problem_cbor(&problem))?;
        claims_in_cbor.write_all(&write_claim_cbor(&claim))?;
    }
    for file in [problems, claims, problems_in_cbor, claims_in_cbor] {
        file.into_inner()?;
    }
    Ok(())
}

/// One sparse problem, written around its answer: half of the rows active, full mantissas, q = w - Mz
/// rounded. Returns the number of nonzeros.
pub fn sparse(pair: &Pair, rows: usize) -> io::Result<u64> {
    let mut draw = Splitmix(1);
    let z: Vec<f64> = (0..rows)
        .map(|_| if draw.below(2) == 0 { draw.unit() } else { 0.0 })
        .collect();
    let (mut problems, mut claims) = pair.create()?;
    write!(
        problems,
        "{{\"name\":\"large\",\"M\":{{\"shape\":[{rows},{rows}],\"entries\":["
    )?;
    let (mut q, mut nonzeros) = (Vec::with_capacity(rows), 0);
    for i in 0..rows {
        let row = sparse_row(&mut draw, i, rows);
        nonzeros += row.len() as u64;
        let mut text = String::new();
        for (j, value) in &row {
            let comma = if text.is_empty() && i == 0 { "" } else { "," };
            // Writing to a String does not fail.
            let _ = write!(text, "{comma}[{i},{j},{value}]");
        }
        problems.write_all(text.as_bytes())?;
        let product: f64 = row.iter().map(|(j, value)| value * z[*j]).sum();
        let w = if z[i] > 0.0 { 0.0 } else { draw.unit() };
        q.push(w - product);
    }
    writeln!(problems, "]}},\"q\":{}}}", list(&q))?;
    writeln!(
        claims,
        "{{\"name\":\"large\",\"status\":\"solved\",\"z\":{}}}",
        list(&z)
    )?;
    problems.flush()?;
    claims.flush()?;
    Ok(nonzeros)
}

/// A diagonal entry and up to nine others anywhere, smaller together.
fn sparse_row(draw: &mut Splitmix, i: usize, n: usize) -> Vec<(usize, f64)> {
    let mut columns: Vec<usize> = (1..ENTRIES.min(n))
        .map(|_| draw.below(n as u64) as usize)
        .collect();
    columns.push(i);
    columns.sort_unstable();
    columns.dedup();
    let entry = |j| {
        let off = draw.unit() - 0.5;
        (j, if j == i { 10.0 + off } else { off })
    };
    columns.into_iter().map(entry).collect()
}

/// Numbers as JSON.
pub fn list(values: &[f64]) -> String {
    let values: Vec<_> = values.iter().map(f64::to_string).collect();
    format!("[{}]", values.join(","))
}
