//! Every scenario stands on its own, and bad values are errors with names.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use etalon_certify::Truth;
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::{ClaimedAnswer, record};
use etalon_scenarios::{ScenarioError, ScenarioPart, find, json, scenarios};

/// Values of parameters.
type Settings = &'static [(&'static str, &'static str)];

#[test]
fn every_scenario_has_an_answer_with_its_defaults() {
    let mut names = std::collections::HashSet::new();
    for scenario in scenarios() {
        assert!(
            names.insert(scenario.name),
            "{} is listed twice",
            scenario.name
        );
        assert!(
            scenario.parts().count() > 0,
            "{} has no part",
            scenario.name
        );
        if scenario.at_rest.is_none() {
            continue;
        }
        let instance = scenario.instance([]).unwrap();
        assert_eq!(instance.name(), scenario.name);
        let problem = instance.problem().unwrap();
        let read = record::read_problem(&record::write_problem(&problem)).unwrap();
        assert!(read.unknown_fields.is_empty());
        assert_eq!(read.record, problem);
        let claim = ExactMethod::Certified
            .solver(&Budget::default())
            .solve(&problem);
        let mut truth = Truth::default();
        match (claim.answer, claim.certificate) {
            (ClaimedAnswer::Solved { z }, _) => {
                let z = z.iter().map(etalon_lcp::Number::to_rational).collect();
                truth.add_solution(&problem, z).unwrap();
            }
            (ClaimedAnswer::Unsolvable, Some(proof)) => {
                truth.add_certificate(&problem, &proof).unwrap()
            }
            other => panic!("{}: {other:?}", scenario.name),
        }
    }
}

#[test]
fn parameters_say_what_they_are() {
    let parts = scenarios().iter();
    let parts = parts.flat_map(|scenario| scenario.parts().map(move |about| (scenario, about)));
    for (scenario, about) in parts {
        assert!(!about.description.is_empty() && !about.source.is_empty());
        let mut names = std::collections::HashSet::new();
        for parameter in about.parameters {
            assert!(
                names.insert(parameter.name),
                "{} {}",
                scenario.name,
                parameter.name
            );
            assert!(!parameter.meaning.is_empty());
        }
    }
}

#[test]
fn bad_values_are_errors_with_names() {
    use ScenarioError as E;
    let stack = find("stack").unwrap();
    let of = |name, value| stack.instance([(name, value)]).unwrap_err();
    assert!(matches!(
        of("mass", "0"),
        E::Range {
            parameter: "mass",
            ..
        }
    ));
    assert!(matches!(of("mass", "nan"), E::Number { .. }));
    assert!(matches!(of("blocks", "5/2"), E::Range { .. }));
    assert!(matches!(of("blocks", "1e6"), E::Range { .. }));
    assert!(matches!(of("colour", "1"), E::Parameter { name, .. } if name == "colour"));
    assert!(matches!(find("stakc"), Err(E::Unknown { .. })));
    let directions = find("darwin-block")
        .unwrap()
        .instance([("directions", "5")])
        .unwrap();
    assert!(directions.problem().is_err());
}

/// The largest settings: up to 900 contacts, stated as problems.
#[test]
fn large_scenes_are_stated() {
    let cases: &[(&str, Settings, usize)] = &[
        ("stack", &[("blocks", "150"), ("contacts", "2")], 300),
        ("grid", &[("rows", "10"), ("columns", "30")], 300),
        ("pyramid", &[("rows", "17")], 17 + 2 + 17 * 16),
        ("ladder", &[("ladders", "150")], 600),
        ("chain", &[("bars", "149")], 150 + 296),
        ("arch", &[("stones", "20"), ("half_angle", "1/30")], 84),
    ];
    for (name, settings, n) in cases {
        let problem = find(name)
            .unwrap()
            .instance(settings.iter().copied())
            .unwrap()
            .problem()
            .unwrap();
        assert_eq!(problem.n(), *n, "{name}");
    }
}

/// What is meant is said, and not read off the settings.
#[test]
fn a_setting_of_another_part_is_an_error_that_names_the_part() {
    use ScenarioError as E;
    let rod = find("painleve-inconsistent").unwrap();
    let parts: Vec<_> = rod.parts().map(|about| about.part).collect();
    assert_eq!(parts, [ScenarioPart::Rest, ScenarioPart::Motion]);
    assert_eq!(rod.first_part(), ScenarioPart::Rest);
    let error = rod.instance([("h", "1/10")]).unwrap_err();
    assert!(error.to_string().contains("--as motion"), "{error}");
    assert!(matches!(
        error,
        E::OtherPart {
            part: ScenarioPart::Rest,
            has: ScenarioPart::Motion,
            ..
        }
    ));
    assert!(rod.motion_instance([("h", "1/10")]).is_ok());
    let nowhere = rod.instance([("colour", "1")]).unwrap_err();
    assert!(matches!(nowhere, E::Parameter { .. }));
    for error in [
        find("stack").unwrap().motion_instance([]).unwrap_err(),
        find("rod").unwrap().instance([]).unwrap_err(),
        find("rod").unwrap().world_instance([]).unwrap_err(),
        find("blocks").unwrap().motion_instance([]).unwrap_err(),
    ] {
        assert!(matches!(error, E::NoPart { .. }), "{error}");
    }
}

/// The list that the doors write has an entry for each part, in the order of the registry.
#[test]
fn the_list_has_every_part() {
    let list = json::list(scenarios());
    let mut entries = list.as_array().unwrap().iter();
    for scenario in scenarios() {
        for about in scenario.parts() {
            let entry = entries.next().unwrap();
            assert_eq!(entry["name"], scenario.name);
            assert_eq!(entry["kind"], about.part.word());
            assert_eq!(entry["trajectory"], about.part != ScenarioPart::Rest);
            assert_eq!(entry["description"], about.description);
            assert_eq!(entry["source"], about.source);
            let parameters = entry["parameters"].as_array().unwrap();
            assert_eq!(parameters.len(), about.parameters.len());
        }
    }
    assert!(entries.next().is_none());
}

/// Gravity is g everywhere; its old name is taken, and records of scenes at rest keep it.
#[test]
fn gravity_has_one_name() {
    let parts = scenarios().iter().flat_map(|own| own.parts());
    let parameters = parts.flat_map(|about| about.parameters);
    let mut found = 0;
    for parameter in parameters {
        assert_ne!(parameter.name, "gravity");
        if parameter.meaning.contains("gravity") {
            assert_eq!(parameter.name, "g");
            found += 1;
        }
    }
    assert!(found > 30, "{found}");
    let rod = find("painleve-indeterminate").unwrap();
    let names = ["g", "gravity"].map(|name| {
        let rest = rod.instance([(name, "34/5")]).unwrap();
        let motion = rod.motion_instance([(name, "34/5")]).unwrap();
        assert_eq!(rest.values.get("g").to_string(), "34/5");
        assert_eq!(motion.values.get("g").to_string(), "34/5");
        let source = rest.problem().unwrap().remarks.source.unwrap();
        assert_eq!(source["parameters"]["gravity"], "34/5");
        assert!(source["parameters"]["g"].is_null());
        rest.name()
    });
    assert_eq!(
        names,
        ["painleve-indeterminate/gravity=34/5"; 2].map(str::to_owned)
    );
}
