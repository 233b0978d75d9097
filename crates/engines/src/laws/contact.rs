//! The laws of each contact.

use rug::Rational;

use super::{ACCEPTED_UNITS, energy};
use crate::assembly::{Assembly, ContactRows, DiscRows, Groups, PyramidRows};
use crate::exact::{largest, length_above, power, ratio, sum};
use crate::findings::{Laws, Measured};
use crate::step::{EngineStep, FrictionLaw, KnownImpulse};

/// Fills in what contacts say.
pub fn measure(
    assembly: &Assembly,
    law: FrictionLaw,
    (step, share): (&EngineStep, &Rational),
    laws: &mut Laws,
) {
    let contacts: Vec<_> = (assembly.contacts.iter().enumerate())
        .filter(|(_, own)| own.impulse.is_some() && own.known != KnownImpulse::Nothing)
        .collect();
    if contacts.is_empty() {
        return;
    }
    let (mut cone, mut axes, mut direction) = (
        Measured::default(),
        Measured::default(),
        Measured::default(),
    );
    let mut slip = Rational::new();
    let is_known = |own: &ContactRows| own.known == KnownImpulse::All;
    for (c, own) in &contacts {
        let Some(impulse) = &own.impulse else {
            continue;
        };
        let (most, speed) = (
            assembly.groups.normal(&own.rows, share),
            assembly.groups.speed(&own.rows, share),
        );
        let relative = |off: &Rational| ratio(off, &most).unwrap_or_else(|| Rational::from(1));
        let negative = (-impulse[0].clone()).max(Rational::new());
        cone.raise(relative(&negative), || {
            format!("contact {c}: its normal impulse pulls")
        });
        axes.raise(relative(&negative), || {
            format!("contact {c}: its normal impulse pulls")
        });
        if !is_known(own) {
            continue;
        }
        let (round, by_axis) = outside(own, impulse);
        let place = || format!("contact {c}: its friction is outside of the cone");
        cone.raise(relative(&round), place);
        axes.raise(relative(&by_axis), place);
        slip = slip.max(slip_speed(own));
        let off = against(own, impulse, &most, &speed);
        direction.raise(off, || {
            format!("contact {c}: friction does not oppose the slip")
        });
    }
    laws.cone = Some(cone);
    laws.axes = law.is_by_axis().then_some(axes);
    if contacts.iter().any(|(_, own)| is_known(own)) {
        laws.direction = Some(direction);
        laws.slip = Some(slip);
    }
    gaps(&contacts, (&assembly.groups, share), laws);
    if contacts.iter().all(|(_, own)| is_known(own)) && contacts.len() == assembly.contacts.len() {
        let noise = power(step.precision.unit_exponent()) * ACCEPTED_UNITS * &assembly.speed;
        energy::measure(&contacts, step.model, (&assembly.groups, &noise), laws);
    }
}

/// Friction beyond the cone, as an impulse: by length (with mu of each axis: |(λ_k/mu_k)| - λ_n in units of mu), and by axis.
fn outside(own: &ContactRows, impulse: &[Rational]) -> (Rational, Rational) {
    let normal = impulse[0].clone().max(Rational::new());
    let sliding: Vec<_> = own.discs.iter().filter(|disc| disc.slides).collect();
    let pairs = || {
        let rows = sliding
            .iter()
            .flat_map(|disc| disc.rows.iter().zip(&disc.mu));
        rows.map(|(k, mu)| (&impulse[*k], mu))
    };
    let by_axis = pairs().map(|(own, mu)| own.clone().abs() - Rational::from(mu * &normal));
    let by_axis = by_axis.max().unwrap_or_default();
    let round = beyond(pairs(), &normal);
    let others = own.discs.iter().filter(|disc| !disc.slides).map(|disc| {
        let pairs = disc
            .rows
            .iter()
            .zip(&disc.mu)
            .map(|(k, mu)| (&impulse[*k], mu));
        // In units of an impulse, not of an angular one.
        let most = largest(&disc.mu);
        let off = beyond(pairs, &normal);
        if most.is_zero() { off } else { off / most }
    });
    let weights = own
        .pyramids
        .iter()
        .map(|own| missing(own, impulse, &normal));
    let others = others.chain(weights).max().unwrap_or_default();
    let zero = Rational::new();
    (
        round.max(others.clone()).max(zero.clone()),
        by_axis.max(others).max(zero),
    )
}

/// How far weights are outside of a pyramid: the largest that pulls, and the normal impulse that their sum lacks. Without friction there
/// is none that would do, and the sum itself counts.
fn missing(own: &PyramidRows, impulse: &[Rational], normal: &Rational) -> Rational {
    let weights = || own.rows.iter().map(|k| &impulse[*k]);
    let pulls = weights().map(|own| Rational::from(-own));
    let pulls = pulls.max().unwrap_or_default();
    let total = sum(weights().cloned());
    let lacks = match own.mu.is_zero() {
        true => total,
        false => total / &own.mu - normal,
    };
    pulls.max(lacks)
}

/// How much an impulse is outside of an ellipse: mu (|(λ_k/mu_k)| - λ_n) with the largest mu, rounded up.
fn beyond<'a>(
    pairs: impl Iterator<Item = (&'a Rational, &'a Rational)>,
    normal: &Rational,
) -> Rational {
    let pairs: Vec<_> = pairs.collect();
    let most = largest(pairs.iter().map(|(_, mu)| *mu));
    let free = largest(
        pairs
            .iter()
            .filter(|(_, mu)| mu.is_zero())
            .map(|(own, _)| *own),
    );
    let stretched = pairs
        .iter()
        .filter(|(_, mu)| !mu.is_zero())
        .map(|(own, mu)| Rational::from(*own * &most) / *mu);
    // Of one row, and of all whose length is a fraction, nothing is rounded.
    let length = length_above(&stretched.collect::<Vec<_>>());
    free.max(length - most * normal)
}

/// The speed of slip at the end of the step, rounded up.
fn slip_speed(own: &ContactRows) -> Rational {
    let sliding = own.discs.iter().filter(|disc| disc.slides);
    let speeds: Vec<_> = sliding
        .flat_map(|disc| disc.rows.iter().map(|k| own.u[1][*k].clone()))
        .collect();
    // A pyramid says the speed along each of its directions, no two of which need be orthogonal: the largest is shown.
    let along = own.pyramids.iter().flat_map(|own| &own.rows);
    length_above(&speeds).max(largest(along.map(|k| &own.u[1][*k])))
}

/// (λ_t . u_t + λ_n |(mu u_t)|) / (mu max λ |v|): 0 where friction opposes the slip with all that it may.
fn against(own: &ContactRows, impulse: &[Rational], most: &Rational, speed: &Rational) -> Rational {
    let of_disc = |disc: &&DiscRows| {
        let work = sum(disc
            .rows
            .iter()
            .map(|k| Rational::from(&impulse[*k] * &own.u[1][*k])));
        let slip: Vec<_> = disc
            .rows
            .iter()
            .zip(&disc.mu)
            .map(|(k, mu)| Rational::from(&own.u[1][*k] * mu))
            .collect();
        let lost = work + length_above(&slip) * impulse[0].clone().max(Rational::new());
        let size = largest(&disc.mu) * most * speed;
        match ratio(&lost.max(Rational::new()), &size) {
            Some(value) => value,
            // Without friction no direction is asked; without impulse or speed there is nothing to lose.
            None => Rational::new(),
        }
    };
    // The weights of a pyramid work -mu λ_n max_j (-u_j) at the least, and 0 where it does not slide.
    let of_pyramid = |pyramid: &PyramidRows| {
        let u = || pyramid.rows.iter().map(|k| &own.u[1][*k]);
        let pairs = pyramid.rows.iter().zip(u());
        let work = sum(pairs.map(|(k, u)| Rational::from(&impulse[*k] * u)));
        let against = u().map(|own| Rational::from(-own)).max();
        let against = against.unwrap_or_default().max(Rational::new());
        let most_work = against * &pyramid.mu * impulse[0].clone().max(Rational::new());
        let size = Rational::from(&pyramid.mu * most) * speed;
        ratio(&(work + most_work).max(Rational::new()), &size).unwrap_or_default()
    };
    let opposing = own.discs.iter().filter(|disc| disc.opposes);
    let discs = opposing.map(|disc| of_disc(&disc));
    let pyramids = own.pyramids.iter().map(of_pyramid);
    discs.chain(pyramids).max().unwrap_or_default()
}

/// The normal velocities at the end of the step.
fn gaps(
    contacts: &[(usize, &ContactRows)],
    (groups, share): (&Groups, &Rational),
    laws: &mut Laws,
) {
    let (mut gap, mut asked) = (Measured::default(), false);
    let mut gap_speed = Rational::new();
    for (c, own) in contacts {
        let Some(impulse) = &own.impulse else {
            continue;
        };
        let target = own.target.clone().unwrap_or_default();
        let over = Rational::from(&own.u[1][0] - &target);
        if impulse[0] > 0 {
            gap_speed = gap_speed.max(over.clone().abs());
        }
        if own.target.is_none() {
            continue;
        }
        asked = true;
        // A contact that presses has its target; one that does not may part faster.
        let off = if impulse[0] > 0 {
            over.abs()
        } else {
            (-over).max(Rational::new())
        };
        let speed = groups.speed(&own.rows, share);
        let value = ratio(&off, &speed).unwrap_or_else(|| Rational::from(1));
        gap.raise(value, || {
            format!("contact {c}: its normal velocity is not the declared target")
        });
    }
    laws.gap = asked.then_some(gap);
    laws.gap_speed = Some(gap_speed);
}
