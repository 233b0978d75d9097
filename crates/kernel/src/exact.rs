//! Fractions as integers over one denominator: the only arithmetic of the kernel. Whatever may
//! grow is paid for before it does.

use rug::{Integer, Rational};

use crate::{Checked, budget::*, ensure};

/// Integers by columns, over one positive denominator: a linear expression in z with its constant
/// in column n, a vector, or a matrix row by row.
#[derive(Debug)]
pub struct Exact {
    /// Columns, ascending, with their numerators.
    pub entries: Vec<(usize, Integer)>,
    /// The denominator.
    pub denominator: Integer,
    /// No numerator has more bits together with the denominator.
    pub longest: u64,
}

/// z, and what stands in column n: 1 for a point; 0 for a direction, along which constants count for
/// nothing; d for d times a point.
pub(crate) type Point<'a> = (&'a [Rational], &'a Rational);

impl Exact {
    /// The values, in ascending columns, over their least common denominator. Unrelated
    /// denominators multiply, so a short text can ask for far more than there is.
    ///
    /// # Errors
    /// Columns that do not ascend, the budget.
    pub fn new(all: impl Iterator<Item = (usize, Rational)>, held: &mut Held<'_>) -> Checked<Self> {
        let (budget, mut read) = (held.budget, held.budget.hold(0, 0)?);
        let keep = |entry: (usize, Rational)| read.more(2, fraction_bits(&entry.1)).map(|()| entry);
        let values = all.map(keep).collect::<Result<Vec<_>, _>>()?;
        ensure(values.is_sorted_by(|a, b| a.0 < b.0), "a row names no column, or one twice")?;
        let over = common(values.iter().map(|(_, value)| value.denom()), budget)?;
        held.more(1, bits(&over))?;
        let (mut entries, mut longest) = (Vec::new(), bits(&over));
        for (j, value) in values {
            let factor = bits(&over) - bits(value.denom()) + 1;
            let size = bits(value.numer()) + factor;
            held.more(1, size)?;
            budget.multiply(1, factor, fraction_bits(&value) + DIVISION)?;
            longest = longest.max(size + bits(&over));
            entries.push((j, value.numer() * Integer::from(over.div_exact_ref(value.denom()))));
        }
        Ok(Self { entries, denominator: over, longest })
    }

    /// The expression at z, times a positive factor, that of the row's denominator and the second number:
    /// often only its sign is asked for.
    pub(crate) fn at(&self, (z, last): Point<'_>, budget: &Budget) -> Checked<[Integer; 2]> {
        let met = self.entries.iter().map(|(j, value)| (value, z.get(*j).unwrap_or(last)));
        // Of those that the row meets: they may share a short denominator where all of z do not.
        let (mut sum, over) = (Integer::new(), common(met.clone().map(|z| z.1.denom()), budget)?);
        for (value, z) in met.filter(|(_, z)| **z != 0) {
            let (long, by) = (bits(value) + fraction_bits(z), bits(&over) - bits(z.denom()) + 1);
            let _held = budget.hold(2, long + 2 * by)?;
            // Of a long z both parts are read; short numbers take as long as if one had some words more.
            budget.multiply(1, bits(value), fraction_bits(z) + DIVISION)?;
            // A multiple of as many bits is the number itself, and its quotient, 1, comes of their last words.
            budget.multiply((by > 1).into(), by, long + DIVISION)?;
            // Short by short first: then the long one is read once, and the sum changed where it stands.
            let value = value * Integer::from(over.div_exact_ref(z.denom()));
            sum += &value * z.numer();
        }
        Ok([sum, over])
    }
}

/// D z and D, all z over one denominator, where these have at most some 3 times the bits of z and z is long: short
/// numbers, and those of unrelated denominators, are brought there row by row. What it takes is linear in z, 4 times its
/// bits and a product of words for each, so it has means of its own.
pub(crate) fn whole(z: &[Rational]) -> Checked<(Vec<Rational>, Rational)> {
    let all = z.iter().map(fraction_bits).sum::<u64>();
    let y = Exact::new(z.iter().cloned().enumerate(), &mut Budget::new(4 * all, all).hold(0, 0)?)?;
    Ok((y.entries.into_iter().map(|(_, y)| y.into()).collect(), y.denominator.into()))
}

/// The least common multiple of denominators. It has no more bits than all of them, from which it is made; those of the
/// solution of one linear system divide the longest, so that nothing has to be multiplied.
fn common<'a>(all: impl Iterator<Item = &'a Integer> + Clone, budget: &Budget) -> Checked<Integer> {
    let longest = all.clone().max_by_key(|own| bits(own));
    let mut common = longest.cloned().unwrap_or_else(|| Integer::from(1));
    for own in all.filter(|own| **own != 1 && Some(*own) != longest) {
        budget.multiply(1, bits(&common).saturating_sub(bits(own)), bits(own) + DIVISION)?;
        if !common.is_divisible(own) {
            budget.reduce(1, bits(&common), bits(own))?;
            common.lcm_mut(own);
        }
    }
    Ok(common)
}

#[cfg(test)]
// A test fails by panicking; the lints are for the library.
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Refusal;

    #[test]
    fn numerators_stand_over_the_least_common_denominator() {
        let budget = Budget::default();
        let all = budget.left().0;
        let values = [Rational::from((1, 2)), Rational::from((-2, 3)), Rational::from(5)];
        let mut held = budget.hold(0, 0).unwrap();
        let exact = Exact::new([0, 2, 7].into_iter().zip(values), &mut held).unwrap();
        let entries = [(0, 3), (2, -4), (7, 30)].map(|(j, value)| (j, Integer::from(value)));
        assert_eq!((&exact.entries[..], &exact.denominator), (&entries[..], &Integer::from(6)));
        // The denominator, and three numbers of 1, 2 and 3 bits with factors of 3 - 2 + 1, 3 - 2 + 1
        // and 3 - 1 + 1 bits.
        assert_eq!(all - budget.left().0, 4 * 512 + 3 + 6 + 7);
        assert_eq!(exact.longest, 3 + 3 + 3);
        drop(held);
        assert_eq!(budget.left().0, all);
    }

    #[test]
    fn an_expression_has_its_constant_at_a_point_and_not_along_a_direction() {
        let budget = Budget::default();
        let entries = [(0, (1, 2)), (2, (-2, 3)), (3, (1, 3))];
        let entries = entries.map(|(j, value)| (j, Rational::from(value)));
        let row = Exact::new(entries.into_iter(), &mut budget.hold(0, 0).unwrap()).unwrap();
        let z = [Rational::from((1, 5)), Rational::from(9), Rational::from((1, 2))];
        let left = budget.left().0;
        // 1/10 and -7/30, times 6 of the row and 10 of the entries that it meets.
        assert_eq!(row.at((&z, &Rational::from(1)), &budget).unwrap(), [6, 10].map(Integer::from));
        assert_eq!(row.at((&z, &Rational::new()), &budget).unwrap(), [-14, 10].map(Integer::from));
        assert_eq!(budget.left().0, left);
    }

    #[test]
    fn a_growing_denominator_is_noticed_before_it_has_grown() {
        // 60 unrelated numbers of 400 digits: over their denominator 60 * 60 * 1,300 bits.
        let long =
            |k: u32| Rational::from((1, Integer::from(Integer::u_pow_u(10, 400)) + (2 * k + 1)));
        let values: Vec<_> = (0..60).map(|k| (k as usize, long(k))).collect();
        let new = |budget: &Budget| {
            Exact::new(values.clone().into_iter(), &mut budget.hold(0, 0).unwrap()).map(|_| ())
        };
        let budget = Budget::new(1 << 20, 1 << 32);
        assert_eq!(new(&budget), Err(Refusal::MEMORY));
        assert_eq!(budget.left().0, 1 << 20);
        assert_eq!(new(&Budget::new(1 << 23, 1 << 32)), Ok(()));
        assert_eq!(new(&Budget::new(1 << 23, 99)), Err(Refusal::WORK));
    }

    #[test]
    fn numbers_are_paid_for_as_they_come() {
        let budget = Budget::new(10_000, 0);
        let mut held = budget.hold(0, 0).unwrap();
        let many = (0..1_000_000).map(|k| (k, Rational::from(k)));
        assert_eq!(Exact::new(many, &mut held).err(), Some(Refusal::MEMORY));
        drop(held);
        assert_eq!(budget.left().0, 10_000);
    }

    #[test]
    fn long_numbers_over_one_denominator_are_whole_times_it() {
        let d = (Integer::from(1) << 4_095u32) + 1u32;
        let over = |value: i32| Rational::from((Integer::from(value), d.clone()));
        let numbers = |all: [i32; 3]| all.map(Rational::from).to_vec();
        assert_eq!(whole(&[5, 0, -2].map(over)), Ok((numbers([5, 0, -2]), d.clone().into())));
        // Short numbers, one long number among short ones, and long unrelated denominators are left as they are.
        assert_eq!(whole(&numbers([5, 0, -2])), Err(Refusal::MEMORY));
        assert_eq!(whole(&[over(5), 1.into(), 1.into(), 1.into()]), Err(Refusal::MEMORY));
        let unrelated = |k: u32| Rational::from((1, Integer::from(1) << 4_095u32 | (2 * k + 1)));
        assert!(whole(&[0, 1, 2, 3, 4, 5, 6, 7].map(unrelated)).is_err());
    }
}
