//! The results for a project's pages: a summary in Markdown, and a badge.

use serde_json::{Value, json};

use super::brief::Failures;
use super::scores::Scores;

/// Markdown, as a run of continuous integration shows it: what passed by suite, the kinds of failures, and the
/// worst of them in full behind a fold.
pub fn markdown(scores: &Scores, solver: &str, shown: Failures) -> String {
    let title = if scores.all_accepted() {
        "all accepted"
    } else {
        "not all accepted"
    };
    let mut parts = vec![
        format!("### Etalon: {title}"),
        fenced(solver),
        format!("**{}**", scores.summary()),
        table(&scores.to_value()),
    ];
    if !scores.all_accepted() {
        parts.push(fenced(&scores.kinds_told()));
        let full = scores.worst_told(shown);
        if !full.is_empty() {
            let fold = "<details><summary>The worst failures, each with the command that repeats it</summary>";
            parts.push(format!("{fold}\n\n{}\n\n</details>", fenced(&full)));
        }
    }
    parts.join("\n\n") + "\n"
}

/// What <https://shields.io/badges/endpoint-badge> reads. Red is a wrong answer or a crash; yellow a solver that
/// gave up, but was never wrong.
pub fn badge(scores: &Scores) -> String {
    let color = if scores.all_accepted() {
        "brightgreen"
    } else if scores.only_gave_up() {
        "yellow"
    } else {
        "red"
    };
    let message = scores.accepted_told();
    json!({"schemaVersion": 1, "label": "etalon", "message": message, "color": color}).to_string()
        + "\n"
}

/// A row for each suite.
fn table(value: &Value) -> String {
    let mut lines = vec![
        "| suite | sent | accepted |".to_owned(),
        "|---|--:|--:|".to_owned(),
    ];
    for suite in value["suites"].as_array().into_iter().flatten() {
        let name = suite["suite"].as_str().unwrap_or_default();
        // A bar would end the cell, and other signs would be markup: a folder may be called anything.
        let name: String = name.chars().map(escaped).collect();
        lines.push(format!(
            "| {name} | {} | {} |",
            suite["sent"], suite["accepted"]
        ));
    }
    lines.join("\n")
}

fn escaped(c: char) -> String {
    match c {
        '<' => "&lt;".to_owned(),
        '&' => "&amp;".to_owned(),
        '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' => format!("\\{c}"),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    }
}

/// A block of text that nothing in the text can end: its fence is longer than any run of backticks.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fenced("a ``` b"), "````text\na ``` b\n````");
        assert_eq!(fenced("plain"), "```text\nplain\n```");
    }

    #[test]
    fn a_name_of_a_suite_is_no_markup() {
        let value = json!({"suites": [{"suite": "a|b<c", "sent": 2, "accepted": 1}]});
        let last = table(&value).lines().last().map(str::to_owned);
        assert_eq!(last.as_deref(), Some("| a\\|b&lt;c | 2 | 1 |"));
    }
}
