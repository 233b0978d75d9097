//! What a command writes: results on standard output, words for people on standard error.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anstyle::{AnsiColor, Style};

use super::{Fatal, Result};

/// The two outputs.
pub struct Console {
    /// Whether to keep quiet about everything but results and errors.
    pub quiet: bool,
    /// Whether tables are wanted as JSON.
    pub json: bool,
    closed: Cell<bool>,
}

impl Console {
    pub fn new(quiet: bool, json: bool) -> Self {
        let closed = Cell::new(false);
        Self {
            quiet,
            json,
            closed,
        }
    }

    /// Writes one line of results, flushed. When the reader has gone, the line is dropped.
    pub fn line(&self, line: impl Display) -> Result<()> {
        if self.closed.get() {
            return Ok(());
        }
        let mut stdout = anstream::stdout().lock();
        let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed.set(true);
                Ok(())
            }
            other => other.map_err(Fatal::Output),
        }
    }

    /// Whether nobody reads the results any more (as after `| head`).
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
            to_stderr(format_args!("{note}\n"));
        }
    }

    fn say(&self, word: &str, color: AnsiColor, what: &dyn Display) {
        let style = bold(color);
        to_stderr(format_args!("{style}{word}:{style:#} {what}\n"));
    }
}

/// Colours only reach terminals, and not where NO_COLOR asks for none.
fn to_stderr(text: std::fmt::Arguments<'_>) {
    // Nobody is left to tell when standard error fails.
    let _ = io::Write::write_fmt(&mut anstream::stderr().lock(), text);
}

/// Bold in that colour.
pub fn bold(color: AnsiColor) -> Style {
    color.on_default().bold()
}
