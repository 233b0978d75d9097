//! What takes part in a step beside contacts: limits and drives of joints, and friction against turning at contacts.

use etalon_rigid::{Covector, Vector3};
use etalon_time_stepping::{BoundedFriction, ContactFrame, FrictionBound, StepContact};
use rug::Rational;

use super::problem::{Ahead, Given, Posed, Turning, covector};
use crate::joint::{Drive, DriveRow, JointGradient, StopRow};
use crate::settings::SpaceMethod;
use crate::world::SpaceWorld;

impl Posed {
    /// Limits as contacts without friction.
    pub(super) fn add_stops(&mut self, given: Given<'_>, strikes: bool) {
        for stop in given.world.stops(given.state) {
            let closes = self.stop_closes(given, &stop);
            if closes || given.settings.method.keeps_gaps() {
                self.add_stop(given, stop, strikes && closes);
            }
        }
    }

    /// Whether a limit is reached, or would be in the step by the velocity without contacts.
    pub(super) fn stop_closes(&self, given: Given<'_>, stop: &StopRow) -> bool {
        let row = self.ends(given.world, stop.joint, &stop.row);
        let gap = Ahead::of(given.settings, &self.formulation.velocity).gap(&row, &stop.row.gap);
        gap <= 0 || row.times(&self.free) * &given.settings.h + gap < 0
    }

    /// A limit takes part; one that is struck has no regard to its gap.
    pub(super) fn add_stop(&mut self, given: Given<'_>, stop: StopRow, is_struck: bool) {
        let normal = self.ends(given.world, stop.joint, &stop.row);
        let gap = Ahead::of(given.settings, &self.formulation.velocity).gap(&normal, &stop.row.gap);
        self.formulation.contacts.push(StepContact {
            index: self.formulation.contacts.len(),
            mu: Rational::new(),
            frame: ContactFrame {
                gap: gap.clone(),
                normal,
                directions: Vec::new(),
            },
            old_gap: gap,
            rebound: match given.settings.method {
                SpaceMethod::MoreauJean => Some(Rational::new()),
                SpaceMethod::StewartTrinkle | SpaceMethod::FirstOrder => {
                    is_struck.then(Rational::new)
                }
            },
        });
        self.stops.push(stop);
    }

    /// Friction against spinning about the normal and rolling across it, bounded by the normal impulse. In a pyramid
    /// spinning has both signs, and rolling the directions of the pyramid; in the circular cone each axis is a row.
    pub(super) fn add_turning(&mut self, given: Given<'_>) {
        let (world, directions) = (given.world, given.directions);
        for (k, contact) in self.contacts.iter().enumerate() {
            let about = |axis: &Vector3<Rational>| {
                let none = Vector3::zero();
                let ends = [
                    (contact.first, [none.clone(), axis.clone()]),
                    (contact.second, [none, -axis]),
                ];
                covector(world, ends)
            };
            let zero = Covector::zero;
            let spin = about(&contact.normal);
            let spinning = match directions {
                None => vec![spin],
                Some(_) => vec![spin.clone(), zero().plus(&Rational::from(-1), &spin)],
            };
            let [one, other] = contact.tangents.each_ref().map(about);
            let rolling = match directions {
                None => vec![one, other],
                Some(directions) => {
                    let along =
                        |own: &Vec<Rational>| zero().plus(&own[0], &one).plus(&own[1], &other);
                    directions.vectors().iter().map(along).collect()
                }
            };
            for (is_rolling, mu, rows) in [
                (false, &contact.torsion, spinning),
                (true, &contact.rolling, rolling),
            ] {
                if *mu == 0 {
                    continue;
                }
                self.turning.push(Turning {
                    contact: k,
                    is_rolling,
                });
                self.formulation.bounded.push(BoundedFriction {
                    name: contact.name.clone(),
                    directions: rows,
                    targets: Vec::new(),
                    bound: FrictionBound::Normal {
                        contact: k,
                        mu: mu.clone(),
                    },
                });
            }
        }
    }

    /// Drives as friction of a bounded force that strives for a speed. In a pyramid both directions have the largest
    /// force as their unit; in the circular cone one row has bounds.
    pub(super) fn add_drives(&mut self, world: &SpaceWorld) {
        for own in &self.driven {
            let row = self.ends(world, own.joint, &own.row);
            let Drive { speed, bound } = &own.drive;
            let (directions, targets) = match self.circular {
                true => (vec![row], vec![speed.clone()]),
                false => {
                    let forward = Covector::zero().plus(bound, &row);
                    let back = Covector::zero().plus(&-bound.clone(), &row);
                    let target = Rational::from(bound * speed);
                    (vec![forward, back], vec![target.clone(), -target])
                }
            };
            self.formulation.bounded.push(BoundedFriction {
                name: world.joints[own.joint].name.clone(),
                directions,
                targets,
                bound: FrictionBound::Step,
            });
        }
    }

    fn ends(&self, world: &SpaceWorld, joint: usize, row: &JointGradient) -> Covector<Rational> {
        let joint = &world.joints[joint];
        covector(
            world,
            [
                (joint.first, row.first.clone()),
                (joint.second, row.second.clone()),
            ],
        )
    }

    /// The owner of the weights of the first drive.
    pub(crate) fn first_drive(&self) -> usize {
        self.formulation.contacts.len() + self.turning.len()
    }

    /// The owners of the weights against spinning and rolling at a contact, with their coefficients.
    pub(crate) fn owners_of_turning(
        &self,
        contact: usize,
    ) -> impl Iterator<Item = (usize, &Rational)> {
        let first = self.formulation.contacts.len();
        let all = self.turning.iter().enumerate();
        all.filter(move |(_, own)| own.contact == contact)
            .map(move |(k, own)| {
                let contact = &self.contacts[own.contact];
                let mu = if own.is_rolling {
                    &contact.rolling
                } else {
                    &contact.torsion
                };
                (first + k, mu)
            })
    }

    /// The owners of the weights against turning at a contact, each with whether it is of rolling.
    pub(super) fn turning_at(&self, contact: usize) -> impl Iterator<Item = (usize, bool)> {
        let first = self.formulation.contacts.len();
        let all = self.turning.iter().enumerate();
        all.filter(move |(_, own)| own.contact == contact)
            .map(move |(k, own)| (first + k, own.is_rolling))
    }

    /// The impulses of limits, as `stops` has them.
    pub fn stop_impulses(&self, z: &[Rational]) -> Vec<Rational> {
        let layout = self.formulation.layout();
        let own = (0..self.stops.len()).map(|k| z[layout.normal(self.contacts.len() + k)].clone());
        own.collect()
    }

    /// The impulses of drives, as `driven` has them.
    pub fn drive_impulses(&self, z: &[Rational]) -> Vec<Rational> {
        let layout = self.formulation.layout();
        let one = |(k, own): (usize, &DriveRow)| {
            let weights = &z[layout.weights(self.first_drive() + k)];
            match weights {
                [forward, back] => Rational::from(forward - back) * &own.drive.bound,
                [own] => own.clone(),
                _ => Rational::new(),
            }
        };
        self.driven.iter().enumerate().map(one).collect()
    }
}
