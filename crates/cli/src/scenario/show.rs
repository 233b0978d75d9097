//! Numbers and lists as people read them.

use crate::console::table;
use etalon_contact_forces::Forces;
use etalon_evidence::measure::figures::four_digits;
use etalon_rigid::{Scalar, System};
use etalon_scenarios::Mechanics;
pub use etalon_scenarios::json::motion_word;
use rug::Rational;

/// The exact value, or its first four digits where it is too long to be read.
pub fn number(value: &Rational) -> String {
    let exact = value.to_string();
    if exact.len() <= 20 {
        return exact;
    }
    format!("about {}", four_digits(Scalar::to_f64(value)))
}

/// A vector of binary64 numbers.
pub fn floats(values: &[f64]) -> String {
    let texts: Vec<_> = values.iter().copied().map(four_digits).collect();
    match texts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", texts.join(", ")),
    }
}

/// A vector in parentheses; a single number as it is.
pub fn vector(values: &[Rational]) -> String {
    let texts: Vec<_> = values.iter().map(number).collect();
    match texts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", texts.join(", ")),
    }
}

/// "a", "a and b", "a, b and c".
pub fn list(items: &[String]) -> String {
    match items {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// One thing or several.
pub fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Forces and accelerations, contact by contact, and of drives that hold their speeds.
pub fn forces_table(forces: &Forces<Rational>) -> String {
    let rows = forces.contacts.iter().map(|contact| {
        vec![
            contact.name.clone(),
            motion_word(&contact.motion).to_owned(),
            number(&contact.normal),
            vector(&contact.friction),
            number(&contact.normal_acceleration),
            vector(&contact.tangential_acceleration),
        ]
    });
    // The limit of an angle says in its name that its force is a torque.
    let turns = |name: &str| name.ends_with("(N m)");
    let own = forces.contacts.iter().any(|own| turns(&own.name));
    let [force, acceleration] = match own {
        true => ["f_N, N or N m", "a_N, m/s^2 or rad/s^2"],
        false => ["f_N, N", "a_N, m/s^2"],
    };
    let header = [
        "contact",
        "motion",
        force,
        "f_F, N",
        acceleration,
        "a_F, m/s^2",
    ];
    let contacts = table(&header, 2..6, rows);
    match drives_table(forces) {
        Some(drives) if forces.contacts.is_empty() => drives,
        Some(drives) => format!("{contacts}\n\n{drives}"),
        None => contacts,
    }
}

/// How the joints of a mechanism speed up; none of other scenes.
pub fn rates_table(mechanics: &Mechanics, acceleration: &[Rational]) -> Option<String> {
    let rates = match mechanics {
        Mechanics::PlanarMechanism(own) => own.rates(),
        Mechanics::SpatialMechanism(own) => own.rates(),
        _ => return None,
    };
    let row = |((name, turns), value): ((String, bool), &Rational)| {
        let unit = if turns { "rad/s^2" } else { "m/s^2" };
        vec![name, number(value), unit.to_owned()]
    };
    let rows = rates.into_iter().zip(acceleration).map(row);
    Some(table(
        &["joint of link", "acceleration", "unit"],
        1..2,
        rows,
    ))
}

/// The forces of drives that hold their speeds; none of scenes without them.
fn drives_table(forces: &Forces<Rational>) -> Option<String> {
    let rows = forces.drives.iter().map(|own| {
        vec![
            own.name.clone(),
            number(&own.force),
            number(&own.bound),
            number(&own.acceleration),
        ]
    });
    let header = [
        "drive at its speed",
        "f, N or N m",
        "bound",
        "a, m/s^2 or rad/s^2",
    ];
    (!forces.drives.is_empty()).then(|| table(&header, 1..4, rows))
}

/// The forces of all joints, row by row; none of scenes without joints.
pub fn joints_table(system: &System<Rational>, forces: &[Rational]) -> Option<String> {
    let rows = system.joints.iter().zip(forces);
    let rows = rows.map(|(joint, force)| vec![joint.name.clone(), number(force)]);
    let header = ["row of a joint", "force, N, or torque, N m"];
    (!forces.is_empty()).then(|| table(&header, 1..2, rows))
}
