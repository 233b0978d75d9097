//! Sparse problems with free rows, such as velocities of bodies beside forces of their contacts.
//!
//! With B the free rows and K the others, z_B = -M_BB^-1 (q_B + M_BK z_K) leaves the pure LCP of the Schur complement
//! M_KK - M_KB M_BB^-1 M_BK (Baraff 1994, section 4.5). M_BB has a block for each body, so it costs little and stays sparse: what is
//! left of contacts between bodies is the LCP of their forces, which [`super`] solves.
//!
//! Its answer is right for the rows of that problem and need not be for those given. There a contact that holds says H v = 0, and
//! nothing in the row but v itself says how small v has to be. So v, a difference of large terms, is
//! improved twice over:
//!
//! * *Steps* of Newton's method on the rows given, by the factor of the Schur complement. Each leaves the part E / (lambda + E) of
//!   H v, as proximal steps do, and changes the balance A v - H'r + q by rounding.
//! * *Rest.* What is below the rounding of the terms that it is the difference of is put to 0. The velocities of bodies at rest are 0, and no
//!   other number near it has a small residual in the rows of their contacts. A balance without a load says nothing of sizes: there, as in
//!   [`crate::cone`]'s, those of all bodies that touch each other count, by the energy of their rounding.
//!
//! The check of the rows given decides, as ever.

mod schur;

use super::{Run, SparseLcp, SparseSolution, first_places, solve_run};
use crate::failure::Failure;
use crate::meter::Until;
use crate::place::{Place, Start};
use crate::point::Point;
use crate::tolerances::UNIT;
use crate::unions::Unions;
use schur::Schur;

/// Steps at most. Each leaves some 1e-10 of the error, and the second is that of the rounding of the first.
const STEPS: u32 = 4;

/// What is put to 0, in units of the rounding of the largest term: a few products and sums. That of the row itself is tried first.
const AT_REST: f64 = 4.0;

/// Solves a problem with free rows.
pub(super) fn solve(
    lcp: &SparseLcp,
    start: Start<'_>,
    until: Until,
) -> Result<SparseSolution, Failure> {
    let schur = Schur::new(lcp).ok_or(Failure::Singular)?;
    let other = schur.lcp.without_tiny();
    let places = first_places(lcp.n(), start);
    let places: Vec<Place> = schur.kept.iter().map(|&i| places[i]).collect();
    let z = start
        .z(lcp.n())
        .map(|z| schur.kept.iter().map(|&i| z[i]).collect::<Vec<f64>>());
    let own = match (start, &z) {
        (Start::Cold, _) => Start::Cold,
        (_, Some(z)) => Start::Solution { places: &places, z },
        _ => Start::Places(&places),
    };
    let mut run = Run::new(other.as_ref().unwrap_or(&schur.lcp), own, until)?;
    run.is_whole = false;
    solve_run(&mut run, own)?;
    let is_known = run.is_known;
    match Settling::new(lcp, &schur, run).settle() {
        // As where no row is free.
        Err(_) if is_known => solve(lcp, Start::Cold, until),
        result => result,
    }
}

/// From the answer of the Schur complement to one of the problem.
struct Settling<'a> {
    lcp: &'a SparseLcp,
    schur: &'a Schur,
    run: Run<'a>,
    point: Point,
    places: Vec<Place>,
    /// The rows that hang together, each set by its first row.
    parts: Option<Vec<usize>>,
}

impl<'a> Settling<'a> {
    fn new(lcp: &'a SparseLcp, schur: &'a Schur, run: Run<'a>) -> Self {
        let n = lcp.n();
        let mut point = Point::default();
        point.reset(lcp.view());
        let mut places = vec![Place::Between; n];
        for (k, &i) in schur.kept.iter().enumerate() {
            point.z[i] = run.point.z[k];
            places[i] = run.places[k];
        }
        schur.complete(lcp, &mut point.z);
        Self {
            lcp,
            schur,
            run,
            point,
            places,
            parts: None,
        }
    }

    fn settle(mut self) -> Result<SparseSolution, Failure> {
        for step in 0..STEPS {
            self.run.until.check()?;
            if step > 0 {
                self.step(step == 1)?;
            }
            self.lcp.evaluate(&mut self.point);
            if self.is_right() || self.is_right_at_rest() {
                break;
            }
        }
        self.lcp.checked(self.point, self.places, self.run.pivots)
    }

    fn is_right(&mut self) -> bool {
        self.lcp.settle_zeros(&self.point, &mut self.places);
        self.lcp.backward_error(&self.point, &self.places) <= self.lcp.limit()
    }

    /// Whether the point is right with zeros in place of what is rounding. It has them then.
    fn is_right_at_rest(&mut self) -> bool {
        let (z, places, own) = (
            self.point.z.clone(),
            self.places.clone(),
            self.point.s.clone(),
        );
        for of_rows in [own.clone(), self.of_parts(&own)] {
            let sizes = self.schur.sizes(self.lcp, &of_rows, &z);
            for ((own, z), size) in self.point.z.iter_mut().zip(&z).zip(&sizes) {
                *own = if z.abs() <= AT_REST * UNIT * size {
                    0.0
                } else {
                    *z
                };
            }
            self.lcp.evaluate(&mut self.point);
            if self.is_right() {
                return true;
            }
            self.places.clone_from(&places);
        }
        self.point.z = z;
        self.lcp.evaluate(&mut self.point);
        false
    }

    /// The sizes of rows that are due to all rows of their part: sqrt(M_ii) E, where E^2 is the sum of s_i^2 / M_ii over the free
    /// rows of the part.
    fn of_parts(&mut self, sizes: &[f64]) -> Vec<f64> {
        let lcp = self.lcp;
        let parts = self.parts.get_or_insert_with(|| {
            let mut unions = Unions::new(lcp.n());
            for i in 0..lcp.n() {
                lcp.row(i).for_each(|(j, _)| unions.join(i, j));
            }
            unions.all()
        });
        let mut energy = vec![0.0; lcp.n()];
        for i in (0..lcp.n()).filter(|&i| lcp.is_free(i)) {
            let own = lcp.diagonal(i).abs();
            if own > 0.0 {
                energy[parts[i]] += sizes[i] * sizes[i] / own;
            }
        }
        let of_part = |i: usize| (lcp.diagonal(i).abs() * energy[parts[i]]).sqrt();
        (0..lcp.n()).map(|i| sizes[i].max(of_part(i))).collect()
    }

    /// A step of Newton's method on the rows that hold, whose matrix is factored first where it has not been.
    fn step(&mut self, is_first: bool) -> Result<(), Failure> {
        if is_first {
            self.run.factor()?;
        }
        let rows = self.schur.kept.iter().zip(&self.run.places);
        for (step, (&i, place)) in self.run.step.iter_mut().zip(rows) {
            let holds = *place == Place::Between;
            *step = if holds { self.point.w[i] } else { 0.0 };
        }
        self.run.solve_step();
        let mut change = vec![0.0; self.lcp.n()];
        for (&i, step) in self.schur.kept.iter().zip(&self.run.step) {
            let z = self.point.z[i];
            // A force that the step would turn around ends at 0.
            change[i] = (-step).max(-z);
        }
        self.schur.follow(self.lcp, &mut change);
        for (z, change) in self.point.z.iter_mut().zip(&change) {
            *z += change;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies that move along one line: their masses and loads, and contacts, each of which keeps a body off what lies before it.
    fn line(bodies: &[(f64, f64)], contacts: &[(usize, Option<usize>)]) -> SparseLcp {
        let first = bodies.len();
        let (mut entries, mut q) = (Vec::new(), Vec::new());
        for (i, (mass, load)) in bodies.iter().enumerate() {
            entries.push((i, i, *mass));
            q.push(-load);
        }
        for (k, (body, before)) in contacts.iter().enumerate() {
            let own = [(Some(*body), 1.0), (*before, -1.0)];
            for (body, h) in own.into_iter().filter_map(|(body, h)| Some((body?, h))) {
                entries.extend([(first + k, body, h), (body, first + k, -h)]);
            }
            q.push(0.0);
        }
        let free: Vec<bool> = (0..q.len()).map(|i| i < first).collect();
        SparseLcp::mixed(&entries, &q, &free).unwrap()
    }

    fn solved(lcp: &SparseLcp) -> SparseSolution {
        crate::solve_sparse(lcp, Start::Cold).unwrap()
    }

    #[test]
    fn what_rests_has_velocities_of_0_and_what_is_pulled_has_others() {
        // Weights whose sums are rounded, twice held by the ground; the last is pulled off.
        let bodies = [(0.3, -0.1), (0.7, -0.7), (1.1, -1e3 / 3.0), (0.9, 0.45)];
        let contacts = [
            (0, None),
            (0, None),
            (1, Some(0)),
            (2, Some(1)),
            (3, Some(2)),
        ];
        let found = solved(&line(&bodies, &contacts));
        assert_eq!(found.z[..3], [0.0; 3]);
        assert!((found.z[3] - 0.5).abs() < 1e-15);
        let sum: f64 = 0.1 + 0.7 + 1e3 / 3.0;
        assert!((found.z[4] + found.z[5] - sum).abs() < 1e-12);
        assert_eq!(found.z[8], 0.0);
        let places = [[Place::Between; 8].as_slice(), &[Place::Lower]].concat();
        assert_eq!(found.places, places);
    }

    #[test]
    fn what_is_pressed_together_moves_with_one_velocity() {
        // The rounding of forces of 1e9 is much of what remains of them.
        let (press, mass) = (1e9 / 3.0, [0.3, 0.7]);
        let bodies = [(mass[0], press), (mass[1], 1e-3 - press)];
        let found = solved(&line(&bodies, &[(1, Some(0))]));
        let load = bodies[0].1 + bodies[1].1;
        assert!(found.z[0] > 0.0 && (found.z[0] - load).abs() < 1e-6);
        assert!((found.z[0] - found.z[1]).abs() <= 7e-14 * found.z[0]);
        assert!(found.backward_error <= 3.1e-14);
    }

    #[test]
    fn forces_without_a_load_are_0_by_those_of_all_bodies() {
        // A body that falls and may turn, on a contact below its centre and one beside. Nothing turns it: what is left of the second force and of
        // the turn is rounding of nothing.
        let (mass, inertia, load) = (0.3, 0.7, 1e3 / 3.0);
        let beside = 0.9;
        let own = [(0, 0, mass), (1, 1, inertia)];
        let contacts = [(2, 0, 1.0), (3, 0, 1.0), (3, 1, beside)];
        let act = contacts.map(|(i, j, h)| (j, i, -h));
        let entries = [&own[..], &contacts, &act].concat();
        let free = [true, true, false, false];
        let lcp = SparseLcp::mixed(&entries, &[load, 0.0, 0.0, 0.0], &free).unwrap();
        let found = solved(&lcp);
        assert_eq!((&found.z[..2], found.z[3]), ([0.0; 2].as_slice(), 0.0));
        assert!((found.z[2] - load).abs() < 1e-12);
    }

    #[test]
    fn a_known_start_is_taken_without_its_free_rows() {
        let lcp = line(&[(1.0, -2.0), (1.0, 3.0)], &[(0, None), (1, Some(0))]);
        let cold = solved(&lcp);
        let (places, z) = (&cold.places[..], &cold.z[..]);
        for start in [
            Start::Places(places),
            Start::Point(z),
            Start::Solution { places, z },
        ] {
            let warm = crate::solve_sparse(&lcp, start).unwrap();
            assert_eq!((warm.pivots, &warm.z), (0, &cold.z));
        }
        assert!(cold.pivots > 0);
    }
}
