//! `etalon gen`: problems of a family.

use clap::Args;
use clap::builder::PossibleValuesParser;
use etalon_conformance::{all_families, generate};
use serde_json::json;

use super::console::{Console, table};
use super::written::RecordArgs;
use super::{Ending, Fatal, Result};

/// Generate problems of a family, one record each. The same arguments give the same bytes on every
/// machine.
#[derive(Args)]
#[command(after_help = "\
Example: etalon gen murty --n 8 --count 100 --seed 7 > problems.jsonl
         etalon gen cone --law convex --degenerate --n 12 --count 10 > cones.jsonl")]
pub struct Generate {
    /// The family; --list names them
    #[arg(required_unless_present = "list", value_parser = family(), hide_possible_values = true)]
    family: Option<String>,

    /// For the family cone: the law of friction
    #[arg(long, value_name = "LAW", value_parser = ["coulomb", "convex"])]
    law: Option<String>,

    /// For the family cone: grazing contacts, forces on the boundary without slip, contacts without friction
    #[arg(long)]
    degenerate: bool,

    /// For the family cone: repeated contacts, so that W is singular
    #[arg(long, conflicts_with = "degenerate")]
    redundant: bool,

    /// The number of rows
    #[arg(long, value_name = "N", required_unless_present = "list")]
    n: Option<usize>,

    /// The number of problems
    #[arg(long, value_name = "K", default_value_t = 1)]
    count: u64,

    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// List the families
    #[arg(long, conflicts_with_all = ["family", "n"])]
    list: bool,

    #[command(flatten)]
    records: RecordArgs,
}

impl Generate {
    /// Runs the command.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let (Some(family), Some(n)) = (&self.family, self.n) else {
            console.line(if console.json {
                list_json()
            } else {
                list_text()
            })?;
            return Ok(Ending::Accepted);
        };
        self.records.check()?;
        let family = self.variant(family)?;
        let problems = generate(&family, n, self.count, self.seed);
        let problems = problems.map_err(|error| Fatal::Usage(error.to_string()))?;
        for problem in problems {
            self.records.problem(&problem, console)?;
            if console.is_closed() {
                break;
            }
        }
        Ok(Ending::Accepted)
    }
}

impl Generate {
    /// The family with what the flags ask for: `cone --law convex --degenerate` is cone-convex-degenerate.
    fn variant(&self, family: &str) -> Result<String> {
        let asked = [
            (self.law.as_deref() == Some("convex"), "-convex"),
            (self.degenerate, "-degenerate"),
            (self.redundant, "-redundant"),
        ];
        let flags = self.law.is_some() || self.degenerate || self.redundant;
        if flags && family != "cone" {
            let why = "--law, --degenerate and --redundant are for the family cone";
            return Err(Fatal::Usage(why.to_owned()));
        }
        let words = asked.into_iter().filter(|(asked, _)| *asked);
        Ok(family.to_owned() + &words.map(|(_, word)| word).collect::<String>())
    }
}

fn list_text() -> String {
    let rows = all_families().map(|family| {
        vec![
            family.name.to_owned(),
            family.sizes.to_string(),
            family.theory.word().to_owned(),
            family.description.to_owned(),
        ]
    });
    table(&["family", "n", "solutions", "what"], 0..0, rows)
}

fn list_json() -> String {
    let families = all_families().map(|family| {
        json!({
            "name": family.name,
            "description": family.description,
            "reference": family.reference,
            "theory": family.theory.word(),
            "sizes": {"min": family.sizes.min, "max": family.sizes.max, "step": family.sizes.step},
        })
    });
    json!({ "families": families.collect::<Vec<_>>() }).to_string()
}

/// The names of the families: shells complete them, and a slip is told what is near.
fn family() -> PossibleValuesParser {
    PossibleValuesParser::new(all_families().map(|family| family.name))
}
