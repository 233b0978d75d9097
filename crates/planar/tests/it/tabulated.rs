//! Why `roller_hump_test` ends beside its record: the source follows a table of points in place of the curve. The step of that one
//! case, written once more for this one body, ends where the engine does on the curve, and where the record does on such a table.

#![allow(clippy::unwrap_used)]

use etalon_planar::{World, WorldSpec};

/// x, vx, y, vy, angle, rate.
type State = [f64; 6];

/// At the foot of a point: the tangent, and how the normal turns by the way along the curve.
type Foot = ([f64; 2], [f64; 2]);

const STEP: f64 = 0.025;
const GRAVITY: f64 = 3.0;
const INERTIA: f64 = 0.833_333_333_333_333_4;
/// The held point in the block, which has 1 kg.
const BELOW: f64 = 0.9;
const START: State = [
    -3.351_697_803_256_756,
    0.0,
    4.094_574_489_570_313,
    0.0,
    std::f64::consts::FRAC_PI_4,
    0.0,
];
/// What the source's own run on Node 20 ended in.
const RECORD: State = [
    0.993_047_510_169_672,
    0.703_343_558_440_817,
    3.180_477_711_988_33,
    -2.093_871_666_798_32,
    6.084_699_048_621_02,
    0.854_280_187_352_694,
];

/// The hump, and its slope and bend.
fn hump(x: f64) -> [f64; 3] {
    let height = 3.0 + x * x * (x * x - 7.0) / 6.0;
    [
        height,
        (4.0 * x * x * x - 14.0 * x) / 6.0,
        (12.0 * x * x - 14.0) / 6.0,
    ]
}

/// x of the foot of a point.
fn foot_of([px, py]: [f64; 2]) -> f64 {
    let mut x = px;
    for _ in 0..20 {
        let [y, slope, bend] = hump(x);
        x -= (x - px + (y - py) * slope) / (1.0 + slope * slope + (y - py) * bend);
    }
    x
}

fn on_curve(point: [f64; 2]) -> Foot {
    let [_, slope, bend] = hump(foot_of(point));
    let length = slope.hypot(1.0);
    let tangent = [1.0 / length, slope / length];
    let turning = -bend / length.powi(3);
    (tangent, tangent.map(|own| turning * own))
}

/// Points at even steps of x, with the ways along the chords between them, and derivatives by these through three points.
struct Table {
    along: Vec<f64>,
    points: [Vec<f64>; 2],
    tangents: [Vec<f64>; 2],
    turning: [Vec<f64>; 2],
}

impl Table {
    const POINTS: usize = 9000;

    fn new() -> Self {
        let xs = (0..Self::POINTS).map(|k| -3.0 + 6.0 * k as f64 / (Self::POINTS - 1) as f64);
        let xs: Vec<f64> = xs.collect();
        let ys: Vec<f64> = xs.iter().map(|x| hump(*x)[0]).collect();
        let mut along = vec![0.0];
        for k in 1..Self::POINTS {
            along.push(along[k - 1] + (xs[k] - xs[k - 1]).hypot(ys[k] - ys[k - 1]));
        }
        let points = [xs, ys];
        let tangents = points.each_ref().map(|own| slopes(&along, own));
        let normal = |sign: f64, axis: usize| -> Vec<f64> {
            let both = tangents[0].iter().zip(&tangents[1]);
            both.map(|(a, b)| sign * [a, b][axis] / a.hypot(*b))
                .collect()
        };
        let turning = [normal(-1.0, 1), normal(1.0, 0)].map(|own| slopes(&along, &own));
        Self {
            along,
            points,
            tangents,
            turning,
        }
    }

    /// The cubic through the four points about a way.
    fn at(&self, values: &[f64], p: f64) -> f64 {
        let k = self
            .along
            .partition_point(|own| *own <= p)
            .saturating_sub(2);
        let k = k.min(Self::POINTS - 4);
        let term = |i: usize| {
            let others = (k..k + 4).filter(|j| *j != i);
            let (p, own) = (p, &self.along);
            values[i]
                * others
                    .map(|j| (p - own[j]) / (own[i] - own[j]))
                    .product::<f64>()
        };
        (k..k + 4).map(term).sum()
    }

    fn foot(&self, point: [f64; 2]) -> Foot {
        let far = |p: f64| {
            let [x, y] = self.points.each_ref().map(|own| self.at(own, p));
            (x - point[0]).powi(2) + (y - point[1]).powi(2)
        };
        let share = (foot_of(point) + 3.0) / 6.0;
        let nearest = (share * (Self::POINTS - 1) as f64).round() as usize;
        let [before, after] = [nearest - 3, nearest + 3];
        let (mut low, mut high) = (self.along[before], self.along[after]);
        for _ in 0..45 {
            let third = (high - low) / 3.0;
            if far(low + third) < far(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let p = f64::midpoint(low, high);
        let [a, b] = self.tangents.each_ref().map(|own| self.at(own, p));
        let length = a.hypot(b);
        let turning = self.turning.each_ref().map(|own| self.at(own, p));
        ([a / length, b / length], turning)
    }
}

/// Derivatives by the way, of the parabolas through three points each.
fn slopes(along: &[f64], values: &[f64]) -> Vec<f64> {
    let last = along.len() - 1;
    let one = |k: usize| {
        let middle = k.clamp(1, last - 1);
        let [a, b, c] = [middle - 1, middle, middle + 1];
        let part = |i: usize, j: usize, l: usize| {
            values[i] * (2.0 * along[k] - along[j] - along[l])
                / ((along[i] - along[j]) * (along[i] - along[l]))
        };
        part(a, b, c) + part(b, a, c) + part(c, a, b)
    };
    (0..=last).map(one).collect()
}

/// The rates of a state: gravity, and the force that stops the held point across the curve within a step.
fn rates([_, vx, _, vy, _, w]: State, foot: &Foot, arm: [f64; 2]) -> State {
    let (tangent, turning) = *foot;
    let normal = [-tangent[1], tangent[0]];
    let velocity = [vx - w * arm[1], vy + w * arm[0]];
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let free = [-w * w * arm[0], -GRAVITY - w * w * arm[1]];
    let asked = dot(normal, velocity) / STEP
        + dot(tangent, velocity) * dot(turning, velocity)
        + dot(normal, free);
    let lever = arm[0] * normal[1] - arm[1] * normal[0];
    let force = -asked / (1.0 + lever * lever / INERTIA);
    [
        vx,
        force * normal[0],
        vy,
        force * normal[1] - GRAVITY,
        w,
        force * lever / INERTIA,
    ]
}

/// The state after 4 s by Runge-Kutta.
fn end(foot: impl Fn([f64; 2]) -> Foot) -> State {
    let rates = |state: State| {
        let arm = [BELOW * state[4].sin(), -BELOW * state[4].cos()];
        rates(state, &foot([state[0] + arm[0], state[2] + arm[1]]), arm)
    };
    let moved = |state: State, rate: State, h: f64| -> State {
        std::array::from_fn(|i| state[i] + h * rate[i])
    };
    let mut state = START;
    for _ in 0..160 {
        let a = rates(state);
        let b = rates(moved(state, a, STEP / 2.0));
        let c = rates(moved(state, b, STEP / 2.0));
        let d = rates(moved(state, c, STEP));
        state = std::array::from_fn(|i| {
            state[i] + STEP / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i])
        });
    }
    state
}

fn apart(one: State, other: State) -> f64 {
    one.iter()
        .zip(other)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

#[test]
fn the_hump_is_beside_its_record_by_what_a_table_is_beside_the_curve() {
    let line = include_str!("../data/engine2d.jsonl").lines();
    let case = line.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let case = case
        .into_iter()
        .find(|own| own["name"] == "MiscellanyTest.roller_hump_test")
        .unwrap();
    let scene: WorldSpec = serde_json::from_value(case["scene"].clone()).unwrap();
    let mut world = World::new(scene).unwrap();
    for _ in 0..160 {
        world.step().unwrap();
    }
    let own = &world.snapshot().bodies[0];
    let [[x, y], [vx, vy]] = [own.position, own.velocity];
    let engine = [x, vx, y, vy, own.angle, own.angular_velocity];
    let (curve, table) = (end(on_curve), Table::new());
    let tabulated = end(|point| table.foot(point));
    assert!(apart(engine, curve) < 1e-8, "{engine:?} {curve:?}");
    assert!(apart(RECORD, curve) > 4e-5, "{curve:?}");
    assert!(apart(RECORD, tabulated) < 1e-5, "{tabulated:?}");
}
