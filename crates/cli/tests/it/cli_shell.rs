//! What shells and terminals expect of a command: completions, manual pages, versions, colours.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(unix)]

use crate::common::Workbench;

const COMMANDS: [&str; 21] = [
    "verify",
    "solve",
    "check",
    "diff",
    "gen",
    "golden",
    "scenario",
    "schema",
    "serve",
    "fuzz",
    "shrink",
    "scoreboard",
    "engine",
    "import",
    "replay",
    "study",
    "completions",
    "man",
    "init",
    "show",
    "report",
];

/// What a shell would get that asks for the words after these.
fn completed(bench: &Workbench, words: &[&str]) -> String {
    let mut command = std::process::Command::new(crate::common::ETALON);
    command.current_dir(bench.path()).env("COMPLETE", "fish");
    let output = command.args(["--", "etalon"]).args(words).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn shells_complete_names() {
    let bench = Workbench::new();
    for (words, expected) in [
        (&["gen", "cop"][..], "copositive-friction"),
        (&["solve", "--method", "exact-l"], "exact-lemke"),
        (&["schema", "tra"], "trajectory"),
        (&["scenario", "run", "lad"], "ladder"),
        (&["show", "reports/"], "reports/dart_dantzig_rounded_tie"),
        (&["sc"], "scenario"),
        (&["diff", "--can", "fr"], "friction"),
        (&["diff", "--can", "boxes,cones-"], "boxes,cones-product"),
        (&["diff", "--can", "boxes,un"], "boxes,unsolvable"),
        (&["fuzz", "--can", "n"], "n<="),
        (&["shrink", "--keep", "psd,so"], "psd,solvable"),
        (&["diff", "--only", "reports/"], "reports/opposed_normals"),
        (&["shrink", "--only", "reports/"], "reports/opposed_normals"),
        (&["replay", "--solver", "exact-d"], "exact-dantzig"),
        (&["study", "four"], "four-balls"),
        (&["scenario", "run", "stack", "--set", ""], "blocks="),
        (
            &["scenario", "run", "stack", "--set", "mass_r"],
            "mass_ratio=",
        ),
        (&["scenario", "run", "--set", "half_"], "half_angle="),
    ] {
        let found = completed(&bench, words);
        assert!(found.contains(expected), "{words:?}: {found}");
    }
}

#[test]
fn parameters_are_those_of_the_scenario_on_the_line() {
    let bench = Workbench::new();
    let found = completed(&bench, &["scenario", "run", "stack", "--set", "h"]);
    assert!(!found.contains("half_angle"), "{found}");
    let all = completed(&bench, &["scenario", "run", "--set", "g"]);
    assert_eq!(all.matches("g=").count(), 1, "{all}");
}

#[test]
fn a_capability_is_offered_once() {
    let bench = Workbench::new();
    let all = completed(&bench, &["diff", "--can", ""]);
    let words: Vec<_> = all
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(
        words,
        [
            "boxes",
            "friction",
            "cones",
            "cones-convex",
            "cones-product",
            "unsolvable",
            "n<=",
            "psd",
            "pure"
        ]
    );
    let more = completed(&bench, &["diff", "--can", "boxes,"]);
    assert!(
        !more.contains("boxes,boxes") && more.contains("boxes,friction"),
        "{more}"
    );
    assert_eq!(completed(&bench, &["diff", "--can", "xyz"]), "");
}

#[test]
fn completions_know_every_command() {
    let bench = Workbench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = bench.run(&format!("completions {shell}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{shell}");
        // The script asks the program.
        assert!(ran.stdout.contains("COMPLETE"), "{shell}: {}", ran.stdout);
    }
    let all = completed(&bench, &[""]);
    for command in COMMANDS {
        assert!(
            all.lines()
                .any(|line| line.split_whitespace().next() == Some(command)),
            "{command}: {all}"
        );
    }
    assert!(completed(&bench, &["check", "--acc"]).contains("accept-perturbed"));
    assert_eq!(bench.run("completions cmd").status, 2);
}

/// The script itself works where there is a bash: `etalon sch<TAB>` can only be `schema`.
#[test]
fn bash_completes_by_the_script() {
    let bench = Workbench::new();
    bench.write("etalon.bash", bench.run("completions bash").stdout);
    let script = "source ./etalon.bash; COMP_WORDS=(etalon sch); COMP_CWORD=1; COMP_TYPE=9; \
                  _clap_complete_etalon etalon sch etalon; echo \"${COMPREPLY[@]}\"";
    let folder = std::path::Path::new(crate::common::ETALON)
        .parent()
        .unwrap();
    let path = format!(
        "{}:{}",
        folder.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", script])
        .current_dir(bench.path())
        .env("PATH", path)
        .output();
    // Without a bash there is nothing to complete.
    if let Ok(output) = output {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            "schema",
            "{said}"
        );
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let bench = Workbench::new();
    let page = bench.run("man");
    assert_eq!((page.status, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.contains(".TH etalon 1"), "{}", page.stdout);
    assert_eq!(bench.run("man --out pages/man1").status, 0);
    assert!(bench.read("pages/man1/etalon.1").contains("Exit status"));
    for command in COMMANDS {
        let page = bench.read(&format!("pages/man1/etalon-{command}.1"));
        assert!(page.contains("Exit status: 0 all accepted"), "{command}");
        // Pages made on one machine are read on others.
        assert!(!page.contains("vector instructions"), "{command}");
    }
    bench.write("file", "");
    let ran = bench.run("man --out file/below");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("error: file/below: "), "{}", ran.stderr);
}

#[test]
fn every_help_says_how_the_command_ends() {
    let bench = Workbench::new();
    let all = COMMANDS.iter().map(|command| format!("{command} --help"));
    let others = [
        "--help",
        "-h",
        "scenario run --help",
        "help check",
        "check -h",
    ];
    for arguments in all.chain(others.map(str::to_owned)) {
        let ran = bench.run(&arguments);
        assert_eq!(ran.status, 0, "{arguments}");
        let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let ending = "Exit status: 0 all accepted, 1 something was not accepted, 2 wrong usage or \
                      unreadable input.";
        assert!(said.contains(ending), "{arguments}: {said}");
    }
}

#[test]
fn the_version_names_libraries_features_and_instructions() {
    let bench = Workbench::new();
    let long = bench.run("--version").stdout;
    let lines: Vec<_> = long.lines().collect();
    assert!(lines[0].starts_with("etalon 0."), "{long}");
    assert!(
        lines[0].contains("(GMP ") && lines[0].contains(", MPFR "),
        "{long}"
    );
    assert!(lines[1].contains("feature system-libs"), "{long}");
    assert!(lines[2].starts_with("vector instructions: "), "{long}");
    assert_eq!(bench.run("-V").stdout.trim_end(), lines[0]);
}

/// What a command sends to a terminal, where it finds a file that is no record.
fn on_a_terminal(settings: &[(&str, &str)], arguments: &str) -> String {
    let bench = Workbench::new();
    bench.write("junk.jsonl", "junk");
    let words: Vec<_> = arguments.split_whitespace().collect();
    crate::common::terminal::run(&bench, settings, &words).1
}

#[test]
fn colours_are_for_terminals_and_for_those_who_want_them() {
    for arguments in ["solve junk.jsonl", "solve --no-such-flag", "--help"] {
        let coloured = on_a_terminal(&[], arguments);
        assert!(coloured.contains('\u{1b}'), "{arguments}: {coloured:?}");
        for off in [[("NO_COLOR", "1")], [("CLICOLOR", "0")], [("TERM", "dumb")]] {
            let plain = on_a_terminal(&off, arguments);
            assert!(!plain.is_empty(), "{arguments}: {off:?}");
            assert!(!plain.contains('\u{1b}'), "{arguments}: {off:?}: {plain:?}");
        }
    }
}

#[test]
fn pipes_get_colours_only_by_force() {
    let bench = Workbench::new();
    bench.write("junk.jsonl", "junk");
    let error = |force: bool| {
        let mut command = bench.command("solve junk.jsonl");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        if force {
            command.env("CLICOLOR_FORCE", "1");
        }
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(!error(false).contains('\u{1b}'));
    assert!(error(true).contains('\u{1b}'));
}
