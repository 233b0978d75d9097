//! `etalon study`: pages made from runs, and the committed ones held to them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;
use etalon_evidence::study::{find_study, studies};
use serde_json::Value;

fn committed(file: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/studies/");
    std::fs::read_to_string(format!("{folder}{file}")).unwrap()
}

/// Those in binary64 are held to their tables alone, by a run of their own.
#[test]
fn committed_pages_are_what_quick_studies_make() {
    for study in studies().iter().filter(|study| study.quick) {
        let page = study.page().unwrap();
        let file = format!("{}.md", study.name);
        assert!(
            page.markdown() == committed(&file),
            "{file} differs; etalon study {} --out docs/studies",
            study.name
        );
        for (file, svg) in page.plots() {
            assert!(svg == committed(file), "{file} differs");
        }
    }
}

#[test]
fn every_study_is_listed_found_and_committed() {
    for study in studies() {
        assert!(!study.about.is_empty());
        assert_eq!(find_study(study.name).unwrap().name, study.name);
        assert!(committed(&format!("{}.md", study.name)).starts_with("# "));
    }
    let bench = Workbench::new();
    let ran = bench.run("study --list --json");
    let listed: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), studies().len());
    assert_eq!(bench.run("study --list").status, 0);
    let ran = bench.run("study nothing");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("the studies are rod, four-balls"),
        "{}",
        ran.stderr
    );
    assert_eq!(bench.run("study").status, 2);
}

#[test]
fn a_study_writes_its_page_and_check_finds_what_changed() {
    let bench = Workbench::new();
    let ran = bench.run("study sizes --out pages");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(bench.run("study sizes --out pages --check").status, 0);
    let text = bench.read("pages/sizes.md");
    for cell in ["3: 15", "16: 67", "31: 127", "315: 1263"] {
        assert!(text.contains(cell), "{cell}: {text}");
    }
    bench.write("pages/sizes.md", text.replace("127", "123"));
    let ran = bench.run("study sizes --out pages --check");
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("sizes.md would change"),
        "{}",
        ran.stdout
    );
    let ran = bench.run("study sizes --json");
    let page: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(page["study"], "sizes");
    assert_eq!(page["tables"][0]["rows"][0][1], "15");
}
