//! The counts at the head of the page.

use super::*;

/// Each way of answering is counted by itself, under the word of the scoreboard, and the counts add up: refusals are no
/// silence, and nothing is left out.
#[test]
fn tiles_count_each_way_of_answering() {
    let bench = Workbench::new();
    let ways = [
        (4, r#""verdict": "accepted", "passed": true"#),
        (2, r#""verdict": "rejected", "grade": "gross""#),
        (1, r#""verdict": "rejected", "grade": "noise""#),
        (1, r#""verdict": "perturbed", "passed": false"#),
        (5, r#""verdict": "failed""#),
        (2, r#""verdict": "unproved""#),
        (3, r#""verdict": "failed", "failure": "crashed""#),
        (1, r#""verdict": "failed", "failure": "hung""#),
    ];
    let lines = ways.iter().flat_map(|(count, way)| vec![way; *count]);
    let lines = lines
        .enumerate()
        .map(|(k, way)| format!("{{\"name\": \"p{k}\", {way}}}\n"));
    bench.write("v.jsonl", lines.collect::<String>());
    let ran = report(&bench, "report --from mine=v.jsonl", &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = page(&bench, "report.html");
    let tiles = all(&page, ".tiles dt").into_iter().map(text);
    let tiles: Vec<(String, String)> = tiles
        .zip(all(&page, ".tiles dd").into_iter().map(text))
        .collect();
    let tiles: Vec<(&str, &str)> = tiles.iter().map(|(a, b)| (&**a, &**b)).collect();
    let expected = [
        ("answers judged", "19"),
        ("solved", "4"),
        ("wrong, called solved", "3"),
        ("of these gross", "2"),
        ("neighbour", "1"),
        ("refused", "7"),
        ("crashed", "3"),
        ("hung", "1"),
    ];
    assert_eq!(tiles[..expected.len()], expected);
    let lead = text(all(&page, ".lead")[0]);
    assert!(
        lead.starts_with("mine: 4 of 19 answers are right, 3 called solved and wrong (2 gross), 7 refused, 4 without an answer."),
        "{lead}"
    );
}
