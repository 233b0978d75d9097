//! The rows of bodies.

use etalon_lcp::Number;
use rug::Rational;

use super::contact::{contact_rows, ends, levers};
use super::{Assembly, Block, ContactRows, JointRows, Row, exact_row};
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
    assembly.joints = own.joints.iter().map(joint_rows).collect();
    assembly.speed = speed(own, h, &assembly.contacts);
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

/// The largest speed of a centre or of a contact's rows of translation, or what a force adds in the step.
fn speed(own: &Bodies, h: &Rational, contacts: &[ContactRows]) -> Rational {
    let d = own.dimension;
    let of_bodies = own.bodies.iter().flat_map(|body| {
        let linear = body.v0[..d]
            .iter()
            .chain(&body.v1[..d])
            .map(Number::to_rational);
        let mass = body.mass.to_rational();
        let added = body.force[..d]
            .iter()
            .map(move |own| own.to_rational() * h / &mass);
        linear.chain(added).collect::<Vec<_>>()
    });
    let of_contacts = contacts.iter().flat_map(|contact| {
        let rows = d.min(contact.rows.len());
        contact
            .u
            .iter()
            .flat_map(move |u| u[..rows].iter().cloned())
    });
    of_bodies
        .chain(of_contacts)
        .map(Rational::abs)
        .max()
        .unwrap_or_default()
}

fn joint_rows(joint: &Joint) -> JointRows {
    JointRows {
        rows: joint.rows.rows.iter().map(|row| exact_row(row)).collect(),
        impulse: joint.impulse.as_ref().map(|own| fractions(own)),
    }
}
