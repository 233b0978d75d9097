//! How far a candidate is outside relative to the largest force, as it is published. It depends on units and decides
//! nothing (`docs/cones.md`, "Candidates outside their cones").

use etalon_lcp::{Cone, Row};
use rug::Rational;

use super::Contacts;
use super::overlay::Overlay;
use crate::bounds::Vector;

impl Contacts<'_> {
    /// The largest distance from z to `moved`, which is within its bounds and cones: of contacts relative to their
    /// largest force, of plain rows to the largest bounded unknown or its bound.
    pub fn negativity(&self, z: &[Rational], moved: &Overlay<'_>) -> Rational {
        if moved.changed().next().is_none() {
            return Rational::new();
        }
        let rows = self.problem.rows();
        let away = |of_cones: bool| {
            let own = moved.changed();
            let own = own.filter(|i| (rows[*i] == Row::Cone) == of_cones);
            own.map(|i| Rational::from(&z[i] - moved.at(i)).abs()).max()
        };
        let force = self.cones.iter().flat_map(Cone::rows);
        let force = force.map(|i| z[i].clone().abs()).max();
        let bounded = (0..z.len()).flat_map(|i| {
            let (lower, upper) = self.bounds.of(i, moved);
            let own = (lower.is_some() || upper.is_some()).then(|| z[i].clone());
            [lower, upper, own].into_iter().flatten()
        });
        let plain = bounded.map(Rational::abs).max();
        let share = |away: Option<Rational>, size: Option<Rational>| match (away, size) {
            (Some(away), Some(size)) if !size.is_zero() => away / size,
            _ => Rational::new(),
        };
        share(away(true), force).max(share(away(false), plain))
    }
}
