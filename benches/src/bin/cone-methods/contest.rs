//! The methods side by side, each answer judged exactly.

use std::time::Duration;

use cpu_time::ThreadTime;
use etalon_benches::statistics::median;
use etalon_benches::table::{render, seconds};
use etalon_certify::{Tolerance, evaluate};
use etalon_fast::{ConeProblem, solve_cones};
use etalon_lcp::{Problem, round_up_f64};
use nalgebra::DVector;
use rug::Rational;

use super::Clock;
use super::local::Local;
use super::sets::Set;
use super::{admm, gauss_seidel, interior};

/// The block error that `fast-cone` promises, and the tolerance of verdicts.
const ERRORS: [f64; 2] = [1e-12, 1e-9];

type Method = fn(&Local, &Clock) -> Option<DVector<f64>>;

/// The methods that lost.
const OTHERS: [(&str, Method); 3] = [
    ("block Gauss-Seidel", gauss_seidel::solve),
    ("ADMM", admm::solve),
    ("interior points, crossover", interior::solve),
];

/// What came of a method on a set.
struct Tally {
    method: &'static str,
    asked: usize,
    within: [usize; 2],
    times: Vec<f64>,
}

impl Tally {
    fn new(method: &'static str) -> Self {
        Self {
            method,
            asked: 0,
            within: [0; 2],
            times: Vec::new(),
        }
    }

    fn add(&mut self, problem: &Problem, answer: Option<Vec<f64>>, time: f64) {
        self.asked += 1;
        let Some(error) = answer.and_then(|z| error(problem, &z)) else {
            return;
        };
        for (count, limit) in self.within.iter_mut().zip(ERRORS) {
            *count += usize::from(error <= limit);
        }
        if error <= ERRORS[0] {
            self.times.push(time);
        }
    }

    fn row(&self, set: &Set) -> Vec<String> {
        let [good, fair] = self.within;
        vec![
            set.law.word().to_owned(),
            set.name.clone(),
            self.method.to_owned(),
            self.asked.to_string(),
            good.to_string(),
            fair.to_string(),
            seconds(median(&self.times)),
        ]
    }
}

/// The larger one of the block error and the negativity, exactly.
fn error(problem: &Problem, z: &[f64]) -> Option<f64> {
    let z: Option<Vec<Rational>> = z.iter().map(|z| Rational::from_f64(*z)).collect();
    let measures = evaluate(problem, &z?, &Tolerance::default()).ok()?.measures;
    Some(round_up_f64((&measures.error).max(&measures.negativity)))
}

/// The table of all methods on all sets.
pub fn table(sets: &[Set], patience: Duration) -> String {
    let mut rows = Vec::new();
    for set in sets {
        let mut own = Tally::new("`fast-cone`");
        let mut all = Tally::new("`fast-cone`, all problems");
        let mut others = OTHERS.map(|(name, _)| Tally::new(name));
        for problem in &set.problems {
            let start = ThreadTime::now();
            let answer = ConeProblem::from_problem(problem)
                .ok()
                .and_then(|data| solve_cones(&data, None).ok());
            let time = start.elapsed().as_secs_f64();
            let z = answer.map(|answer| answer.z);
            all.add(problem, z.clone(), time);
            let Some(local) = Local::of(problem) else {
                continue;
            };
            own.add(problem, z, time);
            for (tally, (_, method)) in others.iter_mut().zip(OTHERS) {
                let clock = Clock::new(patience);
                let answer = method(&local, &clock).map(|r| local.back(&r, problem.n()));
                tally.add(problem, answer, clock.seconds());
            }
        }
        if all.asked > own.asked {
            rows.push(all.row(set));
        }
        rows.push(own.row(set));
        rows.extend(others.iter().map(|tally| tally.row(set)));
    }
    let header = [
        "law",
        "problems",
        "method",
        "asked",
        "to 1e-12",
        "to 1e-9",
        "median time",
    ];
    render(&header, 3, rows)
}
