//! The solvers of this program on the questions: judged, timed on the processor's clock, and left
//! out from the size on at which they would take too long.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use etalon_conformance::{Deadline, InProcess};
use etalon_evidence::measure::timing::{Contender, race, timed};
use etalon_evidence::outcome::Outcome;
use etalon_evidence::report::{Arithmetic, BitRun, ReportedSolver};
use etalon_exact::Budget;
use etalon_fast::{Lcp, SparseLcp, Start, Workspace, solve_sparse};
use etalon_judge::Judge;
use etalon_lcp::{Number, Problem};
use etalon_methods::Method;

use super::super::diff::{Answered, Asked, answer};
use super::outcome::outcome_of;
use crate::again::Again;
use crate::args::ToleranceArgs;
use crate::console::Console;
use crate::solver_args::AllowedArgs;

/// Pivots of exact methods: exponential ones end.
const PIVOTS: u64 = 50_000;

/// Part of the whole budget that one answer may be expected to take.
const PATIENCE: u32 = 50;

/// How often a race runs each contender at least: twice to see how long it takes, then three rounds.
const RUNS: u32 = 5;

/// Exact pivoting takes about n^5: numbers of n bits, n^2 of them, n pivots.
const EXACT_GROWTH: f64 = 5.0;

/// The outcome.
#[derive(Default)]
pub struct Measured {
    pub solvers: Vec<ReportedSolver>,
    pub outcomes: Vec<Outcome>,
    pub bits: Vec<BitRun>,
    pub notes: Vec<String>,
}

/// The last time that a method took on a suite, by size.
type Seen = BTreeMap<(String, &'static str), (usize, Duration)>;

pub struct Own<'a> {
    pub judge: &'a Judge,
    pub tolerance: &'a ToleranceArgs,
    pub allowed: &'a AllowedArgs,
    pub deadline: &'a Deadline<'a>,
    pub console: &'a Console,
}

/// What is said of problems with friction cones, whose methods are measured elsewhere.
fn cones_note(count: usize) -> Option<String> {
    let problems = if count == 1 { "problem" } else { "problems" };
    let note = format!(
        "{count} {problems} with friction cones not sent to the solvers of this program: those that are measured here solve linear complementarity problems. `etalon scoreboard --cones` measures fast-cone and certified on friction cones."
    );
    (count > 0).then_some(note)
}

/// Enumeration is for a handful of rows and proves what others find; it is no contestant.
fn methods() -> impl Iterator<Item = Method> {
    Method::all().filter(|m| *m != Method::Exact(etalon_exact::ExactMethod::Enumerate))
}

impl Own<'_> {
    /// Asks until the time is over. An answer that the end overtakes is dropped: it may have been cut short.
    pub fn measure(&self, questions: &[Asked]) -> Measured {
        let mut measured = Measured {
            solvers: methods().map(reported).collect(),
            ..Measured::default()
        };
        let is_lcp = |asked: &&Asked| asked.problem.is_lcp();
        let asked: Vec<&Asked> = questions.iter().filter(is_lcp).collect();
        measured
            .notes
            .extend(cones_note(questions.len() - asked.len()));
        let questions = asked;
        let (mut seen, mut last_run) = (Seen::new(), Seen::new());
        let mut left_out: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
        let bar = self.console.bar(Some(questions.len()));
        let mut reached = 0;
        for (k, asked) in questions.iter().enumerate() {
            let left = self.left();
            if left.is_zero() {
                break;
            }
            let share = left / (questions.len() - k).max(1) as u32;
            let answers = self.ask(asked, left, share, &mut seen, &mut left_out);
            let named = answers.iter();
            measured.outcomes.extend(named.map(|(method, answered)| {
                let name = method.name();
                let solver = format!("etalon solve --method {name} -");
                outcome_of(answered, asked, name, &self.again(&solver))
            }));
            if self.deadline.is_over() {
                break;
            }
            reached += 1;
            let bits = self.bits(asked, left, &mut last_run);
            // Numbers that stopped growing when the time was over show nothing.
            measured
                .bits
                .extend(bits.filter(|_| !self.deadline.is_over()));
            bar.inc(1);
        }
        bar.finish_and_clear();
        // By family, for the tables.
        measured
            .bits
            .sort_by(|a, b| (&a.suite, a.n).cmp(&(&b.suite, b.n)));
        let (unreached, all) = (questions.len() - reached, questions.len());
        if unreached > 0 {
            measured.notes.push(format!(
                "Not run: out of budget. The solvers of this program did not reach the last {unreached} of {all} problems, the largest, or not with all methods; --budget gives more time."
            ));
        }
        measured.notes.extend(left_out_note(&left_out));
        measured
    }

    fn again<'b>(&'b self, solver: &'b str) -> Again<'b> {
        Again {
            solver,
            can: None,
            allowed: self.allowed,
            tolerance: self.tolerance,
            by_name: false,
        }
    }

    /// The time that is left; a deadline without an end leaves the longest there is.
    fn left(&self) -> Duration {
        self.deadline.left().unwrap_or(Duration::MAX)
    }

    fn budget(&self, left: Duration) -> Budget {
        Budget {
            pivots: PIVOTS,
            time: Some(left),
            stop: self.deadline.stop(),
            ..Budget::default()
        }
    }

    /// All methods that are expected to be done in time, then timed in turn.
    fn ask(
        &self,
        asked: &Asked,
        left: Duration,
        share: Duration,
        seen: &mut Seen,
        left_out: &mut BTreeMap<(String, &'static str), usize>,
    ) -> Vec<(Method, Answered)> {
        let budget = self.budget(left);
        let mut judge = self.judge.clone();
        judge.budget.stop = self.deadline.stop();
        let (suite, n) = (asked.suite.to_string(), asked.problem.n());
        let mut answers = Vec::new();
        let mut short = Vec::new();
        // The race runs each contender RUNS times at least, which is to fit into half of the share.
        let mut racing = Duration::ZERO;
        for method in methods() {
            let key = (suite.clone(), method.name());
            if self.too_long(method, n, seen.get(&key), left) {
                left_out.entry(key).or_insert(n);
                continue;
            }
            let solver = InProcess(method.solver(&budget));
            let (mut answered, took) = timed(|| answer(&solver, &judge, asked));
            if self.deadline.is_over() {
                return answers;
            }
            let own = answered.seconds.map_or(took, Duration::from_secs_f64);
            seen.insert(key, (n, own));
            answered.seconds = Some(own.as_secs_f64());
            let fits = racing + own * RUNS <= share / 2;
            if fits && answered.judged.judgement.accepted {
                racing += own * RUNS;
                short.push(method);
            }
            answers.push((method, answered));
        }
        let contenders = short
            .iter()
            .map(|&method| contender(method, &asked.problem, &budget));
        let times = race(contenders.collect(), share / 2);
        for (method, answered) in &mut answers {
            if let Some((_, seconds)) = times.iter().find(|(timed, _)| timed == method) {
                answered.seconds = Some(*seconds);
            }
        }
        answers
    }

    /// Whether an answer would take longer than one may, by what smaller problems took.
    fn too_long(
        &self,
        method: Method,
        n: usize,
        last: Option<&(usize, Duration)>,
        left: Duration,
    ) -> bool {
        let Some((before, took)) = last else {
            return false;
        };
        let growth = if method.is_exact() { EXACT_GROWTH } else { 3.0 };
        let factor = (n as f64 / (*before).max(1) as f64).powf(growth);
        let whole = self.deadline.budget().unwrap_or(Duration::MAX);
        took.as_secs_f64() * factor > (whole / PATIENCE).min(left).as_secs_f64()
    }

    /// The bits along Lemke's path, of the first problem of each size.
    fn bits(&self, asked: &Asked, left: Duration, last: &mut Seen) -> Option<BitRun> {
        let (suite, n) = (asked.suite.to_string(), asked.problem.n());
        let key = (suite.clone(), "bits");
        let seen = last.get(&key);
        let lemke = Method::Exact(etalon_exact::ExactMethod::Lemke);
        if seen.is_some_and(|(before, _)| *before >= n) || self.too_long(lemke, n, seen, left) {
            return None;
        }
        let budget = self.budget(left);
        let (run, took) = timed(|| BitRun::of(&suite, &asked.problem, &budget));
        last.insert(key, (n, took));
        run
    }
}

fn reported(method: Method) -> ReportedSolver {
    let exact = method.is_exact();
    ReportedSolver {
        name: method.name().to_owned(),
        arithmetic: if exact {
            Arithmetic::Exact
        } else {
            Arithmetic::Floating
        },
        about: method.about().to_owned(),
        clock: if exact {
            "on the processor, from the record, the median of several runs where it is short"
                .to_owned()
        } else {
            "on the processor, from the data in its own form, the median of several runs".to_owned()
        },
    }
}

fn left_out_note(left_out: &BTreeMap<(String, &'static str), usize>) -> Option<String> {
    let words = left_out.iter();
    let words: Vec<_> = words
        .map(|((suite, method), n)| format!("{method} on {suite} from n = {n}"))
        .collect();
    (!words.is_empty()).then(|| {
        format!(
            "Not asked, for it would have taken too long: {}.",
            words.join(", ")
        )
    })
}

/// A method on a problem, as a loop has it: the fast ones with the data in their own form, in a
/// workspace that has seen the size.
fn contender<'a>(method: Method, problem: &'a Problem, budget: &Budget) -> Contender<'a, Method> {
    let Method::Fast(fast) = method else {
        let solver = method.solver(budget);
        return Contender::new(method, move || {
            black_box(solver.solve(black_box(problem)));
        });
    };
    let takes_sparse = matches!(
        fast,
        etalon_fast::FastMethod::Auto | etalon_fast::FastMethod::Block
    );
    if takes_sparse && let Some(lcp) = sparse(problem) {
        return Contender::new(method, move || {
            let _ = black_box(solve_sparse(black_box(&lcp), Start::Cold));
        });
    }
    match Lcp::from_problem(problem) {
        Ok(lcp) => {
            let mut workspace = Workspace::new();
            Contender::new(method, move || {
                let _ = black_box(workspace.solve(black_box(&lcp).view(), fast, Start::Cold));
            })
        }
        // Such a problem was not answered before either.
        Err(_) => Contender::new(method, || {}),
    }
}

/// The problem for the sparse method, where that is the one that answers.
fn sparse(problem: &Problem) -> Option<SparseLcp> {
    if !problem.m().is_sparse() || !problem.is_pure() {
        return None;
    }
    let rows = (0..problem.n()).flat_map(|i| {
        let row = problem.m().row(i);
        row.map(move |(j, value)| (i, j, value.to_f64()))
    });
    let q: Vec<f64> = problem.q().iter().map(Number::to_f64).collect();
    let lcp = SparseLcp::new(&rows.collect::<Vec<_>>(), &q).ok()?;
    solve_sparse(&lcp, Start::Cold).ok().map(|_| lcp)
}
