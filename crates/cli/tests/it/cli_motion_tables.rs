//! `etalon trajectory check` of tables: geometry, orientation, the clock, and what a body can be.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::f64::consts::PI;

use crate::common::{Ran, Workbench};

const BALL: &str = "t,b.x,b.y,b.vx,b.vy,c.normal_impulse,c.gap";

fn judged(map: &str, table: &str) -> Ran {
    let bench = Workbench::new();
    bench.write("map.json", map);
    bench.write("m.csv", table);
    bench.run("trajectory check m.csv --map map.json")
}

fn accepted(map: &str, table: &str) {
    let ran = judged(map, table);
    assert_eq!(
        ran.status, 0,
        "{map}\n{table}\n{}{}",
        ran.stdout, ran.stderr
    );
}

/// The law that is broken, with the words that must stand in its line.
fn off(map: &str, table: &str, words: &[&str]) {
    let ran = judged(map, table);
    assert_eq!(
        ran.status, 1,
        "{map}\n{table}\n{}{}",
        ran.stdout, ran.stderr
    );
    let named = |line: &str| words.iter().all(|word| line.contains(word));
    assert!(ran.stdout.lines().any(named), "{words:?}: {}", ran.stdout);
}

fn refused(map: &str, table: &str, why: &str) {
    let ran = judged(map, table);
    assert_eq!(
        ran.status, 2,
        "{map}\n{table}\n{}{}",
        ran.stdout, ran.stderr
    );
    assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
}

/// A map of a ball of 1 kg over the floor y = 0, with more fields of the contact and of the map.
fn over_floor(contact: &str, more: &str) -> String {
    format!(
        r#"{{"format": "etalon-motion-map/1", "dimension": 2, {more} "gravity": [0, -8],
        "bodies": [{{"name": "b", "mass": 1}}],
        "contacts": [{{"name": "c", "bodies": ["b", null], "normal": [0, 1] {contact}}}]}}"#
    )
}

/// One step of 1/4 s from a height over the floor (the centre at the gap plus 1/2), with velocities and an impulse.
fn step(gap: f64, v0: f64, v1: f64, impulse: f64) -> String {
    let y = gap + 0.5;
    let end = y + 0.25 * v1;
    format!(
        "{BALL}\n0,0,{y},0,{v0},0,{gap}\n0.25,0,{end},0,{v1},{impulse},{}\n",
        end - 0.5
    )
}

#[test]
fn a_push_needs_a_contact_that_is_closed_or_closes_in_the_step() {
    let stop = over_floor(", \"radius\": 0.5", "");
    // At rest on the floor, and 10 m above it: the same push.
    accepted(&stop, &step(0.0, 0.0, 0.0, 2.0));
    let afar = "it pushes with 2 N s over a gap of 10 m, of which 9.5 m would be left";
    off(
        &stop,
        &step(10.0, 0.0, 0.0, 2.0),
        &["contact c: complementarity", afar],
    );
    off(
        &stop,
        &step(0.501, 0.0, 0.0, 2.0),
        &["contact c: complementarity"],
    );
    // Without the push the gap would close: by gravity, or by the velocity before.
    accepted(&stop, &step(0.5, 0.0, 0.0, 2.0));
    accepted(&stop, &step(0.75, -1.0, 0.0, 3.0));
    off(
        &stop,
        &step(0.7500001, -1.0, 0.0, 3.0),
        &["contact c: complementarity"],
    );
    // The velocity before the step closes it, though a force pulls the ball away.
    let pulled = stop.replace("[0, -8]", "[0, 2]");
    accepted(&pulled, &step(0.25, -1.0, 0.0, 0.5));
    // A target of its own is no excuse; where nothing is asked of the law of the gap, this is not, either.
    let given = over_floor(", \"radius\": 0.5, \"target\": 0", "");
    off(
        &given,
        &step(10.0, 0.0, 0.0, 2.0),
        &["contact c: complementarity", afar],
    );
    let none = over_floor(", \"radius\": 0.5, \"target\": \"none\"", "");
    accepted(&none, &step(10.0, 0.0, 0.0, 2.0));
}

#[test]
fn within_the_slop_a_contact_may_push_and_need_not() {
    let slop = over_floor(", \"radius\": 0.5", "\"slop\": 0.01,");
    let stop = over_floor(", \"radius\": 0.5", "");
    // Weightless fall through a gap of 5 mm: the engine does not stop it yet, and may.
    let (falling, held) = (step(0.005, 0.0, -2.0, 0.0), step(0.505, 0.0, 0.0, 2.0));
    accepted(&slop.replace("\"slop\": 0.01", "\"slop\": 0.5"), &falling);
    accepted(&slop, &held);
    off(&stop, &held, &["contact c: complementarity"]);
    // A contact that is closed stops.
    let sinking = step(0.0, 0.0, -2.0, 0.0);
    let words = ["contact c: complementarity", "2 m/s less"];
    off(
        &slop.replace("\"slop\": 0.01", "\"slop\": 1"),
        &sinking,
        &words,
    );
}

#[test]
fn gaps_follow_from_the_shapes_and_recorded_ones_are_held_against_them() {
    let ball = ", \"shapes\": [{\"ball\": 0.5}, {\"plane\": 0}]";
    let map = over_floor(ball, "");
    let right = step(0.5, 0.0, 0.0, 2.0);
    accepted(&map, &right);
    let words = [
        "contact c: data",
        "a gap of 10 m is recorded, and the state has one of 0.5 m",
    ];
    off(
        &map,
        &right
            .replace("2.0,0.5\n", "2,10\n")
            .replace("2,0.5\n", "2,10\n"),
        &words,
    );
    // In the first line, too.
    off(&map, &right.replace("0,0.5\n0.25", "0,10\n0.25"), &words);
    // Without the column gaps are those of the states: a push from afar, and an overlap.
    let without = |table: &str| {
        let cut = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();
        table.lines().map(cut).collect::<Vec<_>>().join("\n") + "\n"
    };
    accepted(&map, &without(&right));
    off(
        &map,
        &without(&step(10.0, 0.0, 0.0, 2.0)),
        &["contact c: complementarity", "over a gap of 10 m"],
    );
    off(
        &map,
        &without(&step(0.25, 0.0, -2.0, 0.0)),
        &["contact c: penetration", "overlap by 0.25 m"],
    );
    let gap = over_floor(&format!("{ball}, \"target\": \"gap\""), "");
    accepted(&gap, &without(&step(0.25, 0.0, -1.0, 1.0)));
    refused(
        &over_floor(", \"radius\": 0.5, \"target\": \"gap\"", ""),
        &without(&right),
        "contacts[0].gap: it is missing, and the target \"gap\" needs it",
    );
    for (shapes, why) in [
        (
            "[{\"plane\": 0}, {\"ball\": 1}]",
            "contacts[0].shapes: it is none of",
        ),
        (
            "[{\"ball\": 1}, {\"ball\": 1}]",
            "contacts[0].shapes: it is none of",
        ),
        (
            "[{\"ball\": 1, \"plane\": 0}, {\"ball\": 1}]",
            "contacts[0].shapes[0]: it has one of",
        ),
        (
            "[{\"box\": 1}, {\"plane\": 0}]",
            "contacts[0].shapes[0].box: there is no such field",
        ),
        ("3", "contacts[0].shapes: it is none of"),
        (
            "[{\"ball\": -1}, {\"plane\": 0}]",
            "a ball of the contact \"c\" has the radius -1",
        ),
        (
            "[{\"ball\": 0.5}, {\"plane\": 0}], \"radius\": 1",
            "contacts[0].radius: it is not that of the first of the \"shapes\"",
        ),
    ] {
        refused(
            &over_floor(&format!(", \"shapes\": {shapes}"), ""),
            &right,
            why,
        );
    }
}

/// A square that stands on a corner, and two discs: normals and gaps of bodies that turn, and of pairs.
#[test]
fn corners_turn_with_their_bodies_and_normals_of_balls_are_between_them() {
    let map = r#"{"format": "etalon-motion-map/1", "dimension": 2, "h": 1,
        "bodies": [{"name": "b", "mass": 1, "inertia": 1}],
        "contacts": [{"name": "c", "bodies": ["b", null], "normal": [0, 1], "normal_impulse": 0, "gap": "g",
            "shapes": [{"corner": [3, -4]}, {"plane": -1}]}]}"#;
    // Turned by a quarter, the corner is at (4, 3) from the centre.
    let quarter = PI / 2.0;
    let table = |gap: f64| {
        format!(
            "b.x,b.y,b.vx,b.vy,b.angle,b.spin,g\n0,5,0,0,0,0,2\n0,5,0,0,{quarter},{quarter},{gap}\n"
        )
    };
    // The spin comes from nowhere; gaps are asked all the same.
    off(map, &table(9.0), &["body b: momentum"]);
    assert!(!judged(map, &table(9.0)).stdout.contains("data"));
    off(map, &table(9.0 + 1e-12), &["contact c: data"]);
    let space = r#"{"format": "etalon-motion-map/1", "dimension": 3, "h": 1,
        "bodies": [{"name": "b", "mass": 1}, {"name": "o", "mass": 1}],
        "contacts": [{"name": "c", "bodies": ["b", "o"], "normal": ["nx", "ny", "nz"], "normal_impulse": "p", "radius": 1, "gap": "g",
            "target": "none", "shapes": [{"ball": 1}, {"ball": 2}]}]}"#;
    let columns = "b.x,b.y,b.z,b.vx,b.vy,b.vz,o.x,o.y,o.z,o.vx,o.vy,o.vz,nx,ny,nz,p,g\n";
    let line = |n: [f64; 3], p: f64, gap: f64| {
        let [x, y, z] = n;
        format!("2,3,6,0,0,0,0,0,0,0,0,0,{x},{y},{z},{p},{gap}\n")
    };
    let own = [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0];
    let rest = |n: [f64; 3], p: f64, gap: f64| {
        format!("{columns}{}{}", line(n, 0.0, 4.0), line(n, p, gap))
    };
    accepted(space, &rest(own, 0.0, 4.0));
    off(
        space,
        &rest(own, 0.0, 4.5),
        &["contact c: data", "a gap of 4.5 m is recorded"],
    );
    // A push along another direction.
    let other = [3.0 / 7.0, 2.0 / 7.0, 6.0 / 7.0];
    off(
        space,
        &rest(other, 1.0, 4.0),
        &["contact c: data: its normal is not that of its bodies"],
    );
}

fn turning(more: &str) -> String {
    format!(
        r#"{{"format": "etalon-motion-map/1", "dimension": 3, {more}
        "bodies": [{{"name": "b", "mass": 1, "inertia": [[2, 0, 0], [0, 2, 0], [0, 0, 2]]}}]}}"#
    )
}

/// A state of a body that spins freely, with its orientation.
fn turned(t: f64, q: [f64; 4], w: [f64; 3]) -> String {
    let numbers: Vec<_> = q.iter().chain(&w).map(|own| format!("{own:?}")).collect();
    format!("{t},0,0,0,0,0,0,{}\n", numbers.join(","))
}

const TURNING: &str = "t,b.x,b.y,b.z,b.vx,b.vy,b.vz,b.qw,b.qx,b.qy,b.qz,b.wx,b.wy,b.wz\n";

fn product([p, q, r, s]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        p * w - q * x - r * y - s * z,
        p * x + q * w + r * z - s * y,
        p * y - q * z + r * w + s * x,
        p * z + q * y - r * x + s * w,
    ]
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|own| own * own).sum::<f64>().sqrt();
    q.map(|own| own / length)
}

/// A free spin of many steps by a rule; in axes of the world the turn stands on the left.
fn spin(h: f64, w: [f64; 3], exponential: bool, left: bool) -> String {
    let half = w.map(|own| own * h / 2.0);
    let angle = half.iter().map(|own| own * own).sum::<f64>().sqrt();
    let (cos, sinc) = if exponential {
        (angle.cos(), angle.sin() / angle)
    } else {
        (1.0, 1.0)
    };
    let turn = [cos, half[0] * sinc, half[1] * sinc, half[2] * sinc];
    let mut q = unit([0.3, -0.5, 0.2, 0.7]);
    let mut text = TURNING.to_owned() + &turned(0.0, q, w);
    for k in 1..=60 {
        q = unit(if left {
            product(turn, q)
        } else {
            product(q, turn)
        });
        // An orientation is that of the opposite quaternion, too.
        let written = if k % 7 == 0 { q.map(|own| -own) } else { q };
        text += &turned(f64::from(k) * h, written, w);
    }
    text
}

#[test]
fn orientations_follow_the_spin_by_the_rule_that_the_map_names() {
    let w = [3.0, -2.0, 5.0];
    for h in [1.0 / 64.0, 0.25] {
        let (exponential, linear) = (spin(h, w, true, true), spin(h, w, false, true));
        let name = |own: &str| turning(&format!("\"rotation\": \"{own}\","));
        for table in [&exponential, &linear] {
            accepted(&turning(""), table);
            accepted(&name("none"), table);
        }
        accepted(&name("exponential"), &exponential);
        accepted(&name("linear"), &linear);
        let other = ["step 1, body b: state: it is turned", "the other rule fits"];
        off(&name("exponential"), &linear, &other);
        off(&name("linear"), &exponential, &other);
        let body = spin(h, w, true, false);
        off(
            &turning(""),
            &body,
            &["body b: state", "the spin fits in axes of the body"],
        );
        let back =
            spin(h, w.map(|own| -own), true, true).replace(",-3.0,2.0,-5.0", ",3.0,-2.0,5.0");
        off(
            &turning(""),
            &back,
            &["body b: state", "the spin of the other sign fits"],
        );
        // By a rounding or so it may be off, by some more it is wrong.
        let mut lines: Vec<String> = exponential.lines().map(str::to_owned).collect();
        let mut fields: Vec<String> = lines[40].split(',').map(str::to_owned).collect();
        let old: f64 = fields[8].parse().unwrap();
        for (by, status) in [(2e-16, 0), (1e-12, 1)] {
            fields[8] = format!("{:?}", old + by);
            lines[40] = fields.join(",");
            let ran = judged(&turning(""), &(lines.join("\n") + "\n"));
            assert_eq!(ran.status, status, "{by} {}", ran.stdout);
        }
    }
    let none = [0.0; 3];
    let still = |q: [f64; 4], w: [f64; 3]| {
        let start = turned(0.0, [1.0, 0.0, 0.0, 0.0], w);
        format!("{TURNING}{start}{}", turned(1.0, q, w))
    };
    off(
        &turning(""),
        &still([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        &[
            "body b: state: it is turned 0.8944 rad away from where the spin after the step turns it",
        ],
    );
    off(
        &turning(""),
        &still([7.0, 0.0, 0.0, 0.0], none),
        &["body b: data: its orientation has the length 7"],
    );
    // Some 800,000 times round in a step.
    let fast = [0.0, 0.0, 1e7];
    accepted(&turning(""), &spin(0.5, fast, true, true));
    off(
        &turning(""),
        &still([1.0, 0.0, 0.0, 0.0], fast),
        &["body b: state: it is turned"],
    );
    refused(
        &turning(""),
        &still([0.0; 4], none),
        "the orientation of the body \"b\" is 0",
    );
    refused(
        &turning("\"rotation\": \"euler\","),
        &still([1.0, 0.0, 0.0, 0.0], none),
        "rotation: \"euler\" is none of exponential, linear, none",
    );
}

#[test]
fn wrapped_angles_are_recognised_where_the_map_says_so() {
    let map = |more: &str| {
        format!(
            r#"{{"format": "etalon-motion-map/1", "dimension": 2,
            "bodies": [{{"name": "b", "mass": 1, "inertia": 1 {more}}}]}}"#
        )
    };
    let table = |end: f64| {
        format!("t,b.x,b.y,b.vx,b.vy,b.angle,b.spin\n0,0,0,0,0,3,1\n1,0,0,0,0,{end:?},1\n")
    };
    let wraps = map(", \"angle_wraps\": true");
    accepted(&map(""), &table(4.0));
    accepted(&wraps, &table(4.0));
    accepted(&wraps, &table(4.0 - 2.0 * PI));
    // Two angles within one turn are no whole turns and more apart.
    off(
        &wraps,
        &table(4.0 + 6.0 * PI),
        &["body b: data: its angle goes on by 19.85 rad"],
    );
    off(&wraps, &table(4.5 - 2.0 * PI), &["body b: state"]);
    off(&wraps, &table(4.0 - PI), &["body b: state"]);
    let words = [
        "body b: state",
        "is the angle kept within one turn? Then say \"angle_wraps\": true",
    ];
    off(&map(""), &table(4.0 - 2.0 * PI), &words);
    refused(
        &map(", \"angle_wraps\": 1"),
        &table(4.0),
        "bodies[0].angle_wraps: 1 is neither true nor false",
    );
    let unseen = table(4.0).replace("angle", "turned");
    refused(
        &wraps,
        &unseen,
        "angle_wraps: it is about the \"angle\" of a body in the plane, and there is none",
    );
}

#[test]
fn the_column_of_the_time_is_asked_beside_a_length_of_the_step() {
    let map = over_floor(", \"radius\": 0.5", "\"h\": 0.25,");
    let right = step(0.0, 0.0, 0.0, 2.0);
    accepted(&map, &right);
    let later = right.replace("\n0.25,", "\n0.26,");
    off(
        &map,
        &later,
        &["time: data: the time goes on by 0.26 s, and the step is 0.25 s long"],
    );
    let milliseconds = right.replace("\n0.25,", "\n250,");
    off(&map, &milliseconds, &["time: data", "is the time in ms?"]);
    let named = over_floor(
        ", \"radius\": 0.5",
        "\"h\": 0.25, \"time\": {\"column\": \"t\", \"times\": \"1/1000\"},",
    );
    accepted(&named, &milliseconds);
}

#[test]
fn tangents_are_square_to_normals_and_inertias_are_those_of_bodies() {
    let contact = |tangents: &str| {
        format!(
            r#"{{"format": "etalon-motion-map/1", "dimension": 3, "h": 1, "bodies": [{{"name": "b", "mass": 1}}],
            "contacts": [{{"name": "c", "bodies": ["b", null], "normal": [0, 0, 1], "tangents": {tangents}, "radius": 1, "mu": 0.5,
            "normal_impulse": 0, "friction": [0, 0]}}]}}"#
        )
    };
    let rest = "b.x,b.y,b.z,b.vx,b.vy,b.vz\n0,0,1,0,0,0\n0,0,1,0,0,0\n";
    accepted(&contact("[[1, 0, 0], [0, 1, 0]]"), rest);
    accepted(&contact("[[0.6, 0.8, 0], [-0.8, 0.6, 1e-9]]"), rest);
    refused(
        &contact("[[1, 0, 0], [0, 0.6, 0.8]]"),
        rest,
        "line 2: a tangent of the contact \"c\" is not at a right angle to its normal: their product is 0.8",
    );
    refused(
        &contact("[[1, 0, 0], [1, 0, 0]]"),
        rest,
        "is not at a right angle to its other tangent",
    );
    let body = |inertia: &str| {
        format!(
            r#"{{"format": "etalon-motion-map/1", "dimension": 3, "h": 1,
            "bodies": [{{"name": "b", "mass": 1, "inertia": {inertia}}}]}}"#
        )
    };
    let rest = "b.x,b.y,b.z,b.vx,b.vy,b.vz,b.wx,b.wy,b.wz\n0,0,1,0,0,0,0,0,0\n0,0,1,0,0,0,0,0,0\n";
    // A cube, a flat plate, and a rod, turned.
    for right in [
        "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "[[0.1, 0, 0], [0, 0.7, 0], [0, 0, 0.8]]",
        "[[0.5, -0.5, 0], [-0.5, 0.5, 0], [0, 0, 1]]",
    ] {
        accepted(&body(right), rest);
    }
    for (wrong, why) in [
        (
            "[[1, 0, 0], [0, 1, 0], [0, 0, 3]]",
            "has a moment about one axis that is larger than the sum of the two others",
        ),
        (
            "[[1, 0, 0], [0, -1, 0], [0, 0, 1]]",
            "has a moment about some axis that is negative",
        ),
        (
            "[[1, 2, 0], [2, 1, 0], [0, 0, 1]]",
            "has a moment about some axis that is negative",
        ),
        ("[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]", "is not symmetric"),
    ] {
        refused(&body(wrong), rest, why);
    }
    let flat = r#"{"format": "etalon-motion-map/1", "dimension": 2, "h": 1, "bodies": [{"name": "b", "mass": 1, "inertia": 0}]}"#;
    refused(
        flat,
        "b.x,b.y,b.vx,b.vy,b.spin\n0,0,0,0,0\n0,0,0,0,0\n",
        "the inertia of the body \"b\" must be positive",
    );
}

/// What a table may look like, and what its errors say: the separators, quotes, remarks and ends of lines.
#[test]
fn tables_of_many_shapes_are_read_and_the_others_have_errors_with_their_line() {
    let map = over_floor(", \"radius\": 0.5", "");
    let right = step(0.0, 0.0, 0.0, 2.0);
    accepted(&map, &right.replace(',', ";"));
    accepted(&map, &right.replace(',', "\t"));
    accepted(&map, &right.replace('\n', "\r\n"));
    accepted(&map, &format!("\u{feff}{right}"));
    accepted(
        &map,
        &right.replacen("\n0,", "\n\n# at rest\n   \n\"0\", ", 1),
    );
    accepted(&map, right.trim_end());
    accepted(
        &map,
        &right
            .replace("t,b.x", "t,\"a, \"\"b\"\"\",b.x")
            .replace("\n0,", "\n0,7,")
            .replace("\n0.25,", "\n0.25,7,"),
    );
    refused(
        &map,
        &right.replace("\n0.25,", "\n# \n\n0.25,9,"),
        "line 5: 8 fields, where the first line has 7 columns",
    );
    refused(
        &map,
        &right.replace("\n0.25,", "\n0.25,\""),
        "line 3: a quote is not closed",
    );
    refused(
        &map,
        &right.trim_end().replace("\n0.25,", "\n0.25,\""),
        "line 3: a quote is not closed",
    );
    refused(
        &map,
        &right.replace("\n0.25,", "\r0.25,"),
        "line 2: there is a carriage return in the midst of the line",
    );
    refused(
        &map,
        &format!("\n{right}"),
        "line 1: the first line is empty",
    );
    let bench = Workbench::new();
    bench.write("map.json", &map);
    bench.write("m.csv", [right.as_bytes(), b"\xff,0,0,0,0,0,0\n"].concat());
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert!(
        ran.status == 2
            && ran
                .stderr
                .contains("m.csv: line 4: field 1 is no text in UTF-8"),
        "{}",
        ran.stderr
    );
    bench.write("m.csv", "t,".repeat(3 << 20));
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert!(
        ran.status == 2
            && ran
                .stderr
                .contains("line 1: the line is over the limit of 4194304 bytes"),
        "{}",
        ran.stderr
    );
    let columns: Vec<String> = (0..500_001).map(|k| format!("{k:x}z")).collect();
    bench.write("m.csv", columns.join(",") + "\n");
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert!(
        ran.status == 2 && ran.stderr.contains("500001 columns are over the limit"),
        "{:.300}",
        ran.stderr
    );
}
