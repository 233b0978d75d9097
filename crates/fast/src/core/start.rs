//! Where the rows stand before pivoting.

use super::Core;
use crate::place::{Place, Start, centre, nearest_bound};
use crate::problem::LcpRef;
use crate::small::Small;

impl Core {
    /// Where the rows stand at first.
    pub(super) fn start(&mut self, lcp: LcpRef<'_>, start: Start<'_>) {
        let n = lcp.n();
        self.places.clear();
        self.places.extend((0..n).map(|i| nearest_bound(lcp, i)));
        match start {
            Start::Places(given) | Start::Solution { places: given, .. } if given.len() == n => {
                for (i, place) in given.iter().enumerate() {
                    self.take_place(lcp, i, *place);
                }
            }
            Start::Basis(basis) if basis.n() >= n => {
                for i in 0..n {
                    if basis.z_is_basic(i) {
                        self.take_place(lcp, i, Place::Between);
                    }
                }
            }
            Start::Point(z) if z.len() == n => {
                for (i, &z) in z.iter().enumerate() {
                    let (lower, upper) = lcp.bounds(i);
                    // A point outside of its bounds stands at the nearer one.
                    let place = if z <= lower {
                        Place::Lower
                    } else if z >= upper {
                        Place::Upper
                    } else {
                        Place::Between
                    };
                    self.take_place(lcp, i, place);
                }
            }
            _ => {}
        }
        self.forget_start();
        // Small problems settle from places alone.
        if lcp.is_pure() && !Small::<40>::holds(n) {
            self.known.reserve(n);
            let z = start.z(n).unwrap_or_default();
            self.known.extend(z.iter().map(|z| centre(*z)));
        }
        if !matches!(start, Start::Cold) {
            self.started.extend_from_slice(&self.places);
        }
    }

    /// Whether the known places may be a basis. Those of an interior point are none: with contacts that could all bear, they have more than half
    /// of the rows.
    pub(super) fn starts_at_basis(&self) -> bool {
        let basic = |place: &&Place| **place == Place::Between;
        2 * self.started.iter().filter(basic).count() <= self.started.len()
    }

    /// A cold start from here on.
    pub(super) fn forget_start(&mut self) {
        self.started.clear();
        self.known.clear();
    }

    /// A place, where row i has it.
    fn take_place(&mut self, lcp: LcpRef<'_>, i: usize, place: Place) {
        let (lower, upper) = lcp.bounds(i);
        let friction = lcp.friction.iter().any(|f| f.row == i);
        let has = match place {
            Place::Between => true,
            Place::Lower => friction || lower.is_finite(),
            Place::Upper => friction || upper.is_finite(),
        };
        if has {
            self.places[i] = place;
        }
    }

    /// Back to the start, for the next method.
    pub(super) fn restart(&mut self, lcp: LcpRef<'_>) {
        for i in 0..lcp.n() {
            let cold = nearest_bound(lcp, i);
            self.places[i] = self.started.get(i).copied().unwrap_or(cold);
        }
    }
}
