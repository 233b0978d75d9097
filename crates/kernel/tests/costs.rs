//! What each check takes of its budget, to the bit and to the product of words.
//!
//! A check that counts less than it takes lets a short text exhaust the machine, and one that counts
//! more refuses proofs that it could check. So the figures below are exact: a change of them is a
//! change of what the kernel refuses.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use etalon_kernel::{
    Bounds, Budget, Class, Cone, ConeNode, Direction, Disc, Enclosure, Law, Mode, Node, Problem,
    Refusal, Truth, check_solution,
};

/// The fewest bits and the least work with which a check passes, each with plenty of the other.
fn takes(check: impl Fn(&Budget) -> Result<(), Refusal>) -> [u64; 2] {
    let plenty = 1 << 40;
    let least = |budget: &dyn Fn(u64) -> Budget| {
        let (mut no, mut yes) = (0, plenty);
        assert!(check(&budget(yes)).is_ok(), "{:?}", check(&budget(yes)));
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            match check(&budget(middle)) {
                Ok(()) => yes = middle,
                Err(refusal) => {
                    assert!(refusal.is_over_budget(), "{refusal}");
                    no = middle;
                }
            }
        }
        yes
    };
    let both = [least(&|bits| Budget::new(bits, plenty)), least(&|work| Budget::new(plenty, work))];
    // All of what is held comes back, and what was spent is what is missing.
    let budget = Budget::new(both[0], both[1]);
    check(&budget).unwrap();
    assert_eq!(budget.left(), (both[0], 0));
    both
}

fn of_cover(data: &Data, nodes: &[Node<Entries>]) -> [u64; 2] {
    takes(|budget| Truth::default().add_cover(data, nodes, budget))
}

/// A number of 400 bits, which is odd.
fn long() -> String {
    (rug::Integer::from(1) << 399u32 | rug::Integer::from(1)).to_string()
}

#[test]
fn a_solution() {
    // w = z - 1, z >= 0, at z = 1, by hand. A number is 512 bits beside its digits. Reading a row of k
    // entries holds 2 k numbers and their digits while it lasts, and then the denominator and k numerators,
    // of (digits + factor's digits) bits each: w keeps 513 + 2 * 514, z - 0 keeps 513 + 514. The most is
    // held when w is read at z: 2,568 of the row, and of one term 2 * 512, the 1 + 2 digits that it is made from, and 2.
    // Work: 16 for each entry over the common denominator (3 of w and z - 0), and 16 for each term.
    let one = problem("1 -1", "0..");
    let z = vector("1");
    assert_eq!(takes(|budget| check_solution(&one, &z, budget)), [3_597, 96]);
    let mixed = problem("1/7 1/11 -18/77; 1/5 1/3 -8/15", "0.. 1/2..3/2");
    let z = vector("1 1");
    assert_eq!(takes(|budget| check_solution(&mixed, &z, budget)), [7_205, 416]);
    let friction = problem("1/7 0 -1/7; 0 2 0", "0.. 1/3*0");
    let z = vector("1 0");
    assert_eq!(takes(|budget| check_solution(&friction, &z, budget)), [6_167, 208]);
    let large = problem(&format!("{0} -{0}", long()), "0..");
    assert_eq!(takes(|budget| check_solution(&large, &vector("1"), budget)), [5_189, 300]);
}

/// z = (2, 0, 1) / d with d of 400 bits, 7 words: what rows cost that meet one long denominator again and again.
#[test]
fn a_solution_over_one_long_denominator() {
    let row = format!("1 1 1 -3/{}", long());
    let same = problem(&[row.as_str(); 3].join("; "), "0.. 0.. 0..");
    let z = vector(&format!("2/{0} 0 1/{0}", long()));
    let [_, work] = takes(|budget| check_solution(&same, &z, budget));
    // Of each row, over d: three entries that are d times 1 take a quotient of 7 words by 15, and the constant 1 by 22.
    // Then terms of 7 words by 22 at the two entries that are not 0, as they stand over d, and of 16 at the constant,
    // which takes one of 7 by 16 more to get there. A bound takes 16 for its entry, and 22 for its term where z is not 0.
    let of_w = 3 * 7 * 16 + 22 + 2 * 7 * 22 + 16 + 7 * 16;
    let of_bounds = 3 * 16 + 2 * 22;
    assert_eq!(work, 3 * of_w + of_bounds);
}

/// The same where d has 6,400 bits, 101 words: z is brought over it once, from means of its own.
#[test]
fn a_long_solution() {
    let d = ((rug::Integer::from(1) << 6_399u32) + 3u32).to_string();
    let same = problem(&[format!("1 1 1 -3/{d}").as_str(); 3].join("; "), "0.. 0.. 0..");
    let z = vector(&format!("2/{d} 0 1/{d}"));
    let [_, work] = takes(|budget| check_solution(&same, &z, budget));
    // Of each row, over d: three entries that are d times 1 take a quotient of 101 words by 16, and the constant -3 one
    // of a word by 116. Then terms: d by the whole numbers d z_j, 101 by 16, where these are not 0, and -3 by d. A bound
    // takes 16 for its entry and 16 for its term where z is not 0.
    let of_w = 3 * 101 * 16 + 116 + 2 * 101 * 16 + 116;
    assert_eq!(work, 3 * of_w + 3 * 16 + 2 * 16);
}

#[test]
fn a_leaf_that_is_empty() {
    let none = problem("-1 -1", "0..");
    assert_eq!(of_cover(&none, &[empty("1")]), [3_728, 435]);
    let wide = problem(&format!("-{0} -1 -1/3; 1 -1 -1/5", long()), "0.. 0..7");
    assert_eq!(of_cover(&wide, &[empty("1 0 0")]), [11_058, 835]);
}

#[test]
fn a_leaf_with_a_point() {
    let one = problem("1 -1", "..");
    assert_eq!(of_cover(&one, &[point("0", "1")]), [4_613, 1_608]);
    let two = problem(&format!("{0} 1/3 -{0}; 0 5/7 -1", long()), ".. ..");
    assert_eq!(
        of_cover(&two, &[point("0 0", &format!("{} 7/5", first(&long())))]),
        [10_355, 4_504]
    );
}

/// z_1 where the first row of M is (d, 1/3), q_1 = -d and z_2 = 7/5.
fn first(d: &str) -> String {
    (rug::Rational::from(1) - number("7/15") / number(d)).to_string()
}

#[test]
fn a_tree_with_all_kinds_of_leaves() {
    let data = problem("1 0 0 -1; 0 1 0 -1; 0 0 1 0", "0.. ..3 1..2");
    let tree = [
        Node::Branch(0, [1, 2]),
        empty("1 0 0 0"),
        Node::Branch(1, [3, 4]),
        empty("0 1 0 0"),
        Node::Branch(2, [5, 6]),
        point("0 0 0 0", "1 2 0 0"),
        empty("0 0 -1 0"),
    ];
    assert_eq!(of_cover(&data, &tree), [22_193, 11_531]);
    let idle = problem("0 0", "0..");
    let tree = [Node::Branch(0, [1, 2]), point("0", "0"), face(&["0", "5"], &["1", "1/2"])];
    assert_eq!(of_cover(&idle, &tree), [5_652, 7_751]);
}

#[test]
fn a_class() {
    let takes = |rows: &str, bounds: &str, class: &Class| {
        let data = problem(rows, bounds);
        takes(|budget| Truth::default().add_class(&data, class, budget))
    };
    let (three, symmetric) = ("0.. 0..1 0..", "4 1/3 0 5; 1/3 4 1 5; 0 1 4 5");
    // 112 for the entries over one denominator; then each entry that is eliminated takes two products of a word each,
    // and a division of 8 words by 16. A triangle of three rows has 3 + 1 of them, and blocks of three rows, with and
    // without each pivot, 4 + 2 * 1.
    assert_eq!(takes(symmetric, three, &Class::SymmetricPsd), [13_508, 112 + 4 * 130]);
    assert_eq!(takes(symmetric, three, &Class::PositiveDefinite), [13_508, 112 + 4 * 130]);
    assert_eq!(takes(symmetric, three, &Class::PrincipalMinors), [13_508, 112 + 6 * 130]);
    let weights = Class::DiagonallyDominant(vector("1 2/3 1"));
    assert_eq!(takes(symmetric, three, &weights), [6_686, 336]);
    let large = format!("{0} 1 5; 1 {0} 5", long());
    // One entry: two products of numbers of up to 7 words, and a quotient of 13 words, 7 more of them paid for.
    let one = 2 * 7 * 7 + 20 * 16;
    assert_eq!(takes(&large, "0.. 0..", &Class::PositiveDefinite), [9_095, 76 + one]);
    assert_eq!(takes(&large, "0.. 0..", &Class::PrincipalMinors), [9_095, 76 + one]);
}

/// One contact, which begins at row 0.
struct Bare(Data, Vec<Disc>, Law);

impl Problem for Bare {
    fn n(&self) -> usize {
        self.0.n()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, rug::Rational)> {
        self.0.row(i)
    }

    fn bounds(&self, i: usize) -> Bounds {
        self.0.bounds(i)
    }

    fn cones(&self) -> impl Iterator<Item = Cone> {
        [Cone { normal: 0, discs: self.1.clone(), law: self.2 }].into_iter()
    }
}

#[test]
fn a_contact() {
    // w = z - 1 at z = 1, in a cone of no disc.
    let bare = Bare(problem("1/3 -1/3", ".."), vec![], Law::Coulomb);
    let z = vector("1");
    // The decision holds 256 numbers, and 256 times the bits of r = 1, w, s and eps: 2 + 1 + 1 + 1. Work: the
    // row takes 16 for each of its entries, over the denominator that both have, and its value 16 for each of two
    // terms; w in lowest terms 2 * 8. Then 9 operations on fractions, 8 each:
    // eps s_N, both ends of u_N, 1 - eps, 1 + eps, the squares of both, and u_N between its ends (2).
    assert_eq!(
        takes(|budget| check_solution(&bare, &z, budget)),
        [256 * (512 + 5), 4 * 16 + 2 * 8 + 9 * 8]
    );
    // Denominators of 64 and 65 bits: w is brought to lowest terms over the product of both, of 129 bits, 3 words.
    let long = problem("1/12157665459056928801 -1/224269343257001716702690972139746492416", "..");
    let long = Bare(long, vec![], Law::Coulomb);
    let z = vector("1/18446744073709551616");
    let [_, work] = takes(|budget| check_solution(&long, &z, budget));
    assert_eq!(work, 304);
}

#[test]
fn a_tree_of_modes() {
    let disc = Disc { rows: vec![1, 2, 3], mu: vector("1 1 0"), is_one: false };
    let rows = "1 2 0 0 -1; 2 4 0 0 -1; 0 0 0 0 0; 0 0 0 0 0";
    let contact = Bare(problem(rows, ".. .. .. .."), vec![disc], Law::Coulomb);
    let tree = |starts: [&str; 4], halves: bool| {
        let direction = |text: &str| Direction::try_from(vector(text)).unwrap();
        let sectors = starts.iter().zip(3..).map(|(start, node)| (direction(start), node));
        let mut nodes = vec![ConeNode::Contact(0, Some([1, 2]), sectors.collect())];
        let leaves = ["1 0 0", "2 -1 0", "2 -1 0", "2 -1 -1", "1 0 0", "2 -1 1"];
        nodes.extend(leaves.map(|y| ConeNode::Empty(entries(&format!("{y} 0")))));
        if halves {
            // The first sector once more: its children hold what is known of both branches.
            let halves = vec![(direction(starts[0]), 7), (direction("1 0"), 8)];
            nodes[3] = ConeNode::Contact(0, None, halves);
            nodes.extend([7, 8].map(|_| ConeNode::Empty(entries("2 -1 0 0"))));
        }
        takes(|budget| Truth::default().add_cone_cover(&contact, &nodes, budget))
    };
    let square = ["1 -1", "1 1", "-1 1", "-1 -1"];
    assert_eq!(tree(square, false), [33_605, 18_014]);
    assert_eq!(tree(square, true), [42_915, 19_168]);
    // Directions of 400 bits.
    let (long, minus) = (long(), format!("-{}", long()));
    let pair = |a: &str, b: &str| format!("{a} {b}");
    let starts = [(&long, &minus), (&long, &long), (&minus, &long), (&minus, &minus)];
    let starts = starts.map(|(a, b)| pair(a, b));
    assert_eq!(tree(starts.each_ref().map(String::as_str), false), [39_989, 52_142]);
}

fn disc(mu: &str) -> Disc {
    let mu = vector(mu);
    Disc { rows: (1..=mu.len()).collect(), is_one: mu[0] == mu[mu.len() - 1], mu }
}

/// A contact that slides, 3-4-5, a free row and one at a bound; distances of 10^-6 or of 400 bits.
#[test]
fn a_box() {
    let takes = |far: &str, more: &str| {
        let rows =
            format!("1 0 0 0 0 -1; 0 1 0 0 0 6/5; 0 0 1 0 0 8/5; 0 0 0 2 0 {more}; 0 0 0 0 0 1");
        let own = Bare(problem(&rows, ".. .. .. .. 0.."), vec![disc("1 1")], Law::Coulomb);
        let modes = [Mode::Pressed(vec![true]), Mode::Free, Mode::Lower];
        let center = vector(&format!("1 -3/5 -4/5 {} 0", number(more) / -2i32));
        let radius = vector(&format!("{far} {far} {far} {far} 0"));
        let inverse = ["1 0 0 0", "-3/5 -2/5 -3/10 0", "-4/5 3/10 -2/5 0", "0 0 0 1/2"].map(vector);
        let own_box = Enclosure {
            modes: &modes,
            center: &center,
            radius: &radius,
            implied: &[],
            inverse: &inverse,
        };
        takes(|budget| Truth::default().add_enclosure(&own, own_box, budget))
    };
    assert_eq!(takes("1/1000000", "3"), [42_665, 2_130]);
    assert_eq!(takes(&format!("1/{}", long()), "3"), [71_225, 22_590]);
    assert_eq!(takes("1/1000000", &long()), [45_451, 2_244]);
}

/// The contact opens under the convex law, in all of a box around a free row.
#[test]
fn a_box_with_an_open_contact() {
    let rows = "1 0 0 1 25/8; 0 1 0 0 3; 0 0 1 0 4; 0 0 0 1 -2";
    let own = Bare(problem(rows, ".. .. .. .."), vec![disc("1 1/2")], Law::Convex);
    let (center, radius) = (vector("0 0 0 2"), vector("0 0 0 1/8"));
    let (modes, inverse) = ([Mode::Open, Mode::Free], [vector("1")]);
    let own_box = Enclosure {
        modes: &modes,
        center: &center,
        radius: &radius,
        implied: &[],
        inverse: &inverse,
    };
    let takes = takes(|budget| Truth::default().add_enclosure(&own, own_box, budget));
    assert_eq!(takes, [28_152, 1_697]);
}

#[test]
fn a_point_inside_and_weights() {
    let long = long();
    for (own, h, inside, weights) in [
        ("2", "3/2", [35_398, 8_242], [62_066, 1_610]),
        ("7/3", "3/2", [35_415, 8_242], [62_097, 1_626]),
        (&long, &(number(&long) - 1u32).to_string(), [38_582, 282_042], [67_228, 2_744]),
    ] {
        let rows = format!("{own} 1 0 -1; 1 {own} 0 5; 0 0 2 1");
        let own = Bare(problem(&rows, ".. .. .."), vec![disc("1/2 1/2")], Law::Coulomb);
        let (z, h, theta) = (vector("40 -19 0"), vector(h), number("1/2"));
        let taken = takes(|budget| Truth::default().add_existence(&own, &z, budget));
        assert_eq!(taken, inside);
        let taken = takes(|budget| Truth::default().add_contraction(&own, &h, &theta, budget));
        assert_eq!(taken, weights);
    }
}
