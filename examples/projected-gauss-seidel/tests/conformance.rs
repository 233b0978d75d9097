//! Every golden problem with a symmetric positive semidefinite M, one test each.

use std::process::ExitCode;

use etalon_conformance::kit::{Kit, KitError};
use etalon_conformance::{Capabilities, Function, Matrices};
use projected_gauss_seidel::solve;

fn main() -> Result<ExitCode, KitError> {
    let mut can = Capabilities::pure();
    can.matrices = Matrices::SymmetricPsd;
    Ok(Kit::golden()?
        .capabilities(can)
        .known_failures(include_str!("known-failures.txt"))
        .run(Function::new("projected Gauss-Seidel", solve)))
}
