//! How simple a number is, and a problem.

use etalon_lcp::Number;

use crate::generate::draft::Draft;

/// The size of a problem for a person: rows first, then the work of reading and computing with its
/// numbers, in hundredths of a small integer.
pub fn of(draft: &Draft) -> (usize, u64) {
    let mut sum: u64 = draft
        .m
        .iter()
        .flatten()
        .chain(&draft.q)
        .map(|v| number(*v))
        .sum();
    if let Some((lower, upper)) = &draft.bounds {
        // A default bound costs nothing, and bounds as such a little.
        sum += 50;
        sum += lower
            .iter()
            .map(|&v| if v == 0.0 { 0 } else { 50 + number(v) })
            .sum::<u64>();
        sum += upper
            .iter()
            .map(|&v| {
                if v == f64::INFINITY {
                    0
                } else {
                    50 + number(v)
                }
            })
            .sum::<u64>();
    }
    sum += draft
        .friction
        .iter()
        .map(|(_, _, mu)| 100 + number(*mu))
        .sum::<u64>();
    for cone in &draft.cones {
        // A cone and each disc cost as much as a small integer, beside their numbers.
        sum += 100;
        for disc in &cone.discs {
            sum += 100;
            let mus = disc.mu.data().iter().map(Number::to_f64);
            sum += mus.map(|mu| 10 + number(mu)).sum::<u64>();
        }
    }
    sum += draft.blocks.len() as u64 * 50;
    let scale = draft.scale.iter().flatten();
    sum += scale.map(|size| 50 + number(*size)).sum::<u64>();
    // Fewer rows outweigh any numbers: a person reads a 2 by 2 problem of long fractions, and no 20
    // by 20 one.
    (draft.q.len(), sum)
}

/// 0, then 1, -1, 2, ..., longer integers, then fractions by their bits.
pub fn number(value: f64) -> u64 {
    if value == 0.0 {
        return 0;
    }
    if value.is_infinite() {
        return 100;
    }
    let sign = u64::from(value < 0.0);
    let size = value.abs();
    if size.fract() == 0.0 && size < 1e15 {
        let integer = size as u64;
        return match integer {
            1 => 100 + sign,
            2..=9 => 100 + 4 * integer + sign,
            _ => 200 * (1 + u64::from(integer.ilog10())) + integer.min(99) / 10 + sign,
        };
    }
    let exponent = size.log2().floor().abs();
    // Above all integers of up to five digits, so that rounding to one of them is simpler; then by
    // bits, since a fraction of few bits is exact in few digits.
    1000 + 100 * u64::from(mantissa_bits(size)) + (exponent * 10.0) as u64 + sign
}

/// The bits from the first to the last that is set.
fn mantissa_bits(value: f64) -> u32 {
    let mantissa = value.to_bits() & ((1 << 52) - 1);
    if mantissa == 0 {
        1
    } else {
        53 - mantissa.trailing_zeros()
    }
}

/// Simpler numbers in place of one, the simplest first.
pub fn simpler(value: f64) -> Vec<f64> {
    let own = number(value);
    let sign = if value < 0.0 { -1.0 } else { 1.0 };
    let mut candidates = vec![0.0, sign, -sign];
    candidates.extend((2..=9).map(|k| sign * f64::from(k)));
    if value.is_finite() {
        let whole = value.trunc();
        let half = (value / 2.0).trunc();
        candidates.extend([
            value.round(),
            whole,
            sign * value.abs().ceil(),
            half,
            whole - sign,
        ]);
        candidates.extend([1, 2, 4, 8, 16, 26, 39].map(|bits| rounded_to(value, bits)));
    }
    candidates.retain(|candidate| candidate.is_finite() && number(*candidate) < own);
    candidates.sort_by_key(|candidate| number(*candidate));
    candidates.dedup();
    candidates
}

/// The value with so many bits of its mantissa, cut.
pub fn rounded_to(value: f64, bits: u32) -> f64 {
    f64::from_bits(value.to_bits() & (u64::MAX << (53 - bits.clamp(1, 53))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simpler_means_simpler_and_zero_is_simplest() {
        let order = [0.0, 1.0, -1.0, 2.0, -2.0, 9.0, 10.0, 123.0, 0.5, 0.75, 0.1];
        assert!(
            order
                .windows(2)
                .all(|pair| number(pair[0]) < number(pair[1]))
        );
        for value in [0.1, -3.7, 1e300, 5e-324, 17.0, f64::INFINITY] {
            assert!(simpler(value).iter().all(|v| number(*v) < number(value)));
            assert_eq!(simpler(value)[0], 0.0);
        }
        assert_eq!(simpler(0.0), Vec::<f64>::new());
        assert_eq!(rounded_to(1.75, 2), 1.5);
        assert_eq!(rounded_to(-1.75, 1), -1.0);
    }
}
