//! Certificates as the kernel asks for them: from a vector y the multipliers of a form, from distances
//! a point. The kernel checks all of it, so a mistake here can only cause a refusal.

use etalon_kernel::{Budget, ConeNode, Exact, Held, Node, Problem, Refusal, Row, Truth, Vector};
use etalon_lcp::{Certificate, Cover, CoverNode, Enclosure, Mode, Number, PMatrixProof};
use rug::{Integer, Rational};

use crate::CertificateError;
use crate::budget::{DIVISION, bits, fraction_bits};
use crate::integers::exact;

/// A vector of a certificate: an entry for each row, and one for each row with two bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entries<'a>(pub &'a [Number]);

/// Adds what a certificate proves; a second solution is none, and adds a solution.
pub(crate) fn add(
    truth: &mut Truth,
    problem: &impl Problem,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<(), CertificateError> {
    match certificate {
        Certificate::Farkas { y } if problem.cones().next().is_some() => {
            truth.add_cone_cover(problem, &[ConeNode::Empty(Entries(y))], budget)?;
        }
        Certificate::Farkas { y } => {
            truth.add_cover(problem, &[Node::Empty(Entries(y))], budget)?;
        }
        Certificate::Cover(cover) | Certificate::Enumeration(cover)
            if problem.cones().next().is_some() =>
        {
            let mut held = budget.hold(0, 0)?;
            truth.add_cone_cover(problem, &cone_nodes(problem, cover, &mut held)?, budget)?;
        }
        Certificate::Cover(cover) | Certificate::Enumeration(cover) => {
            truth.add_cover(problem, &nodes(problem, cover)?, budget)?;
        }
        Certificate::SymmetricPsd => {
            truth.add_class(problem, &etalon_kernel::Class::SymmetricPsd, budget)?;
        }
        Certificate::PMatrix(proof) => add_class(truth, problem, proof, budget)?,
        Certificate::Enclosure(own) => add_enclosure(truth, problem, own, budget)?,
        Certificate::ConeFeasible { z } => {
            let (z, _held) = exact(z, budget)?;
            truth.add_existence(problem, &z, budget)?;
        }
        Certificate::Contraction { h, theta } => {
            let (mut all, _held) = exact(h.iter().chain([theta]), budget)?;
            let theta = all.pop().unwrap_or_default();
            truth.add_contraction(problem, &all, &theta, budget)?;
        }
        _ => {
            let why = "a kind of certificate that this checker does not know";
            return Err(CertificateError::new(why));
        }
    }
    Ok(())
}

/// Adds a box with a solution.
fn add_enclosure(
    truth: &mut Truth,
    problem: &impl Problem,
    own: &Enclosure,
    budget: &Budget,
) -> Result<(), CertificateError> {
    let mode = |mode: &Mode| match mode {
        Mode::Lower => etalon_kernel::Mode::Lower,
        Mode::Upper => etalon_kernel::Mode::Upper,
        Mode::Free => etalon_kernel::Mode::Free,
        Mode::Open => etalon_kernel::Mode::Open,
        Mode::Pressed(slides) => etalon_kernel::Mode::Pressed(slides.clone()),
    };
    let modes: Vec<_> = own.modes.iter().map(mode).collect();
    let (center, _center) = exact(&own.center, budget)?;
    let (radius, _radius) = exact(&own.radius, budget)?;
    let (mut inverse, mut held) = (Vec::new(), Vec::new());
    for row in &own.inverse {
        let (row, own) = exact(row, budget)?;
        inverse.push(row);
        held.push(own);
    }
    let mut implied = Vec::new();
    for row in &own.implied {
        let (factors, own) = exact(row.by.values(), budget)?;
        implied.push((row.row, row.by.keys().copied().zip(factors).collect()));
        held.push(own);
    }
    let enclosure = etalon_kernel::Enclosure {
        modes: &modes,
        implied: &implied,
        center: &center,
        radius: &radius,
        inverse: &inverse,
    };
    Ok(truth.add_enclosure(problem, enclosure, budget)?)
}

/// Adds what a proof of a P-matrix proves.
pub(crate) fn add_class(
    truth: &mut Truth,
    problem: &impl Problem,
    proof: &PMatrixProof,
    budget: &Budget,
) -> Result<(), CertificateError> {
    use etalon_kernel::Class;
    let (weights, _held) = match proof {
        PMatrixProof::DiagonallyDominant { weights } => exact(weights, budget)?,
        _ => exact([], budget)?,
    };
    let class = match proof {
        PMatrixProof::PositiveDefinite => Class::PositiveDefinite,
        PMatrixProof::DiagonallyDominant { .. } => Class::DiagonallyDominant(weights),
        PMatrixProof::PrincipalMinors => Class::PrincipalMinors,
        _ => {
            let why = "a kind of proof that this checker does not know";
            return Err(CertificateError::new(why));
        }
    };
    Ok(truth.add_class(problem, &class, budget)?)
}

/// The kernel's number of a choice. Where a certificate counts the rows with two bounds, the kernel counts all.
fn choices(problem: &impl Problem) -> impl Fn(usize) -> usize {
    let n = problem.n();
    let has_two = |i: &usize| problem.bounds(*i).iter().all(Option::is_some);
    let doubles: Vec<_> = (0..n).filter(has_two).collect();
    // An index beyond all rows is no choice, which the kernel says.
    move |row| match row.checked_sub(n) {
        Some(m) => doubles.get(m).map_or(usize::MAX, |i| n + i),
        None => row,
    }
}

/// The nodes of a cover.
fn nodes<'a>(
    problem: &impl Problem,
    cover: &'a Cover,
) -> Result<Vec<Node<Entries<'a>>>, CertificateError> {
    let index = choices(problem);
    let all = |vectors: &'a [Vec<Number>]| vectors.iter().map(|own| Entries(own)).collect();
    let node = |node: &'a CoverNode| match node {
        CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } => Ok(Node::Branch(index(*row), [*z_zero, *w_zero])),
        CoverNode::Empty { y } => Ok(Node::Empty(Entries(y))),
        CoverNode::Point { y, z } => Ok(Node::Point(Entries(y), Entries(z))),
        CoverNode::Face { vertices, rays } => Ok(Node::Face(all(vertices), all(rays))),
        CoverNode::Contact { .. } => Err(CertificateError::new("there is no such contact")),
        _ => Err(CertificateError::new(
            "a kind of node that this checker does not know",
        )),
    };
    cover.nodes.iter().map(node).collect()
}

/// The nodes of a cover where there are friction cones.
fn cone_nodes<'a>(
    problem: &impl Problem,
    cover: &'a Cover,
    held: &mut Held<'_>,
) -> Result<Vec<ConeNode<Entries<'a>>>, CertificateError> {
    let index = choices(problem);
    let node = |node: &'a CoverNode| match node {
        CoverNode::Branch {
            row,
            z_zero,
            w_zero,
        } => Ok(ConeNode::Branch(index(*row), [*z_zero, *w_zero])),
        CoverNode::Contact {
            cone,
            others,
            slides,
        } => {
            let mut sectors = Vec::new();
            for ([first, second], node) in slides {
                let (first, second) = (first.to_rational(), second.to_rational());
                held.more(4, fraction_bits(&first) + fraction_bits(&second))?;
                sectors.push(([first, second], *node));
            }
            Ok(ConeNode::Contact(*cone, *others, sectors))
        }
        CoverNode::Empty { y } => Ok(ConeNode::Empty(Entries(y))),
        _ => Err(CertificateError::new(
            "where there are friction cones, a cover has empty leaves only",
        )),
    };
    cover.nodes.iter().map(node).collect()
}

/// The expression that cancels z_i, and which it is: that of the lower bound (1), or of an upper one
/// that is alone (2).
fn own(row: &Row) -> Option<(usize, &Exact)> {
    (1..3).find_map(|k| Some((k, row.terms[k].as_ref()?)))
}

/// Whether the bounds of row i contain another unknown.
fn moves(rows: &[Row], i: usize) -> bool {
    let other = |(j, _): &(usize, Integer)| *j != i && *j != rows.len();
    own(&rows[i]).is_some_and(|(_, term)| term.entries.iter().any(other))
}

/// D squared, and the most bits of an expression that cancels a z_i: D is their least common
/// denominator, and times D^2 a form stays integral.
fn scale(rows: &[Row], budget: &Budget) -> Result<(Integer, u64), Refusal> {
    let (mut scale, mut reach) = (Integer::from(1), 0);
    for (_, term) in rows.iter().filter_map(own) {
        budget.multiply(1, bits(&scale), bits(&term.denominator) + DIVISION)?;
        if !scale.is_divisible(&term.denominator) {
            budget.reduce(1, bits(&scale), bits(&term.denominator))?;
            scale.lcm_mut(&term.denominator);
        }
        reach = term.longest.max(reach);
    }
    budget.multiply(1, bits(&scale), bits(&scale))?;
    Ok((scale.square(), reach))
}

fn refusal(why: &'static str) -> Refusal {
    let (node, row) = (None, None);
    Refusal { node, row, why }
}

impl Entries<'_> {
    /// The numbers, each paid for as it comes, with the place of each: the row and its expression.
    fn read(
        self,
        rows: &[Row],
        held: &mut Held<'_>,
        why: &'static str,
    ) -> Result<Vec<(Rational, usize, usize)>, Refusal> {
        let has_two = |i: &usize| rows[*i].terms.iter().all(Option::is_some);
        let doubles = (0..rows.len()).filter(has_two).map(|i| (i, 2));
        let places: Vec<_> = (0..rows.len()).map(|i| (i, 0)).chain(doubles).collect();
        let fits = self.0.len() == places.len();
        fits.then_some(()).ok_or_else(|| refusal(why))?;
        let keep = |(number, (i, k)): (&Number, (usize, usize))| {
            let value = number.to_rational();
            held.more(2, fraction_bits(&value))?;
            Ok((value, i, k))
        };
        self.0.iter().zip(places).map(keep).collect()
    }
}

impl Vector for Entries<'_> {
    /// Entry i < n multiplies w_i, and -w_i on a row with an upper bound only; the entries from n on
    /// are the b_i of the rows with two bounds. The multipliers that are left are those that cancel
    /// z_i: a_i where there is a lower bound, b_i where only an upper one is.
    fn multipliers(&self, rows: &[Row], held: &mut Held<'_>) -> Result<Vec<[Integer; 3]>, Refusal> {
        let (n, budget) = (rows.len(), held.budget);
        let (square, reach) = scale(rows, budget)?;
        let why = "y has another length than rows and double bounds";
        let named = self.read(rows, held, why)?;
        let named = named.into_iter().filter_map(|(y, i, k)| {
            let term = rows[i].terms[k].as_ref()?;
            (!y.is_zero()).then_some((y, i, k, term))
        });
        let mut fractions = budget.hold(0, 0)?;
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for (y, i, k, term) in named {
            // In integers the expression is so many times itself.
            fractions.more(2, fraction_bits(&y) + bits(&term.denominator))?;
            budget.reduce(1, fraction_bits(&y), bits(&term.denominator))?;
            let turned = matches!(own(&rows[i]), Some((2, _)));
            values.push(y / &term.denominator * if turned { -1 } else { 1 });
            places.push((i, k, term));
        }
        let y = Exact::new(values.into_iter().enumerate(), held)?.entries;
        let mut longest = 0;
        for ((.., term), (_, y)) in places.iter().zip(&y) {
            let size = bits(y) + bits(&square);
            budget.multiply(1, bits(y), bits(&square))?;
            budget.multiply(term.entries.len() as u64, term.longest, size)?;
            longest = longest.max(term.longest + size);
        }
        // A sum of n terms has at most the bits of n more, and grows twice by what cancels z.
        let (numbers, size) = (4 * n as u64 + 1, longest + 64 + 2 * reach);
        held.more(numbers, numbers.saturating_mul(size))?;
        budget.multiply(2 * numbers, size, reach)?;
        let mut multipliers = Vec::new();
        multipliers.resize_with(n, <[Integer; 3]>::default);
        let mut coefficients = vec![Integer::new(); n + 1];
        let add = |coefficients: &mut [Integer], term: &Exact, multiplier: &Integer| {
            for (j, value) in &term.entries {
                coefficients[*j] += value * multiplier;
            }
        };
        for ((i, k, term), (_, y)) in places.into_iter().zip(y) {
            let y = y * &square;
            add(&mut coefficients, term, &y);
            multipliers[i][k] = y;
        }
        // First the rows whose bounds contain another z_j: they change its coefficient.
        for moving in [true, false] {
            for i in (0..n).filter(|&i| moves(rows, i) == moving) {
                let Some((k, term)) = own(&rows[i]) else {
                    continue;
                };
                let whole = coefficients[i].is_divisible(&term.denominator);
                let why = "a bound moves with an unknown whose own bound moves";
                whole.then_some(()).ok_or_else(|| refusal(why))?;
                let part = Integer::from(coefficients[i].div_exact_ref(&term.denominator));
                let multiplier = if k == 1 { -part } else { part };
                add(&mut coefficients, term, &multiplier);
                multipliers[i][k] = multiplier;
            }
        }
        Ok(multipliers)
    }

    /// The point at these distances: from the lower bound, from an upper bound that is alone, or from
    /// 0 on a free row. The entries from n on are not read.
    fn point(&self, rows: &[Row], last: u8, held: &mut Held<'_>) -> Result<Vec<Rational>, Refusal> {
        let why = "z has another length than rows and double bounds";
        let mut z = self.read(rows, held, why)?;
        z.truncate(rows.len());
        let mut z: Vec<_> = z.into_iter().map(|(value, ..)| value).collect();
        // First the bounds that are numbers: others contain these z.
        for moving in [false, true] {
            for i in (0..z.len()).filter(|&i| moves(rows, i) == moving) {
                let Some((k, term)) = own(&rows[i]) else {
                    continue;
                };
                // What the expression is beside its z_i: -L_i or U_i.
                let mut rest = Rational::new();
                for (j, value) in term.entries.iter().filter(|(j, _)| *j != i) {
                    let entry = z.get(*j).cloned().unwrap_or(Rational::from(last));
                    let long = fraction_bits(&entry) + bits(value) + bits(&term.denominator);
                    held.more(0, long)?;
                    held.budget.reduce(3, fraction_bits(&rest), long)?;
                    rest += entry * value / &term.denominator;
                }
                held.budget
                    .reduce(1, fraction_bits(&rest), fraction_bits(&z[i]))?;
                let distance = std::mem::take(&mut z[i]);
                z[i] = if k == 1 {
                    distance - rest
                } else {
                    rest - distance
                };
            }
        }
        Ok(z)
    }
}
