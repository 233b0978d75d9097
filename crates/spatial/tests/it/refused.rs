//! What cannot move is refused by name.

use etalon_rigid::{Dense, SceneError, Vector};
use etalon_spatial::{
    Body, Joint, JointFreedom, Shape, SpaceWorld, SpatialError, Surface, Surfaces,
};
use rug::Rational;

use crate::common::{ball, flat, floor, q, surfaces};

fn refused(bodies: Vec<Body>, joints: Vec<Joint>, surfaces: Surfaces) -> SpatialError {
    SpaceWorld::new(Vector::integers([0, 0, -10]), bodies, joints, surfaces).unwrap_err()
}

fn alone(body: Body) -> SpatialError {
    refused(vec![body], Vec::new(), surfaces(q(1, 2), q(0, 1)))
}

fn says(error: &SpatialError, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn bodies_that_cannot_be_are_refused_by_name() {
    let half_sizes = [q(1, 1), q(0, 1), q(1, 1)];
    let shape = Some(Shape::Box { half_sizes });
    says(
        &alone(Body {
            shape,
            ..flat("thin")
        }),
        &["\"thin\"", "above 0"],
    );
    let light = Body {
        mass: q(0, 1),
        ..flat("light")
    };
    let mass = SceneError::Mass {
        body: "light".to_owned(),
        mass: "0".to_owned(),
    };
    assert_eq!(alone(light), mass.into());
    let odd = Body {
        inertia: Dense::zeros(3, 3),
        ..flat("odd")
    };
    assert_eq!(
        alone(odd),
        SceneError::Inertia {
            body: "odd".to_owned()
        }
        .into()
    );
    says(
        &alone(Body {
            fixed: false,
            ..floor()
        }),
        &["half-space", "fixed"],
    );
    let moving = Body {
        velocity: Vector::axis(0),
        ..floor()
    };
    says(&alone(moving), &["stands still"]);
    let twice = vec![flat("a"), flat("a")];
    says(
        &refused(twice, Vec::new(), surfaces(q(1, 2), q(0, 1))),
        &["\"a\""],
    );
    let vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]].map(Vector::integers);
    let shape = Some(Shape::Polyhedron {
        vertices: vertices.to_vec(),
    });
    says(
        &alone(Body {
            shape,
            ..flat("plane")
        }),
        &["\"plane\"", "in one plane"],
    );
}

fn moments(values: [Rational; 3]) -> Body {
    Body {
        inertia: Dense::from_fn(3, 3, |i, j| match i == j {
            true => values[i].clone(),
            false => Rational::new(),
        }),
        shape: None,
        ..flat("own")
    }
}

#[test]
fn surfaces_of_no_pair_and_of_one_pair_twice_are_refused_by_name() {
    let of = |pairs: &[(&str, &str)]| {
        let mut all = surfaces(q(1, 2), q(0, 1));
        let own = all.default.clone();
        let named =
            |(first, second): &(&str, &str)| (first.to_string(), second.to_string(), own.clone());
        all.pairs = pairs.iter().map(named).collect();
        let bodies = vec![floor(), ball("a", Vector::integers([0, 0, 5]))];
        SpaceWorld::new(Vector::zero(), bodies, Vec::new(), all)
    };
    assert!(of(&[("floor", "a")]).is_ok());
    let same = of(&[("a", "a")]).unwrap_err();
    says(&same, &["\"a\" and \"a\"", "a body does not touch itself"]);
    for second in [("floor", "a"), ("a", "floor")] {
        let twice = of(&[("floor", "a"), second]).unwrap_err();
        says(&twice, &["\"floor\"", "it is given twice"]);
    }
}

/// Sums of m x x' over points have no negative eigenvalue: no moment is larger than the other two together.
#[test]
fn moments_of_inertia_that_no_body_has_are_refused_by_name() {
    let field = ["\"own\"", "\"inertia\""];
    let error = alone(moments([q(1, 1), q(1, 1), q(100, 1)]));
    says(&error, &field);
    says(&error, &["no body has it", "round it down"]);
    // A flat body has equality, and the last digit decides, in any axes.
    let world = |own: Body| {
        let surfaces = surfaces(q(0, 1), q(0, 1));
        SpaceWorld::new(Vector::zero(), vec![own], Vec::new(), surfaces)
    };
    let tiny = Rational::from(1) >> 200;
    assert!(world(moments([q(1, 1), q(2, 1), q(3, 1)])).is_ok());
    assert!(world(moments([q(1, 1), q(2, 1), q(3, 1) + &tiny])).is_err());
    let mut turned = moments([q(2, 1), q(2, 1), q(2, 1)]);
    for (i, j) in [(0, 1), (1, 0)] {
        turned.inertia[(i, j)] = q(1, 1);
    }
    assert!(
        world(turned.clone()).is_ok(),
        "1, 2 and 3 along its own axes"
    );
    for (i, j) in [(0, 1), (1, 0)] {
        turned.inertia[(i, j)] += &tiny;
    }
    assert!(world(turned).is_err());
}

#[test]
fn moments_of_inertia_that_cannot_be_stepped_are_refused_by_name() {
    let power = |n: i32| Rational::from(1) << n;
    let thin = alone(moments([power(-40), power(40), power(40)]));
    says(
        &thin,
        &["\"own\"", "\"inertia\"", "more than 2^43 times the least"],
    );
    for sizes in [power(2000), power(-2000)] {
        let error = alone(moments([sizes.clone(), sizes.clone(), sizes]));
        says(&error, &["\"own\"", "beyond the range of binary64"]);
    }
}

#[test]
fn bodies_too_fast_for_binary64_are_refused_by_name() {
    let mut fast = ball("fast", Vector::integers([0, 0, 5]));
    fast.velocity[0] = q(1, 1) << 2000;
    let world = SpaceWorld::new(
        Vector::zero(),
        vec![floor(), fast],
        Vec::new(),
        surfaces(q(1, 2), q(0, 1)),
    );
    says(
        &world.unwrap_err(),
        &["\"fast\"", "at inf m/s", "smaller velocities"],
    );
}

#[test]
fn bodies_that_overlap_at_the_start_are_told_how_deep() {
    let low = ball("low", Vector::ratios([(0, 1), (0, 1), (49, 100)]));
    let error = refused(vec![floor(), low], Vec::new(), surfaces(q(1, 2), q(0, 1)));
    says(
        &error,
        &["\"low\"", "\"floor\"", "1.000e-2", "[0.000, 0.000, 1.000]"],
    );
}

#[test]
fn joints_that_do_not_hold_are_refused_by_name() {
    let base = Body {
        shape: None,
        ..floor()
    };
    let mut own = ball("own", Vector::integers([2, 0, 3]));
    own.velocity = Vector::integers([0, 0, 1]);
    let error = |kind: JointFreedom, second: usize| {
        let knee = Joint {
            name: "knee".to_owned(),
            first: 1,
            second,
            point: Vector::integers([2, 0, 2]),
            kind,
            limits: None,
            drive: None,
        };
        let bodies = vec![base.clone(), own.clone()];
        refused(bodies, vec![knee], surfaces(q(1, 2), q(0, 1)))
    };
    says(
        &error(JointFreedom::Ball, 0),
        &["\"knee\"", "does not hold at the start"],
    );
    says(&error(JointFreedom::Ball, 1), &["\"knee\"", "with itself"]);
    let axis = Vector::zero();
    says(
        &error(JointFreedom::Hinge { axis }, 0),
        &["\"knee\"", "axis is zero"],
    );
    let (axis, second_axis) = (Vector::axis(0), Vector::integers([1, 1, 0]));
    let skew = JointFreedom::Universal { axis, second_axis };
    says(&error(skew, 0), &["\"knee\"", "right angle"]);
}

#[test]
fn surfaces_out_of_range_are_refused_by_name() {
    let error = |surfaces: Surfaces| refused(vec![floor(), flat("box")], Vec::new(), surfaces);
    says(&error(surfaces(q(-1, 2), q(0, 1))), &["mu is -1/2"]);
    says(&error(surfaces(q(1, 2), q(3, 2))), &["restitution is 3/2"]);
    let surface = Surface {
        mu: q(1, 1),
        ..Surface::default()
    };
    let pairs = vec![("box".to_owned(), "flor".to_owned(), surface)];
    let unknown = Surfaces {
        pairs,
        ..surfaces(q(1, 2), q(0, 1))
    };
    says(&error(unknown), &["\"flor\"", "floor, box"]);
}

/// A place beyond binary64 is an error of its body, and no panic.
#[test]
fn bodies_too_far_for_binary64_are_refused_by_name() {
    let mut far = ball("far", Vector::integers([0, 0, 5]));
    far.position[0] = q(1, 1) << 2000;
    let bodies = vec![floor(), far];
    let world = SpaceWorld::new(
        Vector::zero(),
        bodies,
        Vec::new(),
        surfaces(q(1, 2), q(0, 1)),
    );
    let error = match world {
        Ok(world) => world.contacts(&world.start(), &q(1, 2)).unwrap_err(),
        Err(error) => error,
    };
    says(&error, &["\"far\"", "move the scene to the origin"]);
}

/// "a/b" over "c" and "a" over "b/c", or the first contact of "a" and "b" and the only one of "a" and "b 1".
#[test]
fn pairs_whose_contacts_have_the_same_names_are_refused() {
    let named = |names: [&str; 4]| {
        let one = |(k, name): (i64, &str)| ball(name, Vector::integers([2 * k, 0, 0]));
        let bodies = (0..).zip(names).map(one).collect();
        let world = SpaceWorld::new(
            Vector::zero(),
            bodies,
            Vec::new(),
            surfaces(q(1, 2), q(0, 1)),
        );
        world.err()
    };
    assert_eq!(named(["ball 1", "ball 2", "a/b", "box"]), None);
    let error = named(["c", "b/c", "a", "a/b"]).unwrap();
    says(
        &error,
        &["\"a/b\" and \"c\"", "\"a\" and \"b/c\"", "rename a body"],
    );
    let error = named(["b", "b 1", "a", "c"]).unwrap();
    says(
        &error,
        &[
            "\"a\" and \"b 1\" have the name \"a/b 1\"",
            "\"a\" and \"b\" may",
        ],
    );
}
