//! Circular arcs.

use std::f64::consts::{PI, TAU};

use crate::tolerances::{LOOP_CLOSES, NO_DIRECTION, SAME_ANGLE};

use super::Vec2;

/// An arc of a circle in body coordinates; its points lie between the angles `low` and `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arc {
    pub center: Vec2,
    pub radius: f64,
    pub clockwise: bool,
    /// Whether the outside of the circle is outside of the body (a convex edge).
    pub outside_is_out: bool,
    low: f64,
    high: f64,
}

impl Arc {
    /// The arc from one point to another; the whole circle where both are the same.
    pub fn new(from: Vec2, to: Vec2, center: Vec2, clockwise: bool, outside_is_out: bool) -> Self {
        let start = angle(from - center);
        let end = angle(to - center);
        let apart = (start - end).abs();
        let (low, high) = if apart < SAME_ANGLE || (apart - TAU).abs() < SAME_ANGLE {
            let low = start.min(end);
            (low, low + TAU)
        } else {
            let (low, high) = if clockwise {
                (end, start)
            } else {
                (start, end)
            };
            // Both are angles of atan2, from -pi to pi: one turn makes the arc go up from `low`.
            (low, if high < low { high + TAU } else { high })
        };
        let radius = (from - center).norm();
        Self {
            center,
            radius,
            clockwise,
            outside_is_out,
            low,
            high,
        }
    }

    /// Whether the arc is a whole circle but for a gap that loops close over.
    fn is_whole(&self) -> bool {
        (TAU - (self.high - self.low)).abs() * self.radius <= LOOP_CLOSES
    }

    /// +1 for a convex arc, -1 for a concave one.
    pub fn side(&self) -> f64 {
        if self.outside_is_out { 1.0 } else { -1.0 }
    }

    /// The radius of curvature, negative where concave.
    pub fn curvature(&self) -> f64 {
        self.side() * self.radius
    }

    /// Whether a point lies in the arc's range of angles. No slack is needed at its ends: they are vertices, which have
    /// contacts of their own, so that what rounding puts beyond an end is found there.
    pub fn spans(&self, point: Vec2) -> bool {
        if self.is_whole() {
            return true;
        }
        let angle = angle(point - self.center);
        // `low` is an angle of atan2 too, and the arc goes up from it: one turn at most is missing.
        let angle = if angle < self.low { angle + TAU } else { angle };
        self.low <= angle && angle <= self.high
    }

    /// Whether the reflection of a point in the centre lies in the arc's range of angles.
    pub fn spans_reflected(&self, point: Vec2) -> bool {
        self.spans(self.center * 2.0 - point)
    }

    /// The distance of a point from the circle, positive outside of the body.
    pub fn distance(&self, point: Vec2) -> f64 {
        self.side() * ((point - self.center).norm() - self.radius)
    }

    /// The unit normal out of the body at the circle's point nearest to `point`; `None` in the
    /// centre.
    pub fn normal(&self, point: Vec2) -> Option<Vec2> {
        let r = point - self.center;
        let h = r.norm();
        (h >= NO_DIRECTION * self.radius).then(|| r * (self.side() / h))
    }

    /// The circle's point nearest to `point`, with the normal there.
    pub fn nearest(&self, point: Vec2) -> Option<(Vec2, Vec2)> {
        let normal = self.normal(point)?;
        Some((self.center + normal * self.curvature(), normal))
    }

    /// The point itself where the arc spans it, else the nearer end of the arc.
    pub fn clamp(&self, point: Vec2) -> Vec2 {
        if self.spans(point) {
            return point;
        }
        let (start, end) = (self.at(self.low), self.at(self.high));
        if (point - start).norm_squared() < (point - end).norm_squared() {
            start
        } else {
            end
        }
    }

    fn at(&self, angle: f64) -> Vec2 {
        self.center + Vec2::new(angle.cos(), angle.sin()) * self.radius
    }

    /// The greatest distance between the arc and its chord, m. What lies deeper has not come in through this arc.
    pub fn depth(&self) -> f64 {
        let angle = self.high - self.low;
        // The middle of an arc that starts at the angle 0, less the middle of its chord.
        let dy = (angle / 2.0).sin() - angle.sin() / 2.0;
        let dx = (angle / 2.0).cos() - (1.0 + angle.cos()) / 2.0;
        self.radius * dx.hypot(dy)
    }

    /// The number of parts of the arc, each at most `spacing` long and at most an eighth of a turn.
    pub fn steps(&self, spacing: f64) -> f64 {
        let angle = self.high - self.low;
        let eighths = (angle / (PI / 4.0)).ceil();
        eighths.max((angle * self.radius / spacing).ceil())
    }

    /// The points between the parts that [`Arc::steps`] counts, in the arc's direction, without its ends.
    pub fn points_between(&self, spacing: f64) -> Vec<Vec2> {
        let n = self.steps(spacing);
        let delta = (self.high - self.low) / n;
        let steps = (1..n as usize).map(|i| i as f64 * delta);
        steps
            .map(|step| {
                self.at(if self.clockwise {
                    self.high - step
                } else {
                    self.low + step
                })
            })
            .collect()
    }

    /// The points where a segment crosses the arc.
    pub fn crossings(&self, a: Vec2, b: Vec2) -> impl Iterator<Item = Vec2> + '_ {
        // |a + t d - center| = radius.
        let d = b - a;
        let r = a - self.center;
        let (dd, rd) = (d.norm_squared(), r.dot(&d));
        let root = rd * rd - dd * (r.norm_squared() - self.radius * self.radius);
        // A way of no length crosses nothing, and one that misses the circle has no root.
        let real = dd > 0.0 && root >= 0.0;
        let root = root.max(0.0).sqrt();
        let times = [(-rd - root) / dd, (-rd + root) / dd];
        let times = times
            .into_iter()
            // Both ends of a way belong to it: a point that is on the circle between two tries crosses it
            // in one of them at least.
            .filter(move |t| real && (0.0..=1.0).contains(t));
        times
            .map(move |t| a + d * t)
            .filter(|point| self.spans(*point))
    }

    /// The points of the arc that are farthest along an axis: those that a bounding box depends on.
    pub fn extremes(&self) -> impl Iterator<Item = Vec2> + '_ {
        let sides = [Vec2::x(), Vec2::y(), -Vec2::x(), -Vec2::y()];
        let sides = sides
            .into_iter()
            .map(|side| self.center + side * self.radius);
        sides.filter(|point| self.spans(*point))
    }
}

fn angle(r: Vec2) -> f64 {
    r.y.atan2(r.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarter(clockwise: bool) -> Arc {
        let (from, to) = (Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0));
        Arc::new(from, to, Vec2::zeros(), clockwise, true)
    }

    #[test]
    fn an_arc_spans_what_lies_on_its_way() {
        let short = quarter(false);
        let long = quarter(true);
        for (x, y, in_short) in [(1.0, 1.0, true), (-1.0, 1.0, false), (0.5, -1.0, false)] {
            let point = Vec2::new(x, y);
            assert_eq!(short.spans(point), in_short);
            assert_eq!(long.spans(point), !in_short);
            assert_eq!(short.spans_reflected(-point), in_short);
        }
    }

    #[test]
    fn a_segment_crosses_a_circle_twice_and_a_quarter_once() {
        let (a, b) = (Vec2::new(-2.0, 0.5), Vec2::new(2.0, 0.5));
        let whole = Arc::new(Vec2::x(), Vec2::x(), Vec2::zeros(), false, true);
        assert_eq!(whole.crossings(a, b).count(), 2);
        let once: Vec<_> = quarter(false).crossings(a, b).collect();
        assert_eq!(once.len(), 1);
        assert!((once[0].norm() - 1.0).abs() < 1e-15 && once[0].x > 0.0);
        assert_eq!(whole.crossings(a, a).count(), 0);
    }

    #[test]
    fn the_depth_of_a_half_circle_is_its_radius() {
        let half = Arc::new(Vec2::x(), -Vec2::x(), Vec2::zeros(), false, true);
        assert!((half.depth() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn points_between_follow_the_direction() {
        let points = quarter(false).points_between(0.3);
        assert_eq!(points.len(), 5);
        assert!(points[0].x > points[4].x);
        assert!(quarter(true).points_between(10.0).len() == 5);
    }
}
