//! Whether other forces satisfy Coulomb's law, too.
//!
//! **Theorem.** Let all contacts rest, W = A symmetric positive semidefinite (joints eliminated), h > 0
//! a number a contact, N the normal rows, T the tangential ones. If W - diag_N(h) is positive
//! semidefinite and diag_T(h/mu^2) - W_TT positive definite, then there are forces, and all have the
//! same accelerations; if W is positive definite, they are the only ones.
//!
//! *Proof.* Write g = mu |a_F|, a number a contact. Forces r = f satisfy Coulomb's law if and only if r is in
//! the cones K, u = a + g e_N is in their duals, and r'u = 0 (de Saxcé and Feng 1998). For given s >= 0 in
//! place of g that is a monotone problem on W r + b + s e_N. For r in K, W r = 0 gives 0 = r'Wr >= sum
//! of h r_N^2, so r = 0. Hence W is coercive on K, and the problem has a solution r(s). Any two solutions satisfy
//! (r - r')'W(r - r') <= 0, so a(s) = W r(s) + b is unique and continuous in s. For two s the same
//! inequality reads |dr|_W^2 <= |dr_N'ds|. With sum of h dr_N^2 <= |dr|_W^2 and Cauchy-Schwarz,
//! |dr|_W^2 <= sum of ds^2/h. Let G = diag_T(mu^2/h), and theta < 1 the largest eigenvalue of
//! G^(1/2) W_TT G^(1/2). Since |dg| <= mu |da_F|, the sum of dg^2/h is at most the sum over T of mu^2/h
//! da_t^2 = |G^(1/2) P_T W dr|^2 <= theta |dr|_W^2. So s -> g(a(s)) is a contraction. It has exactly one fixed
//! point, and fixed points are the solutions of Coulomb's law. $\square$
//!
//! For a single contact of friction mu it says mu^2 max eig(W_TT) (W^-1)_NN < 1: friction is not so large
//! that tangential forces lift the contact. Where contacts press redundantly, as four corners do, no
//! h fits, and nothing is said.

use etalon_rigid::{Dense, Scalar};
use rug::Rational;

use super::faces::{Face, Faces};
use super::{Coulomb, enclose, exact};
use crate::error::ForceError;
use crate::formulation::{ContactMotion, Formulation, RowKind};

/// The proved facts about other forces that satisfy Coulomb's law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OtherForces {
    /// There are none.
    None,
    /// They have the same accelerations. `forces` says whether there are some.
    SameMotion {
        /// Whether other forces were found, and proved.
        found: bool,
    },
    /// There are some, and one was proved. Whether they move alike is not known.
    Some,
    /// Nothing.
    Unknown,
}

/// Rows up to which the theorem and other forces are tried: each takes some eliminations in fractions.
const ROWS: usize = 60;

/// So many forces are moved at most to find others.
const MOVED: usize = 16;

impl Formulation<Rational> {
    /// The proved facts about other forces than these: see [`OtherForces`].
    ///
    /// # Errors
    /// [`ForceError::Length`].
    pub fn other_coulomb(&self, known: &Coulomb) -> Result<OtherForces, ForceError> {
        let (length, n) = (known.f.len(), self.n());
        if length != n {
            return Err(ForceError::Length { length, n });
        }
        // The theorem has no rows between two bounds.
        if n > ROWS || self.holds() {
            return Ok(OtherForces::Unknown);
        }
        let alike = self.accelerations_are_unique();
        if alike == Some(true) {
            return Ok(OtherForces::None);
        }
        let found = self.redundant(known)?;
        Ok(match (alike, found) {
            (Some(_), found) => OtherForces::SameMotion { found },
            (None, true) => OtherForces::Some,
            (None, false) => OtherForces::Unknown,
        })
    }

    /// Whether the theorem applies, and then whether W is positive definite.
    fn accelerations_are_unique(&self) -> Option<bool> {
        let slides = |motion: &ContactMotion<_>| matches!(motion, ContactMotion::Sliding(_));
        if self.motions().iter().any(slides) {
            return None;
        }
        let (w, rows) = self.without_joints()?;
        let k = rows.len();
        let contact = |row: &RowKind| match *row {
            RowKind::Normal(contact) | RowKind::Tangent { contact, .. } => contact,
            _ => 0,
        };
        let is_normal = |row: &RowKind| matches!(row, RowKind::Normal(_));
        let own = |i: usize| {
            let normal = rows
                .iter()
                .position(|row| is_normal(row) && contact(row) == contact(&rows[i]));
            normal.map_or_else(Rational::new, |normal| w[(normal, normal)].clone())
        };
        let weights: Vec<Rational> = (0..k).map(own).collect();
        // The largest share of the diagonal that W can spare suits friction best.
        let shares = (1..16_u32).rev().map(|n| Rational::from((n, 16)));
        let fine = (5..=10_u32).map(|n| Rational::from((1, 1 << n)));
        let share = shares.chain(fine).find(|share| {
            let spared = Dense::from_fn(k, k, |i, j| {
                let mut entry = w[(i, j)].clone();
                if i == j && is_normal(&rows[i]) {
                    entry -= Rational::from(share * &weights[i]);
                }
                entry
            });
            is_positive_semidefinite(spared)
        })?;
        let tangents: Vec<usize> = (0..k).filter(|&i| !is_normal(&rows[i])).collect();
        let room = Dense::from_fn(tangents.len(), tangents.len(), |i, j| {
            let (p, q) = (tangents[i], tangents[j]);
            let mut entry = -w[(p, q)].clone();
            if i == j {
                let mu_squared = self.system().contacts[contact(&rows[p])].mu_squared();
                // A static contact has friction.
                entry += Rational::from(&share * &weights[p]) / mu_squared;
            }
            entry
        });
        room.has_positive_pivots().then(|| w.has_positive_pivots())
    }

    /// A with the joints eliminated, and the rows that are left; `None` where joints are redundant.
    fn without_joints(&self) -> Option<(Dense<Rational>, Vec<RowKind>)> {
        let is_joint = |i: &usize| matches!(self.rows()[*i], RowKind::Joint(_));
        let (joints, rest): (Vec<usize>, Vec<usize>) = (0..self.n()).partition(is_joint);
        let inverse = self.a().block(&joints, &joints).inverse()?;
        let pull = inverse.product(&self.a().block(&joints, &rest));
        let back = self.a().block(&rest, &joints).product(&pull);
        let plain = self.a().block(&rest, &rest);
        let w = Dense::from_fn(rest.len(), rest.len(), |i, j| {
            plain[(i, j)].clone() - &back[(i, j)]
        });
        Some((w, rest.into_iter().map(|i| self.rows()[i]).collect()))
    }

    /// Whether other forces are proved where contacts are redundant: with one force moved by a little, or
    /// with a contact pressed that only touches.
    fn redundant(&self, known: &Coulomb) -> Result<bool, ForceError> {
        let readings = Faces::guess(self, &known.f);
        let Some(faces) = readings.into_iter().next() else {
            return Ok(false);
        };
        let Some(still) = faces.independent() else {
            return Ok(false);
        };
        let largest = known
            .f
            .iter()
            .map(|f| f.clone().abs())
            .max()
            .unwrap_or_default();
        // Small enough to keep conditions that hold with room, and large beside any enclosure, so
        // that the forces are told apart.
        let little = largest / 1_000u32;
        let limits = faces
            .with(Face::Slip)
            .map(|k| faces.cones[k].tangents.len());
        let free = still.rows.len() + limits.sum::<usize>() < faces.variables().len();
        for moved in faces.variables().into_iter().filter(|_| free).take(MOVED) {
            for sign in [1_i32, -1] {
                let mut near = known.f.clone();
                near[moved] += Rational::from(&little * sign);
                if self.is_another(&faces, &near, known)? {
                    return Ok(true);
                }
            }
        }
        for k in faces.with(Face::Open) {
            if !faces.is_implied(&still, faces.cones[k].normal) {
                continue;
            }
            let mut near = known.f.clone();
            let mut pressed = faces.clone();
            pressed.press(k, &little, &mut near);
            if self.is_another(&pressed, &near, known)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether forces near these are proved, with those faces, that are not those known.
    fn is_another(
        &self,
        faces: &Faces<'_>,
        near: &[Rational],
        known: &Coulomb,
    ) -> Result<bool, ForceError> {
        let found = match exact::recover(self, faces, near)? {
            Some(found) => Some(found),
            None => enclose::enclose(self, faces, near)?,
        };
        let Some(found) = found else {
            return Ok(false);
        };
        let size = |found: &Coulomb| {
            let enclosure = found.enclosure.as_ref();
            enclosure.map_or_else(Rational::new, |enclosure| enclosure.force.clone())
        };
        let apart = size(&found) + size(known);
        let mut pairs = found.f.iter().zip(&known.f);
        Ok(pairs.any(|(a, b)| Rational::from(a - b).abs() > apart))
    }
}

/// Whether a symmetric matrix is positive semidefinite: elimination down the diagonal meets no negative
/// pivot, and a zero one only in a zero row.
fn is_positive_semidefinite(mut matrix: Dense<Rational>) -> bool {
    let n = matrix.rows();
    for k in 0..n {
        let pivot = matrix[(k, k)].clone();
        match Scalar::signum(&pivot) {
            1 => {}
            0 if (k..n).all(|j| matrix[(k, j)] == 0) => continue,
            _ => return false,
        }
        for i in k + 1..n {
            if matrix[(i, k)] == 0 {
                continue;
            }
            let factor = matrix[(i, k)].clone() / &pivot;
            for j in k..n {
                let product = Rational::from(&factor * &matrix[(k, j)]);
                matrix[(i, j)] -= product;
            }
        }
    }
    true
}
