//! The numbers that are kept between steps: dyadic, with fixed bits after the point.

use etalon_rigid::{Dense, Vector, Vector3};
use etalon_time_stepping::{Arithmetic, Grid};
use rug::{Integer, Rational};

/// Bits after the point of lengths, velocities, and the entries of normals and arms: those of Etalon's other
/// grids. Up to 2^13 m they are binary64 numbers, too.
pub const BITS: i32 = 40;

/// Bits after the point of a quaternion's entries. They are at most 1 in size, so that binary64 holds them.
pub const ATTITUDE_BITS: i32 = 52;

/// Bits of an angular momentum beside the largest moment of inertia: its step in 1/s is about 2^-44, finer than that
/// of velocities for bodies of up to 16 m, and the same in all units of mass and length.
pub const MOMENTUM_BITS: i32 = 44;

/// Bits of an inverse inertia beside its largest entry.
pub const INERTIA_BITS: i32 = 48;

/// The multiple of 2^exponent nearest to a number, ties to even.
pub fn rounded(value: &Rational, exponent: i32) -> Rational {
    // A grid has at least 8 bits after the point; the number is shifted so that these are the last kept.
    const SHIFT: i32 = 8;
    let shifted = Rational::from(value << (-exponent - SHIFT));
    let kept = match Grid::new(SHIFT.unsigned_abs()) {
        Ok(grid) => grid.round(shifted),
        Err(_) => shifted,
    };
    kept << (exponent + SHIFT)
}

/// A vector on the grid of lengths.
pub fn kept(vector: &Vector3<Rational>) -> Vector3<Rational> {
    vector.map(|value| rounded(value, -BITS))
}

/// The least e with |value| < 2^e; 0 for 0.
pub fn exponent(value: &Rational) -> i32 {
    let whole = |n: &Integer| i32::try_from(n.significant_bits()).unwrap_or(i32::MAX);
    if *value == 0 {
        return 0;
    }
    // The quotient of integers of a and b bits is below 2^(a-b+1), and at least 2^(a-b-1).
    let guess = whole(value.numer()) - whole(value.denom());
    let size = Rational::from(value.abs_ref());
    if size < Rational::from(1) << guess {
        guess
    } else {
        guess + 1
    }
}

/// The largest size of an entry.
pub fn largest(matrix: &Dense<Rational>) -> Rational {
    let entries = (0..matrix.rows()).flat_map(|i| matrix.row(i));
    entries.fold(Rational::new(), |most, entry| {
        most.max(Rational::from(entry.abs_ref()))
    })
}

/// A square root: that of the square of a fraction exactly, and within 2^-61 otherwise.
pub fn root(value: &Rational) -> Rational {
    let (over, under) = (value.numer(), value.denom());
    if over.is_perfect_square() && under.is_perfect_square() {
        return Rational::from((over.clone().sqrt(), under.clone().sqrt()));
    }
    let root = Grid::new(60).and_then(|grid| grid.sqrt(value));
    root.unwrap_or_default()
}

/// A vector of three binary64 numbers, exactly; `None` where one is not finite.
pub fn exactly(values: [f64; 3]) -> Option<Vector3<Rational>> {
    let [x, y, z] = values.map(Rational::from_f64);
    Some(Vector::new([x?, y?, z?]))
}

/// The nearest binary64 numbers.
pub fn to_f64s(vector: &Vector3<Rational>) -> [f64; 3] {
    vector.coordinates().each_ref().map(Rational::to_f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_squares_are_exact() {
        for root_of in [(1, 3), (0, 1), (7, 1)] {
            let own = Rational::from(root_of);
            assert_eq!(root(&own.clone().square()), own);
        }
        let off = root(&Rational::from(2)).square() - 2u32;
        assert!(off.abs() < (Rational::from(1) >> 59));
    }

    #[test]
    fn ties_go_to_even_at_every_exponent() {
        for exponent in [-40, -3, 0, 5] {
            for (half_steps, steps) in [(1, 0), (3, 2), (-1, 0), (-3, -2), (4, 2)] {
                let value = Rational::from(half_steps) << (exponent - 1);
                assert_eq!(rounded(&value, exponent), Rational::from(steps) << exponent);
            }
        }
    }

    #[test]
    fn the_exponent_encloses_the_number() {
        for (n, d) in [(1, 1), (3, 4), (-5, 3), (1, 1024), (1023, 1), (7, 8)] {
            let value = Rational::from((n, d));
            let e = exponent(&value);
            let size = Rational::from(value.abs_ref());
            assert!(size < Rational::from(1) << e, "{value}");
            assert!(size >= Rational::from(1) << (e - 1), "{value}");
        }
    }
}
