//! Bodies and contacts of a map.

use etalon_lcp::record::RecordError;
use serde_json::Value;

use super::Result;
use super::fields::{Fields, Names};
use super::shapes::{self, Shape};
use crate::motion::table::cell::Cell;

/// A body of a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BodyMap {
    pub name: String,
    pub mass: Cell,
    /// None for a particle.
    pub inertia: Option<Vec<Cell>>,
    /// Whether the inertia is in axes that turn with the body.
    pub turns: bool,
    pub position: Vec<Cell>,
    pub velocity: Vec<Cell>,
    /// The angle in the plane.
    pub angle: Option<Cell>,
    /// Whether the angle is kept within one turn.
    pub angle_wraps: bool,
    /// The quaternion in space.
    pub orientation: Option<Vec<Cell>>,
    pub spin: Vec<Cell>,
    pub force: Option<Vec<Cell>>,
    pub torque: Option<Vec<Cell>>,
    /// Whether the engine takes the gyroscopic torque from the state before the step.
    pub gyroscopic: bool,
}

/// A contact of a map.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ContactMap {
    pub name: String,
    pub bodies: [Option<usize>; 2],
    pub normal: Vec<Cell>,
    pub tangents: Vec<Vec<Cell>>,
    pub place: Place,
    pub mu: Cell,
    pub pyramid: bool,
    pub restitution: Cell,
    pub gap: Option<Cell>,
    /// What the two bodies are at the contact.
    pub shapes: Option<[Shape; 2]>,
    pub pressed: Cell,
    pub rubbed: Vec<Cell>,
    /// Friction about the normal, and against rolling.
    pub turning: Vec<TurningMap>,
    pub target: Target,
}

/// Friction of a contact against turning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurningMap {
    pub is_rolling: bool,
    pub mu: Cell,
    pub impulses: Vec<Cell>,
}

/// Where a contact is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    Point(Vec<Cell>),
    /// At a ball's or a disc's radius from the centre of the first body, against the normal.
    Radius(Cell),
    /// At a point of the first body, in its axes.
    Corner(Vec<Cell>),
}

/// What a contact's normal velocity is after the step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Target {
    Stop,
    Gap,
    NotAsked,
    Given(Cell),
}

const BODY: &[&str] = &[
    "name",
    "mass",
    "inertia",
    "inertia_axes",
    "position",
    "velocity",
    "angle",
    "angle_wraps",
    "orientation",
    "spin",
    "force",
    "torque",
    "gyroscopic",
];
const CONTACT: &[&str] = &[
    "name",
    "bodies",
    "normal",
    "tangents",
    "point",
    "radius",
    "mu",
    "cone",
    "restitution",
    "gap",
    "shapes",
    "normal_impulse",
    "friction",
    "torsion",
    "torsion_impulse",
    "rolling",
    "rolling_impulse",
    "target",
];

impl BodyMap {
    pub(super) fn read(value: &Value, place: &str, names: &Names<'_>) -> Result<Self> {
        let fields = Fields::of(value, place, BODY)?;
        let name = fields.text("name")?.to_owned();
        let d = names.dimension;
        let inertia = if d == 2 {
            fields.cell("inertia")?.map(|own| vec![own])
        } else {
            fields.rows("inertia", 3, 3)?.map(|rows| rows.concat())
        };
        let mass = fields.cell("mass")?;
        let spins: &[&str] = if d == 2 {
            &["spin"]
        } else {
            &["wx", "wy", "wz"]
        };
        let spin = fields.turning("spin", d)?;
        let angle = match fields.cell("angle")? {
            None if d == 2 => names.optional(&name, "angle"),
            own => own,
        };
        let angle_wraps = fields.flag("angle_wraps")?;
        if angle_wraps && (d != 2 || angle.is_none()) {
            let why = "it is about the \"angle\" of a body in the plane, and there is none";
            return Err(fields.fault("angle_wraps", why));
        }
        let orientation = match fields.cells("orientation", 4)? {
            Some(own) => Some(own),
            None => names.all_optional(&name, &["qw", "qx", "qy", "qz"]),
        };
        let turns = fields.word("inertia_axes", &["world", "body"])? == Some("body");
        if turns && orientation.is_none() {
            let why = "it is missing: inertia in axes of the body needs four columns w, x, y, z";
            return Err(fields.fault("orientation", why));
        }
        let torque = fields.turning("torque", d)?;
        if inertia.is_none() {
            is_particle(&fields, &name, names, spins)?;
        }
        let position = fields.cells("position", d)?;
        let velocity = fields.cells("velocity", d)?;
        Ok(Self {
            mass: mass.ok_or_else(|| fields.fault("mass", "it is missing; in kg"))?,
            inertia,
            turns,
            position: position.unwrap_or_else(|| names.vector(&name, "")),
            velocity: velocity.unwrap_or_else(|| names.vector(&name, "v")),
            angle,
            angle_wraps,
            orientation,
            spin: spin.unwrap_or_else(|| names.named(&name, spins)),
            force: fields.cells("force", d)?,
            torque,
            gyroscopic: fields.flag("gyroscopic")?,
            name,
        })
    }

    pub(super) fn cells(&self) -> Vec<(String, &Cell)> {
        let field = |name: &str| format!("{name} of the body {:?}", self.name);
        let mut found = vec![(field("mass"), &self.mass)];
        let turning = self.inertia.is_some();
        let lists = [
            ("position", Some(&self.position)),
            ("velocity", Some(&self.velocity)),
            ("inertia", self.inertia.as_ref()),
            ("spin", turning.then_some(&self.spin)),
            ("orientation", self.orientation.as_ref()),
            ("force", self.force.as_ref()),
            ("torque", self.torque.as_ref()),
        ];
        for (name, cells) in lists {
            found.extend(cells.into_iter().flatten().map(|own| (field(name), own)));
        }
        found.extend(self.angle.iter().map(|own| (field("angle"), own)));
        found
    }
}

impl ContactMap {
    pub(super) fn read(
        value: &Value,
        place: &str,
        names: &Names<'_>,
        bodies: &[BodyMap],
    ) -> Result<Self> {
        let fields = Fields::of(value, place, CONTACT)?;
        let name = fields.text("name")?.to_owned();
        let d = names.dimension;
        let zero = || Cell::Constant(0.into());
        let mu = fields.cell("mu")?.unwrap_or_else(zero);
        let rubs = mu != zero();
        let rubbed = rubbed(&fields, &name, names, rubs)?;
        let tangents = fields.rows("tangents", d - 1, d)?.unwrap_or_default();
        let turning = turning(&fields, &name, names)?;
        let rolls = turning.iter().any(|own| own.is_rolling);
        if d == 3 && (rubs || rolls) && tangents.is_empty() {
            let why = "they are missing: two directions that the impulses of friction, and of friction against rolling, are along";
            return Err(fields.fault("tangents", why));
        }
        let normal = fields.cells("normal", d)?;
        let pressed = fields.cell("normal_impulse")?;
        let gap = fields.cell("gap")?.or_else(|| names.optional(&name, "gap"));
        let target = target(&fields)?;
        let pair = pair(&fields, bodies)?;
        let shapes = shapes::read(&fields, pair, d)?;
        for own in &turning {
            let [of_mu, _] = turning_fields(own.is_rolling);
            takes_torques(&fields, of_mu, pair, bodies)?;
        }
        if let (Some([Shape::Corner(_), _]), Some(body)) = (&shapes, pair[0]) {
            knows_its_turn(&fields, CORNER, &bodies[body], d)?;
        }
        if target == Target::Gap && gap.is_none() && shapes.is_none() {
            let why = "it is missing, and the target \"gap\" needs it: a column, a column NAME.gap, or the shapes";
            return Err(fields.fault("gap", why));
        }
        Ok(Self {
            bodies: pair,
            normal: normal.unwrap_or_else(|| names.vector(&name, "normal_")),
            tangents,
            place: where_it_is(&fields, &name, names, shapes.as_ref())?,
            mu,
            pyramid: fields.word("cone", &["circle", "pyramid"])? == Some("pyramid"),
            restitution: fields.cell("restitution")?.unwrap_or_else(zero),
            gap,
            shapes,
            pressed: pressed.unwrap_or_else(|| Cell::column(format!("{name}.normal_impulse"))),
            rubbed,
            turning,
            target,
            name,
        })
    }

    pub(super) fn cells(&self) -> Vec<(String, &Cell)> {
        let field = |name: &str| format!("{name} of the contact {:?}", self.name);
        let mut found = vec![
            (field("mu"), &self.mu),
            (field("restitution"), &self.restitution),
            (field("normal_impulse"), &self.pressed),
        ];
        found.extend(self.normal.iter().map(|own| (field("normal"), own)));
        let tangents = self.tangents.iter().flatten();
        found.extend(tangents.map(|own| (field("tangents"), own)));
        found.extend(self.rubbed.iter().map(|own| (field("friction"), own)));
        for own in &self.turning {
            let [of_mu, of_impulse] = turning_fields(own.is_rolling);
            found.push((field(of_mu), &own.mu));
            let impulses = own.impulses.iter();
            found.extend(impulses.map(|own| (field(of_impulse), own)));
        }
        found.extend(self.gap.iter().map(|own| (field("gap"), own)));
        match &self.place {
            Place::Point(point) => found.extend(point.iter().map(|own| (field("point"), own))),
            Place::Radius(radius) => found.push((field("radius"), radius)),
            Place::Corner(corner) => found.extend(corner.iter().map(|own| (field("shapes"), own))),
        }
        let shapes = self.shapes.iter().flatten().flat_map(Shape::cells);
        found.extend(shapes.map(|own| (field("shapes"), own)));
        if let Target::Given(own) = &self.target {
            found.push((field("target"), own));
        }
        found
    }
}

/// That nothing says that a body without inertia turns: its rotation would be asked of nothing.
fn is_particle(fields: &Fields<'_>, name: &str, names: &Names<'_>, spins: &[&str]) -> Result<()> {
    let missing = "it is missing: the moment of inertia, kg m^2, without which a body is a particle, which does not turn";
    for field in ["spin", "torque"] {
        if fields.get(field).is_some() {
            let why = format!(
                "{missing}; there is a \"{field}\": give the inertia, or leave \"{field}\" out"
            );
            return Err(fields.fault("inertia", why));
        }
    }
    let mut columns = spins.iter().map(|own| format!("{name}.{own}"));
    match columns.find(|own| names.columns.contains(own)) {
        None => Ok(()),
        Some(column) => {
            let why = format!(
                "{missing}; there is a column {column:?}: give the inertia, or rename the column"
            );
            Err(fields.fault("inertia", why))
        }
    }
}

/// That the bodies of a pair can take up the torque that a field is about.
pub(super) fn takes_torques(
    fields: &Fields<'_>,
    field: &str,
    pair: [Option<usize>; 2],
    bodies: &[BodyMap],
) -> Result<()> {
    let mut pair = pair.iter().flatten().map(|body| &bodies[*body]);
    let Some(own) = pair.find(|own| own.inertia.is_none()) else {
        return Ok(());
    };
    let name = &own.name;
    let why = format!(
        "it is a torque on the body {name:?}, which has no \"inertia\" and does not turn: give its inertia under \"bodies\", or leave \"{field}\" out"
    );
    Err(fields.fault(field, why))
}

/// The field of corners, and what turns there.
const CORNER: (&str, &str) = ("shapes", "a corner turns with its body");

/// What is fixed in a body turns with it, so that the body's angle or orientation is needed. The field that asks for it comes with what
/// turns, in words.
pub(super) fn knows_its_turn(
    fields: &Fields<'_>,
    (field, turns): (&str, &str),
    own: &BodyMap,
    dimension: usize,
) -> Result<()> {
    let (known, what) = match dimension {
        2 => (own.angle.is_some(), "angle"),
        _ => (own.orientation.is_some(), "orientation"),
    };
    if known || own.inertia.is_none() {
        return Ok(());
    }
    let name = &own.name;
    let why = format!("{turns}, and the {what} of {name:?} is missing");
    Err(fields.fault(field, why))
}

/// Where the contact is: as the map says, as columns with names by default say, or by the shape of the first body.
fn where_it_is(
    fields: &Fields<'_>,
    name: &str,
    names: &Names<'_>,
    shapes: Option<&[Shape; 2]>,
) -> Result<Place> {
    match (
        fields.cell("radius")?,
        fields.cells("point", names.dimension)?,
    ) {
        (Some(_), Some(_)) => {
            Err(fields.fault("radius", "there is a point, too; give one of both"))
        }
        (Some(radius), None) if !shapes.is_none_or(|own| own[0] == Shape::Ball(radius.clone())) => {
            Err(fields.fault(
                "radius",
                "it is not that of the first of the \"shapes\"; leave it out",
            ))
        }
        (Some(radius), None) => Ok(Place::Radius(radius)),
        (None, Some(point)) => Ok(Place::Point(point)),
        (None, None) => {
            let point = names.vector(name, "point_");
            let is_there = point.iter().all(|cell| match cell {
                Cell::Column { name, .. } => names.columns.contains(name),
                Cell::Constant(_) => true,
            });
            Ok(match shapes {
                Some([Shape::Ball(radius), _]) if !is_there => Place::Radius(radius.clone()),
                Some([Shape::Corner(corner), _]) if !is_there => Place::Corner(corner.clone()),
                _ => Place::Point(point),
            })
        }
    }
}

/// The impulses of friction along the tangents; none without friction.
fn rubbed(fields: &Fields<'_>, name: &str, names: &Names<'_>, rubs: bool) -> Result<Vec<Cell>> {
    let d = names.dimension;
    let across: &[&str] = if d == 2 {
        &["friction"]
    } else {
        &["friction_1", "friction_2"]
    };
    match fields.get("friction") {
        None if !rubs => Ok(Vec::new()),
        None => Ok(names.named(name, across)),
        Some(Value::Array(_)) => Ok(fields.cells("friction", d - 1)?.unwrap_or_default()),
        Some(_) if d == 2 => Ok(fields.cell("friction")?.into_iter().collect()),
        Some(_) => Err(fields.fault("friction", "two numbers or columns belong there")),
    }
}

/// The fields of friction against turning: its coefficient and its impulse.
fn turning_fields(is_rolling: bool) -> [&'static str; 2] {
    match is_rolling {
        false => ["torsion", "torsion_impulse"],
        true => ["rolling", "rolling_impulse"],
    }
}

/// Friction about the normal, in space, and against rolling.
fn turning(fields: &Fields<'_>, name: &str, names: &Names<'_>) -> Result<Vec<TurningMap>> {
    let mut found = Vec::new();
    for is_rolling in [false, true] {
        let [of_mu, of_impulse] = turning_fields(is_rolling);
        let mu = fields.cell(of_mu)?;
        if fields.get(of_impulse).is_some() && mu.is_none() {
            let why = format!(
                "it is missing, and \"{of_impulse}\" needs it: the largest torque of a unit normal force, m"
            );
            return Err(fields.fault(of_mu, why));
        }
        let Some(mu) = mu.filter(|own| *own != Cell::Constant(0.into())) else {
            continue;
        };
        let (count, columns): (usize, &[&str]) = match (is_rolling, names.dimension) {
            (false, 2) => {
                let why = "in the plane nothing turns about a normal; leave it out";
                return Err(fields.fault(of_mu, why));
            }
            (false, _) => (1, &["torsion"]),
            (true, 2) => (1, &["rolling"]),
            (true, _) => (2, &["rolling_1", "rolling_2"]),
        };
        let impulses = match fields.get(of_impulse) {
            None => names.named(name, columns),
            Some(Value::Array(_)) => fields.cells(of_impulse, count)?.unwrap_or_default(),
            Some(_) if count == 1 => fields.cell(of_impulse)?.into_iter().collect(),
            Some(_) => {
                return Err(fields.fault(of_impulse, "two numbers or columns belong there"));
            }
        };
        found.push(TurningMap {
            is_rolling,
            mu,
            impulses,
        });
    }
    Ok(found)
}

fn target(fields: &Fields<'_>) -> Result<Target> {
    Ok(match fields.get("target") {
        None => Target::Stop,
        Some(Value::String(word)) if word == "stop" => Target::Stop,
        Some(Value::String(word)) if word == "gap" => Target::Gap,
        Some(Value::String(word)) if word == "none" => Target::NotAsked,
        Some(value) => Target::Given(Cell::read(value, &fields.at("target"))?),
    })
}

/// The bodies of a contact or joint; null is the world.
pub(super) fn pair(fields: &Fields<'_>, bodies: &[BodyMap]) -> Result<[Option<usize>; 2]> {
    let fault = |why: String| fields.fault("bodies", why);
    let Some(Value::Array(names)) = fields.get("bodies") else {
        let why = "it is missing: the names of two bodies, null for the world; impulses are those on the first";
        return Err(fault(why.to_owned()));
    };
    let one = |value: &Value| -> std::result::Result<Option<usize>, RecordError> {
        match value {
            Value::Null => Ok(None),
            Value::String(name) => {
                let at = bodies.iter().position(|own| own.name == *name);
                let known: Vec<_> = bodies.iter().map(|own| own.name.as_str()).collect();
                let none = || {
                    fault(format!(
                        "there is no body {name:?}; known are {}",
                        known.join(", ")
                    ))
                };
                at.map(Some).ok_or_else(none)
            }
            other => Err(fault(format!("{other} is neither a name nor null"))),
        }
    };
    let [a, b] = &names[..] else {
        let why = format!(
            "{} entries where two bodies belong; null is the world",
            names.len()
        );
        return Err(fault(why));
    };
    let pair = [one(a)?, one(b)?];
    if pair[0] == pair[1] {
        return Err(fault(
            "both are the same: name two bodies, or null for the world".to_owned(),
        ));
    }
    Ok(pair)
}
