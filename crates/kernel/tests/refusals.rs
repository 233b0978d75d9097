//! Every refusal of the kernel, by the smallest change of something that holds.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use etalon_kernel::{Bound, Bounds, Budget, Class, Node, Problem, Proved, Refusal, Truth};
use etalon_kernel::{Held, Row, Vector, check_solution};
use rug::{Integer, Rational};

fn why(refused: Result<Proved, Refusal>) -> String {
    refused.unwrap_err().to_string()
}

fn branch(index: usize, z_zero: usize, w_zero: usize) -> Node<Entries> {
    Node::Branch(index, [z_zero, w_zero])
}

#[test]
fn solutions() {
    let data = problem("1 -1; 1 1", "0.. -1..2");
    let data = Data { rows: vec![vector("1 0 -1"), vector("0 1 -1/2")], ..data };
    let check = |z: &str| match check_solution(&data, &vector(z), &Budget::default()) {
        Ok(()) => "holds".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    assert_eq!(check("1 1/2"), "holds");
    let wrong = "w has the wrong sign, or z is off the bound that allows it";
    assert_eq!(check("2 1/2"), format!("row 0: {wrong}"));
    assert_eq!(check("0 1/2"), format!("row 0: {wrong}"), "w < 0 at the lower bound");
    assert_eq!(check("1 2"), format!("row 1: {wrong}"), "w > 0 at the upper bound");
    assert_eq!(check("-1 1/2"), "row 0: z is outside its bounds");
    assert_eq!(check("1 3"), "row 1: z is outside its bounds");
    assert_eq!(check("1"), "z has not n entries");
}

/// A problem that is none.
struct Broken(Vec<(usize, i64)>, Bounds);

impl Problem for Broken {
    fn n(&self) -> usize {
        1
    }

    fn row(&self, _: usize) -> impl Iterator<Item = (usize, Rational)> {
        self.0.iter().map(|&(j, value)| (j, Rational::from(value)))
    }

    fn bounds(&self, _: usize) -> Bounds {
        self.1.clone()
    }
}

#[test]
fn what_is_no_problem() {
    let check = |entries: &[(usize, i64)], bounds: Bounds| {
        let checked =
            check_solution(&Broken(entries.to_vec(), bounds), &vector("0"), &Budget::default());
        checked.map_err(|refusal| refusal.to_string())
    };
    let zero = || [fixed(Rational::new()), None];
    assert_eq!(check(&[(0, 1), (1, 0)], zero()), Ok(()));
    let named = Err("row 0: a row names no column, or one twice".to_owned());
    for entries in [[(0, 1), (2, 1)], [(0, 1), (0, 1)], [(1, 1), (0, 1)]] {
        assert_eq!(check(&entries, zero()), named, "{entries:?}");
    }
    let bound = |slope: i32, of| Some(Bound { constant: Rational::new(), slope: slope.into(), of });
    assert_eq!(
        check(&[], [bound(1, 1), None]),
        Err("row 0: its bound is that of no row".to_owned())
    );
    assert_eq!(check(&[], [bound(1, 0), None]), named, "a bound by itself");
}

#[test]
fn trees() {
    // w = z - 1 and w = z - 1: one solution, (1, 1), and 1 <= z_2 <= 2 at its lower bound.
    let data = problem("1 0 0 -1; 0 1 0 -1; 0 0 1 0", "0.. ..3 1..2");
    let leaf = || point("0 0 0 1", "1 2 0 0");
    assert_eq!(why(cover(&data, &[leaf()])), "node 0: the constant of the form is not 0");
    assert_eq!(why(cover(&data, &[])), "node 0: there is no such node");
    assert_eq!(
        why(cover(&data, &[branch(0, 1, 1), leaf()])),
        "node 1: the constant of the form is not 0"
    );
    let tree = [
        branch(0, 1, 2),
        empty("1 0 0 0"),
        branch(1, 3, 4),
        empty("0 1 0 0"),
        branch(2, 5, 6),
        point("0 0 0 0", "1 2 0 0"),
        empty("0 0 -1 0"),
    ];
    let truth = cover(&data, &tree).unwrap();
    assert_eq!(truth.solutions, [vector("1 1 1")]);
    let changed = |change: &dyn Fn(&mut Vec<Node<Entries>>)| {
        let mut tree = tree.to_vec();
        change(&mut tree);
        why(cover(&data, &tree))
    };
    let closed = "its row is not open for a choice here";
    let cases: [(usize, Node<Entries>, String); 17] = [
        (0, branch(0, 0, 2), "node 0: a child must come after its parent".into()),
        (2, branch(1, 3, 1), "node 2: a child must come after its parent".into()),
        (2, branch(1, 4, 4), "node 4: two branches share a node".into()),
        (2, branch(1, 3, 7), "node 7: there is no such node".into()),
        (2, branch(0, 3, 4), format!("node 2: {closed}")),
        (2, branch(3, 3, 4), format!("node 2: {closed}")),
        (2, branch(6, 3, 4), format!("node 2: {closed}")),
        (4, branch(1, 5, 6), format!("node 4: {closed}")),
        (1, empty("1 0 0"), "node 1: a vector of another length".into()),
        (1, empty("-1 0 0 0"), "node 1: row 0: the term of w may be negative".into()),
        (1, empty("0 0 0 0"), "node 1: the constant of the form is not negative".into()),
        (3, empty("0 0 0 -1"), "node 3: row 2: the term of a bound of z may be negative".into()),
        (5, point("0 0 0 0", "1 2 0"), "node 5: a vector of another length".into()),
        (
            5,
            point("0 0 0 0", "1 2 1 0"),
            "node 5: row 2: w has the wrong sign, or z is off the bound that allows it".into(),
        ),
        (5, face(&[], &[]), "node 5: a face needs a choice for every row".into()),
        (
            5,
            point("1 0 0 0", "1 2 0 0"),
            "node 5: row 0: the term of a bound of z may be negative".into(),
        ),
        (1, branch(1, 3, 4), "node 4: two branches share a node".into()),
    ];
    for (k, node, expected) in cases {
        let found = changed(&|tree| tree[k] = node.clone());
        assert!(
            found == expected || expected.contains("share") && found.contains("share"),
            "{k} {node:?}: {found}, not {expected}"
        );
    }
    assert_eq!(
        changed(&|tree| tree.push(empty("0 0 0 0"))),
        "some nodes are not reached from node 0"
    );
    // A free row is no choice, and nothing cancels its unknown.
    let free = problem("1 0", "..");
    assert_eq!(
        why(cover(&free, &[branch(0, 1, 2), empty("1"), empty("1")])),
        format!("node 0: {closed}")
    );
    assert_eq!(
        why(cover(&free, &[empty("1")])),
        "node 0: row 0: z has no bound, and a coefficient that is not 0"
    );
}

#[test]
fn leaves_with_solutions() {
    // w = 0 for all z >= 0.
    let idle = problem("0 0", "0..");
    let tree =
        |at_z: Node<Entries>, at_w: Node<Entries>| cover(&idle, &[branch(0, 1, 2), at_z, at_w]);
    let zero = || point("0", "0");
    assert_eq!(
        tree(zero(), face(&["0", "5"], &["1"])).unwrap().solutions,
        [vector("0"), vector("5")]
    );
    let text = |at_z, at_w| why(tree(at_z, at_w));
    assert_eq!(text(zero(), face(&[], &["1"])), "node 2: a face needs at least one solution");
    assert_eq!(text(zero(), face(&["1"], &["0"])), "node 2: a ray is zero");
    assert_eq!(text(zero(), face(&["1"], &["-1"])), "node 2: row 0: z is outside its bounds");
    assert_eq!(text(zero(), point("0", "0")), "node 2: the equations leave more than one point");
    assert_eq!(text(face(&["1"], &[]), zero()), "node 2: the equations leave more than one point");
    assert_eq!(text(face(&["1"], &[]), face(&["1"], &[])), "node 1: row 0: z is not in this node");
    // One fact about w makes no equation of it.
    let one = problem("1 -1", "0..");
    assert_eq!(
        why(cover(&one, &[point("0", "1")])),
        "node 0: the equations leave more than one point"
    );
    // A ray keeps its distance from the facts, not from the constants.
    let shifted = problem("0 0", "3..");
    let shift = [branch(0, 1, 2), zero(), face(&["0"], &["1"])];
    assert_eq!(cover(&shifted, &shift).unwrap().solutions, [vector("3")]);
    let boxed = problem("0 0", "3..4");
    let both = |ray: &str| {
        cover(
            &boxed,
            &[
                branch(0, 1, 2),
                point("0 0", "0 7"),
                branch(1, 3, 4),
                face(&["0 0"], &[ray]),
                point("0 0", "1 7"),
            ],
        )
    };
    assert_eq!(why(both("1 0")), "node 3: row 0: z is outside its bounds");
    assert_eq!(why(both("0 0")), "node 3: a ray is zero");
    // A direction in which multipliers of bounds alone go leaves z where it is.
    assert_eq!(why(both("0 1")), "node 3: a ray is zero");
}

/// Multipliers and points as they are said, right or wrong.
#[derive(Clone, Debug)]
struct Said(Vec<[i32; 3]>, Vec<i32>);

impl Vector for Said {
    fn multipliers(&self, _: &[Row], _: &mut Held<'_>) -> Result<Vec<[Integer; 3]>, Refusal> {
        Ok(self.0.iter().map(|own| own.map(Integer::from)).collect())
    }

    fn point(&self, _: &[Row], _: u8, _: &mut Held<'_>) -> Result<Vec<Rational>, Refusal> {
        Ok(self.1.iter().map(|z| Rational::from(*z)).collect())
    }
}

#[test]
fn whatever_makes_multipliers_and_points_is_not_trusted() {
    // w = -z - 1, z >= 0: of w + 1 (z - 0) nothing is left but -1.
    let none = problem("-1 -1", "0..");
    let add = |data: &Data, node: &Node<Said>| {
        let mut truth = Truth::default();
        let added = truth.add_cover(data, std::slice::from_ref(node), &Budget::default());
        added.map_err(|refusal| refusal.to_string())
    };
    let empty = |multipliers: &[[i32; 3]]| Node::Empty(Said(multipliers.to_vec(), vec![]));
    assert_eq!(add(&none, &empty(&[[2, 2, 0]])), Ok(()));
    let left = Err("node 0: row 0: z has no bound, and a coefficient that is not 0".to_owned());
    assert_eq!(add(&none, &empty(&[[2, 1, 0]])), left);
    let lengths = Err("node 0: there are not multipliers for each row".to_owned());
    assert_eq!(add(&none, &empty(&[])), lengths);
    assert_eq!(add(&none, &empty(&[[1, 1, 0], [0; 3]])), lengths);
    // A multiplier of a bound that is not there counts for nothing.
    assert_eq!(add(&none, &empty(&[[1, 1, 1]])), Ok(()));
    let nothing = "the constant of the form is not negative";
    assert_eq!(add(&none, &empty(&[[0, 0, 1]])), Err(format!("node 0: {nothing}")));
    // w = z: nothing but z = 0, which no equation of a bound that is not there shows.
    let free = problem("0 0", "..");
    let point = |multipliers, z: &[i32]| {
        Node::Point(Said(vec![multipliers], vec![]), Said(vec![], z.to_vec()))
    };
    let more = Err("node 0: the equations leave more than one point".to_owned());
    assert_eq!(add(&free, &point([0, 0, 1], &[0])), more);
    let one = problem("1 -1", "..");
    assert_eq!(add(&one, &point([0; 3], &[1])), Ok(()));
    let outside = "w has the wrong sign, or z is off the bound that allows it";
    assert_eq!(add(&one, &point([0; 3], &[2])), Err(format!("node 0: row 0: {outside}")));
    for z in [&[][..], &[1, 0]] {
        assert_eq!(add(&one, &point([0; 3], z)), Err("node 0: z has not n entries".to_owned()));
    }
}

#[test]
fn classes() {
    let check = |rows: &str, bounds: &str, kind: &Class| match class(&problem(rows, bounds), kind) {
        Ok(truth) => format!("{:?} {:?}", truth.solvable, truth.unique),
        Err(refusal) => refusal.to_string(),
    };
    let (psd, pd, minors) =
        (&Class::SymmetricPsd, &Class::PositiveDefinite, &Class::PrincipalMinors);
    let weights = &Class::DiagonallyDominant(vector("2 1"));
    let (two, w, z) = ("0.. 0..1", "None Some(W)", "Some(true) Some(Z)");
    assert_eq!(check("1 2 5; 2 4 5", two, psd), w);
    assert_eq!(check("1 2 5; 2 5 5", two, pd), z);
    assert_eq!(check("1 3 5; 0 1 5", two, minors), z);
    assert_eq!(check("1 -1 5; 1 3 5", two, weights), z);
    assert_eq!(check("1 2 5; 2 5 5", "0.. 1..1", pd), z, "bounds that leave one value");
    assert_eq!(check("1 2 5; 3 9 5", two, psd), "row 1: M is not symmetric here");
    assert_eq!(check("1 3 5; 3 4 5", two, psd), "not positive semidefinite: a pivot is negative");
    let zero = "not positive semidefinite: a zero on the diagonal meets a nonzero";
    assert_eq!(check("5 1 5; 1 0 5", two, psd), zero);
    assert_eq!(check("1 2 5; 2 4 5", two, pd), "not positive definite: a pivot is 0");
    assert_eq!(check("1 3 5; 0 1 5", two, pd), "not positive semidefinite: a pivot is negative");
    assert_eq!(check("1 1 5; 1 1 5", two, minors), "a principal minor is not positive");
    assert_eq!(check("1 -2 5; 1 3 5", two, weights), "row 0: it is not dominated by its diagonal");
    let none = &Class::DiagonallyDominant(vector("1 0"));
    assert_eq!(check("1 0 5; 0 1 5", two, none), "the weights must be positive");
    let short = &Class::DiagonallyDominant(vector("1"));
    assert_eq!(check("1 0 5; 0 1 5", two, short), "there is not a weight for each row");
    for kind in [psd, pd, minors, weights] {
        let friction = "a property of M proves nothing about a problem with friction rows";
        assert_eq!(check("1 0 5; 0 1 5", "0.. 1*0", kind), friction);
        assert_eq!(check("1 0 5; 0 1 5", "0.. 1..0", kind), "row 1: its bounds are crossed");
    }
    let identity = |n: usize| {
        let row = |i| (0..=n).map(|j| Rational::from(i32::from(i == j))).collect();
        Data { rows: (0..n).map(row).collect(), bounds: vec![[None, None]; n] }
    };
    assert!(class(&identity(16), minors).is_ok());
    assert!(
        why(class(&identity(17), minors)).starts_with("too many rows for all principal minors")
    );
    assert!(why(class(&identity(501), psd)).starts_with("too many rows to eliminate exactly"));
    let zero = vec!["0"; 501].join(" ");
    let alone = cover(&identity(501), &[point(&zero, &zero)]);
    assert!(why(alone).contains("too many rows to eliminate exactly"));
}

#[test]
fn contradictions() {
    let budget = Budget::default();
    let (one, two, none) =
        (problem("1 -1", "0.."), problem("-1 2", "0.."), problem("-1 -1", "0.."));
    let mut truth = Truth::default();
    truth.add_solution(&two, vector("0"), &budget).unwrap();
    let farkas = [empty("1")];
    let refused = truth.add_cover(&none, &farkas, &budget).unwrap_err();
    assert_eq!(refused.why, "one proof says solvable, another unsolvable");
    truth.add_solution(&two, vector("2"), &budget).unwrap();
    let refused = truth.add_class(&one, &Class::PositiveDefinite, &budget).unwrap_err();
    assert_eq!(refused.why, "z is proved unique, but there are two solutions");
    assert_eq!((truth.proved().solutions.len(), truth.proved().unique), (2, None));
    let mut all = Truth::default();
    let tree = [branch(0, 1, 2), point("0", "0"), point("0", "2")];
    all.add_cover(&two, &tree, &budget).unwrap();
    assert!(all.proved().has_all_solutions && all.proved().unique.is_none());
    let refused = all.add_solution(&one, vector("1"), &budget).unwrap_err();
    assert_eq!(refused.why, "all solutions are known, but there is another");
    all.add_solution(&two, vector("2"), &budget).unwrap();
    assert_eq!(all.proved().solutions.len(), 2);
}

/// Of one solution that is proved unique all solutions are known, in either order; of none they are not.
#[test]
fn a_unique_solution_is_all_of_them() {
    let (one, budget) = (problem("1 -1", "0.."), Budget::default());
    let all = |truth: &Truth| truth.proved().has_all_solutions;
    let mut truth = Truth::default();
    truth.add_class(&one, &Class::PositiveDefinite, &budget).unwrap();
    assert!(!all(&truth), "no solution is known yet");
    truth.add_solution(&one, vector("1"), &budget).unwrap();
    assert!(all(&truth));
    let mut truth = Truth::default();
    truth.add_solution(&one, vector("1"), &budget).unwrap();
    assert!(!all(&truth), "another is not excluded yet");
    truth.add_class(&one, &Class::PositiveDefinite, &budget).unwrap();
    assert!(all(&truth));
}

#[test]
fn budgets() {
    let long = problem("1/7 1/11 -1/13; 1/5 1/3 -1/17", "0.. 0..");
    let memory =
        check_solution(&long, &vector("1/2 1/3"), &Budget::new(1 << 10, 1 << 30)).unwrap_err();
    assert_eq!(memory, Refusal { row: memory.row, ..Refusal::MEMORY });
    let work = check_solution(&long, &vector("1/2 1/3"), &Budget::new(1 << 20, 10)).unwrap_err();
    assert!(work.is_over_budget() && work.to_string().contains("many products"), "{work}");
    assert!(
        !Refusal { ..check_solution(&long, &vector("1"), &Budget::default()).unwrap_err() }
            .is_over_budget()
    );
}
