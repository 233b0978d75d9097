//! Semismooth Newton on the natural map, regularised by a proximal term and damped.

use super::groups::{At, Kind, Local, Map, Mode};
use super::scaled::Scaled;
use super::sums::velocities;
use super::system::System;

/// Halvings of a step before the best of them is taken.
const HALVINGS: u32 = 8;

/// Norms that a step may be compared with: a step is good that is below the largest of the last ones.
const MEMORY: usize = 4;

/// The state of a run of Newton's method.
pub(super) struct Newton<'a> {
    pub scaled: Scaled<'a>,
    system: System,
    /// The scaled point.
    pub x: Vec<f64>,
    /// The centre of the proximal term.
    pub centre: Vec<f64>,
    /// P(x - rho y), within bounds and cones.
    pub inside: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    y: Vec<f64>,
    phi: Vec<f64>,
    shift: Vec<f64>,
    /// Steps of the natural maps: those of the problem, or longer ones.
    rho: Vec<f64>,
    local: Local,
    /// The equations of Coulomb's law.
    pub map: Map,
    /// The modes, and whether they are kept.
    modes: Vec<Mode>,
    pub is_fixed: bool,
    /// Factorisations so far.
    pub factors: u64,
}

impl<'a> Newton<'a> {
    pub fn new(scaled: Scaled<'a>) -> Self {
        let n = scaled.problem.n();
        let system = System::new(&scaled);
        let (zeros, rho) = (vec![0.0; n], scaled.rho.clone());
        Self {
            scaled,
            rho,
            system,
            x: zeros.clone(),
            centre: zeros.clone(),
            inside: zeros.clone(),
            z: zeros.clone(),
            w: zeros.clone(),
            y: zeros.clone(),
            phi: zeros.clone(),
            shift: zeros,
            local: Local::default(),
            map: Map::AlartCurnier,
            modes: vec![Mode::default(); n],
            is_fixed: false,
            factors: 0,
        }
    }

    /// Sets the proximal term delta (x - centre) / rho on rows of forces. Joints that hold a body twice leave their forces open
    /// and M singular; the term makes it regular, as it does with contacts.
    pub fn set_shift(&mut self, delta: f64) {
        self.rho.clone_from(&self.scaled.rho);
        let rows = self.rho.iter().zip(&self.scaled.force);
        for (shift, (rho, is_force)) in self.shift.iter_mut().zip(rows) {
            *shift = if *is_force { delta / rho } else { 0.0 };
        }
    }

    /// z of a scaled point. What is at a scaled bound is at the bound itself: the product may be off by a unit in the last
    /// place, and then w would have to be 0 there.
    pub fn unscaled(&self, x: &[f64], z: &mut [f64]) {
        for ((z, x), d) in z.iter_mut().zip(x).zip(&self.scaled.d) {
            *z = x * d;
        }
        let problem = self.scaled.problem;
        for group in &self.scaled.groups {
            let (Kind::Bounded(lower, upper), [i]) = (&group.kind, &group.rows[..]) else {
                continue;
            };
            if x[*i] == *lower {
                z[*i] = problem.lower[*i];
            } else if x[*i] == *upper {
                z[*i] = problem.upper[*i];
            }
        }
    }

    /// Phi at x with the proximal term, and its norm; with `derive` the matrix too.
    pub fn evaluate(&mut self, derive: bool) -> f64 {
        for ((z, x), d) in self.z.iter_mut().zip(&self.x).zip(&self.scaled.d) {
            *z = x * d;
        }
        velocities(self.scaled.problem, &self.z, &mut self.w);
        self.scaled.scale(&self.w, &mut self.y);
        for (i, y) in self.y.iter_mut().enumerate() {
            *y += self.shift[i] * (self.x[i] - self.centre[i]);
        }
        if derive {
            self.system.clear();
        }
        for (g, group) in self.scaled.groups.iter().enumerate() {
            let at = At {
                x: &self.x,
                y: &self.y,
                rho: &self.rho,
                map: self.map,
                modes: self.is_fixed.then_some(&self.modes),
            };
            group.evaluate(at, &mut self.local);
            for (a, &i) in group.rows.iter().enumerate() {
                self.phi[i] = self.local.phi[a];
                self.inside[i] = self.local.inside[a];
            }
            if derive {
                let (scaled, local) = (&self.scaled, &self.local);
                self.system.add_group(scaled, g, local, &self.shift);
            }
        }
        norm(&self.phi)
    }

    /// Fixes the modes of the point; `near` is relative to the largest |x|.
    pub fn fix(&mut self, near: f64, near_slides: bool) {
        self.is_fixed = false;
        self.rho.clone_from(&self.scaled.rho);
        // With the centre at x the proximal term is 0: the modes are those of the problem itself.
        self.centre.clone_from(&self.x);
        self.evaluate(false);
        let largest = self.x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let at = At {
            x: &self.x,
            y: &self.y,
            rho: &self.scaled.rho,
            map: self.map,
            modes: None,
        };
        for group in &self.scaled.groups {
            group.modes(at, near * largest, near_slides, &mut self.modes);
        }
        self.is_fixed = true;
    }

    /// What a norm of Phi is compared with.
    pub fn size(&self) -> f64 {
        self.scaled.size + norm(&self.x)
    }

    /// A Newton step without damping, the proximal term about the point itself; with longer rho where contacts slide slowly, if
    /// asked for. Whether there was one.
    pub fn full_step(&mut self, lengthens: bool) -> bool {
        // About the point itself the term moves no solution; it only makes the matrix regular.
        self.centre.clone_from(&self.x);
        if lengthens {
            self.lengthen();
        }
        self.evaluate(true);
        self.factors += 1;
        if !self.system.factor() {
            return false;
        }
        self.system.solve(&mut self.phi);
        if !self.phi.iter().all(|step| step.is_finite()) {
            return false;
        }
        for (x, step) in self.x.iter_mut().zip(&self.phi) {
            *x -= step;
        }
        true
    }

    /// Lengthens rho of contacts that slide slowly. Any rho > 0 has the same solutions.
    fn lengthen(&mut self) {
        let at = At {
            x: &self.x,
            y: &self.y,
            rho: &self.scaled.rho,
            map: self.map,
            modes: None,
        };
        for group in &self.scaled.groups {
            group.lengthen(at, &mut self.rho);
        }
    }

    /// Solves the proximal problem to the norm `aim`. Whether that was reached.
    pub fn solve(&mut self, aim: f64, steps: u32) -> bool {
        let mut last = Vec::with_capacity(MEMORY);
        let mut now = self.evaluate(true);
        for _ in 0..steps {
            if now <= aim {
                return true;
            }
            if last.len() == MEMORY {
                last.remove(0);
            }
            last.push(now);
            self.factors += 1;
            if !self.system.factor() {
                return false;
            }
            let mut step = self.phi.clone();
            self.system.solve(&mut step);
            if !step.iter().all(|step| step.is_finite()) {
                return false;
            }
            let most = last.iter().fold(0.0f64, |most, own| most.max(*own));
            now = self.damped(&step, most);
            if !now.is_finite() {
                return false;
            }
        }
        now <= aim
    }

    /// The step halved until Phi is small enough, else the best of the halves; the matrix there.
    fn damped(&mut self, step: &[f64], most: f64) -> f64 {
        let from = self.x.clone();
        let (mut part, mut best) = (1.0, (f64::INFINITY, 1.0));
        for _ in 0..HALVINGS {
            self.move_to(&from, step, part);
            let now = self.evaluate(false);
            if now < best.0 {
                best = (now, part);
            }
            // Compared with the largest of the last norms, not with the last (Grippo, Lampariello
            // and Lucidi 1986): across a change of modes a good step may raise |Phi| before it
            // falls. 1e-3 asks for some decrease and no more. Chosen.
            if now <= (1.0 - 1e-3 * part) * most {
                break;
            }
            part *= 0.5;
        }
        self.move_to(&from, step, best.1);
        self.evaluate(true)
    }

    fn move_to(&mut self, from: &[f64], step: &[f64], part: f64) {
        for ((x, from), step) in self.x.iter_mut().zip(from).zip(step) {
            *x = from - part * step;
        }
    }
}

/// The Euclidean norm.
fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}
