//! Exact solving and checking on binary64 data.
//!
//! `cargo bench -p etalon-benches --bench exact` prints medians; ratios between the lines of one
//! run are what counts: the fraction-free tableau against a tableau of fractions, and the check
//! of an answer against finding it.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use etalon_benches::rational_lemke;
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_exact::{Budget, ExactMethod, Lemke, LemkeOutcome};
use etalon_lcp::{MixedLcp, Problem, Reduction};

fn problem(family: &str, n: usize) -> Problem {
    let mut problems = etalon_conformance::generate(family, n, 1, 1).expect("a known family");
    problems.next().expect("one problem")
}

fn mixed(family: &str, n: usize) -> MixedLcp {
    Reduction::new(&problem(family, n)).mixed().clone()
}

fn fraction_free(lcp: &MixedLcp) -> u64 {
    let run = Lemke::default()
        .solve(lcp)
        .expect("a covering vector of ones");
    assert!(matches!(run.outcome, LemkeOutcome::Solved { .. }));
    run.pivots
}

fn lemke(c: &mut Criterion) {
    let mut group = c.benchmark_group("lemke");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    let families: [(&str, &[usize]); 3] = [
        ("pd", &[10, 20, 50, 100]),
        ("pd-int", &[10, 20, 50, 100]),
        ("copositive-friction", &[12, 48, 100]),
    ];
    for (family, sizes) in families {
        for &n in sizes {
            let lcp = mixed(family, n);
            let id = |name: &str| BenchmarkId::new(format!("{name}/{family}"), n);
            group.bench_function(id("fraction-free"), |b| {
                b.iter(|| fraction_free(black_box(&lcp)))
            });
            group.bench_function(id("rational"), |b| {
                b.iter(|| rational_lemke(black_box(&lcp)))
            });
        }
    }
    group.finish();
}

fn check(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for n in [10, 50, 100] {
        let problem = problem("pd", n);
        let claim = ExactMethod::Lemke
            .solver(&Budget::default())
            .solve(&problem);
        let verdict = || check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
        group.bench_function(BenchmarkId::new("judge/pd", n), |b| {
            b.iter(|| black_box(verdict()))
        });
    }
    group.finish();
}

criterion_group!(benches, lemke, check);
criterion_main!(benches);
