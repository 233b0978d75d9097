//! The solver.

use std::path::Path;

use etalon_conformance::process::{CommandLine, CommandLineError, Limits, Process};
use etalon_fast::FastMethod;
use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem, Solver};

use crate::case::Case;
use crate::system::{System, Which};

/// A way to an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answerer {
    /// LU with partial pivoting on the rows of unknowns off their bounds.
    Lu,
    /// The same on all rows with w = 0: unknowns that are 0 come out as noise.
    LuLoose,
    /// The first in binary32.
    LuSingle,
    /// `fast-auto`.
    Auto,
    /// Its answer rounded to binary32.
    AutoSingle,
    /// `fast-lemke`.
    Lemke,
    /// Clarabel, an interior-point method.
    Clarabel,
    /// OSQP with polishing.
    Osqp,
}

impl Answerer {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Lu,
        Self::LuLoose,
        Self::LuSingle,
        Self::Auto,
        Self::AutoSingle,
        Self::Lemke,
        Self::Clarabel,
        Self::Osqp,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lu => "LU, rows off their bounds",
            Self::LuLoose => "LU, all rows with w = 0",
            Self::LuSingle => "LU in binary32, rows off their bounds",
            Self::Auto => "fast-auto",
            Self::AutoSingle => "fast-auto, rounded to binary32",
            Self::Lemke => "fast-lemke",
            Self::Clarabel => "Clarabel",
            Self::Osqp => "OSQP, polished",
        }
    }
}

/// Solvers in Python, where there is one.
pub struct Peers {
    lapack: Process,
    clarabel: Process,
    osqp: Process,
}

impl Peers {
    /// With this Python. Nothing is started yet.
    ///
    /// # Errors
    /// Where the path makes no command.
    pub fn new(python: &Path) -> Result<Self, CommandLineError> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let process = |script: &str| {
            let script = root.join(script);
            let command = format!("'{}' '{}'", python.display(), script.display());
            Ok(Process::new(
                CommandLine::parse(&command)?,
                Limits::default(),
            ))
        };
        Ok(Self {
            lapack: process("src/bin/calibration/lapack.py")?,
            clarabel: process("../adapters/clarabel_qp.py")?,
            osqp: process("../adapters/osqp_qp.py")?,
        })
    }
}

/// The answers to a problem as generated, of solvers that know no units: symmetric pure problems
/// only, as the adapters say.
pub struct Unscaled(Vec<(Answerer, Vec<f64>)>);

impl Unscaled {
    /// Asks them.
    pub fn new(peers: Option<&Peers>, problem: &Problem) -> Self {
        let Some(peers) = peers else {
            return Self(Vec::new());
        };
        let asked = [
            (Answerer::Clarabel, &peers.clarabel),
            (Answerer::Osqp, &peers.osqp),
        ];
        // Bounds that say nothing would still be bounds to the adapters.
        let bare = Problem::new(problem.name(), problem.m().clone(), problem.q().to_vec());
        let bare = bare.ok().filter(|_| problem.is_pure());
        let answers = asked.into_iter().filter_map(|(answerer, process)| {
            Some((answerer, values(process.solve(bare.as_ref()?))?))
        });
        Self(answers.collect())
    }

    /// In other units.
    fn scaled(&self, answerer: Answerer, case: &Case) -> Option<Vec<f64>> {
        let (_, z) = self.0.iter().find(|(known, _)| *known == answerer)?;
        let z: Option<Vec<_>> = z.iter().map(|z| rug::Rational::from_f64(*z)).collect();
        let z = case.units.point(&z?);
        Some(z.into_iter().map(|z| Number::from(z).to_f64()).collect())
    }
}

impl Answerer {
    /// Its answer; `None` where it has none.
    pub fn answer(
        self,
        case: &Case,
        peers: Option<&Peers>,
        unscaled: &Unscaled,
    ) -> Option<Vec<f64>> {
        let problem = &case.problem;
        let z = match self {
            Self::Lu => lu(case, Which::Off, peers),
            Self::LuLoose => lu(case, Which::Loose, peers),
            Self::LuSingle => lu_single(case),
            Self::Auto => values(FastMethod::Auto.solver().solve(problem)),
            Self::AutoSingle => {
                let z = values(FastMethod::Auto.solver().solve(problem))?;
                Some(z.into_iter().map(single).collect())
            }
            Self::Lemke => values(FastMethod::Lemke.solver().solve(problem)),
            Self::Clarabel | Self::Osqp => unscaled.scaled(self, case),
        };
        z.filter(|z| z.iter().all(|z| z.is_finite()))
    }
}

fn values(claim: Claim) -> Option<Vec<f64>> {
    match claim.answer {
        ClaimedAnswer::Solved { z } => Some(z.iter().map(Number::to_f64).collect()),
        _ => None,
    }
}

fn lu(case: &Case, which: Which, peers: Option<&Peers>) -> Option<Vec<f64>> {
    let system = System::new(&case.problem, &case.z, which)?;
    let Some(peers) = peers.filter(|_| !system.b.is_empty()) else {
        return system.solve();
    };
    let equations = Problem::from_binary64("system", &system.a, &system.b).ok()?;
    system.point(&values(peers.lapack.solve(&equations))?)
}

fn lu_single(case: &Case) -> Option<Vec<f64>> {
    let z = System::new(&case.problem, &case.z, Which::Off)?.solve_single()?;
    Some(z.into_iter().map(single).collect())
}

/// The nearest binary32.
fn single(value: f64) -> f64 {
    f64::from(value as f32)
}
