//! All solutions of a step among corners.
//!
//! Solutions that differ in weights or in lambda only are the same impulses, and one of them.

use std::cmp::Ordering;

use etalon_exact::{Budget, ExactMethod, Exhausted};
use etalon_lcp::{Friction, Number, Problem, SolutionFace};
use etalon_rigid::Scalar;

use super::problem::{places, unknowns};
use super::{Face, FaceImpulse, Obstacle};
use crate::error::StepError;
use crate::formulation::StepLcp;

/// What solutions a step's problem has, as impulses of all faces, in N s: the normal impulses, then
/// the friction, in tangent coordinates, of the faces that have any.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Solutions<S> {
    /// The one that is taken is the only one.
    One,
    /// There are others.
    Several(SolutionFamily<S>),
    /// There are too many obstacles to list them all.
    Unlisted(String),
}

/// Several solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionFamily<S> {
    /// The impulses of all faces at each vertex, by the shares of the faces: where only the first
    /// pushes comes first. At a single corner consecutive ones are joined by a segment of
    /// solutions.
    pub vertices: Vec<Vec<S>>,
    /// The convex sets that the solutions are made of.
    pub pieces: Vec<Piece<S>>,
}

/// Convex combinations of vertices, plus nonnegative multiples of rays.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece<S> {
    /// Which vertices.
    pub vertices: Vec<usize>,
    /// Impulses of all faces that hold each other in balance.
    pub rays: Vec<Vec<S>>,
}

impl<S> Solutions<S> {
    /// The family, where there are several.
    pub fn family(&self) -> Option<&SolutionFamily<S>> {
        match self {
            Self::Several(family) => Some(family),
            _ => None,
        }
    }
}

/// Pivots that a list may take.
const PIVOTS: u64 = 20_000;

/// The work that a list may take, in the units of [`Budget::work`]: about a second. Faces of many unknowns take few pivots of long numbers.
const WORK: u64 = 3_000_000_000;

/// The faces as sets of vertices, by their places, and of rays of impulses, each once.
fn pieces<S: Scalar>(
    faces: &[SolutionFace],
    place: impl Fn(&Vec<Number>) -> Option<usize>,
    impulses: impl Fn(&Vec<Number>) -> Vec<S>,
) -> Vec<Piece<S>> {
    let mut pieces: Vec<Piece<S>> = Vec::new();
    for face in faces {
        let mut own: Vec<_> = face.vertices.iter().filter_map(&place).collect();
        own.sort_unstable();
        own.dedup();
        let mut rays: Vec<_> = face.rays.iter().map(&impulses).collect();
        rays.retain(|ray: &Vec<S>| ray.iter().any(|p| !p.is_zero()));
        let is_known = |piece: &Piece<S>| piece.vertices == own && piece.rays == rays;
        if !pieces.iter().any(is_known) {
            pieces.push(Piece {
                vertices: own,
                rays,
            });
        }
    }
    pieces.sort_by(|a, b| a.vertices.cmp(&b.vertices));
    pieces
}

/// Whether a list that ended for that reason was ended by a limit that is given, and not by its own.
fn is_of(given: &Budget, reason: &str) -> bool {
    let usual = Budget::default();
    let limits = [
        given.time.map(Exhausted::Time),
        Some(Exhausted::Pivots(given.pivots)).filter(|_| given.pivots < PIVOTS),
        Some(Exhausted::Bits(given.bits)).filter(|_| given.bits < usual.bits),
        Some(Exhausted::Stopped),
    ];
    let mut limits = limits.into_iter().flatten();
    limits.any(|own| reason.contains(&own.to_string()))
}

/// Lists all solutions of the problem, exactly for the data as they stand, in numbers of the obstacles. Where the list's own limits end it, solutions are not
/// listed; where the budget does, there is no step.
pub(super) fn all<S: Scalar, T: Scalar>(
    obstacles: &[Obstacle<S>],
    lcp: &StepLcp<T>,
    given: &Budget,
) -> Result<Solutions<S>, StepError> {
    if lcp.q.is_empty() {
        return Ok(Solutions::One);
    }
    let budget = Budget {
        pivots: PIVOTS.min(given.pivots),
        work: WORK.min(given.work),
        ..given.clone()
    };
    let kept = kept(obstacles);
    let solver = ExactMethod::Enumerate.solver(&budget);
    let claim = solver.solve(&compact(obstacles, lcp, &kept)?);
    let found = match claim.enumeration {
        Some(found) if found.complete => found,
        _ => {
            let reason = claim.message.unwrap_or_default();
            return match is_of(given, &reason) {
                true => Err(StepError::GaveUp {
                    solver: solver.name().to_owned(),
                    message: reason,
                }),
                false => Ok(Solutions::Unlisted(reason)),
            };
        }
    };
    let impulses = |z: &Vec<Number>| impulses(obstacles, &kept, z);
    let isolated = found.isolated.iter().map(|z| SolutionFace {
        vertices: vec![z.clone()],
        rays: Vec::new(),
    });
    let faces: Vec<_> = isolated.chain(found.faces).collect();
    let all = faces.iter().flat_map(|face| &face.vertices);
    let mut vertices: Vec<Vec<S>> = Vec::new();
    for vertex in all.map(impulses) {
        if !vertices.contains(&vertex) {
            vertices.push(vertex);
        }
    }
    vertices.sort_by(|a, b| by_shares(a, b));
    let place = |z: &Vec<Number>| {
        let vertex = impulses(z);
        vertices.iter().position(|other| *other == vertex)
    };
    let pieces = pieces(&faces, place, impulses);
    // Solutions that differ in weights or in lambda alone have one vertex of impulses.
    if vertices.len() < 2 && pieces.iter().all(|piece| piece.rays.is_empty()) {
        return Ok(Solutions::One);
    }
    Ok(Solutions::Several(SolutionFamily { vertices, pieces }))
}

/// Whether friction is along one tangent, both ways.
fn is_planar<S: Scalar>(face: &Face<S>) -> bool {
    let [along, against] = &face.directions[..] else {
        return false;
    };
    let negated = along
        .row
        .entries()
        .iter()
        .map(|(k, value)| (*k, -value.clone()));
    negated.eq(against.row.entries().iter().cloned())
}

/// The unknowns that are kept where all solutions are listed. Friction along one tangent is one
/// number with the bounds -mu p and mu p: its weights, of which the same number is made in many
/// ways while it sticks, and its lambda are left out.
fn kept<S: Scalar>(obstacles: &[Obstacle<S>]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..unknowns(&places(obstacles))).collect();
    let faces = obstacles.iter().flat_map(Obstacle::faces);
    for (place, _) in places(obstacles)
        .iter()
        .zip(faces)
        .filter(|(_, face)| is_planar(face))
    {
        let own = place.weights.start;
        kept.retain(|&unknown| unknown == own || !(own..=place.weights.end).contains(&unknown));
    }
    kept
}

/// The problem in the unknowns that are kept.
fn compact<S: Scalar, T: Scalar>(
    obstacles: &[Obstacle<S>],
    lcp: &StepLcp<T>,
    kept: &[usize],
) -> Result<Problem, StepError> {
    let row = |&i: &usize| kept.iter().map(|&j| lcp.matrix[i][j].clone()).collect();
    let part = StepLcp {
        matrix: kept.iter().map(row).collect(),
        q: kept.iter().map(|&i| lcp.q[i].clone()).collect(),
    };
    let at = |unknown: usize| kept.iter().position(|&own| own == unknown);
    let faces = obstacles.iter().flat_map(Obstacle::faces);
    let rubs = places(obstacles)
        .into_iter()
        .zip(faces)
        .filter_map(|(place, face)| {
            let (row, normal) = (at(place.weights.start)?, at(place.normal)?);
            let mu = face.mu.to_number()?;
            is_planar(face).then_some(Friction { row, normal, mu })
        });
    Ok(part.problem("corners")?.with_friction(rubs.collect())?)
}

/// Normal impulses and friction of all faces.
fn impulses<S: Scalar>(obstacles: &[Obstacle<S>], kept: &[usize], z: &[Number]) -> Vec<S> {
    let value = |unknown: usize| {
        let at = kept.iter().position(|&own| own == unknown);
        at.and_then(|at| z.get(at)).map(S::from_number)
    };
    let places = places(obstacles);
    let faces = obstacles.iter().flat_map(Obstacle::faces);
    let friction = places.iter().zip(faces).flat_map(|(place, face)| {
        // Along one tangent only the first weight is there, and is the whole friction.
        let own = FaceImpulse {
            normal: S::zero(),
            weights: place.weights.clone().filter_map(value).collect(),
        };
        own.friction(face)
    });
    let normals = places.iter().filter_map(|place| value(place.normal));
    normals.chain(friction).collect()
}

/// By the shares that faces have in the sum, the first face's largest first; then by the sum.
fn by_shares<S: Scalar>(a: &[S], b: &[S]) -> Ordering {
    let total = |p: &[S]| p.iter().fold(S::zero(), |sum, p| sum + p);
    let (of_a, of_b) = (total(a), total(b));
    for (a, b) in a.iter().zip(b) {
        // a/of_a against b/of_b without division; where nothing pushes it comes first.
        let order = (b.clone() * &of_a).partial_cmp(&(a.clone() * &of_b));
        if let Some(order @ (Ordering::Less | Ordering::Greater)) = order {
            return order;
        }
    }
    of_a.partial_cmp(&of_b).unwrap_or(Ordering::Equal)
}
