//! Mass matrices, block by block.

use crate::covector::Covector;
use crate::dense::Dense;
use crate::error::SceneError;
use crate::scalar::{Scalar, dot};

/// A symmetric positive definite mass matrix of blocks along the diagonal: one block a free
/// body, one a mechanism. What is driven has a block of zeros, which is its own inverse here: no impulse changes its velocity.
#[derive(Debug, Clone, PartialEq)]
pub struct MassMatrix<S> {
    blocks: Vec<Block<S>>,
    dofs: usize,
}

#[derive(Debug, Clone, PartialEq)]
struct Block<S> {
    start: usize,
    mass: Dense<S>,
    inverse: Dense<S>,
    /// Whether no impulse changes its velocities: both are zero.
    driven: bool,
}

impl<S: Scalar> MassMatrix<S> {
    /// The matrix of no coordinates.
    pub fn empty() -> Self {
        Self {
            blocks: Vec::new(),
            dofs: 0,
        }
    }

    /// Appends a block; `name` is the body or mechanism, for errors.
    ///
    /// # Errors
    /// [`SceneError::MassMatrix`] when the block is not symmetric positive definite.
    pub fn push(&mut self, name: &str, mass: Dense<S>) -> Result<(), SceneError> {
        let bad = || SceneError::MassMatrix {
            what: name.to_owned(),
        };
        if !mass.is_symmetric() || !mass.has_positive_pivots() {
            return Err(bad());
        }
        // In binary64 a small moment beside a large mass counts as zero, until both are brought to one size.
        let inverse = mass.inverse().or_else(|| scaled_inverse(&mass));
        let inverse = inverse.ok_or_else(bad)?;
        let start = self.dofs;
        self.dofs += mass.rows();
        self.blocks.push(Block {
            start,
            mass,
            inverse,
            driven: false,
        });
        Ok(())
    }

    /// Appends coordinates whose velocities no impulse changes.
    pub fn push_driven(&mut self, dofs: usize) {
        let zeros = Dense::from_fn(dofs, dofs, |_, _| S::zero());
        self.blocks.push(Block {
            start: self.dofs,
            inverse: zeros.clone(),
            mass: zeros,
            driven: true,
        });
        self.dofs += dofs;
    }

    /// Whether no impulse changes the velocity of that coordinate.
    pub fn is_driven(&self, dof: usize) -> bool {
        let is_its = |own: &&Block<S>| (own.start..own.start + own.mass.rows()).contains(&dof);
        self.blocks
            .iter()
            .find(is_its)
            .is_some_and(|own| own.driven)
    }

    /// The matrix with every number rounded to binary64.
    ///
    /// # Errors
    /// [`SceneError::MassMatrix`] where rounding leaves a block that is not positive definite.
    pub fn rounded(&self) -> Result<MassMatrix<f64>, SceneError> {
        let mut rounded = MassMatrix::empty();
        for block in &self.blocks {
            let n = block.mass.rows();
            if block.driven {
                rounded.push_driven(n);
                continue;
            }
            let mass = Dense::from_fn(n, n, |i, j| block.mass[(i, j)].to_f64());
            rounded.push("the rounded system", mass)?;
        }
        Ok(rounded)
    }

    /// The number of generalised coordinates.
    pub fn dofs(&self) -> usize {
        self.dofs
    }

    /// M x for a dense x.
    ///
    /// # Panics
    /// When x has fewer entries than there are coordinates.
    pub fn times(&self, x: &[S]) -> Vec<S> {
        self.block_times(x, |block| &block.mass)
    }

    /// M^-1 x for a dense x.
    ///
    /// # Panics
    /// When x has fewer entries than there are coordinates.
    pub fn inverse_times(&self, x: &[S]) -> Vec<S> {
        self.block_times(x, |block| &block.inverse)
    }

    fn block_times(&self, x: &[S], matrix: impl Fn(&Block<S>) -> &Dense<S>) -> Vec<S> {
        let rows = self.blocks.iter().flat_map(|block| {
            let matrix = matrix(block);
            let part = &x[block.start..block.start + matrix.rows()];
            (0..matrix.rows()).map(move |i| dot(matrix.row(i), part))
        });
        rows.collect()
    }

    /// M^-1 J' for a sparse row J: nonzero only in the blocks that J touches.
    pub fn inverse_times_row(&self, row: &Covector<S>) -> Covector<S> {
        let mut entries = row.entries();
        let mut result = Vec::new();
        for block in &self.blocks {
            let end = block.start + block.mass.rows();
            let own = entries.partition_point(|(k, _)| *k < end);
            let (part, rest) = entries.split_at(own);
            entries = rest;
            if part.is_empty() {
                continue;
            }
            for i in 0..block.mass.rows() {
                let mut sum = S::zero();
                for (k, value) in part {
                    sum += &(block.inverse[(i, k - block.start)].clone() * value);
                }
                result.push((block.start + i, sum));
            }
        }
        Covector::new(result)
    }

    /// Kinetic energy: half of v'Mv.
    ///
    /// # Panics
    /// When v has fewer entries than there are coordinates.
    pub fn kinetic_energy(&self, velocity: &[S]) -> S {
        dot(velocity, &self.times(velocity)) / &S::integer(2)
    }
}

/// The inverse by way of the matrix with ones on its diagonal.
fn scaled_inverse<S: Scalar>(mass: &Dense<S>) -> Option<Dense<S>> {
    let n = mass.rows();
    let unit = |i: usize| Some(S::one() / &mass[(i, i)].sqrt()?);
    let units: Vec<S> = (0..n).map(unit).collect::<Option<_>>()?;
    let scaled =
        |own: &Dense<S>| Dense::from_fn(n, n, |i, j| units[i].clone() * &own[(i, j)] * &units[j]);
    scaled(mass).inverse().map(|inverse| scaled(&inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(rows: [[f64; 3]; 3]) -> Result<MassMatrix<f64>, SceneError> {
        let mut mass = MassMatrix::empty();
        let block = Dense::from_fn(3, 3, |i, j| rows[i][j]);
        mass.push("body", block).map(|()| mass)
    }

    #[test]
    fn a_small_moment_beside_a_large_mass_is_no_zero() {
        for (kilos, moment) in [(1.0, 1e-14), (1e9, 1e-10), (1e-9, 1e7)] {
            let mass = pushed([[kilos, 0.0, 0.0], [0.0, kilos, 0.0], [0.0, 0.0, moment]]).unwrap();
            let back = mass.inverse_times(&[kilos, 0.0, moment]);
            assert!(
                (back[0] - 1.0).abs() < 1e-12 && (back[2] - 1.0).abs() < 1e-12,
                "{back:?}"
            );
        }
        assert!(pushed([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]).is_err());
    }

    #[test]
    fn rounding_beside_the_diagonal_is_symmetric() {
        let third = 1.0 / 24.0;
        let turned = |off: f64| [[third, 1e-19, 0.0], [off, third, 0.0], [0.0, 0.0, third]];
        assert!(pushed(turned(-2e-19)).is_ok());
        assert!(pushed(turned(1e-3)).is_err());
    }
}
