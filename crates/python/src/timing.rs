//! What the same work takes in Rust alone: the other side of `examples/round_trip.py`.

use std::time::Instant;

use etalon::certify::{Tolerance, Truth, check_claim};
use etalon::exact::Budget;
use etalon::fast::{LcpRef, Start, Workspace};
use etalon::lcp::{Claim, ClaimedAnswer, Matrix, Number, Problem};
use etalon::methods::Method;
use numpy::{PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rug::Rational;

use crate::error::Class;

/// Seconds that a Rust program spends on k problems, M of shape (k, n, n), q and z of shape (k, n):
/// on solving them by a method, and reading z if it is exact, or, where z is given, on judging z. Data are in Rust's own types
/// when the clock starts: slices for a binary64 method, else records.
#[pyfunction]
#[pyo3(signature = (m, q, method, z=None))]
pub fn _rust_seconds(
    m: PyReadonlyArray3<'_, f64>,
    q: PyReadonlyArray2<'_, f64>,
    method: &str,
    z: Option<PyReadonlyArray2<'_, f64>>,
) -> PyResult<f64> {
    let method: Method = method
        .parse()
        .map_err(|error| Class::Argument.error(error))?;
    let (count, n) = (q.shape()[0], q.shape()[1]);
    if m.shape() != [count, n, n] {
        return Err(Class::Shape.error("M has not the shape (k, n, n)"));
    }
    let slices = |error| Class::Shape.error(format_args!("not row by row: {error}"));
    let (m, q) = (m.as_slice().map_err(slices)?, q.as_slice().map_err(slices)?);
    let z = z
        .as_ref()
        .map(|z| z.as_slice())
        .transpose()
        .map_err(slices)?;
    let problem = |k: usize| (&m[k * n * n..(k + 1) * n * n], &q[k * n..(k + 1) * n]);
    if let (Method::Fast(method), None) = (method, z) {
        let mut workspace = Workspace::new();
        let start = Instant::now();
        for k in 0..count {
            let (m, q) = problem(k);
            let lcp = LcpRef::new(m, q).map_err(|error| Class::Shape.error(error))?;
            let solved = workspace.solve(lcp, method, Start::Cold);
            std::hint::black_box(solved.map(|solution| solution.pivots)).ok();
        }
        return Ok(start.elapsed().as_secs_f64());
    }
    let solver = method.solver(&Budget::default());
    let (truth, tolerance) = (Truth::default(), Tolerance::default());
    let mut seconds = 0.0;
    for k in 0..count {
        let (m, q) = problem(k);
        let record = record(n, m, q).ok_or_else(|| Class::NotFinite.error("M or q"))?;
        let claim = z.and_then(|z| numbers(&z[k * n..(k + 1) * n]));
        let claim = claim.map(|z| Claim::new("p", ClaimedAnswer::Solved { z }));
        let start = Instant::now();
        match &claim {
            Some(claim) => drop(check_claim(&record, claim, &truth, &tolerance)),
            None => drop(read(&solver.solve(&record))),
        }
        seconds += start.elapsed().as_secs_f64();
    }
    Ok(seconds)
}

/// Every entry of z as a reduced fraction, which a claim's entries become when they are looked at: they
/// share a denominator until then.
fn read(claim: &Claim) -> Vec<Rational> {
    match &claim.answer {
        ClaimedAnswer::Solved { z } => z.iter().map(Number::to_rational).collect(),
        ClaimedAnswer::Unsolvable | ClaimedAnswer::Failed => Vec::new(),
    }
}

fn record(n: usize, m: &[f64], q: &[f64]) -> Option<Problem> {
    let rows: Option<Vec<_>> = m.chunks(n.max(1)).map(numbers).collect();
    Problem::new("p", Matrix::from_rows(rows?).ok()?, numbers(q)?).ok()
}

fn numbers(values: &[f64]) -> Option<Vec<Number>> {
    values.iter().copied().map(Number::from_f64).collect()
}
