//! The search: a tree of polyhedra, depth first.

use etalon_lcp::{Cover, CoverNode, Number};
use rug::Rational;

use super::cell::{Cell, Zero};
use super::face::{self, MAX_BASES};
use super::set::{self, Leaf, Point, Points, SolutionSet};
use crate::budget::{Budget, Exhausted, Meter};
use crate::memory::{self, Memory};

/// The goal of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Some solution, or a proof that there is none.
    One,
    /// The whole solution set.
    All,
    /// The proof that so many first entries of z are the same in all solutions, or two solutions
    /// that differ there.
    Unique(usize),
}

/// A search, as far as it has come.
pub(super) struct Search {
    pub goal: Goal,
    pub meter: Meter,
    pub memory: Memory,
    pub cover: Cover,
    pub points: Points,
    pub faces: Vec<Leaf>,
    /// Bases of one face that are looked at.
    pub bases: usize,
}

/// A child still to be visited: the parent's dictionary and the variable to set to zero.
#[derive(Clone)]
pub(super) struct Task {
    pub parent: Cell,
    pub zero: Option<Zero>,
    /// The node to tell this child's index to.
    pub link: Option<usize>,
}

impl Search {
    pub fn new(budget: &Budget, goal: Goal) -> Self {
        Self {
            goal,
            meter: Meter::new(budget),
            memory: Memory::default(),
            cover: Cover::default(),
            points: Points::default(),
            faces: Vec::new(),
            bases: MAX_BASES,
        }
    }

    /// A search like this one that has nothing yet, within the same time.
    pub fn fresh(&self) -> Self {
        Self {
            goal: self.goal,
            meter: self.meter.fresh(),
            memory: Memory::up_to(self.memory.limit()),
            cover: Cover::default(),
            points: Points::default(),
            faces: Vec::new(),
            bases: self.bases,
        }
    }

    /// The whole tree, to be visited.
    pub fn begun(&mut self, root: Cell) -> Result<Vec<Task>, Exhausted> {
        self.memory.take(root.bytes())?;
        Ok(vec![Task {
            parent: root,
            zero: None,
            link: None,
        }])
    }

    /// Visits the tree. It ends early with a solution that settles the question.
    pub fn run(&mut self, root: Cell) -> Result<Option<Vec<Rational>>, Exhausted> {
        let mut stack = self.begun(root)?;
        self.visit(&mut stack, &mut |_, _| true)
    }

    /// Visits subtrees depth first, the last one first, until there are none or it is not to go on.
    pub fn visit(
        &mut self,
        stack: &mut Vec<Task>,
        goes_on: &mut dyn FnMut(&Self, &mut Vec<Task>) -> bool,
    ) -> Result<Option<Vec<Rational>>, Exhausted> {
        while goes_on(self, stack)
            && let Some(task) = stack.pop()
        {
            if let Some(found) = self.node(task, stack)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Visits one node. Returns a solution that settles the question.
    fn node(
        &mut self,
        task: Task,
        stack: &mut Vec<Task>,
    ) -> Result<Option<Vec<Rational>>, Exhausted> {
        let Task {
            parent: mut cell,
            zero,
            link,
        } = task;
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
            return Ok(None);
        }
        // A row that is broken at the vertex first: both children lose this vertex, where
        // another row may leave one of them as it is.
        if let Some(row) = cell.row_to_branch_on() {
            self.branch(row, index, cell, stack)?;
            return Ok(None);
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
            self.branch(row, index, cell, stack)?;
        } else if let Goal::Unique(_) = self.goal {
            // A face of solutions on which z moves.
            return Ok(Some(cell.point()));
        } else {
            let listed = face::list(&cell, self.bases, &mut self.memory, &mut self.meter)?;
            let choices = cell.choices();
            self.push_face(Leaf { choices, listed })?;
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

    pub fn link(&mut self, parent: usize, zero: Option<Zero>, index: usize) {
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
        self.points.add(point);
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

    pub fn finish(self) -> SolutionSet {
        set::tidy(self.points, self.faces, self.cover)
    }
}

fn numbers(values: &[Rational]) -> Vec<Number> {
    values.iter().cloned().map(Number::from).collect()
}
