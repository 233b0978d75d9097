//! Where the energy of a step went.
//!
//! Let K be the kinetic energy in the step's own mass (with W on its grid), T the true one, V the potential, and let a
//! tilde mark what is not rounded yet. With dv = v~ - v and the multipliers' rates at the end of the step
//!
//! > K(v) - K(v~) = dv'M dv/2 - dv'M v~,  dv'M v~ = (h F + impulses)'v~,
//!
//! and the same of each phase, where an impact has two,
//!
//! so that friction, normal impulses, joints with their limits and drives, and applied forces each take minus their impulse times their rate at the
//! end, and dv'M dv/2 is the loss of impacts and of the scheme. h F'v~ is what the potential loses, exactly. Then
//! numbers are put on the grid, and the body turns with its momentum L:
//!
//! > flight_gain = T(L, R0 cay(h w)) - T(L, R0),
//!
//! which the midpoint rule makes zero up to its residual. Where W is taken at an attitude Rm ahead of R0, impulses change the energy that the body has
//! there, and it turns on from R0:
//!
//! > inertial = T(L', Rm) - T(L', R0) - (T(L, Rm) - T(L, R0)).
//!
//! The way to Rm is free flight with L, so that the last two cancel up to that residual, and all of it is zero where L does not change. All other differences between these energies are
//! rounding: of W, of the state, and of the attitude. The sum is the identity
//!
//! > E - E' + work = friction + numerical + position + joints + limits + drives + inertial + rounding - flight_gain.

use etalon_rigid::Vector3;
use rug::Rational;

use super::{Compression, Posed, SpaceStep, three};
use crate::attitude::{Quaternion, into_body};
use crate::state::SpaceState;
use crate::world::SpaceWorld;

/// Kinetic and potential energy, J.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Energy {
    /// Of all bodies that move.
    pub kinetic: Rational,
    /// Of weights and constant forces.
    pub potential: Rational,
}

impl Energy {
    /// Of a state.
    pub fn of(world: &SpaceWorld, state: &SpaceState) -> Self {
        let mut sum = Self::default();
        for i in world.moving() {
            let own = &state.bodies[i];
            sum.potential -= world.force(i).dot(&own.position);
            if world.is_first_order() {
                continue;
            }
            sum.kinetic += own.velocity.norm_squared() * &world.bodies[i].mass / 2u32;
            sum.kinetic += turning(world, i, &own.attitude, &own.momentum);
        }
        sum
    }

    /// Their sum.
    pub fn total(&self) -> Rational {
        Rational::from(&self.kinetic + &self.potential)
    }
}

/// Where the energy of a step went, J.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    /// What friction took at each contact, that against spinning and rolling with it.
    pub friction: Vec<Rational>,
    /// What the normal impulse took at each contact: stopping at a gap. What restitution gives back is negative.
    pub position: Vec<Rational>,
    /// The loss of impacts and of the scheme; of a first-order world the drag.
    pub numerical: Rational,
    /// What joints took in closing what had opened.
    pub joints: Rational,
    /// What each limit of a joint took.
    pub stops: Vec<Rational>,
    /// What each drive took; what it gave is negative.
    pub drives: Vec<Rational>,
    /// What W took that is of another attitude than that at the start of the step.
    pub inertial: Rational,
    /// What rounding took.
    pub rounding: Rational,
    /// What turning in free flight gained.
    pub flight_gain: Rational,
    /// What constant torques did.
    pub work: Rational,
}

impl Ledger {
    /// All that is taken, less all that is given.
    pub fn dissipated(&self) -> Rational {
        let of_joints = self.stops.iter().chain(&self.drives);
        let all = self.friction.iter().chain(&self.position).chain(of_joints);
        let all = all.fold(Rational::new(), |sum, value| sum + value);
        let all = all + &self.numerical + &self.joints + &self.inertial;
        all + &self.rounding - &self.flight_gain
    }

    /// All friction.
    pub fn friction_total(&self) -> Rational {
        self.friction
            .iter()
            .fold(Rational::new(), |sum, value| sum + value)
    }

    /// All of limits, and of drives.
    pub fn joint_totals(&self) -> [Rational; 2] {
        [&self.stops, &self.drives]
            .map(|all| all.iter().fold(Rational::new(), |sum, value| sum + value))
    }

    /// All of `position`.
    pub fn position_total(&self) -> Rational {
        self.position
            .iter()
            .fold(Rational::new(), |sum, value| sum + value)
    }

    pub(super) fn of(world: &SpaceWorld, step: &SpaceStep) -> Self {
        let whole = step.posed.whole(&step.z);
        let mut own = Self::of_phase((&step.posed, &step.velocity), &whole, &step.joint_impulses);
        if let Some(first) = &step.compression {
            let (posed, impulses) = ((&first.posed, &*first.velocity), &first.joint_impulses);
            own.add(step, first, Self::of_phase(posed, &first.z, impulses));
        }
        own.work = world.moving().fold(Rational::new(), |sum, i| {
            let at = world.dof(i).unwrap_or_default();
            let impulse = &step.posed.formulation.impulse;
            sum + three(&impulse[at + 3..]).dot(&three(&step.velocity[at + 3..]))
        });
        if world.is_first_order() {
            // The drag: of dv'M dv = h v'm v, as the step begins at rest, half is in the sum already.
            own.numerical *= 2u32;
            own.rounding = moved_by_rounding(world, step);
        } else {
            (own.rounding, own.flight_gain) = rounding(world, step);
            own.inertial = inertial(world, step);
        }
        own
    }

    /// What acts, with all impulses of its rows, and the velocity at the end.
    fn of_phase(
        (posed, velocity): (&Posed, &[Rational]),
        impulses: &[Rational],
        joint_impulses: &[Rational],
    ) -> Self {
        let own = &posed.formulation;
        let layout = own.layout();
        let pairs = velocity.iter().zip(&own.velocity);
        let change: Vec<Rational> = pairs.map(|(new, old)| Rational::from(new - old)).collect();
        let columns = own.columns();
        let lost = |k: usize| -(columns[k].times(velocity) * &impulses[k]);
        let contacts = 0..posed.contacts.len();
        let stops = contacts.end..own.contacts.len();
        let drives = (posed.first_drive()..layout.owners()).map(|owner| layout.weights(owner));
        let drives = drives.map(|weights| weights.fold(Rational::new(), |sum, k| sum + lost(k)));
        let friction = contacts.clone().map(|i| {
            let turning = posed.owners_of_turning(i);
            let turning = turning.flat_map(|(owner, _)| layout.weights(owner));
            let weights = layout.weights(i).chain(turning);
            weights.fold(Rational::new(), |sum, k| sum + lost(k))
        });
        let position = contacts.map(|i| lost(layout.normal(i)));
        let joints = own.bilateral.rows().iter().zip(joint_impulses);
        let joints = joints.fold(Rational::new(), |sum, (row, impulse)| {
            sum - row.row.times(velocity) * impulse
        });
        Self {
            friction: friction.collect(),
            position: position.collect(),
            numerical: own.mass.kinetic_energy(&change),
            joints,
            stops: stops.map(|i| lost(layout.normal(i))).collect(),
            drives: drives.collect(),
            ..Self::default()
        }
    }

    /// Adds what a compression took.
    fn add(&mut self, step: &SpaceStep, first: &Compression, own: Self) {
        self.numerical += own.numerical;
        self.joints += own.joints;
        let taken = own.friction.into_iter().zip(own.position);
        for (contact, (friction, position)) in first.posed.contacts.iter().zip(taken) {
            let mut all = step.posed.contacts.iter();
            if let Some(k) = all.position(|other| other.name == contact.name) {
                self.friction[k] += friction;
                self.position[k] += position;
            }
        }
        for (stop, taken) in first.posed.stops.iter().zip(own.stops) {
            if let Some(k) = step.posed.stops.iter().position(|other| other == stop) {
                self.stops[k] += taken;
            }
        }
    }
}

/// What W took that is of the attitude of the point of evaluation.
fn inertial(world: &SpaceWorld, step: &SpaceStep) -> Rational {
    let each = world.moving().map(|i| {
        let (there, before) = (&step.at.bodies[i], &step.before.bodies[i]);
        if there.attitude == before.attitude {
            return Rational::new();
        }
        let ahead = |momentum: &Vector3<Rational>| {
            turning(world, i, &there.attitude, momentum)
                - turning(world, i, &before.attitude, momentum)
        };
        ahead(&step.after.bodies[i].momentum) - ahead(&before.momentum)
    });
    each.fold(Rational::new(), |sum, own| sum + own)
}

/// What rounding took and turning gained.
fn rounding(world: &SpaceWorld, step: &SpaceStep) -> (Rational, Rational) {
    let own = &step.posed.formulation;
    // T before less K before, and K after. T after, before rounding, is in two differences and cancels.
    let mut lost =
        own.mass.kinetic_energy(&step.velocity) - own.mass.kinetic_energy(step.old_velocity());
    let mut gain = Rational::new();
    for i in world.moving() {
        let at = world.dof(i).unwrap_or_default();
        let (before, after) = (&step.before.bodies[i], &step.after.bodies[i]);
        let mass = &world.bodies[i].mass;
        let linear = |v: &Vector3<Rational>| v.norm_squared() * mass / 2u32;
        let turning = |attitude: &Quaternion, l: &Vector3<Rational>| turning(world, i, attitude, l);
        // Where W is taken.
        let there = &step.at.bodies[i].attitude;
        lost += linear(&before.velocity) + turning(there, &before.momentum);
        let moved = &before.position + &three(&step.velocity[at..]).times(&own.h);
        lost -= linear(&after.velocity) + turning(there, &after.momentum);
        lost -= world.force(i).dot(&(&moved - &after.position));
        if let Some(flight) = &step.flights[i] {
            let turned = turning(&flight.exact, &after.momentum);
            gain += Rational::from(&turned - &turning(&before.attitude, &after.momentum));
            lost += turned - turning(&after.attitude, &after.momentum);
        }
    }
    (lost, gain)
}

/// What forces lose where places are put on the grid: what rounding takes where there is no kinetic energy.
fn moved_by_rounding(world: &SpaceWorld, step: &SpaceStep) -> Rational {
    let h = &step.posed.formulation.h;
    world.moving().fold(Rational::new(), |sum, i| {
        let at = world.dof(i).unwrap_or_default();
        let moved = &step.before.bodies[i].position + &three(&step.velocity[at..]).times(h);
        sum - world
            .force(i)
            .dot(&(&moved - &step.after.bodies[i].position))
    })
}

/// Energy of rotation, L'R J^-1 R'L/2.
fn turning(
    world: &SpaceWorld,
    body: usize,
    attitude: &Quaternion,
    momentum: &Vector3<Rational>,
) -> Rational {
    let local = into_body(&attitude.rotation(), momentum);
    let rate = world.inverse_inertia(body).times(local.coordinates());
    etalon_rigid::dot(local.coordinates(), &rate) / 2u32
}
