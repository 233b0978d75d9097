//! An exact solution next to an approximate one that belongs to no regular basis.
//!
//! Solutions with the same zero entries of z and w form a face. Let S be the rows where z is not 0 and E those where w is 0. The face is
//! z_S > 0, M_ES z_S = -q_E, w > 0 off E. Where columns of M_ES depend on others, a point inside the face is the point of no basis: forces
//! of redundant contacts, or of opposite directions of friction. The unknowns of dependent columns are kept as they are, as binary64
//! numbers. The others are solved for exactly, from as many independent rows. They change by rounding, so clear signs stay.
//!
//! Rows and columns are chosen in binary64, which only proposes. Exact signs of all rows decide, those of the rows left out among them.

use std::time::Instant;

use etalon_lcp::{Basis, Matrix, MixedLcp, Number};
use rug::Rational;

use super::elimination::Elimination;
use crate::basis::{Signs, basis_solution};
use crate::budget::Budget;

/// A w below this part of the size of its row counts as 0, and so does a z whose products are below it in each row. Solvers in binary64
/// leave some 2^-50 of the size in rows that are equations. A row in which 2^-44 is more than rounding has lost all but nine bits.
const ZERO: f64 = 1.0 / (1_u64 << 44) as f64;

/// The solution in the face of z, n values; none where the face has no such point, numbers are out of the range of binary64, or
/// the budget runs out.
pub(super) fn face_point(
    lcp: &MixedLcp,
    (basis, z): (&Basis, &[f64]),
    budget: &Budget,
) -> Option<Vec<Number>> {
    let face = Face::of(lcp, basis, z)?;
    let mut system = Elimination::new(lcp, face.equations.clone(), face.columns.clone(), z)?;
    let clock = Instant::now();
    system.eliminate(budget)?;
    let basic = system.basic_unknowns();
    let (system, kept) = face.system(lcp, z, (system.pivot_rows(), &basic))?;
    let bits = (0..system.n()).map(|i| i < basic.len()).collect();
    let solution = basis_solution(&system, &Basis::new(bits), &budget.left_since(clock)).ok()?;
    if solution.signs != Signs::Feasible {
        return None;
    }
    let mut point = vec![Number::from(0); z.len()];
    let solved = Number::over(solution.numerators, solution.denominator)?;
    for (&j, value) in basic.iter().zip(solved) {
        point[j] = value;
    }
    for j in kept {
        point[j] = Number::from_f64(z[j])?;
    }
    Some(point)
}

/// The face of an approximate solution.
struct Face {
    /// Rows where w is 0.
    equations: Vec<usize>,
    /// Rows where w is positive.
    open: Vec<usize>,
    /// The unknowns that are not 0, and those of bilateral rows.
    columns: Vec<usize>,
}

impl Face {
    fn of(lcp: &MixedLcp, basis: &Basis, z: &[f64]) -> Option<Self> {
        let n = lcp.n();
        if z.len() != n || !z.iter().all(|z| z.is_finite()) {
            return None;
        }
        let mut is_column = lcp.bilateral().to_vec();
        let mut is_equation = is_column.clone();
        for (i, is_equation) in is_equation.iter_mut().enumerate() {
            let products = || lcp.m().row(i).map(|(j, value)| (j, value.to_f64() * z[j]));
            let q = lcp.q()[i].to_f64();
            let w = products().fold(q, |sum, (_, own)| sum + own);
            let size = products().fold(q.abs(), |sum, (_, own)| sum + own.abs());
            *is_equation |= w.abs() <= ZERO * size;
            let felt = products().filter(|(_, own)| own.abs() > ZERO * size);
            felt.for_each(|(j, _)| is_column[j] |= basis.z_is_basic(j) && z[j] > 0.0);
        }
        let (equations, open) = (0..n).partition(|&i| is_column[i] || is_equation[i]);
        let columns = (0..n).filter(|&j| is_column[j]).collect();
        Some(Self {
            equations,
            open,
            columns,
        })
    }

    /// The system of the basic unknowns as an LCP whose first rows are their equations. Rows left out follow: those where w is positive, and those
    /// where it is 0, with both signs. The unknowns that are kept as they are count in q; their columns are returned.
    fn system(
        &self,
        lcp: &MixedLcp,
        z: &[f64],
        (rows, basic): (&[usize], &[usize]),
    ) -> Option<(MixedLcp, Vec<usize>)> {
        let mut place = vec![None; lcp.n()];
        for (k, &j) in basic.iter().enumerate() {
            place[j] = Some(k);
        }
        let kept: Vec<usize> = self
            .columns
            .iter()
            .copied()
            .filter(|&j| place[j].is_none())
            .collect();
        let mut value = vec![None; lcp.n()];
        for &j in &kept {
            value[j] = Some(Rational::from_f64(z[j])?);
        }
        let is_taken = {
            let mut is_taken = vec![false; lcp.n()];
            rows.iter().for_each(|&i| is_taken[i] = true);
            is_taken
        };
        let left = self.equations.iter().filter(|&&i| !is_taken[i]);
        let others = left.flat_map(|&i| [(i, false), (i, true)]);
        let open = self.open.iter().map(|&i| (i, false));
        let all: Vec<(usize, bool)> = rows
            .iter()
            .map(|&i| (i, false))
            .chain(open)
            .chain(others)
            .collect();
        let n = all.len();
        let (mut entries, mut q) = (Vec::new(), Vec::new());
        for (own, (i, negated)) in all.into_iter().enumerate() {
            let mut constant = lcp.q()[i].to_rational();
            for (j, entry) in lcp.m().row(i) {
                if let Some(value) = &value[j] {
                    constant += entry.to_rational() * value;
                } else if let Some(k) = place[j] {
                    entries.push((own as u64, k as u64, signed(entry, negated)));
                }
            }
            q.push(signed(&Number::from(constant), negated));
        }
        let bilateral = (0..n)
            .map(|k| basic.get(k).is_some_and(|&j| lcp.bilateral()[j]))
            .collect();
        let m = Matrix::from_entries((n as u64, n as u64), entries).ok()?;
        Some((MixedLcp::new(m, q, bilateral)?, kept))
    }
}

fn signed(number: &Number, negated: bool) -> Number {
    match (negated, number.as_binary64()) {
        (false, _) => number.clone(),
        (true, Some(value)) => Number::from_f64(-value).unwrap_or_else(|| Number::from(0)),
        (true, None) => Number::from(-number.to_rational()),
    }
}
