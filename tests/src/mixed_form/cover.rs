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

use super::budget::{Budget, Held, bits};
use super::farkas::{Choice, check_length, check_negative, check_signs, no_choices};
use super::integers::{ExactVector, Form, IntegerRows, exact};
use super::matrix_class::check_elimination;
use super::{CertificateError, ensure};

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

/// An operation on short numbers takes as long as so many products of words.
const SHORT: u64 = 1 << 7;

/// Checks a cover and returns what it leaves room for, with points that are alone in their leaf as far
/// as their first `own` entries go: all points of the leaf have these.
pub(crate) fn check_cover_within(
    lcp: &MixedLcp,
    own: usize,
    cover: &Cover,
    budget: &Budget,
) -> Result<Covered, CertificateError> {
    let mut checker = Checker {
        lcp,
        own,
        rows: IntegerRows::new(lcp, budget)?,
        budget,
        points: Vec::new(),
        covered: Covered::default(),
    };
    let mut reached = vec![false; cover.nodes.len()];
    let mut stack = vec![(0, no_choices(lcp), budget.hold(0, 0)?)];
    while let Some((index, choices, _held)) = stack.pop() {
        let at_node = |error: CertificateError| error.at(format!("node {index}"));
        let ensure = |holds, why: &str| ensure(holds, why).map_err(at_node);
        ensure(index < reached.len(), "there is no such node")?;
        ensure(!reached[index], "two branches share a node")?;
        reached[index] = true;
        let node = &cover.nodes[index];
        let CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } = node
        else {
            checker.leaf(node, &choices).map_err(at_node)?;
            continue;
        };
        let is_open = choices.get(*row) == Some(&Choice::Open);
        ensure(is_open, "its row is not open for a choice here")?;
        let after = *z_zero > index && *w_zero > index;
        ensure(after, "a child must come after its parent")?;
        for (node, choice) in [(*z_zero, Choice::ZZero), (*w_zero, Choice::WZero)] {
            let mut choices = choices.clone();
            choices[*row] = choice;
            stack.push((node, choices, budget.hold(1, 8 * lcp.n() as u64)?));
        }
    }
    let all = reached.into_iter().all(|reached| reached);
    ensure(all, "some nodes are not reached from node 0")?;
    Ok(checker.covered)
}

struct Checker<'a> {
    lcp: &'a MixedLcp,
    /// How many entries of a point have to be alone in its leaf.
    own: usize,
    rows: IntegerRows<'a>,
    budget: &'a Budget,
    /// What the points found take.
    points: Vec<Held<'a>>,
    covered: Covered,
}

impl Checker<'_> {
    fn leaf(&mut self, leaf: &CoverNode, choices: &[Choice]) -> Result<(), CertificateError> {
        match leaf {
            CoverNode::Empty { y } => {
                let form = self.combine(y)?;
                check_signs(&form, choices)?;
                check_negative(&form)
            }
            CoverNode::Point { y, z } => {
                let z = self.member(z, choices)?;
                self.check_alone(&self.combine(y)?, choices)?;
                self.covered.points.push(z);
                Ok(())
            }
            CoverNode::Face { vertices, rays } => {
                let is_open = choices.contains(&Choice::Open);
                ensure(!is_open, "a face needs a choice for every row")?;
                ensure(!vertices.is_empty(), "a face needs at least one solution")?;
                for ray in rays {
                    self.check_direction(ray, choices)?;
                }
                let vertices = vertices.iter().map(|vertex| self.member(vertex, choices));
                let vertices = vertices.collect::<Result<_, _>>()?;
                self.covered.faces.push(vertices);
                Ok(())
            }
            _ => Err(CertificateError::new(
                "a kind of node that this checker does not know",
            )),
        }
    }

    fn combine(&self, y: &[Number]) -> Result<Form<'_>, CertificateError> {
        check_length("y", y.len(), self.lcp.n())?;
        self.budget.multiply(SHORT * self.rows.entries, 1, 1)?;
        Ok(self.rows.combine(y)?)
    }

    /// z is a solution that honours the choices.
    fn member(
        &mut self,
        z: &[Number],
        choices: &[Choice],
    ) -> Result<Vec<Rational>, CertificateError> {
        let (z, held) = exact(z, self.budget)?;
        self.check_values(&z, choices, false)?;
        self.points.push(held);
        Ok(z)
    }

    /// One can go in this direction for ever: the same conditions with q = 0.
    fn check_direction(&self, z: &[Number], choices: &[Choice]) -> Result<(), CertificateError> {
        let (z, _held) = exact(z, self.budget)?;
        ensure(!z.iter().all(Rational::is_zero), "a ray is zero")?;
        self.check_values(&z, choices, true)
    }

    fn check_values(
        &self,
        z: &[Rational],
        choices: &[Choice],
        direction: bool,
    ) -> Result<(), CertificateError> {
        check_length("z", z.len(), self.lcp.n())?;
        self.budget.multiply(4 * SHORT * self.rows.entries, 1, 1)?;
        let vector = ExactVector::new(z, self.budget)?;
        let zero = Integer::new();
        for (i, choice) in choices.iter().enumerate() {
            let row = self.rows.row(i);
            let q = if direction { &zero } else { &row.q };
            let w = vector.sums_with(row, q, self.budget)?.w;
            let complementary = z[i] >= 0 && w >= 0;
            let fits = match choice {
                Choice::Free => w == 0,
                Choice::ZZero => complementary && z[i] == 0,
                Choice::WZero => complementary && w == 0,
                Choice::Open => complementary && (z[i] == 0 || w == 0),
            };
            ensure(fits, format_args!("z breaks the conditions of row {i}"))?;
        }
        Ok(())
    }

    /// With q'y = 0 the form y'w - (M'y)'z vanishes on the leaf. All its terms are nonnegative, so
    /// each is 0. The equations known so far leave the own entries at most one value if no solution of
    /// the homogeneous equations has an own entry. That holds if the columns of the own entries are
    /// independent of each other and of the other columns.
    fn check_alone(&self, form: &Form<'_>, choices: &[Choice]) -> Result<(), CertificateError> {
        check_signs(form, choices)?;
        ensure(form.q_y == 0, "q'y is not 0")?;
        let n = check_elimination(self.lcp.n())?;
        let w_zero = (0..n)
            .filter(|&i| matches!(choices[i], Choice::WZero | Choice::Free) || form.y[i] != 0);
        let z_zero = |j: usize| choices[j] == Choice::ZZero || form.mt_y[j] != 0;
        let open: Vec<usize> = (0..n).filter(|&j| !z_zero(j)).collect();
        let prime = Integer::from(PRIME);
        let mut equations = Vec::new();
        let w_zero: Vec<usize> = w_zero.collect();
        for &i in &w_zero {
            let mut equation = vec![0; n];
            for (j, value) in &self.rows.row(i).entries {
                self.budget.multiply(1, bits(value), 64)?;
                let rest = Integer::from(value.modulo_ref(&prime));
                equation[*j] = rest.to_u64().unwrap_or(0);
            }
            equations.push(equation);
        }
        self.budget.multiply((n * n * n) as u64, 64, 64)?;
        // Where multipliers are free the equations have to be counted exactly: modulo a prime an own
        // entry that depends on them may look as if it did not.
        let alone = has_full_rank(equations, &open)
            || self.own < n && self.own_are_alone(&w_zero, &open)?;
        ensure(alone, "the equations leave more than one point")
    }

    /// Whether the own columns are independent of each other and of the others, in these rows: by
    /// fraction-free elimination (Bareiss 1968), the other columns first.
    fn own_are_alone(&self, rows: &[usize], open: &[usize]) -> Result<bool, CertificateError> {
        let own = open.iter().filter(|&&j| j < self.own);
        let columns: Vec<usize> = open
            .iter()
            .filter(|&&j| j >= self.own)
            .chain(own)
            .copied()
            .collect();
        let longest = rows.iter().map(|&i| self.rows.row(i).longest()).max();
        // Entries are minors of at most so many rows: Hadamard's bound.
        let steps = columns.len().min(rows.len()) as u64;
        let minor = steps * (longest.unwrap_or(0) + 64);
        let entries = rows.len() as u64 * columns.len() as u64;
        let _held = self.budget.hold(entries, entries.saturating_mul(minor))?;
        self.budget.multiply(3 * entries * steps, minor, minor)?;
        let mut matrix: Vec<Vec<Integer>> = Vec::new();
        for &i in rows {
            let entries: std::collections::BTreeMap<_, _> = self
                .rows
                .row(i)
                .entries
                .iter()
                .map(|(j, value)| (*j, value))
                .collect();
            let entry = |j: &usize| {
                entries
                    .get(j)
                    .map_or_else(Integer::new, |value| (*value).clone())
            };
            matrix.push(columns.iter().map(entry).collect());
        }
        let mut previous = Integer::from(1);
        let mut rank = 0;
        for (column, &j) in columns.iter().enumerate() {
            let Some(pivot) = (rank..matrix.len()).find(|&i| matrix[i][column] != 0) else {
                if j < self.own {
                    return Ok(false);
                }
                continue;
            };
            matrix.swap(rank, pivot);
            let (done, rest) = matrix.split_at_mut(rank + 1);
            let above = &done[rank];
            for row in rest {
                let factor = std::mem::take(&mut row[column]);
                for (value, above_it) in row.iter_mut().zip(above).skip(column + 1) {
                    *value *= &above[column];
                    *value -= &factor * above_it;
                    value.div_exact_mut(&previous);
                }
            }
            previous.clone_from(&above[column]);
            rank += 1;
        }
        Ok(true)
    }
}

/// Equations are counted modulo 2^61 - 1: what is independent there is independent.
const PRIME: u64 = (1 << 61) - 1;

/// Whether the columns of the rows are independent modulo [`PRIME`]: then some minor of all of them
/// is not a multiple of it, so not 0.
fn has_full_rank(mut rows: Vec<Vec<u64>>, columns: &[usize]) -> bool {
    // 2^61 is 1, so the upper and the lower bits of a product may be added.
    let times = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 61) as u64 + (product as u64 & PRIME)
    };
    for &column in columns {
        let Some(pivot) = rows.iter().position(|row| row[column] != 0) else {
            return false;
        };
        let pivot = rows.swap_remove(pivot);
        for row in rows.iter_mut().filter(|row| row[column] != 0) {
            let (own, other) = (pivot[column], PRIME - row[column]);
            for (value, above) in row.iter_mut().zip(&pivot) {
                *value = (times(*value, own) + times(*above, other)) % PRIME;
            }
        }
    }
    true
}
