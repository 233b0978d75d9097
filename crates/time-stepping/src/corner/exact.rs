//! A step's problem as exact fractions, whatever its numbers are.
//!
//! Numbers in binary64 are fractions. The rule and the list of all solutions are of one problem only where both take them as such: a
//! difference of two gaps that is rounded in one and not in the other moves the ends of a set of solutions by much where
//! normals depend on each other, and a gap of some 1e-17 decides which face pushes.

use etalon_exact::Budget;
use etalon_rigid::{Covector, Scalar};
use rug::Rational;

use super::problem::Situation;
use super::rule;
use super::solutions::{self, Solutions};
use super::{Entry, Face, FaceImpulse, Obstacle};
use crate::error::StepError;
use crate::model::FrictionDirection;

/// The impulses that the rule chooses, and how each obstacle is entered: rounded once, to nearest.
pub(super) fn choose<S: Scalar>(
    situation: &Situation<'_, S>,
    given: &Budget,
) -> Result<(Vec<FaceImpulse<S>>, Vec<Entry>), StepError> {
    if S::EXACT {
        return rule::choose(situation, given);
    }
    let obstacles = obstacles(situation.obstacles)?;
    let (impulses, entries) = rule::choose(&exact(situation, &obstacles)?, given)?;
    let impulses = impulses.iter().map(|own| FaceImpulse {
        normal: S::from_rational(&own.normal),
        weights: own.weights.iter().map(S::from_rational).collect(),
    });
    Ok((impulses.collect(), entries))
}

/// All solutions of the problem that the rule chooses one of. Rounding to nearest keeps the order of numbers, so that an impulse which is
/// between those of vertices is so after rounding, too.
pub(super) fn solutions<S: Scalar>(
    situation: &Situation<'_, S>,
    given: &Budget,
) -> Result<Solutions<S>, StepError> {
    if S::EXACT {
        return solutions::all(situation.obstacles, &situation.problem(), given);
    }
    let obstacles = obstacles(situation.obstacles)?;
    let lcp = exact(situation, &obstacles)?.problem();
    solutions::all(situation.obstacles, &lcp, given)
}

fn exact<'a, S: Scalar>(
    own: &Situation<'_, S>,
    obstacles: &'a [Obstacle<Rational>],
) -> Result<Situation<'a, Rational>, StepError> {
    Ok(Situation {
        obstacles,
        old: numbers(&own.old)?,
        free: numbers(&own.free)?,
        coupling: rows(&own.coupling)?,
        rates: numbers(&own.rates)?,
        rubbing: rows(&own.rubbing)?,
    })
}

fn obstacles<S: Scalar>(all: &[Obstacle<S>]) -> Result<Vec<Obstacle<Rational>>, StepError> {
    let obstacle = |own: &Obstacle<S>| match own {
        Obstacle::Wall(own) => Ok(Obstacle::Wall(face(own)?)),
        Obstacle::Corner(own) => {
            let faces: Result<_, _> = own.iter().map(face).collect();
            Ok(Obstacle::Corner(faces?))
        }
    };
    all.iter().map(obstacle).collect()
}

fn face<S: Scalar>(own: &Face<S>) -> Result<Face<Rational>, StepError> {
    let direction = |own: &FrictionDirection<S>| {
        Ok(FrictionDirection {
            tangent: numbers(&own.tangent)?,
            row: covector(&own.row)?,
        })
    };
    let directions: Result<_, StepError> = own.directions.iter().map(direction).collect();
    Ok(Face {
        name: own.name.clone(),
        normal: covector(&own.normal)?,
        offset: number(&own.offset)?,
        mu: number(&own.mu)?,
        directions: directions?,
        slack: number(&own.slack)?,
    })
}

fn covector<S: Scalar>(own: &Covector<S>) -> Result<Covector<Rational>, StepError> {
    let entries = own.entries().iter();
    let entries: Result<Vec<_>, StepError> =
        entries.map(|(k, value)| Ok((*k, number(value)?))).collect();
    Ok(Covector::new(entries?))
}

fn rows<S: Scalar>(own: &[Vec<S>]) -> Result<Vec<Vec<Rational>>, StepError> {
    own.iter().map(|row| numbers(row)).collect()
}

fn numbers<S: Scalar>(own: &[S]) -> Result<Vec<Rational>, StepError> {
    own.iter().map(number).collect()
}

fn number<S: Scalar>(own: &S) -> Result<Rational, StepError> {
    let number = own.to_number().map(|number| number.to_rational());
    number.ok_or_else(|| StepError::Problem("a number is not finite".to_owned()))
}
