//! `etalon report`: the page as a browser reads it, against the lines that it was made from.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod refusals;
mod tiles;

use std::collections::{BTreeMap, HashSet};

use crate::common::{ETALON, Ran, Workbench};
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

const QUICK: &str = "report --families pd,wall --sizes 3,6,12 --count 1 --budget 240s";

/// Answers zeros to everything.
const ZEROS: &str = r#"while read -r line; do
    name=${line#*\"name\":\"}
    zeros=$(echo "$line" | sed 's/.*"q":\[\([^]]*\)\].*/\1/; s/[^,][^,]*/0/g')
    echo "{\"name\": \"${name%%\"*}\", \"status\": \"solved\", \"z\": [$zeros]}"
done
"#;

fn report(bench: &Workbench, arguments: &str, words: &[&str]) -> Ran {
    let mut command = bench.command(arguments);
    command.args(words).output().unwrap().into()
}

/// The page, which has no mistake.
fn page(bench: &Workbench, file: &str) -> Html {
    let text = bench.read(file);
    let page = Html::parse_document(&text);
    assert_eq!(page.errors, Vec::<String>::new());
    assert_whole(&page, &text);
    page
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

/// What holds of every page: nothing is fetched, anchors are unique and met, plots have words.
fn assert_whole(page: &Html, source: &str) {
    let mut ids = HashSet::new();
    for element in all(page, "[id]") {
        let id = element.attr("id").unwrap();
        assert!(ids.insert(id.to_owned()), "twice: {id}");
    }
    for link in all(page, "[href]") {
        let target = link.attr("href").unwrap().strip_prefix('#');
        assert!(
            target.is_some_and(|id| ids.contains(id)),
            "{:?}",
            link.value()
        );
    }
    assert!(
        all(
            page,
            "[src], link, iframe, object, embed, base, img:not([alt])"
        )
        .is_empty()
    );
    for named in all(page, "[aria-labelledby]") {
        for id in named.attr("aria-labelledby").unwrap().split_whitespace() {
            assert!(ids.contains(id), "{id}");
        }
    }
    for plot in all(page, "svg:not([aria-hidden])") {
        assert_eq!(plot.attr("role"), Some("img"));
        let inside = Selector::parse("title, desc").unwrap();
        let words = plot.select(&inside);
        let words: Vec<_> = words.map(|e| e.text().collect::<String>()).collect();
        assert!(
            words.len() == 2 && words.iter().all(|w| !w.trim().is_empty()),
            "{words:?}"
        );
        let (points, bad) = (plot.html(), ["NaN", "inf"]);
        assert!(bad.iter().all(|word| !points.contains(&format!(" {word}"))));
    }
    for figure in all(page, "figure") {
        let inside = |what: &str| figure.select(&Selector::parse(what).unwrap()).count();
        assert_eq!(
            (inside("figcaption"), inside("svg.plot"), inside("table")),
            (1, 1, 1)
        );
    }
    for table in all(page, "table") {
        let inside = |what: &str| table.select(&Selector::parse(what).unwrap()).count();
        assert_eq!(inside("caption"), 1);
        // The script makes buttons of the headings: without it none would do anything.
        assert_eq!(
            (inside("thead th[scope=col]"), inside("button")),
            (inside("thead th"), 0)
        );
        let columns = inside("thead th");
        let rows = Selector::parse("tbody tr").unwrap();
        for row in table.select(&rows) {
            assert_eq!(row.child_elements().count(), columns);
        }
    }
    let headings = all(page, "h1, h2, h3, h4");
    let levels: Vec<u32> = headings
        .iter()
        .map(|h| h.value().name()[1..].parse().unwrap())
        .collect();
    assert_eq!(levels[0], 1);
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "{levels:?}"
    );
    assert_eq!(all(page, "main").len(), 1);
    assert_eq!(all(page, "html[lang]").len(), 1);
    for fetched in [
        "http:",
        "https:",
        "url(",
        "@import",
        "fetch(",
        "XMLHttpRequest",
    ] {
        assert!(!source.contains(fetched), "{fetched}");
    }
}

/// The cells of a table's body by the words in its caption.
fn table(page: &Html, caption: &str) -> Vec<Vec<String>> {
    let tables = all(page, "table");
    let title = |table: &&ElementRef<'_>| {
        let caption_of = Selector::parse("caption").unwrap();
        table
            .select(&caption_of)
            .any(|c| text(c).starts_with(caption))
    };
    let found = tables
        .iter()
        .find(title)
        .unwrap_or_else(|| unreachable!("{caption}"));
    let rows = Selector::parse("tbody tr").unwrap();
    let rows = found.select(&rows);
    rows.map(|row| row.child_elements().map(text).collect())
        .collect()
}

/// A failure as the page shows it.
struct Failed {
    anchor: String,
    name: String,
    facts: Vec<String>,
    reason: String,
    command: String,
    text: String,
}

/// The failures in the order of the page.
fn failures(page: &Html) -> Vec<Failed> {
    let shown = all(page, "article.failure").into_iter().map(|failure| {
        let inside = |what: &str| {
            let selector = Selector::parse(what).unwrap();
            failure.select(&selector).map(text).collect::<Vec<_>>()
        };
        let one = |what: &str| inside(what).into_iter().next().unwrap_or_default();
        Failed {
            anchor: failure.attr("id").unwrap().to_owned(),
            name: one("h4"),
            facts: inside(".facts span"),
            reason: one(".reason"),
            command: one("pre.command"),
            text: text(failure),
        }
    });
    shown.collect()
}

/// The exit status of a line in a shell that finds `etalon`.
fn shell(bench: &Workbench, line: &str) -> i32 {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("etalon() {{ '{ETALON}' \"$@\"; }}; {line}")]);
    let quiet = shell.stdout(std::process::Stdio::null());
    let status = quiet.current_dir(bench.path()).status().unwrap();
    status.code().unwrap()
}

/// Answers of three suites: many failures of many kinds, the large ones with long reasons.
fn three_suites() -> String {
    let mut lines = String::new();
    for suite in ["statics", "generated", "siconos"] {
        for solver in ["mine", "certified", "fast-auto", "fast-lemke"] {
            for k in 0..400_u32 {
                let n = 5 << (k % 6);
                let mut line = json!({
                    "solver": solver, "suite": suite, "name": format!("{suite}/{k}"), "n": n,
                    "verdict": "accepted", "error": 1e-12, "seconds": 1e-8 * f64::from(n * n),
                });
                if solver == "mine" && k % 2 == 0 {
                    line["verdict"] = "rejected".into();
                    line["grade"] = ["gross", "wrong", "noise"][(k / 2 % 3) as usize].into();
                    line["reason"] = "row 0: w = -0.123456789012345678 ".repeat(40).into();
                    line["command"] =
                        format!("etalon diff --solver mine {suite} --only {suite}/{k}").into();
                    let numbers = vec![0.123_456_789; 400];
                    line["small"] = json!({
                        "name": format!("wrong-{suite}-{k}"), "text": "M = | 0 1 |\n".repeat(400),
                        "problem": {"M": [numbers]}, "command": "etalon diff",
                    });
                } else if solver == "mine" {
                    line["verdict"] = "failed".into();
                    line["failure"] = "exited".into();
                    line["reason"] = format!(
                        "it ended: {}",
                        ["a", "b", "c", "d", "e", "f"][(k % 6) as usize]
                    )
                    .into();
                }
                lines += &format!("{line}\n");
            }
        }
    }
    lines
}

#[test]
fn the_page_of_three_suites_is_small_and_shows_the_worst_failures_first() {
    let bench = Workbench::new();
    bench.write("o.jsonl", three_suites());
    let ran = report(&bench, "report --from o.jsonl", &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let source = bench.read("report.html");
    assert!(source.len() < 300_000, "{} bytes", source.len());
    let page = page(&bench, "report.html");
    let shown = failures(&page);
    // Five of each kind: three grades, and a way of ending for each odd remainder by six.
    assert_eq!(shown.len(), 6 * 5);
    let severities: Vec<_> = shown.iter().step_by(5).map(|row| &*row.facts[0]).collect();
    assert_eq!(
        severities,
        [
            "gross",
            "wrong",
            "noise",
            "no answer",
            "no answer",
            "no answer"
        ]
    );
    let kinds: Vec<String> = all(&page, "details.kind > summary")
        .into_iter()
        .map(text)
        .collect();
    assert_eq!(
        kinds[0],
        "201 x rejected, gross (generated 67, siconos 67, statics 67)"
    );
    assert_eq!(all(&page, "details.kind[open]").len(), 1);
    assert!(text(all(&page, "details.kind")[0]).contains("196 more of this kind"));
    // Small problems first, and `--failures` shows more.
    assert_eq!(shown[0].facts[1], "5 rows");
    let ran = report(&bench, "report --from o.jsonl --failures 7", &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(failures(&self::page(&bench, "report.html")).len(), 6 * 7);
    let json = report(&bench, "report --from o.jsonl --json", &[]).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["failures"].as_array().unwrap().len(), 1200);
    assert_eq!(json["failures"][0]["grade"], "gross");
}

#[test]
fn without_time_nothing_is_run_and_the_page_says_so() {
    let bench = Workbench::new();
    bench.write("p.json", r#"{"name": "p", "M": [[2]], "q": [-1]}"#);
    bench.write("touched.sh", "touch asked\ncat >/dev/null\n");
    for paths in ["p.json --families none", "p.json"] {
        let arguments = format!("report --budget 0s --lines o.jsonl {paths}");
        let ran = report(&bench, &arguments, &["--solver", "mine=sh touched.sh"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_eq!(bench.read("o.jsonl"), "");
        assert!(!bench.path().join("asked").exists());
        let notes = text(all(&page(&bench, "report.html"), ".notes")[0]);
        assert!(notes.contains("Not run: out of budget."), "{notes}");
    }
}

#[test]
fn trajectories_are_shown_on_request_only() {
    let bench = Workbench::new();
    bench.write("o.jsonl", "{\"name\": \"p\", \"verdict\": \"exact\"}\n");
    let cards = |arguments: &str| {
        let ran = report(&bench, arguments, &[]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        all(&page(&bench, "report.html"), "#motion article").len()
    };
    assert_eq!(cards("report --from o.jsonl"), 0);
    assert!(cards("report --trajectories --from o.jsonl") > 10);
}

#[test]
fn the_page_says_what_the_lines_say() {
    let bench = Workbench::new();
    bench.write("zeros.sh", ZEROS);
    let right = format!("right={ETALON} solve --method fast-auto -");
    let words = ["--solver", "zeros=sh zeros.sh", "--solver", &right];
    let ran = report(
        &bench,
        &format!("{QUICK} --json --lines o.jsonl --shrink 20s --failures all"),
        &words,
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = page(&bench, "report.html");
    let lines = bench.read("o.jsonl");
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut sent: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for line in &lines {
        let counts = sent.entry(line["solver"].as_str().unwrap()).or_default();
        counts.0 += 1;
        counts.1 += u64::from(line["passed"].as_bool().unwrap());
    }
    assert_eq!(sent["right"], (6, 6));
    assert!(sent["zeros"].1 < 6 && sent["fast-auto"] == (6, 6) && sent["certified"] == (6, 6));
    let board = table(&page, "All solvers");
    assert_eq!(board.len(), sent.len());
    for row in &board {
        let (asked, passed) = sent[&*row[0]];
        assert_eq!(
            (&row[2], &row[3]),
            (&asked.to_string(), &passed.to_string()),
            "{row:?}"
        );
    }
    // Every failure, each with its small problem.
    let failed: Vec<&Value> = lines
        .iter()
        .filter(|l| l["solver"] == "zeros" && l["passed"] == false)
        .collect();
    assert!(!failed.is_empty());
    let shown = failures(&page);
    assert_eq!(shown.len(), failed.len());
    for line in failed {
        let row = shown
            .iter()
            .find(|row| row.name == line["name"].as_str().unwrap())
            .unwrap();
        assert!(row.anchor.starts_with("failure-zeros-"));
        assert_eq!(row.reason, line["reason"].as_str().unwrap());
        assert!(row.text.contains(line["small"]["name"].as_str().unwrap()));
        assert_eq!(row.facts[0], line["grade"].as_str().unwrap());
        assert_eq!(row.command, line["command"].as_str().unwrap());
        // What the page says shows the failure again.
        assert_eq!(shell(&bench, &row.command), 1, "{}", row.command);
    }
    let texts: Vec<String> = all(&page, ".failure pre").into_iter().map(text).collect();
    assert!(
        texts
            .iter()
            .any(|t| t.contains("M = |") && t.contains("exactly:")),
        "{texts:?}"
    );
    // The summary is the same story.
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let solvers = json["solvers"].as_array().unwrap();
    for solver in solvers {
        let (asked, passed) = sent[solver["name"].as_str().unwrap()];
        assert_eq!(
            (&solver["sent"], &solver["counts"]["solved"]),
            (&asked.into(), &passed.into())
        );
    }
    assert_eq!(json["failures"].as_array().unwrap().len(), shown.len());
    // The user's solvers come first, in the order in which they were named.
    assert_eq!((&*board[0][0], &*board[1][0]), ("zeros", "right"));
    let lead = text(all(&page, ".lead")[0]);
    assert!(lead.starts_with("zeros: "), "{lead}");
    assert!(!json["bits"].as_array().unwrap().is_empty());
    let exponents = table(&page, "Fitted exponents");
    assert_eq!(exponents.len(), json["growth"].as_array().unwrap().len());
    // And the lines make the same scoreboard again, without a run.
    let again = report(
        &bench,
        "report --from o.jsonl --out again.html --failures all",
        &[],
    );
    assert_eq!(again.status, 0, "{}", again.stderr);
    let again = self::page(&bench, "again.html");
    let mut boards = [board, table(&again, "All solvers")];
    boards.iter_mut().for_each(|board| board.sort());
    assert_eq!(boards[0], boards[1]);
    let anchors = |shown: &[Failed]| -> Vec<String> {
        let mut anchors: Vec<_> = shown.iter().map(|row| row.anchor.clone()).collect();
        anchors.sort();
        anchors
    };
    assert_eq!(anchors(&failures(&again)), anchors(&shown));
}

#[test]
fn lines_are_valid_outcomes() {
    let schema = serde_json::from_str(etalon_evidence::outcome::SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let bench = Workbench::new();
    bench.write("zeros.sh", ZEROS);
    bench.write("p.json", r#"{"name": "p", "M": [[2]], "q": [-1]}"#);
    let words = ["--solver", "sh zeros.sh", "--solver", "gone=sh -c exit"];
    let ran = report(
        &bench,
        "report --families none p.json --budget 120s --lines o.jsonl",
        &words,
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let diff = report(
        &bench,
        "diff --lines d.jsonl p.json --solver",
        &["sh zeros.sh"],
    );
    assert_eq!(diff.status, 1, "{}", diff.stderr);
    let lines = bench.read("o.jsonl") + &bench.read("d.jsonl");
    assert!(lines.contains("\"failure\":") && lines.contains("\"small\":"));
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Err(error) = schema.validate(&line) {
            unreachable!("{}: {error}: {line}", error.instance_path());
        }
    }
}

#[test]
fn trajectories_are_pictures_with_their_energy() {
    let bench = Workbench::new();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/trajectories");
    let words = [
        "--trajectories",
        &format!("{golden}/rod-0.02.jsonl"),
        "--trajectories",
        &format!("{golden}/stack-drop.jsonl"),
    ];
    bench.write("o.jsonl", "{\"name\": \"p\", \"verdict\": \"exact\"}\n");
    let ran = report(&bench, "report --from o.jsonl", &words);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = page(&bench, "report.html");
    let titles: Vec<String> = all(&page, "#motion figcaption")
        .into_iter()
        .map(text)
        .collect();
    assert_eq!(
        titles,
        [
            "Bodies and paths",
            "Energy",
            "Bodies and paths",
            "Coordinates over time",
            "Energy"
        ]
    );
    // Outlines: of the rod at six moments at least, and of what stays.
    let plan = all(&page, "#motion svg.plot")[0];
    let polygons = Selector::parse("polygon").unwrap();
    assert!(plan.select(&polygons).count() >= 7);
    let energy = table(&page, "Energy of each trajectory");
    assert_eq!(energy[0][..3], ["rod-0.02", "50", "0.02"]);
    assert_eq!(energy[0][3], "9.8260");
}
