//! Scenes and runs that tests share.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::Solver;
use etalon_rigid::Scalar;
use etalon_time_stepping::models::{
    Ball, BallContact, Balls, BodyDisc, Line, Planar, PlanarBody, Touch,
};
use etalon_time_stepping::{Arithmetic, FirstOf, Model, Settings, State, Step, Stepper};
use rug::Rational;

pub fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

pub fn r(text: &str) -> Rational {
    etalon_lcp::parse_rational(text).unwrap()
}

/// Lexicographic Lemke with the covering vector of ones.
pub fn exact() -> Box<dyn Solver + Send + Sync> {
    ExactMethod::Lemke.solver(&Budget::default())
}

/// binary64.
pub fn fast() -> Box<dyn Solver + Send + Sync> {
    let fast = etalon_fast::FastMethod::Auto.solver();
    Box::new(FirstOf::new("fast", vec![fast, exact()]))
}

/// So many steps.
pub fn run<S: Scalar>(
    model: &dyn Model<S>,
    arithmetic: &dyn Arithmetic<S>,
    solver: &dyn Solver,
    settings: Settings<S>,
    start: State<S>,
    steps: usize,
) -> Vec<Step<S>> {
    let stepper = Stepper::new(model, arithmetic, solver, settings).unwrap();
    let mut state = start;
    let mut trajectory = Vec::with_capacity(steps);
    for k in 1..=steps {
        let step = stepper
            .step(&state)
            .unwrap_or_else(|e| panic!("step {k}: {e}"));
        state = step.after.clone();
        trajectory.push(step);
    }
    trajectory
}

/// The spinning rod of Stewart and Trinkle (1996), section 4, with its start.
pub fn rod<S: Scalar>(arithmetic: &dyn Arithmetic<S>, g: &Rational) -> (Planar<S>, State<S>) {
    let on_grid = |n, d| arithmetic.round(S::ratio(n, d));
    let end = |name: &str, x: S| BodyDisc {
        name: name.to_owned(),
        centre: [x, S::zero()],
        radius: on_grid(1, 20),
    };
    let rod = PlanarBody {
        name: "rod".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 500),
        discs: vec![end("+", S::ratio(1, 4)), end("-", S::ratio(-1, 4))],
    };
    let table = Line {
        name: "table".to_owned(),
        normal: [S::zero(), S::one()],
        offset: S::zero(),
    };
    let gravity = [S::zero(), -S::from_rational(g)];
    let mut model = Planar::new(vec![rod], vec![table], gravity).unwrap();
    for disc in 0..2 {
        let touch = Touch::Line {
            disc: (0, disc),
            line: 0,
        };
        model = model.touch(touch, S::ratio(3, 5)).unwrap();
    }
    let theta = arithmetic.angle(&q(30, 360)).unwrap();
    let start = State::new(
        vec![S::zero(), S::one(), theta],
        vec![S::zero(), S::zero(), S::integer(4)],
    );
    (model, start)
}

/// The four balls of Stewart and Trinkle (1996), section 4, with their start.
pub fn four_balls<S: Scalar>(
    arithmetic: &dyn Arithmetic<S>,
    g: &Rational,
    directions: u32,
) -> (Balls<S>, State<S>) {
    let kept = |text: &str| arithmetic.round(S::from_rational(&r(text)));
    let ball = |name: &str| Ball {
        name: name.to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 250),
        radius: kept("0.1"),
    };
    let names = ["thrown", "first", "second", "third"];
    let gravity = [S::zero(), S::zero(), -S::from_rational(g)];
    let balls = names.map(ball).to_vec();
    let mut model = Balls::new(balls, gravity, directions, arithmetic).unwrap();
    let mu = || S::ratio(2, 5);
    for ball in 0..4 {
        let table = BallContact::Plane {
            ball,
            name: "table".to_owned(),
            normal: [S::zero(), S::zero(), S::one()],
            offset: S::zero(),
        };
        model = model.contact(table, mu()).unwrap();
    }
    for first in 0..4 {
        for second in 0..first {
            let pair = BallContact::Balls { first, second };
            model = model.contact(pair, mu()).unwrap();
        }
    }
    let mut start = State::new(vec![S::zero(); 24], vec![S::zero(); 24]);
    for (ball, x) in ["0", "1", "1.20001", "1.40002"].into_iter().enumerate() {
        start.q[6 * ball] = kept(x);
        start.q[6 * ball + 2] = kept("0.1");
    }
    start.q[2] = S::one();
    start.v[0] = S::ratio(3, 2);
    start.v[1] = kept("0.1");
    (model, start)
}
