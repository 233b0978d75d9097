//! Tracks: curves with what the search for the nearest point needs.

use crate::tolerances::{LOOP_CLOSES, TURN, UNIT_LENGTH};

use super::curve::{Curve, CurveError, CurvePiece};
use super::{Vec2, turn};

/// A piece has at most so many control points.
const MAX_POINTS: usize = 16;
/// A track has at most so many stations: of all pairs the distance is looked at once.
const MAX_STATIONS: usize = 4096;
/// An interval is halved at most so often.
const MAX_HALVINGS: u32 = 12;
/// Newton's method, kept within an interval that holds the root, ends long before. What is left then is rounding.
const ROUNDS: u32 = 100;

/// Homogeneous coordinates (w x, w y, w).
type Weighted = [f64; 3];

/// A curve in body coordinates, ready to be followed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Track {
    /// The control points of each piece.
    pieces: Vec<Vec<Weighted>>,
    /// Places along the track, dense enough that it hardly turns from one to the next.
    stations: Vec<Station>,
    /// Whether the last station is the first again.
    closed: bool,
}

/// An interval of a piece, and where it starts and ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Station {
    piece: usize,
    from: f64,
    to: f64,
    start: Vec2,
    end: Vec2,
}

/// An end of an open track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The place of a track that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foot {
    pub at: Vec2,
    /// The unit vector along the track there.
    pub along: Vec2,
    /// The curvature, 1/m: positive where the track turns left.
    pub curvature: f64,
    /// The end that the point lies beyond. The track goes on straight there.
    pub beyond: Option<End>,
}

impl Foot {
    /// The unit normal, on the left of the track.
    pub fn normal(&self) -> Vec2 {
        turn(1.0, self.along)
    }

    /// The unit vector back from an end, along the track.
    pub fn back(&self, end: End) -> Vec2 {
        match end {
            End::First => self.along,
            End::Last => -self.along,
        }
    }

    /// The distance of the point from the track, positive on the left.
    pub fn distance(&self, point: Vec2) -> f64 {
        self.normal().dot(&(point - self.at))
    }
}

/// A place of a piece, with its first two derivatives by the parameter.
#[derive(Debug, Clone, Copy)]
struct Jet {
    at: Vec2,
    first: Vec2,
    second: Vec2,
}

impl Track {
    /// The track of a curve, no part of which may come within `apart` metres of another.
    pub fn new(curve: &Curve, apart: f64) -> Result<Self, CurveError> {
        if curve.pieces.is_empty() {
            return Err(CurveError::Empty);
        }
        let pieces = curve.pieces.iter().enumerate();
        let pieces = pieces.map(|(piece, own)| weighted(own, piece));
        let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
        let mut track = Self {
            closed: false,
            stations: Vec::new(),
            pieces,
        };
        track.closed = track.join()?;
        for piece in 0..track.pieces.len() {
            let parts = 8 * (track.pieces[piece].len() - 1);
            for k in 0..parts {
                let bound = |k: usize| k as f64 / parts as f64;
                track.watch(piece, (bound(k), bound(k + 1)), MAX_HALVINGS)?;
            }
        }
        track.keeps_apart(apart)?;
        Ok(track)
    }

    /// Whether the pieces close. Refuses pieces that do not go on from one another in one direction.
    fn join(&self) -> Result<bool, CurveError> {
        let start = |piece: usize| jet(&self.pieces[piece], 0.0);
        let end = |piece: usize| jet(&self.pieces[piece], 1.0);
        let last = self.pieces.len() - 1;
        for piece in 1..=last {
            let gap = (start(piece).at - end(piece - 1).at).norm();
            if gap > LOOP_CLOSES {
                return Err(CurveError::Apart { piece, gap });
            }
            smooth(end(piece - 1), start(piece), piece)?;
        }
        let closed = (start(0).at - end(last).at).norm() <= LOOP_CLOSES;
        if closed {
            smooth(end(last), start(0), 0)?;
        }
        Ok(closed)
    }

    /// Adds the stations of an interval, halved until the track hardly turns within it.
    fn watch(
        &mut self,
        piece: usize,
        (from, to): (f64, f64),
        halvings: u32,
    ) -> Result<(), CurveError> {
        let own = &self.pieces[piece];
        let (start, end) = (jet(own, from), jet(own, to));
        let middle = from + (to - from) / 2.0;
        let turns = angle(start.first, end.first);
        if turns.is_some_and(|turns| turns <= TURN) {
            if self.stations.len() == MAX_STATIONS {
                return Err(CurveError::TooLong {
                    limit: MAX_STATIONS,
                });
            }
            self.stations.push(Station {
                piece,
                from,
                to,
                start: start.at,
                end: end.at,
            });
            return Ok(());
        }
        if halvings == 0 {
            let [x, y] = start.at.into();
            return Err(CurveError::Sharp { piece, x, y });
        }
        self.watch(piece, (from, middle), halvings - 1)?;
        self.watch(piece, (middle, to), halvings - 1)
    }

    /// Refuses a track that comes nearer to itself than a limit, but along the track.
    fn keeps_apart(&self, limit: f64) -> Result<(), CurveError> {
        let lengths = self.stations.iter().map(|own| (own.end - own.start).norm());
        let mut ends: Vec<f64> = Vec::with_capacity(self.stations.len());
        for length in lengths {
            ends.push(ends.last().unwrap_or(&0.0) + length);
        }
        let whole = ends.last().copied().unwrap_or(0.0);
        for (i, one) in self.stations.iter().enumerate() {
            for (j, other) in self.stations.iter().enumerate().skip(i + 1) {
                // From the end of the one to the start of the other, either way round where the track closes.
                let before = |k: usize| if k == 0 { 0.0 } else { ends[k - 1] };
                let ahead = before(j) - ends[i];
                let round = if self.closed {
                    whole - ends[j] + before(i)
                } else {
                    f64::INFINITY
                };
                if ahead.min(round) > 2.0 * limit && one.near(other, limit) {
                    let [x, y] = one.start.into();
                    return Err(CurveError::Crosses { x, y, limit });
                }
            }
        }
        Ok(())
    }

    /// The place that is nearest to a point.
    pub fn nearest(&self, point: Vec2) -> Foot {
        let away = |own: &Station| (own.start - point).norm_squared();
        let stations = self.stations.iter().enumerate();
        // A track has stations, by `new`.
        let nearest = stations.min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        let mut k = nearest.map_or(0, |(k, _)| k);
        let last = self.stations.len() - 1;
        if !self.closed
            && (self.stations[last].end - point).norm_squared() < away(&self.stations[k])
        {
            k = last;
        }
        let own = self.stations[k];
        if self.ahead(&own, own.from, point) < 0.0 {
            // The foot lies before this station.
            if k == 0 && !self.closed {
                return self.foot(&own, own.from, Some(End::First));
            }
            let before = self.stations[if k == 0 { last } else { k - 1 }];
            return self.foot(&before, self.root(&before, point), None);
        }
        if k == last && !self.closed && self.ahead(&own, own.to, point) > 0.0 {
            return self.foot(&own, own.to, Some(End::Last));
        }
        self.foot(&own, self.root(&own, point), None)
    }

    /// An end, as the foot of points beyond it; none of a closed track.
    pub fn end(&self, end: End) -> Option<Foot> {
        let (first, last) = (self.stations.first()?, self.stations.last()?);
        let foot = match end {
            End::First => self.foot(first, first.from, Some(end)),
            End::Last => self.foot(last, last.to, Some(end)),
        };
        (!self.closed).then_some(foot)
    }

    /// How much farther along the track than at t the point lies, up to a positive factor.
    fn ahead(&self, own: &Station, t: f64, point: Vec2) -> f64 {
        let here = jet(&self.pieces[own.piece], t);
        here.first.dot(&(point - here.at))
    }

    /// Where in an interval the way to the point is at a right angle to the track: Newton's method, within an interval that
    /// holds the place.
    fn root(&self, own: &Station, point: Vec2) -> f64 {
        let (mut low, mut high) = (own.from, own.to);
        let mut t = low + (high - low) / 2.0;
        for _ in 0..ROUNDS {
            let here = jet(&self.pieces[own.piece], t);
            let way = point - here.at;
            let ahead = here.first.dot(&way);
            if ahead > 0.0 {
                low = t;
            } else {
                high = t;
            }
            let slope = here.second.dot(&way) - here.first.norm_squared();
            let next = t - ahead / slope;
            let next = if (low..=high).contains(&next) {
                next
            } else {
                low + (high - low) / 2.0
            };
            // The step is below the rounding of t, or the way to the point below that of the place.
            if (next - t).abs() <= f64::EPSILON {
                return next;
            }
            t = next;
        }
        t
    }

    fn foot(&self, own: &Station, t: f64, beyond: Option<End>) -> Foot {
        let here = jet(&self.pieces[own.piece], t);
        let speed = here.first.norm();
        let curvature = here.first.perp(&here.second) / (speed * speed * speed);
        Foot {
            at: here.at,
            along: here.first / speed,
            // Beyond an end the track goes on straight.
            curvature: if beyond.is_some() { 0.0 } else { curvature },
            beyond,
        }
    }

    /// Points along the track, to be drawn.
    pub fn points(&self) -> Vec<Vec2> {
        let starts = self.stations.iter().map(|own| own.start);
        let end = self.stations.last().map(|own| own.end);
        starts.chain(end).collect()
    }
}

impl Station {
    /// Whether the chords of two stations come within a limit of each other.
    fn near(&self, other: &Self, limit: f64) -> bool {
        let apart = |k: usize| {
            let (low, high) = (
                self.start[k].min(self.end[k]),
                self.start[k].max(self.end[k]),
            );
            let (a, b) = (other.start[k], other.end[k]);
            a.max(b) < low - limit || a.min(b) > high + limit
        };
        if apart(0) || apart(1) {
            return false;
        }
        let (way, across) = (self.end - self.start, other.end - other.start);
        let sides = |way: Vec2, from: Vec2, a: Vec2, b: Vec2| {
            way.perp(&(a - from)) * way.perp(&(b - from)) < 0.0
        };
        let crosses = sides(way, self.start, other.start, other.end)
            && sides(across, other.start, self.start, self.end);
        crosses
            || [other.start, other.end]
                .iter()
                .any(|p| from_chord(self, *p) < limit)
            || [self.start, self.end]
                .iter()
                .any(|p| from_chord(other, *p) < limit)
    }
}

/// The distance of a point from the chord of a station.
fn from_chord(own: &Station, point: Vec2) -> f64 {
    let way = own.end - own.start;
    let t = (point - own.start).dot(&way) / way.norm_squared();
    (own.start + way * t.clamp(0.0, 1.0) - point).norm()
}

/// The control points of a piece with their weights.
fn weighted(own: &CurvePiece, piece: usize) -> Result<Vec<Weighted>, CurveError> {
    let (points, weights) = (own.points.len(), own.weights.len());
    if !(2..=MAX_POINTS).contains(&points) {
        return Err(CurveError::Points {
            piece,
            points,
            limit: MAX_POINTS,
        });
    }
    if weights != 0 && weights != points {
        return Err(CurveError::Weights {
            piece,
            weights,
            points,
        });
    }
    let number = |what, value, range| CurveError::Number {
        piece,
        what,
        value,
        range,
    };
    let mut coordinates = own.points.iter().flatten();
    if let Some(&value) = coordinates.find(|value| !value.is_finite()) {
        return Err(number("the coordinate", value, "it must be finite"));
    }
    let holds = |weight: f64| weight > 0.0 && weight.is_finite();
    if let Some(&value) = own.weights.iter().find(|weight| !holds(**weight)) {
        return Err(number("the weight", value, "it must be finite and over 0"));
    }
    let with = |(k, [x, y]): (usize, &[f64; 2])| {
        let weight = own.weights.get(k).copied().unwrap_or(1.0);
        [weight * x, weight * y, weight]
    };
    Ok(own.points.iter().enumerate().map(with).collect())
}

/// Refuses a corner before a piece.
fn smooth(before: Jet, after: Jet, piece: usize) -> Result<(), CurveError> {
    let turn = angle(before.first, after.first);
    match turn {
        Some(turn) if turn <= UNIT_LENGTH => Ok(()),
        Some(turn) => Err(CurveError::Corner { piece, turn }),
        None => {
            let [x, y] = after.at.into();
            Err(CurveError::Sharp { piece, x, y })
        }
    }
}

/// The angle between two directions, rad; none where one has no length.
fn angle(one: Vec2, other: Vec2) -> Option<f64> {
    let has_length = |way: Vec2| way.norm_squared() > 0.0;
    (has_length(one) && has_length(other)).then(|| one.perp(&other).atan2(one.dot(&other)).abs())
}

/// The place at t, by de Casteljau's algorithm on the weighted points, and the quotient rule.
fn jet(points: &[Weighted], t: f64) -> Jet {
    let degree = (points.len() - 1) as f64;
    let mut level = points.to_vec();
    // Of the levels of three, of two and of one point the first two derivatives are differences.
    let (mut first, mut second) = ([0.0; 3], [0.0; 3]);
    while level.len() > 1 {
        if let [a, b, c] = level[..] {
            second = [0, 1, 2].map(|k| degree * (degree - 1.0) * (c[k] - 2.0 * b[k] + a[k]));
        }
        if let [a, b] = level[..] {
            first = [0, 1, 2].map(|k| degree * (b[k] - a[k]));
        }
        let between =
            |pair: &[Weighted]| [0, 1, 2].map(|k| (1.0 - t) * pair[0][k] + t * pair[1][k]);
        level = level.windows(2).map(between).collect();
    }
    let own = level[0];
    let plane = |own: Weighted| Vec2::new(own[0], own[1]);
    let at = plane(own) / own[2];
    let rate = (plane(first) - at * first[2]) / own[2];
    Jet {
        at,
        first: rate,
        second: (plane(second) - rate * (2.0 * first[2]) - at * second[2]) / own[2],
    }
}

#[cfg(test)]
mod tests;
