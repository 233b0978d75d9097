//! The record `etalon-step/1`: what is read, written and refused.

use crate::common::steps;
use etalon_engines::{STEP_SCHEMA, read_step, write_step};
use serde_json::{Value, json};

fn all() -> Vec<etalon_engines::EngineStep> {
    let engines = ["mujoco", "box2d", "rapier", "pybullet", "dart"];
    engines.into_iter().flat_map(steps).collect()
}

#[test]
fn what_is_written_is_read_again_and_fits_the_schema() {
    let schema: Value = serde_json::from_str(STEP_SCHEMA).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for step in all() {
        let line = write_step(&step);
        let again = read_step(&line).unwrap();
        assert_eq!(again.record, step);
        assert!(
            again.unknown_fields.is_empty(),
            "{:?}",
            again.unknown_fields
        );
        let value = serde_json::from_str(&line).unwrap();
        let faults: Vec<_> = schema
            .iter_errors(&value)
            .map(|own| own.to_string())
            .collect();
        assert!(faults.is_empty(), "{}: {faults:?}", step.name);
    }
}

#[test]
fn the_schema_has_every_field_that_is_written() {
    let schema: Value = serde_json::from_str(STEP_SCHEMA).unwrap();
    for step in all() {
        let value: Value = serde_json::from_str(&write_step(&step)).unwrap();
        for name in value.as_object().unwrap().keys() {
            assert!(schema["properties"][name].is_object(), "{name}");
        }
    }
}

/// The first step of a ball on the ground, changed.
fn fault(change: impl Fn(&mut Value)) -> String {
    let first = write_step(&steps("pybullet").remove(0));
    let mut value: Value = serde_json::from_str(&first).unwrap();
    change(&mut value);
    read_step(&value.to_string()).unwrap_err().to_string()
}

fn generalised_fault(change: impl Fn(&mut Value)) -> String {
    let first = write_step(&steps("mujoco").remove(0));
    let mut value: Value = serde_json::from_str(&first).unwrap();
    change(&mut value);
    read_step(&value.to_string()).unwrap_err().to_string()
}

#[test]
fn errors_name_record_field_and_index() {
    let cases = [
        (
            fault(|own| own["bodies"][0]["v1"] = json!([1, 2])),
            "bodies[0].v1: 2 numbers where 6 belong",
        ),
        (
            fault(|own| own["bodies"][0]["mass"] = json!(0)),
            "bodies[0].mass: 0 must be positive",
        ),
        (
            fault(|own| own["bodies"][0]["v0"][2] = json!("nan")),
            "bodies[0].v0[2]: \"nan\" is not finite",
        ),
        (
            fault(|own| own["contacts"][0]["bodies"] = json!([0, 7])),
            "contacts[0].bodies[1]: 7 is neither -1",
        ),
        (
            fault(|own| own["contacts"][0]["bodies"] = json!([0, 0])),
            "contacts[0].bodies: a body does not touch itself",
        ),
        (
            fault(|own| own["contacts"][0]["tangents"] = json!(null)),
            "contacts[0].tangents: the directions",
        ),
        (
            fault(|own| own["contacts"][0]["normal"] = json!([0, 0, 0])),
            "contacts[0].normal: it is zero",
        ),
        (
            fault(|own| own["contacts"][0]["mu"] = json!(-1)),
            "contacts[0].mu: -1 is negative",
        ),
        (
            fault(|own| own["h"] = json!(-1)),
            "h: -1 is no length of a step",
        ),
        (
            fault(|own| own["law"] = json!("sticky")),
            "law: \"sticky\" is none of coulomb",
        ),
        (
            fault(|own| own["format"] = json!("etalon-step/2")),
            "format: \"etalon-step/2\" is not the format",
        ),
        (
            fault(|own| own["bodies"] = json!(null)),
            "a step has bodies (with contacts) or M",
        ),
        (
            generalised_fault(|own| own["R"][1] = json!(0)),
            "R[1]: 0 must be positive",
        ),
        (
            generalised_fault(|own| own["sets"] = json!([])),
            "sets: row 0 is in no set",
        ),
        (
            generalised_fault(|own| own["sets"][0]["mu"][1] = json!(0)),
            "sets[0].mu[1]: 0 must be positive",
        ),
        (
            generalised_fault(|own| own["M"]["entries"][0] = json!([0, 1, 5])),
            "M: entries (0, 1) and (1, 0) differ",
        ),
        (
            generalised_fault(|own| own["J"]["shape"] = json!([1e9, 3])),
            "J",
        ),
        (
            generalised_fault(|own| own["J"]["shape"] = json!([1000000000, 3])),
            "J.shape: 1000000000 x 3 is over the limit",
        ),
        (
            generalised_fault(|own| own["answer"]["force"] = json!([1])),
            "answer.force: 1 numbers where 3 belong",
        ),
        (
            generalised_fault(|own| own["force"] = json!(null)),
            "force: invalid type: null, expected a list",
        ),
    ];
    for (own, told) in cases {
        assert!(own.contains(told), "{own:?} does not tell {told:?}");
        assert!(own.starts_with("record \""), "{own}");
    }
}

#[test]
fn unknown_fields_are_told_with_their_place() {
    let mut value: Value = serde_json::from_str(&write_step(&steps("pybullet")[0])).unwrap();
    value["colour"] = json!("red");
    value["bodies"][0]["shape"] = json!("box");
    value["contacts"][0]["age"] = json!(3);
    let read = read_step(&value.to_string()).unwrap();
    assert_eq!(
        read.unknown_fields,
        ["bodies[0].shape", "contacts[0].age", "colour"]
    );
}

#[test]
fn a_log_that_is_cut_and_numbers_that_are_none_are_told() {
    let line = write_step(&steps("box2d")[0]);
    for end in 0..line.len() {
        let error = read_step(&line[..end]).unwrap_err().to_string();
        assert!(error.contains("ends too early"), "{end}: {error}");
    }
    let nan = line.replace("\"h\":0.01666666753590107", "\"h\":NaN");
    let error = read_step(&nan).unwrap_err().to_string();
    assert!(
        error.contains("h: NaN is neither JSON nor a finite number"),
        "{error}"
    );
}

/// A value in CBOR (RFC 8949), all numbers as floats of 64 bits.
fn cbor(value: &Value) -> Vec<u8> {
    let head =
        |major: u8, count: usize| [&[major << 5 | 27][..], &(count as u64).to_be_bytes()].concat();
    let text = |own: &str| [&head(3, own.len())[..], own.as_bytes()].concat();
    match value {
        Value::Null => vec![0xf6],
        Value::Bool(own) => vec![0xf4 | u8::from(*own)],
        Value::Number(own) => [&[0xfb][..], &own.as_f64().unwrap().to_be_bytes()].concat(),
        Value::String(own) => text(own),
        Value::Array(own) => own
            .iter()
            .map(cbor)
            .fold(head(4, own.len()), |all, own| [all, own].concat()),
        Value::Object(own) => own
            .iter()
            .map(|(name, own)| [text(name), cbor(own)].concat())
            .fold(head(5, own.len()), |all, own| [all, own].concat()),
    }
}

#[test]
fn a_step_in_cbor_is_the_step() {
    for mut step in all() {
        let value: Value = serde_json::from_str(&write_step(&step)).unwrap();
        let bytes = cbor(&value);
        // These are kept as they stand, blanks and the order of fields included.
        (step.engine.settings, step.replay) = (None, None);
        let mut again = read_step(etalon_lcp::record::Encoded::Cbor(&bytes)).unwrap();
        (again.record.engine.settings, again.record.replay) = (None, None);
        assert_eq!(again.record, step);
    }
}
