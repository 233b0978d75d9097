//! The checks of both sides, by products and sums alone.

use rug::Rational;

use super::sets::ContactSet;
use crate::assembly::Assembly;
use crate::exact::{dot, ratio, sparse_dot, sum};
use crate::findings::{MovedContact, Separation};

/// S by blocks: the largest of a block's |M||v1| + |M||v0| + h|f|, of a rotation at least that of its translation times
/// the longest lever of a contact.
pub(super) fn scales(assembly: &Assembly) -> Vec<Rational> {
    let mut scales = vec![Rational::new(); assembly.scale.len()];
    let largest = |rows: &std::ops::Range<usize>| {
        assembly.scale[rows.clone()]
            .iter()
            .max()
            .cloned()
            .unwrap_or_default()
    };
    for pair in assembly.blocks.chunks(2) {
        let [translation, rotation] = pair else {
            continue;
        };
        let linear = largest(&translation.rows);
        let entries = assembly
            .contacts
            .iter()
            .flat_map(|contact| contact.rows.iter().flatten());
        let levers = entries.filter(|(j, _)| rotation.rows.contains(j));
        let lever = levers
            .map(|(_, own)| own.clone().abs())
            .max()
            .unwrap_or_default();
        // A body that does not turn has next to no angular momentum of its own; its size is then
        // what the linear one makes at the longest lever.
        let angular = largest(&rotation.rows).max(lever * &linear);
        scales[translation.rows.clone()].fill(linear);
        scales[rotation.rows.clone()].fill(angular);
    }
    scales
}

/// The eps with which impulses explain the step; `None` where they are not admissible.
pub(super) fn explained_within(
    assembly: &Assembly,
    scales: &[Rational],
    sets: &[ContactSet],
    impulse: &[Vec<Rational>],
    joints: &[Rational],
) -> Option<Rational> {
    let mut left = assembly.change.clone();
    for ((contact, set), own) in assembly.contacts.iter().zip(sets).zip(impulse) {
        let normal = &own[0];
        let mut first = 1;
        let is_admitted = set.discs.iter().all(|disc| {
            let friction = &own[first..first + disc.rows()];
            first += disc.rows();
            disc.admits(friction, normal)
        });
        let is_capped = set.cap.as_ref().is_none_or(|cap| normal <= cap);
        if *normal < 0 || !is_admitted || !is_capped {
            return None;
        }
        for (row, own) in contact.rows.iter().zip(own) {
            row.iter()
                .for_each(|(j, entry)| left[*j] -= Rational::from(entry * own));
        }
    }
    let rows = assembly.joints.iter().flat_map(|joint| &joint.rows);
    for (row, own) in rows.zip(joints) {
        row.iter()
            .for_each(|(j, entry)| left[*j] -= Rational::from(entry * own));
    }
    let mut eps = Rational::new();
    for block in assembly.blocks.iter().filter(|block| !block.asleep) {
        for i in block.rows.clone() {
            eps = eps.max(ratio(&left[i].clone().abs(), &scales[i])?);
        }
    }
    Some(eps)
}

/// The proof that no admissible impulse explains the step below an eps, by a test motion y: every impulse does work of at
/// least 0 on it (of a contact with a cap at least its cap times its least work), and the observed change less.
/// `None` where y shows nothing.
pub(super) fn separation(
    assembly: &Assembly,
    scales: &[Rational],
    sets: &[ContactSet],
    y: &[Rational],
) -> Option<Separation> {
    let mut admissible = Rational::new();
    let mut contacts = Vec::new();
    for (contact, set) in assembly.contacts.iter().zip(sets) {
        let u: Vec<_> = contact.rows.iter().map(|row| sparse_dot(row, y)).collect();
        // The least work of a contact for a normal impulse of 1: that of the normal, and of the friction
        // that works least.
        let mut least = u[0].clone();
        let mut first = 1;
        for disc in &set.discs {
            least += disc.least_work(&u[first..first + disc.rows()]);
            first += disc.rows();
        }
        if least < 0 {
            // Without a cap an impulse works as little as it likes.
            admissible += Rational::from(&least * set.cap.as_ref()?);
        }
        contacts.push(MovedContact { u, least });
    }
    let mut joints = assembly.joints.iter().flat_map(|joint| &joint.rows);
    // The impulse of a joint has no sign: on a motion that moves it, it would do any work.
    if joints.any(|row| !sparse_dot(row, y).is_zero()) {
        return None;
    }
    let asked = assembly.blocks.iter().filter(|block| !block.asleep);
    let mut size = Rational::new();
    let mut asleep = y.to_vec();
    for block in asked {
        for i in block.rows.clone() {
            size += Rational::from(y[i].abs_ref()) * &scales[i];
            asleep[i] = Rational::new();
        }
    }
    // Nothing is known of bodies asleep, so the motion must leave them alone.
    if sum(asleep.into_iter().map(Rational::abs)) > 0 {
        return None;
    }
    let observed = dot(y, &assembly.change);
    let left = Rational::from(&admissible - &observed);
    let eps = (left > 0).then(|| ratio(&left, &size)).flatten()?;
    Some(Separation {
        contacts,
        observed,
        admissible,
        size,
        eps,
    })
}
