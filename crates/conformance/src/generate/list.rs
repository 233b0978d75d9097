//! The list of families.

use super::family::{Family, MAX, MAX_DENSE, Sizes, Theory};
use super::{
    bounded, column, definite, degenerate, exponential, friction, friction_space, game, integer,
    masonry, nonsymmetric, pile, semidefinite, unsolvable,
};

/// All families, in the order in which they are listed to people.
pub fn families() -> &'static [Family] {
    FAMILIES
}

/// The most rows of families that keep M sparse: 1,000,000 rows are 100 to 400 MB of text.
pub(super) const MAX_SPARSE: usize = 1_000_000;

/// The most rows of piles in space with friction: a row has some 60 nonzeros, so this is 450 MB of text, and 3 GB of
/// memory while it is made.
const MAX_FRICTION_PILE: usize = 300_000;

/// The same with eight directions: a row has some 130 nonzeros at 10,000 rows.
const MAX_FRICTION_PILE_EIGHT: usize = 150_000;

/// Where time steps with friction come from.
pub(super) const TIME_STEP: &str =
    "Stewart and Trinkle 1996, LCP (17) and section 3; CPS, theorem 3.8.6 and corollary 4.4.12.";

/// Of frictionless bodies.
const CONTACTS: &[&str] = &[
    "symmetric",
    "positive-semidefinite",
    "dyadic",
    "contact",
    "redundant",
    "sparse",
];

/// Of time steps of many bodies with friction.
const FRICTION: &[&str] = &["friction", "copositive", "dyadic", "redundant", "sparse"];

static FAMILIES: &[Family] = &[
    Family {
        name: "pd",
        description: "Dense symmetric positive definite M = BB' + D with full mantissas, q of both signs.",
        reference: "Cottle, Pang, Stone (CPS), theorem 3.1.6.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX_DENSE),
        tags: &["symmetric", "positive-definite", "full-mantissa"],
        draft: definite::dense,
    },
    Family {
        name: "pd-int",
        description: "Symmetric positive definite M = BB' + D of small integers.",
        reference: "CPS, theorem 3.1.6.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-definite", "integer"],
        draft: definite::integer,
    },
    Family {
        name: "psd",
        description: "Exactly positive semidefinite M = JWJ' of rank at most (n + 1) / 2 on a dyadic grid, with repeated and redundant contacts, q = Ja in the range of M.",
        reference: "CPS, theorem 3.1.7; Baraff 1994, section 4.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-semidefinite", "dyadic", "contact"],
        draft: semidefinite::solvable,
    },
    Family {
        name: "psd-infeasible",
        description: "Exactly positive semidefinite M = JWJ' with contacts that hold each other while q pushes on them: y >= 0, My = 0, y'q < 0.",
        reference: "CPS, section 3.1: for such M no solution means that the inequalities have none.",
        theory: Theory::Infeasible,
        sizes: Sizes::all(2, MAX),
        tags: &[
            "symmetric",
            "positive-semidefinite",
            "dyadic",
            "contact",
            "unsolvable",
        ],
        draft: semidefinite::infeasible,
    },
    Family {
        name: "p",
        description: "Nonsymmetric P-matrix: a positive definite symmetric part plus a skew part, full mantissas.",
        reference: "CPS, theorems 3.1.6 and 3.3.7.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX_DENSE),
        tags: &["p-matrix", "positive-definite", "full-mantissa"],
        draft: nonsymmetric::skew,
    },
    Family {
        name: "p-hidden",
        description: "P-matrix by strict diagonal dominance in other units of the columns; its symmetric part is indefinite.",
        reference: "CPS, theorem 3.3.7 and section 3.3 on dominance.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(2, MAX),
        tags: &["p-matrix", "indefinite", "full-mantissa"],
        draft: nonsymmetric::dominant,
    },
    Family {
        name: "murty",
        description: "Lower triangular M with 1 on and 2 below the diagonal, q = -1: lexicographic Lemke with d = 1 takes 2^n pivots. k = 0 as published, then reordered and in other units.",
        reference: "Murty, Computational complexity of complementary pivot methods, 1978.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["p-matrix", "exponential", "integer"],
        draft: exponential::murty,
    },
    Family {
        name: "birge-gana",
        description: "Upper triangular M with 1 on and 2 above the diagonal, q_i = 2^i - 2^(n+1): Lemke with d = 1 takes 2^n pivots, driving to zero 2^n - 1. k = 0 as published, then reordered and in other units.",
        reference: "Murty, Linear Complementarity, 1988, chapter 6; Birge and Gana 1983 for the Dantzig-Cottle method.",
        theory: Theory::UniqueZ,
        // q_1 has n bits, and binary64 has 53.
        sizes: Sizes::all(1, 53),
        tags: &["p-matrix", "exponential", "integer"],
        draft: exponential::birge_gana,
    },
    Family {
        name: "fathi",
        description: "Symmetric positive definite M = LL' of Murty's matrix L, q = -1: lexicographic Lemke with d = 1 takes 2^n pivots. k = 0 as published, then reordered and in other units.",
        reference: "Fathi, Computational complexity of LCPs associated with positive definite symmetric matrices, 1979.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-definite", "exponential", "integer"],
        draft: exponential::fathi,
    },
    Family {
        name: "kostreva",
        description: "Circulant P-matrix with 1 and c next to it in each row, q = -1: every ratio ties, and rules that do not break ties by lexicography cycle.",
        reference: "Kostreva, Cycling in linear complementarity problems, 1979 (n = 3, c = 2: k = 0), for all odd n.",
        theory: Theory::UniqueZ,
        sizes: Sizes {
            min: 3,
            max: MAX - 1,
            step: 2,
        },
        tags: &["p-matrix", "circulant", "cycling", "degenerate", "integer"],
        draft: nonsymmetric::circulant,
    },
    Family {
        name: "degenerate",
        description: "Small integers with many exact ties and zeros, in turn positive semidefinite with q in the range, positive definite, and unit triangular.",
        reference: "CPS, theorems 3.1.6, 3.1.7 and 3.3.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX),
        tags: &["degenerate", "integer"],
        draft: degenerate::ties,
    },
    Family {
        name: "bimatrix",
        description: "A game of two players with n moves in all and positive integer costs: M = [[0, A], [B', 0]], q = -1.",
        reference: "Lemke and Howson 1964; CPS, section 1.2.",
        theory: Theory::Solvable,
        sizes: Sizes::all(2, MAX),
        tags: &["game", "integer"],
        draft: game::bimatrix,
    },
    Family {
        name: "infeasible",
        description: "Small integers with a row that is less than minus a positive combination of others: z >= 0, Mz + q >= 0 is empty.",
        reference: "Farkas' lemma; CPS, section 2.7.",
        theory: Theory::Infeasible,
        sizes: Sizes::all(1, MAX),
        tags: &["unsolvable", "integer"],
        draft: unsolvable::infeasible,
    },
    Family {
        name: "no-solution",
        description: "Small dyadic numbers: z >= 0, Mz + q >= 0 is not empty, but no such z is complementary, for a reason that principal pivots, order and units hide.",
        reference: "Principal pivots keep the set of solutions: CPS, section 2.3.",
        theory: Theory::NoSolution,
        sizes: Sizes::all(2, MAX),
        tags: &["unsolvable", "dyadic"],
        draft: unsolvable::feasible,
    },
    Family {
        name: "badly-scaled",
        description: "DMD and Dq for positive definite M with full mantissas and D from 2^-40 to 2^40, powers of two for even k.",
        reference: "CPS, theorem 3.1.6.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-definite", "badly-scaled"],
        draft: definite::badly_scaled,
    },
    Family {
        name: "copositive-friction",
        description: "A time step of planar bodies with n / 4 contacts and Coulomb friction, order (beta contact by contact, c_n, lambda), of small dyadic numbers.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 4,
            max: MAX,
            step: 4,
        },
        tags: &["friction", "copositive", "dyadic"],
        draft: friction::time_step,
    },
    Family {
        name: "box",
        description: "Positive definite M with full mantissas and bounds of every kind on z, some of them equal.",
        reference: "Facchinei and Pang, Finite-Dimensional Variational Inequalities, section 3.5.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-definite", "bounds", "full-mantissa"],
        draft: bounded::boxes,
    },
    Family {
        name: "bilateral",
        description: "Joints and contacts: positive semidefinite M = JJ' of integers, q = Ja in its range, a third of the rows free, their block positive definite.",
        reference: "CPS, section 1.5 and theorem 3.1.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-semidefinite", "bilateral", "integer"],
        draft: bounded::bilateral,
    },
    Family {
        name: "friction-box",
        description: "Positive definite M with full mantissas, contacts of a normal row and one or two friction rows |z_i| <= mu z_j.",
        reference: "Stewart and Trinkle 1996, section 3; CPS, theorem 3.8.6 and corollary 4.4.12.",
        theory: Theory::Solvable,
        sizes: Sizes::all(2, MAX),
        tags: &["friction", "full-mantissa"],
        draft: friction::pyramid,
    },
    Family {
        name: "integer",
        description: "Small random integers of no class: no solution, one, several, or faces of them.",
        reference: "CPS, section 1.1.",
        theory: Theory::Open,
        sizes: Sizes::all(1, MAX),
        tags: &["integer"],
        draft: integer::random,
    },
    Family {
        name: "tiny-q",
        description: "Positive definite M, of integers for even k, and q with entries of size 1e-17 among ordinary ones, as rounding leaves where 0 is meant.",
        reference: "CPS, theorem 3.1.6.",
        theory: Theory::UniqueZ,
        sizes: Sizes::all(1, MAX),
        tags: &["symmetric", "positive-definite", "tiny-q"],
        draft: definite::tiny_q,
    },
    Family {
        name: "stack",
        description: "Towers of boxes in the plane side by side, up to three contacts a face, without friction: sparse M = JWJ', exactly positive semidefinite, q = Ja in its range.",
        reference: "Baraff 1994, section 4; CPS, theorem 3.1.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX_SPARSE),
        tags: CONTACTS,
        draft: masonry::stack,
    },
    Family {
        name: "wall",
        description: "A wall of boxes in the plane, each on two others with two contacts on each, without friction: sparse M = JWJ', exactly positive semidefinite, about half of the contacts redundant, q = Ja in its range.",
        reference: "Baraff 1994, section 4; CPS, theorem 3.1.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX_SPARSE),
        tags: CONTACTS,
        draft: masonry::wall,
    },
    Family {
        name: "friction-wall",
        description: "A time step of a wall of boxes in the plane with n / 4 redundant contacts and Coulomb friction, order (beta contact by contact, c_n, lambda), of small dyadic numbers.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 4,
            max: MAX_SPARSE,
            step: 4,
        },
        tags: &["friction", "copositive", "dyadic", "redundant"],
        draft: masonry::friction_wall,
    },
    Family {
        name: "pile-3d",
        description: "A pyramid of cubes in space, each on four others with two contacts on each, without friction: sparse M = JWJ', exactly positive semidefinite, most of the contacts redundant, q = Ja in its range.",
        reference: "Baraff 1994, section 4; CPS, theorem 3.1.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX_SPARSE),
        tags: CONTACTS,
        draft: pile::pile,
    },
    Family {
        name: "friction-pile-3d",
        description: "A time step of a pyramid of cubes in space with n / 6 redundant contacts and friction pyramids of four directions, order (beta contact by contact, c_n, lambda), of small dyadic numbers, sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 6,
            max: MAX_FRICTION_PILE,
            step: 6,
        },
        tags: FRICTION,
        draft: pile::friction_pile,
    },
    Family {
        name: "friction-pile-eight",
        description: "A time step of a pyramid of cubes in space with n / 10 redundant contacts and friction pyramids of eight directions, order (beta contact by contact, c_n, lambda), of small dyadic numbers, sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 10,
            max: MAX_FRICTION_PILE_EIGHT,
            step: 10,
        },
        tags: FRICTION,
        draft: pile::friction_pile_eight,
    },
    Family {
        name: "column",
        description: "Round grains in the plane in a column between two walls, each on two others, without friction: sparse M = JWJ', exactly positive semidefinite, q = Ja in its range.",
        reference: "Baraff 1994, section 4; CPS, theorem 3.1.7.",
        theory: Theory::UniqueW,
        sizes: Sizes::all(1, MAX_SPARSE),
        tags: &[
            "symmetric",
            "positive-semidefinite",
            "dyadic",
            "contact",
            "sparse",
        ],
        draft: column::column,
    },
    Family {
        name: "friction-column",
        description: "A time step of round grains in the plane in a column between two walls with n / 4 contacts and Coulomb friction, order (beta contact by contact, c_n, lambda), of small dyadic numbers, sparse.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 4,
            max: MAX_SPARSE,
            step: 4,
        },
        tags: FRICTION,
        draft: column::friction_column,
    },
    Family {
        name: "friction-four",
        description: "A time step of bodies in space with n / 6 contacts and friction pyramids of four directions, order (beta contact by contact, c_n, lambda), of small dyadic numbers.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 6,
            max: MAX - 2,
            step: 6,
        },
        tags: &["friction", "copositive", "dyadic"],
        draft: friction_space::four,
    },
    Family {
        name: "friction-eight",
        description: "A time step of bodies in space with n / 10 contacts and friction pyramids of eight directions, order (beta contact by contact, c_n, lambda), of small dyadic numbers.",
        reference: TIME_STEP,
        theory: Theory::Solvable,
        sizes: Sizes {
            min: 10,
            max: MAX,
            step: 10,
        },
        tags: &["friction", "copositive", "dyadic"],
        draft: friction_space::eight,
    },
];
