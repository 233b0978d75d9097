use etalon_rigid::{
    Body3, Constraint, Contact, ContactRows, Covector, Dense, Joint, MassMatrix, Model, Scene3,
    System, Vector, Vector3,
};

use super::*;

type Q = Rational;

fn xyz(text: &str) -> Vector3<Q> {
    let mut numbers = text
        .split(' ')
        .map(|t| etalon_lcp::parse_rational(t).unwrap());
    Vector::new([(); 3].map(|()| numbers.next().unwrap()))
}

/// A block of 1 kg and 2 x 2 x 1 m on its four corners, under that gravity in the frame of the slope.
fn block(gravity: &str, mu: &str) -> Formulation<Q> {
    let moments = ["5/12", "5/12", "2/3"].map(|t| etalon_lcp::parse_rational(t).unwrap());
    let body = Body3::new("block", 1.into(), moments, xyz("0 0 1/2"));
    let mut scene = Scene3::new(xyz(gravity))
        .body(Body3::fixed("slope"))
        .body(body);
    for (name, place) in [
        ("a", "1 1 0"),
        ("b", "-1 1 0"),
        ("c", "-1 -1 0"),
        ("d", "1 -1 0"),
    ] {
        let contact = Contact::new(name, "block", "slope", xyz(place), Vector::axis(2));
        scene = scene.contact(contact.with_friction(etalon_lcp::parse_rational(mu).unwrap()));
    }
    Formulation::new(scene.system().unwrap(), FrictionModel::Circular).unwrap()
}

/// A body that touches the floor at its centre of mass.
pub(super) fn point(gravity: &str, mu: &str) -> Formulation<Q> {
    let body = Body3::new("p", 1.into(), [1, 1, 1].map(Q::from), Vector::zero());
    let contact = Contact::new("c", "p", "floor", Vector::zero(), Vector::axis(2));
    let scene = Scene3::new(xyz(gravity))
        .body(Body3::fixed("floor"))
        .body(body);
    let scene = scene.contact(contact.with_friction(etalon_lcp::parse_rational(mu).unwrap()));
    Formulation::new(scene.system().unwrap(), FrictionModel::Circular).unwrap()
}

fn solved(formulation: &Formulation<Q>) -> Coulomb {
    formulation.coulomb().unwrap().unwrap()
}

#[test]
fn a_block_that_the_box_holds_slides_exactly() {
    // 6 m/s^2 downhill along (3, 4)/5 against 3/5 of 8: 6/5 along the slope.
    let formulation = block("18/5 24/5 -8", "3/5");
    let found = solved(&formulation);
    assert_eq!(found.enclosure, None);
    let expected = xyz("18/25 24/25 0");
    assert_eq!(found.forces.acceleration[..3], *expected.coordinates());
    assert_eq!(
        formulation.other_coulomb(&found).unwrap(),
        OtherForces::Some
    );
    assert_eq!(formulation.problem("p"), Err(ForceError::Circular));
}

#[test]
fn a_force_beyond_the_circle_and_inside_the_square_moves_the_body() {
    // 7/2 m/s^2 along both axes, 4.95 in all, against 3/5 of 8: the direction has the root of 2 in it.
    let formulation = point("7/2 7/2 -8", "3/5");
    let found = solved(&formulation);
    let enclosure = found.enclosure.clone().unwrap();
    assert!(
        enclosure.force < 1e-30 && enclosure.acceleration < 1e-30,
        "{enclosure:?}"
    );
    // 7/2 - 24/5 / sqrt 2, within what is stated: (7/2 - a)^2 = 288/25.
    let a = &found.forces.acceleration[0];
    let square = |a: Q| (Q::from((7, 2)) - a).square();
    let near = Q::from((288, 25));
    assert!(
        square(a.clone() - &enclosure.acceleration) >= near
            && square(a.clone() + &enclosure.acceleration) <= near
    );
    assert_eq!(found.forces.contacts[0].normal, 8);
    assert_eq!(
        formulation.other_coulomb(&found).unwrap(),
        OtherForces::None
    );
}

#[test]
fn friction_that_suffices_holds_exactly_up_to_its_limit() {
    for (gravity, mu) in [
        ("3 4 -10", "1/2"),
        ("3 4 -10", "3/5"),
        ("0 0 -10", "1/2"),
        ("-3 4 -10", "1"),
    ] {
        for formulation in [block(gravity, mu), point(gravity, mu)] {
            let found = solved(&formulation);
            assert_eq!(found.enclosure, None, "{gravity} {mu}");
            assert!(
                found.forces.acceleration.iter().all(|a| *a == 0),
                "{gravity} {mu}"
            );
        }
    }
}

#[test]
fn no_radius_no_mode_and_no_direction_is_taken_on_trust() {
    // Forces of other faces, and forces that are no forces, prove nothing, or what is so: Newton's method
    // may lead from afar to the truth, and says how near.
    let formulation = point("7/2 7/2 -8", "3/5");
    let truth = solved(&formulation);
    let mut proved = 0;
    for near in [
        [8.0, -3.5, -3.5],
        [8.0, -3.4, -3.3],
        [8.0, 3.4, 3.4],
        [8.0, -4.8, 0.0],
        [-8.0, 1.0, 1.0],
        [0.0; 3],
        [f64::NAN; 3],
    ] {
        let Some(found) = formulation.prove_coulomb(&near).unwrap() else {
            continue;
        };
        proved += 1;
        let within = |found: &Coulomb| found.enclosure.clone().unwrap().force;
        let apart = within(&found) + within(&truth);
        for (a, b) in found.f.iter().zip(&truth.f) {
            assert!(Q::from(a - b).abs() <= apart, "{near:?}");
        }
    }
    assert!(proved < 4, "{proved}");
    assert!(formulation.prove_coulomb(&[8.0]).is_err());
}

/// Unit masses and one contact of mu = 2 whose tangent moves the normal along: W = (1 1 0; 1 2 0; 0 0 1)
/// and b = (1, 5, 0) have three solutions, take-off, stick and slip.
fn three_solutions() -> Formulation<Q> {
    let mut mass = MassMatrix::empty();
    mass.push("all", Dense::identity(3)).unwrap();
    let row = |entries: [i32; 3], drift: i32| {
        Constraint::new(Covector::of_dense(&entries.map(Q::from)), Q::from(drift))
    };
    let contact = ContactRows {
        name: "c".to_owned(),
        normal: row([1, 0, 0], 1),
        tangents: vec![row([1, 1, 0], 5), row([0, 0, 1], 0)],
        mu: 2.into(),
        slip: None,
    };
    let zero = || vec![Q::new(); 3];
    let system = System {
        mass,
        applied: zero(),
        bias: zero(),
        velocity: zero(),
        contacts: vec![contact],
        joints: Vec::new(),
        drives: Vec::new(),
    };
    Formulation::new(system, FrictionModel::Circular).unwrap()
}

#[test]
fn nothing_is_called_unique_that_is_not() {
    let formulation = three_solutions();
    for f in [[0, 0, 0], [3, -4, 0], [1, -2, 0]] {
        let found = formulation.exact(&f.map(Q::from)).unwrap().unwrap();
        assert_eq!(
            formulation.other_coulomb(&found).unwrap(),
            OtherForces::Unknown,
            "{f:?}"
        );
    }
    // Neither are forces that break one condition each: a pull, a cone, a drive, a slack, an angle.
    for f in [[-1, 0, 0], [3, -7, 0], [3, 4, 0], [2, -3, 0], [1, -2, 1]] {
        assert_eq!(formulation.exact(&f.map(Q::from)).unwrap(), None, "{f:?}");
    }
}

#[test]
fn uniqueness_is_proved_up_to_some_friction_and_not_beyond() {
    // A body on one point at its centre of mass: W = 1, and mu^2 max eig(W_TT) (W^-1)_NN = mu^2.
    for (mu, others) in [("9/10", OtherForces::None), ("11/10", OtherForces::Unknown)] {
        let formulation = point("3 4 -4", mu);
        let found = solved(&formulation);
        assert_eq!(formulation.other_coulomb(&found).unwrap(), others, "{mu}");
    }
}

#[test]
fn friction_that_is_aslant_is_no_coulomb_friction() {
    // At the limit and against the acceleration in part: Baraff's conditions hold, Coulomb's law does not.
    let formulation = point("3 4 -4", "1/2");
    let forces = formulation.forces(&[4, -2, 0].map(Q::from)).unwrap();
    assert_eq!(forces.violations(), []);
    let aslant = crate::Violation::Aslant("c".to_owned());
    assert_eq!(forces.coulomb_violations(), [aslant]);
}

#[test]
fn forces_that_tear_a_joint_are_none() {
    // A body of 1 kg that hangs in a ball joint below its support: 10 N.
    let body = Body3::new("bob", 1.into(), [1, 1, 1].map(Q::from), Vector::zero());
    let joint = Joint::pin("joint", "bob", "ceiling", xyz("0 0 1"));
    let scene = Scene3::new(xyz("0 0 -10"))
        .body(Body3::fixed("ceiling"))
        .body(body)
        .joint(joint);
    let system = scene.system().unwrap();
    let formulation = Formulation::new(system, FrictionModel::Circular).unwrap();
    let of = |f: [i32; 3]| formulation.exact(&f.map(Q::from)).unwrap();
    assert!(of([0, 0, 10]).is_some());
    assert_eq!(of([0, 0, 9]), None);
    assert_eq!(of([1, 0, 10]), None);
}
