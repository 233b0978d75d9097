//! The fast solvers against LU of the same matrices, cold and warm, with certainty beside them.
//!
//! `cargo bench -p etalon-benches --bench fast` takes half an hour; a part of it is chosen by a
//! regular expression on names like `PD dense/fast-auto/100`:
//!
//! - `cargo bench -p etalon-benches --bench fast -- 'PD dense'`, one family;
//! - `cargo bench -p etalon-benches --bench fast -- '/100$'`, one size;
//! - `cargo bench -p etalon-benches --bench fast -- 'fast-auto/.*'`, one contender.
//!
//! The command `performance` of this package runs the same cases in turn for a table of ratios;
//! this bench is for watching one figure while code changes.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use etalon_benches::case::Case;
use etalon_benches::elimination::{faer_solve, nalgebra_solve, to_faer, to_faer_column};
use etalon_exact::{Budget, Proposal, SignProof, certified, sign_certificate};
use etalon_fast::{FastMethod, Lcp, Place, Start, Workspace, solve_sparse};
use etalon_lcp::Reduction;
use nalgebra::DVector;

const SIZES: [usize; 5] = [10, 30, 100, 300, 1000];

/// Beyond this exact pivoting takes seconds.
const MAX_EXACT: usize = 40;

/// Beyond this exact bases do, of families other than the definite one.
const MAX_CERTIFIED: usize = 300;

fn generated(c: &mut Criterion) {
    for case in SIZES.into_iter().flat_map(|n| Case::all(n, 1)) {
        let mut group = c.benchmark_group(case.family.label);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1));
        opponents(&mut group, &case);
        for method in FastMethod::ALL {
            cold_and_warm(&mut group, &case, method);
        }
        sparse(&mut group, &case);
        certainty(&mut group, &case);
        group.finish();
    }
}

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn opponents(group: &mut Group<'_>, case: &Case) {
    let (n, m) = (case.data.n(), case.data.matrix());
    let q = DVector::from_column_slice(&case.data.q);
    let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&case.data.q));
    group.bench_function(BenchmarkId::new("lu-nalgebra", n), |b| {
        b.iter(|| nalgebra_solve(black_box(&m), &q))
    });
    group.bench_function(BenchmarkId::new("lu-faer", n), |b| {
        b.iter(|| faer_solve(black_box(&faer_m), &faer_q))
    });
}

fn cold_and_warm(group: &mut Group<'_>, case: &Case, method: FastMethod) {
    let lcp = case.data.dense().expect("n is small");
    let changed = case.changed.dense().expect("n is small");
    let Some(places) = places(&lcp, method) else {
        return;
    };
    let n = case.data.n();
    let mut workspace = Workspace::new();
    group.bench_function(BenchmarkId::new(method.name(), n), |b| {
        b.iter(|| {
            let solution = workspace.solve(black_box(&lcp).view(), method, Start::Cold);
            solution.map(|solution| solution.pivots)
        })
    });
    let start = Start::Places(&places);
    if workspace.solve(changed.view(), method, start).is_err() {
        return;
    }
    group.bench_function(BenchmarkId::new(format!("{method}-warm"), n), |b| {
        b.iter(|| {
            let solution = workspace.solve(black_box(&changed).view(), method, start);
            solution.map(|solution| solution.pivots)
        })
    });
}

/// The places of the solution; `None` where the method does not solve the problem.
fn places(lcp: &Lcp, method: FastMethod) -> Option<Vec<Place>> {
    let mut workspace = Workspace::new();
    let solution = workspace.solve(lcp.view(), method, Start::Cold);
    Some(solution.ok()?.places.to_vec())
}

fn sparse(group: &mut Group<'_>, case: &Case) {
    if !case.problem.m().is_sparse() {
        return;
    }
    let lcp = case.data.sparse().expect("symmetric");
    group.bench_function(BenchmarkId::new("fast-sparse", case.data.n()), |b| {
        b.iter(|| solve_sparse(black_box(&lcp), Start::Cold))
    });
}

fn certainty(group: &mut Group<'_>, case: &Case) {
    let n = case.data.n();
    if n > MAX_CERTIFIED && case.family.name != "pd" {
        return;
    }
    let (problem, budget) = (&case.problem, Budget::default());
    let claim = FastMethod::Auto.solver().solve(problem);
    let Some(proposal) = Proposal::of(problem, &claim) else {
        return;
    };
    group.bench_function(BenchmarkId::new("certified", n), |b| {
        b.iter(|| certified(black_box(problem), Some(&proposal), &budget))
    });
    let basis = proposal.basis;
    let reduction = Reduction::new(problem);
    if sign_certificate(reduction.mixed(), &basis) == SignProof::Solved {
        group.bench_function(BenchmarkId::new("signs", n), |b| {
            b.iter(|| sign_certificate(black_box(reduction.mixed()), &basis))
        });
    }
    if n <= MAX_EXACT {
        let solver = etalon_exact::ExactMethod::Lemke.solver(&budget);
        group.bench_function(BenchmarkId::new("exact-lemke", n), |b| {
            b.iter(|| solver.solve(black_box(problem)))
        });
    }
}

/// All golden problems that were not generated, one after the other.
fn real(c: &mut Criterion) {
    let golden = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../golden/problems"));
    let goldens = etalon_golden::read(&[golden]).expect("goldens");
    let goldens = goldens.map(|golden| golden.expect("a golden"));
    let real =
        goldens.filter(|golden| golden.suite.name != "generated" && golden.problem.n() <= 300);
    let problems: Vec<Lcp> = real
        .filter_map(|golden| Lcp::from_problem(&golden.problem).ok())
        .collect();
    let mut group = c.benchmark_group("real cases");
    group.sample_size(10);
    let mut workspace = Workspace::new();
    group.bench_function(BenchmarkId::new("fast-auto", problems.len()), |b| {
        b.iter(|| {
            let solved = problems.iter().filter(|lcp| {
                let solution = workspace.solve(lcp.view(), FastMethod::Auto, Start::Cold);
                solution.is_ok()
            });
            solved.count()
        })
    });
    group.finish();
}

criterion_group!(benches, generated, real);
criterion_main!(benches);
