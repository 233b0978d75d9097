//! Frictionless bodies at rest: stacks, beams, boxes on corners, grids, grooves.

use etalon_rigid::{Body2, Body3, Contact, Geometry, Side, Vector};

use crate::build::{FRICTIONLESS, Q, contact2, frac, int, plane, space, xy, xyz};
use crate::instance::{AtRest, Setup};
use crate::parameter::{GRAVITY, Parameter, Values, any};
use crate::registry::Scenario;
use crate::view::rectangle;

const MASS: Parameter = any("mass", "1", "kg", "mass of the body").positive();

const fn inertia(default: &'static str) -> Parameter {
    any(
        "inertia",
        default,
        "kg m^2",
        "moments of inertia about the horizontal axes",
    )
    .positive()
}

const fn offset_x(meaning: &'static str) -> Parameter {
    any("offset_x", "0", "m", meaning)
}
const OFFSET_Y: Parameter = any("offset_y", "0", "m", "the same, along y");
const TORQUE_X: Parameter = any("torque_x", "0", "N m", "torque about x");
const TORQUE_Y: Parameter = any("torque_y", "0", "N m", "torque about y");

pub const STACK: Scenario = Scenario::of_rest(
    "stack",
    AtRest {
        description: "Square blocks of side 2 m on top of each other; every interface carries the weight above it",
        source: "Baraff 1994, sections 3 and 4; three blocks of 1, 2 and 3 kg: forces 60, 50, 30 N",
        parameters: &[
            any("blocks", "3", "", "number of blocks").count(1, 300),
            any("mass", "1", "kg", "mass of the lowest block").positive(),
            any(
                "mass_step",
                "1",
                "kg",
                "by how much the mass grows from block to block",
            )
            .nonnegative(),
            any(
                "mass_ratio",
                "1",
                "",
                "by which factor the mass grows from block to block",
            )
            .positive(),
            any("contacts", "1", "", "contacts at each interface").count(1, 2),
            GRAVITY,
        ],
        build: stack,
    },
)
.with_outline(|| rectangle(2.0, 2.0));

fn stack(values: &Values) -> Setup {
    let mut scene = plane(values);
    let mut mass = values.get("mass");
    let mut below = "ground".to_owned();
    for k in 0..values.count("blocks") {
        let y = int(2 * k as i64);
        let name = format!("block {k}");
        let inertia = frac(2, 3) * &mass;
        scene = scene.body(Body2::new(
            &name,
            mass.clone(),
            inertia,
            xy(0, y.clone() + 1u32),
        ));
        let sides: &[i64] = if values.count("contacts") == 2 {
            &[-1, 1]
        } else {
            &[0]
        };
        for x in sides {
            let label = format!("{name} at {x}");
            scene = scene.contact(contact2(
                label,
                (&name, &below),
                xy(*x, y.clone()),
                xy(0, 1),
            ));
        }
        below = name;
        mass = (mass + values.get("mass_step")) * values.get("mass_ratio");
    }
    Setup::planar(scene, FRICTIONLESS)
}

pub const BEAM: Scenario = Scenario::of_rest(
    "beam",
    AtRest {
        description: "A beam on supports in one line: with more than two, the forces are not unique, the accelerations are",
        source: "Baraff 1994, section 4 (redundant contacts); rank 2 whatever the number of supports",
        parameters: &[
            MASS,
            any("inertia_ratio", "2/3", "m^2", "moment of inertia over mass").positive(),
            any("supports", "3", "", "number of supports").count(1, 300),
            any(
                "first",
                "-1",
                "m",
                "place of the first support, from the centre of mass",
            ),
            any("spacing", "1", "m", "distance of neighbouring supports").positive(),
            any("hole", "0", "m", "additional distance in the middle").nonnegative(),
            any("torque", "0", "N m", "torque on the beam, counterclockwise"),
            GRAVITY,
        ],
        build: beam,
    },
);

fn beam(values: &Values) -> Setup {
    let mass = values.get("mass");
    let inertia = values.get("inertia_ratio") * &mass;
    let mut beam = Body2::new("beam", mass, inertia, xy(0, 1));
    beam.torque = values.get("torque");
    let mut scene = plane(values).body(beam);
    let count = values.count("supports");
    for k in 0..count {
        let mut x = values.get("first") + values.get("spacing") * int(k as i64);
        if 2 * k >= count {
            x += values.get("hole");
        }
        let name = format!("support {k}");
        scene = scene.contact(contact2(name, ("beam", "ground"), xy(x, 0), xy(0, 1)));
    }
    Setup::planar(scene, FRICTIONLESS)
}

pub const BOX_ON_CORNERS: Scenario = Scenario::of_rest(
    "box-on-corners",
    AtRest {
        description: "A box on its four corners: rank 3, so that the forces depend on the order in which contacts are driven",
        source: "Baraff 1994, section 4.4 (singular A); forces (5,0,5,0) or (0,5,0,5) N, no acceleration",
        parameters: &[
            MASS,
            inertia("1/3"),
            offset_x("the centre of mass beside the middle of the corners"),
            OFFSET_Y,
            TORQUE_X,
            TORQUE_Y,
            GRAVITY,
        ],
        build: box_on_corners,
    },
);

fn box_on_corners(values: &Values) -> Setup {
    let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
    let points = corners.map(|(x, y)| (int(x), int(y)));
    on_points(values, points.to_vec())
}

/// A body with contacts at points of the ground below it.
fn on_points(values: &Values, points: Vec<(Q, Q)>) -> Setup {
    let inertia = values.get("inertia");
    let centre = xyz(values.get("offset_x"), values.get("offset_y"), 1);
    let moments = [inertia.clone(), inertia.clone(), inertia];
    let mut body = Body3::new("box", values.get("mass"), moments, centre);
    body.torque = xyz(values.get("torque_x"), values.get("torque_y"), 0);
    let mut scene = space(xyz(0, 0, -values.get("g"))).body(body);
    for (k, (x, y)) in points.into_iter().enumerate() {
        let name = format!("corner {k}");
        scene = scene.contact(Contact::new(
            name,
            "box",
            "ground",
            xyz(x, y, 0),
            Vector::axis(2),
        ));
    }
    Setup::spatial(scene, FRICTIONLESS)
}

pub const GRID: Scenario = Scenario::of_rest(
    "grid",
    AtRest {
        description: "A plate on a grid of supports: many forces, one acceleration",
        source: "Baraff 1994, section 4.4; rank 3 whatever the number of supports",
        parameters: &[
            any("rows", "3", "", "supports along y").count(1, 30),
            any("columns", "3", "", "supports along x").count(1, 30),
            MASS,
            inertia("2/3"),
            offset_x("the centre of mass beside the middle of the grid"),
            OFFSET_Y,
            TORQUE_X,
            TORQUE_Y,
            GRAVITY,
        ],
        build: grid,
    },
);

fn grid(values: &Values) -> Setup {
    let (rows, columns) = (values.count("rows"), values.count("columns"));
    let along = |k: usize, count: usize| match count {
        1 => int(0),
        _ => frac(2 * k as i64, count as i64 - 1) - 1u32,
    };
    let points =
        (0..rows).flat_map(|i| (0..columns).map(move |j| (along(j, columns), along(i, rows))));
    on_points(values, points.collect())
}

pub const GROOVE: Scenario = Scenario::of_rest(
    "groove",
    AtRest {
        description: "A ball in a groove of two planes",
        source: "closed form: in a right-angled 3-4-5 groove the forces are the components of the weight",
        parameters: &[
            MASS,
            any(
                "right_angled",
                "1",
                "",
                "1 for planes at a right angle, 0 for a symmetric groove",
            )
            .count(0, 1),
            GRAVITY,
        ],
        build: groove,
    },
);

fn groove(values: &Values) -> Setup {
    let mass = values.get("mass");
    let inertia = mass.clone() * frac(2, 5);
    let mut scene = plane(values).body(Body2::new("ball", mass, inertia, xy(0, 0)));
    let normals = if values.is_set("right_angled") {
        [xy(frac(3, 5), frac(4, 5)), xy(frac(-4, 5), frac(3, 5))]
    } else {
        [xy(frac(3, 5), frac(4, 5)), xy(frac(-3, 5), frac(4, 5))]
    };
    for (side, normal) in ["left", "right"].into_iter().zip(normals) {
        let face = Geometry::Face {
            of: Side::Second,
            radius: int(1),
        };
        let contact = contact2(side, ("ball", "ground"), -&normal, normal).with_geometry(face);
        scene = scene.contact(contact);
    }
    Setup::planar(scene, FRICTIONLESS)
}

pub const OUTSIDE_RANGE: Scenario = Scenario::of_rest(
    "b-outside-range",
    AtRest {
        description: "A spinning body whose two tips run into opposite walls: velocity terms put b outside the range of A, and no forces exist",
        source: "A = [[1,-1],[-1,1]], b = (-1,-1): the assumption under Baraff's theorems fails",
        parameters: &[
            any("angular_velocity", "1", "rad/s", "of the body"),
            MASS,
            any(
                "arm",
                "1",
                "m",
                "distance of the tips from the centre of mass",
            )
            .positive(),
        ],
        build: outside_range,
    },
);

fn outside_range(values: &Values) -> Setup {
    let body = Body2::new("spinner", values.get("mass"), int(1), xy(0, 0))
        .moving(Vector::zero(), values.get("angular_velocity"));
    let mut scene = plane(values).body(body);
    for (name, sign) in [("right", 1), ("left", -1)] {
        // The free side of each wall is the far one: the tip hooks behind it.
        let point = xy(values.get("arm") * int(sign), 0);
        scene = scene.contact(contact2(name, ("spinner", "ground"), point, xy(sign, 0)));
    }
    Setup::planar(scene, FRICTIONLESS)
}
