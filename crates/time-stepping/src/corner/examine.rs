//! The laws that every step among corners must satisfy, checked from its data alone.

use etalon_rigid::{Scalar, dot};

use super::findings::Findings;
use super::problem::{faces, places};
use super::{CornerStep, Corners, FaceImpulse, position_losses, sum};
use crate::oracle::{Term, Violation};

impl<S: Scalar> Corners<S> {
    /// All violations of a step of size h from (q, v), empty where there is none. Checked are: the problem
    /// against these data; that z is complementary in it and agrees with the impulses; the balance of
    /// momentum; q^(l+1) = q^l + h v^(l+1); max(psi_1, psi_2) >= 0 at every obstacle; friction within
    /// its bound and as dissipative as the bound allows; and the energy identity with all its terms. The
    /// tolerance, per unit of size, counts in binary64 only.
    pub fn examine(
        &self,
        number: u64,
        (q, v): (&[S], &[S]),
        h: &S,
        step: &CornerStep<S>,
        tolerance: &S,
    ) -> Vec<Violation> {
        let zero = S::zero();
        let tolerance = if S::EXACT { &zero } else { tolerance };
        let mut laws = Findings {
            step: number,
            tolerance,
            found: Vec::new(),
        };
        self.problem((q, v), h, step, &mut laws);
        self.complementarity(step, &mut laws);
        self.impulses(step, &mut laws);
        self.momentum((q, v), h, step, &mut laws);
        self.outside(step, &mut laws);
        self.friction(step, &mut laws);
        self.energy((q, v), h, step, &mut laws);
        laws.found
    }

    /// The face that an unknown belongs to: a corner's c to its first.
    fn owner(&self, unknown: usize) -> Option<&str> {
        let places = places(&self.obstacles);
        let own = places.iter().position(|place| place.has(unknown));
        let next = || places.iter().position(|place| place.normal > unknown);
        let face = own.or_else(next).and_then(|face| self.faces().nth(face));
        face.map(|face| face.name.as_str())
    }

    /// The problem against one made anew, entry by entry.
    fn problem(
        &self,
        (q, v): (&[S], &[S]),
        h: &S,
        step: &CornerStep<S>,
        laws: &mut Findings<'_, S>,
    ) {
        let expected = self.situation(q, v, h).problem();
        let n = expected.q.len();
        let rows = step.lcp.matrix.iter();
        if step.z.len() != n || step.lcp.q.len() != n || rows.map(Vec::len).ne(vec![n; n]) {
            let length = S::integer(i64::try_from(step.z.len()).unwrap_or(i64::MAX));
            return laws.violated(Term::Data, None, &length);
        }
        for i in 0..n {
            let name = self.owner(i);
            let entries = step.lcp.matrix[i].iter().zip(&expected.matrix[i]);
            for (entry, expected) in entries.chain([(&step.lcp.q[i], &expected.q[i])]) {
                let difference = entry.clone() - expected;
                laws.vanishes(Term::Data, name, &difference, &(expected.abs() + S::one()));
            }
        }
    }

    fn complementarity(&self, step: &CornerStep<S>, laws: &mut Findings<'_, S>) {
        let w = step.lcp.w(&step.z);
        for (i, (w, z)) in w.iter().zip(&step.z).enumerate() {
            // Rounding of w grows with the terms of its sum, which may cancel, and not with w.
            let terms = step.lcp.matrix[i].iter().zip(&step.z);
            let terms = terms.map(|(m, z)| (m.clone() * z).abs());
            let scale = terms.fold(step.lcp.q[i].abs() + S::one(), |sum, term| sum + term);
            let name = self.owner(i);
            laws.nonnegative(Term::Complementarity, name, z, &scale);
            laws.nonnegative(Term::Complementarity, name, w, &scale);
            let product = w.clone() * z;
            laws.vanishes(Term::Complementarity, name, &product, &scale.squared());
        }
    }

    /// The impulses are those of z.
    fn impulses(&self, step: &CornerStep<S>, laws: &mut Findings<'_, S>) {
        let places = places(&self.obstacles);
        for ((face, place), own) in self.faces().zip(&places).zip(&step.impulses) {
            for (unknown, p) in place.pushes().zip(own.pushes()) {
                if let Some(z) = step.z.get(unknown) {
                    let difference = z.clone() - p;
                    laws.vanishes(Term::Data, Some(&face.name), &difference, &S::one());
                }
            }
        }
    }

    fn momentum(
        &self,
        (q, v): (&[S], &[S]),
        h: &S,
        step: &CornerStep<S>,
        laws: &mut Findings<'_, S>,
    ) {
        let mut impulse: Vec<S> = self.force.iter().map(|k| k.clone() * h).collect();
        self.add_to(&step.impulses, &mut impulse);
        let change = sum(&step.v, v, &-S::one());
        for (k, change) in change.iter().enumerate() {
            if self.mass.is_driven(k) {
                impulse[k] = S::zero();
                laws.vanishes(Term::Momentum, None, change, &S::one());
            }
        }
        for (change, impulse) in self.mass.times(&change).into_iter().zip(impulse) {
            let scale = change.abs() + &impulse.abs() + S::one();
            laws.vanishes(Term::Momentum, None, &(change - &impulse), &scale);
        }
        for (moved, new) in sum(q, &step.v, h).into_iter().zip(&step.q) {
            let scale = moved.abs() + S::one();
            laws.vanishes(Term::State, None, &(moved - new), &scale);
        }
    }

    /// The motion ends outside every obstacle.
    fn outside(&self, step: &CornerStep<S>, laws: &mut Findings<'_, S>) {
        let gaps = self.gaps(&step.q);
        for (obstacle, faces) in self.obstacles.iter().zip(faces(&self.obstacles)) {
            let largest = gaps[faces].iter().fold(None, |largest: Option<&S>, gap| {
                if largest.is_none_or(|largest| gap > largest) {
                    Some(gap)
                } else {
                    largest
                }
            });
            if let Some(gap) = largest {
                let name = obstacle.faces()[0].name.as_str();
                laws.nonnegative(Term::Nonpenetration, Some(name), gap, &S::one());
            }
        }
    }

    /// e'beta <= mu p, and friction takes mu p times the speed of sliding.
    fn friction(&self, step: &CornerStep<S>, laws: &mut Findings<'_, S>) {
        for (face, own) in self.faces().zip(&step.impulses) {
            let FaceImpulse { normal, weights } = own;
            let bound = face.mu.clone() * normal;
            let weight = weights.iter().fold(S::zero(), |sum, beta| sum + beta);
            let scale = bound.abs() + S::one();
            let name = Some(face.name.as_str());
            let left = bound.clone() - &weight;
            if !weights.is_empty() {
                laws.nonnegative(Term::FrictionBound, name, &left, &scale);
            }
            let rates: Vec<S> = face.rows().map(|row| row.times(&step.v)).collect();
            // beta'D v = -lambda mu p says both at once: friction opposes the sliding, and at its
            // bound.
            let missing = dot(weights, &rates) + bound * face.sliding(&step.v);
            laws.vanishes(Term::MaximalDissipation, name, &missing, &scale);
        }
    }

    /// U' = U - (v' - v)'M (v' - v)/2 - sum of p (psi^l - psi')/h - sum of lambda mu p + the work of what is driven, and the first
    /// and the last but one of these are not negative.
    fn energy(
        &self,
        (q, v): (&[S], &[S]),
        h: &S,
        step: &CornerStep<S>,
        laws: &mut Findings<'_, S>,
    ) {
        let energy = |q: &[S], v: &[S]| self.mass.kinetic_energy(v) - dot(&self.force, q);
        let (before, after) = (energy(q, v), energy(&step.q, &step.v));
        let numerical = self.mass.kinetic_energy(&sum(&step.v, v, &-S::one()));
        let scale = before.abs() + &after.abs() + &numerical + S::one();
        laws.nonnegative(Term::NumericalLoss, None, &step.numerical, &scale);
        let difference = numerical.clone() - &step.numerical;
        laws.vanishes(Term::EnergyIdentity, None, &difference, &scale);
        let position = position_losses(&step.impulses, &self.gaps(q), &self.gaps(&step.q), h);
        let friction = self.friction_losses(&step.impulses, &step.v);
        let work = self.work(&step.impulses, &step.v);
        laws.vanishes(
            Term::EnergyIdentity,
            None,
            &(work.clone() - &step.work),
            &scale,
        );
        let mut left = before - &after - &numerical + work;
        let kept = step.position.iter().zip(&step.friction);
        for ((face, lost), kept) in self.faces().zip(position.iter().zip(&friction)).zip(kept) {
            let name = Some(face.name.as_str());
            laws.nonnegative(Term::FrictionLoss, name, kept.1, &scale);
            for difference in [lost.0.clone() - kept.0, lost.1.clone() - kept.1] {
                laws.vanishes(Term::EnergyIdentity, name, &difference, &scale);
            }
            left -= &(lost.0.clone() + lost.1);
        }
        laws.vanishes(Term::EnergyIdentity, None, &left, &scale);
    }
}
