//! Thousands of random scenes in space: Coulomb's law in the circular cone, every answer proved, held
//! against another solver, and what is not found counted.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use std::collections::BTreeMap;

use crate::common::*;
use crate::cone::Cones;
use etalon_contact_forces::*;
use etalon_rigid::*;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn xyz(x: Q, y: Q, z: Q) -> Vector3<Q> {
    Vector::new([x, y, z])
}

fn place() -> impl Strategy<Value = Vector3<Q>> {
    (small(), small(), small()).prop_map(|(x, y, z)| xyz(x, y, z))
}

fn friction() -> impl Strategy<Value = Q> {
    prop_oneof![1 => Just(q(0, 1)), 6 => (1_i64..=6).prop_map(|n| q(n, 5))]
}

fn ground(gravity: Vector3<Q>) -> Scene3<Q> {
    Scene3::new(gravity).body(Body3::fixed("ground"))
}

/// A block on three or four corners, on a slope that may be steep, across its edges.
fn slope() -> impl Strategy<Value = Scene3<Q>> {
    let pull = (-12_i64..=12, -12_i64..=12, 4_i64..=12);
    let size = (positive(), positive(), positive());
    (pull, size, positive(), friction(), any::<bool>()).prop_map(
        |((x, y, z), (a, b, c), mass, mu, four)| {
            let moment = |s: &Q, t: &Q| (s.clone().square() + t.clone().square()) * &mass / 12u32;
            let moments = [moment(&b, &c), moment(&a, &c), moment(&a, &b)];
            let body = Body3::new(
                "block",
                mass.clone(),
                moments,
                xyz(q(0, 1), q(0, 1), c / 2u32),
            );
            let mut scene = ground(Vector::integers([x, y, -z])).body(body);
            let (a, b) = (a / 2u32, b / 2u32);
            let corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
            for (k, (i, j)) in corners
                .into_iter()
                .take(if four { 4 } else { 3 })
                .enumerate()
            {
                let point = xyz(a.clone() * i, b.clone() * j, q(0, 1));
                let contact = Contact::new(
                    format!("corner {k}"),
                    "block",
                    "ground",
                    point,
                    Vector::axis(2),
                );
                scene = scene.contact(contact.with_friction(mu.clone()));
            }
            scene
        },
    )
}

type Touch = (
    prop::sample::Index,
    prop::sample::Index,
    Vector3<Q>,
    [i64; 4],
    Q,
);

fn touch() -> impl Strategy<Value = Touch> {
    let quaternion = prop::array::uniform4(-3_i64..=3);
    (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        place(),
        quaternion,
        friction(),
    )
}

fn normal(quaternion: [i64; 4]) -> Vector3<Q> {
    let rotation = Rotation3::from_quaternion(&quaternion.map(Q::from));
    rotation.map_or_else(|| Vector::axis(2), |r| r.apply(&Vector::axis(2)))
}

type Lump = (Q, (Q, Q, Q), Vector3<Q>, Vector3<Q>, Vector3<Q>);

fn lump() -> impl Strategy<Value = Lump> {
    (
        positive(),
        (positive(), positive(), positive()),
        place(),
        place(),
        place(),
    )
}

fn body(k: usize, (mass, (a, b, c), position, force, torque): &Lump) -> Body3<Q> {
    let mut body = Body3::new(
        format!("body {k}"),
        mass.clone(),
        [a, b, c].map(Q::clone),
        position.clone(),
    );
    (body.force, body.torque) = (force.clone(), torque.clone());
    body
}

/// Up to two bodies on up to five points, against the ground and each other, each contact with a
/// direction and friction of its own.
fn supports() -> impl Strategy<Value = Scene3<Q>> {
    (
        prop::collection::vec(lump(), 1..=2),
        prop::collection::vec(touch(), 1..=5),
    )
        .prop_map(|(lumps, touches)| {
            let n = lumps.len();
            let name = |i: usize| {
                if i == n {
                    "ground".to_owned()
                } else {
                    format!("body {i}")
                }
            };
            let mut scene = ground(Vector::integers([0, 0, -10]));
            for (k, lump) in lumps.iter().enumerate() {
                scene = scene.body(body(k, lump));
            }
            for (k, (a, b, point, quaternion, mu)) in touches.into_iter().enumerate() {
                let first = a.index(n);
                let second = (first + 1 + b.index(n)) % (n + 1);
                let contact = Contact::new(
                    format!("contact {k}"),
                    name(first),
                    name(second),
                    point,
                    normal(quaternion),
                );
                scene = scene.contact(contact.with_friction(mu));
            }
            scene
        })
}

/// Two or three bodies that hang on each other by ball joints, the first on the ground, with up to three
/// contacts.
fn linkages() -> impl Strategy<Value = Scene3<Q>> {
    let joint = place();
    (
        prop::collection::vec((lump(), joint), 2..=3),
        prop::collection::vec(touch(), 1..=3),
        any::<bool>(),
    )
        .prop_map(|(links, touches, hangs)| {
            let n = links.len();
            let mut scene = ground(Vector::integers([0, 0, -10]));
            for (k, (lump, _)) in links.iter().enumerate() {
                scene = scene.body(body(k, lump));
            }
            for (k, (_, point)) in links.iter().enumerate() {
                let before = if k == 0 {
                    "ground".to_owned()
                } else {
                    format!("body {}", k - 1)
                };
                if k > 0 || hangs {
                    scene = scene.joint(Joint::pin(
                        format!("joint {k}"),
                        format!("body {k}"),
                        before,
                        point.clone(),
                    ));
                }
            }
            for (k, (a, _, point, quaternion, mu)) in touches.into_iter().enumerate() {
                let first = format!("body {}", a.index(n));
                let contact = Contact::new(
                    format!("contact {k}"),
                    first,
                    "ground",
                    point,
                    normal(quaternion),
                );
                scene = scene.contact(contact.with_friction(mu));
            }
            scene
        })
}

/// The same scenes on every run.
fn scenes<S: Strategy<Value = Scene3<Q>>>(
    count: usize,
    strategy: S,
) -> impl Iterator<Item = Scene3<Q>> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

fn cones(formulation: &Formulation<f64>) -> Option<Cones> {
    let rows = formulation.rows();
    let mut contacts = Vec::new();
    let mut joints = Vec::new();
    for (row, kind) in rows.iter().enumerate() {
        match *kind {
            RowKind::Normal(contact) => {
                let own = |kind: &RowKind| matches!(kind, RowKind::Tangent { contact: other, .. } if *other == contact);
                let tangents = (0..rows.len()).filter(|&i| own(&rows[i])).collect();
                contacts.push((row, tangents, formulation.system().contacts[contact].mu));
            }
            RowKind::Joint(_) => joints.push(row),
            _ => {}
        }
    }
    Cones::new(formulation.a(), formulation.b(), &contacts, &joints)
}

/// Coulomb's law held against forces in fractions, by hand; with room for the box that encloses them.
fn check_law(k: usize, found: &Coulomb) {
    let (df, da) = found.enclosure.as_ref().map_or_else(Default::default, |e| {
        (e.force.clone(), e.acceleration.clone())
    });
    for c in &found.forces.contacts {
        let room = |f: &Q, a: &Q| f.clone().abs() * &da + a.clone().abs() * &df + df.clone() * &da;
        assert!(
            c.normal >= -df.clone() && c.normal_acceleration >= -da.clone(),
            "scene {k}"
        );
        assert!(
            (c.normal.clone() * &c.normal_acceleration).abs()
                <= room(&c.normal, &c.normal_acceleration),
            "scene {k}"
        );
        if c.motion != ContactMotion::Static {
            continue;
        }
        let (f, a) = (&c.friction, &c.tangential_acceleration);
        let power = dot(f, a);
        let sum = |values: &[Q]| values.iter().fold(Q::new(), |s, v| s + v.clone().abs());
        let off = sum(f) * &da + sum(a) * &df + df.clone() * &da * 2u32;
        let cross = f[0].clone() * &a[1] - f[1].clone() * &a[0];
        assert!(power <= off && cross.clone().abs() <= off, "scene {k}");
        let limit = c.normal.clone().square() * &c.mu_squared;
        let slack = limit - dot(f, f);
        let wide = (sum(f) + c.normal.clone().abs() * (c.mu_squared.clone() + 1u32) + &df + 1u32)
            * &df
            * 4u32;
        assert!(slack >= -wide.clone(), "scene {k}: outside the cone");
        let moves = a.iter().any(|a| a.clone().abs() > da);
        assert!(!moves || slack <= wide, "scene {k}: slips below the limit");
    }
}

/// Both orders with a bound for each tangent, in fractions: what ends satisfies that law, the box.
fn check_box(k: usize, formulation: &Formulation<Q>) {
    let rows = Formulation::new(formulation.system().clone(), FrictionModel::Rows).unwrap();
    for order in [Order::OneAtATime, Order::Simultaneous] {
        match rows.static_friction(order).unwrap().outcome {
            Ok((f, forces)) => {
                assert!(
                    etalon_certify::solves(&rows.problem("box").unwrap(), &f).unwrap(),
                    "scene {k}"
                );
                assert_eq!(forces.violations_of(rows.law()), vec![], "scene {k}");
            }
            Err(StaticFailure::Astray { .. }) => panic!("scene {k}: nothing was rounded"),
            Err(_) => {}
        }
    }
}

fn sweep(
    name: &str,
    count: usize,
    strategy: impl Strategy<Value = Scene3<Q>>,
) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::<String, usize>::new();
    let mut widest = 0.0_f64;
    for (k, scene) in scenes(count, strategy).enumerate() {
        let mut note = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
        let formulation =
            Formulation::new(scene.system().unwrap(), FrictionModel::Circular).unwrap();
        let rounded =
            Formulation::new(formulation.system().rounded().unwrap(), FrictionModel::Rows).unwrap();
        let Some(cones) = cones(&rounded) else {
            note("joints that are redundant, left out");
            continue;
        };
        let accelerations = |f: &[f64]| -> Vec<f64> {
            rounded
                .a()
                .times(f)
                .iter()
                .zip(rounded.b())
                .map(|(a, b)| a + b)
                .collect()
        };
        let scale = rounded.b().iter().fold(1e-300, |m: f64, b| m.max(b.abs()));
        let other = cones.solve();
        let found = formulation.coulomb().unwrap();
        let (proved, others) = match &found {
            Ok(found) => {
                note(if found.enclosure.is_none() {
                    "proved: exact"
                } else {
                    "proved: enclosed"
                });
                if let Some(enclosure) = &found.enclosure {
                    widest = widest.max(Scalar::to_f64(&enclosure.force));
                }
                check_law(k, found);
                let f: Vec<f64> = found.f.iter().map(Scalar::to_f64).collect();
                assert!(
                    cones.residual_of(&f) < 1e-9,
                    "{name} {k}: {:e}",
                    cones.residual_of(&f)
                );
                (Some(found), formulation.other_coulomb(found).unwrap())
            }
            Err(Unproved::Close(_)) => {
                note("binary64 forces, nothing proved");
                (None, OtherForces::Unknown)
            }
            Err(_) => {
                note("no forces found");
                (None, OtherForces::Unknown)
            }
        };
        note(match others {
            OtherForces::None => "others: none, proved",
            OtherForces::SameMotion { .. } => "others: the same motion, proved",
            OtherForces::Some => "others: some, proved",
            _ => "others: not decided",
        });
        match (&other, proved) {
            (None, _) => note("the other solver does not get there"),
            (Some(_), None) => note("only the other solver has forces"),
            (Some(own), Some(found)) => {
                let f: Vec<f64> = found.f.iter().map(Scalar::to_f64).collect();
                let pairs = accelerations(own).into_iter().zip(accelerations(&f));
                let gap = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale;
                if gap <= 1e-5 {
                    note("the other solver agrees");
                } else {
                    assert!(
                        matches!(others, OtherForces::Some | OtherForces::Unknown),
                        "{name} {k}: a motion that is proved the only one, and another: {gap:e}"
                    );
                    // Both may be right: then the other one is proved, too.
                    match formulation.prove_coulomb(own).unwrap() {
                        Some(second) => {
                            check_law(k, &second);
                            note("the other solver has another motion, proved, too");
                        }
                        None => note("the other solver has another motion, not proved"),
                    }
                }
            }
        }
        for order in [Order::OneAtATime, Order::Simultaneous] {
            if !formulation.is_circular() {
                break;
            }
            let run = formulation.static_friction_in_circle(order).unwrap();
            let key = match run.outcome {
                Ok(found) => {
                    check_law(k, &found);
                    "solved".to_owned()
                }
                Err(failure) => format!("{failure:?}")
                    .split([' ', '{'])
                    .next()
                    .unwrap_or("")
                    .to_owned(),
            };
            note(&format!("{order:?} {key}"));
        }
        if k % 4 == 0 {
            check_box(k, &formulation);
        }
    }
    println!("{name}: {count} scenes, boxes of {widest:.1e} N at most");
    for (what, count) in &counts {
        println!("  {what}: {count}");
    }
    counts
}

/// What is proved of at least so many in a hundred scenes, and how often the orders end in forces.
fn check(
    name: &str,
    count: usize,
    strategy: impl Strategy<Value = Scene3<Q>>,
    [proved, one_at_a_time, simultaneous]: [usize; 3],
) {
    let counts = sweep(name, count, strategy);
    let of = |start: &str| -> usize {
        let own = counts.iter().filter(|(key, _)| key.starts_with(start));
        own.map(|(_, count)| count).sum()
    };
    let share = |part: usize, all: usize| part * 100 >= all * proved;
    assert!(share(of("proved: "), count), "{counts:?}");
    // Hardly ever are there two motions, and the other solver is as good as always there.
    assert!(
        of("the other solver agrees") * 100 >= count * (proved - 2),
        "{counts:?}"
    );
    assert!(
        of("the other solver has another motion, not proved") * 100 <= count,
        "{counts:?}"
    );
    // In space, too, a run that ends has met its conditions, or says otherwise why not.
    assert_eq!(
        of("OneAtATime Astray") + of("Simultaneous Astray"),
        0,
        "{counts:?}"
    );
    for (order, least) in [
        ("OneAtATime ", one_at_a_time),
        ("Simultaneous ", simultaneous),
    ] {
        let solved = of(&format!("{order}solved"));
        assert!(solved * 100 >= of(order) * least, "{counts:?}");
    }
}

/// Scenes of each kind of ten thousand.
const KINDS: [usize; 3] = [4_000, 4_000, 2_000];

#[test]
fn blocks_on_slopes_are_proved_and_agree_with_another_solver() {
    check("blocks on slopes", KINDS[0] / 80, slope(), [98, 80, 75]);
}

#[test]
fn bodies_on_several_supports_are_proved_and_agree_with_another_solver() {
    check("several supports", KINDS[1] / 80, supports(), [95, 60, 40]);
}

#[test]
fn linkages_in_space_are_proved_and_agree_with_another_solver() {
    check("linkages", KINDS[2] / 80, linkages(), [95, 80, 55]);
}

/// The pyramid of this scene has no forces that are found quickly, and the search for a proof that it has
/// none at all goes on for hours. It is only asked for a start.
#[test]
fn a_start_that_cannot_be_had_keeps_nobody_waiting() {
    let scene = scenes(3_066, supports()).last().unwrap();
    let system = scene.system().unwrap();
    let formulation = Formulation::new(system, FrictionModel::Circular).unwrap();
    if let Ok(found) = formulation.coulomb().unwrap() {
        check_law(3_065, &found);
    }
}

#[test]
#[ignore = "minutes; docs/contact-sweeps.md has the command"]
fn ten_thousand_scenes_in_space() {
    check("blocks on slopes", KINDS[0], slope(), [98, 80, 75]);
    check("several supports", KINDS[1], supports(), [95, 60, 40]);
    check("linkages", KINDS[2], linkages(), [95, 80, 55]);
}
