//! Bodies on a line that bounce: Newton's law of restitution in a step.

use etalon_rigid::{Covector, Dense, Scalar};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{Activation, Arithmetic, Settings, State, StepError};

use super::InMotion;
use super::scene::{Builder, Scene, System, g, h, rational, steps, value};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{Mark, Placement, UP, View, at, elevation, rectangle, still};

const RESTITUTION: &str = "coefficient of restitution: bodies part with so much of the speed of their approach, from 0 to 1";

const fn restitution(default: &'static str) -> Parameter {
    any("restitution", default, "", RESTITUTION).nonnegative()
}

fn scene<S: Scalar>(
    values: &Values,
    model: HalfSpaces<S>,
    q: Vec<S>,
    v: Vec<S>,
) -> Result<Scene<S>, StepError> {
    let model = model.with_restitution(value(values, "restitution"))?;
    Ok(Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start: State::new(q, v),
        settings: Settings::new(value(values, "h")).with_activation(Activation::All),
        steps: values.count("steps") as u64,
    })
}

/// Bodies on a line, each of which keeps a distance to the one before it.
fn line<S: Scalar>(masses: &[S], force: Vec<S>, distance: &S) -> Result<HalfSpaces<S>, StepError> {
    let names = (1..=masses.len()).map(|i| format!("x{i}")).collect();
    let entry = |i: usize, j: usize| if i == j { masses[i].clone() } else { S::zero() };
    let mass = Dense::from_fn(masses.len(), masses.len(), entry);
    let mut model = HalfSpaces::new(names, mass, force)?;
    for i in 1..masses.len() {
        let face = HalfSpace {
            normal: Covector::new([(i, S::one()), (i - 1, -S::one())]),
            offset: distance.clone(),
            directions: Vec::new(),
        };
        model = model.contact(format!("body {}/body {i}", i + 1), S::zero(), face);
    }
    Ok(model)
}

pub const BOUNCING_BALL: Scenario = Scenario::of_motion(
    "bouncing-ball",
    InMotion {
        description: "A ball falls from rest and bounces, lower and lower, and is at rest after infinitely many impacts in a finite time",
        source: "closed form: impacts at t1 = sqrt(2 y/g) and then every 2 e^k t1, at rest at t1 (1 + e)/(1 - e); mass 1 kg",
        parameters: &[
            any("height", "5", "m", "height at the start").nonnegative(),
            restitution("1/2"),
            h("1/50"),
            steps("250"),
            g("10"),
        ],
        builder: Builder::System {
            kind: rational,
            exact: bouncing_ball,
            binary64: bouncing_ball,
        },
        view: bouncing_ball_view,
    },
);

/// The state is the height of the ball's lowest point; how large it is drawn decides nothing.
fn bouncing_ball_view(_: &Values) -> Result<Vec<View>, StepError> {
    let radius = 0.25;
    let view = elevation("y, m").ground(UP, 0.0);
    let place = Placement::Plane([still(0.0), at(0).plus(radius), still(0.0)]);
    let mark = Mark::Fixed {
        body: 0,
        at: [0.0; 2],
        radius,
        normal: UP,
    };
    Ok(vec![view.disc("ball", radius, place).marks([mark])])
}

fn bouncing_ball<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let weight = vec![-value::<S>(values, "g")];
    let floor = HalfSpace {
        normal: Covector::new([(0, S::one())]),
        offset: S::zero(),
        directions: Vec::new(),
    };
    let model = HalfSpaces::new(vec!["y".to_owned()], Dense::identity(1), weight)?;
    let model = model.contact("ball/floor", S::zero(), floor);
    scene(
        values,
        model,
        vec![value(values, "height")],
        vec![S::zero()],
    )
}

pub const ELASTIC_CRADLE: Scenario = Scenario::of_motion(
    "elastic-cradle",
    InMotion {
        description: "Newton's cradle with all impacts at once: the energy is kept, but the outcome is not that of one impact after another",
        source: "one problem for all contacts: w = A p + (1 + e) n'v; balls of 1 m and 1 kg on a line, no gravity",
        parameters: &[
            any("balls", "5", "", "number of balls").count(2, 60),
            any(
                "speed",
                "1",
                "m/s",
                "velocity of the first ball at the start",
            )
            .nonnegative(),
            restitution("1"),
            any("gap", "0", "m", "gap before the first ball at the start").nonnegative(),
            h("1/50"),
            steps("10"),
        ],
        builder: Builder::System {
            kind: rational,
            exact: elastic_cradle,
            binary64: elastic_cradle,
        },
        view: elastic_cradle_view,
    },
);

/// The distance of the centres of balls that touch, m.
const DISTANCE: i64 = 1;

fn elastic_cradle_view(values: &Values) -> Result<Vec<View>, StepError> {
    let radius = DISTANCE as f64 / 2.0;
    let count = values.count("balls");
    let mut view = View::new("From above", "x, m", "y, m");
    for k in 0..count {
        let place = Placement::Plane([at(k), still(0.0), still(0.0)]);
        view = view.disc(format!("ball {}", k + 1), radius, place);
    }
    let marks = (1..count).map(|second| Mark::Between {
        first: second,
        second: second - 1,
        radius,
    });
    Ok(vec![view.marks(marks)])
}

fn elastic_cradle<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let balls = values.count("balls");
    let model = line(
        &vec![S::one(); balls],
        vec![S::zero(); balls],
        &S::integer(DISTANCE),
    )?;
    let mut q: Vec<S> = (0..balls)
        .map(|i| S::integer(DISTANCE * i as i64))
        .collect();
    q[0] -= &value::<S>(values, "gap");
    let mut v = vec![S::zero(); balls];
    v[0] = value(values, "speed");
    scene(values, model, q, v)
}

pub const CENTRAL_IMPACT: Scenario = Scenario::of_motion(
    "central-impact",
    InMotion {
        description: "Two bodies on a line meet, and part by Newton's law; or one pushes the other with a force",
        source: "closed forms: impulse (1 + e) (v1 - v2)/(1/m1 + 1/m2); a push F is passed on as F m2/(m1 + m2)",
        parameters: &[
            any("m1", "1", "kg", "mass of the first body").positive(),
            any("m2", "3", "kg", "mass of the second body").positive(),
            any("v1", "4", "m/s", "velocity of the first body at the start"),
            any("v2", "0", "m/s", "velocity of the second body at the start"),
            any(
                "push",
                "0",
                "N",
                "force on the first body, towards the second",
            ),
            restitution("1"),
            any("gap", "0", "m", "gap at the start").nonnegative(),
            h("1/50"),
            steps("10"),
        ],
        builder: Builder::System {
            kind: rational,
            exact: central_impact,
            binary64: central_impact,
        },
        view: central_impact_view,
    },
);

/// Two bodies of no size on a line, drawn as blocks that touch where they do.
fn central_impact_view(_: &Values) -> Result<Vec<View>, StepError> {
    let half = 0.1;
    let block = || rectangle(2.0 * half, 2.0 * half);
    let place = |k, side| Placement::Plane([at(k).plus(side), still(0.0), still(0.0)]);
    let view = View::new("On a line", "x, m", "")
        .body("body 1", block(), place(0, -half))
        .body("body 2", block(), place(1, half));
    Ok(vec![view.marks([Mark::Between {
        first: 1,
        second: 0,
        radius: half,
    }])])
}

fn central_impact<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let masses = [value(values, "m1"), value(values, "m2")];
    let model = line(&masses, vec![value(values, "push"), S::zero()], &S::zero())?;
    let (q, v) = (
        vec![S::zero(), value(values, "gap")],
        vec![value(values, "v1"), value(values, "v2")],
    );
    scene(values, model, q, v)
}
