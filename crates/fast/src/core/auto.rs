//! Which method fits a problem.

use super::{Core, Found};
use crate::failure::Failure;
use crate::meter::{Meter, Until};
use crate::method::FastMethod;
use crate::place::Start;
use crate::problem::LcpRef;
use crate::range::Look;
use crate::sparse::{SparseLcp, solve_sparse_until};
use crate::tolerances::limit;

/// From this size on, a matrix with fewer than one nonzero among [`SPARSE_PART`] entries goes to the
/// sparse method. Below it a dense factor costs less than ordering a sparse one. Measured.
const SPARSE_FROM: usize = 200;
const SPARSE_PART: usize = 60;

/// The same for matrices that are not semidefinite. Walls with friction count from 500 rows on: rows of theirs have some 25 nonzeros, and
/// Lemke's path on the dense matrix takes longer than some sparse factors. Of random bodies a sparse factor is nearly full, and of one nonzero
/// among ten to twenty the path is faster, by a factor of 2 to 6. Measured.
const SPARSE_PART_OF_OTHERS: usize = 20;

impl Core {
    /// The method that fits, then those that might do. Without an answer from a known start, the
    /// same without it.
    pub(super) fn auto(
        &mut self,
        lcp: LcpRef<'_>,
        seen: Look,
        mut meter: Meter,
    ) -> Result<Found, Failure> {
        let semidefinite = seen.symmetric && seen.diagonal.0 && lcp.friction.is_empty();
        // Where M is semidefinite, or nearly a P-matrix, which a positive diagonal is a cheap sign
        // of, one factor exchanges many rows and the exchange mostly settles. Friction rows stand
        // as they are in block pivoting, and twice in the pure problem that Lemke's method needs.
        // All others begin with Lemke's path, which asks nothing of M.
        // Where it does not, Dantzig's method needs some pivots a row of a semidefinite M, and Lemke's may take tens: 65,000 and 3,800 pivots
        // on 2,000 contacts between 1,000 bodies whose masses are a million times apart.
        let order: &[FastMethod] = if semidefinite {
            &[FastMethod::Block, FastMethod::Dantzig, FastMethod::Lemke]
        } else if seen.diagonal.1 || !lcp.friction.is_empty() {
            &[FastMethod::Block, FastMethod::Lemke]
        } else {
            &[FastMethod::Lemke, FastMethod::Block]
        };
        // What Lemke's method would take long for goes to the interior-point method, which gains from fewer zeros.
        let part = match (semidefinite, order[0]) {
            (true, _) => Some(SPARSE_PART),
            (false, FastMethod::Lemke) => Some(SPARSE_PART_OF_OTHERS),
            (false, _) => None,
        };
        if let Some(part) = part
            && is_sparse(lcp, SPARSE_FROM, part)
        {
            if !semidefinite && !self.started.is_empty() {
                if let Some(found) = self.path_from_start(lcp, seen, &mut meter) {
                    return Ok(found);
                }
                if self.known.is_empty() {
                    self.forget_start();
                }
            }
            if let Some(found) = self.sparse(lcp, meter.until)? {
                return Ok(found);
            }
        }
        let mut first = None;
        for &method in order {
            let result = match method {
                FastMethod::Block => self.block(lcp, seen, &mut meter),
                FastMethod::Dantzig => self.dantzig(lcp, seen, &mut meter),
                _ => self.lemke(lcp, seen, true, &mut meter),
            };
            match result {
                Ok(backward_error) => {
                    return Ok(Found {
                        pivots: meter.pivots,
                        backward_error,
                        method,
                    });
                }
                Err(Failure::Time) => return Err(Failure::Time),
                Err(failure) => first = first.or(Some(failure)),
            }
        }
        if !self.started.is_empty() {
            // What was known beforehand led nowhere.
            // Without a start there is no third time.
            self.forget_start();
            return self.auto(lcp, seen, meter);
        }
        Err(first.unwrap_or(Failure::Singular))
    }

    /// What a path of few pivots from the known start finds: it costs less than one sparse factor for each exchange.
    fn path_from_start(&mut self, lcp: LcpRef<'_>, seen: Look, meter: &mut Meter) -> Option<Found> {
        if !self.starts_at_basis() {
            return None;
        }
        let backward_error = self.lemke_from_start(lcp, seen, meter).ok()?;
        Some(Found {
            pivots: meter.pivots,
            backward_error,
            method: FastMethod::Lemke,
        })
    }

    /// The sparse method, where a dense matrix is mostly zeros.
    fn sparse(&mut self, lcp: LcpRef<'_>, until: Until) -> Result<Option<Found>, Failure> {
        let n = lcp.n();
        let nonzero = |(k, value): (usize, &f64)| (*value != 0.0).then_some((k / n, k % n, *value));
        let entries: Vec<_> = lcp.m.iter().enumerate().filter_map(nonzero).collect();
        let Ok(sparse) = SparseLcp::general(&entries, lcp.q) else {
            return Ok(None);
        };
        let start = match (self.known.is_empty(), self.started.is_empty()) {
            (false, _) => Start::Solution {
                places: &self.started,
                z: &self.known,
            },
            (true, false) => Start::Places(&self.started),
            (true, true) => Start::Cold,
        };
        let solution = match solve_sparse_until(&sparse, start, until) {
            Ok(solution) => solution,
            Err(Failure::Time) => return Err(Failure::Time),
            Err(_) => return Ok(None),
        };
        self.point.z.copy_from_slice(&solution.z);
        self.point.w.copy_from_slice(&solution.w);
        self.places.copy_from_slice(&solution.places);
        Ok((solution.backward_error <= limit(n)).then_some(Found {
            pivots: solution.pivots,
            backward_error: solution.backward_error,
            method: FastMethod::Block,
        }))
    }
}

/// Rows looked at to guess how many nonzeros a matrix has.
const SAMPLE: usize = 16;

/// Whether a pure problem has `from` rows or more, and a sample of them no more than one nonzero
/// among `part` entries.
pub(super) fn is_sparse(lcp: LcpRef<'_>, from: usize, part: usize) -> bool {
    let n = lcp.n();
    if n < from.max(SAMPLE) || !lcp.is_pure() {
        return false;
    }
    // Counting all nonzeros costs as much as a product with M. A wrong guess costs time alone: what
    // the sparse method does not solve goes to the dense ones.
    let sample = (0..n).step_by(n / SAMPLE);
    let nonzeros = |i: usize| lcp.row(i).iter().filter(|value| **value != 0.0).count();
    let (rows, found) = sample.fold((0, 0), |(rows, sum), i| (rows + 1, sum + nonzeros(i)));
    found * part < rows * n
}
