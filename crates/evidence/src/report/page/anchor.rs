//! Permanent anchors: the same failure has the same address in every report.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

/// Characters of a name that an anchor shows; the digest tells names apart.
const SHOWN: usize = 32;

/// The anchors of a page, each given once.
#[derive(Default)]
pub struct Anchors(BTreeSet<String>);

impl Anchors {
    /// The anchor of a failure of a solver on a problem. It depends on these two names alone; the same pair a second time
    /// gets a number.
    pub fn of(&mut self, solver: &str, problem: &str) -> String {
        let digest = Sha256::new()
            .chain_update(solver)
            .chain_update([0])
            .chain_update(problem)
            .finalize();
        let digits: String = digest.iter().take(4).map(|b| format!("{b:02x}")).collect();
        let own = format!("failure-{}-{}-{digits}", plain(solver), plain(problem));
        let numbered = (2..).map(|k: u32| format!("{own}-{k}"));
        let mut all = std::iter::once(own.clone()).chain(numbered);
        all.find(|anchor| self.0.insert(anchor.clone()))
            .unwrap_or(own)
    }
}

/// The start of a name in letters, digits and hyphens.
fn plain(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    name.chars().take(SHOWN).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_depend_on_the_names_alone_and_are_unique() {
        let anchor = Anchors::default().of("mine", "pd/n5/s1/0");
        // Written down: a link to a failure outlives versions of this program.
        assert_eq!(anchor, "failure-mine-pd-n5-s1-0-29530aab");
        let mut anchors = Anchors::default();
        let other = anchors.of("mine", "pd/n5/s1-0");
        assert_ne!(anchors.of("mine", "pd/n5/s1/0"), other);
        assert_eq!(anchors.of("mine", "pd/n5/s1/0"), anchor.clone() + "-2");
        let evil = anchors.of("\"><script>", &"x".repeat(500));
        assert!(
            evil.len() < 100 && !evil.contains(['<', '"', '>']),
            "{evil}"
        );
    }
}
