//! Corners beside those that geometry proposes on a half-space.
//!
//! Parry gives the corners of the face that looks at the plane, at most four of them. A face may have more, and in a long step a
//! corner beside the face may reach the plane, too. Of a pair that geometry finds near, each corner that the velocity without contacts
//! takes into the half-space is a contact. So is the lowest point of each rim of a cylinder that leans. What impulses alone drive into
//! the half-space is an error, as with bodies that have no contact.

use rug::Rational;

use super::problem::Given;
use super::{Posed, SpaceStepper, twist};
use crate::contact::{Contact, ContactProposal};
use crate::error::SpatialError;
use crate::grid::to_f64s;
use crate::separation::{Facing, Pose, allowed};
use crate::settings::SpaceMethod;
use crate::state::SpaceState;
use crate::world::onwards;

impl Posed {
    /// Contacts at the corners that close by the velocity without contacts, and have none.
    pub(super) fn beside(
        &self,
        given: Given<'_>,
        near: &[Contact],
    ) -> Result<Vec<Contact>, SpatialError> {
        let Given { world, state, .. } = given;
        let mut found = Vec::new();
        for pair in world.pairs() {
            let own: Vec<&Contact> = of_pair(near, pair).collect();
            if own.is_empty() {
                continue;
            }
            let Some(facing) = Facing::of(world, state, pair) else {
                continue;
            };
            let pose = Pose::of(&state.bodies[facing.body]);
            let free = onwards(given.settings, &self.free, &self.formulation.velocity);
            let free = twist(world, state, &free, facing.body);
            let allowed = allowed(world, pair);
            let mut count = own.len();
            for part in facing.extremes.iter().filter(|part| part.is_point()) {
                let point = facing.point(part, &pose);
                let is_known = |own: &&Contact| own.is_at(facing.body, &point, &allowed);
                if facing.reached(part, &pose, &free, &given.settings.h) >= 0
                    || own.iter().any(is_known)
                {
                    continue;
                }
                let gap = facing.height(part, &pose);
                let middle = &point - &facing.normal.times(&Rational::from(&gap / 2u32));
                // The normal of a contact is from the earlier body to the later one.
                let normal = match facing.body == pair.1 {
                    true => facing.normal.clone(),
                    false => -&facing.normal,
                };
                count += 1;
                let proposal = ContactProposal {
                    first: pair.1,
                    second: pair.0,
                    point: to_f64s(&middle),
                    normal: to_f64s(&normal),
                    gap: gap.to_f64(),
                };
                found.push(world.contact_of(state, &proposal, Some(count))?);
            }
        }
        Ok(found)
    }
}

impl SpaceStepper<'_> {
    /// Refuses a step that drives a point without a contact into a half-space. Moreau and Jean ask of the velocity without contacts
    /// alone, and all points that it takes there have a contact.
    pub(super) fn check_points(
        &self,
        posed: &Posed,
        [before, after]: [&SpaceState; 2],
        [way, velocity]: [&[Rational]; 2],
    ) -> Result<(), SpatialError> {
        if self.settings.method == SpaceMethod::MoreauJean {
            return Ok(());
        }
        let rebounds = posed.formulation.contacts.iter();
        let bouncing: Vec<&Contact> = posed
            .contacts
            .iter()
            .zip(rebounds)
            .filter_map(|(own, row)| row.rebound.is_some().then_some(own))
            .collect();
        for pair in self.world.pairs() {
            let Some(facing) = Facing::of(self.world, before, pair) else {
                continue;
            };
            let poses = [before, after].map(|own| Pose::of(&own.bodies[facing.body]));
            let keeps_gap = !bouncing.iter().any(|own| (own.second, own.first) == pair);
            let velocity = if keeps_gap { way } else { velocity };
            let twist = twist(self.world, before, velocity, facing.body);
            let allowed = allowed(self.world, pair);
            for part in &facing.extremes {
                let by = (&twist, &self.settings.h);
                let depth = facing.depth(part, poses.each_ref(), by, keeps_gap);
                let point = facing.point(part, &poses[0]);
                let is_known = |own: &Contact| own.is_at(facing.body, &point, &allowed);
                let known = part.is_point() && of_pair(&posed.contacts, pair).any(is_known);
                if depth > allowed && !known {
                    let name = |body: usize| self.world.bodies()[body].name.clone();
                    return Err(SpatialError::Meeting {
                        first: name(pair.1),
                        second: name(pair.0),
                        depth: format!("{:.1e}", depth.to_f64()),
                    });
                }
            }
        }
        Ok(())
    }
}

fn of_pair(contacts: &[Contact], pair: (usize, usize)) -> impl Iterator<Item = &Contact> {
    contacts
        .iter()
        .filter(move |own| (own.second, own.first) == pair)
}
