//! The page.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use etalon_benches::case::FAMILIES;
use etalon_benches::machine::Machine;
use etalon_benches::profile::{Profile, profiles};
use etalon_benches::table::{percent, ratio, render, seconds};
use etalon_evidence::plot::{Axes, Line, PlotError, PlotFrame, svg};
use etalon_fast::FastMethod;

use crate::allocations::{self, Allocations};
use crate::further;
use crate::growth::{self, Growth};
use crate::measure::{Measurement, What};
use crate::outliers::{self, Spread};
use crate::peers;
use crate::ratios::{targets, typical};
use crate::real::{self, Suite};

/// All that was measured.
pub struct Figures {
    /// Where.
    pub machine: Machine,
    /// The most memory held, in MiB: by the sparse problems, and by all.
    pub peak: [Option<u64>; 2],
    /// Dense problems, and sparse ones made dense.
    pub measurements: Vec<Measurement>,
    /// The seed of the second measurement.
    pub seed: u64,
    /// The problems of this seed.
    pub again: Vec<Measurement>,
    /// Whether `dgesv` is one of the LUs.
    pub has_dgesv: bool,
    /// The solvers of others, as they were named on the command line.
    pub solvers: Vec<String>,
    /// Their times.
    pub peers: Vec<peers::Record>,
    /// Many problems of each family and size.
    pub outliers: Vec<Spread>,
    /// Sparse problems kept sparse.
    pub sparse: Vec<Growth>,
    /// Real problems.
    pub real: BTreeMap<String, Suite>,
    /// Allocations.
    pub allocations: Vec<Allocations>,
}

const ABOUT: &str = "\
# Performance

This page gives the time of the solvers in binary64 in units of dense LU of the same matrix, and the time of certainty in units of theirs. It is written by

    cargo run --release -p etalon-benches --bin performance

Contenders take turns on each problem, and the tables show medians and their ratios. Figures of one run can be compared; times of different
machines cannot. Everything runs on one thread, and only processor time counts, so another load disturbs little but
the caches. *Best LU* is the time of one right-hand side by the fastest of nalgebra's and faer's LU with partial pivoting{dgesv}. *Fast* is `fast-auto` in a workspace that has seen the size before; for sparse M from n = 64 on, the sparse
method with nothing kept. *Warm* alternates between two problems in one workspace, each started from the other's
solution, its places and z (`Start::Solution`). Their entries all differ by up to 1%: the second matrix is D M D with D within 1% of the identity, so
semidefinite and friction problems stay in their class.
Problems are those of `etalon gen FAMILY --seed 1`, three of each size up to n = 300 and one at 1000; sizes that a family does not
have are the next larger. What stands under *drawn seed* was measured in the same run on as many problems of `--seed {seed}`, a seed that the
program drew from the clock.
";

/// What `dgesv` is, where it was measured.
const DGESV: &str = ", and of OpenBLAS's `dgesv`. The latter runs in a process of its own, `adapters/openblas_dgesv.cpp`, right after the others";

impl Figures {
    /// Writes `performance.md` and the plots beside it.
    pub fn write(&self, docs: &Path) -> Result<(), Box<dyn Error>> {
        let plots = docs.join("performance");
        std::fs::create_dir_all(&plots)?;
        let profiles = profile(&self.measurements);
        std::fs::write(plots.join("profile.svg"), plot_profile(&profiles)?)?;
        let growths = self.growths();
        std::fs::write(plots.join("growth.svg"), growth::plot(&growths)?)?;
        std::fs::write(docs.join("performance.md"), self.page(&profiles, &growths))?;
        Ok(())
    }

    fn growths(&self) -> Vec<Growth> {
        let dense = growth::dense(&self.measurements).into_iter();
        let lu = growth::lu(&self.measurements);
        dense
            .chain(self.sparse.iter().cloned())
            .chain([lu])
            .collect()
    }

    fn page(&self, profiles: &[Profile], growths: &[Growth]) -> String {
        let (first, missed) = targets(&self.measurements);
        let all = &self.measurements;
        let dgesv = if self.has_dgesv { DGESV } else { "" };
        let about = ABOUT
            .replace("{dgesv}", dgesv)
            .replace("{seed}", &self.seed.to_string());
        let mut page = format!("{about}\nMeasured on: {}.\n", self.machine);
        let mut section = |title: &str, text: &str, table: &str| {
            let text = if text.is_empty() {
                String::new()
            } else {
                format!("{text}\n\n")
            };
            let _ = write!(page, "\n## {title}\n\n{text}{table}\n");
        };
        let (again, missed_again) = targets(&self.again);
        let text = format!(
            "Medians, with the limit in parentheses; the {missed} of 24 that miss it are in bold. *Certified* is the whole answer, proposal included. The *sign-only certificate* is the time of `solve_proving` less that of `solve`: the same answer, with the proof that its places are those of an exact solution."
        );
        section("Targets", &text, &first);
        let text = format!("The same for the drawn seed; {missed_again} of 24 miss the limit.");
        section("Targets, drawn seed", &text, &again);
        section("What was tried", "", include_str!("tried.md").trim_end());
        let further = further::table(all, &self.sparse, self.peak);
        section("Further targets", "Certified: proposal included.", &further);
        for (seed, measured) in [("", all), (", drawn seed", &self.again)] {
            section(
                &format!("Every family, cold{seed}"),
                "Fast / best LU; times at the largest n.",
                &families(measured, Measurement::fast, Measurement::lu, self.lus()),
            );
            section(
                &format!("Every family, warm{seed}"),
                "Warm / best LU; times at the largest n.",
                &families(measured, Measurement::warm, Measurement::lu, &[]),
            );
            section(
                &format!("Every family, warm in units of cold{seed}"),
                "Both are the mean of the problem and the one 1% away; warm times at the largest n.",
                &families(measured, Measurement::warm, Measurement::cold_both, &[]),
            );
        }
        let text = format!(
            "Ratios to the best LU of this process: the median, the value that 95 of 100 problems do not exceed, and the worst, of the problems of seed {}. *Warm / cold* is in units of the cold solution of the same two problems. *Certified* is the whole answer, proposal included; it is left out where the certified route gives up.",
            self.seed
        );
        section("Outliers", &text, &outliers::table(&self.outliers));
        section(
            "Certainty",
            "Times, and in parentheses the ratio to fast. *Fast, proved* is the whole fast solution with its signs proved on the way. The other columns come after a fast solution: *exact basis* makes its final basis exact, *signs* proves its signs in floating point from the basis alone, and *exact Lemke* pivots exactly from nothing. `-`: not asked, or undecided (exact zeros).",
            &certainty(all),
        );
        section("Growth", &self.growth_text(), &growth::table(growths));
        section(
            "Methods against each other",
            "The share of all problems above that a method solves within a factor of the fastest of the four (Dolan and More 2002). Dantzig takes symmetric positive semidefinite M only.\n\n![Performance profile](performance/profile.svg)",
            &profile_table(profiles),
        );
        section(
            "Real problems",
            "Goldens of other projects and of papers. Most problems that are not solved have no solution, or none within rounding.",
            &real::table(&self.real),
        );
        section(
            "Allocations",
            "Counted, not timed. A test holds the last two columns at 0 for the dense methods; `fast-auto` hands a large sparse matrix to the sparse method, which takes memory.",
            &allocations::table(&self.allocations),
        );
        if !self.solvers.is_empty() {
            section("Peers", &self.peers_text(), &peers::table(&self.peers));
        }
        page
    }

    fn peers_text(&self) -> String {
        format!(
            "Solvers of other projects on the same problems of seed 1, in the same run:\n\n```text\n{}\n```\n\nEach was asked three times, and the median of the times that it reports counts, in units of the best LU. The table has those whose answers were accepted on every problem of the family and size, the fastest first. Calls through Python cost some microseconds, which matters at n = 10.",
            self.solvers.join("\n")
        )
    }

    /// The LUs that were timed, with the heads of their columns.
    fn lus(&self) -> &'static [(What, &'static str)] {
        const ALL: [(What, &str); 3] = [
            (What::Nalgebra, "nalgebra LU"),
            (What::Faer, "faer LU"),
            (What::Dgesv, "dgesv"),
        ];
        if self.has_dgesv { &ALL } else { &ALL[..2] }
    }

    fn growth_text(&self) -> String {
        let [sparse, all] = self
            .peak
            .map(|peak| peak.map_or("?".to_owned(), |mib| mib.to_string()));
        format!(
            "Cold, fitted on logarithmic axes. The sparse problems took at most {sparse} MiB, generating them included; the whole run {all} MiB.\n\n![Time against n](performance/growth.svg)"
        )
    }
}

const SIZES: [usize; 5] = [10, 30, 100, 300, 1000];

/// Ratios to a unit by family and size, and the times of the largest.
fn families(
    all: &[Measurement],
    of: fn(&Measurement) -> Option<f64>,
    unit: fn(&Measurement) -> Option<f64>,
    beside: &[(What, &'static str)],
) -> String {
    let rows = FAMILIES.iter().map(|family| {
        let name = [family.name];
        let ratios = SIZES.map(|n| ratio(typical(all, &name, n, |m| Some(of(m)? / unit(m)?))));
        let largest = SIZES
            .into_iter()
            .rev()
            .find(|&n| typical(all, &name, n, of).is_some());
        let at = |of: &dyn Fn(&Measurement) -> Option<f64>| {
            seconds(largest.and_then(|n| typical(all, &name, n, of)))
        };
        let times = beside.iter().map(|&(what, _)| at(&|m| m.seconds(what)));
        let cells = ratios.into_iter().chain([at(&of)]).chain(times);
        [family.label.to_owned()].into_iter().chain(cells).collect()
    });
    let mut header = vec!["family", "n = 10", "30", "100", "300", "1000", "time"];
    header.extend(beside.iter().map(|(_, head)| *head));
    render(&header, 1, rows)
}

fn certainty(all: &[Measurement]) -> String {
    let mut rows = Vec::new();
    for family in ["pd", "psd", "wall", "friction-four", "friction-eight", "p"] {
        for n in SIZES {
            let name = [family];
            let cell = |what| {
                let time = typical(all, &name, n, |m| m.seconds(what));
                let over = typical(all, &name, n, |m| Some(m.seconds(what)? / m.fast()?));
                match time {
                    Some(_) => format!("{} ({})", seconds(time), ratio(over)),
                    None => "-".to_owned(),
                }
            };
            let Some(measured) = all
                .iter()
                .find(|m| m.family.name == family && m.nominal == n)
            else {
                continue;
            };
            rows.push(vec![
                measured.family.label.to_owned(),
                measured.n.to_string(),
                seconds(typical(all, &name, n, Measurement::fast)),
                cell(What::Proving),
                cell(What::Certified),
                cell(What::Signs),
                cell(What::Exact),
            ]);
        }
    }
    render(
        &[
            "family",
            "n",
            "fast",
            "fast, proved",
            "exact basis",
            "signs",
            "exact Lemke",
        ],
        1,
        rows,
    )
}

fn profile(measurements: &[Measurement]) -> Vec<Profile> {
    let time = |m: &Measurement| {
        FastMethod::ALL
            .map(|method| m.seconds(What::Cold(method)))
            .to_vec()
    };
    let times: Vec<_> = measurements.iter().map(time).collect();
    profiles(&FastMethod::ALL.map(FastMethod::name), &times)
}

fn profile_table(profiles: &[Profile]) -> String {
    let share = |share: f64| percent((share * 1e4).round() as u64, 10_000);
    let rows = profiles.iter().map(|profile| {
        let within = [1.0, 2.0, 5.0, 10.0].map(|factor| share(profile.within(factor)));
        let solved = share(profile.solved());
        [profile.name.clone()]
            .into_iter()
            .chain(within)
            .chain([solved])
            .collect()
    });
    render(
        &["% within a factor of", "1", "2", "5", "10", "solved"],
        1,
        rows,
    )
}

fn plot_profile(profiles: &[Profile]) -> Result<String, PlotError> {
    const WIDEST: f64 = 100.0;
    let lines: Vec<_> = profiles
        .iter()
        .map(|profile| Line {
            name: profile.name.clone(),
            points: profile.staircase(WIDEST),
            marked: false,
        })
        .collect();
    let frame = PlotFrame {
        title: "Share of problems solved within a factor of the fastest",
        x: "factor",
        y: "share",
        axes: Axes::Share,
    };
    svg(&frame, &lines)
}

#[cfg(test)]
mod tests {
    /// The page is not measured anew for each sentence, so that both are edited alike.
    #[test]
    fn the_page_has_what_was_tried_as_it_stands() {
        let page = include_str!("../../../../docs/performance.md");
        assert!(page.contains(include_str!("tried.md").trim_end()));
    }
}
