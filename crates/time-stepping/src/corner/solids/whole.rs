//! What keeps the two bodies of a pair apart as a whole: the faces of the obstacle that one is to the other (Lozano-Perez 1983).
//!
//! Two convex bodies are apart where a direction parts them: a side of either with all points of the other one in front of it, or in
//! space the common normal of two edges whose arcs of normals cross (Gottschalk 1996). So max(psi_1, psi_2, ...) >= 0 over all
//! directions, where psi_i is the least of several gaps: of all points before a side, or of the corners of the area in which two level
//! sides meet. Of each direction any of these gaps may be the least one, so that the condition is max(psi_1f, psi_2f, ...) >= 0 for each
//! choice f of one gap a direction. Each choice is an obstacle of as many faces as there are directions. Those that a motion ends inside take part.

use etalon_rigid::{Scalar, dot};
use rug::Rational;

use super::face::{Edge, frame};
use super::pose::{Pose, cross, minus, size};
use super::record::{ApartDirection, SolidWhole, Touch, TouchedFace, Touching};
use super::step::{Start, ways};
use super::{Body, Solids};
use crate::corner::Face;

/// Two pairs of the same bodies: the points of the first one before the sides of the second one, and the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    pub pairs: [usize; 2],
}

/// The squared sine of the angle up to which directions are one: 7 degrees. Chosen; where two sides are that level, what touches
/// is the area that they share, and gaps at its corners have to be open whatever small turn parts the bodies.
const LEVEL: i64 = 64;

/// The squared sine of the angle below which edges are parallel, and have no common normal: the area that level sides share then has
/// other corners.
const PARALLEL: i64 = (LEAST_ANGLE as i64) * (LEAST_ANGLE as i64);

/// One over the sine of the least angle at which edges cross.
pub const LEAST_ANGLE: u32 = 1 << 10;

/// How far beyond an end of an edge or side a place still is on it, as a share of its length: what rounding leaves.
const BEYOND: i64 = 1 << 20;

/// Bits behind the point of a place along an edge.
const PLACE_BITS: u32 = 60;

/// A body at the start of a step, in the world.
pub(super) struct Placed<'a, S> {
    pub own: &'a Body<S>,
    pub points: Vec<Vec<S>>,
    normals: Vec<Vec<S>>,
}

impl<'a, S: Scalar> Placed<'a, S> {
    pub fn new(own: &'a Body<S>, pose: &Pose<S>) -> Self {
        let place = |point: &Vec<S>| {
            let arm = pose.outwards(point);
            let sum = pose.centre.iter().zip(arm);
            sum.map(|(c, a)| c.clone() + a).collect()
        };
        let normal = |side: &super::Side<S>| pose.outwards(&side.normal);
        Self {
            own,
            points: own.points.iter().map(place).collect(),
            normals: own.faces.iter().map(normal).collect(),
        }
    }

    /// Along an edge.
    pub fn along(&self, edge: &Edge) -> Vec<S> {
        minus(&self.points[edge.ends[1]], &self.points[edge.ends[0]])
    }

    /// Where a point is beside a side, along its plane.
    fn beside(&self, point: &[S], side: usize, reach: &S) -> Beside {
        let corners = &self.own.faces[side].corners;
        if let ([one, two], [_, _]) = (&corners[..], point) {
            let [one, two] = [one, two].map(|k| &self.points[*k]);
            let along = minus(two, one);
            let square = dot(&along, &along);
            let share = dot(&along, &minus(point, one)) / &square;
            return Beside::of_share(&share, &square, reach);
        }
        let mut beside = Beside::On;
        for edge in self
            .own
            .edges
            .iter()
            .filter(|own| own.sides.contains(&side))
        {
            let along = self.along(edge);
            let from = &self.points[edge.ends[0]];
            let across = cross(&self.normals[side], &along);
            let inner = corners.iter().find(|k| !edge.ends.contains(k));
            let Some(inner) = inner.map(|k| dot(&across, &minus(&self.points[*k], from))) else {
                return Beside::Far;
            };
            // The distance from the edge's line, as a share of its length.
            let square = dot(&along, &along);
            let out = dot(&across, &minus(point, from)) / &square;
            let beyond = if inner.signum() > 0 { -out } else { out };
            beside = beside.max(Beside::new(&beyond, &square, reach));
        }
        beside
    }

    /// Away from the body at an edge.
    pub fn outward(&self, edge: &Edge) -> Vec<S> {
        let [one, two] = edge.sides.map(|k| &self.normals[k]);
        one.iter().zip(two).map(|(a, b)| a.clone() + b).collect()
    }
}

/// The corners of the area that two level sides share.
struct Shared<S> {
    faces: Vec<Touching<S>>,
    /// Whether there is any: not only what may come there within the step.
    meets: bool,
}

impl<S> Default for Shared<S> {
    fn default() -> Self {
        Self {
            faces: Vec::new(),
            meets: false,
        }
    }
}

impl<S: Scalar> Shared<S> {
    /// Adds what touches or may within the step; says whether it does.
    fn add(&mut self, beside: Beside, touching: Touching<S>) -> bool {
        let may_touch = beside.may_touch(&-touching.1.offset.clone());
        if may_touch {
            self.meets |= beside == Beside::On;
            self.faces.push(touching);
        }
        may_touch
    }
}

/// Two edges that may touch.
struct Crossing<S> {
    edges: [usize; 2],
    /// Their common normal, from the second body to the first, of any length.
    normal: Vec<S>,
    /// Where along the first edge the second one is nearest.
    place: S,
    /// Where beside the edges they are nearest.
    beside: Beside,
    /// Whether their normal parts the bodies as far as any other one near it: their arcs of normals cross.
    is_face: bool,
}

/// The sides of the first body, and of the second one, that face each other and are level.
fn level_pairs<S: Scalar>([first, second]: [&Placed<'_, S>; 2]) -> Vec<[usize; 2]> {
    let mut found = Vec::new();
    for (l, normal) in second.normals.iter().enumerate() {
        for (k, own) in first.normals.iter().enumerate() {
            let back: Vec<S> = own.iter().map(|x| -x.clone()).collect();
            if is_level(&back, normal) {
                found.push([k, l]);
            }
        }
    }
    found
}

/// A place along an edge in a short number: it may be anywhere near.
pub(super) fn short(own: Rational) -> Rational {
    let scaled: Rational = own << PLACE_BITS;
    scaled.round() >> PLACE_BITS
}

/// Whether two directions are one up to [`LEVEL`].
fn is_level<S: Scalar>(a: &[S], b: &[S]) -> bool {
    let along = dot(a, b);
    let size = dot(a, a) * &dot(b, b);
    // |a x b|^2 = |a|^2 |b|^2 - (a'b)^2.
    let across = size.clone() - along.squared();
    along.signum() > 0 && across * &S::integer(LEVEL) <= size
}

/// Whether a place is on an edge or side, or beyond its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Beside {
    On,
    /// Not further than the bodies may move within the step.
    Near,
    Far,
}

impl Beside {
    /// By how far it is beyond an end, as a share of a length whose square is known, and how far bodies may move.
    fn new<S: Scalar>(beyond: &S, square: &S, reach: &S) -> Self {
        if *beyond <= S::ratio(1, BEYOND) {
            Self::On
        } else if beyond.squared() * square <= reach.squared() {
            Self::Near
        } else {
            Self::Far
        }
    }

    /// Of a share of the way from one end to the other.
    fn of_share<S: Scalar>(share: &S, square: &S, reach: &S) -> Self {
        let [before, after] = [-share.clone(), share.clone() - S::one()];
        Self::new(if after > before { &after } else { &before }, square, reach)
    }

    /// Whether what is there touches, or may within the step: what is beyond an end and behind the plane does not.
    fn may_touch<S: Scalar>(self, gap: &S) -> bool {
        self == Self::On || self == Self::Near && gap.signum() >= 0
    }
}

/// The common normal of two edges, by the sides that meet at them; `None` where they are parallel, or cannot touch from outside.
fn crossing<S: Scalar>(
    [first, second]: [&Placed<'_, S>; 2],
    edges: [usize; 2],
    reach: &S,
) -> Option<Crossing<S>> {
    let [one, two] = [&first.own.edges[edges[0]], &second.own.edges[edges[1]]];
    let [a, b] = [first.along(one), second.along(two)];
    let mut normal = cross(&a, &b);
    let size = dot(&normal, &normal);
    if size.clone() * &S::integer(PARALLEL) <= dot(&a, &a) * &dot(&b, &b) {
        return None;
    }
    let mut span = size;
    if dot(&normal, &second.outward(two)).signum() < 0 {
        normal = normal.into_iter().map(|x| -x).collect();
        span = -span;
    }
    let faces = [
        dot(&normal, &first.outward(one)).signum() < 0,
        dot(&normal, &second.outward(two)).signum() > 0,
    ];
    if faces != [true; 2] {
        return None;
    }
    let between = |own: &Placed<'_, S>, edge: &Edge, way: &[S]| {
        let [one, two] = edge.sides.map(|k| dot(&own.normals[k], way).signum());
        one * two < 0
    };
    let from = minus(&first.points[one.ends[0]], &second.points[two.ends[0]]);
    // (from + t a - s b) is along the normal.
    let share = |way: &[S]| -dot(&cross(&from, way), &normal) / &span;
    let [place, other] = [share(&b), share(&a)];
    let beside = Beside::of_share(&place, &dot(&a, &a), reach);
    Some(Crossing {
        edges,
        beside: beside.max(Beside::of_share(&other, &dot(&b, &b), reach)),
        is_face: between(first, one, &b) && between(second, two, &a),
        normal,
        place,
    })
}

impl<S: Scalar> Solids<S> {
    /// The position of the first point of a pair among all of them.
    pub(super) fn first_region(&self, pair: usize) -> usize {
        let before = self.pairs[..pair].iter();
        before
            .map(|own| self.bodies[own.points_of].points.len())
            .sum()
    }

    /// What may keep a pair apart at the start of a step, with the gaps of all points.
    pub(super) fn whole(
        &self,
        own: Whole,
        start: &Start<S>,
        points: &[Vec<Face<S>>],
    ) -> SolidWhole<S> {
        let bodies = self.whole_bodies(own);
        let [first, second] = bodies.map(|k| Placed::new(&self.bodies[k], &start.poses[k]));
        let mut taken = [first.normals.len(), second.normals.len()].map(|n| vec![false; n]);
        let directions = match self.dimension {
            2 => self.level_sides(own, ([&first, &second], points), start, &mut taken),
            _ => self.edge_directions(own, ([&first, &second], points), start, &mut taken),
        };
        let [mut near, far] = directions;
        for (k, pair) in own.pairs.into_iter().enumerate() {
            // The sides of the second body before those of the first one.
            for face in (0..taken[1 - k].len()).filter(|face| !taken[1 - k][*face]) {
                near.push(ApartDirection {
                    faces: self.before_side(pair, face, points),
                });
            }
        }
        near.extend(far);
        SolidWhole {
            pairs: own.pairs,
            directions: near,
            sides: self.sides_of(own),
        }
    }

    pub(super) fn whole_bodies(&self, own: Whole) -> [usize; 2] {
        let pair = &self.pairs[own.pairs[0]];
        [pair.points_of, pair.faces_of]
    }

    /// Of each side of either body the gaps of all points of the other one, by their places among those of all points.
    pub(super) fn sides_of(&self, own: Whole) -> Vec<Vec<(usize, usize)>> {
        let of_pair = |pair: usize| {
            let first = self.first_region(pair);
            let points = self.bodies[self.pairs[pair].points_of].points.len();
            let faces = 0..self.bodies[self.pairs[pair].faces_of].faces.len();
            faces.map(move |face| (first..first + points).map(|own| (own, face)).collect())
        };
        own.pairs.into_iter().flat_map(of_pair).collect()
    }

    /// All points before a side.
    fn before_side(&self, pair: usize, face: usize, points: &[Vec<Face<S>>]) -> Vec<Touching<S>> {
        let count = self.bodies[self.pairs[pair].points_of].points.len();
        (0..count)
            .map(|point| self.before(pair, [point, face], points))
            .collect()
    }

    fn before(
        &self,
        pair: usize,
        [point, face]: [usize; 2],
        points: &[Vec<Face<S>>],
    ) -> Touching<S> {
        let touched = TouchedFace {
            pair,
            touch: Touch::Point { point, face },
            whole: None,
        };
        let own = &points[self.first_region(pair) + point][face];
        (touched, own.clone())
    }

    /// In the plane: sides that are level have the gaps of all points that are before the other side.
    fn level_sides(
        &self,
        own: Whole,
        (placed, points): ([&Placed<'_, S>; 2], &[Vec<Face<S>>]),
        start: &Start<S>,
        taken: &mut [Vec<bool>; 2],
    ) -> [Vec<ApartDirection<S>>; 2] {
        let reach = self.way(own, start);
        let mut near = Vec::new();
        for [k, l] in level_pairs(placed) {
            let level = self.before_level(own, [k, l], (placed, points), &reach);
            if level.meets {
                (taken[0][k], taken[1][l]) = (true, true);
                near.push(ApartDirection { faces: level.faces });
            }
        }
        [near, Vec::new()]
    }

    /// The points of either body that are before a side of the other one, of two sides that are level.
    fn before_level(
        &self,
        own: Whole,
        [k, l]: [usize; 2],
        (placed, points): ([&Placed<'_, S>; 2], &[Vec<Face<S>>]),
        reach: &S,
    ) -> Shared<S> {
        let [one, two] = own.pairs;
        let mut shared = Shared::default();
        for (pair, [points_of, sides_of], [own, side]) in
            [(one, placed, [k, l]), (two, [placed[1], placed[0]], [l, k])]
        {
            for point in 0..points_of.points.len() {
                // In space those of the level side alone: others are above it.
                let is_its =
                    self.dimension == 2 || points_of.own.faces[own].corners.contains(&point);
                if !is_its {
                    continue;
                }
                let touching = self.before(pair, [point, side], points);
                let beside = sides_of.beside(&points_of.points[point], side, reach);
                shared.add(beside, touching);
            }
        }
        shared
    }

    /// How far the bodies of a pair may move beside each other within a step, by their velocities before it.
    fn way(&self, own: Whole, start: &Start<S>) -> S {
        let bodies = self.whole_bodies(own);
        let rates = bodies.map(|body| self.rates(body, &start.v));
        let [(one, first), (two, second)] = &rates;
        let [arm, other] = bodies.map(|body| self.reach(body));
        let turn = size(first) * &arm + size(second) * &other;
        (size(&minus(one, two)) + turn) * &start.h
    }

    /// In space: the common normals of edges. First those of edges that meet, together with all others that are one with them or with level sides; then
    /// those of edges that are nearest beyond their ends.
    fn edge_directions(
        &self,
        own: Whole,
        (placed, points): ([&Placed<'_, S>; 2], &[Vec<Face<S>>]),
        start: &Start<S>,
        taken: &mut [Vec<bool>; 2],
    ) -> [Vec<ApartDirection<S>>; 2] {
        let reach = self.way(own, start);
        let counts = placed.map(|own| own.own.edges.len());
        let all = (0..counts[0]).flat_map(|i| (0..counts[1]).map(move |j| [i, j]));
        let all: Vec<Crossing<S>> = all
            .filter_map(|edges| crossing(placed, edges, &reach))
            .collect();
        let mut used = vec![false; all.len()];
        let mut near = Vec::new();
        let mut gather = |direction: &[S], used: &mut Vec<bool>, mut shared: Shared<S>| {
            let mut own_ones = Vec::new();
            for (k, other) in all.iter().enumerate() {
                if other.beside == Beside::Far || !is_level(direction, &other.normal) {
                    continue;
                }
                if let Some(touching) = self.of_edges(own.pairs[0], other, placed, start)
                    && shared.add(other.beside, touching)
                {
                    own_ones.push(k);
                }
            }
            let meets = shared.meets;
            if meets {
                own_ones.into_iter().for_each(|k| used[k] = true);
                near.push(ApartDirection {
                    faces: shared.faces,
                });
            }
            meets
        };
        for [k, l] in level_pairs(placed) {
            let points = self.before_level(own, [k, l], (placed, points), &reach);
            if gather(&placed[1].normals[l], &mut used, points) {
                (taken[0][k], taken[1][l]) = (true, true);
            }
        }
        for k in 0..all.len() {
            if all[k].is_face && all[k].beside == Beside::On && !used[k] {
                gather(&all[k].normal, &mut used, Shared::default());
            }
        }
        let far = all
            .iter()
            .zip(used)
            .filter(|(own, used)| own.is_face && !used);
        let far = far.filter_map(|(other, _)| self.far_edges(own, other, placed, start));
        let far = far.collect();
        [near, far]
    }

    /// Edges that are nearest beyond their ends. What turns about a place there says little of a gap that is closed: it counts while it parts the bodies.
    fn far_edges(
        &self,
        own: Whole,
        other: &Crossing<S>,
        placed: [&Placed<'_, S>; 2],
        start: &Start<S>,
    ) -> Option<ApartDirection<S>> {
        let touching = self.of_edges(own.pairs[0], other, placed, start)?;
        let is_open = touching.1.offset.signum() < 0;
        is_open.then(|| ApartDirection {
            faces: vec![touching],
        })
    }

    /// The gap of two edges along their common normal, which acts at the first one's place.
    fn of_edges(
        &self,
        pair: usize,
        own: &Crossing<S>,
        [first, second]: [&Placed<'_, S>; 2],
        start: &Start<S>,
    ) -> Option<Touching<S>> {
        let exact = |x: &S| x.to_number().map(|x| x.to_rational());
        let normal: Vec<Rational> = own.normal.iter().map(exact).collect::<Option<_>>()?;
        let (normal, tangents) = frame(&normal)?;
        let kept = |own: &[Rational]| own.iter().map(S::from_rational).collect::<Vec<S>>();
        let place = short(exact(&own.place)?);
        let [one, two] = [first, second].map(|own| own.own);
        let [one, two] = [&one.edges[own.edges[0]], &two.edges[own.edges[1]]];
        let from = &first.points[one.ends[0]];
        let along = first.along(one).into_iter();
        let share = S::from_rational(&place);
        let at: Vec<S> = from
            .iter()
            .zip(along)
            .map(|(x, a)| x.clone() + a * &share)
            .collect();
        let bodies = &self.pairs[pair];
        let arms =
            [bodies.points_of, bodies.faces_of].map(|body| minus(&at, &start.poses[body].centre));
        let touched = TouchedFace {
            pair,
            touch: Touch::Edges(own.edges),
            whole: None,
        };
        let normal = kept(&normal);
        let gap = dot(&normal, &minus(from, &second.points[two.ends[0]]));
        let tangents: Vec<Vec<S>> = tangents.iter().map(|own| kept(own)).collect();
        let face = self.rough_face(
            (&touched, [&arms[0], &arms[1]]),
            (&normal, &tangents),
            gap,
            start,
        );
        Some((touched, face))
    }
}

impl<S: Scalar> SolidWhole<S> {
    /// Of each direction the face with the least gap after a displacement, and that gap.
    pub(super) fn lowest(&self, displacement: &[S]) -> Vec<(usize, S)> {
        let least = |own: &ApartDirection<S>| {
            let gaps = own.faces.iter().enumerate();
            let gaps =
                gaps.map(|(k, (_, face))| (k, face.normal.times(displacement) - &face.offset));
            gaps.reduce(|least, next| if next.1 < least.1 { next } else { least })
        };
        self.directions.iter().filter_map(least).collect()
    }

    /// Whether a side of either body has all points of the other one before it after a displacement, up to a tolerance.
    pub(super) fn is_parted(
        sides: &[Vec<(usize, usize)>],
        points: &[Vec<Face<S>>],
        (displacement, tolerance): (&[S], &S),
    ) -> bool {
        let is_before = |(point, face): &(usize, usize)| {
            let face = &points[*point][*face];
            face.normal.times(displacement) + tolerance >= face.offset
        };
        sides.iter().any(|side| side.iter().all(is_before))
    }

    /// The direction that is open the most after a displacement, with its face of the least gap, where the bodies overlap then. The
    /// tolerance is how far points may be behind a side that parts the bodies.
    pub fn overlap(
        &self,
        points: &[Vec<Face<S>>],
        (displacement, tolerance): (&[S], &S),
    ) -> Option<(&Touching<S>, S)> {
        if Self::is_parted(&self.sides, points, (displacement, tolerance)) {
            return None;
        }
        let lowest = self.lowest(displacement).into_iter().zip(&self.directions);
        let most = lowest.reduce(|most, next| if next.0.1 > most.0.1 { next } else { most });
        let ((face, gap), direction) = most?;
        (gap.signum() < 0).then(|| (&direction.faces[face], gap))
    }

    /// The faces of an obstacle of the whole pair that takes part: of each direction that has none there yet the one with the least gap.
    pub fn others(&self, faces: &[TouchedFace], displacement: &[S]) -> Vec<(&Touching<S>, S)> {
        let has = |own: &ApartDirection<S>| {
            let mut touched = own.faces.iter().map(|(own, _)| own);
            touched.any(|own| {
                faces
                    .iter()
                    .any(|face| (face.pair, face.touch) == (own.pair, own.touch))
            })
        };
        let lowest = self.lowest(displacement).into_iter().zip(&self.directions);
        let missing = lowest.filter(|(_, own)| !has(own));
        missing
            .map(|((face, gap), own)| (&own.faces[face], gap))
            .collect()
    }

    /// The gaps of the lowest faces after a displacement, at both ends of the way.
    pub(super) fn lowest_ways(&self, displacement: &[S]) -> Vec<(&Touching<S>, [S; 2])> {
        let lowest = self.lowest(displacement).into_iter().zip(&self.directions);
        let faces = lowest.map(|((face, _), own)| &own.faces[face]);
        let way = |own| {
            let (_, face): &Touching<S> = own;
            let both = ways(std::slice::from_ref(face), displacement);
            Some((own, both.into_iter().next()?))
        };
        faces.filter_map(way).collect()
    }
}
