//! Pieces of a step, shown to an observer that asks for them.

use crate::model::Model;
use crate::piece::{Given, Piece, PieceBody};
use crate::state::{State, Values};

use super::Tools;

/// Shows a piece that began with those values.
pub(super) fn show(
    model: &Model,
    state: &State,
    tools: &mut Tools<'_>,
    start: &Values,
    (duration, given): (f64, Given),
) {
    if state.pressed.is_none() {
        return;
    }
    let bodies = model.bodies(state).iter().zip(start).enumerate();
    let bodies = bodies.map(|(b, (body, before))| {
        let [x, vx, y, vy, _, spin] = *before;
        let motion = body.motion;
        PieceBody {
            inverse: [body.solid.inverse_mass, body.solid.inverse_inertia],
            position: [x, y],
            before: [vx, vy, spin],
            after: [motion.velocity.x, motion.velocity.y, motion.spin],
            applied: given.applied.get(b).copied().unwrap_or_default(),
        }
    });
    let piece = Piece {
        duration,
        bodies: bodies.collect(),
        contacts: given.contacts,
    };
    tools.observer.piece(&piece);
}
