//! A particle: on a slope, on a floor, in a wedge, in an ellipse.

use etalon_rigid::{Covector, Dense, Directions, Scalar};
use etalon_time_stepping::models::{Ellipse, HalfSpace, HalfSpaces};
use etalon_time_stepping::{
    Activation, Arithmetic, Binary64, FrictionDirection, Kind, Scheme, Settings, State, StepError,
};
use rug::Rational;

use super::InMotion;
use super::scene::{Builder, GRID, Scene, System, g, h, mu, rational, steps, value};
use super::surfaces::{half_axes, particle_in_ellipse};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::view::{View, elevation, ellipse as outline, float, of_particle, plan};

/// One problem with all contacts in every step: the theory of sections 3.2 and 3.3 as it stands.
pub(super) fn all<S: Scalar>(values: &Values) -> Settings<S> {
    Settings::new(value(values, "h")).with_activation(Activation::All)
}

pub(super) fn scene<S: Scalar>(
    values: &Values,
    model: HalfSpaces<S>,
    q: Vec<S>,
    v: Vec<S>,
) -> Scene<S> {
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
    let direction = |sign: S| FrictionDirection {
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
        builder: Builder::System {
            kind: |values| pythagorean(values, &["slope"]),
            exact: incline,
            binary64: incline,
        },
        view: incline_view,
    },
);

fn incline_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<HalfSpaces<S>, StepError> {
    let weight = vec![S::zero(), -value::<S>(values, "g")];
    let mass = diagonal(&[S::one(), S::one()]);
    let slope = line(normal(&value(values, "slope"), arithmetic)?);
    let model = HalfSpaces::new(names(&["x", "y"]), mass, weight)?;
    Ok(model.contact("particle/slope", value(values, "mu"), slope))
}

fn incline_view(values: &Values) -> Result<Vec<View>, StepError> {
    let model = incline_model(values, &Binary64)?;
    Ok(vec![of_particle(
        elevation("y, m"),
        model.half_spaces(),
        [0, 1],
    )])
}

fn incline<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = incline_model(values, arithmetic)?;
    let (q, v) = (
        vec![S::zero(), S::ratio(1, 4)],
        vec![value(values, "v0"), S::zero()],
    );
    Ok(scene(values, model, q, v))
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
        builder: Builder::System {
            kind: rational,
            exact: particle_3d,
            binary64: particle_3d,
        },
        view: particle_3d_view,
    },
);

fn particle_3d_model<S: Scalar>(values: &Values) -> Result<HalfSpaces<S>, StepError> {
    let count = if values.count("directions") == 0 {
        4
    } else {
        8
    };
    let directions = Directions::<S>::pythagorean(count)?;
    let directions = directions.vectors().iter().map(|d| FrictionDirection {
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
    Ok(model.contact("particle/floor", value(values, "mu"), floor))
}

fn particle_3d_view(values: &Values) -> Result<Vec<View>, StepError> {
    let model = particle_3d_model(values)?;
    let sides = [(elevation("z, m"), [0, 2]), (plan(), [0, 1])];
    let sides = sides.into_iter();
    Ok(sides
        .map(|(view, axes)| of_particle(view, model.half_spaces(), axes))
        .collect())
}

fn particle_3d<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = particle_3d_model(values)?;
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
        builder: Builder::System {
            kind: |values| pythagorean(values, &["left", "right"]),
            exact: wedge,
            binary64: wedge,
        },
        view: wedge_view,
    },
);

fn wedge_model<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<HalfSpaces<S>, StepError> {
    let weight = vec![S::zero(), -value::<S>(values, "g")];
    let mass = diagonal(&[S::one(), S::one()]);
    let falling = -value::<S>(values, "left");
    Ok(HalfSpaces::new(names(&["x", "y"]), mass, weight)?
        .contact(
            "particle/left",
            value(values, "mu"),
            line(normal(&falling, arithmetic)?),
        )
        .contact(
            "particle/right",
            value(values, "mu"),
            line(normal(&value(values, "right"), arithmetic)?),
        ))
}

fn wedge_view(values: &Values) -> Result<Vec<View>, StepError> {
    let model = wedge_model(values, &Binary64)?;
    Ok(vec![of_particle(
        elevation("y, m"),
        model.half_spaces(),
        [0, 1],
    )])
}

fn wedge<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let model = wedge_model(values, arithmetic)?;
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
    builder: Builder::System {
        // Fractions would triple their bits in every step that touches.
        kind: |_| Kind::Grid(256),
        exact: ellipse,
        binary64: ellipse,
    },
    view: ellipse_view,
});

fn ellipse_view(values: &Values) -> Result<Vec<View>, StepError> {
    let [a, b] = half_axes(values);
    let mut wall = outline(float(&a), float(&b));
    wall.extend(wall.first().copied());
    let view = elevation("y, m").line(wall);
    Ok(vec![of_particle(view, &[], [0, 1])])
}

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
        particle_in_ellipse(values)?
    } else {
        let axes = half_axes(values).map(|axis| S::from_rational(&axis));
        let model = Ellipse::new(S::one(), axes)?;
        System::StewartTrinkle(Box::new(model))
    };
    let v = vec![value(values, "v0x"), value(values, "v0y")];
    Ok(Scene {
        system,
        start: State::new(vec![S::zero(), -S::from_rational(&half_axes(values)[1])], v),
        settings: all::<S>(values).with_scheme(scheme),
        steps: values.count("steps") as u64,
    })
}
