//! Josephy's Newton method on the mixed nonlinear complementarity problem of a step, in binary64.
//!
//! Each iteration linearises everything at the last point; the free unknowns are eliminated, and
//! what is left is a linear complementarity problem in p_n and sigma. A line search on the merit
//! function |Phi|^2/2, Phi the equations with a + b - sqrt(a^2 + b^2) for each complementary pair
//! (Fischer and Burmeister), shortens the step; where the linear problem has no solution or its
//! step leads up, a Levenberg-Marquardt step on Phi, which is semismooth, takes its place.

use etalon_lcp::Solver;

use super::jet::Jet;
use super::linear::{inverse, largest, product};
use super::number::{Number, dot};
use super::problem::{PairUnknowns, StepProblem};
use crate::formulation::StepLcp;
use crate::solve::{StepAnswer, solve};

/// Iterations of one attempt.
const ITERATIONS: usize = 60;
/// Halvings of a step.
const HALVINGS: i32 = 30;
/// The largest entry of Phi at which a point is a candidate. Chosen: Krawczyk's test decides on the candidate.
const TOLERANCE: f64 = 1e-11;

/// The problem with some pairs in it.
pub struct Complementarity<'a> {
    pub problem: &'a StepProblem<'a>,
    /// The pairs that take part.
    pub active: Vec<usize>,
    /// Whether friction does.
    pub friction: bool,
}

/// The unknowns: what is free, then p_n of all pairs, then sigma of those with friction.
#[derive(Debug, Clone)]
pub struct Point {
    pub v: Vec<f64>,
    pub pairs: Vec<PairUnknowns<f64>>,
    /// sigma of each pair, 0 without friction.
    pub sigma: Vec<f64>,
}

/// Where the iteration ended.
#[derive(Debug, Clone)]
pub struct Iterate {
    pub point: Point,
    pub iterations: usize,
    pub problems: usize,
    /// Steps that were shortened, or taken by the fall-back.
    pub dampings: usize,
    /// The largest entry of Phi.
    pub error: f64,
    /// The last linear problem that was solved.
    pub last: Option<Solved>,
}

impl Iterate {
    pub fn converged(&self) -> bool {
        self.error <= TOLERANCE
    }
}

/// A linear problem with its answer.
pub type Solved = (StepLcp<f64>, StepAnswer<f64>);

/// All left sides: what vanishes, and what is complementary to p_n and sigma.
struct Sides<N> {
    free: Vec<N>,
    complementary: Vec<N>,
}

impl Complementarity<'_> {
    fn rough(&self, pair: usize) -> bool {
        self.friction && self.problem.is_rough(pair)
    }

    fn tangents(&self, pair: usize) -> usize {
        match self.rough(pair) {
            true => self.problem.frictions(pair),
            false => 0,
        }
    }

    fn flatten(&self, point: &Point) -> Vec<f64> {
        let mut all = point.v.clone();
        let (mut normal, mut sigma) = (Vec::new(), Vec::new());
        for (pair, own) in point.pairs.iter().zip(&point.sigma) {
            all.extend(&pair.geometry);
            let (p_n, p_t) = pair.impulse.clone().unwrap_or((0.0, Vec::new()));
            let tangents = self.tangents(pair.pair);
            all.extend((0..tangents).map(|j| p_t.get(j).copied().unwrap_or(0.0)));
            normal.push(p_n);
            if tangents > 0 {
                sigma.push(*own);
            }
        }
        all.extend(normal);
        all.extend(sigma);
        all
    }

    /// v, the unknowns of pairs, and sigma.
    fn unpack<N: Number>(&self, all: &[N]) -> (Vec<N>, Vec<PairUnknowns<N>>, Vec<N>) {
        let zero = all[0].integer(0);
        let mut at = self.problem.v.len();
        let v = all[..at].to_vec();
        let mut pairs = Vec::with_capacity(self.active.len());
        for &pair in &self.active {
            let (g, t) = (self.problem.geometry_len(pair), self.tangents(pair));
            pairs.push(PairUnknowns {
                pair,
                geometry: all[at..at + g].to_vec(),
                impulse: Some((zero.clone(), all[at + g..at + g + t].to_vec())),
            });
            at += g + t;
        }
        for (own, p_n) in pairs.iter_mut().zip(&all[at..]) {
            if let Some(impulse) = &mut own.impulse {
                impulse.0 = p_n.clone();
            }
        }
        let mut rest = all[at + pairs.len()..].iter().cloned();
        let sigma = self.active.iter().map(|&pair| match self.rough(pair) {
            true => rest.next().unwrap_or(zero.clone()),
            false => zero.clone(),
        });
        (v, pairs, sigma.collect())
    }

    fn sides<N: Number>(&self, all: &[N]) -> Sides<N> {
        let (v, pairs, sigma) = self.unpack(all);
        let values = self.problem.values(&v, &pairs);
        let mut free = values.momentum;
        let (mut gaps, mut cones) = (Vec::new(), Vec::new());
        for ((own, of), sigma) in values.pairs.into_iter().zip(&pairs).zip(&sigma) {
            gaps.push(own.complement().clone());
            free.extend(own.geometry);
            let (Some((p_n, p_t)), true) = (&of.impulse, self.rough(of.pair)) else {
                continue;
            };
            let mu = p_n.lift(self.problem.coefficient(of.pair));
            let bound = mu * p_n.clone();
            let [_, rates] = self.problem.rates(of.pair, &own.sliding);
            let law = rates.into_iter().zip(p_t);
            let law = law.map(|(v, p)| bound.clone() * v + sigma.clone() * p.clone());
            free.extend(law);
            let shares = self.problem.shares(of.pair, p_t);
            cones.push(bound.clone() * bound - dot(p_n, &shares, &shares));
        }
        gaps.extend(cones);
        Sides {
            free,
            complementary: gaps,
        }
    }

    /// Phi at a point.
    fn phi(&self, all: &[f64]) -> Vec<f64> {
        let sides = self.sides(all);
        let y = &all[all.len() - sides.complementary.len()..];
        let pairs = sides.complementary.iter().zip(y);
        // Fischer and Burmeister's function is 0 exactly where a, b >= 0 and a b = 0.
        let fischer = pairs.map(|(a, b)| a + b - (a * a + b * b).sqrt());
        sides.free.iter().copied().chain(fischer).collect()
    }

    /// The iteration from a start.
    pub fn solve(&self, start: &Point, solver: &dyn Solver) -> Iterate {
        let mut here = self.flatten(start);
        let (mut problems, mut dampings, mut iterations) = (0, 0, 0);
        let mut last = None;
        let mut phi = self.phi(&here);
        while largest(&phi) > TOLERANCE && iterations < ITERATIONS {
            iterations += 1;
            let sides = self.sides(&Jet::unknowns(&here));
            problems += 1;
            let step = self.josephy(&here, &sides, solver);
            let searched = step.and_then(|(step, answer)| {
                last = Some(answer);
                self.search(&here, &phi, &step)
            });
            let found = searched.or_else(|| {
                dampings += 1;
                self.levenberg_marquardt(&here, &sides, &phi)
            });
            let Some((next, shortened)) = found else {
                break;
            };
            dampings += usize::from(shortened);
            here = next;
            phi = self.phi(&here);
        }
        let (v, pairs, sigma) = self.unpack(&here);
        Iterate {
            point: Point { v, pairs, sigma },
            iterations,
            problems,
            dampings,
            error: largest(&phi),
            last,
        }
    }

    /// The first of the step, its half, its quarter and so on that reduces the merit function
    /// enough, and whether it is not the whole.
    fn search(&self, here: &[f64], phi: &[f64], step: &[f64]) -> Option<(Vec<f64>, bool)> {
        let merit = dot(&0.0, phi, phi);
        (0..HALVINGS).find_map(|halvings| {
            let share = 0.5_f64.powi(halvings);
            let to: Vec<f64> = here.iter().zip(step).map(|(x, d)| x + share * d).collect();
            let phi = self.phi(&to);
            // Armijo's rule with 1e-4: along a Newton step |Phi|^2 falls at the rate of 2 |Phi|^2.
            let enough = dot(&0.0, &phi, &phi) <= (1.0 - 2e-4 * share) * merit;
            enough.then_some((to, halvings > 0))
        })
    }

    /// The step of the linear problem.
    fn josephy(
        &self,
        here: &[f64],
        sides: &Sides<Jet<f64>>,
        solver: &dyn Solver,
    ) -> Option<(Vec<f64>, Solved)> {
        let n = here.len();
        let m = sides.complementary.len();
        let free = n - m;
        let rows: Vec<Vec<f64>> = sides.free.iter().map(|e| e.row(n)).collect();
        let mut block: Vec<Vec<f64>> = rows.iter().map(|row| row[..free].to_vec()).collect();
        self.hold_friction(here, &mut block);
        let inverse = inverse(&block)?;
        let errors: Vec<f64> = sides.free.iter().map(|e| *e.value()).collect();
        let base = product(&inverse, &errors);
        // dx = -base - columns dy.
        let columns: Vec<Vec<f64>> = (free..n)
            .map(|j| {
                let column: Vec<f64> = rows.iter().map(|row| row[j]).collect();
                product(&inverse, &column)
            })
            .collect();
        let mut matrix = Vec::with_capacity(m);
        let mut q = Vec::with_capacity(m);
        for side in &sides.complementary {
            let row = side.row(n);
            let (of_x, of_y) = row.split_at(free);
            let entries = columns.iter().zip(of_y);
            let entries: Vec<f64> = entries.map(|(c, y)| y - dot(&0.0, of_x, c)).collect();
            let offset = side.value() - dot(&0.0, of_x, &base) - dot(&0.0, &entries, &here[free..]);
            matrix.push(entries);
            q.push(offset);
        }
        let lcp = StepLcp { matrix, q };
        let answer = solve(&lcp, "linearised step", solver).ok()?;
        let dy: Vec<f64> = answer
            .z
            .iter()
            .zip(&here[free..])
            .map(|(z, y)| z - y)
            .collect();
        let mut step: Vec<f64> = base.iter().map(|x| -x).collect();
        for (column, dy) in columns.iter().zip(&dy) {
            for (x, c) in step.iter_mut().zip(column) {
                *x -= c * dy;
            }
        }
        step.extend(dy);
        Some((step, (lcp, answer)))
    }

    /// Where a pair neither presses nor has a sigma, its friction law says nothing: p_t is kept.
    fn hold_friction(&self, here: &[f64], block: &mut [Vec<f64>]) {
        let (_, pairs, sigma) = self.unpack(here);
        let velocities = self.problem.v.len();
        let (mut row, mut column) = (velocities, velocities);
        for (pair, sigma) in pairs.iter().zip(&sigma) {
            row += pair.geometry.len();
            column += pair.geometry.len();
            let p_n = pair.impulse.as_ref().map_or(0.0, |impulse| impulse.0);
            // 1e-12 is chosen: it decides only whether the Jacobian is kept regular.
            let idle = p_n.abs() < 1e-12 && sigma.abs() < 1e-12;
            for _ in 0..self.tangents(pair.pair) {
                if idle {
                    block[row][column] += 1.0;
                }
                row += 1;
                column += 1;
            }
        }
    }

    /// (J'J + lambda) d = -J'Phi with growing lambda, until a step leads down.
    fn levenberg_marquardt(
        &self,
        here: &[f64],
        sides: &Sides<Jet<f64>>,
        phi: &[f64],
    ) -> Option<(Vec<f64>, bool)> {
        let n = here.len();
        let m = sides.complementary.len();
        let mut rows: Vec<Vec<f64>> = sides.free.iter().map(|e| e.row(n)).collect();
        for (i, side) in sides.complementary.iter().enumerate() {
            let (a, b) = (*side.value(), here[n - m + i]);
            let length = (a * a + b * b).sqrt();
            // Any element of the generalised derivative serves at the kink.
            let share = |x: f64| {
                if length == 0.0 {
                    1.0 - 0.5_f64.sqrt()
                } else {
                    1.0 - x / length
                }
            };
            let mut row: Vec<f64> = side.row(n).iter().map(|d| share(a) * d).collect();
            row[n - m + i] += share(b);
            rows.push(row);
        }
        let column = |j: usize| rows.iter().map(|row| row[j]).collect::<Vec<f64>>();
        let columns: Vec<Vec<f64>> = (0..n).map(column).collect();
        let slope: Vec<f64> = columns.iter().map(|c| -dot(&0.0, c, phi)).collect();
        let entry = |i: usize, j: usize| dot(&0.0, &columns[i], &columns[j]);
        let normal: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect();
        // Proportional to the residual, so that the shift vanishes at a solution; 1e-4 is chosen.
        let mut lambda = largest(phi).min(1.0) * 1e-4;
        for _ in 0..6 {
            let mut shifted = normal.clone();
            for (i, row) in shifted.iter_mut().enumerate() {
                row[i] += lambda;
            }
            let step = inverse(&shifted).map(|inverse| product(&inverse, &slope));
            let found = step.and_then(|step| self.search(here, phi, &step));
            if found.is_some() {
                return found;
            }
            // A larger lambda shortens the step and turns it towards the gradient, along which the merit
            // function falls.
            lambda *= 100.0;
        }
        None
    }
}
