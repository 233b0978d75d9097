//! All motions of a scene, where a step may have several solutions: a tree of steps.
//!
//! The problem of each step is enumerated exactly, with the proof that the list is whole. Solutions with the same velocity at
//! the end of the step, compared exactly and before it is rounded, make one motion. Where a set of solutions has several
//! velocities, its vertices are the motions of the tree, and the mixtures of them are told.

mod answers;

use etalon_exact::Budget;
use etalon_golden::trajectory::{Header, Line};
use etalon_lcp::{Enumeration, Number, Problem, Solver};

use self::answers::{Dictated, Lister};
use super::{Arithmetics, MotionError, MotionInstance, MotionRun, StepRecord};
use crate::space::MovingScene;

/// The scene of a tree.
#[derive(Debug, Clone, Copy)]
pub enum TreeScene<'a> {
    /// A named one.
    Named(&'a MotionInstance),
    /// One of a file.
    Moving(&'a MovingScene),
}

impl TreeScene<'_> {
    fn run<'b>(
        &self,
        solver: &'b dyn Solver,
        steps: Option<u64>,
    ) -> Result<Box<dyn MotionRun + 'b>, MotionError> {
        match *self {
            Self::Named(instance) => instance.trajectory(Arithmetics::Exact, solver, steps),
            Self::Moving(scene) => scene.run(Arithmetics::Exact, solver, steps),
        }
    }
}

/// How much may be looked at.
#[derive(Debug, Clone)]
pub struct TreeLimits {
    /// The most motions at the same time.
    pub motions: usize,
    /// For the problem of each step.
    pub budget: Budget,
}

/// The most steps of a tree: chosen, since each step of each motion is kept until the end.
pub const MAX_TREE_STEPS: u64 = 10_000;

impl Default for TreeLimits {
    fn default() -> Self {
        Self {
            motions: 256,
            budget: Budget::default(),
        }
    }
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A step cannot be taken.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// Too many steps.
    #[error(
        "a tree of all motions has at most {MAX_TREE_STEPS} steps, as each is kept until the end, and {steps} are asked for; take fewer (--steps)"
    )]
    Steps {
        /// How many.
        steps: u64,
    },
    /// Too many motions.
    #[error(
        "step {step} makes {found} motions, over the limit of {limit}; take fewer steps, or raise --motions"
    )]
    Motions {
        /// The step.
        step: u64,
        /// How many at least.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The solutions of a step's problem are not all listed.
    #[error("step {step}: not all solutions of its problem of {rows} rows are listed: {why}")]
    Unlisted {
        /// The step.
        step: u64,
        /// The size of its problem.
        rows: usize,
        /// Why.
        why: String,
    },
    /// A step has more than one problem.
    #[error(
        "step {step} looks for the point where its coefficients are taken, or for the contacts that take part, with another problem each time, so that it has no list of solutions; one problem a step has such a scheme as linear, midpoint or predicted (--scheme), with the activation all (--activation)"
    )]
    Iterates {
        /// The step.
        step: u64,
    },
    /// A step whose velocity does not follow from the solution of its problem.
    #[error("{formulation} steps have no tree: {why}")]
    Formulation {
        /// How a step becomes a problem.
        formulation: String,
        /// What to do.
        why: &'static str,
    },
}

/// All motions of a scene.
#[derive(Debug, Clone)]
pub struct MotionTree {
    /// The header of each of them.
    pub header: Header,
    /// The steps. The first is the start; each other stands after the one before it.
    pub nodes: Vec<MotionNode>,
}

/// A step, and what may follow it.
#[derive(Debug, Clone)]
pub struct MotionNode {
    /// Its number among the branches of the step before, from 1, and before it those of the steps before that: `1.2`. Only
    /// branches have numbers: a step without others beside it has the name of the step before.
    pub name: String,
    /// The step before; none of the start.
    pub parent: Option<usize>,
    /// The line of the step; that of the start has the state alone.
    pub line: Line,
    /// Listed solutions with this velocity: those that are alone, and vertices of sets.
    pub solutions: usize,
    /// The steps that may follow.
    pub children: Vec<usize>,
    /// Sets of solutions of the next step with more than one velocity.
    pub mixtures: Vec<Mixture>,
    /// Why no step follows: the next problem has no solution.
    pub ended: Option<String>,
}

/// A set of solutions with more than one velocity: all mixtures of these steps are solutions, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixture {
    /// The steps at its vertices.
    pub steps: Vec<usize>,
    /// Whether impulses may grow without end, with another velocity each.
    pub unbounded: bool,
}

impl MotionTree {
    /// The tree of a scene over so many steps, or as many as it has.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn of(
        scene: TreeScene<'_>,
        steps: Option<u64>,
        limits: &TreeLimits,
    ) -> Result<Self, TreeError> {
        let lister = Lister::new(&limits.budget);
        let run = scene.run(&lister, steps)?;
        let (header, steps) = (run.header(), run.steps());
        drop(run);
        check(&header)?;
        if steps > MAX_TREE_STEPS {
            return Err(TreeError::Steps { steps });
        }
        let start = MotionNode::of_start(&header);
        let mut tree = Self {
            header,
            nodes: vec![start],
        };
        let mut level = vec![0];
        for k in 1..=steps {
            let mut next = Vec::new();
            for &node in &level {
                tree.grow(scene, k, node, limits)?;
                next.extend(&tree.nodes[node].children);
                if next.len() > limits.motions {
                    return Err(TreeError::Motions {
                        step: k,
                        found: next.len(),
                        limit: limits.motions,
                    });
                }
            }
            level = next;
        }
        Ok(tree)
    }

    /// The last step of each motion.
    pub fn ends(&self) -> impl Iterator<Item = (usize, &MotionNode)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.children.is_empty())
    }

    /// The steps of the motion that ends there, the start first.
    pub fn motion(&self, end: usize) -> Vec<&MotionNode> {
        let up = std::iter::successors(self.nodes.get(end), |node| self.nodes.get(node.parent?));
        let mut motion: Vec<_> = up.collect();
        motion.reverse();
        motion
    }

    /// Adds what may follow a step.
    fn grow(
        &mut self,
        scene: TreeScene<'_>,
        k: u64,
        node: usize,
        limits: &TreeLimits,
    ) -> Result<(), TreeError> {
        let ahead = Ahead {
            scene,
            k,
            before: &self.nodes[node].line,
        };
        let branches = match ahead.branches(&limits.budget)? {
            Some(branches) => branches,
            None => {
                let none = format!("the problem of step {k} has no solution, which is proved");
                self.nodes[node].ended = Some(none);
                return Ok(());
            }
        };
        let first = self.nodes.len();
        let alone = branches.ways.len() == 1;
        for (number, way) in (1..).zip(&branches.ways) {
            let before = &self.nodes[node].name;
            let name = match (alone, before.is_empty()) {
                (true, _) => before.clone(),
                (false, true) => format!("{number}"),
                (false, false) => format!("{before}.{number}"),
            };
            self.nodes.push(MotionNode {
                name,
                parent: Some(node),
                line: way.line.clone(),
                solutions: way.solutions,
                children: Vec::new(),
                mixtures: Vec::new(),
                ended: None,
            });
        }
        self.nodes[node].children = (first..self.nodes.len()).collect();
        let mixtures = branches.mixtures.into_iter().map(|own| Mixture {
            steps: own.steps.iter().map(|way| first + way).collect(),
            ..own
        });
        self.nodes[node].mixtures = mixtures.collect();
        Ok(())
    }
}

impl MotionNode {
    fn of_start(header: &Header) -> Self {
        let start = &header.start;
        Self {
            name: String::new(),
            parent: None,
            line: Line {
                q: start.q.clone(),
                v: start.v.clone(),
                momentum: start.momentum.clone(),
                energy: start.energy.clone().unwrap_or_default(),
                ..Line::default()
            },
            solutions: 1,
            children: Vec::new(),
            mixtures: Vec::new(),
            ended: None,
        }
    }
}

/// Refuses steps that have no problem whose solution decides the velocity.
fn check(header: &Header) -> Result<(), TreeError> {
    let formulation = header.formulation.clone().unwrap_or_default();
    let why = match (&*formulation, header.cone.as_deref()) {
        ("egan-trinkle", _) | ("first-order", None) => {
            "each line lists all solutions already (family, pieces)"
        }
        ("chakraborty-berard", _) => {
            "a step is a system of equations, of which one problem is solved at a time"
        }
        (_, Some("circular")) => {
            "solutions in the circular cone cannot be listed; take a pyramid (--cone pyramid:4)"
        }
        _ => return Ok(()),
    };
    Err(TreeError::Formulation { formulation, why })
}

/// The step that is to be taken.
struct Ahead<'a> {
    scene: TreeScene<'a>,
    k: u64,
    before: &'a Line,
}

/// What may follow.
#[derive(Default)]
struct Branches {
    ways: Vec<Way>,
    mixtures: Vec<Mixture>,
}

impl Branches {
    /// Adds what follows another compression; steps with the same velocity are one.
    fn join(&mut self, more: Self) {
        let mut places = Vec::with_capacity(more.ways.len());
        for way in more.ways {
            let known = self
                .ways
                .iter()
                .position(|own| own.velocity == way.velocity);
            if let Some(known) = known {
                self.ways[known].solutions += way.solutions;
            } else {
                self.ways.push(way);
            }
            places.push(known.unwrap_or(self.ways.len() - 1));
        }
        self.mixtures
            .extend(more.mixtures.into_iter().map(|own| Mixture {
                steps: own.steps.iter().map(|way| places[*way]).collect(),
                ..own
            }));
    }
}

/// A step by a solution.
struct Way {
    velocity: Vec<Number>,
    z: Vec<Number>,
    solutions: usize,
    line: Line,
}

impl Ahead<'_> {
    fn take(&self, solver: &dyn Solver) -> Result<(Line, StepRecord), MotionError> {
        let mut run = self.scene.run(solver, Some(self.k))?;
        if self.before.k > 0 {
            run.resume(self.before)?;
        }
        run.advance_recorded()
    }

    /// All steps that may be taken; `None` where there is provably none. An impact by Poisson's law has those after each of its
    /// compressions.
    fn branches(&self, budget: &Budget) -> Result<Option<Branches>, TreeError> {
        let Some(compressions) = self.compressions(budget)? else {
            return self.after(None, budget);
        };
        let mut all = Branches::default();
        for compression in compressions {
            // Theory excludes that a decompression has no solution.
            if let Some(more) = self.after(Some(&compression), budget)? {
                all.join(more);
            }
        }
        Ok((!all.ways.is_empty()).then_some(all))
    }

    /// The compressions of the step that differ in what they leave to the decompression: the velocity that it begins from and the
    /// impulses that restitution owes, exactly. None of a step that is no impact of two phases.
    fn compressions(&self, budget: &Budget) -> Result<Option<Vec<Vec<Number>>>, TreeError> {
        let lister = Lister::new(budget);
        // What keeps the step from being taken is told by what follows.
        let _ = self.take(&lister);
        let listed = lister.listed();
        let Some(problem) = listed.compression.problem else {
            return Ok(None);
        };
        let unlisted = |why: &str| TreeError::Unlisted {
            step: self.k,
            rows: problem.n(),
            why: why.to_owned(),
        };
        if let Some(why) = &listed.compression.failure {
            return Err(unlisted(&format!("of its compression: {why}")));
        }
        let found = listed.compression.found;
        let found = found.filter(|own| own.complete).ok_or_else(|| {
            unlisted("of its compression a set has more vertices than a list holds")
        })?;
        let (mut known, mut distinct) = (Vec::new(), Vec::new());
        let mut number = |z: &Vec<Number>| -> Result<usize, TreeError> {
            let left = self.left_by(z)?;
            Ok(known
                .iter()
                .position(|own| *own == left)
                .unwrap_or_else(|| {
                    known.push(left);
                    distinct.push(z.clone());
                    known.len() - 1
                }))
        };
        for z in &found.isolated {
            number(z)?;
        }
        for face in &found.faces {
            let corners = face.vertices.iter().map(&mut number);
            let mut corners = corners.collect::<Result<Vec<_>, _>>()?;
            for ray in &face.rays {
                corners.push(number(&sum(&face.vertices[0], ray))?);
            }
            // Between two that differ there are others without end, each with motions of its own.
            if corners.iter().any(|own| *own != corners[0]) {
                return Err(unlisted(
                    "its compression has a set of solutions that leave different impulses to its decompression, so that its motions are no list; take another scene, or Newton's law (\"impact\": \"newton\")",
                ));
            }
        }
        Ok(Some(distinct))
    }

    /// What a compression leaves: the decompression's q, and the velocity without its impulses.
    fn left_by(&self, compression: &[Number]) -> Result<(Vec<Number>, Vec<Number>), TreeError> {
        let none = Dictated {
            compression: Some(compression),
            z: None,
        };
        let (_, record) = self.take(&none)?;
        let still = vec![Number::from(0); record.problem.n()];
        Ok((record.problem.q().to_vec(), velocity(&record, &still)?))
    }

    /// All steps that may be taken after a compression, or where there is none; `None` where there is provably none.
    fn after(
        &self,
        compression: Option<&[Number]>,
        budget: &Budget,
    ) -> Result<Option<Branches>, TreeError> {
        let lister = Lister::new(budget).after(compression);
        let taken = self.take(&lister);
        let listed = lister.listed().last;
        if listed.several {
            return Err(TreeError::Iterates { step: self.k });
        }
        let unlisted = |why: String| TreeError::Unlisted {
            step: self.k,
            rows: listed.problem.as_ref().map_or(0, Problem::n),
            why,
        };
        if let Some(why) = listed.failure.clone() {
            return Err(unlisted(why));
        }
        if listed.unsolvable {
            return Ok(None);
        }
        let (line, record) = taken?;
        let Some(found) = listed.found.as_ref() else {
            // Nothing touches.
            let way = Way {
                velocity: Vec::new(),
                z: Vec::new(),
                solutions: 1,
                line,
            };
            return Ok(Some(Branches {
                ways: vec![way],
                mixtures: Vec::new(),
            }));
        };
        if !found.complete {
            return Err(unlisted(
                "a set has more vertices than a list holds".to_owned(),
            ));
        }
        self.sorted(found, &record, compression).map(Some)
    }

    /// The listed solutions by velocity, those with the least impulses first.
    fn sorted(
        &self,
        found: &Enumeration,
        record: &StepRecord,
        compression: Option<&[Number]>,
    ) -> Result<Branches, TreeError> {
        let mut ways: Vec<Way> = Vec::new();
        let mut of = |z: &Vec<Number>| -> Result<usize, TreeError> {
            let velocity = velocity(record, z)?;
            if let Some(known) = ways.iter().position(|own| own.velocity == velocity) {
                ways[known].solutions += 1;
                return Ok(known);
            }
            let (line, _) = self.take(&Dictated::by(compression, z))?;
            ways.push(Way {
                velocity,
                z: z.clone(),
                solutions: 1,
                line,
            });
            Ok(ways.len() - 1)
        };
        for z in &found.isolated {
            of(z)?;
        }
        let mut mixtures = Vec::new();
        for face in &found.faces {
            let corners = face.vertices.iter().map(&mut of);
            let mut steps = corners.collect::<Result<Vec<usize>, _>>()?;
            steps.sort_unstable();
            steps.dedup();
            let unbounded = grows(record, &face.vertices, &face.rays)?;
            if steps.len() > 1 || unbounded {
                mixtures.push(Mixture { steps, unbounded });
            }
        }
        let push = |way: &Way| -> f64 {
            way.line
                .contacts
                .iter()
                .map(|own| own.normal.to_f64())
                .sum()
        };
        let mut order: Vec<usize> = (0..ways.len()).collect();
        // Of equal impulses those with the smaller solution first: an order that no machine changes.
        order.sort_by(|&a, &b| {
            let impulses = push(&ways[a]).total_cmp(&push(&ways[b]));
            impulses.then_with(|| values(&ways[a].z).cmp(&values(&ways[b].z)))
        });
        for own in &mut mixtures {
            for step in &mut own.steps {
                *step = order.iter().position(|way| way == step).unwrap_or_default();
            }
            own.steps.sort_unstable();
        }
        let mut ways: Vec<Option<Way>> = ways.into_iter().map(Some).collect();
        let ways = order.iter().filter_map(|&way| ways[way].take()).collect();
        Ok(Branches { ways, mixtures })
    }
}

fn values(z: &[Number]) -> Vec<rug::Rational> {
    z.iter().map(Number::to_rational).collect()
}

fn velocity(record: &StepRecord, z: &[Number]) -> Result<Vec<Number>, TreeError> {
    record.exact_velocity(z).ok_or(TreeError::Formulation {
        formulation: "these".to_owned(),
        why: "the velocity does not follow from the solution alone",
    })
}

/// Whether some ray changes the velocity.
fn grows(
    record: &StepRecord,
    vertices: &[Vec<Number>],
    rays: &[Vec<Number>],
) -> Result<bool, TreeError> {
    let Some(corner) = vertices.first() else {
        return Ok(false);
    };
    let still = velocity(record, corner)?;
    for ray in rays {
        if velocity(record, &sum(corner, ray))? != still {
            return Ok(true);
        }
    }
    Ok(false)
}

fn sum(z: &[Number], along: &[Number]) -> Vec<Number> {
    let entries = z.iter().zip(along);
    let entry =
        |(z, along): (&Number, &Number)| Number::from(z.to_rational() + along.to_rational());
    entries.map(entry).collect()
}

#[cfg(test)]
mod tests;
