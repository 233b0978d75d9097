//! One contact in space with friction, u = M r + q: its answers, mode by mode, and the judge's verdicts on them.
//!
//! Forces are proposed in binary64. The judge decides on each, and the kernel on its mode: a mode is called proved only
//! where the box of an enclosure with that mode, at the force, holds a solution.

mod modes;
#[cfg(test)]
mod tests;

use etalon_exact::enclose;
use etalon_judge::{Judge, Judgement};
use etalon_lcp::{
    Certificate, Claim, ClaimedAnswer, Cone, Disc, Law, Mode as ProvedMode, Mu, Number, Problem,
    ProblemError, VerdictKind, round_up_f64,
};
use nalgebra::{DMatrix, DVector};

use crate::protocol::{
    AnswerShown, AskContact, Complaint, ComplaintCode, ContactLaw, ContactShown,
};
use modes::{Contact, Found, Mode};

/// Entries of M and q, and forces of the page, are no larger. Beyond it nothing could be drawn.
const ENTRY: f64 = 1e6;
/// The coefficient of friction is no larger, as in worlds.
const FRICTION: f64 = 10.0;
/// A proved solution is at a force if it is no farther, relative to the largest component. The judge's tolerance.
const AT: f64 = 1e-9;

/// The answers to a contact problem that were found, and the verdict on each, and on the page's own force.
///
/// # Errors
/// A [`Complaint`] for numbers out of range.
pub fn answer(ask: &AskContact) -> Result<ContactShown, Complaint> {
    check(ask)?;
    let problem = problem(ask).map_err(|error| {
        let remedy = "send nine numbers m, three numbers q, and mu from 0 to 10";
        Complaint::new(
            ComplaintCode::BadField,
            Some("m"),
            error.to_string(),
            remedy,
        )
    })?;
    let judge = Judge::default();
    let contact = Contact {
        m: ask.m,
        q: ask.q,
        mu: ask.mu,
        law: law(ask.law),
    };
    let found = contact.answers();
    let judged = |r: [f64; 3]| judged(&judge, &problem, r);
    let shown = |found: &Found| {
        let judgement = judged(found.r);
        let proved = is_proved(&problem, found, judgement.verdict.kind);
        AnswerShown {
            mode: Some(found.mode.word().to_owned()),
            proved,
            ..shown(&contact, found.r, judgement)
        }
    };
    Ok(ContactShown {
        answers: found.iter().map(shown).collect(),
        own: ask.r.map(|r| self::shown(&contact, r, judged(r))),
        ask: ask.clone(),
    })
}

fn law(law: ContactLaw) -> Law {
    match law {
        ContactLaw::Coulomb => Law::Coulomb,
        ContactLaw::Convex => Law::Convex,
    }
}

fn check(ask: &AskContact) -> Result<(), Complaint> {
    let entries = ask.m.iter().flatten().map(|entry| ("m", entry));
    let entries = entries.chain(ask.q.iter().map(|entry| ("q", entry)));
    let entries = entries.chain(ask.r.iter().flatten().map(|entry| ("r", entry)));
    let beyond = |field: &str, value: f64, remedy: String| {
        let message = format!("{value} is out of range");
        Err(Complaint::new(
            ComplaintCode::OutOfRange,
            Some(field),
            message,
            remedy,
        ))
    };
    for (field, &entry) in entries {
        if !(-ENTRY..=ENTRY).contains(&entry) {
            let remedy = format!("take numbers from {:e} to {ENTRY:e}", -ENTRY);
            return beyond(field, entry, remedy);
        }
    }
    if !(0.0..=FRICTION).contains(&ask.mu) {
        return beyond("mu", ask.mu, format!("take 0 to {FRICTION}"));
    }
    Ok(())
}

/// The problem of one contact, whose normal is the first row.
fn problem(ask: &AskContact) -> Result<Problem, ProblemError> {
    let m = DMatrix::from_fn(3, 3, |i, j| ask.m[i][j]);
    let q = DVector::from_column_slice(&ask.q);
    let problem = Problem::from_binary64("contact", &m, &q)?;
    problem.with_cones(vec![Cone {
        normal: 0,
        discs: vec![Disc {
            rows: vec![1, 2],
            mu: Mu::One(number(ask.mu)),
        }],
        law: law(ask.law),
    }])
}

/// A number that was checked to be finite.
fn number(value: f64) -> Number {
    Number::from_f64(value).unwrap_or_else(|| Number::from(0))
}

fn judged(judge: &Judge, problem: &Problem, r: [f64; 3]) -> Judgement {
    let z = r.map(number).to_vec();
    let claim = Claim::new("contact", ClaimedAnswer::Solved { z });
    judge.verdict(problem, &claim)
}

/// A force with the verdict on it, of no mode.
fn shown(contact: &Contact, r: [f64; 3], judgement: Judgement) -> AnswerShown {
    let measures = judgement.verdict.measures.as_ref();
    AnswerShown {
        mode: None,
        proved: false,
        r,
        u: contact.velocity(r),
        verdict: judgement.verdict.kind.word().to_owned(),
        accepted: judgement.accepted,
        error: measures.map(|measures| round_up_f64(&measures.error)),
        negativity: measures.map(|measures| round_up_f64(&measures.negativity)),
        reason: judgement.verdict.reason.clone(),
    }
}

/// Whether a solution with that mode is proved to be at the force. An exact solution without force is open as it
/// stands; of others the kernel proves the mode, unless they are at a change of modes.
fn is_proved(problem: &Problem, found: &Found, verdict: VerdictKind) -> bool {
    if found.mode == Mode::Open && verdict == VerdictKind::Exact {
        return true;
    }
    let Some(Certificate::Enclosure(own)) = enclose(problem, &found.r) else {
        return false;
    };
    let size = found.r.iter().fold(0.0_f64, |size, r| size.max(r.abs()));
    let reach = number(AT * size).to_rational();
    let is_at = |(center, r): (&Number, f64)| {
        let apart = center.to_rational() - number(r).to_rational();
        apart.abs() <= reach
    };
    let mode = match own.modes.first() {
        Some(ProvedMode::Open) => Mode::Open,
        // Without friction a contact that presses does not hold its tangents: that is called to slide.
        Some(ProvedMode::Pressed(slides)) if slides == &[true] || is_smooth(problem) => Mode::Slide,
        Some(ProvedMode::Pressed(_)) => Mode::Stick,
        _ => return false,
    };
    mode == found.mode && own.center.iter().zip(found.r).all(is_at)
}

fn is_smooth(problem: &Problem) -> bool {
    let discs = problem.cones().iter().flat_map(|cone| &cone.discs);
    discs
        .flat_map(|disc| disc.mu.data())
        .all(|mu| mu.signum() == 0)
}
