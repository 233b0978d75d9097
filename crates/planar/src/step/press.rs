//! The forces of contacts that rest.

use crate::body::Rate;
use crate::contact::{Contact, groups};
use crate::error::StepError;
use crate::forces::apply;
use crate::geometry::Vec2;
use crate::observe::{LcpKind, Observer, RowBound};
use crate::scene::FrictionModel;
use crate::slip;
use crate::snapshot::ContactForce;
use crate::solve::Answer;
use crate::world::World;

use super::asked::{Asked, By};
use super::lcp::{Lcp, Rows, boxed, coulomb, normal_bound};

/// Contacts that hang together.
pub(super) struct Resting<'a> {
    pub contacts: &'a [Contact],
    pub rows: Rows,
    pub by: By,
}

impl World {
    /// Finds the forces of contacts that rest, and adds to the bodies' rates what they do.
    pub(super) fn press(
        &mut self,
        mut contacts: Vec<Contact>,
        rates: &mut [Rate],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        contacts.retain(Contact::rests);
        let outer = rates.to_vec();
        self.balance(contacts, By::Forces, (&outer, rates), time, observer)
    }

    /// The forces of contacts that rest, kept to be seen, for outer rates of the bodies; adds what they do.
    pub(super) fn balance(
        &mut self,
        contacts: Vec<Contact>,
        by: By,
        (outer, pushed): (&[Rate], &mut [Rate]),
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        self.contact_forces.clear();
        for group in groups(contacts, &self.bodies) {
            let resting = Resting {
                rows: Rows::of(&group, self),
                contacts: &group,
                by,
            };
            let f = self.forces(&resting, outer, time, observer)?;
            self.act(&resting, &f, pushed);
        }
        Ok(())
    }

    /// The forces of all rows. What is asked of bodies that are held from all sides may be more
    /// than they can do, and takes forces without measure: then less is asked. And friction that is
    /// strong enough can jam bodies so that rounding leaves no moderate forces by Coulomb's law:
    /// they get those of the box. Where nothing helps, the smallest forces are taken.
    fn forces(
        &mut self,
        resting: &Resting<'_>,
        rates: &[Rate],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Vec<f64>, StepError> {
        let law = if resting.rows.rubbing.is_empty() {
            FrictionModel::None
        } else {
            self.scene.settings.friction
        };
        let all = resting.asked(Asked::All, self, rates);
        let stop = resting.asked(Asked::Stop, self, rates);
        let fits = |world: &Self, answer: &Answer| {
            answer.moderate && !resting.throws(&answer.f, &stop, world)
        };
        let mut best = self.by_law(law, resting, &all, time, observer);
        if best.as_ref().is_ok_and(|answer| fits(self, answer)) {
            return best.map(|answer| answer.f);
        }
        self.totals.jams += 1;
        let possible = resting.asked(Asked::Possible, self, rates);
        let in_box = (law == FrictionModel::Coulomb).then_some(FrictionModel::Box);
        for law in [Some(law), in_box].into_iter().flatten() {
            let other = self.by_law(law, resting, &possible, time, observer);
            best = match (best, other) {
                (_, Ok(other)) if fits(self, &other) => return Ok(other.f),
                (Ok(best), Ok(other)) if best.largest() <= other.largest() => Ok(best),
                (_, Ok(other)) => Ok(other),
                (best, Err(_)) => best,
            };
        }
        best.map(|answer| answer.f)
    }

    /// The forces of all rows by one law, for one b.
    fn by_law(
        &mut self,
        law: FrictionModel,
        resting: &Resting<'_>,
        b: &[f64],
        time: f64,
        observer: &mut dyn Observer,
    ) -> Result<Answer, StepError> {
        let contacts = resting.contacts;
        if law == FrictionModel::Coulomb {
            let lcp = resting.lcp(b, contacts.iter().enumerate().map(|(i, c)| coulomb(c, i)));
            return self.solve_lcp(lcp, time, observer);
        }
        let smooth = &b[..contacts.len()];
        let smooth = resting.lcp(smooth, std::iter::empty());
        let smooth = self.solve_lcp(smooth, time, observer)?;
        if law == FrictionModel::None {
            return Ok(smooth);
        }
        let lcp = resting.lcp(b, contacts.iter().zip(&smooth.f).map(|(c, f)| boxed(c, *f)));
        self.solve_lcp(lcp, time, observer)
    }

    /// Adds what contact forces do, and keeps them to be seen.
    fn act(&mut self, resting: &Resting<'_>, f: &[f64], rates: &mut [Rate]) {
        let Resting { contacts, rows, .. } = resting;
        let mut friction = vec![0.0; contacts.len()];
        for (k, &i) in rows.rubbing.iter().enumerate() {
            friction[i] = f[rows.tangent(k)];
        }
        for ((contact, &f), friction) in contacts.iter().zip(f).zip(friction) {
            let mut push = |body: usize, force: Vec2, at: Vec2| {
                apply(rates, &self.bodies, body, force, at);
            };
            let force = contact.normal * f;
            push(contact.first, force, contact.point);
            push(contact.second, -force, contact.second_point());
            if friction != 0.0 {
                let force = slip::tangent(contact) * friction;
                push(contact.first, force, contact.point);
                push(contact.second, -force, contact.point);
            }
            self.contact_forces.push(ContactForce {
                first: contact.first,
                second: contact.second,
                point: contact.point.into(),
                normal: contact.normal.into(),
                force: f,
                friction,
                distance: contact.distance,
                joint: contact.joint,
            });
        }
    }
}

impl Resting<'_> {
    /// The problem of the first rows, one for each value of b: the normals, and those of friction
    /// with what bounds it at each contact.
    fn lcp(&self, b: &[f64], friction: impl Iterator<Item = RowBound>) -> Lcp {
        let friction: Vec<RowBound> = friction.collect();
        let normals = self.contacts.iter().map(normal_bound);
        let tangents = self.rows.rubbing.iter().filter_map(|&i| friction.get(i));
        let bounds = normals.chain(tangents.copied()).collect();
        let members: Vec<usize> = (0..b.len()).collect();
        self.rows.lcp(LcpKind::Forces, &members, b.to_vec(), bounds)
    }
}
