//! A plate on a slope, and balls in a row.

use etalon_rigid::{Rotation2, Scalar};
use etalon_time_stepping::models::{BodyDisc, Planar, PlanarBody, Touch};
use etalon_time_stepping::{Activation, Arithmetic, Binary64, Settings, StepError};
use rug::Rational;

use super::InMotion;
use super::plane::{on_line, point, stewart_trinkle, upward};
use super::scene::{Builder, Scene, g, grid, h, kept, mu, rational, steps, value};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::view::{View, circle, elevation, float, of_planar, rectangle};

pub const PLATE_ON_SLOPE: Scenario = Scenario::of_motion(
    "plate-on-slope",
    InMotion {
        description: "A plate on two points of a slope: it sticks, slides or tips over",
        source: "closed forms: it slides with g (sin - mu cos), and tips where the slope is steeper than width over height",
        parameters: &[
            any(
                "half_angle",
                "1/3",
                "",
                "tangent of half the angle of the slope; 1/3 is the slope 3/4",
            )
            .nonnegative(),
            any("width", "2", "m", "width of the plate").positive(),
            any("height", "1", "m", "height of the plate").positive(),
            mu("1/2"),
            h("1/50"),
            steps("50"),
            g("10"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: plate,
            binary64: plate,
        },
        view: plate_view,
    },
);

/// In the frame of the slope: x is downhill, y along the normal.
fn plate_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Planar<S>, StepError> {
    let slope = Rotation2::<Rational>::from_half_angle(&values.get("half_angle"));
    let gravity: S = value(values, "g");
    let gravity = [
        gravity.clone() * &S::from_rational(slope.sin()),
        -(gravity * &S::from_rational(slope.cos())),
    ];
    let half = |name: &str| kept::<S>(values, name, arithmetic) / &S::integer(2);
    let (a, b) = (half("width"), half("height"));
    let third = (a.squared() + &b.squared()) / &S::integer(3);
    let corners = [
        ("uphill", -a.clone(), -b.clone()),
        ("downhill", a, -b.clone()),
    ];
    let body = PlanarBody {
        name: "plate".to_owned(),
        mass: S::one(),
        inertia: third,
        discs: corners.map(|(name, x, y)| point(name, [x, y])).to_vec(),
    };
    let model = Planar::new(vec![body], vec![upward("slope")], gravity)?;
    on_line(model, 0, &value(values, "mu"))
}

/// The lower corners are where the plate touches, the upper ones are as far above its centre.
fn plate_view(values: &Values) -> Result<Vec<View>, StepError> {
    let look = |body: &PlanarBody<f64>| {
        let [x, y] = body.discs[1].centre;
        (rectangle(2.0 * x, -2.0 * y), false)
    };
    let slope = Rotation2::<Rational>::from_half_angle(&values.get("half_angle"));
    let angle = float(slope.sin()).atan2(float(slope.cos()));
    let view = elevation("y, m").turned(-angle);
    Ok(vec![of_planar(
        view,
        &plate_model(values, &Binary64)?,
        look,
    )])
}

fn plate<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let height = kept::<S>(values, "height", arithmetic) / &S::integer(2);
    Ok(stewart_trinkle(
        plate_model(values, arithmetic)?,
        vec![S::zero(), height, S::zero()],
        vec![S::zero(), S::zero(), S::zero()],
        Settings::new(value(values, "h")),
        values.count("steps") as u64,
    ))
}

pub const BALLS_IN_A_ROW: Scenario = Scenario::of_motion(
    "cradle-row",
    InMotion {
        description: "Newton's cradle without restitution: a ball runs into a row, and all move on together",
        source: "Stewart and Trinkle 1996, section 3.4: an inelastic simultaneous impact; discs of radius 1 m and 1 kg, no gravity",
        parameters: &[
            any("balls", "5", "", "number of balls").count(2, 60),
            any(
                "speed",
                "1",
                "m/s",
                "velocity of the first ball at the start",
            )
            .nonnegative(),
            any("gap", "1/10", "m", "gap before the first ball at the start").nonnegative(),
            h("1/50"),
            steps("20"),
        ],
        builder: Builder::System {
            kind: rational,
            exact: cradle,
            binary64: cradle,
        },
        view: cradle_view,
    },
);

/// The radius of the balls, m.
const BALL: i64 = 1;

fn cradle_model<S: Scalar>(values: &Values) -> Result<Planar<S>, StepError> {
    let balls = values.count("balls");
    let ball = |i: usize| PlanarBody {
        name: format!("ball {}", i + 1),
        mass: S::one(),
        inertia: S::ratio(1, 2),
        discs: vec![BodyDisc {
            name: String::new(),
            centre: [S::zero(), S::zero()],
            radius: S::integer(BALL),
        }],
    };
    let bodies = (0..balls).map(ball).collect();
    let mut model = Planar::new(bodies, Vec::new(), [S::zero(), S::zero()])?;
    for i in 1..balls {
        let touch = Touch::Discs {
            first: (i, 0),
            second: (i - 1, 0),
        };
        model = model.touch(touch, S::zero())?;
    }
    Ok(model)
}

fn cradle_view(values: &Values) -> Result<Vec<View>, StepError> {
    let look = |body: &PlanarBody<f64>| (circle(body.discs[0].radius), true);
    let view = View::new("From above", "x, m", "y, m");
    Ok(vec![of_planar(view, &cradle_model(values)?, look)])
}

fn cradle<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = cradle_model(values)?;
    let balls = values.count("balls");
    let (mut q, mut v) = (vec![S::zero(); 3 * balls], vec![S::zero(); 3 * balls]);
    for i in 1..balls {
        q[3 * i] = S::integer(2 * BALL * i as i64) + value::<S>(values, "gap");
    }
    v[0] = value(values, "speed");
    let settings = Settings::new(value(values, "h")).with_activation(Activation::All);
    let steps = values.count("steps") as u64;
    Ok(stewart_trinkle(model, q, v, settings, steps))
}
