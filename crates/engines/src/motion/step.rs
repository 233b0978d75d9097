//! A step of a motion as data, whoever made it.

use rug::Rational;

use super::MotionRow;

/// One step, from the state before it to the state after it, in generalised coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionStep {
    /// Its number, from 1.
    pub k: u64,
    /// Its length, s.
    pub h: Rational,
    /// How far that may be off: of a difference of rounded times.
    pub h_error: Rational,
    /// The rows of the mass matrix that momentum balances with.
    pub mass: Vec<MotionRow>,
    /// The times before and after, where they are recorded beside h.
    pub times: Option<[Rational; 2]>,
    /// The names of the coordinates.
    pub coordinates: Vec<Coordinate>,
    /// The velocities before and after.
    pub v: [Vec<Rational>; 2],
    /// The coordinates before and after; empty where the rule for positions is not asked.
    pub q: [Vec<Rational>; 2],
    /// The rule by which positions follow velocities.
    pub update: Update,
    /// How bodies turn in space, where their orientations are recorded.
    pub turns: Vec<BodyTurn>,
    /// The impulse of applied forces, h k.
    pub impulse: Vec<Rational>,
    /// The contacts.
    pub contacts: Vec<MotionContact>,
    /// Which contacts keep the body out of one obstacle, where an obstacle has several faces: one of their gaps must
    /// be open. A contact that is in none is an obstacle of its own.
    pub corners: Vec<Vec<usize>>,
    /// Friction that belongs to no contact and is not recorded.
    pub bounded: Vec<MotionFriction>,
    /// The joints, but for their limits: those are contacts.
    pub joints: Vec<MotionJoint>,
    /// What the record says of energies.
    pub energy: Option<RecordedEnergy>,
    /// The energies before and after that the laws of the system give.
    pub own_energy: Option<OwnEnergy>,
}

/// Friction that belongs to no contact, such as that of a joint: an impulse of at most h along its row, either way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionFriction {
    /// Its name.
    pub name: String,
    /// The largest force, as a row over velocities.
    pub row: MotionRow,
}

/// A joint of a step, with what is recorded of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionJoint {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub held: Vec<HeldRow>,
    /// Its impulses.
    pub pushes: Vec<MotionPush>,
    /// What of its impulses is along or about what it leaves free.
    pub beside: Vec<FreeImpulse>,
    /// Its drive.
    pub drive: Option<MotionDrive>,
    /// Its recorded coordinate, where the states have it, too.
    pub coordinate: Option<RecordedCoordinate>,
}

/// An impulse along a row over velocities.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionPush {
    /// The row.
    pub row: MotionRow,
    /// How far each entry of the row may be off, since turned arms and axes are known so far only.
    pub uncertain: MotionRow,
    /// The impulse, N s or N m s.
    pub impulse: Rational,
}

/// A rate that a joint holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeldRow {
    /// The rate, as a row over velocities.
    pub row: MotionRow,
    /// How far each entry of the row may be off.
    pub uncertain: MotionRow,
    /// Whether it is one of turning.
    pub turns: bool,
    /// The rate after the step; `None` where it is not asked.
    pub target: Option<Rational>,
    /// The sum of the sizes of the numbers that the target is made of, m/s or rad/s.
    pub target_size: Rational,
    /// How far it is open after the step, with the sum of the sizes of what that is made of, and how far it may be open by the
    /// maker's own rule.
    pub opening: Option<[Rational; 3]>,
}

/// A part of a joint's impulse along a direction that it leaves free, with the sum of the sizes of its terms.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FreeImpulse {
    /// The part, N s or N m s.
    pub amount: Rational,
    /// The sum of the sizes of its terms.
    pub size: Rational,
    /// Whether it is one about an axis.
    pub turns: bool,
}

/// A drive: it pushes until a speed is reached, by no more than a force.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionDrive {
    /// Its impulse, along the rate that it drives.
    pub push: MotionPush,
    /// Whether it turns.
    pub turns: bool,
    /// The speed, m/s or rad/s.
    pub speed: Rational,
    /// The largest force or torque, N or N m.
    pub bound: Rational,
}

/// A coordinate of a joint as it is recorded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedCoordinate {
    /// How far it is from that of the states, m or rad.
    pub off: Rational,
    /// The sum of the sizes of the numbers that both are made of.
    pub size: Rational,
    /// How far the joint's own opening leaves it open what the coordinate is.
    pub vague: Rational,
    /// Whether it is an angle.
    pub turns: bool,
}

/// Friction of a contact against turning, which its normal impulse bounds: about the normal, or across it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurningFriction {
    /// Whether it acts against rolling; else about the normal.
    pub is_rolling: bool,
    /// The rates of turning, as rows over velocities.
    pub rows: Vec<MotionRow>,
    /// The largest torque of a unit normal force, m.
    pub mu: Rational,
    /// The corners of the polygon that takes the place of the circle; none for the circle, and of one row.
    pub polygon: Vec<[Rational; 2]>,
    /// The impulses along the rows, N m s.
    pub impulses: Vec<Rational>,
}

/// A generalised coordinate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coordinate {
    /// What reports call it: `body ball`, `coordinate x`.
    pub owner: String,
    /// Whether it is an angle.
    pub turns: bool,
    /// Coordinates of one number have their noise in common.
    pub block: usize,
    /// Whether its position does not just add up its velocity, as of rotations in space.
    pub unfollowed: bool,
    /// Whether it is an angle that is kept within one turn.
    pub wraps: bool,
    /// Whether no impulse changes its velocity, as of an obstacle that moves. Its row of the mass matrix is a unit row.
    pub driven: bool,
}

/// How a body turns in space.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyTurn {
    /// What reports call it.
    pub owner: String,
    /// The quaternions w, x, y, z before and after.
    pub orientation: [[Rational; 4]; 2],
    /// The spins before and after, in axes of the world, rad/s.
    pub spin: [[Rational; 3]; 2],
    /// How the one follows from the other.
    pub rule: TurnRule,
}

/// The rule by which an orientation follows the spin w that the step's [`Update`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TurnRule {
    /// One of the two.
    #[default]
    Either,
    /// A turn about w by h|w|.
    Exponential,
    /// q + h/2 w q, made a unit quaternion.
    Linear,
    /// It is not asked.
    NotAsked,
}

/// A gap that must be closed, or close within the step, where the contact pushes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PushReach {
    /// The gap before the step.
    pub gap: Rational,
    /// The sum of the sizes of the numbers that it is made of.
    pub size: Rational,
}

/// The rule by which positions follow velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Update {
    /// q' = q + h v'.
    #[default]
    SemiImplicit,
    /// q' = q + h v.
    Explicit,
    /// q' = q + h (v + v')/2.
    Midpoint,
    /// It is not asked.
    NotAsked,
}

/// A contact of a step with what is recorded of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionContact {
    /// Its name.
    pub name: String,
    /// The rate of the gap, as a row over velocities.
    pub normal: MotionRow,
    /// The directions of friction, as rows: one in the plane, two in space, none without friction.
    pub tangents: Vec<MotionRow>,
    /// The coefficient of friction.
    pub mu: Rational,
    /// The corners of the polygon that takes the place of the circle; none for the circle (and in the plane).
    pub polygon: Vec<[Rational; 2]>,
    /// The normal impulse.
    pub pressed: Rational,
    /// The impulses along the tangents.
    pub rubbed: Vec<Rational>,
    /// Friction against turning.
    pub turning: Vec<TurningFriction>,
    /// Of a limit of a joint: whether it turns. Its name is that of the joint with the limit.
    pub limit: Option<bool>,
    /// The least normal velocity after the step, m/s, which a contact that pushes has exactly; `None` where the law of the gap is
    /// not asked.
    pub target: Option<Rational>,
    /// Whether the target is minus the gap over h, so that the step ends at the gap at the earliest.
    pub stops_at_gap: bool,
    /// The sum of the sizes of the numbers that the target is made of, m/s.
    pub target_size: Rational,
    /// The gap before the step, where a push asks for one that is closed or closes.
    pub reach: Option<PushReach>,
    /// Of the first step: the gap before it as recorded, and as the state has it.
    pub first_gap: Option<[Rational; 2]>,
    /// How far the normal is from that of the shapes in its largest entry, and the sum of the sizes of what that is made of.
    pub normal_off: Option<(Rational, Rational)>,
    /// The gap after the step as recorded.
    pub gap: Option<Rational>,
    /// The gap after the step as the state has it.
    pub own_gap: Option<Rational>,
    /// Whether that gap must not be below `-slop`; not where `target` says it to first order.
    pub keeps_apart: bool,
    /// The size of the numbers that a gap is made of.
    pub gap_size: Rational,
    /// How far bodies may overlap by the maker's own rule, m.
    pub slop: Rational,
    /// The speed below which the maker takes the free velocity of a row for 0, m/s.
    pub still: Rational,
    /// How far each entry of the rows may be off, since the point they belong to is known so far only.
    pub uncertain: MotionRow,
}

/// Energies as recorded, J.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordedEnergy {
    /// Of the first step: T and V before it.
    pub at_start: [Option<Rational>; 2],
    /// T after the step.
    pub kinetic: Option<Rational>,
    /// V after the step.
    pub potential: Option<Rational>,
    /// The energy before, with all work, less that after.
    pub dissipated: Option<Rational>,
    /// What coordinates that are driven gave to the others.
    pub work: Option<Rational>,
    /// Its parts, by name, which add up to it.
    pub parts: Vec<(String, Rational)>,
}

/// Energies as the states have them, J.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnEnergy {
    /// Kinetic energy before and after.
    pub kinetic: [Rational; 2],
    /// Potential energy before and after.
    pub potential: [Rational; 2],
    /// The sum of the sizes of the potential's terms.
    pub size: Rational,
    /// The sum of the sizes of its derivatives, N.
    pub slope: Rational,
    /// The work of forces without a potential.
    pub work: Rational,
    /// Whether friction, numerical and position are the three parts of Stewart and Trinkle's identity.
    pub by_parts: bool,
}
