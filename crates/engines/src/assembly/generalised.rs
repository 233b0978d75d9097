//! The rows of a generalised step.

use etalon_lcp::Number;
use rug::Rational;

use super::{Assembly, Block, ContactRows, DiscRows, JointRows, Row, exact_row};
use crate::exact::{fractions, largest, sparse_dot, sum};
use crate::step::{Generalised, KnownImpulse, Quantity, Set};

/// M (v1 - v0) = h (q + J'f), all rows in the blocks that M couples.
pub(super) fn of_generalised(own: &Generalised, h: &Rational) -> Option<Assembly> {
    if own.quantity != Quantity::Acceleration {
        return None;
    }
    let (v0, v1) = (fractions(own.v0.as_ref()?), fractions(own.v1.as_ref()?));
    let force = own.answer.as_ref().and_then(|answer| answer.force.as_ref());
    let n = own.nv();
    let (mut change, mut scale) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (i, row) in own.m.rows.iter().enumerate() {
        let force = own.force[i].to_rational() * h;
        let row = exact_row(row);
        let difference = |(j, own): &(usize, Rational)| Rational::from(&v1[*j] - &v0[*j]) * own;
        let size = |(j, own): &(usize, Rational)| {
            (v1[*j].clone().abs() + v0[*j].clone().abs()) * own.clone().abs()
        };
        change.push(sum(row.iter().map(difference)) - &force);
        scale.push(sum(row.iter().map(size)) + force.abs());
    }
    let impulse: Option<Vec<Rational>> = force.map(|force| {
        let force = force.iter();
        force.map(|own| own.to_rational() * h).collect()
    });
    let mut assembly = Assembly {
        change,
        scale,
        blocks: coupled(own),
        contacts: Vec::new(),
        joints: Vec::new(),
        speed: largest(v0.iter().chain(&v1)),
    };
    for set in &own.sets {
        let rows: Vec<Row> = set.rows().map(|k| exact_row(&own.j.rows[k])).collect();
        let impulse = impulse.as_ref().map(|own| own[set.rows()].to_vec());
        match set {
            Set::Equality(_) | Set::Box(..) | Set::Disc(..) => {
                assembly.joints.push(JointRows { rows, impulse })
            }
            Set::Nonnegative(_) => assembly
                .contacts
                .push(of_set(rows, &[], impulse, [&v0, &v1])),
            Set::Cone(_, mu) => assembly
                .contacts
                .push(of_set(rows, mu, impulse, [&v0, &v1])),
        }
    }
    Some(assembly)
}

/// The rows of a set that is a cone or a half line as those of a contact.
fn of_set(
    rows: Vec<Row>,
    mu: &[Number],
    impulse: Option<Vec<Rational>>,
    v: [&Vec<Rational>; 2],
) -> ContactRows {
    let disc = DiscRows {
        rows: (1..rows.len()).collect(),
        mu: fractions(mu),
        slides: true,
    };
    ContactRows {
        u: v.map(|v| rows.iter().map(|row| sparse_dot(row, v)).collect()),
        discs: if mu.is_empty() {
            Vec::new()
        } else {
            vec![disc]
        },
        known: KnownImpulse::All,
        // Targets of the generalised form are accelerations.
        target: None,
        restitution: Rational::new(),
        impulse,
        rows,
    }
}

/// Ranges of rows between which M has no entry.
fn coupled(own: &Generalised) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut start, mut reach) = (0, 0);
    for (i, row) in own.m.rows.iter().enumerate() {
        // M is symmetric: where no row so far reaches beyond row i, no later row reaches back to it.
        reach = reach.max(row.last().map_or(i, |(j, _)| *j)).max(i);
        if reach == i {
            blocks.push(Block {
                rows: start..i + 1,
                name: format!("velocities {start} to {i}"),
                asleep: false,
            });
            start = i + 1;
        }
    }
    blocks
}
