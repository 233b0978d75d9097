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

use crate::budget::{Budget, Held, bits};
use crate::farkas::{Choice, check_length, check_negative, check_signs, no_choices};
use crate::integers::{ExactVector, Form, IntegerRows, exact};
use crate::matrix_class::check_elimination;
use crate::{CertificateError, ensure};

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
    check_cover_within(lcp, lcp.n(), cover, &Budget::default())
}

/// The same with points that are alone in their leaf as far as their first `own` entries go: all
/// points of the leaf have these.
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
        points: budget.hold(0, 0)?,
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
    points: Held<'a>,
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
        self.budget.repeat(self.rows.entries)?;
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
        self.points.join(held);
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
        self.budget.repeat(4 * self.rows.entries)?;
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

    /// With q'y = 0 the form y'w - (M'y)'z vanishes on the leaf; all its terms being
    /// nonnegative, each is 0. The equations known so far leave the own entries one value at most
    /// if no solution of the homogeneous ones has an own entry, which is so if their columns are
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::OverBudget;
    use etalon_lcp::Matrix;

    /// w = 0 on n rows that are all zero, and as many choices as are asked for.
    fn zeros(n: usize, bilateral: bool) -> MixedLcp {
        let m = Matrix::from_entries((n as u64, n as u64), vec![]).unwrap();
        MixedLcp::new(m, vec![Number::from(0); n], vec![bilateral; n]).unwrap()
    }

    #[test]
    fn every_vertex_and_every_leaf_is_counted() {
        let n = 50;
        let lcp = zeros(n, true);
        let vector = || vec![Number::from(0); n];
        let spent = |vertices: usize| {
            let budget = Budget::default();
            let vertices = vec![vector(); vertices];
            let nodes = vec![CoverNode::Face {
                vertices,
                rays: vec![],
            }];
            check_cover_within(&lcp, lcp.n(), &Cover { nodes }, &budget).unwrap();
            Budget::default().left().1 - budget.left().1
        };
        // 50 rows of one entry each, q: four short operations for each, and what the sums take.
        let each = spent(3) - spent(2);
        assert!((4 * 50 * 128..5 * 50 * 128).contains(&each), "{each}");
        let rank = |n: usize| {
            let (lcp, budget) = (zeros(n, false), Budget::default());
            let nodes = vec![CoverNode::Point {
                y: vec![Number::from(0); n],
                z: vec![Number::from(0); n],
            }];
            assert!(check_cover_within(&lcp, lcp.n(), &Cover { nodes }, &budget).is_err());
            Budget::default().left().1 - budget.left().1
        };
        // Four words for each step of the elimination.
        assert!(rank(100) > 4 * 100 * 100 * 100 && rank(100) < 5 * 100 * 100 * 100);
    }

    #[test]
    fn the_choices_on_the_way_to_a_node_are_held() {
        // A comb on 200 rows: after k branches k + 1 lists of choices wait.
        let n = 200;
        let lcp = zeros(n, false);
        let comb = |row: usize| CoverNode::Branch {
            row,
            z_zero: 2 * row + 1,
            w_zero: 2 * row + 2,
        };
        let mut nodes = Vec::new();
        for row in 0..n {
            nodes.push(comb(row));
            nodes.push(CoverNode::Empty { y: vec![] });
        }
        nodes.push(CoverNode::Empty { y: vec![] });
        let cover = Cover { nodes };
        let check = |bits| {
            let budget = Budget::new(bits, 1 << 32);
            let refused = check_cover_within(&lcp, lcp.n(), &cover, &budget).unwrap_err();
            assert_eq!(budget.left().0, bits, "all given back");
            refused.is_over_budget()
        };
        // Rows and numbers take less than a quarter of what the lists do.
        let lists = 200 * 200 * 8;
        assert!(check(lists) && !check(2 * lists));
        assert_eq!(
            Budget::new(1, 1).hold(0, 2).unwrap_err(),
            OverBudget::MEMORY
        );
    }

    fn determinant(m: &[Vec<i64>], rows: &[usize], columns: &[usize]) -> i64 {
        let Some((row, rows)) = rows.split_first() else {
            return 1;
        };
        let minors = columns.iter().enumerate().map(|(at, &column)| {
            let mut left = columns.to_vec();
            left.remove(at);
            let sign = if at % 2 == 0 { 1 } else { -1 };
            sign * m[*row][column] * determinant(m, rows, &left)
        });
        minors.sum()
    }

    /// The size of the largest minor of these columns that is not 0.
    fn rank(m: &[Vec<i64>], columns: std::ops::Range<usize>) -> usize {
        let subset = |of: std::ops::Range<usize>, set: usize| {
            of.filter(|k| set >> k & 1 == 1).collect::<Vec<_>>()
        };
        let sets = || 0..1usize << m.len();
        let ranks = sets()
            .flat_map(|r| sets().map(move |c| (r, c)))
            .map(|(r, c)| {
                let (rows, columns) = (subset(0..m.len(), r), subset(columns.clone(), c));
                let regular = rows.len() == columns.len() && determinant(m, &rows, &columns) != 0;
                if regular { rows.len() } else { 0 }
            });
        ranks.max().unwrap_or(0)
    }

    /// z = 0 of w = Mz on bilateral rows is alone in its first entries just where the rank of the
    /// columns says so. Small entries make singular matrices of all kinds.
    #[test]
    fn own_entries_are_alone_where_their_columns_add_to_the_rank() {
        let mut state = 1u64;
        let mut below = |limit: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % limit
        };
        let mut seen = [0; 2];
        for _ in 0..300 {
            let n = 2 + below(3) as usize;
            let limit = [2, 3, 5][below(3) as usize];
            let entry = |v: u64| v as i64 - (limit / 2) as i64;
            let m: Vec<Vec<i64>> = (0..n)
                .map(|_| (0..n).map(|_| entry(below(limit))).collect())
                .collect();
            let rows = m
                .iter()
                .map(|row| row.iter().map(|v| Number::from(*v)).collect());
            let matrix = Matrix::from_rows(rows.collect()).unwrap();
            let zeros = vec![Number::from(0); n];
            let lcp = MixedLcp::new(matrix, zeros.clone(), vec![true; n]).unwrap();
            let (y, z) = (zeros.clone(), zeros);
            let nodes = vec![CoverNode::Point { y, z }];
            let cover = Cover { nodes };
            for own in 1..=n {
                let alone = check_cover_within(&lcp, own, &cover, &Budget::default()).is_ok();
                let adds = rank(&m, 0..n) == rank(&m, own..n) + own;
                assert_eq!(alone, adds, "the first {own} of {m:?}");
                seen[usize::from(alone && rank(&m, 0..n) < n)] += 1;
            }
        }
        assert!(
            seen[1] > 50,
            "own entries alone where others are not: {seen:?}"
        );
    }

    #[test]
    fn the_minors_of_the_own_entries_are_paid_for() {
        // Three equations in two unknowns: minors of two rows, of 2 bits and 64 more for each.
        let budget = Budget::default();
        let lcp = {
            let rows = vec![vec![Number::from(1); 3]; 3];
            let q = vec![Number::from(0); 3];
            MixedLcp::new(Matrix::from_rows(rows).unwrap(), q, vec![true; 3]).unwrap()
        };
        let checker = Checker {
            lcp: &lcp,
            own: 1,
            rows: IntegerRows::new(&lcp, &budget).unwrap(),
            budget: &budget,
            points: budget.hold(0, 0).unwrap(),
            covered: Covered::default(),
        };
        let alone = || checker.own_are_alone(&[0, 1, 2], &[0, 2]);
        let (bits, work) = budget.left();
        assert_eq!(alone(), Ok(false));
        let minor: u64 = 2 * 66;
        assert_eq!(work - budget.left().1, 3 * 6 * 2 * 3 * 3);
        assert_eq!(budget.left().0, bits, "all given back");
        let needed = 6 * (512 + minor);
        let _scarce = budget.hold(0, bits - needed).unwrap();
        assert_eq!(alone(), Ok(false));
        let _scarcer = budget.hold(0, 1).unwrap();
        assert!(alone().unwrap_err().is_over_budget());
    }
}
