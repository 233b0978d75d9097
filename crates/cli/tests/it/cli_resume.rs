//! `etalon scenario run --resume` with another number of steps.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::Workbench;

/// The same bytes as a run without a break, of scenes by name and of all kinds of scene files.
#[test]
fn a_run_that_gets_longer_is_the_run_without_a_break() {
    let bench = Workbench::new();
    let named = ["box-slide --as motion", "rod", "incline", "disc", "wedge"];
    let files = ["box-slide", "block-corner", "superquadric-rocking"];
    let files = files.map(|name| {
        let scene = bench.run(&format!("scenario run {name} --scene"));
        assert_eq!(scene.status, 0, "{name}: {}", scene.stderr);
        bench.write(&format!("{name}.json"), scene.stdout);
        format!("{name}.json")
    });
    for scene in named.map(str::to_owned).into_iter().chain(files) {
        let run = |rest: &str| bench.run(&format!("scenario run {scene} --quiet {rest}"));
        assert_eq!(run("--steps 6 --out whole.jsonl").status, 0, "{scene}");
        run("--steps 3 --out r.jsonl");
        let ran = run("--steps 6 --out r.jsonl --resume");
        assert_eq!(ran.status, 0, "{scene}: {}", ran.stderr);
        assert_eq!(bench.read("r.jsonl"), bench.read("whole.jsonl"), "{scene}");
        let check = bench.run("trajectory check r.jsonl");
        assert_eq!(check.status, 0, "{scene}: {}", check.stdout);
        // A run of many steps that was cut short may be ended sooner.
        let whole = bench.read("whole.jsonl");
        let cut: String = whole.split_inclusive('\n').take(3).collect();
        bench.write("cut.jsonl", cut + "{\"k\":3,\"t\":");
        let ran = run("--steps 3 --out cut.jsonl --resume");
        assert_eq!(ran.status, 0, "{scene}: {}", ran.stderr);
        run("--steps 3 --out short.jsonl");
        assert_eq!(bench.read("cut.jsonl"), bench.read("short.jsonl"));
        // Nothing is left beside the files.
        let names = std::fs::read_dir(bench.path()).unwrap();
        let mut names = names.map(|own| own.unwrap().file_name().into_string().unwrap());
        assert!(!names.any(|name| name.ends_with(".new")), "{scene}");
    }
    let ran = bench.run("verify r.jsonl");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn fewer_steps_than_the_file_has_are_an_error() {
    let bench = Workbench::new();
    bench.run("scenario run box-slide --as motion --quiet --steps 6 --out r.jsonl");
    let whole = bench.read("r.jsonl");
    let ran = bench.run("scenario run box-slide --as motion --steps 3 --out r.jsonl --resume");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    let told = "it has 6 steps, more than the 3 of this run: give --steps 6 or more";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert_eq!(bench.read("r.jsonl"), whole);
    // Another scene is another run still.
    let scene = bench.run("scenario run box-slide --scene").stdout;
    bench.write("s.json", &scene);
    bench.run("scenario run s.json --quiet --steps 3 --out s.jsonl");
    let of_file = bench.read("s.jsonl");
    bench.write(
        "s.json",
        scene.replacen("\"mass\":\"1\"", "\"mass\":\"2\"", 1),
    );
    let ran = bench.run("scenario run s.json --steps 6 --out s.jsonl --resume");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("scene is another"), "{}", ran.stderr);
    assert_eq!(bench.read("s.jsonl"), of_file);
}

/// A limit of the size of files stands for a full disk, and for a kill while the lines are copied.
#[cfg(unix)]
#[test]
fn a_full_disk_or_a_kill_leaves_the_old_file() {
    let bench = Workbench::new();
    bench.run("scenario run box-slide --as motion --quiet --steps 3 --out r.jsonl");
    let whole = bench.read("r.jsonl");
    assert!(whole.len() > 2048, "{}", whole.len());
    let run = "scenario run box-slide --as motion --quiet --steps 6 --out r.jsonl --resume";
    for (on_limit, told) in [("trap '' XFSZ;", true), ("", false)] {
        let etalon = crate::common::ETALON;
        // In dash a unit is 512 bytes, in others 1,024.
        let script = format!("{on_limit} ulimit -f 1; exec '{etalon}' {run}");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &script]).current_dir(bench.path());
        let ran = shell.output().unwrap();
        assert!(!ran.status.success(), "{script}");
        let stderr = String::from_utf8(ran.stderr).unwrap();
        let why = "cannot go on: its header cannot be written anew";
        assert_eq!(stderr.contains(why), told, "{stderr}");
        assert_eq!(bench.read("r.jsonl"), whole, "{script}");
    }
    // What the kill left beside it is in nobody's way.
    assert_eq!(bench.run(run).status, 0);
    assert_eq!(bench.read("r.jsonl").lines().count(), 7);
}

/// A link stays one.
#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let bench = Workbench::new();
    bench.run("scenario run incline --quiet --steps 3 --out far.jsonl");
    std::os::unix::fs::symlink("far.jsonl", bench.path().join("link.jsonl")).unwrap();
    let ran = bench.run("scenario run incline --quiet --steps 6 --out link.jsonl --resume");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(bench.path().join("link.jsonl").is_symlink());
    assert_eq!(bench.read("far.jsonl").lines().count(), 7);
}
