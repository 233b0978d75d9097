//! The friction of each contact: its cone, and that it takes all that the cone lets it take.

use etalon_certify::root_above;
use rug::Rational;

use super::finding::figure;
use super::laws::{Exam, size};
use super::step::MotionContact;
use super::{MotionLaw, MotionRow};
use crate::exact::{ROOT_BITS, dot, sparse_dot, sum};

impl Exam<'_> {
    pub(super) fn friction(&mut self) {
        for own in &self.step.contacts {
            if !own.tangents.is_empty() {
                let disc = Disc {
                    word: "friction",
                    unit: "N s",
                    rows: &own.tangents,
                    mu: &own.mu,
                    polygon: &own.polygon,
                    impulses: &own.rubbed,
                };
                self.rubs(own, &disc);
            }
            for turning in &own.turning {
                let disc = Disc {
                    word: match turning.is_rolling {
                        true => "friction against rolling",
                        false => "friction about the normal",
                    },
                    unit: "N m s",
                    rows: &turning.rows,
                    mu: &turning.mu,
                    polygon: &turning.polygon,
                    impulses: &turning.impulses,
                };
                self.rubs(own, &disc);
            }
        }
    }

    fn rubs(&mut self, own: &MotionContact, disc: &Disc<'_>) {
        let Disc { word, unit, .. } = *disc;
        let bound = own.pressed.clone().max(Rational::new()) * disc.mu;
        let rubbed = sum(disc.impulses.iter().map(size));
        let sizes = Rational::from(&rubbed + &bound);
        let known = self.rounding.allows(self.count, &sizes, &Rational::new());
        let over = disc.beyond(&bound);
        if over > known {
            let words = format!("{word} is {} {unit} outside of its cone", figure(&over));
            let at = (MotionLaw::Cone, own.place());
            self.found.report(at, over, (unit, known.clone()), words);
        }
        let after = &self.step.v[1];
        let slip = disc.rows.iter().map(|row| sparse_dot(row, after));
        let slip: Vec<_> = slip.collect();
        let power = dot(disc.impulses, &slip);
        let errors = disc.rows.iter().map(|row| self.slip_error(row, own));
        // Friction times the error of the slip, and the slip times the error of friction.
        let tolerance = sizes * sum(errors) + known * sum(slip.iter().map(size));
        if power > tolerance {
            let words = format!("gained {} J by {word} that drives", figure(&power));
            let at = (MotionLaw::EnergyGain, own.place());
            self.found
                .report(at, power.clone(), ("J", tolerance.clone()), words);
        }
        let lost = power + bound * disc.fastest(&slip);
        if lost > tolerance {
            let words = format!(
                "{word} takes {} J less than its bound allows against the slip",
                figure(&lost)
            );
            self.found.report(
                (MotionLaw::Dissipation, own.place()),
                lost,
                ("J", tolerance),
                words,
            );
        }
    }
}

impl Exam<'_> {
    /// Takes friction that is not recorded out of a residual p: along its row it may be anything within its bound, and takes
    /// what the bound lets it take. `tolerances` are those of p.
    ///
    /// The impulse is the quotient of p and the row's largest entry e, so it is known to the tolerance of p over |e|: p is a
    /// difference of momenta, which grow while the bound stays. What is left of the other rows is known as far.
    pub(super) fn bounded_friction(&mut self, p: &mut [Rational], tolerances: &mut [Rational]) {
        let step = self.step;
        for friction in &step.bounded {
            let row = &friction.row;
            let Some((at, most)) = row.iter().max_by(|a, b| size(&a.1).cmp(&size(&b.1))) else {
                continue;
            };
            let weight = Rational::from(&p[*at] / most);
            let none = Rational::new();
            let sizes = size(&weight) + &step.h;
            let mut known = self.rounding.allows(self.count, &sizes, &none);
            known += Rational::from(&tolerances[*at] / most).abs();
            for (j, entry) in row {
                p[*j] -= Rational::from(entry * &weight);
                if j != at {
                    tolerances[*j] += Rational::from(entry * &known).abs();
                }
            }
            let place = || format!("friction {}", friction.name);
            let over = size(&weight) - &step.h;
            if over > known {
                let times = figure(&(size(&weight) / &step.h));
                let words = format!("momentum asks for {times} times its bound");
                let at = (MotionLaw::Cone, place());
                self.found.report(at, over, ("s", known.clone()), words);
            }
            let slip = sparse_dot(row, &step.v[1]);
            let tolerance = sizes * self.speed_error(row) + known * size(&slip);
            let lost = Rational::from(&weight * &slip) + size(&slip) * &step.h;
            if lost > tolerance {
                let joules = figure(&lost);
                let words = format!(
                    "friction takes {joules} J less than its bound allows against the slip"
                );
                let at = (MotionLaw::Dissipation, place());
                self.found.report(at, lost, ("J", tolerance), words);
            }
        }
    }
}

/// Impulses within a disc, or the polygon in its place, that the normal impulse bounds.
struct Disc<'a> {
    word: &'static str,
    unit: &'static str,
    rows: &'a [MotionRow],
    mu: &'a Rational,
    polygon: &'a [[Rational; 2]],
    impulses: &'a [Rational],
}

impl Disc<'_> {
    /// How far friction is beyond a bound: by the polygon's own measure, or by length (rounded up where it is over, so
    /// that 0 is exact).
    fn beyond(&self, bound: &Rational) -> Rational {
        match self.impulses {
            [x, y] if !self.polygon.is_empty() => gauge(self.polygon, x, y) - bound,
            rubbed => {
                let square = dot(rubbed, rubbed);
                if square <= bound.clone().square() {
                    return Rational::new();
                }
                root_above(&square, ROOT_BITS) - bound
            }
        }
    }

    /// The largest speed against a direction of friction, rounded down for a circle: no loss is made up.
    fn fastest(&self, slip: &[Rational]) -> Rational {
        match slip {
            [x, y] if !self.polygon.is_empty() => {
                let against = |corner: &[Rational; 2]| {
                    -(Rational::from(&corner[0] * x) + Rational::from(&corner[1] * y))
                };
                self.polygon.iter().map(against).max().unwrap_or_default()
            }
            [one] => size(one),
            slip => {
                let square = dot(slip, slip);
                if square.is_zero() {
                    return Rational::new();
                }
                // square / root_above is below the root.
                let above = root_above(&square, ROOT_BITS);
                square / above
            }
        }
    }
}

/// The least sum of weights >= 0 with which corners make a vector: the largest over the edges of the linear function that is
/// 1 at both of an edge's corners. The polygon holds 0 inside.
fn gauge(polygon: &[[Rational; 2]], x: &Rational, y: &Rational) -> Rational {
    // Corners in binary64, or on a grid, lie near an edge of the polygon that they are rounded from: a chord that cuts off no
    // more than 2^-30 counts as one.
    let limit = Rational::from(1) + (Rational::from(1) >> 30u32);
    let mut most = Rational::new();
    for (i, a) in polygon.iter().enumerate() {
        for b in &polygon[i + 1..] {
            let det = Rational::from(&a[0] * &b[1]) - Rational::from(&a[1] * &b[0]);
            if det.is_zero() {
                continue;
            }
            // w.a = w.b = 1.
            let w = [
                Rational::from(&b[1] - &a[1]) / &det,
                Rational::from(&a[0] - &b[0]) / &det,
            ];
            let value =
                |p: &Rational, q: &Rational| Rational::from(&w[0] * p) + Rational::from(&w[1] * q);
            if polygon
                .iter()
                .all(|corner| value(&corner[0], &corner[1]) <= limit)
            {
                most = most.max(value(x, y));
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gauge_of_a_square_is_the_sum_of_sizes() {
        let corner = |x: i32, y: i32| [Rational::from(x), Rational::from(y)];
        let square = [corner(1, 0), corner(0, 1), corner(-1, 0), corner(0, -1)];
        for (x, y, expected) in [(1, 0, 1), (1, 1, 2), (-2, 1, 3), (0, 0, 0), (-3, -4, 7)] {
            assert_eq!(gauge(&square, &x.into(), &y.into()), expected);
        }
    }
}
