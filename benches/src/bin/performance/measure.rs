//! The times of all contenders on one problem.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Duration;

use etalon_benches::case::{Case, Data, Family};
use etalon_benches::elimination::{faer_solve, nalgebra_solve, to_faer, to_faer_column};
use etalon_benches::timing::{Contender, race, timed};
use etalon_exact::{Budget, Proposal, SignProof, certified, sign_certificate};
use etalon_fast::{
    FastMethod, Lcp, Place, SparseLcp, SparseSolution, Start, Workspace, solve_sparse,
};
use etalon_lcp::{Basis, ClaimedAnswer, MixedLcp, Problem, Reduction};
use nalgebra::DVector;

use crate::peers::Peer;

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Dense LU and the solution by nalgebra.
    Nalgebra,
    /// The same by faer.
    Faer,
    /// The same by OpenBLAS's `dgesv`, in a process of its own.
    Dgesv,
    /// A fast method from nothing.
    Cold(FastMethod),
    /// `fast-auto` on this problem and the one 1% away in turn, each from nothing: the mean of both.
    ColdBoth,
    /// The same with each from the solution of the other: no problem comes twice running. The mean of both.
    Warm,
    /// `Cold(Auto)`, and the signs of its solution proved on the way.
    Proving,
    /// The sparse method.
    Sparse,
    /// The sparse method in place of [`ColdBoth`](Self::ColdBoth).
    SparseBoth,
    /// The sparse method in place of [`Warm`](Self::Warm).
    WarmSparse,
    /// The final basis made exact.
    Certified,
    /// The signs of the final basis proved in floating point.
    Signs,
    /// Exact pivoting from nothing.
    Exact,
}

/// The seconds of everything that was timed on a problem, failures left out.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Of which problem.
    pub family: &'static Family,
    /// The size that was asked for.
    pub nominal: usize,
    /// Its size.
    pub n: usize,
    times: Vec<(What, f64)>,
}

impl Measurement {
    /// Seconds, where it was timed and did not fail.
    pub fn seconds(&self, what: What) -> Option<f64> {
        let found = self.times.iter().find(|(known, _)| *known == what);
        found.map(|(_, seconds)| *seconds)
    }

    /// The fastest LU of those that were timed.
    pub fn lu(&self) -> Option<f64> {
        let (one, two) = (self.seconds(What::Nalgebra), self.seconds(What::Faer));
        let own = one?.min(two?);
        Some(
            self.seconds(What::Dgesv)
                .map_or(own, |third| own.min(third)),
        )
    }

    /// The fast solver on a problem of this structure: the sparse one where M is sparse, from the
    /// size on from which it pays.
    pub fn fast(&self) -> Option<f64> {
        self.sparse_or(What::Sparse, What::Cold(FastMethod::Auto))
    }

    /// The same from the solution of the problem 1% away, and that from this one's: the mean of both.
    pub fn warm(&self) -> Option<f64> {
        self.sparse_or(What::WarmSparse, What::Warm)
    }

    /// Cold, the mean of the problem and the one 1% away.
    pub fn cold_both(&self) -> Option<f64> {
        self.sparse_or(What::SparseBoth, What::ColdBoth)
    }

    fn sparse_or(&self, sparse: What, dense: What) -> Option<f64> {
        let sparse = (self.n >= 64).then(|| self.seconds(sparse)).flatten();
        sparse.or_else(|| self.seconds(dense))
    }
}

/// Exact pivoting takes n^5 or so.
const MAX_EXACT: usize = 40;

/// Where exact answers have targets up to n = 1000; elsewhere they are not asked for beyond 300.
const WITH_TARGETS: [&str; 3] = ["pd", "friction-four", "friction-eight"];
const MAX_CERTIFIED: usize = 300;

/// Runs all contenders on a case, `dgesv` after the others.
///
/// # Errors
/// The yardstick's failure, in words.
pub fn measure(case: &Case, budget: Duration, dgesv: Option<&Peer>) -> Result<Measurement, String> {
    let mut times = opponents_and_fast(case, budget, &FastMethod::ALL);
    if let Some(dgesv) = dgesv.filter(|_| !times.is_empty()) {
        times.push((What::Dgesv, dgesv.yardstick(case)?));
    }
    times.extend(sparse(case, budget));
    times.extend(exact(case, budget));
    Ok(measurement(case, times))
}

/// Runs LU, `fast-auto` and the certified route.
pub fn measure_fast_and_certified(case: &Case, budget: Duration) -> Measurement {
    let mut times = opponents_and_fast(case, budget, &[FastMethod::Auto]);
    times.extend(sparse(case, budget));
    if let Some(proposal) = proposal(case) {
        let (own, contender) = certified_once(&case.problem, &proposal, budget);
        times.extend(own);
        times.extend(race(contender.into_iter().collect(), budget));
    }
    measurement(case, times)
}

fn measurement(case: &Case, times: Vec<(What, f64)>) -> Measurement {
    Measurement {
        family: case.family,
        nominal: case.nominal,
        n: case.data.n(),
        times,
    }
}

/// LU and dense fast methods, in turn.
fn opponents_and_fast(case: &Case, budget: Duration, methods: &[FastMethod]) -> Vec<(What, f64)> {
    let (Some(lcp), Some(changed)) = (case.data.dense(), case.changed.dense()) else {
        return Vec::new();
    };
    let m = case.data.matrix();
    let q = DVector::from_column_slice(&case.data.q);
    let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&case.data.q));
    let known = [&lcp, &changed].map(|lcp| solution(lcp, FastMethod::Auto));
    let mut contenders = vec![
        Contender::new(What::Nalgebra, || {
            black_box(nalgebra_solve(black_box(&m), &q));
        }),
        Contender::new(What::Faer, || {
            black_box(faer_solve(black_box(&faer_m), &faer_q));
        }),
    ];
    for &method in methods {
        if solution(&lcp, method).is_none() {
            continue;
        }
        contenders.push(solving(&lcp, method));
        if method == FastMethod::Auto && proves(&lcp) {
            contenders.push(proving(&lcp));
        }
    }
    if let [Some(own), Some(of_changed)] = &known {
        let warm = [(&changed, own.start()), (&lcp, of_changed.start())];
        if follows(&warm) {
            let cold = [(&changed, Start::Cold), (&lcp, Start::Cold)];
            contenders.push(in_turn(What::Warm, warm));
            contenders.push(in_turn(What::ColdBoth, cold));
        }
    }
    race(contenders, budget)
}

/// Places and z.
struct Known {
    places: Vec<Place>,
    z: Vec<f64>,
}

impl Known {
    fn start(&self) -> Start<'_> {
        Start::Solution {
            places: &self.places,
            z: &self.z,
        }
    }
}

/// A cold solution; `None` where the method fails.
fn solution(lcp: &Lcp, method: FastMethod) -> Option<Known> {
    let mut workspace = Workspace::new();
    let solution = workspace.solve(lcp.view(), method, Start::Cold).ok()?;
    Some(Known {
        places: solution.places.to_vec(),
        z: solution.z.to_vec(),
    })
}

/// A method in a workspace of its own, as a game loop has it.
fn solving(lcp: &Lcp, method: FastMethod) -> Contender<'_, What> {
    let mut workspace = Workspace::new();
    Contender::new(What::Cold(method), move || {
        // Whether it succeeds was seen before.
        let _ = black_box(workspace.solve(black_box(lcp).view(), method, Start::Cold));
    })
}

/// Whether the signs are proved.
fn proves(lcp: &Lcp) -> bool {
    let mut workspace = Workspace::new();
    let solution = workspace.solve_proving(lcp.view(), FastMethod::Auto, Start::Cold);
    solution.is_ok_and(|solution| solution.proved)
}

fn proving(lcp: &Lcp) -> Contender<'_, What> {
    let mut workspace = Workspace::new();
    Contender::new(What::Proving, move || {
        let lcp = black_box(lcp).view();
        let _ = black_box(workspace.solve_proving(lcp, FastMethod::Auto, Start::Cold));
    })
}

/// Problems with what each starts from.
type Turns<'a, L> = [(&'a L, Start<'a>); 2];

/// Whether `fast-auto` solves each from there.
fn follows(turns: &Turns<'_, Lcp>) -> bool {
    let mut workspace = Workspace::new();
    let mut solves =
        |lcp: &Lcp, start| workspace.solve(lcp.view(), FastMethod::Auto, start).is_ok();
    turns.iter().all(|(lcp, start)| solves(lcp, *start))
}

/// `fast-auto` on two problems, each with what the other left in the workspace.
fn in_turn<'a>(what: What, turns: Turns<'a, Lcp>) -> Contender<'a, What> {
    let mut workspace = Workspace::new();
    Contender::repeated(what, turns.len() as u32, move || {
        for (lcp, start) in &turns {
            let lcp = black_box(*lcp).view();
            let _ = black_box(workspace.solve(lcp, FastMethod::Auto, *start));
        }
    })
}

/// The sparse method, on the families that it is for.
pub fn sparse(case: &Case, budget: Duration) -> Vec<(What, f64)> {
    let is_sparse = case.problem.m().is_sparse();
    let data = |data: &Data| is_sparse.then(|| data.sparse()).flatten();
    let (Some(lcp), Some(changed)) = (data(&case.data), data(&case.changed)) else {
        return Vec::new();
    };
    let Ok(cold) = solve_sparse(&lcp, Start::Cold) else {
        return Vec::new();
    };
    let alone = Contender::new(What::Sparse, || run(&lcp, Start::Cold));
    let Ok(of_changed) = solve_sparse(&changed, Start::Cold) else {
        return race(vec![alone], budget);
    };
    let warm = [
        (&changed, sparse_start(&cold)),
        (&lcp, sparse_start(&of_changed)),
    ];
    let both = [(&changed, Start::Cold), (&lcp, Start::Cold)];
    let mut contenders = vec![alone];
    if warm
        .iter()
        .all(|(lcp, start)| solve_sparse(lcp, *start).is_ok())
    {
        contenders.push(sparse_in_turn(What::WarmSparse, warm));
        contenders.push(sparse_in_turn(What::SparseBoth, both));
    }
    race(contenders, budget)
}

fn run(lcp: &SparseLcp, start: Start<'_>) {
    let _ = black_box(solve_sparse(black_box(lcp), start));
}

fn sparse_start(solution: &SparseSolution) -> Start<'_> {
    Start::Solution {
        places: &solution.places,
        z: &solution.z,
    }
}

fn sparse_in_turn<'a>(what: What, turns: Turns<'a, SparseLcp>) -> Contender<'a, What> {
    Contender::repeated(what, turns.len() as u32, move || {
        turns.iter().for_each(|(lcp, start)| run(lcp, *start));
    })
}

/// What certainty costs, on the final basis of the fast solver.
fn exact(case: &Case, budget: Duration) -> Vec<(What, f64)> {
    let Some(proposal) = proposal(case) else {
        return Vec::new();
    };
    let (basis, reduction) = (&proposal.basis, Reduction::new(&case.problem));
    let (mut times, certifying) = certified_once(&case.problem, &proposal, budget);
    let mut contenders: Vec<_> = certifying.into_iter().collect();
    if sign_certificate(reduction.mixed(), basis) == SignProof::Solved {
        contenders.push(signing(reduction.mixed(), basis));
    }
    if case.data.n() <= MAX_EXACT {
        let solver = etalon_exact::ExactMethod::Lemke.solver(&one_thread());
        contenders.push(Contender::new(What::Exact, move || {
            black_box(solver.solve(black_box(&case.problem)));
        }));
    }
    times.extend(race(contenders, budget));
    times
}

/// The final basis of `fast-auto`, on problems that are certified.
fn proposal(case: &Case) -> Option<Proposal> {
    if case.data.n() > MAX_CERTIFIED && !WITH_TARGETS.contains(&case.family.name) {
        return None;
    }
    let claim = FastMethod::Auto.solver().solve(&case.problem);
    Proposal::of(&case.problem, &claim)
}

/// The time of the certified route where once is enough, or its contender; neither where it does not get through.
fn certified_once<'a>(
    problem: &'a Problem,
    proposal: &'a Proposal,
    budget: Duration,
) -> (Vec<(What, f64)>, Option<Contender<'a, What>>) {
    let (holds, first) = timed(|| is_certified(problem, proposal));
    match holds {
        false => (Vec::new(), None),
        true if first > budget => (vec![(What::Certified, first.as_secs_f64())], None),
        true => (Vec::new(), Some(certifying(problem, proposal))),
    }
}

fn is_certified(problem: &Problem, proposal: &Proposal) -> bool {
    let claim = certified(problem, Some(proposal), &one_thread());
    matches!(claim.answer, ClaimedAnswer::Solved { .. })
}

/// All contenders have one thread.
fn one_thread() -> Budget {
    Budget {
        threads: Some(NonZeroUsize::MIN),
        ..Budget::default()
    }
}

fn certifying<'a>(problem: &'a Problem, proposal: &'a Proposal) -> Contender<'a, What> {
    Contender::new(What::Certified, || {
        black_box(certified(black_box(problem), Some(proposal), &one_thread()));
    })
}

fn signing<'a>(lcp: &'a MixedLcp, basis: &'a Basis) -> Contender<'a, What> {
    Contender::new(What::Signs, || {
        black_box(sign_certificate(black_box(lcp), basis));
    })
}
