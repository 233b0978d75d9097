//! The map of a table, `etalon-motion-map/1`.

mod fields;
mod joints;
mod parts;
mod shapes;

use etalon_lcp::record::RecordError;
use serde_json::Value;

use super::cell::Cell;
use crate::motion::{Rounding, TurnRule, Update};
use fields::{Fields, Names};

pub(super) use joints::{JointKind, JointLimits, JointMap, JointTarget};
pub(super) use parts::{BodyMap, ContactMap, Place, Target, TurningMap};
pub(super) use shapes::Shape;

/// The `format` of maps.
pub const MOTION_MAP_FORMAT: &str = "etalon-motion-map/1";

type Result<T> = std::result::Result<T, RecordError>;

/// Which column of a table is what.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionMap {
    pub(super) dimension: usize,
    /// The rounding of the table's numbers.
    pub rounding: Rounding,
    pub(super) time: Option<Cell>,
    pub(super) h: Option<Cell>,
    pub(super) gravity: Vec<Cell>,
    pub(super) update: Update,
    /// How orientations in space follow spins.
    pub(super) turning: TurnRule,
    /// Whether a row has the impulses of the step that begins there, not of the step that led there.
    pub(super) impulses_ahead: bool,
    /// Whether rows are evaluated after the step.
    pub(super) at_end: bool,
    pub(super) slop: Cell,
    pub(super) kinetic: Option<Cell>,
    pub(super) potential: Option<Cell>,
    pub(super) bodies: Vec<BodyMap>,
    pub(super) contacts: Vec<ContactMap>,
    pub(super) joints: Vec<JointMap>,
}

const TOP: &[&str] = &[
    "format",
    "notes",
    "dimension",
    "precision",
    "time",
    "h",
    "gravity",
    "update",
    "rotation",
    "impulses",
    "geometry",
    "slop",
    "energy",
    "bodies",
    "contacts",
    "joints",
];

/// Reads a map; `columns` are the names in the table's first line, which optional columns are looked for in.
///
/// # Errors
/// [`RecordError`] with the field.
pub fn read_motion_map(text: &str, columns: &[String]) -> Result<MotionMap> {
    let value: Value = serde_json::from_str(text).map_err(|error| RecordError::new("", error))?;
    let fields = Fields::of(&value, "", TOP)?;
    if fields.get("format").and_then(Value::as_str) != Some(MOTION_MAP_FORMAT) {
        let why = format!("it is missing, or not {MOTION_MAP_FORMAT:?}");
        return Err(RecordError::new("format", why));
    }
    let dimension = match fields.get("dimension").and_then(Value::as_u64) {
        Some(2) => 2,
        Some(3) => 3,
        _ => {
            let why = "it is missing, or neither 2 nor 3";
            return Err(RecordError::new("dimension", why));
        }
    };
    let (time, h) = (fields.cell("time")?, fields.cell("h")?);
    let has_default = columns.iter().any(|name| name == "t");
    let time = time.or_else(|| has_default.then(|| Cell::column("t")));
    if time.is_none() && h.is_none() {
        let why = "give the column of the time (or call it t), or the length of a step as \"h\"";
        return Err(RecordError::new("time", why));
    }
    let names = Names { columns, dimension };
    let (bodies, contacts, joints) = parts(&fields, &names)?;
    let energy = fields.get("energy");
    let energy = energy.map(|own| Fields::of(own, "energy", &["kinetic", "potential"]));
    let energy = energy.transpose()?;
    let energy = |name: &str| energy.as_ref().map_or(Ok(None), |own| own.cell(name));
    let zero = || Cell::Constant(0.into());
    let gravity = fields.cells("gravity", dimension)?;
    Ok(MotionMap {
        dimension,
        rounding: rounding(&fields)?,
        time,
        h,
        gravity: gravity.unwrap_or_else(|| vec![zero(); dimension]),
        update: update(&fields)?,
        turning: turning(&fields)?,
        impulses_ahead: fields.word("impulses", &["end", "start"])? == Some("start"),
        at_end: fields.word("geometry", &["start", "end"])? == Some("end"),
        slop: fields.cell("slop")?.unwrap_or_else(zero),
        kinetic: energy("kinetic")?,
        potential: energy("potential")?,
        bodies,
        contacts,
        joints,
    })
}

type Parts = (Vec<BodyMap>, Vec<ContactMap>, Vec<JointMap>);

/// Bodies, contacts and joints, each with names of their own.
fn parts(fields: &Fields<'_>, names: &Names<'_>) -> Result<Parts> {
    let bodies = fields.list("bodies")?.iter().enumerate();
    let bodies = bodies.map(|(i, own)| BodyMap::read(own, &format!("bodies[{i}]"), names));
    let bodies: Vec<BodyMap> = bodies.collect::<Result<_>>()?;
    if bodies.is_empty() {
        return Err(RecordError::new("bodies", "there is none"));
    }
    let contacts = fields.list("contacts")?.iter().enumerate();
    let contacts =
        contacts.map(|(i, own)| ContactMap::read(own, &format!("contacts[{i}]"), names, &bodies));
    let contacts: Vec<ContactMap> = contacts.collect::<Result<_>>()?;
    let joints = fields.list("joints")?.iter().enumerate();
    let joints =
        joints.map(|(i, own)| JointMap::read(own, &format!("joints[{i}]"), names, &bodies));
    let joints: Vec<JointMap> = joints.collect::<Result<_>>()?;
    unique("bodies", bodies.iter().map(|own| own.name.as_str()))?;
    unique("contacts", contacts.iter().map(|own| own.name.as_str()))?;
    unique("joints", joints.iter().map(|own| own.name.as_str()))?;
    Ok((bodies, contacts, joints))
}

fn rounding(fields: &Fields<'_>) -> Result<Rounding> {
    let word = fields.word("precision", &["f64", "f32", "exact"])?;
    Ok(match word {
        Some("f32") => Rounding::binary32(),
        Some("exact") => Rounding::exact(),
        _ => Rounding::binary64(),
    })
}

fn update(fields: &Fields<'_>) -> Result<Update> {
    let words = ["semi-implicit", "explicit", "midpoint", "none"];
    Ok(match fields.word("update", &words)? {
        Some("explicit") => Update::Explicit,
        Some("midpoint") => Update::Midpoint,
        Some("none") => Update::NotAsked,
        _ => Update::SemiImplicit,
    })
}

fn turning(fields: &Fields<'_>) -> Result<TurnRule> {
    let words = ["exponential", "linear", "none"];
    Ok(match fields.word("rotation", &words)? {
        Some("exponential") => TurnRule::Exponential,
        Some("linear") => TurnRule::Linear,
        Some("none") => TurnRule::NotAsked,
        _ => TurnRule::Either,
    })
}

fn unique<'a>(field: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let why = format!("the name {name:?} is given twice");
            return Err(RecordError::new(field, why));
        }
    }
    Ok(())
}

impl MotionMap {
    /// Every column that the map reads, with the field that needs it.
    pub(super) fn columns(&self) -> Vec<(String, &str)> {
        let mut found: Vec<(String, &Cell)> = Vec::new();
        let top = [
            ("time", &self.time),
            ("h", &self.h),
            ("energy.kinetic", &self.kinetic),
            ("energy.potential", &self.potential),
        ];
        let top = top.into_iter();
        found.extend(top.filter_map(|(name, own)| Some((name.to_owned(), own.as_ref()?))));
        found.extend(self.gravity.iter().map(|own| ("gravity".to_owned(), own)));
        found.push(("slop".to_owned(), &self.slop));
        self.bodies.iter().for_each(|own| found.extend(own.cells()));
        self.contacts
            .iter()
            .for_each(|own| found.extend(own.cells()));
        self.joints.iter().for_each(|own| found.extend(own.cells()));
        let columns = found.into_iter().filter_map(|(field, cell)| match cell {
            Cell::Column { name, .. } => Some((field, name.as_str())),
            Cell::Constant(_) => None,
        });
        columns.collect()
    }
}
