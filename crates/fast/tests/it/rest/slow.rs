//! Bodies in mixed form whose contacts slide slowly: a small part of the load is more than friction can hold.

use std::f64::consts::TAU;

use etalon_lcp::Law;

use super::scene::{Body, Scene, Touch, cross, plus, rotation, times, turned};
use super::{Outcome, inertia, outcome, spread};
use crate::walls::Random;

/// A body on so many corners of a plane, pulled by what friction can hold there times 1 + `slip`. With `spins` the friction
/// that it meets is that of a turn about a point of the plane near the corners; else of a slide in one direction.
fn body_that_slips(random: &mut Random, corners: usize, slip: f64, spins: bool) -> Scene {
    let mass = spread(random, 1e-3, 1e3);
    let arm = spread(random, 0.1, 10.0);
    let [height, gyration] = [0; 2].map(|_| arm * spread(random, 0.3, 3.0));
    let frame = rotation(random);
    let mu = 0.1 + random.next();
    let across = |angle: f64, length: f64| [0.0, length * angle.cos(), length * angle.sin()];
    let direction = across(TAU * random.next(), 1.0);
    let about = across(TAU * random.next(), arm * (0.2 + random.next()));
    let mut load = ([0.0; 3], [0.0; 3]);
    let mut touches = Vec::new();
    for _ in 0..corners {
        // In the frame (normal, tangents) of the plane, from the centre of mass.
        let along = across(TAU * random.next(), arm * random.next());
        let corner = plus(along, [-height, 0.0, 0.0]);
        let pressed = 9.81 * mass * (0.2 + random.next());
        let way = match spins {
            true => {
                let turn = cross([1.0, 0.0, 0.0], plus(along, times(about, -1.0)));
                times(turn, 1.0 / turn[1].hypot(turn[2]))
            }
            false => direction,
        };
        // Friction is against the slip, and what it holds is its opposite.
        let friction = times(way, mu * pressed * (1.0 + slip));
        let held = plus(friction, [-pressed, 0.0, 0.0]);
        load = (plus(load.0, held), plus(load.1, cross(corner, held)));
        touches.push(Touch {
            frame,
            discs: vec![vec![mu; 2]],
            ..Touch::ground(0, turned(&frame, corner))
        });
    }
    let ([x, y, z], [a, b, c]) = (turned(&frame, load.0), turned(&frame, load.1));
    let body = Body {
        mass,
        inertia: inertia(random, mass * gyration * gyration),
        load: [x, y, z, a, b, c],
    };
    Scene {
        touches,
        bodies: vec![body],
        joints: Vec::new(),
    }
}

/// How many of `count` bodies for each law, number of corners up to `most_corners`, and kind of motion came out as each [`Outcome`], by the power
/// of ten of their slips.
fn sweep(most_corners: usize, count: u64) -> [[usize; 3]; 14] {
    let mut counts = [[0; 3]; 14];
    for law in Law::ALL {
        for corners in 1..=most_corners {
            for spins in [false, true] {
                for seed in 0..count {
                    let mut random = Random(seed * 1_000_003 + 11);
                    random.0 ^= random.next().to_bits();
                    let slip = spread(&mut random, 1e-14, 1.0);
                    let kind = if spins { "spins" } else { "slides" };
                    let name = format!("{kind}/{}/{corners}/{seed}/{slip:e}", law.word());
                    let scene = body_that_slips(&mut random, corners, slip, spins);
                    let found = outcome(&scene.problem(&name, law));
                    counts[(-slip.log10()) as usize][found as usize] += 1;
                    if found != Outcome::Solved {
                        println!("{name}: {found:?}");
                    }
                }
            }
        }
    }
    counts
}

fn sum(counts: &[[usize; 3]]) -> [usize; 3] {
    [0, 1, 2].map(|k| counts.iter().map(|own| own[k]).sum())
}

/// Slips of 1e-9 to 1e-11 of the load, for which the proximal term of other polishes is too large, among them.
#[test]
fn slow_slips_are_solved() {
    assert_eq!(sum(&sweep(3, 15)), [180, 0, 0]);
}

#[test]
#[ignore = "2,000 bodies"]
fn two_thousand_slow_slips() {
    let counts = sweep(4, 125);
    for (k, [solved, failed, wrong]) in counts.iter().enumerate() {
        let least = k + 1;
        println!("slips from 1e-{least}: {solved} solved, {failed} failed, {wrong} wrong");
    }
    let [solved, failed, wrong] = sum(&counts);
    println!("{solved} solved, {failed} failed, {wrong} wrong");
    assert_eq!((failed, wrong), (12, 0));
}
