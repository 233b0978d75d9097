//! Failures in few lines: how many of each kind are shown, and each of them in one line.

use std::str::FromStr;

/// Lines of all that is printed.
const LINES: usize = 10;

/// Failures that have a line.
const EXAMPLES: usize = 5;

/// Characters of a line.
const WIDTH: usize = 100;

/// Characters of the last clause of a reason that stays whole where the reason is cut.
const CLAUSE: usize = 40;

/// The mark of a cut.
const CUT: &str = " ...";

/// How many failures are shown in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failures {
    All,
    Most(usize),
}

impl FromStr for Failures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => (text.parse().map(Self::Most)).map_err(|_| "write a number, or all".to_owned()),
        }
    }
}

/// How many failures of each kind have a line beside so many `other` lines: one of each as long as there is room, then of the
/// worst kind with several as many as there is room for. The worst failure has one anyhow.
pub fn examples(other: usize, counts: &[u64]) -> Vec<usize> {
    let mut room = LINES.saturating_sub(other).clamp(1, EXAMPLES);
    let mut take = |most: usize| {
        let some = most.min(room);
        room -= some;
        some
    };
    let one: Vec<usize> = counts.iter().map(|_| take(1)).collect();
    let each = one.iter().zip(counts).map(|(one, count)| {
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        one + take(count.saturating_sub(*one))
    });
    each.collect()
}

/// A failure in one line, cut between words where it is too long.
pub fn line(name: &str, reason: &str) -> String {
    let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = format!("  {name}: ");
    let room = WIDTH.saturating_sub(start.chars().count()).max(CLAUSE);
    start + &shortened(&reason, room)
}

/// A reason in so many characters. Its last clause, which has the error, stays where it is short.
fn shortened(reason: &str, room: usize) -> String {
    if reason.chars().count() <= room {
        return reason.to_owned();
    }
    let (head, clause) = match reason.rsplit_once("; ") {
        Some((head, clause)) if clause.chars().count() <= CLAUSE => (head, format!("; {clause}")),
        _ => (reason, String::new()),
    };
    let room = room.saturating_sub(clause.chars().count() + CUT.len());
    let start: String = head.chars().take(room).collect();
    let ends_a_word = head[start.len()..].starts_with(' ');
    let whole = match start.rfind(' ') {
        Some(at) if !ends_a_word => &start[..at],
        _ => &start,
    };
    format!("{}{CUT}{clause}", whole.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_an_example_where_ten_lines_have_room_and_the_first_with_many_has_more() {
        // The kinds' own lines, the two commands and the summary.
        let shown = |counts: &[u64]| examples(counts.len() + 3, counts);
        assert_eq!(shown(&[4092]), [5]);
        assert_eq!(shown(&[2]), [2]);
        assert_eq!(shown(&[4034, 58]), [4, 1]);
        assert_eq!(shown(&[1, 58]), [1, 4]);
        assert_eq!(shown(&[9, 9, 9]), [2, 1, 1]);
        assert_eq!(shown(&[9, 9, 9, 9]), [1, 1, 1, 0]);
        assert_eq!(examples(8, &[9, 9, 9]), [1, 1, 0]);
        assert_eq!(examples(12, &[9, 9, 9]), [1, 0, 0]);
    }

    #[test]
    fn a_line_has_100_characters_and_keeps_the_error() {
        let reason = "row 0: w = -10 must not be negative where z is at its lower bound; error 1/2";
        assert_eq!(line("a", reason), format!("  a: {reason}"));
        let long = line("painleve/accel_critical_p_zero", reason);
        assert_eq!(
            long,
            "  painleve/accel_critical_p_zero: row 0: w = -10 must not be negative where z is at ...; error 1/2"
        );
        for text in ["x".repeat(300), "word ".repeat(60), "\u{e9} ".repeat(200)] {
            let cut = line("name", &text);
            assert!(cut.chars().count() <= WIDTH && cut.ends_with(CUT), "{cut}");
        }
        let name = "n".repeat(200);
        assert!(line(&name, reason).ends_with("error 1/2"));
    }
}
