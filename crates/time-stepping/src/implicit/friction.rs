//! The law of friction, held against a solution on its own.

use super::branch::Unpacked;
use super::interval::Interval;
use super::number::{Number, dot};
use super::problem::{PairUnknowns, PairValues, StepProblem, Values};
use crate::oracle::Term;

/// A pair whose friction is certainly not what its law says.
#[derive(Debug, Clone)]
pub struct FrictionBreach {
    /// The name of the pair.
    pub pair: String,
    /// What it breaks.
    pub term: Term,
    /// By how much.
    pub amount: f64,
}

/// What certainly does not hold of friction anywhere in an enclosure. With p_k and v_k along the tangents and about the normal, c_k = mu for
/// the former and torsion for the latter, friction is within its ellipsoid and takes all that this allows:
///
/// > sum of (p_k/c_k)^2 <= p_n^2,  -sum of p_k v_k = p_n (sum of (c_k v_k)^2)^(1/2).
///
/// The right side is the largest of -p'v over the ellipsoid: neither sigma nor a mode is asked.
pub fn friction_breaches(
    problem: &StepProblem<'_>,
    unknowns: &Unpacked<Interval>,
    values: &Values<Interval>,
) -> Vec<FrictionBreach> {
    let pairs = unknowns.pairs.iter().zip(&values.pairs);
    let own = pairs.flat_map(|(own, values)| breaches(problem, own, values));
    own.collect()
}

fn breaches(
    problem: &StepProblem<'_>,
    own: &PairUnknowns<Interval>,
    values: &PairValues<Interval>,
) -> Vec<FrictionBreach> {
    let Some((p_n, friction)) = own.impulse.as_ref().filter(|own| !own.1.is_empty()) else {
        return Vec::new();
    };
    let pair = &problem.system.pairs()[own.pair];
    let spins = usize::from(pair.torsion != 0);
    let tangents = friction.len() - spins.min(friction.len());
    let coefficient = |k: usize| {
        let own = if k < tangents {
            &pair.mu
        } else {
            &pair.torsion
        };
        p_n.lift(own)
    };
    let each = |values: &[Interval], of: &dyn Fn(&Interval, Interval) -> Interval| {
        let own = values.iter().enumerate();
        own.map(|(k, x)| of(x, coefficient(k))).collect::<Vec<_>>()
    };
    let shares = each(friction, &|p, c| p.clone() / c);
    let rates = each(&values.sliding, &|v, c| v.clone() * c);
    let room = p_n.clone() * p_n.clone() - dot(p_n, &shares, &shares);
    let taken = -dot(p_n, friction, &values.sliding);
    let most = p_n.clone() * dot(p_n, &rates, &rates).sqrt();
    let mut found = Vec::new();
    let mut broken = |term, amount: Interval| {
        found.push(FrictionBreach {
            pair: problem.system.pair_name(pair),
            term,
            amount: amount.about(),
        });
    };
    if *room.high() < 0 {
        broken(Term::FrictionBound, room);
    }
    let left = most - taken;
    if !left.holds_zero() {
        broken(Term::MaximalDissipation, left);
    }
    found
}
