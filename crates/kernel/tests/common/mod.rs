//! Problems of small integers and fractions, written as text.

// Each test uses a part of it, and fails by panicking.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use etalon_kernel::{
    Bound, Bounds, Budget, Class, Cone, Exact, Held, Node, Problem, Proved, Refusal, Row, Truth,
    Vector,
};
use rug::{Integer, Rational};

/// Rows of [M | q], and bounds.
#[derive(Clone, Debug)]
pub struct Data {
    pub rows: Vec<Vec<Rational>>,
    pub bounds: Vec<Bounds>,
}

impl Problem for Data {
    fn n(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, Rational)> {
        let entries = self.rows[i].iter().cloned().enumerate();
        entries.filter(|(_, value)| *value != 0)
    }

    fn bounds(&self, i: usize) -> Bounds {
        self.bounds[i].clone()
    }
}

/// Contacts beside plain rows.
#[derive(Clone)]
pub struct Contacts {
    pub data: Data,
    pub cones: Vec<Cone>,
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

pub fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

pub fn vector(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(number).collect()
}

pub fn fixed(value: Rational) -> Option<Bound> {
    Some(Bound { constant: value, slope: Rational::new(), of: 0 })
}

/// Rows of [M | q] divided by semicolons, and bounds: `L..U`, each of which may be missing, or `mu*j`.
pub fn problem(rows: &str, bounds: &str) -> Data {
    let side = |text: &str| if text.is_empty() { None } else { fixed(number(text)) };
    let of = |text: &str| match (text.split_once(".."), text.split_once('*')) {
        (Some((lower, upper)), _) => [side(lower), side(upper)],
        (None, Some((mu, of))) => {
            let (mu, of) = (number(mu), of.parse().unwrap());
            let bound = |slope| Some(Bound { constant: Rational::new(), slope, of });
            [bound(-mu.clone()), bound(mu)]
        }
        (None, None) => panic!("{text} is no bound"),
    };
    let bounds = bounds.split_whitespace().map(of).collect();
    Data { rows: rows.split(';').map(vector).collect(), bounds }
}

/// A vector as certificates of Etalon have it: an entry for each row, and one for each with two bounds.
#[derive(Clone, Debug)]
pub struct Entries(pub Vec<Rational>);

pub fn entries(text: &str) -> Entries {
    Entries(vector(text))
}

fn own(row: &Row) -> Option<(usize, &Exact)> {
    (1..3).find_map(|k| Some((k, row.terms[k].as_ref()?)))
}

/// The rows by whether their bounds contain another unknown.
fn rows_that(rows: &[Row], move_: bool) -> impl Iterator<Item = (usize, usize, &Exact)> {
    let own = rows.iter().enumerate().filter_map(|(i, row)| own(row).map(|(k, t)| (i, k, t)));
    own.filter(move |(i, _, term)| {
        term.entries.iter().any(|(j, _)| j != i && *j != rows.len()) == move_
    })
}

impl Entries {
    fn check(&self, rows: &[Row]) -> Result<(), Refusal> {
        let two = rows.iter().filter(|row| row.terms.iter().all(Option::is_some)).count();
        let no = Refusal { node: None, row: None, why: "a vector of another length" };
        if self.0.len() == rows.len() + two { Ok(()) } else { Err(no) }
    }
}

impl Vector for Entries {
    /// As `docs/certificates.md` has it, in fractions.
    fn multipliers(&self, rows: &[Row], _: &mut Held<'_>) -> Result<Vec<[Integer; 3]>, Refusal> {
        self.check(rows)?;
        let n = rows.len();
        let mut found = vec![[(); 3].map(|()| Rational::new()); n];
        let mut c = vec![Rational::new(); n + 1];
        let mut add = |c: &mut [Rational], (i, k, y): (usize, usize, Rational)| {
            let term = rows[i].terms[k].as_ref().unwrap();
            let y = y / &term.denominator;
            term.entries.iter().for_each(|(j, value)| c[*j] += Rational::from(value * &y));
            found[i][k] = y;
        };
        let two = (0..n).filter(|&i| rows[i].terms.iter().all(Option::is_some)).map(|i| (i, 2));
        for ((i, k), y) in (0..n).map(|i| (i, 0)).chain(two).zip(&self.0) {
            let sign = if matches!(own(&rows[i]), Some((2, _))) { -1 } else { 1 };
            add(&mut c, (i, k, y.clone() * sign));
        }
        for move_ in [true, false] {
            for (i, k, _) in rows_that(rows, move_) {
                let y = if k == 1 { -c[i].clone() } else { c[i].clone() };
                add(&mut c, (i, k, y));
            }
        }
        let all = found.iter().flatten().fold(Integer::from(1), |all, y| all.lcm(y.denom()));
        Ok(found.into_iter().map(|own| own.map(|y| (y * &all).into_numer_denom().0)).collect())
    }

    fn point(&self, rows: &[Row], last: u8, _: &mut Held<'_>) -> Result<Vec<Rational>, Refusal> {
        self.check(rows)?;
        let mut z = self.0[..rows.len()].to_vec();
        for move_ in [false, true] {
            for (i, k, term) in rows_that(rows, move_) {
                let other = term.entries.iter().filter(|(j, _)| *j != i);
                let entry = |j: usize| z.get(j).cloned().unwrap_or(Rational::from(last));
                let rest: Rational = other.map(|(j, value)| entry(*j) * value).sum();
                let rest = rest / &term.denominator;
                z[i] = if k == 1 { z[i].clone() - rest } else { rest - &z[i] };
            }
        }
        Ok(z)
    }
}

pub fn empty(y: &str) -> Node<Entries> {
    Node::Empty(entries(y))
}

pub fn point(y: &str, z: &str) -> Node<Entries> {
    Node::Point(entries(y), entries(z))
}

pub fn face(vertices: &[&str], rays: &[&str]) -> Node<Entries> {
    let all = |texts: &[&str]| texts.iter().map(|text| entries(text)).collect();
    Node::Face(all(vertices), all(rays))
}

pub fn class(problem: &Data, class: &Class) -> Result<Proved, Refusal> {
    let mut truth = Truth::default();
    truth.add_class(problem, class, &Budget::default()).map(|()| truth.proved().clone())
}

pub fn cover(problem: &Data, nodes: &[Node<Entries>]) -> Result<Proved, Refusal> {
    let mut truth = Truth::default();
    truth.add_cover(problem, nodes, &Budget::default()).map(|()| truth.proved().clone())
}

/// Knuth's MMIX generator; the upper bits are good enough.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005))
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// From -limit to limit.
    pub fn integer(&mut self, limit: u64) -> Rational {
        Rational::from(self.below(2 * limit + 1) as i64 - limit as i64)
    }

    /// A problem of so many rows, bounded in all ways.
    pub fn problem(&mut self, n: usize) -> Data {
        let rows = (0..n).map(|_| (0..=n).map(|_| self.integer(2)).collect()).collect();
        let mut bounds: Vec<Bounds> = Vec::new();
        for i in 0..n {
            let lower = self.integer(1);
            let upper = fixed(lower.clone() + Rational::from(self.below(3)));
            let zero = bounds.first().is_some_and(|[lower, _]| {
                lower.as_ref().is_some_and(|bound| bound.constant >= 0 && bound.slope == 0)
            });
            bounds.push(match self.below(6) {
                0 => [None, None],
                1 => [None, upper],
                2 => [fixed(lower), upper],
                3 if i > 0 && zero => {
                    let mu = Rational::from((self.below(3), 2));
                    let bound = |slope| Some(Bound { constant: Rational::new(), slope, of: 0 });
                    [bound(-mu.clone()), bound(mu)]
                }
                _ => [fixed(Rational::new()), None],
            });
        }
        Data { rows, bounds }
    }
}

/// w_i at z.
pub fn w(problem: &Data, i: usize, z: &[Rational]) -> Rational {
    let row = &problem.rows[i];
    let terms = row.iter().zip(z).map(|(a, b)| Rational::from(a * b));
    terms.fold(row[z.len()].clone(), |sum, term| sum + term)
}

/// L_i and U_i at z.
pub fn limits(problem: &Data, i: usize, z: &[Rational]) -> [Option<Rational>; 2] {
    problem.bounds[i]
        .clone()
        .map(|bound| bound.map(|Bound { constant, slope, of }| constant + slope * &z[of]))
}

/// The four cases of the definition, as the book writes them.
pub fn solves(problem: &Data, z: &[Rational]) -> bool {
    (0..z.len()).all(|i| {
        let (w, [lower, upper]) = (w(problem, i, z), limits(problem, i, z));
        let (at_lower, at_upper) = (lower.as_ref() == Some(&z[i]), upper.as_ref() == Some(&z[i]));
        let inside = lower.is_none_or(|l| l <= z[i]) && upper.is_none_or(|u| z[i] <= u);
        inside
            && match (at_lower, at_upper) {
                (true, true) => true,
                (true, false) => w >= 0,
                (false, true) => w <= 0,
                (false, false) => w == 0,
            }
    })
}
