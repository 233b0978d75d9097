use etalon_modular::Backend;
use proptest::prelude::*;
use rug::{Integer, Rational};

use super::lift::Lifting;
use super::remainders::Remainders;
use super::*;
use crate::budget::Budget;

/// In machine words if the entries fit.
fn matrix(n: usize, entries: Vec<Integer>) -> IntegerMatrix {
    let narrow = |value: &Integer| value.significant_bits() <= NARROW_BITS;
    let entries = if entries.iter().all(narrow) {
        Entries::Narrow(entries.iter().map(Integer::to_i128_wrapping).collect())
    } else {
        Entries::Wide(entries)
    };
    IntegerMatrix { n, entries }
}

/// Elimination in fractions: the solution, or `None` where det A = 0.
pub(super) fn by_elimination(n: usize, a: &[Integer], b: &[Integer]) -> Option<Vec<Rational>> {
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|i| {
            let row = a[i * n..(i + 1) * n].iter().chain([&b[i]]);
            row.map(Rational::from).collect()
        })
        .collect();
    for k in 0..n {
        let pivot = (k..n).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, pivot);
        let pivot = rows[k].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != k && row[k] != 0 {
                let factor = Rational::from(&row[k] / &pivot[k]);
                for (value, across) in row.iter_mut().zip(&pivot) {
                    *value -= Rational::from(&factor * across);
                }
            }
        }
    }
    Some(
        (0..n)
            .map(|k| Rational::from(&rows[k][n] / &rows[k][k]))
            .collect(),
    )
}

fn integers(bits: u32, count: usize) -> impl Strategy<Value = Vec<Integer>> {
    let words = bits.div_ceil(64) as usize;
    let one = (
        prop::collection::vec(any::<u64>(), words),
        any::<bool>(),
        0..10_u32,
    );
    let one = one.prop_map(move |(words, negative, kind)| {
        if kind == 0 {
            return Integer::new();
        }
        let value =
            Integer::from_digits(&words, rug::integer::Order::Lsf) % (Integer::from(1) << bits);
        if negative { -value } else { value }
    });
    prop::collection::vec(one, count)
}

/// n, A, b; A of small rank where the last number says so.
fn systems() -> impl Strategy<Value = (usize, Vec<Integer>, Vec<Integer>)> {
    let sizes = (
        1_usize..9,
        prop_oneof![1_u32..8, 40_u32..70, 90_u32..200],
        1_u32..200,
    );
    let data = sizes.prop_flat_map(|(n, bits, b_bits)| {
        (
            Just(n),
            integers(bits, n * n),
            integers(b_bits, n),
            0..4_u32,
        )
    });
    data.prop_map(|(n, mut a, b, kind)| {
        if kind == 0 && n > 1 {
            for j in 0..n {
                a[(n - 1) * n + j] = Integer::from(&a[j] * 3);
            }
        }
        (n, a, b)
    })
}

fn lifted(n: usize, a: &[Integer], b: &[Integer], backend: Backend) -> Option<Vec<Rational>> {
    let matrix = matrix(n, a.to_vec());
    let meter = Meter::new(&Budget::default());
    match solve_with(&matrix, b, &meter, backend) {
        Ok(fractions) => {
            assert!(fractions.denominator > 0);
            let over = |num: &Integer| Rational::from((num, &fractions.denominator));
            Some(fractions.numerators.iter().map(over).collect())
        }
        Err(failure) => {
            assert_eq!(failure, Failure::Singular);
            None
        }
    }
}

proptest! {
    #[test]
    fn lifting_agrees_with_elimination((n, a, b) in systems()) {
        let expected = by_elimination(n, &a, &b);
        for backend in Backend::available() {
            prop_assert_eq!(&lifted(n, &a, &b, backend), &expected);
        }
    }

    #[test]
    fn bad_scales_are_no_obstacle((n, mut a, mut b) in systems(), shifts in prop::collection::vec(0..300_u32, 9)) {
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] <<= shifts[i] + shifts[n - 1 - j] / 2;
            }
            b[i] <<= shifts[i];
        }
        prop_assert_eq!(lifted(n, &a, &b, Backend::detect()), by_elimination(n, &a, &b));
    }

    #[test]
    fn too_few_digits_prove_nothing((n, a, b) in systems(), count in 1_usize..12) {
        let Some(expected) = by_elimination(n, &a, &b) else {
            return Ok(());
        };
        let matrix = matrix(n, a);
        let meter = Meter::new(&Budget::default());
        let system = System::new(&matrix, &b, &meter);
        let prime = Prime::nth(0).unwrap();
        let Ok(mut lifting) = Lifting::new(&matrix, &b, prime, Backend::PORTABLE) else {
            return Ok(());
        };
        for _ in 0..count {
            lifting.step().unwrap();
        }
        // Nothing or the truth.
        let mut expansion = Expansion::of(lifting);
        if let Some(found) = system.attempt(&mut expansion, u32::MAX).unwrap() {
            let over = |num: &Integer| Rational::from((num, &found.denominator));
            let found: Vec<_> = found.numerators.iter().map(over).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

/// A system of 14 rows with its exact solution, and as many digits as that takes.
fn example(backend: Backend) -> (IntegerMatrix, Vec<Integer>, Fractions, Lifting) {
    let n = 14;
    let entry = |k: usize| {
        let mixed = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Integer::from((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as i64 >> 34)
    };
    let matrix = matrix(n, (0..n * n).map(entry).collect());
    let b: Vec<Integer> = (0..n).map(|i| entry(n * n + i)).collect();
    let meter = Meter::new(&Budget::default());
    let solution = solve_with(&matrix, &b, &meter, backend).unwrap();
    let prime = Prime::nth(0).unwrap();
    let mut lifting = Lifting::new(&matrix, &b, prime, backend).unwrap();
    (0..24).for_each(|_| lifting.step().unwrap());
    (matrix, b, solution, lifting)
}

#[test]
fn a_wrong_digit_is_caught() {
    for backend in Backend::available() {
        for (i, k) in [(0, 0), (5, 1), (13, 3), (2, 6)] {
            let (matrix, b, solution, lifting) = example(backend);
            let meter = Meter::new(&Budget::default());
            let system = System::new(&matrix, &b, &meter);
            let mut expansion = Expansion::of(lifting);
            let right = system.attempt(&mut expansion, u32::MAX).unwrap();
            assert_eq!(right, Some(solution));
            expansion.spoil(i, k);
            // No fraction is small enough to be proved, or it fails modulo another prime.
            let wrong = system.attempt(&mut expansion, u32::MAX).unwrap();
            assert!(wrong.is_none_or(|wrong| !wrong.solve_modulo(&matrix, &b, CHECK, 1)));
        }
    }
}

#[test]
fn a_wrong_numerator_or_denominator_is_caught() {
    let (matrix, b, solution, _) = example(Backend::detect());
    assert!(solution.solve_modulo(&matrix, &b, CHECK, 1));
    let mut wrong = solution.clone();
    wrong.denominator += 1;
    assert!(!wrong.solve_modulo(&matrix, &b, CHECK, 1));
    for i in 0..matrix.n {
        let mut wrong = solution.clone();
        wrong.numerators[i] += 1;
        assert!(!wrong.solve_modulo(&matrix, &b, CHECK, 1));
    }
    // Twice all of them is another form of the same solution.
    let mut same = solution.clone();
    same.denominator *= 2;
    same.numerators.iter_mut().for_each(|num| *num *= 2);
    assert!(same.solve_modulo(&matrix, &b, CHECK, 1));
}

#[test]
fn a_denominator_that_is_no_multiple_of_the_right_one_is_not_proved() {
    for backend in Backend::available() {
        let (matrix, b, solution, lifting) = example(backend);
        let meter = Meter::new(&Budget::default());
        let system = System::new(&matrix, &b, &meter);
        let expansion = Expansion::of(lifting);
        let numerators = |denominator: &Integer, count: usize| {
            expansion.numerators(system.sizes, denominator, count)
        };
        let right = &solution.denominator;
        let found = numerators(right, usize::MAX);
        assert_eq!(found.as_ref(), Some(&solution.numerators));
        let wrong = Integer::from(right + 1);
        assert_eq!(numerators(&wrong, usize::MAX), None);
        // Nor is anything from too few digits.
        assert_eq!(numerators(right, 2), None);
    }
}

#[test]
fn residuals_have_room_for_the_largest_numbers() {
    let largest = |bits: u32| (Integer::from(1) << bits) - 1;
    // Around two words and three: b, and A times a digit of 50 bits.
    for (word, n) in [(128, 1), (128, 2), (192, 1), (192, 2)] {
        for (short, less) in (0..8).flat_map(|short| (0..8).map(move |less| (short, less))) {
            let entry = largest(word - 50 - short);
            let mut a = vec![Integer::new(); n * n];
            (0..n).for_each(|i| a[i * n + i] = Integer::from(-&entry));
            a[n - 1] -= 1;
            let b = vec![largest(word - less); n];
            let expected = by_elimination(n, &a, &b);
            for backend in Backend::available() {
                assert_eq!(
                    lifted(n, &a, &b, backend),
                    expected,
                    "{word} {short} {less}"
                );
            }
        }
    }
}

#[test]
fn the_bits_of_an_image_are_enough_for_the_largest_numbers() {
    let largest = |bits: u32| (Integer::from(1) << bits) - 1;
    for n in 1..=9_usize {
        for bits in [(1, 1), (3, 5), (7, 2), (40, 60)] {
            let matrix = matrix(n, vec![largest(bits.0); n * n]);
            let b = vec![-largest(bits.1); n];
            let meter = Meter::new(&Budget::default());
            let system = System::new(&matrix, &b, &meter);
            for (num, den) in [(1, 1), (5, 3), (4, 9), (70, 50), (50, 70)] {
                // A num - den b, where nothing cancels.
                let sum = largest(bits.0) * largest(num) * n as u32;
                let image = sum + largest(bits.1) * largest(den);
                assert!(system.sizes.image_bits(num, den) >= image.significant_bits());
                // Were that the modulus, the two sides would be congruent, and differ.
                assert!(!(system.sizes).is_proved(&largest(num), &largest(den), &image));
            }
        }
    }
}

#[test]
fn a_combination_has_the_denominator_of_all_entries() {
    let (.., solution, lifting) = example(Backend::detect());
    let (sum, modulus) = Expansion::of(lifting).combination();
    let (_, denominator) = reconstruct(&sum, &modulus, u32::MAX).unwrap();
    assert!((denominator * SMOOTH).is_divisible(&solution.denominator));
}

#[test]
fn a_denominator_without_a_factor_is_completed() {
    // The first entries are integers, the others have the denominators 7 and 31^5.
    let p5 = 31 * 31 * 31 * 31 * 31;
    let a = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 7, 0, 0, 0, 0, p5].map(Integer::from);
    let b = [5, 6, 1, 1].map(Integer::from);
    let matrix = matrix(4, a.to_vec());
    let meter = Meter::new(&Budget::default());
    let system = System::new(&matrix, &b, &meter);
    let prime = Prime::nth(0).unwrap();
    let mut lifting = Lifting::new(&matrix, &b, prime, Backend::PORTABLE).unwrap();
    (0..8).for_each(|_| lifting.step().unwrap());
    let expansion = Expansion::of(lifting);
    let one = Integer::from(1);
    assert_eq!(expansion.numerators(system.sizes, &one, 8), None);
    let found = system.completed(&expansion, one).unwrap();
    assert_eq!(found.denominator, 7 * p5);
    assert_eq!(found.numerators, [35 * p5, 42 * p5, p5, 7]);
}

#[test]
fn long_denominators_are_found_whatever_cancels_in_the_combination() {
    let n = 16;
    let mut state = 1_u64;
    let mut random = |bits: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Integer::from((state >> (64 - bits)) as i64 - (1 << (bits - 1)))
    };
    for _ in 0..300 {
        let a: Vec<Integer> = (0..n * n).map(|_| random(30)).collect();
        let b: Vec<Integer> = (0..n).map(|_| random(30)).collect();
        let matrix = matrix(n, a.clone());
        let meter = Meter::new(&Budget::default());
        let found = solve(&matrix, &b, &meter).unwrap();
        for (row, b) in a.chunks_exact(n).zip(&b) {
            let products = row.iter().zip(&found.numerators);
            let sum = products.fold(Integer::new(), |sum, (a, num)| sum + a * num);
            assert_eq!(sum, Integer::from(b * &found.denominator));
        }
        // Cramer's rule: nothing superfluous is in the denominator.
        let bound = n as u32 * (29 + 2);
        assert!(found.denominator.significant_bits() <= bound);
    }
}

fn form(matrix: &IntegerMatrix, backend: Backend) -> products::Form {
    products::Form::new(matrix, matrix.is_symmetric(), backend)
}

#[test]
fn a_wrong_inverse_leaves_a_remainder() {
    // Dividing what p does not divide.
    let matrix = matrix(1, vec![Integer::from(3)]);
    let prime = Prime::nth(0).unwrap();
    let residual = residual::Residual::new(&[Integer::from(5)], 2, prime);
    for backend in Backend::available() {
        let mut products = products::Products::new(form(&matrix, backend), &[1]);
        let found = products.subtract_from(&mut residual.clone(), &[1]);
        assert_eq!(found, Err(residual::Remainder));
        // 5 - 3 y is divisible by p for the right digit.
        let y = prime.multiply(5, prime.invert(3));
        assert_eq!(products.subtract_from(&mut residual.clone(), &[y]), Ok(()));
    }
}

#[test]
fn a_remainder_in_many_words_is_seen_in_any_row() {
    // Residuals of more than two words, each row wrong in turn; the last one right does not hide it.
    let prime = Prime::nth(0).unwrap();
    let right: Integer = Integer::from(prime.p()) << 200;
    let n = 3;
    let matrix = matrix(n, (0..n * n).map(|_| Integer::new()).collect());
    for wrong in 0..=n {
        let mut b = vec![right.clone(); n];
        if wrong < n {
            b[wrong] += 1;
        }
        let residual = residual::Residual::new(&b, 0, prime);
        for backend in Backend::available() {
            let mut products = products::Products::new(form(&matrix, backend), &[0; 9]);
            let found = products.subtract_from(&mut residual.clone(), &[0; 3]);
            assert_eq!(found.is_ok(), wrong == n);
        }
    }
}

#[test]
fn digits_are_scaled_only_where_that_is_faster_and_fits() {
    for backend in Backend::available() {
        let (.., lifting) = example(backend);
        let is_faster = backend.prefers_tiles();
        assert_eq!(lifting.positional(5).is_some(), is_faster);
        // More than there are, and more than sums have room for.
        assert!(lifting.positional(25).is_none());
        let most = etalon_modular::MAX_DIGITS;
        let one = matrix(1, vec![Integer::from(3)]);
        let prime = Prime::nth(0).unwrap();
        let mut lifting = Lifting::new(&one, &[Integer::from(1)], prime, backend).unwrap();
        (0..=most).for_each(|_| lifting.step().unwrap());
        assert_eq!(lifting.positional(most).is_some(), is_faster);
        assert!(lifting.positional(most + 1).is_none());
        // Numbers of several pieces are put together.
        let denominator = Integer::from(3);
        let all = Remainders::new(std::slice::from_ref(&lifting), &denominator, most);
        assert_eq!(all.of(0..1), [1]);
    }
}

#[test]
fn a_row_that_is_wrong_is_seen_by_any_thread() {
    // The unit matrix, of more rows than a thread checks at once.
    let n = 6 * PART;
    let entries = (0..n * n)
        .map(|k| i128::from(k.is_multiple_of(n + 1)))
        .collect();
    let matrix = IntegerMatrix {
        n,
        entries: Entries::Narrow(entries),
    };
    let b: Vec<Integer> = (0..n).map(Integer::from).collect();
    let right = Fractions {
        numerators: b.clone(),
        denominator: Integer::from(1),
    };
    for threads in 1..3 {
        assert!(right.solve_modulo(&matrix, &b, CHECK, threads));
        for wrong in [0, PART, n - 1] {
            let mut found = right.clone();
            found.numerators[wrong] += 1;
            assert!(!found.solve_modulo(&matrix, &b, CHECK, threads));
        }
    }
}

#[test]
fn a_prediction_that_is_far_too_low_costs_time_only() {
    let (matrix, b, solution, _) = example(Backend::detect());
    let meter = Meter::new(&Budget::default());
    let system = System::new(&matrix, &b, &meter);
    for guess in [(0.0, 0.0), (50.0, 0.0), (0.0, 300.0), (1e5, 0.0)] {
        let prime = Prime::nth(0).unwrap();
        let lifting = Lifting::new(&matrix, &b, prime, Backend::detect()).unwrap();
        let mut expansion = Expansion::of(lifting);
        let found = system.lift(&mut expansion, &Prediction::guess(guess.0, guess.1), None);
        assert_eq!(found.unwrap(), solution);
    }
}

#[test]
fn small_systems_are_eliminated_to_the_same_end() {
    let mut state = 7_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(3);
        (state >> 33) as i64 % 7 - 3
    };
    for round in 0..500 {
        let n = round % (bareiss::MAX_ROWS + 1);
        // Some in machine words, some long.
        let shift = if round % 2 == 0 { 0 } else { 200 };
        let mut entry = || Integer::from(random()) << shift;
        let a: Vec<Integer> = (0..n * n).map(|_| entry()).collect();
        let b: Vec<Integer> = (0..n).map(|_| entry()).collect();
        let found = bareiss::solve(&matrix(n, a.clone()), &b).map(|found| {
            assert!(found.denominator > 0);
            // The determinant, within Hadamard's bound: sqrt(n) <= 4.
            assert!(found.denominator.significant_bits() <= (shift + 4) * n as u32 + 1);
            let over = |num: &Integer| Rational::from((num, &found.denominator));
            found.numerators.iter().map(over).collect::<Vec<_>>()
        });
        assert_eq!(found, by_elimination(n, &a, &b));
    }
}

#[test]
fn budgets_are_kept() {
    let n = 16;
    let a: Vec<Integer> = (0..n * n)
        .map(|k| Integer::from((k * k * k + k) % 101))
        .collect();
    let matrix = matrix(n, a);
    let b = vec![Integer::from(1); n];
    let meter = Meter::new(&Budget {
        bits: 1,
        ..Budget::default()
    });
    assert_eq!(
        solve(&matrix, &b, &meter),
        Err(Failure::Exhausted(Exhausted::Bits(1)))
    );
    let huge = IntegerMatrix {
        n: MAX_ROWS + 1,
        entries: Entries::Narrow(Vec::new()),
    };
    let meter = Meter::new(&Budget::default());
    assert_eq!(
        solve(&huge, &[], &meter),
        Err(Failure::Exhausted(Exhausted::Rows(MAX_ROWS)))
    );
}
