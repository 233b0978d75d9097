//! Proofs about friction cones: each holds as it stands, and none of its conditions can be left out.

// A test fails by panicking; the lints are for the library.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::*;
use etalon_kernel::{
    Bounds, Budget, Cone, ConeNode, Direction, Disc, Enclosure, Law, Mode, Problem, Proved,
    Refusal, Truth, Unique, check_solution,
};
use rug::{Integer, Rational};

/// Contacts beside plain rows.
#[derive(Clone)]
struct Contacts {
    data: Data,
    cones: Vec<Cone>,
}

impl Problem for Contacts {
    fn n(&self) -> usize {
        self.data.n()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        self.data.row(i)
    }

    fn bounds(&self, i: usize) -> Bounds {
        self.data.bounds(i)
    }

    fn cones(&self) -> impl Iterator<Item = Cone> {
        self.cones.iter().cloned()
    }
}

/// One disc of the rows after the normal.
fn cone(normal: usize, mu: &str, law: Law) -> Cone {
    let mu = vector(mu);
    let rows = (normal + 1..=normal + mu.len()).collect();
    let is_one = mu.iter().all(|own| *own == mu[0]);
    Cone { normal, discs: vec![Disc { rows, mu, is_one }], law }
}

fn contacts(rows: &str, bounds: &str, cones: Vec<Cone>) -> Contacts {
    Contacts { data: problem(rows, bounds), cones }
}

fn alone(rows: &str, mu: &str, law: Law) -> Contacts {
    contacts(rows, ".. .. ..", vec![cone(0, mu, law)])
}

fn why(refused: Result<(), Refusal>) -> &'static str {
    refused.unwrap_err().why
}

// --- No solution.

/// M is positive semidefinite, and there is no solution, which no Farkas vector shows.
fn unsolvable() -> Contacts {
    alone("1 2 0 -1; 2 4 0 -1; 0 0 0 0", "1 1", Law::Coulomb)
}

type Leaf = ConeNode<Entries>;

fn tree(starts: &[&str], leaves: &[&str]) -> Vec<Leaf> {
    let direction = |text: &&str| Direction::try_from(vector(text)).unwrap();
    let sectors = starts.iter().enumerate().map(|(k, start)| (direction(start), 3 + k));
    let mut nodes = vec![ConeNode::Contact(0, Some([1, 2]), sectors.collect())];
    nodes.extend(leaves.iter().map(|y| ConeNode::Empty(entries(y))));
    nodes
}

const STARTS: [&str; 4] = ["1 -1", "1 1", "-1 1", "-1 -1"];
const LEAVES: [&str; 6] = ["1 0 0", "2 -1 0", "2 -1 0", "2 -1 -1", "1 0 0", "2 -1 1"];

fn cover(problem: &Contacts, nodes: &[Leaf]) -> Result<Proved, Refusal> {
    let mut truth = Truth::default();
    truth.add_cone_cover(problem, nodes, &Budget::default())?;
    Ok(truth.proved().clone())
}

#[test]
fn modes_and_sectors_prove_that_there_is_no_solution() {
    let proved = cover(&unsolvable(), &tree(&STARTS, &LEAVES)).unwrap();
    assert_eq!((proved.solvable, proved.unique), (Some(false), None));
    assert!(proved.has_all_solutions && proved.solutions.is_empty());
    // Halved once more: node 3 is a branch of its own.
    let mut nodes = tree(&STARTS, &LEAVES);
    let halves = [["1 -1", "1 0"].map(|own| Direction::try_from(vector(own)).unwrap())].concat();
    nodes[3] = ConeNode::Contact(0, None, halves.into_iter().zip([7, 8]).collect());
    nodes.extend([ConeNode::Empty(entries("2 -1 0")), ConeNode::Empty(entries("2 -1 0"))]);
    assert_eq!(cover(&unsolvable(), &nodes).unwrap().solvable, Some(false));
    // It may neither begin elsewhere, nor name the other modes again.
    let ConeNode::Contact(_, others, _) = &mut nodes[3] else { panic!() };
    *others = Some([7, 8]);
    assert_eq!(
        cover(&unsolvable(), &nodes).unwrap_err().why,
        "its contact is not open for this choice here"
    );
    let ConeNode::Contact(_, others, sectors_too) = &mut nodes[3] else { panic!() };
    *others = None;
    sectors_too[0].0 = Direction::try_from(vector("2 -1")).unwrap();
    assert_eq!(cover(&unsolvable(), &nodes).unwrap_err().why, "the first sector begins elsewhere");
}

#[test]
fn a_contact_branches_on_what_its_friction_can_do() {
    let no = |problem: &Contacts, nodes: &[Leaf]| cover(problem, nodes).unwrap_err().why;
    // Without friction nothing slides: w_N = -r_N - 1.
    let nodes = |leaf: &str| {
        let empty = || ConeNode::Empty(entries(leaf));
        vec![ConeNode::Contact(0, Some([1, 2]), vec![]), empty(), empty()]
    };
    let rows = "-1 0 0 -1; 0 0 0 0; 0 0 0 0";
    assert!(cover(&alone(rows, "0 0", Law::Coulomb), &nodes("1 0 0")).is_ok());
    let bare = contacts("-1 -1", "..", vec![Cone { discs: vec![], ..cone(0, "0", Law::Convex) }]);
    assert!(cover(&bare, &nodes("1")).is_ok());
    // A row without friction takes no part in sectors; a third with friction has none.
    let rows = "1 2 0 0 -1; 2 4 0 0 -1; 0 0 0 0 0; 0 0 0 0 0";
    let leaves = LEAVES.map(|leaf| format!("{leaf} 0"));
    let nodes = tree(&STARTS, &leaves.each_ref().map(String::as_str));
    let of = |mu: &str| contacts(rows, ".. .. .. ..", vec![cone(0, mu, Law::Coulomb)]);
    assert!(cover(&of("1 1 0"), &nodes).is_ok());
    let flat = "a contact of more than one disc of two rows has no sectors";
    assert_eq!(no(&of("1 1 1"), &nodes), flat);
    // Nor have two discs of a row each.
    let mut two = unsolvable();
    let disc = |row| Disc { rows: vec![row], mu: vector("1"), is_one: true };
    two.cones[0].discs = vec![disc(1), disc(2)];
    assert_eq!(no(&two, &tree(&STARTS, &LEAVES)), flat);
    // Sectors alone leave out that it is open and that it sticks.
    let mut nodes = tree(&STARTS, &LEAVES);
    let ConeNode::Contact(_, others, _) = &mut nodes[0] else { panic!() };
    *others = None;
    assert_eq!(no(&unsolvable(), &nodes), "its contact is not open for this choice here");
}

/// w_1 = -1 is no contradiction where mu_1 = 0.
#[test]
fn velocities_without_friction_are_any() {
    let leaf = [ConeNode::Empty(entries("0 1"))];
    for law in [Law::Coulomb, Law::Convex] {
        let problem = contacts("1 0 1; 0 0 -1", ".. ..", vec![cone(0, "0", law)]);
        check_solution(&problem, &vector("0 0"), &Budget::default()).unwrap();
        let refused = cover(&problem, &leaf).unwrap_err();
        assert_eq!(refused.why, "the term of a contact may be negative");
    }
}

#[test]
fn no_leaf_and_no_sector_can_be_left_out() {
    // Each leaf fails where another's multipliers stand, but where these are as good.
    for k in 0..LEAVES.len() {
        for other in ["1 0 0", "2 -1 0", "2 -1 -1", "2 -1 1", "0 0 0", "-1 0 0"] {
            let mut leaves = LEAVES;
            leaves[k] = other;
            let holds = cover(&unsolvable(), &tree(&STARTS, &leaves)).is_ok();
            // What sticks has w = 0, and the sector to the right has w_1 < 0 by all of these.
            let also = [1, 2].contains(&k) && other.starts_with("2 -1");
            assert_eq!(holds, also || other == LEAVES[k], "{k} {other}");
        }
    }
    let no = |starts: &[&str], leaves: &[&str]| {
        cover(&unsolvable(), &tree(starts, leaves)).unwrap_err().why
    };
    let turn = "a sector is not between 0 and half a turn";
    assert_eq!(no(&["1 0", "-1 0"], &["1 0 0", "2 -1 0", "2 -1 0", "1 0 0"]), turn);
    assert_eq!(no(&["1 -1", "1 1", "-1 1"], &LEAVES[..5]), turn);
    let turned: Vec<_> = STARTS.into_iter().rev().collect();
    assert_eq!(no(&turned, &LEAVES), turn);
    assert_eq!(no(&[], &LEAVES[..2]), "its contact is not open for this choice here");
    let mut plain = tree(&STARTS, &LEAVES);
    plain[0] = ConeNode::Branch(0, [1, 2]);
    assert_eq!(
        cover(&unsolvable(), &plain[..3]).unwrap_err().why,
        "its row is not open for a choice here"
    );
    let mut beyond = tree(&STARTS, &LEAVES);
    let ConeNode::Contact(k, ..) = &mut beyond[0] else { panic!() };
    *k = 1;
    assert_eq!(cover(&unsolvable(), &beyond).unwrap_err().why, "there is no such contact");
    // A cover that knows no contacts believes nothing where there are some.
    let mut truth = Truth::default();
    let refused = truth.add_cover(&unsolvable(), &[empty("1 0 0")], &Budget::default());
    assert_eq!(refused.unwrap_err().why, "such a cover knows no friction cones");
}

#[test]
fn a_farkas_vector_knows_the_law() {
    // w = (-1, 0, 0) whatever z is.
    let one = |law| alone("0 0 0 -1; 0 0 0 0; 0 0 0 0", "1 1", law);
    let leaf = |y: &str| [ConeNode::Empty(entries(y))];
    for law in [Law::Coulomb, Law::Convex] {
        assert_eq!(cover(&one(law), &leaf("1 0 0")).unwrap().solvable, Some(false));
        assert!(cover(&one(law), &leaf("-1 0 0")).is_err());
    }
    // w_N = 4 < |w_T| = 5: no solution by the convex law alone, as y = (1, -3/5, -4/5) in K shows.
    let slips = |law| alone("0 0 0 4; 0 0 0 3; 0 0 0 4", "1 1", law);
    assert!(cover(&slips(Law::Convex), &leaf("5 -3 -4")).is_ok());
    assert!(cover(&slips(Law::Convex), &leaf("5 -3 -5")).is_err());
    assert!(cover(&slips(Law::Convex), &leaf("4 -3 -4")).is_err());
    assert!(cover(&slips(Law::Coulomb), &leaf("5 -3 -4")).is_err());
    check_solution(&slips(Law::Coulomb), &vector("0 0 0"), &Budget::default()).unwrap();
    // With mu = (1/2, 1) the cone is K = {4 r_1^2 + r_2^2 <= r_N^2}.
    let ellipse = alone("0 0 0 1; 0 0 0 6; 0 0 0 0", "1/2 1", Law::Convex);
    assert!(cover(&ellipse, &leaf("2 -1 0")).is_ok() && cover(&ellipse, &leaf("2 -2 0")).is_err());
    // Without friction a tangent may move at will.
    let smooth = alone("0 0 0 1; 0 0 0 6; 0 0 0 0", "0 1", Law::Convex);
    assert!(cover(&smooth, &leaf("2 -1 0")).is_err());
    // Columns: w_N = -r_N + r_1 - 1 < 0 for r in K with mu = 1, and not with mu = 2.
    let pulls = |mu: &str, law| alone("-1 1 0 -1; 0 0 0 0; 0 0 0 0", mu, law);
    for law in [Law::Coulomb, Law::Convex] {
        assert!(cover(&pulls("1 1", law), &leaf("1 0 0")).is_ok());
        assert!(cover(&pulls("2 2", law), &leaf("1 0 0")).is_err());
    }
}

#[test]
fn by_the_convex_law_a_sector_knows_both_cones() {
    // r = s (1, t), w = L (1, -t), and w = (1/2, -1, 0): no sector holds t = (1, 0) with L = 1/2.
    let own = |law| alone("0 0 0 1/2; 0 0 0 -1; 0 0 0 0", "1 1", law);
    let found = |law, k: usize, y: &str| {
        let mut nodes = tree(&STARTS, &["1 1 0"; 6]);
        nodes[k] = ConeNode::Empty(entries(y));
        cover(&own(law), &nodes).map_err(|no| (no.node, no.why))
    };
    // y = (1, 1, 0) is in K, and y'w = -1/2.
    assert_eq!(found(Law::Convex, 1, "1 1 0").unwrap().solvable, Some(false));
    for k in 1..7 {
        let is_ok = [2, 4, 5, 6].contains(&k);
        assert_eq!(found(Law::Convex, k, "1 9/8 0").is_ok(), is_ok, "{k}");
        assert_eq!(found(Law::Convex, k, "7/8 1 0").is_ok(), is_ok, "{k}");
    }
    let why = "the term of a contact may be negative";
    assert_eq!(found(Law::Coulomb, 1, "1 1 0"), Err((Some(6), why)));
}

// --- A solution in a box.

/// The inverse of a matrix, by elimination in binary64.
fn inverse(mut m: Vec<Vec<f64>>) -> Vec<Vec<Rational>> {
    let n = m.len();
    for (i, row) in m.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for k in 0..n {
        let p = (k..n).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs())).unwrap();
        m.swap(k, p);
        let pivot = m[k][k];
        m[k].iter_mut().for_each(|own| *own /= pivot);
        for i in (0..n).filter(|i| *i != k) {
            let (factor, row) = (m[i][k], m[k].clone());
            m[i].iter_mut().zip(row).for_each(|(own, above)| *own -= factor * above);
        }
    }
    let fraction = |own: &f64| Rational::from_f64(*own).unwrap();
    m.iter().map(|row| row[n..].iter().map(fraction).collect()).collect()
}

struct Found {
    problem: Contacts,
    modes: Vec<Mode>,
    center: Vec<Rational>,
    radius: Vec<Rational>,
    inverse: Vec<Vec<Rational>>,
}

impl Found {
    fn check(&self) -> Result<Proved, Refusal> {
        let Self { problem, modes, center, radius, inverse } = self;
        let enclosure = Enclosure { modes, center, radius, inverse };
        let mut truth = Truth::default();
        truth.add_enclosure(problem, enclosure, &Budget::default())?;
        Ok(truth.proved().clone())
    }

    fn refuses(&self, change: impl Fn(&mut Self)) -> &'static str {
        self.refused(change).why
    }

    fn refused(&self, change: impl Fn(&mut Self)) -> Refusal {
        let Self { problem, modes, center, radius, inverse } = self;
        let mut own = Self {
            problem: problem.clone(),
            modes: modes.clone(),
            center: center.clone(),
            radius: radius.clone(),
            inverse: inverse.clone(),
        };
        change(&mut own);
        own.check().unwrap_err()
    }
}

/// 10^-k, so many times.
fn small(k: u32, times: usize) -> Vec<Rational> {
    vec![Rational::from((1, Integer::from(Integer::u_pow_u(10, k)))); times]
}

fn fractions(values: &[f64]) -> Vec<Rational> {
    values.iter().map(|own| Rational::from_f64(*own).unwrap()).collect()
}

/// w = r + q with q = (-1, -2, -1), mu = 1/2: r = (1, 2 t, t), t = 1 / (2 sqrt 5), an irrational slide.
fn slide() -> Found {
    let t = 0.5 / 5_f64.sqrt();
    // w_N = 0; 4 r_1^2 + 4 r_2^2 - r_N^2 = 0; 4 (w_2 r_1 - w_1 r_2) = 0.
    let (r1, r2) = (2.0 * t, t);
    let (w1, w2) = (r1 - 2.0, r2 - 1.0);
    let gradient = vec![
        vec![1.0, 0.0, 0.0],
        vec![-2.0, 8.0 * r1, 8.0 * r2],
        vec![0.0, 4.0 * (w2 - r2), 4.0 * (r1 - w1)],
    ];
    Found {
        problem: alone("1 0 0 -1; 0 1 0 -2; 0 0 1 -1", "1/2 1/2", Law::Coulomb),
        modes: vec![Mode::Pressed(vec![true])],
        center: fractions(&[1.0, r1, r2]),
        radius: vector("1/1000 1/1000 1/1000"),
        inverse: inverse(gradient),
    }
}

#[test]
fn an_irrational_solution_is_enclosed() {
    let own = slide();
    let proved = own.check().unwrap();
    assert_eq!((proved.solvable, proved.unique, proved.solutions.len()), (Some(true), None, 0));
    assert_eq!(proved.boxes, [[own.center.clone(), own.radius.clone()]]);
    assert!(!proved.has_all_solutions);
    let grows = "the box is not mapped into itself";
    // Rounding moves the center by some 1e-17: a box as small is left, and a large one bends too much.
    assert_eq!(own.refuses(|own| own.radius = small(18, 3)), grows);
    assert_eq!(own.refuses(|own| own.radius = vector("2 2 2")), "r_N may be negative");
    assert_eq!(own.refuses(|own| own.radius = vector("1/10 1/3 1/10")), grows);
    assert_eq!(own.refuses(|own| own.inverse = vec![vector("0 0 0"); 3]), grows);
    assert_eq!(own.refuses(|own| own.inverse.swap(0, 1)), grows);
    assert_eq!(own.refuses(|own| own.center[1] += number("1/100")), grows);
    assert_eq!(own.refuses(|own| own.problem.cones[0] = cone(0, "2/3 2/3", Law::Coulomb)), grows);
    // The other zero of the equations pulls along with slip.
    assert_eq!(
        own.refuses(|own| own.center.iter_mut().skip(1).for_each(|own| *own = -own.clone())),
        "friction may not oppose slip, or r may be 0"
    );
    assert_eq!(
        own.refuses(|own| own.modes = vec![Mode::Pressed(vec![false])]),
        "r may be outside its cone"
    );
    assert_eq!(
        own.refuses(|own| own.modes = vec![Mode::Open]),
        "r is not 0 where the contact is open"
    );
    for wrong in [Mode::Free, Mode::Pressed(vec![]), Mode::Pressed(vec![true; 2])] {
        assert_eq!(
            own.refuses(|own| own.modes[0] = wrong.clone()),
            "it is no mode of this contact"
        );
    }
    let count = "there is not a mode for each row and contact";
    assert_eq!(own.refuses(|own| own.modes.push(Mode::Free)), count);
    assert_eq!(own.refuses(|own| own.radius[1] = -Rational::from(1)), "a radius is negative");
    let known = "its radius is 0 where z is unknown, or it is not where z is known";
    assert_eq!(own.refuses(|own| own.radius[0] = Rational::new()), known);
    let rows = "the inverse has not a row for each unknown";
    assert_eq!(own.refuses(|own| own.inverse.truncate(2)), rows);
    let entries = "a row of the inverse has not an entry for each unknown";
    assert_eq!(own.refuses(|own| own.inverse[2].truncate(2)), entries);
    let length = "center or radius has not n entries";
    assert_eq!(own.refuses(|own| own.center.truncate(2)), length);
    assert_eq!(own.refuses(|own| own.radius.truncate(2)), length);
    // By the convex law w_N = L r_N > 0 where it slides.
    assert_eq!(
        own.refuses(|own| own.problem.cones[0].law = Law::Convex),
        "r_N may be 0, or w_N negative, where it slides"
    );
}

#[test]
fn a_box_with_an_exact_middle_need_not_reach_far() {
    // 3-4-5: r = (1, -3/5, -4/5), w = (0, 3/5, 4/5); and the middle is exact.
    let mut own = slide();
    own.problem = alone("1 0 0 -1; 0 1 0 6/5; 0 0 1 8/5", "1 1", Law::Coulomb);
    own.center = vector("1 -3/5 -4/5");
    own.radius = small(300, 3);
    // Pivot row 2, tangency at row 1: w_1 r_2 - w_2 r_1.
    own.inverse = inverse(vec![
        vec![1.0, 0.0, 0.0],
        vec![0.0, -0.8 - 0.8, 0.6 + 0.6],
        vec![-2.0, -1.2, -1.6],
    ]);
    own.check().unwrap();
}

#[test]
fn by_the_convex_law_a_slide_lifts() {
    // r = (1, 0, -1), w = (L, 0, L): q = w - r + a turn that makes it irrational.
    let (n, mu) = (2_f64, 0.5);
    let (r1, r2) = (-mu * n * 0.8, -mu * n * 0.6);
    let lift = 0.25 * n;
    let (w1, w2) = (-0.25 * r1 / (mu * mu), -0.25 * r2 / (mu * mu));
    let q = [lift - n, w1 - r1, w2 - r2];
    let text: Vec<_> = fractions(&q).iter().map(ToString::to_string).collect();
    let rows = format!("1 0 0 {}; 0 1 0 {}; 0 0 1 {}", text[0], text[1], text[2]);
    // The circle at N; w_k r_N + 4 w_N r_k at k.
    let gradient = vec![
        vec![-2.0 * n, 8.0 * r1, 8.0 * r2],
        vec![w1 + 4.0 * r1, n + 4.0 * lift, 0.0],
        vec![w2 + 4.0 * r2, 0.0, n + 4.0 * lift],
    ];
    let own = Found {
        problem: alone(&rows, "1/2 1/2", Law::Convex),
        modes: vec![Mode::Pressed(vec![true])],
        center: fractions(&[n, r1, r2]),
        radius: small(9, 3),
        inverse: inverse(gradient),
    };
    assert_eq!(own.check().unwrap().solvable, Some(true));
    let opposes = "friction may not oppose slip, or r may be 0";
    let as_coulomb = own.refuses(|own| own.problem.cones[0].law = Law::Coulomb);
    assert!([opposes, "the box is not mapped into itself"].contains(&as_coulomb), "{as_coulomb}");
}

#[test]
fn states_of_open_and_sticking_contacts_and_of_plain_rows_are_looked_at() {
    // A free row, a row at its upper bound, and a contact that sticks under what the free row presses on it.
    let rows = "3 0 -1 0 0 7; 1 1 0 0 0 -9; 1 0 1 0 0 0; 0 0 0 2 0 1/3; 0 0 0 0 2 0";
    let mut mixed = small(20, 5);
    mixed[1] = Rational::new();
    let own = Found {
        problem: contacts(rows, ".. 0..2 .. .. ..", vec![cone(2, "1 1", Law::Coulomb)]),
        modes: vec![Mode::Pressed(vec![false]), Mode::Free, Mode::Upper],
        // 3 v - r = -7, v + r = 0: v = -7/4, r = 7/4, r_1 = -1/6.
        center: vector("-7/4 2 7/4 -1/6 0"),
        radius: mixed.clone(),
        inverse: [
            vector("1/4 1/4 0 0"),
            vector("-1/4 3/4 0 0"),
            vector("0 0 1/2 0"),
            vector("0 0 0 1/2"),
        ]
        .to_vec(),
    };
    own.check().unwrap();
    check_solution(&own.problem, &own.center, &Budget::default()).unwrap();
    let sign = "w may have the wrong sign, or there is no such bound";
    assert_eq!(own.refuses(|own| own.modes[2] = Mode::Lower), sign);
    assert_eq!(own.refuses(|own| own.modes[1] = Mode::Lower), sign);
    assert_eq!(own.refuses(|own| own.modes[1] = Mode::Open), sign);
    assert_eq!(own.refuses(|own| own.center[1] = number("1")), "z is not at its bound");
    let crossed = |own: &mut Found| own.problem.data.bounds[1][0] = fixed(number("3"));
    assert_eq!(own.refuses(crossed), "z may be outside its bounds");
    let outside = |own: &mut Found| own.problem.data.bounds[0][0] = fixed(number("-1"));
    assert_eq!(own.refuses(outside), "z may be outside its bounds");
    let outside = |own: &mut Found| own.problem.data.bounds[0][1] = fixed(number("-2"));
    assert_eq!(own.refuses(outside), "z may be outside its bounds");
    let narrow = |own: &mut Found| own.problem.cones[0] = cone(2, "1/11 1/11", Law::Coulomb);
    assert_eq!(own.refuses(narrow), "r may be outside its cone");
    assert_eq!(own.refused(narrow).row, Some(2));
    // The last unknown but one is the force of row 3, as row 1 is known.
    let astray = |own: &mut Found| own.inverse[2] = vector("0 0 0 0");
    assert_eq!(own.refuses(astray), "the box is not mapped into itself");
    assert_eq!(own.refused(astray).row, Some(3));
    // Without friction a tangent has no force.
    let smooth = |own: &mut Found| own.problem.cones[0] = cone(2, "0 0", Law::Coulomb);
    assert_eq!(own.refuses(smooth), "r is not 0 where mu is");
}

#[test]
fn an_open_contact_moves_apart_in_all_of_the_box() {
    // A free row v = 2, u = (v - q, 3, 4) with r = 0.
    let own = |apart: &str, law| Found {
        problem: contacts(
            &format!("1 0 0 0 -2; 1 1 0 0 {apart}; 0 0 1 0 3; 0 0 0 1 4"),
            ".. .. .. ..",
            vec![cone(1, "1 1", law)],
        ),
        modes: vec![Mode::Open, Mode::Free],
        center: vector("2 0 0 0"),
        radius: vector("1/8 0 0 0"),
        inverse: vec![vector("1")],
    };
    own("-15/8", Law::Coulomb).check().unwrap();
    own("25/8", Law::Convex).check().unwrap();
    let outside = "w may be outside of what an open contact may have";
    assert_eq!(own("-16/8", Law::Coulomb).check().unwrap_err().why, outside);
    let pushes = own("-15/8", Law::Coulomb);
    let with_force = pushes.refuses(|own| own.center[2] = number("1/9"));
    assert_eq!(with_force, "r is not 0 where the contact is open");
    assert_eq!(own("24/8", Law::Convex).check().unwrap_err().why, outside);
    // Closer, the exact truth is seen.
    let close = |own: &mut Found| own.radius[0] = small(9, 1).remove(0);
    let mut exact = own("24/8", Law::Convex);
    close(&mut exact);
    assert_eq!(exact.check().unwrap_err().why, outside);
    let mut exact = own("300001/100000", Law::Convex);
    close(&mut exact);
    exact.check().unwrap();
}

/// Two contacts of one tangent that slide, w_N of the first less by the second's friction, beside a free row.
fn coupled(radius: &str, inverse_of_free: &str) -> Result<Proved, Refusal> {
    let rows = "1 0 0 1 0 -2; 0 1 0 0 0 -5; 0 0 1 0 0 -1; 0 0 0 1 0 -5; 0 0 0 0 1 -1";
    let cones = vec![cone(0, "1", Law::Coulomb), cone(2, "1", Law::Coulomb)];
    // t_1 = e_1 / 2 - e_3 / 2 and linear terms: the errors of both circles enter with opposite signs.
    let inverse = ["1 0 -1 -1/2 0", "1 1/2 -1 -1/2 0", "0 0 1 0 0", "0 0 1 1/2 0", inverse_of_free];
    let sliding = || Mode::Pressed(vec![true]);
    let own = Found {
        problem: contacts(rows, ".. .. .. .. ..", cones),
        modes: vec![sliding(), sliding(), Mode::Free],
        center: vector("1 1 1 1 1"),
        radius: vector(radius),
        inverse: inverse.map(vector).to_vec(),
    };
    own.check()
}

#[test]
fn no_curvature_makes_up_for_another() {
    // Each circle bends by 2 d^2 + 2 d^2, and both by 4 d^2 < d together.
    let exact = "0 0 0 0 1";
    coupled("1/5 1/5 1/5 1/5 1/5", exact).unwrap();
    assert_eq!(coupled("1/3 1/3 1/3 1/3 1/3", exact).unwrap_err().row, Some(1));
    // What C leaves of another unknown counts as far as that reaches: a fourth or half of 1/10 in 1/30.
    let radius = "1/10 1/10 1/10 1/10 1/30";
    coupled(radius, "0 0 1/4 0 1").unwrap();
    assert_eq!(coupled(radius, "0 0 1/2 0 1").unwrap_err().row, Some(4));
    // With mu = 1/2 the circle is 4 t^2 - r_N^2, whose error is a fourth of 8 d_t^2 + 2 d_N^2.
    let half = |radius: &str| {
        let own = Found {
            problem: contacts("1 0 -1; 0 1 -5", ".. ..", vec![cone(0, "1/2", Law::Coulomb)]),
            modes: vec![Mode::Pressed(vec![true])],
            center: vector("1 1/2"),
            radius: vector(radius),
            inverse: ["1 0", "1/2 1/4"].map(vector).to_vec(),
        };
        own.check()
    };
    half("1/3 2/5").unwrap();
    assert_eq!(half("1/3 9/20").unwrap_err().why, "the box is not mapped into itself");
}

#[test]
fn a_friction_row_may_be_at_the_bound_that_moves() {
    // z_0 = 3, and z_1 is at 3/2 where w_1 = z_1 - 5, or at -3/2 where w_1 = z_1 + 5.
    for (q, z, mode, inverse) in
        [("-5", "3 3/2", Mode::Upper, "1/2 1"), ("5", "3 -3/2", Mode::Lower, "-1/2 1")]
    {
        let own = Found {
            problem: contacts(&format!("1 0 -3; 0 1 {q}"), "0.. 1/2*0", vec![]),
            modes: vec![Mode::Free, mode],
            center: vector(z),
            radius: small(3, 2),
            inverse: ["1 0", inverse].map(vector).to_vec(),
        };
        assert_eq!(own.check().unwrap().solvable, Some(true));
    }
}

#[test]
fn discs_slide_each_and_rows_without_friction_do_not() {
    let disc = |k: usize| Disc { rows: vec![k], mu: vector("1"), is_one: true };
    let cones = vec![Cone { normal: 0, discs: vec![disc(1), disc(2)], law: Law::Coulomb }];
    let own = Found {
        problem: contacts("1 0 0 -1; 0 1 0 -5; 0 0 1 -5", ".. .. ..", cones),
        modes: vec![Mode::Pressed(vec![true, true])],
        center: vector("1 1 1"),
        radius: small(2, 3),
        inverse: ["1 0 0", "1 1/2 0", "1 0 1/2"].map(vector).to_vec(),
    };
    own.check().unwrap();
    let convex = own.refuses(|own| own.problem.cones[0].law = Law::Convex);
    assert_eq!(convex, "by the convex law only one disc slides");
    // It sticks to one side, and without friction it moves to the other.
    let own = Found {
        problem: alone("1 0 0 -1; 0 1 0 0; 0 0 0 7", "1 0", Law::Coulomb),
        modes: vec![Mode::Pressed(vec![false])],
        center: vector("1 0 0"),
        radius: vector("1/9 1/9 0"),
        inverse: ["1 0", "0 1"].map(vector).to_vec(),
    };
    own.check().unwrap();
}

// --- A solution somewhere.

/// A body of three free rows on one contact.
fn body() -> Contacts {
    contacts(
        "2 0 0 -1 0 0 1; 0 2 1 0 -1 0 3; 0 1 2 0 0 -1 0; 1 0 0 0 0 0 0; 0 1 0 0 0 0 0; 0 0 1 0 0 0 0",
        ".. .. .. .. .. ..",
        vec![cone(3, "3 3", Law::Coulomb)],
    )
}

fn exists(problem: &Contacts, z: &str) -> Result<(), Refusal> {
    let mut truth = Truth::default();
    let added = truth.add_existence(problem, &vector(z), &Budget::default());
    assert_eq!(truth.proved().solvable, added.is_ok().then_some(true));
    added
}

#[test]
fn a_point_inside_the_dual_cones_shows_that_there_is_a_solution() {
    exists(&body(), "1 0 0 0 0 0").unwrap();
    exists(&body(), "16 3 4 5 6 7").unwrap();
    assert_eq!(why(exists(&body(), "15 3 4 0 0 0")), "w is not inside its dual cone");
    assert_eq!(why(exists(&body(), "0 0 0 0 0 0")), "w is not inside its dual cone");
    assert_eq!(why(exists(&body(), "-1 0 0 0 0 0")), "w is not inside its dual cone");
    let changed = |row: usize, column: usize, value: &str| {
        let mut own = body();
        own.data.rows[row][column] = number(value);
        exists(&own, "1 0 0 0 0 0")
    };
    let opposite = "what stands beside free rows is not opposite to what stands below them";
    assert_eq!(why(changed(0, 3, "1")), opposite);
    assert_eq!(why(changed(0, 4, "1/9")), opposite);
    assert_eq!(why(changed(3, 1, "1/9")), opposite);
    // A need not be symmetric, and R must be.
    changed(1, 2, "-1").unwrap();
    assert_eq!(why(changed(1, 2, "3")), "not positive definite: a pivot is 0");
    assert_eq!(why(changed(1, 2, "4")), "not positive semidefinite: a pivot is negative");
    changed(3, 3, "1/9").unwrap();
    assert_eq!(why(changed(4, 4, "-1/9")), "not positive semidefinite: a pivot is negative");
    let mut own = body();
    own.data.rows[4][5] = number("1/9");
    own.data.rows[4][4] = number("1");
    own.data.rows[5][5] = number("1");
    assert_eq!(why(exists(&own, "1 0 0 0 0 0")), "M is not symmetric here");
    own.data.rows[5][4] = number("1/9");
    exists(&own, "1 0 0 0 0 0").unwrap();
    assert_eq!(why(exists(&body(), "1 0 0 0 0")), "z has not n entries");
}

#[test]
fn plain_rows_are_contacts_without_friction() {
    let own = |bounds: &str| {
        let own = contacts("1 -1 -2 0; 1 0 0 -3; 2 0 0 5", bounds, vec![]);
        exists(&own, "4 0 0")
    };
    own(".. 0.. 0..").unwrap();
    let bounds = "its bounds are neither absent nor z >= 0";
    for other in [".. 0..1 0..", ".. ..0 0..", ".. 1.. 0.."] {
        assert_eq!(why(own(other)), bounds);
    }
    let own = contacts("1 -1 -2 0; 1 0 0 -4; 2 0 0 5", ".. 0.. 0..", vec![]);
    assert_eq!(why(exists(&own, "4 0 0")), "w is not inside: it must be positive");
}

// --- One velocity.

fn contracts(problem: &Contacts, h: &str, theta: &str) -> Result<Option<Unique>, Refusal> {
    let mut truth = Truth::default();
    truth.add_contraction(problem, &vector(h), &number(theta), &Budget::default())?;
    assert_eq!(truth.proved().solvable, Some(true));
    Ok(truth.proved().unique)
}

#[test]
fn weak_friction_has_one_velocity() {
    // W = [2 1; 1 2] on N and one tangent: h <= 3/2, and W_TT = 2 <= theta h / mu^2.
    let own = |mu: &str| alone("2 1 0 -1; 1 2 0 5; 0 0 2 1", &format!("{mu} {mu}"), Law::Coulomb);
    assert_eq!(contracts(&own("1/2"), "3/2", "1/3").unwrap(), Some(Unique::Z));
    assert_eq!(contracts(&own("1/2"), "1", "1/2").unwrap(), Some(Unique::Z));
    let negative = "not positive semidefinite: a pivot is negative";
    assert_eq!(contracts(&own("1/2"), "8/5", "1/2").unwrap_err().why, negative);
    assert_eq!(contracts(&own("1/2"), "3/2", "1/4").unwrap_err().why, negative);
    assert_eq!(contracts(&own("1"), "3/2", "99/100").unwrap_err().why, negative);
    let theta = "theta is not from 0 to below 1";
    for wrong in ["1", "-1/2", "2"] {
        assert_eq!(contracts(&own("1/2"), "3/2", wrong).unwrap_err().why, theta);
    }
    let h = "h has not a positive number for each cone";
    for wrong in ["0", "-1", "", "1 1"] {
        assert_eq!(contracts(&own("1/2"), wrong, "1/3").unwrap_err().why, h);
    }
    let mut convex = own("1/2");
    convex.cones[0].law = Law::Convex;
    assert_eq!(contracts(&convex, "1", "1/2").unwrap_err().why, "a contact has the convex law");
    let beside =
        contacts("2 1 0 0 0; 1 2 0 0 0; 0 0 2 0 0; 0 0 0 1 0", ".. .. .. 0..", own("1/2").cones);
    let plain = "a row is in no cone: only contacts contract";
    assert_eq!(contracts(&beside, "1", "1/2").unwrap_err().why, plain);
    for wrong in ["1/2", "-1/2 -1/2"] {
        let mut short = own("1/2");
        short.cones[0].discs[0].mu = vector(wrong);
        let no = contracts(&short, "1", "1/2").unwrap_err();
        assert_eq!(no.why, "no cone with so many rows");
    }
    // A semidefinite W leaves z open.
    let rolls = alone("2 0 0 -1; 0 2 2 5; 0 2 2 1", "1/4 1/4", Law::Coulomb);
    assert_eq!(contracts(&rolls, "2", "1/8").unwrap(), Some(Unique::W));
    // Without friction nothing is asked of tangents.
    let smooth = alone("2 0 0 -1; 0 2 0 5; 0 0 2 1", "0 0", Law::Coulomb);
    assert_eq!(contracts(&smooth, "2", "0").unwrap(), Some(Unique::Z));
    let mut unsymmetric = own("1/2");
    unsymmetric.data.rows[0][1] = number("9/8");
    assert_eq!(contracts(&unsymmetric, "1", "1/2").unwrap_err().why, "M is not symmetric here");
}

#[test]
fn two_discs_share_the_normal_force() {
    let cones = |mus: [&str; 2]| {
        let disc = |k: usize, mu: &str| Disc { rows: vec![k], mu: vector(mu), is_one: true };
        vec![Cone { normal: 0, discs: vec![disc(1, mus[0]), disc(2, mus[1])], law: Law::Coulomb }]
    };
    let own = |mus| contacts("1 0 0 -1; 0 1 0 2; 0 0 1 3", ".. .. ..", cones(mus));
    // 1 <= theta / (2 mu^2).
    assert!(contracts(&own(["1/2", "1/2"]), "1", "1/2").is_ok());
    assert!(contracts(&own(["1/2", "3/5"]), "1", "1/2").is_err());
    assert!(contracts(&own(["7/10", "7/10"]), "1", "99/100").is_ok());
}

#[test]
fn three_solutions_refute_that_there_is_one() {
    let own = alone("1 1 0 1; 1 2 0 5; 0 0 1 0", "2 2", Law::Coulomb);
    for h in ["1/100", "1/2", "1"] {
        for theta in ["0", "1/2", "999/1000"] {
            assert!(contracts(&own, h, theta).is_err());
        }
    }
}
