//! A game loop calls these solvers every frame: once sized, a workspace takes no more memory.
#![allow(clippy::unwrap_used, clippy::panic)]

mod families;

use std::alloc::System;

use etalon_fast::{FastMethod, Lcp, Start, Workspace};
use families::Random;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    a_sized_workspace_takes_no_memory();
    println!("a sized workspace takes no memory");
}

fn a_sized_workspace_takes_no_memory() {
    for (name, family) in families::ALL {
        if ["boxed", "bilateral", "wall", "badly-scaled", "wild"].contains(&name) {
            continue;
        }
        for n in [1, 10, 30, 90, 150] {
            let mut random = Random::new(n as u64);
            let case = family(&mut random, n);
            let lcp = Lcp::new(&case.m, &case.q).unwrap();
            let mut workspace = Workspace::new();
            for method in FastMethod::ALL {
                let first = workspace.solve(lcp.view(), method, Start::Cold).is_ok();
                let region = Region::new(ALLOCATOR);
                let second = workspace.solve(lcp.view(), method, Start::Cold).is_ok();
                let change = region.change();
                assert_eq!(first, second);
                let taken = change.allocations + change.reallocations;
                assert_eq!(taken, 0, "{name} {n} {method}: {change:?}");
            }
            let proves = |workspace: &mut Workspace| {
                let solution = workspace.solve_proving(lcp.view(), FastMethod::Auto, Start::Cold);
                solution.is_ok_and(|solution| solution.proved)
            };
            let first = proves(&mut workspace);
            let region = Region::new(ALLOCATOR);
            assert_eq!(proves(&mut workspace), first);
            let change = region.change();
            let taken = change.allocations + change.reallocations;
            assert_eq!(taken, 0, "{name} {n} proving: {change:?}");
        }
    }
}
