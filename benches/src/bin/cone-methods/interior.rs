//! Interior points: a barrier on the cones, for the convex law; under Coulomb's law about de Saxcé's lift, which is fixed
//! again and again (Acary, Cadoux, Lemaréchal and Malick 2011). Then the crossover to modes.

use etalon_lcp::Law;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use super::Clock;
use super::local::{Local, tangential};

/// Times that the lift is fixed.
const LIFTS: u32 = 200;
/// Where the barrier ends, relative to where it begins.
const LEAST: f64 = 1e-13;
const SHRINK: f64 = 0.2;
/// Newton steps for one barrier.
const STEPS: u32 = 50;
/// Newton steps on the modes.
const CROSSOVER: u32 = 30;

/// The answer at the modes that the interior point has; `None` where it does not settle.
pub fn solve(local: &Local, clock: &Clock) -> Option<DVector<f64>> {
    let mut lift = DVector::zeros(local.q.len());
    let mut last = None;
    for _ in 0..LIFTS {
        let r = barrier(local, &lift, clock)?;
        let u = &local.w * &r + &local.q;
        if let Some(found) = crossover(local, &r, &u) {
            return Some(found);
        }
        if local.law == Law::Convex {
            return Some(local.project(&r));
        }
        let next = local.lift(&u);
        let moved = (&next - &lift).amax();
        lift = next;
        last = Some(r);
        if clock.is_over() || moved <= 1e-15 * lift.amax() {
            break;
        }
    }
    last.map(|r| local.project(&r))
}

/// Value, gradient and second derivatives of -log(mu^2 r_N^2 - |r_T|^2), or of -log r_N.
fn term(part: Vector3<f64>, mu: f64) -> Option<(f64, Vector3<f64>, Matrix3<f64>)> {
    if part[0] <= 0.0 {
        return None;
    }
    if mu == 0.0 {
        let gradient = Vector3::new(-1.0 / part[0], 0.0, 0.0);
        return Some((-part[0].ln(), gradient, gradient * gradient.transpose()));
    }
    let signs = Vector3::new(mu * mu, -1.0, -1.0);
    let room = part.component_mul(&part).dot(&signs);
    if room <= 0.0 {
        return None;
    }
    let slope = part.component_mul(&signs) * 2.0;
    let second =
        slope * slope.transpose() / (room * room) - Matrix3::from_diagonal(&(signs * (2.0 / room)));
    Some((-room.ln(), -slope / room, second))
}

/// The minimum of r'Wr/2 + (q + lift)'r on the cones, nearly.
fn barrier(local: &Local, lift: &DVector<f64>, clock: &Clock) -> Option<DVector<f64>> {
    let w = (&local.w + local.w.transpose()) / 2.0;
    let q = &local.q + lift;
    let size = q.amax() / w.amax().max(f64::MIN_POSITIVE);
    let mut r = DVector::zeros(q.len());
    for contact in &local.contacts {
        r[contact.at] = size.max(f64::MIN_POSITIVE);
    }
    let mut weight = size * q.amax();
    let end = LEAST * weight;
    while weight > end {
        for _ in 0..STEPS {
            let (value, gradient, second) = objective(local, &w, &q, weight, &r)?;
            let step = second.cholesky()?.solve(&-&gradient);
            let descent = gradient.dot(&step);
            let mut share = 1.0;
            let next = loop {
                let next = &r + &step * share;
                match objective(local, &w, &q, weight, &next) {
                    Some((other, ..)) if other <= value + 1e-4 * share * descent => {
                        break Some(next);
                    }
                    _ if share < 1e-12 => break None,
                    _ => share *= 0.5,
                }
            };
            let Some(next) = next else { break };
            r = next;
            if -descent <= 1e-9 * weight || clock.is_over() {
                break;
            }
        }
        weight *= SHRINK;
    }
    Some(r)
}

type Objective = (f64, DVector<f64>, DMatrix<f64>);

fn objective(
    local: &Local,
    w: &DMatrix<f64>,
    q: &DVector<f64>,
    weight: f64,
    r: &DVector<f64>,
) -> Option<Objective> {
    let wr = w * r;
    let mut value = r.dot(&wr) / 2.0 + q.dot(r);
    let mut gradient = wr + q;
    let mut second = w.clone();
    for contact in &local.contacts {
        let (own, slope, bend) = term(local.part(*contact, r), contact.mu)?;
        value += weight * own;
        for k in 0..contact.size() {
            gradient[contact.at + k] += weight * slope[k];
            for j in 0..contact.size() {
                second[(contact.at + k, contact.at + j)] += weight * bend[(k, j)];
            }
        }
    }
    Some((value, gradient, second))
}

/// What a contact does.
#[derive(Clone, Copy)]
enum Mode {
    Open,
    Sticks,
    Slides,
}

/// Newton's method with least squares on the equations of the modes that r and u show.
fn crossover(local: &Local, r: &DVector<f64>, u: &DVector<f64>) -> Option<DVector<f64>> {
    let (force, velocity) = (r.amax(), u.amax().max(local.q.amax()));
    let modes: Vec<Mode> = local
        .contacts
        .iter()
        .map(|contact| {
            let (r, u) = (
                local.part(*contact, r) / force,
                local.part(*contact, u) / velocity,
            );
            let inside = contact.mu * r[0] - tangential(r);
            match (r[0], tangential(u)) {
                (normal, slip) if normal < u[0].max(slip * contact.mu) && normal < 1e-6 => {
                    Mode::Open
                }
                (_, slip) if contact.mu == 0.0 || slip <= inside => Mode::Sticks,
                _ => Mode::Slides,
            }
        })
        .collect();
    let mut x = r.clone();
    for _ in 0..CROSSOVER {
        let (values, slopes) = equations(local, &modes, &x);
        let step = slopes.svd(true, true).solve(&values, 1e-13).ok()?;
        x -= &step;
        if step.amax() <= 4e-16 * x.amax() {
            break;
        }
    }
    let u = &local.w * &x + &local.q;
    let holds = modes.iter().zip(&local.contacts).all(|(mode, contact)| {
        let (r, own) = (local.part(*contact, &x), local.part(*contact, &u));
        let (near, still) = (1e-12 * force, 1e-12 * velocity);
        match mode {
            Mode::Open => {
                own[0] >= -still
                    && (local.law == Law::Coulomb || own[0] >= contact.mu * tangential(own) - still)
            }
            Mode::Sticks => tangential(r) <= contact.mu * r[0] + near,
            Mode::Slides => r[0] >= -near && own[1] * r[1] + own[2] * r[2] <= still * force,
        }
    });
    holds.then(|| local.project(&x))
}

/// The equations of the modes and their derivatives, in rows of the size of velocities.
fn equations(local: &Local, modes: &[Mode], x: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let n = x.len();
    let u = &local.w * x + &local.q;
    let (mut values, mut slopes) = (DVector::zeros(n), DMatrix::zeros(n, n));
    for (mode, contact) in modes.iter().zip(&local.contacts) {
        let (at, mu) = (contact.at, contact.mu);
        let resistance = local.w[(at, at)].abs();
        match mode {
            Mode::Open => (at..at + contact.size()).for_each(|i| {
                values[i] = resistance * x[i];
                slopes[(i, i)] = resistance;
            }),
            Mode::Sticks => (at..at + contact.size()).for_each(|i| {
                values[i] = u[i];
                slopes.set_row(i, &local.w.row(i));
            }),
            Mode::Slides => {
                let r = local.part(*contact, x);
                let length = r.amax().max(f64::MIN_POSITIVE);
                let signs = Vector3::new(-mu * mu, 1.0, 1.0);
                let scale = resistance / length;
                values[at] = scale * r.component_mul(&r).dot(&signs);
                for k in 0..3 {
                    slopes[(at, at + k)] = 2.0 * scale * signs[k] * r[k];
                }
                match local.law {
                    // u_N = 0 and u_T along r_T.
                    Law::Coulomb => {
                        values[at + 1] = u[at];
                        slopes.set_row(at + 1, &local.w.row(at));
                        values[at + 2] = (u[at + 1] * r[2] - u[at + 2] * r[1]) / length;
                        let row =
                            (local.w.row(at + 1) * r[2] - local.w.row(at + 2) * r[1]) / length;
                        slopes.set_row(at + 2, &row);
                        slopes[(at + 2, at + 2)] += u[at + 1] / length;
                        slopes[(at + 2, at + 1)] -= u[at + 2] / length;
                    }
                    // u_T r_N + u_N r_T / mu^2 = 0.
                    Law::Convex => {
                        for k in 1..3 {
                            let i = at + k;
                            let share = 1.0 / (mu * mu * length);
                            values[i] = u[i] * r[0] / length + u[at] * r[k] * share;
                            let row =
                                local.w.row(i) * (r[0] / length) + local.w.row(at) * (r[k] * share);
                            slopes.set_row(i, &row);
                            slopes[(i, at)] += u[i] / length;
                            slopes[(i, i)] += u[at] * share;
                        }
                    }
                }
            }
        }
    }
    (values, slopes)
}
