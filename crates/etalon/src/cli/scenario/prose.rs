//! What came of a scenario, in words.

use etalon_contact_forces::{
    Consistency, ForceError, Forces, Formulation, Indeterminate, Motion, Resolution, Resolved,
    RowKind, StoppingImpulse,
};
use etalon_lcp::{Certificate, Number};
use etalon_rigid::System;
use etalon_scenarios::{Answer, Impact, Inconsistent, Instance, Uniqueness};
use rug::Rational;

use super::show::{count, list, motion, number, vector};
use crate::cli::table::render;

/// Rows up to which equations are written out.
const WRITTEN_OUT: usize = 4;

/// The whole story.
pub fn run(instance: &Instance, answer: &Answer) -> Result<String, ForceError> {
    let system = instance.system()?;
    let formulation = instance.formulation()?;
    let mut parts = vec![opening(instance, &system)];
    parts.extend(formulation.as_ref().map(equations));
    match answer {
        Answer::Forces { forces, unique } => {
            parts.push(table(forces));
            parts.push(uniqueness(
                *unique,
                formulation.as_ref().map_or(0, Formulation::n),
            ));
        }
        Answer::Several(found) => parts.extend(several(found)),
        Answer::Inconsistent(found) => {
            parts.extend(inconsistent(&system, formulation.as_ref(), found));
        }
        Answer::Impulses(impact) => parts.push(impacts(&system, impact)),
        _ => {}
    }
    Ok(parts.join("\n\n"))
}

fn opening(instance: &Instance, system: &System<Rational>) -> String {
    let scenario = &instance.scenario;
    let values: Vec<_> = scenario
        .parameters
        .iter()
        .map(|parameter| {
            let value = number(&instance.values.get(parameter.name));
            format!("{} = {value} {}", parameter.name, parameter.unit)
                .trim_end()
                .to_owned()
        })
        .collect();
    let size = [
        count(system.contacts.len(), "contact", "contacts"),
        count(system.joints.len(), "bilateral row", "bilateral rows"),
        count(system.dofs(), "degree of freedom", "degrees of freedom"),
    ];
    format!(
        "{}: {}.\n{}; {}. All numbers are exact.",
        scenario.name,
        scenario.description,
        list(&values),
        list(&size)
    )
}

/// a = A f + b, written out where it is short.
fn equations(formulation: &Formulation<Rational>) -> String {
    let n = formulation.n();
    let heading = format!(
        "Accelerations at the contacts depend on the forces as a = A f + b, {} by {n}",
        n
    );
    if n > WRITTEN_OUT {
        return format!("{heading}.");
    }
    let lines: Vec<_> = (0..n)
        .map(|i| format!("\n  {}", equation(formulation, i)))
        .collect();
    format!("{heading}:{}", lines.concat())
}

fn equation(formulation: &Formulation<Rational>, i: usize) -> String {
    let mut terms = String::new();
    for (j, value) in formulation.a().row(i).iter().enumerate() {
        if *value != 0 {
            terms.push_str(&signed(value, &format!(" f_{j}"), terms.is_empty()));
        }
    }
    let constant = &formulation.b()[i];
    if *constant != 0 || terms.is_empty() {
        terms.push_str(&signed(constant, "", terms.is_empty()));
    }
    format!("a_{i} = {terms}    ({})", row_name(formulation, i))
}

fn signed(value: &Rational, unit: &str, first: bool) -> String {
    let size = match number(&value.clone().abs()) {
        one if one == "1" && !unit.is_empty() => String::new(),
        size => size,
    };
    let unit = if size.is_empty() {
        unit.trim_start()
    } else {
        unit
    };
    match (*value < 0, first) {
        (true, true) => format!("-{size}{unit}"),
        (true, false) => format!(" - {size}{unit}"),
        (false, true) => format!("{size}{unit}"),
        (false, false) => format!(" + {size}{unit}"),
    }
}

fn row_name(formulation: &Formulation<Rational>, i: usize) -> String {
    let system = formulation.system();
    let contact = |k: usize| &system.contacts[k].name;
    match formulation.rows()[i] {
        RowKind::Normal(k) => match formulation.motions()[k] {
            Motion::Sliding(_) => format!("{}, normal, with the friction of sliding", contact(k)),
            _ => format!("{}, normal", contact(k)),
        },
        RowKind::Tangent { contact: k, .. } => format!("{}, friction", contact(k)),
        RowKind::Direction { contact: k, index } => format!("{}, direction {index}", contact(k)),
        RowKind::Cone(k) => format!("{}, friction cone", contact(k)),
        RowKind::Joint(k) => system.joints[k].name.clone(),
    }
}

fn table(forces: &Forces<Rational>) -> String {
    let rows = forces.contacts.iter().map(|contact| {
        vec![
            contact.name.clone(),
            motion(&contact.motion).to_owned(),
            number(&contact.normal),
            vector(&contact.friction),
            number(&contact.normal_acceleration),
            vector(&contact.tangential_acceleration),
        ]
    });
    let header = [
        "contact",
        "motion",
        "f_N, N",
        "f_F, N",
        "a_N, m/s^2",
        "a_F, m/s^2",
    ];
    render(&header, 2..6, rows)
}

fn uniqueness(unique: Uniqueness, n: usize) -> String {
    match unique {
        Uniqueness::Forces => "There are no other forces that satisfy the laws.".to_owned(),
        Uniqueness::Accelerations { rank } => format!(
            "A is symmetric positive semidefinite of rank {rank}, less than {n}: some contacts are redundant, so that other forces do as well; the accelerations are the same for all."
        ),
        Uniqueness::Unknown => "Whether other forces do as well was not decided.".to_owned(),
    }
}

fn several(found: &Indeterminate<Rational>) -> Vec<String> {
    let (solutions, motions) = (found.solutions.len(), found.motions);
    let kind = if found.families == 0 {
        format!("Exactly {solutions} answers satisfy the laws of friction")
    } else {
        format!(
            "Infinitely many answers satisfy the laws of friction, between and beyond these {solutions}"
        )
    };
    let motion = if motions > 1 {
        "and they are different motions: the laws do not determine what happens. This is a proof, not a failure of the solver: the search over all choices of f = 0 or a = 0 is complete."
    } else {
        "but all of them are the same motion: only the forces are undetermined."
    };
    let mut parts = vec![format!("{kind}, {motion}")];
    for (k, forces) in found.solutions.iter().take(8).enumerate() {
        parts.push(format!("Answer {}:\n{}", k + 1, table(forces)));
    }
    if solutions > 8 {
        parts.push(format!("... and {} more.", solutions - 8));
    }
    parts
}

fn inconsistent(
    system: &System<Rational>,
    formulation: Option<&Formulation<Rational>>,
    found: &Inconsistent,
) -> Vec<String> {
    let mut parts = vec![format!(
        "There is no solution: no contact forces at all satisfy the laws.\nProof: {}",
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
        if !matches!(formulation.motions()[i], Motion::Sliding(_)) || own > 0 {
            continue;
        }
        let contact = &system.contacts[i];
        let normal = [contact.normal.row.clone()];
        let plain = system.coupling(&normal, &normal)[(0, 0)].clone();
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
    let name = |i: &usize| system.contacts[*i].name.clone();
    let mut parts = Vec::new();
    if let Some(ray) = &found.ray {
        parts.push(format!(
            "Lemke's method ends in a ray: z = {}, for which A z = {}. The harder the contacts press, the faster the bodies approach; only an impulse ends that.",
            vector(&ray.z),
            vector(&ray.response)
        ));
    }
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
    let [before, middle, after] = report.kinetic_energy.each_ref().map(number);
    parts.push(format!(
        "Checked:\n  (1) from sliding to not sliding: {};\n  (2) approaching after that impulse: {};\n  approaching after a second impulse of {}: {};\n  kinetic energy: {before} J, then {middle} J, then {after} J: it never rises;\n  total impulse outside the friction cone: {}.",
        list(&stopped),
        list(&approaching),
        second(system, found),
        list(&report.still_approaching.iter().map(name).collect::<Vec<_>>()),
        list(&outside)
    ));
    parts
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
            format!("With the new velocities contact forces exist, and only these:\n{}", table(forces))
        }
        Consistency::Indeterminate(found) => format!(
            "With the new velocities contact forces exist, though not only these:\n{}",
            found.solutions.first().map(table).unwrap_or_default()
        ),
        Consistency::Inconsistent(_) => {
            "With the new velocities there are no contact forces either: another impulse must follow.".to_owned()
        }
        _ => "Whether contact forces exist with the new velocities was not decided.".to_owned(),
    }
}

fn impacts(system: &System<Rational>, impact: &Impact) -> String {
    let rows = system.contacts.iter().enumerate().map(|(i, contact)| {
        vec![
            contact.name.clone(),
            number(&impact.before[i]),
            number(&impact.impulses[i]),
            number(&impact.after[i]),
        ]
    });
    let table = render(
        &["contact", "v_N before, m/s", "p_N, N s", "v_N after, m/s"],
        1..4,
        rows,
    );
    let [before, after] = impact.kinetic_energy.each_ref().map(number);
    format!("{table}\n\nKinetic energy: {before} J before, {after} J afterwards.")
}
