//! Where the energy of a step went, counted from the impulses of bodies.

use etalon_rigid::{Vector3, dot};
use etalon_time_stepping::Term;
use rug::Rational;

use super::phase::Part;
use super::{Examination, norm};
use crate::grid::{ATTITUDE_BITS, INERTIA_BITS, exponent, largest};
use crate::joint::Placed;
use crate::step::{Energy, half_step};

impl Examination<'_> {
    /// The whole energy of a step, after that of its phases.
    pub(super) fn energy(&mut self) {
        let none = Rational::new();
        let (ledger, slack) = (&self.step.ledger, self.slack.clone());
        let off = Rational::from(&self.taken.numerical - &ledger.numerical);
        self.vanishes(Term::EnergyIdentity, None, &off, &slack);
        let off = Rational::from(&self.taken.joints - &ledger.joints);
        self.vanishes(Term::EnergyIdentity, None, &off, &none);
        let off = self.inertial() - &ledger.inertial;
        self.vanishes(Term::EnergyIdentity, None, &off, &none);
        self.each_lost();
        // E - E' + work, against the sum of its parts.
        let before = Energy::of(self.world, &self.step.before);
        let after = Energy::of(self.world, &self.step.after);
        if after != self.step.energy {
            self.report(Term::EnergyIdentity, None, "another energy".to_owned());
        }
        let work = self.work();
        let off = Rational::from(&work - &ledger.work);
        self.vanishes(Term::EnergyIdentity, None, &off, &none);
        let off = before.total() - after.total() + work - ledger.dissipated();
        self.vanishes(Term::EnergyIdentity, None, &off, &slack);
        let bound = self.rounding_bound() + slack;
        self.vanishes(Term::Rounding, None, &ledger.rounding, &bound);
    }

    /// What a phase took, counted anew, and what may be off.
    pub(super) fn losses(&mut self) {
        let mut numerical = self.numerical();
        if self.world.is_first_order() {
            // The drag v'M v.
            numerical *= 2u32;
        }
        self.nonnegative(Term::NumericalLoss, None, &numerical, &Rational::new());
        self.taken.numerical += numerical;
        self.taken.joints += self.joints_lost();
        self.limits_and_drives_lost();
        self.contacts_lost();
        self.slack += self.unbalanced();
        if !self.noise.is_none() {
            self.room += self.room_of_contacts() + self.room_of_joints();
        }
    }

    /// What contacts, limits and drives took in all phases, one by one.
    fn each_lost(&mut self) {
        let step = self.step;
        let (told, own) = (&step.ledger, std::mem::take(&mut self.taken));
        let names = step.contacts().iter().map(|own| own.name.clone());
        let joint = |joint: usize| self.world.joints()[joint].name.clone();
        let stops = step.posed.stops.iter().map(|own| joint(own.joint));
        let driven = step.posed.driven.iter().map(|own| joint(own.joint));
        let lists = [
            (
                names.clone().collect::<Vec<_>>(),
                &told.friction,
                &own.friction,
            ),
            (names.collect(), &told.position, &own.position),
            (stops.collect(), &told.stops, &own.stops),
            (driven.collect(), &told.drives, &own.drives),
        ];
        for (names, told, own) in lists {
            if told.len() != own.len() {
                let amount = "a list of another length".to_owned();
                self.report(Term::EnergyIdentity, None, amount);
                continue;
            }
            for ((name, told), own) in names.iter().zip(told).zip(own) {
                let off = Rational::from(own - told);
                self.vanishes(Term::EnergyIdentity, Some(name), &off, &Rational::new());
            }
        }
    }

    /// What the turning of the inertia took between the start and the place where it is taken, by its matrices in the world.
    fn inertial(&self) -> Rational {
        let each = self.world.moving().map(|body| {
            let [at, old, new] = [&self.step.at, &self.step.before, &self.step.after]
                .map(|state| &state.bodies[body]);
            let energy = |attitude, momentum: &Vector3<Rational>| {
                let rate = self.world.inverse_in_world(body, attitude);
                dot(momentum.coordinates(), &rate.times(momentum.coordinates())) / 2u32
            };
            let ahead = |momentum| energy(&at.attitude, momentum) - energy(&old.attitude, momentum);
            ahead(&new.momentum) - ahead(&old.momentum)
        });
        match self.world.is_first_order() || self.step.at == self.step.before {
            true => Rational::new(),
            false => each.fold(Rational::new(), |sum, own| sum + own),
        }
    }

    /// What recorded energies may be off: those of states, and what contacts took.
    pub(super) fn energy_room(&self) -> Rational {
        let Some(eps) = self.noise.eps() else {
            return Rational::new();
        };
        let mut size = Rational::new();
        for body in self.world.moving() {
            let [old, new] = [&self.step.before, &self.step.after].map(|own| &own.bodies[body]);
            let force = norm(&self.world.force(body));
            for own in [old, new] {
                let turned = norm(&own.momentum) * norm(&self.world.angular_velocity(body, own));
                size += norm(&own.velocity).square() * &self.world.bodies[body].mass + turned;
                size += Rational::from(&force * &norm(&own.position));
            }
        }
        size * eps + &self.room + &self.slack
    }

    /// What the losses at contacts may be off.
    fn room_of_contacts(&self) -> Rational {
        let step = self.phase;
        let size = |own: &[&Rational]| {
            let sizes = own.iter().map(|own| Rational::from(own.abs_ref()));
            sizes.fold(Rational::new(), |sum, own| sum + own)
        };
        let contacts = step.contacts().iter().zip(step.impulses);
        let pushed = contacts.zip(&self.allowances);
        let pushed = pushed.map(|((contact, impulse), off)| {
            let [one, other] = &impulse.friction;
            let rate = norm(&self.parting(contact, |own, body| own.after(body)));
            size(&[&impulse.normal, one, other]) * &off.rate + rate * &off.impulse
        });
        let turning = &step.posed.turning;
        let first = self.allowances.len().saturating_sub(turning.len());
        let turned = turning.iter().zip(self.allowances.iter().skip(first));
        let turned = turned.map(|(own, off)| {
            let impulse = &step.impulses[own.contact];
            let [one, other] = &impulse.rolling;
            let rate = norm(&self.turns(&step.contacts()[own.contact]));
            size(&[&impulse.torsion, one, other]) * &off.rate + rate * &off.impulse
        });
        pushed
            .chain(turned)
            .fold(Rational::new(), |sum, own| sum + own)
    }

    /// What the losses at joints, limits and drives may be off.
    fn room_of_joints(&self) -> Rational {
        let step = self.phase;
        let closes = step.part != Part::Compression;
        let rows = step.posed.joints.iter().enumerate();
        let rows = rows.flat_map(|(k, own)| own.iter().map(move |own| (k, own.row())));
        let held = rows.zip(step.joint_impulses);
        let held = held.map(|((k, row), impulse)| {
            self.room(k, &row, closes) * Rational::from(impulse.abs_ref())
        });
        let stops = step.posed.stops.iter().map(|own| (own.joint, &own.row));
        let driven = step.posed.driven.iter().map(|own| (own.joint, &own.row));
        let impulses = step.stop_impulses.iter().chain(step.drive_impulses);
        let of_rows = self.allowances.iter().skip(step.contacts().len());
        let moved = stops.chain(driven).zip(impulses).zip(of_rows);
        let moved = moved.map(|(((joint, row), impulse), off)| {
            let rate = self.rate(&self.pull(joint, row)).abs();
            Rational::from(impulse.abs_ref()) * &off.rate + rate * &off.impulse
        });
        held.chain(moved)
            .fold(Rational::new(), |sum, own| sum + own)
    }

    /// What the balance of momentum may be off, as energy. A residual p of M dv = impulses makes the identity off by p'v at the
    /// end, and the loss of impacts by p'dv + p'M^-1 p/2; what a position is off does the work of the force.
    fn unbalanced(&self) -> Rational {
        let each = self.balances.iter().map(|(body, off)| {
            let [v, w] = self.after(*body);
            let [u, s] = self.at_begin(*body);
            let linear = (norm(&v) * 2u32 + norm(&u)) * &off.linear;
            let angular = (norm(&w) * 2u32 + norm(&s)) * &off.angular;
            // Where nothing moves, the square of p is all that there is. p'W p is at most the largest entry of W times the square of the
            // sum of the sizes of p's.
            let of_turning = off.angular.clone().square() * largest(&self.inverses[*body]);
            let squares = off.linear.clone().square() / &self.world.bodies[*body].mass + of_turning;
            linear + angular + squares + norm(&self.world.force(*body)) * &off.position * 3u32
        });
        each.fold(Rational::new(), |sum, own| sum + own)
    }

    /// (dv'm dv + dL'W dL)/2.
    fn numerical(&self) -> Rational {
        let mut sum = Rational::new();
        for body in self.world.moving() {
            let own = &self.world.bodies[body];
            let [v, _] = self.after(body);
            let change = &v - &self.phase.from.bodies[body].velocity;
            sum += change.norm_squared() * &own.mass / 2u32;
            let mut turned = self.pushes[body][1].clone();
            if self.phase.part != Part::Compression {
                turned = &turned + &own.torque.times(&self.settings.h);
            }
            let rate = self.inverses[body].times(turned.coordinates());
            sum += dot(turned.coordinates(), &rate) / 2u32;
        }
        sum
    }

    fn joints_lost(&self) -> Rational {
        let mut impulses = self.phase.joint_impulses.iter();
        let mut sum = Rational::new();
        let anew = self.world.placed(&self.step.at);
        for (joint, placed) in self.world.joints.iter().zip(&anew) {
            for row in placed.iter().map(Placed::row) {
                let mut rate = Rational::new();
                for (body, [force, torque]) in
                    [(joint.first, &row.first), (joint.second, &row.second)]
                {
                    let [v, w] = self.after(body);
                    rate += force.dot(&v) + torque.dot(&w);
                }
                sum -= rate * impulses.next().cloned().unwrap_or_default();
            }
        }
        sum
    }

    /// Each takes minus its impulse times its rate at the end.
    fn limits_and_drives_lost(&mut self) {
        let own = self.phase;
        let all = &self.step.posed.stops;
        for (stop, impulse) in own.posed.stops.iter().zip(own.stop_impulses) {
            let lost = -(self.rate(&self.pull(stop.joint, &stop.row)) * impulse);
            if let Some(k) = all.iter().position(|other| other == stop) {
                self.taken.stops[k] += lost;
            }
        }
        let driven = own.posed.driven.iter().zip(own.drive_impulses).enumerate();
        for (k, (drive, impulse)) in driven {
            let lost = self.rate(&self.pull(drive.joint, &drive.row)) * impulse;
            self.taken.drives[k] -= lost;
        }
    }

    /// What friction and normal impulses took; friction gives nothing.
    fn contacts_lost(&mut self) {
        let step = self.phase;
        for (k, (contact, impulse)) in step.contacts().iter().zip(step.impulses).enumerate() {
            let name = Some(&*contact.name);
            let velocity = self.parting(contact, |own, body| own.after(body));
            let slip = contact
                .tangents
                .each_ref()
                .map(|tangent| tangent.dot(&velocity));
            let turns = self.turns(contact);
            let [spin, one, other] = contact.axes().map(|axis| axis.dot(&turns));
            let rolls = [one, other];
            let friction = -dot(&impulse.friction, &slip)
                - Rational::from(&impulse.torsion * &spin)
                - dot(&impulse.rolling, &rolls);
            // r'u~ <= 0 for the exact law.
            let size = |two: &[Rational; 2]| two[0].clone().abs() + two[1].clone().abs();
            let own = &self.allowances[k];
            let mut allowed = size(&impulse.friction) * &own.rate + size(&slip) * &own.impulse;
            let turning = &step.posed.turning;
            let of_turning = self.allowances[self.allowances.len() - turning.len()..].iter();
            for (_, own) in turning
                .iter()
                .zip(of_turning)
                .filter(|(own, _)| own.contact == k)
            {
                let torque = size(&impulse.rolling) + impulse.torsion.clone().abs();
                let rate = size(&rolls) + spin.clone().abs();
                allowed += torque * &own.rate + rate * &own.impulse;
            }
            self.nonnegative(Term::FrictionLoss, name, &friction, &allowed);
            let position = -(contact.normal.dot(&velocity) * &impulse.normal);
            let mut all = self.step.contacts().iter();
            if let Some(k) = all.position(|other| other.name == contact.name) {
                self.taken.friction[k] += friction;
                self.taken.position[k] += position;
            }
        }
    }

    fn work(&self) -> Rational {
        let h = &self.settings.h;
        let each = self.world.moving().map(|body| {
            let [_, w] = self.after(body);
            self.world.bodies[body].torque.times(h).dot(&w)
        });
        each.fold(Rational::new(), |sum, work| sum + work)
    }

    /// The most that rounding can take. Let u be half a step of the grid of the velocity, l of L, a of quaternions, w
    /// of W. A change d of v takes |m v + h F| d and m d^2/2, one of x |F| d, one of L |omega| d and |W| d^2/2; W takes
    /// |L|^2 w/2, before and after the problem; an attitude off by a in each of four entries turns by at most 4 a,
    /// and so takes |omega| |L| 8 a. |.| is the sum of the sizes of entries, so that it bounds every product. Terms
    /// of the second order are covered by twice the first.
    fn rounding_bound(&self) -> Rational {
        let u = half_step();
        let a = Rational::from(1) >> (ATTITUDE_BITS + 1);
        let h = &self.settings.h;
        let mut bound = Rational::new();
        for body in self.world.moving() {
            let (old, new) = (
                &self.step.before.bodies[body],
                &self.step.after.bodies[body],
            );
            let [v, omega] = self.after(body);
            let mass = &self.world.bodies[body].mass;
            let force = norm(&self.world.force(body));
            let moved = norm(&v) * mass + Rational::from(&force * h);
            bound += (moved + force + Rational::from(mass * &u)) * &u * 2u32;
            let at = &self.step.at.bodies[body].attitude;
            let exact = self.world.inverse_in_world(body, at);
            let most = largest(&exact);
            let w = Rational::from(1) << (exponent(&most) - INERTIA_BITS - 1);
            let l = Rational::from(1) << (self.world.momentum_exponent(body) - 1);
            let momentum = norm(&old.momentum) + norm(&new.momentum) + Rational::from(&l * 3u32);
            let rate = norm(&omega) + Rational::from(&most * &momentum) * 3u32;
            bound += Rational::from(&rate * &l) * 2u32;
            bound += momentum.clone().square() * w;
            bound += rate * momentum * &a * 16u32;
        }
        bound
    }
}
