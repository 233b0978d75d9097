//! `etalon trajectory check`: motions by anybody.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::Workbench;
use serde_json::{Value, json};

const MAP: &str = r#"{"format": "etalon-motion-map/1", "dimension": 2, "gravity": [0, -9.81],
    "bodies": [{"name": "puck", "mass": 2}],
    "contacts": [{"name": "floor", "bodies": ["puck", null], "normal": [0, 1], "radius": 0.25, "mu": 0.5, "target": "gap"}]}"#;

const COLUMNS: &str =
    "t,puck.x,puck.y,puck.vx,puck.vy,floor.normal_impulse,floor.friction,floor.gap";

type Rows = Vec<[f64; 8]>;

/// A disc of 2 kg thrown along a floor, as any program might compute it.
fn puck(h: f64, steps: u32) -> Rows {
    let (m, radius, mu, g) = (2.0, 0.25, 0.5, 9.81);
    let (mut x, mut y, mut vx, mut vy) = (0.0, 0.5, 1.5, 0.0);
    let mut rows = vec![[0.0, x, y, vx, vy, 0.0, 0.0, y - radius]];
    for k in 1..=steps {
        let fy: f64 = vy - h * g;
        let normal = (m * (-(y - radius) / h - fy)).max(0.0);
        // Along the tangent (-1, 0).
        let friction = (m * vx).clamp(-mu * normal, mu * normal);
        (vx, vy) = (vx - friction / m, fy + normal / m);
        (x, y) = (x + h * vx, y + h * vy);
        rows.push([h * f64::from(k), x, y, vx, vy, normal, friction, y - radius]);
    }
    rows
}

fn csv(rows: &Rows) -> String {
    let line = |row: &[f64; 8]| row.map(|own| format!("{own:?}")).join(",");
    let lines: Vec<_> = rows.iter().map(line).collect();
    format!("{COLUMNS}\n{}\n", lines.join("\n"))
}

fn bench(table: &str) -> Workbench {
    let bench = Workbench::new();
    bench.write("map.json", MAP);
    bench.write("m.csv", table);
    bench
}

fn found(table: &str, more: &str) -> Value {
    let ran = bench(table).run(&format!(
        "trajectory check m.csv --map map.json --json {more}"
    ));
    assert!(ran.status < 2, "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran.status, i32::from(found["verdict"] == "off"), "{found}");
    found
}

fn has(found: &Value, step: u64, term: &str, place: &str) -> Value {
    let listed = found["listed"].as_array().unwrap();
    let own = listed
        .iter()
        .find(|own| own["step"] == step && own["term"] == term && own["place"] == place);
    own.unwrap_or_else(|| panic!("no {term} at {place} in step {step}: {found:#}"))
        .clone()
}

#[test]
fn a_right_motion_is_accepted_whatever_its_step_and_precision() {
    for (h, steps) in [(1.0 / 64.0, 64), (0.01, 100), (0.0037, 200)] {
        let rows = puck(h, steps);
        let judged = found(&csv(&rows), "");
        assert_eq!(
            (&judged["verdict"], &judged["steps"]),
            (&json!("accepted"), &json!(steps)),
            "{judged:#}"
        );
        let narrow: Rows = rows
            .iter()
            .map(|row| row.map(|own| f64::from(own as f32)))
            .collect();
        let bench = bench(&csv(&narrow));
        bench.write(
            "map.json",
            MAP.replacen("\"dimension\"", "\"precision\": \"f32\", \"dimension\"", 1),
        );
        let ran = bench.run("trajectory check m.csv --map map.json");
        assert_eq!(ran.status, 0, "{}", ran.stdout);
        // Said to be binary64, numbers of binary32 are not.
        assert_eq!(found(&csv(&narrow), "")["verdict"], "off");
    }
}

#[test]
fn a_tampered_velocity_an_energy_gain_and_a_missing_impulse_are_caught_by_name() {
    let right = puck(1.0 / 64.0, 64);
    let h = 1.0 / 64.0;
    let mut rows = right.clone();
    rows[10][3] += 0.25;
    let judged = found(&csv(&rows), "");
    let own = has(&judged, 10, "momentum", "body puck");
    assert_eq!(
        (&own["amount"], &own["unit"], &own["line"]),
        (&json!(0.5), &json!("N s"), &json!(12))
    );
    has(&judged, 10, "state", "body puck");
    has(&judged, 11, "momentum", "body puck");

    let mut rows = right.clone();
    let push = 0.5 * rows[30][5];
    rows[30][5] += push;
    rows[30][4] += push / 2.0;
    rows[30][2] += h * push / 2.0;
    rows[30][7] += h * push / 2.0;
    let judged = found(&csv(&rows), "");
    let own = has(&judged, 30, "energy gain", "contact floor");
    let gained = own["amount"].as_f64().unwrap();
    assert!(
        (gained - 1.5 * right[30][5] * push / 2.0).abs() < 1e-12 && own["unit"] == "J",
        "{own}"
    );
    has(&judged, 30, "complementarity", "contact floor");

    let mut rows = right.clone();
    let missing = rows[40][5];
    rows[40][5] = 0.0;
    let judged = found(&csv(&rows), "");
    let own = has(&judged, 40, "momentum", "body puck");
    assert!(
        (own["amount"].as_f64().unwrap() - missing).abs() < 1e-12,
        "{own}"
    );
    let words = own["words"].as_str().unwrap();
    assert!(
        words.contains("N s more along the normal of contact floor would account for it"),
        "{words}"
    );
    assert_eq!(judged["wrong_steps"], 1, "{judged:#}");
}

#[test]
fn friction_a_gap_and_a_wrong_sign_are_named() {
    let right = puck(1.0 / 64.0, 64);
    let with = |change: &dyn Fn(&mut Rows)| {
        let mut rows = right.clone();
        change(&mut rows);
        found(&csv(&rows), "")
    };
    let sliding = (1..right.len())
        .find(|k| right[*k][6] != 0.0 && right[*k][3] != 0.0)
        .unwrap();
    let step = sliding as u64;
    has(
        &with(&|rows| rows[sliding][6] *= 1.1),
        step,
        "cone",
        "contact floor",
    );
    has(
        &with(&|rows| rows[sliding][6] *= 0.9),
        step,
        "maximal dissipation",
        "contact floor",
    );
    let turned = with(&|rows| rows[sliding][6] *= -1.0);
    let own = has(&turned, step, "momentum", "body puck");
    assert!(
        own["words"]
            .as_str()
            .unwrap()
            .contains("friction of the other sign"),
        "{own}"
    );
    has(
        &with(&|rows| rows[40][7] = -1e-3),
        40,
        "penetration",
        "contact floor",
    );
    has(
        &with(&|rows| rows[40][5] = -0.1),
        40,
        "complementarity",
        "contact floor",
    );
    // Millimetres in place of metres.
    let units = with(&|rows| rows.iter_mut().for_each(|row| row[1] *= 1000.0));
    let own = has(&units, 1, "state", "body puck");
    assert!(own["words"].as_str().unwrap().contains("mm"), "{own}");
    // A declared error of the solver covers small ones, not large ones.
    let mut rows = right.clone();
    rows[sliding][6] *= 1.0 + 1e-7;
    assert_eq!(found(&csv(&rows), "")["verdict"], "off");
    assert_eq!(found(&csv(&rows), "--tol 1e-6")["verdict"], "accepted");
    rows[sliding][6] *= 1.1;
    assert_eq!(found(&csv(&rows), "--tol 1e-6")["verdict"], "off");
}

#[test]
fn bad_tables_and_maps_are_errors_with_line_field_and_remedy() {
    let right = csv(&puck(1.0 / 64.0, 6));
    let line = |k: usize, text: &str| {
        let mut lines: Vec<&str> = right.lines().collect();
        lines[k] = text;
        lines.join("\n") + "\n"
    };
    let cut = &right[..right.len() - 30];
    let tables = [
        ("", "m.csv: there is nothing in it, and so no motion"),
        (cut, "the file may be cut off there"),
        (
            &line(3, "0,1,2"),
            "m.csv: line 4: 3 fields, where the first line has 8 columns",
        ),
        (
            &line(3, "0.05,nan,0,0,0,0,0,0"),
            "m.csv: line 4: column \"puck.x\": \"nan\" is not finite",
        ),
        (
            &line(3, "0.05,1e999,0,0,0,0,0,0"),
            "column \"puck.x\": \"1e999\" is not finite",
        ),
        (
            &line(3, "0.05,,0,0,0,0,0,0"),
            "m.csv: line 4: column \"puck.x\": there is no number",
        ),
        (
            &line(3, "0.05,x,0,0,0,0,0,0"),
            "m.csv: line 4: column \"puck.x\": \"x\" is no number",
        ),
        (
            &line(3, "0,0,0,0,0,0,0,0"),
            "m.csv: line 4: the time goes from",
        ),
        (
            &line(3, "\"0,0,0,0,0,0,0,0"),
            "m.csv: line 4: a quote is not closed",
        ),
        (
            &line(
                0,
                "t,puck.x,puck.y,puck.vx,vy,floor.normal_impulse,floor.friction,floor.gap",
            ),
            "there is no column \"puck.vy\", which the map needs for the velocity of the body \"puck\"; there are t, puck.x",
        ),
        (
            &line(
                0,
                "t,t,puck.y,puck.vx,puck.vy,floor.normal_impulse,floor.friction,floor.gap",
            ),
            "the column \"t\" is there twice",
        ),
        (
            &right.lines().take(2).collect::<Vec<_>>().join("\n"),
            "the table has one state only",
        ),
        (
            &right.lines().skip(1).collect::<Vec<_>>().join("\n"),
            "the first line has numbers only",
        ),
    ];
    for (table, expected) in tables {
        let ran = bench(table).run("trajectory check m.csv --map map.json");
        assert_eq!(ran.status, 2, "{table:.80}: {}", ran.stdout);
        assert!(
            ran.stderr.contains(expected),
            "{}, not {expected}",
            ran.stderr
        );
    }
    let maps = [
        ("{", "the map: "),
        ("{}", "the map: format: it is missing"),
        (
            &MAP.replace("\"dimension\": 2", "\"dimension\": 4"),
            "the map: dimension: it is missing, or neither 2 nor 3",
        ),
        (
            &MAP.replace("\"mass\"", "\"mas\""),
            "the map: bodies[0].mas: there is no such field; known are name, mass",
        ),
        (
            &MAP.replace("\"mass\": 2", "\"mass\": 0"),
            "the mass of the body \"puck\" is 0, and must be positive",
        ),
        (
            &MAP.replace("[\"puck\", null]", "[\"pack\", null]"),
            "the map: contacts[0].bodies: there is no body \"pack\"; known are puck",
        ),
        (
            &MAP.replace("\"normal\": [0, 1]", "\"normal\": [0, 1, 0]"),
            "the map: contacts[0].normal: 3 entries where 2 belong",
        ),
        (
            &MAP.replace("\"normal\": [0, 1]", "\"normal\": [0, 0]"),
            "the normal of the contact \"floor\" is 0",
        ),
        (
            &MAP.replace("\"target\": \"gap\"", "\"target\": true"),
            "the map: contacts[0].target: it is neither a number",
        ),
    ];
    for (map, expected) in maps {
        let bench = bench(&right);
        bench.write("map.json", map);
        let ran = bench.run("trajectory check m.csv --map map.json");
        assert_eq!(ran.status, 2, "{map}: {}", ran.stdout);
        assert!(
            ran.stderr.contains(expected),
            "{}, not {expected}",
            ran.stderr
        );
    }
    let bench = bench(&right);
    let ran = bench.run("trajectory check m.csv");
    assert!(
        ran.status == 2 && ran.stderr.contains("a table needs --map FILE"),
        "{}",
        ran.stderr
    );
    let ran = bench.run("trajectory check none.csv m.csv --map map.json");
    assert!(
        ran.status == 2 && ran.stdout.contains("accepted"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

/// A motion of a ball in space that turns: rows, tangents, inertias and torques in three dimensions.
#[test]
fn a_ball_that_rolls_in_space_is_accepted_and_slips_by_name() {
    let (h, g, radius, inertia) = (1.0 / 64.0, 8.0, 0.5, 0.1);
    let columns =
        "t,b.x,b.y,b.z,b.vx,b.vy,b.vz,b.wx,b.wy,b.wz,c.normal_impulse,c.friction_1,c.friction_2";
    // Pushed along x at 2 m/s without spin: friction of mu m g h slows it and spins it up, until it rolls.
    let (mut x, mut v, mut w) = (0.0, 2.0, 0.0);
    let mut text = format!("{columns}\n0,0,0,{radius},2,0,0,0,0,0,0,0,0\n");
    for k in 1..=40 {
        let normal: f64 = g * h;
        // The slip v - w r ends within the step where friction may end it.
        let slip: f64 = v - w * radius;
        let stops = slip / (1.0 + radius * radius / inertia);
        let friction = stops.min(0.25 * normal);
        (v, w) = (v - friction, w + friction * radius / inertia);
        x += h * v;
        let t = h * f64::from(k);
        text += &format!(
            "{t},{x},0,{radius},{v},0,0,0,{w},0,{normal},{:?},0\n",
            -friction
        );
    }
    let map = r#"{"format": "etalon-motion-map/1", "dimension": 3, "gravity": [0, 0, -8],
        "bodies": [{"name": "b", "mass": 1, "inertia": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}],
        "contacts": [{"name": "c", "bodies": ["b", null], "normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]], "radius": 0.5, "mu": 0.25}]}"#;
    let bench = Workbench::new();
    bench.write("map.json", map);
    bench.write("m.csv", &text);
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    bench.write("map.json", map.replace("\"mu\": 0.25", "\"mu\": 0.2"));
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert!(
        ran.stdout.contains("contact c: cone: friction is"),
        "{}",
        ran.stdout
    );
    bench.write("map.json", map.replace("[0, 0.1, 0]", "[0, 0.2, 0]"));
    let ran = bench.run("trajectory check m.csv --map map.json");
    assert!(
        ran.stdout.contains("body b: momentum") && ran.stdout.contains("N m s"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_log_gets_the_verdicts_of_step_check() {
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/examples/steps.jsonl"
    );
    let bench = Workbench::new();
    let step = bench.run_words(&["step", "check", log, "--quiet"]);
    let own = bench.run_words(&["trajectory", "check", log, "--json"]);
    assert_eq!((step.status, own.status), (1, 1), "{}", own.stderr);
    let found: Value = serde_json::from_str(&own.stdout).unwrap();
    let wrong = |text: &str| {
        text.lines()
            .filter(|line| line.contains("\"verdict\":\"off\""))
            .count()
    };
    assert_eq!(found["broken"], json!(wrong(&step.stdout)), "{found:#}");
    bench.write("none.jsonl", "{\"format\": \"etalon-problem/1\"}\n");
    let ran = bench.run("trajectory check none.jsonl");
    assert!(
        ran.status == 2 && ran.stderr.contains("the format is \"etalon-problem/1\""),
        "{}",
        ran.stderr
    );
    bench.write(
        "cut.jsonl",
        "{\"format\": \"etalon-step/1\", \"name\": \"a\"\n",
    );
    let ran = bench.run("trajectory check cut.jsonl");
    assert!(
        ran.status == 2 && ran.stderr.contains("cut.jsonl:1: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn fast_runs_are_judged_and_verify_still_refuses_them() {
    let bench = Workbench::new();
    bench.run("scenario run rod --set h=0.02 --solver fast --out fast.jsonl --quiet");
    let ran = bench.run("trajectory check fast.jsonl");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let text = bench.read("fast.jsonl");
    bench.write("cut.jsonl", &text[..text.len() - 40]);
    let ran = bench.run("trajectory check cut.jsonl");
    assert!(
        ran.status == 2 && ran.stderr.contains("cut.jsonl:51: "),
        "{}",
        ran.stderr
    );
    bench.write(
        "fast.jsonl",
        text.replacen(
            "\"arithmetic\":\"binary64\"",
            "\"arithmetic\":\"decimal\"",
            1,
        ),
    );
    let ran = bench.run("trajectory check fast.jsonl");
    assert!(
        ran.status == 2
            && ran
                .stderr
                .contains("the field \"arithmetic\" is \"decimal\""),
        "{}",
        ran.stderr
    );
    let ran = bench.run("verify cut.jsonl");
    assert_ne!(ran.status, 0);
}

/// A step that its line excuses is no accepted one.
#[test]
fn a_motion_with_a_step_that_did_not_converge_is_incomplete() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run incline --steps 3 --quiet --out m.jsonl");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let whole = bench.read("m.jsonl");
    let one = whole.replacen("\"converged\":true", "\"converged\":false", 1);
    let all = whole.replace("\"converged\":true", "\"converged\":false");
    for (text, steps, verdict) in [(one, "2 of 3", "incomplete"), (all, "0 of 3", "not judged")] {
        bench.write("m.jsonl", text);
        let ran = bench.run("trajectory check m.jsonl");
        assert_eq!(ran.status, 1, "{}", ran.stdout);
        let told = ran.stdout.contains(steps) && ran.stdout.contains(verdict);
        assert!(
            told && ran.stderr.contains("did not converge"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn the_map_of_the_book_is_valid_and_an_unknown_field_is_not() {
    let schema = Workbench::new().run("schema motion-map").stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let book = include_str!("../../../../docs/examples/puck-map.json");
    for map in [MAP, book] {
        let map: Value = serde_json::from_str(map).unwrap();
        assert!(validator.is_valid(&map), "{map}");
        let mut other = map.clone();
        other["contacts"][0]["mue"] = json!(1);
        assert!(!validator.is_valid(&other));
    }
}

#[test]
fn maps_that_make_no_sense_are_refused_with_the_field() {
    let stop = MAP.replace(", \"target\": \"gap\"", "");
    let cases = [
        (
            "[0, 1]",
            "[0, 0.5]",
            "the normal of the contact \"floor\" has the length 0.5",
        ),
        (
            "\"mu\": 0.5",
            "\"mu\": -1",
            "the mu of the contact \"floor\" is -1",
        ),
        (
            "\"mu\": 0.5",
            "\"restitution\": 1000",
            "the restitution of the contact \"floor\" is 1000",
        ),
        (
            "\"mu\": 0.5",
            "\"restitution\": -1",
            "the restitution of the contact \"floor\" is -1",
        ),
        (
            "\"dimension\": 2",
            "\"slop\": -1, \"dimension\": 2",
            "the slop of the contact \"floor\" is -1",
        ),
    ];
    // At rest on the floor, which pushes.
    let table = format!("{COLUMNS}\n0,0,0.25,0,0,0,0,0\n0.5,0,0.25,0,0,9.81,0,0\n");
    for (from, to, expected) in cases {
        let bench = Workbench::new();
        bench.write("m.csv", &table);
        bench.write("map.json", stop.replace(from, to));
        let ran = bench.run("trajectory check m.csv --map map.json");
        assert_eq!(ran.status, 2, "{to}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{to}: {}", ran.stderr);
    }
}

/// Painlevé's rod at a step of 1/100 s lifts, slides on, or sticks. A limit of two motions is an error, never a shorter list.
#[test]
fn all_motions_of_a_step_are_told_or_the_limit_is() {
    let bench = Workbench::new();
    let run = "scenario run painleve-indeterminate --as motion --set scheme=predicted --set angular_velocity=6 --h 1/100 --all --steps 1";
    let all = bench.run(run);
    assert_eq!(all.status, 0, "{}", all.stderr);
    assert!(all.stdout.contains("\n3 motions."), "{}", all.stdout);
    for impulse in ["none", "0.059334", "0.628219"] {
        assert!(all.stdout.contains(impulse), "{impulse}: {}", all.stdout);
    }
    let limited = bench.run(&format!("{run} --motions 2"));
    assert_eq!(limited.status, 2);
    assert!(
        limited.stderr.contains("over the limit of 2") && limited.stdout.is_empty(),
        "{}{}",
        limited.stdout,
        limited.stderr
    );
}
