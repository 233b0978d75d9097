//! A solver that pushes too hard, driving a golden motion.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use etalon_golden::read_trajectory;
use etalon_judge::Judge;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Solver};
use etalon_replay::trajectories::Replay;
use etalon_replay::{ClosedLoop, Trial, closed_loop};

/// Every impulse is half as large again.
struct TooStrong(Box<dyn Solver + Send + Sync>);

impl Solver for TooStrong {
    fn name(&self) -> &str {
        "too strong"
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let mut claim = self.0.solve(problem);
        if let ClaimedAnswer::Solved { z } = &mut claim.answer {
            let more = |own: &Number| Number::from_f64(own.to_f64() * 1.5);
            z.iter_mut().for_each(|own| *own = more(own).unwrap());
        }
        claim
    }
}

/// A golden in closed loop, driven by a solver that pushes too hard. A right solver drives it first, and breaks nothing.
pub fn driven_too_hard(golden: &str) -> ClosedLoop {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let stored = read_trajectory(&root.join(golden)).unwrap();
    let replay = Replay::new(&stored).unwrap();
    let drive = |solver: &dyn Solver| {
        let trial = Trial {
            solver,
            exact: false,
            judge: Judge::default(),
        };
        closed_loop(&replay, &trial).unwrap()
    };
    let own = || etalon_fast::FastMethod::Auto.solver();
    assert_eq!(drive(&*own()).breaches, []);
    drive(&TooStrong(own()))
}
