//! The same claims through every door: Rust, the command line, `diff`, the kit and replays answer alike.
//!
//! `tests/judgements.jsonl` holds the claims with what the judge says of them; C (`crates/capi/tests/c/judgements.c`), Python
//! (`crates/python/tests/test_judgements.py`) and the page (`crates/serve/src/contact/tests.rs`) are held to the same file. Written anew by
//! `UPDATE_EXPECT=1 cargo test -p etalon-cli --test it one_judge`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::{Ran, Workbench};
use etalon::conformance::kit::{Case, Kit};
use etalon::conformance::{Capabilities, Subject, SubjectFailure};
use etalon::judge::Judge;
use etalon::lcp::record::{read_claim, read_problem};
use etalon::lcp::{Claim, Problem, Solver, VerdictKind};
use etalon_replay::Trial;
use libtest_mimic::Arguments;
use serde_json::{Value, json};

/// A problem, what may be stated of it, and claims about it beside those that are made about all.
struct About {
    problem: &'static str,
    n: usize,
    expects: &'static [&'static str],
    claims: &'static [&'static str],
}

/// No `expect`, a true one and false ones.
const SOLVABLE: &[&str] = &[
    "",
    r#","expect":{"status":"solvable"}"#,
    r#","expect":{"status":"unsolvable"}"#,
    r#","expect":{"status":"perturbed"}"#,
];

const UNSOLVABLE: &[&str] = &[
    "",
    r#","expect":{"status":"unsolvable"}"#,
    r#","expect":{"status":"solvable"}"#,
    r#","expect":{"status":"perturbed"}"#,
];

const ABOUT: &[About] = &[
    // A definite matrix, with solutions that are right and wrong, and a proof that does not hold.
    About {
        problem: r#""M":[[1.5859375,1],[1,1]],"q":[-0.75,-0.75]"#,
        n: 2,
        expects: &[
            "",
            r#","expect":{"status":"solvable","solutions":[[0,"3/4"]],"unique":"z","certificate":{"kind":"p-matrix","proof":"positive-definite"}}"#,
            r#","expect":{"status":"solvable","solutions":[[0,0]]}"#,
            r#","expect":{"status":"unsolvable","certificate":{"kind":"farkas","y":[1,1]}}"#,
            r#","expect":{"status":"unsolvable"}"#,
        ],
        claims: &[
            r#""status":"solved","z":[0,"3/4"]"#,
            r#""status":"solved","z":[1e-13,0.75]"#,
            r#""status":"solved","z":[0,0.7500000001]"#,
            r#""status":"solved","z":[0,0.75000001]"#,
            r#""status":"unsolvable","certificate":{"kind":"farkas","y":[1,1]}"#,
        ],
    },
    // Solvable by huge values only in a neighbour.
    About {
        problem: r#""M":[[1,-1],[-1,1]],"q":[-1,-1]"#,
        n: 2,
        expects: &[
            "",
            r#","expect":{"status":"unsolvable","certificate":{"kind":"farkas","y":[1,1]}}"#,
            r#","expect":{"status":"unsolvable"}"#,
            r#","expect":{"status":"perturbed","certificate":{"kind":"farkas","y":[1,1]}}"#,
            r#","expect":{"status":"solvable"}"#,
        ],
        claims: &[
            r#""status":"unsolvable","certificate":{"kind":"farkas","y":[1,1]}"#,
            r#""status":"unsolvable","certificate":{"kind":"farkas","y":[1,-1]}"#,
            r#""status":"solved","z":[1e12,1e12]"#,
        ],
    },
    // No solution, though its inequalities have some.
    About {
        problem: r#""M":[[0,1],[0,0]],"q":[-1,0.5]"#,
        n: 2,
        expects: UNSOLVABLE,
        claims: &[r#""status":"solved","z":[0,1]"#],
    },
    // Bounds on both sides, and a free row.
    About {
        problem: r#""M":[[2,1,0],[1,2,1],[0,1,2]],"q":[-4,1,1],"lower":[0,"-inf",-1],"upper":[1,"inf",2]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[1,"-1","0"]"#,
            r#""status":"solved","z":[1.0000000000001,-1,0]"#,
            r#""status":"solved","z":[1,-1,-1.5]"#,
            r#""status":"solved","z":[1,-1,2.5]"#,
        ],
    },
    // Friction that sticks, slides, and slides the wrong way.
    About {
        problem: r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1,-1,0.25],"friction":[{"row":1,"normal":0,"mu":0.5},{"row":2,"normal":0,"mu":0.375}]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[1,0.5,-0.25]"#,
            r#""status":"solved","z":[1,0.5000000000001,-0.25]"#,
            r#""status":"solved","z":[1,-0.5,-0.25]"#,
            r#""status":"solved","z":[1,0.5,-0.4]"#,
        ],
    },
    // Many solutions, one w.
    About {
        problem: r#""M":[[1,1],[1,1]],"q":[-1,-1]"#,
        n: 2,
        expects: &[
            "",
            r#","expect":{"status":"solvable","solutions":[[1,0]],"unique":"w","certificate":{"kind":"symmetric-psd"}}"#,
            r#","expect":{"status":"solvable","unique":"z","certificate":{"kind":"p-matrix","proof":"positive-definite"}}"#,
            r#","expect":{"status":"unsolvable"}"#,
        ],
        claims: &[
            r#""status":"solved","z":["1/3","2/3"]"#,
            r#""status":"solved","z":[0.3,0.7]"#,
        ],
    },
    // A row of zeros and an unknown of no size.
    About {
        problem: r#""M":[[3,1,2],[1,9,0],[2,0,6]],"q":[-1,-9,0],"lower":["-inf","-inf","-inf"]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[0,1,6.1679056923619804e-18]"#,
            r#""status":"solved","z":[0,1,1e-3]"#,
        ],
    },
    // Rows that are right one by one, and wrong together.
    About {
        problem: r#""M":[[1,0,0,0,0],[-1,1,0,0,0],[0,-1,1,0,0],[0,-1,0,1,0],[0,0,-1,1,1]],"q":[-1e15,999999999999999,0,0,-1]"#,
        n: 5,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[1e15,1,1,1,100000]"#,
            r#""status":"solved","z":[1e15,1,1,1,1]"#,
        ],
    },
    // A contact that slides by an irrational force, which its data change by less than a rounding.
    About {
        problem: r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1,-2,-1],"cones":[{"rows":[0,1,2],"mu":0.5}]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[1,0.4472135954999579,0.22360679774997896]"#,
            r#""status":"solved","z":[1,0.4472136,0.2236068]"#,
            r#""status":"solved","z":[1,0.4,0.3]"#,
            r#""status":"solved","z":[1,0,4]"#,
        ],
    },
    // A contact with three answers: it is open, sticks, or slides.
    About {
        problem: r#""M":[[1,1,0],[1,2,0],[0,0,1]],"q":[1,5,0],"cones":[{"rows":[0,1,2],"mu":2}]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":[3,-4,0]"#,
            r#""status":"solved","z":[1,-2,0]"#,
            r#""status":"solved","z":[1,-2,1e-13]"#,
        ],
    },
    // By the convex law a contact that slides lifts.
    About {
        problem: r#""M":[[2,0,0],[0,1,0],[0,0,1]],"q":[-1,-1,0],"cones":[{"rows":[0,1,2],"mu":0.5,"law":"convex"}]"#,
        n: 3,
        expects: SOLVABLE,
        claims: &[
            r#""status":"solved","z":["2/3","1/3",0]"#,
            r#""status":"solved","z":[0.6666666666666666,0.3333333333333333,0]"#,
            r#""status":"solved","z":[0.5,0.25,0]"#,
        ],
    },
    // No force holds this contact, as a cover by sectors proves.
    About {
        problem: r#""M":[[1,2,0],[2,4,0],[0,0,0]],"q":[-1,-1,0],"cones":[{"rows":[0,1,2],"mu":1}]"#,
        n: 3,
        expects: UNSOLVABLE,
        claims: &[r#""status":"unsolvable","certificate":{"kind":"farkas","y":[1,0,0]}"#],
    },
    // Nor this one, of two discs: no sectors are made for such a contact, so nobody proves it.
    About {
        problem: r#""M":[[0,1,0,0,0],[0,1,0,0,0],[0,0,1,0,0],[0,0,0,1,0],[0,0,0,0,1]],"q":[-1,0,0,0,0],"cones":[{"normal":0,"discs":[{"rows":[1,2],"mu":1},{"rows":[3,4],"mu":1}]}]"#,
        n: 5,
        expects: UNSOLVABLE,
        claims: &[r#""status":"unsolvable","certificate":{"kind":"farkas","y":[1,0,0,0,0]}"#],
    },
];

/// What is claimed about every problem of n rows.
fn claims_of(n: usize) -> Vec<String> {
    let all = |value: &str| vec![value; n].join(",");
    vec![
        format!(r#""status":"solved","z":[{}]"#, all("0")),
        format!(r#""status":"solved","z":[{}]"#, all("1")),
        format!(r#""status":"solved","z":[{}]"#, all("1e10")),
        format!(r#""status":"solved","z":[{}]"#, all("-1")),
        format!(r#""status":"solved","z":[{},0]"#, all("0")),
        r#""status":"unsolvable""#.to_owned(),
        r#""status":"failed","reason":"iteration limit""#.to_owned(),
    ]
}

/// Every claim about every problem, as records.
fn pairs() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for about in ABOUT {
        for expect in about.expects {
            let common = claims_of(about.n);
            let own = about.claims.iter().map(|claim| (*claim).to_owned());
            for claim in common.into_iter().chain(own) {
                let name = format!("c{:03}", pairs.len());
                pairs.push((
                    format!(r#"{{"name":"{name}",{}{expect}}}"#, about.problem),
                    format!(r#"{{"name":"{name}",{claim}}}"#),
                ));
            }
        }
    }
    pairs
}

/// A claim with what is said of it.
struct Judged {
    name: String,
    problem: Problem,
    claim: Claim,
    records: (String, String),
    verdict: Value,
    accepted: bool,
    false_expect: bool,
}

/// What the judge says of all of them, in Rust.
fn judged() -> Vec<Judged> {
    let judge = Judge::default();
    let judged = pairs().into_iter().map(|records| {
        let problem = read_problem(&records.0).unwrap().record;
        let claim = read_claim(&records.1).unwrap().record;
        let judgement = judge.verdict(&problem, &claim);
        Judged {
            name: problem.name().to_owned(),
            verdict: serde_json::from_str(&judgement.line()).unwrap(),
            accepted: judgement.accepted,
            false_expect: judgement.false_expect.is_some(),
            problem,
            claim,
            records,
        }
    });
    judged.collect()
}

fn file() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/judgements.jsonl")
}

#[test]
fn the_file_says_what_the_judge_says() {
    let lines = judged().into_iter().map(|judged| {
        let record = json!({
            "problem": judged.records.0,
            "claim": judged.records.1,
            "verdict": judged.verdict,
            "accepted": judged.accepted,
            "false_expect": judged.false_expect,
        });
        format!("{record}\n")
    });
    let text: String = lines.collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file(), &text).unwrap();
    }
    let stored = std::fs::read_to_string(file()).unwrap();
    for (stored, found) in stored.lines().zip(text.lines()) {
        assert_eq!(stored, found);
    }
    assert_eq!(stored.lines().count(), text.lines().count());
}

/// The claims meet every verdict, every way to fail and every field that a verdict may have.
#[test]
fn the_claims_cover_the_verdicts() {
    let all = judged();
    assert!(all.len() >= 300, "{}", all.len());
    let words: BTreeSet<&str> = all
        .iter()
        .map(|j| j.verdict["verdict"].as_str().unwrap())
        .collect();
    let every: BTreeSet<&str> = VerdictKind::ALL.iter().map(|kind| kind.word()).collect();
    assert_eq!(words, every);
    let by: BTreeSet<&str> = all
        .iter()
        .filter_map(|j| j.verdict["by"].as_str())
        .collect();
    for reached in ["backward error", "distance", "solved rows"] {
        assert!(by.contains(reached), "{by:?}");
    }
    assert!(all.iter().any(|j| j.false_expect && j.accepted));
    assert!(all.iter().any(|j| j.false_expect && !j.accepted));
    for accepted in [true, false] {
        let perturbed = |j: &Judged| j.verdict["verdict"] == "perturbed" && j.accepted == accepted;
        assert!(all.iter().any(perturbed), "perturbed, accepted: {accepted}");
    }
}

fn put(bench: &Workbench, all: &[Judged]) {
    let lines = |of: fn(&Judged) -> &String| -> String {
        all.iter()
            .map(|judged| format!("{}\n", of(judged)))
            .collect()
    };
    bench.write("problems.jsonl", lines(|judged| &judged.records.0));
    bench.write("claims.jsonl", lines(|judged| &judged.records.1));
}

/// The records of verdicts by their names.
fn by_name(lines: &str) -> BTreeMap<String, Value> {
    let records = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let named = records.map(|record: Value| (record["name"].as_str().unwrap().to_owned(), record));
    named.collect()
}

#[test]
fn the_command_line_says_the_same() {
    let (bench, all) = (Workbench::new(), judged());
    put(&bench, &all);
    let ran = bench.run("check problems.jsonl claims.jsonl");
    let said = by_name(&ran.stdout);
    for judged in &all {
        assert_eq!(said[&judged.name], judged.verdict);
    }
    let accepted = all.iter().filter(|judged| judged.accepted).count();
    let summary = format!("{accepted} of {} accepted", all.len());
    assert!(ran.stderr.contains(&summary), "{}", ran.stderr);
    // So many complaints are shown, and the others counted.
    const SHOWN: usize = 100;
    let false_expects: Vec<&Judged> = all.iter().filter(|judged| judged.false_expect).collect();
    for judged in false_expects.iter().take(SHOWN) {
        let complaint = format!("record {:?}: expect", judged.name);
        assert!(ran.stderr.contains(&complaint), "{complaint}");
    }
    let more = format!("and {} more like these", false_expects.len() - SHOWN);
    assert!(ran.stderr.contains(&more), "{more}");
    assert_eq!(ran.status, 2, "a false `expect` is an error of the input");
}

#[test]
fn diff_says_the_same() {
    let (bench, all) = (Workbench::new(), judged());
    put(&bench, &all);
    // Answers each problem with the line of its name.
    bench.write(
        "canned.sh",
        r#"while read -r line; do
    name=${line#*\"name\":\"}
    grep -F "\"name\":\"${name%%\"*}\"" claims.jsonl
done
"#,
    );
    let mut command = bench.command("diff --jobs 1 --lines lines.jsonl --can");
    command.args(["boxes,friction,cones,cones-convex,cones-product,unsolvable"]);
    command.args(["--solver", "sh canned.sh", "problems.jsonl"]);
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(bench.path().join("lines.jsonl").exists(), "{}", ran.stderr);
    let said = by_name(&bench.read("lines.jsonl"));
    assert_eq!(said.len(), all.len(), "{}", ran.stdout);
    for judged in &all {
        let said = &said[&judged.name];
        let fields = judged.verdict.as_object().unwrap().iter();
        for (field, value) in fields.filter(|(field, _)| *field != "format") {
            assert_eq!(&said[field], value, "{}: {field}", judged.name);
        }
        assert_eq!(said["passed"], judged.accepted, "{}", judged.name);
    }
}

/// The claims by the names of their problems.
struct Canned(BTreeMap<String, Claim>);

impl Canned {
    fn of(all: &[Judged]) -> Self {
        let claims = all
            .iter()
            .map(|judged| (judged.name.clone(), judged.claim.clone()));
        Self(claims.collect())
    }
}

impl Subject for Canned {
    fn name(&self) -> &str {
        "canned"
    }

    fn ask(&self, problem: &Problem) -> Result<Claim, SubjectFailure> {
        Ok(self.0[problem.name()].clone())
    }
}

impl Solver for Canned {
    fn name(&self) -> &str {
        "canned"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        self.0[problem.name()].clone()
    }
}

#[test]
fn the_kit_says_the_same() {
    let all = judged();
    let log = tempfile::NamedTempFile::new().unwrap();
    let cases = all.iter().map(|judged| Case::new(judged.problem.clone()));
    let arguments = Arguments {
        logfile: Some(log.path().display().to_string()),
        ..Arguments::default()
    };
    let everything = Capabilities {
        friction: true,
        cones: true,
        convex_cones: true,
        product_cones: true,
        ..Capabilities::default()
    };
    let trials = Kit::of(cases.collect())
        .capabilities(everything)
        .trials(Canned::of(&all));
    let ended = libtest_mimic::run(&arguments, trials);
    assert!(ended.has_failed());
    let log = std::fs::read_to_string(log.path()).unwrap();
    let passed = |name: &str| {
        let line = log
            .lines()
            .find(|line| line.split(' ').any(|word| word == name));
        let line = line.unwrap_or_else(|| panic!("no test {name} in {log}"));
        line.ends_with("ok")
    };
    for judged in &all {
        assert_eq!(passed(&judged.name), judged.accepted, "{}", judged.name);
    }
    let line = log
        .lines()
        .find(|line| line.contains("what cases expect holds"));
    assert!(line.unwrap().ends_with("FAILED"), "{line:?}");
}

#[test]
fn replays_say_the_same() {
    let all = judged();
    let solver = Canned::of(&all);
    let trial = Trial {
        solver: &solver,
        exact: true,
        judge: Judge::default(),
    };
    for judged in &all {
        let (_, judgement) = trial.ask(&judged.problem);
        let line: Value = serde_json::from_str(&judgement.line()).unwrap();
        assert_eq!(
            (line, judgement.accepted),
            (judged.verdict.clone(), judged.accepted)
        );
    }
}
