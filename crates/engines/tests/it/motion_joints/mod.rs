//! Joints, torsion and rolling of tables of motions, against a simulator of their own.

mod simulator;

use etalon_engines::motion::{Breach, MOTION_MAP_SCHEMA, MotionLaw, MotionTable, examine};
use simulator::{Body, Joint, Kind, Sim, V3};

/// What a table breaks.
fn breaches(map: &str, table: &str) -> Vec<Breach> {
    let mut table = MotionTable::open(table.as_bytes(), map).unwrap();
    let rounding = table.rounding().clone();
    let mut found = Vec::new();
    while let Some((_, step)) = table.next_step().unwrap() {
        found.extend(examine(&step, &rounding));
    }
    found
}

fn accepted(map: &str, table: &str) {
    let schema = serde_json::from_str(MOTION_MAP_SCHEMA).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let value = serde_json::from_str(map).unwrap();
    let told = schema.validate(&value).map_err(|error| error.to_string());
    assert_eq!(told, Ok(()), "{map}");
    let found = breaches(map, table);
    let told: Vec<_> = found.iter().take(4).map(ToString::to_string).collect();
    assert!(found.is_empty(), "{map}: {told:#?}");
}

/// That a law is broken, in words.
fn off(map: &str, table: &str, law: MotionLaw, words: &str) {
    let found = breaches(map, table);
    let named = |own: &Breach| own.term == law && own.to_string().contains(words);
    let told: Vec<_> = found.iter().take(6).map(ToString::to_string).collect();
    assert!(found.iter().any(named), "{law:?} {words}: {told:#?}");
}

fn refused(map: &str, table: &str, why: &str) {
    let error = MotionTable::open(table.as_bytes(), map).and_then(|mut own| own.next_step());
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains(why), "{why}: {error}");
}

/// The table with another number in a column of a line; lines count from 0.
fn changed(table: &str, line: usize, column: &str, change: impl Fn(f64) -> f64) -> String {
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    let at = lines[0].split(',').position(|own| own == column).unwrap();
    let mut fields: Vec<String> = lines[line + 1].split(',').map(str::to_owned).collect();
    fields[at] = format!("{:?}", change(fields[at].parse().unwrap()));
    lines[line + 1] = fields.join(",");
    lines.join("\n") + "\n"
}

const STEPS: usize = 40;

fn joint(kind: Kind) -> Joint {
    let z = [0.0, 0.0, 1.0];
    Joint {
        kind,
        second: None,
        anchors: [[0.0, 0.0, 0.5], [0.0; 3]],
        axes: [
            [0.0, 1.0, 0.0],
            if kind == Kind::Universal {
                z
            } else {
                [0.0, 1.0, 0.0]
            },
        ],
        turned: [1.0, 0.0, 0.0, 0.0],
        drive: None,
        limits: None,
    }
}

/// One body that hangs from the origin, and spins and moves a little.
fn one(kind: Kind, closes: bool) -> Sim {
    let mut body = Body::at([0.0, 0.0, -0.5]);
    body.v = [0.25, 0.5, 0.0];
    body.w = [-1.0, 0.5, 0.75];
    Sim {
        bodies: vec![body],
        h: 0.015625,
        g: [0.5, 0.25, -8.0],
        joint: joint(kind),
        closes,
    }
}

/// The map of a run, with more fields of the joint.
fn map_of(sim: &Sim, more: &str) -> String {
    let bodies = sim.bodies.iter().enumerate().map(|(b, own)| {
        let i = own.inertia;
        format!(
            r#"{{"name": "b{b}", "mass": {}, "inertia": [[{i}, 0, 0], [0, {i}, 0], [0, 0, {i}]]}}"#,
            own.mass
        )
    });
    let bodies: Vec<_> = bodies.collect();
    let Joint {
        kind,
        second,
        anchors,
        axes,
        turned,
        ..
    } = &sim.joint;
    let (word, has_axes) = match kind {
        Kind::Ball => ("ball", false),
        Kind::Hinge => ("hinge", true),
        Kind::Universal => ("universal", true),
        Kind::Slider => ("slider", true),
        Kind::Fixed => ("fixed", false),
    };
    let axes = if has_axes {
        format!("\"axes\": {axes:?},")
    } else {
        String::new()
    };
    let second = if second.is_some() { "\"b1\"" } else { "null" };
    let target = if sim.closes { "gap" } else { "stop" };
    format!(
        r#"{{"format": "etalon-motion-map/1", "dimension": 3, "gravity": {:?}, "rotation": "linear", "bodies": [{}],
        "joints": [{{"name": "j", "kind": "{word}", "bodies": ["b0", {second}], "anchors": {anchors:?}, {axes}
        "turned": {turned:?}, "target": "{target}" {more}}}]}}"#,
        sim.g,
        bodies.join(", "),
    )
}

const KINDS: [Kind; 5] = [
    Kind::Ball,
    Kind::Hinge,
    Kind::Universal,
    Kind::Slider,
    Kind::Fixed,
];

fn without_coordinate(kind: Kind, table: &str) -> String {
    match kind {
        Kind::Hinge | Kind::Slider => table.to_owned(),
        _ => table.replace("j.coordinate", "unused"),
    }
}

#[test]
fn a_joint_of_each_kind_is_accepted_and_what_it_holds_is_asked() {
    for kind in KINDS {
        for closes in [true, false] {
            let sim = one(kind, closes);
            let map = map_of(&sim, "");
            let table = without_coordinate(kind, &sim.clone().table(STEPS));
            accepted(&map, &table);
            // An impulse of another size: momentum.
            let other = changed(&table, 20, "j.impulse_x", |own| own + 0.01);
            off(&map, &other, MotionLaw::Momentum, "body b0");
            // An impulse that makes up for a velocity along what it holds.
            let other = changed(&table, 20, "b0.vx", |own| own + 0.01);
            if kind != Kind::Slider {
                let other = changed(&other, 20, "j.impulse_x", |own| own + 0.015);
                off(&map, &other, MotionLaw::Joint, "what it holds moves by");
            }
        }
    }
}

#[test]
fn a_joint_does_not_push_along_what_it_leaves_free() {
    for (kind, column, words) in [
        (
            Kind::Ball,
            "j.angular_impulse_x",
            "N m s about an axis that it leaves free",
        ),
        (
            Kind::Hinge,
            "j.angular_impulse_y",
            "N m s about an axis that it leaves free",
        ),
        (
            Kind::Universal,
            "j.angular_impulse_z",
            "N m s about an axis that it leaves free",
        ),
        (
            Kind::Slider,
            "j.impulse_y",
            "N s along a direction that it leaves free",
        ),
    ] {
        let sim = one(kind, true);
        let map = map_of(&sim, "");
        let table = without_coordinate(kind, &sim.clone().table(STEPS));
        let other = changed(&table, 1, column, |own| own + 0.01);
        off(&map, &other, MotionLaw::Joint, words);
    }
}

#[test]
fn two_bodies_that_move_are_held_to_each_other() {
    for kind in KINDS {
        let mut sim = one(kind, true);
        let mut other = Body::at([0.5, 0.25, 0.25]);
        other.mass = 0.75;
        other.v = [0.0, -0.25, 0.5];
        other.w = [0.25, 0.5, -0.5];
        sim.bodies.push(other);
        sim.joint.second = Some(1);
        sim.joint.anchors[1] = [-0.5, -0.25, -0.25];
        // The second body is turned by a third about (1, 1, 1): its axes are those of the first in another order.
        if kind != Kind::Universal {
            sim.bodies[1].q = [0.5, 0.5, 0.5, 0.5];
            sim.joint.turned = sim.bodies[1].q;
            let back = |[x, y, z]: V3| [y, z, x];
            sim.joint.axes[1] = back(sim.joint.axes[0]);
            sim.joint.anchors[1] = back(sim.joint.anchors[1]);
        }
        let map = map_of(&sim, ", \"opens\": 0.02");
        let table = without_coordinate(kind, &sim.clone().table(STEPS));
        accepted(&map, &table);
        let strict = map_of(&sim, ", \"opens\": 0");
        off(&strict, &table, MotionLaw::Joint, "it is open by");
        let other = changed(&table, 20, "j.impulse_z", |own| own + 0.01);
        off(&map, &other, MotionLaw::Momentum, "body b1");
    }
}

fn driven(kind: Kind) -> Sim {
    let mut sim = one(kind, true);
    sim.joint.drive = Some([1.5, 4.0]);
    sim
}

const DRIVE: &str = ", \"drive\": {\"speed\": 1.5, \"bound\": 4}";

#[test]
fn a_drive_pushes_until_its_speed_is_reached_and_no_harder_than_it_may() {
    for kind in [Kind::Hinge, Kind::Slider] {
        let sim = driven(kind);
        let map = map_of(&sim, DRIVE);
        let table = sim.clone().table(STEPS);
        accepted(&map, &table);
        let weak = map_of(&sim, &DRIVE.replace("\"bound\": 4", "\"bound\": 0.25"));
        off(&weak, &table, MotionLaw::Joint, "and h times its bound is");
        let fast = map_of(&sim, &DRIVE.replace("1.5", "2.5"));
        off(
            &fast,
            &table,
            MotionLaw::Joint,
            "its drive misses its speed",
        );
        let other = changed(&table, 30, "j.drive_impulse", |own| own + 0.01);
        off(&map, &other, MotionLaw::Momentum, "body b0");
    }
}

#[test]
fn a_limit_stops_a_coordinate_and_does_not_pull() {
    for (kind, limits, text) in [
        (Kind::Hinge, [-0.0625, 0.0625], "[-0.0625, 0.0625]"),
        (Kind::Slider, [-0.125, 0.125], "[-0.125, 0.125]"),
    ] {
        let mut sim = one(kind, true);
        sim.joint.limits = Some(limits);
        let map = map_of(&sim, &format!(", \"limits\": {text}"));
        let table = sim.clone().table(STEPS);
        let pushes = |line: &&str| !line.ends_with(",0.0") && !line.ends_with("impulse");
        assert!(
            table.lines().any(|line| pushes(&line)),
            "no limit is reached"
        );
        accepted(&map, &table);
        let at = table.lines().position(|line| pushes(&line)).unwrap() - 1;
        let other = changed(&table, at, "j.limit_impulse", |own| -own);
        off(&map, &other, MotionLaw::Complementarity, "joint j, ");
        // Wider limits are not reached, and narrower ones are passed.
        let wide = map_of(&sim, ", \"limits\": [-9, 9]");
        off(&wide, &table, MotionLaw::Complementarity, "joint j, ");
        let narrow = map_of(&sim, ", \"limits\": [-0.03125, 0.03125]");
        off(&narrow, &table, MotionLaw::Penetration, "joint j, ");
        let other = changed(&table, 3, "j.coordinate", |own| own + 0.01);
        off(&map, &other, MotionLaw::Data, "its coordinate is recorded");
    }
}

/// A pendulum in the plane, as a body in space that turns about z.
fn in_plane(kind: &str, more: &str) -> (String, String) {
    let mut sim = one(
        if kind == "slider" {
            Kind::Slider
        } else {
            Kind::Hinge
        },
        true,
    );
    if kind == "fixed" {
        sim.joint.kind = Kind::Fixed;
    }
    sim.bodies[0] = Body::at([0.5, 0.0, 0.0]);
    sim.bodies[0].w = [0.0, 0.0, if kind == "hinge" { 1.0 } else { 0.0 }];
    sim.bodies[0].v = [0.0, 0.5, 0.0];
    sim.g = [0.0, -8.0, 0.0];
    sim.joint.anchors = [[-0.5, 0.0, 0.0], [0.0; 3]];
    sim.joint.axes = [[0.0, 0.0, 1.0]; 2];
    if kind == "slider" {
        sim.joint.axes = [[0.6, 0.8, 0.0]; 2];
    }
    let mut text =
        "t,b.x,b.y,b.angle,b.vx,b.vy,b.spin,j.impulse_x,j.impulse_y,j.angular_impulse\n".to_owned();
    let mut angle = 0.0;
    for k in 0..=STEPS {
        let done = if k > 0 {
            sim.step()
        } else {
            simulator::Done::default()
        };
        let own = &mut sim.bodies[0];
        angle += if k > 0 { sim.h * own.w[2] } else { 0.0 };
        own.q = [f64::cos(angle / 2.0), 0.0, 0.0, f64::sin(angle / 2.0)];
        let [x, y, _] = own.x;
        text += &format!(
            "{:?},{x:?},{y:?},{angle:?},{:?},{:?},{:?},{:?},{:?},{:?}\n",
            k as f64 * sim.h,
            own.v[0],
            own.v[1],
            own.w[2],
            done.impulse[0],
            done.impulse[1],
            done.angular[2]
        );
    }
    let axes = if kind == "slider" {
        "\"axes\": [[0.6, 0.8], [0.6, 0.8]],"
    } else {
        ""
    };
    let map = format!(
        r#"{{"format": "etalon-motion-map/1", "dimension": 2, "gravity": [0, -8],
        "bodies": [{{"name": "b", "mass": 1.5, "inertia": 0.25}}],
        "joints": [{{"name": "j", "kind": "{kind}", "bodies": ["b", null], "anchors": [[-0.5, 0], [0, 0]], {axes} "target": "gap" {more}}}]}}"#
    );
    (map, text)
}

#[test]
fn joints_in_the_plane_are_judged() {
    for kind in ["hinge", "slider", "fixed"] {
        let (map, table) = in_plane(kind, "");
        accepted(&map, &table);
        let other = changed(&table, 20, "j.impulse_y", |own| own + 0.01);
        off(&map, &other, MotionLaw::Momentum, "body b");
        let other = changed(&table, 20, "j.angular_impulse", |own| own + 0.01);
        let (law, words) = match kind {
            "hinge" => (MotionLaw::Joint, "that it leaves free"),
            _ => (MotionLaw::Momentum, "body b"),
        };
        off(&map, &other, law, words);
    }
}

#[test]
fn a_map_of_joints_says_what_is_missing() {
    let (map, table) = in_plane("hinge", "");
    for (old, new, why) in [
        (
            "\"kind\": \"hinge\",",
            "",
            "kind: it is missing: one of hinge, slider, fixed",
        ),
        (
            "\"hinge\"",
            "\"ball\"",
            "kind: \"ball\" is none of hinge, slider, fixed",
        ),
        (
            "\"anchors\": [[-0.5, 0], [0, 0]],",
            "",
            "anchors: they are missing",
        ),
        ("\"hinge\"", "\"slider\"", "axes: they are missing"),
        (
            "\"target\"",
            "\"axes\": [[1, 0], [1, 0]], \"target\"",
            "axes: a joint of that kind has none",
        ),
        (
            "[\"b\", null]",
            "[\"b\", \"b\"]",
            "bodies: both are the same",
        ),
        (
            "\"target\"",
            "\"limit_impulse\": 0, \"target\"",
            "limits: they are missing",
        ),
        (
            "\"target\"",
            "\"drive\": {\"speed\": 1}, \"target\"",
            "drive.bound: it is missing",
        ),
        (
            "\"target\"",
            "\"hold\": 1, \"target\"",
            "hold: there is no such field",
        ),
        (
            "\"target\": \"gap\"",
            "\"limits\": [1, -1], \"limit_impulse\": 0",
            "the lower limit of the joint \"j\" is above",
        ),
        (
            "\"target\": \"gap\"",
            "\"drive\": {\"speed\": 1, \"bound\": -1, \"impulse\": 0}",
            "must not be negative",
        ),
        (
            "\"target\": \"gap\"",
            "\"drive\": {\"speed\": 1, \"bound\": 1}",
            "there is no column \"j.drive_impulse\"",
        ),
    ] {
        let other = map.replacen(old, new, 1);
        assert_ne!(other, map, "{old}");
        refused(&other, &table, why);
    }
}

/// A ball on the plane z = 0 that spins about its normal and rolls, under friction against both alone.
fn rolling_ball(cone: &str) -> (String, String) {
    let (h, mass, inertia, radius) = (0.015625, 2.0, 0.5, 0.5);
    let [mu, torsion, rolling] = [0.0, 0.125, 0.0625];
    let pressed = mass * 8.0 * h;
    let mut text = "t,b.x,b.y,b.z,b.vx,b.vy,b.vz,b.wx,b.wy,b.wz,c.normal_impulse,c.torsion,c.rolling_1,c.rolling_2\n".to_owned();
    let mut w: V3 = [0.75, -0.5, 1.0];
    let mut own = [0.0; 3];
    for k in 0..=STEPS {
        if k > 0 {
            let [x, y, z] = w;
            let bound = |mu: f64| mu * pressed;
            // Impulses that stop the ball, within their bounds.
            own[0] = (-z * inertia).clamp(-bound(torsion), bound(torsion));
            let stops = [-x * inertia, -y * inertia];
            let size = stops[0].hypot(stops[1]);
            let share = if size > bound(rolling) {
                bound(rolling) / size
            } else {
                1.0
            };
            [own[1], own[2]] = match cone {
                "circle" => stops.map(|part| share * part),
                _ => stops.map(|part| part.clamp(-bound(rolling), bound(rolling))),
            };
            w = [
                x + own[1] / inertia,
                y + own[2] / inertia,
                z + own[0] / inertia,
            ];
        }
        let pressed = if k > 0 { pressed } else { 0.0 };
        text += &format!(
            "{:?},0,0,{radius},0,0,0,{:?},{:?},{:?},{pressed:?},{:?},{:?},{:?}\n",
            k as f64 * h,
            w[0],
            w[1],
            w[2],
            own[0],
            own[1],
            own[2]
        );
    }
    let map = format!(
        r#"{{"format": "etalon-motion-map/1", "dimension": 3, "gravity": [0, 0, -8],
        "bodies": [{{"name": "b", "mass": {mass}, "inertia": [[{inertia}, 0, 0], [0, {inertia}, 0], [0, 0, {inertia}]]}}],
        "contacts": [{{"name": "c", "bodies": ["b", null], "normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]], "radius": {radius},
        "mu": {mu}, "torsion": {torsion}, "rolling": {rolling}, "cone": "{cone}"}}]}}"#
    );
    (map, text)
}

#[test]
fn torsion_and_rolling_are_judged_as_friction_is() {
    for cone in ["circle", "pyramid"] {
        let (map, table) = rolling_ball(cone);
        accepted(&map, &table);
        let other = changed(&table, 2, "c.torsion", |own| own + 0.01);
        off(&map, &other, MotionLaw::Momentum, "body b");
        for (old, new, law, words) in [
            (
                "\"torsion\": 0.125",
                "\"torsion\": 0.0625",
                MotionLaw::Cone,
                "friction about the normal is",
            ),
            (
                "\"rolling\": 0.0625",
                "\"rolling\": 0.03125",
                MotionLaw::Cone,
                "friction against rolling is",
            ),
            (
                "\"torsion\": 0.125",
                "\"torsion\": 0.25",
                MotionLaw::Dissipation,
                "friction about the normal takes",
            ),
            (
                "\"rolling\": 0.0625",
                "\"rolling\": 0.125",
                MotionLaw::Dissipation,
                "friction against rolling takes",
            ),
        ] {
            let other = map.replace(old, new);
            assert_ne!(other, map);
            off(&other, &table, law, words);
        }
        // A torque that drives, with the spin that it makes.
        let other = changed(&table, 1, "c.torsion", |own| -own);
        let other = changed(&other, 1, "b.wz", |_| 1.0 + 0.125 * 0.25 / 0.5);
        off(
            &map,
            &other,
            MotionLaw::EnergyGain,
            "by friction about the normal that drives",
        );
    }
}

#[test]
fn rolling_in_the_plane_has_one_torque() {
    let map = r#"{"format": "etalon-motion-map/1", "dimension": 2, "gravity": [0, -8],
        "bodies": [{"name": "b", "mass": 2, "inertia": 0.5}],
        "contacts": [{"name": "c", "bodies": ["b", null], "normal": [0, 1], "radius": 0.5, "rolling": 0.125}]}"#;
    let table = "t,b.x,b.y,b.vx,b.vy,b.spin,c.normal_impulse,c.rolling
0,0,0.5,0,0,-1,0,0
0.25,0,0.5,0,0,0,4,0.5
0.5,0,0.5,0,0,0,4,0
";
    accepted(map, table);
    let weak = map.replace("0.125", "0.0625");
    off(&weak, table, MotionLaw::Cone, "friction against rolling is");
    let slow = table
        .replace("0,0,0,4,0.5", "0,0,-0.5,4,0.25")
        .replace("0.5,0,0.5,0,0,0,4,0", "0.5,0,0.5,0,0,0,4,0.25");
    off(
        map,
        &slow,
        MotionLaw::Dissipation,
        "friction against rolling takes",
    );
    let turned = map.replace("\"rolling\"", "\"torsion\"");
    refused(
        &turned,
        table,
        "torsion: in the plane nothing turns about a normal",
    );
    let lost = map.replace("\"rolling\": 0.125", "\"rolling_impulse\": 0");
    refused(
        &lost,
        table,
        "rolling: it is missing, and \"rolling_impulse\" needs it",
    );
}
