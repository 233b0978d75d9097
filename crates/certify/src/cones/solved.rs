//! Contacts and rows measured with the free rows of bodies solved (`docs/cones.md`, "Bodies at rest"): where velocities are
//! rounding alone, nothing else is left to measure them by.
//!
//! The free rows E that have their own unknown and hold within the tolerance are subtracted from a row i that does not, so
//! that it sees none of their unknowns: w_i - Y_i w_E with Y_i = M_iE B^-1, B = M_EE. Its size is what changes of all these
//! rows come to, s_i + |Y_i| t_E, with t entry by entry: with sizes by blocks a large entry of Y would meet large numbers of
//! rows that it has nothing to do with.
//!
//! An idle row of a body, which no force enters, holds nothing but velocities. It is held against the size that the masses carry into
//! it from rows that forces enter ([`super::carried`]), and joins E. What it leaves open must not hide a wrong force: so all that sees
//! velocities of its part is measured with E subtracted.

use std::collections::{BTreeMap, BTreeSet};

use etalon_kernel::{At, Cone, obeys};
use etalon_lcp::{Number, Row};
use rug::{Integer, Rational};

use super::blocks::add;
use super::joints::Kinds;
use super::means::Means;
use super::overlay::Overlay;
use super::worst::{Known, Worst};
use super::{Contacts, Found};
use crate::bounds::Vector;
use crate::budget::{Budget, Held, OverBudget, bits, fraction_bits};
use crate::evaluate::{Reader, Worst as PlainWorst};
use crate::integers::{ExactVector, IntegerRow, integers};
use crate::own::own_cone;

/// Free rows that M couples, in ascending order, and the other rows that are to be measured with them.
#[derive(Default)]
struct Part {
    free: Vec<usize>,
    others: Vec<usize>,
}

/// A reading with w and the sizes by which its rows are measured.
struct Point<'x> {
    x: &'x Overlay<'x>,
    w: Vec<Rational>,
    /// By blocks.
    s: Vec<Rational>,
    /// Entry by entry.
    entries: Vec<Rational>,
}

/// What is not right by itself.
struct Wrong {
    rows: Vec<usize>,
    cones: Vec<Cone>,
}

impl Contacts<'_> {
    /// The block error of a reading where all that is not right by itself is measured with the free rows of bodies solved;
    /// none where that is over the tolerance, or where there are no such rows.
    pub fn solved(
        &self,
        z: &[Rational],
        x: &Overlay<'_>,
        (means, budget): (&Means, &Budget),
    ) -> Found<Option<Worst>> {
        let of_bodies = self.of_bodies(budget)?;
        if !of_bodies.contains(&true) {
            return Ok(None);
        }
        let mut held = budget.hold(0, 0)?;
        let mut point = self.point(z, x, means, (budget, &mut held))?;
        let mut worst = Worst::default();
        let mut wrong = self.take_right(&point, &mut worst, budget)?;
        // Sizes of other rows must not acquit a row of a body: all of its forces are in it, if any are. A soft joint's row holds
        // velocities, whose rounding comes from forces that are not in it, so it is measured with the bodies' rows like a rigid
        // joint's.
        let idle: Vec<usize> = wrong.rows.extract_if(.., |i| of_bodies[*i]).collect();
        for &i in &idle {
            if !self.is_idle(i, (&of_bodies, &point.entries), x, budget)? {
                return Ok(None);
            }
        }
        let (free, carried) = self.rows_that_hold(&of_bodies, &point, budget)?;
        self.take_again(&of_bodies, (&free, &carried), &mut wrong);
        for part in self.parts(&free, &wrong) {
            self.subtract(&part, &mut point, budget)?;
        }
        self.share_sizes(&wrong, &free, &mut point);
        for i in idle {
            let Some(size) = carried.get(&i) else {
                return Ok(None);
            };
            point.s[i].clone_from(size);
            wrong.rows.push(i);
        }
        for i in wrong.rows {
            if !self.take_row(i, &point, &mut worst, budget)? {
                return Ok(None);
            }
        }
        for cone in &wrong.cones {
            if !self.take_contact(cone, &point, &mut worst, budget)? {
                return Ok(None);
            }
        }
        Ok(Some(worst))
    }

    /// E, the rows of bodies that hold within the tolerance: entry by entry, or else in carried sizes, which are returned, too.
    fn rows_that_hold(
        &self,
        of_bodies: &[bool],
        point: &Point<'_>,
        budget: &Budget,
    ) -> Found<(Vec<bool>, BTreeMap<usize, Rational>)> {
        let holds =
            |w: &Rational, size: &Rational| w.cmp_abs(&Rational::from(self.tol * size)).is_le();
        let (mut free, mut others) = (of_bodies.to_vec(), Vec::new());
        for i in (0..free.len()).filter(|&i| of_bodies[i]) {
            free[i] = holds(&point.w[i], &point.entries[i]);
            if !free[i] {
                others.push(i);
            }
        }
        if others.is_empty() {
            return Ok((free, BTreeMap::new()));
        }
        let carried = self.carried(of_bodies, &others, &point.entries, budget)?;
        let mut sizes = carried.unwrap_or_default();
        sizes.retain(|i, size| !free[*i] && holds(&point.w[*i], size));
        sizes.keys().for_each(|i| free[*i] = true);
        Ok((free, sizes))
    }

    /// Has contacts and rows measured again that are right by themselves, but see velocities of which a row holds in a carried size
    /// only: what such a row leaves open must not hide a wrong force.
    fn take_again(
        &self,
        of_bodies: &[bool],
        (free, carried): (&[bool], &BTreeMap<usize, Rational>),
        wrong: &mut Wrong,
    ) {
        if carried.is_empty() {
            return;
        }
        let n = free.len();
        let mut sets = self.sets(free);
        let mut is_open = vec![false; n];
        carried.keys().for_each(|&i| is_open[sets.top(i).0] = true);
        let mut sees = |i: usize| {
            let mut entries = self.problem.m().row(i).filter(|(j, _)| free[*j]);
            entries.any(|(j, _)| is_open[sets.top(j).0])
        };
        // Each contact by its normal row.
        let known = wrong.rows.iter().copied();
        let known: BTreeSet<usize> = known
            .chain(wrong.cones.iter().map(|own| own.normal))
            .collect();
        let rows = self.problem.rows();
        for i in (0..n).filter(|&i| rows[i] != Row::Cone && !of_bodies[i]) {
            if !known.contains(&i) && sees(i) {
                wrong.rows.push(i);
            }
        }
        for cone in self.cones.iter().map(own_cone) {
            if !known.contains(&cone.normal) && cone.rows().any(&mut sees) {
                wrong.cones.push(cone);
            }
        }
    }

    /// w and s of all rows at a reading.
    fn point<'x>(
        &self,
        z: &[Rational],
        x: &'x Overlay<'x>,
        means: &Means,
        (budget, held): (&Budget, &mut Held<'_>),
    ) -> Found<Point<'x>> {
        let norms = self.blocks.norms(z, means)?;
        let sizes = self.blocks.sizes(self.problem, &norms, means)?;
        let base = (&norms[..], &sizes[..]);
        let sizes = self.blocks.sizes_beside(self.problem, base, x, means)?;
        let vector = ExactVector::over(x, None);
        let mut point = Point {
            x,
            w: Vec::new(),
            s: Vec::new(),
            entries: Vec::new(),
        };
        for i in 0..z.len() {
            let row = IntegerRow::new(self.problem.m().row(i), &self.problem.q()[i], budget)?;
            let (w, own) = self.sums(&row, i, &vector, budget)?.reduced(budget)?;
            let s = sizes.at(self.blocks.of(i)).clone();
            held.more(
                3,
                fraction_bits(&w) + fraction_bits(&s) + fraction_bits(&own),
            )?;
            point.w.push(w);
            point.entries.push(own);
            point.s.push(s);
        }
        Ok(point)
    }

    /// Takes the rows and contacts that are right by themselves; the others.
    fn take_right(&self, point: &Point<'_>, worst: &mut Worst, budget: &Budget) -> Found<Wrong> {
        let rows = self.problem.rows();
        let mut wrong = Wrong {
            rows: Vec::new(),
            cones: Vec::new(),
        };
        for i in (0..rows.len()).filter(|&i| rows[i] != Row::Cone) {
            if !self.take_row(i, point, worst, budget)? {
                wrong.rows.push(i);
            }
        }
        for cone in self.cones.iter().map(own_cone) {
            if !self.take_contact(&cone, point, worst, budget)? {
                wrong.cones.push(cone);
            }
        }
        Ok(wrong)
    }

    /// Takes a row without a cone, if it is right within the tolerance.
    fn take_row(
        &self,
        i: usize,
        point: &Point<'_>,
        worst: &mut Worst,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let place = Reader::new(self.problem, self.bounds, self.tol, budget);
        let mut own = PlainWorst::default();
        place.take(&mut own, i, (&point.w[i], &point.s[i]), point.x, point.x)?;
        let is_right = own.error <= *self.tol;
        if is_right && own.error > worst.high {
            *worst = Worst::of_plain(own);
        }
        Ok(is_right)
    }

    /// Takes a contact, if it is right within the tolerance.
    fn take_contact(
        &self,
        cone: &Cone,
        point: &Point<'_>,
        worst: &mut Worst,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        let at = |i: usize| At {
            r: point.x.at(i).clone(),
            w: point.w[i].clone(),
            s: point.s[i].clone(),
        };
        let rows: Vec<_> = cone.rows().map(at).collect();
        let is_right = obeys(cone, &rows, self.tol, budget)?;
        if is_right {
            let asked = || Ok(rows.clone());
            worst.take_cone(
                cone,
                (&|_| false, &asked),
                (self.tol, &mut Known::default()),
                budget,
            )?;
        }
        Ok(is_right)
    }

    /// The rows that are measured with free ones: all of the blocks in which something is wrong.
    fn measured_with(&self, wrong: &Wrong, free: &[bool]) -> Vec<bool> {
        let mut blocks = vec![false; free.len()];
        let rows = wrong.rows.iter().copied();
        let rows = rows.chain(wrong.cones.iter().flat_map(Cone::rows));
        rows.for_each(|i| blocks[self.blocks.of(i)] = true);
        (0..free.len())
            .map(|i| blocks[self.blocks.of(i)] && !free[i])
            .collect()
    }

    /// Which of these rows hang together by nonzeros of M among them.
    pub(super) fn sets(&self, rows: &[bool]) -> Kinds {
        let mut sets = Kinds::new(rows.len());
        for i in (0..rows.len()).filter(|&i| rows[i]) {
            for (j, _) in self.problem.m().row(i).filter(|(j, _)| rows[*j]) {
                sets.meet(i, j, 1);
            }
        }
        sets
    }

    /// Free rows that hang together by nonzeros of M, where another row is to be measured with them.
    fn parts(&self, free: &[bool], wrong: &Wrong) -> Vec<Part> {
        let measured = self.measured_with(wrong, free);
        let n = free.len();
        let mut sets = self.sets(free);
        let entries = |i: usize| self.problem.m().row(i).map(|(j, _)| j).filter(|j| free[*j]);
        let mut parts: BTreeMap<usize, Part> = BTreeMap::new();
        for i in (0..n).filter(|&i| measured[i]) {
            for j in entries(i) {
                let part = parts.entry(sets.top(j).0).or_default();
                if part.others.last() != Some(&i) {
                    part.others.push(i);
                }
            }
        }
        for i in (0..n).filter(|&i| free[i]) {
            if let Some(part) = parts.get_mut(&sets.top(i).0) {
                part.free.push(i);
            }
        }
        parts.into_values().collect()
    }

    /// Subtracts the free rows of a part from the others, and adds to their sizes what that takes. A part whose block of M is
    /// singular is left alone.
    fn subtract(
        &self,
        part: &Part,
        point: &mut Point<'_>,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let Part { free, others } = part;
        let (count, width) = (free.len() as u64, (free.len() + others.len()) as u64);
        let _held = budget.hold(2 * count.saturating_mul(width), 0)?;
        // Row a: the column of the unknown a in the free rows, and in the others.
        let columns: BTreeMap<usize, usize> = free.iter().copied().zip(0..).collect();
        let zero = Number::from(0);
        let mut numbers = vec![vec![&zero; free.len() + others.len()]; free.len()];
        for (k, &i) in free.iter().chain(others).enumerate() {
            for (j, value) in self.problem.m().row(i) {
                if let Some(&a) = columns.get(&j) {
                    numbers[a][k] = value;
                }
            }
        }
        let mut rows = Vec::with_capacity(numbers.len());
        for row in numbers {
            rows.push(integers(&row, budget)?.0.values);
        }
        let Some(determinant) = eliminate(&mut rows, budget)? else {
            return Ok(());
        };
        for (k, &i) in others.iter().enumerate() {
            for (row, &j) in rows.iter().zip(free) {
                let above = &row[free.len() + k];
                budget.reduce(1, bits(above), bits(&determinant))?;
                let y = Rational::from((above.clone(), determinant.clone()));
                budget.multiply(1, fraction_bits(&y), fraction_bits(&point.w[j]))?;
                let less = -Rational::from(&y * &point.w[j]);
                add(&mut point.w[i], &less, budget)?;
                budget.multiply(1, fraction_bits(&y), fraction_bits(&point.entries[j]))?;
                let more = y.abs() * &point.entries[j];
                add(&mut point.s[i], &more, budget)?;
            }
        }
        Ok(())
    }

    /// The rows of a block have the largest size of them.
    fn share_sizes(&self, wrong: &Wrong, free: &[bool], point: &mut Point<'_>) {
        let measured = self.measured_with(wrong, free);
        let mut largest: BTreeMap<usize, Rational> = BTreeMap::new();
        for i in (0..free.len()).filter(|&i| measured[i]) {
            let own = largest.entry(self.blocks.of(i)).or_default();
            if point.s[i] > *own {
                own.clone_from(&point.s[i]);
            }
        }
        for i in (0..free.len()).filter(|&i| measured[i]) {
            if let Some(size) = largest.get(&self.blocks.of(i)) {
                point.s[i].clone_from(size);
            }
        }
    }
}

/// Solves for the unknowns of the first columns, as many as there are rows, by elimination without fractions (Bareiss 1968):
/// the other columns become the solutions times the determinant of these, which is returned, up to its sign. None where it is 0.
fn eliminate(rows: &mut [Vec<Integer>], budget: &Budget) -> Result<Option<Integer>, OverBudget> {
    let longest = |rows: &[Vec<Integer>]| rows.iter().flatten().map(bits).max().unwrap_or_default();
    let mut before = Integer::from(1);
    let count = rows.len();
    for p in 0..count {
        let Some(at) = (p..count).find(|&i| !rows[i][p].is_zero()) else {
            return Ok(None);
        };
        rows.swap(p, at);
        let (length, width) = (longest(rows), (rows[p].len() - p) as u64);
        // Two products and an exact quotient of each entry, none longer than two of them.
        budget.multiply(4 * width * count as u64, length, length)?;
        let _held = budget.hold(0, 2 * length.saturating_mul(width * count as u64))?;
        let pivot = rows[p].clone();
        for row in rows
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| *i != p)
            .map(|(_, row)| row)
        {
            let factor = std::mem::take(&mut row[p]);
            for (own, other) in row.iter_mut().zip(&pivot).skip(p + 1) {
                *own *= &pivot[p];
                *own -= Integer::from(&factor * other);
                own.div_exact_mut(&before);
            }
        }
        before.clone_from(&pivot[p]);
    }
    Ok(Some(before))
}
