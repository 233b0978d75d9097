//! What a step of bodies that turn must satisfy, besides the laws of the step among its corners.

use etalon_rigid::{Covector, Scalar, dot};

use super::pose::{minus, wrench};
use super::record::SolidStep;
use super::step::{Part, Start, ways};
use super::{Region, Solids, TouchedFace};
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
    /// ends outside; the state after; and the energy identity with what turning and rounding take. The tolerance, per
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
        let start = self.start_of((&before.q, &before.v), h, arithmetic)?;
        let regions = self.regions();
        let all: Vec<Vec<Face<S>>> = regions
            .iter()
            .map(|own| self.faces(*own, &start, arithmetic))
            .collect();
        let Some(parts) = parts(&regions, &all, &step.touched) else {
            findings.violated(Term::Data, None, &S::zero());
            return Ok(findings.found);
        };
        let corners = self.corners(&start, &all, &parts);
        let still = vec![S::zero(); start.v.len()];
        findings.found = corners.examine(number, (&still, &before.v), h, &step.step, tolerance);
        for (own, face) in step.touched.iter().zip(corners.faces()) {
            self.acts_at_its_point(own, face, &start, &mut findings);
        }
        left_out(&all, &parts, step, &mut findings);
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
        let [first, second] = bodies.map(|body| &start.poses[body]);
        let point = &self.bodies[pair.points_of].points[own.point];
        let arm = first.outwards(point);
        let place: Vec<S> = first
            .centre
            .iter()
            .zip(&arm)
            .map(|(c, a)| c.clone() + a)
            .collect();
        let side = &self.bodies[pair.faces_of].faces[own.face];
        let local = second.inwards(&minus(&place, &second.centre));
        let gap = dot(&side.normal, &local) - &side.offset;
        let name = Some(&*face.name);
        let scale = place.iter().fold(S::one(), |sum, x| sum + x.abs());
        // In fractions the two ways are one, as the rotation is orthogonal but for the rounding of a sine.
        let near = S::ratio(1, 1 << 30) * &scale;
        if (gap + &face.offset).abs() > near {
            findings.violated(Term::Geometry, name, &face.offset);
        }
        let normal = second.outwards(&side.normal);
        self.pushes_along(
            &normal,
            (&face.normal, &place),
            start,
            (bodies, name),
            findings,
        );
        for direction in &face.directions {
            let mut way = vec![S::zero(); self.dimension];
            for (axis, weight) in side.tangents.iter().zip(&direction.tangent) {
                for (sum, part) in way.iter_mut().zip(second.outwards(axis)) {
                    *sum += &(part * weight);
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
            + &own.rounding;
        findings.vanishes(Term::EnergyIdentity, None, &(old - &new - &lost), &scale);
        // d'(h k - M v) + k'e - d'M d/2, with v' = v + d and x' = x + h v + e.
        let d = minus(&step.after.v, &step.step.v);
        let steady = minus(&start.force, &start.turning);
        let push = steady.iter().map(|k| k.clone() * &start.h);
        let momentum = start.mass.times(&step.step.v);
        let left: Vec<S> = push.zip(momentum).map(|(push, own)| push - own).collect();
        let mut rounding = dot(&d, &left) - start.mass.kinetic_energy(&d);
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

/// The obstacles that the record says take part; `None` where it names what there is not, or out of order.
fn parts<S>(
    regions: &[Region],
    all: &[Vec<Face<S>>],
    touched: &[TouchedFace],
) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for own in touched {
        let at = Region {
            pair: own.pair,
            point: own.point,
        };
        let region = regions.iter().position(|region| *region == at)?;
        all[region].get(own.face)?;
        match parts.last_mut() {
            Some(last) if last.region == region => last.faces.push(own.face),
            Some(last) if last.region > region => return None,
            _ => parts.push(Part {
                region,
                faces: vec![own.face],
            }),
        }
    }
    let ascends = |own: &Part| own.faces.windows(2).all(|pair| pair[0] < pair[1]);
    parts.iter().all(ascends).then_some(parts)
}

/// What takes no part ends outside, and what pushes is not outside by a face that takes no part.
fn left_out<S: Scalar>(
    all: &[Vec<Face<S>>],
    parts: &[Part],
    step: &SolidStep<S>,
    findings: &mut Findings<'_, S>,
) {
    let mut impulses = step.step.impulses.iter();
    let mut pushing = vec![false; all.len()];
    for own in parts {
        for impulse in impulses.by_ref().take(own.faces.len()) {
            pushing[own.region] |= impulse.normal.signum() > 0;
        }
    }
    for (faces, pushes) in all.iter().zip(pushing) {
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
