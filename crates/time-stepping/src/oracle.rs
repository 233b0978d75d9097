//! Theory as an oracle: what every step must satisfy, checked from its data alone.
//!
//! The checks recompute everything from M, h k, n, D, mu, the old state and z, and take nothing
//! from the stepper but these. In fractions and on the grid the tolerance is zero.

use std::fmt;

use etalon_exact::{Lemke, LemkeOutcome};
use etalon_lcp::MixedLcp;
use etalon_rigid::{Scalar, dot};
use rug::Rational;

use crate::arithmetic::Arithmetic;
use crate::error::StepError;
use crate::formulation::{Formulation, Layout, StepLcp};
use crate::model::Model;
use crate::rounding::rounding_bound;
use crate::step::Step;

/// The laws that a step can violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// The problem, or the impulses, are not those of the step's data.
    Data,
    /// z or w = M z + q is negative, or z'w is not zero.
    Complementarity,
    /// M (v^(l+1) - v^l) is not n c_n + D beta + h k.
    Momentum,
    /// The state after is not that of the solution, rounded.
    State,
    /// U^(l+1) is not U^l less all that was dissipated.
    EnergyIdentity,
    /// Rounding of the state took another energy than the record says, or more than it can.
    Rounding,
    /// lambda mu c_n is negative.
    FrictionLoss,
    /// (v^(l+1) - v^l)'M (v^(l+1) - v^l)/2 is negative.
    NumericalLoss,
    /// c_n (n'q^l - alpha_0)/h is negative: the linearised gap was violated before the step.
    PositionLoss,
    /// U^(l+1) <= U^l - lambda mu c_n - (v^(l+1) - v^l)'M (v^(l+1) - v^l)/2 fails: (24) with -k'q.
    Dissipativity,
    /// n'q^(l+1) < alpha_0.
    Nonpenetration,
    /// n'v^(l+1) < -e n'v^l where the contact bounces.
    Restitution,
    /// In space, by Poisson's law: a contact has less than e times its normal impulse of compression in the decompression.
    Decompression,
    /// e'beta > mu c_n, or > h for friction that belongs to no contact.
    FrictionBound,
    /// Friction does not dissipate as much as its bound allows.
    MaximalDissipation,
    /// The matrix is not (D, n)'M^-1 (D, n) with E, -E' and mu >= 0, which is copositive (18).
    Copositivity,
    /// Lemke's method repeats a basis, or ends in a ray.
    Termination,
    /// In space: the frame of a contact is not orthonormal to rounding, or its surface has another friction.
    Frame,
    /// In space: the points of a contact are not on the shapes, or its normal is that of neither.
    Geometry,
    /// In space: a contact is not at the nearest points, or overlaps more than another direction would.
    Depth,
    /// In space: two bodies without a contact overlap, or do at the end of the step.
    Missing,
    /// In space: a joint does not hold at the end of the step, to first order.
    Joint,
    /// In space: a joint goes beyond a limit, to first order.
    Limit,
    /// In space: a drive pushes with more than its bound, or with less while its speed is not reached.
    Drive,
    /// In space: a quaternion is not of unit length.
    Attitude,
    /// In space: a body does not turn as its angular momentum says, or gains energy in doing so.
    Flight,
    /// The judge does not accept the answer to the step's problem.
    Verdict,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Data => "data of the problem",
            Self::Complementarity => "complementarity",
            Self::Momentum => "balance of momentum",
            Self::State => "state",
            Self::EnergyIdentity => "energy identity",
            Self::Rounding => "energy of rounding",
            Self::FrictionLoss => "sign of the friction loss",
            Self::NumericalLoss => "sign of the numerical loss",
            Self::PositionLoss => "sign of the position loss",
            Self::Dissipativity => "inequality (24)",
            Self::Nonpenetration => "nonpenetration",
            Self::Restitution => "restitution",
            Self::Decompression => "impulse of decompression",
            Self::FrictionBound => "friction bound",
            Self::MaximalDissipation => "maximal dissipation",
            Self::Copositivity => "copositivity",
            Self::Termination => "termination of Lemke's method",
            Self::Frame => "frame of the contact",
            Self::Geometry => "contact against the shapes",
            Self::Depth => "least depth of the overlap",
            Self::Missing => "contact that is missing",
            Self::Joint => "joint",
            Self::Limit => "limit of the joint",
            Self::Drive => "drive of the joint",
            Self::Attitude => "length of the quaternion",
            Self::Flight => "rotation in free flight",
            Self::Verdict => "verdict on the problem",
        })
    }
}

/// A law that a step breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The number of the step.
    pub step: u64,
    /// The contact or friction, by its name, where it is about one.
    pub contact: Option<String>,
    /// The law.
    pub term: Term,
    /// By how much, in the units of the law.
    pub amount: String,
}

impl Violation {
    /// Whether it is the gain at a contact whose gap is not concave, which a line tells in `gains`: the method asks for it.
    pub fn is_told(&self, gains: &[String]) -> bool {
        let named = |contact: &String| gains.contains(contact);
        self.term == Term::PositionLoss && self.contact.as_ref().is_some_and(named)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}", self.step)?;
        if let Some(contact) = &self.contact {
            write!(f, ", {contact}")?;
        }
        write!(f, ": {} (by {})", self.term, self.amount)
    }
}

/// Checks steps of a model.
pub struct Oracle<'a, S> {
    model: &'a dyn Model<S>,
    arithmetic: &'a dyn Arithmetic<S>,
    tolerance: S,
}

/// The checks of one step.
struct Examination<'a, S> {
    step: u64,
    record: &'a Step<S>,
    layout: Layout,
    names: Vec<String>,
    tolerance: &'a S,
    /// The size of a closed gap after rounding of states.
    slack: S,
    found: Vec<Violation>,
}

impl<'a, S: Scalar> Oracle<'a, S> {
    /// With an allowance for the rounding of binary64 (per unit of size), and zero otherwise.
    pub fn new(model: &'a dyn Model<S>, arithmetic: &'a dyn Arithmetic<S>, tolerance: S) -> Self {
        let tolerance = if S::EXACT { S::zero() } else { tolerance };
        Self {
            model,
            arithmetic,
            tolerance,
        }
    }

    /// All violations of a step, empty where there is none. The sign of the position loss can be
    /// wrong for a gap that is not concave, and says so; it counts where the old gap is below what
    /// rounding of the state explains ([`Arithmetic::slack`]). Everything else is a theorem.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn examine(&self, step: u64, record: &Step<S>) -> Result<Vec<Violation>, StepError> {
        let formulation = &record.formulation;
        let contacts = formulation.contacts.iter();
        let contacts = contacts.map(|c| self.model.contacts().get(c.index));
        let contacts = contacts.map(|info| info.map_or_else(String::new, |i| i.pair.clone()));
        let names = contacts.chain(formulation.bounded.iter().map(|b| b.name.clone()));
        let mut examination = Examination {
            step,
            record,
            layout: formulation.layout(),
            names: names.collect(),
            tolerance: &self.tolerance,
            slack: self.arithmetic.slack(),
            found: Vec::new(),
        };
        examination.complementarity();
        examination.copositivity();
        examination.momentum();
        examination.energy();
        examination.contacts();
        self.state(&mut examination);
        examination.rounding(&self.arithmetic.half_step());
        Ok(examination.found)
    }

    /// q^(l+1) = q^l + h v^(l+1) and v^(l+1), both rounded.
    fn state(&self, examination: &mut Examination<'_, S>) {
        let record = examination.record;
        let h = &record.formulation.h;
        let after = &record.after;
        for i in 0..record.velocity.len() {
            let v = self.arithmetic.round(record.velocity[i].clone());
            let moved = record.before.q[i].clone() + h.clone() * &after.v[i];
            let q = self.arithmetic.round(moved);
            for difference in [v - &after.v[i], q - &after.q[i]] {
                examination.vanishes(Term::State, None, &difference, &S::one());
            }
        }
    }
}

impl<S: Scalar> Examination<'_, S> {
    fn violated(&mut self, term: Term, owner: Option<usize>, amount: &S) {
        let contact = owner.and_then(|owner| self.names.get(owner).cloned());
        self.found.push(Violation {
            step: self.step,
            contact,
            term,
            amount: amount.to_string(),
        });
    }

    /// Reports a value that should be zero, beside numbers of that size.
    fn vanishes(&mut self, term: Term, owner: Option<usize>, value: &S, scale: &S) {
        if value.abs() > self.tolerance.clone() * scale || !value.is_finite() {
            self.violated(term, owner, value);
        }
    }

    /// Reports a value that should not be negative, beside numbers of that size.
    fn nonnegative(&mut self, term: Term, owner: Option<usize>, value: &S, scale: &S) {
        if value.clone() + self.tolerance.clone() * scale < S::zero() || !value.is_finite() {
            self.violated(term, owner, value);
        }
    }

    /// Which contact or friction a row belongs to.
    fn owner(&self, row: usize) -> Option<usize> {
        let layout = &self.layout;
        if row >= layout.lambda(0) {
            return Some(row - layout.lambda(0));
        }
        if row >= layout.normal(0) {
            return Some(row - layout.normal(0));
        }
        (0..layout.owners()).find(|&i| layout.weights(i).contains(&row))
    }

    fn complementarity(&mut self) {
        let record = self.record;
        let w = record.lcp.w(&record.z);
        for (i, (w, z)) in w.iter().zip(&record.z).enumerate() {
            let row = &record.lcp.matrix[i];
            let terms = row
                .iter()
                .zip(&record.z)
                .map(|(m, z)| (m.clone() * z).abs());
            let scale = terms.fold(record.lcp.q[i].abs() + S::one(), |sum, term| sum + term);
            let owner = self.owner(i);
            self.nonnegative(Term::Complementarity, owner, z, &scale);
            self.nonnegative(Term::Complementarity, owner, w, &scale);
            let product = w.clone() * z;
            self.vanishes(Term::Complementarity, owner, &product, &scale.squared());
        }
    }

    /// The matrix against its structure, entry by entry.
    fn copositivity(&mut self) {
        let record = self.record;
        let expected = structure(&record.formulation, &self.layout);
        for (i, (row, expected)) in record.lcp.matrix.iter().zip(&expected).enumerate() {
            for (entry, expected) in row.iter().zip(expected) {
                let difference = entry.clone() - expected;
                let scale = expected.abs() + S::one();
                let owner = self.owner(i);
                self.vanishes(Term::Copositivity, owner, &difference, &scale);
            }
        }
        for (i, contact) in record.formulation.contacts.iter().enumerate() {
            // z'Mz = |(D, n) z|^2 in the metric of M^-1, plus mu c_n lambda: with mu >= 0 it is not
            // negative for z >= 0.
            self.nonnegative(Term::Copositivity, Some(i), &contact.mu, &S::zero());
        }
    }

    fn momentum(&mut self) {
        let record = self.record;
        let formulation = &record.formulation;
        let mut force = formulation.impulse.clone();
        for (column, z) in formulation.columns().into_iter().zip(&record.z) {
            column.add_to(z, &mut force);
        }
        let change = formulation.mass.times(&self.change());
        for (change, force) in change.iter().zip(&force) {
            let scale = change.abs() + &force.abs() + S::one();
            self.vanishes(Term::Momentum, None, &(change.clone() - force), &scale);
        }
    }

    /// v^(l+1) - v^l.
    fn change(&self) -> Vec<S> {
        let pairs = self.record.velocity.iter().zip(&self.record.before.v);
        pairs.map(|(new, old)| new.clone() - old).collect()
    }

    /// U = T - k'q.
    fn u(&self, q: &[S], v: &[S]) -> S {
        let formulation = &self.record.formulation;
        let potential = dot(&formulation.impulse, q) / &formulation.h;
        formulation.mass.kinetic_energy(v) - &potential
    }

    fn energy(&mut self) {
        let record = self.record;
        let h = &record.formulation.h;
        let before = self.u(&record.before.q, &record.before.v);
        let after = self.u(&self.moved(), &record.velocity);
        let (mut friction, mut position) = (S::zero(), S::zero());
        for owner in 0..self.layout.owners() {
            let lambda = &record.z[self.layout.lambda(owner)];
            let Some(contact) = record.formulation.contacts.get(owner) else {
                let loss = h.clone() * lambda;
                self.nonnegative(Term::FrictionLoss, Some(owner), &loss, &S::one());
                friction += &loss;
                continue;
            };
            let c_n = &record.z[self.layout.normal(owner)];
            let loss = lambda.clone() * &contact.mu * c_n;
            self.nonnegative(Term::FrictionLoss, Some(owner), &loss, &S::one());
            friction += &loss;
            let loss = c_n.clone() * &contact.offset(h);
            if contact.rebound.is_none() && contact.old_gap.clone() + &self.slack < S::zero() {
                self.nonnegative(Term::PositionLoss, Some(owner), &loss, &S::one());
            }
            position += &loss;
        }
        let change = self.change();
        let numerical = record.formulation.mass.kinetic_energy(&change);
        self.nonnegative(Term::NumericalLoss, None, &numerical, &S::one());
        let scale = before.abs() + &after.abs() + &numerical + S::one();
        let bound = before - &friction - &numerical;
        let identity = bound.clone() - &position - &after;
        self.vanishes(Term::EnergyIdentity, None, &identity, &scale);
        let kept = &record.dissipation;
        for difference in [
            kept.friction_total() - &friction,
            kept.position_total() - &position,
            kept.numerical.clone() - &numerical,
        ] {
            self.vanishes(Term::EnergyIdentity, None, &difference, &scale);
        }
        // (24) leaves the position term out, which is an upper bound only where that term takes
        // energy.
        if position.signum() >= 0 {
            self.nonnegative(Term::Dissipativity, None, &(bound - &after), &scale);
        }
    }

    /// What rounding of the state took of U, against the record and against what it can take at
    /// most. With the energy identity this accounts for all of U on a grid, exactly.
    fn rounding(&mut self, half_step: &S) {
        let record = self.record;
        let exact = self.u(&self.moved(), &record.velocity);
        let taken = exact.clone() - &self.u(&record.after.q, &record.after.v);
        let scale = exact.abs() + S::one();
        let difference = taken.clone() - &record.dissipation.rounding;
        self.vanishes(Term::Rounding, None, &difference, &scale);
        let bound = rounding_bound(&record.formulation, &record.velocity, half_step);
        self.nonnegative(Term::Rounding, None, &(bound - taken.abs()), &scale);
    }

    /// q^l + h v^(l+1), not rounded.
    fn moved(&self) -> Vec<S> {
        let record = self.record;
        let pairs = record.before.q.iter().zip(&record.velocity);
        let h = &record.formulation.h;
        pairs.map(|(q, v)| q.clone() + h.clone() * v).collect()
    }

    fn contacts(&mut self) {
        let record = self.record;
        let h = &record.formulation.h;
        let scale = S::one();
        for owner in 0..self.layout.owners() {
            let contact = record.formulation.contacts.get(owner);
            let beta = &record.z[self.layout.weights(owner)];
            let bound = match contact {
                Some(contact) => contact.mu.clone() * &record.z[self.layout.normal(owner)],
                None => h.clone(),
            };
            let weight = beta.iter().fold(S::zero(), |sum, beta| sum + beta);
            let left = bound.clone() - &weight;
            self.nonnegative(Term::FrictionBound, Some(owner), &left, &scale);
            let rates: Vec<S> = match contact {
                Some(contact) => {
                    let rate = contact.frame.normal.times(&record.velocity);
                    let (gap, term) = match &contact.rebound {
                        Some(rebound) => (rate + rebound, Term::Restitution),
                        None => (contact.old_gap.clone() + rate * h, Term::Nonpenetration),
                    };
                    self.nonnegative(term, Some(owner), &gap, &scale);
                    let rows = contact.frame.directions.iter().map(|d| &d.row);
                    rows.map(|row| row.times(&record.velocity)).collect()
                }
                None => {
                    let rows = record.formulation.bounded[owner - self.layout.contacts]
                        .directions
                        .iter();
                    rows.map(|row| row.times(&record.velocity)).collect()
                }
            };
            let least = |least: S, rate: &S| if *rate < least { rate.clone() } else { least };
            let least = rates.iter().fold(S::zero(), least);
            // beta'D'v = -lambda mu c_n with lambda the largest speed against a direction: friction
            // takes all that its bound allows.
            let power = dot(beta, &rates);
            let missing = power - &(bound * &least);
            self.vanishes(Term::MaximalDissipation, Some(owner), &missing, &scale);
        }
    }
}

/// The matrix of (17), (29) and (32), each entry on its own.
fn structure<S: Scalar>(formulation: &Formulation<S>, layout: &Layout) -> Vec<Vec<S>> {
    let columns = formulation.columns();
    let n = layout.n();
    let mut matrix = vec![vec![S::zero(); n]; n];
    for (j, column) in columns.iter().enumerate() {
        // Made anew column by column, without the shortcut for opposite directions that the step takes.
        let mut dense = vec![S::zero(); formulation.mass.dofs()];
        column.add_to(&S::one(), &mut dense);
        let answer = formulation.mass.inverse_times(&dense);
        for (i, row) in columns.iter().enumerate() {
            matrix[i][j] = row.times(&answer);
        }
    }
    for owner in 0..layout.owners() {
        for j in layout.weights(owner) {
            matrix[j][layout.lambda(owner)] = S::one();
            matrix[layout.lambda(owner)][j] = -S::one();
        }
        if let Some(contact) = formulation.contacts.get(owner) {
            matrix[layout.lambda(owner)][layout.normal(owner)] = contact.mu.clone();
        }
    }
    matrix
}

/// Runs Lemke's method (lexicographic, covering vector of ones) on a step's problem. Checks that no
/// basis comes twice and that the run ends in a solution. Theory says so where the old gaps are not
/// negative or the normals are independent (section 3.2).
///
/// # Errors
/// [`StepError::Problem`].
pub fn check_termination(
    step: u64,
    lcp: &StepLcp<Rational>,
) -> Result<Option<Violation>, StepError> {
    let problem = lcp.problem("step")?;
    let bilateral = vec![false; problem.n()];
    let mixed = MixedLcp::new(problem.m().clone(), problem.q().to_vec(), bilateral);
    let mixed = mixed.ok_or_else(|| StepError::Problem("lengths differ".to_owned()))?;
    let lemke = Lemke {
        trace: true,
        ..Lemke::default()
    };
    let run = lemke.solve(&mixed);
    let run = run.map_err(|error| StepError::Problem(error.to_string()))?;
    let repeated = run.trace.as_ref().and_then(|t| t.first_repeated_basis());
    let amount = match (repeated, &run.outcome) {
        (Some(pivot), _) => format!("the basis of pivot {} came up before", pivot + 1),
        (None, LemkeOutcome::Solved { .. }) => return Ok(None),
        (None, LemkeOutcome::Ray(_)) => format!("a ray after {} pivots", run.pivots),
        (None, other) => format!("{other:?}"),
    };
    Ok(Some(Violation {
        step,
        contact: None,
        term: Term::Termination,
        amount,
    }))
}
