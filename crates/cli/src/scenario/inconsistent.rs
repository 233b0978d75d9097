//! The story of a scene without contact forces.

use etalon_contact_forces::{
    Consistency, ContactMotion, Formulation, Resolution, Resolved, RowKind, StaticLaw,
    StoppingImpulse,
};
use etalon_lcp::{Certificate, Number};
use etalon_rigid::System;
use etalon_scenarios::Inconsistent;
use rug::Rational;

use super::law::conditions;
use super::show::{count, forces_table, list, number, vector};

/// That there are none, why, and what impulse helps.
pub fn inconsistent(
    system: &System<Rational>,
    formulation: Option<&Formulation<Rational>>,
    found: &Inconsistent,
) -> Vec<String> {
    let law = formulation.map_or(StaticLaw::Coulomb, Formulation::law);
    let mut parts = vec![format!(
        "There is no solution: no contact forces at all satisfy {}.\nProof: {}",
        conditions(law),
        proof(&found.proof)
    )];
    parts.extend(formulation.and_then(why));
    match &found.resolved {
        Resolved::Impulse(resolution) => parts.extend(impulse(system, resolution)),
        _ => parts.push(
            "No impulse of friction helps: it is the motion itself that drives the bodies into each other (b is outside the range of A), or no contact can be brought to rest within its friction cone.".to_owned(),
        ),
    }
    parts.extend(found.afterwards.as_ref().map(afterwards));
    parts
}

/// That an impact has no answer, and why.
pub fn no_impulses(certificate: &Certificate) -> String {
    let proof = match certificate {
        Certificate::Farkas { y } => {
            let y: Vec<_> = y.iter().map(Number::to_rational).collect();
            format!(
                "weigh the rows of its problem, 0 <= z with w = M z + q >= 0, by y = {}. Then y'M <= 0 and y'q < 0, so that y'w < 0 for every z >= 0, while w >= 0 would make it at least 0 (checked)",
                vector(&y)
            )
        }
        Certificate::Cover(cover) => format!(
            "every solution of its problem, w = M z + q, has z = 0 or w = 0 in each row; a tree of {} over these choices closes every branch with an inequality that no impulse satisfies (checked)",
            count(cover.nodes.len(), "node", "nodes")
        ),
        _ => "a certificate, checked".to_owned(),
    };
    format!(
        "There is no answer: no impulses at all satisfy the laws of the impact.\nProof: {proof}.\n\nWhat may help: another coefficient of restitution, as with 0 no contact has to bounce; another law; or less friction."
    )
}

fn proof(certificate: &Certificate) -> String {
    let cover = match certificate {
        Certificate::Farkas { y } => {
            let y: Vec<_> = y.iter().map(Number::to_rational).collect();
            return format!(
                "weigh the rows with y = {}. Then y'A <= 0 and y'b < 0, so that y'(A f + b) < 0 for every f >= 0, while a >= 0 would make it at least 0 (checked).",
                vector(&y)
            );
        }
        Certificate::Cover(cover) => cover,
        _ => return "a certificate, checked.".to_owned(),
    };
    format!(
        "every solution has f = 0 or a = 0 in each row; a tree of {} over these choices closes every branch with an inequality that no force satisfies (checked).",
        count(cover.nodes.len(), "node", "nodes")
    )
}

/// Painleve's mechanism, where it is at work: A_ii < 0 at a sliding contact.
fn why(formulation: &Formulation<Rational>) -> Option<String> {
    let system = formulation.system();
    let mut reasons = Vec::new();
    for (row, kind) in formulation.rows().iter().enumerate() {
        let RowKind::Normal(i) = *kind else { continue };
        let own = formulation.a()[(row, row)].clone();
        if !matches!(formulation.motions()[i], ContactMotion::Sliding(_)) || own > 0 {
            continue;
        }
        let contact = &system.contacts[i];
        let normal = [contact.normal.row.clone()];
        let plain = system.coupling(&normal, &normal)[(0, 0)].clone();
        if plain <= own {
            continue;
        }
        // A_ii = plain - mu c, so that it is zero at mu = plain / c.
        let critical = contact.mu.clone() * &plain / (plain.clone() - &own);
        let mut reason = format!(
            "Why: pressing on {} with one newton pushes the bodies apart by {} m/s^2, but the friction of sliding that comes with it turns them into each other, {} m/s^2 in all.",
            contact.name,
            number(&plain),
            number(&own)
        );
        if contact.slip.is_none() {
            reason.push_str(&format!(
                " That is so for mu > {}; here mu = {}.",
                number(&critical),
                number(&contact.mu)
            ));
        }
        reasons.push(reason);
    }
    (!reasons.is_empty()).then(|| reasons.join("\n"))
}

fn impulse(system: &System<Rational>, found: &Resolution<Rational>) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(ray) = &found.ray {
        parts.push(format!(
            "Lemke's method ends in a ray: z = {}, for which A z = {}. The harder the contacts press, the faster the bodies approach; only an impulse ends that.",
            vector(&ray.z),
            vector(&ray.response)
        ));
    }
    parts.extend(along(system, found));
    parts
}

/// The impulse along a ray, with the conditions on it.
pub fn along(system: &System<Rational>, found: &Resolution<Rational>) -> Vec<String> {
    let name = |i: &usize| system.contacts[*i].name.clone();
    let mut parts = Vec::new();
    parts.push(match &found.impulse {
        StoppingImpulse::Ray { k, .. } => format!(
            "The impulse: {} N s of that ray stops the sliding (Baraff 1994, section 6).",
            number(k)
        ),
        StoppingImpulse::Consistency {
            contact,
            impulse,
            cancelling,
            ..
        } => format!(
            "No multiple of the ray stops the sliding: {}. The impulse: {} N s (normal, tangents) at {} brings it to rest (Darwin2K's consistency impulse).",
            cancels(system, cancelling),
            vector(impulse),
            name(contact)
        ),
        _ => String::new(),
    });
    let report = &found.report;
    let stopped: Vec<_> = report.stopped.iter().map(name).collect();
    let approaching = report.approaching.iter();
    let approaching: Vec<_> = approaching
        .map(|(i, v)| format!("{} at {} m/s", name(i), number(v)))
        .collect();
    let outside: Vec<_> = report.outside_cone.iter().map(name).collect();
    parts.push(format!(
        "Checked:\n  (1) from sliding to not sliding: {};\n  (2) approaching after that impulse: {};\n  approaching after a second impulse of {}: {};\n  {};\n  total impulse outside the friction cone: {}.",
        list(&stopped),
        list(&approaching),
        second(system, found),
        list(&report.still_approaching.iter().map(name).collect::<Vec<_>>()),
        energies(&report.kinetic_energy, &report.relative_work),
        list(&outside)
    ));
    parts
}

/// Kinetic energy in the world, with the work of obstacles that move. That of the motion relative to them does not rise.
fn energies(energy: &[Rational; 3], relative: &[Rational; 2]) -> String {
    let [before, middle, after] = energy.each_ref().map(number);
    let work = |k: usize| Rational::from(&energy[k + 1] - &energy[k]) - &relative[k];
    let own = [work(0), work(1)];
    let mut text = format!("kinetic energy: {before} J, then {middle} J, then {after} J");
    let moved = own.iter().any(|work| *work != 0);
    if moved {
        let [first, second] = own.each_ref().map(number);
        text.push_str(&format!(
            ", to which obstacles that move did {first} J, then {second} J of work"
        ));
    }
    text.push_str(match (relative.iter().any(|work| *work > 0), moved) {
        (true, _) => ": it RISES",
        (false, true) => ": relative to them it never rises",
        (false, false) => ": it never rises",
    });
    text
}

fn second(system: &System<Rational>, found: &Resolution<Rational>) -> String {
    let acting = found.stop.contacts.iter().zip(&system.contacts);
    let acting = acting.filter(|(p, _)| p.iter().any(|p| *p != 0));
    let texts: Vec<_> = acting
        .map(|(p, contact)| format!("{} N s at {}", vector(p), contact.name))
        .collect();
    if texts.is_empty() {
        "nothing".to_owned()
    } else {
        list(&texts)
    }
}

type Cancelling = [(usize, Vec<Option<Rational>>)];

fn cancels(system: &System<Rational>, cancelling: &Cancelling) -> String {
    let one = |(i, multiples): &(usize, Vec<Option<Rational>>)| {
        let texts = multiples.iter().map(|k| match k {
            Some(k) => number(k),
            None => "no multiple".to_owned(),
        });
        let texts: Vec<_> = texts.collect();
        format!(
            "the tangents of {} would need {}",
            system.contacts[*i].name,
            list(&texts)
        )
    };
    list(&cancelling.iter().map(one).collect::<Vec<_>>())
}

fn afterwards(consistency: &Consistency<Rational>) -> String {
    match consistency {
        Consistency::Unique(forces) => {
            format!("With the new velocities contact forces exist, and only these:\n{}", forces_table(forces))
        }
        Consistency::Indeterminate(found) => format!(
            "With the new velocities contact forces exist, though not only these:\n{}",
            found.solutions.first().map(forces_table).unwrap_or_default()
        ),
        Consistency::Inconsistent(_) => {
            "With the new velocities there are no contact forces either: another impulse must follow.".to_owned()
        }
        _ => "Whether contact forces exist with the new velocities was not decided.".to_owned(),
    }
}
