//! Whether a wrong answer is wrong even against the largest size in the whole problem (`docs/cones.md`, "Grades"). It says in
//! which order failures are told, and decides nothing.

use etalon_lcp::{Number, Problem};
use rug::Rational;

use super::blocks::{Blocks, data_size};
use super::means::Means;
use super::{Found, evaluate, root_above};
use crate::CertificateError;
use crate::budget::fraction_bits;
use crate::evaluate::Evaluation;
use crate::tolerance::Tolerance;

/// Bits of a root, which is rounded up: a size is too large by 2^-64 of itself at most, and no grade has more digits.
const BITS: u32 = 64;

/// The evaluation of a candidate with every block measured by the largest of all.
pub(crate) fn at_largest_sizes(
    problem: &Problem,
    z: &[Rational],
    tolerance: &Tolerance,
) -> Found<Evaluation> {
    evaluate(&with_largest_sizes(problem, z)?, z, tolerance)
}

/// The same problem with every block measured by the largest of all, in its own unit: that of block c is the root of its largest
/// diagonal entry D_c, so its rows have the scale sqrt(D_c) max_d s_d / sqrt(D_d). Blocks without a positive diagonal entry have no
/// unit, and stay as they are.
fn with_largest_sizes(problem: &Problem, z: &[Rational]) -> Found<Problem> {
    let (blocks, means) = (Blocks::new(problem), Means::new(problem));
    let norms = blocks.norms(z, &means)?;
    let sizes = blocks.sizes(problem, &norms, &means)?;
    let budget = means.of_all();
    let mut diagonal = vec![Rational::new(); sizes.len()];
    for i in 0..z.len() {
        let own = problem.m().get(i, i).map(Number::to_rational);
        let most = &mut diagonal[blocks.of(i)];
        if let Some(own) = own.filter(|own| *own > *most) {
            *most = own;
        }
    }
    let mut largest = Rational::new();
    for (size, unit) in sizes.iter().zip(&diagonal).filter(|(_, unit)| **unit > 0) {
        budget.reduce(3, 2 * fraction_bits(size), fraction_bits(unit))?;
        largest = largest.max(size.clone().square() / unit);
    }
    let mut roots = Vec::with_capacity(diagonal.len());
    for unit in &diagonal {
        budget.reduce(2, fraction_bits(unit), fraction_bits(&largest))?;
        roots.push(root_above(&Rational::from(unit * &largest), BITS));
    }
    let scale = (0..z.len()).map(|i| data_size(problem, i).max(roots[blocks.of(i)].clone()));
    let scale = scale.map(Number::from).collect();
    let larger = problem.clone().with_scale(scale);
    larger.map_err(|error| CertificateError::new(error.to_string()))
}
