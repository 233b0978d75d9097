//! What a step of bodies that turn must satisfy, besides the laws of the step among its corners.

use etalon_rigid::{Covector, Scalar, dot};

use super::pose::{cross, minus, wrench};
use super::record::{SolidStep, Touching};
use super::step::{Field, Part, Source, Start, pushing, ways};
use super::whole::short;
use super::{Solids, Touch, TouchedFace};
use crate::arithmetic::Arithmetic;
use crate::corner::Face;
use crate::corner::findings::Findings;
use crate::error::StepError;
use crate::oracle::{Term, Violation};
use crate::step::State;

impl<S: Scalar> Solids<S> {
    /// All violations of a step of size h from a state, empty where there is none. Checked are the laws of
    /// [`Corners::examine`](crate::corner::Corners::examine), for faces made anew from the state; that a push acts at its point, along its side's normal or across it, and as much the
    /// other way on the other body; that gaps are those in the coordinates of the body with the sides; that what takes no part
    /// ends outside, and that pairs of bodies do as a whole; that no two bodies overlap after the step, by axes that part them; the state after; and the energy identity with what turning and rounding take. The tolerance, per
    /// unit of size, counts in binary64 only.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn examine(
        &self,
        number: u64,
        before: &State<S>,
        h: &S,
        step: &SolidStep<S>,
        arithmetic: &dyn Arithmetic<S>,
        tolerance: &S,
    ) -> Result<Vec<Violation>, StepError> {
        let zero = S::zero();
        let mut findings = Findings {
            step: number,
            tolerance: if S::EXACT { &zero } else { tolerance },
            found: Vec::new(),
        };
        let velocity = self.start_velocity(&before.v);
        let start = self.start_of((&before.q, &velocity), h, arithmetic)?;
        let field = Field::new(self, &start, arithmetic);
        let Some(parts) = self.parts(&field, &step.touched) else {
            findings.violated(Term::Data, None, &S::zero());
            return Ok(findings.found);
        };
        let corners = self.corners(&start, &parts);
        let still = vec![S::zero(); start.v.len()];
        let mut own = step.step.clone();
        if self.first_order {
            // The step from rest, whose kinetic energy is part of the drag.
            own.numerical -= &start.mass.kinetic_energy(&own.v);
        }
        findings.found = corners.examine(number, (&still, &velocity), h, &own, tolerance);
        for (own, face) in step.touched.iter().zip(corners.faces()) {
            self.acts_at_its_point(own, face, &start, &mut findings);
        }
        left_out(&field, &parts, step, &mut findings);
        wholes_left_out(&field, &parts, step, &mut findings);
        if let Some((first, second, depth)) = self.overlap_after(&step.after, h, arithmetic)? {
            findings.found.push(Violation {
                step: number,
                contact: Some(format!("{first}/{second}")),
                term: Term::Nonpenetration,
                amount: (-depth).to_string(),
            });
        }
        self.state(before, &start, step, arithmetic, &mut findings);
        self.energies(before, &start, step, arithmetic, &mut findings)?;
        Ok(findings.found)
    }

    /// A push acts at its point, on both bodies, and its gap is that in the coordinates of the body with the sides.
    fn acts_at_its_point(
        &self,
        own: &TouchedFace,
        face: &Face<S>,
        start: &Start<S>,
        findings: &mut Findings<'_, S>,
    ) {
        let pair = &self.pairs[own.pair];
        let bodies = [pair.points_of, pair.faces_of];
        let name = Some(&*face.name);
        let Some(Acting {
            place,
            normal,
            tangents,
            gap,
        }) = self.acting(own, face, start)
        else {
            return findings.violated(Term::Geometry, name, &face.offset);
        };
        let scale = place.iter().fold(S::one(), |sum, x| sum + x.abs());
        // In fractions the two ways are one, as the rotation is orthogonal but for the rounding of a sine.
        let near = S::ratio(1, 1 << 30) * &scale;
        if (gap + &face.offset - &face.normal.times(&start.ahead)).abs() > near {
            findings.violated(Term::Geometry, name, &face.offset);
        }
        self.pushes_along(
            &normal,
            (&face.normal, &place),
            start,
            (bodies, name),
            findings,
        );
        for direction in &face.directions {
            let mut way = vec![S::zero(); self.dimension];
            for (axis, weight) in tangents.iter().zip(&direction.tangent) {
                for (sum, part) in way.iter_mut().zip(axis) {
                    *sum += &(part.clone() * weight);
                }
            }
            let across = dot(&way, &normal);
            if across.abs() > S::ratio(1, 1 << 30) {
                findings.violated(Term::Frame, name, &across);
            }
            self.pushes_along(
                &way,
                (&direction.row, &place),
                start,
                (bodies, name),
                findings,
            );
        }
    }

    /// Where a face acts, and along what. `None` where its row is no push along the common normal of its edges, at a place where they are nearest.
    fn acting(&self, own: &TouchedFace, face: &Face<S>, start: &Start<S>) -> Option<Acting<S>> {
        let pair = &self.pairs[own.pair];
        let bodies = [pair.points_of, pair.faces_of];
        let [first, second] = bodies.map(|body| &start.poses[body]);
        match own.touch {
            Touch::Point { point, face } => {
                let arm = first.outwards(&self.bodies[bodies[0]].points[point]);
                let place = first.centre.iter().zip(&arm);
                let place: Vec<S> = place.map(|(c, a)| c.clone() + a).collect();
                let side = &self.bodies[bodies[1]].faces[face];
                let local = second.inwards(&minus(&place, &second.centre));
                Some(Acting {
                    gap: dot(&side.normal, &local) - &side.offset,
                    normal: second.outwards(&side.normal),
                    tangents: side.tangents.iter().map(|t| second.outwards(t)).collect(),
                    place,
                })
            }
            Touch::Edges(edges) => self.acting_edges(bodies, edges, face, start),
        }
    }

    /// The push of a row between edges, read off the row of the body that moves: its force, and the place on the edge that its torque needs.
    fn acting_edges(
        &self,
        bodies: [usize; 2],
        edges: [usize; 2],
        face: &Face<S>,
        start: &Start<S>,
    ) -> Option<Acting<S>> {
        let sides = [0, 1].map(|k| {
            let body = &self.bodies[bodies[k]];
            let ends = body.edges.get(edges[k])?.ends;
            let pose = &start.poses[bodies[k]];
            let place = |k: usize| {
                let arm = pose.outwards(&body.points[k]).into_iter().zip(&pose.centre);
                arm.map(|(a, c)| a + c).collect::<Vec<S>>()
            };
            let [from, to] = ends.map(place);
            let way = minus(&to, &from);
            Some((from, way))
        });
        let [Some((from, along)), Some((other, across))] = sides else {
            return None;
        };
        // The force is that on the body that moves; on the second one it is the opposite.
        let (k, sign) = match self.bodies[bodies[0]].fixed {
            None => (0, S::one()),
            Some(_) => (1, -S::one()),
        };
        let at = self.bodies[bodies[k]].at[1];
        let entry = |own: &Covector<S>, i: usize| {
            let found = own.entries().iter().find(|(j, _)| *j == at + i);
            found.map_or(S::zero(), |(_, value)| value.clone() * &sign)
        };
        let force = |own: &Covector<S>| (0..3).map(|i| entry(own, i)).collect::<Vec<S>>();
        let normal = force(&face.normal);
        // Nearest: (from + t along - other - s across) is along the normal, whose part across both edges vanishes.
        let small = S::ratio(1, 1 << 30);
        for edge in [&along, &across] {
            let size = dot(edge, edge);
            if dot(&normal, edge).squared() > size * &small.squared() {
                return None;
            }
        }
        let apart = minus(&from, &other);
        let beside = cross(&normal, &across);
        let share = -dot(&apart, &beside) / &dot(&along, &beside);
        let exact = share.to_number()?.to_rational();
        let share = S::from_rational(&short(exact));
        let place = from.iter().zip(&along);
        let place: Vec<S> = place.map(|(x, a)| x.clone() + a.clone() * &share).collect();
        Some(Acting {
            gap: dot(&normal, &apart),
            tangents: self.read_tangents(face, force),
            normal,
            place,
        })
    }

    /// The tangents of a face in the world, whose directions are pushes along sums of them.
    fn read_tangents(&self, face: &Face<S>, force: impl Fn(&Covector<S>) -> Vec<S>) -> Vec<Vec<S>> {
        let Some(first) = face.directions.first() else {
            return Vec::new();
        };
        let det = |a: &[S], b: &[S]| a[0].clone() * &b[1] - a[1].clone() * &b[0];
        let others = face.directions.iter();
        let mut others = others.filter(|own| !det(&first.tangent, &own.tangent).is_zero());
        let Some(second) = others.next() else {
            return Vec::new();
        };
        let [a, b] = [first, second].map(|own| (&own.tangent, force(&own.row)));
        let size = det(a.0, b.0);
        let axis = |x: S, y: S| {
            let sum = a.1.iter().zip(&b.1);
            sum.map(|(a, b)| (a.clone() * &x + b.clone() * &y) / &size)
                .collect()
        };
        vec![
            axis(b.0[1].clone(), -a.0[1].clone()),
            axis(-b.0[0].clone(), a.0[0].clone()),
        ]
    }

    /// A row is a push of 1 along a unit vector: about the origin of the world its torque on the first body is place x direction, and on
    /// the second one the opposite.
    fn pushes_along(
        &self,
        direction: &[S],
        (row, place): (&Covector<S>, &[S]),
        start: &Start<S>,
        (bodies, name): ([usize; 2], Option<&str>),
        findings: &mut Findings<'_, S>,
    ) {
        let length = dot(direction, direction) - S::one();
        if length.abs() > S::ratio(1, 1 << 30) {
            findings.violated(Term::Frame, name, &length);
        }
        let entry = |k: usize| {
            let own = row.entries().iter().find(|(j, _)| *j == k);
            own.map_or(S::zero(), |(_, value)| value.clone())
        };
        let expected = wrench(place, direction);
        for (sign, body) in [1, -1].into_iter().zip(bodies) {
            let own = &self.bodies[body];
            if own.fixed.is_some() {
                continue;
            }
            let given: Vec<S> = (0..expected.len()).map(|i| entry(own.at[1] + i)).collect();
            let moved = wrench(&start.poses[body].centre, &given[..self.dimension]);
            for (i, expected) in expected.iter().enumerate() {
                let turned = if i < self.dimension {
                    S::zero()
                } else {
                    moved[i].clone()
                };
                let off = given[i].clone() + &turned - expected.clone() * &S::integer(sign);
                let scale = expected.abs() + &turned.abs() + S::one();
                findings.vanishes(Term::Geometry, name, &off, &scale);
            }
        }
    }

    /// The state after is that of the solution, rounded: an angle goes on by h omega, a quaternion by (2, h omega).
    fn state(
        &self,
        before: &State<S>,
        start: &Start<S>,
        step: &SolidStep<S>,
        arithmetic: &dyn Arithmetic<S>,
        findings: &mut Findings<'_, S>,
    ) {
        let half = arithmetic.half_step();
        let mut near = |off: &S, known: &S, size: &S| {
            let rounding = findings.tolerance.clone() * (size.abs() + S::one());
            if off.abs() > known.clone() + &rounding || !off.is_finite() {
                findings.violated(Term::State, None, off);
            }
        };
        for (kept, own) in step.after.v.iter().zip(&step.step.v) {
            near(&(kept.clone() - own), &half, own);
        }
        for own in self.moving() {
            let [at, rate] = own.at;
            let straight = if self.dimension == 2 {
                3
            } else {
                3.min(self.dimension)
            };
            for i in 0..straight {
                let moved = before.q[at + i].clone() + step.after.v[rate + i].clone() * &start.h;
                near(&(step.after.q[at + i].clone() - &moved), &half, &moved);
            }
            if self.dimension == 3 {
                let turn = turned(
                    &before.q[at + 3..at + 7],
                    &step.after.v[rate + 3..rate + 6],
                    &start.h,
                );
                let kept = &step.after.q[at + 3..at + 7];
                // Parallel, and of length 1; each entry is off by half a step of the grid, and so is the length.
                let known = half.clone() * &S::integer(16);
                near(&(dot(kept, kept) - S::one()), &known, &S::one());
                for (i, j) in (0..4).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    let off = kept[i].clone() * &turn[j] - kept[j].clone() * &turn[i];
                    near(&off, &known, &S::one());
                }
            }
        }
    }

    /// E' = E less all parts, with the loss to rounding by its own formula.
    fn energies(
        &self,
        before: &State<S>,
        start: &Start<S>,
        step: &SolidStep<S>,
        arithmetic: &dyn Arithmetic<S>,
        findings: &mut Findings<'_, S>,
    ) -> Result<(), StepError> {
        let sum = |parts: &[S]| parts.iter().fold(S::zero(), |sum, part| sum + part);
        let old = self.energy(&before.q, &before.v, arithmetic)?;
        let new = self.energy(&step.after.q, &step.after.v, arithmetic)?;
        let (old, new) = (old.kinetic + old.potential, new.kinetic + new.potential);
        let told = step.energy.kinetic.clone() + &step.energy.potential;
        let scale = old.abs() + &new.abs() + S::one();
        findings.vanishes(Term::EnergyIdentity, None, &(told - &new), &scale);
        let own = &step.dissipation;
        let lost = step.step.numerical.clone()
            + sum(&step.step.position)
            + sum(&step.step.friction)
            + &own.inertial
            + &own.rounding
            - step.step.work.clone();
        findings.vanishes(Term::EnergyIdentity, None, &(old - &new - &lost), &scale);
        // d'(h k - M v) + k'e - d'M d/2, with v' = v + d and x' = x + h v + e; in a first-order world d'h k + k'e.
        let d = minus(&step.after.v, &step.step.v);
        let steady = minus(&start.force, &start.turning);
        let push = steady.iter().map(|k| k.clone() * &start.h);
        let mut rounding = if self.first_order {
            dot(&d, &push.collect::<Vec<S>>())
        } else {
            let momentum = start.mass.times(&step.step.v);
            let left: Vec<S> = push.zip(momentum).map(|(push, own)| push - own).collect();
            dot(&d, &left) - start.mass.kinetic_energy(&d)
        };
        for own in self.moving() {
            let [at, rate] = own.at;
            for i in 0..self.dimension {
                let moved = before.q[at + i].clone() + step.after.v[rate + i].clone() * &start.h;
                rounding += &((step.after.q[at + i].clone() - &moved) * &steady[rate + i]);
            }
        }
        let off = rounding - &own.rounding;
        findings.vanishes(Term::Rounding, None, &off, &scale);
        if self.dimension == 2 && !own.inertial.is_zero() {
            findings.violated(Term::EnergyIdentity, None, &own.inertial);
        }
        Ok(())
    }
}

/// (2, h omega) e over |(2, h omega)|, without its root: divided by 2, which it is near.
fn turned<S: Scalar>(e: &[S], omega: &[S], h: &S) -> Vec<S> {
    let half = |k: usize| omega[k].clone() * h / &S::integer(2);
    let (a, b, c) = (half(0), half(1), half(2));
    let part = |terms: [S; 4]| terms.into_iter().fold(S::zero(), |sum, own| sum + own);
    let times = |x: &S, k: usize| x.clone() * &e[k];
    vec![
        part([e[0].clone(), -times(&a, 1), -times(&b, 2), -times(&c, 3)]),
        part([e[1].clone(), times(&a, 0), times(&b, 3), -times(&c, 2)]),
        part([e[2].clone(), times(&b, 0), times(&c, 1), -times(&a, 3)]),
        part([e[3].clone(), times(&c, 0), times(&a, 2), -times(&b, 1)]),
    ]
}

/// Where a push acts, and along what.
struct Acting<S> {
    place: Vec<S>,
    normal: Vec<S>,
    tangents: Vec<Vec<S>>,
    gap: S,
}

impl<S: Scalar> Solids<S> {
    /// The obstacles that the record says take part; `None` where it names what there is not, or out of order.
    fn parts(&self, field: &Field<'_, S>, touched: &[TouchedFace]) -> Option<Vec<Part<S>>> {
        let mut parts: Vec<Part<S>> = Vec::new();
        for own in touched {
            let (of, face) = self.part_of(field, own)?;
            match parts.last_mut() {
                Some(last) if last.of == of => last.faces.push(face),
                Some(last) if last.of > of => return None,
                _ => parts.push(Part {
                    of,
                    faces: vec![face],
                }),
            }
        }
        let is_sound = |own: &Part<S>| match own.of {
            Source::Point(_) => {
                let mut pairs = own.faces.windows(2);
                pairs.all(|pair| pair[0].0.touch < pair[1].0.touch)
            }
            // One face of a direction.
            Source::Whole(index, _) => field.whole(index).directions.iter().all(|direction| {
                let of_it = |(face, _): &&Touching<S>| {
                    let mut own = direction.faces.iter().map(|(own, _)| own);
                    own.any(|own| (own.pair, own.touch) == (face.pair, face.touch))
                };
                own.faces.iter().filter(of_it).count() < 2
            }),
        };
        parts.iter().all(is_sound).then_some(parts)
    }

    fn part_of(&self, field: &Field<'_, S>, own: &TouchedFace) -> Option<(Source, Touching<S>)> {
        let Some(number) = own.whole else {
            let Touch::Point { point, face } = own.touch else {
                return None;
            };
            let points = &self.bodies[self.pairs.get(own.pair)?.points_of].points;
            points.get(point)?;
            let region = self.first_region(own.pair) + point;
            field.points[region].get(face)?;
            return Some((Source::Point(region), field.of_point(region, face)));
        };
        let is_it = |whole: &super::Whole| whole.pairs.contains(&own.pair);
        let index = self.wholes.iter().position(is_it)?;
        let mut faces = field
            .whole(index)
            .directions
            .iter()
            .flat_map(|own| &own.faces);
        let face = faces.find(|(face, _)| (face.pair, face.touch) == (own.pair, own.touch))?;
        Some((Source::Whole(index, number), field.of_whole(face, number)))
    }
}

/// What takes no part ends outside, and what pushes is not outside by a face that takes no part.
fn left_out<S: Scalar>(
    field: &Field<'_, S>,
    parts: &[Part<S>],
    step: &SolidStep<S>,
    findings: &mut Findings<'_, S>,
) {
    let pushes = pushing(parts, &step.step.impulses);
    for (region, faces) in field.points.iter().enumerate() {
        let part = parts.iter().position(|own| own.of == Source::Point(region));
        let pushes = part.is_some_and(|part| pushes[part]);
        let most = ways(faces, &step.step.q).into_iter().map(|[_, new]| new);
        let most = most.reduce(|a, b| if b > a { b } else { a });
        let (Some(most), Some(face)) = (most, faces.first()) else {
            continue;
        };
        let rounding = findings.tolerance.clone() * (face.offset.abs() + S::one());
        if most.clone() + &rounding < S::zero() {
            findings.violated(Term::Nonpenetration, Some(&face.name), &most);
        }
        if pushes && most > rounding {
            findings.violated(Term::Complementarity, Some(&face.name), &most);
        }
    }
}

/// Bodies end apart as a whole, and an obstacle of a pair that pushes is not outside by a direction that takes no part in it.
fn wholes_left_out<S: Scalar>(
    field: &Field<'_, S>,
    parts: &[Part<S>],
    step: &SolidStep<S>,
    findings: &mut Findings<'_, S>,
) {
    let rounding =
        |tolerance: &S, face: &Face<S>| tolerance.clone() * (face.offset.abs() + S::one());
    for index in 0..field.wholes() {
        if let Some(((_, face), gap)) = field.overlap(index, (&step.step.q, findings.tolerance))
            && gap.clone() + rounding(findings.tolerance, face) < S::zero()
        {
            findings.violated(Term::Nonpenetration, Some(&face.name), &gap);
        }
    }
    for (own, pushes) in parts.iter().zip(pushing(parts, &step.step.impulses)) {
        let (Source::Whole(index, _), true) = (own.of, pushes) else {
            continue;
        };
        let faces: Vec<TouchedFace> = own.faces.iter().map(|(face, _)| *face).collect();
        for ((_, face), gap) in field.whole(index).others(&faces, &step.step.q) {
            if gap > rounding(findings.tolerance, face) {
                findings.violated(Term::Complementarity, Some(&face.name), &gap);
            }
        }
    }
}
