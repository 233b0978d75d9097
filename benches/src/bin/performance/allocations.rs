//! Allocations of a solution: a figure that no other program on the machine disturbs.

use etalon_benches::case::{Case, find};
use etalon_benches::table::render;
use etalon_fast::{FastMethod, Start, Workspace};
use stats_alloc::Region;

use crate::ALLOCATOR;

/// Allocations of one method on one family.
#[derive(Debug, Clone)]
pub struct Allocations {
    family: &'static str,
    n: usize,
    method: FastMethod,
    /// In a new workspace, in the same once more, and warm on the problem 1% away, for the second
    /// time.
    counts: [usize; 3],
}

const FAMILIES: [&str; 4] = ["pd", "psd", "wall", "friction-four"];

/// Counts.
pub fn count() -> Vec<Allocations> {
    let cases = FAMILIES
        .into_iter()
        .filter_map(|name| Case::new(find(name)?, 100, 0));
    let counted = cases.flat_map(|case| {
        let counted = FastMethod::ALL
            .into_iter()
            .filter_map(move |method| of(&case, method));
        counted.collect::<Vec<_>>()
    });
    counted.collect()
}

/// `None` where the method does not solve it.
fn of(case: &Case, method: FastMethod) -> Option<Allocations> {
    let (lcp, changed) = (case.data.dense()?, case.changed.dense()?);
    let mut workspace = Workspace::new();
    let first = Region::new(ALLOCATOR);
    workspace.solve(lcp.view(), method, Start::Cold).ok()?;
    let first = taken(&first);
    let second = Region::new(ALLOCATOR);
    let solution = workspace.solve(lcp.view(), method, Start::Cold).ok()?;
    let second = taken(&second);
    let (places, z) = (solution.places.to_vec(), solution.z.to_vec());
    let start = Start::Solution {
        places: &places,
        z: &z,
    };
    workspace.solve(changed.view(), method, start).ok()?;
    let warm = Region::new(ALLOCATOR);
    workspace.solve(changed.view(), method, start).ok()?;
    Some(Allocations {
        family: case.family.label,
        n: case.data.n(),
        method,
        counts: [first, second, taken(&warm)],
    })
}

fn taken(region: &Region<'_, std::alloc::System>) -> usize {
    let change = region.change();
    change.allocations + change.reallocations
}

/// The table.
pub fn table(counted: &[Allocations]) -> String {
    let rows = counted.iter().map(|a| {
        let counts = a.counts.map(|count| count.to_string());
        [
            a.family.to_owned(),
            a.n.to_string(),
            a.method.name().to_owned(),
        ]
        .into_iter()
        .chain(counts)
        .collect()
    });
    let header = [
        "family",
        "n",
        "method",
        "new workspace, cold",
        "the same again, cold",
        "warm",
    ];
    render(&header, 3, rows)
}
