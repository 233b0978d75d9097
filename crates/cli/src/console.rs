//! The output of a command: results on standard output, messages for people on standard error.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::ops::Range;

use anstyle::AnsiColor;
use etalon_evidence::table::Table;
use indicatif::{ProgressBar, ProgressStyle};

use super::colours::bold;
use super::{Fatal, Result};

/// The two outputs.
pub struct Console {
    /// Whether to keep quiet about everything but results and errors.
    pub quiet: bool,
    /// Whether tables are wanted as JSON.
    pub json: bool,
    closed: Cell<bool>,
    bar: RefCell<ProgressBar>,
}

impl Console {
    pub fn new(quiet: bool, json: bool) -> Self {
        Self {
            quiet,
            json,
            closed: Cell::new(false),
            bar: RefCell::new(ProgressBar::hidden()),
        }
    }

    /// A progress bar on standard error, hidden where that is no terminal.
    pub fn bar(&self, length: Option<usize>) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        let (bar, template) = match length {
            Some(length) => (
                ProgressBar::new(length as u64),
                "{wide_bar} {pos}/{len} ({eta} left)",
            ),
            None => (ProgressBar::no_length(), "{spinner} {pos} ({elapsed})"),
        };
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }

    /// Shows the progress of a command that writes results on the way; not when those go to the
    /// same terminal.
    pub fn watch(&self, length: Option<usize>) {
        if !io::stdout().is_terminal() {
            self.bar.replace(self.bar(length));
        }
    }

    /// One more is done of what is watched.
    pub fn done(&self) {
        self.bar.borrow().inc(1);
    }

    /// All is done of what is watched.
    pub fn end_watch(&self) {
        self.bar.borrow().finish_and_clear();
    }

    /// Whether results are read by people as they come: on a terminal, where no JSON is asked for.
    pub fn is_read(&self) -> bool {
        !self.json && io::stdout().is_terminal()
    }

    /// Writes one line of results, flushed. When the reader has gone, the line is dropped.
    pub fn line(&self, line: impl Display) -> Result<()> {
        if self.closed.get() {
            return Ok(());
        }
        let mut stdout = anstream::stdout().lock();
        self.written(writeln!(stdout, "{line}").and_then(|()| stdout.flush()))
    }

    /// Writes bytes of results, flushed. When the reader has gone, they are dropped.
    pub fn bytes(&self, bytes: &[u8]) -> Result<()> {
        if self.closed.get() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        self.written(stdout.write_all(bytes).and_then(|()| stdout.flush()))
    }

    /// Notes whether the reader has gone.
    fn written(&self, written: io::Result<()>) -> Result<()> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed.set(true);
                Ok(())
            }
            other => other.map_err(Fatal::Output),
        }
    }

    /// Whether the reader of the results has gone (as after `| head`).
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Reports an error.
    pub fn error(&self, error: impl Display) {
        self.say("error", AnsiColor::Red, &error);
    }

    /// Warns, unless quiet.
    pub fn warning(&self, warning: impl Display) {
        if !self.quiet {
            self.say("warning", AnsiColor::Yellow, &warning);
        }
    }

    /// Adds a line for people, unless quiet.
    pub fn note(&self, note: impl Display) {
        if !self.quiet {
            self.to_stderr(format_args!("{note}\n"));
        }
    }

    fn say(&self, word: &str, color: AnsiColor, what: &dyn Display) {
        let style = bold(color);
        self.to_stderr(format_args!("{style}{word}:{style:#} {what}\n"));
    }

    /// Colours only reach terminals, and not where NO_COLOR asks for none.
    fn to_stderr(&self, text: std::fmt::Arguments<'_>) {
        self.bar.borrow().suspend(|| {
            // When standard error fails, there is no place left for a message.
            let _ = anstream::stderr().lock().write_fmt(text);
        });
    }
}

/// The width of tables where standard output is no terminal, in characters.
const WIDTH: usize = 80;

/// Terminals that are narrower break the lines of tables themselves.
const NARROWEST: usize = 40;

/// The characters of a line on standard output.
pub fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WIDTH, |(width, _)| usize::from(width.0).max(NARROWEST))
}

/// A table that fits the lines of standard output, the columns of `numbers` to the right.
pub fn table(
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    Table::new(header, numbers, rows).to_text(width())
}

/// As [`table`], its numbers counts: those columns that are all 0 are left out.
pub fn count_table(
    header: &[&str],
    numbers: Range<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let table = Table::new(header, numbers.clone(), rows).counts(numbers);
    table.to_text(width())
}
