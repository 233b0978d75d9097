use std::path::Path;

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::{CompressionLine, Contact, Energy, Line, Quantity};
use etalon_scenarios::motion::{Arithmetics, Touching};
use etalon_scenarios::read_moving;
use etalon_scenarios::space::MovingScene;
use etalon_spatial::{ContactProposal, Grain, Surface, Surfaces};
use rug::Rational;
use serde_json::json;

use super::cast::cast;
use super::frame::{Contacts, Places, frame};
use crate::protocol::ShapeShown;

fn in_space(moving: usize) -> Places {
    Places {
        moving,
        plane: false,
    }
}

fn scene(bodies: serde_json::Value) -> etalon_scenarios::space::MovingScene {
    read_moving(
        &json!({"name": "shapes", "gravity": [0, 0, 0], "bodies": bodies, "motion": {}})
            .to_string(),
        None,
    )
    .unwrap()
}

#[test]
fn every_shape_is_drawn_as_the_scene_has_it() {
    let own = scene(json!([
        {"name": "plane", "fixed": true, "shape": {"half_space": [0, 3, 4]}},
        {"name": "ball", "mass": 1, "position": [1, 2, 3], "shape": {"sphere": "1/2"}},
        {"name": "box", "mass": 1, "position": [4, 0, 3], "orientation": [3, -1, 0, 0], "shape": {"box": [1, "1/2", "1/4"]}},
        {"name": "pill", "mass": 1, "position": [8, 0, 4], "shape": {"capsule": {"radius": "1/4", "half_length": 1}}},
        {"name": "can", "mass": 1, "position": [12, 0, 4], "shape": {"cylinder": {"radius": "1/4", "half_length": 1}}},
        {"name": "wedge", "mass": 1, "inertia": [1, 1, 1], "position": [16, 0, 4], "shape": {"polyhedron": [[0, 0, 1], [1, 0, 0], [-1, 1, 0], [-1, -1, 0]]}},
    ]));
    let drawn = cast(&own);
    let shapes: Vec<_> = drawn.iter().map(|body| body.shape.clone()).collect();
    assert_eq!(
        shapes[0],
        ShapeShown::HalfSpace {
            normal: [0.0, 0.6, 0.8]
        }
    );
    assert_eq!(shapes[1], ShapeShown::Sphere { radius: 0.5 });
    assert_eq!(
        shapes[2],
        ShapeShown::Box {
            half_sizes: [1.0, 0.5, 0.25]
        }
    );
    let (radius, half_length) = (0.25, 1.0);
    assert_eq!(
        shapes[3],
        ShapeShown::Capsule {
            radius,
            half_length
        }
    );
    assert_eq!(
        shapes[4],
        ShapeShown::Cylinder {
            radius,
            half_length
        }
    );
    let ShapeShown::Polyhedron { vertices } = &shapes[5] else {
        unreachable!("{:?}", shapes[5]);
    };
    assert_eq!(vertices[1], [1.0, 0.0, 0.0]);
    assert_eq!(drawn.iter().filter(|body| body.moves).count(), 5);
    assert_eq!(drawn[1].pose, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    let [.., w, x, _, _] = drawn[2].pose;
    assert!((w - 3.0 / 10f64.sqrt()).abs() < 1e-15 && (x + 1.0 / 10f64.sqrt()).abs() < 1e-15);
}

/// The box has the body's moments about the body's own axes: turned back, m (b^2 + c^2)/3 are those of the scene.
#[test]
fn a_body_of_pieces_is_drawn_piece_by_piece() {
    let own = scene(json!([
        {"name": "hammer", "mass": 1, "inertia": [1, 1, 1], "pieces": [
            {"name": "head", "at": [0, 0, 1], "orientation": [0, 3, 4, 0], "shape": {"sphere": "1/2"}},
            {"name": "handle", "shape": {"box": ["1/8", "1/8", "1/2"]}},
        ]},
    ]));
    let [hammer] = &cast(&own)[..] else {
        panic!("one body");
    };
    let ShapeShown::Pieces { pieces } = &hammer.shape else {
        panic!("{:?}", hammer.shape);
    };
    let names: Vec<&str> = pieces.iter().map(|own| &*own.name).collect();
    assert_eq!(names, ["head", "handle"]);
    assert_eq!(pieces[0].pose, [0.0, 0.0, 1.0, 0.0, 0.6, 0.8, 0.0]);
    assert_eq!(pieces[0].shape, ShapeShown::Sphere { radius: 0.5 });
    assert_eq!(pieces[1].pose, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_body_without_a_shape_is_drawn_as_the_box_of_its_moments() {
    let inertia = json!([[2, "1/2", 0], ["1/2", 3, 0], [0, 0, 4]]);
    let own = scene(
        json!([{"name": "bare", "mass": 2, "inertia": inertia}, {"name": "base", "fixed": true}]),
    );
    let drawn = cast(&own);
    let ShapeShown::Inertia { half_sizes, turn } = drawn[0].shape else {
        unreachable!("{:?}", drawn[0].shape);
    };
    let [w, x, y, z] = turn;
    let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
    let squares = half_sizes.map(|half| 2.0 * half * half / 3.0);
    let total: f64 = squares.iter().sum();
    let moments = nalgebra::Vector3::from_fn(|k, _| total - squares[k]);
    let axes = turn.to_rotation_matrix().into_inner();
    let back = axes * nalgebra::Matrix3::from_diagonal(&moments) * axes.transpose();
    let wanted = nalgebra::Matrix3::new(2.0, 0.5, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 4.0);
    assert!((back - wanted).amax() < 1e-12, "{back}");
    let ShapeShown::Inertia { half_sizes, .. } = drawn[1].shape else {
        unreachable!("{:?}", drawn[1].shape);
    };
    assert_eq!(half_sizes, [0.0; 3]);
}

fn drawn(along: [f64; 3], friction: [f64; 2]) -> crate::protocol::ContactDrawn {
    drawn_on(vec![], along, friction)
}

fn drawn_on(
    pairs: Vec<(String, String, Surface)>,
    along: [f64; 3],
    friction: [f64; 2],
) -> crate::protocol::ContactDrawn {
    drawn_of("a/b", pairs, along, friction)
}

fn drawn_of(
    pair: &str,
    pairs: Vec<(String, String, Surface)>,
    along: [f64; 3],
    friction: [f64; 2],
) -> crate::protocol::ContactDrawn {
    let line = Line {
        contacts: vec![Contact {
            pair: pair.to_owned(),
            gap: Quantity::binary64(0.0),
            normal: Quantity::binary64(5.0),
            friction: friction.map(Quantity::binary64).to_vec(),
            at: Some([1.0, 2.0, 3.0].map(Quantity::binary64)),
            along: Some(along.map(Quantity::binary64)),
            ..Contact::default()
        }],
        t: Quantity::binary64(0.0),
        energy: Energy {
            kinetic: Quantity::binary64(0.0),
            potential: Quantity::binary64(0.0),
            ..Energy::default()
        },
        ..Line::default()
    };
    let default = Surface::default();
    frame(
        &line,
        in_space(0),
        &Contacts::Rows(&Surfaces { default, pairs }),
        Vec::new(),
    )
    .unwrap()
    .contacts
    .remove(0)
}

/// Impulses in the world are those along the axes of the contact that the step had.
#[test]
fn impulses_are_along_the_axes_of_the_step() {
    let flat = drawn([0.0, 0.0, 1.0], [3.0, -4.0]);
    assert_eq!(flat.normal, [0.0, 0.0, 5.0]);
    assert_eq!(flat.friction, Some([3.0, -4.0, 0.0]));
    let along = [0.0, 0.6, 0.8];
    let steep = drawn(along, [3.0, -4.0]);
    let proposal = ContactProposal {
        first: 0,
        second: 1,
        point: [0.0; 3],
        normal: along,
        gap: 0.0,
    };
    let own = etalon_spatial::Contact::of(&proposal, String::new(), &Surface::default()).unwrap();
    let wanted =
        &own.tangents[0].times(&Rational::from(3)) - &own.tangents[1].times(&Rational::from(4));
    let wanted = wanted.coordinates().each_ref().map(Rational::to_f64);
    let found = steep.friction.unwrap();
    assert!(
        (0..3).all(|k| (found[k] - wanted[k]).abs() < 1e-11),
        "{found:?} {wanted:?}"
    );
    // Two axes of the world are as far from this normal, so the line does not say which tangents the step had.
    let third = 1.0 / 3f64.sqrt();
    assert_eq!(drawn([third; 3], [1.0, 2.0]).friction, None);
    // Nor does it where the tangents follow a grain.
    let grain = Grain {
        across: Rational::from(1),
        along: etalon_rigid::Vector3::new([1, 0, 0].map(Rational::from)),
    };
    let grained = Surface {
        grain: Some(grain),
        ..Surface::default()
    };
    let pairs = vec![("b".to_owned(), "a".to_owned(), grained)];
    let up = [0.0, 0.0, 1.0];
    for pair in ["a/b", "b/a", "a.top/b", "b.leg 1/a.top 2", "a/b 3"] {
        let own = drawn_of(pair, pairs.clone(), up, [3.0, -4.0]);
        assert_eq!(own.friction, None, "{pair}");
    }
    for pair in ["a/c", "ab/b", "a/bc", "c.a/b"] {
        let own = drawn_of(pair, pairs.clone(), up, [3.0, -4.0]);
        assert!(own.friction.is_some(), "{pair}");
    }
}

/// The worse of the two words of an impact stands for the step.
#[test]
fn an_impact_is_as_right_as_both_of_its_answers() {
    let zero = || Quantity::binary64(0.0);
    let of = |first: Option<&str>, last: &str| {
        let compression = first.map(|word| CompressionLine {
            verdict: Some(word.to_owned()),
            ..CompressionLine::default()
        });
        let line = Line {
            t: zero(),
            energy: Energy {
                kinetic: zero(),
                potential: zero(),
                ..Energy::default()
            },
            verdict: Some(last.to_owned()),
            compression,
            ..Line::default()
        };
        let surfaces = Surfaces {
            default: Surface::default(),
            pairs: Vec::new(),
        };
        frame(&line, in_space(0), &Contacts::Rows(&surfaces), Vec::new())
            .unwrap()
            .verdict
            .unwrap()
    };
    assert_eq!(of(None, "exact"), "exact");
    assert_eq!(of(Some("exact"), "accepted"), "accepted");
    assert_eq!(of(Some("rejected"), "exact"), "rejected");
    assert_eq!(of(Some("accepted"), "rejected"), "rejected");
}

/// The library on the page is the one that is documented.
#[test]
fn what_is_vendored_is_what_its_page_says() {
    use sha2::{Digest, Sha256};
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let library = read("assets/js/three.js");
    let sum = Sha256::digest(library.as_bytes());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    let page = read("vendor/README.md");
    assert!(page.contains(&sum), "the sum is {sum}");
    let package: serde_json::Value = serde_json::from_str(&read("vendor/package.json")).unwrap();
    let version = package["devDependencies"]["three"].as_str().unwrap();
    assert!(page.contains(&format!("`three` {version} ")), "{version}");
    let lock: serde_json::Value = serde_json::from_str(&read("vendor/package-lock.json")).unwrap();
    let locked = &lock["packages"]["node_modules/three"];
    assert_eq!(locked["version"], version);
    assert!(page.contains(locked["integrity"].as_str().unwrap()));
    // Its own number, 187 of 0.187.0, stands in it as a text.
    let revision = version.split('.').nth(1).unwrap();
    assert!(library.contains(&format!("\"{revision}\"")), "{revision}");
    assert!(
        read("vendor/three.LICENSE.txt").contains("Permission is hereby granted, free of charge")
    );
    let notice = std::fs::read_to_string(root.join("../../NOTICE")).unwrap();
    assert!(notice.contains(&format!("three.js {version}")), "{version}");
}

/// An egg that spins on a belt, by implicit surfaces: shapes, where it touches, and which way the belt drags it.
#[test]
fn bodies_with_implicit_surfaces_are_drawn_where_they_touch() {
    let scene = json!({
        "name": "egg", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "belt", "fixed": true, "velocity": [1, 0, 0], "shape": {"half_space": [0, 0, 1]}},
            {"name": "egg", "mass": 2, "position": [0, 0, "1/2"], "angular_velocity": [0, 0, 5], "shape": {"ellipsoid": ["3/4", "3/4", "1/2"]}},
            {"name": "crate", "mass": 1, "position": [3, 0, "1/2"], "shape": {"superquadric": {"half_axes": ["1/2", "1/2", "1/2"], "exponent": 4}}},
        ],
        "motion": {"method": "chakraborty-berard", "h": "1/100", "steps": 1, "mu": "1/4", "torsion": "1/50"},
    });
    let scene = read_moving(&scene.to_string(), None).unwrap();
    let shapes: Vec<_> = cast(&scene)
        .into_iter()
        .map(|body| (body.moves, body.shape))
        .collect();
    assert_eq!(
        shapes,
        [
            (
                true,
                ShapeShown::HalfSpace {
                    normal: [0.0, 0.0, 1.0]
                }
            ),
            (
                true,
                ShapeShown::Ellipsoid {
                    half_axes: [0.75, 0.75, 0.5]
                }
            ),
            (
                true,
                ShapeShown::Superquadric {
                    half_axes: [0.5; 3],
                    exponents: [4, 4]
                }
            ),
        ]
    );
    assert_eq!(scene.places(), 3);
    let MovingScene::Implicit(own) = &scene else {
        panic!("{scene:?}");
    };
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Exact, &*solver, None).unwrap();
    let start = run.header().start;
    let line = run.advance().unwrap();
    let touches = Touching::of(own)
        .unwrap()
        .of_line((&start.q, &start.v), &line);
    let places = Places::of(&scene);
    let contacts = Contacts::Closest(touches.unwrap());
    let frame = frame(&line, places, &contacts, Vec::new()).unwrap();
    assert_eq!(frame.verdict.as_deref(), Some("proved"));
    assert_eq!(frame.contacts[0].pair, "egg/belt");
    let egg = &frame.contacts[0];
    let near = |a: f64, b: f64, within: f64| (a - b).abs() < within;
    // Below its centre, on the belt; what it gets is what its momentum changes by.
    let [x, y, _] = frame.poses[1][..3] else {
        panic!("{:?}", frame.poses);
    };
    let [at_x, at_y, at_z] = egg.at;
    assert!(
        near(at_x, x, 1e-3) && near(at_y, y, 1e-3) && near(at_z, 0.0, 1e-12),
        "{egg:?}"
    );
    let friction = egg.friction.unwrap();
    let weight = [0.0, 0.0, 2.0 * 10.0 / 100.0];
    for (k, weight) in weight.into_iter().enumerate() {
        let given = friction[k] + egg.normal[k] - weight;
        let change = 2.0 * line.v[6 + k].to_f64();
        assert!(near(given, change, 1e-9), "{k}: {given} {change}");
    }
    assert!(friction[0] > 0.045 && friction[0] <= 0.0501, "{egg:?}");
    let twist = egg.torsion.unwrap();
    assert!(twist < 0.0 && twist.abs() <= 0.2 / 50.0, "{egg:?}");
}
