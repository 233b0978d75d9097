//! Forces between events against closed forms: springs with damping, springs that only push, forces that change with
//! time; and the orders of the integrators.

#![allow(clippy::unwrap_used)]

use etalon_planar::{
    BodySpec, Course, ForceLaw, Frame, Integrator, Path, Settings, World, WorldError, WorldSpec,
};

fn near(found: f64, truth: f64, within: f64) {
    assert!(
        (found - truth).abs() <= within,
        "{found:e}, and the truth is {truth:e}"
    );
}

/// A ball of 1 kg, a frame, and forces.
fn world(ball: BodySpec, forces: Vec<ForceLaw>, settings: Settings) -> World {
    World::new(WorldSpec {
        bodies: vec![BodySpec::fixed("frame", Path::default()), ball],
        forces,
        settings,
        ..WorldSpec::default()
    })
    .unwrap()
}

fn ball(x: f64, vx: f64) -> BodySpec {
    let ball = BodySpec::moving("ball", Path::ball(0.1), 1.0, 0.125);
    ball.at(x, 0.0, 0.0).with_velocity(vx, 0.0, 0.0)
}

fn spring(length: f64, stiffness: f64, damping: f64, compress_only: bool) -> ForceLaw {
    ForceLaw::Spring {
        body: "frame".to_owned(),
        at: [0.0, 0.0],
        other: "ball".to_owned(),
        other_at: [0.0, 0.0],
        length,
        stiffness,
        damping,
        compress_only,
    }
}

fn push(course: Option<Course>) -> ForceLaw {
    ForceLaw::Push {
        body: "ball".to_owned(),
        at: [0.0, 0.0],
        force: [3.0, 0.0],
        frame: Frame::World,
        course,
    }
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| world.step().unwrap());
}

fn fine() -> Settings {
    Settings {
        time_step: 0.005,
        ..Settings::default()
    }
}

/// x'' + c x' + k x = 0 about the length at rest: x = e^(-c t/2) (cos w t + (c/2w) sin w t), w^2 = k - c^2/4.
#[test]
fn a_damped_spring_comes_to_rest_as_its_equation_says() {
    let mut own = world(ball(3.0, 0.0), vec![spring(2.0, 5.0, 1.0, false)], fine());
    let start = own.energy().total();
    for _ in 0..4 {
        steps(&mut own, 100);
        let (t, w) = (own.time(), (5.0_f64 - 0.25).sqrt());
        let truth = (-t / 2.0).exp() * ((w * t).cos() + (w * t).sin() / (2.0 * w));
        near(own.snapshot().bodies[1].position[0] - 2.0, truth, 1e-8);
    }
    near(own.accounts().damping, start - own.energy().total(), 1e-8);
    assert!(own.accounts().damping > 2.0);
}

/// A ball runs into a spring that only pushes, half an oscillation long, and leaves with its speed; before and after
/// it there is no force, although the spring is longer than at rest. Its damping acts with the spring alone.
#[test]
fn a_spring_that_only_pushes_throws_the_ball_back() {
    let settings = || Settings {
        time_step: 0.0005,
        ..Settings::default()
    };
    let mut own = world(
        ball(2.0, -1.0),
        vec![spring(1.0, 4.0, 0.0, true)],
        settings(),
    );
    steps(&mut own, 1000);
    let body = own.snapshot().bodies[1].clone();
    assert_eq!((body.velocity[0], own.energy().potential), (-1.0, 0.0));
    // It touches at t = 1 s, turns after pi/4 s more, 1/2 m deep, and leaves after pi/2 s.
    while own.time() < 1.0 + std::f64::consts::FRAC_PI_4 {
        steps(&mut own, 1);
    }
    near(own.snapshot().bodies[1].position[0], 0.5, 1e-4);
    near(own.energy().potential, 0.5, 1e-3);
    while own.time() < 3.0 {
        steps(&mut own, 1);
    }
    near(own.snapshot().bodies[1].velocity[0], 1.0, 1e-3);
    let mut damped = world(
        ball(2.0, -1.0),
        vec![spring(1.0, 4.0, 0.5, true)],
        settings(),
    );
    while damped.time() < 4.0 {
        steps(&mut damped, 1);
    }
    let speed = damped.snapshot().bodies[1].velocity[0];
    assert!((0.4..0.9).contains(&speed), "{speed}");
    near(damped.accounts().damping, (1.0 - speed * speed) / 2.0, 1e-3);
}

/// v = F (cos p - cos(w t + p))/(m w), and a ramp from 1 s to 2 s gives F/2 in that second.
#[test]
fn a_force_with_a_course_gives_its_integral() {
    let (frequency, phase) = (2.0, 0.5);
    let sine = Course::Sine { frequency, phase };
    let mut own = world(ball(0.0, 0.0), vec![push(Some(sine))], fine());
    steps(&mut own, 300);
    let truth = 3.0 * (phase.cos() - (frequency * own.time() + phase).cos()) / frequency;
    let speed = own.snapshot().bodies[1].velocity[0];
    near(speed, truth, 1e-9);
    near(own.accounts().pushes, speed * speed / 2.0, 1e-8);
    let ramp = Course::Ramp {
        from: 1.0,
        until: 2.0,
    };
    let mut own = world(ball(0.0, 0.0), vec![push(Some(ramp))], fine());
    for (until, truth) in [(1.0, 0.0), (2.0, 1.5), (3.0, 4.5)] {
        while own.time() < until - 1e-9 {
            steps(&mut own, 1);
        }
        near(own.snapshot().bodies[1].velocity[0], truth, 1e-9);
    }
}

/// y after n steps is n h v - g h^2 n (n - 1)/2 by Euler's method; the other two have the parabola itself.
#[test]
fn eulers_method_is_of_order_one() {
    for (integrator, off) in [
        (Integrator::Euler, 1.0),
        (Integrator::ModifiedEuler, 0.0),
        (Integrator::RungeKutta, 0.0),
    ] {
        let settings = Settings {
            integrator,
            time_step: 0.01,
            ..Settings::default()
        };
        let gravity = ForceLaw::Gravity { g: 10.0 };
        let mut own = world(ball(0.0, 1.0), vec![gravity], settings);
        steps(&mut own, 100);
        let body = own.snapshot().bodies[1].clone();
        near(body.position[0], 1.0, 1e-12);
        near(body.velocity[1], -10.0, 1e-12);
        near(body.position[1], -5.0 + off * 10.0 * 0.01 / 2.0, 1e-12);
    }
}

/// Two bodies that pass near each other: where the force changes fast the step is cut, and energy stays.
#[test]
fn an_adaptive_step_follows_a_near_passage() {
    let loss = |integrator| {
        let body = |name: &str, x: f64, vy: f64| {
            let ball = BodySpec::moving(name, Path::ball(0.001), 1.0, 1.0);
            let mut ball = ball.at(x, 0.0, 0.0).with_velocity(0.0, vy, 0.0);
            ball.passes = vec![if name == "one" { "other" } else { "one" }.to_owned()];
            ball
        };
        let mut own = World::new(WorldSpec {
            bodies: vec![body("one", -1.0, -0.15), body("other", 1.0, 0.15)],
            forces: vec![ForceLaw::InverseSquare { g: 1.0 }],
            settings: Settings {
                integrator,
                time_step: 0.02,
                ..Settings::default()
            },
            ..WorldSpec::default()
        })
        .unwrap();
        let start = own.energy().total();
        while own.time() < 6.0 {
            own.step().unwrap();
        }
        near(own.snapshot().time, own.time(), 0.0);
        ((own.energy().total() - start) / start).abs()
    };
    let (fixed, adaptive) = (loss(Integrator::RungeKutta), loss(Integrator::Adaptive));
    assert!(adaptive < 1e-6, "{adaptive:e}");
    assert!(fixed > 100.0 * adaptive, "{fixed:e} {adaptive:e}");
}

#[test]
fn numbers_out_of_range_are_named() {
    let refused = |force: ForceLaw| {
        let spec = WorldSpec {
            bodies: vec![BodySpec::fixed("frame", Path::default()), ball(1.0, 0.0)],
            forces: vec![force],
            ..WorldSpec::default()
        };
        match World::new(spec) {
            Err(WorldError::Range { what, .. }) => what,
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(
        refused(spring(1.0, 1.0, -1.0, false)),
        "the damping of a spring"
    );
    let sine = Course::Sine {
        frequency: f64::INFINITY,
        phase: 0.0,
    };
    assert_eq!(
        refused(push(Some(sine))),
        "the frequency or phase of a force"
    );
    let ramp = Course::Ramp {
        from: 2.0,
        until: 1.0,
    };
    assert_eq!(refused(push(Some(ramp))), "the time in which a force grows");
}
