//! How worlds may start: what touches rests, what overlaps is refused.

#![allow(clippy::unwrap_used)]

use etalon_planar::{BodySpec, Connector, ForceLaw, Path, PathEdge, World, WorldError, WorldSpec};

/// A body over a floor whose surface is y = 0.
fn over_the_floor(body: BodySpec) -> WorldSpec {
    let floor = BodySpec::fixed("floor", Path::rectangle(8.0, 1.0)).at(0.0, -0.5, 0.0);
    WorldSpec {
        bodies: vec![floor, body],
        forces: vec![ForceLaw::Gravity { g: 10.0 }],
        ..WorldSpec::default()
    }
}

fn block(y: f64) -> BodySpec {
    BodySpec::moving("block", Path::rectangle(1.0, 0.5), 1.0, 0.1).at(0.0, y, 0.0)
}

fn ball(y: f64) -> BodySpec {
    BodySpec::moving("ball", Path::ball(0.5), 1.0, 0.125).at(0.0, y, 0.0)
}

/// 1 m of rope from a hook to the ball.
fn rope() -> Connector {
    Connector::Rope {
        body: "hook".to_owned(),
        at: [0.0; 2],
        other: "ball".to_owned(),
        other_at: [0.0; 2],
        length: 1.0,
        rod: false,
    }
}

#[test]
fn bodies_set_down_on_the_floor_rest_there() {
    for off in [0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9] {
        for body in [
            block(0.25 + off),
            ball(0.5 + off),
            ball(0.5 + off).with_elasticity(0.0),
        ] {
            let start = body.position[1];
            let mut world = World::new(over_the_floor(body)).unwrap();
            for _ in 0..80 {
                world.step().unwrap();
            }
            let now = world.snapshot();
            assert!(
                (now.bodies[1].position[1] - start).abs() < 0.01,
                "{off}: {now:?}"
            );
            let carried: f64 = now.contacts.iter().map(|contact| contact.force).sum();
            assert!((carried - 10.0).abs() < 1e-6, "{off}: {carried}");
        }
    }
}

/// What opens the gap to half the tolerance must not throw the body up, however short the step is: with steps of 0.1 ms it
/// once flew two metres high.
#[test]
fn bodies_set_down_do_not_jump() {
    for time_step in [0.025, 0.005, 0.001, 1e-4] {
        for contact_forces in [true, false] {
            let mut scene = over_the_floor(block(0.25).with_elasticity(0.0));
            scene.settings.time_step = time_step;
            scene.settings.contact_forces = contact_forces;
            let half_gap = scene.settings.distance_tolerance / 2.0;
            let mut world = World::new(scene).unwrap();
            while world.time() < 0.5 {
                world.step().unwrap();
                let height = world.snapshot().bodies[1].position[1] - 0.25;
                assert!(height < 1.2 * half_gap, "{time_step}: {height}");
            }
            let height = world.gaps()[0].distance;
            assert!((height - half_gap).abs() < 1e-6, "{time_step}: {height}");
        }
    }
}

#[test]
fn blocks_and_balls_that_touch_from_the_start_rest_on_each_other() {
    let mut scene = over_the_floor(block(0.25));
    let second = BodySpec::moving("second", Path::rectangle(0.5, 0.5), 1.0, 0.1);
    scene.bodies.push(second.at(0.125, 0.75, 0.0));
    let mut world = World::new(scene).unwrap();
    for _ in 0..80 {
        world.step().unwrap();
    }
    let now = world.snapshot();
    let on_floor = now
        .contacts
        .iter()
        .filter(|contact| contact.second == 0 || contact.first == 0);
    let carried: f64 = on_floor.map(|contact| contact.force).sum();
    assert!((carried - 20.0).abs() < 1e-6, "{now:?}");
}

#[test]
fn what_overlaps_is_refused_and_says_who_and_how_deep() {
    for (body, deep) in [(block(0.249), 0.001), (ball(0.4), 0.1), (block(-0.4), 0.35)] {
        let name = body.name.clone();
        let error = World::new(over_the_floor(body)).unwrap_err();
        let WorldError::Overlap {
            first,
            second,
            depth,
        } = &error
        else {
            unreachable!("{error}");
        };
        assert_eq!((&**first, second), ("floor", &name));
        assert!((depth - deep).abs() < 0.2 * deep, "{error}");
    }
    // It passes the floor, so it may.
    let mut passing = block(0.0);
    passing.passes = vec!["floor".to_owned()];
    assert!(World::new(over_the_floor(passing)).is_ok());
}

#[test]
fn a_body_in_the_notch_or_the_hole_of_another_does_not_overlap() {
    let cup = Path::polygon(&[
        [-2.0, 0.0],
        [2.0, 0.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 2.0],
        [-2.0, 2.0],
    ]);
    let mut room = Path::polygon(&[[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]]);
    // A hole goes round the other way.
    let hole = Path::polygon(&[[-2.0, -2.0], [-2.0, 2.0], [2.0, 2.0], [2.0, -2.0]]);
    room.edges.extend(hole.edges);
    for (path, y, inside) in [
        (cup.clone(), 1.5, true),
        (cup, 0.8, false),
        (room.clone(), 0.0, true),
        (room, 1.8, false),
    ] {
        let bodies = vec![BodySpec::fixed("outer", path), ball(y)];
        let world = World::new(WorldSpec {
            bodies,
            ..WorldSpec::default()
        });
        assert_eq!(world.is_ok(), inside, "{y}: {:?}", world.err());
    }
}

#[test]
fn a_rope_may_be_taut_from_the_start_and_no_longer() {
    let world = |y: f64| {
        World::new(WorldSpec {
            bodies: vec![BodySpec::fixed("hook", Path::default()), ball(y)],
            connectors: vec![rope()],
            forces: vec![ForceLaw::Gravity { g: 10.0 }],
            ..WorldSpec::default()
        })
    };
    for y in [-1.0, -1.0 + 1e-13, -1.0 - 1e-13] {
        let mut world = world(y).unwrap();
        for _ in 0..80 {
            world.step().unwrap();
        }
        assert!((world.snapshot().contacts[0].force - 10.0).abs() < 1e-6);
    }
    let error = world(-1.125).unwrap_err();
    assert!(
        matches!(error, WorldError::Overstretched { beyond, .. } if (beyond - 0.125).abs() < 1e-12),
        "{error}"
    );
}

/// Bodies that touch, or hang on a taut rope, and part or meet at once.
#[test]
fn what_touches_from_the_start_may_move() {
    for contact_forces in [true, false] {
        for speed in [-3.0, 3.0] {
            let settings = etalon_planar::Settings {
                contact_forces,
                ..Default::default()
            };
            let hanging = WorldSpec {
                bodies: vec![
                    BodySpec::fixed("hook", Path::default()),
                    ball(-1.0 - 1e-13).with_velocity(0.0, speed, 0.0),
                ],
                connectors: vec![rope()],
                settings,
                ..WorldSpec::default()
            };
            let standing = WorldSpec {
                settings,
                ..over_the_floor(ball(0.5 - 1e-13).with_velocity(0.0, speed, 0.0))
            };
            for scene in [hanging, standing] {
                let mut world = World::new(scene).unwrap();
                for _ in 0..4 {
                    world.step().unwrap();
                }
                // The elasticity is 1: either way it goes the way that is open.
                let ball = world.snapshot().bodies[1].clone();
                assert!(ball.velocity[1] > 0.0, "{speed}: {ball:?}");
            }
        }
    }
}

/// Bars and balls that cross have no corner in each other.
#[test]
fn what_crosses_without_a_corner_inside_is_refused() {
    let bar = |name: &str, angle: f64| {
        BodySpec::moving(name, Path::rectangle(4.0, 0.02), 1.0, 1.0).at(0.0, 0.0, angle)
    };
    let scene = |bodies: Vec<BodySpec>| WorldSpec {
        bodies,
        ..WorldSpec::default()
    };
    for angle in [0.1, 1.0, std::f64::consts::FRAC_PI_2] {
        let error = World::new(scene(vec![bar("one", 0.0), bar("other", angle)])).unwrap_err();
        assert!(
            matches!(&error, WorldError::Overlap { depth, .. } if *depth > 0.01),
            "{error}"
        );
    }
    let through = ball(0.0).at(0.3, 0.1, 0.0);
    let error = World::new(scene(vec![bar("one", 0.7), through.clone()])).unwrap_err();
    assert!(
        matches!(error, WorldError::Overlap { depth, .. } if depth > 0.2),
        "{error}"
    );
    // Beside each other, end to end, and touching.
    let beside = [[0.0, 0.02], [4.0, 0.0], [4.0, 0.02], [0.0, 0.5]];
    for [x, y] in beside {
        let other = bar("other", 0.0).at(x, y, 0.0);
        assert!(
            World::new(scene(vec![bar("one", 0.0), other])).is_ok(),
            "{x}, {y}"
        );
    }
    assert!(World::new(scene(vec![bar("one", 0.0), through.at(0.3, 0.51, 0.0)])).is_ok());
}

#[test]
fn a_dome_lies_on_its_flat_side_and_balls_and_squares_do_not_lie_in_each_other() {
    let dome = Path {
        edges: vec![
            PathEdge::Line {
                from: [-1.0, 0.0],
                to: [1.0, 0.0],
            },
            PathEdge::Arc {
                from: [1.0, 0.0],
                to: [-1.0, 0.0],
                center: [0.0; 2],
                clockwise: false,
                outside_is_out: true,
            },
        ],
    };
    let dome = BodySpec::moving("dome", dome, 1.0, 0.3);
    assert!(World::new(over_the_floor(dome.clone())).is_ok());
    assert!(World::new(over_the_floor(dome.at(0.0, -0.001, 0.0))).is_err());
    let round = |name: &str| BodySpec::moving(name, Path::ball(0.5), 1.0, 0.125);
    let square =
        |x: f64| BodySpec::moving("square", Path::rectangle(1.0, 1.0), 1.0, 0.1).at(x, 0.0, 0.0);
    let two = |one: BodySpec, other: BodySpec| {
        World::new(WorldSpec {
            bodies: vec![one, other],
            ..WorldSpec::default()
        })
    };
    for k in 0..40 {
        let angle = f64::from(k) * 0.157;
        let way = |far: f64| [far * angle.cos(), far * angle.sin()];
        let [x, y] = way(1.0 - 1e-4);
        assert!(
            two(round("one"), round("other").at(x, y, 0.0)).is_err(),
            "{k}"
        );
        let [x, y] = way(1.0);
        assert!(
            two(round("one"), round("other").at(x, y, 0.0)).is_ok(),
            "{k}"
        );
    }
    assert!(two(round("one"), round("other")).is_err());
    // Sides on one line.
    let beside = |x: f64| {
        let mut other = square(x);
        other.name = "other".to_owned();
        two(square(0.0), other)
    };
    assert!(beside(0.0).is_err() && beside(0.5).is_err() && beside(0.999).is_err());
    assert!(beside(1.0).is_ok() && beside(1.5).is_ok());
}

/// Boxes of one width on each other, corner on corner, on a slope (gravity is turned): the nearest point of a corner to a
/// corner has no direction, and once they slipped through each other.
#[test]
fn aligned_boxes_set_down_on_each_other_do_not_slip_through() {
    for contact_forces in [true, false] {
        for k in 0..24 {
            let angle = 0.02 + 0.025 * f64::from(k);
            let (sin, cos) = angle.sin_cos();
            let floor = BodySpec::fixed("floor", Path::rectangle(80.0, 1.0));
            let mut bodies = vec![floor.at(0.5 * sin, -0.5 * cos, angle)];
            for k in 0..3 {
                let high = 0.25 + 0.5 * f64::from(k);
                let name = format!("box{k}");
                let body = BodySpec::moving(name, Path::rectangle(1.0, 0.5), 1.0, 0.1);
                bodies.push(body.at(-high * sin, high * cos, angle).with_elasticity(0.0));
            }
            let mut scene = WorldSpec {
                bodies,
                forces: vec![ForceLaw::Gravity { g: 9.81 }],
                ..WorldSpec::default()
            };
            scene.settings.contact_forces = contact_forces;
            let mut world = World::new(scene).unwrap();
            for _ in 0..60 {
                world.step().unwrap();
            }
            let bodies = world.snapshot().bodies;
            for (k, body) in bodies.iter().enumerate().skip(1) {
                let at = body.position;
                let high = cos * at[1] - sin * at[0];
                let wanted = 0.25 + 0.5 * (k - 1) as f64 + 0.005 * k as f64;
                assert!((high - wanted).abs() < 4e-3, "{angle} {k}: {high} {wanted}");
            }
        }
    }
}

/// Time must go on, or the step end with an error.
#[test]
fn huge_numbers_end() {
    for velocity in [1e20, 1e150, 1e300, -1e300] {
        let thrown = block(2.0).with_velocity(velocity, velocity, 0.0);
        let mut world = World::new(over_the_floor(thrown)).unwrap();
        let _ = world.step();
    }
    for g in [1e20, 1e150, -1e300] {
        for contact_forces in [true, false] {
            let mut scene = over_the_floor(block(0.25));
            scene.forces = vec![ForceLaw::Gravity { g }];
            scene.settings.contact_forces = contact_forces;
            let mut world = World::new(scene).unwrap();
            let _ = (0..20).try_for_each(|_| world.step());
        }
    }
    let mut scene = over_the_floor(block(0.25));
    scene.settings.velocity_tolerance = 1e-300;
    let mut world = World::new(scene).unwrap();
    let _ = (0..20).try_for_each(|_| world.step());
}
