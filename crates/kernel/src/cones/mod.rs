//! Proofs about friction cones, on top of the kernel: nothing of it is asked about a problem without
//! them. `docs/certificates-cones.md`, has the theorems.
//!
//! | certificate | rule | proves | file |
//! |---|---|---|---|
//! | a cover | a tree whose nodes branch on modes of contacts, too | no solution | `cover.rs`, `known.rs` |
//! | a box | Krawczyk's theorem | a solution in it | `enclosure.rs`, `modes.rs`, `boxes.rs`, `krawczyk.rs` |
//! | a point inside the dual cones | Brouwer's theorem | a solution | `existence.rs` |
//! | weights of contacts | a contraction | a solution, and w is unique | `contraction.rs` |
//!
//! `read.rs` reads what these need of a problem, and `definite.rs` decides whether parts of M are
//! definite.

use rug::Rational;

use crate::{Checked, budget::*, fact::*, form::*, rows::*};

mod boxes;
mod contraction;
mod cover;
mod definite;
mod enclosure;
mod existence;
mod known;
mod krawczyk;
mod modes;
mod read;

pub use boxes::{Enclosure, Mode};
pub use cover::{ConeNode, Others};
pub use known::Direction;

impl Truth {
    /// Adds that there is no solution, which a cover with empty leaves only shows. Its nodes may branch on
    /// contacts. A Farkas vector is one leaf.
    ///
    /// # Errors
    /// The cover does not hold, or contradicts what was added before: nothing is added.
    pub fn add_cone_cover(
        &mut self, problem: &impl Problem, nodes: &[ConeNode<impl Vector>], budget: &Budget,
    ) -> Checked {
        cover::check_cone_cover(problem, nodes, budget)?;
        let solvable = Some(false);
        self.join(Proved { solvable, has_all_solutions: true, ..Proved::default() })
    }

    /// Adds a box with a solution.
    ///
    /// # Errors
    /// The box is not proved to hold one, or that contradicts what was added before: nothing is added.
    pub fn add_enclosure(
        &mut self, problem: &impl Problem, enclosure: Enclosure<'_>, budget: &Budget,
    ) -> Checked {
        enclosure::check_enclosure(problem, enclosure, budget)?;
        let boxes = vec![[enclosure.center.to_vec(), enclosure.radius.to_vec()]];
        self.join(Proved { solvable: Some(true), boxes, ..Proved::default() })
    }

    /// Adds that there is a solution, which a point of n entries shows whose w is inside the dual cones.
    ///
    /// # Errors
    /// It does not show that, or that contradicts what was added before: nothing is added.
    pub fn add_existence(
        &mut self, problem: &impl Problem, z: &[Rational], budget: &Budget,
    ) -> Checked {
        existence::check_exists(problem, z, budget)?;
        self.join(Proved { solvable: Some(true), ..Proved::default() })
    }

    /// Adds that there is a solution and that w is unique, which h > 0, a number for each cone, and
    /// theta < 1 show; of a positive definite M, that z is.
    ///
    /// # Errors
    /// They do not show that, or that contradicts what was added before: nothing is added.
    pub fn add_contraction(
        &mut self, problem: &impl Problem, h: &[Rational], theta: &Rational, budget: &Budget,
    ) -> Checked {
        let of_z = contraction::check_contracts(problem, h, theta, budget)?;
        let unique = Some(if of_z { Unique::Z } else { Unique::W });
        self.join(Proved { solvable: Some(true), unique, ..Proved::default() })
    }
}
