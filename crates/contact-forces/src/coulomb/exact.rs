//! Exact forces, where what the contacts do makes the equations linear.

use etalon_rigid::{Dense, LinearSolution};
use rug::Rational;

use super::Coulomb;
use super::faces::{Face, Faces, floats, pivot_columns};
use super::simple::{direction, simple};
use crate::error::ForceError;
use crate::formulation::Formulation;

/// Solves the equations of the faces, with rational directions of slip, and holds the forces against
/// every condition. `None` where a direction is irrational, or a condition does not hold.
pub(super) fn recover(
    formulation: &Formulation<Rational>,
    faces: &Faces<'_>,
    near: &[Rational],
) -> Result<Option<Coulomb>, ForceError> {
    let Some(lines) = lines(faces, near) else {
        return Ok(None);
    };
    let variables = faces.variables();
    let matrix = Dense::from_fn(lines.len(), variables.len(), |i, j| {
        lines[i].0[variables[j]].clone()
    });
    let rounded = Dense::from_fn(lines.len(), variables.len(), |i, j| matrix[(i, j)].to_f64());
    // Which forces are free is decided in binary64: any regular choice leads to exact forces, and
    // the best pivots to the shortest fractions.
    let Some(basic) = pivot_columns(&rounded) else {
        return Ok(None);
    };
    let free: Vec<usize> = (0..variables.len())
        .filter(|j| !basic.contains(j))
        .collect();
    let all: Vec<usize> = (0..lines.len()).collect();
    let block = matrix.block(&all, &basic);
    let largest = near
        .iter()
        .map(|f| f.clone().abs())
        .max()
        .unwrap_or_default();
    // Where contacts are redundant some forces are free: simple ones first.
    // Four digits make fractions that people read; eight keep conditions that hold with less room;
    // with sixty the free forces are those given.
    for digits in [4_u32, 8, 60] {
        let within = largest.clone() / Rational::from(10).pow_u(digits);
        let mut f = vec![Rational::new(); near.len()];
        for &j in &free {
            f[variables[j]] = simple(&near[variables[j]], &within);
        }
        let right: Vec<Rational> = (0..lines.len())
            .map(|i| {
                let known = free
                    .iter()
                    .map(|&j| Rational::from(&matrix[(i, j)] * &f[variables[j]]));
                -known.fold(lines[i].1.clone(), |sum, term| sum + term)
            })
            .collect();
        let LinearSolution::Inside { x, .. } = block.solve(&right) else {
            return Ok(None);
        };
        for (&j, x) in basic.iter().zip(x) {
            f[variables[j]] = x;
        }
        if let Some(found) = formulation.exact(&f)? {
            return Ok(Some(found));
        }
        if free.is_empty() {
            break;
        }
    }
    Ok(None)
}

/// Forces near these with less friction where it is at its limit, as far as redundant contacts leave
/// them free: friction there moved towards zero by that share, projected on the changes that leave every acceleration that is zero. It
/// only says where the exact forces are looked for.
pub(super) fn eased(faces: &Faces<'_>, near: &[Rational], share: f64) -> Option<Vec<Rational>> {
    let a = faces.formulation.a();
    let still = faces.independent()?;
    let variables = faces.variables();
    let rows = Dense::from_fn(still.rows.len(), variables.len(), |i, j| {
        a[(still.rows[i], variables[j])].to_f64()
    });
    let f = floats(near);
    let presses = |row: &usize| {
        faces
            .cones
            .iter()
            .any(|cone| cone.tangents.contains(row) && cone.is_at_limit(&f))
    };
    let wish = |row: &usize| if presses(row) { -share * f[*row] } else { 0.0 };
    // The wish less its part in the row space of the still rows: f changes, and their accelerations do not.
    let wish: Vec<f64> = variables.iter().map(wish).collect();
    let transposed = rows.transposed();
    let off = rows
        .product(&transposed)
        .solve(&rows.times(&wish))
        .solution()?;
    let back = transposed.times(&off);
    let mut eased = near.to_vec();
    for ((&row, wish), back) in variables.iter().zip(wish).zip(back) {
        eased[row] += Rational::from_f64(wish - back)?;
    }
    Some(eased)
}

/// The equations g'f + c = 0 of the faces, as (g, c): accelerations that are zero, and friction at its
/// limit in a given direction.
fn lines(faces: &Faces<'_>, near: &[Rational]) -> Option<Vec<(Vec<Rational>, Rational)>> {
    let formulation = faces.formulation;
    let still = faces.independent()?;
    let mut lines: Vec<_> = still
        .rows
        .iter()
        .map(|&i| (formulation.a().row(i).to_vec(), formulation.b()[i].clone()))
        .collect();
    let f = floats(near);
    for k in faces.with(Face::Slip) {
        let cone = &faces.cones[k];
        let unit = match cone.tangents[..] {
            [t] => vec![Rational::from(if f[t] < 0.0 { -1 } else { 1 })],
            [x, y] => direction([f[x], f[y]])?.to_vec(),
            _ => return None,
        };
        for (&t, unit) in cone.tangents.iter().zip(unit) {
            let mut line = vec![Rational::new(); formulation.n()];
            line[t] = Rational::from(1);
            line[cone.normal] = -(unit * &cone.mu);
            lines.push((line, Rational::new()));
        }
    }
    Some(lines)
}

/// Powers of fractions.
trait Power {
    fn pow_u(self, exponent: u32) -> Rational;
}

impl Power for Rational {
    fn pow_u(self, exponent: u32) -> Rational {
        rug::ops::Pow::pow(self, exponent)
    }
}
