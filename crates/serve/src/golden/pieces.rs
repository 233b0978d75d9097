//! What a film is drawn from.

use std::f64::consts::TAU;

use serde::Serialize;

/// A film's view: a plane that everything is drawn in.
#[derive(Debug, Clone, Default, Serialize)]
pub struct View {
    /// What it is, as a title.
    pub title: String,
    /// The name of the axis to the right.
    pub across: String,
    /// The name of the axis upwards.
    pub up: String,
    /// What stays, as intersections of half-planes n.p <= offset, each `[n_x, n_y, offset]`.
    pub solids: Vec<Vec<[f64; 3]>>,
    /// What stays, as lines.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// What moves.
    pub bodies: Vec<Drawn>,
    /// The corners of what is to be seen, m.
    pub low: [f64; 2],
    /// The other corner.
    pub high: [f64; 2],
    #[serde(skip)]
    pub places: Vec<Place>,
    #[serde(skip)]
    pub marks: Vec<Mark>,
    /// The frame is turned by so much, counter-clockwise, rad.
    #[serde(skip)]
    pub turn: f64,
}

/// The outline of a body about its place; a body without one is a point.
#[derive(Debug, Clone, Serialize)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// A closed polygon.
    pub outline: Vec<[f64; 2]>,
    /// Whether it is round, so that a radius shows how it turns.
    pub round: bool,
}

/// Where a body is drawn: x, y, angle and two half axes that its outline is stretched by.
pub type Pose = [f64; 5];

/// A number of the state, plus a constant.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    index: Option<usize>,
    factor: f64,
    add: f64,
}

/// The state's number at an index.
pub const fn at(index: usize) -> Source {
    Source {
        index: Some(index),
        factor: 1.0,
        add: 0.0,
    }
}

/// A number that does not change.
pub const fn still(add: f64) -> Source {
    Source {
        index: None,
        factor: 1.0,
        add,
    }
}

impl Source {
    /// The same, the other way round.
    pub const fn negative(mut self) -> Self {
        self.factor = -1.0;
        self
    }

    /// The same, farther on.
    pub const fn plus(mut self, add: f64) -> Self {
        self.add = add;
        self
    }

    fn of(self, q: &[f64]) -> f64 {
        let value = self.index.and_then(|index| q.get(index));
        value.map_or(0.0, |value| self.factor * value) + self.add
    }
}

/// How a body's place follows from the state.
#[derive(Debug, Clone)]
pub enum Place {
    /// x, y, angle.
    Plane([Source; 3]),
    /// The shadow of an ellipsoid, its centre and quaternion at the start of the state, on two of
    /// the axes.
    Shadow { axes: [f64; 3], onto: [usize; 2] },
}

/// Where a contact's normal force is drawn.
#[derive(Debug, Clone, Copy)]
pub enum Mark {
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

/// A normal force as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Arrow {
    /// Where it acts, m.
    pub at: [f64; 2],
    /// N, as a vector.
    pub force: [f64; 2],
}

fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos * x - sin * y, sin * x + cos * y]
}

impl Place {
    fn pose(&self, q: &[f64]) -> Pose {
        match self {
            Self::Plane([x, y, angle]) => [x.of(q), y.of(q), angle.of(q), 1.0, 1.0],
            Self::Shadow { axes, onto } => shadow(*axes, *onto, q),
        }
    }
}

/// The ellipse that an ellipsoid's outline makes on two of the axes.
fn shadow(axes: [f64; 3], [i, j]: [usize; 2], q: &[f64]) -> Pose {
    let get = |k: usize| q.get(k).copied().unwrap_or_default();
    let [w, x, y, z] = [get(3), get(4), get(5), get(6)];
    let rotation = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    // The rows and columns i, j of R diag(axes^2) R': its eigenvalues are the squared half axes.
    let entry = |r: usize, s: usize| -> f64 {
        (0..3)
            .map(|k| rotation[r][k] * axes[k] * axes[k] * rotation[s][k])
            .sum()
    };
    let (a, b, d) = (entry(i, i), entry(i, j), entry(j, j));
    let (middle, radius) = ((a + d) / 2.0, ((a - d) / 2.0).hypot(b));
    let angle = (2.0 * b).atan2(a - d) / 2.0;
    let axis = |square: f64| square.max(0.0).sqrt();
    [
        get(i),
        get(j),
        angle,
        axis(middle + radius),
        axis(middle - radius),
    ]
}

impl View {
    /// A view with a title.
    pub fn new(title: &str, across: &str, up: &str) -> Self {
        Self {
            title: title.to_owned(),
            across: across.to_owned(),
            up: up.to_owned(),
            ..Self::default()
        }
    }

    /// The same view, its frame turned.
    pub fn turned(mut self, angle: f64) -> Self {
        self.turn = angle;
        self
    }

    /// Adds a half-plane n.p <= offset of something solid, in the frame's own coordinates.
    pub fn ground(self, normal: [f64; 2], offset: f64) -> Self {
        self.solid(&[(normal, offset)])
    }

    /// Adds an intersection of half-planes.
    pub fn solid(mut self, planes: &[([f64; 2], f64)]) -> Self {
        let turn = self.turn;
        let planes = planes.iter().map(|&(normal, offset)| {
            let [x, y] = turned(normal, turn);
            [x, y, offset]
        });
        self.solids.push(planes.collect());
        self
    }

    /// Adds a line.
    pub fn line(mut self, points: Vec<[f64; 2]>) -> Self {
        self.lines.push(points);
        self
    }

    /// Adds a body.
    pub fn body(mut self, name: impl Into<String>, outline: Vec<[f64; 2]>, place: Place) -> Self {
        self.bodies.push(Drawn {
            name: name.into(),
            outline,
            round: false,
        });
        self.places.push(place);
        self
    }

    /// Adds a round body.
    pub fn disc(mut self, name: impl Into<String>, radius: f64, place: Place) -> Self {
        self = self.body(name, circle(radius), place);
        if let Some(body) = self.bodies.last_mut() {
            body.round = true;
        }
        self
    }

    /// Says where the forces of the contacts are drawn, in the order of the trajectory.
    pub fn marks(mut self, marks: impl IntoIterator<Item = Mark>) -> Self {
        self.marks.extend(marks);
        self
    }

    /// The bodies' poses in a state.
    pub fn poses(&self, q: &[f64]) -> Vec<Pose> {
        let pose = |place: &Place| {
            let [x, y, angle, a, b] = place.pose(q);
            let [x, y] = turned([x, y], self.turn);
            [x, y, angle + self.turn, a, b]
        };
        self.places.iter().map(pose).collect()
    }

    /// The normal forces of contacts in N, drawn at bodies with these poses.
    pub fn arrows(&self, poses: &[Pose], forces: &[f64]) -> Vec<Arrow> {
        let pairs = self
            .marks
            .iter()
            .zip(forces)
            .filter(|(_, force)| **force > 0.0);
        pairs
            .filter_map(|(mark, force)| self.arrow(mark, poses, *force))
            .collect()
    }

    fn arrow(&self, mark: &Mark, poses: &[Pose], force: f64) -> Option<Arrow> {
        match *mark {
            Mark::Fixed {
                body,
                at,
                radius,
                normal,
            } => {
                let [x, y, angle, ..] = *poses.get(body)?;
                let [dx, dy] = turned(at, angle);
                let [nx, ny] = turned(normal, self.turn);
                Some(Arrow {
                    at: [x + dx - radius * nx, y + dy - radius * ny],
                    force: [force * nx, force * ny],
                })
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
                    let (nx, ny) = (dx / length, dy / length);
                    Arrow {
                        at: [x1 - radius * nx, y1 - radius * ny],
                        force: [force * nx, force * ny],
                    }
                })
            }
            Mark::Hidden => None,
        }
    }
}

/// A circle around the origin as a polygon.
pub fn circle(radius: f64) -> Vec<[f64; 2]> {
    ellipse(radius, radius)
}

/// An ellipse around the origin as a polygon.
pub fn ellipse(a: f64, b: f64) -> Vec<[f64; 2]> {
    let point = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k) / 64.0).sin_cos();
        [a * cos, b * sin]
    };
    (0..64).map(point).collect()
}

/// A rectangle around the origin.
pub fn rectangle(width: f64, height: f64) -> Vec<[f64; 2]> {
    let (x, y) = (width / 2.0, height / 2.0);
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}

/// A rod along x with round ends: end centres at +-half.
pub fn capsule(half: f64, radius: f64) -> Vec<[f64; 2]> {
    let end = |middle: f64, from: f64| {
        (0..=16).map(move |k: u32| {
            let (sin, cos) = (from + std::f64::consts::PI * f64::from(k) / 16.0).sin_cos();
            [middle + radius * cos, radius * sin]
        })
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    end(half, -quarter).chain(end(-half, quarter)).collect()
}
