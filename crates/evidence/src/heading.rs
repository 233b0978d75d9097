//! The first line of a file of verdicts that a later run may take up: of which inputs the verdicts
//! are, how they were judged, and by which version.
//!
//! | field | meaning |
//! |---|---|
//! | `format` | [`FORMAT`] |
//! | `etalon` | the version that judged |
//! | `inputs` | the SHA-256 of each input; null for one that came through a pipe |
//! | `options` | whatever changes a verdict, by the names of the flags |
//!
//! The inputs are digested before the first verdict is written, so that a run that is killed leaves a
//! whole heading, or an empty file. That is one more pass over each file, beside the first records that are judged. A pipe can be read only once: its digest is not
//! known at the start, and such a run cannot be taken up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use etalon_certify::Tolerance;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The format of the line.
pub const FORMAT: &str = "etalon-verdicts/1";

/// Its JSON Schema.
pub const SCHEMA: &str = include_str!("schema/verdicts.schema.json");

/// So much of an input is read at once.
const PART: usize = 1 << 20;

/// The first line of a file of verdicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    format: String,
    /// The version that judged.
    pub etalon: String,
    /// The digest of each input; none for a pipe.
    pub inputs: BTreeMap<String, Option<String>>,
    /// Whatever changes a verdict.
    pub options: Map<String, Value>,
}

impl Heading {
    /// The heading of a run of this version.
    pub fn new(inputs: BTreeMap<String, Option<String>>, options: Map<String, Value>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            etalon: env!("CARGO_PKG_VERSION").to_owned(),
            inputs,
            options,
        }
    }

    /// The line, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            unreachable!("text, numbers and maps of them have a JSON form: {error}")
        })
    }

    /// Reads a line; none if it is something else.
    pub fn read(line: &[u8]) -> Option<Self> {
        let heading: Self = serde_json::from_slice(line).ok()?;
        (heading.format == FORMAT).then_some(heading)
    }

    /// Puts into a verdict below the heading how it was judged, and whether it counts as accepted
    /// where that is by an option.
    pub fn complete(&self, verdict: &mut Map<String, Value>) {
        if verdict.get("judged").is_none_or(Value::is_null) {
            let names = tolerance(&Tolerance::default(), false);
            let mut judged: Map<_, _> = self
                .options
                .iter()
                .filter(|(name, _)| names.contains_key(*name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            judged.insert("etalon".to_owned(), json!(self.etalon));
            verdict.insert("judged".to_owned(), Value::Object(judged));
        }
        let perturbed = verdict.get("verdict") == Some(&json!("perturbed"));
        if perturbed && self.options.get("accept_perturbed") == Some(&json!(true)) {
            verdict.entry("passed").or_insert(json!(true));
        }
    }

    /// What differs between an earlier run and this one, each in a phrase; nothing where the
    /// verdicts of one are those of the other.
    pub fn differences(&self, earlier: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.etalon != earlier.etalon {
            let (then, now) = (&earlier.etalon, &self.etalon);
            found.push(format!("etalon was {then} and is {now}"));
        }
        let names: BTreeSet<_> = self.inputs.keys().chain(earlier.inputs.keys()).collect();
        for name in names {
            let digest = |heading: &'_ Self| heading.inputs.get(name).cloned().flatten();
            match (digest(earlier), digest(self)) {
                (Some(then), Some(now)) if then == now => {}
                (Some(then), Some(now)) => found.push(format!(
                    "the {name} are others (their digest was {then} and is {now})"
                )),
                (None, _) => found.push(format!(
                    "the {name} came through a pipe, so they are not known"
                )),
                (_, None) => found.push(format!(
                    "the {name} come through a pipe, and cannot be compared before they are judged"
                )),
            }
        }
        let options = changed(&earlier.options, &self.options);
        found.extend(
            options
                .into_iter()
                .map(|option| format!("the option {option}")),
        );
        found
    }
}

/// All that decides which answers are right, by the names of the flags.
pub fn tolerance(tolerance: &Tolerance, accept_perturbed: bool) -> Map<String, Value> {
    let fields = [
        ("tol", json!(tolerance.tol.to_string())),
        ("measure", json!(tolerance.measure.word())),
        ("snap", json!(tolerance.snap.to_string())),
        ("accept_perturbed", json!(accept_perturbed)),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    fields.into_iter().collect()
}

/// What is not the same in two records of options, each in a phrase.
pub fn changed(then: &Map<String, Value>, now: &Map<String, Value>) -> Vec<String> {
    let names: BTreeSet<_> = then.keys().chain(now.keys()).collect();
    let mut found = Vec::new();
    for name in names {
        if then.get(name) != now.get(name) {
            let show = |options: &Map<String, Value>| match options.get(name) {
                None | Some(Value::Null) => "not given".to_owned(),
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            };
            let (then, now) = (show(then), show(now));
            found.push(format!("{name} was {then} and is {now}"));
        }
    }
    found
}

/// The SHA-256 of a file, read once in constant memory; none for what is no regular file, such as
/// `-` or a pipe.
///
/// # Errors
/// That of the system where the file cannot be read.
pub fn digest_of_file(path: &Path) -> io::Result<Option<String>> {
    // A pipe is not even opened: its writer would take that for the reader.
    if path.as_os_str() == "-" || !std::fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let (mut hash, mut part) = (Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(read) => hash.update(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let digits = hash.finalize();
    let digits: String = digits.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some(format!("sha256:{digits}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading() -> Heading {
        let inputs = [("problems", Some("aa")), ("claims", Some("bb"))];
        let inputs = inputs.map(|(name, digest)| (name.to_owned(), digest.map(str::to_owned)));
        let options = json!({"tol": "1/1000", "prove": false, "time_limit": 60});
        Heading::new(inputs.into(), options.as_object().unwrap().clone())
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_else_is_a_heading() {
        let own = heading();
        let read = Heading::read(own.line().as_bytes()).unwrap();
        assert_eq!(read, own);
        assert_eq!(read.differences(&own), Vec::<String>::new());
        let verdict = r#"{"format": "etalon-verdict/1", "name": "p", "verdict": "exact"}"#;
        for line in [
            verdict,
            "",
            "{",
            "[]",
            &own.line().replace("verdicts/1", "verdicts/2"),
        ] {
            assert!(Heading::read(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn each_difference_is_named() {
        let own = heading();
        let differs = |change: &dyn Fn(&mut Heading), expected: &str| {
            let mut earlier = heading();
            change(&mut earlier);
            let found = own.differences(&earlier);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(expected), "{found:?}");
        };
        differs(&|h| h.etalon = "0.0.9".to_owned(), "etalon was 0.0.9");
        let put = |h: &mut Heading, digest: Option<&str>| {
            h.inputs
                .insert("claims".to_owned(), digest.map(str::to_owned));
        };
        differs(&|h| put(h, Some("cc")), "the claims are others");
        differs(&|h| put(h, None), "the claims came through a pipe");
        let option = |h: &mut Heading, name: &str, value: Value| {
            h.options.insert(name.to_owned(), value);
        };
        differs(
            &|h| option(h, "tol", json!("1/10")),
            "the option tol was 1/10 and is 1/1000",
        );
        differs(
            &|h| option(h, "prove", json!(true)),
            "the option prove was true and is false",
        );
        differs(
            &|h| option(h, "time_limit", Value::Null),
            "the option time_limit was not given and is 60",
        );
        differs(
            &|h| option(h, "measure", json!("natural")),
            "the option measure was natural and is not given",
        );
    }

    #[test]
    fn a_digest_is_of_all_bytes_and_pipes_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        std::fs::write(&file, "abc").unwrap();
        // FIPS 180-4, the example of one block.
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest_of_file(&file).unwrap().as_deref(), Some(abc));
        // Longer than what is read at once, and different in the last byte alone.
        let mut long = vec![b'x'; 3 * PART + 7];
        std::fs::write(&file, &long).unwrap();
        let one = digest_of_file(&file).unwrap();
        *long.last_mut().unwrap() = b'y';
        std::fs::write(&file, &long).unwrap();
        assert_ne!(digest_of_file(&file).unwrap(), one);
        assert_eq!(digest_of_file(Path::new("-")).unwrap(), None);
        assert!(digest_of_file(&folder.path().join("none")).is_err());
    }
}
