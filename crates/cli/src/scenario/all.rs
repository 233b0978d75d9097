//! `etalon scenario run --all`: the tree of all motions.

use std::path::{Path, PathBuf};

use etalon_evidence::picture::FilmStrip;
use etalon_evidence::plot::{self, Axes, Line as Curve, PlotFrame};
use etalon_golden::trajectory::{Contact, Line, to_f64s};
use etalon_scenarios::motion::tree::{Mixture, MotionNode, MotionTree, TreeLimits, TreeScene};
use etalon_scenarios::view::View;
use serde_json::{Value, json};

use super::run::Run;
use super::usage;
use crate::console::{Console, table};
use crate::{Ending, Fatal, Result};

/// Motions that a plot shows: more cannot be told apart.
const CURVES: usize = 12;

impl Run {
    /// Prints all motions of a scene.
    pub(super) fn run_all(
        &self,
        scene: TreeScene<'_>,
        views: impl FnOnce() -> Vec<View>,
        console: &Console,
    ) -> Result<Ending> {
        let limits = TreeLimits {
            motions: self.motions,
            budget: self.budget.budget(),
        };
        let tree = MotionTree::of(scene, self.steps, &limits).map_err(usage)?;
        // All are drawn before one is written.
        let mut drawn = match &self.svg {
            Some(path) => pictures(&tree, views(), path)?,
            None => Vec::new(),
        };
        if let Some(path) = &self.energy_svg {
            drawn.push((path.clone(), energies(&tree)?));
        }
        for (path, picture) in drawn {
            std::fs::write(&path, picture).map_err(Fatal::unwritten(&path))?;
        }
        console.line(match console.json {
            true => record(&tree).to_string(),
            false => told(&tree),
        })?;
        Ok(Ending::Accepted)
    }
}

/// The name of the motion that a step belongs to.
fn name(node: &MotionNode) -> &str {
    match &*node.name {
        "" => "the only one",
        name => name,
    }
}

fn told(tree: &MotionTree) -> String {
    let header = &tree.header;
    let how = [
        header.formulation.as_deref(),
        header.scheme.as_deref(),
        header.cone.as_deref(),
    ];
    let how: Vec<_> = how.into_iter().flatten().collect();
    let steps = tree.nodes.iter().map(|node| node.line.k).max().unwrap_or(0);
    let opening = format!(
        "{}: all motions of {steps} {} of {} s, {}. The problem of each step is enumerated, exactly and with proof.",
        header.scenario,
        plural(steps, "step"),
        header.h,
        how.join(", ")
    );
    let branches = |node: &MotionNode| {
        let parent = node.parent.and_then(|parent| tree.nodes.get(parent));
        parent.is_some_and(|parent| parent.children.len() > 1)
    };
    let shown = tree
        .nodes
        .iter()
        .filter(|node| node.line.k > 0 && (branches(node) || node.children.is_empty()));
    let rows = shown.map(|node| {
        vec![
            name(node).to_owned(),
            node.line.k.to_string(),
            node.line.t.to_string(),
            node.solutions.to_string(),
            impulses(&node.line),
            format!(
                "{:.6}",
                node.line.energy.kinetic.to_f64() + node.line.energy.potential.to_f64()
            ),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let header = [
        "motion",
        "step",
        "t, s",
        "solutions",
        "normal impulses, N s",
        "energy, J",
    ];
    let count = tree.ends().count() as u64;
    let mut parts = vec![opening];
    if !rows.is_empty() {
        parts.push(table(&header, 1..4, rows));
    }
    parts.extend(notes(tree));
    parts.push(match count {
        1 => "One motion: no step has solutions with different velocities.".to_owned(),
        count => format!("{count} motions. Solutions with the same velocity are one motion."),
    });
    parts.join("\n\n")
}

fn plural(count: u64, word: &str) -> String {
    match count {
        1 => word.to_owned(),
        _ => format!("{word}s"),
    }
}

/// What presses, with its normal impulse.
fn impulses(line: &Line) -> String {
    let pressing = line
        .contacts
        .iter()
        .filter(|own| own.normal.to_f64() != 0.0);
    let one = |own: &Contact| format!("{} {:.6}", own.pair, own.normal.to_f64());
    let all: Vec<_> = pressing.map(one).collect();
    match all.is_empty() {
        true => "none".to_owned(),
        false => all.join(", "),
    }
}

/// Mixtures, and where motions end.
fn notes(tree: &MotionTree) -> Vec<String> {
    let mut notes = Vec::new();
    for node in &tree.nodes {
        let k = node.line.k + 1;
        for Mixture { steps, unbounded } in &node.mixtures {
            let names: Vec<_> = steps.iter().map(|&step| name(&tree.nodes[step])).collect();
            let mut note = match steps.len() {
                1 => format!("Step {k}, motion {}: a set of solutions", names[0]),
                _ => format!(
                    "Step {k}: all mixtures of the motions {} are solutions, too",
                    names.join(", ")
                ),
            };
            if *unbounded {
                note += ", whose impulses grow without end";
            }
            notes.push(note + ".");
        }
        if let Some(why) = &node.ended {
            notes.push(format!("Motion {} ends: {why}.", name(node)));
        }
    }
    notes
}

fn record(tree: &MotionTree) -> Value {
    let header = &tree.header;
    let nodes = tree.nodes.iter().map(|node| {
        let mixtures = node.mixtures.iter();
        let mixtures = mixtures.map(|own| json!({"steps": own.steps, "unbounded": own.unbounded}));
        json!({
            "motion": node.name,
            "parent": node.parent,
            "solutions": node.solutions,
            "children": node.children,
            "mixtures": mixtures.collect::<Vec<_>>(),
            "ended": node.ended,
            "line": (node.line.k > 0).then_some(&node.line),
        })
    });
    json!({
        "header": header,
        "motions": tree.ends().count(),
        "nodes": nodes.collect::<Vec<_>>(),
    })
}

/// A picture of each motion: FILE with the name of the motion before its ending.
fn pictures(tree: &MotionTree, views: Vec<View>, path: &Path) -> Result<Vec<(PathBuf, String)>> {
    let scenario = &tree.header.scenario;
    let view = views.into_iter().next();
    let view = view.ok_or_else(|| usage(format!("{scenario} has no view to draw (--svg)")))?;
    let h = tree.header.h.to_f64();
    let start = to_f64s(&tree.header.start.q);
    let mut drawn = Vec::new();
    for (end, node) in tree.ends() {
        let steps = tree.motion(end);
        let count = steps.len() as u64 - 1;
        let title = match &*node.name {
            "" => scenario.clone(),
            name => format!("{scenario}, motion {name}"),
        };
        let mut strip = FilmStrip::new(view.clone(), &title, &start, count);
        for step in steps.iter().skip(1) {
            let force = |own: &Contact| own.normal.to_f64() / h;
            let forces: Vec<f64> = step.line.contacts.iter().map(force).collect();
            strip.add(&to_f64s(&step.line.q), step.line.t.to_f64(), &forces);
        }
        drawn.push((beside(path, &node.name), strip.svg().map_err(usage)?));
    }
    Ok(drawn)
}

/// `rod.svg` and `1.2` make `rod-1.2.svg`; the only motion keeps the name.
fn beside(path: &Path, motion: &str) -> PathBuf {
    if motion.is_empty() {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path
        .extension()
        .map(|own| format!(".{}", own.to_string_lossy()));
    path.with_file_name(format!("{stem}-{motion}{}", ending.unwrap_or_default()))
}

/// The energy of all motions over time.
fn energies(tree: &MotionTree) -> Result<String> {
    let total = |node: &MotionNode| {
        let line = &node.line;
        let energy = line.energy.kinetic.to_f64() + line.energy.potential.to_f64();
        (line.t.to_f64(), energy)
    };
    let ends: Vec<_> = tree.ends().collect();
    if ends.len() > CURVES {
        return Err(usage(format!(
            "a plot shows up to {CURVES} motions, and there are {}; take fewer steps (--steps)",
            ends.len()
        )));
    }
    let curves = ends.iter().map(|(end, node)| Curve {
        name: format!("motion {}", name(node)),
        points: tree.motion(*end).into_iter().map(total).collect(),
        marked: true,
    });
    let frame = PlotFrame {
        title: "Energy of all motions",
        x: "time, s",
        y: "energy, J",
        axes: Axes::Linear,
    };
    plot::svg(&frame, &curves.collect::<Vec<_>>()).map_err(usage)
}
