//! What a check may take: the kernel's budget.

pub use etalon_kernel::{Budget, DIVISION, Held, Refusal as OverBudget, bits, fraction_bits};

/// The budget of the measures of an answer. For each row it has 1 KiB for the few numbers that are kept of it, so that
/// a million short rows are judged: what they take is linear in the record. And it has four times the work of a
/// certificate's check: what a certificate leaves unproved is asked for, but a right answer must not be rejected.
/// For each entry of M it has 2^11 products of words more, half a microsecond.
///
/// And for each entry of M it has 4 times the words of an entry of z, on average. The exact solution of n dense rows has
/// fractions of some n / 2 words above and below, all over one denominator D, and to see that it is one, each entry of
/// M, of one or two words, is multiplied by D z_j, of half the words of z_j. That is a product or two of words for each
/// word of z, and 4 leave room for D z_j of 3 times the bits of z, as the kernel takes them. A short text cannot
/// ask for much in this way: n^2 entries and n a words of z are at least 2 n^2 + 19 n a bytes of L, so their n^2 a
/// products are at most 2^32 for an L of 32 MB (two thirds of it for z).
pub(crate) fn of_answer(problem: &etalon_lcp::Problem, z: &[rug::Rational]) -> Budget {
    let words = z.iter().map(fraction_bits).sum::<u64>() / 64;
    of_size(problem.n() as u64, problem.m().stored() as u64, words)
}

/// That of an answer to so many rows, with so many entries of M, in so many words.
pub(crate) fn of_size(rows: u64, entries: u64, words: u64) -> Budget {
    let (bits, work) = Budget::default().left();
    let each = (1 << 11) + 4 * (words / rows.max(1));
    Budget::new(bits + (rows << 13), 4 * work + entries * each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_lcp::{Matrix, Number, Problem};
    use rug::Rational;

    #[test]
    fn work_grows_with_the_entries_of_m_and_the_average_length_of_z() {
        let m = Matrix::from_rows(vec![vec![Number::from(1); 2]; 2]).unwrap();
        let problem = Problem::new("p", m, vec![Number::from(-1); 2]).unwrap();
        let (bits, work) = Budget::default().left();
        let of = |z: &[Rational]| of_answer(&problem, z).left();
        let short = of(&[Rational::new(), Rational::from(1)]);
        assert_eq!(short, (bits + 2 * 8192, 4 * work + 4 * 2048));
        // 1,280 bits above and 640 below, 30 words: 15 each.
        let long = Rational::from(1) << 1_279;
        let z = [long, Rational::from((1, rug::Integer::from(1) << 639))];
        assert_eq!(of(&z), (short.0, short.1 + 4 * 4 * 15));
    }
}
