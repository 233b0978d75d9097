//! Mechanisms in joint space against the same bodies with their joints as rows.

#![allow(clippy::unwrap_used)] // this is a test

use etalon_rigid::*;
use proptest::prelude::*;
use rug::Rational;

type Q = Rational;

fn q(n: i64, d: i64) -> Q {
    Q::from((n, d))
}

fn small() -> impl Strategy<Value = Q> {
    (-6_i64..=6, 1_i64..=3).prop_map(|(n, d)| q(n, d))
}

fn positive() -> impl Strategy<Value = Q> {
    (1_i64..=6, 1_i64..=3).prop_map(|(n, d)| q(n, d))
}

fn point() -> impl Strategy<Value = Vector3<Q>> {
    prop::array::uniform3(small()).prop_map(Vector::new)
}

fn rotation() -> impl Strategy<Value = Rotation3<Q>> {
    let quaternion = (1_i64..=3, prop::array::uniform3(-2_i64..=2));
    quaternion
        .prop_map(|(w, [x, y, z])| Rotation3::from_quaternion(&[w, x, y, z].map(Q::from)).unwrap())
}

/// The joint with its rates and the torques and forces of its motor.
fn joint() -> impl Strategy<Value = LinkJoint<Q, Rotation3<Q>, 3>> {
    let numbers = (small(), prop::collection::vec(small(), 12));
    let places = (point(), point());
    (0..5, places, rotation(), rotation(), numbers).prop_map(
        |(kind, (at, position), frame, turn, (half, numbers))| {
            let axis = turn.apply(&Vector::axis(2));
            let freedom = match kind {
                0 => LinkFreedom::Fixed,
                1 => LinkFreedom::Revolute {
                    axis: axis.coordinates().to_vec(),
                    position: Rotation2::from_half_angle(&half),
                    limits: None,
                },
                2 => LinkFreedom::Prismatic {
                    axis,
                    position: half,
                    limits: None,
                },
                3 => LinkFreedom::Ball { orientation: turn },
                _ => LinkFreedom::Floating {
                    position,
                    orientation: turn,
                },
            };
            let n = freedom.dofs();
            LinkJoint::new(at, freedom)
                .turned(frame)
                .moving(numbers[..n].to_vec())
                .driven(numbers[6..6 + n].to_vec())
        },
    )
}

fn body() -> impl Strategy<Value = Body3<Q>> {
    let masses = (positive(), prop::array::uniform3(positive()));
    let loads = (point(), point());
    (masses, point(), rotation(), loads).prop_map(
        |((mass, moments), centre, turned, (force, torque))| Body3 {
            orientation: turned,
            force,
            torque,
            ..Body3::new("", mass, moments, centre)
        },
    )
}

fn name(link: usize) -> String {
    format!("link {link}")
}

/// The names of a link, and of the ground or an earlier one.
fn two_of(
    links: usize,
    (first, second): (prop::sample::Index, prop::sample::Index),
) -> (String, String) {
    let first = first.index(links);
    let second = second.index(first + 1).checked_sub(1);
    (name(first), second.map_or(GROUND.to_owned(), name))
}

/// Up to four links, each on the ground or on an earlier one, in the order that they were made or in the other one.
/// Contacts and a loop join some of them.
fn tree() -> impl Strategy<Value = Mechanism3<Q>> {
    let link = (body(), joint(), any::<prop::sample::Index>());
    let ends = || (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let contact = (ends(), point(), rotation());
    let links = prop::collection::vec(link, 1..=4);
    let contacts = prop::collection::vec(contact, 1..=2);
    let closing = prop::option::of((ends(), point(), 0..6usize, rotation()));
    (links, contacts, closing, any::<bool>()).prop_map(|(links, contacts, closing, back)| {
        let n = links.len();
        let links = links
            .into_iter()
            .enumerate()
            .map(|(k, (body, joint, index))| {
                let parent = index.index(k + 1).checked_sub(1);
                TreeLink {
                    body: Body3 {
                        name: name(k),
                        ..body
                    },
                    parent: parent.map_or(GROUND.to_owned(), name),
                    joint,
                }
            });
        let mut links: Vec<_> = links.collect();
        if back {
            links.reverse();
        }
        let pair = |ends| two_of(n, ends);
        let contacts = contacts
            .into_iter()
            .enumerate()
            .map(|(k, (ends, at, turn))| {
                let (first, second) = pair(ends);
                let normal = turn.apply(&Vector::axis(2));
                Contact::new(format!("contact {k}"), first, second, at, normal)
            });
        let mut mechanism = Mechanism3 {
            contacts: contacts.collect(),
            links,
            loops: Vec::new(),
            gravity: Vector::integers([1, 0, -10]),
        };
        if let Some((ends, at, which, turn)) = closing {
            let kind = loop_kind(which, &turn);
            let own = closed(&mechanism, pair(ends), at, kind);
            mechanism.loops.push(own);
        }
        mechanism
    })
}

fn loop_kind(which: usize, turn: &Rotation3<Q>) -> JointKind<Q, 3> {
    let [axis, second_axis] = [0, 1].map(|k| turn.apply(&Vector::axis(k)));
    match which {
        0 => JointKind::Pin,
        1 => JointKind::Slider(axis),
        2 => JointKind::Free(Freedom::Hinge { axis }),
        3 => JointKind::Free(Freedom::Universal { axis, second_axis }),
        4 => JointKind::Free(Freedom::Slider { axis }),
        _ => JointKind::Free(Freedom::Fixed),
    }
}

/// A loop that is closed: the point of the second link is where that of the first one is.
fn closed(
    mechanism: &Mechanism3<Q>,
    (first, second): (String, String),
    at: Vector3<Q>,
    kind: JointKind<Q, 3>,
) -> Loop<Q, 3> {
    let pose = |name: &str| {
        let marker = Mechanism3 {
            links: mechanism
                .links
                .iter()
                .map(|link| {
                    let body = Body3::new(
                        link.body.name.clone(),
                        q(1, 1),
                        [q(1, 1), q(1, 1), q(1, 1)],
                        Vector::zero(),
                    );
                    TreeLink {
                        body,
                        ..link.clone()
                    }
                })
                .collect(),
            contacts: Vec::new(),
            ..mechanism.clone()
        };
        let bodies = marker.bodies().unwrap();
        let found = bodies.into_iter().find(|body| body.name == name);
        found.unwrap_or_else(|| Body3::fixed(GROUND))
    };
    let place = pose(&first).place(&at);
    let other = pose(&second);
    let back = Rotation3::from_rows(std::array::from_fn(|i| {
        std::array::from_fn(|j| other.orientation.matrix()[(j, i)].clone())
    }));
    let point = back.apply(&(&place - &other.position));
    Loop {
        name: "closing".to_owned(),
        first,
        second,
        points: [at, point],
        kind,
    }
}

/// The mechanism as bodies, with its tree of joints as rows of points.
fn unfolded(mechanism: &Mechanism3<Q>) -> Scene3<Q> {
    let mut scene = Scene3::new(mechanism.gravity.clone());
    let mut bodies = mechanism.bodies().unwrap();
    let places = mechanism.joint_places().unwrap();
    let frames = frames(mechanism);
    for ((k, link), place) in mechanism.links.iter().enumerate().zip(&places) {
        let name = &link.body.name;
        let axis = |local: &Vector3<Q>| frames[k].apply(local);
        let motor = |numbers: &[Q]| axis(&Vector::new([0, 1, 2].map(|i| numbers[i].clone())));
        let efforts = &link.joint.efforts;
        let (force, torque, along) = match &link.joint.freedom {
            LinkFreedom::Fixed => (Vector::zero(), Vector::zero(), None),
            LinkFreedom::Revolute { axis: own, .. } => {
                let along = axis(&Vector::new([0, 1, 2].map(|i| own[i].clone())));
                (Vector::zero(), along.times(&efforts[0]), Some(along))
            }
            LinkFreedom::Prismatic { axis: own, .. } => {
                let along = axis(own);
                (along.times(&efforts[0]), Vector::zero(), Some(along))
            }
            LinkFreedom::Ball { .. } => (Vector::zero(), motor(efforts), None),
            LinkFreedom::Floating { .. } => (motor(&efforts[..3]), motor(&efforts[3..]), None),
        };
        let at = origin(mechanism, k);
        push(&mut bodies, name, &at, &force, &torque);
        push(&mut bodies, &link.parent, &at, &-&force, &-&torque);
        scene.joints.extend(rows_of(link, place, along));
    }
    scene.bodies = bodies;
    scene.bodies.push(Body3::fixed(GROUND));
    scene.contacts = mechanism.placed_contacts().unwrap();
    scene.joints.extend(mechanism.placed_loops().unwrap());
    scene
}

/// The origin of a link in the world.
fn origin(mechanism: &Mechanism3<Q>, link: usize) -> Vector3<Q> {
    let mut at_origin = mechanism.clone();
    at_origin.links[link].body.position = Vector::zero();
    at_origin.bodies().unwrap()[link].position.clone()
}

/// The orientation of the joint of each link: that of its parent, then the joint's own.
fn frames(mechanism: &Mechanism3<Q>) -> Vec<Rotation3<Q>> {
    let mut plain = mechanism.clone();
    for link in &mut plain.links {
        link.body.orientation = Rotation3::identity();
    }
    let bodies = plain.bodies().unwrap();
    let frame = |link: &TreeLink<Q, Body3<Q>, 3>| {
        let parent = bodies.iter().find(|body| body.name == link.parent);
        let parent = parent.map_or_else(Rotation3::identity, |body| body.orientation.clone());
        parent.after(&link.joint.frame)
    };
    plain.links.iter().map(frame).collect()
}

fn push(
    bodies: &mut [Body3<Q>],
    name: &str,
    at: &Vector3<Q>,
    force: &Vector3<Q>,
    torque: &Vector3<Q>,
) {
    if let Some(body) = bodies.iter_mut().find(|body| body.name == name) {
        let arm = at - &body.position;
        body.force = &body.force + force;
        body.torque = &(&body.torque + torque) + &arm.cross(force);
    }
}

/// Rows of points that leave the joint its freedom alone. `along` is its axis, if it has one.
fn rows_of(
    link: &TreeLink<Q, Body3<Q>, 3>,
    place: &Vector3<Q>,
    along: Option<Vector3<Q>>,
) -> Vec<Joint<Q, 3>> {
    let axis = along.unwrap_or_else(|| Vector::axis(2));
    let across = Contact::<Q, 3>::new("", "", "", Vector::zero(), axis.clone()).tangents;
    let name = |what: &str| format!("{} of {}", what, link.body.name);
    let pin = || Joint::pin(name("pin"), &link.body.name, &link.parent, place.clone());
    let slider = |what: &str, at: &Vector3<Q>, normal: &Vector3<Q>| Joint {
        name: name(what),
        kind: JointKind::Slider(normal.clone()),
        point: at.clone(),
        ..pin()
    };
    let ahead = place + &axis;
    let tilt = || {
        let normals = across.iter().enumerate();
        normals.map(|(k, normal)| slider(&format!("tilt {k}"), &ahead, normal))
    };
    let twist = || slider("twist", &(place + &across[1]), &across[0]);
    match &link.joint.freedom {
        LinkFreedom::Floating { .. } => Vec::new(),
        LinkFreedom::Ball { .. } => vec![pin()],
        LinkFreedom::Revolute { .. } => std::iter::once(pin()).chain(tilt()).collect(),
        LinkFreedom::Fixed => std::iter::once(pin())
            .chain(tilt())
            .chain([twist()])
            .collect(),
        LinkFreedom::Prismatic { .. } => {
            let normals = across.iter().enumerate();
            let shift = normals.map(|(k, normal)| slider(&format!("shift {k}"), place, normal));
            shift.chain(tilt()).chain([twist()]).collect()
        }
    }
}

/// All rows of contacts, and of loops.
fn measured(system: &System<Q>, loops: bool) -> Vec<Constraint<Q>> {
    let contacts = system.contacts.iter();
    let contacts = contacts.flat_map(|own| std::iter::once(&own.normal).chain(&own.tangents));
    let joints = system
        .joints
        .iter()
        .filter(|own| loops && own.name.starts_with("closing"));
    let joints = joints.map(|own| &own.constraint);
    contacts.chain(joints).cloned().collect()
}

/// The accelerations without forces, A and b of the rows of contacts and loops, where the rows of the tree hold.
fn eliminated(system: &System<Q>) -> (Vec<Q>, Vec<Vec<Q>>, Vec<Q>) {
    let tree = system
        .joints
        .iter()
        .filter(|own| !own.name.starts_with("closing"));
    let tree: Vec<_> = tree.map(|own| own.constraint.clone()).collect();
    let columns: Vec<_> = tree.iter().map(|own| own.row.clone()).collect();
    let held = system.coupling(&columns, &columns);
    let held_by = |force: Vec<Q>| -> Vec<Q> {
        // The forces that keep the tree together, and the acceleration under all forces.
        let free = system.mass.inverse_times(&force);
        let needed: Vec<Q> = columns.iter().map(|row| -row.times(&free)).collect();
        let tension = held.solve(&needed).solution().unwrap();
        let mut force = force;
        for (row, tension) in columns.iter().zip(&tension) {
            row.add_to(tension, &mut force);
        }
        system.mass.inverse_times(&force)
    };
    let free = system.free_acceleration();
    let needed: Vec<Q> = tree.iter().map(|own| -own.acceleration(&free)).collect();
    let tension = held.solve(&needed).solution().unwrap();
    let free = system.acceleration(columns.iter().zip(&tension));
    let rows = measured(system, true);
    let b = rows.iter().map(|own| own.acceleration(&free)).collect();
    let answer = |column: &Constraint<Q>| {
        let mut force = vec![q(0, 1); system.dofs()];
        column.row.add_to(&q(1, 1), &mut force);
        let answer = held_by(force);
        rows.iter().map(|row| row.row.times(&answer)).collect()
    };
    (free, rows.iter().map(answer).collect(), b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Joint space and rows of joints: one acceleration of every link, and one complementarity problem for any law of friction.
    #[test]
    fn a_tree_in_joint_space_is_its_bodies_with_rows_of_joints(mechanism in tree()) {
        let own = mechanism.system().unwrap();
        let bodies = unfolded(&mechanism).system().unwrap();
        let (acceleration, a, b) = eliminated(&bodies);
        let free = own.free_acceleration();
        let links = mechanism.link_accelerations(&free).unwrap();
        prop_assert_eq!(links.concat(), acceleration);
        let rows = measured(&own, true);
        let columns: Vec<_> = rows.iter().map(|row| row.row.clone()).collect();
        let coupling = own.coupling(&columns, &columns);
        for (i, row) in rows.iter().enumerate() {
            prop_assert_eq!(coupling.row(i), &a[i][..]);
            prop_assert_eq!(row.acceleration(&free), b[i].clone());
        }
        for (row, other) in rows.iter().zip(measured(&bodies, true)) {
            prop_assert_eq!(row.velocity(&own.velocity), other.velocity(&bodies.velocity));
        }
    }

    /// The bodies of a mechanism move as its joints allow, and have its energy.
    #[test]
    fn kinetic_energy_is_that_of_the_links_and_no_joint_is_torn(mechanism in tree()) {
        let own = mechanism.system().unwrap();
        let mut scene = unfolded(&mechanism);
        scene.joints.retain(|joint| joint.name != "closing");
        let bodies = scene.system().unwrap();
        prop_assert_eq!(bodies.check_joints(), Ok(()));
        prop_assert_eq!(own.kinetic_energy(), bodies.kinetic_energy());
        let still = vec![q(0, 1); own.dofs()];
        let still = mechanism.with_velocity(&still).unwrap().system().unwrap();
        prop_assert_eq!(still.mass, own.mass);
        prop_assert!(still.bias.iter().all(|own| *own == 0));
    }

    /// d/dt (v'Mv)/2 of the links is the power of weight, forces and motors: joints and velocity terms do no work.
    #[test]
    fn velocity_terms_do_no_work(mechanism in tree()) {
        let own = mechanism.system().unwrap();
        let links = mechanism.link_accelerations(&own.free_acceleration()).unwrap();
        let bodies = mechanism.bodies().unwrap();
        let mut growth = q(0, 1);
        for (body, acceleration) in bodies.iter().zip(&links) {
            growth += dot(&Body::velocity(body), &body.mass_matrix().times(acceleration));
        }
        prop_assert_eq!(growth, dot(&own.velocity, &own.applied));
    }

    #[test]
    fn a_tree_of_the_plane_is_that_tree_in_space(
        links in prop::collection::vec((0..4, prop::array::uniform2(small()), small(), prop::array::uniform2(small()), prop::collection::vec(small(), 6), any::<prop::sample::Index>()), 1..=4),
        normal in small(),
    ) {
        let (plane, space) = both(&links, &normal);
        let (plane, space) = (plane.system().unwrap(), space.system().unwrap());
        // The floating links of space have three rates more each, which stay as they are.
        let kept = kept_in_plane(&links);
        let free = space.free_acceleration();
        prop_assert_eq!(plane.dofs(), kept.len());
        let of_space: Vec<Q> = kept.iter().map(|k| free[*k].clone()).collect();
        prop_assert_eq!(plane.free_acceleration(), of_space);
        prop_assert_eq!(plane.kinetic_energy(), space.kinetic_energy());
        let (a, b) = (&plane.contacts[0], &space.contacts[0]);
        prop_assert_eq!(a.normal.velocity(&plane.velocity), b.normal.velocity(&space.velocity));
        prop_assert_eq!(a.normal.acceleration(&plane.free_acceleration()), b.normal.acceleration(&free));
        let tangents = [&a.tangents[0], &b.tangents[0]];
        prop_assert_eq!(tangents[0].acceleration(&plane.free_acceleration()), tangents[1].acceleration(&free));
    }
}

type PlaneLink = (i32, [Q; 2], Q, [Q; 2], Vec<Q>, prop::sample::Index);

/// The generalised velocities of space that are those of the plane.
fn kept_in_plane(links: &[PlaneLink]) -> Vec<usize> {
    let (mut kept, mut next) = (Vec::new(), 0);
    for (kind, ..) in links {
        let own: &[usize] = match kind {
            0 => &[],
            1 | 2 => &[0],
            _ => &[0, 1, 5],
        };
        kept.extend(own.iter().map(|k| next + k));
        next += match kind {
            0 => 0,
            1 | 2 => 1,
            _ => 6,
        };
    }
    kept
}

fn flat(v: &[Q; 2]) -> Vector3<Q> {
    Vector::new([v[0].clone(), v[1].clone(), q(0, 1)])
}

fn upright(own: &Rotation2<Q>) -> Rotation3<Q> {
    Rotation3::about_axis(&Vector::axis(2), own)
}

/// One joint of the plane, and the same in space.
fn freedoms(
    kind: i32,
    turn: &Rotation2<Q>,
    position: &[Q; 2],
) -> (
    LinkFreedom<Q, Rotation2<Q>, 2>,
    LinkFreedom<Q, Rotation3<Q>, 3>,
) {
    let unit = turn.apply(&Vector::axis(0)).coordinates().clone();
    let [x, y] = position;
    match kind {
        0 => (LinkFreedom::Fixed, LinkFreedom::Fixed),
        1 => (
            LinkFreedom::Revolute {
                axis: vec![q(-1, 1)],
                position: turn.clone(),
                limits: None,
            },
            LinkFreedom::Revolute {
                axis: vec![q(0, 1), q(0, 1), q(-1, 1)],
                position: turn.clone(),
                limits: None,
            },
        ),
        2 => (
            LinkFreedom::Prismatic {
                axis: Vector::new(unit.clone()),
                position: x.clone(),
                limits: None,
            },
            LinkFreedom::Prismatic {
                axis: flat(&unit),
                position: x.clone(),
                limits: None,
            },
        ),
        _ => (
            LinkFreedom::Floating {
                position: Vector::new([x.clone(), y.clone()]),
                orientation: turn.clone(),
            },
            LinkFreedom::Floating {
                position: flat(position),
                orientation: upright(turn),
            },
        ),
    }
}

/// The rates of space for those of the plane.
fn wide(own: &[Q]) -> Vec<Q> {
    match own {
        [vx, vy, w] => [vx.clone(), vy.clone(), q(0, 1), q(0, 1), q(0, 1), w.clone()].to_vec(),
        own => own.to_vec(),
    }
}

/// One contact of a link with a wall.
fn touching(link: usize, normal: &Q) -> (Contact<Q, 2>, Contact<Q, 3>) {
    let up = Rotation2::from_half_angle(normal).apply(&Vector::axis(1));
    let along = -&up.quarter_turn();
    let last = format!("link {}", link);
    let contact = Contact::new("c", &last, GROUND, Vector::integers([1, 2]), up.clone());
    let contact = contact.with_tangents(vec![along.clone()]);
    let wide = Contact::new(
        "c",
        &last,
        GROUND,
        Vector::integers([1, 2, 0]),
        flat(up.coordinates()),
    );
    let tangents = vec![flat(along.coordinates()), Vector::axis(2)];
    (contact, wide.with_tangents(tangents))
}

/// One mechanism in the plane, and in space in the plane z = 0.
fn both(links: &[PlaneLink], normal: &Q) -> (Mechanism2<Q>, Mechanism3<Q>) {
    let (mut plane, mut space) = (Vec::new(), Vec::new());
    for (k, (kind, at, half, position, numbers, index)) in links.iter().enumerate() {
        let name = format!("link {k}");
        let turn = Rotation2::from_half_angle(half);
        let [x, y] = position;
        let (a, b) = freedoms(*kind, &turn, position);
        let n = a.dofs();
        let (rates, efforts) = (&numbers[..n], &numbers[3..3 + n]);
        let joint = LinkJoint::new(Vector::new(at.clone()), a).turned(turn.clone());
        let parent = index.index(k + 1).checked_sub(1);
        let parent = parent.map_or(GROUND.to_owned(), |k| format!("link {k}"));
        let centre = Vector::new([y.clone(), x.clone()]);
        let mut body = Body2::new(&name, q(2, 1), q(1, 3), centre);
        body.torque = numbers[5].clone();
        plane.push(TreeLink {
            body,
            parent: parent.clone(),
            joint: joint.moving(rates.to_vec()).driven(efforts.to_vec()),
        });
        let joint = LinkJoint::new(flat(at), b).turned(upright(&turn));
        let mut body = Body3::new(
            &name,
            q(2, 1),
            [q(1, 1), q(2, 1), q(1, 3)],
            flat(&[y.clone(), x.clone()]),
        );
        body.torque = Vector::new([q(0, 1), q(0, 1), numbers[5].clone()]);
        space.push(TreeLink {
            body,
            parent,
            joint: joint.moving(wide(rates)).driven(wide(efforts)),
        });
    }
    let (contact, of_space) = touching(links.len() - 1, normal);
    let (gravity, loops) = (Vector::integers([1, -10]), Vec::new());
    let plane = Mechanism2 {
        links: plane,
        contacts: vec![contact],
        loops,
        gravity,
    };
    let (gravity, loops) = (Vector::integers([1, -10, 0]), Vec::new());
    (
        plane,
        Mechanism3 {
            links: space,
            contacts: vec![of_space],
            loops,
            gravity,
        },
    )
}
