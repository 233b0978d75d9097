//! The forces of a cone at an acceleration, in binary64.

/// The f in the cone that is least in f'Rf / 2 + x'f, as near as binary64 has it: 0 at the apex, -x/R inside.
pub(super) fn project(x: &[f64], r: &[f64], mu: &[f64], f: &mut [f64]) {
    let y = |k: usize| mu[k] * x[k + 1];
    let slip = (0..mu.len()).map(|k| y(k).powi(2)).sum::<f64>().sqrt();
    // x is in the dual cone, so every force of the cone costs: none is the least.
    if x[0] >= slip {
        f.fill(0.0);
        return;
    }
    let Some(l) = multiplier(x, r, mu) else {
        for (f, (x, r)) in f.iter_mut().zip(x.iter().zip(r)) {
            *f = -x / r;
        }
        return;
    };
    let mut length = 0.0;
    for k in 0..mu.len() {
        let stretched = -y(k) / (mu[k] * mu[k] * r[k + 1] + l);
        length += stretched * stretched;
        f[k + 1] = mu[k] * stretched;
    }
    f[0] = length.sqrt();
}

/// The f with |(f_k / mu_k)| <= bound that is least in f'Rf / 2 + x'f, as near as binary64 has it; R may be 0.
pub(super) fn project_disc(x: &[f64], r: &[f64], (mu, bound): (&[f64], f64), f: &mut [f64]) {
    let l = disc_multiplier(x, r, (mu, bound)).unwrap_or(0.0);
    for (f, ((x, r), mu)) in f.iter_mut().zip(x.iter().zip(r).zip(mu)) {
        // 0 / 0 is no force.
        let is_idle = *x == 0.0 || bound == 0.0;
        let stretched = if is_idle {
            0.0
        } else {
            -mu * x / (r * mu * mu + l)
        };
        *f = mu * stretched;
    }
}

/// The multiplier L > 0 of a disc, |(y_k / (R_k mu_k^2 + L))| = bound with y_k = mu_k x_k, of which the left side falls; `None`
/// where -x/R is within the disc.
pub(super) fn disc_multiplier(x: &[f64], r: &[f64], (mu, bound): (&[f64], f64)) -> Option<f64> {
    let parts = || (0..mu.len()).map(|k| (mu[k] * x[k], mu[k] * mu[k] * r[k]));
    let length = |l: f64| {
        let own = parts().filter(|(y, _)| *y != 0.0);
        own.map(|(y, c)| (y / (c + l)).powi(2)).sum::<f64>().sqrt()
    };
    if length(0.0) <= bound {
        return None;
    }
    // |y| / L is above the left side, so the root is at most |y| / bound.
    let slip = parts().map(|(y, _)| y * y).sum::<f64>().sqrt();
    let (mut below, mut above) = (0.0, slip / bound.max(f64::MIN_POSITIVE) * (1.0 + 1e-12));
    for _ in 0..2_000 {
        let middle = below + (above - below) / 2.0;
        if middle <= below || middle >= above {
            break;
        }
        if length(middle) > bound {
            below = middle;
        } else {
            above = middle;
        }
    }
    Some(above)
}

/// The multiplier L > 0 of the cone, (R_n - L) |g| + x_n = 0 with g_k = mu_k x_k / (R_k mu_k^2 + L), of which the left side
/// falls; `None` where -x/R is within the cone. x is not in the dual cone.
pub(super) fn multiplier(x: &[f64], r: &[f64], mu: &[f64]) -> Option<f64> {
    let parts = || (0..mu.len()).map(|k| (mu[k] * x[k + 1], mu[k] * mu[k] * r[k + 1]));
    let length = |l: f64| {
        parts()
            .map(|(y, c)| (y / (c + l)).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let over = |l: f64| (r[0] - l) * length(l) + x[0];
    if over(0.0) <= 0.0 {
        return None;
    }
    // Exact where c is the same in all directions; between the least and the largest c otherwise.
    let slip = parts().map(|(y, _)| y * y).sum::<f64>().sqrt();
    let of = |c: f64| (r[0] * slip + c * x[0]) / (slip - x[0]);
    let (mut below, mut above) = parts().fold((f64::INFINITY, 0.0_f64), |(low, high), (_, c)| {
        (low.min(of(c)), high.max(of(c)))
    });
    (below, above) = (below.max(0.0) * (1.0 - 1e-12), above * (1.0 + 1e-12));
    // By halves: the left side falls, so the bracket holds, and it ends at two neighbouring
    // numbers. Newton's method may leave it.
    for _ in 0..200 {
        let middle = below + (above - below) / 2.0;
        if middle <= below || middle >= above {
            break;
        }
        if over(middle) > 0.0 {
            below = middle;
        } else {
            above = middle;
        }
    }
    Some(below + (above - below) / 2.0)
}
