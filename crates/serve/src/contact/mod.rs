//! One contact in space with friction, u = M r + q: its answers, mode by mode, and the judge's verdicts on them.

mod modes;

use etalon_judge::Judge;
use etalon_lcp::{
    Claim, ClaimedAnswer, Cone, Disc, Law, Mu, Number, Problem, ProblemError, round_up_f64,
};
use nalgebra::{DMatrix, DVector};

use crate::protocol::{
    AnswerShown, AskContact, Complaint, ComplaintCode, ContactLaw, ContactShown,
};
use modes::{Contact, Found};

/// Entries of M and q, and forces, are no larger. Beyond it nothing could be drawn.
const ENTRY: f64 = 1e6;
/// The coefficient of friction is no larger, as in worlds.
const FRICTION: f64 = 10.0;

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
    let shown = |found: &Found| judged(&judge, &problem, &contact, found.r, Some(found.mode));
    Ok(ContactShown {
        answers: found.iter().map(shown).collect(),
        own: ask.r.map(|r| judged(&judge, &problem, &contact, r, None)),
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

fn judged(
    judge: &Judge,
    problem: &Problem,
    contact: &Contact,
    r: [f64; 3],
    mode: Option<modes::Mode>,
) -> AnswerShown {
    let z = r.map(number).to_vec();
    let claim = Claim::new("contact", ClaimedAnswer::Solved { z });
    let judgement = judge.verdict(problem, &claim);
    let measures = judgement.verdict.measures.as_ref();
    AnswerShown {
        mode: mode.map(|mode| mode.word().to_owned()),
        r,
        u: contact.velocity(r),
        verdict: judgement.verdict.kind.word().to_owned(),
        accepted: judgement.accepted,
        error: measures.map(|measures| round_up_f64(&measures.error)),
        negativity: measures.map(|measures| round_up_f64(&measures.negativity)),
        reason: judgement.verdict.reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(q: [f64; 3], mu: f64) -> AskContact {
        AskContact {
            m: [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]],
            q,
            mu,
            law: ContactLaw::Coulomb,
            r: None,
        }
    }

    #[test]
    fn three_answers_of_one_contact_are_all_exact() {
        let shown = answer(&ask([1.0, 5.0, 0.0], 2.0)).unwrap();
        let modes: Vec<_> = shown
            .answers
            .iter()
            .filter_map(|a| a.mode.as_deref())
            .collect();
        assert_eq!(modes, ["open", "stick", "slide"]);
        for (own, right) in shown
            .answers
            .iter()
            .zip([[0.0; 3], [3.0, -4.0, 0.0], [1.0, -2.0, 0.0]])
        {
            assert!(own.accepted && own.verdict != "rejected", "{own:?}");
            for (a, b) in own.r.iter().zip(right) {
                assert!((a - b).abs() < 1e-12, "{own:?}");
            }
        }
    }

    #[test]
    fn the_judge_decides_on_the_force_of_the_page() {
        let own = |r| {
            let ask = AskContact {
                r: Some(r),
                ..ask([1.0, 5.0, 0.0], 2.0)
            };
            answer(&ask).unwrap().own.unwrap()
        };
        assert_eq!(own([1.0, -2.0, 0.0]).verdict, "exact");
        let wrong = own([2.0, 0.0, 0.0]);
        assert!(!wrong.accepted && wrong.reason.is_some() && wrong.mode.is_none());
        let outside = own([1.0, 0.0, 4.0]);
        assert!(!outside.accepted && outside.negativity > Some(0.1));
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        for (ask, field) in [
            (ask([f64::NAN, 0.0, 0.0], 1.0), "q"),
            (ask([1e9, 0.0, 0.0], 1.0), "q"),
            (ask([0.0; 3], -1.0), "mu"),
            (ask([0.0; 3], f64::INFINITY), "mu"),
        ] {
            let complaint = answer(&ask).unwrap_err();
            assert_eq!(complaint.code, ComplaintCode::OutOfRange);
            assert_eq!(complaint.field.as_deref(), Some(field));
        }
    }
}
