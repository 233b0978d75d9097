//! The families in mixed form.

use super::family::{Family, Sizes, Theory};
use super::list::{MAX_SPARSE, TIME_STEP};
use super::{column, masonry, pile};

/// The families in mixed form, velocities and forces: [`super::families`] has the same bodies in the form of the forces alone. The last three have
/// friction cones.
pub fn mixed_families() -> &'static [Family] {
    &FAMILIES
}

/// Of bodies without friction.
const CONTACTS: &[&str] = &[
    "positive-semidefinite",
    "mixed-form",
    "dyadic",
    "contact",
    "sparse",
];

/// Of time steps of bodies with friction.
const FRICTION: &[&str] = &["friction", "mixed-form", "dyadic", "sparse"];

/// Of bodies with friction cones.
const CONES: &[&str] = &["coulomb", "mixed-form", "dyadic", "sparse"];

const BARAFF: &str = "Baraff 1994, section 4; CPS, section 1.5 and theorem 3.1.7.";

const CONE: &str = "Acary, Brémond, Huber 2018, section 2 (the global form, with velocities).";

static FAMILIES: [Family; 11] = [
    Family {
        name: "mixed-stack",
        description: "Towers of boxes in the plane side by side without friction in mixed form: velocities, then forces, sparse M = [[A, -J'], [J, 0]].",
        reference: BARAFF,
        theory: Theory::UniqueW,
        sizes: Sizes::all(7, MAX_SPARSE),
        tags: CONTACTS,
        draft: masonry::mixed_stack,
    },
    Family {
        name: "mixed-wall",
        description: "A wall of boxes in the plane, each on two others, without friction in mixed form: velocities, then forces, sparse M = [[A, -J'], [J, 0]].",
        reference: BARAFF,
        theory: Theory::UniqueW,
        sizes: Sizes::all(7, MAX_SPARSE),
        tags: CONTACTS,
        draft: masonry::mixed_wall,
    },
    Family {
        name: "mixed-column",
        description: "Round grains in the plane in a column between two walls without friction in mixed form: velocities, then forces, sparse M = [[A, -J'], [J, 0]].",
        reference: BARAFF,
        theory: Theory::UniqueW,
        sizes: Sizes::all(7, MAX_SPARSE),
        tags: CONTACTS,
        draft: column::mixed_column,
    },
    Family {
        name: "mixed-pile-3d",
        description: "A pyramid of cubes in space, each on four others, without friction in mixed form: velocities, then forces, sparse M = [[A, -J'], [J, 0]].",
        reference: BARAFF,
        theory: Theory::UniqueW,
        sizes: Sizes::all(24, MAX_SPARSE),
        tags: CONTACTS,
        draft: pile::mixed_pile,
    },
    Family {
        name: "mixed-friction-wall",
        description: "A time step of a wall of boxes in the plane with Coulomb friction in mixed form, order (velocities, beta contact by contact, c_n, lambda), sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes::all(18, MAX_SPARSE),
        tags: FRICTION,
        draft: masonry::mixed_friction_wall,
    },
    Family {
        name: "mixed-friction-column",
        description: "A time step of round grains in the plane in a column with Coulomb friction in mixed form, order (velocities, beta contact by contact, c_n, lambda), sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes::all(18, MAX_SPARSE),
        tags: FRICTION,
        draft: column::mixed_friction_column,
    },
    Family {
        name: "mixed-friction-pile-3d",
        description: "A time step of a pyramid of cubes in space with friction pyramids of four directions in mixed form, order (velocities, beta contact by contact, c_n, lambda), sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 24,
            max: 999_996,
            step: 6,
        },
        tags: FRICTION,
        draft: pile::mixed_friction_pile,
    },
    Family {
        name: "mixed-friction-pile-eight",
        description: "A time step of a pyramid of cubes in space with friction pyramids of eight directions in mixed form, order (velocities, beta contact by contact, c_n, lambda), sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 34,
            max: 999_998,
            step: 2,
        },
        tags: FRICTION,
        draft: pile::mixed_friction_pile_eight,
    },
    Family {
        name: "cone-wall",
        description: "A wall of boxes in the plane under Coulomb's law in mixed form: velocities, then a normal and a tangential force of each contact, sparse.",
        reference: CONE,
        theory: Theory::Solvable,
        sizes: Sizes::all(10, MAX_SPARSE),
        tags: CONES,
        draft: masonry::cone_wall,
    },
    Family {
        name: "cone-column",
        description: "Round grains in the plane in a column under Coulomb's law in mixed form: velocities, then a normal and a tangential force of each contact, sparse.",
        reference: CONE,
        theory: Theory::Solvable,
        sizes: Sizes::all(10, MAX_SPARSE),
        tags: CONES,
        draft: column::cone_column,
    },
    Family {
        name: "cone-pile-3d",
        description: "A pyramid of cubes in space with circular friction cones under Coulomb's law in mixed form: velocities, then the normal and two tangential forces of each contact, sparse.",
        reference: CONE,
        // Cones that are no polyhedra may leave bodies that jam without forces.
        theory: Theory::Open,
        sizes: Sizes {
            min: 24,
            max: 999_999,
            step: 3,
        },
        tags: CONES,
        draft: pile::cone_pile,
    },
];
