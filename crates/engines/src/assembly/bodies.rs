//! The rows of bodies.

use etalon_lcp::Number;
use rug::Rational;

use super::contact::{contact_rows, ends, levers};
use super::{Assembly, Block, Groups, JointAsked, JointRows, Row, exact_row};
use crate::exact::fractions;
use crate::step::{Bodies, Body, FrictionLaw, Joint};

pub(super) fn of_bodies(own: &Bodies, h: &Rational, law: FrictionLaw) -> Assembly {
    let k = own.velocities();
    let d = own.dimension;
    let n = own.bodies.len() * k;
    let mut assembly = Assembly {
        change: vec![Rational::new(); n],
        scale: vec![Rational::new(); n],
        cancelled: vec![Rational::new(); n],
        blocks: Vec::new(),
        contacts: Vec::new(),
        joints: Vec::new(),
        groups: Groups::default(),
        speed: Rational::new(),
    };
    for (b, body) in own.bodies.iter().enumerate() {
        let start = b * k;
        for (i, row) in mass_rows(body, d).iter().enumerate() {
            let force = body.force[i].to_rational() * h;
            let (mut change, mut scale) = (-force.clone(), force.abs());
            for (j, entry) in row {
                let (v0, v1) = (body.v0[*j].to_rational(), body.v1[*j].to_rational());
                change += Rational::from(&v1 - &v0) * entry;
                scale += (v1.abs() + v0.abs()) * entry.clone().abs();
            }
            assembly.change[start + i] = change;
            assembly.scale[start + i] = scale;
        }
        for (rows, name) in [(0..d, "translation"), (d..k, "rotation")] {
            assembly.blocks.push(Block {
                rows: start + rows.start..start + rows.end,
                name: format!("{name} of body {b}"),
                asleep: body.asleep,
            });
        }
    }
    let v = |at: fn(&Body) -> &[Number]| -> Vec<Rational> {
        own.bodies
            .iter()
            .flat_map(|body| fractions(at(body)))
            .collect()
    };
    let v = [v(|body| &body.v0), v(|body| &body.v1)];
    for contact in &own.contacts {
        assembly.contacts.push(contact_rows(own, contact, law, &v));
    }
    add_cancelled(own, &mut assembly);
    assembly.joints = own.joints.iter().enumerate().map(joint_rows).collect();
    let masses = (0..own.bodies.len()).map(|b| b * k..(b + 1) * k);
    let speeds = speeds(own, h).into_iter();
    assembly.groups = Groups::of(&assembly, masses, speeds, d);
    assembly.speed = assembly.groups.fastest();
    assembly
}

/// A force towards the centre has no torque, and an engine rounds the products that cancel in r x f: what is left of
/// them says nothing of that.
fn add_cancelled(own: &Bodies, assembly: &mut Assembly) {
    let (d, k) = (own.dimension, own.velocities());
    for (contact, rows) in own.contacts.iter().zip(&assembly.contacts) {
        let Some(impulse) = &rows.impulse else {
            continue;
        };
        for (b, point) in ends(contact) {
            for (size, impulse) in levers(contact, point, &own.bodies[b], d)
                .iter()
                .zip(impulse)
            {
                for (i, own) in size.iter().enumerate() {
                    assembly.cancelled[b * k + d + i] += Rational::from(own * impulse).abs();
                }
            }
        }
    }
}

/// The mass matrix of a body.
pub(crate) fn mass_rows(body: &Body, d: usize) -> Vec<Row> {
    let mass = body.mass.to_rational();
    let mut rows: Vec<Row> = (0..d).map(|i| vec![(i, mass.clone())]).collect();
    rows.extend(body.inertia.iter().map(|row| {
        let entries = row.iter().enumerate();
        entries.map(|(j, own)| (d + j, own.to_rational())).collect()
    }));
    rows
}

/// The speeds of centres, and those that forces add in the step, each at the first velocity of its body.
fn speeds(own: &Bodies, h: &Rational) -> Vec<(usize, Rational)> {
    let (d, k) = (own.dimension, own.velocities());
    let of_body = |(b, body): (usize, &Body)| {
        let linear = body.v0[..d].iter().chain(&body.v1[..d]);
        let mass = body.mass.to_rational();
        let added = body.force[..d].iter();
        let added = added.map(|own| own.to_rational() * h / &mass);
        let speeds = linear.map(Number::to_rational).chain(added);
        speeds.map(|own| (b * k, own)).collect::<Vec<_>>()
    };
    own.bodies.iter().enumerate().flat_map(of_body).collect()
}

fn joint_rows((first, joint): (usize, &Joint)) -> JointRows {
    JointRows {
        first,
        rows: joint.rows.rows.iter().map(|row| exact_row(row)).collect(),
        impulse: joint.impulse.as_ref().map(|own| fractions(own)),
        // Engines aim at the velocity of a joint, and say so; the record does not ask that they reach it.
        asked: JointAsked::Nothing,
    }
}
