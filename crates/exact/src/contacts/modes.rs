//! Modes of contacts and plain rows: read off an approximate solution, and corrected where the
//! solution of their equations breaks an inequality.

use etalon_lcp::{Cone, Disc, Law, Mode, Problem, Row};

/// z and w in binary64, n values each.
pub(super) struct Point {
    pub z: Vec<f64>,
    pub w: Vec<f64>,
}

/// The rows of a disc with mu > 0, and mu.
pub(super) fn tangents(disc: &Disc) -> impl Iterator<Item = (usize, f64)> {
    let rows = disc.rows.iter().enumerate();
    let rows = rows.map(|(k, row)| (*row, disc.mu.of(k)));
    rows.filter(|(_, mu)| mu.signum() > 0)
        .map(|(row, mu)| (row, mu.to_f64()))
}

/// The rows in no cone, ascending.
pub(super) fn plain_rows(problem: &Problem) -> Vec<usize> {
    let rows = problem.rows();
    (0..problem.n())
        .filter(|i| !matches!(rows[*i], Row::Cone))
        .collect()
}

/// |r|_d, the length of r_k / mu_k.
fn length(disc: &Disc, z: &[f64]) -> f64 {
    tangents(disc)
        .map(|(row, mu)| (z[row] / mu).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// The modes that an approximate solution is read as. A force within `near` of the largest force of
/// the problem is 0, and one within `near` of its disc's boundary, relative to r_N, slides.
pub(super) fn read(problem: &Problem, point: &Point, near: f64) -> Vec<Mode> {
    let Point { z, w } = point;
    let of_cones = problem.cones().iter().flat_map(Cone::rows);
    let largest = of_cones.map(|i| z[i].abs()).fold(0.0, f64::max);
    let contact = |cone: &Cone| {
        let r_n = z[cone.normal];
        // Relative to the largest force: which forces are rounding depends on those that balance beside
        // them.
        if r_n <= near * largest {
            return Mode::Open;
        }
        let slides =
            |disc: &Disc| tangents(disc).next().is_some() && length(disc, z) >= (1.0 - near) * r_n;
        let slides: Vec<_> = cone.discs.iter().map(slides).collect();
        Mode::Pressed(slides)
    };
    let rows = problem.rows();
    let plain = |i: usize| {
        let at = |bound: f64| {
            (z[i] - bound).abs() <= near * z[i].abs().max(bound.abs()).max(f64::MIN_POSITIVE)
        };
        let (lower, upper) = ends(&rows[i], z);
        // A bound that the row pulls away from is none.
        if lower.is_some_and(at) && w[i] >= 0.0 {
            Mode::Lower
        } else if upper.is_some_and(at) && w[i] <= 0.0 {
            Mode::Upper
        } else {
            Mode::Free
        }
    };
    let modes = problem.cones().iter().map(contact);
    modes
        .chain(plain_rows(problem).into_iter().map(plain))
        .collect()
}

/// The bounds of a plain row at z.
fn ends(row: &Row<'_>, z: &[f64]) -> (Option<f64>, Option<f64>) {
    match row {
        Row::Nonnegative => (Some(0.0), None),
        Row::AtLeast(lower) => (Some(lower.to_f64()), None),
        Row::AtMost(upper) => (None, Some(upper.to_f64())),
        Row::Between(lower, upper) => (Some(lower.to_f64()), Some(upper.to_f64())),
        Row::Free | Row::Cone => (None, None),
        Row::Friction { normal, mu } => {
            let reach = mu.to_f64() * z[*normal];
            (Some(-reach), Some(reach))
        }
    }
}

/// Changes the modes whose inequalities do not hold at the solution of their equations, and says whether
/// there were any: a contact that pulls opens, one that is entered closes, friction beyond its disc slides,
/// and friction along slip sticks.
pub(super) fn correct(problem: &Problem, point: &Point, modes: &mut [Mode]) -> bool {
    let before = modes.to_vec();
    let Point { z, w } = point;
    let (of_cones, of_rows) = modes.split_at_mut(problem.cones().len());
    for (cone, mode) in problem.cones().iter().zip(of_cones) {
        match mode {
            Mode::Pressed(_) if z[cone.normal] < 0.0 => *mode = Mode::Open,
            Mode::Pressed(slides) => {
                for (disc, slides) in cone.discs.iter().zip(slides) {
                    if *slides {
                        // Sliding friction opposes slip, so r'w <= 0 over the disc. A positive
                        // product means that the zero found is the other one, at which friction
                        // pushes along.
                        let along: f64 = tangents(disc).map(|(row, _)| z[row] * w[row]).sum();
                        *slides = along <= 0.0;
                    } else {
                        *slides =
                            length(disc, z) > z[cone.normal] && tangents(disc).next().is_some();
                    }
                }
            }
            Mode::Open if w[cone.normal] < slip(cone, w) => {
                *mode = Mode::Pressed(vec![false; cone.discs.len()]);
            }
            _ => {}
        }
    }
    let rows = problem.rows();
    for (i, mode) in plain_rows(problem).into_iter().zip(of_rows) {
        let (lower, upper) = ends(&rows[i], z);
        *mode = match mode {
            Mode::Lower if w[i] < 0.0 => Mode::Free,
            Mode::Upper if w[i] > 0.0 => Mode::Free,
            Mode::Free if lower.is_some_and(|lower| z[i] < lower) => Mode::Lower,
            Mode::Free if upper.is_some_and(|upper| z[i] > upper) => Mode::Upper,
            _ => continue,
        };
    }
    before != modes
}

/// What u_N of an open contact is at least: by the convex law the sum over discs of |mu u|_d.
fn slip(cone: &Cone, w: &[f64]) -> f64 {
    let of_disc = |disc: &Disc| {
        tangents(disc)
            .map(|(row, mu)| (mu * w[row]).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    match cone.law {
        Law::Coulomb => 0.0,
        Law::Convex => cone.discs.iter().map(of_disc).sum(),
    }
}
