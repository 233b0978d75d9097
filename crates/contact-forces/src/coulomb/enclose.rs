//! Forces enclosed in a box, by the theorem of Newton and Kantorovich for quadratic equations.
//!
//! Let F be quadratic, c a point and C any matrix. With E_i = sum of |F_i''| over all pairs of
//! variables, if for some rho > 0 and all i
//!
//! > |C F(c)|_i + rho (sum over j of |I - C F'(c)|_ij) + rho^2 (|C| E)_i < rho,
//!
//! F has exactly one zero with |x - c| <= rho, entry by entry. *Proof.* N(x) = x - C F(x) has the
//! derivative I - C F'(x). Its row sums on that box are at most those at c plus rho (|C| E)_i, which
//! is less than 1, and |N(x) - c| < rho. So N maps the box into itself and contracts it, and has one
//! fixed point there. C is regular, since |I - C F'(c)| < 1, so the fixed point is a zero of F.
//!
//! The equations are those of the faces: accelerations that are zero (of rows that depend on others
//! only the others), |f_F|^2 = mu^2 f_N^2 and f_F x a_F = 0. Where contacts are redundant there are
//! fewer equations than forces, and some forces are fixed at the values given. The conditions that are
//! no equations are then shown to hold all over the box.

use etalon_rigid::{Covector, Dense, Scalar};
use rug::{Integer, Rational};

use super::faces::{Equation, Face, Faces, Independent, pivot_columns};
use super::{Coulomb, EnclosureRadii};
use crate::error::ForceError;
use crate::formulation::Formulation;

/// Steps of Newton's method in fractions, each of which about doubles the digits of the last one until
/// the rounding of C is met: three make some forty digits of sixteen.
const STEPS: usize = 3;

/// Bits after the point that centres are rounded to.
const BITS: u32 = 192;

/// Boxes are tried from this many times the last Newton step up.
const WIDEST: u32 = 16;

pub(super) fn enclose(
    formulation: &Formulation<Rational>,
    faces: &Faces<'_>,
    near: &[Rational],
) -> Result<Option<Coulomb>, ForceError> {
    let Some(independent) = faces.independent() else {
        return Ok(None);
    };
    let Some((newton, mut f)) = Newton::new(faces, &independent, near) else {
        return Ok(None);
    };
    let Some(radius) = newton.run(&mut f) else {
        return Ok(None);
    };
    let spread = Spread::new(faces, &newton.columns, &radius);
    if !spread.holds(faces, &independent, &f) {
        return Ok(None);
    }
    let forces = formulation.forces(&f)?;
    Ok(Some(Coulomb {
        enclosure: Some(EnclosureRadii {
            acceleration: spread.acceleration(formulation, &newton.columns, &radius),
            force: radius,
        }),
        forces,
        f,
    }))
}

/// Square equations in some of the forces.
struct Newton<'a> {
    faces: &'a Faces<'a>,
    equations: Vec<Equation>,
    /// The forces that are solved for.
    columns: Vec<usize>,
    /// About the inverse of F' there.
    inverse: Dense<Rational>,
}

impl<'a> Newton<'a> {
    /// The equations of the faces, and the forces to start from: zero where contacts open.
    fn new(
        faces: &'a Faces<'a>,
        independent: &Independent,
        near: &[Rational],
    ) -> Option<(Self, Vec<Rational>)> {
        let variables = faces.variables();
        let mut f = vec![Rational::new(); near.len()];
        variables.iter().for_each(|&j| f[j] = near[j].clone());
        let still = independent.rows.iter().map(|&row| Equation::Still(row));
        let mut equations: Vec<Equation> = still.collect();
        for k in faces.with(Face::Slip) {
            equations.push(Equation::Limit(k));
            if faces.cones[k].tangents.len() > 1 {
                equations.push(Equation::Against(k));
            }
        }
        let a = faces.accelerations(&f);
        let entry =
            |i: usize, j: usize| derivative(faces, equations[i], &f, &a, variables[j]).to_f64();
        let rounded = Dense::from_fn(equations.len(), variables.len(), entry);
        // With redundant contacts there are fewer equations than forces. Any regular choice of
        // columns proves forces; the best pivots make the smallest box.
        let chosen = pivot_columns(&rounded)?;
        let all: Vec<usize> = (0..equations.len()).collect();
        let inverse = rounded.block(&all, &chosen).inverse()?;
        let n = all.len();
        if !(0..n).all(|i| inverse.row(i).iter().all(|v| v.is_finite())) {
            return None;
        }
        let inverse = Dense::from_fn(n, n, |i, j| {
            Rational::from_f64(inverse[(i, j)]).unwrap_or_default()
        });
        let columns = chosen.into_iter().map(|j| variables[j]).collect();
        let newton = Self {
            faces,
            equations,
            columns,
            inverse,
        };
        Some((newton, f))
    }

    /// C F(f).
    fn step(&self, f: &[Rational]) -> Vec<Rational> {
        let a = self.faces.accelerations(f);
        let values: Vec<_> = self
            .equations
            .iter()
            .map(|e| value(self.faces, *e, f, &a))
            .collect();
        self.inverse.times(&values)
    }

    /// Moves the forces to a centre, and returns the radius of a box about it that has a zero.
    fn run(&self, f: &mut [Rational]) -> Option<Rational> {
        for _ in 0..STEPS {
            let step = self.step(f);
            for (&j, step) in self.columns.iter().zip(step) {
                f[j] = rounded(&(f[j].clone() - step));
            }
        }
        if self.columns.is_empty() {
            return Some(Rational::new());
        }
        let n = self.columns.len();
        let a = self.faces.accelerations(f);
        let at_centre = Dense::from_fn(n, n, |i, j| {
            derivative(self.faces, self.equations[i], f, &a, self.columns[j])
        });
        let product = self.inverse.product(&at_centre);
        let sum =
            |values: &mut dyn Iterator<Item = Rational>| values.fold(Rational::new(), |s, v| s + v);
        let curvature: Vec<_> = self.equations.iter().map(|e| self.curvature(*e)).collect();
        let step = self.step(f);
        let rows: Vec<[Rational; 3]> = (0..n)
            .map(|i| {
                let off = |j: usize| (Rational::from(u32::from(i == j)) - &product[(i, j)]).abs();
                let bent = |j: usize| self.inverse[(i, j)].clone().abs() * &curvature[j];
                [
                    step[i].clone().abs(),
                    sum(&mut (0..n).map(off)),
                    sum(&mut (0..n).map(bent)),
                ]
            })
            .collect();
        let largest = rows.iter().map(|row| row[0].clone()).max()?;
        // A power of two above, so that it reads well; a step of zero leaves any radius.
        // Twice the step: where the other two terms are below 1/2, this box fits at once.
        let mut radius = above(&(largest * 2u32));
        for _ in 0..WIDEST {
            let fits = |[step, slope, bent]: &[Rational; 3]| {
                // The map f - C F(f) moves the centre by `step`, and changes over the box by |I - C F'|
                // radius and by |C F''| radius^2. Strictly inside, it has a fixed point in the box
                // (Brouwer), which is a zero of F.
                let inside = slope.clone() * &radius + bent.clone() * &radius * &radius + step;
                inside < radius
            };
            if rows.iter().all(fits) {
                return Some(radius);
            }
            radius *= 2u32;
        }
        None
    }

    /// The sum of the absolute second derivatives of an equation in all pairs of the forces solved for.
    fn curvature(&self, equation: Equation) -> Rational {
        match equation {
            Equation::Still(_) => Rational::new(),
            Equation::Limit(k) => {
                let cone = &self.faces.cones[k];
                Rational::from(2 * cone.tangents.len() as u64)
                    + Rational::from(cone.mu.square_ref()) * 2u32
            }
            // f_x a_y - f_y a_x: of f_x and f_j that is A_yj, of f_y and f_j -A_xj, each twice.
            Equation::Against(k) => {
                let a = self.faces.formulation.a();
                let tangents = self.faces.cones[k].tangents.iter();
                let row = |&t: &usize| {
                    let row = self.columns.iter().map(|&j| a[(t, j)].clone().abs());
                    row.fold(Rational::new(), |sum, v| sum + v)
                };
                tangents.map(row).fold(Rational::new(), |sum, v| sum + v) * 2u32
            }
        }
    }
}

/// F_i, given forces and accelerations.
fn value(faces: &Faces<'_>, equation: Equation, f: &[Rational], a: &[Rational]) -> Rational {
    match equation {
        Equation::Still(row) => a[row].clone(),
        Equation::Limit(k) => {
            let cone = &faces.cones[k];
            let limit = cone.mu.clone() * &f[cone.normal];
            let squares = cone
                .tangents
                .iter()
                .map(|&t| Rational::from(f[t].square_ref()));
            squares.fold(-limit.square(), |sum, square| sum + square)
        }
        Equation::Against(k) => match faces.cones[k].tangents[..] {
            [x, y] => f[x].clone() * &a[y] - f[y].clone() * &a[x],
            _ => Rational::new(),
        },
    }
}

/// The derivative of F_i in the force of row j.
fn derivative(
    faces: &Faces<'_>,
    equation: Equation,
    f: &[Rational],
    a: &[Rational],
    j: usize,
) -> Rational {
    let matrix = faces.formulation.a();
    match equation {
        Equation::Still(row) => matrix[(row, j)].clone(),
        Equation::Limit(k) => {
            let cone = &faces.cones[k];
            if j == cone.normal {
                -(Rational::from(cone.mu.square_ref()) * &f[j] * 2u32)
            } else if cone.tangents.contains(&j) {
                f[j].clone() * 2u32
            } else {
                Rational::new()
            }
        }
        Equation::Against(k) => {
            let [x, y] = faces.cones[k].tangents[..] else {
                return Rational::new();
            };
            let mut sum = f[x].clone() * &matrix[(y, j)] - f[y].clone() * &matrix[(x, j)];
            if j == x {
                sum += &a[y];
            }
            if j == y {
                sum -= &a[x];
            }
            sum
        }
    }
}

/// How far forces and accelerations of the box are from its centre.
struct Spread {
    force: Vec<Rational>,
    acceleration: Vec<Rational>,
}

impl Spread {
    fn new(faces: &Faces<'_>, columns: &[usize], radius: &Rational) -> Self {
        let formulation = faces.formulation;
        let mut force = vec![Rational::new(); formulation.n()];
        columns.iter().for_each(|&j| force[j] = radius.clone());
        let acceleration = (0..formulation.n()).map(|i| {
            let row = columns
                .iter()
                .map(|&j| formulation.a()[(i, j)].clone().abs());
            row.fold(Rational::new(), |sum, v| sum + v) * radius
        });
        Self {
            acceleration: acceleration.collect(),
            force,
        }
    }

    /// Whether every condition that is no equation holds all over the box. Zero is kept as it is where
    /// an equation, or one that depends on the equations, says so.
    fn holds(&self, faces: &Faces<'_>, independent: &Independent, f: &[Rational]) -> bool {
        let a = faces.accelerations(f);
        let cones = faces.cones.iter().zip(&faces.face);
        cones.into_iter().all(|(cone, face)| {
            let normal = f[cone.normal].clone() - &self.force[cone.normal];
            match face {
                Face::Open => {
                    // The least acceleration of the box is that of the centre less the spread.
                    a[cone.normal] >= self.acceleration[cone.normal]
                        || faces.is_implied(independent, cone.normal)
                }
                Face::Stick => {
                    let limit = cone.mu.clone() * &normal;
                    let largest = |&t: &usize| (f[t].clone().abs() + &self.force[t]).square();
                    let sum = cone.tangents.iter().map(largest);
                    // The least normal force of the box against its largest friction.
                    normal >= 0 && sum.fold(Rational::new(), |s, v| s + v) <= limit.square()
                }
                Face::Slip => {
                    let power = cone.tangents.iter().map(|&t| {
                        let (df, da) = (&self.force[t], &self.acceleration[t]);
                        let off =
                            f[t].clone().abs() * da + a[t].clone().abs() * df + df.clone() * da;
                        f[t].clone() * &a[t] + off
                    });
                    // |f_F| = mu f_N and f_F x a_F = 0 are equations. That friction opposes a_F, and does
                    // not follow it, is this sign.
                    normal >= 0 && power.fold(Rational::new(), |s, v| s + v) <= 0
                }
            }
        })
    }

    /// The furthest that an acceleration is: of the contacts, or a generalised one.
    fn acceleration(
        &self,
        formulation: &Formulation<Rational>,
        columns: &[usize],
        radius: &Rational,
    ) -> Rational {
        let system = formulation.system();
        let mut generalised = vec![Rational::new(); system.dofs()];
        for &j in columns {
            let answer: Covector<Rational> =
                system.mass.inverse_times_row(&formulation.columns()[j]);
            for (k, value) in answer.entries() {
                generalised[*k] += value.clone().abs() * radius;
            }
        }
        let all = self.acceleration.iter().chain(&generalised);
        all.max().cloned().unwrap_or_default()
    }
}

/// To the nearest multiple of 2^-BITS.
fn rounded(value: &Rational) -> Rational {
    let scale = Integer::from(1) << BITS;
    let (numerator, _) = (value.clone() * &scale).round().into_numer_denom();
    Rational::from((numerator, scale))
}

/// A power of two that is no less, and positive.
fn above(value: &Rational) -> Rational {
    let mut power = Rational::from((Integer::from(1), Integer::from(1) << (BITS - 8)));
    while power < *value {
        power *= 2u32;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coulomb::tests::point;

    #[test]
    fn a_matrix_that_is_no_inverse_proves_nothing() {
        let formulation = point("7/2 7/2 -8", "3/5");
        let near = [8.0, -3.394, -3.394].map(|f| Rational::from_f64(f).unwrap());
        let mut faces = Faces::guess(&formulation, &near).remove(0);
        faces.face = vec![Face::Slip];
        let independent = faces.independent().unwrap();
        let (mut newton, f) = Newton::new(&faces, &independent, &near).unwrap();
        assert!(newton.run(&mut f.clone()).is_some());
        // C = 0 takes no step and would call any point a zero; 2 C steps as far beyond it, for ever.
        let right = newton.inverse.clone();
        for factor in [0_u32, 2] {
            let n = right.rows();
            newton.inverse = Dense::from_fn(n, n, |i, j| right[(i, j)].clone() * factor);
            assert_eq!(newton.run(&mut f.clone()), None, "{factor}");
        }
    }
}
