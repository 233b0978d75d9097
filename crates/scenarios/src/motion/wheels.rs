//! Wheels in the plane: a disc, and a polygon in its place.

use etalon_rigid::Scalar;
use etalon_time_stepping::models::{BodyDisc, Planar, PlanarBody};
use etalon_time_stepping::{Arithmetic, Binary64, Settings, StepError};
use rug::Rational;

use super::InMotion;
use super::plane::{down, on_line, point, stewart_trinkle, upward};
use super::scene::{
    Builder, Scene, duration, g, grid, h, kept, mu, rational, steps, steps_of_duration, value,
};
use super::surfaces::{RADIUS, rolling_disc};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{View, circle, elevation, of_planar};

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
        builder: Builder::System {
            kind: grid,
            exact: polygon,
            binary64: polygon,
        },
        view: polygon_view,
    },
);

fn vertices<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Vec<BodyDisc<S>>, StepError> {
    let sides = values.count("sides") as u32;
    let vertex = |i: u32| {
        let turns = Rational::from((i, sides)) - Rational::from((1, 4));
        let (cos, sin) = arithmetic.direction(&turns)?;
        Ok(point(format!("vertex {i}"), [cos, sin]))
    };
    (0..sides).map(vertex).collect()
}

fn polygon<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let vertices = vertices(values, arithmetic)?;
    wheel(values, arithmetic, vertices, steps_of_duration(values))
}

fn polygon_view(values: &Values) -> Result<Vec<View>, StepError> {
    let model = wheel_model(values, vertices(values, &Binary64)?)?;
    let look = |body: &PlanarBody<f64>| {
        let corners = body.discs.iter().map(|vertex| vertex.centre);
        (corners.collect(), true)
    };
    Ok(vec![of_planar(elevation("y, m"), &model, look)])
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
    builder: Builder::System {
        kind: |values| match values.count("scheme") {
            0 => rational(values),
            _ => grid(values),
        },
        exact: disc,
        binary64: disc,
    },
    view: disc_view,
});

fn rim<S: Scalar>() -> Vec<BodyDisc<S>> {
    vec![BodyDisc {
        name: "rim".to_owned(),
        centre: [S::zero(), S::zero()],
        radius: S::integer(RADIUS),
    }]
}

fn disc<S: Scalar>(values: &Values, arithmetic: &dyn Arithmetic<S>) -> Result<Scene<S>, StepError> {
    if values.count("scheme") == 1 {
        return rolling_disc(values, arithmetic);
    }
    wheel(values, arithmetic, rim(), values.count("steps") as u64)
}

fn disc_view(values: &Values) -> Result<Vec<View>, StepError> {
    let look = |body: &PlanarBody<f64>| (circle(body.discs[0].radius), true);
    let model = wheel_model(values, rim())?;
    Ok(vec![of_planar(elevation("y, m"), &model, look)])
}

fn wheel_model<S: Scalar>(
    values: &Values,
    discs: Vec<BodyDisc<S>>,
) -> Result<Planar<S>, StepError> {
    let body = PlanarBody {
        name: "wheel".to_owned(),
        mass: S::one(),
        inertia: S::ratio(1, 2),
        discs,
    };
    let model = Planar::new(vec![body], vec![upward("floor")], down(values, "g"))?;
    on_line(model, 0, &value(values, "mu"))
}

fn wheel<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
    discs: Vec<BodyDisc<S>>,
    steps: u64,
) -> Result<Scene<S>, StepError> {
    let model = wheel_model(values, discs)?;
    let v: S = kept(values, "v0", arithmetic);
    Ok(stewart_trinkle(
        model,
        vec![S::zero(), S::integer(RADIUS), S::zero()],
        vec![v.clone(), S::zero(), -v],
        Settings::new(value(values, "h")),
        steps,
    ))
}
