//! The vertices and rays of a face of solutions.
//!
//! A vertex at which more conditions than needed hold with equality has many bases, and a walk over
//! all of them takes exponentially long. So the walk is over the bases of a polyhedron nearby. Each
//! variable v that is basic at the start may go down to -eps_v instead of 0, where eps_v is positive
//! and infinitely smaller than the one before (Dantzig, Orden and Wolfe 1955). No vertex of that
//! polyhedron has two bases.
//!
//! The walk finds every vertex of the face, because a vertex is the only minimum of some linear function
//! over the face. The polyhedron nearby has the same unbounded directions, so the function has a minimum
//! there, at a basis that is feasible and optimal for the face, too. The walk also finds every ray. Take
//! a function that is least along this ray alone. The set of its minima has no other unbounded
//! direction, so the polyhedron nearby has an unbounded edge along the ray. All bases are connected,
//! because the simplex method leads from each to the minimum of any function.

use std::cmp::Ordering;
use std::collections::{BTreeSet, VecDeque};

use rug::{Integer, Rational};

use super::cell::{Cell, Kind, Support};
use crate::budget::{Exhausted, Meter};
use crate::memory::{self, Memory};
use crate::tableau::Variable;

/// The largest number of bases of one face that are visited. Chosen: a face in d dimensions can have 2^d
/// vertices, and this is all of them for d = 12. Beyond, the lists are cut short and marked incomplete.
pub(super) const MAX_BASES: usize = 4096;

/// The parts of a face.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Its vertices, with what is 0 there.
    pub vertices: Vec<(Vec<Rational>, Support)>,
    /// Its rays, with what is 0 along them; a line is two.
    pub rays: Vec<(Vec<Rational>, Support)>,
    /// Whether these are all.
    pub complete: bool,
}

/// Walks the bases of the polyhedron of a settled cell, edge by edge, up to `most` of them and as
/// long as memory lasts.
pub(super) fn list(
    cell: &Cell,
    most: usize,
    memory: &mut Memory,
    meter: &mut Meter,
) -> Result<Listed, Exhausted> {
    let order = Order::at(cell);
    let mut found = Listed {
        complete: true,
        ..Listed::default()
    };
    for c in cell.lines() {
        let (direction, support) = cell.direction(c);
        let opposite = direction.iter().map(|value| Rational::from(-value));
        let opposite = (opposite.collect(), support.clone());
        found.rays.extend([(direction, support), opposite]);
    }
    let mut seen = BTreeSet::from([basis(cell)]);
    let mut held = 0;
    let mut queue = VecDeque::from([cell.clone()]);
    while let Some(cell) = queue.pop_front() {
        push_new(&mut found.vertices, (cell.point(), cell.zeros()));
        for c in cell.movable() {
            let Some(r) = order.blocking_row(&cell, c) else {
                push_new(&mut found.rays, cell.direction(c));
                continue;
            };
            let mut neighbour = basis(&cell);
            neighbour.remove(&cell.tableau.basic()[r]);
            neighbour.insert(cell.tableau.nonbasic()[c]);
            if seen.contains(&neighbour) {
                continue;
            }
            let bytes = cell.bytes() + memory::variables(neighbour.len());
            if seen.len() >= most || memory.take(bytes).is_err() {
                found.complete = false;
                continue;
            }
            held += bytes;
            seen.insert(neighbour);
            let mut next = cell.clone();
            next.pivot(r, c, meter)?;
            queue.push_back(next);
        }
    }
    memory.free(held);
    Ok(found)
}

fn basis(cell: &Cell) -> BTreeSet<Variable> {
    cell.tableau.basic().iter().copied().collect()
}

fn push_new(list: &mut Vec<(Vec<Rational>, Support)>, item: (Vec<Rational>, Support)) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The variables that may fall below 0, that by the largest eps first.
struct Order {
    relaxed: Vec<Variable>,
}

impl Order {
    fn at(cell: &Cell) -> Self {
        let basic = cell.tableau.basic().iter().copied();
        let relaxed = basic.filter(|&variable| cell.kind(variable) == Kind::Nonnegative);
        Self {
            relaxed: relaxed.collect(),
        }
    }

    /// The one row that stops nonbasic variable c first in the polyhedron nearby.
    fn blocking_row(&self, cell: &Cell, c: usize) -> Option<usize> {
        let ties = cell.blocking_rows(c);
        // What stops c is the least of height / -entry; the heights come one power after another.
        let less = |a: &usize, b: &usize| {
            let sizes = self.relaxed.iter().map(|&variable| {
                let own = height(cell, *a, variable) * cell.tableau.entry(*b, c);
                let theirs = height(cell, *b, variable) * cell.tableau.entry(*a, c);
                // Both entries are negative.
                theirs.cmp(&own)
            });
            sizes
                .into_iter()
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        };
        ties.into_iter().min_by(less)
    }
}

/// How far the basic variable of row r is above its bound, as far as it depends on the eps of a
/// variable: a nonbasic one stands at -eps.
fn height(cell: &Cell, r: usize, relaxed: Variable) -> Integer {
    let tableau = &cell.tableau;
    if tableau.basic()[r] == relaxed {
        return tableau.denominator().clone();
    }
    match tableau.column_of(relaxed) {
        Some(c) => Integer::from(-tableau.entry(r, c)),
        None => Integer::new(),
    }
}
