//! Systems with constant M, k, n and D: rational from end to end, and the theory of section 3.3
//! at every step.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{exact, fast, q, r, run};
use etalon_certify::{Tolerance, Truth, check_claim};
use etalon_exact::{Budget, Lemke, LemkeOutcome};
use etalon_lcp::{Claim, ClaimedAnswer, Number, VerdictKind};
use etalon_rigid::{Covector, Dense, Directions, Scalar};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{
    Activation, Binary64, BoundedFriction, Fractions, FrictionDirection, Model, Oracle, Settings,
    State, Step, StepError, Stepper, Term, check_termination,
};
use rug::Rational;

fn row<S: Scalar>(values: &[Rational]) -> Covector<S> {
    let values: Vec<S> = values.iter().map(S::from_rational).collect();
    Covector::of_dense(&values)
}

fn diagonal<S: Scalar>(masses: &[i64]) -> Dense<S> {
    let entry = |i: usize, j: usize| S::integer(if i == j { masses[i] } else { 0 });
    Dense::from_fn(masses.len(), masses.len(), entry)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn plane<S: Scalar>(normal: [Rational; 2]) -> HalfSpace<S> {
    let along = [normal[1].clone(), -normal[0].clone()];
    let against = along.clone().map(|x| -x);
    HalfSpace {
        normal: row(&normal),
        offset: S::zero(),
        directions: vec![
            FrictionDirection {
                tangent: vec![S::one()],
                row: row(&along),
            },
            FrictionDirection {
                tangent: vec![-S::one()],
                row: row(&against),
            },
        ],
    }
}

fn incline<S: Scalar>(mu: &Rational) -> (HalfSpaces<S>, State<S>) {
    let weight = vec![S::zero(), S::from_rational(&q(-49, 5))];
    let model = HalfSpaces::new(names(&["x", "y"]), diagonal(&[1, 1]), weight).unwrap();
    let slope = plane([q(-3, 5), q(4, 5)]);
    let start = [S::zero(), S::ratio(1, 4)].to_vec();
    (
        model.contact("particle/slope", S::from_rational(mu), slope),
        State::new(start, vec![S::one(), S::zero()]),
    )
}

fn stack<S: Scalar>() -> (HalfSpaces<S>, State<S>) {
    let masses = [1, 2, 3];
    let weights = masses.map(|m| S::integer(-10 * m)).to_vec();
    let mut model =
        HalfSpaces::new(names(&["y1", "y2", "y3"]), diagonal(&masses), weights).unwrap();
    for i in 0..3 {
        let mut normal = vec![q(0, 1); 3];
        normal[i] = q(1, 1);
        if i > 0 {
            normal[i - 1] = q(-1, 1);
        }
        let face = HalfSpace {
            normal: row(&normal),
            offset: S::integer(i64::from(i > 0)),
            directions: Vec::new(),
        };
        model = model.contact(format!("block {i}"), S::zero(), face);
    }
    let start = [(1, 10), (5, 4), (5, 2)].map(|(n, d)| S::ratio(n, d));
    (model, State::new(start.to_vec(), vec![S::zero(); 3]))
}

fn particle<S: Scalar>(directions: usize, v: [i64; 2]) -> (HalfSpaces<S>, State<S>) {
    let weight = vec![S::zero(), S::zero(), S::ratio(-49, 5)];
    let model = HalfSpaces::new(names(&["x", "y", "z"]), diagonal(&[1; 3]), weight).unwrap();
    let directions = Directions::<Rational>::pythagorean(directions).unwrap();
    let directions = directions.vectors().iter().map(|d| FrictionDirection {
        tangent: d.iter().map(S::from_rational).collect(),
        row: row(&[d[0].clone(), d[1].clone(), q(0, 1)]),
    });
    let floor = HalfSpace {
        normal: row(&[q(0, 1), q(0, 1), q(1, 1)]),
        offset: S::zero(),
        directions: directions.collect(),
    };
    let start = vec![S::zero(), S::zero(), S::ratio(1, 50)];
    let velocity = vec![S::integer(v[0]), S::integer(v[1]), S::zero()];
    (
        model.contact("particle/floor", S::ratio(1, 2), floor),
        State::new(start, velocity),
    )
}

fn wedge<S: Scalar>() -> (HalfSpaces<S>, State<S>) {
    let weight = vec![S::zero(), S::ratio(-49, 5)];
    let model = HalfSpaces::new(names(&["x", "y"]), diagonal(&[1, 1]), weight).unwrap();
    let model = model
        .contact("particle/left", S::ratio(3, 10), plane([q(3, 5), q(4, 5)]))
        .contact(
            "particle/right",
            S::ratio(3, 10),
            plane([q(-4, 5), q(3, 5)]),
        );
    let start = vec![S::ratio(1, 10), S::ratio(1, 2)];
    (model, State::new(start, vec![S::ratio(-1, 2), S::zero()]))
}

fn all<S: Scalar>(h: (i64, i64)) -> Settings<S> {
    Settings::new(S::ratio(h.0, h.1)).with_activation(Activation::All)
}

fn exactly<M: Model<Rational>>(
    (model, start): (M, State<Rational>),
    h: (i64, i64),
    steps: usize,
) -> Vec<Step<Rational>> {
    let run = run(&model, &Fractions, &*exact(), all(h), start, steps);
    let oracle = Oracle::new(&model, &Fractions, q(0, 1));
    for (k, step) in run.iter().enumerate() {
        assert_eq!(oracle.examine(k as u64 + 1, step).unwrap(), []);
        assert_eq!(check_termination(k as u64 + 1, &step.lcp).unwrap(), None);
        assert_eq!(step.dissipation.rounding, 0);
        let problem = step.lcp.problem("step").unwrap();
        let z = step.z.iter().cloned().map(Number::from).collect();
        let claim = Claim::new("step", ClaimedAnswer::Solved { z });
        let verdict = check_claim(&problem, &claim, &Truth::default(), &Tolerance::default());
        assert_eq!(verdict.kind, VerdictKind::Exact);
    }
    run
}

fn bits(run: &[Step<Rational>]) -> u32 {
    let numbers = run.iter().flat_map(|s| s.after.q.iter().chain(&s.after.v));
    let bits = numbers.map(|x| {
        x.numer()
            .significant_bits()
            .max(x.denom().significant_bits())
    });
    bits.max().unwrap()
}

fn values(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| r(text)).collect()
}

#[test]
fn the_incline_slides_exactly() {
    let run = exactly(incline(&q(1, 2)), (1, 50), 40);
    let first = &run[0];
    assert_eq!(first.after.q, values(&["1/50", "769/3125"]));
    assert_eq!(first.z, values(&["0", "0", "0", "853/1250"]));
    assert_eq!(first.pivots, Some(3));
    assert_eq!(first.dissipation.numerical, r("2401/125000"));
    let twelfth = &run[11];
    assert_eq!(twelfth.z, values(&["49/625", "0", "98/625", "147/1250"]));
    assert_eq!(twelfth.pivots, Some(4));
    assert_eq!(twelfth.dissipation.friction, values(&["7203/781250"]));
    assert_eq!(twelfth.energy.total(), r("3539319/3125000"));
    let end = &run[39];
    assert_eq!(end.after.q, values(&["-2409/15625", "-7227/62500"]));
    assert_eq!(end.after.v, values(&["-3038/3125", "-4557/6250"]));
    assert_eq!(end.energy.total(), r("-1233869/3125000"));
    assert!(bits(&run) <= 19, "{}", bits(&run));
}

#[test]
fn the_incline_sticks_exactly() {
    let run = exactly(incline(&q(4, 5)), (1, 50), 40);
    let end = &run[39];
    assert_eq!(end.after.q, values(&["12259/78125", "36777/312500"]));
    assert_eq!(end.after.v, values(&["0", "0"]));
    assert_eq!(end.z, values(&["147/1250", "0", "98/625", "0"]));
    assert_eq!(end.energy.total(), r("1802073/1562500"));
}

#[test]
fn the_printed_sign_of_inequality_24_is_wrong() {
    for (mu, breaks) in [(q(1, 2), 38), (q(4, 5), 7)] {
        let run = exactly(incline(&mu), (1, 50), 40);
        let printed = |step: &&Step<Rational>| {
            // T + k'q on both sides.
            let u = |q: &[Rational], v: &[Rational]| {
                step.formulation.mass.kinetic_energy(v) + q[1].clone() * r("-49/5")
            };
            let lost = step.dissipation.friction_total() + &step.dissipation.numerical;
            u(&step.after.q, &step.after.v) > u(&step.before.q, &step.before.v) - lost
        };
        assert_eq!(run.iter().filter(printed).count(), breaks);
        assert!(printed(&&run[0]), "free fall breaks it at once");
    }
}

#[test]
fn the_stack_settles_exactly() {
    let run = exactly(stack(), (1, 20), 16);
    assert_eq!(run[2].dissipation.position_total(), r("1/2"));
    assert_eq!(run[4].dissipation.numerical, r("35/8"));
    let normals =
        |k: usize| -> Vec<_> { run[k].contacts.iter().map(|c| c.normal.clone()).collect() };
    assert_eq!(normals(4), values(&["11/2", "5", "0"]));
    assert_eq!(normals(5), values(&["3", "5/2", "3/2"]));
    // At rest from step 7 on.
    assert!(run[5].after.v.iter().any(|v| *v != 0));
    for step in &run[6..] {
        assert_eq!(step.after.q, values(&["0", "1", "2"]));
        assert_eq!(step.after.v, values(&["0", "0", "0"]));
        assert_eq!(step.energy.total(), 80);
    }
    assert_eq!(normals(15), values(&["3", "5/2", "3/2"]));
    assert!(bits(&run) <= 7);
}

#[test]
fn an_impact_takes_two_steps() {
    let run = exactly(particle(8, [2, 1]), (1, 50), 30);
    let first = run.iter().position(|s| s.contacts[0].normal > 0).unwrap();
    assert_eq!(run[first].after.q[2], 0);
    assert!(run[first].after.v[2] < 0);
    assert_eq!(run[first + 1].after.v[2], 0);
}

#[test]
fn four_directions_pull_the_velocity_to_the_diagonal() {
    let run = exactly(particle(4, [2, 1]), (1, 50), 40);
    assert_eq!(run[14].after.v[0], run[14].after.v[1]);
    assert!(run[14].after.v[0] > 0);
    let finer = exactly(particle(8, [2, 1]), (1, 50), 40);
    assert_ne!(finer[14].after.v[0], finer[14].after.v[1]);
    assert!(
        bits(&run) <= 29 && bits(&finer) <= 64,
        "{} {}",
        bits(&run),
        bits(&finer)
    );
}

#[test]
fn the_wedge_holds_with_two_contacts() {
    let run = exactly(wedge(), (1, 50), 40);
    let both = |s: &&Step<Rational>| s.contacts.iter().all(|c| c.normal > 0);
    assert!(run.iter().filter(both).count() > 5);
    assert!(bits(&run) <= 64, "{}", bits(&run));
}

#[test]
fn binary64_follows_the_fractions() {
    let (model, start) = wedge();
    let rounded = run(&model, &Binary64, &*fast(), all((1, 50)), start, 40);
    let oracle = Oracle::new(&model, &Binary64, 1e-9);
    for (k, (a, b)) in exactly(wedge(), (1, 50), 40)
        .iter()
        .zip(&rounded)
        .enumerate()
    {
        for (a, b) in a.after.q.iter().zip(&b.after.q) {
            assert!((a.to_f64() - b).abs() < 1e-12);
        }
        assert_eq!(oracle.examine(k as u64, b).unwrap(), []);
    }
}

/// A block pushed along a rail whose friction is at most 3 N, and a second joint with a torque of
/// at most 2 N m, coupled by a dense mass matrix.
fn joints(force: [i64; 2]) -> (HalfSpaces<Rational>, State<Rational>) {
    let mass = Dense::from_fn(2, 2, |i, j| q([[2, 1], [1, 3]][i][j], 1));
    let force = force.map(|f| q(f, 1)).to_vec();
    let mut model = HalfSpaces::new(names(&["rail", "hinge"]), mass, force).unwrap();
    for (i, (name, limit)) in [("rail", 3), ("hinge", 2)].into_iter().enumerate() {
        let both = [limit, -limit].map(|f| Covector::new([(i, q(f, 1))]));
        model = model.friction(BoundedFriction::of_forces(name.to_owned(), both.to_vec()));
    }
    (model, State::new(vec![q(0, 1); 2], vec![q(0, 1); 2]))
}

#[test]
fn joints_with_friction_hold_below_the_limit_and_yield_above() {
    let held = exactly(joints([3, -2]), (1, 10), 5);
    assert!(held.iter().all(|s| s.after.v == [0, 0]));
    let yielding = exactly(joints([5, 0]), (1, 10), 5);
    let end = &yielding[4];
    // The hinge holds by 1 N m, which the coupling asks of it: M dv/dt = (5 - 3, t), dv_2/dt = 0.
    assert_eq!(end.after.v, [Rational::from((1, 2)), Rational::new()]);
    assert!(end.dissipation.bounded[0] > 0 && end.dissipation.bounded[1] == 0);
}

#[test]
fn a_joint_and_a_contact_share_a_step() {
    // A particle on a floor with mu = 1/2 whose rail rubs as well: 4 N drive against 2 + 1.
    let weight = vec![q(4, 1), q(-4, 1)];
    let model = HalfSpaces::new(names(&["x", "y"]), diagonal(&[1, 1]), weight).unwrap();
    let rail = [1, -1].map(|f| Covector::new([(0, q(f, 1))]));
    let model = model
        .contact("particle/floor", q(1, 2), plane([q(0, 1), q(1, 1)]))
        .friction(BoundedFriction::of_forces("rail".to_owned(), rail.to_vec()));
    let start = State::new(vec![q(0, 1); 2], vec![q(0, 1); 2]);
    let run = exactly((model, start), (1, 10), 10);
    assert_eq!(run[9].after.v, [1, 0]);
    assert_eq!(run[9].lcp.q.len(), 4 + 1 + 2);
}

#[test]
fn the_mixed_problem_and_its_schur_complement_have_one_velocity() {
    let lemke = Lemke {
        budget: Budget::default(),
        ..Lemke::default()
    };
    for step in exactly(wedge(), (1, 50), 25) {
        let mixed = step.formulation.mixed().unwrap();
        let LemkeOutcome::Solved { z, .. } = lemke.solve(&mixed).unwrap().outcome else {
            panic!("a ray");
        };
        assert_eq!(z[..2], step.velocity);
    }
}

#[test]
fn the_oracle_names_the_contact_and_the_term_of_a_spoilt_step() {
    let (model, _) = incline::<Rational>(&q(1, 2));
    let run = exactly(incline(&q(1, 2)), (1, 50), 12);
    let oracle = Oracle::new(&model, &Fractions, q(0, 1));
    let spoilt = |change: &dyn Fn(&mut Step<Rational>)| {
        let mut step = run[11].clone();
        change(&mut step);
        let found = oracle.examine(12, &step).unwrap();
        assert!(found.iter().all(|v| v.step == 12));
        found
    };
    let terms = |change: &dyn Fn(&mut Step<Rational>)| -> Vec<Term> {
        spoilt(change).into_iter().map(|v| v.term).collect()
    };
    let shrunk = spoilt(&|s| s.z[0] /= 2u32);
    assert!(
        shrunk.iter().any(|v| v.term == Term::MaximalDissipation
            && v.contact.as_deref() == Some("particle/slope"))
    );
    assert!(
        shrunk[0]
            .to_string()
            .starts_with("step 12, particle/slope: complementarity")
    );
    assert!(terms(&|s| s.z[0] *= 2u32).contains(&Term::FrictionBound));
    assert!(terms(&|s| s.velocity[0] += 1u32).contains(&Term::Momentum));
    assert!(terms(&|s| s.after.q[1] += 1u32).contains(&Term::State));
    assert!(terms(&|s| s.lcp.matrix[0][2] += 1u32).contains(&Term::Copositivity));
    assert!(terms(&|s| s.z[2] = q(-1, 1)).contains(&Term::FrictionLoss));
    assert!(terms(&|s| s.dissipation.numerical += 1u32).contains(&Term::EnergyIdentity));
    assert!(terms(&|s| s.before.v[1] -= 1u32).contains(&Term::EnergyIdentity));
    let below = terms(&|s| s.formulation.contacts[0].old_gap = q(-1, 1));
    assert!(below.contains(&Term::Nonpenetration) && below.contains(&Term::PositionLoss));
}

#[test]
fn a_particle_squeezed_by_opposed_walls_is_an_error_and_no_step() {
    // Both old gaps are negative and the normals are opposed: the existence proof does not apply.
    let model = HalfSpaces::new(names(&["x"]), diagonal(&[1]), vec![q(0, 1)]).unwrap();
    let wall = |n: i64| HalfSpace {
        normal: row(&[q(n, 1)]),
        offset: q(1, 1),
        directions: Vec::new(),
    };
    let model = model.contact("particle/left", q(0, 1), wall(1)).contact(
        "particle/right",
        q(0, 1),
        wall(-1),
    );
    let solver = exact();
    let settings = all((1, 1));
    let stepper = Stepper::new(&model, &Fractions, &*solver, settings).unwrap();
    let squeezed = stepper.step(&State::new(vec![q(0, 1)], vec![q(0, 1)]));
    let error = squeezed.unwrap_err();
    assert!(
        matches!(
            error,
            StepError::Unsolvable { .. } | StepError::GaveUp { .. }
        ),
        "{error}"
    );
}

#[test]
fn settings_and_lengths_are_checked() {
    let (model, start) = incline::<Rational>(&q(1, 2));
    let solver = exact();
    for h in [q(0, 1), q(-1, 2)] {
        let made = Stepper::new(&model, &Fractions, &*solver, Settings::new(h));
        assert!(matches!(made.err(), Some(StepError::Setting { .. })));
    }
    let stepper = Stepper::new(&model, &Fractions, &*solver, all((1, 50))).unwrap();
    let short = State::new(start.q[..1].to_vec(), start.v);
    let error = stepper.step(&short).unwrap_err();
    assert_eq!(error.to_string(), "q has 1 entries where 2 are needed");
}
