//! Egan and Trinkle's corner against Stewart and Trinkle's, exactly.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{exact, q, r, run};
use etalon_rigid::{Covector, Dense, MassMatrix, Scalar};
use etalon_time_stepping::corner::{Corner, CornerStep, Entry, Face};
use etalon_time_stepping::models::{HalfSpace, HalfSpaces};
use etalon_time_stepping::{Activation, Fractions, Settings, State, solve};
use rug::Rational;

const QUADRANT: [[(i64, i64); 2]; 2] = [[(0, 1), (1, 1)], [(1, 1), (0, 1)]];
const ROOF: [[(i64, i64); 2]; 2] = [[(3, 5), (4, 5)], [(-3, 5), (4, 5)]];

fn normal(n: [(i64, i64); 2]) -> Covector<Rational> {
    Covector::of_dense(&n.map(|(n, d)| q(n, d)))
}

fn twice() -> Dense<Rational> {
    Dense::from_fn(2, 2, |i, j| q(if i == j { 2 } else { 0 }, 1))
}

fn corner(normals: [[(i64, i64); 2]; 2]) -> Corner<Rational> {
    let mut mass = MassMatrix::empty();
    mass.push("particle", twice()).unwrap();
    let face = |i: usize| Face {
        name: format!("face {}", i + 1),
        normal: normal(normals[i]),
        offset: q(0, 1),
    };
    Corner {
        mass,
        force: vec![q(0, 1), q(-20, 1)],
        coordinates: ["x", "y"].map(str::to_owned).to_vec(),
        faces: [face(0), face(1)],
    }
}

/// So many steps of h = 1/8, each a solution of its problem.
fn walk(
    corner: &Corner<Rational>,
    start: [&str; 2],
    v: [&str; 2],
    steps: usize,
) -> Vec<CornerStep<Rational>> {
    let (mut position, mut velocity) = (start.map(r).to_vec(), v.map(r).to_vec());
    let mut walked = Vec::new();
    for _ in 0..steps {
        let step = corner.step(&position, &velocity, &q(1, 8)).unwrap();
        let w = step.lcp.w(&step.z);
        for (w, z) in w.iter().zip(&step.z) {
            assert!(*w >= 0 && *z >= 0 && Rational::from(w * z) == 0, "{step:?}");
        }
        (position, velocity) = (step.q.clone(), step.v.clone());
        walked.push(step);
    }
    walked
}

fn stewart_trinkle(
    normals: [[(i64, i64); 2]; 2],
    start: [&str; 2],
    v: [&str; 2],
) -> Vec<[Rational; 2]> {
    let force = vec![q(0, 1), q(-20, 1)];
    let names = ["x", "y"].map(str::to_owned).to_vec();
    let mut model = HalfSpaces::new(names, twice(), force).unwrap();
    for n in normals {
        let half_space = HalfSpace {
            normal: normal(n),
            offset: q(0, 1),
            directions: Vec::new(),
        };
        model = model.contact("particle/face", q(0, 1), half_space);
    }
    let state = State::new(start.map(r).to_vec(), v.map(r).to_vec());
    let settings = Settings::new(q(1, 8)).with_activation(Activation::All);
    let steps = run(&model, &Fractions, &*exact(), settings, state, 8);
    let positions = steps
        .into_iter()
        .map(|s| [s.after.q[0].clone(), s.after.q[1].clone()]);
    positions.collect()
}

#[test]
fn beside_the_corner_stewart_and_trinkle_block_and_egan_and_trinkle_let_pass() {
    let (start, v) = (["1/4", "1/8"], ["0", "-2"]);
    let blocked = stewart_trinkle(QUADRANT, start, v);
    assert!(blocked.iter().all(|q| *q == ["1/4", "0"].map(r)));
    let free = walk(&corner(QUADRANT), start, v, 8);
    assert_eq!(free[0].free, ["-9/32", "1/4"].map(r));
    assert_eq!(free[0].lcp.q, ["17/32", "1/4", "1/4"].map(r));
    assert_eq!(free[0].lcp.matrix[0], ["1", "-1/16", "1/16"].map(r));
    for step in &free {
        assert_eq!(step.z[1..], [0, 0]);
        assert_eq!((step.entry, &step.family), (Entry::Outside, &None));
    }
    assert_eq!(free[7].q, ["1/4", "-15/2"].map(r));
}

#[test]
fn on_top_the_rule_lands_and_lemke_is_pushed_out_of_the_side() {
    let steps = walk(&corner(QUADRANT), ["-1/4", "1/8"], ["0", "-2"], 8);
    let first = &steps[0];
    assert_eq!(first.free, ["-9/32", "-1/4"].map(r));
    assert_eq!(
        (first.entry, &first.z),
        (Entry::Face(0), &["1/4", "9/2", "0"].map(r))
    );
    // The family, and where Lemke's method ends in it.
    let family = first.family.as_ref().unwrap();
    assert_eq!(
        family.vertices,
        [["9/2", "0"], ["9/2", "4"], ["0", "4"]].map(|p| p.map(r))
    );
    let answer = solve(&first.lcp, "corner", &*exact()).unwrap();
    assert_eq!(answer.z, ["0", "0", "4"].map(r));
    // It stays where it landed.
    for step in &steps {
        assert_eq!(step.q, ["-1/4", "0"].map(r));
    }
    assert_eq!(steps[7].v, [0, 0]);
}

#[test]
fn every_member_of_the_family_solves_the_problem() {
    let corner = corner(QUADRANT);
    let step = corner
        .step(&["1/4", "1/4"].map(r), &["-3", "-2"].map(r), &q(1, 8))
        .unwrap();
    let family = step.family.unwrap();
    for pair in family.vertices.windows(2) {
        for k in 0..=4 {
            let share = q(k, 4);
            let p =
                [0, 1].map(|i| Rational::from(&pair[1][i] - &pair[0][i]) * &share + &pair[0][i]);
            let psi = |i: usize| Rational::from(&p[i] / 16u32) + &step.free[i];
            let c = (psi(0) - psi(1)).max(q(0, 1));
            let z = [c, p[0].clone(), p[1].clone()];
            for (w, z) in step.lcp.w(&z).iter().zip(&z) {
                assert!(*w >= 0 && Rational::from(w * z) == 0);
            }
        }
    }
}

#[test]
fn the_roof_throws_with_both_half_spaces_and_not_with_one() {
    let (start, v) = (["1", "0"], ["0", "-1"]);
    let thrown = stewart_trinkle(ROOF, start, v);
    assert_eq!(thrown[0], ["101/200", "303/800"].map(r));
    let step = &walk(&corner(ROOF), start, v, 1)[0];
    assert_eq!(step.z, ["6/5", "0", "0"].map(r));
    assert_eq!(step.v, ["0", "-9/4"].map(r));
}

#[test]
fn a_face_that_is_pushed_over_the_edge_stops_at_the_edge() {
    // On the roof both gaps open when one face pushes: the lesser impulse is enough.
    let step = &walk(&corner(ROOF), ["1/100", "0"], ["0", "-1"], 1)[0];
    assert_eq!(step.entry, Entry::Face(0));
    let gaps = corner(ROOF).gaps(&step.q);
    assert_eq!(gaps.iter().max().unwrap().signum(), 0);
}

#[test]
fn energy_is_that_of_the_identity() {
    let corner = corner(QUADRANT);
    let mut before = q(4, 1) + q(20, 8);
    for step in walk(&corner, ["-1/4", "1/8"], ["0", "-2"], 8) {
        let after = corner.mass.kinetic_energy(&step.v) + corner.potential(&step.q);
        let lost = step.position[0].clone() + &step.position[1] + &step.numerical;
        assert_eq!(before - &after, lost);
        before = after;
    }
}
