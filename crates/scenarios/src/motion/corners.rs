//! Corners that point out of an obstacle: one beside a particle, two at the sides of a hole.

use etalon_rigid::{Covector, MassMatrix, Rotation2, Scalar};
use etalon_time_stepping::corner::{Corners, Face, Obstacle};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{Arithmetic, FrictionDirection, State, StepError};
use rug::Rational;

use super::InMotion;
use super::particles::{all, diagonal, names};
use super::scene::{Builder, Scene, System, g, h, mu, rational, steps, value};
use crate::parameter::{Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::{Placement, View, at, of_obstacles, of_particle, still};

const FORMULATION: Parameter = any(
    "formulation",
    "et",
    "",
    "Stewart-Trinkle with both half-spaces, or Egan-Trinkle",
)
.choice(&["st", "et"]);

/// A body of the plane that does not turn, among obstacles.
struct Body<S> {
    name: &'static str,
    mass: S,
    obstacles: Vec<Obstacle<S>>,
}

/// A face with friction along both ways of its tangent, which has the normal on its left.
fn face<S: Scalar>(values: &Values, name: String, normal: [S; 2], offset: S) -> Face<S> {
    let [x, y] = &normal;
    let direction = |sign: S| FrictionDirection {
        row: Covector::of_dense(&[y.clone() * &sign, -x.clone() * &sign]),
        tangent: vec![sign],
    };
    let mu: S = value(values, "mu");
    let directions = if mu.is_zero() {
        Vec::new()
    } else {
        vec![direction(S::one()), direction(-S::one())]
    };
    Face::smooth(name, Covector::of_dense(&normal), offset).rough(mu, directions)
}

impl<S: Scalar> Body<S> {
    /// With all half-spaces of all obstacles, or outside of one face of each.
    fn system(self, values: &Values) -> Result<System<S>, StepError> {
        let mass = diagonal(&[self.mass.clone(), self.mass.clone()]);
        let force = vec![S::zero(), -(value::<S>(values, "g") * &self.mass)];
        let coordinates = names(&["x", "y"]);
        if values.count("formulation") == 0 {
            let mut model = HalfSpaces::new(coordinates, mass, force)?;
            for face in self.obstacles.iter().flat_map(Obstacle::faces) {
                let half_space = HalfSpace {
                    normal: face.normal.clone(),
                    offset: face.offset.clone(),
                    directions: face.directions.clone(),
                };
                model = model.contact(face.name.clone(), face.mu.clone(), half_space);
            }
            return Ok(System::StewartTrinkle(Box::new(model)));
        }
        let mut block = MassMatrix::empty();
        block.push(self.name, mass)?;
        Ok(System::EganTrinkle(Box::new(Corners {
            mass: block,
            force,
            coordinates,
            obstacles: self.obstacles,
        })))
    }
}

/// A view whose title says the formulation.
fn titled(values: &Values, half_spaces: &str, corners: &str) -> View {
    let title = match values.count("formulation") {
        0 => format!("Stewart-Trinkle: {half_spaces}"),
        _ => format!("Egan-Trinkle: {corners}"),
    };
    View::new(&title, "x, m", "y, m")
}

pub const CORNER: Scenario = Scenario::of_motion(
    "corner",
    InMotion {
        description: "A particle at a corner that points out of an obstacle: two half-spaces block it where it should pass, one of two gaps lets it",
        source: "Egan and Trinkle after Trinkle and Nguyen, MOPTA 2007; mass 2 kg, the obstacle is x < 0, y < 0, or the ground below a roof of slope 3/4; or, in their demonstration, a ramp of slope 3/4 that ends at x = 1 and is run up and over",
        parameters: &[
            FORMULATION,
            any("start", "beside", "", "where the particle starts").choice(&[
                "beside",
                "on-top",
                "into-corner",
                "roof",
                "ramp",
            ]),
            mu("0"),
            h("1/8"),
            steps("8"),
            g("10"),
        ],
        builder: Builder::System {
            kind: rational,
            exact: corner,
            binary64: corner,
        },
        view: corner_view,
    },
);

/// Position and velocity of each start.
const STARTS: [[(i64, i64); 4]; 5] = [
    [(1, 4), (1, 8), (0, 1), (-2, 1)],
    [(-1, 4), (1, 8), (0, 1), (-2, 1)],
    [(1, 4), (1, 4), (-3, 1), (-2, 1)],
    [(1, 1), (0, 1), (0, 1), (-1, 1)],
    [(1, 4), (3, 16), (4, 1), (3, 1)],
];

fn corner_body<S: Scalar>(values: &Values) -> Body<S> {
    let start = values.count("start").min(4);
    let normals = match start {
        3 => [[(3, 5), (4, 5)], [(-3, 5), (4, 5)]],
        4 => [[(-3, 5), (4, 5)], [(1, 1), (0, 1)]],
        _ => [[(0, 1), (1, 1)], [(1, 1), (0, 1)]],
    };
    let [first, second] = normals.map(|n| n.map(|(n, d)| S::ratio(n, d)));
    let end = S::integer(i64::from(start == 4));
    Body {
        name: "particle",
        mass: S::integer(2),
        obstacles: vec![Obstacle::Corner(vec![
            face(values, "particle/face 1".to_owned(), first, S::zero()),
            face(values, "particle/face 2".to_owned(), second, end),
        ])],
    }
}

fn corner_view(values: &Values) -> Result<Vec<View>, StepError> {
    let view = titled(values, "two half-spaces", "one corner");
    let body = corner_body::<f64>(values);
    let view = of_obstacles(view, &body.obstacles, &[[0.0; 2]]);
    Ok(vec![of_particle(view, &[], [0, 1])])
}

fn corner<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let start = values.count("start").min(4);
    let [x, y, vx, vy] = STARTS[start].map(|(n, d)| S::ratio(n, d));
    Ok(Scene {
        system: corner_body::<S>(values).system(values)?,
        start: State::new(vec![x, y], vec![vx, vy]),
        settings: all(values),
        steps: values.count("steps") as u64,
    })
}

pub const HOLE: Scenario = Scenario::of_motion("hole", InMotion {
    description: "A peg falls beside a hole, and slides over its rim and down to the ground in it: two corners, of which half-spaces let nothing through; too wide a peg jams between both, and friction holds it on the rim",
    source: "Egan and Trinkle after Trinkle and Nguyen, MOPTA 2007, who show it without figures; the peg is an upright rectangle of 2 kg that does not turn, (x, y) the middle of its lower side; the hole lies between x = 0 and its width, its rims begin at y = 0",
    parameters: &[
        FORMULATION,
        any("hole", "1", "m", "width of the hole").positive(),
        any("peg", "3/4", "m", "width of the peg").positive(),
        any("depth", "1", "m", "depth of the hole").positive(),
        any(
            "half_angle",
            "1/3",
            "",
            "tangent of half the angle by which the rims fall towards the hole; 0 is level ground, 1/3 the slope 3/4",
        )
        .up_to_one(),
        any("x0", "1/4", "m", "x at the start"),
        any("y0", "1/2", "m", "y at the start"),
        any("v0x", "0", "m/s", "velocity along x at the start"),
        any("v0y", "-1", "m/s", "velocity along y at the start"),
        mu("0"),
        h("1/16"),
        steps("24"),
        g("10"),
    ],
    builder: Builder::System {
        kind: rational,
        exact: hole,
        binary64: hole,
    },
    view: hole_view,
});

/// Half the width of the peg, m: its lower corners are so far from (x, y).
fn half_peg<S: Scalar>(values: &Values) -> S {
    value::<S>(values, "peg") / &S::integer(2)
}

/// What keeps the peg's lower corners out of the ground, said of the middle between them.
fn hole_body<S: Scalar>(values: &Values) -> Body<S> {
    let rim = Rotation2::<Rational>::from_half_angle(&values.get("half_angle"));
    let (sin, cos) = (S::from_rational(rim.sin()), S::from_rational(rim.cos()));
    let half = half_peg::<S>(values);
    // A side at x = place, its ground where x is less (1) or more (-1).
    let side = |name: &str, place: S, sign: S| {
        let reach = place * &sign + &half;
        Obstacle::Corner(vec![
            face(
                values,
                format!("peg/{name} rim"),
                [sign.clone() * &sin, cos.clone()],
                reach.clone() * &sin,
            ),
            face(values, format!("peg/{name} wall"), [sign, S::zero()], reach),
        ])
    };
    let ground = face(
        values,
        "peg/ground".to_owned(),
        [S::zero(), S::one()],
        -value::<S>(values, "depth"),
    );
    Body {
        name: "peg",
        mass: S::integer(2),
        obstacles: vec![
            side("left", S::zero(), S::one()),
            side("right", value(values, "hole"), -S::one()),
            Obstacle::Wall(ground),
        ],
    }
}

/// The peg is drawn as high as 1 m; its height decides nothing.
fn hole_view(values: &Values) -> Result<Vec<View>, StepError> {
    let half = half_peg::<f64>(values);
    let body = hole_body::<f64>(values);
    let view = titled(values, "half-spaces", "two corners");
    let view = of_obstacles(
        view,
        &body.obstacles,
        &[[-half, 0.0], [half, 0.0], [0.0; 2]],
    );
    let outline = vec![[-half, 0.0], [half, 0.0], [half, 1.0], [-half, 1.0]];
    let place = Placement::Plane([at(0), at(1), still(0.0)]);
    Ok(vec![view.body(body.name, outline, place)])
}

fn hole<S: Scalar>(
    values: &Values,
    _arithmetic: &dyn Arithmetic<S>,
) -> Result<Scene<S>, StepError> {
    let vector = |x: &str, y: &str| vec![value(values, x), value(values, y)];
    Ok(Scene {
        system: hole_body::<S>(values).system(values)?,
        start: State::new(vector("x0", "y0"), vector("v0x", "v0y")),
        settings: all(values),
        steps: values.count("steps") as u64,
    })
}
