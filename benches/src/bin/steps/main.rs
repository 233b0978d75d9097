//! How many steps of scenes in motion a second has room for, exact and in binary64, against their contacts.

mod cases;
mod contest;
mod worlds;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use etalon_benches::machine::Machine;
use etalon_benches::table::render;

use cases::CASES;
use contest::measure;

/// Take steps of scenes in motion exactly and in binary64, in turn, and count them. Takes some minutes.
#[derive(Parser)]
#[command(after_help = "\
Example: cargo run --release -p etalon-benches --bin steps -- --page docs/steps-a-second.md")]
struct Arguments {
    /// Processor seconds after which the first run of a scene ends; the others take as many steps
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    limit: f64,

    /// Only scenes with this in their names
    #[arg(long, value_name = "TEXT", default_value = "")]
    scene: String,

    /// Write the page there and not to standard output
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let limit = Duration::try_from_secs_f64(arguments.limit)?;
    let machine = Machine::here();
    let mut rows = Vec::new();
    for case in CASES
        .iter()
        .filter(|own| own.scene.contains(&arguments.scene))
    {
        eprintln!("{}", case.label());
        rows.push(measure(case, limit)?);
    }
    let header = [
        "scene",
        "method",
        "contacts",
        "rows",
        "steps",
        "exact",
        "asked",
        "fast",
        "fast / exact",
    ];
    let scenes = render(&header, 2, rows);
    let mut worlds = Vec::new();
    for (label, world) in worlds::worlds() {
        if label.contains(&arguments.scene) {
            eprintln!("{label}");
            worlds.push(worlds::measure(&label, &world, limit)?);
        }
    }
    let header = ["world", "contacts", "steps", "steps a second", "judged"];
    let page = include_str!("about.md")
        .replace("{machine}", &machine.to_string())
        .replace("{limit}", &arguments.limit.to_string())
        .replace("{scenes}", &scenes)
        .replace("{worlds}", &render(&header, 1, worlds));
    match &arguments.page {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(())
}
