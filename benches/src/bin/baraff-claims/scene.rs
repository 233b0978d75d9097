//! Frictionless scenes.

use std::error::Error;

use etalon_benches::case::{Case, Data, find};
use etalon_lcp::Problem;

/// The contacts of a scene, and of the next frame of it.
pub struct Scene {
    /// Its description.
    pub label: &'static str,
    /// The record.
    pub problem: Problem,
    /// The same in binary64.
    pub data: Data,
    /// A frame later: all data moved by up to 1%.
    pub next: Data,
}

const SIZES: [usize; 5] = [10, 30, 100, 300, 1000];

/// Generated families: what they show.
const GENERATED: [(&str, &str); 4] = [
    ("stack", "towers of boxes"),
    ("wall", "wall of boxes"),
    ("psd", "random redundant contacts"),
    ("pd", "random independent contacts"),
];

/// All scenes up to n = `largest`.
pub fn scenes(largest: usize) -> Result<Vec<Scene>, Box<dyn Error>> {
    let mut scenes = Vec::new();
    let sizes = || SIZES.into_iter().filter(|n| *n <= largest);
    for (name, label) in GENERATED {
        let family = find(name).ok_or("a family that is gone")?;
        let cases = sizes().filter_map(|n| Case::new(family, n, 0));
        scenes.extend(cases.map(|case| Scene {
            label,
            problem: case.problem,
            data: case.data,
            next: case.changed,
        }));
    }
    // The scenarios' own limits end at about n = 300.
    for n in sizes().filter(|n| *n <= 300) {
        scenes.push(scenario("pyramid", "pyramid of balls", "rows", rows(n))?);
        scenes.push(scenario(
            "beam",
            "beam on supports in a line",
            "supports",
            n,
        )?);
    }
    scenes.sort_by_key(|scene| (scene.label, scene.data.n()));
    Ok(scenes)
}

/// A pyramid of r rows between walls has r + 2 contacts below and beside, r (r - 1) between balls.
fn rows(n: usize) -> usize {
    (2..17).find(|rows| rows * rows + 2 >= n).unwrap_or(17)
}

fn scenario(
    name: &str,
    label: &'static str,
    parameter: &str,
    value: usize,
) -> Result<Scene, Box<dyn Error>> {
    let value = value.to_string();
    let instance = etalon_scenarios::find(name)?.instance([(parameter, value.as_str())])?;
    let problem = instance.problem()?;
    let data = Data::new(&problem);
    Ok(Scene {
        label,
        next: data.nearby(data.n()),
        data,
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_have_about_the_sizes_asked_for() {
        for scene in scenes(100).unwrap() {
            let n = scene.data.n();
            let near = SIZES
                .iter()
                .any(|&size| n >= size && n < size + size / 2 + 8);
            assert!(near, "{} has n = {n}", scene.label);
        }
    }
}
