//! A sparse problem of a million rows and ten million nonzeros, judged exactly:
//!
//! ```sh
//! cargo test --release -p etalon-cli --test it cli_check_large -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{ETALON, Workbench};

/// Memory that `check` may ask for, in KiB: 8 GiB.
const MEMORY: u64 = 8 << 20;

/// Columns of the nonzeros of row 0; those of row i are i further, around the end.
const OFFSETS: [usize; 10] = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55];

/// Steele and Vigna's splitmix64, as bits below a power of two.
struct Bits(u64);

impl Bits {
    fn below(&mut self, bits: u32) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) >> (64 - bits)
    }
}

/// Writes M, q = w - Mz and the planted z, all multiples of 2^-16 below 2^10, so that q is exact; `spoil`
/// moves one entry of q by 2^-10.
fn write(bench: &Workbench, n: usize, spoil: bool) {
    let mut bits = Bits(1);
    let z: Vec<f64> = (0..n)
        .map(|_| {
            if bits.below(1) == 0 {
                0.0
            } else {
                (1 + bits.below(9)) as f64 / 1024.0
            }
        })
        .collect();
    let mut out = BufWriter::new(File::create(bench.path().join("p.jsonl")).unwrap());
    write!(
        out,
        r#"{{"name":"large","M":{{"shape":[{n},{n}],"entries":["#
    )
    .unwrap();
    let mut q = Vec::with_capacity(n);
    for i in 0..n {
        let mut product = 0.0;
        for (k, offset) in OFFSETS.iter().enumerate() {
            let j = (i + offset) % n;
            let value = if k == 0 {
                8.0
            } else {
                bits.below(7) as f64 / 64.0 - 1.0
            };
            product += value * z[j];
            let comma = if i + k == 0 { "" } else { "," };
            write!(out, "{comma}[{i},{j},{value}]").unwrap();
        }
        let w = if z[i] == 0.0 {
            bits.below(10) as f64 / 1024.0
        } else {
            0.0
        };
        q.push(w - product);
    }
    if spoil {
        let positive = z.iter().position(|z| *z > 0.0).unwrap();
        q[positive] -= 1.0 / 1024.0;
    }
    let list = |values: &[f64]| {
        let values: Vec<_> = values.iter().map(ToString::to_string).collect();
        values.join(",")
    };
    writeln!(out, r#"]}},"q":[{}]}}"#, list(&q)).unwrap();
    let claim = format!(r#"{{"name":"large","status":"solved","z":[{}]}}"#, list(&z));
    bench.write("c.jsonl", claim);
}

/// Judges within the memory; the verdict and how long it took.
fn check(bench: &Workbench) -> (serde_json::Value, Duration) {
    let start = Instant::now();
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" check p.jsonl c.jsonl --quiet");
    let mut command = Command::new("sh");
    let ran = command
        .args(["-c", &script, ETALON])
        .current_dir(bench.path());
    let ran = ran.output().unwrap();
    let verdict = serde_json::from_slice(&ran.stdout);
    let verdict = verdict.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    (verdict, start.elapsed())
}

#[test]
fn sparse_problems_are_judged_to_the_last_bit() {
    let bench = Workbench::new();
    write(&bench, 2_000, false);
    assert_eq!(check(&bench).0["verdict"], "exact");
    write(&bench, 2_000, true);
    assert_eq!(check(&bench).0["verdict"], "rejected");
}

#[test]
#[ignore = "writes 260 MB, and its minute is meant for a release build on a machine of its own"]
fn ten_million_nonzeros_are_judged_within_a_minute_and_8_gib() {
    let bench = Workbench::new();
    write(&bench, 1_000_000, false);
    let (verdict, took) = check(&bench);
    println!("judged in {:.1} s", took.as_secs_f64());
    assert_eq!(verdict["verdict"], "exact");
    assert!(took < Duration::from_secs(60), "{took:?}");
}
