//! How bad a failure is, and of which kind. `diff`, `fuzz` and `report` sort failures by this, and by nothing else.

use std::cmp::Reverse;

use etalon_lcp::{Grade, VerdictKind};
use rug::Rational;

use crate::examine::Examination;
use crate::failure::FailureKind;

/// Characters of a solver's own reason that tell kinds apart.
const REASON: usize = 60;

/// What the judge says of a solver that gives up without a word.
const WORDLESS: &str = "the solver gave up";

/// How bad a failure is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// A wrong answer, wrong even beside the largest numbers of the problem.
    Gross,
    /// A solution denied, or none seen where there is none.
    Untrue,
    /// A wrong answer.
    Wrong,
    /// An answer that is wrong by the rounding of the data.
    Noise,
    /// No answer: a crash, silence, garbage.
    Broken,
    /// The solver says that it gave up.
    GaveUp,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 6] = [
        Self::Gross,
        Self::Untrue,
        Self::Wrong,
        Self::Noise,
        Self::Broken,
        Self::GaveUp,
    ];

    /// The severity of an answer that is not accepted: how no answer came, else the verdict with its grade.
    pub fn of(failure: Option<FailureKind>, verdict: VerdictKind, grade: Option<Grade>) -> Self {
        if failure.is_some() {
            return Self::Broken;
        }
        match (verdict, grade) {
            (VerdictKind::Rejected, Some(Grade::Gross)) => Self::Gross,
            (VerdictKind::Rejected, Some(Grade::Noise)) => Self::Noise,
            (VerdictKind::Refuted | VerdictKind::Perturbed, _) => Self::Untrue,
            (VerdictKind::Failed, _) => Self::GaveUp,
            _ => Self::Wrong,
        }
    }

    /// The severity of the fault that an examination shows.
    pub fn of_examination(examination: &Examination) -> Self {
        let failure = examination.claim.as_ref().err().map(|failure| failure.kind);
        let verdict = examination.judgement.as_ref().map(|j| &j.verdict);
        let kind = verdict.map_or(VerdictKind::Failed, |verdict| verdict.kind);
        Self::of(failure, kind, verdict.and_then(|verdict| verdict.grade))
    }

    /// The key by which failures are sorted: the worst first, of one severity those of few rows first, of so many rows
    /// those with the largest error.
    pub fn key(self, rows: usize, error: Option<&Rational>) -> impl Ord + use<> {
        (self, rows, Reverse(error.cloned()))
    }

    /// The word that stands in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gross => "gross",
            Self::Untrue => "untrue",
            Self::Wrong => "wrong",
            Self::Noise => "noise",
            Self::Broken => "no answer",
            Self::GaveUp => "gave up",
        }
    }
}

/// What is wrong with an answer that is not accepted: failures of one kind are told once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FailureClass {
    /// How bad it is.
    pub severity: Severity,
    /// In words.
    pub words: String,
}

impl FailureClass {
    /// The kind of an answer that is not accepted. `reason` is that of the verdict: of a missing answer what was
    /// observed, of a solver that gave up its own words.
    pub fn of(
        failure: Option<FailureKind>,
        verdict: VerdictKind,
        grade: Option<Grade>,
        reason: Option<&str>,
    ) -> Self {
        Self {
            severity: Severity::of(failure, verdict, grade),
            words: words(failure, verdict, grade, reason, general_word),
        }
    }

    /// The same words with the numbers and names of this one failure, for kinds whose members share them.
    pub fn own_words(
        failure: Option<FailureKind>,
        verdict: VerdictKind,
        grade: Option<Grade>,
        reason: Option<&str>,
    ) -> String {
        words(failure, verdict, grade, reason, str::to_owned)
    }

    /// The key by which kinds are sorted: the worst first, of one severity the most frequent.
    pub fn key(&self, count: u64) -> impl Ord + use<> {
        (self.severity, Reverse(count))
    }
}

/// A failure in words; each word of its reason is said as `each` says it.
fn words(
    failure: Option<FailureKind>,
    verdict: VerdictKind,
    grade: Option<Grade>,
    reason: Option<&str>,
    each: fn(&str) -> String,
) -> String {
    let severity = Severity::of(failure, verdict, grade);
    let reason = reason.unwrap_or_default();
    let word = verdict.word();
    match (failure, severity, verdict) {
        (Some(kind @ FailureKind::NotFinite), ..) => {
            format!("no answer, {kind}: NaN or an infinity in z")
        }
        (Some(kind), ..) => {
            let how = reason.split(';').next().unwrap_or_default();
            format!("no answer, {kind}: {}", shortened(how, each))
        }
        (_, Severity::GaveUp, _) if matches!(reason, "" | WORDLESS) => "gave up".to_owned(),
        (_, Severity::GaveUp, _) => format!("gave up: {}", shortened(reason, each)),
        (_, Severity::Gross, _) => format!("{word}, gross"),
        (_, Severity::Noise, _) => format!("{word}, within the noise of the data"),
        (_, _, VerdictKind::Rejected) => format!("{word}, beyond the tolerance"),
        (_, _, VerdictKind::Refuted) => {
            "refuted: called unsolvable, and there is a solution".to_owned()
        }
        (_, _, VerdictKind::Perturbed) => {
            "perturbed: an answer where there is no solution".to_owned()
        }
        _ => word.to_owned(),
    }
}

/// The start of a reason, word by word as `each` says them.
fn shortened(reason: &str, each: fn(&str) -> String) -> String {
    let mut text = String::new();
    for word in reason.split_whitespace() {
        text += &each(word);
        text.push(' ');
        if text.chars().count() > REASON {
            break;
        }
    }
    let text = text.trim_end();
    if text.chars().count() <= REASON {
        return text.to_owned();
    }
    // Cut between words, and visibly.
    let start: String = text.chars().take(REASON - 4).collect();
    let whole = start.rfind(' ').map_or(&*start, |at| &start[..at]);
    format!("{whole} ...")
}

/// `#` for a number and for a quoted name, and in `z[7]` for the index: "residual 1e-3 after 50 sweeps" and "residual 2e-3
/// after 60 sweeps" are one kind, and so are faults of the records "a" and "b".
fn general_word(word: &str) -> String {
    let inner = word.trim_end_matches([',', '.', ';', ')']);
    let is_number = inner.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if is_number && inner.parse::<f64>().is_ok() {
        return "#".to_owned();
    }
    let stops = word
        .trim_start_matches('"')
        .trim_end_matches([',', ':', ';']);
    if word.starts_with('"') && stops.ends_with('"') {
        return "#".to_owned();
    }
    if let Some((before, rest)) = word.split_once('[')
        && let Some((index, after)) = rest.split_once(']')
        && index.parse::<usize>().is_ok()
    {
        return format!("{before}[#]{after}");
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn general(reason: &str) -> String {
        shortened(reason, general_word)
    }

    #[test]
    fn reasons_are_of_one_kind_whatever_their_numbers() {
        assert_eq!(
            general("residual 1e-3 after 50 sweeps, -7."),
            "residual # after # sweeps, #"
        );
        assert_eq!(general("-- it's 3x slower"), "-- it's 3x slower");
        assert_eq!(
            general(r#"no claim: record "pd/n3/s1/7": z[12]: "null" is none"#),
            "no claim: record # z[#]: # is none"
        );
        assert_eq!(
            general(r#"the "worst case" m[i] []"#),
            r#"the "worst case" m[i] []"#
        );
        let cut = general(&"long ".repeat(50));
        assert!(
            cut.chars().count() <= REASON && cut.ends_with("long ..."),
            "{cut}"
        );
        let one = general(&"x".repeat(200));
        assert!(
            one.chars().count() <= REASON && one.ends_with("x ..."),
            "{one}"
        );
    }

    #[test]
    fn who_gives_up_without_a_word_is_told_in_two() {
        use crate::examine::Examiner;
        use etalon_lcp::Claim;
        let problem = r#"{"name": "p", "M": [[1]], "q": [-1]}"#;
        let problem = etalon_lcp::record::read_problem(problem).unwrap().record;
        let words = |claim: &Claim| {
            let verdict = Examiner::default().judge.verdict(&problem, claim).verdict;
            FailureClass::of(None, verdict.kind, None, verdict.reason.as_deref()).words
        };
        let mut claim = Claim::new("p", etalon_lcp::ClaimedAnswer::Failed);
        assert_eq!(words(&claim), "gave up");
        claim.message = Some("no progress after 7 sweeps".to_owned());
        assert_eq!(words(&claim), "gave up: no progress after # sweeps");
    }

    #[test]
    fn grades_decide_before_sizes_and_a_missing_answer_comes_after_wrong_ones() {
        let rejected = |grade| Severity::of(None, VerdictKind::Rejected, Some(grade));
        let mut found = [
            (Severity::of(None, VerdictKind::Failed, None), 1),
            (
                Severity::of(Some(FailureKind::Hung), VerdictKind::Failed, None),
                1,
            ),
            (rejected(Grade::Noise), 1),
            (rejected(Grade::Wrong), 1),
            (Severity::of(None, VerdictKind::Refuted, None), 1),
            (rejected(Grade::Gross), 9),
            (rejected(Grade::Gross), 2),
        ];
        found.sort_by_key(|(severity, n)| severity.key(*n, None));
        let order: Vec<_> = found
            .iter()
            .map(|(severity, n)| (severity.word(), *n))
            .collect();
        let expected = [
            ("gross", 2),
            ("gross", 9),
            ("untrue", 1),
            ("wrong", 1),
            ("noise", 1),
            ("no answer", 1),
            ("gave up", 1),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn of_so_many_rows_the_largest_error_comes_first() {
        let mut found = [
            (3, Some((1, 1))),
            (2, None),
            (2, Some((1, 700_000_000))),
            (2, Some((1, 2))),
        ];
        let key = |rows, error: Option<(i32, i32)>| {
            Severity::Gross.key(rows, error.map(Rational::from).as_ref())
        };
        found.sort_by_key(|(rows, error)| key(*rows, *error));
        let expected = [
            (2, Some((1, 2))),
            (2, Some((1, 700_000_000))),
            (2, None),
            (3, Some((1, 1))),
        ];
        assert_eq!(found, expected);
    }
}
