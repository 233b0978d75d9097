//! The kinds of files that hold motions.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use etalon_engines::motion::{Breach, MotionTable, StepLog, examine};
use etalon_engines::{STEP_FORMAT, StepJudge, Word, judge_step, read_step};
use etalon_golden::Trajectory;
use etalon_golden::trajectory::FORMAT;
use etalon_lcp::record::stream::{Located, Records, Texts, is_cbor};
use etalon_replay::judged::{MotionPrecision, judge_motion};
use rug::Rational;
use serde_json::Value;

use super::report::{Finding, Report, What};

/// So much of a file is looked at to tell what it is.
const PEEKED: usize = 1 << 16;

/// What is asked of files.
pub struct Asked {
    /// The text of the map of a table.
    pub map: Option<String>,
    /// The precision of the numbers of trajectories.
    pub precision: Option<MotionPrecision>,
    /// The declared error of the solver.
    pub tol: Rational,
}

/// Judges a file, whatever it holds.
///
/// # Errors
/// What is wrong with the file, and what to do.
pub fn judge(path: &Path, asked: &Asked) -> Result<Report, String> {
    let file = path.display().to_string();
    let told = |why: &dyn Display| format!("{file}: {why}");
    let input: Box<dyn Read + Send> = if file == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| told(&error))?)
    };
    let mut input = BufReader::with_capacity(PEEKED, input);
    let start = input.fill_buf().map_err(|error| told(&error))?;
    let is_empty = start.iter().all(u8::is_ascii_whitespace);
    let (is_json, in_cbor, kind) = (is_json(start), is_cbor(start), format_of(start));
    let report = match (kind.as_deref(), &asked.map) {
        (Some(FORMAT), _) => of_trajectory(input, &file, asked),
        (Some(STEP_FORMAT), _) => of_log(Texts::new(&file, Box::new(input)), &asked.tol),
        // Of what holds motions only steps are written so.
        _ if in_cbor => of_log(Texts::new(&file, Box::new(input)), &asked.tol),
        (Some(other), _) => Err(told(&format_args!(
            "the format is {other:?}; a motion is {FORMAT:?}, {STEP_FORMAT:?}, or a table in CSV with --map"
        ))),
        (None, _) if is_json => Err(told(&format_args!(
            "line 1: there is no field \"format\"; a motion is {FORMAT:?} or {STEP_FORMAT:?}"
        ))),
        (None, _) if is_empty => Err(told(&"there is nothing in it, and so no motion")),
        (None, Some(map)) => of_table(input, &file, map, &asked.tol),
        (None, None) => Err(told(
            &"a table needs --map FILE, which says which column is what (`etalon schema motion-map`)",
        )),
    };
    report.map(|report| Report { file, ..report })
}

fn is_json(start: &[u8]) -> bool {
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    first == Some(&b'{')
}

/// The field `format` of the first line, where it is JSON.
fn format_of(start: &[u8]) -> Option<String> {
    if !is_json(start) {
        return None;
    }
    let end = start.iter().position(|byte| *byte == b'\n');
    let first = String::from_utf8_lossy(&start[..end.unwrap_or(start.len())]);
    let whole = serde_json::from_str::<Value>(&first).ok();
    let named = whole.and_then(|own| Some(own.get("format")?.as_str()?.to_owned()));
    // A line longer than what was looked at begins with its format all the same.
    named.or_else(|| {
        let (_, rest) = first.split_once("\"format\"")?;
        let rest = rest.trim_start().strip_prefix(':')?.trim_start();
        Some(rest.strip_prefix('"')?.split_once('"')?.0.to_owned())
    })
}

fn of_trajectory(input: impl BufRead, file: &str, asked: &Asked) -> Result<Report, String> {
    let texts: Result<Vec<String>, _> = input.lines().collect();
    let texts = texts.map_err(|error| format!("{file}: {error}"))?;
    let stored = Trajectory::of(file, texts).map_err(|error| error.to_string())?;
    let mut report = Report {
        kind: "trajectory",
        ..Report::default()
    };
    match judge_motion(&stored, asked.precision, &asked.tol) {
        Ok(judged) => {
            report.steps = judged.steps;
            report.cut = judged.cut;
            report.exact = judged.exact;
            let fields = judged.not_asked.iter();
            report.not_asked = fields.map(|own| (*own).to_owned()).collect();
            for (k, gain) in judged.bounce_gains {
                report.bounce_gains.add(file, k, gain);
            }
            report.left_out = judged.unconverged + judged.unknown;
            report.not_judged = match (judged.unconverged, judged.unknown) {
                (0, 0) => None,
                (0, count) => Some(format!(
                    "in {count} steps bodies push where their closest points are not known"
                )),
                (count, _) => Some(format!(
                    "the iteration of {count} steps did not converge, as their lines say"
                )),
            };
            let breaches = judged.breaches.into_iter();
            report.findings = breaches.map(|own| breach(own.step + 1, own)).collect();
            Ok(report)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn breach(line: u64, own: Breach) -> Finding {
    Finding {
        line,
        what: What::Breach(Box::new(own)),
    }
}

fn of_table(input: impl BufRead, file: &str, map: &str, tol: &Rational) -> Result<Report, String> {
    let told = |error: &dyn Display| format!("{file}: {error}");
    let mut table = MotionTable::open(input, map).map_err(|error| told(&error))?;
    let mut rounding = table.rounding().clone();
    rounding.declared.clone_from(tol);
    let mut report = Report {
        kind: "table",
        exact: rounding.is_exact(),
        not_asked: table
            .unasked()
            .iter()
            .map(|own| own.words.clone())
            .collect(),
        ..Report::default()
    };
    let doubtful = table.unasked().iter().filter(|own| own.doubtful);
    report.doubtful = doubtful.map(|own| own.words.clone()).collect();
    while let Some((line, step)) = table.next_step().map_err(|error| told(&error))? {
        report.steps += 1;
        let breaches = examine(&step, &rounding).into_iter();
        report
            .findings
            .extend(breaches.map(|own| breach(line, own)));
    }
    Ok(report)
}

/// A log of an engine, by the judge of steps: what `etalon step check` says of it.
fn of_log(texts: Texts, tol: &Rational) -> Result<Report, String> {
    let judge = StepJudge {
        tol: (*tol > 0).then(|| tol.clone()),
        ..StepJudge::default()
    };
    let mut report = Report {
        kind: "log",
        exact: true,
        ..Report::default()
    };
    let (mut log, mut k) = (StepLog::default(), 0);
    for next in Records::new(texts, |record| read_step(record)) {
        let Located { read, line, .. } = next.map_err(|error| error.to_string())?;
        let step = read.record;
        k += 1;
        let breaches = log.check((line, k), &step, &judge).into_iter();
        report.findings.extend(breaches.map(|own| {
            let what = What::OfLog(step.name.clone(), Box::new(own));
            Finding { line, what }
        }));
        let verdicts = judge_step(&step, &judge);
        report.steps += u64::from(verdicts.iter().any(|own| own.word != Word::NotJudged));
        for own in verdicts {
            report.exact &= own.word == Word::Exact;
            if own.word.is_wrong() {
                let what = What::Verdict {
                    step: own.name.clone(),
                    level: own.level.word(),
                    word: own.word.word(),
                    reason: own.reason.clone().unwrap_or_default(),
                };
                report.findings.push(Finding { line, what });
            }
        }
    }
    if report.steps == 0 {
        let why =
            "no step has data for a level; `etalon step check --level B` says what is missing";
        report.not_judged = Some(why.to_owned());
    }
    Ok(report)
}
