//! Newton's method in high precision, and the proof by intervals that it ends at a solution.

use rug::Float;

use super::branch::{Branch, Condition};
use super::interval::Interval;
use super::jet::Jet;
use super::linear::{inverse, largest, product};
use super::number::Number;

/// Iterations of Newton's method in binary64, and of the refinement to more digits.
const NEWTON: usize = 40;
const REFINEMENT: usize = 200;
/// The number of times that a box that was too small is enlarged.
const INFLATIONS: usize = 12;

/// A box with exactly one solution of a branch in it, at which all conditions hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    /// An interval for each unknown.
    pub unknowns: Vec<Interval>,
}

/// The reason why a candidate is not proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// The linearisation cannot be inverted.
    #[error("the equations are singular at the candidate")]
    Singular,
    /// No box was mapped into itself.
    #[error("the Krawczyk test fails around the candidate")]
    NotContracting,
    /// A sign is not certain in the whole box.
    #[error("pair {pair}: {} is not certainly positive", condition.name())]
    Undecided {
        /// The number of the pair.
        pair: usize,
        /// The value that should be positive.
        condition: Condition,
    },
}

/// The Jacobian of a branch in binary64, inverted.
pub fn preconditioner(branch: &Branch<'_>, at: &[f64]) -> Option<Vec<Vec<f64>>> {
    let equations = branch.equations(&Jet::unknowns(at));
    let rows: Vec<Vec<f64>> = equations.iter().map(|e| e.row(at.len())).collect();
    (rows.len() == at.len()).then(|| inverse(&rows)).flatten()
}

/// Newton's method in binary64 with halved steps while they do not reduce the equations.
pub fn newton(branch: &Branch<'_>, start: Vec<f64>) -> Vec<f64> {
    let mut here = start;
    let mut error = largest(&branch.equations(&here));
    for _ in 0..NEWTON {
        let Some(inverse) = preconditioner(branch, &here) else {
            break;
        };
        let step = product(&inverse, &branch.equations(&here));
        let shorter = (0..8).map(|halvings| {
            let share = f64::from(1 << halvings).recip();
            let to: Vec<f64> = here.iter().zip(&step).map(|(x, d)| x - share * d).collect();
            let error = largest(&branch.equations(&to));
            (to, error)
        });
        // A comparison with what is no number fails.
        let better = shorter.into_iter().find(|(_, new)| *new < error);
        let Some((to, new)) = better else {
            break;
        };
        (here, error) = (to, new);
    }
    here
}

/// The candidate to that many bits, by a fixed preconditioner.
pub fn refine(
    branch: &Branch<'_>,
    start: &[f64],
    inverse: &[Vec<f64>],
    precision: u32,
) -> Vec<Float> {
    let mut here: Vec<Float> = start
        .iter()
        .map(|x| Float::with_val(precision, x))
        .collect();
    let mut last = Float::with_val(precision, f64::INFINITY);
    for _ in 0..REFINEMENT {
        let thin: Vec<Interval> = here.iter().map(Interval::point).collect();
        let step: Vec<Float> = apply(inverse, &branch.equations(&thin))
            .iter()
            .map(Interval::middle)
            .collect();
        let size = step
            .iter()
            .fold(Float::new(precision), |max, d| max.max(&d.clone().abs()));
        // Y is that of binary64, so each step adds some 50 bits until the precision is reached and
        // steps are rounding.
        if !size.is_finite() || size >= last {
            break;
        }
        for (x, d) in here.iter_mut().zip(&step) {
            *x -= d;
        }
        last = size;
    }
    here
}

/// Y F.
fn apply(inverse: &[Vec<f64>], values: &[Interval]) -> Vec<Interval> {
    let row = |row: &Vec<f64>| {
        let terms = row.iter().zip(values).filter(|(y, _)| **y != 0.0);
        let terms =
            terms.map(|(y, f)| Interval::point(&Float::with_val(f.precision(), y)) * f.clone());
        let zero = values.first().map(|f| f.integer(0));
        terms.fold(zero, |sum, term| sum.map(|sum| sum + term))
    };
    inverse.iter().filter_map(row).collect()
}

/// Krawczyk's test. Let Y be about the inverse of the Jacobian F' at the candidate x, X a box
/// around x, and K = x - Y F(x) + (1 - Y F'(X)) (X - x). If K is within the interior of X, then F has
/// exactly one zero in X, and it is in K. Then every condition must be positive on all of K.
///
/// # Errors
/// [`Unproved`].
pub fn prove(
    branch: &Branch<'_>,
    candidate: &[Float],
    inverse: &[Vec<f64>],
) -> Result<Enclosure, Unproved> {
    let unknowns = enclose(branch, candidate, inverse).ok_or(Unproved::NotContracting)?;
    for (pair, condition, value) in branch.conditions(&unknowns) {
        if !value.is_positive() {
            return Err(Unproved::Undecided { pair, condition });
        }
    }
    Ok(Enclosure { unknowns })
}

fn enclose(
    branch: &Branch<'_>,
    candidate: &[Float],
    inverse: &[Vec<f64>],
) -> Option<Vec<Interval>> {
    let precision = candidate.first()?.prec();
    let thin: Vec<Interval> = candidate.iter().map(Interval::point).collect();
    let shift = apply(inverse, &branch.equations(&thin));
    let unit = |x: &Float| {
        let size = x.clone().abs().max(&Float::with_val(precision, 1));
        // Twelve bits above the rounding of this precision: room for the sums of the test.
        size >> (precision - 12)
    };
    let pairs = shift.iter().zip(candidate);
    // Twice the Newton step: where Y F' is within 1/2 of 1 over the box, this one is mapped into
    // itself.
    let mut radii: Vec<Float> = pairs.map(|(d, x)| d.magnitude() * 2u32 + unit(x)).collect();
    for _ in 0..INFLATIONS {
        let around = candidate.iter().zip(&radii);
        let whole: Vec<Interval> = around.map(|(x, r)| Interval::around(x, r)).collect();
        let image = krawczyk(branch, &thin, &shift, &whole, inverse)?;
        if image.iter().zip(&whole).all(|(k, x)| k.is_inside(x)) {
            // The zero is in X and in K: in what they share.
            return Some(image.iter().zip(&whole).map(|(k, x)| k.and(x)).collect());
        }
        for (radius, (image, x)) in radii.iter_mut().zip(image.iter().zip(&thin)) {
            // The next box reaches beyond the image on all sides, and is at least doubled.
            let reach = (image.clone() - x.clone()).magnitude() * 2u32;
            *radius = radius.clone().max(&reach) * 2u32;
            if !radius.is_finite() {
                return None;
            }
        }
    }
    None
}

/// K.
fn krawczyk(
    branch: &Branch<'_>,
    thin: &[Interval],
    shift: &[Interval],
    whole: &[Interval],
    inverse: &[Vec<f64>],
) -> Option<Vec<Interval>> {
    let n = thin.len();
    let equations = branch.equations(&Jet::unknowns(whole));
    let jacobian: Vec<Vec<Interval>> = equations.iter().map(|e| e.row(n)).collect();
    let mut image: Vec<Interval> = thin
        .iter()
        .zip(shift)
        .map(|(x, d)| x.clone() - d.clone())
        .collect();
    for j in 0..n {
        let column: Vec<Interval> = jacobian.iter().map(|row| row[j].clone()).collect();
        let product = apply(inverse, &column);
        let width = whole[j].clone() - thin[j].clone();
        for (i, entry) in product.into_iter().enumerate() {
            let unit = entry.integer(i32::from(i == j));
            image[i] = image[i].clone() + (unit - entry) * width.clone();
        }
    }
    image.iter().all(Interval::is_bounded).then_some(image)
}
