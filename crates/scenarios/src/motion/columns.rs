//! Blocks above each other, and a block on a rail with an arm: systems with constant data.

use etalon_rigid::{Covector, Dense, Scalar};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{Arithmetic, BoundedFriction, StepError};

use super::InMotion;
use super::particles::{diagonal, names, scene};
use super::scene::{Builder, Scene, g, h, rational, steps, value};
use crate::parameter::{Values, any};
use crate::registry::Scenario;
use crate::view::{Mark, Placement, THIN, UP, View, at, capsule, rectangle, still};

/// How high blocks of no height are drawn, m.
const PLATE: f64 = 0.01;

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
        builder: Builder::System {
            kind: rational,
            exact: stack_drop,
            binary64: stack_drop,
        },
        view: |_| Ok(vec![column(3, BLOCK as f64)]),
    },
);

/// The height of a block, m.
const BLOCK: i64 = 1;

/// Blocks above each other, each at its own height; forces act from below.
fn column(count: usize, height: f64) -> View {
    let mut view = View::new("Elevation", "", "y, m").ground(UP, 0.0);
    for k in 0..count {
        let place = Placement::Plane([still(0.0), at(k).plus(height / 2.0), still(0.0)]);
        view = view.body(format!("block {}", k + 1), rectangle(1.0, height), place);
    }
    view.marks((0..count).map(|body| Mark::Fixed {
        body,
        at: [0.0, -height / 2.0],
        radius: 0.0,
        normal: UP,
    }))
}

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
            offset: S::integer(if i > 0 { BLOCK } else { 0 }),
            directions: Vec::new(),
        };
        model = model.contact(pair, S::zero(), face);
    }
    let mut height = S::zero();
    let mut q = Vec::with_capacity(3);
    for gap in ["drop", "first_gap", "second_gap"] {
        height += &value(values, gap);
        q.push(height.clone());
        height += &S::integer(BLOCK);
    }
    Ok(scene(values, model, q, vec![S::zero(); 3]))
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
        builder: Builder::System {
            kind: rational,
            exact: bounce_chain,
            binary64: bounce_chain,
        },
        // Its blocks have no height: they are drawn as plates that lie on each other.
        view: |values| Ok(vec![column(values.count("blocks"), PLATE)]),
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
        builder: Builder::System {
            kind: rational,
            exact: joint_slide,
            binary64: joint_slide,
        },
        view: joint_view,
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
        model = model.friction(BoundedFriction::of_forces(
            name.to_owned(),
            vec![
                Covector::new([(i, limit.clone())]),
                Covector::new([(i, -limit)]),
            ],
        ));
    }
    let v = vec![value(values, "v0"), S::zero()];
    Ok(scene(values, model, vec![S::zero(), S::zero()], v))
}

/// A block on a rail, with an arm on a hinge: what is drawn is larger than what is stepped, which has no
/// size.
fn joint_view(_: &Values) -> Result<Vec<View>, StepError> {
    let view = View::new("From above", "x, m", "y, m").line(vec![[-1.0, 0.0], [8.0, 0.0]]);
    let block = Placement::Plane([at(0), still(0.0), still(0.0)]);
    let arm = Placement::Plane([at(0), still(0.0), at(1)]);
    let bar = capsule(0.3, THIN).into_iter();
    let bar = bar.map(|[x, y]| [x + 0.3, y]).collect();
    let view = view.body("block", rectangle(0.4, 0.25), block);
    Ok(vec![view.body("arm", bar, arm)])
}
