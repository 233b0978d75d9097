//! Writing problems: what is long as typed arrays.

use super::Item;
use crate::matrix::Matrix;
use crate::problem::{Bound, Problem};
use crate::record::PROBLEM_FORMAT;
use crate::record::problem::{bounds, write_matrix, write_rest};
use crate::record::write::Object;

/// Writes a problem in CBOR: lists of binary64 values are typed arrays, all else is as in JSON.
pub fn write_problem_cbor(problem: &Problem) -> Vec<u8> {
    let mut object = Object::compact();
    object.text("format", PROBLEM_FORMAT);
    object.text("name", problem.name());
    match floats_of(problem.m()) {
        Some(item) => object.item("M", item),
        None => write_matrix(problem.m(), &mut object),
    }
    object.floats("q", problem.q());
    for (name, own) in [("lower", problem.lower()), ("upper", problem.upper())] {
        let Some(own) = own else { continue };
        match own.iter().map(bound_as_float).collect() {
            Some(floats) => object.item(name, Item::Floats(floats)),
            None => object.raw(name, bounds(own)),
        }
    }
    write_rest(problem, &mut object, true, |object, own| {
        object.floats("scale", own);
    });
    object.finish_cbor()
}

/// The matrix as typed arrays, where all of its numbers are binary64.
fn floats_of(m: &Matrix) -> Option<Item<'static>> {
    let n = m.n();
    if !m.is_sparse() {
        let numbers = (0..n).flat_map(|i| m.stored_row(i).map(|(_, value)| value.as_binary64()));
        return Some(Item::Dense(n, numbers.collect::<Option<_>>()?));
    }
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        for (j, value) in m.stored_row(i) {
            rows.push(u32::try_from(i).ok()?);
            columns.push(u32::try_from(j).ok()?);
            values.push(value.as_binary64()?);
        }
    }
    Some(Item::Sparse(n, [rows, columns], values))
}

fn bound_as_float(bound: &Bound) -> Option<f64> {
    match bound {
        Bound::NegativeInfinity => Some(f64::NEG_INFINITY),
        Bound::Finite(value) => value.as_binary64(),
        Bound::Infinity => Some(f64::INFINITY),
    }
}
