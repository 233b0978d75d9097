//! A solution exists, of whatever modes: M = [A, -H'; H, R] in free rows and the others, A + A' positive
//! definite, R symmetric positive semidefinite, and a point with w strictly inside the dual cones.
//!
//! The convex problems with q + s e_N are monotone and have bounded solutions, u(s) is continuous,
//! and s = g(u(s)) has a solution by Brouwer's theorem (Acary, Cadoux, Lemaréchal, Malick 2011;
//! Klarbring and Pang 1998; `docs/certificates.md`, "A solution exists").

use std::collections::BTreeMap;

use rug::Rational;

use crate::{Refusal, budget::*, classes::*, cone::*, ensure, exact::*, mode::*, rows::*};

/// Entries of a matrix by row and column.
pub(crate) type Entries = BTreeMap<(usize, usize), Rational>;

/// Checks that a solution exists, which a point z of n entries shows.
///
/// # Errors
/// What does not hold, and the row where it does not; the budget.
pub(crate) fn check_exists(
    problem: &impl Problem, z: &[Rational], budget: &Budget,
) -> Result<(), Refusal> {
    ensure(z.len() == problem.n(), "z has not n entries")?;
    let mut held = budget.hold(0, 0)?;
    let (cones, is_plain) = cones_of(problem, &mut held)?;
    let mut is_free = vec![false; z.len()];
    for i in (0..z.len()).filter(|&i| is_plain[i]) {
        let of = |bound: &Bound| bound.constant == 0 && bound.slope == 0;
        match problem.bounds(i) {
            [None, None] => is_free[i] = true,
            [Some(lower), None] if of(&lower) => {
                let why = "w is not inside: it must be positive";
                ensure(velocity(problem, i, z, budget)? > 0, why).map_err(|no| no.at_row(i))?;
            }
            _ => {
                let no = Refusal::new("its bounds are neither absent nor z >= 0");
                return Err(no.at_row(i));
            }
        }
    }
    for cone in &cones {
        check_inside(problem, cone, z, budget).map_err(|no| no.at_row(cone.normal))?;
    }
    check_saddle(problem, &is_free, &mut held)
}

/// w_i at z.
fn velocity(
    problem: &impl Problem, i: usize, z: &[Rational], budget: &Budget,
) -> Result<Rational, Refusal> {
    let mut held = budget.hold(0, 0)?;
    let row = Exact::new(problem.row(i), &mut held)?;
    let (w, factor) = row.at(z, 1, budget)?;
    budget.reduce(2, bits(&w), bits(&factor) + bits(&row.denominator))?;
    Ok(Rational::from((w, factor * row.denominator)))
}

/// Checks that w is inside the dual cone at z: the sum over discs of |mu w|_d is less than w_N.
fn check_inside(
    problem: &impl Problem, cone: &Cone, z: &[Rational], budget: &Budget,
) -> Result<(), Refusal> {
    let (paid, mut squares) = (Paid::of(budget), Vec::new());
    for disc in &cone.discs {
        let mut square = Rational::new();
        for (i, mu) in disc.rows.iter().zip(&disc.mu) {
            let own = paid.product(mu, &velocity(problem, *i, z, budget)?);
            square = paid.sum(&square, &paid.square(&own));
        }
        squares.push(square);
    }
    // What is at most a little less is less.
    let w = velocity(problem, cone.normal, z, budget)?;
    let less = paid.product(&w, &Rational::from(((1_u64 << 60) - 1, 1_u64 << 60)));
    let inside = w > 0 && paid.roots_are_at_most(&squares, &less)?;
    ensure(paid.found(inside)?, "w is not inside its dual cone")
}

/// Checks that M = [A, -H'; H, R], with A + A' positive definite and R symmetric positive semidefinite.
fn check_saddle(
    problem: &impl Problem, is_free: &[bool], held: &mut Held<'_>,
) -> Result<(), Refusal> {
    let (n, budget) = (is_free.len(), held.budget);
    // A, R, and both blocks beside them, H as it would be for each.
    let mut blocks = <[Entries; 4]>::default();
    for i in 0..n {
        for (j, value) in problem.row(i).filter(|(j, _)| *j < n) {
            held.more(4, fraction_bits(&value))?;
            let (block, place, value) = match (is_free[i], is_free[j]) {
                (true, true) => (0, (i, j), value),
                (false, false) => (1, (i, j), value),
                (false, true) => (2, (i, j), value),
                (true, false) => (3, (j, i), -value),
            };
            if value != 0 {
                ensure(blocks[block].insert(place, value).is_none(), "a row names a column twice")?;
            }
        }
    }
    let [a, r, below, above] = &blocks;
    let why = "what stands beside free rows is not opposite to what stands below them";
    let other = below.iter().find(|(place, value)| above.get(place) != Some(value));
    let other = other.or(above.iter().find(|(place, _)| !below.contains_key(place)));
    other.map_or(Ok(()), |((i, _), _)| Err(Refusal::new(why).at_row(*i)))?;
    let of = |free: bool| (0..n).filter(|&i| is_free[i] == free).collect::<Vec<_>>();
    check_definite(a, &of(true), true, budget)?;
    check_definite(r, &of(false), false, budget)
}

/// Checks that x'Bx > 0 for all x != 0 on these rows; or, not strictly, that B is symmetric and
/// x'Bx >= 0: in each set of rows that entries connect.
pub(crate) fn check_definite(
    entries: &Entries, rows: &[usize], strictly: bool, budget: &Budget,
) -> Result<(), Refusal> {
    // The entries, once, and for each set of rows its part of them.
    budget.multiply(entries.len() as u64 * SHORT, 1, 1)?;
    let _held = budget.hold(4 * (entries.len() + rows.len()) as u64, 0)?;
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, j) in entries.keys() {
        next.entry(*i).or_default().push(*j);
        next.entry(*j).or_default().push(*i);
    }
    let mut waiting: std::collections::BTreeSet<_> = rows.iter().copied().collect();
    while let Some(first) = waiting.pop_first() {
        let (mut part, mut stack) = (vec![first], vec![first]);
        while let Some(i) = stack.pop() {
            let met = next.remove(&i).unwrap_or_default();
            let new: Vec<_> = met.into_iter().filter(|j| waiting.remove(j)).collect();
            part.extend(&new);
            stack.extend(new);
        }
        part.sort_unstable();
        let first = part[0];
        check_quadratic(&Part { part, entries }, strictly, budget)
            .map_err(|no| no.at_row(first))?;
    }
    Ok(())
}

/// A matrix on some rows, as a problem of free unknowns.
struct Part<'a> {
    part: Vec<usize>,
    entries: &'a Entries,
}

impl Problem for Part<'_> {
    fn n(&self) -> usize {
        self.part.len()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        let of_row = self.entries.range((self.part[i], 0)..=(self.part[i], usize::MAX));
        of_row.filter_map(|((_, j), value)| Some((self.part.binary_search(j).ok()?, value.clone())))
    }

    fn bounds(&self, _: usize) -> Bounds {
        [None, None]
    }
}
