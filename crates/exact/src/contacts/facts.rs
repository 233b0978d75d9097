//! Linear facts about contacts and plain rows in a node of a cover: half-planes that hold a law where it is curved.
//! Each is one that the kernel knows to be true there (`docs/certificates-cones.md`).

use std::f64::consts::PI;

use etalon_lcp::{Cone, Disc, Law, Number, Row};
use rug::Rational;

/// A direction in the plane of a disc, of length 1.
pub(super) type Direction = [Rational; 2];

/// A sum of numbers times w_i and z_i and a constant, which is at least 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Fact {
    pub w: Vec<(usize, Rational)>,
    pub z: Vec<(usize, Rational)>,
    pub constant: Rational,
    /// A row with two bounds, whose U_i - z_i this is: 1 time, or -1.
    pub upper: Option<(usize, i32)>,
}

/// What is known of a contact.
#[derive(Debug, Clone)]
pub(super) enum State {
    Any,
    Open,
    Sticks,
    Slides([Direction; 2]),
}

/// What is known of a plain row besides its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    AtLower,
    AtUpper,
    /// w_i <= 0.
    NotAbove,
    /// w_i >= 0.
    NotBelow,
}

/// So many half-planes are about a disc of two rows.
const SIDES: u32 = 16;

/// Below cos(pi / [`SIDES`]) = 0.9808, less the rounding of directions: a polygon about a disc of this radius is inside
/// of the disc of radius 1.
const INSIDE: (u32, u32) = (49, 50);

/// Below 1 / sqrt(5): a box of these halves of sides, of at most five rows, is inside of the ball of radius 1.
const BOX_INSIDE: (u32, u32) = (2, 5);

/// A unit vector of fractions, nearly at this angle from -pi to pi.
pub(super) fn direction(angle: f64) -> Direction {
    // (1 - t^2, 2 t) / (1 + t^2) with t = tan(angle / 4) is the half of the turn, which is taken twice.
    // Ten bits keep the fractions short. The angle may be a little off, as the length is 1 whatever
    // t is.
    let t = Rational::from((((angle / 4.0).tan() * 1024.0).round() as i64, 1024));
    let square = Rational::from(t.square_ref());
    let below = Rational::from(1 + &square);
    let (c, s) = ((Rational::from(1) - &square) / &below, t * 2u32 / &below);
    let across = Rational::from(&c * &s) * 2u32;
    [c.square() - s.square(), across]
}

/// The sine of the turn from one to the other.
pub(super) fn turn(from: &Direction, to: &Direction) -> Rational {
    Rational::from(&from[0] * &to[1]) - Rational::from(&from[1] * &to[0])
}

fn along(one: &Direction, other: &Direction) -> Rational {
    Rational::from(&one[0] * &other[0]) + Rational::from(&one[1] * &other[1])
}

/// Rows of a disc with mu > 0, and mu.
pub(super) fn tangents(disc: &Disc) -> Vec<(usize, Rational)> {
    let rows = disc.rows.iter().enumerate();
    let rows = rows.map(|(k, row)| (*row, disc.mu.of(k).to_rational()));
    rows.filter(|(_, mu)| !mu.is_zero()).collect()
}

/// A vector of a contact in the variables in which its discs are round and slip opposes friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// r_N and r_k / mu_k.
    Force,
    /// w_N and -mu_k w_k.
    Velocity,
}

impl Side {
    /// a times the normal entry and p times the entries of a disc.
    fn fact(self, normal: usize, rows: &[(usize, Rational)], a: &Rational, p: &[Rational]) -> Fact {
        let entries = rows.iter().zip(p).map(|((k, mu), p)| match self {
            Self::Force => (*k, Rational::from(p / mu)),
            Self::Velocity => (*k, -Rational::from(p * mu)),
        });
        let terms = [(normal, a.clone())].into_iter().chain(entries);
        let terms = terms.filter(|(_, factor)| !factor.is_zero()).collect();
        match self {
            Self::Force => Fact {
                z: terms,
                ..Fact::default()
            },
            Self::Velocity => Fact {
                w: terms,
                ..Fact::default()
            },
        }
    }

    /// x = 0, as two facts each.
    fn is_zero(self, rows: impl Iterator<Item = usize>, facts: &mut Vec<Fact>) {
        for row in rows {
            for sign in [1, -1] {
                facts.push(self.fact(row, &[], &Rational::from(sign), &[]));
            }
        }
    }

    /// The normal entry times a share is at least p't for the normals p of half-planes about each disc.
    fn is_within(self, cone: &Cone, share: [&Rational; 2], facts: &mut Vec<Fact>) {
        let one = Rational::from(1);
        facts.push(self.fact(cone.normal, &[], &one, &[]));
        for disc in &cone.discs {
            let rows = tangents(disc);
            let is_round = rows.len() == 2;
            for p in normals(rows.len()) {
                facts.push(self.fact(cone.normal, &rows, share[usize::from(!is_round)], &p));
            }
        }
    }
}

/// Normals of half-planes about the unit ball: of a polygon, or of a box.
fn normals(rows: usize) -> Vec<Vec<Rational>> {
    if rows == 2 {
        let angle = |k: u32| (f64::from(2 * k) / f64::from(SIDES) - 1.0) * PI;
        return (0..SIDES).map(|k| direction(angle(k)).to_vec()).collect();
    }
    let unit = |(k, sign): (usize, i32)| {
        let mut p = vec![Rational::new(); rows];
        p[k] = Rational::from(sign);
        p
    };
    (0..rows)
        .flat_map(|k| [(k, 1), (k, -1)])
        .map(unit)
        .collect()
}

/// What is known of a contact in a state.
pub(super) fn of_contact(cone: &Cone, state: &State) -> Vec<Fact> {
    let mut facts = Vec::new();
    let one = Rational::from(1);
    let rows: Vec<_> = cone.discs.iter().flat_map(tangents).collect();
    let round = || rows.iter().map(|(k, _)| *k);
    let is_still = |k: &usize| !round().any(|own| own == *k);
    Side::Force.is_zero(cone.rows().skip(1).filter(is_still), &mut facts);
    match state {
        State::Any => {
            Side::Force.is_within(cone, [&one; 2], &mut facts);
            may_open(cone, &mut facts);
        }
        State::Open => {
            Side::Force.is_zero([cone.normal].into_iter().chain(round()), &mut facts);
            may_open(cone, &mut facts);
        }
        State::Sticks => {
            Side::Force.is_within(cone, [&one; 2], &mut facts);
            Side::Velocity.is_zero([cone.normal].into_iter().chain(round()), &mut facts);
        }
        State::Slides(ends) => {
            let is_convex = cone.law == Law::Convex;
            between(Side::Force, (cone.normal, &rows), ends, true, &mut facts);
            between(
                Side::Velocity,
                (cone.normal, &rows),
                ends,
                is_convex,
                &mut facts,
            );
            if !is_convex {
                Side::Velocity.is_zero([cone.normal].into_iter(), &mut facts);
            }
        }
    }
    facts
}

/// What is known of w where r_N may be 0.
fn may_open(cone: &Cone, facts: &mut Vec<Fact>) {
    let one = Rational::from(1);
    match cone.law {
        Law::Coulomb => facts.push(Side::Velocity.fact(cone.normal, &[], &one, &[])),
        Law::Convex => Side::Velocity.is_within(cone, [&one; 2], facts),
    }
}

/// Enough for w to be inside of the dual cone, by a margin: w_N is larger than the sum over the discs of |mu w|.
pub(super) fn inside(cone: &Cone, margin: &Rational) -> Vec<Fact> {
    let discs = cone.discs.len().max(1) as u32;
    // An even share of w_N for each disc, so that the sum over the discs stays below it.
    let share = |(above, below)| Rational::from((above, below * discs));
    let mut facts = Vec::new();
    Side::Velocity.is_within(cone, [&share(INSIDE), &share(BOX_INSIDE)], &mut facts);
    let less = |fact: &mut Fact| fact.constant -= margin;
    facts.iter_mut().for_each(less);
    facts
}

/// A vector between two directions. On an arc its length is the normal entry: then it is beyond the chord, and within
/// tangents.
fn between(
    side: Side,
    (normal, rows): (usize, &[(usize, Rational)]),
    [from, to]: &[Direction; 2],
    is_arc: bool,
    facts: &mut Vec<Fact>,
) {
    let (none, one) = (Rational::new(), Rational::from(1));
    let mut add = |a: &Rational, p: [Rational; 2]| facts.push(side.fact(normal, rows, a, &p));
    add(&none, [-from[1].clone(), from[0].clone()]);
    add(&none, [to[1].clone(), -to[0].clone()]);
    let both = [0, 1].map(|k| Rational::from(&from[k] + &to[k]));
    if !is_arc {
        // Implied between two directions; with both the same, the half-planes leave a whole line.
        return add(&none, both);
    }
    for p in [from.clone(), to.clone(), middle([from, to])] {
        add(&one, p.map(|own| -own));
    }
    // The chord, for a normal entry of 1: (a + b)'x is 1 + a'b at both ends of the arc from a to b, and more
    // between them.
    add(&-(along(from, to) + 1u32), both);
}

/// The direction half-way, nearly.
pub(super) fn middle([from, to]: [&Direction; 2]) -> Direction {
    let both = [0, 1].map(|k| Rational::from(&from[k] + &to[k]).to_f64());
    direction(both[1].atan2(both[0]))
}

/// What is known of a plain row: its bounds, and the sign of w where a bound is missing.
pub(super) fn of_row(i: usize, row: &Row<'_>, known: &[Known]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let [lower, upper] = bounds(i, row);
    let knows = |own: Known| known.contains(&own);
    let (is_below, is_above) = (lower.is_none(), upper.is_none());
    for (bound, is_tight) in [
        (lower, knows(Known::AtLower)),
        (upper, knows(Known::AtUpper)),
    ] {
        let Some(bound) = bound else { continue };
        if is_tight {
            facts.push(opposite(&bound));
        }
        facts.push(bound);
    }
    let signs = [
        (1, is_above || knows(Known::NotBelow)),
        (-1, is_below || knows(Known::NotAbove)),
    ];
    for (sign, _) in signs.into_iter().filter(|(_, holds)| *holds) {
        facts.push(Side::Velocity.fact(i, &[], &Rational::from(sign), &[]));
    }
    facts
}

fn opposite(fact: &Fact) -> Fact {
    let minus = |(i, factor): &(usize, Rational)| (*i, -factor.clone());
    Fact {
        w: fact.w.iter().map(minus).collect(),
        z: fact.z.iter().map(minus).collect(),
        constant: -fact.constant.clone(),
        upper: fact.upper.map(|(i, times)| (i, -times)),
    }
}

/// z_i - L_i >= 0 and U_i - z_i >= 0.
pub(super) fn bounds(i: usize, row: &Row<'_>) -> [Option<Fact>; 2] {
    let fact = |sign: i32, at: Option<&Number>| Fact {
        z: vec![(i, Rational::from(sign))],
        constant: at.map_or_else(Rational::new, Number::to_rational) * -sign,
        ..Fact::default()
    };
    match row {
        Row::Nonnegative => [Some(fact(1, None)), None],
        Row::AtLeast(lower) => [Some(fact(1, Some(lower))), None],
        Row::AtMost(upper) => [None, Some(fact(-1, Some(upper)))],
        Row::Between(lower, upper) => {
            let mut upper = fact(-1, Some(upper));
            upper.upper = Some((i, 1));
            [Some(fact(1, Some(lower))), Some(upper)]
        }
        Row::Friction { normal, mu } => [1, -1].map(|sign| {
            let mut own = fact(sign, None);
            own.z.push((*normal, mu.to_rational()));
            own.upper = (sign < 0).then_some((i, 1));
            Some(own)
        }),
        Row::Free | Row::Cone => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::Mu;
    use proptest::prelude::*;

    use super::*;

    /// `discs` discs of `rows` rows each after the normal row 0, mu = 1.
    fn cone(discs: usize, rows: usize) -> Cone {
        let disc = |d: usize| Disc {
            rows: (1 + d * rows..1 + (d + 1) * rows).collect(),
            mu: Mu::One(Number::from(1)),
        };
        Cone {
            normal: 0,
            discs: (0..discs).map(disc).collect(),
            law: Law::Coulomb,
        }
    }

    #[test]
    fn normals_are_unit_vectors_all_around() {
        for rows in 1..=5 {
            let all = normals(rows);
            for p in &all {
                assert_eq!(p.len(), rows);
                assert_eq!(p.iter().map(|p| p.clone().square()).sum::<Rational>(), 1);
            }
            for k in 0..rows {
                let near = Rational::from(INSIDE);
                assert!(
                    all.iter().any(|p| p[k] > near) && all.iter().any(|p| p[k] < -near.clone())
                );
            }
        }
    }

    proptest! {
        /// What the half-planes of `inside` let pass is inside of the dual cone: w_N is no less than the sum over the discs
        /// of |w_T|. And what is well inside passes.
        #[test]
        fn half_planes_are_around_less_than_the_dual_cone(
            discs in 1usize..=2, rows in 1usize..=5,
            tangents in prop::collection::vec(-20i64..=20, 10), normal in 0i64..=100,
        ) {
            let cone = cone(discs, rows);
            let w = |i: usize| if i == 0 { normal } else { tangents[i - 1] };
            let sum = |fact: &Fact| fact.w.iter().map(|(i, factor)| Rational::from(factor * w(*i))).sum::<Rational>();
            let passes = inside(&cone, &Rational::new()).iter().all(|fact| sum(fact) >= 0);
            let length = |disc: &Disc| {
                let squares: i64 = disc.rows.iter().map(|i| w(*i) * w(*i)).sum();
                (squares as f64).sqrt()
            };
            let all: f64 = cone.discs.iter().map(length).sum();
            // Off the border of the cone by far more than the rounding of roots, or exactly on it.
            if passes {
                prop_assert!(normal as f64 >= all - 1e-9, "{} {}", normal, all);
            }
            // The inner box has 2/5 of the size, and each disc its part.
            if normal as f64 >= 5.0 * all {
                prop_assert!(passes, "{} {}", normal, all);
            }
        }
    }
}
