use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::line_text;
use etalon_lcp::Solver;

use super::{MotionTree, TreeError, TreeLimits, TreeScene};
use crate::find;
use crate::motion::{Arithmetics, MotionInstance};

fn instance(name: &str, settings: &[(&str, &str)]) -> MotionInstance {
    let settings = settings.iter().copied();
    find(name).unwrap().motion_instance(settings).unwrap()
}

fn tree(name: &str, settings: &[(&str, &str)], steps: u64) -> Result<MotionTree, TreeError> {
    let instance = instance(name, settings);
    MotionTree::of(
        TreeScene::Named(&instance),
        Some(steps),
        &TreeLimits::default(),
    )
}

fn impulses(tree: &MotionTree, node: usize) -> Vec<f64> {
    let line = &tree.nodes[node].line;
    line.contacts
        .iter()
        .map(|own| own.normal.to_f64())
        .collect()
}

/// The limit is told before a step is taken.
#[test]
fn a_tree_of_too_many_steps_is_refused() {
    let refused = tree("elastic-cradle", &[], 10_001).unwrap_err();
    assert_eq!(refused, TreeError::Steps { steps: 10_001 });
    assert!(
        refused.to_string().contains("at most 10000 steps"),
        "{refused}"
    );
}

/// A rod that turns so fast that its end may lift, in steps that see the curve of its way.
const SPINNING: [(&str, &str); 2] = [("scheme", "predicted"), ("angular_velocity", "6")];

/// The rod may lift, be carried by the force that carries it, or be stopped by an impulse: as h -> 0 the first impulse is 0, the
/// second that of a force, the third of a size of its own.
#[test]
fn painleves_rod_lifts_is_carried_or_is_stopped() {
    let push = |h: &str| {
        let [scheme, turning] = SPINNING;
        let tree = tree("painleve-indeterminate", &[scheme, turning, ("h", h)], 1).unwrap();
        let names: Vec<_> = tree.ends().map(|(_, node)| node.name.clone()).collect();
        assert_eq!(names, ["1", "2", "3"]);
        [1, 2, 3].map(|node| impulses(&tree, node)[0])
    };
    let (coarse, fine) = (push("1/320"), push("1/640"));
    assert_eq!((coarse[0], fine[0]), (0.0, 0.0));
    assert!(
        coarse[1] > 0.0 && (coarse[1] / fine[1] - 2.0).abs() < 0.2,
        "{coarse:?} {fine:?}"
    );
    assert!(
        coarse[2] > coarse[1] && (coarse[2] / fine[2] - 1.0).abs() < 0.2,
        "{coarse:?} {fine:?}"
    );
}

/// The rod that no force satisfies has one step, and it is that of the usual solver.
#[test]
fn where_the_solution_is_unique_the_tree_is_the_run() {
    for (name, settings, steps) in [
        ("painleve-inconsistent", &[][..], 3),
        ("incline", &[("mu", "1/2")], 4),
        ("elastic-cradle", &[("balls", "3")], 3),
    ] {
        let tree = tree(name, settings, steps).unwrap();
        assert_eq!(tree.ends().count(), 1, "{name}");
        let own = instance(name, settings);
        let solver = ExactMethod::Lemke.solver(&Budget::default());
        let mut run = own
            .trajectory(Arithmetics::Exact, &*solver, Some(steps))
            .unwrap();
        let (end, node) = tree.ends().next().unwrap();
        assert_eq!(node.name, "");
        for step in tree.motion(end).into_iter().skip(1) {
            let line = run.advance().unwrap();
            assert_eq!((&step.line.q, &step.line.v), (&line.q, &line.v), "{name}");
        }
    }
}

/// Each motion of the tree is one: every step is taken by a solution, and breaks no law.
#[test]
fn every_branch_is_a_motion_that_keeps_the_laws() {
    let [scheme, turning] = SPINNING;
    let settings = [scheme, turning, ("h", "1/100")];
    let own = instance("painleve-indeterminate", &settings);
    let tree = tree("painleve-indeterminate", &settings, 3).unwrap();
    assert!(tree.ends().count() > 3);
    let solver = ExactMethod::Enumerate.solver(&Budget::default());
    for (end, node) in tree.ends() {
        let steps = tree.motion(end);
        assert_eq!(steps.len(), 4, "{}", node.name);
        for pair in steps.windows(2) {
            let mut run = own
                .trajectory(Arithmetics::Exact, &*solver, Some(3))
                .unwrap();
            if pair[0].line.k > 0 {
                run.resume(&pair[0].line).unwrap();
            }
            // The problem is that of the state before; the line says which solution was taken by its digest.
            let problem = run.problem().unwrap();
            let found = solver.solve(&problem).enumeration.unwrap();
            let corners = found.faces.iter().flat_map(|face| &face.vertices);
            let all: Vec<_> = found.isolated.iter().chain(corners).collect();
            let digests: Vec<String> = all.iter().map(|z| digest(z)).collect();
            assert!(digests.contains(&pair[1].line.lcp.sha256), "{}", node.name);
        }
    }
}

/// Of a solution as lines have it.
fn digest(z: &[etalon_lcp::Number]) -> String {
    use sha2::{Digest, Sha256};
    let texts: Vec<String> = z.iter().map(|own| own.to_rational().to_string()).collect();
    let sum = Sha256::digest(texts.join(" ").as_bytes());
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Friction weights of a body that sticks are not unique; its motion is.
#[test]
fn solutions_with_one_velocity_are_one_motion() {
    let tree = tree("painleve-indeterminate", &[], 1).unwrap();
    let (_, node) = tree.ends().next().unwrap();
    assert_eq!(tree.ends().count(), 1);
    assert!(node.solutions > 1, "{}", line_text(&node.line));
    assert!(tree.nodes.iter().all(|node| node.mixtures.is_empty()));
}

#[test]
fn limits_and_what_has_no_tree_are_errors_with_a_remedy() {
    let [scheme, turning] = SPINNING;
    let own = instance("painleve-indeterminate", &[scheme, turning, ("h", "1/100")]);
    let few = TreeLimits {
        motions: 2,
        ..TreeLimits::default()
    };
    let error = MotionTree::of(TreeScene::Named(&own), Some(1), &few).unwrap_err();
    assert!(
        matches!(
            error,
            TreeError::Motions {
                step: 1,
                found: 3,
                limit: 2
            }
        ),
        "{error}"
    );
    let short = TreeLimits {
        budget: Budget {
            pivots: 1,
            ..Budget::default()
        },
        ..TreeLimits::default()
    };
    let error = MotionTree::of(TreeScene::Named(&own), Some(1), &short).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("not all solutions of its problem of 4 rows"),
        "{error}"
    );
    for (name, settings, part) in [
        (
            "painleve-indeterminate",
            &[("scheme", "fixed-point")][..],
            "linear, midpoint or predicted (--scheme)",
        ),
        ("hole", &[], "family"),
        ("disc", &[("scheme", "implicit")], "system of equations"),
        ("box-slide", &[("cone", "circular")], "--cone pyramid:4"),
        ("ball-row", &[("cone", "circular")], "--cone pyramid:4"),
    ] {
        let error = tree(name, settings, 1).unwrap_err();
        assert!(error.to_string().contains(part), "{name}: {error}");
    }
}

/// Painlevé's rod slides on its end while a ball strikes the floor elsewhere: no time passes in the compression, and the rod may
/// be left alone by it, or jam. Where it jams there, restitution gives half of the impulse back; where it was left alone, it may jam
/// in the decompression, by the same impulse.
#[test]
fn an_impact_of_two_phases_has_the_motions_of_each_of_its_compressions() {
    let text = r#"{"name": "jam", "gravity": [0, 0, 0],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "rod", "mass": 1, "inertia": ["1301133/3800000", "1301133/3800000", "379/1900000"],
             "position": [0, 0, "613/650"], "orientation": [1, 0, "1/5", 0], "velocity": [-1, 0, 0],
             "shape": {"capsule": {"half_length": 1, "radius": "1/50"}}},
            {"name": "ball", "mass": 1, "position": [20, 0, "1/2"], "velocity": [0, 0, -1], "shape": {"sphere": "1/2"}}],
        "motion": {"h": "1/100", "steps": 1, "cone": "pyramid:4", "impact": "poisson", "mu": 3, "restitution": "1/2",
            "surfaces": [{"first": "floor", "second": "ball", "restitution": 1}]}}"#;
    let scene = crate::read_moving(text, None).unwrap();
    let tree = MotionTree::of(TreeScene::Moving(&scene), None, &TreeLimits::default()).unwrap();
    let names: Vec<_> = tree.ends().map(|(_, node)| node.name.clone()).collect();
    assert_eq!(names, ["1", "2", "3"]);
    let of_rod = |node: usize| {
        let contacts = tree.nodes[node].line.contacts.iter();
        let rod: Vec<_> = contacts.filter(|own| own.pair == "rod/floor").collect();
        rod.iter().map(|own| own.normal.to_f64()).sum::<f64>()
    };
    let [left, late, early] = [1, 2, 3].map(of_rod);
    assert!(
        left == 0.0 && late > 0.2 && (early - 1.5 * late).abs() < 1e-10,
        "{left} {late} {early}"
    );
    let energy = |node: usize| tree.nodes[node].line.energy.kinetic.to_f64();
    assert!((energy(1) - 1.0).abs() < 1e-10 && energy(2) < energy(3) && energy(3) < 1.0);
}

/// A box that lands flat on smooth ground: its four corners share the impulse in many ways, of which all leave the same.
#[test]
fn compressions_that_leave_the_same_are_one() {
    let text = r#"{"name": "flat", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "box", "mass": 1, "position": [0, 0, "1/2"], "velocity": [0, 0, -1], "shape": {"box": ["1/2", "1/2", "1/2"]}}],
        "motion": {"h": "1/100", "steps": 1, "cone": "pyramid:4", "impact": "poisson", "restitution": "1/2"}}"#;
    let scene = crate::read_moving(text, None).unwrap();
    let tree = MotionTree::of(TreeScene::Moving(&scene), None, &TreeLimits::default()).unwrap();
    assert_eq!(tree.nodes.len(), 2);
    // It parts at e v - h g.
    let v = tree.nodes[1].line.v[2].to_f64();
    assert!((v - 0.4).abs() < 1e-10, "{v}");
}

/// The same box on two floors at one height, of which one gives half of its impulse back and the other nothing: how they share the
/// compression is not decided, and each share is a motion of its own.
#[test]
fn compressions_without_end_that_leave_different_impulses_are_told() {
    let text = r#"{"name": "shared", "gravity": [0, 0, -10],
        "bodies": [
            {"name": "rubber", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "clay", "fixed": true, "shape": {"half_space": [0, 0, 1]}},
            {"name": "ball", "mass": 1, "position": [0, 0, "1/2"], "velocity": [0, 0, -1], "shape": {"sphere": "1/2"}}],
        "motion": {"h": "1/100", "steps": 1, "cone": "pyramid:4", "impact": "poisson", "restitution": "1/2",
            "surfaces": [{"first": "clay", "second": "ball", "restitution": 0}]}}"#;
    let scene = crate::read_moving(text, None).unwrap();
    let limits = TreeLimits::default();
    let error = MotionTree::of(TreeScene::Moving(&scene), None, &limits).unwrap_err();
    let told = "its compression has a set of solutions that leave different impulses to its decompression, so that its motions are no list; take another scene, or Newton's law";
    assert!(error.to_string().contains(told), "{error}");
}
