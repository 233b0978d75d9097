//! Scenes in which bodies rest.

use super::scene::{Body, Scene, Touch, Vector, plus};

/// The corners of the lower face of a box of half-widths `half`.
fn corners(half: Vector) -> [Vector; 4] {
    [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]
        .map(|[x, y]| [x * half[0], y * half[1], -half[2]])
}

/// Boxes on each other, the lowest on the ground; each touches the one below at four corners.
fn stack(masses: &[f64]) -> Scene {
    let half = [0.5, 0.25, 0.25];
    let mut scene = Scene::default();
    for (k, mass) in masses.iter().enumerate() {
        scene.bodies.push(Body::ball(*mass, 0.5));
        for corner in corners(half) {
            let touch = Touch::ground(k, corner);
            scene.touches.push(match k.checked_sub(1) {
                None => touch,
                Some(below) => touch.upon(below, plus(corner, [0.0, 0.0, 0.5])),
            });
        }
    }
    scene
}

/// A wall of bricks: each stands with its ends on two below, or on one at the wall's ends, and on the ground.
pub fn bricks(width: usize, height: usize) -> Scene {
    let half = [0.4, 0.5, 0.5];
    let shift = |level: usize| if level % 2 == 1 { 0.5 } else { 0.0 };
    let mut scene = Scene::default();
    for k in 0..width * height {
        let (level, column) = (k / width, k % width);
        scene.bodies.push(Body::ball(1.0 + (k % 3) as f64, 0.5));
        for arm in corners(half) {
            let touch = Touch::ground(k, arm);
            let place = column as f64 + shift(level) + arm[0];
            scene.touches.push(match level.checked_sub(1) {
                None => touch,
                Some(below) => {
                    let nearest = (place - shift(below))
                        .round()
                        .clamp(0.0, width as f64 - 1.0);
                    let under = below * width + nearest as usize;
                    touch.upon(under, [place - shift(below) - nearest, arm[1], 0.5])
                }
            });
        }
    }
    scene
}

/// Named scenes in which bodies rest, alone or beside others that move.
pub fn scenes() -> Vec<(String, Scene)> {
    let mut all: Vec<(String, Scene)> = Vec::new();
    let mut add = |name: &str, scene: Scene| all.push((name.to_owned(), scene));
    // The body of the issue: A = 2 I, 9.81 on one to four corners.
    let issue = |count: usize, arms: [Vector; 4]| {
        let mut body = Body::ball(2.0, 1.0);
        body.load[2] = -9.81;
        let touches = arms[..count].iter().map(|arm| Touch::ground(0, *arm));
        Scene {
            bodies: vec![body],
            touches: touches.collect(),
            joints: vec![],
        }
    };
    let flat = corners([1.0, 1.0, 0.0]);
    add("point", issue(1, [[0.0; 3]; 4]));
    add("edge", issue(2, [flat[0], flat[3], flat[1], flat[2]]));
    add(
        "three",
        issue(
            3,
            [
                [1.0, 0.0, 0.0],
                [-1.0, 1.0, 0.0],
                [-1.0, -1.0, 0.0],
                [0.0; 3],
            ],
        ),
    );
    add("four", issue(4, flat));
    for masses in [
        &[1.0][..],
        &[1.0, 2.0],
        &[1.0, 1.0, 1.0],
        &[1e6, 1.0],
        &[1.0, 1e4],
        &[3.0; 8],
    ] {
        add(&format!("stack {masses:?}"), stack(masses));
    }
    // It rests beside a ball in the air, and beside one that slides.
    let mut beside = stack(&[1.0, 1.0]);
    beside.bodies.push(Body::ball(1e3, 0.5));
    beside.bodies.push(Body::ball(1e-3, 0.5));
    beside.bodies[3].load[0] = 1.0;
    beside.touches.push(Touch::ground(3, [0.0, 0.0, -0.5]));
    add("beside", beside);
    // A box slides on one that rests, and is heavier or lighter.
    for mass in [1e-3, 1.0, 1e3] {
        let mut slides = stack(&[1e2, mass]);
        slides.bodies[1].load[0] = 7.0 * mass;
        slides.touches[4..]
            .iter_mut()
            .for_each(|touch| touch.discs = vec![vec![0.25; 2]]);
        add(&format!("slides {mass:?}"), slides);
    }
    // A light one slides on a heavy one, and another light one rests on it.
    for slip in [1e-1, 1e-3] {
        let mut unlike = stack(&[1e6, 1e-6]);
        unlike.bodies.push(unlike.bodies[1].clone());
        for k in 4..8 {
            let mut touch = unlike.touches[k].clone();
            touch.on.0 = 2;
            unlike.touches.push(touch);
        }
        unlike.bodies[2].load[0] = 1e-6 * 0.5 * 9.81 * (1.0 + slip);
        add(&format!("unlike {slip:?}"), unlike);
    }
    // It slides along x and rests in z and about all axes.
    let mut along = stack(&[1.0]);
    along.bodies[0].load[0] = 6.0;
    add("along", along.clone());
    // Hardly: with so much of the load that friction cannot hold. (Between these it may be given up: `docs/fast-cone.md`.)
    for slip in [1e-4, 1e-12, 1e-14] {
        along.bodies[0].load[0] = 0.5 * 9.81 * (1.0 + slip);
        add(&format!("slips {slip:?}"), along.clone());
    }
    // It spins on one corner.
    let mut spins = issue(1, [[0.0, 0.0, -0.5]; 4]);
    spins.bodies[0].load[5] = 3.0;
    add("spins", spins.clone());
    // With torsion, and with rolling: it rests.
    spins.touches[0].discs = vec![vec![0.5, 0.5, 0.5]];
    add("torsion", spins.clone());
    spins.bodies[0].load[3] = 0.2;
    spins.touches[0].discs = vec![vec![0.5, 0.5, 0.5, 0.1, 0.1]];
    add("rolling", spins.clone());
    spins.touches[0].discs = vec![vec![0.5, 0.5], vec![0.6]];
    add("two discs", spins);
    // It hangs by a joint; two do; one rests on the ground and holds another one.
    let hang = |other: Option<(usize, Vector)>, body: usize| ((body, [0.0, 0.0, 0.5]), other);
    let mut hangs = stack(&[1.0]);
    hangs.bodies.push(Body::ball(2.0, 0.5));
    hangs.joints.push(hang(None, 1));
    add("hangs", hangs.clone());
    hangs.bodies.push(Body::ball(2.0, 0.5));
    hangs.joints.push(hang(Some((1, [0.0, 0.0, -0.5])), 2));
    add("chain", hangs);
    let mut holds = stack(&[5.0]);
    holds.bodies.push(Body::ball(1.0, 0.5));
    holds
        .joints
        .push(((1, [0.25, 0.0, 0.5]), Some((0, [0.25, 0.0, 1.0]))));
    add("holds", holds.clone());
    holds.bodies[1].load[0] = 1.0;
    add("pulls", holds);
    // It leans on another one without a load of its own, and on a wall without force.
    let mut leans = stack(&[1.0, 1.0]);
    leans.touches.truncate(4);
    leans.bodies[1].load = [0.0; 6];
    let side = Touch {
        frame: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        ..Touch::ground(1, [-0.5, 0.0, 0.0])
    };
    leans.touches.push(side.clone().upon(0, [0.5, 0.0, 0.0]));
    leans.touches.push(Touch {
        on: (0, [-0.5, 0.0, 0.0]),
        ..side
    });
    add("leans", leans);
    let mut pushed = stack(&[1.0, 1.0, 1.0]);
    pushed.bodies[1].load[0] = 0.5;
    pushed.bodies[2].load[1] = -0.25;
    pushed.bodies[2].load[5] = 0.125;
    add("pushed", pushed);
    all
}
