//! The rule that chooses a solution.
//!
//! 1. Walls take part from the start, corners once they are violated. The motion with the impulses
//!    so far goes in a straight line from the old gaps to the new ones. Of the corners
//!    that it ends inside, the one that it enters first takes part from then on (the first in
//!    order where several are entered at once). This is repeated until none is violated.
//! 2. A corner that takes part pushes along the face that the motion entered by, whose gap
//!    closed last. Of gaps that were closed before the step, the largest counts as the last.
//! 3. Its impulse is complementary to max(psi_1, psi_2, ...), which is the gap of that face if the
//!    motion is then still inside all others. Where it is not, the impulse stops at the edge: it
//!    is complementary to the gap of another face. The code tries all: own gaps
//!    first, and of several that must give way, the first in the order of entries. Of these the first one that works is taken whose
//!    problem Lemke's method decides; where none does, the first of the others.
//!
//! Where this opens no way out, corners that the motion without impulses ends inside, too, come first, in the order and by the faces of that
//! motion: what single impulses do meanwhile may turn a body into corners that all of them together keep it out of.
//!
//! A body that slides along a face is inside of it by what rounding leaves. A face whose gap is at least -slack before and after the
//! motion is *grazed*, and the motion enters by it: else a body that slides down a wall would be caught at its upper end, the face of
//! which closes later.
//!
//! The impulses of the faces that push, with their friction, solve a linear complementarity problem.
//! Without friction it is positive semidefinite as long as all gaps are their own. Lexicographic Lemke solves it in
//! fractions, and all of the rule is in fractions ([`super::exact`]), so that the choice depends on the data alone. Friction at an edge may end it in
//! a ray that proves nothing. Such a choice waits for the others, since the search over complementary choices may take very long; its
//! first solution is taken.
//!
//! Where all of this opens no way out, a solution of the whole problem is taken ([`of_problem`]).

use etalon_exact::{Budget, ExactMethod, Exhausted};
use etalon_lcp::Solver;
use etalon_rigid::Scalar;

use super::any_face::of_problem;
use super::problem::{Situation, faces};
use super::solvers::{MAX_CHOICES, Search, Solvers, is_open};
use super::{Entry, Face, FaceImpulse, Obstacle};
use crate::error::StepError;
use crate::formulation::StepLcp;
use crate::solve::solve;

/// An obstacle that takes part.
struct Active {
    /// The face that it pushes along.
    push: usize,
    /// The other faces of a corner.
    others: Vec<usize>,
}

/// The solver of the rule, whatever solver a run is given.
pub fn solver_name() -> &'static str {
    ExactMethod::Lemke.name()
}

/// The work that one choice of gaps may take, in the units of [`Budget::work`]: some seconds. Beyond it the step is an error: a solver
/// that gives up has shown nothing about the choice.
const WORK: u64 = 10_000_000_000;

/// The impulses of all faces, and how each obstacle is entered, with at most that budget for each choice.
pub(super) fn choose<S: Scalar>(
    situation: &Situation<'_, S>,
    given: &Budget,
) -> Result<(Vec<FaceImpulse<S>>, Vec<Entry>), StepError> {
    let budget = Budget {
        work: WORK.min(given.work),
        ..given.clone()
    };
    let solvers = Solvers {
        fast: ExactMethod::Lemke.solver(&budget),
        search: Search(budget),
    };
    let first = follow(situation, &solvers, Followed::Pushed);
    // A proof that there is no way out leads on, and the rule's own limit. What a given limit ends would depend on that.
    let own = Exhausted::Work(WORK).to_string();
    let leads_on = |error: &StepError| match error {
        StepError::Unsolvable { .. } => true,
        StepError::GaveUp { message, .. } => given.work >= WORK && *message == own,
        _ => false,
    };
    let others: [&dyn Fn() -> Result<_, StepError>; 2] = [
        // Those that are entered in the order of the motion without impulses may leave a way out.
        &|| follow(situation, &solvers, Followed::Free),
        &|| of_problem(situation, &solvers),
    ];
    for other in others {
        if !first.as_ref().is_err_and(leads_on) {
            break;
        }
        match other() {
            Err(error) if leads_on(&error) => {}
            decided => return decided,
        }
    }
    first
}

/// Which motion says by which face corners are entered, and in which order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    /// That with the impulses so far.
    Pushed,
    /// That without impulses, where both end inside.
    Free,
}

/// The rule, with the corners that a motion enters.
fn follow<S: Scalar>(
    situation: &Situation<'_, S>,
    solvers: &Solvers,
    followed: Followed,
) -> Result<(Vec<FaceImpulse<S>>, Vec<Entry>), StepError> {
    let obstacles = situation.obstacles;
    let mut entries = vec![Entry::Outside; obstacles.len()];
    let walls = obstacles.iter().zip(faces(obstacles));
    let walls = walls.filter(|(obstacle, _)| matches!(obstacle, Obstacle::Wall(_)));
    let mut active: Vec<Active> = walls
        .map(|(_, faces)| Active {
            push: faces.start,
            others: Vec::new(),
        })
        .collect();
    loop {
        let impulses = pushes(situation, &active, solvers)?;
        let gaps = situation.gaps(&impulses);
        let freely = match followed {
            Followed::Pushed => None,
            Followed::Free => first_entered(situation, [&situation.free, &gaps], &entries),
        };
        let entered = freely.or_else(|| first_entered(situation, [&gaps, &gaps], &entries));
        let Some((corner, face)) = entered else {
            return Ok((impulses, entries));
        };
        entries[corner] = Entry::Face(face);
        let own = faces(obstacles).nth(corner).unwrap_or(0..0);
        let push = own.start + face;
        active.push(Active {
            push,
            others: own.filter(|other| *other != push).collect(),
        });
    }
}

/// Of the corners that take no part yet, the one that the motion to the first of those gaps enters first, with
/// the face that it enters by; of those alone that the motion to the others ends inside, too.
fn first_entered<S: Scalar>(
    situation: &Situation<'_, S>,
    [gaps, others]: [&[S]; 2],
    entries: &[Entry],
) -> Option<(usize, usize)> {
    let mut first: Option<(S, usize, usize)> = None;
    for (i, faces) in faces(situation.obstacles).enumerate() {
        let (old, new) = (&situation.old[faces.clone()], &gaps[faces.clone()]);
        let is_outside = others[faces].iter().any(|gap| gap.signum() >= 0);
        if old.len() < 2 || entries[i] != Entry::Outside || is_outside {
            continue;
        }
        let own = situation.obstacles[i].faces();
        let Some((time, face)) = entry(own, old, new) else {
            continue;
        };
        if first.as_ref().is_none_or(|(least, ..)| time < *least) {
            first = Some((time, i, face));
        }
    }
    first.map(|(_, corner, face)| (corner, face))
}

/// When, as a share of the way, and by which face the straight way from old to new gaps enters a
/// corner: at the gap that closes last. `None` if it ends outside.
fn entry<S: Scalar>(own: &[Face<S>], old: &[S], new: &[S]) -> Option<(S, usize)> {
    if new.iter().any(|gap| gap.signum() >= 0) {
        return None;
    }
    let grazed = (0..own.len()).filter(|&i| {
        let least = -own[i].slack.clone();
        old[i] >= least && new[i] >= least
    });
    // Of equal ones the first stays.
    let nearest = grazed.reduce(|best, i| if new[i] > new[best] { i } else { best });
    if let Some(face) = nearest {
        return Some((S::zero(), face));
    }
    // A gap that was open closes at old/(old - new) of the way; one that was closed before it.
    let time = |i: usize| match old[i].signum() {
        -1 => -S::one(),
        _ => old[i].clone() / &(old[i].clone() - &new[i]),
    };
    // A corner is entered when all gaps are closed, so the latest time counts.
    let all = (0..own.len()).map(|i| (time(i), i));
    all.reduce(|best, next| {
        let deeper = next.0.signum() < 0 && next.0 == best.0 && old[next.1] > old[best.1];
        if next.0 > best.0 || deeper {
            next
        } else {
            best
        }
    })
}

/// The impulses of all faces, those of the faces that push a solution.
fn pushes<S: Scalar>(
    situation: &Situation<'_, S>,
    active: &[Active],
    solvers: &Solvers,
) -> Result<Vec<FaceImpulse<S>>, StepError> {
    let selected = Selected::new(situation, active);
    // None gives way first, then single ones in the order of entries. The first choice that works is the rule's.
    let count = choices(active);
    let mut open = Vec::new();
    for choice in 0..count.min(MAX_CHOICES) {
        match selected.outcome(choice, &*solvers.fast) {
            Ok(Some(impulses)) => return Ok(impulses),
            Ok(None) => {}
            Err(error) if is_open(&error) => open.push(choice),
            Err(error) => return Err(error),
        }
    }
    for choice in open {
        // A solver that gives up has shown nothing about the choice.
        if let Some(impulses) = selected.outcome(choice, &solvers.search)? {
            return Ok(impulses);
        }
    }
    if count > MAX_CHOICES {
        return Err(StepError::Setting {
            setting: "the number of corners that the motion enters in one step",
            value: active
                .iter()
                .filter(|own| !own.others.is_empty())
                .count()
                .to_string(),
            range: "at most 10 of two faces, or as many as leave 1024 choices of edges, where none of the first 1024 works; take a shorter step",
        });
    }
    let names: Vec<_> = situation.faces().collect();
    let pushing = active.iter().map(|active| names[active.push].name.as_str());
    let pushing: Vec<_> = pushing.collect();
    let why = match deepest_inside(situation, active) {
        Some((depth, face)) => format!(
            ": the step begins inside of {} by {:.3e} m. Start with the bodies apart; where they did, shorter steps keep them so",
            names[face].name,
            depth.to_f64()
        ),
        None => "; a shorter step may".to_owned(),
    };
    Err(StepError::Unsolvable {
        solver: "the rule for corners".to_owned(),
        message: format!("pushing along {} opens no way out{why}", pushing.join(", ")),
    })
}

/// How deep the state before the step is inside of an obstacle that pushes, and the nearest of its faces; of the deepest one.
/// Without friction, and where no body turns, only such a state leaves no way out.
fn deepest_inside<S: Scalar>(
    situation: &Situation<'_, S>,
    active: &[Active],
) -> Option<(S, usize)> {
    let faces: Vec<_> = situation.faces().collect();
    let nearest = active.iter().filter_map(|active| {
        let own = std::iter::once(&active.push).chain(&active.others);
        let depths = own.map(|&face| (-situation.old[face].clone(), face));
        depths.reduce(|best, next| if next.0 < best.0 { next } else { best })
    });
    let inside = nearest.filter(|(depth, face)| *depth > faces[*face].slack);
    inside.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// How many choices there are of gaps that impulses stop at.
fn choices(active: &[Active]) -> usize {
    let counts = active.iter().map(|own| own.others.len() + 1);
    counts.fold(1, usize::saturating_mul)
}

/// The problem of the faces that push: first p of each, then beta and lambda of each that has
/// friction.
struct Selected<'a, S> {
    situation: &'a Situation<'a, S>,
    active: &'a [Active],
    faces: Vec<&'a Face<S>>,
    /// Where the pushes of each face begin, among those of all faces.
    pushes: Vec<usize>,
    /// Where the directions of each face begin.
    directions: Vec<usize>,
}

impl<'a, S: Scalar> Selected<'a, S> {
    fn new(situation: &'a Situation<'a, S>, active: &'a [Active]) -> Self {
        let faces: Vec<_> = situation.faces().collect();
        let before = |i: usize| -> usize { faces[..i].iter().map(|f| f.directions.len()).sum() };
        Self {
            situation,
            active,
            pushes: (0..faces.len()).map(|i| i + before(i)).collect(),
            directions: (0..faces.len()).map(before).collect(),
            faces,
        }
    }

    /// The gap that each impulse is complementary to in a choice: the first digit counts fastest.
    fn gaps(&self, choice: usize) -> Vec<usize> {
        let mut rest = choice;
        let gap = |active: &Active| {
            let digit = rest % (active.others.len() + 1);
            rest /= active.others.len() + 1;
            match digit {
                0 => active.push,
                other => active.others[other - 1],
            }
        };
        self.active.iter().map(gap).collect()
    }

    /// The impulses of a choice that a solver finds, where it works. Only a proof that it has none is no error.
    fn outcome(
        &self,
        choice: usize,
        solver: &dyn Solver,
    ) -> Result<Option<Vec<FaceImpulse<S>>>, StepError> {
        let gaps = self.gaps(choice);
        let impulses = match solve(&self.problem(&gaps), "corners", solver) {
            Ok(answer) => self.impulses(&answer.z),
            Err(StepError::Unsolvable { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let works = is_outside(self.situation, self.active, &gaps, &impulses);
        Ok(works.then_some(impulses))
    }

    /// The faces that push and have friction, with how many directions, in order.
    fn rough(&self) -> impl Iterator<Item = (usize, usize)> {
        let faces = self.active.iter().map(|active| active.push);
        let rough = faces.map(|face| (face, self.faces[face].directions.len()));
        rough.filter(|(_, count)| *count > 0)
    }

    /// A row over the pushes of all faces as one of this problem.
    fn row(&self, answers: &[S]) -> Vec<S> {
        let normals = self.active.iter().map(|active| self.pushes[active.push]);
        let mut row: Vec<S> = normals.map(|push| answers[push].clone()).collect();
        for (face, count) in self.rough() {
            let first = self.pushes[face] + 1;
            row.extend_from_slice(&answers[first..first + count]);
            row.push(S::zero());
        }
        row
    }

    /// With the gap that each impulse is to keep open.
    fn problem(&self, gaps: &[usize]) -> StepLcp<S> {
        let situation = self.situation;
        let mut lcp = StepLcp {
            matrix: gaps
                .iter()
                .map(|&gap| self.row(&situation.coupling[gap]))
                .collect(),
            q: gaps
                .iter()
                .map(|&gap| situation.free[gap].clone())
                .collect(),
        };
        let mut first = gaps.len();
        for (face, count) in self.rough() {
            let lambda = first + count;
            for direction in self.directions[face]..self.directions[face] + count {
                let mut row = self.row(&situation.rubbing[direction]);
                row[lambda] = S::one();
                lcp.matrix.push(row);
                lcp.q.push(situation.rates[direction].clone());
            }
            let mut row = self.row(&vec![S::zero(); self.faces.len() + situation.rates.len()]);
            let own = self.active.iter().position(|active| active.push == face);
            row[own.unwrap_or(0)] = self.faces[face].mu.clone();
            row[first..lambda].fill(-S::one());
            lcp.matrix.push(row);
            lcp.q.push(S::zero());
            first = lambda + 1;
        }
        lcp
    }

    /// A solution as the impulses of all faces.
    fn impulses(&self, z: &[S]) -> Vec<FaceImpulse<S>> {
        let none = self.faces.iter().map(|face| FaceImpulse::none(face));
        let mut all: Vec<_> = none.collect();
        for (active, p) in self.active.iter().zip(z) {
            all[active.push].normal = p.clone();
        }
        let mut first = self.active.len();
        for (face, count) in self.rough() {
            all[face].weights = z[first..first + count].to_vec();
            first += count + 1;
        }
        all
    }
}

/// Whether a corner is pushed only where it is inside of its other faces, too: where the gap that the
/// impulse closes is the largest one.
fn is_outside<S: Scalar>(
    situation: &Situation<'_, S>,
    active: &[Active],
    gaps: &[usize],
    impulses: &[FaceImpulse<S>],
) -> bool {
    let after = situation.gaps(impulses);
    active.iter().zip(gaps).all(|(active, &gap)| {
        let own = std::iter::once(&active.push).chain(&active.others);
        let mut hidden = own.filter(|face| **face != gap);
        let open =
            |face: &usize| after[*face].signum() > 0 && !after[*face].is_negligible(&S::one());
        impulses[active.push].normal.is_zero() || !hidden.any(open)
    })
}
