//! Bodies that keep apart as a whole: where no corner is inside of the other one, and yet they would overlap.

use std::time::Duration;

use etalon_exact::Budget;
use etalon_rigid::Dense;
use etalon_time_stepping::corner::{Solid, SolidFace, SolidPair, SolidStep, Solids, Touch};
use etalon_time_stepping::{Arithmetic, Grid, State, Term};
use rug::Rational;

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn grid() -> Grid {
    Grid::new(40).unwrap()
}

fn exact(own: &[[i64; 3]], scale: i64, dimension: usize) -> Vec<Vec<Rational>> {
    let point = |own: &[i64; 3]| own[..dimension].iter().map(|x| q(*x, scale)).collect();
    own.iter().map(point).collect()
}

/// A body of 2 kg and moments of 1/4 kg m^2 with those corners.
fn solid(name: &str, points: Vec<Vec<Rational>>) -> Solid {
    let dimension = points[0].len();
    let n = if dimension == 2 { 1 } else { 3 };
    Solid {
        name: name.to_owned(),
        mass: q(2, 1),
        inertia: Dense::from_fn(n, n, |i, j| q(i64::from(i == j), 4)),
        force: vec![q(0, 1); dimension],
        driven: false,
        fixed: None,
        faces: match dimension {
            2 => SolidFace::polygon(&points).unwrap(),
            _ => SolidFace::polyhedron(&points).unwrap(),
        },
        points,
    }
}

fn fixed(own: Solid) -> Solid {
    let n = own.points[0].len();
    let row = |i: usize| (0..n).map(|j| q(i64::from(i == j), 1)).collect();
    Solid {
        fixed: Some((vec![q(0, 1); n], (0..n).map(row).collect())),
        ..own
    }
}

/// Two bodies, each of which keeps the other one out, under gravity along the last axis.
fn two(first: Solid, second: Solid, mu: &Rational) -> Solids<Rational> {
    let dimension = first.points[0].len();
    let directions = match dimension {
        2 => vec![vec![q(1, 1)], vec![q(-1, 1)]],
        _ => [[1, 0], [0, 1], [-1, 0], [0, -1]]
            .map(|own: [i64; 2]| own.map(|x| q(x, 1)).to_vec())
            .to_vec(),
    };
    let pair = |points_of, faces_of| SolidPair {
        points_of,
        faces_of,
        mu: mu.clone(),
        directions: directions.clone(),
    };
    let mut gravity = vec![q(0, 1); dimension];
    gravity[dimension - 1] = q(-10, 1);
    Solids::new(&gravity, &[first, second], &[pair(0, 1), pair(1, 0)]).unwrap()
}

fn state(q: &[Rational], v: &[Rational]) -> State<Rational> {
    let round = |own: &Rational| grid().round(own.clone());
    State::new(q.iter().map(round).collect(), v.iter().map(round).collect())
}

fn cuboid(half: [(i64, i64); 3]) -> Vec<Vec<Rational>> {
    let corner = |k: usize| {
        let axis = |axis: usize| {
            let (n, d) = half[axis];
            q(if k >> axis & 1 == 0 { -n } else { n }, d)
        };
        (0..3).map(axis).collect()
    };
    (0..8).map(corner).collect()
}

/// The terms that the oracle names, each once.
fn broken(
    solids: &Solids<Rational>,
    before: &State<Rational>,
    step: &SolidStep<Rational>,
) -> Vec<Term> {
    let found = solids.examine(1, before, &q(1, 64), step, &grid(), &q(0, 1));
    let mut terms: Vec<Term> = found.unwrap().into_iter().map(|own| own.term).collect();
    terms.dedup();
    terms
}

fn step(solids: &Solids<Rational>, before: &State<Rational>) -> SolidStep<Rational> {
    let own = solids.step(before, &q(1, 64), &grid()).unwrap();
    assert_eq!(broken(solids, before, &own), [], "{before:?}");
    own
}

/// Names of what pushes, with the impulses.
fn pushes(own: &SolidStep<Rational>) -> Vec<(String, Rational)> {
    let all = own.corners.faces().zip(&own.step.impulses);
    let all = all.filter(|(_, own)| own.normal != 0);
    all.map(|(face, own)| (face.name.clone(), own.normal.clone()))
        .collect()
}

const SQUARE: [[i64; 3]; 4] = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]];

/// A brick just above an equal one: all corners are on the planes of sides, so that points alone let it through.
#[test]
fn a_brick_lands_on_an_equal_one_exactly_below_it() {
    let brick = |name| solid(name, exact(&SQUARE, 2, 2));
    let solids = two(brick("upper"), fixed(brick("lower")), &q(1, 4));
    let before = state(
        &[q(0, 1), q(1025, 1024), q(0, 1)],
        &[q(0, 1), q(-1, 1), q(0, 1)],
    );
    let own = step(&solids, &before);
    // Both corners together stop it: p = 2 kg (v + g h - gap/h), without a turn.
    let all = pushes(&own);
    assert!(
        all.iter().any(|(name, _)| name.contains(", whole ")),
        "{all:?}"
    );
    let sum: Rational = all.into_iter().map(|(_, p)| p).sum();
    assert_eq!(sum, q(2, 1) * (q(74, 64) - q(64, 1024)));
    assert_eq!(own.step.v, [q(0, 1), q(-64, 1024), q(0, 1)]);
    // Without the pairs it falls through, and is found inside by all that look.
    let alone = [brick("upper"), fixed(brick("lower"))];
    let free = Solids::<Rational>::new(&[q(0, 1), q(-10, 1)], &alone, &[]).unwrap();
    let through = free.step(&before, &q(1, 64), &grid()).unwrap();
    assert_eq!(broken(&solids, &before, &through), [Term::Nonpenetration]);
    let found = solids.examine(1, &before, &q(1, 64), &through, &grid(), &q(0, 1));
    let named: Vec<_> = found
        .unwrap()
        .into_iter()
        .filter_map(|own| own.contact)
        .collect();
    assert_eq!(named, ["upper corner 1/lower face 3", "upper/lower"]);
    // It stays there, tilted neither way.
    let mut at = own.after;
    for _ in 0..4 {
        at = step(&solids, &at).after;
    }
    assert!(
        (at.q[1].to_f64() - 1.0).abs() < 1e-9 && at.q[2].to_f64().abs() < 1e-9,
        "{at:?}"
    );
}

/// What ends a list of solutions by its own limit leaves the step; what a caller allows ends the step.
#[test]
fn a_budget_that_runs_out_ends_the_step_and_says_what_did() {
    let brick = |name| solid(name, exact(&SQUARE, 2, 2));
    let solids = two(brick("upper"), fixed(brick("lower")), &q(1, 4));
    let before = state(
        &[q(0, 1), q(1025, 1024), q(0, 1)],
        &[q(0, 1), q(-1, 1), q(0, 1)],
    );
    let within = |budget: Budget| {
        let own = solids.step_within(&budget, &before, &q(1, 64), &grid());
        own.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let usual = Budget::default;
    assert_eq!(within(usual()), "");
    let time = Some(Duration::ZERO);
    for (budget, says) in [
        (Budget { time, ..usual() }, "gave up: the time ran out"),
        (
            Budget {
                pivots: 0,
                ..usual()
            },
            "the budget of 0 pivots ran out",
        ),
        // Enough for the choice, and not for the list.
        (
            Budget {
                pivots: 6,
                ..usual()
            },
            "the budget of 6 pivots ran out",
        ),
        (
            Budget { bits: 2, ..usual() },
            "the budget of 2 bits a number ran out",
        ),
    ] {
        let error = within(budget);
        assert!(error.contains(says), "{error}");
    }
}

/// Two bars that cross edge on edge, with no corner near: the impulse acts between the edges.
#[test]
fn bars_that_cross_push_along_the_common_normal_of_their_edges() {
    // Rhombs as cross sections: edges up and down, along y of the lower and along x of the upper one.
    let lower = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    let lower: Vec<[i64; 3]> = [-8, 8]
        .into_iter()
        .flat_map(|y| lower.map(|[x, z]| [x, y, z]))
        .collect();
    let upper: Vec<[i64; 3]> = lower.iter().map(|[x, y, z]| [*y, *x, *z]).collect();
    let solids = two(
        solid("upper", exact(&upper, 4, 3)),
        fixed(solid("lower", exact(&lower, 4, 3))),
        &q(0, 1),
    );
    let one = q(1, 1);
    let turn = [one, q(0, 1), q(0, 1), q(0, 1)];
    let at = |x: Rational| {
        let mut at = vec![x, q(0, 1), q(33, 64)];
        at.extend(turn.iter().cloned());
        at
    };
    let mut v = vec![q(0, 1); 6];
    v[2] = q(-2, 1);
    let before = state(&at(q(0, 1)), &v);
    let own = step(&solids, &before);
    let [(name, p)] = &pushes(&own)[..] else {
        panic!("{:?}", pushes(&own));
    };
    assert!(
        name.contains("edge") && name.ends_with(", whole 1"),
        "{name}"
    );
    // p = 2 kg (v + g h - gap/h), and no turn.
    assert_eq!(*p, q(2, 1) * (q(2, 1) + q(10, 64) - q(1, 1)));
    assert!(own.step.v[3..].iter().all(|w| *w == 0), "{:?}", own.step.v);
    // At an arm of 1/2 m, p = (v + g h - gap/h)/(1/m + arm^2/J), and the turn is p arm/J about y.
    let own = step(&solids, &state(&at(q(1, 2)), &v));
    let [(_, p)] = &pushes(&own)[..] else {
        panic!("{:?}", pushes(&own));
    };
    assert_eq!(
        *p,
        (q(2, 1) + q(10, 64) - q(1, 1)) / (q(1, 2) + q(1, 4) * 4u32)
    );
    assert_eq!(own.step.v[4], q(2, 1) * p);
    let edges = own
        .touched
        .iter()
        .any(|own| matches!(own.touch, Touch::Edges(_)));
    assert!(edges);
}

/// A plank across a beam, flat on flat, lies still while its middle is over the beam, and tips over where it is not.
#[test]
fn a_plank_lies_on_a_beam_and_tips_over_its_edge() {
    let plank = solid("plank", cuboid([(1, 1), (1, 8), (1, 16)]));
    let beam = fixed(solid("beam", cuboid([(1, 8), (1, 1), (1, 16)])));
    let solids = two(plank, beam, &q(0, 1));
    let run = |x: Rational| {
        let at = [x, q(0, 1), q(1, 8), q(1, 1), q(0, 1), q(0, 1), q(0, 1)];
        let mut at = state(&at, &vec![q(0, 1); 6]);
        for _ in 0..6 {
            at = step(&solids, &at).after;
        }
        at
    };
    let still = run(q(1, 16));
    assert!(still.v.iter().all(|v| v.to_f64().abs() < 1e-9), "{still:?}");
    // 1/8 m beyond the edge: the torque about it is m g/8 on J + m/64.
    let tips = run(q(1, 4));
    let expected = 2.0 * 10.0 / 8.0 / (0.25 + 2.0 / 64.0 + 2.0 / 256.0) * 6.0 / 64.0;
    assert!(
        (tips.v[4].to_f64() / expected - 1.0).abs() < 0.05,
        "{tips:?} {expected}"
    );
}

/// Small numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self, most: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        i64::try_from(self.0 >> 33).unwrap() % (2 * most + 1) - most
    }
}

/// Whether the origin is inside of the hull of all differences: no line or plane through as many of them as span one has all of
/// them on one side, and the origin not on the same.
fn overlap_by_force(first: &[[i64; 3]], second: &[[i64; 3]], dimension: usize) -> bool {
    let all: Vec<[i64; 3]> = first
        .iter()
        .flat_map(|a| second.iter().map(|b| [0, 1, 2].map(|k| a[k] - b[k])))
        .collect();
    let normal = |at: [&[i64; 3]; 3]| {
        let [u, v] = [1, 2].map(|k: usize| [0, 1, 2].map(|i| at[k][i] - at[0][i]));
        match dimension {
            2 => [u[1], -u[0], 0],
            _ => [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ],
        }
    };
    let dot = |a: &[i64; 3], b: &[i64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all[..i].iter().enumerate() {
            let thirds = if dimension == 2 { &all[..1] } else { &all[..j] };
            for c in thirds {
                let n = normal([a, b, c]);
                let level = dot(&n, a);
                let sides = || all.iter().map(|own| dot(&n, own) - level);
                if n != [0; 3]
                    && (sides().all(|own| own <= 0) && level <= 0
                        || sides().all(|own| own >= 0) && level >= 0)
                {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether points or the whole pair say that bodies as they stand overlap.
fn overlap_by_obstacles(solids: &Solids<Rational>) -> bool {
    let mut at = vec![q(0, 1); if solids.dimension() == 2 { 3 } else { 7 }];
    if solids.dimension() == 3 {
        at[3] = q(1, 1);
    }
    let still = vec![q(0, 1); if solids.dimension() == 2 { 3 } else { 6 }];
    let laws = solids.laws((&at, &still), &q(1, 64), &grid()).unwrap();
    let mut points = laws.obstacles.iter();
    // Normals of length 1 are rounded to 2^-100, so that what touches may be that far inside.
    let none = q(1, 1 << 40);
    let inside = points.any(|faces| faces.iter().all(|face| face.offset > none));
    let whole = laws.wholes.first().unwrap();
    let as_whole = whole.overlap(&laws.obstacles, (&still, &q(0, 1)));
    let as_whole = as_whole.is_some_and(|(_, gap)| gap < -none);
    // The test of axes says the same, beyond what it allows.
    let axes = solids
        .deepest_overlap(&at, &grid(), 1e-12)
        .unwrap()
        .is_some();
    assert_eq!(axes, inside || as_whole);
    inside || as_whole
}

#[test]
fn random_triangles_overlap_where_the_differences_of_their_points_hold_the_origin() {
    let mut dice = Dice(3);
    let mut counts = [0; 2];
    while counts[0] + counts[1] < 200 {
        let mut triangle = || [0; 3].map(|_| [dice.next(4), dice.next(4), 0]);
        let [first, second] = [triangle(), triangle()];
        let [one, other] =
            [first, second].map(|own| SolidFace::polygon(&exact(&own, 1, 2)).is_ok());
        if !(one && other) {
            continue;
        }
        let solids = two(
            solid("first", exact(&first, 1, 2)),
            fixed(solid("second", exact(&second, 1, 2))),
            &q(0, 1),
        );
        let expected = overlap_by_force(&first, &second, 2);
        assert_eq!(
            overlap_by_obstacles(&solids),
            expected,
            "{first:?} {second:?}"
        );
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|own| *own > 40), "{counts:?}");
}

#[test]
fn random_tetrahedra_overlap_where_the_differences_of_their_points_hold_the_origin() {
    let mut dice = Dice(5);
    let mut counts = [0; 2];
    while counts[0] + counts[1] < 60 {
        let mut body = || [0; 4].map(|_| [0; 3].map(|_| dice.next(4)));
        let [first, second] = [body(), body()];
        let [one, other] =
            [first, second].map(|own| SolidFace::polyhedron(&exact(&own, 1, 3)).is_ok());
        if !(one && other) {
            continue;
        }
        let solids = two(
            solid("first", exact(&first, 1, 3)),
            fixed(solid("second", exact(&second, 1, 3))),
            &q(0, 1),
        );
        let expected = overlap_by_force(&first, &second, 3);
        assert_eq!(
            overlap_by_obstacles(&solids),
            expected,
            "{first:?} {second:?}"
        );
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|own| *own > 10), "{counts:?}");
}
