//! Finished blocks of a run, a file each: a line that says what it is, then the histogram.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use etalon_benches::atlas::grid::Grid;
use etalon_benches::atlas::survey::{Ask, Survey};
use etalon_benches::atlas::tally::{BadLine, Tally, digest};

/// Matrices of one block: some seconds.
const MATRICES: u64 = 3125;

/// The first words of a file. The number is raised when what a block holds changes.
const KIND: &str = "atlas block 1";

/// A range of matrices of a grid.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    grid: Grid,
    index: u64,
}

impl Block {
    /// All of a grid, in an order that is spread over it: the first ones are a sample.
    pub fn all(grid: Grid) -> impl Iterator<Item = Self> {
        let count = grid.matrices().div_ceil(MATRICES);
        // A prime that divides no number of blocks.
        (0..count).map(move |k| Self {
            grid,
            index: k * 389 % count,
        })
    }

    fn matrices(&self) -> std::ops::Range<u64> {
        let end = (self.index + 1) * MATRICES;
        self.index * MATRICES..end.min(self.grid.matrices())
    }
}

/// A finished block.
#[derive(Debug, Clone)]
pub struct Finished {
    /// What was counted.
    pub tally: Tally,
    /// Problems that the solvers of `etalon-exact` were asked.
    pub asked: u64,
    /// Processor time, in milliseconds.
    pub milliseconds: u64,
}

/// The folder of finished blocks.
#[derive(Debug)]
pub struct Folder(PathBuf);

/// What is wrong with a folder or a file.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// Not read or written.
    #[error("{path}: {error}")]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
    /// Not what a run has written.
    #[error("{path} is damaged ({why}): delete it, and the block runs anew")]
    Damaged { path: PathBuf, why: String },
}

impl Folder {
    /// Makes it where it is missing.
    pub fn new(path: &Path) -> Result<Self, BlockError> {
        let folder = Self(path.to_owned());
        std::fs::create_dir_all(path).map_err(|error| file(path, error))?;
        Ok(folder)
    }

    fn path(&self, block: &Block) -> PathBuf {
        let Grid { n, bound } = block.grid;
        self.0.join(format!("{n}-{bound}-{:04}.tsv", block.index))
    }

    /// The block, if it is finished with at least as many questions.
    pub fn read(&self, block: &Block, ask: Ask) -> Result<Option<Finished>, BlockError> {
        let path = self.path(block);
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| file(&path, error))?;
        let (known, finished) =
            parse(&text, block).map_err(|why| BlockError::Damaged { path, why })?;
        Ok((known >= ask).then_some(finished))
    }

    /// Runs a block and keeps it if the engines agree. Returns where they differ.
    pub fn run(&self, block: &Block, ask: Ask) -> Result<Vec<String>, BlockError> {
        let start = ThreadTime::now();
        let survey = Survey::block(block.grid, block.matrices(), ask);
        if !survey.differ.is_empty() {
            return Ok(survey.differ);
        }
        let text = survey.tally.text();
        let head = Head {
            block: *block,
            ask,
            asked: survey.asked,
            milliseconds: start.elapsed().as_millis() as u64,
        };
        let path = self.path(block);
        let new = path.with_extension("new");
        let text = format!("{}\n{text}", head.line(&text));
        std::fs::write(&new, text).map_err(|error| file(&new, error))?;
        std::fs::rename(&new, &path).map_err(|error| file(&path, error))?;
        Ok(Vec::new())
    }
}

fn file(path: &Path, error: std::io::Error) -> BlockError {
    let path = path.to_owned();
    BlockError::File { path, error }
}

struct Head {
    block: Block,
    ask: Ask,
    asked: u64,
    milliseconds: u64,
}

impl Head {
    fn line(&self, text: &str) -> String {
        let Block { grid, index } = self.block;
        let digest = digest(text);
        let (ask, asked, time) = (self.ask, self.asked, self.milliseconds);
        format!(
            "{KIND}\tgrid={grid}\tindex={index}\task={ask}\tasked={asked}\tms={time}\tsha256={digest}"
        )
    }
}

fn parse(text: &str, block: &Block) -> Result<(Ask, Finished), String> {
    let (head, rest) = text.split_once('\n').ok_or("it has no first line")?;
    let mut words = head.split('\t');
    if words.next() != Some(KIND) {
        return Err(format!("its first line does not start with {KIND:?}"));
    }
    let words: BTreeMap<&str, &str> = words.filter_map(|word| word.split_once('=')).collect();
    let word = |name: &str| words.get(name).copied().ok_or(format!("it has no {name}"));
    let number = |name: &str| {
        word(name)?
            .parse::<u64>()
            .map_err(|_| format!("{name} is no number"))
    };
    let is_own = word("grid")? == block.grid.to_string() && number("index")? == block.index;
    if !is_own {
        return Err("it is another block".to_owned());
    }
    if word("sha256")? != digest(rest) {
        return Err("its digest is another".to_owned());
    }
    let ask = clap::ValueEnum::from_str(word("ask")?, false)?;
    let finished = Finished {
        tally: rest.parse().map_err(|error: BadLine| error.to_string())?,
        asked: number("asked")?,
        milliseconds: number("ms")?,
    };
    Ok((ask, finished))
}
