//! Steps among corners: that the solution taken is one of those listed, and steps that only a solution of the whole problem leads on.

use etalon_exact::{Budget, ExactMethod};
use etalon_golden::trajectory::Line;
use etalon_scenarios::motion::Arithmetics;
use etalon_scenarios::space::MovingScene;
use etalon_scenarios::{find, read_moving};
use serde_json::json;

use crate::corner_files::lines;

fn named(name: &str) -> MovingScene {
    let scenario = find(name).unwrap();
    let instance = scenario.motion_instance(std::iter::empty::<(&str, &str)>());
    instance.unwrap().moving().unwrap()
}

/// The first steps in binary64.
fn fast(scene: &MovingScene, steps: usize) -> Vec<Line> {
    let solver = ExactMethod::Lemke.solver(&Budget::default());
    let mut run = scene.run(Arithmetics::Binary64, &*solver, None).unwrap();
    (0..steps).map(|_| run.advance().unwrap()).collect()
}

/// Every normal impulse is between those of the vertices, with no tolerance; above them, where a ray lets it grow. Returns how many lines list
/// several solutions.
fn listed(lines: &[Line]) -> usize {
    let mut several = 0;
    for line in lines {
        let Some(Some(vertices)) = line
            .family
            .as_ref()
            .filter(|own| own.as_ref().is_some_and(|own| !own.is_empty()))
        else {
            continue;
        };
        several += 1;
        let rays: Vec<_> = line
            .pieces
            .iter()
            .flatten()
            .flat_map(|own| &own.rays)
            .collect();
        for (i, contact) in line.contacts.iter().enumerate() {
            let normal = contact.normal.to_f64();
            let of_face = || vertices.iter().map(|own| own[i].to_f64());
            let least = of_face().fold(f64::INFINITY, f64::min);
            let most = of_face().fold(0.0, f64::max);
            let is_open = rays.iter().any(|ray| ray[i].to_f64() > 0.0);
            assert!(
                least <= normal && (is_open || normal <= most),
                "step {}, {}: {normal:e} is not in {least:e} to {most:e}",
                line.k,
                contact.pair
            );
        }
    }
    several
}

#[test]
fn in_binary64_the_solution_of_crossed_bars_is_listed() {
    let bars = named("crossed-bars");
    assert!(listed(&fast(&bars, 31)) > 0);
}

/// Two bricks fall on a step. In step 12 entries leave no way out, and of the whole problem Lemke's method finds a solution in which two faces of a
/// corner push: one with a single face at each corner is taken.
#[test]
fn a_step_goes_on_where_two_faces_of_a_corner_would_push() {
    let brick = json!([[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]);
    let step = json!([[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]]);
    let scene = json!({
        "name": "r",
        "gravity": [0, -10],
        "bodies": [
            {"name": "floor", "fixed": true, "shape": {"half_plane": [0, 1]}},
            {"name": "step", "fixed": true, "position": [0, ".25"], "shape": {"polygon": step}},
            {
                "name": "b0", "mass": 4, "inertia": 0.05, "shape": {"polygon": brick},
                "position": [-0.388_829_762_687_500_86, 1.0], "orientation": [0.866_231_910_337_573, -0.499_642_149_455_906_96],
                "velocity": [0.647_435_693_514_705_4, -2], "angular_velocity": 0.578_797_839_179_612_7,
            },
            {
                "name": "b1", "mass": 2, "inertia": 0.05, "shape": {"polygon": brick},
                "position": [0.686_777_898_315_827, 1.6], "orientation": [0.915_868_963_402_112_1, -0.401_477_324_237_290_7],
                "velocity": [0.954_356_433_985_903_6, -2], "angular_velocity": -2.241_598_953_527_376_4,
            },
        ],
        "motion": {"method": "egan-trinkle", "h": "1/64", "steps": 14, "mu": ".3"},
    });
    let scene = read_moving(&scene.to_string(), None).unwrap();
    assert_eq!(lines(&scene).len(), 14);
    // In binary64 the push of step 9 was beyond all that were listed.
    assert!(listed(&fast(&scene, 14)) > 0);
}
