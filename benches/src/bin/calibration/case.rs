//! A problem with its exact solution, in some units.

use etalon_benches::splitmix::Splitmix;
use etalon_certify::Truth;
use etalon_exact::{Budget, Certified, decide, nearby_solutions, unique_z};
use etalon_fast::FastMethod;
use etalon_lcp::{ClaimedAnswer, Number, Problem, Solver, Unique};
use rug::Rational;

use crate::scaling::{Scaling, Units};
use crate::system::{System, Which};

/// Rows up to which uniqueness is looked for by enumeration, where the matrix does not show it.
const MAX_ENUMERATED: usize = 8;

/// What is asked for.
pub struct Case {
    /// The problem.
    pub problem: Problem,
    /// An exact solution, and whether it is the only one, both checked by `etalon-certify`.
    pub truth: Truth,
    /// That solution.
    pub z: Vec<Rational>,
    /// In which units: what a solver says of the problem as generated is said of this one after
    /// division by the units of the unknowns.
    pub units: Units,
    /// The condition of the system that is left, after scaling.
    pub condition: f64,
    /// Whether the solution is proved to be the only one, of rounded data that of the data before as
    /// well: where that one has many, those of its rounding are as good as many.
    pub is_unique: bool,
}

impl Case {
    /// The problem as generated, solved exactly; `None` where there is no solution within reach.
    pub fn new(problem: Problem) -> Option<Self> {
        let claim = Certified::new(FastMethod::Auto.solver(), budget()).solve(&problem);
        let ClaimedAnswer::Solved { z } = claim.answer else {
            return None;
        };
        let z = z.iter().map(Number::to_rational).collect();
        let units = Scaling::None.units(problem.n(), &mut Splitmix(0));
        Self::with(problem, z, units)
    }

    /// In other units. Where nothing is rounded, the solution goes with them; else the problem
    /// is solved anew.
    pub fn scaled(&self, scaling: Scaling, draw: &mut Splitmix) -> Option<Self> {
        let units = scaling.units(self.problem.n(), draw);
        let problem = units.problem(&self.problem).ok()?;
        let z = units.point(&self.z);
        if !units.keeps_solutions() {
            let z = nearby_solutions(&problem, &z, &budget())
                .into_iter()
                .next()?;
            let z = z.iter().map(Number::to_rational).collect();
            let case = Self::with(problem, z, units)?;
            let is_unique = case.is_unique && self.is_unique;
            return Some(Self { is_unique, ..case });
        }
        let mut truth = Truth::default();
        truth.add_solution(&problem, z.clone()).ok()?;
        if let Some(proof) = unique_z(&problem) {
            truth.add_certificate(&problem, &proof).ok()?;
        }
        // Units change no number of solutions: z -> z / d is one to one.
        let is_unique = self.is_unique;
        let case = Self::known(problem, truth, z, units);
        Some(Self { is_unique, ..case })
    }

    fn with(problem: Problem, z: Vec<Rational>, units: Units) -> Option<Self> {
        let mut truth = Truth::default();
        if let Some(proof) = unique_z(&problem) {
            truth.add_certificate(&problem, &proof).ok()?;
        } else if problem.n() <= MAX_ENUMERATED {
            truth = decide(&problem, &budget()).truth;
        }
        truth.add_solution(&problem, z.clone()).ok()?;
        Some(Self::known(problem, truth, z, units))
    }

    fn known(problem: Problem, truth: Truth, z: Vec<Rational>, units: Units) -> Self {
        let condition = condition(&problem, &z);
        let is_unique = truth.status().unique == Some(Unique::Z);
        Self {
            problem,
            truth,
            z,
            units,
            condition,
            is_unique,
        }
    }
}

/// Pivots of the exact methods where a proposal is of no use.
fn budget() -> Budget {
    Budget {
        pivots: 3_000,
        ..Budget::default()
    }
}

/// The larger of that of the rows off their bounds, and of all with w = 0.
fn condition(problem: &Problem, z: &[Rational]) -> f64 {
    let of = |which| {
        let system = System::new(problem, z, which);
        system.map_or(f64::INFINITY, |system| system.condition())
    };
    of(Which::Off).max(of(Which::Loose))
}
