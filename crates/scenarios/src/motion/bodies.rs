//! Rigid bodies in the plane.

use etalon_rigid::{Rotation2, Scalar};
use etalon_time_stepping::models::{Disc, Line, Planar, PlanarBody, Touch};
use etalon_time_stepping::{Activation, Arithmetic, Settings, State, StepError};
use rug::Rational;

use super::InMotion;
use super::scene::{
    Builder, SCHEME, Scene, System, duration, g, grid, h, kept, mu, rational, scheme, steps,
    steps_of_duration, value,
};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;

fn upward<S: Scalar>(name: &str) -> Line<S> {
    Line {
        name: name.to_owned(),
        normal: [S::zero(), S::one()],
        offset: S::zero(),
    }
}

fn down<S: Scalar>(values: &Values, name: &str) -> [S; 2] {
    [S::zero(), -value::<S>(values, name)]
}

fn point<S: Scalar>(name: impl Into<String>, centre: [S; 2]) -> Disc<S> {
    Disc {
        name: name.into(),
        centre,
        radius: S::zero(),
    }
}

/// All discs of all bodies against one line.
fn on_line<S: Scalar>(mut model: Planar<S>, line: usize, mu: &S) -> Result<Planar<S>, StepError> {
    let counts: Vec<usize> = model.bodies().iter().map(|b| b.discs.len()).collect();
    for (body, count) in counts.into_iter().enumerate() {
        for disc in 0..count {
            let disc = (body, disc);
            model = model.touch(Touch::Line { disc, line }, mu.clone())?;
        }
    }
    Ok(model)
}

fn stewart_trinkle<S: Scalar>(
    model: Planar<S>,
    q: Vec<S>,
    v: Vec<S>,
    settings: Settings<S>,
    steps: u64,
) -> Scene<S> {
    Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start: State::new(q, v),
        settings,
        steps,
    }
}

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
        ],
        builder: Builder {
            kind: grid,
            exact: rod,
            binary64: rod,
        },
    },
);

fn rod<S: Scalar>(values: &Values, arithmetic: &dyn Arithmetic<S>) -> Result<Scene<S>, StepError> {
    let end = |name: &str, x: S| Disc {
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
    let model = on_line(model, 0, &value(values, "mu"))?;
    let theta = arithmetic.angle(&(values.get("theta0") / 360u32))?;
    let omega = kept(values, "omega0", arithmetic);
    let settings = Settings::new(value(values, "h"))
        .with_scheme(scheme(values))
        .with_activation(Activation::All);
    Ok(stewart_trinkle(
        model,
        vec![S::zero(), kept(values, "y0", arithmetic), theta],
        vec![S::zero(), S::zero(), omega],
        settings,
        steps_of_duration(values),
    ))
}

const V0: Parameter = any(
    "v0",
    "1",
    "m/s",
    "velocity of the centre at the start; it rolls without sliding",
);

pub const POLYGON: Scenario = Scenario::of_motion(
    "polygon",
    InMotion {
        description: "A regular polygon in place of a disc rolls over its edges, loses energy at each, and stops",
        source: "Trinkle and Nguyen, MOPTA 2007: a sphere of facets; radius 1 m, 1 kg, 1/2 kg m^2, a vertex down at the start",
        parameters: &[
            any("sides", "10", "", "number of vertices").count(3, 2000),
            h("0.01"),
            V0,
            mu("1/2"),
            duration("12"),
            g("9.81"),
        ],
        builder: Builder {
            kind: grid,
            exact: polygon,
            binary64: polygon,
        },
    },
);

fn polygon<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let sides = values.count("sides") as u32;
    let vertex = |i: u32| {
        let turns = Rational::from((i, sides)) - Rational::from((1, 4));
        let (cos, sin) = arithmetic.direction(&turns)?;
        Ok(point(format!("vertex {i}"), [cos, sin]))
    };
    let discs = (0..sides).map(vertex).collect::<Result<_, StepError>>()?;
    wheel(values, arithmetic, discs, steps_of_duration(values))
}

pub const DISC: Scenario = Scenario::of_motion("disc", InMotion {
    description: "A disc rolls on a floor with friction for ever, in every step exactly",
    source: "Trinkle and Nguyen, MOPTA 2007; radius 1 m, 1 kg, 1/2 kg m^2",
    parameters: &[
        h("1/100"),
        V0,
        mu("1/2"),
        steps("1000"),
        g("9.81"),
        any(
            "scheme",
            "fixed-point",
            "",
            "the disc's own gap in fractions, or an implicit surface with its closest point unknown",
        )
        .choice(&["fixed-point", "implicit"]),
    ],
    builder: Builder {
        kind: |values| match values.count("scheme") {
            0 => rational(values),
            _ => grid(values),
        },
        exact: disc,
        binary64: disc,
    },
});

fn disc<S: Scalar>(values: &Values, arithmetic: &dyn Arithmetic<S>) -> Result<Scene<S>, StepError> {
    if values.count("scheme") == 1 {
        return super::surfaces::rolling_disc(values, arithmetic);
    }
    let rim = Disc {
        name: "rim".to_owned(),
        centre: [S::zero(), S::zero()],
        radius: S::one(),
    };
    wheel(values, arithmetic, vec![rim], values.count("steps") as u64)
}

fn wheel<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
    discs: Vec<Disc<S>>,
    steps: u64,
) -> Result<Scene<S>, StepError> {
    let body = PlanarBody {
        name: "wheel".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 2),
        discs,
    };
    let model = Planar::new(vec![body], vec![upward("floor")], down(values, "g"))?;
    let model = on_line(model, 0, &value(values, "mu"))?;
    let v: S = kept(values, "v0", arithmetic);
    Ok(stewart_trinkle(
        model,
        vec![S::zero(), S::one(), S::zero()],
        vec![v.clone(), S::zero(), -v],
        Settings::new(value(values, "h")),
        steps,
    ))
}

const PAINLEVE: &str = "Painleve 1895, stepped by Stewart and Trinkle 1996; half length 1 m, mass 1 kg, inertia 1/3 kg m^2, contact at one end";

const HALF_ANGLE: Parameter = any(
    "half_angle",
    "1/3",
    "",
    "tangent of half the angle of the rod against the vertical",
)
.positive();
const SPEED: Parameter = any(
    "speed",
    "2",
    "m/s",
    "sliding speed of the lower end, to the right",
);
const GRAVITY: Parameter = crate::parameter::GRAVITY;
const FIRST_SCHEME: Parameter = any(
    "scheme",
    "linear",
    "",
    "where M, n and D are taken: at the end of the step by iteration, at q + h v, or at q",
)
.choice(super::scene::SCHEMES);

pub const PAINLEVE_INCONSISTENT: InMotion = InMotion {
    description: "The rod that no contact force satisfies takes a step: an impulse stops its end",
    source: PAINLEVE,
    parameters: &[
        mu("2"),
        HALF_ANGLE,
        SPEED,
        any(
            "angular_velocity",
            "0",
            "rad/s",
            "of the rod, counterclockwise",
        ),
        GRAVITY,
        h("1/10"),
        steps("1"),
        FIRST_SCHEME,
    ],
    builder: Builder {
        kind: grid,
        exact: painleve,
        binary64: painleve,
    },
};

pub const PAINLEVE_INDETERMINATE: InMotion = InMotion {
    description: "The rod with two answers for accelerations takes a step, in which its end sticks",
    source: PAINLEVE,
    parameters: &[
        mu("2"),
        HALF_ANGLE,
        SPEED,
        any(
            "angular_velocity",
            "4",
            "rad/s",
            "of the rod, counterclockwise",
        ),
        GRAVITY,
        h("1/10"),
        steps("1"),
        FIRST_SCHEME,
    ],
    builder: Builder {
        kind: grid,
        exact: painleve,
        binary64: painleve,
    },
};

fn painleve<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let lean = Rotation2::<Rational>::from_half_angle(&values.get("half_angle"));
    let (sin, cos) = (S::from_rational(lean.sin()), S::from_rational(lean.cos()));
    let body = PlanarBody {
        name: "rod".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 3),
        // The angle counts from the start.
        discs: vec![point("tip", [sin.clone(), -cos.clone()])],
    };
    let model = Planar::new(vec![body], vec![upward("ground")], down(values, "g"))?;
    let model = on_line(model, 0, &value(values, "mu"))?;
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
        ],
        builder: Builder {
            kind: grid,
            exact: ladder,
            binary64: ladder,
        },
    },
);

fn ladder<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
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
    let (sin, cos) = arithmetic.sin_cos(&angle)?;
    let wall = Line {
        name: "wall".to_owned(),
        normal: [-S::one(), S::zero()],
        offset: -(cos.clone() * &S::integer(2)),
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
    let settings = Settings::new(value(values, "h")).with_scheme(scheme(values));
    Ok(stewart_trinkle(
        model,
        vec![cos, sin, angle],
        vec![S::zero(), S::zero(), S::zero()],
        settings,
        values.count("steps") as u64,
    ))
}

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
        builder: Builder {
            kind: grid,
            exact: plate,
            binary64: plate,
        },
    },
);

/// In the frame of the slope: x is downhill, y along the normal.
fn plate<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
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
    let model = on_line(model, 0, &value(values, "mu"))?;
    Ok(stewart_trinkle(
        model,
        vec![S::zero(), b, S::zero()],
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
        builder: Builder {
            kind: rational,
            exact: cradle,
            binary64: cradle,
        },
    },
);

fn cradle<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let balls = values.count("balls");
    let ball = |i: usize| PlanarBody {
        name: format!("ball {}", i + 1),
        mass: S::one(),
        inertia: S::ratio(1, 2),
        discs: vec![Disc {
            name: String::new(),
            centre: [S::zero(), S::zero()],
            radius: S::one(),
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
    let (mut q, mut v) = (vec![S::zero(); 3 * balls], vec![S::zero(); 3 * balls]);
    for i in 1..balls {
        q[3 * i] = S::integer(2 * i as i64) + value::<S>(values, "gap");
    }
    v[0] = value(values, "speed");
    let settings = Settings::new(value(values, "h")).with_activation(Activation::All);
    let steps = values.count("steps") as u64;
    Ok(stewart_trinkle(model, q, v, settings, steps))
}
