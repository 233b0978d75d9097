//! The rod against an event-driven integration of its own, and the lever as printed.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::borrow::Cow;

use crate::common::{fast, q, rod, run};
use etalon_rigid::{Covector, MassMatrix};
use etalon_time_stepping::models::Planar;
use etalon_time_stepping::{
    Activation, Arithmetic, Binary64, ContactFrame, ContactInfo, Model, Settings, State, Step,
    StepError,
};

/// Half the distance of the end centres, radius of the ends, inertia, friction.
const A: f64 = 0.25;
const RHO: f64 = 0.05;
const J: f64 = 0.002;
const MU: f64 = 0.6;

/// When the lower end touches, when the upper one does, and how long the rod then slides.
#[derive(Debug)]
struct Truth {
    first: f64,
    slips: f64,
    second: f64,
    slide: f64,
}

/// Where a function changes its sign.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(low) > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (f(middle) > 0.0) == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// A step of the classical Runge-Kutta method.
fn runge_kutta<const N: usize>(
    y: [f64; N],
    dt: f64,
    f: &impl Fn([f64; N]) -> [f64; N],
) -> [f64; N] {
    let add = |k: [f64; N], c: f64| std::array::from_fn(|i| y[i] + c * k[i]);
    let k1 = f(y);
    let k2 = f(add(k1, dt / 2.0));
    let k3 = f(add(k2, dt / 2.0));
    let k4 = f(add(k3, dt));
    std::array::from_fn(|i| y[i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

/// Integrates until a function of the state is no longer positive; the time it took, and the state.
fn until<const N: usize>(
    start: [f64; N],
    f: &impl Fn([f64; N]) -> [f64; N],
    event: impl Fn([f64; N]) -> f64,
) -> (f64, [f64; N]) {
    let (dt, mut t, mut y) = (1e-5, 0.0, start);
    loop {
        let next = runge_kutta(y, dt, f);
        if event(next) <= 0.0 {
            let rest = root(0.0, dt, |part| event(runge_kutta(y, part, f)));
            return (t + rest, runge_kutta(y, rest, f));
        }
        (t, y) = (t + dt, next);
        assert!(t < 2.0, "the event does not come");
    }
}

/// Free flight, an impact in which the lower end sticks, rolling on it, slipping to the left on it, an
/// impact of both ends, sliding to rest: Newton's laws, phase by phase.
fn event_driven(g: f64) -> Truth {
    let (theta0, omega) = (30f64.to_radians(), 4.0);
    let angle = |t: f64| theta0 + omega * t;
    let gap = |t: f64| 1.0 - g * t * t / 2.0 - A * angle(t).sin() - RHO;
    let first = root(0.0, 0.5, gap);
    let theta = angle(first);
    // Both velocities of the contact point vanish: two equations for the impulse.
    let (t, n) = (A * theta.sin() + RHO, -A * theta.cos());
    let (vt, vn) = (omega * t, -g * first + omega * n);
    let (tt, tn, nn) = (1.0 + t * t / J, t * n / J, 1.0 + n * n / J);
    let determinant = tt * nn - tn * tn;
    let (pt, pn) = (
        (tn * vn - nn * vt) / determinant,
        (tn * vt - tt * vn) / determinant,
    );
    assert!(pn > 0.0 && pt.abs() < MU * pn, "it sticks");
    let omega = omega + (t * pt + n * pn) / J;
    // Rolling: one degree of freedom, by Lagrange's equation.
    let inertia = |theta: f64| J + A * A + RHO * RHO + 2.0 * A * RHO * theta.sin();
    let alpha = move |[theta, omega]: [f64; 2]| {
        -A * theta.cos() * (RHO * omega * omega + g) / inertia(theta)
    };
    let margin = |y: [f64; 2]| {
        let ([theta, omega], alpha) = (y, alpha(y));
        let (sin, cos) = theta.sin_cos();
        let along = -alpha * (A * sin + RHO) - omega * omega * A * cos;
        let normal = g + alpha * A * cos - omega * omega * A * sin;
        assert!(normal > 0.0);
        MU * normal - along.abs()
    };
    let (rolling, [theta, omega]) = until([theta, omega], &|y| [y[1], alpha(y)], margin);
    // Slipping to the left, friction to the right.
    let normal = |theta: f64, omega: f64| {
        let (t, n) = (A * theta.sin() + RHO, -A * theta.cos());
        let arm = (n + MU * t) / J;
        let force = (g - A * theta.sin() * omega * omega) / (1.0 + n * arm);
        (force, force * arm)
    };
    let slipping = |[theta, omega, _]: [f64; 3]| {
        let (force, alpha) = normal(theta, omega);
        [omega, alpha, MU * force]
    };
    let start = [theta, omega, -omega * (A * theta.sin() + RHO)];
    let (slip, [theta, omega, vx]) = until(start, &slipping, |y| y[0].sin());
    assert!(
        vx + omega * (A * theta.sin() + RHO) < 0.0,
        "it still slips to the left"
    );
    // Both ends stop; the momentum A omega towards the table is what friction can use.
    let after = vx + MU * A * omega;
    assert!(after < 0.0, "it goes on to the left");
    Truth {
        first,
        slips: first + rolling,
        second: first + rolling + slip,
        slide: -after / (MU * g),
    }
}

#[test]
fn the_event_driven_rod_has_the_reference_times() {
    for (g, first, second, slide) in [
        (9.81, 0.385_817_751_7, 0.547_318_419_7, 0.019_024_3),
        (9.8, 0.386_042_898_1, 0.547_350_590_7, 0.019_257_0),
    ] {
        let truth = event_driven(g);
        assert!((truth.first - first).abs() < 1e-9, "{truth:?}");
        assert!((truth.second - second).abs() < 1e-8, "{truth:?}");
        assert!((truth.slide - slide).abs() < 1e-6, "{truth:?}");
        assert!((truth.slips - 0.419).abs() < 1e-3, "{truth:?}");
    }
}

fn fall<M: Model<f64>>(model: &M, start: State<f64>, steps: i64) -> Vec<Step<f64>> {
    let settings = Settings::new(1.0 / steps as f64).with_activation(Activation::All);
    run(model, &Binary64, &*fast(), settings, start, steps as usize)
}

/// The steps in which the ends - and + first press.
fn presses(run: &[Step<f64>]) -> [usize; 2] {
    [1, 0].map(|end| {
        let hit = |s: &Step<f64>| s.contacts[end].normal > 0.0;
        run.iter().position(hit).unwrap()
    })
}

#[test]
fn time_steps_come_to_the_event_driven_times_with_either_gravity() {
    for (g, exact) in [(9.81, q(981, 100)), (9.8, q(49, 5))] {
        let truth = event_driven(g);
        for steps in [400, 1600] {
            let h = 1.0 / steps as f64;
            let (model, start) = rod(&Binary64, &exact);
            let run = fall(&model, start, steps);
            let [first, second] = presses(&run).map(|k| (k + 1) as f64 * h);
            assert!((first - truth.first).abs() <= h, "{steps} {first}");
            assert!((second - truth.second).abs() <= 2.0 * h, "{steps} {second}");
            let moves = |s: &Step<f64>| s.after.v.iter().any(|v| v.abs() > 1e-6);
            let rest = run.iter().rposition(moves).unwrap() + 2;
            let slide = rest as f64 * h - second;
            assert!((slide - truth.slide).abs() <= 2.0 * h, "{steps} {slide}");
        }
    }
}

#[test]
fn from_other_heights_and_angles_contact_comes_when_free_fall_says() {
    for (y0, theta0, omega0, steps) in [
        (0.7, 30.0, 4.0, 300),
        (1.3, 30.0, 4.0, 250),
        (1.0, 75.0, -3.0, 400),
        (0.9, 10.0, 7.0, 500),
    ] {
        let (model, mut start) = rod(&Binary64, &q(981, 100));
        let theta0 = f64::to_radians(theta0);
        start.q[1] = y0;
        start.q[2] = theta0;
        start.v[2] = omega0;
        let run = fall(&model, start, steps);
        let lowest = |t: f64| {
            let reach = A * (theta0 + omega0 * t).sin();
            y0 - 9.81 * t * t / 2.0 - reach.abs() - RHO
        };
        let mut end = 0.0;
        while lowest(end) > 0.0 {
            end += 1e-4;
        }
        let contact = root(end - 1e-4, end, lowest);
        let first = presses_first(&run) as f64 / steps as f64;
        assert!(
            (first - contact).abs() <= 1.5 / steps as f64,
            "{y0} {first} {contact}"
        );
    }
}

fn presses_first(run: &[Step<f64>]) -> usize {
    let hit = |s: &Step<f64>| s.contacts.iter().any(|contact| contact.normal > 0.0);
    run.iter().position(hit).unwrap() + 1
}

/// The rod with the lever of friction as printed, without the radius of the ends.
struct PrintedLever(Planar<f64>);

impl Model<f64> for PrintedLever {
    fn coordinates(&self) -> Vec<String> {
        self.0.coordinates()
    }

    fn contacts(&self) -> &[ContactInfo<f64>] {
        self.0.contacts()
    }

    fn mass(
        &self,
        q: &[f64],
        arithmetic: &dyn Arithmetic<f64>,
    ) -> Result<Cow<'_, MassMatrix<f64>>, StepError> {
        self.0.mass(q, arithmetic)
    }

    fn force(
        &self,
        q: &[f64],
        v: &[f64],
        arithmetic: &dyn Arithmetic<f64>,
    ) -> Result<Vec<f64>, StepError> {
        self.0.force(q, v, arithmetic)
    }

    fn potential(&self, q: &[f64], arithmetic: &dyn Arithmetic<f64>) -> Result<f64, StepError> {
        self.0.potential(q, arithmetic)
    }

    fn gap(
        &self,
        contact: usize,
        q: &[f64],
        arithmetic: &dyn Arithmetic<f64>,
    ) -> Result<f64, StepError> {
        self.0.gap(contact, q, arithmetic)
    }

    fn gap_size(
        &self,
        contact: usize,
        q: &[f64],
        arithmetic: &dyn Arithmetic<f64>,
    ) -> Result<f64, StepError> {
        self.0.gap_size(contact, q, arithmetic)
    }

    fn frame(
        &self,
        contact: usize,
        q: &[f64],
        arithmetic: &dyn Arithmetic<f64>,
    ) -> Result<ContactFrame<f64>, StepError> {
        let mut frame = self.0.frame(contact, q, arithmetic)?;
        for direction in &mut frame.directions {
            let sign = direction.tangent[0];
            let entries = direction.row.entries().iter();
            let without = entries.map(|(i, x)| (*i, if *i == 2 { x - sign * RHO } else { *x }));
            direction.row = Covector::new(without.collect::<Vec<_>>());
        }
        Ok(frame)
    }
}

/// Steps a second; the end of the first and of the second contact step, x at the end, and the angular
/// velocity after the first contact step and after the next, as an independent implementation has
/// them.
const PRINTED: [(i64, [f64; 5]); 4] = [
    (50, [0.38, 0.46, -0.072288, 2.330876, 16.926161]),
    (200, [0.385, 0.53, -0.234254, 3.441231, 7.410858]),
    (400, [0.385, 0.53, -0.230837, 2.449235, 7.226088]),
    (800, [0.38625, 0.5275, -0.227915, 6.680054, 7.224616]),
];

#[test]
fn with_the_lever_as_printed_the_second_contact_comes_too_early() {
    for (steps, expected) in PRINTED {
        let (model, start) = rod(&Binary64, &q(981, 100));
        let run = fall(&PrintedLever(model), start, steps);
        let [first, second] = presses(&run);
        let time = |k: usize| (k + 1) as f64 / steps as f64;
        let omega = |k: usize| run[k].after.v[2];
        let found = [
            time(first),
            time(second),
            run.last().unwrap().after.q[0],
            omega(first),
            omega(first + 1),
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 2e-6,
                "{steps}: {found} {expected}"
            );
        }
    }
    // Published: 0.548 s.
    assert!((event_driven(9.81).second - 0.53).abs() > 0.01);
}
