//! Covers: binary trees over complementary choices that account for every possible solution.
//!
//! Every solution of the mixed LCP has z_i = 0 or w_i = 0 on each complementary row, so it
//! survives at least one child of every branch and reaches at least one leaf. A leaf that is
//! proved empty holds none; if all are, there is no solution. A leaf that is one point holds
//! that solution; a face, on which all rows are chosen, consists of solutions.
//!
//! Multipliers of bounds need not be unique where z is: a leaf may also be one point in the first
//! entries of z alone, and its other entries whatever they are.

use etalon_lcp::{Cover, CoverNode, MixedLcp, Number};
use rug::{Integer, Rational};

use crate::CertificateError;
use crate::farkas::{Choice, check_length, check_negative, check_signs, no_choices};
use crate::integers::{ExactVector, Form, IntegerRows};
use crate::matrix_class::{check_elimination, check_elimination_work};

/// All that a checked cover leaves room for, in the variables of the mixed form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Covered {
    /// Points that are alone in their leaf, as far as their own entries go, as often as leaves hold
    /// them.
    pub points: Vec<Vec<Rational>>,
    /// Faces: the solutions given on each, at least one.
    pub faces: Vec<Vec<Vec<Rational>>>,
}

impl Covered {
    /// Whether there is no solution.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.faces.is_empty()
    }
}

/// Checks a cover and returns what it leaves room for.
///
/// # Errors
/// The node and the condition that fails there.
pub fn check_cover(lcp: &MixedLcp, cover: &Cover) -> Result<Covered, CertificateError> {
    check_cover_of(lcp, lcp.n(), cover)
}

/// The same with points that are alone in their leaf as far as their first `own` entries go: all
/// points of the leaf have these.
pub(crate) fn check_cover_of(
    lcp: &MixedLcp,
    own: usize,
    cover: &Cover,
) -> Result<Covered, CertificateError> {
    let checker = Checker {
        lcp,
        own,
        rows: IntegerRows::new(lcp)?,
    };
    let mut covered = Covered::default();
    let mut visited = 0;
    let mut path = Path::new(no_choices(lcp));
    let mut stack = vec![Visit::root()];
    while let Some(visit) = stack.pop() {
        let index = visit.node;
        let at_node = |error: CertificateError| error.at(format!("node {index}"));
        path.go_to(&visit);
        let node = cover.nodes.get(index);
        let node = node.ok_or_else(|| CertificateError::new("there is no such node"));
        visited += 1;
        match node.map_err(at_node)? {
            CoverNode::Branch {
                row,
                z_zero,
                w_zero,
            } => {
                if path.choices.get(*row) != Some(&Choice::Open) {
                    let error = format!("row {row} is not open for a choice here");
                    return Err(at_node(CertificateError::new(error)));
                }
                // Children after parents, and no node twice: a tree, so the walk ends.
                if *z_zero <= index || *w_zero <= index || z_zero == w_zero {
                    return Err(at_node(CertificateError::new(
                        "a child must come after its parent",
                    )));
                }
                for (node, choice) in [(*z_zero, Choice::ZZero), (*w_zero, Choice::WZero)] {
                    let depth = path.taken.len();
                    let choice = Some((*row, choice));
                    stack.push(Visit {
                        node,
                        depth,
                        choice,
                    });
                }
                if visited + stack.len() > cover.nodes.len() {
                    return Err(at_node(CertificateError::new("two branches share a node")));
                }
            }
            leaf => checker
                .leaf(leaf, &path.choices, &mut covered)
                .map_err(at_node)?,
        }
    }
    if visited != cover.nodes.len() {
        return Err(CertificateError::new(
            "some nodes are not reached from node 0",
        ));
    }
    Ok(covered)
}

/// A node still to be visited: below `depth` choices, and one more.
struct Visit {
    node: usize,
    depth: usize,
    choice: Option<(usize, Choice)>,
}

impl Visit {
    fn root() -> Self {
        let (node, depth, choice) = (0, 0, None);
        Self {
            node,
            depth,
            choice,
        }
    }
}

/// The choices on the way to the node being visited. They are taken back one by one, so that a
/// deep tree on many rows costs no more memory than a shallow one.
struct Path {
    choices: Vec<Choice>,
    taken: Vec<usize>,
}

impl Path {
    fn new(choices: Vec<Choice>) -> Self {
        let taken = Vec::new();
        Self { choices, taken }
    }

    fn go_to(&mut self, visit: &Visit) {
        for row in self.taken.drain(visit.depth..) {
            self.choices[row] = Choice::Open;
        }
        if let Some((row, choice)) = visit.choice {
            self.choices[row] = choice;
            self.taken.push(row);
        }
    }
}

struct Checker<'a> {
    lcp: &'a MixedLcp,
    /// How many entries of a point have to be alone in its leaf.
    own: usize,
    rows: IntegerRows,
}

impl Checker<'_> {
    fn leaf(
        &self,
        leaf: &CoverNode,
        choices: &[Choice],
        covered: &mut Covered,
    ) -> Result<(), CertificateError> {
        match leaf {
            CoverNode::Empty { y } => {
                let form = self.combine(y)?;
                check_signs(&form, choices)?;
                check_negative(&form)
            }
            CoverNode::Point { y, z } => {
                let z = exact(z);
                self.check_member(&z, choices)?;
                self.check_alone(&self.combine(y)?, choices)?;
                covered.points.push(z);
                Ok(())
            }
            CoverNode::Face { vertices, rays } => {
                if choices.contains(&Choice::Open) {
                    return Err(CertificateError::new("a face needs a choice for every row"));
                }
                if vertices.is_empty() {
                    return Err(CertificateError::new("a face needs at least one solution"));
                }
                let vertices: Vec<_> = vertices.iter().map(|vertex| exact(vertex)).collect();
                for vertex in &vertices {
                    self.check_member(vertex, choices)?;
                }
                for ray in rays {
                    self.check_direction(&exact(ray), choices)?;
                }
                covered.faces.push(vertices);
                Ok(())
            }
            _ => Err(CertificateError::new(
                "a kind of node that this checker does not know",
            )),
        }
    }

    fn combine(&self, y: &[Number]) -> Result<Form, CertificateError> {
        check_length("y", y.len(), self.lcp.n())?;
        self.rows.combine(y)
    }

    /// z is a solution that honours the choices.
    fn check_member(&self, z: &[Rational], choices: &[Choice]) -> Result<(), CertificateError> {
        self.check_values(z, choices, false)?;
        Ok(())
    }

    /// One can go in this direction for ever: the same conditions with q = 0.
    fn check_direction(&self, z: &[Rational], choices: &[Choice]) -> Result<(), CertificateError> {
        if z.iter().all(Rational::is_zero) {
            return Err(CertificateError::new("a ray is zero"));
        }
        self.check_values(z, choices, true)
    }

    fn check_values(
        &self,
        z: &[Rational],
        choices: &[Choice],
        direction: bool,
    ) -> Result<(), CertificateError> {
        check_length("z", z.len(), self.lcp.n())?;
        let vector = ExactVector::new(z.to_vec());
        for (i, choice) in choices.iter().enumerate() {
            let row = self.rows.row(i);
            let (mut w, _) = vector.row_sums(row);
            if direction {
                w -= Rational::from((&row.q, &row.denominator));
            }
            let complementary = z[i] >= 0 && w >= 0;
            let fits = match choice {
                Choice::Free => w == 0,
                Choice::ZZero => complementary && z[i] == 0,
                Choice::WZero => complementary && w == 0,
                Choice::Open => complementary && (z[i] == 0 || w == 0),
            };
            if !fits {
                return Err(CertificateError::new(format!(
                    "z breaks the conditions of row {i}"
                )));
            }
        }
        Ok(())
    }

    /// With q'y = 0 the form y'w - (M'y)'z vanishes on the leaf; all its terms being
    /// nonnegative, each is 0. The equations known so far leave the own entries one value at most
    /// if no solution of the homogeneous ones has an own entry, which is so if their columns are
    /// independent of each other and of the other columns.
    fn check_alone(&self, form: &Form, choices: &[Choice]) -> Result<(), CertificateError> {
        check_signs(form, choices)?;
        if form.q_y != 0 {
            return Err(CertificateError::new("q'y is not 0"));
        }
        let n = check_elimination(self.lcp.n())?;
        let w_zero = (0..n)
            .filter(|&i| matches!(choices[i], Choice::WZero | Choice::Free) || form.y[i] != 0);
        let z_zero = |j: usize| choices[j] == Choice::ZZero || form.mt_y[j] != 0;
        let position: Vec<Option<usize>> = (0..n)
            .scan(0, |next, j| {
                let here = (!z_zero(j)).then_some(*next);
                *next += usize::from(here.is_some());
                Some(here)
            })
            .collect();
        let open = position.iter().flatten().count();
        let equations = w_zero.map(|i| {
            let mut equation = vec![Integer::new(); open];
            for (j, value) in &self.rows.row(i).entries {
                if let Some(column) = position[*j] {
                    equation[column].clone_from(value);
                }
            }
            equation
        });
        let equations: Vec<Vec<Integer>> = equations.collect();
        let bits = equations.iter().flatten().map(Integer::significant_bits);
        check_elimination_work(n, bits.max().unwrap_or(1))?;
        let own = position[..self.own].iter().flatten().count();
        let others = equations.iter().map(|equation| equation[own..].to_vec());
        let others = rank(others.collect());
        if rank(equations) == own + others {
            return Ok(());
        }
        Err(CertificateError::new(
            "the equations leave more than one point",
        ))
    }
}

fn exact(values: &[Number]) -> Vec<Rational> {
    values.iter().map(Number::to_rational).collect()
}

/// The rank of an integer matrix, by fraction-free elimination.
fn rank(mut rows: Vec<Vec<Integer>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut previous = Integer::from(1);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&i| rows[i][column] != 0) else {
            continue;
        };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let pivot_row = &done[rank];
        for row in rest {
            let factor = std::mem::take(&mut row[column]);
            for (value, above) in row.iter_mut().zip(pivot_row).skip(column + 1) {
                *value *= &pivot_row[column];
                *value -= &factor * above;
                value.div_exact_mut(&previous);
            }
        }
        previous.clone_from(&pivot_row[column]);
        rank += 1;
    }
    rank
}
