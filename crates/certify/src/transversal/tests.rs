//! Sizes that are carried, against all ways of carrying them.

use super::*;
use etalon_lcp::{Matrix, Number};
use proptest::prelude::*;

/// The largest product over all ways of giving each unknown of the list a row of its own.
fn heaviest(m: &[Vec<i64>], rows: &[usize], unknowns: &[usize]) -> Rational {
    let Some((first, others)) = unknowns.split_first() else {
        return Rational::from(1);
    };
    let products = rows.iter().enumerate().map(|(at, &row)| {
        let mut left = rows.to_vec();
        left.remove(at);
        heaviest(m, &left, others) * m[row][*first].abs()
    });
    products.max().unwrap_or_default()
}

/// Which nodes of the block hang together with j.
fn part(m: &[Vec<i64>], block: &[bool], j: usize) -> Vec<usize> {
    let mut found = vec![j];
    let mut next = 0;
    while next < found.len() {
        let i = found[next];
        for k in (0..m.len()).filter(|&k| block[k]) {
            if (m[i][k] != 0 || m[k][i] != 0) && !found.contains(&k) {
                found.push(k);
            }
        }
        next += 1;
    }
    found
}

/// The number of entries of the largest transversal.
fn largest(m: &[Vec<i64>], rows: &[usize], unknowns: &[usize]) -> usize {
    let Some((first, others)) = rows.split_first() else {
        return 0;
    };
    let with = unknowns.iter().enumerate().map(|(at, &j)| {
        let mut left = unknowns.to_vec();
        left.remove(at);
        if m[*first][j] == 0 {
            0
        } else {
            1 + largest(m, others, &left)
        }
    });
    with.max().unwrap_or(0).max(largest(m, others, unknowns))
}

/// The rows and the unknowns that no largest transversal leaves out, and that have nothing to do with
/// unknowns and rows which one does.
fn square(m: &[Vec<i64>], part: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let most = largest(m, part, part);
    let keep = |out: usize| {
        part.iter()
            .copied()
            .filter(|&k| k != out)
            .collect::<Vec<_>>()
    };
    let spare = |is_row: bool| -> Vec<usize> {
        let covers = |&k: &usize| match is_row {
            true => largest(m, &keep(k), part) == most,
            false => largest(m, part, &keep(k)) == most,
        };
        part.iter().copied().filter(covers).collect()
    };
    let (rows, unknowns) = (spare(true), spare(false));
    let own_rows = part
        .iter()
        .copied()
        .filter(|i| !rows.contains(i) && unknowns.iter().all(|&j| m[*i][j] == 0));
    let own = part
        .iter()
        .copied()
        .filter(|j| !unknowns.contains(j) && rows.iter().all(|&i| m[i][*j] == 0));
    (own_rows.collect(), own.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn carried_sizes_are_those_of_cramers_rule(
        n in 1usize..=5,
        entries in proptest::collection::vec(prop_oneof![Just(0), -3i64..=3, Just(100)], 25),
        block in proptest::collection::vec(prop_oneof![3 => Just(true), 1 => Just(false)], 5),
        s in proptest::collection::vec(0i64..=9, 5),
    ) {
        let m: Vec<Vec<i64>> = (0..n).map(|i| entries[i * 5..i * 5 + n].to_vec()).collect();
        let rows = m.iter().map(|row| row.iter().map(|v| Number::from(*v)).collect()).collect();
        let q = vec![Number::from(0); n];
        let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q).unwrap();
        let s: Vec<Rational> = s[..n].iter().map(|v| Rational::from(*v)).collect();
        let mut work = Work::new(&problem);
        let found = Block::new(&problem, block[..n].to_vec()).carried(&s, &mut work);
        for j in 0..n {
            let expected = block[j].then(|| {
                let (rows, unknowns) = square(&m, &part(&m, &block[..n], j));
                let whole = heaviest(&m, &rows, &unknowns);
                let without = |i: usize| {
                    let keep = |list: &[usize], out: usize| list.iter().copied().filter(|&k| k != out).collect::<Vec<_>>();
                    heaviest(&m, &keep(&rows, i), &keep(&unknowns, j)) * &s[i]
                };
                unknowns.contains(&j).then(|| rows.iter().map(|&i| without(i)).max().unwrap() / whole)
            }).flatten();
            prop_assert_eq!(&found[j], &expected, "unknown {} of {:?}", j, m);
        }
    }
}

fn work(looks: u64) -> Work {
    let bits = MAX_BITS;
    Work { looks, bits }
}

#[test]
fn without_work_left_nothing_is_carried() {
    let rows = vec![vec![Number::from(1); 2]; 2];
    let q = vec![Number::from(1); 2];
    let problem = Problem::new("p", Matrix::from_rows(rows).unwrap(), q).unwrap();
    let s = vec![Rational::from(1); 2];
    let found = Block::new(&problem, vec![true, true]).carried(&s, &mut work(1));
    assert_eq!(found, [None, None]);
}

/// Two rows of ones beside a row alone: its part comes first, and has what it needs.
#[test]
fn a_large_part_takes_nothing_from_a_small_one() {
    let one = |i, j| (i, j, Number::from(1));
    let entries = vec![one(0, 0), one(0, 1), one(1, 0), one(1, 1), one(2, 2)];
    let m = Matrix::from_entries((3, 3), entries).unwrap();
    let problem = Problem::new("p", m, vec![Number::from(1); 3]).unwrap();
    let s = vec![Rational::from(1); 3];
    let found = Block::new(&problem, vec![true; 3]).carried(&s, &mut work(3));
    assert_eq!(found, [None, None, Some(Rational::from(1))]);
}

#[test]
fn each_look_is_paid_for_by_the_word() {
    let mut work = work(10);
    assert_eq!(work.look(63), Some(()));
    assert_eq!(work.look(64), Some(()));
    assert_eq!(work.look(320), Some(()));
    assert_eq!((work.looks, work.look(64)), (1, None));
    let m = Matrix::from_rows(vec![vec![Number::from(1)]]).unwrap();
    let problem = Problem::new("p", m, vec![Number::from(1)]).unwrap();
    assert_eq!(Work::new(&problem).looks, (1 << 22) + 32);
    assert_eq!(Work::new(&problem).bits, MAX_BITS);
}

#[test]
fn sizes_of_many_rows_may_be_less_long() {
    let n = 100_000;
    let m = Matrix::from_entries((n, n), vec![]).unwrap();
    let q = vec![Number::from(1); n as usize];
    let problem = Problem::new("p", m, q).unwrap();
    assert_eq!(Work::new(&problem).bits, 1342);
}

#[test]
fn a_size_that_grows_too_long_is_not_carried_on() {
    // A product of 2 and 2^k, an integer of k + 2 bits over the denominator 1.
    let product = |k: u64| {
        let size = Rational::from(1) << u32::try_from(k).unwrap();
        work(1 << 20).product(Rational::from(2), &size)
    };
    assert!(product(MAX_BITS - 3).is_some());
    assert!(product(MAX_BITS - 2).is_none() && product(MAX_BITS).is_none());
}

/// The carried sizes of a block with a transversal, from the definition by exact steps alone: paths that carry
/// most, round by round, and rows exchanged along cycles that carry more than they take.
fn by_exact_steps(m: &[Vec<Rational>], s: &[Rational]) -> Vec<Rational> {
    fn give(m: &[Vec<Rational>], j: usize, of: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        (0..m.len()).any(|i| {
            let fresh = !m[i][j].is_zero() && !std::mem::replace(&mut seen[i], true);
            let free = fresh && of[i].is_none_or(|next| give(m, next, of, seen));
            if free {
                of[i] = Some(j);
            }
            free
        })
    }
    let n = m.len();
    let mut of = vec![None; n];
    assert!((0..n).all(|j| give(m, j, &mut of, &mut vec![false; n])));
    let mut of: Vec<usize> = of.into_iter().flatten().collect();
    'exchanged: loop {
        let ratio = |i: usize, k: usize| Rational::from(&m[i][k] / &m[i][of[i]]).abs();
        let mut sizes = vec![Rational::new(); n];
        let mut through: Vec<Option<usize>> = vec![None; n];
        (0..n).for_each(|i| sizes[of[i]] = (Rational::from(&s[i] / &m[i][of[i]])).abs());
        loop {
            let mut grew = false;
            for i in 0..n {
                for k in (0..n).filter(|&k| k != of[i] && !m[i][k].is_zero()) {
                    let size = ratio(i, k) * &sizes[k];
                    if size > sizes[of[i]] {
                        (sizes[of[i]], through[i], grew) = (size, Some(k), true);
                    }
                }
            }
            if !grew {
                return sizes;
            }
            let row_of = |j: usize| of.iter().position(|own| *own == j);
            for start in 0..n {
                let next = |i: &usize| through[*i].and_then(row_of);
                let ahead = std::iter::successors(next(&start), next).take(n);
                let cycle: Vec<usize> = ahead.take_while(|i| *i != start).collect();
                if cycle.last().map_or(Some(start), next) != Some(start) {
                    continue;
                }
                if through[start].is_some() && cycle.len() < n {
                    for &i in cycle.iter().chain([&start]) {
                        of[i] = through[i].unwrap();
                    }
                    continue 'exchanged;
                }
            }
        }
    }
}

/// Numbers that look random, and are the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % sides
    }

    /// 20 to 50 bits, and a power of two up to 2^scale either way.
    fn entry(&mut self, scale: u32) -> Rational {
        let bits = 20 + self.roll(31) as u32;
        let mantissa = ((self.0 >> 3) % (1 << bits)) as i64 * 2 + 1;
        let power = self.roll(2 * scale as usize + 1) as i32 - scale as i32;
        Rational::from(mantissa) << (power - bits as i32)
    }

    fn matrix(
        &mut self,
        n: usize,
        scale: u32,
        keep: impl Fn(&mut Self, usize, usize) -> bool,
    ) -> Vec<Vec<Rational>> {
        let mut own = |i, j| match keep(self, i, j) {
            true => self.entry(scale),
            false => Rational::new(),
        };
        (0..n)
            .map(|i| (0..n).map(|j| own(i, j)).collect())
            .collect()
    }
}

fn carried_by(m: &[Vec<Rational>], s: &[Rational], steps: bool) -> Vec<Option<Rational>> {
    let rows = m
        .iter()
        .map(|row| row.iter().map(|v| Number::from(v.clone())).collect());
    let matrix = Matrix::from_rows(rows.collect()).unwrap();
    let problem = Problem::new("p", matrix, vec![Number::from(0); m.len()]).unwrap();
    let block = Block::new(&problem, vec![true; m.len()]);
    let mut work = Work::new(&problem);
    if steps {
        return block.carried(s, &mut work);
    }
    let mut pairing = Pairing::new(&block, &mut work).unwrap();
    let mut search = Search::new(m.len(), 0);
    let part = (0..m.len()).collect();
    let proved = search.sizes(&mut pairing, part, s, &mut work).unwrap();
    proved.0.into_iter().map(|(_, size)| Some(size)).collect()
}

/// Blocks of many rows: dense, banded, with a saddle point, its rows in another order, badly scaled.
fn blocks() -> Vec<(&'static str, Vec<Vec<Rational>>)> {
    let mut dice = Dice(7);
    let dense = dice.matrix(40, 0, |_, _, _| true);
    let banded = dice.matrix(200, 2, |_, i, j| i.abs_diff(j) < 3);
    let saddle = dice.matrix(90, 1, |dice, i, j| match (i < 60, j < 60) {
        (true, true) => i / 3 == j / 3,
        (false, false) => false,
        (true, false) => i == j - 60 || dice.roll(20) == 0,
        (false, true) => j == i - 60 || dice.roll(20) == 0,
    });
    let mut permuted = dice.matrix(80, 3, |dice, i, j| i == j || dice.roll(16) == 0);
    for k in (1..80).rev() {
        permuted.swap(k, dice.roll(k + 1));
    }
    let mut scaled = dice.matrix(40, 1, |dice, i, j| i == j || dice.roll(4) == 0);
    let scales: Vec<i32> = (0..80).map(|_| dice.roll(1200) as i32 - 600).collect();
    for (i, row) in scaled.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            *value <<= scales[i] + scales[40 + j];
        }
    }
    let integers = dice.matrix(60, 0, |dice, _, _| dice.roll(5) == 0);
    let sign = |(at, value): (usize, &Rational)| match (value.is_zero(), at % 2) {
        (true, _) => Rational::new(),
        (false, odd) => Rational::from(1 - 2 * odd as i64),
    };
    let ties = integers
        .iter()
        .map(|row| row.iter().enumerate().map(sign).collect());
    let mut ties: Vec<Vec<Rational>> = ties.collect();
    (0..60).for_each(|i| ties[i][(7 * i + 3) % 60] = Rational::from(1));
    vec![
        ("dense", dense),
        ("banded", banded),
        ("saddle point", saddle),
        ("permuted", permuted),
        ("badly scaled", scaled),
        ("ties", ties),
    ]
}

#[test]
fn carried_sizes_of_large_blocks_are_those_of_exact_steps() {
    let mut dice = Dice(11);
    for (name, m) in blocks() {
        let s: Vec<Rational> = m
            .iter()
            .map(|_| dice.entry(9) * dice.roll(5) as u32)
            .collect();
        let expected: Vec<_> = by_exact_steps(&m, &s).into_iter().map(Some).collect();
        assert!(carried_by(&m, &s, true) == expected, "{name}");
        assert!(
            carried_by(&m, &s, false) == expected,
            "{name}, without proposals"
        );
    }
}

/// Two rows see one unknown alone, and two unknowns are in one row alone: the others are the square part.
#[test]
fn what_a_large_singular_block_leaves_has_its_own_sizes() {
    let mut dice = Dice(3);
    let regular = dice.matrix(60, 2, |dice, i, j| i == j || dice.roll(12) == 0);
    let s: Vec<Rational> = (0..63).map(|_| dice.entry(3)).collect();
    let mut m = vec![vec![Rational::new(); 63]; 63];
    for (row, own) in m.iter_mut().zip(&regular) {
        row[..60].clone_from_slice(own);
        row[60] = dice.entry(0);
    }
    (0..60).for_each(|k| m[60][k] = dice.entry(0));
    for (i, j) in [(60, 61), (60, 62), (61, 60), (62, 60)] {
        m[i][j] = dice.entry(0);
    }
    let expected = by_exact_steps(&regular, &s[..60]).into_iter().map(Some);
    let expected: Vec<_> = expected.chain([None, None, None]).collect();
    assert!(carried_by(&m, &s, true) == expected);
}

/// Fractions of 200 bits, multiplied, and a part in 2^k larger.
#[test]
fn leading_bits_decide_nothing_that_the_fractions_contradict() {
    let mut dice = Dice(5);
    let mut long = |_| {
        let power = (0..4).map(|_| dice.entry(40));
        power.fold(Rational::from(1), |product, entry| product * entry) / 3
    };
    let mut decided = 0;
    for round in 0..4000 {
        let [a, b, c] = [0, 1, 2].map(&mut long);
        let rounding: Rational = Rational::from(1) >> (50 + round % 20);
        let near = Near::of(&a).times(Near::of(&b)).over(Near::of(&c));
        let larger = Rational::from(&a * &b) / &c * (Rational::from(1) + rounding);
        let larger = Near::of(&(larger * &c)).over(Near::of(&c));
        assert_ne!(near.exceeds(larger, Near::PROVED), Some(true));
        assert_ne!(larger.exceeds(near, Near::PROVED), Some(false));
        decided += u32::from(larger.exceeds(near, Near::PROVED).is_some());
    }
    // Those that differ by a part in 2^55 and more.
    assert!((1200..=1400).contains(&decided), "{decided}");
}

/// Products that differ by less than proposals can tell, and by less than 64 bits hold.
#[test]
fn a_transversal_that_is_heavier_by_a_rounding_is_found() {
    for bits in [30_u32, 50, 62, 70, 300] {
        let rounding: Rational = Rational::from(1) >> bits;
        let more = Rational::from(1) + rounding;
        let one = Rational::from(1);
        let m = vec![
            vec![one.clone(), one.clone()],
            vec![more.clone(), one.clone()],
        ];
        let s = [one.clone(), one.clone()];
        // W = more; W_00 = W_10 = 1 and W_01 = more.
        let expected = [more.recip(), one];
        assert_eq!(by_exact_steps(&m, &s), expected);
        let found: Vec<_> = carried_by(&m, &s, true).into_iter().flatten().collect();
        assert_eq!(found, expected, "{bits}");
    }
}

#[test]
fn a_transversal_that_is_not_the_heaviest_proves_nothing() {
    let m = Matrix::from_rows(vec![
        vec![Number::from(1), Number::from(3)],
        vec![Number::from(2), Number::from(5)],
    ]);
    let problem = Problem::new("p", m.unwrap(), vec![Number::from(0); 2]).unwrap();
    let block = Block::new(&problem, vec![true; 2]);
    let s = [Rational::from(1), Rational::from(1)];
    let prove = |rows: [usize; 2], source: [Option<usize>; 2]| {
        let mut work = Work::new(&problem);
        let mut pairing = Pairing::new(&block, &mut work).unwrap();
        (0..2).for_each(|j| pairing.pair(rows[j], j));
        let square = pairing.square(vec![0, 1], &mut work).unwrap();
        let proved = pairing
            .prove(&square, &mut source.clone(), &s, &mut work)
            .unwrap();
        proved.map(|proved| {
            proved
                .0
                .into_iter()
                .map(|(_, size)| size)
                .collect::<Vec<_>>()
        })
    };
    // 3 * 2 outweighs 1 * 5: W(1, 0) / W = 3 / 6 and W(0, 0) / W = 5 / 6; W(0, 1) / W = 2 / 6, W(1, 1) / W = 1 / 6.
    let right = Some(vec![Rational::from((5, 6)), Rational::from((1, 3))]);
    assert_eq!(prove([1, 0], [Some(1), None]), right);
    assert_eq!(prove([1, 0], [None, None]), None);
    assert_eq!(prove([0, 1], [None, None]), None);
    // Paths that come back to themselves carry nothing by that.
    assert_eq!(prove([1, 0], [Some(1), Some(0)]), right);
    assert_eq!(prove([0, 1], [Some(1), Some(0)]), None);
}

mod block {
    use super::*;

    fn problem() -> Problem {
        let rows = [[1, 2, 4], [8, 16, 32], [64, 128, 256]];
        let row = |row: &[i64; 3]| row.iter().map(|v| Number::from(*v)).collect();
        let m = Matrix::from_rows(rows.iter().map(row).collect()).unwrap();
        Problem::new("p", m, vec![Number::from(0); 3]).unwrap()
    }

    #[test]
    fn an_unknown_takes_the_friction_along_that_slides_with_it() {
        let problem = problem();
        let mut block = Block::new(&problem, vec![true, false, false]);
        block.slide(1, 0, Rational::from((-1, 2)));
        block.slide(2, 0, Rational::from(3));
        let mut work = Work::new(&problem);
        assert_eq!(block.entry(0, 0, &mut work), Some(Rational::from(12)));
        assert_eq!(block.row(0).collect::<Vec<_>>(), [0, 0, 0]);
    }

    #[test]
    fn friction_without_a_coefficient_or_with_a_normal_outside_slides_with_nothing() {
        let problem = problem();
        let mut block = Block::new(&problem, vec![true, false, false]);
        block.slide(1, 0, Rational::new());
        block.slide(2, 1, Rational::from(1));
        let mut work = Work::new(&problem);
        assert_eq!(block.entry(0, 0, &mut work), Some(Rational::from(1)));
        assert_eq!(block.row(0).collect::<Vec<_>>(), [0]);
    }
}
