//! The vertices and rays of a face of solutions.

use std::collections::{BTreeSet, VecDeque};

use rug::Rational;

use super::Face;
use super::cell::Cell;
use crate::budget::{Exhausted, Meter};
use crate::tableau::Variable;

/// Bases of one face that are looked at; beyond, its list of vertices is cut short (the cover
/// remains a proof, because a face is described by its zeros).
const MAX_BASES: usize = 256;

/// Walks the bases of the polyhedron of a settled cell, edge by edge.
pub(super) fn describe(cell: &Cell, meter: &mut Meter) -> Result<Face, Exhausted> {
    let mut face = Face::default();
    let mut seen = BTreeSet::from([basis(cell)]);
    let mut queue = VecDeque::from([cell.clone()]);
    while let Some(cell) = queue.pop_front() {
        push_new(&mut face.vertices, cell.point());
        for c in cell.lines() {
            let direction = cell.direction(c);
            let opposite = direction
                .iter()
                .map(|value| Rational::from(-value))
                .collect();
            push_new(&mut face.rays, direction);
            push_new(&mut face.rays, opposite);
        }
        for c in cell.movable() {
            let blocking = cell.blocking_rows(c);
            if blocking.is_empty() {
                push_new(&mut face.rays, cell.direction(c));
            }
            for r in blocking {
                let mut next = cell.clone();
                next.pivot(r, c, meter)?;
                if seen.len() < MAX_BASES && seen.insert(basis(&next)) {
                    queue.push_back(next);
                }
            }
        }
    }
    Ok(face)
}

fn basis(cell: &Cell) -> Vec<Variable> {
    let mut basis = cell.tableau.basic().to_vec();
    basis.sort();
    basis
}

fn push_new(list: &mut Vec<Vec<Rational>>, item: Vec<Rational>) {
    if !list.contains(&item) {
        list.push(item);
    }
}
