//! The numbers of the literature, exactly.
#![allow(clippy::unwrap_used, clippy::panic)] // this is a test

use etalon_certify::solves;
use etalon_contact_forces::{ForceAnswer, *};
use etalon_exact::{Budget, ExactMethod};
use etalon_lcp::Problem;
use etalon_rigid::Scalar;
use etalon_scenarios::{Instance, ScenarioAnswer, find};
use rug::Rational;

/// Values of parameters.
pub(crate) type Settings = &'static [(&'static str, &'static str)];

fn q(text: &str) -> Rational {
    etalon_lcp::parse_rational(text).unwrap()
}

fn all(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(q).collect()
}

pub(crate) fn scene(name: &str, settings: Settings) -> Instance {
    find(name)
        .unwrap()
        .instance(settings.iter().copied())
        .unwrap()
}

fn formulation(name: &str, settings: Settings) -> Formulation<Rational> {
    scene(name, settings).formulation().unwrap().unwrap()
}

/// M row by row, then q.
pub(crate) fn data(problem: &Problem) -> (Vec<Vec<Rational>>, Vec<Rational>) {
    let n = problem.n();
    let entry = |i, j| problem.m().get(i, j).unwrap().to_rational();
    let rows = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect());
    (rows.collect(), problem.q_exact())
}

/// The forces of every order of driving, and the one acceleration.
fn every_order(name: &str, settings: Settings) -> (Vec<Vec<Rational>>, Vec<Rational>) {
    let formulation = formulation(name, settings);
    let problem = formulation.problem(name).unwrap();
    let mut forces: Vec<Vec<Rational>> = Vec::new();
    let mut accelerations: Vec<Vec<Rational>> = Vec::new();
    for order in permutations(problem.n()) {
        let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
        let DriveOutcome::Solved(f) = run.outcome else {
            panic!("{order:?}: {:?}", run.outcome);
        };
        for step in &run.trace.unwrap().steps {
            let rows: Vec<_> = step.clamped().iter().map(|&k| order[k]).collect();
            assert!(formulation.a().block(&rows, &rows).determinant() > 0);
        }
        let a = formulation.forces(&f).unwrap().normal_acceleration();
        if !forces.contains(&f) {
            forces.push(f);
        }
        if !accelerations.contains(&a) {
            accelerations.push(a);
        }
    }
    assert_eq!(
        accelerations.len(),
        1,
        "one acceleration whatever the order"
    );
    forces.sort();
    (forces, accelerations.remove(0))
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(n - 1);
    let insert = |order: &Vec<usize>| {
        (0..n)
            .map(|k| {
                let mut longer = order.clone();
                longer.insert(k, n - 1);
                longer
            })
            .collect::<Vec<_>>()
    };
    shorter.iter().flat_map(insert).collect()
}

#[test]
fn three_blocks_carry_60_50_and_30_newtons() {
    let (forces, a) = every_order("stack", &[]);
    assert_eq!(forces, [all("60 50 30")]);
    assert_eq!(a, all("0 0 0"));
    let (m, b) = data(&scene("stack", &[]).problem().unwrap());
    assert_eq!(m, [all("1 -1 0"), all("-1 3/2 -1/2"), all("0 -1/2 5/6")]);
    assert_eq!(b, all("-10 0 0"));
}

#[test]
fn a_box_on_four_corners_has_two_answers_by_order_and_no_acceleration() {
    let (forces, a) = every_order("box-on-corners", &[]);
    assert_eq!(forces, [all("0 5 0 5"), all("5 0 5 0")]);
    assert_eq!(a, all("0 0 0 0"));
    assert_eq!(
        formulation("box-on-corners", &[]).range(),
        Range::Inside { rank: 3 }
    );
}

#[test]
fn a_box_with_its_centre_of_mass_off_the_middle() {
    let offset: Settings = &[("offset_x", "1/2"), ("offset_y", "1/4")];
    let (m, _) = data(&scene("box-on-corners", offset).problem().unwrap());
    assert_eq!(m[0], all("199/16 55/16 -65/16 79/16"));
    let (forces, a) = every_order("box-on-corners", offset);
    assert_eq!(forces, [all("0 15/4 15/4 5/2"), all("5/2 5/4 25/4 0")]);
    assert_eq!(a, all("0 0 0 0"));
}

#[test]
fn a_box_that_tips_over_an_edge() {
    let (forces, a) = every_order("box-on-corners", &[("torque_x", "-12")]);
    assert_eq!(forces, [all("0 0 23/4 23/4")]);
    assert_eq!(a, all("3 3 0 0"));
}

#[test]
fn a_grid_has_many_forces_and_one_acceleration() {
    let formulation = formulation("grid", &[]);
    let problem = formulation.problem("grid").unwrap();
    let mut forces = std::collections::BTreeSet::new();
    for shift in 0..9 {
        for step in [1, 2, 4, 5, 7, 8] {
            let order: Vec<usize> = (0..9).map(|k| (shift + step * k) % 9).collect();
            let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
            let DriveOutcome::Solved(f) = run.outcome else {
                panic!()
            };
            assert!(
                formulation
                    .forces(&f)
                    .unwrap()
                    .normal_acceleration()
                    .iter()
                    .all(|a| *a == 0)
            );
            forces.insert(f);
        }
    }
    assert!(forces.len() > 10, "{}", forces.len());
}

#[test]
fn velocity_terms_can_leave_the_range_of_a() {
    let formulation = formulation("b-outside-range", &[]);
    let problem = formulation.problem("p").unwrap();
    assert_eq!(
        data(&problem),
        (vec![all("1 -1"), all("-1 1")], all("-1 -1"))
    );
    assert_eq!(formulation.range(), Range::Outside { y: all("1 1") });
    for order in permutations(2) {
        let run = drive_to_zero(&problem, &order, &Budget::default()).unwrap();
        assert_eq!(run.outcome, DriveOutcome::NoForces(all("1 1")));
    }
    let ray = formulation.lemke_ray(&Budget::default()).unwrap().unwrap();
    assert_eq!(ray.z, all("1 1"));
    let solver = ExactMethod::Certified.solver(&Budget::default());
    assert!(matches!(
        formulation.solve(&*solver).unwrap(),
        ForceAnswer::None(_)
    ));
}

#[test]
fn painleves_rod_has_no_contact_force() {
    let formulation = formulation("painleve-inconsistent", &[]);
    let problem = formulation.problem("p").unwrap();
    assert_eq!(data(&problem), (vec![all("-4/5")], all("-10")));
    let ray = formulation.lemke_ray(&Budget::default()).unwrap().unwrap();
    assert_eq!((ray.z, ray.z0), (all("1"), q("4/5")));
    assert_eq!(ray.response, all("-4/5"));
}

#[test]
fn painleves_rod_at_the_critical_coefficient() {
    let problem = scene("painleve-inconsistent", &[("mu", "13/9")])
        .problem()
        .unwrap();
    assert_eq!(data(&problem), (vec![all("0")], all("-10")));
    let lifting: Settings = &[
        ("mu", "1/2"),
        ("angular_velocity", "4"),
        ("gravity", "34/5"),
    ];
    let problem = scene("painleve-indeterminate", lifting).problem().unwrap();
    assert_eq!(data(&problem), (vec![all("34/25")], all("6")));
}

fn resolution(instance: &Instance) -> Box<Resolution<Rational>> {
    let solver = ExactMethod::Certified.solver(&Budget::default());
    match instance.answer(&*solver, &Budget::default()).unwrap() {
        ScenarioAnswer::Inconsistent(found) => match found.resolved {
            Resolved::Impulse(found) => found,
            other => panic!("{other:?}"),
        },
        other => panic!("it is inconsistent, not {other:?}"),
    }
}

#[test]
fn painleves_rod_is_brought_to_rest_by_an_impulse() {
    let instance = scene("painleve-inconsistent", &[]);
    let found = resolution(&instance);
    // v_t = 2 falls by 22/5 per unit of the ray, v_n by 4/5.
    let StoppingImpulse::Ray { k, velocity } = &found.impulse else {
        panic!()
    };
    assert_eq!(*k, q("5/11"));
    let system = instance.system().unwrap();
    assert_eq!(normal_velocities(&system, velocity), all("-4/11"));
    assert_eq!(found.report.stopped, [0]);
    assert_eq!(found.report.approaching, [(0, q("-4/11"))]);
    assert!(found.report.still_approaching.is_empty());
    assert!(found.report.outside_cone.is_empty());
    // Both steps together bring the tip to rest: -A^-1 v, at 13/9 of the normal impulse.
    assert_eq!(
        found.stop.contacts,
        [[q("18/25") - q("5/11"), q("-26/25") + q("10/11")]]
    );
    let [before, middle, after] = &found.report.kinetic_energy;
    assert!(after < middle && middle < before);
    let tip = &system.contacts[0];
    assert_eq!(tip.tangential_velocity(&found.stop.velocity), all("0"));
    assert_eq!(tip.normal.velocity(&found.stop.velocity), 0);
}

/// Where the ground moves under the rod instead, all that is relative stays: the multiple of the ray, both impulses, their work.
#[test]
fn painleves_impulse_is_that_of_any_frame() {
    let still = resolution(&scene("painleve-inconsistent", &[]));
    let StoppingImpulse::Ray { k, .. } = &still.impulse else {
        panic!()
    };
    let [t0, t1, t2] = &still.report.kinetic_energy;
    let work = [t1.clone() - t0, t2.clone() - t1];
    assert_eq!(still.report.relative_work, work);
    let scene = |speed: i64| {
        let ground = serde_json::json!({"name": "ground", "fixed": true, "velocity": [speed, 0]});
        let rod = serde_json::json!({"name": "rod", "mass": 1, "inertia": "1/3", "position": ["-3/5", "4/5"], "velocity": [speed + 2, 0]});
        let tip = serde_json::json!({"name": "tip", "first": "rod", "second": "ground", "point": [0, 0], "normal": [0, 1], "mu": 2});
        serde_json::json!({"name": "rod", "gravity": [0, -10], "bodies": [ground, rod], "contacts": [tip], "question": {"friction": "rows"}})
    };
    for speed in [-2, -7, 0, 5] {
        let setup = etalon_scenarios::read_scene(&scene(speed).to_string())
            .unwrap()
            .setup;
        let solver = ExactMethod::Certified.solver(&Budget::default());
        let ScenarioAnswer::Inconsistent(found) =
            setup.answer(&*solver, &Budget::default()).unwrap()
        else {
            panic!("{speed}");
        };
        let Resolved::Impulse(found) = found.resolved else {
            panic!("{speed}");
        };
        let StoppingImpulse::Ray { k: own, .. } = &found.impulse else {
            panic!("{speed}: {:?}", found.impulse);
        };
        assert_eq!(own, k, "{speed}");
        assert_eq!(found.stop.contacts, still.stop.contacts, "{speed}");
        assert_eq!(found.report.total, still.report.total, "{speed}");
        assert_eq!(found.report.relative_work, work, "{speed}");
    }
}

#[test]
fn painleves_rod_turning_has_two_answers() {
    let formulation = formulation("painleve-indeterminate", &[]);
    let problem = formulation.problem("p").unwrap();
    assert_eq!(data(&problem), (vec![all("-4/5")], all("14/5")));
    let Consistency::Indeterminate(found) = formulation.consistency(&Budget::default()).unwrap()
    else {
        panic!("there are two");
    };
    let mut forces: Vec<_> = found.solutions.iter().map(|f| f.normal()).collect();
    forces.sort();
    assert_eq!(forces, [all("0"), all("7/2")]);
    assert_eq!((found.families, found.motions), (0, 2));
}

#[test]
fn no_multiple_of_darwins_ray_stops_the_sliding() {
    let instance = scene("darwin-ray", &[]);
    let formulation = instance.formulation().unwrap().unwrap();
    let problem = formulation.problem("p").unwrap();
    assert_eq!(data(&problem), (vec![all("-1")], all("-10")));
    let found = resolution(&instance);
    assert_eq!(found.ray.as_ref().unwrap().z, all("1"));
    let StoppingImpulse::Consistency {
        cancelling,
        impulse,
        velocity,
        ..
    } = &found.impulse
    else {
        panic!("{:?}", found.impulse);
    };
    assert_eq!(*cancelling, [(0, vec![Some(q("1/3")), Some(q("2/15"))])]);
    assert!(etalon_rigid::in_circular_cone(
        &impulse[0],
        &impulse[1..],
        &q("1/2")
    ));
    let system = instance.system().unwrap();
    let tip = &system.contacts[0];
    assert_eq!(tip.tangential_velocity(velocity), all("0 0"));
    assert_eq!(tip.normal.velocity(velocity), 0);
    assert_eq!(found.report.stopped, [0]);
    assert!(found.report.approaching.is_empty());
    assert!(found.report.kinetic_energy[1] < found.report.kinetic_energy[0]);
}

/// Both states satisfy Baraff's conditions, so these do not determine the motion in space.
#[test]
fn darwins_block_rests_and_slides() {
    let formulation = formulation("darwin-block", &[]);
    let system = formulation.system();
    let forces = |friction: [&str; 2], a: &str| {
        let [f1, f2] = friction.map(all);
        let rows = system.contacts.iter();
        let columns: Vec<_> = rows
            .flat_map(|c| [&c.normal, &c.tangents[0], &c.tangents[1]])
            .map(|c| c.row.clone())
            .collect();
        let f = [vec![q("4")], f1.clone(), vec![q("4")], f2.clone()].concat();
        let acceleration = system.acceleration(columns.iter().zip(&f));
        for contact in &system.contacts {
            let tangential: Vec<_> = contact
                .tangents
                .iter()
                .map(|t| t.acceleration(&acceleration))
                .collect();
            assert_eq!(tangential, all(a));
            assert_eq!(contact.normal.acceleration(&acceleration), 0);
        }
        let contact = |i: usize, friction: Vec<Rational>| ContactForce {
            name: system.contacts[i].name.clone(),
            motion: ContactMotion::Static,
            normal: q("4"),
            friction,
            normal_acceleration: q("0"),
            tangential_acceleration: all(a),
            mu_squared: q("16/25"),
        };
        Forces {
            contacts: vec![contact(0, f1), contact(1, f2)],
            joints: vec![],
            drives: vec![],
            acceleration,
        }
    };
    assert_eq!(forces(["-3 0", "-3 0"], "0 0").violations(), vec![]);
    assert_eq!(
        forces(["-48/25 64/25", "-48/25 -64/25"], "54/25 0").violations(),
        vec![]
    );
    // All at once, as Darwin2K has it, the block stays at rest; and so it does in the cone.
    let rows = Formulation::new(system.clone(), FrictionModel::Rows).unwrap();
    let run = rows.static_friction(Order::Simultaneous).unwrap();
    let (_, found) = run.outcome.unwrap();
    assert_eq!(found.contacts[0].friction, all("-3 0"));
    assert!(found.acceleration.iter().all(|a| *a == 0));
    let lemke = ExactMethod::Lemke.solver(&Budget::default());
    let ForceAnswer::Forces(found) = formulation.solve(&*lemke).unwrap() else {
        panic!()
    };
    assert!(found.acceleration.iter().all(|a| *a == 0));
    assert_eq!(found.violations(), vec![]);
}

#[test]
fn forces_in_stacks_and_pyramids_have_closed_forms() {
    let cases: &[(&str, Settings, &str)] = &[
        (
            "stack",
            &[("blocks", "5"), ("contacts", "2"), ("mass_step", "0")],
            "25 25 20 20 15 15 10 10 5 5",
        ),
        (
            "stack",
            &[
                ("blocks", "2"),
                ("contacts", "2"),
                ("mass_step", "0"),
                ("mass_ratio", "1000"),
            ],
            "5005 5005 5000 5000",
        ),
        (
            "stack",
            &[
                ("blocks", "2"),
                ("contacts", "2"),
                ("mass", "1000"),
                ("mass_step", "0"),
                ("mass_ratio", "1/1000"),
            ],
            "5005 5005 5 5",
        ),
        ("groove", &[], "8 6"),
        // Computed apart from this program, by elimination in fractions on A = J inv(M) J'.
        (
            "five-bodies",
            &[],
            "5177965000/2829830021 19397453500/2829830021 27545369500/2829830021 4392091000/2829830021",
        ),
        (
            "groove",
            &[("right_angled", "0"), ("mass", "2")],
            "25/2 25/2",
        ),
        ("pyramid", &[], "15 15 15/4 15/4 25/4 25/4"),
        ("pyramid", &[("walls", "0")], "570/41 570/41 200/41 200/41"),
        (
            "pyramid",
            &[("walls", "0"), ("touching", "1")],
            "570/41 570/41 0 200/41 200/41",
        ),
    ];
    for (name, settings, f) in cases {
        let problem = scene(name, settings).problem().unwrap();
        assert!(solves(&problem, &all(f)).unwrap(), "{name} {settings:?}");
    }
}

#[test]
fn balls_in_a_row_pass_the_impulse_on() {
    let cases: &[(Settings, &str, &str)] = &[
        (&[], "-2 0 0 0", "8/5 6/5 4/5 2/5"),
        (&[("arriving", "2")], "0 -2 0 0", "6/5 12/5 8/5 4/5"),
        (
            &[("balls", "4"), ("restitution", "0")],
            "-1 0 0",
            "3/4 1/2 1/4",
        ),
        (
            &[("balls", "3"), ("returning", "1"), ("restitution", "1/2")],
            "-3/2 -3/2",
            "3/2 3/2",
        ),
    ];
    for (settings, b, p) in cases {
        let problem = scene("cradle", settings).problem().unwrap();
        assert_eq!(problem.q_exact(), all(b));
        assert!(solves(&problem, &all(p)).unwrap());
    }
}

/// Darwin2K's impulse: two balls of a row collide, the others are touched until none is violated.
#[test]
fn approach_velocities_are_zeroed_until_none_is_left() {
    let system = scene("cradle", &[]).system().unwrap();
    let impulse = stop_approach(&system, &StopSettings::plain()).unwrap();
    assert!(
        normal_velocities(&system, &impulse.velocity)
            .iter()
            .all(|v| *v >= 0)
    );
    assert_eq!(impulse.rounds, 4);
    let half = StopSettings {
        restitution: q("1/2"),
        sticking: vec![],
    };
    let impulse = stop_approach(&system, &half).unwrap();
    let after = normal_velocities(&system, &impulse.velocity);
    assert_eq!(after[0], q("1/2"));
    assert!(after.iter().all(|v| Scalar::signum(v) >= 0));
}

/// With v_n = -1/10, stopping the approach of a sticking contact is the impulse of the
/// Stewart-Trinkle step (mu = 7/10, eight Pythagorean directions): all velocities vanish.
#[test]
fn darwins_body_is_stopped_by_the_stewart_trinkle_impulse() {
    let system = scene("darwin-ray", &[]).system().unwrap();
    let mut velocity = system.velocity.clone();
    velocity[2] = q("-1/10");
    let moving = etalon_rigid::System { velocity, ..system };
    let stop = StopSettings {
        restitution: q("0"),
        sticking: vec![0],
    };
    let impulse = stop_approach(&moving, &stop).unwrap();
    assert_eq!(impulse.contacts, [all("109/215 1109/5160 331/2580")]);
    assert!(impulse.outside_cone(&moving).is_empty());
    let tip = &moving.contacts[0];
    assert_eq!(tip.tangential_velocity(&impulse.velocity), all("0 0"));
    assert_eq!(tip.normal.velocity(&impulse.velocity), 0);
}
