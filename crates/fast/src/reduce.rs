//! Any problem as a pure LCP, for Lemke's method: the reductions of `etalon_lcp::Reduction` and
//! `etalon_lcp::PureForm`, in binary64.
//!
//! Rounding here does no harm to an answer. Only its places are taken from the pure problem; its z is
//! solved for and checked with the data of the problem itself.

use crate::dense::Lu;
use crate::place::{Place, nearest_bound};
use crate::problem::LcpRef;

/// A pure LCP with the meaning of its variables; working memory.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    pub(crate) m: Vec<f64>,
    pub(crate) q: Vec<f64>,
    /// What each variable of the pure problem is.
    meaning: Vec<Part>,
    mixed: Vec<f64>,
    lu: Lu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The distance of z_i from its bound.
    Distance(usize),
    /// The multiplier of the upper bound of z_i.
    Multiplier(usize),
    /// The positive and the negative part of a free z_i.
    Positive(usize),
    Negative(usize),
}

impl Reduced {
    /// Reduces a problem.
    pub(crate) fn build(&mut self, lcp: LcpRef<'_>) {
        let n = lcp.n();
        let friction = |i: usize| lcp.friction.iter().find(|f| f.row == i);
        let free = |i: usize| friction(i).is_none() && nearest_bound(lcp, i) == Place::Between;
        let double = |i: usize| {
            let (lower, upper) = lcp.bounds(i);
            friction(i).is_some() || (lower.is_finite() && upper.is_finite())
        };
        let doubles: Vec<usize> = (0..n).filter(|&i| double(i)).collect();
        let size = n + doubles.len();
        // One column more for q.
        let width = size + 1;
        self.mixed.clear();
        self.mixed.resize(size * width, 0.0);
        for i in 0..n {
            self.mixed_row(lcp, i, width);
        }
        // The row of a multiplier is the room below the upper bound: u - l - a for a box. A friction row
        // has a = z + mu z_N between 0 and 2 mu z_N, and z_N = a_N + l_N.
        for (k, &i) in doubles.iter().enumerate() {
            self.mixed[i * width + n + k] = 1.0;
            let row = &mut self.mixed[(n + k) * width..(n + k + 1) * width];
            row[i] = -1.0;
            match friction(i) {
                Some(f) => {
                    row[f.normal] += 2.0 * f.mu;
                    row[size] = 2.0 * f.mu * lcp.bounds(f.normal).0;
                }
                None => row[size] = lcp.bounds(i).1 - lcp.bounds(i).0,
            }
        }
        self.meaning.clear();
        self.meaning.extend((0..n).map(Part::Distance));
        self.meaning
            .extend(doubles.iter().map(|&i| Part::Multiplier(i)));
        let bilateral: Vec<usize> = (0..n).filter(|&i| free(i)).collect();
        // A singular block of free rows cannot be eliminated. Split in two nonnegative parts each,
        // they make a larger problem with the same solutions.
        if bilateral.is_empty() || !self.eliminate(&bilateral, size) {
            self.split(&bilateral, size);
        }
    }

    /// Row i in the distances a: z = a + l, z = u - a, or z = a - mu z_normal.
    fn mixed_row(&mut self, lcp: LcpRef<'_>, i: usize, width: usize) {
        let n = lcp.n();
        let row = &mut self.mixed[i * width..(i + 1) * width];
        row[..n].copy_from_slice(lcp.row(i));
        let mut constant = lcp.q[i];
        for f in lcp.friction {
            // z_t = a - mu z_N: the column of the normal takes -mu times that of the tangent.
            let moved = f.mu * row[f.row];
            row[f.normal] -= moved;
        }
        for (j, value) in row[..n].iter_mut().enumerate() {
            if lcp.friction.iter().any(|f| f.row == j) {
                continue;
            }
            let (lower, upper) = lcp.bounds(j);
            match nearest_bound(lcp, j) {
                Place::Lower => constant += *value * lower,
                Place::Upper => {
                    constant += *value * upper;
                    *value = -*value;
                }
                Place::Between => {}
            }
        }
        row[width - 1] = constant;
        let is_friction = lcp.friction.iter().any(|f| f.row == i);
        if !is_friction && nearest_bound(lcp, i) == Place::Upper {
            row.iter_mut().for_each(|value| *value = -*value);
        }
    }

    /// Eliminates the free rows; `false` when their block is singular.
    fn eliminate(&mut self, bilateral: &[usize], size: usize) -> bool {
        let (width, b) = (size + 1, bilateral.len());
        self.lu.reserve(b);
        for (i, out) in bilateral.iter().zip(self.lu.rows.chunks_exact_mut(b)) {
            for (j, out) in bilateral.iter().zip(out) {
                *out = self.mixed[i * width + j];
            }
        }
        // Only what is 0 or not finite is refused. A nearly singular block may spoil the path, but no
        // answer: see the head of this file.
        if !self.lu.factor(b) {
            return false;
        }
        let others: Vec<usize> = (0..size).filter(|i| !bilateral.contains(i)).collect();
        self.m.clear();
        self.m.resize(others.len() * others.len(), 0.0);
        self.q.clear();
        self.q.resize(others.len(), 0.0);
        let mut x = vec![0.0; b];
        for (c, &j) in others.iter().chain([&size]).enumerate() {
            for (x, i) in x.iter_mut().zip(bilateral) {
                *x = self.mixed[i * width + j];
            }
            self.lu.solve(&mut x);
            for (r, &i) in others.iter().enumerate() {
                let row = &self.mixed[i * width..(i + 1) * width];
                let products = bilateral.iter().zip(&x);
                // The Schur complement M_OO - M_OB M_BB^-1 M_BO of the free rows B, and the same of
                // q.
                let value = products.fold(row[j], |sum, (&k, x)| sum - row[k] * x);
                match self.m[r * others.len()..].get_mut(c) {
                    Some(out) if c < others.len() => *out = value,
                    _ => self.q[r] = value,
                }
            }
        }
        let meaning: Vec<Part> = others.iter().map(|&i| self.meaning[i]).collect();
        self.meaning.clone_from(&meaning);
        true
    }

    /// Writes each free variable as the difference of two nonnegative ones.
    fn split(&mut self, bilateral: &[usize], size: usize) {
        let width = size + 1;
        let columns: Vec<(usize, f64)> = (0..size)
            .map(|i| (i, 1.0))
            .chain(bilateral.iter().map(|&i| (i, -1.0)))
            .collect();
        self.m.clear();
        self.q.clear();
        for &(i, sign) in &columns {
            let row = &self.mixed[i * width..(i + 1) * width];
            self.m
                .extend(columns.iter().map(|&(j, s)| sign * s * row[j]));
            self.q.push(sign * row[size]);
        }
        for &i in bilateral {
            self.meaning[i] = Part::Positive(i);
        }
        self.meaning
            .extend(bilateral.iter().map(|&i| Part::Negative(i)));
    }

    /// The places of the problem's rows for a basis of the pure one.
    pub(crate) fn places(
        &self,
        lcp: LcpRef<'_>,
        basic: impl Fn(usize) -> bool,
        places: &mut [Place],
    ) {
        let friction = |i: usize| lcp.friction.iter().any(|f| f.row == i);
        for (i, place) in places.iter_mut().enumerate() {
            *place = if friction(i) {
                Place::Lower
            } else {
                nearest_bound(lcp, i)
            };
        }
        for (k, part) in self.meaning.iter().enumerate() {
            match *part {
                Part::Distance(i) if basic(k) => places[i] = Place::Between,
                // Distances come before multipliers in `meaning`, so the place of z_i is known here. A
                // multiplier without its distance, which is 0 then, says nothing: z_i is at its lower
                // bound.
                Part::Multiplier(i) if basic(k) && places[i] == Place::Between => {
                    places[i] = Place::Upper;
                }
                _ => {}
            }
        }
    }

    /// The basis of the pure problem for places of the problem's rows.
    pub(crate) fn basis(&self, lcp: LcpRef<'_>, places: &[Place], basis: &mut Vec<bool>) {
        basis.clear();
        basis.extend(self.meaning.iter().map(|part| match *part {
            Part::Distance(i) => {
                let only_upper = lcp.bounds(i).0.is_infinite()
                    && lcp.bounds(i).1.is_finite()
                    && lcp.friction.iter().all(|f| f.row != i);
                places[i] == Place::Between || (places[i] == Place::Upper && !only_upper)
            }
            Part::Multiplier(i) => places[i] == Place::Upper,
            // One part of a free z_i is basic. Both would be two columns that differ in sign alone: a
            // singular basis.
            Part::Positive(_) => true,
            Part::Negative(_) => false,
        }));
    }
}

#[cfg(test)]
mod tests {
    use etalon_lcp::{Bound, Friction, Matrix, MixedLcp, Number, Problem, PureForm, Reduction};

    use super::*;
    use crate::problem::Lcp;

    struct Draw(u64);

    impl Draw {
        fn below(&mut self, bound: u64) -> u64 {
            let factor = 6_364_136_223_846_793_005;
            self.0 = self.0.wrapping_mul(factor).wrapping_add(1);
            (self.0 >> 33) % bound
        }

        /// From -most to most.
        fn integer(&mut self, most: i64) -> i64 {
            self.below(2 * most as u64 + 1) as i64 - most
        }
    }

    /// Rows of every kind: bounded on either side, on both or not at all, and friction rows.
    fn problem(draw: &mut Draw, n: usize) -> Problem {
        let rows = (0..n).map(|_| (0..n).map(|_| draw.integer(2).into()).collect());
        let m = Matrix::from_rows(rows.collect()).unwrap();
        let q = (0..n).map(|_| draw.integer(5).into()).collect();
        let finite = |value: i64| Bound::Finite(Number::from(value));
        let mut bounds = Vec::new();
        for _ in 0..n {
            let least = draw.integer(3);
            bounds.push(match draw.below(5) {
                0 => (finite(0), Bound::Infinity),
                1 => (finite(least), Bound::Infinity),
                2 => (Bound::NegativeInfinity, finite(least)),
                3 => (finite(least), finite(least + 3)),
                _ => (Bound::NegativeInfinity, Bound::Infinity),
            });
        }
        let (lower, upper): (Vec<_>, Vec<_>) = bounds.iter().cloned().unzip();
        let normal = (0..n).find(|i| {
            let zero = Number::from(0).to_rational();
            matches!(&lower[*i], Bound::Finite(l) if l.to_rational() >= zero)
        });
        let mut friction = Vec::new();
        for row in (0..n).filter(|row| Some(*row) != normal) {
            if let Some(normal) = normal
                && draw.below(3) == 0
            {
                let mu = Number::from(draw.below(3) as i64);
                friction.push(Friction { row, normal, mu });
            }
        }
        let problem = Problem::new("every kind", m, q).unwrap();
        let bounded = problem.with_bounds(Some(lower), Some(upper)).unwrap();
        bounded.with_friction(friction).unwrap()
    }

    fn pure(problem: &Problem) -> (MixedLcp, bool) {
        let mixed = Reduction::new(problem).mixed().clone();
        let free = mixed.bilateral().iter().any(|free| *free);
        match PureForm::eliminate(&mixed) {
            Ok(pure) => (pure.lcp().clone(), free),
            Err(_) => (PureForm::split(&mixed).lcp().clone(), false),
        }
    }

    #[test]
    fn the_pure_form_is_the_exact_one() {
        let mut draw = Draw(1);
        let (mut eliminated, mut split) = (0, 0);
        for n in (1..=6).cycle().take(1200) {
            let problem = problem(&mut draw, n);
            let (exact, is_eliminated) = pure(&problem);
            let lcp = Lcp::from_problem(&problem).unwrap();
            let mut reduced = Reduced::default();
            reduced.build(lcp.view());
            let size = reduced.q.len();
            if size != exact.n() {
                // A block that is singular need not be so in binary64.
                assert!(!is_eliminated);
                continue;
            }
            if is_eliminated {
                eliminated += 1;
            } else {
                split += 1;
            }
            let near = |own: f64, exact: f64| {
                assert!(
                    (own - exact).abs() <= 1e-9 * (1.0 + exact.abs()),
                    "{own} {exact}"
                );
            };
            for i in 0..size {
                near(reduced.q[i], exact.q()[i].to_f64());
                for j in 0..size {
                    let entry = exact.m().get(i, j).map_or(0.0, Number::to_f64);
                    near(reduced.m[i * size + j], entry);
                }
            }
        }
        assert!(eliminated > 100 && split > 100, "{eliminated} {split}");
    }

    /// The places that row i can have.
    fn possible(lcp: LcpRef<'_>, i: usize) -> Vec<Place> {
        let (lower, upper) = lcp.bounds(i);
        let rubs = lcp.friction.iter().any(|f| f.row == i);
        let ends = [(Place::Lower, lower), (Place::Upper, upper)];
        let ends = ends.into_iter().filter(|(_, end)| rubs || end.is_finite());
        let mut places: Vec<Place> = ends.map(|(place, _)| place).collect();
        places.push(Place::Between);
        places
    }

    #[test]
    fn places_have_a_basis_that_leads_back_to_them() {
        let mut draw = Draw(2);
        for n in (1..=6).cycle().take(1200) {
            let problem = problem(&mut draw, n);
            let lcp = Lcp::from_problem(&problem).unwrap();
            let lcp = lcp.view();
            let mut reduced = Reduced::default();
            reduced.build(lcp);
            let choose = |i: usize| {
                let possible = possible(lcp, i);
                possible[draw.below(possible.len() as u64) as usize]
            };
            let places: Vec<Place> = (0..n).map(choose).collect();
            let mut basis = Vec::new();
            reduced.basis(lcp, &places, &mut basis);
            assert_eq!(basis.len(), reduced.q.len());
            let mut found = vec![Place::Upper; n];
            reduced.places(lcp, |k| basis[k], &mut found);
            assert_eq!(found, places);
        }
    }

    /// A row with an upper bound alone is at it where its distance is 0, and one between two bounds where its
    /// multiplier is not.
    #[test]
    fn an_upper_bound_is_a_distance_of_0_or_a_multiplier() {
        let (m, q) = ([1.0, 0.0, 0.0, 1.0], [-9.0, -9.0]);
        let (lower, upper) = ([f64::NEG_INFINITY, 0.0], [1.0, 2.0]);
        let lcp = LcpRef::new(&m, &q).unwrap();
        let lcp = lcp.with_bounds(&lower, &upper).unwrap();
        let mut reduced = Reduced::default();
        reduced.build(lcp);
        let mut basis = Vec::new();
        for (place, expected) in [
            (Place::Lower, [false, false, false]),
            (Place::Between, [false, true, false]),
            (Place::Upper, [false, true, true]),
        ] {
            reduced.basis(lcp, &[Place::Upper, place], &mut basis);
            assert_eq!(basis, expected);
        }
        reduced.basis(lcp, &[Place::Between, Place::Lower], &mut basis);
        assert_eq!(basis, [true, false, false]);
    }
}
