//! A slice of the atlas: both engines on the smallest grids and on a stride of the others.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

use etalon_benches::atlas::grid::Grid;
use etalon_benches::atlas::survey::{Ask, Survey};

fn whole(n: usize, bound: i64) -> Survey {
    let grid = Grid { n, bound };
    Survey::block(grid, 0..grid.matrices(), Ask::All)
}

#[test]
fn the_engines_agree_on_the_smallest_grids() {
    for (n, bound) in [(1, 4), (2, 1)] {
        let survey = whole(n, bound);
        assert_eq!(survey.differ, [""; 0]);
        let grid = Grid { n, bound };
        assert_eq!(survey.asked, grid.problems());
        println!("{}", survey.tally.text());
    }
}

#[test]
fn the_engines_agree_on_a_stride_of_the_others() {
    for (n, bound, by, stride) in [(2, 4, 61, 7), (3, 1, 151, 5), (3, 2, 16_001, 11)] {
        let grid = Grid { n, bound };
        let mut survey = Survey::default();
        for index in (0..grid.matrices()).step_by(by) {
            survey.matrix(grid, index, stride, Ask::All);
        }
        assert_eq!(survey.differ, [""; 0], "{grid}");
        println!("{grid}: {}", survey.asked);
    }
}
