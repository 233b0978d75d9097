//! The rows of a generalised step.

use std::ops::Range;

use etalon_lcp::Number;
use rug::Rational;

use super::{
    Assembly, Block, ContactRows, DiscRows, Groups, JointAsked, JointRows, PyramidRows, Row,
    exact_row,
};
use crate::exact::{fractions, ratio, sparse_dot, sum};
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
        cancelled: vec![Rational::new(); n],
        change,
        scale,
        blocks: coupled(own),
        contacts: Vec::new(),
        joints: Vec::new(),
        groups: Groups::default(),
        speed: Rational::new(),
    };
    let all = Rows {
        own,
        h,
        impulse,
        v: [&v0, &v1],
    };
    all.add(&mut assembly);
    let speeds = (v0.iter().enumerate().chain(v1.iter().enumerate()))
        .map(|(j, own)| (j, own.clone()))
        .chain(added(own, h));
    let masses = assembly.blocks.iter().map(|block| block.rows.clone());
    // Velocities of generalised steps are in no one unit: those of contacts count like the others, in the plane of friction too.
    assembly.groups = Groups::of(&assembly, masses, speeds, 0);
    assembly.speed = assembly.groups.fastest();
    Some(assembly)
}

/// What forces add to the velocities in the step, by the diagonal of M: of a step at rest it is the only speed that is no noise.
fn added<'a>(
    own: &'a Generalised,
    h: &'a Rational,
) -> impl Iterator<Item = (usize, Rational)> + 'a {
    let of_row = move |(i, row): (usize, &Vec<(usize, Number)>)| {
        let (_, inertia) = row.iter().find(|(j, _)| *j == i)?;
        let force = own.force[i].to_rational().abs() * h;
        Some((i, ratio(&force, &inertia.to_rational().abs())?))
    };
    own.m.rows.iter().enumerate().filter_map(of_row)
}

/// The rows of a step with their impulses and velocities.
struct Rows<'a> {
    own: &'a Generalised,
    h: &'a Rational,
    impulse: Option<Vec<Rational>>,
    v: [&'a Vec<Rational>; 2],
}

impl Rows<'_> {
    fn of(&self, rows: Range<usize>) -> (Vec<Row>, Option<Vec<Rational>>) {
        let impulse = self.impulse.as_ref().map(|own| own[rows.clone()].to_vec());
        let rows = rows.map(|k| exact_row(&self.own.j.rows[k]));
        (rows.collect(), impulse)
    }

    /// The sets whose forces that of a normal row bounds, as those of a contact.
    fn contact(&self, normal: usize) -> ContactRows {
        let mut contact = ContactRows {
            directions: Vec::new(),
            rows: Vec::new(),
            discs: Vec::new(),
            pyramids: Vec::new(),
            u: [Vec::new(), Vec::new()],
            impulse: self.impulse.as_ref().map(|_| Vec::new()),
            known: KnownImpulse::All,
            target: None,
            restitution: Rational::new(),
        };
        let is_own = |set: &&Set| set.bounded_by().unwrap_or(set.rows().start) == normal;
        // The set of the normal row itself comes first, whatever the order of the rows.
        let mut sets: Vec<_> = self.own.sets.iter().filter(is_own).collect();
        sets.sort_by_key(|set| set.bounded_by().is_some());
        for set in sets {
            let first = contact.rows.len();
            let (rows, impulse) = self.of(set.rows());
            contact.rows.extend(rows);
            if let (Some(all), Some(impulse)) = (&mut contact.impulse, impulse) {
                all.extend(impulse);
            }
            let rows = first..contact.rows.len();
            match set {
                Set::Cone(_, mu) => contact.discs.push(DiscRows {
                    rows: (1..rows.end).collect(),
                    mu: fractions(mu),
                    slides: true,
                    opposes: true,
                }),
                Set::Turning(_, mu, _) => contact.discs.push(DiscRows {
                    rows: rows.collect(),
                    mu: fractions(mu),
                    slides: false,
                    opposes: true,
                }),
                Set::Pyramid(_, mu, _) => contact.pyramids.push(PyramidRows {
                    rows: rows.collect(),
                    mu: mu.to_rational(),
                }),
                Set::Nonnegative(_) | Set::Equality(_) | Set::Box(..) | Set::Disc(..) => {}
            }
        }
        let of = |v: &Vec<Rational>| contact.rows.iter().map(|row| sparse_dot(row, v)).collect();
        contact.u = self.v.map(of);
        contact.target = self.target(normal, &contact.u[0]);
        contact
    }

    /// Adds joints and contacts.
    fn add(&self, assembly: &mut Assembly) {
        for set in &self.own.sets {
            match set {
                Set::Equality(_) | Set::Box(..) | Set::Disc(..) => {
                    let (rows, impulse) = self.of(set.rows());
                    assembly.joints.push(JointRows {
                        first: set.rows().start,
                        rows,
                        impulse,
                        asked: self.asked(set),
                    });
                }
                Set::Nonnegative(normal) | Set::Cone(normal, _) => {
                    assembly.contacts.push(self.contact(*normal));
                }
                // With the contact of their normal row.
                Set::Turning(..) | Set::Pyramid(..) => {}
            }
        }
    }

    /// What is asked of a set of forces of both signs.
    fn asked(&self, set: &Set) -> JointAsked {
        match set {
            Set::Equality(row) => {
                let row_of = |v: &Vec<Rational>| sparse_dot(&exact_row(&self.own.j.rows[*row]), v);
                let after = row_of(self.v[1]);
                match self.target(*row, &[row_of(self.v[0])]) {
                    Some(target) => JointAsked::Velocity(after - target),
                    None => JointAsked::Nothing,
                }
            }
            Set::Box(_, bound) => {
                JointAsked::Bound(vec![Rational::from(1)], bound.to_rational() * self.h)
            }
            Set::Disc(_, mu, bound) => {
                JointAsked::Bound(fractions(mu), bound.to_rational() * self.h)
            }
            _ => JointAsked::Nothing,
        }
    }

    /// Without R the acceleration of a row that presses is its target: J v1 = J v0 + h target. With R it is not, and no
    /// velocity is declared.
    fn target(&self, normal: usize, before: &[Rational]) -> Option<Rational> {
        if self.own.r.is_some() {
            return None;
        }
        let target = self.own.target.as_ref()?[normal].to_rational();
        Some(before.first()? + target * self.h)
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
