//! Particles, stacks and joints: systems with constant data, and an ellipse.

use etalon_rigid::{Covector, Dense, Directions, Scalar};
use etalon_time_stepping::models::{Ellipse, HalfSpace, HalfSpaces};
use etalon_time_stepping::{
    Activation, Arithmetic, BoundedFriction, Direction, Kind, Scheme, Settings, State, StepError,
};
use rug::Rational;

use super::InMotion;
use super::scene::{Builder, GRID, Scene, System, g, h, mu, rational, steps, value};
use crate::parameter::{Values, any};
use crate::registry::Scenario;

/// One problem with all contacts in every step: the theory of sections 3.2 and 3.3 as it stands.
pub(super) fn all<S: Scalar>(values: &Values) -> Settings<S> {
    Settings::new(value(values, "h")).with_activation(Activation::All)
}

fn scene<S: Scalar>(values: &Values, model: HalfSpaces<S>, q: Vec<S>, v: Vec<S>) -> Scene<S> {
    Scene {
        system: System::StewartTrinkle(Box::new(model)),
        start: State::new(q, v),
        settings: all(values),
        steps: values.count("steps") as u64,
    }
}

pub(super) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

pub(super) fn diagonal<S: Scalar>(masses: &[S]) -> Dense<S> {
    let entry = |i: usize, j: usize| if i == j { masses[i].clone() } else { S::zero() };
    Dense::from_fn(masses.len(), masses.len(), entry)
}

/// A half-space of the plane through a point, with both directions of sliding.
fn line<S: Scalar>([x, y]: [S; 2]) -> HalfSpace<S> {
    let direction = |sign: S| Direction {
        row: Covector::of_dense(&[y.clone() * &sign, -x.clone() * &sign]),
        tangent: vec![sign],
    };
    HalfSpace {
        normal: Covector::of_dense(&[x.clone(), y.clone()]),
        offset: S::zero(),
        directions: vec![direction(S::one()), direction(-S::one())],
    }
}

/// The unit normal of a line that rises by `slope`.
fn normal<S: Scalar>(slope: &S, arithmetic: &dyn Arithmetic<S>) -> Result<[S; 2], StepError> {
    let length = arithmetic.sqrt(&(S::one() + slope.squared()))?;
    let entry = |value: S| arithmetic.round(value / &length);
    Ok([entry(-slope.clone()), entry(S::one())])
}

/// Fractions where all slopes belong to Pythagorean triples.
fn pythagorean(values: &Values, slopes: &[&str]) -> Kind {
    let is_rational = |name: &&str| {
        let slope: Rational = values.get(name);
        Scalar::sqrt(&(slope.clone() * &slope + 1u32)).is_some()
    };
    if slopes.iter().all(is_rational) {
        Kind::Rational
    } else {
        GRID
    }
}

pub const INCLINE: Scenario = Scenario::of_motion(
    "incline",
    InMotion {
        description: "A particle falls onto a slope and slides or sticks: the energy identity and the sign in (24), exactly",
        source: "Stewart and Trinkle 1996, sections 3.1 to 3.3; the slope passes through the origin, the particle starts at (0, 1/4) and moves along x",
        parameters: &[
            any("slope", "3/4", "", "rise of the slope over its run"),
            mu("1/2"),
            any("v0", "1", "m/s", "velocity at the start, along x"),
            h("1/50"),
            steps("40"),
            g("9.8"),
        ],
        builder: Builder {
            kind: |values| pythagorean(values, &["slope"]),
            exact: incline,
            binary64: incline,
        },
    },
);

fn incline<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let weight = vec![S::zero(), -value::<S>(values, "g")];
    let mass = diagonal(&[S::one(), S::one()]);
    let slope = line(normal(&value(values, "slope"), arithmetic)?);
    let model = HalfSpaces::new(names(&["x", "y"]), mass, weight)?;
    let model = model.contact("particle/slope", value(values, "mu"), slope);
    let (q, v) = (
        vec![S::zero(), S::ratio(1, 4)],
        vec![value(values, "v0"), S::zero()],
    );
    Ok(scene(values, model, q, v))
}

pub const STACK_DROP: Scenario = Scenario::of_motion(
    "stack-drop",
    InMotion {
        description: "Three blocks fall in a row onto the ground and settle: two-step impacts, and the weights in the end",
        source: "Stewart and Trinkle 1996, section 3.4, in one dimension; masses 1, 2, 3 kg from below, blocks of 1 m",
        parameters: &[
            h("1/20"),
            steps("16"),
            g("10"),
            any(
                "drop",
                "1/10",
                "m",
                "height of the lowest block at the start",
            )
            .nonnegative(),
            any(
                "first_gap",
                "3/20",
                "m",
                "gap between the lower two at the start",
            )
            .nonnegative(),
            any(
                "second_gap",
                "1/4",
                "m",
                "gap between the upper two at the start",
            )
            .nonnegative(),
        ],
        builder: Builder {
            kind: rational,
            exact: stack_drop,
            binary64: stack_drop,
        },
    },
);

fn stack_drop<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let masses = [1, 2, 3].map(S::integer);
    let gravity: S = value(values, "g");
    let weights = masses.iter().map(|m| -(m.clone() * &gravity)).collect();
    let mut model = HalfSpaces::new(names(&["y1", "y2", "y3"]), diagonal(&masses), weights)?;
    for (i, pair) in ["block 1/ground", "block 2/block 1", "block 3/block 2"]
        .into_iter()
        .enumerate()
    {
        let below = i.checked_sub(1).map(|below| (below, -S::one()));
        let face = HalfSpace {
            normal: Covector::new([(i, S::one())].into_iter().chain(below)),
            offset: S::integer(i64::from(i > 0)),
            directions: Vec::new(),
        };
        model = model.contact(pair, S::zero(), face);
    }
    let mut height = S::zero();
    let mut q = Vec::with_capacity(3);
    for gap in ["drop", "first_gap", "second_gap"] {
        height += &value(values, gap);
        q.push(height.clone());
        height += &S::one();
    }
    Ok(scene(values, model, q, vec![S::zero(); 3]))
}

pub const PARTICLE_3D: Scenario = Scenario::of_motion(
    "particle-3d",
    InMotion {
        description: "A particle lands on a floor and slides to rest under a friction cone of 4 or 8 directions: with 4 its velocity turns to the diagonal",
        source: "Stewart and Trinkle 1996, equation (12); directions of Pythagorean triples, unit vectors exactly",
        parameters: &[
            any("directions", "8", "", "directions of the friction cone").choice(&["4", "8"]),
            any("v0x", "2", "m/s", "velocity along x at the start"),
            any("v0y", "1", "m/s", "velocity along y at the start"),
            mu("1/2"),
            h("1/50"),
            steps("40"),
            any("z0", "1/50", "m", "height at the start").nonnegative(),
            g("9.8"),
        ],
        builder: Builder {
            kind: rational,
            exact: particle_3d,
            binary64: particle_3d,
        },
    },
);

fn particle_3d<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let count = if values.count("directions") == 0 {
        4
    } else {
        8
    };
    let directions = Directions::<S>::pythagorean(count)?;
    let directions = directions.vectors().iter().map(|d| Direction {
        tangent: d.clone(),
        row: Covector::of_dense(d),
    });
    let floor = HalfSpace {
        normal: Covector::new([(2, S::one())]),
        offset: S::zero(),
        directions: directions.collect(),
    };
    let mass = diagonal(&[S::one(), S::one(), S::one()]);
    let weight = vec![S::zero(), S::zero(), -value::<S>(values, "g")];
    let model = HalfSpaces::new(names(&["x", "y", "z"]), mass, weight)?;
    let model = model.contact("particle/floor", value(values, "mu"), floor);
    let (q, v) = (
        vec![S::zero(), S::zero(), value(values, "z0")],
        vec![value(values, "v0x"), value(values, "v0y"), S::zero()],
    );
    Ok(scene(values, model, q, v))
}

pub const WEDGE: Scenario = Scenario::of_motion(
    "wedge",
    InMotion {
        description: "A particle falls into a wedge and comes to rest on both of its sides",
        source: "Stewart and Trinkle 1996, section 3.4; both sides pass through the origin",
        parameters: &[
            any(
                "left",
                "3/4",
                "",
                "steepness of the left side, which falls to the right",
            )
            .nonnegative(),
            any(
                "right",
                "4/3",
                "",
                "steepness of the right side, which rises to the right",
            )
            .nonnegative(),
            mu("3/10"),
            any("x0", "1/10", "m", "x at the start"),
            any("y0", "1/2", "m", "y at the start"),
            any("v0x", "-1/2", "m/s", "velocity along x at the start"),
            any("v0y", "0", "m/s", "velocity along y at the start"),
            h("1/50"),
            steps("40"),
            g("9.8"),
        ],
        builder: Builder {
            kind: |values| pythagorean(values, &["left", "right"]),
            exact: wedge,
            binary64: wedge,
        },
    },
);

fn wedge<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let weight = vec![S::zero(), -value::<S>(values, "g")];
    let mass = diagonal(&[S::one(), S::one()]);
    let falling = -value::<S>(values, "left");
    let model = HalfSpaces::new(names(&["x", "y"]), mass, weight)?
        .contact(
            "particle/left",
            value(values, "mu"),
            line(normal(&falling, arithmetic)?),
        )
        .contact(
            "particle/right",
            value(values, "mu"),
            line(normal(&value(values, "right"), arithmetic)?),
        );
    let vector = |x: &str, y: &str| vec![value(values, x), value(values, y)];
    Ok(scene(
        values,
        model,
        vector("x0", "y0"),
        vector("v0x", "v0y"),
    ))
}

pub const ELLIPSE: Scenario = Scenario::of_motion("ellipse", InMotion {
    description: "A particle inside of a long ellipse: linearised steps multiply its energy, implicit steps never raise it",
    source: "Stewart and Trinkle 1996, section 3.6; f = 1 - x^2/A^2 - y^2, mass 1 kg, start at (0, -1)",
    parameters: &[
        any("A", "30", "m", "half axis along x; the other one is 1 m").positive(),
        any("v0x", "5.7", "m/s", "velocity along x at the start"),
        any("v0y", "1.425", "m/s", "velocity along y at the start"),
        h("1"),
        steps("24"),
        any(
            "scheme",
            "linear",
            "",
            "where n is taken: at q; or at the end of the step, with the closest point unknown, by the fixed point of section 3.6, or by Newton's method on it",
        )
        .choice(&["linear", "implicit", "fixed-point", "newton"]),
    ],
    builder: Builder {
        // Fractions would triple their bits in every step that touches.
        kind: |_| Kind::Grid(256),
        exact: ellipse,
        binary64: ellipse,
    },
});

fn ellipse<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let (implicit, scheme) = match values.count("scheme") {
        0 => (false, Scheme::Linear),
        1 => (true, Scheme::Linear),
        2 => (false, Scheme::FixedPoint),
        _ => (false, Scheme::Newton),
    };
    let system = if implicit {
        super::surfaces::particle_in_ellipse(values)?
    } else {
        let model = Ellipse::new(S::one(), [value(values, "A"), S::one()])?;
        System::StewartTrinkle(Box::new(model))
    };
    let v = vec![value(values, "v0x"), value(values, "v0y")];
    Ok(Scene {
        system,
        start: State::new(vec![S::zero(), S::integer(-1)], v),
        settings: all::<S>(values).with_scheme(scheme),
        steps: values.count("steps") as u64,
    })
}

pub const BOUNCE_CHAIN: Scenario = Scenario::of_motion(
    "settling-chain",
    InMotion {
        description: "Blocks of equal mass fall in a row onto a block that is thrown up, and settle: many impacts, none elastic",
        source: "Stewart and Trinkle 1996, section 3.4, in one dimension; blocks of no height and 1 kg, gaps growing from below",
        parameters: &[
            any("blocks", "5", "", "number of blocks").count(1, 60),
            any(
                "thrown",
                "2",
                "m/s",
                "velocity of the lowest block at the start, upwards",
            ),
            h("1/50"),
            steps("100"),
            g("10"),
        ],
        builder: Builder {
            kind: rational,
            exact: bounce_chain,
            binary64: bounce_chain,
        },
    },
);

fn bounce_chain<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let blocks = values.count("blocks");
    let coordinates = (1..=blocks).map(|i| format!("y{i}")).collect();
    let gravity: S = value(values, "g");
    let weights = vec![-gravity; blocks];
    let masses = vec![S::one(); blocks];
    let mut model = HalfSpaces::new(coordinates, diagonal(&masses), weights)?;
    let mut q = Vec::with_capacity(blocks);
    let mut height = S::zero();
    for i in 0..blocks {
        let below = i.checked_sub(1).map(|below| (below, -S::one()));
        let pair = match i {
            0 => "block 1/ground".to_owned(),
            _ => format!("block {}/block {i}", i + 1),
        };
        let face = HalfSpace {
            normal: Covector::new([(i, S::one())].into_iter().chain(below)),
            offset: S::zero(),
            directions: Vec::new(),
        };
        model = model.contact(pair, S::zero(), face);
        height += &S::ratio(i as i64, 10);
        q.push(height.clone());
    }
    let mut v = vec![S::zero(); blocks];
    v[0] = value(values, "thrown");
    Ok(scene(values, model, q, v))
}

pub const JOINT_SLIDE: Scenario = Scenario::of_motion(
    "joint-slide",
    InMotion {
        description: "A block driven along a rail whose friction belongs to no contact, with a hinged arm on it: held below the limit, moving above it",
        source: "Stewart and Trinkle 1996, section 3.5, equations (30) to (32); M = [[2, 1], [1, 3]]",
        parameters: &[
            any("drive", "5", "N", "force along the rail"),
            any("torque", "0", "N m", "torque at the hinge"),
            any("rail_limit", "3", "N", "largest friction of the rail").nonnegative(),
            any("hinge_limit", "2", "N m", "largest friction of the hinge").nonnegative(),
            any("v0", "0", "m/s", "velocity along the rail at the start"),
            h("1/20"),
            steps("40"),
        ],
        builder: Builder {
            kind: rational,
            exact: joint_slide,
            binary64: joint_slide,
        },
    },
);

fn joint_slide<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let entries = [[2, 1], [1, 3]];
    let mass = Dense::from_fn(2, 2, |i, j| S::integer(entries[i][j]));
    let force = vec![value(values, "drive"), value(values, "torque")];
    let mut model = HalfSpaces::new(names(&["rail", "hinge"]), mass, force)?;
    for (i, (name, limit)) in [("rail", "rail_limit"), ("hinge", "hinge_limit")]
        .into_iter()
        .enumerate()
    {
        let limit: S = value(values, limit);
        model = model.friction(BoundedFriction {
            name: name.to_owned(),
            directions: vec![
                Covector::new([(i, limit.clone())]),
                Covector::new([(i, -limit)]),
            ],
        });
    }
    let v = vec![value(values, "v0"), S::zero()];
    Ok(scene(values, model, vec![S::zero(), S::zero()], v))
}
