//! The falling, spinning rod of Stewart and Trinkle (1996), section 4, figures 2 to 5.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::common::{exact, fast, q, r, rod, run};
use etalon_lcp::Solver;
use etalon_rigid::Scalar;
use etalon_time_stepping::{
    Activation, Arithmetic, Binary64, Fractions, Grid, Kind, Oracle, Scheme, Settings, Step,
    StepError, Term, check_termination, dissipated, rounding_bound,
};
use rug::Rational;

/// The results of a run.
#[derive(Debug)]
struct Seen {
    first: f64,
    second: f64,
    rest: f64,
    x: f64,
    omega: [f64; 2],
    increase: f64,
}

fn fall<S: Scalar>(
    arithmetic: &dyn Arithmetic<S>,
    solver: &dyn Solver,
    h: &Rational,
    g: &Rational,
    scheme: Scheme,
) -> Vec<Step<S>> {
    let (model, start) = rod(arithmetic, g);
    let settings = Settings::new(S::from_rational(h))
        .with_scheme(scheme)
        .with_activation(Activation::All);
    let steps = (q(1, 1) / h).numer().to_usize().unwrap();
    run(&model, arithmetic, solver, settings, start, steps)
}

fn seen<S: Scalar>(steps: &[Step<S>], h: f64) -> Seen {
    let pressed = |end: usize| {
        let hit = |s: &Step<S>| s.contacts[end].normal.signum() > 0;
        steps.iter().position(hit).unwrap()
    };
    let (first, second) = (pressed(1), pressed(0));
    let moves = |s: &Step<S>| s.after.v.iter().any(|v| v.to_f64().abs() > 1e-6);
    let last = steps.iter().rposition(moves).unwrap();
    let omega = |k: usize| steps[k].after.v[2].to_f64();
    let energies: Vec<f64> = steps.iter().map(|s| s.energy.total().to_f64()).collect();
    let increase = energies.windows(2).map(|e| e[1] - e[0]);
    Seen {
        first: (first + 1) as f64 * h,
        second: (second + 1) as f64 * h,
        rest: (last + 2) as f64 * h,
        x: steps.last().unwrap().after.q[0].to_f64(),
        omega: [omega(first), omega(first + 1)],
        increase: increase.fold(0.0, f64::max),
    }
}

const SCHEMES: [Scheme; 3] = [Scheme::FixedPoint, Scheme::Predicted, Scheme::Linear];

/// Steps a second, and five values for each scheme: the end of the first and of the second contact step, the final x,
/// and the angular velocity after the first contact step and after the next. They are those of an independent
/// implementation, to six digits.
const TABLE: [(i64, [[f64; 5]; 3]); 6] = [
    (
        50,
        [
            [0.38, 0.56, -0.255279, 1.619166, 5.443813],
            [0.38, 0.56, -0.249972, 1.826928, 5.042761],
            [0.38, 0.58, -0.253555, 1.497194, 4.460693],
        ],
    ),
    (
        100,
        [
            [0.38, 0.56, -0.242142, 0.547647, 5.126123],
            [0.38, 0.56, -0.236026, 0.606035, 4.699569],
            [0.38, 0.57, -0.240767, 0.541537, 4.611131],
        ],
    ),
    (
        200,
        [
            [0.385, 0.55, -0.233879, 2.464519, 5.25946],
            [0.385, 0.55, -0.233247, 2.508841, 5.203616],
            [0.385, 0.555, -0.232968, 2.400704, 5.031208],
        ],
    ),
    (
        400,
        [
            [0.385, 0.55, -0.230786, 1.766751, 5.181886],
            [0.385, 0.55, -0.230068, 1.790429, 5.132424],
            [0.385, 0.55, -0.230263, 1.750619, 5.067934],
        ],
    ),
    (
        800,
        [
            [0.38625, 0.5475, -0.2287, 4.819549, 5.21293],
            [0.38625, 0.5475, -0.228501, 4.80866, 5.202265],
            [0.38625, 0.54875, -0.228191, 4.759085, 5.142333],
        ],
    ),
    (
        1600,
        [
            [0.385625, 0.5475, -0.22821, 1.881824, 5.159427],
            [0.385625, 0.5475, -0.228044, 1.887704, 5.147999],
            [0.385625, 0.548125, -0.228069, 1.877292, 5.131295],
        ],
    ),
];

fn matches_table<S: Scalar>(arithmetic: &dyn Arithmetic<S>, solver: &dyn Solver, rows: usize) {
    for (steps, schemes) in TABLE.into_iter().take(rows) {
        for (scheme, expected) in SCHEMES.into_iter().zip(schemes) {
            let run = fall(arithmetic, solver, &q(1, steps), &q(981, 100), scheme);
            let seen = seen(&run, 1.0 / steps as f64);
            let found = [
                seen.first,
                seen.second,
                seen.x,
                seen.omega[0],
                seen.omega[1],
            ];
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-6,
                    "{steps} {scheme:?}: {seen:?}"
                );
            }
        }
    }
}

#[test]
fn the_fall_is_that_of_an_independent_implementation_in_binary64() {
    matches_table(&Binary64, &*fast(), 6);
}

#[test]
fn the_fall_is_that_of_an_independent_implementation_on_the_grid() {
    matches_table(&Grid::new(40).unwrap(), &*exact(), 4);
}

#[test]
fn published_times_are_those_of_the_last_state_before_contact() {
    let run = fall(
        &Grid::new(40).unwrap(),
        &*exact(),
        &q(1, 400),
        &q(981, 100),
        Scheme::FixedPoint,
    );
    let seen = seen(&run, 0.0025);
    // 0.383 and 0.548 of the paper, to its three digits.
    assert!(
        (seen.first - 0.0025 - 0.383).abs() <= 0.0005 + 1e-12,
        "{seen:?}"
    );
    assert!(
        (seen.second - 0.0025 - 0.548).abs() <= 0.0005 + 1e-12,
        "{seen:?}"
    );
    // It slides for 0.02 s, to the left, and rests level with its other side up.
    assert!((seen.rest - seen.second - 0.02).abs() < 1e-9);
    let end = &run.last().unwrap().after;
    assert!(run.iter().all(|s| s.convergence.converged));
    assert!(end.q[0] < 0 && end.v.iter().all(|v| v.to_f64().abs() < 1e-9));
    assert!((end.q[1].to_f64() - 0.05).abs() < 1e-9);
    assert!((end.q[2].to_f64() - std::f64::consts::PI).abs() < 1e-9);
    // The gap of the second contact closes while the rod slides to the left.
    let sliding = &run[(seen.second / 0.0025).round() as usize - 1];
    assert!(sliding.after.v[0] < 0);
}

#[test]
fn every_step_of_the_rod_and_the_prediction_satisfies_the_theory_exactly() {
    let grid = Grid::new(40).unwrap();
    let (model, _) = rod(&grid, &q(981, 100));
    let oracle = Oracle::new(&model, &grid, q(0, 1));
    let cases = [
        (200, Scheme::FixedPoint),
        (50, Scheme::Predicted),
        (50, Scheme::Midpoint),
    ];
    for (steps, scheme) in cases {
        let run = fall(&grid, &*exact(), &q(1, steps), &q(981, 100), scheme);
        let mut found = Vec::new();
        for (k, step) in run.iter().enumerate() {
            let k = k as u64 + 1;
            found.extend(oracle.examine(k, step).unwrap());
            assert_eq!(check_termination(k, &step.lcp).unwrap(), None);
        }
        // The gap of an end is convex while that end is low: there, a step may start below its
        // linearisation.
        assert!(
            found.iter().all(|v| v.term == Term::PositionLoss),
            "{found:?}"
        );
    }
}

#[test]
fn a_twentyfifth_of_a_second_is_too_coarse() {
    let run = fall(
        &Binary64,
        &*fast(),
        &q(1, 25),
        &q(981, 100),
        Scheme::FixedPoint,
    );
    assert!((seen(&run, 0.04).second - 0.44).abs() < 1e-9);
}

#[test]
fn the_fixed_point_never_gains_energy_and_the_prediction_does() {
    for (steps, gain) in [(50, 7.7e-7), (100, 5e-8)] {
        let h = q(1, steps);
        let grid = Grid::new(40).unwrap();
        let run = |scheme| seen(&fall(&grid, &*exact(), &h, &q(981, 100), scheme), 1.0);
        assert!(run(Scheme::FixedPoint).increase < 1e-9);
        let predicted = run(Scheme::Predicted).increase;
        assert!((predicted / gain - 1.0).abs() < 0.05, "{predicted}");
    }
}

#[test]
fn the_error_falls_with_the_step_on_the_whole() {
    let fine = fall(
        &Binary64,
        &*fast(),
        &q(1, 6400),
        &q(981, 100),
        Scheme::FixedPoint,
    );
    let error = |steps: i64| {
        let run = fall(
            &Binary64,
            &*fast(),
            &q(1, steps),
            &q(981, 100),
            Scheme::FixedPoint,
        );
        let ratio = (6400 / steps) as usize;
        let differences = fine.iter().enumerate().map(|(k, s)| {
            let pairs = s.after.v.iter().zip(&run[k / ratio].after.v);
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / 6400.0
        });
        differences.sum::<f64>()
    };
    let (coarse, finer) = (error(50), error(1600));
    // The order over five halvings; from one halving to the next it is erratic.
    let order = (coarse / finer).log2() / 5.0;
    assert!((0.9..1.3).contains(&order), "{coarse} {finer} {order}");
    assert!(
        (coarse - 0.21).abs() < 0.03 && finer < 0.01,
        "{coarse} {finer}"
    );
}

#[test]
fn lying_on_the_table_and_turning_fast_the_prediction_explodes_and_the_fixed_point_does_not() {
    let grid = Grid::new(40).unwrap();
    let (model, mut start) = rod(&grid, &q(981, 100));
    start.q = vec![q(0, 1), grid.round(q(1, 20)), q(0, 1)];
    start.v[2] = q(80, 1);
    let one_step = |h: Rational, scheme| {
        let settings = Settings::new(h)
            .with_scheme(scheme)
            .with_activation(Activation::All);
        let step = run(&model, &grid, &*exact(), settings, start.clone(), 1).remove(0);
        let kinetic = |v: &[Rational]| step.formulation.mass.kinetic_energy(v);
        let before = kinetic(&start.v) + q(981, 2000);
        ((step.energy.total() / before).to_f64(), step)
    };
    let (ratio, step) = one_step(q(1, 50), Scheme::Predicted);
    assert!((ratio - 12.8685).abs() < 1e-3, "{ratio}");
    assert!((step.after.v[1].to_f64() - 13.058).abs() < 1e-3);
    let (ratio, step) = one_step(q(1, 50), Scheme::FixedPoint);
    assert!(ratio <= 1.0 + 1e-9 && step.convergence.converged, "{ratio}");
    assert!(one_step(q(1, 100), Scheme::Predicted).0 <= 1.0);
}

/// At half of the way the rod has turned by half of the angle, so that the gap and the normal of its end are those of there.
#[test]
fn the_midpoint_scheme_looks_half_a_step_ahead() {
    let grid = Grid::new(40).unwrap();
    let (model, mut start) = rod(&grid, &q(981, 100));
    start.q = vec![q(0, 1), grid.round(q(1, 20)), q(1, 8)];
    start.v = vec![q(1, 2), q(-1, 1), q(4, 1)];
    let one_step = |h: Rational, scheme| {
        let settings = Settings::new(h)
            .with_scheme(scheme)
            .with_activation(Activation::All);
        run(&model, &grid, &*exact(), settings, start.clone(), 1).remove(0)
    };
    let middle = one_step(q(1, 10), Scheme::Midpoint);
    // A prediction over half of the step is taken at the same point.
    let half = one_step(q(1, 20), Scheme::Predicted);
    for (own, other) in middle
        .formulation
        .contacts
        .iter()
        .zip(&half.formulation.contacts)
    {
        assert_eq!(own.frame, other.frame);
    }
    let ahead = one_step(q(1, 10), Scheme::Predicted);
    assert_ne!(
        middle.formulation.contacts[0].frame,
        ahead.formulation.contacts[0].frame
    );
}

/// An angle with rational sine and cosine, tan(theta/2) = 52/31: about the one of the first contact.
#[derive(Debug)]
struct FirstContact;

impl Arithmetic<Rational> for FirstContact {
    fn kind(&self) -> Kind {
        Kind::Rational
    }
    fn round(&self, value: Rational) -> Rational {
        value
    }
    fn sin_cos(&self, _angle: &Rational) -> Result<(Rational, Rational), StepError> {
        Ok((q(3224, 3665), q(-1743, 3665)))
    }
    fn sqrt(&self, value: &Rational) -> Result<Rational, StepError> {
        Fractions.sqrt(value)
    }
    fn angle(&self, _turns: &Rational) -> Result<Rational, StepError> {
        Ok(Rational::new())
    }
    fn direction(&self, turns: &Rational) -> Result<(Rational, Rational), StepError> {
        Fractions.direction(turns)
    }
    fn slack(&self) -> Rational {
        Rational::new()
    }
}

/// The lower end is at the gap; the rod turns with 4 rad/s and falls.
fn at_first_contact(gap: Rational, falling: Rational) -> Step<Rational> {
    let (model, mut start) = rod(&FirstContact, &q(981, 100));
    let sin = q(3224, 3665);
    start.q = vec![q(0, 1), gap + sin / 4u32 + q(1, 20), q(0, 1)];
    start.v[1] = falling;
    // Only the lower end takes part: the other one is far above the table.
    start.pressing = vec![1];
    let settings = Settings::new(q(1, 400)).with_scheme(Scheme::Linear);
    run(&model, &FirstContact, &*exact(), settings, start, 1).remove(0)
}

#[test]
fn at_the_first_contact_there_is_no_acceleration_but_a_step() {
    // Painleve at the acceleration level: sliding to the right, A = n'M^-1 (n - mu t).
    let step = at_first_contact(q(0, 1), q(0, 1));
    let contact = &step.formulation.contacts[0];
    let mass = &step.formulation.mass;
    let (n, t) = (&contact.frame.normal, &contact.frame.directions[0].row);
    assert!(t.times(&[0, 0, 4].map(Rational::from)) > 0);
    let pressed = mass.inverse_times_row(&n.plus(&q(-3, 5), t));
    assert_eq!(n.dot(&pressed), r("-837938/537289"));
    let (nn, nt) = (
        n.dot(&mass.inverse_times_row(n)),
        n.dot(&mass.inverse_times_row(t)),
    );
    assert_eq!(nn / nt, r("17339401/34485255"));
    // b = n'M^-1 k + dn/dt v with v = (-v_t.., 0, 4): -g + (l/2) sin theta omega^2.
    let centripetal = q(3224, 3665) / 4u32 * 16u32;
    assert_eq!(centripetal - q(981, 100), r("-461153/73300"));
}

#[test]
fn the_impact_step_is_that_of_the_reference_data() {
    let step = at_first_contact(q(1, 200), q(-15, 4));
    let texts =
        |values: &[Rational]| -> Vec<String> { values.iter().map(ToString::to_string).collect() };
    assert_eq!(
        step.lcp.matrix[0][..3],
        ["80438401/2149156", "-80438401/2149156", "34485255/2149156"].map(r)
    );
    assert_eq!(
        texts(&step.lcp.q),
        ["3957/3665", "-3957/3665", "-38085073/29320000", "0"]
    );
    assert_eq!(
        texts(&step.z),
        [
            "0",
            "508122655431/765029168000",
            "5668714333381/3825145840000",
            "0"
        ]
    );
    assert_eq!(step.pivots, Some(3));
}

#[test]
fn what_rounding_takes_of_the_energy_is_bounded_and_accounted_for() {
    for bits in [8, 12, 40] {
        let grid = Grid::new(bits).unwrap();
        let (model, _) = rod(&grid, &q(981, 100));
        let oracle = Oracle::new(&model, &grid, q(0, 1));
        let run = fall(
            &grid,
            &*exact(),
            &q(1, 100),
            &q(981, 100),
            Scheme::FixedPoint,
        );
        let mut largest = Rational::new();
        let mut lost = Rational::new();
        for (k, step) in run.iter().enumerate() {
            let found = oracle.examine(k as u64 + 1, step).unwrap();
            assert!(
                found.iter().all(|v| v.term == Term::PositionLoss),
                "{found:?}"
            );
            let bound = rounding_bound(&step.formulation, &step.velocity, &grid.half_step());
            let share = step.dissipation.rounding.clone().abs() / &bound;
            largest = largest.max(share);
            lost += dissipated(&step.dissipation);
        }
        // The bound is not far from what comes up, and all energy is accounted for, to the digit.
        assert!(
            largest > q(1, 8) && largest <= 1,
            "{bits} {}",
            largest.to_f64()
        );
        let energy = |v: &[Rational], y: &Rational| {
            run[0].formulation.mass.kinetic_energy(v) + y * q(981, 100)
        };
        let before = energy(&run[0].before.v, &run[0].before.q[1]);
        let end = &run.last().unwrap().after;
        assert_eq!(before - lost, energy(&end.v, &end.q[1]), "{bits}");
    }
    // A step that says another energy, and one that moved by more than half a grid step.
    let grid = Grid::new(40).unwrap();
    let (model, _) = rod(&grid, &q(981, 100));
    let run = fall(
        &grid,
        &*exact(),
        &q(1, 50),
        &q(981, 100),
        Scheme::FixedPoint,
    );
    let oracle = Oracle::new(&model, &grid, q(0, 1));
    let broken = |spoil: &dyn Fn(&mut Step<Rational>)| {
        let mut step = run[30].clone();
        spoil(&mut step);
        let found = oracle.examine(31, &step).unwrap();
        found.iter().filter(|v| v.term == Term::Rounding).count()
    };
    assert_eq!(broken(&|_| {}), 0);
    assert_eq!(broken(&|s| s.dissipation.rounding += grid.half_step()), 1);
    assert_eq!(broken(&|s| s.after.q[1] += q(1, 1_000_000)), 2);
}
