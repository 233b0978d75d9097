//! The equations of modes: as many as unknowns, each a sum of products of linear expressions
//! (`docs/certificates-cones.md`, "A solution is near").

use etalon_lcp::{Cone, Disc, Implied, Law, Mode, Problem, Row};
use nalgebra::DMatrix;
use rug::Rational;

use super::modes::{plain_rows, tangents};

/// A linear expression.
#[derive(Debug, Clone, Copy)]
enum Linear<'a> {
    /// 1.
    One,
    Z(usize),
    W(usize),
    /// z_i less a bound, which is slope z_j.
    Less(usize, &'a Rational, usize),
}

/// A sum of products of a factor and two expressions.
type Equation<'a> = Vec<(Rational, Linear<'a>, Linear<'a>)>;

/// What modes say: known values, and for each unknown an equation.
pub(super) struct System {
    /// What z_i is, where the modes say it.
    pub known: Vec<Option<Rational>>,
    /// The rows of unknowns, ascending: of what is not known, but for what is chosen where equations are left out.
    pub unknown: Vec<usize>,
    /// Rows whose equations are left out, as others imply them.
    pub implied: Vec<Implied>,
    pub modes: Vec<Mode>,
    /// mu and -mu of rows of friction in boxes.
    slopes: Vec<[Rational; 2]>,
}

/// z and w at a point, exactly.
pub(super) struct At<'a> {
    pub z: &'a [Rational],
    pub w: Vec<Rational>,
}

impl<'a> At<'a> {
    pub(super) fn new(problem: &Problem, z: &'a [Rational]) -> Self {
        let row = |i: usize| {
            let terms = problem.m().row(i).map(|(j, own)| own.to_rational() * &z[j]);
            terms.fold(problem.q()[i].to_rational(), |sum, term| sum + term)
        };
        Self {
            z,
            w: (0..problem.n()).map(row).collect(),
        }
    }
}

impl System {
    /// None where modes and problem do not fit, or the convex law has more than one disc that slides.
    pub(super) fn new(problem: &Problem, modes: &[Mode]) -> Option<Self> {
        let n = problem.n();
        let mut known: Vec<Option<Rational>> = vec![None; n];
        let plain = plain_rows(problem);
        if modes.len() != problem.cones().len() + plain.len() {
            return None;
        }
        for (cone, mode) in problem.cones().iter().zip(modes) {
            match mode {
                Mode::Open => cone.rows().for_each(|i| known[i] = Some(Rational::new())),
                Mode::Pressed(slides) if slides.len() == cone.discs.len() => {
                    let slips = slides.contains(&true) && cone.law == Law::Convex;
                    if slips && cone.discs.len() > 1 {
                        return None;
                    }
                }
                _ => return None,
            }
            let still = cone.discs.iter().flat_map(|disc| {
                (disc.rows.iter().enumerate()).filter(|(k, _)| disc.mu.of(*k).is_zero())
            });
            still.for_each(|(_, row)| known[*row] = Some(Rational::new()));
        }
        let (rows, mut slopes) = (problem.rows(), vec![<[Rational; 2]>::default(); n]);
        for (i, mode) in plain.into_iter().zip(&modes[problem.cones().len()..]) {
            known[i] = match (&rows[i], mode) {
                (_, Mode::Free) => None,
                (Row::Nonnegative, Mode::Lower) => Some(Rational::new()),
                (Row::AtLeast(bound) | Row::Between(bound, _), Mode::Lower)
                | (Row::AtMost(bound) | Row::Between(_, bound), Mode::Upper) => {
                    Some(bound.to_rational())
                }
                (Row::Friction { mu, .. }, Mode::Lower | Mode::Upper) => {
                    slopes[i] = [-mu.to_rational(), mu.to_rational()];
                    None
                }
                _ => return None,
            };
        }
        let unknown = (0..n).filter(|i| known[*i].is_none()).collect();
        Some(Self {
            known,
            unknown,
            implied: Vec::new(),
            modes: modes.to_vec(),
            slopes,
        })
    }

    /// The rows whose equation is w_i = 0, about a point z.
    pub(super) fn linear_rows(&self, problem: &Problem, z: &[Rational]) -> Vec<usize> {
        let all = self.equations(problem, z).into_iter().enumerate();
        let is_w = |own: Equation<'_>| matches!(own[..], [(_, Linear::W(_), Linear::One)]);
        all.filter_map(|(i, own)| own.is_some_and(is_w).then_some(i))
            .collect()
    }

    /// Leaves out equations that others imply, and fixes as many unknowns at their values in z: of the columns
    /// of the derivative, scaled by the sizes, those that a factorisation with pivots takes last.
    pub(super) fn leave_out(&mut self, problem: &Problem, z: &[Rational], implied: Vec<Implied>) {
        self.implied = implied;
        let (_, mut gradient) = self.at(problem, &At::new(problem, z));
        let float: Vec<_> = z.iter().map(Rational::to_f64).collect();
        let sizes = sizes(problem, &float);
        for (x, mut column) in gradient.column_iter_mut().enumerate() {
            column *= sizes[self.unknown[x]];
        }
        let count = gradient.nrows();
        let mut order = DMatrix::from_fn(1, self.unknown.len(), |_, x| self.unknown[x]);
        // The columns taken first are the independent ones. Those left over are the unknowns that the
        // equations do not determine, and may be chosen.
        gradient.col_piv_qr().p().permute_columns(&mut order);
        self.unknown = order.iter().take(count).copied().collect();
        self.unknown.sort_unstable();
    }

    /// The equations, at their rows, about a point z.
    fn equations<'s>(&'s self, problem: &Problem, z: &[Rational]) -> Vec<Option<Equation<'s>>> {
        let mut all = vec![None; problem.n()];
        let one = || Rational::from(1);
        let alone = |own: Linear<'s>| Some(vec![(one(), own, Linear::One)]);
        for (cone, mode) in problem.cones().iter().zip(&self.modes) {
            let Mode::Pressed(slides) = mode else {
                continue;
            };
            all[cone.normal] = alone(Linear::W(cone.normal));
            for (disc, slides) in cone.discs.iter().zip(slides) {
                let rows = exact_tangents(disc);
                match (slides, cone.law) {
                    (false, _) => rows
                        .iter()
                        .for_each(|(k, _)| all[*k] = alone(Linear::W(*k))),
                    (true, Law::Convex) => {
                        all[cone.normal] = Some(circle(cone, &rows));
                        for (k, share) in rows {
                            let first = (one(), Linear::W(k), Linear::Z(cone.normal));
                            let second = (share, Linear::W(cone.normal), Linear::Z(k));
                            all[k] = Some(vec![first, second]);
                        }
                    }
                    (true, Law::Coulomb) => slide(cone, disc, z, &mut all),
                }
            }
        }
        let rows = problem.rows();
        let plain = plain_rows(problem)
            .into_iter()
            .zip(&self.modes[problem.cones().len()..]);
        for (i, mode) in plain.filter(|(i, _)| self.known[*i].is_none()) {
            all[i] = match (&rows[i], mode) {
                (Row::Friction { normal, .. }, Mode::Lower) => {
                    alone(Linear::Less(i, &self.slopes[i][0], *normal))
                }
                (Row::Friction { normal, .. }, Mode::Upper) => {
                    alone(Linear::Less(i, &self.slopes[i][1], *normal))
                }
                _ => alone(Linear::W(i)),
            };
        }
        for own in &self.implied {
            all[own.row] = None;
        }
        all
    }

    /// F at the point, and its derivative there, rounded: a row for each equation and a column for each
    /// unknown.
    pub(super) fn at(&self, problem: &Problem, at: &At<'_>) -> (Vec<Rational>, DMatrix<f64>) {
        let mut place = vec![None; problem.n()];
        self.unknown
            .iter()
            .enumerate()
            .for_each(|(x, i)| place[*i] = Some(x));
        let equations: Vec<_> = self
            .equations(problem, at.z)
            .into_iter()
            .flatten()
            .collect();
        let mut gradient = DMatrix::zeros(equations.len(), self.unknown.len());
        let mut values = Vec::new();
        let value = |own: Linear<'_>| match own {
            Linear::One => Rational::from(1),
            Linear::Z(i) => at.z[i].clone(),
            Linear::W(i) => at.w[i].clone(),
            Linear::Less(i, slope, j) => &at.z[i] - Rational::from(slope * &at.z[j]),
        };
        for (l, equation) in equations.into_iter().enumerate() {
            let mut sum = Rational::new();
            for (factor, one, other) in equation {
                let (this, that) = (value(one), value(other));
                for (own, by) in [(one, &that), (other, &this)] {
                    let by = Rational::from(by * &factor).to_f64();
                    let mut add = |i: usize, slope: f64| {
                        if let Some(x) = place[i] {
                            gradient[(l, x)] += by * slope;
                        }
                    };
                    match own {
                        Linear::One => {}
                        Linear::Z(i) => add(i, 1.0),
                        Linear::W(i) => {
                            let row = problem.m().row(i);
                            row.for_each(|(j, slope)| add(j, slope.to_f64()));
                        }
                        Linear::Less(i, slope, j) => {
                            add(i, 1.0);
                            add(j, -slope.to_f64());
                        }
                    }
                }
                sum += this * that * factor;
            }
            values.push(sum);
        }
        (values, gradient)
    }
}

/// The rows of a disc with mu > 0, and 1 / mu^2.
fn exact_tangents(disc: &Disc) -> Vec<(usize, Rational)> {
    let rows = disc.rows.iter().enumerate();
    let rows = rows.map(|(k, row)| (*row, disc.mu.of(k).to_rational()));
    rows.filter(|(_, mu)| !mu.is_zero())
        .map(|(row, mu)| (row, mu.square().recip()))
        .collect()
}

/// The sum of (r_k / mu_k)^2 - r_N^2.
fn circle<'a>(cone: &Cone, rows: &[(usize, Rational)]) -> Equation<'a> {
    let normal = Linear::Z(cone.normal);
    let terms = rows
        .iter()
        .map(|(k, share)| (share.clone(), Linear::Z(*k), Linear::Z(*k)));
    [(Rational::from(-1), normal, normal)]
        .into_iter()
        .chain(terms)
        .collect()
}

/// The equations of a disc that slides by Coulomb's law: the circle at the row p with the largest
/// |r_p| / mu_p, and w_k r_p / mu_p^2 = w_p r_k / mu_k^2 at the others.
fn slide<'a>(cone: &Cone, disc: &Disc, z: &[Rational], all: &mut [Option<Equation<'a>>]) {
    let rows = exact_tangents(disc);
    let size = |(k, share): &&(usize, Rational)| Rational::from(z[*k].square_ref()) * share;
    // The last of the largest, as the kernel has it.
    let Some((p, share)) = rows.iter().max_by_key(size) else {
        return;
    };
    for (k, own) in rows.iter().filter(|(k, _)| k != p) {
        let first = (share.clone(), Linear::W(*k), Linear::Z(*p));
        let second = (Rational::from(-own), Linear::W(*p), Linear::Z(*k));
        all[*k] = Some(vec![first, second]);
    }
    all[*p] = Some(circle(cone, &rows));
}

/// The largest |z| that a row may be compared with: that of its contact, in units of its own.
pub(super) fn sizes(problem: &Problem, z: &[f64]) -> Vec<f64> {
    let largest = z.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
    let mut sizes: Vec<f64> = z.iter().map(|own| own.abs()).collect();
    for cone in problem.cones() {
        for (row, mu) in cone.discs.iter().flat_map(tangents) {
            sizes[row] = sizes[row].max(mu * z[cone.normal].abs());
        }
    }
    // What is 0 by chance has no size of its own.
    sizes
        .iter_mut()
        .for_each(|own| *own = own.max(1e-6 * largest).max(f64::MIN_POSITIVE));
    sizes
}

#[cfg(test)]
mod tests {
    use etalon_lcp::{Mu, Number};

    use super::*;

    /// The circle stands at the row whose force uses the most of its own friction coefficient, and each other row has
    /// an equation of two terms.
    #[test]
    fn the_circle_is_at_the_row_with_the_largest_share() {
        // The shares r_k / mu_k are 10 and 10, of which the last counts; 9 and 10; 40 and 9; 30 and 20; 5 and 0.
        for (mu, forces, circle) in [
            ([10, 1], [10, 1], 2),
            ([10, 1], [9, 1], 2),
            ([1, 10], [4, 9], 1),
            ([10, 1], [30, 2], 1),
            ([10, 1], [5, 0], 1),
        ] {
            let disc = Disc {
                rows: vec![1, 2],
                mu: Mu::Each(mu.map(|mu| Number::from(Rational::from((mu, 10)))).to_vec()),
            };
            let cone = Cone {
                normal: 0,
                discs: vec![disc.clone()],
                law: Law::Coulomb,
            };
            let z = [100, forces[0], forces[1]].map(Rational::from);
            let mut all = vec![None; 3];
            slide(&cone, &disc, &z, &mut all);
            let terms = |i: usize| all[i].as_ref().map_or(0, Vec::len);
            let expected = if circle == 1 { [0, 3, 2] } else { [0, 2, 3] };
            assert_eq!([0, 1, 2].map(terms), expected, "{mu:?} {forces:?}");
        }
    }
}
