//! Who answers the problems of a tree: with one solution, or with all of them listed.

use std::sync::Mutex;

use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{Claim, ClaimedAnswer, Enumeration, Number, Problem, Solver};
use etalon_spatial::Compression;

/// Answers with one solution; without one, by an exact solver.
pub(super) struct Dictated<'a> {
    /// Of the compression of an impact.
    pub compression: Option<&'a [Number]>,
    pub z: Option<&'a [Number]>,
}

impl<'a> Dictated<'a> {
    /// By these solutions.
    pub fn by(compression: Option<&'a [Number]>, z: &'a [Number]) -> Self {
        Self {
            compression,
            z: Some(z),
        }
    }
}

impl Solver for Dictated<'_> {
    fn name(&self) -> &str {
        ExactMethod::Enumerate.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let own = match problem.name() == Compression::NAME {
            true => self.compression,
            false => self.z,
        };
        match own {
            Some(z) => Claim::new(problem.name(), ClaimedAnswer::Solved { z: z.to_vec() }),
            None => ExactMethod::Lemke.solver(&Budget::default()).solve(problem),
        }
    }
}

/// Lists all solutions, and answers with the first.
pub(super) struct Lister {
    solver: Box<dyn Solver + Send + Sync>,
    listed: Mutex<Phases>,
    /// The solution that the compression of an impact is to have.
    compression: Option<Vec<Number>>,
}

/// What came of the problems of a step.
#[derive(Default)]
pub(super) struct Phases {
    /// Of an impact by Poisson's law.
    pub compression: Listed,
    pub last: Listed,
}

/// What came of a step's problem.
#[derive(Default)]
pub(super) struct Listed {
    pub problem: Option<Problem>,
    /// Whether a second problem was another.
    pub several: bool,
    pub unsolvable: bool,
    pub failure: Option<String>,
    pub found: Option<Enumeration>,
}

impl Lister {
    pub fn new(budget: &Budget) -> Self {
        Self {
            solver: ExactMethod::Enumerate.solver(budget),
            listed: Mutex::default(),
            compression: None,
        }
    }

    /// The same, with the solution that the compression of an impact is to have.
    pub fn after(mut self, compression: Option<&[Number]>) -> Self {
        self.compression = compression.map(<[Number]>::to_vec);
        self
    }

    /// What came of the problems.
    pub fn listed(self) -> Phases {
        self.listed
            .into_inner()
            .unwrap_or_else(|own| own.into_inner())
    }
}

impl Solver for Lister {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn solve(&self, problem: &Problem) -> Claim {
        let mut phases = self.listed.lock().unwrap_or_else(|own| own.into_inner());
        let is_first = problem.name() == Compression::NAME;
        if let Some(z) = self.compression.as_ref().filter(|_| is_first) {
            return Claim::new(problem.name(), ClaimedAnswer::Solved { z: z.clone() });
        }
        let listed = match is_first {
            true => &mut phases.compression,
            false => &mut phases.last,
        };
        if let Some(first) = &listed.problem {
            let same = first.m() == problem.m() && first.q() == problem.q();
            listed.several |= !same;
        }
        let claim = self.solver.solve(problem);
        listed.unsolvable = claim.answer == ClaimedAnswer::Unsolvable;
        if claim.answer == ClaimedAnswer::Failed {
            let why = claim.message.clone().unwrap_or_default();
            listed.failure = Some(format!(
                "{why}; raise --pivots or --bits, or take fewer contacts"
            ));
        }
        listed.found = claim.enumeration.clone();
        listed.problem = Some(problem.clone());
        claim
    }
}
