//! Impulses from the command line: laws in files and by flags, energies, obstacles that move, and impacts without an answer. Units of limits and joints, and what pyramids are refused for.

use crate::common::Workbench;
use serde_json::{Value, json};

fn told(bench: &Workbench, scene: &Value, flags: &str) -> String {
    bench.write("own.json", scene.to_string());
    let ran = bench.run(&format!("scenario run own.json {flags}"));
    assert_eq!(ran.status, 0, "{}", ran.shown());
    ran.stdout
}

fn has(told: &str, sentence: &str) {
    assert!(told.contains(sentence), "{told}");
}

/// A ball that lands on a floor which rises at 2 m/s.
fn lift(question: Value) -> Value {
    json!({
        "name": "lift", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "velocity": [0, 0, 2]},
            {"name": "b", "mass": 1, "inertia": ["2/5", "2/5", "2/5"], "position": [0, 0, 1], "velocity": [1, 1, -1]},
        ],
        "contacts": [{"name": "c", "first": "b", "second": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": "1/10"}],
        "question": question,
    })
}

/// p = 9/2 N s against a floor at 2 m/s: 9 J from the floor, of which the impact takes 27/8 J.
#[test]
fn obstacles_that_move_have_their_work_named() {
    let bench = Workbench::new();
    for question in [
        json!({"impact": "1/2"}),
        json!({"impact": "1/2", "friction": "none"}),
    ] {
        let told = told(&bench, &lift(question), "");
        has(
            &told,
            "Of the change of 45/8 J, 9 J is the work of obstacles that move.",
        );
        assert!(!told.contains("gained") && !told.contains("Kane"), "{told}");
    }
}

#[test]
fn a_gain_without_friction_is_not_put_down_to_friction() {
    let bench = Workbench::new();
    let scene = |law: Value| {
        json!({
            "name": "sandwich", "gravity": [0, -10],
            "bodies": [
                {"name": "floor", "fixed": true},
                {"name": "b", "mass": 1, "inertia": 1, "velocity": [0, 1]},
                {"name": "t", "mass": 3, "inertia": 1, "position": [0, 1], "velocity": [0, -3]},
            ],
            "contacts": [
                {"name": "low", "first": "b", "second": "floor", "point": [0, 0], "normal": [0, 1]},
                {"name": "top", "first": "t", "second": "b", "point": [0, 0], "normal": [0, 1]},
            ],
            "question": law,
        })
    };
    let named = told(&bench, &scene(json!({"impact": 1, "law": "newton"})), "");
    has(
        &named,
        "The impact gained 10 J: an impulse acts at a contact whose bodies part before the impact",
    );
    assert!(!named.contains("Kane"), "{named}");
    // The flag says what the file would.
    let flagged = told(&bench, &scene(json!({"impact": 1})), "--impact newton");
    assert_eq!(flagged, named);
}

/// Painleve's rod at rest on a ground that moves: friction and the second impulse drag it along.
#[test]
fn an_impulse_on_moving_ground_is_told_with_the_work_of_the_ground() {
    let scene = json!({
        "name": "rod", "gravity": [0, -10],
        "bodies": [
            {"name": "ground", "fixed": true, "velocity": [-2, 0]},
            {"name": "rod", "mass": 1, "inertia": "1/3", "position": ["-3/5", "4/5"]},
        ],
        "contacts": [{"name": "tip", "first": "rod", "second": "ground", "point": [0, 0], "normal": [0, 1], "mu": 2}],
        "question": {"friction": "rows"},
    });
    let told = told(&Workbench::new(), &scene, "");
    has(
        &told,
        "The impulse: 5/11 N s of that ray stops the sliding (Baraff 1994, section 6).",
    );
    // Friction of -10/11 N s and 36/275 N s less on ground at -2 m/s; without it 2 J become 122/121 J and 24/25 J.
    has(
        &told,
        "kinetic energy: 0 J, then 100/121 J, then 26/25 J, to which obstacles that move did 20/11 J, then 72/275 J of work: relative to them it never rises;",
    );
}

#[test]
fn an_impact_without_an_answer_is_told_with_its_proof() {
    let contact = |name: &str, point: [&str; 2], normal: [&str; 2], mu: i64| json!({"name": name, "first": "b", "second": "floor", "point": point, "normal": normal, "mu": mu});
    let scene = json!({
        "name": "g", "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true},
            {"name": "b", "mass": 2, "inertia": "1/6", "position": [-3, "-4/3"], "velocity": ["-1/2", 0], "angular_velocity": "8/3"},
        ],
        "contacts": [
            contact("c0", ["3/2", "7/3"], ["0", "-1"], 3),
            contact("c1", ["0", "-2/3"], ["5/13", "-12/13"], 0),
            contact("c2", ["-4", "3/2"], ["0", "1"], 1),
            contact("c3", ["3", "8"], ["-4/5", "3/5"], 1),
        ],
        "question": {"impact": "1/2", "law": "newton", "friction": "polyhedral"},
    });
    let bench = Workbench::new();
    let text = told(&bench, &scene, "");
    has(
        &text,
        "There is no answer: no impulses at all satisfy the laws of the impact.\nProof: weigh the rows of its problem",
    );
    let answer: Value = serde_json::from_str(&told(&bench, &scene, "--json")).unwrap();
    assert_eq!(answer["answer"]["status"], "inconsistent");
    assert_eq!(answer["answer"]["certificate"]["kind"], "farkas");
}

fn mechanism(joint: Value) -> Value {
    json!({
        "name": "cart-pole", "gravity": [0, -10],
        "mechanism": {"links": [
            {"name": "cart", "mass": 3, "inertia": 1, "joint": {"kind": "prismatic", "axis": [1, 0], "effort": 4}},
            {"name": "pole", "parent": "cart", "mass": 1, "inertia": 1, "centre": [1, 0], "joint": joint},
        ]},
    })
}

/// A level pole falls about its end, m r^2 + J = 2 kg m^2, with a torque of 10 N m, and its weight does not push the cart.
#[test]
fn a_mechanism_without_contacts_tells_how_its_joints_speed_up() {
    let told = told(
        &Workbench::new(),
        &mechanism(json!({"kind": "revolute"})),
        "",
    );
    has(&told, "| cart          |            1 | m/s^2   |");
    has(&told, "| pole          |           -5 | rad/s^2 |");
}

#[test]
fn limits_of_angles_are_shown_in_units_of_torque() {
    let limits = json!({"kind": "revolute", "position": [1, 0], "limits": [[1, 0], [0, 1]]});
    let told = told(&Workbench::new(), &mechanism(limits), "");
    has(&told, "f_N, N or N m");
    has(&told, "a_N, m/s^2 or rad/s^2");
}

#[test]
fn refused_pyramids_are_told_by_what_they_are() {
    let bench = Workbench::new();
    let ran = bench.run("scenario run manipulator --drive-order scene");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("is in a pyramid of ") && !ran.stderr.contains("circular"),
        "{}",
        ran.stderr
    );
    let ran = bench.run("scenario run manipulator --friction-pyramid 6");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains(
            "no 6 friction directions in fractions: there are sets of 4, 8, 12, 16 and 24"
        ),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("rounded"), "{}", ran.stderr);
}

/// 257/500 N s in the compression of a rod, and as much again: both problems in binary64, each judged.
#[test]
fn poissons_law_is_answered_in_binary64_by_both_of_its_problems() {
    let bench = Workbench::new();
    let rod = |friction: &str| {
        json!({
            "name": "rod", "gravity": [0, 0, -10],
            "bodies": [
                {"name": "floor", "fixed": true},
                {"name": "rod", "mass": 1, "inertia": ["1/12", "1/12", "1/12"], "position": ["3/10", 0, "4/10"], "velocity": ["3/5", 0, -1]},
            ],
            "contacts": [{"name": "tip", "first": "rod", "second": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "mu": "1/2"}],
            "question": {"impact": 1, "law": "poisson", "friction": friction, "directions": 8},
        })
    };
    let value = |flags: &str| -> Value {
        let told = told(&bench, &rod("polyhedral"), &format!("--json {flags}"));
        serde_json::from_str(&told).unwrap()
    };
    let exact = value("");
    let (end, work) = (
        &exact["answer"]["compression_end"],
        &exact["answer"]["work"],
    );
    assert_eq!(exact["answer"]["compression"], json!(["257/500"]));
    assert_eq!(end["normal_velocities"], json!(["0"]));
    assert_eq!(end["kinetic_energy"], json!("2187/5000"));
    assert_eq!(work, &json!({"impact": "-9/146", "obstacles": "0"}));
    let fast = value("--solver fast");
    assert_eq!(fast["verdict"]["verdict"], "accepted");
    assert_eq!(fast["decompression"]["verdict"]["verdict"], "accepted");
    let near = |value: &Value, exact: f64| (value.as_f64().unwrap() - exact).abs() < 1e-12;
    assert!(near(&fast["answer"]["compression"][0], 0.514), "{fast}");
    assert!(near(&fast["answer"]["impulses"][0], 1.028), "{fast}");
    let words = told(&bench, &rod("polyhedral"), "--solver fast");
    has(
        &words,
        "The decompression, whose problem depends on that answer: accepted",
    );
    bench.write("rod.json", rod("polyhedral").to_string());
    let ran = bench.run("scenario run rod.json --circular");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(
        ran.stderr.contains("--circular is of contact forces"),
        "{}",
        ran.stderr
    );
    // The circle is refused with the field and what to do.
    let mut round = rod("circular");
    round["question"]
        .as_object_mut()
        .unwrap()
        .remove("directions");
    bench.write("round.json", round.to_string());
    let ran = bench.run("scenario run round.json");
    assert_eq!(ran.status, 2, "{}", ran.shown());
    assert!(
        ran.stderr.contains("question.friction: is \"circular\"")
            && ran.stderr.contains("\"directions\": 24"),
        "{}",
        ran.stderr
    );
}
