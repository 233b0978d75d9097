//! The planar engine's speed as a ratio to real time: seconds on the processor for each simulated
//! second, below 1 where it keeps up.
//!
//! `cargo run --release -p etalon-benches --bin engine`; `--seconds 20` simulates more.

use clap::Parser;
use cpu_time::ThreadTime;
use etalon_planar::{Keep, Nobody, Watch, World, WorldSpec, named};

/// Measures the planar engine against real time.
#[derive(Parser)]
struct Arguments {
    /// How many seconds of each world are simulated
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
}

/// A world, and what is asked of it.
struct Case {
    name: &'static str,
    scene: WorldSpec,
    watched: bool,
    /// The largest ratio that is good enough.
    limit: f64,
}

fn cases() -> Vec<Case> {
    let rough = |mut scene: WorldSpec| {
        for body in &mut scene.bodies {
            body.friction = 0.5;
        }
        scene
    };
    let at_sixty = |mut scene: WorldSpec| {
        scene.settings.time_step = 1.0 / 60.0;
        scene
    };
    let case = |name, scene, watched, limit| Case {
        name,
        scene: at_sixty(scene),
        watched,
        limit,
    };
    vec![
        case(
            "6 blocks that fall and settle",
            named::blocks(6),
            false,
            1.0,
        ),
        case("6 blocks, every LCP judged", named::blocks(6), true, 0.25),
        case("pile of 30 at rest", named::pile(30), false, 1.0),
        case(
            "6 blocks with friction, every LCP judged",
            rough(named::blocks(6)),
            true,
            0.25,
        ),
        case(
            "pile of 30 with friction",
            rough(named::pile(30)),
            false,
            1.0,
        ),
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    println!("| world, 60 steps a second | steps | LCPs judged | wrong | of one core | enough |");
    println!("|---|---:|---:|---:|---:|---|");
    for case in cases() {
        let mut world = World::new(case.scene)?;
        let mut watch = Watch::new(Keep::Wrong);
        let begun = ThreadTime::now();
        while world.time() < arguments.seconds {
            match case.watched {
                true => world.step_with(&mut watch)?,
                false => world.step_with(&mut Nobody)?,
            }
        }
        let ratio = begun.elapsed().as_secs_f64() / world.time();
        let (verdicts, steps) = (watch.verdicts(), world.totals().steps);
        let enough = if ratio <= case.limit { "yes" } else { "no" };
        let Case { name, limit, .. } = case;
        println!(
            "| {name} | {steps} | {} | {} | {ratio:.4} | {enough} (limit {limit}) |",
            verdicts.judged, verdicts.wrong
        );
    }
    Ok(())
}
