//! All solutions, or a proof that there is none: pruned search over complementary choices.
//!
//! Each row of a mixed LCP has z_i = 0 or w_i = 0, which makes a binary tree of polyhedra
//! {w = Mz + q, z >= 0, w >= 0, chosen entries zero}. The search keeps a dictionary of the
//! polyhedron ([`Cell`]) and moves it from parent to child by dual simplex pivots:
//!
//! * an empty polyhedron closes the branch, and its dictionary shows the Farkas vector;
//! * a vertex that breaks complementarity on some row is branched on at that row;
//! * a polyhedron that is one complementary point is that solution;
//! * when all rows are chosen, every point is a solution, and the vertices and rays of the face
//!   are listed.
//!
//! So an infeasible half of the tree costs one linear feasibility problem, not 2^k of them. The
//! tree itself, a [`Cover`], is the proof, which `etalon-certify` checks without this module.
//! It ends: the tree has at most 2^n leaves, and Bland's rule ends every linear program. What is
//! found is held until the end, so besides the budget there is a limit on memory.

mod cell;
mod face;
mod memory;

use etalon_lcp::{Cover, CoverNode, MixedLcp, Number};
use rug::Rational;

use crate::budget::{Budget, Exhausted, Meter, check_rows, check_rows_up_to};
use cell::{Cell, Zero};
use memory::Memory;

/// The search keeps a dictionary for each level of the tree, so it is for fewer rows than a
/// single dictionary.
const MAX_SEARCHED_ROWS: usize = 400;

/// What the search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Some solution, or a proof that there is none.
    One,
    /// The whole solution set.
    All,
}

/// The solution set of a mixed LCP.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SolutionSet {
    /// Solutions with no other solution near them.
    pub isolated: Vec<Vec<Rational>>,
    /// Faces of solutions.
    pub faces: Vec<Face>,
    /// The proof that there are no others.
    pub cover: Cover,
}

/// A face of solutions: convex combinations of vertices plus nonnegative multiples of rays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Face {
    /// Solutions.
    pub vertices: Vec<Vec<Rational>>,
    /// Directions.
    pub rays: Vec<Vec<Rational>>,
}

impl SolutionSet {
    /// Whether there is no solution; the cover is then a proof of it.
    pub fn is_empty(&self) -> bool {
        self.isolated.is_empty() && self.faces.is_empty()
    }
}

/// What the search for one solution finds.
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
    search.run(Cell::new(lcp))?;
    Ok(search.finish())
}

/// Finds one solution of a mixed LCP, or proves that there is none.
///
/// # Errors
/// [`Exhausted`] when the budget runs out; then nothing is known.
pub fn find_one(lcp: &MixedLcp, budget: &Budget) -> Result<Found, Exhausted> {
    if let Err(too_large) = check_rows_up_to(lcp.n(), MAX_SEARCHED_ROWS) {
        let empty = |y| {
            Found::None(Cover {
                nodes: vec![CoverNode::Empty { y }],
            })
        };
        return farkas(lcp, budget)?.map(empty).ok_or(too_large);
    }
    let mut search = Search::new(budget, Goal::One);
    Ok(match search.run(Cell::new(lcp))? {
        Some(z) => Found::Solution(z),
        None => Found::None(search.cover),
    })
}

/// Decides whether the linear inequalities alone can be satisfied: the Farkas vector if not.
///
/// # Errors
/// [`Exhausted`] when the budget runs out.
pub fn farkas(lcp: &MixedLcp, budget: &Budget) -> Result<Option<Vec<Number>>, Exhausted> {
    check_rows(lcp.n())?;
    let mut cell = Cell::new(lcp);
    cell.settle(&mut Meter::new(budget))
}

struct Search {
    goal: Goal,
    meter: Meter,
    memory: Memory,
    cover: Cover,
    points: Vec<Vec<Rational>>,
    faces: Vec<Face>,
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
        }
    }

    /// Visits the tree depth first; the first solution when one is enough.
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
            self.meter.pivot(cell.bits())?;
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
            if let Some(row) = cell.row_to_branch_on() {
                self.branch(row, index, cell, &mut stack)?;
                continue;
            }
            if self.goal == Goal::One {
                return Ok(Some(cell.point()));
            }
            if let Some(y) = cell.alone(&mut self.meter)? {
                self.push_point(y, cell.point())?;
            } else if let Some(row) = cell.open_row() {
                self.branch(row, index, cell, &mut stack)?;
            } else {
                let face = face::describe(&cell, &mut self.meter)?;
                self.push_face(face)?;
            }
        }
        Ok(None)
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

    fn push_point(&mut self, y: Vec<Number>, z: Vec<Rational>) -> Result<(), Exhausted> {
        self.memory
            .take(memory::numbers(&y) + 2 * memory::fractions(&z))?;
        self.cover
            .nodes
            .push(CoverNode::Point { y, z: numbers(&z) });
        if !self.points.contains(&z) {
            self.points.push(z);
        }
        Ok(())
    }

    fn push_face(&mut self, face: Face) -> Result<(), Exhausted> {
        let vectors = face.vertices.iter().chain(&face.rays);
        let bytes: u64 = vectors.map(|z| memory::fractions(z)).sum();
        self.memory.take(2 * bytes)?;
        self.cover.nodes.push(CoverNode::Face {
            vertices: face.vertices.iter().map(|z| numbers(z)).collect(),
            rays: face.rays.iter().map(|z| numbers(z)).collect(),
        });
        self.faces.push(face);
        Ok(())
    }

    /// Tidies the lists: leaves overlap where a solution is degenerate.
    fn finish(self) -> SolutionSet {
        let mut faces: Vec<Face> = Vec::new();
        for face in self.faces {
            if faces.iter().any(|other| within(&face, other)) {
                continue;
            }
            faces.retain(|other| !within(other, &face));
            faces.push(face);
        }
        // A point that lies on a face is cut out of it by further zeros, so it is a vertex.
        let on_face = |z: &Vec<Rational>| faces.iter().any(|face| face.vertices.contains(z));
        let isolated = self.points.into_iter().filter(|z| !on_face(z)).collect();
        SolutionSet {
            isolated,
            faces,
            cover: self.cover,
        }
    }
}

fn within(face: &Face, other: &Face) -> bool {
    face.vertices.iter().all(|z| other.vertices.contains(z))
        && face.rays.iter().all(|ray| other.rays.contains(ray))
}

fn numbers(values: &[Rational]) -> Vec<Number> {
    values.iter().cloned().map(Number::from).collect()
}

#[cfg(test)]
mod tests;
