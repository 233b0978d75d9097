//! A particle inside of an ellipse: a smooth, concave gap.

use std::borrow::Cow;

use etalon_rigid::{Covector, Dense, MassMatrix, Scalar};

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::model::{ContactFrame, ContactInfo, Model};

/// A frictionless particle with f(q) = 1 - x^2/a^2 - y^2/b^2, which is concave, and no gap in
/// metres. Linearised at q^l the step is not dissipative (section 3.6); implicitly it is.
#[derive(Debug, Clone)]
pub struct Ellipse<S> {
    mass: MassMatrix<S>,
    /// 1/a^2 and 1/b^2.
    squares: [S; 2],
    contacts: Vec<ContactInfo<S>>,
}

impl<S: Scalar> Ellipse<S> {
    /// A particle of that mass inside of the ellipse of half axes a, b.
    ///
    /// # Errors
    /// [`StepError::Scene`] for a mass, [`StepError::Setting`] for half axes, that is not positive.
    pub fn new(mass: S, half_axes: [S; 2]) -> Result<Self, StepError> {
        if let Some(axis) = half_axes.iter().find(|axis| axis.signum() <= 0) {
            return Err(StepError::Setting {
                setting: "the half axis",
                value: axis.to_string(),
                range: "above 0",
            });
        }
        let diagonal = |i: usize, j: usize| if i == j { mass.clone() } else { S::zero() };
        let mut block = MassMatrix::empty();
        block.push("particle", Dense::from_fn(2, 2, diagonal))?;
        Ok(Self {
            mass: block,
            squares: half_axes.map(|axis| S::one() / &axis.squared()),
            contacts: vec![ContactInfo {
                pair: "particle/ellipse".to_owned(),
                mu: S::zero(),
            }],
        })
    }
}

impl<S: Scalar> Model<S> for Ellipse<S> {
    fn coordinates(&self) -> Vec<String> {
        ["x", "y"].map(str::to_owned).to_vec()
    }

    fn contacts(&self) -> &[ContactInfo<S>] {
        &self.contacts
    }

    fn mass(
        &self,
        _q: &[S],
        _arithmetic: &dyn Arithmetic<S>,
    ) -> Result<Cow<'_, MassMatrix<S>>, StepError> {
        Ok(Cow::Borrowed(&self.mass))
    }

    fn force(&self, _q: &[S], _v: &[S], _: &dyn Arithmetic<S>) -> Result<Vec<S>, StepError> {
        Ok(vec![S::zero(); 2])
    }

    fn potential(&self, _q: &[S], _arithmetic: &dyn Arithmetic<S>) -> Result<S, StepError> {
        Ok(S::zero())
    }

    fn gap(&self, _contact: usize, q: &[S], _: &dyn Arithmetic<S>) -> Result<S, StepError> {
        let terms = q.iter().zip(&self.squares).map(|(q, s)| q.squared() * s);
        Ok(terms.fold(S::one(), |sum, term| sum - term))
    }

    fn gap_size(&self, _contact: usize, q: &[S], _: &dyn Arithmetic<S>) -> Result<S, StepError> {
        let terms = q.iter().zip(&self.squares).map(|(q, s)| q.squared() * s);
        Ok(terms.fold(S::one(), |sum, term| sum + term))
    }

    fn frame(
        &self,
        contact: usize,
        q: &[S],
        arithmetic: &dyn Arithmetic<S>,
    ) -> Result<ContactFrame<S>, StepError> {
        let slope = q.iter().zip(&self.squares);
        let slope = slope.map(|(q, s)| arithmetic.round(q.clone() * s * &S::integer(-2)));
        Ok(ContactFrame {
            gap: arithmetic.round(self.gap(contact, q, arithmetic)?),
            normal: Covector::of_dense(&slope.collect::<Vec<_>>()),
            directions: Vec::new(),
        })
    }

    fn curvature(&self, _contact: usize, _q: &[S]) -> Option<Vec<Vec<S>>> {
        // The second derivative is constant, so Newton's linearisation of n is exact.
        let [x, y] = self.squares.clone().map(|s| s * &S::integer(-2));
        Some(vec![vec![x, S::zero()], vec![S::zero(), y]])
    }
}
