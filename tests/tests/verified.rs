//! The kernel beside the checker that is extracted from proofs in Coq, `proofs/build/etalon-verified`: the same
//! words on every golden, on changed goldens, and the same backward errors.
//!
//! `make -C proofs` builds it; where it or `python3` is missing, the tests are ignored with these words. The whole:
//!
//! ```sh
//! INPUTS=40000 cargo test --release -p etalon-tests --test verified
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use etalon::exact::Budget;
use etalon::golden::forces::{SMALL, read_record};
use etalon::replay::forces;
use etalon::replay::trajectories::Replay;
use etalon_certify::{Tolerance, evaluate};
use etalon_golden::kernel_line;
use etalon_lcp::record::{read_problem, write_problem};
use etalon_lcp::{Number, Problem};
use etalon_tests::goldens;
use libtest_mimic::{Arguments, Failed, Trial};
use rug::Rational;
use serde_json::{Value, json};

fn main() {
    let arguments = Arguments::from_args();
    let missing = missing();
    let name = |what: &str| match &missing {
        None => what.to_owned(),
        Some(why) => format!("{what} (not run: {why})"),
    };
    let trials = [
        ("every_golden", every_golden as fn() -> Result<(), Failed>),
        ("scenes_and_steps", scenes_and_steps),
        ("changed_goldens", changed_goldens),
        ("backward_errors", backward_errors),
        ("hostile_records", hostile_records),
        ("deep_and_long", deep_and_long),
        ("rare_records", rare_records),
    ];
    let trials =
        trials.map(|(what, run)| Trial::test(name(what), run).with_ignored_flag(missing.is_some()));
    libtest_mimic::run(&arguments, trials.into()).exit();
}

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../proofs")
}

fn verified() -> PathBuf {
    proofs().join("build/etalon-verified")
}

/// What this machine lacks.
fn missing() -> Option<&'static str> {
    if !verified().is_file() {
        return Some("make -C proofs builds etalon-verified");
    }
    let python = Command::new("python3").arg("--version").output();
    python.is_err().then_some("no python3")
}

/// How many inputs, unless the environment says it.
fn inputs(default: usize) -> usize {
    let given = std::env::var("INPUTS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The lines that the extracted checker prints of these records.
fn lines(records: &str, flags: &[&str]) -> Result<Vec<String>, Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("records.jsonl");
    std::fs::write(&path, records)?;
    let output = Command::new(verified()).args(flags).arg(&path).output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Holds the lines against the kernel's. Reasons of a refusal are in words of one's own.
fn compare(records: &[String], own: &[String]) -> Result<usize, Failed> {
    let theirs = lines(&records.concat(), &[])?;
    if theirs.len() != own.len() {
        return Err(format!("{} lines for {} records", theirs.len(), own.len()).into());
    }
    let mut over = 0;
    for (record, (own, other)) in records.iter().zip(own.iter().zip(&theirs)) {
        // Each has a budget of its own, and a refusal for it says nothing about the record.
        if [own, other]
            .iter()
            .any(|line| line.contains("over the budget"))
        {
            over += 1;
            continue;
        }
        let both_refuse = own.starts_with("refused") && other.starts_with("refused");
        if own != other && !both_refuse {
            return Err(format!("kernel: {own}\nextracted: {other}\n{record}").into());
        }
    }
    assert!(
        over * 100 <= records.len(),
        "{over} of {} over a budget",
        records.len()
    );
    Ok(theirs
        .iter()
        .filter(|line| line.starts_with("holds"))
        .count())
}

/// Every golden problem without friction cones holds, by the same words.
fn every_golden() -> Result<(), Failed> {
    let goldens: Vec<_> = goldens::all()
        .into_iter()
        .map(|golden| golden.problem)
        .collect();
    let (plain, cones): (Vec<_>, Vec<_>) = goldens.iter().partition(|p| p.cones().is_empty());
    let records: Vec<_> = plain.iter().map(|p| write_problem(p) + "\n").collect();
    let own: Vec<_> = plain.iter().map(|problem| kernel_line(problem)).collect();
    let held = compare(&records, &own)?;
    assert_eq!(held, plain.len(), "all goldens hold");
    assert!(
        held > 1_200 && cones.len() > 200,
        "{held} and {}",
        cones.len()
    );
    // Beyond the theory, and said so.
    let records: Vec<_> = cones.iter().map(|p| write_problem(p) + "\n").collect();
    for line in lines(&records.concat(), &[])? {
        assert_eq!(line, "refused friction cones are not covered");
    }
    Ok(())
}

/// The problems of golden scenes, and of the steps of golden trajectories, with their solutions and proofs.
///
/// Of the small scenes and of so many steps; with `INPUTS` over all steps the whole.
fn scenes_and_steps() -> Result<(), Failed> {
    let count = inputs(150);
    let mut problems = problems_of_scenes(count)?;
    let scenes = problems.len();
    problems.extend(problems_of_steps(count)?);
    let records: Vec<_> = problems.iter().map(|p| write_problem(p) + "\n").collect();
    if let Some(folder) = std::env::var_os("RECORDS") {
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("scenes.jsonl"), records[..scenes].concat())?;
        std::fs::write(folder.join("steps.jsonl"), records[scenes..].concat())?;
    }
    let own: Vec<_> = problems.iter().map(kernel_line).collect();
    let held = compare(&records, &own)?;
    assert!(
        scenes >= 60 && problems.len() >= 150,
        "{scenes} scenes of {} problems",
        problems.len()
    );
    assert!(
        held * 100 >= problems.len() * 99,
        "{held} of {} hold",
        problems.len()
    );
    assert_eq!(own, clean_room(&records)?, "by clean_room.py");
    Ok(())
}

fn problems_of_scenes(count: usize) -> Result<Vec<Problem>, Failed> {
    let folder = goldens::folder().with_file_name("scenes");
    let mut problems = Vec::new();
    for file in etalon_golden::scene_files(&[folder])? {
        for line in std::fs::read_to_string(&file)?.lines() {
            let record = read_record(line)?;
            if record.lcp.n <= SMALL || count >= STEPS {
                let problem = forces::problem(&record);
                problems.push(problem.map_err(|why| format!("{}: {why}", record.name))?);
            }
        }
    }
    Ok(problems)
}

/// Over all golden trajectories.
const STEPS: usize = 5_000;

fn problems_of_steps(count: usize) -> Result<Vec<Problem>, Failed> {
    let folder = goldens::folder().with_file_name("trajectories");
    let (mut problems, mut steps) = (Vec::new(), 0);
    for file in etalon_golden::trajectory_files(&[folder])? {
        let stored = etalon_golden::read_trajectory(&file)?;
        let replay = Replay::new(&stored)?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        for k in 1..=replay.len() {
            steps += count;
            if steps < STEPS {
                continue;
            }
            steps = steps.saturating_sub(STEPS) % STEPS;
            let problem = replay.golden(k, &format!("{stem}/step {k}"), &Budget::default());
            problems.extend(problem.map_err(|why| format!("{stem}: step {k}: {why}"))?);
        }
    }
    Ok(problems)
}

/// The lines that the checker in Python prints of these records.
fn clean_room(records: &[String]) -> Result<Vec<String>, Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("records.jsonl");
    std::fs::write(&path, records.concat())?;
    let mut command = Command::new("python3");
    let output = command
        .arg(proofs().join("clean_room.py"))
        .arg(&path)
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn changed_goldens() -> Result<(), Failed> {
    let count = inputs(2_000);
    let mut command = Command::new("python3");
    command
        .arg(proofs().join("mutants.py"))
        .args(["--seed", "20", "--count"]);
    let output = command
        .arg(count.to_string())
        .arg(goldens::folder())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let records: Vec<_> = text.lines().map(|line| format!("{line}\n")).collect();
    assert_eq!(
        records.len(),
        count,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let own: Vec<_> = records.iter().map(|record| line_of(record)).collect();
    let held = compare(&records, &own)?;
    // A checker that refuses all, or believes all, would agree with another such one.
    assert!(
        held > count / 10 && held < count / 2,
        "{held} of {count} hold"
    );
    Ok(())
}

fn line_of(record: &str) -> String {
    match read_problem(record.trim_end()) {
        Ok(read) => kernel_line(&read.record),
        Err(error) => format!("refused {error}"),
    }
}

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// A small fraction, often a whole number.
    fn fraction(&mut self) -> Rational {
        let below = [1, 1, 1, 2, 3, 7][self.below(6) as usize];
        Rational::from((self.below(13) as i64 - 6, below))
    }

    /// A problem with boxes and friction, and a candidate within its bounds.
    fn candidate(&mut self) -> (Value, Vec<Rational>) {
        let n = 1 + self.below(4) as usize;
        let text = |value: &Rational| json!(value.to_string());
        let (mut lower, mut upper, mut z) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..n {
            let (l, length) = (self.fraction(), self.fraction().abs());
            let u = Rational::from(&l + &length);
            let at = [
                Rational::new(),
                length.clone(),
                length.clone() * self.fraction().abs() / 6,
            ];
            let at = at[self.below(3) as usize].clone().min(length);
            let open = self.below(4);
            lower.push(if open == 1 { json!("-inf") } else { text(&l) });
            upper.push(if open == 2 { json!("inf") } else { text(&u) });
            z.push(l + at);
        }
        // A normal row that is 0, or not negative, and a row that it bounds.
        let mut friction = vec![];
        if n > 1 && self.below(2) == 0 {
            let (normal, mu) = (self.fraction().abs(), self.fraction().abs());
            let limit = Rational::from(&normal * &mu);
            let share = Rational::from((self.below(9) as i64 - 4, 4));
            (lower[0], upper[0]) = (json!("0"), json!("inf"));
            (z[0], z[1]) = (normal, limit * share);
            friction.push(json!({"row": 1, "normal": 0, "mu": text(&mu)}));
        }
        let m: Vec<Vec<_>> = (0..n)
            .map(|_| (0..n).map(|_| text(&self.fraction())).collect())
            .collect();
        let q: Vec<_> = (0..n).map(|_| text(&self.fraction())).collect();
        let answer = json!({"z": z.iter().map(text).collect::<Vec<_>>(), "backward_error": 1});
        let record = json!({"name": "p", "M": m, "q": q, "lower": lower, "upper": upper, "friction": friction,
            "expect": {"status": "perturbed", "answer": answer}});
        (record, z)
    }
}

/// The backward error of a candidate within its bounds, nothing moved.
fn own_error(problem: &Problem, z: &[Rational]) -> Rational {
    let mut tolerance = Tolerance::default();
    (tolerance.tol, tolerance.snap) = (Rational::new(), Rational::new());
    evaluate(problem, z, &tolerance)
        .map(|found| found.measures.backward_error)
        .unwrap_or_default()
}

fn backward_errors() -> Result<(), Failed> {
    let (count, mut draw) = (inputs(2_000), Draw(20));
    let (mut records, mut own, mut between) = (String::new(), Vec::new(), 0);
    for _ in 0..count {
        let (record, z) = draw.candidate();
        let text = record.to_string();
        let problem = read_problem(&text)
            .map_err(|error| format!("{error}\n{text}"))?
            .record;
        let error = own_error(&problem, &z);
        between += usize::from(error > 0 && error < 1);
        own.push(format!("backward-error {}", Number::from(error)));
        records += &format!("{text}\n");
    }
    let theirs = lines(&records, &["--backward-error"])?;
    for (record, (own, other)) in records.lines().zip(own.iter().zip(&theirs)) {
        assert_eq!(own, other, "{record}");
    }
    assert_eq!(theirs.len(), count, "a line for each");
    assert!(
        between > count / 5,
        "only {between} are strictly between 0 and 1"
    );
    Ok(())
}

/// Records that ask for more than there is: both refuse, and for the same reason.
fn hostile_records() -> Result<(), Failed> {
    let mut draw = Draw(20);
    let mut long = |digits: u64| -> String {
        let digits = (0..digits).map(|_| char::from(b'1' + draw.below(9) as u8));
        digits.collect::<String>() + "7"
    };
    let record = |m: Vec<Vec<String>>, certificate: Value| {
        let n = m.len();
        let expect = json!({"status": "unsolvable", "certificate": certificate});
        json!({"name": "p", "M": m, "q": vec![-1; n], "expect": expect}).to_string() + "\n"
    };
    // Unrelated denominators, whose common ones have no end.
    let mut fractions = |n: usize| -> Vec<Vec<String>> {
        let mut row = |_| (0..n).map(|_| format!("1/{}", long(600))).collect();
        (0..n).map(&mut row).collect()
    };
    let farkas = record(fractions(120), json!({"kind": "farkas", "y": vec![1; 120]}));
    let definite = json!({"kind": "p-matrix", "proof": "positive-definite"});
    let definite = record(fractions(40), definite);
    // Short texts of long numbers.
    let powers = vec![vec!["1e-4096".to_owned(); 182]; 182];
    let powers = record(powers, json!({"kind": "farkas", "y": vec![1; 182]}));
    // A path that branches on one row without end.
    let branch = |k: usize| json!({"row": 0, "z_zero": k + 1, "w_zero": k + 2});
    let mut nodes: Vec<_> = (0..100_000).map(|k| branch(2 * k)).collect();
    nodes = nodes
        .into_iter()
        .flat_map(|node| [node, json!({"empty": ["1"]})])
        .collect();
    nodes.push(json!({"empty": ["1"]}));
    let deep = json!({"kind": "cover", "nodes": nodes});
    let deep = record(vec![vec!["1".to_owned()]], deep);
    // Rows of halves and one denominator that each of them is held against; and more rows than minors are taken of.
    let beside = |n: usize, digits: String| {
        let mut rows = vec![vec!["1/2".to_owned(); n]; n];
        rows[0][0] = format!("1/{digits}");
        rows
    };
    let one_long = json!({"kind": "p-matrix", "proof": "positive-definite"});
    let one_long = record(beside(400, long(100_000)), one_long);
    let minors = json!({"kind": "p-matrix", "proof": "principal-minors"});
    let minors = record(beside(400, long(1_000)), minors);
    let records = [farkas, definite, powers, deep, one_long, minors];
    let (over, minors) = ("over the budget", "all principal minors (limit 16)");
    let words = [over, over, "exponents", "node", over, minors];
    let theirs = lines(&records.concat(), &[])?;
    for ((record, other), words) in records.iter().zip(&theirs).zip(words) {
        let own = line_of(record);
        for line in [&own, other] {
            assert!(
                line.starts_with("refused") && line.contains(words),
                "{line}, not {words}"
            );
        }
    }
    assert_eq!(theirs.len(), records.len(), "a line for each");
    Ok(())
}

/// Trees as deep as there are rows, and long lists: held, or refused for a budget; nothing runs out of its stack.
fn deep_and_long() -> Result<(), Failed> {
    // w_0 = -1 refutes every leaf. A path branches on all other rows in turn.
    let deep = |n: usize| {
        let leaf = || {
            let mut y = vec![0; n];
            y[0] = 1;
            json!({"empty": y})
        };
        let mut nodes = Vec::new();
        for row in 1..n {
            nodes.push(json!({"row": row, "z_zero": 2 * row - 1, "w_zero": 2 * row}));
            nodes.push(leaf());
        }
        nodes.push(leaf());
        let expect =
            json!({"status": "unsolvable", "certificate": {"kind": "cover", "nodes": nodes}});
        let record =
            json!({"name": "p", "M": vec![vec![0; n]; n], "q": vec![-1; n], "expect": expect});
        record.to_string() + "\n"
    };
    let solutions = |count: usize| {
        let all: Vec<_> = (0..count).map(|k| [k]).collect();
        let expect = json!({"status": "solvable", "solutions": all});
        json!({"name": "p", "M": [[0]], "q": [0], "expect": expect}).to_string() + "\n"
    };
    let records = [deep(60), deep(500), solutions(2_000), solutions(1_000_000)];
    let theirs = lines(&records.concat(), &[])?;
    let held = ["holds unsolvable -", "holds solvable -"];
    assert_eq!([&theirs[0], &theirs[2]], held);
    let budgets = ["over the budget", "more than 100000 solutions"];
    for (line, words) in [&theirs[1], &theirs[3]].into_iter().zip(budgets) {
        assert!(
            line.starts_with("refused") && line.contains(words),
            "{line}"
        );
    }
    for (record, words) in [(&records[0], held[0]), (&records[2], held[1])] {
        assert_eq!(line_of(record), words);
    }
    Ok(())
}

/// What no golden and no mutant of one shows: all three checkers say the same of it.
fn rare_records() -> Result<(), Failed> {
    let record = |m: i32, expect: Value| {
        json!({"name": "p", "M": [[m]], "q": [-1], "expect": expect}).to_string() + "\n"
    };
    // With only an upper bound, w <= 0 at the root; on such a row y multiplies -w.
    let upper_only = |y: &str| {
        let expect = json!({"status": "unsolvable", "certificate": {"kind": "farkas", "y": [y]}});
        let record = json!({"name": "p", "M": [[0]], "q": [1], "lower": ["-inf"], "upper": ["0"], "expect": expect});
        record.to_string() + "\n"
    };
    let twice = json!({"status": "solvable", "solutions": [[1], ["1"]]});
    let answer = json!({"z": ["0.5"], "backward_error": 1});
    let like_it = json!({"status": "perturbed", "solutions": [[1]], "answer": answer});
    // z_1 = 9/10 with w_1 = -1, where a change of mu by a tenth lets it slide: less than a change of all of q_1.
    let sliding = |error: f64| {
        let friction = json!([{"row": 1, "normal": 0, "mu": 1}]);
        let answer = json!({"z": ["1", "0.9"], "backward_error": error});
        let expect = json!({"status": "perturbed", "answer": answer});
        json!({"name": "p", "M": [[0, 0], [0, 0]], "q": [0, -1], "friction": friction, "expect": expect}).to_string() + "\n"
    };
    // Both branches of the root lead to one leaf, whose vector refutes each.
    let nodes = json!([{"row": 0, "z_zero": 1, "w_zero": 1}, {"empty": ["1"]}]);
    let shared = json!({"status": "unsolvable", "certificate": {"kind": "cover", "nodes": nodes}});
    let records = [
        (upper_only("1"), "holds unsolvable -"),
        (upper_only("-1"), "refused"),
        (
            record(1, json!({"status": "solvable", "solutions": [[1]]})),
            "holds solvable -",
        ),
        (record(1, twice), "refused"),
        (record(1, like_it), "refused"),
        (record(0, shared), "refused"),
        (sliding(0.25), "holds unknown -"),
        (sliding(0.0625), "refused"),
    ];
    let texts: Vec<_> = records.iter().map(|(text, _)| text.clone()).collect();
    let own: Vec<_> = texts.iter().map(|text| line_of(text)).collect();
    for lines in [own, lines(&texts.concat(), &[])?, clean_room(&texts)?] {
        for (line, (text, words)) in lines.iter().zip(&records) {
            assert!(line.starts_with(words), "{line}, not {words}: {text}");
        }
    }
    Ok(())
}
