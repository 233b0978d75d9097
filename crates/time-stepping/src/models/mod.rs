//! Mechanical systems: half-spaces with constant data, bodies in the plane, balls in space, and
//! particles inside of smooth curves.

/// The methods of a [`Model`](crate::model::Model) whose fields `mass` and `force` are its M and k at every q and v.
macro_rules! constant_dynamics {
    () => {
        fn mass(
            &self,
            _q: &[S],
            _arithmetic: &dyn $crate::arithmetic::Arithmetic<S>,
        ) -> Result<std::borrow::Cow<'_, etalon_rigid::MassMatrix<S>>, $crate::error::StepError> {
            Ok(std::borrow::Cow::Borrowed(&self.mass))
        }

        fn force(
            &self,
            _q: &[S],
            _v: &[S],
            _arithmetic: &dyn $crate::arithmetic::Arithmetic<S>,
        ) -> Result<Vec<S>, $crate::error::StepError> {
            Ok(self.force.clone())
        }

        fn potential(
            &self,
            q: &[S],
            _arithmetic: &dyn $crate::arithmetic::Arithmetic<S>,
        ) -> Result<S, $crate::error::StepError> {
            Ok(-etalon_rigid::dot(&self.force, q))
        }
    };
}

mod balls;
mod ellipse;
mod half_spaces;
mod planar;

pub use balls::{Ball, BallContact, Balls};
pub use ellipse::Ellipse;
pub use half_spaces::{HalfSpace, HalfSpaces};
pub use planar::{BodyDisc, Line, Planar, PlanarBody, Touch};

/// The sum of the sizes of a row's products with a vector.
fn sizes<S: etalon_rigid::Scalar>(row: &[(usize, S)], q: &[S]) -> S {
    let terms = row.iter().map(|(j, own)| (own.clone() * &q[*j]).abs());
    terms.fold(S::zero(), |sum, term| sum + term)
}
