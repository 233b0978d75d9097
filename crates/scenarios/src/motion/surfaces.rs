//! Bodies with implicit surfaces.

use etalon_rigid::Scalar;
use etalon_time_stepping::implicit::{Body, Mobility, Pair, Shape, System as Bodies};
use etalon_time_stepping::{Arithmetic, Settings, State, StepError};
use rug::Rational;

use super::InMotion;
use super::scene::{Builder, Scene, System, g, grid, h, kept, mu, steps, value};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{Mark, Placement, UP, View, at, circle, elevation, ellipse, float, plan};

const SOURCE: &str =
    "Chakraborty, Berard, Akella and Trinkle 2007, after Trinkle and Nguyen, MOPTA 2007";

/// The radius of the wheel, m: of the disc, and of the circle about the polygon.
pub(super) const RADIUS: i64 = 1;

/// The half axes of the ellipse, m.
pub(super) fn half_axes(values: &Values) -> [Rational; 2] {
    [values.get("A"), Rational::from(1)]
}

/// A half-plane or half-space that is fixed.
fn fixed(name: &str, normal: Vec<Rational>) -> Body {
    let place = match normal.len() {
        2 => vec![Rational::new(); 3],
        _ => (0..7).map(|i| Rational::from(i32::from(i == 3))).collect(),
    };
    Body {
        name: name.to_owned(),
        mass: Rational::new(),
        shape: Shape::HalfSpace {
            normal,
            offset: Rational::new(),
        },
        mobility: Mobility::Fixed(place),
    }
}

fn ellipsoid(name: &str, half_axes: Vec<Rational>, inertia: Vec<Rational>) -> Body {
    Body {
        name: name.to_owned(),
        mass: Rational::from(1),
        shape: Shape::Ellipsoid { half_axes },
        mobility: Mobility::Rigid { inertia },
    }
}

/// One body that may touch the other.
fn two(gravity: Vec<Rational>, bodies: [Body; 2], mu: Rational) -> Result<Bodies, StepError> {
    let pair = Pair {
        first: 0,
        second: 1,
        mu,
        torsion: Rational::new(),
    };
    Bodies::new(gravity, bodies.to_vec(), vec![pair])
}

fn scene<S: Scalar>(values: &Values, system: Bodies, q: Vec<S>, v: Vec<S>) -> Scene<S> {
    Scene {
        system: System::ChakrabortyBerard(Box::new(system)),
        start: State::new(q, v),
        settings: Settings::new(value(values, "h")),
        steps: values.count("steps") as u64,
    }
}

/// A particle inside of the ellipse of half axes A and 1.
pub fn particle_in_ellipse<S>(values: &Values) -> Result<System<S>, StepError> {
    let particle = Body {
        name: "particle".to_owned(),
        mass: Rational::from(1),
        shape: Shape::Point,
        mobility: Mobility::Particle,
    };
    let cavity = Body {
        name: "ellipse".to_owned(),
        mass: Rational::new(),
        shape: Shape::Cavity {
            half_axes: half_axes(values).to_vec(),
        },
        mobility: Mobility::Fixed(vec![Rational::new(); 3]),
    };
    let system = two(
        vec![Rational::new(); 2],
        [particle, cavity],
        Rational::new(),
    )?;
    Ok(System::ChakrabortyBerard(Box::new(system)))
}

/// The disc of radius 1 that rolls on a floor.
pub fn rolling_disc<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let disc = ellipsoid(
        "wheel",
        vec![Rational::from(RADIUS); 2],
        vec![Rational::from((1, 2))],
    );
    let floor = fixed("floor", vec![Rational::new(), Rational::from(1)]);
    let gravity = vec![Rational::new(), -values.get("g")];
    let system = two(gravity, [disc, floor], values.get("mu"))?;
    let v: S = kept(values, "v0", arithmetic);
    let q = vec![S::zero(), S::integer(RADIUS), S::zero()];
    Ok(scene(values, system, q, vec![v.clone(), S::zero(), -v]))
}

const fn axis(name: &'static str, default: &'static str) -> Parameter {
    any(name, default, "m", "half axis").positive()
}

const fn omega(name: &'static str, default: &'static str) -> Parameter {
    any(name, default, "rad/s", "angular velocity at the start")
}

const DROP: Parameter = any("drop", "0", "m", "distance to the ground at the start").nonnegative();

pub const ROLLING_ELLIPSE: Scenario = Scenario::of_motion(
    "rolling-ellipse",
    InMotion {
        description: "An ellipse rocks, rolls or slides on a floor, its closest point an unknown of every step, each step proved",
        source: SOURCE,
        parameters: &[
            axis("a", "2"),
            axis("b", "1"),
            any(
                "theta0",
                "30",
                "degrees",
                "angle of the half axis a at the start",
            ),
            DROP,
            any("v0", "0", "m/s", "velocity along x at the start"),
            omega("omega0", "0"),
            mu("1/2"),
            h("1/100"),
            steps("200"),
            g("9.81"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: rolling_ellipse,
            binary64: rolling_ellipse,
        },
        view: rolling_ellipse_view,
    },
);

fn rolling_ellipse_view(values: &Values) -> Result<Vec<View>, StepError> {
    let [a, b] = ["a", "b"].map(|name| float(&values.get(name)));
    let place = Placement::Plane([at(0), at(1), at(2)]);
    let view = elevation("y, m").ground(UP, 0.0);
    Ok(vec![view.body("ellipse", ellipse(a, b), place)])
}

fn rolling_ellipse<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let axes = [values.get("a"), values.get("b")];
    let squares = axes.each_ref().map(|axis| axis.clone().square());
    let inertia = Rational::from(&squares[0] + &squares[1]) / 4u32;
    let body = ellipsoid("ellipse", axes.to_vec(), vec![inertia]);
    let floor = fixed("floor", vec![Rational::new(), Rational::from(1)]);
    let gravity = vec![Rational::new(), -values.get("g")];
    let system = two(gravity, [body, floor], values.get("mu"))?;
    let theta = arithmetic.angle(&(values.get("theta0") / 360u32))?;
    let (sin, cos) = arithmetic.sin_cos(&theta)?;
    // How far the ellipse reaches down.
    let [a, b] = squares.each_ref().map(S::from_rational);
    let height = arithmetic.sqrt(&(a * &sin.squared() + b * &cos.squared()))?;
    let height = arithmetic.round(height + &kept(values, "drop", arithmetic));
    let v = [
        kept(values, "v0", arithmetic),
        S::zero(),
        kept(values, "omega0", arithmetic),
    ];
    Ok(scene(
        values,
        system,
        vec![S::zero(), height, theta],
        v.to_vec(),
    ))
}

pub const IMPLICIT_SPHERE: Scenario = Scenario::of_motion(
    "implicit-sphere",
    InMotion {
        description: "A sphere rolls or slides down a slope: rolling at 5/7 of the free acceleration where friction holds it",
        source: SOURCE,
        parameters: &[
            any(
                "slope",
                "3/4",
                "",
                "the tangent of the slope's angle; it falls along x",
            )
            .nonnegative(),
            axis("radius", "1"),
            any(
                "v0",
                "0",
                "m/s",
                "velocity across the slope, along y, at the start",
            ),
            mu("1/2"),
            h("1/100"),
            steps("100"),
            g("10"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: sphere_on_slope,
            binary64: sphere_on_slope,
        },
        view: sphere_view,
    },
);

/// Upwards from the slope, of any length.
fn off_the_slope(values: &Values) -> [Rational; 3] {
    [values.get("slope"), Rational::new(), Rational::from(1)]
}

/// An ellipsoid from the side and from above.
fn shadows(name: &str, axes: [f64; 3]) -> [View; 2] {
    let shadow = |onto| Placement::Shadow { axes, onto };
    [
        elevation("z, m").body(name, circle(1.0), shadow([0, 2])),
        plan().body(name, circle(1.0), shadow([0, 1])),
    ]
}

fn sphere_view(values: &Values) -> Result<Vec<View>, StepError> {
    let radius = float(&values.get("radius"));
    let [x, _, z] = off_the_slope(values).map(|entry| float(&entry));
    let length = x.hypot(z);
    let normal = [x / length, z / length];
    let [elevation, plan] = shadows("sphere", [radius; 3]);
    let mark = Mark::Fixed {
        body: 0,
        at: [0.0; 2],
        radius,
        normal,
    };
    Ok(vec![elevation.ground(normal, 0.0).marks([mark]), plan])
}

fn sphere_on_slope<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let radius = values.get("radius");
    let inertia = radius.clone().square() * 2u32 / 5u32;
    let sphere = ellipsoid("sphere", vec![radius.clone(); 3], vec![inertia; 3]);
    let slope = values.get("slope");
    let ground = fixed("slope", off_the_slope(values).to_vec());
    let gravity = vec![Rational::new(), Rational::new(), -values.get("g")];
    let system = two(gravity, [sphere, ground], values.get("mu"))?;
    let slope = S::from_rational(&slope);
    let length = arithmetic.sqrt(&(slope.squared() + S::one()))?;
    let radius = S::from_rational(&radius);
    let reach = radius / &length;
    let mut q = vec![
        arithmetic.round(slope * &reach),
        S::zero(),
        arithmetic.round(reach),
        S::one(),
    ];
    q.extend([S::zero(), S::zero(), S::zero()]);
    let mut v = vec![S::zero(); 6];
    v[1] = kept(values, "v0", arithmetic);
    Ok(scene(values, system, q, v))
}

pub const ELLIPSOID: Scenario = Scenario::of_motion(
    "ellipsoid",
    InMotion {
        description: "An ellipsoid spins and tumbles on a floor with the circular friction cone, its closest point an unknown of every step",
        source: SOURCE,
        parameters: &[
            axis("a", "1"),
            axis("b", "3/4"),
            axis("c", "1/2"),
            DROP,
            any("v0", "1", "m/s", "velocity along x at the start"),
            omega("omega_x", "0"),
            omega("omega_y", "1"),
            omega("omega_z", "2"),
            mu("1/2"),
            h("1/100"),
            steps("50"),
            g("9.81"),
        ],
        builder: Builder::System {
            kind: grid,
            exact: tumbling_ellipsoid,
            binary64: tumbling_ellipsoid,
        },
        view: ellipsoid_view,
    },
);

fn ellipsoid_view(values: &Values) -> Result<Vec<View>, StepError> {
    let axes = ["a", "b", "c"].map(|name| float(&values.get(name)));
    let [elevation, plan] = shadows("ellipsoid", axes);
    Ok(vec![elevation.ground(UP, 0.0), plan])
}

fn tumbling_ellipsoid<S: Scalar>(
    values: &Values,
    arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let axes = ["a", "b", "c"].map(|name| values.get(name));
    let squares = axes.each_ref().map(|axis| axis.clone().square());
    let inertia = |i: usize, j: usize| Rational::from(&squares[i] + &squares[j]) / 5u32;
    let inertia = vec![inertia(1, 2), inertia(0, 2), inertia(0, 1)];
    let body = ellipsoid("ellipsoid", axes.to_vec(), inertia);
    let floor = [0, 0, 1].map(Rational::from).to_vec();
    let gravity = vec![Rational::new(), Rational::new(), -values.get("g")];
    let system = two(gravity, [body, fixed("floor", floor)], values.get("mu"))?;
    let height = arithmetic.round(value::<S>(values, "c") + &value(values, "drop"));
    let mut q = vec![S::zero(), S::zero(), height, S::one()];
    q.extend([S::zero(), S::zero(), S::zero()]);
    let [x, y, z] = ["omega_x", "omega_y", "omega_z"].map(|name| kept(values, name, arithmetic));
    let v = kept(values, "v0", arithmetic);
    Ok(scene(
        values,
        system,
        q,
        vec![v, S::zero(), S::zero(), x, y, z],
    ))
}
