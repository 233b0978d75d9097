//! Failures of one kind told once: "492 x gave up: iteration limit (lcp 300, statics 192)".

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etalon_lcp::{Grade, VerdictKind};

use super::answered::Answered;

/// Kinds that are told one by one; what is beyond them is counted together.
const TOLD: usize = 8;

/// Suites that are named of a kind.
const SUITES: usize = 3;

/// Characters of a solver's own reason that tell kinds apart.
const REASON: usize = 60;

/// How bad it is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// What is wrong with an answer that is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    pub severity: Severity,
    /// In words.
    pub words: String,
}

impl Kind {
    pub fn of(answered: &Answered) -> Self {
        let verdict = &answered.judged.judgement.verdict;
        if let Some(failure) = &answered.failure {
            let how = failure.message.split(';').next().unwrap_or_default();
            let words = format!("no answer, {}: {}", failure.kind, general(how));
            return Self {
                severity: Severity::Broken,
                words,
            };
        }
        let word = verdict.kind.word();
        let graded = |severity, grade: &str| Self {
            severity,
            words: format!("{word}, {grade}"),
        };
        let plain = |severity, words: String| Self { severity, words };
        match (verdict.kind, verdict.grade) {
            (VerdictKind::Rejected, Some(Grade::Gross)) => graded(Severity::Gross, "gross"),
            (VerdictKind::Rejected, Some(Grade::Noise)) => {
                graded(Severity::Noise, "within the noise of the data")
            }
            (VerdictKind::Rejected, _) => graded(Severity::Wrong, "beyond the tolerance"),
            (VerdictKind::Failed, _) => {
                let reason = verdict.reason.as_deref().map_or_else(String::new, general);
                let colon = if reason.is_empty() { "" } else { ": " };
                plain(Severity::GaveUp, format!("gave up{colon}{reason}"))
            }
            (VerdictKind::Refuted, _) => {
                let words = "refuted: called unsolvable, and there is a solution";
                plain(Severity::Untrue, words.to_owned())
            }
            (VerdictKind::Perturbed, _) => {
                let words = "perturbed: an answer where there is no solution";
                plain(Severity::Untrue, words.to_owned())
            }
            _ => plain(Severity::Wrong, word.to_owned()),
        }
    }
}

/// The start of a reason, numbers left out: "residual 1e-3 after 50 sweeps" and "residual 2e-3 after 60 sweeps" are
/// one kind.
fn general(reason: &str) -> String {
    let mut text = String::new();
    for word in reason.split_whitespace() {
        let is_number = word.trim_end_matches(&[',', '.', ';', ')'][..]);
        let is_number = is_number.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && is_number.parse::<f64>().is_ok();
        text += if is_number { "#" } else { word };
        text.push(' ');
        if text.chars().count() > REASON {
            break;
        }
    }
    let text: String = text.trim_end().chars().take(REASON).collect();
    text
}

/// How often each kind is met, by suite.
#[derive(Default)]
pub struct Groups(BTreeMap<Kind, BTreeMap<String, u64>>);

impl Groups {
    pub fn count(&mut self, kind: Kind, suite: &str) {
        let suites = self.0.entry(kind).or_default();
        *suites.entry(suite.to_owned()).or_default() += 1;
    }

    /// The kinds with their counts: the worst first, of one severity the most frequent.
    pub fn sorted(&self) -> Vec<(&Kind, u64, &BTreeMap<String, u64>)> {
        let counted = self.0.iter();
        let counted = counted.map(|(kind, suites)| (kind, suites.values().sum(), suites));
        let mut sorted: Vec<_> = counted.collect();
        sorted.sort_by_key(|(kind, count, _)| (kind.severity, Reverse(*count)));
        sorted
    }

    /// A line for each kind.
    pub fn lines(&self) -> Vec<String> {
        let sorted = self.sorted();
        let told = sorted.iter().take(TOLD).map(|(kind, count, suites)| {
            let mut by_count: Vec<(&String, &u64)> = suites.iter().collect();
            by_count.sort_by_key(|(_, count)| Reverse(**count));
            let named = by_count.iter().take(SUITES);
            let mut named: Vec<String> = named
                .map(|(suite, count)| format!("{suite} {count}"))
                .collect();
            if by_count.len() > SUITES {
                let more = by_count.len() - SUITES;
                let suites = if more == 1 { "suite" } else { "suites" };
                named.push(format!("{more} more {suites}"));
            }
            format!("{count} x {} ({})", kind.words, named.join(", "))
        });
        let mut lines: Vec<String> = told.collect();
        let rest = &sorted[sorted.len().min(TOLD)..];
        if !rest.is_empty() {
            let count: u64 = rest.iter().map(|(_, count, _)| count).sum();
            lines.push(format!("{count} x in {} other ways", rest.len()));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(severity: Severity, words: &str) -> Kind {
        let words = words.to_owned();
        Kind { severity, words }
    }

    #[test]
    fn reasons_are_of_one_kind_whatever_their_numbers() {
        assert_eq!(
            general("residual 1e-3 after 50 sweeps, -7."),
            "residual # after # sweeps, #"
        );
        assert_eq!(general("-- it's 3x slower"), "-- it's 3x slower");
        assert!(general(&"long ".repeat(50)).chars().count() <= REASON);
    }

    #[test]
    fn kinds_are_told_once_the_worst_first() {
        let mut groups = Groups::default();
        for k in 0..492 {
            let suite = ["lcp", "statics", "friction", "murty"][k % 4];
            groups.count(kind(Severity::GaveUp, "gave up: iteration limit"), suite);
        }
        groups.count(kind(Severity::Gross, "rejected, gross"), "lcp");
        let lines = groups.lines();
        assert_eq!(lines[0], "1 x rejected, gross (lcp 1)");
        assert_eq!(
            lines[1],
            "492 x gave up: iteration limit (friction 123, lcp 123, murty 123, 1 more suite)"
        );
        for k in 0..20 {
            groups.count(kind(Severity::Broken, &format!("way {k}")), "lcp");
        }
        assert_eq!(groups.lines().len(), TOLD + 1);
        assert!(groups.lines()[TOLD].ends_with("x in 14 other ways"));
    }
}
