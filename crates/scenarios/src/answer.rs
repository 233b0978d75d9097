//! The answer to a scenario: forces, several answers, an impulse, or a proof.

use etalon_contact_forces::{
    Consistency, ContactMotion, Coulomb, ForceAnswer, ForceError, Forces, Formulation,
    FrictionModel, Indeterminate, OtherForces, Range, Resolved, Unproved, impact_rows,
    normal_velocities, resolve,
};
use etalon_exact::Budget;
use etalon_lcp::{Certificate, Solver};
use etalon_rigid::{Model, System};
use rug::Rational;

use crate::instance::{Instance, Question, Setup};
use crate::strike::{NotStruck, Rubbed, Strike, solved};

/// How much a search for further solutions may cost: pivots times the square of rows.
const SEARCH: u64 = 1_000_000;

/// Up to so many rows a second solution is looked for where all cannot be listed.
const ANOTHER: usize = 100;

/// The answer to a scenario.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScenarioAnswer {
    /// Contact forces.
    Forces {
        /// They.
        forces: Forces<Rational>,
        /// The common part of other answers and this one.
        unique: Uniqueness,
        /// Another one, where not all can be listed.
        another: Option<Box<Forces<Rational>>>,
    },
    /// Several, and all of them.
    Several(Indeterminate<Rational>),
    /// No contact forces.
    Inconsistent(Inconsistent),
    /// Contact forces by Coulomb's law in space, the circular cone, which no complementarity problem
    /// states.
    Coulomb(Box<CoulombAnswer>),
    /// Impulses of a simultaneous impact.
    Impulses(Impact),
    /// No impulses satisfy the laws of the impact: the checked proof of its problem.
    NoImpulses(Certificate),
    /// The solver gave up.
    Failed(String),
}

/// Contact forces by Coulomb's law in space.
#[derive(Debug, Clone, PartialEq)]
pub struct CoulombAnswer {
    /// Forces that are proved, or why there are none.
    pub found: Result<Coulomb, Unproved>,
    /// The proved facts about others.
    pub others: OtherForces,
}

/// The known facts about other answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uniqueness {
    /// There are none.
    Forces,
    /// Their accelerations are the same: A is symmetric positive semidefinite, of this rank.
    Accelerations {
        /// The rank of A, below the number of contacts.
        rank: usize,
    },
    /// There are others, of which one was found. Listing all of them was too long.
    No {
        /// Pivots after which the list was given up.
        pivots: u64,
    },
    /// Nothing: none was found, and listing all of them was too long.
    Unknown {
        /// Pivots after which the list was given up.
        pivots: u64,
    },
}

/// No contact forces satisfy the laws.
#[derive(Debug, Clone, PartialEq)]
pub struct Inconsistent {
    /// The checked proof.
    pub proof: Certificate,
    /// The impulse, if there is one.
    pub resolved: Resolved<Rational>,
    /// The contact forces after the impulse.
    pub afterwards: Option<Consistency<Rational>>,
}

/// A simultaneous impact.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// Impulse at each contact, N s.
    pub impulses: Vec<Rational>,
    /// Impulse on each row of the joints, N s.
    pub joints: Vec<Rational>,
    /// Normal velocity of each contact before, m/s.
    pub before: Vec<Rational>,
    /// Normal velocity of each contact afterwards, m/s.
    pub after: Vec<Rational>,
    /// Kinetic energy before and afterwards, J.
    pub kinetic_energy: [Rational; 2],
    /// With friction, or by Poisson's law.
    pub rubbed: Option<Rubbed<Rational>>,
}

impl Impact {
    /// The work of the impact, J. With M (v' - v) = J'p the kinetic energy changes by p'(Jv + Jv')/2. Relative velocities u of contacts
    /// have the motion of obstacles, too, so that p'(u + u')/2 is the work of the impact, and the rest that of obstacles.
    pub fn relative_work(&self) -> Rational {
        let one = |p: &Rational, before: &Rational, after: &Rational| {
            Rational::from(before + after) * p / 2u32
        };
        let normal = self.impulses.iter().zip(&self.before).zip(&self.after);
        let normal = normal.map(|((p, before), after)| one(p, before, after));
        let mut work = normal.fold(Rational::new(), |sum, own| sum + own);
        if let Some(own) = &self.rubbed {
            let [before, after] = own.slip.each_ref().map(|slip| slip.iter().flatten());
            let friction = own.friction.iter().flatten();
            for ((p, before), after) in friction.zip(before).zip(after) {
                work += one(p, before, after);
            }
        }
        work
    }

    /// The work of obstacles that move, J: what of the change of kinetic energy is not that of the impact.
    pub fn obstacle_work(&self) -> Rational {
        let [before, after] = &self.kinetic_energy;
        Rational::from(after - before) - self.relative_work()
    }
}

impl Instance {
    /// Answers the question with a solver: see [`Setup::answer`].
    ///
    /// # Errors
    /// [`ForceError`] for values that make no scene or no problem.
    pub fn answer(
        &self,
        solver: &dyn Solver,
        budget: &Budget,
    ) -> Result<ScenarioAnswer, ForceError> {
        self.setup.answer(solver, budget)
    }
}

impl Setup {
    /// Answers the question with a solver. Proofs that there are no forces are checked, and
    /// searched for other solutions, exactly, whatever the solver is.
    ///
    /// # Errors
    /// [`ForceError`] for values that make no scene or no problem.
    pub fn answer(
        &self,
        solver: &dyn Solver,
        budget: &Budget,
    ) -> Result<ScenarioAnswer, ForceError> {
        match &self.question {
            Question::Forces(model) => self.forces(*model, solver, budget),
            Question::Impact(_) => self.impact(solver),
            Question::Strike(strike) => self.strike(strike, solver),
        }
    }

    fn forces(
        &self,
        model: FrictionModel,
        solver: &dyn Solver,
        budget: &Budget,
    ) -> Result<ScenarioAnswer, ForceError> {
        let formulation = Formulation::new(self.system()?, model)?;
        if formulation.is_circular() {
            let found = formulation.coulomb()?;
            let others = match &found {
                Ok(found) => formulation.other_coulomb(found)?,
                Err(_) => OtherForces::Unknown,
            };
            return Ok(ScenarioAnswer::Coulomb(Box::new(CoulombAnswer {
                found,
                others,
            })));
        }
        match formulation.solve(solver)? {
            ForceAnswer::Forces(forces) => others(&formulation, forces, budget),
            ForceAnswer::None(proof) => self.inconsistent(model, proof, budget),
            ForceAnswer::Failed(why) => Ok(ScenarioAnswer::Failed(why)),
            _ => Ok(ScenarioAnswer::Failed(
                "an answer of an unknown kind".to_owned(),
            )),
        }
    }

    fn inconsistent(
        &self,
        model: FrictionModel,
        proof: Certificate,
        budget: &Budget,
    ) -> Result<ScenarioAnswer, ForceError> {
        let mechanics = &self.mechanics;
        let resolved = resolve(mechanics, model, budget)?;
        let afterwards = match &resolved {
            Resolved::Impulse(resolution) => {
                let moved = mechanics.with_velocity(&resolution.stop.velocity)?;
                let formulation = Formulation::new(moved.system()?, model)?;
                Some(if formulation.is_circular() {
                    Consistency::Undecided("a contact stops in the circular cone".to_owned())
                } else {
                    formulation.consistency(&short(budget, formulation.n()))?
                })
            }
            _ => None,
        };
        Ok(ScenarioAnswer::Inconsistent(Inconsistent {
            proof,
            resolved,
            afterwards,
        }))
    }

    fn impact(&self, solver: &dyn Solver) -> Result<ScenarioAnswer, ForceError> {
        let (system, problem) = (self.system()?, self.problem("impact")?);
        match solved(&problem, solver) {
            Ok(impulses) => Ok(ScenarioAnswer::Impulses(impact(&system, impulses))),
            Err(why) => not_struck(why),
        }
    }
}

impl Setup {
    fn strike(&self, strike: &Strike, solver: &dyn Solver) -> Result<ScenarioAnswer, ForceError> {
        let system = self.system()?;
        let struck = match strike.struck(&system, solver) {
            Ok(struck) => struck,
            Err(why) => return not_struck(why),
        };
        Ok(ScenarioAnswer::Impulses(Impact {
            before: normal_velocities(&system, &system.velocity),
            after: normal_velocities(&system, &struck.velocity),
            kinetic_energy: [
                system.kinetic_energy(),
                system.mass.kinetic_energy(&struck.velocity),
            ],
            impulses: struck.impulses,
            joints: struck.joints,
            rubbed: Some(struck.rubbed),
        }))
    }
}

fn not_struck(why: NotStruck) -> Result<ScenarioAnswer, ForceError> {
    match why {
        NotStruck::Wrong(error) => Err(error),
        NotStruck::Impossible(proof) => Ok(ScenarioAnswer::NoImpulses(proof)),
        NotStruck::Failed(why) => Ok(ScenarioAnswer::Failed(why)),
    }
}

fn impact(system: &System<Rational>, mut impulses: Vec<Rational>) -> Impact {
    let velocity = system.velocity_after(impact_rows(system).iter().zip(&impulses));
    let joints = impulses.split_off(system.contacts.len().min(impulses.len()));
    Impact {
        joints,
        before: normal_velocities(system, &system.velocity),
        after: normal_velocities(system, &velocity),
        kinetic_energy: [
            system.kinetic_energy(),
            system.mass.kinetic_energy(&velocity),
        ],
        rubbed: None,
        impulses,
    }
}

/// Whether the forces are the only ones.
fn others(
    formulation: &Formulation<Rational>,
    forces: Forces<Rational>,
    budget: &Budget,
) -> Result<ScenarioAnswer, ForceError> {
    let known = |forces, unique| ScenarioAnswer::Forces {
        forces,
        unique,
        another: None,
    };
    let rubs = |motion: &ContactMotion<Rational>| {
        matches!(motion, ContactMotion::Static | ContactMotion::Sliding(_))
    };
    let rank = match formulation.range() {
        // A drive at its speed is dry friction of its joint, whose force is not that of a contact.
        _ if formulation.motions().iter().any(rubs) || formulation.holds() => None,
        Range::Inside { rank } => Some(rank),
        Range::Outside { .. } => None,
    };
    if let Some(rank) = rank {
        let unique = if rank < formulation.n() {
            Uniqueness::Accelerations { rank }
        } else {
            Uniqueness::Forces
        };
        return Ok(known(forces, unique));
    }
    let short = short(budget, formulation.n());
    Ok(match formulation.consistency(&short)? {
        Consistency::Indeterminate(found) => ScenarioAnswer::Several(found),
        Consistency::Unique(_) => known(forces, Uniqueness::Forces),
        _ => {
            let pivots = short.pivots;
            let another = if formulation.n() <= ANOTHER {
                formulation.another(&forces, &short)?
            } else {
                None
            };
            match another {
                Some((_, another)) => ScenarioAnswer::Forces {
                    forces,
                    unique: Uniqueness::No { pivots },
                    another: Some(Box::new(another)),
                },
                None => known(forces, Uniqueness::Unknown { pivots }),
            }
        }
    })
}

fn short(budget: &Budget, n: usize) -> Budget {
    let n = n.max(1) as u64;
    Budget {
        pivots: budget.pivots.min(SEARCH / (n * n)),
        ..budget.clone()
    }
}
