//! The lines of trajectories of bodies with implicit surfaces.

use etalon_golden::trajectory::{self, Contact, Line};
use etalon_lcp::Basis;
use etalon_rigid::Scalar;
use etalon_time_stepping::Energy;
use etalon_time_stepping::implicit::{ImplicitStep, PairRecord, System, Verified};
use rug::Rational;

use super::record::{Writer, binary64, lcp};

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
pub fn line<S: Scalar>(writer: Writer, k: u64, h: &Rational, step: &ImplicitStep<S>) -> Line {
    let lost = &step.dissipation;
    let losses = [
        lost.friction,
        lost.numerical,
        lost.position,
        lost.inertial,
        lost.rounding,
    ];
    let gains = step.pairs.iter().filter(|pair| pair.gains);
    let bounces = step.pairs.iter().filter(|pair| pair.bounces);
    let bounces: Vec<String> = bounces.map(|pair| pair.pair.clone()).collect();
    let problem = match &step.last {
        Some((_, answer)) => lcp(&answer.z, &answer.basis, answer.pivots),
        None => lcp::<f64>(&[], &Basis::new(Vec::new()), Some(0)),
    };
    let dissipation = [
        ("friction", lost.friction),
        ("numerical", lost.numerical),
        ("position", lost.position),
        ("inertial", lost.inertial),
        ("rounding", lost.rounding),
    ];
    let dissipation = dissipation.map(|(name, part)| (name.to_owned(), binary64(part)));
    Line {
        k,
        t: writer.time(k, h),
        q: writer.states(&step.after.q),
        v: writer.states(&step.after.v),
        contacts: step.pairs.iter().map(contact).collect(),
        lcp: problem,
        energy: writer.energy(&step.energy),
        dissipated: binary64(losses.iter().sum()),
        dissipation: Some(dissipation.into()),
        gains: Some(gains.map(|pair| pair.pair.clone()).collect()),
        bounces: Some(bounces).filter(|own| !own.is_empty()),
        verified: Some(verified(&step.verified)),
        problems: Some(step.problems as u64),
        iterations: Some(step.iterations as u64),
        dampings: Some(step.dampings as u64),
        converged: Some(step.converged),
        work: step.work.map(binary64),
        flight_gain: step.flight_gain.as_ref().map(|gain| writer.derived(gain)),
        ..Default::default()
    }
}

fn contact(pair: &PairRecord) -> Contact {
    let friction = pair.friction.iter();
    Contact {
        pair: pair.pair.clone(),
        gap: binary64(pair.gap),
        normal: binary64(pair.normal),
        friction: friction.map(|p| binary64(*p)).collect(),
        torsion: pair.torsion.map(binary64),
        mode: Some(pair.mode.name().to_owned()),
        ..Default::default()
    }
}

fn verified(verified: &Verified) -> trajectory::Verified {
    match verified {
        Verified::Proved { radius } => trajectory::Verified {
            proved: true,
            radius: Some(binary64(*radius)),
            ..Default::default()
        },
        Verified::Unproved { reason } => trajectory::Verified {
            reason: Some(reason.to_string()),
            ..Default::default()
        },
    }
}
