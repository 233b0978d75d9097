//! Whether a point is a convex combination of vertices plus nonnegative multiples of rays: exact
//! linear programming.

use rug::{Integer, Rational};

use super::Face;
use crate::budget::{Exhausted, Meter};
use crate::tableau::{Tableau, Variable};

/// A face, as the set that its vertices and rays span.
pub(super) struct Hull {
    pub face: Face,
    /// The least and the largest value of each entry, where rays leave it one.
    box_around: Vec<(Option<Rational>, Option<Rational>)>,
}

impl Hull {
    pub fn new(face: Face) -> Self {
        let n = face.vertices.first().map_or(0, Vec::len);
        let sides = (0..n).map(|j| {
            let entries = || face.vertices.iter().map(|vertex| &vertex[j]);
            let falls = face.rays.iter().any(|ray| ray[j] < 0);
            let rises = face.rays.iter().any(|ray| ray[j] > 0);
            let least = entries().min().filter(|_| !falls);
            let largest = entries().max().filter(|_| !rises);
            (least.cloned(), largest.cloned())
        });
        let box_around = sides.collect();
        Self { face, box_around }
    }

    /// Whether it contains all of another face; unknown, so no, where that is not all listed.
    pub fn contains_face(&self, other: &Face, meter: &mut Meter) -> Result<bool, Exhausted> {
        if !other.complete {
            return Ok(false);
        }
        for vertex in &other.vertices {
            if !self.contains(vertex, meter)? {
                return Ok(false);
            }
        }
        for ray in &other.rays {
            let known = self.face.rays.contains(ray);
            if !known && !combine(&[], &self.face.rays, ray, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a point is in it.
    pub fn contains(&self, point: &Vec<Rational>, meter: &mut Meter) -> Result<bool, Exhausted> {
        let outside = |(value, (least, largest)): (&Rational, &(Option<_>, Option<_>))| {
            least.as_ref().is_some_and(|least| value < least)
                || largest.as_ref().is_some_and(|largest| value > largest)
        };
        // A few comparisons in place of a linear programme, for most points.
        if point.iter().zip(&self.box_around).any(outside) {
            return Ok(false);
        }
        if self.face.vertices.contains(point) {
            return Ok(true);
        }
        combine(&self.face.vertices, &self.face.rays, point, meter)
    }
}

/// Whether nonnegative multiples of the vectors sum to the target; those of the vertices, where there
/// are any, to 1 as well. By the dual simplex method with Bland's rule.
fn combine(
    vertices: &[Vec<Rational>],
    rays: &[Vec<Rational>],
    target: &[Rational],
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    let vectors = || vertices.iter().chain(rays);
    let columns = vertices.len() + rays.len();
    let entry = |i: usize| {
        let row = vectors().map(move |vector| vector[i].clone());
        integral(row.chain([Rational::from(-&target[i])]))
    };
    let mut rows: Vec<Vec<Integer>> = (0..target.len()).map(entry).collect();
    if !vertices.is_empty() {
        let ones = (0..columns).map(|j| Integer::from(u8::from(j < vertices.len())));
        rows.push(ones.chain([Integer::from(-1)]).collect());
    }
    let equations = rows.len();
    // Row i is an equation, w_i = 0, in the multiples z.
    let mut tableau = Tableau::new(
        (0..equations).map(Variable::W).collect(),
        (0..columns).map(Variable::Z).collect(),
        rows,
    );
    let multiple = |variable: Variable| matches!(variable, Variable::Z(_));
    for r in 0..equations {
        let entering =
            (0..columns).find(|&c| multiple(tableau.nonbasic()[c]) && *tableau.entry(r, c) != 0);
        match entering {
            Some(c) => {
                tableau.pivot(r, c);
                meter.pivot(tableau.bits(), tableau.size())?;
            }
            None if *tableau.constant(r) != 0 => return Ok(false),
            None => {}
        }
    }
    loop {
        let negative = (0..equations)
            .filter(|&r| multiple(tableau.basic()[r]) && *tableau.constant(r) < 0)
            .min_by_key(|&r| tableau.basic()[r]);
        let Some(r) = negative else {
            return Ok(true);
        };
        let entering = (0..columns)
            .filter(|&c| multiple(tableau.nonbasic()[c]) && *tableau.entry(r, c) > 0)
            .min_by_key(|&c| tableau.nonbasic()[c]);
        // The row is negative and none of its entries can raise it: the target is no such combination
        // (Farkas).
        let Some(c) = entering else {
            return Ok(false);
        };
        tableau.pivot(r, c);
        meter.pivot(tableau.bits(), tableau.size())?;
    }
}

/// A row times its common denominator.
fn integral(row: impl Iterator<Item = Rational>) -> Vec<Integer> {
    let row: Vec<Rational> = row.collect();
    let mut denominator = Integer::from(1);
    for value in &row {
        denominator.lcm_mut(value.denom());
    }
    let whole = |value: Rational| (value * &denominator).into_numer_denom().0;
    row.into_iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::budget::Budget;

    fn vectors(most: usize) -> impl Strategy<Value = Vec<Vec<Rational>>> {
        let value = (-9i64..=9, 1i64..=4).prop_map(Rational::from);
        prop::collection::vec(prop::collection::vec(value, 3), 1..=most)
    }

    proptest! {
        /// Sums of the vertices by weights that make 1, and of the rays, are in the hull. What has a larger entry than all
        /// vertices is not, where no ray leads there.
        #[test]
        fn the_hull_holds_the_combinations_and_nothing_beyond(
            vertices in vectors(5),
            rays in vectors(2),
            weights in prop::collection::vec(0i64..=5, 7),
            beyond in 1i64..=5,
        ) {
            let total: i64 = weights[..vertices.len()].iter().sum();
            prop_assume!(total > 0);
            let own = vertices.iter().zip(&weights).map(|(v, weight)| (v, Rational::from((*weight, total))));
            let far = rays.iter().zip(&weights[5..]).map(|(ray, weight)| (ray, Rational::from(*weight)));
            let sum = |terms: &[(&Vec<Rational>, Rational)]| -> Vec<Rational> {
                let one = |i: usize| terms.iter().map(|(v, weight)| Rational::from(&v[i] * weight)).sum();
                (0..3).map(one).collect()
            };
            let (own, far): (Vec<_>, Vec<_>) = (own.collect(), far.collect());
            let holds = |rays: &[Vec<Rational>], target: &[Rational]| {
                combine(&vertices, rays, target, &mut Meter::new(&Budget::default())).unwrap()
            };
            prop_assert!(holds(&[], &sum(&own)));
            prop_assert!(holds(&rays, &sum(&[own.as_slice(), &far].concat())));
            let mut outside = sum(&own);
            let top = vertices.iter().map(|v| v[0].clone()).max().unwrap();
            outside[0] = top + Rational::from((beyond, 7));
            prop_assert!(!holds(&[], &outside));
        }
    }
}
