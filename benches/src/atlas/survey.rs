//! One matrix with all its right-hand sides, and blocks of matrices.

use etalon_exact::Ties;

use super::cramer::cells::Covering;
use super::cramer::class::Classes;
use super::cramer::cones::{Cones, Solutions};
use super::cramer::lemke::{Walk, both};
use super::cramer::system::Bases;
use super::cramer::{Matrix, Vector};
use super::exact::Asked;
use super::grid::Grid;
use super::tally::Tally;

/// Which problems the solvers of `etalon-exact` are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Ask {
    /// None
    None,
    /// Those of one matrix of each orbit under permutations of rows and columns, with enumeration and
    /// Lemke's method
    Representatives,
    /// All, with all methods and the checker
    All,
}

impl std::fmt::Display for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Representatives => "representatives",
            Self::All => "all",
        })
    }
}

/// What was counted and where the engines differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// The histogram.
    pub tally: Tally,
    /// Problems that the solvers of `etalon-exact` were asked.
    pub asked: u64,
    /// The disagreements.
    pub differ: Vec<String>,
}

impl Survey {
    /// Adds another one.
    pub fn extend(&mut self, other: Self) {
        self.tally.extend(&other.tally);
        self.asked += other.asked;
        self.differ.extend(other.differ);
    }

    /// The matrices of a range of indices; unless all problems are asked, the orbits whose first index is in
    /// it.
    pub fn block(grid: Grid, indices: std::ops::Range<u64>, ask: Ask) -> Self {
        let mut survey = Self::default();
        for index in indices {
            if ask == Ask::All {
                survey.matrix(grid, index, 1, ask);
                continue;
            }
            let orbit = grid.orbit(index);
            if orbit[0] == index {
                let known = survey.matrix(grid, index, 1, ask);
                for other in &orbit[1..] {
                    let own = survey.matrix(grid, *other, 1, Ask::None);
                    if own != known {
                        let text = format!(
                            "matrix {other} is matrix {index} reordered, but its counts differ"
                        );
                        survey.differ.push(text);
                    }
                }
            }
        }
        survey
    }

    /// One matrix, every `stride`-th right-hand side. Returns what no reordering of rows and columns changes: its
    /// classes, how its cells are covered, and the counts of solutions.
    pub fn matrix(&mut self, grid: Grid, index: u64, stride: usize, ask: Ask) -> Invariant {
        let m = grid.matrix(index);
        let one = OneMatrix::new(&m);
        let covering = &one.covering;
        let degree = covering
            .degree
            .map_or("-".to_owned(), |own| own.to_string());
        let line = format!(
            "matrices\t{}\t{}\t{}\t{degree}",
            one.classes, covering.least, covering.most
        );
        self.tally.add(&line, 1);
        let mut counts = Counts::default();
        let mut solutions = Solutions::default();
        for k in (0..grid.vectors()).step_by(stride) {
            let q = grid.vector(k);
            one.cones.solve(&q, &mut solutions);
            let walks = both(&m, &q);
            let feasible = !solutions.is_empty() || one.feasible.reach(&q);
            counts.add(feasible, &solutions, &walks);
            if ask != Ask::None {
                self.asked += 1;
                if let Err(why) = self.ask(&one, &q, &solutions, &walks, ask) {
                    self.differ
                        .push(format!("M = {:?}, q = {q:?}: {why}", m.rows));
                }
            }
        }
        counts.flush(one.classes, &mut self.tally);
        let solutions = counts.solutions();
        (one.classes, one.covering, solutions)
    }

    fn ask(
        &mut self,
        one: &OneMatrix,
        q: &Vector,
        solutions: &Solutions,
        walks: &[Walk; 2],
        ask: Ask,
    ) -> Result<(), String> {
        let asked = Asked::new(&one.m, q)?;
        asked.compare_solutions(solutions)?;
        asked.compare_lemke(Ties::Lexicographic, &walks[0])?;
        asked.compare_lemke(Ties::FirstRow, &walks[1])?;
        if ask == Ask::All {
            asked.compare_classes(one.classes)?;
            asked.compare_decision(solutions)?;
            let solved = asked.pivoting()?;
            let solvable = if solutions.is_empty() { "none" } else { "some" };
            for (method, solved) in [
                ("dantzig", solved.dantzig),
                ("least-index", solved.least_index),
            ] {
                let end = if solved { "solved" } else { "stopped" };
                let line = format!("methods\t{}\t{solvable}\t{method}\t{end}", one.classes);
                self.tally.add(&line, 1);
            }
        }
        Ok(())
    }
}

/// What no reordering of rows and columns changes.
pub type Invariant = (Classes, Covering, Vec<(usize, u64)>);

/// A matrix with what is computed once for all right-hand sides.
struct OneMatrix {
    m: Matrix,
    cones: Cones,
    feasible: Bases,
    covering: Covering,
    classes: Classes,
}

impl OneMatrix {
    fn new(m: &Matrix) -> Self {
        let cones = Cones::new(m);
        let covering = Covering::new(m, &cones);
        let classes = Classes::new(m, &cones, &covering);
        Self {
            m: *m,
            feasible: Bases::new(m.n, &m.columns()),
            cones,
            covering,
            classes,
        }
    }
}

/// The largest number of pivots that is counted by itself.
const MOST_PIVOTS: usize = 31;

/// The counts of one matrix: by feasibility, solutions and ends of the two runs, and by pivots.
#[derive(Default)]
struct Counts {
    problems: std::collections::HashMap<Kind, u64>,
    pivots: std::collections::HashMap<(usize, &'static str, usize), u64>,
}

/// Feasible, isolated solutions, faces, the ends of the lexicographic and of the plain run.
type Kind = (bool, usize, usize, &'static str, &'static str);

impl Counts {
    fn add(&mut self, feasible: bool, solutions: &Solutions, walks: &[Walk; 2]) {
        let (isolated, faces) = (solutions.isolated.len(), solutions.faces.len());
        let [perturbed, plain] = walks.map(|walk| walk.end.word());
        *self
            .problems
            .entry((feasible, isolated, faces, perturbed, plain))
            .or_default() += 1;
        for (rule, walk) in walks.iter().enumerate() {
            let key = (rule, walk.end.word(), walk.pivots.min(MOST_PIVOTS));
            *self.pivots.entry(key).or_default() += 1;
        }
    }

    /// How many problems have each number of isolated solutions and faces, 16 times the one plus the other.
    fn solutions(&self) -> Vec<(usize, u64)> {
        let mut counts = std::collections::BTreeMap::new();
        for ((_, isolated, faces, ..), count) in &self.problems {
            *counts.entry(16 * isolated + faces).or_default() += count;
        }
        counts.into_iter().collect()
    }

    fn flush(&self, classes: Classes, tally: &mut Tally) {
        for ((feasible, isolated, faces, perturbed, plain), count) in &self.problems {
            let feasible = if *feasible { "feasible" } else { "infeasible" };
            let line = format!(
                "problems\t{classes}\t{feasible}\t{isolated}\t{faces}\t{perturbed}\t{plain}"
            );
            tally.add(&line, *count);
        }
        for ((rule, end, pivots), count) in &self.pivots {
            let rule = ["lexicographic", "first-row"][*rule];
            tally.add(&format!("pivots\t-\t{rule}\t{end}\t{pivots}"), *count);
        }
    }
}
