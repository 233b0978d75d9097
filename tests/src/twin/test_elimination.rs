//! The decisions once more by Fourier-Motzkin elimination, which shares nothing with the search for
//! vertices.

use super::test_properties::{Dice, pair};
use super::{Problem, Rational, decide};
use malachite::base::num::basic::traits::{One, Zero};

/// `coefficients . z + constant >= 0`, or `> 0`.
#[derive(Clone)]
struct Condition {
    coefficients: Vec<Rational>,
    constant: Rational,
    strict: bool,
}

impl Condition {
    fn opposite(&self) -> Self {
        let coefficients = self.coefficients.iter().map(|v| -v).collect();
        Self {
            coefficients,
            constant: -&self.constant,
            strict: self.strict,
        }
    }

    fn minus(mut self, value: &Rational) -> Self {
        self.constant -= value;
        self
    }

    fn strictly(mut self) -> Self {
        self.strict = true;
        self
    }
}

/// Whether some point meets all conditions: the last variable is eliminated until none is left.
fn feasible(conditions: Vec<Condition>, variables: usize) -> bool {
    if variables == 0 {
        return conditions.iter().all(|c| {
            if c.strict {
                c.constant > 0
            } else {
                c.constant >= 0
            }
        });
    }
    let last = variables - 1;
    let (mut kept, mut above, mut below) = (Vec::new(), Vec::new(), Vec::new());
    for condition in conditions {
        let sign = condition.coefficients[last].cmp(&Rational::ZERO);
        match sign {
            std::cmp::Ordering::Equal => kept.push(condition),
            std::cmp::Ordering::Greater => above.push(condition),
            std::cmp::Ordering::Less => below.push(condition),
        }
    }
    for a in &above {
        for b in &below {
            let (x, y) = (&a.coefficients[last], &b.coefficients[last]);
            let mix = |s: &Rational, t: &Rational| t * x - s * y;
            kept.push(Condition {
                coefficients: a
                    .coefficients
                    .iter()
                    .zip(&b.coefficients)
                    .map(|(s, t)| mix(s, t))
                    .collect(),
                constant: mix(&a.constant, &b.constant),
                strict: a.strict || b.strict,
            });
        }
    }
    feasible(kept, last)
}

/// `z_i` as a condition.
fn z_of(problem: &Problem, i: usize) -> Condition {
    let mut coefficients = vec![Rational::ZERO; problem.size()];
    coefficients[i] = Rational::ONE;
    Condition {
        coefficients,
        constant: Rational::ZERO,
        strict: false,
    }
}

/// `w_i` as a condition.
fn w_of(problem: &Problem, i: usize) -> Condition {
    Condition {
        coefficients: problem.m[i].clone(),
        constant: problem.q[i].clone(),
        strict: false,
    }
}

/// The conditions of every cell: per row at the lower bound, at the upper bound, or with w = 0.
fn cells(problem: &Problem) -> Vec<Vec<Condition>> {
    let mut all = vec![Vec::new()];
    for i in 0..problem.size() {
        let (z, w) = (z_of(problem, i), w_of(problem, i));
        let above = problem.lower[i]
            .as_ref()
            .map(|bound| z.clone().minus(bound));
        let below = problem.upper[i]
            .as_ref()
            .map(|bound| z.clone().minus(bound).opposite());
        let bounds: Vec<Condition> = above.iter().chain(&below).cloned().collect();
        let mut ways = vec![vec![w.clone(), w.opposite()]];
        ways.extend(above.map(|c| vec![c.opposite(), w.clone()]));
        ways.extend(below.map(|c| vec![c.opposite(), w.opposite()]));
        if problem.lower[i].is_some() && problem.lower[i] == problem.upper[i] {
            ways.push(Vec::new());
        }
        let extend =
            |cell: &Vec<Condition>, way: &Vec<Condition>| [&cell[..], &bounds, way].concat();
        all = all
            .iter()
            .flat_map(|cell| ways.iter().map(move |way| extend(cell, way)))
            .collect();
    }
    all
}

/// Solvable, unique in z, unique in w: no solution has an entry beyond that of a known one, on
/// either side.
fn flags(problem: &Problem) -> [bool; 3] {
    let n = problem.size();
    let cells = cells(problem);
    let somewhere = |extra: &[Condition]| {
        cells
            .iter()
            .any(|cell| feasible([&cell[..], extra].concat(), n))
    };
    if !somewhere(&[]) {
        return [false; 3];
    }
    // A solution found elsewhere serves only as the point to look away from.
    let z = decide(problem).points.swap_remove(0);
    assert!(problem.solves(&z));
    let w = problem.w(&z);
    let same = |of: fn(&Problem, usize) -> Condition, value: &[Rational]| {
        (0..n).all(|i| {
            let beyond = of(problem, i).minus(&value[i]).strictly();
            !somewhere(&[beyond.opposite()]) && !somewhere(&[beyond])
        })
    };
    [true, same(z_of, &z), same(w_of, &w)]
}

fn compare(problem: &Problem, seen: &mut [[usize; 2]; 3]) {
    let decision = decide(problem);
    let found = [decision.solvable, decision.unique_z, decision.unique_w];
    assert_eq!(found, flags(problem), "{problem:?}");
    for (count, flag) in seen.iter_mut().zip(found) {
        count[usize::from(flag)] += 1;
    }
}

#[test]
fn elimination_agrees_on_random_problems() {
    let mut dice = Dice(2);
    let mut seen = [[0; 2]; 3];
    for round in 0..300 {
        let mut problem = dice.problem(1 + round % 3, round % 2 == 0);
        if round % 5 < 3 {
            // Make rows depend on each other, so that cells of more than a point appear.
            let (row, constant) = (problem.m[0].clone(), problem.q[0].clone());
            let last = problem.size() - 1;
            problem.m[last] = row;
            problem.q[last] = constant;
        }
        compare(&problem, &mut seen);
    }
    assert!(seen.iter().flatten().all(|count| *count > 20), "{seen:?}");
}

#[test]
#[ignore = "ten seconds: all of size two with entries up to two, and thousands of random ones"]
fn elimination_agrees_at_length() {
    let mut seen = [[0; 2]; 3];
    for number in 0..5_i64.pow(6) {
        let mut rest = number;
        let numbers = [(); 6].map(|()| {
            let entry = rest % 5 - 2;
            rest /= 5;
            entry
        });
        compare(&pair(numbers), &mut seen);
    }
    let mut dice = Dice(3);
    for round in 0..6000 {
        compare(&dice.problem(1 + round % 3, round % 2 == 0), &mut seen);
    }
    assert!(seen.iter().flatten().all(|count| *count > 1000), "{seen:?}");
}
