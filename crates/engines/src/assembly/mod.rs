//! The rows of a step of bodies: what balances, and how fast its contacts move.

mod bodies;
mod contact;
mod generalised;
mod groups;

use etalon_lcp::Number;
use rug::Rational;

use crate::step::{EngineStep, Form, FrictionLaw, KnownImpulse};

pub(crate) use bodies::mass_rows;
use bodies::of_bodies;
use generalised::of_generalised;
pub(crate) use groups::Groups;

/// A row over the velocities of all bodies.
pub(crate) type Row = Vec<(usize, Rational)>;

/// A step as rows: p = change - sum of J'λ must vanish.
pub(crate) struct Assembly {
    /// M (v1 - v0) - h f.
    pub change: Vec<Rational>,
    /// |M| |v1| + |M| |v0| + h |f|, entry by entry.
    pub scale: Vec<Rational>,
    /// What cancels in the torques of contacts: products that an engine rounds, beyond what is left of them.
    pub cancelled: Vec<Rational>,
    /// Rows in one unit: the translation and the rotation of each body.
    pub blocks: Vec<Block>,
    pub contacts: Vec<ContactRows>,
    pub joints: Vec<JointRows>,
    /// What is measured by each other, with speeds of centres, at contacts, and those that forces add in a step.
    pub groups: Groups,
    /// The largest of these speeds.
    pub speed: Rational,
}

/// Rows in one unit.
pub(crate) struct Block {
    pub rows: std::ops::Range<usize>,
    pub name: String,
    /// Whether nothing is asked of them.
    pub asleep: bool,
}

/// A contact: the normal row, then friction.
pub(crate) struct ContactRows {
    pub rows: Vec<Row>,
    /// The normal, then the tangents; none of a generalised step.
    pub directions: Vec<Vec<Rational>>,
    /// Rows (counted in `rows`) whose impulses are bounded together.
    pub discs: Vec<DiscRows>,
    /// Rows that are the directions of a pyramid.
    pub pyramids: Vec<PyramidRows>,
    /// The velocities of the rows before and after the step.
    pub u: [Vec<Rational>; 2],
    /// The impulses of all rows; zero where fewer are given.
    pub impulse: Option<Vec<Rational>>,
    pub known: KnownImpulse,
    pub target: Option<Rational>,
    pub restitution: Rational,
}

/// λ in the disc: |(λ_k / mu_k)| <= λ_n.
pub(crate) struct DiscRows {
    pub rows: Vec<usize>,
    pub mu: Vec<Rational>,
    /// Whether it is sliding friction, not torsion or rolling.
    pub slides: bool,
    /// Whether the impulses must oppose the motion with all that they may.
    pub opposes: bool,
}

/// λ in the pyramid: λ >= 0, and its sum at most mu λ_n. Each row is a direction.
pub(crate) struct PyramidRows {
    pub rows: Vec<usize>,
    pub mu: Rational,
}

/// A joint, a limit or a drive.
pub(crate) struct JointRows {
    /// The first row of its set; of a step of bodies the number of the joint.
    pub first: usize,
    pub rows: Vec<Row>,
    pub impulse: Option<Vec<Rational>>,
    pub asked: JointAsked,
}

/// What is asked of the rows of a joint beyond the balance.
pub(crate) enum JointAsked {
    Nothing,
    /// How far the velocity of the row after the step is from the declared one.
    Velocity(Rational),
    /// |(λ_k / mu_k)| is at most this impulse.
    Bound(Vec<Rational>, Rational),
}

impl Assembly {
    /// The rows of a step, with discs of friction by a law; `None` of a generalised step without velocities, which has nothing to balance.
    pub fn of(step: &EngineStep, law: FrictionLaw) -> Option<Self> {
        match &step.form {
            Form::Bodies(bodies) => Some(of_bodies(bodies, &step.h.to_rational(), law)),
            Form::Generalised(own) => of_generalised(own, &step.h.to_rational()),
        }
    }

    /// Whether all impulses are known.
    pub fn is_known(&self) -> bool {
        let mut contacts = self.contacts.iter();
        let known = |own: &ContactRows| own.impulse.is_some() && own.known == KnownImpulse::All;
        contacts.all(known) && self.joints.iter().all(|own| own.impulse.is_some())
    }

    /// Every row with an impulse.
    pub fn impulses(&self) -> impl Iterator<Item = (&Row, &Rational)> {
        let contacts = self.contacts.iter().map(|own| (&own.rows, &own.impulse));
        let joints = self.joints.iter().map(|own| (&own.rows, &own.impulse));
        contacts
            .chain(joints)
            .filter_map(|(rows, impulse)| Some(rows.iter().zip(impulse.as_ref()?)))
            .flatten()
    }
}

fn exact_row(row: &[(usize, Number)]) -> Row {
    row.iter().map(|(j, own)| (*j, own.to_rational())).collect()
}
