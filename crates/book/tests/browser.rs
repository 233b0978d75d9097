//! The book in a real browser: no page scrolls sideways, on a desk or on a phone, and tables fit the column of the
//! text. Ignored, and listed so, where no Chromium is installed.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::html::read_page;
use common::{files, root};
use libtest_mimic::{Arguments, Failed, Trial};

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// A page says what of it is too wide: itself, an element outside of the boxes that scroll, or (for `tables`) a table in its box.
const PROBE: &str = r#"<script>
addEventListener("load", () => {
  const tables = new URLSearchParams(location.search).has("tables");
  const root = document.documentElement;
  const found = [];
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
  for (const one of document.querySelectorAll("main *")) {
    const beyond = one.getBoundingClientRect().right - root.clientWidth;
    if (beyond > 1 && !one.closest(".table-wrapper, pre, .formula, svg, math")) {
      found.push(`${one.tagName}.${one.className}: ${one.textContent.slice(0, 40)}`);
    }
  }
  if (tables) {
    for (const box of document.querySelectorAll(".table-wrapper")) {
      if (box.scrollWidth > box.clientWidth) found.push(`a table of ${box.scrollWidth} in ${box.clientWidth}: ${box.textContent.trim().slice(0, 40)}`);
    }
  }
  parent.postMessage(found, "*");
});
</script></body>"#;

/// Opens the pages one after the other in a frame, and writes a line for each fault.
const FRAMES: &str = r#"<!DOCTYPE html><pre id="seen"></pre><script>
const pages = PAGES;
const frame = document.createElement("iframe");
frame.style = "width:WIDTHpx;height:800px;border:0";
let faults = "";
let k = 0;
addEventListener("message", (said) => {
  for (const fault of said.data) faults += `${pages[k]}: ${fault}\n`;
  k += 1;
  if (k < pages.length) frame.src = pages[k] + "QUERY";
  else document.getElementById("seen").textContent = faults + `looked at ${k} pages`;
});
frame.src = pages[0] + "QUERY";
document.body.append(frame);
</script>"#;

fn main() {
    let arguments = Arguments::from_args();
    let browser = BROWSERS.into_iter().find(|name| is_there(name));
    let trials = [
        (
            "at_1280_pixels_no_page_and_no_table_scrolls_needs_chromium",
            1280,
            "?tables",
        ),
        ("at_390_pixels_no_page_scrolls_needs_chromium", 390, ""),
    ];
    let trials = trials.map(|(name, width, query)| {
        Trial::test(name, move || {
            fits(browser.unwrap_or_default(), width, query)
        })
        .with_ignored_flag(browser.is_none())
    });
    libtest_mimic::run(&arguments, trials.into()).exit();
}

fn is_there(browser: &str) -> bool {
    let mut command = Command::new(browser);
    let quiet = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn fits(browser: &str, width: u32, query: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    etalon_book::build(&root().join("docs"), folder.path())?;
    let pages = files(folder.path(), "html");
    let pages: Vec<_> = pages
        .iter()
        .filter(|path| !path.ends_with("toc.html"))
        .collect();
    for page in &pages {
        let file = folder.path().join(page);
        let text = std::fs::read_to_string(&file)?;
        std::fs::write(file, text.replace("</body>", PROBE))?;
    }
    let list = pages
        .iter()
        .map(|page| format!("{:?}", page.display().to_string()));
    let list = format!("[{}]", list.collect::<Vec<_>>().join(","));
    let frames = FRAMES.replace("PAGES", &list).replace("QUERY", query);
    let outer = folder.path().join("outer.html");
    std::fs::write(&outer, frames.replace("WIDTH", &width.to_string()))?;
    let seen = looked_at(browser, folder.path(), &outer)?;
    if seen == format!("looked at {} pages", pages.len()) {
        return Ok(());
    }
    Err(seen.into())
}

/// What the outer page says in the end.
fn looked_at(browser: &str, folder: &Path, outer: &Path) -> Result<String, Failed> {
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
        // Time that the page sees: it passes as fast as the work is done, so a slow machine has no less of it.
        .args([
            "--virtual-time-budget=600000",
            "--window-size=1600,1000",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}", outer.display()))
        .stderr(Stdio::null())
        .output()?;
    let dom = folder.join("dom.html");
    std::fs::write(&dom, output.stdout)?;
    Ok(read_page(&dom).code.concat())
}
