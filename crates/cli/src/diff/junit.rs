//! A report that continuous integration reads: JUnit XML, a test suite for each suite.

use std::collections::BTreeMap;

use etalon_conformance::Skip;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::answered::Answered;
use super::asked::Asked;
use crate::{Fatal, Result};

/// The report under construction.
pub struct JUnit {
    solver: String,
    suites: BTreeMap<String, TestSuite>,
}

impl JUnit {
    pub fn new(solver: &str) -> Self {
        Self {
            solver: allowed(solver),
            suites: BTreeMap::new(),
        }
    }

    fn add(&mut self, asked: &Asked, mut case: TestCase) {
        let suite = allowed(&asked.suite.to_string());
        case.set_classname(suite.clone());
        let suite = self
            .suites
            .entry(suite.clone())
            .or_insert_with(|| TestSuite::new(suite));
        suite.add_test_case(case);
    }

    /// An answer that is no claim is an error, a wrong one a failure.
    pub fn count(&mut self, asked: &Asked, answered: &Answered, again: &str) {
        let status = if answered.judged.judgement.accepted {
            TestCaseStatus::success()
        } else {
            let kind = match &answered.failure {
                Some(_) => NonSuccessKind::Error,
                None => NonSuccessKind::Failure,
            };
            let mut status = TestCaseStatus::non_success(kind);
            let word = answered.failure.as_ref().map(|failure| failure.kind.word());
            let word = word.unwrap_or(answered.judged.judgement.verdict.kind.word());
            status.set_type(word);
            status.set_message(allowed(&answered.text(asked)));
            status.set_description(allowed(again));
            status
        };
        let mut case = TestCase::new(allowed(asked.problem.name()), status);
        case.set_time(answered.took);
        self.add(asked, case);
    }

    pub fn skip(&mut self, asked: &Asked, skip: &Skip) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(skip.to_string());
        self.add(asked, TestCase::new(allowed(asked.problem.name()), status));
    }

    pub fn into_text(self) -> Result<String> {
        let mut report = Report::new(self.solver);
        report.add_test_suites(self.suites.into_values());
        let text = report.to_string();
        text.map_err(|error| Fatal::Usage(format!("cannot write JUnit XML: {error}")))
    }
}

/// The text without the two characters that XML 1.0 forbids (section 2.2) and the library lets pass;
/// control characters it takes out itself.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
