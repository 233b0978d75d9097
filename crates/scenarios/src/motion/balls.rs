//! Balls in space.

use etalon_rigid::{Rotation2, Scalar};
use etalon_time_stepping::models::{Ball, BallContact, Balls};
use etalon_time_stepping::{Activation, Arithmetic, Binary64, Kind, Settings, State, StepError};
use rug::Rational;

use super::InMotion;
use super::scene::{
    Builder, GRID, Scene, System, activated, activation, duration, g, grid, h, kept, mu, steps,
    steps_of_duration, value,
};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{View, float, of_balls};

const NAMES: [&str; 4] = ["thrown", "first", "second", "third"];

const DIRECTIONS: Parameter = any(
    "directions",
    "8",
    "",
    "directions of a friction cone, an even number",
)
.count(4, 64);

pub const FOUR_BALLS: Scenario = Scenario::of_motion(
    "four-balls",
    InMotion {
        description: "A ball is thrown onto a table, rolls into a row of three and sets all in motion: seven contacts in one step, errors and variation as in Table I",
        source: "Stewart and Trinkle 1996, section 4, figures 6 to 8, Table I",
        parameters: &[
            h("0.0025"),
            g("9.81"),
            mu("0.4"),
            duration("1"),
            DIRECTIONS,
            activation("when-violated"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: four_balls,
            binary64: four_balls,
        },
        view: |values| Ok(of_balls(&on_a_table(4, values, &Binary64)?, 0.0)),
    },
);

pub const TWO_BALLS: Scenario = Scenario::of_motion(
    "two-balls",
    InMotion {
        description: "A ball is thrown at another one on a table: it lands first and rolls, or meets the other in the air",
        source: "Stewart and Trinkle 1996, section 4, the first test of balls; balls, table and height as in the second, speeds are not stated",
        parameters: &[
            any(
                "speed",
                "1.5",
                "m/s",
                "speed along the line of both balls; at 2.2 they meet in the air",
            ),
            h("0.0025"),
            g("9.81"),
            mu("0.4"),
            duration("1"),
            DIRECTIONS,
            activation("when-violated"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: two_balls,
            binary64: two_balls,
        },
        view: |values| Ok(of_balls(&on_a_table(2, values, &Binary64)?, 0.0)),
    },
);

/// The radius of the balls, m.
fn radius<S: Scalar>(arithmetic: &dyn Arithmetic<S>) -> S {
    arithmetic.round(S::ratio(1, 10))
}

/// So many of the balls on a table.
fn on_a_table<S: Scalar>(
    count: usize,
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Balls<S>, StepError> {
    let ball = |name: &str| Ball {
        name: name.to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 250),
        radius: radius(arithmetic),
    };
    let gravity = [S::zero(), S::zero(), -value::<S>(values, "g")];
    let directions = u32::try_from(values.count("directions")).unwrap_or(u32::MAX);
    let balls = NAMES.iter().take(count).map(|name| ball(name)).collect();
    let mut model = Balls::new(balls, gravity, directions, arithmetic)?;
    for ball in 0..count {
        let table = BallContact::Plane {
            ball,
            name: "table".to_owned(),
            normal: [S::zero(), S::zero(), S::one()],
            offset: S::zero(),
        };
        model = model.contact(table, value(values, "mu"))?;
    }
    for first in 0..count {
        for second in 0..first {
            let pair = BallContact::Balls { first, second };
            model = model.contact(pair, value(values, "mu"))?;
        }
    }
    Ok(model)
}

fn four_balls<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    // The row stands with gaps of 1e-5 m.
    let places = [0, 100_000, 120_001, 140_002];
    let mut scene = thrown(&places, S::ratio(3, 2), values, arithmetic)?;
    scene.start.v[1] = arithmetic.round(S::ratio(1, 10));
    Ok(scene)
}

fn two_balls<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let speed = kept(values, "speed", arithmetic);
    thrown(&[0, 100_000], speed, values, arithmetic)
}

/// Balls at multiples of 1e-5 m, the first of them 1 m above the table, with that speed along x.
fn thrown<S: Scalar>(
    places: &[i64],
    speed: S,
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = on_a_table(places.len(), values, arithmetic)?;
    let coordinates = vec![S::zero(); 6 * places.len()];
    let mut start = State::new(coordinates.clone(), coordinates);
    for (ball, x) in places.iter().enumerate() {
        start.q[6 * ball] = arithmetic.round(S::ratio(*x, 100_000));
        start.q[6 * ball + 2] = radius(arithmetic);
    }
    start.q[2] = S::one();
    start.v[0] = speed;
    Ok(Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start,
        settings: Settings::new(value(values, "h")).with_activation(activated(values)),
        steps: steps_of_duration(values),
    })
}

pub const SPHERE_ON_SLOPE: Scenario = Scenario::of_motion(
    "sphere-on-slope",
    InMotion {
        description: "A solid sphere is let go on a slope: it rolls where friction suffices, and slides and spins where it does not",
        source: "closed forms: it rolls with g sin/(1 + 2/5) if mu >= tan (2/5)/(1 + 2/5), and slides with g (sin - mu cos) otherwise; mass 1 kg",
        parameters: &[
            any(
                "half_angle",
                "1/3",
                "",
                "tangent of half the angle of the slope; 1/3 is the slope 3/4",
            )
            .nonnegative(),
            any("radius", "1", "m", "radius of the sphere").positive(),
            mu("1/2"),
            any(
                "directions",
                "4",
                "",
                "directions of the friction cone, an even number; the run is in fractions with 4",
            )
            .count(4, 64),
            h("1/50"),
            steps("50"),
            g("10"),
        ],
        builder: Builder::System {
            kind: |values| match values.count("directions") {
                4 => Kind::Rational,
                _ => GRID,
            },
            exact: sphere,
            binary64: sphere,
        },
        view: sphere_view,
    },
);

fn slope(values: &Values) -> Rotation2<Rational> {
    Rotation2::from_half_angle(&values.get("half_angle"))
}

/// In the frame of the slope: x is downhill, z along the normal.
fn sphere_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Balls<S>, StepError> {
    let slope = slope(values);
    let gravity: S = value(values, "g");
    let gravity = [
        gravity.clone() * &S::from_rational(slope.sin()),
        S::zero(),
        -(gravity * &S::from_rational(slope.cos())),
    ];
    let radius: S = kept(values, "radius", arithmetic);
    let ball = Ball {
        name: "sphere".to_owned(),
        mass: S::one(),
        inertia: radius.squared() * &S::ratio(2, 5),
        radius,
    };
    let directions = u32::try_from(values.count("directions")).unwrap_or(u32::MAX);
    let plane = BallContact::Plane {
        ball: 0,
        name: "slope".to_owned(),
        normal: [S::zero(), S::zero(), S::one()],
        offset: S::zero(),
    };
    let model = Balls::new(vec![ball], gravity, directions, arithmetic)?;
    model.contact(plane, value(values, "mu"))
}

/// The slope falls to the right.
fn sphere_view(values: &Values) -> Result<Vec<View>, StepError> {
    let slope = slope(values);
    let angle = float(slope.sin()).atan2(float(slope.cos()));
    Ok(of_balls(&sphere_model(values, &Binary64)?, -angle))
}

fn sphere<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = sphere_model(values, arithmetic)?;
    let mut start = State::new(vec![S::zero(); 6], vec![S::zero(); 6]);
    start.q[2] = kept(values, "radius", arithmetic);
    Ok(Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start,
        settings: Settings::new(value(values, "h")).with_activation(Activation::All),
        steps: values.count("steps") as u64,
    })
}
