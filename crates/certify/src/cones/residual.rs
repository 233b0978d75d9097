//! The residual as Siconos and FCLIB compute it, with its roots enclosed. It depends on units and decides
//! nothing (`docs/cones.md`, "The residual").

use etalon_kernel::{At, Cone, Disc, Law};
use rug::Rational;

use super::enclosure::Enclosure;

/// A tangential row with mu > 0 in the variables in which its disc is a circle.
struct Row {
    force: Rational,
    velocity: Rational,
    /// What a difference of forces is multiplied by.
    unit: Rational,
}

/// Whether a contact of so many discs has a residual: not products under the convex law.
pub(super) fn is_defined(is_convex: bool, discs: usize) -> bool {
    !is_convex || discs <= 1
}

/// The square of a contact's share of the residual: |r - P_K(r - u - g e_N)|^2 under Coulomb's law, without
/// g under the convex one (Acary, Brémond, Huber 2018, section 3); of several discs under
/// Coulomb's law by Alart and Curnier's function, disc by disc. Products have none under the convex law.
pub(super) fn residual(cone: &Cone, rows: &[At]) -> Option<Enclosure> {
    let (normal, mut rest) = rows.split_first()?;
    if !is_defined(cone.law == Law::Convex, cone.discs.len()) {
        return None;
    }
    let mut sum = Enclosure::default();
    let mut discs = Vec::new();
    for disc in &cone.discs {
        let (own, others) = rest.split_at(disc.rows.len());
        rest = others;
        for (at, _) in own.iter().zip(&disc.mu).filter(|(_, mu)| **mu == 0) {
            sum = sum.plus(&Enclosure::from(at.r.clone()).square());
        }
        discs.push(circle(disc, own, cone.discs.len() == 1 && disc.is_one));
    }
    match (&discs[..], cone.law) {
        ([_, _, ..], _) => Some(sum.plus(&by_disc(normal, &discs))),
        (discs, law) => {
            let none = (Vec::new(), Rational::new());
            let (rows, slope) = discs.first().unwrap_or(&none);
            Some(sum.plus(&projected(law, normal, rows, slope)))
        }
    }
}

/// The rows of a disc with friction, and the radius of the circle over r_N: mu in plain variables, 1 in the
/// variables r_k / mu_k and mu_k u_k.
fn circle(disc: &Disc, rows: &[At], is_plain: bool) -> (Vec<Row>, Rational) {
    let all = rows.iter().zip(&disc.mu).filter(|(_, mu)| **mu != 0);
    let row = |(at, mu): (&At, &Rational)| {
        let unit = if is_plain {
            Rational::from(1)
        } else {
            mu.clone()
        };
        let (force, velocity) = (Rational::from(&at.r / &unit), Rational::from(&at.w * &unit));
        Row {
            force,
            velocity,
            unit,
        }
    };
    let one = disc.mu.first().filter(|_| is_plain);
    (
        all.map(row).collect(),
        one.cloned().unwrap_or_else(|| Rational::from(1)),
    )
}

fn length(values: impl Iterator<Item = Rational>) -> Enclosure {
    let squares = values.map(|value| Enclosure::from(value.square()));
    squares
        .fold(Enclosure::default(), |sum, square| sum.plus(&square))
        .root()
}

fn squares(values: impl Iterator<Item = Enclosure>) -> Enclosure {
    values.fold(Enclosure::default(), |sum, value| sum.plus(&value.square()))
}

/// Of one disc, or none: K is a circular cone.
fn projected(law: Law, normal: &At, rows: &[Row], slope: &Rational) -> Enclosure {
    let of = |value: &Rational| Enclosure::from(value.clone());
    let slope = of(slope);
    let slip = length(rows.iter().map(|row| row.velocity.clone())).times(&slope);
    let lifted = match law {
        Law::Coulomb => of(&normal.w).plus(&slip),
        Law::Convex => of(&normal.w),
    };
    let height = of(&normal.r).minus(&lifted);
    let sides: Vec<_> = rows
        .iter()
        .map(|row| Rational::from(&row.force - &row.velocity))
        .collect();
    let side = length(sides.iter().cloned());
    // In K where side <= slope height, in the cone that is projected onto 0 where slope side <= -height.
    let inside = side.minus(&slope.times(&height));
    let below = slope.times(&side).plus(&height);
    let mut found: Option<Enclosure> = None;
    let mut join = |other: Enclosure| {
        found = Some(match found.take() {
            None => other,
            Some(own) => own.or(other),
        });
    };
    if inside.low <= 0 {
        let velocities = rows.iter().map(|row| of(&row.velocity));
        join(squares(velocities.chain([lifted])));
    }
    if below.low <= 0 {
        let forces = rows.iter().map(|row| of(&row.force));
        join(squares(forces.chain([of(&normal.r)])));
    }
    if inside.high > 0 && below.high > 0 {
        let norm = Enclosure::from(Rational::from(1)).plus(&slope.square());
        let top = below.over(&norm).unwrap_or_default();
        let radius = slope.times(&top);
        let forces = rows.iter().zip(&sides).map(|(row, own)| {
            // A side of length 0 has no direction, and nothing to project.
            let share = of(own).over(&side).unwrap_or_default();
            of(&row.force).minus(&radius.times(&share))
        });
        join(squares(forces.chain([of(&normal.r).minus(&top)])));
    }
    found.unwrap_or_default()
}

/// Of several discs: r_N - (r_N - u_N)^+, and each r_d less its projection onto the circle of that radius.
fn by_disc(normal: &At, discs: &[(Vec<Row>, Rational)]) -> Enclosure {
    let of = |value: &Rational| Enclosure::from(value.clone());
    let pressed = Rational::from(&normal.r - &normal.w).max(Rational::new());
    let mut sum = Enclosure::from(Rational::from(&normal.r - &pressed)).square();
    for (rows, slope) in discs {
        let radius = Rational::from(slope * &pressed);
        let sides: Vec<_> = rows
            .iter()
            .map(|row| Rational::from(&row.force - &row.velocity))
            .collect();
        let square = sides
            .iter()
            .map(|side| side.clone().square())
            .sum::<Rational>();
        let side = length(sides.iter().cloned());
        for (row, own) in rows.iter().zip(&sides) {
            let left = if square <= radius.clone().square() {
                of(&row.velocity)
            } else {
                let share = of(own).over(&side).unwrap_or_default();
                of(&row.force).minus(&of(&radius).times(&share))
            };
            sum = sum.plus(&left.times(&of(&row.unit)).square());
        }
    }
    sum
}
