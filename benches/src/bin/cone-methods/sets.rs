//! The problems that the methods are compared on.

use std::path::Path;

use etalon_conformance::generate;
use etalon_golden::files::BUILT_IN;
use etalon_lcp::{Law, Problem};

use super::walls::wall;

/// Problems of one origin under one law.
pub struct Set {
    pub name: String,
    pub law: Law,
    pub problems: Vec<Problem>,
}

/// Suites of problems that others logged.
const LOGGED: [&str; 4] = ["contactbench", "fclib", "mujoco", "siconos"];

/// Families of the generator and their rows.
const FAMILIES: [&str; 3] = ["cone", "cone-degenerate", "cone-redundant"];
const ROWS: [usize; 3] = [9, 30, 90];

/// Bricks in width and height.
const WALLS: [(usize, usize); 3] = [(2, 2), (3, 3), (5, 3)];

/// All sets, `count` generated problems for each family and number of rows.
///
/// # Errors
/// Where a golden cannot be read.
pub fn all(count: u64) -> Result<Vec<Set>, Box<dyn std::error::Error>> {
    let mut sets = Vec::new();
    for law in Law::ALL {
        let set = |name: String, problems| Set {
            name,
            law,
            problems,
        };
        sets.push(set("logged by others".to_owned(), logged(law)?));
        for family in FAMILIES {
            let full = match law {
                Law::Coulomb => family.to_owned(),
                Law::Convex => family.replace("cone", "cone-convex"),
            };
            let mut problems = Vec::new();
            for rows in ROWS {
                problems.extend(generate(&full, rows, count, 1)?);
            }
            sets.push(set(format!("generated, `{full}`"), problems));
        }
        let walls = WALLS
            .iter()
            .flat_map(|(width, height)| (1..=2).map(move |seed| wall(*width, *height, seed, law)));
        sets.push(set("brick walls".to_owned(), walls.collect()));
    }
    Ok(sets)
}

fn logged(law: Law) -> Result<Vec<Problem>, Box<dyn std::error::Error>> {
    let mut problems = Vec::new();
    for suite in LOGGED {
        let folder = Path::new(BUILT_IN).join("problems/cone").join(suite);
        for golden in etalon_golden::read(&[folder])? {
            let problem = golden?.problem;
            if problem.cones().iter().all(|cone| cone.law == law) {
                problems.push(problem);
            }
        }
    }
    Ok(problems)
}
