//! Bodies that turn at corners: closed forms, the laws of each step, and what a broken step breaks.

use etalon_rigid::{Covector, Dense, MassMatrix};
use etalon_time_stepping::corner::{
    Corners, Entry, Face, Obstacle, Solid, SolidFace, SolidPair, SolidStep, Solids, Touch,
};
use etalon_time_stepping::{Arithmetic, Grid, State, Term};
use rug::Rational;

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn grid() -> Grid {
    Grid::new(40).unwrap()
}

fn points(own: &[&[(i64, i64)]]) -> Vec<Vec<Rational>> {
    let point = |own: &&[(i64, i64)]| own.iter().map(|&(n, d)| q(n, d)).collect();
    own.iter().map(point).collect()
}

/// A body of the plane, 2 kg and 1/4 kg m^2.
fn polygon(name: &str, corners: &[&[(i64, i64)]]) -> Solid {
    let points = points(corners);
    Solid {
        name: name.to_owned(),
        mass: q(2, 1),
        inertia: Dense::from_fn(1, 1, |_, _| q(1, 4)),
        force: vec![q(0, 1); 2],
        driven: false,
        fixed: None,
        faces: SolidFace::polygon(&points).unwrap(),
        points,
    }
}

fn fixed(own: Solid, place: [(i64, i64); 2]) -> Solid {
    let rotation = vec![vec![q(1, 1), q(0, 1)], vec![q(0, 1), q(1, 1)]];
    Solid {
        fixed: Some((place.map(|(n, d)| q(n, d)).to_vec(), rotation)),
        ..own
    }
}

fn pair(points_of: usize, faces_of: usize, mu: Rational) -> SolidPair {
    SolidPair {
        points_of,
        faces_of,
        mu,
        directions: vec![vec![q(1, 1)], vec![q(-1, 1)]],
    }
}

const SQUARE: [&[(i64, i64)]; 4] = [
    &[(-1, 2), (-1, 2)],
    &[(1, 2), (-1, 2)],
    &[(1, 2), (1, 2)],
    &[(-1, 2), (1, 2)],
];

/// A square above another one, fixed, whose upper side is y = 0 and ends at x = 0.
fn on_the_edge(mu: Rational) -> Solids<Rational> {
    let bodies = [
        polygon("upper", &SQUARE),
        fixed(polygon("lower", &SQUARE), [(-1, 2), (-1, 2)]),
    ];
    let pairs = [pair(0, 1, mu.clone()), pair(1, 0, mu)];
    Solids::new(&[q(0, 1), q(-10, 1)], &bodies, &pairs).unwrap()
}

fn state(q: &[Rational], v: &[Rational]) -> State<Rational> {
    let round = |own: &Rational| grid().round(own.clone());
    State::new(q.iter().map(round).collect(), v.iter().map(round).collect())
}

fn step(solids: &Solids<Rational>, before: &State<Rational>) -> SolidStep<Rational> {
    solids.step(before, &q(1, 64), &grid()).unwrap()
}

/// The terms that the oracle names, each once.
fn broken(
    solids: &Solids<Rational>,
    before: &State<Rational>,
    step: &SolidStep<Rational>,
) -> Vec<Term> {
    let found = solids.examine(1, before, &q(1, 64), step, &grid(), &q(0, 1));
    let mut terms: Vec<Term> = found.unwrap().into_iter().map(|own| own.term).collect();
    terms.dedup();
    terms
}

#[test]
fn a_corner_that_lands_beside_the_middle_has_the_impulse_of_its_closed_form() {
    let solids = on_the_edge(q(0, 1));
    // Only the corner at -1/2 is above the lower square, 1/1024 above it: x = 1/4.
    let before = state(
        &[q(1, 4), q(513, 1024), q(0, 1)],
        &[q(0, 1), q(-1, 1), q(0, 1)],
    );
    let own = step(&solids, &before);
    let pushed = own.corners.faces().zip(&own.step.impulses);
    let pushed: Vec<_> = pushed.filter(|(_, own)| own.normal != 0).collect();
    let names: Vec<_> = pushed.iter().map(|(face, _)| &*face.name).collect();
    // The corner of the lower one, at the arm -1/4: what it does lifts the other end. p = -(gap/h + n'v)/(1/m + arm^2/J).
    assert_eq!(names, ["lower corner 3/upper face 1"]);
    let p = q(35, 24);
    assert_eq!(pushed[0].1.normal, p);
    assert_eq!(own.step.v, [q(0, 1), q(-74, 64) + q(35, 48), -p]);
    assert_eq!(broken(&solids, &before, &own), []);
}

#[test]
fn two_free_bodies_that_collide_keep_their_momentum_and_what_turns_them() {
    let mut moved = polygon("left", &SQUARE);
    moved.mass = q(3, 1);
    let bodies = [moved, polygon("right", &SQUARE)];
    let pairs = [pair(0, 1, q(1, 2)), pair(1, 0, q(1, 2))];
    let solids = Solids::<Rational>::new(&[q(0, 1), q(0, 1)], &bodies, &pairs).unwrap();
    let mut at = state(
        &[q(-5, 8), q(0, 1), q(1, 4), q(5, 8), q(1, 8), q(1, 8)],
        &[q(1, 1), q(0, 1), q(1, 1), q(-1, 1), q(1, 4), q(0, 1)],
    );
    let mut touched = 0;
    for _ in 0..16 {
        let own = step(&solids, &at);
        assert_eq!(broken(&solids, &at, &own), []);
        let v = |v: &[Rational]| {
            let [a, b] = [3, 2];
            let straight = |k: usize| Rational::from(&v[k] * a) + Rational::from(&v[3 + k] * b);
            let about = |body: usize, mass: i64| {
                let [x, y] = [&at.q[3 * body], &at.q[3 * body + 1]];
                let [vx, vy] = [&v[3 * body], &v[3 * body + 1]];
                (Rational::from(x * vy) - Rational::from(y * vx)) * mass
                    + Rational::from(&v[3 * body + 2] / 4)
            };
            [straight(0), straight(1), about(0, 3) + about(1, 2)]
        };
        // Before the state is rounded, to the digit.
        assert_eq!(v(&own.step.v), v(&at.v));
        touched += usize::from(own.step.impulses.iter().any(|own| own.normal > 0));
        at = own.after;
    }
    assert!(touched > 0);
}

#[test]
fn what_is_broken_in_a_step_is_named() {
    let solids = on_the_edge(q(1, 4));
    let before = state(
        &[q(3, 8), q(513, 1024), q(1, 64)],
        &[q(-1, 1), q(-1, 1), q(-1, 2)],
    );
    let own = step(&solids, &before);
    assert_eq!(broken(&solids, &before, &own), []);
    let with = |change: &dyn Fn(&mut SolidStep<Rational>)| {
        let mut own = own.clone();
        change(&mut own);
        broken(&solids, &before, &own)
    };
    let small = q(1, 1 << 30);
    assert!(with(&|own| own.after.v[2] += &small).contains(&Term::State));
    assert!(with(&|own| own.after.q[0] += &small).contains(&Term::State));
    assert!(with(&|own| own.step.v[0] += &small).contains(&Term::Momentum));
    let pushing = own
        .step
        .impulses
        .iter()
        .position(|own| own.normal > 0)
        .unwrap();
    assert!(with(&|own| own.step.impulses[pushing].normal += &small).contains(&Term::Momentum));
    assert!(with(&|own| own.dissipation.rounding += &small).contains(&Term::Rounding));
    assert!(with(&|own| own.dissipation.inertial += &small).contains(&Term::EnergyIdentity));
    assert!(with(&|own| own.energy.kinetic += &small).contains(&Term::EnergyIdentity));
    // Another face of the same corner, and none.
    let other = |own: &mut SolidStep<Rational>| match &mut own.touched[pushing].touch {
        Touch::Point { face, .. } => *face ^= 1,
        Touch::Edges(edges) => edges[0] ^= 1,
    };
    assert!(with(&other).contains(&Term::Data));
    assert!(with(&|own| own.touched.clear()).contains(&Term::Data));
}

#[test]
fn a_motion_that_leaves_an_obstacle_out_ends_inside_it() {
    let solids = on_the_edge(q(0, 1));
    let before = state(
        &[q(3, 8), q(513, 1024), q(0, 1)],
        &[q(0, 1), q(-1, 1), q(0, 1)],
    );
    let free = Solids::<Rational>::new(
        &[q(0, 1), q(-10, 1)],
        &[
            polygon("upper", &SQUARE),
            fixed(polygon("lower", &SQUARE), [(-1, 2), (-1, 2)]),
        ],
        &[],
    );
    let own = step(&free.unwrap(), &before);
    assert_eq!(broken(&solids, &before, &own), [Term::Nonpenetration]);
}

/// Beside the wall of the lower square, which a corner of the upper one slides down, by what rounding leaves inside of it.
#[test]
fn rounding_does_not_catch_what_slides_down_a_wall() {
    let solids = on_the_edge(q(0, 1));
    let inside = q(1, 1 << 40);
    for x in [q(1, 2) - &inside, q(1, 2), q(1, 2) + &inside] {
        let before = state(&[x, q(33, 64), q(0, 1)], &[q(0, 1), q(-4, 1), q(0, 1)]);
        let own = step(&solids, &before);
        assert!(own.step.v[1] < -4, "{}", own.step.v[1]);
        assert_eq!(broken(&solids, &before, &own), []);
    }
    // A millimetre over the edge it lands.
    let before = state(
        &[q(499, 1000), q(33, 64), q(0, 1)],
        &[q(0, 1), q(-4, 1), q(0, 1)],
    );
    assert!(step(&solids, &before).step.v[1] > -4);
}

#[test]
fn sides_are_those_of_convex_bodies() {
    let of = |own: &[&[(i64, i64)]]| SolidFace::polygon(&points(own)).map(|own| own.len());
    assert_eq!(of(&SQUARE), Ok(4));
    let mut clockwise = SQUARE;
    clockwise.reverse();
    assert_eq!(of(&clockwise), Ok(4));
    let dented: [&[(i64, i64)]; 4] = [
        &[(0, 1), (0, 1)],
        &[(2, 1), (0, 1)],
        &[(1, 2), (1, 2)],
        &[(0, 1), (2, 1)],
    ];
    assert!(of(&dented).is_err());
    assert!(of(&SQUARE[..2]).is_err());
    // A pentagram turns one way at each corner, and goes around twice.
    let star: [&[(i64, i64)]; 5] = [
        &[(0, 1), (10, 1)],
        &[(6, 1), (-8, 1)],
        &[(-10, 1), (3, 1)],
        &[(10, 1), (3, 1)],
        &[(-6, 1), (-8, 1)],
    ];
    assert!(of(&star).is_err());
    let cube: Vec<Vec<Rational>> = (0..8)
        .map(|k| (0..3).map(|axis| q(i64::from(k >> axis & 1), 1)).collect())
        .collect();
    let faces = SolidFace::polyhedron(&cube).unwrap();
    assert_eq!(faces.len(), 6);
    for face in &faces {
        let reach = |own: &Vec<Rational>| -> Rational {
            let terms = own
                .iter()
                .zip(&face.normal)
                .map(|(a, b)| Rational::from(a * b));
            terms.sum::<Rational>() - &face.offset
        };
        let on = cube.iter().filter(|own| reach(own) == 0).count();
        assert_eq!(
            (on, cube.iter().filter(|own| reach(own) > 0).count()),
            (4, 0)
        );
    }
    assert!(SolidFace::polyhedron(&cube[..4]).is_err());
    let mut more = cube;
    more.push(vec![q(1, 2); 3]);
    assert!(
        SolidFace::polyhedron(&more)
            .unwrap_err()
            .to_string()
            .contains("point 9")
    );
}

/// A particle of 2 kg above the corner of an octant, where three faces meet.
#[test]
fn three_faces_have_two_more_unknowns_and_all_their_solutions() {
    let mut mass = MassMatrix::empty();
    mass.push(
        "particle",
        Dense::from_fn(3, 3, |i, j| q(if i == j { 2 } else { 0 }, 1)),
    )
    .unwrap();
    let face = |axis: usize| {
        let normal = Covector::new([(axis, q(1, 1))]);
        Face::smooth(format!("face {axis}"), normal, q(0, 1))
    };
    let corners = Corners {
        mass,
        force: vec![q(0, 1), q(0, 1), q(-20, 1)],
        coordinates: ["x", "y", "z"].map(str::to_owned).to_vec(),
        obstacles: vec![Obstacle::Corner((0..3).map(face).collect())],
    };
    let h = q(1, 8);
    let (at, v) = ([q(-1, 8), q(-1, 4), q(1, 8)], [q(0, 1), q(0, 1), q(-2, 1)]);
    let step = corners.step(&at, &v, &h).unwrap();
    // It enters from above, and stops there: z falls by 2/8 + 10/64 m, to -9/32 without the push of 2 (9/32)/(1/8).
    assert_eq!(step.entries, [Entry::Face(2)]);
    assert_eq!(step.q, [q(-1, 8), q(-1, 4), q(0, 1)]);
    assert_eq!(step.z, [q(0, 1), q(0, 1), q(0, 1), q(0, 1), q(9, 2)]);
    assert_eq!(corners.examine(1, (&at, &v), &h, &step, &q(0, 1)), []);
    // All p with 0 <= p <= P of which one is at its bound P: three sides of a box with seven corners. c_2 = max(psi_2 - psi_3, 0) cuts
    // the first side in two, from the corner at both bounds to p_3 = 1/2.
    let bounds = [q(2, 1), q(4, 1), q(9, 2)];
    let family = step.solutions.family().unwrap();
    assert_eq!((family.vertices.len(), family.pieces.len()), (8, 4));
    assert!(family.vertices.contains(&vec![q(2, 1), q(0, 1), q(1, 2)]));
    for p in &family.vertices {
        let mut pairs = p.iter().zip(&bounds);
        assert!(pairs.clone().all(|(p, bound)| p <= bound) && pairs.any(|(p, bound)| p == bound));
        let gaps: Vec<Rational> = (0..3)
            .map(|k| step.free[k].clone() + Rational::from(&p[k] / 16))
            .collect();
        let last = gaps[1].clone().max(gaps[2].clone());
        let mut z = vec![
            (gaps[0].clone() - &last).max(q(0, 1)),
            (gaps[1].clone() - &gaps[2]).max(q(0, 1)),
        ];
        z.extend(p.iter().cloned());
        let w = step.lcp.w(&z);
        for (w, z) in w.iter().zip(&z) {
            assert!(*w >= 0 && *z >= 0 && Rational::from(w * z) == 0, "{w} {z}");
        }
    }
    // Beside one face it passes.
    let at = [q(1, 8), q(-1, 4), q(1, 8)];
    let step = corners.step(&at, &v, &h).unwrap();
    assert!(step.z[2..].iter().all(|p| *p == 0) && step.entries == [Entry::Outside]);
}

/// Squares about the edge of another one, in any place and turn, with and without friction: each step keeps all laws, and its
/// solution solves the problem of all obstacles.
#[test]
fn steps_about_an_edge_keep_all_laws_wherever_they_start() {
    let mut seed = 7_u64;
    let mut next = |low: i64, high: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = i64::try_from(seed >> 44).unwrap();
        q(low * (1 << 20) + (high - low) * share, 64 << 20)
    };
    let (mut pushed, mut several) = (0, 0);
    for k in 0..48 {
        let solids = on_the_edge(q(i64::from(k % 2), 4));
        let at = [next(29, 33), next(32, 37), next(-3, 6)];
        let before = state(&at, &[next(-64, 64), next(-256, -64), next(-128, 128)]);
        if solids
            .deepest_overlap(&before.q, &grid(), 1e-6)
            .unwrap()
            .is_some()
        {
            continue;
        }
        let own = step(&solids, &before);
        assert_eq!(broken(&solids, &before, &own), [], "{before:?}");
        pushed += usize::from(own.step.impulses.iter().any(|own| own.normal > 0));
        several += usize::from(own.step.solutions.family().is_some());
    }
    assert!(pushed >= 8 && several >= 4, "{pushed} {several}");
}
