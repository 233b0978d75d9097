//! The report in a real browser: tables sort, and a narrow screen does not scroll sideways. Ignored,
//! and listed so, where no Chromium is installed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "it/common/mod.rs"]
mod common;

use std::process::{Command, Stdio};

use common::Workbench;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// What is looked at in the page: the order after clicks, what assistive technology is told, and how
/// wide the page is.
const PROBE: &str = r#"
const table = document.querySelector("table.sortable");
const names = () => Array.from(table.tBodies[0].rows, (row) => row.cells[0].textContent);
const heading = (word) => Array.from(table.tHead.rows[0].cells).find((cell) => cell.textContent.startsWith(word));
const sorted = (word) => {
  heading(word).querySelector("button").click();
  return { names: names(), sort: heading(word).getAttribute("aria-sort"), others: table.querySelectorAll("[aria-sort]").length };
};
const button = heading("sent").querySelector("button");
button.focus();
parent.postMessage(JSON.stringify({
  at_first: names(),
  by_name: sorted("solver"),
  by_sent: sorted("sent"),
  by_sent_again: sorted("sent"),
  by_error: sorted("worst"),
  by_error_again: sorted("worst"),
  said: document.getElementById("announcer").textContent,
  focused: document.activeElement === button,
  width: document.documentElement.scrollWidth,
  window: document.documentElement.clientWidth,
  wide: Array.from(document.querySelectorAll("main *")).filter((e) => !e.closest(".scroll, pre, svg") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.tagName + "." + e.className).slice(0, 5),
}), "*");
"#;

fn main() {
    let arguments = Arguments::from_args();
    let browser = BROWSERS.into_iter().find(|name| is_there(name));
    let test = |name: &'static str, run: fn(&str) -> Result<(), Failed>| {
        Trial::test(name, move || run(browser.unwrap_or_default()))
            .with_ignored_flag(browser.is_none())
    };
    let trials = vec![
        test("tables_sort_by_their_headings_needs_chromium", tables_sort),
        test("a_narrow_screen_scrolls_no_page_needs_chromium", narrow),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

fn is_there(browser: &str) -> bool {
    let mut command = Command::new(browser);
    let quiet = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// What the probe sees in a window so wide.
fn looked_at(browser: &str, width: u32) -> Value {
    let bench = Workbench::new();
    let outcome = |solver: &str, n: u32, error: Option<&str>| {
        json!({
            "solver": solver, "suite": "a-suite-with-a-rather-long-name", "name": format!("p{n}"),
            "verdict": "accepted", "n": n, "seconds": 1e-6 * f64::from(n * n),
            "backward_error": error.map(|e| e.parse::<f64>().unwrap()),
        })
    };
    let mut lines = Vec::new();
    for (solver, count, error) in [
        ("solver 10", 9, Some("1e-12")),
        ("solver 2", 10, Some("3e-9")),
        ("Solver 1", 8, None),
    ] {
        lines.extend((1..=count).map(|n| outcome(solver, n, error).to_string() + "\n"));
    }
    let wrong = json!({
        "solver": "solver 2", "suite": "s", "name": "n".repeat(90), "verdict": "rejected", "reason": "row 0: ".repeat(30),
        "small": {"name": "wrong-1", "text": "M = | ".repeat(60), "problem": {"M": [vec![0.1; 60]]}, "command": "x".repeat(200)},
    });
    lines.push(wrong.to_string() + "\n");
    bench.write("o.jsonl", lines.concat());
    let golden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden/trajectories/rod-0.02.jsonl"
    );
    let ran = bench.run_words(&["report", "--from", "o.jsonl", "--trajectories", golden]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let page = bench.read("report.html");
    let page = page.replace("</body>", &format!("<script>{PROBE}</script></body>"));
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    bench.write(
        "outer.html",
        format!(
            "<!DOCTYPE html><pre id=seen></pre><script>addEventListener('message', (e) => {{ document.getElementById('seen').textContent = e.data; }});</script><iframe style=\"width:{width}px;height:800px;border:0\" srcdoc=\"{page}\"></iframe>"
        ),
    );
    let profile = bench.path().join("profile");
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ])
        .args([
            "--virtual-time-budget=20000",
            "--window-size=1600,1000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!(
            "file://{}",
            bench.path().join("outer.html").display()
        ))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let dom = scraper::Html::parse_document(&dom);
    let seen = scraper::Selector::parse("#seen").unwrap();
    let seen: String = dom.select(&seen).next().unwrap().text().collect();
    serde_json::from_str(&seen).unwrap_or_else(|error| unreachable!("{error}: {seen:?}"))
}

fn tables_sort(browser: &str) -> Result<(), Failed> {
    let seen = looked_at(browser, 1200);
    assert_eq!(
        seen["at_first"],
        json!(["solver 10", "solver 2", "Solver 1"])
    );
    // Words as people read them, numbers by value, what has none last in both directions.
    assert_eq!(
        seen["by_name"]["names"],
        json!(["Solver 1", "solver 2", "solver 10"])
    );
    assert_eq!(
        seen["by_sent"]["names"],
        json!(["Solver 1", "solver 10", "solver 2"])
    );
    assert_eq!(seen["by_sent"]["sort"], "ascending");
    assert_eq!(
        seen["by_sent_again"]["names"],
        json!(["solver 2", "solver 10", "Solver 1"])
    );
    assert_eq!(seen["by_sent_again"]["sort"], "descending");
    assert_eq!(
        seen["by_error"]["names"],
        json!(["solver 10", "solver 2", "Solver 1"])
    );
    assert_eq!(
        seen["by_error_again"]["names"],
        json!(["solver 2", "solver 10", "Solver 1"])
    );
    assert_eq!(seen["by_error_again"]["others"], 1);
    assert_eq!(seen["said"], "Sorted by worst error, descending");
    assert_eq!(seen["focused"], true);
    Ok(())
}

fn narrow(browser: &str) -> Result<(), Failed> {
    for width in [360, 768] {
        let seen = looked_at(browser, width);
        assert_eq!(seen["window"], width, "{seen}");
        assert_eq!(seen["width"], width, "{seen}");
        assert_eq!(seen["wide"], json!([]));
    }
    Ok(())
}
