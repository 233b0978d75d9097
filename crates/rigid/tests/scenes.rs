//! What scenes promise: the numbers of known scenes, typed errors, and laws of mechanics.

use etalon_rigid::*;
use proptest::prelude::*;
use rug::Rational;

type Q = Rational;

fn q(n: i64, d: i64) -> Q {
    Q::from((n, d))
}

fn up<const D: usize>() -> Vector<Q, D> {
    Vector::axis(D - 1)
}

fn block() -> Body2<Q> {
    Body2::new("block", q(1, 1), q(2, 3), Vector::integers([0, 1]))
}

fn scene(block: Body2<Q>, contact: Contact<Q, 2>) -> Scene2<Q> {
    Scene2::new(Vector::integers([0, -10]))
        .body(block)
        .body(Body2::fixed("ground"))
        .contact(contact)
}

fn contact() -> Contact<Q, 2> {
    Contact::new("corner", "block", "ground", Vector::integers([1, 0]), up())
}

#[test]
fn impossible_scenes_are_errors_with_names() {
    use SceneError as E;
    let of = |block, contact| scene(block, contact).system().unwrap_err();
    for mass in [0, -1] {
        let body = Body2 {
            mass: q(mass, 1),
            ..block()
        };
        assert!(matches!(of(body, contact()), E::Mass { body, .. } if body == "block"));
    }
    let body = Body2 {
        inertia: q(0, 1),
        ..block()
    };
    assert!(matches!(of(body, contact()), E::Inertia { .. }));
    let body = Body2 {
        orientation: Rotation2::from_cos_sin(q(1, 2), q(1, 2)),
        ..block()
    };
    assert!(matches!(of(body, contact()), E::Orientation { .. }));
    let long = Contact::new(
        "c",
        "block",
        "ground",
        Vector::zero(),
        Vector::integers([0, 2]),
    );
    assert!(
        matches!(of(block(), long), E::NormalLength { contact, squared } if contact == "c" && squared == "4")
    );
    assert!(matches!(
        of(block(), contact().with_friction(q(-1, 2))),
        E::Friction { .. }
    ));
    let missing = Contact {
        second: "wall".into(),
        ..contact()
    };
    assert!(matches!(of(block(), missing), E::MissingBody { body, .. } if body == "wall"));
    let own = Contact {
        second: "block".into(),
        ..contact()
    };
    assert!(matches!(of(block(), own), E::SameBody { .. }));
    let skew = contact().with_tangents(vec![Vector::integers([0, 1])]);
    assert!(matches!(of(block(), skew), E::Tangents { .. }));
    let inward = Geometry::Face {
        of: Side::Second,
        radius: q(-1, 1),
    };
    assert!(matches!(
        of(block(), contact().with_geometry(inward)),
        E::Radius { .. }
    ));
    let twice = scene(block(), contact()).contact(contact());
    assert!(matches!(twice.system(), Err(E::DuplicateName { name }) if name == "corner"));
    let fixed = Body2 {
        fixed: true,
        ..block()
    };
    assert!(matches!(of(fixed, contact()), E::NothingMoves { .. }));
}

#[test]
fn nan_and_infinities_are_errors_with_names() {
    let ground = || Body2::fixed("ground");
    let body = Body2::new("block", 1.0, 1.0, Vector::new([0.0, 1.0]));
    let contact = Contact::new("corner", "block", "ground", Vector::zero(), Vector::axis(1));
    let of = |body: Body2<f64>, contact| {
        let scene = Scene2::new(Vector::new([0.0, -10.0]))
            .body(body)
            .body(ground());
        scene.contact(contact).system().unwrap_err().to_string()
    };
    let nan = contact.clone().with_friction(f64::NAN);
    assert_eq!(
        of(body.clone(), nan),
        "contact \"corner\": the coefficient of friction is not a finite number"
    );
    let heavy = Body2 {
        mass: f64::INFINITY,
        ..body
    };
    assert_eq!(
        of(heavy, contact),
        "body \"block\": the mass is not a finite number"
    );
}

#[test]
fn inertia_of_space_must_be_positive_definite() {
    let mut body = Body3::new("top", q(1, 1), [q(2, 1), q(2, 1), q(1, 1)], Vector::zero());
    body.inertia[(0, 1)] = q(3, 1);
    body.inertia[(1, 0)] = q(3, 1);
    let scene = Scene3::new(Vector::zero()).body(body);
    assert!(matches!(scene.system(), Err(SceneError::Inertia { body }) if body == "top"));
}

/// Darwin2K's contact: A in the order normal, x, y.
#[test]
fn the_delassus_matrix_of_a_body_in_space_is_right() {
    let body = Body3::new("body", q(1, 1), [q(2, 1), q(2, 1), q(1, 1)], Vector::zero());
    let point = Vector::integers([-2, -1, -6]);
    let system = Scene3::new(Vector::zero())
        .body(body)
        .body(Body3::fixed("ground"))
        .contact(Contact::new("c", "body", "ground", point, up()))
        .system()
        .unwrap();
    let contact = &system.contacts[0];
    let rows: Vec<_> = [&contact.normal, &contact.tangents[0], &contact.tangents[1]]
        .map(|c| c.row.clone())
        .to_vec();
    let expected = [
        [q(7, 2), q(-6, 1), q(-3, 1)],
        [q(-6, 1), q(20, 1), q(-2, 1)],
        [q(-3, 1), q(-2, 1), q(23, 1)],
    ];
    assert_eq!(
        system.coupling(&rows, &rows),
        Dense::from_fn(3, 3, |i, j| expected[i][j].clone())
    );
}

#[test]
fn a_free_top_keeps_angular_momentum() {
    let omega = Vector::integers([1, 2, 3]);
    let body = Body3::new("top", q(1, 1), [q(2, 1), q(3, 1), q(4, 1)], Vector::zero())
        .moving(Vector::zero(), omega.clone());
    let system = Scene3::new(Vector::zero()).body(body).system().unwrap();
    // Euler: I1 w1' = (I2 - I3) w2 w3 and so on.
    let acceleration = system.free_acceleration();
    assert_eq!(acceleration[3..], [q(-6, 2), q(6, 3), q(-2, 4)]);
}

/// The rate of the slip along both tangents at a contact of `first` at the origin, normal z.
#[allow(clippy::unwrap_used)]
fn slip_rates(first: Body3<Q>, second: Body3<Q>, geometry: Geometry<Q>) -> Vec<Q> {
    let names = (first.name.clone(), second.name.clone());
    let mut contact = Contact::new("c", &names.0, &names.1, Vector::zero(), up());
    contact.geometry = geometry;
    let scene = Scene3::new(Vector::zero()).body(first).body(second);
    let system = scene.contact(contact).system().unwrap();
    let tangents = &system.contacts[0].tangents;
    tangents.iter().map(|row| row.drift.clone()).collect()
}

fn ball(position: [i64; 3], velocity: [i64; 3], omega: [i64; 3]) -> Body3<Q> {
    let inertia = [q(2, 5), q(2, 5), q(2, 5)];
    let body = Body3::new("ball", q(1, 1), inertia, Vector::integers(position));
    body.moving(Vector::integers(velocity), Vector::integers(omega))
}

/// A ball that rolls and spins about the normal goes straight on: its contact moves over it, and
/// the point of it that was the contact turns away.
#[test]
fn a_rolling_ball_that_spins_does_not_slip() {
    let on_a_face = || Geometry::Face {
        of: Side::Second,
        radius: q(1, 1),
    };
    for spin in [0, 1, 100] {
        let rolling = ball([0, 0, 1], [1, 0, 0], [0, 1, spin]);
        let rates = slip_rates(rolling, Body3::fixed("floor"), on_a_face());
        assert_eq!(rates, [0, 0], "spin {spin}");
    }
    // On a table that turns by 1 about z, two to the left: at rest in space, and rolling.
    let table = Body3::fixed("table");
    let table = Body3 {
        position: Vector::integers([-2, 0, 0]),
        ..table.moving(Vector::zero(), up())
    };
    let rates = slip_rates(ball([0, 0, 1], [0, 0, 0], [2, 0, 0]), table, on_a_face());
    assert_eq!(rates, [0, 0]);
}

/// Two balls of radius 1 and 2, without forces: the slip of the moment before and after, where the
/// line of centres has turned, in binary64.
#[test]
fn the_slip_of_two_balls_is_that_of_the_moving_contact() {
    let (v1, w1, v2, w2) = ([3, -1, 1], [2, 1, -3], [1, 2, 1], [-1, 2, 4]);
    let geometry = Geometry::Round {
        first: q(1, 1),
        second: q(2, 1),
    };
    let below = Body3 {
        name: "below".to_owned(),
        ..ball([0, 0, -2], v2, w2)
    };
    let rates = slip_rates(ball([0, 0, 1], v1, w1), below, geometry);
    let real = |v: [i64; 3]| v.map(|v| v as f64);
    let slip = |t: f64| {
        let centre = |z: f64, v: [i64; 3]| {
            let v = real(v);
            [t * v[0], t * v[1], z + t * v[2]]
        };
        let (c1, c2) = (centre(1.0, v1), centre(-2.0, v2));
        let n = [0, 1, 2].map(|k| c1[k] - c2[k]);
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let point = [0, 1, 2].map(|k| c2[k] + 2.0 * n[k] / length);
        let velocity = |c: [f64; 3], v: [i64; 3], w: [i64; 3]| {
            let (v, w, r) = (real(v), real(w), [0, 1, 2].map(|k| point[k] - c[k]));
            [0, 1].map(|k| v[k] + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3])
        };
        let (a, b) = (velocity(c1, v1, w1), velocity(c2, v2, w2));
        [a[0] - b[0], a[1] - b[1]]
    };
    let (before, after) = (slip(-1e-5), slip(1e-5));
    for k in 0..2 {
        let rate = (after[k] - before[k]) / 2e-5;
        assert!(
            (rate - rates[k].to_f64()).abs() < 1e-6,
            "{rate} {}",
            rates[k]
        );
    }
}

/// The gap between a corner of one body and a face of another, both moving without forces, as a
/// function of time: exact positions are out of reach of fractions, so binary64 differences of
/// a fine step decide, to six digits.
fn gap_after(t: f64, scene: &Scene2<Q>) -> f64 {
    let contact = &scene.contacts[0];
    let moved = |body: &Body2<Q>, local: [f64; 2], w: f64| {
        let angle = w * t;
        let (sin, cos) = angle.sin_cos();
        let x = |k: usize| body.position[k].to_f64() + t * body.velocity[k].to_f64();
        [
            x(0) + cos * local[0] - sin * local[1],
            x(1) + sin * local[0] + cos * local[1],
        ]
    };
    let (first, second) = (&scene.bodies[0], &scene.bodies[1]);
    let radii = contact.geometry.radii().map(|r| r.to_f64());
    let n = contact.normal.coordinates().clone().map(|v| v.to_f64());
    let anchor = |body: &Body2<Q>, offset: f64| {
        let local =
            [0, 1].map(|k| contact.point[k].to_f64() + offset * n[k] - body.position[k].to_f64());
        moved(body, local, body.angular_velocity.to_f64())
    };
    let (p1, p2) = (anchor(first, radii[0]), anchor(second, -radii[1]));
    let between = [p1[0] - p2[0], p1[1] - p2[1]];
    match &contact.geometry {
        Geometry::Round { .. } => between[0].hypot(between[1]) - radii[0] - radii[1],
        Geometry::Face { of, .. } => {
            let owner = if *of == Side::First { first } else { second };
            let (sin, cos) = (t * owner.angular_velocity.to_f64()).sin_cos();
            let n = [cos * n[0] - sin * n[1], sin * n[0] + cos * n[1]];
            n[0] * between[0] + n[1] * between[1] - radii[0] - radii[1]
        }
    }
}

fn small() -> impl Strategy<Value = Q> {
    (-12_i64..=12, 1_i64..=4).prop_map(|(n, d)| q(n, d))
}

fn moving_body(name: &'static str) -> impl Strategy<Value = Body2<Q>> {
    prop::collection::vec(small(), 5).prop_map(move |v| {
        Body2::new(
            name,
            q(1, 1),
            q(1, 1),
            Vector::new([v[0].clone(), v[1].clone()]),
        )
        .moving(Vector::new([v[2].clone(), v[3].clone()]), v[4].clone())
    })
}

fn geometry() -> impl Strategy<Value = Geometry<Q>> {
    let side = prop_oneof![Just(Side::First), Just(Side::Second)];
    prop_oneof![
        (side, 0_i64..4).prop_map(|(of, r)| Geometry::Face {
            of,
            radius: q(r, 2)
        }),
        (1_i64..4, 1_i64..4).prop_map(|(a, b)| Geometry::Round {
            first: q(a, 2),
            second: q(b, 2)
        }),
    ]
}

proptest! {
    #[test]
    fn velocity_terms_are_the_second_derivative_of_the_gap(
        first in moving_body("a"),
        second in moving_body("b"),
        x in small(),
        y in small(),
        half in small(),
        geometry in geometry(),
    ) {
        let normal = Rotation2::from_half_angle(&half).apply(&Vector::axis(0));
        let contact = Contact::new("c", "a", "b", Vector::new([x, y]), normal).with_geometry(geometry);
        let scene = Scene2::new(Vector::zero()).body(first).body(second).contact(contact);
        let system = scene.system().unwrap();
        let exact = system.contacts[0].normal.drift.to_f64();
        let rate = system.contacts[0].normal.velocity(&system.velocity).to_f64();
        let h = 1e-5;
        let [before, now, after] = [-h, 0.0, h].map(|t| gap_after(t, &scene));
        let scale = 1.0 + exact.abs();
        prop_assert!(now.abs() < 1e-9);
        prop_assert!(((after - before) / (2.0 * h) - rate).abs() < 1e-3 * (1.0 + rate.abs()) * scale);
        prop_assert!(((after - 2.0 * now + before) / (h * h) - exact).abs() < 2e-3 * scale);
    }

    #[test]
    fn rotations_of_the_world_change_no_coupling(half in small(), x in small(), y in small(), w in small()) {
        let rotation = Rotation2::from_half_angle(&half);
        let build = |turn: &Rotation2<Q>| {
            let body = block().moving(turn.apply(&Vector::integers([2, -1])), w.clone());
            let body = Body2 { position: turn.apply(&body.position), orientation: turn.clone(), ..body };
            let point = turn.apply(&Vector::new([x.clone(), y.clone()]));
            let contact = Contact::new("c", "block", "ground", point, turn.apply(&up()))
                .with_tangents(vec![turn.apply(&Vector::axis(0))]);
            let gravity = turn.apply(&Vector::integers([0, -10]));
            let system = Scene2::new(gravity).body(body).body(Body2::fixed("ground")).contact(contact).system().unwrap();
            let c = &system.contacts[0];
            let rows = [c.normal.row.clone(), c.tangents[0].row.clone()];
            let free = system.free_acceleration();
            (system.coupling(&rows, &rows), c.normal.acceleration(&free), c.tangents[0].acceleration(&free), system.kinetic_energy())
        };
        prop_assert_eq!(build(&rotation), build(&Rotation2::identity()));
    }

    #[test]
    fn a_linkage_in_joint_space_is_the_linkage_of_pinned_bodies(rates in prop::collection::vec(small(), 3), halves in prop::collection::vec(small(), 3)) {
        let linkage = linkage(&rates, &halves);
        let joint_space = linkage.system().unwrap();
        // Free bodies with pins: solve for the pin forces, and compare angular accelerations.
        let pinned = pinned(&linkage).system().unwrap();
        let rows: Vec<_> = pinned.joints.iter().map(|j| j.constraint.row.clone()).collect();
        let free = pinned.free_acceleration();
        let b: Vec<Q> = pinned.joints.iter().map(|j| -j.constraint.acceleration(&free)).collect();
        let f = pinned.coupling(&rows, &rows).solve(&b).solution().unwrap();
        let acceleration = pinned.acceleration(rows.iter().zip(&f));
        let angular: Vec<_> = (0..3).map(|k| acceleration[3 * k + 2].clone()).collect();
        prop_assert_eq!(joint_space.free_acceleration(), angular);
        prop_assert_eq!(joint_space.kinetic_energy(), pinned.kinetic_energy());
    }
}

/// Three links with joints at their ends.
fn linkage(rates: &[Q], halves: &[Q]) -> Linkage<Q> {
    let link = |k: usize| Link {
        mass: q(k as i64 + 1, 1),
        inertia: q(1, 3),
        length: q(2, 1),
        centre: q(1, 1 + k as i64),
        angle: Rotation2::from_half_angle(&halves[k]),
        rate: rates[k].clone(),
        torque: q(0, 1),
    };
    Linkage {
        links: (0..3).map(link).collect(),
        contacts: Vec::new(),
        gravity: Vector::integers([0, -10]),
    }
}

fn pinned(linkage: &Linkage<Q>) -> Scene2<Q> {
    let mut scene = Scene2::new(linkage.gravity.clone()).body(Body2::fixed("base"));
    let (mut joint, mut speed) = (Vector::zero(), Vector::zero());
    let mut before = "base".to_owned();
    for (k, link) in linkage.links.iter().enumerate() {
        let u = link.angle.apply(&Vector::axis(0));
        let turned = u.quarter_turn().times(&link.rate);
        let name = format!("link {k}");
        let body = Body2::new(
            &name,
            link.mass.clone(),
            link.inertia.clone(),
            &joint + &u.times(&link.centre),
        )
        .moving(&speed + &turned.times(&link.centre), link.rate.clone());
        scene = scene.body(body).joint(Joint::pin(
            format!("pin {k}"),
            &name,
            &before,
            joint.clone(),
        ));
        joint = &joint + &u.times(&link.length);
        speed = &speed + &turned.times(&link.length);
        before = name;
    }
    scene
}

#[test]
fn systems_made_by_hand_are_checked() {
    let good = scene(block(), contact()).system().unwrap();
    good.check().unwrap();
    let long = System {
        velocity: vec![q(0, 1); 4],
        ..good.clone()
    };
    assert!(matches!(
        long.check(),
        Err(SceneError::Length {
            length: 4,
            dofs: 3,
            ..
        })
    ));
    let mut wide = good.clone();
    wide.contacts[0].normal.row = Covector::new([(7, q(1, 1))]);
    assert!(matches!(
        wide.check(),
        Err(SceneError::Length { length: 8, .. })
    ));
    let mut bare = good;
    bare.contacts[0].tangents.clear();
    assert!(matches!(bare.check(), Err(SceneError::Tangents { .. })));
}

#[test]
fn impossible_linkages_are_errors_with_names() {
    let right = || linkage(&[q(0, 1), q(0, 1), q(0, 1)], &[q(1, 2), q(1, 3), q(1, 4)]);
    let contact = |name: &str| EndContact {
        name: name.to_owned(),
        link: 1,
        normal: up(),
        mu: q(0, 1),
    };
    let mut short = right();
    short.links[1].length = q(0, 1);
    assert_eq!(
        short.system().unwrap_err().to_string(),
        "link 1: the length is 0, but must be positive"
    );
    short.links[1].length = q(-1, 2);
    assert!(matches!(
        short.system(),
        Err(SceneError::LinkLength { link: 1, length }) if length == "-1/2"
    ));
    let mut twice = right();
    twice.contacts = vec![contact("tip"), contact("tip")];
    assert!(matches!(
        twice.system(),
        Err(SceneError::DuplicateName { name }) if name == "tip"
    ));
}

#[test]
fn velocities_that_tear_a_joint_apart_are_named_with_their_rate() {
    let slider = |normal| Joint {
        name: "rail".to_owned(),
        first: "block".to_owned(),
        second: "ground".to_owned(),
        kind: JointKind::Slider(normal),
        ..Joint::pin("", "", "", Vector::integers([0, 0]))
    };
    let body = || block().moving(Vector::integers([2, 0]), q(0, 1));
    let with = |normal| scene(body(), contact()).joint(slider(normal)).system();
    let along = with(up()).unwrap();
    assert_eq!(along.check_joints(), Ok(()));
    let across = with(Vector::ratios([(3, 5), (4, 5)])).unwrap();
    assert_eq!(
        across.check_joints().unwrap_err().to_string(),
        "joint \"rail\": the velocities violate it at the rate 6/5, but it must be 0: the joined points must move alike"
    );
    // Rounding is no violation, and no excuse.
    assert_eq!(along.rounded().unwrap().check_joints(), Ok(()));
    assert!(across.rounded().unwrap().check_joints().is_err());
    let long = with(Vector::integers([0, 2])).unwrap_err();
    assert_eq!(
        long.to_string(),
        "joint \"rail\": the slider's normal has the squared length 4, but must be a unit vector"
    );
}
