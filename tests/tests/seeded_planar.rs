//! Faults in a copy of our own planar engine, each caught by name: by closed forms and by the accounts of energy and momentum. The
//! sound copy is at fault nowhere.

#![allow(
    dead_code,
    missing_docs,
    unused_braces,
    unused_imports,
    unused_parens,
    unused_variables,
    clippy::all,
    reason = "a copy, of which this uses a part, with switches in the midst of expressions"
)]

// The copy that build.rs made.
include!(concat!(env!("OUT_DIR"), "/planar/lib.rs"));

mod seeded {
    include!("../seeded/bugs.rs");
    include!("../seeded/planar.rs");
}

include!("../seeded/frame.rs");

use seeded::PLANAR_BUGS;

type Found = Result<(), String>;

/// A law that is not kept to the given part of a size.
fn near(what: &str, own: f64, truth: f64, within: f64) -> Found {
    let off = (own - truth).abs();
    if off <= within {
        return Ok(());
    }
    Err(format!("{what}: {own:e}, and the truth is {truth:e}"))
}

fn world(bodies: Vec<BodySpec>, connectors: Vec<Connector>, forces: Vec<ForceLaw>) -> World {
    let scene = WorldSpec {
        bodies,
        connectors,
        forces,
        ..WorldSpec::default()
    };
    World::new(scene).unwrap()
}

fn run(world: &mut World, steps: usize) -> Found {
    for _ in 0..steps {
        world
            .step()
            .map_err(|error| format!("the world stops: {error}"))?;
    }
    Ok(())
}

/// What is left of the energy when every account is taken out, J.
fn left(world: &World, start: f64) -> f64 {
    let (energy, own) = (world.energy(), world.accounts());
    let lost = energy.lost_in_collisions + own.damping + own.friction + own.contacts;
    start + own.pushes - lost - energy.total()
}

fn disc(name: &str, x: f64, y: f64) -> BodySpec {
    BodySpec::moving(name, Path::ball(0.5), 1.0, 0.125).at(x, y, 0.0)
}

fn floor() -> BodySpec {
    BodySpec::fixed("floor", Path::rectangle(40.0, 1.0)).at(0.0, -0.5, 0.0)
}

fn gravity() -> ForceLaw {
    ForceLaw::Gravity { g: 10.0 }
}

fn a_thrown_body_follows_its_parabola() -> Found {
    let body = disc("ball", 0.0, 5.0).with_velocity(1.0, 2.0, 3.0);
    let mut own = world(vec![body], vec![], vec![gravity()]);
    let start = own.energy().total();
    run(&mut own, 40)?;
    let body = own.snapshot().bodies[0].clone();
    near("height, m", body.position[1], 5.0 + 2.0 - 5.0, 1e-9)?;
    near("velocity, m/s", body.velocity[1], 2.0 - 10.0, 1e-9)?;
    near(
        "energy of free flight, J",
        own.energy().total(),
        start,
        1e-9,
    )
}

fn a_spring_keeps_energy_and_momentum() -> Found {
    let bodies = vec![
        disc("one", 0.0, 0.0),
        disc("other", 3.0, 0.0).with_velocity(0.0, 0.7, 0.0),
    ];
    let spring = ForceLaw::Spring {
        body: "one".to_owned(),
        at: [0.0, 0.0],
        other: "other".to_owned(),
        other_at: [0.0, 0.2],
        length: 2.5,
        stiffness: 3.0,
        damping: 0.0,
        compress_only: false,
    };
    let mut own = world(bodies, vec![], vec![spring]);
    let start = own.energy().total();
    run(&mut own, 40)?;
    let bodies = own.snapshot().bodies;
    near(
        "momentum along y, N s",
        bodies[0].velocity[1] + bodies[1].velocity[1],
        0.7,
        1e-9,
    )?;
    near("energy with a spring, J", own.energy().total(), start, 1e-5)
}

fn damping_takes_what_it_says() -> Found {
    let body = disc("ball", 0.0, 0.0).with_velocity(2.0, 0.0, 3.0);
    let damping = ForceLaw::Damping {
        damping: 0.5,
        rotate_ratio: 0.1,
    };
    let mut own = world(vec![body], vec![], vec![damping]);
    let start = own.energy().total();
    run(&mut own, 40)?;
    let body = own.snapshot().bodies[0].clone();
    near(
        "damped velocity, m/s",
        body.velocity[0],
        2.0 * (-0.5_f64).exp(),
        1e-8,
    )?;
    near(
        "energy beside the account of damping, J",
        left(&own, start),
        0.0,
        1e-7,
    )
}

/// A ball on a spring with damping that only pushes is thrown back, with what damping left.
fn a_damped_spring_takes_what_it_says_and_does_not_pull() -> Found {
    let bodies = vec![disc("one", 0.0, 0.0), disc("other", 3.0, 0.0)];
    let spring = |compress_only| ForceLaw::Spring {
        body: "one".to_owned(),
        at: [0.0, 0.0],
        other: "other".to_owned(),
        other_at: [0.0, 0.0],
        length: 2.5,
        stiffness: 3.0,
        damping: 0.6,
        compress_only,
    };
    let mut own = world(bodies.clone(), vec![], vec![spring(false)]);
    let start = own.energy().total();
    run(&mut own, 40)?;
    let apart = own.snapshot().bodies[1].position[0] - own.snapshot().bodies[0].position[0];
    // The reduced mass is 1/2 kg: s'' + 1.2 s' + 6 s = 0 from s = 1/2.
    let w = (6.0_f64 - 0.36).sqrt();
    let truth = 0.5 * (-0.6_f64).exp() * (w.cos() + 0.6 / w * w.sin());
    near("length of a damped spring, m", apart - 2.5, truth, 1e-5)?;
    near(
        "energy beside the damping of a spring, J",
        left(&own, start),
        0.0,
        1e-5,
    )?;
    let mut own = world(bodies, vec![], vec![spring(true)]);
    run(&mut own, 10)?;
    near(
        "velocity by a spring that only pushes, m/s",
        own.snapshot().bodies[1].velocity[0],
        0.0,
        0.0,
    )
}

fn a_push_that_changes_gives_its_integral() -> Found {
    let push = ForceLaw::Push {
        body: "ball".to_owned(),
        at: [0.0, 0.0],
        force: [1.0, 0.0],
        frame: Frame::World,
        course: Some(Course::Sine {
            frequency: 2.0,
            phase: 0.0,
        }),
    };
    let mut own = world(vec![disc("ball", 0.0, 0.0)], vec![], vec![push]);
    run(&mut own, 40)?;
    let truth = (1.0 - 2.0_f64.cos()) / 2.0;
    near(
        "velocity by a force that changes, m/s",
        own.snapshot().bodies[0].velocity[0],
        truth,
        1e-6,
    )
}

fn a_push_does_the_work_that_it_says() -> Found {
    let push = ForceLaw::Push {
        body: "ball".to_owned(),
        at: [0.0, -0.4],
        force: [1.0, 0.0],
        frame: Frame::Body,
        course: None,
    };
    let mut own = world(vec![disc("ball", 0.0, 0.0)], vec![], vec![push]);
    let start = own.energy().total();
    run(&mut own, 20)?;
    let spin = own.snapshot().bodies[0].angular_velocity;
    near(
        "spin by a push off the centre, rad/s",
        spin,
        0.4 / 0.125 * 0.5,
        1e-9,
    )?;
    near(
        "energy beside the work of a push, J",
        left(&own, start),
        0.0,
        1e-6,
    )
}

fn a_collision_keeps_momentum_and_the_coefficient() -> Found {
    let one = disc("one", -2.0, 0.0)
        .with_velocity(2.0, 0.0, 0.0)
        .with_elasticity(0.5);
    let other = disc("other", 0.0, 0.0).with_elasticity(0.5);
    let mut own = world(vec![one, other], vec![], vec![]);
    let start = own.energy().total();
    run(&mut own, 40)?;
    let bodies = own.snapshot().bodies;
    near(
        "momentum after a collision, N s",
        bodies[0].velocity[0] + bodies[1].velocity[0],
        2.0,
        1e-9,
    )?;
    near(
        "speed of parting, m/s",
        bodies[1].velocity[0] - bodies[0].velocity[0],
        1.0,
        1e-9,
    )?;
    near(
        "energy beside the loss of a collision, J",
        left(&own, start),
        0.0,
        1e-9,
    )
}

/// A try into the floor is taken back; what damping and gravity did in it must be, too.
fn a_damped_bounce_keeps_its_accounts() -> Found {
    let ball = disc("ball", 0.0, 1.2).with_elasticity(0.8);
    let damping = ForceLaw::Damping {
        damping: 0.3,
        rotate_ratio: 0.0,
    };
    // With contact forces an evaluation in the midst of a try finds the floor; without them its end does.
    for contact_forces in [true, false] {
        let mut own = world(
            vec![ball.clone(), floor()],
            vec![],
            vec![gravity(), damping.clone()],
        );
        let settings = Settings {
            contact_forces,
            ..*own.settings()
        };
        own.set(settings).unwrap();
        let start = own.energy().total();
        run(&mut own, 60)?;
        if own.totals().collisions == 0 {
            return Err("a ball that falls on a floor does not collide".to_owned());
        }
        near(
            "energy beside the accounts of a bounce, J",
            left(&own, start),
            0.0,
            1e-5,
        )?;
    }
    Ok(())
}

/// v^2/(2 mu g) = 0.4 m, less the step in which it stops.
fn a_sliding_block_stops_where_coulomb_says() -> Found {
    let block = BodySpec::moving("block", Path::rectangle(2.0, 0.5), 1.0, 0.354)
        .at(0.0, 0.25 + 0.005, 0.0)
        .with_velocity(2.0, 0.0, 0.0)
        .with_elasticity(0.0)
        .with_friction(0.5);
    let mut own = world(
        vec![block, floor().with_friction(0.5)],
        vec![],
        vec![gravity()],
    );
    run(&mut own, 40)?;
    let body = own.snapshot().bodies[0].clone();
    near(
        "way of a sliding block, m",
        body.position[0],
        0.4,
        0.4 * 0.13,
    )?;
    let taken = own.accounts().friction + own.energy().lost_in_collisions;
    near("energy that friction took, J", taken, 2.0, 0.1)
}

fn a_stack_weighs_what_it_weighs() -> Found {
    let block = |name: &str, y: f64| {
        BodySpec::moving(name, Path::rectangle(1.0, 0.5), 1.0, 0.104)
            .at(0.0, y, 0.0)
            .with_elasticity(0.0)
    };
    let bodies = vec![
        block("lower", 0.255),
        block("upper", 0.76),
        floor().with_elasticity(0.0),
    ];
    let mut own = world(bodies, vec![], vec![gravity()]);
    run(&mut own, 20)?;
    let now = own.snapshot();
    let on_floor = now
        .contacts
        .iter()
        .filter(|own| own.first.max(own.second) == 2);
    let weight: f64 = on_floor.map(|own| own.force).sum();
    near("force on the floor below a stack, N", weight, 20.0, 1e-2)?;
    near(
        "height of the lower block, m",
        now.bodies[0].position[1],
        0.255,
        5e-3,
    )?;
    near(
        "height of the upper block, m",
        now.bodies[1].position[1],
        0.76,
        1e-2,
    )
}

/// Hung up by a pin, and by a rod: both keep the energy and the length.
fn pendulums_keep_energy_and_length() -> Found {
    let pin = |normal: [f64; 2]| Connector::Joint {
        body: "ceiling".to_owned(),
        at: [0.0, 0.0],
        other: "ball".to_owned(),
        other_at: [0.0, 2.0],
        normal,
        frame: Frame::World,
    };
    let rod = Connector::Rope {
        body: "ceiling".to_owned(),
        at: [0.0, 0.0],
        other: "ball".to_owned(),
        other_at: [0.3, 0.0],
        length: 2.0,
        rod: true,
    };
    let ceiling = || BodySpec::fixed("ceiling", Path::default());
    let pinned = BodySpec::moving("ball", Path::ball(0.5), 1.0, 0.125).at(
        2.0,
        0.0,
        std::f64::consts::FRAC_PI_2,
    );
    let hung = disc("ball", 1.7, 0.0);
    for (body, connectors) in [
        (pinned, vec![pin([1.0, 0.0]), pin([0.0, 1.0])]),
        (hung, vec![rod]),
    ] {
        let mut own = world(vec![ceiling(), body], connectors, vec![gravity()]);
        let start = own.energy().total();
        run(&mut own, 40)?;
        near("energy of a pendulum, J", own.energy().total(), start, 0.02)?;
        for gap in own.gaps().iter().filter(|own| own.joint) {
            near("gap of a joint, m", gap.distance, 0.0, 1e-3)?;
        }
    }
    Ok(())
}

/// A parabola, and the lower half of a circle of 1 m.
fn bent_wire() -> Connector {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let piece = |points: &[[f64; 2]], weights: &[f64]| CurvePiece {
        points: points.to_vec(),
        weights: weights.to_vec(),
    };
    // The lower half of a circle about (0, 1), in two quarters; before it a parabola that ends in its tangent.
    let pieces = vec![
        piece(&[[-2.0, 3.0], [-1.0, 2.0], [-1.0, 1.0]], &[]),
        piece(&[[-1.0, 1.0], [-1.0, 0.0], [0.0, 0.0]], &[1.0, s, 1.0]),
        piece(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], &[1.0, s, 1.0]),
    ];
    Connector::Path {
        body: "bead".to_owned(),
        at: [0.0; 2],
        other: "wire".to_owned(),
        curve: Curve { pieces },
    }
}

fn bead(x: f64, y: f64) -> Vec<BodySpec> {
    vec![
        BodySpec::moving("bead", Path::ball(0.05), 1.0, 0.001).at(x, y, 0.0),
        BodySpec::fixed("wire", Path::default()),
    ]
}

/// The curvature jumps where the pieces meet, which costs the integrator digits there.
///
/// Down the parabola and through the bottom of the circle: v^2 = 2 g (y0 - y), and the force m (g + v^2/r) at the bottom.
fn a_bead_keeps_to_its_wire() -> Found {
    // From the middle of the parabola.
    let scene = WorldSpec {
        bodies: bead(-1.25, 2.0),
        connectors: vec![bent_wire()],
        forces: vec![gravity()],
        settings: Settings {
            extra_acceleration: ExtraAcceleration::None,
            time_step: 0.004,
            joint_impulses: true,
            ..Settings::default()
        },
        ..WorldSpec::default()
    };
    let mut own = World::new(scene).map_err(|error| format!("the scene is refused: {error}"))?;
    let start = own.energy().total();
    for _ in 0..200 {
        run(&mut own, 1)?;
        near("energy of a bead, J", own.energy().total(), start, 0.01)?;
        near("gap of a bead, m", own.gaps()[0].distance, 0.0, 1e-3)?;
        let now = own.snapshot();
        let at = now.bodies[0].position;
        if at[1] < 0.9 {
            let from = (at[0] * at[0] + (1.0 - at[1]) * (1.0 - at[1])).sqrt();
            near("radius of a bead's way, m", from, 1.0, 1e-3)?;
            let speed = 2.0 * 10.0 * (2.0 - at[1]);
            let force = 10.0 * (1.0 - at[1]) + speed;
            near(
                "force of a wire, N",
                now.contacts[0].force,
                force,
                0.05 * force,
            )?;
        }
    }
    Ok(())
}

/// At rest against the end of a wire, at either end.
fn a_bead_rests_at_the_end_of_its_wire() -> Found {
    for (start, end) in [(-0.9, -1.0), (0.9, 1.0)] {
        let mut bodies = bead(start, 0.0);
        bodies[0].elasticity = 0.0;
        let wire = Connector::Path {
            body: "bead".to_owned(),
            at: [0.0; 2],
            other: "wire".to_owned(),
            curve: Curve {
                pieces: vec![CurvePiece {
                    points: vec![[-1.0, 0.0], [1.0, 0.0]],
                    weights: vec![],
                }],
            },
        };
        let push = ForceLaw::Push {
            body: "bead".to_owned(),
            at: [0.0; 2],
            force: [3.0 * end, 0.0],
            frame: Frame::World,
            course: None,
        };
        let mut own = world(bodies, vec![wire], vec![push]);
        run(&mut own, 60)?;
        let now = own.snapshot();
        near(
            "place of a bead at a stop, m",
            now.bodies[0].position[0],
            end,
            0.012,
        )?;
        let force = now.contacts.iter().map(|own| own.force.abs());
        near("force of a stop, N", force.fold(0.0, f64::max), 3.0, 1e-6)?;
    }
    Ok(())
}

/// Two blocks over a shelf that one of them passes, corners included.
fn a_shelf_lets_one_block_through() -> Found {
    let block = |name: &str, x: f64| {
        BodySpec::moving(name, Path::rectangle(0.4, 0.4), 1.0, 0.03)
            .at(x, 2.0, 0.0)
            .with_elasticity(0.0)
    };
    let shelf = BodySpec::fixed("shelf", Path::rectangle(4.0, 0.2)).at(0.0, 1.0, 0.0);
    let mut through = block("through", -2.0);
    through.passes_edges = vec![PassedEdges {
        body: "shelf".to_owned(),
        edges: vec![0, 1, 2, 3],
    }];
    let mut own = world(
        vec![block("stays", 1.0), through, shelf, floor()],
        vec![],
        vec![gravity()],
    );
    run(&mut own, 60)?;
    let now = own.snapshot();
    near(
        "height of a block on a shelf, m",
        now.bodies[0].position[1],
        1.305,
        0.02,
    )?;
    near(
        "height of a block that passed, m",
        now.bodies[1].position[1],
        0.205,
        0.02,
    )
}

const LAWS: &[(&str, fn() -> Found)] = &[
    (
        "a thrown body follows its parabola",
        a_thrown_body_follows_its_parabola,
    ),
    (
        "a spring keeps energy and momentum",
        a_spring_keeps_energy_and_momentum,
    ),
    ("damping takes what it says", damping_takes_what_it_says),
    (
        "a damped spring takes what it says and does not pull",
        a_damped_spring_takes_what_it_says_and_does_not_pull,
    ),
    (
        "a push that changes gives its integral",
        a_push_that_changes_gives_its_integral,
    ),
    (
        "a push does the work that it says",
        a_push_does_the_work_that_it_says,
    ),
    (
        "a collision keeps momentum and the coefficient",
        a_collision_keeps_momentum_and_the_coefficient,
    ),
    (
        "a damped bounce keeps its accounts",
        a_damped_bounce_keeps_its_accounts,
    ),
    (
        "a sliding block stops where Coulomb says",
        a_sliding_block_stops_where_coulomb_says,
    ),
    (
        "a stack weighs what it weighs",
        a_stack_weighs_what_it_weighs,
    ),
    (
        "pendulums keep energy and length",
        pendulums_keep_energy_and_length,
    ),
    ("a bead keeps to its wire", a_bead_keeps_to_its_wire),
    (
        "a bead rests at the end of its wire",
        a_bead_rests_at_the_end_of_its_wire,
    ),
    (
        "a shelf lets one block through",
        a_shelf_lets_one_block_through,
    ),
];

#[test]
fn every_seeded_bug_of_the_engine_is_caught_by_name() {
    for (name, law) in LAWS {
        assert_eq!(law(), Ok(()), "{name}, by the sound copy");
    }
    assert_all_caught(PLANAR_BUGS, || {
        let mut laws = LAWS.iter();
        laws.find_map(|(name, law)| Some((*name, law().err()?)))
    });
}

#[test]
fn names_are_for_one_bug_each() {
    assert_names_differ(PLANAR_BUGS, 15);
}
