//! Every numerical threshold of the engine: its name, its unit, and where its value comes from.
//!
//! Three sources are used. [`EPS`] is the rounding of binary64. The settings give the scale of a scene: the distance
//! tolerance d for lengths, the velocity tolerance u for speeds, the time step h for times ([`Tolerances`]). The judge
//! accepts a backward error of [`JUDGED`]. What follows from none of them says so, and says what it was chosen for.
//! No threshold has a unit of mass: impulses are compared by the velocities that they make.
//!
//! Limits of size (how many bodies, edges or points are taken) stand with the code that refuses more.

use crate::settings::Settings;

/// The distance from 1 to the next binary64; one operation is wrong by at most half of it. No unit.
pub(crate) const EPS: f64 = f64::EPSILON;

/// The backward error that is accepted by default, `Tolerance::default` of `etalon_judge`. No unit.
const JUDGED: f64 = 1e-9;

/// The scale of a scene, from its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tolerances {
    /// d: bodies nearer than this touch, m.
    pub distance: f64,
    /// u: contacts slower than this rest, m/s.
    pub velocity: f64,
    /// How near to the half gap a collision is handled, as part of it.
    pub accuracy: f64,
    /// h: the time step, s.
    pub step: f64,
}

/// Thresholds of a scene. Each is a part of d, u or h, so that a scene in other units decides the same.
impl Tolerances {
    pub fn of(settings: &Settings) -> Self {
        Self {
            distance: settings.distance_tolerance,
            velocity: settings.velocity_tolerance,
            accuracy: settings.accuracy,
            step: settings.time_step,
        }
    }

    /// Gaps of so much less than 0 are none, m: bodies that are set down on each other touch.
    ///
    /// A millionth of d. The rounding of a gap is some `EPS` of the coordinates, 2e-14 m at 100 m, and is far less. The
    /// decimals that a scene in a file leaves out can be more; how many those are cannot be derived.
    pub fn rounding(self) -> f64 {
        1e-6 * self.distance
    }

    /// A corner nearer than this to a corner lies on it, m: the direction between them says nothing of where to part.
    ///
    /// A ten-thousandth of d. Coordinates of 100 m are rounded by 1e-14 m, which turns the direction of two points 1e-6 m
    /// apart by 1e-8 rad. More than that is chosen so that corners set down on each other by a file are found here.
    pub fn coincides(self) -> f64 {
        1e-4 * self.distance
    }

    /// A corner nearer than this to a corner, with neither beside an edge of the other, touches it, m.
    ///
    /// Chosen: more than the gap at rest, d/2, so that corners at rest stay in touch, and less than d, so that corners
    /// that only pass each other are left alone.
    pub fn corner_reach(self) -> f64 {
        0.6 * self.distance
    }

    /// No part of a curve that holds a point comes nearer to another part of it than this, m.
    ///
    /// Chosen: a joint keeps its point within d of the curve, so that within 2 d of two parts it would be in doubt which of
    /// them holds it. Twice that leaves room for the states that integrators try.
    pub fn parts_apart(self) -> f64 {
        4.0 * self.distance
    }

    /// The speed at which gaps that are too small open, m/s.
    ///
    /// Chosen: below u, so that the contact still rests while it opens and needs nothing to hold it back.
    pub fn opening(self) -> f64 {
        0.4 * self.velocity
    }

    /// How far the velocity of a gap may swing to either side in a step that impulses hold, m/s.
    ///
    /// Chosen: half of u, so that a contact at rest that swings is still slower than u when something else pushes it.
    pub fn swing(self) -> f64 {
        0.5 * self.velocity
    }

    /// Gaps that close slower than this have no time of collision, m/s: the bodies rest before they meet.
    ///
    /// Chosen: at 0.002 u the half gap takes d/(0.004 u), five seconds at the default settings, and any force between
    /// now and then makes the estimate worthless.
    pub fn approaches(self) -> f64 {
        0.002 * self.velocity
    }

    /// Serial handling of collisions goes on until no gap closes faster than this, m/s; where it takes long, the limit is
    /// doubled ([`SERIAL_PATIENCE`]).
    ///
    /// Chosen: in a step of h a gap loses 2e-5 u h, 2.5e-7 m at the default settings, 5e-5 of the half gap.
    pub fn separated(self) -> f64 {
        2e-5 * self.velocity
    }

    /// Impulses that change the velocity of their own gap by less than this are none, m/s.
    ///
    /// Velocities of the size of u are rounded by `EPS` u; about ten thousand times that, since the problem is solved to
    /// [`ACCEPTED`] and not to the last bit.
    pub fn no_blow(self) -> f64 {
        2e-12 * self.velocity
    }

    /// Times nearer to each other than this are one moment, s: estimates of one collision from two contacts, and steps
    /// that do not count as progress.
    ///
    /// A body at speed v goes 4e-6 v h in it. At 10 m/s and the default settings that is a ten-thousandth of d, far less
    /// than the accuracy to which a collision is brought to the half gap.
    pub fn moment(self) -> f64 {
        4e-6 * self.step
    }

    /// What is left of a step at its end by rounding, s.
    ///
    /// The parts of a step are added up, each sum rounded by at most `EPS`/2 of h, and few steps have more than 32 parts.
    /// A remainder above this costs one more, very short part, and nothing else.
    pub fn no_time(self) -> f64 {
        16.0 * EPS * self.step
    }

    /// A collision found less than this ahead of its state has no acceleration in between, s.
    ///
    /// The velocities are rounded by `EPS` of their size, so that their difference over such a time is an acceleration
    /// wrong by `EPS` v/(4e-11 h), a hundred-thousandth of v/h.
    pub fn no_lapse(self) -> f64 {
        4e-11 * self.step
    }
}

// Lengths and angles of shapes. No unit of length is known when a path is read; it is in metres.

/// Loops close, and edges go on, up to this, m.
///
/// Not derived: it stands for the decimals of a file, and paths are read before the scene's d is known. It is far below
/// each d in use (0.01 m).
pub(crate) const LOOP_CLOSES: f64 = 1e-8;

/// The ends of an arc that are nearer to each other than this are one point, and the arc is a whole circle, rad.
///
/// An angle is rounded by `EPS` times the coordinates over the radius: by 2e-12 rad for a circle 10^4 radii away. It
/// has to stay below every arc that is meant as one: 1e-6 rad bends a floor of 1000 km radius over 1 m.
pub(crate) const SAME_ANGLE: f64 = 1e-10;

/// Points are watched along an arc at most so far apart, m.
///
/// Not derived: chosen for bodies of about a metre. Less finds more of the collisions in which a small corner passes an arc
/// between two of its points, and costs more.
pub(crate) const SPACING: f64 = 0.3;

/// Two points nearer than this part of the radius, or of the length, that they belong to have no direction between them.
///
/// The coordinates of both are rounded by some `EPS` of that size: the direction is wrong by `EPS`/1e-10, 2e-6 rad.
pub(crate) const NO_DIRECTION: f64 = 1e-10;

/// Straight edges are longer at both ends by this part of the largest coordinate.
///
/// A corner where two edges meet must not slip through between them. Where a way crosses an edge is computed by four
/// products and a quotient from rounded coordinates: that is wrong by less than 16 `EPS` of the largest of them, unless the
/// way is nearly parallel to the edge.
pub(crate) const BEYOND: f64 = 16.0 * EPS;

/// How far the length of a joint's normal may be from 1.
///
/// Not derived: nine decimals of a file. The force along it is wrong by the same part.
pub(crate) const UNIT_LENGTH: f64 = 1e-9;

/// The cosine of the largest angle between the normals of two contacts that are one.
///
/// Not derived: 26 degrees. An arc can touch an edge at two places, and their normals differ by more.
pub(crate) const SAME_NORMAL: f64 = 0.9;

/// Arcs are drawn by chords of at most this angle, rad: 1.25 thousandths of the radius beside the arc, which no screen
/// shows.
pub(crate) const CHORD: f64 = 0.1;

/// A track turns by at most this from one of its stations to the next, rad.
///
/// Chosen: less than a right angle by far, so that the foot of a point that is near to the track lies beside the station
/// that is nearest to it.
pub(crate) const TURN: f64 = 0.25;

/// No coefficient of friction mu is more.
///
/// Not derived: it is far above all that are measured, and far below 1/`EPS`, where f has no digit left beside mu f.
pub(crate) const MOST_FRICTION: f64 = 1e6;

// Times of collisions.

/// Velocities that differ by less than this part of the larger one are the same, and there is no acceleration between them.
///
/// A velocity of a gap is a sum of four products, each rounded by `EPS`/2 of it, and taken twice.
pub(crate) const SAME_VELOCITY: f64 = 16.0 * EPS;

// Rows of problems.

/// Entries of A this much smaller than the root of the product of the diagonal entries beside them are 0: directions
/// at right angles.
///
/// An entry is a sum over at most two bodies of two products. No sum of their sizes is above the root of the product of
/// the diagonal entries (Cauchy and Schwarz), so rounding
/// leaves some 4 or 5 `EPS` of it. This is 4.5 `EPS`.
pub(crate) const RIGHT_ANGLE: f64 = 1e-15;

/// Entries of b this much smaller than the largest are 0: the rounding of velocities and positions. Asked for, it
/// would make rows of nothing but noise, which redundant contacts answer by forces without measure.
///
/// Positions of size L are rounded by `EPS` L, and b has distances over h^2: noise of `EPS` L/h^2 beside g, and L/(g
/// h^2) is 640 for L = 4 m and h = 0.025 s. L is not known here; this is 4500 `EPS`.
pub(crate) const ROUNDED_B: f64 = 1e-12;

/// Entries of b smaller than this in themselves are 0, m/s^2 or m/s.
///
/// The velocity that is left at a resting contact shrinks by a factor in each step, for ever: after some minutes without
/// weight b would leave the range of binary64. The fifth power of this is above its least number, 2e-308.
pub(crate) const LEAST_B: f64 = 1e-60;

/// A velocity after impulses that is this part of the terms it is the sum of is 0.
///
/// The sum has one term for each row, each rounded by `EPS`: 512 rows.
pub(crate) const CANCELLED: f64 = 512.0 * EPS;

// Answers. The judge has the last word, with JUDGED. The engine's own limits lie below that, since the solver measures its
// error otherwise than the judge does.

/// Where no better answer is found this backward error will do.
pub(crate) const ACCEPTED: f64 = JUDGED / 100.0;

/// Redundant contacts make A singular, and then rounding can ask for forces that cancel each other: beyond this many
/// times the forces that single contacts would need, the problem is regularised.
///
/// Forces that cancel to a part of 1/LARGE leave `EPS` LARGE of rounding, 2e-12, beside [`ACCEPTED`].
pub(crate) const LARGE: f64 = 1e4;

/// The same with friction by Coulomb's law, which can hold bodies by forces between them that nothing asks for.
///
/// Not derived: the random worlds of `tests/it/sweep.rs` pass with it. It is below [`LARGE`] since less can be asked for in
/// their place, which every answer without such forces is better than.
pub(crate) const LARGE_ROUGH: f64 = 100.0;

/// The ridge on the diagonal of a singular A, as part of each diagonal entry (or of the largest one).
///
/// Chosen between two bounds: above `EPS` [`LARGE`] = 2e-12, the rounding of an elimination whose forces may be that
/// large, and below [`JUDGED`], so that even the first answer with it is nearly right. Each refinement takes a factor off.
pub(crate) const RIDGE: f64 = 1e-11;

/// The second ridge that is tried, where the first one is too small for the elimination: a hundred times as much.
pub(crate) const HIGH_RIDGE: f64 = 100.0 * RIDGE;

/// What is left of the ridge in a row, as part of the size of the row's terms, is not seen below this: a tenth of
/// [`ACCEPTED`].
pub(crate) const UNSEEN: f64 = ACCEPTED / 10.0;

/// Forces of an answer with a ridge that are this much smaller than the largest are 0.
///
/// A solution with the ridge can leave forces of [`RIDGE`] of those before it where there are none; after the first
/// and two refinements that is 1e-33. [`ROUNDED_B`] is another thing: it is the rounding of what is given. Forces that
/// are found can be right though they are smaller than that, as in the problem noise-188 of `solve/noise.jsonl`, row
/// 13.
pub(crate) const RIDGE_DUST: f64 = 1e-30;

/// Forces this much smaller than the largest are found anew, by themselves, in an answer with a ridge.
///
/// A ridge leaves an error of [`UNSEEN`] of the large forces in all rows, which is 1e-6 of the force in rows whose forces
/// are smaller by this.
pub(crate) const SMALL: f64 = 1e-6;

/// The ridge of problems that only give a start, as part of the largest diagonal entry.
///
/// Chosen: above the root of `EPS`, so that redundant contacts share their forces evenly and the places are those of
/// robust forces. No answer depends on it.
pub(crate) const START_RIDGE: f64 = 1e-7;

// Counts. None of them is derived from anything: each ends a search, or changes to another one, where the first may go
// on for ever. The recorded tests and the random worlds pass with them.

/// Refinements about a ridge; each takes a factor of the ridge off, and more than a few find no more.
pub(crate) const REFINEMENTS: u32 = 5;

/// Rows from which a problem with friction is given a start; smaller ones are solved before one is found.
pub(crate) const NEEDS_START: usize = 40;

/// So often a collision may come back without time going on.
pub(crate) const TRIES: u32 = 30;

/// From this try on the time of a collision is searched for by bisection.
pub(crate) const ESTIMATES: u32 = 3;

/// From this try on impulses do not end the search.
pub(crate) const STUBBORN: u32 = 8;

/// The error of half a step that [`Integrator::Adaptive`](crate::Integrator::Adaptive) takes, relative to values above 1 m, rad,
/// m/s or rad/s, and in those units below.
///
/// Chosen: far below d and u, so that no contact is decided by it, and far above the rounding of a step, some 100 [`EPS`], so that
/// halving ends.
pub(crate) const ADAPTED: f64 = 1e-10;

/// So often a step is halved at most. Chosen: forces that jump, as where bodies begin to touch, differ in steps of any
/// length, and 2^10 parts are enough for those that do not.
pub(crate) const HALVINGS: u32 = 10;

/// A step with more tries than this does not end: events follow each other faster than time goes on.
pub(crate) const MOST_TRIES: u32 = 10_000;

/// A step by impulses takes no more parts.
pub(crate) const MOST_PARTS: f64 = 50.0;

/// Rounds of serial handling for each collision, after which [`Tolerances::separated`] is doubled.
pub(crate) const SERIAL_PATIENCE: usize = 20;

/// Serial handling takes no more rounds.
pub(crate) const ROUNDS: u32 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn the_judge_accepts_what_is_said_here() {
        let judged = etalon_certify::Tolerance::default().tol;
        assert_eq!(etalon_lcp::round_up_f64(&judged), JUDGED);
    }

    #[test]
    fn thresholds_stand_in_the_order_that_their_derivations_need() {
        const { assert!(EPS * LARGE < RIDGE && RIDGE < HIGH_RIDGE && HIGH_RIDGE <= JUDGED) };
        const { assert!(UNSEEN < ACCEPTED && ACCEPTED < JUDGED && LARGE_ROUGH < LARGE) };
        assert!(RIDGE.powi(3) < RIDGE_DUST && RIDGE_DUST < ROUNDED_B);
        assert!(SMALL * SMALL <= UNSEEN && EPS.sqrt() < START_RIDGE);
        assert!(LEAST_B.powi(5) > f64::MIN_POSITIVE && EPS * MOST_FRICTION < SMALL);
        let made = crate::model::Model::of(crate::WorldSpec::default());
        let scale = made.unwrap().0.tolerances();
        let settings = Settings::default();
        assert!(scale.rounding() < scale.coincides() && scale.coincides() < scale.corner_reach());
        assert!(scale.corner_reach() > scale.distance / 2.0);
        assert!(scale.corner_reach() < settings.distance_tolerance);
        assert!(scale.no_blow() < scale.separated() && scale.separated() < scale.approaches());
        assert!(scale.approaches() < scale.opening() && scale.opening() < scale.swing());
        assert!(scale.swing() < settings.velocity_tolerance);
        assert!(scale.no_time() < scale.no_lapse() && scale.no_lapse() < scale.moment());
    }
}
