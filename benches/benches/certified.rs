//! The cost of exactness when the basis is known.
//!
//! `cargo bench -p etalon-benches --bench certified` prints medians of: the exact solution of the
//! whole system M z = -q ("system"), a problem certified from its right basis ("certified"), and the
//! signs of that basis proved in floating point ("signs").

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use etalon_exact::{Budget, ExactMethod, Proposal, basis_solution, certified, sign_certificate};
use etalon_lcp::{Basis, ClaimedAnswer, Problem, Reduction};

fn problem(family: &str, n: usize) -> Problem {
    let mut problems = etalon_conformance::generate(family, n, 1, 1).expect("a known family");
    problems.next().expect("one problem")
}

/// The right basis: exchanges from the empty one, or the reference route.
fn basis(problem: &Problem) -> Basis {
    let n = Reduction::new(problem).mixed().n();
    let empty = Basis::new(vec![false; n]);
    let claim = certified(problem, Some(&empty.into()), &Budget::default());
    assert!(matches!(claim.answer, ClaimedAnswer::Solved { .. }));
    let claim = match claim.basis {
        Some(_) => claim,
        None => ExactMethod::Lemke.solver(&Budget::default()).solve(problem),
    };
    claim.basis.expect("Lemke's method carries its basis")
}

fn systems(c: &mut Criterion) {
    let mut group = c.benchmark_group("system");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    for n in [10, 20, 50, 100, 200, 500, 1000] {
        let problem = problem("pd", n);
        let reduction = Reduction::new(&problem);
        let all = Basis::new(vec![true; n]);
        group.bench_function(BenchmarkId::new("pd", n), |b| {
            b.iter(|| basis_solution(black_box(reduction.mixed()), &all, &Budget::default()))
        });
    }
    group.finish();
}

fn whole_problems(c: &mut Criterion) {
    let mut group = c.benchmark_group("problem");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    let families: [(&str, &[usize]); 3] = [
        ("pd", &[10, 30, 100, 300, 1000]),
        ("psd", &[10, 30, 100]),
        ("copositive-friction", &[12, 48, 100]),
    ];
    for (family, sizes) in families {
        for &n in sizes {
            let problem = problem(family, n);
            let basis = basis(&problem);
            let reduction = Reduction::new(&problem);
            let id = |name: &str| BenchmarkId::new(format!("{name}/{family}"), n);
            group.bench_function(id("certified"), |b| {
                let proposal = Proposal::from(basis.clone());
                b.iter(|| certified(black_box(&problem), Some(&proposal), &Budget::default()))
            });
            group.bench_function(id("signs"), |b| {
                b.iter(|| sign_certificate(black_box(reduction.mixed()), &basis))
            });
        }
    }
    group.finish();
}

criterion_group!(benches, systems, whole_problems);
criterion_main!(benches);
