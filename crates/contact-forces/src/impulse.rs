//! Impulses that stop approaching bodies before forces are asked for.

use etalon_lcp::{Bound, Matrix, Number, Problem};
use etalon_rigid::{Covector, LinearSolution, Scalar, System, in_circular_cone};
use rug::Rational;

use crate::error::ForceError;

/// The result of impulses at contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Impulse<S> {
    /// The impulse at each contact: normal first, then along the tangents; N s.
    pub contacts: Vec<Vec<S>>,
    /// Impulses of the bilateral constraints, N s.
    pub joints: Vec<S>,
    /// The generalised velocity afterwards.
    pub velocity: Vec<S>,
    /// How many linear systems it took: constraints were added until none was violated.
    pub rounds: usize,
}

/// The settings of Darwin2K's impulse.
#[derive(Debug, Clone, PartialEq)]
pub struct StopSettings<S> {
    /// The coefficient of restitution e, 0 <= e <= 1: an approaching normal velocity v becomes -e v.
    pub restitution: S,
    /// Contacts that do not slide afterwards where an impulse acts on them.
    pub sticking: Vec<usize>,
}

impl<S: Scalar> StopSettings<S> {
    /// Frictionless, without restitution.
    pub fn plain() -> Self {
        Self {
            restitution: S::zero(),
            sticking: Vec::new(),
        }
    }
}

impl<S: Scalar> Impulse<S> {
    /// The contacts whose impulse is outside its friction cone; pulling ones among them. The
    /// method does not ask for cones.
    pub fn outside_cone(&self, system: &System<S>) -> Vec<usize> {
        let outside = |i: &usize| {
            let contact = &self.contacts[*i];
            let mu_squared = system.contacts[*i].mu_squared();
            !in_circular_cone(&contact[0], &contact[1..], &mu_squared)
        };
        (0..self.contacts.len()).filter(outside).collect()
    }
}

/// A row of the system on which the impulse acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Normal(usize),
    Tangent(usize, usize),
    Joint(usize),
}

/// Darwin2K's impulse: solves A p = (v+ - v) for the approaching contacts, and adds every
/// contact that approaches afterwards, until none does. With e = 0 it is the projection onto
/// velocities that satisfy the rows in the metric of M, so kinetic energy does not increase.
/// It is no complementarity problem: an impulse may pull, and with e > 0 kinetic energy may rise
/// where contacts had to be added; [`impact_problem`] does neither.
///
/// # Errors
/// [`ForceError::Contradiction`] when prescribed motions leave no velocity, or when restitution
/// asks too much: a contact that bounces may close another that depends on it.
/// [`ForceError::Restitution`] for e outside of 0 <= e <= 1.
pub fn stop_approach<S: Scalar>(
    system: &System<S>,
    stop: &StopSettings<S>,
) -> Result<Impulse<S>, ForceError> {
    check_restitution(&stop.restitution)?;
    let n = system.contacts.len();
    let before: Vec<S> = normal_velocities(system, &system.velocity);
    let mut active: Vec<usize> = (0..n).filter(|&i| approaches(&before[i])).collect();
    let mut rounds = 0;
    loop {
        let targets = targets(system, &active, stop);
        let impulse = solve(system, &targets, &before, stop, rounds + 1)?;
        rounds += 1;
        let after = normal_velocities(system, &impulse.velocity);
        let added = (0..n).filter(|i| !active.contains(i) && approaches(&after[*i]));
        let added: Vec<usize> = added.collect();
        if added.is_empty() {
            return Ok(impulse);
        }
        // None is taken out again, not even where its impulse pulls: so it ends, as Darwin2K's
        // does.
        active.extend(added);
        active.sort_unstable();
    }
}

fn approaches<S: Scalar>(velocity: &S) -> bool {
    // A velocity of approach that is rounding asks for no impulse.
    velocity.signum() < 0 && !velocity.is_negligible(&S::one())
}

/// The work of impulses at contacts against the motion relative to obstacles, p'(u + u')/2 of the relative velocities u before
/// and u' after, and the sum of its terms' sizes, of which rounding is a small part. With M (v' - v) = J'p the change of kinetic
/// energy is p'(Jv + Jv')/2; what obstacles that move add to the relative velocities is their own work.
pub(crate) fn contact_work<S: Scalar>(
    system: &System<S>,
    impulses: &[Vec<S>],
    after: &[S],
) -> (S, S) {
    let half = S::from_rational(&(Rational::from(1) >> 1u32));
    let (mut work, mut size) = (S::zero(), S::zero());
    for (contact, impulses) in system.contacts.iter().zip(impulses) {
        let rows = [&contact.normal].into_iter().chain(&contact.tangents);
        for (row, p) in rows.zip(impulses) {
            for velocity in [&system.velocity[..], after] {
                let term = row.velocity(velocity) * p * &half;
                size += &term.clone().abs();
                work += &term;
            }
        }
    }
    (work, size)
}

/// The normal velocity of each contact.
pub fn normal_velocities<S: Scalar>(system: &System<S>, velocity: &[S]) -> Vec<S> {
    let normals = system.contacts.iter().map(|c| c.normal.velocity(velocity));
    normals.collect()
}

fn targets<S: Scalar>(system: &System<S>, active: &[usize], stop: &StopSettings<S>) -> Vec<Target> {
    let tangents = active
        .iter()
        .filter(|i| stop.sticking.contains(i))
        .flat_map(|&i| {
            (0..system.contacts[i].tangents.len()).map(move |axis| Target::Tangent(i, axis))
        });
    let joints = (0..system.joints.len()).map(Target::Joint);
    let normals = active.iter().map(|&i| Target::Normal(i));
    joints.chain(normals).chain(tangents).collect()
}

fn solve<S: Scalar>(
    system: &System<S>,
    targets: &[Target],
    before: &[S],
    stop: &StopSettings<S>,
    rounds: usize,
) -> Result<Impulse<S>, ForceError> {
    let constraint = |target: &Target| match *target {
        Target::Normal(i) => &system.contacts[i].normal,
        Target::Tangent(i, axis) => &system.contacts[i].tangents[axis],
        Target::Joint(i) => &system.joints[i].constraint,
    };
    let rows: Vec<Covector<S>> = targets.iter().map(|t| constraint(t).row.clone()).collect();
    let missing = |target: &Target| {
        // A contact that approaches only through other impulses has no speed of its own to reverse.
        let wanted = match *target {
            Target::Normal(i) if approaches(&before[i]) => -(before[i].clone() * &stop.restitution),
            _ => S::zero(),
        };
        wanted - constraint(target).velocity(&system.velocity)
    };
    let missing: Vec<S> = targets.iter().map(missing).collect();
    let LinearSolution::Inside { x, .. } = system.coupling(&rows, &rows).solve(&missing) else {
        return Err(ForceError::Contradiction);
    };
    let empty = |i: usize| vec![S::zero(); 1 + system.contacts[i].tangents.len()];
    let mut impulse = Impulse {
        contacts: (0..system.contacts.len()).map(empty).collect(),
        joints: vec![S::zero(); system.joints.len()],
        velocity: system.velocity_after(rows.iter().zip(&x)),
        rounds,
    };
    for (target, p) in targets.iter().zip(x) {
        match *target {
            Target::Normal(i) => impulse.contacts[i][0] = p,
            Target::Tangent(i, axis) => impulse.contacts[i][1 + axis] = p,
            Target::Joint(i) => impulse.joints[i] = p,
        }
    }
    Ok(impulse)
}

/// 0 <= e <= 1. With Newton's law at every contact, frictionless, an impact changes kinetic energy
/// by -(1 - e)/(1 + e)/2 p'A p: above 1 it would gain.
fn check_restitution<S: Scalar>(restitution: &S) -> Result<(), ForceError> {
    if *restitution >= S::zero() && *restitution <= S::one() {
        return Ok(());
    }
    let restitution = restitution.to_string();
    Err(ForceError::Restitution { restitution })
}

/// The rows of [`impact_problem`]: the normals of all contacts, then all joints.
pub fn impact_rows<S: Scalar>(system: &System<S>) -> Vec<Covector<S>> {
    let normals = system.contacts.iter().map(|c| c.normal.row.clone());
    let joints = system.joints.iter().map(|j| j.constraint.row.clone());
    normals.chain(joints).collect()
}

/// The generalised velocity that impulses p on the [`impact_rows`] leave.
pub fn velocity_after_impact<S: Scalar>(system: &System<S>, p: &[S]) -> Vec<S> {
    system.velocity_after(impact_rows(system).iter().zip(p))
}

/// The frictionless impact of all contacts at once as a complementarity problem. Impulses p >= 0 satisfy
/// v+ + e v = A p + (1 + e) v >= 0 and p'(v+ + e v) = 0. The impulses of joints are free, and the
/// joints' velocities stay 0. The rows are those of [`impact_rows`].
///
/// # Errors
/// [`ForceError::Restitution`] for e outside of 0 <= e <= 1, [`ForceError::Scene`] when velocities
/// violate a joint, [`ForceError::Problem`] when binary64 data overflowed.
pub fn impact_problem<S: Scalar>(
    system: &System<S>,
    restitution: &S,
    name: &str,
) -> Result<Problem, ForceError> {
    check_restitution(restitution)?;
    system.check_joints()?;
    let rows = impact_rows(system);
    let a = system.coupling(&rows, &rows);
    // Newton's law asks for v+ >= -e v. With v+ = v + A p that is A p + (1 + e) v >= 0.
    let factor = S::one() + restitution;
    let mut q: Vec<S> = normal_velocities(system, &system.velocity);
    q.extend(system.joints.iter().map(|_| S::zero()));
    let q: Option<Vec<Number>> = q.into_iter().map(|v| (v * &factor).to_number()).collect();
    let row = |i: usize| a.row(i).iter().map(S::to_number).collect();
    let m: Option<Vec<Vec<Number>>> = (0..rows.len()).map(row).collect();
    let (Some(m), Some(q)) = (m, q) else {
        return Err(ForceError::Problem("A or v overflowed".to_owned()));
    };
    let m = Matrix::from_rows(m).map_err(|error| ForceError::Problem(error.to_string()))?;
    let problem = Problem::new(name, m, q)?;
    if system.joints.is_empty() {
        return Ok(problem);
    }
    let contacts = system.contacts.iter();
    let lower = contacts.map(|_| Bound::Finite(Number::from(0)));
    // A joint holds both ways, so its impulse has no sign.
    let free = system.joints.iter().map(|_| Bound::NegativeInfinity);
    Ok(problem.with_bounds(Some(lower.chain(free).collect()), None)?)
}
