//! That there is no solution: a tree of modes and sectors, and Farkas vectors.

use super::*;

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
