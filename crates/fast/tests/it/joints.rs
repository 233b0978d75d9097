//! Bodies held by joints in mixed form, which no elimination of contacts sees: joints that hold the same motion twice, and nearly rigid ones.

use etalon_lcp::{Bound, Cone, Disc, Law, Matrix, Mu, Problem};

use crate::cones::{number, solves};
use crate::walls::Random;

const BODIES: usize = 4;

/// Three rows of a ball joint, or of a contact, at a point: what the velocity and the turn of a body do to it.
fn at(body: usize, arm: [f64; 3], sign: f64) -> [Vec<(usize, f64)>; 3] {
    let [x, y, z] = arm;
    let turns = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]];
    std::array::from_fn(|k| {
        let mut row = vec![(6 * body + k, sign)];
        row.extend((0..3).map(|c| (6 * body + 3 + c, sign * turns[k][c])));
        row.retain(|(_, value)| *value != 0.0);
        row
    })
}

/// A chain of bodies on the ground. Two ball joints hold each pair, so that the force along the line between them is open; with `twice`
/// the first is there again, in other units.
fn chain(seed: u64, law: Law, twice: bool, compliance: f64) -> Problem {
    let mut random = Random(seed * 1_000_003 + 1);
    let mut arm =
        |size: f64| -> [f64; 3] { std::array::from_fn(|_| size * (2.0 * random.next() - 1.0)) };
    let mut joints = Vec::new();
    for body in 1..BODIES {
        let (first, other, line) = (arm(1.0), arm(1.0), arm(1.0));
        let moved = |arm: [f64; 3]| std::array::from_fn(|k| arm[k] + line[k]);
        for (first, other) in [(first, other), (moved(first), moved(other))] {
            let (one, two) = (at(body - 1, first, 1.0), at(body, other, -1.0));
            joints.extend(
                one.into_iter()
                    .zip(two)
                    .map(|(one, two)| [one, two].concat()),
            );
        }
        if twice {
            let again: Vec<_> = joints[joints.len() - 6..joints.len() - 3].to_vec();
            let times = |row: Vec<(usize, f64)>| {
                row.into_iter()
                    .map(|(j, value)| (j, 1024.0 * value))
                    .collect()
            };
            joints.extend(again.into_iter().map(times));
        }
    }
    let points = (0..2 * BODIES).map(|c| {
        at(
            c / 2,
            {
                let [x, y, _] = arm(1.0);
                [x, y, -0.5]
            },
            1.0,
        )
    });
    // The normal of the ground is the third axis.
    let contacts: Vec<_> = points.flat_map(|[x, y, z]| [z, x, y]).collect();
    let (free, joined) = (6 * BODIES, joints.len());
    let n = free + joined + contacts.len();
    let mut entries = Vec::new();
    for i in 0..free {
        entries.push((i as u64, i as u64, number(1.0 + (i % 3) as f64)));
    }
    for (k, row) in joints.into_iter().chain(contacts).enumerate() {
        let i = (free + k) as u64;
        if k < joined && compliance != 0.0 {
            // In the units of the row.
            let unit = row
                .iter()
                .fold(0.0, |most: f64, (_, value)| most.max(value.abs()));
            let unit = if unit >= 1024.0 { 1024.0 } else { 1.0 };
            entries.push((i, i, number(compliance * unit * unit)));
        }
        for (j, value) in row {
            entries.extend([(i, j as u64, number(value)), (j as u64, i, number(-value))]);
        }
    }
    let cones = (free + joined..n).step_by(3).map(|normal| {
        let (rows, mu) = (vec![normal + 1, normal + 2], Mu::One(number(0.5)));
        let discs = vec![Disc { rows, mu }];
        Cone { normal, discs, law }
    });
    let q = (0..n).map(|i| match i {
        _ if i >= free => 0.0,
        // Weight, and a push.
        _ if i % 6 == 2 => 1.0,
        _ => 0.2 * (2.0 * random.next() - 1.0),
    });
    let lower = (0..n).map(|i| match i < free + joined {
        true => Bound::NegativeInfinity,
        false => Bound::Finite(0.into()),
    });
    let (q, lower) = (q.map(number).collect(), lower.collect());
    let m = Matrix::from_entries((n as u64, n as u64), entries).unwrap();
    let problem = Problem::new(
        format!("chain/{}/{seed}/{twice}/{compliance}", law.word()),
        m,
        q,
    )
    .unwrap();
    let problem = problem.with_bounds(Some(lower), None).unwrap();
    problem.with_cones(cones.collect()).unwrap()
}

#[test]
fn bodies_held_twice_are_solved() {
    for law in Law::ALL {
        for (twice, compliance) in [
            (false, 0.0),
            (true, 0.0),
            (false, 1e-9),
            (true, 1e-9),
            (true, 1e-4),
        ] {
            for seed in 1..=3 {
                let problem = chain(seed, law, twice, compliance);
                assert!(solves(&problem), "{}", problem.name());
            }
        }
    }
}
