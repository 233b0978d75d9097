//! Polygons inside and outside of the unit circle, with rational corners.

use rug::Rational;

/// A vector of the plane.
pub(super) type Point = [Rational; 2];

/// Directions of exact length 1, by rising angle: each touches the circle.
#[derive(Clone)]
pub(super) struct Polygon(Vec<(f64, Point)>);

impl Polygon {
    /// Sixteen directions, nearly even.
    pub fn new() -> Self {
        let mut own = Self(Vec::new());
        for k in 0..16 {
            own.add(f64::from(k) * std::f64::consts::FRAC_PI_8);
        }
        own
    }

    /// Adds a direction near an angle; whether it was not there.
    pub fn add(&mut self, angle: f64) -> bool {
        if !angle.is_finite() {
            return false;
        }
        let quarter = std::f64::consts::FRAC_PI_2;
        let turns = (angle / quarter).round();
        // By quarters, so that |t| <= tan(pi/8) and the grid is even.
        let half = ((angle - turns * quarter) / 2.0).tan();
        // (1 - t^2, 2t) / (1 + t^2) has length 1 for every fraction t.
        let t = Rational::from(((half * GRID).round() as i64, GRID as i64));
        let square = Rational::from(t.square_ref());
        let below = Rational::from(&square + 1u32);
        let x = (1u32 - square) / &below;
        let y = Rational::from(&t * 2u32) / &below;
        let point = match (turns as i64).rem_euclid(4) {
            0 => [x, y],
            1 => [-y, x],
            2 => [-x, -y],
            _ => [y, -x],
        };
        let is_there = self.0.iter().any(|(_, own)| *own == point);
        if !is_there {
            let angle = point[1].to_f64().atan2(point[0].to_f64());
            self.0.push((angle, point));
            self.0.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        !is_there
    }

    /// Corners of the polygon within the circle: the directions themselves.
    pub fn inner(&self) -> Vec<Point> {
        self.0.iter().map(|(_, own)| own.clone()).collect()
    }

    /// Corners of the polygon around the circle: where the tangents of neighbours meet.
    pub fn outer(&self) -> Vec<Point> {
        let n = self.0.len();
        let corner = |k: usize| {
            let (a, b) = (&self.0[k].1, &self.0[(k + 1) % n].1);
            // The tangents at two unit vectors a and b meet in (a + b) / (1 + a'b).
            let below = Rational::from(&a[0] * &b[0]) + Rational::from(&a[1] * &b[1]) + 1u32;
            let part = |i: usize| Rational::from(&a[i] + &b[i]) / &below;
            [part(0), part(1)]
        };
        (0..n).map(corner).collect()
    }
}

/// Tangents of half angles are multiples of 1 / GRID.
const GRID: f64 = (1_u64 << 40) as f64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_on_the_circle_or_outside_and_edges_touch_it() {
        let mut polygon = Polygon::new();
        assert!(polygon.add(0.3) && polygon.add(-2.0) && !polygon.add(0.0));
        let square =
            |p: &Point| Rational::from(p[0].square_ref()) + Rational::from(p[1].square_ref());
        assert!(polygon.inner().iter().all(|own| square(own) == 1));
        let outer = polygon.outer();
        assert_eq!(outer.len(), 18);
        assert!(outer.iter().all(|own| square(own) > 1));
        for (k, touching) in polygon.inner().iter().enumerate() {
            for end in [&outer[k], &outer[(k + outer.len() - 1) % outer.len()]] {
                let along =
                    Rational::from(&end[0] * &touching[0]) + Rational::from(&end[1] * &touching[1]);
                assert_eq!(along, 1);
            }
        }
    }
}
