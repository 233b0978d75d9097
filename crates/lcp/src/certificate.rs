//! Certificates as data. The checks are in `etalon-kernel`; `docs/certificates.md` says what each proves.
//!
//! Vectors have an entry for each row of the problem, and one for each row bounded on both sides. The
//! formulas here are those of a pure problem.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::number::Number;
use crate::record::by_rows;

/// A proof that a claim about a problem holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certificate {
    /// No solution, because not even the linear inequalities have one: y >= 0 (free on bilateral
    /// rows), M'y <= 0 (= 0 on bilateral columns) and q'y < 0 (Farkas; CPS section 2.7).
    Farkas {
        /// The vector y of length n.
        y: Vec<Number>,
    },
    /// No solution, although the linear inequalities may have one: a binary tree over
    /// complementary choices whose every leaf is empty.
    Cover(Cover),
    /// The complete solution set: a binary tree over complementary choices whose leaves are
    /// empty, one point, or a face all of whose points are solutions.
    Enumeration(Cover),
    /// M is symmetric positive semidefinite: w is the same in all solutions (CPS theorem 3.1.7).
    SymmetricPsd,
    /// M is a P-matrix: exactly one solution for every q (CPS theorem 3.3.7).
    PMatrix(PMatrixProof),
    /// Another solution than the one claimed: z is not unique.
    SecondSolution {
        /// It.
        z: Vec<Number>,
    },
    /// A solution is in a box, where there are friction cones and fractions need not state it.
    Enclosure(Box<Enclosure>),
    /// A solution exists, because w is strictly inside the dual cones at this point and M has the form
    /// of a contact problem: [A, -H'; H, R].
    ConeFeasible {
        /// The point, of length n.
        z: Vec<Number>,
    },
    /// A solution under Coulomb's law exists, and all have one w: friction is weak beside its coupling.
    Contraction {
        /// h > 0, a number for each cone.
        h: Vec<Number>,
        /// From 0 to below 1.
        theta: Number,
    },
}

/// A box that holds a solution: every z with |z_i - center_i| <= radius_i.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosure {
    /// Of the contacts, then of the plain rows, in their order.
    pub modes: Vec<Mode>,
    /// Its middle, of length n.
    pub center: Vec<Number>,
    /// How far it reaches, of length n: 0 where the modes say what z_i is, and where contacts are redundant
    /// and one of many solutions is chosen.
    pub radius: Vec<Number>,
    /// Rows whose equations w_k = 0 are left out, because w_k is a sum of w_i times factors: redundant
    /// contacts. As many unknowns are fixed, with radius 0.
    pub implied: Vec<Implied>,
    /// A square matrix, with a row for each unknown whose radius is not 0: about the inverse of the
    /// derivative of the equations at the center.
    pub inverse: Vec<Vec<Number>>,
}

/// A row that is a sum of others in all coefficients and q: w_k = sum of factor times w_i for all z.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implied {
    /// k.
    pub row: usize,
    /// The rows i, each with its factor.
    #[serde(deserialize_with = "by_rows")]
    pub by: BTreeMap<usize, Number>,
}

/// What a contact or a plain row does in a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// `l`: a plain row at its lower bound.
    Lower,
    /// `u`: a plain row at its upper bound.
    Upper,
    /// `f`: a plain row with w_i = 0.
    Free,
    /// `o`: a contact with r = 0.
    Open,
    /// A letter for each disc of a contact with r_N > 0: `g` where it slides (true), `s` where it sticks.
    Pressed(Vec<bool>),
}

impl Certificate {
    /// The certificate for a cover whose leaves are all empty: one node alone is a Farkas vector.
    pub fn of_empty_cover(cover: Cover) -> Self {
        let mut nodes = cover.nodes;
        match nodes.pop() {
            Some(CoverNode::Empty { y }) if nodes.is_empty() => Self::Farkas { y },
            last => {
                nodes.extend(last);
                Self::Cover(Cover { nodes })
            }
        }
    }
}

/// Why all principal minors of M are positive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PMatrixProof {
    /// The symmetric part of M is positive definite.
    PositiveDefinite,
    /// The diagonal is positive and M_ii d_i > sum over j != i of |M_ij| d_j for weights d > 0
    /// (M is an H-matrix with positive diagonal; triangular matrices are).
    DiagonallyDominant {
        /// The weights d of length n.
        weights: Vec<Number>,
    },
    /// All 2^n - 1 principal minors are computed (small n only).
    PrincipalMinors,
}

/// A binary tree over complementary choices, as a list: node 0 is the root, and children come
/// after their parents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cover {
    /// The nodes.
    pub nodes: Vec<CoverNode>,
}

/// A node of a [`Cover`]. On the way to a node, A is the set of rows chosen with z_i = 0 and B
/// the set chosen with w_i = 0 (bilateral rows belong to B from the start).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoverNode {
    /// Every solution has z_row = 0 or w_row = 0.
    Branch {
        /// The row, which no ancestor branches on.
        row: usize,
        /// The node for z_row = 0.
        z_zero: usize,
        /// The node for w_row = 0.
        w_zero: usize,
    },
    /// Every solution has one of the modes of a contact that has one disc of at most two rows with
    /// mu > 0. In the variables r_k / mu_k the plane of the disc is divided into sectors of directions
    /// of r, in positive turns; each ends where the next begins.
    Contact {
        /// The contact, by its number among `cones`.
        cone: usize,
        /// The nodes for r = 0 and for w = 0; none where the contact slides in a sector already.
        others: Option<[usize; 2]>,
        /// Of each sector the direction where it begins, and its node.
        slides: Vec<([Number; 2], usize)>,
    },
    /// Nothing satisfies z, w >= 0 with these zeros: y_i >= 0 for i outside B, (M'y)_j <= 0 for
    /// j outside A (= 0 on bilateral columns), q'y < 0.
    Empty {
        /// The vector y of length n.
        y: Vec<Number>,
    },
    /// Just one z does: y as for `Empty` but with q'y = 0, so that every inequality in which y
    /// is not zero holds as an equation; together the equations have rank n and z solves them.
    Point {
        /// The vector y of length n.
        y: Vec<Number>,
        /// The point, a solution.
        z: Vec<Number>,
    },
    /// All rows are chosen, so everything that satisfies z, w >= 0 with these zeros is a
    /// solution; `vertices` and `rays` are points and directions of that set.
    Face {
        /// Solutions on the face (it may be described by more than these).
        vertices: Vec<Vec<Number>>,
        /// Directions in which one can go on for ever.
        rays: Vec<Vec<Number>>,
    },
}
