//! Mechanisms that cannot be, and what is said of them; and mechanisms with closed forms.

#![allow(clippy::unwrap_used)] // this is a test

use etalon_rigid::*;
use rug::Rational;

type Q = Rational;
type Link2<S> = TreeLink<S, Body2<S>, 2>;

fn q(n: i64, d: i64) -> Q {
    Q::from((n, d))
}

fn turning<S: Scalar>(name: &str, parent: &str) -> Link2<S> {
    let freedom = LinkFreedom::Revolute {
        axis: vec![S::one()],
        position: Rotation2::identity(),
        limits: None,
    };
    sized(name, parent, S::one(), freedom)
}

fn sized<S: Scalar>(
    name: &str,
    parent: &str,
    mass: S,
    freedom: LinkFreedom<S, Rotation2<S>, 2>,
) -> Link2<S> {
    let inertia = mass.clone() * &S::ratio(1, 12);
    let centre = Vector::ratios([(1, 2), (0, 1)]);
    let point = if parent == GROUND {
        Vector::zero()
    } else {
        Vector::axis(0)
    };
    TreeLink {
        body: Body2::new(name, mass, inertia, centre),
        parent: parent.to_owned(),
        joint: LinkJoint::new(point, freedom),
    }
}

fn mechanism<S: Scalar>(links: Vec<Link2<S>>) -> Mechanism2<S> {
    Mechanism2 {
        links,
        contacts: Vec::new(),
        loops: Vec::new(),
        gravity: Vector::integers([0, -10]),
    }
}

fn complaint<S: Scalar>(own: &Mechanism2<S>) -> String {
    own.system().unwrap_err().to_string()
}

/// Two links, of which the second is changed.
fn changed(change: impl Fn(&mut Link2<Q>)) -> Mechanism2<Q> {
    let mut own = mechanism(vec![turning("upper", GROUND), turning("lower", "upper")]);
    change(&mut own.links[1]);
    own
}

#[test]
fn a_tree_hangs_on_the_ground() {
    let circle = mechanism(vec![
        turning::<Q>("a", GROUND),
        turning("b", "d"),
        turning("c", "b"),
        turning("d", "c"),
    ]);
    assert_eq!(
        complaint(&circle),
        "links b -> d -> c -> b: each hangs on the next, so that none hangs on the ground; give one of them the parent \"ground\", and close the loop in \"loops\""
    );
    let own = mechanism(vec![turning::<Q>("a", "a")]);
    assert!(complaint(&own).starts_with("links a -> a: "));
    assert_eq!(
        complaint(&changed(|link| link.parent = "uper".to_owned())),
        "link \"lower\": its parent \"uper\" is no link of the mechanism; name another link, or \"ground\""
    );
    for name in ["upper", GROUND] {
        let twice = changed(|link| link.body.name = name.to_owned());
        assert_eq!(
            complaint(&twice),
            format!("there are two of the name {name:?}")
        );
    }
}

#[test]
fn axes_and_rotations_are_of_unit_length() {
    let axis = |axis: Vec<Q>| {
        changed(|link| {
            link.joint.freedom = LinkFreedom::Revolute {
                axis: axis.clone(),
                position: Rotation2::identity(),
                limits: None,
            };
        })
    };
    assert_eq!(
        complaint(&axis(vec![q(2, 1)])),
        "link \"lower\": joint.axis has the squared length 4, but must be a unit vector: divide it by its length"
    );
    assert!(complaint(&axis(vec![])).contains("joint.axis has the squared length 0"));
    assert!(complaint(&axis(vec![q(1, 1), q(0, 1)])).contains("joint.axis"));
    let sideways = changed(|link| {
        link.joint.freedom = LinkFreedom::Prismatic {
            axis: Vector::integers([1, 1]),
            position: q(0, 1),
            limits: None,
        };
    });
    assert!(complaint(&sideways).contains("joint.axis has the squared length 2"));
    let long = Rotation2::from_cos_sin(q(1, 1), q(1, 1));
    let turned = changed(|link| link.joint.frame = long.clone());
    assert!(complaint(&turned).starts_with("link \"lower\": joint.frame, "));
    let positioned = changed(|link| {
        if let LinkFreedom::Revolute { position, .. } = &mut link.joint.freedom {
            *position = long.clone();
        }
    });
    assert!(complaint(&positioned).contains("joint.position"));
    let tilted = changed(|link| link.body.orientation = long.clone());
    assert!(matches!(tilted.system(), Err(SceneError::Orientation { body }) if body == "lower"));
}

#[test]
fn limits_have_an_order_and_the_position_between_them() {
    let prismatic = |position, limits: [i64; 2]| {
        changed(|link| {
            link.joint.freedom = LinkFreedom::Prismatic {
                axis: Vector::axis(0),
                position: q(position, 1),
                limits: Some(limits.map(Q::from)),
            };
        })
    };
    assert_eq!(
        complaint(&prismatic(0, [1, -1])),
        "link \"lower\": the lower of joint.limits is above the upper one; write them as [lower, upper]"
    );
    assert_eq!(
        complaint(&prismatic(-2, [-1, 1])),
        "link \"lower\": joint.position is below the lower limit of joint.limits; move it to the limit, or between both"
    );
    assert!(complaint(&prismatic(2, [-1, 1])).contains("above the upper limit"));
    let names = |own: Mechanism2<Q>| -> Vec<String> {
        let contacts = own.system().unwrap().contacts;
        contacts.into_iter().map(|own| own.name).collect()
    };
    assert_eq!(names(prismatic(0, [-1, 1])), [""; 0]);
    assert_eq!(names(prismatic(-1, [-1, 1])), ["lower limit of lower"]);
    assert_eq!(names(prismatic(1, [-1, 1])), ["upper limit of lower"]);
    // A joint that is held has both.
    assert_eq!(names(prismatic(1, [1, 1])).len(), 2);
}

/// Angles go from above -pi to pi, so that half a turn is the last of all.
#[test]
fn limits_of_angles_are_compared_by_half_their_tangents() {
    let turn = |cos: i64, sin: i64, d: i64| Rotation2::from_cos_sin(q(cos, d), q(sin, d));
    let revolute = |own: Rotation2<Q>, lower: Rotation2<Q>, upper: Rotation2<Q>| {
        changed(|link| {
            link.joint.freedom = LinkFreedom::Revolute {
                axis: vec![q(1, 1)],
                position: own.clone(),
                limits: Some([lower.clone(), upper.clone()]),
            };
        })
    };
    let ascending = [
        turn(-4, -3, 5),
        turn(0, -1, 1),
        turn(1, 0, 1),
        turn(4, 3, 5),
        turn(-3, 4, 5),
        turn(-1, 0, 1),
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            for (k, own) in ascending.iter().enumerate() {
                let made = revolute(own.clone(), a.clone(), b.clone()).system();
                let rows = usize::from(i == k) + usize::from(j == k);
                match made {
                    Ok(system) => assert!(i <= k && k <= j && system.contacts.len() == rows),
                    Err(SceneError::Limits { .. }) => assert!(i > j),
                    Err(error) => assert!(
                        matches!(error, SceneError::PastLimit { .. }) && (k < i || k > j),
                        "{error}"
                    ),
                }
            }
        }
    }
}

/// A point mass on a ball joint, beside its point: about the line through both no turn moves it.
#[test]
fn a_ball_joint_turns_a_link_with_inertia() {
    let link = |moments: [i64; 3]| {
        let body = Body3::new(
            "bob",
            q(1, 1),
            moments.map(Rational::from),
            Vector::integers([2, 0, 0]),
        );
        let orientation = Rotation3::identity();
        Mechanism3 {
            links: vec![TreeLink {
                body,
                parent: "ground".to_owned(),
                joint: LinkJoint::new(Vector::zero(), LinkFreedom::Ball { orientation }),
            }],
            contacts: Vec::new(),
            loops: Vec::new(),
            gravity: Vector::integers([0, 0, -10]),
        }
    };
    assert!(link([1, 0, 0]).system().is_ok());
    let why = link([0, 0, 0]).system().unwrap_err().to_string();
    assert!(
        why.contains("link \"bob\": its joint turns it about the line")
            && why.contains("\"inertia\" above 0"),
        "{why}"
    );
}

#[test]
fn a_joint_moves_mass() {
    let light = changed(|link| {
        link.body.mass = q(0, 1);
        link.body.inertia = q(0, 1);
    });
    assert_eq!(
        complaint(&light),
        "link \"lower\": its joint moves no mass of its own, so that the mass matrix is singular; give the link, or one that hangs on it, mass or inertia that the joint moves"
    );
    // With a link that hangs on it, it may be without; but not if that one turns about the same point.
    let mut carried = light.clone();
    carried.links.push(turning("hand", "lower"));
    assert!(carried.system().is_ok());
    carried.links[2].joint.point = Vector::zero();
    assert!(matches!(
        carried.system(),
        Err(SceneError::MovesNoMass { link }) if link == "hand"
    ));
    let negative = changed(|link| link.body.mass = q(-1, 1));
    assert!(matches!(negative.system(), Err(SceneError::LinkMass { mass, .. }) if mass == "-1"));
    let inertia = changed(|link| link.body.inertia = q(-1, 1));
    assert!(matches!(
        inertia.system(),
        Err(SceneError::LinkInertia { .. })
    ));
}

#[test]
fn nan_is_an_error_that_names_the_link() {
    let with = |change: &dyn Fn(&mut Link2<f64>)| {
        let mut own = mechanism(vec![turning("upper", GROUND), turning("lower", "upper")]);
        change(&mut own.links[1]);
        complaint(&own)
    };
    let nan = f64::NAN;
    for text in [
        with(&|link| link.body.mass = nan),
        with(&|link| link.body.inertia = nan),
        with(&|link| link.body.torque = nan),
        with(&|link| link.joint.point = Vector::new([nan, 0.0])),
        with(&|link| link.joint.rates = vec![nan]),
        with(&|link| link.joint.efforts = vec![f64::INFINITY]),
        with(&|link| {
            link.joint.freedom = LinkFreedom::Prismatic {
                axis: Vector::axis(0),
                position: 0.0,
                limits: Some([nan, 1.0]),
            };
        }),
    ] {
        assert!(
            text.contains("\"lower\"") && text.contains("finite"),
            "{text}"
        );
    }
    let short = with(&|link| link.joint.rates.clear());
    assert!(
        short.contains("the rate of a joint has 0 entries"),
        "{short}"
    );
}

#[test]
fn loops_and_contacts_name_links_that_meet() {
    let with = |first: &str, points: [[i64; 2]; 2]| {
        let mut own = changed(|_| {});
        own.loops.push(Loop {
            name: "loop".to_owned(),
            first: first.to_owned(),
            second: GROUND.to_owned(),
            points: points.map(Vector::integers),
            kind: JointKind::Pin,
        });
        own
    };
    assert_eq!(
        with("lower", [[1, 0], [2, 0]])
            .system()
            .unwrap()
            .joints
            .len(),
        2
    );
    assert_eq!(
        complaint(&with("lower", [[1, 0], [5, 4]])),
        "loop \"loop\": its two points are apart, by a distance with the square 25; correct \"points\", or the positions of the joints"
    );
    assert_eq!(
        complaint(&with("lover", [[1, 0], [2, 0]])),
        "loop \"loop\": there is no body \"lover\""
    );
    let mut slides = with("lower", [[1, 0], [9, 0]]);
    slides.loops[0].kind = JointKind::Slider(Vector::axis(1));
    assert_eq!(slides.system().unwrap().joints.len(), 1);
    slides.loops[0].kind = JointKind::Slider(Vector::integers([0, 2]));
    assert!(matches!(
        slides.system(),
        Err(SceneError::SliderLength { .. })
    ));
    let mut touching = changed(|_| {});
    let contact = Contact::new("tip", "hand", GROUND, Vector::zero(), Vector::axis(1));
    touching.contacts.push(contact);
    assert_eq!(
        complaint(&touching),
        "contact \"tip\": there is no body \"hand\""
    );
}

/// A link that is turned from x to y by a joint about z. What closes its loop has axes in coordinates of the link, and a
/// slider may be anywhere along its own.
#[test]
fn axes_of_loops_turn_with_the_second_link() {
    let quarter = Rotation2::from_cos_sin(q(0, 1), q(1, 1));
    let freedom = LinkFreedom::Revolute {
        axis: vec![q(0, 1), q(0, 1), q(1, 1)],
        position: quarter,
        limits: None,
    };
    let ones = [q(1, 1), q(1, 1), q(1, 1)];
    let closed = |point: [i64; 3], kind: Freedom<Q, 3>| Mechanism3 {
        links: vec![TreeLink {
            body: Body3::new("arm", q(1, 1), ones.clone(), Vector::zero()),
            parent: GROUND.to_owned(),
            joint: LinkJoint::new(Vector::zero(), freedom.clone()),
        }],
        contacts: Vec::new(),
        loops: vec![Loop {
            name: "loop".to_owned(),
            first: GROUND.to_owned(),
            second: "arm".to_owned(),
            points: [Vector::integers(point), Vector::zero()],
            kind: JointKind::Free(kind),
        }],
        gravity: Vector::zero(),
    };
    let (x, y) = (Vector::integers([2, 0, 0]), Vector::integers([0, 2, 0]));
    let joint = |own: Mechanism3<Q>| own.placed_loops().map(|own| own[0].kind.clone());
    let hinge = Freedom::Hinge { axis: x.clone() };
    let in_world = Freedom::Hinge { axis: y.clone() };
    assert_eq!(
        joint(closed([0, 0, 0], hinge.clone())),
        Ok(JointKind::Free(in_world))
    );
    let apart = |squared: &str| {
        Err(SceneError::OpenLoop {
            joint: "loop".to_owned(),
            squared: squared.to_owned(),
        })
    };
    assert_eq!(joint(closed([0, 3, 0], hinge)), apart("9"));
    let slider = Freedom::Slider { axis: x };
    let in_world = JointKind::Free(Freedom::Slider { axis: y });
    assert_eq!(joint(closed([0, 3, 0], slider.clone())), Ok(in_world));
    // The distance across, not times the length of the axis.
    assert_eq!(joint(closed([0, 3, 5], slider)), apart("25"));
}

/// A pendulum of length l on a cart: M = (M + m, m l cos; m l cos, m l^2), V = (-m l sin w^2, 0).
#[test]
fn a_pendulum_on_a_cart_has_the_equations_of_textbooks() {
    let slide = LinkFreedom::Prismatic {
        axis: Vector::axis(0),
        position: q(7, 1),
        limits: None,
    };
    let mut cart = sized("cart", GROUND, q(3, 1), slide);
    cart.joint.efforts = vec![q(5, 1)];
    let mut bob: Link2<Q> = turning("bob", "cart");
    bob.body = Body2::new("bob", q(2, 1), q(0, 1), Vector::integers([4, 0]));
    bob.joint.rates = vec![q(-3, 1)];
    if let LinkFreedom::Revolute { position, .. } = &mut bob.joint.freedom {
        *position = Rotation2::from_cos_sin(q(3, 5), q(4, 5));
    }
    let system = mechanism(vec![cart, bob]).system().unwrap();
    // The bob is at 4 (3/5, 4/5) and moves by 4 (-4/5, 3/5) a unit of its angle.
    let mass = |k: usize| {
        system
            .mass
            .times(&[q(i64::from(k == 0), 1), q(i64::from(k == 1), 1)])
    };
    assert_eq!(mass(0), [q(5, 1), q(-32, 5)]);
    assert_eq!(mass(1), [q(-32, 5), q(32, 1)]);
    assert_eq!(system.bias, [q(2 * 4 * 3 * -9, 5), q(0, 1)]);
    assert_eq!(system.applied, [q(5, 1), q(-2 * 10 * 4 * 3, 5)]);
}

/// In binary64 a mechanism is the exact one up to rounding.
#[test]
fn both_arithmetics_make_one_mechanism() {
    fn own<S: Scalar>() -> System<S> {
        let mut links: Vec<Link2<S>> =
            vec![turning("a", GROUND), turning("b", "a"), turning("c", "a")];
        for (link, half) in links.iter_mut().zip([3, 5, 7]) {
            link.joint.rates = vec![S::ratio(half, 2)];
            if let LinkFreedom::Revolute {
                position, limits, ..
            } = &mut link.joint.freedom
            {
                *position = Rotation2::from_half_angle(&S::ratio(1, half));
                *limits = Some([
                    position.clone(),
                    Rotation2::from_half_angle(&S::ratio(1, 2)),
                ]);
            }
        }
        mechanism(links).system().unwrap()
    }
    let (exact, rounded) = (own::<Q>(), own::<f64>());
    assert_eq!((exact.contacts.len(), rounded.contacts.len()), (3, 3));
    let pairs = exact
        .free_acceleration()
        .into_iter()
        .zip(rounded.free_acceleration());
    for (exact, rounded) in pairs {
        assert!((exact.to_f64() - rounded).abs() < 1e-12 * (1.0 + rounded.abs()));
    }
}
