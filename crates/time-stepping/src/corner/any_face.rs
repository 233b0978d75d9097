//! A solution of the whole problem, by whatever faces: where entries leave no way out.

use std::collections::VecDeque;

use etalon_lcp::Solver;
use etalon_rigid::Scalar;

use super::problem::{Place, Situation, faces, places, unknowns};
use super::solvers::{MAX_CHOICES, Solvers, is_open};
use super::{Entry, FaceImpulse};
use crate::error::StepError;
use crate::formulation::StepLcp;
use crate::solve::solve;

/// Of each obstacle the only face that may push; `None` where any may.
type Only = Vec<Option<usize>>;

/// The solution of the whole problem that Lemke's method finds, as Egan and Trinkle take it. At a corner one face pushes: where two do,
/// each of the faces alone is tried in its place, those that push first, and of these the ones that Lemke's method decides. So it finds
/// a solution with one face at each corner wherever there is one.
///
/// # Errors
/// [`StepError::Unsolvable`] where there is none, or none among the first 1024 problems.
pub(super) fn of_problem<S: Scalar>(
    situation: &Situation<'_, S>,
    solvers: &Solvers,
) -> Result<(Vec<FaceImpulse<S>>, Vec<Entry>), StepError> {
    let whole = Whole::new(situation);
    let mut next = vec![vec![None; situation.obstacles.len()]];
    let mut undecided: VecDeque<Only> = VecDeque::new();
    for _ in 0..MAX_CHOICES {
        let decided = next.pop().map(|only| (only, true));
        let Some((only, is_new)) = decided.or_else(|| Some((undecided.pop_front()?, false))) else {
            break;
        };
        let solver: &dyn Solver = if is_new {
            &*solvers.fast
        } else {
            &solvers.search
        };
        let impulses = match whole.solution(&only, solver) {
            Ok(impulses) => impulses,
            Err(StepError::Unsolvable { .. }) => continue,
            Err(error) if is_new && is_open(&error) => {
                undecided.push_back(only);
                continue;
            }
            Err(error) => return Err(error),
        };
        match whole.entries(&impulses) {
            Ok(entries) => return Ok((impulses, entries)),
            Err(tried) => next.extend(tried.into_iter().rev().map(|(corner, face)| {
                let mut only = only.clone();
                only[corner] = Some(face);
                only
            })),
        }
    }
    Err(StepError::Unsolvable {
        solver: "the rule for corners".to_owned(),
        message: "no solution of the whole problem pushes with one face at each corner".to_owned(),
    })
}

/// The whole problem and where its unknowns are.
struct Whole<'a, S> {
    situation: &'a Situation<'a, S>,
    lcp: StepLcp<S>,
    places: Vec<Place>,
}

impl<'a, S: Scalar> Whole<'a, S> {
    fn new(situation: &'a Situation<'a, S>) -> Self {
        Self {
            situation,
            lcp: situation.problem(),
            places: places(situation.obstacles),
        }
    }

    /// A solution in which no other faces push. All impulses of a corner are complementary to the same gap, and friction of a face that does
    /// not push is none with lambda as large as need be: so a solution without the unknowns of a face is one with them, too.
    fn solution(&self, only: &Only, solver: &dyn Solver) -> Result<Vec<FaceImpulse<S>>, StepError> {
        let mut kept: Vec<usize> = (0..unknowns(&self.places)).collect();
        for (faces, only) in faces(self.situation.obstacles).zip(only) {
            let Some(only) = only else { continue };
            let others = faces.clone().filter(|face| *face != faces.start + only);
            for place in others.map(|face| &self.places[face]) {
                kept.retain(|unknown| !place.has(*unknown));
            }
        }
        let row = |&i: &usize| {
            let row = &self.lcp.matrix[i];
            kept.iter().map(|&j| row[j].clone()).collect()
        };
        let part = StepLcp {
            matrix: kept.iter().map(row).collect(),
            q: kept.iter().map(|&i| self.lcp.q[i].clone()).collect(),
        };
        let answer = solve(&part, "corners", solver)?;
        let mut z = vec![S::zero(); self.lcp.q.len()];
        for (unknown, value) in kept.into_iter().zip(answer.z) {
            z[unknown] = value;
        }
        let impulse = |place: &Place| FaceImpulse {
            normal: z[place.normal].clone(),
            weights: z[place.weights.clone()].to_vec(),
        };
        Ok(self.places.iter().map(impulse).collect())
    }

    /// By which face each corner is pushed; of the first one that two faces push all faces, those that push first.
    fn entries(&self, impulses: &[FaceImpulse<S>]) -> Result<Vec<Entry>, Vec<(usize, usize)>> {
        let mut entries = Vec::new();
        for (corner, faces) in faces(self.situation.obstacles).enumerate() {
            let count = faces.len();
            let pushes = |own: &usize| impulses[faces.start + own].normal.signum() > 0;
            let (mut pushing, idle): (Vec<usize>, Vec<usize>) = (0..count).partition(pushes);
            if pushing.len() > 1 {
                pushing.extend(idle);
                return Err(pushing.into_iter().map(|face| (corner, face)).collect());
            }
            entries.push(match pushing.pop() {
                Some(face) if count > 1 => Entry::Face(face),
                _ => Entry::Outside,
            });
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use etalon_exact::{Budget, ExactMethod};
    use etalon_lcp::{Claim, ClaimedAnswer, Number, Problem};
    use etalon_rigid::{Covector, Dense, MassMatrix};
    use rug::Rational;

    use super::*;
    use crate::corner::solvers::Search;
    use crate::corner::{Corners, Face, Obstacle};

    fn q(n: i32, d: i32) -> Rational {
        Rational::from((n, d))
    }

    /// Lemke's method, but for the whole problem another one of its solutions: both faces of the corner push.
    struct Both(Box<dyn Solver + Send + Sync>);

    impl Solver for Both {
        fn name(&self) -> &str {
            "both"
        }

        fn solve(&self, problem: &Problem) -> Claim {
            if problem.n() < 4 {
                return self.0.solve(problem);
            }
            let z = [q(0, 1), q(0, 1), q(9, 2), q(4, 1)].map(Number::from);
            Claim {
                answer: ClaimedAnswer::Solved { z: z.to_vec() },
                ..Claim::failed(problem.name(), "")
            }
        }
    }

    /// A particle of 2 kg that lands on top of a quadrant, far from a wall, with both gaps closed after the step: what is taken of the whole problem,
    /// the wall's normal impulse first.
    fn taken(fast: Box<dyn Solver + Send + Sync>) -> (Vec<Rational>, Vec<Entry>) {
        let mut mass = MassMatrix::empty();
        let two = Dense::from_fn(2, 2, |i, j| q(if i == j { 2 } else { 0 }, 1));
        mass.push("particle", two).unwrap();
        let face = |name: &str, normal: [Rational; 2], offset: Rational| {
            Face::smooth(name, Covector::of_dense(&normal), offset)
        };
        let corners = Corners {
            mass,
            force: vec![q(0, 1), q(-20, 1)],
            coordinates: vec!["x".to_owned(), "y".to_owned()],
            obstacles: vec![
                Obstacle::Wall(face("far", [q(1, 1), q(0, 1)], q(-9, 1))),
                Obstacle::Corner(vec![
                    face("top", [q(0, 1), q(1, 1)], q(0, 1)),
                    face("side", [q(1, 1), q(0, 1)], q(0, 1)),
                ]),
            ],
        };
        let (at, still) = ([q(-1, 4), q(-1, 8)], [q(0, 1), q(0, 1)]);
        let situation = corners.situation(&at, &still, &q(1, 8));
        let solvers = Solvers {
            fast,
            search: Search(Budget::default()),
        };
        let (impulses, entries) = of_problem(&situation, &solvers).unwrap();
        let normals = impulses.into_iter().map(|own| own.normal);
        (normals.collect(), entries)
    }

    /// Lemke's method takes the push out of the side.
    #[test]
    fn a_solution_of_the_whole_problem_is_one_of_its_faces() {
        let lemke = ExactMethod::Lemke.solver(&Budget::default());
        let (normals, entries) = taken(lemke);
        assert_eq!(normals, [q(0, 1), q(0, 1), q(4, 1)]);
        assert_eq!(entries, [Entry::Outside, Entry::Face(1)]);
    }

    #[test]
    fn where_two_faces_of_a_corner_push_one_alone_is_tried() {
        let lemke = ExactMethod::Lemke.solver(&Budget::default());
        let (normals, entries) = taken(Box::new(Both(lemke)));
        assert_eq!(normals, [q(0, 1), q(9, 2), q(0, 1)]);
        assert_eq!(entries, [Entry::Outside, Entry::Face(0)]);
    }
}
