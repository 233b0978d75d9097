//! Resting contacts in mixed form: velocities v of bodies at rest and forces r of their contacts are unknowns of
//! A v - H'r + q = 0, u = H v. Forces inside of their cones are drawn first, and q = H'r follows: v = 0.
//!
//! All data are dyadic and the sums exact, as those of [`super::cone`].

use etalon_lcp::Law;

use super::cone::{DIRECTIONS, circular, family};
use super::draft::Draft;
use super::draw::{Draw, power_of_two};
use super::family::{Family, Sizes};
use super::friction_space::contact;

const SIZES: Sizes = Sizes {
    min: 9,
    max: 1_998,
    step: 3,
};

const REFERENCE: &str = "Acary, Brémond, Huber 2018, section 2 (the global form, with velocities); the answer is in `expect`.";

/// The families of bodies at rest.
pub fn resting_families() -> &'static [Family] {
    &FAMILIES
}

static FAMILIES: [Family; 2] = [
    resting(family(
        "cone-resting",
        "Random bodies at rest in space on contacts with circular friction cones under Coulomb's law, in mixed form, of small dyadic numbers: all velocities are 0.",
        &["coulomb", "mixed-form"],
        |draw, n, _| bodies(draw, n, Law::Coulomb),
    )),
    resting(family(
        "cone-convex-resting",
        "Random bodies at rest in space on contacts with circular friction cones under the convex law, in mixed form, of small dyadic numbers: all velocities are 0.",
        &["convex", "mixed-form"],
        |draw, n, _| bodies(draw, n, Law::Convex),
    )),
];

const fn resting(mut family: Family) -> Family {
    family.reference = REFERENCE;
    family.sizes = SIZES;
    family
}

/// As many bodies as leave each a contact, at most; from three contacts a body on they are redundant.
fn bodies(draw: &mut Draw, n: usize, law: Law) -> Draft {
    let bodies = 1 + draw.index(n / 9);
    let free = 6 * bodies;
    let (mut sparse, mut q) = (Vec::new(), vec![0.0; n]);
    for i in 0..free {
        sparse.push((i, i, power_of_two(draw.between(-2, 2) as i32)));
    }
    let (mut solution, mut cones) = (vec![0.0; free], Vec::new());
    for first in (free..n).step_by(3) {
        let (normal, [one, two]) = contact(draw, bodies);
        let mu = power_of_two(draw.between(-2, 1) as i32);
        let pressed = 1 + draw.between(0, 3);
        let direction = DIRECTIONS[draw.index(DIRECTIONS.len())];
        // Directions are of length 5, as r_N is 5 times `pressed`: friction is inside of its disc.
        let along = mu * draw.between(0, pressed - 1) as f64;
        let [x, y] = direction.map(|part| part as f64 * along);
        let forces = [5.0 * pressed as f64, x, y];
        for (k, (column, force)) in [normal, one, two].iter().zip(forces).enumerate() {
            for (j, h) in column.iter().enumerate().filter(|(_, h)| **h != 0) {
                let h = *h as f64;
                sparse.extend([(first + k, j, h), (j, first + k, -h)]);
                q[j] += h * force;
            }
        }
        solution.extend(forces);
        cones.push(circular(first, mu, law));
    }
    let draft = Draft {
        sparse,
        cones,
        solution: Some(solution),
        ..Draft::new(Vec::new(), q)
    };
    draft.with_free(free)
}
