//! Rigid bodies and what ties them.

use etalon_lcp::Number;
use etalon_lcp::record::{Fields, RecordError};

use super::contacts::{Contact, contact};
use super::fields::{Result, Unknown, list, maybe_vector, objects, one_or_list, parse, vector};
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
        let contact = contact(raw.get(), (dimension, own.bodies.len()), &place, unknown)
            .map_err(|error| error.inside(&place))?;
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
