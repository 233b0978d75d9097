//! Problems of small integers and fractions, written as text.

// Each test uses a part of it, and fails by panicking.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use etalon_kernel::{Bound, Bounds, Budget, Certificate, Node, Problem, Refusal, Truth};
use rug::Rational;

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

pub type Entries = std::vec::IntoIter<Rational>;

pub fn entries(text: &str) -> Entries {
    vector(text).into_iter()
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

pub fn prove(problem: &Data, certificate: Certificate<Entries>) -> Result<Truth, Refusal> {
    let mut truth = Truth::default();
    truth.add_certificate(problem, &certificate, &Budget::default()).map(|()| truth)
}

pub fn cover(problem: &Data, nodes: &[Node<Entries>]) -> Result<Truth, Refusal> {
    prove(problem, Certificate::Cover(nodes.to_vec()))
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
