//! Times of elimination and of the methods on one scene.

use std::hint::black_box;
use std::time::Duration;

use etalon_benches::case::Data;
use etalon_benches::elimination::{
    faer_solve, nalgebra_solve, textbook_solve, to_faer, to_faer_column,
};
use etalon_benches::timing::{Contender, race};
use etalon_fast::{FastMethod, Lcp, Place, Start, Workspace};
use nalgebra::DVector;

use crate::count::{Drive, count};
use crate::scene::Scene;

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Elimination as in textbooks.
    Textbook,
    /// LU of nalgebra, LU of faer.
    Lu,
    /// A method from nothing.
    Cold(FastMethod),
    /// The next frame, from the places of this one.
    Warm(FastMethod),
}

/// All about one scene.
pub struct Measured {
    /// Its description.
    pub label: &'static str,
    /// Contacts.
    pub n: usize,
    /// Contacts with a force.
    pub pushing: usize,
    /// The exact drive.
    pub drive: Option<Drive>,
    /// Pivots of the method in binary64, cold and a frame later.
    pub pivots: [Option<u64>; 2],
    times: Vec<(What, f64)>,
}

impl Measured {
    /// Seconds, the least of what has that name.
    pub fn seconds(&self, what: What) -> Option<f64> {
        let same = self.times.iter().filter(|(known, _)| *known == what);
        same.map(|(_, seconds)| *seconds).min_by(f64::total_cmp)
    }
}

/// The methods shown, Baraff's first.
pub const METHODS: [FastMethod; 3] = [FastMethod::Dantzig, FastMethod::Lemke, FastMethod::Auto];

/// Measures a scene; `None` where nothing solves it.
pub fn measure(scene: &Scene, budget: Duration) -> Option<Measured> {
    let (lcp, next) = (scene.data.dense()?, scene.next.dense()?);
    let mut contenders = elimination(&scene.data);
    let mut pivots = [None; 2];
    for method in METHODS {
        let Some((places, cold, warm)) = frames(&lcp, &next, method) else {
            continue;
        };
        if method == FastMethod::Dantzig {
            pivots = [Some(cold), warm];
        }
        contenders.push(solving(What::Cold(method), &lcp, method, None));
        if warm.is_some() {
            contenders.push(solving(What::Warm(method), &next, method, Some(places)));
        }
    }
    let mut workspace = Workspace::new();
    let solution = workspace
        .solve(lcp.view(), FastMethod::Auto, Start::Cold)
        .ok()?;
    Some(Measured {
        label: scene.label,
        n: scene.data.n(),
        pushing: solution.z.iter().filter(|z| **z > 0.0).count(),
        drive: count(&scene.problem),
        pivots,
        times: race(contenders, budget),
    })
}

/// The places of this frame's solution, its pivots, and those of the next frame from there.
fn frames(lcp: &Lcp, next: &Lcp, method: FastMethod) -> Option<(Vec<Place>, u64, Option<u64>)> {
    let mut workspace = Workspace::new();
    let solution = workspace.solve(lcp.view(), method, Start::Cold).ok()?;
    let (places, cold) = (solution.places.to_vec(), solution.pivots);
    let warm = workspace.solve(next.view(), method, Start::Places(&places));
    let warm = warm.ok().map(|solution| solution.pivots);
    Some((places, cold, warm))
}

fn elimination(data: &Data) -> Vec<Contender<'static, What>> {
    let m = data.matrix();
    let rows: Vec<Vec<f64>> = m.row_iter().map(|r| r.iter().copied().collect()).collect();
    // A singular matrix would end elimination early: what is timed is a regular one of that size.
    let shift = 1e-3 * m.diagonal().amax();
    let mut regular = rows;
    regular
        .iter_mut()
        .enumerate()
        .for_each(|(i, row)| row[i] += shift);
    let m = m.map_with_location(|i, j, value| if i == j { value + shift } else { value });
    let (faer_m, faer_q) = (to_faer(&m), to_faer_column(&data.q));
    let (q, vector) = (data.q.clone(), DVector::from_column_slice(&data.q));
    vec![
        Contender::new(What::Textbook, move || {
            black_box(textbook_solve(black_box(&regular), &q));
        }),
        Contender::new(What::Lu, move || {
            black_box(nalgebra_solve(black_box(&m), &vector));
        }),
        Contender::new(What::Lu, move || {
            black_box(faer_solve(black_box(&faer_m), &faer_q));
        }),
    ]
}

fn solving(
    what: What,
    lcp: &Lcp,
    method: FastMethod,
    places: Option<Vec<Place>>,
) -> Contender<'_, What> {
    let mut workspace = Workspace::new();
    Contender::new(what, move || {
        let start = places.as_deref().map_or(Start::Cold, Start::Places);
        // Whether it succeeds was seen before.
        let _ = black_box(workspace.solve(black_box(lcp).view(), method, start));
    })
}
