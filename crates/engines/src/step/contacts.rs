//! Contacts of rigid bodies.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};

use super::fields::{Result, Unknown, check_length, maybe_vector, one_or_list, parse, vector};

/// A contact between two bodies, or a body and the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The bodies a and b; none is the world.
    pub bodies: [Option<usize>; 2],
    /// The point on b (`point_b`, where the record has it), and on a too where `point_a` is not given.
    pub point: Vec<Number>,
    /// The point on a, where the engine lets the impulse act at two points.
    pub point_a: Option<Vec<Number>>,
    /// The normal, which pushes a.
    pub normal: Vec<Number>,
    /// The directions of friction, on a. In the plane the normal turned by a quarter counter-clockwise where absent.
    pub tangents: Option<Vec<Vec<Number>>>,
    /// The gap, negative where the bodies overlap.
    pub gap: Option<Number>,
    /// The coefficient of friction: one number, or one a tangent.
    pub mu: Vec<Number>,
    /// The coefficient of torsion, a length.
    pub torsion: Option<Number>,
    /// The coefficient of rolling, a length.
    pub roll: Option<Number>,
    /// The coefficient of restitution.
    pub restitution: Option<Number>,
    /// The normal velocity after the step that the engine aims at.
    pub target: Option<Number>,
    /// The impulse on a: normal, tangents, torsion, rolling.
    pub impulse: Option<Vec<Number>>,
    /// Which parts of the impulse the engine reports.
    pub impulse_known: KnownImpulse,
}

/// Which parts of an impulse are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KnownImpulse {
    /// All of it.
    #[default]
    All,
    /// The normal impulse only.
    Normal,
    /// Nothing.
    Nothing,
}

/// Reads a contact between so many bodies, in the plane or in space.
pub(super) fn contact(
    raw: &str,
    (d, bodies): (usize, usize),
    place: &str,
    unknown: &mut Unknown,
) -> Result<Contact> {
    let mut fields = Fields::of(raw)?;
    let point = maybe_vector(&mut fields, "point", d)?;
    let point_a = maybe_vector(&mut fields, "point_a", d)?;
    let point = maybe_vector(&mut fields, "point_b", d)?
        .or(point)
        .or_else(|| point_a.clone())
        .ok_or_else(|| fields.missing("point"))?;
    let bodies = pair(fields.require("bodies")?, bodies)?;
    let tangents: Option<Vec<Vec<Number>>> = fields.take("tangents")?;
    if let Some(tangents) = &tangents {
        for (k, tangent) in tangents.iter().enumerate() {
            check_length(tangent, &format!("tangents[{k}]"), d)?;
        }
        check_length(tangents, "tangents", d - 1)?;
    }
    let mu = match fields.take_raw("mu") {
        None => vec![Number::from(0)],
        Some(raw) => one_or_list(raw, "mu")?,
    };
    if mu.len() != 1 && mu.len() != d - 1 {
        let why = format!("{} coefficients; give one, or one a tangent", mu.len());
        return Err(RecordError::new("mu", why));
    }
    let mut coefficient = |name: &str| -> Result<Option<Number>> {
        let own: Option<Number> = fields.take(name)?;
        not_negative(own.as_slice(), name)?;
        Ok(own)
    };
    let (torsion, roll) = (coefficient("torsion")?, coefficient("roll")?);
    let restitution = coefficient("restitution")?;
    not_negative(&mu, "mu")?;
    if d == 2 && torsion.is_some() {
        return Err(RecordError::new("torsion", "the plane has no torsion"));
    }
    let own = Contact {
        bodies,
        point,
        point_a,
        normal: vector(&mut fields, "normal", d)?,
        tangents,
        gap: fields.take("gap")?,
        mu,
        torsion,
        roll,
        restitution,
        target: fields.take("target")?,
        impulse: fields.take("impulse")?,
        impulse_known: known(&mut fields)?,
    };
    check_impulse(&own, d)?;
    unknown.note(place, fields);
    Ok(own)
}

fn not_negative(own: &[Number], name: &str) -> Result<()> {
    match own.iter().find(|own| own.signum() < 0) {
        Some(own) => Err(RecordError::new(name, format!("{own} is negative"))),
        None => Ok(()),
    }
}

/// A normal impulse, or one number for each row.
fn check_impulse(contact: &Contact, d: usize) -> Result<()> {
    let zero = |own: &Number| own.is_zero();
    if contact.normal.iter().all(zero) {
        return Err(RecordError::new("normal", "it is zero"));
    }
    let Some(impulse) = &contact.impulse else {
        return Ok(());
    };
    let rolls = if d == 2 { 1 } else { 2 };
    let most =
        d + usize::from(contact.torsion.is_some()) + if contact.roll.is_some() { rolls } else { 0 };
    if impulse.is_empty() || impulse.len() > most {
        let why = format!(
            "{} numbers where 1 to {most} belong: normal, tangents, torsion, rolling",
            impulse.len()
        );
        return Err(RecordError::new("impulse", why));
    }
    if d == 3 && impulse.len() > 1 && contact.tangents.is_none() {
        let why = "the directions of the friction in `impulse` are missing";
        return Err(RecordError::new("tangents", why));
    }
    Ok(())
}

/// The bodies of a contact; -1 is the world.
fn pair(own: Vec<i64>, bodies: usize) -> Result<[Option<usize>; 2]> {
    let [a, b] = own[..] else {
        let why = format!(
            "{} numbers; a contact has two bodies, -1 is the world",
            own.len()
        );
        return Err(RecordError::new("bodies", why));
    };
    let one = |k: usize, own: i64| match usize::try_from(own) {
        Ok(own) if own < bodies => Ok(Some(own)),
        Err(_) if own == -1 => Ok(None),
        _ => {
            let why =
                format!("{own} is neither -1 (the world) nor the number of a body below {bodies}");
            Err(RecordError::new(format!("bodies[{k}]"), why))
        }
    };
    let pair = [one(0, a)?, one(1, b)?];
    if pair[0] == pair[1] {
        return Err(RecordError::new("bodies", "a body does not touch itself"));
    }
    Ok(pair)
}

/// `impulse_known`: the parts that are reported.
fn known(fields: &mut Fields<'_>) -> Result<KnownImpulse> {
    let Some(raw) = fields.take_raw("impulse_known") else {
        return Ok(KnownImpulse::All);
    };
    let name = "impulse_known";
    if let Ok(all) = serde_json::from_str::<bool>(raw) {
        return Ok(if all {
            KnownImpulse::All
        } else {
            KnownImpulse::Nothing
        });
    }
    let parts: Vec<String> = parse(raw, name)?;
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    match parts[..] {
        [] => Ok(KnownImpulse::Nothing),
        ["normal"] => Ok(KnownImpulse::Normal),
        ["normal", "friction"] => Ok(KnownImpulse::All),
        _ => {
            let why = r#"it is true, false, [], ["normal"] or ["normal", "friction"]"#;
            Err(RecordError::new(name, why))
        }
    }
}
