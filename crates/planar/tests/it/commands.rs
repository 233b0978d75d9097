//! What may be done to a world from outside, and what may be seen of it.

#![allow(clippy::unwrap_used)]

use etalon_lcp::record::{read_problem, write_problem};
use etalon_planar::{
    CommandError, Connector, Keep, Path, Snapshot, Thrust, Watch, World, WorldError, WorldSpec,
    index_sets, named,
};

fn block() -> World {
    let block =
        etalon_planar::BodySpec::moving("block", Path::rectangle(1.0, 3.0), 1.0, 10.0 / 12.0);
    let bodies = vec![block];
    World::new(WorldSpec {
        bodies,
        ..WorldSpec::default()
    })
    .unwrap()
}

#[test]
fn a_hand_pulls_until_it_lets_go() {
    let mut world = block();
    world.pull(0, [0.0, 0.0], [1.0, 0.0], 3.0).unwrap();
    let energy = world.energy().total();
    for _ in 0..20 {
        world.step().unwrap();
    }
    assert!((world.energy().total() - energy).abs() < 1e-6);
    world.release();
    let before = world.snapshot().bodies[0].velocity;
    assert!(before[0] > 0.1);
    world.step().unwrap();
    assert_eq!(world.snapshot().bodies[0].velocity, before);
}

#[test]
fn a_thruster_off_the_centre_turns_a_block() {
    let mut world = block();
    let thrust = Thrust {
        body: 0,
        at: [0.0, 1.2],
        force: [1.5, 0.0],
    };
    world.thrust(&[thrust]).unwrap();
    world.step().unwrap();
    let spin = world.snapshot().bodies[0].angular_velocity;
    assert!(
        (spin + 0.025 * 1.2 * 1.5 / (10.0 / 12.0)).abs() < 1e-4,
        "{spin}"
    );
    world.thrust(&[]).unwrap();
    world.step().unwrap();
    assert_eq!(world.snapshot().bodies[0].angular_velocity, spin);
}

#[test]
fn commands_to_bodies_that_cannot_move_are_refused() {
    let mut world = World::new(named::blocks(1)).unwrap();
    let refused = world.pull(0, [0.0, 0.0], [1.0, 0.0], 3.0);
    assert_eq!(refused, Err(CommandError::NoBody { body: 0 }));
    assert!(world.pull(99, [0.0, 0.0], [1.0, 0.0], 3.0).is_err());
    assert!(world.pull(4, [f64::NAN, 0.0], [1.0, 0.0], 3.0).is_err());
    assert!(world.set_elasticity(2.0).is_err());
    assert_eq!(world.nearest([-3.0, 0.0]).unwrap().0, 4);
}

#[test]
fn a_saved_world_goes_on_as_the_first_would() {
    let mut first = World::new(named::blocks(6)).unwrap();
    for _ in 0..80 {
        first.step().unwrap();
    }
    let saved = serde_json::to_string(&first.scene()).unwrap();
    let mut second = World::new(serde_json::from_str(&saved).unwrap()).unwrap();
    for _ in 0..40 {
        first.step().unwrap();
        second.step().unwrap();
    }
    let (one, other) = (first.snapshot(), second.snapshot());
    assert_eq!((&one.bodies, one.time), (&other.bodies, other.time));
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), one);
}

#[test]
fn records_of_a_run_read_back_and_their_index_sets_end_at_the_answer() {
    let mut world = World::new(named::pile(1)).unwrap();
    let mut watch = Watch::new(Keep::All);
    world.step_with(&mut watch).unwrap();
    let records = watch.take_records();
    assert_eq!(records.len(), 4);
    for record in &records {
        let read = read_problem(&write_problem(&record.problem))
            .unwrap()
            .record;
        assert_eq!(read, record.problem);
        assert!(record.verdict.kind.is_accepted(false));
        let sets = index_sets(&record.problem, &etalon_exact::Budget::default());
        assert_eq!(sets.last().unwrap().clamped, [0, 1]);
        assert_eq!(record.clamped, [true, true]);
    }
    assert_eq!(watch.verdicts().judged, 4);
}

#[test]
fn connectors_that_hold_nothing_are_refused() {
    let rope = |body: &str, other: &str| Connector::Rope {
        body: body.to_owned(),
        at: [0.0; 2],
        other: other.to_owned(),
        other_at: [0.1, 0.0],
        length: 9.0,
        rod: false,
    };
    for (body, other) in [("block1", "block1"), ("floor", "ceiling")] {
        let mut scene = named::stack(2);
        scene.connectors.push(rope(body, other));
        let error = World::new(scene).unwrap_err();
        let (body, other) = (body.to_owned(), other.to_owned());
        assert_eq!(error, WorldError::HoldsNothing { body, other });
    }
    let mut scene = named::stack(2);
    scene.connectors.push(rope("block1", "nobody"));
    let error = World::new(scene).unwrap_err().to_string();
    assert_eq!(error, "there is no body \"nobody\"");
}

#[test]
fn friction_is_a_number_from_0_to_a_million() {
    let mut world = World::new(named::stack(1)).unwrap();
    for wrong in [-0.1, f64::NAN, f64::INFINITY, 1e308] {
        let error = world.set_friction(wrong).unwrap_err();
        assert!(error.to_string().starts_with("the friction is "), "{error}");
        let mut scene = named::stack(1);
        scene.bodies[4].friction = wrong;
        let error = World::new(scene).unwrap_err().to_string();
        assert!(error.starts_with("the friction of block1 is "), "{error}");
    }
    world.set_friction(0.5).unwrap();
    assert!(world.scene().bodies.iter().all(|body| body.friction == 0.5));
}
