//! Numbers, their texts and their rounding.

use super::*;

#[test]
fn a_binary64_value_is_an_odd_integer_times_a_power_of_two() {
    let least = f64::from_bits(1);
    for value in [
        0.0,
        1.0,
        -1.0,
        0.1,
        -3.5e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        least,
        -3.0 * least,
        96.0,
    ] {
        let (mantissa, exponent) = Number::from_f64(value).unwrap().as_dyadic().unwrap();
        let back = Rational::from(mantissa) << exponent;
        assert_eq!(back, Rational::from_f64(value).unwrap(), "{value:e}");
        assert!(
            mantissa % 2 != 0 || (mantissa, exponent) == (0, 0),
            "{value:e}"
        );
    }
    assert_eq!(Number::from(1).as_dyadic(), None);
}

#[test]
fn numbers_for_people_have_four_digits_and_are_not_told_smaller() {
    let text = |text: &str| short_text(&parse_rational(text).unwrap());
    for (value, shown) in [
        ("0", "0"),
        ("-7/5", "-7/5"),
        ("12345678901234567890", "12345678901234567890"),
        ("123456789012345678901", "1.235e20"),
        ("-123456789012345678901", "-1.235e20"),
        ("100000000000000000000", "1e20"),
        ("1000000000000000000001/1000000000000000000000", "1.001"),
        ("-12345678901234567890123/1000000000000000000", "-12350"),
        ("-1234567890123456789012/100000000000000000000", "-12.35"),
        ("99999000000000000000001/1000000000000000000", "1e5"),
        (
            "1234567890123456789012/10000000000000000000000000",
            "0.0001235",
        ),
        (
            "1234567890123456789012/100000000000000000000000000",
            "1.235e-5",
        ),
        ("999900000000000000000001", "1e24"),
        ("999800000000000000000001", "9.999e23"),
        ("1/3000000000000000000000", "3.334e-22"),
        ("0x1p-60", "8.674e-19"),
        ("1e-400", "1e-400"),
        ("-3e400", "-3e400"),
    ] {
        assert_eq!(text(value), shown, "{value}");
    }
}

fn exact(text: &str) -> Rational {
    Number::parse_exact(text).unwrap().into_rational()
}

#[test]
fn strings_are_taken_exactly() {
    for (text, numerator, denominator) in [
        ("3", 3, 1),
        ("-7/5", -7, 5),
        ("0.1", 1, 10),
        ("2.5e-3", 1, 400),
        ("+1E2", 100, 1),
        (".5", 1, 2),
        ("5.", 5, 1),
        ("0x1.8p-3", 3, 16),
        ("-0xA", -10, 1),
        ("6/4", 3, 2),
        ("1e0000000000000002", 100, 1),
    ] {
        assert_eq!(
            exact(text),
            Rational::from((numerator, denominator)),
            "{text}"
        );
    }
}

#[test]
fn json_numbers_are_the_nearest_binary64() {
    let tenth = Number::parse_json_number("0.1").unwrap();
    assert_eq!(
        tenth.to_rational(),
        Rational::from((3602879701896397u64, 36028797018963968u64))
    );
    assert_eq!(Number::parse_json_number("1e-400").unwrap().to_f64(), 0.0);
    assert_eq!(
        Number::parse_json_number("-0.0").unwrap(),
        Number::parse_json_number("0").unwrap()
    );
}

#[test]
fn fractions_over_one_denominator_are_what_they_are() {
    use std::hash::{BuildHasher, RandomState};

    let integers = |values: [i64; 4]| values.map(Integer::from).to_vec();
    for (numerators, denominator) in [([4, -3, 0, 12], 6), ([-4, 3, 0, -12], -6)] {
        let shared = Number::over(integers(numerators), Integer::from(denominator)).unwrap();
        let plain = ["2/3", "-1/2", "0", "2"].map(|text| Number::parse_exact(text).unwrap());
        assert_eq!(shared, plain);
        assert_eq!(plain.as_slice(), shared);
        let state = RandomState::new();
        for (shared, plain) in shared.iter().zip(&plain) {
            assert_eq!(state.hash_one(shared), state.hash_one(plain));
            assert_eq!(shared.to_string(), plain.to_string());
            assert_eq!(shared.to_f64(), plain.to_f64());
            assert_eq!(shared.signum(), plain.signum());
            assert_eq!(shared.is_zero(), plain.is_zero());
            assert_eq!(shared.as_binary64(), None);
            assert_eq!(shared.clone().into_rational(), plain.to_rational());
            assert_ne!(*shared, Number::from_f64(plain.to_f64()).unwrap());
        }
    }
    assert_eq!(Number::over(integers([1, 2, 3, 4]), Integer::new()), None);
}

#[test]
fn bad_tokens_are_typed_errors() {
    use NumberError as E;
    let of = |text: &str| Number::parse_exact(text).unwrap_err();
    assert!(matches!(of("NaN"), E::NotFinite { .. }));
    assert!(matches!(of("-inf"), E::NotFinite { .. }));
    assert!(matches!(of("1/0"), E::ZeroDenominator { .. }));
    assert!(matches!(of("1e999999999"), E::Exponent { .. }));
    assert!(matches!(of("1e-999999999"), E::Exponent { .. }));
    assert!(matches!(of("0x1p99999999999999999999"), E::Exponent { .. }));
    assert!(matches!(of(&"7".repeat(3_000_000)), E::TooLong { .. }));
    for text in [
        "", "-", ".", "1 ", " 1", "1_0", "1/", "/2", "1/-2", "1e", "0x", "0xg", "1.5/2", "٣",
    ] {
        assert!(matches!(of(text), E::Syntax { .. }), "{text:?}");
    }
    let json = |text: &str| Number::parse_json_number(text).unwrap_err();
    assert!(matches!(json("1e999"), E::Overflow { .. }));
    assert!(matches!(json("1e-999999999"), E::Exponent { .. }));
    assert!(matches!(json("NaN"), E::NotFinite { .. }));
}

#[test]
fn rounding_goes_up_and_to_nearest() {
    let third = Rational::from((1, 3));
    let up = round_up_f64(&third);
    assert!(Rational::from_f64(up).unwrap() > third);
    assert!(Rational::from_f64(up.next_down()).unwrap() < third);
    assert_eq!(round_up_f64(&Rational::from((1, 4))), 0.25);
    assert_eq!(Number::from(Rational::from((1, 10))).to_f64(), 0.1);
    assert_eq!(Number::from(Rational::from((-1, 10))).to_f64(), -0.1);
    assert_eq!(
        Number::from(Rational::from(1) << 1024u32).to_f64(),
        f64::INFINITY
    );
    assert_eq!(round_up_f64(&(Rational::from(1) >> 2000u32)), 5e-324);
}

#[test]
fn text_reads_back_as_the_same_number() {
    for value in [1.0, -0.1, 1e300, 5e-324, 123456789.125, 1e16, 0.3] {
        let number = Number::from_f64(value).unwrap();
        assert_eq!(
            Number::parse_json_number(&number.to_string()).unwrap(),
            number
        );
    }
}
