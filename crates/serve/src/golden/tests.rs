use std::path::Path;

use serde_json::Value;

use super::Library;
use super::film::Film;

fn goldens() -> Library {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    let (library, left_out) = Library::read(&folder).unwrap();
    assert!(left_out.is_empty(), "{left_out:?}");
    library
}

fn film(library: &Library, name: &str) -> Value {
    let text = library.film(name).unwrap().unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_golden_trajectory_is_a_film_with_a_picture() {
    let library = goldens();
    let list: Vec<Value> = serde_json::from_str(library.list()).unwrap();
    assert!(list.len() >= 47);
    for entry in list {
        let name = entry["name"].as_str().unwrap();
        let film = film(&library, name);
        let frames = film["frames"].as_array().unwrap();
        assert_eq!(
            frames.len() as u64,
            entry["steps"].as_u64().unwrap() + 1,
            "{name}"
        );
        let views = film["views"].as_array().unwrap();
        assert!(!views.is_empty(), "{name} has no picture");
        for (v, view) in views.iter().enumerate() {
            let bodies = view["bodies"].as_array().unwrap().len();
            let seen = |p: &Value, k: usize| {
                let at = p[k].as_f64().unwrap();
                view["low"][k].as_f64().unwrap() <= at && at <= view["high"][k].as_f64().unwrap()
            };
            for frame in frames {
                let poses = frame["poses"][v].as_array().unwrap();
                assert_eq!(poses.len(), bodies, "{name}");
                assert!(
                    poses.iter().all(|pose| seen(pose, 0) && seen(pose, 1)),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn balls_are_seen_from_two_sides_and_corners_side_by_side() {
    let library = goldens();
    let balls = film(&library, "four-balls-0.02");
    assert_eq!(balls["views"].as_array().unwrap().len(), 2);
    assert_eq!(balls["views"][1]["bodies"].as_array().unwrap().len(), 4);
    let list: Vec<Value> = serde_json::from_str(library.list()).unwrap();
    let corner = list
        .iter()
        .find(|entry| entry["name"] == "corner-st-roof")
        .unwrap();
    assert_eq!(corner["beside"], "corner-et-roof");
}

/// Those in space are shown in space, with each step judged; those of the plane are films.
#[test]
fn corners_in_space_are_motions_in_space() {
    let list: Vec<Value> = serde_json::from_str(goldens().list()).unwrap();
    let is_space = |name: &str| {
        let found = list.iter().find(|entry| entry["name"] == name);
        found.unwrap()["space"].clone()
    };
    for (name, space) in [
        ("block-corner", true),
        ("crossed-bars", true),
        ("bricks", false),
        ("hole-et", false),
    ] {
        assert_eq!(is_space(name), space, "{name}");
    }
}

/// A rod lies where its coordinates say; a ball is seen from the front (x, z, turned about -y) and from above (x, y, turned
/// about z).
#[test]
fn bodies_are_drawn_where_they_are() {
    let library = goldens();
    let numbers = |values: &Value, which: &[usize]| -> Vec<f64> {
        which.iter().map(|&k| values[k].as_f64().unwrap()).collect()
    };
    let rod = film(&library, "rod-0.02");
    for frame in rod["frames"].as_array().unwrap() {
        let pose = &frame["poses"][0][0];
        assert_eq!(numbers(pose, &[0, 1, 2]), numbers(&frame["q"], &[0, 1, 2]));
    }
    let balls = film(&library, "four-balls-0.02");
    for frame in balls["frames"].as_array().unwrap() {
        for ball in 0..4 {
            let own = |k: usize| frame["q"][6 * ball + k].as_f64().unwrap();
            let [front, above] = [0, 1].map(|view| &frame["poses"][view][ball]);
            assert_eq!(numbers(front, &[0, 1, 2]), [own(0), own(2), -own(4)]);
            assert_eq!(numbers(above, &[0, 1, 2]), [own(0), own(1), own(5)]);
        }
    }
}

/// At rest the forces on the rod carry it: 9.81 N.
#[test]
fn forces_are_drawn_where_they_act() {
    let rod = film(&goldens(), "rod-0.0025");
    let last = rod["frames"].as_array().unwrap().last().unwrap();
    let arrows = last["arrows"][0].as_array().unwrap();
    let weight: f64 = arrows
        .iter()
        .map(|arrow| arrow["force"][1].as_f64().unwrap())
        .sum();
    assert!((weight - 9.81).abs() < 1e-3, "{weight}");
    for arrow in arrows {
        assert!(arrow["at"][1].as_f64().unwrap().abs() < 1e-9, "{arrow}");
    }
}

/// The shadow of an ellipsoid that lies along the axes is its own section.
#[test]
fn an_ellipsoid_starts_with_its_half_axes() {
    let film = film(&goldens(), "ellipsoid");
    let half_axes = |view: usize| {
        let pose = &film["frames"][0]["poses"][view][0];
        [3, 4].map(|k| pose[k].as_f64().unwrap())
    };
    let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near(half_axes(0), [1.0, 0.5]));
    assert!(near(half_axes(1), [1.0, 0.75]));
}

#[test]
fn what_is_no_trajectory_is_left_out_and_said_so() {
    let folder = std::env::temp_dir().join(format!("etalon-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bad.jsonl"), "{\"format\": \"other\"}\n").unwrap();
    let read = Library::read(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    let (library, left_out) = read.unwrap();
    assert!(library.is_empty());
    assert_eq!(left_out.len(), 1);
    assert!(Library::read(&folder).is_err());
}

/// A film needs the state, the time and the energy of each line.
#[test]
fn a_line_without_what_is_drawn_is_named() {
    let header = r#"{"format":"etalon-trajectory/1","scenario":"own","h":1,"start":{"q":[0],"v":[0],"energy":{"kinetic":0,"potential":0}}}"#;
    let step = r#"{"k":1,"t":1,"q":[1],"v":[2],"energy":{"kinetic":1,"potential":2}}"#;
    let film = |header: &str, step: &str| Film::of("own", &format!("{header}\n{step}\n"));
    assert!(film(header, step).is_ok());
    for (field, there) in [
        ("t", r#""t":1,"#),
        ("q", r#""q":[1],"#),
        ("v", r#""v":[2],"#),
        ("energy", r#""kinetic":1,"#),
    ] {
        let error = film(header, &step.replace(there, "")).unwrap_err();
        let expected = format!("own:2: the field \"{field}\" is missing");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
    let error = film(&header.replace(r#""h":1,"#, ""), step).unwrap_err();
    assert!(
        error.to_string().starts_with("own:1: the field \"h\""),
        "{error}"
    );
}
