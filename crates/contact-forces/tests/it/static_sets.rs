//! Index sets on scenes whose every step was worked out by hand: which side friction engages on,
//! when it gives way, when it holds again, and how many steps that takes.
//!
//! All bodies weigh 1 kg and all contacts pass through all centres of mass, so that nothing turns
//! and each acceleration is a sum of forces. Every scene is also mirrored: friction that engages on
//! the wrong side would do so in one of the two.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
use etalon_certify::solves;
use etalon_contact_forces::*;
use etalon_exact::Budget;
use etalon_rigid::*;

/// A contact: the body that the force pushes along the normal, the one that it pushes back on,
/// the normal, and mu. The last body is the ground. Tangents point to the right, or up.
type Touch = (usize, usize, [i64; 2], Q);

/// What a scene comes to: forces row by row (normals, then tangents), and the steps of both orders,
/// where they were counted by hand.
struct Case {
    name: &'static str,
    loads: Vec<[Q; 2]>,
    contacts: Vec<Touch>,
    forces: Vec<Q>,
    one_at_a_time: u64,
    simultaneous: u64,
}

fn formulation(case: &Case, mirror: i64) -> Formulation<Q> {
    let ground = case.loads.len();
    let name = |i: usize| {
        if i == ground {
            "ground".to_owned()
        } else {
            format!("body {i}")
        }
    };
    let mut scene = Scene2::new(Vector::zero()).body(Body2::fixed("ground"));
    for (i, [x, y]) in case.loads.iter().enumerate() {
        let mut body = Body2::new(name(i), q(1, 1), q(1, 1), Vector::zero());
        body.force = Vector::new([x.clone() * mirror, y.clone()]);
        scene = scene.body(body);
    }
    for (k, (first, second, [x, y], mu)) in case.contacts.iter().enumerate() {
        let tangent = if *x == 0 { [1, 0] } else { [0, 1] };
        let normal = Vector::integers([x * mirror, *y]);
        let (first, second) = (name(*first), name(*second));
        let contact = Contact::new(format!("c{k}"), first, second, Vector::zero(), normal)
            .with_tangents(vec![Vector::integers(tangent)])
            .with_friction(mu.clone());
        scene = scene.contact(contact);
    }
    Formulation::new(scene.system().unwrap(), FrictionModel::Rows).unwrap()
}

/// The forces of the mirrored scene: those along a horizontal tangent change sign.
fn mirrored(case: &Case, mirror: i64) -> Vec<Q> {
    let normals = case.contacts.len();
    let rough = case.contacts.iter().filter(|contact| contact.3 != 0);
    let factor = rough.map(|(_, _, normal, _)| if normal[0] == 0 { mirror } else { 1 });
    let factors = std::iter::repeat_n(1, normals).chain(factor);
    let forces = case.forces.iter().zip(factors);
    forces.map(|(f, factor)| f.clone() * factor).collect()
}

/// Both orders take the path that was worked out, to the forces that it leads to; and these are
/// the only ones there are.
fn check(case: &Case) {
    for mirror in [1, -1] {
        let formulation = formulation(case, mirror);
        let expected = mirrored(case, mirror);
        let problem = formulation.problem("p").unwrap();
        assert!(
            solves(&problem, &expected).unwrap(),
            "{} by hand",
            case.name
        );
        for (order, steps) in [
            (Order::OneAtATime, case.one_at_a_time),
            (Order::Simultaneous, case.simultaneous),
        ] {
            let what = format!("{}, {order:?}, mirror {mirror}", case.name);
            let run = formulation.static_friction(order).unwrap();
            let (f, _) = run.outcome.unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(f, expected, "{what}");
            let work = Work {
                steps,
                degenerate: 0,
                away: 0,
            };
            assert_eq!(run.work, work, "{what}");
        }
        match formulation.consistency(&Budget::default()).unwrap() {
            Consistency::Unique(_) => {}
            other => panic!("{}: {other:?}", case.name),
        }
    }
}

const UP: [i64; 2] = [0, 1];
const RIGHT: [i64; 2] = [1, 0];

/// Body 0 on the ground and against a wall at its left, body 1 at its right, not touched at
/// first: f_0 = 4 stops the fall; the wall's force rises to 2, at which the bodies touch; then it
/// pushes both, rising to 4 with 1 between them, whose friction opposes body 1 that moves up or
/// down.
fn wall(up: Q, forces: [Q; 4], one_at_a_time: u64, simultaneous: u64) -> Case {
    Case {
        name: "wall",
        loads: vec![[q(-3, 1), q(-4, 1)], [q(-1, 1), up]],
        contacts: vec![
            (0, 2, UP, q(0, 1)),
            (1, 0, RIGHT, q(1, 2)),
            (0, 2, RIGHT, q(0, 1)),
        ],
        forces: forces.to_vec(),
        one_at_a_time,
        simultaneous,
    }
}

#[test]
fn a_contact_that_closes_engages_its_friction_against_the_slip() {
    // Up with 2 m/s^2: friction -1/2 on body 1, which carries as much of body 0.
    check(&wall(q(2, 1), [q(7, 2), q(1, 1), q(4, 1), q(-1, 2)], 3, 2));
    check(&wall(q(-2, 1), [q(9, 2), q(1, 1), q(4, 1), q(1, 2)], 3, 2));
}

#[test]
fn friction_at_its_limit_holds_as_soon_as_it_suffices() {
    // With 1/4 m/s^2 the limit suffices at a normal force of 1/2: one step more.
    check(&wall(q(1, 4), [q(15, 4), q(1, 1), q(4, 1), q(-1, 4)], 4, 1));
    check(&wall(q(-1, 4), [q(17, 4), q(1, 1), q(4, 1), q(1, 4)], 4, 1));
}

/// A body on rough ground that another one, below it, lifts by `lift` m/s^2.
fn lifted(lift: i64, forces: [Q; 3], one_at_a_time: u64, simultaneous: u64) -> Case {
    Case {
        name: "lifted",
        loads: vec![[q(1, 1), q(-4, 1)], [q(0, 1), q(lift, 1)]],
        contacts: vec![(0, 2, UP, q(1, 2)), (0, 1, UP, q(0, 1))],
        forces: forces.to_vec(),
        one_at_a_time,
        simultaneous,
    }
}

#[test]
fn friction_gives_way_where_its_normal_force_falls() {
    // Held by -1 until f_1 = 2 leaves it a limit of 1; then it follows the limit, to 1/2.
    check(&lifted(3, [q(1, 1), q(3, 1), q(-1, 2)], 4, 2));
}

#[test]
fn a_contact_that_opens_takes_its_friction_along() {
    // At f_1 = 4 the ground is left, and both bodies rise with 1/2 m/s^2.
    check(&lifted(5, [q(0, 1), q(9, 2), q(0, 1)], 5, 2));
}

#[test]
fn friction_of_a_contact_that_has_opened_stays_gone_when_the_slip_turns_round() {
    // As before, and then a third body comes from the right: with f_2 = 1 the lifted one no longer
    // accelerates to the right, with 2 both do so to the left.
    check(&Case {
        name: "lifted and pushed back",
        loads: vec![[q(1, 1), q(-4, 1)], [q(0, 1), q(5, 1)], [q(-3, 1), q(0, 1)]],
        contacts: vec![
            (0, 3, UP, q(1, 2)),
            (0, 1, UP, q(0, 1)),
            (2, 0, RIGHT, q(0, 1)),
        ],
        forces: vec![q(0, 1), q(9, 2), q(2, 1), q(0, 1)],
        one_at_a_time: 6,
        simultaneous: 2,
    });
}

#[test]
fn friction_at_its_limit_holds_when_another_body_presses() {
    // 3 m/s^2 to the right, of which -2 are friction until the body on top has pressed by 2 N.
    check(&Case {
        name: "pressed",
        loads: vec![[q(3, 1), q(-4, 1)], [q(0, 1), q(-6, 1)]],
        contacts: vec![(0, 2, UP, q(1, 2)), (1, 0, UP, q(0, 1))],
        forces: vec![q(10, 1), q(6, 1), q(-3, 1)],
        one_at_a_time: 4,
        simultaneous: 1,
    });
}

#[test]
fn friction_at_rest_gives_way_on_the_side_that_it_is_pushed_to() {
    // Nothing pulls at first. Another body pushes from the left, with 5/2 N at the end.
    check(&Case {
        name: "pushed",
        loads: vec![[q(0, 1), q(-4, 1)], [q(3, 1), q(0, 1)]],
        contacts: vec![(0, 2, UP, q(1, 2)), (0, 1, RIGHT, q(0, 1))],
        forces: vec![q(4, 1), q(5, 2), q(-2, 1)],
        one_at_a_time: 3,
        simultaneous: 2,
    });
}

#[test]
fn all_at_once_friction_holds_again_when_a_contact_opens() {
    // A body on top that flies off, so that first it pulls: f = (2, -2), friction at its limit 1.
    // It opens, the limit is 2, friction overshoots by 1/2, and holds.
    check(&Case {
        name: "flies off",
        loads: vec![[q(3, 2), q(-4, 1)], [q(0, 1), q(2, 1)]],
        contacts: vec![(0, 2, UP, q(1, 2)), (1, 0, UP, q(0, 1))],
        forces: vec![q(4, 1), q(0, 1), q(-3, 2)],
        one_at_a_time: 2,
        simultaneous: 3,
    });
}
