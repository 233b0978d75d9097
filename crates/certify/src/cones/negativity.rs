//! How far a candidate is outside relative to the largest force, as it is published. It depends on units and decides
//! nothing (`docs/cones.md`, "Candidates outside their cones").

use std::borrow::Cow;

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
            let own = (lower.is_some() || upper.is_some()).then(|| Cow::Borrowed(&z[i]));
            [lower, upper, own].into_iter().flatten()
        });
        let plain = bounded.map(|own| own.into_owned().abs()).max();
        let share = |away: Option<Rational>, size: Option<Rational>| match (away, size) {
            (Some(away), Some(size)) if !size.is_zero() => away / size,
            _ => Rational::new(),
        };
        share(away(true), force).max(share(away(false), plain))
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::record::read_problem;

    use super::*;
    use crate::bounds::Bounds;
    use crate::cones::blocks::Blocks;

    /// A contact of rows 0 to 2, a force, a row between -2 and 5, and a free one.
    const PROBLEM: &str = r#"{"name": "outside", "q": [0, 0, 0, 0, 0, 0],
        "M": [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]],
        "lower": [0, 0, 0, 0, -2, "-inf"],
        "upper": ["inf", "inf", "inf", "inf", 5, "inf"],
        "cones": [{"rows": [0, 1, 2], "mu": "1/2"}]}"#;

    /// How far z is outside, where these entries are moved.
    fn outside(z: [i64; 6], moves: &[(usize, i64)]) -> Rational {
        let problem = read_problem(PROBLEM).unwrap().record;
        let (bounds, blocks) = (Bounds::new(&problem), Blocks::new(&problem));
        let contacts = Contacts {
            problem: &problem,
            bounds: &bounds,
            blocks: &blocks,
            cones: problem.cones(),
            tol: &Rational::new(),
        };
        let z = z.map(Rational::from);
        let mut moved = Overlay::new(&z);
        for (i, value) in moves {
            moved.set(*i, Rational::from(*value));
        }
        contacts.negativity(&z, &moved)
    }

    #[test]
    fn contacts_count_by_their_largest_force_and_plain_rows_by_their_bounds() {
        let none = Rational::new();
        let z = [3, -6, 0, -1, 1, 100];
        assert_eq!(outside(z, &[]), none);
        // By 2 of 6, and by 1 of the bound 5.
        assert_eq!(outside(z, &[(1, -4)]), Rational::from((1, 3)));
        assert_eq!(outside(z, &[(3, 0)]), Rational::from((1, 5)));
        for moves in [[(1, -4), (3, 0)], [(3, 0), (1, -4)]] {
            assert_eq!(outside(z, &moves), Rational::from((1, 3)));
        }
        // The larger of two moves, down or up.
        assert_eq!(
            outside(z, &[(0, 4), (1, -3), (2, 1)]),
            Rational::from((1, 2))
        );
        // An unknown beyond its bound counts with its own size; the free one never does.
        let far = [3, -6, 0, -1, 10, 100];
        assert_eq!(outside(far, &[(4, 5)]), Rational::from((1, 2)));
        let far = [3, -6, 0, -1, -10, 100];
        assert_eq!(outside(far, &[(4, -2)]), Rational::from((4, 5)));
        // One bound is enough.
        let far = [3, -6, 0, -20, 1, 100];
        assert_eq!(outside(far, &[(3, 0)]), Rational::from(1));
        // Nothing is outside relative to forces that are all 0.
        assert_eq!(outside([0, 0, 0, 0, 1, 7], &[(2, 1)]), none);
    }
}
