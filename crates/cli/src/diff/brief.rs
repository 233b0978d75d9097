//! Failures in few lines: how many of each kind are shown, and each of them in one line.

/// Lines for kinds of failures and the failures below them.
const LINES: usize = 6;

/// Characters of a line.
const WIDTH: usize = 100;

/// Characters of the last clause of a reason that stays whole where the reason is cut.
const CLAUSE: usize = 40;

/// The mark of a cut.
const CUT: &str = " ...";

/// How many failures of each kind that is told have a line: one, and of the worst kind with several as many as there is room for.
pub fn examples(told: usize, counts: impl Iterator<Item = u64>) -> Vec<usize> {
    let mut room = LINES.saturating_sub(2 * told);
    let each = counts.take(told).map(|count| {
        let more = room.min(
            usize::try_from(count)
                .unwrap_or(usize::MAX)
                .saturating_sub(1),
        );
        room -= more;
        1 + more
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
    fn each_kind_has_an_example_and_the_first_with_many_has_more() {
        let shown = |counts: &[u64]| examples(counts.len(), counts.iter().copied());
        assert_eq!(shown(&[4092]), [5]);
        assert_eq!(shown(&[2]), [2]);
        assert_eq!(shown(&[4034, 58]), [3, 1]);
        assert_eq!(shown(&[1, 58]), [1, 3]);
        assert_eq!(shown(&[9, 9, 9]), [1, 1, 1]);
        assert_eq!(shown(&[9, 9, 9, 9]), [1, 1, 1, 1]);
        assert_eq!(examples(1, [9, 9, 9].into_iter()), [5]);
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
