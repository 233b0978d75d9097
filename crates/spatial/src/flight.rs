//! Rotation in free flight: Cayley's transform of the implicit midpoint rule in body coordinates.
//!
//! Let L be the angular momentum in space, p = R'L that in the body, J its inertia. Euler's equations are
//! p' = p x J^-1 p. The midpoint rule with m = (p0 + p1)/2,
//!
//! > p1 - p0 = h m x J^-1 m,
//!
//! keeps both quadratic invariants, |p|^2 and the energy p'J^-1 p/2: the difference of each is 2 m'(p1 - p0), or
//! (J^-1 m)'(p1 - p0), and a triple product with two equal factors is zero. It is a rotation, p1 = cay(-h w) p0 with
//! w = J^-1 m, since p1 - p0 = -h w x (p0 + p1)/2. So the attitude R1 = R0 cay(h w) turns p1 back into L: the
//! momentum in space stays what it is, to the last digit, because it is what is kept. Whatever w is, R1 is a
//! rotation; what the energy gains is the residual of the rule, which binary64 leaves at some 2^-52 of p.
//!
//! An explicit impulse h (J w) x w of the gyroscopic torque gains energy in each step: some per cent in seconds.

use etalon_rigid::{Dense, Vector3};
use rug::Rational;

use crate::attitude::{Quaternion, into_body};
use crate::binary::{cross, dot};

/// How a body turned in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// w of the midpoint rule, in body coordinates, 1/s: a binary64 number, taken exactly.
    pub rate: Vector3<Rational>,
    /// The attitude that it leads to, of any length, exactly.
    pub exact: Quaternion,
    /// The same of unit length, on the grid.
    pub attitude: Quaternion,
}

/// Newton's steps before the rule counts as having no solution near. It converges quadratically where h w is below
/// about 1; there 6 steps were the most seen.
const STEPS: usize = 40;

/// The largest angle h |w| of a step, rad: Cayley's transform turns by 2 arctan(1), a quarter turn, there, and the
/// rule has solutions that are no motion beyond. Chosen.
const MOST: f64 = 2.0;

/// The largest residual beside |p0| that rounding in binary64 explains: a product, a vector product and two sums in
/// each of three coordinates, some 16 units of 2^-53, and as much for the conversion of p0.
const RESIDUAL: f64 = 32.0 / (1u64 << 53) as f64;

/// Turns a body with that momentum in space for a time h; `Err` with the angle h |w|, in rad, where it is above 2, or
/// the rule has no solution near.
pub fn fly(
    attitude: &Quaternion,
    momentum: &Vector3<Rational>,
    inverse_inertia: &Dense<Rational>,
    h: &Rational,
) -> Result<Flight, f64> {
    let body = into_body(&attitude.rotation(), momentum);
    let start = crate::grid::to_f64s(&body);
    let inverse: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| inverse_inertia[(i, j)].to_f64()));
    let h64 = h.to_f64();
    let rate = midpoint(start, &inverse, h64)?;
    let angle = h64 * dot(&rate, &rate).sqrt();
    if angle > MOST {
        return Err(angle);
    }
    let rate = crate::grid::exactly(rate).ok_or(f64::NAN)?;
    let exact = attitude.after(&Quaternion::cayley(&rate.times(h)));
    let attitude = exact.unit().ok_or(f64::NAN)?;
    Ok(Flight {
        rate,
        exact,
        attitude,
    })
}

/// w = J^-1 m of the rule, by Newton's method on m - p0 - (h/2) m x J^-1 m.
fn midpoint(start: [f64; 3], inverse: &[[f64; 3]; 3], h: f64) -> Result<[f64; 3], f64> {
    let size = start.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut middle = start;
    for _ in 0..STEPS {
        let rate = times(inverse, &middle);
        let turned = cross(&middle, &rate);
        let residual: [f64; 3] =
            std::array::from_fn(|k| middle[k] - start[k] - h / 2.0 * turned[k]);
        if residual.iter().all(|x| x.abs() <= RESIDUAL * size) {
            return Ok(rate);
        }
        // The derivative along each axis e: e - (h/2) (e x w + m x J^-1 e).
        let column = |k: usize| {
            let axis: [f64; 3] = std::array::from_fn(|i| f64::from(u8::from(i == k)));
            let (a, b) = (cross(&axis, &rate), cross(&middle, &times(inverse, &axis)));
            std::array::from_fn::<f64, 3, _>(|i| axis[i] - h / 2.0 * (a[i] + b[i]))
        };
        let columns = [column(0), column(1), column(2)];
        let normal = cross(&columns[1], &columns[2]);
        let determinant = dot(&columns[0], &normal);
        let change = [
            dot(&residual, &normal),
            dot(&columns[0], &cross(&residual, &columns[2])),
            dot(&columns[0], &cross(&columns[1], &residual)),
        ];
        middle = std::array::from_fn(|k| middle[k] - change[k] / determinant);
    }
    let rate = times(inverse, &start);
    Err(h * dot(&rate, &rate).sqrt())
}

fn times(matrix: &[[f64; 3]; 3], vector: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| dot(&matrix[i], vector))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_rigid::Vector;

    /// What the rule leaves of p1 - p0 - h m x J^-1 m between two attitudes, in body coordinates.
    fn residual(
        before: &Quaternion,
        after: &Quaternion,
        momentum: &Vector3<Rational>,
        inverse_inertia: &Dense<Rational>,
        h: &Rational,
    ) -> Vector3<Rational> {
        let p0 = into_body(&before.rotation(), momentum);
        let p1 = into_body(&after.rotation(), momentum);
        let middle = (&p0 + &p1).times(&Rational::from((1, 2)));
        let rate = inverse_inertia.times(middle.coordinates());
        let rate = Vector::new(std::array::from_fn(|k| rate[k].clone()));
        &(&p1 - &p0) - &middle.cross(&rate).times(h)
    }

    fn diagonal(values: [(i64, i64); 3]) -> Dense<Rational> {
        Dense::from_fn(3, 3, |i, j| {
            if i == j {
                Rational::from(values[i])
            } else {
                Rational::new()
            }
        })
    }

    #[test]
    fn a_step_of_free_flight_leaves_momentum_and_energy_where_they_are() {
        let inverse = diagonal([(1, 1), (1, 2), (1, 3)]);
        let momentum = Vector::ratios([(1, 100), (2, 1), (1, 7)]);
        let attitude = Quaternion([1, 1, 0, 2].map(Rational::from)).unit().unwrap();
        let h = Rational::from((1, 100));
        let flight = fly(&attitude, &momentum, &inverse, &h).unwrap();
        let energy = |q: &Quaternion| {
            let p = into_body(&q.rotation(), &momentum);
            etalon_rigid::dot(p.coordinates(), &inverse.times(p.coordinates()))
        };
        let gain = energy(&flight.exact) - energy(&attitude);
        assert!(gain.to_f64().abs() < 1e-15, "{}", gain.to_f64());
        let rest = residual(&attitude, &flight.exact, &momentum, &inverse, &h);
        assert!(rest.norm_squared().to_f64().sqrt() < 1e-15);
    }

    #[test]
    fn about_a_principal_axis_it_turns_by_cayleys_angle() {
        let inverse = diagonal([(1, 1), (1, 2), (1, 4)]);
        let momentum = Vector::integers([0, 0, 4]);
        let h = Rational::from((1, 8));
        let flight = fly(&Quaternion::identity(), &momentum, &inverse, &h).unwrap();
        assert_eq!(flight.rate, Vector::integers([0, 0, 1]));
        assert_eq!(flight.exact.0[3], Rational::from((1, 16)));
    }

    #[test]
    fn a_step_of_many_turns_is_refused_with_its_angle() {
        let inverse = diagonal([(1, 1), (1, 50), (1, 3)]);
        let momentum = Vector::integers([1_000_000, 2_000_000, -3_000_000]);
        let angle = fly(
            &Quaternion::identity(),
            &momentum,
            &inverse,
            &Rational::from(10),
        );
        assert!(angle.is_err_and(|angle| angle > 1e6));
    }
}
