//! The bound of `docs/engines.md` in exact arithmetic.

use etalon_certify::{root_above, root_below};
use rug::Rational;

use super::exact::{ExactData, Group, Kind};
use super::law::{project, project_disc};
use super::norm::DualNorm;
use crate::exact::{ROOT_BITS, sum};

/// Bounds on the distance of a pair (a, f) from the solution.
pub(super) struct Certificate {
    /// At least |a - a*|_M.
    pub motion: Rational,
    /// At least what the objective at a is above its minimum.
    pub objective: Rational,
    /// Bounds on |M a - J'f - q|_(M^-1).
    pub dynamics: (Rational, Rational),
    /// The row of the record that it owes most to.
    pub worst_row: Option<usize>,
}

/// Computes the bound with given forces, moved into their sets.
///
/// # Errors
/// Where M gives no norm.
pub(super) fn certify(
    data: &ExactData,
    norm: &DualNorm,
    a: &[Rational],
    f: &[Rational],
) -> Result<Certificate, String> {
    let dynamics = norm.enclose(&data.residual(a, f))?;
    let mut inside = f.to_vec();
    for group in &data.groups {
        take_inside(group, &mut inside);
    }
    let (_, alpha) = norm.enclose(&data.residual(a, &inside))?;
    let drift = data.drift(a);
    let w: Vec<_> = (0..inside.len())
        .map(|k| Rational::from(&data.r[k] * &inside[k]) + &drift[k])
        .collect();
    let (mut gap, mut square) = (Rational::new(), Rational::new());
    let mut left = Rational::new();
    let mut worst = (Rational::new(), None);
    for group in &data.groups {
        let (own, least) = split(group, &inside, &w, &data.r);
        left += least;
        let cost = own.cost();
        if cost > worst.0 {
            worst = (cost, Some(data.places[group.rows.start]));
        }
        gap += own.gap;
        square += own.square;
    }
    let objective = Rational::from(alpha.square_ref()) / 2u32 + left;
    // (X - alpha/2)^2 + (Y - beta/2)^2 <= gamma + (alpha^2 + beta^2)/4, solved for the largest X
    // (`docs/engines.md`, level A).
    let root = gap + (alpha.clone().square() + square) / 4u32;
    Ok(Certificate {
        motion: alpha / 2u32 + root_above(&root, ROOT_BITS),
        objective,
        dynamics,
        worst_row: worst.1,
    })
}

/// The forces that the law gives at an acceleration: exact on plain rows, as near as binary64 has them in cones and discs. Of a
/// bounded set without R those that work most against x.
pub(super) fn lawful(data: &ExactData, a: &[Rational]) -> Vec<Rational> {
    let x = data.drift(a);
    let mut f = vec![Rational::new(); x.len()];
    for Group { rows, kind } in &data.groups {
        let i = rows.start;
        let own = || -Rational::from(&x[i] / &data.r[i]);
        match kind {
            Kind::Equality => f[i] = own(),
            Kind::Nonnegative => f[i] = own().max(Rational::new()),
            Kind::Box(bound) if data.r[i].is_zero() => {
                f[i] = Rational::from(bound * -(x[i].cmp0() as i32));
            }
            Kind::Box(bound) => f[i] = clamp(own(), bound),
            Kind::Cone(_) | Kind::Disc(..) => {
                let floats =
                    |own: &[Rational]| own.iter().map(Rational::to_f64).collect::<Vec<_>>();
                let mut near = vec![0.0; rows.len()];
                let (x, r) = (floats(&x[rows.clone()]), floats(&data.r[rows.clone()]));
                match kind {
                    Kind::Disc(mu, bound) => {
                        project_disc(&x, &r, (&floats(mu), bound.to_f64()), &mut near);
                    }
                    Kind::Cone(mu) => project(&x, &r, &floats(mu), &mut near),
                    _ => {}
                }
                for (f, near) in f[rows.clone()].iter_mut().zip(near) {
                    *f = Rational::from_f64(near).unwrap_or_default();
                }
            }
        }
    }
    f
}

fn clamp(own: Rational, bound: &Rational) -> Rational {
    let below = Rational::from(-bound);
    own.max(below).min(bound.clone())
}

/// |(f_k / mu_k)|^2 of the tangential rows.
fn length_squared(f: &[Rational], mu: &[Rational]) -> Rational {
    let parts = f
        .iter()
        .zip(mu)
        .map(|(f, mu)| Rational::from(f / mu).square());
    sum(parts)
}

/// Moves the forces of a group into their set. What is nearly on the boundary of a cone is moved to it.
fn take_inside(group: &Group, f: &mut [Rational]) {
    let f = &mut f[group.rows.clone()];
    match &group.kind {
        Kind::Equality => {}
        Kind::Nonnegative => f[0] = f[0].clone().max(Rational::new()),
        Kind::Box(bound) => f[0] = clamp(f[0].clone(), bound),
        Kind::Disc(mu, bound) => {
            let (length, most) = (length_squared(f, mu), bound.clone().square());
            if length > most {
                // Rounded down, so that the force is inside for certain.
                let share = root_below(&Rational::from(&most / &length), ROOT_BITS);
                f.iter_mut().for_each(|own| *own *= &share);
            }
        }
        Kind::Cone(mu) => {
            if f[0] <= 0 {
                f.fill(Rational::new());
                return;
            }
            let length = length_squared(&f[1..], mu);
            let normal = f[0].clone().square();
            if length > normal {
                let share = root_below(&Rational::from(&normal / &length), ROOT_BITS);
                f[1..].iter_mut().for_each(|own| *own *= &share);
            // f_n within 5e-9 of |f_t / mu|: on the boundary itself the gap is 0, and no root of a
            // rounding error enters the bound.
            } else if Rational::from(&normal - &length) * 100_000_000u32 <= normal {
                // Rounded up, so that the friction stays inside.
                f[0] = root_above(&length, ROOT_BITS);
            }
        }
    }
}

/// gamma and e^2 / R of a group.
#[derive(Clone)]
struct Split {
    gap: Rational,
    square: Rational,
}

impl Split {
    fn cost(&self) -> Rational {
        &self.gap + Rational::from(&self.square / 4u32)
    }

    /// gamma + e^2 / 2R: its part of the bound on the objective.
    fn objective(&self) -> Rational {
        &self.gap + Rational::from(&self.square / 2u32)
    }
}

/// Splits w = w+ + e, the best of the ways that serve (see [`super::filter`]) for the distance; and what the best for the
/// objective leaves of that.
fn split(group: &Group, f: &[Rational], w: &[Rational], r: &[Rational]) -> (Split, Rational) {
    let rows = group.rows.clone();
    let (f, w, r) = (&f[rows.clone()], &w[rows.clone()], &r[rows]);
    let square = |e: &[Rational]| {
        let parts = e
            .iter()
            .zip(r)
            .map(|(e, r)| Rational::from(e.square_ref()) / r);
        sum(parts)
    };
    let bounded = within_bound(&group.kind, f, w);
    // Without R no error e may be left: e^2 / R has no bound.
    if let Some(own) = bounded.filter(|_| r.iter().any(Rational::is_zero)) {
        let least = own.objective();
        return (own, least);
    }
    let all = Split {
        gap: Rational::new(),
        square: square(w),
    };
    let other = match &group.kind {
        Kind::Equality => {
            let least = all.objective();
            return (all, least);
        }
        Kind::Nonnegative => Split {
            gap: Rational::from(&f[0] * &w[0]).max(Rational::new()),
            square: square(&[w[0].clone().min(Rational::new())]),
        },
        Kind::Box(_) | Kind::Disc(..) => within_bound(&group.kind, f, w).unwrap_or(all.clone()),
        Kind::Cone(mu) if f[0].is_zero() => {
            let slip = w[1..]
                .iter()
                .zip(mu)
                .map(|(w, mu)| Rational::from(w * mu).square());
            // Lifting w_n alone is not the nearest way into the dual cone, but it leaves f'w+ = 0
            // and one term.
            let lifted = root_above(&sum(slip), ROOT_BITS) - &w[0];
            let own = Split {
                gap: Rational::new(),
                square: square(&[lifted.max(Rational::new())]),
            };
            let least = own.objective();
            return (own, least);
        }
        Kind::Cone(mu) => sliding(f, w, r, mu),
    };
    let mut least = other.objective().min(all.objective());
    let best = if other.cost() < all.cost() {
        other
    } else {
        all
    };
    let Kind::Cone(mu) = &group.kind else {
        return (best, least);
    };
    let own = nearest(f, w, r, mu);
    least = least.min(own.objective());
    let best = if own.cost() < best.cost() { own } else { best };
    (best, least)
}

/// Of a bounded set w+ = w: the largest (f - g)'w over its forces g, which is f w + bound |w|.
fn within_bound(kind: &Kind, f: &[Rational], w: &[Rational]) -> Option<Split> {
    let most = match kind {
        Kind::Box(bound) => w[0].clone().abs() * bound,
        Kind::Disc(mu, bound) => {
            let slip = w.iter().zip(mu).map(|(w, mu)| Rational::from(w * mu));
            root_above(&sum(slip.map(Rational::square)), ROOT_BITS) * bound
        }
        _ => return None,
    };
    let work = sum(f.iter().zip(w).map(|(f, w)| Rational::from(f * w)));
    Some(Split {
        gap: work + most,
        square: Rational::new(),
    })
}

/// w+ nearest to w - Rf in the norm of R^-1: the velocity that the law has there, as near as binary64 has it, moved into the
/// dual cone.
fn nearest(f: &[Rational], w: &[Rational], r: &[Rational], mu: &[Rational]) -> Split {
    let floats = |own: &[Rational]| own.iter().map(Rational::to_f64).collect::<Vec<_>>();
    let drift = |k: usize| &w[k] - Rational::from(&r[k] * &f[k]);
    let x: Vec<_> = (0..w.len()).map(drift).collect();
    let mut near = vec![0.0; w.len()];
    project(&floats(&x), &floats(r), &floats(mu), &mut near);
    let mut dual = x;
    for ((own, near), r) in dual.iter_mut().zip(&near).zip(r) {
        *own += Rational::from_f64(*near).unwrap_or_default() * r;
    }
    let slip = dual[1..].iter().zip(mu);
    let slip = slip.map(|(own, mu)| Rational::from(own * mu).square());
    let least = root_above(&sum(slip), ROOT_BITS);
    if dual[0] < least {
        dual[0] = least;
    }
    let parts = w.iter().zip(&dual).zip(r);
    let parts = parts.map(|((w, own), r)| Rational::from(w - own).square() / r);
    Split {
        gap: sum(f.iter().zip(&dual).map(|(f, own)| Rational::from(f * own))),
        square: sum(parts),
    }
}

/// w+ = L (f_n, -f_t / mu^2) with the L >= 0 that leaves least.
fn sliding(f: &[Rational], w: &[Rational], r: &[Rational], mu: &[Rational]) -> Split {
    let mut against = vec![f[0].clone()];
    against.extend(
        f[1..]
            .iter()
            .zip(mu)
            .map(|(f, mu)| -Rational::from(f / mu) / mu),
    );
    let (mut above, mut below) = (Rational::new(), Rational::new());
    for ((own, w), r) in against.iter().zip(w).zip(r) {
        above += Rational::from(own * w) / r;
        below += Rational::from(own.square_ref()) / r;
    }
    // A multiplier of few digits serves as well.
    let share = (above / below).max(Rational::new());
    let share = Rational::from_f64(share.to_f64()).unwrap_or(share);
    let parts = against.iter().zip(w).zip(r).map(|((own, w), r)| {
        let e = w - Rational::from(own * &share);
        e.square() / r
    });
    let square = sum(parts);
    let room = f[0].clone().square() - length_squared(&f[1..], mu);
    Split {
        gap: room * share,
        square,
    }
}
