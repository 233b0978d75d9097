//! Where verdicts go, and those that an earlier run has left there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use etalon_evidence::heading::Heading;
use etalon_lcp::VerdictKind;
use rug::Rational;
use serde::Deserialize;

use super::shard::{Key, KeyMap};
use crate::console::Console;
use crate::{Fatal, Result};

/// The verdicts of a run: on standard output, or in a file that a later run can take up.
pub struct Verdicts<'a> {
    console: &'a Console,
    /// Verdicts for standard output that wait for the end of their batch: a call of the system for each took a twentieth of the time.
    waiting: Vec<String>,
    file: Option<Output>,
    done: Arc<KeyMap<Done>>,
}

struct Output {
    name: String,
    writer: BufWriter<File>,
}

/// A verdict of an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub kind: VerdictKind,
    /// As the record has it, rounded up.
    pub error: Option<Rational>,
}

#[derive(Deserialize)]
struct Record {
    name: String,
    verdict: String,
    error: Option<serde_json::Value>,
}

impl<'a> Verdicts<'a> {
    /// To standard output.
    pub fn shown(console: &'a Console) -> Self {
        Self {
            console,
            waiting: Vec::new(),
            file: None,
            done: Arc::new(KeyMap::default()),
        }
    }

    /// To a file: a new one, or with `resume` one that an earlier run of the same heading began, whose
    /// last line may have been cut short.
    pub fn in_file(
        console: &'a Console,
        path: &Path,
        heading: &Heading,
        resume: bool,
    ) -> Result<Self> {
        let name = path.display().to_string();
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(!resume)
            .open(path);
        let fail = |error: io::Error| Fatal::Usage(format!("{name}: {error}"));
        let mut file = opened.map_err(fail)?;
        let (done, end) = earlier(&file, &name, heading)?;
        file.set_len(end).map_err(fail)?;
        file.seek(io::SeekFrom::Start(end)).map_err(fail)?;
        let mut writer = BufWriter::new(file);
        if end == 0 {
            // On its way at once: whatever becomes of the run, it can be taken up.
            let written = writeln!(writer, "{}", heading.line());
            written.and_then(|()| writer.flush()).map_err(fail)?;
        }
        Ok(Self {
            console,
            waiting: Vec::new(),
            file: Some(Output { name, writer }),
            done: Arc::new(done),
        })
    }

    /// The verdicts that an earlier run has left.
    pub fn earlier(&self) -> Arc<KeyMap<Done>> {
        Arc::clone(&self.done)
    }

    /// Adds a verdict.
    pub fn add(&mut self, mut line: String) -> Result<()> {
        match &mut self.file {
            None => {
                self.waiting.push(line);
                Ok(())
            }
            Some(output) => {
                line.push('\n');
                let written = output.writer.write_all(line.as_bytes());
                written.map_err(|error| output.failed(&error))
            }
        }
    }

    /// Brings all so far to where they belong.
    pub fn flush(&mut self) -> Result<()> {
        match &mut self.file {
            None if self.waiting.is_empty() => Ok(()),
            None => self
                .console
                .line(std::mem::take(&mut self.waiting).join("\n")),
            Some(output) => output.writer.flush().map_err(|e| output.failed(&e)),
        }
    }
}

impl Output {
    fn failed(&self, error: &io::Error) -> Fatal {
        Fatal::Usage(format!(
            "{}: {error}; with --resume, a later run takes up from here",
            self.name
        ))
    }
}

/// The verdicts that a file holds below the heading, and where the last whole line ends.
fn earlier(file: &File, name: &str, own: &Heading) -> Result<(KeyMap<Done>, u64)> {
    let mut reader = BufReader::new(file);
    let (mut done, mut end, mut line) = (KeyMap::default(), 0, Vec::new());
    for number in 1_u64.. {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let length = read.map_err(|error| Fatal::Usage(format!("{name}:{number}: {error}")))?;
        let wrong = |problem: &str| Fatal::Usage(format!("{name}:{number}: {problem}; {REMEDY}"));
        if !line.ends_with(b"\n") {
            // A line cut short is dropped. A first line that is no part of our heading belongs to another file.
            if number == 1 && !own.line().as_bytes().starts_with(&line) {
                return Err(wrong(NO_HEADING));
            }
            break;
        }
        end += length as u64;
        if number == 1 {
            check_heading(&line, own).map_err(|problem| wrong(&problem))?;
            continue;
        }
        let (key, verdict) = parse(&line).ok_or_else(|| wrong("not a verdict"))?;
        if done.insert(key, verdict).is_some() {
            return Err(wrong("a second verdict of one name"));
        }
    }
    Ok((done, end))
}

/// The remedy for a file that this run cannot continue.
const REMEDY: &str = "remove the file, or name another with --out";

const NO_HEADING: &str =
    "not the heading of a file of verdicts, so that their inputs are not known";

/// Whether the verdicts below a heading are those that this run would give.
fn check_heading(line: &[u8], own: &Heading) -> std::result::Result<(), String> {
    let Some(earlier) = Heading::read(line) else {
        return Err(NO_HEADING.to_owned());
    };
    match &own.differences(&earlier)[..] {
        [] => Ok(()),
        differences => Err(format!(
            "the verdicts are of another run: {}",
            differences.join("; ")
        )),
    }
}

fn parse(line: &[u8]) -> Option<(Key, Done)> {
    let record: Record = serde_json::from_slice(line).ok()?;
    let mut kinds = VerdictKind::ALL.into_iter();
    let done = Done {
        kind: kinds.find(|kind| kind.word() == record.verdict)?,
        error: record.error.as_ref().and_then(measure),
    };
    Some((Key::of(&record.name), done))
}

/// A measure beyond the range of binary64 is a string.
fn measure(value: &serde_json::Value) -> Option<Rational> {
    match value {
        serde_json::Value::String(text) => etalon_lcp::parse_rational(text).ok(),
        number => Rational::from_f64(number.as_f64()?),
    }
}
