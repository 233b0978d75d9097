//! The limits of the server.

use std::time::Duration;

use etalon_scenarios::EngineWorld;

/// Connections that have a world at the same time; further ones are told that it is full.
pub const CONNECTIONS: usize = 256;
/// Sockets that are open at the same time; further ones wait to be accepted.
pub const SOCKETS: usize = 512;
/// Bytes of a message of the page.
pub const MESSAGE_BYTES: usize = 128 * 1024;
/// Bytes that are read of a message before it is given up: one that is somewhat too large is read
/// to its end, so that its page can be told.
pub const READ_BYTES: usize = 2 * MESSAGE_BYTES;
/// Bytes on their way to a page that the system holds; frames beyond are dropped until it reads.
pub const SEND_BYTES: u32 = 128 * 1024;
/// Messages a second over a longer time; each kilobyte counts as one more.
pub const MESSAGES_PER_SECOND: f64 = 120.0;
/// Messages at once.
pub const MESSAGES_AT_ONCE: f64 = 240.0;
/// A connection ends when so many messages over the rate came without a pause.
pub const MESSAGES_DROPPED: u32 = 2000;
/// Commands that wait for a world.
pub const COMMANDS: usize = 64;
/// Answers that wait for a page; a frame is not an answer, and only one waits.
pub const ANSWERS: usize = 96;

/// Bodies that move in a world opened by name.
pub const NAMED_BODIES: usize = 6;
/// The least and the largest number of bodies that move which are taken of a world opened by name.
pub fn bodies(world: &EngineWorld) -> (usize, usize) {
    let (least, most) = world.bodies();
    (least, most.min(NAMED_BODIES))
}

/// Bodies of a scene.
pub const BODIES: usize = 40;
/// Connectors, and forces, of a scene.
pub const CONNECTORS: usize = 40;
/// Pieces of a curve that holds a point.
pub const PIECES: usize = 16;
/// Edges of all bodies.
pub const EDGES: usize = 400;
/// Metres of the circles that all arcs are parts of: contact is looked for every 0.3 m along them.
pub const ARC_METRES: f64 = 400.0;
/// Characters of a body's name.
pub const NAME: usize = 60;
/// Metres from the origin.
pub const METRES: f64 = 10_000.0;
/// Seconds of a time step.
pub const TIME_STEP: std::ops::RangeInclusive<f64> = 1e-4..=0.1;
/// Coefficients of friction, of scenes and of what is set. More than 10 holds on any slope that is drawn.
pub const FRICTION: std::ops::RangeInclusive<f64> = 0.0..=10.0;
/// Gravity, of scenes and of what is set, m/s^2.
pub const GRAVITY: std::ops::RangeInclusive<f64> = -100.0..=100.0;
/// Damping, of scenes and of what is set, kg/s.
pub const DAMPING: std::ops::RangeInclusive<f64> = 0.0..=100.0;
/// Forces of thrusters at the same time.
pub const THRUSTERS: usize = 16;

/// Steps of a motion in space that are shown.
pub const MOTION_STEPS: u64 = 5000;
/// Vertices of all polyhedra of a motion in space.
pub const MOTION_VERTICES: usize = 2000;
/// The work of pivots in a step of a motion in space, in the units of `etalon_exact::Budget`: a minute or less.
pub const MOTION_WORK: u64 = 180_000_000_000;
/// Steps of a motion in space that wait for a page; the motion waits then, too.
pub const MOTION_FRAMES: usize = 8;

/// Rows of an LCP that is shown with its matrix.
pub const ROWS_SHOWN: usize = 40;
/// Rows of an LCP whose index sets are found anew in exact arithmetic.
pub const ROWS_PIVOTED: usize = 24;
/// Rows of an LCP that the exact solver is asked for, where it moves a world.
pub const ROWS_EXACT: usize = 40;
/// Sweeps of projected Gauss-Seidel, where it moves a world. So many over 200 rows take a hundredth of a second.
pub const SWEEPS: std::ops::RangeInclusive<u32> = 1..=500;

/// Time for a request's head to come in.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// Time for a message to go out before a reader is given up.
pub const SEND_TIME: Duration = Duration::from_secs(30);
/// Time without a sign of life before a connection is given up.
pub const IDLE_TIME: Duration = Duration::from_secs(60);
/// Time between signs of life of the server.
pub const BEAT: Duration = Duration::from_secs(4);
/// Time for what is still on its way from a client whose connection has ended.
pub const LINGER_TIME: Duration = Duration::from_secs(5);
/// Time that connections have to end when the server stops.
pub const STOP_TIME: Duration = Duration::from_secs(3);
