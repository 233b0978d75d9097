//! Baraff's theorems over random stacks, boxes, grids, piles and chains.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use etalon_certify::solves;
use etalon_contact_forces::{DriveOutcome, Formulation, Range, drive_to_zero};
use etalon_exact::Budget;
use etalon_rigid::dot;
use etalon_scenarios::find;
use proptest::prelude::*;
use rug::Rational;

/// A frictionless scenario with random settings.
fn settings() -> impl Strategy<Value = (&'static str, Vec<(&'static str, String)>)> {
    let number = || (-4_i64..=4, 1_i64..=3).prop_map(|(n, d)| format!("{n}/{d}"));
    let positive = || (1_i64..=6, 1_i64..=3).prop_map(|(n, d)| format!("{n}/{d}"));
    let count = |most: u32| (1..=most).prop_map(|n| n.to_string());
    prop_oneof![
        (count(6), count(2), positive(), positive()).prop_map(|(blocks, contacts, mass, ratio)| {
            (
                "stack",
                vec![
                    ("blocks", blocks),
                    ("contacts", contacts),
                    ("mass", mass),
                    ("mass_ratio", ratio),
                ],
            )
        }),
        (count(7), number(), number(), positive()).prop_map(
            |(supports, first, torque, spacing)| {
                (
                    "beam",
                    vec![
                        ("supports", supports),
                        ("first", first),
                        ("torque", torque),
                        ("spacing", spacing),
                    ],
                )
            }
        ),
        (number(), number(), number(), positive()).prop_map(|(x, y, torque, inertia)| {
            (
                "box-on-corners",
                vec![
                    ("offset_x", x),
                    ("offset_y", y),
                    ("torque_x", torque),
                    ("inertia", inertia),
                ],
            )
        }),
        (count(4), count(3), number(), number()).prop_map(|(rows, columns, x, torque)| {
            (
                "grid",
                vec![
                    ("rows", rows),
                    ("columns", columns),
                    ("offset_x", x),
                    ("torque_y", torque),
                ],
            )
        }),
        (count(4), 0..=1_u32, 0..=1_u32).prop_map(|(rows, walls, touching)| {
            (
                "pyramid",
                vec![
                    ("rows", rows),
                    ("walls", walls.to_string()),
                    ("touching", touching.to_string()),
                ],
            )
        }),
        (count(5), number())
            .prop_map(|(bars, lift)| ("chain", vec![("bars", bars), ("lift", lift)])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every drive order ends; no clamped block is singular; no clamped set comes again within a
    /// drive; no step is negative, and the driven acceleration rises with each; f may depend on the
    /// order, a does not; and normal forces do no work on accelerations.
    #[test]
    fn baraffs_theorems_hold_for_piles(
        (name, settings) in settings(),
        priorities in prop::collection::vec(any::<u32>(), 64),
    ) {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let instance = find(name).unwrap().instance(settings).unwrap();
        let formulation: Formulation<Rational> = instance.formulation().unwrap().unwrap();
        let inside = matches!(formulation.range(), Range::Inside { .. });
        prop_assert!(inside);
        let problem = instance.problem().unwrap();
        let n = problem.n();
        let mut shuffled: Vec<usize> = (0..n).collect();
        shuffled.sort_by_key(|&i| priorities.get(i).copied());
        let mut accelerations = Vec::new();
        for order in [(0..n).collect::<Vec<_>>(), (0..n).rev().collect(), shuffled] {
            let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
            let DriveOutcome::Solved(f) = run.outcome else { panic!("{name}: {:?}", run.outcome) };
            prop_assert!(solves(&problem, &f).unwrap());
            let trace = run.trace.unwrap();
            prop_assert_eq!(trace.first_repeated_clamped_set(), None);
            prop_assert_eq!(trace.first_negative_length(), None);
            for step in &trace.steps {
                let rows: Vec<_> = step.clamped().iter().map(|&k| order[k]).collect();
                prop_assert!(formulation.a().block(&rows, &rows).determinant() > 0);
            }
            let forces = formulation.forces(&f).unwrap();
            prop_assert_eq!(forces.violations(), vec![]);
            prop_assert_eq!(dot(&forces.normal(), &forces.normal_acceleration()), 0);
            accelerations.push(forces.acceleration);
        }
        prop_assert!(accelerations.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
