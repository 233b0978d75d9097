//! Laws that hold in every scene.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use crate::common::*;
use etalon_certify::solves;
use etalon_contact_forces::*;
use etalon_exact::{Budget, ExactMethod};
use etalon_rigid::*;
use proptest::prelude::*;

fn formulation(scene: &Scene2<Q>, model: FrictionModel) -> Formulation<Q> {
    Formulation::new(scene.system().unwrap(), model).unwrap()
}

/// Forces by the exact method of the matrix, `None` where there are none.
fn forces(formulation: &Formulation<Q>) -> Option<Forces<Q>> {
    let solver = ExactMethod::Certified.solver(&Budget::default());
    match formulation.solve(&*solver).unwrap() {
        ForceAnswer::Forces(forces) => Some(forces),
        ForceAnswer::None(_) => None,
        other => panic!("{other:?}"),
    }
}

fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let mut state = seed | 1;
    for i in (1..n).rev() {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        order.swap(i, (state >> 33) as usize % (i + 1));
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Baraff (1994), section 4.4 and appendix A; b is in the range of A since nothing moves.
    #[test]
    fn frictionless_drives_of_any_order_end_in_the_same_accelerations(draft in draft(3, 6), seed: u64) {
        let formulation = formulation(&draft.scene(), FrictionModel::None);
        let inside = matches!(formulation.range(), Range::Inside { .. });
        prop_assert!(inside);
        let problem = formulation.problem("p").unwrap();
        let n = problem.n();
        let mut accelerations = Vec::new();
        for order in [(0..n).collect(), (0..n).rev().collect(), permutation(n, seed)] {
            let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
            let DriveOutcome::Solved(f) = run.outcome else { panic!("{:?}", run.outcome) };
            prop_assert!(solves(&problem, &f).unwrap());
            let trace = run.trace.unwrap();
            prop_assert_eq!(trace.first_repeated_clamped_set(), None);
            prop_assert_eq!(trace.first_negative_length(), None);
            // w_d rises with every step, so that each drive ends.
            let start: Vec<Q> = order.iter().map(|&k| formulation.b()[k].clone()).collect();
            let rows = problem.rows();
            prop_assert_eq!(trace.first_stall(&start, &rows), None);
            let m = formulation.a();
            for step in &trace.steps {
                let rows: Vec<_> = step.clamped().iter().map(|&k| order[k]).collect();
                prop_assert!(m.block(&rows, &rows).determinant() > 0);
            }
            let forces = formulation.forces(&f).unwrap();
            prop_assert_eq!(forces.violations(), vec![]);
            prop_assert_eq!(dot(&forces.normal(), &forces.normal_acceleration()), 0);
            accelerations.push(forces.acceleration);
        }
        prop_assert!(accelerations.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn static_friction_meets_its_conditions_or_fails_openly(draft in draft(3, 4)) {
        let formulation = formulation(&draft.scene(), FrictionModel::Rows);
        let problem = formulation.problem("p").unwrap();
        for order in [Order::OneAtATime, Order::Simultaneous] {
            if let Ok((f, forces)) = formulation.static_friction(order).unwrap().outcome {
                prop_assert!(solves(&problem, &f).unwrap(), "{:?} {:?}", order, f);
                prop_assert_eq!(forces.violations(), vec![]);
                prop_assert!(forces.friction_power() <= 0);
            }
        }
        let forces = forces(&formulation).unwrap();
        prop_assert_eq!(forces.violations(), vec![]);
    }

    #[test]
    fn the_polyhedral_cone_of_the_plane_is_the_friction_row(draft in draft(2, 3)) {
        let cone = formulation(&draft.scene(), FrictionModel::Polyhedral(2));
        let forces = forces(&cone).unwrap();
        prop_assert_eq!(forces.violations(), vec![]);
        // Its forces solve the problem with friction rows, too.
        let rows = formulation(&draft.scene(), FrictionModel::Rows);
        let f: Vec<Q> = rows.rows().iter().map(|row| match *row {
            RowKind::Normal(i) => forces.contacts[i].normal.clone(),
            RowKind::Tangent { contact, axis } => forces.contacts[contact].friction[axis].clone(),
            _ => unreachable!(),
        }).collect();
        prop_assert!(solves(&rows.problem("p").unwrap(), &f).unwrap());
    }

    /// Contacts between free bodies change neither momentum nor angular momentum.
    #[test]
    fn contact_forces_obey_newtons_third_law(draft in draft(3, 5)) {
        let n = draft.bodies.len();
        let mut draft = draft;
        draft.contacts.retain(|c| c.0 != n && c.1 != n);
        let formulation = formulation(&draft.scene(), FrictionModel::Rows);
        if let Some(forces) = forces(&formulation) {
            let mass = &formulation.system().mass;
            let total = mass.times(&forces.acceleration);
            let applied = &formulation.system().applied;
            for axis in 0..2 {
                let sum = |v: &[Q]| (0..n).map(|i| v[3 * i + axis].clone()).fold(Q::new(), |a, b| a + b);
                prop_assert_eq!(sum(&total), sum(applied));
            }
            let moment = |v: &[Q]| (0..n).fold(Q::new(), |sum, i| {
                let force = Vector::new([v[3 * i].clone(), v[3 * i + 1].clone()]);
                sum + &v[3 * i + 2] + draft.bodies[i].2.cross(&force)
            });
            prop_assert_eq!(moment(&total), moment(applied));
        }
    }

    #[test]
    fn forces_do_not_depend_on_the_frame(draft in draft(2, 4), half in small()) {
        let here = formulation(&draft.scene(), FrictionModel::Rows);
        let turned = formulation(&draft.turned(&Rotation2::from_half_angle(&half)), FrictionModel::Rows);
        prop_assert_eq!(here.a(), turned.a());
        prop_assert_eq!(here.b(), turned.b());
        let (a, b) = (forces(&here).unwrap(), forces(&turned).unwrap());
        prop_assert_eq!(a.normal(), b.normal());
        prop_assert_eq!(a.contacts, b.contacts);
    }

    /// Masses times c: forces times c. Loads times c: forces and accelerations times c. Lengths
    /// times c, inertias times c^2, torques times c: the same forces.
    #[test]
    fn forces_scale_with_mass_load_and_length(draft in draft(2, 4), c in positive()) {
        let mut heavy = draft.clone();
        let mut long = draft.clone();
        for body in &mut heavy.bodies { body.0 *= &c; body.1 *= &c; }
        for load in &mut heavy.load { load.0 = load.0.times(&c); load.1 *= &c; }
        for body in &mut long.bodies { body.1 *= c.clone() * &c; body.2 = body.2.times(&c); }
        for contact in &mut long.contacts { contact.2 = contact.2.times(&c); }
        for load in &mut long.load { load.1 *= &c; }
        let of = |draft: &Draft| {
            let forces = forces(&formulation(&draft.scene(), FrictionModel::None)).unwrap();
            (forces.normal_acceleration(), forces.normal())
        };
        let (acceleration, f) = of(&draft);
        let (same, scaled) = of(&heavy);
        prop_assert_eq!(&same, &acceleration);
        prop_assert_eq!(scaled, f.iter().map(|f| f.clone() * &c).collect::<Vec<_>>());
        prop_assert_eq!(of(&long), (acceleration, f));
    }

    /// Gravity and loads times c: forces and accelerations times c, with static friction too.
    #[test]
    fn forces_and_accelerations_scale_with_gravity(draft in draft(2, 4), c in positive()) {
        let scene = draft.scene();
        let mut strong = scene.clone();
        strong.gravity = strong.gravity.times(&c);
        for body in &mut strong.bodies {
            body.force = body.force.times(&c);
            body.torque *= &c;
        }
        let times = |values: Vec<Q>| values.into_iter().map(|v| v * &c).collect::<Vec<_>>();
        let (weak, strong) = (formulation(&scene, FrictionModel::Rows), formulation(&strong, FrictionModel::Rows));
        prop_assert_eq!(weak.a(), strong.a());
        let of = |f: &Formulation<Q>| f.static_friction(Order::OneAtATime).unwrap().outcome;
        match (of(&weak), of(&strong)) {
            (Ok((f, a)), Ok((g, b))) => {
                prop_assert_eq!(times(f), g);
                prop_assert_eq!(times(a.acceleration), b.acceleration);
            }
            (Err(a), Err(b)) => prop_assert_eq!(a, b),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn binary64_states_the_same_problem_up_to_rounding(draft in draft(3, 5)) {
        let exact = formulation(&draft.scene(), FrictionModel::Rows);
        let system = exact.system().rounded().unwrap();
        let rounded = Formulation::new(system, FrictionModel::Rows).unwrap();
        prop_assert_eq!(exact.rows(), rounded.rows());
        for i in 0..exact.n() {
            let close = |a: &Q, b: f64| (a.to_f64() - b).abs() <= 1e-9 * (1.0 + b.abs());
            prop_assert!((0..exact.n()).all(|j| close(&exact.a()[(i, j)], rounded.a()[(i, j)])));
            prop_assert!(close(&exact.b()[i], rounded.b()[i]));
        }
        // What is not right up to rounding is a failure, not an answer.
        for order in [Order::OneAtATime, Order::Simultaneous] {
            if let Ok((_, forces)) = rounded.static_friction(order).unwrap().outcome {
                prop_assert_eq!(forces.violations(), vec![]);
            }
        }
    }
}
