//! Records changed at random where they can hurt: readers must answer with a record or an error, and
//! whatever the checker still believes must be true by the independent enumeration.
//!
//! Some thousands of inputs run with the tests; a million by
//!
//! ```sh
//! INPUTS=1000000 cargo test --release -p etalon-tests --test mutated_records -- --ignored --nocapture
//! ```
//!
//! Input k depends on k alone, so `INPUTS=1 FIRST=k` runs one again.

use etalon_certify::{Tolerance, Truth, check_claim, known};
use etalon_import::{Contacts, from_fclib, from_matrix_market, from_siconos};
use etalon_lcp::record::{read_claim, read_problem, write_claim, write_problem};
use etalon_lcp::{Problem, Unique, VerdictKind};
use etalon_tests::{goldens, twin};
use serde_json::{Value, json};

/// SplitMix64: every k has a stream of its own.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Tokens that numbers, words and indices are exchanged for.
fn token(draw: &mut Draw) -> Value {
    let long = "7".repeat(1 + draw.below(400));
    match draw.below(24) {
        0 => json!(0),
        1 => json!(-1),
        2 => json!(1),
        3 => json!(1e308),
        4 => json!(5e-324),
        5 => json!(u64::MAX),
        6 => json!("1e4096"),
        7 => json!("-1e-4096"),
        8 => json!("1e99999"),
        9 => json!("1/3"),
        10 => json!("1/0"),
        11 => json!(format!("{long}/{}", draw.next())),
        12 => json!("nan"),
        13 => json!("-inf"),
        14 => json!("inf"),
        15 => json!("0x1.8p-3"),
        16 => Value::Null,
        17 => json!([]),
        18 => json!({}),
        19 => json!(true),
        20 => json!(["solvable", "unsolvable", "perturbed", "solved", "z", "w"][draw.below(6)]),
        21 => json!(
            [
                "farkas",
                "cover",
                "enumeration",
                "symmetric-psd",
                "p-matrix",
                "second-solution"
            ][draw.below(6)]
        ),
        22 => json!(
            [
                "positive-definite",
                "principal-minors",
                "diagonally-dominant"
            ][draw.below(3)]
        ),
        _ => json!(draw.below(9)),
    }
}

/// The number changed a little, as text where it was text.
fn nudge(value: &Value, draw: &mut Draw) -> Value {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return token(draw),
    };
    let Ok(exact) = etalon_lcp::Number::parse_exact(&text) else {
        return token(draw);
    };
    let exact = exact.to_rational();
    let changed = match draw.below(7) {
        0 => -exact,
        1 => exact + 1,
        2 => exact - 1,
        3 => exact * 2,
        4 => exact / 3,
        5 => exact + rug::Rational::from((1, 1_000_000_000)),
        _ => rug::Rational::new(),
    };
    match (value, changed.denom() == &1) {
        (Value::Number(_), true) => changed
            .numer()
            .to_i64()
            .map_or_else(|| token(draw), |n| json!(n)),
        _ => json!(changed.to_string()),
    }
}

/// A place in a value, as deep as the dice go; a container more often than not is gone into.
fn place<'a>(value: &'a mut Value, draw: &mut Draw) -> &'a mut Value {
    let size = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if size == 0 || draw.below(6) == 0 {
        return value;
    }
    let k = draw.below(size);
    let inner = match value {
        Value::Array(items) => items.get_mut(k),
        Value::Object(fields) => fields.values_mut().nth(k),
        _ => None,
    };
    place(inner.expect("there are so many"), draw)
}

fn mutate(value: &mut Value, other: &Value, draw: &mut Draw) {
    let spare = place(&mut other.clone(), draw).take();
    let target = place(value, draw);
    match (target, draw.below(8)) {
        (Value::Array(items), 0..=1) if items.len() > 1 => {
            let (a, b) = (draw.below(items.len()), draw.below(items.len()));
            items.swap(a, b);
        }
        (Value::Array(items), 2) if !items.is_empty() => {
            items.remove(draw.below(items.len()));
        }
        (Value::Array(items), 3) if !items.is_empty() => {
            let again = draw.one_of(items).clone();
            items.push(again);
        }
        (Value::Object(fields), 0..=1) if fields.len() > 1 => {
            let keys: Vec<_> = fields.keys().cloned().collect();
            let (a, b) = (draw.one_of(&keys).clone(), draw.one_of(&keys).clone());
            let (x, y) = (fields[&a].clone(), fields[&b].clone());
            fields.insert(a, y);
            fields.insert(b, x);
        }
        (Value::Object(fields), 2) => {
            let keys: Vec<_> = fields.keys().cloned().collect();
            if !keys.is_empty() {
                fields.remove(draw.one_of(&keys));
            }
        }
        (Value::Object(fields), 3) => {
            let words = [
                "lower",
                "upper",
                "friction",
                "answer",
                "basis",
                "unique",
                "certificate",
                "z",
            ];
            let word = (*draw.one_of(&words)).to_owned();
            fields.insert(word, spare);
        }
        (target, 4) => *target = spare,
        (target, 5) => *target = token(draw),
        (target @ (Value::Array(_) | Value::Object(_)), _) => {
            // Most of what is worth changing is deeper.
            let target = place(target, draw);
            *target = nudge(target, draw);
        }
        (target, _) => *target = nudge(target, draw),
    }
}

/// Changes what stands at a place of both, or anything where it is gone.
fn mutate_at(value: &mut Value, other: &Value, at: &str, draw: &mut Draw) {
    match (value.pointer_mut(at), other.pointer(at)) {
        (Some(value), Some(other)) => mutate(value, other, draw),
        _ => mutate(value, other, draw),
    }
}

/// Changes of the text itself, for what is no JSON afterwards.
fn spoil(text: &str, draw: &mut Draw) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=draw.below(3) {
        let at = draw.below(bytes.len());
        match draw.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, *draw.one_of(b"{}[],:\"\\-.eE0189 \nNaN")),
            2 if !bytes.is_empty() => bytes[at] = draw.next() as u8,
            3 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            _ => {
                let piece = bytes[at..(at + draw.below(40)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Small goldens of every kind, and a claim about each.
fn corpus() -> Vec<(Value, Value)> {
    let mut corpus = Vec::new();
    for problem in goldens::up_to(5) {
        let record: Value = serde_json::from_str(&write_problem(&problem)).expect("was written so");
        let expect = &record["expect"];
        let certificate = expect["certificate"].clone();
        let claim = match expect["solutions"].get(0) {
            Some(z) => {
                json!({"name": problem.name(), "status": "solved", "z": z, "certificate": certificate})
            }
            None => {
                json!({"name": problem.name(), "status": "unsolvable", "certificate": certificate})
            }
        };
        corpus.push((record, claim));
    }
    assert!(corpus.len() > 100, "{}", corpus.len());
    corpus
}

/// What came of the inputs.
#[derive(Debug, Default)]
struct Counts {
    unreadable: usize,
    refused: usize,
    compared: usize,
    proved: usize,
    exact: usize,
}

/// The problem as the twin states it; it knows no friction, and no more than five rows in a reasonable
/// time. Numbers of 4,096 digits take it too long.
fn twins(problem: &Problem) -> Option<twin::Problem> {
    const LONG: usize = 2_000;
    if !problem.friction().is_empty() || problem.n() > 5 || problem.n() == 0 {
        return None;
    }
    let number = |value: &etalon_lcp::Number| {
        let text = value.to_rational().to_string();
        (text.len() < LONG).then(|| twin::parse(&text).expect("a fraction"))
    };
    let zero = etalon_lcp::Number::from(0);
    let n = problem.n();
    let entry = |i, j| number(problem.m().get(i, j).unwrap_or(&zero));
    let m: Option<Vec<Vec<_>>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    let q: Option<Vec<_>> = problem.q().iter().map(number).collect();
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in problem.rows() {
        use etalon_lcp::Row;
        let (low, high) = match row {
            Row::Nonnegative => (Some(number(&zero)?), None),
            Row::AtLeast(low) => (Some(number(low)?), None),
            Row::AtMost(high) => (None, Some(number(high)?)),
            Row::Between(low, high) => (Some(number(low)?), Some(number(high)?)),
            Row::Free => (None, None),
            Row::Friction { .. } | Row::Cone => return None,
        };
        lower.push(low);
        upper.push(high);
    }
    twin::Problem::boxed(m?, q?, lower, upper).ok()
}

fn twins_vector(z: &[rug::Rational]) -> Vec<twin::Rational> {
    z.iter()
        .map(|value| twin::parse(&value.to_string()).expect("a fraction"))
        .collect()
}

/// Whether all that is believed of a problem is so.
fn check_truth(truth: &Truth, theirs: &twin::Problem, real: &twin::Decision) -> Result<(), String> {
    let status = truth.status();
    if status
        .solvable
        .is_some_and(|solvable| solvable != real.solvable)
    {
        return Err(format!(
            "solvable {:?}, really {}",
            status.solvable, real.solvable
        ));
    }
    let unique = match status.unique {
        Some(Unique::Z) => real.unique_z,
        Some(Unique::W) => real.unique_w || !real.solvable,
        None => true,
    };
    if !unique {
        return Err(format!("{:?} is not unique", status.unique));
    }
    let solutions: Vec<_> = truth.solutions().iter().map(|z| twins_vector(z)).collect();
    if let Some(z) = solutions.iter().find(|z| !theirs.solves(z)) {
        return Err(format!("{z:?} is no solution"));
    }
    let more =
        real.points.len() != solutions.len() || !real.rays.is_empty() || !real.lines.is_empty();
    if truth.has_all_solutions() && more {
        return Err(format!("{} solutions are not all", solutions.len()));
    }
    Ok(())
}

/// One input: a pair changed in a few places, read, and judged.
fn run(corpus: &[(Value, Value)], k: u64, counts: &mut Counts) -> Result<(), String> {
    let mut draw = Draw(k);
    let (record, claim) = draw.one_of(corpus);
    let (other, other_claim) = draw.one_of(corpus).clone();
    let (mut record, mut claim) = (record.clone(), claim.clone());
    for _ in 0..=draw.below(3) {
        // Half of the changes hit what is claimed of the problem.
        match draw.below(4) {
            0 => mutate(&mut record, &other, &mut draw),
            1 => mutate_at(&mut record, &other, "/expect", &mut draw),
            2 => mutate_at(&mut record, &other, "/expect/certificate", &mut draw),
            _ => mutate(&mut claim, &other_claim, &mut draw),
        }
    }
    let (mut record, mut claim) = (record.to_string(), claim.to_string());
    if draw.below(8) == 0 {
        record = spoil(&record, &mut draw);
        claim = spoil(&claim, &mut draw);
    }
    let (Ok(problem), read) = (read_problem(&record), read_claim(&claim)) else {
        counts.unreadable += 1;
        return Ok(());
    };
    let problem = problem.record;
    let again = read_problem(&write_problem(&problem)).map_err(|error| error.to_string())?;
    if again.record != problem {
        return Err("written and read again, it is another problem".to_owned());
    }
    let truth = problem
        .expect
        .as_ref()
        .map(|expect| known(&problem, expect));
    counts.refused += usize::from(matches!(truth, Some(Err(_))));
    let theirs = twins(&problem);
    let real = theirs.as_ref().map(twin::decide);
    if let (Some(Ok(truth)), Some(theirs), Some(real)) = (&truth, &theirs, &real) {
        counts.compared += 1;
        counts.proved += usize::from(truth.status() != Truth::default().status());
        check_truth(truth, theirs, real)?;
    }
    let Ok(claim) = read else {
        counts.unreadable += 1;
        return Ok(());
    };
    let claim = claim.record;
    let again = read_claim(&write_claim(&claim)).map_err(|error| error.to_string())?;
    if again.record.answer != claim.answer || again.record.certificate != claim.certificate {
        return Err("written and read again, it is another claim".to_owned());
    }
    let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
    if let (Some(theirs), Some(real)) = (&theirs, &real) {
        let right = match (verdict.kind, &claim.answer) {
            (VerdictKind::Exact, etalon_lcp::ClaimedAnswer::Solved { z }) => {
                counts.exact += 1;
                let z: Vec<_> = z.iter().map(etalon_lcp::Number::to_rational).collect();
                theirs.solves(&twins_vector(&z))
            }
            (VerdictKind::Proved | VerdictKind::Perturbed, _) => !real.solvable,
            (VerdictKind::Refuted, _) => real.solvable,
            _ => true,
        };
        if !right {
            return Err(format!("the verdict {} is wrong", verdict.kind.word()));
        }
    }
    Ok(())
}

fn run_all(first: u64, inputs: u64) {
    let corpus = corpus();
    let mut counts = Counts::default();
    for k in first..first + inputs {
        if let Err(error) = run(&corpus, k, &mut counts) {
            panic!("input {k}: {error} (INPUTS=1 FIRST={k} runs it again)");
        }
    }
    println!("{inputs} inputs: {counts:?}");
    if inputs >= 1000 {
        // Not all were so broken, nor all so harmless, that nothing was tried.
        let some = |count: usize| count as u64 > inputs / 100;
        let tried = [
            counts.unreadable,
            counts.refused,
            counts.compared,
            counts.proved,
            counts.exact,
        ];
        assert!(tried.into_iter().all(some), "{counts:?}");
    }
}

#[test]
fn what_is_believed_of_a_changed_record_is_true() {
    run_all(0, 4_000);
}

#[test]
#[ignore = "INPUTS of them, a million unless said otherwise"]
fn a_million_changed_records() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    run_all(number("FIRST", 0), number("INPUTS", 1_000_000));
}

/// Scenes, and files of other projects: an error or a problem, and nothing worse.
#[test]
fn changed_files_of_other_kinds_are_read_or_refused() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let scenes = std::fs::read_to_string(format!("{root}/golden/scenes/darwin-block.jsonl"))
        .expect("a golden");
    let scenes: Vec<Value> = scenes
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["scene"].clone())
        .collect();
    let m = "%%MatrixMarket matrix coordinate real general\n% M\n2 2 3\n1 1 2.5\n2 1 -1\n2 2 1e3\n";
    let q = "%%MatrixMarket matrix array real general\n2 1\n-1\n0.5\n";
    let dense = "2\n1\n0\n2\n2\n2\t2\n 2 1\n 1 3\n-1 0.5\n 0.25";
    let (mut read, mut refused) = (0, 0);
    let mut count = |ok: bool| if ok { read += 1 } else { refused += 1 };
    for k in 0..3_000 {
        let mut draw = Draw(k << 32);
        let mut scene = draw.one_of(&scenes).clone();
        let spare = draw.one_of(&scenes).clone();
        mutate(&mut scene, &spare, &mut draw);
        let text = scene.to_string();
        let text = if k % 4 == 0 {
            spoil(&text, &mut draw)
        } else {
            text
        };
        count(etalon::scenarios::read_scene(&text).is_ok());
        count(from_matrix_market("p", &spoil(m, &mut draw), q).is_ok());
        count(from_matrix_market("p", m, &spoil(q, &mut draw)).is_ok());
        count(from_siconos("p", &spoil(dense, &mut draw), Contacts::default()).is_ok());
        let bytes = (0..draw.below(200)).map(|_| draw.next() as u8).collect();
        count(from_fclib("p", bytes, Contacts::default()).is_ok());
    }
    assert!(
        read > 100 && refused > 1000,
        "{read} read, {refused} refused"
    );
}
