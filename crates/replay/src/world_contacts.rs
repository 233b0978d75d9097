//! Contacts of a line of the planar engine, against those of the step that is taken again.

use std::collections::BTreeMap;

use etalon_golden::trajectory::{Contact, Line, Quantity};

use crate::apart::{AGREE, apart};

/// How far forces may come out from those of a line, in parts of the largest. They balance accelerations, which are differences of
/// velocities: three digits more are lost there than in a state. Chosen.
pub const FORCES_AGREE: f64 = 1e3 * AGREE;

/// What does not hold of the contacts of a line. Of several forces that hold a body alike any may stand there: another platform may choose
/// another one. What all of them do to a body together is compared.
pub fn contacts([line, own]: [&Line; 2], movers: &[&str], reach: f64, h: f64) -> Vec<String> {
    let names = |line: &Line| -> Vec<String> {
        let pairs = line.contacts.iter().map(|own| own.pair.clone());
        pairs.collect()
    };
    let [told, known] = [names(line), names(own)];
    if told != known {
        let [told, known] = [told, known].map(|own| own.join(", "));
        return vec![format!("contacts are [{told}], but come out as [{known}]")];
    }
    let mut found = Vec::new();
    for (contact, own) in line.contacts.iter().zip(&own.contacts) {
        let name = |field: &str| format!("{field} of {}", contact.pair);
        let one = std::slice::from_ref::<Quantity>;
        let list = |own: &Option<[Quantity; 2]>| own.iter().flatten().cloned().collect::<Vec<_>>();
        found.extend(apart(&name("gap"), one(&contact.gap), one(&own.gap), reach));
        let points = [list(&contact.point), list(&own.point)];
        found.extend(apart(&name("point"), &points[0], &points[1], reach));
        let directions = [list(&contact.direction), list(&own.direction)];
        found.extend(apart(
            &name("direction"),
            &directions[0],
            &directions[1],
            1.0,
        ));
        if let Some(force) = &contact.force {
            let of_impulse = Quantity::binary64(contact.normal.to_f64() / h);
            found.extend(apart(
                &name("force"),
                one(force),
                one(&of_impulse),
                // Joints pull, too.
                force.to_f64().abs(),
            ));
        }
        if contact.joint != own.joint {
            found.push(format!("{} is another", name("joint")));
        }
    }
    found.extend(pushes(line, own, movers, reach));
    found
}

/// That all impulses together push a body that moves in another way.
fn pushes(line: &Line, own: &Line, movers: &[&str], reach: f64) -> Vec<String> {
    let all = line.contacts.iter().chain(&own.contacts);
    let sizes = all.flat_map(impulses).map(f64::abs);
    let largest = sizes.fold(0.0, f64::max);
    let most = FORCES_AGREE * largest * line.contacts.len() as f64;
    let [told, known] = [line, own].map(|line| wrenches(line, movers));
    let arms = [1.0, 1.0, reach];
    let off = told
        .iter()
        .zip(known.values())
        .filter(|((_, told), known)| {
            let mut parts = told.iter().zip(known.iter()).zip(arms);
            // What is no number is not near.
            !parts.all(|((a, b), arm)| (a - b).abs() <= most * arm)
        });
    off.map(|((body, told), known)| {
        format!(
            "contacts push {body} by {told:?} (N s, N s, N m s about the origin), but come out to push it by {known:?}"
        )
    })
    .collect()
}

/// Along the normal and along the tangent, N s.
fn impulses(contact: &Contact) -> [f64; 2] {
    let friction = contact.friction.first().map_or(0.0, Quantity::to_f64);
    [contact.normal.to_f64(), friction]
}

/// The impulse and its moment about the origin that contacts exert on each body that moves.
fn wrenches<'a>(line: &Line, movers: &[&'a str]) -> BTreeMap<&'a str, [f64; 3]> {
    let mut all: BTreeMap<&str, [f64; 3]> = movers.iter().map(|own| (*own, [0.0; 3])).collect();
    for contact in &line.contacts {
        let [Some(point), Some(direction)] = [&contact.point, &contact.direction] else {
            continue;
        };
        let [[x, y], [n, m]] = [point, direction].map(|own| own.each_ref().map(Quantity::to_f64));
        let [normal, friction] = impulses(contact);
        // The tangent is the normal turned to the left.
        let [u, v] = [normal * n - friction * m, normal * m + friction * n];
        for (name, own) in &mut all {
            let first = contact.pair.strip_prefix(*name);
            let second = contact.pair.strip_suffix(*name);
            let sign = match (first, second) {
                (Some(rest), _) if rest.starts_with('/') => 1.0,
                (_, Some(rest)) if rest.ends_with('/') => -1.0,
                _ => continue,
            };
            own[0] += sign * u;
            own[1] += sign * v;
            own[2] += sign * (x * v - y * u);
        }
    }
    all
}
