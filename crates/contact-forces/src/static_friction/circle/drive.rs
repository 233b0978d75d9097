//! Baraff's drive to zero with the circular cone, contact by contact. First the normal force is raised until the
//! normal acceleration is zero. Then friction is raised until the contact stops, or until friction is at its limit and
//! turned against the acceleration.

use std::collections::HashMap;

use super::path::{Drive, Path, State, TINY, dot, length};
use crate::formulation::Formulation;
use crate::static_friction::{StaticFailure, Work};

/// The number of times that the same sets may come again. They may where friction turns; more often means a
/// cycle. The number is chosen.
const VISITS: u32 = 4;

/// Halvings of a step along which friction turns.
const HALVINGS: u32 = 24;

/// The distance by which a step along which friction turns may pass its event, relative to the sizes of the
/// scene. Newton's method corrects it after the sets have changed. Chosen: the end of the path is proved.
const BEYOND: f64 = 1e-2;

/// The distance from the change of sets within which a step along which friction turns has to end, relative to
/// the sizes of the scene. Chosen: the end of the path is proved.
const NEAR: f64 = 1e-7;

/// The largest angle by which friction turns in a step, about, rad. Chosen: Newton's method converges from there.
const TURN: f64 = 0.2;

pub fn run(
    formulation: &Formulation<f64>,
    limit: u64,
    work: &mut Work,
) -> Result<Vec<f64>, StaticFailure> {
    let path = Path::new(formulation, State::Idle);
    let mut driver = Driver { path, limit, work };
    driver.all()?;
    Ok(driver.path.f)
}

struct Driver<'a, 'w> {
    path: Path<'a>,
    limit: u64,
    work: &'w mut Work,
}

/// The event at the end of a step, and its contact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    /// The driven quantity has reached its goal.
    Goal,
    /// The contact changes its state.
    Change(usize, State),
    /// Friction that is being found reaches its limit.
    Limit,
    /// Nothing: the step ends here because friction turns.
    Pause,
}

/// The event that comes first, with how much of the change leads to it.
struct Earliest(Option<(f64, Event)>);

impl Earliest {
    fn offer(&mut self, length: f64, event: Event) {
        if length.is_finite() && self.0.is_none_or(|(least, _)| length < least) {
            self.0 = Some((length.max(0.0), event));
        }
    }
}

/// Where a value falls to zero at that rate; never, where the rate is rounding beside its size.
fn falls(value: f64, rate: f64, size: f64) -> f64 {
    if rate < -TINY * size {
        value.max(0.0) / -rate
    } else {
        f64::INFINITY
    }
}

impl Driver<'_, '_> {
    fn all(&mut self) -> Result<(), StaticFailure> {
        let mut f = self.path.f.clone();
        if !self.path.correct(Drive::None, 0.0, &mut f) {
            return Err(StaticFailure::Singular);
        }
        self.path.f = f;
        while let Some(k) = self.next() {
            self.drive(Drive::Normal(k))?;
            if self.path.state[k] == State::Bare {
                self.friction(k)?;
            }
            self.settle();
        }
        self.rest();
        Ok(())
    }

    /// Contacts that slip without moving are held.
    fn rest(&mut self) {
        let slips = |&k: &usize| {
            self.path.state[k] == State::Slip
                && length(self.slide(k)) <= NEAR * 10.0 * self.path.scale
        };
        let still: Vec<usize> = (0..self.path.cones.len()).filter(slips).collect();
        let before = (self.path.state.clone(), self.path.f.clone());
        still
            .iter()
            .for_each(|&k| self.path.state[k] = State::Stick);
        let mut f = self.path.f.clone();
        if self.path.correct(Drive::None, 0.0, &mut f) {
            self.path.f = f;
        } else {
            (self.path.state, self.path.f) = before;
        }
    }

    fn negative(&self, k: usize, a: &[f64]) -> bool {
        a[self.path.cones[k].normal] < -TINY * self.path.scale
    }

    fn next(&self) -> Option<usize> {
        let a = self.path.accelerations(&self.path.f);
        (0..self.path.cones.len())
            .find(|&k| self.path.state[k] == State::Idle && self.negative(k, &a))
    }

    /// Contacts that are not pressed together after a drive stay so.
    fn settle(&mut self) {
        let a = self.path.accelerations(&self.path.f);
        for k in 0..self.path.cones.len() {
            if self.path.state[k] == State::Idle && !self.negative(k, &a) {
                self.path.state[k] = State::Open;
            }
        }
    }

    fn slide(&self, k: usize) -> [f64; 2] {
        let a = self.path.accelerations(&self.path.f);
        self.path.friction(k, &a)
    }

    fn friction(&mut self, k: usize) -> Result<(), StaticFailure> {
        let slide = self.slide(k);
        if self.path.cones[k].tangents.is_none() || length(slide) <= TINY * self.path.scale {
            self.path.state[k] = State::Stick;
            return Ok(());
        }
        self.drive(Drive::Stop(k, slide))?;
        if self.path.state[k] != State::Bare {
            return Ok(());
        }
        // At the limit: it turns against the acceleration that is left.
        let (f, a) = (self.path.friction(k, &self.path.f), self.slide(k));
        // f_F x a_F: 0 where friction is opposed to the acceleration, or along it.
        let off = f[0] * a[1] - f[1] * a[0];
        if off.abs() <= TINY * length(f) * self.path.scale {
            self.path.state[k] = State::Slip;
            return Ok(());
        }
        self.drive(Drive::Turn(k, off))
    }

    fn drive(&mut self, drive: Drive) -> Result<(), StaticFailure> {
        let mut seen = HashMap::new();
        let mut s = 0.0;
        loop {
            if self.work.steps >= self.limit {
                return Err(StaticFailure::Limit { steps: self.limit });
            }
            self.work.steps += 1;
            // Where the body comes to rest, several contacts stop together, and nothing leads further.
            if !matches!(drive, Drive::Normal(_)) && 1.0 - s <= NEAR {
                self.enter(drive, Event::Goal);
                return Ok(());
            }
            let change = self.path.direction(drive, s);
            let change = change.ok_or(StaticFailure::Singular)?;
            let (mut length, event) = self.max_step(drive, s, &change)?;
            self.work.degenerate += u64::from(length == 0.0);
            let linear = self.path.is_linear(drive);
            let mut halvings = 0;
            let reached = loop {
                let mut f: Vec<f64> = self.path.f.clone();
                f.iter_mut()
                    .zip(&change)
                    .for_each(|(f, c)| *f += length * c);
                let fits = linear
                    || (self.path.correct(drive, s + length, &mut f)
                        && self.holds(drive, event, &f));
                if fits {
                    self.path.f = f;
                    s += length;
                    break halvings == 0;
                }
                halvings += 1;
                if halvings > HALVINGS {
                    return Err(StaticFailure::Back {
                        steps: self.work.steps,
                    });
                }
                length *= 0.5;
            };
            if !reached || event == Event::Pause || !(linear || self.is_there(drive, s, event)) {
                continue;
            }
            let over = self.enter(drive, event);
            let (now, at) = if over { (Drive::None, 0.0) } else { (drive, s) };
            let mut f = self.path.f.clone();
            let half_done = over && self.path.state.contains(&State::Bare);
            if !half_done && self.path.correct(now, at, &mut f) {
                self.path.f = f;
            }
            if over {
                return Ok(());
            }
            let visits = seen.entry(self.path.state.clone()).or_insert(0);
            *visits += 1;
            if *visits > VISITS {
                let steps = self.work.steps;
                return Err(StaticFailure::Cycle { steps });
            }
        }
    }

    /// Whether the event that a step was to end in has come, once friction has turned.
    fn is_there(&self, drive: Drive, s: f64, event: Event) -> bool {
        let near = NEAR;
        let a = self.path.accelerations(&self.path.f);
        let force = near * self.path.force();
        let acceleration = near * self.path.scale;
        // Friction that turns may have carried the path a little beyond.
        match event {
            Event::Pause => false,
            Event::Goal => match drive {
                Drive::Normal(k) => a[self.path.cones[k].normal] >= -acceleration,
                _ => (1.0 - s).abs() <= near,
            },
            Event::Limit => {
                let slack = |k| self.slack(k, &self.path.f) <= force;
                drive.contact().is_some_and(slack)
            }
            Event::Change(k, State::Open) => self.path.f[self.path.cones[k].normal] <= force,
            Event::Change(k, State::Slip) => self.slack(k, &self.path.f) <= force,
            Event::Change(k, State::Stick) if self.path.is_closed(k) => {
                let friction = self.path.friction(k, &self.path.f);
                dot(friction, self.path.friction(k, &a)) >= -length(friction) * acceleration
            }
            Event::Change(k, _) => a[self.path.cones[k].normal] <= acceleration,
        }
    }

    /// mu f_N - |f_F|.
    fn slack(&self, k: usize, f: &[f64]) -> f64 {
        let cone = &self.path.cones[k];
        cone.mu * f[cone.normal] - length(self.path.friction(k, f))
    }

    /// Whether no condition has been passed over by more than rounding.
    fn holds(&self, drive: Drive, event: Event, f: &[f64]) -> bool {
        let a = self.path.accelerations(f);
        let near = TINY * 1000.0;
        let ending = match event {
            Event::Change(k, _) => Some(k),
            Event::Limit => drive.contact(),
            _ => None,
        };
        (0..self.path.cones.len()).all(|k| {
            // Where the step is to end in the condition's breaking, it may be passed by a little.
            let near = if ending == Some(k) { BEYOND } else { near };
            let (force, acceleration) = (near * self.path.force(), near * self.path.scale);
            let normal = self.path.cones[k].normal;
            match self.path.state[k] {
                State::Idle => true,
                State::Open => a[normal] >= -acceleration,
                State::Bare => f[normal] >= -force,
                State::Stick => {
                    f[normal] >= -force
                        && (self.slack(k, f) >= -force || self.path.cones[k].tangents.is_none())
                }
                State::Slip => {
                    let power = dot(self.path.friction(k, f), self.path.friction(k, &a));
                    let turned = drive.contact() == Some(k) || power <= force * self.path.scale;
                    f[normal] >= -force && turned
                }
            }
        })
    }

    /// Changes sets; returns whether the drive is over.
    fn enter(&mut self, drive: Drive, event: Event) -> bool {
        match (event, drive) {
            (Event::Pause, _) => false,
            (Event::Goal, Drive::Normal(k)) => {
                self.path.state[k] = State::Bare;
                true
            }
            (Event::Goal, Drive::Stop(k, _)) => {
                self.path.state[k] = State::Stick;
                true
            }
            (Event::Goal, Drive::Turn(k, _)) => {
                self.path.state[k] = State::Slip;
                true
            }
            (Event::Goal, Drive::None) | (Event::Limit, _) => true,
            (Event::Change(k, to), _) => {
                let was_open = self.path.state[k] == State::Open;
                self.path.state[k] = to;
                let cone = &self.path.cones[k];
                if to == State::Open {
                    self.path.f[cone.normal] = 0.0;
                    for t in cone.tangents.into_iter().flatten() {
                        self.path.f[t] = 0.0;
                    }
                }
                if was_open
                    && cone.tangents.is_some()
                    && length(self.slide(k)) > TINY * self.path.scale
                {
                    self.path.state[k] = State::Slip;
                }
                drive.contact() == Some(k)
            }
        }
    }

    /// maxstep: how far until what is driven is at its goal, or the first condition would break.
    fn max_step(
        &mut self,
        drive: Drive,
        s: f64,
        change: &[f64],
    ) -> Result<(f64, Event), StaticFailure> {
        let a = self.path.accelerations(&self.path.f);
        let gain = self.path.gain(change);
        let mut best = Earliest(None);
        let sizes = |values: &[f64]| {
            values
                .iter()
                .fold(f64::MIN_POSITIVE, |m: f64, v| m.max(v.abs()))
        };
        let (dforce, dgain) = (sizes(change), sizes(&gain));
        match drive {
            Drive::Normal(k) => {
                let row = self.path.cones[k].normal;
                self.work.away += u64::from(gain[row] < 0.0);
                best.offer(falls(-a[row], -gain[row], dgain), Event::Goal);
            }
            _ => best.offer(1.0 - s, Event::Goal),
        }
        for k in 0..self.path.cones.len() {
            self.offer_of_contact(k, drive, change, (&a, &gain), (dforce, dgain), &mut best);
        }
        best.0.ok_or(StaticFailure::Unbounded {
            row: drive.contact().map_or(0, |k| self.path.cones[k].normal),
        })
    }

    /// Offers what may happen at contact k as forces change along `change`: for the accelerations and their
    /// gains, and the largest of the changes of force and of acceleration.
    fn offer_of_contact(
        &self,
        k: usize,
        drive: Drive,
        change: &[f64],
        (a, gain): (&[f64], &[f64]),
        (dforce, dgain): (f64, f64),
        best: &mut Earliest,
    ) {
        let cone = &self.path.cones[k];
        let driven = drive.contact() == Some(k);
        let (f, df) = (
            self.path.friction(k, &self.path.f),
            self.path.friction(k, change),
        );
        let (af, daf) = (self.path.friction(k, a), self.path.friction(k, gain));
        let (normal, dnormal) = (self.path.f[cone.normal], change[cone.normal]);
        let limit = leaves(f, df, cone.mu * normal, cone.mu * dnormal);
        match self.path.state[k] {
            State::Idle => {}
            State::Open => {
                let closes = falls(a[cone.normal], gain[cone.normal], dgain);
                best.offer(closes, Event::Change(k, State::Stick));
            }
            State::Bare | State::Stick | State::Slip => {
                best.offer(
                    falls(normal, dnormal, dforce),
                    Event::Change(k, State::Open),
                );
            }
        }
        match (self.path.state[k], drive) {
            (State::Bare, Drive::Stop(..)) if driven => best.offer(limit, Event::Limit),
            (State::Stick, _) if cone.tangents.is_some() => {
                best.offer(limit, Event::Change(k, State::Slip))
            }
            (State::Slip, _) => {
                let size = length(f).max(TINY * cone.mu * normal.max(dnormal));
                // a_F = -lambda f_F/|f_F|: the contact holds where lambda falls to zero.
                let (lambda, rate) = (-dot(af, f) / size, -dot(daf, f) / size);
                best.offer(falls(lambda, rate, dgain), Event::Change(k, State::Stick));
                let across = (f[0] * df[1] - f[1] * df[0]) / (size * size);
                best.offer(TURN / across.abs(), Event::Pause);
            }
            (State::Bare, Drive::Turn(..)) if driven => {
                let size = length(f);
                let across = (f[0] * df[1] - f[1] * df[0]) / (size * size);
                best.offer(TURN / across.abs(), Event::Pause);
            }
            _ => {}
        }
    }
}

/// The t at which f + t df leaves the circle of radius r + t dr. That is the least root t >= 0 of
/// |f + t df|^2 = (r + t dr)^2 at which the left side overtakes the right. It does so at the larger
/// root of a convex parabola, and at the smaller root of a concave one.
fn leaves(f: [f64; 2], df: [f64; 2], r: f64, dr: f64) -> f64 {
    let (p, q, c) = (
        dot(df, df) - dr * dr,
        dot(f, df) - r * dr,
        (dot(f, f) - r * r).min(0.0),
    );
    let root = (q * q - p * c).max(0.0).sqrt();
    // p t^2 + 2 q t + c = 0, c <= 0: written so that nothing cancels.
    if p > 0.0 {
        return if q > 0.0 {
            -c / (q + root)
        } else {
            (root - q) / p
        };
    }
    if q <= 0.0 || q * q < p * c {
        return f64::INFINITY;
    }
    -c / (q + root)
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn a_force_leaves_its_circle_where_the_quadratic_says() {
        for (f, df, r, dr, expected) in [
            ([0.0, 0.0], [1.0, 0.0], 2.0, 0.0, 2.0),
            ([0.0, 0.0], [3.0, 4.0], 10.0, 0.0, 2.0),
            // From (1, 0) along (0, 1) within radius sqrt 2.
            ([1.0, 0.0], [0.0, 1.0], std::f64::consts::SQRT_2, 0.0, 1.0),
            // The circle shrinks: 1 = 3 - 2 t.
            ([1.0, 0.0], [0.0, 0.0], 3.0, -2.0, 1.0),
            // It grows as fast, and faster.
            ([0.0, 1.0], [0.0, 1.0], 2.0, 1.0, f64::INFINITY),
            ([0.0, 1.0], [0.0, 1.0], 2.0, 2.0, f64::INFINITY),
            // On the boundary: outwards at once, inwards across the circle.
            ([1.0, 0.0], [1.0, 0.0], 1.0, 0.0, 0.0),
            ([1.0, 0.0], [-1.0, 0.0], 1.0, 0.0, 2.0),
        ] {
            let found = leaves(f, df, r, dr);
            assert!(
                found == expected || (found - expected).abs() < 1e-12,
                "{f:?} {df:?}: {found}"
            );
        }
    }
}
