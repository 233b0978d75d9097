//! Where verdicts go, and those that an earlier run has left there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use etalon_evidence::heading::Heading;
use etalon_lcp::VerdictKind;
use etalon_lcp::record::stream::InputError;
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
    /// Its heading and the verdicts below it, until the inputs are digested.
    begun: Option<(LateHeading, Vec<u8>)>,
}

/// A heading that another thread makes: to digest the inputs takes a twentieth of the time of a run.
pub type LateHeading = JoinHandle<std::result::Result<Heading, InputError>>;

/// So many bytes of verdicts wait for their heading at most. Chosen: as many as come in the time in which some gigabytes are digested.
const HELD: usize = 1 << 26;

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
        let fail = |error: io::Error| Fatal::Usage(format!("{name}: {error}"));
        let mut file = opened(path, resume).map_err(fail)?;
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
            file: Some(Output {
                name,
                writer,
                begun: None,
            }),
            done: Arc::new(done),
        })
    }

    /// To a new file whose heading comes later. A run that is killed before leaves an empty file.
    pub fn in_new_file(console: &'a Console, path: &Path, heading: LateHeading) -> Result<Self> {
        let name = path.display().to_string();
        let file = opened(path, false).map_err(|error| Fatal::Usage(format!("{name}: {error}")))?;
        let mut verdicts = Self::shown(console);
        verdicts.file = Some(Output {
            name,
            writer: BufWriter::new(file),
            begun: Some((heading, Vec::new())),
        });
        Ok(verdicts)
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
                output.add(line.as_bytes())
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
            Some(output) => output.flush(),
        }
    }

    /// The same at the end, when the heading is waited for.
    pub fn finish(&mut self) -> Result<()> {
        if let Some(output) = &mut self.file {
            output.begin()?;
        }
        self.flush()
    }
}

impl Output {
    fn add(&mut self, line: &[u8]) -> Result<()> {
        if let Some((heading, held)) = &mut self.begun {
            held.extend_from_slice(line);
            if held.len() < HELD && !heading.is_finished() {
                return Ok(());
            }
            return self.begin();
        }
        let written = self.writer.write_all(line);
        written.map_err(|error| self.failed(&error))
    }

    fn flush(&mut self) -> Result<()> {
        match &self.begun {
            Some((heading, _)) if !heading.is_finished() => return Ok(()),
            _ => self.begin()?,
        }
        self.writer.flush().map_err(|error| self.failed(&error))
    }

    /// Writes the heading, once it is there, and what waits for it.
    fn begin(&mut self) -> Result<()> {
        let Some((heading, held)) = self.begun.take() else {
            return Ok(());
        };
        let heading = heading
            .join()
            .unwrap_or_else(|panic| resume_unwind(panic))?;
        let written = writeln!(self.writer, "{}", heading.line());
        let written = written.and_then(|()| self.writer.write_all(&held));
        written.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Fatal {
        Fatal::Usage(format!(
            "{}: {error}; with --resume, a later run takes up from here",
            self.name
        ))
    }
}

fn opened(path: &Path, resume: bool) -> io::Result<File> {
    let mut how = OpenOptions::new();
    how.read(true).write(true).create(true).truncate(!resume);
    how.open(path)
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
