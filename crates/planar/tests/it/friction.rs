//! Friction against closed forms, and never as a source of energy.

#![allow(clippy::unwrap_used)]

use etalon_planar::{
    BodySpec, CollisionHandling, ForceLaw, Frame, FrictionModel, Keep, LcpEvent, Observer, Path,
    Settings, Watch, World, WorldSpec, named,
};

const G: f64 = 9.81;
const MODELS: [FrictionModel; 2] = [FrictionModel::Coulomb, FrictionModel::Box];

/// A slope that rises to the left, with a body on it, half a gap above; x is measured down it.
fn on_a_slope(angle: f64, mu: f64, body: BodySpec, height: f64) -> WorldSpec {
    let half_gap = small().distance_tolerance / 2.0;
    // Gravity is turned, not the slope.
    let slope = BodySpec::fixed("slope", Path::rectangle(200.0, 1.0)).at(0.0, -0.5, 0.0);
    let mass = body.mass.unwrap();
    let weight = ForceLaw::Push {
        body: body.name.clone(),
        at: [0.0, 0.0],
        force: [mass * G * angle.sin(), -mass * G * angle.cos()],
        frame: Frame::World,
        course: None,
    };
    WorldSpec {
        bodies: vec![
            slope.with_friction(mu).with_elasticity(0.0),
            body.at(0.0, height + half_gap, 0.0)
                .with_friction(mu)
                .with_elasticity(0.0),
        ],
        forces: vec![weight],
        settings: small(),
        ..WorldSpec::default()
    }
}

fn small() -> Settings {
    Settings {
        distance_tolerance: 1e-5,
        ..Settings::default()
    }
}

fn block() -> BodySpec {
    BodySpec::moving("block", Path::rectangle(2.0, 0.5), 2.0, 2.0 * 4.25 / 12.0)
}

/// A disc of radius 1/2. Friction acts at the floor's surface, a gap below the disc's: worlds of
/// discs that are held against closed forms have small gaps.
fn ball() -> BodySpec {
    BodySpec::moving("ball", Path::ball(0.5), 2.0, 0.25)
}

/// Runs to a time under the watch; every friction is within its bound.
fn run(scene: WorldSpec, seconds: f64) -> World {
    let mut world = World::new(scene).unwrap();
    go_on(&mut world, seconds);
    world
}

fn go_on(world: &mut World, until: f64) {
    let mut watch = Watch::new(Keep::Wrong);
    let coulomb = world.settings().friction == FrictionModel::Coulomb;
    while world.time() < until - 1e-9 {
        world.step_with(&mut watch).unwrap();
        let snapshot = world.snapshot();
        let scene = world.scene();
        for contact in snapshot.contacts.iter().filter(|_| coulomb) {
            let of = |body: usize| scene.bodies[body].friction;
            let mu = of(contact.first).min(of(contact.second));
            let most = mu * contact.force * (1.0 + 1e-12);
            assert!(contact.friction.abs() <= most, "{contact:?}");
        }
    }
    let verdicts = watch.verdicts();
    assert_eq!(verdicts.wrong, 0, "{:?}", watch.take_records().first());
}

#[test]
fn a_block_holds_on_a_slope_below_the_angle_of_friction() {
    for model in MODELS {
        let mut scene = on_a_slope(0.4, 0.45, block(), 0.25);
        assert!(0.4f64.tan() < 0.45);
        scene.settings.friction = model;
        let state = run(scene, 30.0).snapshot().bodies[1].clone();
        assert!(state.position[0].abs() < 1e-4, "{model:?} {state:?}");
        assert!(state.velocity[0].abs() < 1e-9, "{model:?} {state:?}");
    }
}

#[test]
fn a_block_slides_down_a_steeper_slope_as_computed() {
    for model in MODELS {
        let mut scene = on_a_slope(0.4, 0.3, block(), 0.25);
        scene.settings.friction = model;
        let state = run(scene, 2.0).snapshot().bodies[1].clone();
        let acceleration = G * (0.4f64.sin() - 0.3 * 0.4f64.cos());
        let expected = acceleration * 2.0;
        assert!(
            (state.velocity[0] - expected).abs() < 1e-6 * expected,
            "{model:?} {state:?} {expected}"
        );
        assert!(
            (state.position[0] - expected).abs() < 1e-3,
            "{model:?} {state:?}"
        );
    }
}

/// The same by impulses, one for each step: to within what gravity does in a step.
#[test]
fn blocks_hold_and_slide_without_contact_forces() {
    for model in MODELS {
        let of = |mu: f64| {
            let mut scene = on_a_slope(0.4, mu, block(), 0.25);
            scene.settings.friction = model;
            scene.settings.contact_forces = false;
            scene
        };
        let held = run(of(0.45), 30.0).snapshot().bodies[1].clone();
        assert!(held.position[0].abs() < 1e-4, "{model:?} {held:?}");
        let slid = run(of(0.3), 2.0).snapshot().bodies[1].clone();
        let expected = 2.0 * G * (0.4f64.sin() - 0.3 * 0.4f64.cos());
        let step = G * Settings::default().time_step;
        assert!(
            (slid.velocity[0] - expected).abs() < step,
            "{model:?} {slid:?} {expected}"
        );
    }
}

#[test]
fn a_sliding_block_stops_where_its_energy_is_used_up() {
    let mut scene = on_a_slope(0.0, 0.25, block(), 0.25);
    scene.bodies[1].velocity = [3.0, 0.0];
    let state = run(scene, 4.0).snapshot().bodies[1].clone();
    let way = 9.0 / (2.0 * 0.25 * G);
    // Within what it goes in a step at the end.
    assert!((state.position[0] - way).abs() < 1e-2, "{state:?} {way}");
    assert!(state.velocity[0].abs() < 1e-9, "{state:?}");
}

#[test]
fn a_ball_rolls_down_a_slope_and_slides_down_a_slippery_one() {
    let (sin, cos) = 0.4f64.sin_cos();
    // Rolling needs mu >= tan/3 = 0.141.
    let rolling = run(on_a_slope(0.4, 0.2, ball(), 0.5), 2.0)
        .snapshot()
        .bodies[1]
        .clone();
    let expected = 2.0 * (2.0 / 3.0) * G * sin;
    let [v, spin] = [rolling.velocity[0], rolling.angular_velocity];
    assert!(
        (v - expected).abs() < 1e-3 * expected,
        "{rolling:?} {expected}"
    );
    assert!((v + 0.5 * spin).abs() < 1e-2 * expected, "{rolling:?}");
    let sliding = run(on_a_slope(0.4, 0.1, ball(), 0.5), 2.0)
        .snapshot()
        .bodies[1]
        .clone();
    let expected = 2.0 * G * (sin - 0.1 * cos);
    let spin = -2.0 * 2.0 * 0.1 * G * cos / 0.5;
    assert!(
        (sliding.velocity[0] - expected).abs() < 1e-3 * expected,
        "{sliding:?} {expected}"
    );
    assert!(
        (sliding.angular_velocity - spin).abs() < 1e-2 * spin.abs(),
        "{sliding:?} {spin}"
    );
}

#[test]
fn a_push_below_the_bound_moves_nothing_and_one_above_it_does() {
    for (push, moves) in [(0.9, false), (1.1, true)] {
        let mut scene = on_a_slope(0.0, 0.5, block(), 0.25);
        scene.forces.push(ForceLaw::Push {
            body: "block".to_owned(),
            at: [0.0, -0.2],
            force: [push * 0.5 * 2.0 * G, 0.0],
            frame: Frame::World,
            course: None,
        });
        let state = run(scene, 2.0).snapshot().bodies[1].clone();
        let expected = if moves { 0.1 * 0.5 * G * 2.0 } else { 0.0 };
        assert!(
            (state.velocity[0] - expected).abs() < 1e-6,
            "{state:?} {expected}"
        );
    }
}

/// A disc that falls straight with spin w: slip r w. With mu (1 + e) v less than a third of it, it
/// slides all the time, else it leaves without slip.
#[test]
fn a_spinning_ball_bounces_as_computed() {
    for (mu, elasticity, spin) in [
        (0.1, 0.5, 30.0),
        (0.9, 0.5, 30.0),
        (0.3, 0.0, -20.0),
        (0.2, 1.0, 4.0),
    ] {
        let floor = BodySpec::fixed("floor", Path::rectangle(20.0, 1.0)).at(0.0, -0.5, 0.0);
        let thrown = ball().at(0.0, 0.6, 0.0).with_velocity(0.0, -2.0, spin);
        let scene = WorldSpec {
            bodies: [floor, thrown]
                .map(|body| body.with_elasticity(elasticity).with_friction(mu))
                .to_vec(),
            settings: small(),
            ..WorldSpec::default()
        };
        let world = run(scene, 0.1);
        let state = world.snapshot().bodies[1].clone();
        let slip = 0.5 * spin;
        // A impulse p along the floor changes the slip by p (1/m + r^2/I) = 3 p/m.
        let most = mu * (1.0 + elasticity) * 2.0;
        let change = (slip / 3.0).clamp(-most, most);
        assert!(
            (state.velocity[1] - 2.0 * elasticity).abs() < 1e-9,
            "{state:?}"
        );
        // Without gravity a ball of elasticity 0 stays in contact, and goes on without slip.
        if elasticity > 0.0 {
            assert!(
                (state.velocity[0] + change).abs() < 1e-4,
                "{state:?} {change}"
            );
            let left = state.velocity[0] + 0.5 * state.angular_velocity;
            let expected = slip - 3.0 * change;
            assert!(
                (left - expected).abs() < 1e-3,
                "{state:?} {left} {expected}"
            );
        }
    }
}

/// Blocks, balls and a rod between walls, thrown about.
fn heap(seed: u32, mu: f64, elasticity: f64) -> WorldSpec {
    let mut scene = named::blocks(6);
    scene.settings.seed = seed;
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        body.elasticity = elasticity;
        body.friction = mu;
        if body.mass.is_some() {
            let turned = f64::from(seed) + k as f64;
            body.velocity = [3.0 * turned.sin(), 3.0 * turned.cos()];
            body.angular_velocity = 4.0 * (2.0 * turned).sin();
        }
    }
    scene
}

const HANDLINGS: [CollisionHandling; 6] = [
    CollisionHandling::Simultaneous,
    CollisionHandling::Hybrid,
    CollisionHandling::SerialSeparate,
    CollisionHandling::SerialGrouped,
    CollisionHandling::SerialSeparateLastpass,
    CollisionHandling::SerialGroupedLastpass,
];

#[test]
fn friction_gives_a_heap_no_energy_and_every_problem_is_answered_right() {
    for (k, handling) in HANDLINGS.into_iter().enumerate() {
        for (model, mu) in [
            (FrictionModel::Coulomb, 0.3),
            (FrictionModel::Coulomb, 2.0),
            (FrictionModel::Box, 0.6),
        ] {
            let mut scene = heap(k as u32, mu, 0.4);
            scene.settings.collision_handling = handling;
            scene.settings.friction = model;
            let mut world = World::new(scene).unwrap();
            let mut before = world.energy().total();
            let start = before;
            for step in 1..=200 {
                go_on(&mut world, f64::from(step) * 0.025);
                let now = world.energy().total();
                assert!(
                    now <= before + 1e-2,
                    "{handling:?} {model:?} {mu} at {} s: {before} {now}",
                    world.time()
                );
                before = now;
            }
            println!(
                "{handling:?} {model:?} {mu}: {start} {before} {:?}",
                world.totals()
            );
        }
    }
}

/// The pivots of each problem.
#[derive(Default)]
struct Pivots(Vec<u64>);

impl Observer for Pivots {
    fn lcp(&mut self, event: &LcpEvent<'_>) {
        self.0.push(event.pivots);
    }
}

/// Warm starts last for a step: a world that is made from another one's scene goes on as that one does, to the bit.
#[test]
fn a_saved_heap_goes_on_as_it_would_have() {
    let mut scene = named::pile(30);
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        body.friction = 0.3;
        if body.mass.is_some() {
            body.velocity = [0.2 * (k as f64).sin(), 0.0];
        }
    }
    let mut world = World::new(scene).unwrap();
    for _ in 0..5 {
        world.step().unwrap();
    }
    let mut again = World::new(world.scene()).unwrap();
    let (mut pivots, mut pivots_again) = (Pivots::default(), Pivots::default());
    for _ in 0..10 {
        world.step_with(&mut pivots).unwrap();
        again.step_with(&mut pivots_again).unwrap();
    }
    // Answers seldom depend on where they were started from; the way to them does.
    assert_eq!(pivots.0, pivots_again.0);
    assert_eq!(world.snapshot().bodies, again.snapshot().bodies);
    assert_eq!(world.snapshot().contacts, again.snapshot().contacts);
}
