use etalon_certify::{Truth, check_cover};
use etalon_lcp::{Certificate, Unique, record};
use proptest::prelude::*;

use super::face::{self, MAX_BASES};
use super::*;
use crate::memory::{self, Memory};
use etalon_lcp::{Problem, Reduction};

fn problem(json: &str) -> Problem {
    record::read_problem(json).unwrap().record
}

fn mixed(json: &str) -> MixedLcp {
    Reduction::new(&problem(json)).mixed().clone()
}

fn cell(lcp: &MixedLcp) -> Cell {
    Cell::new(lcp, &Meter::new(&Budget::default())).unwrap()
}

fn all(json: &str) -> (MixedLcp, SolutionSet) {
    let lcp = mixed(json);
    let set = enumerate(&lcp, &Budget::default()).unwrap();
    check_cover(&lcp, &set.cover).unwrap();
    (lcp, set)
}

fn texts(points: &[Vec<Rational>]) -> Vec<String> {
    let text = |z: &Vec<Rational>| {
        z.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut texts: Vec<_> = points.iter().map(text).collect();
    texts.sort();
    texts
}

#[test]
fn three_isolated_solutions_are_all_found() {
    let (_, set) = all(r#"{"name":"a","M":[[-1,0],[0,-1]],"q":[1,1]}"#);
    assert_eq!(texts(&set.isolated), ["0 0", "0 1", "1 0", "1 1"]);
    assert!(set.faces.is_empty());
}

#[test]
fn a_segment_of_solutions_is_one_face() {
    // Three contacts in a row under one beam: f = (5 - t/2, t, 5 - t/2).
    let (_, set) =
        all(r#"{"name":"beam","M":[["5/2",1,"-1/2"],[1,1,1],["-1/2",1,"5/2"]],"q":[-10,-10,-10]}"#);
    assert!(set.isolated.is_empty());
    assert_eq!(set.faces.len(), 1);
    assert_eq!(texts(&set.faces[0].vertices), ["0 10 0", "5 0 5"]);
    assert!(set.faces[0].rays.is_empty());
}

#[test]
fn a_ray_of_solutions_is_found() {
    let (_, set) = all(r#"{"name":"ray","M":[[0]],"q":[0]}"#);
    assert_eq!(texts(&set.faces[0].vertices), ["0"]);
    assert_eq!(texts(&set.faces[0].rays), ["1"]);
}

#[test]
fn a_degenerate_point_is_proved_alone() {
    // z = 0 with w = 0: in all four leaves, and still one solution.
    let json = r#"{"name":"deg","M":[[2,1],[1,2]],"q":[0,0]}"#;
    let (_, set) = all(json);
    assert_eq!(texts(&set.isolated), ["0 0"]);
    let mut truth = Truth::default();
    let certificate = Certificate::Enumeration(set.cover);
    truth.add_certificate(&problem(json), &certificate).unwrap();
    assert_eq!(truth.status().unique, Some(Unique::Z));
}

#[test]
fn feasible_inequalities_without_a_solution_get_a_cover() {
    // w_0 = z_1 - 1 asks for z_1 >= 1, but w_1 = 1 asks for z_1 = 0.
    let lcp = mixed(r#"{"name":"none","M":[[0,1],[0,0]],"q":[-1,1]}"#);
    assert!(farkas(&lcp, &Budget::default()).unwrap().is_none());
    let Found::None(cover) = find_one(&lcp, &Budget::default()).unwrap() else {
        panic!("there is no solution");
    };
    assert!(cover.nodes.len() > 1);
    assert!(check_cover(&lcp, &cover).unwrap().is_empty());
}

#[test]
fn bilateral_rows_are_equations() {
    let json =
        r#"{"name":"m","M":[[2,1],[1,2]],"q":[-1,3],"lower":["-inf",0],"upper":["inf","inf"]}"#;
    let (_, set) = all(json);
    assert_eq!(texts(&set.isolated), ["1/2 0"]);
    // A bilateral row that cannot be satisfied: 0 = 1.
    let lcp = mixed(r#"{"name":"m","M":[[0]],"q":[1],"lower":["-inf"]}"#);
    assert!(matches!(
        find_one(&lcp, &Budget::default()).unwrap(),
        Found::None(_)
    ));
    // A free variable that nothing determines: a line of solutions.
    let (_, set) = all(r#"{"name":"m","M":[[0]],"q":[0],"lower":["-inf"]}"#);
    assert_eq!(texts(&set.faces[0].rays), ["-1", "1"]);
}

#[test]
fn an_exhausted_budget_is_no_answer() {
    let lcp = mixed(r#"{"name":"a","M":[[-1,0],[0,-1]],"q":[1,1]}"#);
    let budget = Budget {
        pivots: 2,
        ..Budget::default()
    };
    assert_eq!(enumerate(&lcp, &budget), Err(Exhausted::Pivots(2)));
}

#[test]
fn a_list_that_is_cut_short_says_so() {
    // A cube of solutions.
    let json = r#"{"name":"cube","M":[[0,0,0],[0,0,0],[0,0,0]],"q":[0,0,0],"upper":[1,1,1]}"#;
    let lcp = mixed(json);
    for (bases, vertices) in [(1, 1), (7, 7), (8, 8)] {
        let mut search = Search::new(&Budget::default(), Goal::All);
        search.bases = bases;
        search.run(cell(&lcp)).unwrap();
        let whole = bases == 8;
        assert!(
            search
                .faces
                .iter()
                .any(|leaf| leaf.listed.complete == whole)
        );
        let set = search.finish();
        assert_eq!(set.is_complete(), whole);
        let longest = set.faces.iter().map(|face| face.vertices.len()).max();
        assert_eq!(longest, Some(vertices));
        // No face is dropped for being within one that is not all listed, and the cover is whole.
        assert!(!check_cover(&lcp, &set.cover).unwrap().is_empty());
        if whole {
            assert_eq!(set.faces.len(), 1);
        }
    }
}

#[test]
fn memory_that_runs_out_cuts_a_list_short() {
    let lcp = mixed(r#"{"name":"cube","M":[[0,0,0],[0,0,0],[0,0,0]],"q":[0,0,0],"upper":[1,1,1]}"#);
    let mut root = cell(&lcp);
    let mut meter = Meter::new(&Budget::default());
    root.settle(&mut meter).unwrap();
    // Six rows of seven integers, each with what the allocator adds.
    assert!(root.bytes() >= 6 * 7 * 48);
    let mut memory = Memory::up_to(3 * root.bytes());
    let listed = face::list(&root, MAX_BASES, &mut memory, &mut meter).unwrap();
    assert!(!listed.complete);
    assert!(!listed.vertices.is_empty());
    // All that the walk took is given back.
    memory.take(3 * root.bytes()).unwrap();
}

#[test]
fn a_point_counts_as_often_as_it_is_kept() {
    let lcp = mixed(r#"{"name":"p","M":[[1]],"q":[-1],"lower":["-inf"]}"#);
    let cover = enumerate(&lcp, &Budget::default()).unwrap().cover;
    let CoverNode::Point { y, .. } = &cover.nodes[0] else {
        panic!("one point");
    };
    // In the cover and in the list, and its multipliers.
    let kept = memory::numbers(y) + 2 * memory::fractions(&[Rational::from(1)]);
    for (limit, fits) in [(kept, true), (kept - 1, false)] {
        let mut search = Search::new(&Budget::default(), Goal::All);
        search.memory = Memory::up_to(limit);
        let ended = search.run(cell(&lcp));
        assert_eq!(ended.is_ok(), fits, "{ended:?}");
    }
}

#[test]
fn a_search_ends_before_it_fills_the_memory() {
    // Every z >= 0 solves it: 2^10 faces.
    let zeros = vec![vec![0; 10]; 10];
    let lcp = Reduction::new(&problem(&format!(
        r#"{{"name": "p", "M": {zeros:?}, "q": {:?}}}"#,
        zeros[0]
    )));
    let mut search = Search::new(&Budget::default(), Goal::All);
    search.memory = Memory::up_to(1 << 20);
    let ended = search.run(cell(lcp.mixed()));
    assert_eq!(ended, Err(Exhausted::Memory(1 << 20)));
    // What is given back can be taken again.
    let mut memory = Memory::up_to(10);
    for _ in 0..3 {
        memory.take(10).unwrap();
        memory.free(10);
    }
}

/// A small random mixed LCP.
fn small() -> impl Strategy<Value = MixedLcp> {
    (1usize..=4).prop_flat_map(|n| {
        let entries = proptest::collection::vec(-2i64..=2, n * n + n);
        let free = proptest::collection::vec(proptest::bool::weighted(0.2), n);
        (entries, free).prop_map(move |(entries, bilateral)| {
            let number = |&value: &i64| Number::from(value);
            let (m, q) = entries.split_at(n * n);
            let rows = m
                .chunks(n)
                .map(|row| row.iter().map(number).collect())
                .collect();
            let m = etalon_lcp::Matrix::from_rows(rows).unwrap();
            MixedLcp::new(m, q.iter().map(number).collect(), bilateral).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Both searches agree, and the checker accepts both proofs.
    #[test]
    fn covers_are_proofs(lcp in small()) {
        let set = enumerate(&lcp, &Budget::default()).unwrap();
        let covered = check_cover(&lcp, &set.cover).unwrap();
        prop_assert_eq!(covered.is_empty(), set.is_empty());
        match find_one(&lcp, &Budget::default()).unwrap() {
            Found::Solution(_) => prop_assert!(!set.is_empty()),
            Found::None(cover) => {
                prop_assert!(set.is_empty());
                prop_assert!(check_cover(&lcp, &cover).unwrap().is_empty());
            }
        }
    }
}
