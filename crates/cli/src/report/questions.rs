//! The questions of a report: generated problems, and those of files.

use std::path::PathBuf;

use clap::Args;
use etalon_conformance::Deadline;

use super::super::console::Console;
use super::super::diff::{Asked, Choice};
use super::super::jobs::JobArgs;
use super::plan::Plan;
use crate::{Fatal, Result};

/// Which problems are asked.
#[derive(Debug, Clone, Args)]
pub struct QuestionArgs {
    /// Problem files and trajectories, and folders of them, to send beside the families
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The seed of the generated problems
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// The families of generated problems (etalon gen --list names them); `none` leaves them out
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "pd,psd,p,wall,friction-four,degenerate"
    )]
    families: Vec<String>,

    /// The sizes of generated problems; a family without a size takes its next larger one
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "5,10,20,40,80,160"
    )]
    sizes: Vec<usize>,

    /// The number of problems of each family and size
    #[arg(long, value_name = "K", default_value_t = 3)]
    count: u64,

    #[command(flatten)]
    jobs: JobArgs,
}

impl QuestionArgs {
    /// The questions, small ones first; a note says what there was no time to make or read.
    pub fn questions(
        &self,
        deadline: &Deadline<'_>,
        console: &Console,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Asked>> {
        let families: &[String] = match &*self.families {
            [none] if none == "none" => &[],
            families => families,
        };
        let plan = Plan {
            families,
            sizes: &self.sizes,
            count: self.count,
            seed: self.seed,
        };
        let mut late = 0;
        let mut questions = plan.questions(deadline, &mut late)?;
        if !self.paths.is_empty() {
            // All that any solver can: each is sent what it says that it can.
            let can = "boxes,friction,cones,cones-convex,cones-product,unsolvable".parse();
            let can = can.map_err(|error| Fatal::Usage(format!("{error}")))?;
            let choice = Choice {
                paths: &self.paths,
                only: None,
                can: &can,
                steps: true,
                // What cannot be asked any more is not worth reading.
                until: Some(&deadline.part(1, 2)),
            };
            let more = choice.questions(&self.jobs, console)?;
            if more.unreadable {
                let why = "some of the problems cannot be read; no report is made of the rest";
                return Err(Fatal::Usage(why.to_owned()));
            }
            late += more.unread;
            questions.extend(more.sent);
            questions.sort_by_key(|asked| asked.problem.n());
        }
        if late > 0 {
            notes.push(format!(
                "Not run: out of budget. {late} of the problems that were asked for were not even made or read; --budget gives more time."
            ));
        } else if questions.is_empty() {
            let why =
                "there is nothing to ask: name problems, or --families and --sizes that have some";
            return Err(Fatal::Usage(why.to_owned()));
        }
        Ok(questions)
    }
}
