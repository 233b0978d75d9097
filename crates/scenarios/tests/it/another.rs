//! Other answers beside one that is known: what is found is an answer, and another one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use etalon_certify::{Truth, solves};
use etalon_contact_forces::{Consistency, ForceAnswer, Formulation};
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{Certificate, Number, Unique};
use etalon_scenarios::find;
use rug::Rational;

fn formulation(name: &str, settings: &[(&str, &str)]) -> Formulation<Rational> {
    let instance = find(name).unwrap().instance(settings.iter().copied());
    instance.unwrap().formulation().unwrap().unwrap()
}

fn all(texts: &[&str]) -> Vec<Rational> {
    let read = |text: &&str| etalon_lcp::parse_rational(text).unwrap();
    texts.iter().map(read).collect()
}

#[test]
fn of_the_two_answers_of_painleves_rod_each_leads_to_the_other() {
    let formulation = formulation("painleve-indeterminate", &[]);
    let problem = formulation.problem("rod").unwrap();
    for (known, other) in [("0", "7/2"), ("7/2", "0")] {
        let forces = formulation.forces(&all(&[known])).unwrap();
        let found = formulation.another(&forces, &Budget::default()).unwrap();
        let (z, forces) = found.expect("there are two");
        assert_eq!(z, all(&[other]));
        assert_eq!(forces.normal(), z);
        // As a certificate it is a solution, and says nothing of uniqueness by itself.
        let mut truth = Truth::default();
        let second = |z: &[Rational]| Certificate::SecondSolution {
            z: z.iter().cloned().map(Number::from).collect(),
        };
        truth.add_certificate(&problem, &second(&z)).unwrap();
        assert_eq!(truth.status().unique, None);
        let wrong = Rational::from(&z[0] + 1u32);
        assert!(
            Truth::default()
                .add_certificate(&problem, &second(&[wrong]))
                .is_err()
        );
    }
}

#[test]
fn redundant_contacts_have_other_forces_and_no_other_motion() {
    // Four corners (rank 3), and static friction at both ends of a ladder.
    for (name, settings) in [
        ("box-on-corners", &[] as &[_]),
        ("ladder", &[]),
        ("ladder", &[("ladders", "3")]),
    ] {
        let formulation = formulation(name, settings);
        let problem = formulation.problem(name).unwrap();
        let solver = ExactMethod::Certified.solver(&Budget::default());
        let ForceAnswer::Forces(known) = formulation.solve(&*solver).unwrap() else {
            panic!("{name}");
        };
        let found = formulation.another(&known, &Budget::default()).unwrap();
        let (z, forces) = found.unwrap_or_else(|| panic!("{name} has several"));
        assert!(solves(&problem, &z).unwrap(), "{name}");
        assert_ne!(forces.contacts, known.contacts, "{name}");
        assert_eq!(forces.acceleration, known.acceleration, "{name}");
        assert_eq!(forces, formulation.forces(&z).unwrap());
    }
}

#[test]
fn where_forces_are_unique_no_others_are_found() {
    for (name, settings) in [
        ("stack", &[] as &[_]),
        (
            "painleve-indeterminate",
            &[("angular_velocity", "0"), ("mu", "1/2")],
        ),
        ("ladder", &[("mu_wall", "0"), ("mu_ground", "1")]),
    ] {
        let formulation = formulation(name, settings);
        let Consistency::Unique(known) = formulation.consistency(&Budget::default()).unwrap()
        else {
            panic!("{name}");
        };
        let found = formulation.another(&known, &Budget::default()).unwrap();
        assert_eq!(found, None, "{name}");
    }
}

#[test]
fn the_proof_that_there_is_one_answer_fails_where_there_are_two() {
    let one = formulation("stack", &[]).problem("stack").unwrap();
    let proof = etalon_exact::unique_z(&one).expect("independent contacts");
    let mut truth = Truth::default();
    truth.add_certificate(&one, &proof).unwrap();
    assert_eq!(truth.status().unique, Some(Unique::Z));
    let two = formulation("painleve-indeterminate", &[])
        .problem("rod")
        .unwrap();
    assert_eq!(etalon_exact::unique_z(&two), None);
    assert!(Truth::default().add_certificate(&two, &proof).is_err());
    // All answers, with the proof that there are no others.
    let claim = ExactMethod::Enumerate
        .solver(&Budget::default())
        .solve(&two);
    let mut truth = Truth::default();
    let proof = claim.certificate.expect("an enumeration");
    truth.add_certificate(&two, &proof).unwrap();
    assert_eq!(
        (truth.status().solvable, truth.status().unique),
        (Some(true), None)
    );
    assert!(truth.has_all_solutions());
    assert_eq!(truth.solutions().len(), 2);
}
