//! The whole solution set, cell by cell.

use super::linear::{dot, solve};
use super::polyhedron::{HalfSpace, generators, normalised, upright};
use super::problem::Problem;
use malachite::Rational;
use malachite::base::num::basic::traits::Zero;
use std::collections::BTreeSet;

/// What the solution set of a problem looks like.
///
/// The set is the union of the cells (one polyhedron for each choice, row by row, of "at the lower
/// bound with `w_i >= 0`", "at the upper bound with `w_i <= 0`" and "within the bounds with `w_i =
/// 0`").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// There is a solution.
    pub solvable: bool,
    /// There is exactly one `z`.
    pub unique_z: bool,
    /// There is a solution, and all solutions have the same `w`.
    pub unique_w: bool,
    /// The vertices of all cells, sorted and each once. A cell that contains a line has no vertex;
    /// one point of each of its smallest faces stands in.
    pub points: Vec<Vec<Rational>>,
    /// Extreme directions of the unbounded cells, scaled to a first nonzero entry of one or minus
    /// one.
    pub rays: Vec<Vec<Rational>>,
    /// Directions in which some cell goes on for ever both ways (there must be rows without
    /// bounds): a basis for each such cell, scaled to a first nonzero entry of one.
    pub lines: Vec<Vec<Rational>>,
}

/// Where an entry of `z` is, and what that asks of `w`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the lower bound, `w >= 0`.
    Lower,
    /// At the upper bound, `w <= 0`.
    Upper,
    /// Within the closed bounds, `w = 0`.
    Between,
    /// The bounds are equal, any `w`.
    Fixed,
}

fn places(problem: &Problem, i: usize) -> Vec<Place> {
    match (&problem.lower[i], &problem.upper[i]) {
        (Some(low), Some(high)) if low > high => Vec::new(),
        (Some(low), Some(high)) if low == high => vec![Place::Fixed],
        (Some(_), Some(_)) => vec![Place::Lower, Place::Between, Place::Upper],
        (Some(_), None) => vec![Place::Lower, Place::Between],
        (None, Some(_)) => vec![Place::Between, Place::Upper],
        (None, None) => vec![Place::Between],
    }
}

/// Finds the solution set by trying every cell.
///
/// # Panics
/// If the parts of the problem do not fit together in size, which [`Problem::boxed`] would have
/// refused, or there are friction rows, whose cells are not tried here.
#[must_use]
pub fn decide(problem: &Problem) -> Decision {
    let n = problem.size();
    assert!(
        problem.friction.iter().all(Option::is_none),
        "friction rows are evaluated, not decided"
    );
    let mut found = Found::default();
    let choices: Vec<Vec<Place>> = (0..n).map(|i| places(problem, i)).collect();
    let cells: usize = choices.iter().map(Vec::len).product();
    for number in 0..cells {
        let mut rest = number;
        let mut cell = Vec::with_capacity(n);
        for choice in &choices {
            cell.push(choice[rest % choice.len()]);
            rest /= choice.len();
        }
        add_cell(problem, &cell, &mut found);
    }
    let moves = found.rays.iter().chain(&found.lines);
    let w_stays = |direction: &Vec<Rational>| problem.m.iter().all(|row| dot(row, direction) == 0);
    let distinct_w: BTreeSet<Vec<Rational>> = found.points.iter().map(|z| problem.w(z)).collect();
    Decision {
        solvable: !found.points.is_empty(),
        unique_z: found.points.len() == 1 && found.rays.is_empty() && found.lines.is_empty(),
        unique_w: distinct_w.len() == 1 && moves.into_iter().all(w_stays),
        points: found.points.into_iter().collect(),
        rays: found.rays.into_iter().collect(),
        lines: found.lines.into_iter().collect(),
    }
}

/// What the cells so far have yielded.
#[derive(Default)]
struct Found {
    points: BTreeSet<Vec<Rational>>,
    rays: BTreeSet<Vec<Rational>>,
    lines: BTreeSet<Vec<Rational>>,
}

/// `start + sum of t_k steps_k` in all entries of `z`.
struct Family {
    start: Vec<Rational>,
    steps: Vec<Vec<Rational>>,
}

impl Family {
    /// The direction in `z` of a direction in the parameters.
    fn step(&self, t: &[Rational]) -> Vec<Rational> {
        let mut sum = vec![Rational::ZERO; self.start.len()];
        for (factor, step) in t.iter().zip(&self.steps) {
            for (entry, value) in sum.iter_mut().zip(step) {
                *entry += factor * value;
            }
        }
        sum
    }

    /// The point at the parameters `t`.
    fn at(&self, t: &[Rational]) -> Vec<Rational> {
        let moved = self.step(t);
        self.start.iter().zip(&moved).map(|(a, b)| a + b).collect()
    }
}

fn add_cell(problem: &Problem, cell: &[Place], found: &mut Found) {
    let Some(family) = equations(problem, cell) else {
        return;
    };
    let Some(half_spaces) = inequalities(problem, cell, &family) else {
        return;
    };
    let set = generators(family.steps.len(), &half_spaces);
    found
        .points
        .extend(set.vertices.iter().map(|t| family.at(t)));
    found
        .rays
        .extend(set.rays.iter().map(|t| normalised(&family.step(t))));
    found
        .lines
        .extend(set.lines.iter().map(|t| upright(&family.step(t))));
}

/// All `z` with the entries of the cell on their bounds and `w = 0` in the rows between; `None` if
/// there is none.
fn equations(problem: &Problem, cell: &[Place]) -> Option<Family> {
    let n = problem.size();
    let mut start = vec![Rational::ZERO; n];
    let mut between = Vec::new();
    for i in 0..n {
        match cell[i] {
            Place::Between => between.push(i),
            Place::Upper => start[i].clone_from(problem.upper[i].as_ref()?),
            Place::Lower | Place::Fixed => start[i].clone_from(problem.lower[i].as_ref()?),
        }
    }
    let mut left = Vec::with_capacity(between.len());
    let mut right = Vec::with_capacity(between.len());
    for &i in &between {
        let row = &problem.m[i];
        left.push(between.iter().map(|&j| row[j].clone()).collect());
        right.push(-(dot(row, &start) + &problem.q[i]));
    }
    let set = solve(&left, &right, between.len())?;
    for (&i, value) in between.iter().zip(set.point) {
        start[i] = value;
    }
    let spread = |direction: &Vec<Rational>| {
        let mut step = vec![Rational::ZERO; n];
        for (&i, value) in between.iter().zip(direction) {
            step[i].clone_from(value);
        }
        step
    };
    let steps = set.directions.iter().map(spread).collect();
    Some(Family { start, steps })
}

/// The remaining conditions of the cell on the parameters; `None` if one of them is false whatever
/// the parameters.
fn inequalities(problem: &Problem, cell: &[Place], family: &Family) -> Option<Vec<HalfSpace>> {
    let mut half_spaces = Vec::new();
    let mut add = |normal: Vec<Rational>, offset: Rational| {
        if normal.iter().any(|v| *v != 0) {
            half_spaces.push(HalfSpace { normal, offset });
            return Some(());
        }
        (offset >= 0).then_some(())
    };
    for (i, &place) in cell.iter().enumerate() {
        let w_steps = || family.steps.iter().map(|step| dot(&problem.m[i], step));
        let w_start = || dot(&problem.m[i], &family.start) + &problem.q[i];
        match place {
            Place::Fixed => {}
            Place::Lower => add(w_steps().collect(), w_start())?,
            Place::Upper => add(w_steps().map(|v| -v).collect(), -w_start())?,
            Place::Between => {
                let z_steps = || family.steps.iter().map(|step| &step[i]);
                if let Some(low) = &problem.lower[i] {
                    add(z_steps().cloned().collect(), &family.start[i] - low)?;
                }
                if let Some(high) = &problem.upper[i] {
                    add(z_steps().map(|v| -v).collect(), high - &family.start[i])?;
                }
            }
        }
    }
    Some(half_spaces)
}
