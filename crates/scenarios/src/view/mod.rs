//! What a scene in motion looks like: outlines of bodies, where they are in a state, what stays, and
//! where its contacts act. A view is made of the same model, or of the same constants, as the scene.

mod models;
mod outline;
mod place;
mod sketch;

pub(crate) use models::{elevation, float, of_balls, of_obstacles, of_particle, of_planar, plan};
pub(crate) use outline::{capsule, circle, ellipse, rectangle};
pub use place::Pose;
use place::turned;
pub(crate) use place::{Placement, at, still};
pub(crate) use place::{onto_axes, rotation};
pub use sketch::{Sketch, hull};

/// Half the thickness that thin rods are drawn with, m; it decides nothing.
pub(crate) const THIN: f64 = 0.03;

/// Straight up.
pub(crate) const UP: [f64; 2] = [0.0, 1.0];

/// A plane that a scene is drawn in.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The title.
    pub title: String,
    /// The name of the axis to the right.
    pub across: String,
    /// The name of the axis upwards.
    pub up: String,
    /// The fixed parts, as intersections of half-planes n.p <= offset, each `[n_x, n_y, offset]`.
    pub solids: Vec<Vec<[f64; 3]>>,
    /// The fixed parts, as lines.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// The moving parts.
    pub bodies: Vec<Drawn>,
    places: Vec<Placement>,
    marks: Vec<Mark>,
    /// The frame is turned by so much, counter-clockwise, rad.
    turn: f64,
}

/// The outline of a body about its place; a body without one is a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// A closed polygon.
    pub outline: Vec<[f64; 2]>,
    /// Whether it is round, so that a radius shows how it turns.
    pub round: bool,
}

/// Where a contact's normal force is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mark {
    /// At a disc about a point of a body, against something that stays.
    Fixed {
        body: usize,
        at: [f64; 2],
        radius: f64,
        normal: [f64; 2],
    },
    /// Between two round bodies, at the first one.
    Between {
        first: usize,
        second: usize,
        radius: f64,
    },
    /// It is not drawn in this view.
    Hidden,
}

/// Where a contact acts, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The point, m.
    pub at: [f64; 2],
    /// The direction of the normal force, a unit vector.
    pub normal: [f64; 2],
}

impl View {
    /// A view with a title.
    pub(crate) fn new(title: &str, across: &str, up: &str) -> Self {
        Self {
            title: title.to_owned(),
            across: across.to_owned(),
            up: up.to_owned(),
            ..Self::default()
        }
    }

    /// The same view, its frame turned.
    pub(crate) fn turned(mut self, angle: f64) -> Self {
        self.turn = angle;
        self
    }

    /// Adds a half-plane n.p <= offset of something solid, in the frame's own coordinates.
    pub(crate) fn ground(self, normal: [f64; 2], offset: f64) -> Self {
        self.solid(&[(normal, offset)])
    }

    /// Adds an intersection of half-planes.
    pub(crate) fn solid(mut self, planes: &[([f64; 2], f64)]) -> Self {
        let turn = self.turn;
        let planes = planes.iter().map(|&(normal, offset)| {
            let [x, y] = turned(normal, turn);
            [x, y, offset]
        });
        let planes: Vec<_> = planes.collect();
        if !self.solids.contains(&planes) {
            self.solids.push(planes);
        }
        self
    }

    /// Adds the half-plane that a disc about a point of a body touches, and the mark of that contact;
    /// hides the contact where the half-plane is not seen from here.
    fn against(
        self,
        body: usize,
        at: [f64; 2],
        radius: f64,
        normal: [f64; 2],
        offset: f64,
    ) -> Self {
        if normal == [0.0; 2] {
            return self.marks([Mark::Hidden]);
        }
        self.ground(normal, offset).marks([Mark::Fixed {
            body,
            at,
            radius,
            normal,
        }])
    }

    /// Adds a line.
    pub(crate) fn line(mut self, points: Vec<[f64; 2]>) -> Self {
        self.lines.push(points);
        self
    }

    /// Adds a body.
    pub(crate) fn body(
        mut self,
        name: impl Into<String>,
        outline: Vec<[f64; 2]>,
        place: Placement,
    ) -> Self {
        self.bodies.push(Drawn {
            name: name.into(),
            outline,
            round: false,
        });
        self.places.push(place);
        self
    }

    /// Says that the body added last is round.
    fn round(mut self) -> Self {
        if let Some(body) = self.bodies.last_mut() {
            body.round = true;
        }
        self
    }

    /// Adds a round body.
    pub(crate) fn disc(self, name: impl Into<String>, radius: f64, place: Placement) -> Self {
        self.body(name, circle(radius), place).round()
    }

    /// Says where the forces of the contacts are drawn, in the order of the trajectory.
    pub(crate) fn marks(mut self, marks: impl IntoIterator<Item = Mark>) -> Self {
        self.marks.extend(marks);
        self
    }

    /// The bodies' poses in a state.
    pub fn poses(&self, q: &[f64]) -> Vec<Pose> {
        let pose = |place: &Placement| {
            let [x, y, angle, a, b] = place.pose(q);
            let [x, y] = turned([x, y], self.turn);
            [x, y, angle + self.turn, a, b]
        };
        self.places.iter().map(pose).collect()
    }

    /// The bodies' outlines in a state, in the order of the bodies; that of a point is its place alone.
    pub fn outlines(&self, q: &[f64]) -> Vec<Vec<[f64; 2]>> {
        let placed = |((body, place), [x, y, angle, a, b]): ((&Drawn, &Placement), Pose)| {
            let corner = |&[u, v]: &[f64; 2]| {
                let [dx, dy] = turned([a * u, b * v], angle);
                [x + dx, y + dy]
            };
            let own = place.outline(q);
            match own.as_deref().unwrap_or(&body.outline) {
                [] => vec![[x, y]],
                outline => outline.iter().map(corner).collect(),
            }
        };
        let bodies = self.bodies.iter().zip(&self.places);
        bodies.zip(self.poses(q)).map(placed).collect()
    }

    /// Where the contacts act at bodies with these poses, in the order of the trajectory; none for a
    /// contact that is not drawn in this view.
    pub fn touches(&self, poses: &[Pose]) -> Vec<Option<Touch>> {
        let touch = |mark: &Mark| self.touch(mark, poses);
        self.marks.iter().map(touch).collect()
    }

    fn touch(&self, mark: &Mark, poses: &[Pose]) -> Option<Touch> {
        match *mark {
            Mark::Fixed {
                body,
                at,
                radius,
                normal,
            } => {
                let [x, y, angle, ..] = *poses.get(body)?;
                let [dx, dy] = turned(at, angle);
                let normal = turned(normal, self.turn);
                let at = [x + dx - radius * normal[0], y + dy - radius * normal[1]];
                Some(Touch { at, normal })
            }
            Mark::Between {
                first,
                second,
                radius,
            } => {
                let ([x1, y1, ..], [x2, y2, ..]) = (*poses.get(first)?, *poses.get(second)?);
                let (dx, dy) = (x1 - x2, y1 - y2);
                let length = dx.hypot(dy);
                (length > 0.0).then(|| {
                    let normal = [dx / length, dy / length];
                    let at = [x1 - radius * normal[0], y1 - radius * normal[1]];
                    Touch { at, normal }
                })
            }
            Mark::Hidden => None,
        }
    }
}
