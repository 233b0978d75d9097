//! Records that ask for numbers without end are refused by the checker's budget. Each runs in a process
//! of its own, of which the peak of memory is read: GMP takes its memory past Rust's allocator.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use etalon_certify::{Tolerance, evaluate, known};
use etalon_lcp::record::read_problem;

/// The promise, whatever a record of up to 32 MB says.
const PEAK: u64 = 300_000_000;
const RECORD: usize = 32_000_000;

/// Digits that look drawn, the same each time.
struct Digits(u64);

impl Digits {
    fn next(&mut self) -> u64 {
        // Knuth's MMIX generator; the upper bits are good enough.
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// An odd integer of so many digits.
    fn integer(&mut self, digits: usize) -> String {
        let mut text: String = (1..digits)
            .map(|_| char::from(b'1' + (self.next() % 9) as u8))
            .collect();
        text.push('7');
        text
    }

    /// A fraction with so many digits above and below.
    fn fraction(&mut self, digits: usize) -> String {
        format!("\"{}/{}\"", self.integer(digits), self.integer(digits))
    }
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    let mut text = String::from("[");
    for (k, item) in items.into_iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        write!(text, "{comma}{item}").unwrap();
    }
    text + "]"
}

fn same(item: &str, n: usize) -> String {
    list((0..n).map(|_| item.to_owned()))
}

fn dense(n: usize, mut entry: impl FnMut(usize, usize) -> String) -> String {
    list((0..n).map(|i| list((0..n).map(|j| entry(i, j)))))
}

fn record(m: &str, q: &str, rest: &str, expect: &str) -> String {
    format!(r#"{{"name":"p","M":{m},"q":{q}{rest},"expect":{expect}}}"#)
}

fn proof(kind: &str) -> String {
    format!(r#"{{"status":"solvable","certificate":{{"kind":"{kind}"}}}}"#)
}

fn p_matrix(proof: &str) -> String {
    format!(r#"{{"status":"solvable","certificate":{{"kind":"p-matrix","proof":{proof}}}}}"#)
}

fn farkas(y: &str) -> String {
    format!(r#"{{"status":"unsolvable","certificate":{{"kind":"farkas","y":{y}}}}}"#)
}

/// What a hostile record is, and its text.
type Case = (&'static str, fn() -> String);

/// All of them.
fn cases() -> Vec<Case> {
    vec![
        ("psd, 60 rows of 400 digits", || {
            let d = &mut Digits(1);
            record(
                &dense(60, |_, _| d.fraction(400)),
                &same("0", 60),
                "",
                &proof("symmetric-psd"),
            )
        }),
        ("psd, 80 rows of denominators of 600 digits", || {
            let d = &mut Digits(12);
            let m = dense(80, |_, _| format!("\"1/{}\"", d.integer(600)));
            record(&m, &same("0", 80), "", &proof("symmetric-psd"))
        }),
        (
            "a Farkas vector on 300 rows of denominators of 300 digits",
            || {
                let d = &mut Digits(13);
                let m = dense(300, |_, _| format!("\"-1/{}\"", d.integer(300)));
                record(&m, &same("-1", 300), "", &farkas(&same("1", 300)))
            },
        ),
        (
            "a Farkas vector on 450 rows of denominators of 140 digits",
            || {
                let d = &mut Digits(14);
                let m = dense(450, |_, _| format!("\"-1/{}\"", d.integer(140)));
                record(&m, &same("-1", 450), "", &farkas(&same("1", 450)))
            },
        ),
        ("definite, 80 rows of 600 digits", || {
            let d = &mut Digits(2);
            record(
                &dense(80, |_, _| d.fraction(600)),
                &same("0", 80),
                "",
                &p_matrix("\"positive-definite\""),
            )
        }),
        ("definite, 450 rows of one digit", || {
            let d = &mut Digits(15);
            let entry =
                |i: usize, j: usize| (d.next() % 10 + if i == j { 9_000 } else { 0 }).to_string();
            record(
                &dense(450, entry),
                &same("0", 450),
                "",
                &p_matrix("\"positive-definite\""),
            )
        }),
        ("dominant, 1000 rows of 12,000 digits each", || {
            let d = &mut Digits(3);
            let entries = list((0..1000).map(|j| format!("[0,{j},{}]", d.fraction(6_000))));
            let m = format!(r#"{{"shape":[1000,1000],"entries":{entries}}}"#);
            let weights = list((0..1000).map(|_| d.fraction(6_000)));
            let proof = format!(r#""diagonally-dominant","weights":{weights}"#);
            record(&m, &same("0", 1000), "", &p_matrix(&proof))
        }),
        ("minors of 16 rows of 4,000 digits", || {
            let d = &mut Digits(4);
            record(
                &dense(16, |_, _| d.fraction(4_000)),
                &same("0", 16),
                "",
                &p_matrix("\"principal-minors\""),
            )
        }),
        ("a Farkas vector on 200 rows of 300 digits", || {
            let d = &mut Digits(5);
            let m = dense(200, |_, _| d.fraction(300));
            let y = list((0..200).map(|_| d.fraction(300)));
            record(&m, &same("-1", 200), "", &farkas(&y))
        }),
        ("a Farkas vector on one row of long numbers", || {
            let d = &mut Digits(6);
            let entries = list((0..1500).map(|j| format!("[0,{j},{}]", d.fraction(5_000))));
            let m = format!(r#"{{"shape":[1500,1500],"entries":{entries}}}"#);
            record(&m, &same("-1", 1500), "", &farkas(&same("1", 1500)))
        }),
        ("solutions of unrelated denominators", || {
            let d = &mut Digits(7);
            let entries = list((0..1500).map(|j| format!("[0,{j},{}]", d.fraction(2_500))));
            let m = format!(r#"{{"shape":[1500,1500],"entries":{entries}}}"#);
            let z = list((0..1500).map(|_| d.fraction(2_500)));
            record(
                &m,
                &same("0", 1500),
                "",
                &format!(r#"{{"status":"solvable","solutions":[{z}]}}"#),
            )
        }),
        ("boxes of unrelated denominators", || {
            let d = &mut Digits(8);
            let m = dense(150, |_, _| d.fraction(300));
            let lower = list((0..150).map(|_| d.fraction(300)));
            let rest = format!(r#","lower":{lower}"#);
            record(&m, &same("-1", 150), &rest, &farkas(&same("1", 150)))
        }),
        ("friction on one long bound", || {
            let n = 20_000;
            let bound = Digits(9).fraction(400_000);
            let rows = list((1..n).map(|row| format!(r#"{{"row":{row},"normal":0,"mu":"1/3"}}"#)));
            let lower = list([bound].into_iter().chain((1..n).map(|_| "0".to_owned())));
            let m = format!(r#"{{"shape":[{n},{n}],"entries":[]}}"#);
            let rest = format!(r#","lower":{lower},"friction":{rows}"#);
            record(&m, &same("-1", n), &rest, &farkas(&same("1", 2 * n - 1)))
        }),
        ("friction on one long solution", || {
            let n = 130_000;
            let long = Digits(10).fraction(450_000);
            let rows = list((1..n).map(|row| format!(r#"{{"row":{row},"normal":0,"mu":"1/3"}}"#)));
            let z = list([long].into_iter().chain((1..n).map(|_| "0".to_owned())));
            let m = format!(r#"{{"shape":[{n},{n}],"entries":[]}}"#);
            let rest = format!(r#","friction":{rows}"#);
            record(
                &m,
                &same("0", n),
                &rest,
                &format!(r#"{{"status":"solvable","solutions":[{z}]}}"#),
            )
        }),
        (
            "many friction rows on a solution that is not too long",
            || {
                let n = 20_000;
                let long = Digits(11).fraction(20_000);
                let rows =
                    list((1..n).map(|row| format!(r#"{{"row":{row},"normal":0,"mu":"1/3"}}"#)));
                let z = list(
                    [long]
                        .into_iter()
                        .chain((1..n).map(|_| "\"1e-4000\"".to_owned())),
                );
                let m = format!(r#"{{"shape":[{n},{n}],"entries":[]}}"#);
                let rest = format!(r#","friction":{rows}"#);
                let expect = format!(r#"{{"status":"solvable","solutions":[{z}]}}"#);
                record(&m, &same("0", n), &rest, &expect)
            },
        ),
        ("binary64 from end to end", || {
            let m = dense(1400, |i, j| {
                if (i + j) % 2 == 0 { "1e308" } else { "1e-307" }.to_owned()
            });
            record(&m, &same("-1", 1400), "", &farkas(&same("1e-300", 1400)))
        }),
        ("a cover of many leaves", || {
            // A full tree on 13 rows: each leaf holds, and takes a product of the whole matrix.
            let (n, depth) = (100, 13);
            let m = dense(n, |i, j| format!("-{}", i * j % 7));
            let leaf = format!(r#"{{"empty":{}}}"#, same("1", n));
            let branch = |k: usize| {
                let (row, z_zero, w_zero) = ((k + 1).ilog2(), 2 * k + 1, 2 * k + 2);
                format!(r#"{{"row":{row},"z_zero":{z_zero},"w_zero":{w_zero}}}"#)
            };
            let inner = (1 << depth) - 1;
            let nodes = (0..=2 * inner).map(|k| if k < inner { branch(k) } else { leaf.clone() });
            let expect = format!(
                r#"{{"status":"unsolvable","certificate":{{"kind":"cover","nodes":{}}}}}"#,
                list(nodes)
            );
            record(&m, &same("-1", n), "", &expect)
        }),
        ("points on a large matrix", || {
            let n = 2000;
            let m = format!(r#"{{"shape":[{n},{n}],"entries":[]}}"#);
            let point = format!(
                r#"{{"face":{{"vertices":{},"rays":[]}}}}"#,
                list((0..1500).map(|_| same("1e308", n)))
            );
            let expect = format!(
                r#"{{"status":"solvable","certificate":{{"kind":"enumeration","nodes":[{point}]}}}}"#
            );
            let free = format!(r#","lower":{}"#, same("\"-inf\"", n));
            record(&m, &same("0", n), &free, &expect)
        }),
    ]
}

/// What the refusal of one record takes.
struct Taken {
    /// The peak of the process, in bytes.
    peak: u64,
    /// The seconds of a processor that the checker needs to refuse it.
    seconds: f64,
}

/// Judges case k in a process of its own.
fn refused(k: usize, name: &str) -> Taken {
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "one_hostile_record", "--ignored", "--nocapture"])
        .env("HOSTILE", k.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {text}{said}");
    let figure = |word: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(word));
        line.unwrap().trim().to_owned()
    };
    Taken {
        peak: figure("peak ").parse().unwrap(),
        seconds: figure("seconds ").parse().unwrap(),
    }
}

#[test]
fn what_asks_for_too_much_is_refused_within_memory() {
    let cases = cases();
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, _)) = cases.get(k) else {
                return;
            };
            let Taken { peak, .. } = refused(k, name);
            assert!(peak <= PEAK, "{name} takes {peak} bytes");
        }
    };
    // Each process reads its own peak, whatever runs beside it. Two at a time have room on any machine.
    std::thread::scope(|scope| {
        scope.spawn(worker);
        worker();
    });
}

#[test]
#[ignore = "its second is meant for a release build on a machine of its own"]
fn what_asks_for_too_much_is_refused_within_a_second() {
    let mut late = Vec::new();
    for (k, (name, _)) in cases().iter().enumerate() {
        let Taken { peak, seconds } = refused(k, name);
        println!("{seconds:5.2} s {:4} MB  {name}", peak / 1_000_000);
        if seconds >= 1.0 {
            late.push(*name);
        }
    }
    assert!(late.is_empty(), "later than a second: {late:?}");
}

#[test]
#[ignore = "a process of its own, which the other tests start"]
fn one_hostile_record() {
    let which: usize = std::env::var("HOSTILE").map_or(0, |k| k.parse().unwrap());
    let (name, text) = cases()[which];
    let text = text();
    assert!(text.len() <= RECORD, "{name}: {} bytes", text.len());
    let problem = read_problem(&text).unwrap().record;
    let spent = processor_time();
    let refused = known(&problem, problem.expect.as_ref().unwrap()).unwrap_err();
    let spent = processor_time() - spent;
    assert!(refused.is_over_budget(), "{name}: {refused}");
    for z in &problem.expect.as_ref().unwrap().solutions {
        // The same as somebody's answer.
        let z: Vec<_> = z.iter().map(etalon_lcp::Number::to_rational).collect();
        let refused = evaluate(&problem, &z, &Tolerance::default()).unwrap_err();
        assert!(refused.is_over_budget(), "{name}: {refused}");
    }
    println!("\npeak {}\nseconds {spent}", peak());
}

/// What this process has taken of a processor, in seconds: other processes do not count.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields.split(' ').skip(11).take(2);
    let ticks: u64 = ticks.map(|field| field.parse::<u64>().unwrap()).sum();
    // Linux counts a hundred a second.
    ticks as f64 / 100.0
}

/// The most memory that this process has had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes * 1024
}
