//! The commands of a page.

use etalon_lcp::record::plain_words;
use etalon_planar::{CollisionHandling, ExtraAcceleration, FrictionModel, Integrator, WorldSpec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AskContact, AskMotion, Complaint, ComplaintCode};

/// A message of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// `open`: a named world.
    Open(Open),
    /// `load`: a scene of the page.
    Load(Box<Load>),
    /// `reset`: everything back to where it was opened or loaded; controls stay.
    Reset,
    /// `run`: go on, or pause.
    Run(Running),
    /// `step`: one time step, then pause.
    Step,
    /// `set`: controls; those that are left out stay.
    Set(Controls),
    /// `pull`: take hold of the nearest body.
    Pull(Pull),
    /// `drag`: move the hand.
    Drag(Drag),
    /// `release`: let go.
    Release,
    /// `thrust`: all thrusters that fire; none puts them out.
    Thrust(Thrusters),
    /// `contact`: the answers to one contact in space. It needs no world.
    Contact(AskContact),
    /// `motion`: a motion in space, step by step. It needs no world.
    Motion(Box<AskMotion>),
}

/// Opens a named world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Its name.
    pub world: String,
    /// How many bodies move.
    pub bodies: usize,
    /// Whether it runs at once.
    #[serde(default = "yes")]
    pub running: bool,
}

/// Loads a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The scene, without the field `format` of its file.
    pub scene: WorldSpec,
    /// What reset goes back to, where it is not this scene: a page that reconnects knows.
    #[serde(default)]
    pub start: Option<WorldSpec>,
    /// Whether it runs at once.
    #[serde(default = "yes")]
    pub running: bool,
}

fn yes() -> bool {
    true
}

/// Goes on, or pauses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Running {
    /// Whether time goes on.
    pub running: bool,
}

/// What there is to set. As a message of the page, what is left out stays as it is; in a message
/// of the server only what differs from body to body is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Controls {
    /// m/s^2, downwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<f64>,
    /// Of all bodies, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elasticity: Option<f64>,
    /// The coefficient of friction of all bodies, 0 to 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// How contacts rub.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_model: Option<FrictionModel>,
    /// kg/s, of every motion; of turning a tenth of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Whether resting contacts get forces; without them they get small impulses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_forces: Option<bool>,
    /// How collisions that happen together are handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision_handling: Option<CollisionHandling>,
    /// What resting contacts do against remaining velocity and distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_acceleration: Option<ExtraAcceleration>,
    /// How bodies move between events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<Integrator>,
    /// Seconds of the world in a second: 1 is real time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Whose forces act at contacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverName>,
    /// Sweeps of projected Gauss-Seidel, 1 to 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweeps: Option<u32>,
}

/// The solver whose forces act at contacts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolverName {
    /// The engine's own, in binary64, which checks its answers.
    #[default]
    Fast,
    /// Exact arithmetic, rounded at the end. Where it has no answer of moderate size, the engine's own acts.
    Exact,
    /// Under test: projected Gauss-Seidel, from zero, with a fixed number of sweeps.
    GaussSeidel,
    /// Under test: the drive to zero in binary64 that breaks ties by rounding.
    NaiveDantzig,
}

/// Takes hold of the nearest body by a spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pull {
    /// Where the hand is, m.
    pub at: [f64; 2],
    /// Bodies farther from the hand are not taken, m.
    pub reach: f64,
}

/// Moves the hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Where to, m.
    pub to: [f64; 2],
}

/// All thrusters that fire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thrusters {
    /// Which; an empty list puts all out.
    pub firing: Vec<Firing>,
}

/// A thruster that fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firing {
    /// The body's place in the scene, from 0.
    pub body: usize,
    /// Where it pushes the body, in the body's own frame.
    pub direction: ThrustDirection,
}

/// A direction in a body's own frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrustDirection {
    /// Against x.
    Left,
    /// Along x.
    Right,
    /// Along y.
    Up,
    /// Against y.
    Down,
}

impl Command {
    /// Reads a message.
    ///
    /// # Errors
    /// A [`Complaint`] that names the field and what would be right.
    pub fn read(text: &str) -> Result<Self, Complaint> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let remedy = "send one JSON object a message";
            Complaint::new(ComplaintCode::NotJson, None, error.to_string(), remedy)
        })?;
        let Value::Object(mut fields) = value else {
            return Err(no_type("a message must be an object"));
        };
        let kind = match fields.remove("type") {
            Some(Value::String(kind)) => kind,
            _ => return Err(no_type("the message has no type")),
        };
        let rest = Value::Object(fields);
        match kind.as_str() {
            "open" => fields_of(rest).map(Self::Open),
            "load" => fields_of(rest).map(|load| Self::Load(Box::new(load))),
            "reset" => nothing(&rest).map(|()| Self::Reset),
            "run" => fields_of(rest).map(Self::Run),
            "step" => nothing(&rest).map(|()| Self::Step),
            "set" => fields_of(rest).map(Self::Set),
            "pull" => fields_of(rest).map(Self::Pull),
            "drag" => fields_of(rest).map(Self::Drag),
            "release" => nothing(&rest).map(|()| Self::Release),
            "thrust" => fields_of(rest).map(Self::Thrust),
            "contact" => fields_of(rest).map(Self::Contact),
            "motion" => fields_of(rest).map(|ask| Self::Motion(Box::new(ask))),
            other => Err(no_type(&format!("there is no type {:?}", shorten(other)))),
        }
    }
}

fn no_type(message: &str) -> Complaint {
    let remedy = "the type is one of open, load, reset, run, step, set, pull, drag, release, thrust, contact, motion";
    Complaint::new(ComplaintCode::NoType, Some("type"), message, remedy)
}

fn fields_of<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = (path != ".").then_some(path.as_str());
        let message = shorten(&plain_words(error.inner()));
        Complaint::new(
            ComplaintCode::BadField,
            field,
            message,
            "docs/serve.md and `etalon schema serve` list the fields of every message",
        )
    })
}

fn nothing(value: &Value) -> Result<(), Complaint> {
    let extra = value.as_object().and_then(|fields| fields.keys().next());
    extra.map_or(Ok(()), |field| {
        let message = format!("there is no field {:?} here", shorten(field));
        Err(Complaint::new(
            ComplaintCode::BadField,
            Some(&shorten(field)),
            message,
            "leave it out",
        ))
    })
}

/// What a page sent comes back in complaints; not all of it.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> Complaint {
        Command::read(text).unwrap_err()
    }

    #[test]
    fn a_complaint_names_the_field() {
        let unknown = complaint(r#"{"type":"set","gravity":1,"stiction":2}"#);
        assert_eq!(unknown.code, ComplaintCode::BadField);
        assert_eq!(unknown.field.as_deref(), Some("stiction"));
        let inside = complaint(r#"{"type":"thrust","firing":[{"body":1,"direction":"north"}]}"#);
        assert_eq!(inside.field.as_deref(), Some("firing[0].direction"));
        let extra = complaint(r#"{"type":"step","by":3}"#);
        assert_eq!(extra.field.as_deref(), Some("by"));
    }

    #[test]
    fn what_is_no_message_is_said_to_be_none() {
        assert_eq!(complaint("{").code, ComplaintCode::NotJson);
        assert_eq!(complaint("[1]").code, ComplaintCode::NoType);
        assert_eq!(complaint("{}").code, ComplaintCode::NoType);
        assert_eq!(complaint(r#"{"type":7}"#).code, ComplaintCode::NoType);
        assert_eq!(complaint(r#"{"type":"fly"}"#).code, ComplaintCode::NoType);
        assert_eq!(
            complaint(r#"{"type":"drag","to":[1e999,0]}"#).code,
            ComplaintCode::NotJson
        );
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(complaint(&deep).code, ComplaintCode::NotJson);
    }

    #[test]
    fn long_words_do_not_come_back_whole() {
        let long = complaint(&format!(r#"{{"type":"{}"}}"#, "x".repeat(10_000)));
        assert!(long.message.len() < 300);
    }
}
