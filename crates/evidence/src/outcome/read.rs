//! Reading outcomes from files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use etalon_lcp::record::stream::is_cbor;
use serde_json::Value;

use super::{FieldError, Outcome};
use crate::heading::Heading;

/// The longest line: a verdict and a small problem have some kilobytes.
const MAX_LINE: u64 = 16 << 20;

/// Why outcomes cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomeError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// Nothing in it.
    #[error("{file}: there is no outcome in it; {REMEDY}")]
    Empty {
        /// The file.
        file: String,
    },
    /// The last line ends before its object does.
    #[error(
        "{file}:{line}: the last line is cut short; let the run that wrote it end, or remove the line"
    )]
    CutShort {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
    },
    /// A line that is no JSON object.
    #[error("{file}:{line}: no JSON object ({why}); {REMEDY}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// The parser's error.
        why: String,
    },
    /// A line that is no outcome.
    #[error("{file}:{line}: no outcome: {source}; {REMEDY}")]
    Field {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// The field.
        source: FieldError,
    },
}

/// Where lines of outcomes come from.
const REMEDY: &str = "outcomes are what `etalon diff --lines FILE`, `etalon scoreboard --lines FILE` and `etalon report --lines FILE` write";

/// All outcomes of a file; those that name no solver are of `solver`. Verdicts below a
/// [`Heading`], as `etalon check --out` writes it, are judged as it says.
///
/// # Errors
/// [`OutcomeError`] with the file, the line and the field.
pub fn read_outcomes(path: &Path, solver: &str) -> Result<Vec<Outcome>, OutcomeError> {
    let file = path.display().to_string();
    let io = |source| OutcomeError::Io {
        file: path.display().to_string(),
        source,
    };
    let mut reader = BufReader::new(File::open(path).map_err(io)?);
    let mut outcomes = Vec::new();
    let mut text = Vec::new();
    let mut heading = None;
    for line in 1_u64.. {
        text.clear();
        let mut limited = reader.by_ref().take(MAX_LINE);
        if limited.read_until(b'\n', &mut text).map_err(io)? == 0 {
            break;
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if let Some(found) = Heading::read(&text) {
            heading = Some(found);
            continue;
        }
        outcomes.push(outcome(&text, heading.as_ref(), solver, &file, line)?);
    }
    if outcomes.is_empty() {
        return Err(OutcomeError::Empty { file });
    }
    Ok(outcomes)
}

fn outcome(
    text: &[u8],
    heading: Option<&Heading>,
    solver: &str,
    file: &str,
    line: u64,
) -> Result<Outcome, OutcomeError> {
    let file = file.to_owned();
    let mut record = match serde_json::from_slice(text) {
        Ok(Value::Object(record)) => record,
        Ok(_) => {
            let why = "another kind of value".to_owned();
            return Err(OutcomeError::Line { file, line, why });
        }
        Err(error) if error.is_eof() && !text.ends_with(b"\n") && text.starts_with(b"{") => {
            return Err(OutcomeError::CutShort { file, line });
        }
        Err(error) => {
            let why = match is_cbor(text) {
                true => "it is CBOR".to_owned(),
                false => error.to_string(),
            };
            return Err(OutcomeError::Line { file, line, why });
        }
    };
    if let Some(heading) = heading {
        heading.complete(&mut record);
    }
    Outcome::new(record, solver).map_err(|source| OutcomeError::Field { file, line, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(content: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("o.jsonl");
        std::fs::write(&file, content).unwrap();
        let error = read_outcomes(&file, "s").unwrap_err().to_string();
        error.rsplit('/').next().unwrap().to_owned() + &error
    }

    #[test]
    fn bad_files_are_refused_with_their_place_and_a_remedy() {
        let good = r#"{"name": "p", "verdict": "exact"}"#;
        for (content, expected) in [
            (String::new(), "there is no outcome in it"),
            (
                format!("{good}\n{}", &good[..20]),
                "o.jsonl:2: the last line is cut short",
            ),
            (format!("{good}\n\n[1]\n"), "o.jsonl:3: no JSON object"),
            ("M,q\n1,2\n".to_owned(), "o.jsonl:1: no JSON object"),
            (
                "{\"M\": [[1]]}\n".to_owned(),
                "the field \"verdict\" is missing",
            ),
            ("\u{0}\u{1}".to_owned(), "o.jsonl:1: no JSON object"),
        ] {
            let error = error(content.as_bytes());
            assert!(error.contains(expected), "{error}");
        }
        assert!(error(b"{\"name\": 1}\n").contains("etalon diff --lines"));
        let none = read_outcomes(Path::new("/nowhere/o.jsonl"), "s").unwrap_err();
        assert!(
            none.to_string()
                .contains("/nowhere/o.jsonl: cannot be read")
        );
    }

    #[test]
    fn verdicts_below_a_heading_are_judged_as_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("v.jsonl");
        let heading = r#"{"format":"etalon-verdicts/1","etalon":"0.0.9","inputs":{},"options":{"tol":"1/10","prove":true,"accept_perturbed":true}}"#;
        let verdict = r#"{"name": "a", "verdict": "perturbed"}"#;
        std::fs::write(&file, format!("{heading}\n{verdict}\n")).unwrap();
        let read = read_outcomes(&file, "s").unwrap();
        assert_eq!(read.len(), 1);
        assert!(read[0].passed);
        let judged = read[0].judged.as_ref().unwrap();
        assert_eq!(
            (&judged["etalon"], &judged["tol"]),
            (&"0.0.9".into(), &"1/10".into())
        );
        assert!(judged.get("prove").is_none(), "{judged:?}");
        // Nothing but a heading is no outcome.
        std::fs::write(&file, format!("{heading}\n")).unwrap();
        let none = read_outcomes(&file, "s").unwrap_err().to_string();
        assert!(none.contains("no outcome in it"), "{none}");
    }

    #[test]
    fn every_line_is_an_outcome() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("o.jsonl");
        let lines = "{\"name\": \"a\", \"verdict\": \"exact\"}\n{\"name\": \"b\", \"verdict\": \"failed\", \"solver\": \"t\"}";
        std::fs::write(&file, lines).unwrap();
        let read = read_outcomes(&file, "s").unwrap();
        let solvers: Vec<_> = read.iter().map(|outcome| &*outcome.solver).collect();
        assert_eq!(solvers, ["s", "t"]);
    }
}
