//! Contacts of many bodies as rows of few numbers: sparse problems from them, without a dense matrix anywhere.
//!
//! With J the rows of the contacts' distances, W the inverse masses and a the accelerations without contact forces, M = J W J' and
//! q = J a are sums of small integers in units of powers of two. So M is exactly positive semidefinite, and q is in its range. As for
//! [`super::semidefinite`] there is a solution.

use std::collections::BTreeMap;

use super::draft::{Draft, dyadic};
use super::draw::{Draw, power_of_two};

/// The units of accelerations are 2^-4.
const A_BITS: i32 = 4;

/// The derivative of a distance or a slip by the D coordinates of each body that it depends on.
pub(super) type Row<const D: usize> = Vec<(usize, [i64; D])>;

/// A row of a contact between a body and another, or the ground.
pub(super) fn row<const D: usize>(
    (upper, of_upper): (usize, [i64; D]),
    (lower, of_lower): (Option<usize>, [i64; D]),
) -> Row<D> {
    let lower = lower.map(|below| (below, of_lower));
    std::iter::once((upper, of_upper)).chain(lower).collect()
}

/// What does not depend on the contacts: inverse masses and moments of inertia in units of 2^-bits, and accelerations in units of 1/16.
pub(super) struct Dynamics<const D: usize> {
    pub weights: Vec<[i64; D]>,
    pub bits: i32,
    pub pushes: Vec<[i64; D]>,
}

/// The accelerations of contacts without friction.
pub(super) fn frictionless<const D: usize>(rows: &[Row<D>], dynamics: &Dynamics<D>) -> Draft {
    let q = times(rows, &dynamics.pushes);
    let unit = power_of_two(-dynamics.bits);
    let entries = gram(rows, &dynamics.weights).into_iter();
    Draft {
        sparse: entries.map(|(i, j, v)| (i, j, v as f64 * unit)).collect(),
        ..Draft::new(Vec::new(), dyadic(&q, A_BITS))
    }
}

/// The time step of Stewart and Trinkle for contacts with friction, laid out as [`super::friction::time_step`], which also says why
/// there is a solution. Every contact has a normal, and tangents of which each stands for two opposite directions.
pub(super) fn with_friction<const D: usize, const T: usize>(
    draw: &mut Draw,
    normals: Vec<Row<D>>,
    tangents: Vec<[Row<D>; T]>,
    dynamics: &Dynamics<D>,
) -> Draft {
    let count = normals.len();
    let rows = with_opposites(normals, tangents.into_iter());
    let mut draft = frictionless(&rows, dynamics);
    super::friction::add_cones(&mut draft, 0, count, 2 * T, |_| {
        draw.between(1, 4) as f64 * 0.25
    });
    draft
}

/// The rows of all directions of friction, contact by contact, then those of the normals.
pub(super) fn with_opposites<const D: usize, const T: usize>(
    normals: Vec<Row<D>>,
    tangents: impl Iterator<Item = [Row<D>; T]>,
) -> Vec<Row<D>> {
    let mut rows: Vec<Row<D>> = Vec::with_capacity((2 * T + 1) * normals.len());
    for own in tangents {
        rows.extend(own.iter().map(opposite));
        rows.extend(own);
    }
    rows.extend(normals);
    rows
}

fn opposite<const D: usize>(row: &Row<D>) -> Row<D> {
    let turned = row.iter().map(|(body, v)| (*body, v.map(|entry| -entry)));
    turned.collect()
}

/// J a.
fn times<const D: usize>(rows: &[Row<D>], a: &[[i64; D]]) -> Vec<i64> {
    rows.iter().map(|row| dot(row, a)).collect()
}

fn dot<const D: usize>(row: &Row<D>, a: &[[i64; D]]) -> i64 {
    let product = |(body, v): &(usize, [i64; D])| -> i64 {
        v.iter().zip(&a[*body]).map(|(x, y)| x * y).sum()
    };
    row.iter().map(product).sum()
}

/// The nonzeros of J W J', both triangles, by rows.
fn gram<const D: usize>(rows: &[Row<D>], weights: &[[i64; D]]) -> Vec<(usize, usize, i64)> {
    let mut of_box = vec![Vec::new(); weights.len()];
    for (k, row) in rows.iter().enumerate() {
        for (body, v) in row {
            of_box[*body].push((k, *v));
        }
    }
    let mut entries = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let mut sums = BTreeMap::new();
        for (body, v) in row {
            for (k, u) in &of_box[*body] {
                let terms = v.iter().zip(u).zip(&weights[*body]);
                *sums.entry(*k).or_insert(0) += terms.map(|((x, y), w)| x * y * w).sum::<i64>();
            }
        }
        let nonzero = sums.into_iter().filter(|(_, value)| *value != 0);
        entries.extend(nonzero.map(|(k, value)| (i, k, value)));
    }
    entries
}
