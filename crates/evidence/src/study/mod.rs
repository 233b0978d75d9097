//! Tables and plots of the papers, made from runs: each study is a page that holds what comes out
//! beside what is published, with what differs and why.
//!
//! Pages hold no times and nothing of the machine. Studies in exact arithmetic are the same bytes
//! everywhere; those in binary64 show fewer digits than machines differ in.

mod balls;
mod drift;
mod energy;
mod gap;
mod indeterminate;
mod page;
mod pair;
mod pivots;
mod rod;
mod run;
mod sizes;

use etalon_scenarios::ScenarioError;
use etalon_scenarios::motion::MotionError;

pub use page::{Block, Page, StudyTable};

use crate::plot::PlotError;

/// A named page of tables and plots.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// The name, unique, and that of its file.
    pub name: &'static str,
    /// Its purpose, in one sentence.
    pub about: &'static str,
    /// Whether it takes seconds and not minutes.
    pub quick: bool,
    make: fn() -> Result<Page, StudyError>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A study that there is not.
    #[error("{0:?} is no study; the studies are {list}", list = names())]
    Unknown(String),
    /// A scene that there is not, or a value out of its range.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A run that ends early.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A tree of motions that there is not.
    #[error(transparent)]
    Tree(Box<etalon_scenarios::motion::tree::TreeError>),
    /// Goldens that cannot be read.
    #[error(transparent)]
    Golden(#[from] etalon_golden::ReadError),
    /// A plot that cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A run without what the study looks for.
    #[error("{scenario}: there is no {what}")]
    Missing {
        /// The scene.
        scenario: String,
        /// The missing part.
        what: &'static str,
    },
}

impl Study {
    /// Runs everything that the page shows.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn page(&self) -> Result<Page, StudyError> {
        (self.make)()
    }
}

/// All studies.
pub fn studies() -> &'static [Study] {
    const ALL: &[Study] = &[
        Study {
            name: "rod",
            about: "The falling rod of Stewart and Trinkle: times of contact, figures 2 to 5, convergence in h",
            quick: true,
            make: rod::page,
        },
        Study {
            name: "four-balls",
            about: "The four balls of Stewart and Trinkle: Table I, figures 6 to 8, errors of rotations, sizes of the collision",
            quick: false,
            make: balls::page,
        },
        Study {
            name: "two-balls",
            about: "The first test of balls of Stewart and Trinkle: a throw that lands first, and one that does not",
            quick: false,
            make: pair::page,
        },
        Study {
            name: "drift",
            about: "Gaps by Stewart and Trinkle's steps, of positions, and by Moreau and Jean's, of velocities, against h",
            quick: false,
            make: drift::page,
        },
        Study {
            name: "sizes",
            about: "Sizes of problems by the formulas of Trinkle and Nguyen, beside those of the slides",
            quick: true,
            make: sizes::page,
        },
        Study {
            name: "pivots",
            about: "Pivots of lexicographic Lemke against the size of problems, in scenes that grow",
            quick: true,
            make: pivots::page,
        },
        Study {
            name: "energy",
            about: "Energy over time: schemes of the rod, the ellipse that blows up, wheels of many sides",
            quick: true,
            make: energy::page,
        },
        Study {
            name: "indeterminate",
            about: "Steps with several solutions: Painleve's rods as h goes to 0, trees of motions, outcomes of the cradle by law",
            quick: true,
            make: indeterminate::page,
        },
        Study {
            name: "gap",
            about: "Pyramids and the convex law measured as answers to Coulomb's law, on logged problems",
            quick: false,
            make: gap::page,
        },
    ];
    ALL
}

/// The study of that name.
///
/// # Errors
/// [`StudyError::Unknown`].
pub fn find_study(name: &str) -> Result<&'static Study, StudyError> {
    let found = studies().iter().find(|study| study.name == name);
    found.ok_or_else(|| StudyError::Unknown(name.to_owned()))
}

fn names() -> String {
    let names: Vec<_> = studies().iter().map(|study| study.name).collect();
    names.join(", ")
}
