//! What is counted.

use std::error::Error;
use std::hint::black_box;
use std::num::NonZeroUsize;

use clap::ValueEnum;
use etalon_benches::case::{Case, Data};
use etalon_benches::elimination::{faer_solve, nalgebra_solve, to_faer, to_faer_column};
use etalon_exact::{Budget, Proposal, certified};
use etalon_fast::{Failure, FastMethod, Lcp, Place, SparseLcp, Start, Workspace, solve_sparse};
use etalon_lcp::Solver;
use nalgebra::DVector;

/// One of the columns.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Contender {
    /// Dense LU and the solution by nalgebra.
    Nalgebra,
    /// The same by faer.
    Faer,
    /// A cold solution, as the page of times has it: the sparse method for sparse M from n = 64 on.
    Fast,
    /// The same M with |q|, so that z = 0: the look at the data and the self-check alone.
    AtZero,
    /// This problem and the one 1% away in turn, each from the solution of the other; the mean of both.
    Warm,
    /// The final basis made exact.
    Certified,
}

/// The sparse method is for M from this size on.
const SPARSE_FROM: usize = 64;

/// A problem of a fast method.
trait Fast {
    /// A solution in a workspace.
    fn solve(&self, workspace: &mut Workspace, start: Start<'_>) -> Result<(), Failure>;

    /// The places and z of a cold solution.
    fn known(&self) -> Result<(Vec<Place>, Vec<f64>), Failure>;
}

impl Fast for Lcp {
    fn solve(&self, workspace: &mut Workspace, start: Start<'_>) -> Result<(), Failure> {
        let lcp = black_box(self).view();
        black_box(workspace.solve(lcp, FastMethod::Auto, start)?.pivots);
        Ok(())
    }

    fn known(&self) -> Result<(Vec<Place>, Vec<f64>), Failure> {
        let mut workspace = Workspace::new();
        let solution = workspace.solve(self.view(), FastMethod::Auto, Start::Cold)?;
        Ok((solution.places.to_vec(), solution.z.to_vec()))
    }
}

/// The sparse method, which keeps nothing.
impl Fast for SparseLcp {
    fn solve(&self, _: &mut Workspace, start: Start<'_>) -> Result<(), Failure> {
        black_box(solve_sparse(black_box(self), start)?.pivots);
        Ok(())
    }

    fn known(&self) -> Result<(Vec<Place>, Vec<f64>), Failure> {
        let solution = solve_sparse(self, Start::Cold)?;
        Ok((solution.places, solution.z))
    }
}

impl Contender {
    /// Runs it so many times.
    ///
    /// # Errors
    /// What is not solved.
    pub fn run(self, case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
        let mut at_zero = case.data.clone();
        at_zero.q.iter_mut().for_each(|q| *q = q.abs());
        let problems = [&case.data, &case.changed, &at_zero];
        match self {
            Self::Nalgebra | Self::Faer => self.eliminate(case, times),
            Self::Certified => certify(case, times)?,
            _ if case.problem.m().is_sparse() && case.data.n() >= SPARSE_FROM => {
                self.solve(problems.map(Data::sparse), times)?;
            }
            _ => self.solve(problems.map(Data::dense), times)?,
        }
        Ok(())
    }

    fn eliminate(self, case: &Case, times: usize) {
        let m = case.data.matrix();
        let q = DVector::from_column_slice(&case.data.q);
        let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&case.data.q));
        for _ in 0..times {
            match self {
                Self::Nalgebra => drop(black_box(nalgebra_solve(black_box(&m), &q))),
                _ => drop(black_box(faer_solve(black_box(&faer_m), &faer_q))),
            }
        }
    }

    /// The problem, the one 1% away, and the one with z = 0.
    fn solve<P: Fast>(self, problems: [Option<P>; 3], times: usize) -> Result<(), Box<dyn Error>> {
        let [Some(own), Some(changed), Some(at_zero)] = problems else {
            return Err("a problem that the method does not take".into());
        };
        let known = [own.known()?, changed.known()?];
        let [of_own, of_changed] = known
            .each_ref()
            .map(|(places, z)| Start::Solution { places, z });
        let turns = match self {
            Self::AtZero => [(&at_zero, Start::Cold); 2],
            Self::Warm => [(&own, of_changed), (&changed, of_own)],
            _ => [(&own, Start::Cold); 2],
        };
        let mut workspace = Workspace::new();
        for (problem, start) in turns.into_iter().cycle().take(times) {
            problem.solve(&mut workspace, start)?;
        }
        Ok(())
    }
}

/// The final basis of `fast-auto` made exact, on one thread.
fn certify(case: &Case, times: usize) -> Result<(), Box<dyn Error>> {
    let claim = FastMethod::Auto.solver().solve(&case.problem);
    let proposal = Proposal::of(&case.problem, &claim).ok_or("no basis")?;
    let budget = Budget {
        threads: Some(NonZeroUsize::MIN),
        ..Budget::default()
    };
    for _ in 0..times {
        black_box(certified(
            black_box(&case.problem),
            Some(&proposal),
            &budget,
        ));
    }
    Ok(())
}
