//! `etalon scenario run --svg`: scenes at rest and in motion as pictures.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

/// The picture of a run that ends with this status.
fn picture(bench: &Workbench, run: &str, status: i32) -> String {
    let ran = bench.run(&format!("scenario run {run} --svg picture.svg --quiet"));
    assert_eq!(ran.status, status, "{run}: {}", ran.shown());
    let svg = bench.read("picture.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    svg
}

/// The words of a picture, one text a line.
fn words(svg: &str) -> Vec<&str> {
    let texts = svg.split("<text").skip(1);
    let texts = texts.filter_map(|text| text.split_once('>')?.1.split_once("</text>"));
    texts.map(|(words, _)| words.trim()).collect()
}

#[test]
fn a_ladder_and_a_motion_look_as_they_did() {
    let bench = Workbench::new();
    insta::assert_snapshot!("ladder.svg", picture(&bench, "ladder", 0));
    let rod = "rod --set h=0.02 --steps 40 --out rod.jsonl";
    insta::assert_snapshot!("rod.svg", picture(&bench, rod, 0));
}

#[test]
fn scenes_at_rest_say_what_their_arrows_are() {
    let bench = Workbench::new();
    for (run, status, word) in [
        ("darwin-block", 0, "arrows: contact forces, the longest"),
        (
            "ladder --solver fast",
            0,
            "arrows: contact forces, one of infinitely many answers, the longest",
        ),
        ("pyramid", 0, "6.25 N"),
        ("stack", 0, "bodies with their centres of mass (dots)"),
        ("darwin-ray", 0, "z, m"),
        (
            "ladder --circular",
            0,
            "arrows: contact forces in the circular cone, the longest",
        ),
        (
            "painleve-inconsistent",
            0,
            "no contact forces satisfy the laws",
        ),
        ("painleve-indeterminate", 0, "one of 2 answers, the longest"),
    ] {
        let svg = picture(&bench, run, status);
        let words = words(&svg);
        assert!(
            words.iter().any(|own| own.contains(word)),
            "{run}: {words:?}"
        );
    }
}

/// Bodies in space are silhouettes, by any method, of scenes with names and of files; what presses is said.
#[test]
fn bodies_in_space_are_drawn_by_their_silhouettes() {
    let bench = Workbench::new();
    let bodies = r#"{"name": "tray", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
        {"name": "can", "mass": 1, "position": [0, 0, "1/2"], "shape": {"cylinder": {"radius": "1/4", "half_length": "1/2"}}},
        {"name": "pill", "mass": 1, "position": [2, 0, "3/4"], "shape": {"capsule": {"radius": "1/4", "half_length": "1/2"}}}"#;
    let scene = |gravity: &str, bodies: &str, motion: &str| {
        format!(
            r#"{{"name": "mine", "gravity": {gravity}, "bodies": [{bodies}], "motion": {{"steps": 2, {motion}}}}}"#
        )
    };
    let rows = scene(
        "[0, 0, -10]",
        bodies,
        r#""method": "stewart-trinkle", "cone": "pyramid:4""#,
    );
    bench.write("rows.json", &rows);
    let corner = r#"{"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
        {"name": "crate", "mass": 3, "position": [0, 0, 1], "shape": {"box": [1, 1, 1]}}"#;
    let corner = scene("[0, 0, -10]", corner, r#""method": "egan-trinkle""#);
    bench.write("corner.json", &corner);
    let plane = r#"{"name": "floor", "fixed": true, "shape": {"half_plane": [0, 1]}},
        {"name": "tile", "mass": 3, "inertia": 1, "position": [0, 1], "shape": {"polygon": [[-1, -1], [1, -1], [0, 1]]}}"#;
    let plane = scene("[0, -10]", plane, r#""method": "egan-trinkle""#);
    bench.write("plane.json", &plane);
    for (run, word) in [
        (
            "box-slide --steps 2",
            "box-slide, seen from the front, the right and above",
        ),
        ("four-bar --steps 2", "four-bar, seen from the front"),
        ("rows.json", "contacts press; their forces are not drawn"),
        (
            "corner.json",
            "mine, seen from the front, the right and above",
        ),
        ("plane.json", "y, m"),
    ] {
        let svg = picture(&bench, &format!("{run} --out t.jsonl"), 0);
        let words = words(&svg);
        assert!(
            words.iter().any(|own| own.contains(word)),
            "{run}: {words:?}"
        );
        // The last moment is filled.
        assert!(svg.contains("<polygon opacity=\"0.15\""), "{run}");
    }
}

#[test]
fn a_trajectory_that_goes_on_has_the_picture_of_the_whole_one() {
    let bench = Workbench::new();
    let whole = picture(&bench, "stack-drop --steps 40 --out whole.jsonl", 0);
    let cut: Vec<_> = bench
        .read("whole.jsonl")
        .lines()
        .take(15)
        .map(|line| format!("{line}\n"))
        .collect();
    bench.write("cut.jsonl", cut.concat());
    let again = picture(&bench, "stack-drop --steps 40 --out cut.jsonl --resume", 0);
    assert!(whole == again, "the pictures differ");
    assert!(
        words(&whole)
            .iter()
            .any(|own| own.contains("moments from t = 0 s to")),
        "{:?}",
        words(&whole)
    );
}

#[test]
fn a_picture_that_cannot_be_written_is_said() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run ladder --svg nowhere/picture.svg");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    let ran = bench.run("scenario run ladder --friction-order baraff --svg picture.svg");
    assert!(
        ran.status == 2 && ran.stderr.contains("index sets"),
        "{}",
        ran.shown()
    );
}
