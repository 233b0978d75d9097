//! Failures of one kind told once: "492 x gave up: iteration limit (lcp 300, statics 192)".

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etalon_conformance::FailureClass;

/// Kinds that are told one by one; what is beyond them is counted together.
pub const TOLD: usize = 8;

/// Suites that are named of a kind.
const SUITES: usize = 3;

/// How often each kind is met, by suite.
#[derive(Debug, Clone, Default)]
pub struct Groups(BTreeMap<FailureClass, Members>);

/// The failures of one kind.
#[derive(Debug, Clone)]
struct Members {
    /// The words of all of them, where they are the same with all numbers.
    words: Option<String>,
    suites: BTreeMap<String, u64>,
}

/// A kind of failure, with how often it is met.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// The kind.
    pub kind: &'a FailureClass,
    /// Its words: with the numbers that all its members share, else with `#` for them.
    pub words: &'a str,
    /// How many failures are of it.
    pub count: u64,
    /// How many, by suite.
    pub suites: &'a BTreeMap<String, u64>,
}

impl Groups {
    /// Counts a failure of that kind, with its own words.
    pub fn count(&mut self, kind: FailureClass, words: String, suite: &str) {
        let members = self.0.entry(kind).or_insert_with(|| Members {
            words: Some(words.clone()),
            suites: BTreeMap::new(),
        });
        members.words.take_if(|shared| *shared != words);
        *members.suites.entry(suite.to_owned()).or_default() += 1;
    }

    /// The kinds with their counts: the worst first, of one severity the most frequent.
    pub fn sorted(&self) -> Vec<Group<'_>> {
        let counted = self.0.iter().map(|(kind, members)| Group {
            kind,
            words: members.words.as_ref().unwrap_or(&kind.words),
            count: members.suites.values().sum(),
            suites: &members.suites,
        });
        let mut sorted: Vec<_> = counted.collect();
        sorted.sort_by_key(|group| group.kind.key(group.count));
        sorted
    }

    /// A line for each of at most so many kinds, and one for the others.
    pub fn lines(&self, most: usize) -> Vec<String> {
        self.lines_with(most, |_, _| Vec::new())
    }

    /// As [`Groups::lines`], and below each kind what is shown of it, by its position.
    pub fn lines_with(
        &self,
        most: usize,
        below: impl Fn(usize, &FailureClass) -> Vec<String>,
    ) -> Vec<String> {
        let sorted = self.sorted();
        let told = self.told(most);
        let mut lines = Vec::new();
        for (at, group) in sorted.iter().take(told).enumerate() {
            lines.push(heading(group));
            lines.extend(below(at, group.kind));
        }
        lines.extend(rest(&sorted, told));
        lines
    }

    /// How many kinds have a line of their own: a line that counts one kind is no shorter than one that tells it.
    pub fn told(&self, most: usize) -> usize {
        let kinds = self.0.len();
        if kinds == most.saturating_add(1) {
            kinds
        } else {
            kinds.min(most)
        }
    }
}

/// A kind with its count and the suites that have most of it; of many suites the families are counted together.
pub fn heading(group: &Group<'_>) -> String {
    let Group { count, suites, .. } = group;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (suite, count) in *suites {
        let whole = suite.split('/').next().unwrap_or(suite);
        *counts.entry(whole).or_default() += count;
    }
    if suites.len() <= SUITES || counts.len() == 1 {
        counts = suites.iter().map(|(name, k)| (&**name, *k)).collect();
    }
    let mut by_count: Vec<(&str, u64)> = counts.into_iter().collect();
    by_count.sort_by_key(|(_, count)| Reverse(*count));
    let named = by_count.iter().take(SUITES);
    let mut named: Vec<String> = named
        .map(|(suite, count)| format!("{suite} {count}"))
        .collect();
    if by_count.len() > SUITES {
        named.push(format!("{} more", by_count.len() - SUITES));
    }
    format!("{count} x {} ({})", group.words, named.join(", "))
}

/// What is said of the kinds that are not told one by one, where there are such.
pub fn rest(sorted: &[Group<'_>], told: usize) -> Option<String> {
    let rest = &sorted[sorted.len().min(told)..];
    let count: u64 = rest.iter().map(|group| group.count).sum();
    (!rest.is_empty()).then(|| format!("{count} x in {} other ways", rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_conformance::Severity;

    fn count(groups: &mut Groups, severity: Severity, words: &str, suite: &str) {
        groups.count(kind(severity, words), words.to_owned(), suite);
    }

    fn kind(severity: Severity, words: &str) -> FailureClass {
        let words = words.to_owned();
        FailureClass { severity, words }
    }

    #[test]
    fn kinds_are_told_once_the_worst_first() {
        let mut groups = Groups::default();
        for k in 0..492 {
            let suite = ["lcp", "statics", "friction", "murty"][k % 4];
            count(
                &mut groups,
                Severity::GaveUp,
                "gave up: iteration limit",
                suite,
            );
        }
        count(&mut groups, Severity::Gross, "rejected, gross", "lcp");
        let lines = groups.lines(TOLD);
        assert_eq!(lines[0], "1 x rejected, gross (lcp 1)");
        assert_eq!(
            lines[1],
            "492 x gave up: iteration limit (friction 123, lcp 123, murty 123, 1 more)"
        );
        let mut families = Groups::default();
        for suite in ["cone/edge", "lcp/pd", "lcp/p", "lcp/murty"] {
            count(&mut families, Severity::Gross, "rejected, gross", suite);
        }
        let folded = families.lines(TOLD);
        assert_eq!(folded, ["4 x rejected, gross (lcp 3, cone 1)"]);
        let mut two = groups.clone();
        count(
            &mut two,
            Severity::Wrong,
            "rejected, beyond the tolerance",
            "lcp",
        );
        assert_eq!((two.lines(1).len(), two.lines(2).len()), (2, 3));
        for k in 0..20 {
            count(&mut groups, Severity::Broken, &format!("way {k}"), "lcp");
        }
        assert_eq!(groups.lines(TOLD).len(), TOLD + 1);
        assert!(groups.lines(TOLD)[TOLD].ends_with("x in 14 other ways"));
    }

    #[test]
    fn numbers_that_all_members_share_are_told() {
        let mut groups = Groups::default();
        let silent = || kind(Severity::Broken, "no answer, hung: no answer within # s");
        let words = |seconds| format!("no answer, hung: no answer within {seconds} s");
        groups.count(silent(), words(2), "lcp");
        groups.count(silent(), words(2), "lcp");
        let line = ["2 x no answer, hung: no answer within 2 s (lcp 2)"];
        assert_eq!(groups.lines(TOLD), line);
        groups.count(silent(), words(3), "lcp");
        groups.count(silent(), words(2), "lcp");
        let line = ["4 x no answer, hung: no answer within # s (lcp 4)"];
        assert_eq!(groups.lines(TOLD), line);
    }
}
