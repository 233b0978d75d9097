//! All solutions, or a proof that there is none: pruned search over complementary choices.
//!
//! Each row of a mixed LCP has z_i = 0 or w_i = 0. The choices make a binary tree of polyhedra
//! {w = Mz + q, z >= 0, w >= 0, chosen entries zero}. The search keeps a dictionary of the
//! polyhedron ([`Cell`]) and moves it from parent to child by dual simplex pivots:
//!
//! * an empty polyhedron closes the branch, and its dictionary shows the Farkas vector;
//! * a vertex that breaks complementarity on some row is branched on at that row;
//! * a polyhedron that is one complementary point is that solution;
//! * when all rows are chosen, every point is a solution, and the vertices and rays of the face
//!   are listed: all of them, or the list says that it is cut short.
//!
//! So an infeasible half of the tree costs one linear feasibility problem, not 2^k of them. The
//! tree itself, a [`Cover`], is the proof, which `etalon-certify` checks without this module.
//! It ends: the tree has at most 2^n leaves, and Bland's rule ends every linear program. The
//! solutions stay in memory until the end, so there is a limit on memory beside the budget.

mod alone;
mod cell;
mod face;
mod lifted;
mod member;
mod set;

use etalon_lcp::{Cover, CoverNode, MixedLcp, Number};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter, check_rows, check_rows_up_to};
use crate::memory::{self, Memory};
use cell::{Cell, Zero};
use face::MAX_BASES;
pub(crate) use lifted::lifted;
pub use set::{Face, SolutionSet};
use set::{Leaf, Point};

/// The largest problem of the search. It keeps a dictionary for each level of the tree, so the limit is below that
/// of a single dictionary. The number is chosen.
const MAX_SEARCHED_ROWS: usize = 400;

/// The goal of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Some solution, or a proof that there is none.
    One,
    /// The whole solution set.
    All,
    /// The proof that so many first entries of z are the same in all solutions, or two solutions
    /// that differ there.
    Unique(usize),
}

/// The result of the search for one solution.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A solution z.
    Solution(Vec<Rational>),
    /// None, with the proof. A root that is empty makes a cover of one node: a Farkas vector.
    None(Cover),
}

/// Finds all solutions of a mixed LCP.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub fn enumerate(lcp: &MixedLcp, budget: &Budget) -> Result<SolutionSet, Exhausted> {
    check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS)?;
    let mut search = Search::new(budget, Goal::All);
    search.run(Cell::new(lcp, &search.meter)?)?;
    Ok(search.finish())
}

/// Finds one solution of a mixed LCP, or proves that there is none.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub fn find_one(lcp: &MixedLcp, budget: &Budget) -> Result<Found, Exhausted> {
    // Too large for a search, yet one linear program may prove that there is none.
    if let Err(too_large) = check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS) {
        let empty = |y| {
            Found::None(Cover {
                nodes: vec![CoverNode::Empty { y }],
            })
        };
        return farkas(lcp, budget)?.map(empty).ok_or(too_large);
    }
    let mut search = Search::new(budget, Goal::One);
    Ok(match search.run(Cell::new(lcp, &search.meter)?)? {
        Some(z) => Found::Solution(z),
        None => Found::None(search.cover),
    })
}

/// Whether the first `own` entries of z are the same in all solutions of a solvable mixed LCP: the
/// proof if so. The search ends with the second solution, so this is quicker than [`enumerate`] where
/// the answer is no; and it does not follow multipliers of bounds, the entries after, where these
/// are many.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub(crate) fn prove_unique(
    lcp: &MixedLcp,
    own: usize,
    budget: &Budget,
) -> Result<Option<Cover>, Exhausted> {
    check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS)?;
    let mut search = Search::new(budget, Goal::Unique(own.min(lcp.n())));
    let several = search.run(Cell::new(lcp, &search.meter)?)?.is_some();
    Ok((!several && !search.points.is_empty()).then_some(search.cover))
}

/// Decides whether the linear inequalities alone can be satisfied: the Farkas vector if not.
///
/// # Errors
/// [`Exhausted`] when the budget runs out.
pub fn farkas(lcp: &MixedLcp, budget: &Budget) -> Result<Option<Vec<Number>>, Exhausted> {
    farkas_within(lcp, &mut Meter::new(budget))
}

/// As [`farkas`], where one budget is for several such questions.
pub(crate) fn farkas_within(
    lcp: &MixedLcp,
    meter: &mut Meter,
) -> Result<Option<Vec<Number>>, Exhausted> {
    check_rows(lcp.n())?;
    Cell::new(lcp, meter)?.settle(meter)
}

struct Search {
    goal: Goal,
    meter: Meter,
    memory: Memory,
    cover: Cover,
    points: Vec<Point>,
    faces: Vec<Leaf>,
    /// Bases of one face that are looked at.
    bases: usize,
}

/// A child still to be visited: the parent's dictionary and the variable to set to zero.
struct Task {
    parent: Cell,
    zero: Option<Zero>,
    /// The node to tell this child's index to.
    link: Option<usize>,
}

impl Search {
    fn new(budget: &Budget, goal: Goal) -> Self {
        Self {
            goal,
            meter: Meter::new(budget),
            memory: Memory::default(),
            cover: Cover::default(),
            points: Vec::new(),
            faces: Vec::new(),
            bases: MAX_BASES,
        }
    }

    /// Visits the tree depth first. It ends early with a solution that settles the question.
    fn run(&mut self, root: Cell) -> Result<Option<Vec<Rational>>, Exhausted> {
        self.memory.take(root.bytes())?;
        let mut stack = vec![Task {
            parent: root,
            zero: None,
            link: None,
        }];
        while let Some(Task {
            parent: mut cell,
            zero,
            link,
        }) = stack.pop()
        {
            self.meter.pivot(cell.bits(), cell.entries())?;
            self.memory.free(cell.bytes());
            let index = self.cover.nodes.len();
            if let Some(parent) = link {
                self.link(parent, zero, index);
            }
            let emptied = match zero {
                None => None,
                Some(zero) => cell.set_zero(zero, &mut self.meter)?,
            };
            let empty = match emptied {
                None => cell.settle(&mut self.meter)?,
                emptied => emptied,
            };
            if let Some(y) = empty {
                self.memory.take(memory::numbers(&y))?;
                self.cover.nodes.push(CoverNode::Empty { y });
                continue;
            }
            // A row that is broken at the vertex first: both children lose this vertex, where
            // another row may leave one of them as it is.
            if let Some(row) = cell.row_to_branch_on() {
                self.branch(row, index, cell, &mut stack)?;
                continue;
            }
            if self.settles(&cell) {
                return Ok(Some(cell.point()));
            }
            let alone = match self.goal {
                Goal::Unique(own) => cell.alone_in(own, &mut self.meter)?,
                _ => cell.alone(&mut self.meter)?,
            };
            if let Some(y) = alone {
                let (z, zeros) = (cell.point(), cell.zeros());
                self.push_point(y, Point { z, zeros })?;
            } else if let Some(row) = cell.open_row() {
                self.branch(row, index, cell, &mut stack)?;
            } else if let Goal::Unique(_) = self.goal {
                // A face of solutions on which z moves.
                return Ok(Some(cell.point()));
            } else {
                let listed = face::list(&cell, self.bases, &mut self.memory, &mut self.meter)?;
                let choices = cell.choices();
                self.push_face(Leaf { choices, listed })?;
            }
        }
        Ok(None)
    }

    /// Whether the solution at a cell's vertex is all that was asked for.
    fn settles(&self, cell: &Cell) -> bool {
        match self.goal {
            Goal::One => true,
            Goal::All => false,
            Goal::Unique(own) => {
                let known = self.points.first();
                known.is_some_and(|known| known.z[..own] != cell.point()[..own])
            }
        }
    }

    fn branch(
        &mut self,
        row: usize,
        index: usize,
        cell: Cell,
        stack: &mut Vec<Task>,
    ) -> Result<(), Exhausted> {
        self.memory.take(2 * cell.bytes())?;
        self.cover.nodes.push(CoverNode::Branch {
            row,
            z_zero: 0,
            w_zero: 0,
        });
        let link = Some(index);
        let other = cell.clone();
        stack.push(Task {
            parent: other,
            zero: Some(Zero::W(row)),
            link,
        });
        stack.push(Task {
            parent: cell,
            zero: Some(Zero::Z(row)),
            link,
        });
        Ok(())
    }

    fn link(&mut self, parent: usize, zero: Option<Zero>, index: usize) {
        if let CoverNode::Branch { z_zero, w_zero, .. } = &mut self.cover.nodes[parent] {
            match zero {
                Some(Zero::Z(_)) => *z_zero = index,
                Some(Zero::W(_)) => *w_zero = index,
                None => {}
            }
        }
    }

    fn push_point(&mut self, y: Vec<Number>, point: Point) -> Result<(), Exhausted> {
        self.memory
            .take(memory::numbers(&y) + 2 * memory::fractions(&point.z))?;
        let z = numbers(&point.z);
        self.cover.nodes.push(CoverNode::Point { y, z });
        // A degenerate solution is found in several leaves, one for each choice at its zeros.
        if !self.points.iter().any(|known| known.z == point.z) {
            self.points.push(point);
        }
        Ok(())
    }

    fn push_face(&mut self, leaf: Leaf) -> Result<(), Exhausted> {
        let (vertices, rays) = (&leaf.listed.vertices, &leaf.listed.rays);
        let vectors = vertices.iter().chain(rays);
        let bytes: u64 = vectors.map(|(z, _)| memory::fractions(z)).sum();
        self.memory.take(2 * bytes)?;
        self.cover.nodes.push(CoverNode::Face {
            vertices: vertices.iter().map(|(z, _)| numbers(z)).collect(),
            rays: rays.iter().map(|(z, _)| numbers(z)).collect(),
        });
        self.faces.push(leaf);
        Ok(())
    }

    fn finish(self) -> SolutionSet {
        set::tidy(self.points, self.faces, self.cover)
    }
}

fn numbers(values: &[Rational]) -> Vec<Number> {
    values.iter().cloned().map(Number::from).collect()
}

#[cfg(test)]
mod tests;
