//! Who is asked: the adapters that are installed and, where there are friction cones, this program's own methods.

use std::time::Duration;

use etalon_conformance::process::Limits;
use etalon_conformance::{Capabilities, InProcess, Subject};
use etalon_exact::Budget;
use etalon_lcp::Solver;
use etalon_methods::{Method, Pyramid, Sides};

use super::adapter::Installed;

/// A solver with what the page says of it.
pub struct Contender {
    pub name: String,
    pub project: String,
    pub version: String,
    /// How to get it.
    pub install: String,
    pub can: Capabilities,
    /// Its settings, and when an answer counts as solved.
    pub settings: String,
    start: Start,
}

/// How it is started.
enum Start {
    Adapter(Box<Installed>),
    /// Inside of this process, with the longest time of exact arithmetic.
    Own(fn(Budget) -> Box<dyn Solver + Send + Sync>),
}

impl Contender {
    /// A subject of its own, not started yet.
    pub fn subject(&self, limits: Limits) -> Box<dyn Subject + Send> {
        match &self.start {
            Start::Adapter(installed) => Box::new(installed.process(limits)),
            Start::Own(solver) => Box::new(InProcess(solver(budget(limits.timeout)))),
        }
    }

    /// Those of this program for friction cones.
    pub fn own() -> Vec<Self> {
        let pyramids = "the disc of a contact replaced by ";
        let solved = "; fast-auto, else fast-lemke, else certified";
        let polygon = |k: &str| format!("{pyramids}the hull of {k} of its points{solved}");
        vec![
            own("fast-cone", "its defaults".to_owned(), |_| {
                Method::Cone.solver(&Budget::default())
            }),
            own(
                "certified",
                "its defaults; a budget of the longest time".to_owned(),
                |budget| Method::default().solver(&budget),
            ),
            own(
                "pyramid-box",
                format!("{pyramids}the box about it{solved}"),
                |budget| Box::new(Pyramid::new(Sides::Box, budget)),
            ),
            own("pyramid-4", polygon("4"), |budget| {
                Box::new(Pyramid::new(Sides::Inscribed(4), budget))
            }),
            own("pyramid-8", polygon("8"), |budget| {
                Box::new(Pyramid::new(Sides::Inscribed(8), budget))
            }),
            own("pyramid-16", polygon("16"), |budget| {
                Box::new(Pyramid::new(Sides::Inscribed(16), budget))
            }),
        ]
    }
}

impl From<Installed> for Contender {
    fn from(installed: Installed) -> Self {
        let adapter = &installed.adapter;
        Self {
            name: adapter.name.clone(),
            project: adapter.project.clone(),
            version: installed.version.clone(),
            install: format!("`{}`", adapter.install),
            can: adapter.can.clone(),
            settings: adapter.settings.clone(),
            start: Start::Adapter(Box::new(installed)),
        }
    }
}

fn own(
    name: &str,
    settings: String,
    solver: fn(Budget) -> Box<dyn Solver + Send + Sync>,
) -> Contender {
    Contender {
        name: name.to_owned(),
        project: "Etalon".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        install: "none".to_owned(),
        can: Capabilities {
            friction: true,
            cones: true,
            convex_cones: true,
            product_cones: true,
            ..Capabilities::default()
        },
        settings,
        start: Start::Own(solver),
    }
}

fn budget(time: Duration) -> Budget {
    Budget {
        time: Some(time),
        ..Budget::default()
    }
}
