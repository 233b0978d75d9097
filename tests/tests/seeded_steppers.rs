//! Faults in a copy of our own time stepping, each caught by name: by the judge of motions, from states and impulses alone. The
//! laws that it holds them against are those of the sound crates. The sound copy is at fault nowhere.

#![allow(
    dead_code,
    missing_docs,
    unused_braces,
    unused_imports,
    unused_parens,
    unused_variables,
    clippy::all,
    reason = "a copy, of which this uses a part, with switches in the midst of expressions"
)]

// The copy that build.rs made.
include!(concat!(env!("OUT_DIR"), "/time-stepping/lib.rs"));

mod seeded {
    include!("../seeded/bugs.rs");
    include!("../seeded/steppers.rs");
}

include!("../seeded/frame.rs");

use etalon_golden::trajectory::{Contact, Energy as Joules, Header, Lcp, Line, Quantity, to_f64s};
use etalon_replay::judged::RecordedMotion;
use etalon_rigid::{Covector, Dense};
use etalon_scenarios::motion::Arithmetics;
use models::{
    Ball, BallContact, Balls, BodyDisc, HalfSpace, HalfSpaces, Line as Ground, Planar, PlanarBody,
    Touch,
};
use rug::Rational;
use seeded::STEPPER_BUGS;

/// A scene of the registry, built of the copy's parts.
struct Case {
    scenario: &'static str,
    set: &'static [(&'static str, &'static str)],
    steps: u64,
    model: fn() -> Box<dyn Model<f64>>,
    settings: fn() -> Settings<f64>,
}

const CASES: &[Case] = &[
    Case {
        scenario: "incline",
        set: &[],
        steps: 20,
        model: incline,
        settings: || Settings::new(0.02).with_activation(Activation::All),
    },
    Case {
        scenario: "bouncing-ball",
        set: &[],
        steps: 70,
        model: ball,
        settings: || Settings::new(0.02).with_activation(Activation::All),
    },
    Case {
        scenario: "rod",
        set: &[("h", "0.01")],
        steps: 60,
        model: rod,
        settings: || Settings::new(0.01).with_activation(Activation::All),
    },
    Case {
        scenario: "sphere-on-slope",
        set: &[],
        steps: 10,
        model: sphere,
        settings: || Settings::new(0.02).with_activation(Activation::All),
    },
];

/// A particle on a slope of 3/4.
fn incline() -> Box<dyn Model<f64>> {
    let [x, y] = [-0.6, 0.8];
    let direction = |sign: f64| FrictionDirection {
        row: Covector::of_dense(&[y * sign, -x * sign]),
        tangent: vec![sign],
    };
    let slope = HalfSpace {
        normal: Covector::of_dense(&[x, y]),
        offset: 0.0,
        directions: vec![direction(1.0), direction(-1.0)],
    };
    let names = ["x", "y"].map(str::to_owned).to_vec();
    let model = HalfSpaces::new(names, Dense::identity(2), vec![0.0, -9.8]).unwrap();
    Box::new(model.contact("particle/slope", 0.5, slope))
}

fn ball() -> Box<dyn Model<f64>> {
    let floor = HalfSpace {
        normal: Covector::new([(0, 1.0)]),
        offset: 0.0,
        directions: Vec::new(),
    };
    let model = HalfSpaces::new(vec!["y".to_owned()], Dense::identity(1), vec![-10.0]).unwrap();
    let model = model.contact("ball/floor", 0.0, floor);
    Box::new(model.with_restitution(0.5).unwrap())
}

fn rod() -> Box<dyn Model<f64>> {
    let end = |name: &str, x: f64| BodyDisc {
        name: name.to_owned(),
        centre: [x, 0.0],
        radius: 0.05,
    };
    let body = PlanarBody {
        name: "rod".to_owned(),
        mass: 1.0,
        inertia: 0.002,
        discs: vec![end("+", 0.25), end("-", -0.25)],
    };
    let table = Ground {
        name: "table".to_owned(),
        normal: [0.0, 1.0],
        offset: 0.0,
    };
    let mut model = Planar::new(vec![body], vec![table], [0.0, -9.81]).unwrap();
    for disc in 0..2 {
        let touch = Touch::Line {
            disc: (0, disc),
            line: 0,
        };
        model = model.touch(touch, 0.6).unwrap();
    }
    Box::new(model)
}

fn sphere() -> Box<dyn Model<f64>> {
    let ball = Ball {
        name: "sphere".to_owned(),
        mass: 1.0,
        inertia: 0.4,
        radius: 1.0,
    };
    let plane = BallContact::Plane {
        ball: 0,
        name: "slope".to_owned(),
        normal: [0.0, 0.0, 1.0],
        offset: 0.0,
    };
    let model = Balls::new(vec![ball], [6.0, 0.0, -8.0], 4, &Binary64).unwrap();
    Box::new(model.contact(plane, 0.5).unwrap())
}

/// The header of the sound program.
fn header(case: &Case) -> Header {
    let scenario = etalon_scenarios::find(case.scenario).unwrap();
    let instance = scenario.motion_instance(case.set.iter().copied()).unwrap();
    let solver = etalon_fast::FastMethod::Auto.solver();
    let run = instance.trajectory(Arithmetics::Binary64, &*solver, Some(case.steps));
    run.unwrap().header()
}

/// The line of a step, as scenes in motion write it.
fn line(k: u64, h: f64, step: &Step<f64>, model: &dyn Model<f64>) -> Line {
    let number = Quantity::binary64;
    let numbers = |own: &[f64]| own.iter().map(|own| number(*own)).collect::<Vec<_>>();
    let name = |i: usize| model.contacts()[i].pair.clone();
    let contact = |own: &ContactImpulse<f64>| Contact {
        pair: name(own.index),
        gap: number(own.gap),
        normal: number(own.normal),
        friction: numbers(&own.friction),
        ..Default::default()
    };
    let lost = &step.dissipation;
    let parts = [
        ("friction", lost.friction_total()),
        ("numerical", lost.numerical),
        ("position", lost.position_total()),
        ("rounding", lost.rounding),
    ];
    let parts = parts.map(|(name, part)| (name.to_owned(), number(part)));
    let bounces = step.formulation.contacts.iter();
    let bounces = bounces.filter(|own| own.rebound.is_some());
    Line {
        k,
        t: number(h * k as f64),
        q: numbers(&step.after.q),
        v: numbers(&step.after.v),
        contacts: step.contacts.iter().map(contact).collect(),
        lcp: Lcp::default(),
        energy: Joules {
            kinetic: number(step.energy.kinetic),
            potential: number(step.energy.potential),
            ..Default::default()
        },
        dissipated: number(dissipated(lost)),
        dissipation: Some(parts.into()),
        bounces: Some(bounces.map(|own| name(own.index)).collect()),
        converged: Some(step.convergence.converged),
        ..Default::default()
    }
}

/// What is wrong with the copy's motion of a scene, in the first step where anything is.
fn wrong(case: &Case) -> Option<String> {
    let header = header(case);
    let motion = RecordedMotion::new(&header, None, &rug::Rational::new()).unwrap();
    let model = (case.model)();
    let solver = etalon_fast::FastMethod::Auto.solver();
    let settings = (case.settings)();
    let h = settings.h;
    let stepper = Stepper::new(&*model, &Binary64, &*solver, settings).unwrap();
    let mut state = State::new(to_f64s(&header.start.q), to_f64s(&header.start.v));
    let mut before: Option<Line> = None;
    for k in 1..=case.steps {
        let step = match stepper.step(&state) {
            Ok(step) => step,
            Err(error) => return Some(format!("step {k}: {error}")),
        };
        let line = line(k, h, &step, &*model);
        let breaches = motion.step(&header, before.as_ref(), &line).unwrap();
        if let Some(breach) = breaches.unwrap_or_default().breaches.first() {
            return Some(breach.to_string());
        }
        state = step.after;
        before = Some(line);
    }
    None
}

/// A sphere of radius 1/2 that spins, and falls through 1/1000 m onto a belt of 1 m/s.
fn on_belt() -> (implicit::System, State<Rational>) {
    use implicit::{Body, Mobility, Pair, Shape, System};
    let q = |n: i32, d: i32| Rational::from((n, d));
    let zeros = |n: usize| vec![Rational::new(); n];
    let belt = Body {
        name: "belt".to_owned(),
        mass: Rational::new(),
        shape: Shape::HalfSpace {
            normal: [0, 0, 1].map(Rational::from).to_vec(),
            offset: Rational::new(),
        },
        mobility: Mobility::Driven,
    };
    let sphere = Body {
        name: "sphere".to_owned(),
        mass: q(1, 1),
        shape: Shape::ball(3, q(1, 2)),
        mobility: Mobility::Rigid {
            inertia: vec![q(1, 10); 3],
        },
    };
    let pair = Pair {
        first: 1,
        second: 0,
        mu: q(1, 4),
        torsion: q(1, 20),
    };
    let gravity = vec![q(0, 1), q(0, 1), q(-10, 1)];
    let system = System::new(gravity, vec![belt, sphere], vec![pair]).unwrap();
    let turned = [1, 0, 0, 0].map(Rational::from);
    let high = [q(0, 1), q(0, 1), q(513, 1024)];
    let places = [&zeros(3)[..], &turned, &high, &turned].concat();
    let mut velocities = zeros(12);
    velocities[0] = q(1, 1);
    velocities[11] = q(2, 1);
    (system, State::new(places, velocities))
}

/// The share of its speed that the sphere keeps where it bounces.
const BOUNCE: (i32, i32) = (1, 2);

/// What is wrong with the copy's steps of implicit surfaces, in the first step where anything is: of a sphere that comes fast and bounces, which
/// parts along the normal with its share of the speed, and of the one on the belt.
fn wrong_surface() -> Option<String> {
    let (system, state) = on_belt();
    let (bouncing, mut fast) = (system.clone(), state.clone());
    let bouncing = bouncing
        .with_restitution(0, Rational::from(BOUNCE))
        .unwrap();
    fast.v[8] = Rational::from(-2);
    let expected = Rational::from(BOUNCE).to_f64() * 2.0;
    let parts = |v: &[Rational]| {
        let own = v[8].to_f64();
        ((own - expected).abs() > 1e-9).then(|| format!("it parts with {own} m/s, not {expected}"))
    };
    let bounce = wrong_implicit(&bouncing, &fast, 1, parts);
    let bounce = bounce.map(|(_, why)| format!("bounce: {why}"));
    bounce.or_else(|| {
        let (k, why) = wrong_implicit(&system, &state, 4, |_| None)?;
        Some(format!("step {k}: {why}"))
    })
}

/// What is wrong in the first of some steps where anything is, with its number.
fn wrong_implicit(
    system: &implicit::System,
    start: &State<Rational>,
    steps: u64,
    closed_form: impl Fn(&[Rational]) -> Option<String>,
) -> Option<(u64, String)> {
    let mut state = start.clone();
    let grid = Grid::new(40).unwrap();
    let solver = etalon_fast::FastMethod::Auto.solver();
    let settings = Settings::new(Rational::from((1, 64)));
    let stepper = implicit::ImplicitStepper::new(system, &grid, &*solver, &settings).unwrap();
    for k in 1..=steps {
        let step = match stepper.step(&state) {
            Ok(step) => step,
            Err(error) => return Some((k, error.to_string())),
        };
        if let implicit::Verified::Unproved { reason } = &step.verified {
            return Some((k, reason.clone()));
        }
        if let Some(breach) = step.examine(k, grid.slack().to_f64()).first() {
            return Some((k, breach.to_string()));
        }
        if let Some(why) = closed_form(&step.after.v) {
            return Some((k, why));
        }
        state = step.after;
    }
    None
}

/// Bodies at corners: two squares above level ground beside a step, one of them turned, that fall on it and on each other; a tripod of
/// unequal moments that spins on the corner of a block.
const AT_CORNERS: [(&str, &str); 2] = [
    ("squares", include_str!("../cases/corners/squares.json")),
    ("a tripod", include_str!("../cases/corners/tripod.json")),
];

/// Bodies that keep apart as a whole: bricks of one width; tetrahedra that meet edge on edge; a plank flat across a beam.
const AS_WHOLE: [(&str, &str); 3] = [
    ("bricks", include_str!("../cases/corners/bricks.json")),
    ("edges", include_str!("../cases/corners/edges.json")),
    ("a plank", include_str!("../cases/corners/plank.json")),
];

/// The bodies of a file with their start, and the file, for the sound laws.
fn at_corners(text: &str) -> (corner::Solids<Rational>, State<Rational>, serde_json::Value) {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let list = |own: &serde_json::Value| -> Vec<Rational> {
        let own = own.as_array().unwrap().iter();
        own.map(|own| own.as_str().unwrap().parse().unwrap())
            .collect()
    };
    let rows = |own: &serde_json::Value| -> Vec<Vec<Rational>> {
        own.as_array().unwrap().iter().map(list).collect()
    };
    let (mut q, mut v, mut solids) = (Vec::new(), Vec::new(), Vec::new());
    let gravity = list(&file["gravity"]);
    let dimension = gravity.len();
    let in_space = dimension == 3;
    for own in file["bodies"].as_array().unwrap() {
        let is_fixed = own["fixed"] == true;
        let (place, shape) = (list(&own["position"]), &own["shape"]);
        let corners = ["polygon", "polyhedron", "points"].iter();
        let points = corners
            .clone()
            .find_map(|kind| Some(rows(shape.get(kind)?)));
        let faces = match (shape.get("polygon"), shape.get("polyhedron")) {
            (Some(own), _) => corner::SolidFace::polygon(&rows(own)).unwrap(),
            (_, Some(own)) => corner::SolidFace::polyhedron(&rows(own)).unwrap(),
            _ => match shape.get("half_plane") {
                Some(own) => vec![corner::SolidFace::half_space(&list(own)).unwrap()],
                None => Vec::new(),
            },
        };
        let still = |i: usize| {
            (0..dimension)
                .map(|j| Rational::from(i32::from(i == j)))
                .collect()
        };
        if !is_fixed {
            q.extend(place.iter().cloned());
            v.extend(list(&own["velocity"]));
            match in_space {
                true => {
                    q.extend([1, 0, 0, 0].map(Rational::from));
                    v.extend(list(&own["angular_velocity"]));
                }
                false => {
                    q.push(Rational::new());
                    v.push(own["angular_velocity"].as_str().unwrap().parse().unwrap());
                }
            }
        }
        let moments = match &own["inertia"] {
            serde_json::Value::String(own) => vec![own.parse().unwrap()],
            serde_json::Value::Null => vec![Rational::from(1); 2 * dimension - 3],
            own => list(own),
        };
        let entry = |i: usize, j: usize| {
            if i == j {
                moments[i].clone()
            } else {
                Rational::new()
            }
        };
        solids.push(corner::Solid {
            name: own["name"].as_str().unwrap().to_owned(),
            mass: own.get("mass").map_or(Rational::from(1), |own| {
                own.as_str().unwrap().parse().unwrap()
            }),
            inertia: Dense::from_fn(moments.len(), moments.len(), entry),
            force: vec![Rational::new(); dimension],
            driven: false,
            fixed: is_fixed.then(|| (place, (0..dimension).map(still).collect())),
            points: points.unwrap_or_default(),
            faces,
        });
    }
    let mu: Rational = file["motion"]["mu"].as_str().unwrap().parse().unwrap();
    let along = [1, -1].map(|sign| vec![Rational::from(sign)]);
    let mut pairs = Vec::new();
    for later in 0..solids.len() {
        for earlier in 0..later {
            for (points_of, faces_of) in [(later, earlier), (earlier, later)] {
                let touch =
                    !solids[points_of].points.is_empty() && !solids[faces_of].faces.is_empty();
                if touch && (solids[later].fixed.is_none() || solids[earlier].fixed.is_none()) {
                    let directions = if in_space { Vec::new() } else { along.to_vec() };
                    let mu = mu.clone();
                    pairs.push(corner::SolidPair {
                        points_of,
                        faces_of,
                        mu,
                        directions,
                    });
                }
            }
        }
    }
    let system = corner::Solids::new(&gravity, &solids, &pairs).unwrap();
    let grid = Grid::new(40).unwrap();
    let kept = |own: Vec<Rational>| own.into_iter().map(|own| grid.round(own)).collect();
    (system, State::new(kept(q), kept(v)), file)
}

/// The line of a step at corners, as scenes in motion write it.
fn corner_line(
    k: u64,
    h: &Rational,
    step: &corner::SolidStep<Rational>,
    gaps: &[Rational],
) -> Line {
    let number = |own: &Rational| Quantity::binary64(own.to_f64());
    let numbers = |own: &[Rational]| own.iter().map(number).collect::<Vec<_>>();
    let total = |own: &[Rational]| own.iter().fold(Rational::new(), |sum, own| sum + own);
    let (local, lost) = (&step.step, &step.dissipation);
    let parts = [
        ("friction", total(&local.friction)),
        ("numerical", local.numerical.clone()),
        ("position", total(&local.position)),
        ("rounding", lost.rounding.clone()),
        ("inertial", lost.inertial.clone()),
    ];
    let contacts = step.corners.faces().zip(&local.impulses).zip(gaps);
    let contacts = contacts.map(|((face, own), gap)| Contact {
        pair: face.name.clone(),
        gap: number(gap),
        normal: number(&own.normal),
        friction: numbers(&own.friction(face)),
        ..Default::default()
    });
    Line {
        k,
        t: number(&Rational::from(h * k)),
        q: numbers(&step.after.q),
        v: numbers(&step.after.v),
        contacts: contacts.collect(),
        energy: Joules {
            kinetic: number(&step.energy.kinetic),
            potential: number(&step.energy.potential),
            ..Default::default()
        },
        dissipated: number(
            &parts
                .iter()
                .fold(Rational::new(), |sum, (_, own)| sum + own),
        ),
        dissipation: Some(
            parts
                .iter()
                .map(|(name, own)| ((*name).to_owned(), number(own)))
                .collect(),
        ),
        ..Default::default()
    }
}

/// The header of the sound program for a scene of a file, and its laws.
fn sound_laws(file: &serde_json::Value) -> (Header, RecordedMotion) {
    let scene = etalon_scenarios::read_moving(&file.to_string(), None).unwrap();
    let solver = etalon_fast::FastMethod::Auto.solver();
    let run = scene.run(Arithmetics::Exact, &*solver, None);
    let header = run.unwrap().header();
    let motion = RecordedMotion::new(&header, None, &Rational::new()).unwrap();
    (header, motion)
}

/// What is wrong with the copy's steps at corners, in the first step where anything is: by its own oracle, or by the sound laws.
fn wrong_corner(text: &str) -> Option<String> {
    let (system, mut state, file) = at_corners(text);
    let (grid, h) = (Grid::new(40).unwrap(), Rational::from((1, 64)));
    let mut before: Option<Line> = None;
    let steps = file["motion"]["steps"].as_u64().unwrap();
    // Made when a step has passed the copy's own oracle.
    let mut laws = None;
    for k in 1..=steps {
        let step = match system.step(&state, &h, &grid) {
            Ok(step) => step,
            Err(error) => return Some(format!("step {k}: {error}")),
        };
        let found = system
            .examine(k, &state, &h, &step, &grid, &Rational::new())
            .unwrap();
        if let Some(breach) = found.first() {
            return Some(breach.to_string());
        }
        let gaps = system.gaps(&step.touched, &step.after.q, &grid).unwrap();
        let line = corner_line(k, &h, &step, &gaps);
        let (header, motion) = laws.get_or_insert_with(|| sound_laws(&file));
        let breaches = motion.step(header, before.as_ref(), &line).unwrap();
        if let Some(breach) = breaches.unwrap_or_default().breaches.first() {
            return Some(breach.to_string());
        }
        state = step.after;
        before = Some(line);
    }
    None
}

#[test]
fn every_seeded_bug_of_the_steppers_is_caught_by_name() {
    for case in CASES {
        assert_eq!(wrong(case), None, "{} by the sound copy", case.scenario);
    }
    assert_eq!(wrong_surface(), None, "implicit surfaces by the sound copy");
    let at_corners = || AT_CORNERS.iter().chain(&AS_WHOLE);
    for (name, text) in at_corners() {
        assert_eq!(wrong_corner(text), None, "{name} by the sound copy");
    }
    assert_all_caught(STEPPER_BUGS, || {
        // No other case asks what is at corners, and what keeps whole bodies apart.
        let file = BUG.get().map_or("", |k| STEPPER_BUGS[k].file);
        let wrong_of = |(name, text): &(&'static str, &str)| Some((*name, wrong_corner(text)?));
        if ["corner/solids/whole.rs", "corner/solids/overlap.rs"].contains(&file) {
            return AS_WHOLE.iter().find_map(wrong_of);
        }
        if file.starts_with("corner/") {
            return at_corners().find_map(wrong_of);
        }
        if file.starts_with("implicit/") {
            return Some(("a belt", wrong_surface()?));
        }
        let mut cases = CASES.iter();
        cases.find_map(|case| Some((case.scenario, wrong(case)?)))
    });
}

#[test]
fn names_are_for_one_bug_each() {
    assert_names_differ(STEPPER_BUGS, 50);
}
