//! Joints of a map.

use serde_json::Value;

use super::Result;
use super::fields::{Fields, Names};
use super::parts::{BodyMap, knows_its_turn, pair, takes_torques};
use crate::motion::table::cell::Cell;

/// A joint of a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JointMap {
    pub name: String,
    pub bodies: [Option<usize>; 2],
    pub kind: JointKind,
    pub anchors: [Vec<Cell>; 2],
    /// In axes of the two bodies.
    pub axes: Option<[Vec<Cell>; 2]>,
    /// How the axes of the second body are turned in those of the first where the joint is at 0: an angle, or a quaternion.
    pub turned: Vec<Cell>,
    pub impulse: Vec<Cell>,
    pub angular: Vec<Cell>,
    pub target: JointTarget,
    /// How far it may be open after a step; it is not asked without.
    pub opens: Option<Cell>,
    pub coordinate: Option<Cell>,
    pub limits: Option<JointLimits>,
    pub drive: Option<JointDrive>,
}

/// What a joint allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JointKind {
    Ball,
    Hinge,
    Universal,
    Slider,
    Fixed,
}

/// What the rates that a joint holds are after the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JointTarget {
    Stop,
    Gap,
    NotAsked,
}

/// The least and the largest coordinate, with the impulse along it: above 0 at the least.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JointLimits {
    pub range: [Cell; 2],
    pub impulse: Cell,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JointDrive {
    pub speed: Cell,
    pub bound: Cell,
    pub impulse: Cell,
}

const JOINT: &[&str] = &[
    "name",
    "bodies",
    "kind",
    "anchors",
    "axes",
    "turned",
    "impulse",
    "angular_impulse",
    "target",
    "opens",
    "coordinate",
    "limits",
    "limit_impulse",
    "drive",
];

impl JointKind {
    /// Whether it has one coordinate, along or about its axis.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Hinge | Self::Slider)
    }

    fn needs_axes(self, dimension: usize) -> bool {
        match self {
            Self::Slider => true,
            Self::Hinge | Self::Universal => dimension == 3,
            Self::Ball | Self::Fixed => false,
        }
    }
}

impl JointMap {
    pub(super) fn read(
        value: &Value,
        place: &str,
        names: &Names<'_>,
        bodies: &[BodyMap],
    ) -> Result<Self> {
        let fields = Fields::of(value, place, JOINT)?;
        let name = fields.text("name")?.to_owned();
        let d = names.dimension;
        let kind = kind(&fields, d)?;
        let pair = pair(&fields, bodies)?;
        for body in pair.iter().flatten() {
            let asks = ("bodies", "a joint turns with its bodies");
            knows_its_turn(&fields, asks, &bodies[*body], d)?;
        }
        let Some(anchors) = two(&fields, "anchors", d)? else {
            let why = "they are missing: where the joint is on both bodies, from the centre of mass in axes of each, m; of the world a place";
            return Err(fields.fault("anchors", why));
        };
        let axes = two(&fields, "axes", d)?;
        if kind.needs_axes(d) != axes.is_some() {
            let why = match axes.is_some() {
                true => "a joint of that kind has none",
                false => "they are missing: the axis of the joint in axes of each body",
            };
            return Err(fields.fault("axes", why));
        }
        let target = match fields.word("target", &["stop", "gap", "none"])? {
            Some("gap") => JointTarget::Gap,
            Some("none") => JointTarget::NotAsked,
            _ => JointTarget::Stop,
        };
        let coordinate = match fields.cell("coordinate")? {
            None => names.optional(&name, "coordinate"),
            own => own,
        };
        let own = Self {
            bodies: pair,
            kind,
            anchors,
            axes,
            turned: turned(&fields, d)?,
            impulse: match fields.cells("impulse", d)? {
                Some(own) => own,
                None => names.vector(&name, "impulse_"),
            },
            angular: angular(&fields, &name, kind, names)?,
            target,
            opens: fields.cell("opens")?,
            coordinate,
            limits: limits(&fields, &name)?,
            drive: drive(&fields, &name)?,
            name,
        };
        own.check_coordinate(&fields, d)?;
        for field in own.torques() {
            takes_torques(&fields, field, pair, bodies)?;
        }
        Ok(own)
    }

    /// The fields that are about torques on the two bodies.
    fn torques(&self) -> impl Iterator<Item = &'static str> {
        let zero = Cell::Constant(0.into());
        let hinge = self.kind == JointKind::Hinge;
        let fields = [
            (
                "angular_impulse",
                self.angular.iter().any(|own| *own != zero),
            ),
            ("limits", hinge && self.limits.is_some()),
            ("drive", hinge && self.drive.is_some()),
        ];
        let fields = fields.into_iter();
        fields.filter_map(|(field, there)| there.then_some(field))
    }

    /// Limits and drives are of a coordinate.
    fn check_coordinate(&self, fields: &Fields<'_>, dimension: usize) -> Result<()> {
        for (field, there) in [
            ("limits", self.limits.is_some()),
            ("drive", self.drive.is_some()),
            ("coordinate", fields.get("coordinate").is_some()),
        ] {
            if there && !self.kind.is_single() {
                let why = "a hinge or a slider alone has a coordinate, which it is about";
                return Err(fields.fault(field, why));
            }
        }
        let needs = self.limits.is_some() && self.kind == JointKind::Hinge && dimension == 3;
        if needs && self.coordinate.is_none() {
            let why = "it is missing: limits of a hinge in space need the recorded angle, since states do not tell whole turns";
            return Err(fields.fault("coordinate", why));
        }
        Ok(())
    }

    pub(super) fn cells(&self) -> Vec<(String, &Cell)> {
        let field = |name: &str| format!("{name} of the joint {:?}", self.name);
        let mut found: Vec<(String, &Cell)> = Vec::new();
        let anchors = self.anchors.iter().flatten();
        found.extend(anchors.map(|own| (field("anchors"), own)));
        let axes = self.axes.iter().flatten().flatten();
        found.extend(axes.map(|own| (field("axes"), own)));
        found.extend(self.turned.iter().map(|own| (field("turned"), own)));
        found.extend(self.impulse.iter().map(|own| (field("impulse"), own)));
        let angular = self.angular.iter();
        found.extend(angular.map(|own| (field("angular_impulse"), own)));
        found.extend(self.opens.iter().map(|own| (field("opens"), own)));
        let coordinate = self.coordinate.iter();
        found.extend(coordinate.map(|own| (field("coordinate"), own)));
        if let Some(own) = &self.limits {
            found.extend(own.range.iter().map(|own| (field("limits"), own)));
            found.push((field("limit_impulse"), &own.impulse));
        }
        if let Some(own) = &self.drive {
            let cells = [&own.speed, &own.bound, &own.impulse];
            found.extend(cells.map(|own| (field("drive"), own)));
        }
        found
    }
}

fn kind(fields: &Fields<'_>, dimension: usize) -> Result<JointKind> {
    let words: &[&'static str] = match dimension {
        2 => &["hinge", "slider", "fixed"],
        _ => &["ball", "hinge", "universal", "slider", "fixed"],
    };
    Ok(match fields.word("kind", words)? {
        Some("ball") => JointKind::Ball,
        Some("hinge") => JointKind::Hinge,
        Some("universal") => JointKind::Universal,
        Some("slider") => JointKind::Slider,
        Some(_) => JointKind::Fixed,
        None => {
            let why = format!("it is missing: one of {}", words.join(", "));
            return Err(fields.fault("kind", why));
        }
    })
}

/// A list for each of the two bodies.
fn two(fields: &Fields<'_>, name: &str, dimension: usize) -> Result<Option<[Vec<Cell>; 2]>> {
    let rows = fields.rows(name, 2, dimension)?;
    Ok(rows.and_then(|own| <[Vec<Cell>; 2]>::try_from(own).ok()))
}

fn turned(fields: &Fields<'_>, dimension: usize) -> Result<Vec<Cell>> {
    let given = match dimension {
        2 => fields.cell("turned")?.map(|own| vec![own]),
        _ => fields.cells("turned", 4)?,
    };
    let constant = |value: i32| Cell::Constant(value.into());
    Ok(given.unwrap_or_else(|| match dimension {
        2 => vec![constant(0)],
        _ => [1, 0, 0, 0].map(constant).to_vec(),
    }))
}

/// The angular impulse: one number in the plane, three in space. Where a joint holds no turning, it is 0 without the field.
fn angular(
    fields: &Fields<'_>,
    name: &str,
    kind: JointKind,
    names: &Names<'_>,
) -> Result<Vec<Cell>> {
    let d = names.dimension;
    if let Some(own) = fields.turning("angular_impulse", d)? {
        return Ok(own);
    }
    let columns: &[&str] = match d {
        2 => &["angular_impulse"],
        _ => &[
            "angular_impulse_x",
            "angular_impulse_y",
            "angular_impulse_z",
        ],
    };
    let holds_none = kind == JointKind::Ball || (d == 2 && kind == JointKind::Hinge);
    match names.all_optional(name, columns) {
        Some(own) => Ok(own),
        None if holds_none => Ok(vec![Cell::Constant(0.into()); columns.len()]),
        None => Ok(names.named(name, columns)),
    }
}

fn limits(fields: &Fields<'_>, name: &str) -> Result<Option<JointLimits>> {
    let Some(range) = fields.cells("limits", 2)? else {
        if fields.get("limit_impulse").is_some() {
            let why = "they are missing: the least and the largest coordinate, m or rad";
            return Err(fields.fault("limits", why));
        }
        return Ok(None);
    };
    let Ok(range) = <[Cell; 2]>::try_from(range) else {
        return Ok(None);
    };
    let impulse = fields.cell("limit_impulse")?;
    Ok(Some(JointLimits {
        range,
        impulse: impulse.unwrap_or_else(|| Cell::column(format!("{name}.limit_impulse"))),
    }))
}

fn drive(fields: &Fields<'_>, name: &str) -> Result<Option<JointDrive>> {
    let Some(value) = fields.get("drive") else {
        return Ok(None);
    };
    let inner = Fields::of(value, &fields.at("drive"), &["speed", "bound", "impulse"])?;
    let need = |field: &str, what: &str| -> Result<Cell> {
        let own = inner.cell(field)?;
        own.ok_or_else(|| inner.fault(field, format!("it is missing: {what}")))
    };
    Ok(Some(JointDrive {
        speed: need(
            "speed",
            "of the first body against the second, m/s or rad/s",
        )?,
        bound: need("bound", "the largest force or torque, N or N m")?,
        impulse: match inner.cell("impulse")? {
            Some(own) => own,
            None => Cell::column(format!("{name}.drive_impulse")),
        },
    }))
}
