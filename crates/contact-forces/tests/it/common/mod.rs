//! Random scenes that the tests share.

use etalon_contact_forces::*;
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

/// That what is said of an impulse is so, for scenes without joints: both steps together make the
/// new velocity, the contacts named are those that slid and do not any more, and those outside of
/// their cones; and a multiple of a ray stops a contact that the ray presses on.
pub fn check_resolution(system: &System<Q>, found: &Resolution<Q>) {
    let ImpulseReport {
        stopped,
        total,
        outside_cone,
        still_approaching,
        kinetic_energy: [t0, t1, t2],
        relative_work,
        ..
    } = &found.report;
    let rows = system.contacts.iter().zip(total).flat_map(|(contact, p)| {
        let rows = [&contact.normal].into_iter().chain(&contact.tangents);
        rows.map(|constraint| &constraint.row).zip(p)
    });
    assert_eq!(system.velocity_after(rows), found.stop.velocity);
    let slides = |i: usize, velocity: &[Q]| {
        let tangential = system.contacts[i].tangential_velocity(velocity);
        tangential.iter().any(|v| *v != 0)
    };
    let middle = found.impulse.velocity();
    let stops = |i: &usize| slides(*i, &system.velocity) && !slides(*i, middle);
    let mut own: Vec<_> = (0..system.contacts.len()).filter(stops).collect();
    // Contacts that part, and those without friction, do not slide in the sense of the laws.
    own.retain(|&i| {
        let contact = &system.contacts[i];
        contact.normal.velocity(&system.velocity) == 0 && contact.mu != 0
    });
    assert_eq!(*stopped, own);
    assert!(!stopped.is_empty() && still_approaching.is_empty());
    assert!(t1 <= t0 && t2 <= t1);
    // Obstacles that move do the rest of the work; where none moves there is none.
    assert!(relative_work.iter().all(|work| *work <= 0));
    let fits = |i: &usize| {
        let p = &total[*i];
        in_circular_cone(&p[0], &p[1..], &system.contacts[*i].mu_squared())
    };
    let outside: Vec<_> = (0..total.len()).filter(|i| !fits(i)).collect();
    assert_eq!(*outside_cone, outside);
    if let StoppingImpulse::Ray { .. } = found.impulse {
        // What stops was pressed: friction stopped it, not chance.
        let second = &found.stop.contacts;
        let pressed = |i: &usize| total[*i][0] != second[*i][0];
        assert!(stopped.iter().any(pressed), "{found:?}");
    }
}
