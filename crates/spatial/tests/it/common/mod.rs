//! Worlds for tests.

use etalon_exact::{Budget, ExactMethod as Exact};
use etalon_fast::ConeSolver;
use etalon_lcp::Solver;
use etalon_rigid::{Dense, Vector, Vector3};
use etalon_spatial::{
    Body, Cone, Joint, Quaternion, Settings, Shape, SpaceMethod, SpaceOracle, SpaceState,
    SpaceStep, SpaceStepper, SpaceWorld, Surface, Surfaces,
};
use rug::Rational;

pub fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

pub fn body(name: &str, mass: Rational, shape: Shape) -> Body {
    Body {
        name: name.to_owned(),
        inertia: shape.inertia(&mass).unwrap_or_else(|| Dense::identity(3)),
        mass,
        position: Vector::zero(),
        attitude: Quaternion::identity(),
        velocity: Vector::zero(),
        angular_velocity: Vector::zero(),
        force: Vector::zero(),
        torque: Vector::zero(),
        fixed: false,
        shape: Some(shape),
        pieces: Vec::new(),
    }
}

/// The half-space below z = 0.
pub fn floor() -> Body {
    let normal = Vector::axis(2);
    let own = body("floor", q(1, 1), Shape::HalfSpace { normal });
    Body { fixed: true, ..own }
}

/// A box of half sizes 1/5, 1/5, 1/20 that lies on the floor.
pub fn flat(name: &str) -> Body {
    let half_sizes = [q(1, 5), q(1, 5), q(1, 20)];
    let mut own = body(name, q(1, 1), Shape::Box { half_sizes });
    own.position = Vector::ratios([(0, 1), (0, 1), (1, 20)]);
    own
}

/// A ball of radius 1/2.
pub fn ball(name: &str, at: Vector3<Rational>) -> Body {
    let mut own = body(name, q(1, 1), Shape::Sphere { radius: q(1, 2) });
    own.position = at;
    own
}

pub fn surfaces(mu: Rational, restitution: Rational) -> Surfaces {
    Surfaces {
        default: Surface {
            mu,
            restitution,
            ..Surface::default()
        },
        pairs: Vec::new(),
    }
}

/// Under gravity of 10 m/s^2.
pub fn world(bodies: Vec<Body>, joints: Vec<Joint>, mu: Rational, e: Rational) -> SpaceWorld {
    let gravity = Vector::integers([0, 0, -10]);
    SpaceWorld::new(gravity, bodies, joints, surfaces(mu, e)).unwrap()
}

pub fn settings(h: Rational, method: SpaceMethod, cone: Cone) -> Settings {
    Settings {
        cone,
        ..Settings::new(h, method)
    }
}

pub fn solver(cone: Cone) -> Box<dyn Solver> {
    match cone {
        Cone::Circular => Box::new(ConeSolver),
        Cone::Pyramid(_) => Exact::Lemke.solver(&Budget::default()),
    }
}

/// Every way of taking steps.
pub fn ways(h: &Rational) -> Vec<Settings> {
    let cones = [Cone::Pyramid(4), Cone::Pyramid(8), Cone::Circular];
    let all = SpaceMethod::SECOND_ORDER
        .into_iter()
        .flat_map(|method| cones.map(|cone| settings(h.clone(), method, cone)));
    all.collect()
}

/// Steps, against each of which the oracle has nothing to say.
pub fn run(world: &SpaceWorld, settings: &Settings, steps: u64) -> (SpaceState, Vec<SpaceStep>) {
    let solver = solver(settings.cone);
    let stepper = SpaceStepper::new(world, settings.clone(), &*solver).unwrap();
    let oracle = SpaceOracle::new(world, settings);
    let mut state = world.start();
    let mut taken = Vec::new();
    for k in 1..=steps {
        let step = stepper
            .step(&state)
            .unwrap_or_else(|error| panic!("{settings:?}, step {k}: {error}"));
        let found = oracle.examine(k, &step);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, Vec::<String>::new(), "{settings:?}");
        state = step.after.clone();
        taken.push(step);
    }
    (state, taken)
}
