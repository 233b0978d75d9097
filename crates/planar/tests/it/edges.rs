//! Single edges that named bodies pass through.

#![allow(clippy::unwrap_used)]

use etalon_planar::{BodySpec, ForceLaw, PassedEdges, Path, World, WorldError, WorldSpec};

/// A ball above a table on a floor. The edges of a rectangle are its bottom, its right side, its top and its left side.
fn over_a_table(edges: &[usize]) -> WorldSpec {
    let mut ball = BodySpec::moving("ball", Path::ball(0.25), 1.0, 0.03).at(0.0, 2.5, 0.0);
    ball.elasticity = 0.0;
    if !edges.is_empty() {
        ball.passes_edges = vec![PassedEdges {
            body: "table".to_owned(),
            edges: edges.to_vec(),
        }];
    }
    let block = BodySpec::moving("block", Path::rectangle(0.4, 0.4), 1.0, 0.03);
    let mut block = block.at(1.2, 2.5, 0.0);
    block.elasticity = 0.0;
    let bodies = vec![
        ball,
        block,
        BodySpec::fixed("table", Path::rectangle(4.0, 1.0)).at(0.0, 1.5, 0.0),
        BodySpec::fixed("floor", Path::rectangle(8.0, 1.0)).at(0.0, -0.5, 0.0),
    ];
    WorldSpec {
        bodies,
        forces: vec![ForceLaw::Gravity { g: 10.0 }],
        ..WorldSpec::default()
    }
}

/// The heights of the ball and of the block in the end, m.
fn falls_to(scene: WorldSpec) -> [f64; 2] {
    let mut world = World::new(scene).unwrap();
    for _ in 0..80 {
        world.step().unwrap();
    }
    [0, 1].map(|k| world.snapshot().bodies[k].position[1])
}

#[test]
fn a_body_falls_through_edges_that_it_passes_and_others_do_not() {
    let near = |own: f64, truth: f64| (own - truth).abs() < 0.011;
    // It rests on the table; with the top and the bottom passed it falls to the floor. The block always stays.
    let [ball, block] = falls_to(over_a_table(&[]));
    assert!(near(ball, 2.255) && near(block, 2.205), "{ball} {block}");
    let [ball, block] = falls_to(over_a_table(&[0, 2]));
    assert!(near(ball, 0.255) && near(block, 2.205), "{ball} {block}");
    // Through the bottom alone it does not even come to the top, and edges stop only from outside.
    let [ball, _] = falls_to(over_a_table(&[0]));
    assert!(near(ball, 2.255), "{ball}");
    let [ball, _] = falls_to(over_a_table(&[2]));
    assert!(near(ball, 0.255), "{ball}");
}

#[test]
fn a_corner_between_a_passed_edge_and_another_still_collides() {
    // A block that comes down on the table's corner from the left and above.
    let ends = |edges: &[usize]| {
        let mut scene = over_a_table(edges);
        scene.bodies[0] = BodySpec {
            passes_edges: scene.bodies[0].passes_edges.clone(),
            elasticity: 0.0,
            ..BodySpec::moving("ball", Path::rectangle(0.5, 0.5), 1.0, 0.04).at(-2.0, 2.5, 0.785)
        };
        falls_to(scene)[0]
    };
    let (stopped, through) = (ends(&[2]), ends(&[2, 3, 0]));
    assert!(through < 0.5, "{through}");
    // The corner of the left side pushes it aside: it comes down beside the table, or leans on it.
    let mut scene = over_a_table(&[2]);
    scene.bodies[0] = BodySpec {
        passes_edges: scene.bodies[0].passes_edges.clone(),
        ..BodySpec::moving("ball", Path::rectangle(0.5, 0.5), 1.0, 0.04).at(-2.1, 2.5, 0.785)
    };
    let mut world = World::new(scene).unwrap();
    for _ in 0..80 {
        world.step().unwrap();
    }
    assert!(world.totals().collisions > 0);
    assert!(world.snapshot().bodies[0].position[0] < -2.2, "{stopped}");
}

#[test]
fn bodies_may_start_inside_edges_that_they_pass() {
    let mut scene = over_a_table(&[0, 1, 2, 3]);
    scene.bodies[0].position[1] = 2.0;
    assert!(World::new(scene.clone()).is_ok());
    scene.bodies[0].passes_edges.clear();
    let error = World::new(scene.clone()).unwrap_err();
    assert!(matches!(error, WorldError::Overlap { .. }), "{error}");
    // Across the top alone, when the top stops it.
    scene.bodies[0].passes_edges = vec![PassedEdges {
        body: "table".to_owned(),
        edges: vec![0, 1, 3],
    }];
    let error = World::new(scene).unwrap_err();
    assert!(matches!(error, WorldError::Overlap { .. }), "{error}");
}

#[test]
fn edges_and_bodies_that_are_not_there_are_refused() {
    let error = World::new(over_a_table(&[4])).unwrap_err();
    assert!(
        matches!(
            error,
            WorldError::NoEdge {
                edge: 4,
                edges: 4,
                ..
            }
        ),
        "{error}"
    );
    let mut scene = over_a_table(&[0]);
    scene.bodies[0].passes_edges[0].body = "chair".to_owned();
    let error = World::new(scene).unwrap_err();
    assert!(matches!(error, WorldError::Unknown { .. }), "{error}");
}

#[test]
fn what_a_body_passes_is_another_body_and_named_once() {
    let told = |change: fn(&mut BodySpec)| {
        let mut scene = over_a_table(&[0]);
        change(&mut scene.bodies[0]);
        World::new(scene).err().map(|error| error.to_string())
    };
    let own = "body \"ball\": `passes_edges` names the body itself; name another body, or leave the entry out";
    assert_eq!(
        told(|ball| ball.passes_edges[0].body = "ball".to_owned()).as_deref(),
        Some(own)
    );
    let whole = told(|ball| ball.passes = vec!["ball".to_owned()]);
    assert_eq!(whole, Some(own.replace("passes_edges", "passes")));
    let twice =
        "body \"ball\": `passes_edges` names edge 0 of \"table\" twice; leave one entry out";
    assert_eq!(
        told(|ball| ball.passes_edges[0].edges = vec![0, 1, 0]).as_deref(),
        Some(twice)
    );
    let body = told(|ball| ball.passes_edges.push(ball.passes_edges[0].clone()));
    assert_eq!(body, Some(twice.replace("edge 0 of ", "")));
    let passed = told(|ball| ball.passes = vec!["floor".to_owned(); 2]);
    let floor = "body \"ball\": `passes` names \"floor\" twice; leave one entry out";
    assert_eq!(passed.as_deref(), Some(floor));
    // The same body in both fields, and the same edge of two bodies, are no repetition.
    let others = told(|ball| {
        ball.passes = vec!["table".to_owned()];
        ball.passes_edges.push(PassedEdges {
            body: "floor".to_owned(),
            edges: vec![0],
        });
    });
    assert_eq!(others, None);
}

/// A block of 1 m and a fixed plate, about the origin, whose top it passes.
fn block_at(height: f64, thickness: f64) -> WorldSpec {
    let mut block = BodySpec::moving("block", Path::rectangle(1.0, 1.0), 1.0, 0.2);
    block.passes_edges = vec![PassedEdges {
        body: "plate".to_owned(),
        edges: vec![2],
    }];
    let plate = BodySpec::fixed("plate", Path::rectangle(6.0, thickness));
    WorldSpec {
        bodies: vec![block.at(0.0, height, 0.0), plate],
        ..WorldSpec::default()
    }
}

/// Whether the last of some places of the block is taken where a motion led to it through those before.
fn is_taken(thickness: f64, places: &[[f64; 2]]) -> bool {
    let mut scene = block_at(places[0][1], thickness);
    scene.bodies[0].position = places[0];
    let world = World::new(scene.clone()).unwrap();
    let plate = [0.0; 3];
    let mut inside = world.inside();
    for &[x, y] in &places[1..] {
        inside = world.inside_after(&inside, &[[x, y, 0.0], plate]);
        scene.bodies[0].position = [x, y];
    }
    assert!(World::new(scene.clone()).is_err());
    World::resumed(scene, &inside).is_ok()
}

#[test]
fn a_body_that_came_in_through_an_edge_leaves_through_any() {
    let [above, within, across] = [[0.0, 1.2], [0.0, 0.2], [0.0, -0.6]];
    let (below, beside) = ([0.0, -1.2], [3.2, 0.2]);
    assert!(is_taken(1.0, &[above, within, across]));
    // It may start within, stay for long, and leave at the side.
    assert!(is_taken(1.0, &[within, across, across, across]));
    assert!(is_taken(1.0, &[within, beside]));
    // From below, and from the side, nothing leads in; nor does it once it was out.
    assert!(!is_taken(1.0, &[below, across]));
    assert!(!is_taken(1.0, &[below, across, across]));
    assert!(!is_taken(1.0, &[[3.8, 0.2], beside]));
    assert!(!is_taken(1.0, &[above, within, across, below, across]));
}

#[test]
fn a_fast_body_comes_in_and_is_across_within_one_step() {
    assert!(is_taken(0.25, &[[0.0, 3.0], [0.0, -0.25]]));
    assert!(!is_taken(0.25, &[[0.0, -3.0], [0.0, -0.25]]));
}

/// The scene of a world whose ball came in through the top of the table, and is over its bottom.
fn over_the_bottom() -> World {
    let mut world = World::new(over_a_table(&[2])).unwrap();
    // It is there within a second.
    for _ in 0..40 {
        if world.across().is_empty() {
            world.step().unwrap();
        }
    }
    world
}

#[test]
fn a_scene_says_who_is_inside_and_goes_on_as_its_world_does() {
    let mut world = over_the_bottom();
    assert_eq!(world.across(), [[0, 2]]);
    let text = serde_json::to_string(&world.scene()).unwrap();
    assert!(text.contains(r#""inside":["table"]"#), "{text}");
    let saved: WorldSpec = serde_json::from_str(&text).unwrap();
    let mut again = World::new(saved.clone()).unwrap();
    for _ in 0..40 {
        assert_eq!(again.scene(), world.scene());
        world.step().unwrap();
        again.step().unwrap();
    }
    assert!(world.across().is_empty());
    // Out of it nothing more is said, and what a scene says of a body that is out counts for nothing.
    let mut out = world.scene();
    assert!(out.bodies[0].inside.is_empty());
    out.bodies[0].inside = vec!["table".to_owned()];
    let came_out = World::new(out).unwrap();
    assert_eq!(came_out.inside(), world.inside());
    // Without the word a start there is refused.
    let mut silent = saved;
    silent.bodies[0].inside.clear();
    let error = World::new(silent).unwrap_err();
    assert!(matches!(error, WorldError::Overlap { .. }), "{error}");
}

#[test]
fn a_body_is_inside_of_one_that_an_edge_lets_it_into() {
    let told = |name: &str| {
        let mut scene = over_the_bottom().scene();
        scene.bodies[0].inside = vec![name.to_owned()];
        World::new(scene).err().map(|error| error.to_string())
    };
    let floor = "body \"ball\": `inside` names \"floor\", and neither passes an edge of the other one (`passes_edges`); leave the entry out";
    assert_eq!(told("floor").as_deref(), Some(floor));
    assert_eq!(told("chair").as_deref(), Some("there is no body \"chair\""));
    assert_eq!(told("table"), None);
}
