//! Runs of one scene, in turn.

use std::error::Error;
use std::time::Duration;

use cpu_time::ThreadTime;
use etalon_benches::statistics::median;
use etalon_benches::table::ratio;
use etalon_exact::{Budget, ExactMethod};
use etalon_fast::{ConeSolver, FastMethod};
use etalon_golden::trajectory::Line;
use etalon_lcp::Solver;
use etalon_scenarios::find;
use etalon_scenarios::motion::{Arithmetics, MotionInstance};
use etalon_time_stepping::FirstOf;

use super::cases::Case;

/// How often each way is run; medians count.
pub const ROUNDS: usize = 3;

/// What a run took, and what it saw.
struct Taken {
    seconds: f64,
    steps: u64,
    contacts: usize,
    rows: u64,
}

/// How the problems of steps are solved.
struct Way {
    arithmetics: Arithmetics,
    solver: Box<dyn Solver>,
    asked: bool,
}

impl Way {
    /// The exact way, or in circular cones the one that there is.
    fn exact(case: &Case, asked: bool) -> Self {
        let solver: Box<dyn Solver> = match case.circular() {
            true => Box::new(ConeSolver),
            false => ExactMethod::Lemke.solver(&Budget::default()),
        };
        Self {
            arithmetics: Arithmetics::Exact,
            solver,
            asked,
        }
    }

    /// `fast-auto`, and Lemke's method in fractions for what it gives up, as the command has it.
    fn fast() -> Self {
        let exact = ExactMethod::Lemke.solver(&Budget::default());
        let solvers = vec![FastMethod::Auto.solver(), exact];
        Self {
            arithmetics: Arithmetics::Binary64,
            solver: Box::new(FirstOf::new("fast-auto", solvers)),
            asked: false,
        }
    }

    /// Takes steps until there are `most`, or until `limit` of processor time is over.
    fn run(
        &self,
        instance: &MotionInstance,
        most: u64,
        limit: Option<Duration>,
    ) -> Result<Taken, Box<dyn Error>> {
        let mut run = instance.trajectory(self.arithmetics, &*self.solver, None)?;
        let (mut contacts, mut rows) = (0, 0);
        let most = most.min(run.steps());
        let begun = ThreadTime::now();
        while run.k() < most && limit.is_none_or(|limit| begun.elapsed() < limit) {
            let line: Line = match self.asked {
                false => run.advance()?,
                true => {
                    let (line, broken) = run.advance_examined()?;
                    let gains = line.gains.as_deref().unwrap_or_default();
                    if let Some(broken) = broken.iter().find(|own| !own.is_told(gains)) {
                        return Err(broken.to_string().into());
                    }
                    line
                }
            };
            contacts = contacts.max(line.contacts.len());
            rows = rows.max(line.lcp.n);
        }
        Ok(Taken {
            seconds: begun.elapsed().as_secs_f64(),
            steps: run.k(),
            contacts,
            rows,
        })
    }
}

/// A row of the table.
pub fn measure(case: &Case, limit: Duration) -> Result<Vec<String>, Box<dyn Error>> {
    let settings = case.settings.iter().copied();
    let instance = find(case.scene)?.motion_instance(settings)?;
    let mut ways = vec![Way::exact(case, false), Way::exact(case, true)];
    if case.has_fast() {
        ways.push(Way::fast());
    }
    let first = ways[0].run(&instance, u64::MAX, Some(limit))?;
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            times.push(way.run(&instance, first.steps, None)?.seconds);
        }
    }
    let rate = |way: usize| rate(first.steps, times.get(way)?);
    // In circular cones the answer itself is in binary64.
    let (exact, fast) = match case.circular() {
        true => (None, rate(0)),
        false => (rate(0), rate(2)),
    };
    let gain = exact.zip(fast).map(|(exact, fast)| fast / exact);
    Ok(vec![
        case.label(),
        case.method.to_owned(),
        first.contacts.to_string(),
        first.rows.to_string(),
        first.steps.to_string(),
        ratio(exact),
        ratio(rate(1)),
        ratio(fast),
        ratio(gain),
    ])
}

/// Steps a second, by the median of the times of so many steps.
pub fn rate(steps: u64, times: &[f64]) -> Option<f64> {
    Some(steps as f64 / median(times)?)
}
