//! Rigid bodies and what acts between them.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};

use super::fields::{
    Result, Unknown, check_length, list, maybe_vector, objects, one_or_list, parse, vector,
};
use super::sparse::{Sparse, read_sparse};

/// A step of rigid bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// 2 or 3.
    pub dimension: usize,
    /// The bodies that move.
    pub bodies: Vec<Body>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Other constraints.
    pub joints: Vec<Joint>,
}

impl Bodies {
    /// The number of velocities of a body: 3 in the plane, 6 in space.
    pub fn velocities(&self) -> usize {
        if self.dimension == 2 { 3 } else { 6 }
    }
}

/// A body. Vectors are in the world frame; velocities are linear, then angular.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The mass in kg, positive.
    pub mass: Number,
    /// The inertia about the centre of mass: one number in the plane, three rows in space.
    pub inertia: Vec<Vec<Number>>,
    /// The centre of mass.
    pub com: Vec<Number>,
    /// The orientation as a quaternion w, x, y, z.
    pub orientation: Option<Vec<Number>>,
    /// The velocity before the step.
    pub v0: Vec<Number>,
    /// The velocity after it.
    pub v1: Vec<Number>,
    /// Force and torque of all that is no contact and no joint.
    pub force: Vec<Number>,
    /// Whether the engine let it sleep, before and after: nothing is asked of it.
    pub asleep: bool,
}

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

/// Rows that tie velocities: J v is driven to the target.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Rows over the velocities of all bodies, one body after the other.
    pub rows: Sparse,
    /// The velocity that the engine aims at.
    pub target: Option<Vec<Number>>,
    /// The impulses.
    pub impulse: Option<Vec<Number>>,
}

/// Reads the bodies, and `dimension`, `contacts` and `joints` beside them.
pub(super) fn read(raw: &str, fields: &mut Fields<'_>, unknown: &mut Unknown) -> Result<Bodies> {
    let dimension: usize = fields.take("dimension")?.unwrap_or(3);
    if !(2..=3).contains(&dimension) {
        let why = format!("{dimension} is neither 2 nor 3");
        return Err(RecordError::new("dimension", why));
    }
    let mut own = Bodies {
        dimension,
        ..Bodies::default()
    };
    for (k, raw) in list(raw, "bodies")?.into_iter().enumerate() {
        let place = format!("bodies[{k}]");
        let body = body(raw.get(), &own, &place, unknown).map_err(|error| error.inside(&place))?;
        own.bodies.push(body);
    }
    for (k, raw) in objects(fields, "contacts")?.into_iter().enumerate() {
        let place = format!("contacts[{k}]");
        let contact =
            contact(raw.get(), &own, &place, unknown).map_err(|error| error.inside(&place))?;
        own.contacts.push(contact);
    }
    let columns = own.bodies.len() * own.velocities();
    for (k, raw) in objects(fields, "joints")?.into_iter().enumerate() {
        let place = format!("joints[{k}]");
        let joint =
            joint(raw.get(), columns, &place, unknown).map_err(|error| error.inside(&place))?;
        own.joints.push(joint);
    }
    Ok(own)
}

fn body(raw: &str, of: &Bodies, place: &str, unknown: &mut Unknown) -> Result<Body> {
    let mut fields = Fields::of(raw)?;
    let (d, k) = (of.dimension, of.velocities());
    let mass: Number = fields.require("mass")?;
    if mass.signum() <= 0 {
        let why =
            format!("{mass} must be positive; what cannot move is the world, -1 in a contact");
        return Err(RecordError::new("mass", why));
    }
    let raw = fields
        .take_raw("inertia")
        .ok_or_else(|| fields.missing("inertia"))?;
    let inertia: Vec<Vec<Number>> = if d == 2 {
        vec![one_or_list(raw, "inertia")?]
    } else {
        parse(raw, "inertia")?
    };
    let side = if d == 2 { 1 } else { 3 };
    if inertia.len() != side || inertia.iter().any(|row| row.len() != side) {
        let why = if d == 2 {
            "the plane has one moment of inertia"
        } else {
            "space has three rows of three numbers, in the world frame about the centre of mass"
        };
        return Err(RecordError::new("inertia", why));
    }
    let body = Body {
        mass,
        inertia,
        com: vector(&mut fields, "com", d)?,
        orientation: fields.take("orientation")?,
        v0: vector(&mut fields, "v0", k)?,
        v1: vector(&mut fields, "v1", k)?,
        force: vector(&mut fields, "force", k)?,
        asleep: fields.take("asleep")?.unwrap_or(false),
    };
    unknown.note(place, fields);
    Ok(body)
}

fn contact(raw: &str, of: &Bodies, place: &str, unknown: &mut Unknown) -> Result<Contact> {
    let mut fields = Fields::of(raw)?;
    let d = of.dimension;
    let point = maybe_vector(&mut fields, "point", d)?;
    let point_a = maybe_vector(&mut fields, "point_a", d)?;
    let point = maybe_vector(&mut fields, "point_b", d)?
        .or(point)
        .or_else(|| point_a.clone())
        .ok_or_else(|| fields.missing("point"))?;
    let bodies = pair(fields.require("bodies")?, of.bodies.len())?;
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

fn joint(raw: &str, columns: usize, place: &str, unknown: &mut Unknown) -> Result<Joint> {
    let mut fields = Fields::of(raw)?;
    let raw = fields.take_raw("J").ok_or_else(|| fields.missing("J"))?;
    let rows = read_sparse(raw, "J", Some(columns))?;
    let n = rows.rows.len();
    let joint = Joint {
        target: maybe_vector(&mut fields, "target", n)?,
        impulse: maybe_vector(&mut fields, "impulse", n)?,
        rows,
    };
    unknown.note(place, fields);
    Ok(joint)
}
