//! Newton's law of restitution, held against a solution on its own.

use super::branch::Unpacked;
use super::interval::Interval;
use super::number::Number;
use super::problem::{PairUnknowns, PairValues, StepProblem, Values};

/// A pair that certainly does not bounce as its law says.
#[derive(Debug, Clone)]
pub struct BounceBreach {
    /// The name of the pair.
    pub pair: String,
    /// By how much it parts too fast, or below 0 too slowly, m/s.
    pub amount: f64,
}

/// What certainly does not hold of bounces anywhere in an enclosure. With w the rate at which a pair parts after the step and w^l before it,
/// both along the normal and at the place where it presses,
///
/// > w^l < 0,  w + e w^l >= 0,  and = 0 where it presses.
pub fn bounce_breaches(
    problem: &StepProblem<'_>,
    unknowns: &Unpacked<Interval>,
    values: &Values<Interval>,
) -> Vec<BounceBreach> {
    let pairs = unknowns.pairs.iter().zip(&values.pairs);
    let found = pairs.filter_map(|(own, values)| {
        let amount = breach(problem, own, values)?;
        let pair = &problem.system.pairs()[own.pair];
        Some(BounceBreach {
            pair: problem.system.pair_name(pair),
            amount,
        })
    });
    found.collect()
}

fn breach(
    problem: &StepProblem<'_>,
    own: &PairUnknowns<Interval>,
    values: &PairValues<Interval>,
) -> Option<f64> {
    let (bounce, rate) = (values.bounce.as_ref()?, values.normal_rate.as_ref()?);
    let e = rate.lift(&problem.system.restitution(own.pair));
    let beyond = rate.clone() + e * bounce.approach.clone();
    let presses = own.impulse.is_some();
    let fits = match presses {
        true => beyond.holds_zero(),
        false => *beyond.high() >= 0,
    };
    if *bounce.approach.low() >= 0 {
        return Some(bounce.approach.about());
    }
    (!fits).then(|| beyond.about())
}
