//! Scenes to start from, for so many bodies; the registry of scenarios gives them names and parameters.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use crate::geometry::Path;
use crate::scene::{BodySpec, Connector, ForceLaw, Frame, WorldSpec};
use crate::settings::Settings;

/// One to six bodies between four walls, as the contact simulation of myPhysicsLab starts: blocks
/// of 1 m by 3 m and irregular quadrilaterals, frictionless, gravity 3 m/s^2, elasticity 0.8.
pub fn blocks(count: usize) -> WorldSpec {
    // Block or quadrilateral, x, y, angle, vx, vy, spin.
    let starts: [(bool, [f64; 3], [f64; 3]); 6] = [
        (false, [-3.4, 0.0, 0.0], [0.3858, -0.3608, -0.3956]),
        (true, [-1.8, 0.0, 0.0], [0.26993, -0.01696, -0.30647]),
        (false, [2.0, -0.113, 0.0], [-0.29445, -0.11189, -0.23464]),
        (true, [1.36, 2.5, -FRAC_PI_4], [-0.45535, -0.37665, 0.36526]),
        (true, [-2.0, 2.5, FRAC_PI_2 + 0.1], [0.0, 0.0, 0.0]),
        (false, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ];
    let mut bodies = walls([-4.5, -3.6], [3.1, 4.0]);
    for (k, (block, at, velocity)) in starts.into_iter().take(count).enumerate() {
        let name = format!("block{}", k + 1);
        let body = if block {
            rectangle(name, 1.0, 3.0)
        } else {
            quadrilateral(name)
        };
        let body = body.at(at[0], at[1], at[2]);
        bodies.push(body.with_velocity(velocity[0], velocity[1], velocity[2]));
    }
    for body in &mut bodies {
        body.elasticity = 0.8;
    }
    WorldSpec {
        bodies,
        forces: vec![ForceLaw::Gravity { g: 3.0 }],
        ..WorldSpec::default()
    }
}

/// Blocks in rows of a pyramid on the floor, each half a gap above those below, with elasticity 0.
pub fn pile(count: usize) -> WorldSpec {
    let (width, height, gap) = (1.0, 0.5, Settings::default().distance_tolerance / 2.0);
    let mut rows = Vec::new();
    let mut base = 1;
    while base * (base + 1) / 2 < count {
        base += 1;
    }
    let mut left = count;
    for row in (1..=base).rev() {
        rows.push(row.min(left));
        left -= row.min(left);
    }
    let span = base as f64 * (width + 0.2) + 2.0;
    let mut bodies = walls([-span, 0.0], [span, 3.0 * base as f64]);
    for (level, &blocks) in rows.iter().enumerate() {
        for k in 0..blocks {
            let x = (k as f64 - (base - level) as f64 / 2.0 + 0.5) * (width + 0.2);
            let y = (height + gap) * level as f64 + height / 2.0 + gap;
            bodies
                .push(rectangle(format!("block{}", bodies.len() - 3), width, height).at(x, y, 0.0));
        }
    }
    for body in &mut bodies {
        body.elasticity = 0.0;
    }
    WorldSpec {
        bodies,
        forces: vec![ForceLaw::Gravity { g: 9.81 }],
        ..WorldSpec::default()
    }
}

/// A stack of blocks of falling width, each half a gap above the one below, with elasticity 0.
pub fn stack(count: usize) -> WorldSpec {
    let gap = Settings::default().distance_tolerance / 2.0;
    let mut bodies = walls([-5.0, 0.0], [5.0, count as f64 + 2.0]);
    for k in 0..count {
        let width = 3.0 - 2.0 * k as f64 / count.max(1) as f64;
        let y = (0.5 + gap) * k as f64 + 0.25 + gap;
        bodies.push(rectangle(format!("block{}", k + 1), width, 0.5).at(0.0, y, 0.0));
    }
    for body in &mut bodies {
        body.elasticity = 0.0;
    }
    WorldSpec {
        bodies,
        forces: vec![ForceLaw::Gravity { g: 9.81 }],
        ..WorldSpec::default()
    }
}

/// Balls of one size in a row, hung up by rods of joints; the first is lifted.
pub fn cradle(count: usize) -> WorldSpec {
    let (radius, length) = (0.5, 3.0);
    let gap = Settings::default().distance_tolerance / 2.0;
    let mut bodies = vec![BodySpec::fixed("ceiling", Path::default())];
    let mut connectors = Vec::new();
    for k in 0..count {
        let name = format!("ball{}", k + 1);
        let angle: f64 = if k == 0 { -FRAC_PI_4 } else { 0.0 };
        let hook = [k as f64 * (2.0 * radius + gap), length];
        let (sin, cos) = angle.sin_cos();
        let at = [hook[0] + length * sin, hook[1] - length * cos];
        let inertia = 0.5 * radius * radius;
        let ball =
            BodySpec::moving(&*name, Path::ball(radius), 1.0, inertia).at(at[0], at[1], angle);
        bodies.push(ball);
        for normal in [[1.0, 0.0], [0.0, 1.0]] {
            connectors.push(Connector::Joint {
                body: "ceiling".to_owned(),
                at: hook,
                other: name.clone(),
                other_at: [0.0, length],
                normal,
                frame: Frame::World,
            });
        }
    }
    WorldSpec {
        bodies,
        connectors,
        forces: vec![ForceLaw::Gravity { g: 9.81 }],
        ..WorldSpec::default()
    }
}

/// Balls of different elasticity that fall on the floor.
pub fn bounce(count: usize) -> WorldSpec {
    let mut bodies = walls([0.0, 0.0], [1.5 * count as f64 + 1.5, 8.0]);
    for k in 0..count {
        let elasticity = 1.0 - k as f64 / count.max(2) as f64;
        let ball = BodySpec::moving(format!("ball{}", k + 1), Path::ball(0.5), 1.0, 0.125);
        let ball = ball.at(1.5 * (k + 1) as f64, 5.0, 0.0);
        bodies.push(ball.with_elasticity(elasticity));
    }
    WorldSpec {
        bodies,
        forces: vec![ForceLaw::Gravity { g: 3.0 }],
        ..WorldSpec::default()
    }
}

fn rectangle(name: String, width: f64, height: f64) -> BodySpec {
    let inertia = (width * width + height * height) / 12.0;
    BodySpec::moving(name, Path::rectangle(width, height), 1.0, inertia)
}

/// A quadrilateral around its centre of mass, 1 kg.
fn quadrilateral(name: String) -> BodySpec {
    // The corners of a square of half diagonal 1 m, two of them drawn in.
    let corners = [[1.0, 0.0], [0.0, 0.8], [-0.9, 0.0], [0.0, -1.0]];
    let (mut area, mut cx, mut cy, mut polar) = (0.0, 0.0, 0.0, 0.0);
    let next = corners.iter().cycle().skip(1);
    for ([x0, y0], [x1, y1]) in corners.iter().zip(next) {
        let cross = x0 * y1 - x1 * y0;
        area += cross / 2.0;
        cx += (x0 + x1) * cross / 6.0;
        cy += (y0 + y1) * cross / 6.0;
        polar += (x0 * x0 + x0 * x1 + x1 * x1 + y0 * y0 + y0 * y1 + y1 * y1) * cross / 12.0;
    }
    let (cx, cy) = (cx / area, cy / area);
    let inertia = polar / area - (cx * cx + cy * cy);
    let mut body = BodySpec::moving(name, Path::polygon(&corners), 1.0, inertia);
    body.center_of_mass = [cx, cy];
    body
}

/// Four walls around a room, elasticity 1.
fn walls(low: [f64; 2], high: [f64; 2]) -> Vec<BodySpec> {
    let (width, height, thick) = (high[0] - low[0], high[1] - low[1], 1.0);
    let (x, y) = ((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0);
    let out = thick / 2.0;
    let wall = |name: &str, width: f64, height: f64, x: f64, y: f64| {
        BodySpec::fixed(name, Path::rectangle(width, height)).at(x, y, 0.0)
    };
    vec![
        wall("floor", width + 2.0 * thick, thick, x, low[1] - out),
        wall("ceiling", width + 2.0 * thick, thick, x, high[1] + out),
        wall("left", thick, height, low[0] - out, y),
        wall("right", thick, height, high[0] + out, y),
    ]
}
