//! Steps with several solutions: Painleve's rods as h -> 0, and outcomes of the cradle by law.

use etalon_scenarios::find;
use etalon_scenarios::motion::tree::{MotionNode, MotionTree, TreeError, TreeLimits, TreeScene};
use rug::Rational;

use super::{Page, StudyError};
use crate::plot::{self, Axes, Line, PlotFrame};

/// Steps of 1/20 s, and then halves.
const SIZES: [u32; 7] = [20, 40, 80, 160, 320, 640, 1280];

/// The rods turn so fast that an end may lift, or not at all; steps see the curve of the end's way.
const SETTINGS: [(&str, &str, &str); 2] = [
    ("painleve-indeterminate", "predicted", "6"),
    ("painleve-inconsistent", "linear", "0"),
];

/// How many steps the tree of the rod is followed for.
const STEPS: u64 = 5;

pub fn page() -> Result<Page, StudyError> {
    let (indeterminate, curves) = rods("painleve-indeterminate")?;
    let (inconsistent, _) = rods("painleve-inconsistent")?;
    let frame = PlotFrame {
        title: "Painleve's rod: normal impulse of a step",
        x: "h, s",
        y: "impulse, N s",
        axes: Axes::Logarithmic,
    };
    let page = Page::new("Steps with several solutions")
        .text(
            "A step's problem may have several solutions. `etalon scenario run NAME --as motion --all` lists them exactly, with the proof that there are no others, and \
             follows each velocity as a motion of its own. Made by `etalon study indeterminate`.",
        )
        .table("Painlevé's rod with two accelerations, one step", &HEADER, indeterminate)
        .text(
            "The rod leans at (3/5, -4/5), its end slides at 2 m/s, mu = 2 and g = 10 m/s^2 as in [contact forces](../contact-forces.md#dynamic-friction), but it turns at 6 rad/s; steps take their coefficients at \
             q + h v. Laws for accelerations allow two motions here: the end lifts, or a force carries it. Steps of a length h have a third, which is none of accelerations. As h goes to 0 the impulse p of the \
             second goes to 0 as h does, and p/h to a force. The impulse of the third does not get smaller, and p/h grows without end: an impact, which stops the end. \
             The force is not the one of accelerations, (36 4/5 - 10)/(4/5) = 23.5 N. Positions move by h v', so that the curve of the end's way counts half: \
             (18 4/5 - 10)/(4/5) = 5.5 N. With 4 rad/s, where accelerations have both motions, too, only the impact is left for steps.",
        )
        .plot(
            "indeterminate-impulse.svg",
            "Normal impulse of a step against its length",
            plot::svg(&frame, &curves)?,
        )
        .table("Painlevé's rod without an acceleration, one step", &HEADER, inconsistent)
        .text(
            "No force satisfies the laws of friction here. Of the three motions above the impact is left, for every h: so a step always exists, and no limit of forces does.",
        )
        .table(
            "Motions of the first rod over several steps of 1/100 s",
            &["steps", "motions", "least energy, J", "most energy, J"],
            trees()?,
        )
        .text("Each motion is one of solutions: lists are whole, with proof.");
    Ok(page
        .table("Newton's cradle by law: velocities after the impact, m/s", &["balls", "law", "motions", "velocities"], cradles()?)
        .text(
            "Ball 1 runs at 1 m/s into balls that touch each other, all of the same mass, without friction. Under each law the outcome is unique, which the enumeration proves for the laws that are \
             one problem. Laws differ, not solutions: with Newton's law at all contacts at once the first ball comes back, and one impact after another leaves it at rest.",
        ))
}

const HEADER: [&str; 6] = [
    "h, s",
    "motion",
    "p, N s",
    "p/h, N",
    "energy, J",
    "the end of the rod",
];

/// The motions of one step of a rod by step size, and the impulses as curves.
fn rods(scenario: &'static str) -> Result<(Vec<Vec<String>>, Vec<Line>), StudyError> {
    let mut rows = Vec::new();
    let mut curves: Vec<Line> = Vec::new();
    for size in SIZES {
        let h = format!("1/{size}");
        let tree = rod(scenario, &h, 1)?;
        for (number, (_, node)) in tree.ends().enumerate() {
            let normal = node
                .line
                .contacts
                .iter()
                .map(|own| own.normal.to_f64())
                .sum::<f64>();
            let seconds = 1.0 / f64::from(size);
            let name = match &*node.name {
                "" => "the only one",
                name => name,
            };
            rows.push(vec![
                h.clone(),
                name.to_owned(),
                format!("{normal:.4}"),
                format!("{:.2}", normal / seconds),
                format!("{:.4}", energy(node)),
                mode(node).to_owned(),
            ]);
            if curves.len() <= number {
                curves.push(Line {
                    name: format!("motion {name}: {}", mode(node)),
                    points: Vec::new(),
                    marked: true,
                });
            }
            curves[number].points.push((seconds, normal));
        }
    }
    // A logarithmic axis has no place for the impulse 0.
    curves.retain(|curve| curve.points.iter().all(|point| point.1 > 0.0));
    Ok((rows, curves))
}

fn energy(node: &MotionNode) -> f64 {
    node.line.energy.kinetic.to_f64() + node.line.energy.potential.to_f64()
}

/// What the end does: friction below its bound, mu = 2, holds it.
fn mode(node: &MotionNode) -> &'static str {
    let Some(contact) = node.line.contacts.first() else {
        return "lifts";
    };
    let normal = contact.normal.to_f64();
    let friction: f64 = contact.friction.iter().map(|own| own.to_f64()).sum();
    match (normal > 0.0, friction.abs() < 2.0 * normal * (1.0 - 1e-9)) {
        (false, _) => "lifts",
        (true, true) => "sticks",
        (true, false) => "slides on",
    }
}

fn tree(scenario: &str, settings: &[(&str, &str)], steps: u64) -> Result<MotionTree, StudyError> {
    let instance = find(scenario)?.motion_instance(settings.iter().copied())?;
    let tree = MotionTree::of(
        TreeScene::Named(&instance),
        Some(steps),
        &TreeLimits::default(),
    );
    tree.map_err(|error: TreeError| StudyError::Tree(Box::new(error)))
}

/// The tree of a rod.
fn rod(scenario: &str, h: &str, steps: u64) -> Result<MotionTree, StudyError> {
    let own = SETTINGS.iter().find(|(name, ..)| *name == scenario);
    let (_, scheme, turning) = own.copied().unwrap_or(SETTINGS[0]);
    let settings = [("h", h), ("scheme", scheme), ("angular_velocity", turning)];
    tree(scenario, &settings, steps)
}

fn trees() -> Result<Vec<Vec<String>>, StudyError> {
    let row = |steps: u64| {
        let tree = rod("painleve-indeterminate", "1/100", steps)?;
        let energies: Vec<f64> = tree.ends().map(|(_, node)| energy(node)).collect();
        let [least, most] = [f64::min as fn(f64, f64) -> f64, f64::max]
            .map(|of| energies.iter().copied().reduce(of).unwrap_or_default());
        Ok(vec![
            steps.to_string(),
            energies.len().to_string(),
            format!("{least:.4}"),
            format!("{most:.4}"),
        ])
    };
    (1..=STEPS).map(row).collect()
}

/// Outcomes of cradles by law.
fn cradles() -> Result<Vec<Vec<String>>, StudyError> {
    let mut rows = Vec::new();
    for balls in [3_usize, 5] {
        for (law, restitution) in [
            ("Newton, e = 1, all contacts at once", "1"),
            ("Newton, e = 1/2, all contacts at once", "1/2"),
            ("plastic: no restitution", "0"),
        ] {
            let count = balls.to_string();
            let tree = tree(
                "elastic-cradle",
                &[("balls", &count), ("restitution", restitution)],
                1,
            )?;
            let (_, end) = tree.ends().next().ok_or(StudyError::Missing {
                scenario: "elastic-cradle".to_owned(),
                what: "motion",
            })?;
            let velocities: Vec<String> = end.line.v.iter().map(ToString::to_string).collect();
            rows.push(vec![
                count,
                law.to_owned(),
                tree.ends().count().to_string(),
                velocities.join(", "),
            ]);
        }
        for (law, backwards) in [
            (
                "Newton, e = 1, one impact after another, from the left",
                false,
            ),
            ("the same from the right", true),
        ] {
            let velocities: Vec<String> = one_after_another(balls, backwards)
                .iter()
                .map(ToString::to_string)
                .collect();
            rows.push(vec![
                balls.to_string(),
                law.to_owned(),
                "1".to_owned(),
                velocities.join(", "),
            ]);
        }
    }
    Ok(rows)
}

/// Elastic impacts of two balls of equal mass exchange their velocities, until no two approach each other.
fn one_after_another(balls: usize, backwards: bool) -> Vec<Rational> {
    let mut v: Vec<Rational> = (0..balls)
        .map(|ball| Rational::from(u32::from(ball == 0)))
        .collect();
    loop {
        let mut approaching = (1..balls).filter(|&ball| v[ball - 1] > v[ball]);
        let next = if backwards {
            approaching.next_back()
        } else {
            approaching.next()
        };
        match next {
            Some(ball) => v.swap(ball - 1, ball),
            None => return v,
        }
    }
}
