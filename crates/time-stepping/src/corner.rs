//! Egan and Trinkle's non-convex corner: a body is outside as soon as one of two gaps is open.
//!
//! Stewart and Trinkle's step keeps *both* half-spaces of a corner that points out of an obstacle,
//! and so blocks a particle that passes beside it. Egan and Trinkle ask for max(psi_1, psi_2) >= 0,
//! with c = max(psi_1 - psi_2, 0) as one more unknown:
//!
//! > 0 <= c  complementary to  c - psi_1 + psi_2 >= 0,
//! > 0 <= p_1, p_2  complementary to  c + psi_2 >= 0,
//!
//! where psi_i = psi_i^free + sum of B_ij p_j at the end of the step, B = h n'M^-1 n.
//!
//! **This problem is not unique** once both free gaps are negative: all p >= 0 with
//! max(psi_1, psi_2) = 0 solve it, a path of two segments ([`Family`]), and Lemke's method takes
//! whichever end its pivots lead to: a particle that lands on top of the obstacle may be
//! pushed out of its side. Least impulse picks the wrong face there as well. The rule here is
//! [`Entry`]: the face that the free motion crosses last is the one that it enters by, and that
//! one alone pushes. It depends on the old state, which the problem forgets.

use etalon_rigid::{Covector, MassMatrix, Scalar};

use crate::error::StepError;
use crate::formulation::StepLcp;

/// A particle or body at a corner of two faces, without friction, M and k constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Corner<S> {
    /// M.
    pub mass: MassMatrix<S>,
    /// k, N.
    pub force: Vec<S>,
    /// The names of the coordinates.
    pub coordinates: Vec<String>,
    /// The two faces.
    pub faces: [Face<S>; 2],
}

/// A face: psi(q) = normal'q - offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Face<S> {
    /// The name.
    pub name: String,
    /// n.
    pub normal: Covector<S>,
    /// The offset.
    pub offset: S,
}

/// Which face a motion enters the obstacle by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// It stays outside.
    Outside,
    /// By that face; the first one when it hits the very edge.
    Face(usize),
}

/// All solutions p = (p_1, p_2) of a step that ends inside: the segments between consecutive
/// vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Family<S> {
    /// From "the first face alone pushes" to "the second alone", each a (p_1, p_2).
    pub vertices: Vec<[S; 2]>,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct CornerStep<S> {
    /// q^(l+1).
    pub q: Vec<S>,
    /// v^(l+1).
    pub v: Vec<S>,
    /// psi_1, psi_2 of the free motion, m.
    pub free: [S; 2],
    /// The problem, unknowns (c, p_1, p_2).
    pub lcp: StepLcp<S>,
    /// The solution that the rule chooses.
    pub z: [S; 3],
    /// How the motion enters.
    pub entry: Entry,
    /// All solutions, where there are several.
    pub family: Option<Family<S>>,
    /// (v^(l+1) - v^l)'M (v^(l+1) - v^l)/2, J.
    pub numerical: S,
    /// p_i psi_i^l/h of each face, J.
    pub position: [S; 2],
}

impl<S: Scalar> Corner<S> {
    /// psi_i(q), m.
    pub fn gaps(&self, q: &[S]) -> [S; 2] {
        let gap = |face: &Face<S>| face.normal.times(q) - &face.offset;
        [gap(&self.faces[0]), gap(&self.faces[1])]
    }

    /// -k'q, J.
    pub fn potential(&self, q: &[S]) -> S {
        -etalon_rigid::dot(&self.force, q)
    }

    /// One step of size h.
    ///
    /// # Errors
    /// [`StepError::Length`], [`StepError::Setting`] unless h > 0, and [`StepError::Unsolvable`]
    /// where a face cannot push the motion out: its normal has no inertia to push against.
    pub fn step(&self, q: &[S], v: &[S], h: &S) -> Result<CornerStep<S>, StepError> {
        for (what, values) in [("q", q), ("v", v)] {
            if values.len() != self.mass.dofs() {
                return Err(StepError::Length {
                    what,
                    length: values.len(),
                    expected: self.mass.dofs(),
                });
            }
        }
        if h.signum() <= 0 {
            return Err(StepError::Setting {
                setting: "h",
                value: h.to_string(),
                range: "above 0",
            });
        }
        let change = self.mass.inverse_times(&self.force);
        let pairs = v.iter().zip(&change);
        let velocity: Vec<S> = pairs.map(|(v, a)| v.clone() + a.clone() * h).collect();
        let moved = |v: &[S]| -> Vec<S> {
            let pairs = q.iter().zip(v);
            pairs.map(|(q, v)| q.clone() + v.clone() * h).collect()
        };
        let (old, free) = (self.gaps(q), self.gaps(&moved(&velocity)));
        let b = self.coupling(h);
        let entry = entry(&old, &free);
        let p = match entry {
            Entry::Outside => [S::zero(), S::zero()],
            Entry::Face(i) => self.alone(i, &free, &b)?,
        };
        let family = match entry {
            Entry::Outside => None,
            Entry::Face(_) => Some(self.family(&free, &b)?),
        };
        let mut impulse = vec![S::zero(); q.len()];
        for (face, p) in self.faces.iter().zip(&p) {
            face.normal.add_to(p, &mut impulse);
        }
        let push = self.mass.inverse_times(&impulse);
        let pairs = velocity.iter().zip(&push);
        let velocity: Vec<S> = pairs.map(|(v, dv)| v.clone() + dv).collect();
        let difference: Vec<S> = (velocity.iter().zip(v))
            .map(|(n, o)| n.clone() - o)
            .collect();
        let q = moved(&velocity);
        let after = self.gaps(&q);
        let wider = after[0].clone() - &after[1];
        let c = if wider.signum() > 0 { wider } else { S::zero() };
        let position = [0, 1].map(|i| p[i].clone() * &old[i] / h);
        let [p1, p2] = p;
        Ok(CornerStep {
            lcp: problem(&free, &b),
            numerical: self.mass.kinetic_energy(&difference),
            position,
            z: [c, p1, p2],
            q,
            v: velocity,
            free,
            entry,
            family,
        })
    }

    /// B = h n'M^-1 n.
    fn coupling(&self, h: &S) -> [[S; 2]; 2] {
        let answers = self
            .faces
            .each_ref()
            .map(|f| self.mass.inverse_times_row(&f.normal));
        let entry = |i: usize, j: usize| self.faces[i].normal.dot(&answers[j]) * h;
        [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
    }

    /// The least impulse of one face that takes the motion out: to where the first of the two gaps
    /// closes to zero.
    fn alone(&self, i: usize, free: &[S; 2], b: &[[S; 2]; 2]) -> Result<[S; 2], StepError> {
        let mut least: Option<S> = None;
        for j in 0..2 {
            if b[j][i].signum() > 0 {
                let p = -free[j].clone() / &b[j][i];
                if least.as_ref().is_none_or(|least| p < *least) {
                    least = Some(p);
                }
            }
        }
        let p = least.ok_or_else(|| StepError::Unsolvable {
            solver: "the corner".to_owned(),
            message: format!("pushing along {} opens no gap", self.faces[i].name),
        })?;
        Ok(if i == 0 {
            [p, S::zero()]
        } else {
            [S::zero(), p]
        })
    }

    /// All p >= 0 with max(psi_1, psi_2) = 0.
    fn family(&self, free: &[S; 2], b: &[[S; 2]; 2]) -> Result<Family<S>, StepError> {
        let mut vertices = vec![self.alone(0, free, b)?];
        // Both gaps close at B p = -free.
        let product = |i: usize, j: usize, k: usize, l: usize| b[i][j].clone() * &b[k][l];
        let determinant = product(0, 0, 1, 1) - product(0, 1, 1, 0);
        if !determinant.is_zero() {
            let solve = |own: usize, other: usize| {
                let value =
                    b[own][other].clone() * &free[other] - b[other][other].clone() * &free[own];
                value / &determinant
            };
            let both = [solve(0, 1), solve(1, 0)];
            if both.iter().all(|p| p.signum() > 0) {
                vertices.push(both);
            }
        }
        vertices.push(self.alone(1, free, b)?);
        Ok(Family { vertices })
    }
}

/// The face that the straight way from old to new gaps crosses last, if it ends inside.
fn entry<S: Scalar>(old: &[S; 2], new: &[S; 2]) -> Entry {
    if new.iter().any(|gap| gap.signum() >= 0) {
        return Entry::Outside;
    }
    // A gap that was open closes at old/(old - new) of the way; one that was closed at once.
    let [first, second] = [0, 1].map(|i| {
        if old[i].signum() < 0 {
            -S::one()
        } else {
            old[i].clone() / &(old[i].clone() - &new[i])
        }
    });
    Entry::Face(usize::from(second > first))
}

/// The problem in (c, p_1, p_2).
fn problem<S: Scalar>(free: &[S; 2], b: &[[S; 2]; 2]) -> StepLcp<S> {
    let last = vec![S::one(), b[1][0].clone(), b[1][1].clone()];
    let first = vec![
        S::one(),
        b[1][0].clone() - &b[0][0],
        b[1][1].clone() - &b[0][1],
    ];
    StepLcp {
        matrix: vec![first, last.clone(), last],
        q: vec![free[1].clone() - &free[0], free[1].clone(), free[1].clone()],
    }
}
