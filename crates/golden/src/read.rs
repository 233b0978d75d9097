//! Reading goldens, one at a time, each with its place.

use std::path::{Path, PathBuf};

use etalon_judge::Judge;
use etalon_lcp::record::stream;
use etalon_lcp::record::{Written, read_problem, write_problem, write_problem_pretty};
use etalon_lcp::{Problem, Unique};

use crate::error::ReadError;
use crate::names::Names;
use crate::open::open_texts;
use crate::origin::Origin;
use crate::place::{FoundFiles, Suite, suite_of};
use crate::report::{Finding, Part, ProblemReport};
use crate::reprove::{Assignment, reprove};

/// A problem with the place where it stands.
#[derive(Debug, Clone)]
pub struct Golden {
    /// The problem.
    pub problem: Problem,
    /// Where it stands.
    pub origin: Origin,
    /// The suite it belongs to.
    pub suite: Suite,
    /// Fields of the record that the format does not know.
    pub unknown_fields: Vec<String>,
    /// The text of a golden, or of a record with a checksum, in JSON: it is held against [`layout`].
    pub text: Option<Written>,
}

impl Golden {
    /// As [`reprove()`], and a record below `golden/problems` must have its truth and checksum.
    /// A record with a checksum must be written as the command `golden` writes it: a digit may
    /// be wrong and the number, which is rounded to binary64, the same.
    pub fn reprove(&self, assignments: &[Assignment<'_>], judge: &Judge) -> ProblemReport {
        let mut report = reprove(&self.problem, assignments, judge);
        let mut require = |part, present: bool| {
            if self.suite.is_golden && !present {
                let reason = "the field is missing, but every golden needs it".to_owned();
                report.findings.push(Finding { part, reason });
            }
        };
        require(Part::Expect, self.problem.expect.is_some());
        require(Part::Digest, self.problem.remarks.digest.is_some());
        let is_golden = self.suite.is_golden || self.problem.remarks.digest.is_some();
        let understated = understated(&self.problem, report.unique);
        report.findings.extend(understated.filter(|_| is_golden));
        if let Some(place) = self.differs_at().filter(|_| is_golden) {
            let reason = format!(
                "byte {place} of the record is not what `etalon golden` would write, although all values may be the same"
            );
            report.findings.push(Finding {
                part: Part::Text,
                reason,
            });
        }
        report
    }

    /// The byte in which the text first differs from [`layout`], if it does. To write a record out again takes as long as to read it, and most
    /// readers of goldens prove nothing.
    pub fn differs_at(&self) -> Option<usize> {
        let text = self.text.as_ref()?.as_json()?;
        let written = layout(Path::new(&self.origin.file), &self.problem);
        first_difference(&written, text)
    }
}

/// That a record proves more of other solutions than it says: `etalon golden` would say it.
fn understated(problem: &Problem, proved: Option<Unique>) -> Option<Finding> {
    let stated = problem.expect.as_ref()?.unique;
    let proved = proved.filter(|_| stated != proved)?;
    let reason = format!(
        "expect.unique says less than is proved: \"{}\"",
        proved.word()
    );
    let part = Part::Expect;
    Some(Finding { part, reason })
}

/// The text of a golden's record: for people in a `.json` file, on one line in a stream.
pub fn layout(file: &Path, problem: &Problem) -> String {
    let extension = file.extension();
    let record = if extension.is_some_and(|extension| extension == "jsonl") {
        write_problem(problem)
    } else {
        write_problem_pretty(problem)
    };
    record + "\n"
}

/// The first byte in which two texts differ. The last line of a stream may lack its end.
pub fn first_difference(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.trim_end().as_bytes(), b.trim_end().as_bytes());
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    (common < a.len().max(b.len())).then_some(common)
}

/// The problems of all files under the given paths, in the order of the files. Errors do not end
/// the reading: what follows them is still to be had.
///
/// # Errors
/// [`ReadError`] for a folder that cannot be read or holds no record file.
pub fn read(paths: &[PathBuf]) -> Result<GoldenRecords, ReadError> {
    // Scenes and trajectories are no problems, and have readers of their own.
    Ok(GoldenRecords::of_files(
        FoundFiles::in_each(paths)?.problems,
    ))
}

/// The records of several files as they stand, for readers that work side by side: see [`GoldenText::read`].
pub struct GoldenTexts {
    files: std::vec::IntoIter<PathBuf>,
    current: Option<File>,
}

struct File {
    texts: stream::Texts,
    suite: Suite,
    is_empty: bool,
}

/// A record as it stands, with its place.
#[derive(Debug)]
pub struct GoldenText {
    file: String,
    suite: Suite,
    text: stream::Text,
}

impl GoldenTexts {
    /// The records of just these files; a folder among them is an error.
    pub fn of_files(files: Vec<PathBuf>) -> Self {
        Self {
            files: files.into_iter(),
            current: None,
        }
    }

    /// Whether the next record can be had without waiting for input from a pipe.
    pub fn is_ready(&self) -> bool {
        let file = self.current.as_ref();
        file.is_some_and(|file| file.texts.is_ready())
    }

    fn open(path: &Path) -> Result<File, ReadError> {
        Ok(File {
            texts: open_texts(path)?,
            suite: suite_of(path),
            is_empty: true,
        })
    }
}

impl Iterator for GoldenTexts {
    type Item = Result<GoldenText, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(mut file) = self.current.take() else {
                let path = self.files.next()?;
                match Self::open(&path) {
                    Ok(file) => self.current = Some(file),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            match file.texts.next() {
                None if file.is_empty => {
                    let file = file.texts.name().to_owned();
                    return Some(Err(ReadError::Empty { file }));
                }
                None => {}
                Some(text) => {
                    file.is_empty = false;
                    let located = text.map(|text| GoldenText {
                        file: file.texts.name().to_owned(),
                        suite: file.suite.clone(),
                        text,
                    });
                    self.current = Some(file);
                    return Some(located.map_err(Into::into));
                }
            }
        }
    }
}

impl GoldenText {
    /// The length of the record in bytes.
    pub fn bytes(&self) -> usize {
        self.text.text.len()
    }

    /// Reads the problem. That its name is its own is for the caller to see: [`Names`].
    ///
    /// # Errors
    /// [`ReadError::Input`] for what is no problem.
    pub fn read(self) -> Result<Golden, ReadError> {
        let Self { file, suite, text } = self;
        let read = read_problem(&text.text).map_err(|source| stream::InputError::Record {
            file: file.clone(),
            line: text.line,
            source,
        })?;
        let problem = read.record;

        let is_golden = suite.is_golden || problem.remarks.digest.is_some();
        let origin = Origin::new(&file, text.line);
        let text = Some(text.text).filter(|text| is_golden && text.as_json().is_some());
        Ok(Golden {
            text,
            problem,
            origin,
            suite,
            unknown_fields: read.unknown_fields,
        })
    }
}

/// The problems of several files; see [`read`].
pub struct GoldenRecords {
    texts: GoldenTexts,
    names: Names,
}

impl GoldenRecords {
    /// The problems of just these files; a folder among them is an error.
    pub fn of_files(files: Vec<PathBuf>) -> Self {
        Self {
            texts: GoldenTexts::of_files(files),
            names: Names::default(),
        }
    }
}

impl Iterator for GoldenRecords {
    type Item = Result<Golden, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let golden = self.texts.next()?.and_then(GoldenText::read);
        Some(golden.and_then(|golden| {
            self.names.take(golden.problem.name(), &golden.origin)?;
            Ok(golden)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PROBLEM: &str = r#"{"name": "NAME", "M": [[1]], "q": [-1]}"#;

    fn named(name: &str) -> String {
        PROBLEM.replace("NAME", name)
    }

    #[test]
    fn errors_do_not_end_the_reading() {
        let folder = tempfile::tempdir().unwrap();
        let stream = format!("{}\nnonsense\n{}\n{}\n", named("a"), named("a"), named("b"));
        fs::write(folder.path().join("s.jsonl"), stream).unwrap();
        fs::write(folder.path().join("t.json"), named("c")).unwrap();
        fs::write(folder.path().join("empty.jsonl"), "").unwrap();
        fs::write(folder.path().join("recipe.json"), "[]").unwrap();
        let results: Vec<_> = read(&[folder.path().to_owned()]).unwrap().collect();
        let names: Vec<_> = results.iter().flatten().map(|g| g.problem.name()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let errors: Vec<_> = results.iter().filter_map(|r| r.as_ref().err()).collect();
        assert!(matches!(errors[0], ReadError::Empty { .. }));
        assert!(matches!(errors[1], ReadError::Input(_)));
        assert!(matches!(errors[2], ReadError::DuplicateName(_)));
        assert_eq!(errors.len(), 3);
    }

    #[test]
    fn a_golden_needs_truth_and_digest() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("golden/problems/suite/a.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, named("a")).unwrap();
        let golden = read(&[file]).unwrap().next().unwrap().unwrap();
        assert_eq!(golden.suite.name, "suite");
        let report = golden.reprove(&[], &Judge::default());
        let parts: Vec<_> = report.findings.iter().map(|f| &f.part).collect();
        assert_eq!(parts, [&Part::Expect, &Part::Digest, &Part::Text]);
    }

    #[test]
    fn a_golden_says_all_that_it_proves_of_other_solutions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("golden/problems/suite/a.jsonl");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let found = |unique: &str| {
            let record = format!(
                r#"{{"name": "a", "M": [[2]], "q": [-3], "expect": {{"status": "solvable", "solutions": [["3/2"]],
                "unique": {unique}, "certificate": {{"kind": "p-matrix", "proof": "positive-definite"}}}}}}"#
            );
            fs::write(&file, record.replace('\n', "")).unwrap();
            let golden = read(std::slice::from_ref(&file)).unwrap().next().unwrap();
            let report = golden.unwrap().reprove(&[], &Judge::default());
            let reasons = report.findings.into_iter().map(|f| f.reason);
            reasons.filter(|r| r.contains("unique")).collect::<Vec<_>>()
        };
        assert!(found(r#""z""#).is_empty());
        for less in [r#""w""#, "null"] {
            assert_eq!(
                found(less),
                ["expect.unique says less than is proved: \"z\""]
            );
        }
    }

    #[test]
    fn a_digit_that_rounding_swallows_is_found_in_a_golden() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("golden/problems/suite/a.jsonl");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let sound = r#"{"name":"a","M":[[0.30000000000000004]],"q":[0.0]}"#;
        let at = |text: &str| {
            fs::write(&file, text).unwrap();
            let golden = read(std::slice::from_ref(&file)).unwrap().next().unwrap();
            golden.unwrap().differs_at()
        };
        let sound = layout(&file, &read_problem(sound).unwrap().record);
        assert_eq!(at(&sound), None);
        assert_eq!(at(sound.trim_end()), None);
        let wrong = sound.replace("00004", "00005");
        assert_eq!(at(&wrong), wrong.find("5]"));
    }

    #[test]
    fn an_empty_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(&[folder.path().to_owned()]).err().unwrap();
        assert!(matches!(error, ReadError::EmptyFolder { .. }));
    }
}
