//! Boxes that hold a solution, found from an approximate one by Newton's method in fractions.

use etalon_certify::Truth;
use etalon_lcp::{Certificate, Enclosure, Number, Problem};
use nalgebra::DMatrix;
use rug::{Float, Integer, Rational};

use super::implied::implied;
use super::modes::{Point, correct, read};
use super::system::{At, System, sizes};

/// Decimal digits of the middle, relative to the size of each unknown. An enclosure of 10^-30 is asked
/// for, and Newton's last step leaves some.
const DIGITS: i32 = 40;

/// The first radius is so many decimal digits below the size of each unknown.
const RADIUS: i32 = 32;

/// Digits of unknowns that are chosen because contacts are redundant: those that a proposal in binary64 has.
const CHOSEN_DIGITS: i32 = 12;

/// Newton's steps. Each doubles the digits that are right, from some 3 to [`DIGITS`], or adds those that the
/// inverse in binary64 has.
const STEPS: usize = 60;

/// How often modes are corrected.
const CORRECTIONS: usize = 30;

/// The largest number of unknowns: the inverse is dense. Chosen for its time, some seconds.
const MAX_UNKNOWNS: usize = 1_000;

/// Forces relative to the largest, and to their disc's boundary, below which they are read as 0 and as on
/// it: guesses, from the accuracy of binary64 to that of a loose iteration.
const NEAR: [f64; 5] = [1e-9, 1e-6, 1e-12, 1e-3, 1e-4];

/// By how much radii may grow beyond their weights. They are powers of ten, the next above, and some may grow tenfold
/// beside others that do not. That happens rarely, and the room for it asks for more digits of the inverse.
const ROOM: [f64; 2] = [1.0, 10.0];

/// A box of radius at most about 1e-30 of the forces in which the kernel has proved a solution to be, from an
/// approximate solution z of length n. None where its modes are not found, where their equations are
/// singular, or where an inequality holds with equality.
pub fn enclose(problem: &Problem, z: &[f64]) -> Option<Certificate> {
    if z.len() != problem.n() || z.iter().any(|own| !own.is_finite()) {
        return None;
    }
    let start: Vec<_> = z
        .iter()
        .filter_map(|own| Rational::from_f64(*own))
        .collect();
    let mut tried = Vec::new();
    for near in NEAR {
        let mut center = start.clone();
        let mut modes = read(problem, &rounded(problem, &center), near);
        for _ in 0..CORRECTIONS {
            if tried.contains(&modes) {
                break;
            }
            tried.push(modes.clone());
            let mut system = System::new(problem, &modes)?;
            let found = newton(problem, &mut system, &center);
            let Some(found) = found else {
                break;
            };
            let point = rounded(problem, &found.0);
            for room in ROOM {
                let own = certificate(problem, &system, found.clone(), room);
                let holds =
                    |own: &Certificate| Truth::default().add_certificate(problem, own).is_ok();
                if own.as_ref().is_some_and(holds) {
                    return own;
                }
            }
            if !correct(problem, &point, &mut modes) {
                break;
            }
            center = found.0;
        }
    }
    None
}

fn rounded(problem: &Problem, z: &[Rational]) -> Point {
    let at = At::new(problem, z);
    let of = |all: &[Rational]| all.iter().map(Rational::to_f64).collect();
    Point {
        z: of(z),
        w: of(&at.w),
    }
}

/// The zero of the equations near a point, and an inverse of the derivative there.
type Zero = (Vec<Rational>, DMatrix<f64>);

/// Equations that others imply are left out of the system where the derivative is singular.
fn newton(problem: &Problem, system: &mut System, from: &[Rational]) -> Option<Zero> {
    if system.unknown.len() > MAX_UNKNOWNS {
        return None;
    }
    let known = from.iter().zip(&system.known);
    let mut z: Vec<_> = known
        .map(|(own, known)| known.clone().unwrap_or(own.clone()))
        .collect();
    leave_out_implied(problem, system, &mut z)?;
    let mut inverse: Option<DMatrix<f64>> = None;
    let mut last = f64::INFINITY;
    for _ in 0..STEPS {
        let (values, gradient) = system.at(problem, &At::new(problem, &z));
        let float: Vec<_> = z.iter().map(Rational::to_f64).collect();
        let sizes = sizes(problem, &float);
        let of_unknown = |x: usize| sizes[system.unknown[x]];
        // Far from the zero the derivative moves; near it one inverse adds its digits in each step.
        if last > 1e-3 || inverse.is_none() {
            inverse = Some(scaled_inverse(gradient, &of_unknown)?);
        }
        let inverse = inverse.as_ref()?;
        let mut longest = 0.0_f64;
        for (x, i) in system.unknown.iter().enumerate() {
            // In fractions: values may be beyond the range of binary64, and cancel.
            let row = inverse.row(x);
            let terms = row.iter().zip(&values).filter(|(by, _)| **by != 0.0);
            // 77 digits: the 40 that are kept, and what sums of values of unlike sizes lose.
            let mut step = Float::new(256);
            for (by, value) in terms {
                step += Float::with_val(256, value) * *by;
            }
            longest = longest.max(step.to_f64().abs() / of_unknown(x));
            let next = step.to_rational().map(|step| &z[*i] - step)?;
            z[*i] = shortened(&next, sizes[*i], DIGITS)?;
        }
        // Far out Newton's method will not come back, and its fractions grow long. The number is chosen.
        if !longest.is_finite() || longest > 1e12 {
            return None;
        }
        // A step below the radius by some digits, and no progress beyond them.
        if longest < 10_f64.powi(-RADIUS - 5) {
            let (_, gradient) = system.at(problem, &At::new(problem, &z));
            return Some((z, scaled_inverse(gradient, &of_unknown)?));
        }
        last = longest;
    }
    None
}

/// Leaves equations out that others imply, if there are any. Then z has few digits where it is chosen. None where
/// there are not as many equations as unknowns.
fn leave_out_implied(problem: &Problem, system: &mut System, z: &mut [Rational]) -> Option<()> {
    let (_, gradient) = system.at(problem, &At::new(problem, z));
    let float: Vec<_> = z.iter().map(Rational::to_f64).collect();
    let sizes = sizes(problem, &float);
    if !gradient.is_square() {
        return None;
    }
    if rank_is_full(gradient, &|x| sizes[system.unknown[x]]) {
        return Some(());
    }
    let implied = implied(problem, &system.linear_rows(problem, z));
    if implied.is_empty() {
        return Some(());
    }
    let before = system.unknown.clone();
    system.leave_out(problem, z, implied);
    for i in before.iter().filter(|i| !system.unknown.contains(i)) {
        z[*i] = shortened(&z[*i], sizes[*i], CHOSEN_DIGITS)?;
    }
    let count = system.unknown.len() + system.implied.len();
    (count == before.len()).then_some(())
}

/// Whether the pivots of a factorisation do not become small, when rows and columns are of one size. An exact dependence
/// leaves a pivot of the rounding, some n eps = 1e-13.
fn rank_is_full(mut m: DMatrix<f64>, size: &impl Fn(usize) -> f64) -> bool {
    if scale(&mut m, size).is_none() {
        return false;
    }
    // With column pivoting the last pivots show the rank. 1e-10 is far above the 1e-13 of an exact
    // dependence; a system between counts as regular, and its inverse has the last word.
    let pivots = m.col_piv_qr().unpack_r().diagonal().abs();
    pivots.min() > 1e-10 * pivots.max()
}

/// Brings columns to their sizes and then rows to one size, and says what rows were divided by.
fn scale(m: &mut DMatrix<f64>, size: &impl Fn(usize) -> f64) -> Option<Vec<f64>> {
    for (x, mut column) in m.column_iter_mut().enumerate() {
        column *= size(x);
    }
    let rows: Vec<f64> = m.row_iter().map(|row| row.amax()).collect();
    if rows.iter().any(|own| *own <= 0.0 || !own.is_finite()) {
        return None;
    }
    for (mut row, by) in m.row_iter_mut().zip(&rows) {
        row /= *by;
    }
    Some(rows)
}

/// The inverse, by a factorisation whose rows and columns were brought to one size.
fn scaled_inverse(mut m: DMatrix<f64>, size: &impl Fn(usize) -> f64) -> Option<DMatrix<f64>> {
    let rows = scale(&mut m, size)?;
    let mut inverse = m.lu().try_inverse()?;
    for (x, mut row) in inverse.row_iter_mut().enumerate() {
        row *= size(x);
    }
    for (mut column, by) in inverse.column_iter_mut().zip(&rows) {
        column /= *by;
    }
    inverse.iter().all(|own| own.is_finite()).then_some(inverse)
}

/// The nearest decimal fraction of so many digits below a size.
fn shortened(value: &Rational, size: f64, digits: i32) -> Option<Rational> {
    let unit = power_of_ten(size.log10().floor(), -digits)?;
    let count = Rational::from(value / &unit).round();
    Some(count * unit)
}

/// 10^(of_size + digits), where `of_size` is the whole logarithm of a size in binary64. None where that size is infinite or
/// no number: mu r_N may be beyond binary64, and a power of as many digits as an infinite logarithm is cut to, 2^31, would
/// take minutes.
fn power_of_ten(of_size: f64, digits: i32) -> Option<Rational> {
    if !of_size.is_finite() {
        return None;
    }
    let exponent = of_size as i32 + digits;
    let ten = Rational::from(Integer::from(Integer::u_pow_u(10, exponent.unsigned_abs())));
    Some(if exponent < 0 { ten.recip() } else { ten })
}

/// A box about a zero as a certificate: each radius holds twice what the derivative may add.
fn certificate(
    problem: &Problem,
    system: &System,
    (z, inverse): Zero,
    room: f64,
) -> Option<Certificate> {
    let float: Vec<_> = z.iter().map(Rational::to_f64).collect();
    let sizes = sizes(problem, &float);
    let unknown = &system.unknown;
    let (_, gradient) = system.at(problem, &At::new(problem, &z));
    // Seven digits of the inverse are enough unless the equations are ill-conditioned.
    let all = [inverse.map(brief), inverse];
    let first: Vec<_> = unknown.iter().map(|i| sizes[*i]).collect();
    let (d, inverse) = all.into_iter().find_map(|inverse| {
        let rest = (&inverse * &gradient - DMatrix::identity(unknown.len(), unknown.len())).abs();
        weights(&rest, &first, room).map(|d| (d, inverse))
    })?;
    let mut radius = vec![Number::from(0); z.len()];
    for (i, d) in unknown.iter().zip(d) {
        radius[*i] = Number::from(power_of_ten(d.log10().ceil(), -RADIUS)?);
    }
    let row = |row: nalgebra::RowDVector<f64>| {
        row.iter()
            .map(|own| Number::from_f64(*own))
            .collect::<Option<Vec<_>>>()
    };
    Some(Certificate::Enclosure(Box::new(Enclosure {
        modes: system.modes.clone(),
        center: z.into_iter().map(Number::from).collect(),
        radius,
        implied: system.implied.clone(),
        inverse: (0..unknown.len())
            .map(|x| row(inverse.row(x).into_owned()))
            .collect::<Option<_>>()?,
    })))
}

/// Weights d with |I - C F'| r <= r / 2 for all r with d <= r <= room d, from the sizes of the unknowns.
fn weights(rest: &DMatrix<f64>, sizes: &[f64], room: f64) -> Option<Vec<f64>> {
    let first = nalgebra::DVector::from_column_slice(sizes);
    let mut d = first.clone();
    for _ in 0..20 {
        let moved = rest * &d;
        if moved
            .iter()
            .zip(d.iter())
            // |I - C F'| r <= room |I - C F'| d <= 0.4 d <= 0.4 r. Less than the 1/2 that is asked for leaves some for
            // rounding here, and for the derivative's change over the box, which the kernel bounds exactly.
            .all(|(moved, d)| room * *moved <= 0.4 * d)
        {
            return Some(d.iter().copied().collect());
        }
        // At the limit d >= 3 room |I - C F'| d, so that room |I - C F'| d <= d / 3. There is a limit where
        // the spectral radius is below 1 / (3 room).
        d = (&first + 3.0 * room * &moved).map(|own| own.min(f64::MAX));
        if d.iter().zip(sizes).any(|(d, size)| *d > 1e6 * size) {
            return None;
        }
    }
    None
}

/// The value with seven decimal digits: certificates are written as text.
fn brief(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rank of two rows, whatever the sizes of rows and unknowns.
    #[test]
    fn dependent_rows_have_no_full_rank_in_any_units() {
        for (entries, is_full) in [([1.0, 2.0, 3.0, 4.0], true), ([1.0, 2.0, 2.0, 4.0], false)] {
            for (row, column) in [(1.0, 1.0), (1e9, 1.0), (1.0, 1e9), (1e-9, 1e12)] {
                let scaled = DMatrix::from_fn(2, 2, |i, j| {
                    let row = if i == 0 { row } else { 1.0 };
                    entries[2 * i + j] * row / if j == 0 { column } else { 1.0 }
                });
                let sizes = [column, 1.0];
                assert_eq!(
                    rank_is_full(scaled, &|x| sizes[x]),
                    is_full,
                    "{row:e} {column:e}"
                );
            }
        }
        let gone = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 0.0]);
        assert!(!rank_is_full(gone, &|_| 1.0));
    }

    #[test]
    fn what_is_brief_has_seven_digits_and_is_near() {
        for value in [
            1.0,
            -1.0 / 3.0,
            2e300 / 7.0,
            -1e-300 / 9.0,
            0.0,
            123_456_789.0,
        ] {
            let own = brief(value);
            assert!(
                (own - value).abs() <= 5e-7 * value.abs(),
                "{own:e} for {value:e}"
            );
            assert_eq!(own, brief(own));
            let digits = format!("{own:e}")
                .chars()
                .take_while(|c| *c != 'e')
                .filter(char::is_ascii_digit)
                .count();
            assert!(digits <= 7, "{own:e}");
        }
    }
}
