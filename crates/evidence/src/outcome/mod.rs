//! The outcome of one question to one solver: the verdict with the suite, the time, and the kind of a
//! missing answer. `diff`, `scoreboard` and `report` write such lines; `report` reads them.
//!
//! A line is a verdict (`etalon-verdict/1`) with more fields:
//!
//! | field | meaning |
//! |---|---|
//! | `solver` | the solver's name |
//! | `suite` | the problem's suite |
//! | `n` | the number of rows of the problem |
//! | `passed` | whether the answer was accepted |
//! | `seconds` | the time until the answer came |
//! | `solver_seconds` | the time that the solver states |
//! | `pivots` | the count that the solver states |
//! | `failure` | the kind of a missing answer ([`FailureKind`]) |
//! | `problem_digest` | the digest of the problem ([`digest_of`]): two problems may have one name |
//! | `judged` | the version of Etalon, and the options that decide which answers are right |
//! | `command` | of a failure: the command that repeats it |
//! | `small` | the problem after shrinking: [`SmallProblem`] |

mod agreement;
mod column;
pub(crate) mod groups;
mod read;

use etalon_conformance::{FailureClass, FailureKind};
use etalon_judge::Judge;
use etalon_lcp::{Grade, Problem, Remarks, VerdictKind, parse_rational};
use etalon_lcp::{Reached, record};
use rug::Rational;
use serde_json::{Map, Value, json};

use crate::heading;
pub use agreement::{CommonJudging, Disagreement};
pub use column::{Column, Tally};
pub use groups::{Group, Groups, TOLD};
pub use read::{OutcomeError, read_outcomes};

/// The JSON Schema of a line.
pub const SCHEMA: &str = include_str!("../schema/outcome.schema.json");

/// One judged answer, or the lack of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The solver's name.
    pub solver: String,
    /// The problem's suite.
    pub suite: String,
    /// The problem's name.
    pub name: String,
    /// Its rows, where the line says so.
    pub n: Option<u64>,
    /// The verdict.
    pub kind: VerdictKind,
    /// Whether it was accepted.
    pub passed: bool,
    /// The fault, in a phrase.
    pub reason: Option<String>,
    /// How no answer came.
    pub failure: Option<FailureKind>,
    /// The figure that decided, where there was a candidate: the distance where that acquitted it, the
    /// error, or of lines without one the backward error.
    pub error: Option<Rational>,
    /// The time that counts, s: the solver's own, else that seen from outside.
    pub seconds: Option<f64>,
    /// The digest of the problem, where the line says it.
    pub problem_digest: Option<String>,
    /// How it was judged, where the line says it.
    pub judged: Option<Map<String, Value>>,
    /// How wrong, of an answer that one of the measures does not accept.
    pub grade: Option<Grade>,
    /// The command that repeats a failure, where the line says it.
    pub command: Option<String>,
    /// The problem made small.
    pub small: Option<SmallProblem>,
    /// The whole line.
    record: Map<String, Value>,
}

/// The fields of an outcome beside the verdict.
#[derive(Debug, Clone, Default)]
pub struct Beside<'a> {
    /// The solver's name.
    pub solver: &'a str,
    /// The problem's suite.
    pub suite: &'a str,
    /// Its rows.
    pub n: usize,
    /// Whether the answer was accepted.
    pub passed: bool,
    /// The time until the answer, s.
    pub seconds: Option<f64>,
    /// The time that the solver says it took, s.
    pub solver_seconds: Option<f64>,
    /// As the solver says.
    pub pivots: Option<u64>,
    /// How no answer came.
    pub failure: Option<FailureKind>,
    /// The digest of the problem.
    pub problem_digest: &'a str,
    /// How it was judged.
    pub judged: Option<&'a Map<String, Value>>,
    /// The command that repeats a failure.
    pub command: Option<&'a str>,
}

/// A problem that a solver gets wrong, made as small as it goes.
#[derive(Debug, Clone, PartialEq)]
pub struct SmallProblem {
    /// Its name: the fault and a digest of the data.
    pub name: String,
    /// The problem, the answer and the truth, for people.
    pub text: String,
    /// The record of the problem.
    pub problem: Value,
    /// The command that shows it again.
    pub command: Option<String>,
}

/// The fault in a line that should be an outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the field {field:?} {why}")]
pub struct FieldError {
    /// The field.
    pub field: &'static str,
    /// The fault in it.
    pub why: &'static str,
}

/// What tells a problem from another one of its name: the digest of its record without what is said
/// about it.
pub fn digest_of(problem: &Problem) -> String {
    let mut bare = problem.clone();
    bare.expect = None;
    bare.remarks = Remarks::default();
    record::digest(&bare)
}

/// The options and the version by which an outcome was judged.
pub fn how_judged(judge: &Judge) -> Map<String, Value> {
    let mut fields = heading::tolerance(&judge.tolerance, judge.accept_perturbed);
    fields.insert("etalon".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    fields
}

/// The fields of an outcome: those of a verdict's line and what stands beside it.
pub fn record(verdict: &str, beside: &Beside<'_>) -> Map<String, Value> {
    let verdict: Value = serde_json::from_str(verdict).unwrap_or_default();
    let mut record = match verdict {
        Value::Object(record) => record,
        _ => Map::new(),
    };
    let mut put = |field: &str, value: Value| {
        if !value.is_null() {
            record.insert(field.to_owned(), value);
        }
    };
    put("solver", json!(beside.solver));
    put("suite", json!(beside.suite));
    put("n", json!(beside.n));
    put("passed", json!(beside.passed));
    put("seconds", json!(beside.seconds));
    put("solver_seconds", json!(beside.solver_seconds));
    put("pivots", json!(beside.pivots));
    put("failure", json!(beside.failure.map(FailureKind::word)));
    if !beside.problem_digest.is_empty() {
        put("problem_digest", json!(beside.problem_digest));
    }
    put("judged", json!(beside.judged));
    put("command", json!(beside.command));
    record
}

impl Outcome {
    /// Understands the fields of a line. Lines without `solver` are of `solver`.
    ///
    /// # Errors
    /// [`FieldError`] with the first field that is missing or of another kind.
    pub fn new(record: Map<String, Value>, solver: &str) -> Result<Self, FieldError> {
        let fields = Fields(&record);
        let word = fields.needed("verdict")?;
        let kind = VerdictKind::ALL.into_iter().find(|k| k.word() == word);
        let failure = match fields.text("failure")? {
            None => None,
            Some(word) => {
                let found = FailureKind::ALL.into_iter().find(|k| k.word() == word);
                Some(found.ok_or(wrong("failure", "is no way of giving no answer"))?)
            }
        };
        let kind = kind.ok_or(wrong("verdict", "is no verdict"))?;
        let passed = match record.get("passed") {
            Some(value) => value
                .as_bool()
                .ok_or(wrong("passed", "is no true or false"))?,
            None => Judge::default().accepts(kind, None),
        };
        let (own, seen) = (
            fields.seconds("solver_seconds")?,
            fields.seconds("seconds")?,
        );
        let by_distance =
            fields.text("by")? == Some(Reached::Distance.words()) && kind == VerdictKind::Accepted;
        Ok(Self {
            solver: fields.text("solver")?.unwrap_or(solver).to_owned(),
            suite: fields.text("suite")?.unwrap_or("problems").to_owned(),
            name: fields.needed("name")?.to_owned(),
            n: fields.whole("n")?,
            kind,
            passed,
            reason: fields.text("reason")?.map(str::to_owned),
            failure,
            error: match (fields.measure("error")?, fields.measure("distance")?) {
                (_, Some(distance)) if by_distance => Some(distance),
                (None, _) => fields.measure("backward_error")?,
                (error, _) => error,
            },
            seconds: own.or(seen),
            problem_digest: fields.text("problem_digest")?.map(str::to_owned),
            judged: fields.object("judged")?.cloned(),
            grade: fields.grade()?,
            command: fields.text("command")?.map(str::to_owned),
            small: fields.small()?,
            record,
        })
    }

    /// Adds the problem made small.
    pub fn with_small(mut self, small: SmallProblem) -> Self {
        let record = json!({
            "name": small.name,
            "text": small.text,
            "problem": small.problem,
            "command": small.command,
        });
        self.record.insert("small".to_owned(), record);
        self.small = Some(small);
        self
    }

    /// The line, without its end.
    pub fn line(&self) -> String {
        Value::Object(self.record.clone()).to_string()
    }

    /// What is wrong with it, where it is not accepted.
    pub fn class(&self) -> FailureClass {
        FailureClass::of(self.failure, self.kind, self.grade, self.reason.as_deref())
    }

    /// The same in words, with its own numbers.
    pub fn own_words(&self) -> String {
        FailureClass::own_words(self.failure, self.kind, self.grade, self.reason.as_deref())
    }

    /// Where the answer belongs among the ways of answering.
    pub fn column(&self) -> Column {
        Column::of(self.failure, self.kind, self.passed)
    }
}

fn wrong(field: &'static str, why: &'static str) -> FieldError {
    FieldError { field, why }
}

/// Fields by name, each of its kind or not there.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn given(&self, field: &str) -> Option<&'a Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    fn text(&self, field: &'static str) -> Result<Option<&'a str>, FieldError> {
        let text = |value: &'a Value| value.as_str().ok_or(wrong(field, "is no text"));
        self.given(field).map(text).transpose()
    }

    fn needed(&self, field: &'static str) -> Result<&'a str, FieldError> {
        self.text(field)?.ok_or(wrong(field, "is missing"))
    }

    fn whole(&self, field: &'static str) -> Result<Option<u64>, FieldError> {
        let whole = |value: &Value| value.as_u64().ok_or(wrong(field, "is no count"));
        self.given(field).map(whole).transpose()
    }

    fn seconds(&self, field: &'static str) -> Result<Option<f64>, FieldError> {
        let seconds = |value: &Value| {
            let seconds = value.as_f64().filter(|s| *s >= 0.0 && s.is_finite());
            seconds.ok_or(wrong(field, "is no time in seconds"))
        };
        self.given(field).map(seconds).transpose()
    }

    /// A measure beyond the range of binary64 is a string.
    fn measure(&self, field: &'static str) -> Result<Option<Rational>, FieldError> {
        let measure = |value: &Value| match value {
            Value::String(text) => parse_rational(text).ok(),
            number => number.as_f64().and_then(Rational::from_f64),
        };
        let measure = |value| measure(value).ok_or(wrong(field, "is no number"));
        self.given(field).map(measure).transpose()
    }

    fn object(&self, field: &'static str) -> Result<Option<&'a Map<String, Value>>, FieldError> {
        let object = |value: &'a Value| value.as_object().ok_or(wrong(field, "is no object"));
        self.given(field).map(object).transpose()
    }

    fn grade(&self) -> Result<Option<Grade>, FieldError> {
        let Some(word) = self.text("grade")? else {
            return Ok(None);
        };
        let grade = Grade::ALL.into_iter().find(|grade| grade.word() == word);
        grade.ok_or(wrong("grade", "is no grade")).map(Some)
    }

    fn small(&self) -> Result<Option<SmallProblem>, FieldError> {
        let Some(small) = self.object("small")? else {
            return Ok(None);
        };
        let fields = Fields(small);
        let problem = fields.given("problem").filter(|value| value.is_object());
        Ok(Some(SmallProblem {
            name: fields.needed("name")?.to_owned(),
            text: fields.needed("text")?.to_owned(),
            problem: problem.ok_or(wrong("small", "has no problem"))?.clone(),
            command: fields.text("command")?.map(str::to_owned),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(line: &str) -> Result<Outcome, FieldError> {
        let Value::Object(record) = serde_json::from_str(line).unwrap() else {
            unreachable!("an object");
        };
        Outcome::new(record, "mine")
    }

    #[test]
    fn what_the_distance_acquits_counts_with_its_distance() {
        let line = |verdict: &str| {
            let line = format!(
                r#"{{"format": "etalon-outcome/1", "name": "p", "verdict": "{verdict}", "error": 0.5, "distance": 1e-17, "by": "distance"}}"#
            );
            outcome(&line).unwrap().error
        };
        assert_eq!(line("accepted"), Rational::from_f64(1e-17));
        assert_eq!(line("rejected"), Rational::from_f64(0.5));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let verdict = r#"{"format": "etalon-verdict/1", "name": "p", "verdict": "rejected", "reason": "row 0", "backward_error": "1e400"}"#;
        let beside = Beside {
            solver: "s",
            suite: "pd",
            n: 7,
            seconds: Some(0.5),
            solver_seconds: Some(0.25),
            failure: Some(FailureKind::Hung),
            problem_digest: "sha256:00",
            judged: Some(&how_judged(&Judge::default())),
            ..Beside::default()
        };
        let own = Outcome::new(record(verdict, &beside), "").unwrap();
        let own = own.with_small(SmallProblem {
            name: "wrong-1".to_owned(),
            text: "M = ...".to_owned(),
            problem: json!({"M": [[1]], "q": [1]}),
            command: None,
        });
        assert_eq!(
            (own.n, own.seconds, own.passed),
            (Some(7), Some(0.25), false)
        );
        assert_eq!(own.column(), Column::Hung);
        assert_eq!(own.problem_digest.as_deref(), Some("sha256:00"));
        assert_eq!(own.judged.as_ref().unwrap()["tol"], "1/1000000000");
        assert!(own.error.as_ref().unwrap() > &Rational::from_f64(1e300).unwrap());
        assert_eq!(outcome(&own.line()).unwrap(), own);
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        let field = |line: &str| outcome(line).unwrap_err().field;
        assert_eq!(field(r#"{"name": "p"}"#), "verdict");
        assert_eq!(field(r#"{"verdict": "exact"}"#), "name");
        assert_eq!(field(r#"{"name": "p", "verdict": "right"}"#), "verdict");
        let with = |more: &str| field(&format!(r#"{{"name": "p", "verdict": "exact", {more}}}"#));
        assert_eq!(with(r#""seconds": -1"#), "seconds");
        assert_eq!(with(r#""n": 1.5"#), "n");
        assert_eq!(with(r#""passed": 1"#), "passed");
        assert_eq!(with(r#""judged": 1"#), "judged");
        assert_eq!(with(r#""problem_digest": 1"#), "problem_digest");
        assert_eq!(with(r#""grade": "bad""#), "grade");
        assert_eq!(with(r#""command": 1"#), "command");
        assert_eq!(with(r#""failure": "sulked""#), "failure");
        assert_eq!(with(r#""small": {"name": "a", "text": "b"}"#), "small");
        let bare = outcome(r#"{"name": "p", "verdict": "exact", "more": 1}"#).unwrap();
        assert_eq!(
            (&*bare.solver, bare.passed, bare.seconds),
            ("mine", true, None)
        );
    }
}
