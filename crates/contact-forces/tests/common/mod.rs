//! Random scenes that the tests share.
#![allow(dead_code)]

use etalon_rigid::*;
use proptest::prelude::*;
use rug::Rational;

pub type Q = Rational;

pub fn q(n: i64, d: i64) -> Q {
    Q::from((n, d))
}

pub fn small() -> impl Strategy<Value = Q> {
    (-6_i64..=6, 1_i64..=3).prop_map(|(n, d)| q(n, d))
}

pub fn positive() -> impl Strategy<Value = Q> {
    (1_i64..=8, 1_i64..=3).prop_map(|(n, d)| q(n, d))
}

fn vector() -> impl Strategy<Value = Vector2<Q>> {
    (small(), small()).prop_map(|(x, y)| Vector::new([x, y]))
}

/// A random scene of the plane as data, so that it can be turned, scaled and set in motion.
#[derive(Debug, Clone)]
pub struct Draft {
    pub bodies: Vec<(Q, Q, Vector2<Q>)>,
    /// First body, second body (one past the last is the ground), point, half-angle of the
    /// normal, mu.
    pub contacts: Vec<(usize, usize, Vector2<Q>, Q, Q)>,
    pub load: Vec<(Vector2<Q>, Q)>,
}

/// Up to `bodies` bodies with up to `contacts` contacts, at rest, with gravity and other loads.
pub fn draft(bodies: usize, contacts: usize) -> impl Strategy<Value = Draft> {
    let body = (positive(), positive(), vector());
    let mu = prop_oneof![Just(q(0, 1)), (1_i64..=6).prop_map(|n| q(n, 4))];
    let contact = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        vector(),
        small(),
        mu,
    );
    let loads = prop::collection::vec((vector(), small()), bodies);
    (
        prop::collection::vec(body, 1..=bodies),
        prop::collection::vec(contact, 1..=contacts),
        loads,
    )
        .prop_map(|(bodies, contacts, load)| {
            let n = bodies.len();
            let contacts = contacts.into_iter().map(|(a, b, point, half, mu)| {
                let first = a.index(n);
                let second = (first + 1 + b.index(n)) % (n + 1);
                (first, second, point, half, mu)
            });
            Draft {
                contacts: contacts.collect(),
                bodies,
                load,
            }
        })
}

impl Draft {
    pub fn scene(&self) -> Scene2<Q> {
        self.turned(&Rotation2::identity())
    }

    /// The scene with the whole world turned.
    pub fn turned(&self, turn: &Rotation2<Q>) -> Scene2<Q> {
        let n = self.bodies.len();
        let name = |i: usize| {
            if i == n {
                "ground".to_owned()
            } else {
                format!("body {i}")
            }
        };
        let mut scene =
            Scene2::new(turn.apply(&Vector::integers([0, -10]))).body(Body2::fixed("ground"));
        for (i, (mass, inertia, position)) in self.bodies.iter().enumerate() {
            let mut body = Body2::new(name(i), mass.clone(), inertia.clone(), turn.apply(position));
            if let Some((force, torque)) = self.load.get(i) {
                (body.force, body.torque) = (turn.apply(force), torque.clone());
            }
            scene = scene.body(body);
        }
        for (k, (first, second, point, half, mu)) in self.contacts.iter().enumerate() {
            let normal = Rotation2::from_half_angle(half).apply(&Vector::axis(1));
            let tangent = -&normal.quarter_turn();
            let contact = Contact::new(
                format!("contact {k}"),
                name(*first),
                name(*second),
                turn.apply(point),
                turn.apply(&normal),
            )
            .with_tangents(vec![turn.apply(&tangent)])
            .with_friction(mu.clone());
            scene = scene.contact(contact);
        }
        scene
    }
}
