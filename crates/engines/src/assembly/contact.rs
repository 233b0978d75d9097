//! The rows of a contact.

use etalon_lcp::Number;
use etalon_rigid::Vector3;
use rug::Rational;

use super::{ContactRows, DiscRows, Row};
use crate::exact::{fractions, sparse_dot};
use crate::step::{Bodies, Body, Contact, FrictionLaw};

/// A vector of the plane or of space, as one of space.
fn embedded(own: &[Rational]) -> Vector3<Rational> {
    Vector3::new(std::array::from_fn(|k| {
        own.get(k).cloned().unwrap_or_default()
    }))
}

pub(super) fn contact_rows(
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
    let mut discs = sliding(contact, law, d);
    add_torques(own, contact, (&normal, &tangents), &mut rows, &mut discs);
    let impulse = contact.impulse.as_ref().map(|given| {
        let mut all = fractions(given);
        // The normal impulse may be given alone, or torsion and rolling, which come last, be left out.
        all.resize(rows.len(), Rational::new());
        all
    });
    let of = |v: &Vec<Rational>| rows.iter().map(|row| sparse_dot(row, v)).collect();
    let u = [of(&v[0]), of(&v[1])];
    ContactRows {
        directions: std::iter::once(normal).chain(tangents).collect(),
        discs,
        pyramids: Vec::new(),
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

/// The discs of sliding friction: one, or one for each axis.
fn sliding(contact: &Contact, law: FrictionLaw, d: usize) -> Vec<DiscRows> {
    let mu = |k: usize| contact.mu[k.min(contact.mu.len() - 1)].to_rational();
    let disc = |rows: Vec<usize>| DiscRows {
        mu: rows.iter().map(|k| mu(k - 1)).collect(),
        rows,
        slides: true,
        opposes: true,
    };
    if law.is_by_axis() {
        (1..d).map(|k| disc(vec![k])).collect()
    } else {
        vec![disc((1..d).collect())]
    }
}

/// Adds the rows and discs of torsion and rolling.
fn add_torques(
    own: &Bodies,
    contact: &Contact,
    (normal, tangents): (&Vec<Rational>, &[Vec<Rational>]),
    rows: &mut Vec<Row>,
    discs: &mut Vec<DiscRows>,
) {
    let mut add = |directions: &[&Vec<Rational>], bound: &Option<Number>| {
        let Some(bound) = bound else { return };
        let first = rows.len();
        let torques = directions.iter();
        rows.extend(torques.map(|direction| torque_row(own, contact, direction)));
        discs.push(DiscRows {
            rows: (first..rows.len()).collect(),
            mu: vec![bound.to_rational(); rows.len() - first],
            slides: false,
            // Engines bound torsion and rolling in laws of their own: the bodies form has no word for them.
            opposes: false,
        });
    };
    add(&[normal], &contact.torsion);
    let across = vec![Rational::new(), Rational::new(), Rational::from(1)];
    let rolling: Vec<_> = if own.dimension == 2 {
        vec![&across]
    } else {
        tangents.iter().collect()
    };
    add(&rolling, &contact.roll);
}

/// A quarter turn in the plane. In space two directions across the normal of binary64 length 1: the rows of a frame
/// that no impulse of the record is given in.
fn default_tangents(normal: &[Rational]) -> Vec<Vec<Rational>> {
    if normal.len() == 2 {
        return vec![vec![-normal[1].clone(), normal[0].clone()]];
    }
    let n: Vec<f64> = normal.iter().map(Rational::to_f64).collect();
    // The axis farthest from the normal: the product with it is far from 0.
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

/// The bodies of a contact, each with the point where it acts on it.
pub(super) fn ends(contact: &Contact) -> impl Iterator<Item = (usize, &[Number])> {
    let point_a = contact.point_a.as_ref().unwrap_or(&contact.point);
    let ends = [
        (contact.bodies[0], point_a),
        (contact.bodies[1], &contact.point),
    ];
    ends.into_iter()
        .filter_map(|(body, point)| Some((body?, &point[..])))
}

/// What cancels in the torque of a unit force along the normal and each tangent: |r_i d_j| + |r_j d_i| less |r_i d_j - r_j d_i|.
pub(super) fn levers(
    contact: &Contact,
    point: &[Number],
    body: &Body,
    d: usize,
) -> Vec<Vec<Rational>> {
    let arm: Vec<_> = (point.iter().zip(&body.com))
        .map(|(point, com)| point.to_rational() - com.to_rational())
        .collect();
    let directions = std::iter::once(&contact.normal).chain(contact.tangents.iter().flatten());
    let planes: &[(usize, usize)] = if d == 2 {
        &[(0, 1)]
    } else {
        &[(1, 2), (2, 0), (0, 1)]
    };
    let of = |direction: &Vec<Number>| {
        let direction = fractions(direction);
        let cancelled = |(i, j): &(usize, usize)| {
            let (one, other) = (
                Rational::from(&arm[*i] * &direction[*j]),
                Rational::from(&arm[*j] * &direction[*i]),
            );
            let left = Rational::from(&one - &other).abs();
            one.abs() + other.abs() - left
        };
        planes.iter().map(cancelled).collect()
    };
    directions.map(of).collect()
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
