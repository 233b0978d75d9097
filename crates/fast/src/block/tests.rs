//! The table of states in the module's documentation is what a run does: no transition that the
//! table has not, and every one that it has is taken.

use std::collections::BTreeSet;

use super::walk::{State, Walk};
use super::{Block, Opening, Rules};
use crate::dense::Kind;
use crate::meter::Meter;
use crate::place::Place;
use crate::point::Point;
use crate::problem::LcpRef;

/// Pairs of a state and the next one, named as in the table.
type Transitions = BTreeSet<(String, String)>;

/// The pairs of the table in `mod.rs`.
fn table() -> Transitions {
    let mut state = String::new();
    let mut pairs = Transitions::new();
    for line in include_str!("mod.rs").lines() {
        let Some(row) = line.strip_prefix("//! | ") else {
            continue;
        };
        let cells: Vec<&str> = row
            .trim_end_matches('|')
            .split('|')
            .map(str::trim)
            .collect();
        let [own, _, _, next] = cells[..] else {
            panic!("four columns in {line:?}");
        };
        if let Some(name) = quoted(own) {
            state = name;
        }
        if let Some(name) = quoted(next) {
            let end = next.split_once(": ").map(|(_, how)| how.replace('`', ""));
            pairs.insert((state.clone(), end.map_or(name, |how| format!("End: {how}"))));
        }
    }
    pairs
}

/// The first text between backquotes.
fn quoted(cell: &str) -> Option<String> {
    cell.split('`').nth(1).map(str::to_owned)
}

/// A state as the table calls it.
fn name(state: &State) -> String {
    let first = |text: String| text.split([' ', '(']).next().unwrap().to_owned();
    match state {
        State::End(Ok(_)) => "End: solved".to_owned(),
        State::End(Err(failure)) => format!("End: {}", first(format!("{failure:?}"))),
        other => first(format!("{other:?}")),
    }
}

/// A pure problem and the memory to solve it.
struct Case {
    m: Vec<f64>,
    q: Vec<f64>,
    block: Block,
    places: Vec<Place>,
    point: Point,
}

impl Case {
    fn new(m: Vec<f64>, q: Vec<f64>, kind: Kind) -> Self {
        let mut block = Block::default();
        block.reserve(q.len(), kind);
        let mut point = Point::default();
        point.reset(LcpRef::new(&m, &q).unwrap());
        let places = vec![Place::Lower; q.len()];
        Self {
            m,
            q,
            block,
            places,
            point,
        }
    }

    /// Runs from the places as they are, and adds the transitions.
    fn run(&mut self, rules: Rules, seen: &mut Transitions) {
        let lcp = LcpRef::new(&self.m, &self.q).unwrap();
        let mut meter = Meter::default();
        let (places, point) = (&mut self.places, &mut self.point);
        let mut walk = Walk::new(&mut self.block, lcp, rules, places, point, &mut meter);
        let mut state = walk.open();
        while !matches!(state, State::End(_)) {
            let from = name(&state);
            state = walk.step(state);
            seen.insert((from, name(&state)));
        }
        self.block.unshift();
    }
}

/// Numbers from -1 to 1, the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// B B' with B of n rows and `rank` columns, and q = B f.
fn contacts(n: usize, rank: usize, draw: &mut Draw) -> (Vec<f64>, Vec<f64>) {
    let b: Vec<f64> = (0..n * rank).map(|_| draw.next()).collect();
    let f: Vec<f64> = (0..rank).map(|_| draw.next()).collect();
    let row = |i: usize| &b[i * rank..(i + 1) * rank];
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let m = (0..n * n).map(|k| dot(row(k / n), row(k % n)));
    (m.collect(), (0..n).map(|i| dot(row(i), &f)).collect())
}

fn rules(opening: Opening) -> Rules {
    Rules {
        opening,
        ..Rules::new(true)
    }
}

/// Semidefinite problems of full and of low rank, from every opening.
fn from_every_opening(seen: &mut Transitions) {
    let openings = [
        Opening::Given,
        Opening::Sweeps,
        Opening::Kept,
        Opening::Near,
        Opening::Hold,
    ];
    let mut draw = Draw(1);
    for n in [6, 40, 160] {
        for rank in [2 * n, n / 2, n / 6 + 1] {
            for _ in 0..3 {
                let (m, q) = contacts(n, rank, &mut draw);
                let mut case = Case::new(m, q, Kind::Symmetric);
                for opening in openings {
                    case.run(rules(opening), seen);
                }
            }
        }
    }
}

/// Problems that block pivoting gives up.
fn into_failures(seen: &mut Transitions) {
    // Indefinite, with E too.
    let mut case = Case::new(vec![0.0, 1.0, 1.0, 0.0], vec![-1.0; 2], Kind::Symmetric);
    case.run(rules(Opening::Given), seen);
    // Semidefinite without a solution: the proximal steps go on for ever.
    let mut case = Case::new(vec![1.0, -1.0, -1.0, 1.0], vec![-1.0; 2], Kind::Symmetric);
    case.run(rules(Opening::Given), seen);
    // Pairs [[1, -c], [-c, 1]] take turns in F for ever. A sweep multiplies z by c^2 = 1e100: the
    // first ones, which end when no place changes, leave 1e250, and the next leave the range.
    let n = 160;
    let entry = |(i, j): (usize, usize)| match i.abs_diff(j) {
        0 => 1.0,
        1 if i / 2 == j / 2 => -1e50,
        _ => 0.0,
    };
    let m = (0..n * n).map(|k| entry((k / n, k % n))).collect();
    let mut case = Case::new(m, vec![-1.0; n], Kind::General);
    let sweeps = Rules {
        kind: Kind::General,
        ..rules(Opening::Sweeps)
    };
    case.run(sweeps, seen);
}

#[test]
fn a_run_takes_the_transitions_of_the_table_and_all_of_them() {
    let mut seen = Transitions::new();
    from_every_opening(&mut seen);
    into_failures(&mut seen);
    let table = table();
    let unknown: Vec<_> = seen.difference(&table).collect();
    assert!(unknown.is_empty(), "not in the table: {unknown:?}");
    let missing: Vec<_> = table.difference(&seen).collect();
    assert!(missing.is_empty(), "never taken: {missing:?}");
}

/// The equations of a set of rows are linear: one step ends at their solution, whatever the centre it begins at.
#[test]
fn a_step_from_any_centre_ends_at_the_solution() {
    let m = [2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0];
    let q = [-4.0, -8.0, -8.0];
    let lcp = LcpRef::new(&m, &q).unwrap();
    let places = vec![Place::Between; 3];
    let rules = Rules::new(true);
    for centre in [[0.0; 3], [1.0, 2.0, 3.0], [5.0, 0.0, 0.0], [-1.0, 7.0, 0.5]] {
        let mut block = Block::default();
        block.reserve(3, Kind::Symmetric);
        block.set = vec![0, 1, 2];
        block.centre = centre.to_vec();
        let mut point = Point::default();
        point.reset(lcp);
        assert!(block.factor(lcp, rules, &places));
        block.start(lcp, rules, &places, &mut point);
        for (z, exact) in point.z.iter().zip([1.0, 2.0, 3.0]) {
            assert!((z - exact).abs() <= 1e-14, "{z} from {centre:?}");
        }
    }
}

/// z = (1, 0) solves the problem, with w_2 = 0. z_2 = 9e-13 means 0. Values near a bound are moved onto it when the backward error
/// has not been halved by the last step, and not before.
#[test]
fn values_are_moved_onto_a_bound_when_the_error_is_no_longer_halved() {
    let mut case = Case::new(vec![2.0, 1.0, 1.0, 2.0], vec![-2.0, -1.0], Kind::Symmetric);
    let lcp = LcpRef::new(&case.m, &case.q).unwrap();
    case.places.fill(Place::Between);
    case.point.z.copy_from_slice(&[1.0, 9e-13]);
    case.point.evaluate(lcp, true);
    let mut meter = Meter::default();
    let (places, point) = (&mut case.places, &mut case.point);
    let mut walk = Walk::new(
        &mut case.block,
        lcp,
        rules(Opening::Given),
        places,
        point,
        &mut meter,
    );
    walk.open();
    let first = walk.step(State::Check);
    assert!(matches!(first, State::Refine), "{first:?}");
    // Nothing is refined here, so the error is what it was.
    let second = walk.step(State::Check);
    assert!(matches!(second, State::End(Ok(_))), "{second:?}");
}
