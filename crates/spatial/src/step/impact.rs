//! Impacts by Poisson's law of restitution, in two phases (Anitescu and Potra 1997).
//!
//! A step is an impact if a contact with e > 0 approaches, and is closed or closes by the velocity without contacts. Then all contacts
//! and limits that are closed or close take part in both phases, without regard to gaps:
//!
//! > compression:   M (v1 - v) = impulses,           0 <= c1 _|_ n'v1 >= 0,  joints G v1 = 0
//! > decompression: M (v' - v1) = h F + impulses,    0 <= c2 - e c1 _|_ n'v' >= 0,  joints as in any step
//!
//! with friction in each phase bounded by its own normal impulse, and of maximal dissipation. No time passes in the compression: no
//! force acts in it, and no drive. Other contacts of Stewart and Trinkle's method have their gaps in the second phase.
//!
//! Without friction the energy never rises, whatever the coefficients from 0 to 1 are. Let p = M^-1 n c1, y = M^-1 n c2, g = h M^-1 F and u
//! = n'v1, in the norm of M. The second phase is a convex problem whose optimality at c2 against c1, which is allowed as e <= 1, is
//! |y|^2 + u'c2 <= (p, y) + (g, p) - (g, y), as u'c1 = 0. So
//!
//! > E' - E = -|p|^2/2 - |g|^2/2 + |y|^2/2 + u'c2 <= -|p - y - g|^2/2.
//!
//! Gaps that are not negative, and joints that hold, only take from that.
//!
//! In a pyramid the unknown of the decompression is what c2 has beyond e c1. In the circular cone it is c2 itself, with a lower bound. A row of
//! a cone has no bounds of its own. So c2 is a plain row there, and the normal of the cone is one more unknown p with the row
//! W_NN (p - c2), which makes p = c2. The factor gives it the unit of the other rows.

use etalon_judge::Judgement;
use etalon_lcp::{Basis, Bound, Number};
use etalon_time_stepping::StepLcp;
use rug::Rational;

use super::problem::{Given, Met, Posed, bilateral};
use super::{SpaceImpulse, SpaceStepper, three};
use crate::error::SpatialError;
use crate::state::SpaceState;

/// The first phase of an impact by Poisson's law: bodies that meet are stopped, and nothing is given back.
#[derive(Debug, Clone)]
pub struct Compression {
    /// What took part, with its problem.
    pub posed: Posed,
    /// The answer to the problem.
    pub z: Vec<Rational>,
    /// The complementary basis of the answer.
    pub basis: Basis,
    /// Pivots, where the solver counts them.
    pub pivots: Option<u64>,
    /// What the judge says of the answer; none where there is no problem.
    pub judgement: Option<Judgement>,
    /// At its end, not rounded: places are those before the step.
    pub state: SpaceState,
    /// (v, omega) of all bodies that move, at its end.
    pub velocity: Vec<Rational>,
    /// One a contact of `posed`.
    pub impulses: Vec<SpaceImpulse>,
    /// One a row of the joints, N s or N m s.
    pub joint_impulses: Vec<Rational>,
    /// One a limit of `posed`, N s or N m s.
    pub stop_impulses: Vec<Rational>,
}

impl Compression {
    /// The name of its problem, by which a solver may tell it from that of the decompression.
    pub const NAME: &'static str = "compression";

    /// The impulse of a contact by its name.
    pub fn impulse(&self, contact: &str) -> Option<&SpaceImpulse> {
        let all = self.posed.contacts.iter().zip(&self.impulses);
        let mut own = all.filter(|(own, _)| own.name == contact);
        own.next().map(|(_, impulse)| impulse)
    }
}

impl Posed {
    /// The problem of the compression.
    pub(super) fn compressing(&self, given: Given<'_>, met: &[Met]) -> Result<Self, SpatialError> {
        let mut posed = self.struck(given)?;
        for own in met.iter().filter(|own| own.closes()) {
            posed.take(given, (own.contact.clone(), Some(Rational::new())));
        }
        for stop in given.world.stops(given.state) {
            if self.stop_closes(given, &stop) {
                posed.add_stop(given, stop, true);
            }
        }
        posed.add_turning(given);
        Ok(posed)
    }

    /// The same without contacts yet: no time passes, so that no force acts, and joints close nothing.
    pub(super) fn struck(&self, given: Given<'_>) -> Result<Self, SpatialError> {
        let mut posed = Self {
            contacts: Vec::new(),
            stops: Vec::new(),
            driven: Vec::new(),
            turning: Vec::new(),
            ..self.clone()
        };
        let own = &mut posed.formulation;
        own.impulse
            .iter_mut()
            .for_each(|own| *own = Rational::new());
        own.contacts.clear();
        own.bounded.clear();
        own.bilateral = bilateral(given.world, None, &posed.joints, &own.mass)?;
        Ok(posed)
    }

    /// Begins where a compression ended, and owes what restitution gives back of it.
    pub(super) fn follow(&mut self, compression: &Compression) {
        self.formulation.velocity.clone_from(&compression.velocity);
        let least = self.contacts.iter().map(|own| {
            let pressed = compression.impulse(&own.name)?;
            Some(Rational::from(&own.restitution * &pressed.normal))
        });
        self.least = least.collect();
    }

    /// The least impulses that are not 0, each with the row of its contact.
    fn least_rows(&self) -> impl Iterator<Item = (usize, &Rational)> {
        let layout = self.formulation.layout();
        let all = self.least.iter().enumerate();
        let own = all.filter_map(move |(i, own)| Some((layout.normal(i), own.as_ref()?)));
        own.filter(|(_, least)| **least != 0)
    }

    /// Impulses of all rows for an answer, which in a pyramid has of each contact what is beyond its least impulse.
    pub fn whole(&self, z: &[Rational]) -> Vec<Rational> {
        let mut whole = z.to_vec();
        for (row, least) in self.least_rows().filter(|_| !self.circular) {
            if let Some(own) = whole.get_mut(row) {
                *own += least;
            }
        }
        whole
    }

    /// The answer that has these impulses.
    pub(super) fn beyond(&self, mut whole: Vec<Rational>) -> Vec<Rational> {
        for (row, least) in self.least_rows().filter(|_| !self.circular) {
            whole[row] -= least;
        }
        whole
    }

    /// Adds to q of a problem in a pyramid what the least impulses do.
    pub(super) fn push_least(&self, lcp: &mut StepLcp<Rational>) {
        for (column, least) in self.least_rows() {
            for (row, q) in lcp.matrix.iter().zip(&mut lcp.q) {
                *q += Rational::from(&row[column] * least);
            }
        }
    }

    /// Bounds of a problem in the circular cone from below.
    pub(super) fn bound_least(&self, lower: &mut [Bound]) {
        for (row, least) in self.least_rows() {
            lower[row] = Bound::Finite(Number::from(least.clone()));
        }
    }

    /// Adds the unknowns that bound friction where a normal impulse has a bound of its own, and says which row bounds the friction
    /// of each contact and limit.
    pub(super) fn add_cone_normals(
        &self,
        rows: &mut Vec<Vec<Rational>>,
        (q, scale): (&mut Vec<Rational>, &mut Vec<Rational>),
    ) -> Vec<usize> {
        let layout = self.formulation.layout();
        let count = self.formulation.contacts.len();
        let mut normals: Vec<usize> = (0..count).map(|i| layout.normal(i)).collect();
        for i in self.with_cone_normal() {
            let (pressed, n) = (layout.normal(i), rows.len());
            let mut unit = rows[pressed][pressed].clone();
            if unit == 0 {
                unit = Rational::from(1);
            }
            rows.iter_mut().for_each(|row| row.push(Rational::new()));
            let mut row = vec![Rational::new(); n + 1];
            row[pressed] = -unit.clone();
            row[n] = unit;
            rows.push(row);
            q.push(Rational::new());
            scale.push(Rational::new());
            normals[i] = n;
        }
        normals
    }

    /// The contacts whose friction is bounded by an unknown of its own, in the order of these: in the circular cone those that took part
    /// in the compression. Those without friction have one, too: so their problem has cones, whose solvers put what is a digit below a
    /// bound to it.
    fn with_cone_normal(&self) -> impl Iterator<Item = usize> {
        let all = self.least.iter().enumerate().filter(|_| self.circular);
        all.filter_map(|(i, own)| own.is_some().then_some(i))
    }

    /// Puts an answer in the circular cone to what is known of it: a solver in binary64 may be off by the last digit of a bound, and
    /// of two unknowns that are the same.
    pub(super) fn settle(&self, z: &mut [Rational]) {
        if !self.circular {
            return;
        }
        for (row, least) in self.least_rows() {
            let nearest = Rational::from_f64(least.to_f64());
            if let Some(own) = z.get_mut(row)
                && Some(&*own) == nearest.as_ref()
            {
                own.clone_from(least);
            }
        }
        let layout = self.formulation.layout();
        let normals: Vec<usize> = self.with_cone_normal().collect();
        let first = z.len().saturating_sub(normals.len());
        for (k, i) in normals.into_iter().enumerate() {
            z[first + k] = z[layout.normal(i)].clone();
        }
    }
}

impl SpaceStepper<'_> {
    /// Solves a compression.
    pub(super) fn compress(
        &self,
        state: &SpaceState,
        posed: Posed,
    ) -> Result<Compression, SpatialError> {
        let (answer, judgement) = self.answer(&posed, Compression::NAME)?;
        let own = &posed.formulation;
        let velocity = own.velocity_after(&answer.z);
        let momentum = own.mass.times(&velocity);
        let mut end = state.clone();
        for body in self.world.moving() {
            let at = self.world.dof(body).unwrap_or_default();
            end.bodies[body].velocity = three(&velocity[at..]);
            end.bodies[body].momentum = three(&momentum[at + 3..]);
        }
        Ok(Compression {
            joint_impulses: own.joint_impulses(&answer.z),
            impulses: posed.impulses(&answer.z),
            stop_impulses: posed.stop_impulses(&answer.z),
            basis: answer.basis,
            pivots: answer.pivots,
            judgement,
            state: end,
            velocity,
            z: answer.z,
            posed,
        })
    }
}
