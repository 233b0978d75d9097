//! Views that follow from the models that scenes are stepped with.

use etalon_rigid::{Covector, Scalar};
use etalon_time_stepping::corner::Obstacle;
use etalon_time_stepping::models::{BallContact, Balls, HalfSpace, Planar, PlanarBody, Touch};
use rug::Rational;

use super::{Mark, Placement, View, at, circle, still};

/// A number of a scene as it is drawn.
pub fn float(value: &Rational) -> f64 {
    Scalar::to_f64(value)
}

fn entry(row: &Covector<f64>, axis: usize) -> f64 {
    let own = row.entries().iter().find(|(k, _)| *k == axis);
    own.map_or(0.0, |(_, value)| *value)
}

/// From the side, z or y upwards.
pub fn elevation(up: &str) -> View {
    View::new("Elevation", "x, m", up)
}

/// From above.
pub fn plan() -> View {
    View::new("Plan", "x, m", "y, m")
}

/// A body's outline, and whether it is round.
pub type Look = (Vec<[f64; 2]>, bool);

/// Bodies of the plane on lines that stay, each body with its look; marks stand where discs touch.
pub fn of_planar(
    mut view: View,
    model: &Planar<f64>,
    look: impl Fn(&PlanarBody<f64>) -> Look,
) -> View {
    for line in model.lines() {
        view = view.ground(line.normal, line.offset);
    }
    for (k, body) in model.bodies().iter().enumerate() {
        let place = Placement::Plane([at(3 * k), at(3 * k + 1), at(3 * k + 2)]);
        let (outline, round) = look(body);
        view = view.body(&body.name, outline, place);
        if round {
            view = view.round();
        }
    }
    let disc = |(body, disc): (usize, usize)| model.bodies().get(body)?.discs.get(disc);
    let mark = |touch: &Touch| match *touch {
        Touch::Line { disc: own, line } => {
            let (own, line, body) = (disc(own)?, model.lines().get(line)?, own.0);
            Some(Mark::Fixed {
                body,
                at: own.centre,
                radius: own.radius,
                normal: line.normal,
            })
        }
        Touch::Discs { first, second } => Some(Mark::Between {
            radius: disc(first)?.radius,
            first: first.0,
            second: second.0,
        }),
    };
    let marks = model
        .touches()
        .iter()
        .map(|touch| mark(touch).unwrap_or(Mark::Hidden));
    view.marks(marks)
}

/// A particle with coordinates on these axes, and the half-spaces that it keeps to.
pub fn of_particle(mut view: View, half_spaces: &[HalfSpace<f64>], axes: [usize; 2]) -> View {
    for half_space in half_spaces {
        let normal = axes.map(|axis| entry(&half_space.normal, axis));
        view = view.against(0, [0.0; 2], 0.0, normal, half_space.offset);
    }
    let [x, y] = axes.map(at);
    view.body("particle", Vec::new(), Placement::Plane([x, y, still(0.0)]))
}

/// Obstacles, each touched by the body's point of the same place in the list; the coordinates are
/// x and y of a body that does not turn.
pub fn of_obstacles(mut view: View, obstacles: &[Obstacle<f64>], points: &[[f64; 2]]) -> View {
    for (obstacle, &point) in obstacles.iter().zip(points) {
        let planes = obstacle.faces().iter().map(|face| {
            let normal = [0, 1].map(|axis| entry(&face.normal, axis));
            // The offset is of the body's place; the point is elsewhere.
            let offset = face.offset + normal[0] * point[0] + normal[1] * point[1];
            (normal, offset)
        });
        let planes: Vec<_> = planes.collect();
        view = view
            .solid(&planes)
            .marks(planes.iter().map(|&(normal, _)| Mark::Fixed {
                body: 0,
                at: point,
                radius: 0.0,
                normal,
            }));
    }
    view
}

/// Where a ball with coordinates x, y, z and three turns is seen from the side and from above; from
/// the side a turn about y is clockwise.
fn seen(ball: usize) -> [Placement; 2] {
    let k = 6 * ball;
    [
        Placement::Plane([at(k), at(k + 2), at(k + 4).negative()]),
        Placement::Plane([at(k), at(k + 1), at(k + 5)]),
    ]
}

/// Balls from the side, the frame turned there, and from above.
pub fn of_balls(model: &Balls<f64>, turn: f64) -> Vec<View> {
    let views = [(elevation("z, m").turned(turn), [0, 2]), (plan(), [0, 1])];
    let views = views
        .into_iter()
        .enumerate()
        .map(|(side, (mut view, axes))| {
            for (k, ball) in model.balls().iter().enumerate() {
                let [elevation, plan] = seen(k);
                let place = if side == 0 { elevation } else { plan };
                view = view.body(&ball.name, circle(ball.radius), place).round();
            }
            for pair in model.pairs() {
                let radius = |ball: usize| model.balls().get(ball).map_or(0.0, |ball| ball.radius);
                view = match pair {
                    BallContact::Plane {
                        ball,
                        normal,
                        offset,
                        ..
                    } => {
                        let normal = axes.map(|axis: usize| normal[axis]);
                        view.against(*ball, [0.0; 2], radius(*ball), normal, *offset)
                    }
                    BallContact::Balls { first, second } => view.marks([Mark::Between {
                        first: *first,
                        second: *second,
                        radius: radius(*first),
                    }]),
                };
            }
            view
        });
    views.collect()
}
