//! Rods in the plane: Stewart and Trinkle's, Painleve's, and a ladder.

use etalon_rigid::{Rotation2, Scalar};
use etalon_time_stepping::models::{BodyDisc, Line, Planar, PlanarBody, Touch};
use etalon_time_stepping::{Activation, Arithmetic, Binary64, Settings, StepError};
use rug::Rational;

use super::InMotion;
use super::plane::{down, on_line, point, stewart_trinkle, upward};
use super::scene::{
    Builder, SCHEME, Scene, activated, activation, duration, g, grid, h, kept, mu, scheme, steps,
    steps_of_duration, value,
};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{THIN, View, capsule, elevation, of_planar};

pub const ROD: Scenario = Scenario::of_motion(
    "rod",
    InMotion {
        description: "A spinning rod with round ends falls onto a table, hits it in a state that has no solution for accelerations, and comes to rest",
        source: "Stewart and Trinkle 1996, section 4, figures 2 to 5; end centres 0.5 m apart, ends of 0.05 m, 1 kg, 0.002 kg m^2; both ends take part in every step",
        parameters: &[
            h("0.0025"),
            any("y0", "1", "m", "height of the centre at the start"),
            any(
                "theta0",
                "30",
                "degrees",
                "angle against the horizontal at the start",
            ),
            any(
                "omega0",
                "4",
                "rad/s",
                "angular velocity at the start, counterclockwise",
            ),
            g("9.81"),
            mu("0.6"),
            duration("1"),
            SCHEME,
            activation("all"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: rod,
            binary64: rod,
        },
        view: rod_view,
    },
);

/// The rod with its ends, and the table.
fn rod_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Planar<S>, StepError> {
    let end = |name: &str, x: S| BodyDisc {
        name: name.to_owned(),
        centre: [x, S::zero()],
        radius: arithmetic.round(S::ratio(1, 20)),
    };
    let body = PlanarBody {
        name: "rod".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 500),
        discs: vec![end("+", S::ratio(1, 4)), end("-", S::ratio(-1, 4))],
    };
    let model = Planar::new(vec![body], vec![upward("table")], down(values, "g"))?;
    on_line(model, 0, &value(values, "mu"))
}

fn rod_view(values: &Values) -> Result<Vec<View>, StepError> {
    let model = rod_model(values, &Binary64)?;
    let look = |body: &PlanarBody<f64>| {
        let end = &body.discs[0];
        (capsule(end.centre[0], end.radius), false)
    };
    Ok(vec![of_planar(elevation("y, m"), &model, look)])
}

fn rod<S: Scalar>(values: &Values, arithmetic: &dyn Arithmetic<S>) -> Result<Scene<S>, StepError> {
    let model = rod_model(values, arithmetic)?;
    let theta = arithmetic.angle(&(values.get("theta0") / 360u32))?;
    let omega = kept(values, "omega0", arithmetic);
    let settings = Settings::new(value(values, "h"))
        .with_scheme(scheme(values))
        .with_activation(activated(values));
    Ok(stewart_trinkle(
        model,
        vec![S::zero(), kept(values, "y0", arithmetic), theta],
        vec![S::zero(), S::zero(), omega],
        settings,
        steps_of_duration(values),
    ))
}

const PAINLEVE: &str = "Painleve 1895, stepped by Stewart and Trinkle 1996; half length 1 m, mass 1 kg, inertia 1/3 kg m^2, contact at one end";

/// How far Painleve's rod leans, at rest and in motion.
pub(crate) const HALF_ANGLE: Parameter = any(
    "half_angle",
    "1/3",
    "",
    "tangent of half the angle of the rod against the vertical",
)
.positive();
/// How fast its lower end slides.
pub(crate) const SPEED: Parameter = any(
    "speed",
    "2",
    "m/s",
    "sliding speed of the lower end, to the right",
);
/// How fast it turns.
pub(crate) const fn turning(default: &'static str) -> Parameter {
    any(
        "angular_velocity",
        default,
        "rad/s",
        "of the rod, counterclockwise",
    )
}
const GRAVITY: Parameter = crate::parameter::GRAVITY;
const FIRST_SCHEME: Parameter = any(
    "scheme",
    "linear",
    "",
    "where M, n and D are taken: at the end of the step by iteration, at q + h v, at q, or at q + h v/2",
)
.choice(super::scene::SCHEMES);

pub const PAINLEVE_INCONSISTENT: InMotion = InMotion {
    description: "The rod that no contact force satisfies takes a step: an impulse stops its end",
    source: PAINLEVE,
    parameters: &[
        mu("2"),
        HALF_ANGLE,
        SPEED,
        turning("0"),
        GRAVITY,
        h("1/10"),
        steps("1"),
        FIRST_SCHEME,
    ],
    builder: Builder::System {
        kind: grid,
        exact: painleve,
        binary64: painleve,
    },
    view: painleve_view,
};

pub const PAINLEVE_INDETERMINATE: InMotion = InMotion {
    description: "The rod with two answers for accelerations takes a step, in which its end sticks",
    source: PAINLEVE,
    parameters: &[
        mu("2"),
        HALF_ANGLE,
        SPEED,
        turning("4"),
        GRAVITY,
        h("1/10"),
        steps("1"),
        FIRST_SCHEME,
    ],
    builder: Builder::System {
        kind: grid,
        exact: painleve,
        binary64: painleve,
    },
    view: painleve_view,
};

/// The sine and cosine of the rod's angle against the vertical at the start.
fn lean<S: Scalar>(values: &Values) -> [S; 2] {
    let lean = Rotation2::<Rational>::from_half_angle(&values.get("half_angle"));
    [lean.sin(), lean.cos()].map(S::from_rational)
}

/// The rod of half length 1 m, its tip, and the ground; the angle counts from the start.
fn painleve_model<S: Scalar>(values: &Values) -> Result<Planar<S>, StepError> {
    let [sin, cos] = lean(values);
    let body = PlanarBody {
        name: "rod".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 3),
        discs: vec![point("tip", [sin, -cos])],
    };
    let model = Planar::new(vec![body], vec![upward("ground")], down(values, "g"))?;
    on_line(model, 0, &value(values, "mu"))
}

/// The rod reaches as far up from its centre as its tip lies below.
fn painleve_view(values: &Values) -> Result<Vec<View>, StepError> {
    let look = |body: &PlanarBody<f64>| {
        let [x, y] = body.discs[0].centre;
        let outline = capsule(1.0, THIN / x.hypot(y)).into_iter();
        let along = outline.map(|[u, v]| [u * x + v * y, u * y - v * x]);
        (along.collect(), false)
    };
    let view = elevation("y, m");
    Ok(vec![of_planar(view, &painleve_model(values)?, look)])
}

fn painleve<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let [sin, cos] = lean::<S>(values);
    let model = painleve_model(values)?;
    // The tip slides at `speed`: v + omega x (sin, -cos) = (speed, 0).
    let omega: S = value(values, "angular_velocity");
    let v = [
        value::<S>(values, "speed") - omega.clone() * &cos,
        -(omega.clone() * &sin),
    ];
    let kept = |x: S| arithmetic.round(x);
    let settings = Settings::new(value(values, "h"))
        .with_scheme(scheme(values))
        .with_activation(Activation::All);
    let [vx, vy] = v.map(kept);
    Ok(stewart_trinkle(
        model,
        // As high as the grid has the tip, so that it touches exactly.
        vec![S::zero(), kept(cos), S::zero()],
        vec![vx, vy, kept(omega)],
        settings,
        values.count("steps") as u64,
    ))
}

pub const LADDER_SLIDE: Scenario = Scenario::of_motion(
    "ladder-slide",
    InMotion {
        description: "A ladder against a wall, in motion: it stands on rough ground and slides down on smooth ground",
        source: "Baraff 1994, section 5, stepped by Stewart and Trinkle 1996; length 2 m, 1 kg, 1/3 kg m^2",
        parameters: &[
            any("angle", "60", "degrees", "angle against the ground"),
            any(
                "mu_ground",
                "1/5",
                "",
                "coefficient of friction at the ground",
            )
            .nonnegative(),
            any("mu_wall", "1/5", "", "coefficient of friction at the wall").nonnegative(),
            h("1/100"),
            steps("60"),
            g("9.81"),
            SCHEME,
            activation("when-violated"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: ladder,
            binary64: ladder,
        },
        view: ladder_view,
    },
);

/// The ladder with its ends, the ground and the wall, and its angle.
fn ladder_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<(Planar<S>, S), StepError> {
    let body = PlanarBody {
        name: "ladder".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 3),
        discs: vec![
            point("foot", [-S::one(), S::zero()]),
            point("top", [S::one(), S::zero()]),
        ],
    };
    // It leans to the right, and its foot stands at x = 0.
    let angle = arithmetic.angle(&(values.get("angle") / 360u32))?;
    let (_, cos) = arithmetic.sin_cos(&angle)?;
    let wall = Line {
        name: "wall".to_owned(),
        normal: [-S::one(), S::zero()],
        offset: -(cos * &S::integer(2)),
    };
    let lines = vec![upward("ground"), wall];
    let model = Planar::new(vec![body], lines, down(values, "g"))?;
    let touch = |disc, line| Touch::Line {
        disc: (0, disc),
        line,
    };
    let model = model
        .touch(touch(0, 0), value(values, "mu_ground"))?
        .touch(touch(1, 1), value(values, "mu_wall"))?
        .touch(touch(1, 0), value(values, "mu_ground"))?;
    Ok((model, angle))
}

fn ladder_view(values: &Values) -> Result<Vec<View>, StepError> {
    let (model, _) = ladder_model(values, &Binary64)?;
    let look = |body: &PlanarBody<f64>| (capsule(body.discs[1].centre[0], THIN), false);
    Ok(vec![of_planar(elevation("y, m"), &model, look)])
}

fn ladder<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let (model, angle) = ladder_model(values, arithmetic)?;
    let (sin, cos) = arithmetic.sin_cos(&angle)?;
    let settings = Settings::new(value(values, "h"))
        .with_scheme(scheme(values))
        .with_activation(activated(values));
    Ok(stewart_trinkle(
        model,
        vec![cos, sin, angle],
        vec![S::zero(), S::zero(), S::zero()],
        settings,
        values.count("steps") as u64,
    ))
}
