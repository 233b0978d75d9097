//! The interior-point method on a sparse problem, equilibrated.

use super::{Factor, SparseLcp};
use crate::failure::Failure;
use crate::interior::{Interior, System};
use crate::meter::Until;
use crate::place::Place;

/// Passes of equilibration, as for dense problems ([`crate::scale`]).
const PASSES: u32 = 3;

/// Places and z.
type Near = (Vec<Place>, Vec<f64>);

/// Places and z near a solution; none where the method does not come near to one.
///
/// # Errors
/// [`Failure::Time`].
pub(super) fn propose(
    lcp: &SparseLcp,
    factor: &mut Factor,
    until: Until,
) -> Result<Option<Near>, Failure> {
    let Some((scaled, units)) = equilibrated(lcp) else {
        return Ok(None);
    };
    let Some(mut system) = Shifted::of(&scaled, factor) else {
        return Ok(None);
    };
    let mut interior = Interior::default();
    if !interior.solve(&mut system, until)? {
        return Ok(None);
    }
    let places = interior.places().collect();
    let z = interior.z.iter().zip(&units);
    Ok(Some((places, z.map(|(z, unit)| z * unit).collect())))
}

/// A sparse matrix, to which diagonals are added.
struct Shifted<'a> {
    lcp: &'a SparseLcp,
    /// Of the pattern of M.
    factor: &'a mut Factor,
    /// M and a diagonal.
    values: Vec<f64>,
    /// Where the diagonal stands among the values.
    diagonal: Vec<usize>,
}

impl<'a> Shifted<'a> {
    fn of(lcp: &'a SparseLcp, factor: &'a mut Factor) -> Option<Self> {
        let diagonal = (0..lcp.n())
            .map(|i| lcp.place(i, i))
            .collect::<Option<_>>()?;
        Some(Self {
            lcp,
            factor,
            values: lcp.values.clone(),
            diagonal,
        })
    }
}

impl System for Shifted<'_> {
    fn q(&self) -> &[f64] {
        &self.lcp.q
    }

    fn product(&self, z: &[f64], product: &mut [f64]) {
        for (i, own) in product.iter_mut().enumerate() {
            *own = self.lcp.row(i).map(|(j, value)| value * z[j]).sum();
        }
    }

    fn factor(&mut self, diagonal: &[f64]) -> bool {
        for (own, &at) in diagonal.iter().zip(&self.diagonal) {
            self.values[at] = self.lcp.values[at] + own;
        }
        self.factor.factor(self.lcp, &self.values).is_ok()
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.factor.solve(x);
    }
}

/// The problem with rows and columns times powers of two, and q to a largest entry near 1; and the units of its z. None where an entry leaves
/// the range of binary64.
fn equilibrated(lcp: &SparseLcp) -> Option<(SparseLcp, Vec<f64>)> {
    let (rows, columns) = if lcp.is_symmetric {
        let unit = |i: usize| inverse_power(lcp.diagonal(i).sqrt());
        let units: Vec<f64> = (0..lcp.n()).map(unit).collect();
        (units.clone(), units)
    } else {
        largest_to_one(lcp)
    };
    let mut scaled = lcp.clone();
    for (i, unit) in rows.iter().enumerate() {
        for at in lcp.range(i) {
            scaled.values[at] *= unit * columns[lcp.columns[at] as usize];
        }
        scaled.q[i] *= unit;
    }
    let unit = inverse_power(scaled.q.iter().fold(0.0, |most, q| most.max(q.abs())));
    scaled.q.iter_mut().for_each(|q| *q *= unit);
    let units: Vec<f64> = columns.iter().map(|own| own / unit).collect();
    let all = scaled.values.iter().chain(&scaled.q).chain(&units);
    all.copied().all(f64::is_finite).then_some((scaled, units))
}

/// The units of rows and columns that bring their largest entries near 1, in the manner of Ruiz (2001).
fn largest_to_one(lcp: &SparseLcp) -> (Vec<f64>, Vec<f64>) {
    let n = lcp.n();
    let (mut rows, mut columns) = (vec![1.0; n], vec![1.0; n]);
    for _ in 0..PASSES {
        for (i, own) in rows.iter_mut().enumerate() {
            let sizes = lcp.row(i).map(|(j, value)| (value * columns[j]).abs());
            *own = inverse_power(sizes.fold(0.0, f64::max));
        }
        let mut largest = vec![0.0_f64; n];
        for (i, unit) in rows.iter().enumerate() {
            for (j, value) in lcp.row(i) {
                largest[j] = largest[j].max((value * unit * columns[j]).abs());
            }
        }
        for (own, largest) in columns.iter_mut().zip(largest) {
            *own *= inverse_power(largest);
        }
    }
    (rows, columns)
}

/// The power of two that brings a size into [1, 2); 1 for 0.
fn inverse_power(size: f64) -> f64 {
    if !size.is_normal() {
        return 1.0;
    }
    f64::from_bits(size.to_bits() & (0x7ff << 52)).recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(lcp: &SparseLcp) -> Result<Option<Near>, Failure> {
        propose(lcp, &mut Factor::new(lcp)?, Until::default())
    }

    /// A box that is pushed along the floor with friction 1/2 of its weight 2, and by less beside it, in several units.
    fn boxes(units: &[f64]) -> SparseLcp {
        let mut entries = Vec::new();
        let mut q = Vec::new();
        for (k, push) in [3.0, 0.5].into_iter().enumerate() {
            let rows = [
                (0, 0, 1.0),
                (1, 1, 1.0),
                (1, 2, -1.0),
                (1, 3, 1.0),
                (2, 1, -1.0),
                (2, 2, 1.0),
                (2, 3, 1.0),
                (3, 0, 0.5),
                (3, 1, -1.0),
                (3, 2, -1.0),
            ];
            let unit = |i: usize| units[i % units.len()];
            entries.extend(
                rows.map(|(i, j, value)| (4 * k + i, 4 * k + j, unit(i) * value / unit(j + 1))),
            );
            q.extend(
                [-2.0, push, -push, 0.0]
                    .into_iter()
                    .enumerate()
                    .map(|(i, q)| unit(i) * q),
            );
        }
        SparseLcp::general(&entries, &q).unwrap()
    }

    #[test]
    fn proposed_places_are_those_of_the_solution_in_any_units() {
        for units in [&[1.0][..], &[1024.0, 1.0, 0.125], &[0.01, 10.0, 3.0, 7.0]] {
            let lcp = boxes(units);
            assert!(!lcp.is_symmetric);
            let (places, z) = proposed(&lcp).unwrap().unwrap();
            let between: Vec<_> = places.iter().map(|own| *own == Place::Between).collect();
            // The first box slides with its whole friction; the second sticks, and both of its directions may bear.
            assert_eq!(between[..4], [true, false, true, true], "{units:?}");
            assert!(between[4] && between[6], "{units:?}");
            let unit = |j: usize| units[(j + 1) % units.len()];
            for (j, own) in [(0, 2.0), (2, 1.0), (3, 2.0), (4, 2.0)] {
                let found = z[j] / unit(j % 4);
                assert!((found - own).abs() < 1e-6, "{units:?}: {j} {found}");
            }
        }
    }

    #[test]
    fn what_has_no_solution_has_no_places() {
        let lcp =
            SparseLcp::general(&[(0, 1, -1.0), (1, 0, 1.0), (1, 1, 1.0)], &[-1.0, 1.0]).unwrap();
        assert_eq!(proposed(&lcp), Ok(None));
        let huge = SparseLcp::general(&[(0, 0, 1e300), (0, 1, 1e-300)], &[-1e300, 1e-300]).unwrap();
        // Numbers at the ends of the range of binary64 must not end in a panic, whatever comes of them.
        let _ = proposed(&huge);
    }
}
