//! The lines of trajectories of bodies with implicit surfaces.

use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::Energy;
use etalon_time_stepping::implicit::{ImplicitStep, PairRecord, System, Verified};
use rug::Rational;
use serde_json::{Value, json};

use super::record::{Writer, lcp};

/// The energy of a state.
pub fn energy<S: Scalar>(system: &System, q: &[S], v: &[S]) -> Option<Energy<S>> {
    let exact = |values: &[S]| -> Option<Vec<Rational>> {
        let number = |value: &S| Some(value.to_number()?.to_rational());
        values.iter().map(number).collect()
    };
    let (q, v) = (exact(q)?, exact(v)?);
    Some(Energy {
        kinetic: S::from_rational(&system.kinetic(&q, &v)),
        potential: S::from_rational(&system.potential(&q)),
    })
}

/// The line of a step.
pub fn line<S: Scalar>(writer: Writer, k: u64, h: &Rational, step: &ImplicitStep<S>) -> Value {
    let lost = &step.dissipation;
    let losses = [
        lost.friction,
        lost.numerical,
        lost.position,
        lost.inertial,
        lost.rounding,
    ];
    let gains = step.pairs.iter().filter(|pair| pair.gains);
    let problem = match &step.last {
        Some((_, answer)) => lcp(&answer.z, &answer.basis, answer.pivots),
        None => lcp::<f64>(&[], &Basis::new(Vec::new()), Some(0)),
    };
    let mut line = json!({
        "k": k,
        "t": writer.time(k, h),
        "q": writer.states(&step.after.q),
        "v": writer.states(&step.after.v),
        "contacts": step.pairs.iter().map(contact).collect::<Vec<_>>(),
        "lcp": problem,
        "energy": writer.energy(&step.energy),
        "dissipated": number(losses.iter().sum()),
        "dissipation": {
            "friction": number(lost.friction),
            "numerical": number(lost.numerical),
            "position": number(lost.position),
            "inertial": number(lost.inertial),
            "rounding": number(lost.rounding),
        },
        "gains": gains.map(|pair| &pair.pair).collect::<Vec<_>>(),
        "verified": verified(&step.verified),
        "problems": step.problems,
        "iterations": step.iterations,
        "dampings": step.dampings,
        "converged": step.converged,
    });
    if let Some(gain) = &step.flight_gain {
        line["flight_gain"] = writer.derived(gain);
    }
    line
}

/// There is one zero only.
fn number(value: f64) -> Value {
    json!(value + 0.0)
}

fn contact(pair: &PairRecord) -> Value {
    json!({
        "pair": pair.pair,
        "gap": number(pair.gap),
        "normal": number(pair.normal),
        "friction": pair.friction.iter().map(|p| number(*p)).collect::<Vec<_>>(),
        "mode": pair.mode.name(),
    })
}

fn verified(verified: &Verified) -> Value {
    match verified {
        Verified::Proved { radius } => json!({"proved": true, "radius": number(*radius)}),
        Verified::Unproved { reason } => json!({"proved": false, "reason": reason}),
    }
}
