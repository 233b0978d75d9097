//! Impacts of a scene at one moment, with friction in a pyramid and Newton's or Poisson's law of restitution: the problems of steps in
//! motion, in which no time passes.
//!
//! All contacts of the scene take part, closed as they are. With n'v and t'v the rates at which bodies part and slide, moving
//! obstacles included, one problem of a step ([`etalon_time_stepping::Formulation`]) finds the impulses
//!
//! > Newton:        M (v' - v) = impulses,   0 <= c _|_ n'v' + e min(n'v, 0) >= 0,
//!
//! with friction in the pyramid mu c opposed to the slip after the impact. Poisson's law has two problems (Anitescu and Potra 1997):
//!
//! > compression:   M (v1 - v) = impulses,   0 <= c1 _|_ n'v1 >= 0,
//! > decompression: M (v' - v1) = impulses,  0 <= c2 - e c1 _|_ n'v' >= 0,
//!
//! each with friction bounded by its own normal impulse. Joints hold in both.

use etalon_contact_forces::{ForceError, check_proof, normal_velocities};
use etalon_lcp::{Certificate, ClaimedAnswer, Number, Problem, Solver};
use etalon_rigid::{ContactRows, Covector, Directions, Scalar, System};
use etalon_spatial::ImpactLaw;
use etalon_time_stepping::{
    Bilateral, BilateralRow, ContactFrame, Formulation, FrictionDirection, StepContact, StepError,
    StepLcp,
};
use rug::Rational;

/// The law of an impact.
#[derive(Debug, Clone, PartialEq)]
pub struct Strike {
    /// e, from 0 to 1.
    pub restitution: Rational,
    /// What restitution gives back.
    pub law: ImpactLaw,
    /// The sides of the friction pyramid, in the plane 2 whatever is said; none without friction.
    pub directions: Option<usize>,
}

/// What an impact with friction, or by Poisson's law, leaves beside its normal impulses.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubbed<S> {
    /// The friction impulse at each contact along its tangents, N s.
    pub friction: Vec<Vec<S>>,
    /// The sliding velocity of each contact along its tangents before and afterwards, m/s.
    pub slip: [Vec<Vec<S>>; 2],
    /// By Poisson's law.
    pub compression: Option<Squeezed<S>>,
}

/// The first phase of an impact by Poisson's law.
#[derive(Debug, Clone, PartialEq)]
pub struct Squeezed<S> {
    /// The normal impulse at each contact, which is part of the whole, N s.
    pub normal: Vec<S>,
    /// The friction impulse at each contact along its tangents, part of the whole, N s.
    pub friction: Vec<Vec<S>>,
    /// The normal velocity of each contact at its end, m/s.
    pub after: Vec<S>,
    /// The sliding velocity of each contact along its tangents at its end, m/s.
    pub slip: Vec<Vec<S>>,
    /// The kinetic energy at its end, J.
    pub kinetic_energy: S,
}

/// What an impact leaves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Struck<S> {
    /// Normal impulses, N s.
    pub impulses: Vec<S>,
    /// Those of the rows of joints.
    pub joints: Vec<S>,
    /// The generalised velocity afterwards.
    pub velocity: Vec<S>,
    pub rubbed: Rubbed<S>,
}

/// An impact, or a phase of one, as a problem.
pub(crate) struct Posed<'a, S> {
    system: &'a System<S>,
    formulation: Formulation<S>,
    /// The least normal impulse of each contact.
    least: Vec<S>,
}

/// Why an impact has no answer.
pub(crate) enum NotStruck {
    /// There is no such problem.
    Wrong(ForceError),
    /// No impulses satisfy the laws: the checked proof.
    Impossible(Certificate),
    /// The solver gave up, or is wrong.
    Failed(String),
}

impl From<ForceError> for NotStruck {
    fn from(error: ForceError) -> Self {
        Self::Wrong(error)
    }
}

fn wrong(error: StepError) -> ForceError {
    ForceError::Problem(error.to_string())
}

impl Strike {
    fn restitution<S: Scalar>(&self) -> Result<S, ForceError> {
        if self.restitution >= 0 && self.restitution <= 1 {
            return Ok(S::from_rational(&self.restitution));
        }
        let restitution = self.restitution.to_string();
        Err(ForceError::Restitution { restitution })
    }

    /// The directions of friction, in tangent coordinates.
    fn directions<S: Scalar>(&self, system: &System<S>) -> Result<Vec<Vec<S>>, ForceError> {
        let Some(sides) = self.directions else {
            return Ok(Vec::new());
        };
        let in_space = system.contacts.iter().any(|own| own.tangents.len() == 2);
        let all = match in_space {
            true => Directions::spatial(sides)?,
            false => Directions::planar(),
        };
        Ok(all.vectors().to_vec())
    }

    /// The first problem of the impact: by Poisson's law that of the compression.
    pub(crate) fn first<'a, S: Scalar>(
        &self,
        system: &'a System<S>,
    ) -> Result<Posed<'a, S>, ForceError> {
        let e = match self.law {
            ImpactLaw::Newton => self.restitution()?,
            // That it is out of range is told before any problem is solved.
            ImpactLaw::Poisson => self.restitution::<S>().map(|_| S::zero())?,
        };
        system.check_joints()?;
        let least = vec![S::zero(); system.contacts.len()];
        self.posed(system, (&system.velocity, &e), least)
    }

    fn posed<'a, S: Scalar>(
        &self,
        system: &'a System<S>,
        (velocity, e): (&[S], &S),
        least: Vec<S>,
    ) -> Result<Posed<'a, S>, ForceError> {
        let directions = self.directions(system)?;
        let contact = |(index, own): (usize, &ContactRows<S>)| {
            let approach = own.normal.velocity(velocity);
            let back = match approach.signum() < 0 {
                true => approach * e,
                false => S::zero(),
            };
            let rubs = !own.mu.is_zero();
            let along = directions.iter().filter(|_| rubs);
            StepContact {
                index,
                mu: own.mu.clone(),
                frame: ContactFrame {
                    gap: S::zero(),
                    normal: own.normal.row.clone(),
                    directions: along.map(|weights| direction(own, weights)).collect(),
                },
                old_gap: S::zero(),
                // The row has n'v' of the bodies that move: the share of obstacles is added.
                rebound: Some(back + &own.normal.rate),
            }
        };
        let joints = system.joints.iter().map(|own| BilateralRow {
            row: own.constraint.row.clone(),
            offset: own.constraint.rate.clone(),
        });
        // In fractions rows depend on others or they do not. In binary64 a sine below 2^-40 is rounding of rows of size 1.
        let near = match S::EXACT {
            true => S::zero(),
            false => S::from_rational(&(Rational::from(1) >> 40u32)),
        };
        Ok(Posed {
            formulation: Formulation {
                mass: system.mass.clone(),
                h: S::one(),
                velocity: velocity.to_vec(),
                impulse: vec![S::zero(); system.dofs()],
                contacts: system.contacts.iter().enumerate().map(contact).collect(),
                bounded: Vec::new(),
                bilateral: Bilateral::new(&system.mass, joints.collect(), &near),
            },
            system,
            least,
        })
    }

    /// The impact by a solver, each answer checked.
    pub(crate) fn struck(
        &self,
        system: &System<Rational>,
        solver: &dyn Solver,
    ) -> Result<Struck<Rational>, NotStruck> {
        let first = self.first(system)?;
        let own = first.read(&first.answer(solver)?);
        if self.law == ImpactLaw::Newton {
            return Ok(own);
        }
        let last = self.last(system, &own)?;
        let whole = last.read(&last.answer(solver)?);
        Ok(together(system, own, whole))
    }

    /// The second problem of an impact by Poisson's law, after its compression.
    pub(crate) fn last<'a, S: Scalar>(
        &self,
        system: &'a System<S>,
        compression: &Struck<S>,
    ) -> Result<Posed<'a, S>, ForceError> {
        let e: S = self.restitution()?;
        let least = compression.impulses.iter().map(|c| c.clone() * &e);
        let none = S::zero();
        self.posed(system, (&compression.velocity, &none), least.collect())
    }
}

/// Both phases of an impact.
pub(crate) fn together<S: Scalar>(
    system: &System<S>,
    own: Struck<S>,
    mut whole: Struck<S>,
) -> Struck<S> {
    add(&mut whole.impulses, &own.impulses);
    add(&mut whole.joints, &own.joints);
    for (sum, own) in whole.rubbed.friction.iter_mut().zip(&own.rubbed.friction) {
        add(sum, own);
    }
    let [before, slip] = own.rubbed.slip;
    whole.rubbed.slip[0] = before;
    whole.rubbed.compression = Some(Squeezed {
        after: normal_velocities(system, &own.velocity),
        kinetic_energy: system.mass.kinetic_energy(&own.velocity),
        normal: own.impulses,
        friction: own.rubbed.friction,
        slip,
    });
    whole
}

fn add<S: Scalar>(sums: &mut [S], others: &[S]) {
    for (sum, own) in sums.iter_mut().zip(others) {
        *sum += own;
    }
}

fn direction<S: Scalar>(own: &ContactRows<S>, weights: &[S]) -> FrictionDirection<S> {
    let zero = Covector::zero();
    let pairs = own.tangents.iter().zip(weights);
    FrictionDirection {
        tangent: weights.to_vec(),
        row: pairs.fold(zero, |sum, (tangent, weight)| {
            sum.plus(weight, &tangent.row)
        }),
    }
}

impl<S: Scalar> Posed<'_, S> {
    fn lcp(&self) -> StepLcp<S> {
        let mut lcp = self.formulation.schur();
        let layout = self.formulation.layout();
        // What obstacles that move add to the slip.
        let contacts = self.formulation.contacts.iter().zip(&self.system.contacts);
        for (i, (posed, own)) in contacts.enumerate() {
            for (row, along) in layout.weights(i).zip(&posed.frame.directions) {
                for (tangent, weight) in own.tangents.iter().zip(&along.tangent) {
                    lcp.q[row] += &(tangent.rate.clone() * weight);
                }
            }
        }
        // An unknown is what an impulse has beyond its least.
        for (i, least) in self.least.iter().enumerate() {
            let column = layout.normal(i);
            for (row, q) in lcp.matrix.iter().zip(&mut lcp.q) {
                *q += &(row[column].clone() * least);
            }
        }
        lcp
    }

    /// The number of rows.
    pub(crate) fn n(&self) -> usize {
        self.lcp().q.len()
    }

    /// The problem as a record.
    pub(crate) fn problem(&self, name: &str) -> Result<Problem, ForceError> {
        self.lcp().problem(name).map_err(wrong)
    }

    /// Reads an answer.
    pub(crate) fn read(&self, z: &[S]) -> Struck<S> {
        let own = &self.formulation;
        let layout = own.layout();
        let mut z = z.to_vec();
        for (i, least) in self.least.iter().enumerate() {
            z[layout.normal(i)] += least;
        }
        let velocity = own.velocity_after(&z);
        let friction = |(i, contact): (usize, &ContactRows<S>)| {
            let weights = &z[layout.weights(i)];
            let along = &own.contacts[i].frame.directions;
            let one = |k: usize| {
                let parts = along.iter().zip(weights);
                parts.fold(S::zero(), |sum, (own, weight)| {
                    sum + own.tangent[k].clone() * weight
                })
            };
            (0..contact.tangents.len()).map(one).collect()
        };
        let contacts = || self.system.contacts.iter();
        let slip = |velocity: &[S]| {
            contacts()
                .map(|own| own.tangential_velocity(velocity))
                .collect()
        };
        Struck {
            impulses: (0..own.contacts.len())
                .map(|i| z[layout.normal(i)].clone())
                .collect(),
            joints: own.joint_impulses(&z),
            rubbed: Rubbed {
                friction: contacts().enumerate().map(friction).collect(),
                slip: [slip(&own.velocity), slip(&velocity)],
                compression: None,
            },
            velocity,
        }
    }
}

impl Posed<'_, Rational> {
    fn answer(&self, solver: &dyn Solver) -> Result<Vec<Rational>, NotStruck> {
        let lcp = self.lcp();
        if lcp.q.is_empty() {
            return Ok(Vec::new());
        }
        let z = solved(&lcp.problem("impact").map_err(wrong)?, solver)?;
        match z.len() == lcp.q.len() && is_complementary(&z, &lcp.w(&z)) {
            true => Ok(z),
            false => Err(NotStruck::Failed(format!(
                "{} gives an answer that does not solve the problem of the impact",
                solver.name()
            ))),
        }
    }
}

/// The answer to the problem of an impact, or the checked proof that it has none.
pub(crate) fn solved(problem: &Problem, solver: &dyn Solver) -> Result<Vec<Rational>, NotStruck> {
    let claim = solver.solve(problem);
    match (claim.answer, claim.certificate) {
        (ClaimedAnswer::Solved { z }, _) => Ok(z.iter().map(Number::to_rational).collect()),
        (ClaimedAnswer::Unsolvable, Some(proof)) => match check_proof(problem, &proof) {
            Ok(()) => Err(NotStruck::Impossible(proof)),
            Err(why) => Err(NotStruck::Failed(format!(
                "{} says that the impact has no answer: {why}",
                solver.name()
            ))),
        },
        (ClaimedAnswer::Unsolvable, None) => Err(NotStruck::Failed(format!(
            "{} says that the impact has no answer, without a proof; take --solver exact, which proves it or finds one",
            solver.name()
        ))),
        (ClaimedAnswer::Failed, _) => {
            let message = claim.message.filter(|text| !text.is_empty());
            let message = message.unwrap_or_else(|| "it gives no reason".to_owned());
            Err(NotStruck::Failed(format!(
                "{} gave up: {message}",
                solver.name()
            )))
        }
    }
}

/// 0 <= z, perpendicular to w >= 0, exactly.
fn is_complementary(z: &[Rational], w: &[Rational]) -> bool {
    let mut rows = z.iter().zip(w);
    rows.all(|(z, w)| *z >= 0 && *w >= 0 && (*z == 0 || *w == 0))
}
