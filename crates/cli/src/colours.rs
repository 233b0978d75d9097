//! Words in colour, on terminals that show colours: the one place that says which word has which.
//!
//! The text that is made here holds the codes; what prints it takes them out where the reader is no terminal, or wants none
//! (`NO_COLOR`). Text for files goes through [`plain`].

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use etalon_lcp::VerdictKind;

/// Bold in that colour.
pub fn bold(color: AnsiColor) -> Style {
    color.on_default().bold()
}

/// A word for what is right.
pub fn good(word: impl Display) -> String {
    painted(AnsiColor::Green, word)
}

/// A word for what is wrong.
pub fn bad(word: impl Display) -> String {
    painted(AnsiColor::Red, word)
}

/// A word for what is neither.
pub fn doubtful(word: impl Display) -> String {
    painted(AnsiColor::Yellow, word)
}

/// The word of a verdict: green where the claim is right, red where it is wrong, yellow where it answers a neighbour of
/// the problem or nothing is decided.
pub fn verdict(kind: VerdictKind) -> String {
    painted(of_verdict(kind), kind.word())
}

/// "3 failures", "1 failure": green for none.
pub fn failures(count: usize) -> String {
    let several = if count == 1 { "" } else { "s" };
    let text = format!("{count} failure{several}");
    if count == 0 { good(text) } else { bad(text) }
}

/// A table whose cells that are the word of a verdict have its colour. Its columns have their widths already: codes would
/// count as characters.
pub fn verdict_cells(table: &str) -> String {
    cells(table, |word| {
        let mut kinds = VerdictKind::ALL.into_iter();
        kinds.find(|kind| kind.word() == word).map(verdict)
    })
}

/// A table whose cells are shown in another way where there is one.
pub fn cells(table: &str, shown: impl Fn(&str) -> Option<String>) -> String {
    let painted = |cell: &str| {
        let word = cell.trim();
        match shown(word) {
            Some(shown) => cell.replacen(word, &shown, 1),
            None => cell.to_owned(),
        }
    };
    let lines = table
        .lines()
        .map(|line| line.split('|').map(painted).collect::<Vec<_>>().join("|"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A line that counts failures of a kind, "2 x rejected, gross (p 2)", whose verdict has its colour.
pub fn counted(line: &str) -> String {
    let Some((count, kind)) = line.split_once(" x ") else {
        return line.to_owned();
    };
    let mut kinds = VerdictKind::ALL.into_iter();
    match kinds.find(|own| kind.starts_with(own.word())) {
        Some(own) => format!("{count} x {}", kind.replacen(own.word(), &verdict(own), 1)),
        None => line.to_owned(),
    }
}

/// The text without colours, for a file.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn of_verdict(kind: VerdictKind) -> AnsiColor {
    match kind {
        VerdictKind::Exact | VerdictKind::Accepted | VerdictKind::Proved => AnsiColor::Green,
        VerdictKind::Rejected | VerdictKind::Refuted | VerdictKind::Failed => AnsiColor::Red,
        // Also a kind that this program does not know yet: nothing is said of whether it is right.
        _ => AnsiColor::Yellow,
    }
}

fn painted(color: AnsiColor, word: impl Display) -> String {
    let style = bold(color);
    format!("{style}{word}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_is_one() {
        for (count, text) in [(0, "0 failures"), (1, "1 failure"), (2, "2 failures")] {
            let shown = failures(count);
            assert!(shown.contains(text), "{shown}");
            assert_eq!(shown.contains("failures"), count != 1, "{shown}");
        }
    }

    #[test]
    fn right_verdicts_are_green_wrong_ones_red_and_others_yellow() {
        let [green, red, yellow] = ["\u{1b}[32m", "\u{1b}[31m", "\u{1b}[33m"];
        for kind in VerdictKind::ALL {
            let colour = match kind.word() {
                "exact" | "accepted" | "proved" => green,
                "rejected" | "refuted" | "failed" => red,
                "perturbed" | "unproved" => yellow,
                other => panic!("no colour is agreed on for {other}"),
            };
            let shown = verdict(kind);
            assert!(shown.contains(colour), "{shown:?}");
            assert_eq!(plain(&shown), kind.word());
        }
    }

    #[test]
    fn only_cells_that_are_verdicts_are_coloured() {
        let table = "| verdict  | claims |\n|----------|--------|\n| rejected |      1 |\n| rejected ones |";
        let shown = verdict_cells(table);
        assert_eq!(plain(&shown), table);
        let rejected = verdict(VerdictKind::Rejected);
        assert_eq!(shown.matches(&rejected).count(), 1);
        assert!(
            shown.contains(&format!("| {rejected} |      1 |")),
            "{shown:?}"
        );
    }
}
