//! Contacts with friction cones between bodies in space, exact answers by construction: forces and velocities
//! that obey the law are drawn first, and q = u - W r follows.
//!
//! Friction points along (3, 4) or (5, 0), whose length is 5, and normal forces are multiples of 5, so all data are dyadic
//! and the sums exact.

use std::ops::RangeInclusive;

use etalon_lcp::{Cone, Disc, Law, Mu, Number};

use super::definite::gram;
use super::draft::{Draft, dyadic};
use super::draw::{Draw, power_of_two};
use super::family::{Family, Sizes, Theory};
use super::friction_space::contact;

/// Inverse masses and moments of inertia in quarters.
const W_BITS: i32 = 2;

/// Directions of length 5.
pub(super) const DIRECTIONS: [[i64; 2]; 12] = [
    [3, 4],
    [4, 3],
    [-3, 4],
    [-4, 3],
    [3, -4],
    [4, -3],
    [-3, -4],
    [-4, -3],
    [5, 0],
    [-5, 0],
    [0, 5],
    [0, -5],
];

/// Beyond this a dense problem as text passes 80 MB.
const MAX: usize = 1_998;

const SIZES: Sizes = Sizes {
    min: 3,
    max: MAX,
    step: 3,
};

const REFERENCE: &str =
    "Acary, Brémond, Huber 2018, section 2 (u = Wr + q); the answer is in `expect`.";

/// The families of problems with friction cones in local form. They are no linear complementarity problems, so [`super::families`]
/// has none of them.
pub fn cone_families() -> &'static [Family] {
    &FAMILIES
}

/// What a family draws.
#[derive(Clone, Copy)]
struct Kind {
    law: Law,
    /// Grazing contacts, forces on the boundary of their cone without slip, contacts without friction.
    degenerate: bool,
    /// Contacts that repeat others, so that W is singular.
    redundant: bool,
    /// Every contact slides.
    slides: bool,
}

static FAMILIES: [Family; 6] = [
    family(
        "cone",
        "Contacts of random bodies in space with circular friction cones under Coulomb's law, u = Wr + q, of small dyadic numbers: some take off, some stick, some slide.",
        &["coulomb"],
        draft::<false, false, false>,
    ),
    family(
        "cone-degenerate",
        "The same with grazing contacts, forces on the boundary of their cone without slip, and contacts without friction.",
        &["coulomb", "degenerate"],
        draft::<false, true, false>,
    ),
    family(
        "cone-redundant",
        "The same with repeated contacts, so that W is singular.",
        &["coulomb", "redundant"],
        draft::<false, false, true>,
    ),
    family(
        "cone-convex",
        "Contacts of random bodies in space with circular friction cones under the convex law, u = Wr + q, of small dyadic numbers.",
        &["convex"],
        draft::<true, false, false>,
    ),
    family(
        "cone-convex-degenerate",
        "The same with grazing contacts, forces on the boundary of their cone without slip, and contacts without friction.",
        &["convex", "degenerate"],
        draft::<true, true, false>,
    ),
    family(
        "cone-convex-redundant",
        "The same with repeated contacts, so that W is singular.",
        &["convex", "redundant"],
        draft::<true, false, true>,
    ),
];

/// A family of solvable problems with friction cones, in local form.
pub(super) const fn family(
    name: &'static str,
    description: &'static str,
    tags: &'static [&'static str],
    draft: fn(&mut Draw, usize, u64) -> Draft,
) -> Family {
    let (reference, theory, sizes) = (REFERENCE, Theory::Solvable, SIZES);
    Family {
        name,
        description,
        reference,
        theory,
        sizes,
        tags,
        draft,
    }
}

fn draft<const CONVEX: bool, const DEGENERATE: bool, const REDUNDANT: bool>(
    draw: &mut Draw,
    n: usize,
    _: u64,
) -> Draft {
    let law = if CONVEX { Law::Convex } else { Law::Coulomb };
    contacts(
        draw,
        n / 3,
        Kind {
            law,
            degenerate: DEGENERATE,
            redundant: REDUNDANT,
            slides: false,
        },
    )
}

/// Contacts that all slide, two of three along no axis, where a box in place of the disc has corners.
pub(crate) fn sliding(draw: &mut Draw, count: usize, law: Law) -> Draft {
    let kind = Kind {
        law,
        degenerate: false,
        redundant: false,
        slides: true,
    };
    contacts(draw, count, kind)
}

fn contacts(draw: &mut Draw, count: usize, kind: Kind) -> Draft {
    let bodies = 1 + draw.index(count);
    let mut columns: Vec<Vec<i64>> = Vec::with_capacity(3 * count);
    for k in 0..count {
        if kind.redundant && k > 0 && draw.one_in(2) {
            let other = 3 * draw.index(k);
            columns.extend_from_within(other..other + 3);
        } else {
            let (normal, [one, two]) = contact(draw, bodies);
            columns.extend([normal, one, two]);
        }
    }
    let weights = draw.vector(6 * bodies, |draw| 1 << draw.index(3));
    let dynamics = gram(&columns, &weights);
    let m: Vec<Vec<f64>> = dynamics.iter().map(|row| dyadic(row, W_BITS)).collect();
    let (mut r, mut u, mut cones) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..count {
        let (mu, force, velocity) = state(draw, kind);
        r.extend(force);
        u.extend(velocity);
        cones.push(circular(3 * k, mu, kind.law));
    }
    let q = m.iter().zip(&u).map(|(row, u)| {
        let sum: f64 = row.iter().zip(&r).map(|(w, r)| w * r).sum();
        u - sum
    });
    let mut draft = Draft::new(m.clone(), q.collect());
    draft.cones = cones;
    draft.solution = Some(r);
    draft
}

/// The circular cone of three rows.
pub(super) fn circular(normal: usize, mu: f64, law: Law) -> Cone {
    disc(normal, normal + 1..=normal + 2, mu, law)
}

/// The cone of a normal row and one disc of these rows.
pub(super) fn disc(normal: usize, rows: RangeInclusive<usize>, mu: f64, law: Law) -> Cone {
    let mu = Mu::One(Number::from_f64(mu).unwrap_or_else(|| Number::from(0)));
    let rows = rows.collect();
    let discs = vec![Disc { rows, mu }];
    Cone { normal, discs, law }
}

/// mu, and force and velocity of a contact that obey the law.
fn state(draw: &mut Draw, kind: Kind) -> (f64, [f64; 3], [f64; 3]) {
    let mu = power_of_two(draw.between(-2, 1) as i32);
    let direction = DIRECTIONS[draw.index(DIRECTIONS.len())].map(|part| part as f64);
    let along = |length: f64| direction.map(|part| part * length);
    let normal = 1 + draw.between(0, 3);
    let slip = draw.between(1, 8) as f64 * 0.25;
    // Under the convex law u_N is at least mu times the slip where r = 0, and mu times the slip where it slides.
    let lift = |slip: f64| {
        if kind.law == Law::Convex {
            5.0 * mu * slip
        } else {
            0.0
        }
    };
    let pressed = 5.0 * normal as f64;
    let on_boundary = along(mu * normal as f64);
    let against = along(-slip);
    let degenerate = kind.degenerate && draw.one_in(2);
    let drawn = draw.index(3);
    match (degenerate, if kind.slides { 2 } else { drawn }) {
        // It grazes: under the convex law with u on the boundary of the dual cone.
        (true, 0) => (mu, [0.0; 3], [lift(slip), against[0], against[1]]),
        // On the boundary of its cone, without slip.
        (true, 1) => (mu, [pressed, on_boundary[0], on_boundary[1]], [0.0; 3]),
        // Without friction it slips as it likes.
        (true, _) => (0.0, [pressed, 0.0, 0.0], [0.0, against[0], against[1]]),
        (false, 0) => {
            let more = draw.between(1, 8) as f64 * 0.5;
            (mu, [0.0; 3], [lift(slip) + more, against[0], against[1]])
        }
        (false, 1) => {
            let inside = along(mu * draw.between(0, normal - 1) as f64);
            (mu, [pressed, inside[0], inside[1]], [0.0; 3])
        }
        (false, _) => {
            let force = [pressed, on_boundary[0], on_boundary[1]];
            (mu, force, [lift(slip), against[0], against[1]])
        }
    }
}
