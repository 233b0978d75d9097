//! Allocations are counted, not timed: what a game loop calls every frame takes no memory.
//!
//! The allocator counts for all threads, so this program has one: a test harness allocates in a thread
//! of its own whenever it likes.

use std::alloc::System;

use etalon_benches::case::{Case, FAMILIES, find};
use etalon_fast::{FastMethod, Start, Workspace};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A dense matrix of at least this many rows, of which three quarters are 0, goes to the sparse
/// method under `fast-auto`, which takes memory, as documented.
const SPARSE_FROM: usize = 64;

fn main() {
    let sizes = [10, 30, 100];
    let cases = sizes.into_iter().flat_map(|n| {
        let families = FAMILIES.iter().filter(move |family| n <= family.largest);
        families.filter_map(move |family| Case::new(family, n, 0))
    });
    // Mostly zeros: cold, it goes to the sparse method; near a known solution to the dense one.
    let friction = find("friction-eight").and_then(|family| Case::new(family, 1000, 0));
    assert!(check(&friction.unwrap(), FastMethod::Auto));
    let mut checked = 0;
    for case in cases {
        for method in FastMethod::ALL {
            let sparse = case.problem.m().is_sparse() && case.data.n() >= SPARSE_FROM;
            if !(sparse && method == FastMethod::Auto) {
                checked += u32::from(check(&case, method));
            }
        }
    }
    // Dantzig and block pivoting do not take every family; Lemke and auto do.
    assert!(checked > 60, "{checked}");
    println!("a warm solution takes no memory: {checked} cases");
}

/// Frames of two problems in turn: `false` where the method does not solve them.
fn check(case: &Case, method: FastMethod) -> bool {
    let frames = [case.data.dense().unwrap(), case.changed.dense().unwrap()];
    let mut workspace = Workspace::new();
    let (mut places, mut z) = match workspace.solve(frames[0].view(), method, Start::Cold) {
        Ok(solution) => (solution.places.to_vec(), solution.z.to_vec()),
        Err(_) => return false,
    };
    // One round of both frames finds the largest sizes that are needed, the second must do with
    // them.
    for (round, frame) in [1, 0, 1, 0].into_iter().enumerate() {
        let start = Start::Solution {
            places: &places,
            z: &z,
        };
        let region = Region::new(ALLOCATOR);
        let solution = workspace.solve(frames[frame].view(), method, start);
        let change = region.change();
        let Ok(solution) = solution else {
            return false;
        };
        places.copy_from_slice(solution.places);
        z.copy_from_slice(solution.z);
        let taken = change.allocations + change.reallocations;
        let name = case.problem.name();
        assert!(round < 2 || taken == 0, "{name} {method}: {change:?}");
    }
    true
}
