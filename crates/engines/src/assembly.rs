//! The rows of a step of bodies: what balances, and how fast its contacts move.

use etalon_lcp::Number;
use etalon_rigid::Vector3;
use rug::Rational;

use crate::exact::{fractions, largest, sparse_dot, sum};
use crate::step::{
    Bodies, Body, Contact, Form, FrictionLaw, Generalised, Joint, KnownImpulse, Quantity, Set, Step,
};

/// A row over the velocities of all bodies.
pub(crate) type Row = Vec<(usize, Rational)>;

/// A step as rows: p = change - sum of J'λ must vanish.
pub(crate) struct Assembly {
    /// M (v1 - v0) - h f.
    pub change: Vec<Rational>,
    /// |M| |v1| + |M| |v0| + h |f|, entry by entry.
    pub scale: Vec<Rational>,
    /// Rows in one unit: the translation and the rotation of each body.
    pub blocks: Vec<Block>,
    pub contacts: Vec<ContactRows>,
    pub joints: Vec<JointRows>,
    /// The largest speed: of centres, at contacts, and what the forces add in a step.
    pub speed: Rational,
}

/// Rows in one unit.
pub(crate) struct Block {
    pub rows: std::ops::Range<usize>,
    pub name: String,
    /// Whether nothing is asked of them.
    pub asleep: bool,
}

/// A contact: the normal row, then friction.
pub(crate) struct ContactRows {
    pub rows: Vec<Row>,
    /// Rows (counted in `rows`) whose impulses are bounded together.
    pub discs: Vec<DiscRows>,
    /// The velocities of the rows before and after the step.
    pub u: [Vec<Rational>; 2],
    /// The impulses of all rows; zero where fewer are given.
    pub impulse: Option<Vec<Rational>>,
    pub known: KnownImpulse,
    pub target: Option<Rational>,
    pub restitution: Rational,
}

/// λ in the disc: |(λ_k / mu_k)| <= λ_n.
pub(crate) struct DiscRows {
    pub rows: Vec<usize>,
    pub mu: Vec<Rational>,
    /// Whether it is sliding friction, not torsion or rolling.
    pub slides: bool,
}

/// A joint.
pub(crate) struct JointRows {
    pub rows: Vec<Row>,
    pub impulse: Option<Vec<Rational>>,
}

impl Assembly {
    /// The rows of a step, with discs of friction by a law; `None` of a generalised step without velocities, which has nothing to balance.
    pub fn of(step: &Step, law: FrictionLaw) -> Option<Self> {
        match &step.form {
            Form::Bodies(bodies) => Some(of_bodies(bodies, &step.h.to_rational(), law)),
            Form::Generalised(own) => of_generalised(own, &step.h.to_rational()),
        }
    }

    /// Whether all impulses are known.
    pub fn is_known(&self) -> bool {
        let contacts = self.contacts.iter();
        let known = |own: &ContactRows| own.impulse.is_some() && own.known == KnownImpulse::All;
        contacts.map(known).all(|known| known)
            && self.joints.iter().all(|own| own.impulse.is_some())
    }

    /// Every row with an impulse.
    pub fn impulses(&self) -> impl Iterator<Item = (&Row, &Rational)> {
        let contacts = self.contacts.iter().map(|own| (&own.rows, &own.impulse));
        let joints = self.joints.iter().map(|own| (&own.rows, &own.impulse));
        contacts
            .chain(joints)
            .filter_map(|(rows, impulse)| Some(rows.iter().zip(impulse.as_ref()?)))
            .flatten()
    }
}

fn of_bodies(own: &Bodies, h: &Rational, law: FrictionLaw) -> Assembly {
    let k = own.velocities();
    let d = own.dimension;
    let n = own.bodies.len() * k;
    let mut assembly = Assembly {
        change: vec![Rational::new(); n],
        scale: vec![Rational::new(); n],
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
    assembly.joints = own.joints.iter().map(joint_rows).collect();
    assembly.speed = speed(own, h, &assembly.contacts);
    assembly
}

/// The mass matrix of a body.
fn mass_rows(body: &Body, d: usize) -> Vec<Row> {
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

/// A vector of the plane or of space, as one of space.
fn embedded(own: &[Rational]) -> Vector3<Rational> {
    Vector3::new(std::array::from_fn(|k| {
        own.get(k).cloned().unwrap_or_default()
    }))
}

fn contact_rows(
    own: &Bodies,
    contact: &Contact,
    law: FrictionLaw,
    v: &[Vec<Rational>; 2],
) -> ContactRows {
    let d = own.dimension;
    let normal = fractions(&contact.normal);
    let tangents: Vec<Vec<Rational>> = match &contact.tangents {
        Some(tangents) => tangents.iter().map(|own| fractions(own)).collect(),
        None => default_tangents(&normal),
    };
    let directions: Vec<_> = std::iter::once(&normal).chain(&tangents).collect();
    let mut rows: Vec<Row> = directions
        .iter()
        .map(|direction| force_row(own, contact, direction))
        .collect();
    let mu = |k: usize| contact.mu[k.min(contact.mu.len() - 1)].to_rational();
    let sliding: Vec<_> = (1..d).collect();
    let mut discs: Vec<DiscRows> = if law.is_by_axis() {
        let disc = |&k: &usize| DiscRows {
            rows: vec![k],
            mu: vec![mu(k - 1)],
            slides: true,
        };
        sliding.iter().map(disc).collect()
    } else {
        let mu = sliding.iter().map(|k| mu(k - 1)).collect();
        vec![DiscRows {
            rows: sliding,
            mu,
            slides: true,
        }]
    };
    let mut torques = |directions: &[&Vec<Rational>], bound: &Option<Number>| {
        let Some(bound) = bound else { return };
        let first = rows.len();
        rows.extend(directions.iter().map(|own_| torque_row(own, contact, own_)));
        let own = (first..rows.len()).collect();
        let mu = vec![bound.to_rational(); rows.len() - first];
        discs.push(DiscRows {
            rows: own,
            mu,
            slides: false,
        });
    };
    torques(&[&normal], &contact.torsion);
    let planar = vec![Rational::new(), Rational::new(), Rational::from(1)];
    let rolling: Vec<_> = if d == 2 {
        vec![&planar]
    } else {
        tangents.iter().collect()
    };
    torques(&rolling, &contact.roll);
    let impulse = contact.impulse.as_ref().map(|given| {
        let mut all = fractions(given);
        all.resize(rows.len(), Rational::new());
        all
    });
    let of = |v: &Vec<Rational>| rows.iter().map(|row| sparse_dot(row, v)).collect();
    let u = [of(&v[0]), of(&v[1])];
    ContactRows {
        discs,
        u,
        known: contact.impulse_known,
        target: contact.target.as_ref().map(Number::to_rational),
        restitution: contact
            .restitution
            .as_ref()
            .map(Number::to_rational)
            .unwrap_or_default(),
        impulse,
        rows,
    }
}

/// A quarter turn in the plane. In space two directions across the normal of binary64 length 1: the rows of a frame
/// that no impulse of the record is given in.
fn default_tangents(normal: &[Rational]) -> Vec<Vec<Rational>> {
    if normal.len() == 2 {
        return vec![vec![-normal[1].clone(), normal[0].clone()]];
    }
    let n: Vec<f64> = normal.iter().map(Rational::to_f64).collect();
    let least = (0..3)
        .min_by(|a, b| n[*a].abs().total_cmp(&n[*b].abs()))
        .unwrap_or(0);
    let across = embedded(normal).cross(&Vector3::axis(least));
    let unit = |own: Vector3<Rational>| -> Vec<Rational> {
        let length = own.norm_squared().to_f64().sqrt();
        let parts = own.coordinates().iter();
        let unit = parts.map(|x| Rational::from_f64(x.to_f64() / length).unwrap_or_default());
        unit.collect()
    };
    let first = unit(across);
    let second = unit(embedded(normal).cross(&embedded(&first)));
    vec![first, second]
}

/// The row of a force along a direction on a, and against it on b, each at its point.
fn force_row(own: &Bodies, contact: &Contact, direction: &[Rational]) -> Row {
    let point_a = contact.point_a.as_ref().unwrap_or(&contact.point);
    let (d, k) = (own.dimension, own.velocities());
    let mut row = Row::new();
    for (body, point, sign) in [
        (contact.bodies[0], point_a, 1),
        (contact.bodies[1], &contact.point, -1),
    ] {
        let Some(body) = body else { continue };
        let com = &own.bodies[body].com;
        let arm: Vec<_> = point
            .iter()
            .zip(com)
            .map(|(point, com)| point.to_rational() - com.to_rational())
            .collect();
        let torque = embedded(&arm).cross(&embedded(direction));
        let torque = torque.coordinates()[if d == 2 { 2..3 } else { 0..3 }].iter();
        let entries = direction.iter().chain(torque).enumerate();
        row.extend(entries.map(|(i, own)| (body * k + i, Rational::from(own * sign))));
    }
    row
}

/// The row of a torque about a direction.
fn torque_row(own: &Bodies, contact: &Contact, direction: &[Rational]) -> Row {
    let (d, k) = (own.dimension, own.velocities());
    let parts = &direction[if d == 2 { 2..3 } else { 0..3 }];
    let mut row = Row::new();
    for (body, sign) in contact.bodies.iter().zip([1, -1]) {
        let Some(body) = body else { continue };
        let entries = parts.iter().enumerate();
        row.extend(entries.map(|(i, own)| (body * k + d + i, Rational::from(own * sign))));
    }
    row
}

fn joint_rows(joint: &Joint) -> JointRows {
    JointRows {
        rows: joint.rows.rows.iter().map(|row| exact_row(row)).collect(),
        impulse: joint.impulse.as_ref().map(|own| fractions(own)),
    }
}

fn exact_row(row: &[(usize, Number)]) -> Row {
    row.iter().map(|(j, own)| (*j, own.to_rational())).collect()
}

/// M (v1 - v0) = h (q + J'f), all rows in the blocks that M couples.
fn of_generalised(own: &Generalised, h: &Rational) -> Option<Assembly> {
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
            Set::Equality(_) | Set::Box(..) => assembly.joints.push(JointRows { rows, impulse }),
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
