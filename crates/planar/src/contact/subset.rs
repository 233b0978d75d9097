//! Which contacts have to be solved together.

use crate::body::Bodies;

use super::Contact;

/// Contacts in groups that share no moving body. Forces in one group do not change what is asked in another, so each is a
/// problem of its own. Within a group contacts stand in the order in which it grows.
pub(crate) fn groups(mut contacts: Vec<Contact>, bodies: Bodies<'_>) -> Vec<Vec<Contact>> {
    let mut groups = Vec::new();
    while !contacts.is_empty() {
        let group = connected(&contacts, bodies);
        groups.push(group.iter().map(|&i| contacts[i].clone()).collect());
        let mut taken = vec![false; contacts.len()];
        group.iter().for_each(|&i| taken[i] = true);
        let mut position = 0..;
        contacts.retain(|_| position.next().is_some_and(|i| !taken[i]));
    }
    groups
}

/// The positions of the contacts that are linked to the first one by moving bodies.
fn connected(contacts: &[Contact], bodies: Bodies<'_>) -> Vec<usize> {
    if contacts.is_empty() {
        return Vec::new();
    }
    let mut group = Group::new(contacts.len(), bodies);
    group.take(0, &contacts[0]);
    group.grow(contacts, |_| true);
    group.members
}

/// Which contacts take part when the collision `focus` is handled: the joints that are linked to its bodies, and for hybrid
/// handling all other contacts at its bodies that approach.
pub(crate) fn by_joints(
    contacts: &[Contact],
    bodies: Bodies<'_>,
    focus: usize,
    approaching: Option<(&[f64], f64)>,
) -> Vec<bool> {
    let mut group = Group::new(contacts.len(), bodies);
    let start = &contacts[focus];
    group.take(focus, start);
    if let Some((velocities, limit)) = approaching {
        for (i, contact) in contacts.iter().enumerate() {
            let shares = [contact.first, contact.second]
                .iter()
                .any(|body| *body == start.first || *body == start.second);
            if !group.taken[i] && !contact.joint && velocities[i] < limit && shares {
                group.take(i, contact);
                // Fixed bodies link here, too: joints to a wall that is hit take part.
                group.reached[contact.first] = true;
                group.reached[contact.second] = true;
            }
        }
    }
    group.grow(contacts, |contact| contact.joint);
    group.taken
}

struct Group<'a> {
    bodies: Bodies<'a>,
    members: Vec<usize>,
    taken: Vec<bool>,
    /// The bodies through which the group grows.
    reached: Vec<bool>,
}

impl<'a> Group<'a> {
    fn new(contacts: usize, bodies: Bodies<'a>) -> Self {
        let reached = vec![false; bodies.len()];
        Self {
            bodies,
            members: Vec::new(),
            taken: vec![false; contacts],
            reached,
        }
    }

    fn take(&mut self, i: usize, contact: &Contact) {
        self.members.push(i);
        self.taken[i] = true;
        for body in [contact.first, contact.second] {
            // A body that cannot move passes no force on: what stands on the ground beside it is another
            // problem.
            self.reached[body] |= !self.bodies.at(body).is_fixed();
        }
    }

    fn grow(&mut self, contacts: &[Contact], joins: impl Fn(&Contact) -> bool) {
        loop {
            let before = self.members.len();
            for (i, contact) in contacts.iter().enumerate() {
                let reached = self.reached[contact.first] || self.reached[contact.second];
                if !self.taken[i] && reached && joins(contact) {
                    self.take(i, contact);
                }
            }
            if self.members.len() == before {
                return;
            }
        }
    }
}
