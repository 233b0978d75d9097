//! `solved_rows` against its definition: the inverse of the loose block, entry by entry.

use etalon_exact::{Budget, SolvedFor, far_moves, solved_rows};
use etalon_lcp::record::read_problem;
use etalon_lcp::{Bound, Matrix, Number, Problem};
use proptest::prelude::*;
use rug::Rational;

type Rows = Vec<Vec<Rational>>;

/// z = 0 is the solution, with w = (0, 0, 3). Rows 0 and 1 hold nothing there, but something at the
/// solved point. The bounds of rows 0 and 2 leave no room, so that row 1 is solved once more alone.
#[test]
fn rows_without_size_next_to_a_bound_are_no_division_by_zero() {
    let text = r#"{"name": "no size", "M": [[1.5, 1, 0], [1, 2, 1], [0, 1, 1.5]], "q": [0, 0, 3],
        "lower": [0, "-inf", 0], "upper": ["inf", "inf", "inf"]}"#;
    let problem = read_problem(text).unwrap().record;
    let zero = vec![Rational::new(); 3];
    let tol = Rational::from((1, 1_000_000_000));
    let solved = solved_rows(&problem, &[true; 3], &zero, &zero, &tol, &Budget::default());
    // M z = -q has this solution. Only row 2 has a size, 3 = |q_2|, so each |z_j - v_j| = |b_j2| 3 is
    // as large as sum_i |b_ji| s_i: an error of 1 for all, and the first counts.
    assert_eq!(solved.point, [-2, 3, -4].map(Rational::from));
    let worst = SolvedFor {
        unknown: 0,
        value: Rational::from(-2),
        error: Rational::from(1),
    };
    assert_eq!(solved.worst, Some(worst));
}

/// The rows of the parts that the budget does not suffice for are counted, and left as they are.
#[test]
fn rows_without_a_budget_are_counted_as_unsolved() {
    let text =
        r#"{"name": "two parts", "M": [[2, 1, 0], [1, 2, 0], [0, 0, 1]], "q": [-3, -3, -1]}"#;
    let problem = read_problem(text).unwrap().record;
    let own = vec![Rational::from(9); 3];
    let tol = Rational::from((1, 1_000_000_000));
    let of = |work| {
        let budget = Budget {
            work,
            ..Budget::default()
        };
        let solved = solved_rows(&problem, &[true; 3], &own, &own, &tol, &budget);
        (solved.unsolved, solved.point)
    };
    assert_eq!(of(u64::MAX), (0, vec![Rational::from(1); 3]));
    assert_eq!(of(0), (3, own.clone()));
}

/// A friction row at its bound goes along with its normal row: z_1 = z_0 / 2 where the solved z_0 is 2.
#[test]
fn friction_at_its_bound_follows_the_solved_normal_force() {
    let text = r#"{"name": "sliding", "M": [[1, 0], [0, 1]], "q": [-2, -9],
        "friction": [{"row": 1, "normal": 0, "mu": 0.5}]}"#;
    let problem = read_problem(text).unwrap().record;
    let at = [Rational::from(3), Rational::from((3, 2))];
    let tol = Rational::from((1, 1_000_000_000));
    let solved = solved_rows(&problem, &[true, false], &at, &at, &tol, &Budget::default());
    assert_eq!(solved.point, [2, 1].map(Rational::from));
}

/// The inverse of a matrix, by Gauss and Jordan.
fn inverse(mut rows: Rows) -> Option<Rows> {
    let n = rows.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| Rational::from(u8::from(i == j))));
    }
    for k in 0..n {
        let p = (k..n).find(|&i| rows[i][k] != 0)?;
        rows.swap(k, p);
        let pivot = rows[k][k].clone();
        rows[k].iter_mut().for_each(|value| *value /= &pivot);
        let own = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k].clone();
            for (value, own) in row.iter_mut().zip(&own) {
                *value -= Rational::from(&factor * own);
            }
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// A candidate of a problem with bounds.
#[derive(Debug, Clone)]
struct Candidate {
    m: Vec<Vec<i64>>,
    q: Vec<i64>,
    bounds: Vec<(Option<i64>, Option<i64>)>,
    loose: Vec<bool>,
    at: Vec<Rational>,
    own: Vec<Rational>,
}

/// A combination of rows: the row, and what it is taken with.
type Combination = Vec<(usize, Rational)>;

fn sum(terms: impl IntoIterator<Item = Rational>) -> Rational {
    let terms = terms.into_iter();
    terms.fold(Rational::new(), |sum, term| sum + term)
}

impl Candidate {
    fn n(&self) -> usize {
        self.q.len()
    }

    fn problem(&self) -> Problem {
        let numbers = |row: &Vec<i64>| row.iter().map(|v| Number::from(*v)).collect();
        let m = Matrix::from_rows(self.m.iter().map(numbers).collect()).unwrap();
        let q = self.q.iter().map(|v| Number::from(*v)).collect();
        let bound = |of: Option<i64>, none: Bound| of.map_or(none, |v| Bound::Finite(v.into()));
        let lower = |(l, _): &(_, _)| bound(*l, Bound::NegativeInfinity);
        let upper = |(_, u): &(_, _)| bound(*u, Bound::Infinity);
        let lower = self.bounds.iter().map(lower).collect();
        let upper = self.bounds.iter().map(upper).collect();
        let problem = Problem::new("solved rows", m, q).unwrap();
        problem.with_bounds(Some(lower), Some(upper)).unwrap()
    }

    /// s_i = |q_i| + sum of |M_ij x_j|.
    fn size(&self, i: usize, x: &[Rational]) -> Rational {
        let terms = self.m[i].iter().zip(x);
        let terms = terms.map(|(m, x)| Rational::from(x * *m).abs());
        sum(terms) + self.q[i].abs()
    }

    /// How far the combined rows move with unknown j.
    fn change(&self, rows: &Combination, j: usize) -> Rational {
        sum(rows.iter().map(|(i, b)| Rational::from(b * self.m[*i][j])))
    }

    /// The size of combined rows; none where they hold nothing at the solved point.
    fn reach(&self, rows: &Combination, point: &[Rational]) -> Option<Rational> {
        let used = || rows.iter().filter(|(_, b)| *b != 0);
        let holds = used().any(|(i, _)| self.size(*i, point) != 0);
        let reach = used().map(|(i, b)| Rational::from(b.abs_ref()) * self.size(*i, &self.at));
        let reach = sum(reach);
        (holds && reach != 0).then_some(reach)
    }

    /// The unknowns of these rows as the rows determine them, z_j = v_j + sum_i b_ji w_i: each with
    /// its v_j and its combination.
    fn solve(&self, rows: &[usize]) -> Option<Vec<(usize, Rational, Combination)>> {
        let block = |i: &usize| {
            rows.iter()
                .map(|j| Rational::from(self.m[*i][*j]))
                .collect()
        };
        let inverse = inverse(rows.iter().map(block).collect())?;
        let others = || (0..self.n()).filter(|j| !rows.contains(j));
        let constant = |i: usize| {
            sum(others().map(|j| Rational::from(&self.at[j] * self.m[i][j]))) + self.q[i]
        };
        let solved = rows.iter().zip(inverse).map(|(j, row)| {
            let row: Combination = rows.iter().copied().zip(row).collect();
            let value = -sum(row.iter().map(|(i, b)| b * constant(*i)));
            (*j, value, row)
        });
        Some(solved.collect())
    }

    /// The unknowns that have moved by more than tol of what some row notices.
    fn moved(&self, tol: &Rational) -> Vec<usize> {
        let far = |j: &usize| {
            let noticing = (0..self.n()).filter(|i| self.m[*i][*j] != 0);
            let sizes = noticing.map(|i| self.size(i, &self.at) / self.m[i][*j].abs());
            let least = sizes.filter(|share| !share.is_zero()).min();
            let gap = Rational::from(&self.own[*j] - &self.at[*j]).abs();
            !gap.is_zero() && least.is_none_or(|least| gap > least * tol)
        };
        (0..self.n()).filter(far).collect()
    }

    /// A value of unknown j, or the bound that it is beyond.
    fn inside(&self, j: usize, value: Rational) -> Rational {
        let (lower, upper) = self.bounds[j];
        let value = lower.map_or(value.clone(), |l| value.max(Rational::from(l)));
        upper.map_or(value.clone(), |u| value.min(Rational::from(u)))
    }
}

/// The point of the definition, and each error that is measured.
struct Measured {
    point: Vec<Rational>,
    errors: Vec<SolvedFor>,
    /// The solved unknowns whose rows hold something, with their sizes.
    reaches: Vec<(usize, Rational)>,
}

impl Measured {
    fn enter(&mut self, unknown: usize, value: Rational, error: Rational) {
        let found = SolvedFor {
            unknown,
            value,
            error,
        };
        self.errors.push(found);
    }
}

/// The loose rows solved for their unknowns, and what they say of moves; none where they are dependent.
fn by_definition(of: &Candidate, tol: &Rational) -> Option<Measured> {
    let rows: Vec<usize> = (0..of.n()).filter(|i| of.loose[*i]).collect();
    let solved = of.solve(&rows)?;
    let mut found = Measured {
        point: of.at.clone(),
        errors: Vec::new(),
        reaches: Vec::new(),
    };
    for (j, value, _) in &solved {
        found.point[*j].clone_from(value);
    }
    for (j, value, row) in &solved {
        if let Some(reach) = of.reach(row, &found.point) {
            let gap = Rational::from(&of.own[*j] - value).abs();
            found.enter(*j, value.clone(), gap / &reach);
            found.reaches.push((*j, reach));
        }
    }
    let moved: Vec<usize> = of
        .moved(tol)
        .into_iter()
        .filter(|j| !of.loose[*j])
        .collect();
    // Row k of a moved unknown with what the loose rows take out of it: M_k - M_kL B^-1 M_L.
    let own_rows = moved.iter().map(|k| {
        let entry =
            |i: usize, row: &Combination| row.iter().find(|(own, _)| *own == i).unwrap().1.clone();
        let left = |i: usize| {
            -sum(solved
                .iter()
                .map(|(j, _, row)| entry(i, row) * of.m[*k][*j]))
        };
        rows.iter()
            .map(|i| (*i, left(*i)))
            .chain([(*k, Rational::from(1))])
            .collect()
    });
    let solved_rows = solved.iter().map(|(_, _, row)| row.clone());
    let all: Vec<Combination> = solved_rows.chain(own_rows).collect();
    for row in &all {
        let Some(reach) = of.reach(row, &found.point) else {
            continue;
        };
        for j in &moved {
            let gap = Rational::from(&of.own[*j] - &of.at[*j]).abs();
            let error = of.change(row, *j).abs() * gap / &reach;
            found.enter(*j, of.at[*j].clone(), error);
        }
    }
    Some(found)
}

/// How far unknowns next to their bounds may go down and up: those with a bound nearer than tol S_k.
fn rooms(
    of: &Candidate,
    tol: &Rational,
    reaches: &[(usize, Rational)],
) -> Vec<(usize, [Rational; 2])> {
    let own = reaches.iter().filter_map(|(k, reach)| {
        let most = Rational::from(tol * reach);
        let (lower, upper) = of.bounds[*k];
        let down = lower.map(|l| Rational::from(&of.at[*k] - l));
        let up = upper.map(|u| Rational::from(u - &of.at[*k]));
        let room = [down, up].map(|slack| slack.filter(|slack| *slack < most));
        let is_near = room.iter().any(Option::is_some);
        let rounding = Rational::from(reach >> 50);
        let wide = |slack: Option<Rational>| slack.unwrap_or_else(|| most.clone()) + &rounding;
        is_near.then(|| (*k, room.map(wide)))
    });
    own.collect()
}

/// The loose rows in the parts that no entry connects.
fn parts(of: &Candidate) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for i in (0..of.n()).filter(|i| of.loose[*i]) {
        let connected = |j: &usize| of.m[i][*j] != 0 || of.m[*j][i] != 0;
        let (with, without): (Vec<_>, Vec<_>) =
            (parts.into_iter()).partition(|part| part.iter().any(connected));
        parts = without;
        parts.push(with.into_iter().flatten().chain([i]).collect());
    }
    parts
}

/// The rows once more without the unknowns next to a bound, each error beyond what their rooms allow; only
/// in parts that have such an unknown. None where these rows are dependent.
fn held_to_bounds(of: &Candidate, tol: &Rational, found: &mut Measured) -> Option<()> {
    for part in parts(of) {
        let reaches = found.reaches.iter().filter(|(j, _)| part.contains(j));
        let reaches: Vec<_> = reaches.cloned().collect();
        held_to_bounds_in(of, tol, &reaches, found)?;
    }
    Some(())
}

/// The same in one part.
fn held_to_bounds_in(
    of: &Candidate,
    tol: &Rational,
    reaches: &[(usize, Rational)],
    found: &mut Measured,
) -> Option<()> {
    let rooms = rooms(of, tol, reaches);
    if rooms.is_empty() || rooms.len() == reaches.len() {
        return Some(());
    }
    let near = |j: usize| rooms.iter().any(|(k, _)| *k == j);
    let rest = reaches.iter().map(|(j, _)| *j).filter(|j| !near(*j));
    let rest: Vec<usize> = rest.collect();
    let mut held = of.solve(&rest)?;
    // Each of those next to a bound by its own row too, with the others where they are.
    for (k, _) in &rooms {
        let rows: Vec<usize> = rest.iter().copied().chain([*k]).collect();
        held.extend(of.solve(&rows).and_then(|mut solved| solved.pop()));
    }
    for (j, value, row) in held {
        let Some(reach) = of.reach(&row, &found.point) else {
            continue;
        };
        let (mut least, mut most) = (value.clone(), value);
        for (k, [down, up]) in rooms.iter().filter(|(k, _)| *k != j) {
            let change = -of.change(&row, *k);
            let moves = [
                -Rational::from(&change * down),
                Rational::from(&change * up),
            ];
            least += Rational::from(moves.iter().min().unwrap());
            most += Rational::from(moves.iter().max().unwrap());
        }
        let own = &of.own[j];
        let nearest = own.clone().max(of.inside(j, least)).min(of.inside(j, most));
        let gap = Rational::from(own - &nearest).abs();
        found.enter(j, nearest, gap / reach);
    }
    Some(())
}

fn check(of: &Candidate, tol: &Rational) {
    let problem = of.problem();
    assert_eq!(far_moves(&problem, &of.at, &of.own, tol), of.moved(tol));
    let Some(mut found) = by_definition(of, tol) else {
        return;
    };
    let solved = solved_rows(
        &problem,
        &of.loose,
        &of.at,
        &of.own,
        tol,
        &Budget::default(),
    );
    // A part that is right within the tolerance in plain sizes keeps the candidate's values.
    for (j, value) in solved.point.iter().enumerate() {
        let kept = if of.loose[j] { &of.own[j] } else { &of.at[j] };
        assert!(*value == found.point[j] || value == kept, "{j}: {value}");
    }
    if held_to_bounds(of, tol, &mut found).is_none() {
        return;
    }
    let largest = found.errors.iter().map(|found| &found.error).max();
    let own = solved.worst.as_ref().map(|worst| &worst.error);
    if largest.is_some_and(|largest| largest > tol) {
        assert_eq!(own, largest);
    } else {
        // Errors up to the tolerance need not be told.
        assert!(own.is_none_or(|own| own <= tol), "{own:?}");
    }
    if let Some(worst) = solved.worst {
        assert!(
            found.errors.contains(&worst),
            "{worst:?} {:?}",
            found.errors
        );
    }
}

/// A value, another one, and bounds around both.
type Place = (Rational, Rational, (Option<i64>, Option<i64>));

/// Bounds around a value, or none, and another value within them.
fn place(n: usize) -> impl Strategy<Value = Vec<Place>> {
    let bound = || prop_oneof![2 => Just(None), 2 => (0_i64..=4).prop_map(Some)];
    let half = |v: i64| Rational::from((v, 2));
    let one = (
        -6_i64..=6,
        prop_oneof![Just(0), -4_i64..=4],
        bound(),
        bound(),
    );
    let one = one.prop_map(move |(at, off, below, above)| {
        let floor = |v: i64| v.div_euclid(2);
        let lower = below.map(|b| floor(at) - b);
        let upper = above.map(|a| floor(at + 1) + a);
        let own = lower.map_or(half(at + off), |l| half(at + off).max(Rational::from(l)));
        let own = upper.map_or(own.clone(), |u| own.min(Rational::from(u)));
        (half(at), own, (lower, upper))
    });
    prop::collection::vec(one, n)
}

fn candidate(n: usize) -> impl Strategy<Value = Candidate> {
    let some = |most: i64| prop_oneof![3 => -most..=most, 2 => Just(0)];
    let entries = prop::collection::vec(prop::collection::vec(some(3), n), n);
    let q = prop::collection::vec(some(3), n);
    let loose = prop::collection::vec(prop::bool::weighted(0.7), n);
    (entries, q, loose, place(n)).prop_map(|(m, q, loose, places)| Candidate {
        m,
        q,
        loose,
        bounds: places.iter().map(|(_, _, bounds)| *bounds).collect(),
        at: places.iter().map(|(at, _, _)| at.clone()).collect(),
        own: places.into_iter().map(|(_, own, _)| own).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_rows_are_solved_as_the_definition_says(
        of in (1_usize..=4).prop_flat_map(candidate),
        tol in prop_oneof![Just((1, 1)), Just((1, 5)), Just((1, 1_000_000))],
    ) {
        check(&of, &Rational::from(tol));
    }
}
